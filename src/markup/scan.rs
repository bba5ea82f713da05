//! MDX in front of pulldown-cmark, which knows nothing of it. One pass over the lines follows containers (quotes, list
//! items, footnotes) and rewrites the text into plain Markdown that means the same:
//!
//! 1. module statements leave the text;
//! 2. fences, display math, tags and expressions become slots: `<!--§7-->` on a line of its own where they are blocks,
//!    `<o a=§7>` inside sentences; both are HTML to pulldown-cmark, which keeps them in place. `§` is [`SLOT`], which
//!    no source holds;
//! 3. indentation is reduced to what containers need, so that nothing turns into indented code;
//! 4. comments go, and a `<` or `{` that starts nothing becomes text.
//!
//! Invariant: the output never holds raw JSX, and every slot is referred to exactly once.

use std::cell::Cell;

use crate::component::{RawContent, find_component};
use base::cut::SliceText as _;
use base::limits::NESTING;
use base::{FileId, Place, Problem};

use super::esm::{self, ModuleDeclarations};
use super::expr::{self, PageExpr};
use super::partners::{Backticks, Closings};
use super::row::{RowOffsets, cells, is_rules_with_tabs};
use super::script::skip_space;
use super::slug::custom_id;
use super::tag::{MarkupTag, TagKind, parse_tag};
use super::tree::CodeFence;
use super::variables::variable_reference;

/// Stands in each placeholder before its number: a noncharacter, which [`base::printable`] keeps out of all
/// source text.
pub(crate) const SLOT: char = '\u{FDD1}';

/// What a placeholder stands for.
#[derive(Debug)]
pub(super) enum PlaceholderSlot {
    /// A tag of any kind.
    Tag(MarkupTag),
    /// `{expression}`.
    Expr(PageExpr),
    /// `{#id}` of a heading.
    HeadingId(String),
    /// Math.
    Math { display: bool, tex: String },
    /// A code fence.
    Fence(CodeFence),
    /// Text that is no Markdown.
    Text(String),
}

/// A slot and the range of the source it was read from.
pub(super) type SlotPiece = (PlaceholderSlot, usize, usize);

/// A slot with its place and the bytes it was read from.
#[derive(Debug)]
pub(super) struct Slotted {
    pub(super) slot: Option<PlaceholderSlot>,
    pub(super) place: Place,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The rewritten text and what it refers to.
#[derive(Debug, Default)]
pub(super) struct ScannedText {
    pub(super) text: String,
    /// `text` holds marks of `cjk`.
    pub(super) has_marks: bool,
    pub(super) slots: Vec<Slotted>,
    /// (offset in `text`, place in the source) of each line's content.
    pub(super) lines: Vec<(usize, Place)>,
    pub(super) module: ModuleDeclarations,
    pub(super) problems: Vec<Problem>,
}

enum ScanContainer {
    Quote,
    /// Content starts at `column` in the source and `width` columns further in than its parent in the output.
    Item {
        column: usize,
        width: usize,
    },
}

pub(super) struct MarkdownScanner<'a> {
    pub(super) source: &'a str,
    pub(super) bytes: &'a [u8],
    pub(super) out: ScannedText,
    file: FileId,
    containers: Vec<ScanContainer>,
    /// The previous line was text of a paragraph inside so many containers.
    paragraph: Option<usize>,
    /// The lines of that paragraph are rows of a table.
    is_table: bool,
    /// The line before was nothing but a comment inside a paragraph.
    is_commented: bool,
    /// A known (offset, line, column), before which lookups are rare.
    known: (usize, u32, u32),
    pub(super) backticks: Backticks,
    /// The offset from which on no comment ends, so that none is looked for again.
    uncommented: Cell<usize>,
    pub(super) closings: Closings,
    /// The end of the paragraph of the last lookup.
    pub(super) paragraph_end: usize,
    /// The line that was last looked at for cells.
    pub(super) row: RowOffsets,
}

/// Rewrites `source`, whose first line is line `first_line` of `file`.
pub(super) fn scan_mdx(source: &str, file: FileId, first_line: u32) -> ScannedText {
    let mut scanner = MarkdownScanner {
        source,
        bytes: source.as_bytes(),
        out: ScannedText { text: String::with_capacity(source.len() + source.len() / 16), ..ScannedText::default() },
        file,
        containers: Vec::new(),
        paragraph: None,
        is_table: false,
        is_commented: false,
        known: (0, first_line, 1),
        backticks: Backticks::default(),
        uncommented: Cell::new(usize::MAX),
        closings: Closings::default(),
        paragraph_end: 0,
        row: RowOffsets::default(),
    };
    let mut at = 0;
    while at < source.len() {
        at = scanner.line(at);
    }
    scanner.out
}

/// A position in a line: byte offset and column (tabs to multiples of four).
#[derive(Clone, Copy)]
struct LineCursor {
    at: usize,
    column: usize,
}

impl<'a> MarkdownScanner<'a> {
    /// Reads the line (or the block of lines) at `start`; returns where the next one starts.
    fn line(&mut self, start: usize) -> usize {
        let (matched, cursor) = self.match_containers(start);
        let content = self.skip_indent(cursor);
        if self.at_line_end(content.at) {
            return self.blank_line(matched, content.at);
        }
        let closes = matched < self.containers.len();
        let continues = self.paragraph == Some(self.containers.len());
        if closes && continues && !self.starts_block(content, matched) {
            let prefix = self.prefix(matched);
            return self.text_line(prefix, content.at); // lazy: the paragraph goes on with less indentation
        }
        let continues = continues && !closes;
        if closes {
            self.containers.truncate(matched);
            self.paragraph = None;
        }
        let prefix = self.prefix(matched);
        self.open_containers(prefix, content, start, continues)
    }

    /// Quote and list markers in front of a line's content, then the content.
    fn open_containers(
        &mut self,
        mut prefix: String,
        mut content: LineCursor,
        start: usize,
        mut continues: bool,
    ) -> usize {
        while self.containers.len() < NESTING {
            if self.bytes[content.at] == b'>' {
                let mut next = LineCursor { at: content.at + 1, column: content.column + 1 };
                if self.bytes.get(next.at) == Some(&b' ') {
                    next = LineCursor { at: next.at + 1, column: next.column + 1 };
                }
                self.containers.push(ScanContainer::Quote);
                prefix.push_str("> ");
                content = self.skip_indent(next);
            } else if let Some((marker, after)) = self.list_marker(content, continues) {
                let text = self.skip_indent(after);
                let empty = self.at_line_end(text.at);
                let column = if empty { after.column + 1 } else { text.column };
                prefix.push_str(self.source.slice(marker.0..marker.1));
                prefix.push(' ');
                self.containers.push(ScanContainer::Item { column, width: marker.1 - marker.0 + 1 });
                content = text;
            } else if let Some(end) = self.footnote_marker(content.at).filter(|_| !continues) {
                prefix.push_str(self.source.slice(content.at..end));
                prefix.push(' ');
                self.containers.push(ScanContainer::Item { column: content.column + 4, width: 4 });
                content = self.skip_indent(LineCursor { at: end, column: content.column + end - content.at });
            } else {
                break;
            }
            self.paragraph = None;
            continues = false;
            if self.at_line_end(content.at) {
                self.begin_line(prefix.trim_end(), content.at);
                self.out.text.push('\n');
                return self.next_line(content.at);
            }
        }
        self.leaf(prefix, content, start)
    }

    /// What stands behind the containers' markers.
    fn leaf(&mut self, prefix: String, content: LineCursor, start: usize) -> usize {
        let at = content.at;
        let rest = self.source.slice(at..);
        match self.bytes[at] {
            b'`' | b'~' => {
                if let Some(next) = self.fence(&prefix, content) {
                    return next;
                }
            }
            b'<' | b'{' => {
                if let Some(next) = self.flow(&prefix, at) {
                    return next;
                }
            }
            b'$' if rest.starts_with("$$") => {
                if let Some(next) = self.display_math(&prefix, at) {
                    return next;
                }
            }
            b'i' | b'e'
                if at == start
                    && self.containers.is_empty()
                    && self.paragraph.is_none()
                    && esm::starts_statement(rest) =>
            {
                let known = self.out.module.imports.len();
                if let Some(next) = esm::parse_block(self.source, at, &mut self.out.module) {
                    for index in known..self.out.module.imports.len() {
                        let place = self.place(self.out.module.imports[index].at);
                        self.out.module.imports[index].place = place;
                    }
                    for at in std::mem::take(&mut self.out.module.unclosed) {
                        self.problem(
                            "script-unclosed",
                            "the brackets or quotes of this statement are not closed".to_owned(),
                            "close them; the statement is left out, up to the next blank line",
                            at,
                        );
                    }
                    return next;
                }
            }
            b'#' if heading_level(rest).is_some() => {
                self.paragraph = None;
                self.begin_line(&prefix, at);
                let next = self.inline(at, true);
                self.out.text.push('\n');
                return next;
            }
            b'-' | b'=' | b'*' | b'_' if is_break_or_underline(self.line_text(at)) => {
                self.paragraph = None;
                self.begin_line(&prefix, at);
                let line = self.line_text(at).trim_end();
                self.out.text.push_str(line);
                self.out.text.push('\n');
                return self.next_line(at);
            }
            b'[' if (self.paragraph.is_none() || self.is_commented) && is_definition(self.line_text(at)) => {
                if self.paragraph.take().is_some() {
                    // the comment ended the paragraph
                    self.out.text.push_str(prefix.trim_end());
                    self.out.text.push('\n');
                }
                self.begin_line(&prefix, at);
                let line = self.line_text(at).trim_end();
                self.out.text.push_str(line);
                self.out.text.push('\n');
                return self.next_line(at);
            }
            _ => {}
        }
        self.row_line(prefix, at)
    }

    /// A line of a paragraph or table. A table may follow the text of a paragraph without a blank line, and a row may
    /// have no cells; pulldown-cmark sees the former only where a `|` leads, and ends the table at the latter.
    fn row_line(&mut self, mut prefix: String, at: usize) -> usize {
        let continues = self.paragraph.is_some();
        self.is_table &= continues;
        let line = self.line_text(at).trim_end();
        if self.is_table && line == "|" {
            self.begin_line(&prefix, at);
            self.out.text.push_str("||\n");
            return self.next_line(at);
        }
        if self.is_table && is_rules_with_tabs(line) {
            self.begin_line(&prefix, at);
            self.out.text.push_str(&line.replace('\t', " "));
            self.out.text.push('\n');
            self.paragraph = Some(self.containers.len());
            return self.next_line(at);
        }
        if !self.is_table && self.begins_table(line, at) {
            self.is_table = true;
            if continues && !line.starts_with('|') {
                prefix.push_str("| ");
            }
        }
        self.text_line(prefix, at)
    }

    /// Whether a line is the header of a table: the next one has a rule for each of its cells.
    fn begins_table(&self, line: &str, at: usize) -> bool {
        // what stands in braces is no text, and may hold bars
        if memchr::memchr(b'|', line.as_bytes()).is_none() || line.contains('{') {
            return false;
        }
        let next = self.next_line(at);
        let (matched, cursor) = self.match_containers(next);
        let rules = self.line_text(self.skip_indent(cursor).at).trim_end();
        let is_rules = |rule: &str| {
            let rule = rule.trim();
            let marks = rule.strip_prefix(':').unwrap_or(rule);
            let marks = marks.strip_suffix(':').unwrap_or(marks);
            !marks.is_empty() && marks.bytes().all(|byte| byte == b'-')
        };
        matched == self.containers.len()
            && rules.contains('|')
            && cells(rules).all(|(_, rule)| is_rules(rule))
            && cells(rules).count() == cells(line).count()
    }

    /// A line of a paragraph or table, as it is.
    fn text_line(&mut self, prefix: String, at: usize) -> usize {
        self.begin_line(&prefix, at);
        let next = self.inline(at, false);
        self.out.text.push('\n');
        self.paragraph = Some(self.containers.len());
        next
    }

    fn blank_line(&mut self, matched: usize, at: usize) -> usize {
        let open = self.containers[matched..].iter().position(|container| matches!(container, ScanContainer::Quote));
        if let Some(quote) = open {
            self.containers.truncate(matched + quote);
        }
        self.paragraph = None;
        let prefix = self.prefix(self.containers.len());
        self.out.text.push_str(prefix.trim_end());
        self.out.text.push('\n');
        self.next_line(at)
    }

    /// Whether a line that no container claims starts a block and so ends the paragraph before it.
    fn starts_block(&self, content: LineCursor, matched: usize) -> bool {
        let line = self.line_text(content.at);
        match self.bytes[content.at] {
            b'>' => true,
            b'`' | b'~' => line.starts_with("```") || line.starts_with("~~~"),
            b'#' => heading_level(line).is_some(),
            b'<' | b'{' => self.flow_pieces(content.at).is_some(),
            b'$' => line.starts_with("$$"),
            _ => is_break_or_underline(line) || self.list_marker(content, matched >= self.containers.len()).is_some(),
        }
    }

    /// Where a paragraph goes on behind a line break; `None` if a block begins there, or a row of a table.
    pub(super) fn continuation(&self, newline: usize) -> Option<usize> {
        let (matched, cursor) = self.match_containers(newline + 1);
        let content = self.skip_indent(cursor);
        let goes_on = match self.bytes.get(content.at) {
            None | Some(b'|') => false,
            // the end of math that began in the line before
            Some(b'$') => matched == self.containers.len(),
            Some(_) => !self.at_line_end(content.at) && !self.starts_block(content, matched),
        };
        goes_on.then_some(content.at)
    }

    // -- containers

    /// How many containers the line at `start` continues, and where its content starts.
    fn match_containers(&self, start: usize) -> (usize, LineCursor) {
        let mut cursor = LineCursor { at: start, column: 0 };
        for (depth, container) in self.containers.iter().enumerate() {
            let indented = self.skip_indent(cursor);
            match container {
                ScanContainer::Quote => {
                    if self.bytes.get(indented.at) != Some(&b'>') {
                        return (depth, cursor);
                    }
                    cursor = LineCursor { at: indented.at + 1, column: indented.column + 1 };
                    if self.bytes.get(cursor.at) == Some(&b' ') {
                        cursor = LineCursor { at: cursor.at + 1, column: cursor.column + 1 };
                    }
                }
                ScanContainer::Item { column, .. } => {
                    if indented.column < *column && !self.at_line_end(indented.at) {
                        return (depth, cursor);
                    }
                    cursor = self.skip_to_column(cursor, *column);
                }
            }
        }
        (self.containers.len(), cursor)
    }

    fn skip_indent(&self, cursor: LineCursor) -> LineCursor {
        self.skip_to_column(cursor, usize::MAX)
    }

    fn skip_to_column(&self, mut cursor: LineCursor, column: usize) -> LineCursor {
        while cursor.column < column {
            match self.bytes.get(cursor.at) {
                Some(b' ') => cursor.column += 1,
                Some(b'\t') => cursor.column = cursor.column / 4 * 4 + 4,
                _ => break,
            }
            cursor.at += 1;
        }
        cursor
    }

    /// The output's prefix for content inside the first `depth` containers.
    fn prefix(&self, depth: usize) -> String {
        let mut prefix = String::new();
        for container in &self.containers[..depth] {
            match container {
                ScanContainer::Quote => prefix.push_str("> "),
                ScanContainer::Item { width, .. } => prefix.extend(std::iter::repeat_n(' ', *width)),
            }
        }
        prefix
    }

    /// The marker's range and the cursor behind it, if a list item starts here.
    fn list_marker(&self, content: LineCursor, continues: bool) -> Option<((usize, usize), LineCursor)> {
        let at = content.at;
        let digits = self.bytes[at..].iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
        let length = match self.bytes.get(at + digits)? {
            b'-' | b'*' | b'+' if digits == 0 => 1,
            b'.' | b')' if (1..10).contains(&digits) => digits + 1,
            _ => return None,
        };
        let end = at + length;
        if !matches!(self.bytes.get(end), None | Some(b' ' | b'\t' | b'\n' | b'\r'))
            || (digits == 0 && is_break_or_underline(self.line_text(at)))
        {
            return None;
        }
        if continues {
            // only `- x` and `1. x` may follow a paragraph without a blank line
            let empty = self.at_line_end(self.skip_indent(LineCursor { at: end, column: 0 }).at);
            if empty || (digits > 0 && self.source.slice(at..at + digits) != "1") {
                return None;
            }
        }
        Some(((at, end), LineCursor { at: end, column: content.column + length }))
    }

    /// The end of `[^label]:`.
    fn footnote_marker(&self, at: usize) -> Option<usize> {
        let line = self.line_text(at).strip_prefix("[^")?;
        let length = line.find(']').filter(|length| *length > 0 && !line.slice(..*length).contains([' ', '\t']))?;
        line.slice(length..).starts_with("]:").then_some(at + 2 + length + 2)
    }

    /// Where the content of the innermost list item starts; 0 outside of lists.
    pub(super) fn item_column(&self) -> usize {
        self.containers
            .iter()
            .rev()
            .find_map(|container| if let ScanContainer::Item { column, .. } = container { Some(*column) } else { None })
            .unwrap_or(0)
    }

    pub(super) fn is_quoted(&self) -> bool {
        self.containers.iter().any(|container| matches!(container, ScanContainer::Quote))
    }

    // -- blocks

    fn fence(&mut self, prefix: &str, content: LineCursor) -> Option<usize> {
        let mark = self.bytes[content.at];
        let length = self.bytes[content.at..].iter().take_while(|byte| **byte == mark).count();
        let info = self.line_text(content.at + length).trim();
        if length < 3 || (mark == b'`' && info.contains('`')) {
            return None;
        }
        let quoted = self.is_quoted();
        let (lang, meta) = info.split_once([' ', '\t']).unwrap_or((info, ""));
        let mut fence = CodeFence {
            lang: lang.to_owned(),
            meta: meta.trim().to_owned(),
            is_escaped: true,
            place: self.place(content.at),
            ..CodeFence::default()
        };
        let mut at = self.next_line(content.at);
        let mut first = true;
        while at < self.source.len() {
            let (matched, mut cursor) = self.match_containers(at);
            let text = self.skip_indent(cursor);
            if matched < self.containers.len() {
                break;
            }
            let line = self.line_text(text.at).trim_end();
            if line.len() >= length && line.bytes().all(|byte| byte == mark) {
                at = self.next_line(at);
                break;
            }
            cursor = self.skip_to_column(cursor, content.column);
            if !first {
                fence.code.push('\n');
            }
            // the columns of a tab beyond the fence's own indentation are code
            let beyond = if quoted { 0 } else { cursor.column.saturating_sub(content.column) };
            fence.code.extend(std::iter::repeat_n(' ', beyond));
            fence.code.push_str(self.line_text(cursor.at).trim_end_matches(['\r', '\n']));
            first = false;
            at = self.next_line(at);
        }
        self.paragraph = None;
        self.begin_line(prefix, content.at);
        self.block_slot(PlaceholderSlot::Fence(fence), content.at, at);
        self.out.text.push('\n');
        Some(at)
    }

    /// A line of nothing but tags and expressions (each may span lines).
    fn flow(&mut self, prefix: &str, at: usize) -> Option<usize> {
        let (pieces, end) = self.flow_pieces(at)?;
        if pieces.is_empty() {
            self.is_commented = self.paragraph.is_some();
        } else {
            self.paragraph = None;
            self.begin_line(prefix, at);
            for (slot, from, to) in pieces {
                self.block_slot(slot, from, to);
            }
            self.out.text.push('\n');
        }
        Some(self.next_line(end))
    }

    /// A run of tags, expressions and comments, and where it ends, if a line ends there, too.
    fn flow_pieces(&self, at: usize) -> Option<(Vec<SlotPiece>, usize)> {
        let mut pieces = Vec::new();
        let mut pos = at;
        loop {
            pos = match self.bytes.get(pos) {
                Some(b'<') => match self.comment_end(pos) {
                    Some(end) => end,
                    None => {
                        let tag = parse_tag(self.source, pos)?;
                        let (end, inside) = (tag.end, self.verbatim(&tag, pos));
                        pieces.push((PlaceholderSlot::Tag(tag), pos, end));
                        inside.map_or(end, |(inside, end)| {
                            pieces.extend(inside);
                            end
                        })
                    }
                },
                Some(b'{') if variable_reference(self.source.slice(pos..)).is_some() => return None,
                Some(b'{') => {
                    let end = super::script::expression_end(self.source, pos)?;
                    pieces.extend(
                        scan_expression(&self.without_indent(pos, self.source.slice(pos + 1..end - 1)))
                            .map(|expr| (PlaceholderSlot::Expr(expr), pos, end)),
                    );
                    end
                }
                Some(b' ' | b'\t' | b'\r') => pos + 1,
                None | Some(b'\n') => return Some((pieces, pos)),
                _ => return None,
            };
        }
    }

    /// The end of the comment that starts at `at`, if one does.
    pub(super) fn comment_end(&self, at: usize) -> Option<usize> {
        let rest = self.source.slice(at..).strip_prefix("<!--").filter(|_| at < self.uncommented.get())?;
        let end = memchr::memmem::find(rest.as_bytes(), b"-->");
        if end.is_none() {
            self.uncommented.set(at);
        }
        end.map(|end| at + 4 + end + 3)
    }

    fn display_math(&mut self, prefix: &str, at: usize) -> Option<usize> {
        let first = self.line_text(at + 2).trim();
        if first.contains('$') {
            return None;
        }
        let mut tex = String::from(first);
        let mut line = self.next_line(at);
        loop {
            if line >= self.source.len() {
                return None;
            }
            let (matched, cursor) = self.match_containers(line);
            if matched < self.containers.len() {
                return None;
            }
            let text = self.line_text(cursor.at).trim();
            line = self.next_line(line);
            if let Some(last) = text.strip_suffix("$$") {
                tex.push('\n');
                tex.push_str(last);
                break;
            }
            tex.push('\n');
            tex.push_str(text);
        }
        self.paragraph = None;
        self.begin_line(prefix, at);
        self.block_slot(PlaceholderSlot::Math { display: true, tex: tex.trim().to_owned() }, at, line);
        self.out.text.push('\n');
        Some(line)
    }

    // -- output

    fn begin_line(&mut self, prefix: &str, at: usize) {
        self.is_commented = false;
        self.out.text.push_str(prefix);
        let place = self.place(at);
        self.out.lines.push((self.out.text.len(), place));
    }

    fn block_slot(&mut self, slot: PlaceholderSlot, start: usize, end: usize) {
        let number = self.slot(slot, start, end);
        self.out.text.push_str(&format!("<!--{SLOT}{number}-->"));
    }

    /// Keeps a slot; returns its number.
    pub(super) fn slot(&mut self, slot: PlaceholderSlot, start: usize, end: usize) -> usize {
        let place = self.place(start);
        self.out.slots.push(Slotted { slot: Some(slot), place, start, end });
        self.out.slots.len() - 1
    }

    /// Notes a syntax problem.
    pub(super) fn problem(&mut self, code: &'static str, message: String, hint: &'static str, at: usize) {
        let place = self.place(at);
        self.out.problems.push(Problem::new(code, message, place).hint(hint));
    }

    // -- places

    /// The line and column of a byte offset.
    pub(super) fn place(&mut self, at: usize) -> Place {
        let (known, mut line, mut column) = self.known;
        if at < known {
            // a rare look back: the column is lost, the line is found by counting down
            let back = memchr::memchr_iter(b'\n', &self.bytes[at..known]).count() as u32;
            return Place { file: self.file, line: line - back, column: 1 };
        }
        // a line may be as long as the page: only what is new is counted
        let mut from = known;
        for newline in memchr::memchr_iter(b'\n', &self.bytes[known..at]) {
            (line, column) = (line + 1, 1);
            from = known + newline + 1;
        }
        column += self.source.slice(from..at).chars().count() as u32;
        self.known = (at, line, column);
        Place { file: self.file, line, column }
    }

    /// The rest of the line from `at`, with its line break.
    fn line_text(&self, at: usize) -> &'a str {
        self.source.slice(at..self.next_line(at))
    }

    pub(super) fn next_line(&self, at: usize) -> usize {
        memchr::memchr(b'\n', &self.bytes[at..]).map_or(self.bytes.len(), |end| at + end + 1)
    }

    fn at_line_end(&self, at: usize) -> bool {
        match self.bytes.get(at) {
            None | Some(b'\n') => true,
            Some(b'\r') => self.at_line_end(at + 1),
            _ => false,
        }
    }
}

/// An expression, unless it is empty or a comment.
pub(super) fn scan_expression(inside: &str) -> Option<PageExpr> {
    (skip_space(inside, 0) < inside.len()).then(|| expr::parse_expression(inside))
}

/// `{#id}` at the end of a heading's line, its braces escaped or not: the id and the length.
pub(super) fn heading_id(rest: &str) -> Option<(String, usize)> {
    let line = rest.split('\n').next().unwrap_or_default();
    let inside = line.strip_prefix('\\').unwrap_or(line).strip_prefix('{')?.trim_start().strip_prefix('#')?;
    let end = inside.find('}')?;
    let length = line.len() - inside.len() + end + 1;
    let id = inside.slice(..end).strip_suffix('\\').unwrap_or(inside.slice(..end));
    line.slice(length..).trim().is_empty().then(|| (custom_id(id), length))
}

fn heading_level(line: &str) -> Option<usize> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    ((1..=6).contains(&level) && matches!(line.as_bytes().get(level), None | Some(b' ' | b'\t' | b'\n' | b'\r')))
        .then_some(level)
}

/// A thematic break or a setext underline.
fn is_break_or_underline(line: &str) -> bool {
    let mark = line.as_bytes().first().copied().unwrap_or(b' ');
    let marks = line.bytes().filter(|byte| *byte == mark).count();
    if !line.bytes().all(|byte| byte == mark || byte.is_ascii_whitespace()) {
        return false;
    }
    match mark {
        b'*' | b'_' => marks >= 3,
        b'-' => marks >= 3 || !line.trim_end().contains([' ', '\t']) && marks > 1,
        b'=' => !line.trim_end().contains([' ', '\t']),
        _ => false,
    }
}

/// `[label]: destination`.
fn is_definition(line: &str) -> bool {
    line.find("]:").is_some_and(|end| end > 1 && !line.slice(1..end).contains(['[', ']']) && !line.starts_with("[^"))
}

/// Whether a slot opens an element whose source text is needed as it is.
pub(super) fn keeps_source(tag: &MarkupTag) -> bool {
    tag.kind == TagKind::Open && find_component(&tag.name).is_some_and(|known| known.raw_content != RawContent::None)
}
