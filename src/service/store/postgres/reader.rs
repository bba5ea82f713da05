//! Reads. All that wait are answered by one statement, if it finds all that they look at: one statement sees the rows
//! of one moment. Those that look further are answered within a transaction that does.

use std::sync::Arc;

use tokio::sync::{Mutex, mpsc, oneshot};

use super::super::StoreError;
use super::super::replay::{MissingRows, ReplayView, RowsRead};
use super::super::rows::{RowChanges, RowRead};
use super::session::{Connector, PostgresSession, SessionFailure, await_answer};

/// Most reads that are answered together, by one statement, and within one transaction.
const MAX_TOGETHER: usize = 256;
const MAX_DEEP: usize = 16;

const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// A read, and who waits for it.
pub(super) struct PooledRead {
    pub(super) read: RowRead,
    pub(super) answer: oneshot::Sender<Result<(), StoreError>>,
}

/// Reads that several tasks take from.
pub(super) type SharedReads = Arc<Mutex<mpsc::Receiver<PooledRead>>>;

pub(super) fn shared(waiting: mpsc::Receiver<PooledRead>) -> SharedReads {
    Arc::new(Mutex::new(waiting))
}

/// A task's own connection, made anew when it has broken.
struct ReadConnection {
    connector: Arc<Connector>,
    session: Option<PostgresSession>,
}

impl ReadConnection {
    async fn session(&mut self) -> Result<&PostgresSession, SessionFailure> {
        let session = match self.session.take().filter(|session| !session.is_broken()) {
            Some(session) => session,
            None => self.connector.connect().await?,
        };
        Ok(self.session.insert(session))
    }
}

/// Answers what one statement can answer, and passes the rest on.
pub(super) async fn quick(connector: Arc<Connector>, waiting: SharedReads, deeper: mpsc::Sender<PooledRead>) {
    let mut line = ReadConnection { connector, session: None };
    loop {
        let mut readings = take_readings(&waiting, MAX_TOGETHER).await;
        if readings.is_empty() {
            return;
        }
        let mut known = RowsRead::default();
        let missing = answer_known(&mut readings, &known);
        if readings.is_empty() {
            continue;
        }
        if let Err(failure) = once(&mut line, missing, &mut known).await {
            fail_readings(readings, &failure);
            line.session = None;
            continue;
        }
        answer_known(&mut readings, &known);
        for reading in readings {
            // the other end is there as long as this task
            let _ = deeper.send(reading).await;
        }
    }
}

/// One statement. A connection that has broken while it was idle is no reason to fail.
async fn once(line: &mut ReadConnection, missing: MissingRows, known: &mut RowsRead) -> Result<(), SessionFailure> {
    let had_one = line.session.is_some();
    match line.session().await?.fetch(missing.clone(), known).await {
        Err(SessionFailure::Broken(_)) if had_one => {
            line.session = None;
            line.session().await?.fetch(missing, known).await
        }
        fetched => fetched,
    }
}

/// Answers what takes several statements.
pub(super) async fn deep(connector: Arc<Connector>, waiting: SharedReads) {
    let mut line = ReadConnection { connector, session: None };
    loop {
        let mut readings = take_readings(&waiting, MAX_DEEP).await;
        if readings.is_empty() {
            return;
        }
        if let Err(failure) = within(&mut line, &mut readings).await {
            fail_readings(readings, &failure);
            line.session = None;
        }
    }
}

async fn within(line: &mut ReadConnection, readings: &mut Vec<PooledRead>) -> Result<(), SessionFailure> {
    let mut known = RowsRead::default();
    let mut missing = answer_known(readings, &known);
    if readings.is_empty() {
        return Ok(());
    }
    let session = line.session().await?;
    let mut begin = Some(BEGIN);
    while !readings.is_empty() {
        let begun = async {
            match begin.take() {
                Some(begin) => await_answer(session.client.batch_execute(begin)).await,
                None => Ok(()),
            }
        };
        // both are sent at once
        tokio::try_join!(biased; begun, session.fetch(missing, &mut known))?;
        missing = answer_known(readings, &known);
    }
    await_answer(session.client.batch_execute("COMMIT")).await
}

/// Runs reads over the rows that are known: those that lack none are answered and go, the others stay.
fn answer_known(readings: &mut Vec<PooledRead>, known: &RowsRead) -> MissingRows {
    let (over, mut missing) = (RowChanges::new(), MissingRows::default());
    let mut left = Vec::new();
    for mut reading in readings.drain(..) {
        let view = ReplayView::new(known, &over);
        let result = (reading.read)(&view);
        let lacks = view.into_missing();
        if lacks.is_empty() {
            // a caller that went away does not wait for its answer
            let _ = reading.answer.send(result);
        } else if !reading.answer.is_closed() {
            missing.merge(lacks);
            left.push(reading);
        }
    }
    *readings = left;
    missing
}

/// The reads that wait; none when there will be no more.
async fn take_readings(waiting: &SharedReads, most: usize) -> Vec<PooledRead> {
    let (mut readings, mut waiting) = (Vec::new(), waiting.lock().await);
    waiting.recv_many(&mut readings, most).await;
    // those of requests that are there already share the round trip: it costs more than their turn
    tokio::task::yield_now().await;
    while readings.len() < most
        && let Ok(reading) = waiting.try_recv()
    {
        readings.push(reading);
    }
    readings
}

fn fail_readings(readings: Vec<PooledRead>, failure: &SessionFailure) {
    for reading in readings {
        let _ = reading.answer.send(Err(StoreError::Unavailable(failure.to_string())));
    }
}
