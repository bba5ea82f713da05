//! `offprint.toml`: the configuration of the service (contract, section 11).
//!
//! 1. `file` has the shape of the text; a key that is not in it is an error that names those that are.
//! 2. `environment` puts variables in the place of what stands there.
//! 3. `server`, `directory` check each value and make what others own of it: addresses, [`TenantDirectory`], plain
//!    numbers.
//! 4. All problems are reported at once, each with its line and column ([`ConfigProblem`]).
//! 5. `machine` looks whether what the file names is on this machine, for `--check`.

mod directory;
mod environment;
mod file;
mod machine;
mod place;
mod secret;
mod server;
mod webhooks;

use std::fs;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use url::Url;

use base::limits;
use bundle::sign::Signer;
use confine::Isolation;
use fetch::git::Protocol;
use http::lockout::LockoutRule;
use http::peer::NetworkList;
use service::api::{PreviewAccess, PreviewUrl};
use service::tenant::TenantDirectory;
use service::webhook;

use directory::check_directory;
pub use place::ConfigProblem;
use place::{At, ConfigProblems};
use server::check_server;

/// Names the file if `--config` does not.
pub const CONFIG_VARIABLE: &str = "OFFPRINT_CONFIG";

/// Longest file, bytes: far above ten thousand organizations.
const FILE_BYTES: u64 = 64 << 20;

/// The JSON schema of the file.
pub(crate) fn file_schema() -> serde_json::Value {
    crate::json_schema::schema_of::<file::ServiceFile>(false)
}

/// The configuration of the service; every value has been checked.
pub struct ServiceConfig {
    /// Where to listen.
    pub listen: SocketAddr,
    /// Where to serve metrics, if not there.
    pub metrics_listen: Option<SocketAddr>,
    /// How clients reach the service; `None`: at the address it listens on.
    pub public_url: Option<Url>,
    /// How readers reach previews; `None`: below `localhost`.
    pub preview_url: Option<PreviewUrl>,
    /// Who may see previews.
    pub preview_access: PreviewAccess,
    /// When wrong passwords of their readers lock.
    pub lockout: LockoutRule,
    /// Keeps what must outlive the process.
    pub data_dir: Option<PathBuf>,
    /// Whose `X-Forwarded-For` counts.
    pub trusted_proxies: NetworkList,
    /// Exports and deployments at the same time; `None`: one for each core.
    pub workers: Option<NonZeroUsize>,
    /// How exports and deployments are confined.
    pub isolation: Isolation,
    /// Sign links; the first one signs, the others are still accepted. Empty: one is generated.
    pub signing_keys: Vec<[u8; 32]>,
    /// Signs bundles.
    pub signer: Option<Arc<Signer>>,
    /// The database that several machines share; `None`: this one has its records to itself.
    pub store_url: Option<String>,
    /// Where archives are kept, if not in a folder.
    pub storage_url: Option<Url>,
    /// Most bytes of copies of archives that are kept elsewhere.
    pub cache_bytes: u64,
    /// Protocols by which repositories may be fetched.
    pub git_protocols: Vec<Protocol>,
    /// Failed authentications of one address in a minute.
    pub auth_failures_per_minute: u32,
    /// Longest run of a job.
    pub job_seconds: u64,
    /// The command of agent jobs.
    pub agent: AgentConfig,
    /// Where the audit log is, if there is one.
    pub audit: Option<AuditLog>,
    /// Whether there is a console.
    pub has_console: bool,
    /// How webhooks are delivered.
    pub webhooks: webhook::WebhookSettings,
    /// Organizations and their keys.
    pub directory: TenantDirectory,
}

/// The audit log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditLog {
    /// The file; `None`: standard output.
    pub file: Option<PathBuf>,
    /// Whether requests that only read are part of it.
    pub reads: bool,
}

/// Agent jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentConfig {
    /// The program and its arguments; empty: there are no agent jobs.
    pub command: Vec<String>,
    /// Passed to the command.
    pub model: String,
    /// Longest run.
    pub timeout_seconds: u64,
    /// Age at which a finished job is archived.
    pub archive_after_seconds: u64,
}

/// The configuration: the file that is named, or the one that the environment names.
pub fn config_file(named: Option<PathBuf>) -> Option<PathBuf> {
    named.or_else(|| std::env::var_os(CONFIG_VARIABLE).filter(|name| !name.is_empty()).map(PathBuf::from))
}

/// A variable of the environment.
pub fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Reads and checks a file. `variable` is the environment.
///
/// # Errors
/// All that is wrong, in the order of the file.
pub fn load_service_config(
    path: &Path,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<ServiceConfig, Vec<ConfigProblem>> {
    let whole = |message: String| vec![ConfigProblem { file: path.to_owned(), place: None, message }];
    let metadata = fs::metadata(path).map_err(|error| whole(format!("cannot be read: {error}")))?;
    if metadata.len() > FILE_BYTES {
        return Err(whole(format!("is larger than {}", limits::format_byte_size(FILE_BYTES))));
    }
    let text = fs::read_to_string(path).map_err(|error| whole(format!("cannot be read: {error}")))?;
    parse_service_config(&text, path, variable)
}

/// The same for a text that stands in a file; relative paths are relative to that.
///
/// # Errors
/// All that is wrong, in the order of the file.
pub fn parse_service_config(
    text: &str,
    path: &Path,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<ServiceConfig, Vec<ConfigProblem>> {
    let mut problems = ConfigProblems::new(path, text);
    let mut file: file::ServiceFile = match toml::from_str(text) {
        Ok(file) => file,
        Err(error) => {
            problems.add_bytes(error.span(), error.message());
            return Err(problems.all());
        }
    };
    environment::overlay(&mut file, variable, &mut problems);
    let base = path.parent().unwrap_or(Path::new(""));
    let server = check_server(&file, base, variable, &mut problems);
    let directory = check_directory(&file, base, variable, &server, &mut problems);
    if problems.is_empty() { Ok(ServiceConfig { directory, ..server }) } else { Err(problems.all()) }
}

/// What a file that was read without problems names of this machine, and what is not there or cannot be used.
pub fn find_missing(path: &Path, variable: &dyn Fn(&str) -> Option<String>) -> Vec<ConfigProblem> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let mut problems = ConfigProblems::new(path, &text);
    if let Ok(mut file) = toml::from_str(&text) {
        environment::overlay(&mut file, variable, &mut problems);
        machine::check_machine(&file, path.parent().unwrap_or(Path::new("")), variable, &mut problems);
    }
    problems.all()
}

/// A path of the file, relative to it.
fn resolve_config_path(base: &Path, path: &At<String>) -> PathBuf {
    base.join(&path.value)
}

#[cfg(test)]
mod tests;
