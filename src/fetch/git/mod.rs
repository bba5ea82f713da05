//! A branch of a repository as a source: fetched into a private folder, read from its objects, never checked out.
//!
//! 1. `address` says which repositories may be fetched, and how; [`branch`] which names are branches.
//! 2. `fetch` gets one commit of one branch, without history, into a bare repository of its own, within bounds of time
//!    and bytes; over https by `transport`, through the guard that all downloads go through. `gone` lists the names
//!    of branches alone.
//! 3. `tree` lists the commit's files and reads their bytes on request; `change` names those that differ
//!    from an earlier commit.
//!
//! Invariants: no file of the repository is ever written under its own name, so no name, link, hook, filter or
//! attribute of it takes effect; nothing but its own settings below is read, from no file and no variable; what a
//! branch is called is a reference's name, never an argument or a revision; credentials stand in the address alone and
//! in no message.

mod address;
mod branch;
mod change;
mod deleted;
mod fetch;
mod transport;
mod tree;

#[cfg(all(test, unix))]
mod tests;

use serde::{Deserialize, Serialize};

pub use address::{Protocol, RemoteUrl, public_address};
pub use branch::{BRANCH_BYTES, branch};
pub use deleted::deleted_branches;
pub use fetch::{FetchTarget, FetchedFolder};

/// How much a fetch may take.
#[derive(Clone, Copy, Debug)]
pub struct FetchBounds {
    /// Seconds.
    pub seconds: u64,
    /// Bytes of what comes.
    pub bytes: u64,
    /// Threads that take it apart.
    pub threads: usize,
}

/// A commit that is at hand, in a bare repository.
#[derive(Debug)]
pub struct FetchedCommit {
    objects: gix::ThreadSafeRepository,
    /// The commit to read.
    head: gix::ObjectId,
    /// What it is called: a branch.
    reference: String,
    /// An earlier commit, if it was requested and is available.
    since: Option<gix::ObjectId>,
}

/// A commit, as status records show it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CommitRecord {
    /// Its id, hexadecimal.
    pub sha: String,
    /// The branch.
    #[serde(rename = "ref")]
    pub reference: String,
    /// First line of its message.
    pub message: String,
    /// Which files differ from the commit to compare with; nothing if there was none or it is gone.
    pub files_changed: CommitChanges,
}

/// Files that differ between two commits; paths relative to the folder with the configuration, each list sorted, at
/// most 1,000 of each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CommitChanges {
    /// New.
    pub added: Vec<String>,
    /// Other bytes.
    pub modified: Vec<String>,
    /// No longer there.
    pub removed: Vec<String>,
}

/// Why there is no commit. No message holds a credential.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GitError {
    /// The address is not allowed.
    #[error("the repository's address {0}")]
    Address(&'static str),
    /// The name cannot be a branch's.
    #[error("`{0}` is not a valid branch name")]
    Branch(String),
    /// The repository has no such branch.
    #[error("branch not found: `{0}`")]
    NoBranch(String),
    /// The repository has no commits, or its default branch has none.
    #[error("the repository is empty")]
    Empty,
    /// The commit has no such folder.
    #[error("the folder `{0}` is not in the repository")]
    NoFolder(String),
    /// It has more files than a site may have.
    #[error("the repository has more than {0} files")]
    TooManyFiles(usize),
    /// There is more to fetch than may be.
    #[error("the repository is larger than {} MB", .0 >> 20)]
    TooLarge(u64),
    /// No disk has room for what comes.
    #[error("there is no room on the disk for the repository")]
    NoRoom,
    /// It took too long.
    #[error("the repository took longer than {0} s to answer")]
    Slow(u64),
    /// The operation was canceled.
    #[error("canceled")]
    Canceled,
    /// Its server does not provide it, or is not allowed.
    #[error("the repository cannot be fetched: {0}")]
    Refused(String),
    /// The repository cannot be had or makes no sense.
    #[error("the repository cannot be read: {0}")]
    Unreadable(String),
}
