//! `offprint serve`: the configuration becomes a running service.
//!
//! 1. The configuration is read and checked; with `--check` that is all.
//! 2. `parts` opens what the service consists of: listeners, store, storage, keys of links.
//! 3. The service runs until SIGTERM or Ctrl-C, and reads its configuration again at SIGHUP.
//! 4. Then it takes no more work, answers what is under way, gives running jobs back to the queue, and ends.

mod demo;
mod parts;
mod private;
mod reference;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::ValueEnum;
use tokio::sync::watch;

use crate::config::service::{self, load_service_config};
use ::service::store::Ledger;
use base::signals::{SignalMeaning, Signals};
use base::telemetry;
use base::traces::{self, Collector, Traces};
use http::descriptors::allow_descriptors;

use super::{Exit, harmless, plural, tell, tell_error};

use parts::ServiceParts;
use reference::show_reference_pages;

pub(super) const ABOUT: &str = "\
Run the HTTP service: static exports as jobs, previews of branches, bundles by signed link.

Organizations, keys, plans and projects are defined in the configuration. With `data_dir`, accepted jobs survive crashes and \
restarts; without it, all data is in memory and a temporary folder.";

pub(super) const NOTES: &str = "\
Examples:
  offprint serve --demo  a service with one organization, and commands to try
  offprint serve --config offprint.toml
  offprint serve --config offprint.toml --check
      checks the configuration, and what it names of this machine
  offprint key           a key for the configuration
  kill -HUP PID          reads organizations, keys and projects again

Every key of every table but [[organizations]] and [[projects]] can be set by an environment variable, such as OFFPRINT_SERVER_LISTEN or
OFFPRINT_LIMITS_JOB_SECONDS; OFFPRINT_LOG sets the filter of the log, such as `warn`.
OTEL_EXPORTER_OTLP_ENDPOINT is the address of a collector of traces, OTEL_SERVICE_NAME the name of the service there (if built with them).

Exit codes:
  0    stopped by a signal (--check: the configuration is valid)
  1    the service failed
  2    the configuration is not valid, or the service cannot start";

/// `offprint serve`.
#[derive(Debug, clap::Args)]
pub(super) struct ServeArgs {
    /// The configuration; by default the file of `OFFPRINT_CONFIG`
    #[arg(short, long, value_name = "FILE", conflicts_with = "demo")]
    pub(super) config: Option<PathBuf>,
    /// Check the configuration, and whether what it names is on this machine, and exit
    #[arg(long)]
    pub(super) check: bool,
    /// Start a temporary service with one organization and a documentation folder (by default that of a checkout of
    /// offprint)
    #[arg(long, value_name = "DIR", num_args = 0..=1, conflicts_with = "check")]
    pub(super) demo: Option<Option<PathBuf>>,
    /// What this process does, where several share a database (`[store] url`)
    #[arg(long, value_name = "ROLE", default_value = "all")]
    pub(super) role: ServiceRole,
    /// Makes the tables of the database (`[store] url`) that this version needs, then ends; with the variable
    /// `OFFPRINT_STORE_URL`, it needs no configuration
    #[arg(long, conflicts_with_all = ["check", "demo", "role"])]
    pub(super) migrate: bool,
    /// Format of the log
    #[arg(long, value_name = "FORMAT", default_value = "auto", hide_default_value = false)]
    pub(super) log: LogFormat,
}

/// `--role` of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ServiceRole {
    /// Answers requests and does the work
    All,
    /// Answers requests, previews and production; leaves the work to others
    Api,
    /// Does the work; answers only /livez, /readyz and /metrics
    Worker,
}

/// `--log` of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum LogFormat {
    /// Text on a terminal, JSON elsewhere
    Auto,
    /// Lines for people
    Text,
    /// One object a line
    Json,
}

/// The address of the database, as a variable.
const STORE_VARIABLE: &str = "OFFPRINT_STORE_URL";
/// Most descriptors that are asked for: those of all connections and more.
const MAX_DESCRIPTORS: u64 = 65_536;
/// How long jobs may take to go back to the queue.
const STOP_TIME: Duration = Duration::from_secs(28);

/// Runs the service, or checks its configuration.
pub(super) fn run_serve(arguments: ServeArgs) -> Exit {
    let demo = match arguments.demo.as_ref().map(|source| demo::Demo::create(source.as_deref())) {
        None => None,
        Some(Ok(demo)) => Some(demo),
        Some(Err(message)) => return unusable(&message),
    };
    let file = match &demo {
        Some(demo) => demo.file().to_owned(),
        None => match service::config_file(arguments.config) {
            Some(file) => file,
            // a migration needs nothing else
            None if arguments.migrate && service::variable(STORE_VARIABLE).is_some() => {
                let started = start_log(arguments.log, false, None).and_then(|_| start_runtime());
                return match started {
                    Ok(runtime) => runtime.block_on(migrate_database(service::variable(STORE_VARIABLE).as_deref())),
                    Err(message) => unusable(&message),
                };
            }
            None => return unusable("no configuration: use `--config FILE` or `--demo`"),
        },
    };
    let read = match load_service_config(&file, &service::variable) {
        Ok(read) => read,
        Err(problems) => {
            problems.iter().for_each(|problem| tell_error(harmless(&problem.to_string())));
            return Exit::Unusable;
        }
    };
    if arguments.role != ServiceRole::All && read.store_url.is_none() {
        return unusable("`--role` needs a database that the processes share: `[store] url`");
    }
    if arguments.check {
        let missing = service::find_missing(&file, &service::variable);
        if !missing.is_empty() {
            missing.iter().for_each(|problem| tell_error(harmless(&problem.to_string())));
            return Exit::Unusable;
        }
        let projects = plural(read.directory.project_count() as u64, "project");
        tell(format_args!(
            "{} is valid: {} and {projects}.",
            harmless(&file.display().to_string()),
            plural(read.directory.organizations().len() as u64, "organization")
        ));
        return Exit::Done;
    }
    let traces = match start_log(arguments.log, demo.is_some(), collector().filter(|_| !arguments.migrate)) {
        Ok(traces) => traces,
        Err(message) => return unusable(&message),
    };
    if let Some(program) = read
        .agent
        .command
        .first()
        .filter(|program| program.starts_with('/') && !std::path::Path::new(program).is_file())
    {
        tracing::warn!(program, "the program of the agent does not exist: agent jobs will fail");
    }
    let started = allow_descriptors(MAX_DESCRIPTORS).and_then(|()| start_runtime());
    let runtime = match started {
        Ok(runtime) => runtime,
        Err(message) => return unusable(&message),
    };
    if arguments.migrate {
        return runtime.block_on(migrate_database(read.store_url.as_deref()));
    }
    let exit = runtime.block_on(run_service(read, &file, arguments.role, demo.as_ref()));
    // what still reads or writes now is of no use
    runtime.shutdown_timeout(Duration::from_secs(1));
    traces.end();
    exit
}

/// Where traces are sent, if a variable says so.
fn collector() -> Option<Collector> {
    let variable = |name| service::variable(name).filter(|value| !value.is_empty());
    let endpoint = variable(traces::ENDPOINT_VARIABLE)?;
    let service = variable(traces::SERVICE_VARIABLE).unwrap_or_else(|| traces::DEFAULT_SERVICE.to_owned());
    Some(Collector { endpoint, service })
}

/// Starts the log and the export of traces; the log of a demo has warnings only, unless a variable says otherwise.
fn start_log(format: LogFormat, is_demo: bool, collector: Option<Collector>) -> Result<Traces, String> {
    let format = match format {
        LogFormat::Auto => telemetry::TelemetryFormat::suited(),
        LogFormat::Text => telemetry::TelemetryFormat::Text,
        LogFormat::Json => telemetry::TelemetryFormat::Json,
    };
    let filter = service::variable(telemetry::LOG_VARIABLE).or_else(|| is_demo.then(|| "warn".to_owned()));
    telemetry::start_log(format, filter.as_deref(), collector.as_ref())
}

fn start_runtime() -> Result<tokio::runtime::Runtime, String> {
    let built = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    built.map_err(|error| format!("cannot start: {error}"))
}

fn unusable(message: &str) -> Exit {
    tell_error(harmless(message));
    Exit::Unusable
}

/// Makes the tables of a database, if they are not there.
async fn migrate_database(store_url: Option<&str>) -> Exit {
    let Some(url) = store_url else { return unusable("`--migrate` needs a database: `[store] url`") };
    match Ledger::connect(url).await {
        Ok(_) => Exit::Done,
        Err(error) => unusable(&format!("`[store] url`: {error}")),
    }
}

/// Opens everything and runs until a signal.
async fn run_service(read: service::ServiceConfig, file: &Path, role: ServiceRole, demo: Option<&demo::Demo>) -> Exit {
    keep_secrets_out_of_core_dumps();
    private::restrict_new_files();
    // before anything is open: a signal that comes early must not end the process halfway
    let Ok(signals) = Signals::new() else { return unusable("cannot listen to signals") };
    let parts = match ServiceParts::open(read).await {
        Ok(parts) => parts,
        Err(message) => return unusable(&message),
    };
    let ServiceParts { api, jobs, webhooks, listener, metrics, limits, folders, address } = parts;
    tracing::info!(%address, "listening");
    if let Some(demo) = demo {
        demo.tell(&api, address);
    }
    let (stopper, stopped) = watch::channel(false);
    let delivering = tokio::spawn({
        let mut stopped = stopped.clone();
        let stop = async move { drop(stopped.wait_for(|stopped| *stopped).await) };
        async move {
            match role {
                // requests to addresses that others name are work
                ServiceRole::Api => stop.await,
                ServiceRole::All | ServiceRole::Worker => webhooks.run(stop).await,
            }
        }
    });
    let work = tokio::spawn(until((role != ServiceRole::Api).then_some(jobs), stopped));
    let serving = tokio::spawn({
        let api = api.clone();
        async move {
            match role {
                ServiceRole::Worker => api.serve_health(listener).await,
                ServiceRole::All | ServiceRole::Api => api.serve(listener).await,
            }
        }
    });
    if let Some(listener) = metrics {
        let api = api.clone();
        if let Ok(address) = listener.local_addr() {
            tracing::info!(%address, "the metrics are at");
        }
        tokio::spawn(async move { api.serve_metrics(listener).await });
    }
    let reference = tokio::spawn({
        let (api, folder) = (api.clone(), folders.reference());
        async move {
            if role != ServiceRole::Worker {
                show_reference_pages(api, limits, folder).await;
            }
        }
    });
    let ended_early = control(&api, file, signals, &work).await;
    tracing::info!("stopping");
    api.drain();
    reference.abort();
    let _ = stopper.send(true);
    let down = async {
        let _ = serving.await;
        let _ = delivering.await;
        if ended_early { true } else { matches!(work.await, Ok(Ok(()))) }
    };
    let clean = tokio::time::timeout(STOP_TIME, down).await;
    drop(folders);
    match clean {
        Ok(true) if !ended_early => Exit::Done,
        Ok(_) => Exit::Errors,
        Err(_) => {
            tracing::warn!("stopped before all requests were completed");
            Exit::Done
        }
    }
}

/// Does the work, if this process does, until it is stopped.
async fn until(jobs: Option<::service::job::Service>, mut stopped: watch::Receiver<bool>) -> std::io::Result<()> {
    let stop = async move {
        let _ = stopped.wait_for(|stopped| *stopped).await;
    };
    let Some(jobs) = jobs else {
        stop.await;
        return Ok(());
    };
    let ended = jobs.run(stop).await;
    if let Err(error) = &ended {
        tracing::error!(%error, "the workers cannot start");
    }
    ended
}

/// Handles signals until one means to stop. `true`: the work ended by itself, which it must not.
async fn control(
    api: &::service::api::Api,
    file: &Path,
    mut signals: Signals,
    work: &tokio::task::JoinHandle<std::io::Result<()>>,
) -> bool {
    loop {
        tokio::select! {
            signal = signals.next() => match signal {
                SignalMeaning::Stop => break false,
                SignalMeaning::Reload => reload(api, file).await,
            },
            () = tokio::time::sleep(Duration::from_secs(1)) => if work.is_finished() {
                tracing::error!("the workers have ended");
                break true;
            },
        }
    }
}

/// Reads the configuration again. One that is not valid changes nothing.
async fn reload(api: &::service::api::Api, file: &Path) {
    let file = file.to_owned();
    let read = tokio::task::spawn_blocking(move || load_service_config(&file, &service::variable)).await;
    let result = match read {
        Ok(Ok(read)) => {
            tracing::info!(
                organizations = read.directory.organizations().len(),
                projects = read.directory.project_count(),
                "configuration reloaded"
            );
            api.reload(read.directory, parts::link_keys(&read.signing_keys), read.preview_access);
            "done"
        }
        Ok(Err(problems)) => {
            for problem in &problems {
                tracing::error!(%problem, "the configuration is not valid and changes nothing");
            }
            "invalid"
        }
        Err(error) => {
            tracing::error!(%error, "the configuration could not be read");
            "invalid"
        }
    };
    metrics::counter!("offprint_reloads_total", "result" => result).increment(1);
}

/// Keys of links and addresses with credentials are in memory: it must not end up in a file.
fn keep_secrets_out_of_core_dumps() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable) {
        tracing::debug!(%error, "core dumps stay possible");
    }
}

/// A folder for what must not outlive the service, or that must.
pub(super) struct Folders {
    root: PathBuf,
    /// Removes it in the end, if it is a temporary one.
    _scratch: Option<super::scratch::Scratch>,
}

impl Folders {
    fn reference(&self) -> PathBuf {
        self.root.join("reference")
    }
}
