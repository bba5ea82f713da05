//! What an export came to: a few lines for people, an object for programs, a file with everything.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use base::{Diagnostic, Severity};
use check::census::WordCounts;
use export::{BundleFormat, ExportOptions, ExportReport, PngSavings, ReadAs};
use frame::asset::remote::RemoteCounts;

use super::diagnostics::severity_name;
use super::{Exit, bytes, plural, report_file};

/// An export that is done.
pub(super) struct ExportSummary<'a> {
    pub(super) options: &'a ExportOptions,
    pub(super) report: &'a ExportReport,
    pub(super) elapsed: Duration,
    pub(super) exit: Exit,
}

/// `done` on standard output; the shape is in the help of `export`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Done<'a> {
    event: &'static str,
    output: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<&'a str>,
    pages: u64,
    words: WordCounts,
    files: u64,
    bytes_out: u64,
    bundle_bytes: u64,
    seconds: f64,
    pages_per_second: f64,
    warnings: BTreeMap<&'a str, u64>,
    errors: BTreeMap<&'a str, u64>,
    #[serde(rename = "leftOutJs")]
    left_out_js: &'a [String],
    self_contained: bool,
    outside_loads: u64,
    blocked_requests: u64,
    outside_links: u64,
    placeholders: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    playground_servers: Option<&'a [String]>,
    remote: RemoteCounts,
    exit_code: u8,
}

/// A line about the tool whose repository the source was read as; none for the format that this program is made for.
fn read_as(tool: &ReadAs) -> Option<String> {
    let ReadAs { name, title, config } = tool;
    match (*name, config.as_str()) {
        ("mintlify", _) => None,
        (_, "") => Some(format!("\n  read as {title}")),
        (_, config) => Some(format!("\n  read as {title}, by {}", super::harmless(config))),
    }
}

/// A line about consoles: which servers they ask when a reader sends a request.
pub(super) fn playground(servers: &[String]) -> String {
    const MAX_SHOWN: usize = 4;
    let mut shown: Vec<&str> = servers.iter().take(MAX_SHOWN).map(String::as_str).collect();
    let more = format!("{} more", servers.len().saturating_sub(MAX_SHOWN));
    if servers.len() > MAX_SHOWN {
        shown.push(&more);
    }
    let targets = if shown.is_empty() { "the host of the pages".to_owned() } else { shown.join(", ") };
    format!("\n  playground: sends requests of readers to {targets}")
}

/// A line about pages that could have a console; none if they have.
fn no_playground(pages: u64) -> Option<String> {
    let count = plural(pages, "API page");
    (pages > 0).then(|| format!("\n  no console on {count}; `--feature playground=on` adds \"Try it\""))
}

/// A line about what optimizing pictures would save.
fn png_hint(savings: &PngSavings) -> String {
    let PngSavings { files, bytes: size, estimated_saving, sampled } = savings;
    format!(
        "\n  {} of more than 200 kB, {}; `--optimize-png` would save about {} (estimated from parts of {})",
        plural(*files, "PNG file"),
        bytes(*size),
        bytes(*estimated_saving),
        super::grouped(*sampled)
    )
}

/// The JSON schema of the report.
pub(super) fn report_schema() -> serde_json::Value {
    super::json_schema::schema_of::<ReportFile<'_>>(true)
}

/// The file of `--report`.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "File")]
struct ReportFile<'a> {
    offprint: &'static str,
    source: String,
    output: String,
    format: BundleFormat,
    domain: Option<&'a str>,
    version: Option<&'a str>,
    paths: &'a [String],
    seconds: f64,
    pages_per_second: f64,
    warnings: BTreeMap<&'a str, u64>,
    errors: BTreeMap<&'a str, u64>,
    exit_code: u8,
    #[serde(flatten)]
    report: &'a ExportReport,
}

/// Fewest pages for which a rate says something: below it, starting the program is most of the time.
const MIN_RATED_PAGES: u64 = 100;

impl ExportSummary<'_> {
    /// Nine lines at most: what, how much, as what it was read, whether it is complete, whether it needs anything else, what is wrong, what is missing.
    pub(super) fn for_people(&self) -> String {
        let ExportReport { pages, files, bytes_out, bundle_bytes, left_out_js, .. } = self.report;
        let output = super::harmless(&self.options.output.path.display().to_string());
        let mut text = format!("Exported {} to {output} in {:.2} s", plural(*pages, "page"), self.seconds());
        if *pages >= MIN_RATED_PAGES {
            text.push_str(&format!(" ({} a second)", plural(self.pages_per_second() as u64, "page")));
        }
        text.push('\n');
        text.push_str(&match self.options.output.format {
            BundleFormat::Zip => {
                format!("  {}, {}, compressed to {}", plural(*files, "file"), bytes(*bytes_out), bytes(*bundle_bytes))
            }
            BundleFormat::Dir => format!("  {}, {}", plural(*files, "file"), bytes(*bytes_out)),
        });
        text.extend(self.report.tool.as_ref().and_then(read_as));
        text.push_str(&self.words());
        text.push_str(&format!("\n  {}", self.proof()));
        let RemoteCounts { addresses, vendored, fetched, bytes: size, .. } = self.report.remote;
        if addresses > 0 {
            let from = if fetched == vendored {
                String::new()
            } else {
                format!(", {} of them from the cache", super::grouped(vendored - fetched))
            };
            let of = if vendored == addresses { String::new() } else { format!(" of {}", super::grouped(addresses)) };
            text.push_str(&format!(
                "\n  {}{of} remote assets in the bundle, {}{from}",
                super::grouped(vendored),
                bytes(size)
            ));
        }
        for severity in [Severity::Error, Severity::Warning] {
            let kinds = kinds(&self.report.diagnostics, severity);
            let total = kinds.values().sum();
            if total > 0 {
                let mut kinds: Vec<_> = kinds.into_iter().collect();
                kinds.sort_by_key(|(code, count)| (std::cmp::Reverse(*count), *code));
                let kinds: Vec<_> =
                    kinds.into_iter().map(|(code, count)| format!("{} {code}", super::grouped(count))).collect();
                text.push_str(&format!("\n  {}: {}", plural(total, severity_name(severity)), kinds.join(", ")));
            }
        }
        text.extend(self.report.png_savings.as_ref().map(png_hint));
        if !left_out_js.is_empty() {
            let scripts = plural(left_out_js.len() as u64, "script");
            text.push_str(&format!("\n  {scripts} of the source left out; `--include-js` adds them"));
        }
        text
    }

    /// How many words of the sources are on the pages.
    fn words(&self) -> String {
        let WordCounts { written, found } = self.report.words;
        format!("\n  words: {} of {}", super::grouped(found), super::grouped(written))
    }

    /// What reading every file of the bundle has shown.
    fn proof(&self) -> String {
        let outside = &self.report.outside;
        let verdict = if outside.is_self_contained() { "yes" } else { "no" };
        let mut text = format!("self-contained: {verdict}, {}", plural(outside.outside_loads(), "outside load"));
        if outside.component_requests > 0 && outside.requests_blocked {
            text.push_str(&format!(", {} blocked", plural(outside.component_requests, "component request")));
        }
        text.push_str(&format!(
            ", {}, {}",
            plural(outside.links.count, "outside link"),
            plural(outside.placeholders.count, "placeholder")
        ));
        if outside.scripts > 0 && !outside.requests_blocked {
            text.push_str(&format!("; requests of {} of the source are not known", plural(outside.scripts, "script")));
        }
        if let Some(servers) = &self.report.playground_servers {
            text.push_str(&playground(servers));
        }
        text.extend(no_playground(self.report.pages_without_console));
        text
    }

    /// An event for programs.
    pub(super) fn for_programs(&self) -> impl Serialize {
        let ExportReport {
            pages,
            words,
            files,
            bytes_out,
            bundle_bytes,
            ref diagnostics,
            ref left_out_js,
            ref outside,
            remote,
            ..
        } = *self.report;
        Done {
            event: "done",
            output: self.options.output.path.display().to_string(),
            from: self.report.tool.as_ref().map(|tool| tool.name),
            pages,
            words,
            files,
            bytes_out,
            bundle_bytes,
            seconds: self.seconds(),
            pages_per_second: self.pages_per_second(),
            warnings: kinds(diagnostics, Severity::Warning),
            errors: kinds(diagnostics, Severity::Error),
            left_out_js,
            self_contained: outside.is_self_contained(),
            outside_loads: outside.outside_loads(),
            blocked_requests: if outside.requests_blocked { outside.component_requests } else { 0 },
            outside_links: outside.links.count,
            placeholders: outside.placeholders.count,
            playground_servers: self.report.playground_servers.as_deref(),
            remote,
            exit_code: self.exit as u8,
        }
    }

    /// Writes everything to a JSON file, whole or not at all.
    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        let file = ReportFile {
            offprint: env!("CARGO_PKG_VERSION"),
            source: self.options.source.display().to_string(),
            output: self.options.output.path.display().to_string(),
            format: self.options.output.format,
            domain: self.options.domain.as_deref(),
            version: self.options.version.as_deref(),
            paths: &self.options.paths,
            seconds: self.seconds(),
            pages_per_second: self.pages_per_second(),
            warnings: kinds(&self.report.diagnostics, Severity::Warning),
            errors: kinds(&self.report.diagnostics, Severity::Error),
            exit_code: self.exit as u8,
            report: self.report,
        };
        report_file::write_report_file(path, |out| {
            serde_json::to_writer_pretty(&mut *out, &file)?;
            out.write_all(b"\n")
        })
    }

    /// Seconds with three decimals.
    fn seconds(&self) -> f64 {
        (self.elapsed.as_secs_f64() * 1000.0).round() / 1000.0
    }

    /// Pages per second with one decimal.
    fn pages_per_second(&self) -> f64 {
        let rate = self.report.pages as f64 / self.elapsed.as_secs_f64().max(1e-9);
        (rate * 10.0).round() / 10.0
    }
}

/// How many diagnostics of each kind there are.
pub(super) fn kinds(diagnostics: &[Diagnostic], severity: Severity) -> BTreeMap<&str, u64> {
    let mut kinds = BTreeMap::new();
    for diagnostic in diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity) {
        *kinds.entry(diagnostic.code).or_default() += 1;
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;
    use export::{BundleOutput, Stage};

    fn options(format: BundleFormat) -> ExportOptions {
        let output = BundleOutput { path: "site.zip".into(), format };
        ExportOptions { version: Some("v2".into()), ..ExportOptions::new("docs".into(), output) }
    }

    fn report() -> ExportReport {
        let mut diagnostics = vec![Diagnostic::warning("broken-link", "m"); 1200];
        diagnostics.extend([Diagnostic::warning("a", "m"), Diagnostic::error("bad", "m").at("x.mdx", 1, 2)]);
        ExportReport {
            pages: 1234,
            words: WordCounts { written: 20_004, found: 20_000 },
            files: 1500,
            bytes_in: 1,
            bytes_out: 35_000_000,
            html_bytes: 2,
            bundle_bytes: 6_100_000,
            stages: vec![Stage { name: "parse", wall_ms: 1.5, busy_us: None }],
            diagnostics,
            left_out_js: vec!["a.js".into()],
            ..ExportReport::default()
        }
    }

    #[track_caller]
    fn check(format: BundleFormat, report: &ExportReport, expect: &str) {
        let summary =
            ExportSummary { options: &options(format), report, elapsed: Duration::from_millis(1240), exit: Exit::Done };
        assert_eq!(summary.for_people(), expect);
    }

    #[test]
    fn people_read_a_few_lines() {
        check(
            BundleFormat::Zip,
            &report(),
            "Exported 1,234 pages to site.zip in 1.24 s (995 pages a second)\n  1,500 files, 35.0 MB, compressed to 6.1 MB\n  words: 20,000 of 20,004\n  self-contained: yes, 0 outside loads, 0 outside links, 0 placeholders\n  \
             1 error: 1 bad\n  1,201 warnings: 1,200 broken-link, 1 a\n  1 script of the source left out; `--include-js` adds them",
        );
        let remote = RemoteCounts { addresses: 1200, vendored: 1100, fetched: 100, bytes: 5_000_000, missing: 100 };
        let loads = ExportReport { pages: 1, files: 2, bytes_out: 900, remote, ..ExportReport::default() };
        check(
            BundleFormat::Dir,
            &loads,
            "Exported 1 page to site.zip in 1.24 s\n  2 files, 900 B\n  words: 0 of 0\n  self-contained: yes, 0 outside loads, 0 outside links, 0 placeholders\n  1,100 of 1,200 remote assets in the bundle, 5.0 MB, 1,000 of them from the cache",
        );
        let clean = ExportReport { pages: 1, files: 2, bytes_out: 900, ..ExportReport::default() };
        check(
            BundleFormat::Dir,
            &clean,
            "Exported 1 page to site.zip in 1.24 s\n  2 files, 900 B\n  words: 0 of 0\n  self-contained: yes, 0 outside loads, 0 outside links, 0 placeholders",
        );
    }

    #[test]
    fn requests_of_components_are_blocked_or_outside_loads() {
        let mut report = ExportReport { pages: 1, files: 2, bytes_out: 900, ..ExportReport::default() };
        let start = "Exported 1 page to site.zip in 1.24 s\n  2 files, 900 B\n  words: 0 of 0\n  self-contained: ";
        report.outside.component_requests = 2;
        check(BundleFormat::Dir, &report, &format!("{start}no, 2 outside loads, 0 outside links, 0 placeholders"));
        report.outside.requests_blocked = true;
        check(
            BundleFormat::Dir,
            &report,
            &format!("{start}yes, 0 outside loads, 2 component requests blocked, 0 outside links, 0 placeholders"),
        );
    }

    #[test]
    fn programs_read_the_documented_shape() {
        let summary = ExportSummary {
            options: &options(BundleFormat::Zip),
            report: &report(),
            elapsed: Duration::from_millis(1240),
            exit: Exit::Errors,
        };
        assert_eq!(
            serde_json::to_string(&summary.for_programs()).unwrap(),
            r#"{"event":"done","output":"site.zip","pages":1234,"words":{"written":20004,"found":20000},"files":1500,"bytesOut":35000000,"bundleBytes":6100000,"seconds":1.24,"#.to_owned()
                + r#""pagesPerSecond":995.2,"warnings":{"a":1,"broken-link":1200},"errors":{"bad":1},"leftOutJs":["a.js"],"selfContained":true,"outsideLoads":0,"blockedRequests":0,"outsideLinks":0,"placeholders":0,"#
                + r#""remote":{"addresses":0,"vendored":0,"fetched":0,"bytes":0,"missing":0},"exitCode":1}"#
        );
    }

    #[test]
    fn the_report_holds_everything_or_is_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.json");
        let summary = ExportSummary {
            options: &options(BundleFormat::Zip),
            report: &report(),
            elapsed: Duration::from_millis(1240),
            exit: Exit::Done,
        };
        summary.write(&path).unwrap();
        summary.write(&path).unwrap();
        let value: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        assert_eq!(
            (&value["pages"], &value["version"], &value["diagnostics"][1201]["file"]),
            (&1234.into(), &"v2".into(), &"x.mdx".into())
        );
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(summary.write(&folder.path().join("no/report.json")).is_err());
        assert!(report_file::write_report_file(&path, |_| Err(io::ErrorKind::StorageFull.into())).is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
