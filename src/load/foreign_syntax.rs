//! Syntax of documentation tools in folders that no tool is known to read: it stands on the pages as it is written, which
//! has to be said.

use std::collections::BTreeMap;

use base::cut::SliceText as _;
use base::lines::{Verbatim, outside_code};
use base::{Diagnostic, FileId};
use site::tree::SourceTree;

/// Whose syntax it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ForeignSyntax {
    /// `{{< name >}}`, `{{% name %}}`
    Hugo,
    /// `{% hint %}`
    GitBook,
    /// `{% include x %}`
    Liquid,
    /// `{{#title x}}`
    MdBook,
    /// `<script setup>`
    Vue,
    /// `` {ref}`x` ``, `` ```{note} ``
    MyST,
    /// `[[page]]`, `![[page]]`
    Wiki,
}

/// Blocks of GitBook.
const GITBOOK: [&str; 13] = [
    "code",
    "columns",
    "content-ref",
    "embed",
    "endhint",
    "file",
    "hint",
    "openapi",
    "stepper",
    "swagger",
    "tab",
    "tabs",
    "updates",
];
/// Tags of Liquid and Jinja.
const LIQUID: [&str; 17] = [
    "assign",
    "block",
    "capture",
    "case",
    "comment",
    "extends",
    "for",
    "highlight",
    "if",
    "import",
    "include",
    "include_relative",
    "link",
    "post_url",
    "raw",
    "set",
    "unless",
];
/// Directives of MyST that begin a fence.
const MYST: [&str; 12] = [
    "admonition",
    "code-block",
    "eval-rst",
    "figure",
    "grid",
    "image",
    "include",
    "list-table",
    "note",
    "tab-set",
    "toctree",
    "warning",
];

/// Longest piece of such syntax, bytes: without a limit, a line of marks that nothing ends would be read from each of
/// them to its end.
const MAX_SAMPLE_BYTES: usize = 2_000;

impl ForeignSyntax {
    /// What it is called, and the tool of this program that reads it.
    fn names(self) -> (&'static str, Option<&'static str>) {
        match self {
            Self::Hugo => ("shortcodes of Hugo", Some("hugo")),
            Self::GitBook => ("blocks of GitBook", Some("gitbook")),
            Self::Liquid => ("tags of Liquid or Jinja", None),
            Self::MdBook => ("helpers of mdBook", Some("mdbook")),
            Self::Vue => ("scripts of Vue", Some("vitepress")),
            Self::MyST => ("roles and directives of MyST", None),
            Self::Wiki => ("links of a wiki (`[[page]]`)", Some("obsidian")),
        }
    }
}

/// Each syntax that a text holds outside of code, with the first of its lines, from 0.
pub(crate) fn find_foreign_syntax(body: &str) -> Vec<(ForeignSyntax, u32)> {
    let mut found: Vec<(ForeignSyntax, u32)> = Vec::new();
    let may_hold = |mark: &str| memchr::memmem::find(body.as_bytes(), mark.as_bytes()).is_some();
    if !["{{", "{%", "[[", "}`", "```{", "<script setup"].iter().any(|mark| may_hold(mark)) {
        return found;
    }
    let mut verbatim = Verbatim::default();
    let mut is_code = false;
    for (line, number) in body.lines().zip(0..) {
        let was_code = std::mem::replace(&mut is_code, verbatim.takes(line.trim_start_matches([' ', '>'])));
        let mut add = |syntax: Option<ForeignSyntax>| {
            if let Some(syntax) = syntax.filter(|syntax| !found.iter().any(|(known, _)| known == syntax)) {
                found.push((syntax, number));
            }
        };
        if is_code {
            let fence = line.trim_start().trim_start_matches('`');
            let name = fence.strip_prefix('{').and_then(|rest| rest.split_once('}')).map(|(name, _)| name);
            let is_directive = |name: &&str| !was_code && line.contains("```{") && MYST.contains(name);
            add(name.filter(is_directive).map(|_| ForeignSyntax::MyST));
            continue;
        }
        add(line.trim_start().starts_with("<script setup").then_some(ForeignSyntax::Vue));
        add(has_role(line).then_some(ForeignSyntax::MyST));
        let mut places = Vec::new();
        outside_code(line, |text| {
            places.extend(text.match_indices(['{', '[']).filter_map(|(at, _)| syntax_at(text.get(at..)?)));
            String::new()
        });
        places.into_iter().for_each(|syntax| add(Some(syntax)));
    }
    found
}

/// The syntax that a text begins with.
fn syntax_at(text: &str) -> Option<ForeignSyntax> {
    let text = text.slice(..MAX_SAMPLE_BYTES);
    let name_of = |rest: &str| -> String {
        let rest = rest.trim_start_matches('-').trim_start();
        rest.chars().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).collect()
    };
    if let Some(rest) = text.strip_prefix("{{<").or_else(|| text.strip_prefix("{{%")) {
        let is_closed = rest.contains(">}}") || rest.contains("%}}");
        return (is_closed && !name_of(rest.trim_start().trim_start_matches('/')).is_empty())
            .then_some(ForeignSyntax::Hugo);
    }
    if let Some(rest) = text.strip_prefix("{{#") {
        return ["title", "template", "playground"].contains(&name_of(rest).as_str()).then_some(ForeignSyntax::MdBook);
    }
    if let Some(rest) = text.strip_prefix("{%").filter(|rest| rest.contains("%}")) {
        let name = name_of(rest);
        let is_liquid = || LIQUID.contains(&name.as_str()).then_some(ForeignSyntax::Liquid);
        return GITBOOK.contains(&name.as_str()).then_some(ForeignSyntax::GitBook).or_else(is_liquid);
    }
    let (inside, after) = text.strip_prefix("[[")?.split_once("]]")?;
    let is_name = inside.starts_with(|c: char| c.is_alphanumeric())
        && !inside.contains(['[', ']', '(', '='])
        && !inside.ends_with(' ')
        && !inside.bytes().all(|byte| byte.is_ascii_digit())
        && !inside.eq_ignore_ascii_case("toc");
    (is_name && !after.starts_with(['(', '[', ':'])).then_some(ForeignSyntax::Wiki)
}

/// Whether a line has a role of MyST: a name in braces right before code.
fn has_role(line: &str) -> bool {
    let is_name = |c: char| c.is_ascii_lowercase() || matches!(c, ':' | '-' | '_');
    let (mut is_code, mut seen) = (false, 0);
    line.match_indices("}`").any(|(end, _)| {
        let name_start = line.slice(..end).trim_end_matches(is_name).len();
        let is_named = name_start < end && line.slice(..name_start).ends_with('{');
        // not the end of code
        is_code ^= line.slice(seen..end).bytes().filter(|byte| *byte == b'`').count() % 2 == 1;
        seen = end;
        is_named && !is_code
    })
}

/// What is said of the texts of a folder, by what each of them holds: each syntax once.
pub(crate) fn tell_foreign_syntax<'s>(
    files: &SourceTree,
    texts: impl Iterator<Item = (FileId, &'s [(ForeignSyntax, u32)])>,
) -> Vec<Diagnostic> {
    let mut found: BTreeMap<ForeignSyntax, (FileId, u32, usize)> = BTreeMap::new();
    for (id, held) in texts.filter(|(id, _)| !files.file(*id).ignored) {
        for (syntax, line) in held {
            found.entry(*syntax).or_insert((id, *line, 0)).2 += 1;
        }
    }
    let told = found.into_iter().map(|(syntax, (file, line, count))| {
        let (what, tool) = syntax.names();
        let others = match count {
            1 => String::new(),
            2 => ", as on another page".to_owned(),
            count => format!(", as on {} others", count - 1),
        };
        let message = format!("{what} stand on this page as they are written{others}");
        let hint = tool.map_or_else(
            || "no tool is known to read this folder: write them as Markdown".to_owned(),
            |tool| format!("export the folder that holds the configuration of the tool, or say `--from {tool}`"),
        );
        Diagnostic::new("tool-syntax", message).at(files.path(file), line, 0).hint(hint)
    });
    told.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syntax_of_tools_is_found_outside_of_code() {
        use ForeignSyntax::*;
        for (text, expect) in [
            ("a {{< ref \"x\" >}} b", vec![Hugo]),
            ("{{% alert %}}\nx\n{{% /alert %}}", vec![Hugo]),
            ("{% hint style=\"info\" %}", vec![GitBook]),
            ("{%- include x.html -%} and {{#title T}}", vec![Liquid, MdBook]),
            ("see [[Other page|other]] or ![[a b.png]]", vec![Wiki]),
            ("see {ref}`here`", vec![MyST]),
            ("```{toctree}\na\n```", vec![MyST]),
            ("<script setup>\n", vec![Vue]),
            ("`{{< x >}}` and ``{% if %}`` and `[[a]]`", vec![]),
            ("```\n{{< x >}} [[a]]\n```\n", vec![]),
            ("[[1]] [[a]](b) [[x][y]] if [[ -f a ]] {{ value }} {% custom %} {{< >}} `{a}` `b`", vec![]),
            ("~~~{r}\nx\n~~~", vec![]),
        ] {
            let found: Vec<ForeignSyntax> = find_foreign_syntax(text).into_iter().map(|(syntax, _)| syntax).collect();
            assert_eq!(found, expect, "{text}");
        }
        assert_eq!(find_foreign_syntax("a\n\n{{< x >}}\n{{< y >}}"), [(Hugo, 2)]);
    }
}
