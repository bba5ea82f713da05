//! What is wrong with a finished bundle, or with any exported site: links and anchors that lead nowhere, names that
//! differ by case alone, loads from elsewhere, pages that no link leads to, pictures without alternative text.
//!
//! Every file is read once, in parallel (`facts`). What its names alone decide is decided there; what needs other pages
//! (anchors, ways from the start page, chains of redirects) is kept as numbers and decided at the end (`graph`): some
//! 20 bytes for a link, and no page's text.
//!
//! Of a source, [`pictures`] alone reads the pages as they were written, since only there can one see a missing
//! alternative text; everything else is checked in the bundle that the source makes.

#![cfg_attr(test, allow(clippy::print_stdout, reason = "tests may print"))]
#![cfg_attr(not(test), warn(clippy::string_slice))]

pub mod census;
pub mod external;
mod facts;
mod graph;
mod names;
pub mod pictures;
pub mod properties;
mod redirects;
mod source_document;
#[cfg(test)]
mod tests;

use std::path::Path;

use rayon::prelude::*;
use serde::Serialize;

use base::bundle_path::MANIFEST_PATH;
use base::isolate::{catch_panic, file_failed};
use base::{Diagnostic, Severity, diagnostic};
use bundle::reader::{BundleReader, EntryRefusal, ReadError};
use bundle::{BundleDeployment, Manifest, RECIPE_PATH};
use frame::link::TABLE_PATH;

pub use graph::OutsideLink;

use graph::Graph;
use names::FileNames;
use redirects::parse_redirects;

/// Files in memory at a time.
const BATCH_FILES: usize = 256;

/// How a check went.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckReport {
    /// Pages that were read.
    pub pages: u64,
    /// Files of the bundle.
    pub files: u64,
    /// References that were followed: links, loads, redirects.
    pub references: u64,
    /// Links that lead to other hosts.
    pub outside_links: u64,
    /// Links in place of outside media.
    pub placeholders: u64,
    /// Loads from other hosts.
    pub outside_loads: u64,
    /// Servers that the playground of the bundle may ask when a reader sends a request: no loads.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub playground_servers: Vec<String>,
    /// What is wrong, sorted by file, line, column and code. Lines are those of the files of the bundle.
    pub findings: Vec<Diagnostic>,
    /// Addresses on other hosts that readers may follow, in the order of the files.
    #[serde(skip)]
    pub outside: Vec<OutsideLink>,
}

impl CheckReport {
    /// Findings of a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }

    /// Sorts the findings and takes out repeated ones.
    pub fn tidy(&mut self) {
        diagnostic::tidy(&mut self.findings);
    }
}

/// Checks a bundle: an archive or a folder.
///
/// # Errors
/// It cannot be read, it is neither, or it holds only a part of one.
pub fn check_bundle(bundle: &Path) -> Result<CheckReport, ReadError> {
    let archive = BundleReader::open(bundle)?;
    if archive.find(RECIPE_PATH).is_some() {
        return Err(ReadError::Refused { name: None, refusal: EntryRefusal::Delta });
    }
    let names = FileNames::new(archive.sorted().map(|entry| entry.name().to_owned()).collect());
    let mut graph = Graph::new(&names);
    let manifest = read_manifest(&archive);
    let promised = manifest.as_ref().filter(|manifest| manifest.deployment == BundleDeployment::AirGapped).map(servers);
    let readable: Vec<u32> = (0..names.len()).filter(|file| facts::is_read(names.name(*file))).collect();
    for batch in readable.chunks(BATCH_FILES) {
        let found: Vec<_> = batch
            .par_iter()
            .map(|file| {
                let name = names.name(*file);
                let bytes = read_checked_entry(&archive, name)?;
                catch_panic(|| facts::read_facts(*file, &bytes, &names))
                    .ok_or_else(|| file_failed(name, "it is not checked"))
            })
            .collect();
        for facts in found {
            match facts {
                Ok(facts) => {
                    let finding =
                        promised.filter(|_| facts.is_page).and_then(|servers| judge_policy(&facts, servers, &names));
                    graph.report.findings.extend(finding);
                    graph.add(facts);
                }
                Err(finding) => graph.report.findings.push(finding),
            }
        }
    }
    match listed_redirects(&archive) {
        Ok(listed) => {
            graph.unlist(&redirects::stubs(&listed, &names));
            graph.report.findings.extend(redirects::check_listed(&listed, &names));
        }
        Err(finding) => graph.report.findings.push(finding),
    }
    let mut report = graph.judge();
    report.playground_servers = manifest.as_ref().map(servers).unwrap_or_default().to_vec();
    report.files = u64::from(names.len());
    report.tidy();
    Ok(report)
}

fn read_checked_entry(archive: &BundleReader, name: &str) -> Result<Vec<u8>, Diagnostic> {
    let unreadable =
        |why: String| Diagnostic::error("unreadable-file", format!("the file cannot be read: {why}")).at(name, 0, 0);
    let entry = archive.find(name).ok_or_else(|| unreadable("it is gone".to_owned()))?;
    archive.read(entry).map_err(|error| unreadable(error.full()))
}

/// The manifest of a bundle. What is wrong with one, `offprint verify` tells.
fn read_manifest(archive: &BundleReader) -> Option<Manifest> {
    let bytes = archive.find(MANIFEST_PATH).and_then(|entry| archive.read(entry).ok())?;
    Manifest::parse(&bytes).ok()
}

/// Servers that the playground of a bundle may ask.
fn servers(manifest: &Manifest) -> &[String] {
    if manifest.features.playground { &manifest.playground_servers } else { &[] }
}

/// What is wrong with the policy of a page of an air-gapped bundle: it must block all requests, but those of the
/// playground to the servers that the manifest lists.
fn judge_policy(facts: &facts::HtmlFacts, servers: &[String], names: &FileNames) -> Option<Diagnostic> {
    let page = names.name(facts.file);
    let Some(connections) = &facts.connections else { return Some(missing_policy(page)) };
    let unlisted = connections.iter().find(|server| !servers.contains(server))?;
    let message = format!(
        "the policy of this page of an air-gapped bundle allows requests to `{unlisted}`, which the manifest does not list as a server of the playground"
    );
    let hint = "export the site again; pages of a bundle must not be edited";
    Some(Diagnostic::error("missing-policy", message).at(page, 0, 0).hint(hint))
}

fn missing_policy(page: &str) -> Diagnostic {
    let message = "this page of an air-gapped bundle starts with no content security policy that blocks requests";
    Diagnostic::error("missing-policy", message)
        .at(page, 0, 0)
        .hint("export the site again; pages of a bundle must not be edited")
}

/// The redirects that the bundle lists for servers.
fn listed_redirects(archive: &BundleReader) -> Result<Vec<(String, String)>, Diagnostic> {
    if archive.find(TABLE_PATH).is_none() {
        return Ok(Vec::new());
    }
    let unreadable = |error| {
        Diagnostic::error("unreadable-file", format!("the list of redirects cannot be read: {error}"))
            .at(TABLE_PATH, 0, 0)
    };
    let json = serde_json::from_slice(&read_checked_entry(archive, TABLE_PATH)?).map_err(unreadable)?;
    Ok(parse_redirects(&json))
}
