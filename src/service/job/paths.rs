//! What a failure says leaves the service: without the paths of this machine.

use std::path::Path;

use base::cut::SliceText as _;

use super::child::{ChildWork, JobSource};

/// Folders whose names must not appear in messages, with a placeholder for each; the longest first.
pub(super) struct Paths(Vec<(String, &'static str)>);

impl Paths {
    /// Those that some work has to do with.
    pub(super) fn of(work: &ChildWork) -> Self {
        let mut paths = Self(Vec::new());
        match &work.source {
            JobSource::Folder { path } => {
                // a file stands for its folder
                let folder = if path.is_file() { path.parent() } else { None };
                paths.add(path, "the source folder");
                paths.add(folder.unwrap_or(path), "the source folder");
            }
            JobSource::Git { url, .. } => {
                paths.add(Path::new(url.strip_prefix("file://").unwrap_or(url)), "the repository")
            }
            JobSource::Archive { .. } => {}
        }
        let around = work.folder.ancestors().skip(1).take(2).collect::<Vec<_>>();
        paths.add(&work.folder, "the job's folder");
        around.into_iter().for_each(|folder| paths.add(folder, "the service's folder"));
        paths.add(&std::env::temp_dir(), "the folder for temporary files");
        if let Some(folder) = std::env::current_exe().ok().as_deref().and_then(Path::parent) {
            paths.add(folder, "the program's folder");
        }
        paths.0.sort_by_key(|(path, _)| std::cmp::Reverse(path.len()));
        paths
    }

    /// A folder, under the name that it was given and under its own.
    fn add(&mut self, path: &Path, word: &'static str) {
        let real = path.canonicalize().ok();
        for path in [Some(path), real.as_deref()].into_iter().flatten().filter(|path| path.is_absolute()) {
            // what is so short is the start of everything
            let text = path.display().to_string().trim_end_matches('/').to_owned();
            if text.len() > 1 {
                self.0.push((text, word));
            }
        }
    }

    /// A message without them: what lies in such a folder is named from there, the folder itself by a word.
    pub(super) fn hide(&self, message: &str) -> String {
        let bare = |message: String, word: &str| message.replace(&format!("`{word}`"), word);
        self.0.iter().fold(message.to_owned(), |message, (path, word)| bare(replaced(&message, path, word), word))
    }
}

fn replaced(message: &str, path: &str, word: &str) -> String {
    let mut out = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(at) = rest.find(path) {
        let (before, after) = (rest.slice(..at), rest.slice(at + path.len()..));
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
        let begins = !before.chars().next_back().is_some_and(is_name);
        let below = after.strip_prefix('/').filter(|below| below.chars().next().is_some_and(is_name));
        let ends = below.is_some() || !after.chars().next().is_some_and(|c| is_name(c) && !matches!(c, '/' | '.'));
        out.push_str(before);
        out.push_str(match (begins && ends, below) {
            (true, Some(_)) => "",
            (true, None) => word,
            (false, _) => path,
        });
        rest = below.filter(|_| begins).unwrap_or(after);
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(message: &str, expect: &str) {
        let paths = Paths(vec![
            ("/srv/acme-docs".to_owned(), "the source folder"),
            ("/srv".to_owned(), "the service's folder"),
        ]);
        assert_eq!(paths.hide(message), expect);
    }

    #[test]
    fn paths_of_this_machine_are_not_told() {
        check("cannot read `/srv/acme-docs/guides/a.mdx`: denied", "cannot read `guides/a.mdx`: denied");
        check("cannot read \"/srv/acme-docs\": gone", "cannot read \"the source folder\": gone");
        check("cannot read /srv/acme-docs.", "cannot read the source folder.");
        check("`/srv/acme-docs` has no pages", "the source folder has no pages");
        check("cannot read `/srv/acme-docs/`", "cannot read `the source folder/`");
        check("`/srv/other/x` and /srv/acme-docs/b", "`other/x` and b");
        // these only look alike
        check("`/srv/acme-docs-2/x`", "`acme-docs-2/x`");
        check("`docs/srv/x` and `/srvx`", "`docs/srv/x` and `/srvx`");
        check("nothing of that", "nothing of that");
    }
}
