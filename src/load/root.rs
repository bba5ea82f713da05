//! Where a source lies: a folder, named by itself or by the configuration in it.

use std::path::{Path, PathBuf};

use super::tool::KnownTools;

/// Files that stand for the folder that they lie in.
const CONFIGURATIONS: [&str; 2] = ["docs.json", "mint.json"];
/// Extensions of archives.
const ARCHIVES: [&str; 4] = [".zip", ".tar.gz", ".tgz", ".tar"];

/// The folder that a path means: its own, or the one around the configuration that it names. Whether anything is there
/// is found out when it is read.
///
/// # Errors
/// A sentence: it names another file, and its neighborhood that was not named.
pub fn find_source_root(path: &Path, tools: KnownTools) -> Result<PathBuf, String> {
    if !path.is_file() {
        return Ok(path.to_owned());
    }
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if CONFIGURATIONS.contains(&name) {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        return Ok(folder.unwrap_or(Path::new(".")).to_owned());
    }
    if let Some(folder) = tools.folder_of_config(path) {
        return Ok(folder);
    }
    let lower = name.to_lowercase();
    let hint = if ARCHIVES.iter().any(|end| lower.ends_with(end)) {
        "; unpack the archive, or let the service fetch it by `archive_url`"
    } else {
        ""
    };
    Err(format!("`{}` is not a source: name a documentation folder, or its docs.json{hint}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_configurations_stand_for_their_folder() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["docs.json", "mint.json", "x.txt", "acme.zip", "A.TAR.GZ", "other.json", "index.mdx"] {
            std::fs::write(at(name), "{}").unwrap();
        }
        for good in ["docs.json", "mint.json", ""] {
            assert_eq!(
                find_source_root(&at(good), KnownTools::default()).unwrap().components().as_path(),
                folder.path().components().as_path(),
                "{good}"
            );
        }
        for bad in ["x.txt", "other.json", "index.mdx"] {
            assert!(
                find_source_root(&at(bad), KnownTools::default())
                    .is_err_and(|why| why.contains("not a source") && !why.contains("archive_url")),
                "{bad}"
            );
        }
        for archive in ["acme.zip", "A.TAR.GZ"] {
            assert!(
                find_source_root(&at(archive), KnownTools::default()).is_err_and(|why| why.contains("`archive_url`")),
                "{archive}"
            );
        }
        // what is not there is told by who reads it
        assert_eq!(find_source_root(&at("nothing.zip"), KnownTools::default()), Ok(at("nothing.zip")));
    }
}
