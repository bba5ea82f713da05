//! Tables that GitBook shows as cards (`data-view="cards"`), and columns of tables that it does not show.

use crate::attribute::find_attribute;
use base::Place;
use base::component_line::{self, closing_component_line};
use base::cut::SliceText as _;
use base::lines::PlacedLines;

use super::inline::{self, rewrite_inline};

/// Most columns of cards beside each other.
const MAX_CARD_COLUMNS: usize = 3;

/// Whether a line begins a table that is written in another way.
pub(super) fn is_special(line: &str) -> bool {
    line.contains("<table") && (line.contains("data-view=\"cards\"") || line.contains("data-hidden"))
}

/// The lines of a table, up to its end tag.
pub(super) fn write_cards(table: &str, indent: &str, place: Place, out: &mut PlacedLines) {
    let head: Vec<&str> = elements(table, "th").map(|(tag, _)| tag).collect();
    if !table.split('>').next().unwrap_or_default().contains("data-view=\"cards\"") {
        out.push((format!("{indent}{}", without_hidden(table, &head)), place));
        return;
    }
    let body = table.split_once("<tbody").map_or(table, |(_, body)| body);
    let cards: Vec<Card> = elements(body, "tr").filter_map(|(_, row)| Card::read(row, &head)).collect();
    let columns = if table.contains("data-card-size=\"large\"") { 2 } else { MAX_CARD_COLUMNS.min(cards.len().max(1)) };
    let mut push = |line: &str| out.push((format!("{indent}{line}"), place));
    push("");
    push(&component_line::opening("CardGroup", &[("cols", columns.to_string().as_str())]));
    for card in cards {
        let props = [("title", &card.title), ("href", &card.target), ("img", &card.cover), ("icon", &card.icon)];
        let props: Vec<(&str, &str)> = props
            .into_iter()
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| (name, value.as_str()))
            .collect();
        push("");
        push(&component_line::opening("Card", &props));
        for words in card.words {
            push("");
            push(&format!("<div>{words}</div>"));
        }
        push("");
        push(&closing_component_line());
    }
    push("");
    push(&closing_component_line());
    push("");
}

/// A row as a card.
#[derive(Debug, Default)]
struct Card {
    title: String,
    icon: String,
    /// Where it leads.
    target: String,
    /// The picture above it.
    cover: String,
    /// What else it says, as HTML.
    words: Vec<String>,
}

impl Card {
    fn read(row: &str, head: &[&str]) -> Option<Self> {
        let mut card = Self::default();
        for ((_, cell), column) in elements(row, "td").zip(head.iter().copied().chain(std::iter::repeat(""))) {
            let cell = cell.trim();
            if column.contains("data-card-target") {
                card.target = link_of(cell).unwrap_or_default();
                continue;
            }
            // the picture of the light page stands on both
            if column.contains("data-card-cover") && !column.contains("data-card-cover-dark") {
                card.cover = picture_of(cell).unwrap_or_default();
            }
            if cell.is_empty() || column.contains("data-hidden") || column.contains("data-card-cover") {
                continue;
            }
            if !card.title.is_empty() {
                card.words.push(rewrite_inline(cell.to_owned(), &[]));
                continue;
            }
            card.title = cell_text(cell);
            card.icon = inline::icon_of(cell).unwrap_or_default().to_owned();
            if card.target.is_empty() {
                card.target = link_of(cell).unwrap_or_default();
            }
            if card.title.is_empty() && card.icon.is_empty() {
                card.words.push(cell.to_owned());
            }
        }
        let is_empty = card.title.is_empty() && card.words.is_empty() && card.cover.is_empty();
        (!is_empty).then_some(card)
    }
}

/// The address in a cell: that of a link, or the text itself.
fn link_of(cell: &str) -> Option<String> {
    let (_, tag) = cell.split_once("<a ").map_or((cell, None), |(before, tag)| (before, Some(tag)));
    let href = tag.and_then(|tag| find_attribute(tag.split('>').next().unwrap_or_default(), "href"));
    href.or_else(|| cell.contains("://").then(|| cell_text(cell))).map(|href| href.replace("&amp;", "&"))
}

fn picture_of(cell: &str) -> Option<String> {
    let tag = cell.split_once("<img ").map(|(_, tag)| tag.split('>').next().unwrap_or_default());
    tag.and_then(|tag| find_attribute(tag, "src")).or_else(|| link_of(cell))
}

/// The words of a cell, as Markdown: no tags, and no mark that could be read as one.
fn cell_text(cell: &str) -> String {
    let cell = rewrite_inline(cell.to_owned(), &[]);
    let mut out = String::with_capacity(cell.len());
    let mut rest = cell.as_str();
    while let Some((before, after)) = rest.split_once('<') {
        out.push_str(before);
        rest = after.split_once('>').map_or("", |(_, rest)| rest);
    }
    out.push_str(rest);
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A table without the columns that are hidden.
fn without_hidden(table: &str, head: &[&str]) -> String {
    let mut out = String::with_capacity(table.len());
    let mut rest = table;
    let mut column = 0;
    while let Some((start, name)) = next_cell(rest) {
        let end_tag = format!("</{name}>");
        let end = rest.slice(start..).find(&end_tag).map_or(rest.len(), |end| start + end + end_tag.len());
        if rest.slice(..start).contains("<tr") {
            column = 0;
        }
        out.push_str(rest.slice(..start));
        if !head.get(column).is_some_and(|column| column.contains("data-hidden")) {
            out.push_str(&rewrite_inline(rest.slice(start..end).to_owned(), &[]));
        }
        column += 1;
        rest = rest.slice(end..);
    }
    out.push_str(rest);
    out
}

/// Where the next cell starts, and its name.
fn next_cell(text: &str) -> Option<(usize, &'static str)> {
    let starts = ["td", "th"].into_iter().filter_map(|name| {
        let starts = |at: &usize| text.slice(at + 3..).starts_with(['>', ' ']);
        let tag = format!("<{name}");
        text.match_indices(&tag).map(|(at, _)| at).find(starts).map(|at| (at, name))
    });
    starts.min()
}

/// The elements of a name: what stands in their tags, and inside them.
fn elements<'t>(text: &'t str, name: &'static str) -> impl Iterator<Item = (&'t str, &'t str)> {
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let at = rest.find(&open)?;
            rest = rest.slice(at + open.len()..);
            if !rest.starts_with(['>', ' ', '\n']) {
                continue;
            }
            let (tag, after) = rest.split_once('>')?;
            let end = after.find(&close).unwrap_or(after.len());
            rest = after.slice(end..);
            return Some((tag, after.slice(..end)));
        }
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(table: &str) -> String {
        let mut out = Vec::new();
        write_cards(table, "", Place::default(), &mut out);
        out.into_iter()
            .map(|(line, _)| line)
            .filter(|line| !line.is_empty())
            .collect::<Vec<_>>()
            .join("\n")
            .replace('\u{e001}', "")
    }

    #[test]
    fn rows_become_cards() {
        let table = "<table data-view=\"cards\"><thead><tr><th></th><th></th><th data-hidden data-card-target data-type=\"content-ref\"></th><th data-hidden data-card-cover data-type=\"files\"></th><th data-hidden></th></tr></thead><tbody><tr><td><i class=\"fa-bolt\">:bolt:</i> <strong>Start</strong></td><td>Begin <em>here</em>.</td><td><a href=\"a/b.md\">b.md</a></td><td><a href=\".gitbook/assets/x.png\">x.png</a></td><td>secret</td></tr><tr><td></td><td></td><td></td><td></td><td></td></tr></tbody></table>";
        assert_eq!(
            written(table),
            "<CardGroup {\"cols\":\"1\"}\n<Card {\"title\":\"Start\",\"href\":\"a/b.md\",\"img\":\".gitbook/assets/x.png\",\"icon\":\"bolt\"}\n<div>Begin <em>here</em>.</div>\n>\n>"
        );
    }

    #[test]
    fn hidden_columns_go() {
        let table = "<table><thead><tr><th>A</th><th data-hidden>B</th><th>C</th></tr></thead><tbody><tr><td>1</td><td>2</td><td>3</td></tr></tbody></table>";
        assert_eq!(
            written(table),
            "<table><thead><tr><th>A</th><th>C</th></tr></thead><tbody><tr><td>1</td><td>3</td></tr></tbody></table>"
        );
    }

    proptest! {
        #[test]
        fn no_text_panics(table in "(<table|<tr|<td|<th|>|</td>|</tr>|</th>| data-view=\"cards\"| data-hidden|<a href=\"|\"|<i class=\"fa-a\">|é| ){0,30}") {
            let _ = written(&table);
        }
    }
}
