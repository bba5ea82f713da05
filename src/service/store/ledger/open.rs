//! How a ledger is opened over each back end, and which URLs are those of one. A new back end is a line here.

use std::path::Path;
use std::sync::Arc;

use tokio::task::spawn_blocking;

use super::super::StoreError;
use super::super::durable::Durable;
use super::super::memory::MemoryStore;
use super::super::postgres::Postgres;
use super::super::record::new_id;
use super::super::rows::Backend;
use super::super::time::Time;
use super::super::watch::Watches;
use super::{Ledger, ledger_unavailable};

impl Ledger {
    /// A ledger in memory, whose content ends with the process.
    pub fn in_memory() -> Self {
        Self::over(MemoryStore::default(), Watches::default())
    }

    /// A ledger in a file, which this process has to itself: what was running when the last one died is taken back at
    /// once.
    ///
    /// # Errors
    /// The file cannot be made or read, or another process has it.
    pub async fn open(file: &Path, now: Time) -> Result<Self, StoreError> {
        let file = file.to_owned();
        let rows = spawn_blocking(move || Durable::open(&file)).await.map_err(ledger_unavailable)??;
        let ledger = Self::over(rows, Watches::default());
        ledger.reclaim(now).await?;
        Ok(ledger)
    }

    /// A ledger in a PostgreSQL database, which any number of processes share. What others run goes on.
    ///
    /// # Errors
    /// The database cannot be reached for half a minute, or its tables are none that this program can use.
    pub async fn connect(url: &str) -> Result<Self, StoreError> {
        let watches = Watches::default();
        let rows = Postgres::open(url, watches.clone()).await?;
        Ok(Self::over(rows, watches))
    }

    /// Whether a URL is one for [`Ledger::connect`].
    ///
    /// # Errors
    /// What is wrong with it, without repeating it.
    pub fn check_url(url: &str) -> Result<(), String> {
        Postgres::check_url(url)
    }

    fn over(rows: impl Backend + 'static, watches: Watches) -> Self {
        let node = rows.is_shared().then(|| new_id("node_").into());
        Self { rows: Arc::new(rows), watches, failed: Arc::default(), node }
    }
}
