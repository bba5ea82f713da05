//! Tables of formulas: matrices, aligned equations, cases. Browsers know no attributes of tables, so each cell gets
//! classes.

use super::core::{self, Style};
use super::tree::{MathElement, MathNode};

/// What KaTeX says about the columns and rows of a table: one value per column or gap; the last counts for all that
/// follow.
struct TableLayout {
    align: Vec<String>,
    /// The spacing of each gap between two columns.
    spacing: Vec<String>,
    column_lines: Vec<String>,
    row_lines: Vec<String>,
    /// Cells without the tag.
    columns: usize,
    is_tagged: bool,
}

/// A table as KaTeX writes it, for browsers.
pub(super) fn for_browser(mut table: MathElement, style: Style) -> MathNode {
    let mut words =
        |name| table.take(name).unwrap_or_default().split_ascii_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let (align, spacing, column_lines, row_lines) =
        (words("columnalign"), words("columnspacing"), words("columnlines"), words("rowlines"));
    let is_equation = table.take("width").is_some();
    let is_small = table.take("rowspacing").is_some_and(|gap| gap.starts_with("0.1em"));
    let is_tagged = is_equation || rows(&table).any(|row| row.children.last().is_some_and(is_tag_cell));
    let cells = |row: &MathElement| row.children.len() - usize::from(row.children.last().is_some_and(is_tag_cell));
    let columns = rows(&table).map(cells).max().unwrap_or_default();
    let layout = TableLayout { align, spacing, column_lines, row_lines, columns, is_tagged: is_tagged && !is_equation };

    // a table's cells are in text style but where each of them, or the equation, says otherwise
    let display = if is_equation { style } else { style.map(|_| all_displayed(&table)) };
    if display == Some(true) || is_equation && style.is_none() {
        table.attributes.push(("displaystyle", "true".into()));
    }
    for (class, is_so) in [("math-tagged", is_tagged), ("math-small", is_small)] {
        if is_so {
            table.add_class(class);
        }
    }
    let (count, children) = (table.children.len(), std::mem::take(&mut table.children));
    for (at, row) in children.into_iter().enumerate() {
        let MathNode::Element(mut row) = row else { continue };
        row.take("class");
        if is_equation {
            equation_cells(&mut row, display);
        } else {
            let line = (at + 1 < count).then(|| layout.row_lines.get(at)).flatten();
            layout.cells(&mut row, line.map(String::as_str), display);
        }
        table.children.push(MathNode::Element(row));
    }
    MathNode::Element(table)
}

fn rows(table: &MathElement) -> impl Iterator<Item = &MathElement> {
    table.children.iter().filter_map(MathNode::as_element)
}

/// Whether each cell is set as a displayed formula.
fn all_displayed(table: &MathElement) -> bool {
    let mut cells = rows(table).flat_map(|row| &row.children).filter(|cell| !is_tag_cell(cell)).peekable();
    let is_displayed = |cell: &MathNode| match cell.as_element().map(|cell| cell.children.as_slice()) {
        Some([MathNode::Element(style)]) => {
            style.name == "mstyle"
                && style.attribute("displaystyle") == Some("true")
                && style.attribute("scriptlevel") == Some("0")
        }
        _ => false,
    };
    cells.peek().is_some() && cells.all(is_displayed)
}

/// The last cell of a row with a number or tag.
fn is_tag_cell(cell: &MathNode) -> bool {
    tag_class(cell).is_some()
}

fn tag_class(cell: &MathNode) -> Option<&str> {
    match cell.as_element()?.children.as_slice() {
        [MathNode::Element(row)] if row.name == "mrow" => {
            row.attribute("class").filter(|class| matches!(*class, "tag" | "number"))
        }
        _ => None,
    }
}

/// The row of an equation with a tag: a gap, the equation, a gap, the tag.
fn equation_cells(row: &mut MathElement, style: Style) {
    let last = row.children.len().saturating_sub(1);
    let cells = std::mem::take(&mut row.children);
    row.children = cells
        .into_iter()
        .enumerate()
        .map(|(at, cell)| match cell {
            MathNode::Element(mut cell) => {
                let is_gap = cell.take("width").is_some();
                let mut cell = rewritten_cell(cell, style);
                if is_gap || at == last {
                    cell.add_class(if is_gap { "math-gap" } else { "math-tag" });
                }
                MathNode::Element(cell)
            }
            text => text,
        })
        .collect();
}

/// A cell with its content for browsers. The content of a cell is a row: it needs no element for that.
fn rewritten_cell(mut cell: MathElement, style: Style) -> MathElement {
    cell.take("class");
    match core::for_browser(MathNode::Element(cell), style) {
        MathNode::Element(mut cell) => {
            core::unwrap_row(&mut cell);
            cell
        }
        MathNode::Text(_) => MathElement::new("mtd", Vec::new()),
    }
}

impl TableLayout {
    /// Gives the cells of a row their classes, and a tagged row its gaps.
    fn cells(&self, row: &mut MathElement, line: Option<&str>, style: Style) {
        let mut tag = Vec::new();
        let mut cells = Vec::with_capacity(row.children.len() + 3);
        for (at, cell) in std::mem::take(&mut row.children).into_iter().enumerate() {
            let class = tag_class(&cell).map(str::to_owned);
            let MathNode::Element(cell) = cell else { continue };
            match class.as_deref() {
                Some("number") => {
                    tag.push(MathNode::Element(MathElement::new("mtext", Vec::new()).with("class", "math-number")))
                }
                Some(_) => {
                    let mut cell = rewritten_cell(cell, style);
                    if let [MathNode::Element(row)] = cell.children.as_mut_slice() {
                        row.take("class");
                    }
                    core::unwrap_row(&mut cell);
                    tag = cell.children;
                }
                None => {
                    let mut cell = rewritten_cell(cell, style);
                    self.classes(at, line).into_iter().for_each(|class| cell.add_class(class));
                    cells.push(MathNode::Element(cell));
                }
            }
        }
        if self.is_tagged {
            let gap = || MathNode::Element(MathElement::new("mtd", Vec::new()).with("class", "math-gap"));
            while cells.len() < self.columns {
                cells.push(MathNode::Element(MathElement::new("mtd", Vec::new())));
            }
            cells.insert(0, gap());
            cells.push(gap());
            cells.push(MathNode::Element(MathElement::new("mtd", tag).with("class", "math-tag")));
        }
        row.children = cells;
    }

    /// The classes of the cell in a column.
    fn classes(&self, column: usize, line_below: Option<&str>) -> Vec<&'static str> {
        let near = |gap: Option<usize>| {
            gap.filter(|gap| gap + 1 < self.columns)
                .and_then(|gap| self.spacing.get(gap).or(self.spacing.last()))
                .is_some_and(|gap| gap == "0em")
        };
        let mut classes = Vec::new();
        match self.align.get(column).map(String::as_str) {
            Some("right") => {
                classes.push("math-right");
                classes.extend(near(Some(column)).then_some("math-near"));
            }
            Some("left") => {
                classes.push("math-left");
                classes.extend(near(column.checked_sub(1)).then_some("math-near"));
            }
            _ => {}
        }
        match self.column_lines.get(column).map(String::as_str) {
            Some("solid") => classes.push("math-line-right"),
            Some("dashed") => classes.push("math-dash-right"),
            _ => {}
        }
        match line_below {
            Some("solid") => classes.push("math-line-bottom"),
            Some("dashed") => classes.push("math-dash-bottom"),
            _ => {}
        }
        classes
    }
}
