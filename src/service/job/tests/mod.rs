//! The service at work, with exports that take no time: what children do is tested where they are.

mod agents;
mod queue;

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Instant;

use futures_util::future::BoxFuture;
use sha2::{Digest as _, Sha256};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::build::TellProgress;
use super::child::{Built, Cause, ChildProgress, ExportFailure, JobSource};
use super::run::Cancel;
use super::*;
use crate::store::{self, DeploymentRecord, ExportJob, ExportStatus, Findings};
use base::hex::to_hex;

/// How long a test waits for what must happen.
const PATIENCE: Duration = Duration::from_secs(60);
const LIMITS: QueueLimits = QueueLimits { running: 2, queued: 20 };
/// What a short export takes at most.
const SHORT: Duration = Duration::from_millis(200);
const NO_LIMITS: QueueLimits = QueueLimits { running: 0, queued: 0 };

/// What an exporter is about to do: the domain and the branch say it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Call {
    domain: String,
    branch: Option<String>,
    since: Option<String>,
}

/// Exports without a child: the archive holds the domain's name.
#[derive(Clone, Default)]
struct Quick {
    /// How long each one takes; one of a domain `long.…` takes longer than any test.
    time: Duration,
    /// How exports of a domain go, one after the other; then they succeed.
    fates: Arc<Mutex<HashMap<String, Vec<Cause>>>>,
    calls: Arc<Mutex<Vec<Call>>>,
    /// How many of a domain run now, and did at most.
    running: Arc<Mutex<HashMap<String, (u32, u32)>>>,
}

impl Quick {
    fn fate(self, domain: &str, fates: &[Cause]) -> Self {
        self.fates.lock().unwrap().insert(domain.to_owned(), fates.to_vec());
        self
    }

    fn calls(&self) -> Vec<Call> {
        self.calls.lock().unwrap().clone()
    }
}

impl Exporter for Quick {
    fn export(
        &self,
        work: child::ChildWork,
        _: child::MachineLimits,
        tell: TellProgress,
        cancel: Cancel,
    ) -> BoxFuture<'_, Result<Built, ExportFailure>> {
        Box::pin(async move {
            let domain = work.domain.unwrap_or_default();
            let (branch, since) = match work.source {
                JobSource::Git { branch, since, .. } => (branch, since),
                _ => (None, None),
            };
            self.calls.lock().unwrap().push(Call { domain: domain.clone(), branch, since });
            {
                let mut running = self.running.lock().unwrap();
                let (now, most) = running.entry(domain.clone()).or_default();
                *now += 1;
                *most = (*now).max(*most);
            }
            tell(ChildProgress::Pages { done: 1, total: 2 });
            let canceled = tokio::select! {
                () = tokio::time::sleep(if domain.starts_with("long.") { PATIENCE } else { self.time }) => false,
                () = cancel.canceled() => true,
            };
            self.running.lock().unwrap().entry(domain.clone()).or_default().0 -= 1;
            let fails =
                |cause, message: &str| Err(ExportFailure { cause, message: message.to_owned(), logs: Vec::new() });
            if canceled {
                return fails(Cause::Canceled, "it was canceled");
            }
            let fate = self
                .fates
                .lock()
                .unwrap()
                .get_mut(&domain)
                .filter(|fates| !fates.is_empty())
                .map(|fates| fates.remove(0));
            if let Some(cause) = fate {
                return fails(cause, "it did not work");
            }
            std::fs::create_dir_all(&work.folder).unwrap();
            let archive = work.folder.join("bundle.zip");
            std::fs::write(&archive, &domain).unwrap();
            let commit = child::CommitRecord { sha: "c".repeat(40), ..child::CommitRecord::default() };
            let sha256 = to_hex(&Sha256::digest(&domain));
            Ok(Built {
                archive,
                sha256,
                size: domain.len() as u64,
                pages: 2,
                version: "v1".to_owned(),
                commit: Some(commit),
                logs: Vec::new(),
                findings: Findings::default(),
                signed_by: None,
            })
        })
    }
}

/// Every project is there; bundles are forgotten as soon as they may.
struct Everything;

impl Projects for Everything {
    fn project(&self, _: &str, project: &str) -> Option<ExportProject> {
        let source = JobSource::Git {
            url: "https://git.example/docs".to_owned(),
            branch: None,
            subdir: None,
            since: None,
            protocols: Vec::new(),
            shown: Vec::new(),
        };
        let (deployment, features) = (BundleDeployment::Cloud, ManifestFeatures::default());
        (project != "gone").then(|| ExportProject {
            domain: format!("{project}.example"),
            source,
            deployment,
            groups: Vec::new(),
            features,
            search: None,
            assistant: None,
            optimize_png: false,
            from: None,
            allow_private: Vec::new(),
        })
    }

    fn retention(&self, _: &str) -> Retention {
        Retention { bundles: Duration::ZERO, keep_last: 1 }
    }
}

/// A service that runs, and its folder.
struct Running {
    service: Service,
    stop: Option<oneshot::Sender<()>>,
    task: JoinHandle<std::io::Result<()>>,
}

fn settings(folder: &std::path::Path, agent: Option<AgentSettings>) -> JobSettings {
    JobSettings {
        workers: 2,
        short_job: SHORT,
        signer: None,
        child: child::MachineLimits::default(),
        agent,
        scratch: folder.join("scratch"),
        lease: LEASE,
    }
}

fn service(store: &Ledger, folder: &std::path::Path, quick: &Quick, agent: Option<AgentSettings>) -> Service {
    let objects = Objects::folder(&folder.join("objects")).unwrap();
    Service::with_exporter(
        store.clone(),
        objects,
        Arc::new(Everything),
        settings(folder, agent),
        Box::new(quick.clone()),
    )
}

fn run(service: Service) -> Running {
    let (stop, stopped) = oneshot::channel();
    let running = service.clone();
    let task = tokio::spawn(async move {
        running
            .run(async {
                let _ = stopped.await;
            })
            .await
    });
    Running { service, stop: Some(stop), task }
}

impl Running {
    async fn stop(mut self) {
        let _ = self.stop.take().unwrap().send(());
        tokio::time::timeout(PATIENCE, self.task).await.expect("it stops").unwrap().unwrap();
    }
}

fn job(organization: &str, domain: &str) -> ExportJob {
    ExportJob::new(organization, "docs", domain, None, Vec::new())
}

async fn start(service: &Service, organization: &str, domain: &str) -> ExportJob {
    service.start_export(job(organization, domain), LIMITS, None).await.unwrap()
}

/// Waits for something.
async fn until<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = look().await {
            return found;
        }
        assert!(began.elapsed() < PATIENCE, "{what} does not happen");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn ended(service: &Service, job: &ExportJob) -> ExportJob {
    until("the end of an export", async || {
        service.ledger().export(&job.organization, &job.id).await.unwrap().filter(|job| job.status.is_terminal())
    })
    .await
}

async fn deployed(service: &Service, deployment: &DeploymentRecord) -> DeploymentRecord {
    until("the end of a deployment", async || {
        let found = service.ledger().deployment(&deployment.organization, &deployment.id).await.unwrap();
        found.filter(|deployment| deployment.status.is_terminal())
    })
    .await
}
