//! Lines of a text, as they are read and as they are written.

use base::Place;
use base::component_line::{self, closing_component_line};
use base::cut::SliceText as _;

/// Spaces of what belongs to a block.
pub(super) const INDENT: usize = 4;

/// A line of a block and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockLine<'s> {
    pub(super) text: &'s str,
    pub(super) place: Place,
}

impl<'s> BlockLine<'s> {
    pub(super) fn indent(&self) -> usize {
        self.text.len() - self.text.trim_start_matches(' ').len()
    }

    pub(super) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Without at most so many spaces at its start.
    pub(super) fn cut(&self, spaces: usize) -> BlockLine<'s> {
        let cut = self.indent().min(spaces);
        self.from(cut)
    }

    /// From a byte on.
    pub(super) fn from(&self, at: usize) -> BlockLine<'s> {
        let column = self.place.column + u32::try_from(at).unwrap_or(0);
        BlockLine { text: self.text.slice(at..), place: Place { column, ..self.place } }
    }
}

/// A line that is written.
#[derive(Clone, Debug)]
pub(super) struct Out {
    /// What stands before it: indentation, marks of items and quotes.
    pub(super) lead: String,
    pub(super) text: String,
    /// What stands behind it is: the id of a heading.
    pub(super) tail: String,
    pub(super) place: Place,
    pub(super) kind: LineKind,
}

/// What the text of a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    /// Written as it stands.
    Raw,
    /// Words of the paragraph of a number.
    Words(usize),
    /// A row of a table.
    Row,
}

/// Writes a tag of raw HTML.
pub(super) type TagWriter<'a> = &'a dyn Fn(&str) -> String;

/// A line of a text that is written as it stands.
pub(super) fn raw(line: BlockLine<'_>, text: &str) -> Out {
    Out { lead: String::new(), text: text.to_owned(), tail: String::new(), place: line.place, kind: LineKind::Raw }
}

pub(super) fn blank(line: BlockLine<'_>) -> Out {
    raw(line, "")
}

/// Lines without blank ones at either end.
pub(super) fn trimmed(mut lines: Vec<Out>) -> Vec<Out> {
    let is_blank = |line: &Out| line.lead.trim().is_empty() && line.text.trim().is_empty();
    while lines.last().is_some_and(is_blank) {
        lines.pop();
    }
    let first = lines.iter().position(|line| !is_blank(line)).unwrap_or(lines.len());
    lines.drain(..first);
    lines
}

/// Writes blocks behind a mark, all but the first line indented.
pub(super) fn push_below(out: &mut Vec<Out>, mark: &str, indent: usize, blocks: Vec<Out>, at: BlockLine<'_>) {
    let mut blocks = trimmed(blocks).into_iter().peekable();
    let space = " ".repeat(indent);
    // a component or HTML begins in a line of its own
    let starts_line = |line: &Out| line.lead.is_empty() && line.text.starts_with(['\u{e001}', '<']);
    if blocks.peek().is_none_or(starts_line) {
        // a colon or a name alone begins no definition and no note
        let start = if mark.trim_end().ends_with(':') { format!("{mark}<!-- -->") } else { mark.trim_end().to_owned() };
        out.push(raw(at, &start));
    } else if let Some(first) = blocks.next() {
        out.push(Out { lead: format!("{mark}{}", first.lead), ..first });
    }
    for line in blocks {
        let lead =
            if line.lead.is_empty() && line.text.is_empty() { String::new() } else { format!("{space}{}", line.lead) };
        out.push(Out { lead, ..line });
    }
}

/// How many lines are indented or blank before such, which belong to what stands above.
pub(super) fn owned(lines: &[BlockLine<'_>]) -> usize {
    let all = lines.iter().take_while(|line| line.is_blank() || line.indent() >= INDENT).count();
    lines[..all].iter().rposition(|line| !line.is_blank()).map_or(0, |last| last + 1)
}

/// Lines within a component.
pub(super) fn wrapped(name: &str, props: &[(&str, &str)], inner: Vec<Out>, at: BlockLine<'_>) -> Vec<Out> {
    let end = inner.last().map(|line| line.place).unwrap_or(at.place);
    let mut out = vec![blank(at), raw(at, &component_line::opening(name, props)), blank(at)];
    out.extend(inner);
    let at = BlockLine { place: end, ..at };
    out.extend([blank(at), raw(at, &closing_component_line()), blank(at)]);
    out
}
