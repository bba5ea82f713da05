//! A process in namespaces of its own: it sees the folders of its view at their places, and no network.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sched::{CloneFlags, unshare};
use nix::sys::statvfs::{FsFlags, statvfs};
use nix::unistd::pivot_root;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities};

use super::FileSystemView;

/// Most threads of a process in a namespace.
const MAX_THREADS: u64 = 1_024;
/// Room for the folders of mount points, and nothing else.
const ROOT_OPTIONS: &str = "size=1m,nr_inodes=4096,mode=0755";

/// Enters the namespaces.
pub(super) fn enter(view: &FileSystemView) -> io::Result<()> {
    let (user, group) = (rustix::process::getuid().as_raw(), rustix::process::getgid().as_raw());
    let cwd = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
    unshare(
        CloneFlags::CLONE_NEWUSER
            | CloneFlags::CLONE_NEWNS
            | CloneFlags::CLONE_NEWNET
            | CloneFlags::CLONE_NEWIPC
            | CloneFlags::CLONE_NEWUTS,
    )?;
    // the same user and group, and no other
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1\n"))?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1\n"))?;
    change_root(view, &cwd)?;
    // threads are counted for each user of a namespace: these are ours alone
    let most = getrlimit(Resource::Nproc).maximum.unwrap_or(u64::MAX).min(MAX_THREADS);
    setrlimit(Resource::Nproc, Rlimit { current: Some(most), maximum: Some(most) })?;
    let none = CapabilitySet::empty();
    set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })?;
    Ok(())
}

/// Puts together a file system of the view alone, and makes it the root.
fn change_root(view: &FileSystemView, cwd: &Path) -> io::Result<()> {
    let (nothing, root) = (None::<&str>, view.root.as_path());
    mount(nothing, "/", nothing, MsFlags::MS_REC | MsFlags::MS_PRIVATE, nothing)?;
    let plain = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
    mount(Some("tmpfs"), root, Some("tmpfs"), plain, Some(ROOT_OPTIONS))?;
    fs::create_dir_all(path_below_root(root, cwd))?;
    let read = view.read.iter().map(|path| (path, true));
    let mut places: Vec<(&PathBuf, bool)> = read.chain(view.write.iter().map(|path| (path, false))).collect();
    // what lies in another one is mounted over it
    places.sort_by_key(|(path, _)| path.components().count());
    for (path, is_read_only) in places {
        let target = path_below_root(root, path);
        if path.is_dir() {
            fs::create_dir_all(&target)?;
        } else {
            target.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::File::options().create(true).append(true).open(&target)?;
        }
        mount(Some(path), &target, nothing, MsFlags::MS_BIND | MsFlags::MS_REC, nothing)?;
        if is_read_only {
            let flags = MsFlags::MS_BIND | MsFlags::MS_REMOUNT | MsFlags::MS_RDONLY | locked_flags(&target)?;
            mount(nothing, &target, nothing, flags, nothing)?;
        }
    }
    std::env::set_current_dir(root)?;
    // the old root comes to lie over the new one, and is taken away
    pivot_root(".", ".")?;
    umount2(".", MntFlags::MNT_DETACH)?;
    let flags = MsFlags::MS_BIND | MsFlags::MS_REMOUNT | MsFlags::MS_RDONLY | plain;
    mount(nothing, "/", nothing, flags, nothing)?;
    std::env::set_current_dir(cwd)
}

/// Where an absolute path is below another root.
fn path_below_root(root: &Path, path: &Path) -> PathBuf {
    let names = path.components().filter(|part| matches!(part, Component::Normal(_)));
    names.fold(root.to_owned(), |below, name| below.join(name))
}

/// Flags of a mount that a namespace may not take away.
fn locked_flags(path: &Path) -> io::Result<MsFlags> {
    let set = statvfs(path)?.flags();
    let pairs = [
        (FsFlags::ST_NOSUID, MsFlags::MS_NOSUID),
        (FsFlags::ST_NODEV, MsFlags::MS_NODEV),
        (FsFlags::ST_NOEXEC, MsFlags::MS_NOEXEC),
        (FsFlags::ST_NOATIME, MsFlags::MS_NOATIME),
        (FsFlags::ST_NODIRATIME, MsFlags::MS_NODIRATIME),
        (FsFlags::ST_RELATIME, MsFlags::MS_RELATIME),
    ];
    Ok(pairs.into_iter().filter(|(flag, _)| set.contains(*flag)).fold(MsFlags::empty(), |all, (_, flag)| all | flag))
}
