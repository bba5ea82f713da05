//! The navigation as one tree of nodes: divisions (language, version, product, tab, …), groups, pages and links.
//!
//! 1. `draft` reads `navigation` of docs.json; entries still name pages by slug.
//! 2. `generated` adds the pages that API descriptions bring.
//! 3. `build` finds the pages, drops what leads nowhere and says so; `plain` makes the tree of a folder without a
//!    configuration, `summary` reads the list of contents that such a folder may have; `menu` makes the tree that the
//!    configuration of another tool describes (`order`).
//! 4. `visibility` says of each page where it shows.
//! 5. `reading` works out order, branches and neighbors once, so that asking costs nothing per page.

#![cfg_attr(test, allow(clippy::print_stdout, reason = "tests may print"))]
#![cfg_attr(not(test), warn(clippy::string_slice))]

pub mod build;
pub mod docs_schema;
pub mod draft;
pub mod generated;
pub mod menu;
pub mod order;
pub mod overlays;
mod pages;
pub mod plain;
mod reading;
pub mod summary;
pub mod unlisted;
pub mod visibility;

use base::PageId;
use site::config::{Icon, Pair};

pub use pages::{NamesWithoutPages, NavPages};

/// A node of the navigation: index into `Navigation::nodes`. `NodeId(0)` is the root.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct NodeId(pub u32);

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[expect(missing_docs, reason = "docs.json's names")]
pub enum NodeKind {
    #[default]
    Root,
    Language,
    Version,
    Product,
    Tab,
    MenuItem,
    Dropdown,
    Anchor,
    Group,
    Page,
    /// An entry that leads elsewhere (`href` of a division, `url:` page).
    Link,
}

/// A node of the navigation: a division, a group, a page or a link.
#[derive(Clone, Debug, Default)]
pub struct NavNode {
    /// The kind of the node.
    pub kind: NodeKind,
    /// What readers see (language codes for languages; the theme names them).
    pub label: String,
    /// Machine name (`version`, `language`, `product` as written).
    pub key: String,
    /// Icon.
    pub icon: Option<Icon>,
    /// Description (products, dropdowns, menu items).
    pub description: Option<String>,
    /// Badge (`tag`).
    pub tag: Option<String>,
    /// Own colors (anchors, dropdowns, products).
    pub color: Option<Pair>,
    /// Method pill (`GET` …) of an API page.
    pub method: Option<String>,
    /// The page is deprecated.
    pub deprecated: bool,
    /// For `Page`: the page. For `Group`: its `root`. For divisions: the page that they lead to.
    pub page: Option<PageId>,
    /// For `Link` and divisions with `href`: the target, unresolved.
    pub href: Option<String>,
    /// A page that is not written yet: its name stands alone.
    pub is_draft: bool,
    /// Not shown (own flag; descendants are inside).
    pub hidden: bool,
    /// `searchable` of a hidden tab or group.
    pub searchable: Option<bool>,
    /// `expanded` of a nested group.
    pub expanded: bool,
    /// `default: true` of a version or language, or the first one.
    pub default: bool,
    /// `align: end` of a tab.
    pub align_end: bool,
    /// `directory`: none, accordion or card, inherited.
    pub directory: DirectoryMode,
    /// Search weight, inherited.
    pub boost: Option<f64>,
    /// Entry of `global`: shown on all pages.
    pub global: bool,
    /// Parent; the root is its own.
    pub parent: NodeId,
    /// Children, in order.
    pub children: Vec<NodeId>,
}

/// `directory`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[expect(missing_docs, reason = "docs.json's names")]
pub enum DirectoryMode {
    #[default]
    None,
    Accordion,
    Card,
}

impl NodeKind {
    /// A division of the site: anything that holds pages but is no group.
    pub fn is_division(self) -> bool {
        !matches!(self, Self::Root | Self::Group | Self::Page | Self::Link)
    }
}

/// The pages before and after a page.
pub type Neighbors = (Option<PageId>, Option<PageId>);

/// The whole navigation.
#[derive(Clone, Debug, Default)]
pub struct Navigation {
    /// All nodes, parents before children, siblings in order; `nodes[0]` is the root.
    pub nodes: Vec<NavNode>,
    /// Where each page is at home, its first place in reading order (the default version and language come first): by
    /// `PageId`; `None` for pages outside the navigation. For a group's `root`, the group.
    pub place: Vec<Option<NodeId>>,
    /// The start page: `index`, or the first page of the default navigation.
    pub home: Option<PageId>,
    /// All pages in the navigation, in reading order, each at its first place.
    pub order: Vec<PageId>,
    /// Previous and next page in the same branch: by `PageId`.
    pub neighbors: Vec<Neighbors>,
}
