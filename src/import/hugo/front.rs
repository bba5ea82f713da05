//! Front matter and addresses of Hugo's pages.

use std::collections::{BTreeMap, BTreeSet};

use load::tool::{Mount, PageFacts, PageSource, deepest};
use site::page::{FrontMatter, PageEntry, title_of_slug};
use site::tree::{self, SourceTree};
use site::yaml::{Yaml, YamlEntry};

use super::HugoSettings;

/// What of a page the navigation needs.
pub(super) const DATE: &str = "date";
pub(super) const MENU_WEIGHT: &str = "menu-weight";
pub(super) const LINK: &str = "link";
/// The section that a page stands for that no file has.
pub(super) const SECTION: &str = "section";
/// The number of the mount that gives a page its address, where that is not the one of its file.
pub(super) const MOUNT: &str = "mount";

/// A value of front matter, whose keys have no case.
pub(super) fn front_value<'e>(entries: &'e [YamlEntry], key: &str) -> Option<&'e Yaml> {
    entries.iter().find(|entry| entry.key.eq_ignore_ascii_case(key)).map(|entry| &entry.value)
}

pub(super) fn front_text<'e>(entries: &'e [YamlEntry], key: &str) -> Option<&'e str> {
    front_value(entries, key)?.as_text().map(str::trim).filter(|text| !text.is_empty())
}

fn is_true(entries: &[YamlEntry], key: &str) -> bool {
    front_text(entries, key).is_some_and(|text| text.eq_ignore_ascii_case("true"))
}

/// A text at a path of keys.
fn nested_text<'y>(value: Option<&'y Yaml>, path: &[&str]) -> Option<&'y str> {
    let Some((key, rest)) = path.split_first() else { return value?.as_text().map(str::trim) };
    let Yaml::Map(members) = value? else { return None };
    nested_text(members.iter().find(|(name, _)| name.eq_ignore_ascii_case(key)).map(|(_, value)| value), rest)
}

/// Reads what Hugo's front matter says of a page.
pub(super) fn read_hugo_front(settings: &HugoSettings, source: &PageSource<'_>, facts: &mut PageFacts) {
    let entries = source.entries;
    let build = front_value(entries, "build").or_else(|| front_value(entries, "_build"));
    let is_never = |key: &str| {
        nested_text(build, &[key])
            .is_some_and(|text| ["never", "false", "link"].iter().any(|no| text.eq_ignore_ascii_case(no)))
    };
    facts.is_draft = is_true(entries, "draft");
    facts.is_part = is_true(entries, "headless") || is_never("render");
    let hides = [("toc_hide", true), ("bookHidden", true), ("hidden", true), ("sidebar_hidden", true)];
    let is_excluded = nested_text(front_value(entries, "sidebar"), &["exclude"]).is_some_and(|text| text == "true")
        || nested_text(build, &["list"]).is_some_and(|text| text == "never" || text == "false");
    // the theme's page for its own search
    let is_search = front_text(entries, "layout") == Some("search") || front_text(entries, "type") == Some("search");
    if is_search || is_excluded || hides.iter().any(|(key, _)| is_true(entries, key)) {
        facts.meta.hidden = Some(true);
    }
    let titles = [front_text(entries, "linkTitle"), front_text(entries, "menuTitle"), front_text(entries, "bookTitle")];
    facts.meta.sidebar_title = titles.into_iter().flatten().next().map(str::to_owned);
    facts.meta.position = source.number("weight").filter(|weight| *weight != 0.0);
    let menu = front_value(entries, "menu").or_else(|| front_value(entries, "menus"));
    let extra = &mut facts.meta.extra;
    extra.extend(front_text(entries, "date").map(|date| (DATE, date.to_owned())));
    extra.extend(nested_text(menu, &["main", "weight"]).map(|weight| (MENU_WEIGHT, weight.to_owned())));
    let is_listed = nested_text(menu, &["main"]).is_some_and(|text| !text.is_empty())
        || matches!(menu, Some(Yaml::Text(name)) if name == "main")
        || matches!(menu, Some(Yaml::List(names)) if names.iter().any(|name| name.as_text() == Some("main")))
        || matches!(menu, Some(Yaml::Map(all)) if all.iter().any(|(name, _)| name == "main"));
    if is_listed && !extra.iter().any(|(key, _)| *key == MENU_WEIGHT) {
        extra.push((MENU_WEIGHT, "0".to_owned()));
    }
    extra.extend(
        front_text(entries, "manualLink")
            .or_else(|| front_text(entries, "bookHref"))
            .map(|link| (LINK, link.to_owned())),
    );
    place_hugo_page(settings, source, facts);
    if facts.address.as_deref() == Some("index") && only_leads_on(source.body) {
        facts.is_part = true;
    }
}

/// Whether a start page has nothing but what leads to another page: the first page takes its place.
fn only_leads_on(body: &str) -> bool {
    const MAX_BYTES: usize = 1000;
    const MARKS: [&str; 4] = ["location.replace(", "location.href", "http-equiv=\"refresh\"", "http-equiv='refresh'"];
    body.len() <= MAX_BYTES && MARKS.iter().any(|mark| body.contains(mark)) && !body.contains("<h1")
}

/// The pages of the sections that have none of their own: folders right below the root.
pub(super) fn sections<'p>(
    settings: &HugoSettings,
    pages: impl Iterator<Item = &'p PageEntry>,
    tree: &SourceTree,
) -> Vec<PageEntry> {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut candidates: BTreeMap<String, &PageEntry> = BTreeMap::new();
    for page in pages {
        let Some(found) = settings.found(page, tree) else { continue };
        let own = found.address.strip_prefix(found.prefix.as_str()).unwrap_or(&found.address).trim_start_matches('/');
        taken.insert(page.slug.strip_suffix("/index").unwrap_or(&page.slug).to_owned());
        let Some((section, rest)) = own.split_once('/') else { continue };
        let address = if found.prefix.is_empty() { section.to_owned() } else { format!("{}/{section}", found.prefix) };
        if found.is_section && rest == "index" {
            taken.insert(address);
        // a page with files beside it is no section
        } else if rest != "index" {
            candidates.entry(address).or_insert(page);
        }
    }
    let sections = candidates.into_iter().filter(|(address, _)| !taken.contains(address));
    sections
        .map(|(address, page)| {
            let name = address.rsplit('/').next().unwrap_or(&address);
            let meta = FrontMatter {
                title: title_of_slug(name),
                title_given: true,
                extra: vec![(SECTION, name.to_owned())],
                ..FrontMatter::default()
            };
            PageEntry { slug: format!("{address}/index"), meta: Box::new(meta), title_in_body: false, ..page.clone() }
        })
        .collect()
}

/// Address and other addresses.
fn place_hugo_page(settings: &HugoSettings, source: &PageSource<'_>, facts: &mut PageFacts) {
    let Some(found) = settings.address(source.path).filter(|_| !settings.is_in_bundle(source.path)) else {
        facts.is_part = true;
        return;
    };
    let FoundFile { mut address, prefix, is_section } = found;
    let natural = address.clone();
    let entries = source.entries;
    let section = |address: &str| tree::folder(address.strip_suffix("/index").unwrap_or(address)).to_owned();
    if let Some(pattern) = settings.permalink(&address, is_section)
        && let Some(expanded) = permalink(pattern, &address, source)
    {
        address = expanded;
    }
    if let Some(slug) = front_text(entries, "slug").filter(|_| !is_section) {
        let slug = settings.path_name(slug.trim_matches('/'));
        let folder = section(&address);
        let end = if address.ends_with("/index") { "/index" } else { "" };
        address = if folder.is_empty() { format!("{slug}{end}") } else { format!("{folder}/{slug}{end}") };
    }
    if let Some(url) = front_text(entries, "url").filter(|url| !url.contains("://")) {
        let own = url.split(['?', '#']).next().unwrap_or_default();
        let own = own.strip_suffix(".html").or_else(|| own.strip_suffix(".htm")).unwrap_or(own).trim_matches('/');
        let own = if own.is_empty() { "index" } else { own };
        address = if url.starts_with('/') || prefix.is_empty() { own.to_owned() } else { format!("{prefix}/{own}") };
    }
    let aliases = match front_value(entries, "aliases") {
        Some(Yaml::List(all)) => all.iter().filter_map(Yaml::as_text).collect(),
        Some(Yaml::Text(one)) => vec![one.as_str()],
        _ => Vec::new(),
    };
    let from = tree::folder(address.strip_suffix("/index").unwrap_or(&address)).to_owned();
    for alias in aliases {
        let alias = alias.trim();
        let whole =
            tree::join_document_path(if alias.starts_with('/') { "" } else { &from }, alias).unwrap_or_default();
        let whole =
            whole.strip_suffix("/index.html").unwrap_or(&whole).strip_suffix(".html").unwrap_or(&whole).to_owned();
        if !whole.is_empty() && whole != address && format!("{whole}/index") != address {
            facts.redirects.push(whole);
        }
    }
    if address == "index" && settings.languages.len() > 1 && !settings.default_in_subfolder {
        facts.redirects.push(settings.default_language.clone());
    }
    if natural != address {
        facts.aliases.push(natural);
    }
    facts.address = Some(address);
}

/// Where a file stands.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FoundFile {
    /// `guides/start`, `guides/index`.
    pub(super) address: String,
    /// What its language puts before all addresses.
    pub(super) prefix: String,
    /// It is the page of a section.
    pub(super) is_section: bool,
}

impl HugoSettings {
    /// The address of a file before its front matter; `None` if it is no content.
    pub(super) fn address(&self, path: &str) -> Option<FoundFile> {
        self.found_at(deepest(&self.layout.mounts, path)?.0, path)
    }

    /// Where a page stands.
    pub(super) fn found(&self, page: &PageEntry, tree: &SourceTree) -> Option<FoundFile> {
        let path = tree.path(page.file?);
        match page.meta.extra.iter().find(|(key, _)| *key == MOUNT) {
            Some((_, number)) => self.found_at(self.layout.mounts.get(number.parse::<usize>().ok()?)?, path),
            None => self.address(path),
        }
    }

    /// Where a file stands by one of the mounts that hold it.
    pub(super) fn found_at(&self, mount: &Mount, path: &str) -> Option<FoundFile> {
        let whole = mount.address(path)?;
        if self.filters.iter().any(|filter| filter.leaves_out(&mount.folder, path)) {
            return None;
        }
        let stem = whole.rsplit_once('.').map_or(whole.as_str(), |(stem, _)| stem);
        let (stem, code) = match stem.rsplit_once('.') {
            Some((stem, code)) if self.languages.iter().any(|language| language.code == code.to_lowercase()) => {
                (stem, Some(code.to_lowercase()))
            }
            _ => (stem, None),
        };
        let prefix = match &code {
            Some(code) => self.prefix_of(code),
            None => self.prefix_in(&mount.at),
        };
        let rest = match &code {
            Some(_) if !prefix.is_empty() => format!("{prefix}/{stem}"),
            _ => stem.to_owned(),
        };
        let name = rest.rsplit('/').next().unwrap_or_default();
        let is_section = name == "_index";
        let folder = tree::folder(&rest);
        let name = if is_section { "index" } else { name };
        let address = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
        let address = address.split('/').map(|part| self.path_name(part)).collect::<Vec<_>>().join("/");
        Some(FoundFile { address, prefix, is_section })
    }

    /// What a language puts before the address of a mount.
    fn prefix_in(&self, at: &str) -> String {
        let first = at.split('/').next().unwrap_or_default();
        let mut codes = self.languages.iter().map(|language| &language.code).chain([&self.default_language]);
        let is_prefix = !first.is_empty() && codes.any(|code| self.prefix_of(code) == first);
        if is_prefix { first.to_owned() } else { String::new() }
    }

    /// A name in an address: in lower case, words joined.
    pub(super) fn path_name(&self, name: &str) -> String {
        let joined: Vec<&str> = name.split_whitespace().collect();
        let joined = joined.join("-");
        let allowed: String = joined
            .chars()
            .filter(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '~' | '+' | '%' | '/' | '@'))
            .collect();
        if self.keeps_case { allowed } else { allowed.to_lowercase() }
    }

    /// The pattern for addresses of pages of a section.
    fn permalink(&self, address: &str, is_section: bool) -> Option<&str> {
        let section = address.split('/').next().filter(|_| !is_section && address.contains('/'))?;
        self.permalinks.iter().find(|(name, _)| name == section).map(|(_, pattern)| pattern.as_str())
    }
}

/// An address by a pattern: `/:sections/:slug/`. `None` if it needs what is not known.
fn permalink(pattern: &str, address: &str, source: &PageSource<'_>) -> Option<String> {
    let own = address.strip_suffix("/index").unwrap_or(address);
    let (folder, name) = own.rsplit_once('/').unwrap_or(("", own));
    let date: Vec<&str> =
        front_text(source.entries, "date").map(|date| date.split(['-', 'T', ' ']).collect()).unwrap_or_default();
    let title = || {
        front_text(source.entries, "title")
            .map(|title| title.to_lowercase().split_whitespace().collect::<Vec<_>>().join("-"))
    };
    let mut parts = Vec::new();
    for part in pattern.split('/').filter(|part| !part.is_empty()) {
        parts.push(match part {
            ":year" => (*date.first()?).to_owned(),
            ":month" => (*date.get(1)?).to_owned(),
            ":day" => (*date.get(2)?).to_owned(),
            ":section" => folder.split('/').next()?.to_owned(),
            ":sections" => folder.to_owned(),
            ":slug" => {
                front_text(source.entries, "slug").map(str::to_owned).or_else(title).unwrap_or_else(|| name.to_owned())
            }
            ":title" => title()?,
            ":filename" | ":slugorfilename" | ":contentbasename" | ":slugorcontentbasename" => name.to_owned(),
            part if part.contains(':') => return None,
            part => part.to_owned(),
        });
    }
    parts.retain(|part| !part.is_empty());
    (!parts.is_empty()).then(|| parts.join("/"))
}
