//! The rules of the store, once for every back end: each method is one transaction over rows.
//!
//! | Table | Key → value |
//! |---|---|
//! | `export`, `deployment`, `agent` | id → record |
//! | `target` | host → target |
//! | `list`, `domain`, `kept` | organisation (domain), newest first → id of an export; `kept` has those with a bundle |
//! | `due`, `idle` | time, (kind,) id: when to look whether a record can go; agent jobs that ended |
//! | `task` | kind, id → place in the queue, lease |
//! | `waiting` | kind, organisation, order → id |
//! | `party` | organisation, kind → how many run and wait, last turn |
//! | `ready` | lane, last turn, kind, organisation: who may run one more |
//! | `until`, `again` | lane, end of lease or order, kind, id: running tasks with and without a worker |
//! | `once`, `once_until` | idempotency key → answer; when it ends |
//! | `rate` | window → moments |
//! | `named`, `loose`, `grave` | archive (, record): who names it; has lost a name; is being removed |

mod agents;
mod archives;
mod deployments;
mod due;
mod exports;
mod lease;
mod once;
mod queue;
mod rate;
mod sweep;

use std::sync::Arc;
use std::time::Duration;

use super::once::{Answer, Begun, OnceKey, Rate, Remember};
use super::record::{AgentJob, Deployment, ExportJob, Target};
use super::rows::{Backend, Rows, Transaction};
use super::time::Time;
use super::watch::{Watch, Watches};
use super::work::{Caps, Claimed, Counts, Horizon, Kind, Lane, Lease, Outcome, Release, Report, Swept};
use super::{AgentRef, Error, Filter, Page, Reply, RetentionOf, Store};

/// The store over a back end.
pub(super) struct Ledger<B> {
    rows: Arc<B>,
    watches: Watches,
}

impl<B: Backend> Ledger<B> {
    pub(super) fn new(rows: B) -> Self {
        Self { rows: Arc::new(rows), watches: Watches::default() }
    }

    /// Takes back what was running when the process that had this store to itself died.
    pub(super) async fn reclaim(&self, now: Time) -> Result<(), Error> {
        self.write(move |rows| {
            lease::reclaim(rows)?;
            archives::reclaim(rows)?;
            once::reclaim(rows, now)
        })
        .await
    }

    /// A few rows: read here and now, since handing it to another thread takes longer than it does.
    fn read<'a, T: Send + 'a>(&'a self, read: impl FnOnce(&dyn Rows) -> Result<T, Error>) -> Reply<'a, T> {
        let result = self.rows.read(read);
        Box::pin(async { result })
    }

    /// Many rows: read where it holds nobody up.
    async fn read_aside<T: Send + 'static>(
        &self,
        read: impl FnOnce(&dyn Rows) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let rows = Arc::clone(&self.rows);
        tokio::task::spawn_blocking(move || rows.read(read))
            .await
            .map_err(|error| Error::Unavailable(error.to_string()))?
    }

    async fn write<T: Send + 'static>(
        &self,
        write: impl FnOnce(&mut Transaction<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let written = self.rows.write(write).await?;
        self.watches.wake(&written.touched);
        Ok(written.result)
    }
}

impl<B: Backend> Store for Ledger<B> {
    fn start_export(
        &self,
        job: ExportJob,
        caps: Caps,
        remember: Option<Remember<ExportJob>>,
        now: Time,
    ) -> Reply<'_, ExportJob> {
        Box::pin(self.write(move |rows| exports::start(rows, job, caps, remember.as_ref(), now)))
    }

    fn export(&self, organisation: &str, id: &str) -> Reply<'_, Option<ExportJob>> {
        self.read(|rows| exports::find(rows, organisation, id))
    }

    fn linked_export(&self, id: &str) -> Reply<'_, Option<ExportJob>> {
        self.read(|rows| exports::linked(rows, id))
    }

    fn exports(&self, organisation: &str, filter: Filter) -> Reply<'_, Page> {
        let organisation = organisation.to_owned();
        Box::pin(self.read_aside(move |rows| exports::list(rows, &organisation, &filter)))
    }

    fn cancel_export(&self, organisation: &str, id: &str) -> Reply<'_, ExportJob> {
        let (organisation, id) = (organisation.to_owned(), id.to_owned());
        Box::pin(self.write(move |rows| exports::cancel(rows, &organisation, &id)))
    }

    fn start_deployment(
        &self,
        deployment: Deployment,
        caps: Caps,
        remember: Option<Remember<Deployment>>,
        now: Time,
    ) -> Reply<'_, Deployment> {
        Box::pin(self.write(move |rows| deployments::start(rows, deployment, caps, remember.as_ref(), now)))
    }

    fn deployment(&self, organisation: &str, id: &str) -> Reply<'_, Option<Deployment>> {
        self.read(|rows| deployments::find(rows, organisation, id))
    }

    fn target(&self, host: &str) -> Reply<'_, Option<Target>> {
        self.read(|rows| deployments::target(rows, host))
    }

    fn previews(&self, organisation: &str, project: &str) -> Reply<'_, Vec<Target>> {
        let (organisation, project) = (organisation.to_owned(), project.to_owned());
        Box::pin(self.read_aside(move |rows| deployments::previews(rows, &organisation, &project)))
    }

    fn remove_previews(&self, previews: Vec<Target>) -> Reply<'_, ()> {
        Box::pin(
            self.write(move |rows| previews.iter().try_for_each(|preview| deployments::remove_preview(rows, preview))),
        )
    }

    fn start_agent(
        &self,
        job: AgentJob,
        caps: Caps,
        remember: Option<Remember<AgentJob>>,
        now: Time,
    ) -> Reply<'_, AgentJob> {
        Box::pin(self.write(move |rows| agents::start(rows, job, caps, remember.as_ref(), now)))
    }

    fn agent(&self, organisation: &str, project: &str, id: &str) -> Reply<'_, Option<AgentJob>> {
        self.read(|rows| agents::find(rows, &AgentRef { organisation, project, id }))
    }

    fn message_agent(
        &self,
        job: &AgentRef<'_>,
        prompt: String,
        caps: Caps,
        remember: Option<Remember<AgentJob>>,
        now: Time,
    ) -> Reply<'_, AgentJob> {
        let [organisation, project, id] = [job.organisation, job.project, job.id].map(str::to_owned);
        Box::pin(self.write(move |rows| {
            let job = AgentRef { organisation: &organisation, project: &project, id: &id };
            agents::message(rows, &job, prompt, caps, remember.as_ref(), now)
        }))
    }

    fn archive_agent(
        &self,
        job: &AgentRef<'_>,
        remember: Option<Remember<AgentJob>>,
        now: Time,
    ) -> Reply<'_, AgentJob> {
        let [organisation, project, id] = [job.organisation, job.project, job.id].map(str::to_owned);
        Box::pin(self.write(move |rows| {
            let job = AgentRef { organisation: &organisation, project: &project, id: &id };
            agents::archive(rows, &job, remember.as_ref(), now)
        }))
    }

    fn room(&self, organisation: &str, kind: Kind, caps: Caps) -> Reply<'_, ()> {
        self.read(|rows| queue::room(rows, organisation, kind, caps))
    }

    fn claim(&self, lane: Lane, lease: Duration, now: Time) -> Reply<'_, Option<Claimed>> {
        Box::pin(async move {
            // most askings find nothing, and need no transaction to say so
            if !self.rows.read(|rows| lease::has_work(rows, lane, now))? {
                return Ok(None);
            }
            self.write(move |rows| lease::claim(rows, lane, lease, now)).await
        })
    }

    fn renew(&self, lease: &Lease, report: Report, length: Duration, now: Time) -> Reply<'_, ()> {
        let taken = lease.clone();
        Box::pin(self.write(move |rows| lease::renew(rows, &taken, &report, length, now)))
    }

    fn release(&self, lease: &Lease, why: Release) -> Reply<'_, ()> {
        let taken = lease.clone();
        Box::pin(self.write(move |rows| lease::release(rows, &taken, &why)))
    }

    fn finish(&self, lease: &Lease, outcome: Outcome) -> Reply<'_, ()> {
        let taken = lease.clone();
        Box::pin(self.write(move |rows| lease::finish(rows, &taken, outcome)))
    }

    fn counts(&self) -> Reply<'_, Counts> {
        self.read(queue::counts)
    }

    fn begin(&self, key: &OnceKey, request: [u8; 32], now: Time) -> Reply<'_, Begun> {
        let key = key.clone();
        Box::pin(self.write(move |rows| once::begin(rows, &key, &request, now)))
    }

    fn remember(&self, key: &OnceKey, request: [u8; 32], answer: Answer, now: Time) -> Reply<'_, ()> {
        let key = key.clone();
        Box::pin(self.write(move |rows| once::store(rows, &key, &request, answer, now)))
    }

    fn abandon(&self, key: &OnceKey) -> Reply<'_, ()> {
        let key = key.clone();
        Box::pin(self.write(move |rows| once::abandon(rows, &key)))
    }

    fn take(&self, window: &str, limit: u32, length: Duration, now: Time) -> Reply<'_, Rate> {
        let window = window.to_owned();
        Box::pin(self.write(move |rows| rate::take(rows, &window, limit, length, now)))
    }

    fn hold(&self, lease: &Lease, archive: &str) -> Reply<'_, bool> {
        let (taken, archive) = (lease.clone(), archive.to_owned());
        Box::pin(self.write(move |rows| lease::hold(rows, &taken, &archive)))
    }

    fn condemn(&self, archives: Vec<String>) -> Reply<'_, Vec<String>> {
        Box::pin(self.write(move |rows| archives::condemn(rows, archives)))
    }

    fn bury(&self, archives: Vec<String>) -> Reply<'_, ()> {
        Box::pin(self.write(move |rows| {
            archives.iter().for_each(|archive| archives::bury(rows, archive));
            Ok(())
        }))
    }

    fn sweep(&self, horizon: Horizon, retention: RetentionOf, now: Time) -> Reply<'_, Swept> {
        Box::pin(async move {
            // the walk over all bundles is long: it only reads, and what it found is looked at again in the transaction
            let expired = self.read_aside(move |rows| sweep::expired(rows, &horizon, &retention)).await?;
            self.write(move |rows| sweep::sweep(rows, &expired, &horizon, now)).await
        })
    }

    fn watch(&self, id: &str) -> Watch {
        self.watches.watch(id)
    }
}

/// A moment that people read, never before the last one.
fn stamp(last: Time) -> Time {
    Time::now().max(last)
}
