//! Transactions: all that wait are one transaction of the database, each seeing what those before it have changed.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep};
use tokio_postgres::Statement;

use super::super::StoreError;
use super::super::replay::{RowsRead, TransactionBatch};
use super::super::rows::{RowChanges, Write};
use super::flusher::Committed;
use super::listener::{CHANNEL, payloads};
use super::reconnect::{ConnectionId, RECONNECT_INTERVAL, RECONNECT_PATIENCE, random_id};
use super::session::{Connector, PostgresSession, SessionFailure, await_answer};

/// Most transactions that become one.
const MAX_BATCH_TRANSACTIONS: usize = 256;
/// How often one is tried that conflicts with others, and how long after each time at most.
const MAX_CONFLICTS: u32 = 12;
const MAX_CONFLICT_PAUSE: Duration = Duration::from_millis(200);

/// What a transaction writes need not be on the disk before the next one begins: the flusher waits for that.
const SETTINGS: &str = "SET synchronous_commit = off";
const BEGIN: &str = "BEGIN ISOLATION LEVEL SERIALIZABLE; LOCK TABLE offprint_turn IN EXCLUSIVE MODE";
const BEGIN_WITHOUT_LOCK: &str = "BEGIN ISOLATION LEVEL SERIALIZABLE";

const UPSERT: &str = "
    INSERT INTO offprint_rows (key, value) SELECT * FROM unnest($1::bytea[], $2::bytea[])
    ON CONFLICT (key) DO UPDATE SET value = excluded.value";
const DELETE: &str = "DELETE FROM offprint_rows WHERE key = ANY($1)";
const NUMBER: &str = "
    INSERT INTO offprint_writers (id, number, seen) VALUES ($1, $2, now())
    ON CONFLICT (id) DO UPDATE SET number = excluded.number, seen = excluded.seen";
const NOTIFY: &str = "SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload";
/// Waits for a commit of the same process that is still under way, and makes one that arrives later fail.
const ENTER: &str = "
    INSERT INTO offprint_writers (id, number, seen) VALUES ($1, 0, now())
    ON CONFLICT (id) DO UPDATE SET seen = now() RETURNING number";
const FORGET: &str = "DELETE FROM offprint_writers WHERE seen < now() - interval '1 day'";

/// A transaction, and who waits for it.
pub(super) struct Writing {
    pub(super) write: Write,
    pub(super) answer: oneshot::Sender<Result<Vec<String>, StoreError>>,
}

type Results = Vec<Result<Vec<String>, StoreError>>;

/// Writes until no caller is left. How transactions ended is told by who makes them durable.
pub(super) async fn run_writer(
    connector: Arc<Connector>,
    first: PostgresSession,
    mut waiting: mpsc::Receiver<Writing>,
    committed: mpsc::Sender<Committed>,
) {
    let mut writer = PostgresWriter { connector, last: None, line: None, spare: Some(first) };
    let mut batch = Vec::with_capacity(MAX_BATCH_TRANSACTIONS);
    while waiting.recv_many(&mut batch, MAX_BATCH_TRANSACTIONS).await > 0 {
        let (mut writes, answers): (Vec<_>, Vec<_>) =
            batch.drain(..).map(|writing| (writing.write, writing.answer)).unzip();
        match writer.write(&mut writes).await {
            Ok(WrittenBatch { id, number, results }) => {
                let answers = answers.into_iter().zip(results).collect();
                // the other end is there as long as this task
                let _ = committed.send(Committed { id, number, answers }).await;
            }
            Err(failure) => {
                tracing::error!(%failure, "the store cannot write");
                for answer in answers {
                    // a caller that went away does not wait for its answer
                    let _ = answer.send(Err(StoreError::Unavailable(failure.to_string())));
                }
            }
        }
    }
}

/// What was kept, by which transaction of which connection.
struct WrittenBatch {
    id: ConnectionId,
    number: i64,
    results: Results,
}

struct PostgresWriter {
    connector: Arc<Connector>,
    /// The connection that was there last.
    last: Option<ConnectionId>,
    line: Option<WriteConnection>,
    /// A connection that was made before.
    spare: Option<PostgresSession>,
}

/// A connection with the statements of a writer.
struct WriteConnection {
    session: PostgresSession,
    id: ConnectionId,
    /// Of the last transaction that was kept.
    written: i64,
    upsert: Statement,
    delete: Statement,
    number: Statement,
    notify: Statement,
}

/// How an attempt went wrong.
struct FailedAttempt {
    failure: SessionFailure,
    /// What is so if it was kept all the same: not known until the next connection says so.
    unsure: Option<WrittenBatch>,
}

impl From<SessionFailure> for FailedAttempt {
    fn from(failure: SessionFailure) -> Self {
        Self { failure, unsure: None }
    }
}

impl PostgresWriter {
    /// Writes transactions, after conflicts and over a new connection if need be.
    async fn write(&mut self, writes: &mut [Write]) -> Result<WrittenBatch, SessionFailure> {
        let (mut conflicts, mut takes_lock) = (0, true);
        let mut unsure: Option<WrittenBatch> = None;
        let end = Instant::now() + RECONNECT_PATIENCE;
        loop {
            let had_line = self.line.is_some();
            let failure = match self.line().await {
                Err(failure) => failure,
                Ok(last) => {
                    if let Some(batch) = unsure.take().filter(|batch| last.is_some_and(|last| last >= batch.number)) {
                        return Ok(batch);
                    }
                    match self.attempt(writes, takes_lock).await {
                        Ok(batch) => return Ok(batch),
                        Err(failed) => {
                            unsure = failed.unsure;
                            failed.failure
                        }
                    }
                }
            };
            match failure {
                SessionFailure::Conflict(_) if conflicts < MAX_CONFLICTS => {
                    conflicts += 1;
                    metrics::counter!("offprint_store_conflicts_total").increment(1);
                    self.roll_back().await;
                    sleep(pause(conflicts)).await;
                }
                SessionFailure::Locked if takes_lock => {
                    takes_lock = false;
                    self.roll_back().await;
                }
                SessionFailure::Broken(_) if Instant::now() < end => {
                    self.line = None;
                    // one that broke while it was idle is replaced at once
                    if !had_line {
                        sleep(RECONNECT_INTERVAL).await;
                    }
                }
                failure => {
                    self.line = None;
                    return Err(failure);
                }
            }
        }
    }

    /// Sees to it that there is a connection. If it is a new one, tells the number of the last transaction that was
    /// kept of the one before it.
    async fn line(&mut self) -> Result<Option<i64>, SessionFailure> {
        if self.line.as_ref().is_some_and(|line| !line.session.is_broken()) {
            return Ok(None);
        }
        self.line = None;
        let session = match self.spare.take() {
            Some(session) => session,
            None => self.connector.connect().await?,
        };
        let client = &session.client;
        let entered = match self.last {
            None => None,
            Some(last) => Some(await_answer(client.query_one(ENTER, &[&last.as_slice()])).await?.try_get(0)?),
        };
        let Some(id) = random_id() else {
            return Err(SessionFailure::Refused("there are no random numbers".to_owned()));
        };
        let prepared = async {
            tokio::try_join!(
                client.prepare(UPSERT),
                client.prepare(DELETE),
                client.prepare(NUMBER),
                client.prepare(NOTIFY),
                async { client.query_one(ENTER, &[&id.as_slice()]).await },
                client.execute(FORGET, &[]),
                client.batch_execute(SETTINGS),
            )
        };
        let (upsert, delete, number, notify, ..) = await_answer(prepared).await?;
        self.last = Some(id);
        self.line = Some(WriteConnection { session, id, written: 0, upsert, delete, number, notify });
        Ok(entered)
    }

    /// Runs transactions as one.
    async fn attempt(&mut self, writes: &mut [Write], takes_lock: bool) -> Result<WrittenBatch, FailedAttempt> {
        let Some(line) = &mut self.line else {
            return Err(SessionFailure::Broken("there is no connection".to_owned()).into());
        };
        let mut known = RowsRead::default();
        let mut batch = TransactionBatch::new(writes);
        // first without any rows, to learn which are needed
        let missing = batch.run(&known);
        let client = &line.session.client;
        let begin = await_answer(client.batch_execute(if takes_lock { BEGIN } else { BEGIN_WITHOUT_LOCK }));
        if missing.is_empty() {
            begin.await?;
        } else {
            // both are sent at once
            let (begun, fetched) = tokio::join!(biased; begin, line.session.fetch(missing, &mut known));
            begun?;
            fetched?;
        }
        loop {
            let missing = batch.run(&known);
            if missing.is_empty() {
                break;
            }
            line.session.fetch(missing, &mut known).await?;
        }
        let (changes, results) = batch.end();
        // one that changes nothing has a number, too: what it has seen may be undone
        let (id, number) = (line.id, line.written + 1);
        match line.commit(number, &changes, &results).await {
            Ok(()) => {
                line.written = number;
                Ok(WrittenBatch { id, number, results })
            }
            Err(failure @ SessionFailure::Broken(_)) => {
                Err(FailedAttempt { failure, unsure: Some(WrittenBatch { id, number, results }) })
            }
            Err(failure) => Err(failure.into()),
        }
    }

    /// Ends a transaction that has failed; a connection that cannot do that is of no use.
    async fn roll_back(&mut self) {
        if let Some(line) = &self.line
            && await_answer(line.session.client.batch_execute("ROLLBACK")).await.is_err()
        {
            self.line = None;
        }
    }
}

impl WriteConnection {
    /// Writes changes and ends the transaction: all of it is sent at once. If any part fails, the end is none either.
    async fn commit(&self, number: i64, changes: &RowChanges, results: &Results) -> Result<(), SessionFailure> {
        let client = &self.session.client;
        let (mut keys, mut values, mut gone) = (Vec::new(), Vec::new(), Vec::new());
        for (key, value) in changes {
            match value {
                Some(value) => {
                    keys.push(key.as_bytes());
                    values.push(value.as_slice());
                }
                None => gone.push(key.as_bytes()),
            }
        }
        let payloads = payloads(results.iter().flatten().flatten());
        let upsert =
            async { if keys.is_empty() { Ok(0) } else { client.execute(&self.upsert, &[&keys, &values]).await } };
        let delete = async { if gone.is_empty() { Ok(0) } else { client.execute(&self.delete, &[&gone]).await } };
        let notify = async {
            if payloads.is_empty() { Ok(0) } else { client.execute(&self.notify, &[&CHANNEL, &payloads]).await }
        };
        let ended = async {
            let number = async { client.execute(&self.number, &[&self.id.as_slice(), &number]).await };
            Ok::<_, SessionFailure>(
                tokio::join!(biased; upsert, delete, number, notify, client.batch_execute("COMMIT")),
            )
        };
        let (upserted, deleted, numbered, notified, committed) = await_answer(ended).await?;
        // the first failure is the cause; the others are that of a transaction that has failed already
        for done in [upserted, deleted, numbered, notified] {
            done?;
        }
        committed?;
        Ok(())
    }
}

/// A random time that grows with each conflict.
fn pause(conflicts: u32) -> Duration {
    let most = Duration::from_millis(2_u64 << conflicts.min(10)).min(MAX_CONFLICT_PAUSE);
    let mut byte = [128];
    // without random numbers all wait equally long
    let _ = getrandom::fill(&mut byte);
    most.mul_f64(f64::from(byte[0]) / 255.0)
}
