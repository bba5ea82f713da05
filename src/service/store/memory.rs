//! Rows in memory: the smallest start. What is kept ends with the process.

use std::collections::BTreeMap;
use std::future::ready;
use std::ops::Bound;
use std::sync::{PoisonError, RwLock};

use futures_util::future::BoxFuture;

use super::StoreError;
use super::rows::{Backend, RowRead, StoreRows, Transaction, Write};

/// All rows. A transaction changes nothing before it has ended well, so a lock that was poisoned guards whole rows.
#[derive(Default)]
pub(super) struct MemoryStore(RwLock<BTreeMap<String, Vec<u8>>>);

impl StoreRows for BTreeMap<String, Vec<u8>> {
    fn value(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.get(key).cloned())
    }

    fn scan(
        &self,
        from: &str,
        to: &str,
        _: usize,
        each: &mut dyn FnMut(&str, &[u8]) -> bool,
    ) -> Result<(), StoreError> {
        for (key, value) in self.range::<str, _>((Bound::Included(from), Bound::Excluded(to))) {
            if !each(key, value) {
                break;
            }
        }
        Ok(())
    }
}

impl Backend for MemoryStore {
    fn read(&self, mut read: RowRead) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(ready(read(&*self.0.read().unwrap_or_else(PoisonError::into_inner))))
    }

    fn write(&self, write: Write) -> BoxFuture<'_, Result<Vec<String>, StoreError>> {
        Box::pin(ready(self.commit(write)))
    }
}

impl MemoryStore {
    fn commit(&self, mut write: Write) -> Result<Vec<String>, StoreError> {
        let mut rows = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let mut transaction = Transaction::new(&*rows);
        write(&mut transaction)?;
        let (changes, touched) = transaction.end();
        for (key, value) in changes {
            match value {
                Some(value) => rows.insert(key, value),
                None => rows.remove(&key),
            };
        }
        Ok(touched)
    }
}
