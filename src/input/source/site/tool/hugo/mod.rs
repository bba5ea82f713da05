//! Hugo: `hugo.toml` (or `config.toml`, as YAML and JSON too) above `content`.
//!
//! `config` reads the configuration, `front` the front matter with the addresses, `order` makes the navigation,
//! `look` the name, colors and links of the site; `shortcode` finds the shortcodes of a text, and `write` and `known`
//! write them as Markdown and components; `run` runs the `template`s that a project has for its own, with its
//! `functions`, the values of `data` and `pages`, and `output` writes what they give. `glossary` knows terms.

mod config;
mod data;
mod fence;
mod front;
mod functions;
mod glossary;
mod html;
mod known;
mod look;
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

use rustc_hash::FxHashMap;
use serde_json::Value;

use crate::base::{FileId, PageId, Place};
use crate::source::nav::order::Order;
use crate::source::site::config::Config;
use crate::source::site::problems::Problems;
use crate::source::site::tree::SourceTree;
use crate::source::site::{Dialect, PageEntry, Site};

use config::{ENDINGS, read_hugo_config};

use super::{Dashes, Layout, Mount, Opening, PageFacts, PageSource, PageText, Project, TextProblem, Tool, View};
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

    fn detect(&self, folder: &View<'_>) -> Option<String> {
        let has_content = |path: &String| folder.has_folder(&format!("{}content", project_folder(path)));
        folder
            .first_of(&FOLDERS, "hugo", &ENDINGS)
            .or_else(|| folder.first_of(&IN_PARTS, "hugo", &ENDINGS))
            .or_else(|| folder.first_of(&FOLDERS, "config", &ENDINGS).filter(has_content))
            .or_else(|| folder.first_of(&IN_PARTS, "config", &ENDINGS).filter(has_content))
    }

    fn stands_for(&self, _project: &View<'_>, config: &str, folder: &str) -> bool {
        folder == format!("{}content", project_folder(config))
    }

    fn open(&self, source: &Opening<'_>, _problems: &mut Problems) -> Option<Box<dyn Project>> {
        Some(Box::new(HugoSettings::read(source)))
    }
}

/// The folder of a project, with its slash.
fn project_folder(config: &str) -> &str {
    let folder = config.rsplit_once('/').map_or("", |(folder, _)| folder);
    let folder = folder.strip_suffix("config/_default").unwrap_or(folder);
    &config[..folder.len() + usize::from(!folder.is_empty() && !folder.ends_with('/'))]
}

/// A language of the site.
#[derive(Clone, Debug)]
struct Language {
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
    layout: Layout,
    /// Languages, in order; none where only one is spoken of.
    languages: Vec<Language>,
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
    /// Folders whose sections say that nothing in them is rendered.
    unrendered: Vec<String>,
    /// Formulas stand between `\(` and `\)`, `\[` and `\]`.
    has_math: bool,
    /// Primary color of the style sheets.
    color: Option<String>,
}

impl HugoSettings {
    fn read(source: &Opening<'_>) -> Self {
        let (value, mut config_files) = read_hugo_config(source);
        let folder = project_folder(source.config).to_owned();
        let default_language =
            config::text_at(&value, "defaultcontentlanguage").unwrap_or_else(|| "en".to_owned()).to_lowercase();
        let mut settings = Self {
            languages: hugo_languages(&value),
            default_in_subfolder: config::flag_at(&value, "defaultcontentlanguageinsubdir").unwrap_or(false),
            keeps_case: config::flag_at(&value, "disablepathtolower").unwrap_or(false),
            permalinks: permalinks(&value),
            templates: template::Templates::read(source, &config::layers(&value, &folder)),
            pages: OnceLock::new(),
            names: OnceLock::new(),
            data: read_data_folder(source, &folder, &mut config_files),
            words: data::read_translations(source, &folder, &default_language, &mut config_files),
            color: look::color(source, &folder),
            layout: Layout { config_files, ..Layout::default() },
            has_math: config::has_math(&value),
            unrendered: Vec::new(),
            folder,
            value,
            default_language,
        };
        settings.mount(source);
        settings.unrendered = front::unrendered(source, &settings.layout.mounts);
        settings
    }

    /// The folders of pages and of files.
    fn mount(&mut self, source: &Opening<'_>) {
        let folder = self.folder.clone();
        let in_project = |path: &str| format!("{folder}{}", path.trim_matches('/').trim_start_matches("./"));
        let content = config::text_at(&self.value, "contentdir").unwrap_or_else(|| "content".to_owned());
        let mut mounts = Vec::new();
        for language in &self.languages {
            if let Some(own) = config::text_at(&language.value, "contentdir") {
                mounts.push(Mount { folder: in_project(&own), at: self.prefix_of(&language.code) });
            }
        }
        let others =
            config::value_at_path(&self.value, "module.mounts").and_then(Value::as_array).cloned().unwrap_or_default();
        for mount in &others {
            let (Some(from), Some(to)) = (config::text_at(mount, "source"), config::text_at(mount, "target")) else {
                continue;
            };
            let prefix = config::text_at(mount, "lang").map_or_else(String::new, |code| self.prefix_of(&code));
            let below = |root: &str| to.strip_prefix(root).filter(|rest| rest.is_empty() || rest.starts_with('/'));
            if let Some(rest) = below("content") {
                let at = [prefix.as_str(), rest.trim_matches('/')].join("/").trim_matches('/').to_owned();
                mounts.push(Mount { folder: in_project(&from), at });
            } else if let Some(rest) = below("static") {
                self.layout.statics.push(Mount { folder: in_project(&from), at: rest.trim_matches('/').to_owned() });
            }
        }
        if !mounts.iter().any(|mount| mount.folder == in_project(&content)) {
            mounts.push(Mount { folder: in_project(&content), at: self.prefix_of(&self.default_language) });
        }
        self.layout.mounts = mounts;
        self.layout.statics.push(Mount::root(&in_project(
            &config::text_at(&self.value, "staticdir").unwrap_or_else(|| "static".to_owned()),
        )));
        // what the theme's templates read of them: logos
        if source.text(&format!("{folder}assets/icons/logo.svg")).is_some() {
            self.layout.statics.push(Mount { folder: format!("{folder}assets/icons"), at: "assets/icons".to_owned() });
        }
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
fn hugo_languages(value: &Value) -> Vec<Language> {
    let all = value.get("languages").and_then(Value::as_object).into_iter().flatten();
    let mut languages: Vec<Language> = all
        .filter(|(_, value)| config::flag_at(value, "disabled") != Some(true))
        .map(|(code, value)| Language {
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
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn known_keys(&self) -> Option<&'static [&'static str]> {
        Some(&["title", "description", "keywords", "noindex", "robots", "canonical"])
    }

    fn page_extensions(&self) -> &'static [&'static str] {
        &["html", "htm", "markdown", "mdown"]
    }

    fn heading_ids(&self) -> super::HeadingIds {
        super::HeadingIds::GitHub
    }

    /// Typographic unless that is switched off; anchors are made of what is written.
    fn punctuation(&self, _dialect: Dialect) -> Option<Dashes> {
        const KEY: &str = "markup.goldmark.extensions.typographer";
        let is_off = config::flag_at(&self.value, KEY) == Some(false)
            || config::flag_at(&self.value, &format!("{KEY}.disable")) == Some(true);
        (!is_off).then_some(Dashes::BothInText)
    }

    fn read_page(&self, source: &PageSource<'_>, facts: &mut PageFacts) {
        front::read_hugo_front(self, source, facts);
    }

    fn configure(&self, config: &mut Config, tree: &SourceTree) {
        look::configure_hugo(self, config, tree);
    }

    fn generated_pages(&self, pages: &[PageEntry], tree: &SourceTree) -> Vec<PageEntry> {
        front::sections(self, pages, tree)
    }

    fn navigation(&self, site: &Site) -> Order {
        Order::Menu(order::hugo_menu(self, site))
    }

    fn rewrite(&self, text: &PageText<'_>, problems: &mut Vec<TextProblem>) -> Option<Vec<(String, Place)>> {
        text::rewrite_hugo_text(self, text, problems)
    }
}
