//! `offprint migrate`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::config;
use base::{Diagnostic, Severity};
use export::migrate::{MigrateOptions, Migrated, migrate_source};
use export::{ExportError, ReadAs};

use super::diagnostics::{self, severity_name};
use super::{
    Exit, answer_failure, answer_json, cancel_on_signal, export as export_command, grouped, harmless, no_answer,
    plural, summary::kinds, tell,
};

pub(super) fn about() -> String {
    format!(
        "\
Write the repository of another documentation tool as docs.json and MDX files.

Reads a repository of {}, or any folder of Markdown, and writes a folder in the format that offprint and Mintlify read. \
Exports of both show the same pages: addresses, navigation, words, anchors, code, links and pictures. Components take the \
place of the syntax of the tool; paragraphs, lists and tables that mean the same in both formats stay as they are written, \
but for the addresses of their links. Nothing of the source is changed, and the folder is complete or not there.",
        config::any_tool_title()
    )
}

pub(super) const NOTES: &str = "\
Examples:
  offprint migrate . -o ../new-docs          the repository in this folder
  offprint migrate docs -o new --from plain  any folder of Markdown, as it is
  offprint migrate . -o ../new-docs --force
      once more, in the place of an earlier migration
  offprint migrate . -o ../new-docs && offprint dev ../new-docs --open

What has no place in the format is reported with file and line: scripts, style sheets, components that run in the browser.

Exit codes:
  0    the folder is written
  1    with --strict: the folder is written, and the content has errors
  2    nothing was written: no usable source, or the folder is not empty
  130  canceled, nothing was written

Shape of --format json, one object on standard output:
  {\"offprint\":…,\"source\":…,\"output\":…,\"from\":…,\"pages\":…,
   \"links\":…,\"files\":…,\"redirects\":…,
   \"warnings\":{code:count},\"errors\":{code:count},
   \"diagnostics\":[{\"code\":…,\"severity\":…,\"message\":…,\"file\":…,
   \"line\":…,\"column\":…,\"hint\":…}],
   \"exitCode\":…}
  {\"message\":…,\"exitCode\":2}  instead, if nothing was written";

/// `offprint migrate`.
#[derive(Debug, clap::Args)]
pub(super) struct MigrateArgs {
    /// Folder of the documentation
    #[arg(default_value = ".")]
    source: PathBuf,
    /// The folder to write; it must be empty or not exist
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Replace the folder if it holds an earlier migration: a `docs.json` is in it
    #[arg(long)]
    force: bool,
    /// End with code 1 if the content has errors
    #[arg(long)]
    strict: bool,
    /// Output format
    #[arg(short, long, value_name = "FORMAT", default_value = "text", hide_default_value = false)]
    format: MigrateFormat,
    /// Number of threads; by default one for each core
    #[arg(short, long, value_name = "N", value_parser = config::jobs)]
    jobs: Option<usize>,
    #[command(flatten)]
    tool: config::ToolFlag,
}

/// `--format` of a migration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum MigrateFormat {
    /// For people, on standard error
    Text,
    /// For programs, on standard output
    Json,
}

/// What `--format json` prints.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MigrateJson<'a> {
    offprint: &'static str,
    source: String,
    output: String,
    from: Option<&'a str>,
    pages: u64,
    links: u64,
    files: u64,
    redirects: u64,
    warnings: BTreeMap<&'a str, u64>,
    errors: BTreeMap<&'a str, u64>,
    diagnostics: &'a [Diagnostic],
    exit_code: u8,
}

/// Migrates a repository and says how it went.
pub(super) fn run_migrate(arguments: &MigrateArgs) -> Exit {
    let cancel = cancel_on_signal();
    let is_json = arguments.format == MigrateFormat::Json;
    let options = MigrateOptions {
        source: arguments.source.clone(),
        output: arguments.output.clone(),
        from: arguments.tool.from,
        force: arguments.force,
        jobs: arguments.jobs,
    };
    let migrated = match migrate_source(&options, &cancel) {
        Ok(migrated) => migrated,
        Err(error) => return migration_refused(&error, &arguments.source, is_json),
    };
    let has_errors = migrated.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    let exit = if arguments.strict && has_errors { Exit::Errors } else { Exit::Done };
    if is_json {
        return answer_json(&for_programs(&options, &migrated, exit), exit);
    }
    show_migration_diagnostics(&options.source, &migrated.diagnostics);
    tell(format_migration(&options, &migrated));
    exit
}

/// Says why nothing was written.
fn migration_refused(error: &ExportError, source: &Path, is_json: bool) -> Exit {
    let exit = if matches!(error, ExportError::Canceled) { Exit::Canceled } else { Exit::Unusable };
    let message = export_command::error_message(error);
    match export_command::located_diagnostic(error) {
        Some(problem) => {
            show_migration_diagnostics(source, std::slice::from_ref(&problem));
            answer_failure(is_json, &message, exit)
        }
        None => no_answer(is_json, &message, exit),
    }
}

fn show_migration_diagnostics(source: &Path, found: &[Diagnostic]) {
    let root = if source.is_file() { source.parent().unwrap_or(Path::new("")) } else { source };
    // a closed standard error is no reason to fail
    let _ = diagnostics::write_diagnostics(&mut anstream::stderr().lock(), root, found, "`--format json` lists all");
}

fn format_migration(options: &MigrateOptions, migrated: &Migrated) -> String {
    let output = harmless(&options.output.display().to_string());
    let tool = migrated.tool.as_ref().map_or(String::new(), |tool: &ReadAs| format!(" of {}", tool.title));
    let mut text = format!("Wrote {}{tool} to {output}", plural(migrated.pages, "page"));
    let counts = [(migrated.files, "file"), (migrated.links, "link page"), (migrated.redirects, "redirect")];
    let counts: Vec<String> =
        counts.into_iter().filter(|(count, _)| *count > 0).map(|(count, noun)| plural(count, noun)).collect();
    if !counts.is_empty() {
        text.push_str(&format!("\n  {}", counts.join(", ")));
    }
    for severity in [Severity::Error, Severity::Warning] {
        let kinds = kinds(&migrated.diagnostics, severity);
        let total: u64 = kinds.values().sum();
        if total > 0 {
            let kinds: Vec<String> =
                kinds.into_iter().map(|(code, count)| format!("{} {code}", grouped(count))).collect();
            text.push_str(&format!("\n  {}: {}", plural(total, severity_name(severity)), kinds.join(", ")));
        }
    }
    text.push_str(&format!("\n\nNext:\n  offprint dev {output} --open"));
    text
}

fn for_programs<'a>(options: &MigrateOptions, migrated: &'a Migrated, exit: Exit) -> MigrateJson<'a> {
    MigrateJson {
        offprint: env!("CARGO_PKG_VERSION"),
        source: options.source.display().to_string(),
        output: options.output.display().to_string(),
        from: migrated.tool.as_ref().map(|tool| tool.name),
        pages: migrated.pages,
        links: migrated.links,
        files: migrated.files,
        redirects: migrated.redirects,
        warnings: kinds(&migrated.diagnostics, Severity::Warning),
        errors: kinds(&migrated.diagnostics, Severity::Error),
        diagnostics: &migrated.diagnostics,
        exit_code: exit as u8,
    }
}
