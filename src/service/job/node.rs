//! Says to the processes that share the ledger that this one lives, and to clients that their work does.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::sleep;

use super::ServiceShared;
use crate::store::StoreError;

/// How long it lives at a time, as a part of a lease. A lease is renewed three times in its length, so what is left of
/// it when its process dies is longer than this: whoever finds that it has ended knows that the process has, too.
const SHARE: u32 = 2;
/// How often it says so in that time.
const TIMES: u32 = 3;

/// An export that waits to be tried again says at least this often that it lives (contract: 5 s), and what beats there
/// are between.
const EXPORT_INTERVAL: Duration = Duration::from_secs(2);

/// Says it until the service stops.
pub(super) async fn keep_alive(shared: Arc<ServiceShared>, mut stopped: watch::Receiver<bool>) {
    let interval = shared.settings.lease / SHARE / TIMES;
    loop {
        tokio::select! {
            () = sleep(interval) => {}
            // the sender outlives its receivers
            _ = stopped.wait_for(|stopped| *stopped) => return,
        }
        if let Err(error) = beat(&shared).await {
            tracing::warn!(%error, "other processes cannot be told that this one lives");
        }
        if let Err(error) = shared.ledger.keep_alive(EXPORT_INTERVAL).await {
            tracing::warn!(%error, "clients cannot be told that their exports live");
        }
    }
}

/// Says it once.
pub(super) async fn beat(shared: &ServiceShared) -> Result<(), StoreError> {
    shared.ledger.beat(shared.settings.lease / SHARE, shared.clock.now()).await
}
