//! `offprint host`.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::config::{self, HostFlags, SiteFlags};
use host::{BundleOrigin, HostError, HostEvent, SecretText, UpdateFailure};

use super::{Exit, harmless, plural, tell, tell_error};

pub(super) const ABOUT: &str = "\
Serve a bundle over HTTP.

The archive is served without unpacking it: from a file, or from a link, which is downloaded, verified and cached. \
A new bundle becomes active in one step when it is verified; a damaged or unexpected bundle never replaces the active one.";

pub(super) const NOTES: &str = "\
Examples:
  offprint host --bundle site.zip   http://127.0.0.1:8080/
  offprint host --bundle-url \"$URL\" --cache-dir cache --listen 0.0.0.0:8080
  offprint host --bundle-url-file /run/secrets/url --sha256 \"$SHA256\"
  offprint host --bundle-url \"$URL\" --public-key RWQ... --watch-url 300
  offprint host --bundle site.zip --tls-cert chain.pem --tls-key key.pem
  offprint host --bundle site.zip --readers readers.txt
  offprint host --config host.toml  several sites by host name
  curl -X POST -H \"Authorization: Bearer $TOKEN\" localhost:8080/-/rollback

Endpoints beside the pages:
  /livez /readyz  the process runs; every site has a complete, verified bundle
  POST /-/reload /-/rollback
      with --token-file: check for a new bundle; roll back to the
      previous one
  /-/search?q=WORDS&limit=N  search in the bundle, as JSON
  /mcp  with --mcp: search and read pages with the Model Context Protocol

SIGHUP and /-/reload read links, certificates, readers and the token again and check for a new bundle; changed certificates and secrets are also \
read automatically within a minute. SIGTERM completes requests in progress first.

Each flag has an environment variable: OFFPRINT_HOST_LISTEN, OFFPRINT_HOST_BUNDLE_URL, OFFPRINT_HOST_EXPORT_VERSION ...
The link to a bundle is a secret: it is not written to messages, errors or responses.

Shape of --config:
  listen = \"0.0.0.0:8080\"
  cache_dir = \"cache\"
  [[sites]]
  hosts = [\"docs.example.com\"]  without: any host name
  bundle_url = \"https://...\"    or bundle, bundle_url_file
  version = \"v2\"                also: sha256, public_key, max_bytes,
  watch_seconds = 300           allow_http, ca_file, keep, readers, noindex,
                                search, mcp, allow_downgrade

Exit codes:
  0  stopped by a signal
  1  the bundle is refused, and there is no other
  2  nothing was served: invalid arguments, or the address cannot be used";

/// `offprint host`.
#[derive(Debug, clap::Args)]
pub(super) struct HostArgs {
    /// The archive to serve
    ///
    /// Without --cache-dir it is served in place: replace it by a rename. A file that is modified is not served until
    /// it is verified again.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["bundle_url", "bundle_url_file", "config"])]
    bundle: Option<PathBuf>,
    /// A link to the archive
    ///
    /// Links are secrets: on a machine with other users, use a file or OFFPRINT_HOST_BUNDLE_URL. Plain http is allowed
    /// for this machine and private addresses, for bundles pinned by --sha256 or --public-key, and for hosts of
    /// --allow-http.
    #[arg(long, value_name = "URL", value_parser = parse_secret, conflicts_with_all = ["bundle_url_file", "config"])]
    bundle_url: Option<SecretText>,
    /// A file with the link, read again with every reload
    #[arg(long, value_name = "FILE", conflicts_with = "config")]
    bundle_url_file: Option<PathBuf>,
    /// A file with several sites
    #[arg(short, long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The required version label of the bundle
    #[arg(long, alias = "version", value_name = "LABEL", help_heading = TRUST)]
    export_version: Option<String>,
    /// The required SHA-256 of the archive
    #[arg(long, value_name = "HEX", help_heading = TRUST)]
    sha256: Option<String>,
    /// The key that the bundle has to be signed by: a file, or the key itself
    #[arg(short = 'p', long, value_name = "FILE|KEY", help_heading = TRUST)]
    public_key: Option<String>,
    /// Allow a bundle that was exported before the active one
    #[arg(long, help_heading = TRUST)]
    allow_downgrade: bool,
    /// The cache of verified bundles, which are available without a network
    #[arg(long, value_name = "DIR", help_heading = FETCH)]
    cache_dir: Option<PathBuf>,
    /// Number of cached bundles; by default 3
    #[arg(long, value_name = "N", help_heading = FETCH)]
    keep: Option<usize>,
    /// Interval of checks for a new bundle; by default 0: never
    #[arg(long, value_name = "SECONDS", help_heading = FETCH)]
    watch_url: Option<u64>,
    /// Maximum size of a bundle; by default 2 GiB
    #[arg(long, value_name = "BYTES", help_heading = FETCH)]
    max_bytes: Option<u64>,
    /// A host that may be requested without encryption, or in a private network; repeatable
    #[arg(long, value_name = "HOST", value_delimiter = ',', help_heading = FETCH)]
    allow_http: Vec<String>,
    /// Additional certificate authorities, PEM
    #[arg(long, value_name = "FILE", help_heading = FETCH)]
    ca_file: Option<PathBuf>,
    /// Address and port; by default 127.0.0.1:8080
    #[arg(short, long, value_name = "ADDRESS")]
    listen: Option<String>,
    /// Certificate chain for TLS, PEM
    #[arg(long, value_name = "FILE", help_heading = ACCESS)]
    tls_cert: Option<PathBuf>,
    /// The key of the certificate, PEM
    #[arg(long, value_name = "FILE", help_heading = ACCESS)]
    tls_key: Option<PathBuf>,
    /// Readers, one on each line: `user:password` or `bearer TOKEN`
    #[arg(long, value_name = "FILE", help_heading = ACCESS)]
    readers: Option<PathBuf>,
    /// A file with the token for /-/reload and /-/rollback
    #[arg(long, value_name = "FILE", help_heading = ACCESS)]
    token_file: Option<PathBuf>,
    /// Wrong passwords or tokens of one address that lock it; by default 10, 0: never
    ///
    /// A locked address gets 429, with the right password too. Ten times as many lock a name for addresses that have
    /// not used it within a day.
    #[arg(long, value_name = "N", help_heading = ACCESS)]
    password_failures: Option<u32>,
    /// The first lock of an address; by default 60. It doubles with each further one, up to 64 times
    #[arg(long, value_name = "SECONDS", help_heading = ACCESS)]
    lock_seconds: Option<u64>,
    /// Send `noindex` to search engines
    #[arg(long, help_heading = ACCESS)]
    noindex: bool,
    /// Disable /-/search
    #[arg(long)]
    no_search: bool,
    /// Let assistants search and read pages at /mcp
    #[arg(long)]
    mcp: bool,
    /// Connections that one address may have open; by default 512
    ///
    /// More are closed at once. An IPv6 network of 64 bits counts as one address.
    #[arg(long, value_name = "N")]
    address_connections: Option<usize>,
    /// Proxies in front of the server: addresses or networks
    ///
    /// They may have as many connections as they like, and their `X-Forwarded-For` says which address guesses passwords.
    #[arg(long, value_name = "NETWORK", value_delimiter = ',')]
    trusted_proxies: Vec<String>,
    /// Number of threads; by default one for each core
    #[arg(long, value_name = "N", value_parser = config::jobs)]
    threads: Option<usize>,
    /// Memory for uncompressed copies of files, for clients that take no gzip; by default 64 MiB
    ///
    /// All sites share it. 0: each request of such a client inflates what it gets.
    #[arg(long, value_name = "BYTES")]
    content_cache: Option<usize>,
    /// How long requests are accepted after SIGTERM, while /readyz fails; by default 0
    ///
    /// Then no new connections are accepted, and requests in progress are completed within 20 seconds.
    #[arg(long, value_name = "SECONDS")]
    drain: Option<u64>,
}

const TRUST: &str = "Which bundle";
const FETCH: &str = "Fetching";
const ACCESS: &str = "Access";

fn parse_secret(text: &str) -> Result<SecretText, String> {
    Ok(SecretText(text.to_owned()))
}

/// Serves until a signal ends it.
pub(super) fn run_host(arguments: HostArgs) -> Exit {
    if let Some(path) = arguments.bundle.as_deref().filter(|path| arguments.cache_dir.is_none() && !path.exists()) {
        // with a cache there may be an earlier bundle to serve until the file is there again
        tell_error(harmless(&format!(
            "there is no file `{0}`: `offprint export DIR -o {0}` makes a bundle",
            path.display()
        )));
        return Exit::Unusable;
    }
    let flags = HostFlags {
        config: arguments.config,
        listen: arguments.listen,
        tls_cert: arguments.tls_cert,
        tls_key: arguments.tls_key,
        token_file: arguments.token_file,
        password_failures: arguments.password_failures,
        lock_seconds: arguments.lock_seconds,
        drain: arguments.drain,
        threads: arguments.threads,
        content_bytes: arguments.content_cache,
        address_connections: arguments.address_connections,
        trusted_proxies: arguments.trusted_proxies,
        cache_dir: arguments.cache_dir,
        site: SiteFlags {
            hosts: Vec::new(),
            bundle: arguments.bundle,
            bundle_url: arguments.bundle_url,
            bundle_url_file: arguments.bundle_url_file,
            version: arguments.export_version,
            sha256: arguments.sha256,
            public_key: arguments.public_key,
            allow_downgrade: arguments.allow_downgrade,
            max_bytes: arguments.max_bytes,
            allow_http: arguments.allow_http,
            ca_file: arguments.ca_file,
            keep: arguments.keep,
            watch: arguments.watch_url,
            readers: arguments.readers,
            noindex: arguments.noindex,
            no_search: arguments.no_search,
            mcp: arguments.mcp,
        },
    };
    let options = match flags.options() {
        Ok(options) => options,
        Err(message) => {
            tell_error(harmless(&message));
            return Exit::Unusable;
        }
    };
    match host::serve_bundles(options, Arc::new(say)) {
        Ok(()) => Exit::Done,
        Err(error) => {
            if matches!(error, HostError::Refused(_)) {
                // the event has said why
                return Exit::Errors;
            }
            tell_error(harmless(&error.to_string()));
            Exit::Unusable
        }
    }
}

/// One line for each event.
fn say(event: HostEvent) {
    let at = |site: &str| if site.is_empty() { String::new() } else { format!("{}: ", harmless(site)) };
    match event {
        HostEvent::Listening { address, is_encrypted } => {
            tell(format_args!("Listening on {}://{address}/", if is_encrypted { "https" } else { "http" }))
        }
        HostEvent::Active { site, version, sha256, pages, origin, elapsed } => {
            let from = match origin {
                BundleOrigin::Fresh => "",
                BundleOrigin::Cached => ", from the cache",
                BundleOrigin::Previous => ", from the cache until a new one is verified",
                BundleOrigin::RolledBack => ", rolled back",
            };
            let short: String = sha256.chars().take(12).collect();
            tell(format_args!(
                "{}Serving {} of version {} (sha256 {short}){from}: {}",
                at(&site),
                plural(pages, "page"),
                harmless(&version),
                took(elapsed)
            ));
        }
        HostEvent::Failed { site, failure, is_serving, retry } => {
            let next = match retry {
                Some(wait) => format!("; next try in {} s", wait.as_secs()),
                None => String::new(),
            };
            let state = if is_serving { "; the active bundle is kept" } else { "; there is no bundle to serve" };
            let again =
                if matches!(failure, UpdateFailure::Refused(_)) && retry.is_none() { "" } else { next.as_str() };
            tell_error(harmless(&format!("{}{failure}{state}{again}", at(&site))));
        }
        HostEvent::Unchanged { site } => tell(format_args!("{}The bundle has not changed.", at(&site))),
        HostEvent::Trouble { message } => tell_error(harmless(&message)),
        HostEvent::Draining { connections } => {
            tell(format_args!("Stopping; {} open.", plural(connections as u64, "connection")))
        }
    }
}

fn took(elapsed: Duration) -> String {
    if elapsed < Duration::from_secs(1) {
        format!("{} ms", elapsed.as_millis())
    } else {
        format!("{:.1} s", elapsed.as_secs_f64())
    }
}
