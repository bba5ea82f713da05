//! The part of a description that one operation is.

use super::document::ResolvedObject;

/// An operation, and what stands around it.
#[derive(Clone, Debug)]
pub(crate) struct OperationSource<'a> {
    /// Upper case, or `WEBHOOK`.
    pub(crate) method: String,
    /// Path, or the name of a webhook.
    pub(crate) path: &'a str,
    /// The operation.
    pub(crate) about: ResolvedObject<'a>,
    /// The item of its path, with what that refers to.
    pub(crate) item: ResolvedObject<'a>,
}

impl OperationSource<'_> {
    /// Whether the API calls, instead of being called.
    pub(crate) fn is_webhook(&self) -> bool {
        self.method == "WEBHOOK"
    }
}
