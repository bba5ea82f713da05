//! A table of `css/rare/<part>/<name>.css`, the style sheets that not every page loads, in the order of their paths, which
//! is that of the cascade. They begin with a comment of the marks that a page of theirs holds, one on a line.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::entries;

/// The source of `RARE_SHEETS`.
pub(crate) fn table(folder: &Path) -> Result<String, Box<dyn Error>> {
    let doc = "/// Style sheets that not every page loads, in the order of the cascade.";
    let mut out = format!("{doc}\npub static RARE_SHEETS: &[RareSheet] = &[\n");
    for part in entries(folder)? {
        for file in entries(&part)? {
            let css = fs::read_to_string(&file)?;
            let name = file.file_name().and_then(|name| name.to_str()).ok_or("the name of a file is not UTF-8")?;
            let marks = css.strip_prefix("/* marks:\n").and_then(|css| css.split_once("*/"));
            let (marks, css) = marks.ok_or_else(|| format!("{}:1: `/* marks:` is missing", file.display()))?;
            let marks: Vec<&str> = marks.lines().map(str::trim).filter(|mark| !mark.is_empty()).collect();
            writeln!(out, "    RareSheet {{ name: {name:?}, marks: &{marks:?}, css: {css:?} }},")?;
        }
    }
    out.push_str("];\n");
    Ok(out)
}
