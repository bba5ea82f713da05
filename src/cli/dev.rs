//! `offprint dev`.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;

use crate::config::DevFlags;
use crate::dev::{self, Event};

use super::args::DevArgs;
use super::{Exit, diagnostics, harmless, on_signal, plural, tell, tell_error};

/// Most file names that a line tells.
const NAMED: usize = 3;

/// Shows a site until Ctrl-C.
pub(super) fn run(arguments: DevArgs) -> Exit {
    let open = arguments.open;
    let shown = harmless(&arguments.source.display().to_string());
    let flags = DevFlags {
        source: arguments.source,
        host: arguments.host,
        port: arguments.port,
        groups: arguments.groups.groups,
        include_js: arguments.include_js,
        highlight: !arguments.no_highlight,
        remote: arguments.remote.flags(),
    };
    let options = match flags.options() {
        Ok(options) => options,
        Err(message) => {
            tell_error(harmless(&message));
            return Exit::Unusable;
        }
    };
    let root = options.settings.root.clone();
    let stop = Arc::new(Notify::new());
    let stopper = Arc::clone(&stop);
    on_signal(move || stopper.notify_one());
    let port = options.port;
    let ended = dev::run(&options, move |event| say(event, &root, &shown, port, open), stop.notified());
    match ended {
        Ok(()) => Exit::Done,
        Err(error) => {
            let cause = std::error::Error::source(&error).map(|cause| format!(": {cause}")).unwrap_or_default();
            tell_error(harmless(&format!("{error}{cause}")));
            Exit::Unusable
        }
    }
}

fn say(event: Event, root: &Path, source: &str, port: u16, open: bool) {
    match event {
        Event::Listening { address, pages, elapsed } => {
            if port != 0 && address.port() != port {
                tell(format_args!("Port {port} is in use."));
            }
            let address = address_of(address);
            let what = pages.map_or_else(|| "cannot be shown: see the diagnostics".to_owned(), |pages| format!("{}, loaded in {}", plural(pages as u64, "page"), took(elapsed)));
            tell(format_args!("{source}: {what}\n\n  {address}\n\nWatching for changes. Press Ctrl-C to stop.\n"));
            if open {
                browse(&address);
            }
        }
        Event::Changed { files, pages_only, elapsed } => {
            let what = if pages_only { "" } else { ", site reloaded" };
            tell(format_args!("{} changed{what}: updated in {}", named(&files), took(elapsed)));
        }
        Event::Diagnostics(found) => {
            // a closed standard error is no reason to fail
            let _ = diagnostics::write(&mut anstream::stderr().lock(), root, &found, "correct these first");
        }
        Event::Trouble(message) => tell_error(harmless(&message)),
    }
}

/// The address that a browser opens. One that stands for all addresses of this machine is none.
fn address_of(address: std::net::SocketAddr) -> String {
    if address.ip().is_unspecified() { format!("http://localhost:{}/", address.port()) } else { format!("http://{address}/") }
}

/// `a.mdx, b.mdx and 3 more`
fn named(files: &[String]) -> String {
    if files.is_empty() {
        return "Files".to_owned();
    }
    let shown: Vec<String> = files.iter().take(NAMED).map(|file| harmless(file)).collect();
    let more = files.len() - shown.len();
    let shown = shown.join(", ");
    if more == 0 { shown } else { format!("{shown} and {more} more") }
}

fn took(elapsed: Duration) -> String {
    let ms = elapsed.as_secs_f64() * 1000.0;
    if ms < 10.0 { format!("{ms:.1} ms") } else { format!("{ms:.0} ms") }
}

/// Opens the system's browser; where there is none, the address has been printed.
fn browse(address: &str) {
    let mut command = match std::env::consts::OS {
        "macos" => Command::new("open"),
        "windows" => Command::new("explorer"),
        _ => Command::new("xdg-open"),
    };
    let started = command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    match started {
        // it ends by itself, and nobody waits for it
        Ok(mut child) => drop(std::thread::spawn(move || child.wait())),
        Err(error) => tell_error(format_args!("cannot open a browser: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_name_few_files() {
        let files = |count: usize| (0..count).map(|number| format!("{number}.mdx")).collect::<Vec<_>>();
        assert_eq!(named(&files(0)), "Files");
        assert_eq!(named(&files(2)), "0.mdx, 1.mdx");
        assert_eq!(named(&files(5)), "0.mdx, 1.mdx, 2.mdx and 2 more");
        assert_eq!(named(&["a\u{1b}[2J.mdx".to_owned()]), "a\u{fffd}[2J.mdx");
    }

    #[test]
    fn times_and_addresses_read_well() {
        assert_eq!([Duration::from_micros(3_240), Duration::from_millis(57)].map(took), ["3.2 ms", "57 ms"]);
        assert_eq!(["127.0.0.1:3000", "[::1]:3000", "0.0.0.0:80"].map(|text| address_of(text.parse().unwrap())), ["http://127.0.0.1:3000/", "http://[::1]:3000/", "http://localhost:80/"]);
    }
}
