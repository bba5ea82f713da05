//! Projects: one source and one domain each.

use std::path::PathBuf;

use bundle::{BundleDeployment, BundleFeature, ManifestFeatures};

/// A documentation site of an organization.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectRecord {
    /// `[A-Za-z0-9_-]{1,64}`, one of a kind in the whole service.
    pub id: String,
    /// Id of its organization.
    pub organization: String,
    /// Its host name, lower-case ASCII, one of a kind in the whole service. A key for looking up, never dialed.
    pub domain: String,
    /// Where its files come from.
    pub source: ProjectSource,
    /// The documentation tool whose repository it is; `None`: its files say which.
    pub from: Option<&'static str>,
    /// Where its bundles are going to be served.
    pub deployment: BundleDeployment,
    /// User groups whose restricted pages its bundles have, sorted, each once.
    pub groups: Vec<String>,
    /// What its bundles have.
    pub features: ManifestFeatures,
    /// Services that its pages use.
    pub endpoints: Endpoints,
    /// Whether large PNG files of its source are recompressed.
    pub optimize_png: bool,
}

/// Addresses of services that pages use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Endpoints {
    /// Of a search service, which gets the query as `q`.
    pub search: Option<String>,
    /// Of an assistant.
    pub assistant: Option<String>,
}

impl Endpoints {
    /// Whether a feature needs an address that is not there.
    pub fn is_missing(&self, feature: BundleFeature) -> bool {
        match feature {
            BundleFeature::Search => self.search.is_none(),
            BundleFeature::Assistant => self.assistant.is_none(),
            BundleFeature::Analytics | BundleFeature::Playground | BundleFeature::OfflineSearch => false,
        }
    }
}

impl ProjectRecord {
    /// What a bundle has for which some features are switched.
    ///
    /// # Errors
    /// A sentence: the deployment cannot have that, or has no service for it.
    pub fn features_with(&self, switches: &[(BundleFeature, bool)]) -> Result<ManifestFeatures, String> {
        let mut features = self.features;
        for (feature, on) in switches {
            if let Some(why) = feature.refusal(*on, self.deployment) {
                return Err(why);
            }
            if *on && self.endpoints.is_missing(*feature) {
                return Err(feature.needs_endpoint());
            }
            feature.set(&mut features, *on);
        }
        Ok(features)
    }
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
