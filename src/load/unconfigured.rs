//! What a site without `docs.json` gets from its folder, or from the configuration of another tool: navigation, name,
//! the first pages of its folders, former addresses.

use rustc_hash::FxHashMap;

use base::PageId;
use nav::order::PageOrder;
use nav::{NavNode, Navigation};
use site::config::Redirect;
use site::page::title_of_slug;
use site::{ConfigKind, tree};

use super::Site;

/// The navigation of a site without a written one.
pub(crate) fn navigation(site: &Site, generated: &[NavNode]) -> Navigation {
    match site.project.as_ref().map_or(PageOrder::Folders, |project| project.navigation(site)) {
        PageOrder::Folders => nav::plain::build_from_folders(site.nav_pages(), None, generated),
        PageOrder::List(items) => nav::plain::build_from_folders(site.nav_pages(), Some(&items), generated),
        PageOrder::Menu(items) => {
            nav::menu::build_from_menu(site.nav_pages(), items, generated, site.by_slug.get("index").copied())
        }
    }
}

/// The page of each folder of a plain folder that comes first in the navigation.
pub(crate) fn first_pages(site: &Site, navigation: &Navigation) -> FxHashMap<String, PageId> {
    let mut first = FxHashMap::default();
    if site.kind != ConfigKind::Plain {
        return first;
    }
    for page in &navigation.order {
        let mut folder = tree::folder(&site.page(*page).slug);
        // what has one has all above it
        while !folder.is_empty() && !first.contains_key(folder) {
            first.insert(folder.to_owned(), *page);
            folder = tree::folder(folder);
        }
    }
    first
}

/// The name of a plain folder: its start page's, or its own name. The configuration of another tool may know it, and
/// more.
pub(crate) fn name_plain_site(site: &mut Site, navigation: &Navigation) {
    if site.kind != ConfigKind::Plain {
        return;
    }
    let unnamed = std::mem::take(&mut site.config.name);
    if let Some(project) = &site.project {
        project.configure(&mut site.config, &site.tree);
        if let Some(logo) = &mut site.config.logo {
            site::logo::find_other_form(logo, &site.tree);
        }
    }
    if !site.config.name.is_empty() {
        return;
    }
    site.config.name = unnamed;
    let home = navigation
        .home
        .map(|home| site.page(home))
        .filter(|home| home.slug == "index" || home.slug.ends_with("/index"));
    let title =
        home.filter(|home| home.meta.title_given && !home.meta.title_of_part).map(|home| home.meta.title.clone());
    let folder = || {
        site.tree
            .folder()?
            .canonicalize()
            .ok()?
            .file_name()?
            .to_str()
            .filter(|name| !name.starts_with('.'))
            .map(title_of_slug)
    };
    if let Some(name) = title.or_else(folder) {
        site.config.name = name;
    }
}

/// Enters the former addresses of pages. Where a page stands now, none leads elsewhere.
pub(crate) fn redirect(site: &mut Site, from: Vec<(String, String)>) {
    for (from, slug) in from {
        let is_page = site.by_slug.contains_key(&from) || site.by_slug.contains_key(&format!("{from}/index"));
        if !is_page && site.by_slug.contains_key(&slug) {
            let slug =
                slug.strip_suffix("index").filter(|rest| rest.is_empty() || rest.ends_with('/')).unwrap_or(&slug);
            let (source, destination) = (format!("/{from}"), format!("/{slug}"));
            if !site.config.redirects.iter().any(|known| known.source == source) {
                site.config.redirects.push(Redirect { source, destination, permanent: true });
            }
        }
    }
}
