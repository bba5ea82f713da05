//! The addresses that pages have in the new site.

use rustc_hash::{FxHashMap, FxHashSet};

use base::bundle_path::fit_name;
use base::numbering::Numbering;
use base::{Diagnostic, PageId, url};
use frame::link::{LinkResolver, ResolvedTarget};
use load::Site;
use render::slug_by;

use super::file_of;

/// Longest name of a folder, and of a file without `.mdx`, bytes: of the 255 that systems hold, a number has its part.
const MAX_NAME_BYTES: usize = 240;

/// A path whose names all fit.
fn fit_path(path: &str) -> String {
    path.split('/').map(|name| fit_name(name, MAX_NAME_BYTES)).collect::<Vec<_>>().join("/")
}

/// The addresses of pages in the new site.
#[derive(Debug, Default)]
pub(super) struct PageAddresses {
    /// Pages whose names mean something else in the format, with those that they get.
    moved: FxHashMap<PageId, String>,
    /// Names that are taken, in small letters.
    taken: FxHashSet<String>,
    numbers: Numbering,
    /// Redirects from former names.
    pub(super) redirects: Vec<(String, String)>,
}

impl PageAddresses {
    /// Finds pages whose names the format has another meaning for, and gives them others.
    pub(super) fn of(site: &Site, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let mut addresses =
            Self { taken: site.pages.iter().map(|page| page.slug.to_lowercase()).collect(), ..Self::default() };
        for (id, page) in site.iter() {
            let name = |part: &str| match part {
                "snippets" | "_snippets" => "snippet-pages".to_owned(),
                "node_modules" => "node-modules".to_owned(),
                part if part.starts_with('.') => part.trim_start_matches('.').to_owned(),
                part => part.to_owned(),
            };
            let slug = page.slug.split('/').map(name).collect::<Vec<_>>().join("/");
            let why = match fit_path(&slug) == slug {
                true if slug == page.slug => continue,
                true => "files of its name are no pages in the format",
                false => "no system holds a file of so long a name",
            };
            let slug = addresses.free(&slug);
            let message = format!("the page `{}` is called `{slug}`: {why}", page.slug);
            diagnostics.push(
                Diagnostic::new("migrate-address", message)
                    .at(file_of(site, id), 0, 0)
                    .hint("a redirect leads from the former address to the new one"),
            );
            addresses.redirects.push((format!("/{}", page.slug), format!("/{slug}")));
            addresses.moved.insert(id, slug);
        }
        addresses
    }

    /// A name that no page has, of a file that systems can hold.
    pub(super) fn free(&mut self, name: &str) -> String {
        let Self { taken, numbers, .. } = self;
        numbers.first_free(fit_path(name), '-', 2, |name| taken.insert(name.to_lowercase()))
    }

    /// The name of a page: its path without extension.
    pub(super) fn slug<'s>(&'s self, site: &'s Site, page: PageId) -> &'s str {
        self.moved.get(&page).map_or(site.page(page).slug.as_str(), String::as_str)
    }

    /// The address of a page, from the root.
    pub(super) fn of_page(&self, site: &Site, page: PageId) -> String {
        let slug = self.slug(site, page);
        let short = match slug.strip_suffix("index") {
            Some("") => "",
            // beside a page of the folder's name, that of the folder is called in full
            Some(folder) if folder.ends_with('/') && !site.by_slug.contains_key(folder.trim_end_matches('/')) => {
                folder.trim_end_matches('/')
            }
            _ => slug,
        };
        format!("/{}", url::encode_path(short))
    }

    /// Whether an anchor is that of the heading which the title of a page stands for.
    pub(super) fn is_title(&self, site: &Site, page: PageId, anchor: &str) -> bool {
        let entry = site.page(page);
        entry.title_in_body && slug_by(site.heading_ids(), entry.shown_title()) == anchor
    }

    /// What a link of the configuration leads to, from the root.
    pub(super) fn of_link(&self, href: &str, resolver: &LinkResolver<'_>) -> String {
        let site = resolver.site();
        match resolver.resolve(href, None, "") {
            ResolvedTarget::Page { page, query, fragment } => {
                let fragment =
                    if fragment.is_empty() { fragment } else { format!("#{}", url::encode_fragment(&fragment)) };
                format!("{}{query}{fragment}", self.of_page(site, page))
            }
            ResolvedTarget::Asset(file) => {
                resolver.assets.mark_used(file);
                format!("/{}", url::encode_path(resolver.assets.path(file).as_str()))
            }
            _ => href.to_owned(),
        }
    }
}
