//! What the server shows now: the edition, whether it is up to date with the files, and the problems reported so far.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use tokio::sync::watch;

use crate::{DevReply, ShownPage, WorkspaceSettings};
use base::limits::STACK_BYTES;
use base::{BundlePath, Diagnostic};
use load::LoadError;

use super::DevEvent;
use super::change::{self, Change};
use super::edition::Edition;
use super::watch::{ChangeBatch, FolderWatch};

/// What browsers are shown.
#[derive(Clone, Debug, Default)]
pub(super) struct BrowserState {
    /// The last site that could be loaded.
    pub(super) edition: Option<Arc<Edition>>,
    /// Why the files as they are now cannot be.
    pub(super) failure: Option<Diagnostic>,
    /// The file that configured the site when it had one last.
    config: Option<String>,
    /// Counts changes of the author's style sheets.
    pub(super) styles: u64,
    /// Counts changes of other files that pages load.
    pub(super) files: u64,
}

impl BrowserState {
    /// Why what is shown is not what the author means, if it is not.
    pub(super) fn problem(&self) -> Option<Diagnostic> {
        self.failure.clone().or_else(|| {
            let (edition, config) = (self.edition.as_ref()?, self.config.as_ref()?);
            let message = || Diagnostic::warning("no-config", format!("`{config}` was removed: the folder is shown as plain Markdown, without its navigation and colors"));
            edition.config.is_none().then(message).map(|diagnostic| diagnostic.hint("restore the file; the site is reloaded then"))
        })
    }
}

/// The middle of the server. Shared by all threads.
pub(super) struct DevSession {
    settings: WorkspaceSettings,
    pool: Arc<rayon::ThreadPool>,
    state: watch::Sender<BrowserState>,
    /// Called with each event for the terminal.
    teller: Box<dyn Fn(DevEvent) + Send + Sync>,
    /// The diagnostics reported of each page, and of the site (empty path).
    reported: Mutex<BTreeMap<String, Vec<Diagnostic>>>,
}

impl DevSession {
    /// A session without a site.
    ///
    /// # Errors
    /// The system gives no threads.
    pub(super) fn new(settings: WorkspaceSettings, teller: Box<dyn Fn(DevEvent) + Send + Sync>) -> io::Result<Self> {
        let pool = rayon::ThreadPoolBuilder::new().stack_size(STACK_BYTES).build().map_err(io::Error::other)?;
        Ok(Self {
            settings,
            pool: Arc::new(pool),
            state: watch::Sender::new(BrowserState::default()),
            teller,
            reported: Mutex::default(),
        })
    }

    /// How the site is shown.
    pub(super) fn settings(&self) -> &WorkspaceSettings {
        &self.settings
    }

    /// What is shown now.
    pub(super) fn state(&self) -> BrowserState {
        self.state.borrow().clone()
    }

    /// A receiver of every change of what is shown.
    pub(super) fn subscribe(&self) -> watch::Receiver<BrowserState> {
        self.state.subscribe()
    }

    /// Sends an event to the terminal.
    pub(super) fn tell(&self, event: DevEvent) {
        (self.teller)(event);
    }

    /// Loads the site; the number of its pages, or nothing if it cannot be shown. The last good one stays.
    /// `files`: other files than texts differ.
    pub(super) fn open(&self, files: bool) -> Option<usize> {
        match Edition::open(self.settings.clone(), Arc::clone(&self.pool)) {
            Ok(edition) => {
                let pages = edition.pages;
                self.state.send_modify(|state| {
                    if edition.config.is_some() {
                        state.config.clone_from(&edition.config);
                    }
                    (state.edition, state.failure) = (Some(Arc::new(edition)), None);
                    state.files += u64::from(files);
                });
                Some(pages)
            }
            Err(error) => {
                let failure = failure(error);
                self.state.send_modify(|state| state.failure = Some(failure));
                None
            }
        }
    }

    /// Follows the changes of a folder until the watch ends.
    pub(super) fn follow(&self, mut watch: FolderWatch) {
        while let Some(batch) = watch.wait() {
            self.change(batch);
        }
    }

    fn change(&self, batch: ChangeBatch) {
        let started = Instant::now();
        if let Some(trouble) = batch.trouble {
            self.tell(DevEvent::Trouble(trouble));
        }
        let state = self.state();
        let mut paths = batch.paths.clone();
        let judge = |edition: &Arc<Edition>| {
            edition.ask_and_wait(move |workspace| {
                let change = change::judge(&mut paths, workspace);
                (change, paths)
            })
        };
        let judged = state.edition.as_ref().filter(|_| !batch.lost).and_then(judge);
        // without a site, or with changes that were not reported, all is new
        let (change, files) = judged.unwrap_or((Change { site: true, files: true, ..Change::default() }, batch.paths));
        if change == Change::default() {
            return;
        }
        let pages_only = !change.site;
        let shown = match &state.edition {
            Some(edition) if pages_only => self.renew(edition, change),
            _ => {
                self.open(change.files);
                Vec::new()
            }
        };
        self.tell(DevEvent::Changed { files, pages_only, elapsed: started.elapsed() });
        for (path, shown) in shown {
            self.tell_page(&path, &shown);
        }
        self.tell_site();
    }

    /// Renders again what changed; the site stays.
    fn renew(&self, edition: &Edition, change: Change) -> Vec<(String, Arc<ShownPage>)> {
        let (styles, pages, snippets) = (change.styles, change.pages, change.snippets);
        let shown = edition.ask_and_wait(move |workspace| {
            if snippets {
                workspace.forget_snippets();
            }
            if styles {
                workspace.check_sheets();
            }
            pages.iter().for_each(|page| workspace.forget_page(*page));
            let shown = pages.iter().filter_map(|page| {
                let path = workspace.address(*page).map(BundlePath::as_str)?;
                match workspace.answer(path) {
                    DevReply::Page(shown) => Some((path.to_owned(), shown)),
                    _ => None,
                }
            });
            shown.collect::<Vec<_>>()
        });
        self.state.send_modify(|state| state.styles += u64::from(styles));
        shown.unwrap_or_default()
    }

    /// Reports new problems of a page.
    pub(super) fn tell_page(&self, path: &str, shown: &ShownPage) {
        self.tell_new(path, shown.diagnostics.clone());
    }

    /// Reports new problems of the site.
    pub(super) fn tell_site(&self) {
        let state = self.state();
        let mut found: Vec<Diagnostic> = state.problem().into_iter().collect();
        if let (None, Some(edition)) = (&state.failure, &state.edition) {
            found.extend(edition.ask_and_wait(|workspace| workspace.diagnostics()).unwrap_or_default());
        }
        self.tell_new("", found);
    }

    fn tell_new(&self, of: &str, found: Vec<Diagnostic>) {
        let mut reported = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        let before = reported.insert(of.to_owned(), found.clone()).unwrap_or_default();
        drop(reported);
        let new: Vec<Diagnostic> = found.into_iter().filter(|diagnostic| !before.contains(diagnostic)).collect();
        if !new.is_empty() {
            self.tell(DevEvent::Diagnostics(new));
        }
    }
}

/// Why a site cannot be shown, as a problem like others.
fn failure(error: Option<LoadError>) -> Diagnostic {
    let hint = "the page is updated when it is corrected";
    match error {
        Some(LoadError::Config(diagnostic)) => {
            let hint = diagnostic.hint.clone().unwrap_or_else(|| hint.to_owned());
            diagnostic.hint(hint)
        }
        Some(error) => Diagnostic::error("no-site", error.to_string()).hint(hint),
        None => Diagnostic::error("no-site", "the site could not be loaded: an internal error stopped it").hint(hint),
    }
}
