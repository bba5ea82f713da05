//! Signs a bundle that is finished: the signature becomes its last file, as if the bundle had been made with it. For
//! those who have the key where the exporter does not.

use std::fs::OpenOptions;
use std::io::{self, Seek as _};
use std::path::Path;

use super::reader::BundleReader;
use super::sign::{SIGNATURE_PATH, Signer};
use super::verify::read_manifest;
use super::zip::{PackedFile, ZipWriter};

/// Signs the manifest of an archive, and adds the signature.
///
/// # Errors
/// A sentence: it is no bundle, is signed already, or cannot be written.
pub fn seal_archive(archive: &Path, signer: &Signer) -> Result<(), String> {
    let opened = BundleReader::open(archive).map_err(|error| error.of(archive))?;
    if opened.find(SIGNATURE_PATH).is_some() {
        return Err("it is signed already".to_owned());
    }
    let (bytes, manifest) = read_manifest(&opened).map_err(|problem| problem.message)?;
    let manifest = manifest?;
    let comment = super::manifest_comment(manifest.domain.as_deref(), manifest.version.as_deref(), &bytes);
    let signature = PackedFile::new(SIGNATURE_PATH, signer.sign(&bytes, &comment).into_bytes());
    drop(opened);
    append_signature(archive, &signature).map_err(|error| error.to_string())
}

/// Adds the signature to an archive in its place.
fn append_signature(archive: &Path, signature: &PackedFile) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).write(true).open(archive)?;
    let mut writer = ZipWriter::resume(&mut file)?;
    writer.add(SIGNATURE_PATH, signature)?;
    writer.finish()?;
    let end = file.stream_position()?;
    file.set_len(end)
}
