//! Pages about whole API descriptions: what an API is, where it is, how to authorize, which operations it has. A site
//! has one for each description with several pages, unless an author wrote it, and no place of the navigation changes.

use rustc_hash::{FxHashMap, FxHashSet};

use base::numbering::Numbering;
use site::page::{FrontMatter, PageEntry};
use spec::{OpenSpecs, ReferredKind, join_slug_parts, slug_part};

/// Pages of operations that are so few that they need no page about them.
const FEW_OPERATIONS: usize = 1;
/// The last part of the address of an overview.
const OVERVIEW: &str = "overview";

/// The pages about descriptions. `pages` are those of operations, with and without files; `taken` the slugs of all
/// pages; `listed` those that the navigation names: an overview that it names is not hidden.
pub(crate) fn overview_pages(
    pages: &[&PageEntry],
    taken: &FxHashSet<String>,
    listed: &FxHashSet<String>,
    open: &mut OpenSpecs,
) -> Vec<PageEntry> {
    let DescribedFolders { written, folders } = described_folders(pages, open);
    let mut numbers: Vec<usize> = folders.keys().copied().collect();
    numbers.sort_unstable();
    numbers.retain(|number| !written.contains(number) && folders[number].len() > FEW_OPERATIONS);
    let mut used: FxHashSet<String> = FxHashSet::default();
    let mut numbering = Numbering::default();
    let mut found = Vec::new();
    for number in numbers {
        let document = open.document(number);
        let title = document.pointer("/info/title").and_then(|title| title.as_str()).map(str::trim);
        let title = title.filter(|title| !title.is_empty()).unwrap_or("API");
        let folder = common_folder(&folders[&number]);
        let named = format!("{}-{OVERVIEW}", slug_part(title));
        let short = join_slug_parts(&[folder, OVERVIEW]);
        // at the top of a site the word alone says too little
        let is_free = !folder.is_empty() && !taken.contains(&short) && !used.contains(&short);
        let base = if is_free { short } else { join_slug_parts(&[folder, &named]) };
        let slug = numbering.first_free(base, '-', 1, |slug| !taken.contains(slug) && used.insert(slug.to_owned()));
        let meta = FrontMatter {
            title: title.to_owned(),
            title_given: true,
            reference: Some((ReferredKind::Overview.key().to_owned(), open.specs.path(number).to_owned())),
            ..FrontMatter::default()
        };
        let hidden = !listed.contains(&slug);
        found.push(PageEntry { hidden, ..PageEntry::generated(slug, meta) });
    }
    found
}

/// Descriptions with pages.
struct DescribedFolders<'p> {
    /// Those that an author wrote a page about.
    written: FxHashSet<usize>,
    /// The folder of each page of an operation, by description.
    folders: FxHashMap<usize, Vec<&'p str>>,
}

fn described_folders<'p>(pages: &[&'p PageEntry], open: &mut OpenSpecs) -> DescribedFolders<'p> {
    let mut written: FxHashSet<usize> = FxHashSet::default();
    let mut folders: FxHashMap<usize, Vec<&str>> = FxHashMap::default();
    for page in pages {
        if let Some((key, text)) = &page.meta.reference
            && ReferredKind::of_key(key) == Some(ReferredKind::Overview)
        {
            written.extend(open.specs.of_source(Some(text.trim()), &page.slug).first());
        }
        let Some(endpoint) = &page.endpoint else { continue };
        for number in open.specs.of_operation(endpoint) {
            let document = open.document(number);
            let Some(operation) = spec::operation(&document, endpoint) else { continue };
            let tag = operation.tag().filter(|_| page.file.is_none()).map(slug_part);
            folders.entry(number).or_default().push(folder_of(&page.slug, tag.as_deref()));
            break;
        }
    }
    DescribedFolders { written, folders }
}

/// The folder of a page, above that of the operation's tag if it is in it.
fn folder_of<'s>(slug: &'s str, tag: Option<&str>) -> &'s str {
    let folder = above(slug);
    match tag {
        Some(tag) if folder.rsplit('/').next() == Some(tag) => above(folder),
        _ => folder,
    }
}

fn above(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The folder that all folders are in.
fn common_folder<'s>(folders: &[&'s str]) -> &'s str {
    let mut common = folders.first().copied().unwrap_or_default();
    for folder in folders {
        while !common.is_empty()
            && !folder.strip_prefix(common).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        {
            common = above(common);
        }
    }
    common
}

#[cfg(test)]
mod tests {
    use super::{common_folder, folder_of};

    #[test]
    fn folders_are_common_as_a_whole() {
        assert_eq!(common_folder(&["api/users", "api/users"]), "api/users");
        assert_eq!(common_folder(&["api/users", "api/user"]), "api");
        assert_eq!(common_folder(&["api/users", "other"]), "");
        assert_eq!(common_folder(&["", "api"]), "");
    }

    #[test]
    fn the_folder_of_a_tag_is_none_of_the_description() {
        assert_eq!(folder_of("api/users/get", Some("users")), "api");
        assert_eq!(folder_of("api/users/get", None), "api/users");
        assert_eq!(folder_of("users/get", Some("users")), "");
        assert_eq!(folder_of("top", Some("top")), "");
    }
}
