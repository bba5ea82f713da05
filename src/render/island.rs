//! Islands: components that live on in the reader's browser. Their first state is written here; `templates/islands` takes over.

use crate::markup::tree::{Island, Part, PartKind};

use super::Renderer;
use super::phrasing::all_phrasing;

/// Writes an island's first state, and aside what it may show later.
pub(super) fn write(r: &mut Renderer<'_>, island: &Island) {
    let number = r.islands.len().to_string();
    r.islands.push(island.call.clone());
    let tag = if r.state.phrasing > 0 || all_phrasing(&island.children) { "span" } else { "div" };
    r.raw(&format!("<{tag} data-island=\"{number}\">"));
    r.nodes(&island.children);
    r.raw(&format!("</{tag}>"));
    if !island.spare.is_empty() {
        r.raw(&format!("<template data-spare=\"{number}\">"));
        r.toc_off += 1;
        for (number, nodes) in &island.spare {
            r.raw(&format!("<div data-part=\"{number}\">"));
            r.nodes(nodes);
            r.raw("</div>");
        }
        r.toc_off -= 1;
        r.raw("</template>");
    }
}

/// Writes a part of an island.
pub(super) fn write_part(r: &mut Renderer<'_>, part: &Part) {
    let tag = if r.state.phrasing > 0 || all_phrasing(&part.children) { "span" } else { "div" };
    match part.kind {
        PartKind::Component => r.raw(&format!("<{tag} data-part>")),
        PartKind::Child(number) => r.raw(&format!("<{tag} data-part=\"{number}\">")),
        PartKind::Children => r.raw(&format!("<{tag} data-children>")),
    }
    r.nodes(&part.children);
    r.raw(&format!("</{tag}>"));
}
