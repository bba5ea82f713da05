//! What is known of a request.

use super::access::Caller;

/// What is known of a request for the log, however far it came.
#[derive(Debug)]
pub(super) struct RequestSummary {
    /// The contract's path, with names for what is of the client's making.
    pub(super) route: &'static str,
    /// Whether the answer is one of the interface's.
    pub(super) is_api: bool,
    /// The caller.
    pub(super) caller: Option<Caller>,
    /// Whether a key is needed.
    pub(super) is_keyed: bool,
    /// Whether it changes something, or gives something away, if it is answered well.
    pub(super) has_effect: bool,
    /// The resource that the path names, once it has been found.
    pub(super) resource: Option<String>,
}

impl Default for RequestSummary {
    fn default() -> Self {
        Self { route: "unknown", is_api: true, caller: None, is_keyed: false, has_effect: false, resource: None }
    }
}
