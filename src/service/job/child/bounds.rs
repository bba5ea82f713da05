//! Limits that both processes of a job take upon themselves before they read anything of the source.

use std::io::Read;

use super::line::ProcessBounds;

/// Address space beyond the memory that may be used, bytes: stacks, reserves of the allocator that are never touched,
/// packs and fonts that are mapped.
const ADDRESS_BYTES: u64 = 6 << 30;

/// Takes limits upon this process that it cannot take off again.
///
/// # Errors
/// The system refuses a limit.
pub(super) fn take_limits(bounds: &ProcessBounds) -> std::io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

        let limit = |resource: Resource, soft: u64, hard: u64| {
            // an own limit that is lower already stays
            let most = getrlimit(resource).maximum.unwrap_or(u64::MAX);
            setrlimit(resource, Rlimit { current: Some(soft.min(most)), maximum: Some(hard.min(most)) })
        };
        limit(Resource::Core, 0, 0)?;
        limit(Resource::Cpu, bounds.cpu_seconds, bounds.cpu_seconds.saturating_add(5))?;
        limit(Resource::Fsize, bounds.file_bytes, bounds.file_bytes)?;
        // other systems count what is only reserved in ways that differ
        #[cfg(target_os = "linux")]
        limit(
            Resource::As,
            bounds.memory_bytes.saturating_add(ADDRESS_BYTES),
            bounds.memory_bytes.saturating_add(ADDRESS_BYTES),
        )?;
    }
    Ok(())
}

/// Ends this process and those it started as soon as its input ends: its parent has gone.
///
/// A signal of the system for that (`PR_SET_PDEATHSIG`) goes by the thread that started the process, and threads of a
/// runtime come and go.
pub(in crate::job) fn end_with(mut input: impl Read + Send + 'static) {
    std::thread::spawn(move || {
        let mut rest = [0; 256];
        loop {
            match input.read(&mut rest) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                // nothing more is ever said
                Ok(read) if read > 0 => {}
                _ => break,
            }
        }
        #[cfg(unix)]
        let _ = rustix::process::kill_current_process_group(rustix::process::Signal::KILL);
        std::process::exit(1);
    });
}
