//! How many streams of events are open, for each organization.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Most streams of one organization.
pub(super) const STREAMS: usize = 20;

/// The open streams of each organization.
#[derive(Debug, Default)]
pub(super) struct Streams(Mutex<HashMap<String, usize>>);

/// One of them; leaves when dropped.
#[derive(Debug)]
pub(super) struct StreamGuard {
    streams: Arc<Streams>,
    organization: String,
}

impl Streams {
    /// Takes a place, if there is one.
    pub(super) fn enter(self: &Arc<Self>, organization: &str) -> Option<StreamGuard> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(organization.to_owned()).or_insert(0);
        if *count >= STREAMS {
            return None;
        }
        *count += 1;
        Some(StreamGuard { streams: Arc::clone(self), organization: organization.to_owned() })
    }
}

impl Drop for StreamGuard {
    fn drop(&mut self) {
        let mut open = self.streams.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.organization) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.organization);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_of_one_organization_and_come_back() {
        let streams = Arc::new(Streams::default());
        let mut places: Vec<_> = (0..STREAMS).map(|_| streams.enter("a").unwrap()).collect();
        assert!(streams.enter("a").is_none() && streams.enter("b").is_some());
        places.pop();
        assert!(streams.enter("a").is_some());
        drop(places);
        assert!(streams.0.lock().unwrap().is_empty());
    }
}
