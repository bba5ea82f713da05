//! Links of a text into other pages: from them it is known which pages' anchors are needed.

use memchr::memchr_iter;
use rustc_hash::FxHashSet;

use base::cut::SliceText as _;

/// Longest link target that is looked at, bytes.
const MAX_TARGET_BYTES: usize = 1 << 10;

/// Targets of links into other pages' anchors: `](path#x)`, `[x]: path#x` and `href="path#x"`, `href={"path#x"}`.
pub fn fragments(text: &str) -> Vec<String> {
    let bytes = text.as_bytes();
    let mut known: FxHashSet<&str> = FxHashSet::default();
    let mut targets: Vec<String> = Vec::new();
    let mut done = 0;
    for hash in memchr_iter(b'#', bytes) {
        // headings, colors and own anchors: most `#` end here
        if hash == 0 || hash < done || !is_path_byte(bytes[hash - 1]) {
            continue;
        }
        let low = hash.saturating_sub(MAX_TARGET_BYTES);
        let start =
            (low..hash).rev().find(|at| !is_path_byte(bytes[*at]) || opens_link(bytes, *at)).map_or(low, |at| at + 1);
        let Some(close) = closing_mark(&bytes[..start]) else { continue };
        let end = bytes[hash..]
            .iter()
            .take(MAX_TARGET_BYTES)
            .position(|byte| *byte == close || byte.is_ascii_whitespace())
            .map_or(bytes.len(), |len| hash + len);
        done = end;
        let Some(target) = text.get(start..end).filter(|_| start < hash) else { continue };
        if !is_outside(target) && known.insert(target) {
            targets.push(target.to_owned());
        }
    }
    targets
}

fn is_path_byte(byte: u8) -> bool {
    !byte.is_ascii_whitespace() && !matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>' | b'#' | b'{' | b'}')
}

/// The `(` of `](`.
fn opens_link(bytes: &[u8], at: usize) -> bool {
    bytes[at] == b'(' && at > 0 && bytes[at - 1] == b']'
}

/// What ends a target, by what stands before it; `None` if that opens no link.
fn closing_mark(before: &[u8]) -> Option<u8> {
    let (last, rest) = before.split_last()?;
    match last {
        b'(' if rest.ends_with(b"]") => Some(b')'),
        b'<' if rest.ends_with(b"](") => Some(b'>'),
        b'"' | b'\'' | b'`' if rest.ends_with(b"href=") || rest.ends_with(b"href={") => Some(*last),
        b' ' | b'\t' if before.trim_ascii_end().ends_with(b"]:") => Some(b'\n'),
        _ => None,
    }
}

/// Leads out of the site, or is put together at run time.
fn is_outside(target: &str) -> bool {
    let scheme = target.find(':').is_some_and(|colon| {
        target.slice(..colon).bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
    });
    scheme || target.starts_with("//") || target.contains("${")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check_fragments(text: &str, expect: &[&str]) {
        assert_eq!(fragments(text), expect, "{text:?}");
    }

    #[test]
    fn links_into_other_pages() {
        check_fragments("[a](/x#y) [b](#own) [c](../z.md#w \"title\") [d](<a#b>)", &["/x#y", "../z.md#w", "a#b"]);
        check_fragments(
            "<a href=\"/x#y\"/> <a href='z#w'/> <a href={\"q#r\"}/> <Card href={`t#u`}/>",
            &["/x#y", "z#w", "q#r", "t#u"],
        );
        check_fragments("[a]: /x#y\n[a](/a_(b)#c)", &["/x#y", "/a_(b)#c"]);
        check_fragments("[a](https://x/#y) [b](//x#y) <a href={`/${x}#y`}/> [m](mailto:a#b)", &[]);
        check_fragments("# Heading\n## C# and F#\n`a#b` color: '#fff' \"x#y\"", &[]);
        check_fragments("[a](/x#y) [a](/x#y) [b](/x#y#z)", &["/x#y", "/x#y#z"]);
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "([\\[\\]()#<>\"'é \n;:a/{}`]|href=){0,40}") {
            let _ = fragments(&text);
        }
    }
}
