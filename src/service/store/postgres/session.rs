//! A connection to the database, with its statements prepared.

use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Connection, NoTls, Row, Socket, Statement};

use super::super::replay::{MissingRows, RowsRead};
use super::address::DatabaseAddress;
use super::tls::Tls;

/// How long an answer may take: longer than the server lets a statement take.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(8);
/// After a failure, how long others fail at once instead of trying to connect, too.
const REST: Duration = Duration::from_millis(300);

/// What every connection sets. Rows are always found by their keys: the server must not decide on a walk over the table
/// because it was small when it looked last. Where it has to walk, its estimate is so high that it would compile the
/// statement first. A client that goes silent in a transaction holds a lock that others wait for, so the server's
/// patience is short.
const SETTINGS: &str = "
    SET plan_cache_mode = force_generic_plan;
    SET enable_seqscan = off;
    SET enable_bitmapscan = off;
    SET jit = off;
    SET statement_timeout = '6s';
    SET lock_timeout = '2s';
    SET idle_in_transaction_session_timeout = '4s';
";

const FETCH_KEYS: &str = "SELECT key, value FROM offprint_rows WHERE key = ANY($1)";
const FETCH: &str = "
    SELECT 0::bigint, key, value FROM offprint_rows WHERE key = ANY($1)
    UNION ALL
    SELECT page.number, found.key, found.value
    FROM unnest($2::bytea[], $3::bytea[], $4::bigint[]) WITH ORDINALITY AS page(low, high, most, number),
    LATERAL (
        SELECT key, value FROM offprint_rows WHERE key >= page.low AND key < page.high ORDER BY key LIMIT page.most
    ) AS found";

/// Makes connections.
pub(super) struct Connector {
    address: DatabaseAddress,
    /// When the last attempt failed, and how.
    failed: Mutex<Option<(Instant, String)>>,
}

/// A connection. Its task ends with it.
pub(super) struct PostgresSession {
    pub(super) client: Client,
    fetch_keys: Statement,
    fetch: Statement,
    task: JoinHandle<()>,
}

impl Drop for PostgresSession {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Why the database does not do what it is asked for.
#[derive(Debug)]
pub(super) enum SessionFailure {
    /// Others have changed what a transaction has read: nothing was kept, and it may be tried again.
    Conflict(String),
    /// Others hold the lock.
    Locked,
    /// The server refuses it, and nothing was kept.
    Refused(String),
    /// The connection has broken: what was being done may have been kept.
    Broken(String),
    /// This program and the database do not fit together.
    Unfit(String),
}

impl SessionFailure {
    /// Whether it is of no use to try again.
    pub(super) fn is_final(&self) -> bool {
        matches!(self, Self::Unfit(_))
    }
}

impl fmt::Display for SessionFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Locked => f.write_str("other processes do not let go of the lock"),
            Self::Conflict(cause) | Self::Refused(cause) | Self::Broken(cause) | Self::Unfit(cause) => {
                f.write_str(cause)
            }
        }
    }
}

impl From<tokio_postgres::Error> for SessionFailure {
    fn from(error: tokio_postgres::Error) -> Self {
        let Some(db_error) = error.as_db_error() else {
            let cause = error_with_causes(&error);
            return if is_distrusted(&error) { Self::Unfit(cause) } else { Self::Broken(cause) };
        };
        let cause = format!("the database says: {}", db_error.message());
        let code = db_error.code();
        if [&SqlState::T_R_SERIALIZATION_FAILURE, &SqlState::T_R_DEADLOCK_DETECTED].contains(&code) {
            Self::Conflict(cause)
        } else if *code == SqlState::LOCK_NOT_AVAILABLE {
            Self::Locked
        } else if ["28", "3D", "42"].iter().any(|class| code.code().starts_with(class)) {
            // no entry, no such database, no rights
            Self::Unfit(cause)
        } else if ["08", "57", "58", "XX", "25"].iter().any(|class| code.code().starts_with(class)) {
            // it stops, starts, gives up, or only reads: another connection is needed
            Self::Broken(cause)
        } else {
            Self::Refused(cause)
        }
    }
}

/// Whether the server has not proved who it is: to wait for it is of no use.
fn is_distrusted(error: &tokio_postgres::Error) -> bool {
    let cause = std::error::Error::source(error).and_then(|cause| cause.downcast_ref::<std::io::Error>());
    let cause = cause.and_then(|cause| cause.get_ref()?.downcast_ref::<rustls::Error>());
    matches!(cause, Some(rustls::Error::InvalidCertificate(_)))
}

/// An error with its causes; the outermost says little.
fn error_with_causes(error: &tokio_postgres::Error) -> String {
    let mut words = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        words = format!("{words}: {error}");
        cause = error.source();
    }
    words
}

/// Waits for an answer, as long as is reasonable.
pub(super) async fn await_answer<T, E: Into<SessionFailure>>(
    request: impl Future<Output = Result<T, E>>,
) -> Result<T, SessionFailure> {
    match timeout(ANSWER_TIMEOUT, request).await {
        Ok(answered) => answered.map_err(Into::into),
        Err(_) => Err(SessionFailure::Broken("the database does not answer".to_owned())),
    }
}

impl Connector {
    pub(super) fn new(address: DatabaseAddress) -> Self {
        Self { address, failed: Mutex::default() }
    }

    /// A connection with its statements. Shortly after a failure it fails at once.
    pub(super) async fn connect(&self) -> Result<PostgresSession, SessionFailure> {
        if let Some((when, cause)) = &*self.failed.lock().unwrap_or_else(PoisonError::into_inner)
            && when.elapsed() < REST
        {
            return Err(SessionFailure::Broken(cause.clone()));
        }
        self.connect_with(async |_| Ok(())).await
    }

    /// The same after something else has been done first.
    pub(super) async fn connect_with(
        &self,
        prepare: impl AsyncFnOnce(&mut Client) -> Result<(), SessionFailure>,
    ) -> Result<PostgresSession, SessionFailure> {
        let connected = self.try_connect(prepare).await;
        let failed = connected.as_ref().err().map(|failure| (Instant::now(), failure.to_string()));
        *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = failed;
        connected
    }

    async fn try_connect(
        &self,
        prepare: impl AsyncFnOnce(&mut Client) -> Result<(), SessionFailure>,
    ) -> Result<PostgresSession, SessionFailure> {
        let (mut client, task) = self
            .bare(|connection| {
                tokio::spawn(async move {
                    // its end is noticed by whoever uses the client
                    let _ = connection.run().await;
                })
            })
            .await?;
        prepare(&mut client).await?;
        let prepared =
            await_answer(async { tokio::try_join!(client.prepare(FETCH_KEYS), client.prepare(FETCH)) }).await;
        let (fetch_keys, fetch) = match prepared {
            Ok(statements) => statements,
            Err(failure) => {
                task.abort();
                return Err(failure);
            }
        };
        Ok(PostgresSession { client, fetch_keys, fetch, task })
    }

    /// A connection with its settings, without statements.
    pub(super) async fn bare<T>(&self, drive: impl FnOnce(Wire) -> T) -> Result<(Client, T), SessionFailure> {
        let config = &self.address.config;
        let (client, driven) = match &self.address.tls {
            None => {
                let (client, connection) = await_answer(config.connect(NoTls)).await?;
                (client, drive(Wire::Plain(Box::new(connection))))
            }
            Some(certificates) => {
                let tls = Tls::new(certificates.as_deref()).map_err(SessionFailure::Unfit)?;
                let (client, connection) = await_answer(config.connect(tls)).await?;
                (client, drive(Wire::Encrypted(Box::new(connection))))
            }
        };
        await_answer(client.batch_execute(SETTINGS)).await?;
        Ok((client, driven))
    }
}

/// What moves the bytes of a connection.
pub(super) enum Wire {
    Plain(Box<Connection<Socket, tokio_postgres::tls::NoTlsStream>>),
    Encrypted(Box<Connection<Socket, super::tls::Stream>>),
}

impl Wire {
    async fn run(self) -> Result<(), tokio_postgres::Error> {
        match self {
            Self::Plain(connection) => connection.await,
            Self::Encrypted(connection) => connection.await,
        }
    }

    /// The next message that the server sends by itself.
    pub(super) fn poll_message(
        &mut self,
        cx: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<tokio_postgres::AsyncMessage, tokio_postgres::Error>>> {
        match self {
            Self::Plain(connection) => connection.poll_message(cx),
            Self::Encrypted(connection) => connection.poll_message(cx),
        }
    }
}

impl PostgresSession {
    pub(super) fn is_broken(&self) -> bool {
        self.client.is_closed()
    }

    /// Reads rows with one statement, so as they are at one moment, and adds them to those that are known.
    pub(super) async fn fetch(&self, missing: MissingRows, known: &mut RowsRead) -> Result<(), SessionFailure> {
        let keys: Vec<&[u8]> = missing.keys().map(str::as_bytes).collect();
        let (mut low, mut high, mut most) = (Vec::new(), Vec::new(), Vec::new());
        for (page, to) in missing.pages() {
            low.push(page.from.as_bytes());
            high.push(to.as_bytes());
            most.push(i64::try_from(page.most).unwrap_or(i64::MAX));
        }
        let rows = if low.is_empty() {
            await_answer(self.client.query(&self.fetch_keys, &[&keys])).await?
        } else {
            let parameters: [&(dyn ToSql + Sync); 4] = [&keys, &low, &high, &most];
            await_answer(self.client.query(&self.fetch, &parameters)).await?
        };
        let (mut found, mut pages) = (HashMap::new(), vec![Vec::new(); low.len()]);
        let is_by_key = low.is_empty();
        for row in &rows {
            let (page, key, value) = if is_by_key { (0, 0, 1) } else { (number_column(row)?, 1, 2) };
            let (key, value) = (text_column(row, key)?, bytes(row, value)?.to_vec());
            match page.checked_sub(1).map(|page| pages.get_mut(page)) {
                None => drop(found.insert(key, value)),
                Some(Some(page)) => page.push((key, value)),
                Some(None) => {}
            }
        }
        // the server is free to return them in another order
        pages.iter_mut().for_each(|page| page.sort_unstable());
        known.add(missing, found, pages);
        Ok(())
    }
}

fn number_column(row: &Row) -> Result<usize, SessionFailure> {
    let number: i64 = row.try_get(0)?;
    Ok(usize::try_from(number).unwrap_or_default())
}

fn bytes(row: &Row, at: usize) -> Result<&[u8], SessionFailure> {
    Ok(row.try_get(at)?)
}

fn text_column(row: &Row, at: usize) -> Result<String, SessionFailure> {
    let key = bytes(row, at)?;
    String::from_utf8(key.to_vec()).map_err(|_| SessionFailure::Refused("a key is no text".to_owned()))
}
