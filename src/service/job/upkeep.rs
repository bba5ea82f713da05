//! Forgetting, while other work goes on. It never takes more than a hundredth of the time.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::fs;
use tokio::sync::watch;
use tokio::time::timeout;

use super::ServiceShared;
use crate::store::work::TOMBSTONE_TIME;
use crate::store::{Horizon, RetentionOf, StoreError, Time};

/// Ended records are kept this long (contract, sections 5 and 6).
const RECORD_RETENTION: Duration = Duration::from_secs(90 * 86_400);
/// Agent jobs are put away after this long where there is no agent to say so.
const AGENT_JOB_TIMEOUT: Duration = Duration::from_secs(30 * 86_400);
/// Between two sweeps, at least.
const SWEEP_INTERVAL: Duration = Duration::from_secs(5);
/// How long the storage may take to remove one archive.
const DELETE_TIMEOUT: Duration = Duration::from_secs(60);
/// Most archives that are looked at in one transaction.
const BATCH_ARCHIVES: usize = 256;

/// Removes everything in a folder, which is made if it is not there: what is in it is of a process that died.
pub(super) async fn empty(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder).await?;
    let mut entries = fs::read_dir(folder).await?;
    while let Some(entry) = entries.next_entry().await? {
        let is_folder = entry.file_type().await?.is_dir();
        let removed =
            if is_folder { fs::remove_dir_all(entry.path()).await } else { fs::remove_file(entry.path()).await };
        if let Err(error) = removed {
            tracing::warn!(%error, "a temporary file cannot be removed");
        }
    }
    Ok(())
}

/// Sweeps until it is stopped.
pub(super) async fn run_upkeep(shared: Arc<ServiceShared>, mut stopped: watch::Receiver<bool>) {
    if let Err(error) = strays(&shared).await {
        tracing::warn!(%error, "archives that nothing names cannot be removed");
    }
    loop {
        let began = Instant::now();
        let more = sweep_retention(&shared).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "what is past retention cannot be removed");
            false
        });
        let pause = if more { began.elapsed() } else { SWEEP_INTERVAL.max(began.elapsed() * 100) };
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            // the sender outlives its receivers
            _ = stopped.wait_for(|stopped| *stopped) => return,
        }
    }
}

/// Removes archives of a process that died between putting and referring to them. Where all records were lost, or are
/// not those of the storage, nothing refers to any archive: none is removed then.
pub(super) async fn strays(shared: &ServiceShared) -> Result<(), StoreError> {
    let objects = shared.storage.objects().list().await.map_err(upkeep_unavailable)?;
    let keys: Vec<String> = objects.into_iter().map(|object| object.key).collect();
    if !shared.ledger.owns_storage(keys.is_empty()).await? {
        tracing::warn!(
            bundles = keys.len(),
            "the storage has bundles that these records have not put there: what the records do not name is kept"
        );
        return Ok(());
    }
    let mut removed = 0;
    for batch in keys.chunks(BATCH_ARCHIVES) {
        removed += remove_unnamed_archives(shared, batch.to_vec()).await?;
    }
    if removed > 0 {
        tracing::info!(bundles = removed, "bundles that no record names were removed");
    }
    Ok(())
}

/// Forgets a part of what is past retention; `true` if there is more.
pub(super) async fn sweep_retention(shared: &ServiceShared) -> Result<bool, StoreError> {
    let agents = shared.settings.agent.as_ref().map_or(AGENT_JOB_TIMEOUT, |agent| agent.archive_after);
    let horizon = Horizon { now: Time::now(), records: RECORD_RETENTION, agents };
    let projects = Arc::clone(&shared.projects);
    let retention: RetentionOf = Arc::new(move |organization: &str| projects.retention(organization));
    let swept = shared.ledger.sweep(horizon, retention, shared.clock.now()).await?;
    remove_unnamed_archives(shared, swept.archives).await?;
    Ok(swept.more)
}

/// Removes those of some archives that nothing names; returns how many.
async fn remove_unnamed_archives(shared: &ServiceShared, archives: Vec<String>) -> Result<usize, StoreError> {
    if archives.is_empty() {
        return Ok(0);
    }
    let mut removed = 0;
    let until = Instant::now() + TOMBSTONE_TIME / 2;
    let removable = shared.ledger.add_tombstones(archives, shared.clock.now()).await?;
    for archive in &removable {
        // what is left behind is found again as a stray
        match timeout(DELETE_TIMEOUT, shared.storage.objects().delete(archive)).await {
            _ if Instant::now() > until => break,
            Ok(Ok(())) => removed += 1,
            Ok(Err(error)) => tracing::warn!(%error, "an archive cannot be removed"),
            Err(_) => tracing::warn!("an archive cannot be removed: the storage does not answer"),
        }
    }
    if !removable.is_empty() {
        shared.ledger.remove_tombstones(removable).await?;
    }
    Ok(removed)
}

fn upkeep_unavailable(error: impl std::fmt::Display) -> StoreError {
    StoreError::Unavailable(error.to_string())
}
