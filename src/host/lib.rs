//! Serves bundles: straight out of their archives, without unpacking anything.
//!
//! 1. `source` finds a candidate (`candidate`), a file or one that `download` fetches (`minimum_rate`); `cache` keeps
//!    what was verified, and the `catalog` of it; `active_bundle` decides which bundle a site shows: start, reload,
//!    rollback.
//! 2. [`site`] answers requests from one bundle. Previews of the service use it too.
//! 3. `server` accepts connections (`tls`); `router` checks credentials (`credentials`) and routes each request to one
//!    of the `sites`. `agent` are the endpoints for programs (`/-/search`, `/mcp`), `control` those for operators
//!    (`/livez`, `/readyz`, `/-/reload`, `/-/rollback`). `files` are certificates and secrets, read again when they
//!    change (`fingerprint`).
//!
//! Invariants: a bundle is complete and verified before it is active; a bad one never displaces a good one; an answer
//! comes from one bundle, so a switch mixes nothing; the link to a bundle is a secret that no event, error or answer
//! holds.

#![cfg_attr(test, allow(clippy::print_stdout, reason = "tests may print"))]
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod active_bundle;
mod agent;
mod cache;
mod candidate;
mod catalog;
mod control;
mod credentials;
mod download;
mod files;
mod fingerprint;
mod json;
mod mcp;
mod minimum_rate;
mod router;
mod server;
pub mod site;
mod sites;
mod source;
mod tls;

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;

use bundle::sign::PublicKey;
use http::descriptors::allow_descriptors;
use http::lockout::LockoutRule;
use http::peer::NetworkList;

pub use credentials::SiteReaders;
pub use site::{CONTENT_BYTES, HostedSite};

/// Largest bundle that is fetched unless another size is given, bytes.
pub const BUNDLE_BYTES: u64 = 2 << 30;

/// What to serve, and where.
#[derive(Clone, Debug)]
pub struct HostOptions {
    /// Address and port to listen on.
    pub listen: String,
    /// Certificate chain and key, both PEM; plain HTTP without them.
    pub tls: Option<(PathBuf, PathBuf)>,
    /// The file with the token for `/-/reload` and `/-/rollback`; without it these do not exist.
    pub token: Option<PathBuf>,
    /// How long requests are still accepted after the signal to stop, so that balancers notice.
    pub drain: Duration,
    /// Most connections that one address may have open; of IPv6, one network of 2^64 addresses.
    pub address_connections: usize,
    /// Whose connections are not bounded, as they carry requests of many clients, and whose `X-Forwarded-For` counts.
    pub trusted_proxies: NetworkList,
    /// When wrong passwords and tokens lock an address or a name.
    pub lockout: LockoutRule,
    /// Threads that serve.
    pub threads: usize,
    /// Most bytes of files that are kept inflated in memory, of all sites together.
    pub content_bytes: usize,
    /// The sites, at least one.
    pub sites: Vec<SiteOptions>,
}

/// One site.
#[derive(Clone, Debug)]
pub struct SiteOptions {
    /// Host names that mean it, in lower case; none: any name.
    pub hosts: Vec<String>,
    /// Where its bundle comes from.
    pub source: BundleSource,
    /// What the bundle has to be.
    pub expect: Expect,
    /// The folder that keeps verified bundles; without it they end with the process.
    pub cache: Option<PathBuf>,
    /// Bundles that are kept there.
    pub keep: usize,
    /// Largest bundle, bytes.
    pub max_bytes: u64,
    /// Hosts that may be reached without encryption, or on an address of a private network.
    pub own_hosts: Vec<String>,
    /// More certificate authorities to trust, PEM.
    pub authorities: Option<PathBuf>,
    /// How often the source is checked for another bundle.
    pub watch: Option<Duration>,
    /// The file of readers and their credentials; without it the site is public.
    pub readers: Option<PathBuf>,
    /// Responses are `noindex`.
    pub noindex: bool,
    /// `/-/search`.
    pub search: bool,
    /// `/mcp`.
    pub mcp: bool,
}

/// Where a bundle comes from.
#[derive(Clone, Debug)]
pub enum BundleSource {
    /// A file of this machine.
    File(PathBuf),
    /// A link.
    Url(SecretText),
    /// A file that holds a link, read again with every reload.
    UrlFile(PathBuf),
}

/// A text that is never shown.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct SecretText(pub String);

impl fmt::Debug for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(secret)")
    }
}

/// What a bundle has to be.
#[derive(Clone, Debug, Default)]
pub struct Expect {
    /// Its label.
    pub version: Option<String>,
    /// SHA-256 of the archive, lower-case hexadecimal.
    pub sha256: Option<String>,
    /// Its signer.
    pub key: Option<PublicKey>,
    /// An older export may follow a newer one.
    pub allow_downgrade: bool,
}

/// Why there is no new bundle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UpdateFailure {
    /// There is none at the moment.
    #[error("{0}")]
    Unavailable(String),
    /// What is there must not be served.
    #[error("the bundle is refused: {0}")]
    Refused(String),
    /// There is none before the one that is shown.
    #[error("there is no earlier bundle")]
    NoEarlier,
}

/// Where an active bundle was taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BundleOrigin {
    /// Fetched or read just now.
    Fresh,
    /// The cache has what was requested: no network was needed.
    Cached,
    /// The cache has an earlier one, and there is nothing better.
    Previous,
    /// An operator rolled back to the one before.
    RolledBack,
}

/// What happens, for people to read. `site` is the site's first host name, empty for the only one.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the fields of all events are the same few things")]
pub enum HostEvent {
    /// The server answers.
    Listening { address: SocketAddr, is_encrypted: bool },
    /// Another bundle is active.
    Active { site: String, version: String, sha256: String, pages: u64, origin: BundleOrigin, elapsed: Duration },
    /// There is no new bundle; the last good one, if there is one, stays.
    Failed { site: String, failure: UpdateFailure, is_serving: bool, retry: Option<Duration> },
    /// The source still has the same bundle.
    Unchanged { site: String },
    /// Something else that an operator has to know.
    Trouble { message: String },
    /// The signal to stop came.
    Draining { connections: usize },
}

/// Why there is no server (any more).
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// Nothing to listen on.
    #[error("cannot listen on {0}: {1}")]
    Listen(String, io::Error),
    /// The system gives no threads or signals.
    #[error("cannot start: {0}")]
    Start(io::Error),
    /// A file with certificates, tokens or readers cannot be used.
    #[error("{0}")]
    Unusable(String),
    /// The only bundle is refused and there is none to fall back on.
    #[error(transparent)]
    Refused(UpdateFailure),
}

/// Takes events; called from several threads.
pub type TellEvent = std::sync::Arc<dyn Fn(HostEvent) + Send + Sync>;

/// Most descriptors that are asked for.
const MAX_DESCRIPTORS: u64 = 1 << 20;

/// Serves until SIGTERM or Ctrl-C. SIGHUP reads links, certificates and readers again and
/// looks for other bundles.
///
/// # Errors
/// Why there is no server.
pub fn serve_bundles(options: HostOptions, tell: TellEvent) -> Result<(), HostError> {
    allow_descriptors(MAX_DESCRIPTORS).map_err(HostError::Unusable)?;
    let mut runtime = match options.threads {
        // one thread has none to share with
        0 | 1 => tokio::runtime::Builder::new_current_thread(),
        _ => tokio::runtime::Builder::new_multi_thread(),
    };
    let runtime = runtime.worker_threads(options.threads.max(1)).enable_all().build().map_err(HostError::Start)?;
    let served = runtime.block_on(server::serve_host(options, tell));
    // a download or a check that is under way ends with the process
    runtime.shutdown_timeout(Duration::from_millis(200));
    served
}
