//! The folder of the service's data: only its user may read it, also where it was there before, made by another version
//! or by hand.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// What others may do.
const OTHERS: u32 = 0o077;
/// Deepest folder that is looked at: bundles lie two below the root.
const MAX_FOLDER_DEPTH: usize = 4;

/// Makes what this process writes from now on readable by its user alone. Processes that it starts inherit that.
pub(super) fn restrict_new_files() {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    let _ = rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
}

/// Takes from others what they may do with a folder and what is in it.
pub(super) fn restrict(root: &Path) {
    if let Err(error) = restrict_below(root, 0) {
        // a volume may belong to another user, who has to restrict it
        tracing::warn!(%error, folder = %root.display(), "others may be able to read the data of the service");
    }
}

fn restrict_below(path: &Path, depth: usize) -> io::Result<()> {
    // links are not followed: what they point to is not ours
    let metadata = fs::symlink_metadata(path)?;
    if metadata.is_symlink() {
        return Ok(());
    }
    let mode = metadata.permissions().mode();
    let restricted = if mode & OTHERS == 0 {
        Ok(())
    } else {
        fs::set_permissions(path, Permissions::from_mode(mode & 0o7777 & !OTHERS))
    };
    if metadata.is_dir() && depth < MAX_FOLDER_DEPTH {
        for entry in fs::read_dir(path)?.flatten() {
            restrict_below(&entry.path(), depth + 1)?;
        }
    }
    restricted
}
