//! What lines of Markdown are, as far as that is known without parsing them.

use std::borrow::Cow;

use crate::cut::{SliceText as _, cut};

use super::Place;

/// Lines of plain Markdown, each with its place, that a tool wrote in the place of a text.
pub type PlacedLines = Vec<(String, Place)>;

/// Follows the lines of a text into fenced code and comments and out again.
#[derive(Debug, Default)]
pub struct Verbatim {
    fence: Option<(u8, usize)>,
    comment: bool,
}

impl Verbatim {
    /// Whether the line before was in a block of code that goes on.
    pub fn is_in_fence(&self) -> bool {
        self.fence.is_some()
    }

    /// Whether a line is code or a comment, or begins or ends some. `text` is the line without the indentation and the
    /// marks that may stand before a fence.
    pub fn takes(&mut self, text: &str) -> bool {
        let text = text.trim_end();
        if self.comment {
            self.comment = !text.contains("-->");
            return true;
        }
        let found = fence_of(text);
        match self.fence {
            Some((mark, least)) => {
                if found.is_some_and(|(other, width, info)| other == mark && width >= least && info.is_empty()) {
                    self.fence = None;
                }
                true
            }
            None => {
                self.fence = found.map(|(mark, width, _)| (mark, width));
                self.comment = text.starts_with("<!--") && !text.contains("-->");
                self.fence.is_some() || self.comment
            }
        }
    }
}

/// Mark, width and info string of a code fence. `text` is the line without what may stand before a fence.
pub fn fence_of(text: &str) -> Option<(u8, usize, &str)> {
    let mark = *text.as_bytes().first().filter(|mark| matches!(mark, b'`' | b'~'))?;
    let width = text.bytes().take_while(|byte| *byte == mark).count();
    let info = text.slice(width..).trim();
    (width >= 3 && !(mark == b'`' && info.contains('`'))).then_some((mark, width, info))
}

/// The marks of a fence that no line of a code ends: three of them, or one more than the most that a line starts with.
pub fn fence_around<'l>(lines: impl IntoIterator<Item = &'l str>, mark: char) -> String {
    let run = |line: &str| line.trim_start().chars().take_while(|c| *c == mark).count();
    let longest = lines.into_iter().map(run).max().unwrap_or(0);
    String::from(mark).repeat(longest.max(2) + 1)
}

/// A line of slashes: how many, the name of the block that it opens, and the words behind the bar. One that ends a block
/// has no name.
pub fn parse_slash_line(text: &str) -> Option<(usize, &str, &str)> {
    let text = text.trim();
    let rest = text.trim_start_matches('/');
    let count = text.len() - rest.len();
    if count < 3 || !(rest.is_empty() || rest.starts_with(' ')) {
        return None;
    }
    let (name, words) = rest.split_once('|').unwrap_or((rest, ""));
    Some((count, name.trim(), words.trim()))
}

/// A text in which line feeds stand for the carriage returns that end a line on their own, as on old systems; as long as
/// before.
pub fn with_line_feeds(text: Cow<'_, str>) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let ends_line = |at: usize| bytes.get(at + 1) != Some(&b'\n');
    if !memchr::memchr_iter(b'\r', bytes).any(ends_line) {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = &*text;
    while let Some(at) = memchr::memchr(b'\r', rest.as_bytes()) {
        let (before, after) = cut(rest, at);
        out.push_str(before);
        rest = after.slice(1..);
        out.push(if rest.starts_with('\n') { '\r' } else { '\n' });
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Whether a line without its indentation starts an item of a list.
pub fn starts_item(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let marks: &[char] = if rest.len() < text.len() { &['.', ')'] } else { &['-', '*', '+'] };
    rest.strip_prefix(marks).is_some_and(|rest| rest.starts_with([' ', '\t']))
}

/// A line in which what stands outside of code spans is changed.
pub fn outside_code(line: &str, mut change: impl FnMut(&str) -> String) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('`') {
        let width = rest.slice(at..).bytes().take_while(|byte| *byte == b'`').count();
        let marks = rest.slice(at..at + width);
        let after = rest.slice(at + width..);
        let Some(close) = find_code_end(after, marks) else { break };
        out.push_str(&change(rest.slice(..at)));
        let end = at + width + close + width;
        out.push_str(rest.slice(at..end));
        rest = rest.slice(end..);
    }
    out.push_str(&change(rest));
    out
}

/// Where the marks stand that end code.
fn find_code_end(text: &str, marks: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = text.slice(from..).find('`').map(|at| at + from) {
        let width = text.slice(at..).bytes().take_while(|byte| *byte == b'`').count();
        if width == marks.len() {
            return Some(at);
        }
        from = at + width;
    }
    None
}
