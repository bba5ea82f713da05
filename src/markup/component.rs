//! The components of the format: one row for each, in `rows`, which every stage reads.

mod rows;

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::property::{Property, PropertyGroup};
use rows::COMPONENTS;

/// What is known of a component.
#[derive(Debug)]
pub struct ComponentRow {
    /// The name that authors write.
    pub name: &'static str,
    /// Other names of the same; they are never suggested.
    pub aliases: &'static [&'static str],
    /// The function that writes the component.
    pub writer: ComponentWriter,
    /// The component's place in the content model of HTML.
    pub role: HtmlRole,
    /// Which part of what stands in it is source text instead of Markdown.
    pub raw_content: RawContent,
    /// What it means for the anchors and columns of its page.
    pub outline: ComponentOutline,
    /// What becomes of its children inside an author's component that is an island.
    pub children: IslandChildren,
    /// Looks the same wherever it stands, so that an author's component may get it rendered before it is needed.
    pub is_prescanned: bool,
    /// How the component is written in the Markdown of a page.
    pub markdown: ComponentMarkdown,
    /// Named in hints about unknown names.
    pub is_suggested: bool,
    /// Its properties, by groups that components share.
    pub properties: &'static [PropertyGroup],
    /// Whether it takes any other property too: what HTML knows for the element that it becomes, or what it hands on.
    pub takes_any: bool,
}

impl ComponentRow {
    /// All its properties but those that every element may have.
    pub fn properties(&self) -> impl Iterator<Item = &'static Property> {
        self.properties.iter().copied().flatten()
    }
}

/// The module of `render/component` that writes a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the name of its module")]
pub enum ComponentWriter {
    Accordion,
    Badge,
    Callout,
    Card,
    CodeBlock,
    Color,
    Example,
    Field,
    Frame,
    Group,
    Icon,
    Media,
    /// The component has no writer; only its children are written.
    None,
    Prompt,
    Steps,
    Tabs,
    Text,
    Tooltip,
    Tree,
    Update,
    View,
}

/// What a component is to the rules of HTML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HtmlRole {
    /// Stands in a sentence.
    Inline,
    /// Stands in a sentence and takes clicks or focus.
    InlineInteractive,
    /// A block that takes no clicks itself.
    Block,
    /// A block that takes clicks or focus.
    Interactive,
    /// A fragment: leaves only its children, in a sentence too.
    Fragment,
    /// Leaves only its children.
    Transparent,
    /// Leaves only its children, for some readers.
    Conditional,
}

impl HtmlRole {
    /// Whether it stands in a sentence if its children do.
    pub fn is_inline(self) -> bool {
        matches!(self, Self::Inline | Self::InlineInteractive)
    }

    /// Whether it takes clicks or focus itself.
    pub fn is_interactive(self) -> bool {
        matches!(self, Self::Interactive | Self::InlineInteractive)
    }

    /// Whether it is a block.
    pub fn is_block(self) -> bool {
        matches!(self, Self::Block | Self::Interactive)
    }
}

/// Which part of the content of a component is source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RawContent {
    /// No part: the content is Markdown.
    None,
    /// The whole content.
    Always,
    /// All of it, unless it is an expression or holds a code fence.
    UnlessFenced,
}

/// What a component means for the anchors and columns of its page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComponentOutline {
    /// Nothing: only what stands in it counts.
    Content,
    /// Nothing, and what stands in it counts as little.
    Nothing,
    /// What stands in it counts if it is for human readers.
    Audience,
    /// It is a heading.
    Heading,
    /// The label of the component is a heading.
    Update,
    /// It gives its steps their size.
    Steps,
    /// Its title is a heading if its size is that of one.
    Step,
    /// It takes the right column.
    Panel,
    /// It moves to the right column.
    RequestExample,
    /// It moves to the right column.
    ResponseExample,
}

/// What becomes of the children of a component inside an author's component that is an island.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IslandChildren {
    /// They are rendered with it, once.
    Rendered,
    /// They may be anything: a script goes on rendering them.
    Open,
    /// They are rendered with it, once, and put in places of their own: those that change with the state are reported.
    Arranged,
    /// It reads which elements it holds, and their props. An interactive component directly inside shows its first
    /// state only.
    Read,
}

/// What a component is in the Markdown of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComponentMarkdown {
    /// A tag with its data, and its content.
    Tag,
    /// Its content, as if it stood there without the component.
    Content,
    /// The children, if the component is for agents.
    AgentContent,
    /// Its content.
    Table,
    /// A link.
    Link,
    /// A picture.
    Image,
    /// A link to a film.
    Video,
    /// A formula.
    Math,
    /// A code block.
    Code,
    /// A code block in the language of diagrams.
    Diagram,
    /// A heading.
    Heading,
    /// A tag around its source text.
    Prompt,
    /// Nothing.
    Nothing,
}

impl ComponentMarkdown {
    /// Whether the content belongs to what stands around the component.
    pub fn is_content(self) -> bool {
        matches!(self, Self::Content | Self::AgentContent)
    }
}

/// All rows, by their names and aliases.
static BY_NAME: LazyLock<FxHashMap<&'static str, &'static ComponentRow>> = LazyLock::new(|| {
    let named = |row: &'static ComponentRow| row.aliases.iter().chain([&row.name]).map(move |name| (*name, row));
    COMPONENTS.iter().flat_map(named).collect()
});

/// The component of a name; `None` for tags of HTML and names of the authors' own.
pub fn find_component(name: &str) -> Option<&'static ComponentRow> {
    // most names looked up are tags, which begin with a small letter
    let may_be_known = name.as_bytes().first().is_none_or(u8::is_ascii_uppercase);
    if may_be_known { BY_NAME.get(name).copied() } else { None }
}

/// Whether a name is a component of the library.
pub fn is_known_component(name: &str) -> bool {
    find_component(name).is_some()
}

/// Whether a name is that of a fragment: `<>`, `<Fragment>`.
pub fn is_fragment(name: &str) -> bool {
    find_component(name).is_some_and(|component| component.role == HtmlRole::Fragment)
}

/// What becomes of the children of a component; as rendered for other names.
pub fn children_of(name: &str) -> IslandChildren {
    find_component(name).map_or(IslandChildren::Rendered, |component| component.children)
}

/// Every component.
pub fn components() -> impl Iterator<Item = &'static ComponentRow> {
    COMPONENTS.iter()
}

/// The names to suggest for an unknown one.
pub fn suggested_names() -> impl Iterator<Item = &'static str> {
    COMPONENTS.iter().filter(|component| component.is_suggested).map(|component| component.name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_known_as_they_are_written() {
        assert!(
            is_known_component("Card")
                && is_known_component("Tree.Folder")
                && !is_known_component("card")
                && !is_known_component("MyCard")
        );
        assert!(is_fragment("") && is_fragment("React.Fragment") && !is_fragment("MDX"));
    }

    #[test]
    fn rows_are_sorted_and_each_name_has_one() {
        assert!(COMPONENTS.is_sorted_by(|one, next| one.name < next.name));
        let names: Vec<&str> =
            COMPONENTS.iter().flat_map(|row| row.aliases.iter().copied().chain([row.name])).collect();
        assert_eq!(BY_NAME.len(), names.len());
        for name in names {
            assert!(find_component(name).is_some(), "{name}");
        }
    }

    #[test]
    fn the_script_of_interactive_components_renders_the_same_children() {
        let open: BTreeSet<&str> =
            COMPONENTS.iter().filter(|row| row.children == IslandChildren::Open).map(|row| row.name).collect();
        for script in
            [const { templates::text("vendor/entry/islands.js") }, const { templates::text("vendor/islands.js") }]
        {
            let start = script.find("/^(Card|").map(|at| at + "/^(".len()).unwrap();
            let names = script[start..].split(")$/").next().unwrap();
            assert_eq!(names.split('|').collect::<BTreeSet<_>>(), open);
        }
    }
}
