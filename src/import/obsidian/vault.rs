//! The files of a vault by the names that links give them.

use rustc_hash::FxHashMap;

use base::cut::SliceText as _;
use base::extension::is_markdown;
use load::tool::ToolInput;
use site::front_matter::split_front_matter;
use site::tree;
use site::yaml::parse_yaml;

/// Most bytes of a note that are looked at for its other names.
const MAX_NAMED_BYTES: u64 = 1 << 20;

/// The files of a vault.
#[derive(Debug, Default)]
pub(super) struct Vault {
    /// The folder of the notes, without a slash at its end.
    pub(super) folder: String,
    /// Paths by the last part of their names, in small letters.
    by_name: FxHashMap<String, Vec<String>>,
    /// Paths of notes by the names that their front matter adds, in small letters.
    by_alias: FxHashMap<String, String>,
}

impl Vault {
    /// The files below a folder.
    pub(super) fn of_tree(source: &ToolInput<'_>, folder: &str) -> Self {
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let mut vault = Self { folder: folder.to_owned(), ..Self::default() };
        for file in source.tree.files.iter().filter(|file| file.path.starts_with(&prefix)) {
            let inside = file.path.slice(prefix.len()..);
            if inside.split('/').any(|part| part.starts_with('.')) {
                continue;
            }
            let name = file.path.rsplit('/').next().unwrap_or_default();
            vault.by_name.entry(key(name)).or_default().push(file.path.clone());
            if is_markdown(name) && file.size <= MAX_NAMED_BYTES {
                vault.add_aliases(source, &file.path);
            }
        }
        vault
    }

    fn add_aliases(&mut self, source: &ToolInput<'_>, path: &str) {
        let text = source.text(path).unwrap_or_default();
        let block = split_front_matter(&text).block;
        if !block.contains("alias") {
            return;
        }
        let entries = parse_yaml(block, true).unwrap_or_default();
        let named = entries.iter().find(|entry| matches!(entry.key.as_str(), "aliases" | "alias"));
        for alias in super::names_of(named.map(|entry| &entry.value)) {
            self.by_alias.entry(key(alias)).or_insert_with(|| path.to_owned());
        }
    }

    /// The path of what a link in the file `from` names: a whole path, the end of one, or the name of a note.
    pub(super) fn find(&self, from: &str, target: &str) -> Option<&str> {
        let target = target.trim().replace('\\', "/");
        if target.is_empty() {
            return None;
        }
        let target = if target.starts_with("./") || target.starts_with("../") {
            tree::join_document_path(tree::folder(from), &target)?
        } else {
            target.trim_start_matches('/').to_owned()
        };
        let own = [format!("{target}.md"), target.clone()];
        own.iter()
            .find_map(|target| self.nearest(from, target))
            .or_else(|| self.by_alias.get(&key(&target)).map(String::as_str))
    }

    /// Of the files whose paths end with some names that from the root of the vault, then that of the same folder, then
    /// the one that lies least deep.
    fn nearest(&self, from: &str, target: &str) -> Option<&str> {
        let name = target.rsplit('/').next().unwrap_or_default();
        let wanted = key(target);
        let whole = key(&format!("{}/{target}", self.folder));
        let whole = whole.trim_start_matches('/');
        let is_meant = |path: &str| {
            let path = key(path);
            path == wanted || path.strip_suffix(&wanted).is_some_and(|rest| rest.ends_with('/'))
        };
        let paths = self.by_name.get(&key(name))?.iter().filter(|path| is_meant(path));
        let rank = |path: &String| {
            let is_whole = key(path) == whole;
            let is_beside = tree::folder(path) == tree::folder(from);
            (!is_whole, !is_beside, path.matches('/').count(), path.clone())
        };
        paths.min_by_key(|path| rank(path)).map(String::as_str)
    }
}

/// A name as it is compared.
fn key(name: &str) -> String {
    tree::composed(name).to_lowercase()
}
