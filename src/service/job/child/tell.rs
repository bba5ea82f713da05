//! How the processes of a job say what they do.

use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::store::Finding;
use base::{Diagnostic, Severity};
use export::ExportEvent;
use fetch::{archive, git};

use super::line::ProcessLine;
use super::{Cause, MAX_FINDINGS};

/// How often pages are counted aloud.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// Why there is no archive, for the service.
pub(super) type TellFailure = (Cause, String);

/// Says lines.
pub(super) struct LineTeller<'a> {
    say: &'a (dyn Fn(&str) + Sync),
    /// Pages that were said last, and when.
    pages: Mutex<(u64, Option<Instant>)>,
}

impl<'a> LineTeller<'a> {
    pub(super) fn new(say: &'a (dyn Fn(&str) + Sync)) -> Self {
        Self { say, pages: Mutex::new((0, None)) }
    }

    pub(super) fn line(&self, line: &ProcessLine) {
        if let Ok(text) = serde_json::to_string(line) {
            (self.say)(&text);
        }
    }

    pub(super) fn event(&self, event: ExportEvent) {
        match event {
            ExportEvent::Stage { name, .. } => self.line(&ProcessLine::Stage { name: name.to_owned() }),
            ExportEvent::Pages { done, total } => {
                let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
                let is_due = done == total || pages.1.is_none_or(|last| last.elapsed() >= PROGRESS_INTERVAL);
                // threads may overtake each other
                if done > pages.0 && is_due {
                    *pages = (done, Some(Instant::now()));
                    self.line(&ProcessLine::Pages { done, total });
                }
            }
            // the report has them all, in order
            ExportEvent::Diagnostic(_) => {}
        }
    }

    /// Says what is wrong with the content, as far as a log has room.
    pub(super) fn findings(&self, found: &[&Diagnostic]) {
        let errors = found.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count() as u64;
        self.line(&ProcessLine::Found { errors, warnings: found.len() as u64 - errors });
        for diagnostic in found.iter().take(MAX_FINDINGS) {
            self.line(&ProcessLine::Finding(Finding::from(*diagnostic)));
        }
    }
}

pub(super) fn system(error: &io::Error) -> TellFailure {
    (Cause::of(error), format!("cannot write the bundle: {error}"))
}

pub(super) fn failed_git(error: git::GitError) -> TellFailure {
    let cause = match error {
        git::GitError::NoBranch(_) => Cause::NoBranch,
        git::GitError::NoFolder(_) => Cause::Content,
        git::GitError::TooManyFiles(_) | git::GitError::TooLarge(_) | git::GitError::Slow(_) => Cause::Limit,
        git::GitError::NoRoom => Cause::Full,
        git::GitError::Canceled => Cause::Canceled,
        _ => Cause::Source,
    };
    (cause, error.to_string())
}

pub(super) fn failed_archive(error: archive::ArchiveError) -> TellFailure {
    let cause = match &error {
        archive::ArchiveError::NoFolder(_) => Cause::Content,
        archive::ArchiveError::TooManyFiles(_) | archive::ArchiveError::TooLarge(_) => Cause::Limit,
        archive::ArchiveError::Io(error) => Cause::of(error),
        archive::ArchiveError::Canceled => Cause::Canceled,
        _ => Cause::Source,
    };
    (cause, error.to_string())
}
