//! `offprint job`: one export for the service, which starts this and talks to it. Not for people.

use std::io::Write as _;

use crate::service::job::child::inside;

use super::{Exit, tell_error};

/// Reads a piece of work from standard input, does it, and says how it goes, one JSON object a line on standard output.
pub(super) fn run_job() -> Exit {
    let say = |line: &str| {
        let mut out = std::io::stdout().lock();
        // a reader that has gone away ends this process by itself
        let _ = writeln!(out, "{line}").and_then(|()| out.flush());
    };
    match inside::serve(std::io::stdin(), say) {
        Ok(()) => Exit::Done,
        Err(message) => {
            tell_error(message);
            Exit::Unusable
        }
    }
}
