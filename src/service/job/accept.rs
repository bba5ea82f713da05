//! Work that is accepted: what there is space for becomes a record and a place in the queue, in one transaction of the
//! ledger, which wakes a worker.

use super::{PreviewRequest, QueueLimits, Service};
use crate::store::{AgentJob, AgentRef, Caps, DeploymentRecord, ExportJob, Remember, StoreError, WorkKind};

impl Service {
    /// Whether one more piece of work would be accepted now.
    ///
    /// # Errors
    /// [`StoreError::QueueFull`], [`StoreError::Saturated`], or [`StoreError::Unavailable`]: there is too little space
    /// on the disk.
    pub async fn room(&self, organization: &str, kind: WorkKind, limits: QueueLimits) -> Result<(), StoreError> {
        self.0.space.check()?;
        self.0.ledger.room(organization, kind, limits.caps()).await
    }

    /// Whether the storage of archives can be used. An answer counts for some seconds.
    ///
    /// # Errors
    /// A sentence that says why not.
    pub async fn can_keep_archives(&self) -> Result<(), String> {
        self.0.storage.check().await
    }

    /// Why work that waits for its turn does not begin, if that is not for other work; for people.
    pub fn why_nothing_begins(&self) -> Option<String> {
        let cause = self.0.storage.known_trouble()?;
        Some(format!("waits: {cause}; it begins when that is over"))
    }

    /// Whether the service can keep what it would accept: the store answers, and the disk has room and takes writes.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`], with the cause.
    pub async fn can_write(&self) -> Result<(), StoreError> {
        self.0.ledger.counts().await?;
        let service = self.clone();
        let tried = tokio::task::spawn_blocking(move || service.0.space.try_to_write());
        tried.await.map_err(|error| StoreError::Unavailable(error.to_string()))?
    }

    /// Accepts an export.
    ///
    /// # Errors
    /// As [`Service::room`].
    pub async fn start_export(
        &self,
        job: ExportJob,
        limits: QueueLimits,
        remember: Option<Remember<ExportJob>>,
    ) -> Result<ExportJob, StoreError> {
        self.0.space.check()?;
        self.0.ledger.start_export(job, limits.caps(), remember, self.now()).await
    }

    /// Accepts the deployment of a preview, or finds the one that waits already.
    ///
    /// # Errors
    /// As [`Service::room`].
    pub async fn trigger_preview(
        &self,
        preview: PreviewRequest,
        limits: QueueLimits,
        remember: Option<Remember<DeploymentRecord>>,
    ) -> Result<DeploymentRecord, StoreError> {
        let deployment = DeploymentRecord::new(
            &preview.organization,
            &preview.project,
            &preview.label,
            Some((preview.branch, preview.url)),
        );
        self.deploy(deployment, limits, remember).await
    }

    /// Accepts the deployment of a production site, or finds the one that waits already.
    ///
    /// # Errors
    /// As [`Service::room`].
    pub async fn update_production(
        &self,
        organization: &str,
        project: &str,
        domain: &str,
        limits: QueueLimits,
        remember: Option<Remember<DeploymentRecord>>,
    ) -> Result<DeploymentRecord, StoreError> {
        self.deploy(DeploymentRecord::new(organization, project, domain, None), limits, remember).await
    }

    async fn deploy(
        &self,
        deployment: DeploymentRecord,
        limits: QueueLimits,
        remember: Option<Remember<DeploymentRecord>>,
    ) -> Result<DeploymentRecord, StoreError> {
        self.0.space.check()?;
        self.0.ledger.start_deployment(deployment, limits.caps(), remember, self.now()).await
    }

    /// Accepts an agent job.
    ///
    /// # Errors
    /// As [`Service::room`].
    pub async fn start_agent(
        &self,
        job: AgentJob,
        limits: QueueLimits,
        remember: Option<Remember<AgentJob>>,
    ) -> Result<AgentJob, StoreError> {
        self.0.space.check()?;
        self.0.ledger.start_agent(job, limits.caps(), remember, self.now()).await
    }

    /// One more prompt to an agent job that has ended.
    ///
    /// # Errors
    /// [`StoreError::Absent`]; [`StoreError::Conflict`]: it is active or archived; and as [`Service::room`].
    pub async fn message_agent(
        &self,
        job: AgentRef<'_>,
        prompt: String,
        limits: QueueLimits,
        remember: Option<Remember<AgentJob>>,
    ) -> Result<AgentJob, StoreError> {
        self.0.space.check()?;
        self.0.ledger.message_agent(&job, prompt, limits.caps(), remember, self.now()).await
    }
}

impl QueueLimits {
    const fn caps(self) -> Caps {
        Caps { running: self.running, waiting: self.queued }
    }
}
