//! `offprint export`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use serde::Serialize;

use crate::config;
use base::{Diagnostic, Severity, diagnostic};
use export::{BundleFormat, ExportError, ExportOptions};
use frame::asset::remote::{self, RemoteMode};

use super::confined::{Confined, export_confined};
use super::cpu_limit::CpuLimit;
use super::progress::{ProgressArg, ProgressPrinter, emit_json_line};
use super::summary::ExportSummary;
use super::trust::TrustArgs;
use super::{
    Exit, browser, cancel_on_signal, diagnostics, harmless, message_of, nearby, report_file::check_report_path, tell,
    tell_error,
};

pub(super) fn about() -> String {
    format!(
        "\
Export a site as a static bundle.

The source is a documentation folder: one with a docs.json (or mint.json) and MDX pages, the repository of another \
documentation tool ({}), or any folder of Markdown. \
The bundle is self-contained HTML, CSS and JavaScript: it works from a disk, below any path of any host, and \
without a network. The same source and options give the same bytes.",
        config::tool_titles()
    )
}

pub(super) const NOTES: &str = "\
Examples:
  offprint export docs                    docs.zip in the working directory
  offprint export docs -o public/         a folder instead of an archive
  offprint export docs -o public/ --open  and opens it in the browser
  offprint export docs --domain docs.example.com --export-version v2.1
  offprint export docs --paths 'guides/**' index --strict
  offprint export website --from docusaurus
      the repository of another tool, if its files do not say which
  offprint export docs --group staff
      with pages and API operations for `groups: [staff]`
  offprint export docs --deployment client-hosted --feature analytics=on
  offprint export docs --domain docs.example.com --social-images
  offprint export docs --locked --offline
      remote assets from the cache only, as locked
  offprint export docs --confine          of a source that you do not trust
  offprint export docs --export-version v2 --sign minisign.key
  offprint export docs --export-version v2 --delta-from v1.zip -o v2.delta.zip
  offprint export docs --progress json | jq -c 'select(.event == \"diagnostic\")'

Exit codes:
  0    done (the content may have warnings, or errors without --strict)
  1    done, but the content has errors and --strict was given
  2    nothing was written: invalid arguments, unusable source or output, or
       more processor time than --cpu-limit allows (an hour by default);
       or the bundle is complete, but the report or the events could not be
       written
  130  canceled; nothing was written

Events of --progress json, one object on each line of standard output:
  {\"event\":\"stage\",\"name\":\"pages\",\"total\":1200}        total: steps, or null
  {\"event\":\"progress\",\"done\":40,\"total\":1200}  pages, at most ten a second
  {\"event\":\"diagnostic\",\"code\":\"broken-link\",\"severity\":\"warning\",
   \"message\":…,\"file\":…,\"line\":3,\"column\":9,\"hint\":…}
      file \"\", line 0, column 0: unknown; hint may be absent
  {\"event\":\"done\",\"output\":…,\"from\":\"hugo\",\"pages\":…,
   \"words\":{\"written\":…,\"found\":…},
   \"files\":…,\"bytesOut\":…,\"bundleBytes\":…,\"seconds\":…,\"pagesPerSecond\":…,
   \"warnings\":{\"broken-link\":2},\"errors\":{},\"leftOutJs\":[],
   \"selfContained\":true,\"outsideLoads\":0,\"blockedRequests\":0,
   \"outsideLinks\":312,\"placeholders\":4,
   \"playgroundServers\":[\"https://api.example.com\"],  absent: no console
   \"remote\":{\"addresses\":…,\"vendored\":…,\"fetched\":…,\"bytes\":…,\"missing\":…},
   \"exitCode\":0}
  {\"event\":\"failed\",\"message\":…,\"exitCode\":2}
      instead of done; exitCode 130: canceled";

/// `offprint export`.
#[derive(Debug, clap::Args)]
pub(super) struct ExportArgs {
    /// Folder of the documentation, or its docs.json
    #[arg(default_value = ".")]
    pub(super) source: PathBuf,
    /// The bundle to write; by default `<name of the source folder>.zip` here
    ///
    /// An earlier bundle of that name is replaced in one step when the new one is complete. Other files are never
    /// replaced.
    #[arg(short, long, value_name = "PATH")]
    pub(super) output: Option<PathBuf>,
    /// Shape of the bundle; by default a folder if PATH is one or ends in a slash, else a zip archive
    #[arg(short, long, value_name = "FORMAT")]
    pub(super) format: Option<FormatArg>,
    /// Host name of the site, for canonical addresses and the site map; never contacted
    #[arg(short, long, value_name = "HOST", value_parser = config::domain)]
    pub(super) domain: Option<String>,
    /// Version label for the manifest: letters, digits, `.`, `_`, `-`
    #[arg(long = "export-version", alias = "version", value_name = "LABEL", value_parser = config::check_version_label)]
    pub(super) version: Option<String>,
    /// Export only pages whose path matches: `guides/**`, `api/*`, `index`
    ///
    /// Paths are relative to the source and have no extension. `*` matches within a folder, `**` across folders.
    /// Repeatable.
    #[arg(short, long, value_name = "GLOB", num_args = 1.., value_parser = config::glob)]
    pub(super) paths: Vec<String>,
    /// Number of threads; by default one for each core
    #[arg(short, long, value_name = "N", value_parser = config::jobs)]
    pub(super) jobs: Option<usize>,
    /// End with code 2 when all threads together have used so much processor time
    ///
    /// A site of 10,000 pages needs some seconds; what needs an hour is an attack or a mistake. 0: no limit. Linux and
    /// macOS only.
    #[arg(long, value_name = "SECONDS", default_value_t = 3_600, hide_default_value = false)]
    pub(super) cpu_limit: u64,
    /// Open the bundle in the browser when it is complete; needs a folder: `-o site/`
    #[arg(long)]
    pub(super) open: bool,
    /// End with code 1 if the content has errors; broken links are warnings (see `check`)
    #[arg(long)]
    pub(super) strict: bool,
    /// How to show progress
    #[arg(long, value_name = "HOW", default_value = "auto", hide_default_value = false)]
    pub(super) progress: ProgressArg,
    /// Write a report with all diagnostics to a JSON file
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
    /// Add the JavaScript files of the source to the bundle
    ///
    /// They run in the browsers of readers: use it only for sources that you trust.
    #[arg(long)]
    pub(super) include_js: bool,
    /// Do not highlight code
    #[arg(long)]
    pub(super) no_highlight: bool,
    /// Generate a picture of every page for social networks; needs `--domain`
    ///
    /// 1200 by 630 pixels with the logo, the title and the description; about 15 kB and 45 ms of one core for each
    /// page. Pages with their own `og:image` keep it.
    #[arg(long)]
    pub(super) social_images: bool,
    /// Re-encode PNG files of more than 200 kB losslessly where that saves a third
    ///
    /// About a second of one core for 10 MB of pixels; results are kept in the cache folder. Without it, the summary
    /// estimates what it would save.
    #[arg(long)]
    pub(super) optimize_png: bool,
    /// What is the default now: pipelines that were written before still run
    #[arg(long, hide = true, conflicts_with = "optimize_png")]
    pub(super) no_optimize_png: bool,
    #[command(flatten)]
    pub(super) services: config::ServiceFlags,
    /// How to treat remote assets: pictures, fonts, style sheets, video and audio of other servers
    #[arg(long, value_name = "MODE", default_value = "on", hide_default_value = false, help_heading = config::REMOTE)]
    pub(super) vendor: VendorArg,
    /// Accept only assets of the lock file, byte for byte; the same as `--vendor locked`
    #[arg(long, conflicts_with = "vendor", help_heading = config::REMOTE)]
    pub(super) locked: bool,
    /// The service for fonts that docs.json names without a file; by default Google Fonts
    ///
    /// The request is `URL?family=Lato:400,500,600,700,400i&display=swap`, the response a style sheet, as from
    /// https://fonts.bunny.net/css or a mirror in your own network.
    #[arg(long, value_name = "URL", value_parser = config::endpoint, help_heading = config::REMOTE)]
    pub(super) fonts_from: Option<String>,
    #[command(flatten)]
    pub(super) tool: config::ToolFlag,
    #[command(flatten)]
    pub(super) groups: config::GroupFlags,
    #[command(flatten)]
    pub(super) remote: config::RemoteFlags,
    #[command(flatten)]
    pub(super) trust: TrustArgs,
    /// For a source that you do not trust: export in a process without a network that sees nothing but the source
    ///
    /// Another process fetches what pages load from elsewhere. Nothing outside the source is read, so dates of the git
    /// history are left out, no lock file is written, and nothing is cached between exports. Needs Linux with Landlock
    /// and seccomp.
    #[arg(long, conflicts_with_all = ["sign", "delta_from", "cache_dir"])]
    pub(super) confine: bool,
    /// This is the process that another one has started for `--confine`
    #[arg(long, hide = true)]
    pub(super) confined: bool,
}

impl ExportArgs {
    /// The options of the export.
    fn options(self) -> Result<ExportOptions, String> {
        let output = config::output(&self.source, self.output, self.format.map(BundleFormat::from))?;
        let mode = if self.locked { RemoteMode::Locked } else { self.vendor.into() };
        Ok(ExportOptions {
            domain: self.domain,
            version: self.version,
            paths: config::globs(self.paths)?,
            groups: self.groups.names(),
            from: self.tool.from,
            jobs: self.jobs,
            include_js: self.include_js,
            highlight: !self.no_highlight,
            social_images: self.social_images,
            optimize_png: self.optimize_png && !self.no_optimize_png,
            services: self.services.services()?,
            remote: remote::RemoteOptions { fonts: self.fonts_from, ..self.remote.options(mode)? },
            trust: self.trust.read()?,
            ..ExportOptions::new(self.source, output)
        })
    }
}

/// `--vendor`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum VendorArg {
    /// They are not vendored: the bundle needs a network
    Off,
    /// They are fetched once, added to the bundle and recorded in offprint.lock
    On,
    /// Only assets of offprint.lock, byte for byte
    Locked,
}

impl From<VendorArg> for RemoteMode {
    fn from(vendor: VendorArg) -> Self {
        match vendor {
            VendorArg::Off => Self::Off,
            VendorArg::On => Self::On,
            VendorArg::Locked => Self::Locked,
        }
    }
}

/// `--format`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum FormatArg {
    /// One archive
    Zip,
    /// A folder
    Dir,
}

impl From<FormatArg> for BundleFormat {
    fn from(format: FormatArg) -> Self {
        match format {
            FormatArg::Zip => Self::Zip,
            FormatArg::Dir => Self::Dir,
        }
    }
}

/// `failed` on standard output; the shape is in the help of `export`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FailedExport<'a> {
    event: &'static str,
    message: &'a str,
    exit_code: u8,
}

/// Exports a site and says how it went.
pub(super) fn run_export(mut arguments: ExportArgs) -> Exit {
    if !arguments.confined {
        arguments.source = nearby::default_source(arguments.source);
    }
    let is_opened = arguments.open && !arguments.confined;
    let (strict, mut report_path) = (arguments.strict, arguments.report.clone());
    let cpu_limit = arguments.cpu_limit;
    let is_outside = arguments.confine && !arguments.confined;
    // before there is another thread
    let confined = match arguments.confined.then(Confined::enter).transpose() {
        Ok(confined) => confined,
        Err(message) => return export_failure(false, &message, Exit::Unusable),
    };
    let progress = ProgressPrinter::new(if is_outside { ProgressArg::None } else { arguments.progress });
    let is_json = arguments.progress == ProgressArg::Json;
    let options = match arguments.options() {
        Ok(options) => options,
        Err(message) => return export_failure(is_json, &message, Exit::Unusable),
    };
    if is_opened && options.output.format == BundleFormat::Zip {
        let message = "`--open` shows a folder, and the bundle is an archive: give `-o site/`";
        return export_failure(is_json, message, Exit::Unusable);
    }
    let output = options.output.clone();
    let options = match &confined {
        Some(confined) => confined.adapt(options),
        None => options,
    };
    if let Some(confined) = &confined {
        report_path = report_path.map(|_| confined.report());
    }
    if let Some(Err(message)) = report_path.as_deref().map(|path| check_report_path(path, &options.output.path)) {
        return export_failure(is_json, &message, Exit::Unusable);
    }
    if is_outside {
        return export_confined(&options, report_path.as_deref())
            .unwrap_or_else(|message| export_failure(is_json, &message, Exit::Unusable));
    }
    let cancel = cancel_on_signal();
    let start = Instant::now();
    let outcome = {
        let _watched = (cpu_limit > 0).then(|| watch_cpu(cpu_limit, is_json));
        export::export_site(&options, &|event| progress.event(event), &cancel)
    };
    let elapsed = start.elapsed();
    let (is_quiet, is_lost) = (progress.is_quiet(), progress.is_lost());
    let mut seen = progress.end();
    let report = match outcome {
        Ok(report) => report,
        Err(error) => {
            let problem = located_diagnostic(&error);
            let is_reported = problem.is_some();
            let help =
                matches!(error, ExportError::Source(_)).then(|| nearby::help(&options.source, "export")).flatten();
            seen.extend(problem);
            diagnostic::tidy(&mut seen);
            show_diagnostics(&options, &seen);
            let exit = if matches!(error, ExportError::Canceled) { Exit::Canceled } else { Exit::Unusable };
            if !is_reported {
                let exit = export_failure(is_json, &error_message(&error), exit);
                help.into_iter().for_each(tell);
                return exit;
            }
            emit_failed(is_json, &error_message(&error), exit);
            return exit;
        }
    };
    let exit = verdict(&report.diagnostics, strict);
    // where it is going to be
    let options = ExportOptions { output, ..options };
    let summary = ExportSummary { options: &options, report: &report, elapsed, exit };
    let is_emitted = !is_json || !is_lost && emit_json_line(&summary.for_programs());
    if !is_json {
        show_diagnostics(&options, &report.diagnostics);
    }
    if !is_quiet {
        tell(summary.for_people());
    }
    if let Some(path) = report_path
        && let Err(error) = summary.write(&path)
    {
        tell_error(format_args!(
            "the bundle is complete, but the report `{}` cannot be written: {error}",
            harmless(&path.display().to_string())
        ));
        return Exit::Unusable;
    }
    if is_opened {
        browser::open(options.output.path.join("index.html"));
    }
    if is_emitted { exit } else { Exit::Unusable }
}

/// Ends the export when it has used so many seconds of processor time.
fn watch_cpu(seconds: u64, is_json: bool) -> CpuLimit {
    CpuLimit::watch(Duration::from_secs(seconds), move || {
        let message = format!(
            "the export used more than {seconds} s of processor time; nothing was written (`--cpu-limit` allows more)"
        );
        export_failure(is_json, &message, Exit::Unusable);
    })
}

/// How an export ends that wrote its bundle.
fn verdict(found: &[Diagnostic], strict: bool) -> Exit {
    let has_errors = found.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    if strict && has_errors { Exit::Errors } else { Exit::Done }
}

/// Says why there is no bundle.
fn export_failure(is_json: bool, message: &str, exit: Exit) -> Exit {
    emit_failed(is_json, message, exit);
    tell_error(harmless(message));
    exit
}

fn emit_failed(is_json: bool, message: &str, exit: Exit) {
    if is_json {
        emit_json_line(&FailedExport { event: "failed", message, exit_code: exit as u8 });
    }
}

/// The problem that an error is, if it has a place to be shown.
pub(super) fn located_diagnostic(error: &ExportError) -> Option<Diagnostic> {
    if let ExportError::Config(problem) = error { Some(problem.clone()) } else { None }
}

/// An error and what it came from, in one sentence.
pub(super) fn error_message(error: &ExportError) -> String {
    if matches!(error, ExportError::Canceled) { "canceled; nothing was written".to_owned() } else { message_of(error) }
}

/// Shows diagnostics to people.
fn show_diagnostics(options: &ExportOptions, found: &[Diagnostic]) {
    let source = options.source.as_path();
    let root = if source.is_file() { source.parent().unwrap_or(Path::new("")) } else { source };
    // a closed standard error is no reason to fail
    let _ = diagnostics::write_diagnostics(&mut anstream::stderr().lock(), root, found, "`--report FILE` lists all");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_errors_fail_and_only_when_strict() {
        let (warning, error) = (Diagnostic::warning("w", "m"), Diagnostic::error("e", "m"));
        assert_eq!(verdict(&[warning.clone(), error.clone()], true), Exit::Errors);
        assert_eq!([verdict(&[error], false), verdict(&[warning], true), verdict(&[], true)], [Exit::Done; 3]);
    }

    #[test]
    fn messages_name_their_causes() {
        let error = ExportError::Io {
            context: "cannot write `a.zip`".to_owned(),
            source: std::io::ErrorKind::StorageFull.into(),
        };
        assert_eq!(error_message(&error), "cannot write `a.zip`: no storage space");
        assert_eq!(error_message(&ExportError::Canceled), "canceled; nothing was written");
    }
}
