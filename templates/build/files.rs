//! Tables of texts and of other files, by path.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::entries;

/// What makes files of this folder, and is not one itself.
const NOT_FILES: [&str; 3] = ["build", "target", "node_modules"];

/// The sources of `TEXTS` and `BINARIES`.
pub(crate) fn tables(root: &Path) -> Result<String, Box<dyn Error>> {
    let (mut texts, mut binaries) = (String::new(), String::new());
    collect(root, root, &mut texts, &mut binaries)?;
    Ok(format!("static TEXTS: &[(&str, &str)] = &[\n{texts}];\nstatic BINARIES: &[(&str, &[u8])] = &[\n{binaries}];\n"))
}

fn collect(folder: &Path, root: &Path, texts: &mut String, binaries: &mut String) -> Result<(), Box<dyn Error>> {
    for path in entries(folder)? {
        let name = path.file_name().and_then(|name| name.to_str()).ok_or("the name of a file is not UTF-8")?;
        if path.is_dir() {
            if !NOT_FILES.contains(&name) {
                collect(&path, root, texts, binaries)?;
            }
            continue;
        }
        let is_of_crate = name == "Cargo.toml" || path.extension().is_some_and(|extension| extension == "rs");
        if is_of_crate || name.starts_with('.') {
            continue;
        }
        let key = path.strip_prefix(root)?.to_str().ok_or("the path of a file is not UTF-8")?.replace('\\', "/");
        // without the folder of this checkout: others share what is compiled
        let file = format!("concat!(env!(\"CARGO_MANIFEST_DIR\"), {:?})", format!("/{key}"));
        if String::from_utf8(fs::read(&path)?).is_ok() {
            writeln!(texts, "    ({key:?}, include_str!({file})),")?;
        } else {
            writeln!(binaries, "    ({key:?}, include_bytes!({file})),")?;
        }
    }
    Ok(())
}
