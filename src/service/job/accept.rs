//! What clients ask for. Everything here is one transaction of the store, or one question to it.

use super::{Limits, Preview, Service};
use crate::service::store::{
    AgentJob, AgentRef, Caps, Counts, Deployment, Error, ExportJob, Filter, Kind, Lane, Page, Remember, Target, Watch,
};

impl Service {
    /// Whether one more piece of work would be accepted now.
    ///
    /// # Errors
    /// [`Error::QueueFull`], [`Error::Saturated`], or [`Error::Unavailable`]: there is too little space on the disk.
    pub async fn room(&self, organisation: &str, kind: Kind, limits: Limits) -> Result<(), Error> {
        self.0.space.check()?;
        self.0.store.room(organisation, kind, limits.caps()).await
    }

    /// Accepts an export.
    ///
    /// # Errors
    /// As [`Service::room`].
    pub async fn start_export(
        &self,
        job: ExportJob,
        limits: Limits,
        remember: Option<Remember<ExportJob>>,
    ) -> Result<ExportJob, Error> {
        self.0.space.check()?;
        let job = self.0.store.start_export(job, limits.caps(), remember, self.now()).await?;
        self.0.wake(Lane::Build);
        Ok(job)
    }

    /// An export of an organisation.
    ///
    /// # Errors
    /// The store does not work.
    pub async fn export(&self, organisation: &str, id: &str) -> Result<Option<ExportJob>, Error> {
        self.0.store.export(organisation, id).await
    }

    /// A page of an organisation's exports, newest first.
    ///
    /// # Errors
    /// [`Error::Absent`]: the cursor is unknown.
    pub async fn exports(&self, organisation: &str, filter: Filter) -> Result<Page, Error> {
        self.0.store.exports(organisation, filter).await
    }

    /// Cancels an export; one that has failed stays as it is.
    ///
    /// # Errors
    /// [`Error::Absent`]; [`Error::Conflict`]: it has completed.
    pub async fn cancel(&self, organisation: &str, id: &str) -> Result<ExportJob, Error> {
        self.0.store.cancel_export(organisation, id).await
    }

    /// Accepts the deployment of a preview, or finds the one that waits already.
    ///
    /// # Errors
    /// As [`Service::room`].
    pub async fn trigger_preview(
        &self,
        preview: Preview,
        limits: Limits,
        remember: Option<Remember<Deployment>>,
    ) -> Result<Deployment, Error> {
        let deployment = Deployment::new(
            &preview.organisation,
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
        organisation: &str,
        project: &str,
        domain: &str,
        limits: Limits,
        remember: Option<Remember<Deployment>>,
    ) -> Result<Deployment, Error> {
        self.deploy(Deployment::new(organisation, project, domain, None), limits, remember).await
    }

    async fn deploy(
        &self,
        deployment: Deployment,
        limits: Limits,
        remember: Option<Remember<Deployment>>,
    ) -> Result<Deployment, Error> {
        self.0.space.check()?;
        let deployment = self.0.store.start_deployment(deployment, limits.caps(), remember, self.now()).await?;
        self.0.wake(Lane::Build);
        Ok(deployment)
    }

    /// A deployment of an organisation.
    ///
    /// # Errors
    /// The store does not work.
    pub async fn deployment(&self, organisation: &str, id: &str) -> Result<Option<Deployment>, Error> {
        self.0.store.deployment(organisation, id).await
    }

    /// What a host shows: the label of a preview, or a domain.
    ///
    /// # Errors
    /// The store does not work.
    pub async fn target(&self, host: &str) -> Result<Option<Target>, Error> {
        self.0.store.target(host).await
    }

    /// Accepts an agent job.
    ///
    /// # Errors
    /// As [`Service::room`].
    pub async fn start_agent(
        &self,
        job: AgentJob,
        limits: Limits,
        remember: Option<Remember<AgentJob>>,
    ) -> Result<AgentJob, Error> {
        self.0.space.check()?;
        let job = self.0.store.start_agent(job, limits.caps(), remember, self.now()).await?;
        self.0.wake(Lane::Agent);
        Ok(job)
    }

    /// An agent job of a project of an organisation.
    ///
    /// # Errors
    /// The store does not work.
    pub async fn agent(&self, organisation: &str, project: &str, id: &str) -> Result<Option<AgentJob>, Error> {
        self.0.store.agent(organisation, project, id).await
    }

    /// One more prompt to an agent job that has ended.
    ///
    /// # Errors
    /// [`Error::Absent`]; [`Error::Conflict`]: it is active or archived; and as [`Service::room`].
    pub async fn message_agent(
        &self,
        job: AgentRef<'_>,
        prompt: String,
        limits: Limits,
        remember: Option<Remember<AgentJob>>,
    ) -> Result<AgentJob, Error> {
        self.0.space.check()?;
        let job = self.0.store.message_agent(&job, prompt, limits.caps(), remember, self.now()).await?;
        self.0.wake(Lane::Agent);
        Ok(job)
    }

    /// Puts an agent job away that has ended.
    ///
    /// # Errors
    /// [`Error::Absent`]; [`Error::Conflict`]: it is active.
    pub async fn archive_agent(
        &self,
        job: AgentRef<'_>,
        remember: Option<Remember<AgentJob>>,
    ) -> Result<AgentJob, Error> {
        self.0.store.archive_agent(&job, remember, self.now()).await
    }

    /// How much work waits and runs.
    ///
    /// # Errors
    /// The store does not work.
    pub async fn counts(&self) -> Result<Counts, Error> {
        self.0.store.counts().await
    }

    /// Wakes when a record changes: a job or deployment by its id, a target by its host.
    pub fn watch(&self, id: &str) -> Watch {
        self.0.store.watch(id)
    }
}

impl Limits {
    const fn caps(self) -> Caps {
        Caps { running: self.running, waiting: self.queued }
    }
}
