//! The line of a table that places of a text lie in.

use std::ops::Range;

/// A line that may be the row of a table, as offsets in the source.
#[derive(Default)]
pub(super) struct Row {
    /// With its end.
    pub(super) line: Range<usize>,
    /// The bar that it begins with.
    pub(super) bar: Option<usize>,
    /// The rest of the cell of the last lookup.
    pub(super) cell: Range<usize>,
}
