//! A text of Python-Markdown and components of this program.
//!
//! 1. `macros` puts the values of `{{ … }}` in their places, `snippets` the files that a page includes.
//! 2. `block` finds the blocks by their indentation, as Python-Markdown does, and writes them with that of CommonMark;
//!    `lines` and `starts` have what these share; `list`, `terms`, `names`, `html`, `fence` and `boxes` know one kind each.
//! 3. `inline` writes what stands in the words of paragraphs, cells and titles; `attributes` reads `{ #id .class }`, and
//!    `addresses` knows where those of raw HTML lead.

mod addresses;
mod attributes;
mod block;
mod boxes;
mod fence;
mod html;
mod includes;
mod inline;
mod keys;
mod lines;
mod list;
mod macros;
mod names;
mod notes;
mod snippets;
mod starts;
mod terms;

use base::lines::PlacedLines;
use base::{Place, Problem};
use load::tool::RenderedText;

use super::{
    MkDocsSettings,
    tags::{fill_tag_lists, mark_tag_lists},
};
use block::MkDocsWriter;
use includes::expand_include_tags;
use macros::fill_macros;
use snippets::expand_snippet_lines;

/// The lines of a page.
pub(super) fn rewrite_mkdocs_text(
    settings: &MkDocsSettings,
    text: &RenderedText<'_>,
    problems: &mut Vec<Problem>,
) -> PlacedLines {
    let place = |line: u32| Place { line, ..text.start };
    let mut lines: PlacedLines =
        text.body.split('\n').zip(text.start.line..).map(|(line, number)| (line.to_owned(), place(number))).collect();
    let tags_of_pages = mark_tag_lists(settings, text, &mut lines);
    let mut lines = expand_include_tags(&settings.syntax, text, lines, problems);
    if let Some(values) = &settings.syntax.macros {
        fill_macros(values, &mut lines, problems);
    }
    let mut lines = expand_snippet_lines(&settings.syntax, text, lines, problems);
    // Python-Markdown counts a tab as the spaces up to the next multiple of four
    for (line, _) in lines.iter_mut().filter(|(line, _)| line.contains('\t')) {
        *line = without_tabs(line);
    }
    let tags = |tag: &str| addresses::of_tag(settings, text, tag);
    let mut writer = MkDocsWriter::new(&settings.syntax, &tags);
    let mut lines = writer.page(&lines);
    fill_tag_lists(&tags_of_pages, &mut lines);
    lines
}

/// A line whose tabs are spaces.
fn without_tabs(line: &str) -> String {
    let mut out = String::with_capacity(line.len() + 8);
    let mut column = 0;
    for c in line.chars() {
        let width = if c == '\t' { 4 - column % 4 } else { 1 };
        column += width;
        if c == '\t' {
            out.extend(std::iter::repeat_n(' ', width));
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests;
