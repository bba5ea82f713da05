//! What the two sides say to each other: one request, then lines of JSON, each an object with its kind.

use serde::{Deserialize, Serialize};

use super::{Cause, Commit, Work};

/// Longest line that is read, bytes. The longest is the one of a commit with its changed files, which are cut to fit.
pub(super) const LINE_BYTES: usize = 4 << 20;

/// The input of the child: everything that it needs to know.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Request {
    pub(super) work: Work,
    pub(super) bounds: Bounds,
}

/// The limits that the child takes upon itself.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Bounds {
    pub(super) seconds: u64,
    pub(super) cpu_seconds: u64,
    pub(super) memory_bytes: u64,
    pub(super) fetch_bytes: u64,
    pub(super) file_bytes: u64,
    pub(super) threads: Option<usize>,
}

/// What the child says.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "camelCase", deny_unknown_fields)]
pub(super) enum Line {
    Stage {
        name: String,
    },
    /// Branches that are gone, before anything of the source is read.
    Gone {
        branches: Vec<String>,
    },
    Source {
        version: String,
        commit: Option<Commit>,
    },
    Pages {
        done: u64,
        total: u64,
    },
    Log {
        text: String,
    },
    /// The last one of a child that did its work.
    Built {
        pages: u64,
        sha256: String,
        size: u64,
    },
    /// The last one of a child that could not.
    Failed {
        cause: Cause,
        message: String,
    },
}
