//! What to do about a folder without documentation: the folders around it that have some.

use std::fs;
use std::path::{Path, PathBuf};

use super::{harmless, tell};

/// The files that make a folder a site.
const CONFIGS: [&str; 2] = ["docs.json", "mint.json"];
const MAX_LEVELS_ABOVE: usize = 4;
const MAX_LEVELS_BELOW: usize = 2;
/// Most folders that are looked into, and most that are named.
const MAX_NEARBY_FOLDERS: usize = 2000;
const MAX_NAMED: usize = 3;

/// Lines for people: where documentation is, as arguments of `command`, and how to begin some. `None` if the folder
/// itself has a configuration.
pub(super) fn help(folder: &Path, command: &str) -> Option<String> {
    if !folder.is_dir() || config(folder).is_some() {
        return None;
    }
    let mut lines: Vec<String> = nearby_folders(folder)
        .into_iter()
        .map(|path| format!("  help: there is a site in `{0}`: offprint {command} {0}", path.display()))
        .collect();
    if lines.is_empty() {
        lines.push(format!("  help: name the folder of your documentation: offprint {command} DIR"));
    }
    lines.push("  help: `offprint init DIR` writes a small site to begin with".to_owned());
    Some(lines.join("\n"))
}

/// What folders of documentation are called in repositories of programs.
const DOCUMENTATION_FOLDERS: [&str; 6] = ["doc", "docs", "documentation", "mintlify", "site", "website"];

/// The folder that is meant where none is named: this one, or the only one below it that is called like documentation
/// and has a configuration; which one is told.
pub(super) fn default_source(source: PathBuf) -> PathBuf {
    if source != Path::new(".") || config(&source).is_some() {
        return source;
    }
    let is_documentation = |folder: &PathBuf| {
        let name = folder.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| DOCUMENTATION_FOLDERS.contains(&name))
    };
    let mut found = folders_below(&source).into_iter().filter(is_documentation);
    match (found.next(), found.next()) {
        (Some(folder), None) => {
            let name = config(&folder).unwrap_or_default();
            tell(format_args!("Using `{}`, where {name} is", harmless(&folder.display().to_string())));
            folder
        }
        _ => source,
    }
}

fn config(folder: &Path) -> Option<&'static str> {
    CONFIGS.into_iter().find(|name| folder.join(name).is_file())
}

/// Folders with a configuration, as paths from the working directory where that is how the folder was named: those
/// above first.
fn nearby_folders(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut above = folder.to_owned();
    for _ in 0..MAX_LEVELS_ABOVE {
        above = if above == Path::new(".") { PathBuf::from("..") } else { above.join("..") };
        if config(&above).is_some() {
            found.push(above);
            break;
        }
    }
    found.extend(folders_below(folder));
    found.truncate(MAX_NAMED);
    found.into_iter().map(without_dot).collect()
}

fn without_dot(path: PathBuf) -> PathBuf {
    path.strip_prefix(".").map(Path::to_owned).unwrap_or(path)
}

/// Folders with a configuration below a folder.
fn folders_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut level = vec![folder.to_owned()];
    let mut folders_left = MAX_NEARBY_FOLDERS;
    for _ in 0..MAX_LEVELS_BELOW {
        let mut below: Vec<PathBuf> = level.iter().flat_map(|folder| subfolders(folder)).take(folders_left).collect();
        folders_left -= below.len();
        below.sort();
        found.extend(below.iter().filter(|folder| config(folder).is_some()).cloned().map(without_dot));
        level = below;
    }
    found
}

fn subfolders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_folder =
        |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir()) && entry.file_name() != "node_modules";
    entries.filter(is_folder).map(|entry| entry.path()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_above_and_below_are_named() {
        let root = tempfile::tempdir().unwrap();
        let make = |path: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "{}").unwrap();
        };
        make("site/docs.json");
        make("site/images/icons/a.svg");
        make("code/packages/docs/mint.json");
        make("code/node_modules/x/docs.json");
        let hint = |folder: &str| help(&root.path().join(folder), "export").unwrap_or_default();
        assert!(hint("site/images/icons").contains("icons/../..`: offprint export "), "{}", hint("site/images/icons"));
        assert!(hint("code").contains("packages/docs`") && !hint("code").contains("node_modules"), "{}", hint("code"));
        assert!(hint("code/packages/docs").is_empty());
    }
}
