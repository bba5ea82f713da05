//! From slugs to pages: every entry of the draft finds its page, or is reported and dropped.

use crate::{NamesWithoutPages, NavPages};
use base::{Diagnostic, PageId, spelling};
use site::page::{FrontMatter, PageEntry};
use site::problems::LoadProblems;

use super::draft::{Destination, EntryTarget, NavDraft};
use super::{NavNode, Navigation, NodeId, NodeKind};

/// The navigation of a site. `others` says why a name may have no page.
pub fn build_navigation(
    draft: &NavDraft,
    site: NavPages<'_>,
    others: &NamesWithoutPages<'_>,
    problems: &mut LoadProblems,
) -> Navigation {
    let mut builder =
        NavBuilder { draft, site, others, problems, nodes: Vec::new(), comparisons_left: MAX_COMPARISONS };
    builder.node(NodeId(0), NodeId(0));
    Navigation { nodes: builder.nodes, ..Navigation::default() }.complete(site)
}

struct NavBuilder<'a> {
    draft: &'a NavDraft,
    site: NavPages<'a>,
    others: &'a NamesWithoutPages<'a>,
    problems: &'a mut LoadProblems,
    nodes: Vec<NavNode>,
    /// How many more entries without a page are compared with the names of all pages.
    comparisons_left: u32,
}

/// Entries without a page that are compared with the names of all pages, so that a navigation of another site costs no
/// more than its messages.
const MAX_COMPARISONS: u32 = 50;

impl NavBuilder<'_> {
    /// Copies a node and what is below it; `None` if it leads nowhere. Recursion is bounded by the depth of the JSON.
    fn node(&mut self, from: NodeId, parent: NodeId) -> Option<NodeId> {
        let draft = self.draft;
        let old = &draft.nodes[from.0 as usize];
        let mut node = NavNode { children: Vec::new(), parent, ..old.clone() };
        if let Some(destination) = &draft.destinations[from.0 as usize] {
            self.fill(&mut node, destination);
        }
        let is_entry = node.kind == NodeKind::Page;
        if is_entry && node.page.is_none() {
            return None;
        }
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(node);
        let children: Vec<NodeId> = old.children.iter().filter_map(|child| self.node(*child, id)).collect();
        let link = self.only_link(id);
        let node = &mut self.nodes[id.0 as usize];
        node.href = node.href.take().or(link);
        let is_container = !matches!(node.kind, NodeKind::Root | NodeKind::Page | NodeKind::Link);
        if is_container && children.is_empty() && node.page.is_none() && node.href.is_none() {
            // nothing came after it, so nothing else moves
            self.nodes.truncate(id.0 as usize);
            return None;
        }
        node.children = children;
        Some(id)
    }

    /// Where a division leads whose entries all lead elsewhere: to the first of them. Its nodes are the last ones.
    fn only_link(&self, id: NodeId) -> Option<String> {
        let (node, below) = self.nodes[id.0 as usize..].split_first()?;
        if !node.kind.is_division() || node.page.is_some() || below.iter().any(|node| node.page.is_some()) {
            return None;
        }
        below.iter().find_map(|node| node.href.clone())
    }

    /// Gives an entry its page and the page's looks, or a group its root.
    fn fill(&mut self, node: &mut NavNode, destination: &Destination) {
        let EntryTarget::Page(slug) = &destination.target else { return };
        if let Some(page) = self.page(slug, destination) {
            node.page = Some(page);
            if node.kind == NodeKind::Page {
                show_page(node, self.site.page(page));
            }
            return;
        }
        if let Some(link) = self.others.url_pages.get(slug) {
            node.href = Some(link.target.clone());
            if node.kind == NodeKind::Page {
                node.kind = NodeKind::Link;
                show_meta(node, &link.meta, slug);
            }
            return;
        }
        if !(self.others.is_restricted)(slug) {
            self.missing(slug, destination);
        }
    }

    /// The page of that name, the index page of the folder of that name, or a page whose name differs only by case.
    fn page(&mut self, slug: &str, destination: &Destination) -> Option<PageId> {
        let site = self.site;
        let composed = site::tree::composed(slug);
        let exact = [slug, composed.as_ref()].iter().find_map(|slug| site.by_slug.get(*slug).copied());
        let exact = exact
            .or_else(|| site.by_slug.get(&format!("{slug}/index")).copied())
            .or_else(|| site.aliases.get(slug).copied());
        if exact.is_some() {
            return exact;
        }
        let page = *site.by_folded_slug.get(&site::tree::folded(slug))?;
        // the same letters in the other form of Unicode
        if site::tree::composed(&site.page(page).slug) == composed {
            return Some(page);
        }
        let message =
            format!("`{slug}` is listed in the navigation, but the page is called `{}`", site.page(page).slug);
        self.problems
            .at(destination.at, Diagnostic::new("nav-case", message).hint("write the name with the case of the file"));
        Some(page)
    }

    /// The page that an entry may mean: one whose name differs by a few letters, or the only one with the same file
    /// name in another folder.
    fn similar(&mut self, slug: &str) -> Option<&str> {
        self.comparisons_left = self.comparisons_left.checked_sub(1)?;
        let names = || self.site.pages.iter().map(|page| page.slug.as_str());
        if let Some(near) = spelling::nearest_word(slug, names()) {
            return Some(near);
        }
        let file_name = slug
            .rsplit('/')
            .next()
            .filter(|name| !matches!(*name, "" | "index" | "overview" | "introduction" | "README"))?;
        let mut moved = names().filter(|name| name.rsplit('/').next() == Some(file_name));
        moved.next().filter(|_| moved.next().is_none())
    }

    fn missing(&mut self, slug: &str, destination: &Destination) {
        let file = [".mdx", ".md"].iter().find_map(|ending| self.site.tree.find_any(&format!("{slug}{ending}")));
        let (reason, hint) = match file {
            Some(id) if self.site.tree.file(id).ignored => {
                ("it is ignored", "remove the entry, or include the file with `!` in `.mintignore`".to_owned())
            }
            Some(_) => ("it cannot be read", "see the other messages about the file".to_owned()),
            None => (
                "the file does not exist",
                match self.similar(slug) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("create `{slug}.mdx`, or remove the entry"),
                },
            ),
        };
        let message = format!("`{slug}` is listed in the navigation, but {reason}");
        self.problems.at(destination.at, Diagnostic::new("nav-missing-page", message).hint(hint));
    }
}

/// Label, icon, badge and method of a page's entry.
pub fn show_page(node: &mut NavNode, page: &PageEntry) {
    show_meta(node, &page.meta, &page.slug);
    node.method = page.endpoint.as_ref().filter(|_| !page.meta.hide_api_marker).map(|endpoint| endpoint.method.clone());
}

fn show_meta(node: &mut NavNode, meta: &FrontMatter, slug: &str) {
    let title = if meta.title.is_empty() { site::page::title_of_slug(slug) } else { meta.title.clone() };
    node.label = meta.sidebar_title.clone().unwrap_or(title);
    node.icon = meta.icon.clone();
    node.tag = meta.tag.clone();
    node.deprecated = meta.deprecated;
    node.hidden |= meta.hidden == Some(true);
    node.boost = meta.boost.or(node.boost);
}
