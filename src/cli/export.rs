//! `offprint export`.

use std::error::Error as _;
use std::path::Path;
use std::time::Instant;

use serde::Serialize;

use crate::asset::remote::Mode;
use crate::base::{Diagnostic, Severity, diagnostic};
use crate::config::{ExportFlags, ServiceFlags};
use crate::export::{self, Deployment, Error, Format, Options};

use super::args::{DeploymentArg, ExportArgs, FormatArg, VendorArg};
use super::progress::{Progress, emit};
use super::summary::Summary;
use super::{Exit, cancel_on_signal, diagnostics, harmless, nearby, report_file, tell, tell_error};

/// `failed` on standard output; the shape is in the help of `export`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Failed<'a> {
    event: &'static str,
    message: &'a str,
    exit_code: u8,
}

/// Exports a site and says how it went.
pub(super) fn run(arguments: ExportArgs) -> Exit {
    let (strict, report_path) = (arguments.strict, arguments.report.clone());
    let progress = Progress::new(arguments.progress);
    let options = match flags(arguments).and_then(ExportFlags::options) {
        Ok(options) => options,
        Err(message) => return fail(progress.is_json(), &message, Exit::Unusable),
    };
    if let Some(Err(message)) = report_path.as_deref().map(|path| report_file::check(path, &options.output.path)) {
        return fail(progress.is_json(), &message, Exit::Unusable);
    }
    let cancel = cancel_on_signal();
    let start = Instant::now();
    let outcome = export::run(&options, &|event| progress.event(event), &cancel);
    let elapsed = start.elapsed();
    let (is_json, is_quiet, is_lost) = (progress.is_json(), progress.is_quiet(), progress.is_lost());
    let mut seen = progress.end();
    let report = match outcome {
        Ok(report) => report,
        Err(error) => {
            let told = told_in_full(&error);
            let is_told = told.is_some();
            let help = matches!(error, Error::Source(_)).then(|| nearby::help(&options.source, "export")).flatten();
            seen.extend(told);
            diagnostic::tidy(&mut seen);
            show(&options, &seen);
            let exit = if matches!(error, Error::Cancelled) { Exit::Cancelled } else { Exit::Unusable };
            if !is_told {
                let exit = fail(is_json, &message(&error), exit);
                help.into_iter().for_each(tell);
                return exit;
            }
            emit_failed(is_json, &message(&error), exit);
            return exit;
        }
    };
    let exit = verdict(&report.diagnostics, strict);
    let summary = Summary { options: &options, report: &report, elapsed, exit };
    let is_told = !is_json || !is_lost && emit(&summary.for_programs());
    if !is_json {
        show(&options, &report.diagnostics);
    }
    if !is_quiet {
        tell(summary.for_people());
    }
    if let Some(path) = report_path
        && let Err(error) = summary.write(&path)
    {
        tell_error(format_args!("the bundle is complete, but the report `{}` cannot be written: {error}", harmless(&path.display().to_string())));
        return Exit::Unusable;
    }
    if is_told { exit } else { Exit::Unusable }
}

fn flags(arguments: ExportArgs) -> Result<ExportFlags, String> {
    Ok(ExportFlags {
        source: arguments.source,
        output: arguments.output,
        format: arguments.format.map(|format| match format {
            FormatArg::Zip => Format::Zip,
            FormatArg::Dir => Format::Dir,
        }),
        domain: arguments.domain,
        version: arguments.version,
        paths: arguments.paths,
        groups: arguments.groups.groups,
        jobs: arguments.jobs,
        include_js: arguments.include_js,
        highlight: !arguments.no_highlight,
        social_images: arguments.social_images,
        optimize_png: !arguments.no_optimize_png,
        services: ServiceFlags {
            deployment: Some(match arguments.deployment {
                DeploymentArg::Cloud => Deployment::Cloud,
                DeploymentArg::ClientHosted => Deployment::ClientHosted,
                DeploymentArg::AirGapped => Deployment::AirGapped,
            }),
            features: arguments.features,
            search: arguments.search_endpoint,
            assistant: arguments.assistant_endpoint,
        },
        vendor: match arguments.vendor {
            _ if arguments.locked => Mode::Locked,
            VendorArg::Off => Mode::Off,
            VendorArg::On => Mode::On,
            VendorArg::Locked => Mode::Locked,
        },
        remote: arguments.remote.flags(),
        fonts_from: arguments.fonts_from,
        trust: arguments.trust.read()?,
    })
}

/// How an export ends that wrote its bundle.
fn verdict(found: &[Diagnostic], strict: bool) -> Exit {
    let has_errors = found.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    if strict && has_errors { Exit::Errors } else { Exit::Done }
}

/// Says why there is no bundle.
fn fail(is_json: bool, message: &str, exit: Exit) -> Exit {
    emit_failed(is_json, message, exit);
    tell_error(harmless(message));
    exit
}

fn emit_failed(is_json: bool, message: &str, exit: Exit) {
    if is_json {
        emit(&Failed { event: "failed", message, exit_code: exit as u8 });
    }
}

/// The problem that an error is, if it has a place to be shown.
pub(super) fn told_in_full(error: &Error) -> Option<Diagnostic> {
    if let Error::Config(problem) = error { Some(problem.clone()) } else { None }
}

/// An error and what it came from, in one sentence.
pub(super) fn message(error: &Error) -> String {
    if matches!(error, Error::Cancelled) {
        return "canceled; nothing was written".to_owned();
    }
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        message.push_str(": ");
        message.push_str(&error.to_string());
        cause = error.source();
    }
    message
}

/// Shows diagnostics to people.
fn show(options: &Options, found: &[Diagnostic]) {
    let source = options.source.as_path();
    let root = if source.is_file() { source.parent().unwrap_or(Path::new("")) } else { source };
    // a closed standard error is no reason to fail
    let _ = diagnostics::write(&mut anstream::stderr().lock(), root, found, "`--report FILE` lists all");
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
        let error = Error::Io { context: "cannot write `a.zip`".to_owned(), source: std::io::ErrorKind::StorageFull.into() };
        assert_eq!(message(&error), "cannot write `a.zip`: no storage space");
        assert_eq!(message(&Error::Cancelled), "canceled; nothing was written");
    }
}
