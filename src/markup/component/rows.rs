//! The rows of all components.
//!
//! A new component is a row here, its writer in a module of `render/component`, and its rules in a sheet of
//! `templates/css/rare/3-components`. A property that it has alone stands in its row. Where its children are
//! [`IslandChildren::Open`], the script of interactive components has to know the name too (`OPEN` in
//! `templates/vendor/entry/islands.js`; a test compares them).

use super::{ComponentMarkdown, ComponentOutline, ComponentRow, ComponentWriter, HtmlRole, IslandChildren, RawContent};
use crate::property::PropertyKind::{Address, Color, Flag, Icon, Ignored, List, Markup, Number, Object, Text};
use crate::property::{self, one_of, property};

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
pub(super) static COMPONENTS: &[ComponentRow] = &[
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
        properties: &[
            property::HREF,
            property::ICON,
            &[
                one_of("color", &property::BADGE_COLORS, "The color."),
                one_of("size", &["md", "xs", "sm", "lg"], "The size."),
                one_of("shape", &["rounded", "pill"], "The shape."),
                one_of("variant", &["solid", "outline"], "A ground, or only a line around it."),
                property("stroke", Flag, "The same as `variant=\"outline\"`."),
                property("disabled", Flag, "Paler."),
                property("leadIcon", Icon, "The same as `icon`."),
                property("tailIcon", Icon, "An icon behind the text."),
            ],
        ],
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
            &[
                property("horizontal", Flag, "The icon beside the text."),
                property("img", Address, "A picture at the top."),
                property("cta", Markup, "The words of the link at the bottom."),
                property("arrow", Flag, "An arrow in the corner; links to other hosts have one."),
                property("color", Color, "The color of the icon."),
                one_of("type", &["info", "warning", "note", "tip", "check", "danger"], "Colors of a callout."),
            ],
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
    ComponentRow {
        name: "Color",
        writer: ComponentWriter::Color,
        properties: &[&[one_of("variant", &["compact", "table"], "Swatches in a row, or rows with titles.")]],
        ..READ
    },
    ComponentRow {
        name: "Color.Item",
        writer: ComponentWriter::Color,
        properties: &[&[
            property("name", Text, "The name."),
            property("value", Object, "A color, or an object with `light` and `dark`."),
        ]],
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
        properties: &[&[
            property("repo", Text, "`owner/name`, or its address."),
            property("url", Address, "The same as `repo`."),
            one_of("variant", &["inset", "flat"], "How it stands out."),
        ]],
        ..INTERACTIVE
    },
    ComponentRow {
        name: "Heading",
        writer: ComponentWriter::Text,
        outline: ComponentOutline::Heading,
        markdown: ComponentMarkdown::Heading,
        properties: &[
            &[
                property("level", Number, "1 to 6; 2 without it."),
                property("noAnchor", Flag, "Without a link to itself."),
            ],
            property::ID,
        ],
        ..BLOCK
    },
    ComponentRow {
        name: "Icon",
        writer: ComponentWriter::Icon,
        is_prescanned: true,
        properties: &[
            property::ICON,
            &[
                property("name", Text, "The same as `icon`."),
                property("src", Address, "A picture instead."),
                property("size", Number, "Width and height in pixels; 16 without it."),
                property("color", Color, "The color."),
            ],
        ],
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
        properties: &[property::HREF, &[property("to", Address, "The same as `href`.")]],
        takes_any: true,
        ..INLINE_INTERACTIVE
    },
    ComponentRow { name: "MDX", role: HtmlRole::Transparent, markdown: ComponentMarkdown::Content, ..BLOCK },
    ComponentRow {
        name: "Mermaid",
        writer: ComponentWriter::Text,
        markdown: ComponentMarkdown::Diagram,
        properties: &[
            &[
                property("chart", Text, "The source of the diagram, instead of what stands inside."),
                property("placement", Ignored, "Where the buttons of a diagram stand; in a fence it has an effect."),
                property("actions", Ignored, "Whether a diagram has buttons; in a fence it has an effect."),
            ],
            property::SOURCE,
        ],
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
        properties: &[
            property::DESCRIPTION,
            property::ICON,
            &[property("actions", Ignored, "The buttons; a bundle has the one that copies.")],
        ],
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
        properties: &[&[property("file", Address, "A file below `snippets`.")]],
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
        properties: &[
            property::TITLE,
            property::ICON,
            property::ID,
            property::STEPS,
            &[
                property("stepNumber", Number, "Its number; those behind it count on."),
                property("noAnchor", Ignored, "Without a link to itself."),
            ],
        ],
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
        properties: &[
            property::TITLE,
            property::ICON,
            property::ID,
            &[
                property("label", Text, "The title, as Docusaurus has it."),
                property("value", Text, "The name that `defaultValue` and `values` mean."),
                property("default", Flag, "Open at first."),
            ],
        ],
        ..INTERACTIVE
    },
    ComponentRow {
        name: "Table",
        role: HtmlRole::Interactive,
        markdown: ComponentMarkdown::Table,
        takes_any: true,
        ..INTERNAL
    },
    ComponentRow {
        name: "Tabs",
        writer: ComponentWriter::Tabs,
        properties: &[&[
            property("defaultTabIndex", Number, "The tab that is open at first, from 0."),
            property("sync", Flag, "Chosen together with tabs of the same title; on without it."),
            property("borderBottom", Flag, "A line below."),
            property("items", List, "The titles, as Fumadocs and Nextra have them."),
            property("values", Object, "Values and labels, as Docusaurus has them."),
            property("defaultValue", Text, "The value of the tab that is open at first."),
        ]],
        ..READ
    },
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
        properties: &[
            &[
                property("tip", Markup, "The words that are shown."),
                property("headline", Markup, "A title above them."),
                property("cta", Markup, "The words of a link below them."),
                property("side", Ignored, "Where it stands; the bundle takes the side that has room."),
                property("align", Ignored, "How it is aligned."),
            ],
            property::HREF,
        ],
        ..INLINE_INTERACTIVE
    },
    ComponentRow { name: "Tree", writer: ComponentWriter::Tree, ..READ },
    ComponentRow { name: "Tree.File", writer: ComponentWriter::Tree, properties: &[property::TREE_ENTRY], ..BLOCK },
    ComponentRow {
        name: "Tree.Folder",
        writer: ComponentWriter::Tree,
        properties: &[
            property::TREE_ENTRY,
            &[
                property("defaultOpen", Flag, "Open at first."),
                property("openable", Flag, "Whether readers can open it; on without it."),
            ],
        ],
        ..READ
    },
    ComponentRow {
        name: "Update",
        writer: ComponentWriter::Update,
        outline: ComponentOutline::Update,
        children: IslandChildren::Arranged,
        properties: &[
            &[
                property("label", Markup, "The title, which makes the anchor."),
                property("tags", List, "What readers filter by."),
                property("rss", Object, "Title and description in the feed."),
            ],
            property::DESCRIPTION,
            property::ID,
        ],
        ..BLOCK
    },
    ComponentRow {
        name: "Variation",
        writer: ComponentWriter::View,
        role: HtmlRole::Conditional,
        properties: &[&[property("is", List, "The variations that it is for.")]],
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
        properties: &[&[one_of("for", &["humans", "agents"], "Who sees it.")]],
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
