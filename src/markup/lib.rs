//! MDX and Markdown text to a tree. Never fails: problems are data.
//!
//! 1. [`prepare_mdx`]: `{{variables}}` are replaced in the text.
//! 2. `scan`: MDX constructs leave the text as slots; `inline` does so within lines, with `tag`, `expr`, `esm`,
//!    `script`, `verbatim`.
//! 3. `build`: pulldown-cmark's events and the slots become a tree.
//!
//! What is left to do then, imports, snippets and expressions, is done by [`crate::expand`].

#![cfg_attr(test, allow(clippy::print_stdout, reason = "tests may print"))]
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod attributes;
mod autolink;
mod build;
pub mod component;
mod diacritic;
mod directive;
pub mod esm;
pub mod expand;
pub mod expr;
mod fence;
pub mod fence_info;
pub mod foreign;
mod formula;
mod frames;
pub mod html;
mod inline;
pub mod js;
mod partners;
mod plain;
pub mod property;
mod row;
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

use base::cjk::mark_cjk;
pub use base::lines::PlacedLines;
use base::variables::Variables;
use base::{FileId, Place, Problem};
use load::tool::Dashes;
use site::include::{IncludeSource, expand_includes};
use site::page::Dialect;

pub use autolink::push_linked;
use build::build_markdown;
use esm::ModuleDeclarations;
use scan::scan_mdx;
use tree::Node;
pub use variables::PreparedText;
use variables::substitute_page_variables;

/// A parsed file, before expansion.
#[derive(Clone, Debug, Default)]
pub struct ParsedFile {
    /// The body.
    pub nodes: Vec<Node>,
    /// Imports and exports.
    pub module: ModuleDeclarations,
    /// Syntax problems.
    pub problems: Vec<Problem>,
    /// Line of the file at which the parsed text starts.
    pub first_line: u32,
    /// Length of the text that was parsed.
    pub source_bytes: usize,
}

/// Parses the body of an MDX file (after its front matter), whose first line is line `first_line`.
pub fn parse_mdx(source: &str, file: FileId, first_line: u32) -> ParsedFile {
    parse_mdx_with(source, file, first_line, Dashes::of_dialect(Dialect::Mdx))
}

/// Parses the body of an MDX file, with the punctuation of a tool.
fn parse_mdx_with(source: &str, file: FileId, first_line: u32, punctuation: Option<Dashes>) -> ParsedFile {
    ParsedFile {
        first_line,
        source_bytes: source.len(),
        ..build::mdx(source, scan_mdx(source, file, first_line), punctuation)
    }
}

/// The same with quotes and dashes as they are written.
pub fn parse_mdx_as_written(source: &str, file: FileId, first_line: u32) -> ParsedFile {
    parse_mdx_with(source, file, first_line, None)
}

/// The text of an MDX file as it is parsed: with the values of `variables`, and with callouts for the `:::note` of
/// other generators, if it `is_of_others`.
pub fn prepare_mdx<'a>(source: &'a str, variables: &Variables, is_of_others: bool) -> PreparedText<'a> {
    let mut prepared = substitute_page_variables(source, variables).with_punctuation(Dashes::of_dialect(Dialect::Mdx));
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
pub fn parse_markdown(source: &str, file: FileId, first_line: u32) -> ParsedFile {
    build_markdown(&mark_cjk(source), Place { file, line: first_line, column: 1 }, None, None)
}

/// The same with the text of the files that it includes; `None` where a tool has put these in their places. `rewritten`
/// stands in for the source, if it is given. `punctuation`: which dashes, typographic quotes and dots it has; `None` for
/// what is written.
pub fn parse_markdown_with(
    source: &str,
    rewritten: Option<PlacedLines>,
    (file, first_line): (FileId, u32),
    files: Option<&dyn IncludeSource>,
    punctuation: Option<Dashes>,
) -> ParsedFile {
    let mut problems = Vec::new();
    let start = Place { file, line: first_line, column: 1 };
    let lines = match files {
        Some(files) => expand_includes(source, rewritten, start, files, &mut problems),
        None => rewritten,
    };
    let mut document = build_markdown(source, start, lines.as_deref(), punctuation);
    document.problems.append(&mut problems);
    document.source_bytes = source.len();
    document
}
