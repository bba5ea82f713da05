//! The component library: one file per family, found by the author's name for the component.

mod accordion;
mod badge;
mod callout;
mod card;
mod code_block;
mod color;
mod example;
mod field;
mod frame;
mod group;
mod icon;
pub(crate) mod media;
mod open_tag;
mod prompt;
mod steps;
pub(crate) mod tabs;
mod text;
mod tooltip;
mod tree;
pub(super) mod unknown;
mod update;
mod view;

use crate::page::component::{self, Role};
use crate::page::markup::tree::{Element, Fence};

use super::phrasing::all_phrasing;
use super::{Renderer, html_element, image};

/// What components inside another one need to know of it.
#[derive(Debug, Default)]
pub(crate) struct Family {
    /// `titleSize` of the enclosing `Steps`.
    step_size: String,
    /// Number of the next step.
    step_number: u32,
}

impl Family {
    /// The number of the step that was written last.
    pub(crate) fn step(&self) -> u32 {
        self.step_number
    }

    /// Counts on from there.
    pub(crate) fn set_step(&mut self, number: u32) {
        self.step_number = number;
    }
}

/// Writes a JSX element: a component of the library, an HTML tag, or what stands in for an unknown name.
pub(crate) fn write_element(r: &mut Renderer<'_>, element: &Element) {
    let outer = r.state.place;
    if element.place.line > 0 {
        r.state.place = element.place;
    }
    write_placed(r, element);
    r.state.place = outer;
}

fn write_placed(r: &mut Renderer<'_>, element: &Element) {
    let name = element.name.as_str();
    let Some(known) = component::find(name) else {
        // `ui.Box` is a component whatever it begins with
        return match name.starts_with(|c: char| c.is_lowercase()) && !name.contains('.') {
            true => html_element::write_html_element(r, element),
            false => unknown::write_unknown(r, element),
        };
    };
    if r.state.phrasing > 0 && known.role.is_block() {
        return reduced(r, element);
    }
    match name {
        "Note" | "Warning" | "Info" | "Tip" | "Check" | "Danger" | "Callout" | "Banner" => {
            callout::write_callout(r, element)
        }
        "Card" => card::write_card(r, element),
        "Tile" => card::write_tile(r, element),
        "GitHub.Repo" | "Github.Repo" => card::write_repository(r, element),
        "CardGroup" | "Columns" | "Column" | "AccordionGroup" => group::write_group(r, element),
        "Accordion" | "Expandable" => accordion::write_accordion(r, element),
        "Tabs" => tabs::write_tabs_element(r, element),
        "Tab" => tabs::write_lone(r, element),
        "CodeGroup" | "SnippetGroup" => tabs::write_codes(r, element),
        "CodeBlock" | "CustomCode" => code_block::write_code_block(r, element),
        "RequestExample" | "ResponseExample" => example::write_example(r, element),
        "Panel" => example::write_panel(r, element),
        "Steps" => steps::write_steps(r, element),
        "Step" => steps::write_lone(r, element),
        "ParamField" | "Param" | "ResponseField" => field::write_field(r, element),
        "Frame" | "Example" => frame::write_frame(r, element),
        "Badge" => badge::write_badge(r, element),
        "Tooltip" => tooltip::write_tooltip(r, element),
        "Icon" => icon::write_icon_element(r, element),
        "Color" | "Color.Row" | "Color.Item" => color::write_color(r, element),
        "Tree" | "FileTree" | "Tree.Folder" | "Tree.File" => tree::write_tree(r, element),
        "Update" => update::write_update(r, element),
        "Prompt" => prompt::write_prompt(r, element),
        "View" => view::write_view(r, element),
        "Variation" => view::write_variation(r, element),
        "Visibility" => view::write_visibility(r, element),
        "Heading" | "Link" | "Latex" | "Mermaid" => text::write_text_component(r, element),
        "ZoomImage" | "OptimizedImage" => image::write_element(r, element),
        "OptimizedVideo" => media::write_local_or_placeholder(r, element),
        _ if known.role == Role::Fragment && all_phrasing(&element.children) => r.nodes(&element.children),
        _ => r.flow(&element.children),
    }
}

/// Writes a code fence.
pub(crate) fn write_code_fence(r: &mut Renderer<'_>, fence: &Fence) {
    if fence.lang == "nocopy" {
        // the vendor shows such a block as plain words
        r.raw("<p>");
        r.text(&fence.code);
        return r.raw("</p>\n");
    }
    code_block::write_fence(r, fence, true);
}

/// A block component where only phrasing content is valid: its title and its words.
fn reduced(r: &mut Renderer<'_>, element: &Element) {
    r.raw("<span");
    r.attr("data-component", &element.name);
    r.raw(">");
    if let Some(title) = r.prop_html(&element.props, "title", false) {
        r.raw(&title);
        r.raw(" ");
    }
    r.nodes(&element.children);
    r.raw("</span>");
}
