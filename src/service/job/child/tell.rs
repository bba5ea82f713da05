//! How the processes of a job say what they do.

use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::store::Finding;
use base::{Diagnostic, Severity};
use export::Event;
use fetch::{archive, git};

use super::line::Line;
use super::{Cause, MAX_FINDINGS};

/// How often pages are counted aloud.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// Why there is no archive, for the service.
pub(super) type Failed = (Cause, String);

/// Says lines.
pub(super) struct Tell<'a> {
    say: &'a (dyn Fn(&str) + Sync),
    /// Pages that were said last, and when.
    pages: Mutex<(u64, Option<Instant>)>,
}

impl<'a> Tell<'a> {
    pub(super) fn new(say: &'a (dyn Fn(&str) + Sync)) -> Self {
        Self { say, pages: Mutex::new((0, None)) }
    }

    pub(super) fn line(&self, line: &Line) {
        if let Ok(text) = serde_json::to_string(line) {
            (self.say)(&text);
        }
    }

    pub(super) fn event(&self, event: Event) {
        match event {
            Event::Stage { name, .. } => self.line(&Line::Stage { name: name.to_owned() }),
            Event::Pages { done, total } => {
                let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
                let is_due = done == total || pages.1.is_none_or(|last| last.elapsed() >= PROGRESS_INTERVAL);
                // threads may overtake each other
                if done > pages.0 && is_due {
                    *pages = (done, Some(Instant::now()));
                    self.line(&Line::Pages { done, total });
                }
            }
            // the report has them all, in order
            Event::Diagnostic(_) => {}
        }
    }

    /// Says what is wrong with the content, as far as a log has room.
    pub(super) fn findings(&self, found: &[&Diagnostic]) {
        let errors = found.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count() as u64;
        self.line(&Line::Found { errors, warnings: found.len() as u64 - errors });
        for diagnostic in found.iter().take(MAX_FINDINGS) {
            self.line(&Line::Finding(finding(diagnostic)));
        }
    }
}

fn finding(diagnostic: &Diagnostic) -> Finding {
    let Diagnostic { code, severity, message, file, line, column, .. } = diagnostic;
    Finding {
        is_error: *severity == Severity::Error,
        code: (*code).to_owned(),
        message: message.clone(),
        file: file.clone(),
        line: *line,
        column: *column,
    }
}

pub(super) fn system(error: &io::Error) -> Failed {
    (Cause::of(error), format!("cannot write the bundle: {error}"))
}

pub(super) fn failed_git(error: git::Error) -> Failed {
    let cause = match error {
        git::Error::NoBranch(_) => Cause::NoBranch,
        git::Error::NoFolder(_) => Cause::Content,
        git::Error::TooManyFiles(_) | git::Error::TooLarge(_) | git::Error::Slow(_) => Cause::Limit,
        git::Error::NoRoom => Cause::Full,
        git::Error::Canceled => Cause::Canceled,
        _ => Cause::Source,
    };
    (cause, error.to_string())
}

pub(super) fn failed_archive(error: archive::Error) -> Failed {
    let cause = match &error {
        archive::Error::NoFolder(_) => Cause::Content,
        archive::Error::TooManyFiles(_) | archive::Error::TooLarge(_) => Cause::Limit,
        archive::Error::Io(error) => Cause::of(error),
        archive::Error::Canceled => Cause::Canceled,
        _ => Cause::Source,
    };
    (cause, error.to_string())
}
