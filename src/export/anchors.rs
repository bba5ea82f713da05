//! The anchors of pages that other pages link into, found before anything is written. Few pages are: only those are rendered
//! twice, the first time without their code being highlighted.

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::base::PageId;
use crate::link::{PageLinks, Resolver, Target};
use crate::render::{Kit, code};
use crate::site::Site;

use super::pages;
use super::snippets::Snippets;

/// Makes the anchors of all such pages known to the resolver.
pub(super) fn find(resolver: &mut Resolver<'_>, site: &Site, kit: &Kit, snippets: &Snippets<'_>) {
    let targets: FxHashSet<PageId> = site
        .fragments
        .par_iter()
        .filter_map(|(file, href)| {
            let path = site.tree.path(*file);
            let slug = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
            match resolver.resolve(href, Some(*file), slug) {
                Target::Page { page, .. } => Some(page),
                _ => None,
            }
        })
        .collect();
    if targets.is_empty() {
        return;
    }
    let mut targets: Vec<PageId> = targets.into_iter().collect();
    targets.sort_unstable();
    let (highlighter, _) = code::Highlighter::new(&code::Options { off: true, ..code::Options::default() });
    let plain = Kit { highlighter, formulas: kit.formulas.clone(), icons: kit.icons, code_style: kit.code_style.clone(), variations: kit.variations.clone() };
    let shared: &Resolver<'_> = resolver;
    let found: Vec<(PageId, Vec<String>)> = targets
        .into_par_iter()
        .filter_map(|page| {
            let path = shared.path(page)?;
            let links = PageLinks::new(shared, page, path);
            let ids = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| pages::content(site, page, &plain, &links, snippets).ok()));
            Some((page, ids.ok()??.page.ids))
        })
        .collect();
    for (page, ids) in found {
        resolver.set_anchors(page, ids);
    }
}
