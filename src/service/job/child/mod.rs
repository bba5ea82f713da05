//! One export, two processes of our own binary: whatever a source does to its exporter, it does to a process that has
//! no network and sees nothing but that source.
//!
//! 1. `outside` starts the program with the hidden command `job`, without an environment, in a process group of its
//!    own, and writes one [`ChildWork`] to its standard input, which stays open: it ends when we do, and then the
//!    process ends itself and the one that it has started. This is the [`fetcher`].
//! 2. The fetcher starts the [`renderer`], which confines itself ([`confine`]) and waits, and
//!    confines itself, too. It gets the source (a branch, an archive) and says to the renderer where it is, not where it
//!    came from. From then on it answers the renderer's requests for what pages load from elsewhere.
//! 3. The renderer exports the source as the command line would. Both say how far they are, one JSON object (`line`) a
//!    line, on the standard output that they share.
//! 4. `outside` reads the lines, each bounded, and kills the whole group when it is canceled, when time is up, when
//!    nothing is said for too long, or when it grows too large; what ended by itself is explained by its exit status
//!    and the end of its standard error.
//! 5. What they left is checked against its digest and made durable. The caller moves it.
//!
//! Vendoring is part of the renderer and only its requests are the fetcher's: which addresses are requested is known
//! while pages are made, not before, and bytes from elsewhere are judged where they can do no harm.
//!
//! Invariants: no value of a child is trusted further than its type; nothing of it is logged but what is bounded
//! here; no credential is an argument, an environment variable or part of a message, and none reaches the renderer.

mod bounds;
pub mod fetcher;
mod line;
mod memory;
mod outside;
pub mod renderer;
mod tell;
mod trial;
mod usage;

use std::fmt;
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::store::Findings;
use bundle::{BundleDeployment, ManifestFeatures};
use confine::Layers;
use fetch::FetchPolicy;
use fetch::git::Protocol;
use import::tool_by_name;

pub(super) use bounds::end_with;
pub use fetch::git::{CommitChanges, CommitRecord};
pub use memory::ControlGroup;
pub use outside::{own_program, run_child};
pub use trial::find_layers;

/// The archive, in the work's folder and in that of the renderer.
const ARCHIVE: &str = "bundle.zip";
/// The argument of the hidden command that makes a process the renderer.
pub const RENDERER: &str = "renderer";

/// What a child is to export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChildWork {
    /// Where the files come from.
    pub source: JobSource,
    /// The folder that is this work's own: empty, or not there yet. Nothing outside of it is written. The caller
    /// removes it in the end.
    pub folder: PathBuf,
    /// Host name that will serve the site, checked.
    pub domain: Option<String>,
    /// Label of the edition, checked; by default the first 12 digits of the commit or of the source's digest.
    pub version: Option<String>,
    /// Paths of the pages to export, exactly; none means every page. One that names no page fails the work.
    pub paths: Vec<String>,
    /// User groups whose restricted pages the bundle has, checked.
    pub groups: Vec<String>,
    /// Where the bundle is going to be served.
    pub deployment: BundleDeployment,
    /// What it may have, checked against the deployment. Search and assistant need their address, too.
    pub features: ManifestFeatures,
    /// Whether large PNG files are recompressed.
    pub optimize_png: bool,
    /// The documentation tool whose repository the source is, checked; by default its files say which.
    pub from: Option<String>,
    /// Address of a search service.
    pub search: Option<String>,
    /// Address of an assistant.
    pub assistant: Option<String>,
    /// Servers with a private address that the source may be fetched from: `host`, `host:port`, or `*` for any. What
    /// pages load is not fetched from there.
    pub allow_private: Vec<String>,
}

impl ChildWork {
    /// The name of the tool whose repository the source is, if it is not its files that say which.
    fn tool(&self) -> Option<&'static str> {
        tool_by_name(self.from.as_deref()?).ok().map(|tool| tool.name())
    }
}

/// Where the files of a site come from: what an operator wrote, never a client of the service, but for the branch.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", deny_unknown_fields)]
pub enum JobSource {
    /// A folder of this machine, read where it is.
    Folder {
        /// The folder with the configuration, or that file itself.
        path: PathBuf,
    },
    /// A branch of a repository.
    Git {
        /// Its address, which may hold credentials.
        url: String,
        /// The branch ([`fetch::git::branch`] has checked it); by default the one that the repository names.
        branch: Option<String>,
        /// The folder with the configuration; by default the root.
        subdir: Option<String>,
        /// The commit that [`CommitRecord::files_changed`] counts from, 40 hexadecimal digits.
        since: Option<String>,
        /// Protocols by which repositories may be fetched.
        protocols: Vec<Protocol>,
        /// Branches that are shown somewhere: those that are gone are reported.
        shown: Vec<String>,
    },
    /// A zip or tar.gz archive.
    Archive {
        /// Its address.
        url: String,
        /// The folder with the configuration; by default the root. A single folder around everything does not count.
        subdir: Option<String>,
    },
}

impl fmt::Debug for JobSource {
    /// Without what may be a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder { path } => write!(f, "Folder({})", path.display()),
            Self::Git { url, branch, .. } => write!(f, "Git({}, {branch:?})", fetch::git::public_address(url)),
            Self::Archive { url, .. } => write!(f, "Archive({})", fetch::git::public_address(url)),
        }
    }
}

/// How much of the machine one export may have. Everything is bounded; the defaults are those of the threat model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineLimits {
    /// The program to start, [`MachineLimits::default`]: this one.
    pub program: PathBuf,
    /// Longest time from start to end, seconds.
    pub seconds: u64,
    /// Longest time without a word of it, seconds.
    pub silent_seconds: u64,
    /// Processor time, seconds.
    pub cpu_seconds: u64,
    /// Memory that it may hold at a time, bytes, files in memory among them. Address space is bounded too, more widely.
    pub memory_bytes: u64,
    /// Bytes that may be fetched: a pack, an archive, and what an archive holds.
    pub fetch_bytes: u64,
    /// Largest file that it may write, bytes.
    pub file_bytes: u64,
    /// Bytes that all its files may take together, what was fetched and the bundle among them.
    pub written_bytes: u64,
    /// Most files and folders that it may make.
    pub written_files: u64,
    /// How much of the processor it leaves to others, as nice(2) counts it.
    pub niceness: i32,
    /// Threads; `None`: one for each core.
    pub threads: Option<usize>,
    /// Certificates of the authorities that sign those of servers, instead of the system's: the one thing that a child
    /// takes from its environment (`SSL_CERT_FILE`).
    pub certificates: Option<PathBuf>,
    /// How its processes are confined, as [`find_layers`] has found to be possible.
    pub layers: Layers,
    /// The group that bounds its memory, if one is delegated.
    pub group: Option<ControlGroup>,
}

impl Default for MachineLimits {
    fn default() -> Self {
        Self {
            program: outside::own_program(),
            seconds: 600,
            silent_seconds: 180,
            cpu_seconds: 1_200,
            memory_bytes: 1 << 30,
            fetch_bytes: 2 << 30,
            file_bytes: 4 << 30,
            written_bytes: 10 << 30,
            written_files: 100_000,
            niceness: 0,
            threads: None,
            certificates: None,
            layers: Layers::NONE,
            group: None,
        }
    }
}

/// A message of a child. They come in order; pages never become fewer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChildProgress {
    /// A stage begins: `fetch`, `load`, `pages`, `search` …
    Stage(String),
    /// The repository has no more these of the branches that are shown somewhere.
    Gone(Vec<String>),
    /// The source has been read.
    Source {
        /// The label that the bundle will have.
        version: String,
        /// The commit, if it is one.
        commit: Option<CommitRecord>,
    },
    /// Pages that are done.
    Pages {
        /// So far.
        done: u64,
        /// Of these.
        total: u64,
    },
}

/// An archive that is whole, in the work's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Built {
    /// The file; durable, the caller's to move.
    pub archive: PathBuf,
    /// Its digest, hexadecimal: counted here, not by the child.
    pub sha256: String,
    /// Bytes.
    pub size: u64,
    /// Pages in it.
    pub pages: u64,
    /// Its label.
    pub version: String,
    /// The commit that it was made of.
    pub commit: Option<CommitRecord>,
    /// What happened, for people: stages and problems of the content, at most [`LOG_LINES`].
    pub logs: Vec<String>,
    /// The problems of the content, at most [`MAX_FINDINGS`].
    pub findings: Findings,
    /// The key that has signed it; the caller's to do.
    pub signed_by: Option<String>,
}

/// Why there is no archive.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ExportFailure {
    /// What it means for what comes next.
    pub cause: Cause,
    /// One sentence for people. Never empty, without credentials.
    pub message: String,
    /// What happened before, at most [`LOG_LINES`].
    pub logs: Vec<String>,
}

/// What a failure means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Cause {
    /// The content cannot be exported; trying again changes nothing.
    Content,
    /// The branch is not there (any more).
    NoBranch,
    /// The source cannot be had: it is gone, refuses, or answers with nonsense.
    Source,
    /// It took more than it may have: time, memory, processor, space.
    Limit,
    /// It was canceled.
    Canceled,
    /// The process died; another try may die too.
    Crash,
    /// No disk of this machine has room now.
    Full,
    /// This machine does not work: no process, no file.
    System,
}

impl Cause {
    /// What it means that this machine could not read or write.
    fn of(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::FileTooLarge => Self::Limit,
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full,
            _ => Self::System,
        }
    }

    /// Its name in metrics.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Content => "content",
            Self::NoBranch => "no_branch",
            Self::Source => "source",
            Self::Limit => "limit",
            Self::Canceled => "canceled",
            Self::Crash => "crash",
            Self::System => "system",
            Self::Full => "full",
        }
    }
}

/// Most lines of a log.
pub const LOG_LINES: usize = 1_000;
/// Most problems of the content that are reported one by one.
pub const MAX_FINDINGS: usize = LOG_LINES / 2;
/// Longest line of a log, characters.
pub const LOG_CHARS: usize = 1_000;

/// The policy of requests for a source, from servers that may be private.
fn policy(allow_private: &[String]) -> Result<FetchPolicy, (Cause, String)> {
    let named = allow_private.iter().filter(|server| *server != "*").map(|server| server.parse());
    let own = named
        .collect::<Result<_, _>>()
        .map_err(|why| (Cause::System, format!("a server that may be private: {why}")))?;
    Ok(FetchPolicy { allow_private: allow_private.iter().any(|server| server == "*"), own, ports: Vec::new() })
}
