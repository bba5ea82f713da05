//! The result of a transaction, on its way out of the thread that runs it.

use std::sync::{Arc, Mutex, PoisonError};

use super::super::StoreError;

/// Where a transaction puts its result. One that runs again puts another in its place.
pub(super) struct ResultSlot<T>(Arc<Mutex<Option<T>>>);

impl<T> ResultSlot<T> {
    pub(super) fn put(&self, result: T) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
    }

    pub(super) fn take(&self) -> Result<T, StoreError> {
        let result = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        result.ok_or_else(|| StoreError::Unavailable("a transaction has no result".to_owned()))
    }
}

impl<T> Default for ResultSlot<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T> Clone for ResultSlot<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}
