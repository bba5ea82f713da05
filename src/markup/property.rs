//! The properties of the components of the format: what a property is, and those that several components share. The row
//! of a component names its groups, and has what it does not share; the reference page
//! `fixtures/docs/components/properties.mdx` and the diagnostic `unknown-property` come from the rows.

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

/// A property with any value of a kind.
pub(crate) const fn property(name: &'static str, kind: PropertyKind, says: &'static str) -> Property {
    Property { name, kind, values: &[], says }
}

/// A property with some values, the usual one first.
pub(crate) const fn one_of(name: &'static str, values: &'static [&'static str], says: &'static str) -> Property {
    Property { name, kind: PropertyKind::Text, values, says }
}

use PropertyKind::{Address, Color, Flag, Icon, Ignored, List, Markup, Number, Object, Text};

/// The colors of badges, the usual one first.
pub const BADGE_COLORS: [&str; 11] = [
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
];
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
pub(crate) const CALLOUT: PropertyGroup = &[property("color", Color, "The color of line, ground and icon.")];
pub(crate) const CALLOUT_VARIANT: PropertyGroup = &[
    one_of("variant", &["custom", "note", "warning", "info", "tip", "check", "danger"], "The kind of callout."),
    property("type", Text, "The same as `variant`."),
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
pub(crate) const SOURCE: PropertyGroup = &[property("children", Text, "The source, instead of what stands inside.")];
pub(crate) const STEPS: PropertyGroup =
    &[one_of("titleSize", &["p", "h2", "h3", "h4"], "What titles of steps are: words or headings.")];
pub(crate) const TREE_ENTRY: PropertyGroup =
    &[property("name", Markup, "The name of the file or folder."), property("highlight", Flag, "It stands out.")];

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
