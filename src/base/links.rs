//! Symbolic links of a source. One that leads to a file of the same source stands for that file, and one that leads to
//! a folder of it for all files of that folder; targets are looked up in the list of files by their words, never
//! followed on disk. All others are left out.

use rustc_hash::FxHashMap;

use crate::Diagnostic;

use super::contents::not_a_file;
use super::folder_path::{folder, join_document_path};
use super::pointers::annex_link;

/// Longest target of a link, bytes.
pub const TARGET_BYTES: u64 = 4 << 10;
/// Most links that lead to each other.
const MAX_SYMLINKS: usize = 8;
/// Most files that links to folders stand for, all links together.
const MAX_LINKED_FILES: usize = 20_000;

/// A link of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLink {
    /// Its path.
    pub path: String,
    /// What it leads to, from its folder.
    pub target: String,
}

/// What links stand for: paths of files that are not there, each with the path of the file that is. `paths` are those of
/// all files, in form and root those of the links. What is wrong with the other links.
pub fn resolve_links<'p>(
    links: &[SourceLink],
    paths: impl Iterator<Item = &'p str>,
) -> (Vec<(String, String)>, Vec<Diagnostic>) {
    let mut paths: Vec<&str> = paths.collect();
    paths.sort_unstable();
    let linked = ContentLinks { by_path: links.iter().map(|link| (link.path.as_str(), link)).collect(), paths };
    let mut files = Vec::new();
    let mut left_out = Vec::new();
    let mut from_folders = 0;
    for link in links {
        match linked.target_of(link) {
            Ok(LinkTarget::File(file)) => files.push((link.path.clone(), file)),
            Ok(LinkTarget::Folder(target)) => {
                let found = linked.below(&target);
                if from_folders + found.len() > MAX_LINKED_FILES {
                    let what =
                        format!("a link to a folder, and links to folders stand for {MAX_LINKED_FILES} files at most");
                    left_out.push(not_a_file(link.path.clone(), &what));
                    continue;
                }
                from_folders += found.len();
                let named = found
                    .iter()
                    .filter_map(|file| Some((format!("{}{}", link.path, file.strip_prefix(&target)?), file)));
                files.extend(
                    named.filter(|(path, _)| !linked.is_file(path)).map(|(path, file)| (path, (*file).to_owned())),
                );
            }
            Err(problem) => left_out.push(problem),
        }
    }
    (files, left_out)
}

/// What a link leads to: a path from the root of the source.
enum LinkTarget {
    File(String),
    Folder(String),
}

/// The links and files of a source.
struct ContentLinks<'a> {
    by_path: FxHashMap<&'a str, &'a SourceLink>,
    /// Sorted.
    paths: Vec<&'a str>,
}

impl<'a> ContentLinks<'a> {
    fn is_file(&self, path: &str) -> bool {
        self.paths.binary_search(&path).is_ok()
    }

    /// The files of a folder.
    fn below(&self, folder: &str) -> &[&'a str] {
        let prefix = format!("{folder}/");
        let from = self.paths.partition_point(|path| *path < prefix.as_str());
        let rest = self.paths.get(from..).unwrap_or_default();
        let length = rest.partition_point(|path| path.starts_with(&prefix));
        rest.get(..length).unwrap_or_default()
    }

    fn target_of(&self, link: &SourceLink) -> Result<LinkTarget, Diagnostic> {
        if let Some(problem) = annex_link(&link.path, &link.target) {
            return Err(problem);
        }
        let nothing = || not_a_file(link.path.clone(), "a link that leads to no file or folder of the source");
        let mut target = target_from(&link.path, &link.target).ok_or_else(nothing)?;
        for _ in 0..MAX_SYMLINKS {
            if self.is_file(&target) {
                return Ok(LinkTarget::File(target));
            }
            if target.is_empty() || link.path.strip_prefix(target.as_str()).is_some_and(|rest| rest.starts_with('/')) {
                return Err(not_a_file(link.path.clone(), "a link to a folder that it is in itself"));
            }
            if !self.below(&target).is_empty() {
                return Ok(LinkTarget::Folder(target));
            }
            target = self.through_link(&target).ok_or_else(nothing)?;
        }
        Err(nothing())
    }

    /// The path in whose place one stands that is a link, or leads through one.
    fn through_link(&self, path: &str) -> Option<String> {
        let ends = path.match_indices('/').map(|(end, _)| end).chain([path.len()]);
        let (start, rest) =
            ends.filter_map(|end| path.split_at_checked(end)).find(|(start, _)| self.by_path.contains_key(start))?;
        let link = self.by_path.get(start)?;
        join_document_path("", &format!("{}{rest}", target_from(&link.path, &link.target)?))
    }
}

/// The target of a link at `path`. What begins with a slash leads out of the source.
fn target_from(path: &str, target: &str) -> Option<String> {
    let target = Some(target).filter(|target| !target.starts_with('/') && !target.contains('\\'))?;
    join_document_path(folder(path), target)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(links: &[(&str, &str)]) -> Vec<SourceLink> {
        links
            .iter()
            .map(|(path, target)| SourceLink { path: (*path).to_owned(), target: (*target).to_owned() })
            .collect()
    }

    #[track_caller]
    fn check(written: &[(&str, &str)], paths: &[&str], expect: &[(&str, &str)], left_out: &[&str]) {
        let (files, problems) = resolve_links(&links(written), paths.iter().copied());
        let files: Vec<_> = files.iter().map(|(path, file)| (path.as_str(), file.as_str())).collect();
        assert_eq!(files, expect);
        let left: Vec<_> = problems.iter().map(|problem| (problem.code, problem.file.as_str())).collect();
        assert_eq!(left, left_out.iter().map(|path| ("not-a-file", *path)).collect::<Vec<_>>());
    }

    #[test]
    fn links_to_files_of_the_source_stand_for_them() {
        check(
            &[
                ("docs/index.md", "../README.md"),
                ("docs/same.md", "./guide/a.md"),
                ("docs/twice.md", "index.md"),
                ("docs/out.md", "../../README.md"),
                ("docs/etc.md", "/README.md"),
                ("docs/none.md", "gone.md"),
                ("docs/circle.md", "circle.md"),
            ],
            &["README.md", "docs/guide/a.md"],
            &[("docs/index.md", "README.md"), ("docs/same.md", "docs/guide/a.md"), ("docs/twice.md", "README.md")],
            &["docs/out.md", "docs/etc.md", "docs/none.md", "docs/circle.md"],
        );
    }

    #[test]
    fn links_to_folders_stand_for_all_their_files() {
        check(
            &[
                ("latest", "v2"),
                ("docs/img", "../assets/img/"),
                ("newest", "latest"),
                ("newest-fire.md", "latest/fire.md"),
                ("v2/up", ".."),
                ("v2/self", "."),
                ("v2/deep/self", "../../v2"),
            ],
            &["assets/img/a.png", "latest-old/x.md", "v2/deep/ash.md", "v2/fire.md", "v20/x.md"],
            &[
                ("latest/deep/ash.md", "v2/deep/ash.md"),
                ("latest/fire.md", "v2/fire.md"),
                ("docs/img/a.png", "assets/img/a.png"),
                ("newest/deep/ash.md", "v2/deep/ash.md"),
                ("newest/fire.md", "v2/fire.md"),
                ("newest-fire.md", "v2/fire.md"),
            ],
            &["v2/up", "v2/self", "v2/deep/self"],
        );
    }

    #[test]
    fn what_links_stand_for_is_bounded() {
        let paths: Vec<String> = (0..MAX_LINKED_FILES).map(|number| format!("a/{number}.md")).collect();
        let (files, problems) = resolve_links(&links(&[("b", "a"), ("c", "a")]), paths.iter().map(String::as_str));
        assert_eq!((files.len(), problems.len()), (MAX_LINKED_FILES, 1));
        assert_eq!(problems[0].file, "c");
    }

    #[test]
    fn a_link_of_git_annex_says_what_it_is() {
        let target = "../.git/annex/objects/xX/yY/SHA256E-s12--ab.png/SHA256E-s12--ab.png";
        let (files, problems) = resolve_links(&links(&[("images/ofen.png", target)]), std::iter::empty());
        assert_eq!(files, []);
        assert_eq!((problems[0].code, problems[0].file.as_str()), ("lfs-pointer", "images/ofen.png"));
    }
}
