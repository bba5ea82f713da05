//! The files of a source, listed once. Nothing outside this list is ever read: paths from documents are looked up here,
//! not on disk.

use std::borrow::Cow;
use std::fs::File;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use sha2::{Digest as _, Sha256};
use unicode_normalization::{UnicodeNormalization as _, is_nfc};
use walkdir::WalkDir;

use base::bundle_path::MANIFEST_PATH;
use base::contents::{Contents, FileReader, StoredFiles, not_a_file, too_large_error, unusable_name};
use base::cut::SliceText as _;
use base::hex::to_hex;
use base::limits::PAGE_BYTES;
use base::lines::with_line_feeds;
use base::links::{SourceLink, resolve_links};
use base::lookup::FileLookup;
use base::printable::into_printable;
use base::source_text::into_text;
use base::{BundlePath, Diagnostic, FileId, Place, Problem};

use super::ignored::IgnoreRules;

pub use base::folder_path::{folder, folders_to, join_document_path};

/// Folders that are shared out among threads, at least.
const MIN_PARALLEL_FOLDERS: usize = 16;
/// Folders that are never entered.
const NEVER_ENTERED: [&str; 2] = [".git", "node_modules"];

/// A file of the source.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Path relative to the root, `/`-separated.
    pub path: String,
    /// Size in bytes.
    pub size: u64,
    /// Excluded by `.mintignore` or the built-in list: neither page nor asset, links to it are broken.
    pub ignored: bool,
}

/// A file that came from another server. It has an id like the others, and is in none of their lists.
#[derive(Debug)]
pub struct FetchedFile {
    /// Its path is its address.
    file: SourceFile,
    /// Its name in a bundle.
    path: BundlePath,
    bytes: Arc<Vec<u8>>,
}

impl FetchedFile {
    /// Where it came from.
    pub fn address(&self) -> &str {
        &self.file.path
    }

    /// Its name in a bundle.
    pub fn path(&self) -> &BundlePath {
        &self.path
    }

    /// Its bytes, as far as they may be shown.
    pub fn bytes(&self) -> &Arc<Vec<u8>> {
        &self.bytes
    }
}

/// All regular files below a root and the links to such, sorted by path.
#[derive(Debug, Default)]
pub struct SourceTree {
    /// Where their bytes are.
    pub contents: Contents,
    /// The files; a `FileId` is an index.
    pub files: Vec<SourceFile>,
    /// Files by path, in Unicode form C. Of two names that differ only by form, the first counts.
    pub by_path: FxHashMap<String, FileId>,
    /// Files by lower-case path, in Unicode form C. Of several, the first counts.
    pub by_folded: FxHashMap<String, FileId>,
    /// Files from other servers: their ids follow those of `files`.
    fetched: Vec<FetchedFile>,
    /// Files of which readers may see less than there is: what they may see, or `None` for nothing.
    restricted: FxHashMap<FileId, Option<Vec<u8>>>,
    /// Links in a folder, and the paths of the files that they stand for.
    links: FxHashMap<FileId, String>,
}

impl SourceTree {
    /// Lists a folder. A link to a file or folder of it stands for that; other links, devices and names that are not
    /// UTF-8 are left out, each with a warning.
    pub fn list(root: &Path) -> (Self, Vec<Diagnostic>) {
        // level by level until there are folders enough for all threads: they wait for the system most of the time
        let mut listed = Vec::new();
        let mut folders = vec![root.to_owned()];
        while (1..MIN_PARALLEL_FOLDERS).contains(&folders.len()) {
            for folder in std::mem::take(&mut folders) {
                for entry in walk_folder(&folder, 1) {
                    match entry {
                        Ok(entry) if entry.file_type().is_dir() => folders.push(entry.into_path()),
                        entry => listed.push(source_entry(root, entry)),
                    }
                }
            }
        }
        let is_file = |entry: &walkdir::Result<walkdir::DirEntry>| {
            entry.as_ref().map_or(true, |entry| !entry.file_type().is_dir())
        };
        let files_below = |folder: PathBuf| {
            walk_folder(&folder, usize::MAX).filter(is_file).map(|entry| source_entry(root, entry)).collect()
        };
        let deeper: Vec<Vec<_>> = folders.into_par_iter().map(files_below).collect();
        let mut files = Vec::new();
        let mut links = Vec::new();
        let mut problems = Vec::new();
        for entry in listed.into_iter().chain(deeper.into_iter().flatten()) {
            match entry {
                Ok(FolderItem::File(file)) => files.push(file),
                Ok(FolderItem::Link(link)) => links.push(link),
                Err(problem) => problems.push(problem),
            }
        }
        (Self::with_links(root, files, &links, &mut problems), problems)
    }

    /// The tree of a folder with files and links.
    fn with_links(
        root: &Path,
        mut files: Vec<SourceFile>,
        links: &[SourceLink],
        problems: &mut Vec<Diagnostic>,
    ) -> Self {
        let contents = Contents::Folder(root.to_owned());
        if links.is_empty() {
            return Self::of_files(contents, files);
        }
        let sizes: FxHashMap<&str, u64> = files.iter().map(|file| (file.path.as_str(), file.size)).collect();
        let (found, left) = resolve_links(links, sizes.keys().copied());
        problems.extend(left);
        let size_of = |file: &str| sizes.get(file).copied().unwrap_or_default();
        let linked: Vec<SourceFile> = found
            .iter()
            .map(|(path, file)| SourceFile { path: path.clone(), size: size_of(file), ignored: false })
            .collect();
        files.extend(linked);
        let mut tree = Self::of_files(contents, files);
        for (path, file) in found {
            let at = tree.files.partition_point(|known| known.path < path);
            tree.links.insert(FileId(u32::try_from(at).unwrap_or(u32::MAX)), file);
        }
        tree
    }

    /// Files that are not in a folder: of a commit, of an archive, in memory. Those that a folder's list would not have
    /// are left out, so that equal files make equal trees, wherever they are.
    pub fn of(listed: impl IntoIterator<Item = (String, u64)>, contents: Arc<dyn FileReader>) -> Self {
        let mut files: Vec<SourceFile> =
            listed.into_iter().map(|(path, size)| SourceFile { path, size, ignored: false }).collect();
        let is_bundle = |file: &SourceFile| file.path.strip_suffix(MANIFEST_PATH)?.strip_suffix('/').map(str::to_owned);
        let bundles: FxHashSet<String> = files.iter().filter_map(is_bundle).collect();
        let is_entered = |folder: &str| {
            !NEVER_ENTERED.contains(&folder.rsplit('/').next().unwrap_or(folder)) && !bundles.contains(folder)
        };
        files.retain(|file| file.path.match_indices('/').all(|(end, _)| is_entered(file.path.slice(..end))));
        Self::of_files(Contents::Elsewhere(contents), files)
    }

    /// The same with what is wrong with those that are left out.
    pub fn of_stored(stored: StoredFiles) -> (Self, Vec<Diagnostic>) {
        (Self::of(stored.list, stored.contents), stored.problems)
    }

    /// A tree of known files.
    pub fn of_files(contents: Contents, mut files: Vec<SourceFile>) -> Self {
        files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        let mut by_path = FxHashMap::with_capacity_and_hasher(files.len(), rustc_hash::FxBuildHasher);
        let mut by_folded = FxHashMap::with_capacity_and_hasher(files.len(), rustc_hash::FxBuildHasher);
        for (index, file) in files.iter().enumerate() {
            let id = FileId(u32::try_from(index).unwrap_or(u32::MAX));
            by_path.entry(composed(&file.path).into_owned()).or_insert(id);
            by_folded.entry(folded(&file.path)).or_insert(id);
        }
        Self {
            contents,
            files,
            by_path,
            by_folded,
            fetched: Vec::new(),
            restricted: FxHashMap::default(),
            links: FxHashMap::default(),
        }
    }

    /// Marks the files that rules exclude.
    pub fn apply(&mut self, rules: &IgnoreRules) {
        let ignored = rules.of_sorted(self.files.iter().map(|file| file.path.as_str()));
        for (file, ignored) in self.files.iter_mut().zip(ignored) {
            file.ignored = ignored;
        }
    }

    /// Takes files below some folders back into the site.
    pub fn show(&mut self, folders: &[String]) {
        for folder in folders {
            let prefix = format!("{folder}/");
            let start = self.files.partition_point(|file| file.path < prefix);
            self.files[start..]
                .iter_mut()
                .take_while(|file| file.path.starts_with(&prefix))
                .for_each(|file| file.ignored = false);
        }
    }

    /// The file at a `/`-separated path, if it exists and is not ignored. Unicode forms of the path are equal.
    pub fn find(&self, path: &str) -> Option<FileId> {
        self.find_any(path).filter(|id| !self.file(*id).ignored)
    }

    /// The file at a `/`-separated path, ignored or not.
    pub fn find_any(&self, path: &str) -> Option<FileId> {
        self.by_path.get(composed(path).as_ref()).copied()
    }

    /// The file whose path differs from this one at most by case, if it exists and is not ignored.
    pub fn find_folded(&self, path: &str) -> Option<FileId> {
        self.by_folded.get(&folded(path)).copied().filter(|id| !self.file(*id).ignored)
    }

    /// A file.
    pub fn file(&self, id: FileId) -> &SourceFile {
        self.fetched_file(id).map_or_else(|| &self.files[id.0 as usize], |fetched| &fetched.file)
    }

    /// Adds a file from another server. From now on no other kind of file may be added.
    pub fn add_fetched(&mut self, address: &str, extension: &str, bytes: Arc<Vec<u8>>) -> FileId {
        let id = FileId(u32::try_from(self.files.len() + self.fetched.len()).unwrap_or(u32::MAX));
        let file = SourceFile { path: address.to_owned(), size: bytes.len() as u64, ignored: false };
        self.fetched.push(FetchedFile { file, path: fetched_path(&bytes, extension), bytes });
        id
    }

    /// The files from other servers, with their ids.
    pub fn fetched(&self) -> impl Iterator<Item = (FileId, &FetchedFile)> {
        let first = u32::try_from(self.files.len()).unwrap_or(u32::MAX);
        (first..).map(FileId).zip(&self.fetched)
    }

    /// A file from another server; `None` for one of the source.
    pub fn fetched_file(&self, id: FileId) -> Option<&FetchedFile> {
        self.fetched.get((id.0 as usize).checked_sub(self.files.len())?)
    }

    /// Puts what readers may see of a file in its place; with `None` the file is as good as not there.
    pub fn restrict(&mut self, id: FileId, bytes: Option<Vec<u8>>) {
        let Some(fetched) = (id.0 as usize).checked_sub(self.files.len()).and_then(|at| self.fetched.get_mut(at))
        else {
            self.restricted.insert(id, bytes);
            return;
        };
        let extension = if fetched.path.as_str().ends_with(".json") { "json" } else { "yaml" };
        fetched.file.ignored |= bytes.is_none();
        fetched.bytes = Arc::new(bytes.unwrap_or_default());
        fetched.path = fetched_path(&fetched.bytes, extension);
    }

    /// Whether readers may see nothing of a file.
    pub fn is_withheld(&self, id: FileId) -> bool {
        matches!(self.restricted.get(&id), Some(None))
    }

    /// A file's path.
    pub fn path(&self, id: FileId) -> &str {
        &self.file(id).path
    }

    /// A problem of a text of this tree as it is reported.
    pub fn diagnostic(&self, problem: Problem) -> Diagnostic {
        problem.into_diagnostic(|Place { file, line, column }| (self.path(file), line, column))
    }

    /// All files with their ids, in order of their paths.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(index, file)| (FileId(u32::try_from(index).unwrap_or(u32::MAX)), file))
    }

    /// The files of a folder and of those below it, in order of their paths.
    pub fn below(&self, folder: &str) -> impl Iterator<Item = (FileId, &SourceFile)> {
        let start = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let first = self.files.partition_point(|file| file.path < start);
        let files = self.files.iter().enumerate().skip(first);
        files
            .map(|(index, file)| (FileId(u32::try_from(index).unwrap_or(u32::MAX)), file))
            .take_while(move |(_, file)| file.path.starts_with(&start))
    }

    /// A file's bytes.
    ///
    /// # Errors
    /// The file cannot be read, or is no longer a regular file.
    pub fn read(&self, id: FileId) -> std::io::Result<Vec<u8>> {
        self.read_at_most(id, u64::MAX)
    }

    /// A file's bytes, if there are at most `limit` of them.
    ///
    /// # Errors
    /// The file cannot be read, is no longer a regular file, or is larger (`FileTooLarge`).
    pub fn read_at_most(&self, id: FileId, limit: u64) -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.read_into(id, limit, &mut bytes)?;
        Ok(bytes)
    }

    /// A file's text, if it has at most `limit` bytes, without a byte-order mark.
    ///
    /// # Errors
    /// As for `read_at_most`.
    pub fn read_text(&self, id: FileId, limit: u64) -> std::io::Result<String> {
        self.read_at_most(id, limit).map(into_text)
    }

    /// The text of a page or snippet, with nothing but line feeds between its lines; `None` if it cannot be read or is
    /// too large.
    pub fn text(&self, id: FileId) -> Option<String> {
        let text = with_line_feeds(self.read_text(id, PAGE_BYTES).ok()?.into()).into_owned();
        let text = into_printable(text);
        Some(if text.contains('\r') { text.replace("\r\n", "\n") } else { text })
    }

    /// A file's bytes into a buffer that many files share one after the other; what it held is gone.
    ///
    /// # Errors
    /// As for `read_at_most`.
    pub fn read_into(&self, id: FileId, limit: u64, bytes: &mut Vec<u8>) -> std::io::Result<()> {
        let held = match self.restricted.get(&id) {
            Some(None) => {
                return Err(std::io::Error::new(std::io::ErrorKind::NotFound, "it is restricted to user groups"));
            }
            Some(Some(seen)) => Some(seen.as_slice()),
            None => self.fetched_file(id).map(|fetched| fetched.bytes.as_slice()),
        };
        let Some(held) = held else { return self.contents.read_into(self.stored_path(id), limit, bytes) };
        if held.len() as u64 > limit {
            return Err(too_large_error(limit));
        }
        bytes.clear();
        bytes.extend_from_slice(held);
        Ok(())
    }

    /// The folder that the files are in, if they are in one.
    pub fn folder(&self) -> Option<&Path> {
        self.contents.folder()
    }

    /// What a file is on disk, if the source is a folder and readers may see all of it.
    pub fn on_disk(&self, id: FileId) -> Option<PathBuf> {
        let is_there = self.fetched_file(id).is_none() && !self.restricted.contains_key(&id);
        self.folder().filter(|_| is_there).map(|folder| folder.join(self.stored_path(id)))
    }

    /// The path at which the bytes of a file are: that of another one for a link.
    fn stored_path(&self, id: FileId) -> &str {
        self.links.get(&id).map_or_else(|| self.path(id), String::as_str)
    }

    /// SHA-256 over the paths and bytes of all files, in order: equal for equal sources, wherever they are. Ignored
    /// files count, they may be configuration.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn digest(&self) -> std::io::Result<[u8; 32]> {
        let (mut whole, mut bytes) = (Sha256::new(), Vec::new());
        for (id, file) in self.iter() {
            self.read_into(id, u64::MAX, &mut bytes)?;
            whole.update((file.path.len() as u64).to_be_bytes());
            whole.update(&file.path);
            whole.update(Sha256::digest(&bytes));
        }
        Ok(whole.finalize().into())
    }
}

/// Whether a folder is entered; true for what is none.
pub fn is_entered(entry: &walkdir::DirEntry) -> bool {
    let never =
        || NEVER_ENTERED.iter().any(|name| entry.file_name() == *name) || entry.path().join(MANIFEST_PATH).is_file();
    entry.depth() == 0 || !entry.file_type().is_dir() || !never()
}

/// A text file below `root`, its path as in a diagnostic; `None` if it is not there, not a plain file, not inside, or
/// too large.
pub fn read_below(root: &Path, path: &str) -> Option<String> {
    let path = Path::new(path);
    if !path.components().all(|part| matches!(part, Component::Normal(_))) {
        return None;
    }
    let path = root.join(path);
    if !std::fs::symlink_metadata(&path).ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(PAGE_BYTES).read_to_end(&mut bytes).ok()?;
    Some(into_text(bytes))
}

/// What is in a folder, and in those that are entered below it, down to a depth.
fn walk_folder(folder: &Path, depth: usize) -> impl Iterator<Item = walkdir::Result<walkdir::DirEntry>> {
    WalkDir::new(folder).min_depth(1).max_depth(depth).sort_by_file_name().into_iter().filter_entry(is_entered)
}

/// An entry of a folder.
enum FolderItem {
    File(SourceFile),
    Link(SourceLink),
}

/// A file of the source or a link, or why it is none. `entry` is no folder.
fn source_entry(root: &Path, entry: walkdir::Result<walkdir::DirEntry>) -> Result<FolderItem, Diagnostic> {
    let entry = entry.map_err(|error| {
        let path = error.path().and_then(|path| path.strip_prefix(root).ok()).map(slashed).unwrap_or_default();
        let reason = error.io_error().map_or_else(|| "links form a cycle".to_owned(), ToString::to_string);
        let name = if path.is_empty() { "the source".to_owned() } else { format!("`{path}`") };
        Diagnostic::new("unreadable-file", format!("{name} cannot be listed: {reason}")).at(path, 0, 0)
    })?;
    source_file(root, &entry)
}

fn source_file(root: &Path, entry: &walkdir::DirEntry) -> Result<FolderItem, Diagnostic> {
    let relative = entry.path().strip_prefix(root).unwrap_or(entry.path());
    let path = slashed(relative);
    if relative.to_str().is_none() {
        return Err(unusable_name(path, "is not UTF-8"));
    }
    if entry.file_type().is_symlink() {
        let target = std::fs::read_link(entry.path()).ok().and_then(|target| target.to_str().map(str::to_owned));
        return target
            .map(|target| FolderItem::Link(SourceLink { path: path.clone(), target }))
            .ok_or_else(|| not_a_file(path, "a link"));
    }
    if !entry.file_type().is_file() {
        return Err(not_a_file(path, "not a regular file"));
    }
    let size = entry.metadata().map(|metadata| metadata.len()).unwrap_or_default();
    Ok(FolderItem::File(SourceFile { path, size, ignored: false }))
}

fn slashed(path: &Path) -> String {
    if std::path::MAIN_SEPARATOR == '/'
        && let Some(path) = path.to_str()
    {
        return path.to_owned();
    }
    let parts: Vec<_> = path.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    parts.join("/")
}

/// What a file from another server is called in a bundle.
fn fetched_path(bytes: &[u8], extension: &str) -> BundlePath {
    BundlePath::fetched(&to_hex(&Sha256::digest(bytes)), extension)
}

/// Unicode form C.
pub fn composed(path: &str) -> Cow<'_, str> {
    if path.is_ascii() || is_nfc(path) { Cow::Borrowed(path) } else { Cow::Owned(path.nfc().collect()) }
}

/// Unicode form C in lower case.
pub fn folded(path: &str) -> String {
    if path.is_ascii() { path.to_ascii_lowercase() } else { path.nfc().collect::<String>().to_lowercase() }
}

/// Ignored files count.
impl FileLookup for SourceTree {
    fn has(&self, path: &str) -> bool {
        self.find_any(path).is_some()
    }

    fn has_folder(&self, path: &str) -> bool {
        let prefix = format!("{path}/");
        let at = self.files.partition_point(|file| file.path < prefix);
        self.files.get(at).is_some_and(|file| file.path.starts_with(&prefix))
    }

    fn text(&self, path: &str) -> Option<String> {
        self.read_text(self.find_any(path)?, PAGE_BYTES).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(paths: &[&str]) -> SourceTree {
        let file = |path: &&str| SourceFile { path: (*path).to_owned(), size: 0, ignored: false };
        SourceTree::of_files(Contents::default(), paths.iter().map(file).collect())
    }

    #[test]
    fn files_are_found_in_any_unicode_form_and_case() {
        let tree = tree(&["b.md", "Caf\u{e9}/Menu.md"]);
        assert_eq!(tree.find("Cafe\u{301}/Menu.md"), Some(FileId(0)));
        assert_eq!(tree.find("caf\u{e9}/menu.md"), None);
        assert_eq!(tree.find_folded("CAFE\u{301}/menu.md"), Some(FileId(0)));
        assert_eq!(tree.path(FileId(1)), "b.md");
    }

    #[test]
    fn files_from_elsewhere_are_those_that_a_folder_would_list() {
        let folder = tempfile::tempdir().unwrap();
        let paths = [
            "a/b.md",
            "z.md",
            ".git/config",
            "sub/.git/x",
            "node_modules/x.md",
            "a/node_modules/x/y.md",
            "old/_offprint/manifest.json",
            "old/index.html",
            "old/deep/x.md",
            "older/x.md",
            "_offprint/manifest.json",
            ".gitx/a",
            "é.md",
        ];
        for path in paths {
            std::fs::create_dir_all(folder.path().join(path).parent().unwrap()).unwrap();
            std::fs::write(folder.path().join(path), path).unwrap();
        }
        let (listed, _) = SourceTree::list(folder.path());
        let held: base::contents::HeldFiles =
            paths.map(|path| (path.to_owned(), path.as_bytes().to_vec())).into_iter().collect();
        let tree = SourceTree::of(held.list(), Arc::new(held));
        let names = |tree: &SourceTree| -> Vec<(String, u64)> {
            tree.iter().map(|(_, file)| (file.path.clone(), file.size)).collect()
        };
        assert_eq!(names(&tree), names(&listed));
        assert_eq!(names(&tree).len(), 6);
        assert!(tree.iter().all(|(id, file)| tree.read(id).unwrap() == file.path.as_bytes()));
        assert_eq!(
            (tree.read_at_most(FileId(0), 2).unwrap_err().kind(), tree.folder(), tree.on_disk(FileId(0))),
            (std::io::ErrorKind::FileTooLarge, None, None)
        );
        assert_eq!(tree.digest().unwrap(), listed.digest().unwrap());
        std::fs::write(folder.path().join("z.md"), "Z.md").unwrap();
        assert_ne!(tree.digest().unwrap(), listed.digest().unwrap());
    }

    #[test]
    fn paths_join_inside_the_root() {
        assert_eq!(join_document_path("a/b", "../c.md").as_deref(), Some("a/c.md"));
        assert_eq!(join_document_path("a/b", "/c//./d").as_deref(), Some("c/d"));
        assert_eq!(join_document_path("a", "../../etc/passwd"), None);
        assert_eq!(join_document_path("", ".."), None);
    }

    #[test]
    fn a_folder_is_listed_without_links_out_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for path in ["z.md", "a/b.md", ".git/config", "node_modules/x/y.md", ".hidden/c.md"] {
            std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            std::fs::write(root.join(path), path).unwrap();
        }
        #[cfg(unix)]
        for (target, path) in
            [("/etc/passwd", "link.md"), ("../z.md", "a/y.md"), ("up/../b.md", "a/c.md"), ("/", "a/up")]
        {
            std::os::unix::fs::symlink(target, root.join(path)).unwrap();
        }
        let (mut tree, mut problems) = SourceTree::list(root);
        #[cfg(unix)]
        {
            // read where the words of the link lead to, never through another link
            let linked: Vec<FileId> = ["a/c.md", "a/y.md"].iter().map(|path| tree.find(path).unwrap()).collect();
            assert_eq!(
                linked.iter().map(|id| tree.read(*id).unwrap()).collect::<Vec<_>>(),
                [b"a/b.md".to_vec(), b"z.md".to_vec()]
            );
            assert_eq!(tree.file(linked[0]).size, 6);
            assert_eq!(tree.on_disk(linked[1]), Some(root.join("z.md")));
            for path in ["a/c.md", "a/y.md", "a/up"] {
                std::fs::remove_file(root.join(path)).unwrap();
            }
            assert_eq!(problems.len(), 2);
            (tree, problems) = SourceTree::list(root);
        }
        let paths: Vec<&str> = tree.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, [".hidden/c.md", "a/b.md", "z.md"]);
        assert_eq!(tree.files[1].size, 6);
        assert_eq!(tree.read(FileId(1)).unwrap(), b"a/b.md");
        assert_eq!(tree.read_at_most(FileId(1), 5).unwrap_err().kind(), std::io::ErrorKind::FileTooLarge);
        #[cfg(unix)]
        {
            assert_eq!((problems.len(), problems[0].code, problems[0].file.as_str()), (1, "not-a-file", "link.md"));
            let elsewhere = tempfile::tempdir().unwrap();
            let link = elsewhere.path().join("docs");
            std::os::unix::fs::symlink(root, &link).unwrap();
            assert_eq!(SourceTree::list(&link).1, problems, "the root is no file that is left out");
        }
    }
}
