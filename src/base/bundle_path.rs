//! Names of files inside a bundle: safe on every system, under any prefix.

use std::borrow::Cow;
use std::fmt;

use unicode_normalization::UnicodeNormalization;

use crate::cut::SliceText as _;

use super::limits::BUNDLE_PATH_CHARS;

/// Longest name of a file or folder, bytes: most file systems hold 255, and some names get an ending.
const MAX_NAME_BYTES: usize = 248;

/// A relative, `/`-separated path that every common file system can hold: no `..`, no empty segment, none of
/// `<>:"|?*\` or control characters, no trailing dot or space, no Windows device name, NFC, at most 180 characters
/// (theme contract, section 4, rule 10).
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BundlePath(String);

const DEVICES: [&str; 22] = [
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "lpt1", "lpt2",
    "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// The folder of a bundle that belongs to the exporter (contract E-ARC-3).
pub const RESERVED_FOLDER: &str = "_offprint";
/// Where every bundle keeps its manifest: a folder or archive that holds it is an export.
pub const MANIFEST_PATH: &str = "_offprint/manifest.json";

impl BundlePath {
    /// The name of a file that was fetched: half of the digest of its bytes makes it unique.
    pub fn fetched(digest: &str, extension: &str) -> Self {
        Self::sanitize(&format!("{RESERVED_FOLDER}/remote/{}.{extension}", digest.get(..32).unwrap_or(digest)))
    }

    /// Makes a safe path out of any text: forbidden characters become `-`, `.` and `..` segments disappear, device
    /// names get a trailing `_`, overlong paths are cut and end in a digest. Safe paths come back as they are.
    pub fn sanitize(path: &str) -> Self {
        let mut out = String::with_capacity(path.len());
        // most names are ASCII, which is in every normal form
        let nfc = if path.is_ascii() { Cow::Borrowed(path) } else { Cow::Owned(path.nfc().collect()) };
        for segment in nfc.split(['/', '\\']) {
            if matches!(segment, "" | "." | "..") {
                continue;
            }
            if !out.is_empty() {
                out.push('/');
            }
            push_segment(&mut out, segment);
        }
        if out.is_empty() {
            out.push('_');
        }
        if out.len() > BUNDLE_PATH_CHARS && out.chars().count() > BUNDLE_PATH_CHARS {
            out = shorten(&out);
        }
        Self(out)
    }

    /// The path if it is safe as it is.
    pub fn parse(path: &str) -> Option<Self> {
        // no need to look at more of a name than it may have
        let is_short = path.len() <= 4 * BUNDLE_PATH_CHARS;
        is_short.then(|| Self::sanitize(path)).filter(|safe| safe.0 == path)
    }

    /// The path with one ending in place of another; `None` if it does not end so, or if the new one is not shorter, as
    /// only those are safe unseen.
    pub fn with_ending(&self, old: &str, new: &str) -> Option<Self> {
        let stem = self
            .0
            .strip_suffix(old)
            .filter(|_| new.len() < old.len() && old.starts_with('.') && new.starts_with('.'))?;
        Some(Self([stem, new].concat()))
    }

    /// The Markdown beside a page: `guides/start.html` has `guides/start.md`.
    pub fn markdown_page(&self) -> Self {
        self.with_ending(".html", ".md").unwrap_or_else(|| Self::sanitize(&format!("{self}.md")))
    }

    /// The script that holds the Markdown beside a page, for the page's menu: `guides/start.md` has
    /// `guides/start.md.js`.
    pub fn markdown_script(&self) -> Self {
        Self::sanitize(&format!("{self}.js"))
    }

    /// The path, `/`-separated.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What two names that differ only by case or by Unicode form have in common.
    pub fn collision_key(&self) -> String {
        if self.0.is_ascii() {
            return self.0.to_ascii_lowercase();
        }
        self.0.nfkc().collect::<String>().to_lowercase()
    }
}

fn push_segment(out: &mut String, segment: &str) {
    let start = out.len();
    for c in segment.chars() {
        out.push(match c {
            '<' | '>' | ':' | '"' | '|' | '?' | '*' | '\\' => '-',
            c if c.is_control() => '-',
            c => c,
        });
    }
    if out.ends_with(['.', ' ']) {
        out.push('_');
    }
    let stem_end = out.slice(start..).find('.').map_or(out.len(), |dot| start + dot);
    let stem = out.slice(start..stem_end).trim_end();
    if stem.len() <= 4 && DEVICES.iter().any(|device| device.eq_ignore_ascii_case(stem)) {
        out.insert(stem_end, '_');
    }
    if out.len() - start > MAX_NAME_BYTES {
        let name = out.split_off(start);
        out.push_str(&fit_name(&name, MAX_NAME_BYTES));
    }
}

/// A name of a file or folder that has at most `limit` bytes: the extension and as much of the front as fits, with eight
/// digits of the whole name's digest between. Names that fit stay.
pub fn fit_name(name: &str, limit: usize) -> Cow<'_, str> {
    if name.len() <= limit {
        return Cow::Borrowed(name);
    }
    let (stem, extension) = name.rfind('.').and_then(|dot| name.split_at_checked(dot)).unwrap_or((name, ""));
    let (stem, extension) = if extension.len() > 12 { (name, "") } else { (stem, extension) };
    let digest = format!("-{:08x}", fnv1a(name));
    let room = limit.saturating_sub(digest.len() + extension.len());
    let front = stem.get(..stem.floor_char_boundary(room)).unwrap_or_default();
    Cow::Owned(format!("{}{digest}{extension}", front.trim_end_matches(['.', ' '])))
}

fn fnv1a(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |digest, byte| (digest ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Keeps the extension and as much of the front as fits, with eight digits of the whole path's FNV-1a digest between.
fn shorten(path: &str) -> String {
    let digest = fnv1a(path);
    let name_at = path.rfind('/').map_or(0, |slash| slash + 1);
    let extension = path.slice(name_at..).rfind('.').map_or("", |dot| path.slice(name_at + dot..));
    let extension = if extension.chars().count() > 12 { "" } else { extension };
    let keep = BUNDLE_PATH_CHARS - extension.chars().count() - 9;
    let front: String = path.chars().take(keep).collect();
    format!("{}-{digest:08x}{extension}", front.trim_end_matches(['/', '.', ' ']))
}

impl fmt::Display for BundlePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for BundlePath {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, expect: &str) {
        assert_eq!(BundlePath::sanitize(path).as_str(), expect);
    }

    #[test]
    fn safe_paths_stay() {
        check("guides/start.html", "guides/start.html");
        check("日本語/a b.html", "日本語/a b.html");
    }

    #[test]
    fn hostile_paths_are_tamed() {
        check("../../etc/passwd", "etc/passwd");
        check("/abs//x", "abs/x");
        check("C:\\x", "C-/x");
        check("a/con.html", "a/con_.html");
        check("NUL", "NUL_");
        check("a. /b.", "a. _/b._");
        check("a?b*\u{0}c", "a-b--c");
        check("..", "_");
    }

    #[test]
    fn names_fit_into_what_systems_hold() {
        let long = "窯".repeat(100);
        let name = |path: &str| BundlePath::sanitize(path).0;
        let (one, other) = (name(&format!("a/{long}1.html")), name(&format!("a/{long}2.html")));
        for name in [&one, &other] {
            let file = name.strip_prefix("a/").unwrap();
            assert!(file.len() <= MAX_NAME_BYTES && file.starts_with("窯") && file.ends_with(".html"), "{file}");
            assert_eq!(BundlePath::parse(name).map(|path| path.0).as_ref(), Some(name));
        }
        assert_ne!(one, other, "what is cut off still tells them apart");
        assert_eq!(fit_name("a.html", 9), "a.html");
        assert_eq!(fit_name(&long, 20).len(), 18);
    }

    #[test]
    fn only_safe_paths_are_taken_as_they_are() {
        for path in ["guides/start.html", "日本語/é b.html"] {
            assert_eq!(BundlePath::parse(path).map(|path| path.0).as_deref(), Some(path));
        }
        for path in [
            "",
            "/",
            "a/",
            "/a",
            "a//b",
            "../a",
            "a/./b",
            "a\\b",
            "c:d",
            "nul",
            "a./b",
            "e\u{301}",
            &"x".repeat(181),
            &"x".repeat(9999),
        ] {
            assert_eq!(BundlePath::parse(path), None, "{path}");
        }
    }

    #[test]
    fn long_paths_are_cut_and_stay_different() {
        let one = BundlePath::sanitize(&format!("{}1.html", "x".repeat(300)));
        let two = BundlePath::sanitize(&format!("{}2.html", "x".repeat(300)));
        assert!(one.as_str().chars().count() <= BUNDLE_PATH_CHARS && one.as_str().ends_with(".html"));
        assert_ne!(one, two);
    }
}
