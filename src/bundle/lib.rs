//! The bundle: entries in a fixed order to a reproducible zip archive or a folder, closed by a manifest.
//!
//! [`Packer::prepare`] hashes and compresses one entry on any thread; [`Bundle::append`] takes what was prepared, in an
//! order that the caller fixes, so the bytes of a bundle depend on its entries alone: not on threads, clock or file
//! system. The bundle grows beside its target and takes the target's name only when it is whole; dropped before that,
//! it leaves nothing.
//!
//! [`reader`] opens bundles that others may have made, [`verify`] checks one against its manifest and signature
//! ([`sign`]), [`diff`] compares two, and [`delta`] carries what is new of one to where the other is.

#![cfg_attr(test, allow(clippy::print_stdout, reason = "tests may print"))]
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod archive;
mod deflate;
pub mod delta;
pub mod diff;
mod features;
mod folder;
mod long;
pub mod manifest;
pub mod media_type;
mod names;
mod piece;
pub mod reader;
pub mod sbom;
pub mod seal;
pub mod sign;
mod staging;
mod steady;
pub mod verify;
mod worker;
mod zip;

use std::io::{self, Write};
use std::path::PathBuf;

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;
use sha2::{Digest, Sha256};

use base::extension::file_extension;
use base::hex::to_hex;
use base::isolate::isolate;
use base::refs::{Outside, OutsideReferences};
use base::{BundlePath, Diagnostic};

pub use base::bundle_path::{MANIFEST_PATH, RESERVED_FOLDER};
pub use features::{Availability, BundleFeature};
pub use long::Long;
pub use manifest::{BundleDeployment, Manifest, ManifestFeatures, ManifestHeader, ManifestRecord, Revision};
pub use piece::{PieceText, TextPiece};
pub use sign::SIGNATURE_PATH;
pub use staging::resolve_output_path;
pub use staging::{Handover, StagingTarget, discard_unfinished};

use archive::GrowingArchive;
use folder::GrowingFolder;
use manifest::write_manifest;
use names::EntryNames;
use sign::Signer;
use zip::PackedFile;

/// Where a delta keeps its recipe. No bundle has this file.
pub const RECIPE_PATH: &str = "_offprint/delta.json";

/// Shape of a bundle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum BundleFormat {
    /// One zip archive.
    #[default]
    Zip,
    /// A folder.
    Dir,
}

/// Where a bundle goes.
#[derive(Clone, Debug)]
pub struct BundleOptions {
    /// The archive or the folder. Missing parent folders are made.
    pub path: PathBuf,
    /// Which of the two.
    pub format: BundleFormat,
    /// The folder that is exported: the bundle may lie in it, but never replace it or what it lies in.
    pub source: PathBuf,
}

/// Where an entry comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryOrigin {
    /// Made by the exporter; may lie in the reserved folder.
    Exporter,
    /// A file of the source as it is; left out of the reserved folder.
    Source,
}

/// A file for the bundle.
#[derive(Clone, Debug)]
pub struct BundleEntry {
    /// Its name.
    pub path: BundlePath,
    /// Its content.
    pub bytes: Vec<u8>,
    /// Where it comes from.
    pub origin: EntryOrigin,
}

/// An entry that is read, hashed and, for an archive, compressed.
#[derive(Debug)]
pub struct PreparedEntry {
    record: ManifestRecord,
    origin: EntryOrigin,
    outside: Outside,
    /// Why nothing is known of what it refers to.
    problem: Option<Diagnostic>,
    body: EntryBody,
}

#[derive(Debug)]
enum EntryBody {
    Packed(PackedFile),
    Plain(Vec<u8>),
    /// For a folder: a file to copy.
    Long(std::fs::File),
}

/// Turns entries into prepared ones; a copy of it can go to every thread.
#[derive(Clone, Copy, Debug)]
pub struct Packer {
    format: BundleFormat,
}

/// What was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BundleSummary {
    /// Files, the manifest included.
    pub files: u64,
    /// Their bytes before compression.
    pub bytes: u64,
    /// Bytes of those that are HTML.
    pub html_bytes: u64,
    /// Bytes of the archive; for a folder the same as `bytes`.
    pub bundle_bytes: u64,
    /// Entries that had to be left out, in the order in which they came.
    pub diagnostics: Vec<Diagnostic>,
    /// What leads out of the bundle: every file was read when it was prepared.
    pub outside: OutsideReferences,
}

/// Why there is no bundle.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    /// The target cannot be replaced; nothing was touched.
    #[error("{0}")]
    Refused(String),
    /// Writing failed.
    #[error("{context}")]
    Io {
        /// What was being done, with the path.
        context: String,
        /// Why it failed.
        source: io::Error,
    },
}

impl From<reader::ReadError> for BundleError {
    fn from(error: reader::ReadError) -> Self {
        match error {
            reader::ReadError::Io { context, source } => Self::Io { context, source },
            refused @ reader::ReadError::Refused { .. } => Self::Refused(refused.to_string()),
        }
    }
}

impl BundleError {
    fn io(context: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let context = context.into();
        move |source| Self::Io { context, source }
    }
}

/// How a bundle ends.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ending<'a> {
    /// Signs the manifest.
    pub signer: Option<&'a Signer>,
    /// Only what this bundle does not have is written, with how to put both together ([`delta`]).
    pub delta_from: Option<&'a reader::BundleReader>,
}

/// The files that close a bundle.
struct Last<'a> {
    about: &'a ManifestHeader,
    records: &'a [ManifestRecord],
    signer: Option<&'a Signer>,
    /// Known when the manifest is written.
    manifest_bytes: u64,
    /// Made when the manifest is written.
    signature: Option<Vec<u8>>,
}

impl Last<'_> {
    /// Writes the manifest, and signs it.
    fn write(&mut self, out: &mut impl Write) -> io::Result<()> {
        let Some(signer) = self.signer else {
            self.manifest_bytes = write_manifest(out, self.about, self.records)?;
            return Ok(());
        };
        let mut text = Vec::new();
        self.manifest_bytes = write_manifest(&mut text, self.about, self.records)?;
        out.write_all(&text)?;
        let ManifestHeader { domain, version, .. } = self.about;
        let comment = manifest_comment(domain.as_deref(), version.as_deref(), &text);
        self.signature = Some(signer.sign(&text, &comment).into_bytes());
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.manifest_bytes + self.signature.as_ref().map_or(0, |text| text.len() as u64)
    }
}

/// What is signed with a manifest, for those who read the signature alone.
fn manifest_comment(domain: Option<&str>, version: Option<&str>, manifest: &[u8]) -> String {
    let label = |name, value: Option<&str>| value.map_or_else(String::new, |value| format!(" {name}:{value}"));
    let digest = to_hex(&Sha256::digest(manifest));
    format!("offprint bundle{}{} manifest-sha256:{digest}", label("domain", domain), label("version", version))
}

/// A bundle that is being written.
#[derive(Debug)]
pub struct Bundle {
    sink: Sink,
    packer: Packer,
    names: EntryNames,
    records: Vec<ManifestRecord>,
    summary: BundleSummary,
}

#[derive(Debug)]
enum Sink {
    Archive(GrowingArchive),
    Folder(GrowingFolder),
}

impl Bundle {
    /// Starts a bundle beside its target.
    ///
    /// # Errors
    /// The target is something that must not be replaced, or nothing can be written beside it.
    pub fn create(options: &BundleOptions) -> Result<Self, BundleError> {
        Self::at(StagingTarget::check(options)?)
    }

    /// Starts a bundle beside a target that was checked.
    ///
    /// # Errors
    /// Nothing can be written beside it.
    pub fn at(target: StagingTarget) -> Result<Self, BundleError> {
        let format = target.format;
        let sink = match format {
            BundleFormat::Zip => Sink::Archive(GrowingArchive::create(target)?),
            BundleFormat::Dir => Sink::Folder(GrowingFolder::create(target)?),
        };
        let packer = Packer { format };
        Ok(Self { sink, packer, names: EntryNames::new(), records: Vec::new(), summary: BundleSummary::default() })
    }

    /// What prepares entries for this bundle.
    pub fn packer(&self) -> Packer {
        self.packer
    }

    /// The files so far.
    pub fn records(&self) -> &[ManifestRecord] {
        &self.records
    }

    /// Prepares entries in parallel and appends them in their order. The caller bounds the batch: it is in memory as a
    /// whole.
    ///
    /// # Errors
    /// Writing failed.
    pub fn add(&mut self, batch: Vec<BundleEntry>) -> Result<(), BundleError> {
        let packer = self.packer;
        self.append(batch.into_par_iter().map(|entry| packer.prepare(entry)).collect())
    }

    /// Appends prepared entries in their order. Entries whose name is reserved or clashes with an earlier one are left
    /// out with a diagnostic. An archive is written by a thread of its own, at most two batches behind.
    ///
    /// # Errors
    /// Writing failed, perhaps that of a batch before.
    pub fn append(&mut self, batch: Vec<PreparedEntry>) -> Result<(), BundleError> {
        let mut packed = Vec::new();
        let mut plain = Vec::new();
        let first = self.records.len();
        for PreparedEntry { record, origin, outside, problem, body } in batch {
            self.summary.diagnostics.extend(problem);
            if let Some(problem) = self.objection(&record.path, origin) {
                self.summary.diagnostics.push(problem);
                continue;
            }
            self.summary.outside.count_file(record.path.as_str(), origin == EntryOrigin::Source);
            self.summary.outside.add(record.path.as_str(), outside);
            self.count(&record);
            match body {
                EntryBody::Packed(file) => packed.push((record.path.clone(), file)),
                body => plain.push(body),
            }
            self.records.push(record);
        }
        match &mut self.sink {
            Sink::Archive(archive) => archive.append(packed),
            Sink::Folder(folder) => {
                let files = self.records[first..].par_iter().zip(plain);
                files.try_for_each(|(record, body)| match body {
                    EntryBody::Long(file) => folder.copy(record.path.as_str(), &file),
                    EntryBody::Plain(bytes) => folder.write(record.path.as_str(), &bytes),
                    EntryBody::Packed(_) => Ok(()),
                })
            }
        }
    }

    /// Writes the manifest, makes the bundle durable and gives it its name.
    ///
    /// # Errors
    /// Writing or renaming failed, or something else has come to stand where the bundle should go.
    pub fn finish(self, about: &ManifestHeader) -> Result<BundleSummary, BundleError> {
        self.finish_with(about, &Ending::default())
    }

    /// The same, with a signature of the manifest as the last file, or as a delta from an earlier bundle.
    ///
    /// # Errors
    /// As [`Bundle::finish`]; a folder has no delta.
    pub fn finish_with(mut self, about: &ManifestHeader, ending: &Ending<'_>) -> Result<BundleSummary, BundleError> {
        self.records.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        let mut last =
            Last { about, records: &self.records, signer: ending.signer, manifest_bytes: 0, signature: None };
        let bundle_bytes = match self.sink {
            Sink::Archive(archive) => {
                let mut text = Vec::new();
                last.write(&mut text).map_err(BundleError::io("cannot write the manifest"))?;
                let mut files = vec![(BundlePath::sanitize(MANIFEST_PATH), PackedFile::new(MANIFEST_PATH, text))];
                files.extend(
                    last.signature
                        .clone()
                        .map(|text| (BundlePath::sanitize(SIGNATURE_PATH), PackedFile::new(SIGNATURE_PATH, text))),
                );
                archive.finish(files, ending.delta_from)?
            }
            Sink::Folder(_) if ending.delta_from.is_some() => {
                return Err(BundleError::Refused("a delta is an archive, not a folder".to_owned()));
            }
            Sink::Folder(folder) => {
                folder.finish(&mut last)?;
                self.summary.bytes + last.bytes()
            }
        };
        self.summary.files += 1 + u64::from(last.signature.is_some());
        self.summary.bytes += last.bytes();
        Ok(BundleSummary { bundle_bytes, ..self.summary })
    }

    fn objection(&mut self, path: &BundlePath, origin: EntryOrigin) -> Option<Diagnostic> {
        if origin == EntryOrigin::Source && names::is_reserved(path) {
            let message = format!("`{path}` was left out: the folder `{RESERVED_FOLDER}` is reserved");
            return Some(Diagnostic::new("reserved-path", message).hint("rename the file or its folder"));
        }
        let index = u32::try_from(self.records.len()).unwrap_or(u32::MAX);
        let clash = self.names.claim(path, index).err()?;
        let other = self.records.get(clash as usize).map_or(MANIFEST_PATH, |record| record.path.as_str());
        let message = format!("`{path}` was left out: on some systems it collides with `{other}`");
        Some(
            Diagnostic::new("path-collision", message)
                .hint("rename one of the two; names must differ by more than case"),
        )
    }

    fn count(&mut self, record: &ManifestRecord) {
        self.summary.files += 1;
        self.summary.bytes += record.size;
        if file_extension(record.path.as_str()).eq_ignore_ascii_case("html") {
            self.summary.html_bytes += record.size;
        }
    }
}

impl Packer {
    /// Reads an entry for what leads out of the bundle, hashes it and, for an archive, compresses it.
    pub fn prepare(self, entry: BundleEntry) -> PreparedEntry {
        let mut problems = Vec::new();
        let path = entry.path.as_str();
        let outside = isolate(path, "what it loads from other hosts is not known", &mut problems, |_| {
            Outside::of(path, &entry.bytes)
        });
        PreparedEntry { problem: problems.pop(), ..self.prepare_read(entry, outside.unwrap_or_default()) }
    }

    /// The same for an entry that was read already: `outside` is what [`Outside::of`] says about it.
    pub fn prepare_read(self, entry: BundleEntry, outside: Outside) -> PreparedEntry {
        let BundleEntry { path, bytes, origin } = entry;
        let record = ManifestRecord { size: bytes.len() as u64, sha256: Sha256::digest(&bytes).into(), path };
        let body = match self.format {
            BundleFormat::Zip => EntryBody::Packed(PackedFile::new(record.path.as_str(), bytes)),
            BundleFormat::Dir => EntryBody::Plain(bytes),
        };
        PreparedEntry { record, origin, outside, problem: None, body }
    }
}

impl PreparedEntry {
    /// The entry's name.
    pub fn path(&self) -> &BundlePath {
        &self.record.path
    }

    /// Bytes that the prepared entry holds in memory.
    pub fn weight(&self) -> u64 {
        match &self.body {
            EntryBody::Packed(file) => file.len(),
            EntryBody::Plain(bytes) => bytes.len() as u64,
            EntryBody::Long(_) => 0,
        }
    }
}

#[cfg(test)]
mod tests;
