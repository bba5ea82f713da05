//! Files that stand in the text of a page: read within bounds, their lines with the places where they are written.

use base::lines::PlacedLines;
use base::{FileId, Place, Problem};
use site::tree::SourceTree;

/// Most bytes of files that one page includes.
const MAX_INCLUDED_BYTES: usize = 4 << 20;

/// The files that a page includes.
#[derive(Debug, Default)]
pub(super) struct IncludedFiles {
    bytes: usize,
}

impl IncludedFiles {
    /// A file and its text.
    ///
    /// # Errors
    /// There is no such file, or the page includes more than it may. `target` is how it names the file, at `place`.
    pub(super) fn read(
        &mut self,
        tree: &SourceTree,
        file: Option<FileId>,
        target: &str,
        place: Place,
    ) -> Result<(FileId, String), Problem> {
        let read = file.and_then(|file| Some((file, tree.text(file)?)));
        let Some((file, text)) = read.filter(|(_, text)| self.bytes + text.len() <= MAX_INCLUDED_BYTES) else {
            return Err(Problem::new(
                "include-unread",
                format!("`{target}` is not a file of the documentation; its content is left out"),
                place,
            )
            .hint("correct the path, or write the text on the page"));
        };
        self.bytes += text.len();
        Ok((file, text))
    }
}

/// Lines of a file, the first of which has the number `first`, behind what stands before the place that includes them.
pub(super) fn included_lines(lines: &[&str], file: FileId, first: u32, lead: &str) -> PlacedLines {
    let place = |line| Place { file, line, column: 1 };
    lines.iter().zip(first..).map(|(line, number)| (format!("{lead}{line}"), place(number))).collect()
}
