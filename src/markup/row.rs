//! Rows of tables: the line that places of a text lie in, rules between header and body, cells beyond the header.

use std::borrow::Cow;
use std::ops::Range;

use base::Problem;
use base::cut::SliceText as _;

use super::tree::Align;

/// A line that may be the row of a table, as offsets in the source.
#[derive(Default)]
pub(super) struct RowOffsets {
    /// The range of the line, with its line end.
    pub(super) line: Range<usize>,
    /// The bar that it begins with.
    pub(super) bar: Option<usize>,
    /// The rest of the cell of the last lookup.
    pub(super) cell: Range<usize>,
}

impl From<pulldown_cmark::Alignment> for Align {
    fn from(align: pulldown_cmark::Alignment) -> Self {
        match align {
            pulldown_cmark::Alignment::None => Self::None,
            pulldown_cmark::Alignment::Left => Self::Left,
            pulldown_cmark::Alignment::Center => Self::Center,
            pulldown_cmark::Alignment::Right => Self::Right,
        }
    }
}

/// The cells of a table's row: where each begins, and its text. The bars around the row are none.
pub(super) fn cells(row: &str) -> impl Iterator<Item = (usize, &str)> {
    let row = row.trim_end();
    let mut at = usize::from(row.starts_with('|'));
    std::iter::from_fn(move || {
        let rest = row.get(at..).filter(|rest| !rest.is_empty())?;
        let mut is_escaped = false;
        let end = rest.bytes().position(|byte| {
            let is_bar = byte == b'|' && !is_escaped;
            is_escaped = byte == b'\\';
            is_bar
        });
        let cell = (at, rest.slice(..end.unwrap_or(rest.len())));
        at += end.map_or(rest.len(), |end| end + 1);
        Some(cell)
    })
}

/// The cells of a row beyond those of its table's header.
pub(super) struct SurplusCells<'r> {
    /// Up to the last with words in it, each with its offset.
    pub(super) cells: Vec<(usize, &'r str)>,
    /// What is said of the first one with words, at its offset.
    pub(super) problem: Problem<usize>,
}

/// The cells of a row beyond those of its table's header, if one of them has words in it.
pub(super) fn surplus_cells(row: &str, columns: usize) -> Option<SurplusCells<'_>> {
    let mut surplus: Vec<(usize, &str)> = cells(row).skip(columns).collect();
    let is_filled = |(_, cell): &(usize, &str)| !cell.trim().is_empty();
    surplus.truncate(surplus.iter().rposition(is_filled)? + 1);
    let (at, cell) = *surplus.iter().find(|cell| is_filled(cell))?;
    let count = columns + surplus.len();
    let message =
        format!("this row has {count} cells, but its table has {columns}: the cells beyond them stand below no header");
    let problem = Problem::new("table-cells", message, at + cell.len() - cell.trim_start().len())
        .hint("give the header of the table as many cells, or write a bar that is text as `\\|`");
    Some(SurplusCells { cells: surplus, problem })
}

/// Whether a line is the rules below a table's header, with tabs in it that the parser of Markdown does not take.
pub(super) fn is_rules_with_tabs(line: &str) -> bool {
    let line = line.trim();
    memchr::memchr(b'\t', line.as_bytes()).is_some()
        && line.contains('-')
        && line.contains('|')
        && line.bytes().all(|byte| matches!(byte, b'|' | b'-' | b':' | b' ' | b'\t'))
}

/// A text with spaces for the tabs in rules below the headers of tables, each in the same place.
pub(super) fn without_tabs_in_rules(source: &str) -> Cow<'_, str> {
    if memchr::memchr(b'\t', source.as_bytes()).is_none() {
        return Cow::Borrowed(source);
    }
    let mut out = Cow::Borrowed(source);
    let (mut at, mut fence, mut follows_cells) = (0, None, false);
    for line in source.split_inclusive('\n') {
        let words = line.trim_start_matches([' ', '\t', '>']);
        let mark = words.chars().next().filter(|c| matches!(c, '`' | '~'));
        let length = mark.map_or(0, |mark| words.chars().take_while(|c| *c == mark).count());
        if length >= 3 {
            fence = match fence {
                None => Some((mark, length)),
                Some((open, least)) if open == mark && length >= least => None,
                open => open,
            };
        } else if fence.is_none() && follows_cells && is_rules_with_tabs(words) {
            // the tabs before the first rule are indentation
            let end = at + line.len();
            out.to_mut().replace_range(end - words.len()..end, &words.replace('\t', " "));
        }
        follows_cells = line.contains('|');
        at += line.len();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tabs_in_rules_are_spaces() {
        for (source, expect) in [
            ("| a | b |\n|---\t|\t---|\n| c | d |", "| a | b |\n|--- | ---|\n| c | d |"),
            ("a|b\r\n-\t|\t-\r\nc|d", "a|b\r\n- | -\r\nc|d"),
            ("> a|b\n> -\t|-\n", "> a|b\n> - |-\n"),
            ("\t| a |\n\t|\t---\t|", "\t| a |\n\t| --- |"),
            ("```\na|b\n-\t|-\n```\n", "```\na|b\n-\t|-\n```\n"),
            ("a\tb|c\n\td", "a\tb|c\n\td"),
            ("-\t|-", "-\t|-"),
        ] {
            assert_eq!(without_tabs_in_rules(source), expect, "{source:?}");
        }
    }
}
