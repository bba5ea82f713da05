//! Where a page shows: navigation, site search, site map, search engines, `llms.txt`. The matrix of the format's
//! `outputs.md`, read from the finished navigation.

use crate::{Navigation, NodeKind};
use site::config::Config;
use site::page::{PageEntry, Visibility};
use site::robots::{says_noindex, tag_content};

/// What the navigation says of a page, all its places taken together.
#[derive(Clone, Copy, Debug, Default)]
struct Placement {
    /// Has a place, shown or not.
    listed: bool,
    /// Has a place that readers see.
    shown: bool,
    /// Has a place in the default language and version.
    main: bool,
    /// Has a place below a hidden tab or group that says `searchable: true`.
    opened: bool,
    /// One that no tab or group with `searchable: false` holds.
    findable: bool,
}

/// What a node hands down to the nodes in it.
#[derive(Clone, Copy)]
struct InheritedVisibility {
    hidden: bool,
    foreign: bool,
    global: bool,
    searchable: Option<bool>,
}

/// Works out the visibility of every page.
pub fn mark_visibility(config: &Config, pages: &mut [PageEntry], navigation: &Navigation) {
    let placements = placements(navigation, pages.len());
    let closed = config.is_noindex();
    for (page, placement) in pages.iter_mut().zip(placements) {
        page.visibility = visibility_of(config, closed, page, placement);
    }
}

fn placements(navigation: &Navigation, pages: usize) -> Vec<Placement> {
    let mut placements = vec![Placement::default(); pages];
    let mut above: Vec<InheritedVisibility> = Vec::with_capacity(navigation.nodes.len());
    for node in &navigation.nodes {
        let root = InheritedVisibility { hidden: false, foreign: false, global: false, searchable: None };
        let parent = above.get(node.parent.0 as usize).copied().unwrap_or(root);
        let here = InheritedVisibility {
            hidden: parent.hidden || node.hidden,
            foreign: parent.foreign || (matches!(node.kind, NodeKind::Language | NodeKind::Version) && !node.default),
            global: parent.global || node.global,
            searchable: node.searchable.or(parent.searchable),
        };
        above.push(here);
        let (NodeKind::Page | NodeKind::Group, Some(page), false) = (node.kind, node.page, here.global) else {
            continue;
        };
        let Some(place) = placements.get_mut(page.0 as usize) else { continue };
        place.listed = true;
        place.shown |= !here.hidden;
        place.main |= !here.foreign;
        place.opened |= here.hidden && here.searchable == Some(true);
        place.findable |= here.searchable != Some(false);
    }
    placements
}

/// `closed`: the whole site is `noindex`; its own search works all the same.
fn visibility_of(config: &Config, closed: bool, page: &PageEntry, place: Placement) -> Visibility {
    let meta = &page.meta;
    let listed = place.listed || page.in_navigation;
    let hidden = page.hidden;
    let nav = listed && !hidden;
    let opened =
        config.seo.index_all || meta.hidden == Some(false) && listed || place.opened && meta.hidden != Some(true);
    let open = nav || opened;
    let own_robots = meta
        .robots
        .as_deref()
        .or_else(|| tag_content(&meta.metatags, "robots"))
        .or_else(|| tag_content(config.seo.folder_tags(&page.slug), "robots"));
    let noindex = meta.noindex || own_robots.map_or(closed, says_noindex) || hidden && !opened;
    let public = open && !noindex && !closed;
    Visibility {
        nav,
        search: open && !meta.noindex && meta.searchable != Some(false) && (place.findable || !place.listed),
        // search engines belong to no user group
        sitemap: public && meta.groups.is_empty(),
        noindex,
        llms: public && (place.main || !place.listed),
    }
}
