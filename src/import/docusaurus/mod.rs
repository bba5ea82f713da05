//! Docusaurus: `docusaurus.config.*` beside or above `docs`.
//!
//! `plugins` reads which folders hold documents, posts and pages; `front` the front matter with the addresses;
//! `sidebar` the sidebars, of which `order` makes the navigation, and the pages of categories; `look` the name, colors
//! and links of the site; `text` writes what pages hold as the components of this format (`fence` their code blocks,
//! `npm` commands for other package managers), `shim` what pages and scripts import from packages.

mod blog;
mod fence;
mod front;
mod look;
pub(super) mod npm;
mod order;
mod plugins;
mod shim;
mod sidebar;
mod text;

use std::collections::BTreeMap;

use serde_json::Value;

use base::cut::SliceText as _;
use base::{Diagnostic, Place, Problem};
use load::Site;
use load::tool::{
    Dashes, FolderView, Mount, PageFacts, PageSource, Project, RenderedText, SCRIPTS, SourceLayout, Tool, ToolInput,
    script,
};
use nav::order::PageOrder;
use site::config::Config;
use site::heading_ids::HeadingIds;
use site::page::{Dialect, PageEntry};
use site::problems::LoadProblems;
use site::tree::{self, SourceTree};
use site::yaml::parse_yaml;

use super::folder_names::folder_names;
use plugins::{Docs, DocumentFolder, DocusaurusBlog, DocusaurusLocale, read_plugins};

/// Docusaurus.
#[derive(Debug)]
pub(super) struct Docusaurus;

impl Tool for Docusaurus {
    fn name(&self) -> &'static str {
        "docusaurus"
    }

    fn title(&self) -> &'static str {
        "Docusaurus"
    }

    fn detect(&self, folder: &FolderView<'_>) -> Option<String> {
        folder.first_of(&["", "website/", "docs/", "site/", "documentation/"], "docusaurus.config", &SCRIPTS)
    }

    fn stands_for(&self, project: &FolderView<'_>, config: &str, folder: &str) -> bool {
        let beside = tree::folder(config);
        let docs = if beside.is_empty() { "docs".to_owned() } else { format!("{beside}/docs") };
        folder == docs || folder == "docs" && self.levels_above_of(project, config) > 0 || folder == beside
    }

    fn levels_above(&self, folder: &FolderView<'_>, config: &str) -> usize {
        if config.contains('/') { 0 } else { self.levels_above_of(folder, config) }
    }

    fn open(&self, source: &ToolInput<'_>, problems: &mut LoadProblems) -> Option<Box<dyn Project>> {
        let value = source.evaluated(problems);
        if value.is_null() {
            return None;
        }
        Some(Box::new(DocusaurusSettings::read(source, value, problems)))
    }
}

impl Docusaurus {
    /// `path: '../docs'`: the configuration is a program that has not run yet, so its text is looked at.
    fn levels_above_of(&self, folder: &FolderView<'_>, config: &str) -> usize {
        let text = folder.text(config).unwrap_or_default();
        let paths = text.match_indices("path:").map(|(at, key)| text.slice(at + key.len()..).trim_start());
        let levels = paths.map(|rest| {
            let path = rest.trim_start_matches(['"', '\'', '`']);
            path.split('/').take_while(|part| *part == "..").count()
        });
        levels.max().unwrap_or(0).min(2)
    }
}

/// What the configuration of a project says, and what follows from its files.
#[derive(Debug, Default)]
struct DocusaurusSettings {
    /// The folder of the project, without a slash at its end.
    folder: String,
    /// The file of the configuration.
    config: String,
    /// The configuration.
    value: Value,
    docs: Vec<Docs>,
    blogs: Vec<DocusaurusBlog>,
    /// Languages, the default first.
    locales: Vec<DocusaurusLocale>,
    /// The folders of pages, the deepest first.
    folders: Vec<DocumentFolder>,
    layout: SourceLayout,
    /// What is said of the folders of categories, by path.
    categories: BTreeMap<String, Value>,
    /// Colors of the project's style sheets.
    colors: look::SheetColors,
    /// Components that every page knows: (name, module).
    components: Vec<(String, String)>,
    /// Pages that are programs.
    scripts: Vec<String>,
    /// Small files of data that pages and scripts import, by path.
    data: BTreeMap<String, String>,
    /// What names of modules begin with, and the folders or files that they stand for.
    names: Vec<(String, String)>,
    /// Quotes that begin with `[!NOTE]` are boxes.
    has_alerts: bool,
}

/// Largest file of data that is put into what imports it.
const MAX_DATA_BYTES: u64 = 200_000;

impl DocusaurusSettings {
    fn read(source: &ToolInput<'_>, value: Value, problems: &mut LoadProblems) -> Self {
        let mut settings =
            Self { folder: source.folder().to_owned(), config: source.config.to_owned(), value, ..Self::default() };
        read_plugins(&mut settings, source, problems);
        settings.names = settings.names_of_folders(source);
        settings.mount(source);
        settings.read_files(source);
        settings.colors = look::sheet_colors(&settings, source);
        settings.components = shim::global_components(&settings, source);
        settings.leave_out_scripts(source, problems);
        settings
    }

    /// Leaves out the pages that are programs and need packages, which are not there.
    fn leave_out_scripts(&mut self, source: &ToolInput<'_>, problems: &mut LoadProblems) {
        let scripts = std::mem::take(&mut self.scripts);
        for path in scripts {
            match shim::missing_package(self, source, &path) {
                None => self.scripts.push(path),
                Some(package) => {
                    let message = format!("`{path}` is left out: it is a program that needs the package `{package}`");
                    let hint = "write the page as Markdown, or copy what it needs into the repository";
                    problems.found.push(Diagnostic::new("page-program", message).at(path.as_str(), 0, 0).hint(hint));
                }
            }
        }
    }

    /// Names that plugins give to the bundler, then those of `tsconfig.json`; the longest first.
    fn names_of_folders(&self, source: &ToolInput<'_>) -> Vec<(String, String)> {
        let aliases = script::json_at_path(&self.value, &["$aliases"]).as_object().into_iter().flatten();
        let aliases = aliases.filter_map(|(name, to)| Some((name.clone(), to.as_str()?)));
        let mut names: Vec<(String, String)> =
            aliases.filter_map(|(name, to)| Some((name, self.inside(to)?))).collect();
        for (name, folder) in folder_names(source, &self.folder) {
            names.push((name.trim_end_matches('/').to_owned(), folder.trim_end_matches('/').to_owned()));
        }
        names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        names
    }

    /// The path that a name of a module means by the folder that it begins with.
    fn named_path(&self, from: &str) -> Option<String> {
        let is_below = |rest: &&str| rest.is_empty() || rest.starts_with('/');
        let found = self.names.iter().filter(|(name, _)| !name.is_empty()).find_map(|(name, to)| {
            // the mark at its end says that nothing follows
            let rest = match name.strip_suffix('$') {
                Some(whole) => from.strip_prefix(whole).filter(|rest| rest.is_empty()),
                None => from.strip_prefix(name.as_str()).filter(is_below),
            };
            Some((to, rest?))
        });
        found.map(|(to, rest)| plugins::join_address(&[to, rest]))
    }

    /// A path of the configuration, from the root of the source.
    fn inside(&self, path: &str) -> Option<String> {
        let path = path.trim().trim_end_matches('/');
        // what the configuration resolves is absolute
        match path.strip_prefix('/') {
            Some(whole) => tree::join_document_path("", whole),
            None => tree::join_document_path(&self.folder, path),
        }
    }

    /// The folders of pages and of files.
    fn mount(&mut self, source: &ToolInput<'_>) {
        self.folders.sort_by(|a, b| b.path.len().cmp(&a.path.len()).then_with(|| a.path.cmp(&b.path)));
        let mounted = self.folders.iter().map(|folder| Mount { folder: folder.path.clone(), at: folder.at() });
        self.layout.mounts = mounted.collect();
        // files that pages and components import
        if let Some(own) = self.inside("src") {
            self.layout.mounts.push(Mount { folder: own, at: "_src".to_owned() });
        }
        let named = script::json_at_path(&self.value, &["staticDirectories"]).as_array();
        let named: Vec<&str> =
            named.map_or_else(|| vec!["static"], |all| all.iter().filter_map(Value::as_str).collect());
        self.layout.statics =
            named.iter().filter_map(|path| self.inside(path)).map(|path| Mount::root(&path)).collect();
        let is_page = |path: &&String| {
            let folder = self.folder_of(path);
            folder.is_some_and(|folder| matches!(folder.kind, plugins::FolderKind::Pages) && folder.locale == 0)
                && [".js", ".jsx", ".tsx"].iter().any(|ending| path.ends_with(ending))
                && folder.and_then(|folder| Some(folder.files.has(folder.rest(path)?))) == Some(true)
        };
        let paths = source.tree.files.iter().map(|file| &file.path);
        self.scripts = paths.filter(is_page).cloned().collect();
    }

    /// Reads the files of categories, and data.
    fn read_files(&mut self, source: &ToolInput<'_>) {
        for file in &source.tree.files {
            let name = file.path.rsplit('/').next().unwrap_or_default();
            if matches!(name, "_category_.json" | "_category_.yml" | "_category_.yaml") {
                let Some(text) = source.text(&file.path) else { continue };
                // JSON is YAML; a file that is neither says nothing
                let Ok(entries) = parse_yaml(&text, true) else { continue };
                let members = entries.iter().map(|entry| (entry.key.clone(), entry.value.to_json()));
                self.categories.insert(tree::folder(&file.path).to_owned(), Value::Object(members.collect()));
            } else if name.ends_with(".json")
                && file.size <= MAX_DATA_BYTES
                && (file.path.starts_with(self.folder.as_str()) || self.folder_of(&file.path).is_some())
                && !matches!(name, "package.json" | "package-lock.json" | "tsconfig.json")
                && !self.layout.statics.iter().any(|mount| mount.address(&file.path).is_some())
                && let Some(text) = source.text(&file.path)
                && serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok()
            {
                self.data.insert(file.path.clone(), text);
            }
        }
    }

    /// The folder of pages that a file lies in.
    fn folder_of(&self, path: &str) -> Option<&DocumentFolder> {
        self.folders.iter().find(|folder| folder.rest(path).is_some())
    }

    /// The language of an address.
    fn locale_of(&self, slug: &str) -> usize {
        let first = slug.split('/').next().unwrap_or_default();
        let found = self.locales.iter().skip(1).position(|locale| locale.has_pages && locale.code == first);
        found.map_or(0, |at| at + 1)
    }

    /// How a file is read.
    fn dialect(&self, path: &str, own: Option<&str>) -> Dialect {
        let format = own.or_else(|| script::text_at(&self.value, &["markdown", "format"])).unwrap_or("mdx");
        match format {
            "md" => Dialect::Markdown,
            "detect" if path.ends_with(".md") => Dialect::Markdown,
            _ => Dialect::Mdx,
        }
    }
}

impl Project for DocusaurusSettings {
    fn layout(&self) -> &SourceLayout {
        &self.layout
    }

    fn known_keys(&self) -> Option<&'static [&'static str]> {
        Some(&["title", "description", "keywords"])
    }

    fn heading_ids(&self) -> HeadingIds {
        HeadingIds::GitHub
    }

    fn punctuation(&self, _dialect: Dialect) -> Option<Dashes> {
        None
    }

    fn read_page(&self, source: &PageSource<'_>, facts: &mut PageFacts) {
        front::read_docusaurus_front(self, source, facts);
    }

    fn generated_pages(&self, pages: &[PageEntry], tree: &SourceTree) -> Vec<PageEntry> {
        order::generated_pages(self, pages, tree)
    }

    fn configure(&self, config: &mut Config, tree: &SourceTree) {
        look::configure_docusaurus(self, config, tree);
    }

    fn navigation(&self, site: &Site) -> PageOrder {
        PageOrder::Menu(order::docusaurus_menu(self, site))
    }

    fn without_marks(&self, text: &str) -> Option<String> {
        fence::without_magic_comments(&self.value, text)
    }

    fn rewrite(&self, text: &RenderedText<'_>, _problems: &mut Vec<Problem>) -> Option<Vec<(String, Place)>> {
        text::rewrite_docusaurus_text(self, text)
    }

    fn rewrite_script(&self, site: &Site, path: &str, text: &str) -> Option<String> {
        shim::rewrite_script_imports(self, site, path, text)
    }
}
