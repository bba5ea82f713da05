//! What one bundle has and an earlier one has not, and how to put the two together again, byte for byte: for carrying
//! editions of a large site over a narrow way.
//!
//! A delta is an archive too: the new and changed files under their own names, compressed as in the new bundle, and a
//! recipe that says which runs of files come from where. The result is checked against the digest of the bundle that it
//! must become.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use base::hex::{from_hex, to_hex};
use base::{BundlePath, digest, limits};

use super::manifest::{Manifest, ManifestTool};
use super::names::EntryNames;
use super::reader::{BundleReader, BundledFile};
use super::sign::PublicKey;
use super::staging::{Staging, StagingTarget};
use super::verify::{self, read_manifest};
use super::zip::{self, PackedFile};
use super::{BundleError, BundleFormat, BundleOptions, RECIPE_PATH};

/// How to make a bundle out of an earlier one and a delta.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Recipe {
    /// 1: the only one there is.
    format_version: u32,
    tool: ManifestTool,
    base: Base,
    target: Goal,
    /// In the order of the target's files.
    steps: Vec<DeltaStep>,
}

/// The earlier bundle, known by its manifest.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Base {
    version: Option<String>,
    manifest_sha256: String,
}

/// The bundle that it becomes.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Goal {
    version: Option<String>,
    manifest_sha256: String,
    /// Of the archive.
    size: u64,
    sha256: String,
}

/// Files that stand one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct DeltaStep {
    /// The number of the first in the earlier bundle, from 0; nothing: the next of the delta.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base: Option<u64>,
    count: u64,
}

/// What applying a delta gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// Files of the bundle.
    pub files: u64,
    /// Of these, taken from the earlier bundle.
    pub reused: u64,
    /// Bytes of the archive.
    pub bytes: u64,
    /// SHA-256 of the archive, hexadecimal.
    pub sha256: String,
    /// Label of the edition.
    pub version: Option<String>,
}

/// Writes the delta from one archive to another; returns its bytes.
pub(super) fn write_delta(
    base: &BundleReader,
    target: &BundleReader,
    place: &StagingTarget,
) -> Result<u64, BundleError> {
    let (from, to) = (manifest_of(base)?, manifest_of(target)?);
    let failed = || BundleError::io("cannot write the delta");
    let (sha256, size) = std::fs::File::open(target.path()).and_then(digest::sha256).map_err(failed())?;
    let (staging, file) = Staging::file(place.clone())?;
    let mut zip = zip::ZipWriter::new(BufWriter::with_capacity(1 << 20, file));
    let mut steps: Vec<DeltaStep> = Vec::new();
    for entry in target.entries() {
        let packed = PackedFile::copied(target, entry).map_err(failed())?;
        let same = base.position(entry.name()).filter(|at| is_same_entry(base, &base.entries()[*at], entry, &packed));
        match (steps.last_mut(), same) {
            (Some(DeltaStep { base: Some(first), count }), Some(at)) if *first + *count == at as u64 => *count += 1,
            (Some(DeltaStep { base: None, count }), None) => *count += 1,
            _ => steps.push(DeltaStep { base: same.map(|at| at as u64), count: 1 }),
        }
        if same.is_none() {
            zip.add(entry.name(), &packed).map_err(failed())?;
        }
    }
    let recipe = Recipe {
        format_version: 1,
        tool: ManifestTool::current(),
        base: Base { version: from.version, manifest_sha256: to_hex(&from.sha256) },
        target: Goal { version: to.version, manifest_sha256: to_hex(&to.sha256), size, sha256: to_hex(&sha256) },
        steps,
    };
    let text = serde_json::to_vec(&recipe).map_err(io::Error::from).map_err(failed())?;
    zip.add(RECIPE_PATH, &PackedFile::new(RECIPE_PATH, text)).map_err(failed())?;
    let file =
        zip.finish().and_then(|out| out.into_inner().map_err(io::IntoInnerError::into_error)).map_err(failed())?;
    file.sync_all().map_err(failed())?;
    // where it is applied there is no replacement for a wrong delta
    let delta = BundleReader::open(staging.path())?;
    let rebuilt = rebuild(base, &delta, &recipe, io::sink())?;
    if (rebuilt.bytes, rebuilt.digest) != (size, sha256) {
        return Err(BundleError::Refused(
            "the delta does not reproduce the bundle; transfer the whole bundle instead".to_owned(),
        ));
    }
    let bytes = file.metadata().map_err(failed())?.len();
    staging.publish_file()?;
    Ok(bytes)
}

/// Whether two archives hold an entry in the same form.
fn is_same_entry(base: &BundleReader, one: &BundledFile, other: &BundledFile, packed: &PackedFile) -> bool {
    let facts = |entry: &BundledFile| (entry.size(), entry.packed_size(), entry.method(), entry.crc32());
    facts(one) == facts(other) && PackedFile::copied(base, one).is_ok_and(|one| one.has_data_of(packed))
}

/// Makes a bundle out of an earlier one and a delta. With a key, the bundle must be signed by it. Nothing is written
/// unless the result is the bundle that the delta was made from.
///
/// # Errors
/// One of the two cannot be read or is not what it should be, or the result cannot be written.
pub fn apply_delta(
    base: &Path,
    delta: &Path,
    output: PathBuf,
    key: Option<&PublicKey>,
) -> Result<Applied, BundleError> {
    let named = |path: &Path| {
        let shown = path.display().to_string();
        move |error| match BundleError::from(error) {
            BundleError::Refused(why) => BundleError::Refused(format!("`{shown}`: {why}")),
            error @ BundleError::Io { .. } => error,
        }
    };
    let opened = (BundleReader::open(base).map_err(named(base))?, BundleReader::open(delta).map_err(named(delta))?);
    if opened.0.is_folder() || opened.1.is_folder() {
        return Err(BundleError::Refused(
            "a delta and the bundle that it is applied to are archives, not folders".to_owned(),
        ));
    }
    let recipe = read_recipe(&opened.1).map_err(|why| BundleError::Refused(format!("`{}` {why}", delta.display())))?;
    let manifest = manifest_of(&opened.0)?;
    if to_hex(&manifest.sha256) != recipe.base.manifest_sha256 {
        let edition = recipe.base.version.as_ref().map_or_else(String::new, |version| format!(" (version {version})"));
        let why = format!(
            "`{}` is not the bundle that the delta was made from{edition}: its manifest is another one",
            base.display()
        );
        return Err(BundleError::Refused(why));
    }
    let target =
        StagingTarget::check(&BundleOptions { path: output, format: BundleFormat::Zip, source: delta.to_owned() })?;
    let (staging, file) = Staging::file(target)?;
    let rebuilt = rebuild(&opened.0, &opened.1, &recipe, BufWriter::with_capacity(1 << 20, file))?;
    if (rebuilt.bytes, Some(rebuilt.digest)) != (recipe.target.size, from_hex(&recipe.target.sha256)) {
        let why = "the result is not the bundle of the delta: the earlier bundle was compressed differently, or one of the two is damaged";
        return Err(BundleError::Refused(why.to_owned()));
    }
    let file = rebuilt.out.into_inner().map_err(io::IntoInnerError::into_error);
    file.and_then(|file| file.sync_all()).map_err(BundleError::io(staging.context("cannot write")))?;
    if let Some(key) = key {
        let verdict = verify::verify_archive(&BundleReader::open(staging.path())?, Some(key));
        if let Some(problem) = verdict.problems.first() {
            return Err(BundleError::Refused(format!("the result is refused: `{}` {}", problem.file, problem.message)));
        }
    }
    staging.publish_file()?;
    let reused = recipe.steps.iter().filter(|step| step.base.is_some()).map(|step| step.count).sum();
    Ok(Applied {
        files: rebuilt.files,
        reused,
        bytes: rebuilt.bytes,
        sha256: recipe.target.sha256,
        version: recipe.target.version,
    })
}

fn manifest_of(archive: &BundleReader) -> Result<Manifest, BundleError> {
    let refused = |why: String| BundleError::Refused(format!("`{}` {why}", archive.path().display()));
    let (_, manifest) = read_manifest(archive).map_err(|problem| refused(problem.message))?;
    manifest.map_err(|why| refused(format!("has a manifest that cannot be read: {why}")))
}

fn read_recipe(delta: &BundleReader) -> Result<Recipe, String> {
    let entry = delta.find(RECIPE_PATH).ok_or("is not a delta: it has no recipe")?;
    let bytes = delta.read(entry).map_err(|error| format!("is damaged: {}", error.full()))?;
    let recipe: Recipe =
        serde_json::from_slice(&bytes).map_err(|error| format!("has a recipe that cannot be read: {error}"))?;
    match recipe.format_version {
        1 => Ok(recipe),
        other => Err(format!("is of format {other}, and this version of offprint supports format 1")),
    }
}

/// An archive that was put together.
struct Rebuilt<W> {
    out: W,
    files: u64,
    bytes: u64,
    digest: [u8; 32],
}

/// Follows a recipe. Names are checked as in a bundle, so a recipe cannot name a file twice and blow up the result.
fn rebuild<W: Write>(
    base: &BundleReader,
    delta: &BundleReader,
    recipe: &Recipe,
    out: W,
) -> Result<Rebuilt<W>, BundleError> {
    let wrong = || BundleError::Refused("the recipe of the delta does not fit its files".to_owned());
    let failed = || BundleError::io("cannot put the bundle together");
    let mut zip = zip::ZipWriter::new(Hashed { out, digest: Sha256::new(), bytes: 0 });
    let mut fresh = delta.entries().iter().filter(|entry| entry.name() != RECIPE_PATH);
    let (mut names, mut files) = (EntryNames::empty(), 0u32);
    for step in &recipe.steps {
        let first = step.base.map(|first| usize::try_from(first).map_err(|_| wrong())).transpose()?;
        for index in 0..step.count {
            let index = usize::try_from(index).map_err(|_| wrong())?;
            let (archive, entry) = match first {
                Some(first) => (base, first.checked_add(index).and_then(|at| base.entries().get(at))),
                None => (delta, fresh.next()),
            };
            let entry = entry.ok_or_else(wrong)?;
            let path = BundlePath::sanitize(entry.name());
            if u64::from(files) >= limits::BUNDLE_FILES || names.claim(&path, files).is_err() {
                return Err(wrong());
            }
            files += 1;
            zip.add(path.as_str(), &PackedFile::copied(archive, entry).map_err(failed())?).map_err(failed())?;
        }
    }
    if fresh.next().is_some() {
        return Err(wrong());
    }
    let Hashed { out, digest, bytes } = zip.finish().map_err(failed())?;
    Ok(Rebuilt { out, files: u64::from(files), bytes, digest: digest.finalize().into() })
}

/// Counts and digests what passes through.
struct Hashed<W> {
    out: W,
    digest: Sha256,
    bytes: u64,
}

impl<W: Write> Write for Hashed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.digest.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
