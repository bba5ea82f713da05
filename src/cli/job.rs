//! `offprint job`: one export for the service, which starts this and talks to it. Not for people.
//!
//! With the argument `renderer` it is the second process of the export, which the first one starts.

use std::io::Write as _;
use std::path::PathBuf;

use confine::close_inherited;
use service::job::child::fetcher::{FetcherHome, serve_fetcher};
use service::job::child::{RENDERER, renderer};

use super::{Exit, tell_error};

/// `offprint job`.
#[derive(Debug, clap::Args)]
pub(super) struct JobArgs {
    /// Which of the two processes this is
    #[arg(value_parser = [RENDERER])]
    role: Option<String>,
}

/// Reads a piece of work from standard input, does it, and says how it goes, one JSON object a line on standard output.
pub(super) fn run_job(arguments: &JobArgs) -> Exit {
    close_inherited();
    let say = |line: &str| {
        let mut out = std::io::stdout().lock();
        // a reader that has gone away ends this process by itself
        let _ = writeln!(out, "{line}").and_then(|()| out.flush());
    };
    let done = match arguments.role {
        Some(_) => renderer::render_from_input(say),
        None => {
            let certificates = std::env::var_os("SSL_CERT_FILE").map(PathBuf::from);
            serve_fetcher(std::io::stdin(), say, &FetcherHome { certificates, home: std::env::home_dir() })
        }
    };
    match done {
        Ok(()) => Exit::Done,
        Err(message) => {
            tell_error(message);
            Exit::Unusable
        }
    }
}
