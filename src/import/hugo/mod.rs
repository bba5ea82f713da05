//! Hugo: `hugo.toml` (or `config.toml`, as YAML and JSON too) above `content`.
//!
//! `config` reads the configuration, `mounts` says which folders it takes, `front` the front matter with the addresses,
//! `cascade` what of it sections hand down, `order` makes the navigation,
//! `look` the name, colors and links of the site; `shortcode` finds the shortcodes of a text, and `write` and `known`
//! write them as Markdown and components; `run` runs the `template`s that a project has for its own, with its
//! `functions`, the values of `data` and `pages`, and `output` writes what they give. `glossary` knows terms.

mod cascade;
mod config;
mod data;
mod fence;
mod front;
mod functions;
mod glossary;
mod html;
mod known;
mod look;
mod mounts;
mod order;
mod output;
mod pages;
mod pattern;
mod remarshal;
mod run;
mod shortcode;
mod template;
mod text;
mod value;
mod write;

use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;

use base::cut::SliceText as _;
use base::{FileId, PageId, Place, Problem};
use load::Site;
use load::tool::{
    Dashes, FolderView, PageFacts, PageFront, PageSource, Project, RenderedText, SourceLayout, Tool, ToolInput,
};
use nav::order::PageOrder;
use site::config::Config;
use site::page::{Dialect, PageEntry};
use site::problems::LoadProblems;
use site::tree::SourceTree;

use cascade::Cascades;
use config::{ENDINGS, read_hugo_config};
use data::read_data_folder;

/// Hugo.
#[derive(Debug)]
pub(super) struct Hugo;

/// Where projects lie in a repository.
const FOLDERS: [&str; 5] = ["", "site/", "docs/", "website/", "exampleSite/"];
const IN_PARTS: [&str; 5] = [
    "config/_default/",
    "site/config/_default/",
    "docs/config/_default/",
    "website/config/_default/",
    "exampleSite/config/_default/",
];

impl Tool for Hugo {
    fn name(&self) -> &'static str {
        "hugo"
    }

    fn title(&self) -> &'static str {
        "Hugo"
    }

    fn detect(&self, folder: &FolderView<'_>) -> Option<String> {
        let has_content = |path: &String| folder.has_folder(&format!("{}content", project_folder(path)));
        folder
            .first_of(&FOLDERS, "hugo", &ENDINGS)
            .or_else(|| folder.first_of(&IN_PARTS, "hugo", &ENDINGS))
            .or_else(|| folder.first_of(&FOLDERS, "config", &ENDINGS).filter(has_content))
            .or_else(|| folder.first_of(&IN_PARTS, "config", &ENDINGS).filter(has_content))
            // all of it may stand in files of parts
            .or_else(|| {
                let parts = ["languages", "module", "params", "markup", "menus"];
                parts.iter().find_map(|part| folder.first_of(&IN_PARTS, part, &ENDINGS))
            })
    }

    fn stands_for(&self, project: &FolderView<'_>, config: &str, folder: &str) -> bool {
        mounts::holds_pages(project, config, folder)
    }

    fn levels_above(&self, folder: &FolderView<'_>, config: &str) -> usize {
        mounts::levels_above(folder, config)
    }

    fn open(&self, source: &ToolInput<'_>, problems: &mut LoadProblems) -> Option<Box<dyn Project>> {
        let settings = HugoSettings::read(source);
        mounts::tell_missing_mounts(&settings, source, problems);
        data::tell_unread_data(&settings, source, problems);
        Some(Box::new(settings))
    }
}

/// The folder of a project, with its slash.
fn project_folder(config: &str) -> &str {
    let folder = config.rsplit_once('/').map_or("", |(folder, _)| folder);
    let folder = folder.strip_suffix("config/_default").unwrap_or(folder);
    config.slice(..folder.len() + usize::from(!folder.is_empty() && !folder.ends_with('/')))
}

/// A language of the site.
#[derive(Clone, Debug)]
struct HugoLanguage {
    code: String,
    weight: f64,
    /// What the configuration says of it.
    value: Value,
}

/// What the configuration of a project says, and what follows from its files.
#[derive(Debug)]
struct HugoSettings {
    /// The folder of the project, with its slash.
    folder: String,
    value: Value,
    layout: SourceLayout,
    /// Languages, in order; none where only one is spoken of.
    languages: Vec<HugoLanguage>,
    default_language: String,
    default_in_subfolder: bool,
    keeps_case: bool,
    /// Patterns of addresses by section.
    permalinks: Vec<(String, String)>,
    /// The project's own shortcodes, and the templates that these use.
    templates: template::Templates,
    /// Pages by their files, and by the last part of their addresses; made when they are asked for.
    pages: OnceLock<FxHashMap<FileId, PageId>>,
    names: OnceLock<FxHashMap<String, Vec<PageId>>>,
    /// What the files of `data` say.
    data: Value,
    /// The words of the default language.
    words: Value,
    /// Which files of mounted folders are pages.
    filters: Vec<mounts::MountFilter>,
    /// The folders of pages that have files beside them.
    bundles: FxHashSet<String>,
    /// The front matter that sections hand down.
    cascades: Cascades,
    /// Formulas stand between `\(` and `\)`, `\[` and `\]`.
    has_math: bool,
    /// Primary color of the style sheets.
    color: Option<String>,
}

impl HugoSettings {
    fn read(source: &ToolInput<'_>) -> Self {
        let (value, mut config_files) = read_hugo_config(source);
        let folder = project_folder(source.config).to_owned();
        let default_language =
            config::text_at(&value, "defaultcontentlanguage").unwrap_or_else(|| "en".to_owned()).to_lowercase();
        let mut settings = Self {
            languages: hugo_languages(&value),
            default_in_subfolder: config::flag_at(&value, "defaultcontentlanguageinsubdir").unwrap_or(false),
            keeps_case: config::flag_at(&value, "disablepathtolower").unwrap_or(false),
            permalinks: permalinks(&value),
            templates: template::Templates::read(
                source,
                &config::layers(&value, &folder),
                &mounts::mounted_as(&value, &folder, "layouts"),
            ),
            pages: OnceLock::new(),
            names: OnceLock::new(),
            data: read_data_folder(source, &value, &folder, &mut config_files),
            words: data::read_translations(source, &value, &folder, &default_language, &mut config_files),
            color: look::color(source, &folder),
            layout: SourceLayout { config_files, ..SourceLayout::default() },
            has_math: config::has_math(&value),
            filters: Vec::new(),
            bundles: FxHashSet::default(),
            cascades: Cascades::default(),
            folder,
            value,
            default_language,
        };
        settings.mount(source);
        settings.cascades = Cascades::read(&settings, source);
        settings
    }

    /// What a language puts before addresses.
    fn prefix_of(&self, code: &str) -> String {
        let is_bare = self.languages.len() < 2 || code == self.default_language;
        if is_bare && !self.default_in_subfolder { String::new() } else { code.to_owned() }
    }

    /// What was kept of a page's front matter.
    fn extra<'s>(&self, site: &'s Site, page: PageId, key: &str) -> Option<&'s str> {
        site.page(page).meta.extra.iter().find(|(name, _)| *name == key).map(|(_, value)| value.as_str())
    }

    /// The weight that the main menu of the configuration gives a section.
    fn menu_weight(&self, section: &str) -> Option<f64> {
        let own = self.languages.iter().filter_map(|language| config::value_at_path(&language.value, "menus.main"));
        let entries = own.chain(config::value_at_path(&self.value, "menus.main")).filter_map(Value::as_array).flatten();
        let mut found = entries.filter(|entry| {
            let target =
                config::text_at(entry, "pageref").or_else(|| config::text_at(entry, "url")).unwrap_or_default();
            target.trim_matches('/').eq_ignore_ascii_case(section)
        });
        found.next().map(|entry| config::number_at(entry, "weight").unwrap_or(0.0))
    }
}

/// The languages, by weight and code.
fn hugo_languages(value: &Value) -> Vec<HugoLanguage> {
    let all = value.get("languages").and_then(Value::as_object).into_iter().flatten();
    let mut languages: Vec<HugoLanguage> = all
        .filter(|(_, value)| config::flag_at(value, "disabled") != Some(true))
        .map(|(code, value)| HugoLanguage {
            code: code.clone(),
            weight: config::number_at(value, "weight").unwrap_or(f64::INFINITY),
            value: value.clone(),
        })
        .collect();
    languages.sort_by(|a, b| a.weight.total_cmp(&b.weight).then_with(|| a.code.cmp(&b.code)));
    languages
}

/// `[permalinks]`, and `[permalinks.page]` as it is written now.
fn permalinks(value: &Value) -> Vec<(String, String)> {
    let own = |value: Option<&Value>| -> Vec<(String, String)> {
        let all = value.and_then(Value::as_object).into_iter().flatten();
        all.filter_map(|(name, pattern)| Some((name.clone(), pattern.as_str()?.to_owned()))).collect()
    };
    let mut found = own(config::value_at_path(value, "permalinks.page"));
    found.extend(own(config::value_at_path(value, "permalinks")));
    found
}

impl Project for HugoSettings {
    fn layout(&self) -> &SourceLayout {
        &self.layout
    }

    fn known_keys(&self) -> Option<&'static [&'static str]> {
        Some(&["title", "description", "keywords", "noindex", "robots", "canonical"])
    }

    fn page_extensions(&self) -> &'static [&'static str] {
        &["html", "htm", "markdown", "mdown"]
    }

    fn heading_ids(&self) -> site::heading_ids::HeadingIds {
        site::heading_ids::HeadingIds::GitHub
    }

    /// Typographic unless that is switched off; anchors are made of what is written.
    fn punctuation(&self, _dialect: Dialect) -> Option<Dashes> {
        const KEY: &str = "markup.goldmark.extensions.typographer";
        let is_off = config::flag_at(&self.value, KEY) == Some(false)
            || config::flag_at(&self.value, &format!("{KEY}.disable")) == Some(true);
        (!is_off).then_some(Dashes::BothInText)
    }

    fn complete_front(&self, path: &str, _text: &str, front: &mut PageFront) {
        front.entries.extend(self.cascades.of_page(self, path, &front.entries));
    }

    fn read_page(&self, source: &PageSource<'_>, facts: &mut PageFacts) {
        front::read_hugo_front(self, source, facts);
    }

    /// Pages are folders: what stands on `/guide/fire/` begins there.
    fn folder_of_address<'s>(&self, slug: &'s str) -> Option<&'s str> {
        if config::flag_at(&self.value, "uglyurls") == Some(true) {
            return Some(site::tree::folder(slug));
        }
        let folder = slug.strip_suffix("index").filter(|rest| rest.is_empty() || rest.ends_with('/')).unwrap_or(slug);
        Some(folder.trim_end_matches('/'))
    }

    fn configure(&self, config: &mut Config, tree: &SourceTree) {
        look::configure_hugo(self, config, tree);
    }

    fn generated_pages(&self, pages: &[PageEntry], tree: &SourceTree) -> Vec<PageEntry> {
        let mut generated = self.further_pages(pages, tree);
        let sections = front::sections(self, pages.iter().chain(&generated), tree);
        generated.extend(sections);
        generated
    }

    fn navigation(&self, site: &Site) -> PageOrder {
        PageOrder::Menu(order::hugo_menu(self, site))
    }

    fn rewrite(&self, text: &RenderedText<'_>, problems: &mut Vec<Problem>) -> Option<Vec<(String, Place)>> {
        text::rewrite_hugo_text(self, text, problems)
    }
}
