//! What the processes of a job take, counted from outside: they may say what they want.
//!
//! A renderer can neither share memory nor have a file without a name ([`confine`](confine)), so what is
//! seen here is all there is. Where its folder is in memory, files are memory, too.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How often files are counted, at most; counting takes a tenth of the time at the most, too.
const COUNT_INTERVAL: Duration = Duration::from_millis(250);
const COUNT_SHARE: u32 = 10;
/// Bytes of a block, as systems count them.
const BLOCK_BYTES: u64 = 512;

/// Files and folders, and the bytes that they take: those that are there, or the most that may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct WrittenFiles {
    pub(super) files: u64,
    pub(super) bytes: u64,
}

/// The bytes of files that lie in memory, as they were counted last.
#[derive(Clone, Debug, Default)]
pub(super) struct FilesInMemory(Arc<AtomicU64>);

/// Counts what is written into a folder until that is too much, and says so.
pub(super) async fn await_too_much_written(folder: PathBuf, most: WrittenFiles, in_memory: FilesInMemory) -> String {
    loop {
        let began = Instant::now();
        if let Some(message) = count_written(folder.clone(), most, in_memory.clone()).await {
            return message;
        }
        tokio::time::sleep(COUNT_INTERVAL.max(began.elapsed() * COUNT_SHARE)).await;
    }
}

/// Counts what has been written into a folder; a sentence if it is too much.
pub(super) async fn count_written(folder: PathBuf, most: WrittenFiles, in_memory: FilesInMemory) -> Option<String> {
    let counted = tokio::task::spawn_blocking(move || {
        let written = count_below(&folder, most.files);
        let is_in_memory = is_in_memory(&folder);
        in_memory.0.store(if is_in_memory { written.bytes } else { 0 }, Ordering::Relaxed);
        written
    });
    let written = counted.await.unwrap_or_default();
    if written.files > most.files {
        return Some(format!("the export made more than {} files", most.files));
    }
    (written.bytes > most.bytes).then(|| format!("the export wrote more than {} MB", most.bytes >> 20))
}

/// Counts files until there are more than `most`. What goes away meanwhile is not counted.
fn count_below(folder: &Path, most: u64) -> WrittenFiles {
    let (mut written, mut folders) = (WrittenFiles::default(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let Ok(about) = entry.metadata() else { continue };
            written.files += 1;
            written.bytes = written.bytes.saturating_add(size_on_disk(&about));
            if about.is_dir() {
                folders.push(entry.path());
            }
            if written.files > most {
                return written;
            }
        }
    }
    written
}

fn size_on_disk(about: &fs::Metadata) -> u64 {
    #[cfg(unix)]
    return std::os::unix::fs::MetadataExt::blocks(about).saturating_mul(BLOCK_BYTES);
    #[cfg(not(unix))]
    return about.len().next_multiple_of(BLOCK_BYTES);
}

/// Whether the files of a folder lie in memory.
fn is_in_memory(folder: &Path) -> bool {
    #[cfg(target_os = "linux")]
    {
        const TMPFS: u64 = 0x0102_1994;
        const RAMFS: u64 = 0x8584_58f6;
        rustix::fs::statfs(folder).is_ok_and(|about| [TMPFS, RAMFS].contains(&(about.f_type as u64 & 0xffff_ffff)))
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = folder;
        false
    }
}

/// Bytes of memory that a process and those that it has started hold, where the system reports it: their own, what they
/// share, what was moved to the disk, and files in memory. What is only mapped from files of a disk does not count.
pub(super) fn memory_of_group(leader: u32, in_memory: &FilesInMemory) -> Option<u64> {
    let started = fs::read_to_string(format!("/proc/{leader}/task/{leader}/children")).unwrap_or_default();
    let started = started.split_whitespace().filter_map(|process| process.parse().ok());
    let (mut own, mut shared) = memory_of(leader)?;
    for (more, more_shared) in started.filter_map(memory_of) {
        (own, shared) = (own + more, shared + more_shared);
    }
    // files that are mapped count once
    Some(own + shared.max(in_memory.0.load(Ordering::Relaxed)))
}

/// Bytes that a process has for itself, and those that others may see.
fn memory_of(process: u32) -> Option<(u64, u64)> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let bytes = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kilobytes << 10)
    };
    Some((bytes("RssAnon:")? + bytes("VmSwap:").unwrap_or(0), bytes("RssShmem:").unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_folders_are_counted_and_holes_are_not() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("a/b")).unwrap();
        fs::write(folder.path().join("a/b/full"), vec![1; 1 << 20]).unwrap();
        fs::File::create(folder.path().join("hole")).unwrap().set_len(1 << 30).unwrap();
        let written = count_below(folder.path(), 10);
        assert_eq!(written.files, 4);
        assert!((1 << 20..2 << 20).contains(&written.bytes), "{written:?}");
        assert_eq!(count_below(folder.path(), 2).files, 3, "no more than needed");
        assert_eq!(count_below(&folder.path().join("nothing"), 2), WrittenFiles::default());
    }

    #[tokio::test]
    async fn too_much_is_said() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a"), vec![1; 3 << 20]).unwrap();
        fs::write(folder.path().join("b"), "b").unwrap();
        let said = async |bytes, files| {
            count_written(folder.path().to_owned(), WrittenFiles { files, bytes }, FilesInMemory::default()).await
        };
        assert_eq!(said(10 << 20, 2).await, None);
        assert_eq!(said(2 << 20, 2).await.unwrap(), "the export wrote more than 2 MB");
        assert_eq!(said(10 << 20, 1).await.unwrap(), "the export made more than 1 files");
    }

    #[test]
    fn memory_is_that_of_all_processes_with_files_in_memory() {
        let in_memory = FilesInMemory::default();
        let without = memory_of_group(std::process::id(), &in_memory).unwrap();
        in_memory.0.store(1 << 40, Ordering::Relaxed);
        assert!(without > 0 && memory_of_group(std::process::id(), &in_memory).unwrap() > 1 << 40);
    }

    #[test]
    fn a_file_system_in_memory_is_recognized() {
        if Path::new("/dev/shm").is_dir() {
            assert!(is_in_memory(Path::new("/dev/shm")));
        }
        assert!(!is_in_memory(Path::new("/proc")));
    }
}
