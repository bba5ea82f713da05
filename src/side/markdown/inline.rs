//! What stands in a line: text with its escapes, code, links, pictures, emphasis.

use std::borrow::Cow;

use super::MarkdownWriter;
use crate::element;
use base::bytes::byte_set;
use base::cut::cut;
use base::{Place, limits};
use markup::tree::{BlockKind, MarkdownBlock, Node};
use render::phrasing::{all_phrasing, is_blank, is_phrasing};

impl MarkdownWriter<'_> {
    pub(crate) fn inline(&mut self, node: &Node) {
        if self.in_cell && self.one_line && !matches!(node, Node::Html { .. }) && !is_phrasing(node) {
            self.part_in_cell();
            self.inline_itself(node);
            return self.part_in_cell();
        }
        self.inline_itself(node);
    }

    fn inline_itself(&mut self, node: &Node) {
        match node {
            Node::Text(text) => self.text(text),
            Node::Code(code) => self.code(code),
            Node::Break { hard } => self.line_break(*hard),
            Node::Math { display: false, tex, .. } => self.raw(&format!("${}$", tex.trim())),
            Node::Math { tex, .. } => self.raw(&format!("$${}$$", collapse_whitespace(tex.trim()))),
            Node::FootnoteRef(label) => self.raw(&format!("[^{label}]")),
            Node::Html { markup, .. } if self.one_line => self.html(&collapse_whitespace(markup)),
            Node::Html { markup, .. } => self.html(markup),
            Node::Fence(fence) if self.one_line => self.code(&collapse_whitespace(&fence.code)),
            Node::Rule if self.one_line => {}
            Node::Rule | Node::Fence(_) => self.block(node),
            Node::Block(block) => self.deeper(&block.children, |w| w.markdown_inline(block)),
            Node::Element(it) => self.deeper(&it.children, |w| element::inline(w, it)),
            Node::Island(island) => self.deeper(&island.children, |w| w.inlines(&island.children)),
            Node::Part(part) => self.deeper(&part.children, |w| w.inlines(&part.children)),
            Node::Expr(_) => {}
        }
    }

    pub(super) fn markdown_inline(&mut self, block: &MarkdownBlock) {
        match &block.kind {
            BlockKind::Emphasis => self.marked("*", &block.children),
            BlockKind::Strong => self.marked("**", &block.children),
            BlockKind::Strike => self.marked("~~", &block.children),
            BlockKind::Link { href, .. } => self.link(href, block.place, &block.children),
            BlockKind::Image { src, title } => {
                let alt = Node::text_of(&block.children);
                self.image(src, block.place, &alt, title);
            }
            BlockKind::List { start } if self.in_cell => self.list_in_cell(*start, &block.children),
            // blocks in a cell or a heading: their words
            _ if self.one_line => {
                self.inlines(&block.children);
                if !self.in_cell {
                    self.raw(" ");
                }
            }
            _ => {
                self.part(2);
                self.markdown_block(block);
                self.part(2);
            }
        }
    }

    /// Words between two marks.
    pub(crate) fn marked(&mut self, mark: &'static str, nodes: &[Node]) {
        // what is strong in strong words is as strong as they are
        if is_blank(nodes) || self.marks.contains(&mark) {
            return self.inlines(nodes);
        }
        self.raw(mark);
        self.marks.push(mark);
        self.inlines(nodes);
        self.marks.pop();
        self.raw(mark);
    }

    /// A link; words alone if it leads nowhere.
    pub(crate) fn link(&mut self, href: &str, place: Place, nodes: &[Node]) {
        let url = self.addresses.link(href, place);
        let words = all_phrasing(nodes);
        if url.is_empty() || self.in_link {
            return if words { self.inlines(nodes) } else { self.flow(nodes) };
        }
        // only whole addresses are links by themselves
        if words
            && (url.starts_with("https://") || url.starts_with("http://"))
            && may_begin(nodes, "http")
            && Node::text_of(nodes).trim() == url
        {
            return self.raw(&url);
        }
        // an exclamation mark before a link would make it a picture
        if self.out.ends_with('!') && self.gap == 0 {
            self.out.insert(self.out.len() - 1, '\\');
        }
        self.raw("[");
        self.in_link = true;
        match words {
            true => self.boxed(nodes),
            // blocks in a link: what they say
            false => self.text(&words_of(nodes)),
        }
        self.in_link = false;
        self.raw("](");
        self.raw(&markdown_link_destination(&url));
        self.raw(")");
    }

    /// A picture; its words alone if there is none to show.
    pub(crate) fn image(&mut self, src: &str, place: Place, alt: &str, title: &str) {
        let url = self.addresses.load(src, place);
        if url.is_empty() {
            return self.text(&collapse_whitespace(alt));
        }
        self.raw("![");
        self.text(&collapse_whitespace(alt));
        self.raw(&format!("]({}{})", markdown_link_destination(&url), quote_picture_title(title, self.in_cell)));
    }

    pub(crate) fn line_break(&mut self, hard: bool) {
        match (self.one_line, hard) {
            (true, true) if self.in_cell => self.raw("<br />"),
            (true, _) => self.raw(" "),
            (false, true) => self.raw("\\\n"),
            // behind `<br />` the line has ended
            (false, false) if self.at_line_start || self.gap > 0 => {}
            (false, false) => self.raw("\n"),
        }
    }

    /// A code span that its code cannot close.
    pub(crate) fn code(&mut self, code: &str) {
        let code = collapse_whitespace(code);
        let code = if self.in_cell && code.contains('|') { code.replace('|', "\\|").into() } else { code };
        let ticks: Cow<'_, str> =
            if code.contains('`') { "`".repeat(longest_run(&code, b'`') + 1).into() } else { "`".into() };
        let space = if code.starts_with('`') || code.ends_with('`') { " " } else { "" };
        for piece in [&ticks, space, &code, space, &ticks] {
            self.raw(piece);
        }
    }

    /// Words, escaped where Markdown would read something else in them.
    pub(crate) fn text(&mut self, text: &str) {
        let text =
            if self.at_line_start || self.gap > 0 || self.fresh || self.cell_break { text.trim_start() } else { text };
        let flat;
        let text = if self.one_line && text.contains('\n') {
            flat = text.replace('\n', " ");
            &flat
        } else {
            text
        };
        let starts_line = self.at_line_start || self.gap > 0 || self.fresh;
        let plain = !text.bytes().any(|byte| MARKS[usize::from(byte)]);
        if plain && !(starts_line && begins_block(text)) {
            return self.raw(text);
        }
        let mut escaped = String::with_capacity(text.len() + 8);
        escape(text, starts_line && !self.one_line, self.in_cell, &mut escaped);
        self.raw(&escaped);
    }
}

/// Bytes that Markdown may read as more than themselves.
const MARKS: [bool; 256] = byte_set(b"\\`*_~[]<&|\n");

/// Appends text with the escapes that it needs. `starts_line`: it stands where blocks may begin.
fn escape(text: &str, starts_line: bool, in_cell: bool, out: &mut String) {
    let bytes = text.as_bytes();
    let mut copied = 0;
    let mut line_starts = starts_line;
    // one alone strikes nothing
    let tildes = bytes.iter().filter(|byte| **byte == b'~').count();
    for (at, &byte) in bytes.iter().enumerate() {
        let before = at.checked_sub(1).map_or(b' ', |before| bytes[before]);
        let after = bytes.get(at + 1).copied().unwrap_or(b' ');
        let special = match byte {
            b'\\' => after.is_ascii_punctuation(),
            b'`' => true,
            b'*' => !(before.is_ascii_whitespace() && after.is_ascii_whitespace() && at > 0),
            b'_' => !(before.is_ascii_alphanumeric() && after.is_ascii_alphanumeric()),
            b'~' => tildes > 1,
            b']' => matches!(after, b'(' | b'[' | b':') || at + 1 == bytes.len() && !is_alert(text),
            b'[' => at + 1 == bytes.len() || after == b'^',
            b'<' => after.is_ascii_alphabetic() || matches!(after, b'/' | b'!' | b'?'),
            b'&' => is_character_reference(cut(text, at).1),
            b'|' => in_cell,
            _ => false,
        };
        if special || line_starts && begins_block(cut(text, at).1) {
            out.push_str(text.get(copied..at).unwrap_or_default());
            // a number is a list by its dot
            if byte.is_ascii_digit() {
                let (_, rest) = cut(text, at);
                let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
                copied = text.len() - after.len();
                out.push_str(cut(rest, copied - at).0);
            } else {
                copied = at;
            }
            out.push('\\');
        }
        line_starts = byte == b'\n' || line_starts && byte == b' ';
    }
    out.push_str(cut(text, copied).1);
}

/// `[!NOTE]`: what makes a quote an alert.
fn is_alert(text: &str) -> bool {
    let name = text.strip_prefix("[!").and_then(|rest| rest.strip_suffix(']'));
    name.is_some_and(|name| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic()))
}

/// Whether a line that starts like this is a heading, quote, list, rule or table.
fn begins_block(line: &str) -> bool {
    let bytes = line.as_bytes();
    let is_space = |at: usize| bytes.get(at).is_none_or(|byte| byte.is_ascii_whitespace());
    match bytes.first() {
        Some(b'#') => is_space(bytes.iter().take_while(|byte| **byte == b'#').count()),
        Some(b'>' | b'|') => true,
        Some(b'-' | b'+') => is_space(1) || line.starts_with("---"),
        Some(b'=') => line.trim_end().bytes().all(|byte| byte == b'='),
        Some(b'0'..=b'9') => {
            let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
            digits < 10 && matches!(bytes.get(digits), Some(b'.' | b')')) && is_space(digits + 1)
        }
        _ => false,
    }
}

/// Whether text starts with a character reference: `&amp;`, `&#8288;`.
fn is_character_reference(text: &str) -> bool {
    let name = text.bytes().skip(1).take(32).take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'#').count();
    name > 0 && text.as_bytes().get(name + 1) == Some(&b';')
}

/// The title of a picture behind its address.
fn quote_picture_title(title: &str, in_cell: bool) -> String {
    let title = collapse_whitespace(title);
    if title.is_empty() {
        return title.into_owned();
    }
    let mark = if title.contains('"') && !title.contains('\'') { '\'' } else { '"' };
    let mut out = format!(" {mark}");
    for c in title.chars() {
        // what would end the title or the cell, or be read as an escape
        if c == mark || c == '\\' || c == '|' && in_cell {
            out.push('\\');
        }
        out.push(c);
    }
    out.push(mark);
    out
}

/// An address as the target of a link.
pub(crate) fn markdown_link_destination(url: &str) -> Cow<'_, str> {
    if url.contains([' ', '(', ')']) {
        format!("<{}>", url.replace('<', "%3C").replace('>', "%3E")).into()
    } else {
        url.into()
    }
}

/// Whether words can begin with a text: not if they are seen to begin with another.
fn may_begin(nodes: &[Node], with: &str) -> bool {
    match nodes {
        [Node::Text(text), ..] if text.len() >= with.len() => {
            text.starts_with(with) || text.starts_with(char::is_whitespace)
        }
        _ => true,
    }
}

/// Text with single spaces instead of line ends and runs of white space.
pub(crate) fn collapse_whitespace(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    // most short texts are seen to be so already
    let is_plain = |at: usize| {
        bytes[at] > b' ' || bytes[at] == b' ' && at > 0 && bytes.get(at + 1).is_some_and(|next| *next != b' ')
    };
    if text.is_ascii() && (0..bytes.len()).all(is_plain) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    for word in text.split_inclusive(char::is_whitespace) {
        let trimmed = word.trim_end();
        if trimmed.is_empty() && (out.is_empty() || out.ends_with(' ')) {
            continue;
        }
        out.push_str(trimmed);
        if trimmed.len() < word.len() {
            out.push(' ');
        }
    }
    out.truncate(out.trim_end().len());
    out.into()
}

/// The words of blocks, on one line.
fn words_of(nodes: &[Node]) -> String {
    fn push(nodes: &[Node], out: &mut String, depth: usize) {
        for node in nodes {
            match node {
                Node::Block(block) if depth > 0 => push(&block.children, out, depth - 1),
                Node::Element(element) if depth > 0 && !element.children.is_empty() && element.name != "svg" => {
                    push(&element.children, out, depth - 1)
                }
                node => out.push_str(&Node::text_of(std::slice::from_ref(node))),
            }
            if !is_phrasing(node) {
                out.push(' ');
            }
        }
    }
    let mut out = String::new();
    push(nodes, &mut out, limits::NESTING);
    collapse_whitespace(&out).into_owned()
}

/// The most marks in a row.
pub(super) fn longest_run(text: &str, mark: u8) -> usize {
    let mut longest = 0;
    let mut run = 0;
    for byte in text.bytes() {
        run = if byte == mark { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}
