//! The bundle as a folder.

use std::fs::File;
use std::io::{self, Write};

use super::staging::{Staging, StagingTarget};
use super::{BundleError, Last, MANIFEST_PATH, SIGNATURE_PATH};

/// A folder that grows beside its target.
#[derive(Debug)]
pub(super) struct GrowingFolder {
    staging: Staging,
}

impl GrowingFolder {
    pub(super) fn create(target: StagingTarget) -> Result<Self, BundleError> {
        Ok(Self { staging: Staging::folder(target)? })
    }

    pub(super) fn staging(&self) -> &Staging {
        &self.staging
    }

    /// Copies a file from its start; different files may be written at the same time.
    pub(super) fn copy(&self, path: &str, mut from: &File) -> Result<(), BundleError> {
        let mut file = self.create_file(path)?;
        io::copy(&mut from, &mut file).map(drop).map_err(BundleError::io(self.staging.context_of(path, "cannot write")))
    }

    /// Writes one file; different files may be written at the same time.
    pub(super) fn write(&self, path: &str, bytes: &[u8]) -> Result<(), BundleError> {
        let mut file = self.create_file(path)?;
        file.write_all(bytes).map_err(BundleError::io(self.staging.context_of(path, "cannot write")))
    }

    /// Adds the files that close the bundle, then publishes.
    pub(super) fn finish(self, last: &mut Last<'_>) -> Result<(), BundleError> {
        let failed = |path| BundleError::io(self.staging.context_of(path, "cannot write"));
        let mut file = self.create_file(MANIFEST_PATH)?;
        last.write(&mut file).and_then(|()| file.sync_all()).map_err(failed(MANIFEST_PATH))?;
        if let Some(text) = &last.signature {
            let mut file = self.create_file(SIGNATURE_PATH)?;
            file.write_all(text).and_then(|()| file.sync_all()).map_err(failed(SIGNATURE_PATH))?;
        }
        self.staging.publish_folder()
    }

    /// Makes a file, and its folder if the file system says that there is none: one call for all but the first file of
    /// a folder.
    fn create_file(&self, path: &str) -> Result<File, BundleError> {
        let file = self.staging.path().join(path);
        let created = match File::create_new(&file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                file.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| File::create_new(&file))
            }
            other => other,
        };
        created.map_err(BundleError::io(self.staging.context_of(path, "cannot write")))
    }
}
