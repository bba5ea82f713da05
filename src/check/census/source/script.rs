//! JavaScript in a page: where statements and expressions end, and the texts that are nothing but a string.

use std::ops::Range;

use base::bytes::find_pair;

use super::skip_blanks;

/// Longest statement or expression that is looked through, bytes.
const MAX_SCANNED_SCRIPT_BYTES: usize = 1 << 18;

/// Whether a line begins with a statement of a module, and not with a sentence.
pub(super) fn starts_statement(line: &[u8]) -> bool {
    if let Some(rest) = line.strip_prefix(b"import") {
        let at = skip_blanks(rest, 0);
        return match rest.get(at) {
            Some(b'{' | b'*' | b'"' | b'\'') => true,
            Some(_) => {
                at > 0
                    && memchr::memmem::find(rest, b"from").is_some()
                    && rest.iter().any(|byte| matches!(byte, b'"' | b'\''))
            }
            None => false,
        };
    }
    let Some(rest) = line.strip_prefix(b"export ") else { return false };
    let rest = &rest[skip_blanks(rest, 0)..];
    let words: [&[u8]; 10] =
        [b"const ", b"let ", b"var ", b"function", b"default ", b"class ", b"async ", b"{", b"*", b"type "];
    words.iter().any(|word| rest.starts_with(word))
}

/// Names of components that a statement defines or takes from files of the site.
pub(super) fn own_names(statement: &str) -> impl Iterator<Item = &str> {
    let of_site = ["\"/", "'/", "\".", "'.", "\"@site", "'@site"];
    let is_own = statement.starts_with("export") || of_site.iter().any(|start| statement.contains(start));
    let names = statement
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|name| name.starts_with(|c: char| c.is_ascii_uppercase()));
    names.filter(move |_| is_own)
}

/// Where the statement ends that begins at `at`: behind the line in which all its brackets are closed, or which closes
/// one without being indented, with nothing of it following.
pub(super) fn statement_end(bytes: &[u8], at: usize) -> usize {
    let end = bytes.len().min(at.saturating_add(MAX_SCANNED_SCRIPT_BYTES));
    let mut brackets = Brackets::default();
    let mut line = at;
    while line < end {
        let newline = memchr::memchr(b'\n', &bytes[line..]).map_or(bytes.len(), |length| line + length);
        let text = &bytes[line..newline];
        brackets.read(text);
        line = (newline + 1).min(bytes.len());
        let closes = line > at && text.first().is_some_and(|byte| matches!(byte, b'}' | b')' | b']'));
        let is_closed = brackets.depth == 0 && !brackets.in_template && !brackets.in_comment;
        let ends = bytes[at..].starts_with(b"import") || text.trim_ascii_end().ends_with(b";");
        if is_closed && ends || (is_closed || closes) && is_over(bytes, line) {
            return line;
        }
    }
    // a statement without an end: its first block
    find_pair(&bytes[at..], *b"\n\n").map_or(bytes.len(), |length| at + length)
}

/// Whether nothing of a statement follows: an empty line, or another statement.
fn is_over(bytes: &[u8], line: usize) -> bool {
    let rest = bytes.get(line..).unwrap_or_default();
    let first = skip_blanks(rest, 0);
    matches!(rest.get(first), None | Some(b'\n' | b'\r' | b'<' | b'#' | b'{')) && !rest.starts_with(b"  ")
        || rest.starts_with(b"import")
        || rest.starts_with(b"export")
}

/// Open brackets. A string ends with its line: an apostrophe in the text of a tag is not taken for the start of one.
#[derive(Default)]
struct Brackets {
    depth: usize,
    in_template: bool,
    in_comment: bool,
}

impl Brackets {
    fn read(&mut self, line: &[u8]) {
        let mut at = 0;
        while let Some(byte) = line.get(at) {
            at += 1;
            if self.in_comment {
                if *byte == b'*' && line.get(at) == Some(&b'/') {
                    self.in_comment = false;
                    at += 1;
                }
                continue;
            }
            if self.in_template {
                match byte {
                    b'\\' => at += 1,
                    b'`' => self.in_template = false,
                    _ => {}
                }
                continue;
            }
            match byte {
                b'(' | b'[' | b'{' => self.depth += 1,
                b')' | b']' | b'}' => self.depth = self.depth.saturating_sub(1),
                b'`' => self.in_template = true,
                b'/' if line.get(at) == Some(&b'*') => self.in_comment = true,
                b'/' if line.get(at) == Some(&b'/') && (at < 2 || line[at - 2] != b':') => return,
                b'"' | b'\'' => at = string_end(line, at, *byte).unwrap_or(at),
                _ => {}
            }
        }
    }
}

/// Behind the end of a string whose inside begins at `at`, in the same line.
fn string_end(bytes: &[u8], mut at: usize, quote: u8) -> Option<usize> {
    loop {
        match *bytes.get(at)? {
            b'\\' => at += 2,
            b'\n' => return None,
            byte if byte == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
}

/// Behind the `}` that closes the brace at `at`. How many bytes were looked at is told, too.
pub(super) fn expression_end(bytes: &[u8], at: usize) -> (Option<usize>, usize) {
    let end = bytes.len().min(at.saturating_add(MAX_SCANNED_SCRIPT_BYTES));
    let (mut here, mut depth) = (at, 0_usize);
    while here < end {
        match bytes[here] {
            b'{' => depth += 1,
            b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return (Some(here + 1), here + 1 - at);
                }
            }
            quote @ (b'"' | b'\'') => here = string_end(bytes, here + 1, quote).map_or(here, |end| end - 1),
            b'`' => here = template_end(bytes, here + 1, end).map_or(here, |end| end - 1),
            b'/' if bytes.get(here + 1) == Some(&b'*') => {
                let Some(length) = find_pair(&bytes[here + 2..end], *b"*/") else {
                    return (None, end - at);
                };
                here += length + 3;
            }
            _ => {}
        }
        here += 1;
    }
    (None, end - at)
}

/// Behind the end of a template whose inside begins at `at`.
fn template_end(bytes: &[u8], mut at: usize, end: usize) -> Option<usize> {
    while at < end {
        match bytes[at] {
            b'\\' => at += 2,
            b'`' => return Some(at + 1),
            _ => at += 1,
        }
    }
    None
}

/// The inside of an expression that is nothing but a string, or a template without values.
pub(super) fn only_string(bytes: &[u8], inside: Range<usize>) -> Option<Range<usize>> {
    let text = bytes.get(inside.clone())?;
    let from = inside.start + text.iter().position(|byte| !byte.is_ascii_whitespace())?;
    let to = inside.end - text.iter().rev().position(|byte| !byte.is_ascii_whitespace())?;
    let quote = *bytes.get(from)?;
    if to < from + 2 || !matches!(quote, b'"' | b'\'' | b'`') || bytes[to - 1] != quote {
        return None;
    }
    let string = from + 1..to - 1;
    let text = &bytes[string.clone()];
    let is_whole = !text.contains(&quote) && (quote != b'`' || find_pair(text, *b"${").is_none());
    is_whole.then_some(string)
}
