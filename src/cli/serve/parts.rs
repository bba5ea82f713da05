//! What a service consists of, opened one after the other; the first failure is reported.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;

use crate::config::service::{AuditLog, ServiceConfig};
use base::atomic_file::{self, Guarantees};
use base::hex::{from_hex, to_hex};
use base::telemetry;
use confine::{Isolation, Layers};
use fetch::git::Protocol;
use http::listener::listen;
use service::api::{Api, ApiOptions, ConsoleKey, LiveDirectory, PreviewKey, PreviewUrl};
use service::audit::{AuditOpener, AuditWriter};
use service::job::child::ControlGroup;
use service::job::{self, child};
use service::store::objects::{ObjectCache, Objects, link};
use service::store::{Ledger, Time};
use service::webhook::WebhookSender;

use super::super::scratch::Scratch;
use super::{Folders, private};

/// The key that signs links, where there is none in the configuration.
const SIGNING_KEY: &str = "signing-key";
/// The key of the addresses of previews.
const PREVIEW_KEY: &str = "preview-key";

/// The key that signs sessions of the console.
const CONSOLE_KEY: &str = "console-key";

/// A service that is ready to run.
pub(super) struct ServiceParts {
    pub(super) api: Api,
    pub(super) jobs: job::Service,
    pub(super) webhooks: WebhookSender,
    pub(super) listener: TcpListener,
    pub(super) metrics: Option<TcpListener>,
    /// Of children.
    pub(super) limits: child::MachineLimits,
    pub(super) folders: Folders,
    pub(super) address: SocketAddr,
}

impl ServiceParts {
    /// Opens everything.
    pub(super) async fn open(read: ServiceConfig) -> Result<Self, String> {
        let folders = folders(read.data_dir.as_deref())?;
        let root = folders.root.clone();
        let ledger = match (&read.store_url, &read.data_dir) {
            (Some(url), _) => Ledger::connect(url).await.map_err(|error| format!("`[store] url`: {error}"))?,
            (None, Some(_)) => Ledger::open(&root.join("store.redb"), Time::now())
                .await
                .map_err(|error| format!("the folder `{}` cannot be used: {error}", root.display()))?,
            (None, None) => {
                tracing::warn!("no record survives this process: neither `data_dir` nor `[store] url` is configured");
                Ledger::in_memory()
            }
        };
        let links = match link_keys(&read.signing_keys) {
            Some(links) => links,
            None => {
                let key = service_secret(&ledger, &root, SIGNING_KEY).await?;
                link::Keys { current: link::LinkKey::new(key), previous: Vec::new() }
            }
        };
        let preview_key = PreviewKey::new(service_secret(&ledger, &root, PREVIEW_KEY).await?);
        let console_key = if read.has_console {
            Some(ConsoleKey::new(service_secret(&ledger, &root, CONSOLE_KEY).await?))
        } else {
            None
        };
        let objects = match &read.storage_url {
            // what is no text is none of the store's settings
            Some(url) => Objects::bucket(
                url.as_str(),
                std::env::vars_os()
                    .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?))),
            ),
            None => Objects::folder(&root.join("bundles")),
        };
        let objects = objects.map_err(|error| error.to_string())?;
        let listener = bind(read.listen).await?;
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        let metrics = match read.metrics_listen {
            Some(address) => Some(bind(address).await?),
            None => None,
        };
        let numbers = telemetry::start_metrics().map_err(|error| error.to_string())?;
        let certificates = std::env::var_os("SSL_CERT_FILE").map(PathBuf::from);
        let mut limits =
            child::MachineLimits { seconds: read.job_seconds, certificates, ..child::MachineLimits::default() };
        limits.layers = child::find_layers(&limits, read.isolation, &root.join("trial"))?;
        require_programs_held(&read, limits.layers)?;
        limits.group = (read.isolation != Isolation::Off).then(ControlGroup::find).flatten();
        tell_isolation(read.isolation, &limits);
        if let Some(signer) = &read.signer {
            let key = signer.public_key();
            tracing::info!(key_id = key.id(), public_key = key.text(), "bundles are signed");
        }
        let settings = job_settings(&read, &root, limits.clone());
        let directory = Arc::new(LiveDirectory::new(read.directory, read.git_protocols));
        let jobs = job::Service::new(ledger, objects.clone(), directory.clone(), settings);
        let webhooks = WebhookSender::new(jobs.clone(), directory.clone(), read.webhooks.clone())
            .map_err(|refusal| format!("webhooks cannot be delivered: {refusal}"))?;
        let base_url = read
            .public_url
            .as_ref()
            .map_or_else(|| format!("http://{address}"), |url| url.as_str().trim_end_matches('/').to_owned());
        let authority = base_url.split_once("://").map_or("", |(_, authority)| authority).to_owned();
        let cache = ObjectCache::open(&root.join("copies"), read.cache_bytes).map_err(|error| error.to_string())?;
        let options = ApiOptions {
            base_url,
            authority,
            preview_url: read.preview_url.unwrap_or_else(|| PreviewUrl::local(address.port())),
            preview_key,
            trusted_proxies: read.trusted_proxies,
            auth_failures_per_minute: read.auth_failures_per_minute,
            lockout: read.lockout,
            agent_model: (!read.agent.command.is_empty()).then_some(read.agent.model),
            has_metrics: metrics.is_none(),
            layers: limits.layers,
            has_group: limits.group.is_some(),
            console: console_key,
            audit: read.audit.map(audit).transpose()?.map(Arc::new),
            cache,
        };
        let api = Api::new(options, directory, jobs.clone(), objects, links, read.preview_access, numbers);
        Ok(Self { api, jobs, webhooks, listener, metrics, limits, folders, address })
    }
}

/// Refuses protocols whose programs could reach other processes where isolation is required.
fn require_programs_held(read: &ServiceConfig, layers: Layers) -> Result<(), String> {
    let runs_programs = read.git_protocols.iter().any(|protocol| *protocol != Protocol::Https);
    if read.isolation == Isolation::Require && runs_programs && !layers.holds_programs() {
        let lacks = layers.lacks().join("; ");
        return Err(format!(
            "`isolation = \"require\"`, and `git.allow_protocols` has `ssh` or `file`, whose programs cannot be \
             confined on this machine: {lacks}"
        ));
    }
    Ok(())
}

/// Says once how far exports are confined.
fn tell_isolation(isolation: Isolation, limits: &child::MachineLimits) {
    let layers = limits.layers;
    if isolation == Isolation::Off {
        return tracing::warn!("exports are not confined: `isolation` is `off`");
    }
    let has_group = limits.group.is_some();
    match layers {
        Layers::NONE => tracing::warn!(has_group, "exports are not confined: this machine has nothing for it"),
        _ => tracing::info!(%layers, has_group, "exports are confined"),
    }
    layers.lacks().iter().for_each(|lack| tracing::warn!(lack, "exports are confined less than they could be"));
}

/// Opens the audit log.
fn audit(log: AuditLog) -> Result<AuditWriter, String> {
    let AuditLog { file, reads } = log;
    let shown = file.as_ref().map_or_else(|| "standard output".to_owned(), |file| format!("`{}`", file.display()));
    let open: AuditOpener = Box::new(move || -> std::io::Result<Box<dyn std::io::Write + Send>> {
        match &file {
            None => Ok(Box::new(std::io::stdout())),
            Some(file) => {
                let opened = OpenOptions::new().append(true).create(true).mode(0o600).open(file)?;
                Ok(Box::new(opened))
            }
        }
    });
    AuditWriter::start(open, reads).map_err(|error| format!("the audit log cannot be written to {shown}: {error}"))
}

fn job_settings(read: &ServiceConfig, root: &Path, child: child::MachineLimits) -> job::JobSettings {
    let agent = &read.agent;
    let agent = (!agent.command.is_empty()).then(|| job::AgentSettings {
        command: agent.command.clone(),
        keeper: Some(child::own_program()),
        path: std::env::var_os("PATH"),
        model: agent.model.clone(),
        time: Duration::from_secs(agent.timeout_seconds),
        archive_after: Duration::from_secs(agent.archive_after_seconds),
    });
    job::JobSettings {
        workers: read.workers.map_or(0, NonZeroUsize::get),
        child,
        agent,
        scratch: root.join("scratch"),
        signer: read.signer.clone(),
        short_job: job::SHORT_JOB,
        lease: job::LEASE,
    }
}

/// The keys of links that the configuration names; the first one signs.
pub(super) fn link_keys(keys: &[[u8; 32]]) -> Option<link::Keys> {
    let (current, previous) = keys.split_first()?;
    Some(link::Keys {
        current: link::LinkKey::new(*current),
        previous: previous.iter().copied().map(link::LinkKey::new).collect(),
    })
}

async fn bind(address: SocketAddr) -> Result<TcpListener, String> {
    listen(address).await.map_err(|error| format!("cannot listen on {address}: {error}"))
}

/// The folder of all data: the one that is configured, or a temporary one. Only its user can read it.
fn folders(data_dir: Option<&Path>) -> Result<Folders, String> {
    let scratch = match data_dir {
        Some(_) => None,
        None => Some(Scratch::create("serve").map_err(|error| {
            format!("without `data_dir`, a temporary folder is needed and cannot be created: {error}")
        })?),
    };
    let root = match (data_dir, &scratch) {
        (Some(root), _) => root.to_owned(),
        (None, Some(scratch)) => scratch.0.clone(),
        (None, None) => return Err("there is no data folder".to_owned()),
    };
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&root)
        .map_err(|error| format!("cannot create the folder `{}`: {error}", root.display()))?;
    let root =
        fs::canonicalize(&root).map_err(|error| format!("cannot read the folder `{}`: {error}", root.display()))?;
    private::restrict(&root);
    Ok(Folders { root, _scratch: scratch })
}

/// A secret of the service: kept in a file, or where all its processes find it. What a file has is the first one there:
/// an installation that moves to several machines keeps its links and the addresses of its previews.
async fn service_secret(ledger: &Ledger, root: &Path, name: &str) -> Result<[u8; 32], String> {
    let own = stored_secret(&root.join(name))?;
    if !ledger.is_shared() {
        return Ok(own);
    }
    ledger.secret(name, own).await.map_err(|error| error.to_string())
}

/// The key in a file, which is made if it is not there.
fn stored_secret(path: &Path) -> Result<[u8; 32], String> {
    let shown = path.display();
    match fs::read_to_string(path) {
        Ok(text) => {
            from_hex(text.trim()).ok_or_else(|| format!("`{shown}` is not a key, which has 64 hexadecimal digits"))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let mut secret = [0; 32];
            getrandom::fill(&mut secret).map_err(|_| "the system has no random numbers".to_owned())?;
            let guarantees = Guarantees { is_durable: true, is_private: true };
            atomic_file::replace(path, guarantees, |out| writeln!(out, "{}", to_hex(&secret)))
                .map_err(|error| format!("cannot write `{shown}`: {error}"))?;
            Ok(secret)
        }
        Err(error) => Err(format!("cannot read `{shown}`: {error}")),
    }
}
