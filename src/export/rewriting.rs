//! Text of a documentation tool to text of a page, as the tool of the project says.

use base::{FileId, Place, Problem};
use load::Site;
use load::tool::{Dashes, RenderedText};
use site::page::Dialect;

/// The punctuation of a site's pages; `None` for what is written.
pub(super) fn punctuation(site: &Site, dialect: Dialect) -> Option<Dashes> {
    match &site.project {
        Some(project) => project.punctuation(dialect),
        None => Dashes::of_dialect(dialect),
    }
}

/// Lines of a text, without what says where they come from.
pub(super) fn join_source_lines(lines: markup::PlacedLines) -> String {
    lines.into_iter().map(|(line, _)| line).collect::<Vec<_>>().join("\n")
}

/// The text of a page as the tool of its project has it written in Markdown; `None` if that is as it stands.
///
/// `slug` is empty for a part of pages; `line` is that of the body's first line in the file.
pub(super) fn rewrite_page_text(
    site: &Site,
    slug: &str,
    (file, line): (FileId, u32),
    whole: &str,
    body: &str,
) -> (Option<markup::PlacedLines>, Vec<Problem>) {
    let Some(project) = &site.project else { return (None, Vec::new()) };
    let start = Place { file, line, column: 1 };
    let text = RenderedText { site, file, slug, whole, body, start };
    let mut found = Vec::new();
    let lines = project.rewrite(&text, &mut found);
    (lines, found)
}
