//! The tables about the service itself.

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use ipnet::IpNet;
use url::Url;

use crate::config::host;
use ::host::SiteReaders;
use base::hex::from_hex;
use bundle::sign::{KeyError, Signer};
use confine::Isolation;
use fetch::git::Protocol;
use http::lockout::LockoutRule;
use http::peer::NetworkList;
use service::api::{PreviewAccess, PreviewUrl};
use service::store::Ledger;
use service::tenant::TenantDirectory;

use super::file::ServiceFile;
use super::place::{At, ConfigProblems};
use super::{
    AgentConfig, AuditLog, ServiceConfig, resolve_config_path, secret::read_secret, webhooks::webhook_settings,
};

/// Longest lifetime of a link, seconds: that of object stores.
pub(super) const LINK_TTL_SECONDS: u64 = 604_800;

/// Most exports and deployments at the same time: each is a process, which may take a gigabyte.
const WORKERS: u64 = 1_024;

/// Copies of archives that are kept elsewhere, bytes.
const CACHE_BYTES: u64 = 4 << 30;
const MIN_CACHE_BYTES: u64 = 64 << 20;

/// The protocols of Git.
const PROTOCOLS: [Protocol; 3] = [Protocol::Https, Protocol::Ssh, Protocol::File];

/// Everything but organizations and projects. What is wrong has its default here, and a problem.
pub(super) fn check_server(
    file: &ServiceFile,
    base: &Path,
    variable: &dyn Fn(&str) -> Option<String>,
    problems: &mut ConfigProblems<'_>,
) -> ServiceConfig {
    let server = &file.server;
    let default = SocketAddr::from(([127, 0, 0, 1], 8080));
    let listen = server.listen.as_ref().and_then(|text| socket(text, problems)).unwrap_or(default);
    let metrics_listen = server.metrics_listen.as_ref().and_then(|text| socket(text, problems));
    if let (Some(at), Some(metrics)) = (&server.metrics_listen, metrics_listen)
        && metrics == listen
        && metrics.port() != 0
    {
        problems.add(at, "the same address as `listen`: leave it out to have the metrics there");
    }
    let public_url = server.public_url.as_ref().and_then(|text| problems.check(text, public_url(&text.value)));
    let preview_url =
        server.preview_url.as_ref().and_then(|text| problems.check(text, text.value.parse::<PreviewUrl>()));
    if let (Some(at), Some(public)) = (server.preview_url.as_ref().or(server.public_url.as_ref()), &public_url)
        && public.host_str().is_some_and(|host| previews_of(&preview_url, listen).covers(host))
    {
        problems.add(
            at,
            "the host of `public_url` would be a preview: previews need a domain of their own, which `preview_url` names",
        );
    }
    let trusted_proxies = server.trusted_proxies.as_ref().map(|list| networks(list, problems)).unwrap_or_default();
    let data_dir = server.data_dir.as_ref().map(|path| resolve_config_path(base, path));
    if let (Some(at), true) = (&server.data_dir, server.data_dir.as_ref().is_some_and(|path| path.value.is_empty())) {
        problems.add(at, "a folder is needed: leave `data_dir` out to keep nothing");
    }
    let store_url = file.store.url.as_ref().and_then(|text| problems.check(text, store_url(&text.value)));
    if let (Some(at), None) = (&file.store.url, &file.storage.url) {
        problems.add(at, "bundles must lie where all machines reach them: `[storage] url` is missing");
    }
    ServiceConfig {
        listen,
        metrics_listen,
        public_url,
        preview_url,
        preview_access: preview_access(file, base, problems),
        lockout: preview_lockout(file, problems),
        data_dir,
        trusted_proxies,
        workers: server.workers.as_ref().and_then(|number| problems.check(number, workers(number.value))),
        isolation: server
            .isolation
            .as_ref()
            .and_then(|text| problems.check(text, isolation(&text.value)))
            .unwrap_or_default(),
        signing_keys: signing_keys(file, base, variable, problems),
        signer: signer(file, base, variable, problems),
        store_url,
        cache_bytes: cache_bytes(file, problems),
        storage_url: file.storage.url.as_ref().and_then(|text| problems.check(text, storage_url(&text.value))),
        git_protocols: protocols(file, problems),
        auth_failures_per_minute: checked_count(&file.limits.auth_failures_per_minute, 30, problems),
        job_seconds: file.limits.job_seconds.as_ref().map_or(600, |seconds| seconds.value),
        agent: agent(file, problems),
        audit: audit(file, base, problems),
        has_console: file.console.enabled,
        webhooks: webhook_settings(file, problems),
        directory: TenantDirectory::default(),
    }
}

/// Where previews are, also if nothing is said about it.
pub(super) fn previews_of(preview_url: &Option<PreviewUrl>, listen: SocketAddr) -> PreviewUrl {
    preview_url.clone().unwrap_or_else(|| PreviewUrl::local(listen.port()))
}

/// Who may see previews.
fn preview_access(file: &ServiceFile, base: &Path, problems: &mut ConfigProblems<'_>) -> PreviewAccess {
    let previews = &file.previews;
    let access = previews.access.as_ref().map_or("link", |access| access.value.as_str());
    match (access, &previews.readers, &previews.access) {
        ("basic", Some(path), _) => {
            let read = problems.check(path, SiteReaders::read(&resolve_config_path(base, path)));
            return read.map_or(PreviewAccess::Key, PreviewAccess::Basic);
        }
        ("basic", None, Some(at)) => {
            problems.add(at, "it needs `readers`, a file with a line `user:password` for each")
        }
        ("link" | "key", Some(readers), _) => problems.add(readers, "only `access = \"basic\"` has readers"),
        ("link", None, _) => return PreviewAccess::Link,
        ("key", None, _) => return PreviewAccess::Key,
        (other, _, Some(at)) => problems.add(at, format_args!("`{other}` is none of `link`, `key`, `basic`")),
        (_, _, None) => {}
    }
    PreviewAccess::Key
}

/// When wrong passwords of readers lock.
fn preview_lockout(file: &ServiceFile, problems: &mut ConfigProblems<'_>) -> LockoutRule {
    let default = LockoutRule::default();
    let failures = checked_count(&file.previews.password_failures, default.failures, problems);
    let Some(at) = &file.previews.lock_seconds else { return LockoutRule { failures, ..default } };
    problems.check(at, host::lockout(Some(failures), Some(at.value))).unwrap_or(default)
}

fn socket(text: &At<String>, problems: &mut ConfigProblems<'_>) -> Option<SocketAddr> {
    let parsed = text
        .value
        .parse()
        .map_err(|_| format!("`{}` is no address with a port, such as `127.0.0.1:8080` or `[::]:8080`", text.value));
    problems.check(text, parsed)
}

fn workers(number: u64) -> Result<NonZeroUsize, String> {
    let fits = usize::try_from(number).ok().and_then(NonZeroUsize::new).filter(|_| number <= WORKERS);
    fits.ok_or_else(|| format!("from 1 to {WORKERS}: leave it out to have one for each core"))
}

fn isolation(text: &str) -> Result<Isolation, String> {
    let named = Isolation::NAMES.into_iter().find(|(name, _)| *name == text).map(|(_, isolation)| isolation);
    named.ok_or_else(|| {
        let names = Isolation::NAMES.map(|(name, _)| format!("`{name}`")).join(", ");
        format!("`{text}` is none of {names}")
    })
}

/// A number that fits.
pub(super) fn checked_count(number: &Option<At<u64>>, default: u32, problems: &mut ConfigProblems<'_>) -> u32 {
    let Some(number) = number else { return default };
    let fits = u32::try_from(number.value).map_err(|_| format!("at most {}", u32::MAX));
    problems.check(number, fits).unwrap_or(default)
}

/// A lifetime of links.
pub(super) fn link_ttl(seconds: &At<u64>, problems: &mut ConfigProblems<'_>) -> u64 {
    if !(1..=LINK_TTL_SECONDS).contains(&seconds.value) {
        problems.add(seconds, format_args!("from 1 to {LINK_TTL_SECONDS} seconds"));
    }
    seconds.value
}

/// A list of networks.
pub(super) fn networks(list: &At<Vec<String>>, problems: &mut ConfigProblems<'_>) -> NetworkList {
    let networks: Vec<IpNet> =
        list.value.iter().filter_map(|text| problems.check(list, NetworkList::network(text))).collect();
    NetworkList::new(networks)
}

fn public_url(text: &str) -> Result<Url, String> {
    let example = "write scheme and host only, such as `https://api.docs.example`";
    let url = Url::parse(text).map_err(|error| format!("`{text}` is no address ({error}): {example}"))?;
    let bare = url.path() == "/"
        && url.query().is_none()
        && url.fragment().is_none()
        && url.username().is_empty()
        && url.password().is_none();
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() || !bare {
        return Err(format!("`{text}`: {example}"));
    }
    Ok(url)
}

fn storage_url(text: &str) -> Result<Url, String> {
    let example = "write `s3://bucket/prefix`; endpoint and credentials are read from the environment";
    let url = Url::parse(text).map_err(|error| format!("no address ({error}): {example}"))?;
    // the text itself is not repeated: it may hold what it must not
    let bare =
        url.query().is_none() && url.fragment().is_none() && url.username().is_empty() && url.password().is_none();
    if url.scheme() != "s3" || url.host_str().is_none_or(str::is_empty) || !bare {
        return Err(format!("not a bucket: {example}"));
    }
    Ok(url)
}

/// The text itself is not repeated: it may hold a password.
fn store_url(text: &str) -> Result<String, String> {
    Ledger::check_url(text).map(|()| text.to_owned())
}

fn cache_bytes(file: &ServiceFile, problems: &mut ConfigProblems<'_>) -> u64 {
    let Some(bytes) = &file.storage.cache_bytes else { return CACHE_BYTES };
    if bytes.value < MIN_CACHE_BYTES {
        problems.add(bytes, format_args!("at least {MIN_CACHE_BYTES} bytes"));
    }
    bytes.value
}

/// The keys that sign links, the current one first.
fn signing_keys(
    file: &ServiceFile,
    base: &Path,
    variable: &dyn Fn(&str) -> Option<String>,
    problems: &mut ConfigProblems<'_>,
) -> Vec<[u8; 32]> {
    let read = |value: &toml::Value| {
        let wrong = "64 lower-case hexadecimal digits, such as `openssl rand -hex 32` prints";
        read_secret(value, base, variable).and_then(|text| from_hex(text.trim()).ok_or_else(|| wrong.to_owned()))
    };
    let mut keys: Vec<[u8; 32]> = Vec::new();
    if let Some(at) = &file.bundles.signing_key {
        keys.extend(problems.check(at, read(&at.value)));
    }
    let Some(previous) = &file.bundles.previous_signing_keys else { return keys };
    if file.bundles.signing_key.is_none() && !previous.value.is_empty() {
        problems.add(previous, "earlier keys need a current `signing_key`");
    }
    for value in &previous.value {
        keys.extend(problems.check(previous, read(value)));
    }
    keys
}

/// The key that signs bundles.
fn signer(
    file: &ServiceFile,
    base: &Path,
    variable: &dyn Fn(&str) -> Option<String>,
    problems: &mut ConfigProblems<'_>,
) -> Option<Arc<Signer>> {
    let mut read = |at: &Option<At<toml::Value>>| {
        at.as_ref().and_then(|at| problems.check(at, read_secret(&at.value, base, variable)))
    };
    let (key, password) = (read(&file.bundles.minisign_key), read(&file.bundles.minisign_password));
    if let (Some(at), None) = (&file.bundles.minisign_password, &file.bundles.minisign_key) {
        problems.add(at, "the password of `minisign_key`, which is not there");
    }
    let at = file.bundles.minisign_key.as_ref()?;
    let parsed = Signer::parse(&key?, password.as_deref()).map_err(|error| match error {
        KeyError::NeedsPassword => "is encrypted: add `minisign_password`".to_owned(),
        error => error.to_string(),
    });
    problems.check(at, parsed.map_err(|why| format!("the key {why}"))).map(Arc::new)
}

/// Where the audit log is.
fn audit(file: &ServiceFile, base: &Path, problems: &mut ConfigProblems<'_>) -> Option<AuditLog> {
    let log = file.audit.log.as_ref()?;
    if log.value.is_empty() {
        problems.add(log, "`stdout` or the path of a file: leave `log` out to have no audit log");
    }
    let file_path = (log.value != "stdout").then(|| resolve_config_path(base, log));
    Some(AuditLog { file: file_path, reads: file.audit.reads.unwrap_or_default() })
}

fn protocols(file: &ServiceFile, problems: &mut ConfigProblems<'_>) -> Vec<Protocol> {
    let Some(list) = &file.git.allow_protocols else { return vec![Protocol::Https] };
    let mut allowed = Vec::new();
    for name in &list.value {
        match PROTOCOLS.into_iter().find(|protocol| protocol.name() == name) {
            Some(protocol) => allowed.push(protocol),
            None => {
                problems.add(list, format_args!("`{name}` is none of `{}`", PROTOCOLS.map(Protocol::name).join("`, `")))
            }
        }
    }
    allowed
}

fn agent(file: &ServiceFile, problems: &mut ConfigProblems<'_>) -> AgentConfig {
    let agent = &file.agent;
    let command = agent.command.as_ref().map(|command| command.value.clone()).unwrap_or_default();
    if let (Some(at), true) = (&agent.command, command.first().is_some_and(String::is_empty)) {
        problems.add(at, "the first word is the program");
    }
    if let Some(at) = agent.timeout_seconds.as_ref().filter(|seconds| seconds.value == 0) {
        problems.add(at, "at least 1 second");
    }
    AgentConfig {
        command,
        model: agent.model.as_ref().map_or_else(|| "default".to_owned(), |model| model.value.clone()),
        timeout_seconds: agent.timeout_seconds.as_ref().map_or(1800, |seconds| seconds.value),
        archive_after_seconds: agent.archive_after_seconds.as_ref().map_or(2_592_000, |seconds| seconds.value),
    }
}
