//! Constants of `words/<language>.toml`, the words of the interface, so that one more language is one file: a `static` of
//! `Words` for each, and the list of languages. The compiler checks that each file has every key and no other. The files
//! are TOML with one `[section]` or `key = "text"` on a line, so no parser is needed here; a test reads them with one and
//! compares.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::entries;

/// The sources of the words of each language, and of `LANGUAGES`.
pub(crate) fn tables(folder: &Path) -> Result<String, Box<dyn Error>> {
    let files = entries(folder)?;
    let mut out = String::new();
    let mut list = String::new();
    for file in &files {
        let language = file.file_stem().and_then(|stem| stem.to_str()).ok_or("the name of a file is not UTF-8")?;
        let name = language.to_ascii_uppercase();
        writeln!(out, "/// The words of `{language}`.\npub static {name}: Words = Words {{")?;
        push_sections(&mut out, file)?;
        writeln!(out, "}};")?;
        writeln!(list, "    ({language:?}, &{name}),")?;
    }
    writeln!(out, "static LANGUAGES: [(&str, &Words); {}] = [\n{list}];", files.len())?;
    Ok(out)
}

/// Writes the sections of a file as fields of `Words`. A basic string of TOML is a literal of Rust as it stands.
fn push_sections(out: &mut String, file: &Path) -> Result<(), Box<dyn Error>> {
    let mut is_open = false;
    for (number, line) in (1..).zip(fs::read_to_string(file)?.lines()) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(section) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            let (first, rest) = section.split_at_checked(1).unwrap_or((section, ""));
            let end = if is_open { "}," } else { "" };
            writeln!(out, "{end}{section}: {}{rest}Words {{", first.to_ascii_uppercase())?;
            is_open = true;
        } else if let Some((key, value)) = line.split_once(" = ") {
            writeln!(out, "{key}: {value},")?;
        } else {
            return Err(format!("{}:{number}: neither `[section]` nor `key = \"text\"`", file.display()).into());
        }
    }
    writeln!(out, "}},")?;
    Ok(())
}
