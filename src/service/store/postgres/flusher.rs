//! Makes transactions durable, and then tells their callers.
//!
//! A transaction that waits for the disk while it holds the lock keeps all processes waiting. So the writer's commits do
//! not wait ("synchronous_commit = off"), and the next batch runs while the one before is on its way to the disk. What
//! the writer commits comes here; a small transaction that does wait makes durable all that was committed before it, at
//! replicas too where the server waits for them. Only then callers learn how theirs ended.

use std::collections::HashMap;
use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep};
use tokio_postgres::Statement;

use super::super::StoreError;
use super::reconnect::{ConnectionId, RECONNECT_INTERVAL, RECONNECT_PATIENCE, random_id};
use super::session::{Connector, PostgresSession, SessionFailure, await_answer};

/// Most batches that become durable together, which is also how many the writer may be ahead.
pub(super) const MAX_BATCHES: usize = 64;

/// Waits for the disk, and tells how far each writer's transactions are kept.
const FLUSH: &str = "
    WITH flushed AS (
        INSERT INTO offprint_writers (id, number, seen) VALUES ($1, 0, now())
        ON CONFLICT (id) DO UPDATE SET seen = excluded.seen
    )
    SELECT id, number FROM offprint_writers WHERE id = ANY($2)";

/// A batch of transactions that is committed, and perhaps not durable.
pub(super) struct Committed {
    /// The writer's connection, and the number of the newest transaction that the batch has written or seen.
    pub(super) id: ConnectionId,
    pub(super) number: i64,
    pub(super) answers: Vec<FlushWaiter>,
}

/// Who waits for a transaction, and how it ended.
pub(super) type FlushWaiter = (oneshot::Sender<Result<Vec<String>, StoreError>>, Result<Vec<String>, StoreError>);

/// Answers callers until there is no writer.
pub(super) async fn run_flusher(connector: Arc<Connector>, mut waiting: mpsc::Receiver<Committed>) {
    let Some(id) = random_id() else { return };
    let mut flusher = Flusher { connector, id, line: None };
    let mut batches = Vec::with_capacity(MAX_BATCHES);
    while waiting.recv_many(&mut batches, MAX_BATCHES).await > 0 {
        let flushed = flusher.flush(&batches).await;
        if let Err(failure) = &flushed {
            tracing::error!(%failure, "the store cannot tell what it has kept");
        }
        for batch in batches.drain(..) {
            let lost = match &flushed {
                Ok(numbers) if numbers.get(&batch.id).is_some_and(|number| *number >= batch.number) => None,
                Ok(_) => Some("the database stopped before it had kept the change".to_owned()),
                Err(failure) => Some(failure.to_string()),
            };
            for (answer, result) in batch.answers {
                // a caller that went away does not wait for its answer
                let _ = answer.send(lost.clone().map_or(result, |cause| Err(StoreError::Unavailable(cause))));
            }
        }
    }
}

struct Flusher {
    connector: Arc<Connector>,
    id: ConnectionId,
    line: Option<(PostgresSession, Statement)>,
}

impl Flusher {
    /// Waits until batches are durable, over a new connection if need be. Tells the newest number of each writer that
    /// is: one that is missing has been lost by a server that crashed.
    async fn flush(&mut self, batches: &[Committed]) -> Result<HashMap<ConnectionId, i64>, SessionFailure> {
        let mut writers: Vec<&[u8]> = batches.iter().map(|batch| batch.id.as_slice()).collect();
        writers.dedup();
        let end = Instant::now() + RECONNECT_PATIENCE;
        loop {
            let had_line = self.line.is_some();
            match self.attempt(&writers).await {
                Err(SessionFailure::Broken(_) | SessionFailure::Conflict(_)) if Instant::now() < end => {
                    self.line = None;
                    // one that broke while it was idle is replaced at once
                    if !had_line {
                        sleep(RECONNECT_INTERVAL).await;
                    }
                }
                Err(failure) => {
                    self.line = None;
                    return Err(failure);
                }
                Ok(numbers) => return Ok(numbers),
            }
        }
    }

    async fn attempt(&mut self, writers: &[&[u8]]) -> Result<HashMap<ConnectionId, i64>, SessionFailure> {
        let (session, flush) = match self.line.take().filter(|(session, _)| !session.is_broken()) {
            Some(line) => self.line.insert(line),
            None => {
                let session = self.connector.connect().await?;
                let flush = await_answer(session.client.prepare(FLUSH)).await?;
                self.line.insert((session, flush))
            }
        };
        let rows = await_answer(session.client.query(&*flush, &[&self.id.as_slice(), &writers])).await?;
        let numbers = rows.iter().map(|row| {
            let id = ConnectionId::try_from(row.try_get::<_, &[u8]>(0)?).unwrap_or_default();
            Ok((id, row.try_get(1)?))
        });
        numbers.collect()
    }
}
