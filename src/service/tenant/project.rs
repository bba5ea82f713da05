//! Projects: one source and one domain each.

use std::path::PathBuf;

use crate::output::bundle::{Deployment, Features};

/// A documentation site of an organization.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// `[A-Za-z0-9_-]{1,64}`, one of a kind in the whole service.
    pub id: String,
    /// Id of its organization.
    pub organization: String,
    /// Its host name, lower-case ASCII, one of a kind in the whole service. A key for looking up, never dialed.
    pub domain: String,
    /// Where its files come from.
    pub source: ProjectSource,
    /// Where its bundles are going to be served.
    pub deployment: Deployment,
    /// User groups whose restricted pages its bundles have, sorted, each once.
    pub groups: Vec<String>,
    /// What its bundles may have.
    pub features: Features,
    /// Whether large PNG files of its source are recompressed.
    pub optimize_png: bool,
}

/// Where the files of a project come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProjectSource {
    /// A Git repository.
    Git {
        /// Its address, or a path if the protocol `file` is allowed. May hold credentials: never shown.
        url: String,
        /// The branch of production; `None`: the remote's default branch.
        branch: Option<String>,
        /// The folder with `docs.json`; `None`: the root.
        subdir: Option<String>,
    },
    /// A folder of this machine.
    Folder(PathBuf),
    /// A zip or tar.gz archive somewhere else.
    Archive {
        /// Its address. May hold credentials: never shown.
        url: String,
        /// The folder with `docs.json`; `None`: the root.
        subdir: Option<String>,
    },
}
