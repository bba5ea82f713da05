//! An expanded document back to Markdown: what models read. Markdown constructs as they are, components as tags with
//! their data, HTML reduced to what it says.
//!
//! Presentation goes (classes, styles, drawings), content stays: icons and colors by their names, and the anchors that
//! links lead to. Text is escaped only where it would turn into something else, so that it reads well.

mod inline;

use base::{Place, limits};
use markup::tree::{Align, BlockKind, CodeFence, MarkdownBlock, Node};
use render::code::notes_as_numbers;
use render::phrasing::{all_phrasing, is_blank, is_phrasing};

use super::element::write_element_block;
use inline::longest_run;
pub(super) use inline::{collapse_whitespace, markdown_link_destination};

/// Says where links and loads of a document lead.
pub(crate) trait LinkAddresses {
    /// The address to write for a link; empty for what is no link.
    fn link(&self, href: &str, place: Place) -> String;
    /// The address to write for a picture or another file.
    fn load(&self, src: &str, place: Place) -> String;
}

/// Writes Markdown, a node at a time.
pub(crate) struct MarkdownWriter<'a> {
    out: String,
    pub(super) addresses: &'a dyn LinkAddresses,
    /// Leaves out everything but Markdown's own constructs: for feeds.
    pub(super) pure: bool,
    /// What every line begins with: marks of quotes, indentation of lists.
    prefix: String,
    /// Nothing has been written on this line, not even the prefix.
    at_line_start: bool,
    /// Nothing has been written since a container was opened: no line may be left free.
    fresh: bool,
    /// Line ends to write before anything else.
    gap: u8,
    /// In a heading or a cell of a table: all on one line.
    pub(super) one_line: bool,
    pub(super) in_cell: bool,
    /// Nothing has been written in this cell, or in this item of a list in it.
    cell_is_fresh: bool,
    /// A block ended in this cell: what follows in it stands on another line.
    cell_break: bool,
    /// In the words of a link, where no other may stand.
    pub(super) in_link: bool,
    /// Marks of emphasis that are open.
    marks: Vec<&'static str>,
    depth: usize,
}

impl<'a> MarkdownWriter<'a> {
    pub(crate) fn new(addresses: &'a dyn LinkAddresses) -> Self {
        Self {
            out: String::new(),
            addresses,
            pure: false,
            prefix: String::new(),
            at_line_start: true,
            fresh: true,
            gap: 0,
            one_line: false,
            in_cell: false,
            cell_is_fresh: true,
            cell_break: false,
            in_link: false,
            marks: Vec::new(),
            depth: 0,
        }
    }

    /// Leaves out components, HTML and code: for feeds.
    pub(crate) fn pure(addresses: &'a dyn LinkAddresses) -> Self {
        Self { pure: true, ..Self::new(addresses) }
    }

    /// What was written, without white space around it.
    pub(crate) fn finish(mut self) -> String {
        self.drop_last_break();
        let length = self.out.trim_end().len();
        let mut out = self.out;
        out.truncate(length);
        out
    }

    // -- lines

    /// Writes as it is; line ends get the prefix of what is open.
    pub(super) fn raw(&mut self, text: &str) {
        let mut rest = text;
        while let Some((line, after)) = rest.split_once('\n') {
            self.piece(line);
            self.end_line();
            rest = after;
        }
        self.piece(rest);
    }

    fn piece(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.flush_gap();
        self.flush_cell_break();
        if self.at_line_start {
            self.out.push_str(&self.prefix);
            self.at_line_start = false;
        }
        self.out.push_str(text);
        self.fresh = false;
        self.cell_is_fresh = false;
    }

    fn end_line(&mut self) {
        if self.at_line_start {
            // an empty line still carries the marks of quotes
            self.out.push_str(self.prefix.trim_end());
        }
        self.out.push('\n');
        self.at_line_start = true;
    }

    fn flush_gap(&mut self) {
        if self.gap == 0 {
            return;
        }
        let gap = std::mem::take(&mut self.gap);
        if !self.at_line_start {
            let length = self.out.trim_end_matches([' ', '\t']).len();
            self.out.truncate(length);
        }
        for _ in 0..gap {
            self.end_line();
        }
    }

    /// Begins a new line (1), or leaves one free (2), before what comes next.
    pub(super) fn part(&mut self, lines: u8) {
        self.drop_last_break();
        if !self.fresh {
            // what ends with its line needs one end less
            self.gap = self.gap.max(lines.saturating_sub(u8::from(self.at_line_start)));
        }
    }

    /// Begins or ends a block in a cell, whose lines all stand on one.
    pub(super) fn part_in_cell(&mut self) {
        self.cell_break = !self.cell_is_fresh;
    }

    fn flush_cell_break(&mut self) {
        if std::mem::take(&mut self.cell_break) {
            let length = self.out.trim_end_matches(' ').len();
            self.out.truncate(length);
            self.out.push_str("<br />");
        }
    }

    /// A list in a cell: each item on a line of its own, behind its mark.
    fn list_in_cell(&mut self, start: Option<u64>, items: &[Node]) {
        let mut number = start;
        for item in items {
            if let Node::Block(item) = item {
                self.item_in_cell(&mut number, &item.children);
            }
        }
    }

    pub(super) fn item_in_cell(&mut self, number: &mut Option<u64>, nodes: &[Node]) {
        self.part_in_cell();
        match number {
            Some(next) => {
                self.raw(&format!("{next}. "));
                *next = next.saturating_add(1);
            }
            None => self.raw("• "),
        }
        // what stands first in an item stands behind its mark
        self.cell_is_fresh = true;
        self.inlines(nodes);
        self.cell_is_fresh = false;
        self.part_in_cell();
    }

    /// A break at the end of a block breaks nothing: its mark would be read as a backslash.
    fn drop_last_break(&mut self) {
        if let Some(rest) = self.out.strip_suffix("\\\n")
            && rest.bytes().rev().take_while(|byte| *byte == b'\\').count().is_multiple_of(2)
        {
            self.out.truncate(rest.len());
            self.out.push('\n');
        }
    }

    /// Begins a new line below an opening tag; what follows needs no free line.
    pub(super) fn opened(&mut self) {
        self.part(1);
        self.fresh = true;
    }

    /// Runs with a longer prefix for all lines after this one.
    fn inside(&mut self, prefix: &str, write: impl FnOnce(&mut Self)) {
        let length = self.prefix.len();
        self.prefix.push_str(prefix);
        self.fresh = true;
        write(self);
        self.fresh = false;
        self.prefix.truncate(length);
    }

    /// Runs for a heading or a cell.
    pub(super) fn on_one_line(&mut self, write: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.one_line, true);
        write(self);
        self.one_line = outer;
    }

    // -- nodes

    /// Blocks, a line free between them; words among them become paragraphs.
    pub(crate) fn flow(&mut self, nodes: &[Node]) {
        self.flow_parted(nodes, 2);
    }

    /// `lines`: line ends before each block after the first.
    fn flow_parted(&mut self, nodes: &[Node], lines: u8) {
        let mut in_words = false;
        let mut after_element = false;
        for node in nodes {
            if is_phrasing(node) {
                let blank = is_blank(std::slice::from_ref(node));
                if !in_words && blank {
                    continue;
                }
                let is_element = matches!(node, Node::Element(it) if it.name != "br");
                if !in_words {
                    self.part(lines);
                } else if after_element && is_element && self.gap == 0 && !self.at_line_start {
                    // as on the page: elements that stood on lines of their own are words apart
                    self.line_break(false);
                }
                (in_words, after_element) = (true, is_element);
                self.inline(node);
            } else {
                in_words = false;
                self.part(lines);
                self.block(node);
            }
        }
    }

    /// What stands in a sentence.
    pub(super) fn inlines(&mut self, nodes: &[Node]) {
        for node in nodes {
            self.inline(node);
        }
    }

    /// What stands in a box. If these are elements alone, a page shows them side by side, so adjacent words are kept
    /// apart.
    pub(super) fn boxed(&mut self, nodes: &[Node]) {
        let are_elements =
            nodes.len() > 1 && nodes.iter().all(|node| is_own_element(node) || is_blank(std::slice::from_ref(node)));
        let mut before: Option<&Node> = None;
        for node in nodes {
            if let Some(before) = before.filter(|before| are_elements && is_own_element(before) && is_own_element(node))
            {
                let meet =
                    [edge(before, true), edge(node, false)].iter().all(|edge| edge.is_some_and(char::is_alphanumeric));
                self.raw(if meet && !self.cell_break { " " } else { "" });
            }
            self.inline(node);
            before = Some(node);
        }
    }

    fn deeper(&mut self, nodes: &[Node], write: impl FnOnce(&mut Self)) {
        if self.depth >= limits::NESTING {
            let text = Node::text_of(nodes);
            return self.text(&text);
        }
        self.depth += 1;
        write(self);
        self.depth -= 1;
    }

    fn block(&mut self, node: &Node) {
        match node {
            Node::Rule => self.raw("---"),
            Node::Fence(fence) => self.fence(fence),
            Node::Math { display: true, tex, .. } => self.raw(&format!("$$\n{}\n$$", tex.trim())),
            Node::Html { markup, .. } => self.html(markup),
            Node::Block(block) => self.deeper(&block.children, |w| w.markdown_block(block)),
            Node::Element(it) => self.deeper(&it.children, |w| write_element_block(w, it)),
            Node::Island(island) => self.deeper(&island.children, |w| w.flow(&island.children)),
            Node::Part(part) => self.deeper(&part.children, |w| w.flow(&part.children)),
            node => self.inline(node),
        }
    }

    fn html(&mut self, markup: &str) {
        if !self.pure {
            self.raw(drop_markup_comments(markup).trim_matches('\n'));
        }
    }

    fn fence(&mut self, fence: &CodeFence) {
        let info = if fence.meta.is_empty() { fence.lang.clone() } else { format!("{} {}", fence.lang, fence.meta) };
        self.code_block(&info, &fence.code);
    }

    /// A fenced block that its code cannot close.
    pub(super) fn code_block(&mut self, info: &str, code: &str) {
        if self.pure {
            return;
        }
        let numbered = notes_as_numbers(code);
        let code = numbered.as_deref().unwrap_or(code);
        let ticks = "`".repeat(longest_run(code, b'`').max(2) + 1);
        self.raw(&ticks);
        self.raw(&info.replace('\n', " "));
        self.part(1);
        if !code.is_empty() {
            self.raw(code);
            // an empty last line of the code is a line all the same
            if self.at_line_start {
                self.end_line();
            }
            self.part(1);
        }
        self.raw(&ticks);
    }

    fn markdown_block(&mut self, block: &MarkdownBlock) {
        match &block.kind {
            BlockKind::Paragraph if all_phrasing(&block.children) => self.inlines(&block.children),
            BlockKind::Paragraph => self.flow(&block.children),
            BlockKind::Heading { level, id } => self.heading(*level, id.as_deref(), &block.children),
            BlockKind::Quote => self.quote(&block.children),
            BlockKind::List { start } => self.list(*start, &block.children),
            BlockKind::Table { align } => self.table(align, &block.children),
            BlockKind::FootnoteDef { label } => {
                self.raw(&format!("[^{label}]: "));
                self.inside("    ", |w| w.flow(&block.children));
            }
            BlockKind::Item { .. } | BlockKind::Row { .. } | BlockKind::Cell => self.flow(&block.children),
            // a link or emphasis around blocks
            BlockKind::Link { href, .. } => self.link(href, block.place, &block.children),
            BlockKind::Emphasis | BlockKind::Strong | BlockKind::Strike | BlockKind::Image { .. } => {
                self.markdown_inline(block)
            }
        }
    }

    /// A heading, with the anchor that its author gave it.
    pub(super) fn heading(&mut self, level: u8, id: Option<&str>, nodes: &[Node]) {
        self.raw(&"#".repeat(usize::from(level.clamp(1, 6))));
        self.raw(" ");
        self.on_one_line(|w| w.inlines(nodes));
        if let Some(id) = id.map(str::trim).filter(|id| !id.is_empty() && !id.contains(['{', '}', '\n']) && !self.pure)
        {
            self.raw(&format!(" {{#{id}}}"));
        }
    }

    pub(super) fn quote(&mut self, nodes: &[Node]) {
        self.flush_gap();
        self.inside("> ", |w| w.flow(nodes));
    }

    fn list(&mut self, start: Option<u64>, items: &[Node]) {
        let mut number = start;
        let is_paragraph = |child: &Node| matches!(child, Node::Block(block) if block.kind == BlockKind::Paragraph);
        let loose =
            items.iter().any(|item| matches!(item, Node::Block(item) if item.children.iter().any(is_paragraph)));
        for item in items {
            let Node::Block(item) = item else { continue };
            let task = match item.kind {
                BlockKind::Item { checked: Some(true) } => "[x] ",
                BlockKind::Item { checked: Some(false) } => "[ ] ",
                _ => "",
            };
            self.item(&mut number, task, loose, &item.children);
        }
    }

    /// An item: numbered if there is a number, which is counted up.
    pub(super) fn item(&mut self, number: &mut Option<u64>, task: &str, loose: bool, nodes: &[Node]) {
        self.part(if loose { 2 } else { 1 });
        let marker = match number {
            Some(number) => {
                let marker = format!("{number}. ");
                *number = number.saturating_add(1);
                marker
            }
            None => "- ".to_owned(),
        };
        self.raw(&marker);
        self.raw(task);
        let outer = std::mem::replace(&mut self.one_line, false);
        let indent = " ".repeat(marker.len());
        self.inside(&indent, |w| w.flow_parted(nodes, if loose { 2 } else { 1 }));
        self.one_line = outer;
    }

    fn table(&mut self, align: &[Align], rows: &[Node]) {
        let rows: Vec<Vec<&[Node]>> = rows
            .iter()
            .filter_map(|row| match row {
                Node::Block(row) => Some(
                    row.children
                        .iter()
                        .filter_map(
                            |cell| if let Node::Block(cell) = cell { Some(cell.children.as_slice()) } else { None },
                        )
                        .collect(),
                ),
                _ => None,
            })
            .collect();
        self.rows(align, &rows);
    }

    /// A table; its first row is the head.
    pub(super) fn rows(&mut self, align: &[Align], rows: &[Vec<&[Node]>]) {
        let width = rows.iter().map(Vec::len).max().unwrap_or(0);
        for (index, row) in rows.iter().enumerate() {
            self.part(1);
            self.raw("|");
            for column in 0..width {
                self.raw(" ");
                self.cell(row.get(column).copied().unwrap_or_default());
                self.raw(" |");
            }
            if index > 0 {
                continue;
            }
            self.part(1);
            self.raw("|");
            for column in 0..width {
                self.raw(match align.get(column) {
                    Some(Align::Left) => " :-- |",
                    Some(Align::Center) => " :-: |",
                    Some(Align::Right) => " --: |",
                    _ => " --- |",
                });
            }
        }
    }

    fn cell(&mut self, nodes: &[Node]) {
        let outer = std::mem::replace(&mut self.in_cell, true);
        self.cell_is_fresh = true;
        self.on_one_line(|w| w.boxed(nodes));
        self.cell_break = false;
        self.in_cell = outer;
    }
}

/// Whether a node is an element of its own: raised and lowered letters and code belong to what stands beside them.
fn is_own_element(node: &Node) -> bool {
    match node {
        Node::Element(it) => !matches!(it.name.as_str(), "sub" | "sup" | "code" | "kbd" | "samp" | "tt" | "br" | "wbr"),
        Node::Part(_) | Node::Island(_) => true,
        _ => false,
    }
}

/// The last or the first character of what a node shows as words.
fn edge(node: &Node, is_last: bool) -> Option<char> {
    let of = |nodes: &[Node]| match is_last {
        true => nodes.iter().rev().find_map(|node| edge(node, true)),
        false => nodes.iter().find_map(|node| edge(node, false)),
    };
    match node {
        Node::Text(text) | Node::Code(text) if is_last => text.chars().next_back(),
        Node::Text(text) | Node::Code(text) => text.chars().next(),
        Node::Break { .. } => Some(' '),
        Node::Block(block) => of(&block.children),
        Node::Part(part) => of(&part.children),
        Node::Island(island) => of(&island.children),
        Node::Element(it) if !matches!(it.name.as_str(), "svg" | "style" | "script") => of(&it.children),
        _ => None,
    }
}

fn drop_markup_comments(markup: &str) -> String {
    let mut out = String::with_capacity(markup.len());
    let mut rest = markup;
    while let Some((before, comment)) = rest.split_once("<!--") {
        out.push_str(before);
        rest = comment.split_once("-->").map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use base::FileId;

    /// Links stay as they are, but those to nowhere.
    struct Same;

    impl LinkAddresses for Same {
        fn link(&self, href: &str, _: Place) -> String {
            if href == "nowhere" { String::new() } else { href.to_owned() }
        }
        fn load(&self, src: &str, place: Place) -> String {
            self.link(src, place)
        }
    }

    fn written(nodes: &[Node]) -> String {
        let mut writer = MarkdownWriter::new(&Same);
        writer.flow(nodes);
        writer.finish()
    }

    fn mdx(text: &str) -> Vec<Node> {
        markup::parse_mdx(text, FileId(0), 1).nodes
    }

    #[track_caller]
    fn check(text: &str, expect: &str) {
        assert_eq!(written(&mdx(text)), expect);
    }

    /// What is written like this comes back like this.
    #[track_caller]
    fn check_same(text: &str) {
        check(text, text);
    }

    #[test]
    fn markdown_comes_back() {
        check_same("# One\n\nTwo *three* **four** ~~five~~ `six`.\n\n---\n\n> Quote\n>\n> more\n\n![alt](/a.png)");
        check_same("- a\n- b\n  1. c\n  2. d\n- [x] e");
        check_same("- a\n\n  more\n\n- b");
        check_same("| A | B |\n| :-- | --: |\n| `a\\|b` | c d |");
        check_same("```js title=\"x\" {1}\nlet a = 1;\n\nb\n```");
        check_same("````md\n```\ncode\n```\n````");
        check_same("$$\na+b\n$$\n\nand $x$ text[^1]\n\n[^1]: a note");
        check_same("[text](https://x.example/a_b) and https://x.example/c");
        check_same("[b.md](b.md) and [llms.txt](llms.txt)");
        check("[text](nowhere) ![](nowhere)", "text");
        check("![alt *text*](nowhere) after", "alt text after");
        check_same("![x](/i.png \"The title\") ![y](/j.png 'Say \"x\"')");
        check("<img src=\"/a.png\" alt=\"A\" title=\"T\" />", "![A](/a.png \"T\")");
    }

    #[test]
    fn text_stays_text() {
        check_same("2 * 3 and snake_case and a < b & c");
        check_same("\\*not emphasis\\* \\_nor this\\_ \\`nor code\\` \\<b> \\&amp;");
        check_same("1\\. not a list\n\n\\- nor this\n\n\\# nor a heading");
        check_same("a [link\\](x) that is none");
    }

    #[test]
    fn components_keep_their_data() {
        check(
            "<Card title=\"A\" icon=\"star\" href=\"/b\" className=\"x\" horizontal cols={2}>\n  Text\n\n  more\n</Card>",
            "<Card title=\"A\" icon=\"star\" href=\"/b\" horizontal cols={2}>\nText\n\nmore\n</Card>",
        );
        check(
            "<Steps>\n  <Step title='Say \"x\"'>\n    Go\n  </Step>\n</Steps>",
            "<Steps>\n<Step title={\"Say \\\"x\\\"\"}>\nGo\n</Step>\n</Steps>",
        );
        check_same("<ParamField body=\"a\" type=\"boolean\" default={true} required>\nx\n</ParamField>");
        check(
            "<Card title=\"A\" icon=\"star\" iconType=\"solid\" post={null} />",
            "<Card title=\"A\" icon=\"star\" iconType=\"solid\" />",
        );
        check(
            "A <Tooltip tip=\"t\">word</Tooltip> and <Icon icon=\"x\" /> <Badge>new</Badge>.",
            "A <Tooltip tip=\"t\">word</Tooltip> and <Icon icon=\"x\" /> <Badge>new</Badge>.",
        );
        check("<CodeBlock title=\"T\" lang=\"py\">\nx\n</CodeBlock>", "```py T\nx\n```");
        check("<CodeBlock title=\"T\">\nx\n</CodeBlock>", "```text T\nx\n```");
        check("<kbd>A</kbd>\n\n<kbd>B</kbd>\n<b>c</b>", "`A`\n`B`\n**c**");
        check("a<br/>b<br/>\n\nc", "a\\\nb\n\nc");
        check("first<br/>\nsecond<br />\n<b>third</b>", "first\\\nsecond\\\n**third**");
        check("- one<br/>\n  two\n- three", "- one\\\n  two\n- three");
        check("a $$b$$ c", "a $b$ c");
        check("<CodeBlock language=\"js\" filename=\"a.js\">\n```\nx\n```\n</CodeBlock>", "```js a.js\nx\n```");
        check(
            "<Visibility for=\"humans\">\n  H\n</Visibility>\n\n<Visibility for=\"agents\">\n  A\n</Visibility>",
            "A",
        );
        check("{/* gone */}\n\nleft", "left");
    }

    #[test]
    fn icons_colors_and_anchors_stay() {
        check("| A |\n| --- |\n| <Icon icon=\"check\" /> |", "| A |\n| --- |\n| <Icon icon=\"check\" /> |");
        check("<Icon icon={<svg><path d=\"M0\" /></svg>} /> x", "x");
        check_same("<Step title=\"S\" icon=\"star\" id=\"one\">\nx\n</Step>");
        check_same("<Badge color=\"green\">new</Badge> x");
        check_same("## Two words {#own-id}");
        check("<h2 id=\"own\">Two</h2>", "## Two {#own}");
    }

    #[test]
    fn marks_do_not_nest_in_themselves() {
        check("<details><summary>Click **me**</summary>\n\ntext\n</details>", "**Click me**\n\ntext");
        check("<b>one <strong>two</strong> *three*</b>", "**one two *three***");
    }

    #[test]
    fn what_opens_keeps_its_sentences() {
        check("<details><summary>More</summary>Body **bold** and *it*</details>", "**More**\n\nBody **bold** and *it*");
        check("<details><summary>More</summary>Body<p>two</p>three</details>", "**More**\n\nBody\n\ntwo\n\nthree");
        check("<details>\n<summary>More</summary>\n\n- a\n- b\n\n</details>", "**More**\n\n- a\n- b");
        check("<details>Body **bold**</details>", "Body **bold**");
    }

    #[test]
    fn blocks_in_cells_stay_apart() {
        let cell = |inside: &str, expect: &str| {
            check(&format!("<table><tr><td>{inside}</td></tr></table>"), &format!("| {expect} |\n| --- |"))
        };
        cell("a<ul><li>x</li><li>y</li></ul>", "a<br />• x<br />• y");
        cell("<ul><li>one <b>b</b></li><li>two</li></ul> after", "• one **b**<br />• two<br />after");
        cell("<ol start={3}><li>x<ul><li>y</li></ul></li><li><p>z</p></li></ol>", "3. x<br />• y<br />4. z");
        cell("two <p>para</p><p>para2</p>", "two<br />para<br />para2");
        cell("<div><span>a</span><b>c</b></div>", "a **c**");
        cell("\n\n- x\n- y\n\nz\n\n", "• x<br />• y<br />z");
        check(
            "| A |\n| --- |\n| <ul><li>one **b**</li><li>two</li></ul> |",
            "| A |\n| --- |\n| • one **b**<br />• two |",
        );
        check("| A | B |\n| --- | --- |\n| two <p>para</p> | x |", "| A | B |\n| --- | --- |\n| two<br />para | x |");
    }

    #[test]
    fn alerts_stay_alerts() {
        check_same("> [!NOTE]\n> text");
        check("a [!NOTE]\n", "a [!NOTE\\]");
    }

    #[test]
    fn spanned_cells_leave_their_place_free() {
        check(
            "<table><tbody><tr><td rowSpan={2}>a</td><td>b</td></tr><tr><td>c</td></tr><tr><td colSpan=\"2\">d</td></tr><tr><td>e</td><td>f</td></tr></tbody></table>",
            "| a | b |\n| --- | --- |\n|  | c |\n| d |  |\n| e | f |",
        );
    }

    #[test]
    fn links_in_props_lead_where_links_do() {
        struct Moved;
        impl LinkAddresses for Moved {
            fn link(&self, href: &str, _: Place) -> String {
                format!("to{href}")
            }
            fn load(&self, src: &str, _: Place) -> String {
                format!("at{src}")
            }
        }
        let mut writer = MarkdownWriter::new(&Moved);
        writer.flow(&mdx("<Step title=\"x [link](/index) ![p](/p.png) y](z\" icon=\"/i.svg\">a</Step>"));
        assert_eq!(
            writer.finish(),
            "<Step title=\"x [link](to/index) ![p](at/p.png) y](z\" icon=\"at/i.svg\">\na\n</Step>"
        );
    }

    #[test]
    fn html_becomes_markdown() {
        check(
            "<div className=\"grid\"><h2>T</h2><p>one <b>two</b><br/>three</p></div>",
            "## T\n\none **two**\\\nthree",
        );
        check("<a href=\"b.md\"><video src=\"https://v.example/1.mp4\" />Words</a>", "[video Words](b.md)");
        check("<a href=\"/x\">a <a href=\"/y\">b</a></a>", "[a b](/x)");
        check("<a href=\"/x\"><div><p>A</p><p>B</p></div></a>", "[A B](/x)");
        check("<ul><li>a</li><li>b</li></ul>", "- a\n- b");
        check(
            "<table><thead><tr><th>A</th></tr></thead><tbody><tr><td>1|2</td></tr></tbody></table>",
            "| A |\n| --- |\n| 1\\|2 |",
        );
        check("<svg><path d=\"M0\" /></svg>\n\n<style>x</style>\n\n<img src=\"/a.png\" alt=\"A\" />", "![A](/a.png)");
        check("<iframe src=\"https://v.example/1\" title=\"Film\"></iframe>", "[Film](https://v.example/1)");
        check("<iframe srcDoc=\"<style>p {}</style><p>a <b>b</b></p><script>x</script>\" title=\"T\" />", "a **b**");
    }

    #[test]
    fn words_of_neighbors_stay_apart() {
        check("<button><strong>Codex</strong><span>Run in terminal</span></button>", "**Codex** Run in terminal");
        check("<div><span>string</span><span><span>required</span></span></div>", "string required");
        check("<a href=\"/x\"><b>macOS</b><i>Windows</i></a>", "[**macOS** *Windows*](/x)");
        // no word is split
        check("<div>H<sub>2</sub>O</div>", "H<sub>2</sub>O");
        check("<div><b>x</b><sup>2</sup></div>", "**x**<sup>2</sup>");
        check("In <b>O</b><span>nce</span> upon", "In **O**nce upon");
        check("**O***nce*", "**O***nce*");
        check("<div><span>call</span><span>()</span></div>", "call()");
        check("<div><span>a </span><span>b</span></div>", "a b");
    }

    #[test]
    fn feeds_hold_nothing_but_markdown() {
        let nodes = mdx("One **two**\n\n<Note>no</Note>\n\n```js\nno\n```\n\n- <b>no</b> yes\n");
        let mut writer = MarkdownWriter::pure(&Same);
        writer.flow(&nodes);
        assert_eq!(writer.finish(), "One **two**\n\n- yes");
    }

    #[test]
    fn depth_is_bounded() {
        let deep = format!("{}x{}", "<div>".repeat(4_000), "</div>".repeat(4_000));
        assert!(written(&mdx(&deep)).contains('x'));
        assert!(written(&mdx(&"> ".repeat(2_000))).len() < 1 << 20);
    }

    proptest! {
        /// Words mean the same after a round.
        #[test]
        fn words_survive(text in "[a-z0-9 *_`~\\[\\]()<>&;!#.+|\\\\-]{0,60}") {
            let nodes = [Node::Block(Box::new(MarkdownBlock { kind: BlockKind::Paragraph, children: vec![Node::Text(text.clone())], place: Place::default() }))];
            let out = written(&nodes);
            let again = Node::text_of(&markup::parse_markdown(&out, FileId(0), 1).nodes);
            prop_assert_eq!(collapse_whitespace(&again), collapse_whitespace(&text), "{}", out);
        }

        #[test]
        fn nothing_panics(text in "\\PC{0,200}") {
            let _ = written(&mdx(&text));
            let _ = written(&markup::parse_markdown(&text, FileId(0), 1).nodes);
        }
    }
}
