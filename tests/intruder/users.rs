//! The same as each user: root may do what others may not, and so may its intruder.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, ExitCode};

use nix::sched::{CloneFlags, unshare};

/// An ordinary user, who need not have a name.
const ORDINARY: u32 = 64_321;

/// Checks all attempts as this user; if that is root, as an ordinary one, too.
pub(super) fn check_as_each() -> ExitCode {
    let home = tempfile::tempdir().expect("a folder");
    let root = home.path().canonicalize().expect("a folder");
    fs::set_permissions(&root, fs::Permissions::from_mode(0o755)).expect("rights");
    // where they were built, others may not have a right to be
    let intruder = place(&std::env::current_exe().expect("this program"), &root.join("intruder"));
    let program = place(env!("CARGO_BIN_EXE_offprint").as_ref(), &root.join("offprint"));
    let own = rustix::process::getuid().as_raw();
    let users = if own == 0 { vec![0, ORDINARY] } else { vec![own] };
    let mut result = ExitCode::SUCCESS;
    for user in users {
        let folder = root.join(format!("user-{user}"));
        fs::create_dir(&folder).expect("a folder");
        let mut command = Command::new(&intruder);
        command.arg("check").arg(&program).arg(&folder).current_dir(&folder);
        if own == 0 {
            chown(&folder, Some(user), Some(user)).expect("an owner");
            command.uid(user).gid(user);
        }
        println!("as user {user}:");
        if !command.status().expect("a process").success() {
            result = ExitCode::FAILURE;
        }
    }
    result
}

/// Has a program at another place, for all to run.
fn place(program: &Path, at: &Path) -> std::path::PathBuf {
    fs::hard_link(program, at).or_else(|_| fs::copy(program, at).map(drop)).expect("a copy of a program");
    at.to_owned()
}

/// Whether this user may have namespaces, found out without any of our code.
pub(super) fn enter_namespaces() -> ExitCode {
    let (user, group) = (rustix::process::getuid().as_raw(), rustix::process::getgid().as_raw());
    let flags = CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWNS | CloneFlags::CLONE_NEWNET;
    let entered = unshare(flags).map_err(std::io::Error::from).and_then(|()| {
        fs::write("/proc/self/setgroups", "deny")?;
        fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
        fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
        let nothing = None::<&str>;
        let flags = nix::mount::MsFlags::MS_REC | nix::mount::MsFlags::MS_PRIVATE;
        Ok(nix::mount::mount(nothing, "/", nothing, flags, nothing)?)
    });
    if entered.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
