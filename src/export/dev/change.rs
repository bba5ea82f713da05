//! What changed files mean for a site that is loaded.

use std::collections::BTreeSet;

use crate::Workspace;
use base::extension::has_extension;
use base::{FileId, PageId};
use load::inventory::is_as_loaded;
use load::inventory::is_text_path;

/// What has to be done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Change {
    /// Load the site again: its files, its configuration, or what pages show of each other have changed.
    pub(super) site: bool,
    /// Render these pages again.
    pub(super) pages: BTreeSet<PageId>,
    /// Read snippets and scripts again.
    pub(super) snippets: bool,
    /// The author's style sheets differ.
    pub(super) styles: bool,
    /// Pictures and other files differ that pages load.
    pub(super) files: bool,
}

impl Change {
    /// Merges another change into this one.
    fn add(&mut self, other: Self) {
        self.site |= other.site;
        self.pages.extend(other.pages);
        self.snippets |= other.snippets;
        self.styles |= other.styles;
        self.files |= other.files;
    }
}

/// The files that say which others are no part of the site.
const RULES: [&str; 2] = [".mintignore", ".gitignore"];

/// Judges paths relative to the source folder, `/`-separated, and keeps those that matter.
pub(super) fn judge(paths: &mut Vec<String>, workspace: &Workspace<'_>) -> Change {
    let mut all = Change::default();
    paths.retain(|path| {
        let change = judge_one(path, workspace);
        let matters = change != Change::default();
        all.add(change);
        matters
    });
    all
}

fn judge_one(path: &str, workspace: &Workspace<'_>) -> Change {
    let tree = &workspace.site().tree;
    if is_hidden_file(path) && !tree.find_any(path).is_some_and(|file| is_read(file, workspace)) {
        return Change::default();
    }
    let metadata = tree.folder().and_then(|folder| std::fs::symlink_metadata(folder.join(path)).ok());
    let is_file = metadata.as_ref().is_some_and(std::fs::Metadata::is_file);
    match tree.find_any(path) {
        Some(file) if is_file => judge_known(file, workspace),
        // a file went, or a folder took its place
        Some(_) => Change { site: true, ..Change::default() },
        None => {
            let is_folder = metadata.is_some_and(|metadata| metadata.is_dir());
            let prefix = format!("{path}/");
            let was_folder = || tree.files.iter().any(|file| file.path.starts_with(&prefix));
            Change { site: is_folder || was_folder() || is_file && !is_passing(path), ..Change::default() }
        }
    }
}

/// Names that start with a dot are no part of a site, except for the files that say what else is none.
fn is_hidden_file(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| name.starts_with('.') && name != ".well-known") && !RULES.contains(&path)
}

/// Whether a file is read although its name starts with a dot: a configuration or a text may name any.
fn is_read(file: FileId, workspace: &Workspace<'_>) -> bool {
    let site = workspace.site();
    site.is_config(file) || is_text_path(site.tree.path(file))
}

fn judge_known(file: FileId, workspace: &Workspace<'_>) -> Change {
    let site = workspace.site();
    let mut change = Change::default();
    let path = site.tree.path(file);
    let is_text = is_text_path(path);
    let is_config = site.is_config(file) || matches!(path, "docs.json" | "mint.json") || RULES.contains(&path);
    if is_config || is_text && !is_as_loaded(site, file) {
        change.site = true;
    } else if is_text {
        match workspace.page_of(file) {
            Some(page) => {
                change.pages.insert(page);
                // a page may be imported too
                change.snippets |= site.imported.binary_search(&file).is_ok();
            }
            None => change.snippets = true,
        }
    } else if site.tree.file(file).ignored {
        // no part of the site
    } else if has_extension(path, &["css"]) {
        change.styles = true;
    } else {
        // pages hold the sizes of pictures, the navigation what descriptions of APIs say
        (change.site, change.files) = (true, true);
    }
    change
}

/// Files that editors and systems write beside those that people write.
fn is_passing(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let endings =
        ["~", ".swp", ".swo", ".swx", ".tmp", ".temp", ".bak", ".part", ".crdownload", "___jb_tmp___", "___jb_old___"];
    endings.iter().any(|ending| name.ends_with(ending))
        || name.starts_with('#') && name.ends_with('#')
        || name == "4913"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{WorkspaceSettings, open_workspace};
    use std::fs;

    const DOCS: &str =
        r##"{"theme": "mint", "name": "N", "colors": {"primary": "#000"}, "navigation": {"pages": ["index", "a"]}}"##;

    /// Opens a site, changes it, and says what one path means then: `site`, `pages a`, `snippets` …
    #[track_caller]
    fn check(path: &str, text: Option<&str>, expect: &str) {
        let folder = tempfile::tempdir().unwrap();
        let files = [
            ("docs.json", DOCS),
            ("index.mdx", "---\ntitle: Start\n---\nimport S from '/snippets/s.mdx'\n\n<S/>"),
            ("a.mdx", "---\ntitle: A\n---\nText."),
            ("snippets/s.mdx", "Snippet."),
            ("style.css", "p{}"),
            ("x.png", "x"),
            (".vscode/x.json", "{}"),
            (".env", "A=1"),
        ];
        for (path, text) in files {
            fs::create_dir_all(folder.path().join(path).parent().unwrap()).unwrap();
            fs::write(folder.path().join(path), text).unwrap();
        }
        let settings = WorkspaceSettings::of(folder.path().to_owned());
        let change = open_workspace(&settings, None, |workspace| {
            let at = folder.path().join(path);
            match text {
                Some(text) => {
                    fs::create_dir_all(at.parent().unwrap()).unwrap();
                    fs::write(at, text).unwrap();
                }
                None if at.is_dir() => fs::remove_dir_all(at).unwrap(),
                None => drop(fs::remove_file(at)),
            }
            let change = judge(&mut vec![path.to_owned()], workspace);
            let pages = change
                .pages
                .iter()
                .map(|page| format!(" page:{}", workspace.site().page(*page).slug))
                .collect::<String>();
            let named = [
                (change.site, " site"),
                (change.snippets, " snippets"),
                (change.styles, " styles"),
                (change.files, " files"),
            ];
            pages + &named.iter().filter(|(set, _)| *set).map(|(_, name)| *name).collect::<String>()
        });
        assert_eq!(change.unwrap().trim_start(), expect, "{path} {text:?}");
    }

    #[test]
    fn only_what_changed_is_done_again() {
        check("a.mdx", Some("---\ntitle: A\n---\nOther text with [a link](index#x)."), "page:a");
        check("a.mdx", Some("---\ntitle: B\n---\nText."), "site");
        check("a.mdx", Some("---\ntitle: A\n---\nimport S from '/snippets/s.mdx'\n"), "site");
        check("a.mdx", None, "site");
        check("snippets/s.mdx", Some("Other."), "snippets");
        check("style.css", Some("p{color:red}"), "styles");
        check("x.png", Some("y"), "site files");
        check("docs.json", Some("{"), "site");
        check("new.mdx", Some("text"), "site");
        check("deep/new.mdx", Some("text"), "site");
        check("deep", None, "");
        check("snippets", None, "site");
        check(".a.mdx.swp", Some("text"), "");
        check("a.mdx~", Some("text"), "");
        check(".vscode/x.json", Some("[]"), "");
        check("gone.mdx", None, "");
        check(".out.zip.partial-1", Some("PK"), "");
        check(".env", Some("A=2"), "");
        check(".env", None, "");
        check(".cache", Some("x"), "");
        check(".mintignore", Some("a.mdx"), "site");
    }
}
