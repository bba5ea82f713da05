//! The anchors of pages that other pages link into, found before anything is written. Few pages are: only those are
//! rendered twice, the first time without their code being highlighted.

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use base::PageId;
use base::isolate::catch_panic;
use frame::link::{LinkResolver, PageLinks, ResolvedTarget};
use load::Site;
use reference::ReferencePages;
use render::{Kit, code};
use templates::words;

use super::content::page_content;
use super::snippets::Snippets;

/// Makes the anchors of all such pages known to the resolver. Returns what links into pages name there.
pub(super) fn find_anchors(
    resolver: &LinkResolver<'_>,
    site: &Site,
    kit: &Kit,
    snippets: &Snippets<'_>,
    references: &dyn ReferencePages,
) -> FxHashSet<(PageId, String)> {
    let wanted: FxHashSet<(PageId, String)> = site
        .fragments
        .par_iter()
        .filter_map(|(file, href)| {
            let path = site.tree.path(*file);
            let slug = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
            page_and_fragment(resolver.resolve(href, Some(*file), slug))
        })
        .chain(of_redirects(site, resolver))
        .collect();
    if !wanted.is_empty() {
        let mut targets: Vec<PageId> = wanted.iter().map(|(page, _)| *page).collect();
        targets.sort_unstable();
        targets.dedup();
        anchors_of_pages(targets, resolver, site, &without_highlighting(kit), snippets, references);
    }
    wanted
}

fn page_and_fragment(target: ResolvedTarget) -> Option<(PageId, String)> {
    match target {
        ResolvedTarget::Page { page, fragment, .. } => Some((page, fragment)),
        _ => None,
    }
}

/// The pages into which redirects lead, and what they name there.
fn of_redirects<'a>(
    site: &'a Site,
    resolver: &'a LinkResolver<'_>,
) -> impl ParallelIterator<Item = (PageId, String)> + 'a {
    site.config.redirects.par_iter().filter_map(|redirect| {
        let destination = redirect.destination.as_str();
        if !destination.contains('#') || destination.contains("://") {
            return None;
        }
        page_and_fragment(resolver.resolve(&format!("/{}", destination.trim_start_matches('/')), None, ""))
    })
}

/// Tools that leave code plain: it holds no anchors.
pub(super) fn without_highlighting(kit: &Kit) -> Kit {
    let (highlighter, _) =
        code::Highlighter::new(&code::HighlightOptions { off: true, ..code::HighlightOptions::default() });
    Kit {
        highlighter,
        formulas: kit.formulas.clone(),
        icons: kit.icons,
        code_style: kit.code_style.clone(),
        variations: kit.variations.clone(),
    }
}

/// Makes the anchors of some pages known to the resolver.
pub(super) fn anchors_of_pages(
    pages: Vec<PageId>,
    resolver: &LinkResolver<'_>,
    site: &Site,
    plain: &Kit,
    snippets: &Snippets<'_>,
    references: &dyn ReferencePages,
) {
    let found: Vec<(PageId, render::RenderedPage)> = pages
        .into_par_iter()
        .filter_map(|page| {
            let path = resolver.path(page)?;
            let links = PageLinks::new(resolver, page, path);
            // a page that fails is reported when it is written
            let content =
                catch_panic(|| page_content(site, page, plain, &links, snippets, references, &words::EN).ok());
            Some((page, content??.page))
        })
        .collect();
    // all at once, so that which are known while others are looked for depends on no order
    for (page, content) in found {
        resolver.set_anchors(page, content.ids, &content.headings, content.is_open);
    }
}
