//! Blocks of HTML: what stands between a tag and its end tag is HTML, and Markdown where the tag says so.

use base::cut::SliceText as _;
use base::lines::{Verbatim, fence_of};

use super::attributes;
use super::block::MkDocsWriter;
use super::lines::{BlockLine, INDENT, Out, blank, raw, trimmed, wrapped};
use super::list::list_item_lines;
use super::starts::{VERBATIM, leading_tag_name, marker_of, starts_block, without_markdown};

/// Most lines of a tag.
const MAX_TAG_LINES: usize = 24;

/// An element of HTML that begins in a line.
struct FoundElement {
    name: String,
    /// Its start tag, in one line.
    tag: String,
    /// Line and byte behind the start tag.
    start: (usize, usize),
    /// Line and byte of the end tag.
    end: (usize, usize),
    /// The line behind it.
    next: usize,
}

impl FoundElement {
    /// What stands between its tags.
    fn content<'s>(&self, lines: &[BlockLine<'s>]) -> Vec<BlockLine<'s>> {
        let ((first, from), (last, to)) = (self.start, self.end);
        let mut content = Vec::new();
        for (number, line) in lines.iter().enumerate().take(last + 1).skip(first) {
            let start = if number == first { from } else { 0 };
            let text = if number == last { line.text.slice(..to.max(start)) } else { line.text };
            content.push(BlockLine { text, ..*line }.from(start));
        }
        let shared = content.iter().skip(1).filter(|line| !line.is_blank()).map(BlockLine::indent).min().unwrap_or(0);
        content.iter().map(|line| line.cut(shared)).collect()
    }
}

fn find_html_block(lines: &[BlockLine<'_>], at: usize, budget: &mut usize) -> Option<FoundElement> {
    let indent = lines[at].indent();
    let (name, _) =
        leading_tag_name(lines[at].text.slice(indent..)).filter(|(name, is_end)| !is_end && name != "hr")?;
    let mut tag = String::new();
    let mut start = None;
    for (number, line) in lines.iter().enumerate().skip(at).take(MAX_TAG_LINES) {
        let text = if number == at { line.text.slice(indent..) } else { line.text.trim_start() };
        if !tag.is_empty() {
            tag.push(' ');
        }
        match text.find('>') {
            Some(end) => {
                tag.push_str(text.slice(..=end));
                start = Some((number, line.text.len() - text.len() + end + 1));
                break;
            }
            None => tag.push_str(text),
        }
    }
    let start = start.filter(|_| !tag.ends_with("/>"))?;
    let (opening, closing) = (format!("<{name}"), format!("</{name}"));
    let is_verbatim = VERBATIM.contains(&name.as_str());
    let mut verbatim = Verbatim::default();
    let mut depth = 1_usize;
    for (number, line) in lines.iter().enumerate().skip(start.0) {
        *budget = budget.checked_sub(1)?;
        let from = if number == start.0 { start.1 } else { 0 };
        // code may show tags
        if !is_verbatim && verbatim.takes(line.text.slice(from..).trim_start()) {
            continue;
        }
        let lower = line.text.to_ascii_lowercase();
        let mut place = from;
        while let Some(next) = lower.slice(place..).find(['<', '`']).map(|next| place + next) {
            if lower.slice(next..).starts_with('`') {
                // code in words
                let marks = lower.slice(next..).bytes().take_while(|byte| *byte == b'`').count();
                let after = next + marks;
                place = match lower.slice(after..).find(&"`".repeat(marks)) {
                    Some(close) if !is_verbatim => after + close + marks,
                    _ => after,
                };
                continue;
            }
            let is = |tag: &str| {
                lower
                    .slice(next..)
                    .strip_prefix(tag)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '>', '/']))
            };
            if is(&closing) {
                depth -= 1;
                if depth == 0 {
                    let behind = lower.slice(next..).find('>').map_or(lower.len(), |end| next + end + 1);
                    let has_rest = !line.text.get(behind..).unwrap_or_default().trim().is_empty();
                    return Some(FoundElement {
                        name,
                        tag,
                        start,
                        end: (number, next),
                        next: number + usize::from(!has_rest).max(1),
                    });
                }
            } else if !is_verbatim
                && is(&opening)
                && !lower.slice(next..).split('>').next().unwrap_or_default().ends_with('/')
            {
                depth += 1;
            }
            place = next + 1;
        }
    }
    None
}

/// The line that ends the fenced code that begins in the first of some lines.
fn fence_end(lines: &[BlockLine<'_>], budget: &mut usize) -> Option<usize> {
    let (mark, width, _) = fence_of(lines.first()?.text.trim_start())?;
    let is_end = |line: &BlockLine<'_>| {
        let found = fence_of(line.text.trim_start());
        found.is_some_and(|(other, marks, info)| other == mark && marks == width && info.is_empty())
    };
    let found = lines.iter().skip(1).take(*budget).position(is_end).map(|end| end + 1);
    *budget = budget.saturating_sub(found.unwrap_or(lines.len()));
    found
}

/// The classes of a tag.
fn classes(tag: &str) -> Vec<&str> {
    let value = tag.split_once("class=").map_or("", |(_, rest)| rest);
    let value = match value.chars().next() {
        Some(quote @ ('"' | '\'')) => value.slice(1..).split(quote).next().unwrap_or_default(),
        _ => value.split([' ', '>']).next().unwrap_or_default(),
    };
    value.split_whitespace().collect()
}

impl MkDocsWriter<'_> {
    pub(super) fn html(
        &mut self,
        lines: &[BlockLine<'_>],
        at: usize,
        depth: usize,
        out: &mut Vec<Out>,
    ) -> Option<usize> {
        if lines[at].indent() >= INDENT || !starts_block(lines[at].text.trim_start()) {
            return None;
        }
        let Some(found) = find_html_block(lines, at, &mut self.budget) else {
            // a tag alone: its end stands elsewhere, or it has none
            out.push(blank(lines[at]));
            out.push(raw(lines[at], lines[at].text.trim()));
            out.push(blank(lines[at]));
            return Some(at + 1);
        };
        out.push(blank(lines[at]));
        match without_markdown(&found.tag) {
            Some(tag) => self.markdown_in(lines, &found, &tag, depth, out),
            None => self.only_html(lines, at, &found, depth, out),
        }
        out.push(blank(lines[found.end.0]));
        Some(found.next)
    }

    /// An element whose content is Markdown.
    fn markdown_in(
        &mut self,
        lines: &[BlockLine<'_>],
        found: &FoundElement,
        tag: &str,
        depth: usize,
        out: &mut Vec<Out>,
    ) {
        let (first, last) = (lines[found.start.0], lines[found.end.0]);
        let content = found.content(lines);
        let classes = classes(tag);
        if found.name == "div" && classes.contains(&"grid") {
            return self.grid(&content, classes.contains(&"cards"), depth, first, last, out);
        }
        out.push(raw(first, &(self.tags)(tag)));
        out.push(blank(first));
        let blocks = self.blocks(&content, depth + 1);
        out.extend(trimmed(blocks));
        out.push(blank(last));
        out.push(raw(last, lines[found.end.0].text.slice(found.end.1..).trim()));
    }

    /// An element whose content is HTML; elements in it may say that theirs is Markdown.
    fn only_html(
        &mut self,
        lines: &[BlockLine<'_>],
        at: usize,
        found: &FoundElement,
        depth: usize,
        out: &mut Vec<Out>,
    ) {
        let last = found.end.0;
        let has_markdown = (at..=last).any(|number| lines[number].text.contains(" markdown"));
        let is_verbatim = |name: &str| VERBATIM.contains(&name);
        let mut number = at;
        while number <= last {
            let line = lines[number];
            let text = line.text.trim_start();
            if number > at
                && let Some(inner) = leading_tag_name(text)
                    .filter(|_| has_markdown)
                    .and_then(|_| find_html_block(lines, number, &mut self.budget))
                && without_markdown(&inner.tag).is_some()
                && inner.end.0 <= last
            {
                out.push(blank(line));
                let tag = without_markdown(&inner.tag).unwrap_or_default();
                self.markdown_in(lines, &inner, &tag, depth + 1, out);
                out.push(blank(lines[inner.end.0]));
                number = inner.next;
                continue;
            }
            let verbatim = leading_tag_name(text).filter(|(name, is_end)| is_verbatim(name) && !is_end);
            if verbatim.is_some()
                && let Some(inner) = find_html_block(lines, number, &mut self.budget)
            {
                // it ends at its own end tag, whatever stands in it
                out.push(blank(line));
                for (inside, line) in lines.iter().enumerate().take(inner.end.0 + 1).skip(number) {
                    out.push(raw(*line, if inside == number { text } else { line.text }));
                }
                number = inner.end.0 + 1;
                continue;
            }
            if number > at
                && let Some(end) =
                    fence_end(lines.get(number..last).unwrap_or_default(), &mut self.budget).map(|end| number + end)
            {
                // Python-Markdown takes fenced code out before it looks for HTML
                out.push(blank(line));
                let inside = lines.iter().take(end + 1).skip(number);
                let code: Vec<BlockLine<'_>> = inside.map(|inside| inside.cut(line.indent())).collect();
                self.fence(&code, 0, out);
                out.push(blank(lines[end]));
                number = end + 1;
                continue;
            }
            // a blank line would end it
            if !line.is_blank() {
                out.push(raw(line, &self.with_tags(text.trim_end())));
            }
            number += 1;
        }
    }

    /// A line of HTML with the addresses of its tags.
    fn with_tags(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('<') {
            out.push_str(rest.slice(..at));
            // a tag may go on in the next line
            let end = rest.slice(at..).find('>').map_or(rest.len(), |end| at + end + 1);
            out.push_str(&(self.tags)(rest.slice(at..end)));
            rest = rest.slice(end..);
        }
        out.push_str(rest);
        out
    }

    /// A grid: the items of a list as cards, or blocks side by side.
    fn grid(
        &mut self,
        content: &[BlockLine<'_>],
        has_cards: bool,
        depth: usize,
        first: BlockLine<'_>,
        last: BlockLine<'_>,
        out: &mut Vec<Out>,
    ) {
        let mut cells: Vec<Vec<Out>> = Vec::new();
        let mut at = 0;
        while at < content.len() {
            if content[at].is_blank() {
                at += 1;
                continue;
            }
            if let Some((_, width)) = marker_of(content[at]).filter(|_| has_cards) {
                let (inner, next) = list_item_lines(content, at, width);
                cells.push(self.card(&inner, depth, content[at]));
                at = next;
                continue;
            }
            let mut cell = Vec::new();
            let next = self.block_with_attributes(content, at, depth, &mut cell);
            let is_card = cell.iter().any(|line| line.text.starts_with("\u{e001}<Card "));
            let cell = trimmed(cell);
            if !cell.is_empty() {
                let name = if is_card { "" } else { "Column" };
                cells.push(if name.is_empty() { cell } else { wrapped(name, &[], cell, content[at]) });
            }
            at = next;
        }
        let name = if has_cards { "CardGroup" } else { "Columns" };
        out.extend(wrapped(name, &[("cols", "2")], cells.into_iter().flatten().collect(), first));
        out.push(blank(last));
    }

    /// A block, and whether the list of attributes below it makes it a card.
    fn block_with_attributes(&mut self, lines: &[BlockLine<'_>], at: usize, depth: usize, out: &mut Vec<Out>) -> usize {
        let count = lines[at..].iter().take_while(|line| !line.is_blank()).count();
        let last = lines[at + count - 1];
        let is_card = count > 1 && attributes::alone(last.text).is_some_and(|found| found.has_class("card"));
        if is_card {
            out.extend(self.card(&lines[at..at + count - 1], depth, lines[at]));
            return at + count;
        }
        let mut cell = Vec::new();
        let next = self.block(lines, at, depth + 1, &mut cell);
        out.extend(cell);
        next
    }

    /// A card. A first paragraph of an icon and strong words above a line is its icon and its title.
    fn card(&mut self, lines: &[BlockLine<'_>], depth: usize, at: BlockLine<'_>) -> Vec<Out> {
        let first = lines.iter().position(|line| !line.is_blank()).unwrap_or(0);
        let end = lines[first..].iter().position(BlockLine::is_blank).map_or(lines.len(), |end| first + end);
        let words: Vec<&str> = lines[first..end].iter().map(|line| line.text.trim()).collect();
        let rule = lines[end..].iter().position(|line| !line.is_blank()).map(|next| end + next);
        let rule = rule.filter(|rule| matches!(lines[*rule].text.trim(), "---" | "***" | "___"));
        let head = rule.and_then(|rule| Some((parse_card_head(&words.join(" "))?, rule)));
        match head {
            Some(((icon, title), rule)) => {
                let blocks = self.blocks(&lines[rule + 1..], depth + 1);
                let mut props = vec![("title", title.as_str())];
                if !icon.is_empty() {
                    props.push(("icon", icon.as_str()));
                }
                wrapped("Card", &props, trimmed(blocks), at)
            }
            None => {
                let blocks = self.blocks(lines, depth + 1);
                wrapped("Card", &[], trimmed(blocks), at)
            }
        }
    }
}

/// Icon and title of a card: `:material-x:{ .lg .middle } __Words__`.
fn parse_card_head(words: &str) -> Option<(String, String)> {
    let (icon, rest) = match words.strip_prefix(':').and_then(|rest| rest.split_once(':')) {
        Some((name, rest)) if super::inline::is_icon(name) => (super::inline::icon_path(name), rest.trim_start()),
        _ => (String::new(), words),
    };
    let rest = attributes::leading(rest).map_or(rest, |(_, length)| rest.slice(length..)).trim();
    let title = ["__", "**"].iter().find_map(|mark| rest.strip_prefix(mark)?.strip_suffix(mark)).unwrap_or(rest);
    let is_plain = !title.is_empty() && !title.contains(['[', '<', '`', '*', '_', ':', '{']);
    is_plain.then(|| (icon, title.to_owned()))
}
