//! Records that were requested lately, with the answers that show them. Clients ask for the status of a job every few
//! seconds, and mostly it is still what it was: then its row is read and compared, but neither parsed nor written out
//! again.

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::store::{RecordVersion, Reread, StoreError, StoredResponse};

/// Most records of a kind that are remembered; then all are forgotten, and those that are requested still come back.
const MAX_KEPT_RECORDS: usize = 1024;

/// A record as it was read, and still is for the request that has it.
#[derive(Debug)]
pub(super) struct KnownRecord<T> {
    pub(super) record: T,
    /// Whose it is.
    organization: String,
    version: RecordVersion,
    answer: OnceLock<StoredResponse>,
}

impl<T> KnownRecord<T> {
    /// The answer that shows the record, written once.
    pub(super) fn answer(&self, show: impl FnOnce(&T) -> StoredResponse) -> StoredResponse {
        self.answer.get_or_init(|| show(&self.record)).clone()
    }
}

/// The records of a kind, by their ids.
pub(super) struct KnownRecords<T>(Mutex<HashMap<String, Arc<KnownRecord<T>>>>);

impl<T> KnownRecords<T> {
    /// None is known.
    pub(super) fn new() -> Self {
        Self(Mutex::default())
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, Arc<KnownRecord<T>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A record of an organization as it is now: `reread` asks the store for it, and says what it was when it was read
    /// last. `None` if there is none.
    pub(super) async fn read<F: Future<Output = Result<Reread<T>, StoreError>>>(
        &self,
        organization: &str,
        id: &str,
        reread: impl FnOnce(Option<RecordVersion>) -> F,
    ) -> Result<Option<Arc<KnownRecord<T>>>, StoreError> {
        let known = self.known().get(id).filter(|known| known.organization == organization).cloned();
        match reread(known.as_ref().map(|known| known.version.clone())).await? {
            Reread::Unchanged => Ok(known),
            Reread::Absent => {
                self.known().remove(id);
                Ok(None)
            }
            Reread::Changed(record, version) => {
                let organization = organization.to_owned();
                let read = Arc::new(KnownRecord { record, organization, version, answer: OnceLock::new() });
                let mut all = self.known();
                if all.len() >= MAX_KEPT_RECORDS {
                    all.clear();
                }
                all.insert(id.to_owned(), Arc::clone(&read));
                Ok(Some(read))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::ready;

    use futures_util::FutureExt as _;

    use super::*;

    /// What a read gives, of a store that has this number for everybody's record of any id.
    fn read(records: &KnownRecords<u32>, organization: &str, id: &str, stored: Option<u32>) -> Option<(u32, bool)> {
        let reread = |known: Option<RecordVersion>| {
            let version = stored.map(|number| RecordVersion::of(number.to_string().as_bytes()));
            ready(Ok(match (stored, version) {
                (Some(number), Some(version)) if known.as_ref() != Some(&version) => Reread::Changed(number, version),
                (Some(_), Some(_)) => Reread::Unchanged,
                _ => Reread::Absent,
            }))
        };
        let found = records.read(organization, id, reread).now_or_never().unwrap().unwrap()?;
        let mut is_written = false;
        let answer = found.answer(|number| {
            is_written = true;
            StoredResponse { status: 200, location: None, body: number.to_string() }
        });
        Some((answer.body.parse().unwrap(), is_written))
    }

    #[test]
    fn an_answer_is_written_again_when_its_record_has_changed() {
        let records = KnownRecords::new();
        assert_eq!(read(&records, "acme", "a", Some(1)), Some((1, true)));
        assert_eq!(read(&records, "acme", "a", Some(1)), Some((1, false)));
        assert_eq!(read(&records, "acme", "a", Some(2)), Some((2, true)));
        assert_eq!(read(&records, "acme", "a", None), None);
        assert_eq!(read(&records, "acme", "a", Some(2)), Some((2, true)));
    }

    #[test]
    fn what_is_known_of_one_organization_is_not_given_to_another() {
        let records = KnownRecords::new();
        assert_eq!(read(&records, "acme", "a", Some(1)), Some((1, true)));
        assert_eq!(read(&records, "globex", "a", None), None);
        assert_eq!(read(&records, "acme", "a", Some(1)), Some((1, true)));
    }

    #[test]
    fn memory_is_bounded() {
        let records = KnownRecords::new();
        assert!((0..10_000).all(|number| read(&records, "acme", &number.to_string(), Some(1)).is_some()));
        assert!(records.known().len() <= MAX_KEPT_RECORDS);
    }
}
