//! File descriptors: each connection takes one, and each file that is read for it.

/// Fewest with which a server gets as far as its first connection.
#[cfg(any(target_os = "linux", target_os = "macos"))]
const FEWEST: u64 = 16;

/// Lets the process have as many descriptors as the system lets it, up to a number: shells begin with a thousand, and
/// what is not there is waited for, one connection after the other.
///
/// # Errors
/// A sentence: there are too few for a server.
#[cfg(any(target_os = "linux", target_os = "macos"))]
pub fn allow_descriptors(most: u64) -> Result<(), String> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let target = limit.maximum.unwrap_or(most).min(most);
    if limit.current.is_some_and(|current| current < target) {
        // with fewer it works, too
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(target), maximum: limit.maximum });
    }
    match getrlimit(Resource::Nofile).current {
        Some(current) if current < FEWEST => {
            Err(format!("only {current} files may be open at a time (`ulimit -n`): at least {FEWEST} are needed"))
        }
        _ => Ok(()),
    }
}

/// This system has no such limit that we know of.
///
/// # Errors
/// None.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub fn allow_descriptors(_: u64) -> Result<(), String> {
    Ok(())
}
