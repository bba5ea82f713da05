//! The navigation: the lists of `_sidebar.md`, one for each folder that has its own, and the links of the top bar.

use base::PageId;
use load::Site;
use nav::NodeKind;
use nav::order::MenuItem;
use nav::summary::{BookEntry, parse_summary};
use site::page::title_of_slug;
use site::tree;

use super::config::DocsifyConfig;

/// The entries of all lists; `None` if there are none.
pub(super) fn sidebar(options: &DocsifyConfig, site: &Site) -> Option<Vec<MenuItem>> {
    let mut lists = options.sidebars.iter();
    let (path, text) = lists.next()?;
    let mut menu = list_items(options, site, path, text);
    for (path, text) in lists {
        let items = list_items(options, site, path, text);
        let folder = options.inside(tree::folder(path)).unwrap_or_default().to_owned();
        let is_known = items.iter().all(|item| item.page.is_some_and(|page| holds(&menu, page)));
        if !is_known {
            let name = folder.rsplit('/').next().unwrap_or_default();
            menu.push(MenuItem { expanded: true, ..MenuItem::group(&title_of_slug(name), items) });
        }
    }
    menu.iter().any(MenuItem::leads).then_some(menu)
}

/// Whether a page has an entry.
fn holds(items: &[MenuItem], page: PageId) -> bool {
    items.iter().any(|item| item.page == Some(page) || holds(&item.children, page))
}

fn list_items(options: &DocsifyConfig, site: &Site, path: &str, text: &str) -> Vec<MenuItem> {
    let items = parse_summary(text);
    let mut at = 0;
    nested(options, site, tree::folder(path), &items, &mut at, 0)
}

/// The entries from one on, as long as they are as deep. Recursion is bounded by the depth of lists.
fn nested(
    options: &DocsifyConfig,
    site: &Site,
    folder: &str,
    items: &[BookEntry],
    at: &mut usize,
    depth: usize,
) -> Vec<MenuItem> {
    let mut out = Vec::new();
    while let Some(item) = items.get(*at).filter(|item| item.depth >= depth) {
        *at += 1;
        let has_inner = items.get(*at).is_some_and(|next| next.depth > item.depth);
        let children = if has_inner { nested(options, site, folder, items, at, item.depth + 1) } else { Vec::new() };
        let page = page_of(options, site, folder, &item.target);
        out.push(match (children.is_empty(), page) {
            (false, page) => MenuItem { page, expanded: true, ..MenuItem::group(&item.label, children) },
            (true, Some(page)) => MenuItem { label: item.label.clone(), ..MenuItem::of_page(page) },
            (true, None) if item.target.is_empty() => MenuItem::group(&item.label, Vec::new()),
            (true, None) => {
                let href = Some(super::text::address(&item.target));
                MenuItem { kind: NodeKind::Link, label: item.label.clone(), href, ..MenuItem::default() }
            }
        });
    }
    out
}

/// The page that an entry leads to: from the root, or from the folder of the list.
fn page_of(options: &DocsifyConfig, site: &Site, folder: &str, target: &str) -> Option<PageId> {
    if target.is_empty() || target.contains("://") || target.contains("?id=") {
        return None;
    }
    let address = super::text::address(target);
    let path = address.split(['#', '?']).next().unwrap_or_default();
    if path.is_empty() && target != "/" && !target.starts_with("#/") {
        return None;
    }
    let find = |path: &str| {
        let path = path.trim_matches('/');
        let path = path.strip_suffix(".md").unwrap_or(path);
        let path = path.strip_suffix("README").map_or(path, |rest| rest.trim_end_matches('/'));
        let index = if path.is_empty() { "index".to_owned() } else { format!("{path}/index") };
        site.find_page(path).filter(|_| !path.is_empty()).or_else(|| site.find_page(&index))
    };
    let below = options.inside(folder).unwrap_or_default();
    let beside = || find(&tree::join_document_path(below, path)?).filter(|_| !path.starts_with('/'));
    find(path).or_else(beside)
}

/// The links of the top bar: label and address.
pub(super) fn navbar_links(options: &DocsifyConfig) -> Vec<(String, String)> {
    let text = &options.navbar;
    if text.contains("<a") {
        let anchors = text.split("<a ").skip(1).filter_map(|rest| {
            let (tag, inside) = rest.split_once('>')?;
            let href = crate::attribute::find_attribute(tag, "href")?;
            let label = crate::web::plain_label(inside.split("</a>").next()?);
            Some((label, super::text::address(&href)))
        });
        return anchors.filter(|(label, _)| !label.is_empty()).collect();
    }
    let items = parse_summary(text).into_iter().filter(|item| !item.target.is_empty());
    items.map(|item| (item.label, super::text::address(&item.target))).collect()
}
