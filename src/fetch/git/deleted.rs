//! Which branches a repository has no more: their names are listed, and nothing is fetched.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, mpsc};

use gix::bstr::ByteSlice as _;
use gix::protocol::transport::client::blocking_io::Transport;
use gix::remote::fetch::Tags;
use gix::remote::{Direction, ref_map};

use crate::FetchPolicy;

use super::fetch::{FetchWatch, create_repository, unreadable};
use super::transport::FetchBudget;
use super::{FetchBounds, GitError, Protocol, RemoteUrl};

/// The prefix that lists all branches. They get no name here: nothing is received.
const BRANCHES: &str = "refs/heads/";
const SPEC: &str = "+refs/heads/*:refs/offprint/heads/*";

/// Those of some branches that a repository has no more. `folder` is not there yet, and its owner's to remove.
///
/// # Errors
/// Its branches cannot be had within the bounds.
pub fn deleted_branches(
    address: &RemoteUrl,
    branches: &[String],
    policy: &FetchPolicy,
    folder: &Path,
    bounds: FetchBounds,
) -> Result<Vec<String>, GitError> {
    let watch = &FetchWatch::default();
    let (done, over) = mpsc::channel::<()>();
    let there = std::thread::scope(|scope| {
        let never = AtomicBool::new(false);
        scope.spawn(move || watch.look(&over, folder, bounds, &never));
        let there = remote_names(address, policy, folder, bounds, &watch.stop);
        drop(done);
        there
    })?;
    Ok(branches.iter().filter(|branch| !there.contains(branch.as_str())).cloned().collect())
}

fn remote_names(
    address: &RemoteUrl,
    policy: &FetchPolicy,
    folder: &Path,
    bounds: FetchBounds,
    stop: &Arc<AtomicBool>,
) -> Result<HashSet<String>, GitError> {
    let failed = |error: gix::Error| unreadable(address, &error);
    let repository = create_repository(address, folder, bounds).map_err(failed)?;
    let remote = repository.remote_at_without_url_rewrite(address.url().clone()).map_err(failed)?;
    let remote = remote.with_fetch_tags(Tags::None).with_refspecs([SPEC], Direction::Fetch).map_err(failed)?;
    if address.protocol() != Protocol::Https {
        return list_remote_names(remote.connect(Direction::Fetch).map_err(failed)?).map_err(failed);
    }
    let line = FetchBudget::open(policy, bounds, Arc::clone(stop))?;
    let found = list_remote_names(remote.to_connection_with_transport(line.transport(address)));
    found.map_err(|error| line.trouble().map_or_else(|| failed(error), |known| known.clone().scrubbed(address)))
}

fn list_remote_names<T: Transport>(connection: gix::remote::Connection<'_, '_, '_, T>) -> gix::Result<HashSet<String>> {
    let connection = connection.with_credentials(|_| Ok(None));
    let (found, _) = connection.ref_map(gix::progress::Discard, ref_map::Options::default())?;
    let branch = |name: &gix::bstr::BStr| Some(name.to_str().ok()?.strip_prefix(BRANCHES)?.to_owned());
    Ok(found.remote_refs.iter().filter_map(|found| branch(found.unpack().0)).collect())
}
