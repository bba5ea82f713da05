//! What a page is about.

use serde_json::Value;

use super::document::DocumentMembers;
use load::Site;
use site::page::PageEntry;
use spec::{DescriptionId, ReferredKind};

/// What a page is about.
#[derive(Clone, Copy, Debug)]
pub(super) enum PageSubject<'a> {
    /// An operation or webhook.
    Operation {
        /// Upper case, or `WEBHOOK`.
        method: &'a str,
        /// Path, or the name of a webhook.
        path: &'a str,
        /// The operation.
        about: DocumentMembers<'a>,
        /// What stands under its path.
        item: DocumentMembers<'a>,
    },
    /// A channel: its id and itself.
    Channel(&'a str, &'a Value),
    /// A schema: its name and itself.
    Schema(&'a str, &'a Value),
    /// A whole description.
    Overview,
}

impl<'a> PageSubject<'a> {
    /// What a page of a site is about, and the description that has it.
    pub(super) fn of_page(site: &'a Site, page: &'a PageEntry) -> Option<(DescriptionId, Self)> {
        if let Some(endpoint) = &page.endpoint {
            let (description, _, operation) = site.descriptions.operation(endpoint)?;
            let subject = Self::Operation {
                method: &endpoint.method,
                path: operation.path,
                about: operation.about,
                item: operation.entry,
            };
            return Some((description, subject));
        }
        let (key, text) = page.meta.reference.as_ref()?;
        let part = site.descriptions.part(key, text, &page.slug)?;
        let subject = match ReferredKind::of_key(key)? {
            ReferredKind::Schema => Self::Schema(part.name, part.value),
            ReferredKind::Channel => Self::Channel(part.name, part.value),
            ReferredKind::Overview => Self::Overview,
        };
        Some((part.id, subject))
    }
}
