//! Search as pages know it: which pages are searched together, and the client that their button loads.
//!
//! An edition is what a reader moves in without changing language or version. Pages of one edition share an index.

use rustc_hash::FxHashMap;
use serde_json::json;

use super::chrome::language;
use super::files::{ThemeFile, fingerprinted, small_script};
use super::fragment::clean;
use super::minify;
use super::search_words;
use super::source::Source;
use super::structure::Structure;
use crate::base::{PageId, html, url};
use crate::nav::{NodeId, NodeKind};

/// The dialog and the engine. `__WORDS__` and `__SHEET__` stand for the words of a language and the path of the style sheet.
const CLIENT: &str = include_str!("../../templates/search/search.js");
const SHEET: &str = include_str!("../../templates/search/search.css");

/// What the button of a branch loads: percent-encoded paths from the root, and the edition's name.
#[derive(Clone, Debug, serde::Serialize)]
pub(super) struct Button {
    client: String,
    index: String,
    prompt: String,
}

/// The editions of a site.
#[derive(Debug, Default)]
pub(super) struct Editions {
    /// By branch; `None` where nothing can be found.
    of_branch: Vec<Option<u32>>,
    /// By branch.
    buttons: Vec<Option<Button>>,
    count: u32,
}

impl Editions {
    /// Finds the editions that have a page to search; the files are their clients.
    pub(super) fn new(source: &Source<'_>, structure: &Structure) -> (Self, Vec<ThemeFile>) {
        let mut has_pages = vec![false; structure.branches.len()];
        for (spot, _) in structure.spots.iter().zip(&source.options.searchable).filter(|(_, searchable)| **searchable) {
            has_pages[spot.branch as usize] = true;
        }
        if !has_pages.contains(&true) {
            let none = vec![None; structure.branches.len()];
            return (Self { of_branch: none.clone(), buttons: vec![None; none.len()], count: 0 }, Vec::new());
        }
        let keys: Vec<Vec<NodeId>> = structure.branches.iter().map(|branch| key(source, &branch.chain)).collect();
        let mut numbers: FxHashMap<&[NodeId], u32> = FxHashMap::default();
        for (key, _) in keys.iter().zip(&has_pages).filter(|(_, has)| **has) {
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            numbers.entry(key).or_insert(next);
        }
        let of_branch: Vec<Option<u32>> = keys.iter().map(|key| numbers.get(key.as_slice()).copied()).collect();
        let count = u32::try_from(numbers.len()).unwrap_or(0);

        let sheet = fingerprinted("search", "css", minify::css(SHEET).into_bytes());
        let mut files = Vec::new();
        let mut clients: FxHashMap<String, String> = FxHashMap::default();
        let mut buttons = Vec::with_capacity(of_branch.len());
        for (branch, edition) in structure.branches.iter().zip(&of_branch) {
            buttons.push(edition.map(|edition| {
                let tag = language(source, branch);
                let words = search_words::of(&tag);
                let own = source.config().search_prompt.as_deref().filter(|prompt| !prompt.trim().is_empty());
                let prompt = clean(own.unwrap_or(words.prompt)).into_owned();
                let client = clients.entry(tag).or_insert_with(|| {
                    let file = client(source, &words, &prompt, &sheet);
                    let path = url::encode_path(file.path.as_str());
                    if !files.iter().any(|known: &ThemeFile| known.path == file.path) {
                        files.push(file);
                    }
                    path
                });
                Button { client: client.clone(), index: edition.to_string(), prompt }
            }));
        }
        files.push(sheet);
        (Self { of_branch, buttons, count }, files)
    }

    /// How many there are.
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// The edition of a branch.
    pub(super) fn of_branch(&self, branch: u32) -> Option<u32> {
        self.of_branch.get(branch as usize).copied().flatten()
    }

    /// What the button of a branch loads; `None`: there is no button.
    pub(super) fn button(&self, branch: usize) -> Option<&Button> {
        self.buttons.get(branch).and_then(Option::as_ref)
    }
}

/// The language and version that a branch stands in.
fn key(source: &Source<'_>, chain: &[NodeId]) -> Vec<NodeId> {
    chain.iter().copied().filter(|id| matches!(source.node(*id).kind, NodeKind::Language | NodeKind::Version)).collect()
}

fn client(source: &Source<'_>, words: &search_words::Words, prompt: &str, sheet: &ThemeFile) -> ThemeFile {
    let mut value = json!(words);
    value["prompt"] = json!(prompt);
    let words = html::script_json(&value.to_string());
    let sheet = html::script_json(&json!(url::encode_path(sheet.path.as_str())).to_string());
    let script = CLIENT.replace("__WORDS__", &words).replace("__SHEET__", &sheet);
    fingerprinted("search", "js", small_script(source, &script).into_bytes())
}

impl super::Theme<'_> {
    /// How many indexes the site's search needs: one for each language and version that has pages to find.
    pub fn editions(&self) -> u32 {
        self.editions.count()
    }

    /// Which of them a page belongs to; `None` for pages that are not to be found.
    pub fn edition(&self, page: PageId) -> Option<u32> {
        let searchable = self.source.options.searchable.get(page.0 as usize).copied().unwrap_or(false);
        searchable.then(|| self.structure.spots.get(page.0 as usize)).flatten().and_then(|spot| self.editions.of_branch(spot.branch))
    }
}
