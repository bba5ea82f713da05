//! Which pages of a site are about which description, and the line with which a page names the API that it is a part of.

use rustc_hash::FxHashMap;
use serde_json::Value;

use base::html::escape_html_text;
use base::{PageId, Place, url};
use load::Site;
use site::page::PageEntry;
use spec::{DescriptionId, ReferredKind};

use super::write::ReferenceWriter;

/// The pages of a site by the descriptions that they are about.
#[derive(Debug, Default)]
pub(crate) struct DescribedPages {
    /// Those of operations and webhooks, by method and path.
    pub(crate) operations: FxHashMap<DescriptionId, FxHashMap<(String, String), PageId>>,
    /// Those of schemas, by name.
    pub(crate) schemas: FxHashMap<(DescriptionId, String), PageId>,
    /// Those about all of it.
    pub(crate) overviews: FxHashMap<DescriptionId, PageId>,
}

impl DescribedPages {
    /// Those of a site. Pages that no navigation shows are left out, unless they are about all of a description.
    pub(crate) fn of_site(site: &Site) -> Self {
        let mut found = Self::default();
        for (page, entry) in (0..).map(PageId).zip(&site.pages) {
            if let Some(endpoint) = &entry.endpoint {
                let Some((id, _, operation)) = site.descriptions.operation(endpoint).filter(|_| !entry.hidden) else {
                    continue;
                };
                let key = (operation.method.to_uppercase(), operation.path.to_owned());
                found.operations.entry(id).or_default().entry(key).or_insert(page);
            } else if let Some((key, text)) = &entry.meta.reference
                && let Some(part) = site.descriptions.part(key, text, &entry.slug)
            {
                match ReferredKind::of_key(key) {
                    Some(ReferredKind::Schema) => {
                        found.schemas.entry((part.id, part.name.to_owned())).or_insert(page);
                    }
                    Some(ReferredKind::Overview) => {
                        found.overviews.entry(part.id).or_insert(page);
                    }
                    _ => {}
                }
            }
        }
        found
    }
}

/// What a page says of the API that it is a part of: the name and the version, with a link to the page about it.
pub(crate) struct AboutApi<'a> {
    title: &'a str,
    version: Option<&'a str>,
    slug: &'a str,
}

impl<'a> AboutApi<'a> {
    /// That of a description, if the site has a page about it.
    pub(crate) fn of(site: &'a Site, pages: &DescribedPages, id: DescriptionId, root: &'a Value) -> Option<Self> {
        let page: &PageEntry = site.page(*pages.overviews.get(&id)?);
        let version = root.pointer("/info/version").and_then(Value::as_str).filter(|version| !version.is_empty());
        Some(Self { title: &page.meta.title, version, slug: &page.slug })
    }

    /// Writes it.
    pub(crate) fn write(&self, w: &mut ReferenceWriter<'_, '_, '_, '_>) {
        w.r.raw("<p class=\"api-about\" data-chrome>");
        open_link(w, self.slug);
        w.r.text(self.title);
        w.r.raw("</a>");
        if let Some(version) = self.version {
            w.r.raw(&format!(" <span>{}</span>", escape_html_text(version)));
        }
        w.r.raw("</p>\n");
    }
}

/// Opens a link to a page of the site.
pub(crate) fn open_link(w: &mut ReferenceWriter<'_, '_, '_, '_>, slug: &str) {
    let target = w.r.resolve(&format!("/{}", url::encode_path(slug)), Place::default());
    w.r.raw("<a");
    w.r.attr("href", &target.url);
    w.r.raw(">");
}
