//! Which files are no part of the site: the built-in list and `.mintignore`, in the syntax of `.gitignore`.

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rustc_hash::FxHashMap;

use base::Diagnostic;
use base::extension::is_markdown;

use super::ConfigKind;

/// Always ignored in a site with a configuration; `.mintignore` may take names back with `!`.
const BUILT_IN: [&str; 13] = [
    ".git",
    ".github",
    ".claude",
    ".agents",
    ".cursor",
    ".idea",
    ".vscode",
    ".mintlify",
    "node_modules",
    "README.md",
    "LICENSE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
];

/// Folders of build products: the platform's documentation ignores them, its package does not, so only what the
/// navigation names is taken.
const UNCLEAR: [&str; 5] = ["build", "dist", "coverage", "tmp", "temp"];

/// The folder of files with agreed names (RFC 8615).
const WELL_KNOWN: &str = ".well-known";

/// File names, in lower case, that are pages only if the navigation names them.
const NEVER_PAGES: [&str; 4] = ["readme.md", "license.md", "contributing.md", "contribute.md"];

/// Files that programs and hosts of repositories read, by the names that these have agreed on. A page about agents may be
/// called `agents.md`.
const OF_REPOSITORY: [&str; 6] =
    ["AGENTS.md", "CLAUDE.md", "CODE_OF_CONDUCT.md", "GEMINI.md", "ISSUE_TEMPLATE.md", "PULL_REQUEST_TEMPLATE.md"];

/// Rules about whole files.
#[derive(Debug)]
pub struct IgnoreRules {
    rules: Gitignore,
}

impl IgnoreRules {
    /// The built-in list, then the lines of `.mintignore`.
    pub fn of_site(mintignore: Option<&str>) -> (Self, Vec<Diagnostic>) {
        Self::new(&BUILT_IN, ".mintignore", mintignore)
    }

    /// What a plain folder leaves out: the lines of its `.gitignore`.
    pub fn of_plain_folder(gitignore: Option<&str>) -> (Self, Vec<Diagnostic>) {
        Self::new(&[], ".gitignore", gitignore)
    }

    /// The rules of a site of this kind; `text` reads a file of its folder.
    pub fn read(kind: ConfigKind, text: impl FnOnce(&str) -> Option<String>) -> (Self, Vec<Diagnostic>) {
        match kind {
            ConfigKind::Plain => Self::of_plain_folder(text(".gitignore").as_deref()),
            _ => Self::of_site(text(".mintignore").as_deref()),
        }
    }

    fn new(built_in: &[&str], file: &'static str, text: Option<&str>) -> (Self, Vec<Diagnostic>) {
        let mut builder = GitignoreBuilder::new("");
        let mut problems = Vec::new();
        let own = text.unwrap_or_default().lines().enumerate();
        for (number, line) in
            built_in.iter().map(|line| (None, *line)).chain(own.map(|(index, line)| (Some(index), line)))
        {
            if let (Err(error), Some(index)) = (builder.add_line(None, line), number) {
                let message = format!("`{line}` is not a valid pattern: {error}");
                problems.push(Diagnostic::new("ignore-pattern", message).at(
                    file,
                    u32::try_from(index + 1).unwrap_or(0),
                    1,
                ));
            }
        }
        let rules = builder.build().unwrap_or_else(|error| {
            problems.push(Diagnostic::new("ignore-pattern", format!("`{file}` is not used: {error}")).at(file, 0, 0));
            Gitignore::empty()
        });
        (Self { rules }, problems)
    }

    /// Whether each of the paths is ignored. As in git, nothing below an ignored folder can be taken back; whatever
    /// lies below a folder whose name starts with a dot is ignored too, except what hosts and programs look for in
    /// `.well-known`, where nothing is a page.
    pub fn of_sorted<'p>(&self, paths: impl Iterator<Item = &'p str>) -> Vec<bool> {
        let mut folders: FxHashMap<&str, bool> = FxHashMap::default();
        paths
            .map(|path| {
                let folder = base::folder_path::folder(path);
                self.folder_ignored(folder, &mut folders)
                    || is_markdown(path) && folder.split('/').any(|name| name == WELL_KNOWN)
                    || matches!(self.rules.matched(path, false), Match::Ignore(_))
            })
            .collect()
    }

    /// Whether a folder is ignored whose own folder is not.
    pub fn ignores_folder(&self, path: &str) -> bool {
        path.rsplit('/').next().is_some_and(|name| name.starts_with('.') && name != WELL_KNOWN)
            || matches!(self.rules.matched(path, true), Match::Ignore(_))
    }

    /// Walks up to the nearest folder that is known, then down again; a loop, since folders may be nested without end.
    fn folder_ignored<'p>(&self, folder: &'p str, known: &mut FxHashMap<&'p str, bool>) -> bool {
        let mut unknown = Vec::new();
        let mut at = folder;
        let mut ignored = loop {
            if at.is_empty() {
                break false;
            }
            if let Some(ignored) = known.get(at) {
                break *ignored;
            }
            unknown.push(at);
            at = base::folder_path::folder(at);
        };
        for folder in unknown.into_iter().rev() {
            ignored = ignored || self.ignores_folder(folder);
            known.insert(folder, ignored);
        }
        ignored
    }
}

/// Whether a Markdown file outside the navigation is no page of a site with a configuration.
pub fn page_only_in_navigation(path: &str) -> bool {
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or_default();
    parts.any(|part| UNCLEAR.contains(&part))
        || NEVER_PAGES.iter().any(|never| name.eq_ignore_ascii_case(never))
        || is_of_repository(path)
}

/// Whether a Markdown file is for those who work on a repository, and outside the navigation no page of any site.
pub fn is_of_repository(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| OF_REPOSITORY.contains(&name))
}

/// Whether a file lies in a folder of snippets.
pub fn is_snippet(path: &str) -> bool {
    path.rsplit('/').skip(1).any(|part| matches!(part, "snippets" | "_snippets"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(mintignore: &str, path: &str, expect: bool) {
        let (rules, problems) = IgnoreRules::of_site(Some(mintignore));
        assert!(problems.is_empty(), "{problems:?}");
        assert_eq!(rules.of_sorted([path].into_iter()), [expect], "{mintignore:?} {path}");
    }

    #[test]
    fn built_in_names_are_ignored_at_any_depth() {
        check("", "README.md", true);
        check("", "a/b/README.md", true);
        check("", "a/readme.md", false);
        check("", "a/.hidden/x.md", true);
        check("", ".hidden.md", false);
        check("", "guides/x.md", false);
    }

    #[test]
    fn lines_follow_gitignore() {
        check("# a comment\n\ndrafts/\n*.draft.mdx\r\n", "drafts/x.md", true);
        check("drafts/", "guides/drafts/x.md", true);
        check("/drafts/", "guides/drafts/x.md", false);
        check("*.draft.mdx", "a/x.draft.mdx", true);
        check("private/**\n!private/open.md", "private/open.md", false);
        check("private/\n!private/open.md", "private/open.md", true);
        check("!README.md", "README.md", false);
    }

    #[test]
    fn build_products_and_readmes_need_the_navigation() {
        assert!(page_only_in_navigation("a/build/x.mdx"));
        assert!(page_only_in_navigation("a/ReadMe.md"));
        assert!(!page_only_in_navigation("a/build.mdx"));
        assert!(page_only_in_navigation("AGENTS.md") && page_only_in_navigation("docs/CLAUDE.md"));
        assert!(!page_only_in_navigation("guides/agents.md"));
    }

    #[test]
    fn snippet_folders() {
        assert!(is_snippet("es/_snippets/a/b.mdx"));
        assert!(!is_snippet("snippets.mdx"));
    }

    #[test]
    fn a_pattern_that_is_none_is_told() {
        let (_, problems) = IgnoreRules::of_site(Some("ok\n[z-a]\n"));
        assert_eq!((problems.len(), problems[0].file.as_str(), problems[0].line), (1, ".mintignore", 2));
    }
}
