//! What happens elsewhere: changes by other processes wake those who wait for them here, and the clocks follow that of
//! the database, so that leases and dates mean the same to all processes, whatever their machines' clocks show.
//!
//! Nothing relies on a change being heard: all who wait look again now and then.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::poll_fn;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};
use tokio_postgres::{AsyncMessage, Client};

use super::super::time::{StoreClock, Time};
use super::super::watch::Watches;
use super::session::{Connector, SessionFailure, Wire, await_answer};

/// Where changes are told.
pub(super) const CHANNEL: &str = "offprint";
/// Longest message, bytes: the server takes 8000.
const MAX_PAYLOAD: usize = 7900;
/// How often the clock is compared, and the connection tried.
const CLOCK_INTERVAL: Duration = Duration::from_secs(10);
/// How long after a failure to listen again.
const RETRY_DELAY: Duration = Duration::from_secs(1);

const NOW: &str = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint";

/// Messages that tell the ids of records, as few as they fit into.
pub(super) fn payloads<'a>(ids: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut ids: Vec<&str> = ids.map(String::as_str).filter(|id| id.len() <= MAX_PAYLOAD).collect();
    ids.sort_unstable();
    ids.dedup();
    let mut payloads: Vec<String> = Vec::new();
    for id in ids {
        match payloads.last_mut() {
            Some(last) if last.len() + 1 + id.len() <= MAX_PAYLOAD => {
                last.push('\n');
                last.push_str(id);
            }
            _ => payloads.push(id.to_owned()),
        }
    }
    payloads
}

/// A connection that hears what others tell.
pub(super) struct NotifyListener {
    client: Client,
    /// Moves its bytes; ends with the client.
    task: JoinHandle<()>,
}

impl NotifyListener {
    /// Listens, and sets the clock by that of the database.
    pub(super) async fn start(
        connector: &Connector,
        watches: &Watches,
        clock: &StoreClock,
    ) -> Result<Self, SessionFailure> {
        let (client, task) = connector.bare(|wire| tokio::spawn(pass_on(wire, watches.clone()))).await?;
        await_answer(client.batch_execute(&format!("LISTEN {CHANNEL}"))).await?;
        compare_clocks(&client, clock).await?;
        Ok(Self { client, task })
    }

    /// Listens until the connection ends.
    async fn follow(mut self, clock: &StoreClock) -> SessionFailure {
        loop {
            if timeout(CLOCK_INTERVAL, &mut self.task).await.is_ok() {
                return SessionFailure::Broken("the connection to the database has ended".to_owned());
            }
            if let Err(failure) = compare_clocks(&self.client, clock).await {
                return failure;
            }
        }
    }
}

/// Listens until it is dropped, over other connections when one has ended.
pub(super) async fn run_listener(
    first: NotifyListener,
    connector: Arc<Connector>,
    watches: Watches,
    clock: StoreClock,
) {
    let mut listener = Some(first);
    loop {
        let failure = match listener.take() {
            Some(listener) => listener.follow(&clock).await,
            None => match NotifyListener::start(&connector, &watches, &clock).await {
                Ok(started) => {
                    listener = Some(started);
                    // what has happened meanwhile was not heard
                    watches.wake_all();
                    continue;
                }
                Err(failure) => failure,
            },
        };
        tracing::warn!(%failure, "changes by other processes are not heard for a while");
        sleep(RETRY_DELAY).await;
    }
}

/// Sets a clock, and that of dates, by that of the database.
async fn compare_clocks(client: &Client, clock: &StoreClock) -> Result<(), SessionFailure> {
    let sent_at = Instant::now();
    let row = await_answer(client.query_one(NOW, &[])).await?;
    // half of the round trip has passed since; what is wrong about that is less than the round trip
    let micros: i64 = row.try_get(0)?;
    let now = Time::from_micros(u64::try_from(micros).unwrap_or_default()).plus(sent_at.elapsed() / 2);
    clock.set(now);
    Time::follow(now);
    Ok(())
}

/// Moves the bytes of a connection, and wakes those who wait for what the server tells by itself.
async fn pass_on(mut wire: Wire, watches: Watches) {
    let mut messages = poll_fn(|cx| wire.poll_message(cx));
    while let Some(Ok(message)) = messages.next().await {
        if let AsyncMessage::Notification(notification) = message
            && notification.channel() == CHANNEL
        {
            watches.wake(notification.payload().lines());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_fit_and_tell_every_id_once() {
        let ids: Vec<String> = (0..2000).chain(0..2000).map(|n| format!("se_{n:024}")).collect();
        let payloads = payloads(ids.iter());
        assert!(payloads.len() > 1 && payloads.iter().all(|payload| payload.len() <= MAX_PAYLOAD));
        let mut notified: Vec<&str> = payloads.iter().flat_map(|payload| payload.lines()).collect();
        notified.sort_unstable();
        assert_eq!(notified, ids[..2000].iter().map(String::as_str).collect::<Vec<_>>());
    }
}
