//! Files that are replaced in one step: a reader gets the old bytes or the new ones, never a part of them.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

/// What a replacement guarantees.
#[derive(Clone, Copy, Debug, Default)]
pub struct Guarantees {
    /// The bytes and the name are on the disk before the call returns.
    pub is_durable: bool,
    /// Only the owner may read the file, where the system knows owners.
    pub is_private: bool,
}

/// Replaces a file by what `write` writes. It grows beside its place as `.<name>.partial-<random>`, which is removed
/// when anything fails.
///
/// # Errors
/// The file cannot be written or cannot take its name, or `write` fails.
pub fn replace(
    path: &Path,
    guarantees: Guarantees,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let partial = partial_path(path)?;
    let replaced = write_partial(&partial, guarantees, write).and_then(|()| rename(&partial, path));
    if replaced.is_err() {
        // the failure itself is what is reported
        let _ = fs::remove_file(&partial);
        return replaced;
    }
    if guarantees.is_durable {
        // the file has its name already, and some network file systems cannot sync folders
        let _ = sync_folder(path.parent().unwrap_or(Path::new(".")));
    }
    Ok(())
}

fn write_partial(
    partial: &Path,
    guarantees: Guarantees,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if guarantees.is_private {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    let mut out = BufWriter::new(options.open(partial)?);
    write(&mut out)?;
    let file = out.into_inner()?;
    if guarantees.is_durable { file.sync_all() } else { Ok(()) }
}

/// A name beside a path that no other call takes.
fn partial_path(path: &Path) -> io::Result<PathBuf> {
    let mut name = OsString::from(".");
    name.push(path.file_name().ok_or(io::ErrorKind::InvalidFilename)?);
    name.push(format!(".partial-{}", unique_name()));
    Ok(path.with_file_name(name))
}

/// A name that no other process chooses: containers that share a folder have the same process number.
pub fn unique_name() -> String {
    format!("{:016x}", RandomState::new().build_hasher().finish())
}

/// Gives a file or folder another name, as [`fs::rename`] does. A confined process may do that only where nothing has the
/// name yet (`confine`), which is therefore tried first.
///
/// # Errors
/// It cannot have that name.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};

        // the name is taken, or the file system does not know of this
        if renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE).is_ok() {
            return Ok(());
        }
    }
    fs::rename(from, to)
}

/// Takes the name of a file that is open away from it, so that it goes when it is closed. A confined process may not do
/// that, as what it has written could not be counted then: who has started it removes the file.
///
/// # Errors
/// The name cannot be taken away.
pub fn remove_name(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(()),
        removed => removed,
    }
}

/// Makes the names in a folder durable. Systems that cannot open a folder do it by themselves.
///
/// # Errors
/// The system fails to.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn names(folder: &Path) -> Vec<OsString> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect()
    }

    #[test]
    fn files_are_replaced_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        for (text, is_durable) in [("one", false), ("two", true)] {
            let guarantees = Guarantees { is_durable, is_private: false };
            replace(&path, guarantees, |out| out.write_all(text.as_bytes())).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(names(folder.path()), ["a.json"]);
    }

    #[test]
    fn a_failure_leaves_the_file_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        fs::write(&path, "one").unwrap();
        let failed = replace(&path, Guarantees::default(), |out| {
            out.write_all(b"tw")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert!(failed.is_err());
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), names(folder.path()).len()), ("one", 1));
        assert!(replace(Path::new("/"), Guarantees::default(), |_| Ok(())).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn private_files_are_their_owners() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        replace(&path, Guarantees { is_durable: true, is_private: true }, |out| out.write_all(b"x")).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
