//! One commit of one branch, without its history, into a bare repository of its own.

use std::io;
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use gix::bstr::ByteSlice as _;
use gix::protocol::transport::client::blocking_io::Transport;
use gix::remote::fetch::{Shallow, Tags};
use gix::remote::{Direction, ref_map};
use serde::{Deserialize, Serialize};

use crate::FetchPolicy;

use super::transport::FetchBudget;
use super::{FetchBounds, FetchedCommit, GitError, Protocol, RemoteUrl, branch};

/// What to fetch.
#[derive(Clone, Copy, Debug)]
pub struct FetchTarget<'a> {
    /// From where.
    pub address: &'a RemoteUrl,
    /// The branch; by default the one that the repository names.
    pub branch: Option<&'a str>,
    /// An earlier commit to compare with, hexadecimal. That it is gone is no error.
    pub since: Option<&'a str>,
    /// Which servers may be reached over https.
    pub policy: &'a FetchPolicy,
}

/// What a fetch has brought: enough to open its folder elsewhere, where the repository's address is not known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FetchedFolder {
    head: String,
    reference: String,
    since: Option<String>,
}

/// Where the commits are put. No name of the other side becomes the name of a reference here.
const HEAD: &str = "refs/offprint/head";
const SINCE: &str = "refs/offprint/since";
/// How often bounds are looked at.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// How objects are read. An object that says it is larger than 512 MB is not believed; of those that others are made
/// from, each reader keeps 8 MB.
const READING: [&str; 2] = ["gitoxide.objects.allocLimit=536870912", "gitoxide.core.deltaBaseCacheLimit=8388608"];

impl FetchedCommit {
    /// What was fetched, for [`FetchedCommit::open`].
    pub fn fetched(&self) -> FetchedFolder {
        let since = self.since.map(|since| since.to_string());
        FetchedFolder { head: self.head.to_string(), reference: self.reference.clone(), since }
    }

    /// Opens the folder of an earlier fetch, to read what it has brought.
    ///
    /// # Errors
    /// It is not there, or damaged.
    pub fn open(folder: &Path, fetched: &FetchedFolder) -> Result<Self, GitError> {
        let broken = |error: &dyn std::fmt::Display| GitError::Unreadable(error.to_string());
        let id = |text: &str| gix::ObjectId::from_hex(text.as_bytes()).map_err(|error| broken(&error));
        let open = gix::open::Options::isolated().with(gix::sec::Trust::Full).config_overrides(READING);
        Ok(Self {
            objects: open.open(folder).map_err(|error| broken(&error))?,
            head: id(&fetched.head)?,
            reference: fetched.reference.clone(),
            since: fetched.since.as_deref().map(id).transpose()?,
        })
    }

    /// Fetches a branch into a folder that is empty or not there yet.
    ///
    /// # Errors
    /// There is no such branch, or the repository cannot be had within the bounds. What came until then stays in the
    /// folder, for its owner to remove.
    pub fn fetch(
        target: &FetchTarget<'_>,
        folder: &Path,
        bounds: FetchBounds,
        cancel: &AtomicBool,
    ) -> Result<Self, GitError> {
        if let Some(name) = target.branch {
            branch(name).map_err(|_| GitError::Branch(name.chars().take(300).collect()))?;
        }
        let watch = &FetchWatch::default();
        let (done, over) = mpsc::channel::<()>();
        let outcome = std::thread::scope(|scope| {
            scope.spawn(move || watch.look(&over, folder, bounds, cancel));
            let outcome = fetch_once(&Fetch { target, bounds, stop: &watch.stop }, folder);
            drop(done);
            outcome
        });
        match (watch.why.load(Ordering::Relaxed), outcome) {
            (_, Ok(repository)) => Ok(repository),
            (CANCELED, _) => Err(GitError::Canceled),
            (SLOW, _) => Err(GitError::Slow(bounds.seconds)),
            (LARGE, _) => Err(GitError::TooLarge(bounds.bytes)),
            (_, Err(error)) => Err(error),
        }
    }
}

/// Stops a fetch that is canceled or takes more than it may.
#[derive(Default)]
pub(super) struct FetchWatch {
    pub(super) stop: Arc<AtomicBool>,
    why: AtomicU8,
}

const CANCELED: u8 = 1;
const SLOW: u8 = 2;
const LARGE: u8 = 3;

impl FetchWatch {
    pub(super) fn look(&self, over: &mpsc::Receiver<()>, folder: &Path, bounds: FetchBounds, cancel: &AtomicBool) {
        let start = Instant::now();
        while over.recv_timeout(POLL_INTERVAL) == Err(mpsc::RecvTimeoutError::Timeout) {
            let why = if cancel.load(Ordering::Relaxed) {
                CANCELED
            } else if start.elapsed() > Duration::from_secs(bounds.seconds) {
                SLOW
            } else if pack_bytes(folder) > bounds.bytes {
                LARGE
            } else {
                continue;
            };
            self.why.store(why, Ordering::Relaxed);
            self.stop.store(true, Ordering::Relaxed);
            return;
        }
    }
}

/// Bytes of the packs that a fetch has written.
fn pack_bytes(folder: &Path) -> u64 {
    let packs = std::fs::read_dir(folder.join("objects/pack")).into_iter().flatten().flatten();
    packs.filter_map(|file| file.metadata().ok()).map(|about| about.len()).sum()
}

/// One fetch, from beginning to end.
struct Fetch<'a> {
    target: &'a FetchTarget<'a>,
    bounds: FetchBounds,
    stop: &'a Arc<AtomicBool>,
}

/// Why nothing was received: what the way to the server says, or the library.
enum FetchTrouble {
    Known(GitError),
    Unreadable(GitError),
}

fn fetch_once(fetch: &Fetch<'_>, folder: &Path) -> Result<FetchedCommit, GitError> {
    let target = fetch.target;
    let repository =
        create_repository(target.address, folder, fetch.bounds).map_err(|error| unreadable(target.address, &error))?;
    if let Some(since) =
        target.since.filter(|since| since.len() == 40 && since.bytes().all(|byte| byte.is_ascii_hexdigit()))
    {
        // servers may refuse a commit that no branch leads to any more: then without it
        match fetch.receive(&repository, Some(since)) {
            Ok((head, reference)) => {
                let since = gix::ObjectId::from_hex(since.to_ascii_lowercase().as_bytes()).ok();
                return Ok(FetchedCommit { objects: repository.into_sync(), head, reference, since });
            }
            Err(FetchTrouble::Known(error)) => return Err(error),
            Err(FetchTrouble::Unreadable(error)) if fetch.stop.load(Ordering::Relaxed) => return Err(error),
            Err(FetchTrouble::Unreadable(_)) => {}
        }
    }
    let (head, reference) = fetch.receive(&repository, None).map_err(|trouble| match trouble {
        FetchTrouble::Known(error) | FetchTrouble::Unreadable(error) => error,
    })?;
    Ok(FetchedCommit { objects: repository.into_sync(), head, reference, since: None })
}

/// An empty repository whose settings are these and no others.
pub(super) fn create_repository(
    address: &RemoteUrl,
    folder: &Path,
    bounds: FetchBounds,
) -> gix::Result<gix::Repository> {
    let settings = [
        "protocol.allow=never".to_owned(),
        format!("protocol.{}.allow=always", address.protocol().name()),
        "protocol.version=2".to_owned(),
        // it has no sockets of this machine
        "core.sshCommand=ssh -oBatchMode=yes -oControlPath=none -oIdentityAgent=none".to_owned(),
        format!("pack.threads={}", bounds.threads.max(1)),
    ];
    let settings = settings.into_iter().chain(READING.map(str::to_owned));
    let open = gix::open::Options::isolated().with(gix::sec::Trust::Full).config_overrides(settings);
    let kind = gix::create::Kind::Bare;
    gix::ThreadSafeRepository::init_opts(folder, kind, gix::create::Options::default(), open)
        .map(|repository| repository.to_thread_local())
}

impl Fetch<'_> {
    /// Receives the commit; returns it with the name of its branch.
    fn receive(
        &self,
        repository: &gix::Repository,
        since: Option<&str>,
    ) -> Result<(gix::ObjectId, String), FetchTrouble> {
        let target = self.target;
        let failed = |error: gix::Error| FetchTrouble::Unreadable(unreadable(target.address, &error));
        let source = target.branch.map_or_else(|| "HEAD".to_owned(), |name| format!("refs/heads/{name}"));
        let specs = [Some(format!("+{source}:{HEAD}")), since.map(|since| format!("+{since}:{SINCE}"))];
        let specs: Vec<&str> = specs.iter().flatten().map(String::as_str).collect();
        let remote = repository.remote_at_without_url_rewrite(target.address.url().clone()).map_err(failed)?;
        let remote = remote.with_fetch_tags(Tags::None).with_refspecs(specs, Direction::Fetch).map_err(failed)?;
        if target.address.protocol() != Protocol::Https {
            return self.converse(remote.connect(Direction::Fetch).map_err(failed)?, &source, &|| {});
        }
        let line = FetchBudget::open(target.policy, self.bounds, Arc::clone(self.stop)).map_err(FetchTrouble::Known)?;
        let connection = remote.to_connection_with_transport(line.transport(target.address));
        let received = self.converse(connection, &source, &|| line.allow(self.bounds.bytes));
        received.map_err(|trouble| match line.trouble() {
            Some(error) => FetchTrouble::Known(error.clone().scrubbed(target.address)),
            None => trouble,
        })
    }

    /// The same over a connection; `listed` is called when objects are going to come.
    fn converse<T: Transport>(
        &self,
        connection: gix::remote::Connection<'_, '_, '_, T>,
        source: &str,
        listed: &dyn Fn(),
    ) -> Result<(gix::ObjectId, String), FetchTrouble> {
        let target = self.target;
        let failed = |error: gix::Error| FetchTrouble::Unreadable(unreadable(target.address, &error));
        // no credential helper and no terminal is used: credentials are part of the address, or there are none
        let connection = connection.with_credentials(|_| Ok(None));
        let prepared = connection.prepare_fetch(gix::progress::Discard, ref_map::Options::default()).map_err(failed)?;
        let found = prepared.ref_map().remote_refs.iter().find(|found| found.unpack().0 == source.as_bytes().as_bstr());
        let Some(found) = found else {
            return Err(FetchTrouble::Known(
                target.branch.map_or(GitError::Empty, |name| GitError::NoBranch(name.to_owned())),
            ));
        };
        let (_, object, peeled) = found.unpack();
        let head = peeled.or(object).ok_or(FetchTrouble::Known(GitError::Empty))?.to_owned();
        let reference =
            target.branch.map(str::to_owned).or_else(|| default_branch(found)).unwrap_or_else(|| "HEAD".to_owned());
        let depth = Shallow::DepthAtRemote(NonZeroU32::MIN);
        listed();
        prepared
            .with_shallow(depth)
            .with_write_packed_refs_only(true)
            .receive(gix::progress::Discard, self.stop)
            .map_err(failed)?;
        Ok((head, reference))
    }
}

/// What `HEAD` of the other side stands for.
fn default_branch(head: &gix::protocol::handshake::Ref) -> Option<String> {
    let gix::protocol::handshake::Ref::Symbolic { target, .. } = head else { return None };
    target.to_str().ok()?.strip_prefix("refs/heads/").map(str::to_owned)
}

/// What the library says when `ssh` or `git` ends without a word that it understands.
const SILENT_ENDS: [&str; 2] = ["failed to fill whole buffer", "No credentials were returned"];
/// What may be missing then.
const SSH_NEEDS: &str = "`ssh` needs a key without a passphrase in `~/.ssh` of the user of the service, and the server in \
                         `~/.ssh/known_hosts`";

/// What `git` needs that reads a repository of this machine.
const GIT_NEEDS: &str = "`git` ended without an answer: there must be a repository that the user of the service may read, \
                         and that belongs to that user or is named by `safe.directory` in `/etc/gitconfig`";

/// Why a repository cannot be had: the whole chain of reasons, without what is secret.
pub(super) fn unreadable(address: &RemoteUrl, error: &gix::Error) -> GitError {
    let mut reasons = vec![error.to_string()];
    let mut source = std::error::Error::source(error);
    while let Some(reason) = source {
        let kind = reason.downcast_ref::<io::Error>().map(io::Error::kind);
        if matches!(kind, Some(io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)) {
            return GitError::NoRoom;
        }
        reasons.push(reason.to_string());
        source = reason.source();
    }
    reasons.dedup();
    let text = reasons.join(": ");
    let is_silent = SILENT_ENDS.iter().any(|words| text.contains(words));
    if address.protocol() == Protocol::File && is_silent {
        return GitError::Unreadable(GIT_NEEDS.to_owned());
    }
    if address.protocol() == Protocol::Ssh {
        let ended = "the connection ended: access is refused, there is no such repository, or the server has gone";
        let why = if is_silent { ended.to_owned() } else { text };
        return GitError::Unreadable(address.scrub(&format!("{why}; {SSH_NEEDS}")));
    }
    GitError::Unreadable(address.scrub(&text))
}

impl GitError {
    /// Without what is secret in an address.
    pub(super) fn scrubbed(self, address: &RemoteUrl) -> Self {
        match self {
            Self::Refused(message) => Self::Refused(address.scrub(&message)),
            other => other,
        }
    }
}
