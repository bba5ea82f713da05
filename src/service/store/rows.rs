//! Ordered rows, and transactions over them: all that a back end must offer.
//!
//! A key is text: the name of a table and the parts of its key, separated by NUL; numbers have 16 hexadecimal digits,
//! so that they sort. No name or id that is stored holds a NUL, so no key is another one's, and what is looked up under
//! a key with one is not there. Values are JSON.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::StoreError;
use super::time::StoreClock;

/// Rows as they are at one moment.
pub(super) trait StoreRows {
    /// The value of one row.
    fn value(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError>;
    /// Shows rows from one key to another, in order, until `each` returns `false`; `most` is how many that will be,
    /// where it is known.
    fn scan(
        &self,
        from: &str,
        to: &str,
        most: usize,
        each: &mut dyn FnMut(&str, &[u8]) -> bool,
    ) -> Result<(), StoreError>;
    /// Announces that a row will be read, to back ends that read several together.
    fn expect(&self, _key: &str) {}
    /// The same for the first rows of a range.
    fn expect_scan(&self, _from: &str, _to: &str, _most: usize) {}
}

/// Keeps rows: all that the ledger needs from a back end. The result of a function is opaque to the back end, which
/// returns it when the future is ready.
pub(super) trait Backend: Send + Sync {
    /// Shows rows as they are at one moment.
    fn read(&self, read: RowRead) -> BoxFuture<'_, Result<(), StoreError>>;
    /// Runs a transaction: it is kept as a whole when the future is ready, or leaves nothing when it returns an error.
    /// Gives the ids of the records that changed.
    fn write(&self, write: Write) -> BoxFuture<'_, Result<Vec<String>, StoreError>>;
    /// The clock of leases and windows, which is the same for all processes that share the rows.
    fn clock(&self) -> StoreClock {
        StoreClock::start()
    }
    /// Whether other processes may change the rows.
    fn is_shared(&self) -> bool {
        false
    }
}

/// Reads rows. It may run more than once; only its last run counts.
pub(super) type RowRead = Box<dyn FnMut(&dyn StoreRows) -> Result<(), StoreError> + Send>;
/// Reads and changes rows. It may run more than once, each time over the rows as they are then; only its last run
/// counts.
pub(super) type Write = Box<dyn FnMut(&mut Transaction<'_>) -> Result<(), StoreError> + Send>;

/// New values of rows; `None` removes one.
pub(super) type RowChanges = BTreeMap<String, Option<Vec<u8>>>;

/// A transaction: reads see its own changes, scans see the rows as they were before it.
pub(super) struct Transaction<'a> {
    rows: &'a dyn StoreRows,
    changes: RowChanges,
    touched: Vec<String>,
}

impl StoreRows for Transaction<'_> {
    fn value(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        match self.changes.get(key) {
            Some(value) => Ok(value.clone()),
            None => self.rows.value(key),
        }
    }

    fn scan(
        &self,
        from: &str,
        to: &str,
        most: usize,
        each: &mut dyn FnMut(&str, &[u8]) -> bool,
    ) -> Result<(), StoreError> {
        self.rows.scan(from, to, most, each)
    }

    fn expect(&self, key: &str) {
        self.rows.expect(key);
    }

    fn expect_scan(&self, from: &str, to: &str, most: usize) {
        self.rows.expect_scan(from, to, most);
    }
}

impl<'a> Transaction<'a> {
    pub(super) fn new(rows: &'a dyn StoreRows) -> Self {
        Self { rows, changes: RowChanges::new(), touched: Vec::new() }
    }

    /// Writes a row.
    pub(super) fn put<T: Serialize>(&mut self, key: String, value: &T) -> Result<(), StoreError> {
        let value = serde_json::to_vec(value)
            .map_err(|error| StoreError::Unavailable(format!("a value cannot be written: {error}")))?;
        self.changes.insert(key, Some(value));
        Ok(())
    }

    /// Writes a row whose key says all.
    pub(super) fn mark(&mut self, key: String) {
        self.changes.insert(key, Some(Vec::new()));
    }

    /// Removes a row.
    pub(super) fn remove(&mut self, key: String) {
        self.changes.insert(key, None);
    }

    /// Says that a record has changed.
    pub(super) fn touch(&mut self, id: &str) {
        self.touched.push(id.to_owned());
    }

    /// The next number of a counter, from 1.
    pub(super) fn next(&mut self, counter: &str) -> Result<u64, StoreError> {
        let key = counter_key(counter);
        let number = load_row::<u64>(self, &key)?.unwrap_or_default() + 1;
        self.put(key, &number)?;
        Ok(number)
    }

    pub(super) fn end(self) -> (RowChanges, Vec<String>) {
        (self.changes, self.touched)
    }
}

/// Reads a value.
pub(super) fn load_row<T: DeserializeOwned>(rows: &dyn StoreRows, key: &str) -> Result<Option<T>, StoreError> {
    rows.value(key)?.map(|value| parse_row(&value)).transpose()
}

/// What a record was when it was read: while it is equal, the record is the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordVersion(Arc<[u8]>);

impl RecordVersion {
    /// The version of a record with this row.
    pub(crate) fn of(row: &[u8]) -> Self {
        Self(row.into())
    }
}

/// What has become of a record since it was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reread<T> {
    /// There is none.
    Absent,
    /// It is what it was.
    Unchanged,
    /// It is another one, or was not known.
    Changed(T, RecordVersion),
}

impl<T> Reread<T> {
    /// The same, if what has changed is `wanted`; else there is none.
    pub(super) fn filter(self, wanted: impl FnOnce(&T) -> bool) -> Self {
        match self {
            Self::Changed(record, _) if !wanted(&record) => Self::Absent,
            reread => reread,
        }
    }
}

/// Reads a value, unless it is what it was.
pub(super) fn reread_row<T: DeserializeOwned>(
    rows: &dyn StoreRows,
    key: &str,
    known: Option<&RecordVersion>,
) -> Result<Reread<T>, StoreError> {
    match rows.value(key)? {
        None => Ok(Reread::Absent),
        Some(row) if known.is_some_and(|known| *known.0 == *row) => Ok(Reread::Unchanged),
        Some(row) => Ok(Reread::Changed(parse_row(&row)?, RecordVersion::of(&row))),
    }
}

/// What a value holds.
pub(super) fn parse_row<T: DeserializeOwned>(value: &[u8]) -> Result<T, StoreError> {
    serde_json::from_slice(value)
        .map_err(|error| StoreError::Unavailable(format!("a stored value cannot be read: {error}")))
}

/// The keys that begin with a table's name and some parts, at most so many.
pub(super) fn keys(rows: &dyn StoreRows, table: &str, parts: &[&str], most: usize) -> Result<Vec<String>, StoreError> {
    let mut found = Vec::new();
    let (from, to) = range(table, parts);
    rows.scan(&from, &to, most, &mut |key, _| {
        found.push(key.to_owned());
        found.len() < most
    })?;
    Ok(found)
}

/// The row of a counter.
pub(super) fn counter_key(counter: &str) -> String {
    row_key("counter", &[counter])
}

/// A key.
pub(super) fn row_key(table: &str, parts: &[&str]) -> String {
    let mut key = table.to_owned();
    for part in parts {
        key.push('\0');
        key.push_str(part);
    }
    key
}

/// The keys that begin with a table's name and some parts: from, and up to but without.
pub(super) fn range(table: &str, parts: &[&str]) -> (String, String) {
    let prefix = row_key(table, parts);
    (format!("{prefix}\0"), format!("{prefix}\u{1}"))
}

/// A part of a key from its end: 0 is the last one.
pub(super) fn row_key_part(key: &str, from_end: usize) -> &str {
    key.rsplit('\0').nth(from_end).unwrap_or_default()
}

/// A number that sorts as text.
pub(super) fn sortable_number(number: u64) -> String {
    format!("{number:016x}")
}

/// A number that sorts the other way round.
pub(super) fn downward(number: u64) -> String {
    format!("{:016x}", u64::MAX - number)
}
