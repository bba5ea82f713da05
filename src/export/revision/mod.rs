//! Which commit a source is, and whether its files are still those of the commit. `gix` reads the repository's own
//! files: no program is run, so nothing that a repository configures (hooks, filters, monitors) takes effect, and no
//! configuration of the user or the system counts.

mod origin;

use std::fs;
use std::path::Path;

use gix::bstr::ByteSlice as _;
use gix::index::entry::{Mode, Stage, Stat, stat};
use rayon::prelude::*;

use bundle::Revision;
use frame::theme;
use site::tree::SourceTree;

/// Folders that are looked at on the way up to the one with the repository.
const MAX_PARENT_FOLDERS: usize = 64;
/// Largest index that is read, bytes.
const MAX_INDEX_BYTES: u64 = 256 << 20;

/// The revision of the source, if it lies in a git work tree. `except` is a file of the source that does not count: the
/// bundle itself.
///
/// What cannot be shown to be as committed counts as changed.
pub(super) fn find_revision(files: &SourceTree, except: &Path) -> Option<Revision> {
    let root = fs::canonicalize(files.folder()?).ok()?;
    let (work_tree, repository) = open_around(&root)?;
    let commit = repository.head().ok()?.id()?.detach();
    let below = root.strip_prefix(work_tree).ok()?;
    let prefix: Vec<&str> = below.components().map(|part| part.as_os_str().to_str()).collect::<Option<_>>()?;
    let prefix = prefix.iter().map(|part| format!("{part}/")).collect::<String>();
    // git takes in nothing of this name: in an additional work tree or a submodule it is a file
    let is_git = |path: &str| path.split('/').any(|part| part.eq_ignore_ascii_case(".git"));
    let counts = |path: &str| !is_git(path) && fs::canonicalize(root.join(path)).is_ok_and(|file| file != except);
    let is_clean = committed_index(&repository, commit)
        .is_some_and(|index| is_work_tree_clean(&index, files, &root, &prefix, &counts));
    Some(Revision { commit: commit.to_string(), dirty: !is_clean })
}

/// The repository that the source lies in, if it comes from a public host.
pub(super) fn source_repository(files: &SourceTree) -> Option<theme::SourceRepository> {
    let root = fs::canonicalize(files.folder()?).ok()?;
    let (work_tree, repository) = open_around(&root)?;
    let (web, branch) = origin::public_origin(&repository)?;
    let folder = root.strip_prefix(work_tree).ok()?.to_str()?.replace('\\', "/");
    Some(theme::SourceRepository { web, branch, folder: if folder.is_empty() { folder } else { folder + "/" } })
}

/// The repository of the work tree that a folder lies in, and the work tree.
fn open_around(folder: &Path) -> Option<(&Path, gix::Repository)> {
    folder.ancestors().take(MAX_PARENT_FOLDERS).find_map(|work_tree| {
        // the owner is not checked: nothing of what it configures is run
        let options = gix::open::Options::isolated().with(gix::sec::Trust::Full);
        let repository = options.open(work_tree.join(".git")).ok()?;
        Some((work_tree, repository.to_thread_local()))
    })
}

/// The index, if a commit of it would be the same tree as that of `commit`.
fn committed_index(repository: &gix::Repository, commit: gix::ObjectId) -> Option<gix::index::File> {
    if fs::metadata(repository.index_path()).ok()?.len() > MAX_INDEX_BYTES {
        return None;
    }
    let index = repository.open_index().ok()?;
    let tree = repository.find_commit(commit).ok()?.tree_id().ok()?;
    let committed = repository.index_from_tree(&tree).ok()?;
    let is_same = index.entries().len() == committed.entries().len()
        && index.entries().iter().zip(committed.entries()).all(|(entry, other)| {
            entry.stage() == Stage::Unconflicted
                && (entry.id, entry.mode, entry.path(&index)) == (other.id, other.mode, other.path(&committed))
        });
    is_same.then_some(index)
}

/// Whether the files of the source, which is the folder `prefix` of the index, are those of the index: the same names,
/// the same bytes.
fn is_work_tree_clean(
    index: &gix::index::File,
    files: &SourceTree,
    root: &Path,
    prefix: &str,
    counts: &(dyn Fn(&str) -> bool + Sync),
) -> bool {
    let is_missing = |entry: &gix::index::Entry| {
        let Some(path) = entry.path(index).strip_prefix(prefix.as_bytes()) else { return false };
        ![Mode::SYMLINK, Mode::COMMIT].contains(&entry.mode)
            && !path.to_str().is_ok_and(|path| root.join(path).is_file())
    };
    if index.entries().iter().any(is_missing) {
        return false;
    }
    files.files.par_iter().filter(|file| !file.ignored).all(|file| {
        let path = format!("{prefix}{}", file.path);
        match index.entry_by_path(path.as_bytes().as_bstr()) {
            Some(entry) => is_unchanged(index, entry, &root.join(&file.path)),
            None => !counts(&file.path),
        }
    })
}

/// Whether a file is as it was when the index was written: by its metadata if that is conclusive, else by
/// content.
fn is_unchanged(index: &gix::index::File, entry: &gix::index::Entry, path: &Path) -> bool {
    const OPTIONS: stat::Options =
        stat::Options { trust_ctime: false, check_stat: true, use_nsec: true, use_stdev: false };
    let Ok(metadata) = gix::index::fs::Metadata::from_path_no_follow(path) else { return false };
    let is_same_file = !entry.stat.is_racy(index.timestamp(), OPTIONS)
        && Stat::from_fs(&metadata).is_ok_and(|now| entry.stat.matches(&now, OPTIONS));
    let has_same_content = || {
        let hash = |bytes: Vec<u8>| gix::objs::compute_hash(index.object_hash(), gix::objs::Kind::Blob, &bytes).ok();
        fs::read(path).ok().and_then(hash) == Some(entry.id)
    };
    is_same_file || has_same_content()
}

#[cfg(all(test, unix))]
mod tests;
