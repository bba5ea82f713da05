//! Relative URLs between files of a bundle.

use memchr::memrchr;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use crate::cut::SliceText as _;

/// What a path segment or fragment may not hold as it is: everything but unreserved characters and a few harmless
/// marks.
const SEGMENT: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'`')
    .add(b'{')
    .add(b'}')
    .add(b'\\')
    .add(b'^')
    .add(b'|')
    .add(b'[')
    .add(b']')
    .add(b'\'');

/// Percent-encodes a `/`-separated bundle path.
pub fn encode_path(path: &str) -> String {
    utf8_percent_encode(path, SEGMENT).collect()
}

/// Percent-encodes a fragment (without the `#`).
pub fn encode_fragment(fragment: &str) -> String {
    utf8_percent_encode(fragment, SEGMENT).collect()
}

/// How many folders up the root is: `../../` for `a/b/c.html`, empty for `index.html`.
pub fn to_root(from: &str) -> String {
    "../".repeat(from.matches('/').count())
}

/// How many bytes two paths begin with in common, up to a `/`.
pub fn shared_folders(one: &str, other: &str) -> usize {
    let same = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    memrchr(b'/', &one.as_bytes()[..same]).map_or(0, |slash| slash + 1)
}

/// The URL of the bundle file `to` as written in the bundle file `from`, both unencoded: `../guides/start.html`. Never
/// starts with `/`, never holds a `:` before its first `/` (which a browser would read as a scheme).
pub fn relative_url(from: &str, to: &str) -> String {
    let folder = from.rfind('/').map_or("", |slash| from.slice(..=slash));
    let shared = shared_folders(folder, to);
    let up = folder.slice(shared..).bytes().filter(|byte| *byte == b'/').count();
    let rest = to.slice(shared..);
    let mut out = String::with_capacity(3 * up + rest.len() + 8);
    (0..up).for_each(|_| out.push_str("../"));
    if up == 0 && rest.split('/').next().is_some_and(|head| head.contains(':')) {
        out.push_str("./");
    }
    out.extend(utf8_percent_encode(rest, SEGMENT));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(from: &str, to: &str, expect: &str) {
        assert_eq!(relative_url(from, to), expect, "{from} -> {to}");
    }

    #[test]
    fn relative_urls_name_files() {
        check("index.html", "guides/start.html", "guides/start.html");
        check("guides/start.html", "index.html", "../index.html");
        check("guides/start.html", "guides/next.html", "next.html");
        check("guides/a/b.html", "guides/c/d.html", "../c/d.html");
        check("guides/a/b.html", "guides/a.html", "../a.html");
        check("ab/c.html", "a/c.html", "../a/c.html");
        check("a.html", "a/b.html", "a/b.html");
        check("a/a.html", "a/a/b.html", "a/b.html");
        check("x.html", "my docs/ü #1 100%.html", "my%20docs/%C3%BC%20%231%20100%25.html");
        check("x.html", "a:b.html", "./a:b.html");
    }
}
