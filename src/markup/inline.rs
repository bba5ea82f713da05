//! The inside of a line: code spans, links, math, tags and expressions in sentences.

use std::borrow::Cow;

use base::bytes::find_byte;
use base::cjk::{self, DelimiterSide};
use base::cut::SliceText as _;

use super::expr::PageExpr;
use super::partners::{Backticks, run_length};
use super::row::RowOffsets;
use super::scan::{MarkdownScanner, PlaceholderSlot, SLOT, heading_id, scan_expression};
use super::script::expression_end;
use super::tag::parse_tag;
use super::tree::PropValue;
use super::variables::{self, variable_reference};

/// Parentheses in parentheses of a link's destination; what has more is no link, to pulldown-cmark neither.
const PARENTHESES: usize = 32;

/// Longest code in a sentence that is looked for behind a dollar, bytes.
const MAX_CODE_BYTES: usize = 4 << 10;

impl MarkdownScanner<'_> {
    /// Copies the line from `at` with its inline constructs replaced by slots; a construct may reach into later lines,
    /// which then belong to this one. Returns where the next line starts.
    pub(super) fn inline(&mut self, mut at: usize, in_heading: bool) -> usize {
        let mut copied = at;
        loop {
            let Some(length) = find_byte(&self.bytes[at..], *b"\n\\`<{$]*") else {
                self.copy(copied, self.bytes.len());
                return self.bytes.len();
            };
            at += length;
            match self.bytes[at] {
                b'\n' => {
                    self.copy(copied, at);
                    return at + 1;
                }
                b'\\' => match in_heading.then(|| heading_id(self.source.slice(at..))).flatten() {
                    Some((id, length)) => {
                        self.copy(copied, at);
                        at = self.inline_slot(PlaceholderSlot::HeadingId(id), at, at + length);
                        copied = at;
                    }
                    None => at += 2.min(self.bytes.len() - at),
                },
                b']' => at = self.link_end(at + 1).unwrap_or(at + 1),
                b'`' => at = self.code_span(&mut copied, at, in_heading),
                b'*' => at = self.stars(&mut copied, at),
                special => {
                    self.copy(copied, at);
                    at = match special {
                        b'<' => self.inline_tag(at),
                        b'{' => self.inline_expression(at, in_heading),
                        _ => self.inline_math(at, in_heading),
                    };
                    copied = at;
                }
            }
            // an escape may end in the middle of a character
            while !self.source.is_char_boundary(at) {
                at += 1;
            }
        }
    }

    fn copy(&mut self, from: usize, to: usize) {
        let text = self.source.slice(from.min(to)..to);
        self.out.text.push_str(text.strip_suffix('\r').unwrap_or(text));
    }

    /// A run of `*`: beside Chinese, Japanese and Korean text the parser needs help.
    fn stars(&mut self, copied: &mut usize, at: usize) -> usize {
        let end = at + self.bytes[at..].iter().take_while(|byte| **byte == b'*').count();
        // nothing to do between ASCII characters
        let around = [at.checked_sub(1), Some(end)]
            .map(|place| place.and_then(|place| self.bytes.get(place)).is_none_or(u8::is_ascii));
        if around == [true, true] {
            return end;
        }
        let (before, after) = (self.source.slice(..at).chars().next_back(), self.source.slice(end..).chars().next());
        let Some(side) = before.zip(after).and_then(|(before, after)| cjk::side(before, after)) else { return end };
        let here = if side == DelimiterSide::Before { at } else { end };
        self.copy(*copied, here);
        *copied = here;
        self.out.text.push(cjk::MARK);
        self.out.has_marks = true;
        // columns go on from here: the mark is not in the source
        let place = self.place(here);
        self.out.lines.push((self.out.text.len(), place));
        end
    }

    fn inline_slot(&mut self, slot: PlaceholderSlot, start: usize, end: usize) -> usize {
        // alone on its line, a tag would begin a block of HTML that takes the lines behind it along
        let is_first = self.out.lines.last().is_some_and(|(content, _)| *content == self.out.text.len());
        if is_first && self.source.slice(end..self.next_line(end)).trim().is_empty() {
            self.out.text.push(cjk::MARK);
            self.out.has_marks = true;
        }
        let number = self.slot(slot, start, end);
        self.out.text.push_str("<o a=");
        self.out.text.push(SLOT);
        self.out.text.push_str(&number.to_string());
        self.out.text.push('>');
        // columns go on from here: the placeholder is not as long as what it stands for
        let place = self.place(end);
        self.out.lines.push((self.out.text.len(), place));
        end
    }

    /// A code span is copied as it is; one that reaches over line breaks is joined with spaces, as Markdown shows it.
    fn code_span(&mut self, copied: &mut usize, at: usize, in_heading: bool) -> usize {
        let length = run_length(&self.bytes[at..]);
        let from = at + length;
        if self.backticks.rules_out(length, at) {
            return from;
        }
        // the parts of the span on the lines before the last
        let mut lines: Vec<&str> = Vec::new();
        let (mut line, mut pos) = (at, from);
        let end = loop {
            let Some(found) = memchr::memchr2(b'`', b'\n', &self.bytes[pos..]) else { break self.bytes.len() };
            pos += found;
            if self.bytes[pos] == b'\n' {
                let Some(next) = self.continuation(pos).filter(|_| !in_heading) else { break pos };
                lines.push(self.source.slice(line..pos));
                (line, pos) = (next, next);
                continue;
            }
            let run = run_length(&self.bytes[pos..]);
            if run == length {
                let end = pos + run;
                if !lines.is_empty() {
                    self.copy(*copied, at);
                    lines.push(self.source.slice(line..end));
                    let joined = lines.into_iter().map(str::trim).collect::<Vec<_>>().join(" ");
                    self.out.text.push_str(&joined);
                    *copied = end;
                }
                return end;
            }
            pos += run;
        };
        self.backticks = Backticks::between(self.bytes, from, end);
        from
    }

    /// The end of `(destination "title")` behind a `]`.
    fn link_end(&self, at: usize) -> Option<usize> {
        if self.bytes.get(at) != Some(&b'(') {
            return None;
        }
        let mut depth = 0usize;
        let mut quote = None;
        let mut pos = at;
        loop {
            match (*self.bytes.get(pos)?, quote) {
                (b'\n', _) => return None,
                (b'\\', _) if self.bytes.get(pos + 1) != Some(&b'\n') => pos += 1,
                (byte, Some(open)) if byte == open => quote = None,
                (_, Some(_)) => {}
                (byte @ (b'"' | b'\''), None) if self.bytes[pos - 1] == b' ' => quote = Some(byte),
                // a destination in angle brackets may hold anything else
                (b'<', None) if pos == at + 1 => {
                    let length = memchr::memchr3(b'>', b'<', b'\n', &self.bytes[pos + 1..])?;
                    pos += 1 + length;
                    if self.bytes[pos] != b'>' {
                        return None;
                    }
                }
                (b'(', None) if depth == PARENTHESES => return None,
                (b'(', None) => depth += 1,
                (b')', None) => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(pos + 1);
                    }
                }
                _ => {}
            }
            pos += 1;
        }
    }

    fn inline_tag(&mut self, at: usize) -> usize {
        if let Some(end) = self.comment_end(at) {
            return end;
        }
        if let Some(tag) = parse_tag(self.source, at) {
            let (mut end, inside) = (tag.end, self.verbatim(&tag, at));
            self.inline_slot(PlaceholderSlot::Tag(tag), at, end);
            if let Some((pieces, closing)) = inside {
                for (slot, from, to) in pieces {
                    self.inline_slot(slot, from, to);
                }
                end = closing;
            }
            return end;
        }
        let rest = self.source.slice(at..);
        if let Some(length) = rest
            .slice(1..)
            .find(['>', '<', ' ', '\n'])
            .filter(|length| rest.slice(1 + length..).starts_with('>') && is_autolink(rest.slice(1..1 + length)))
        {
            let end = length + 2;
            self.out.text.push_str(rest.slice(..end));
            return at + end;
        }
        if rest.starts_with("<!--") {
            self.problem(
                "mdx-comment",
                "this comment is not closed".to_owned(),
                "close it with `-->`, or write `{/* … */}`",
                at,
            );
        } else if rest.slice(1..).starts_with(|c: char| c.is_alphabetic() || c == '/') {
            self.problem(
                "mdx-tag",
                format!("`{}` is not a complete tag", shorten(rest)),
                "close the tag, or write `&lt;` or `\\<` for a plain <",
                at,
            );
        }
        self.out.text.push_str("&lt;");
        at + 1
    }

    fn inline_expression(&mut self, at: usize, in_heading: bool) -> usize {
        if in_heading && let Some((id, length)) = heading_id(self.source.slice(at..)) {
            return self.inline_slot(PlaceholderSlot::HeadingId(id), at, at + length);
        }
        if let Some((name, length)) = variable_reference(self.source.slice(at..)) {
            let place = self.place(at);
            self.out.problems.push(variables::unknown(name, place));
            return self.inline_slot(PlaceholderSlot::Expr(PageExpr::Literal(PropValue::Undefined)), at, at + length);
        }
        let end = expression_end(self.source, at).filter(|end| !self.source.slice(at..*end).contains("\n\n"));
        if let Some(end) = end {
            return match scan_expression(self.source.slice(at + 1..end - 1)) {
                Some(expr) => self.inline_slot(PlaceholderSlot::Expr(expr), at, end),
                None => end,
            };
        }
        self.problem(
            "mdx-expression",
            "this `{` is not closed".to_owned(),
            "close it with `}`, or write `\\{` for a plain brace",
            at,
        );
        self.out.text.push_str("&#123;");
        at + 1
    }

    /// `$x$` and `$$x$$`: the opening is followed by something, the closing preceded by something and not followed by a
    /// digit, so that `$5 and $10` stays text.
    fn inline_math(&mut self, at: usize, in_heading: bool) -> usize {
        let length = self.bytes[at..].iter().take_while(|byte| **byte == b'$').count();
        let from = at + length;
        let limit = match self.cell_end(at) {
            Some(end) => end,
            None if in_heading => self.next_line(at),
            None => self.paragraph_end(at),
        };
        let end = (length <= 2 && self.bytes.get(from).is_some_and(|byte| length == 2 || !byte.is_ascii_whitespace()))
            .then(|| self.math_end(from, length, limit))
            .flatten();
        match end {
            Some(end) => {
                let tex = self.unprefixed(from, end).trim().to_owned();
                self.inline_slot(PlaceholderSlot::Math { display: length == 2, tex }, at, end + length)
            }
            None => {
                self.out.text.push_str(self.source.slice(at..from));
                from
            }
        }
    }

    /// Where the paragraph ends that a place lies in; found once for all places in it.
    fn paragraph_end(&mut self, at: usize) -> usize {
        if at >= self.paragraph_end {
            let mut end = at;
            self.paragraph_end = loop {
                let Some(newline) = memchr::memchr(b'\n', &self.bytes[end..]) else { break self.bytes.len() };
                match self.continuation(end + newline) {
                    Some(next) => end = next,
                    None => break end + newline,
                }
            };
        }
        self.paragraph_end
    }

    /// A part of a paragraph without the marks of the quotes and items that it stands in.
    fn unprefixed(&self, from: usize, end: usize) -> Cow<'_, str> {
        let mut lines = Vec::new();
        let mut line = from;
        while let Some(newline) = memchr::memchr(b'\n', &self.bytes[line..end]) {
            lines.push(self.source.slice(line..line + newline));
            line = self.continuation(line + newline).unwrap_or(line + newline + 1).min(end);
        }
        lines.push(self.source.slice(line..end));
        if let [only] = lines.as_slice() { Cow::Borrowed(*only) } else { Cow::Owned(lines.join("\n")) }
    }

    /// Where the cell of a table ends that a place lies in: tables are cut into cells before anything in them is read.
    /// Found once for all places in a line, and in a cell.
    fn cell_end(&mut self, at: usize) -> Option<usize> {
        if !self.row.line.contains(&at) {
            let start = memchr::memrchr(b'\n', &self.bytes[..at]).map_or(0, |newline| newline + 1);
            let end = memchr::memchr(b'\n', &self.bytes[at..]).map_or(self.bytes.len(), |newline| at + newline);
            let line = self.source.slice(start..end);
            let first = line.trim_start();
            let bar = first.starts_with('|').then(|| end - first.len());
            self.row = RowOffsets { line: start..end + 1, bar, cell: 0..0 };
        }
        self.row.bar.filter(|bar| *bar < at)?;
        if !self.row.cell.contains(&at) {
            let mut end = at;
            self.row.cell = loop {
                let Some(found) = memchr::memchr3(b'|', b'\\', b'\n', &self.bytes[end..]) else {
                    break at..self.bytes.len();
                };
                end += found;
                if self.bytes[end] != b'\\' {
                    break at..end;
                }
                end = (end + 2).min(self.bytes.len());
            };
        }
        Some(self.row.cell.end)
    }

    /// Whether a run of so many backticks follows.
    fn holds_ticks(&self, length: usize, mut at: usize, limit: usize) -> bool {
        while let Some(found) = memchr::memchr(b'`', &self.bytes[at..limit]) {
            let run = run_length(&self.bytes[at + found..limit]);
            if run == length {
                return true;
            }
            at += found + run;
        }
        false
    }

    /// Where math ends that starts at `from`: single dollars stand tight, so that prices are text, and a backslash makes a
    /// dollar one of the formula. What starts with a command is math in any case: where it does not end so, it ends at the
    /// next dollar, as the vendor's own reader has it.
    fn math_end(&self, from: usize, length: usize, limit: usize) -> Option<usize> {
        let is_command = length == 1 && self.bytes.get(from) == Some(&b'\\');
        let bare = || if is_command { self.math_end_by(from, length, limit, true) } else { None };
        self.math_end_by(from, length, limit, false).or_else(bare)
    }

    /// The same by one of these rules: `is_bare` if the next dollar ends it, with a backslash before it or not.
    fn math_end_by(&self, from: usize, length: usize, limit: usize, is_bare: bool) -> Option<usize> {
        let is_tex = length == 2 || is_bare;
        let mut pos = from;
        while let Some(found) = memchr::memchr3(b'$', b'\\', b'`', &self.bytes[pos..limit]) {
            pos += found;
            if self.bytes[pos] == b'`' {
                let ticks = run_length(&self.bytes[pos..limit]);
                pos += ticks;
                // code binds tighter
                if !is_tex && self.holds_ticks(ticks, pos, limit.min(pos + MAX_CODE_BYTES)) {
                    return None;
                }
                continue;
            }
            if self.bytes[pos] == b'\\' {
                pos = (pos + if is_bare { 1 } else { 2 }).min(limit);
                continue;
            }
            let run = self.bytes[pos..limit].iter().take_while(|byte| **byte == b'$').count();
            let tight = is_tex
                || (!self.bytes[pos - 1].is_ascii_whitespace()
                    && !self.bytes.get(pos + 1).is_some_and(u8::is_ascii_digit));
            if run == length && tight && pos > from + usize::from(is_bare) {
                return Some(pos);
            }
            if length == 1 && run == 1 {
                return None;
            }
            pos += run;
        }
        None
    }
}

fn is_autolink(inside: &str) -> bool {
    let scheme = inside.find(':').is_some_and(|colon| {
        colon >= 2 && inside.slice(..colon).bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+.-".contains(&byte))
    });
    scheme || inside.find('@').is_some_and(|at| at > 0 && inside.slice(at..).contains('.'))
}

fn shorten(text: &str) -> String {
    text.chars().take_while(|c| !matches!(c, '\r' | '\n')).take(24).collect()
}
