//! The files of a commit: listed once, their bytes read from its objects on request.

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use gix::bstr::ByteSlice as _;
use gix::objs::Find as _;
use gix::objs::tree::EntryKind;

use base::Diagnostic;
use base::contents::{FileReader, StoredFiles, not_a_file, too_large_error, unusable_name};
use base::limits::PAGE_BYTES;
use base::links::{self, SourceLink, resolve_links};
use base::lookup::FileLookup;
use base::source_text::decode_text;

use super::{CommitRecord, FetchedCommit, GitError, change};

/// Most files of a repository that are looked at (threat model, default limits).
pub(super) const FILES: usize = 50_000;
/// Most bytes of all their paths.
const PATH_BYTES: usize = 64 << 20;
/// Longest first line of a message that is kept, characters.
const MESSAGE_CHARS: usize = 500;

/// What a folder of a commit holds.
#[derive(Default)]
pub(super) struct TreeListing {
    /// Path and object of each file, sorted by path.
    pub(super) files: Vec<(String, gix::ObjectId)>,
    pub(super) problems: Vec<Diagnostic>,
}

impl FetchedCommit {
    /// The id of the commit, hexadecimal.
    pub fn sha(&self) -> String {
        self.head.to_string()
    }

    /// What is known of the commit. `subdir` is the folder that paths are relative to; empty is the root.
    ///
    /// # Errors
    /// The commit cannot be read.
    pub fn commit(&self, subdir: &str) -> Result<CommitRecord, GitError> {
        let repository = self.objects.to_thread_local();
        let commit = repository.find_commit(self.head).map_err(broken)?;
        let message = commit.message_raw_sloppy().to_str_lossy();
        let first = message.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let message = first.trim().chars().filter(|c| !c.is_control()).take(MESSAGE_CHARS).collect();
        let files_changed = match self.since {
            Some(since) => change::between(
                &list_commit_folder(&repository, since, subdir).unwrap_or_default().files,
                &list_commit_folder(&repository, self.head, subdir)?.files,
            ),
            None => Default::default(),
        };
        Ok(CommitRecord { sha: self.sha(), reference: self.reference.clone(), message, files_changed })
    }

    /// The files of the commit by their names.
    pub fn lookup(&self) -> CommitFiles {
        CommitFiles { repository: self.objects.to_thread_local(), head: self.head }
    }

    /// The files of the commit below `subdir`, as a source. A link to a file or folder of it stands for that; other links and
    /// submodules are left out with a warning, as in a folder.
    ///
    /// # Errors
    /// There is no such folder, it has too many files, or the commit cannot be read.
    pub fn files(&self, subdir: &str) -> Result<StoredFiles, GitError> {
        let repository = self.objects.to_thread_local();
        let listing = list_commit_folder(&repository, self.head, subdir)?;
        let mut list = Vec::with_capacity(listing.files.len());
        for (path, id) in &listing.files {
            let about = repository.find_header(*id).map_err(broken)?;
            list.push((path.clone(), about.size()));
        }
        let blobs = Blobs { files: listing.files, objects: self.objects.clone(), readers: Mutex::default() };
        Ok(StoredFiles { list, contents: Arc::new(blobs), problems: listing.problems })
    }
}

/// The files of a commit, looked up one by one.
pub struct CommitFiles {
    repository: gix::Repository,
    head: gix::ObjectId,
}

impl CommitFiles {
    /// What stands at a path.
    fn entry(&self, path: &str) -> Option<(EntryKind, gix::ObjectId)> {
        let root = self.repository.find_commit(self.head).ok()?.tree_id().ok()?.detach();
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let tree = self.repository.find_tree(folder_at_path(&self.repository, root, folder).ok()?).ok()?;
        let found = tree.iter().flatten().find(|entry| entry.filename() == name)?;
        Some((found.kind(), found.object_id()))
    }
}

fn is_file(kind: EntryKind) -> bool {
    matches!(kind, EntryKind::Blob | EntryKind::BlobExecutable)
}

impl fmt::Debug for CommitFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CommitFiles({})", self.head)
    }
}

impl FileLookup for CommitFiles {
    fn has(&self, path: &str) -> bool {
        self.entry(path).is_some_and(|(kind, _)| is_file(kind))
    }

    fn has_folder(&self, path: &str) -> bool {
        self.entry(path).is_some_and(|(kind, _)| kind == EntryKind::Tree)
    }

    fn text(&self, path: &str) -> Option<String> {
        let (_, id) = self.entry(path).filter(|(kind, _)| is_file(*kind))?;
        // what is too large is not unpacked
        self.repository.find_header(id).ok().filter(|about| about.size() <= PAGE_BYTES)?;
        let blob = self.repository.find_blob(id).ok()?;
        Some(decode_text(&blob.data).0.into_owned())
    }
}

/// Lists a folder of a commit.
pub(super) fn list_commit_folder(
    repository: &gix::Repository,
    commit: gix::ObjectId,
    subdir: &str,
) -> Result<TreeListing, GitError> {
    let root = repository.find_commit(commit).map_err(broken)?.tree_id().map_err(broken)?.detach();
    let top = folder_at_path(repository, root, subdir)?;
    let mut listing = TreeListing::default();
    let mut path_bytes = 0;
    // a stack, not recursion: folders may be nested without end
    let mut folders = vec![(String::new(), top)];
    let mut links = Vec::new();
    while let Some((folder, id)) = folders.pop() {
        let tree = repository.find_tree(id).map_err(broken)?;
        for entry in tree.iter() {
            let entry = entry.map_err(broken)?;
            let path = format!("{folder}{}", entry.filename().to_str_lossy());
            path_bytes += path.len();
            if listing.files.len() + listing.problems.len() + folders.len() + links.len() >= FILES {
                return Err(GitError::TooManyFiles(FILES));
            }
            if path_bytes > PATH_BYTES {
                return Err(GitError::Unreadable("its folders are nested too deep".to_owned()));
            }
            if let Err(why) = usable(entry.filename()) {
                listing.problems.push(unusable_name(path, why));
                continue;
            }
            match entry.kind() {
                EntryKind::Tree => folders.push((format!("{path}/"), entry.object_id())),
                EntryKind::Blob | EntryKind::BlobExecutable => listing.files.push((path, entry.object_id())),
                EntryKind::Link => match link_target(repository, entry.object_id()) {
                    Some(target) => links.push(SourceLink { path, target }),
                    None => listing.problems.push(not_a_file(path, "a link")),
                },
                EntryKind::Commit => listing.problems.push(not_a_file(path, "a submodule")),
            }
        }
    }
    listing.files.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    // git never writes a name twice into a folder; others can
    listing.files.dedup_by(|a, b| a.0 == b.0);
    add_links(&mut listing, &links);
    listing.problems.sort_by(|a, b| a.file.cmp(&b.file));
    Ok(listing)
}

/// What a link leads to.
fn link_target(repository: &gix::Repository, id: gix::ObjectId) -> Option<String> {
    repository.find_header(id).ok().filter(|about| about.size() <= links::TARGET_BYTES)?;
    String::from_utf8(repository.find_blob(id).ok()?.detach().data).ok()
}

/// Adds the files that links stand for.
fn add_links(listing: &mut TreeListing, links: &[SourceLink]) {
    if links.is_empty() {
        return;
    }
    let at = |path: &str| listing.files.binary_search_by(|(known, _)| known.as_str().cmp(path)).ok();
    let (found, left) = resolve_links(links, listing.files.iter().map(|(path, _)| path.as_str()));
    let linked: Vec<_> =
        found.into_iter().filter_map(|(path, file)| Some((path, listing.files[at(&file)?].1))).collect();
    listing.files.extend(linked);
    listing.files.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    listing.files.dedup_by(|a, b| a.0 == b.0);
    listing.problems.extend(left);
}

/// The folder at a path.
fn folder_at_path(repository: &gix::Repository, root: gix::ObjectId, subdir: &str) -> Result<gix::ObjectId, GitError> {
    let mut at = root;
    for name in subdir.split('/').filter(|name| !matches!(*name, "" | ".")) {
        let tree = repository.find_tree(at).map_err(broken)?;
        let found = tree.iter().flatten().find(|entry| entry.filename() == name && entry.kind() == EntryKind::Tree);
        at = found.map(|entry| entry.object_id()).ok_or_else(|| GitError::NoFolder(subdir.to_owned()))?;
    }
    Ok(at)
}

/// Whether a name of a tree can be one of a file. Git's own programs write no others.
fn usable(name: &gix::bstr::BStr) -> Result<(), &'static str> {
    match name.to_str() {
        Err(_) => Err("is not UTF-8"),
        Ok("" | "." | "..") => Err("leads to another folder"),
        Ok(name) if name.contains(['/', '\0']) => Err("is a path"),
        Ok(_) => Ok(()),
    }
}

pub(super) fn broken(error: gix::Error) -> GitError {
    GitError::Unreadable(error.to_string().chars().filter(|c| !c.is_control()).take(300).collect())
}

/// The bytes of a commit's files. Each thread that reads borrows a reader; there are never more than threads.
struct Blobs {
    files: Vec<(String, gix::ObjectId)>,
    objects: gix::ThreadSafeRepository,
    readers: Mutex<Vec<gix::OdbHandle>>,
}

impl fmt::Debug for Blobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Blobs({} files)", self.files.len())
    }
}

impl FileReader for Blobs {
    fn read_into(&self, path: &str, limit: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
        let at =
            self.files.binary_search_by(|(known, _)| known.as_str().cmp(path)).map_err(|_| io::ErrorKind::NotFound)?;
        let idle = self.readers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let reader = idle.unwrap_or_else(|| self.objects.to_thread_local().objects);
        let read = read_object(&reader, &self.files[at].1, limit, bytes);
        self.readers.lock().unwrap_or_else(PoisonError::into_inner).push(reader);
        read
    }
}

fn read_object(reader: &gix::OdbHandle, id: &gix::oid, limit: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
    use gix::odb::HeaderExt as _;
    let failed = |error: gix::Error| io::Error::other(error.to_string());
    // its size stands before it: what is too large is not unpacked
    if reader.header(id).map_err(failed)?.size() > limit {
        return Err(too_large_error(limit));
    }
    let found = reader.try_find(id, bytes).map_err(failed)?.ok_or(io::ErrorKind::NotFound)?;
    // a folder may call a commit or another folder a file
    if found.kind != gix::objs::Kind::Blob {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "the object is not a file"));
    }
    let size = found.data.len();
    bytes.truncate(size);
    Ok(())
}
