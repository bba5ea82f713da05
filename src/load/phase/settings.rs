//! What the configuration of a source says.

use crate::tool::{Located, Project};
use base::FileId;
use site::ConfigKind;
use site::config::Config;
use site::json::Json;

/// What the configuration of a source says.
pub(crate) struct SourceSettings {
    pub(super) tool: Located,
    /// What the configuration of another tool says.
    pub(super) project: Option<Box<dyn Project>>,
    pub(super) kind: ConfigKind,
    /// `docs.json` or `mint.json`.
    pub(super) config_file: Option<FileId>,
    /// The path of the file that problems with the configuration are told of.
    pub(super) config_name: String,
    /// What `docs.json` and the files that it names hold.
    pub(super) json: Option<Json>,
    pub(super) config: Config,
}

impl SourceSettings {
    /// A member of `docs.json`.
    pub(super) fn member(&self, key: &str) -> Option<&Json> {
        self.json.as_ref()?.member(key)
    }
}

/// What becomes of a navigation that cannot be read.
pub(super) const FROM_FOLDERS: &str = "the navigation is made from the folders";
