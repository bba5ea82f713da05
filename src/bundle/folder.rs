//! The bundle as a folder.

use std::fs::File;
use std::io::{self, Write};

use super::Error;
use super::aside::{Aside, Target};
use super::MANIFEST_PATH;

/// A folder that grows beside its target.
#[derive(Debug)]
pub(super) struct Folder {
    aside: Aside,
}

impl Folder {
    pub(super) fn create(target: Target) -> Result<Self, Error> {
        Ok(Self { aside: Aside::folder(target)? })
    }

    /// Writes one file; different files may be written at the same time.
    pub(super) fn write(&self, path: &str, bytes: &[u8]) -> Result<(), Error> {
        let mut file = self.create_file(path)?;
        file.write_all(bytes).map_err(Error::io(self.aside.context_of(path, "cannot write")))
    }

    /// Adds the manifest, then publishes. Returns the manifest's bytes.
    pub(super) fn finish(self, manifest: impl FnOnce(&mut File) -> io::Result<u64>) -> Result<u64, Error> {
        let mut file = self.create_file(MANIFEST_PATH)?;
        let failed = || Error::io(self.aside.context_of(MANIFEST_PATH, "cannot write"));
        let bytes = manifest(&mut file).map_err(failed())?;
        file.sync_all().map_err(failed())?;
        self.aside.publish_folder()?;
        Ok(bytes)
    }

    /// Makes a file, and its folder if the file system says that there is none: one call for all but the first file of a folder.
    fn create_file(&self, path: &str) -> Result<File, Error> {
        let file = self.aside.path().join(path);
        let created = match File::create_new(&file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                file.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| File::create_new(&file))
            }
            other => other,
        };
        created.map_err(Error::io(self.aside.context_of(path, "cannot write")))
    }
}
