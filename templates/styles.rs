//! Makes a table of `templates/css/rare/<part>/<name>.css`, the style sheets that not every page loads, so that one more
//! of them is one file: a row of `frame::theme::styles::RARE_STYLES` for each, in the order of their paths, which is that
//! of the cascade. They begin with a comment of the marks that a page of theirs holds, one on a line. Nothing is read at
//! run time.

#![allow(clippy::print_stdout, reason = "what a build script prints are instructions to Cargo")]

mod entries;

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use entries::entries;

const STYLES: &str = "../../templates/css/rare";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={STYLES}");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("styles.rs"), styles()?)?;
    Ok(())
}

fn styles() -> Result<String, Box<dyn Error>> {
    let mut out = String::from("pub(super) static RARE_STYLES: &[Rare] = &[\n");
    for part in entries(Path::new(STYLES))? {
        for file in entries(&part)? {
            let css = fs::read_to_string(&file)?;
            let name = file.file_name().and_then(|name| name.to_str()).ok_or("the name of a file is not UTF-8")?;
            let marks = css.strip_prefix("/* marks:\n").and_then(|css| css.split_once("*/"));
            let (marks, css) = marks.ok_or_else(|| format!("{}:1: `/* marks:` is missing", file.display()))?;
            let marks: Vec<&str> = marks.lines().map(str::trim).filter(|mark| !mark.is_empty()).collect();
            writeln!(out, "    ({name:?}, &{marks:?}, {css:?}),")?;
        }
    }
    out.push_str("];\n");
    Ok(out)
}
