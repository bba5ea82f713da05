//! The lines of a page of GitBook as Markdown.

use std::collections::VecDeque;

use base::cut::SliceText as _;
use base::lines::{PlacedLines, fence_of};
use base::{Place, Problem};
use load::tool::RenderedText;

use super::blocks::{self, Blocks};
use super::{
    GitBookSpace,
    cards::{self, write_cards},
    front,
    inline::rewrite_inline,
};

/// Most lines that a tag or a table may go on for.
const MAX_TABLE_LINES: usize = 400;

/// The lines of a page; `None` if nothing in them has to change.
pub(super) fn rewrite_gitbook_text(
    book: &GitBookSpace,
    text: &RenderedText<'_>,
    problems: &mut Vec<Problem>,
) -> Option<PlacedLines> {
    const MARKS: [&str; 7] = ["{%", "<table", "<a ", "<i ", "<mark", "$$", "class=\"expression\""];
    let entry = text.site.find_page(text.slug).map(|page| text.site.page(page));
    let cover = entry.and_then(|entry| front::cover(&entry.meta.extra));
    if cover.is_none() && !MARKS.iter().any(|mark| text.body.contains(mark)) {
        return None;
    }
    let lines = text.body.split('\n').zip(text.start.line..);
    let lines = lines.map(|(line, number)| (line.to_owned(), Place { line: number, ..text.start }));
    let mut rest: VecDeque<(String, Place)> = lines.collect();
    if let Some(cover) = cover {
        // below the title
        let is_title = |(line, _): &(String, Place)| line.starts_with("# ");
        let at = rest.iter().position(|(line, _)| !line.trim().is_empty()).unwrap_or(0);
        let at = if rest.get(at).is_some_and(is_title) { at + 1 } else { at };
        for line in [String::new(), format!("![](<{cover}>)"), String::new()] {
            rest.insert(at, (line, text.start));
        }
    }
    let mut page = GitBookPage { book, rest, blocks: Blocks::new(text, problems) };
    page.lines();
    page.blocks.finish(text.start);
    Some(page.blocks.out)
}

struct GitBookPage<'a, 'p> {
    book: &'a GitBookSpace,
    /// Lines that have not been looked at.
    rest: VecDeque<(String, Place)>,
    blocks: Blocks<'a, 'p>,
}

impl GitBookPage<'_, '_> {
    fn lines(&mut self) {
        while let Some((line, place)) = self.rest.pop_front() {
            let text = line.trim_start_matches([' ', '\t', '>']);
            if let Some((mark, width, info)) = fence_of(text) {
                let is_diagram = info.trim() == "mermaid";
                let line = if is_diagram { line } else { line + &self.blocks.take_options() };
                self.blocks.out.push((line, place));
                self.code(mark, width);
            } else if let Some(at) = blocks::find_first_tag(&line) {
                self.tag(line, at, place);
            } else if cards::is_special(&line) {
                let table = self.until(line, "</table>");
                let (table, after) = table.split_once("</table>").unwrap_or((&table, ""));
                let indent = table.slice(..table.len() - table.trim_start().len());
                write_cards(&format!("{}</table>", table.trim_start()), indent, place, &mut self.blocks.out);
                if !after.trim().is_empty() {
                    self.rest.push_front((after.to_owned(), place));
                }
            } else {
                let line = rewrite_inline(line, &self.book.values);
                self.blocks.out.push((line, place));
            }
        }
    }

    /// The lines of a block of code, up to its end.
    fn code(&mut self, mark: u8, width: usize) {
        while let Some((line, place)) = self.rest.pop_front() {
            let end = fence_of(line.trim_start_matches([' ', '\t', '>']));
            let is_end = end.is_some_and(|(other, more, info)| other == mark && more >= width && info.is_empty());
            self.blocks.out.push((line, place));
            if is_end {
                return;
            }
        }
    }

    /// A line with those that follow it, until they hold an end.
    fn until(&mut self, mut line: String, end: &str) -> String {
        for _ in 0..MAX_TABLE_LINES {
            if line.contains(end) {
                break;
            }
            let Some((next, _)) = self.rest.pop_front() else { break };
            line.push('\n');
            line.push_str(&next);
        }
        line
    }

    /// A line with a tag; what follows the tag is looked at as a line of its own.
    fn tag(&mut self, line: String, at: usize, place: Place) {
        let indent: String = line.chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
        let before = line.slice(..at).trim_end();
        if !before.is_empty() {
            let before = rewrite_inline(before.to_owned(), &self.book.values);
            self.blocks.out.push((before, place));
        }
        let whole = self.until(line.slice(at..).to_owned(), "%}");
        let Some((inside, after)) = whole.slice(2..).split_once("%}") else {
            // it is no tag
            self.blocks.out.push((whole, place));
            return;
        };
        if !after.trim().is_empty() {
            self.rest.push_front((format!("{indent}{}", after.trim_start()), place));
        }
        self.blocks.block(inside.trim(), &indent, place, &mut self.rest);
    }
}
