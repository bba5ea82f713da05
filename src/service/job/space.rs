//! Room on the disk: below a floor nothing new is accepted, so that what runs can end.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use crate::store::StoreError;

/// The floor: this much, or a twentieth of a small disk.
const FLOOR_BYTES: u64 = 2 << 30;
const FLOOR_SHARE: u64 = 20;
/// How long an answer counts.
const MAX_AGE: Duration = Duration::from_secs(1);

/// Ends the name of the file, beside the folder, that is written to see whether that is possible.
const PROBE: &str = "probe";
const PROBE_BYTES: usize = 8 << 10;

/// The disk of a folder.
pub(super) struct Space {
    folder: PathBuf,
    room: Recent<bool>,
    write: Recent<Result<(), StoreError>>,
}

/// How full a disk is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiskSpace {
    /// Its size.
    pub bytes: u64,
    /// What is free.
    pub free_bytes: u64,
    /// Below this much of it, nothing new is accepted.
    pub floor_bytes: u64,
}

/// An answer, and when it was found.
struct Recent<T>(Mutex<Option<(Instant, T)>>);

impl<T: Clone> Recent<T> {
    /// The last answer, or another one if it is too old.
    fn or_find(&self, find: impl FnOnce() -> T) -> T {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((at, answer)) if at.elapsed() < MAX_AGE => answer.clone(),
            _ => {
                let answer = find();
                *last = Some((Instant::now(), answer.clone()));
                answer
            }
        }
    }
}

impl Space {
    pub(super) fn of(folder: PathBuf) -> Self {
        Self { folder, room: Recent(Mutex::new(None)), write: Recent(Mutex::new(None)) }
    }

    /// Whether there is room for more.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        let has_room = self.room.or_find(|| self.has_room());
        if has_room { Ok(()) } else { Err(StoreError::Unavailable("there is too little space on the disk".to_owned())) }
    }

    /// Whether something can be written, found out by writing. An answer counts as long as that of [`Space::check`].
    pub(super) fn try_to_write(&self) -> Result<(), StoreError> {
        self.check()?;
        self.write.or_find(|| {
            self.write_probe().map_err(|error| StoreError::Unavailable(format!("the disk refuses writes: {error}")))
        })
    }

    fn write_probe(&self) -> io::Result<()> {
        let path = self.folder.with_extension(PROBE);
        let mut file = File::create(&path)?;
        let written = file.write_all(&[1; PROBE_BYTES]).and_then(|()| file.sync_data());
        let removed = std::fs::remove_file(&path);
        written.and(removed)
    }

    fn has_room(&self) -> bool {
        // a folder that is not there yet, or a system that does not report it: the work itself will fail
        self.disk().is_none_or(|disk| disk.free_bytes >= disk.floor_bytes)
    }

    /// How full the disk is, if the system reports it.
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    pub(super) fn disk(&self) -> Option<DiskSpace> {
        let disk = rustix::fs::statvfs(&self.folder).ok()?;
        let bytes = disk.f_blocks.saturating_mul(disk.f_frsize);
        let free_bytes = disk.f_bavail.saturating_mul(disk.f_frsize);
        Some(DiskSpace { bytes, free_bytes, floor_bytes: FLOOR_BYTES.min(bytes / FLOOR_SHARE) })
    }

    /// How full the disk is, if the system reports it.
    #[cfg(not(any(target_os = "linux", target_os = "macos")))]
    pub(super) fn disk(&self) -> Option<DiskSpace> {
        None
    }
}
