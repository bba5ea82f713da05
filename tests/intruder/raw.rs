//! System calls for which there is no safe function: what an intruder makes does not depend on what libraries offer.

#![allow(
    unsafe_code,
    reason = "an intruder is not held to safe functions, and what it passes is checked by the kernel"
)]

use std::io;
use std::os::fd::{AsFd, AsRawFd as _};

use nix::errno::Errno;
use nix::libc;

/// A command of `fcntl`.
pub(super) fn fcntl(file: &impl AsFd, command: libc::c_int, argument: libc::c_int) -> io::Result<()> {
    // SAFETY: the commands of the attempts take a number
    let result = unsafe { libc::fcntl(file.as_fd().as_raw_fd(), command, argument) };
    Ok(Errno::result(result).map(drop)?)
}

/// The command of `fcntl` that names a process as the owner of a descriptor by a structure.
pub(super) fn set_owner(file: &impl AsFd, process: libc::pid_t) -> io::Result<()> {
    const F_SETOWN_EX: libc::c_int = 15;
    // the kind of owner, a process, and which
    let owner: [libc::c_int; 2] = [1, process];
    // SAFETY: the structure is two numbers, which outlive the call
    let result = unsafe { libc::fcntl(file.as_fd().as_raw_fd(), F_SETOWN_EX, owner.as_ptr()) };
    Ok(Errno::result(result).map(drop)?)
}

/// A request of `ioctl` that takes a number.
pub(super) fn ioctl(file: &impl AsFd, request: u32, value: libc::c_int) -> io::Result<()> {
    // SAFETY: the number outlives the call
    let result = unsafe { libc::ioctl(file.as_fd().as_raw_fd(), request as _, &raw const value) };
    Ok(Errno::result(result).map(drop)?)
}

/// Maps memory that is shared with other processes, of which there are none.
pub(super) fn share_memory(bytes: usize) -> io::Result<()> {
    let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_ANONYMOUS);
    // SAFETY: the kernel chooses a place where nothing is, and nothing refers to it
    let place = unsafe { libc::mmap(std::ptr::null_mut(), bytes, access, kind, -1, 0) };
    if place == libc::MAP_FAILED { Err(io::Error::last_os_error()) } else { Ok(()) }
}
