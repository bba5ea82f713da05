//! Which names a bundle holds already, as a file system sees them that ignores case and Unicode form.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};

use base::BundlePath;
use base::cut::SliceText as _;

use super::{MANIFEST_PATH, RECIPE_PATH, RESERVED_FOLDER, SIGNATURE_PATH};

/// Names are kept as the first 16 bytes of a SHA-256: a third of the memory that the names would take, so that no two
/// can be made to collide.
type NameDigest = [u8; 16];

/// The names given so far, each with the number of the entry that it was given for.
#[derive(Debug)]
pub(super) struct EntryNames {
    taken: FxHashMap<NameDigest, Owner>,
    /// Collision key of the folder of the name given last: pages come folder by folder, so most names need one look-up.
    last_folder: String,
}

#[derive(Clone, Copy, Debug)]
enum Owner {
    File(u32),
    Folder(u32),
}

impl EntryNames {
    /// The names of the manifest and of what may stand beside it are given from the start, to an entry that does not
    /// exist.
    pub(super) fn new() -> Self {
        let mut names = Self::empty();
        for name in [MANIFEST_PATH, SIGNATURE_PATH, RECIPE_PATH] {
            let claimed = names.claim(&BundlePath::sanitize(name), u32::MAX);
            debug_assert!(claimed.is_ok(), "the first names are free");
        }
        names
    }

    /// No name is given.
    pub(super) fn empty() -> Self {
        Self { taken: FxHashMap::default(), last_folder: String::new() }
    }

    /// Gives `path` to the entry `index`.
    ///
    /// # Errors
    /// The number of an entry that this one cannot stand beside: one of the same name, a folder of that name, or a file
    /// where this one needs a folder.
    pub(super) fn claim(&mut self, path: &BundlePath, index: u32) -> Result<(), u32> {
        let name = path.collision_key();
        let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
        let known = folder == self.last_folder;
        if !known {
            for (slash, _) in folder.match_indices('/').chain([(folder.len(), "")]).filter(|(end, _)| *end > 0) {
                if let Some(Owner::File(other)) = self.taken.get(&name_key(folder.slice(..slash))) {
                    return Err(*other);
                }
            }
        }
        match self.taken.entry(name_key(&name)) {
            Entry::Occupied(other) => {
                let (Owner::File(other) | Owner::Folder(other)) = *other.get();
                return Err(other);
            }
            Entry::Vacant(free) => free.insert(Owner::File(index)),
        };
        if !known {
            for (slash, _) in folder.match_indices('/').chain([(folder.len(), "")]).filter(|(end, _)| *end > 0) {
                self.taken.entry(name_key(folder.slice(..slash))).or_insert(Owner::Folder(index));
            }
            folder.clone_into(&mut self.last_folder);
        }
        Ok(())
    }
}

/// Whether a path lies in the folder that only the exporter may write to, or takes its name.
pub(super) fn is_reserved(path: &BundlePath) -> bool {
    let name = path.collision_key();
    name.split('/').next() == Some(RESERVED_FOLDER)
}

fn name_key(name: &str) -> NameDigest {
    let digest: [u8; 32] = Sha256::digest(name).into();
    let (front, _) = digest.split_at(16);
    front.try_into().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claims paths in turn; `expect` names, for each, the index of the path it clashes with.
    #[track_caller]
    fn check(paths: &[&str], expect: &[Option<u32>]) {
        let mut names = EntryNames::new();
        let clashes: Vec<_> =
            (0..).zip(paths).map(|(index, path)| names.claim(&BundlePath::sanitize(path), index).err()).collect();
        assert_eq!(clashes, expect);
    }

    #[test]
    fn different_names_are_free() {
        check(&["a.html", "b.html", "x/a.html", "x/y/a.html", "x/b.html"], &[None; 5]);
    }

    #[test]
    fn names_that_differ_only_by_case_or_unicode_form_clash() {
        check(&["A.html", "a.html"], &[None, Some(0)]);
        check(&["x/é.html", "x/e\u{301}.html", "X/É.HTML"], &[None, Some(0), Some(0)]);
        check(&["ﬁle", "file"], &[None, Some(0)]);
    }

    #[test]
    fn folders_that_differ_only_by_case_are_one() {
        check(&["Guides/a.html", "guides/b.html", "GUIDES/A.html"], &[None, None, Some(0)]);
    }

    #[test]
    fn a_file_and_a_folder_of_one_name_clash() {
        check(&["a", "a/b", "A/c/d"], &[None, Some(0), Some(0)]);
        check(&["a/b/c", "A/B", "a"], &[None, Some(0), Some(0)]);
        check(&["x", "y/z", "y/z/q", "y"], &[None, None, Some(1), Some(1)]);
    }

    #[test]
    fn the_manifest_has_its_name() {
        check(&["_offprint/manifest.json", "_OFFPRINT", "_offprint/x"], &[Some(u32::MAX), Some(u32::MAX), None]);
    }

    #[test]
    fn reserved_names() {
        assert!(is_reserved(&BundlePath::sanitize("_Offprint/x")) && is_reserved(&BundlePath::sanitize("_offprint")));
        assert!(
            !is_reserved(&BundlePath::sanitize("a/_offprint/x")) && !is_reserved(&BundlePath::sanitize("_offprints/x"))
        );
    }
}
