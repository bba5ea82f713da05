//! Rows in PostgreSQL, which any number of processes share.
//!
//! 1. `address` says where the database is and how the way to it is protected (`tls`), `session` is a connection with
//!    its statements, `schema` makes the tables and knows their version.
//! 2. `reader` answers all reads that wait with one statement, `writer` writes all transactions that wait as one, and
//!    `flusher` answers their callers when they are durable; how long both replace a connection is said in `reconnect`.
//! 3. `listener` hears what other processes have changed, and what time it is at the database.
//!
//! Rules are synchronous functions over rows, stated once for all back ends. Here they are run again and again over the
//! rows that have been read so far, until they lack none (`replay`). That has three merits over asynchronous rules or a
//! blocked thread for each: no thread ever waits for the network; the rows that many rules lack are read together, so
//! the cost of a round trip is shared by all requests that wait; and memory and file call the same functions as before,
//! with nothing between.
//!
//! # Order of transactions
//!
//! Transactions are `SERIALIZABLE`, and that alone makes them correct. Nearly all of them change the same few rows
//! (counters, places in the queue), so they would mostly fail and be tried again; therefore each takes a lock on an
//! empty table first, which puts those of all processes in a row. The lock is part of the transaction: it ends with it,
//! or with the server's patience with a client that has gone silent. Who does not get it within two seconds goes on
//! without, and relies on `SERIALIZABLE`.
//!
//! # Durability
//!
//! The lock is not held while the disk is waited for: a transaction commits without waiting, and its caller is answered
//! when a later one that waits has come back. What is answered is durable. A read may see a change some milliseconds
//! earlier; if the server crashes just then, the change is undone, and its caller is told so and does it again.
//!
//! # A connection that breaks while it commits
//!
//! A transaction carries a number that grows, in a row of its connection. After a connection broke during a commit, the
//! next one reads that row: the number says whether the transaction was kept. It also writes the row, so that a commit
//! which is still on its way to the server can no longer succeed. By the same row `flusher` finds out what a server
//! that crashed has kept.

mod address;
mod flusher;
mod listener;
mod reader;
mod reconnect;
mod schema;
mod session;
mod tls;
mod writer;

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::StoreError;
use super::rows::{Backend, RowRead, Write};
use super::time::StoreClock;
use super::watch::Watches;
use address::DatabaseAddress;
use listener::NotifyListener;
use reader::PooledRead;
use session::{Connector, PostgresSession};
use writer::Writing;

/// Most reads, and most transactions, that wait; further callers wait for a place.
const MAX_BACKLOG: usize = 4096;
/// Connections for reads that one statement answers, and for others.
const QUICK_READERS: usize = 2;
const DEEP_READERS: usize = 2;
/// How long a start waits for a database that cannot be reached, and how often it tries.
const START_PATIENCE: Duration = Duration::from_secs(30);
const START_INTERVAL: Duration = Duration::from_millis(500);

/// The database. Its tasks end when it is dropped.
pub(super) struct Postgres {
    reads: mpsc::Sender<PooledRead>,
    writes: mpsc::Sender<Writing>,
    clock: StoreClock,
    _tasks: JoinSet<()>,
}

impl Postgres {
    /// Whether a URL is one of a database; if not, what is wrong with it.
    pub(super) fn check_url(url: &str) -> Result<(), String> {
        DatabaseAddress::parse(url).map(drop)
    }

    /// Takes a database by its URL, and makes the tables if they are not there.
    pub(super) async fn open(url: &str, watches: Watches) -> Result<Self, StoreError> {
        let address = DatabaseAddress::parse(url).map_err(StoreError::Unavailable)?;
        let connector = Arc::new(Connector::new(address));
        let session = first_session(&connector).await?;
        let clock = StoreClock::start();
        let listener = NotifyListener::start(&connector, &watches, &clock).await;
        let listener = listener.map_err(|failure| StoreError::Unavailable(failure.to_string()))?;
        let mut tasks = JoinSet::new();
        let (reads, quick) = mpsc::channel(MAX_BACKLOG);
        let (deeper, deep) = mpsc::channel(MAX_BACKLOG);
        let (quick, deep) = (reader::shared(quick), reader::shared(deep));
        for _ in 0..QUICK_READERS {
            tasks.spawn(reader::quick(Arc::clone(&connector), Arc::clone(&quick), deeper.clone()));
        }
        for _ in 0..DEEP_READERS {
            tasks.spawn(reader::deep(Arc::clone(&connector), Arc::clone(&deep)));
        }
        let (writes, waiting) = mpsc::channel(MAX_BACKLOG);
        let (committed, flushing) = mpsc::channel(flusher::MAX_BATCHES);
        tasks.spawn(writer::run_writer(Arc::clone(&connector), session, waiting, committed));
        tasks.spawn(flusher::run_flusher(Arc::clone(&connector), flushing));
        tasks.spawn(listener::run_listener(listener, connector, watches, clock.clone()));
        Ok(Self { reads, writes, clock, _tasks: tasks })
    }
}

impl Backend for Postgres {
    fn read(&self, read: RowRead) -> BoxFuture<'_, Result<(), StoreError>> {
        let (answer, answered) = oneshot::channel();
        Box::pin(async move {
            self.reads.send(PooledRead { read, answer }).await.map_err(|_| gone())?;
            answered.await.map_err(|_| gone())?
        })
    }

    fn write(&self, write: Write) -> BoxFuture<'_, Result<Vec<String>, StoreError>> {
        let (answer, answered) = oneshot::channel();
        Box::pin(async move {
            self.writes.send(Writing { write, answer }).await.map_err(|_| gone())?;
            answered.await.map_err(|_| gone())?
        })
    }

    fn clock(&self) -> StoreClock {
        self.clock.clone()
    }

    fn is_shared(&self) -> bool {
        true
    }
}

/// A first connection, with the tables as this program needs them. A database that is just starting is waited for.
async fn first_session(connector: &Connector) -> Result<PostgresSession, StoreError> {
    let end = Instant::now() + START_PATIENCE;
    loop {
        match connector.connect_with(schema::prepare_tables).await {
            Ok(session) => return Ok(session),
            Err(failure) if failure.is_final() || Instant::now() > end => {
                return Err(StoreError::Unavailable(failure.to_string()));
            }
            Err(failure) => tracing::warn!(%failure, "the database cannot be used yet"),
        }
        tokio::time::sleep(START_INTERVAL).await;
    }
}

fn gone() -> StoreError {
    StoreError::Unavailable("the store has stopped".to_owned())
}
