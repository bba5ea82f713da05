//! The export driver: a source folder in, one bundle out, with a report of what happened.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use serde::Serialize;

use crate::base::Diagnostic;

pub use crate::bundle::Format;

/// What to export, from where, to where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The docs folder, or the `docs.json` in it.
    pub source: PathBuf,
    /// Where the bundle goes.
    pub output: Output,
    /// Host name the site will be served from, lower-case ASCII; canonical addresses and the sitemap need it.
    pub domain: Option<String>,
    /// Label of this edition, `[A-Za-z0-9._-]{1,64}`.
    pub version: Option<String>,
    /// Globs over page paths (`guides/**`), without extension; empty means every page. Already checked to be well formed.
    pub paths: Vec<String>,
    /// Threads to use; `None` means one per core.
    pub jobs: Option<usize>,
    /// Copy the author's own browser scripts into the bundle.
    pub include_js: bool,
    /// Highlight code blocks.
    pub highlight: bool,
}

/// The bundle to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The zip file or the folder.
    pub path: PathBuf,
    /// Which of the two.
    pub format: Format,
}

/// What happens while an export runs. Sent from any thread, in no promised order within a stage.
#[derive(Clone, Debug)]
pub enum Event {
    /// A stage begins; `total` is its number of steps, if it can be counted.
    Stage {
        /// One lower-case word: `scan`, `parse`, `render`, `write` …
        name: &'static str,
        /// Steps.
        total: Option<u64>,
    },
    /// Pages done so far, of all pages.
    Pages {
        /// So far.
        done: u64,
        /// Of these.
        total: u64,
    },
    /// A problem with the content.
    Diagnostic(Diagnostic),
}

/// How an export went.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Pages in the bundle.
    pub pages: u64,
    /// Files in the bundle, the manifest included.
    pub files: u64,
    /// Bytes read from the source.
    pub bytes_in: u64,
    /// Bytes of all files of the bundle before compression.
    pub bytes_out: u64,
    /// Bytes of those that are HTML.
    pub html_bytes: u64,
    /// Bytes of the bundle on disk: the archive's size, or the sum of the folder's files.
    pub bundle_bytes: u64,
    /// The stages, in order.
    pub stages: Vec<Stage>,
    /// Problems with the content, sorted by file, line, column and code.
    pub diagnostics: Vec<Diagnostic>,
    /// Author scripts that were left out, paths in the source.
    pub left_out_js: Vec<String>,
}

/// What a stage cost.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Stage {
    /// As in [`Event::Stage`].
    pub name: &'static str,
    /// Elapsed milliseconds; stages may overlap.
    pub wall_ms: f64,
    /// Microseconds summed over all threads, where the stage runs in parallel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub busy_us: Option<u64>,
}

/// Why there is no bundle. Problems with the content are diagnostics instead.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The source or the output cannot be what it is meant to be: nothing was tried. Exit code 2.
    #[error("{0}")]
    Unusable(String),
    /// Reading or writing failed.
    #[error("{context}")]
    Io {
        /// What was being done, with the path.
        context: String,
        /// Why it failed.
        source: io::Error,
    },
    /// The cancel flag was set. Nothing is left behind.
    #[error("cancelled")]
    Cancelled,
}

/// Exports a site.
///
/// # Errors
/// The source is no site, the output cannot be written, or `cancel` was set.
pub fn run(_options: &Options, _progress: &(dyn Fn(Event) + Sync), _cancel: &AtomicBool) -> Result<Report, Error> {
    Err(Error::Unusable("the export driver is not linked into this build".to_owned()))
}
