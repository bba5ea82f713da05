//! Tables, from Markdown and from JSX: always `table > (caption, colgroup, thead, tbody, tfoot) > tr > (th, td)`, in a
//! box of their own that scrolls where their words are too wide for a phone.

use base::cut::SliceText as _;
use markup::tree::{Align, BlockKind, JsxElement, MarkdownBlock, Node};

use super::phrasing::{is_blank, unwrapped_children};
use super::{Renderer, attributes};

/// Characters that the widest words of a table's columns may need together before the table may be wider than a phone.
const NARROW_CHARS: usize = 26;
/// Share of a column's filled cells that must be numbers for it to count as numeric, percent.
const NUMERIC_PERCENT: usize = 80;
/// Characters of a line in the narrowest cell that reads well. A cell with more words gets that width at least, one
/// with fewer is as narrow as it likes.
const SHORT_CHARS: usize = 11;
/// Characters of a cell that makes rows high where its column is narrow.
const LONG_CHARS: usize = 60;

/// Writes a Markdown table.
pub(crate) fn write_table(r: &mut Renderer<'_>, align: &[Align], rows: &[Node]) {
    let rows: Vec<(bool, Vec<&MarkdownBlock>)> = rows.iter().filter_map(table_row).collect();
    let columns = TableColumn::of(&rows);
    if columns.is_empty() {
        return;
    }
    let label = rows
        .first()
        .filter(|(head, _)| *head)
        .map(|(_, cells)| header_text(cells.iter().map(|cell| Node::text_of(&cell.children))));
    let chars = columns.iter().map(|column| column.width.word + 2).sum();
    let boxed = open_box(r, chars, label.as_deref().unwrap_or_default());
    // the cells of one row give all columns their width
    let mut is_first = true;
    r.out.push_str("<table>\n");
    let mut part = "";
    for (head, cells) in &rows {
        // a header row of empty cells is how Markdown writes a table without a header
        if *head && cells.iter().all(|cell| is_blank(&cell.children)) {
            continue;
        }
        let new_part = if *head { "thead" } else { "tbody" };
        change_part(r, &mut part, new_part);
        write_row(r, *head, cells, align, &columns, std::mem::take(&mut is_first));
    }
    change_part(r, &mut part, "");
    r.out.push_str("</table>\n");
    close_box(r, boxed);
}

fn table_row(node: &Node) -> Option<(bool, Vec<&MarkdownBlock>)> {
    let Node::Block(row) = node else { return None };
    let BlockKind::Row { head } = row.kind else { return None };
    let cells = row.children.iter().filter_map(|cell| match cell {
        Node::Block(cell) => Some(&**cell),
        _ => None,
    });
    Some((head, cells.collect()))
}

fn write_row(
    r: &mut Renderer<'_>,
    head: bool,
    cells: &[&MarkdownBlock],
    align: &[Align],
    columns: &[TableColumn],
    gives_width: bool,
) {
    let tag = if head { "th" } else { "td" };
    r.out.push_str("<tr>");
    for (column, cell) in cells.iter().enumerate() {
        r.out.push('<');
        r.out.push_str(tag);
        match align.get(column) {
            Some(Align::Center) => r.out.push_str(" data-align=\"center\""),
            Some(Align::Right) => r.out.push_str(" data-align=\"right\""),
            Some(Align::Left | Align::None) | None => {}
        }
        if !head && columns[column].is_numeric() {
            r.out.push_str(" data-numeric");
        }
        if gives_width {
            r.out.push_str(wordy(columns[column].width.line));
        }
        r.out.push('>');
        write_content(r, column, &cell.children);
        r.out.push_str(if head { "</th>" } else { "</td>" });
    }
    r.out.push_str("</tr>\n");
}

/// Writes what stands in a cell.
fn write_content(r: &mut Renderer<'_>, column: usize, nodes: &[Node]) {
    let outer = std::mem::replace(&mut r.state.breaks_names, column == 0);
    r.nodes(nodes);
    r.state.breaks_names = outer;
}

fn change_part(r: &mut Renderer<'_>, part: &mut &'static str, new_part: &'static str) {
    if *part == new_part {
        return;
    }
    if !part.is_empty() {
        r.out.push_str(&format!("</{part}>\n"));
    }
    if !new_part.is_empty() {
        r.out.push_str(&format!("<{new_part}>\n"));
    }
    *part = new_part;
}

/// `12`, `-3.5`, `1,024`, `$20`, `99.9 %`, `120ms`: a number with at most a sign or currency before and a short unit
/// after it.
fn is_number(text: &str) -> bool {
    let text = text.trim_start_matches(['+', '-', '−', '~', '≈', '<', '>', '≤', '≥', '$', '€', '£', '¥', ' ']);
    let digits = text.trim_end_matches(|c: char| c.is_alphabetic() || matches!(c, '%' | '°' | '+' | '/'));
    let unit = text.slice(digits.len()..).chars().count();
    let digits = digits.trim_end();
    unit <= 4
        && digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '_' | ' '))
}

/// The first header cells, as a name for a table.
fn header_text(cells: impl Iterator<Item = String>) -> String {
    let words: Vec<String> = cells.map(|cell| cell.trim().to_owned()).filter(|cell| !cell.is_empty()).take(3).collect();
    words.join(", ")
}

/// Marks a cell that no table makes narrower than reads well, by the characters of the longest one of its column.
fn wordy(line: usize) -> &'static str {
    match line {
        0..=SHORT_CHARS => "",
        LONG_CHARS.. => " data-wordy=\"long\"",
        _ => " data-wordy",
    }
}

/// What the cells of a Markdown table show about their column.
#[derive(Clone, Default)]
struct TableColumn {
    width: Width,
    /// Cells of the body with words in them, and those that are numbers.
    filled: usize,
    numbers: usize,
}

impl TableColumn {
    fn of(rows: &[(bool, Vec<&MarkdownBlock>)]) -> Vec<Self> {
        let mut columns = vec![Self::default(); rows.iter().map(|(_, cells)| cells.len()).max().unwrap_or(0)];
        let mut text = String::new();
        for (head, cells) in rows {
            for (column, cell) in columns.iter_mut().zip(cells) {
                text.clear();
                Node::push_text_of(&cell.children, &mut text);
                column.width.add(&text);
                if !head && !text.trim().is_empty() {
                    column.filled += 1;
                    column.numbers += usize::from(is_number(text.trim()));
                }
            }
        }
        columns
    }

    fn is_numeric(&self) -> bool {
        self.filled > 0 && self.numbers * 100 >= self.filled * NUMERIC_PERCENT
    }
}

/// What the longest cells of a column ask for.
#[derive(Clone, Default)]
struct Width {
    /// Characters of the longest piece that cannot be broken; writing without spaces breaks anywhere.
    word: usize,
    /// Characters of the longest cell as a whole.
    line: usize,
}

impl Width {
    fn of(cell: &[Node]) -> Self {
        let mut width = Self::default();
        width.add(&Node::text_of(cell));
        width
    }

    fn add(&mut self, text: &str) {
        let is_ascii = text.is_ascii();
        let chars = |text: &str| if is_ascii { text.len() } else { text.chars().count() };
        let words = text.split(|c: char| c.is_whitespace() || c >= '\u{2e80}').map(chars);
        self.word = words.fold(self.word, usize::max);
        self.line = self.line.max(chars(text.trim()));
    }
}

fn open_box(r: &mut Renderer<'_>, chars: usize, label: &str) -> bool {
    if chars <= NARROW_CHARS {
        return false;
    }
    let number = r.state.serial.entry("table").or_insert(0);
    *number += 1;
    let name = if label.is_empty() { format!("Table {number}") } else { format!("Table {number}: {label}") };
    r.out.push_str("<div class=\"table-scroll\" tabindex=\"0\" role=\"region\"");
    r.attr("aria-label", &name);
    r.out.push_str(">\n");
    true
}

fn close_box(r: &mut Renderer<'_>, boxed: bool) {
    if boxed {
        r.out.push_str("</div>\n");
    }
}

/// Writes a JSX `<table>`: its parts in their places, rows without a part in a `tbody`; what may not stand in a table
/// comes before it.
pub(crate) fn write_table_element(r: &mut Renderer<'_>, element: &JsxElement) {
    let children = unwrapped_children(&element.children);
    for child in children.iter().filter(|child| !is_one_of(child, &TABLE_PARTS)) {
        r.nodes(std::slice::from_ref(*child));
    }
    let boxed = open_box(r, widest(&children, 4), "");
    attributes::open_element(r, "table", element, "");
    r.out.push('\n');
    let mut in_body = false;
    for child in children.iter().filter(|child| is_one_of(child, &TABLE_PARTS)) {
        let Node::Element(part) = child else { continue };
        let loose = matches!(part.name.as_str(), "tr" | "td" | "th");
        if loose != in_body {
            r.out.push_str(if loose { "<tbody>\n" } else { "</tbody>\n" });
            in_body = loose;
        }
        match part.name.as_str() {
            "tr" => write_tr(r, part),
            "td" | "th" => wrap_cells(r, std::slice::from_ref(child)),
            "caption" => {
                attributes::open_element(r, "caption", part, "");
                r.nodes(&part.children);
                r.out.push_str("</caption>\n");
            }
            "col" | "colgroup" => write_columns(r, part),
            name => write_table_part(r, name, part),
        }
    }
    if in_body {
        r.out.push_str("</tbody>\n");
    }
    r.out.push_str("</table>\n");
    close_box(r, boxed);
}

const TABLE_PARTS: [&str; 9] = ["caption", "colgroup", "col", "thead", "tbody", "tfoot", "tr", "td", "th"];

fn is_one_of(node: &Node, names: &[&str]) -> bool {
    matches!(node, Node::Element(element) if names.contains(&element.name.as_str()))
}

/// The characters that a row needs at least, for the row that needs the most.
fn widest(parts_of_table: &[&Node], depth: usize) -> usize {
    let mut most = 0;
    for part in parts_of_table {
        let Node::Element(part) = part else { continue };
        let inside = unwrapped_children(&part.children);
        let cells = inside.iter().filter_map(|cell| match cell {
            Node::Element(cell) if matches!(cell.name.as_str(), "td" | "th") => {
                Some(Width::of(&cell.children).word + 2)
            }
            _ => None,
        });
        most = most.max(cells.sum());
        if depth > 0 && part.name.starts_with('t') && part.name != "tr" {
            most = most.max(widest(&inside, depth - 1));
        }
    }
    most
}

fn write_columns(r: &mut Renderer<'_>, element: &JsxElement) {
    if element.name == "col" {
        r.out.push_str("<colgroup>");
        attributes::open_element(r, "col", element, "");
        r.out.push_str("</colgroup>\n");
        return;
    }
    attributes::open_element(r, "colgroup", element, "");
    for column in unwrapped_children(&element.children) {
        if let Node::Element(column) = column
            && column.name == "col"
        {
            attributes::open_element(r, "col", column, "");
        }
    }
    r.out.push_str("</colgroup>\n");
}

fn write_table_part(r: &mut Renderer<'_>, name: &str, element: &JsxElement) {
    attributes::open_element(r, name, element, "");
    r.out.push('\n');
    let children = unwrapped_children(&element.children);
    let mut at = 0;
    while at < children.len() {
        if let Node::Element(row) = children[at]
            && row.name == "tr"
        {
            write_tr(r, row);
            at += 1;
            continue;
        }
        let length = children[at..].iter().take_while(|child| !is_one_of(child, &["tr"])).count();
        wrap_cells(r, &children[at..at + length]);
        at += length;
    }
    r.out.push_str(&format!("</{name}>\n"));
}

fn write_tr(r: &mut Renderer<'_>, element: &JsxElement) {
    attributes::open_element(r, "tr", element, "");
    write_cells(r, &unwrapped_children(&element.children));
    r.out.push_str("</tr>\n");
}

fn wrap_cells(r: &mut Renderer<'_>, cells: &[&Node]) {
    r.out.push_str("<tr>");
    write_cells(r, cells);
    r.out.push_str("</tr>\n");
}

fn write_cells(r: &mut Renderer<'_>, cells: &[&Node]) {
    for (column, cell) in cells.iter().enumerate() {
        match cell {
            Node::Element(cell) if matches!(cell.name.as_str(), "td" | "th") => {
                let wordy = wordy(Width::of(&cell.children).line);
                r.out.push_str(&format!("<{}{wordy}", cell.name));
                attributes::write_attributes(r, &cell.name, cell, "", &[]);
                r.out.push('>');
                write_content(r, column, &cell.children);
                r.out.push_str(&format!("</{}>", cell.name));
            }
            other => {
                r.out.push_str("<td>");
                r.nodes(std::slice::from_ref(*other));
                r.out.push_str("</td>");
            }
        }
    }
}
