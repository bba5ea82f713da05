//! The pages and files that templates ask for: by their paths, with the pages of sections, resources and front matter.

use std::cmp::Ordering;
use std::rc::Rc;

use serde_json::{Map, Value as Json};

use base::cut::SliceText as _;
use base::extension::is_markdown;
use base::{FileId, PageId};
use site::front_matter::{front_matter_entries, split_front_matter};
use site::tree::{folder, join_document_path};

use super::config;
use super::value::HugoValue;
use super::write::HugoWriter;

/// Most front matter that is cached while a page is written.
const MAX_CACHED: usize = 4096;
/// Most pages of a list.
const MAX_PAGES: usize = 5000;

/// The name of a path without its ending.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Whether a file can be a page.
pub(super) fn is_page_file(path: &str) -> bool {
    is_markdown(path) || path.ends_with(".html")
}

impl<'a> HugoWriter<'a> {
    fn path(&self, file: FileId) -> &'a str {
        self.text.site.tree.path(file)
    }

    /// The name of a file without ending and language, and the code of that.
    fn name_of<'p>(&self, path: &'p str) -> (&'p str, Option<&'p str>) {
        let stem = stem(path);
        match stem.rsplit_once('.') {
            Some((name, code)) if self.settings.languages.iter().any(|it| it.code.eq_ignore_ascii_case(code)) => {
                (name, Some(code))
            }
            _ => (stem, None),
        }
    }

    /// The page of a file, if it is one.
    pub(super) fn page_of(&self, file: FileId) -> Option<PageId> {
        let site = self.text.site;
        let known =
            self.settings.pages.get_or_init(|| site.iter().filter_map(|(id, page)| Some((page.file?, id))).collect());
        let found = known.get(&file).copied()?;
        site.pages.get(found.0 as usize).is_some_and(|page| page.file == Some(file)).then_some(found)
    }

    /// The content that a path of a template means: a page, a section or what is only part of others.
    pub(super) fn find_content(&self, path: &str) -> Option<FileId> {
        let site = self.text.site;
        let own = folder(self.path(self.text.file));
        let path = path.trim();
        let is_whole = path.starts_with('/');
        let rest = path.trim_matches('/');
        let stem = rest.strip_suffix(".md").or_else(|| rest.strip_suffix(".html")).unwrap_or(rest);
        let look = |base: &str| {
            let at = join_document_path(base, stem)?;
            let below = |name: &str| if at.is_empty() { name.to_owned() } else { format!("{at}/{name}") };
            let names = [format!("{at}.md"), below("_index.md"), below("index.md"), format!("{at}.html")];
            let found = names.iter().find_map(|name| site.tree.find(name).or_else(|| site.tree.find_folded(name)));
            found.or_else(|| {
                let codes = self.settings.languages.iter().map(|language| &language.code);
                let mut names = codes.flat_map(|code| [format!("{at}.{code}.md"), below(&format!("_index.{code}.md"))]);
                names.find_map(|name| site.tree.find(&name))
            })
        };
        let language = self.settings.address(self.path(self.text.file)).map(|found| found.prefix).unwrap_or_default();
        let mounts = &self.settings.layout.mounts;
        let of_language = mounts.iter().filter(|mount| mount.at == language);
        let others = mounts.iter().filter(|mount| mount.at != language);
        let in_mounts = || {
            of_language.chain(others).find_map(|mount| {
                let below = stem.strip_prefix(mount.at.as_str()).filter(|rest| rest.starts_with('/'));
                look(&mount.folder).or_else(|| look(&format!("{}{}", mount.folder, below?)))
            })
        };
        let relative = if is_whole || stem.is_empty() { None } else { look(own) };
        relative.or_else(in_mounts).or_else(|| {
            let slug = self.find_page(path)?;
            let page = site.find_page(slug)?;
            site.page(page).file
        })
    }

    /// What the front matter of a page says, its keys in lower case.
    pub(super) fn matter(&self, file: FileId) -> Rc<Json> {
        if let Some(known) = self.matters.borrow().get(&file) {
            return Rc::clone(known);
        }
        let path = self.path(file);
        let text = if file == self.text.file && is_page_file(path) {
            Some(self.text.whole.to_owned())
        } else {
            is_page_file(path).then(|| self.text.site.tree.text(file)).flatten()
        };
        let mut all = Map::new();
        if let Some(text) = text {
            let split = split_front_matter(&text);
            let mut entries = front_matter_entries(&split, "", &mut Vec::new());
            entries.extend(self.settings.cascades.of_page(self.settings, path, &entries));
            for entry in entries {
                let value = config::lower_keys(entry.value.to_json());
                // parameters may have a table of their own, and sections add to it
                match (all.get_mut(&entry.key.to_lowercase()), value) {
                    (Some(Json::Object(own)), Json::Object(more)) => own.extend(more),
                    (_, value) => {
                        all.insert(entry.key.to_lowercase(), value);
                    }
                }
            }
        }
        if let Some(Json::Object(own)) = all.get("params").cloned() {
            all.extend(own);
        }
        let matter = Rc::new(Json::Object(all));
        let mut cache = self.matters.borrow_mut();
        if cache.len() >= MAX_CACHED {
            cache.clear();
        }
        cache.insert(file, Rc::clone(&matter));
        matter
    }

    fn matter_text(&self, file: FileId, key: &str) -> Option<String> {
        config::text_at(&self.matter(file), key)
    }

    pub(super) fn title_of(&self, file: FileId) -> String {
        let own = self.matter_text(file, "title");
        let of_page = || Some(self.text.site.page(self.page_of(file)?).meta.title.clone());
        own.or_else(of_page).unwrap_or_default()
    }

    fn link_title_of(&self, file: FileId) -> String {
        self.matter_text(file, "linktitle").unwrap_or_else(|| self.title_of(file))
    }

    /// The address of a page or a file beside it, as links here have it.
    fn link_of(&self, file: FileId) -> String {
        if let Some(page) = self.page_of(file) {
            let slug = self.text.site.page(page).slug.as_str();
            return format!(
                "/{}",
                slug.strip_suffix("index").filter(|rest| rest.is_empty() || rest.ends_with('/')).unwrap_or(slug)
            );
        }
        let path = self.path(file);
        if is_page_file(path) {
            return String::new();
        }
        if folder(path) == folder(self.path(self.text.file)) {
            return path.rsplit('/').next().unwrap_or(path).to_owned();
        }
        let all = self.settings.layout.statics.iter().chain(&self.settings.layout.mounts);
        all.filter_map(|mount| mount.address(path)).next().map(|address| format!("/{address}")).unwrap_or_default()
    }

    /// The pages of a section, in Hugo's order: by weight, date and title.
    pub(super) fn pages_below(&self, file: FileId, kinds: Kinds) -> Vec<FileId> {
        let (name, code) = self.name_of(self.path(file));
        if name != "_index" {
            return Vec::new();
        }
        let start = folder(self.path(file));
        let mut found = self.files_below(start, |id, path| {
            let below = path.slice(start.len()..).trim_start_matches('/');
            if id == file || !is_page_file(below) {
                return false;
            }
            let (name, own_code) = self.name_of(below);
            if own_code != code {
                return false;
            }
            let depth = below.matches('/').count();
            let (is_page, is_section) = match (name, depth) {
                ("_index", 1) => (false, true),
                ("_index", _) => (false, false),
                ("index", 1) => (true, false),
                (_, 0) => (name != "index", false),
                _ => (kinds == Kinds::Deep && name != "index", false),
            };
            let is_requested = match kinds {
                Kinds::All => is_page || is_section,
                Kinds::Pages | Kinds::Deep => is_page,
                Kinds::Sections => is_section,
            };
            is_requested && !self.is_draft(id)
        });
        self.sort(&mut found, "");
        found
    }

    fn is_draft(&self, file: FileId) -> bool {
        self.matter_text(file, "draft").is_some_and(|text| text == "true")
    }

    /// Sorts pages by a key, and by Hugo's order where that is equal.
    pub(super) fn sort(&self, pages: &mut [FileId], key: &str) {
        struct RankedPage {
            file: FileId,
            key: String,
            weight: f64,
            date: String,
            title: String,
        }
        let mut all: Vec<RankedPage> = pages
            .iter()
            .map(|file| {
                let weight = self.matter_text(*file, "weight").and_then(|text| text.parse().ok());
                let title = self.link_title_of(*file).to_lowercase();
                RankedPage {
                    file: *file,
                    key: match key {
                        "" | "weight" => String::new(),
                        "title" => self.title_of(*file).to_lowercase(),
                        "linktitle" => title.clone(),
                        key => self.matter_text(*file, key).unwrap_or_default(),
                    },
                    weight: weight.filter(|weight: &f64| *weight != 0.0).unwrap_or(f64::INFINITY),
                    date: self.matter_text(*file, "date").unwrap_or_default(),
                    title,
                }
            })
            .collect();
        all.sort_by(|a, b| {
            let by_key = a.key.cmp(&b.key);
            let by_date = || b.date.cmp(&a.date);
            by_key
                .then_with(|| a.weight.total_cmp(&b.weight))
                .then_with(by_date)
                .then_with(|| a.title.cmp(&b.title))
                .then_with(|| if a.file == b.file { Ordering::Equal } else { self.path(a.file).cmp(self.path(b.file)) })
        });
        for (to, from) in pages.iter_mut().zip(all) {
            *to = from.file;
        }
    }

    /// The files of a page's folder.
    fn resources(&self, file: FileId) -> Vec<FileId> {
        let (name, code) = self.name_of(self.path(file));
        if !matches!(name, "index" | "_index") {
            return Vec::new();
        }
        let start = folder(self.path(file));
        self.files_below(start, |id, path| {
            // pages of a section are pages, those beside a page are its resources
            id != file && (!is_page_file(path) || name == "index" && self.name_of(path).1 == code)
        })
    }

    /// The files of a folder and those below it that match; each that is checked costs a step.
    fn files_below(&self, folder: &str, is_match: impl Fn(FileId, &str) -> bool) -> Vec<FileId> {
        let all = self.text.site.tree.below(folder).take_while(|_| self.spend(1));
        let matching = all.filter(|(id, file)| !file.ignored && is_match(*id, &file.path));
        matching.map(|(id, _)| id).take(MAX_PAGES).collect()
    }

    /// A field of a page, or of a file that is none; `None` if it is not known.
    #[allow(clippy::too_many_lines, reason = "a table: one arm for each field")]
    pub(super) fn page_field<'d>(
        &self,
        file: FileId,
        field: &str,
        arguments: &[HugoValue<'d>],
    ) -> Option<HugoValue<'d>> {
        let path = self.path(file);
        let text = |text: String| Some(HugoValue::Text(text));
        let list = |files: Vec<FileId>| Some(HugoValue::List(files.into_iter().map(HugoValue::Page).collect()));
        let (name, _) = self.name_of(path);
        let is_section = name == "_index";
        let mounted = || self.settings.address(path).map(|found| found.address).unwrap_or_default();
        match field {
            "Title" => text(self.title_of(file)),
            "LinkTitle" => text(self.link_title_of(file)),
            "Description" => text(self.matter_text(file, "description").unwrap_or_default()),
            "Name" if !is_page_file(path) => text(path.rsplit('/').next().unwrap_or(path).to_owned()),
            "Name" => text(self.link_title_of(file)),
            "RelPermalink" | "Permalink" => text(self.link_of(file)),
            "Params" => Some(HugoValue::Params(file)),
            "Param" => {
                let key = arguments.first()?.text().to_lowercase();
                let own = config::value_at_path(&self.matter(file), &key).map(HugoValue::of_json);
                Some(
                    own.filter(|own| *own != HugoValue::Nothing)
                        .unwrap_or_else(|| HugoValue::of(self.settings.parameter(&key, self.text))),
                )
            }
            "Weight" => {
                let weight = self.matter_text(file, "weight").and_then(|text| text.parse().ok());
                Some(HugoValue::Number(weight.unwrap_or_default()))
            }
            "Keywords" | "Aliases" | "Draft" | "Date" | "PublishDate" | "Lastmod" | "Layout" => {
                let matter = self.matter(file);
                Some(matter.get(field.to_lowercase()).map_or(HugoValue::Nothing, HugoValue::of_json))
            }
            "Type" | "Section" => {
                let own = self.matter_text(file, "type").filter(|_| field == "Type");
                let address = mounted();
                let section = address.split_once('/').map_or("", |(section, _)| section);
                text(own.unwrap_or_else(|| section.to_owned()))
            }
            "Kind" => text(match (is_section, mounted().as_str()) {
                (true, "index") => "home".to_owned(),
                (true, _) => "section".to_owned(),
                _ => "page".to_owned(),
            }),
            "IsHome" => Some(HugoValue::Bool(is_section && mounted() == "index")),
            "IsPage" => Some(HugoValue::Bool(!is_section)),
            "IsSection" => Some(HugoValue::Bool(is_section && mounted() != "index")),
            "IsNode" => Some(HugoValue::Bool(is_section)),
            "BundleType" => text(match name {
                "_index" => "branch".to_owned(),
                "index" => "leaf".to_owned(),
                _ => String::new(),
            }),
            "Pages" => list(self.pages_below(file, Kinds::All)),
            "RegularPages" => list(self.pages_below(file, Kinds::Pages)),
            "RegularPagesRecursive" => list(self.pages_below(file, Kinds::Deep)),
            "Sections" => list(self.pages_below(file, Kinds::Sections)),
            "Resources" => list(self.resources(file)),
            "Parent" => Some(self.section_of(file, true).map_or(HugoValue::Nothing, HugoValue::Page)),
            "CurrentSection" => Some(self.section_of(file, false).map_or(HugoValue::Nothing, HugoValue::Page)),
            "FirstSection" => {
                let section = mounted().split('/').next().map(|section| format!("/{section}"))?;
                Some(self.find_content(&section).map_or(HugoValue::Nothing, HugoValue::Page))
            }
            "GetPage" => Some(self.get_page(arguments)),
            "File" => {
                let entry = |key: &str, value: &str| (key.to_owned(), HugoValue::Text(value.to_owned()));
                let below = self
                    .settings
                    .layout
                    .mounts
                    .iter()
                    .filter_map(|mount| Some(path.strip_prefix(mount.folder.as_str())?.trim_start_matches('/')));
                let below = below.min_by_key(|below| below.len()).unwrap_or(path);
                let dir = folder(below);
                let dir = if dir.is_empty() { String::new() } else { format!("{dir}/") };
                let base = if matches!(name, "index" | "_index") { folder(path).rsplit('/').next() } else { None };
                Some(HugoValue::Map(
                    [
                        entry("Path", below),
                        entry("Filename", path),
                        entry("Dir", &dir),
                        entry("LogicalName", path.rsplit('/').next().unwrap_or(path)),
                        entry("BaseFileName", stem(path)),
                        entry("TranslationBaseName", name),
                        entry("ContentBaseName", base.unwrap_or(name)),
                        entry("Ext", path.rsplit('.').next().unwrap_or_default()),
                    ]
                    .into(),
                ))
            }
            "Dir" => {
                let Some(HugoValue::Map(file)) = self.page_field(file, "File", &[]) else { return None };
                file.get("Dir").cloned()
            }
            "Path" => {
                let address = mounted();
                let address = address.strip_suffix("/index").unwrap_or(&address);
                text(format!("/{}", if address == "index" { "" } else { address }))
            }
            "ResourceType" => text(match path.rsplit('.').next().unwrap_or_default() {
                _ if is_page_file(path) => "page".to_owned(),
                "png" | "jpg" | "jpeg" | "gif" | "svg" | "webp" | "avif" => "image".to_owned(),
                _ => "text".to_owned(),
            }),
            "Resize" | "Fit" | "Fill" | "Crop" | "Process" | "Filter" => Some(HugoValue::Page(file)),
            "Ancestors" => {
                let mut all = Vec::new();
                let mut at = file;
                while let Some(above) = self.section_of(at, true).filter(|_| all.len() < 24) {
                    all.push(above);
                    at = above;
                }
                list(all)
            }
            _ => None,
        }
    }

    /// The section that holds a page; with `above`, that around a section.
    fn section_of(&self, file: FileId, above: bool) -> Option<FileId> {
        let path = self.path(file);
        let (name, code) = self.name_of(path);
        if name == "_index" && !above {
            return Some(file);
        }
        let mut at = folder(path);
        if matches!(name, "index" | "_index") {
            at = at.rsplit_once('/').map(|(at, _)| at)?;
        }
        let end = code.map_or_else(String::new, |code| format!(".{code}"));
        loop {
            self.settings.layout.mounts.iter().find(|mount| at.starts_with(mount.folder.as_str()))?;
            if let Some(found) = self.text.site.tree.find(&format!("{at}/_index{end}.md")) {
                return Some(found);
            }
            at = at.rsplit_once('/').map(|(at, _)| at)?;
        }
    }

    /// `GetPage "path"`, `GetPage "section" "path"`.
    pub(super) fn get_page<'d>(&self, arguments: &[HugoValue<'d>]) -> HugoValue<'d> {
        let path = arguments.last().map(HugoValue::text).unwrap_or_default();
        self.find_content(&path).map_or(HugoValue::Nothing, HugoValue::Page)
    }

    /// A function of a list of pages or files.
    pub(super) fn of_list<'d>(
        &self,
        all: &[HugoValue<'d>],
        field: &str,
        arguments: &[HugoValue<'d>],
    ) -> Option<HugoValue<'d>> {
        let files: Vec<FileId> =
            all.iter().filter_map(|one| if let HugoValue::Page(file) = one { Some(*file) } else { None }).collect();
        let is_named = |file: &FileId, pattern: &str| {
            let path = self.path(*file).to_lowercase();
            let pattern = pattern.trim_start_matches('/').to_lowercase();
            path.rsplit('/').next().is_some_and(|name| matches_pattern(&pattern, name))
                || pattern.contains('/')
                    && (path.ends_with(&format!("/{pattern}")) || matches_pattern(&format!("*/{pattern}"), &path))
        };
        let list = |files: Vec<FileId>| Some(HugoValue::List(files.into_iter().map(HugoValue::Page).collect()));
        let argument = || arguments.first().map(HugoValue::text);
        match field {
            "Get" | "GetMatch" => {
                let pattern = argument()?;
                Some(
                    files
                        .iter()
                        .find(|file| is_named(file, &pattern))
                        .map_or(HugoValue::Nothing, |file| HugoValue::Page(*file)),
                )
            }
            "Match" => {
                let pattern = argument()?;
                list(files.into_iter().filter(|file| is_named(file, &pattern)).collect())
            }
            "ByType" => {
                let kind = argument()?;
                let of = |file: FileId| self.page_field(file, "ResourceType", &[]);
                let is_kind = |file: &FileId| matches!(of(*file), Some(HugoValue::Text(own)) if own == kind);
                list(files.into_iter().filter(is_kind).collect())
            }
            "ByWeight" | "ByTitle" | "ByLinkTitle" | "ByDate" | "ByParam" | "ByName" => {
                let mut files = files;
                let own = field.slice(2..).to_lowercase();
                let key = match own.as_str() {
                    "param" => argument()?.to_lowercase(),
                    "name" => "linktitle".to_owned(),
                    _ => own,
                };
                self.sort(&mut files, &key);
                list(files)
            }
            "Reverse" => Some(HugoValue::List(all.iter().rev().cloned().collect())),
            "Len" => Some(HugoValue::Number(all.len() as f64)),
            _ => None,
        }
    }
}

/// Which pages of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kinds {
    All,
    Pages,
    Sections,
    /// Pages of all sections below too.
    Deep,
}

/// Whether a name has a pattern with `*` for any characters.
fn matches_pattern(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*').filter(|_| pattern.contains('*'));
    let Some(first) = parts.next() else { return pattern == name };
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let mut last = first;
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = rest.slice(at + part.len()..);
        last = part;
    }
    last.is_empty() || rest.is_empty() || pattern.ends_with('*') || name.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_have_stars() {
        let names = ["a.md", "b.md", "ab.txt"];
        let found = |pattern: &str| names.map(|name| matches_pattern(pattern, name));
        assert_eq!(found("a*"), [true, false, true]);
        assert_eq!(found("*.md"), [true, true, false]);
        assert_eq!(found("a.md"), [true, false, false]);
        assert_eq!(found("**"), [true, true, true]);
    }
}
