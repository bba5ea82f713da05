//! `offprint dev`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;

use crate::config;
use export::WorkspaceSettings;
use export::dev::{self, DevEvent, DevOptions};
use import::project_root;

use super::{Exit, browser, diagnostics, harmless, nearby, on_signal, plural, tell, tell_error};

pub(super) const ABOUT: &str = "\
Serve a site on this machine and update the browser when files change.

The browser shows the new page and keeps the scroll position. Diagnostics are shown in the page and in the terminal. Pages are \
rendered on request, with the stages of an export; nothing is written to the disk.";

pub(super) const NOTES: &str = "\
Examples:
  offprint dev docs                 http://127.0.0.1:3000/
  offprint dev docs --open          also opens the browser
  offprint dev --port 8080          on port 8080 or the next free one
  offprint dev docs --host 0.0.0.0  for other devices of a trusted network

Exit codes:
  0    stopped by Ctrl-C
  2    the source does not exist, or the address cannot be used

Addresses: /guides/start and /guides/start.html are the same page; redirects of docs.json are followed. If the configuration
cannot be read, the last valid one stays in use.";

/// `offprint dev`.
#[derive(Debug, clap::Args)]
pub(super) struct DevArgs {
    /// Folder of the documentation, or its docs.json
    #[arg(default_value = ".")]
    pub(super) source: PathBuf,
    /// Port to listen on, or the next free one; 0 for any free port
    #[arg(short, long, value_name = "PORT", default_value_t = 3000)]
    pub(super) port: u16,
    /// Address or name of this machine to listen on
    ///
    /// By default only programs on this machine can reach the server. Requests for a host name other than this one,
    /// localhost or an IP address are refused.
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    pub(super) host: String,
    /// Open the site in the browser
    #[arg(short, long)]
    pub(super) open: bool,
    /// Add the JavaScript files of the source, as `export --include-js` does
    #[arg(long)]
    pub(super) include_js: bool,
    /// Do not highlight code
    #[arg(long)]
    pub(super) no_highlight: bool,
    #[command(flatten)]
    pub(super) tool: config::ToolFlag,
    #[command(flatten)]
    pub(super) groups: config::GroupFlags,
    #[command(flatten)]
    pub(super) remote: config::RemoteFlags,
}

impl DevArgs {
    /// The options of the server.
    fn options(self) -> Result<DevOptions, String> {
        let host = self.host.trim_matches(['[', ']']).to_owned();
        let folder = config::folder_of(&self.source)?;
        let mut settings = WorkspaceSettings::of(project_root(&folder, self.tool.from));
        settings.from = self.tool.from;
        settings.groups = self.groups.names();
        settings.include_js = self.include_js;
        settings.highlight = !self.no_highlight;
        settings.remote = self.remote.only_descriptions()?;
        Ok(DevOptions { settings, host, port: self.port })
    }
}

/// Most file names in a line.
const MAX_NAMED_FILES: usize = 3;

/// Shows a site until Ctrl-C.
pub(super) fn run_dev(mut arguments: DevArgs) -> Exit {
    arguments.source = nearby::default_source(arguments.source);
    let open = arguments.open;
    let shown = harmless(&arguments.source.display().to_string());
    let options = match arguments.options() {
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
    let ended = dev::serve_site(&options, move |event| say(event, &root, &shown, port, open), stop.notified());
    match ended {
        Ok(()) => Exit::Done,
        Err(error) => {
            let cause = std::error::Error::source(&error).map(|cause| format!(": {cause}")).unwrap_or_default();
            tell_error(harmless(&format!("{error}{cause}")));
            Exit::Unusable
        }
    }
}

fn say(event: DevEvent, root: &Path, source: &str, port: u16, open: bool) {
    match event {
        DevEvent::Listening { address, pages, elapsed } => {
            if port != 0 && address.port() != port {
                tell(format_args!("Port {port} is in use."));
            }
            let address = address_of(address);
            let what = pages.map_or_else(
                || "cannot be shown: see the diagnostics".to_owned(),
                |pages| format!("{}, loaded in {}", plural(pages as u64, "page"), took(elapsed)),
            );
            tell(format_args!("{source}: {what}\n\n  {address}\n\nWatching for changes. Press Ctrl-C to stop.\n"));
            if open {
                browser::open(&address);
            }
        }
        DevEvent::Changed { files, pages_only, elapsed } => {
            let what = if pages_only { "" } else { ", site reloaded" };
            tell(format_args!("{} changed{what}: updated in {}", summarize_file_names(&files), took(elapsed)));
        }
        DevEvent::Diagnostics(found) => {
            // a closed standard error is no reason to fail
            let _ = diagnostics::write_diagnostics(&mut anstream::stderr().lock(), root, &found, "correct these first");
        }
        DevEvent::Trouble(message) => tell_error(harmless(&message)),
    }
}

/// The address that a browser opens. One that stands for all addresses of this machine is none.
fn address_of(address: std::net::SocketAddr) -> String {
    if address.ip().is_unspecified() {
        format!("http://localhost:{}/", address.port())
    } else {
        format!("http://{address}/")
    }
}

/// `a.mdx, b.mdx and 3 more`
fn summarize_file_names(files: &[String]) -> String {
    if files.is_empty() {
        return "Files".to_owned();
    }
    let shown: Vec<String> = files.iter().take(MAX_NAMED_FILES).map(|file| harmless(file)).collect();
    let more = files.len() - shown.len();
    let shown = shown.join(", ");
    if more == 0 { shown } else { format!("{shown} and {more} more") }
}

fn took(elapsed: Duration) -> String {
    let ms = elapsed.as_secs_f64() * 1000.0;
    if ms < 10.0 { format!("{ms:.1} ms") } else { format!("{ms:.0} ms") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_name_few_files() {
        let files = |count: usize| (0..count).map(|number| format!("{number}.mdx")).collect::<Vec<_>>();
        assert_eq!(summarize_file_names(&files(0)), "Files");
        assert_eq!(summarize_file_names(&files(2)), "0.mdx, 1.mdx");
        assert_eq!(summarize_file_names(&files(5)), "0.mdx, 1.mdx, 2.mdx and 2 more");
        assert_eq!(summarize_file_names(&["a\u{1b}[2J.mdx".to_owned()]), "a\u{fffd}[2J.mdx");
    }

    #[test]
    fn times_and_addresses_read_well() {
        assert_eq!([Duration::from_micros(3_240), Duration::from_millis(57)].map(took), ["3.2 ms", "57 ms"]);
        assert_eq!(
            ["127.0.0.1:3000", "[::1]:3000", "0.0.0.0:80"].map(|text| address_of(text.parse().unwrap())),
            ["http://127.0.0.1:3000/", "http://[::1]:3000/", "http://localhost:80/"]
        );
    }
}
