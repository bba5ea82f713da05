//! Where a site's bundles come from: a file of this machine, or a link that is fetched. Each look gives a candidate, or
//! says that nothing changed.

use std::fs;
use std::io::{self, Read as _};
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use url::{Host, Url};

use base::atomic_file::unique_name;
use fetch::{Certificate, Client, DownloadLimits, FetchPolicy, System};

use super::active_bundle::{ActiveBundle, Lying, SourceCheck, SourceMemory, TemporaryFile, UpdateOutcome, Why};
use super::cache::is_full;
use super::candidate::{CheckedBundle, candidate_too_large, is_whole};
use super::catalog::CachedBundle;
use super::download::{self, DownloadRequest, Got};
use super::{BundleSource, HostEvent, UpdateFailure};

/// Bounds of a fetch, beside its bytes.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);
const IDLE_TIMEOUT: Duration = Duration::from_secs(10);
/// Longest file with a link.
const LINK_BYTES: u64 = 8 << 10;
/// Largest file with certificate authorities.
const AUTHORITY_BYTES: u64 = 4 << 20;

impl ActiveBundle {
    pub(super) async fn look_at_source(
        &self,
        memory: &mut SourceMemory,
        look: SourceCheck,
    ) -> Result<UpdateOutcome, UpdateFailure> {
        match &self.options.source {
            BundleSource::File(path) => self.take_file(path, memory, look).await,
            BundleSource::Url(_) | BundleSource::UrlFile(_) => self.fetch(memory, look).await,
        }
    }

    /// A file of this machine. With a cache that stays it is copied there, else served where it lies.
    async fn take_file(
        &self,
        path: &Path,
        memory: &mut SourceMemory,
        look: SourceCheck,
    ) -> Result<UpdateOutcome, UpdateFailure> {
        let shown = path.display();
        let unreadable = |error: io::Error| UpdateFailure::Unavailable(format!("cannot read `{shown}`: {error}"));
        let metadata = fs::metadata(path).map_err(unreadable)?;
        let changed = metadata.modified().map(|time| format!("{time:?} {}", metadata.len())).unwrap_or_default();
        let seen = (changed, String::new());
        if look.why == Why::Watch && memory.seen.as_ref() == Some(&seen) {
            return Ok(UpdateOutcome::Unchanged);
        }
        memory.seen = Some(seen);
        let about = |checked: &CheckedBundle| CachedBundle {
            sha256: checked.sha256.clone(),
            size: metadata.len(),
            version: checked.site.version().map(str::to_owned),
            tag: None,
            from: None,
        };
        if metadata.len() > self.options.max_bytes {
            return Err(candidate_too_large(self.options.max_bytes));
        }
        let taken = if self.cache.is_lasting() {
            let copy = self.copy(path).await?;
            self.take(&copy.0, about, None, look).await
        } else {
            // opening a pipe would wait for a writer
            let lying = if metadata.is_file() { Some(Lying::open(path).map_err(unreadable)?) } else { None };
            self.take(path, about, lying, look).await
        };
        if matches!(taken, Err(UpdateFailure::Unavailable(_))) {
            memory.seen = None;
        }
        taken
    }

    /// A copy of a file beside the cache.
    async fn copy(&self, from: &Path) -> Result<TemporaryFile, UpdateFailure> {
        let copy = TemporaryFile(self.cache.parts().join(format!("local-{}.zip", unique_name())));
        let mut may_make_room = true;
        loop {
            let (from, to) = (from.to_owned(), copy.0.clone());
            let copied = tokio::task::spawn_blocking(move || {
                to.parent().map_or(Ok(()), fs::create_dir_all)?;
                fs::copy(&from, &to)?;
                fs::File::open(&to)?.sync_all()
            });
            match copied.await.unwrap_or_else(|_| Err(io::ErrorKind::Interrupted.into())) {
                Ok(()) => return Ok(copy),
                Err(error) if is_full(&error) && std::mem::take(&mut may_make_room) && self.make_room() => {}
                Err(error) => {
                    return Err(UpdateFailure::Unavailable(format!(
                        "the bundle cannot be copied to the cache: {error}"
                    )));
                }
            }
        }
    }

    /// Gives up bundles of the cache that are not needed. Whether there were any.
    fn make_room(&self) -> bool {
        let count = self.cache.make_room();
        if count > 0 {
            self.tell(HostEvent::Trouble {
                message: format!(
                    "the cache is full: {count} earlier {} removed",
                    if count == 1 { "bundle was" } else { "bundles were" }
                ),
            });
        }
        count > 0
    }

    async fn fetch(&self, memory: &mut SourceMemory, look: SourceCheck) -> Result<UpdateOutcome, UpdateFailure> {
        let url = self.link()?;
        let name = download::public_url_name(&url);
        self.judge(&url)?;
        let client = self.client(&url)?;
        // after a command, what was rejected or rolled back is fetched again; else the server's answer that nothing
        // changed is enough
        let active = self.loaded().as_ref().map(Arc::clone);
        let known = match (look.why, &active) {
            (Why::Watch, Some(_)) if memory.seen.as_ref().is_some_and(|(_, from)| *from == name) => {
                memory.seen.as_ref().map(|(tag, _)| tag.clone())
            }
            (_, Some(active)) => active.cached.tag.clone().filter(|_| active.cached.from.as_ref() == Some(&name)),
            // without a pin the newest of the cache may still be what the server has
            (_, None) => self.newest_of(&name),
        };
        let judge = |url: &Url| self.judge(url);
        let way = DownloadRequest { client: &client, url: &url, limit: self.options.max_bytes, judge: &judge };
        let mut got = download::download_bundle(&way, &self.cache.parts(), known.as_deref()).await?;
        if matches!(got, Got::NoRoom(_)) && self.make_room() {
            got = download::download_bundle(&way, &self.cache.parts(), known.as_deref()).await?;
        }
        match got {
            Got::NoRoom(message) => Err(UpdateFailure::Unavailable(format!(
                "{message}; the cache holds no bundle that is not needed, so its volume has to be larger, or `--keep` 1"
            ))),
            Got::Unchanged if active.is_none() && self.loaded().is_none() => {
                let newest = self
                    .cache
                    .catalog()
                    .bundles
                    .into_iter()
                    .find(|cached| cached.tag == known && cached.from.as_ref() == Some(&name));
                let newest = newest
                    .ok_or_else(|| UpdateFailure::Unavailable("the server says that nothing changed".to_owned()))?;
                self.take_cached(newest, look).await
            }
            Got::Unchanged => Ok(UpdateOutcome::Unchanged),
            Got::Whole { path, tag, is_measured } => {
                let path = TemporaryFile(path);
                memory.seen = tag.clone().map(|tag| (tag, name.clone()));
                let size = fs::metadata(&path.0).map_or(0, |metadata| metadata.len());
                let about = |checked: &CheckedBundle| CachedBundle {
                    sha256: checked.sha256.clone(),
                    size,
                    version: checked.site.version().map(str::to_owned),
                    tag,
                    from: Some(name),
                };
                let taken = self.take(&path.0, about, None, look).await;
                // an answer without a length may have lost its end, which another try can bring
                taken.map_err(|failure| match failure {
                    UpdateFailure::Refused(message) if !is_measured && !is_whole(&path.0) => {
                        UpdateFailure::Unavailable(format!("the download is not complete: {message}"))
                    }
                    other => other,
                })
            }
        }
    }

    /// The tag of the newest bundle that came from an address.
    fn newest_of(&self, name: &str) -> Option<String> {
        let expect = &self.options.expect;
        let is_free = expect.sha256.is_none() && expect.version.is_none();
        self.cache
            .catalog()
            .bundles
            .into_iter()
            .next()
            .filter(|cached| is_free && cached.from.as_deref() == Some(name) && !self.is_passed_over(&cached.sha256))?
            .tag
    }

    /// The link, which may have become another one.
    fn link(&self) -> Result<Url, UpdateFailure> {
        let text = match &self.options.source {
            BundleSource::Url(secret) => secret.0.clone(),
            BundleSource::UrlFile(path) => short_text(path, LINK_BYTES)
                .map_err(|error| UpdateFailure::Unavailable(format!("cannot read the file with the link: {error}")))?,
            BundleSource::File(_) => String::new(),
        };
        // the text is not shown: it may be a secret with a slip in it
        Url::parse(text.trim()).map_err(|error| UpdateFailure::Refused(format!("the link is no address: {error}")))
    }

    /// Whether an address may be requested without encryption.
    fn judge(&self, url: &Url) -> Result<(), UpdateFailure> {
        let (options, host) = (&self.options, url.host_str().unwrap_or_default());
        let is_pinned = options.expect.sha256.is_some() || options.expect.key.is_some();
        let is_named =
            options.own_hosts.iter().any(|own| own == host || own.rsplit_once(':').is_some_and(|(own, _)| own == host));
        if url.scheme() != "http" || is_pinned || is_named || is_near(url) {
            return Ok(());
        }
        Err(UpdateFailure::Refused(format!(
            "`{host}` is asked without encryption: use https, or give `--sha256`, `--public-key` or `--allow-http {host}`"
        )))
    }

    /// A client for the host of the link: that may lie in a private network, others that it redirects to only if they
    /// were named.
    fn client(&self, url: &Url) -> Result<Client, UpdateFailure> {
        let options = &self.options;
        let host = url.host_str().unwrap_or_default();
        let port = url.port().map_or_else(String::new, |port| format!(":{port}"));
        let own = options.own_hosts.iter().cloned().chain([format!("{host}{port}")]);
        let policy =
            FetchPolicy { own: own.filter_map(|server| server.parse().ok()).collect(), ..FetchPolicy::default() };
        let limits = DownloadLimits {
            bytes: options.max_bytes,
            connect: CONNECT_TIMEOUT,
            head: HEAD_TIMEOUT,
            idle: IDLE_TIMEOUT,
            ..DownloadLimits::default()
        };
        let authorities = options
            .authorities
            .as_deref()
            .map(authorities)
            .transpose()
            .map_err(UpdateFailure::Unavailable)?
            .unwrap_or_default();
        Client::with_authorities(policy, limits, Arc::new(System), authorities)
            .map_err(|error| UpdateFailure::Unavailable(error.to_string()))
    }
}

/// Whether a link leads to this machine or its own network, by an address that says so.
fn is_near(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback() || address.is_private(),
        Some(Host::Ipv6(address)) => IpAddr::V6(address).is_loopback() || address.is_unique_local(),
        None => false,
    }
}

/// The certificates of a file with authorities.
pub(super) fn authorities(path: &Path) -> Result<Vec<Certificate>, String> {
    let unusable = |why: &dyn std::fmt::Display| {
        format!("the certificate authorities in `{}` cannot be used: {why}", path.display())
    };
    let text = short_text(path, AUTHORITY_BYTES).map_err(|error| unusable(&error))?;
    let found = Certificate::from_pem_bundle(text.as_bytes()).map_err(|error| unusable(&error))?;
    if found.is_empty() { Err(unusable(&"it holds no certificate")) } else { Ok(found) }
}

/// The text of a file that is not larger than it may be.
pub(super) fn short_text(path: &Path, limit: u64) -> io::Result<String> {
    let mut text = String::new();
    fs::File::open(path)?.take(limit + 1).read_to_string(&mut text)?;
    if text.len() as u64 > limit { Err(io::Error::other("it is too large")) } else { Ok(text) }
}
