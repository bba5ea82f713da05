//! How readers move through the navigation: order, branches, neighbors, breadcrumbs.

use rustc_hash::FxHashSet;

use base::PageId;

use super::{NavNode, NavPages, Navigation, Neighbors, NodeId, NodeKind};

impl Navigation {
    /// A node.
    pub fn node(&self, id: NodeId) -> &NavNode {
        &self.nodes[id.0 as usize]
    }

    /// All nodes with their ids, parents before children.
    pub fn iter(&self) -> impl Iterator<Item = (NodeId, &NavNode)> {
        self.nodes.iter().enumerate().map(|(index, node)| (NodeId(u32::try_from(index).unwrap_or(u32::MAX)), node))
    }

    /// The nodes above a node, root first, without the node itself.
    pub fn ancestors(&self, id: NodeId) -> Vec<NodeId> {
        let mut path = Vec::new();
        let mut at = id;
        while at != NodeId(0) {
            at = self.node(at).parent;
            path.push(at);
        }
        path.reverse();
        path
    }

    /// Where a page stands first.
    pub fn place_of(&self, page: PageId) -> Option<NodeId> {
        self.place.get(page.0 as usize).copied().flatten()
    }

    /// The first page in reading order at or below a node: not hidden, in the default language and version, the page
    /// itself or a group's `root` first.
    pub fn first_page(&self, id: NodeId) -> Option<PageId> {
        self.first_page_that(id, |_| true)
    }

    fn first_page_that(&self, id: NodeId, is_match: impl Fn(PageId) -> bool) -> Option<PageId> {
        let mut open = vec![id];
        while let Some(at) = open.pop() {
            let node = self.node(at);
            if node.hidden && at != id {
                continue;
            }
            if let (NodeKind::Page | NodeKind::Group, Some(page)) = (node.kind, node.page)
                && is_match(page)
            {
                return Some(page);
            }
            self.open_children(at, &mut open);
        }
        None
    }

    /// Puts the children of a node on a stack, entries of `global` left out. Last in, first out: the default child goes
    /// on top.
    fn open_children(&self, id: NodeId, open: &mut Vec<NodeId>) {
        let shown = self.node(id).children.iter().rev().filter(|child| !self.node(**child).global);
        let (default, others): (Vec<NodeId>, Vec<NodeId>) = shown.partition(|child| self.node(**child).default);
        open.extend(others);
        open.extend(default);
    }

    /// Where a division leads: to its first page that has its home there, for a page is shown in the division of its
    /// home alone; to its first page if none has.
    fn landing(&self, id: NodeId, end: u32) -> Option<PageId> {
        let is_at_home = |page: PageId| self.place_of(page).is_some_and(|place| (id.0..end).contains(&place.0));
        self.first_page_that(id, is_at_home).or_else(|| self.first_page(id))
    }

    /// By node: one past the last node below it. Nodes stand in pre-order.
    fn ends(&self) -> Vec<u32> {
        let mut ends: Vec<u32> = (1..=u32::try_from(self.nodes.len()).unwrap_or(u32::MAX)).collect();
        for index in (1..ends.len()).rev() {
            let parent = self.nodes[index].parent.0 as usize;
            ends[parent] = ends[parent].max(ends[index]);
        }
        ends
    }

    /// The divisions that a page stands in, outermost first: language, version, tab …
    pub fn division_path(&self, page: PageId) -> Vec<NodeId> {
        let path = self.place_of(page).map(|place| self.ancestors(place)).unwrap_or_default();
        path.into_iter().filter(|id| self.node(*id).kind.is_division()).collect()
    }

    /// The deepest division that holds a page, whose pages and groups are the page's sidebar; the root for pages in
    /// none.
    pub fn branch_of(&self, page: PageId) -> NodeId {
        self.place_of(page).map_or(NodeId(0), |place| self.branch_above(place))
    }

    fn branch_above(&self, place: NodeId) -> NodeId {
        let mut at = self.node(place).parent;
        while at != NodeId(0) && !self.node(at).kind.is_division() {
            at = self.node(at).parent;
        }
        at
    }

    /// What leads to a page: containers but languages and versions, then groups; those without a name are skipped, and
    /// so is the group whose root the page is if both have one name.
    pub fn breadcrumbs(&self, page: PageId, title: &str) -> Vec<NodeId> {
        let Some(place) = self.place_of(page) else { return Vec::new() };
        let mut path = self.ancestors(place);
        if self.node(place).kind == NodeKind::Group && !self.node(place).label.eq_ignore_ascii_case(title) {
            path.push(place);
        }
        let shown = |node: &NavNode| {
            !node.label.is_empty() && !matches!(node.kind, NodeKind::Root | NodeKind::Language | NodeKind::Version)
        };
        path.into_iter().filter(|id| shown(self.node(*id))).collect()
    }

    /// The pages before and after a page in its branch. Hidden pages have none and are none.
    pub fn neighbors(&self, page: PageId) -> Neighbors {
        self.neighbors.get(page.0 as usize).copied().unwrap_or_default()
    }

    /// Whether a page, or anything it stands in, is hidden. A page that stands somewhere unhidden is not.
    pub fn hidden_pages(&self) -> FxHashSet<PageId> {
        let hidden = self.inherited(|node| node.hidden);
        let mut pages = FxHashSet::default();
        let mut shown = FxHashSet::default();
        for (id, node) in self.iter() {
            if let (NodeKind::Page | NodeKind::Group, Some(page)) = (node.kind, node.page) {
                if hidden[id.0 as usize] {
                    pages.insert(page)
                } else {
                    shown.insert(page)
                };
            }
        }
        pages.retain(|page| !shown.contains(page));
        pages
    }

    /// Says of each node whether it, or a node above it, is so.
    fn inherited(&self, is: impl Fn(&NavNode) -> bool) -> Vec<bool> {
        let mut inherited: Vec<bool> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let above = inherited.get(node.parent.0 as usize).copied().unwrap_or(false);
            inherited.push(above || is(node));
        }
        inherited
    }

    /// Fills in everything that follows from the nodes. Nodes stand in pre-order.
    pub fn complete(mut self, site: NavPages<'_>) -> Self {
        self.place = vec![None; site.pages.len()];
        self.order.clear();
        // the default version and language come first, wherever the author lists them: a page of several is at home
        // there
        let mut open = vec![NodeId(0)];
        while let Some(at) = open.pop() {
            self.open_children(at, &mut open);
            let node = self.node(at);
            let (NodeKind::Page | NodeKind::Group, Some(page)) = (node.kind, node.page) else { continue };
            let place = &mut self.place[page.0 as usize];
            if place.is_none() {
                *place = Some(at);
                self.order.push(page);
            }
        }
        self.neighbors = self.all_neighbors(site.pages.len());
        for (index, end) in self.ends().into_iter().enumerate() {
            if self.nodes[index].kind.is_division() {
                self.nodes[index].page = self.landing(NodeId(u32::try_from(index).unwrap_or(u32::MAX)), end);
            }
        }
        // `Index` cannot stand beside the start page's file on every system, so it is the start page
        let index = || {
            (0..)
                .map(PageId)
                .zip(site.pages)
                .find(|(_, page)| page.slug.eq_ignore_ascii_case("index"))
                .map(|(id, _)| id)
        };
        self.home = site
            .by_slug
            .get("index")
            .copied()
            .or_else(index)
            .or_else(|| self.first_page(NodeId(0)))
            .or_else(|| self.order.first().copied());
        self
    }

    /// Walks all nodes once, keeping the last page seen in each branch.
    fn all_neighbors(&self, pages: usize) -> Vec<Neighbors> {
        let mut neighbors: Vec<Neighbors> = vec![(None, None); pages];
        let mut last: Vec<Option<PageId>> = vec![None; self.nodes.len()];
        let mut seen: FxHashSet<(NodeId, PageId)> = FxHashSet::default();
        // by node: its branch, and whether it is hidden within it
        let mut within: Vec<(NodeId, bool)> = Vec::with_capacity(self.nodes.len());
        for (id, node) in self.iter() {
            let (branch, hidden) = if id == NodeId(0) { (id, false) } else { within[node.parent.0 as usize] };
            // a hidden division hides its pages from others, not from each other
            within.push(if node.kind.is_division() { (id, false) } else { (branch, hidden || node.hidden) });
            let (NodeKind::Page | NodeKind::Group, Some(page), false) = (node.kind, node.page, hidden || node.hidden)
            else {
                continue;
            };
            if !seen.insert((branch, page)) {
                continue;
            }
            if self.place_of(page) == Some(id) {
                neighbors[page.0 as usize].0 = last[branch.0 as usize];
            }
            if let Some(before) = last[branch.0 as usize].replace(page)
                && self.place_of(before).is_some_and(|place| self.branch_above(place) == branch)
            {
                neighbors[before.0 as usize].1 = Some(page);
            }
        }
        neighbors
    }
}
