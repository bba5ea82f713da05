//! What a load depends on besides the folder.

use super::remote::RemoteFiles;
use super::tool::{Evaluate, KnownTools};

/// What a load depends on besides the folder.
#[derive(Clone, Copy, Debug, Default)]
pub struct LoadOptions<'a> {
    /// User groups whose pages are exported too.
    pub groups: &'a [String],
    /// Gets API descriptions from other servers; without it there are none.
    pub remote: Option<&'a dyn RemoteFiles>,
    /// The tools of others that are looked for.
    pub tools: KnownTools,
    /// The name of the tool whose repository it is; without it, its files say.
    pub from: Option<&'a str>,
    /// Runs configurations that are programs; without it, they say nothing.
    pub evaluate: Option<&'a dyn Evaluate>,
}
