//! What the service and the two processes of a job say to each other: lines of JSON.

use serde::{Deserialize, Serialize};

use super::{Cause, ChildWork, CommitRecord, MachineLimits};
use crate::store::Finding;
use confine::{FileSystemView, Layers};
use fetch::git::FetchedFolder;

/// Longest line that is read, bytes. The longest is the one of a commit with its changed files, which are cut to fit.
pub(super) const LINE_BYTES: usize = 4 << 20;

/// The input of the fetcher: everything that it needs to know.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Request {
    pub(super) work: ChildWork,
    pub(super) bounds: ProcessBounds,
    /// How both processes are confined.
    #[serde(default)]
    pub(super) layers: Layers,
}

/// The first line that a renderer is given: how it confines itself.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct RendererSetup {
    pub(super) view: FileSystemView,
    pub(super) layers: Layers,
    pub(super) bounds: ProcessBounds,
    /// Nothing is rendered: whether it can be done is all that is asked.
    pub(super) is_trial: bool,
}

/// The second one, once the source is there: what it renders. The address of the source is not part of it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Rendering {
    /// Its source is the place where the source is now.
    pub(super) work: ChildWork,
    pub(super) local: LocalSource,
}

/// What stands at that place.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", deny_unknown_fields)]
pub(super) enum LocalSource {
    /// The source itself.
    Folder,
    /// A bare repository.
    Commit { fetched: FetchedFolder, subdir: String },
    /// An archive.
    Archive { subdir: String },
}

/// The limits that each process takes upon itself.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ProcessBounds {
    pub(super) seconds: u64,
    pub(super) cpu_seconds: u64,
    pub(super) memory_bytes: u64,
    pub(super) fetch_bytes: u64,
    pub(super) file_bytes: u64,
    pub(super) threads: Option<usize>,
}

impl ProcessBounds {
    /// Those of a job with these limits.
    pub(super) fn of(limits: &MachineLimits) -> Self {
        let MachineLimits { seconds, cpu_seconds, memory_bytes, fetch_bytes, file_bytes, threads, .. } = *limits;
        Self { seconds, cpu_seconds, memory_bytes, fetch_bytes, file_bytes, threads }
    }
}

/// What the two processes say: the fetcher until the source is there, then the renderer, and at its end the fetcher.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "camelCase", deny_unknown_fields)]
pub(super) enum ProcessLine {
    Stage {
        name: String,
    },
    /// Branches that are gone, before anything of the source is read.
    Gone {
        branches: Vec<String>,
    },
    /// The source is there: from now on the renderer reads it, and nothing that is said comes from elsewhere.
    Fetched,
    Source {
        version: String,
        commit: Option<CommitRecord>,
    },
    Pages {
        done: u64,
        total: u64,
    },
    /// How much was found in the content, before what it is.
    Found {
        errors: u64,
        warnings: u64,
    },
    Finding(Finding),
    /// The last one of a renderer that did its work.
    Built {
        pages: u64,
        sha256: String,
        size: u64,
    },
    /// The last one of a process that could not.
    Failed {
        cause: Cause,
        message: String,
    },
    /// The fetcher says of the renderer that it ended otherwise.
    Died {
        signal: Option<i32>,
        status: Option<i32>,
    },
    /// A renderer that is on trial has put all layers on; the version of Landlock.
    Confined {
        landlock: u32,
    },
}
