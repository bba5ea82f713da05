//! What an export comes to, as far as it lies elsewhere: files, lock file, warnings, figures. All of it in the order of
//! addresses.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use schemars::JsonSchema;
use serde::Serialize;

use super::slot::{Absence, AddressSlot, FetchedAsset};
use super::sniff::CSS;
use super::{Remote, RemoteMode};
use base::bundle_path::BundlePath;
use base::cut::cut;
use base::isolate::{LEFT_OUT, catch_panic, file_failed};
use base::{Diagnostic, LoadKind, Severity};

/// Figures about what pages load from elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemoteCounts {
    /// Addresses that pages load from.
    pub addresses: u64,
    /// The addresses whose files became part of the bundle.
    pub vendored: u64,
    /// Of these, those that were fetched now; the others came from the cache.
    pub fetched: u64,
    /// Bytes of those that became part of the bundle.
    pub bytes: u64,
    /// Addresses with a placeholder.
    pub missing: u64,
}

/// A file for the bundle.
#[derive(Debug)]
enum RemoteContent {
    Asset(Arc<AddressSlot>),
    Text(String),
    Bytes(Arc<Vec<u8>>),
}

/// Files for the bundle, in the order of their names.
#[derive(Debug)]
pub struct RemoteAssets<'a> {
    remote: &'a Remote,
    left: std::collections::btree_map::IntoIter<BundlePath, RemoteContent>,
}

impl Iterator for RemoteAssets<'_> {
    type Item = (BundlePath, Result<Vec<u8>, Diagnostic>);

    fn next(&mut self) -> Option<Self::Item> {
        let (path, content) = self.left.next()?;
        let bytes = match content {
            RemoteContent::Text(text) => Ok(text.into_bytes()),
            RemoteContent::Bytes(bytes) => Ok(bytes.to_vec()),
            RemoteContent::Asset(slot) => {
                let asset = slot.outcome().and_then(|outcome| outcome.as_ref().ok());
                let Some(bytes) = catch_panic(|| asset.and_then(|asset| asset.final_bytes(&self.remote.cache))) else {
                    return Some((path, Err(file_failed(&slot.address, LEFT_OUT))));
                };
                bytes.ok_or_else(|| {
                    Diagnostic::new("cache-lost", format!("`{}` was removed from the cache", slot.address))
                        .hint("export again")
                })
            }
        };
        Some((path, bytes))
    }
}

/// What was loaded from one address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vendored {
    /// The address.
    pub address: String,
    /// What is known about its license.
    pub license: Option<String>,
    /// The files of the bundle that were made of it.
    pub files: Vec<BundlePath>,
}

impl Remote {
    /// The addresses that written pages load from, in their order.
    fn used(&self) -> Vec<Arc<AddressSlot>> {
        let slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let mut used: Vec<_> = slots.values().filter(|slot| slot.first_spot().is_some()).cloned().collect();
        used.sort_by(|a, b| (&a.address, a.load).cmp(&(&b.address, b.load)));
        used
    }

    /// Where the files of the bundle come from, in the order of the addresses.
    pub fn vendored(&self) -> Vec<Vendored> {
        let vendored = |slot: &Arc<AddressSlot>| {
            let Some(Ok(asset)) = slot.outcome() else { return None };
            let files = match slot.sheet.get() {
                _ if slot.load == LoadKind::Description => {
                    slot.description.get().map(|(path, _)| path.clone()).into_iter().collect()
                }
                _ if asset.media != CSS => vec![asset.path.clone()],
                sheet => sheet.into_iter().flat_map(|sheet| sheet.files.iter().map(|(path, _)| path.clone())).collect(),
            };
            Some(Vendored { address: slot.address.to_string(), license: asset.license.clone(), files })
        };
        self.used().iter().filter_map(vendored).filter(|vendored| !vendored.files.is_empty()).collect()
    }

    /// The files of the bundle.
    pub fn files(&self) -> RemoteAssets<'_> {
        let mut files = BTreeMap::new();
        for slot in self.used() {
            let Some(Ok(asset)) = slot.outcome() else { continue };
            if slot.load == LoadKind::Description {
                files.extend(
                    slot.description.get().map(|(path, bytes)| (path.clone(), RemoteContent::Bytes(Arc::clone(bytes)))),
                );
            } else if asset.media != CSS {
                let path = asset.path.clone();
                files.insert(path, RemoteContent::Asset(slot));
            } else if let Some(sheet) = slot.sheet.get() {
                files.extend(sheet.files.iter().map(|(path, text)| (path.clone(), RemoteContent::Text(text.clone()))));
            }
        }
        RemoteAssets { remote: self, left: files.into_iter() }
    }

    /// Writes the lock file, if it is written at all. `partial`: not all pages of the site were exported.
    pub fn write_lock(&self, partial: bool) -> Option<Diagnostic> {
        // offline, nothing is learnt
        if self.options.mode != RemoteMode::On || self.options.offline {
            return None;
        }
        let mut partial = partial;
        let mut met = BTreeMap::new();
        for slot in self.used() {
            let locked = match slot.outcome() {
                Some(Ok(asset)) => Some(asset.locked()),
                // what is not there today keeps its entry, and so does what it would have loaded
                _ => self.lock.entries.get(&slot.address).cloned().inspect(|_| partial = true),
            };
            if let Some(locked) = locked {
                met.insert(slot.address.clone(), locked);
            }
        }
        let error = self.lock.write(met, partial).err()?;
        let name = self.lock.shown();
        let message = format!("the lock file `{name}` cannot be written: {error}");
        Some(
            Diagnostic::new("lock-unwritable", message)
                .hint("the bundle is complete; name a writable file with `--lock`"),
        )
    }

    /// Figures for the report.
    pub fn counts(&self) -> RemoteCounts {
        let mut counts = RemoteCounts::default();
        let mut last = String::new();
        for slot in self.used() {
            if slot.address == last {
                continue; // loaded in two ways
            }
            last.clone_from(&slot.address);
            counts.addresses += 1;
            match slot.outcome() {
                Some(Ok(asset)) => {
                    counts.vendored += 1;
                    counts.fetched += u64::from(asset.fetched);
                    counts.bytes += asset.size;
                }
                _ => counts.missing += 1,
            }
        }
        counts
    }

    /// What people should know: one diagnostic for an address, at the first place that refers to it.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let all = self.used();
        // problems of descriptions were reported when the site was loaded
        let used: Vec<&Arc<AddressSlot>> = all.iter().filter(|slot| slot.load != LoadKind::Description).collect();
        let absent = |slot: &&Arc<AddressSlot>| matches!(slot.outcome(), Some(Err(_)));
        let unreached =
            |slot: &&&Arc<AddressSlot>| matches!(slot.outcome(), Some(Err(absence)) if absence.is_unreached());
        let fetched = |slot: &&Arc<AddressSlot>| matches!(slot.outcome(), Some(Ok(asset)) if asset.fetched);
        let missing = used.iter().filter(|slot| unreached(slot)).count();
        // a site whose pages load a thousand pictures needs no thousand warnings to say that the cable is out
        let no_network = self.options.mode == RemoteMode::On
            && missing > 1
            && !used.iter().any(fetched)
            && !used.iter().any(|slot| absent(slot) && has_answered(slot));
        let mut out: Vec<Diagnostic> = Vec::new();
        if no_network {
            let message = format!("there is no network: {missing} remote assets are replaced by placeholders");
            let hint = "export once with a network: then the cache has them; `--offline` skips the attempt";
            out.push(Diagnostic::new("no-network", message).hint(hint));
        }
        // an address that is loaded in two ways has one warning
        let mut said = BTreeSet::new();
        for slot in &used {
            let found = match slot.outcome() {
                Some(Err(_)) if slot.is_reported.load(Ordering::Relaxed) => None,
                Some(Err(absence)) if !(no_network && absence.is_unreached()) => Some(self.absent(slot, absence)),
                Some(Ok(asset)) => changed(slot, asset),
                _ => None,
            };
            let Some(spot) = slot.first_spot() else { continue };
            out.extend(
                found
                    .filter(|found| said.insert(found.message.clone()))
                    .map(|found| found.at(&spot.file, spot.line, spot.column)),
            );
            if let Some(Ok(FetchedAsset { cut, .. })) = slot.outcome()
                && !cut.is_empty()
                && said.insert(slot.address.clone())
            {
                let message =
                    format!("the SVG `{}` is copied without {}", display_remote_address(&slot.address), cut.join(", "));
                let problem =
                    Diagnostic::new("svg-active", message).about(&slot.address).at(&spot.file, spot.line, spot.column);
                out.push(problem.hint("pictures never run scripts or load other files"));
            }
        }
        let not_cached = all.iter().find_map(|slot| slot.outcome()?.as_ref().ok()?.not_cached.as_ref());
        if let Some(why) = not_cached {
            let message = format!("the cache cannot be written: {why}");
            out.push(
                Diagnostic::new("cache-unwritable", message)
                    .hint("the bundle is complete; name a writable folder with `--cache-dir`"),
            );
        }
        out
    }

    pub(super) fn absent(&self, slot: &AddressSlot, absence: &Absence) -> Diagnostic {
        let address = display_remote_address(&slot.address);
        let (code, why, hint) = match absence {
            Absence::NoAddress => ("remote-asset", "it is not a valid address".to_owned(), "correct the address"),
            Absence::Refused(refusal) => ("remote-asset", refusal.to_string(), refusal_hint(refusal)),
            Absence::WrongType(why) => {
                ("remote-asset", why.clone(), "correct the address, or add the file to the source")
            }
            Absence::Offline => (
                "remote-offline",
                "it is not in the cache, and `--offline` makes no requests".to_owned(),
                "export once with a network and the same `--cache-dir`",
            ),
            Absence::NotLocked => (
                "remote-not-locked",
                "it is not in the lock file".to_owned(),
                "export once with `--vendor on`, and commit the lock file",
            ),
            Absence::Changed => (
                "remote-changed",
                "its bytes are not those of the lock file".to_owned(),
                "check the change; `--vendor on` accepts it and updates the lock file",
            ),
            Absence::NoNetwork => (
                "remote-asset",
                "no server can be reached".to_owned(),
                "export with a network, or add the file to the source",
            ),
            Absence::GivenUp(why) => ("remote-asset", (*why).to_owned(), "add the file to the source"),
        };
        let severity = if self.options.mode == RemoteMode::Locked { Severity::Error } else { Severity::Warning };
        let message = format!("`{address}` is not vendored: {why}");
        Diagnostic { severity, ..Diagnostic::warning(code, message) }.about(&slot.address).hint(hint)
    }
}

/// Whether the answer of a server, not the lack of one, is why there is nothing.
fn has_answered(slot: &AddressSlot) -> bool {
    use fetch::DownloadFailure::{Broken, Downgrade, Encoding, Nowhere, Redirects, Status, TooLarge};
    match slot.outcome() {
        Some(Err(Absence::WrongType(_) | Absence::Changed)) => true,
        Some(Err(Absence::Refused(refusal))) => {
            matches!(refusal, Broken(_) | Downgrade | Encoding(_) | Nowhere | Redirects(_) | Status(_) | TooLarge(_))
        }
        _ => false,
    }
}

fn refusal_hint(refusal: &fetch::DownloadFailure) -> &'static str {
    use fetch::DownloadFailure;
    match refusal {
        DownloadFailure::Address { .. } | DownloadFailure::Port(_) => {
            "add the file to the source, or allow a server of your own network with `--allow-private=HOST:PORT`"
        }
        DownloadFailure::Name(_)
        | DownloadFailure::Connection { .. }
        | DownloadFailure::Unanswered(_)
        | DownloadFailure::Slow(_)
        | DownloadFailure::Broken(_)
        | DownloadFailure::Status(500..) => "try again later, or add the file to the source",
        DownloadFailure::Status(_) => "correct the address, or add the file to the source",
        _ => "add the file to the source",
    }
}

pub(super) fn changed(slot: &AddressSlot, asset: &FetchedAsset) -> Option<Diagnostic> {
    let from = asset.changed_from.as_ref()?;
    let message = format!(
        "`{}` has changed: the digest was {}…, and is {}…",
        display_remote_address(&slot.address),
        cut(from, 12).0,
        cut(&asset.digest, 12).0
    );
    Some(
        Diagnostic::warning("remote-changed", message)
            .about(&slot.address)
            .hint("check the change; the lock file is updated"),
    )
}

/// An address for a message: one line, not too long.
pub(super) fn display_remote_address(address: &str) -> String {
    const MAX_SHOWN_CHARS: usize = 160;
    let mut out: String = address.chars().map(|c| if c.is_control() { ' ' } else { c }).take(MAX_SHOWN_CHARS).collect();
    if out.len() < address.len() {
        out.push('…');
    }
    out
}
