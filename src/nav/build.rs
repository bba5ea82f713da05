//! From slugs to pages: every entry of the draft finds its page, or is told and dropped.

use crate::base::{Diagnostic, PageId};
use crate::site::Site;
use crate::site::ignored::is_snippet;
use crate::site::inventory::Inventory;
use crate::site::page::{FrontMatter, PageEntry};
use crate::site::problems::Problems;

use super::draft::{Draft, Target, Wanted};
use super::{NavNode, Navigation, NodeId, NodeKind};

/// The navigation of a site. `inventory` knows why a name may have no page.
pub(crate) fn build(draft: &Draft, site: &Site, inventory: &Inventory, problems: &mut Problems) -> Navigation {
    let mut builder = Builder { draft, site, inventory, problems, nodes: Vec::new() };
    builder.node(NodeId(0), NodeId(0));
    Navigation { nodes: builder.nodes, ..Navigation::default() }.complete(site)
}

struct Builder<'a> {
    draft: &'a Draft,
    site: &'a Site,
    inventory: &'a Inventory,
    problems: &'a mut Problems,
    nodes: Vec<NavNode>,
}

impl Builder<'_> {
    /// Copies a node and what is below it; `None` if it leads nowhere. Recursion is bounded by the depth of the JSON.
    fn node(&mut self, from: NodeId, parent: NodeId) -> Option<NodeId> {
        let draft = self.draft;
        let old = &draft.nodes[from.0 as usize];
        let mut node = NavNode { children: Vec::new(), parent, ..old.clone() };
        if let Some(wanted) = &draft.wanted[from.0 as usize] {
            self.fill(&mut node, wanted);
        }
        let is_entry = node.kind == NodeKind::Page;
        if is_entry && node.page.is_none() {
            return None;
        }
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(node);
        let children: Vec<NodeId> = old.children.iter().filter_map(|child| self.node(*child, id)).collect();
        let node = &mut self.nodes[id.0 as usize];
        let is_container = !matches!(node.kind, NodeKind::Root | NodeKind::Page | NodeKind::Link);
        if is_container && children.is_empty() && node.page.is_none() && node.href.is_none() {
            // nothing came after it, so nothing else moves
            self.nodes.truncate(id.0 as usize);
            return None;
        }
        node.children = children;
        Some(id)
    }

    /// Gives an entry its page and the page's looks, or a group its root.
    fn fill(&mut self, node: &mut NavNode, wanted: &Wanted) {
        let Target::Page(slug) = &wanted.target else { return };
        if let Some(page) = self.page(slug, wanted) {
            node.page = Some(page);
            if node.kind == NodeKind::Page {
                show_page(node, self.site.page(page));
            }
            return;
        }
        if let Some(link) = self.inventory.url_pages.get(slug) {
            node.href = Some(link.target.clone());
            if node.kind == NodeKind::Page {
                node.kind = NodeKind::Link;
                show(node, &link.meta, slug);
            }
            return;
        }
        if !self.inventory.grouped.contains(slug) {
            self.missing(slug, wanted);
        }
    }

    /// The page of that name, the index page of the folder of that name, or a page whose name differs only by case.
    fn page(&mut self, slug: &str, wanted: &Wanted) -> Option<PageId> {
        let site = self.site;
        let composed = crate::site::tree::composed(slug);
        let exact = [slug, composed.as_ref()].iter().find_map(|slug| site.by_slug.get(*slug).copied());
        let exact = exact.or_else(|| site.by_slug.get(&format!("{slug}/index")).copied()).or_else(|| site.aliases.get(slug).copied());
        if exact.is_some() {
            return exact;
        }
        let page = *site.by_folded_slug.get(&crate::site::tree::folded(slug))?;
        let message = format!("`{slug}` is listed in the navigation, but the page is called `{}`", site.page(page).slug);
        self.problems.at(wanted.at, Diagnostic::warning("nav-case", message).hint("write the name as the file has it"));
        Some(page)
    }

    fn missing(&mut self, slug: &str, wanted: &Wanted) {
        let file = [".mdx", ".md"].iter().find_map(|ending| self.site.tree.find_any(&format!("{slug}{ending}")));
        let (reason, hint) = match file {
            Some(id) if self.site.tree.file(id).ignored => ("it is ignored", "take it out of the navigation, or back in with `!` in `.mintignore`".to_owned()),
            Some(id) if is_snippet(self.site.tree.path(id)) => ("it is a snippet", "move it out of the folder of snippets".to_owned()),
            Some(_) => ("it cannot be read", "see the other messages about it".to_owned()),
            None => ("the file does not exist", format!("create `{slug}.mdx`, or take the entry out")),
        };
        let message = format!("`{slug}` is listed in the navigation, but {reason}");
        self.problems.at(wanted.at, Diagnostic::warning("nav-missing-page", message).hint(hint));
    }
}

/// Label, icon, badge and method of a page's entry.
pub(super) fn show_page(node: &mut NavNode, page: &PageEntry) {
    show(node, &page.meta, &page.slug);
    node.method = page.endpoint.as_ref().filter(|_| !page.meta.hide_api_marker).map(|endpoint| endpoint.method.clone());
}

fn show(node: &mut NavNode, meta: &FrontMatter, slug: &str) {
    let title = if meta.title.is_empty() { crate::site::page::title_of_slug(slug) } else { meta.title.clone() };
    node.label = meta.sidebar_title.clone().unwrap_or(title);
    node.icon = meta.icon.clone();
    node.tag = meta.tag.clone();
    node.deprecated = meta.deprecated;
    node.hidden |= meta.hidden == Some(true);
    node.boost = meta.boost.or(node.boost);
}
