//! How much of the processor children leave to others: the service itself, and the work of organizations that have
//! nothing else running.

/// As nice(2) counts it: builds beside a short job get a tenth of the processor.
pub(super) const NICENESS: i32 = 10;

/// Lowers the priority of a process that has just started: what it starts from now on, threads too, inherits it.
#[cfg(any(target_os = "linux", target_os = "macos"))]
pub(super) fn lower(process: Option<u32>, niceness: i32) {
    use rustix::process::{Pid, setpriority_process};
    let process = process.and_then(|process| i32::try_from(process).ok()).and_then(Pid::from_raw);
    if let (Some(process), 1..) = (process, niceness)
        && let Err(error) = setpriority_process(Some(process), niceness)
    {
        // it has ended already, or this service may not: then it takes its share
        tracing::debug!(%error, "the priority of a process stays as it is");
    }
}

/// Where the system has no such call, nothing is lowered.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub(super) fn lower(_: Option<u32>, _: i32) {}
