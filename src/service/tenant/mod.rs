//! Authorization: organizations, their plans, keys and projects, as one value that a reload replaces whole.
//!
//! 1. A token becomes the key of an organization ([`TenantDirectory::key`]), or nothing.
//! 2. The key says which addresses, methods and how long ([`OrganizationKey`]), the organization's plan which
//!    operations ([`OrganizationPlan`]).
//! 3. What a request names is looked up within its organization only ([`TenantDirectory::project`]): what belongs to
//!    another is not there.
//! 4. Addresses that keep failing at step 1 are slowed down ([`Failures`]).

mod directory;
mod failures;
mod key;
mod project;
#[cfg(test)]
mod timing;
mod webhook;

use std::sync::Arc;

pub use directory::{Doubled, TenantDirectory};
pub use failures::Failures;
pub use key::{KeyScopes, OrganizationKey, generate, key_digest};
pub use project::{Endpoints, ProjectRecord, ProjectSource};
pub use webhook::{WebhookReceiver, WebhookSecret};

/// An owner of keys and projects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Organization {
    /// `[A-Za-z0-9_-]{1,64}`.
    pub id: String,
    /// What it has paid for.
    pub plan: OrganizationPlan,
    /// What it may use up.
    pub limits: PlanLimits,
    /// Where it is told of ends of its work.
    pub webhooks: Vec<Arc<WebhookReceiver>>,
}

/// What an organization may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OrganizationPlan {
    /// Static export (Enterprise).
    pub static_export: bool,
    /// Preview deployments.
    pub preview: bool,
    /// Agent jobs.
    pub agent: bool,
}

/// How much of it. 0 means without limit, where it counts something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanLimits {
    /// Preview triggers in any 60 seconds.
    pub previews_per_minute: u32,
    /// Exports that run at once.
    pub exports_running: u32,
    /// Exports that wait.
    pub exports_queued: u32,
    /// Uses of agent operations in any hour, for each project.
    pub agent_calls_per_hour: u32,
    /// Fresh links to bundles in any 60 seconds.
    pub bundle_links_per_minute: u32,
    /// Lifetime of a link to a bundle, seconds.
    pub link_ttl_seconds: u64,
    /// How long bundles are kept at least, seconds.
    pub retention_seconds: u64,
    /// How many bundles of a domain are kept at least.
    pub keep_last: u32,
}

impl Default for PlanLimits {
    /// The defaults of the contract.
    fn default() -> Self {
        Self {
            previews_per_minute: 5,
            exports_running: 2,
            exports_queued: 20,
            agent_calls_per_hour: 100,
            bundle_links_per_minute: 600,
            link_ttl_seconds: 3600,
            retention_seconds: 2_592_000,
            keep_last: 10,
        }
    }
}

/// Whether a text can be the id of an organization, a project or a key: `[A-Za-z0-9_-]{1,64}`.
pub fn is_id(text: &str) -> bool {
    (1..=64).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}
