//! The navigation of a folder without a configuration: folders are groups, in the order of their names.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::base::PageId;
use crate::site::Site;
use crate::site::inventory::without_number;
use crate::site::page::title_of_slug;

use super::build::show_page;
use super::{NavNode, Navigation, NodeId, NodeKind};

/// Folders nested deeper than this are shown in the deepest one that is a group.
const DEPTH: usize = 16;

/// A folder and what lies in it.
#[derive(Debug, Default)]
struct Folder {
    index: Option<PageId>,
    pages: Vec<(String, PageId)>,
    folders: BTreeMap<String, Folder>,
}

/// Builds the tree: in each folder the index page first (as the root of the group), then pages and folders by name. Numbers count as numbers; where names
/// start with one, pages and folders mix, otherwise pages come first.
pub(crate) fn build(site: &Site) -> Navigation {
    let mut top = Folder::default();
    for (index, page) in site.pages.iter().enumerate() {
        let id = PageId(u32::try_from(index).unwrap_or(u32::MAX));
        let mut parts: Vec<&str> = page.slug.split('/').collect();
        let name = parts.pop().unwrap_or_default();
        let folder = parts.iter().take(DEPTH).fold(&mut top, |folder, part| folder.folders.entry((*part).to_owned()).or_default());
        if name == "index" && parts.len() <= DEPTH {
            folder.index = Some(id);
        } else {
            folder.pages.push((name.to_owned(), id));
        }
    }
    let mut nodes = vec![NavNode::default()];
    if let Some(index) = top.index.take() {
        add_page(&mut nodes, site, index, NodeId(0));
    }
    add_folder(&mut nodes, site, &top, NodeId(0));
    Navigation { nodes, ..Navigation::default() }.complete(site)
}

fn add(nodes: &mut Vec<NavNode>, node: NavNode) -> NodeId {
    let id = NodeId(u32::try_from(nodes.len()).unwrap_or(u32::MAX));
    nodes[node.parent.0 as usize].children.push(id);
    nodes.push(node);
    id
}

fn add_page(nodes: &mut Vec<NavNode>, site: &Site, page: PageId, parent: NodeId) {
    let mut node = NavNode { kind: NodeKind::Page, page: Some(page), parent, ..NavNode::default() };
    show_page(&mut node, site.page(page));
    add(nodes, node);
}

/// Recursion is bounded by `DEPTH`.
fn add_folder(nodes: &mut Vec<NavNode>, site: &Site, folder: &Folder, parent: NodeId) {
    enum Entry<'a> {
        Page(PageId),
        Folder(&'a Folder),
    }
    let pages = folder.pages.iter().map(|(name, page)| (name.as_str(), Entry::Page(*page)));
    let folders = folder.folders.iter().map(|(name, folder)| (name.as_str(), Entry::Folder(folder)));
    let mut entries: Vec<(&str, Entry<'_>)> = pages.chain(folders).collect();
    let numbered = entries.iter().any(|(name, _)| without_number(name) != *name);
    let rank = |entry: &Entry<'_>| u8::from(!numbered && matches!(entry, Entry::Folder(_)));
    entries.sort_by(|(name, entry), (other, other_entry)| rank(entry).cmp(&rank(other_entry)).then_with(|| natural(name, other)));
    for (name, entry) in entries {
        match entry {
            Entry::Page(page) => add_page(nodes, site, page, parent),
            Entry::Folder(folder) => {
                let index = folder.index.map(|page| site.page(page));
                let label = index.map_or_else(
                    || title_of_slug(without_number(name)),
                    |page| page.meta.sidebar_title.clone().unwrap_or_else(|| page.meta.title.clone()),
                );
                let node = NavNode {
                    kind: NodeKind::Group,
                    label,
                    key: name.to_owned(),
                    icon: index.and_then(|page| page.meta.icon.clone()),
                    page: folder.index,
                    parent,
                    ..NavNode::default()
                };
                let group = add(nodes, node);
                add_folder(nodes, site, folder, group);
            }
        }
    }
}

/// Compares names as readers do: runs of digits by their value, letters without regard to case; equal ones by their bytes.
fn natural(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a, b);
    loop {
        let (Some(x), Some(y)) = (left.chars().next(), right.chars().next()) else {
            return left.len().cmp(&right.len()).then_with(|| a.cmp(b));
        };
        if x.is_ascii_digit() && y.is_ascii_digit() {
            let (number, rest) = digits(left);
            let (other, other_rest) = digits(right);
            match number.len().cmp(&other.len()).then_with(|| number.cmp(other)) {
                Ordering::Equal => (left, right) = (rest, other_rest),
                unequal => return unequal,
            }
        } else {
            match x.to_lowercase().cmp(y.to_lowercase()) {
                Ordering::Equal => (left, right) = (&left[x.len_utf8()..], &right[y.len_utf8()..]),
                unequal => return unequal,
            }
        }
    }
}

/// The leading run of digits without its zeros, and the rest.
fn digits(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    (text[..end].trim_start_matches('0'), &text[end..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::testing::site;

    #[test]
    fn numbers_count_as_numbers() {
        let mut names = ["b10", "B2", "a", "10-x", "2-x", "b02", "é"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(names, ["2-x", "10-x", "a", "B2", "b02", "b10", "é"]);
    }

    #[test]
    fn folders_become_groups() {
        let it = site(&[
            ("README.md", "# The project\n"),
            ("guides/02-later.md", "# Later\n"),
            ("guides/01-basics/a.md", ""),
            ("guides/10-last.md", ""),
            ("guides/README.md", "# All guides\n"),
            ("zeta.md", "text"),
            ("api/reference.md", "---\ntitle: Reference\nicon: x\n---\n"),
        ]);
        let shown: Vec<String> = it
            .navigation
            .iter()
            .skip(1)
            .map(|(id, node)| format!("{}{}", "  ".repeat(it.navigation.ancestors(id).len() - 1), node.label))
            .collect();
        assert_eq!(shown, ["The project", "Zeta", "Api", "  Reference", "All guides", "  Basics", "    A", "  Later", "  Last"]);
        let order: Vec<&str> = it.navigation.order.iter().map(|page| it.slug(*page)).collect();
        assert_eq!(order, ["index", "zeta", "api/reference", "guides/index", "guides/01-basics/a", "guides/02-later", "guides/10-last"]);
        assert_eq!(it.navigation.home.map(|page| it.slug(page)), Some("index"));
    }
}
