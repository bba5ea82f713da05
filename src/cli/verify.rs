//! `offprint verify`.

use std::path::PathBuf;

use serde::Serialize;

use crate::config;
use base::hex::to_hex;
use bundle::manifest::{Manifest, ManifestTool, Revision};
use bundle::reader::{BundleReader, ReadError};
use bundle::sign::PublicKey;
use bundle::verify::{BundleProblem, SignatureState, VerifyVerdict, verify_archive};

use super::trust::AnswerArg;
use super::{Exit, answer_json, bytes, harmless, no_answer, plural, print_answer};

pub(super) const ABOUT: &str = "\
Verify a bundle by its manifest and signature.

Every file has to be listed and every listed file present, with its size and SHA-256; names have to be safe on every \
system. A damaged or malicious archive is refused before anything is decompressed. Nothing is written.";

pub(super) const NOTES: &str = "\
Examples:
  offprint verify site.zip
  offprint verify site.zip --public-key minisign.pub
  offprint verify /srv/docs --public-key RWQ...
      an unpacked bundle, a key as minisign prints it
  offprint verify site.zip --format json | jq .problems

Exit codes:
  0  intact, and signed by the key if one was given
  1  not intact, refused, or not signed by the key
  2  not checked: the file does not exist, or the key is invalid";

/// `offprint verify`.
#[derive(Debug, clap::Args)]
pub(super) struct VerifyArgs {
    /// The archive or the folder
    pub(super) bundle: PathBuf,
    /// The key that the bundle has to be signed by: a file, or the key itself
    #[arg(short = 'p', long, value_name = "FILE|KEY", value_parser = config::public_key)]
    pub(super) public_key: Option<PublicKey>,
    /// Output format
    #[arg(short, long, value_name = "FORMAT", default_value = "text", hide_default_value = true)]
    pub(super) format: AnswerArg,
}

/// Problems that are shown to people; the rest are counted.
const MAX_SHOWN_PROBLEMS: usize = 100;

/// What `--format json` prints.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct VerifyReply<'a> {
    bundle: String,
    intact: bool,
    files: u64,
    bytes: u64,
    manifest: Option<BundleIdentity<'a>>,
    signature: Option<&'a SignatureState>,
    problems: &'a [BundleProblem],
    exit_code: u8,
}

/// What a bundle says of itself.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BundleIdentity<'a> {
    sha256: String,
    domain: Option<&'a str>,
    version: Option<&'a str>,
    page_count: u64,
    tool: Option<&'a ManifestTool>,
    source: Option<&'a Revision>,
    exported_at: Option<&'a str>,
}

/// Checks a bundle and says what is wrong with it.
pub(super) fn run_verify(arguments: &VerifyArgs) -> Exit {
    let shown = arguments.bundle.display().to_string();
    let verdict = match BundleReader::open(&arguments.bundle) {
        Ok(archive) => verify_archive(&archive, arguments.public_key.as_ref()),
        Err(error @ ReadError::Io { .. }) => {
            return no_answer(arguments.format == AnswerArg::Json, &error.full(), Exit::Unusable);
        }
        Err(error) => {
            let problems = vec![BundleProblem::refused(&error)];
            VerifyVerdict { manifest: None, files: 0, bytes: 0, signature: SignatureState::Absent, problems }
        }
    };
    let exit = if verdict.is_intact() { Exit::Done } else { Exit::Errors };
    match arguments.format {
        AnswerArg::Text => print_answer(format_verdict(&shown, &verdict), exit),
        AnswerArg::Json => answer_json(&for_programs(shown, &verdict, exit), exit),
    }
}

fn format_verdict(shown: &str, verdict: &VerifyVerdict) -> String {
    let mut lines = Vec::new();
    for BundleProblem { file, message, .. } in verdict.problems.iter().take(MAX_SHOWN_PROBLEMS) {
        lines.push(if file.is_empty() { format!("{shown} {message}") } else { format!("{file}: {message}") });
    }
    if let Some(more) = verdict.problems.len().checked_sub(MAX_SHOWN_PROBLEMS).filter(|more| *more > 0) {
        lines.push(format!("and {} more", plural(more as u64, "problem")));
    }
    if verdict.is_intact() {
        lines.push(format!("{shown} is intact: {}, {}", plural(verdict.files, "file"), bytes(verdict.bytes)));
    } else {
        lines.push(format!("{shown} is NOT intact: {}", plural(verdict.problems.len() as u64, "problem")));
    }
    lines.extend(verdict.manifest.as_ref().map(describe_manifest));
    lines.extend(signature(verdict));
    lines.iter().map(|line| harmless(line)).collect::<Vec<_>>().join("\n")
}

/// One line: the signer. What could not be read may be signed or not.
fn signature(verdict: &VerifyVerdict) -> Option<String> {
    let is_read = verdict.manifest.is_some();
    Some(match &verdict.signature {
        SignatureState::Absent if !is_read => return None,
        SignatureState::Absent => "  not signed".to_owned(),
        SignatureState::Unchecked { key_id } => {
            format!("  signed with the key {key_id} (not verified; use `--public-key`)")
        }
        SignatureState::Valid { key_id, comment } => format!("  signed by the key {key_id}: {comment}"),
        SignatureState::Invalid { key_id: Some(key_id) } => format!("  signed with another key: {key_id}"),
        SignatureState::Invalid { key_id: None } => "  its signature is not valid".to_owned(),
    })
}

/// One line: what the bundle says of itself.
fn describe_manifest(manifest: &Manifest) -> String {
    let mut parts = vec![plural(manifest.page_count, "page")];
    parts.extend(manifest.domain.as_ref().map(|domain| format!("domain {domain}")));
    parts.extend(manifest.version.as_ref().map(|version| format!("version {version}")));
    if let Some(Revision { commit, dirty }) = &manifest.source {
        parts.push(format!("source {commit}{}", if *dirty { ", with changes" } else { "" }));
    }
    parts.extend(manifest.tool.as_ref().map(|tool| format!("made with {} {}", tool.name, tool.version)));
    parts.extend(manifest.exported_at.as_ref().map(|at| format!("at {at}")));
    format!("  {}", parts.join(", "))
}

fn for_programs(bundle: String, verdict: &VerifyVerdict, exit: Exit) -> VerifyReply<'_> {
    let about = |manifest: &Manifest| to_hex(&manifest.sha256);
    VerifyReply {
        bundle,
        intact: verdict.is_intact(),
        files: verdict.files,
        bytes: verdict.bytes,
        manifest: verdict.manifest.as_ref().map(|manifest| BundleIdentity {
            sha256: about(manifest),
            domain: manifest.domain.as_deref(),
            version: manifest.version.as_deref(),
            page_count: manifest.page_count,
            tool: manifest.tool.as_ref(),
            source: manifest.source.as_ref(),
            exported_at: manifest.exported_at.as_deref(),
        }),
        signature: verdict.manifest.is_some().then_some(&verdict.signature),
        problems: &verdict.problems,
        exit_code: exit as u8,
    }
}
