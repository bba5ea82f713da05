//! The navigation of a folder without a configuration: folders are groups, in the order of their names.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use percent_encoding::percent_decode_str;
use rustc_hash::FxHashSet;

use base::PageId;
use base::cut::SliceText as _;
use base::limits::PAGE_BYTES;
use site::page::{PageEntry, title_of_slug, without_number};
use site::tree;
use site::yaml::parse_yaml;

use super::build::show_page;
use super::summary::{BookEntry, parse_summary};
use super::{NavNode, NavPages, Navigation, NodeId, NodeKind};

/// Folders nested deeper than this are shown in the deepest one that is a group.
const MAX_SECTION_DEPTH: usize = 16;

/// A folder and what lies in it.
#[derive(Debug, Default)]
struct PlainFolder {
    index: Option<PageId>,
    pages: Vec<(String, PageId)>,
    folders: BTreeMap<String, PlainFolder>,
}

/// What `_category_.json` says of a folder of Docusaurus.
#[derive(Debug, Default)]
struct CategoryFile {
    label: Option<String>,
    position: Option<f64>,
}

/// An entry of a folder.
enum FolderEntry<'a> {
    Page(PageId),
    Folder(&'a PlainFolder, CategoryFile),
}

/// Builds the tree: in each folder the index page first (as the root of the group), then pages and folders by name.
/// Numbers count as numbers; where names start with one, pages and folders mix, otherwise pages come first. What has a
/// position comes before all that has none. A folder with a `SUMMARY.md` is a book: what that lists comes first, in its
/// order. `list` does the same for the site.
/// `generated` are the nodes of the pages that no file holds, which come last.
pub fn build_from_folders(site: NavPages<'_>, list: Option<&[BookEntry]>, generated: &[NavNode]) -> Navigation {
    let mut top = PlainFolder::default();
    for (index, page) in site.pages.iter().enumerate().filter(|(_, page)| page.file.is_some()) {
        let id = PageId(u32::try_from(index).unwrap_or(u32::MAX));
        let mut parts: Vec<&str> = page.slug.split('/').collect();
        let name = parts.pop().unwrap_or_default();
        let folder = parts
            .iter()
            .take(MAX_SECTION_DEPTH)
            .fold(&mut top, |folder, part| folder.folders.entry((*part).to_owned()).or_default());
        if name == "index" && parts.len() <= MAX_SECTION_DEPTH {
            folder.index = Some(id);
        } else {
            folder.pages.push((name.to_owned(), id));
        }
    }
    let mut builder = PlainNavBuilder { site, list, nodes: vec![NavNode::default()], listed: FxHashSet::default() };
    let book = builder.book(&top, "");
    if let Some(index) = top.index.take().filter(|index| book.iter().all(|(_, page)| *page != Some(*index))) {
        builder.add_page(index, NodeId(0));
        builder.listed.insert(index);
    }
    builder.add_folder(&top, "", NodeId(0), book);
    append_navigation(&mut builder.nodes, generated);
    Navigation { nodes: builder.nodes, ..Navigation::default() }.complete(site)
}

/// Adds what stands below the root of another navigation.
pub fn append_navigation(nodes: &mut Vec<NavNode>, others: &[NavNode]) {
    let Some((root, below)) = others.split_first() else { return };
    let offset = u32::try_from(nodes.len() - 1).unwrap_or(u32::MAX);
    let moved = |id: &NodeId| if id.0 == 0 { NodeId(0) } else { NodeId(id.0 + offset) };
    nodes[0].children.extend(root.children.iter().map(moved));
    let below = below.iter().map(|node| NavNode {
        parent: moved(&node.parent),
        children: node.children.iter().map(moved).collect(),
        ..node.clone()
    });
    nodes.extend(below);
}

struct PlainNavBuilder<'a> {
    site: NavPages<'a>,
    /// The entries that come first.
    list: Option<&'a [BookEntry]>,
    nodes: Vec<NavNode>,
    /// Pages that have an entry.
    listed: FxHashSet<PageId>,
}

impl PlainNavBuilder<'_> {
    fn add(&mut self, node: NavNode) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes[node.parent.0 as usize].children.push(id);
        self.nodes.push(node);
        id
    }

    fn add_page(&mut self, page: PageId, parent: NodeId) {
        let mut node = NavNode { kind: NodeKind::Page, page: Some(page), parent, ..NavNode::default() };
        show_page(&mut node, self.site.page(page));
        self.add(node);
    }

    /// What a folder holds, after its book. Recursion is bounded by `DEPTH`.
    fn add_folder(&mut self, folder: &PlainFolder, path: &str, parent: NodeId, book: Vec<(BookEntry, Option<PageId>)>) {
        // the list itself is no page for readers: where it leads is in the navigation, and links to it still work
        if let Some(list) = folder.list().filter(|_| !book.is_empty()) {
            self.add(NavNode { kind: NodeKind::Page, page: Some(list), hidden: true, parent, ..NavNode::default() });
        }
        self.add_book(book, folder.index, parent);
        let pages = folder
            .pages
            .iter()
            .filter(|(_, page)| !self.listed.contains(page))
            .map(|(name, page)| (name.as_str(), FolderEntry::Page(*page)));
        let folders =
            folder.folders.iter().filter(|(_, folder)| folder.pages().any(|page| !self.listed.contains(&page)));
        let folders = folders
            .map(|(name, folder)| (name.as_str(), FolderEntry::Folder(folder, self.category(&join_slug(path, name)))));
        let mut entries: Vec<(&str, FolderEntry<'_>)> = pages.chain(folders).collect();
        let numbered = entries.iter().any(|(name, _)| without_number(name) != *name);
        let rank = |entry: &FolderEntry<'_>| u8::from(!numbered && matches!(entry, FolderEntry::Folder(..)));
        let position = |entry: &FolderEntry<'_>| match entry {
            FolderEntry::Page(page) => self.site.page(*page).meta.position,
            FolderEntry::Folder(folder, category) => {
                category.position.or_else(|| self.site.page(folder.index?).meta.position)
            }
        };
        let by_position = |a: &FolderEntry<'_>, b: &FolderEntry<'_>| {
            position(a).unwrap_or(f64::INFINITY).total_cmp(&position(b).unwrap_or(f64::INFINITY))
        };
        entries.sort_by(|(name, a), (other, b)| {
            by_position(a, b).then_with(|| rank(a).cmp(&rank(b))).then_with(|| natural(name, other))
        });
        for (name, entry) in entries {
            match entry {
                FolderEntry::Page(page) => self.add_page(page, parent),
                FolderEntry::Folder(folder, category) => {
                    self.add_group(folder, category, name, &join_slug(path, name), parent)
                }
            }
        }
    }

    fn add_group(&mut self, folder: &PlainFolder, category: CategoryFile, name: &str, path: &str, parent: NodeId) {
        let own = folder.index.filter(|page| !self.listed.contains(page));
        let index = own.map(|page| self.site.page(page));
        let title = |page: &PageEntry| page.meta.sidebar_title.clone().unwrap_or_else(|| page.meta.title.clone());
        let label = category.label.or_else(|| index.map(title)).unwrap_or_else(|| title_of_slug(without_number(name)));
        let icon = index.and_then(|page| page.meta.icon.clone());
        let group = self.add(NavNode {
            kind: NodeKind::Group,
            label,
            key: name.to_owned(),
            icon,
            page: own,
            parent,
            ..NavNode::default()
        });
        self.listed.extend(own);
        let book = self.book(folder, path);
        self.add_folder(folder, path, group, book);
    }

    /// What `_category_.json` says, which may be YAML too.
    fn category(&self, path: &str) -> CategoryFile {
        let tree = self.site.tree;
        let file = ["json", "yml", "yaml"].iter().find_map(|ending| tree.find(&format!("{path}/_category_.{ending}")));
        let text = file.and_then(|file| tree.read_text(file, PAGE_BYTES).ok()).unwrap_or_default();
        // JSON is YAML; a file that is neither says nothing
        let entries = parse_yaml(&text, true).unwrap_or_default();
        let value = |key: &str| {
            entries
                .iter()
                .find(|entry| entry.key == key)
                .and_then(|entry| entry.value.as_text())
                .map(str::trim)
                .filter(|text| !text.is_empty())
        };
        CategoryFile {
            label: value("label").map(str::to_owned),
            position: value("position").and_then(|text| text.parse().ok()).filter(|number: &f64| number.is_finite()),
        }
    }

    /// The entries of a folder's book with their pages; none if no entry leads to a page. The list itself is no page
    /// then.
    fn book(&mut self, folder: &PlainFolder, path: &str) -> Vec<(BookEntry, Option<PageId>)> {
        let list = folder.list();
        let (items, from) = match (list, self.list) {
            (Some(page), _) => {
                let file = self.site.page(page).file;
                let text = file.and_then(|file| self.site.tree.read_text(file, PAGE_BYTES).ok()).unwrap_or_default();
                (parse_summary(&text), path)
            }
            (None, Some(items)) if path.is_empty() => (items.to_vec(), ""),
            _ => return Vec::new(),
        };
        let book: Vec<(BookEntry, Option<PageId>)> = items
            .into_iter()
            .map(|item| {
                let page = self.page_at(from, &item.target);
                (item, page)
            })
            .collect();
        if book.iter().all(|(_, page)| page.is_none()) {
            return Vec::new();
        }
        self.listed.extend(list);
        book
    }

    /// The page that a link in a folder leads to.
    fn page_at(&self, folder: &str, target: &str) -> Option<PageId> {
        let target = target.split(['#', '?']).next().filter(|target| !target.is_empty() && !target.contains("://"))?;
        let path = tree::join_document_path(folder, &percent_decode_str(target).decode_utf8().ok()?)?;
        let stem = path.strip_suffix(".md").or_else(|| path.strip_suffix(".mdx")).unwrap_or(&path);
        self.site.find_page(stem).or_else(|| self.site.find_page(&format!("{stem}/index")))
    }

    /// The entries of a book: those with something below them are groups. A page that is listed again is left out, and
    /// so is `own`, which the group around them leads to.
    fn add_book(&mut self, book: Vec<(BookEntry, Option<PageId>)>, own: Option<PageId>, parent: NodeId) {
        let mut open = vec![parent];
        let depths: Vec<usize> = book.iter().map(|(item, _)| item.depth.min(MAX_SECTION_DEPTH)).chain([0]).collect();
        for (at, (item, page)) in book.into_iter().enumerate() {
            let depth = depths[at].min(open.len() - 1);
            open.truncate(depth + 1);
            let parent = open[depth];
            let page = page.filter(|page| {
                !self.listed.contains(page) && own.is_none_or(|own| own != *page || parent == NodeId(0))
            });
            self.listed.extend(page);
            let is_outside = item.target.starts_with("https://") || item.target.starts_with("http://");
            let node = NavNode {
                label: item.label,
                page,
                parent,
                href: is_outside.then_some(item.target),
                ..NavNode::default()
            };
            if depths[at + 1] > depths[at] {
                open.push(self.add(NavNode { kind: NodeKind::Group, ..node }));
            } else if let Some(page) = page {
                let mut entry = NavNode { kind: NodeKind::Page, ..node };
                let label = std::mem::take(&mut entry.label);
                show_page(&mut entry, self.site.page(page));
                if !label.is_empty() {
                    entry.label = label;
                }
                self.add(entry);
            } else if node.href.is_some() {
                self.add(NavNode { kind: NodeKind::Link, ..node });
            }
        }
    }
}

impl PlainFolder {
    /// The page that may list the pages of a book.
    fn list(&self) -> Option<PageId> {
        self.pages.iter().find(|(name, _)| name == "SUMMARY").map(|(_, page)| *page)
    }

    /// All pages in the folder and below it.
    fn pages(&self) -> Box<dyn Iterator<Item = PageId> + '_> {
        let below = self.folders.values().flat_map(PlainFolder::pages);
        Box::new(self.index.into_iter().chain(self.pages.iter().map(|(_, page)| *page)).chain(below))
    }
}

fn join_slug(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// Compares names as readers do: runs of digits by their value, letters without regard to case; equal ones by their
/// bytes.
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
                Ordering::Equal => (left, right) = (left.slice(x.len_utf8()..), right.slice(y.len_utf8()..)),
                unequal => return unequal,
            }
        }
    }
}

/// The leading run of digits without its zeros, and the rest.
fn digits(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    (text.slice(..end).trim_start_matches('0'), text.slice(end..))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_as_numbers() {
        let mut names = ["b10", "B2", "a", "10-x", "2-x", "b02", "é"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(names, ["2-x", "10-x", "a", "B2", "b02", "b10", "é"]);
    }
}
