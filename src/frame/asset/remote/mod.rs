//! What pages load from elsewhere, and API descriptions that the site names by their addresses: fetched once, checked,
//! kept by digest, and loaded from the bundle.
//!
//! 1. A page requests an address ([`Remote::look_up`]). The lock file and the cache answer at once; else a download
//!    begins in the background and the answer is [`FoundAsset::Pending`]: the page is set aside and made again when the
//!    address is decided.
//! 2. The queue downloads through [`fetch`], judges type and digest, and keeps the bytes in the cache.
//! 3. A page that is written commits what it used ([`Remote::commit`]); only that reaches the bundle, the lock file and
//!    the warnings, so none of them depends on timing.
//!
//! API descriptions are needed while the site is loaded ([`RemoteDescriptions`]): they are waited for, all at once, and
//! count as used.
//!
//! Nothing here runs before the first address is met: a site without remote assets pays nothing.

mod cache;
mod description;
mod license;
mod lock;
mod queue;
mod report;
mod sheet;
mod slot;
mod sniff;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use rustc_hash::FxHashMap;
use url::Url;

use base::bundle_path::BundlePath;
use base::source_text::decode_text;
use base::{Diagnostic, LoadKind, Severity, limits};
use fetch::{Broker, Client, DownloadFailure, DownloadLimits, FetchPolicy, Resolve, System};
use site::tree::SourceTree;

pub use description::RemoteDescriptions;
pub use lock::{LOCK_FILE, check_lock};
pub use report::{RemoteCounts, Vendored};
pub use slot::{AddressSlot, AddressSpot};

use cache::RemoteCache;
pub use cache::make_private_folder;
use lock::LockFile;
use queue::DownloadQueue;
use sheet::finish_sheet;
use slot::{Absence, FetchedAsset};
use sniff::{CSS, SVG};

/// What becomes of addresses elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RemoteMode {
    /// They stay as written, and pages load from there.
    Off,
    /// What they lead to becomes part of the bundle; the lock file is written.
    #[default]
    On,
    /// What they lead to becomes part of the bundle, with the bytes that the lock file names and no others.
    Locked,
}

/// How assets of other servers are requested.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RemoteOptions {
    /// What becomes of addresses on other servers.
    pub mode: RemoteMode,
    /// Of them, only API descriptions are fetched: pages load the rest from where it is.
    pub only_descriptions: bool,
    /// No request is sent: the cache has it, or there is a placeholder.
    pub offline: bool,
    /// Which servers requests may go to.
    pub policy: FetchPolicy,
    /// The lock file, if it is not [`LOCK_FILE`] beside the configuration.
    pub lock: Option<PathBuf>,
    /// The lock file is read and never written: the source is not the user's to change.
    pub lock_only_read: bool,
    /// The folder that keeps bytes between exports.
    pub cache: Option<PathBuf>,
    /// Bounds of each download.
    pub limits: DownloadLimits,
    /// The service that fonts come from which a site only names, if it is not [`FONT_SERVICE`].
    pub fonts: Option<String>,
    /// The process that makes the requests, if this one has no network.
    pub broker: Option<Broker>,
}

/// Google Fonts: an address that gives the style sheet of the families in its query.
pub const FONT_SERVICE: &str = "https://fonts.googleapis.com/css";

/// Everything that the pages of a site load from elsewhere.
pub struct Remote {
    options: RemoteOptions,
    lock: LockFile,
    cache: Arc<RemoteCache>,
    wake: Arc<Wake>,
    slots: Mutex<FxHashMap<(String, LoadKind), Arc<AddressSlot>>>,
    queue: OnceLock<Result<DownloadQueue, DownloadFailure>>,
    resolver: Arc<dyn Resolve>,
}

/// Wakes waiting threads when a slot is settled.
#[derive(Debug, Default)]
pub(crate) struct Wake {
    lock: Mutex<()>,
    bell: Condvar,
}

impl Wake {
    fn all(&self) {
        let _guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.bell.notify_all();
    }
}

/// What one page, the chrome or a style sheet requested while it was rendered.
#[derive(Debug, Default)]
pub struct Requests {
    used: Vec<(Arc<AddressSlot>, AddressSpot)>,
    pending: Vec<Arc<AddressSlot>>,
}

impl Requests {
    /// Takes the addresses that were not decided: if there are any, what was made is not final.
    pub fn take_pending(&mut self) -> Vec<Arc<AddressSlot>> {
        std::mem::take(&mut self.pending)
    }
}

/// What an address stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FoundAsset {
    /// Addresses stay as they are written.
    Off,
    /// A file of the bundle.
    Here {
        /// Its name.
        path: BundlePath,
        /// `#fragment`, or empty.
        fragment: String,
        /// Width and height of a picture.
        size: Option<(u32, u32)>,
    },
    /// Nothing: a placeholder stands in. There will be a warning.
    Absent,
    /// It is being fetched.
    Pending,
}

/// The text of a style sheet, for callers that take a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SheetText {
    /// Nothing is fetched.
    Off,
    /// It is being fetched.
    Pending,
    /// There is none: a sentence that says why, and its severity.
    Absent(String, Severity),
    /// The text, and the address that those in it count from.
    Here(String, Url),
}

/// The wait was canceled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canceled;

impl Remote {
    /// Whether what pages load from elsewhere becomes part of the bundle.
    pub fn is_on(&self) -> bool {
        self.options.mode != RemoteMode::Off && !self.options.only_descriptions
    }

    /// Reads the lock file of a site; sends no request. Where files of the site cannot be written (it is no folder),
    /// its lock file is only read.
    pub fn new(options: &RemoteOptions, tree: &SourceTree, diagnostics: &mut Vec<Diagnostic>) -> Self {
        if let (None, None) = (&options.lock, tree.folder()) {
            let text = tree.find_any(LOCK_FILE).map(|file| tree.read_at_most(file, limits::CONFIG_BYTES));
            let mut unread = Vec::new();
            let lock =
                LockFile::of_source(text, if options.mode == RemoteMode::Off { &mut unread } else { diagnostics });
            return Self::with_lock(options, lock, Arc::new(System));
        }
        Self::with_resolver(options, tree.folder().unwrap_or(Path::new("")), diagnostics, Arc::new(System))
    }

    /// The assets of a source in a folder, with the names of hosts resolved by `resolver`.
    pub fn with_resolver(
        options: &RemoteOptions,
        root: &Path,
        diagnostics: &mut Vec<Diagnostic>,
        resolver: Arc<dyn Resolve>,
    ) -> Self {
        let path = options.lock.clone().unwrap_or_else(|| root.join(LOCK_FILE));
        let mut unread = Vec::new();
        let lock = LockFile::read(path, if options.mode == RemoteMode::Off { &mut unread } else { diagnostics });
        Self::with_lock(options, if options.lock_only_read { lock.only_read() } else { lock }, resolver)
    }

    /// Takes over what an earlier instance has fetched; what failed there is requested again.
    pub fn take_over(&self, earlier: Self) {
        let mut earlier = earlier.slots.into_inner().unwrap_or_else(PoisonError::into_inner);
        earlier.retain(|_, slot| matches!(slot.outcome(), Some(Ok(_))));
        self.slots.lock().unwrap_or_else(PoisonError::into_inner).extend(earlier);
    }

    fn with_lock(options: &RemoteOptions, lock: LockFile, resolver: Arc<dyn Resolve>) -> Self {
        Self {
            lock,
            cache: Arc::new(RemoteCache::new(options.cache.clone())),
            options: options.clone(),
            wake: Arc::default(),
            slots: Mutex::default(),
            queue: OnceLock::new(),
            resolver,
        }
    }

    /// What the bundle has for an address.
    pub fn look_up(&self, address: &str, load: LoadKind, spot: AddressSpot, requests: &mut Requests) -> FoundAsset {
        if !self.is_on() {
            return FoundAsset::Off;
        }
        let slot = self.slot(address, load);
        let Some(outcome) = self.outcome(&slot) else {
            requests.pending.push(slot);
            return FoundAsset::Pending;
        };
        let Ok(asset) = outcome else {
            requests.used.push((slot, spot));
            return FoundAsset::Absent;
        };
        let fragment = address.split_once('#').map(|(_, fragment)| format!("#{fragment}")).unwrap_or_default();
        let (path, size) = (asset.path.clone(), asset.pixels);
        if asset.media != CSS {
            requests.used.push((slot, spot));
            return FoundAsset::Here { path, fragment, size };
        }
        if slot.sheet.get().is_none() {
            match finish_sheet(self, &slot, asset) {
                Ok(sheet) => drop(slot.sheet.set(sheet)),
                Err(pending) => {
                    requests.pending.extend(pending);
                    return FoundAsset::Pending;
                }
            }
        }
        let Some(sheet) = slot.sheet.get() else { return FoundAsset::Absent };
        requests.used.extend(sheet.loads.iter().map(|nested| (Arc::clone(nested), spot.clone())));
        let path = sheet.path.clone();
        requests.used.push((slot, spot));
        FoundAsset::Here { path, fragment: String::new(), size: None }
    }

    /// The text of a drawing that is at hand, to stand in the page itself.
    pub fn drawing(&self, address: &str, spot: AddressSpot, requests: &mut Requests) -> Option<String> {
        if !self.is_on() {
            return None;
        }
        let slot = self.slot(address, LoadKind::Picture);
        match self.outcome(&slot) {
            None => {
                requests.pending.push(slot);
                None
            }
            Some(Ok(asset)) if asset.media == SVG => {
                let text = String::from_utf8(asset.final_bytes(&self.cache)?).ok();
                requests.used.push((slot, spot));
                text
            }
            Some(_) => None,
        }
    }

    /// The service that fonts come from which a site only names.
    pub fn font_service(&self) -> &str {
        self.options.fonts.as_deref().unwrap_or(FONT_SERVICE)
    }

    /// The text of a style sheet, which is no file of the bundle. If there is none, its caller says so.
    pub fn sheet_text(&self, address: &str, spot: AddressSpot, requests: &mut Requests) -> SheetText {
        if !self.is_on() {
            return SheetText::Off;
        }
        let slot = self.slot(address, LoadKind::Sheet);
        let text = match self.outcome(&slot) {
            None => {
                requests.pending.push(slot);
                return SheetText::Pending;
            }
            Some(Err(absence)) => {
                slot.is_reported.store(true, Ordering::Relaxed);
                let problem = self.absent(&slot, absence);
                SheetText::Absent(problem.message, problem.severity)
            }
            Some(Ok(asset)) => {
                let base = asset.base.as_deref().and_then(|base| Url::parse(base).ok()).or_else(|| slot.url.clone());
                match (asset.bytes(&self.cache), base) {
                    (Some(bytes), Some(base)) => SheetText::Here(decode_text(&bytes).0.into_owned(), base),
                    _ => SheetText::Absent(format!("`{address}` has vanished from the cache"), Severity::Warning),
                }
            }
        };
        requests.used.push((slot, spot));
        text
    }

    /// Waits until all of these are decided.
    ///
    /// # Errors
    /// `cancel` was set.
    pub fn wait(&self, pending: &[Arc<AddressSlot>], cancel: &AtomicBool) -> Result<(), Canceled> {
        // now and then by the clock: canceling rings no bell
        const CANCEL_POLL_INTERVAL: Duration = Duration::from_millis(100);
        let mut guard = self.wake.lock.lock().unwrap_or_else(PoisonError::into_inner);
        while !Self::are_decided(pending) {
            if cancel.load(Ordering::Relaxed) {
                return Err(Canceled);
            }
            guard = self.wake.bell.wait_timeout(guard, CANCEL_POLL_INTERVAL).unwrap_or_else(PoisonError::into_inner).0;
        }
        Ok(())
    }

    /// Whether all of these are decided.
    pub fn are_decided(pending: &[Arc<AddressSlot>]) -> bool {
        pending.iter().all(|slot| slot.outcome().is_some())
    }

    /// Notes that what was requested is part of a file that is written.
    pub fn commit(&self, requests: Requests) {
        for (slot, spot) in requests.used {
            slot.note(spot);
        }
    }

    /// The slot of an address; one for each kind of load.
    fn slot(&self, address: &str, load: LoadKind) -> Arc<AddressSlot> {
        let url = Url::parse(address).ok().map(|mut url| {
            url.set_fragment(None);
            url
        });
        let address = url.as_ref().map_or_else(|| address.to_owned(), Url::to_string);
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let many = slots.len() >= limits::REMOTE_ADDRESSES;
        let slot =
            slots.entry((address.clone(), load)).or_insert_with(|| Arc::new(AddressSlot::new(address, url, load)));
        if many {
            slot.settle(Err(Absence::GivenUp("the site has more remote assets than an export fetches")));
        }
        Arc::clone(slot)
    }

    /// What came of a slot. The first call looks into the lock file and the cache, and has it fetched if need be.
    fn outcome<'s>(&self, slot: &'s Arc<AddressSlot>) -> Option<&'s Result<FetchedAsset, Absence>> {
        slot.looked.get_or_init(|| self.look(slot));
        slot.outcome()
    }

    fn look(&self, slot: &Arc<AddressSlot>) {
        if slot.outcome().is_some() {
            return;
        }
        let Some(url) = &slot.url else { return slot.settle(Err(Absence::NoAddress)) };
        let locked = self.lock.entries.get(&slot.address);
        if let Some(locked) = locked
            && let Some(bytes) = self.cache.read(&locked.sha256)
        {
            let judged = FetchedAsset::judge(Arc::new(bytes), &locked.media_type, slot.load).map(|mut asset| {
                asset.is_in_cache();
                (asset.base, asset.license) = (locked.base.clone(), locked.license.clone());
                asset
            });
            return slot.settle(judged);
        }
        if locked.is_none() && self.options.mode == RemoteMode::Locked {
            return slot.settle(Err(Absence::NotLocked));
        }
        if self.options.offline {
            return slot.settle(Err(Absence::Offline));
        }
        if let Err(refusal) = self.options.policy.check_url(url) {
            return slot.settle(Err(Absence::Refused(refusal)));
        }
        match self.queue.get_or_init(|| self.start()) {
            Ok(queue) => queue.ask(
                Arc::clone(slot),
                locked.map(|locked| locked.sha256.clone()),
                self.options.mode == RemoteMode::Locked,
            ),
            Err(refusal) => slot.settle(Err(Absence::Refused(refusal.clone()))),
        }
    }

    fn start(&self) -> Result<DownloadQueue, DownloadFailure> {
        let RemoteOptions { policy, limits, broker, .. } = &self.options;
        let client = match broker {
            Some(broker) => Client::brokered(broker.clone(), policy.clone(), *limits),
            None => Client::new(policy.clone(), *limits, Arc::clone(&self.resolver))?,
        };
        DownloadQueue::start(client, Arc::clone(&self.cache), Arc::clone(&self.wake))
    }
}

impl std::fmt::Debug for Remote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Remote").field("options", &self.options).finish_non_exhaustive()
    }
}
