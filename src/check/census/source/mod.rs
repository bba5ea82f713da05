//! What the source of a page says: its text as the author wrote it, without syntax.
//!
//! This reader shares nothing with the parsers and importers that make the page, so that it does not lose what they
//! lose. It knows the syntax of all dialects a little, and none of them exactly: where it is not sure that a page shows
//! some text, that text is left out. It reads each byte once, and looks ahead within a budget.
//!
//! | Left out | Kept |
//! |---|---|
//! | front matter, `import`, `export`, comments, scripts, styles | text, cells, code |
//! | tags, names of attributes, expressions that are no string | alternative texts, titles of components (`tag`) |
//! | addresses, labels of references, ids of headings | words of links |
//! | what stands behind the marks of a code block, names of boxes | the title of a box |
//! | shortcodes and templates of other tools | what stands between them |
//! | links to notes without a label, comments of vaults | labels |

mod block;
mod code;
mod front;
mod inline;
mod script;
mod tag;
#[cfg(test)]
mod tests;

use std::ops::Range;

use rustc_hash::FxHashSet;

/// What the text of a page is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageSyntax {
    /// Tags are JSX, braces hold expressions, and lines may be modules.
    pub is_mdx: bool,
    /// Lines of Rust that begin with `#` are not shown, as mdBook has it.
    pub hides_rust: bool,
    /// What follows the language of a block of code is its title.
    pub is_mintlify: bool,
    /// `{{names}}` in code are replaced.
    pub fills_code: bool,
    /// Links to notes in double brackets, comments in double percent signs and names of blocks, as in Obsidian.
    pub is_vault: bool,
}

/// What a source shows beside its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Medium {
    Picture,
    Formula,
    Diagram,
}

/// A picture, formula or diagram of a source.
#[derive(Clone, Debug)]
pub(super) struct ShownMedium {
    pub(super) medium: Medium,
    /// Where it begins.
    pub(super) at: usize,
    /// Its address, or what is written in it; empty if that is not known.
    pub(super) inside: Range<usize>,
}

/// The words of a source, and where they stand.
#[derive(Debug, Default)]
pub struct Source {
    /// Its text without syntax.
    text: String,
    pieces: Vec<SourcePiece>,
    pub(super) shown: Vec<ShownMedium>,
}

/// A part of the text that stands in the source as it is, or instead of something there.
#[derive(Clone, Copy, Debug)]
struct SourcePiece {
    /// Where it begins in the text.
    at: usize,
    /// Where that stands in the source.
    from: usize,
}

impl Source {
    /// Reads the file of a page.
    pub fn read(file: &str, syntax: PageSyntax) -> Self {
        let mut reader = SourceReader::new(file, syntax);
        reader.run();
        reader.out
    }

    /// Its text without syntax.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Where a part of the text stands in the source.
    pub(super) fn place(&self, at: usize) -> usize {
        let after = self.pieces.partition_point(|piece| piece.at <= at);
        self.pieces.get(after.wrapping_sub(1)).map_or(0, |piece| piece.from + (at - piece.at))
    }
}

/// Bytes that looking ahead in vain may cost, for each byte of the text.
const BUDGET_PER_BYTE: usize = 1 << 6;
/// The same for a short text.
const LEAST_BUDGET: usize = 1 << 20;

/// Reads a text from its start to its end. What stands from `start` to `at` is text that is not yet taken.
struct SourceReader<'s> {
    text: &'s str,
    bytes: &'s [u8],
    start: usize,
    at: usize,
    syntax: PageSyntax,
    /// Bytes that may still be looked at in vain.
    budget: usize,
    /// Names of components that are the author's own.
    own: FxHashSet<&'s str>,
    table: tag::Columns,
    /// The text is in a block of code whose content is MDX.
    in_mdx_block: bool,
    out: Source,
}

impl<'s> SourceReader<'s> {
    fn new(text: &'s str, syntax: PageSyntax) -> Self {
        let out = Source { text: String::with_capacity(text.len() + 64), ..Source::default() };
        let budget = text.len().saturating_mul(BUDGET_PER_BYTE).max(LEAST_BUDGET);
        Self {
            text,
            bytes: text.as_bytes(),
            start: 0,
            at: 0,
            syntax,
            budget,
            own: FxHashSet::default(),
            table: tag::Columns::default(),
            in_mdx_block: false,
            out,
        }
    }

    fn run(&mut self) {
        self.skip_to(front::front_matter_end(self.text, self.syntax));
        while self.at < self.bytes.len() {
            if !self.statement() {
                self.block();
                self.line();
            }
        }
        self.take();
    }

    fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or_default()
    }

    fn rest(&self, at: usize) -> &'s [u8] {
        self.bytes.get(at..).unwrap_or_default()
    }

    /// Where the line ends in which `at` stands: at its newline, or at the end of the text.
    fn line_end(&self, at: usize) -> usize {
        memchr::memchr(b'\n', self.rest(at)).map_or(self.bytes.len(), |length| at + length)
    }

    /// Takes the text up to here.
    fn take(&mut self) {
        self.push(self.start..self.at);
        self.start = self.at;
    }

    /// Takes the text up to here and goes on at `to`, where a word does not go on.
    fn skip_to(&mut self, to: usize) {
        self.join_at(to);
        self.gap();
    }

    /// The same where a word may go on.
    fn join_at(&mut self, to: usize) {
        self.take();
        (self.start, self.at) = (to, to);
    }

    /// Parts words, and what stands around.
    fn gap(&mut self) {
        if !self.out.text.is_empty() && !self.out.text.ends_with('\n') {
            self.out.text.push('\n');
        }
    }

    /// Takes the last line out of the text.
    fn drop_line(&mut self) {
        let text = self.out.text.trim_end();
        let line = text.rfind('\n').map_or(0, |newline| newline + 1);
        self.out.text.truncate(line);
        while self.out.pieces.last().is_some_and(|piece| piece.at >= line) {
            self.out.pieces.pop();
        }
    }

    fn push(&mut self, range: Range<usize>) {
        let Some(text) = self.text.get(range.clone()).filter(|text| !text.is_empty()) else { return };
        self.out.pieces.push(SourcePiece { at: self.out.text.len(), from: range.start });
        self.out.text.push_str(text);
    }

    /// Adds what stands for something at `from`.
    fn push_instead(&mut self, text: &str, from: usize) {
        self.out.pieces.push(SourcePiece { at: self.out.text.len(), from });
        self.out.text.push_str(text);
    }

    fn show(&mut self, medium: Medium, at: usize, inside: Range<usize>) {
        self.out.shown.push(ShownMedium { medium, at, inside });
    }

    /// What a look ahead gave; it counts if it was in vain. Once all is spent, everything is text.
    fn looked<T>(&mut self, bytes: usize, found: Option<T>) -> Option<T> {
        if found.is_none() {
            self.budget = self.budget.saturating_sub(bytes);
        }
        found
    }
}

/// Where the first of `bytes` is that is not in a set.
fn skip_while(bytes: &[u8], at: usize, is_in: impl Fn(u8) -> bool) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().position(|byte| !is_in(*byte)).unwrap_or(rest.len())
}

/// Where the first non-blank is.
fn skip_blanks(bytes: &[u8], at: usize) -> usize {
    skip_while(bytes, at, |byte| matches!(byte, b' ' | b'\t'))
}
