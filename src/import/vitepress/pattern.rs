//! The patterns of `rewrites`: `packages/:name/src/:page(.*)` and what they make of a path.

use base::cut::SliceText as _;

/// Most steps that are taken to compare a path with a pattern.
const MAX_MATCH_STEPS: usize = 4096;

/// A pattern of paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PathPattern(Vec<PatternPart>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum PatternPart {
    Text(String),
    /// A name, or the number of a group without one; and whether it may hold slashes.
    Any(String, bool),
}

impl PathPattern {
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut parts = Vec::new();
        let mut rest = text.trim_start_matches('/');
        let mut unnamed = 0;
        while !rest.is_empty() {
            let at = rest.find([':', '(', '*', '\\']).unwrap_or(rest.len());
            if at > 0 {
                parts.push(PatternPart::Text(rest.slice(..at).to_owned()));
                rest = rest.slice(at..);
                continue;
            }
            if let Some(escaped) = rest.strip_prefix('\\') {
                let c = escaped.chars().next()?;
                parts.push(PatternPart::Text(c.to_string()));
                rest = escaped.slice(c.len_utf8()..);
                continue;
            }
            let mut name = String::new();
            if let Some(named) = rest.strip_prefix(':') {
                let end = named.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(named.len());
                named.slice(..end).clone_into(&mut name);
                rest = named.slice(end..);
                if name.is_empty() {
                    parts.push(PatternPart::Text(":".to_owned()));
                    continue;
                }
            }
            if name.is_empty() {
                name = unnamed.to_string();
                unnamed += 1;
            }
            let mut is_wide = false;
            if let Some(group) = rest.strip_prefix('(') {
                let end = group.find(')')?;
                is_wide = !group.slice(..end).starts_with("[^/]");
                rest = group.slice(end + 1..);
            }
            if let Some(after) = rest.strip_prefix(['*', '+']) {
                is_wide = true;
                rest = after;
            }
            parts.push(PatternPart::Any(name, is_wide));
        }
        Some(Self(parts))
    }

    /// What a path becomes by `to`; `None` if it is not of this pattern.
    pub(super) fn rewrite(&self, path: &str, to: &str) -> Option<String> {
        let mut found = Vec::new();
        let mut steps = MAX_MATCH_STEPS;
        if !match_path_pattern(&self.0, path, &mut found, &mut steps) {
            return None;
        }
        let mut out = String::new();
        let target = Self::read(to)?;
        for part in target.0 {
            match part {
                PatternPart::Text(text) => out.push_str(&text),
                PatternPart::Any(name, _) => out.push_str(found.iter().find(|(known, _)| *known == name)?.1),
            }
        }
        Some(out)
    }
}

/// Compares; what the parts with names hold stands in `found` then.
fn match_path_pattern<'p, 't>(
    parts: &'p [PatternPart],
    path: &'t str,
    found: &mut Vec<(&'p str, &'t str)>,
    steps: &mut usize,
) -> bool {
    let Some((first, rest)) = parts.split_first() else { return path.is_empty() };
    match first {
        PatternPart::Text(text) => {
            path.strip_prefix(text.as_str()).is_some_and(|after| match_path_pattern(rest, after, found, steps))
        }
        PatternPart::Any(name, is_wide) => {
            let limit = if *is_wide { path.len() } else { path.find('/').unwrap_or(path.len()) };
            let ends = (0..=limit).rev().filter(|end| path.is_char_boundary(*end) && (*is_wide || *end > 0));
            for end in ends {
                if *steps == 0 {
                    return false;
                }
                *steps -= 1;
                let known = found.len();
                found.push((name, path.slice(..end)));
                if match_path_pattern(rest, path.slice(end..), found, steps) {
                    return true;
                }
                found.truncate(known);
            }
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, path: &str, to: &str, expect: Option<&str>) {
        assert_eq!(
            PathPattern::read(pattern).and_then(|it| it.rewrite(path, to)).as_deref(),
            expect,
            "{pattern} {path}"
        );
    }

    #[test]
    fn paths_are_rewritten() {
        check("a/b.md", "a/b.md", "c.md", Some("c.md"));
        check("a/b.md", "a/b.mdx", "c.md", None);
        check("packages/:pkg/src/(.*)", "packages/x/src/a/b.md", ":pkg/(.*)", Some("x/a/b.md"));
        check("packages/:pkg/src/:slug*", "packages/x/src/a/b.md", ":pkg/:slug*", Some("x/a/b.md"));
        check(":pkg/index.md", "a/b/index.md", ":pkg.md", None);
        check("en/:rest*", "en/a.md", ":rest*", Some("a.md"));
        check("en/:rest*", "en/a.md", ":other", None);
        check("(", "a", "b", None);
    }

    #[test]
    fn comparing_has_an_end() {
        let pattern = ":a*".repeat(12);
        check(&format!("{pattern}x"), &"a".repeat(200), "b", None);
    }
}
