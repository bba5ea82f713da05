//! MkDocs with any theme, above all Material, and Zensical: `mkdocs.yml` or `zensical.toml` above the folder of the
//! pages.
//!
//! `config` reads the configuration, `syntax` which extensions of Markdown it uses; `place` and `pattern` say which files
//! are pages and where, `front` what their front matter means, `blog` what posts are; `nav`, `folders` and `awesome` make
//! the navigation, `look` name, colors and links; `text` writes Python-Markdown of this program, `slug`
//! its ids of headings, and `tags` the lists of tags.

mod awesome;
mod blog;
mod config;
mod folders;
mod front;
mod look;
mod nav;
mod pattern;
mod place;
mod syntax;
mod tags;
mod text;
mod zensical;

use ::nav::order::PageOrder;
use base::{Diagnostic, Place, Problem};
use load::Site;
use load::tool::{
    Dashes, FolderView, PageFacts, PageFront, PageSource, Project, RenderedText, SourceLayout, Tool, ToolInput,
    path_in_source_root,
};
use site::config::Config;
use site::heading_ids::HeadingIds;
use site::page::{Dialect, PageEntry};
use site::problems::LoadProblems;
use site::tree::{self, SourceTree};

use config::MkDocsConfig;
use place::{FoundPage, MkDocsPlaces};
use syntax::MkDocsSyntax;

/// MkDocs, with any theme.
#[derive(Debug)]
pub(super) struct MkDocs;

impl Tool for MkDocs {
    fn name(&self) -> &'static str {
        "mkdocs"
    }

    fn title(&self) -> &'static str {
        "MkDocs"
    }

    fn detect(&self, folder: &FolderView<'_>) -> Option<String> {
        let in_folders = |folders: &[&str]| {
            let found = folder.first_of(folders, "mkdocs", &[".yml", ".yaml"]);
            found.or_else(|| folder.first_of(folders, "zensical", &[".toml", ".yml", ".yaml"]))
        };
        in_folders(&[""]).or_else(|| in_folders(&["docs/", "docs/en/"]))
    }

    fn stands_for(&self, project: &FolderView<'_>, config: &str, folder: &str) -> bool {
        let text = project.text(config).unwrap_or_default();
        path_in_source_root(tree::folder(config), &MkDocsConfig::docs_dir(config, &text))
            .is_some_and(|pages| pages == folder)
    }

    fn open(&self, source: &ToolInput<'_>, problems: &mut LoadProblems) -> Option<Box<dyn Project>> {
        let options = MkDocsConfig::read(source, problems)?;
        tell_programs(&options, source, problems);
        let layout =
            SourceLayout { config_files: files_of(&options, source), ..SourceLayout::of_folder(&options.pages) };
        Some(Box::new(MkDocsSettings {
            syntax: MkDocsSyntax::of(&options),
            places: MkDocsPlaces::of(&options, source),
            colors: look::mkdocs_colors(&options, source),
            banner: look::mkdocs_banner(&options, source),
            orders: folders::orders(&options, source),
            layout,
            options,
        }))
    }
}

/// The files that say how the site is.
fn files_of(options: &MkDocsConfig, source: &ToolInput<'_>) -> Vec<String> {
    let is_order = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        matches!(name, ".pages" | ".nav.yml" | "SUMMARY.md" | ".authors.yml")
    };
    let orders = source.tree.files.iter().filter(|file| options.inside(&file.path).is_some_and(is_order));
    options.files.iter().cloned().chain(orders.map(|file| file.path.clone())).collect()
}

/// Says once what of a project are programs, which are not run.
fn tell_programs(options: &MkDocsConfig, source: &ToolInput<'_>, problems: &mut LoadProblems) {
    /// Plugins that make or change pages by programs and have no part here.
    const PLUGINS: [&str; 7] =
        ["gen-files", "mkdocstrings", "mkdocs-jupyter", "table-reader", "exec", "markdown-exec", "social"];
    let hooks: Vec<String> = config::list_of(options.at(&["hooks"])).filter_map(config::yaml_text).collect();
    let mut names: Vec<String> = hooks.iter().map(|path| format!("`{path}`")).collect();
    names.extend(PLUGINS.iter().filter(|name| options.plugin(name).is_some()).map(|name| format!("plugin `{name}`")));
    let custom = options.text(&["theme", "custom_dir"]).and_then(|folder| path_in_source_root(&options.root, &folder));
    let has_announcement = custom.is_some_and(|folder| {
        path_in_source_root(&folder, "main.html")
            .and_then(|path| source.text(&path))
            .is_some_and(|text| text.contains("block announce"))
    });
    if has_announcement && look::mkdocs_banner(options, source).is_none() {
        names.push("the announcement in `main.html`".to_owned());
    }
    if let (Some(path), false) = (options.files.first(), names.is_empty()) {
        let message = format!("programs in Python and templates are not run: {}", names.join(", "));
        let hint = "write what they add into the pages";
        problems.found.push(Diagnostic::new("config-program", message).at(path.as_str(), 0, 0).hint(hint));
    }
}

/// What the configuration of a project says, and what follows from its files.
#[derive(Debug)]
struct MkDocsSettings {
    options: MkDocsConfig,
    syntax: MkDocsSyntax,
    places: MkDocsPlaces,
    /// Colors of style sheets, light and dark.
    colors: (Option<String>, Option<String>),
    banner: Option<String>,
    /// What files beside the pages say of their order.
    orders: folders::Orders,
    layout: SourceLayout,
}

impl MkDocsSettings {
    /// The address of a page.
    fn address(&self, found: &FoundPage, source: &PageSource<'_>) -> String {
        let post = self.places.blogs.iter().find_map(|blog| blog.post(&found.stem, source));
        post.map_or_else(|| found.address.clone(), |post| post.address)
    }

    /// The words of a status: `new`.
    fn status(&self, name: &str) -> String {
        let known = match name {
            "new" => "New",
            "deprecated" => "Deprecated",
            name => name,
        };
        // the words of the configuration are a sentence
        if matches!(name, "new" | "deprecated") {
            known.to_owned()
        } else {
            self.options.text(&["extra", "status", name]).unwrap_or_else(|| known.to_owned())
        }
    }
}

impl Project for MkDocsSettings {
    fn layout(&self) -> &SourceLayout {
        &self.layout
    }

    fn known_keys(&self) -> Option<&'static [&'static str]> {
        Some(&front::KNOWN)
    }

    fn heading_ids(&self) -> HeadingIds {
        HeadingIds::Python(self.syntax.slug)
    }

    fn shows_descriptions(&self) -> bool {
        false
    }

    fn punctuation(&self, _dialect: Dialect) -> Option<Dashes> {
        self.syntax.is_typographic.then_some(Dashes::Both)
    }

    fn complete_front(&self, path: &str, text: &str, front: &mut PageFront) {
        if self.options.inside(path).is_some() {
            front::read_meta_lines(text, front);
        }
    }

    fn read_page(&self, source: &PageSource<'_>, facts: &mut PageFacts) {
        front::read_mkdocs_front(self, source, facts);
    }

    fn configure(&self, config: &mut Config, tree: &SourceTree) {
        look::configure_mkdocs(&self.options, &self.colors, self.banner.as_deref(), config, tree);
    }

    fn generated_pages(&self, pages: &[PageEntry], _tree: &SourceTree) -> Vec<PageEntry> {
        nav::generated_pages(self, pages)
    }

    fn navigation(&self, site: &Site) -> PageOrder {
        PageOrder::Menu(nav::mkdocs_menu(self, site))
    }

    fn includes_files(&self) -> bool {
        true
    }

    fn rewrite(&self, text: &RenderedText<'_>, problems: &mut Vec<Problem>) -> Option<Vec<(String, Place)>> {
        let mut lines = text::rewrite_mkdocs_text(self, text, problems);
        nav::add_posts(self, text, &mut lines);
        Some(lines)
    }
}
