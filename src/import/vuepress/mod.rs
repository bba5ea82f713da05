//! VuePress, 1 and 2: `.vuepress/config.*` in the folder of the pages.
//!
//! `config` says in the words of VitePress what the configuration says; the reader of that does the rest. `text` writes
//! what pages hold that VitePress has other words for.

mod config;
mod text;

use base::{Place, Problem};
use load::Site;
use load::tool::script::text_at;
use load::tool::{FolderView, PageFacts, PageSource, Project, RenderedText, SCRIPTS, SourceLayout, Tool, ToolInput};
use nav::order::PageOrder;
use site::config::Config;
use site::heading_ids::HeadingIds;
use site::page::PageMode;
use site::problems::LoadProblems;
use site::tree::SourceTree;
use site::yaml::Yaml;

use super::vitepress::VitePressSettings;
use super::vitepress::config::VitePressConfig;

/// VuePress.
#[derive(Debug)]
pub(super) struct VuePress;

/// The folder of the configuration.
const FOLDER: &str = ".vuepress";

impl Tool for VuePress {
    fn name(&self) -> &'static str {
        "vuepress"
    }

    fn title(&self) -> &'static str {
        "VuePress"
    }

    fn detect(&self, folder: &FolderView<'_>) -> Option<String> {
        const FOLDERS: [&str; 8] = [
            ".vuepress/",
            "docs/.vuepress/",
            "doc/.vuepress/",
            "src/.vuepress/",
            "website/.vuepress/",
            "site/.vuepress/",
            "www/.vuepress/",
            "documentation/.vuepress/",
        ];
        folder
            .first_of(&FOLDERS, "config", &SCRIPTS)
            .or_else(|| folder.first_of(&FOLDERS, "config/index", &SCRIPTS))
            .or_else(|| folder.first_of(&FOLDERS, "config", &[".yml", ".yaml", ".json"]))
    }

    fn open(&self, source: &ToolInput<'_>, problems: &mut LoadProblems) -> Option<Box<dyn Project>> {
        let value = config::in_words_of_vitepress(&config::read(source, problems), source);
        let options = VitePressConfig::read(value, source, FOLDER);
        let mut inner = VitePressSettings::new(options, source);
        if inner.colors == (None, None) {
            inner.colors = config::accent(source, &inner.options.root);
        }
        inner.layout.shown = vec![inner.options.public.clone()];
        Some(Box::new(VuePressSettings { inner }))
    }
}

/// What its configuration says, as VitePress says it.
#[derive(Debug)]
struct VuePressSettings {
    inner: VitePressSettings,
}

impl Project for VuePressSettings {
    fn layout(&self) -> &SourceLayout {
        self.inner.layout()
    }

    fn known_keys(&self) -> Option<&'static [&'static str]> {
        Some(&["title", "description", "keywords"])
    }

    fn heading_ids(&self) -> HeadingIds {
        HeadingIds::Vue
    }

    fn heading_words(&self, page: &PageSource<'_>, words: &str) -> Option<String> {
        self.inner.heading_words(page, words)
    }

    fn shows_descriptions(&self) -> bool {
        false
    }

    fn read_page(&self, source: &PageSource<'_>, facts: &mut PageFacts) {
        let options = &self.inner.options;
        let Some(inside) = options.inside(source.path) else { return };
        let is_hidden = inside.split('/').any(|part| part == FOLDER || part == "node_modules");
        if is_hidden || options.is_excluded(inside) || !inside.ends_with(".md") {
            facts.address = Some(inside.to_owned());
            facts.is_part = true;
            return;
        }
        let own = config::address(inside);
        let permalink = source.text("permalink").filter(|address| !address.contains(':'));
        facts.address = Some(match permalink.map(|address| address.trim_matches('/').trim_end_matches(".html")) {
            Some("") => "index".to_owned(),
            Some(address) => address.to_owned(),
            None => own.clone(),
        });
        if facts.address.as_ref() != Some(&own) {
            facts.aliases.push(own);
        }
        let name = text_at(&options.value, &["title"]);
        read_front(source, name, facts);
    }

    fn configure(&self, config: &mut Config, tree: &SourceTree) {
        self.inner.configure(config, tree);
    }

    fn navigation(&self, site: &Site) -> PageOrder {
        self.inner.navigation(site)
    }

    fn includes_files(&self) -> bool {
        true
    }

    fn rewrite(&self, text: &RenderedText<'_>, problems: &mut Vec<Problem>) -> Option<Vec<(String, Place)>> {
        let lines = text::as_vitepress(text);
        Some(self.inner.rewrite_lines(text, lines, problems))
    }
}

/// Enters what the front matter says.
fn read_front(source: &PageSource<'_>, name: Option<&str>, facts: &mut PageFacts) {
    let meta = &mut facts.meta;
    facts.is_draft = source.flag("draft") == Some(true);
    let is_home = source.flag("home") == Some(true);
    let is_off = |key: &str| source.flag(key) == Some(false);
    meta.mode = if is_home || is_off("sidebar") { PageMode::Center } else { PageMode::Default };
    meta.heading = meta.hero.as_ref().and_then(|hero| hero.name.clone());
    // the name of the site, unless the page has its own or none
    if is_home && source.value("heroText").is_none() {
        meta.heading = name.map(str::to_owned);
    }
    meta.hide_pagination = is_home || (is_off("prev") && is_off("next"));
    if is_off("search") {
        meta.searchable = Some(false);
    }
    if let Some(Yaml::List(tags)) = source.value("meta") {
        let tag = |tag: &Yaml| {
            let text = |key: &str| tag.member(key).and_then(Yaml::as_text).map(str::to_owned);
            Some((text("name").or_else(|| text("property"))?, text("content")?))
        };
        meta.metatags.extend(tags.iter().filter_map(tag));
    }
}
