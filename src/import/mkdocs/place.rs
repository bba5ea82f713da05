//! Which files are pages, and their addresses: folders and languages, posts, and what is left out.

use std::collections::BTreeSet;

use load::tool::ToolInput;
use site::tree;
use site::yaml::Yaml;

use super::blog::MkDocsBlog;
use super::config::{MkDocsConfig, flag_of, list_of, yaml_at_path, yaml_text};
use super::pattern::Patterns;

/// A language of the plugin `i18n`.
#[derive(Clone, Debug)]
pub(super) struct MkDocsLanguage {
    pub(super) code: String,
    pub(super) is_default: bool,
    /// Names of sections by those in the default language.
    pub(super) words: Vec<(String, String)>,
}

/// Where the pages of a project are.
#[derive(Clone, Debug)]
pub(super) struct MkDocsPlaces {
    excluded: Patterns,
    /// Paths without their ending of all that may be pages.
    stems: BTreeSet<String>,
    pub(super) languages: Vec<MkDocsLanguage>,
    /// Languages are folders, not endings.
    by_folder: bool,
    /// Pages without a translation are shown in the default language.
    pub(super) falls_back: bool,
    /// The names of files that say the order of pages and are none.
    orders: Vec<String>,
    pub(super) blogs: Vec<MkDocsBlog>,
}

/// A page of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FoundPage {
    /// The path below the folder of pages, without language and ending.
    pub(super) stem: String,
    /// The number of its language.
    pub(super) language: usize,
    pub(super) address: String,
}

impl MkDocsPlaces {
    pub(super) fn of(options: &MkDocsConfig, source: &ToolInput<'_>) -> Self {
        let files = source.tree.files.iter().filter(|file| !file.ignored);
        let stems =
            files.filter_map(|file| options.inside(&file.path)?.strip_suffix(".md")).map(str::to_owned).collect();
        let literate = options.plugin("literate-nav");
        let orders = literate
            .map(|value| {
                yaml_at_path(value, &["nav_file"]).and_then(yaml_text).unwrap_or_else(|| "SUMMARY.md".to_owned())
            })
            .into_iter()
            .collect();
        let i18n = options.plugin("i18n");
        let text = |key: &str| i18n.and_then(|value| yaml_at_path(value, &[key])).and_then(yaml_text);
        Self {
            excluded: Patterns::read(options.at(&["exclude_docs"]).and_then(Yaml::as_text).unwrap_or_default()),
            stems,
            languages: i18n.map(mkdocs_languages).unwrap_or_default(),
            by_folder: text("docs_structure").as_deref() == Some("folder"),
            falls_back: i18n.and_then(|value| yaml_at_path(value, &["fallback_to_default"])).and_then(flag_of)
                != Some(false),
            orders,
            blogs: MkDocsBlog::all(options, source),
        }
    }

    /// What is known of a file by its path below the folder of pages; `None` if it is no page.
    pub(super) fn find(&self, path: &str) -> Option<FoundPage> {
        let stem = path.strip_suffix(".md")?;
        let is_hidden = path.split('/').any(|part| part.starts_with('.'));
        let name = path.rsplit('/').next().unwrap_or(path);
        let is_left_out = is_hidden && !self.excluded.keeps(path)
            || path.starts_with("templates/") && !self.excluded.keeps(path)
            || self.excluded.matches(path)
            || self.orders.iter().any(|order| order == name);
        if is_left_out {
            return None;
        }
        let (stem, language) = self.language_of(stem);
        let own = self.index_of(&stem);
        let address = match self.languages.get(language).filter(|language| !language.is_default) {
            Some(language) => format!("{}/{own}", language.code),
            None => own,
        };
        Some(FoundPage { stem, language, address })
    }

    /// The path of a page without its language.
    fn language_of(&self, stem: &str) -> (String, usize) {
        let of = |code: &str| self.languages.iter().position(|language| language.code == code);
        let default = self.languages.iter().position(|language| language.is_default).unwrap_or(0);
        if self.by_folder {
            return match stem.split_once('/').and_then(|(code, rest)| Some((rest.to_owned(), of(code)?))) {
                Some(found) => found,
                None => (stem.to_owned(), default),
            };
        }
        let ending = stem.rsplit_once('.').filter(|(_, code)| !code.contains('/'));
        match ending.and_then(|(rest, code)| Some((rest.to_owned(), of(code)?))) {
            Some(found) => found,
            None => (stem.to_owned(), default),
        }
    }

    /// `README` is the page of its folder where there is no `index`.
    fn index_of(&self, stem: &str) -> String {
        let folder = tree::folder(stem);
        let is_readme = stem.rsplit('/').next() == Some("README");
        let index = if folder.is_empty() { "index".to_owned() } else { format!("{folder}/index") };
        if is_readme && !self.stems.contains(&index) { index } else { stem.to_owned() }
    }

    /// The number of the language that counts where nothing is said.
    pub(super) fn default_language(&self) -> usize {
        self.languages.iter().position(|language| language.is_default).unwrap_or(0)
    }
}

fn mkdocs_languages(plugin: &Yaml) -> Vec<MkDocsLanguage> {
    let mut found: Vec<MkDocsLanguage> = Vec::new();
    for entry in list_of(yaml_at_path(plugin, &["languages"])) {
        let is_built = yaml_at_path(entry, &["build"]).and_then(flag_of) != Some(false);
        let Some(code) = yaml_at_path(entry, &["locale"]).and_then(yaml_text).filter(|code| is_built && code != "null")
        else {
            continue;
        };
        let words = match yaml_at_path(entry, &["nav_translations"]) {
            Some(Yaml::Map(words)) => {
                words.iter().filter_map(|(from, to)| Some((from.clone(), yaml_text(to)?))).collect()
            }
            _ => Vec::new(),
        };
        let is_default = yaml_at_path(entry, &["default"]).and_then(flag_of) == Some(true);
        found.push(MkDocsLanguage { code, is_default, words });
    }
    if !found.iter().any(|language| language.is_default)
        && let Some(first) = found.first_mut()
    {
        first.is_default = true;
    }
    found
}
