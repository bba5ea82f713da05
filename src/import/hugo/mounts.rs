//! Which folders of a project, and of those around it, are its pages and files.

use globset::GlobMatcher;
use rustc_hash::FxHashSet;
use serde_json::Value;

use base::Diagnostic;
use load::tool::{FolderView, Mount, SourceLayout, ToolInput};
use site::page::PageEntry;
use site::problems::LoadProblems;
use site::tree::{self, SourceTree, join_document_path};

use super::cascade::pattern_of;
use super::config::{self, read_hugo_config_of_view, text_at, value_at_path};
use super::front::MOUNT;
use super::pages::is_page_file;
use super::{HugoSettings, project_folder};

/// Most levels above a project that it may take pages from.
const MAX_MOUNT_LEVELS: usize = 3;
/// Most pages that files have which are mounted more than once.
const MAX_FURTHER_PAGES: usize = 20_000;

/// An entry of `module.mounts`.
pub(super) struct ModuleMount {
    pub(super) source: String,
    /// Without slashes at either end: `content/docs`.
    pub(super) target: String,
    languages: Languages,
    filter: Option<MountFilter>,
}

/// The languages whose pages a folder holds: patterns of their codes; that of the site if there are none.
#[derive(Debug, Default)]
struct Languages {
    only: Vec<GlobMatcher>,
    never: Vec<GlobMatcher>,
}

impl Languages {
    /// `lang`, or `sites.matrix.languages` with `! ` before what is left out.
    fn read(mount: &Value) -> Self {
        let written = mount.get("lang").or_else(|| value_at_path(mount, "sites.matrix.languages"));
        let mut languages = Self::default();
        for pattern in written.map(texts).unwrap_or_default() {
            match pattern.strip_prefix('!') {
                Some(pattern) => languages.never.extend(pattern_of(pattern.trim())),
                None => languages.only.extend(pattern_of(pattern.trim())),
            }
        }
        languages
    }

    fn is_unsaid(&self) -> bool {
        self.only.is_empty() && self.never.is_empty()
    }

    fn has(&self, code: &str) -> bool {
        let is_in = |all: &[GlobMatcher]| all.iter().any(|pattern| pattern.is_match(code));
        (self.only.is_empty() || is_in(&self.only)) && !is_in(&self.never)
    }
}

/// A text, or those of a list.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Array(all) => all.iter().filter_map(config::scalar_text).collect(),
        one => config::scalar_text(one).into_iter().collect(),
    }
}

/// Which files of a folder are mounted: patterns of their paths below it.
#[derive(Clone, Debug)]
pub(super) struct MountFilter {
    /// The folder, from the root of the source.
    folder: String,
    /// One of these has to match, if there are some.
    only: Vec<GlobMatcher>,
    /// None of these may.
    never: Vec<GlobMatcher>,
}

impl MountFilter {
    /// `includeFiles` and `excludeFiles`, or `files` with `! ` before what is left out.
    fn read(mount: &Value) -> Option<Self> {
        let list = |key: &str| mount.get(key).map(texts).unwrap_or_default();
        let (mut only, mut never) = (list("includefiles"), list("excludefiles"));
        for pattern in list("files") {
            match pattern.strip_prefix('!') {
                Some(pattern) => never.push(pattern.trim().to_owned()),
                None => only.push(pattern),
            }
        }
        let compiled =
            |all: Vec<String>| all.iter().filter_map(|one| pattern_of(one.trim_start_matches('/'))).collect();
        let has_some = !only.is_empty() || !never.is_empty();
        has_some.then(|| Self { folder: String::new(), only: compiled(only), never: compiled(never) })
    }

    /// Whether a file, by its path in the source, is left out of what a folder mounts.
    pub(super) fn leaves_out(&self, folder: &str, path: &str) -> bool {
        let Some(below) = path.strip_prefix(folder).filter(|_| folder == self.folder) else { return false };
        let below = below.trim_start_matches('/').to_lowercase();
        let is_in = |all: &[GlobMatcher]| all.iter().any(|pattern| pattern.is_match(&below));
        !self.only.is_empty() && !is_in(&self.only) || is_in(&self.never)
    }
}

impl ModuleMount {
    /// What lies below a part of the site: `docs` for `content/docs` below `content`.
    pub(super) fn below(&self, part: &str) -> Option<&str> {
        let rest = self.target.strip_prefix(part)?;
        if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
    }
}

/// What the configuration mounts.
pub(super) fn module_mounts(value: &Value) -> Vec<ModuleMount> {
    let all = value_at_path(value, "module.mounts").and_then(Value::as_array).into_iter().flatten();
    let read = all.filter_map(|mount| {
        let target = text_at(mount, "target")?.trim_matches('/').to_owned();
        let (languages, filter) = (Languages::read(mount), MountFilter::read(mount));
        Some(ModuleMount { source: text_at(mount, "source")?, target, languages, filter })
    });
    read.collect()
}

/// The folders that are mounted as a part of the site, or below it, from the root of the source; and where below it.
pub(super) fn mounted_as(value: &Value, folder: &str, part: &str) -> Vec<(String, String)> {
    let mounts = module_mounts(value);
    let mounted = mounts.iter().filter_map(|mount| {
        let below = mount.below(part)?.to_owned();
        Some((in_source(folder, &mount.source)?, below))
    });
    mounted.collect()
}

/// The folders and files that the configuration names for a part of the site, from the project: those that are mounted,
/// else the folder of the part.
pub(super) fn folders_of(value: &Value, part: &str, key: &str) -> Vec<String> {
    let mounted: Vec<String> = module_mounts(value)
        .into_iter()
        .filter(|mount| mount.below(part).is_some())
        .map(|mount| mount.source)
        .collect();
    if !mounted.is_empty() {
        return mounted;
    }
    let languages = value.get("languages").and_then(Value::as_object).into_iter().flatten();
    let mut folders: Vec<String> = languages.filter_map(|(_, language)| text_at(language, key)).collect();
    folders.push(text_at(value, key).unwrap_or_else(|| part.to_owned()));
    folders
}

/// A path of the configuration from the root of the source; `None` if it leads out.
pub(super) fn in_source(folder: &str, path: &str) -> Option<String> {
    join_document_path(folder.trim_end_matches('/'), path.trim().trim_matches('/'))
}

/// Says which folders of pages are mounted and not in the source.
pub(super) fn tell_missing_mounts(settings: &HugoSettings, source: &ToolInput<'_>, problems: &mut LoadProblems) {
    for mount in module_mounts(&settings.value).iter().filter(|mount| mount.below("content").is_some()) {
        let is_there =
            |path: String| source.tree.find_any(&path).is_some() || source.tree.below(&path).next().is_some();
        if !in_source(&settings.folder, &mount.source).is_some_and(is_there) {
            let message = format!("`{}` is mounted as `{}` and is not in the source", mount.source, mount.target);
            let hint = "export the folder around both, or correct the path";
            problems.found.push(Diagnostic::warning("config-value", message).at(source.config, 0, 0).hint(hint));
        }
    }
}

/// Whether a folder, from the root of a view, holds pages of a project or lies around all of some.
pub(super) fn holds_pages(view: &FolderView<'_>, config: &str, folder: &str) -> bool {
    let value = read_hugo_config_of_view(view, config);
    let pages = folders_of(&value, "content", "contentdir");
    let is_at_or_below =
        |path: &str, of: &str| path.strip_prefix(of).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let pages = pages.iter().filter_map(|path| in_source(project_folder(config), path));
    pages
        .filter(|path| !path.is_empty())
        .any(|path| is_at_or_below(folder, &path) || is_at_or_below(&path, folder) && path != folder)
}

/// How many levels above a folder the pages of the project in it begin: `source = "../geps"`.
pub(super) fn levels_above(view: &FolderView<'_>, config: &str) -> usize {
    let value = read_hugo_config_of_view(view, config);
    let mounts = module_mounts(&value).into_iter().map(|mount| mount.source);
    let paths = mounts.chain(folders_of(&value, "content", "contentdir"));
    let own = project_folder(config).split('/').filter(|part| !part.is_empty()).count();
    let levels = paths.map(|path| {
        let up = path.trim_start_matches("./").split('/').take_while(|part| *part == "..").count();
        up.saturating_sub(own)
    });
    levels.max().unwrap_or(0).min(MAX_MOUNT_LEVELS)
}

impl HugoSettings {
    /// The folders of pages and of files.
    pub(super) fn mount(&mut self, source: &ToolInput<'_>) {
        let folder = self.folder.clone();
        let in_project = |path: &str| in_source(&folder, path);
        let mounted = module_mounts(&self.value);
        let mut layout = std::mem::take(&mut self.layout);
        for mount in &mounted {
            let Some(from) = in_project(&mount.source) else { continue };
            if let Some(rest) = mount.below("content") {
                self.filters
                    .extend(mount.filter.iter().map(|filter| MountFilter { folder: from.clone(), ..filter.clone() }));
                layout.mounts.extend(self.prefixes_of(&mount.languages).into_iter().map(|prefix| {
                    let at = [prefix.as_str(), rest].join("/").trim_matches('/').to_owned();
                    Mount { folder: from.clone(), at }
                }));
            } else if let Some(rest) = mount.below("static") {
                layout.statics.push(Mount { folder: from, at: rest.to_owned() });
            }
        }
        // a part that is mounted has no folder of its own beside that
        if layout.mounts.is_empty() {
            for language in &self.languages {
                if let Some(own) = text_at(&language.value, "contentdir").and_then(|own| in_project(&own)) {
                    layout.mounts.push(Mount { folder: own, at: self.prefix_of(&language.code) });
                }
            }
            let content = text_at(&self.value, "contentdir").unwrap_or_else(|| "content".to_owned());
            let content = in_project(&content).unwrap_or_else(|| format!("{folder}content"));
            if !layout.mounts.iter().any(|mount| mount.folder == content) {
                layout.mounts.push(Mount { folder: content, at: self.prefix_of(&self.default_language) });
            }
        }
        if layout.statics.is_empty() {
            layout
                .statics
                .extend(self.static_folders().iter().filter_map(|own| in_project(own)).map(|own| Mount::root(&own)));
        }
        self.mount_assets(&mounted, source, &mut layout);
        self.layout = layout;
        self.bundles = self.page_bundles(source);
    }

    /// What the languages of a mount put before its addresses, that of the site last: its page is the one that has the
    /// file.
    fn prefixes_of(&self, languages: &Languages) -> Vec<String> {
        let codes: Vec<String> = self.languages.iter().map(|language| language.code.to_lowercase()).collect();
        if languages.is_unsaid() || codes.len() < 2 {
            return vec![String::new()];
        }
        let mut codes: Vec<String> = codes.into_iter().filter(|code| languages.has(code)).collect();
        codes.sort_by_key(|code| *code == self.default_language);
        codes.iter().map(|code| self.prefix_of(code)).collect()
    }

    /// The folders of pages that have files beside them: other pages in them are such files. The root of the pages is
    /// none, and no folder that is a section.
    fn page_bundles(&self, source: &ToolInput<'_>) -> FxHashSet<String> {
        let is_named = |path: &str, name: &str| {
            let own = path.rsplit('/').next().unwrap_or(path);
            is_page_file(own) && own.split('.').next() == Some(name)
        };
        let mut found: FxHashSet<String> = FxHashSet::default();
        let files = || source.tree.files.iter().filter(|file| !file.ignored).map(|file| file.path.as_str());
        found.extend(files().filter(|path| is_named(path, "index")).map(|path| tree::folder(path).to_owned()));
        for mount in &self.layout.mounts {
            found.remove(&mount.folder);
        }
        for section in files().filter(|path| is_named(path, "_index")) {
            found.remove(tree::folder(section));
        }
        found
    }

    /// Whether a file is part of a page: it lies in the folder of that, or below it.
    pub(super) fn is_in_bundle(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        let mut folder = tree::folder(path);
        if name.split('.').next() == Some("index") {
            folder = tree::folder(folder);
        }
        while !folder.is_empty() {
            if self.bundles.contains(folder) {
                return true;
            }
            folder = tree::folder(folder);
        }
        false
    }

    /// The pages of files that are mounted more than once: each further address has a page of its own.
    pub(super) fn further_pages(&self, pages: &[PageEntry], files: &SourceTree) -> Vec<PageEntry> {
        let mut further = Vec::new();
        if self.layout.mounts.len() < 2 {
            return further;
        }
        let mut taken: FxHashSet<String> = pages.iter().map(|page| page.slug.clone()).collect();
        for page in pages {
            let Some(path) = page.file.map(|file| files.path(file)) else { continue };
            let Some(own) = self.address(path).map(|found| found.address) else { continue };
            for (number, mount) in self.layout.mounts.iter().enumerate() {
                let Some(address) = self.found_at(mount, path).map(|found| found.address) else { continue };
                let slug = match page.slug.rsplit_once('/') {
                    _ if page.slug == own => address,
                    // its front matter names its last part
                    Some((folder, name)) if folder == tree::folder(&own) => {
                        [tree::folder(&address), name].join("/").trim_matches('/').to_owned()
                    }
                    _ => continue,
                };
                if further.len() < MAX_FURTHER_PAGES && taken.insert(slug.clone()) {
                    let mut meta = page.meta.clone();
                    meta.extra.push((MOUNT, number.to_string()));
                    further.push(PageEntry { slug, meta, ..page.clone() });
                }
            }
        }
        further
    }

    /// `staticDir`: one folder, or several.
    fn static_folders(&self) -> Vec<String> {
        self.value.get("staticdir").map_or_else(|| vec!["static".to_owned()], texts)
    }

    /// What the theme's templates read: logos.
    fn mount_assets(&self, mounted: &[ModuleMount], source: &ToolInput<'_>, layout: &mut SourceLayout) {
        let folder = &self.folder;
        if source.text(&format!("{folder}assets/icons/logo.svg")).is_some() {
            layout.statics.push(Mount { folder: format!("{folder}assets/icons"), at: "assets/icons".to_owned() });
        }
        let others =
            mounted.iter().filter_map(|mount| Some((in_source(folder, &mount.source)?, mount.below("assets")?)));
        let others = others.map(|(from, below)| Mount { folder: from, at: format!("assets/{below}") });
        layout.statics.extend(others.map(|mount| Mount { at: mount.at.trim_end_matches('/').to_owned(), ..mount }));
    }
}
