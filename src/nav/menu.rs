//! The navigation that another tool's configuration describes: its entries with the pages that they were found to
//! lead to.

use base::PageId;

use super::build::show_page;
use super::order::MenuItem;
use super::{NavNode, NavPages, Navigation, NodeId, NodeKind};

/// Entries deeper than this are left out.
const MAX_MENU_DEPTH: usize = 32;

/// Makes the navigation of entries. `generated` are the nodes of the pages that no file holds, which come last. `home`:
/// the page that readers come to first, if it is known.
pub fn build_from_menu(
    site: NavPages<'_>,
    items: Vec<MenuItem>,
    generated: &[NavNode],
    home: Option<PageId>,
) -> Navigation {
    // where all pages are those of a language, its start page comes first
    let of_language = items.iter().find(|item| item.kind == NodeKind::Language && item.default);
    let home = home.or_else(|| of_language.and_then(|language| language.page));
    let mut nodes = vec![NavNode::default()];
    push_menu_items(&mut nodes, site, items, NodeId(0), 0);
    super::plain::append_navigation(&mut nodes, generated);
    let navigation = Navigation { nodes, ..Navigation::default() }.complete(site);
    Navigation { home: home.or(navigation.home), ..navigation }
}

fn push_menu_items(nodes: &mut Vec<NavNode>, site: NavPages<'_>, items: Vec<MenuItem>, parent: NodeId, depth: usize) {
    for item in items.into_iter().filter(|item| depth < MAX_MENU_DEPTH && (item.is_draft || item.leads())) {
        let MenuItem {
            kind,
            label,
            key,
            page,
            href,
            icon,
            tag,
            hidden,
            is_draft,
            expanded,
            default,
            directory,
            children,
        } = item;
        let mut node =
            NavNode { kind, page, href, hidden, is_draft, expanded, default, directory, parent, ..NavNode::default() };
        if let (NodeKind::Page, Some(page)) = (kind, page) {
            show_page(&mut node, site.page(page));
        }
        if !label.is_empty() {
            node.label = label;
        } else if let (NodeKind::Group, Some(page)) = (kind, page) {
            let meta = &site.page(page).meta;
            node.label = meta.sidebar_title.clone().unwrap_or_else(|| meta.title.clone());
        }
        node.key = if key.is_empty() { node.label.clone() } else { key };
        node.icon = icon.or(node.icon);
        node.tag = tag.or(node.tag);
        let id = NodeId(u32::try_from(nodes.len()).unwrap_or(u32::MAX));
        nodes[parent.0 as usize].children.push(id);
        nodes.push(node);
        push_menu_items(nodes, site, children, id, depth + 1);
    }
}
