//! The opening tag of a component.

use crate::{Renderer, attributes};
use markup::tree::JsxElement;

/// Writes `<tag class="ours theirs" data-component="Name"`, without the `>`.
pub(super) fn open_component_tag(r: &mut Renderer<'_>, tag: &str, class: &str, element: &JsxElement) {
    r.raw("<");
    r.raw(tag);
    attributes::class_attr(r, class, element);
    r.attr("data-component", &element.name);
}
