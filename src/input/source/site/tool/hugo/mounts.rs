//! Which folders of a project, and of those around it, are its pages and files.

use globset::GlobMatcher;
use serde_json::Value;

use crate::base::Diagnostic;
use crate::source::site::problems::Problems;
use crate::source::site::tool::{Layout, Mount, Opening, View};
use crate::source::site::tree::join_document_path;

use super::cascade::pattern_of;
use super::config::{self, read_hugo_config_of_view, text_at, value_at_path};
use super::{HugoSettings, project_folder};

/// Most levels above a project that it may take pages from.
const MAX_LEVELS: usize = 3;

/// An entry of `module.mounts`.
pub(super) struct ModuleMount {
    pub(super) source: String,
    /// Without slashes at either end: `content/docs`.
    pub(super) target: String,
    lang: Option<String>,
    filter: Option<Filter>,
}

/// Which files of a folder are mounted: patterns of their paths below it.
#[derive(Clone, Debug)]
pub(super) struct Filter {
    /// The folder, from the root of the source.
    folder: String,
    /// One of these has to match, if there are some.
    only: Vec<GlobMatcher>,
    /// None of these may.
    never: Vec<GlobMatcher>,
}

impl Filter {
    /// `includeFiles` and `excludeFiles`, or `files` with `! ` before what is left out.
    fn read(mount: &Value) -> Option<Self> {
        let list = |key: &str| -> Vec<String> {
            match mount.get(key) {
                Some(Value::Array(all)) => all.iter().filter_map(config::scalar_text).collect(),
                Some(one) => config::scalar_text(one).into_iter().collect(),
                None => Vec::new(),
            }
        };
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
        let filter = Filter::read(mount);
        Some(ModuleMount { source: text_at(mount, "source")?, target, lang: text_at(mount, "lang"), filter })
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
pub(super) fn tell_missing_mounts(settings: &HugoSettings, source: &Opening<'_>, problems: &mut Problems) {
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
pub(super) fn holds_pages(view: &View<'_>, config: &str, folder: &str) -> bool {
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
pub(super) fn levels_above(view: &View<'_>, config: &str) -> usize {
    let value = read_hugo_config_of_view(view, config);
    let mounts = module_mounts(&value).into_iter().map(|mount| mount.source);
    let paths = mounts.chain(folders_of(&value, "content", "contentdir"));
    let own = project_folder(config).split('/').filter(|part| !part.is_empty()).count();
    let levels = paths.map(|path| {
        let up = path.trim_start_matches("./").split('/').take_while(|part| *part == "..").count();
        up.saturating_sub(own)
    });
    levels.max().unwrap_or(0).min(MAX_LEVELS)
}

impl HugoSettings {
    /// The folders of pages and of files.
    pub(super) fn mount(&mut self, source: &Opening<'_>) {
        let folder = self.folder.clone();
        let in_project = |path: &str| in_source(&folder, path);
        let mounted = module_mounts(&self.value);
        let mut layout = std::mem::take(&mut self.layout);
        for mount in &mounted {
            let Some(from) = in_project(&mount.source) else { continue };
            let prefix = mount.lang.as_ref().map_or_else(String::new, |code| self.prefix_of(&code.to_lowercase()));
            if let Some(rest) = mount.below("content") {
                self.filters
                    .extend(mount.filter.iter().map(|filter| Filter { folder: from.clone(), ..filter.clone() }));
                let at = [prefix.as_str(), rest].join("/").trim_matches('/').to_owned();
                layout.mounts.push(Mount { folder: from, at });
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
    }

    /// `staticDir`: one folder, or several.
    fn static_folders(&self) -> Vec<String> {
        match self.value.get("staticdir") {
            Some(Value::Array(all)) => all.iter().filter_map(config::scalar_text).collect(),
            Some(one) => config::scalar_text(one).into_iter().collect(),
            None => vec!["static".to_owned()],
        }
    }

    /// What the theme's templates read: logos.
    fn mount_assets(&self, mounted: &[ModuleMount], source: &Opening<'_>, layout: &mut Layout) {
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
