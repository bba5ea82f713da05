//! The vocabulary that every stage shares: diagnostics, places, escaping, bounds. Imports nothing of the crate.

#![cfg_attr(test, allow(clippy::print_stdout, reason = "tests may print"))]
#![cfg_attr(not(test), warn(clippy::string_slice))]

pub mod atomic_file;
pub mod bundle_path;
pub mod bytes;
pub mod cjk;
pub mod codes;
pub mod component_line;
pub mod contents;
pub mod cut;
pub mod description;
pub mod diagnostic;
pub mod digest;
pub mod emoji;
pub mod extension;
pub mod folder_path;
pub mod github_slug;
pub mod hex;
pub mod hidden_lines;
pub mod html;
pub mod import_statement;
pub mod isolate;
pub mod limits;
pub mod lines;
pub mod links;
pub mod lookup;
pub mod numbering;
pub mod pointers;
pub mod printable;
pub mod problem;
pub mod read_at;
pub mod refs;
pub mod seams;
pub mod search_area;
pub mod severity;
pub mod short_text;
pub mod signals;
pub mod source_text;
pub mod spelling;
pub mod telemetry;
pub mod time;
pub mod tls;
pub mod traces;
pub mod url;
pub mod variables;

pub use bundle_path::BundlePath;
pub use description::Description;
pub use diagnostic::Diagnostic;
pub use problem::Problem;
pub use severity::Severity;

/// A page of the site: index into `Site::pages`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PageId(pub u32);

/// A file of the source tree: index into `SourceTree::files`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct FileId(pub u32);

/// A place in a source file. `line` and `column` start at 1; 0 means unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// The file.
    pub file: FileId,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// What something that a page loads is meant to be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum LoadKind {
    /// `<img>` and the like.
    Picture,
    /// `<video>`.
    Film,
    /// `<audio>`.
    Sound,
    /// `@font-face`.
    Font,
    /// `@import`, `<link rel="stylesheet">`.
    Sheet,
    /// `url(…)` in CSS: a picture or a font.
    Style,
    /// `openapi` and `asyncapi`: a description of an API.
    Description,
}
