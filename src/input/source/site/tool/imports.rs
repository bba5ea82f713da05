//! The import statements of scripts and pages, as lines.

use crate::base::cut::{SliceText as _, cut};

/// An import statement.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Import<'s> {
    /// (name there, name here); `default` and `*` among the first.
    pub(super) names: Vec<(&'s str, &'s str)>,
    /// The module, as written.
    pub(super) from: &'s str,
}

/// Reads an import statement.
pub(super) fn parse_import(statement: &str) -> Option<Import<'_>> {
    let rest = statement.trim().strip_prefix("import")?.trim_start();
    if let Some(quote) = rest.chars().next().filter(|c| matches!(c, '\'' | '"')) {
        return Some(Import { names: Vec::new(), from: rest.slice(1..).split(quote).next()? });
    }
    let at = rest.rfind(" from").or_else(|| rest.rfind("}from"))?;
    let (clause, from) = cut(rest, at + usize::from(rest.slice(at..).starts_with('}')));
    let from = from.trim_start().strip_prefix("from")?.trim_start();
    let quote = from.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let from = from.slice(1..).split(quote).next()?;
    let clause = clause.trim();
    let clause = clause.strip_prefix("type ").unwrap_or(clause);
    let (bare, named) = match clause.split_once('{') {
        Some((bare, named)) => (bare, named.split('}').next().unwrap_or_default()),
        None => (clause, ""),
    };
    let mut names = Vec::new();
    for part in bare.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        match part.strip_prefix('*').map(|rest| rest.trim().trim_start_matches("as").trim()) {
            Some(local) => names.push(("*", local)),
            None => names.push(("default", part)),
        }
    }
    for part in named.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (exported, local) = part.split_once(" as ").unwrap_or((part, part));
        names.push((exported.trim(), local.trim()));
    }
    Some(Import { names, from })
}

/// An import statement of names.
pub(super) fn written(names: &[(&str, &str)], from: &str) -> String {
    let default = names.iter().find(|(exported, _)| *exported == "default").map(|(_, local)| (*local).to_owned());
    let all = names.iter().find(|(exported, _)| *exported == "*").map(|(_, local)| format!("* as {local}"));
    let named: Vec<String> = names
        .iter()
        .filter(|(exported, _)| !matches!(*exported, "default" | "*"))
        .map(|(exported, local)| if exported == local { (*local).to_owned() } else { format!("{exported} as {local}") })
        .collect();
    let named = (!named.is_empty()).then(|| format!("{{ {} }}", named.join(", ")));
    let parts: Vec<String> = [default, all, named].into_iter().flatten().collect();
    if parts.is_empty() { String::new() } else { format!("import {} from '{from}';", parts.join(", ")) }
}

/// How many lines follow the first of an import statement.
pub(super) fn length_of(lines: &[&str]) -> Option<usize> {
    const MAX_LINES: usize = 60;
    let is_end = |line: &&str| line.contains(['\'', '"']) && line.trim_end().ends_with([';', '\'', '"']);
    lines.iter().take(MAX_LINES).position(is_end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_read() {
        let names =
            |statement: &str| parse_import(statement).map(|import| format!("{:?} {}", import.names, import.from));
        assert_eq!(
            names("import A, {b, c as d} from 'x';").as_deref(),
            Some("[(\"default\", \"A\"), (\"b\", \"b\"), (\"c\", \"d\")] x")
        );
        assert_eq!(names("import * as A from \"x\"").as_deref(), Some("[(\"*\", \"A\")] x"));
        assert_eq!(names("import './a.css'").as_deref(), Some("[] ./a.css"));
        assert_eq!(written(&[("default", "A"), ("b", "c")], "/x.js"), "import A, { b as c } from '/x.js';");
    }
}
