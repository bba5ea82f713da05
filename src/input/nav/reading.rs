//! How readers move through the navigation: order, branches, neighbors, breadcrumbs.

use rustc_hash::FxHashSet;

use crate::base::PageId;

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

    /// By node: whether it or a node above it is so.
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

#[cfg(test)]
mod tests {
    use crate::load::testing::{Fixture, site};
    use crate::nav::NodeKind;

    fn loaded() -> Fixture {
        site(&[
            (
                "docs.json",
                r##"{"theme": "mint", "name": "N", "colors": {"primary": "#000"}, "navigation": {"versions": [
                    {"version": "v1", "tabs": [{"tab": "Old", "pages": ["old"]}]},
                    {"version": "v2", "default": true, "products": [{"product": "p", "name": "Product", "groups": [
                        {"group": "", "pages": ["a", {"group": "Nested", "root": "n/index", "pages": ["n/x", {"group": "Secret", "hidden": true, "pages": ["s"]}, "n/y"]}]},
                        {"group": "Second", "pages": ["b", "a", "old"]}
                    ]}, {"product": "q", "pages": ["q"]}]}
                ]}}"##,
            ),
            ("a.mdx", "---\ntitle: A\nsidebarTitle: Short A\n---"),
            ("b.mdx", ""),
            ("n/index.mdx", "---\ntitle: nested\n---"),
            ("n/x.mdx", ""),
            ("n/y.mdx", ""),
            ("old.mdx", ""),
            ("q.mdx", ""),
            ("s.mdx", ""),
            ("outside.mdx", ""),
        ])
    }

    #[test]
    fn order_and_places() {
        let it = loaded();
        let order: Vec<&str> = it.navigation.order.iter().map(|page| it.slug(*page)).collect();
        assert_eq!(order, ["a", "n/index", "n/x", "s", "n/y", "b", "old", "q"]);
        assert_eq!(it.navigation.place_of(it.page("outside")), None);
        assert_eq!(it.navigation.home.map(|page| it.slug(page)), Some("a"));
    }

    #[test]
    fn divisions_and_breadcrumbs() {
        let it = loaded();
        let path = |slug: &str| -> Vec<String> {
            it.navigation.division_path(it.page(slug)).iter().map(|id| it.navigation.node(*id).key.clone()).collect()
        };
        assert_eq!(path("n/x"), ["v2", "p"]);
        assert_eq!(path("old"), ["v2", "p"]);
        assert!(path("outside").is_empty());
        let crumbs = |slug: &str| -> Vec<String> {
            let page = it.page(slug);
            it.navigation
                .breadcrumbs(page, &it.site.page(page).meta.title)
                .iter()
                .map(|id| it.navigation.node(*id).label.clone())
                .collect()
        };
        assert_eq!(crumbs("n/x"), ["Product", "Nested"]);
        assert_eq!(crumbs("n/index"), ["Product"]);
        assert_eq!(crumbs("s"), ["Product", "Nested", "Secret"]);
        assert_eq!(it.navigation.node(it.navigation.branch_of(it.page("n/y"))).key, "p");
        assert_eq!(it.navigation.node(it.navigation.branch_of(it.page("outside"))).kind, NodeKind::Root);
    }

    #[test]
    fn neighbors_stay_in_their_branch() {
        let it = loaded();
        let neighbors = |slug: &str| {
            let (previous, next) = it.navigation.neighbors(it.page(slug));
            (previous.map(|page| it.slug(page)), next.map(|page| it.slug(page)))
        };
        assert_eq!(neighbors("a"), (None, Some("n/index")));
        assert_eq!(neighbors("n/index"), (Some("a"), Some("n/x")));
        assert_eq!(neighbors("n/x"), (Some("n/index"), Some("n/y")));
        assert_eq!(neighbors("s"), (None, None));
        assert_eq!(neighbors("n/y"), (Some("n/x"), Some("b")));
        assert_eq!(neighbors("b"), (Some("n/y"), Some("old")));
        assert_eq!(neighbors("old"), (Some("b"), None));
        assert_eq!(neighbors("outside"), (None, None));
    }

    #[test]
    fn flags_reach_the_pages() {
        let it = loaded();
        let page = |slug: &str| it.site.page(it.page(slug));
        assert!(page("s").hidden && page("s").in_navigation);
        assert!(!page("a").hidden && page("a").in_navigation);
        assert!(!page("outside").in_navigation);
        let place = it.navigation.place_of(it.page("a")).unwrap();
        assert_eq!(it.navigation.node(place).label, "Short A");
        let first: Vec<Option<&str>> = it
            .navigation
            .nodes
            .iter()
            .filter(|node| node.kind.is_division())
            .map(|node| node.page.map(|page| it.slug(page)))
            .collect();
        assert_eq!(first, [Some("old"), Some("old"), Some("a"), Some("a"), Some("q")]);
    }

    /// `Label: page` of every division, and where the page `shared` is at home.
    #[track_caller]
    fn check_landings(navigation: &str, expect: &[&str], home: &[&str]) {
        let docs = format!(
            "{{\"theme\": \"mint\", \"name\": \"N\", \"colors\": {{\"primary\": \"#000\"}}, \"navigation\": {navigation}}}"
        );
        let it = site(&[("docs.json", &docs), ("shared.mdx", ""), ("a.mdx", ""), ("b.mdx", ""), ("c.mdx", "")]);
        let division =
            |node: &crate::nav::NavNode| format!("{}: {}", node.label, node.page.map_or("", |page| it.slug(page)));
        let landings: Vec<String> =
            it.navigation.nodes.iter().filter(|node| node.kind.is_division()).map(division).collect();
        assert_eq!(landings, expect);
        let path: Vec<&str> = it
            .navigation
            .division_path(it.page("shared"))
            .iter()
            .map(|id| it.navigation.node(*id).label.as_str())
            .collect();
        assert_eq!(path, home);
    }

    #[test]
    fn divisions_lead_to_pages_of_their_own() {
        check_landings(
            r#"{"tabs": [{"tab": "1", "pages": ["shared", "a"]}, {"tab": "2", "pages": [{"group": "G", "root": "shared", "pages": ["b"]}]}, {"tab": "3", "pages": ["shared"]}]}"#,
            &["1: shared", "2: b", "3: shared"],
            &["1"],
        );
        check_landings(
            r#"{"products": [{"product": "p", "tabs": [{"tab": "1", "pages": ["shared"]}]}, {"product": "q", "tabs": [{"tab": "2", "pages": ["shared"]}, {"tab": "3", "pages": ["a"]}]}]}"#,
            &["p: shared", "1: shared", "q: a", "2: shared", "3: a"],
            &["p", "1"],
        );
    }

    #[test]
    fn shared_pages_are_at_home_in_the_default() {
        check_landings(
            r#"{"versions": [{"version": "1", "pages": ["shared", "a"]}, {"version": "2", "default": true, "pages": ["shared", "b"]}]}"#,
            &["1: a", "2: shared"],
            &["2"],
        );
        check_landings(
            r#"{"tabs": [{"tab": "T", "languages": [{"language": "de", "pages": ["shared", "a"]}, {"language": "en", "default": true, "pages": ["b", "shared"]}]}]}"#,
            &["T: b", "de: a", "en: b"],
            &["T", "en"],
        );
    }
}
