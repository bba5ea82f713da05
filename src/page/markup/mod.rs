//! MDX and Markdown text to a tree. Never fails: problems are data.
//!
//! 1. [`prepare`]: `{{variables}}` are replaced in the text.
//! 2. `scan`: MDX constructs leave the text as slots; `inline` does so within lines, with `tag`, `expr`, `esm`,
//!    `script`, `verbatim`.
//! 3. `build`: pulldown-cmark's events and the slots become a tree.
//!
//! What is left to do then, imports, snippets and expressions, is done by [`crate::page::expand`].

mod attributes;
mod autolink;
mod build;
mod diacritic;
mod directive;
pub mod esm;
pub mod expr;
mod fence;
mod frames;
pub(crate) mod html;
mod include;
mod inline;
mod partners;
mod scan;
pub mod script;
pub mod slug;
pub mod smart;
pub mod tag;
pub mod tree;
mod variables;
mod verbatim;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::base::variables::Variables;
use crate::base::{FileId, Place, cjk};

pub(crate) use autolink::push_linked;
use esm::Module;
pub use include::{Files, Included};
use tree::Node;
pub use variables::Prepared;

/// A parsed file, before expansion.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// The body.
    pub nodes: Vec<Node>,
    /// Imports and exports.
    pub module: Module,
    /// Syntax problems.
    pub problems: Vec<Problem>,
    /// Line of the file at which the parsed text starts.
    pub first_line: u32,
}

/// Something wrong with a file's text. Becomes a diagnostic where file names are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Stable name of the kind.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
    /// Where.
    pub place: Place,
}

/// Parses the body of an MDX file (after its front matter), whose first line is line `first_line`.
pub fn parse_mdx(source: &str, file: FileId, first_line: u32) -> Document {
    parse_mdx_with(source, file, first_line, false)
}

/// The same; quotes and dashes may stay as they are.
fn parse_mdx_with(source: &str, file: FileId, first_line: u32, keeps_punctuation: bool) -> Document {
    Document { first_line, ..build::mdx(source, scan::scan(source, file, first_line), keeps_punctuation) }
}

/// The same with quotes and dashes as they are written.
pub(crate) fn parse_mdx_as_written(source: &str, file: FileId, first_line: u32) -> Document {
    parse_mdx_with(source, file, first_line, true)
}

/// The text of an MDX file as it is parsed: with the values of `variables`, and with callouts for the `:::note` of
/// other generators, if it `is_of_others`.
pub fn prepare<'a>(source: &'a str, variables: &Variables, is_of_others: bool) -> Prepared<'a> {
    let mut prepared = variables::substitute(source, variables);
    if is_of_others && let Cow::Owned(rewritten) = directive::mdx(&prepared.text) {
        prepared.text = Cow::Owned(rewritten);
    }
    prepared
}

/// Whether a text of the output holds a placeholder of the scanner, which none may.
pub fn has_placeholder(text: &str) -> bool {
    static MARK: LazyLock<Finder<'static>> =
        LazyLock::new(|| Finder::new(scan::SLOT.encode_utf8(&mut [0; 4]).as_bytes()).into_owned());
    let bytes = text.as_bytes();
    let is_numbered = |at: usize| {
        bytes.get(at + scan::SLOT.len_utf8()).is_some_and(u8::is_ascii_digit)
            && (bytes[..at].ends_with(b"o a=") || bytes[..at].ends_with(b"!--"))
    };
    MARK.find_iter(bytes).any(is_numbered)
}

/// Parses plain Markdown that is no file of its own: a description, a caption. Columns beside Chinese, Japanese and
/// Korean text may be one too large.
pub fn parse_markdown(source: &str, file: FileId, first_line: u32) -> Document {
    build::markdown(&cjk::marked(source), file, first_line, None)
}

/// Lines of plain Markdown, each with its place, that a tool wrote in the place of a text.
pub type Lines = Vec<(String, Place)>;

/// The same with the text of the files that it includes. `rewritten` stands in for the source, if it is given.
pub fn parse_markdown_with(
    source: &str,
    rewritten: Option<Lines>,
    file: FileId,
    first_line: u32,
    files: &dyn Files,
) -> Document {
    let mut problems = Vec::new();
    let lines = include::expand(source, rewritten, Place { file, line: first_line, column: 1 }, files, &mut problems);
    let mut document = build::markdown(source, file, first_line, lines.as_deref());
    document.problems.extend(problems);
    document
}
