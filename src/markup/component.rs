//! The components of the format: one row for each, which every stage reads.
//!
//! A new component is a row here, its writer in a module of `render/component`, and its rules in a sheet of
//! `templates/css/rare/3-components`. Where its children are [`IslandChildren::Open`], the script of interactive
//! components has to know the name too (`OPEN` in `templates/vendor/entry/islands.js`; a test compares them).

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::property::{self, Property, PropertyGroup};

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
    /// None: it is Markdown.
    None,
    /// All of it.
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

const BLOCK: ComponentRow = ComponentRow {
    name: "",
    aliases: &[],
    writer: ComponentWriter::None,
    role: HtmlRole::Block,
    raw_content: RawContent::None,
    outline: ComponentOutline::Content,
    children: IslandChildren::Rendered,
    is_prescanned: false,
    markdown: ComponentMarkdown::Tag,
    is_suggested: true,
    properties: &[],
    takes_any: false,
};
const INTERACTIVE: ComponentRow = ComponentRow { role: HtmlRole::Interactive, ..BLOCK };
const INLINE: ComponentRow = ComponentRow { role: HtmlRole::Inline, ..BLOCK };
const INLINE_INTERACTIVE: ComponentRow = ComponentRow { role: HtmlRole::InlineInteractive, ..BLOCK };
const CALLOUT: ComponentRow = ComponentRow {
    writer: ComponentWriter::Callout,
    children: IslandChildren::Open,
    is_prescanned: true,
    properties: &[property::TITLE, property::ICON, property::CALLOUT],
    ..BLOCK
};
const OPEN: ComponentRow = ComponentRow { children: IslandChildren::Open, ..BLOCK };
const READ: ComponentRow = ComponentRow { role: HtmlRole::Interactive, children: IslandChildren::Read, ..BLOCK };
const INTERNAL: ComponentRow = ComponentRow { is_suggested: false, ..BLOCK };

/// In alphabetical order.
static COMPONENTS: &[ComponentRow] = &[
    ComponentRow {
        aliases: &["Fragment", "React.Fragment"],
        role: HtmlRole::Fragment,
        markdown: ComponentMarkdown::Content,
        takes_any: true,
        ..INTERNAL
    },
    ComponentRow {
        name: "Accordion",
        writer: ComponentWriter::Accordion,
        role: HtmlRole::Interactive,
        children: IslandChildren::Open,
        is_prescanned: true,
        properties: &[property::TITLE, property::DESCRIPTION, property::ICON, property::ID, property::ACCORDION],
        ..BLOCK
    },
    ComponentRow { name: "AccordionGroup", writer: ComponentWriter::Group, ..OPEN },
    ComponentRow { name: "ApiPlayground", markdown: ComponentMarkdown::Nothing, takes_any: true, ..INTERNAL },
    ComponentRow {
        name: "Badge",
        writer: ComponentWriter::Badge,
        children: IslandChildren::Open,
        is_prescanned: true,
        properties: &[property::HREF, property::ICON, property::BADGE],
        ..INLINE
    },
    ComponentRow {
        name: "Banner",
        writer: ComponentWriter::Callout,
        properties: &[property::TITLE, property::ICON, property::CALLOUT, property::CALLOUT_VARIANT],
        ..INTERNAL
    },
    ComponentRow {
        name: "Callout",
        properties: &[property::TITLE, property::ICON, property::CALLOUT, property::CALLOUT_VARIANT],
        ..CALLOUT
    },
    ComponentRow {
        name: "Card",
        writer: ComponentWriter::Card,
        children: IslandChildren::Open,
        is_prescanned: true,
        properties: &[
            property::TITLE,
            property::DESCRIPTION,
            property::HREF,
            property::ICON,
            property::CARD,
            property::DISABLED,
        ],
        ..BLOCK
    },
    ComponentRow { name: "CardGroup", writer: ComponentWriter::Group, properties: &[property::COLUMNS], ..OPEN },
    ComponentRow { name: "Check", ..CALLOUT },
    ComponentRow {
        name: "CodeBlock",
        writer: ComponentWriter::CodeBlock,
        raw_content: RawContent::UnlessFenced,
        is_prescanned: true,
        markdown: ComponentMarkdown::Code,
        properties: &[property::CODE_BLOCK],
        ..INTERACTIVE
    },
    ComponentRow { name: "CodeGroup", writer: ComponentWriter::Tabs, properties: &[property::DROPDOWN], ..READ },
    ComponentRow { name: "Color", writer: ComponentWriter::Color, properties: &[property::COLOR], ..READ },
    ComponentRow {
        name: "Color.Item",
        writer: ComponentWriter::Color,
        properties: &[property::COLOR_ITEM],
        ..INLINE_INTERACTIVE
    },
    ComponentRow { name: "Color.Row", writer: ComponentWriter::Color, properties: &[property::TITLE], ..READ },
    ComponentRow { name: "Column", writer: ComponentWriter::Group, ..OPEN },
    ComponentRow { name: "Columns", writer: ComponentWriter::Group, properties: &[property::COLUMNS], ..OPEN },
    ComponentRow {
        name: "CustomCode",
        writer: ComponentWriter::CodeBlock,
        role: HtmlRole::Interactive,
        markdown: ComponentMarkdown::Code,
        properties: &[property::CODE_BLOCK],
        takes_any: true,
        ..INTERNAL
    },
    ComponentRow {
        name: "CustomComponent",
        aliases: &["DynamicCustomComponent", "MDXContentController"],
        markdown: ComponentMarkdown::Content,
        takes_any: true,
        ..INTERNAL
    },
    ComponentRow { name: "Danger", ..CALLOUT },
    ComponentRow { name: "Example", writer: ComponentWriter::Frame, properties: &[property::FRAME], ..BLOCK },
    ComponentRow {
        name: "Expandable",
        writer: ComponentWriter::Accordion,
        role: HtmlRole::Interactive,
        children: IslandChildren::Open,
        is_prescanned: true,
        properties: &[property::TITLE, property::DESCRIPTION, property::ICON, property::ID, property::ACCORDION],
        ..BLOCK
    },
    ComponentRow { name: "FileTree", writer: ComponentWriter::Tree, ..READ },
    ComponentRow {
        name: "Frame",
        writer: ComponentWriter::Frame,
        children: IslandChildren::Open,
        is_prescanned: true,
        properties: &[property::FRAME],
        ..BLOCK
    },
    ComponentRow { name: "GitHub", takes_any: true, ..INTERNAL },
    ComponentRow {
        name: "GitHub.Repo",
        writer: ComponentWriter::Card,
        aliases: &["Github.Repo"],
        properties: &[property::REPOSITORY],
        ..INTERACTIVE
    },
    ComponentRow {
        name: "Heading",
        writer: ComponentWriter::Text,
        outline: ComponentOutline::Heading,
        markdown: ComponentMarkdown::Heading,
        properties: &[property::HEADING, property::ID],
        ..BLOCK
    },
    ComponentRow {
        name: "Icon",
        writer: ComponentWriter::Icon,
        is_prescanned: true,
        properties: &[property::ICON, property::ICON_ELEMENT],
        ..INLINE
    },
    ComponentRow { name: "Info", ..CALLOUT },
    ComponentRow {
        name: "Latex",
        writer: ComponentWriter::Text,
        markdown: ComponentMarkdown::Math,
        properties: &[property::SOURCE],
        ..INLINE
    },
    ComponentRow {
        name: "Link",
        writer: ComponentWriter::Text,
        markdown: ComponentMarkdown::Link,
        properties: &[property::HREF, property::LINK],
        takes_any: true,
        ..INLINE_INTERACTIVE
    },
    ComponentRow { name: "MDX", role: HtmlRole::Transparent, markdown: ComponentMarkdown::Content, ..BLOCK },
    ComponentRow {
        name: "Mermaid",
        writer: ComponentWriter::Text,
        markdown: ComponentMarkdown::Diagram,
        properties: &[property::DIAGRAM, property::SOURCE],
        ..INTERACTIVE
    },
    ComponentRow { name: "Note", ..CALLOUT },
    ComponentRow {
        name: "OptimizedVideo",
        writer: ComponentWriter::Media,
        role: HtmlRole::Interactive,
        markdown: ComponentMarkdown::Video,
        takes_any: true,
        ..INTERNAL
    },
    ComponentRow {
        name: "Panel",
        writer: ComponentWriter::Example,
        outline: ComponentOutline::Panel,
        children: IslandChildren::Open,
        ..INTERACTIVE
    },
    ComponentRow {
        name: "Param",
        writer: ComponentWriter::Field,
        properties: &[property::FIELD, property::PARAMETER, property::ID],
        ..INTERNAL
    },
    ComponentRow {
        name: "ParamField",
        writer: ComponentWriter::Field,
        properties: &[property::FIELD, property::PARAMETER, property::ID],
        ..OPEN
    },
    ComponentRow {
        name: "Prompt",
        writer: ComponentWriter::Prompt,
        raw_content: RawContent::Always,
        outline: ComponentOutline::Nothing,
        markdown: ComponentMarkdown::Prompt,
        properties: &[property::DESCRIPTION, property::ICON, property::PROMPT],
        ..INTERACTIVE
    },
    ComponentRow {
        name: "RequestExample",
        writer: ComponentWriter::Example,
        outline: ComponentOutline::RequestExample,
        properties: &[property::DROPDOWN],
        ..READ
    },
    ComponentRow {
        name: "ResponseExample",
        writer: ComponentWriter::Example,
        outline: ComponentOutline::ResponseExample,
        properties: &[property::DROPDOWN],
        ..READ
    },
    ComponentRow {
        name: "ResponseField",
        writer: ComponentWriter::Field,
        properties: &[property::FIELD, property::ID],
        ..OPEN
    },
    ComponentRow {
        name: "Snippet",
        role: HtmlRole::Transparent,
        markdown: ComponentMarkdown::Content,
        properties: &[property::SNIPPET],
        takes_any: true,
        ..BLOCK
    },
    ComponentRow { name: "SnippetGroup", writer: ComponentWriter::Tabs, properties: &[property::DROPDOWN], ..READ },
    ComponentRow {
        name: "Step",
        writer: ComponentWriter::Steps,
        outline: ComponentOutline::Step,
        children: IslandChildren::Open,
        is_prescanned: true,
        properties: &[property::TITLE, property::ICON, property::ID, property::STEPS, property::STEP],
        ..BLOCK
    },
    ComponentRow {
        name: "Steps",
        writer: ComponentWriter::Steps,
        outline: ComponentOutline::Steps,
        children: IslandChildren::Open,
        is_prescanned: true,
        properties: &[property::STEPS],
        ..BLOCK
    },
    ComponentRow {
        name: "Tab",
        writer: ComponentWriter::Tabs,
        properties: &[property::TITLE, property::ICON, property::ID, property::TAB],
        ..INTERACTIVE
    },
    ComponentRow {
        name: "Table",
        role: HtmlRole::Interactive,
        markdown: ComponentMarkdown::Table,
        takes_any: true,
        ..INTERNAL
    },
    ComponentRow { name: "Tabs", writer: ComponentWriter::Tabs, properties: &[property::TABS], ..READ },
    ComponentRow {
        name: "Tile",
        writer: ComponentWriter::Card,
        properties: &[property::TITLE, property::DESCRIPTION, property::HREF, property::DISABLED],
        ..INTERACTIVE
    },
    ComponentRow { name: "Tip", ..CALLOUT },
    ComponentRow {
        name: "Tooltip",
        writer: ComponentWriter::Tooltip,
        children: IslandChildren::Arranged,
        is_prescanned: true,
        properties: &[property::TOOLTIP, property::HREF],
        ..INLINE_INTERACTIVE
    },
    ComponentRow { name: "Tree", writer: ComponentWriter::Tree, ..READ },
    ComponentRow { name: "Tree.File", writer: ComponentWriter::Tree, properties: &[property::TREE_ENTRY], ..BLOCK },
    ComponentRow {
        name: "Tree.Folder",
        writer: ComponentWriter::Tree,
        properties: &[property::TREE_ENTRY, property::TREE_FOLDER],
        ..READ
    },
    ComponentRow {
        name: "Update",
        writer: ComponentWriter::Update,
        outline: ComponentOutline::Update,
        children: IslandChildren::Arranged,
        properties: &[property::UPDATE, property::DESCRIPTION, property::ID],
        ..BLOCK
    },
    ComponentRow {
        name: "Variation",
        writer: ComponentWriter::View,
        role: HtmlRole::Conditional,
        properties: &[property::VARIATION],
        ..INTERNAL
    },
    ComponentRow {
        name: "View",
        writer: ComponentWriter::View,
        properties: &[property::TITLE, property::ICON, property::ID],
        ..INTERACTIVE
    },
    ComponentRow {
        name: "Visibility",
        writer: ComponentWriter::View,
        role: HtmlRole::Conditional,
        outline: ComponentOutline::Audience,
        markdown: ComponentMarkdown::AgentContent,
        properties: &[property::VISIBILITY],
        ..INTERNAL
    },
    ComponentRow { name: "Warning", ..CALLOUT },
    ComponentRow {
        name: "ZoomImage",
        writer: ComponentWriter::Media,
        aliases: &["OptimizedImage"],
        markdown: ComponentMarkdown::Image,
        takes_any: true,
        ..INTERNAL
    },
];

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
