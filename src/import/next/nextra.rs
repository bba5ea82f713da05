//! Nextra: `next.config.*` that names it, pages in `pages`, `content` or `app`, and `_meta.*` with their order and titles.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::web;
use base::cut::SliceText as _;
use base::extension::is_markdown;
use base::{Diagnostic, PageId, Place, Problem};
use load::Site;
use load::tool::script::{element_words, run_config_script, text_at};
use load::tool::{
    Dashes, FolderView, Mount, PageFacts, PageSource, Project, RenderedText, SourceLayout, Tool, ToolInput,
};
use nav::NodeKind;
use nav::order::{MenuItem, PageOrder};
use site::config::{Config, NavbarLink};
use site::front_matter::split_front_matter;
use site::heading_ids::HeadingIds;
use site::page::Dialect;
use site::problems::LoadProblems;
use site::tree::{self, SourceTree};
use site::yaml::parse_yaml;

use super::pages::{PagesFolder, has_title, title_case, without_language};
use super::text::{NextProject, heading_words, rewrite_next_text};
use super::{find_config, quoted_behind, quoted_list};

/// Nextra.
#[derive(Debug)]
pub(crate) struct Nextra;

/// Folders of pages, from that of the configuration.
const ROOTS: [&str; 6] = ["content", "src/content", "pages", "src/pages", "app", "src/app"];

impl Tool for Nextra {
    fn name(&self) -> &'static str {
        "nextra"
    }

    fn title(&self) -> &'static str {
        "Nextra"
    }

    fn detect(&self, folder: &FolderView<'_>) -> Option<String> {
        find_config(folder, &["next.config"], "nextra")
    }

    fn stands_for(&self, _project: &FolderView<'_>, config: &str, folder: &str) -> bool {
        let beside = tree::folder(config);
        ROOTS.iter().any(|root| join(beside, root) == folder)
    }

    fn open(&self, source: &ToolInput<'_>, problems: &mut LoadProblems) -> Option<Box<dyn Project>> {
        Some(Box::new(NextraSite::read(source, problems)))
    }
}

fn join(folder: &str, below: &str) -> String {
    if folder.is_empty() { below.to_owned() } else { format!("{folder}/{below}") }
}

/// A project.
#[derive(Debug, Default)]
struct NextraSite {
    root: String,
    /// Folders of pages, each with what its addresses begin with.
    roots: Vec<Mount>,
    /// What is said of the pages of folders, by path; those of a language behind a colon.
    metas: BTreeMap<String, Value>,
    /// The first is the default.
    languages: Vec<String>,
    name: Option<String>,
    repository: Option<String>,
    project: NextProject,
    layout: SourceLayout,
}

impl NextraSite {
    fn read(source: &ToolInput<'_>, problems: &mut LoadProblems) -> Self {
        let root = source.folder().to_owned();
        let text = source.text(source.config).unwrap_or_default();
        let below = quoted_behind(&text, "contentDirBasePath").unwrap_or_default().trim_matches('/').to_owned();
        let own = quoted_behind(&text, "contentDirectory").map(|folder| folder.trim_matches(['.', '/']).to_owned());
        let mut roots: Vec<Mount> = Vec::new();
        for name in ROOTS.iter().map(|name| (*name).to_owned()).chain(own) {
            let folder = join(&root, &name);
            let prefix = format!("{folder}/");
            let has_pages =
                source.tree.files.iter().any(|file| file.path.starts_with(&prefix) && is_markdown(&file.path));
            if has_pages {
                let at = if name.ends_with("content") { below.clone() } else { String::new() };
                roots.push(Mount { folder, at });
            }
        }
        let languages = quoted_list(&text, "locales").into_iter().map(str::to_owned).collect::<Vec<_>>();
        let mut site = Self { root: root.clone(), roots, languages, ..Self::default() };
        if let Some(default) = quoted_behind(&text, "defaultLocale") {
            site.languages.sort_by_key(|code| code != default);
        }
        site.read_metas(source, problems);
        site.read_theme(source);
        site.tell_programs(source, problems);
        site.project = NextProject::read(source, &root);
        site.layout = SourceLayout {
            mounts: site.roots.clone(),
            statics: vec![Mount::root(&join(&root, "public"))],
            ..SourceLayout::default()
        };
        if site.layout.mounts.is_empty() {
            site.layout.mounts.push(Mount::root(&root));
        }
        site
    }

    /// The files with order and titles.
    fn read_metas(&mut self, source: &ToolInput<'_>, problems: &mut LoadProblems) {
        let files: Vec<String> = source.tree.files.iter().map(|file| file.path.clone()).collect();
        for path in files {
            let name = path.rsplit('/').next().unwrap_or_default();
            let Some(rest) = name.strip_prefix("_meta.").or_else(|| name.strip_prefix("meta.").filter(|_| false))
            else {
                continue;
            };
            if !self.roots.iter().any(|root| root.address(&path).is_some()) {
                continue;
            }
            let (code, ending) = rest.rsplit_once('.').map_or(("", rest), |(code, ending)| (code, ending));
            let value = match ending {
                "json" => source.text(&path).and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default(),
                "js" | "jsx" | "ts" | "tsx" | "mjs" | "cjs" => run_config_script(source, &path, problems),
                _ => continue,
            };
            self.layout.config_files.push(path.clone());
            match code {
                "global" => self.add_global(tree::folder(&path).to_owned(), value),
                "" => _ = self.metas.insert(tree::folder(&path).to_owned(), value),
                code => _ = self.metas.insert(format!("{}:{code}", tree::folder(&path)), value),
            }
        }
    }

    /// `_meta.global.js` says what stands in folders below it, under `items`. Recursion is bounded by what is read of
    /// programs.
    fn add_global(&mut self, folder: String, value: Value) {
        for (key, entry) in value.as_object().into_iter().flatten() {
            let is_menu = text_at(entry, &["type"]) == Some("menu");
            if let Some(items) = entry.get("items").filter(|items| items.is_object() && !is_menu) {
                self.add_global(format!("{folder}/{key}"), items.clone());
            }
        }
        self.metas.insert(folder, value);
    }

    /// The name of the site and its repository, from the configuration of the theme or from the layout.
    fn read_theme(&mut self, source: &ToolInput<'_>) {
        let files = ["theme.config.tsx", "theme.config.jsx", "theme.config.js", "theme.config.ts", "theme.config.mjs"];
        let layouts = [
            "app/layout.tsx",
            "app/layout.jsx",
            "app/layout.js",
            "src/app/layout.tsx",
            "src/app/layout.jsx",
            "app/[lang]/layout.tsx",
            "app/[lang]/layout.jsx",
        ];
        for file in files.iter().chain(&layouts) {
            let Some(text) = source.text(&join(&self.root, file)) else { continue };
            if self.name.is_none() {
                self.name =
                    name_of_logo(&text).or_else(|| quoted_behind(&text, "applicationName").map(str::to_owned)).or_else(
                        || quoted_behind(&text, "default:").filter(|title| !title.contains('%')).map(str::to_owned),
                    );
            }
            if self.repository.is_none() {
                let keys = ["docsRepositoryBase", "projectLink", "link:"];
                self.repository = keys
                    .iter()
                    .find_map(|key| quoted_behind(&text, key))
                    .filter(|link| link.contains("://"))
                    .map(str::to_owned);
            }
        }
    }

    /// Pages that are programs are left out.
    fn tell_programs(&self, source: &ToolInput<'_>, problems: &mut LoadProblems) {
        let prefixes = [join(&self.root, "pages/"), join(&self.root, "src/pages/")];
        let is_page = |path: &str| {
            let inside = prefixes.iter().find_map(|prefix| path.strip_prefix(prefix.as_str()));
            inside.is_some_and(|inside| {
                !inside.starts_with("api/")
                    && !inside.split('/').any(|part| part.starts_with('_'))
                    && [".js", ".jsx", ".tsx"].iter().any(|ending| inside.ends_with(ending))
            })
        };
        for file in source.tree.files.iter().filter(|file| !file.ignored && is_page(&file.path)) {
            let message = format!("`{}` is left out: it is a program", file.path);
            let hint = "write the page as Markdown";
            problems.found.push(Diagnostic::new("page-program", message).at(file.path.as_str(), 0, 0).hint(hint));
        }
    }

    /// The path of a file from the folder of pages that it lies in, and that folder.
    fn inside<'p>(&self, path: &'p str) -> Option<(&Mount, &'p str)> {
        self.roots.iter().find_map(|root| Some((root, path.strip_prefix(root.folder.as_str())?.strip_prefix('/')?)))
    }

    /// The address of a page.
    fn address(&self, path: &str) -> Option<String> {
        let (root, inside) = self.inside(path)?;
        let stem = inside.rsplit_once('.').map_or(inside, |(stem, _)| stem);
        let (stem, code) = without_language(stem, &self.languages);
        let is_app = root.folder.ends_with("app");
        let parts = stem.split('/').filter(|part| !(is_app && part.starts_with('(') && part.ends_with(')')));
        let mut parts: Vec<&str> = parts.collect();
        if let Some(last) = parts.last_mut() {
            let is_own = if is_app { *last == "page" } else { *last == "index" };
            if is_own {
                *last = "index";
            }
        }
        let language = code.filter(|code| self.languages.first().is_some_and(|first| first != code));
        let parts = language.into_iter().chain([root.at.as_str()]).filter(|part| !part.is_empty()).chain(parts);
        Some(parts.collect::<Vec<_>>().join("/"))
    }

    fn meta(&self, folder: &str, code: &str) -> Option<&Value> {
        let whole = format!("{folder}:{code}");
        self.metas.get(&whole).or_else(|| self.metas.get(folder)).or_else(|| {
            let first = self.languages.first()?;
            self.metas.get(&format!("{folder}:{first}"))
        })
    }
}

/// The words of an entry, which may be an element: `"Words"`, `{ title: <b>Words</b> }`.
fn title_of(entry: &Value) -> Option<String> {
    let title = if entry.is_string() { entry } else { entry.get("title")? };
    let words = element_words(title);
    Some(web::plain_label(&words)).filter(|words| !words.trim().is_empty())
}

/// The words of `logo: <span>Words</span>`.
fn name_of_logo(text: &str) -> Option<String> {
    let at = ["logo:", "logo="].iter().filter_map(|key| Some(text.find(key)? + key.len())).min()?;
    let rest = text.slice(at..).trim_start_matches([' ', '(', '{', '\n', '\r', '\t']);
    if let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        return rest.slice(1..).split(quote).next().map(str::to_owned);
    }
    // up to the end of the property
    let end = rest.find("\n  ").filter(|_| !rest.starts_with("<>")).unwrap_or(rest.len());
    let element =
        rest.strip_prefix("<>").map_or(rest.slice(..end), |inside| inside.split("</>").next().unwrap_or_default());
    let words = web::plain_label(element.split("/*").next().unwrap_or_default());
    let is_words = words.chars().any(char::is_alphabetic) && !words.contains(['{', '}', '=', ';']) && words.len() < 60;
    let words = words.trim_end_matches([',', ')', '>', ' ']).trim().to_owned();
    is_words.then_some(words).filter(|words| !words.is_empty())
}

impl Project for NextraSite {
    fn layout(&self) -> &SourceLayout {
        &self.layout
    }

    fn known_keys(&self) -> Option<&'static [&'static str]> {
        Some(&["title", "description", "keywords"])
    }

    fn heading_ids(&self) -> HeadingIds {
        HeadingIds::GitHub
    }

    fn shows_descriptions(&self) -> bool {
        false
    }

    fn heading_words(&self, _page: &PageSource<'_>, words: &str) -> Option<String> {
        heading_words(words)
    }

    fn punctuation(&self, _dialect: Dialect) -> Option<Dashes> {
        None
    }

    fn read_page(&self, source: &PageSource<'_>, facts: &mut PageFacts) {
        let Some((root, inside)) = self.inside(source.path) else {
            facts.is_part = true;
            return;
        };
        let name = inside.rsplit('/').next().unwrap_or_default();
        let is_app = root.folder.ends_with("app");
        let is_page = if is_app { matches!(name, "page.mdx" | "page.md") } else { !name.starts_with('_') };
        facts.is_part = !is_page || is_app && inside.contains('[');
        facts.dialect = Some(Dialect::Mdx);
        facts.address = self.address(source.path);
        facts.meta.sidebar_title = source.text("sidebarTitle").map(str::to_owned);
        let has_title = has_title(source.body);
        if !facts.meta.title_given {
            let stem = inside.rsplit_once('.').map_or(inside, |(stem, _)| stem);
            let (stem, _) = without_language(stem, &self.languages);
            let mut parts = stem.rsplit('/').filter(|part| !PagesFolder::is_index(part));
            if let Some(name) = parts.next().filter(|_| !has_title) {
                (facts.meta.title, facts.meta.title_given) = (title_case(name), true);
            }
        } else if !has_title {
            // the title of the front matter is no heading
            facts.meta.heading = None;
        }
    }

    fn configure(&self, config: &mut Config, _tree: &SourceTree) {
        if let Some(name) = &self.name {
            config.name.clone_from(name);
        }
        if let Some(link) = &self.repository {
            if let Some(feedback) = web::edit_link_feedback(link, &self.root) {
                config.feedback = feedback;
            }
            let href = link.split("/tree/").next().unwrap_or(link).split("/blob/").next().unwrap_or(link).to_owned();
            let kind = href.contains("//github.com/").then(|| "github".to_owned());
            let label = if kind.is_some() { "GitHub" } else { "Repository" }.to_owned();
            config.navbar.links.push(NavbarLink { label, href, icon: None, kind });
        }
    }

    fn navigation(&self, site: &Site) -> PageOrder {
        let tree_of = |root: &Mount, code: &str| {
            PagesFolder::of_site(site, |path| {
                let inside = path.strip_prefix(root.folder.as_str())?.strip_prefix('/')?;
                let stem = inside.rsplit_once('.').map_or(inside, |(stem, _)| stem);
                let (stem, own) = without_language(stem, &self.languages);
                let is_own = own.is_none_or(|own| own == code);
                is_own.then(|| stem.to_owned())
            })
        };
        let first = self.languages.first().map(String::as_str).unwrap_or_default();
        let mut out = Vec::new();
        for root in &self.roots {
            let folder = tree_of(root, first);
            // languages are folders, or endings of files
            let by_folder: Vec<&String> =
                self.languages.iter().filter(|code| folder.folders.contains_key(*code)).collect();
            if by_folder.len() > 1 {
                for code in by_folder {
                    let menu = NextraMenu { site: self, pages: site, root, code };
                    let inner = folder.folders.get(code);
                    let children = inner.map(|inner| menu.top(inner)).unwrap_or_default();
                    let page = inner.and_then(PagesFolder::index);
                    out.push(MenuItem { page, ..language(code, code == first, children) });
                }
                continue;
            }
            let by_ending = self.languages.len() > 1
                && site.iter().any(|(_, page)| {
                    let path = page.file.map(|file| site.tree.path(file)).unwrap_or_default();
                    path.rsplit_once('.').is_some_and(|(stem, _)| without_language(stem, &self.languages).1.is_some())
                });
            if by_ending {
                for code in &self.languages {
                    let menu = NextraMenu { site: self, pages: site, root, code };
                    out.push(language(code, code == first, menu.top(&tree_of(root, code))));
                }
                continue;
            }
            out.extend(NextraMenu { site: self, pages: site, root, code: first }.top(&folder));
        }
        if out.iter().any(MenuItem::leads) { PageOrder::Menu(out) } else { PageOrder::Folders }
    }

    fn rewrite(&self, text: &RenderedText<'_>, problems: &mut Vec<Problem>) -> Option<Vec<(String, Place)>> {
        Some(rewrite_next_text(&self.project, text, problems))
    }
}

/// A language with its entries.
fn language(code: &str, default: bool, children: Vec<MenuItem>) -> MenuItem {
    MenuItem {
        kind: NodeKind::Language,
        label: code.to_owned(),
        key: code.to_owned(),
        default,
        children,
        ..MenuItem::default()
    }
}

/// The entries of a folder of pages in a language.
struct NextraMenu<'a> {
    site: &'a NextraSite,
    pages: &'a Site,
    root: &'a Mount,
    code: &'a str,
}

impl NextraMenu<'_> {
    /// The entries of the folder itself: where the top bar has pages, these are tabs.
    fn top(&self, folder: &PagesFolder) -> Vec<MenuItem> {
        let items = self.items(folder);
        if !items.iter().any(|item| item.kind == NodeKind::Tab) {
            return items;
        }
        let (mut tabs, others): (Vec<MenuItem>, Vec<MenuItem>) =
            items.into_iter().partition(|item| item.kind == NodeKind::Tab);
        if others.iter().any(|item| item.leads() && !item.hidden) {
            let first = others.iter().find_map(|item| Some(item.label.clone()).filter(|label| !label.is_empty()));
            let label = self.site.name.clone().or(first).unwrap_or_else(|| "Documentation".to_owned());
            tabs.insert(0, MenuItem { kind: NodeKind::Tab, label, children: others, ..MenuItem::default() });
        } else if let Some(first) = tabs.first_mut() {
            // a start page without an entry comes first all the same
            first.children.splice(..0, others);
        }
        tabs
    }

    /// Recursion is bounded by the depth of folders.
    fn items(&self, folder: &PagesFolder) -> Vec<MenuItem> {
        let path = if folder.path.is_empty() {
            self.root.folder.clone()
        } else {
            format!("{}/{}", self.root.folder, folder.path)
        };
        static NOTHING: Value = Value::Null;
        let meta = self.site.meta(&path, self.code).unwrap_or(&NOTHING);
        let default = meta.get("*").unwrap_or(&NOTHING);
        let mut left: Vec<&str> = folder.pages.keys().chain(folder.folders.keys()).map(String::as_str).collect();
        // what hosts show for addresses that do not exist
        left.retain(|name| !matches!(*name, "404" | "500"));
        left.sort_by_key(|name| (!PagesFolder::is_index(name), name.to_lowercase()));
        left.dedup();
        let mut out: Vec<MenuItem> = Vec::new();
        // entries behind a separator with a title belong to it
        let mut part: Option<(String, Vec<MenuItem>)> = None;
        let push = |out: &mut Vec<MenuItem>, part: &mut Option<(String, Vec<MenuItem>)>, item: MenuItem| match part {
            Some((_, items)) if item.kind != NodeKind::Tab => items.push(item),
            _ => out.push(item),
        };
        for (key, entry) in meta.as_object().into_iter().flatten().filter(|(key, _)| *key != "*") {
            left.retain(|name| name != key);
            if text_at(entry, &["type"]) == Some("separator") || key.starts_with("---") {
                if let Some((title, items)) = part.take() {
                    out.push(MenuItem { expanded: true, ..MenuItem::group(&title, items) });
                }
                let title = title_of(entry);
                part = title.filter(|title| !title.trim_matches('-').is_empty()).map(|title| (title, Vec::new()));
                continue;
            }
            for item in self.entry(folder, key, entry, default) {
                push(&mut out, &mut part, item);
            }
        }
        for name in left {
            for item in self.entry(folder, name, &NOTHING, default) {
                push(&mut out, &mut part, item);
            }
        }
        if let Some((title, items)) = part {
            out.push(MenuItem { expanded: true, ..MenuItem::group(&title, items) });
        }
        out
    }

    /// An entry of `_meta`, or a name that it does not have.
    fn entry(&self, folder: &PagesFolder, name: &str, entry: &Value, default: &Value) -> Vec<MenuItem> {
        let value = |key: &str| text_at(entry, &[key]).or_else(|| text_at(default, &[key]));
        let title = title_of(entry).unwrap_or_default();
        let hidden = value("display") == Some("hidden");
        let is_page = value("type") == Some("page");
        if let Some(href) = text_at(entry, &["href"]) {
            let kind = if is_page { NodeKind::Tab } else { NodeKind::Link };
            let label = if title.is_empty() { title_case(name) } else { title };
            return vec![MenuItem { kind, label, href: Some(href.to_owned()), hidden, ..MenuItem::default() }];
        }
        if text_at(entry, &["type"]) == Some("menu") && !folder.folders.contains_key(name) {
            return self.menu(name, &title, entry, folder);
        }
        let page = folder.pages.get(name).copied();
        let Some(inner) = folder.folders.get(name) else {
            let Some(page) = page else { return Vec::new() };
            let item = MenuItem { label: title.clone(), hidden, ..MenuItem::of_page(page) };
            if !is_page || hidden {
                return vec![item];
            }
            let label = if title.is_empty() { title_case(name) } else { title };
            return vec![MenuItem { kind: NodeKind::Tab, label, children: vec![item], ..MenuItem::default() }];
        };
        let children = self.items(inner);
        if value("display") == Some("children") {
            return children;
        }
        // a page beside the folder that has its name, or the one in it that says so
        let is_own = |child: &MenuItem| child.page == inner.index() && child.page.is_some();
        let as_index = self.is_index_as_page(inner);
        let own = page.or_else(|| inner.index().filter(|_| as_index));
        let children = children.into_iter().filter(|child| !(as_index && is_own(child))).collect();
        let label = if title.is_empty() { title_case(name) } else { title };
        let kind = if is_page { NodeKind::Tab } else { NodeKind::Group };
        vec![MenuItem { kind, page: own, hidden, expanded: false, ..MenuItem::group(&label, children) }]
            .into_iter()
            .map(|item| MenuItem { kind, ..item })
            .collect()
    }

    /// Whether the page of a folder is the group itself: `asIndexPage` in its front matter.
    fn is_index_as_page(&self, inner: &PagesFolder) -> bool {
        let Some(index) = inner.index() else { return false };
        if inner.pages.len() + inner.folders.len() == 1 {
            return true;
        }
        let text = self.pages.page(index).file.and_then(|file| self.pages.tree.text(file)).unwrap_or_default();
        let block = split_front_matter(&text).block;
        let entries =
            if block.contains("asIndexPage") { parse_yaml(block, true).unwrap_or_default() } else { Vec::new() };
        entries.iter().any(|entry| entry.key == "asIndexPage" && entry.value.as_text() == Some("true"))
    }

    /// A menu of the top bar: links and pages.
    fn menu(&self, name: &str, title: &str, entry: &Value, folder: &PagesFolder) -> Vec<MenuItem> {
        let items = entry.get("items").and_then(Value::as_object).into_iter().flatten();
        let links = items.filter_map(|(key, item)| {
            let label = title_of(item).unwrap_or_else(|| web::plain_label(key));
            let page: Option<PageId> = folder.pages.get(key.as_str()).copied();
            let href = text_at(item, &["href"]).map(str::to_owned);
            let kind = NodeKind::MenuItem;
            (page.is_some() || href.is_some()).then(|| MenuItem { kind, label, page, href, ..MenuItem::default() })
        });
        let label = if title.is_empty() { title_case(name) } else { title.to_owned() };
        vec![MenuItem { kind: NodeKind::Tab, label, children: links.collect(), ..MenuItem::default() }]
    }
}

#[cfg(test)]
mod tests {
    use super::name_of_logo;

    #[test]
    fn logos_are_words() {
        for (text, expect) in [
            ("logo: <span>My <b>site</b></span>,\n  project: 1", Some("My site")),
            ("logo: 'Kiln',", Some("Kiln")),
            ("logo: (\n    <>\n      <svg height=\"20\" />\n      <b>Sea</b> chart\n    </>\n  ),", Some("Sea chart")),
            ("<Navbar logo={<b>Nextra</b>} />", None),
            ("logo: <Logo />,\n  x", None),
            ("none", None),
        ] {
            let found = name_of_logo(text);
            assert!(
                found.as_deref() == expect || expect.is_none() && found.as_deref() == Some("Nextra"),
                "{text}: {found:?}"
            );
        }
    }
}
