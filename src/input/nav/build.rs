//! From slugs to pages: every entry of the draft finds its page, or is reported and dropped.

use crate::base::{Diagnostic, PageId, spelling};
use crate::nav::{NamesWithoutPages, NavPages};
use crate::site::page::{FrontMatter, PageEntry};
use crate::site::problems::Problems;

use super::draft::{Destination, Draft, Target};
use super::{NavNode, Navigation, NodeId, NodeKind};

/// The navigation of a site. `others` says why a name may have no page.
pub fn build_navigation(
    draft: &Draft,
    site: NavPages<'_>,
    others: &NamesWithoutPages<'_>,
    problems: &mut Problems,
) -> Navigation {
    let mut builder = Builder { draft, site, others, problems, nodes: Vec::new(), comparisons_left: MAX_COMPARISONS };
    builder.node(NodeId(0), NodeId(0));
    Navigation { nodes: builder.nodes, ..Navigation::default() }.complete(site)
}

struct Builder<'a> {
    draft: &'a Draft,
    site: NavPages<'a>,
    others: &'a NamesWithoutPages<'a>,
    problems: &'a mut Problems,
    nodes: Vec<NavNode>,
    /// How many more entries without a page are compared with the names of all pages.
    comparisons_left: u32,
}

/// Entries without a page that are compared with the names of all pages, so that a navigation of another site costs no
/// more than its messages.
const MAX_COMPARISONS: u32 = 50;

impl Builder<'_> {
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
        let Target::Page(slug) = &destination.target else { return };
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
        let composed = crate::site::tree::composed(slug);
        let exact = [slug, composed.as_ref()].iter().find_map(|slug| site.by_slug.get(*slug).copied());
        let exact = exact
            .or_else(|| site.by_slug.get(&format!("{slug}/index")).copied())
            .or_else(|| site.aliases.get(slug).copied());
        if exact.is_some() {
            return exact;
        }
        let page = *site.by_folded_slug.get(&crate::site::tree::folded(slug))?;
        // the same letters in the other form of Unicode
        if crate::site::tree::composed(&site.page(page).slug) == composed {
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
    let title = if meta.title.is_empty() { crate::site::page::title_of_slug(slug) } else { meta.title.clone() };
    node.label = meta.sidebar_title.clone().unwrap_or(title);
    node.icon = meta.icon.clone();
    node.tag = meta.tag.clone();
    node.deprecated = meta.deprecated;
    node.hidden |= meta.hidden == Some(true);
    node.boost = meta.boost.or(node.boost);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::testing::{Fixture, site};
    use crate::nav::Directory;

    /// A site with this navigation and empty pages.
    fn with(navigation: &str, pages: &[&str]) -> Fixture {
        let docs = format!(
            "{{\"theme\": \"mint\", \"name\": \"N\", \"colors\": {{\"primary\": \"#000\"}}, \"navigation\":\n{navigation}}}"
        );
        let mut files = vec![("docs.json", docs.as_str())];
        files.extend(pages.iter().map(|page| (*page, "")));
        site(&files)
    }

    #[track_caller]
    fn check(navigation: &str, pages: &[&str], expect: &[&str]) -> Fixture {
        let fixture = with(navigation, pages);
        assert_eq!(fixture.outline(), expect, "{:?}", fixture.problems());
        assert!(fixture.diagnostics.is_empty(), "{:?}", fixture.problems());
        fixture
    }

    #[track_caller]
    fn check_problems(navigation: &str, pages: &[&str], expect: &[&str]) {
        assert_eq!(with(navigation, pages).problems(), expect);
    }

    fn node<'a>(fixture: &'a Fixture, label: &str) -> &'a NavNode {
        fixture
            .navigation
            .nodes
            .iter()
            .find(|node| node.label == label)
            .unwrap_or_else(|| panic!("no {label}: {:?}", fixture.outline()))
    }

    #[test]
    fn containers_nest() {
        check(
            r#"{"languages": [{"language": "en", "versions": [{"version": "v1", "tabs": [
                {"tab": "T", "menu": [{"item": "M", "dropdowns": [{"dropdown": "D", "anchors": [{"anchor": "A", "groups": [{"group": "G", "pages": ["a"]}]}]}]}]},
                {"tab": "L", "href": "/a"}]}]}]}"#,
            &["a.mdx"],
            &[
                "Language en",
                "  Version v1",
                "    Tab T",
                "      MenuItem M",
                "        Dropdown D",
                "          Anchor A",
                "            Group G",
                "              Page A",
                "    Tab L",
            ],
        );
        check(r#"[{"group": "", "pages": ["a"]}]"#, &["a.mdx"], &["Group ", "  Page A"]);
        check(
            r#"{"products": [{"product": "p", "name": "Shown", "pages": ["a"]}]}"#,
            &["a.mdx"],
            &["Product Shown", "  Page A"],
        );
    }

    #[test]
    fn entries_are_spelled_in_many_ways() {
        check(
            r#"{"pages": ["/a", "./b.mdx", "c/../d.md", "e/", "F\\x"]}"#,
            &["a.mdx", "b.mdx", "d.md", "e/index.mdx", "F/x.mdx"],
            &["Page A", "Page B", "Page D", "Page Index", "Page X"],
        );
    }

    #[test]
    fn fields_are_kept_and_handed_down() {
        let it = check(
            r##"{"directory": "card", "tabs": [{"tab": "T", "icon": {"name": "i", "style": "solid"}, "align": "end", "hidden": true, "searchable": true, "boost": 2,
                "groups": [{"group": "G", "root": "a", "tag": "NEW", "expanded": true, "pages": [{"group": "N", "expanded": true, "directory": "none", "boost": 3, "pages": ["b"]}]}]}],
                "global": {"anchors": [{"anchor": "Blog", "href": "https://b", "color": {"light": "#111"}}]}}"##,
            &["a.mdx", "b.mdx"],
            &["Tab T", "  Group G", "    Group N", "      Page B", "Anchor Blog"],
        );
        let tab = node(&it, "T");
        assert_eq!(
            (
                tab.icon.as_ref().and_then(|icon| icon.style.as_deref()),
                tab.align_end,
                tab.hidden,
                tab.searchable,
                tab.boost
            ),
            (Some("solid"), true, true, Some(true), Some(2.0))
        );
        let group = node(&it, "G");
        assert_eq!(
            (group.page, group.tag.as_deref(), group.expanded, group.directory, group.boost),
            (Some(it.page("a")), Some("NEW"), false, Directory::Card, Some(2.0))
        );
        let nested = node(&it, "N");
        assert_eq!((nested.expanded, nested.directory, node(&it, "B").boost), (true, Directory::None, Some(3.0)));
        assert!(node(&it, "Blog").global && node(&it, "Blog").page.is_none());
        assert!(it.site.page(it.page("b")).hidden);
    }

    #[test]
    fn one_list_counts() {
        let check = |navigation: &str, expect: &[&str], problem: &str| {
            let it = with(navigation, &["a.mdx", "b.mdx"]);
            assert_eq!(it.outline(), expect);
            let problems: Vec<&str> = it.diagnostics.iter().map(|problem| problem.message.as_str()).collect();
            assert_eq!(problems, [problem].iter().filter(|problem| !problem.is_empty()).copied().collect::<Vec<_>>());
            assert_eq!(it.slugs(), ["a", "b"]);
        };
        check(
            r#"{"groups": [{"group": "G", "pages": ["b"]}], "tabs": [{"tab": "T", "pages": ["a"]}]}"#,
            &["Tab T", "  Page A"],
            "`navigation.groups` is not used, because `navigation.tabs` is in the same object; its pages have no navigation entry",
        );
        check(
            r#"{"tabs": [{"tab": "T", "menu": [{"item": "M", "pages": ["a"]}], "pages": ["b"]}]}"#,
            &["Tab T", "  MenuItem M", "    Page A"],
            "`navigation.tabs[0].pages` is not used, because `navigation.tabs[0].menu` is in the same object; its pages have no navigation entry",
        );
        check(
            r#"{"anchors": [{"anchor": "Blog", "href": "https://b"}], "pages": ["a", "b"]}"#,
            &["Anchor Blog", "Page A", "Page B"],
            "",
        );
        let it = with(
            r#"{"tabs": [{"tab": "T", "pages": ["a"]}, {"tab": "L", "href": "/b"}], "anchors": [{"anchor": "Ext", "href": "https://x"}]}"#,
            &["a.mdx", "b.mdx"],
        );
        assert_eq!(["T", "L", "Ext"].map(|label| node(&it, label).global), [false, false, true]);
        check(
            r#"{"groups": [{"group": "G", "pages": ["a"]}], "pages": ["b"], "tabs": []}"#,
            &["Group G", "  Page A", "Page B"],
            "",
        );
        check(
            r#"{"groups": [{"group": "G", "pages": ["a"]}], "pages": ["b"], "global": {"anchors": [{"anchor": "B", "href": "https://b"}]}}"#,
            &["Group G", "  Page A", "Page B", "Anchor B"],
            "",
        );
    }

    #[test]
    fn languages_override_what_is_around() {
        let it = check(
            r#"{"languages": [{"language": "fr", "banner": {"content": "Salut"}, "pages": ["a"]}, {"language": "en", "default": true, "pages": ["b"]}]}"#,
            &["a.mdx", "b.mdx"],
            &["Language fr", "  Page A", "Language en", "  Page B"],
        );
        assert_eq!(
            it.site
                .config
                .languages
                .iter()
                .map(|own| (own.language.as_str(), own.banner.is_some()))
                .collect::<Vec<_>>(),
            [("fr", true)]
        );
        assert_eq!((node(&it, "fr").default, node(&it, "en").default), (false, true));
        assert_eq!(it.navigation.home, Some(it.page("b")));
    }

    #[test]
    fn a_tab_of_links_leads_to_the_first() {
        let it = site(&[
            (
                "docs.json",
                r##"{"theme": "mint", "name": "N", "colors": {"primary": "#000"}, "navigation": {"tabs": [{"tab": "T", "pages": ["a"]}, {"tab": "CLI", "groups": [{"group": "G", "pages": ["blog", "flags"]}]}]}}"##,
            ),
            ("a.mdx", "## Export"),
            ("blog.mdx", "---\ntitle: Our blog\nurl: /a#export\n---"),
            ("flags.mdx", "---\nurl: https://b\n---"),
        ]);
        assert_eq!(node(&it, "CLI").href.as_deref(), Some("/a#export"));
        assert_eq!(node(&it, "T").href, None);
    }

    #[test]
    fn pages_that_only_link() {
        let it = site(&[
            (
                "docs.json",
                r##"{"theme": "mint", "name": "N", "colors": {"primary": "#000"}, "navigation": {"pages": ["a", "blog"]}}"##,
            ),
            ("a.mdx", "---\nopenapi: GET /x\ndeprecated: true\nicon: star\n---"),
            ("blog.mdx", "---\ntitle: Our blog\nurl: https://b\n---"),
        ]);
        assert_eq!(it.outline(), ["Page A", "Link Our blog"]);
        assert_eq!(node(&it, "Our blog").href.as_deref(), Some("https://b"));
        let page = node(&it, "A");
        assert_eq!(
            (page.method.as_deref(), page.deprecated, page.icon.as_ref().map(|icon| icon.name.as_str())),
            (Some("GET"), true, Some("star"))
        );
    }

    #[test]
    fn entries_without_pages_are_told_and_dropped() {
        check_problems(
            r#"{"groups": [{"group": "G", "pages": ["none", "snippets/s", "README"]}, {"group": "H", "pages": ["A"]}]}"#,
            &["a.mdx", "snippets/s.mdx", "README.md"],
            &[
                "nav-missing-page docs.json:2:38 `none` is listed in the navigation, but the file does not exist",
                "nav-missing-page docs.json:2:60 `README` is listed in the navigation, but it is ignored",
                "nav-case docs.json:2:97 `A` is listed in the navigation, but the page is called `a`",
            ],
        );
        check_problems(
            r#"{"groups": [{"group": "G", "root": "none", "pages": ["a"]}]}"#,
            &["a.mdx"],
            &["nav-missing-page docs.json:2:36 `none` is listed in the navigation, but the file does not exist"],
        );
    }

    #[test]
    fn groups_stay_groups_whatever_else_they_name() {
        for key in ["anchor", "tab", "dropdown", "product", "language", "version", "item"] {
            let it = with(
                &format!(
                    r#"{{"groups": [{{"group": "Top", "pages": ["index", {{"{key}": "x", "group": "Named", "pages": ["a"]}}]}}]}}"#
                ),
                &["index.mdx", "a.mdx"],
            );
            assert_eq!(it.outline(), ["Group Top", "  Page Index", "  Group Named", "    Page A"], "{key}");
            let problem = format!(
                "config-unknown-key docs.json:2:50 `navigation.groups[0].pages[1].{key}`: a group has no key `{key}`; it has no effect"
            );
            assert_eq!(it.problems(), [problem]);
        }
    }

    #[test]
    fn names_under_other_keys_are_shown() {
        let it = with(
            r#"{"groups": [{"name": "G", "pages": ["a", {"title": "N", "pages": ["b"]}]}], "global": {"anchors": [{"name": "Y", "href": "https://y"}, {"href": "https://z"}]}}"#,
            &["a.mdx", "b.mdx"],
        );
        assert_eq!(it.outline(), ["Group G", "  Page A", "  Group N", "    Page B", "Anchor Y", "Anchor https://z"]);
        let reported: Vec<(&str, Option<&str>)> =
            it.diagnostics.iter().map(|problem| (problem.message.as_str(), problem.hint.as_deref())).collect();
        assert_eq!(
            reported,
            [
                (
                    "`navigation.groups[0]` must be a group with `group`, not an object",
                    Some("call it `group` instead of `name`")
                ),
                (
                    "`navigation.groups[0].pages[1]` must be a group with `group`, not an object",
                    Some("call it `group` instead of `title`")
                ),
                (
                    "`navigation.global.anchors[0]` must be an anchor with `anchor`, not an object",
                    Some("call it `anchor` instead of `name`")
                ),
                ("`navigation.global.anchors[1]` must be an anchor with `anchor`, not an object", None),
            ]
        );
    }

    #[test]
    fn languages_have_codes() {
        let it = with(
            r#"{"languages": [{"language": "zh-hans", "pages": ["a"]}, {"language": "xx", "pages": ["b"]}]}"#,
            &["a.mdx", "b.mdx"],
        );
        let reported: Vec<(&str, Option<&str>)> =
            it.diagnostics.iter().map(|problem| (problem.code, problem.hint.as_deref())).collect();
        assert_eq!(reported, [("config-value", Some("did you mean `zh-Hans`?")), ("config-value", None)]);
        assert!(it.diagnostics.iter().all(|problem| problem.severity == crate::base::Severity::Warning));
    }

    #[test]
    fn listed_snippets_are_pages() {
        let it = check(
            r#"{"pages": ["a", "contribute/snippets/overview", "docs/_snippets/x", "snippets"]}"#,
            &[
                "a.mdx",
                "contribute/snippets/overview.mdx",
                "contribute/snippets/other.mdx",
                "docs/_snippets/x.mdx",
                "snippets/index.mdx",
                "snippets/s.mdx",
            ],
            &["Page A", "Page Overview", "Page X", "Page Index"],
        );
        assert_eq!(it.slugs(), ["a", "contribute/snippets/overview", "docs/_snippets/x", "snippets/index"]);
    }

    #[test]
    fn wrong_navigation_is_told() {
        check_problems(
            r#"{"groups": [{"pages": ["a", 1, ""]}]}"#,
            &["a.mdx"],
            &[
                "config-value docs.json:2:13 `navigation.groups[0]` must be a group with `group`, not an object",
                "config-value docs.json:2:29 `navigation.groups[0].pages[1]` must be the path of a page or a group, not a number",
                "config-value docs.json:2:32 `navigation.groups[0].pages[2]` must be the path of a page, not ``",
            ],
        );
        check_problems(
            r#"{"pages": ["a"], "global": {"tabs": [], "links": []}, "typo": 1}"#,
            &["a.mdx"],
            &[
                "config-unknown-key docs.json:2:41 `navigation.global.links`: `global` has no key `links`",
                "config-unknown-key docs.json:2:55 `navigation.typo`: `navigation` has no key `typo`; it has no effect",
            ],
        );
        check_problems("7", &["a.mdx"], &["config-value docs.json:2:1 `navigation` must be an object, not a number"]);
    }
}
