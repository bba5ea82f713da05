//! The properties of the components of the format. The row of a component names its groups; the reference page
//! `fixtures/docs/components/properties.mdx` and the diagnostic `unknown-property` come from here.

/// A property of a component.
#[derive(Debug, PartialEq, Eq)]
pub struct Property {
    /// The name as authors write it.
    pub name: &'static str,
    /// The kind of value that the property takes.
    pub kind: PropertyKind,
    /// The values that have an effect, the usual one first; empty if any has.
    pub values: &'static [&'static str],
    /// What it does, for readers of the reference. Markdown, one sentence.
    pub says: &'static str,
}

/// What the value of a property is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// Text as it stands.
    Text,
    /// Text with inline Markdown, or elements.
    Markup,
    /// A number.
    Number,
    /// On if it is there, off with `{false}`.
    Flag,
    /// A page, a file or an address.
    Address,
    /// A color of CSS.
    Color,
    /// A name of the icon library, a path, an address, or a drawing.
    Icon,
    /// A list of texts.
    List,
    /// A value of JavaScript.
    Object,
    /// Known by the format, without effect in a bundle.
    Ignored,
}

impl PropertyKind {
    /// Its word in the reference.
    pub fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Markup => "inline Markdown",
            Self::Number => "number",
            Self::Flag => "flag",
            Self::Address => "address",
            Self::Color => "color",
            Self::Icon => "icon",
            Self::List => "list",
            Self::Object => "object",
            Self::Ignored => "without effect",
        }
    }
}

/// Properties that several components share.
pub type PropertyGroup = &'static [Property];

const fn property(name: &'static str, kind: PropertyKind, says: &'static str) -> Property {
    Property { name, kind, values: &[], says }
}

const fn one_of(name: &'static str, values: &'static [&'static str], says: &'static str) -> Property {
    Property { name, kind: PropertyKind::Text, values, says }
}

use PropertyKind::{Address, Color, Flag, Icon, Ignored, List, Markup, Number, Object, Text};

pub(crate) const TITLE: PropertyGroup = &[property("title", Markup, "The title.")];
pub(crate) const DESCRIPTION: PropertyGroup = &[property("description", Markup, "A text below the title.")];
pub(crate) const ICON: PropertyGroup = &[
    property("icon", Icon, "The icon: a name, a path, an address, or a drawing."),
    property("iconType", Text, "The style of a Font Awesome icon, such as `solid` or `brands`."),
    property("iconLibrary", Text, "The library of the icon, instead of the one that `docs.json` names."),
    property("library", Text, "The same as `iconLibrary`."),
];
pub(crate) const ID: PropertyGroup = &[property("id", Text, "The anchor, instead of the one that the title makes.")];
pub(crate) const HREF: PropertyGroup = &[property("href", Address, "Where it leads.")];
pub(crate) const DROPDOWN: PropertyGroup = &[property("dropdown", Flag, "A menu instead of a row of tabs.")];

pub(crate) const ACCORDION: PropertyGroup = &[property("defaultOpen", Flag, "Open at first.")];
pub(crate) const BADGE: PropertyGroup = &[
    one_of(
        "color",
        &[
            "gray",
            "blue",
            "green",
            "yellow",
            "orange",
            "red",
            "purple",
            "white",
            "surface",
            "white-destructive",
            "surface-destructive",
        ],
        "The color.",
    ),
    one_of("size", &["md", "xs", "sm", "lg"], "The size."),
    one_of("shape", &["rounded", "pill"], "The shape."),
    one_of("variant", &["solid", "outline"], "A ground, or only a line around it."),
    property("stroke", Flag, "The same as `variant=\"outline\"`."),
    property("disabled", Flag, "Paler."),
    property("leadIcon", Icon, "The same as `icon`."),
    property("tailIcon", Icon, "An icon behind the text."),
];
pub(crate) const CALLOUT: PropertyGroup = &[property("color", Color, "The color of line, ground and icon.")];
pub(crate) const CALLOUT_VARIANT: PropertyGroup = &[
    one_of("variant", &["custom", "note", "warning", "info", "tip", "check", "danger"], "The kind of callout."),
    property("type", Text, "The same as `variant`."),
];
pub(crate) const CARD: PropertyGroup = &[
    property("horizontal", Flag, "The icon beside the text."),
    property("img", Address, "A picture at the top."),
    property("cta", Markup, "The words of the link at the bottom."),
    property("arrow", Flag, "An arrow in the corner; links to other hosts have one."),
    property("color", Color, "The color of the icon."),
    one_of("type", &["info", "warning", "note", "tip", "check", "danger"], "Colors of a callout."),
];
pub(crate) const DISABLED: PropertyGroup = &[property("disabled", Flag, "No link.")];
pub(crate) const CODE_BLOCK: PropertyGroup = &[
    property("language", Text, "The language."),
    property("lang", Text, "The same as `language`."),
    property("filename", Text, "The title."),
    property("title", Text, "The same as `filename`."),
    property("icon", Icon, "An icon before the title."),
    property("lines", Flag, "Line numbers; a number is that of the first line."),
    property("showLineNumbers", Flag, "The same as `lines`."),
    property("wrap", Flag, "Long lines are wrapped."),
    property("expandable", Flag, "A long block is closed at first."),
    property("nocopy", Flag, "No button that copies it."),
    property("highlight", List, "Lines with a ground: `[1,3]` or `\"1-3\"`."),
    property("focus", List, "Lines that stand out from paler ones."),
    property("added", List, "Lines that a change adds."),
    property("removed", List, "Lines that a change removes."),
    property("theme", Text, "A theme of Shiki for this block."),
];
pub(crate) const COLOR: PropertyGroup =
    &[one_of("variant", &["compact", "table"], "Swatches in a row, or rows with titles.")];
pub(crate) const COLOR_ITEM: PropertyGroup =
    &[property("name", Text, "The name."), property("value", Object, "A color, or an object with `light` and `dark`.")];
pub(crate) const COLUMNS: PropertyGroup = &[property("cols", Number, "How many columns, 1 to 4; 2 without it.")];
pub(crate) const FIELD: PropertyGroup = &[
    property("name", Text, "The name."),
    property("type", Markup, "The type; several in a list."),
    property("default", Markup, "The default."),
    property("required", Flag, "Marked as required."),
    property("deprecated", Flag, "Marked as deprecated."),
    property("pre", List, "Labels before the name."),
    property("post", List, "Labels behind the name."),
];
pub(crate) const PARAMETER: PropertyGroup = &[
    property("query", Text, "The name of a parameter in the query."),
    property("path", Text, "The name of a parameter in the path."),
    property("body", Text, "The name of a field of the body."),
    property("header", Text, "The name of a header."),
    property("cookie", Text, "The name of a cookie."),
    property("hidden", Flag, "Not shown."),
    property("placeholder", Ignored, "An example in the playground."),
    property("initialValue", Ignored, "A value in the playground."),
];
pub(crate) const FRAME: PropertyGroup = &[
    property("caption", Markup, "Words below."),
    property("hint", Markup, "Words above."),
    property("style", Object, "Styles of the frame."),
];
pub(crate) const REPOSITORY: PropertyGroup = &[
    property("repo", Text, "`owner/name`, or its address."),
    property("url", Address, "The same as `repo`."),
    one_of("variant", &["inset", "flat"], "How it stands out."),
];
pub(crate) const ICON_ELEMENT: PropertyGroup = &[
    property("name", Text, "The same as `icon`."),
    property("src", Address, "A picture instead."),
    property("size", Number, "Width and height in pixels; 16 without it."),
    property("color", Color, "The color."),
];
pub(crate) const HEADING: PropertyGroup =
    &[property("level", Number, "1 to 6; 2 without it."), property("noAnchor", Flag, "Without a link to itself.")];
pub(crate) const LINK: PropertyGroup = &[property("to", Address, "The same as `href`.")];
pub(crate) const SOURCE: PropertyGroup = &[property("children", Text, "The source, instead of what stands inside.")];
pub(crate) const DIAGRAM: PropertyGroup = &[
    property("chart", Text, "The source of the diagram, instead of what stands inside."),
    property("placement", Ignored, "Where the buttons of a diagram stand; in a fence it has an effect."),
    property("actions", Ignored, "Whether a diagram has buttons; in a fence it has an effect."),
];
pub(crate) const PROMPT: PropertyGroup =
    &[property("actions", Ignored, "The buttons; a bundle has the one that copies.")];
pub(crate) const SNIPPET: PropertyGroup = &[property("file", Address, "A file below `snippets`.")];
pub(crate) const STEPS: PropertyGroup =
    &[one_of("titleSize", &["p", "h2", "h3", "h4"], "What titles of steps are: words or headings.")];
pub(crate) const STEP: PropertyGroup = &[
    property("stepNumber", Number, "Its number; those behind it count on."),
    property("noAnchor", Ignored, "Without a link to itself."),
];
pub(crate) const TABS: PropertyGroup = &[
    property("defaultTabIndex", Number, "The tab that is open at first, from 0."),
    property("sync", Flag, "Chosen together with tabs of the same title; on without it."),
    property("borderBottom", Flag, "A line below."),
    property("items", List, "The titles, as Fumadocs and Nextra have them."),
    property("values", Object, "Values and labels, as Docusaurus has them."),
    property("defaultValue", Text, "The value of the tab that is open at first."),
];
pub(crate) const TAB: PropertyGroup = &[
    property("label", Text, "The title, as Docusaurus has it."),
    property("value", Text, "The name that `defaultValue` and `values` mean."),
    property("default", Flag, "Open at first."),
];
pub(crate) const TOOLTIP: PropertyGroup = &[
    property("tip", Markup, "The words that are shown."),
    property("headline", Markup, "A title above them."),
    property("cta", Markup, "The words of a link below them."),
    property("side", Ignored, "Where it stands; the bundle takes the side that has room."),
    property("align", Ignored, "How it is aligned."),
];
pub(crate) const TREE_ENTRY: PropertyGroup =
    &[property("name", Markup, "The name of the file or folder."), property("highlight", Flag, "It stands out.")];
pub(crate) const TREE_FOLDER: PropertyGroup = &[
    property("defaultOpen", Flag, "Open at first."),
    property("openable", Flag, "Whether readers can open it; on without it."),
];
pub(crate) const UPDATE: PropertyGroup = &[
    property("label", Markup, "The title, which makes the anchor."),
    property("tags", List, "What readers filter by."),
    property("rss", Object, "Title and description in the feed."),
];
pub(crate) const VARIATION: PropertyGroup = &[property("is", List, "The variations that it is for.")];
pub(crate) const VISIBILITY: PropertyGroup = &[one_of("for", &["humans", "agents"], "Who sees it.")];

/// Whether every element may have a property: what JSX itself knows, what scripts and styles of the site need, and what
/// is for assistive technology.
pub fn is_universal_property(name: &str) -> bool {
    matches!(name, "key" | "ref" | "children" | "className" | "class" | "id" | "style" | "dangerouslySetInnerHTML")
        || ["data-", "aria-"].iter().any(|start| name.starts_with(start))
        || name.strip_prefix("on").is_some_and(|event| event.starts_with(char::is_uppercase) || is_lower_event(event))
}

/// `onclick` and its kind, as HTML writes them.
fn is_lower_event(event: &str) -> bool {
    [
        "abort", "blur", "change", "click", "error", "focus", "input", "key", "load", "mouse", "pointer", "submit",
        "touch",
    ]
    .iter()
    .any(|start| event.starts_with(start))
}
