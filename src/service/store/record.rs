//! What is kept: export jobs, deployments and their targets, agent jobs. Every record names its organization, and is
//! found by it only.

use serde::{Deserialize, Serialize};

use super::time::Time;
use base::hex::to_hex;
use base::traces;
use base::{Diagnostic, Severity};
use bundle::ManifestFeatures;

/// A new id: a prefix and 128 random bits.
pub(crate) fn new_id(prefix: &str) -> String {
    let mut bytes = [0; 16];
    // the system's generator fails only on a system without one; an id then is taken, and what it is for is refused
    let _ = getrandom::fill(&mut bytes);
    format!("{prefix}{}", to_hex(&bytes))
}

/// Where an export is. Moves only forward.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExportStatus {
    /// Waits for its turn.
    Queued,
    /// Has been started; stays so when it has to be started again.
    Running,
    /// Ended with a bundle.
    Completed,
    /// Ended without one.
    Failed,
}

impl ExportStatus {
    /// Whether it is over.
    pub const fn is_terminal(self) -> bool {
        matches!(self, Self::Completed | Self::Failed)
    }

    /// The contract's word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Completed => "completed",
            Self::Failed => "failed",
        }
    }

    /// The status of a word of the contract.
    pub fn of(word: &str) -> Option<Self> {
        [Self::Queued, Self::Running, Self::Completed, Self::Failed].into_iter().find(|status| status.word() == word)
    }
}

/// A finished archive in the storage.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ArchiveRecord {
    /// Its key in the storage.
    pub key: String,
    /// Digest, hexadecimal.
    pub sha256: String,
    /// Bytes.
    pub size: u64,
}

/// A [`Diagnostic`] as it is stored. Its words are those of an exporter, which a source may have taken over: the code
/// need not be one that is known here.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Finding {
    /// Whether it is an error; else it is a warning.
    pub is_error: bool,
    /// Name of the kind of problem.
    pub code: String,
    /// One sentence.
    pub message: String,
    /// Path below the source folder; empty if it is about no file.
    pub file: String,
    /// Line, from 1; 0 if unknown.
    pub line: u32,
    /// Column, from 1; 0 if unknown.
    pub column: u32,
}

impl From<&Diagnostic> for Finding {
    fn from(diagnostic: &Diagnostic) -> Self {
        let Diagnostic { code, severity, message, file, line, column, .. } = diagnostic;
        Self {
            is_error: *severity == Severity::Error,
            code: (*code).to_owned(),
            message: message.clone(),
            file: file.clone(),
            line: *line,
            column: *column,
        }
    }
}

/// What was found, in numbers and in part.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Findings {
    /// All of them.
    pub errors: u64,
    /// All of them.
    pub warnings: u64,
    /// Those that came first.
    pub first: Vec<Finding>,
}

/// Most findings that the record of an export has; its log has more.
pub const FIRST_FINDINGS: usize = 10;

/// What is kept of an export beside its record, which is read much more often.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ExportLog {
    /// What happened, for people: at most [`LOG_LINES`].
    pub lines: Vec<String>,
    /// What was found in the content.
    pub findings: Findings,
    /// What was exported, for sources with commits.
    pub commit: Option<DeployedCommit>,
    /// The key that has signed the bundle.
    pub signed_by: Option<String>,
}

/// A static export (contract, section 6).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ExportJob {
    /// `se_…`.
    pub id: String,
    /// Whose it is.
    #[serde(rename = "organisation")]
    pub organization: String,
    /// The project that the domain belongs to.
    pub project: String,
    /// As an A-label, lower case.
    pub domain: String,
    /// As requested; else known when it has completed.
    pub version: Option<String>,
    /// Pages that were requested; empty means all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// What the bundle has, as requested; `None`: what bundles of the project have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub features: Option<ManifestFeatures>,
    /// Where it is.
    pub status: ExportStatus,
    /// 0–100; 100 exactly when completed.
    pub progress: u8,
    /// Pages exported so far.
    pub pages: u64,
    /// When it was accepted.
    pub created_at: Time,
    /// When anything of this changed, or its worker last renewed the lease.
    pub updated_at: Time,
    /// When a worker began with it, the first time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Time>,
    /// When it ended.
    pub ended_at: Option<Time>,
    /// The cause, exactly when it failed.
    pub error: Option<String>,
    /// Why it waits to be tried again, while it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting: Option<String>,
    /// Known once the source has been read, for sources with commits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<DeployedCommit>,
    /// What was found in the content, known in the end; the first [`FIRST_FINDINGS`] of it.
    #[serde(default)]
    pub findings: Findings,
    /// The key that has signed the bundle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signed_by: Option<String>,
    /// The bundle, exactly when completed.
    pub bundle: Option<ArchiveRecord>,
    /// The bundle's files are past retention.
    #[serde(default)]
    pub bundle_gone: bool,
    /// The trace of the request that has started it (`traceparent`), if traces are recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
    /// Place among all accepted jobs; given by the store.
    #[serde(default)]
    pub order: u64,
}

impl ExportJob {
    /// A job that waits for its turn.
    pub fn new(organization: &str, project: &str, domain: &str, version: Option<String>, paths: Vec<String>) -> Self {
        let now = Time::now();
        Self {
            id: new_id("se_"),
            organization: organization.to_owned(),
            project: project.to_owned(),
            domain: domain.to_owned(),
            version,
            paths,
            features: None,
            status: ExportStatus::Queued,
            progress: 0,
            pages: 0,
            created_at: now,
            updated_at: now,
            started_at: None,
            ended_at: None,
            error: None,
            waiting: None,
            commit: None,
            findings: Findings::default(),
            signed_by: None,
            bundle: None,
            bundle_gone: false,
            trace: traces::current(),
            order: 0,
        }
    }
}

/// Where a deployment is. Moves only forward.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeploymentStatus {
    /// Waits for its turn.
    Queued,
    /// Has been started.
    InProgress,
    /// Its site is the target's.
    Success,
    /// Ended without a site.
    Failure,
}

impl DeploymentStatus {
    /// Whether it is over.
    pub const fn is_terminal(self) -> bool {
        matches!(self, Self::Success | Self::Failure)
    }

    /// The contract's word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::InProgress => "in_progress",
            Self::Success => "success",
            Self::Failure => "failure",
        }
    }

    /// The status of a word of the contract.
    pub fn of(word: &str) -> Option<Self> {
        [Self::Queued, Self::InProgress, Self::Success, Self::Failure].into_iter().find(|status| status.word() == word)
    }
}

/// The commit that a site was built from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DeployedCommit {
    /// Its id.
    pub sha: String,
    /// The branch.
    #[serde(rename = "ref")]
    pub reference: String,
    /// First line of its message.
    pub message: String,
    /// Since the previous deployment of the same target.
    #[serde(rename = "filesChanged")]
    pub files_changed: PathsChanged,
}

/// Paths that differ between two deployments.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PathsChanged {
    /// New.
    pub added: Vec<String>,
    /// Other bytes.
    pub modified: Vec<String>,
    /// No longer there.
    pub removed: Vec<String>,
}

/// One update of a preview or of a production site (contract, section 5).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DeploymentRecord {
    /// `upd_…`.
    pub id: String,
    /// Whose it is.
    #[serde(rename = "organisation")]
    pub organization: String,
    /// The project.
    pub project: String,
    /// The target: the label of the preview's host, or the project's domain.
    pub host: String,
    /// The branch of a preview; `None` for production.
    pub branch: Option<String>,
    /// Where a preview is shown.
    pub preview_url: Option<String>,
    /// Where it is.
    pub status: DeploymentStatus,
    /// One line; the cause on failure.
    pub summary: String,
    /// At most [`LOG_LINES`].
    pub logs: Vec<String>,
    /// When it was accepted.
    pub created_at: Time,
    /// When anything of this changed.
    pub updated_at: Time,
    /// When it ended.
    pub ended_at: Option<Time>,
    /// Known once the source has been read, for sources with commits.
    pub commit: Option<DeployedCommit>,
    /// The trace of the request that has started it (`traceparent`), if traces are recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
    /// Place among all accepted jobs; given by the store.
    #[serde(default)]
    pub order: u64,
}

/// Most lines of a deployment's log.
pub const LOG_LINES: usize = 1000;

impl DeploymentRecord {
    /// A deployment that waits for its turn.
    pub fn new(organization: &str, project: &str, host: &str, preview: Option<(String, String)>) -> Self {
        let now = Time::now();
        let (branch, preview_url) = preview.unzip();
        Self {
            id: new_id("upd_"),
            organization: organization.to_owned(),
            project: project.to_owned(),
            host: host.to_owned(),
            branch,
            preview_url,
            status: DeploymentStatus::Queued,
            summary: "waits for its turn".to_owned(),
            logs: Vec::new(),
            created_at: now,
            updated_at: now,
            ended_at: None,
            commit: None,
            trace: traces::current(),
            order: 0,
        }
    }
}

/// What one host name shows: a preview of one branch of one project, or a project's production site.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DeployTarget {
    /// The label of the preview's host, or the project's domain.
    pub host: String,
    /// Whose it is.
    #[serde(rename = "organisation")]
    pub organization: String,
    /// The project.
    pub project: String,
    /// The branch of a preview; `None` for production.
    pub branch: Option<String>,
    /// What is shown; `None` before the first success.
    pub live: Option<LiveSite>,
    /// The deployment that waits.
    pub queued: Option<String>,
    /// The deployment that runs.
    pub running: Option<String>,
    /// The newest deployment, however it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
}

/// The site that a target shows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LiveSite {
    /// The deployment that made it.
    pub deployment: String,
    /// Its files.
    pub archive: ArchiveRecord,
    /// What it was built from, and what changed with it.
    pub commit: Option<DeployedCommit>,
}

/// Where an agent job is (contract, section 8).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentStatus {
    /// The agent works, or will.
    Active,
    /// The agent is done.
    Completed,
    /// Put away.
    Archived,
    /// The agent failed.
    Failed,
}

impl AgentStatus {
    /// The contract's word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Completed => "completed",
            Self::Archived => "archived",
            Self::Failed => "failed",
        }
    }

    /// The status of a word of the contract.
    pub fn of(word: &str) -> Option<Self> {
        [Self::Active, Self::Completed, Self::Archived, Self::Failed].into_iter().find(|status| status.word() == word)
    }
}

/// A conversation with the agent about a project.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AgentJob {
    /// `aj_…`.
    pub id: String,
    /// Whose it is.
    #[serde(rename = "organisation")]
    pub organization: String,
    /// The project.
    pub project: String,
    /// Where it is.
    pub status: AgentStatus,
    /// Address of the repository, without credentials.
    pub repository: String,
    /// The branch.
    #[serde(rename = "ref")]
    pub reference: String,
    /// The model's name.
    pub model: String,
    /// All prompts, oldest first; at most [`AGENT_MESSAGES`].
    pub messages: Vec<String>,
    /// The pull request of the last run.
    pub pr_link: Option<String>,
    /// When it was accepted.
    pub created_at: Time,
    /// When the last run began or ended.
    pub updated_at: Time,
    /// When it was put away.
    pub archived_at: Option<Time>,
    /// The trace of the request that has started it (`traceparent`), if traces are recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
    /// Place among all accepted jobs; given by the store.
    #[serde(default)]
    pub order: u64,
}

/// Most prompts of one agent job.
pub const AGENT_MESSAGES: usize = 256;

impl AgentJob {
    /// A job whose first run waits for its turn.
    pub fn new(
        organization: &str,
        project: &str,
        repository: &str,
        reference: &str,
        model: &str,
        prompt: String,
    ) -> Self {
        let now = Time::now();
        Self {
            id: new_id("aj_"),
            organization: organization.to_owned(),
            project: project.to_owned(),
            status: AgentStatus::Active,
            repository: repository.to_owned(),
            reference: reference.to_owned(),
            model: model.to_owned(),
            messages: vec![prompt],
            pr_link: None,
            created_at: now,
            updated_at: now,
            archived_at: None,
            trace: traces::current(),
            order: 0,
        }
    }
}
