//! A bundle is staged: it grows as `.<name>.partial-<process>-<number>` beside its target and takes the target's name
//! when it is whole. Dropped before that it is removed, and so are the leftovers of processes that were killed.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use walkdir::WalkDir;

use base::atomic_file::{remove_name, rename};

use super::manifest::Manifest;
use super::sign::SIGNATURE_PATH;
use super::{BundleError, BundleFormat, BundleOptions, MANIFEST_PATH, RECIPE_PATH};

/// What is being written by this process: what [`discard_unfinished`] removes.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes every bundle that this process is still writing. For a process that has to end at once: values are not
/// dropped then.
pub fn discard_unfinished() {
    let unfinished = std::mem::take(&mut *UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner));
    for path in unfinished {
        // other threads may still be adding files to a folder
        for _ in 0..3 {
            if remove_file_or_folder(&path).is_ok() {
                break;
            }
        }
    }
}

/// A place that a bundle may take.
#[derive(Clone, Debug)]
pub struct StagingTarget {
    /// Symbolic links resolved as far as the path exists.
    path: PathBuf,
    /// File name.
    name: OsString,
    pub(super) format: BundleFormat,
}

impl StagingTarget {
    /// Checks that the bundle would replace nothing but an older bundle.
    ///
    /// # Errors
    /// It would, and what stands there must not be replaced.
    pub fn check(options: &BundleOptions) -> Result<Self, BundleError> {
        let shown = options.path.display();
        let path = resolve_output_path(&options.path).map_err(BundleError::io(format!("cannot resolve `{shown}`")))?;
        let Some(name) = path.file_name().map(ToOwned::to_owned) else {
            return Err(BundleError::Refused(format!("`{shown}` cannot be the bundle: it has no name")));
        };
        let source = fs::canonicalize(&options.source).unwrap_or_else(|_| options.source.clone());
        if source.starts_with(&path) {
            return Err(BundleError::Refused(format!(
                "the bundle `{shown}` would replace the source `{}`",
                options.source.display()
            )));
        }
        let target = Self { path, name, format: options.format };
        target.check_replaceable().map_err(|problem| BundleError::Refused(format!("`{shown}` {problem}")))?;
        Ok(target)
    }

    fn parent(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("."))
    }

    /// Why what stands at the target must stay, if it must.
    fn check_replaceable(&self) -> Result<(), Cow<'static, str>> {
        let Ok(metadata) = fs::symlink_metadata(&self.path) else { return Ok(()) };
        let problem = match self.format {
            BundleFormat::Zip if metadata.is_dir() => {
                "is a folder; name a file, or ask for a folder with `--format dir`"
            }
            BundleFormat::Zip if !metadata.is_file() => "is neither a file nor a folder",
            BundleFormat::Zip if metadata.len() > 0 && !is_archive_of_ours(&self.path) => {
                "is a file, but not a bundle; remove it first"
            }
            BundleFormat::Dir if !metadata.is_dir() => {
                "is not a folder; name one, or ask for an archive with `--format zip`"
            }
            BundleFormat::Dir => {
                let foreign = foreign_file(&self.path).map(|file| {
                    format!(
                        "is a folder with other files in it (`{}`), which are not from an export; move them first",
                        file.display()
                    )
                });
                return foreign.map_or(Ok(()), |problem| Err(problem.into()));
            }
            BundleFormat::Zip => return Ok(()),
        };
        Err(problem.into())
    }
}

/// The bundle while it is written. Dropping it removes it.
#[derive(Debug)]
pub(super) struct Staging {
    path: PathBuf,
    target: StagingTarget,
    /// Keeps other processes from taking this for a leftover; held until the bundle has its name.
    _lock: Option<File>,
    /// Folders that had to be made for it, outermost first; removed again if they stay empty.
    parents: Vec<PathBuf>,
    published: bool,
}

impl Staging {
    /// Starts an archive.
    pub(super) fn file(target: StagingTarget) -> Result<(Self, File), BundleError> {
        let open = |path: &Path| OpenOptions::new().write(true).read(true).create_new(true).open(path);
        let (staging, file) = Self::create(target, open)?;
        Ok((staging, file))
    }

    /// Starts a folder.
    pub(super) fn folder(target: StagingTarget) -> Result<Self, BundleError> {
        let open = |path: &Path| fs::create_dir(path).map(|()| path.to_owned());
        Self::create(target, open).map(|(staging, _)| staging)
    }

    fn create<T>(target: StagingTarget, open: impl Fn(&Path) -> io::Result<T>) -> Result<(Self, T), BundleError> {
        let parents = make_parents(target.parent())
            .map_err(BundleError::io(format!("cannot create `{}`", target.parent().display())))?;
        remove_leftovers(&target);
        let mut number = 0u32;
        loop {
            let mut name = OsString::from(".");
            name.push(&target.name);
            name.push(format!(".partial-{}-{number}", std::process::id()));
            let path = target.parent().join(name);
            match open(&path) {
                Ok(opened) => {
                    let lock = lock_partial_bundle(&path);
                    if !path.exists() {
                        // taken for a leftover by another export before it was held
                        number += 1;
                        continue;
                    }
                    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).push(path.clone());
                    return Ok((Self { path, target, _lock: lock, parents, published: false }, opened));
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 1000 => number += 1,
                Err(error) => {
                    return Err(BundleError::io(format!("cannot write in `{}`", target.parent().display()))(error));
                }
            }
        }
    }

    /// Where the bundle is now.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// A file without a name beside the bundle, gone when it is closed. (A process that is killed before the name is
    /// gone leaves an empty file, which the next export removes.)
    pub(super) fn scratch(&self) -> Result<File, BundleError> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let mut path = self.path.clone().into_os_string();
        path.push(format!("-scratch-{}", NUMBER.fetch_add(1, Ordering::Relaxed)));
        let mut options = OpenOptions::new();
        options.write(true).read(true).create_new(true);
        #[cfg(windows)]
        {
            use std::os::windows::fs::OpenOptionsExt;
            options.custom_flags(0x0400_0000); // FILE_FLAG_DELETE_ON_CLOSE
        }
        let file = options.open(&path).map_err(BundleError::io(self.context("cannot write beside")))?;
        if cfg!(unix) {
            remove_name(path.as_ref()).map_err(BundleError::io(self.context("cannot write beside")))?;
        }
        Ok(file)
    }

    /// Where it is going to be.
    pub(super) fn target(&self) -> &StagingTarget {
        &self.target
    }

    /// Words for a failure: "cannot write `site.zip`".
    pub(super) fn context(&self, what: &str) -> String {
        format!("{what} `{}`", self.target.path.display())
    }

    /// Words for a failure with one file of a folder.
    pub(super) fn context_of(&self, file: &str, what: &str) -> String {
        format!("{what} `{file}` for `{}`", self.target.path.display())
    }

    /// Gives a complete archive its name; an older one is replaced in one step.
    pub(super) fn publish_file(mut self) -> Result<(), BundleError> {
        self.recheck()?;
        rename(&self.path, &self.target.path).map_err(BundleError::io(self.context("cannot replace")))?;
        self.published = true;
        self.sync_parent();
        Ok(())
    }

    /// Gives a complete folder its name. An older one is swapped in one step where the system can do that, else moved
    /// away first.
    pub(super) fn publish_folder(mut self) -> Result<(), BundleError> {
        self.recheck()?;
        // an empty folder, or nothing
        let _ = fs::remove_dir(&self.target.path);
        let replaced =
            if self.target.path.exists() { self.swap() } else { rename(&self.path, &self.target.path).map(|()| None) };
        let old = replaced.map_err(BundleError::io(self.context("cannot replace")))?;
        self.published = old.as_ref() != Some(&self.path);
        self.sync_parent();
        if let Some(old) = old {
            let removed = fs::remove_dir_all(&old);
            removed.map_err(BundleError::io(format!(
                "the bundle is complete, but the earlier bundle `{}` cannot be removed",
                old.display()
            )))?;
            self.published = true;
        }
        Ok(())
    }

    /// Swaps the folder with the one that has its name; returns where the old one is then.
    fn swap(&self) -> io::Result<Option<PathBuf>> {
        if exchange(&self.path, &self.target.path).is_ok() {
            return Ok(Some(self.path.clone()));
        }
        let mut old = self.path.clone().into_os_string();
        old.push("-old");
        let old = PathBuf::from(old);
        fs::rename(&self.target.path, &old)?;
        if let Err(error) = fs::rename(&self.path, &self.target.path) {
            fs::rename(&old, &self.target.path)?;
            return Err(error);
        }
        Ok(Some(old))
    }

    /// An export takes time: what stands at the target now may not be what stood there when it began.
    fn recheck(&self) -> Result<(), BundleError> {
        let checked = self.target.check_replaceable();
        checked.map_err(|problem| BundleError::Refused(format!("`{}` {problem}", self.target.path.display())))
    }

    fn sync_parent(&self) {
        // a rename is durable when its folder is; systems that cannot sync a folder do it by themselves
        if let Ok(folder) = File::open(self.target.parent()) {
            let _ = folder.sync_all();
        }
    }
}

/// A folder beside the place of a bundle, in which another process writes it. Dropping it removes it.
#[derive(Debug)]
pub struct Handover(Staging);

impl Handover {
    /// Makes the folder.
    ///
    /// # Errors
    /// The bundle may not have that place, or nothing can be written there.
    pub fn begin(options: &BundleOptions) -> Result<Self, BundleError> {
        Staging::folder(StagingTarget::check(options)?).map(Self)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.0.path
    }

    /// Where in it the bundle belongs.
    pub fn place(&self) -> PathBuf {
        self.0.path.join(&self.0.target.name)
    }

    /// Gives the complete bundle its name.
    ///
    /// # Errors
    /// What stands there by now must stay, or cannot be replaced.
    pub fn publish(self) -> Result<(), BundleError> {
        let target = self.0.target.clone();
        let is_file = target.format == BundleFormat::Zip;
        let metadata = fs::symlink_metadata(self.place()).map_err(BundleError::io(self.0.context("cannot write")))?;
        if metadata.is_file() != is_file || metadata.is_dir() == is_file {
            return Err(BundleError::Refused(format!("`{}` was not written as a bundle", target.path.display())));
        }
        let staging = Staging { path: self.place(), target, _lock: None, parents: Vec::new(), published: false };
        if is_file { staging.publish_file() } else { staging.publish_folder() }
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).retain(|path| *path != self.path);
        if self.published {
            return;
        }
        // an error cannot be reported from here; the next export beside it tries again
        let _ = remove_file_or_folder(&self.path);
        for parent in self.parents.iter().rev() {
            let _ = fs::remove_dir(parent);
        }
    }
}

/// The path with symbolic links and `..` resolved as far as it exists.
pub fn resolve_output_path(path: &Path) -> io::Result<PathBuf> {
    if let Ok(path) = fs::canonicalize(path) {
        return Ok(path);
    }
    let absolute = std::path::absolute(path)?;
    let mut missing = Vec::new();
    let mut existing = absolute.as_path();
    while let (Some(parent), Some(name)) = (existing.parent(), existing.file_name()) {
        missing.push(name);
        existing = parent;
        if let Ok(found) = fs::canonicalize(existing) {
            return Ok(missing.iter().rev().fold(found, |path, name| path.join(name)));
        }
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "`..` below a folder that does not exist"))
}

/// Makes a folder and returns which of its parents had to be made, outermost first.
fn make_parents(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut missing: Vec<PathBuf> =
        folder.ancestors().take_while(|folder| !folder.exists()).map(Path::to_owned).collect();
    missing.reverse();
    fs::create_dir_all(folder)?;
    Ok(missing)
}

/// Locks a partial bundle for as long as its writer runs; the result is the guard. Only where locks are advisory and
/// folders can be locked; elsewhere nothing is ever held and leftovers stay.
fn lock_partial_bundle(path: &Path) -> Option<File> {
    let file = if cfg!(unix) { File::open(path).ok()? } else { return None };
    file.try_lock().is_ok().then_some(file)
}

/// Removes what killed processes left beside the target.
fn remove_leftovers(target: &StagingTarget) {
    let Some(prefix) = target.name.to_str().map(|name| format!(".{name}.partial-")) else { return };
    for entry in fs::read_dir(target.parent()).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(|name| name.starts_with(&prefix)) {
            let path = entry.path();
            if let Some(_held) = lock_partial_bundle(&path) {
                // what cannot be removed does no harm
                let _ = remove_file_or_folder(&path);
            }
        }
    }
}

/// Removes a file or a folder with all that is in it; links are not followed.
fn remove_file_or_folder(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// Whether a file is an archive with a manifest or a recipe in it, or with nothing at all.
fn is_archive_of_ours(path: &Path) -> bool {
    let archive = File::open(path).ok().and_then(|file| zip::ZipArchive::new(io::BufReader::new(file)).ok());
    archive.is_some_and(|archive| {
        archive.is_empty() || [MANIFEST_PATH, RECIPE_PATH].iter().any(|name| archive.index_for_name(name).is_some())
    })
}

/// A file of a folder that its manifest does not name: it is not part of the bundle.
fn foreign_file(folder: &Path) -> Option<PathBuf> {
    let manifest = fs::read(folder.join(MANIFEST_PATH)).ok().and_then(|bytes| Manifest::parse(&bytes).ok());
    let is_ours = |name: &str| match &manifest {
        Some(manifest) => matches!(name, MANIFEST_PATH | SIGNATURE_PATH) || manifest.find(name).is_some(),
        None => false,
    };
    // what cannot be read is not ours to remove
    let entries = WalkDir::new(folder).min_depth(1).sort_by_file_name().into_iter();
    entries.filter(|entry| entry.as_ref().map_or(true, |entry| !entry.file_type().is_dir())).find_map(|entry| {
        let path = entry.map_or_else(|error| error.path().unwrap_or(folder).to_owned(), walkdir::DirEntry::into_path);
        let below = path.strip_prefix(folder).unwrap_or(&path);
        let name = below.components().map(|part| part.as_os_str().to_str()).collect::<Option<Vec<_>>>();
        (!name.is_some_and(|name| is_ours(&name.join("/")))).then(|| below.to_owned())
    })
}

/// Swaps two paths in one step.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

/// This system cannot swap two paths.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn exchange(_one: &Path, _other: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
