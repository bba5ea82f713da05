//! The order of a site's pages as the configuration of another tool says it.

use base::PageId;
use site::config::Icon;

use super::summary::BookEntry;
use super::{DirectoryMode, NodeKind};

/// The order of a site's pages.
#[derive(Clone, Debug, Default)]
pub enum PageOrder {
    /// Folders are groups, in the order of their names and positions.
    #[default]
    Folders,
    /// The same, but the entries of a list come first, in its order; targets are addresses or files below the root.
    List(Vec<BookEntry>),
    /// Exactly these entries. Pages that none leads to have no entry.
    Menu(Vec<MenuItem>),
}

/// An entry.
#[derive(Clone, Debug, Default)]
pub struct MenuItem {
    /// What it is: a page, a link, a group, a tab, a version, a language …
    pub kind: NodeKind,
    /// What readers see; the short title of its page if empty.
    pub label: String,
    /// Machine name of a version or language.
    pub key: String,
    /// Its page, or the page that a group leads to.
    pub page: Option<PageId>,
    /// Where a link leads, unresolved.
    pub href: Option<String>,
    /// Icon.
    pub icon: Option<Icon>,
    /// Badge.
    pub tag: Option<String>,
    /// The entry is not shown.
    pub hidden: bool,
    /// Its page is not written yet: readers see its name alone.
    pub is_draft: bool,
    /// A group is open before it is clicked.
    pub expanded: bool,
    /// The version or language that readers come to first.
    pub default: bool,
    /// What the page of a group lists of the entries below it.
    pub directory: DirectoryMode,
    /// The entries below it.
    pub children: Vec<MenuItem>,
}

impl MenuItem {
    /// An entry of a page.
    pub fn of_page(page: PageId) -> Self {
        Self { kind: NodeKind::Page, page: Some(page), ..Self::default() }
    }

    /// A group.
    pub fn group(label: &str, children: Vec<Self>) -> Self {
        Self { kind: NodeKind::Group, label: label.to_owned(), children, ..Self::default() }
    }

    /// Whether it leads anywhere.
    pub fn leads(&self) -> bool {
        self.page.is_some() || self.href.is_some() || self.children.iter().any(Self::leads)
    }
}
