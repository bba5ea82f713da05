//! Confinement of a process that reads what strangers wrote: layers of the system that it puts upon itself and cannot
//! take off again.
//!
//! 1. `namespaces`: a user, mount, network, IPC and host name namespace of its own. Its file system holds the folders
//!    of a [`FileSystemView`] and nothing else; its network has no interface that is up.
//! 2. `files`: Landlock. The same folders by a second mechanism, without the right to run programs; no TCP, no
//!    abstract sockets and no signals beyond itself where the kernel knows these.
//! 3. `system_calls`: seccomp. What a recorded run needs is allowed, and all else is unknown to the process; what only
//!    an attacker calls ends it. Programs that a fetcher starts are held to a longer list (`program_calls`). What the other layers do not govern is not among it: owners, modes and attributes of
//!    files, and signals that `fcntl` has sent.
//!
//! A layer is put on by the process itself before it has a second thread: nothing here needs a helper program or a
//! privilege. Which layers a machine has is found by a trial at the start ([`Layers`]); a process that is told to have
//! a layer and cannot get it does not go on.
//!
//! A process namespace is not among the layers: a process that enters one can have no thread before it has started
//! another process, which would be a third one for each job. What it would prevent needs calls that `system_calls`
//! refuses.

#![cfg_attr(test, allow(clippy::print_stdout, reason = "tests may print"))]
#![cfg_attr(not(test), warn(clippy::string_slice))]

#[cfg(target_os = "linux")]
mod files;
#[cfg(target_os = "linux")]
mod namespaces;
#[cfg(target_os = "linux")]
mod program_calls;
#[cfg(target_os = "linux")]
mod system_calls;

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// How much confinement an operator asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Isolation {
    /// None.
    Off,
    /// As much as the system has.
    #[default]
    BestEffort,
    /// At least what [`Layers::suffices`] asks for; else nothing runs.
    Require,
}

impl Isolation {
    /// Every value, as configurations write it.
    pub const NAMES: [(&'static str, Self); 3] =
        [("best-effort", Self::BestEffort), ("require", Self::Require), ("off", Self::Off)];
}

/// Layers of confinement: those that a process is to have, or those that a machine has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Layers {
    /// A user, mount, network, IPC and host name namespace.
    pub namespaces: bool,
    /// Landlock: the version of its interface, 0 if there is none. A kernel that has a newer one is used as one that has
    /// this.
    pub landlock: u32,
    /// Seccomp.
    pub system_calls: bool,
}

/// The version of Landlock that refuses TCP, the one that knows signals and abstract sockets, and the newest that is made
/// use of.
const LANDLOCK_NETWORK: u32 = 4;
const LANDLOCK_SIGNALS: u32 = 6;
const LANDLOCK_NEWEST: u32 = 7;

impl Layers {
    /// No layer.
    pub const NONE: Self = Self { namespaces: false, landlock: 0, system_calls: false };
    /// Every layer.
    pub const ALL: Self = Self { namespaces: true, landlock: LANDLOCK_NEWEST, system_calls: true };

    /// Whether a process with these layers has no network, and sees no file but its own.
    pub fn suffices(&self) -> bool {
        self.landlock >= LANDLOCK_NETWORK && self.system_calls
    }

    /// Whether programs of the system that a fetcher starts can do nothing to other processes: they may send signals, to
    /// those that they have started.
    pub fn holds_programs(&self) -> bool {
        self.landlock >= LANDLOCK_SIGNALS && self.system_calls
    }

    /// What is lacking, one sentence for each.
    pub fn lacks(&self) -> Vec<String> {
        let mut lacks = Vec::new();
        match self.landlock {
            0 => lacks.push("no Landlock: the kernel lacks it, or the container forbids it".to_owned()),
            version if version < LANDLOCK_NETWORK => {
                lacks.push(format!("Landlock {version} instead of {LANDLOCK_NETWORK}: it does not refuse TCP"));
            }
            version if version < LANDLOCK_SIGNALS => lacks.push(format!(
                "Landlock {version} instead of {LANDLOCK_SIGNALS}: it does not keep `git` and `ssh`, where they fetch, \
                 from signaling other processes"
            )),
            _ => {}
        }
        if !self.system_calls {
            lacks.push("no seccomp filter: the kernel lacks it, or the container forbids it".to_owned());
        }
        if !self.namespaces {
            lacks.push("no user namespace: the system or the container forbids it".to_owned());
        }
        lacks
    }
}

impl fmt::Display for Layers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.namespaces.then(|| "namespaces".to_owned()),
            (self.landlock > 0).then(|| format!("Landlock {}", self.landlock)),
            self.system_calls.then(|| "seccomp".to_owned()),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(if parts.is_empty() { "none" } else { "" })?;
        f.write_str(&parts.join(", "))
    }
}

/// What a process may see of the file system. All paths are absolute and exist.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FileSystemView {
    /// Folders and files to read.
    pub read: Vec<PathBuf>,
    /// Folders to write into.
    pub write: Vec<PathBuf>,
    /// An empty folder that the file system of the process is put together in.
    pub root: PathBuf,
}

/// What else a process that has the network needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Programs {
    /// It starts none.
    None,
    /// It starts those of the system, whose system calls depend on their versions.
    Any,
}

/// Confines this process to a view without a network, and hides its memory. It must have one thread. Returns the version
/// of Landlock.
///
/// # Errors
/// A layer cannot be had; the process must end then, as half of it may be on.
pub fn confine_renderer(view: &FileSystemView, layers: Layers) -> Result<u32, String> {
    #[cfg(target_os = "linux")]
    {
        if layers.namespaces {
            namespaces::enter(view).map_err(|error| failed("namespaces", &error))?;
        }
        // not before: who may not be looked into may not write the maps of its own namespace either, unless it is root
        hide_memory().map_err(|error| failed("memory", &error))?;
        if layers == Layers::NONE {
            rustix::thread::set_no_new_privs(true).map_err(|error| failed("no new privileges", &error))?;
            return Ok(0);
        }
        give_up_privileges()?;
        let version = match layers.landlock {
            0 => 0,
            most => {
                files::restrict_renderer(view, most.min(LANDLOCK_NEWEST)).map_err(|error| failed("Landlock", &error))?
            }
        };
        if version < layers.landlock.min(LANDLOCK_NETWORK) {
            return Err(format!("Landlock: version {version} only"));
        }
        if layers.system_calls {
            system_calls::restrict_renderer().map_err(|error| failed("seccomp", &error))?;
        }
        Ok(version)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = view;
        if layers == Layers::NONE { Ok(0) } else { Err("this system has none of it".to_owned()) }
    }
}

/// Confines this process, which needs the network, to writing into the folders of a view and reading what names and
/// certificates of servers are looked up with, and hides its memory. It must have one thread.
///
/// # Errors
/// As for [`confine_renderer`].
pub fn confine_fetcher(view: &FileSystemView, layers: Layers, programs: Programs) -> Result<(), String> {
    #[cfg(target_os = "linux")]
    {
        hide_memory().map_err(|error| failed("memory", &error))?;
        if layers == Layers::NONE {
            return Ok(());
        }
        give_up_privileges()?;
        if layers.landlock > 0 {
            files::restrict_fetcher(view, layers.landlock.min(LANDLOCK_NEWEST), programs)
                .map_err(|error| failed("Landlock", &error))?;
        }
        if layers.system_calls {
            system_calls::restrict_fetcher(programs).map_err(|error| failed("seccomp", &error))?;
        }
        Ok(())
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (view, programs);
        if layers == Layers::NONE { Ok(()) } else { Err("this system has none of it".to_owned()) }
    }
}

/// Closes what this process has inherited beside its standard streams: it may lead to where its confinement does not.
/// Nothing of its own may be open yet.
pub fn close_inherited() {
    #[cfg(target_os = "linux")]
    {
        let listed = std::fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
        let open: Vec<i32> = listed.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
        for descriptor in open.into_iter().filter(|descriptor| *descriptor > 2) {
            // the one that they were listed with has gone already
            let _ = nix::unistd::close(descriptor);
        }
    }
}

#[cfg(target_os = "linux")]
fn failed(what: &str, error: &dyn fmt::Display) -> String {
    format!("{what}: {error}")
}

/// Keeps the memory of this process out of core files and from others of the same user.
#[cfg(target_os = "linux")]
fn hide_memory() -> rustix::io::Result<()> {
    rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable)
}

/// No program that this process starts has more rights than it has; and of those of root only the one to open files of
/// other users stays, which Landlock bounds.
#[cfg(target_os = "linux")]
fn give_up_privileges() -> Result<(), String> {
    use rustix::thread::{CapabilitySet, CapabilitySets, capabilities, set_capabilities, set_no_new_privs};

    set_no_new_privs(true).map_err(|error| failed("no new privileges", &error))?;
    let kept = CapabilitySet::DAC_OVERRIDE | CapabilitySet::DAC_READ_SEARCH;
    let less = capabilities(None).and_then(|has| {
        let [effective, permitted] = [has.effective, has.permitted].map(|set| set & kept);
        set_capabilities(None, CapabilitySets { effective, permitted, inheritable: CapabilitySet::empty() })
    });
    less.map_err(|error| failed("privileges", &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_lacking_is_said() {
        assert!(Layers::ALL.suffices() && Layers::ALL.lacks().is_empty());
        assert_eq!(Layers::ALL.to_string(), "namespaces, Landlock 7, seccomp");
        assert!(!Layers::NONE.suffices() && Layers::NONE.lacks().len() == 3);
        assert_eq!(Layers::NONE.to_string(), "none");
        // the layer that containers forbid most often is not necessary
        let container = Layers { namespaces: false, ..Layers::ALL };
        assert!(container.suffices() && container.lacks()[0].contains("user namespace"));
        let old = Layers { landlock: 3, ..Layers::ALL };
        assert!(!old.suffices() && old.lacks()[0].contains("Landlock 3 instead of 4"));
        let signaling = Layers { landlock: 5, ..Layers::ALL };
        assert!(signaling.suffices() && !signaling.holds_programs() && Layers::ALL.holds_programs());
        assert!(signaling.lacks()[0].contains("Landlock 5 instead of 6"));
    }
}
