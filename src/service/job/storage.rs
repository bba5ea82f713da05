//! Whether archives can be kept: the storage is looked at before work begins, and by whoever asks whether the service is
//! ready. Looking is cheap, ends soon, and its answer counts for some seconds.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::store::objects::{ObjectError, Objects};

/// How long an answer counts that the storage can be used, and one that it cannot.
const GOOD_FOR: Duration = Duration::from_secs(5);
const BAD_FOR: Duration = Duration::from_secs(1);
/// How long after it did not take an archive nothing is begun, though it may answer otherwise.
const REST: Duration = Duration::from_secs(5);

/// The storage of archives, as far as work depends on it.
pub(super) struct ArchiveStorage {
    objects: Objects,
    answer: tokio::sync::Mutex<Option<(Instant, Result<(), String>)>>,
    /// When it did not take an archive, and why; nothing once it has taken one.
    refused: Mutex<Option<(Instant, String)>>,
}

impl ArchiveStorage {
    pub(super) fn of(objects: Objects) -> Self {
        Self { objects, answer: tokio::sync::Mutex::new(None), refused: Mutex::new(None) }
    }

    /// Where archives are.
    pub(super) fn objects(&self) -> &Objects {
        &self.objects
    }

    /// Whether it can be used; else a sentence. Callers that come while it is asked wait for the same answer.
    pub(super) async fn check(&self) -> Result<(), String> {
        let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((_, cause)) = refused.filter(|(at, _)| at.elapsed() < REST) {
            return Err(cause);
        }
        let mut answer = self.answer.lock().await;
        if let Some((at, known)) = &*answer {
            let holds = if known.is_ok() { GOOD_FOR } else { BAD_FOR };
            if at.elapsed() < holds {
                return known.clone();
            }
        }
        let found = self.objects.probe().await.map_err(|error| error.to_string());
        *answer = Some((Instant::now(), found.clone()));
        found
    }

    /// Why nothing begins now, as far as is known without asking.
    pub(super) fn known_trouble(&self) -> Option<String> {
        let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let refused = refused.filter(|(at, _)| at.elapsed() < REST).map(|(_, cause)| cause);
        let answered = || match &*self.answer.try_lock().ok()? {
            Some((at, Err(cause))) if at.elapsed() < GOOD_FOR => Some(cause.clone()),
            _ => None,
        };
        refused.or_else(answered)
    }

    /// Keeps a file under its digest.
    pub(super) async fn put(&self, key: &str, file: &Path) -> Result<(), ObjectError> {
        let kept = self.objects.put(key, file).await;
        let refused = kept.as_ref().err().map(|error| (Instant::now(), error.to_string()));
        *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = refused;
        kept
    }
}
