//! What every back end must do. Each function here runs on all of them.

mod agents;
mod connections;
mod deployments;
mod events;
mod exports;
mod lists;
mod nodes;
mod once;
mod postgres;
mod properties;
mod queue;
mod retention;
mod speed_tests;

use std::sync::Arc;
use std::time::Duration;

use super::work::{Exported, Unexported};
use super::*;

/// Runs contract functions on the back ends.
macro_rules! contract {
    ($($name:ident),* $(,)?) => {
        mod in_memory {
            $(#[tokio::test]
            async fn $name() {
                super::$name(crate::store::Ledger::in_memory()).await;
            })*
        }
        mod in_postgres {
            $(#[tokio::test]
            async fn $name() {
                super::$name(crate::store::contract::in_tables(concat!(module_path!(), stringify!($name))).await).await;
            })*
        }
        mod in_a_file {
            $(#[tokio::test]
            async fn $name() {
                let folder = tempfile::tempdir().unwrap();
                super::$name(crate::store::contract::opened(folder.path()).await).await;
            })*
        }
    };
}
use contract;

/// The caps of the contract's text.
const CAPS: Caps = Caps { running: 2, waiting: 20 };
const LEASE: Duration = Duration::from_secs(10);
const SECOND: Duration = Duration::from_secs(1);

async fn opened(folder: &std::path::Path) -> Ledger {
    Ledger::open(&folder.join("store"), at(0)).await.unwrap()
}

/// A ledger with tables of its own, in a process that lives as long as the test.
async fn in_tables(name: &str) -> Ledger {
    process(&postgres::url(name)).await
}

/// A process that lives as long as the test.
async fn process(url: &str) -> Ledger {
    let ledger = Ledger::connect(url).await.unwrap();
    ledger.beat(SECOND * 1_000_000, at(0)).await.unwrap();
    ledger
}

/// A moment, seconds after the tests began.
fn at(seconds: u64) -> Time {
    Time::from_micros(1_800_000_000_000_000).plus(SECOND * u32::try_from(seconds).unwrap())
}

fn job(organization: &str) -> ExportJob {
    ExportJob::new(organization, "docs", "docs.example", None, Vec::new())
}

async fn start(store: &Ledger, organization: &str) -> ExportJob {
    store.start_export(job(organization), CAPS, None, at(0)).await.unwrap()
}

/// Takes the next export; there must be one.
async fn claim(store: &Ledger, now: Time) -> Lease {
    store.claim(Lane::Build, LEASE, now).await.unwrap().expect("there is work").lease
}

async fn is_idle(store: &Ledger, now: Time) -> bool {
    store.claim(Lane::Build, LEASE, now).await.unwrap().is_none()
}

fn archive(name: char) -> ArchiveRecord {
    let digest = name.to_string().repeat(64);
    ArchiveRecord { key: digest.clone(), sha256: digest, size: 7 }
}

fn exported(name: char) -> WorkOutcome {
    let log = ExportLog::default();
    WorkOutcome::Export(Box::new(Ok(Exported { archive: archive(name), pages: 3, version: "v1".to_owned(), log })))
}

fn unexported(cause: &str) -> WorkOutcome {
    WorkOutcome::Export(Box::new(Err(Unexported::of(cause))))
}

async fn read(store: &Ledger, job: &ExportJob) -> ExportJob {
    store.export(&job.organization, &job.id).await.unwrap().expect("the job is there")
}
