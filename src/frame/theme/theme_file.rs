//! A file of the theme, and what its bytes are made with: digests in names, small scripts, strings of CSS.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use super::minify;
use super::source::ChromeInput;
use base::BundlePath;
use base::hex::to_hex;

/// A file of the theme.
#[derive(Clone, Debug)]
pub struct ThemeFile {
    /// The path of the file in the bundle.
    pub path: BundlePath,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// The script that sets scheme and banner before first paint. Its text is the same on every page of every site, so that
/// a policy can name its digest.
pub const HEAD_SCRIPT: &str = templates::text("js/head/scheme.js");

/// The first eight hexadecimal digits of the SHA-256 digest.
pub(super) fn digest8(bytes: &[u8]) -> String {
    to_hex(&Sha256::digest(bytes)[..4])
}

/// `_offprint/<stem>-<digest8>.<extension>`.
pub fn fingerprinted(stem: &str, extension: &str, bytes: Vec<u8>) -> ThemeFile {
    let path = BundlePath::sanitize(&format!("_offprint/{stem}-{}.{extension}", digest8(&bytes)));
    ThemeFile { path, bytes }
}

/// A script of ours without what only its readers need.
pub(super) fn small_script(source: &ChromeInput<'_>, script: &str) -> String {
    source.options.minify.and_then(|minify| minify(script)).unwrap_or_else(|| minify::js(script))
}

/// A CSS string.
pub(super) fn css_string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars().filter(|c| !c.is_control()) {
        if matches!(c, '"' | '\\' | '<') {
            let _ = write!(out, "\\{:x} ", c as u32);
        } else {
            out.push(c);
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::css_string;

    #[test]
    fn strings_cannot_end_early() {
        assert_eq!(css_string("a\"b\\c</style>"), "\"a\\22 b\\5c c\\3c /style>\"");
    }
}
