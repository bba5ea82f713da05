//! The report of an export, and how long its stages take. The clock here is the only one of an export; it reaches the
//! report, never the bundle.

use std::io;
use std::time::Instant;

use schemars::JsonSchema;
use serde::Serialize;

use base::Diagnostic;
use base::refs::OutsideReferences;
use frame::asset::remote;

use check::census::WordCounts;
use load::tool::Located;

use super::PngSavings;

/// What happens while an export runs. Sent from any thread, in no fixed order within a stage.
#[derive(Clone, Debug)]
pub enum ExportEvent {
    /// A stage begins; `total` is its number of steps, if it can be counted.
    Stage {
        /// One lower-case word: `load`, `anchors`, `theme`, `pages`, `side` …
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
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExportReport {
    /// Pages in the bundle.
    pub pages: u64,
    /// The tool whose repository the source was read as.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<ReadAs>,
    /// Words of the sources of pages, and how many of these the pages say.
    pub words: WordCounts,
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
    /// What leads out of the bundle, found by reading every file as it was written.
    pub outside: OutsideReferences,
    /// Servers that consoles of pages may ask: scheme, host and port of each. `None`: no page has a console.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub playground_servers: Option<Vec<String>>,
    /// Pages of operations without a console, because the feature is off.
    #[serde(skip)]
    pub pages_without_console: u64,
    /// What `--optimize-png` would save; `None` where it is on, or would not save much.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub png_savings: Option<PngSavings>,
    /// Where pages come from: path in the bundle, path in the source.
    #[serde(skip)]
    pub origins: Vec<(String, String)>,
    /// What pages load from elsewhere.
    pub remote: remote::RemoteCounts,
}

/// The tool whose repository a source was read as.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReadAs {
    /// Its name as an argument: `hugo`.
    pub name: &'static str,
    /// Its name for people: `Hugo`.
    #[serde(skip)]
    pub title: &'static str,
    /// Its configuration; empty if there is none.
    pub config: String,
}

impl ReadAs {
    /// How a source was read.
    pub(super) fn of(located: &Located) -> Self {
        Self { name: located.tool.name(), title: located.tool.title(), config: located.config.clone() }
    }
}

/// What a stage cost.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Stage {
    /// One lower-case word: `load`, `pages`, `search` …
    pub name: &'static str,
    /// Elapsed milliseconds; stages may overlap.
    pub wall_ms: f64,
    /// Microseconds summed over all threads, where the stage runs in parallel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub busy_us: Option<u64>,
}

/// Why there is no bundle. Problems with the content are diagnostics instead.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The source is invalid, or lacks pages that were requested: nothing was written. Exit code 2.
    #[error("{0}")]
    Source(String),
    /// The options contradict each other, or the bundle must not be written there. Exit code 2.
    #[error("{0}")]
    Options(String),
    /// The configuration cannot be read: nothing was tried. Exit code 2.
    #[error("{}:{}:{}: {}", .0.file, .0.line, .0.column, .0.message)]
    Config(Diagnostic),
    /// Reading or writing failed.
    #[error("{context}")]
    Io {
        /// What was being done, with the path.
        context: String,
        /// Why it failed.
        source: io::Error,
    },
    /// The cancel flag was set. Nothing is left behind.
    #[error("canceled")]
    Canceled,
}

/// Measures stages that follow each other.
#[derive(Debug, Default)]
pub(super) struct StageClock {
    stages: Vec<Stage>,
    started: Option<Instant>,
}

impl StageClock {
    /// Ends the stage that runs and starts the next.
    pub(super) fn start(&mut self, name: &'static str) {
        self.stop();
        self.stages.push(Stage { name, ..Stage::default() });
        self.started = Some(Instant::now());
    }

    /// Adds what the threads of the current stage spent on its parts, as stages of their own without elapsed time.
    pub(super) fn busy(&mut self, parts: Vec<(&'static str, u64)>) {
        self.stop();
        for (name, busy_us) in parts {
            self.stages.push(Stage { name, busy_us: Some(busy_us), ..Stage::default() });
        }
    }

    /// Ends the last stage.
    pub(super) fn finish(mut self) -> Vec<Stage> {
        self.stop();
        self.stages
    }

    fn stop(&mut self) {
        if let (Some(started), Some(stage)) = (self.started.take(), self.stages.last_mut()) {
            stage.wall_ms = started.elapsed().as_secs_f64() * 1000.0;
        }
    }
}

impl From<remote::Canceled> for ExportError {
    fn from(_: remote::Canceled) -> Self {
        Self::Canceled
    }
}

impl From<bundle::BundleError> for ExportError {
    fn from(error: bundle::BundleError) -> Self {
        match error {
            bundle::BundleError::Refused(why) => Self::Options(why),
            bundle::BundleError::Io { context, source } => Self::Io { context, source },
        }
    }
}
