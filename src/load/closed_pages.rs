//! Pages about what the readers of a bundle may not see.

use rustc_hash::FxHashSet;

use site::page::PageEntry;
use spec::{OpenSpecs, ReferredKind};

/// Takes out the pages about an operation that no description has any more: they are as restricted as the operation.
pub(crate) fn close_pages(pages: &mut Vec<PageEntry>, grouped: &mut FxHashSet<String>, open: &mut OpenSpecs) {
    if !open.specs.any_closed() {
        return;
    }
    pages.retain(|page| {
        let part = page.meta.reference.as_ref().and_then(|(key, text)| Some((ReferredKind::of_key(key)?, text)));
        if let Some((kind, text)) = part
            && open.specs.has_closed_part(kind, text, &page.slug)
            && open.find_part(kind, text, &page.slug).is_none()
        {
            grouped.insert(page.slug.clone());
            return false;
        }
        // `api` describes an operation by itself
        let Some(endpoint) = page.endpoint.as_ref().filter(|endpoint| endpoint.line > 0) else { return true };
        let numbers = open.specs.of_operation(endpoint);
        let is_closed = open.specs.has_closed(&numbers, endpoint)
            && numbers.iter().all(|number| !open.has_operation(*number, endpoint));
        if is_closed {
            grouped.insert(page.slug.clone());
        }
        !is_closed
    });
}
