//! Downloads in the background: many at a time, few from one host, each address once. Hosts that cannot be reached are
//! given up after two tries, and the whole network once several hosts have let the time pass while none has answered,
//! so an export without a network loses seconds, not minutes.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;
use tokio::runtime::Runtime;
use tokio::sync::{Semaphore, watch};

use super::cache::{RemoteCache, hex_digest};
use super::slot::{Absence, AddressSlot, FetchedAsset};
use super::{Wake, license::license_hint};
use base::{LoadKind, limits};
use fetch::{Client, DownloadFailure};

/// Downloads at a time; of one host.
const MAX_DOWNLOADS: usize = 32;
const MAX_DOWNLOADS_PER_HOST: usize = 6;
/// Bytes that each of them may hold at any time, and how many may hold more: 82 MB in all.
const SMALL_BYTES: usize = 1 << 20;
const MAX_LARGE_DOWNLOADS: usize = 2;
/// Tries of a host that cannot be reached.
const MAX_HOST_TRIES: u32 = 2;
/// Hosts that let the whole time for a connection pass, after which there is no network, unless some host has answered
/// meanwhile. Names without an address do not count: they fail at once, and a site may well have some.
const MAX_SILENT_HOSTS: u32 = 4;
/// Slow answers after which a host is given up.
const MAX_SLOW_RESPONSES: u32 = 3;
const RETRY_DELAY: Duration = Duration::from_millis(300);

/// How the client calls itself.
const AGENT: &str = concat!("offprint/", env!("CARGO_PKG_VERSION"));
/// The same for style sheets: font services choose the file format by the browser's name, and only current ones get
/// WOFF2.
const SHEET_AGENT: &str = concat!(
    "Mozilla/5.0 (compatible; offprint/",
    env!("CARGO_PKG_VERSION"),
    ") AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36"
);

/// The downloads of an export.
pub(super) struct DownloadQueue {
    runtime: Option<Runtime>,
    shared: Arc<QueueShared>,
}

struct QueueShared {
    client: Client,
    cache: Arc<RemoteCache>,
    wake: Arc<Wake>,
    permits: Semaphore,
    /// Downloads of more than [`SMALL_BYTES`]: they are in memory until they are judged.
    large: Semaphore,
    hosts: Mutex<FxHashMap<String, Arc<RemoteHost>>>,
    /// What each address gave: a picture that a style sheet loads as well is requested once.
    given: Mutex<FxHashMap<String, Arc<tokio::sync::Mutex<Option<GivenAsset>>>>>,
    answered: AtomicBool,
    silent_hosts: AtomicU32,
    /// There is no network: downloads under way stop.
    no_network: watch::Sender<bool>,
    bytes: AtomicU64,
    started: Instant,
}

/// What an address gave.
#[derive(Clone)]
struct GivenAsset {
    /// The bytes, until the cache has them.
    bytes: Option<Arc<Vec<u8>>>,
    digest: String,
    declared: String,
    base: Option<String>,
    license: Option<String>,
}

/// What is known about a host.
struct RemoteHost {
    gate: Semaphore,
    failures: AtomicU32,
    slow: AtomicU32,
    /// Why it is given up.
    dead: Mutex<Option<DownloadFailure>>,
}

impl DownloadQueue {
    /// Starts what downloads need; nothing is requested yet.
    pub(super) fn start(client: Client, cache: Arc<RemoteCache>, wake: Arc<Wake>) -> Result<Self, DownloadFailure> {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).thread_name("fetch").enable_all().build();
        let runtime = runtime.map_err(|error| DownloadFailure::Kept(error.to_string()))?;
        let shared = QueueShared {
            client,
            cache,
            wake,
            permits: Semaphore::new(MAX_DOWNLOADS),
            large: Semaphore::new(MAX_LARGE_DOWNLOADS),
            hosts: Mutex::default(),
            given: Mutex::default(),
            answered: AtomicBool::new(false),
            silent_hosts: AtomicU32::new(0),
            no_network: watch::Sender::new(false),
            bytes: AtomicU64::new(0),
            started: Instant::now(),
        };
        Ok(Self { runtime: Some(runtime), shared: Arc::new(shared) })
    }

    /// Has an address fetched; its slot gets the outcome. With `expect` only bytes of that digest are as locked.
    pub(super) fn ask(&self, slot: Arc<AddressSlot>, expect: Option<String>, locked: bool) {
        let Some(runtime) = &self.runtime else { return };
        let shared = Arc::clone(&self.shared);
        let settled = Settled { slot, wake: Arc::clone(&shared.wake) };
        runtime.spawn(async move {
            let outcome = shared.obtain(&settled.slot, expect, locked).await;
            settled.slot.settle(outcome);
        });
    }
}

impl Drop for DownloadQueue {
    fn drop(&mut self) {
        // a running name lookup cannot be canceled: it is not waited for
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// A slot that is settled on drop too, so that a failed task leaves no waiter blocked.
struct Settled {
    slot: Arc<AddressSlot>,
    wake: Arc<Wake>,
}

impl Drop for Settled {
    fn drop(&mut self) {
        self.slot.settle(Err(Absence::GivenUp("it was canceled")));
        self.wake.all();
    }
}

impl QueueShared {
    async fn obtain(&self, slot: &AddressSlot, expect: Option<String>, locked: bool) -> Result<FetchedAsset, Absence> {
        let given = {
            let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(given.entry(slot.address.clone()).or_default())
        };
        let mut given = given.lock().await;
        if given.is_none() {
            *given = Some(self.download(slot).await?);
        }
        let Some(found) = given.as_mut() else { return Err(Absence::NoNetwork) };
        let bytes = found.bytes.clone().or_else(|| self.cache.read(&found.digest).map(Arc::new));
        let bytes = bytes.ok_or(Absence::GivenUp("it was removed from the cache"))?;
        let is_other = expect.filter(|expected| *expected != found.digest);
        let judged = if locked && is_other.is_some() {
            Err(Absence::Changed)
        } else {
            FetchedAsset::judge(bytes, &found.declared, slot.load)
        };
        let Ok(mut asset) = judged else {
            // bytes that were refused are not retained
            *given = None;
            return judged;
        };
        asset.changed_from = is_other;
        (asset.base, asset.license, asset.fetched) = (found.base.clone(), found.license.clone(), true);
        // only now, when it is all that it should be, does anything reach the disk
        if asset.keep(&self.cache) {
            found.bytes = None;
        }
        Ok(asset)
    }

    async fn download(&self, slot: &AddressSlot) -> Result<GivenAsset, Absence> {
        let url = slot.url.as_ref().ok_or(Absence::NoAddress)?;
        let host = self.host(url.host_str().unwrap_or_default());
        let _turn = host.gate.acquire().await;
        let _permit = self.permits.acquire().await;
        let agent = if slot.load == LoadKind::Sheet { SHEET_AGENT } else { AGENT };
        let client = if slot.load == LoadKind::Description {
            self.client.at_most(limits::DESCRIPTION_BYTES)
        } else {
            self.client.clone()
        };
        let mut tried = 0;
        let mut large = None;
        let (answer, bytes) = loop {
            self.check_worth(&host)?;
            let most = if large.is_some() { usize::MAX } else { SMALL_BYTES };
            let mut bytes = Vec::new();
            let mut keep = |piece: &[u8]| {
                if bytes.len() + piece.len() > most {
                    return Err(io::ErrorKind::FileTooLarge.into());
                }
                bytes.extend_from_slice(piece);
                Ok(())
            };
            let mut no_network = self.no_network.subscribe();
            let got = tokio::select! {
                got = client.fetch(url, agent, &mut keep) => got,
                _ = no_network.wait_for(|gone| *gone) => return Err(Absence::NoNetwork),
            };
            match got {
                Ok(answer) => break (answer, bytes),
                // it begins again once there is room: most assets are small, and few pay for this
                Err(DownloadFailure::Kept(_)) if large.is_none() => large = self.large.acquire().await.ok(),
                Err(refusal) => {
                    tried += 1;
                    self.note_failure(&host, &refusal);
                    if tried >= MAX_HOST_TRIES || !refusal.may_pass() {
                        return Err(Absence::Refused(refusal));
                    }
                    tokio::time::sleep(RETRY_DELAY).await;
                }
            }
        };
        self.answered.store(true, Ordering::Relaxed);
        if self.bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed) + bytes.len() as u64 > limits::REMOTE_TOTAL_BYTES
        {
            return Err(Absence::GivenUp("the size limit of all remote assets is exceeded"));
        }
        let declared = answer.headers.get("content-type").and_then(|value| value.to_str().ok()).unwrap_or_default();
        Ok(GivenAsset {
            digest: hex_digest(&bytes),
            bytes: Some(Arc::new(bytes)),
            declared: declared.to_owned(),
            base: (answer.url != *url).then(|| answer.url.to_string()),
            license: license_hint(&answer.headers, &answer.url),
        })
    }

    fn host(&self, name: &str) -> Arc<RemoteHost> {
        let fresh = || RemoteHost {
            gate: Semaphore::new(MAX_DOWNLOADS_PER_HOST),
            failures: AtomicU32::new(0),
            slow: AtomicU32::new(0),
            dead: Mutex::new(None),
        };
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(hosts.entry(name.to_owned()).or_insert_with(|| Arc::new(fresh())))
    }

    /// Whether asking is worth the time.
    fn check_worth(&self, host: &RemoteHost) -> Result<(), Absence> {
        if let Some(refusal) = host.dead.lock().unwrap_or_else(PoisonError::into_inner).clone() {
            return Err(Absence::Refused(refusal));
        }
        if *self.no_network.borrow() {
            return Err(Absence::NoNetwork);
        }
        if self.started.elapsed() > Duration::from_secs(limits::REMOTE_SECONDS) {
            return Err(Absence::GivenUp("the time limit of all remote assets is exceeded"));
        }
        Ok(())
    }

    fn note_failure(&self, host: &RemoteHost, refusal: &DownloadFailure) {
        let is_dead = match refusal {
            DownloadFailure::Name(_) | DownloadFailure::Unanswered(_) => true,
            DownloadFailure::Connection { .. } => host.failures.fetch_add(1, Ordering::Relaxed) + 1 >= MAX_HOST_TRIES,
            DownloadFailure::Slow(_) => host.slow.fetch_add(1, Ordering::Relaxed) + 1 >= MAX_SLOW_RESPONSES,
            _ => false,
        };
        let mut dead = host.dead.lock().unwrap_or_else(PoisonError::into_inner);
        if is_dead && dead.is_none() {
            *dead = Some(refusal.clone());
            let is_silent = matches!(refusal, DownloadFailure::Unanswered(_));
            if is_silent
                && self.silent_hosts.fetch_add(1, Ordering::Relaxed) + 1 >= MAX_SILENT_HOSTS
                && !self.answered.load(Ordering::Relaxed)
            {
                self.no_network.send_replace(true);
            }
        }
        // an answer, even a bad one, comes over a network
        if !refusal.is_unreached()
            && !matches!(
                refusal,
                DownloadFailure::Address { .. }
                    | DownloadFailure::Scheme(_)
                    | DownloadFailure::Userinfo
                    | DownloadFailure::Port(_)
            )
        {
            self.answered.store(true, Ordering::Relaxed);
        }
    }
}
