//! Markdown constructs to HTML. Paragraphs are opened only around phrasing content (see `phrasing`), so the result
//! never needs a parser's repair.

use base::cut::SliceText as _;
use base::emoji::replace_emoji_names;
use base::{Place, html, limits, url};
use markup::tree::{BlockKind, MarkdownBlock, Node};
use site::page::PageMode;

use super::phrasing::{all_phrasing, is_blank, is_phrasing};
use super::{
    Renderer, TocEntry, component, diagram, html_element,
    island::{self, write_island_part},
    math, outline,
    table::write_table,
};

impl Renderer<'_> {
    /// Writes nodes.
    pub fn nodes(&mut self, nodes: &[Node]) {
        self.raw_scope(|r| {
            for (at, node) in nodes.iter().enumerate() {
                r.node(node);
                if r.state.phrasing > 0 && at + 1 < nodes.len() && !is_phrasing(node) {
                    r.out.push(' ');
                }
            }
        });
    }

    /// Writes nodes where blocks are expected (the page, the body of a component): sentences that stand between blocks
    /// become paragraphs.
    pub fn flow(&mut self, nodes: &[Node]) {
        if self.state.phrasing > 0 {
            return self.nodes(nodes);
        }
        self.raw_scope(|r| r.runs(nodes, false));
    }

    /// Writes runs of phrasing content as paragraphs and everything else as it is. Runs without a word (pictures,
    /// anchors) only become paragraphs if they come from one (`always`).
    fn runs(&mut self, nodes: &[Node], always: bool) {
        let mut from = 0;
        while from < nodes.len() {
            if !is_phrasing(&nodes[from]) {
                self.node(&nodes[from]);
                from += 1;
                continue;
            }
            let length = nodes[from..].iter().take_while(|node| is_phrasing(node)).count();
            let run = &nodes[from..from + length];
            from += length;
            if is_blank(run) {
                continue;
            }
            let is_paragraph = always || run.iter().any(says_something);
            self.out.push_str(if is_paragraph { "<p>" } else { "" });
            // elements that stood on lines of their own are still words apart
            for words in trim_run(run).chunk_by(|one, two| !matches!((one, two), (Node::Element(_), Node::Element(_))))
            {
                self.nodes(words);
                self.out.push_str(if always { "" } else { "\n" });
            }
            self.out.push_str(if is_paragraph { "</p>\n" } else { "" });
        }
    }

    fn node(&mut self, node: &Node) {
        if self.state.depth >= limits::NESTING {
            return self.flatten(node);
        }
        self.state.depth += 1;
        match node {
            Node::Text(text) => self.words(text),
            Node::Code(code) => {
                self.out.push_str("<code>");
                self.name(code);
                self.out.push_str("</code>");
            }
            Node::Html { markup, place } => self.raw_html(markup, *place),
            Node::Break { hard: true } => self.out.push_str(if self.state.in_code == 0 { "<br>\n" } else { "<br>" }),
            Node::Break { hard: false } => self.out.push('\n'),
            Node::Rule if self.state.phrasing == 0 => self.out.push_str("<hr>\n"),
            Node::Rule | Node::Expr(_) => {}
            Node::Fence(fence) if self.state.phrasing > 0 => {
                self.out.push_str("<code>");
                self.text(&fence.code);
                self.out.push_str("</code>");
            }
            Node::Fence(fence) if fence.lang == "mermaid" => {
                diagram::write_diagram(self, &fence.code, &fence.meta, fence.place)
            }
            Node::Fence(fence) => component::write_code_fence(self, fence),
            Node::Math { display, tex, place } => {
                math::write_formula(self, tex, *display && self.state.phrasing == 0, *place)
            }
            Node::FootnoteRef(label) => self.footnote_ref(label),
            Node::Block(block) => self.block(block),
            Node::Element(element) => component::write_jsx_element(self, element),
            Node::Island(island) => island::write_island(self, island),
            Node::Part(part) => write_island_part(self, part),
        }
        self.state.depth -= 1;
    }

    /// What lies too deep keeps its text, without its marks.
    fn flatten(&mut self, node: &Node) {
        let mut left = vec![node];
        while let Some(node) = left.pop() {
            match node {
                Node::Text(text) | Node::Code(text) => self.text(text),
                Node::Fence(fence) => self.text(&fence.code),
                Node::Math { tex, .. } => self.text(tex),
                Node::Break { .. } => self.out.push('\n'),
                Node::Block(block) => left.extend(block.children.iter().rev()),
                Node::Element(element) => left.extend(element.children.iter().rev()),
                Node::Island(island) => left.extend(island.children.iter().rev()),
                Node::Part(part) => left.extend(part.children.iter().rev()),
                _ => {}
            }
        }
    }

    fn block(&mut self, block: &MarkdownBlock) {
        match &block.kind {
            BlockKind::Paragraph => self.paragraph(&block.children),
            BlockKind::Heading { level, id } => self.heading(*level, id.as_deref(), &block.children),
            BlockKind::Emphasis => self.wrap("em", &block.children),
            BlockKind::Strong => self.wrap("strong", &block.children),
            BlockKind::Strike => self.wrap("del", &block.children),
            BlockKind::Link { href, title } => self.link(href, title, &block.children, block.place),
            BlockKind::Image { src, title } => self.markdown_image(src, title, &block.children, block.place),
            BlockKind::FootnoteDef { label } => self.footnote_def(label, &block.children, block.place),
            _ if self.state.phrasing > 0 => self.nodes(&block.children),
            BlockKind::Quote => {
                self.out.push_str("<blockquote>\n");
                self.flow(&block.children);
                self.out.push_str("</blockquote>\n");
            }
            BlockKind::List { start } => self.list(*start, &block.children),
            BlockKind::Item { checked } => self.item(*checked, &block.children),
            BlockKind::Table { align } => write_table(self, align, &block.children),
            BlockKind::Row { .. } | BlockKind::Cell => self.nodes(&block.children),
        }
    }

    fn wrap(&mut self, tag: &str, children: &[Node]) {
        self.out.push('<');
        self.out.push_str(tag);
        self.out.push('>');
        self.nodes(children);
        self.out.push_str("</");
        self.out.push_str(tag);
        self.out.push('>');
    }

    fn paragraph(&mut self, children: &[Node]) {
        if self.state.phrasing > 0 {
            return self.nodes(children);
        }
        if is_blank(children) {
            return;
        }
        if all_phrasing(children) {
            let start = self.out.len();
            self.out.push_str("<p>");
            self.nodes(children);
            // a paragraph of nothing but refused or invisible elements leaves no gap
            if self.out.slice(start..).trim_end() == "<p>" {
                self.out.truncate(start);
            } else {
                self.out.push_str("</p>\n");
            }
            return;
        }
        self.raw_scope(|r| r.runs(children, true));
    }

    /// A Markdown heading: its anchor follows the anchor rules, `{#id}` wins.
    fn heading(&mut self, level: u8, id: Option<&str>, children: &[Node]) {
        if self.state.phrasing > 0 {
            return self.wrap("strong", children);
        }
        let text = outline::heading_node_text(children);
        let base = id.map_or_else(|| outline::slug_by(self.ids.rule, &text), str::to_owned);
        let is_bare = level > 1 || !children.iter().any(holds_more);
        let given = self.heading_with(level, &base, &text, is_bare, "", |r| r.nodes(children));
        if id.is_none() {
            self.page.headings.push((text, given));
        }
    }

    /// Writes a heading with an anchor of its own, enters it into the contents and says which anchor that is.
    /// `attributes` are written as they are. `is_bare`: it holds nothing but its words. A page has one `<h1>`, its
    /// title, so a first-level heading of the content is an `<h2>` that looks like one.
    pub(crate) fn heading_with(
        &mut self,
        level: u8,
        base: &str,
        text: &str,
        is_bare: bool,
        attributes: &str,
        content: impl FnOnce(&mut Self),
    ) -> String {
        let level = level.clamp(1, 6);
        let tag = level.max(2);
        let id = if base.is_empty() { String::new() } else { self.ids.heading(base) };
        let repeats = level == 1 && self.repeats_title(text, is_bare);
        self.out.push_str(&format!("<h{tag}"));
        if level == 1 {
            self.out.push_str(if repeats { " class=\"h1 repeats-title\"" } else { " class=\"h1\"" });
        }
        if !id.is_empty() {
            self.attr("id", &id);
        }
        self.out.push_str(attributes);
        self.out.push('>');
        if self.heading_ids && !id.is_empty() && self.state.in_link == 0 {
            self.out.push_str("<a class=\"heading-anchor\" href=\"#");
            html::push_attr(&mut self.out, &url::encode_fragment(&id));
            self.out.push_str("\" aria-label=\"");
            self.out.push_str(self.words.link_here);
            self.out.push_str("\" data-chrome></a>");
        }
        self.state.phrasing += 1;
        self.state.in_heading += 1;
        content(self);
        self.state.in_heading -= 1;
        self.state.phrasing -= 1;
        self.out.push_str(&format!("</h{tag}>\n"));
        if !repeats {
            self.contents_entry(level, id.clone(), text);
        }
        id
    }

    /// Whether a heading of the first level says again what stands right above it, the title. Below a logo or an
    /// introduction, or with badges of its own, it takes the title's place, where the option for that is set.
    pub(crate) fn repeats_title(&mut self, text: &str, is_bare: bool) -> bool {
        let has_title = !matches!(self.mode, PageMode::Custom | PageMode::Frame | PageMode::Assistant)
            && !self.title_found
            && !self.title.is_empty();
        // a picture has its own form of it
        let is_picture = self.title_in_body && !is_bare && text.trim().is_empty();
        if !has_title || !(is_picture || same_words(&self.title, &self.in_contents(text))) {
            return false;
        }
        self.title_found = true;
        let is_first = self.state.depth == 1 && self.out.is_empty();
        self.page.shows_title = self.title_in_body && !(is_first && is_bare);
        is_first && !self.page.shows_title
    }

    /// Adds an entry to the contents column, unless the place is excluded from it.
    pub fn contents_entry(&mut self, level: u8, id: String, text: &str) {
        let text = self.in_contents(text);
        if self.toc_off == 0 && level <= 4 && !id.is_empty() && !text.is_empty() {
            self.page.toc.push(TocEntry { level, id, text, within: self.within.clone() });
        }
    }

    /// The text of a heading as contents and titles show it.
    fn in_contents(&self, text: &str) -> String {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if self.is_plain { replace_emoji_names(&text).into_owned() } else { text }
    }

    fn list(&mut self, start: Option<u64>, items: &[Node]) {
        let tag = if start.is_some() { "ol" } else { "ul" };
        self.out.push('<');
        self.out.push_str(tag);
        if let Some(number) = start.filter(|number| *number != 1) {
            self.attr("start", &number.min(i32::MAX as u64).to_string());
        }
        self.out.push_str(">\n");
        for item in items {
            match item {
                Node::Block(block) if matches!(block.kind, BlockKind::Item { .. }) => self.node(item),
                Node::Text(text) if text.trim().is_empty() => {}
                Node::Island(_) | Node::Part(_) => html_element::list_item(self, item),
                other => {
                    self.out.push_str("<li>");
                    self.node(other);
                    self.out.push_str("</li>\n");
                }
            }
        }
        self.out.push_str(&format!("</{tag}>\n"));
    }

    fn item(&mut self, checked: Option<bool>, children: &[Node]) {
        let Some(checked) = checked else {
            self.out.push_str("<li>");
            self.nodes(children);
            self.out.push_str("</li>\n");
            return;
        };
        self.out.push_str("<li class=\"task\"><input type=\"checkbox\" disabled");
        self.out.push_str(if checked { " checked aria-label=\"Done\">" } else { " aria-label=\"Not done\">" });
        self.out.push_str("<div>");
        self.nodes(children);
        self.out.push_str("</div></li>\n");
    }

    /// A link, unless it stands in another one or its target is refused: then its text.
    pub(crate) fn link(&mut self, href: &str, title: &str, children: &[Node], place: Place) {
        let target = if self.state.in_link > 0 { super::Href::default() } else { self.resolve(href, place) };
        if target.url.is_empty() {
            return self.nodes(children);
        }
        self.out.push_str("<a");
        self.href_attr(&target);
        if !title.is_empty() {
            self.attr("title", title);
        }
        let start = self.out.len();
        self.out.push('>');
        self.state.in_link += 1;
        self.nodes(children);
        self.state.in_link -= 1;
        if self.out.slice(start + 1..).trim().is_empty() {
            self.out.truncate(start);
            self.attr("aria-label", href);
            self.out.push('>');
        }
        self.out.push_str("</a>");
    }
}

/// Whether a part of a heading is more than its words: a link, a picture.
fn holds_more(node: &Node) -> bool {
    match node {
        Node::Block(block) => {
            matches!(block.kind, BlockKind::Link { .. } | BlockKind::Image { .. })
                || block.children.iter().any(holds_more)
        }
        Node::Element(element) => {
            matches!(element.name.as_str(), "a" | "Link" | "img" | "picture" | "svg")
                || element.children.iter().any(holds_more)
        }
        Node::Html { markup, .. } => ["<img", "<a ", "<picture", "<svg"].iter().any(|tag| markup.contains(tag)),
        _ => false,
    }
}

fn says_something(node: &Node) -> bool {
    match node {
        Node::Text(text) => !text.trim().is_empty(),
        Node::Code(_) | Node::Math { .. } | Node::FootnoteRef(_) => true,
        Node::Block(block) => {
            !matches!(block.kind, BlockKind::Image { .. }) && block.children.iter().any(says_something)
        }
        Node::Element(element) => match element.name.as_str() {
            "img" | "svg" | "br" | "script" | "style" | "Icon" | "picture" | "video" | "audio" => false,
            _ => element.children.iter().any(says_something),
        },
        _ => false,
    }
}

/// A run without the breaks and spaces around it.
fn trim_run(mut run: &[Node]) -> &[Node] {
    while let [Node::Break { hard: false }, rest @ ..] = run {
        run = rest;
    }
    while let [rest @ .., Node::Break { hard: false }] = run {
        run = rest;
    }
    run
}

/// Whether two texts say the same, whatever their signs and capitals.
pub fn same_words(one: &str, two: &str) -> bool {
    let words =
        |text: &str| text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    words(one) == words(two)
}
