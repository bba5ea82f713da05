//! Which bundle a site shows. At the start: the cached one that is requested, else the source's, else the last one of
//! the cache, else none yet. After that a new bundle becomes active once it is verified, in one step; whatever goes
//! wrong before leaves everything as it is.
//!
//! A look at the source may take long, so what is shown is decided apart from it: a rollback waits for no network, and
//! what an operator turned away from does not come back by a look that had begun before.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use arc_swap::{ArcSwapOption, Guard};
use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, Shared, WeakShared};
use tokio::sync::OwnedMutexGuard;
use tokio::time::sleep;

use super::cache::BundleCache;
use super::candidate::{CheckedBundle, digest_of, open_candidate, refuse_older};
use super::catalog::{CachedBundle, Catalog};
use super::fingerprint::Fingerprint;
use super::site::{ContentCache, HostedSite, ServeOptions};
use super::{BundleOrigin, BundleSource, HostEvent, SiteOptions, TellEvent, UpdateFailure};

/// The first wait before a failed fetch is repeated; it doubles up to the last.
const MIN_RETRY_DELAY: Duration = Duration::from_secs(1);
const MAX_RETRY_DELAY: Duration = Duration::from_secs(60);
/// How often a file that is served where it lies is looked at.
const FILE_CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// A bundle that is shown.
#[derive(Debug)]
pub(super) struct LoadedBundle {
    pub(super) site: HostedSite,
    /// Of the archive.
    pub(super) sha256: String,
    /// The archive, if it is no file of the cache: others may write into it.
    lying: Option<Lying>,
    pub(super) cached: CachedBundle,
}

/// A file that is served where it lies, and how it looked before it was verified.
#[derive(Debug)]
pub(super) struct Lying {
    file: File,
    fingerprint: Fingerprint,
}

impl Lying {
    pub(super) fn open(path: &Path) -> std::io::Result<Self> {
        let file = File::open(path)?;
        let fingerprint = Fingerprint::of(&file.metadata()?);
        Ok(Self { file, fingerprint })
    }

    /// Whether it was written to since.
    fn is_touched(&self) -> bool {
        self.file.metadata().map_or(true, |metadata| Fingerprint::of(&metadata) != self.fingerprint)
    }
}

/// What came of a look at the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum UpdateOutcome {
    /// Another bundle is active.
    Switched,
    /// The same is.
    Unchanged,
}

/// A command of an operator, or of several who gave the same one. It is canceled when no client waits for it any more.
pub(super) type UpdateOrder = Shared<BoxFuture<'static, Result<UpdateOutcome, UpdateFailure>>>;

/// The order that others may join.
type OrderSlot = Mutex<Option<WeakShared<BoxFuture<'static, Result<UpdateOutcome, UpdateFailure>>>>>;

/// Joins the order that is there, or gives it.
fn join_order(
    slot: &OrderSlot,
    work: impl Future<Output = Result<UpdateOutcome, UpdateFailure>> + Send + 'static,
) -> UpdateOrder {
    let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(order) = slot.as_ref().and_then(WeakShared::upgrade).filter(|order| order.peek().is_none()) {
        return order;
    }
    let order = work.boxed().shared();
    *slot = order.downgrade();
    order
}

/// Chooses and holds the bundle of one site.
pub(super) struct ActiveBundle {
    pub(super) options: SiteOptions,
    active: ArcSwapOption<LoadedBundle>,
    /// Only one look at the source at a time.
    busy: Arc<tokio::sync::Mutex<SourceMemory>>,
    /// The order to look that waits for its turn, and the rollback that is under way.
    waiting: OrderSlot,
    rolling: OrderSlot,
    /// What is shown is decided by one at a time. Held for moments, never over a fetch. Counts rollbacks.
    choice: tokio::sync::Mutex<u64>,
    pub(super) cache: Arc<BundleCache>,
    contents: Arc<ContentCache>,
    /// Earlier bundles that only lie open: files that are not in the cache.
    open: Mutex<Vec<Arc<LoadedBundle>>>,
    /// Digests of bundles of the cache that this run may not show.
    passed_over: Mutex<BTreeSet<String>>,
    tell: TellEvent,
}

/// What is remembered from one look at the source to the next.
#[derive(Default)]
pub(super) struct SourceMemory {
    /// The version that the server named last, whatever became of it, and the address that it is of.
    pub(super) seen: Option<(String, String)>,
}

/// Why the source is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// There is nothing to show yet, or nothing better than an earlier bundle.
    Start,
    /// Time has passed.
    Watch,
    /// A command of an operator.
    Command,
}

/// A look at the source.
#[derive(Clone, Copy, Debug)]
pub(super) struct SourceCheck {
    pub(super) why: Why,
    began: Instant,
    /// Rollbacks before it began.
    rollbacks: u64,
}

impl std::fmt::Debug for ActiveBundle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ActiveBundle").field("options", &self.options).finish_non_exhaustive()
    }
}

impl ActiveBundle {
    pub(super) fn new(options: SiteOptions, contents: Arc<ContentCache>, tell: TellEvent) -> std::io::Result<Self> {
        let cache = Arc::new(BundleCache::open(options.cache.as_deref(), options.keep)?);
        Ok(Self {
            options,
            active: ArcSwapOption::empty(),
            busy: Arc::default(),
            waiting: OrderSlot::default(),
            rolling: OrderSlot::default(),
            choice: tokio::sync::Mutex::default(),
            cache,
            contents,
            open: Mutex::default(),
            passed_over: Mutex::default(),
            tell,
        })
    }

    /// The bundle that is shown now; it stays whole as long as it is held.
    pub(super) fn loaded(&self) -> Guard<Option<Arc<LoadedBundle>>> {
        self.active.load()
    }

    /// The name that events give it.
    pub(super) fn name(&self) -> String {
        self.options.hosts.first().cloned().unwrap_or_default()
    }

    /// How its bundles are served.
    fn serve_options(&self) -> ServeOptions {
        let SiteOptions { noindex, readers, .. } = &self.options;
        ServeOptions { noindex: *noindex, private: readers.is_some(), ..ServeOptions::new(Arc::clone(&self.contents)) }
    }

    /// Reports an event.
    pub(super) fn tell(&self, event: HostEvent) {
        (self.tell)(event);
    }

    /// Reports a failure.
    pub(super) fn tell_failure(&self, failure: UpdateFailure, retry: Option<Duration>) {
        self.tell(HostEvent::Failed { site: self.name(), failure, is_serving: self.is_serving(), retry });
    }

    fn is_serving(&self) -> bool {
        self.active.load().is_some()
    }

    /// Finds the first bundle and goes on looking for others.
    ///
    /// # Errors
    /// What the source has is refused, and there is no other.
    pub(super) async fn run(self: Arc<Self>) -> Result<(), UpdateFailure> {
        if !self.start_from_cache().await {
            self.start_from_source().await?;
        }
        tokio::join!(self.watch(), self.guard());
        Ok(())
    }

    /// Activates the bundle of the cache that is exactly the one that is requested.
    async fn start_from_cache(&self) -> bool {
        let (expect, catalog) = (&self.options.expect, self.cache.catalog());
        let is_requested = |cached: &&CachedBundle| match (&expect.sha256, &expect.version) {
            (Some(sha256), _) => cached.sha256 == *sha256,
            (None, Some(version)) => cached.version.as_ref() == Some(version),
            (None, None) => false,
        };
        let may_be_shown = |cached: &&CachedBundle| {
            !catalog.has_turned_away(&cached.sha256) || catalog.is_pinned_anew(self.pin().as_deref())
        };
        let Some(cached) = catalog.bundles.iter().filter(is_requested).find(may_be_shown) else { return false };
        self.activate_cached(cached.clone(), BundleOrigin::Cached, true).await
    }

    async fn start_from_source(&self) -> Result<(), UpdateFailure> {
        let mut wait = MIN_RETRY_DELAY;
        loop {
            let looked = self.look(Why::Start).await;
            if !self.is_serving() {
                self.start_from_previous().await;
            }
            let failure = match looked {
                Err(failure) => failure,
                Ok(_) if self.is_serving() => return Ok(()),
                Ok(_) => UpdateFailure::Unavailable(
                    "there is no bundle but one that was turned away from, which `/-/reload` brings back".to_owned(),
                ),
            };
            let (is_serving, is_final) = (self.is_serving(), matches!(failure, UpdateFailure::Refused(_)));
            self.tell_failure(failure.clone(), (!is_final).then_some(wait));
            match (is_final, is_serving) {
                (true, false) => return Err(failure),
                (true, true) => return Ok(()),
                (false, _) => sleep(wait).await,
            }
            wait = (wait * 2).min(MAX_RETRY_DELAY);
        }
    }

    /// Activates the best bundle of the cache that is intact, whatever was requested.
    async fn start_from_previous(&self) {
        for cached in self.cache.catalog().to_fall_back_on() {
            if self.activate_cached(cached, BundleOrigin::Previous, false).await {
                return;
            }
        }
    }

    async fn watch(&self) {
        let Some(every) = self.options.watch else { return };
        loop {
            sleep(every).await;
            if let Err(failure) = self.look(Why::Watch).await {
                self.tell_failure(failure, Some(every));
            }
        }
    }

    /// A file that is served where it lies is checked again and again: if it is written to, what was verified
    /// is gone, and what is there now has to be verified first.
    async fn guard(&self) {
        if !matches!(self.options.source, BundleSource::File(_)) || self.cache.is_lasting() {
            return;
        }
        let mut reported = None;
        loop {
            sleep(FILE_CHECK_INTERVAL).await;
            if self.active.load().as_ref().is_some_and(|active| active.is_touched()) {
                {
                    let _choice = self.choice.lock().await;
                    self.active.rcu(|active| active.clone().filter(|active| !active.is_touched()));
                }
                self.tell_failure(
                    UpdateFailure::Unavailable("the file of the bundle was changed while it was served".to_owned()),
                    Some(FILE_CHECK_INTERVAL),
                );
                // what is there now is checked even if that was done before
                self.busy.lock().await.seen = None;
                reported = None;
            }
            if self.is_serving() {
                continue;
            }
            if let Err(failure) = self.look(Why::Watch).await
                && reported.as_ref() != Some(&failure)
            {
                self.tell_failure(failure.clone(), Some(FILE_CHECK_INTERVAL));
                reported = Some(failure);
            }
        }
    }

    /// Activates a bundle of the cache. One that is damaged is removed; one that this run may not show stays for the
    /// next.
    async fn activate_cached(&self, cached: CachedBundle, origin: BundleOrigin, is_exact: bool) -> bool {
        let began = Instant::now();
        if self.is_passed_over(&cached.sha256) {
            return false;
        }
        let path = self.cache.path(&cached.sha256);
        let (mut expect, max_bytes, served) =
            (self.options.expect.clone(), self.options.max_bytes, self.serve_options());
        if !is_exact {
            // what an operator trusted before, except for its signer
            expect = super::Expect { key: expect.key, ..Default::default() };
        }
        let sha256 = cached.sha256.clone();
        let checked = in_background(move || match digest_of(&path, max_bytes)? {
            found if found == sha256 => open_candidate(&path, found, &expect, served).map(Some),
            _ => Ok(None),
        });
        match checked.await {
            Ok(Some(CheckedBundle { site, sha256 })) => {
                let _choice = self.choice.lock().await;
                // another request may have been faster
                if !self.is_serving() {
                    let active = Arc::new(LoadedBundle { site, sha256, lying: None, cached });
                    self.record(&active, None).await;
                    self.switch(active, origin, began);
                }
                true
            }
            Ok(None) => {
                self.tell(HostEvent::Trouble {
                    message: format!(
                        "a bundle of the cache is not used any more: its SHA-256 is not {}",
                        cached.sha256
                    ),
                });
                self.cache.forget(&cached.sha256);
                false
            }
            Err(failure) => {
                self.tell(HostEvent::Trouble {
                    message: format!("the bundle {:.12} of the cache is passed over: {failure}", cached.sha256),
                });
                self.passed_over().insert(cached.sha256);
                false
            }
        }
    }

    /// Whether this run may not show it.
    pub(super) fn is_passed_over(&self, sha256: &str) -> bool {
        self.passed_over().contains(sha256)
    }

    fn passed_over(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.passed_over.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn switch(&self, active: Arc<LoadedBundle>, origin: BundleOrigin, began: Instant) {
        let event = HostEvent::Active {
            site: self.name(),
            version: active.site.shown_version().to_str().unwrap_or_default().to_owned(),
            sha256: active.sha256.clone(),
            pages: active.site.pages(),
            origin,
            elapsed: began.elapsed(),
        };
        let before = self.active.swap(Some(active));
        if let Some(before) = before.filter(|before| before.lying.is_some() && origin == BundleOrigin::Fresh) {
            let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            open.push(before);
            let many = open.len().saturating_sub(self.options.keep);
            open.drain(..many);
        }
        self.tell(event);
    }

    /// Writes down what is going to be shown, and what came in with it.
    async fn record(&self, active: &Arc<LoadedBundle>, newest: Option<CachedBundle>) {
        let (active, cache) = (Arc::clone(active), Arc::clone(&self.cache));
        self.written(move || cache.show(&active.sha256, active.site.exported_at(), newest)).await;
    }

    async fn written(&self, write: impl FnOnce() -> std::io::Result<()> + Send + 'static) {
        if let Ok(Err(error)) = tokio::task::spawn_blocking(write).await {
            self.tell(HostEvent::Trouble {
                message: format!("the list of bundles in the cache cannot be written: {error}"),
            });
        }
    }

    /// What has to be shown.
    fn pin(&self) -> Option<String> {
        let expect = &self.options.expect;
        (expect.sha256.is_some() || expect.version.is_some()).then(|| {
            format!("{} {}", expect.sha256.as_deref().unwrap_or("-"), expect.version.as_deref().unwrap_or("-"))
        })
    }

    /// Looks for another bundle at the source and activates it if it may be served.
    ///
    /// # Errors
    /// Why everything stays as it is.
    async fn look(&self, why: Why) -> Result<UpdateOutcome, UpdateFailure> {
        let mut memory = self.busy.lock().await;
        self.look_with(&mut memory, why).await
    }

    async fn look_with(&self, memory: &mut SourceMemory, why: Why) -> Result<UpdateOutcome, UpdateFailure> {
        let look = SourceCheck { why, began: Instant::now(), rollbacks: *self.choice.lock().await };
        let outcome = self.look_at_source(memory, look).await;
        if outcome == Ok(UpdateOutcome::Unchanged) && why != Why::Watch && self.is_serving() {
            self.tell(HostEvent::Unchanged { site: self.name() });
        }
        outcome
    }

    /// Checks on an operator's command. Commands that wait for their turn are one; it is dropped when none waits for
    /// it any more, but a look that has begun ends.
    pub(super) fn reload(self: &Arc<Self>) -> UpdateOrder {
        let active_bundle = Arc::clone(self);
        join_order(&self.waiting, async move {
            let memory = Arc::clone(&active_bundle.busy).lock_owned().await;
            // a command from now on gets a check that begins later
            *active_bundle.waiting.lock().unwrap_or_else(PoisonError::into_inner) = None;
            let look = tokio::spawn(async move { active_bundle.look_on_command(memory).await });
            look.await
                .unwrap_or_else(|_| Err(UpdateFailure::Unavailable("the look at the source was broken off".to_owned())))
        })
    }

    /// Goes back to the bundle before the active one, on an operator's command: without a network and without waiting
    /// for one. Simultaneous commands are one step.
    pub(super) fn roll_back(self: &Arc<Self>) -> UpdateOrder {
        let active_bundle = Arc::clone(self);
        join_order(&self.rolling, async move {
            let done = active_bundle.step_back().await;
            if let Err(failure) = &done {
                active_bundle.tell_failure(failure.clone(), None);
            }
            done
        })
    }

    async fn look_on_command(&self, mut memory: OwnedMutexGuard<SourceMemory>) -> Result<UpdateOutcome, UpdateFailure> {
        let outcome = self.look_with(&mut memory, Why::Command).await;
        if let Err(failure) = &outcome {
            self.tell_failure(failure.clone(), None);
        }
        outcome
    }

    async fn step_back(&self) -> Result<UpdateOutcome, UpdateFailure> {
        let began = Instant::now();
        let mut rollbacks = self.choice.lock().await;
        let current = self.active.load_full().ok_or(UpdateFailure::NoEarlier)?;
        let earlier = match self.lying_before() {
            Some(earlier) => earlier,
            None => self.cached_before(&current).await?,
        };
        *rollbacks += 1;
        let (turned_away, pin, cache, shown) =
            (current.sha256.clone(), self.pin(), Arc::clone(&self.cache), earlier.sha256.clone());
        self.switch(earlier, BundleOrigin::RolledBack, began);
        let turn = move |catalog: &mut Catalog| {
            catalog.turn_away(turned_away, pin);
            catalog.show(&shown, None);
        };
        self.written(move || cache.change(turn).1).await;
        Ok(UpdateOutcome::Switched)
    }

    /// The last of those that lie open and were not written to.
    fn lying_before(&self) -> Option<Arc<LoadedBundle>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        std::iter::from_fn(|| open.pop()).find(|earlier| !earlier.is_touched())
    }

    async fn cached_before(&self, current: &LoadedBundle) -> Result<Arc<LoadedBundle>, UpdateFailure> {
        let cached = self
            .cache
            .catalog()
            .before(&current.sha256)
            .find(|cached| !self.is_passed_over(&cached.sha256))
            .cloned()
            .ok_or(UpdateFailure::NoEarlier)?;
        let (path, options) = (self.cache.path(&cached.sha256), self.serve_options());
        let site = in_background(move || {
            HostedSite::reopen(&path, options).map_err(|error| UpdateFailure::Refused(error.to_string()))
        })
        .await?;
        Ok(Arc::new(LoadedBundle { site, sha256: cached.sha256.clone(), lying: None, cached }))
    }

    /// Whether a check may bring back what was rolled back: by a command, and without a rollback since.
    fn forgives(&self, look: SourceCheck, catalog: &Catalog, rollbacks: u64) -> bool {
        let is_order =
            look.why == Why::Command || look.why == Why::Start && catalog.is_pinned_anew(self.pin().as_deref());
        is_order && look.rollbacks == rollbacks
    }

    /// The candidate of a look is checked and becomes active. `lying`: it is served where it lies.
    pub(super) async fn take(
        &self,
        path: &Path,
        describe: impl FnOnce(&CheckedBundle) -> CachedBundle,
        lying: Option<Lying>,
        look: SourceCheck,
    ) -> Result<UpdateOutcome, UpdateFailure> {
        let (candidate, max_bytes) = (path.to_owned(), self.options.max_bytes);
        let sha256 = in_background(move || digest_of(&candidate, max_bytes)).await?;
        if !self.is_eligible(&sha256, look, look.rollbacks) {
            return Ok(UpdateOutcome::Unchanged);
        }
        let (candidate, expect, served) = (path.to_owned(), self.options.expect.clone(), self.serve_options());
        let checked = in_background(move || open_candidate(&candidate, sha256, &expect, served)).await?;
        let rollbacks = self.choice.lock().await;
        // what is shown may have become another one meanwhile
        if !self.is_eligible(&checked.sha256, look, *rollbacks) {
            return Ok(UpdateOutcome::Unchanged);
        }
        refuse_older(&checked.site, &self.options.expect, &self.cache.catalog())?;
        if lying
            .as_ref()
            .is_some_and(|lying| lying.is_touched() || Fingerprint::at(path).as_ref() != Some(&lying.fingerprint))
        {
            return Err(UpdateFailure::Unavailable("the bundle was changed while it was read".to_owned()));
        }
        let cached = describe(&checked);
        let newest = lying.is_none().then(|| cached.clone());
        if newest.is_some() {
            self.cache
                .take_in(path, &checked.sha256)
                .map_err(|error| UpdateFailure::Unavailable(format!("the bundle cannot be kept: {error}")))?;
        }
        let active = Arc::new(LoadedBundle { sha256: checked.sha256, site: checked.site, lying, cached });
        self.record(&active, newest).await;
        self.switch(active, BundleOrigin::Fresh, look.began);
        Ok(UpdateOutcome::Switched)
    }

    /// Whether a bundle is neither the one that is shown nor one that was turned away from.
    fn is_eligible(&self, sha256: &str, look: SourceCheck, rollbacks: u64) -> bool {
        let catalog = self.cache.catalog();
        let is_shown = self.active.load().as_ref().is_some_and(|active| active.sha256 == sha256);
        !is_shown && (!catalog.has_turned_away(sha256) || self.forgives(look, &catalog, rollbacks))
    }

    /// The server says that it has what the cache has.
    pub(super) async fn take_cached(
        &self,
        cached: CachedBundle,
        look: SourceCheck,
    ) -> Result<UpdateOutcome, UpdateFailure> {
        if !self.is_eligible(&cached.sha256, look, look.rollbacks) {
            return Ok(UpdateOutcome::Unchanged);
        }
        let is_active = self.activate_cached(cached, BundleOrigin::Cached, true).await;
        is_active
            .then_some(UpdateOutcome::Switched)
            .ok_or_else(|| UpdateFailure::Unavailable("the bundle of the cache cannot be shown".to_owned()))
    }
}

impl LoadedBundle {
    /// Whether what is served was written to.
    fn is_touched(&self) -> bool {
        self.lying.as_ref().is_some_and(Lying::is_touched)
    }
}

/// A file that is removed unless it was moved away.
pub(super) struct TemporaryFile(pub(super) PathBuf);

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Work that keeps a thread busy.
pub(super) async fn in_background<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, UpdateFailure> + Send + 'static,
) -> Result<T, UpdateFailure> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|_| Err(UpdateFailure::Unavailable("the check of the bundle was broken off".to_owned())))
}
