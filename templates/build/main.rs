//! Makes tables of the files of this folder, so that one more of them is one file and nothing is read at run time:
//! `files.rs` of all of them, and of style sheets; `words.rs` of the words of the interface.

#![allow(clippy::print_stdout, reason = "what a build script prints are instructions to Cargo")]

mod files;
mod styles;
mod words;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(env::var("OUT_DIR")?);
    println!("cargo::rerun-if-changed=.");
    fs::write(out.join("files.rs"), files::tables(&root)? + &styles::table(&root.join("css/rare"))?)?;
    fs::write(out.join("words.rs"), words::tables(&root.join("words"))?)?;
    Ok(())
}

/// What lies in a folder, sorted.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder)? {
        entries.push(entry?.path());
    }
    entries.sort();
    Ok(entries)
}
