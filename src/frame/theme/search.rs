//! Search as pages know it: the client that their button loads, and where it begins. `search_areas` says which pages
//! are searched together.

use rustc_hash::FxHashMap;
use serde_json::json;

use super::fragment::clean_fragment;
use super::language::language_of;
use super::minify::minify_css;
use super::search_areas::{Indexes, SearchSpot};
use super::source::ChromeInput;
use super::structure::Structure;
use super::theme_file::{ThemeFile, fingerprinted, small_script};
use base::search_area::Areas;
use base::{PageId, html, url};
use templates::words::{self, SearchWords};

/// The dialog and the engine. `__WORDS__` and `__SHEET__` stand for the words of a language and the path of the style
/// sheet.
const CLIENT: &str = templates::text("search/search.js");
const SHEET: &str = templates::text("search/search.css");

/// What the button of a branch loads: the percent-encoded path of the client from the root, and the index.
#[derive(Clone, Debug, serde::Serialize)]
pub(super) struct Button {
    client: String,
    index: String,
    /// The version that readers are in, by its number in the index; empty for none.
    version: String,
    prompt: String,
}

impl Button {
    /// What the field asks for.
    pub(super) fn prompt(&self) -> &str {
        &self.prompt
    }
}

/// The search of a site.
#[derive(Debug, Default)]
pub(super) struct SiteSearch {
    indexes: Indexes,
    /// The button of each branch.
    buttons: Vec<Option<Button>>,
}

impl SiteSearch {
    /// Finds the indexes that have a page to search; the files are their clients.
    pub(super) fn new(source: &ChromeInput<'_>, structure: &Structure) -> (Self, Vec<ThemeFile>) {
        let indexes = Indexes::new(source, structure);
        if indexes.areas.is_empty() {
            return (Self { indexes, buttons: vec![None; structure.branches.len()] }, Vec::new());
        }
        let sheet = fingerprinted("search", "css", minify_css(SHEET).into_bytes());
        let mut files = Vec::new();
        let mut clients: FxHashMap<String, String> = FxHashMap::default();
        let mut buttons = Vec::with_capacity(structure.branches.len());
        for (at, branch) in structure.branches.iter().enumerate() {
            buttons.push(indexes.of_branch(at).map(|(index, version)| {
                let tag = language_of(source, branch);
                let words = &words::for_language(&tag).search;
                let own = source.config().search_prompt.as_deref().filter(|prompt| !prompt.trim().is_empty());
                let prompt = clean_fragment(own.unwrap_or(words.prompt)).into_owned();
                let client = clients.entry(tag).or_insert_with_key(|tag| {
                    let file = search_client_script(source, tag, words, &prompt, &sheet);
                    let path = url::encode_path(file.path.as_str());
                    if !files.iter().any(|known: &ThemeFile| known.path == file.path) {
                        files.push(file);
                    }
                    path
                });
                Button {
                    client: client.clone(),
                    index: index.to_string(),
                    version: version.map_or_else(String::new, |version| version.to_string()),
                    prompt,
                }
            }));
        }
        files.push(sheet);
        (Self { indexes, buttons }, files)
    }

    /// What the button of a branch loads; `None`: there is no button.
    pub(super) fn button(&self, branch: usize) -> Option<&Button> {
        self.buttons.get(branch).and_then(Option::as_ref)
    }
}

fn search_client_script(
    source: &ChromeInput<'_>,
    tag: &str,
    words: &SearchWords,
    prompt: &str,
    sheet: &ThemeFile,
) -> ThemeFile {
    let shared = &words::for_language(tag).frame;
    let mut value = json!(words);
    value["version"] = json!(shared.version);
    value["section"] = json!(shared.sections);
    value["prompt"] = json!(prompt);
    let words = html::script_json(&value.to_string());
    let sheet = html::script_json(&json!(url::encode_path(sheet.path.as_str())).to_string());
    let script = CLIENT.replace("__WORDS__", &words).replace("__SHEET__", &sheet);
    fingerprinted("search", "js", small_script(source, &script).into_bytes())
}

impl super::SiteTheme<'_> {
    /// The indexes that the site's search needs, one for each language that has pages to find, by what divides their
    /// pages.
    pub fn search_indexes(&self) -> &[Areas] {
        &self.search.indexes.areas
    }

    /// Where search finds a page; `None` for pages that are not to be found.
    pub fn search_spot(&self, page: PageId) -> Option<SearchSpot> {
        self.search.indexes.of_page(page)
    }
}
