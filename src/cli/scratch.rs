//! Temporary folders of commands.

use std::io;
use std::path::PathBuf;

/// A temporary folder that goes with its owner.
pub(super) struct Scratch(pub(super) PathBuf);

impl Scratch {
    /// Makes one; `word` says in its name what it is for.
    pub(super) fn create(word: &str) -> io::Result<Self> {
        let mut number = 0u32;
        loop {
            let path = std::env::temp_dir().join(format!("offprint-{word}-{}-{number}", std::process::id()));
            match std::fs::create_dir(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 1000 => number += 1,
                created => return created.map(|()| Self(path)),
            }
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // a folder for temporary files is cleared by its system
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
