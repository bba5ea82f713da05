//! The order of notes: that of Obsidian's list of files, folders first, each by name, numbers as numbers.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use base::PageId;
use base::cut::SliceText as _;
use load::Site;
use nav::order::MenuItem;
use site::tree;

use super::vault::Vault;

/// Folders that are deeper are shown in the deepest that is a group.
const MAX_NOTES_DEPTH: usize = 16;

/// A folder of notes.
#[derive(Default)]
struct NotesFolder {
    /// The page of the folder itself.
    own: Option<PageId>,
    notes: Vec<(String, PageId)>,
    folders: BTreeMap<String, NotesFolder>,
}

/// The entries of the navigation.
pub(super) fn folders_and_notes(site: &Site, vault: &Vault) -> Vec<MenuItem> {
    let mut top = NotesFolder::default();
    let prefix = if vault.folder.is_empty() { String::new() } else { format!("{}/", vault.folder) };
    for (id, page) in site.iter() {
        let Some(path) = page.file.map(|file| site.tree.path(file)) else { continue };
        let inside = path.strip_prefix(&prefix).unwrap_or(path);
        let parts: Vec<&str> = tree::folder(inside).split('/').filter(|part| !part.is_empty()).collect();
        let name = inside.rsplit('/').next().unwrap_or_default();
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let mut folder = &mut top;
        for part in parts.iter().take(MAX_NOTES_DEPTH) {
            folder = folder.folders.entry((*part).to_owned()).or_default();
        }
        let is_start = parts.is_empty() && matches!(stem.to_lowercase().as_str(), "home" | "start" | "start here");
        let is_own = matches!(stem.to_lowercase().as_str(), "index" | "readme") || parts.last() == Some(&stem);
        let is_own = is_own || is_start;
        if is_own && folder.own.is_none() {
            folder.own = Some(id);
        } else {
            folder.notes.push((stem.to_owned(), id));
        }
    }
    let own = top.own.take();
    let home = own.map(MenuItem::of_page);
    home.into_iter().chain(items(top)).collect()
}

/// Recursion is bounded by the depth of folders.
fn items(folder: NotesFolder) -> Vec<MenuItem> {
    let mut folders: Vec<(String, NotesFolder)> = folder.folders.into_iter().collect();
    folders.sort_by(|a, b| compare_names(&a.0, &b.0));
    let mut notes = folder.notes;
    notes.sort_by(|a, b| compare_names(&a.0, &b.0));
    let groups = folders.into_iter().map(|(name, inner)| {
        let own = inner.own;
        MenuItem { page: own, expanded: true, ..MenuItem::group(&name, items(inner)) }
    });
    let pages = notes.into_iter().map(|(_, id)| MenuItem::of_page(id));
    groups.chain(pages).collect()
}

/// Names without regard to case, with the numbers in them compared as numbers.
fn compare_names(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a, b);
    loop {
        let digits = |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (l, r) = (digits(left), digits(right));
        if l > 0 && r > 0 {
            let number = |text: &str| text.trim_start_matches('0').to_owned();
            let (x, y) = (number(left.slice(..l)), number(right.slice(..r)));
            let order = x.len().cmp(&y.len()).then_with(|| x.cmp(&y));
            if order.is_ne() {
                return order;
            }
            (left, right) = (left.slice(l..), right.slice(r..));
            continue;
        }
        let (mut one, mut other) = (left.chars(), right.chars());
        match (one.next(), other.next()) {
            (Some(x), Some(y)) => {
                let order = x.to_lowercase().cmp(y.to_lowercase());
                if order.is_ne() {
                    return order;
                }
                (left, right) = (one.as_str(), other.as_str());
            }
            (None, None) => return a.cmp(b),
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_as_numbers() {
        let mut names = ["10 Ten", "b", "2 Two", "A", "a 12", "a 2", "ä"];
        names.sort_by(|a, b| compare_names(a, b));
        assert_eq!(names, ["2 Two", "10 Ten", "A", "a 2", "a 12", "b", "ä"]);
    }
}
