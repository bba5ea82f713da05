//! Which bundle a site shows. At the start: the cached one that is asked for, else the source's, else the last one of the cache, else none yet. After that a
//! new bundle becomes active once it is verified, in one step; whatever goes wrong before leaves everything as it is.

use std::fs;
use std::io::Read as _;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use arc_swap::{ArcSwapOption, Guard};
use url::{Host, Url};

use crate::fetch::{Certificate, Client, Limits, Policy, System};

use super::cache::{Cache, Kept, own_name};
use super::candidate::{Checked, check, is_whole, site_options, too_large};
use super::download::{self, Got};
use super::site::{self, Site};
use super::{Event, Failure, Origin, SiteOptions, Source, Tell};

/// The first wait before a failed fetch is repeated; it doubles up to the last.
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LAST_WAIT: Duration = Duration::from_secs(60);
/// Bounds of a fetch, beside its bytes.
const CONNECT: Duration = Duration::from_secs(10);
const HEAD: Duration = Duration::from_secs(30);
const IDLE: Duration = Duration::from_secs(10);
/// Longest file with a link.
const LINK_BYTES: u64 = 8 << 10;
/// Largest file with certificate authorities.
const AUTHORITY_BYTES: u64 = 4 << 20;

/// A bundle that is shown.
#[derive(Debug)]
pub(super) struct Active {
    pub(super) site: Site,
    /// Of the archive.
    pub(super) sha256: String,
    /// Where the archive lies, if it is no file of the cache: then it cannot be opened again.
    is_own: bool,
    kept: Kept,
}

/// What came of a look at the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Another bundle is active.
    Switched,
    /// The same is.
    Unchanged,
}

/// Chooses and holds the bundle of one site.
pub(super) struct Holder {
    pub(super) options: SiteOptions,
    active: ArcSwapOption<Active>,
    /// Only one look at the source at a time.
    busy: tokio::sync::Mutex<Memory>,
    cache: Cache,
    /// Earlier bundles that only lie open: files that are not in the cache.
    open: Mutex<Vec<Arc<Active>>>,
    tell: Tell,
}

/// What is remembered from one look at the source to the next.
#[derive(Default)]
struct Memory {
    /// The version that the server named last, whatever became of it, and the address that it is of.
    seen: Option<(String, String)>,
    /// The digest of a bundle that an operator turned away from: only a reload brings it back.
    turned_away: Option<String>,
}

/// Why the source is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    /// Time has passed.
    Watch,
    /// Somebody asked.
    Asked,
}

impl std::fmt::Debug for Holder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Holder").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Holder {
    pub(super) fn new(options: SiteOptions, tell: Tell) -> std::io::Result<Self> {
        let cache = Cache::open(options.cache.as_deref(), options.keep)?;
        Ok(Self { options, active: ArcSwapOption::empty(), busy: tokio::sync::Mutex::default(), cache, open: Mutex::default(), tell })
    }

    /// The bundle that is shown now; it stays whole for whoever holds it.
    pub(super) fn active(&self) -> Guard<Option<Arc<Active>>> {
        self.active.load()
    }

    /// The name that events give it.
    pub(super) fn name(&self) -> String {
        self.options.hosts.first().cloned().unwrap_or_default()
    }

    /// Tells an event.
    pub(super) fn tell(&self, event: Event) {
        (self.tell)(event);
    }

    /// Finds the first bundle and goes on looking for others.
    ///
    /// # Errors
    /// What the source has is refused, and there is no other.
    pub(super) async fn run(self: Arc<Self>) -> Result<(), Failure> {
        if !self.clone().start_from_cache().await {
            let mut wait = FIRST_WAIT;
            while let Err(failure) = self.look(Why::Asked).await {
                if self.active.load().is_none() {
                    self.clone().start_from_previous().await;
                }
                let is_serving = self.active.load().is_some();
                let is_final = matches!(failure, Failure::Refused(_));
                let retry = (!is_final).then_some(wait);
                self.tell(Event::Failed { site: self.name(), failure: failure.clone(), is_serving, retry });
                match (is_final, is_serving) {
                    (true, false) => return Err(failure),
                    (true, true) => break,
                    (false, _) => tokio::time::sleep(wait).await,
                }
                wait = (wait * 2).min(LAST_WAIT);
            }
        }
        let Some(every) = self.options.watch else { return Ok(()) };
        loop {
            tokio::time::sleep(every).await;
            match self.look(Why::Watch).await {
                Ok(_) => {}
                Err(failure) => self.tell(Event::Failed { site: self.name(), failure, is_serving: self.active.load().is_some(), retry: Some(every) }),
            }
        }
    }

    /// Activates the bundle of the cache that is exactly the one that is asked for.
    async fn start_from_cache(self: Arc<Self>) -> bool {
        let expect = &self.options.expect;
        let is_asked_for = |kept: &Kept| match (&expect.sha256, &expect.version) {
            (Some(sha256), _) => kept.sha256 == *sha256,
            (None, Some(version)) => kept.version.as_ref() == Some(version),
            (None, None) => false,
        };
        let Some(kept) = self.cache.list().into_iter().find(is_asked_for) else { return false };
        self.activate_kept(kept, Origin::Cached, true).await.is_ok()
    }

    /// Activates the newest bundle of the cache that is intact, whatever was asked for.
    async fn start_from_previous(self: Arc<Self>) {
        for kept in self.cache.list() {
            if self.activate_kept(kept, Origin::Previous, false).await.is_ok() {
                return;
            }
        }
    }

    async fn activate_kept(&self, kept: Kept, origin: Origin, is_exact: bool) -> Result<(), Failure> {
        let began = Instant::now();
        let path = self.cache.path(&kept.sha256);
        let mut options = self.options.clone();
        if !is_exact {
            // what an operator trusted before, except for who signed it
            options.expect = super::Expect { key: options.expect.key, ..Default::default() };
        }
        options.expect.sha256 = Some(kept.sha256.clone());
        let checked = in_background(move || check(&path, &options, None)).await;
        match checked {
            Ok(Checked { site, .. }) => {
                self.switch(Active { sha256: kept.sha256.clone(), is_own: false, site, kept }, origin, began);
                Ok(())
            }
            Err(failure) => {
                self.tell(Event::Trouble { message: format!("a bundle of the cache is not used any more: {failure}") });
                self.cache.forget(&kept.sha256);
                Err(failure)
            }
        }
    }

    fn switch(&self, active: Active, origin: Origin, began: Instant) {
        let event = Event::Active {
            site: self.name(),
            version: active.site.shown_version().to_str().unwrap_or_default().to_owned(),
            sha256: active.sha256.clone(),
            pages: active.site.pages(),
            origin,
            elapsed: began.elapsed(),
        };
        let before = self.active.swap(Some(Arc::new(active)));
        if let Some(before) = before.filter(|before| before.is_own && origin == Origin::Fresh) {
            let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            open.push(before);
            let many = open.len().saturating_sub(self.options.keep);
            open.drain(..many);
        }
        self.tell(event);
    }

    /// Looks for another bundle at the source and activates it if it may be served.
    ///
    /// # Errors
    /// Why everything stays as it is.
    pub(super) async fn look(&self, why: Why) -> Result<Outcome, Failure> {
        let began = Instant::now();
        let mut memory = self.busy.lock().await;
        if why == Why::Asked {
            memory.turned_away = None;
        }
        let outcome = match &self.options.source {
            Source::File(path) => self.take_file(path, &mut memory, why, began).await,
            Source::Url(_) | Source::UrlFile(_) => self.fetch(&mut memory, why, began).await,
        };
        if outcome == Ok(Outcome::Unchanged) && why == Why::Asked {
            self.tell(Event::Unchanged { site: self.name() });
        }
        outcome
    }

    /// The bundle before the active one.
    ///
    /// # Errors
    /// There is none.
    pub(super) async fn roll_back(&self) -> Result<(), Failure> {
        let began = Instant::now();
        let mut memory = self.busy.lock().await;
        let none = || Failure::Unavailable("there is no earlier bundle".to_owned());
        let current = self.active.load_full().ok_or_else(none)?;
        let earlier = self.open.lock().unwrap_or_else(PoisonError::into_inner).pop();
        if let Some(earlier) = earlier {
            let earlier = Arc::try_unwrap(earlier).or_else(|shared| Site::reopen(shared.site.archive().path(), self.site_options()).map(|site| Active {
                site,
                sha256: shared.sha256.clone(),
                is_own: true,
                kept: shared.kept.clone(),
            }));
            let earlier = earlier.map_err(|error| Failure::Unavailable(error.to_string()))?;
            memory.turned_away = Some(current.sha256.clone());
            self.switch(earlier, Origin::RolledBack, began);
            return Ok(());
        }
        let list = self.cache.list();
        // those behind the active one in the list are older
        let at = list.iter().position(|kept| kept.sha256 == current.sha256).map_or(0, |at| at + 1);
        let kept = list.get(at).cloned().ok_or_else(none)?;
        let (path, options) = (self.cache.path(&kept.sha256), self.site_options());
        let opened = in_background(move || Site::reopen(&path, options).map_err(|error| Failure::Refused(error.to_string()))).await?;
        memory.turned_away = Some(current.sha256.clone());
        self.switch(Active { site: opened, sha256: kept.sha256.clone(), is_own: false, kept }, Origin::RolledBack, began);
        Ok(())
    }

    fn site_options(&self) -> site::Options {
        site_options(&self.options)
    }

    /// The candidate of a look is checked and becomes active.
    async fn take(&self, path: &Path, kept: impl FnOnce(&Checked) -> Kept, memory: &Memory, began: Instant) -> Result<Outcome, Failure> {
        let (candidate, options) = (path.to_owned(), self.options.clone());
        let current = self.active.load_full();
        let newest = current.as_ref().and_then(|current| current.site.exported_at().map(str::to_owned));
        let checked = in_background(move || check(&candidate, &options, newest)).await?;
        let is_known = |sha256: &Option<String>| sha256.as_ref() == Some(&checked.sha256);
        if is_known(&current.map(|current| current.sha256.clone())) || is_known(&memory.turned_away) {
            return Ok(Outcome::Unchanged);
        }
        let kept = kept(&checked);
        let is_own = !path.starts_with(self.cache.parts());
        if !is_own {
            self.cache.put(path, kept.clone()).map_err(|error| Failure::Unavailable(format!("the bundle cannot be kept: {error}")))?;
        }
        self.switch(Active { sha256: checked.sha256, site: checked.site, is_own, kept }, Origin::Fresh, began);
        Ok(Outcome::Switched)
    }

    /// A file of this machine. With a cache that stays it is copied there, else served where it lies.
    async fn take_file(&self, path: &Path, memory: &mut Memory, why: Why, began: Instant) -> Result<Outcome, Failure> {
        let shown = path.display();
        let unreadable = |error: std::io::Error| Failure::Unavailable(format!("cannot read `{shown}`: {error}"));
        let metadata = fs::metadata(path).map_err(unreadable)?;
        let changed = metadata.modified().map(|time| format!("{time:?} {}", metadata.len())).unwrap_or_default();
        let seen = (changed, String::new());
        if why == Why::Watch && memory.seen.as_ref() == Some(&seen) {
            return Ok(Outcome::Unchanged);
        }
        memory.seen = Some(seen);
        let about = |checked: &Checked| Kept { sha256: checked.sha256.clone(), size: metadata.len(), version: checked.site.version().map(str::to_owned), tag: None, from: None };
        if !self.cache.is_lasting() {
            return self.take(path, about, memory, began).await;
        }
        if metadata.len() > self.options.max_bytes {
            return Err(too_large(self.options.max_bytes));
        }
        let (from, parts) = (path.to_owned(), self.cache.parts());
        let copy = in_background(move || {
            let copy = parts.join(format!("local-{}.zip", own_name()));
            let copied = fs::create_dir_all(&parts).and_then(|()| fs::copy(&from, &copy)).and_then(|_| fs::File::open(&copy)?.sync_all());
            copied.map(|()| copy).map_err(|error| Failure::Unavailable(format!("the bundle cannot be copied to the cache: {error}")))
        });
        let copy = Leftover(copy.await?);
        self.take(&copy.0, about, memory, began).await
    }

    async fn fetch(&self, memory: &mut Memory, why: Why, began: Instant) -> Result<Outcome, Failure> {
        let url = self.link()?;
        let name = download::name_of(&url);
        let client = self.client(&url)?;
        // asked for in earnest, what was refused or turned away is fetched again; else the server's word that nothing changed is enough
        let active = self.active.load_full();
        let known = match (why, &active) {
            (Why::Watch, Some(_)) if memory.seen.as_ref().is_some_and(|(_, from)| *from == name) => memory.seen.as_ref().map(|(tag, _)| tag.clone()),
            (_, Some(active)) => active.kept.tag.clone().filter(|_| active.kept.from.as_ref() == Some(&name)),
            // without a pin the newest of the cache may still be what the server has
            (_, None) => self.newest_of(&name),
        };
        match download::download(&client, &url, &self.cache.parts(), known.as_deref()).await? {
            Got::Unchanged if active.is_none() => {
                let newest = self.cache.list().into_iter().find(|kept| kept.tag == known && kept.from.as_ref() == Some(&name));
                let newest = newest.ok_or_else(|| Failure::Unavailable("the server says that nothing changed".to_owned()))?;
                self.activate_kept(newest, Origin::Cached, true).await.map(|()| Outcome::Switched)
            }
            Got::Unchanged => Ok(Outcome::Unchanged),
            Got::Whole { path, tag, is_measured } => {
                let path = Leftover(path);
                memory.seen = tag.clone().map(|tag| (tag, name.clone()));
                let size = fs::metadata(&path.0).map_or(0, |metadata| metadata.len());
                let about = |checked: &Checked| Kept { sha256: checked.sha256.clone(), size, version: checked.site.version().map(str::to_owned), tag, from: Some(name) };
                let taken = self.take(&path.0, about, memory, began).await;
                // an answer without a length may have lost its end, which another try can bring
                taken.map_err(|failure| match failure {
                    Failure::Refused(message) if !is_measured && !is_whole(&path.0) => Failure::Unavailable(format!("the download is not complete: {message}")),
                    other => other,
                })
            }
        }
    }

    /// The tag of the newest bundle that came from an address.
    fn newest_of(&self, name: &str) -> Option<String> {
        let expect = &self.options.expect;
        let is_free = expect.sha256.is_none() && expect.version.is_none();
        self.cache.list().into_iter().next().filter(|kept| is_free && kept.from.as_deref() == Some(name))?.tag
    }

    /// The link, which may have become another one.
    fn link(&self) -> Result<Url, Failure> {
        let text = match &self.options.source {
            Source::Url(secret) => secret.0.clone(),
            Source::UrlFile(path) => short_text(path, LINK_BYTES).map_err(|error| Failure::Unavailable(format!("cannot read the file with the link: {error}")))?,
            Source::File(_) => String::new(),
        };
        // the text is not shown: it may be a secret with a slip in it
        Url::parse(text.trim()).map_err(|error| Failure::Refused(format!("the link is no address: {error}")))
    }

    /// A client for the host of the link: that may lie in a private network, others that it redirects to only if they were named.
    fn client(&self, url: &Url) -> Result<Client, Failure> {
        let options = &self.options;
        let host = url.host_str().unwrap_or_default();
        let is_pinned = options.expect.sha256.is_some() || options.expect.key.is_some();
        let is_named = options.own_hosts.iter().any(|own| own == host || own.rsplit_once(':').is_some_and(|(own, _)| own == host));
        if url.scheme() == "http" && !is_pinned && !is_named && !is_near(url) {
            return Err(Failure::Refused(format!("`{host}` is asked without encryption: use https, or give `--sha256`, `--public-key` or `--allow-http {host}`")));
        }
        let port = url.port().map_or_else(String::new, |port| format!(":{port}"));
        let own = options.own_hosts.iter().cloned().chain([format!("{host}{port}")]);
        let policy = Policy { own: own.filter_map(|server| server.parse().ok()).collect(), ..Policy::default() };
        let limits = Limits { bytes: options.max_bytes, connect: CONNECT, head: HEAD, idle: IDLE, ..Limits::default() };
        let authorities = options.authorities.as_deref().map(authorities).transpose()?.unwrap_or_default();
        Client::with_authorities(policy, limits, Arc::new(System), authorities).map_err(|error| Failure::Unavailable(error.to_string()))
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

fn authorities(path: &Path) -> Result<Vec<Certificate>, Failure> {
    let unusable = |why: String| Failure::Unavailable(format!("the certificate authorities in `{}` cannot be used: {why}", path.display()));
    let text = short_text(path, AUTHORITY_BYTES).map_err(|error| unusable(error.to_string()))?;
    Certificate::from_pem_bundle(text.as_bytes()).map_err(|error| unusable(error.to_string()))
}

/// The text of a file that is not larger than it may be.
pub(super) fn short_text(path: &Path, limit: u64) -> std::io::Result<String> {
    let mut text = String::new();
    fs::File::open(path)?.take(limit + 1).read_to_string(&mut text)?;
    if text.len() as u64 > limit { Err(std::io::Error::other("it is too large")) } else { Ok(text) }
}

/// A file that is removed unless somebody moved it away.
struct Leftover(PathBuf);

impl Drop for Leftover {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Work that keeps a thread busy.
async fn in_background<T: Send + 'static>(work: impl FnOnce() -> Result<T, Failure> + Send + 'static) -> Result<T, Failure> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(Failure::Unavailable("the check of the bundle was broken off".to_owned())))
}
