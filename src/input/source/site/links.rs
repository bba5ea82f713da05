//! Symbolic links of a source. One that leads to a file of the same source stands for that file; its target is looked
//! up in the list of files by its words, never followed on disk. All others are left out.

use rustc_hash::FxHashMap;

use crate::base::Diagnostic;

use super::contents::not_a_file;
use super::folder_path::{folder, join_document_path};

/// Longest target of a link, bytes.
pub(crate) const TARGET_BYTES: u64 = 4 << 10;
/// Most links that lead to each other.
const MAX_STEPS: usize = 8;

/// A link of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    /// Its path.
    pub(crate) path: String,
    /// What it leads to, from its folder.
    pub(crate) target: String,
}

/// The links that stand for files: their paths and those of the files. `is_file`: whether there is a file at a path,
/// which is in form and root that of the links. What is wrong with the others.
pub(crate) fn resolve_file_links(
    links: &[Link],
    is_file: impl Fn(&str) -> bool,
) -> (Vec<(String, String)>, Vec<Diagnostic>) {
    let by_path: FxHashMap<&str, &Link> = links.iter().map(|link| (link.path.as_str(), link)).collect();
    let mut files = Vec::new();
    let mut problems = Vec::new();
    for link in links {
        match file_of(link, &by_path, &is_file) {
            Some(file) => files.push((link.path.clone(), file)),
            None => problems.push(not_a_file(link.path.clone(), "a link that leads to no file of the source")),
        }
    }
    (files, problems)
}

fn file_of<'a>(
    mut link: &'a Link,
    by_path: &FxHashMap<&str, &'a Link>,
    is_file: impl Fn(&str) -> bool,
) -> Option<String> {
    for _ in 0..MAX_STEPS {
        // what begins with a slash leads out of the source
        let target = Some(link.target.as_str()).filter(|target| !target.starts_with('/') && !target.contains('\\'))?;
        let target = join_document_path(folder(&link.path), target)?;
        if is_file(&target) {
            return Some(target);
        }
        link = by_path.get(target.as_str())?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_files_of_the_source_stand_for_them() {
        let links = [
            ("docs/index.md", "../README.md"),
            ("docs/same.md", "./guide/a.md"),
            ("docs/twice.md", "index.md"),
            ("docs/out.md", "../../README.md"),
            ("docs/etc.md", "/README.md"),
            ("docs/folder", "guide"),
            ("docs/none.md", "gone.md"),
            ("docs/circle.md", "circle.md"),
        ]
        .map(|(path, target)| Link { path: path.to_owned(), target: target.to_owned() });
        let (files, problems) = resolve_file_links(&links, |path| ["README.md", "docs/guide/a.md"].contains(&path));
        let files: Vec<_> = files.iter().map(|(path, file)| (path.as_str(), file.as_str())).collect();
        let expect =
            [("docs/index.md", "README.md"), ("docs/same.md", "docs/guide/a.md"), ("docs/twice.md", "README.md")];
        assert_eq!(files, expect);
        let left: Vec<_> = problems.iter().map(|problem| (problem.code, problem.file.as_str())).collect();
        let expect = ["docs/out.md", "docs/etc.md", "docs/folder", "docs/none.md", "docs/circle.md"];
        assert_eq!(left, expect.map(|path| ("not-a-file", path)));
    }
}
