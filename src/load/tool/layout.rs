//! Where files of a source appear on the site.

/// A folder of the source whose files appear below an address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mount {
    /// The folder, without a slash at the end; empty for all of the source.
    pub folder: String,
    /// The address, without a slash at either end; empty for the root.
    pub at: String,
}

impl Mount {
    /// A folder whose files appear below the root.
    pub fn root(folder: &str) -> Self {
        Self { folder: folder.to_owned(), at: String::new() }
    }

    /// The address of a file; `None` if it does not lie in the folder. The folder may be a file itself.
    pub fn address(&self, path: &str) -> Option<String> {
        if path == self.folder {
            return Some(self.at.clone());
        }
        let rest = match self.folder.as_str() {
            "" => path,
            folder => path.strip_prefix(folder)?.strip_prefix('/')?,
        };
        Some(if self.at.is_empty() { rest.to_owned() } else { format!("{}/{rest}", self.at) })
    }
}

/// What a project says of the files of the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceLayout {
    /// Folders whose files are pages or lie beside them, and the addresses that these have; all of the source if there
    /// are none. What lies elsewhere is no page and no file of the site.
    pub mounts: Vec<Mount>,
    /// Folders whose files are served below the root as they are.
    pub statics: Vec<Mount>,
    /// Folders that are part of the site although their names begin with a dot.
    pub shown: Vec<String>,
    /// Files beside the configuration that say how the site is: a change of one is a change of all.
    pub config_files: Vec<String>,
}

impl SourceLayout {
    /// Pages that lie in a folder and appear below the root.
    pub fn of_folder(folder: &str) -> Self {
        Self { mounts: vec![Mount::root(folder)], ..Self::default() }
    }
}

/// The address of a file by the deepest of the folders that holds it.
pub fn mounted_address(mounts: &[Mount], path: &str) -> Option<String> {
    deepest(mounts, path).map(|(_, address)| address)
}

/// The deepest of the folders that holds a file, and the address that it has by that.
pub fn deepest<'m>(mounts: &'m [Mount], path: &str) -> Option<(&'m Mount, String)> {
    let found = mounts.iter().filter_map(|mount| Some((mount, mount.address(path)?)));
    found.max_by_key(|(mount, _)| mount.folder.len())
}

/// A path of a configuration, from the root of the source: `folder` holds the configuration. `None` if it leads out.
pub fn path_in_source_root(folder: &str, path: &str) -> Option<String> {
    site::tree::join_document_path(folder, path.trim().trim_start_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deepest_folder_gives_the_address() {
        let mounts = [
            Mount::root("content"),
            Mount { folder: "content/zh".to_owned(), at: "zh".to_owned() },
            Mount { folder: "blog".to_owned(), at: "news".to_owned() },
        ];
        let of = |path: &str| mounted_address(&mounts, path);
        assert_eq!(of("content/a/b").as_deref(), Some("a/b"));
        assert_eq!(of("content/zh/a").as_deref(), Some("zh/a"));
        assert_eq!(of("blog/x").as_deref(), Some("news/x"));
        assert_eq!((of("contents/x"), of("README")), (None, None));
        let file = Mount { folder: "README.md".to_owned(), at: "about/_index.md".to_owned() };
        assert_eq!(mounted_address(&[file], "README.md").as_deref(), Some("about/_index.md"));
        assert_eq!(mounted_address(&[Mount::default()], "a/b").as_deref(), Some("a/b"));
    }
}
