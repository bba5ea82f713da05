//! The tables, and their version. One process at a time changes them; all others wait for it.
//!
//! A process says which version it knows, and a version says from which one on a process can use it, so that processes
//! of two versions can share a database while one replaces the other.

use tokio_postgres::{Client, IsolationLevel};

use super::session::{SessionFailure, await_answer};

/// The steps from nothing to the newest version. Never changed once they have been released; a new version is a new
/// step.
const STEPS: [SchemaStep; 1] = [SchemaStep {
    // keys are bytes: they hold zeros, which no text may, and sort as here. Rows change all the time, some of them with
    // every transaction, so a page keeps space for their next versions, and dead ones go soon
    sql: "
        CREATE TABLE IF NOT EXISTS offprint_rows (key bytea PRIMARY KEY, value bytea NOT NULL)
            WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000,
                autovacuum_vacuum_cost_delay = 0);
        CREATE TABLE IF NOT EXISTS offprint_turn ();
        CREATE TABLE IF NOT EXISTS offprint_writers (id bytea PRIMARY KEY, number bigint NOT NULL, seen timestamptz NOT NULL)
            WITH (fillfactor = 20);
    ",
    usable_from: 1,
}];

/// The table of the version, which says 0 where there are no other tables.
const FIRST: &str = "
    CREATE TABLE IF NOT EXISTS offprint_schema (version integer NOT NULL, usable_from integer NOT NULL);
    INSERT INTO offprint_schema SELECT 0, 0 WHERE NOT EXISTS (SELECT FROM offprint_schema);
";

/// One step.
struct SchemaStep {
    sql: &'static str,
    /// The oldest version whose programs can use what this step leaves.
    usable_from: i32,
}

/// What the lock of migrations is called: any number that is always the same.
const LOCK: i64 = 0x6f66_6670_7269_6e74;

/// Brings the tables to the newest version that this program knows, or says why it cannot use them.
pub(super) async fn prepare_tables(client: &mut Client) -> Result<(), SessionFailure> {
    if table_version(client).await? == Some(newest()) {
        return Ok(());
    }
    // waiting for another process takes as long as its changes do
    await_answer(client.batch_execute("SET lock_timeout = 0; SET statement_timeout = 0")).await?;
    let changed = migrate_tables(client).await;
    await_answer(client.batch_execute("SET lock_timeout = '2s'; SET statement_timeout = '6s'")).await?;
    changed
}

async fn migrate_tables(client: &mut Client) -> Result<(), SessionFailure> {
    // each statement sees what others have committed while this one waited, whatever the database's own default is
    let transaction = client.build_transaction().isolation_level(IsolationLevel::ReadCommitted).start().await?;
    transaction.execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK]).await?;
    // Whether there is a table is not asked for here: the server remembers that there was none, and a lock that is not
    // one of a table makes it look no more.
    transaction.batch_execute(FIRST).await?;
    let at = known_version(transaction.client()).await?;
    let done = usize::try_from(at).unwrap_or_default();
    for (step, version) in STEPS.iter().skip(done).zip(at + 1..) {
        transaction.batch_execute(step.sql).await?;
        transaction
            .execute("UPDATE offprint_schema SET version = $1, usable_from = $2", &[&version, &step.usable_from])
            .await?;
    }
    transaction.commit().await?;
    if at < newest() {
        tracing::info!(from = at, to = newest(), "the tables of the database are prepared");
    }
    Ok(())
}

/// The version of the tables, `None` if there are none.
async fn table_version(client: &Client) -> Result<Option<i32>, SessionFailure> {
    let row = await_answer(client.query_one("SELECT to_regclass('offprint_schema') IS NOT NULL", &[])).await?;
    if !row.try_get::<_, bool>(0)? {
        return Ok(None);
    }
    known_version(client).await.map(Some)
}

/// The version that the tables have. One that this program cannot use is a failure.
async fn known_version(client: &Client) -> Result<i32, SessionFailure> {
    let row = await_answer(client.query_one("SELECT version, usable_from FROM offprint_schema", &[])).await?;
    let (version, usable_from): (i32, i32) = (row.try_get(0)?, row.try_get(1)?);
    if usable_from > newest() {
        return Err(SessionFailure::Unfit(format!(
            "the tables of the database have version {version}, this program knows versions up to {}: \
             use the program that made them, or a newer one",
            newest()
        )));
    }
    // a newer one that this program can use stays as it is
    Ok(version.clamp(0, newest()))
}

fn newest() -> i32 {
    i32::try_from(STEPS.len()).unwrap_or(i32::MAX)
}
