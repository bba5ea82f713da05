//! The content of a folder, for the scripts of the build beside this file.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// What lies in a folder, sorted.
pub(crate) fn entries(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder)? {
        entries.push(entry?.path());
    }
    entries.sort();
    Ok(entries)
}
