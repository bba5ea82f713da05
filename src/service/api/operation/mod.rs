//! What is done when all checks have passed: one function for each row of `routes`.

pub(super) mod agents;
pub(super) mod bundle_link;
pub(super) mod deployments;
pub(super) mod events;
pub(super) mod exports;
pub(super) mod health;
pub(super) mod webhooks;
