//! Words in angle brackets in the lines of a shell, `<file-name>`: what a reader fills in. A grammar of the shell sees
//! redirections in them, so it is given words of the same length in their place.

use std::borrow::Cow;
use std::ops::Range;

use base::cut::SliceText as _;

/// Where the placeholders of a line are, in bytes.
pub(super) fn find_placeholders(line: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    // behind the last bracket no placeholder ends
    let Some(last) = memchr::memrchr(b'>', line.as_bytes()) else { return found };
    let mut at = 0;
    while let Some(next) = memchr::memchr(b'<', &line.as_bytes()[at..last]) {
        let start = at + next;
        at = match placeholder_end(line, start) {
            Some(end) => {
                found.push(start..end);
                end
            }
            None => start + 1,
        };
        if at > last {
            break;
        }
    }
    found
}

/// The end of the placeholder that starts with the bracket at `start`. What a redirection could be as well is one: `<in
/// >out`, `<in>out`, `2<in>`.
fn placeholder_end(line: &str, start: usize) -> Option<usize> {
    let inside = line.slice(start + 1..);
    if line.slice(..start).ends_with(|c: char| c.is_ascii_digit() || matches!(c, '<' | '>' | '$' | '&'))
        || !inside.starts_with(|c: char| c.is_alphabetic() || c == '_')
    {
        return None;
    }
    let length = inside.find(|c: char| {
        !(c.is_alphanumeric()
            || matches!(c, '_' | '-' | '.' | ':' | '/' | ' ' | '|' | ',' | '+' | '*' | '@' | '#' | '=' | '\u{2026}'))
    })?;
    let (words, behind) = (inside.slice(..length), inside.slice(length..).strip_prefix('>')?);
    let is_file_number = words.rsplit_once(' ').is_some_and(|(_, word)| word.bytes().all(|byte| byte.is_ascii_digit()));
    let is_redirected = words.ends_with([' ', '-', '=', '|'])
        || words.contains("| ")
        || is_file_number
        || behind.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '$' | '&' | '(' | '~'));
    (!is_redirected).then_some(start + length + 2)
}

/// The line with a plain word of the same length in the place of each placeholder.
pub(super) fn as_words<'l>(line: &'l str, placeholders: &[Range<usize>]) -> Cow<'l, str> {
    if placeholders.is_empty() {
        return line.into();
    }
    let mut out = String::with_capacity(line.len());
    for placeholder in placeholders {
        out.push_str(line.slice(out.len()..placeholder.start));
        out.extend(placeholder.clone().map(|_| 'x'));
    }
    out.push_str(line.slice(out.len()..));
    out.into()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(line: &str, expect: &[&str]) {
        let found: Vec<&str> = find_placeholders(line).into_iter().map(|range| &line[range]).collect();
        assert_eq!(found, expect, "{line}");
    }

    #[test]
    fn placeholders() {
        check("npm access grant <scope:team> [<package>]", &["<scope:team>", "<package>"]);
        check("curl <url> --out=<file-name> \"Bearer <your token>\"", &["<url>", "<file-name>", "<your token>"]);
        check("cd <org>/<repo>.git:<a|b> <é…>", &["<org>", "<repo>", "<a|b>", "<é…>"]);
        check("echo <a> > <b>", &["<a>", "<b>"]);
    }

    #[test]
    fn redirections_are_none() {
        for line in [
            "sort < in > out",
            "sort <in >out",
            "sort <in>out",
            "sort <in 2> errors",
            "sort <in | uniq> out",
            "cat <<EOF>out",
            "cat <<EOF",
            "diff <(a) <(b) > c",
            "cmd 2<in> out",
            "cmd <&3 >&2",
            "cat <$a >$b",
            "read <in>$out",
            "<>",
            "<",
            ">",
            "a > b < c",
            "echo </div>",
        ] {
            check(line, &[]);
        }
    }

    #[test]
    fn lengths_stay() {
        assert_eq!(as_words("a <é> b", &find_placeholders("a <é> b")), "a xxxx b");
    }

    proptest! {
        #[test]
        fn no_line_panics(line in "([<> $é2-]|a|b){0,30}") {
            prop_assert_eq!(as_words(&line, &find_placeholders(&line)).len(), line.len());
        }
    }
}
