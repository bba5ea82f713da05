//! When pages were last modified: what their front matter says, else the last commit that touched their file.

use std::path::PathBuf;
use std::thread::JoinHandle;

use rustc_hash::FxHashMap;

use base::cut::cut;
use base::time::rfc3339_seconds;
use base::{Diagnostic, PageId};
use load::Site;
use side::history;
use site::page::PageEntry;

/// What git knows of the pages of a site.
#[derive(Debug, Default)]
pub(super) struct Dates(FxHashMap<PageId, String>);

/// A query of the git history, which runs while the rest of the site is prepared.
pub(super) struct DateQuery {
    pages: Vec<(PageId, String)>,
    answer: Option<JoinHandle<Result<FxHashMap<String, u64>, history::Late>>>,
}

/// Whether a page shows when it was last modified: as it says itself, else as the site says. A date in its front matter
/// is shown unless the page hides it.
fn is_shown(site: &Site, page: &PageEntry) -> bool {
    page.meta.timestamp.unwrap_or(site.config.timestamp || page.meta.last_updated.is_some())
}

impl DateQuery {
    /// Queries the pages whose front matter has no date; runs nothing if no page shows one.
    pub(super) fn about(site: &Site, chosen: &[PageId]) -> Self {
        let undated = |page: &PageId| {
            let entry = site.page(*page);
            let needs_date = is_shown(site, entry) && entry.meta.last_updated.is_none();
            Some((*page, site.tree.path(entry.file.filter(|_| needs_date)?).to_owned()))
        };
        let pages: Vec<(PageId, String)> = chosen.iter().filter_map(undated).collect();
        let paths = pages.iter().map(|(_, path)| path.clone()).collect();
        let root: Option<PathBuf> = site.tree.folder().filter(|_| !pages.is_empty()).map(PathBuf::from);
        Self { pages, answer: root.map(|root| std::thread::spawn(move || history::last_changes(&root, paths))) }
    }

    /// Waits for the answer.
    pub(super) fn finish(self, diagnostics: &mut Vec<Diagnostic>) -> Dates {
        let known = match self.answer.map(JoinHandle::join) {
            None | Some(Err(_)) => return Dates::default(),
            Some(Ok(Ok(known))) => known,
            Some(Ok(Err(history::Late))) => {
                let problem = Diagnostic::new(
                    "history-late",
                    "git took too long to list the commits; no page shows when it was last modified",
                );
                diagnostics.push(
                    problem
                        .hint("set `lastUpdatedDate` in the front matter of pages, or `metadata.timestamp` to false"),
                );
                return Dates::default();
            }
        };
        let day = |seconds: u64| cut(&rfc3339_seconds(seconds), 10).0.to_owned();
        Dates(self.pages.into_iter().filter_map(|(page, path)| Some((page, day(*known.get(&path)?)))).collect())
    }
}

impl Dates {
    /// The date that a page shows.
    pub(super) fn of<'a>(&'a self, site: &'a Site, page: PageId) -> Option<&'a str> {
        let entry = site.page(page);
        let written = entry.meta.last_updated.as_deref();
        written.or_else(|| self.0.get(&page).map(String::as_str)).filter(|_| is_shown(site, entry))
    }
}
