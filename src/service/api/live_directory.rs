//! The directory as it is now, for requests and for work that waits.

use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use serde_json::Value;
use url::Url;

use crate::job::child::JobSource;
use crate::job::{ExportProject, Projects};
use crate::store::{EventSubject, Retention};
use crate::tenant::{self, PlanLimits, TenantDirectory, WebhookReceiver};
use crate::webhook::Receivers;
use fetch::git::Protocol;

use super::views;

/// The directory as it is now. A reload replaces it whole; a request keeps the one it began with.
pub struct LiveDirectory {
    directory: ArcSwap<TenantDirectory>,
    /// Protocols by which repositories may be fetched.
    protocols: Vec<Protocol>,
}

impl LiveDirectory {
    /// A directory, and the protocols by which repositories may be fetched.
    pub fn new(directory: TenantDirectory, protocols: Vec<Protocol>) -> Self {
        Self { directory: ArcSwap::from_pointee(directory), protocols }
    }

    /// The directory.
    pub fn current(&self) -> Arc<TenantDirectory> {
        self.directory.load_full()
    }

    /// Another directory, from now on.
    pub fn replace(&self, directory: TenantDirectory) {
        self.directory.store(Arc::new(directory));
    }
}

/// Host and port of an address.
fn server(url: &Url) -> Option<String> {
    Some(format!("{}:{}", url.host_str()?, url.port_or_known_default()?))
}

impl Projects for LiveDirectory {
    fn project(&self, organization: &str, project: &str) -> Option<ExportProject> {
        let directory = self.directory.load();
        let project = directory.project(organization, project)?;
        let source = match &project.source {
            tenant::ProjectSource::Folder(path) => JobSource::Folder { path: path.clone() },
            tenant::ProjectSource::Archive { url, subdir } => {
                JobSource::Archive { url: url.clone(), subdir: subdir.clone() }
            }
            tenant::ProjectSource::Git { url, branch, subdir } => JobSource::Git {
                url: url.clone(),
                branch: branch.clone(),
                subdir: subdir.clone(),
                since: None,
                protocols: self.protocols.clone(),
                shown: Vec::new(),
            },
        };
        // the operator has named the server of a repository or an archive, wherever it is
        let allow_private = match &project.source {
            tenant::ProjectSource::Git { url, .. } | tenant::ProjectSource::Archive { url, .. } => {
                Url::parse(url).ok().and_then(|url| server(&url)).into_iter().collect()
            }
            _ => Vec::new(),
        };
        let tenant::ProjectRecord { deployment, features, optimize_png, from, .. } = **project;
        let (domain, groups) = (project.domain.clone(), project.groups.clone());
        let tenant::Endpoints { search, assistant } = project.endpoints.clone();
        Some(ExportProject {
            domain,
            source,
            from,
            deployment,
            groups,
            features,
            search,
            assistant,
            optimize_png,
            allow_private,
        })
    }

    fn retention(&self, organization: &str) -> Retention {
        // what an organization that is no longer there has left is kept for the default time
        let limits = self
            .directory
            .load()
            .organization(organization)
            .map_or_else(PlanLimits::default, |organization| organization.limits);
        Retention {
            bundles: Duration::from_secs(limits.retention_seconds),
            keep_last: usize::try_from(limits.keep_last).unwrap_or(usize::MAX),
        }
    }
}

impl Receivers for LiveDirectory {
    fn webhooks(&self, organization: &str) -> Vec<Arc<WebhookReceiver>> {
        let directory = self.directory.load();
        directory.organization(organization).map(|organization| organization.webhooks.clone()).unwrap_or_default()
    }

    fn ports(&self) -> Vec<u16> {
        let directory = self.directory.load();
        let organizations = directory.organizations();
        let webhooks = organizations.iter().flat_map(|organization| &organization.webhooks);
        let mut ports: Vec<u16> = webhooks.filter_map(|webhook| webhook.url.port()).collect();
        ports.sort_unstable();
        ports.dedup();
        ports
    }

    fn data(&self, subject: &EventSubject) -> Value {
        views::event_data(subject)
    }
}
