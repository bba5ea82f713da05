//! Fumadocs: `source.config.*`, pages in the folders that it names, and `meta.json` with their order and titles.

use std::collections::BTreeMap;

use serde_json::Value;

use base::cut::SliceText as _;
use base::extension::is_markdown;
use base::{Place, Problem};
use load::Site;
use load::tool::script::{json_at_path, text_at};
use load::tool::{
    Dashes, FolderView, Mount, PageFacts, PageFront, PageSource, Project, RenderedText, SourceLayout, Tool, ToolInput,
};
use nav::NodeKind;
use nav::order::{MenuItem, PageOrder};
use site::config::{Config, Icon, NavbarLink};
use site::heading_ids::HeadingIds;
use site::page::Dialect;
use site::problems::LoadProblems;
use site::tree::{self, SourceTree};
use site::yaml::{Yaml, YamlEntry, parse_yaml};

use super::api_page::find_api_page;
use super::pages::{PagesFolder, has_title, without_language};
use super::text::{NextProject, heading_words, rewrite_next_text};
use super::{find_config, quoted_behind, quoted_list};

/// Fumadocs.
#[derive(Debug)]
pub(crate) struct Fumadocs;

impl Tool for Fumadocs {
    fn name(&self) -> &'static str {
        "fumadocs"
    }

    fn title(&self) -> &'static str {
        "Fumadocs"
    }

    fn detect(&self, folder: &FolderView<'_>) -> Option<String> {
        find_config(folder, &["source.config"], "fumadocs")
            .or_else(|| find_config(folder, &["next.config", "vite.config", "react-router.config"], "fumadocs"))
    }

    fn stands_for(&self, project: &FolderView<'_>, config: &str, folder: &str) -> bool {
        let text = project.text(config).unwrap_or_default();
        let beside = tree::folder(config);
        let own = quoted_behind(&text, "dir:").unwrap_or("content/docs");
        folder == join(beside, own) || folder == join(beside, "content")
    }

    fn open(&self, source: &ToolInput<'_>, _problems: &mut LoadProblems) -> Option<Box<dyn Project>> {
        Some(Box::new(FumadocsSite::read(source)))
    }
}

fn join(folder: &str, below: &str) -> String {
    let below = below.trim_start_matches("./").trim_end_matches('/');
    if folder.is_empty() { below.to_owned() } else { format!("{folder}/{below}") }
}

/// A project.
#[derive(Debug, Default)]
struct FumadocsSite {
    /// Folders of pages, each with what its addresses begin with.
    roots: Vec<Mount>,
    /// What `meta.json` says of folders, by path; that of a language behind a colon.
    metas: BTreeMap<String, Value>,
    /// The first is the default.
    languages: Vec<String>,
    name: Option<String>,
    repository: Option<String>,
    project: NextProject,
    layout: SourceLayout,
}

impl FumadocsSite {
    fn read(source: &ToolInput<'_>) -> Self {
        let root = source.folder().to_owned();
        let mut site = Self::default();
        let any = |names: &[&str]| {
            let both = names.iter().flat_map(|name| [join(&root, name), join(&root, &format!("src/{name}"))]);
            both.filter_map(|path| source.text(&path)).collect::<Vec<_>>().join("\n")
        };
        let sources = any(&["lib/source.ts", "lib/source.tsx", "lib/source/index.ts", "app/source.ts"]);
        let base = quoted_behind(&sources, "baseUrl").map(|base| base.trim_matches('/').to_owned());
        let config = any(&["source.config.ts", "source.config.mts", "source.config.js", "source.config.mjs"]);
        let named = config.match_indices("dir:").filter_map(|(at, _)| quoted_behind(config.slice(at..), "dir:"));
        let mut folders: Vec<String> = named.map(|folder| join(&root, folder)).collect();
        folders.extend([join(&root, "content/docs"), join(&root, "content")]);
        let has_pages = |folder: &str| {
            let prefix = format!("{folder}/");
            source.tree.files.iter().any(|file| file.path.starts_with(&prefix) && is_markdown(&file.path))
        };
        for folder in folders {
            let is_known = site
                .roots
                .iter()
                .any(|known| known.folder == folder || known.folder.starts_with(&format!("{folder}/")));
            if is_known || !has_pages(&folder) {
                continue;
            }
            let own = folder.rsplit('/').next().unwrap_or_default();
            let at = match &base {
                Some(base) if site.roots.is_empty() => base.clone(),
                _ if own == "content" => String::new(),
                _ => own.to_owned(),
            };
            site.roots.push(Mount { folder, at });
        }
        let languages = any(&["lib/i18n.ts", "lib/i18n.tsx"]);
        site.languages = quoted_list(&languages, "languages").into_iter().map(str::to_owned).collect();
        if let Some(default) = quoted_behind(&languages, "defaultLanguage") {
            site.languages.sort_by_key(|code| code != default);
        }
        site.read_metas(source);
        let layouts = any(&[
            "lib/layout.shared.tsx",
            "app/layout.config.tsx",
            "lib/layout.tsx",
            "app/layout.tsx",
            "app/docs/layout.tsx",
        ]);
        site.name = quoted_behind(&layouts, "title:").map(str::to_owned).filter(|name| !name.contains('%'));
        site.repository = quoted_behind(&layouts, "githubUrl").map(str::to_owned);
        site.project = NextProject::read(source, &root);
        let mounts = if site.roots.is_empty() { vec![Mount::root(&root)] } else { site.roots.clone() };
        let config_files = std::mem::take(&mut site.layout.config_files);
        site.layout = SourceLayout {
            mounts,
            statics: vec![Mount::root(&join(&root, "public"))],
            config_files,
            ..SourceLayout::default()
        };
        site
    }

    fn read_metas(&mut self, source: &ToolInput<'_>) {
        for file in &source.tree.files {
            let path = file.path.as_str();
            let name = path.rsplit('/').next().unwrap_or_default();
            let Some(rest) = name.strip_prefix("meta.") else { continue };
            if !self.roots.iter().any(|root| root.address(path).is_some()) {
                continue;
            }
            let (code, ending) = rest.rsplit_once('.').map_or(("", rest), |(code, ending)| (code, ending));
            let text = source.text(path).unwrap_or_default();
            let value = match ending {
                "json" => serde_json::from_str(&text).unwrap_or_default(),
                "yaml" | "yml" => {
                    let entries = parse_yaml(&text, true).unwrap_or_default();
                    Value::Object(entries.iter().map(|entry| (entry.key.clone(), entry.value.to_json())).collect())
                }
                _ => continue,
            };
            self.layout.config_files.push(path.to_owned());
            let folder = tree::folder(path);
            let key = if code.is_empty() { folder.to_owned() } else { format!("{folder}:{code}") };
            self.metas.insert(key, value);
        }
    }

    fn inside<'p>(&self, path: &'p str) -> Option<(&Mount, &'p str)> {
        self.roots.iter().find_map(|root| Some((root, path.strip_prefix(root.folder.as_str())?.strip_prefix('/')?)))
    }

    /// The address of a page: folders in parentheses have none.
    fn address(&self, path: &str) -> Option<String> {
        let (root, inside) = self.inside(path)?;
        let stem = inside.rsplit_once('.').map_or(inside, |(stem, _)| stem);
        let (stem, mut code) = without_language(stem, &self.languages);
        let mut parts: Vec<&str> = stem.split('/').filter(|part| !is_silent(part)).collect();
        // languages may be folders, too
        if parts.len() > 1 && self.languages.iter().any(|known| known == parts[0]) {
            code = Some(parts.remove(0));
        }
        let language = code.filter(|code| self.languages.first().is_some_and(|first| first != code));
        let parts = language.into_iter().chain([root.at.as_str()]).filter(|part| !part.is_empty()).chain(parts);
        Some(parts.collect::<Vec<_>>().join("/"))
    }

    fn meta(&self, folder: &str, code: &str) -> &Value {
        static NOTHING: Value = Value::Null;
        self.metas.get(&format!("{folder}:{code}")).or_else(|| self.metas.get(folder)).unwrap_or(&NOTHING)
    }
}

/// `(group)`
fn is_silent(name: &str) -> bool {
    name.starts_with('(') && name.ends_with(')')
}

/// The name of a folder as a title.
fn shown_name(name: &str) -> String {
    let words = name.trim_start_matches('(').trim_end_matches(')').replace(['-', '_'], " ");
    let mut chars = words.chars();
    chars.next().into_iter().flat_map(char::to_uppercase).chain(chars).collect()
}

impl Project for FumadocsSite {
    fn layout(&self) -> &SourceLayout {
        &self.layout
    }

    fn known_keys(&self) -> Option<&'static [&'static str]> {
        Some(&["title", "description", "keywords", "openapi"])
    }

    fn heading_ids(&self) -> HeadingIds {
        HeadingIds::GitHub
    }

    fn heading_words(&self, _page: &PageSource<'_>, words: &str) -> Option<String> {
        heading_words(words)
    }

    fn punctuation(&self, _dialect: Dialect) -> Option<Dashes> {
        None
    }

    fn complete_front(&self, _path: &str, text: &str, front: &mut PageFront) {
        let is_given = front.entries.iter().any(|entry| entry.key == "openapi");
        let Some(page) = text.get(front.body_offset..).and_then(find_api_page).filter(|_| !is_given) else { return };
        let value = Yaml::Text(format!("/{} {}", join(self.project.root(), &page.document), page.operation));
        front.entries.push(YamlEntry { key: "openapi".to_owned(), value, line: 0 });
    }

    fn read_page(&self, source: &PageSource<'_>, facts: &mut PageFacts) {
        facts.dialect = Some(Dialect::Mdx);
        let Some((_, inside)) = self.inside(source.path) else {
            facts.is_part = true;
            return;
        };
        facts.address = self.address(source.path);
        if source.flag("full") == Some(true) {
            facts.meta.mode = site::page::PageMode::Wide;
        }
        if !facts.meta.title_given && !has_title(source.body) {
            let stem = inside.rsplit_once('.').map_or(inside, |(stem, _)| stem);
            let (stem, _) = without_language(stem, &self.languages);
            if let Some(name) = stem.rsplit('/').find(|part| !PagesFolder::is_index(part)) {
                (facts.meta.title, facts.meta.title_given) = (shown_name(name), true);
            }
        }
    }

    fn configure(&self, config: &mut Config, _tree: &SourceTree) {
        if let Some(name) = &self.name {
            config.name.clone_from(name);
        }
        if let Some(href) = &self.repository {
            let kind = href.contains("//github.com/").then(|| "github".to_owned());
            config.navbar.links.push(NavbarLink { label: "GitHub".to_owned(), href: href.clone(), icon: None, kind });
        }
    }

    fn navigation(&self, site: &Site) -> PageOrder {
        let mut out = Vec::new();
        let first = self.languages.first().map(String::as_str).unwrap_or_default();
        let codes: Vec<&str> =
            if self.languages.len() > 1 { self.languages.iter().map(String::as_str).collect() } else { vec![first] };
        for code in &codes {
            let mut entries = Vec::new();
            for root in &self.roots {
                let folder = PagesFolder::of_site(site, |path| {
                    let inside = path.strip_prefix(root.folder.as_str())?.strip_prefix('/')?;
                    let stem = inside.rsplit_once('.').map_or(inside, |(stem, _)| stem);
                    let (stem, own) = without_language(stem, &self.languages);
                    if self.languages.iter().any(|known| stem.starts_with(&format!("{known}/"))) {
                        return stem.strip_prefix(code)?.strip_prefix('/').map(str::to_owned);
                    }
                    (own.unwrap_or(first) == *code).then(|| stem.to_owned())
                });
                let prefix = self.metas.contains_key(&format!("{}/{code}", root.folder));
                let base = if prefix { format!("{}/{code}", root.folder) } else { root.folder.clone() };
                entries.extend(FumadocsMenu { site: self, base, code }.top(&folder));
            }
            if codes.len() == 1 {
                out = entries;
                break;
            }
            out.push(MenuItem {
                kind: NodeKind::Language,
                label: (*code).to_owned(),
                key: (*code).to_owned(),
                default: *code == first,
                children: entries,
                ..MenuItem::default()
            });
        }
        if out.iter().any(MenuItem::leads) { PageOrder::Menu(out) } else { PageOrder::Folders }
    }

    fn rewrite(&self, text: &RenderedText<'_>, problems: &mut Vec<Problem>) -> Option<Vec<(String, Place)>> {
        let mut lines = rewrite_next_text(&self.project, text, problems);
        if find_api_page(text.body).is_some() {
            // the operation takes its place
            let first = lines.iter().position(|(line, _)| line.contains("<APIPage")).unwrap_or(lines.len());
            let last = lines.iter().skip(first).position(|(line, _)| line.contains("/>"));
            for (line, _) in lines.iter_mut().skip(first).take(last.map_or(0, |last| last + 1)) {
                line.clear();
            }
        }
        Some(lines)
    }
}

/// The entries of a folder of pages in a language.
struct FumadocsMenu<'a> {
    site: &'a FumadocsSite,
    /// The folder of the pages.
    base: String,
    code: &'a str,
}

impl FumadocsMenu<'_> {
    /// Folders with `root: true` are tabs.
    fn top(&self, folder: &PagesFolder) -> Vec<MenuItem> {
        let items = self.items(folder);
        let (mut tabs, others): (Vec<MenuItem>, Vec<MenuItem>) =
            items.into_iter().partition(|item| item.kind == NodeKind::Tab);
        if tabs.is_empty() {
            return others;
        }
        if others.iter().any(MenuItem::leads) {
            let title = text_at(self.site.meta(&self.base, self.code), &["title"]);
            let label = title.unwrap_or("Documentation").to_owned();
            tabs.insert(0, MenuItem { kind: NodeKind::Tab, label, children: others, ..MenuItem::default() });
        }
        tabs
    }

    fn path(&self, folder: &PagesFolder) -> String {
        if folder.path.is_empty() { self.base.clone() } else { format!("{}/{}", self.base, folder.path) }
    }

    /// Recursion is bounded by the depth of folders.
    fn items(&self, folder: &PagesFolder) -> Vec<MenuItem> {
        let meta = self.site.meta(&self.path(folder), self.code);
        let Some(pages) = json_at_path(meta, &["pages"]).as_array() else {
            return self.rest(folder, &[], false);
        };
        let listed: Vec<&str> = pages.iter().filter_map(Value::as_str).collect();
        let mut out: Vec<MenuItem> = Vec::new();
        let mut part: Option<(String, Vec<MenuItem>)> = None;
        for entry in &listed {
            if let Some(title) = entry.strip_prefix("---").and_then(|rest| rest.strip_suffix("---")) {
                if let Some((title, items)) = part.take() {
                    out.push(MenuItem { expanded: true, ..MenuItem::group(&title, items) });
                }
                let (_, title) = split_icon(title);
                part = Some((title.trim().to_owned(), Vec::new()));
                continue;
            }
            let found = match *entry {
                "..." => self.rest(folder, &listed, false),
                "z...a" => self.rest(folder, &listed, true),
                entry => self.entry(folder, entry),
            };
            for item in found {
                match &mut part {
                    Some((_, items)) if item.kind != NodeKind::Tab => items.push(item),
                    _ => out.push(item),
                }
            }
        }
        if let Some((title, items)) = part {
            out.push(MenuItem { expanded: true, ..MenuItem::group(&title, items) });
        }
        out
    }

    /// What no entry names: pages, then folders.
    fn rest(&self, folder: &PagesFolder, listed: &[&str], is_reversed: bool) -> Vec<MenuItem> {
        let is_listed = |name: &str| {
            listed.iter().any(|entry| {
                let bare = entry.trim_start_matches("...").trim_start_matches('!').trim_start_matches("./");
                bare == name || bare.strip_prefix(name).is_some_and(|rest| rest == ".mdx" || rest == ".md")
            })
        };
        let mut pages: Vec<&String> = folder.pages.keys().filter(|name| !is_listed(name)).collect();
        pages.sort_by_key(|name| (!PagesFolder::is_index(name), (*name).clone()));
        let mut folders: Vec<&String> = folder.folders.keys().filter(|name| !is_listed(name)).collect();
        if is_reversed {
            pages.reverse();
            folders.reverse();
        }
        let pages = pages.into_iter().filter_map(|name| folder.pages.get(name)).map(|page| MenuItem::of_page(*page));
        let mut out: Vec<MenuItem> = pages.collect();
        for name in folders {
            out.extend(folder.folders.get(name).map(|inner| self.folder(name, inner)));
        }
        out
    }

    /// `name`, `...folder`, `[Text](address)`, `!name`, `folder/page`.
    fn entry(&self, folder: &PagesFolder, entry: &str) -> Vec<MenuItem> {
        if entry.starts_with('!') {
            return Vec::new();
        }
        let link = entry.strip_prefix("external:").unwrap_or(entry);
        let (icon, link) = split_icon(link);
        if let Some((label, href)) =
            link.strip_prefix('[').and_then(|rest| rest.strip_suffix(')')).and_then(|rest| rest.split_once("]("))
        {
            let icon = icon.map(|name| Icon { name, ..Icon::default() });
            return vec![MenuItem {
                kind: NodeKind::Link,
                label: label.to_owned(),
                href: Some(href.to_owned()),
                icon,
                ..MenuItem::default()
            }];
        }
        let (is_extracted, path) = entry.strip_prefix("...").map_or((false, entry), |rest| (true, rest));
        let path = path.trim_start_matches("./");
        let mut parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
        let Some(last) = parts.pop() else { return Vec::new() };
        let Some(below) = parts.iter().try_fold(folder, |folder, part| folder.folders.get(*part)) else {
            return Vec::new();
        };
        let bare = last.strip_suffix(".mdx").or_else(|| last.strip_suffix(".md")).unwrap_or(last);
        if let Some(inner) = below.folders.get(last) {
            return if is_extracted { self.items(inner) } else { vec![self.folder(last, inner)] };
        }
        below.pages.get(bare).map(|page| MenuItem::of_page(*page)).into_iter().collect()
    }

    /// A folder as a group, whose own page it is unless its list names that.
    fn folder(&self, name: &str, inner: &PagesFolder) -> MenuItem {
        let meta = self.site.meta(&self.path(inner), self.code);
        let is_listed = json_at_path(meta, &["pages"])
            .as_array()
            .is_some_and(|pages| pages.iter().any(|page| page.as_str().is_some_and(|page| page.starts_with("index"))));
        let own = inner.index().filter(|_| !is_listed);
        let children: Vec<MenuItem> = self
            .items(inner)
            .into_iter()
            .filter(|item| own.is_none() || item.page != own || !item.children.is_empty())
            .collect();
        let title = text_at(meta, &["title"]).map(str::to_owned);
        // the title of its page, if there is one
        let label = title
            .unwrap_or_else(|| if inner.index().is_some() && own.is_some() { String::new() } else { shown_name(name) });
        let is_root = json_at_path(meta, &["root"]).as_bool() == Some(true);
        let icon = text_at(meta, &["icon"]).map(|name| Icon { name: kebab(name), ..Icon::default() });
        let kind = if is_root { NodeKind::Tab } else { NodeKind::Group };
        let expanded = json_at_path(meta, &["defaultOpen"]).as_bool() == Some(true);
        let label = if is_root && label.is_empty() { shown_name(name) } else { label };
        MenuItem { kind, label, page: own, icon, expanded, children, ..MenuItem::default() }
    }
}

/// `[Icon]Words`: the name of a picture, and the words.
fn split_icon(text: &str) -> (Option<String>, &str) {
    let found = text.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    match found
        .filter(|(name, rest)| !rest.starts_with('(') && name.chars().all(|c| c.is_ascii_alphanumeric() || c == ':'))
    {
        Some((name, rest)) => (Some(kebab(name)), rest),
        None => (None, text),
    }
}

/// `BookOpen` as `book-open`.
fn kebab(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !out.is_empty() {
            out.push('-');
        }
        out.extend(c.to_lowercase());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words() {
        assert_eq!((shown_name("(get-started)").as_str(), shown_name("api").as_str()), ("Get started", "Api"));
        assert_eq!(split_icon("[BookOpen]Words"), (Some("book-open".to_owned()), "Words"));
        assert_eq!(split_icon("[Words](https://x.y)"), (None, "[Words](https://x.y)"));
    }
}
