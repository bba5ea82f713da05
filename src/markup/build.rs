//! pulldown-cmark's events and the scanner's slots to a tree. Tags open and close across Markdown's own blocks as
//! authors write them; what does not match costs a problem, never content.

use std::ops::Range;

use pulldown_cmark::{
    BlockQuoteKind, BrokenLink, CodeBlockKind, CowStr, Event, LinkType, Options, Parser, Tag as MdTag, TagEnd,
};
use rustc_hash::FxHashMap;

use base::cut::SliceText as _;
use base::limits::NESTING;
use base::printable::{self, is_unprintable};
use base::{Place, Problem, bytes, cjk, hidden_lines, html};
use load::tool::Dashes;

use super::ParsedFile;
use super::attributes::{self, Stands};
use super::autolink::push_linked;
use super::directive::{self, DirectiveLine, QuoteDirective, Rewritten, is_name_of_code};
use super::expr::PageExpr;
use super::fence::{fence_info, written_info};
use super::formula::fence_formulas;
use super::frames::{
    ClosingTags, EventCursor, FrameKind, HEADING_ID, OpenFrame, Owned, fold_label, is_blank, is_display_math, is_jsx,
    is_only_jsx, is_place_of_contents, is_word, lead_with_summary, take_heading_id, terms,
};
use super::row;
use super::scan::{PlaceholderSlot, SLOT, ScannedText, keeps_source};
use super::smart::push_smart;
use super::tag::{MarkupTag, TagKind};
use super::tree::{Align, BlockKind, CodeFence, Flaw, JsxElement, MarkdownBlock, Node, PropValue, Props};
use super::verbatim::dedent;

const COMMON: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS);

/// Builds the tree of a scanned MDX text. `source` is the text that was scanned.
pub(super) fn mdx(source: &str, mut scanned: ScannedText, punctuation: Option<Dashes>) -> ParsedFile {
    let text = std::mem::take(&mut scanned.text);
    let mut builder = TreeBuilder::new(source, &text, scanned, true);
    builder.punctuation = punctuation;
    for (event, range) in Parser::new_ext(&text, COMMON).into_offset_iter() {
        builder.event(event, range);
    }
    builder.finish()
}

/// Builds the tree of plain Markdown: CommonMark with GitHub's extensions, raw HTML kept.
/// `lines`, each with its place, stand in for the source.
pub(super) fn build_markdown(
    source: &str,
    start: Place,
    lines: Option<&[(String, Place)]>,
    dashes: Option<Dashes>,
) -> ParsedFile {
    let fenced = fence_formulas(source, start, lines);
    let lines = fenced.as_deref().or(lines);
    let mut rewritten = match lines {
        Some(lines) => Some(directive::of_lines(
            &lines.iter().map(|(text, place)| DirectiveLine { text, place: *place }).collect::<Vec<_>>(),
        )),
        None => directive::rewrite_directives(source, start),
    };
    let text = rewritten.as_mut().map(|rewritten| std::mem::take(&mut rewritten.text));
    let source = row::without_tabs_in_rules(text.as_deref().unwrap_or(source));
    let source = &*source;
    let Rewritten { lines, directives, problems, .. } = rewritten.unwrap_or_else(|| {
        let mut lines = vec![(0, start)];
        for (number, newline) in memchr::memchr_iter(b'\n', source.as_bytes()).enumerate() {
            lines.push((newline + 1, Place { line: start.line + number as u32 + 1, ..start }));
        }
        Rewritten { lines, ..Rewritten::default() }
    });
    let mut builder = TreeBuilder::new(
        source,
        source,
        ScannedText { lines, problems, has_marks: source.contains(cjk::MARK), ..ScannedText::default() },
        false,
    );
    (builder.directives, builder.punctuation) = (directives, dashes);
    // `[text][package.name]`, `[package.name][]` leads into a reference that MkDocs makes from code: its text stays
    let mut unknown = |link: BrokenLink<'_>| {
        (matches!(link.link_type, LinkType::Reference | LinkType::Collapsed) && is_name_of_code(&link.reference))
            .then(|| ("".into(), "".into()))
    };
    let terms = if memchr::memmem::find(source.as_bytes(), b"\n: ").is_some() {
        Options::ENABLE_DEFINITION_LIST
    } else {
        Options::empty()
    };
    let options = COMMON | Options::ENABLE_GFM | Options::ENABLE_HEADING_ATTRIBUTES | Options::ENABLE_MATH | terms;
    for (event, range) in Parser::new_with_broken_link_callback(source, options, Some(&mut unknown)).into_offset_iter()
    {
        builder.event(event, range);
    }
    builder.finish()
}

pub(super) struct TreeBuilder<'a> {
    source: &'a str,
    /// The text that pulldown-cmark reads: placeholders stand for MDX.
    pub(super) read: &'a str,
    pub(super) scanned: ScannedText,
    pub(super) mdx: bool,
    pub(super) frames: Vec<OpenFrame>,
    /// For each open Markdown construct: whether its frame is still open (or was closed early, or was too deep).
    pub(super) open: Vec<bool>,
    /// Text not yet turned into a node, and where it started.
    pub(super) text: String,
    /// How quotes, dashes and dots become typographic; `None` if they stay as they are written.
    punctuation: Option<Dashes>,
    /// The last character of the paragraph so far, for smart punctuation.
    last: Option<char>,
    cursor: EventCursor,
    /// JSX elements that are open but too deep to have a frame.
    flattened: usize,
    /// Numbers of footnotes, by label.
    footnotes: FxHashMap<String, usize>,
    pub(super) closing_tags: ClosingTags<'a>,
    /// The directives that stand as quotes in the text, by the numbers of their marks.
    directives: Vec<QuoteDirective>,
    /// The list that ends next stands for the page's contents.
    is_contents: bool,
    /// The HTML of plain Markdown.
    pub(super) owned: Owned,
}

impl<'a> TreeBuilder<'a> {
    fn new(source: &'a str, read: &'a str, scanned: ScannedText, mdx: bool) -> Self {
        let root = OpenFrame { kind: FrameKind::Root, children: Vec::new(), place: Place::default() };
        Self {
            source,
            read,
            scanned,
            mdx,
            frames: vec![root],
            open: Vec::new(),
            text: String::new(),
            punctuation: None,
            last: None,
            cursor: EventCursor::default(),
            flattened: 0,
            footnotes: FxHashMap::default(),
            closing_tags: ClosingTags::new(source),
            directives: Vec::new(),
            is_contents: false,
            owned: Owned::default(),
        }
    }

    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        let offset = range.start;
        match event {
            Event::End(tag) => {
                if tag == TagEnd::TableRow {
                    self.keep_surplus_cells(range.clone());
                }
                self.owned.ends.pop();
                self.end(tag, range.end);
            }
            event if offset < self.owned.end => self.in_owned(event, range),
            Event::Start(tag) => {
                self.owned.ends.push(range.end);
                self.start(tag, offset);
            }
            Event::Text(text) => {
                let text = self.original(text);
                match &mut self.top().kind {
                    FrameKind::Fence(fence) => fence.code.push_str(&text),
                    _ => self.text.push_str(&text),
                }
            }
            Event::Code(code) => {
                self.flush();
                let code = self.original(code);
                self.last = code.chars().next_back().or(self.last);
                self.push(Node::Code(code.into_string()));
            }
            Event::Html(html) | Event::InlineHtml(html) if self.mdx => self.slots(&html),
            Event::Html(html) => self.html_line(html, offset),
            Event::InlineHtml(html) => self.inline_html(html, range),
            Event::SoftBreak | Event::HardBreak => {
                self.flush();
                self.last = Some(' ');
                self.push(Node::Break { hard: matches!(event, Event::HardBreak) });
            }
            Event::Rule => {
                self.flush();
                self.push(Node::Rule);
            }
            Event::FootnoteReference(label) => {
                self.flush();
                let number = self.footnote_number(&label);
                self.push(Node::FootnoteRef(number));
            }
            Event::TaskListMarker(checked) => {
                for frame in self.frames.iter_mut().rev() {
                    if let FrameKind::Block(BlockKind::Item { checked: state }) = &mut frame.kind {
                        *state = Some(checked);
                        break;
                    }
                }
            }
            Event::InlineMath(tex) if !self.is_math(range) => {
                self.text.push('$');
                let tex = self.original(tex);
                self.text.push_str(&tex);
                self.text.push('$');
            }
            Event::InlineMath(tex) => self.math(false, tex, offset),
            Event::DisplayMath(tex) => self.math(true, tex, offset),
        }
    }

    /// Keeps the cells of a row beyond those of its table's header, which tables of GitHub's Markdown leave out.
    fn keep_surplus_cells(&mut self, row: Range<usize>) {
        let columns = self.frames.iter().rev().find_map(|frame| {
            if let FrameKind::Block(BlockKind::Table { align }) = &frame.kind { Some(align.len()) } else { None }
        });
        let (Some(columns), Some(text)) = (columns, self.read.get(row.clone())) else { return };
        let Some(row::SurplusCells { cells, problem }) = row::surplus_cells(text, columns) else { return };
        let problem = problem.map_place(|offset| self.place(row.start + offset));
        self.scanned.problems.push(problem);
        for (at, cell) in cells {
            // in a table of its own, it is read as a cell
            let table = format!("|{cell}|\n|-|\n");
            let events = Parser::new_ext(&table, COMMON).into_offset_iter();
            let from = events.skip_while(|(event, _)| !matches!(event, Event::Start(MdTag::TableCell)));
            for (event, range) in from.take_while(|(event, _)| !matches!(event, Event::End(TagEnd::TableHead))) {
                self.event(event, row.start + at + range.start - 1..row.start + at + range.end - 1);
            }
        }
    }

    /// A text of the parser as its author wrote it: without our marks, and with the source of placeholders that the
    /// parser has not read as tags, in code that begins where the scanner saw none, or in a link's title.
    pub(super) fn original<'t>(&self, text: CowStr<'t>) -> CowStr<'t> {
        // a character reference is a text of its own
        let has_marks = self.scanned.has_marks;
        if text.len() <= 4 && text.chars().any(|c| is_unprintable(c) && (c != cjk::MARK || !has_marks)) {
            return printable::printable(&text).into_owned().into();
        }
        // both begin with this byte
        if bytes::find_byte(text.as_bytes(), [b'\xef']).is_none() || !text.contains([cjk::MARK, SLOT]) {
            return text;
        }
        let mut out = String::with_capacity(text.len());
        let mut rest = &*text;
        while let Some(at) = rest.find([cjk::MARK, SLOT]) {
            let (before, after) = (rest.slice(..at), rest.slice(at + SLOT.len_utf8()..));
            let is_mark = rest.slice(at..).starts_with(cjk::MARK);
            rest = after;
            if is_mark {
                out.push_str(before);
                continue;
            }
            let digits = after.bytes().take_while(u8::is_ascii_digit).count();
            let slotted = after.slice(..digits).parse::<usize>().ok().and_then(|number| self.scanned.slots.get(number));
            let opened = before.strip_suffix("<o a=").or_else(|| before.strip_suffix("<!--"));
            if let (Some(slotted), Some(before)) = (slotted, opened) {
                out.push_str(before);
                out.push_str(self.source.slice(slotted.start..slotted.end));
                let tail = after.slice(digits..);
                rest = tail.strip_prefix("-->").or_else(|| tail.strip_prefix('>')).unwrap_or(tail);
            } else {
                out.push_str(before);
                out.push(printable::REPLACEMENT);
            }
        }
        out.push_str(rest);
        out.into()
    }

    fn start(&mut self, tag: MdTag<'_>, offset: usize) {
        self.flush();
        let kind = match tag {
            MdTag::Paragraph => FrameKind::Block(BlockKind::Paragraph),
            MdTag::Heading { level, id, .. } => FrameKind::Block(BlockKind::Heading {
                level: level as u8,
                id: id.map(|id| super::slug::custom_id(&id)),
            }),
            MdTag::BlockQuote(None) => FrameKind::Block(BlockKind::Quote),
            MdTag::BlockQuote(Some(kind)) => {
                let name = match kind {
                    BlockQuoteKind::Note => "Note",
                    BlockQuoteKind::Tip => "Tip",
                    BlockQuoteKind::Important => "Info",
                    BlockQuoteKind::Warning => "Warning",
                    BlockQuoteKind::Caution => "Danger",
                };
                FrameKind::Jsx(Box::new(JsxElement { name: name.to_owned(), ..JsxElement::default() }), None)
            }
            MdTag::DefinitionList => terms("dl"),
            MdTag::DefinitionListTitle => terms("dt"),
            MdTag::DefinitionListDefinition => terms("dd"),
            MdTag::List(start) => FrameKind::Block(BlockKind::List { start }),
            MdTag::Item => FrameKind::Block(BlockKind::Item { checked: None }),
            MdTag::Table(align) => {
                FrameKind::Block(BlockKind::Table { align: align.into_iter().map(Align::from).collect() })
            }
            MdTag::TableHead => FrameKind::Block(BlockKind::Row { head: true }),
            MdTag::TableRow => FrameKind::Block(BlockKind::Row { head: false }),
            MdTag::TableCell => FrameKind::Block(BlockKind::Cell),
            MdTag::Emphasis => FrameKind::Block(BlockKind::Emphasis),
            MdTag::Strong => FrameKind::Block(BlockKind::Strong),
            MdTag::Strikethrough => FrameKind::Block(BlockKind::Strike),
            MdTag::Link { link_type: LinkType::Email, dest_url, .. } => {
                FrameKind::Block(BlockKind::Link { href: format!("mailto:{dest_url}"), title: String::new() })
            }
            MdTag::Link { dest_url, title, .. } => FrameKind::Block(BlockKind::Link {
                href: self.original(dest_url).into_string(),
                title: self.original(title).into_string(),
            }),
            MdTag::Image { dest_url, title, .. } => FrameKind::Block(BlockKind::Image {
                src: self.original(dest_url).into_string(),
                title: self.original(title).into_string(),
            }),
            MdTag::FootnoteDefinition(label) => {
                let label = self.footnote_number(&label);
                FrameKind::Block(BlockKind::FootnoteDef { label })
            }
            MdTag::CodeBlock(kind) => {
                let info = match kind {
                    CodeBlockKind::Fenced(info) => self.original(written_info(self.read, offset).unwrap_or(info)),
                    CodeBlockKind::Indented => "".into(),
                };
                let (info, hidden) = hidden_lines::take_hidden_lines(&info);
                let (lang, meta) = fence_info(info);
                FrameKind::Fence(CodeFence {
                    lang,
                    meta,
                    hidden: hidden.to_owned(),
                    is_escaped: true,
                    ..CodeFence::default()
                })
            }
            MdTag::HtmlBlock => {
                self.open.push(false);
                return;
            }
            _ => FrameKind::Block(BlockKind::Paragraph),
        };
        if self.frames.len() >= NESTING {
            self.open.push(false);
            return;
        }
        if !matches!(
            kind,
            FrameKind::Block(BlockKind::Emphasis | BlockKind::Strong | BlockKind::Strike | BlockKind::Link { .. })
        ) {
            self.last = None;
        }
        let place = self.place(offset);
        self.frames.push(OpenFrame { kind, children: Vec::new(), place });
        self.open.push(true);
    }

    fn end(&mut self, tag: TagEnd, end: usize) {
        self.flush();
        if tag == TagEnd::HtmlBlock {
            self.end_html_block(end);
        }
        if self.open.pop() != Some(true) {
            return;
        }
        // JSX elements that were opened inside and not closed
        let at = self.frames.iter().rposition(|frame| !is_jsx(frame)).filter(|at| *at > 0);
        if matches!(
            tag,
            TagEnd::BlockQuote(Some(_))
                | TagEnd::DefinitionList
                | TagEnd::DefinitionListTitle
                | TagEnd::DefinitionListDefinition
        ) {
            // the frame of an alert or of a list of terms is that of a component, and the root stays
            if self.frames.len() > 1
                && let Some(frame) = self.frames.pop()
                && !frame.children.iter().all(is_blank)
            {
                self.close_frame(frame, None);
            }
            return;
        }
        let Some(at) = at else { return };
        let tags = &self.closing_tags;
        let is_closed =
            |frame: &OpenFrame| matches!(&frame.kind, FrameKind::Jsx(element, _) if tags.have(&element.name));
        if self.frames[at + 1..].iter().any(is_closed)
            && matches!(self.frames[at].kind, FrameKind::Block(BlockKind::Paragraph))
        {
            self.promote(at);
            return;
        }
        while self.frames.len() - 1 > at {
            self.close_unclosed();
        }
        let Some(frame) = self.frames.pop() else { return };
        self.close_frame(frame, None);
    }

    /// A paragraph ends while elements that opened in it are still open: `<Note>text` and `</Note>` further down. The
    /// paragraph is split around the opening tag, and the elements stay open as blocks.
    fn promote(&mut self, at: usize) {
        let paragraph = self.frames.remove(at);
        if paragraph.children.iter().any(|node| !is_blank(node)) {
            let block =
                MarkdownBlock { kind: BlockKind::Paragraph, children: paragraph.children, place: paragraph.place };
            self.frames[at - 1].children.push(Node::Block(Box::new(block)));
        }
        for frame in &mut self.frames[at..] {
            if let FrameKind::Jsx(element, _) = &mut frame.kind {
                element.inline = false;
            }
        }
        let top = self.top();
        let (inline, place) = (std::mem::take(&mut top.children), top.place);
        if inline.iter().any(|node| !is_blank(node)) {
            let block = MarkdownBlock { kind: BlockKind::Paragraph, children: inline, place };
            self.top().children.push(Node::Block(Box::new(block)));
        }
    }

    /// Turns a frame that has ended into a node of its parent. `end` is the source offset of its closing tag.
    fn close_frame(&mut self, frame: OpenFrame, end: Option<usize>) {
        let OpenFrame { kind, mut children, place } = frame;
        match kind {
            FrameKind::Root => {}
            FrameKind::Block(BlockKind::Paragraph)
                if (self.mdx || children.iter().any(is_display_math)) && is_only_jsx(&children) =>
            {
                for mut node in children {
                    if is_blank(&node) {
                        continue;
                    }
                    if let Node::Element(element) = &mut node {
                        element.inline = false;
                    }
                    self.push(node);
                }
            }
            FrameKind::Block(BlockKind::Paragraph) if children.iter().all(is_blank) => {}
            FrameKind::Block(BlockKind::Paragraph) if self.mdx && children.iter().any(is_display_math) => {
                // in a sentence, two dollars are one
                for node in &mut children {
                    if let Node::Math { display, .. } = node {
                        *display = false;
                    }
                }
                self.push(Node::Block(Box::new(MarkdownBlock { kind: BlockKind::Paragraph, children, place })));
            }
            FrameKind::Block(BlockKind::Paragraph) if !self.mdx && is_place_of_contents(&children) => {}
            // only where the mark stands in the one item; the frame's contents stand beside the page
            FrameKind::Block(BlockKind::List { .. })
                if std::mem::take(&mut self.is_contents) && children.len() == 1 => {}
            FrameKind::Block(BlockKind::Quote) if !self.directives.is_empty() => {
                let node = directive::element(children, &self.directives, place).map_or_else(
                    |children| Node::Block(Box::new(MarkdownBlock { kind: BlockKind::Quote, children, place })),
                    |element| Node::Element(Box::new(element)),
                );
                self.push(node);
            }
            FrameKind::Block(kind) => {
                let mut kind = kind;
                if let BlockKind::Heading { id, .. } = &mut kind {
                    take_heading_id(&mut children, id);
                }
                self.push(Node::Block(Box::new(MarkdownBlock { kind, children, place })));
            }
            FrameKind::Fence(mut fence) => {
                if fence.code.ends_with('\n') {
                    fence.code.pop();
                }
                fence.place = place;
                // GitHub's
                let is_formula = !self.mdx && fence.lang == "math" && fence.meta.is_empty();
                self.push(if is_formula {
                    Node::Math { display: true, tex: fence.code, place }
                } else {
                    Node::Fence(Box::new(fence))
                });
            }
            FrameKind::Jsx(mut element, from) => {
                if let (Some(from), Some(end)) = (from, end) {
                    element.raw = Some(dedent(self.source.slice(from..end.max(from))).into());
                }
                if element.name == "details" {
                    lead_with_summary(&mut children);
                }
                element.children = children;
                self.push(Node::Element(element));
            }
        }
    }

    /// Closes the innermost element, which its author forgot to close.
    fn close_unclosed(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        let mut frame = frame;
        let is_closed = matches!(&frame.kind, FrameKind::Jsx(element, _) if self.closing_tags.have(&element.name));
        if let FrameKind::Jsx(element, _) = &mut frame.kind {
            if !is_closed {
                element.flaw = Flaw::Unclosed;
            }
            self.scanned.problems.push(
                Problem::new("mdx-unclosed-tag", format!("`<{}>` is not closed here", element.name), frame.place)
                    .hint("add the closing tag inside the same list item, quote or block"),
            );
        }
        if let FrameKind::Jsx(element, _) = &frame.kind
            && element.flaw == Flaw::Unclosed
            && is_word(element)
            && let Some(words) = element.as_words()
        {
            let word = Node::Text(words);
            self.push(if element.inline {
                word
            } else {
                let place = frame.place;
                Node::Block(Box::new(MarkdownBlock { kind: BlockKind::Paragraph, children: vec![word], place }))
            });
            return self.top().children.append(&mut frame.children);
        }
        self.close_frame(frame, None);
    }

    // -- slots

    /// `<!--7--><!--8-->` and `<o a=7>`, each with the mark before its number.
    fn slots(&mut self, html: &str) {
        let inline = html.starts_with("<o");
        for part in html.split(SLOT).skip(1) {
            let digits = part.slice(..part.bytes().take_while(u8::is_ascii_digit).count());
            if let Ok(number) = digits.parse::<usize>() {
                self.slot(number, inline);
            }
        }
    }

    fn slot(&mut self, number: usize, inline: bool) {
        let Some(slotted) = self.scanned.slots.get_mut(number) else { return };
        let (place, start, end) = (slotted.place, slotted.start, slotted.end);
        let Some(slot) = slotted.slot.take() else { return };
        self.flush();
        match slot {
            PlaceholderSlot::Tag(tag) => self.tag(tag, inline, place, start, end),
            PlaceholderSlot::Expr(expr) => {
                // what stands by itself is a word of its own
                if !inline && self.frames.len() == 1 && matches!(self.top().children.last(), Some(Node::Expr(_))) {
                    self.push(Node::Break { hard: false });
                }
                // for the quotes around it
                self.last = match &expr {
                    PageExpr::Literal(PropValue::String(text)) => text.chars().next_back().or(self.last),
                    _ => Some('x'),
                };
                self.push(Node::Expr(Box::new((expr, place))));
            }
            PlaceholderSlot::HeadingId(id) => {
                // found again when the heading ends
                self.push(Node::Element(Box::new(JsxElement {
                    name: HEADING_ID.to_owned(),
                    raw: Some(id.into()),
                    ..JsxElement::default()
                })));
            }
            PlaceholderSlot::Math { display, tex } => {
                self.last = Some('x');
                self.push(Node::Math { display, tex, place });
            }
            PlaceholderSlot::Fence(fence) => self.push(Node::Fence(Box::new(fence))),
            PlaceholderSlot::Text(text) => self.push(Node::Text(text)),
        }
    }

    fn tag(&mut self, tag: MarkupTag, inline: bool, place: Place, start: usize, end: usize) {
        let keep = keeps_source(&tag).then_some(end);
        let element = |tag: MarkupTag| {
            Box::new(JsxElement { name: tag.name, props: tag.props, inline, place, ..JsxElement::default() })
        };
        match tag.kind {
            // `cp <source> <target>`
            TagKind::Empty
                if inline
                    && html::is_void(&tag.name)
                    && html::may_be_word(&tag.name)
                    && tag.props.0.is_empty()
                    && !self.source.slice(start..end).ends_with("/>") =>
            {
                self.text.push_str(self.source.slice(start..end));
            }
            TagKind::Empty => {
                self.last = Some(if tag.name == "br" { ' ' } else { 'x' });
                self.push(Node::Element(element(tag)));
            }
            TagKind::Open if self.frames.len() >= NESTING => self.flattened += 1,
            TagKind::Open => {
                self.frames.push(OpenFrame { kind: FrameKind::Jsx(element(tag), keep), children: Vec::new(), place })
            }
            TagKind::Close => self.close_tag(&tag.name, place, start),
        }
    }

    fn close_tag(&mut self, name: &str, place: Place, start: usize) {
        let found = self
            .frames
            .iter()
            .rposition(|frame| matches!(&frame.kind, FrameKind::Jsx(element, _) if element.name == name));
        let Some(at) = found else {
            if self.flattened > 0 {
                self.flattened -= 1;
                return;
            }
            // `<br></br>` is how JSX may write it
            let before = self.top().children.iter().rev().find(|node| !is_blank(node));
            if html::is_void(name) && matches!(before, Some(Node::Element(element)) if element.name == name) {
                return;
            }
            self.scanned.problems.push(
                Problem::new("mdx-stray-close", format!("`</{name}>` has no opening tag"), place)
                    .hint("remove it, or open the element in the same list item, quote or block"),
            );
            return;
        };
        let in_paragraph = matches!(self.top().kind, FrameKind::Block(BlockKind::Paragraph));
        while self.frames.len() - 1 > at {
            if is_jsx(self.top()) {
                self.close_unclosed();
            } else {
                // a Markdown construct that began inside the element ends with it
                if let Some(alive) = self.open.iter_mut().rev().find(|alive| **alive) {
                    *alive = false;
                }
                let Some(frame) = self.frames.pop() else { return };
                self.close_frame(frame, None);
            }
        }
        let Some(frame) = self.frames.pop() else { return };
        self.close_frame(frame, Some(start));
        if in_paragraph && self.open.last() == Some(&false) && self.frames.len() < NESTING {
            // what follows in the same paragraph is one of its own
            self.frames.push(OpenFrame { kind: FrameKind::Block(BlockKind::Paragraph), children: Vec::new(), place });
            if let Some(alive) = self.open.last_mut() {
                *alive = true;
            }
        }
    }

    // -- text

    pub(super) fn flush(&mut self) {
        if self.text.is_empty() {
            return;
        }
        let mut text = std::mem::take(&mut self.text);
        let (mut linked, mut in_code) = (false, false);
        for frame in &self.frames {
            match &frame.kind {
                FrameKind::Block(BlockKind::Link { .. } | BlockKind::Image { .. }) => linked = true,
                FrameKind::Jsx(element, _) => {
                    linked |= element.name == "a";
                    in_code |= html::is_code_element(&element.name);
                }
                _ => {}
            }
        }
        if in_code && self.mdx {
            return self.flush_code(text, linked);
        }
        let mut nodes = Vec::new();
        if linked || !push_linked(&text, &mut nodes) {
            if self.mdx {
                // nearly all text comes here: its memory is used again
                self.push_smart(&text);
                text.clear();
                self.text = text;
                return;
            }
            nodes.clear();
            nodes.push(Node::Text(text));
        }
        if !self.mdx
            && let Some(Node::Text(first)) = nodes.first()
            && let Some(stripped) = attributes::strip(first, self.stands())
        {
            let of_picture = attributes::of_picture(first);
            self.is_contents |= attributes::is_for_contents(first) && self.is_in_item();
            nodes.splice(..1, stripped);
            self.give_to_picture(of_picture);
        }
        for node in nodes {
            match node {
                Node::Text(text) if self.punctuation.is_some() => self.push_smart(&text),
                node => self.push(node),
            }
        }
    }

    /// Text in an element of code keeps its quotes and dashes.
    fn flush_code(&mut self, text: String, linked: bool) {
        self.last = text.chars().next_back();
        let mut nodes = Vec::new();
        match linked || !push_linked(&text, &mut nodes) {
            true => self.push(Node::Text(text)),
            false => self.top().children.append(&mut nodes),
        }
    }

    fn push_smart(&mut self, text: &str) {
        let Some(dashes) = self.punctuation else { return self.push(Node::Text(text.to_owned())) };
        let keeps_dashes = dashes == Dashes::BothInText && self.frames.iter().any(OpenFrame::is_heading);
        let mut smart = String::with_capacity(text.len());
        self.last = push_smart(&mut smart, text, self.last, (!keeps_dashes).then_some(dashes));
        self.push(Node::Text(smart));
    }

    /// Whether text that comes next stands in an item of a list, and in nothing within it but a paragraph.
    fn is_in_item(&self) -> bool {
        let is_item = |frame: &OpenFrame| matches!(frame.kind, FrameKind::Block(BlockKind::Item { .. }));
        match self.frames.as_slice() {
            [.., item, OpenFrame { kind: FrameKind::Block(BlockKind::Paragraph), .. }] | [.., item] => is_item(item),
            [] => false,
        }
    }

    /// Gives attributes to the picture that was written last, if that is what stands here.
    fn give_to_picture(&mut self, attributes: Vec<(&'static str, String)>) {
        let Some(Node::Block(picture)) = self.top().children.last_mut() else { return };
        let BlockKind::Image { src, title } = &mut picture.kind else { return };
        if attributes.is_empty() {
            return;
        }
        let mut props = Props::default();
        props.set("src", PropValue::String(std::mem::take(src)));
        props.set("alt", PropValue::String(Node::text_of(&picture.children)));
        if !title.is_empty() {
            props.set("title", PropValue::String(std::mem::take(title)));
        }
        attributes.into_iter().for_each(|(name, value)| props.set(name, PropValue::String(value)));
        let element =
            JsxElement { name: "img".to_owned(), props, inline: true, place: picture.place, ..JsxElement::default() };
        self.top().children.pop();
        self.push(Node::Element(Box::new(element)));
    }

    /// Where text stands that comes next.
    fn stands(&self) -> Stands {
        match self.frames.last().and_then(|frame| frame.children.last()) {
            None | Some(Node::Break { .. } | Node::Text(_)) => Stands::First,
            Some(_) => Stands::Behind,
        }
    }

    pub(super) fn push(&mut self, node: Node) {
        self.top().children.push(node);
    }

    fn top(&mut self) -> &mut OpenFrame {
        let top = self.frames.len() - 1;
        &mut self.frames[top]
    }

    fn footnote_number(&mut self, label: &str) -> String {
        let next = self.footnotes.len() + 1;
        self.footnotes.entry(fold_label(label)).or_insert(next).to_string()
    }

    /// The place of an offset in the scanned text.
    pub(super) fn place(&mut self, offset: usize) -> Place {
        self.cursor.place(&self.scanned.lines, self.read, offset)
    }

    fn finish(mut self) -> ParsedFile {
        self.flush();
        while self.frames.len() > 1 {
            if is_jsx(self.top()) {
                self.close_unclosed();
            } else if let Some(frame) = self.frames.pop() {
                self.close_frame(frame, None);
            }
        }
        let nodes = self.frames.pop().map(|root| root.children).unwrap_or_default();
        ParsedFile {
            nodes,
            module: self.scanned.module,
            problems: self.scanned.problems,
            first_line: 1,
            source_bytes: 0,
        }
    }
}
