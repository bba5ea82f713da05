//! The navigation cut into branches: what one sidebar shows, which page follows which, where each page belongs.

use base::PageId;
use base::url::shared_folders;
use load::Site;
use nav::{NavNode, Navigation, NodeId, NodeKind};

use super::counterparts::Counterparts;

/// A line of a sidebar: a group, a page or a link.
#[derive(Clone, Copy, Debug)]
pub(super) struct SidebarEntry {
    /// The node.
    pub(super) node: NodeId,
    /// 0 for the entries of the division itself.
    pub(super) depth: u32,
    /// One past the last entry below this one.
    pub(super) end: u32,
    /// The entry of the group around it.
    pub(super) parent: Option<u32>,
}

impl SidebarEntry {
    /// Whether nothing stands below the entry, which is that of number `at`.
    pub(super) fn is_leaf(&self, at: u32) -> bool {
        self.end <= at + 1
    }
}

/// The part of the navigation that one sidebar shows: what stands directly in a division.
#[derive(Debug, Default)]
pub(super) struct Branch {
    /// The divisions from the root (exclusive) down to the branch's own; empty for a site without divisions.
    pub(super) chain: Vec<NodeId>,
    /// In reading order, hidden entries and empty groups left out.
    pub(super) entries: Vec<SidebarEntry>,
}

/// Where a page belongs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PageSpot {
    /// Index into `Structure::branches`.
    pub(super) branch: u32,
    /// Its own entry in that branch.
    pub(super) entry: Option<u32>,
}

/// The branches of a site, and where its pages stand in them.
#[derive(Debug, Default)]
pub(super) struct Structure {
    /// Never empty.
    pub(super) branches: Vec<Branch>,
    /// The place of each page.
    pub(super) spots: Vec<PageSpot>,
    /// The first page in or at each node.
    pub(super) first_page: Vec<Option<PageId>>,
    /// Which page of a language or version stands for which of another.
    pub(super) counterparts: Counterparts,
}

impl Structure {
    pub(super) fn new(site: &Site, navigation: &Navigation) -> Self {
        let order = preorder(navigation);
        let first_page = first_pages(navigation, &order);
        let mut structure = Self { counterparts: Counterparts::new(site, navigation), first_page, ..Self::default() };
        structure.grow_branches(site, navigation);
        structure.settle_strays(site, navigation);
        structure
    }

    /// One branch per division that a page stands in, in order of first use by navigation order.
    fn grow_branches(&mut self, site: &Site, navigation: &Navigation) {
        let mut branch_of = vec![u32::MAX; navigation.nodes.len().max(1)];
        let mut divisions: Vec<NodeId> =
            navigation.place.iter().flatten().map(|node| division_of(navigation, *node)).collect();
        divisions.sort_unstable();
        divisions.dedup();
        if divisions.is_empty() {
            divisions.push(NodeId(0));
        }
        for division in divisions {
            if let Some(slot) = branch_of.get_mut(division.0 as usize) {
                *slot = u32::try_from(self.branches.len()).unwrap_or(0);
            }
            let entries = division_entries(navigation, &self.first_page, division);
            self.branches.push(Branch { chain: chain(navigation, division), entries });
        }
        self.spots = vec![PageSpot::default(); site.pages.len()];
        for (page, place) in navigation.place.iter().enumerate().take(site.pages.len()) {
            if let Some(place) = place {
                self.spots[page].branch = branch_of[division_of(navigation, *place).0 as usize];
            }
        }
        for index in 0..self.branches.len() {
            self.find_entries(navigation, index);
        }
    }

    /// The entry of every page of a branch: the first one that opens it.
    fn find_entries(&mut self, navigation: &Navigation, index: usize) {
        for (at, entry) in self.branches[index].entries.iter().enumerate() {
            let Some(page) = own_page(navigation.node(entry.node)) else { continue };
            let Some(spot) = self.spots.get_mut(page.0 as usize) else { continue };
            if spot.branch as usize == index && spot.entry.is_none() && navigation.place_of(page).is_some() {
                spot.entry = u32::try_from(at).ok();
            }
        }
    }

    /// Pages outside the navigation stand in the branch of the placed page whose path is nearest, else in that of the
    /// home page.
    fn settle_strays(&mut self, site: &Site, navigation: &Navigation) {
        let placed = |page: usize| navigation.place.get(page).copied().flatten().is_some();
        let home = navigation.home.and_then(|page| self.spots.get(page.0 as usize)).map_or(0, |spot| spot.branch);
        // pages are sorted by slug, so the nearest path is the nearest placed page on either side
        let mut after: Vec<Option<usize>> = vec![None; site.pages.len()];
        let mut last = None;
        for (page, after) in after.iter_mut().enumerate().rev() {
            *after = last;
            if placed(page) {
                last = Some(page);
            }
        }
        let mut before = None;
        for (page, after) in after.into_iter().enumerate() {
            if placed(page) {
                before = Some(page);
                continue;
            }
            let slug = &site.pages[page].slug;
            let shared = |other: usize| shared_folders(slug, &site.pages[other].slug);
            let nearest = [before, after]
                .into_iter()
                .flatten()
                .max_by_key(|other| shared(*other))
                .filter(|other| shared(*other) > 0);
            self.spots[page].branch = nearest.map_or(home, |other| self.spots[other].branch);
        }
    }
}

/// The page that an entry itself opens: a page, or a group's root.
pub(super) fn own_page(node: &NavNode) -> Option<PageId> {
    matches!(node.kind, NodeKind::Page | NodeKind::Group).then_some(node.page).flatten()
}

/// The nearest division around a node (itself included), or the root.
pub(super) fn division_of(navigation: &Navigation, node: NodeId) -> NodeId {
    let mut at = node;
    // a chain is never longer than the tree; a broken parent link ends at the root
    for _ in 0..navigation.nodes.len() {
        let Some(found) = navigation.nodes.get(at.0 as usize) else { break };
        if found.kind.is_division() || at == NodeId(0) {
            return at;
        }
        at = found.parent;
    }
    NodeId(0)
}

fn chain(navigation: &Navigation, division: NodeId) -> Vec<NodeId> {
    let mut out = Vec::new();
    let mut at = division;
    while at != NodeId(0) && out.len() < navigation.nodes.len() {
        let Some(node) = navigation.nodes.get(at.0 as usize) else { break };
        if node.kind.is_division() {
            out.push(at);
        }
        at = node.parent;
    }
    out.reverse();
    out
}

/// All nodes, parents before children, children in order.
fn preorder(navigation: &Navigation) -> Vec<NodeId> {
    let mut out = Vec::with_capacity(navigation.nodes.len());
    let mut stack = if navigation.nodes.is_empty() { vec![] } else { vec![NodeId(0)] };
    while let Some(node) = stack.pop() {
        if out.len() >= navigation.nodes.len() {
            break;
        }
        out.push(node);
        let children = &navigation.nodes[node.0 as usize].children;
        stack.extend(children.iter().rev().filter(|child| (child.0 as usize) < navigation.nodes.len()));
    }
    out
}

fn first_pages(navigation: &Navigation, order: &[NodeId]) -> Vec<Option<PageId>> {
    let mut first: Vec<Option<PageId>> = navigation.nodes.iter().map(|node| node.page).collect();
    for id in order.iter().rev() {
        let node = &navigation.nodes[id.0 as usize];
        if first[id.0 as usize].is_none() && !node.hidden {
            let below = node
                .children
                .iter()
                .filter_map(|child| navigation.nodes.get(child.0 as usize).map(|node| (child, node)));
            first[id.0 as usize] =
                below.filter(|(_, node)| !node.hidden).find_map(|(child, _)| first[child.0 as usize]);
        }
    }
    first
}

fn division_entries(navigation: &Navigation, first_page: &[Option<PageId>], division: NodeId) -> Vec<SidebarEntry> {
    let mut out: Vec<SidebarEntry> = Vec::new();
    let Some(top) = navigation.nodes.get(division.0 as usize) else { return out };
    let mut stack: Vec<(NodeId, u32, Option<u32>)> = top.children.iter().rev().map(|child| (*child, 0, None)).collect();
    while let Some((id, depth, parent)) = stack.pop() {
        let Some(node) = navigation.nodes.get(id.0 as usize) else { continue };
        let shown = match node.kind {
            NodeKind::Page => node.page.is_some() || node.is_draft,
            NodeKind::Link => node.href.is_some() && !node.global,
            NodeKind::Group => first_page[id.0 as usize].is_some() || has_link(navigation, node),
            _ => false,
        };
        if node.hidden || !shown || out.len() > navigation.nodes.len() {
            continue;
        }
        let at = u32::try_from(out.len()).unwrap_or(u32::MAX);
        out.push(SidebarEntry { node: id, depth, end: at + 1, parent });
        if node.kind == NodeKind::Group {
            stack.extend(node.children.iter().rev().map(|child| (*child, depth + 1, Some(at))));
        }
    }
    // children come after parents, so one backward pass closes every range
    for at in (0..out.len()).rev() {
        if let Some(parent) = out[at].parent {
            out[parent as usize].end = out[parent as usize].end.max(out[at].end);
        }
    }
    out
}

fn has_link(navigation: &Navigation, group: &NavNode) -> bool {
    let children = group.children.iter().filter_map(|child| navigation.nodes.get(child.0 as usize));
    children.into_iter().any(|child| child.kind == NodeKind::Link && !child.hidden)
}
