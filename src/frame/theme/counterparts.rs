//! Where a switch of languages or versions leads from a page: to the page of the other language or version whose path
//! says the same.
//!
//! Pages of a language stand below one or more folders, its roots: `""` for the default language, `fr/`, `v1/fr/`. They
//! are found by comparison: the longest end of a page's path that a sister language has too is what the page is called
//! in both, and what stands before it is a root. The most frequent roots count, so a few pages of another language in
//! the navigation of one do not change them.

use rustc_hash::{FxHashMap, FxHashSet};

use base::PageId;
use load::Site;
use nav::{Navigation, NodeId, NodeKind};

/// Roots of a division that are kept, the most frequent first.
const MAX_ROOTS: usize = 12;

/// The pages of all languages and versions, and their roots.
#[derive(Debug, Default)]
pub(super) struct Counterparts {
    pages: FxHashMap<NodeId, FxHashSet<PageId>>,
    roots: FxHashMap<NodeId, Vec<String>>,
}

impl Counterparts {
    pub(super) fn new(site: &Site, navigation: &Navigation) -> Self {
        let mut out = Self::default();
        let mut sisters: FxHashMap<(NodeId, bool), Vec<NodeId>> = FxHashMap::default();
        let mut order = Vec::new();
        for (number, node) in (0..).zip(&navigation.nodes) {
            if !matches!(node.kind, NodeKind::Language | NodeKind::Version) {
                continue;
            }
            let family = (node.parent, node.kind == NodeKind::Language);
            let known = sisters.entry(family).or_default();
            if known.is_empty() {
                order.push(family);
            }
            known.push(NodeId(number));
            out.pages.insert(NodeId(number), pages_below(navigation, NodeId(number)));
        }
        for family in order {
            let divisions = sisters.remove(&family).unwrap_or_default();
            let slugs = |division: NodeId| {
                let pages = out.pages.get(&division).into_iter().flatten();
                pages.filter_map(|page| site.pages.get(page.0 as usize)).map(|page| page.slug.as_str())
            };
            // by end of a path: the division that has it, or that several have it
            let mut owners: FxHashMap<&str, Option<NodeId>> = FxHashMap::default();
            for division in &divisions {
                for end in slugs(*division).flat_map(path_ends) {
                    let owner = owners.entry(end).or_insert(Some(*division));
                    *owner = owner.filter(|owner| owner == division);
                }
            }
            for division in &divisions {
                let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
                for slug in slugs(*division) {
                    let shared = path_ends(slug).find(|end| owners.get(end).is_some_and(Option::is_none));
                    if let Some(root) = shared.and_then(|end| slug.strip_suffix(end)) {
                        *counts.entry(root).or_default() += 1;
                    }
                }
                let mut roots: Vec<(&str, usize)> = counts.into_iter().collect();
                roots.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
                let roots = roots.into_iter().take(MAX_ROOTS).map(|(root, _)| root.to_owned()).collect();
                out.roots.insert(*division, roots);
            }
        }
        out
    }

    /// The page that is in the division `to` what `page` is in `from`. It need not be listed there: a page that two
    /// navigations list stands in one of them.
    pub(super) fn find(&self, site: &Site, page: PageId, from: NodeId, to: NodeId) -> Option<PageId> {
        let slug = site.pages.get(page.0 as usize)?.slug.as_str();
        let roots = |division: NodeId| self.roots.get(&division).into_iter().flatten();
        for (rank, root) in roots(from).enumerate() {
            let Some(rest) = slug.strip_prefix(root.as_str()) else { continue };
            for (other_rank, other) in roots(to).enumerate() {
                // pages that only happen to end in the same name stand in folders that have nothing in common
                if rank + other_rank > 0 && !differ_in_one_folder(root, other) {
                    continue;
                }
                let found = site.by_slug.get(&format!("{other}{rest}")).copied();
                if let Some(found) = found.filter(|found| *found != page && self.belongs(*found, to, other)) {
                    return Some(found);
                }
            }
        }
        None
    }

    /// Whether a page below a root is one of its division: what is below the root of a site may be of any.
    fn belongs(&self, page: PageId, division: NodeId, root: &str) -> bool {
        let is_listed = |pages: &FxHashSet<PageId>| pages.contains(&page);
        !root.is_empty() || self.pages.get(&division).is_some_and(is_listed) || !self.pages.values().any(is_listed)
    }
}

/// The pages in a part of the navigation.
fn pages_below(navigation: &Navigation, top: NodeId) -> FxHashSet<PageId> {
    let mut pages = FxHashSet::default();
    let mut open = vec![top];
    // each node has one parent, but a broken tree must end, too
    for _ in 0..navigation.nodes.len() {
        let Some(node) = open.pop().and_then(|id| navigation.nodes.get(id.0 as usize)) else { break };
        pages.extend(node.page);
        open.extend(&node.children);
    }
    pages
}

/// The path from each of its folders on, the longest first: `a/b/c`, `b/c`, `c`.
fn path_ends(path: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(path);
    std::iter::from_fn(move || {
        let end = rest?;
        rest = end.split_once('/').map(|(_, after)| after);
        Some(end)
    })
}

/// Whether two roots have the same folders but for one in each, or one that only one of them has: `v1/` and `v1/fr/`,
/// `guides/en/` and `guides/fr/`.
fn differ_in_one_folder(one: &str, other: &str) -> bool {
    let (one, other): (Vec<&str>, Vec<&str>) =
        (one.split_terminator('/').collect(), other.split_terminator('/').collect());
    let before = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let (one, other) = (one.get(before..).unwrap_or_default(), other.get(before..).unwrap_or_default());
    let after = one.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count();
    one.len() - after <= 1 && other.len() - after <= 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_that_differ_in_one_folder() {
        for (one, other) in
            [("", "fr/"), ("v1/", "v1/fr/"), ("guides/en/", "guides/fr/"), ("en/v1/", "fr/v1/"), ("", "")]
        {
            assert!(differ_in_one_folder(one, other) && differ_in_one_folder(other, one), "{one} {other}");
        }
        for (one, other) in [("guides/", "fr/blog/"), ("guide/v1/", "api/v2/"), ("", "a/b/")] {
            assert!(!differ_in_one_folder(one, other) && !differ_in_one_folder(other, one), "{one} {other}");
        }
    }

    #[test]
    fn ends_of_paths() {
        assert_eq!(path_ends("a/b/c").collect::<Vec<_>>(), ["a/b/c", "b/c", "c"]);
        assert_eq!(path_ends("").collect::<Vec<_>>(), [""]);
    }
}
