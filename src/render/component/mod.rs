//! The component library: one file per family, which the row of a component names.

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
pub mod media;
mod open_tag;
mod prompt;
mod steps;
pub mod tabs;
mod text;
mod tooltip;
mod tree;
pub(super) mod unknown;
mod update;
mod view;

use markup::component::{ComponentWriter, HtmlRole, find_component};
use markup::tree::{CodeFence, JsxElement};

use super::phrasing::all_phrasing;
use super::{Renderer, html_element};

/// What components inside another one need to know of it.
#[derive(Debug, Default)]
pub(crate) struct ComponentFamily {
    /// `titleSize` of the enclosing `Steps`.
    step_size: String,
    /// Number of the next step.
    step_number: u32,
}

impl ComponentFamily {
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
pub(crate) fn write_jsx_element(r: &mut Renderer<'_>, element: &JsxElement) {
    let outer = r.state.place;
    if element.place.line > 0 {
        r.state.place = element.place;
    }
    write_placed(r, element);
    r.state.place = outer;
}

fn write_placed(r: &mut Renderer<'_>, element: &JsxElement) {
    let name = element.name.as_str();
    let Some(known) = find_component(name) else {
        // `ui.Box` is a component whatever it begins with
        return match name.starts_with(|c: char| c.is_lowercase()) && !name.contains('.') {
            true => html_element::write_html_element(r, element),
            false => unknown::write_unknown(r, element),
        };
    };
    if r.state.phrasing > 0 && known.role.is_block() {
        return reduced(r, element);
    }
    match known.writer {
        ComponentWriter::Accordion => accordion::write_accordion(r, element),
        ComponentWriter::Badge => badge::write_badge(r, element),
        ComponentWriter::Callout => callout::write_callout(r, element),
        ComponentWriter::Card => card::write_card_component(r, element),
        ComponentWriter::CodeBlock => code_block::write_code_block(r, element),
        ComponentWriter::Color => color::write_color(r, element),
        ComponentWriter::Example => example::write_example_component(r, element),
        ComponentWriter::Field => field::write_field(r, element),
        ComponentWriter::Frame => frame::write_frame(r, element),
        ComponentWriter::Group => group::write_group(r, element),
        ComponentWriter::Icon => icon::write_icon_element(r, element),
        ComponentWriter::Media => media::write_media_component(r, element),
        ComponentWriter::Prompt => prompt::write_prompt(r, element),
        ComponentWriter::Steps => steps::write_steps_component(r, element),
        ComponentWriter::Tabs => tabs::write_tabs_component(r, element),
        ComponentWriter::Text => text::write_text_component(r, element),
        ComponentWriter::Tooltip => tooltip::write_tooltip(r, element),
        ComponentWriter::Tree => tree::write_tree(r, element),
        ComponentWriter::Update => update::write_update(r, element),
        ComponentWriter::View => view::write_view_component(r, element),
        ComponentWriter::None if known.role == HtmlRole::Fragment && all_phrasing(&element.children) => {
            r.nodes(&element.children)
        }
        ComponentWriter::None => r.flow(&element.children),
    }
}

/// Writes a code fence.
pub(crate) fn write_code_fence(r: &mut Renderer<'_>, fence: &CodeFence) {
    if fence.lang == "nocopy" {
        // the vendor shows such a block as plain words
        r.raw("<p>");
        r.text(&fence.code);
        return r.raw("</p>\n");
    }
    code_block::write_fence(r, fence, true);
}

/// A block component where only phrasing content is valid: its title and its words.
fn reduced(r: &mut Renderer<'_>, element: &JsxElement) {
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
