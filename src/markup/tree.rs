//! What a page says, as a tree: Markdown constructs and JSX elements side by side. After `expand` there are no
//! imports, expressions or snippet uses left: every prop is data and every name is a component or an HTML tag.

use std::sync::Arc;

use base::Place;

use super::expr::{Function, PageExpr};

/// One node of a document.
#[derive(Clone, Debug)]
pub enum Node {
    /// Text, smart punctuation applied, not escaped.
    Text(String),
    /// `code` in a sentence.
    Code(String),
    /// Raw HTML of a plain Markdown file (never in MDX), links not yet rewritten.
    Html {
        /// The element as its author wrote it.
        markup: String,
        /// Where it starts.
        place: Place,
    },
    /// A line break inside a paragraph: hard (`<br>`) or soft.
    Break {
        /// Hard break.
        hard: bool,
    },
    /// `---`.
    Rule,
    /// A fenced (or, in plain Markdown, indented) code block.
    Fence(Box<CodeFence>),
    /// `$…$` or `$$…$$`, the TeX source.
    Math {
        /// A block of its own.
        display: bool,
        /// TeX source.
        tex: String,
        /// Where it stands.
        place: Place,
    },
    /// `[^label]`, by its number on the page (from 1).
    FootnoteRef(String),
    /// A Markdown construct with children.
    Block(Box<MarkdownBlock>),
    /// A JSX element: a component (capital letter) or an HTML tag.
    Element(Box<JsxElement>),
    /// `{expression}` or an element of a page's own making: gone after expansion.
    Expr(Box<(PageExpr, Place)>),
    /// An island: a component that stays interactive in the browser. Only after expansion.
    Island(Box<Island>),
    /// A part of an island. Only after expansion.
    Part(Box<IslandPart>),
}

/// What a component with state or handlers rendered at first.
#[derive(Clone, Debug, Default)]
pub struct Island {
    /// What the island shows before a script has run.
    pub children: Vec<Node>,
    /// How the browser calls it: `[module, name, props, children]` in JSON, as `templates/vendor/entry/islands.js`
    /// reads it.
    pub call: String,
    /// What its first state does not show and a later one may: children by their numbers, components of ours by their
    /// names and props.
    pub spare: Vec<(String, Vec<Node>)>,
}

/// What the exporter renders inside an island: the browser keeps it as it is.
#[derive(Clone, Debug)]
pub struct IslandPart {
    /// Which part.
    pub kind: IslandPartKind,
    /// What is in it.
    pub children: Vec<Node>,
}

/// The kinds of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IslandPartKind {
    /// A component of ours that the island uses.
    Component,
    /// A child that was written between the island's tags, by its number.
    Child(u32),
    /// Inside a component of ours: children that the island's script goes on rendering.
    Children,
    /// Inside a child: what a script draws, by its number.
    Live(u32),
}

/// A code fence as written.
#[derive(Clone, Debug, Default)]
pub struct CodeFence {
    /// First word of the info string, may be empty.
    pub lang: String,
    /// The rest of the info string, trimmed.
    pub meta: String,
    /// Whether backslashes and character references in `meta` are still those of the source.
    pub is_escaped: bool,
    /// The code, dedented as MDX does, without the final newline.
    pub code: String,
    /// Numbers of lines that are folded at first: `1,3-5`. Only texts of other tools have any.
    pub hidden: String,
    /// Where the fence opens.
    pub place: Place,
}

/// A Markdown construct.
#[derive(Clone, Debug)]
pub struct MarkdownBlock {
    /// Which one.
    pub kind: BlockKind,
    /// What is inside.
    pub children: Vec<Node>,
    /// Where it starts.
    pub place: Place,
}

/// Markdown constructs that hold others; fields are as the variant says.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "fields are explained with their variant")]
pub enum BlockKind {
    /// A paragraph.
    Paragraph,
    /// `## Title {#id}`; `id` is the author's, cleaned.
    Heading { level: u8, id: Option<String> },
    /// `> quote`.
    Quote,
    /// A list: the first number if ordered; tight lists have no paragraphs in their items.
    List { start: Option<u64> },
    /// An item; `Some` if it is a task.
    Item { checked: Option<bool> },
    /// A table; children are one `Row { head: true }` and then rows.
    Table { align: Vec<Align> },
    /// A row of cells.
    Row { head: bool },
    /// A cell.
    Cell,
    /// `*…*`.
    Emphasis,
    /// `**…**`.
    Strong,
    /// `~…~`.
    Strike,
    /// `[text](href "title")`, unresolved.
    Link { href: String, title: String },
    /// `![alt](src "title")`, unresolved; children are the alternative text.
    Image { src: String, title: String },
    /// The text of a footnote.
    FootnoteDef { label: String },
}

impl BlockKind {
    /// Whether it stands among words.
    pub(crate) fn is_phrasing(&self) -> bool {
        matches!(self, Self::Emphasis | Self::Strong | Self::Strike | Self::Link { .. } | Self::Image { .. })
    }
}

/// Column alignment of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Align {
    None,
    Left,
    Center,
    Right,
}

/// A JSX element.
#[derive(Clone, Debug, Default)]
pub struct JsxElement {
    /// The author's name for it: `Card`, `Tree.Folder`, `div`; empty for a fragment.
    pub name: String,
    /// Its attributes, in order.
    pub props: Props,
    /// The nodes between the tags of the element.
    pub children: Vec<Node>,
    /// For `Prompt` and `CodeBlock`: the source between its tags, dedented.
    pub raw: Option<Arc<str>>,
    /// Whether it stands in a sentence (true) or is a block of its own.
    pub inline: bool,
    /// Where the tag of the element opens.
    pub place: Place,
    /// What is wrong with the element and was reported when it was parsed.
    pub flaw: Flaw,
}

impl JsxElement {
    /// Its tag, if that may be words in angle brackets: `<token>`, `<your name>`.
    pub fn as_words(&self) -> Option<String> {
        let mut words = format!("<{}", self.name);
        for (name, value) in &self.props.0 {
            matches!(value, PropValue::Bool(true)).then_some(())?;
            words.push(' ');
            words.push_str(name);
        }
        Some(words + ">")
    }
}

/// The problems of a tag that have been reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flaw {
    /// Nothing.
    #[default]
    None,
    /// Nothing closes it in the whole text: perhaps it is no tag but a word in angle brackets.
    Unclosed,
    /// The file that it should come from is missing.
    NotImported,
}

/// Attributes of an element, in order; the last of two equal names wins.
#[derive(Clone, Debug, Default)]
pub struct Props(pub Vec<(String, PropValue)>);

/// The value of a prop or of an exported constant.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "JavaScript's own names")]
pub enum PropValue {
    Undefined,
    Null,
    Bool(bool),
    Number(f64),
    String(String),
    Array(Vec<PropValue>),
    Object(Vec<(String, PropValue)>),
    /// Static JSX: `icon={<svg …/>}`.
    Nodes(Vec<Node>),
    /// A component of the page's own, or a snippet: only as a name in scope, never in a rendered tree.
    Function(Arc<Function>),
    /// Not evaluated yet: gone after expansion.
    Expr(Box<PageExpr>),
    /// JavaScript data with functions in it: its number in the page's sandbox, and what of it is data. Gone after
    /// expansion.
    Live(u32, Box<PropValue>),
}

impl Props {
    /// The value of a prop, if it is set.
    pub fn value(&self, name: &str) -> Option<&PropValue> {
        self.0.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value)
    }
    /// A string prop (numbers count as their decimal text); `None` if unset, empty or not text.
    pub fn text(&self, name: &str) -> Option<std::borrow::Cow<'_, str>> {
        match self.value(name)? {
            PropValue::String(text) if !text.is_empty() => Some(text.as_str().into()),
            PropValue::Number(number) => Some(number_text(*number).into()),
            _ => None,
        }
    }
    /// A flag: `x`, `x={true}`, `x="true"` and `x=""` are true.
    pub fn flag(&self, name: &str) -> bool {
        match self.value(name) {
            Some(PropValue::Bool(on)) => *on,
            Some(PropValue::String(text)) => text.is_empty() || text.eq_ignore_ascii_case("true"),
            Some(PropValue::Number(number)) => *number != 0.0,
            _ => false,
        }
    }
    /// A flag that may be left open.
    pub fn maybe_flag(&self, name: &str) -> Option<bool> {
        self.value(name)
            .filter(|value| !matches!(value, PropValue::Undefined | PropValue::Null))
            .map(|_| self.flag(name))
    }
    /// A number, also from `"2"`.
    pub fn number(&self, name: &str) -> Option<f64> {
        match self.value(name)? {
            PropValue::Number(number) => Some(*number),
            PropValue::String(text) => text.trim().trim_end_matches("px").parse().ok(),
            _ => None,
        }
    }
    /// The strings of an array prop; a single string counts as one.
    pub fn list(&self, name: &str) -> Vec<String> {
        match self.value(name) {
            Some(PropValue::Array(items)) => items.iter().filter_map(PropValue::to_text).collect(),
            Some(PropValue::String(text)) if !text.is_empty() => vec![text.clone()],
            _ => Vec::new(),
        }
    }
    /// Sets a prop.
    pub fn set(&mut self, name: &str, value: PropValue) {
        self.0.push((name.to_owned(), value));
    }
}

impl From<serde_json::Value> for PropValue {
    fn from(json: serde_json::Value) -> Self {
        match json {
            serde_json::Value::Null => Self::Null,
            serde_json::Value::Bool(on) => Self::Bool(on),
            serde_json::Value::Number(number) => number.as_f64().map_or(Self::Undefined, Self::Number),
            serde_json::Value::String(text) => Self::String(text),
            serde_json::Value::Array(items) => Self::Array(items.into_iter().map(Self::from).collect()),
            serde_json::Value::Object(fields) => {
                Self::Object(fields.into_iter().map(|(name, value)| (name, value.into())).collect())
            }
        }
    }
}

impl PropValue {
    /// What `{value}` shows in text: strings and numbers; `None` for what shows nothing (or is not text).
    pub fn to_text(&self) -> Option<String> {
        match self {
            Self::String(text) => Some(text.clone()),
            Self::Number(number) => Some(number_text(*number)),
            _ => None,
        }
    }
    /// A member of an object.
    pub fn field(&self, name: &str) -> Option<&PropValue> {
        match self {
            Self::Object(fields) => fields.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value),
            _ => None,
        }
    }
}

/// A number as JavaScript prints it (for the ranges that documents use).
pub fn number_text(number: f64) -> String {
    if number == number.trunc() && number.abs() < 1e15 { format!("{}", number as i64) } else { format!("{number}") }
}

impl Node {
    /// Whether expanding it takes a JavaScript engine, given which names do.
    pub(super) fn is_dynamic(&self, name: &dyn Fn(&str) -> bool) -> bool {
        match self {
            Self::Expr(inner) => inner.0.is_dynamic(name),
            Self::Block(block) => block.children.iter().any(|child| child.is_dynamic(name)),
            Self::Element(element) => {
                name(&element.name)
                    || element
                        .props
                        .0
                        .iter()
                        .any(|(_, value)| matches!(value, PropValue::Expr(expr) if expr.is_dynamic(name)))
                    || element.children.iter().any(|child| child.is_dynamic(name))
            }
            _ => false,
        }
    }

    /// The visible text of nodes, without code blocks, icons and drawings.
    pub fn text_of(nodes: &[Node]) -> String {
        let mut out = String::new();
        Self::push_text_of(nodes, &mut out);
        out
    }

    /// Appends it.
    pub fn push_text_of(nodes: &[Node], out: &mut String) {
        nodes.iter().for_each(|node| node.push_text(out));
    }

    fn push_text(&self, out: &mut String) {
        match self {
            Self::Text(text) | Self::Code(text) => out.push_str(text),
            Self::Break { .. } => out.push(' '),
            Self::Block(block) if !matches!(block.kind, BlockKind::Image { .. }) => {
                block.children.iter().for_each(|child| child.push_text(out));
            }
            Self::Island(island) => island.children.iter().for_each(|child| child.push_text(out)),
            Self::Part(part) => part.children.iter().for_each(|child| child.push_text(out)),
            Self::Element(element) => match element.name.as_str() {
                "svg" | "Icon" | "img" | "style" | "script" => {}
                "br" => out.push(' '),
                _ => element.children.iter().for_each(|child| child.push_text(out)),
            },
            _ => {}
        }
    }
}
