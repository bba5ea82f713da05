//! Events: ends of work that others are told of, and what is sent to them.

use serde::{Deserialize, Serialize};

use super::record::{AgentJob, DeploymentRecord, ExportJob};
use super::time::Time;

/// A kind of event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// An export has a bundle.
    ExportCompleted,
    /// An export has none, or was canceled.
    ExportFailed,
    /// A site is shown.
    DeploymentSucceeded,
    /// It is not, or its deployment was canceled.
    DeploymentFailed,
    /// The agent is done.
    AgentCompleted,
    /// The agent failed, or was canceled.
    AgentFailed,
}

impl EventKind {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::ExportCompleted,
        Self::ExportFailed,
        Self::DeploymentSucceeded,
        Self::DeploymentFailed,
        Self::AgentCompleted,
        Self::AgentFailed,
    ];

    /// Its name.
    pub const fn word(self) -> &'static str {
        match self {
            Self::ExportCompleted => "export.completed",
            Self::ExportFailed => "export.failed",
            Self::DeploymentSucceeded => "deployment.succeeded",
            Self::DeploymentFailed => "deployment.failed",
            Self::AgentCompleted => "agent.completed",
            Self::AgentFailed => "agent.failed",
        }
    }

    /// The kind of a name.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

/// The end of a piece of work.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WorkEvent {
    /// What has happened.
    pub kind: EventKind,
    /// To whom.
    pub organization: String,
    /// When.
    pub at: Time,
    /// The record as it was then, without what is long: the log of a deployment, the prompts of an agent job.
    pub subject: EventSubject,
}

/// What an event is about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventSubject {
    /// An export.
    Export(Box<ExportJob>),
    /// A deployment.
    Deployment(Box<DeploymentRecord>),
    /// An agent job.
    Agent(Box<AgentJob>),
}

/// Where a delivery is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryStatus {
    /// Is tried, again and again.
    Waiting,
    /// Has been taken by its receiver.
    Delivered,
    /// Is not tried any more.
    Failed,
}

impl DeliveryStatus {
    /// Its name.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Delivered => "delivered",
            Self::Failed => "failed",
        }
    }

    /// The status of a name.
    pub fn of(word: &str) -> Option<Self> {
        [Self::Waiting, Self::Delivered, Self::Failed].into_iter().find(|status| status.word() == word)
    }
}

/// A message for one receiver.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Delivery {
    /// `msg_…`: the same in every attempt, so that a receiver knows what it has had.
    pub id: String,
    /// Whose it is.
    pub organization: String,
    /// The receiver's id.
    pub webhook: String,
    /// What it tells.
    pub kind: EventKind,
    /// What is sent.
    pub body: String,
    /// Where it is.
    pub status: DeliveryStatus,
    /// When it was made.
    pub created_at: Time,
    /// From when on it is tried: when it was made, or when it was asked for again.
    pub since: Time,
    /// How often it has been tried since then.
    pub attempts: u32,
    /// When it is tried next; while it is tried, the end of the lease.
    pub next: Option<Time>,
    /// The last try.
    pub last: Option<Attempt>,
    /// Which claim this is.
    #[serde(default)]
    pub fence: u64,
    /// Place among all that was accepted; given by the store.
    #[serde(default)]
    pub order: u64,
}

/// One try of a delivery.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Attempt {
    /// When it ended.
    pub at: Time,
    /// How long it took, milliseconds.
    pub millis: u64,
    /// The status of the answer, if there was one.
    pub status: Option<u16>,
    /// Why it failed, if it did.
    pub error: Option<String>,
}

/// How a try ended, for what comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TryVerdict {
    /// The receiver has it.
    Delivered,
    /// Try again after this long.
    Retry(std::time::Duration),
    /// Do not try again.
    GiveUp,
    /// Do not try again, nor anything else for this receiver.
    Disable,
}

/// How a receiver stands.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct WebhookState {
    /// Since when every try has failed.
    pub failing_since: Option<Time>,
    /// Since when nothing is sent to it.
    pub disabled_at: Option<Time>,
}

/// Which receiver: its address is part of it, so that one with another address begins anew.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Receiver {
    /// Whose.
    pub organization: String,
    /// Its id.
    pub webhook: String,
    /// What stands for its address.
    pub address: String,
}

/// Which deliveries to list.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeliveryFilter {
    /// In one status.
    pub status: Option<DeliveryStatus>,
    /// At most so many.
    pub limit: usize,
    /// As that of [`ExportFilter`](super::ExportFilter).
    pub cursor: Option<String>,
}
