//! The components of the format: one row for each, which every stage reads.
//!
//! A new component is a row here, its writer in a module of `render/component`, and its rules in a sheet of
//! `templates/css/rare/3-components`. Where its children are [`Children::Open`], the script of interactive components
//! has to know the name too (`OPEN` in `templates/vendor/entry/islands.js`; a test compares them).

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// What is known of a component.
#[derive(Debug)]
pub struct Component {
    /// The name that authors write.
    pub name: &'static str,
    /// Other names of the same; they are never suggested.
    pub aliases: &'static [&'static str],
    /// What writes it.
    pub writer: ComponentWriter,
    /// What it is to the rules of HTML.
    pub role: Role,
    /// Which part of what stands in it is source text instead of Markdown.
    pub raw_content: RawContent,
    /// What it means for the anchors and columns of its page.
    pub outline: Outline,
    /// What becomes of its children inside an author's component that is an island.
    pub children: Children,
    /// Looks the same wherever it stands, so that an author's component may get it rendered before it is needed.
    pub is_prescanned: bool,
    /// What it is in the Markdown of a page.
    pub markdown: Markdown,
    /// Named in hints about unknown names.
    pub is_suggested: bool,
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
    /// None: only its children are written.
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
pub enum Role {
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

impl Role {
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
pub enum Outline {
    /// Nothing: only what stands in it counts.
    Content,
    /// Nothing, and what stands in it counts as little.
    Nothing,
    /// What stands in it counts if it is for human readers.
    Audience,
    /// It is a heading.
    Heading,
    /// Its label is a heading.
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
pub enum Children {
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
pub enum Markdown {
    /// A tag with its data, and its content.
    Tag,
    /// Its content, as if it stood there without the component.
    Content,
    /// The same, if it is for agents.
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

impl Markdown {
    /// Whether the content belongs to what stands around the component.
    pub fn is_content(self) -> bool {
        matches!(self, Self::Content | Self::AgentContent)
    }
}

const BLOCK: Component = Component {
    name: "",
    aliases: &[],
    writer: ComponentWriter::None,
    role: Role::Block,
    raw_content: RawContent::None,
    outline: Outline::Content,
    children: Children::Rendered,
    is_prescanned: false,
    markdown: Markdown::Tag,
    is_suggested: true,
};
const INTERACTIVE: Component = Component { role: Role::Interactive, ..BLOCK };
const INLINE: Component = Component { role: Role::Inline, ..BLOCK };
const INLINE_INTERACTIVE: Component = Component { role: Role::InlineInteractive, ..BLOCK };
const CALLOUT: Component =
    Component { writer: ComponentWriter::Callout, children: Children::Open, is_prescanned: true, ..BLOCK };
const OPEN: Component = Component { children: Children::Open, ..BLOCK };
const READ: Component = Component { role: Role::Interactive, children: Children::Read, ..BLOCK };
const INTERNAL: Component = Component { is_suggested: false, ..BLOCK };

/// In alphabetical order.
static COMPONENTS: &[Component] = &[
    Component {
        aliases: &["Fragment", "React.Fragment"],
        role: Role::Fragment,
        markdown: Markdown::Content,
        ..INTERNAL
    },
    Component {
        name: "Accordion",
        writer: ComponentWriter::Accordion,
        role: Role::Interactive,
        children: Children::Open,
        is_prescanned: true,
        ..BLOCK
    },
    Component { name: "AccordionGroup", writer: ComponentWriter::Group, ..OPEN },
    Component { name: "ApiPlayground", markdown: Markdown::Nothing, ..INTERNAL },
    Component {
        name: "Badge",
        writer: ComponentWriter::Badge,
        children: Children::Open,
        is_prescanned: true,
        ..INLINE
    },
    Component { name: "Banner", writer: ComponentWriter::Callout, ..INTERNAL },
    Component { name: "Callout", ..CALLOUT },
    Component { name: "Card", writer: ComponentWriter::Card, children: Children::Open, is_prescanned: true, ..BLOCK },
    Component { name: "CardGroup", writer: ComponentWriter::Group, ..OPEN },
    Component { name: "Check", ..CALLOUT },
    Component {
        name: "CodeBlock",
        writer: ComponentWriter::CodeBlock,
        raw_content: RawContent::UnlessFenced,
        is_prescanned: true,
        markdown: Markdown::Code,
        ..INTERACTIVE
    },
    Component { name: "CodeGroup", writer: ComponentWriter::Tabs, ..READ },
    Component { name: "Color", writer: ComponentWriter::Color, ..READ },
    Component { name: "Color.Item", writer: ComponentWriter::Color, ..INLINE_INTERACTIVE },
    Component { name: "Color.Row", writer: ComponentWriter::Color, ..READ },
    Component { name: "Column", writer: ComponentWriter::Group, ..OPEN },
    Component { name: "Columns", writer: ComponentWriter::Group, ..OPEN },
    Component {
        name: "CustomCode",
        writer: ComponentWriter::CodeBlock,
        role: Role::Interactive,
        markdown: Markdown::Code,
        ..INTERNAL
    },
    Component {
        name: "CustomComponent",
        aliases: &["DynamicCustomComponent", "MDXContentController"],
        markdown: Markdown::Content,
        ..INTERNAL
    },
    Component { name: "Danger", ..CALLOUT },
    Component { name: "Example", writer: ComponentWriter::Frame, ..BLOCK },
    Component {
        name: "Expandable",
        writer: ComponentWriter::Accordion,
        role: Role::Interactive,
        children: Children::Open,
        is_prescanned: true,
        ..BLOCK
    },
    Component { name: "FileTree", writer: ComponentWriter::Tree, ..READ },
    Component { name: "Frame", writer: ComponentWriter::Frame, children: Children::Open, is_prescanned: true, ..BLOCK },
    Component { name: "GitHub", ..INTERNAL },
    Component { name: "GitHub.Repo", writer: ComponentWriter::Card, aliases: &["Github.Repo"], ..INTERACTIVE },
    Component {
        name: "Heading",
        writer: ComponentWriter::Text,
        outline: Outline::Heading,
        markdown: Markdown::Heading,
        ..BLOCK
    },
    Component { name: "Icon", writer: ComponentWriter::Icon, is_prescanned: true, ..INLINE },
    Component { name: "Info", ..CALLOUT },
    Component { name: "Latex", writer: ComponentWriter::Text, markdown: Markdown::Math, ..INLINE },
    Component { name: "Link", writer: ComponentWriter::Text, markdown: Markdown::Link, ..INLINE_INTERACTIVE },
    Component { name: "MDX", role: Role::Transparent, markdown: Markdown::Content, ..BLOCK },
    Component { name: "Mermaid", writer: ComponentWriter::Text, markdown: Markdown::Diagram, ..INTERACTIVE },
    Component { name: "Note", ..CALLOUT },
    Component {
        name: "OptimizedVideo",
        writer: ComponentWriter::Media,
        role: Role::Interactive,
        markdown: Markdown::Video,
        ..INTERNAL
    },
    Component {
        name: "Panel",
        writer: ComponentWriter::Example,
        outline: Outline::Panel,
        children: Children::Open,
        ..INTERACTIVE
    },
    Component { name: "Param", writer: ComponentWriter::Field, ..INTERNAL },
    Component { name: "ParamField", writer: ComponentWriter::Field, ..OPEN },
    Component {
        name: "Prompt",
        writer: ComponentWriter::Prompt,
        raw_content: RawContent::Always,
        outline: Outline::Nothing,
        markdown: Markdown::Prompt,
        ..INTERACTIVE
    },
    Component { name: "RequestExample", writer: ComponentWriter::Example, outline: Outline::RequestExample, ..READ },
    Component { name: "ResponseExample", writer: ComponentWriter::Example, outline: Outline::ResponseExample, ..READ },
    Component { name: "ResponseField", writer: ComponentWriter::Field, ..OPEN },
    Component { name: "Snippet", role: Role::Transparent, markdown: Markdown::Content, ..BLOCK },
    Component { name: "SnippetGroup", writer: ComponentWriter::Tabs, ..READ },
    Component {
        name: "Step",
        writer: ComponentWriter::Steps,
        outline: Outline::Step,
        children: Children::Open,
        is_prescanned: true,
        ..BLOCK
    },
    Component {
        name: "Steps",
        writer: ComponentWriter::Steps,
        outline: Outline::Steps,
        children: Children::Open,
        is_prescanned: true,
        ..BLOCK
    },
    Component { name: "Tab", writer: ComponentWriter::Tabs, ..INTERACTIVE },
    Component { name: "Table", role: Role::Interactive, markdown: Markdown::Table, ..INTERNAL },
    Component { name: "Tabs", writer: ComponentWriter::Tabs, ..READ },
    Component { name: "Tile", writer: ComponentWriter::Card, ..INTERACTIVE },
    Component { name: "Tip", ..CALLOUT },
    Component {
        name: "Tooltip",
        writer: ComponentWriter::Tooltip,
        children: Children::Arranged,
        is_prescanned: true,
        ..INLINE_INTERACTIVE
    },
    Component { name: "Tree", writer: ComponentWriter::Tree, ..READ },
    Component { name: "Tree.File", writer: ComponentWriter::Tree, ..BLOCK },
    Component { name: "Tree.Folder", writer: ComponentWriter::Tree, ..READ },
    Component {
        name: "Update",
        writer: ComponentWriter::Update,
        outline: Outline::Update,
        children: Children::Arranged,
        ..BLOCK
    },
    Component { name: "Variation", writer: ComponentWriter::View, role: Role::Conditional, ..INTERNAL },
    Component { name: "View", writer: ComponentWriter::View, ..INTERACTIVE },
    Component {
        name: "Visibility",
        writer: ComponentWriter::View,
        role: Role::Conditional,
        outline: Outline::Audience,
        markdown: Markdown::AgentContent,
        ..INTERNAL
    },
    Component { name: "Warning", ..CALLOUT },
    Component {
        name: "ZoomImage",
        writer: ComponentWriter::Media,
        aliases: &["OptimizedImage"],
        markdown: Markdown::Image,
        ..INTERNAL
    },
];

/// By name and alias.
static BY_NAME: LazyLock<FxHashMap<&'static str, &'static Component>> = LazyLock::new(|| {
    let named = |row: &'static Component| row.aliases.iter().chain([&row.name]).map(move |name| (*name, row));
    COMPONENTS.iter().flat_map(named).collect()
});

/// The component of a name; `None` for tags of HTML and names of the authors' own.
pub fn find_component(name: &str) -> Option<&'static Component> {
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
    find_component(name).is_some_and(|component| component.role == Role::Fragment)
}

/// What becomes of the children of a component; as rendered for other names.
pub fn children_of(name: &str) -> Children {
    find_component(name).map_or(Children::Rendered, |component| component.children)
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
            COMPONENTS.iter().filter(|row| row.children == Children::Open).map(|row| row.name).collect();
        for script in
            [const { templates::text("vendor/entry/islands.js") }, const { templates::text("vendor/islands.js") }]
        {
            let start = script.find("/^(Card|").map(|at| at + "/^(".len()).unwrap();
            let names = script[start..].split(")$/").next().unwrap();
            assert_eq!(names.split('|').collect::<BTreeSet<_>>(), open);
        }
    }
}
