//! Wakes tasks that wait for a change of a record.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;

/// The records that are waited for.
#[derive(Clone, Debug, Default)]
pub(super) struct Watches(Arc<Mutex<HashMap<String, watch::Sender<u64>>>>);

impl Watches {
    /// Begins to wait.
    pub(super) fn watch(&self, id: &str) -> RecordWatch {
        let mut watched = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let receiver = watched.entry(id.to_owned()).or_insert_with(|| watch::Sender::new(0)).subscribe();
        RecordWatch { id: id.to_owned(), receiver: Some(receiver), watches: self.clone() }
    }

    /// Wakes tasks that wait for any of these.
    pub(super) fn wake<'a>(&self, ids: impl Iterator<Item = &'a str>) {
        let watched = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for sender in ids.filter_map(|id| watched.get(id)) {
            sender.send_modify(|count| *count += 1);
        }
    }

    /// Wakes all: any of the records may have changed.
    pub(super) fn wake_all(&self) {
        let watched = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        watched.values().for_each(|sender| sender.send_modify(|count| *count += 1));
    }
}

/// Waits for changes of one record.
#[derive(Debug)]
pub struct RecordWatch {
    id: String,
    /// Until it is dropped.
    receiver: Option<watch::Receiver<u64>>,
    watches: Watches,
}

impl RecordWatch {
    /// Ready when the record has changed since the last time, or since the watch began.
    pub async fn changed(&mut self) {
        if let Some(receiver) = &mut self.receiver {
            // the sender lives as long as a receiver does
            let _ = receiver.changed().await;
        }
    }
}

impl Drop for RecordWatch {
    fn drop(&mut self) {
        let mut watched = self.watches.0.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.receiver.take());
        if watched.get(&self.id).is_some_and(|sender| sender.receiver_count() == 0) {
            watched.remove(&self.id);
        }
    }
}
