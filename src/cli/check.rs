//! `offprint check`.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use clap::ValueEnum;
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::config;
use base::bundle_path::MANIFEST_PATH;
use base::codes::{Level, find_code};
use base::cut::SliceText as _;
use base::extension::is_markdown;
use base::source_text::into_text;
use base::{Diagnostic, Severity, limits};
use check::CheckReport;
use check::external::{self, check_external_links};
use export::{BundleFormat, BundleOutput, ExportOptions};
use load::load_site;
use markup::js::ConfigEngine;

use super::diagnostics::severity_name;
use super::scratch::Scratch;
use super::{
    Exit, answer_failure, cancel_on_signal, diagnostics, export as export_command, harmless, nearby, no_answer, plural,
    print, progress, tell,
};

pub(super) const ABOUT: &str = "\
Find broken links, missing pictures, mistakes in pages and loads from other hosts.

Reads a bundle (an archive or a folder), or exports a source to a temporary archive and reads that; findings about a source \
have the file and line of the source. Reported are broken links and anchors, redirects to missing pages and cycles, missing \
pictures, names that differ by case alone, pages without links to them, loads from other hosts, pictures without alternative \
text, pages of an air-gapped bundle without their content security policy, API descriptions that contradict themselves, and \
every error of an export, such as an unclosed tag or a navigation entry without a file.";

pub(super) const NOTES: &str = "\
Examples:
  offprint check docs                  a source: files and lines are named
  offprint check site.zip              a bundle
  offprint check docs --external       also requests links to other hosts
  offprint check docs --format github  annotations on a pull request
  offprint check docs --format json | jq '.findings[].message'

Exit codes:
  0    no errors (with --strict: no warnings either)
  1    errors, or with --strict warnings
  2    nothing was checked: invalid arguments, or neither a bundle nor a source
  130  canceled

Shape of --format json, one object on standard output:
  {\"offprint\":…,\"target\":…,\"kind\":\"source\" or \"bundle\",
   \"pages\":…,\"files\":…,\"references\":…,\"outsideLinks\":…,
   \"placeholders\":…,\"outsideLoads\":…,\"errors\":…,\"warnings\":…,
   \"external\":{\"asked\":…,\"alive\":…,\"dead\":…,
   \"unclear\":…,\"refused\":…} or null,\"findings\":[{\"code\":…,\"severity\":…,
   \"message\":…,\"file\":…,\"line\":…,\"column\":…,
   \"hint\":…}],\"exitCode\":…}
  {\"message\":…,\"exitCode\":2}  instead, if nothing could be checked";

/// `offprint check`.
#[derive(Debug, clap::Args)]
pub(super) struct CheckArgs {
    /// A folder of documentation, or a bundle (a zip archive or a folder)
    #[arg(default_value = ".")]
    pub(super) target: PathBuf,
    /// Request links to other hosts
    ///
    /// Without the body first, with two requests at a time for each host. A missing page is an error; a refusal or a
    /// timeout is a warning.
    #[arg(long)]
    pub(super) external: bool,
    /// Output format
    #[arg(short, long, value_name = "FORMAT", default_value = "text", hide_default_value = false)]
    pub(super) format: CheckFormat,
    /// End with code 1 if there are warnings
    #[arg(long)]
    pub(super) strict: bool,
    /// Number of threads; by default one for each core
    #[arg(short, long, value_name = "N", value_parser = config::jobs)]
    pub(super) jobs: Option<usize>,
    #[command(flatten)]
    pub(super) tool: config::ToolFlag,
    #[command(flatten)]
    pub(super) groups: config::GroupFlags,
    #[command(flatten)]
    pub(super) remote: config::RemoteFlags,
}

/// `--format` of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum CheckFormat {
    /// For people, on standard error
    Text,
    /// For programs, on standard output
    Json,
    /// Annotations for GitHub Actions, on standard output
    Github,
}

/// What `--format json` prints.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CheckJson<'a> {
    offprint: &'static str,
    target: String,
    kind: &'static str,
    errors: usize,
    warnings: usize,
    external: Option<external::LinkSummary>,
    exit_code: u8,
    #[serde(flatten)]
    report: &'a CheckReport,
}

/// Checks a bundle or a source.
pub(super) fn run_check(mut arguments: CheckArgs) -> Exit {
    if is_source(&arguments.target) {
        arguments.target = nearby::default_source(arguments.target);
    }
    let arguments = &arguments;
    let cancel = cancel_on_signal();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(arguments.jobs.unwrap_or(0))
        .stack_size(limits::STACK_BYTES)
        .build();
    let is_json = arguments.format == CheckFormat::Json;
    let fail = |message: &str, exit: Exit| no_answer(is_json, message, exit);
    let Ok(pool) = pool else { return fail("cannot start threads", Exit::Unusable) };
    let is_source = is_source(&arguments.target);
    let checked = pool.install(|| {
        if is_source {
            check_source(arguments, &cancel)
        } else {
            check::check_bundle(&arguments.target).map_err(|error| unusable(error.of(&arguments.target)))
        }
    });
    let mut report = match checked {
        Ok(report) => report,
        Err(Unanswered { message, exit, is_reported: true }) => return answer_failure(is_json, &message, exit),
        Err(Unanswered { message, exit, .. }) => return fail(&message, exit),
    };
    let mut link_summary = None;
    if arguments.external {
        let options = external::ExternalOptions {
            allow_private: arguments.remote.allow_private.contains(&None),
            ..external::ExternalOptions::default()
        };
        match check_external_links(&report.outside, options, &cancel) {
            Ok((summary, findings)) => {
                link_summary = Some(summary);
                report.findings.extend(findings);
                report.tidy();
            }
            Err(message) => return fail(&message, Exit::Unusable),
        }
    }
    if cancel.load(std::sync::atomic::Ordering::Relaxed) {
        return fail("canceled", Exit::Canceled);
    }
    let (errors, warnings) = (report.count(Severity::Error), report.count(Severity::Warning));
    let exit = if errors > 0 || (arguments.strict && warnings > 0) { Exit::Errors } else { Exit::Done };
    if show_report(arguments, &report, link_summary, exit, is_source) { exit } else { Exit::Unusable }
}

/// Whether a path is documentation to be exported first. A folder with a manifest, or with a start page and no sources,
/// is a bundle.
fn is_source(path: &Path) -> bool {
    if path.is_file() {
        return path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    }
    let has = |name: &str| path.join(name).is_file();
    if has(MANIFEST_PATH) {
        return false;
    }
    let is_written = |entry: std::fs::DirEntry| entry.file_name().to_str().is_some_and(is_markdown);
    let any_written = || std::fs::read_dir(path).is_ok_and(|entries| entries.flatten().any(is_written));
    has("docs.json") || has("mint.json") || !has("index.html") || any_written()
}

/// Why a check has no answer.
struct Unanswered {
    message: String,
    exit: Exit,
    /// People have been shown it with its line.
    is_reported: bool,
}

fn unusable(message: String) -> Unanswered {
    Unanswered { message, exit: Exit::Unusable, is_reported: false }
}

/// Exports a source and checks what came of it.
fn check_source(arguments: &CheckArgs, cancel: &AtomicBool) -> Result<CheckReport, Unanswered> {
    let scratch =
        Scratch::create("check").map_err(|error| unusable(format!("cannot create a temporary folder: {error}")))?;
    let bundle = scratch.0.join("site.zip");
    let options = ExportOptions {
        jobs: arguments.jobs,
        highlight: false,
        groups: arguments.groups.names(),
        // what the author wrote counts, not what could be fetched; but operations of API descriptions are pages that
        // links lead to
        remote: arguments.remote.clone().only_descriptions().map_err(unusable)?,
        from: arguments.tool.from,
        ..ExportOptions::new(arguments.target.clone(), BundleOutput { path: bundle.clone(), format: BundleFormat::Zip })
    };
    let exported = export::export_site(&options, &|_| {}, cancel).map_err(|error| {
        let exit = if matches!(error, export::ExportError::Canceled) { Exit::Canceled } else { Exit::Unusable };
        let problem = export_command::located_diagnostic(&error);
        if let Some(problem) = &problem {
            // a closed standard error is no reason to fail
            let _ = diagnostics::write_diagnostics(
                &mut anstream::stderr().lock(),
                report_root(&arguments.target),
                std::slice::from_ref(problem),
                "",
            );
        }
        Unanswered { message: export_command::error_message(&error), exit, is_reported: problem.is_some() }
    })?;
    let mut report = check::check_bundle(&bundle).map_err(|error| unusable(error.full()))?;
    let root = &import::project_root(report_root(&arguments.target), arguments.tool.from);
    let groups = arguments.groups.names();
    let load_options = load::LoadOptions {
        groups: &groups,
        tools: import::TOOLS,
        from: arguments.tool.from,
        evaluate: Some(&ConfigEngine),
        ..load::LoadOptions::default()
    };
    let loaded = load_site(root, &load_options).map_err(|error| unusable(error.to_string()))?;
    let site = &loaded.site;
    let config = site.config_path().unwrap_or_default().to_owned();
    let mut sources = FindingSources {
        root,
        origins: exported.origins.into_iter().collect(),
        config,
        path: String::new(),
        text: String::new(),
    };
    // reported by the export already, with their places
    report.findings.retain(|finding| !matches!(finding.code, "outside-load" | "missing-alt"));
    report.findings.iter_mut().for_each(|finding| sources.place(finding));
    for link in &mut report.outside {
        let mut place = Diagnostic::warning("", format!("`{}`", link.url)).at(link.file.as_str(), 0, 0);
        sources.place(&mut place);
        (link.file, link.line) = (place.file, place.line);
    }
    report.findings.extend(exported.diagnostics.into_iter().filter_map(checked_diagnostic));
    report.findings.extend(check::pictures::without_words(site));
    report.findings.extend(check::properties::unknown_properties(site));
    report.findings.extend(site.descriptions.lint(&site.tree));
    report.tidy();
    Ok(report)
}

/// What a check makes of a problem that the export reported: the registry of codes decides, and an error is always one.
fn checked_diagnostic(problem: Diagnostic) -> Option<Diagnostic> {
    let level = find_code(problem.code).map_or(Level::Silent, |code| code.check);
    match level {
        Level::Error => Some(Diagnostic { severity: Severity::Error, ..problem }),
        Level::Silent if problem.severity == Severity::Warning => None,
        _ => Some(problem),
    }
}

fn report_root(target: &Path) -> &Path {
    if target.is_file() {
        target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
    } else {
        target
    }
}

/// Finds out where in the source a finding about the bundle comes from.
struct FindingSources<'a> {
    root: &'a Path,
    /// Source of each page, by its path in the bundle.
    origins: FxHashMap<String, String>,
    config: String,
    path: String,
    text: String,
}

impl FindingSources<'_> {
    fn place(&mut self, finding: &mut Diagnostic) {
        let Some(path) = self.origins.get(&finding.file).cloned() else { return self.place_stub(finding) };
        (finding.file, finding.line, finding.column) = (path.clone(), 0, 0);
        let Some(address) = finding.message.split('`').nth(1) else { return };
        if self.path != path {
            self.text = self.read(&path);
            self.path = path;
        }
        (finding.line, finding.column) = find_words(&self.text, address);
        if finding.line == 0 {
            // what every page shows stands in the configuration
            let (line, column) = find_words(&self.text_of_config(), address);
            if line > 0 {
                (finding.file, finding.line, finding.column) = (self.config.clone(), line, column);
            }
        }
    }

    /// A page that no source file became stands at an old address: its redirect is reported.
    fn place_stub(&self, finding: &mut Diagnostic) {
        let Some(stem) = finding.file.strip_suffix(".html") else { return };
        let (line, column) = find_words(&self.text_of_config(), &format!("\"/{stem}\""));
        if line > 0 {
            (finding.file, finding.line, finding.column) = (self.config.clone(), line, column);
        }
    }

    fn text_of_config(&self) -> String {
        if self.config.is_empty() { String::new() } else { self.read(&self.config) }
    }

    fn read(&self, path: &str) -> String {
        let path = self.root.join(path);
        if std::fs::metadata(&path).map_or(0, |metadata| metadata.len()) > limits::CONFIG_BYTES {
            return String::new();
        }
        std::fs::read(path).map(into_text).unwrap_or_default()
    }
}

/// Line and column, from 1, where a text first has some words; zeros if it does not.
fn find_words(text: &str, words: &str) -> (u32, u32) {
    let Some(at) = text.find(words).filter(|_| !words.is_empty()) else { return (0, 0) };
    let line = text.slice(..at).matches('\n').count() + 1;
    let column = text.slice(..at).rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (u32::try_from(line).unwrap_or_default(), u32::try_from(column).unwrap_or_default())
}

/// Says what was found; whether that could be written.
fn show_report(
    arguments: &CheckArgs,
    report: &CheckReport,
    link_summary: Option<external::LinkSummary>,
    exit: Exit,
    is_source: bool,
) -> bool {
    let (errors, warnings) = (report.count(Severity::Error), report.count(Severity::Warning));
    match arguments.format {
        CheckFormat::Json => {
            let kind = if is_source { "source" } else { "bundle" };
            let target = arguments.target.display().to_string();
            return progress::emit_json_line(&CheckJson {
                offprint: env!("CARGO_PKG_VERSION"),
                target,
                kind,
                errors,
                warnings,
                external: link_summary,
                exit_code: exit as u8,
                report,
            });
        }
        CheckFormat::Github => {
            let prefix =
                if arguments.target.is_dir() || is_source { report_root(&arguments.target) } else { Path::new("") };
            if !report.findings.iter().all(|finding| print(annotation(finding, prefix))) {
                return false;
            }
        }
        CheckFormat::Text => {
            let _ = diagnostics::write_diagnostics(
                &mut anstream::stderr().lock(),
                report_root(&arguments.target),
                &report.findings,
                "`--format json` lists all",
            );
        }
    }
    let target = harmless(&arguments.target.display().to_string());
    let mut text = format!(
        "Checked {} of {target}: {}, {}\n",
        plural(report.pages, "HTML file"),
        plural(errors as u64, severity_name(Severity::Error)),
        plural(warnings as u64, severity_name(Severity::Warning))
    );
    text.push_str(&format!(
        "  {}; {}, {}, {}",
        plural(report.references, "reference"),
        plural(report.outside_loads, "outside load"),
        plural(report.outside_links, "outside link"),
        plural(report.placeholders, "placeholder"),
    ));
    if !report.playground_servers.is_empty() {
        text.push_str(&super::summary::playground(&report.playground_servers));
    }
    match link_summary {
        Some(summary) => {
            let external::LinkSummary { alive, dead, unclear, refused, .. } = summary;
            text.push_str(&format!(
                "\n  {} requested: {alive} found, {dead} missing, {unclear} unclear, {refused} not requested",
                plural(summary.asked, "outside link")
            ));
        }
        None if report.outside_links > 0 => text.push_str("; `--external` requests outside links"),
        None => {}
    }
    tell(text);
    true
}

/// A workflow command of GitHub Actions.
fn annotation(finding: &Diagnostic, prefix: &Path) -> String {
    let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    let mut out = format!("::{} ", severity_name(finding.severity));
    if !finding.file.is_empty() {
        let path = prefix.join(&finding.file).display().to_string().replace('\\', "/");
        out.push_str(&format!("file={},", property(path.trim_start_matches("./"))));
    }
    if finding.line > 0 {
        out.push_str(&format!("line={},", finding.line));
    }
    if finding.column > 0 {
        out.push_str(&format!("col={},", finding.column));
    }
    let hint = finding.hint.as_ref().map(|hint| format!(" ({hint})")).unwrap_or_default();
    out.push_str(&format!(
        "title={}::{}",
        property(finding.code),
        data(&harmless(&format!("{}{hint}", finding.message)))
    ));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_are_commands() {
        let finding =
            Diagnostic::error("broken-link", "`50%: a,b`\nleads to no page").at("a,b.mdx", 3, 7).hint("correct it");
        let expect =
            "::error file=docs/a%2Cb.mdx,line=3,col=7,title=broken-link::`50%25: a,b` leads to no page (correct it)";
        assert_eq!(annotation(&finding, Path::new("./docs")), expect);
        assert_eq!(annotation(&Diagnostic::warning("x", "m"), Path::new("docs")), "::warning title=x::m");
    }

    #[test]
    fn problems_of_links_are_told() {
        let severity = |code| checked_diagnostic(Diagnostic::warning(code, "m")).map(|problem| problem.severity);
        assert_eq!(
            (severity("broken-link"), severity("link-case"), severity("icon-missing")),
            (Some(Severity::Error), Some(Severity::Warning), None)
        );
    }
}
