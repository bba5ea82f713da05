//! Documentation tools that are packages of Next.js: Nextra and Fumadocs. Their pages are MDX with components that this
//! program has under the same or other names.
//!
//! `nextra` and `fumadocs` read the files that say order and titles; `pages` is what both know of the files of pages;
//! `text` writes what they import, and the options of code; `components` finds those that every page has, `admonition`
//! the boxes between colons, `api_page` the operation that a page shows.

mod admonition;
mod api_page;
mod components;
pub(super) mod fumadocs;
pub(super) mod nextra;
mod pages;
mod text;

use base::cut::SliceText as _;
use load::tool::{FolderView, SCRIPTS};

/// Where the configuration of Next.js lies, from the folder that is read.
const FOLDERS: [&str; 8] = ["", "docs/", "website/", "site/", "www/", "apps/docs/", "apps/web/", "packages/docs/"];

/// The first configuration whose text, or that of the list of packages beside it, names a tool.
fn find_config(folder: &FolderView<'_>, names: &[&str], word: &str) -> Option<String> {
    let has_word = |path: &str| folder.text(path).is_some_and(|text| text.contains(word));
    let paths = FOLDERS.iter().flat_map(|beside| {
        names.iter().flat_map(move |name| SCRIPTS.iter().map(move |ending| (beside, format!("{beside}{name}{ending}"))))
    });
    let mut found = paths.filter(|(_, path)| folder.has(path));
    found.find(|(beside, path)| has_word(path) || has_word(&format!("{beside}package.json"))).map(|(_, path)| path)
}

/// The first text between quotes behind a word of a program: `title: 'x'`.
fn quoted_behind<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let mut found =
        text.match_indices(word).map(|(at, _)| text.slice(at + word.len()..).trim_start_matches([' ', ':', '=', '(']));
    found.find_map(|rest| {
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'))?;
        rest.slice(1..).split(quote).next().filter(|inside| !inside.contains('\n') && !inside.is_empty())
    })
}

/// The texts between quotes in the list behind a word: `locales: ['en', 'de']`.
fn quoted_list<'t>(text: &'t str, word: &str) -> Vec<&'t str> {
    let Some((_, rest)) = text.split_once(word) else { return Vec::new() };
    let Some(inside) = rest.trim_start_matches([' ', ':', '=']).strip_prefix('[') else { return Vec::new() };
    let inside = inside.split(']').next().unwrap_or_default();
    inside.split(',').map(|one| one.trim().trim_matches(['"', '\'', '`'])).filter(|one| !one.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_programs_are_found() {
        assert_eq!(quoted_behind("export default defineDocs({ dir: 'content/docs' })", "dir"), Some("content/docs"));
        assert_eq!(quoted_behind("nav: { title: <b>x</b> }, title: \"Y\"", "title"), Some("Y"));
        assert_eq!(quoted_list("i18n: { locales: ['en', \"de\"] }", "locales"), ["en", "de"]);
        assert_eq!((quoted_behind("none", "dir"), quoted_list("x", "locales").len()), (None, 0));
    }
}
