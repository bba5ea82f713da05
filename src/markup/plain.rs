//! What plain Markdown has, and MDX has in other ways. The parser finds HTML tag by tag and line by line: elements whose
//! content is their own are taken as a whole, and words in angle brackets stay words. So do prices between dollars.

use std::ops::Range;

use pulldown_cmark::{CowStr, Event};

use base::cut::SliceText as _;
use base::html::{self, tag};
use base::lines::fence_of;
use base::{Place, Problem};

use super::build::TreeBuilder;
use super::frames::{FrameKind, is_blank};
use super::html::split_content;
use super::tree::{BlockKind, MarkdownBlock, Node};

/// An element whose content is its own.
struct VerbatimStart {
    /// The name of the element in small letters.
    name: String,
    /// It has no attributes.
    is_bare: bool,
}

impl VerbatimStart {
    /// The element that a tag begins; `None` if that has no content, or none of its own.
    fn of(tag: tag::HtmlTag<'_>) -> Option<Self> {
        let name = tag.name.to_ascii_lowercase();
        (html::owns_content(&name) && !tag.is_self_closing())
            .then(|| Self { name, is_bare: tag.attributes().next().is_none() })
    }
}

impl TreeBuilder<'_> {
    /// A tag or comment in a sentence.
    pub(super) fn inline_html(&mut self, markup: CowStr<'_>, range: Range<usize>) {
        let start = match tag::read_html_token(&markup) {
            Some((tag::MarkupToken::Start(tag), _)) => {
                if self.is_word(tag, false) {
                    let word = self.original(markup);
                    return self.text.push_str(&word);
                }
                VerbatimStart::of(tag)
            }
            _ => None,
        };
        let end = match &start {
            Some(start) => {
                let limit = self.owned.ends.last().copied().unwrap_or(self.read.len());
                let limit = self.blank_line(range.end, limit);
                let end = self.element_end(&start.name, range.end, limit);
                let end = end.or_else(|| if start.is_bare { None } else { self.end_beyond(&start.name, range.end) });
                if end.is_none() && start.is_bare {
                    let word = self.original(markup);
                    return self.text.push_str(&word);
                }
                if end.is_none() {
                    let place = self.place(range.start);
                    self.tell_unclosed(&start.name, place);
                }
                end
            }
            None => None,
        };
        self.flush();
        let place = self.place(range.start);
        let markup = match end {
            Some(end) => {
                self.owned.end = end;
                self.written(range.start..end)
            }
            None => self.original(markup).into_string(),
        };
        self.push(Node::Html { markup, place });
    }

    /// A line of a block of HTML.
    pub(super) fn html_line(&mut self, line: CowStr<'_>, offset: usize) {
        if self.owned.block.is_empty() {
            self.owned.place = self.place(offset);
        }
        let line = self.original(line);
        self.owned.block.push_str(&line);
    }

    /// What the parser finds in an element that was taken as a whole; only what stands behind it in the same line is
    /// no part of it.
    pub(super) fn in_owned(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(_) => {
                self.owned.ends.push(range.end);
                self.open.push(false);
            }
            Event::Html(_) | Event::Text(_) if range.end > self.owned.end => {
                let rest = self.read.get(self.owned.end..range.end).unwrap_or_default();
                match event {
                    Event::Html(_) => self.html_line(rest.into(), self.owned.end),
                    _ => self.text.push_str(&self.original(rest.into())),
                }
            }
            _ => {}
        }
    }

    /// The end of a block of HTML at the offset `end`. For Markdown it ends at an empty line, which may stand in an
    /// element.
    pub(super) fn end_html_block(&mut self, end: usize) {
        let mut markup = std::mem::take(&mut self.owned.block);
        if markup.is_empty() {
            return;
        }
        let place = self.owned.place;
        if let Some(name) = open_element(&markup) {
            let limit = self.owned.ends.last().copied().unwrap_or(self.read.len());
            match self.whole_end(&name, end, limit) {
                Some(found) => {
                    markup.push_str(&self.written(end..found));
                    self.owned.end = found;
                }
                None => self.tell_unclosed(&name, place),
            }
        }
        if !markup.contains('<') {
            return self.push(Node::Html { markup, place });
        }
        match self.with_words(&markup) {
            // nothing but words: a paragraph
            Some(words) if !words.contains('<') => {
                let children = vec![Node::Text(base::html::decode_character_references(words.trim()).into_owned())];
                self.push(Node::Block(Box::new(MarkdownBlock { kind: BlockKind::Paragraph, children, place })));
            }
            Some(markup) => self.push(Node::Html { markup, place }),
            None => self.push(Node::Html { markup, place }),
        }
    }

    /// The offset behind the end tag of an element whose content begins at `from`, if that stands before `limit`.
    fn element_end(&mut self, name: &str, from: usize, limit: usize) -> Option<usize> {
        if self.owned.unclosed.get(name).is_some_and(|known| *known >= limit) {
            return None;
        }
        let text = self.read.get(from..limit).unwrap_or_default();
        let found = split_content(text, name).map(|(_, after)| limit - after.len());
        if found.is_none() {
            self.owned.unclosed.insert(name.to_owned(), limit);
        }
        found
    }

    /// The same beyond the paragraph that the element begins, in the block around it: an empty line in a drawing is none
    /// between paragraphs.
    fn end_beyond(&mut self, name: &str, from: usize) -> Option<usize> {
        let begins = self.text.trim().is_empty()
            && self.frames.last().is_some_and(|frame| {
                matches!(frame.kind, FrameKind::Block(BlockKind::Paragraph)) && frame.children.iter().all(is_blank)
            });
        let outer = self.owned.ends.len().checked_sub(2).and_then(|at| self.owned.ends.get(at));
        let outer = outer.copied().unwrap_or(self.read.len());
        if begins { self.whole_end(name, from, outer) } else { None }
    }

    /// The end of an element, unless something that is open around it ends inside of it.
    fn whole_end(&mut self, name: &str, from: usize, limit: usize) -> Option<usize> {
        let found = self.element_end(name, from, limit)?;
        if self.is_torn(from..found) {
            self.owned.unclosed.insert(name.to_owned(), limit);
            return None;
        }
        Some(found)
    }

    /// The first empty line between two offsets, or the second offset.
    fn blank_line(&mut self, from: usize, limit: usize) -> usize {
        let known = self.owned.filled.clone();
        if known.contains(&from) && known.end <= limit {
            return known.end;
        }
        let end = self.find_blank_line(from, limit);
        self.owned.filled = from..end;
        end
    }

    fn find_blank_line(&self, from: usize, limit: usize) -> usize {
        let text = self.read.get(from..limit).unwrap_or_default();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            if at > 0 && line.trim_matches([' ', '\t', '>', '\r', '\n']).is_empty() {
                return from + at;
            }
            at += line.len();
        }
        limit
    }

    /// Whether a fence of code stands between two offsets, or the end tag before the second is code: that closes nothing.
    fn is_torn(&self, range: Range<usize>) -> bool {
        let text = self.read.get(range).unwrap_or_default();
        text.rsplit_once("</").is_some_and(|(before, _)| before.ends_with('`'))
            || text.lines().any(|line| fence_of(line.trim_start_matches([' ', '>'])).is_some())
    }

    /// What stands between two offsets, without the marks of the quotes and cells that it stands in.
    fn written(&self, range: Range<usize>) -> String {
        let text = self.read.get(range).unwrap_or_default();
        let is = |kind: &dyn Fn(&BlockKind) -> bool| {
            self.frames.iter().filter(|frame| matches!(&frame.kind, FrameKind::Block(block) if kind(block))).count()
        };
        let quotes = is(&|block| *block == BlockKind::Quote);
        let mut out = String::with_capacity(text.len());
        for (number, line) in text.split_inclusive('\n').enumerate() {
            let mut line = line;
            for _ in 0..if number == 0 { 0 } else { quotes } {
                let Some(rest) = line.trim_start_matches([' ', '\t']).strip_prefix('>') else { break };
                line = rest.strip_prefix(' ').unwrap_or(rest);
            }
            out.push_str(line);
        }
        if is(&|block| *block == BlockKind::Cell) > 0 {
            out = out.replace("\\|", "|");
        }
        self.original(out.into()).into_string()
    }

    fn tell_unclosed(&mut self, name: &str, place: Place) {
        self.scanned.problems.push(
            Problem::new("mdx-unclosed-tag", format!("`<{name}>` is not closed here"), place)
                .hint("add the closing tag in the same paragraph, or write `\\<` for a plain <"),
        );
    }

    /// Math that the parser found.
    pub(super) fn math(&mut self, display: bool, tex: CowStr<'_>, offset: usize) {
        self.flush();
        let place = self.place(offset);
        let tex = self.original(tex);
        // GitHub's other way to write it: $`x`$
        let tex = tex.strip_prefix('`').and_then(|tex| tex.strip_suffix('`')).unwrap_or(&tex).trim().to_owned();
        self.push(Node::Math { display, tex, place });
    }

    /// Whether a text between dollars is math in plain Markdown: prices, variables and paths go on after a dollar, or
    /// stand before one.
    pub(super) fn is_math(&self, range: Range<usize>) -> bool {
        let is_word = |c: char| c.is_alphanumeric() || c == '$';
        !self.read.slice(..range.start).ends_with(is_word) && !self.read.slice(range.end..).starts_with(is_word)
    }

    /// Whether a start tag of plain Markdown is a word in angle brackets, as in `Vec<T>` or `run <name of a command>`:
    /// nothing closes it, it has no values, and HTML has no such tag, or none that could stand there.
    /// `in_block`: it stands in a block of HTML, in which sections are often left open.
    fn is_word(&self, tag: tag::HtmlTag<'_>, in_block: bool) -> bool {
        let name = tag.name.to_ascii_lowercase();
        let mut attributes = tag.attributes();
        let is_like_word = match html::is_html_tag(&name) {
            true => !in_block && html::may_be_word(&name) && attributes.next().is_none(),
            false => attributes.all(|attribute| attribute.value.is_none()),
        };
        is_like_word && !tag.is_self_closing() && !self.closing_tags.have(tag.name)
    }

    /// A block of HTML with its words in angle brackets as text; `None` if it has none.
    fn with_words(&self, markup: &str) -> Option<String> {
        let mut out = String::new();
        let mut rest = markup;
        let mut copied = 0;
        while let Some(at) = rest.find('<') {
            rest = rest.slice(at..);
            let here = markup.len() - rest.len();
            let Some((token, after)) = tag::read_html_token(rest) else {
                rest = rest.slice(1..);
                continue;
            };
            rest = after;
            let tag::MarkupToken::Start(tag) = token else { continue };
            if let Some(start) = VerbatimStart::of(tag) {
                rest = split_content(rest, &start.name).map_or("", |(_, after)| after);
            } else if self.is_word(tag, true) {
                out.push_str(markup.slice(copied..here));
                out.push_str("&lt;");
                copied = here + 1;
            }
        }
        (copied > 0).then(|| out + markup.slice(copied..))
    }
}

/// The element with content of its own that a block of HTML leaves open.
fn open_element(markup: &str) -> Option<String> {
    let mut rest = markup;
    while let Some(at) = rest.find('<') {
        rest = rest.slice(at..);
        let Some((token, after)) = tag::read_html_token(rest) else {
            rest = rest.slice(1..);
            continue;
        };
        rest = after;
        let tag::MarkupToken::Start(tag) = token else { continue };
        if let Some(start) = VerbatimStart::of(tag) {
            match split_content(rest, &start.name) {
                Some((_, after)) => rest = after,
                None => return Some(start.name),
            }
        }
    }
    None
}
