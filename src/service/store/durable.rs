//! Rows in one file, which survives whatever ends the process. One thread writes: all transactions that wait are one
//! commit, and its callers go on when the disk has it. Reads see the last commit and wait for no writer.

use std::future::ready;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use redb::{Builder, Database, DatabaseError, ReadOnlyTable, ReadableDatabase as _, ReadableTable, TableDefinition};
use tokio::sync::{mpsc, oneshot};

use super::StoreError;
use super::rows::{Backend, RowChanges, RowRead, StoreRows, Transaction, Write};

const ROWS: TableDefinition<'static, &'static str, &'static [u8]> = TableDefinition::new("rows");

/// Most transactions of one commit.
const MAX_COMMIT_TRANSACTIONS: usize = 256;
/// Most transactions that wait for the writer; further callers wait for a place.
const MAX_WAITING_TRANSACTIONS: usize = 1024;
/// Memory for pages that were read or will be written, bytes.
const CACHE_BYTES: usize = 16 << 20;

/// How long to wait for the process before this one, and how often to look: one that was killed has the file until its
/// last thread is gone.
const LOCK_TIMEOUT: Duration = Duration::from_secs(5);
const LOCK_POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The file.
pub(super) struct Durable {
    open: Arc<OpenDatabase>,
    writer: mpsc::Sender<DurableJob>,
}

/// A transaction, to be run by the writer.
type DurableJob = Box<dyn FnOnce(&dyn StoreRows) -> (RowChanges, CommitNotice) + Send>;
/// Notifies the caller, after the commit; dropped without one.
type CommitNotice = Box<dyn FnOnce() + Send>;

/// The database, `None` while it could not be opened again after a failure of the disk.
struct OpenDatabase {
    opener: Opener,
    database: RwLock<Option<Database>>,
    /// The rows of the last commit, once they have been read: opening them takes longer than finding one.
    last: Mutex<Option<Arc<LastRows>>>,
}

type LastRows = ReadOnlyTable<&'static str, &'static [u8]>;

/// Opens the database, or makes it.
type Opener = Box<dyn Fn() -> Result<Database, StoreError> + Send + Sync>;

impl Durable {
    /// Opens the file, or makes it.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let path = path.to_owned();
        Self::start(Box::new(move || prepared(create_database(&path))))
    }

    fn start(opener: Opener) -> Result<Self, StoreError> {
        let database = RwLock::new(Some(opener()?));
        let open = Arc::new(OpenDatabase { opener, database, last: Mutex::default() });
        let (writer, waiting) = mpsc::channel(MAX_WAITING_TRANSACTIONS);
        let database = Arc::clone(&open);
        let thread = std::thread::Builder::new().name("store".to_owned()).spawn(move || database.write_all(waiting));
        thread.map_err(database_unavailable)?;
        Ok(Self { open, writer })
    }
}

impl Backend for Durable {
    fn read(&self, mut read: RowRead) -> BoxFuture<'_, Result<(), StoreError>> {
        // here and now: handing it to another thread takes longer than it does
        Box::pin(ready(self.open.read(&mut read)))
    }

    fn write(&self, mut write: Write) -> BoxFuture<'_, Result<Vec<String>, StoreError>> {
        let (sender, receiver) = oneshot::channel();
        let run: DurableJob = Box::new(move |rows| {
            let mut transaction = Transaction::new(rows);
            let result = write(&mut transaction);
            let (changes, touched) = if result.is_ok() { transaction.end() } else { Default::default() };
            let answer: CommitNotice = Box::new(move || {
                // a caller that went away does not wait for its answer
                let _ = sender.send(result.map(|()| touched));
            });
            (changes, answer)
        });
        let gone = || StoreError::Unavailable("nothing can be written".to_owned());
        Box::pin(async move {
            self.writer.send(run).await.map_err(|_| gone())?;
            receiver.await.map_err(|_| gone())?
        })
    }
}

impl OpenDatabase {
    fn read(&self, read: &mut RowRead) -> Result<(), StoreError> {
        let database = self.database.read().unwrap_or_else(PoisonError::into_inner);
        let database =
            database.as_ref().ok_or_else(|| StoreError::Unavailable("its file cannot be opened".to_owned()))?;
        let rows = self.last_rows(database)?;
        read(&Table(&*rows))
    }

    /// The rows as the last commit has left them. Opened under the lock that is taken when they are outdated, so none of
    /// an earlier commit can take their place.
    fn last_rows(&self, database: &Database) -> Result<Arc<LastRows>, StoreError> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(rows) = &*last {
            return Ok(Arc::clone(rows));
        }
        let transaction = database.begin_read().map_err(database_unavailable)?;
        let rows = Arc::new(transaction.open_table(ROWS).map_err(database_unavailable)?);
        *last = Some(Arc::clone(&rows));
        Ok(rows)
    }

    /// There are newer rows, or none that can be read.
    fn outdate_rows(&self) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Writes until no caller is left.
    fn write_all(&self, mut waiting: mpsc::Receiver<DurableJob>) {
        let mut batch = Vec::with_capacity(MAX_COMMIT_TRANSACTIONS);
        while let Some(first) = waiting.blocking_recv() {
            batch.push(first);
            while batch.len() < MAX_COMMIT_TRANSACTIONS
                && let Ok(next) = waiting.try_recv()
            {
                batch.push(next);
            }
            if let Err(error) = self.commit(batch.drain(..)) {
                tracing::error!(%error, "the store cannot write");
                self.open_again();
            }
        }
    }

    /// One commit of several transactions, each seeing those before it. Dropping an answer shows its caller that
    /// nothing was written.
    fn commit(&self, batch: impl Iterator<Item = DurableJob>) -> Result<(), StoreError> {
        let database = self.database.read().unwrap_or_else(PoisonError::into_inner);
        let Some(database) = database.as_ref() else {
            return Err(StoreError::Unavailable("its file cannot be opened".to_owned()));
        };
        let transaction = database.begin_write().map_err(database_unavailable)?;
        let mut answers = Vec::with_capacity(MAX_COMMIT_TRANSACTIONS);
        let mut is_changed = false;
        {
            let mut table = transaction.open_table(ROWS).map_err(database_unavailable)?;
            for write in batch {
                let (changes, answer) = write(&Table(&table));
                is_changed |= !changes.is_empty();
                for (key, value) in changes {
                    match value {
                        Some(value) => table.insert(key.as_str(), value.as_slice()).map_err(database_unavailable)?,
                        None => table.remove(key.as_str()).map_err(database_unavailable)?,
                    };
                }
                answers.push(answer);
            }
        }
        if is_changed {
            transaction.commit().map_err(database_unavailable)?;
            self.outdate_rows();
        } else {
            transaction.abort().map_err(database_unavailable)?;
        }
        answers.into_iter().for_each(|answer| answer());
        Ok(())
    }

    /// After a failure of the disk the database refuses everything until it is opened again: what was committed is
    /// there.
    fn open_again(&self) {
        let mut database = self.database.write().unwrap_or_else(PoisonError::into_inner);
        self.outdate_rows();
        drop(database.take());
        match (self.opener)() {
            Ok(opened) => *database = Some(opened),
            Err(error) => tracing::error!(%error, "the store cannot be opened again"),
        }
    }
}

fn database_settings() -> Builder {
    let mut settings = Database::builder();
    settings.set_cache_size(CACHE_BYTES);
    settings
}

/// Opens a file, or makes it.
fn create_database(path: &Path) -> Result<Database, DatabaseError> {
    let end = Instant::now() + LOCK_TIMEOUT;
    loop {
        match database_settings().create(path) {
            Err(DatabaseError::DatabaseAlreadyOpen) if Instant::now() < end => std::thread::sleep(LOCK_POLL_INTERVAL),
            opened => return opened,
        }
    }
}

/// A database with its table, which readers need.
fn prepared(opened: Result<Database, DatabaseError>) -> Result<Database, StoreError> {
    let database = opened.map_err(|error| match error {
        DatabaseError::DatabaseAlreadyOpen => StoreError::Unavailable("another service uses it".to_owned()),
        error => database_unavailable(error),
    })?;
    let transaction = database.begin_write().map_err(database_unavailable)?;
    transaction.open_table(ROWS).map_err(database_unavailable)?;
    transaction.commit().map_err(database_unavailable)?;
    Ok(database)
}

fn database_unavailable(error: impl std::fmt::Display) -> StoreError {
    StoreError::Unavailable(error.to_string())
}

/// The rows, within a transaction or outside.
struct Table<'a, T>(&'a T);

impl<T: ReadableTable<&'static str, &'static [u8]>> StoreRows for Table<'_, T> {
    fn value(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.0.get(key).map_err(database_unavailable)?.map(|value| value.value().to_vec()))
    }

    fn scan(
        &self,
        from: &str,
        to: &str,
        _: usize,
        each: &mut dyn FnMut(&str, &[u8]) -> bool,
    ) -> Result<(), StoreError> {
        for row in self.0.range(from..to).map_err(database_unavailable)? {
            let (key, value) = row.map_err(database_unavailable)?;
            if !each(key.value(), value.value()) {
                break;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io;
    use std::os::unix::fs::FileExt as _;
    use std::sync::atomic::{AtomicBool, Ordering};

    use redb::StorageBackend;

    use super::super::rows::load_row;
    use super::*;

    /// A file on a disk that may be full.
    #[derive(Debug)]
    struct Disk {
        file: File,
        is_full: Arc<AtomicBool>,
    }

    impl Disk {
        fn room(&self) -> io::Result<()> {
            if self.is_full.load(Ordering::Relaxed) { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
        }
    }

    impl StorageBackend for Disk {
        fn len(&self) -> io::Result<u64> {
            Ok(self.file.metadata()?.len())
        }

        fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
            self.file.read_exact_at(out, offset)
        }

        fn set_len(&self, len: u64) -> io::Result<()> {
            self.room()?;
            self.file.set_len(len)
        }

        fn sync_data(&self) -> io::Result<()> {
            self.room()?;
            self.file.sync_data()
        }

        fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
            self.room()?;
            self.file.write_all_at(data, offset)
        }
    }

    #[tokio::test]
    async fn a_full_disk_refuses_what_is_new_and_loses_nothing() {
        let (folder, is_full) = (tempfile::tempdir().unwrap(), Arc::new(AtomicBool::new(false)));
        let (path, full) = (folder.path().join("store"), Arc::clone(&is_full));
        let opener: Opener = Box::new(move || {
            let file = File::options()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(&path)
                .map_err(database_unavailable)?;
            prepared(database_settings().create_with_backend(Disk { file, is_full: Arc::clone(&full) }))
        });
        let store = Durable::start(opener).unwrap();
        let put = async |n: u32| store.write(Box::new(move |rows| rows.put(format!("row {n}"), &n))).await.map(drop);
        let check = |n: u32| {
            store.read(Box::new(move |rows| {
                assert_eq!(load_row::<u32>(rows, &format!("row {n}"))?, Some(n), "{n} was accepted");
                Ok(())
            }))
        };
        let mut accepted = Vec::new();
        for n in 0..200 {
            is_full.store(n % 20 >= 15, Ordering::Relaxed);
            match put(n).await {
                Ok(()) => accepted.push(n),
                Err(error) => assert!(matches!(error, StoreError::Unavailable(_)), "{error}"),
            }
        }
        // it works again with the first request after there is space, or with the one after that
        is_full.store(false, Ordering::Relaxed);
        let _ = put(200).await;
        assert_eq!(put(201).await, Ok(()));
        assert!(accepted.len() >= 130, "{}", accepted.len());
        for n in accepted {
            assert_eq!(check(n).await, Ok(()));
        }
    }
}
