//! The folders of a source in which a change can matter to its site.

use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::ConfigKind;
use super::ignored::IgnoreRules;
use super::tree::{is_entered, read_below};

/// The folder itself and all folders below it that a load enters and that no rule ignores. They are few even where an
/// ignored folder holds very many.
pub fn folders_to_watch(root: &Path) -> Vec<PathBuf> {
    let is_plain = !["docs.json", "mint.json"].iter().any(|name| root.join(name).is_file());
    let kind = if is_plain { ConfigKind::Plain } else { ConfigKind::Docs };
    let (rules, _) = IgnoreRules::read(kind, |name| read_below(root, name));
    let is_part = |entry: &walkdir::DirEntry| {
        let path = entry.path().strip_prefix(root).ok().and_then(Path::to_str);
        entry.file_type().is_dir()
            && is_entered(entry)
            && (entry.depth() == 0 || path.is_some_and(|path| !rules.ignores_folder(&path.replace('\\', "/"))))
    };
    WalkDir::new(root)
        .into_iter()
        .filter_entry(is_part)
        .filter_map(Result::ok)
        .map(walkdir::DirEntry::into_path)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(files: &[(&str, &str)], expect: &[&str]) {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            std::fs::create_dir_all(folder.path().join(path).parent().unwrap()).unwrap();
            std::fs::write(folder.path().join(path), text).unwrap();
        }
        let found = folders_to_watch(folder.path());
        let mut found: Vec<&str> =
            found.iter().map(|path| path.strip_prefix(folder.path()).unwrap().to_str().unwrap()).collect();
        found.sort_unstable();
        assert_eq!(found, expect);
    }

    #[test]
    fn ignored_folders_are_left_out() {
        let files = [
            ("a/b/x.md", ""),
            ("node_modules/p/y.md", ""),
            (".git/config", ""),
            (".vscode/z.json", ""),
            ("drafts/deep/x.md", ""),
            ("out/_offprint/manifest.json", "{}"),
        ];
        check(&[&files[..], &[("docs.json", "{}"), (".mintignore", "drafts/\n")]].concat(), &["", "a", "a/b"]);
        check(&[&files[..], &[(".gitignore", "/a/b\n")]].concat(), &["", "a", "drafts", "drafts/deep"]);
    }
}
