//! VitePress: `.vitepress/config.*` in the folder of the pages or beside it.
//!
//! `config` reads what is said of files and languages, `pattern` the patterns of `rewrites`, `front` the front matter;
//! `menu` makes the navigation, `look` the name, colors and links of the site; `text` writes what only VitePress knows
//! as Markdown (`fence` and `tabs` code blocks and tabs of a plugin), with the values that `values` finds for `{{ … }}`, which may be written out as a `literal`, the entries
//! that `repeat` writes for `v-for`, the `team` page of the theme, and the words of the project's own `components`.

mod budget;
mod components;
pub(super) mod config;
mod elements;
mod fence;
mod front;
mod literal;
mod look;
mod menu;
mod pattern;
mod preserved;
mod repeat;
mod tabs;
mod team;
mod text;
mod values;

use base::extension::is_markdown;
use base::lines::PlacedLines;
use base::{Diagnostic, Place, Problem};
use load::Site;
use load::tool::{
    FolderView, Mount, PageFacts, PageSource, Project, RenderedText, SCRIPTS, SourceLayout, Tool, ToolInput,
};
use nav::order::PageOrder;
use site::config::Config;
use site::heading_ids::HeadingIds;
use site::problems::LoadProblems;
use site::tree::SourceTree;

use config::VitePressConfig;

/// VitePress.
#[derive(Debug)]
pub(super) struct VitePress;

impl Tool for VitePress {
    fn name(&self) -> &'static str {
        "vitepress"
    }

    fn title(&self) -> &'static str {
        "VitePress"
    }

    fn detect(&self, folder: &FolderView<'_>) -> Option<String> {
        const FOLDERS: [&str; 7] = [
            ".vitepress/",
            "docs/.vitepress/",
            "doc/.vitepress/",
            "website/.vitepress/",
            "site/.vitepress/",
            "www/.vitepress/",
            "documentation/.vitepress/",
        ];
        folder.first_of(&FOLDERS, "config", &SCRIPTS).or_else(|| folder.first_of(&FOLDERS, "config/index", &SCRIPTS))
    }

    fn stands_for(&self, _project: &FolderView<'_>, config: &str, folder: &str) -> bool {
        // the pages are all around the folder of the configuration
        let root = config.split_once(".vitepress/").map_or("", |(root, _)| root);
        let is_hidden =
            folder.starts_with('.') || folder.contains("/.") || folder.split('/').any(|it| it == "node_modules");
        let is_below = |root: &str| folder.strip_prefix(root).is_some_and(|it| it.is_empty() || it.starts_with('/'));
        !is_hidden && (root.is_empty() || is_below(root.trim_end_matches('/')))
    }

    fn open(&self, source: &ToolInput<'_>, problems: &mut LoadProblems) -> Option<Box<dyn Project>> {
        let value = source.evaluated(problems);
        let options = VitePressConfig::read(value, source, ".vitepress");
        tell_templates(&options, source, problems);
        Some(Box::new(VitePressSettings::new(options, source)))
    }
}

impl VitePressSettings {
    pub(super) fn new(options: VitePressConfig, source: &ToolInput<'_>) -> Self {
        let layout =
            SourceLayout { statics: vec![Mount::root(&options.public)], ..SourceLayout::of_folder(&options.pages) };
        let colors = look::vitepress_colors(source, &options);
        Self { options, layout, colors }
    }

    /// Lines of a page that are as VitePress reads them.
    pub(super) fn rewrite_lines(
        &self,
        text: &RenderedText<'_>,
        lines: PlacedLines,
        problems: &mut Vec<Problem>,
    ) -> PlacedLines {
        text::rewrite_vitepress_lines(&self.options, text, lines, problems)
    }
}

/// Says which files are made to pages by programs.
fn tell_templates(options: &VitePressConfig, source: &ToolInput<'_>, problems: &mut LoadProblems) {
    let files = source.tree.files.iter().filter(|file| !file.ignored && is_markdown(&file.path));
    for file in files.filter(|file| options.inside(&file.path).is_some_and(is_template)) {
        let message = format!("`{}` is left out: a program makes its pages", file.path);
        let hint = "write the pages out as files";
        problems.found.push(Diagnostic::new("page-template", message).at(file.path.as_str(), 0, 0).hint(hint));
    }
}

/// `[name].md`
fn is_template(inside: &str) -> bool {
    inside.split('/').any(|part| part.split_once('[').is_some_and(|(_, rest)| rest.contains(']')))
}

/// What its configuration says.
#[derive(Debug)]
pub(super) struct VitePressSettings {
    pub(super) options: VitePressConfig,
    pub(super) layout: SourceLayout,
    /// The accent, light and dark.
    pub(super) colors: (Option<String>, Option<String>),
}

impl Project for VitePressSettings {
    fn layout(&self) -> &SourceLayout {
        &self.layout
    }

    fn known_keys(&self) -> Option<&'static [&'static str]> {
        Some(&front::KNOWN)
    }

    fn heading_ids(&self) -> HeadingIds {
        HeadingIds::Vue
    }

    fn heading_words(&self, page: &PageSource<'_>, words: &str) -> Option<String> {
        values::with_front_values(&self.options, page, words)
    }

    fn shows_descriptions(&self) -> bool {
        false
    }

    fn read_page(&self, source: &PageSource<'_>, facts: &mut PageFacts) {
        let Some(inside) = self.options.inside(source.path) else { return };
        let is_outside = self.options.is_excluded(inside) || inside.starts_with("public/");
        if is_outside || is_template(inside) || !inside.ends_with(".md") {
            facts.address = Some(inside.to_owned());
            facts.is_part = true;
            return;
        }
        facts.address = Some(self.options.address(inside));
        front::read_vitepress_front(source, facts);
    }

    fn configure(&self, config: &mut Config, tree: &SourceTree) {
        look::configure_vitepress(&self.options, &self.colors, config, tree);
    }

    fn navigation(&self, site: &Site) -> PageOrder {
        menu::vitepress_order(&self.options, site)
    }

    fn includes_files(&self) -> bool {
        true
    }

    fn rewrite(&self, text: &RenderedText<'_>, problems: &mut Vec<Problem>) -> Option<Vec<(String, Place)>> {
        text::rewrite_vitepress_text(&self.options, text, problems)
    }
}
