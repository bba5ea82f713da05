//! The files that a page includes, and those that every page ends with.

use base::Problem;
use load::tool::RenderedText;
use site::include::{SiteFiles, expand_includes};

use super::super::syntax::MkDocsSyntax;
use super::PlacedLines;

/// Lines with those of the files that they include.
pub(super) fn expand_snippet_lines(
    syntax: &MkDocsSyntax,
    text: &RenderedText<'_>,
    mut lines: PlacedLines,
    problems: &mut Vec<Problem>,
) -> PlacedLines {
    if syntax.appended.is_empty() && !text.body.contains("--8<--") {
        return lines;
    }
    let last = lines.last().map_or(text.start, |(_, place)| *place);
    for path in &syntax.appended {
        lines.push((String::new(), last));
        lines.push((format!("--8<-- \"{path}\""), last));
    }
    let files = SiteFiles { tree: &text.site.tree, folders: &syntax.include_folders };
    let source = "--8<--";
    expand_includes(source, Some(lines), text.start, &files, problems).unwrap_or_default()
}
