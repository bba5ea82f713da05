//! Elements whose content is no Markdown: `Prompt` and `CodeBlock` keep their source, `<pre>` its lines and spaces.

use std::borrow::Cow;

use crate::component::{RawContent, find_component};
use base::cut::SliceText as _;
use base::html::decode_character_references;

use super::scan::{MarkdownScanner, PlaceholderSlot, SlotPiece, scan_expression};
use super::script::expression_end;
use super::tag::{MarkupTag, TagKind, parse_tag};

impl MarkdownScanner<'_> {
    /// What stands in the element that `tag` opens at `at`, and where its closing tag starts; `None` if that is
    /// Markdown like everything else.
    pub(super) fn verbatim(&self, tag: &MarkupTag, at: usize) -> Option<(Vec<SlotPiece>, usize)> {
        if tag.kind != TagKind::Open {
            return None;
        }
        if tag.name == "style" {
            // a sheet in a string is an expression
            let end = self.closings.next(self.bytes, "style", tag.end)?;
            let sheet = self.source.slice(tag.end..end);
            let is_written = !sheet.trim_start().starts_with('{') && !self.is_quoted();
            return is_written.then(|| (vec![(PlaceholderSlot::Text(sheet.to_owned()), tag.end, end)], end));
        }
        let (name, raw_content) = match tag.name.as_str() {
            "pre" => ("pre", RawContent::None),
            name => find_component(name)
                .filter(|known| known.raw_content != RawContent::None)
                .map(|known| (known.name, known.raw_content))?,
        };
        let end = self.closings.next(self.bytes, name, tag.end)?;
        let body = self.source.slice(tag.end..end);
        // one that is not closed must not take the next one along
        if body.match_indices(name).any(|(at, _)| body.slice(..at).ends_with('<')) {
            return None;
        }
        let has_fence = || body.contains("```") || body.contains("~~~");
        match raw_content {
            RawContent::Always => Some((Vec::new(), end)),
            RawContent::UnlessFenced => {
                (!body.trim_start().starts_with('{') && !has_fence()).then(|| (Vec::new(), end))
            }
            RawContent::None => (body.contains('\n') && !self.is_quoted() && !has_markdown(body))
                .then(|| (self.preformatted(at, tag.end, end), end)),
        }
    }

    /// The content of `<pre>`: text as it stands, tags and expressions.
    fn preformatted(&self, tag: usize, from: usize, end: usize) -> Vec<SlotPiece> {
        let indent = self.indent_of(tag).min(shared_indent(self.source.slice(from..end)));
        let mut pieces: Vec<SlotPiece> = Vec::new();
        let (mut at, mut copied, mut text) = (from, from, String::new());
        while let Some(found) = memchr::memchr3(b'<', b'{', b'\\', &self.bytes[at..end]) {
            at += found;
            let (piece, next) = match self.bytes[at] {
                b'\\' => (None, at + 1),
                b'<' => match self.comment_end(at) {
                    Some(next) => (None, next),
                    None => match parse_tag(self.source, at) {
                        Some(tag) => {
                            let next = tag.end;
                            (Some(PlaceholderSlot::Tag(tag)), next)
                        }
                        None => (None, at),
                    },
                },
                _ => match expression_end(self.source, at) {
                    Some(next) => {
                        (scan_expression(self.source.slice(at + 1..next - 1)).map(PlaceholderSlot::Expr), next)
                    }
                    None => (None, at),
                },
            };
            let is_escape = self.bytes[at] == b'\\';
            // a closing tag ends the element, whatever stands before it
            if next == at
                || next > end
                || (is_escape && (next == end || !matches!(self.bytes[next], b'{' | b'}' | b'<' | b'>')))
            {
                at += 1;
                continue;
            }
            text.push_str(&undent(self.source.slice(copied..at), indent));
            if let Some(slot) = piece {
                pieces.push((
                    PlaceholderSlot::Text(decode_character_references(&std::mem::take(&mut text)).into_owned()),
                    copied,
                    at,
                ));
                pieces.push((slot, at, next));
            }
            copied = next;
            at = if is_escape { next + 1 } else { next };
        }
        text.push_str(&undent(self.source.slice(copied..end), indent));
        pieces.push((PlaceholderSlot::Text(decode_character_references(&text).into_owned()), copied, end));
        trim_line_breaks(&mut pieces);
        pieces
    }

    /// The source of an expression on lines of its own, whose template strings are indented as far as the expression
    /// is.
    pub(super) fn without_indent<'s>(&self, at: usize, inside: &'s str) -> Cow<'s, str> {
        if !inside.contains('`') || !inside.contains('\n') {
            return Cow::Borrowed(inside);
        }
        match self.indent_of(at).min(shared_indent(inside)) {
            0 => Cow::Borrowed(inside),
            indent => Cow::Owned(undent(inside, indent)),
        }
    }

    /// How far the line is indented that `at` stands in, or the list item around it.
    fn indent_of(&self, at: usize) -> usize {
        let line = memchr::memrchr(b'\n', &self.bytes[..at]).map_or(0, |newline| newline + 1);
        let spaces = self.bytes[line..at].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        spaces.max(self.item_column())
    }
}

/// Whether a body says something in Markdown, or has components in it that do.
fn has_markdown(body: &str) -> bool {
    let has_code = || body.contains('`') && body.replace("{`", "").replace("`}", "").contains('`');
    ["~~~", "**", "]("].iter().any(|mark| body.contains(mark))
        || has_code()
        || body.match_indices('<').any(|(at, _)| body.slice(at + 1..).starts_with(|c: char| c.is_ascii_uppercase()))
}

/// The indentation that all lines but the first share.
fn shared_indent(text: &str) -> usize {
    let lines = text.split('\n').skip(1).filter(|line| !line.trim().is_empty());
    lines.map(|line| line.len() - line.trim_start_matches([' ', '\t']).len()).min().unwrap_or(0)
}

/// Takes so much space from all lines but the first.
fn undent(text: &str, indent: usize) -> String {
    let mut out = String::with_capacity(text.len());
    for (number, line) in text.split('\n').enumerate() {
        let space = if number == 0 { 0 } else { line.len() - line.trim_start_matches([' ', '\t']).len() };
        out.push_str(if number > 0 { "\n" } else { "" });
        out.push_str(line.slice(space.min(indent)..));
    }
    out
}

/// The line breaks next to the tags are none of the text.
fn trim_line_breaks(pieces: &mut [SlotPiece]) {
    let is_blank = |piece: &&mut SlotPiece| {
        matches!(piece.0, PlaceholderSlot::Tag(_)) || matches!(&piece.0, PlaceholderSlot::Text(text) if text.is_empty())
    };
    if let Some((PlaceholderSlot::Text(text), ..)) = pieces.iter_mut().find(|piece| !is_blank(piece))
        && text.starts_with('\n')
    {
        text.remove(0);
    }
    if let Some((PlaceholderSlot::Text(text), ..)) = pieces.iter_mut().rfind(|piece| !is_blank(piece)) {
        text.truncate(text.trim_end().len());
    }
}

/// Source text without the indentation that its lines share and without blank lines around it.
pub(super) fn dedent(text: &str) -> String {
    let lines: Vec<&str> = text.trim_end().split('\n').collect();
    let lines = match lines.first() {
        Some(first) if first.trim().is_empty() => &lines[1..],
        _ => &lines[..],
    };
    let shared = lines
        .iter()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start_matches([' ', '\t']).len())
        .min();
    lines
        .iter()
        .map(|line| line.get(shared.unwrap_or(0)..).unwrap_or("").trim_end_matches('\r'))
        .collect::<Vec<_>>()
        .join("\n")
}
