//! The files of pages: which language they are in, and how they lie in folders.

use std::collections::BTreeMap;

use base::PageId;
use load::Site;
use site::title::find_page_title;

/// Folders that are deeper are shown in the deepest that is a group.
const MAX_NEXT_FOLDER_DEPTH: usize = 16;

/// A folder of pages.
#[derive(Debug, Default)]
pub(super) struct PagesFolder {
    /// Its path from the folder of the pages, as it is on disk.
    pub(super) path: String,
    /// Pages by their names.
    pub(super) pages: BTreeMap<String, PageId>,
    pub(super) folders: BTreeMap<String, PagesFolder>,
}

impl PagesFolder {
    /// The pages in the folders of pages, each with the path that it has there, without its ending.
    pub(super) fn of_site(site: &Site, inside: impl Fn(&str) -> Option<String>) -> Self {
        let mut top = Self::default();
        for (id, page) in site.iter() {
            let Some(path) = page.file.and_then(|file| inside(site.tree.path(file))) else { continue };
            let mut parts: Vec<&str> = path.split('/').collect();
            let name = parts.pop().unwrap_or_default();
            let mut folder = &mut top;
            for part in parts.iter().take(MAX_NEXT_FOLDER_DEPTH) {
                let below = if folder.path.is_empty() { (*part).to_owned() } else { format!("{}/{part}", folder.path) };
                folder = folder.folders.entry((*part).to_owned()).or_default();
                folder.path = below;
            }
            folder.pages.insert(name.to_owned(), id);
        }
        top
    }

    /// The page of the folder itself.
    pub(super) fn index(&self) -> Option<PageId> {
        ["index", "page", "README", "readme"].iter().find_map(|name| self.pages.get(*name)).copied()
    }

    /// Whether a name is that of the page of the folder itself.
    pub(super) fn is_index(name: &str) -> bool {
        matches!(name, "index" | "page" | "README" | "readme")
    }
}

/// Whether a text begins with the title of its page.
pub(super) fn has_title(body: &str) -> bool {
    find_page_title(body).is_some_and(|heading| heading.level == 1)
}

/// A name as a title: `getting-started` is `Getting Started`. Small words stay small, but for the first and the last.
pub(super) fn title_case(name: &str) -> String {
    const SMALL: [&str; 22] = [
        "a", "an", "and", "as", "at", "but", "by", "for", "from", "in", "into", "near", "nor", "of", "on", "onto",
        "or", "the", "to", "via", "vs", "with",
    ];
    let words: Vec<&str> = name.split(['-', '_', ' ']).filter(|word| !word.is_empty()).collect();
    let word = |(at, word): (usize, &&str)| {
        if at > 0 && at + 1 < words.len() && SMALL.contains(word) {
            return (*word).to_owned();
        }
        let mut chars = word.chars();
        chars.next().into_iter().flat_map(char::to_uppercase).chain(chars).collect::<String>()
    };
    words.iter().enumerate().map(word).collect::<Vec<_>>().join(" ")
}

/// A path without its ending, and without the language before that: `guide/index.de` is `guide/index` in `de`.
pub(super) fn without_language<'p>(stem: &'p str, languages: &[String]) -> (&'p str, Option<&'p str>) {
    match stem.rsplit_once('.') {
        Some((rest, code)) if languages.iter().any(|known| known == code) => (rest, Some(code)),
        _ => (stem, None),
    }
}
