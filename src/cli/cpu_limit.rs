//! `--cpu-limit`: the end of an export that uses more processor time than anybody expects of it. Each reader of what
//! authors write has bounds of its own; this one holds whatever slips through them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bundle::discard_unfinished;

use super::Exit;

/// How often the time is looked at.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Ends the process when all its threads together have used so much time, until it is dropped.
pub(super) struct CpuLimit(Arc<AtomicBool>);

impl CpuLimit {
    /// Starts to watch; `tell` says why the process ends. What it has begun to write is removed.
    pub(super) fn watch(limit: Duration, tell: impl FnOnce() + Send + 'static) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let watched = Arc::clone(&is_over);
        let watch = move || {
            while process_time().is_some_and(|used| used < limit) {
                std::thread::sleep(POLL_INTERVAL);
                if watched.load(Ordering::Acquire) {
                    return;
                }
            }
            if process_time().is_some() && !watched.swap(true, Ordering::AcqRel) {
                discard_unfinished();
                tell();
                std::process::exit(i32::from(Exit::Unusable as u8));
            }
        };
        // without a thread there is nothing to watch with, and none to work with either
        let _ = std::thread::Builder::new().name("cpu-limit".to_owned()).spawn(watch);
        Self(is_over)
    }
}

impl Drop for CpuLimit {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

/// The processor time that this process has used; `None` where the system does not say.
fn process_time() -> Option<Duration> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        Some(Duration::new(u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?))
    }
    #[cfg(not(any(target_os = "linux", target_os = "macos")))]
    None
}
