//! The page tree of a branch as fragments: whole where it is small, else a bounded part per group.

use rayon::prelude::*;
use serde::Serialize;
use tera::{Context, Tera};

use super::fragment::{Fragment, FragmentGap, clean_fragment, slot};
use super::language::language_of;
use super::source::ChromeInput;
use super::structure::{Branch, SidebarEntry, Structure, own_page};
use base::seams::label_with_seams;
use nav::{NodeId, NodeKind};
use templates::words::{self, FrameWords};

/// Branches of up to this many entries stand in every page; of larger ones a page carries its neighborhood.
pub(super) const WHOLE: usize = 80;
/// Entries of the page's own group that stand in the page.
const MAX_OWN_ENTRIES: usize = 60;
/// Entries of each group around it.
const MAX_AROUND_ENTRIES: usize = 14;

/// A line of the template.
#[derive(Debug, Default, Serialize)]
pub(super) struct TemplateLine {
    /// `title`, `list`, `end-list`, `group`, `end-group`, `page`.
    kind: &'static str,
    label: String,
    /// The label as HTML, in which long names can be broken.
    words: String,
    /// The address of the entry, with the mark of the root before it.
    url: Option<String>,
    /// Mark of the current page.
    current: String,
    /// Mark of an open group.
    opened: String,
    /// Mark of a line or a group of the first level with the current page.
    active: String,
    /// HTML.
    icon: String,
    tag: Option<String>,
    method: Option<String>,
    /// The word for it.
    deprecated: Option<&'static str>,
    outside: bool,
    /// Open in every page.
    open: bool,
}

/// The sidebar of a branch.
#[derive(Debug)]
pub(super) enum Sidebar {
    /// The sidebar is the same on all pages of the branch.
    Whole(Fragment),
    /// One fragment per group and block of its entries; `part_of` gives each entry's.
    Parts { fragments: Vec<Fragment>, part_of: Vec<u32> },
}

impl Sidebar {
    /// The fragment that shows an entry; the first one for pages that have none.
    pub(super) fn fragment(&self, entry: Option<u32>) -> Option<&Fragment> {
        match self {
            Self::Whole(fragment) => Some(fragment),
            Self::Parts { fragments, part_of } => {
                let part = entry.and_then(|entry| part_of.get(entry as usize)).copied().unwrap_or(0);
                fragments.get(part as usize)
            }
        }
    }
}

/// Renders the sidebar of a branch.
pub(super) fn build_sidebar(source: &ChromeInput<'_>, structure: &Structure, branch: &Branch, tera: &Tera) -> Sidebar {
    let tree = Tree {
        source,
        structure,
        entries: &branch.entries,
        words: &words::for_language(&language_of(source, branch)).frame,
    };
    if branch.entries.len() <= WHOLE {
        return Sidebar::Whole(tree.render(tera, &tree.whole()));
    }
    let (parts, part_of) = tree.parts();
    let fragments = parts.par_iter().map(|part| tree.render(tera, &tree.part(part))).collect();
    Sidebar::Parts { fragments, part_of }
}

/// A block of the children of a group (or of the division).
struct GroupBlock {
    parent: Option<u32>,
    children: Vec<u32>,
}

struct Tree<'a> {
    source: &'a ChromeInput<'a>,
    structure: &'a Structure,
    entries: &'a [SidebarEntry],
    words: &'static FrameWords,
}

impl Tree<'_> {
    fn render(&self, tera: &Tera, rows: &[TemplateLine]) -> Fragment {
        let mut context = Context::new();
        context.insert("rows", rows);
        let html =
            tera.render("sidebar.html", &context).unwrap_or_else(|error| super::template_failed(self.source, &error));
        Fragment::parse(&html)
    }

    /// A group that holds something to show; without, it is a link to its page.
    fn is_group(&self, at: u32) -> bool {
        let entry = &self.entries[at as usize];
        self.source.node(entry.node).kind == NodeKind::Group && !entry.is_leaf(at)
    }

    /// The entries directly below a group, or those of the division.
    fn children(&self, parent: Option<u32>) -> Vec<u32> {
        let (mut at, end) = match parent {
            Some(parent) => (parent + 1, self.entries[parent as usize].end),
            None => (0, u32::try_from(self.entries.len()).unwrap_or(u32::MAX)),
        };
        let mut out = Vec::new();
        while at < end {
            out.push(at);
            at = self.entries[at as usize].end;
        }
        out
    }

    fn whole(&self) -> Vec<TemplateLine> {
        let mut rows = Vec::with_capacity(self.entries.len() * 2);
        let mut open: Vec<u32> = Vec::new();
        // the list that is open: none, that of a title, or one without
        let mut list: Option<bool> = None;
        for (at, entry) in (0..).zip(self.entries) {
            close_groups(&mut rows, &mut open, at);
            let is_group = self.is_group(at);
            if entry.depth == 0 {
                let joins = list == Some(false) && !is_group;
                if list.is_some() && !joins {
                    rows.push(TemplateLine { kind: "end-list", ..TemplateLine::default() });
                }
                if is_group {
                    rows.push(self.row(entry.node, "title"));
                    list = Some(true);
                    continue;
                }
                if !joins {
                    rows.push(TemplateLine { kind: "list", ..TemplateLine::default() });
                    list = Some(false);
                }
            }
            rows.push(self.line(at));
            if is_group {
                open.push(entry.end);
            }
        }
        close_groups(&mut rows, &mut open, u32::MAX);
        if list.is_some() {
            rows.push(TemplateLine { kind: "end-list", ..TemplateLine::default() });
        }
        rows
    }

    /// All blocks, and which block shows each entry.
    fn parts(&self) -> (Vec<GroupBlock>, Vec<u32>) {
        let mut parts = Vec::new();
        let mut part_of = vec![0; self.entries.len()];
        let groups =
            (0..u32::try_from(self.entries.len()).unwrap_or(u32::MAX)).filter(|at| self.is_group(*at)).map(Some);
        for parent in std::iter::once(None).chain(groups) {
            for block in self.children(parent).chunks(MAX_OWN_ENTRIES) {
                let index = u32::try_from(parts.len()).unwrap_or(0);
                for child in block {
                    part_of[*child as usize] = index;
                }
                parts.push(GroupBlock { parent, children: block.to_vec() });
            }
        }
        // a page that is a group's root is shown with what the group holds
        for (index, part) in parts.iter().enumerate().rev() {
            if let Some(parent) = part.parent {
                part_of[parent as usize] = u32::try_from(index).unwrap_or(0);
            }
        }
        (parts, part_of)
    }

    /// The chain of groups around a block, each with its nearest entries, and the block itself.
    fn part(&self, part: &GroupBlock) -> Vec<TemplateLine> {
        let mut chain = Vec::new();
        let mut at = part.parent;
        while let Some(group) = at {
            chain.push(group);
            at = self.entries[group as usize].parent;
        }
        chain.reverse();
        let mut rows = Vec::new();
        let Some((top, inner)) = chain.split_first() else {
            self.top_level(&mut rows, &part.children, None, &[], part);
            return rows;
        };
        let all = self.children(None);
        self.top_level(&mut rows, around(&all, *top, 1), Some(*top), inner, part);
        rows
    }

    /// Entries of the division: groups as titles, the one on the chain with its content.
    fn top_level(
        &self,
        rows: &mut Vec<TemplateLine>,
        shown: &[u32],
        top: Option<u32>,
        inner: &[u32],
        part: &GroupBlock,
    ) {
        let mut in_list = false;
        for at in shown {
            let node = self.entries[*at as usize].node;
            if self.is_group(*at) {
                if in_list {
                    rows.push(TemplateLine { kind: "end-list", ..TemplateLine::default() });
                }
                let mut title = self.row(node, "title");
                if top != Some(*at) {
                    title.url = self.lead(*at);
                }
                rows.push(title);
                if top == Some(*at) {
                    self.nested(rows, *at, inner, part);
                }
                rows.push(TemplateLine { kind: "end-list", ..TemplateLine::default() });
                in_list = false;
            } else {
                if !in_list {
                    rows.push(TemplateLine { kind: "list", ..TemplateLine::default() });
                }
                in_list = true;
                rows.push(self.line(*at));
            }
        }
        if in_list {
            rows.push(TemplateLine { kind: "end-list", ..TemplateLine::default() });
        }
    }

    /// What stands in a group on the chain. The chain is as long as groups are deep; each step is one level of this
    /// loop.
    fn nested(&self, rows: &mut Vec<TemplateLine>, group: u32, inner: &[u32], part: &GroupBlock) {
        let mut tails: Vec<Vec<u32>> = Vec::new();
        let (mut group, mut inner) = (group, inner);
        loop {
            let Some((next, rest)) = inner.split_first() else {
                self.closed(rows, &part.children);
                break;
            };
            let children = self.children(Some(group));
            let near = around(&children, *next, MAX_AROUND_ENTRIES / 2);
            let middle = near.iter().position(|at| at == next).unwrap_or(0);
            self.closed(rows, &near[..middle]);
            let mut opened = self.row(self.entries[*next as usize].node, "group");
            opened.open = true;
            rows.push(opened);
            tails.push(near[middle + 1..].to_vec());
            (group, inner) = (*next, rest);
        }
        while let Some(tail) = tails.pop() {
            rows.push(TemplateLine { kind: "end-group", ..TemplateLine::default() });
            self.closed(rows, &tail);
        }
    }

    /// Entries as single lines: groups lead to their first page.
    fn closed(&self, rows: &mut Vec<TemplateLine>, shown: &[u32]) {
        for at in shown {
            let mut row = self.line(*at);
            if row.kind == "group" {
                (row.kind, row.url) = ("closed", self.lead(*at));
            }
            rows.push(row);
        }
    }

    /// Where a group leads that is not shown: its first page.
    fn lead(&self, at: u32) -> Option<String> {
        let node = self.entries[at as usize].node;
        self.structure.first_page[node.0 as usize].and_then(|page| self.source.page_url(page))
    }

    fn line(&self, at: u32) -> TemplateLine {
        self.row(self.entries[at as usize].node, if self.is_group(at) { "group" } else { "page" })
    }

    fn row(&self, id: NodeId, kind: &'static str) -> TemplateLine {
        let node = self.source.node(id);
        let drill = self.source.config().drilldown == Some(true);
        let (url, outside) = match node.kind {
            NodeKind::Link => match node.href.as_deref().and_then(|href| self.source.href(href, "navigation")) {
                Some(link) => (Some(link.url), link.outside),
                None => (None, false),
            },
            NodeKind::Group if node.page.is_none() && (drill || kind == "page") => {
                (self.structure.first_page[id.0 as usize].and_then(|page| self.source.page_url(page)), false)
            }
            _ => (node.page.and_then(|page| self.source.page_url(page)), false),
        };
        TemplateLine {
            kind,
            label: clean_fragment(&node.label).into_owned(),
            words: label_with_seams(&clean_fragment(&node.label)),
            url,
            current: if own_page(node).is_some() { slot(FragmentGap::Current(id)) } else { String::new() },
            opened: if node.kind == NodeKind::Group { slot(FragmentGap::Open(id)) } else { String::new() },
            active: if matches!(kind, "page" | "title") { slot(FragmentGap::Active(id)) } else { String::new() },
            icon: self.source.icon_of(node),
            tag: node.tag.as_deref().map(|tag| clean_fragment(tag).into_owned()),
            method: node.method.as_deref().map(|method| clean_fragment(method).into_owned()),
            deprecated: node.deprecated.then_some(self.words.deprecated),
            outside,
            open: node.expanded,
        }
    }
}

/// Closes the groups that end before entry `at`.
fn close_groups(rows: &mut Vec<TemplateLine>, open: &mut Vec<u32>, at: u32) {
    while open.last().is_some_and(|end| *end <= at) {
        open.pop();
        rows.push(TemplateLine { kind: "end-group", ..TemplateLine::default() });
    }
}

/// Up to `reach` entries on either side of one.
fn around(all: &[u32], middle: u32, reach: usize) -> &[u32] {
    let at = all.iter().position(|entry| *entry == middle).unwrap_or(0);
    &all[at.saturating_sub(reach)..(at + reach + 1).min(all.len())]
}
