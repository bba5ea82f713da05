//! API descriptions on other servers: fetched while the site is loaded, under the rules of everything else that comes
//! from elsewhere.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::report::{changed, display_remote_address};
use super::slot::{Absence, AddressSlot};
use super::{AddressSpot, Remote, RemoteMode};
use base::{Diagnostic, LoadKind, Severity};
use fetch::DownloadFailure;
use load::remote::{RemoteFile, RemoteFiles};
use site::tree::SourceTree;

/// Gets API descriptions for the loading of a site.
#[derive(Debug)]
pub struct RemoteDescriptions<'a> {
    remote: &'a Remote,
    cancel: &'a AtomicBool,
}

impl<'a> RemoteDescriptions<'a> {
    /// What is pending when `cancel` is set is left out, without a diagnostic.
    pub fn new(remote: &'a Remote, cancel: &'a AtomicBool) -> Self {
        Self { remote, cancel }
    }
}

impl RemoteFiles for RemoteDescriptions<'_> {
    fn descriptions(&self, addresses: &[&str]) -> Vec<Result<RemoteFile, Diagnostic>> {
        let remote = self.remote;
        if remote.options.mode == RemoteMode::Off {
            return addresses.iter().map(|address| Err(spec::not_fetched(address))).collect();
        }
        let slots: Vec<Arc<AddressSlot>> =
            addresses.iter().map(|address| remote.slot(address, LoadKind::Description)).collect();
        // all of them are begun before any is waited for
        let pending: Vec<Arc<AddressSlot>> =
            slots.iter().filter(|slot| remote.outcome(slot).is_none()).cloned().collect();
        let _ = remote.wait(&pending, self.cancel);
        let found = slots.iter().map(|slot| {
            slot.note(AddressSpot::default());
            let outcome = match slot.outcome() {
                Some(Ok(asset)) => asset
                    .bytes(&remote.cache)
                    .map(|bytes| (asset, bytes))
                    .ok_or(&Absence::GivenUp("it has vanished from the cache")),
                Some(Err(absence)) => Err(absence),
                None => Err(&Absence::GivenUp("the export was canceled")),
            };
            match outcome {
                Ok((asset, bytes)) => {
                    Ok(RemoteFile { bytes: Arc::new(bytes.into_owned()), problem: changed(slot, asset) })
                }
                Err(absence) => Err(remote.no_description(slot, absence)),
            }
        });
        found.collect()
    }
}

impl Remote {
    /// Notes how the descriptions of a loaded site go into the bundle.
    pub fn place_descriptions(&self, tree: &SourceTree) {
        for (_, file) in tree.fetched().filter(|(id, _)| !tree.file(*id).ignored) {
            let _ = self
                .slot(file.address(), LoadKind::Description)
                .description
                .set((file.path().clone(), Arc::clone(file.bytes())));
        }
    }

    /// What is said of an address that gave no description.
    fn no_description(&self, slot: &AddressSlot, absence: &Absence) -> Diagnostic {
        let (why, hint) = match absence {
            Absence::NoAddress => ("it is no address".to_owned(), "correct the address"),
            Absence::Refused(refusal) => (refusal.to_string(), spec_refusal_reason(refusal)),
            Absence::WrongType(why) => (
                why.clone(),
                "name the address of the JSON or YAML itself, or put the description into the documentation folder",
            ),
            Absence::Offline => (
                "nothing is fetched with `--offline`, and the cache does not have it".to_owned(),
                "export once with a network and the same `--cache-dir`",
            ),
            Absence::NotLocked => (
                "the lock file does not name it".to_owned(),
                "export once with `--vendor on`, and commit the lock file",
            ),
            Absence::Changed => (
                "its bytes are not those of the lock file".to_owned(),
                "see what has changed; `--vendor on` accepts it and writes the lock file anew",
            ),
            Absence::NoNetwork => (
                "no server can be reached".to_owned(),
                spec_refusal_reason(&DownloadFailure::Unanswered(String::new())),
            ),
            Absence::GivenUp(why) => ((*why).to_owned(), "put the description into the documentation folder"),
        };
        // without `--locked`, missing descriptions are what `--offline` implies
        let is_meant = *absence == Absence::Offline && self.options.mode != RemoteMode::Locked;
        let severity = if is_meant { Severity::Warning } else { Severity::Error };
        let message = format!(
            "the API description `{}` is missing, and its operations have no pages: {why}",
            display_remote_address(&slot.address)
        );
        Diagnostic { severity, ..Diagnostic::warning("openapi-remote", message) }.about(&slot.address).hint(hint)
    }
}

fn spec_refusal_reason(refusal: &DownloadFailure) -> &'static str {
    match refusal {
        DownloadFailure::Address { .. } | DownloadFailure::Port(_) => {
            "put the description into the documentation folder; `--allow-private=HOST:PORT` lets in a server of your own network"
        }
        DownloadFailure::Name(_)
        | DownloadFailure::Connection { .. }
        | DownloadFailure::Unanswered(_)
        | DownloadFailure::Slow(_)
        | DownloadFailure::Broken(_)
        | DownloadFailure::Status(500..) => {
            "export once with a network: the lock file and the cache then serve exports without one; or put the description into the documentation folder"
        }
        DownloadFailure::Status(_) => "correct the address, or put the description into the documentation folder",
        _ => "put the description into the documentation folder",
    }
}
