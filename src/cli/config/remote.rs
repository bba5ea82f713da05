//! `--offline`, `--allow-private`, `--lock`, `--cache-dir`: how files are fetched from other servers.

use std::path::PathBuf;

use fetch::{DownloadLimits, FetchPolicy, ServerAddress};
use frame::asset::remote;

/// The heading of these flags in the help.
pub(crate) const REMOTE: &str = "Remote assets";

/// `--allow-private` without a value.
pub const ANY_PRIVATE: &str = "*";

/// Servers with a private address that pages may load from; `None` means any.
pub type PrivateServer = Option<ServerAddress>;

/// How files are fetched from other servers.
#[derive(Clone, Debug, clap::Args)]
pub struct RemoteFlags {
    /// Make no requests: assets that are not in the cache are replaced by placeholders
    #[arg(long, help_heading = REMOTE)]
    pub offline: bool,
    /// Allow remote assets from servers with private addresses: `HOST` or `HOST:PORT`, or all without a value
    ///
    /// The authors of the documentation then decide which addresses of your network are requested, and the answers
    /// become part of the bundle. Name the servers (repeatable), and use it only for sources that you trust. Addresses
    /// of cloud metadata services are always refused.
    #[arg(long, value_name = "HOST", num_args = 0..=1, require_equals = true, default_missing_value = ANY_PRIVATE, value_parser = private_server, help_heading = REMOTE)]
    pub allow_private: Vec<PrivateServer>,
    /// The lock file; by default `offprint.lock` beside the configuration
    #[arg(long, value_name = "FILE", help_heading = REMOTE)]
    pub lock: Option<PathBuf>,
    /// The cache of remote assets; by default `offprint` in the user's cache folder
    #[arg(long, value_name = "DIR", help_heading = REMOTE)]
    pub cache_dir: Option<PathBuf>,
}

impl RemoteFlags {
    /// What becomes of everything that pages load from elsewhere.
    ///
    /// # Errors
    /// A sentence: the lock file cannot be used.
    pub fn options(self, mode: remote::RemoteMode) -> Result<remote::RemoteOptions, String> {
        self.lock.as_deref().filter(|_| mode != remote::RemoteMode::Off).map_or(Ok(()), remote::check_lock)?;
        Ok(remote::RemoteOptions {
            mode,
            only_descriptions: false,
            offline: self.offline,
            policy: FetchPolicy {
                allow_private: self.allow_private.contains(&None),
                own: self.allow_private.into_iter().flatten().collect(),
                ports: Vec::new(),
            },
            lock: self.lock,
            lock_only_read: false,
            cache: self.cache_dir.or_else(|| cache_folder(|name| std::env::var_os(name).map(PathBuf::from))),
            limits: DownloadLimits::default(),
            fonts: None,
            broker: None,
        })
    }

    /// Only API descriptions are fetched, and the lock file stays as it is: pages load from where they do.
    ///
    /// # Errors
    /// A sentence: the lock file cannot be used.
    pub fn only_descriptions(self) -> Result<remote::RemoteOptions, String> {
        Ok(remote::RemoteOptions {
            only_descriptions: true,
            lock_only_read: true,
            ..self.options(remote::RemoteMode::On)?
        })
    }
}

/// Where systems keep what can be made again; `None` for users without a home, whose exports fetch everything each
/// time.
fn cache_folder(variable: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let folder = |name: &str| variable(name).filter(|path| path.is_absolute());
    let base = if cfg!(windows) {
        folder("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Caches"))
    } else {
        folder("XDG_CACHE_HOME").or_else(|| folder("HOME").map(|home| home.join(".cache")))
    };
    base.map(|base| base.join("offprint"))
}

/// Checks a server of one's own network: `*`, `host` or `host:port`.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn private_server(text: &str) -> Result<PrivateServer, String> {
    if text == ANY_PRIVATE { Ok(None) } else { text.parse().map(Some) }
}
