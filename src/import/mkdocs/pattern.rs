//! Patterns of paths: those of `exclude_docs`, as in `.gitignore`, and those of navigations.

/// Patterns, of which the last one that a path matches counts.
#[derive(Clone, Debug, Default)]
pub(super) struct Patterns(Vec<(bool, String)>);

impl Patterns {
    /// Reads lines as in `.gitignore`.
    pub(super) fn read(text: &str) -> Self {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        Self(
            lines
                .map(|line| line.strip_prefix('!').map_or((true, line.to_owned()), |line| (false, line.to_owned())))
                .collect(),
        )
    }

    /// Whether a path is left out.
    pub(super) fn matches(&self, path: &str) -> bool {
        self.last(path) == Some(true)
    }

    /// Whether a path is kept that other rules leave out.
    pub(super) fn keeps(&self, path: &str) -> bool {
        self.last(path) == Some(false)
    }

    fn last(&self, path: &str) -> Option<bool> {
        self.0.iter().rev().find(|(_, pattern)| is_ignored(pattern, path)).map(|(leaves_out, _)| *leaves_out)
    }
}

/// Whether a path lies at, or below, what a pattern of `.gitignore` names.
fn is_ignored(pattern: &str, path: &str) -> bool {
    let is_folder = pattern.ends_with('/');
    let bare = pattern.trim_end_matches('/');
    let is_anchored = bare.trim_start_matches('/').contains('/') || bare.starts_with('/');
    let bare = bare.trim_start_matches('/');
    let parts: Vec<&str> = path.split('/').collect();
    let ends = if is_folder { 1..parts.len() } else { 1..parts.len() + 1 };
    ends.clone().any(|end| {
        let start = if is_anchored { 0 } else { end - 1 };
        glob(bare, &parts[start..end].join("/"))
    })
}

/// Whether a path matches a pattern: `*` and `?` within a name, `**` across names.
pub(super) fn glob(pattern: &str, path: &str) -> bool {
    /// Steps that a pattern of many stars may take.
    const MAX_GLOB_STEPS: usize = 100_000;
    let mut steps = MAX_GLOB_STEPS;
    is_match(pattern.as_bytes(), path.as_bytes(), &mut steps)
}

/// Recursion is bounded by the stars of the pattern.
fn is_match(pattern: &[u8], path: &[u8], steps: &mut usize) -> bool {
    if *steps == 0 {
        return false;
    }
    *steps -= 1;
    match pattern {
        [] => path.is_empty(),
        [b'*', b'*', b'/', rest @ ..] => {
            is_match(rest, path, steps)
                || path
                    .iter()
                    .enumerate()
                    .filter(|(_, byte)| **byte == b'/')
                    .any(|(at, _)| is_match(rest, &path[at + 1..], steps))
        }
        [b'*', b'*', rest @ ..] => (0..=path.len()).any(|at| is_match(rest, &path[at..], steps)),
        [b'*', rest @ ..] => {
            let most = path.iter().position(|byte| *byte == b'/').unwrap_or(path.len());
            (0..=most).any(|at| is_match(rest, &path[at..], steps))
        }
        [b'?', rest @ ..] => path.first().is_some_and(|byte| *byte != b'/') && is_match(rest, &path[1..], steps),
        [first, rest @ ..] => path.first() == Some(first) && is_match(rest, &path[1..], steps),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_left_out_by_patterns() {
        let patterns = Patterns::read("# x\ndrafts/\n*.tmp.md\n/api/**/old.md\n!keep.tmp.md\nnotes.md\n");
        for path in ["drafts/a.md", "x/drafts/b.md", "a/b.tmp.md", "api/old.md", "api/v/w/old.md", "a/notes.md"] {
            assert!(patterns.matches(path), "{path}");
        }
        for path in ["drafts.md", "keep.tmp.md", "x/api/old.md", "notes/a.md"] {
            assert!(!patterns.matches(path), "{path}");
        }
        assert!(patterns.keeps("keep.tmp.md") && !patterns.keeps("a.md"));
    }

    #[test]
    fn stars_stay_within_names() {
        for (pattern, path, expect) in [
            ("*.md", "a.md", true),
            ("*.md", "a/b.md", false),
            ("**/*.md", "a/b/c.md", true),
            ("**/*.md", "c.md", true),
            ("a/?.md", "a/b.md", true),
            ("a*c", "abbc", true),
            ("****************x", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false),
        ] {
            assert_eq!(glob(pattern, path), expect, "{pattern} {path}");
        }
    }
}
