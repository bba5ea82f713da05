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

/// A system call with numbers as arguments; whatever they are, the kernel checks them.
pub(super) fn call(number: libc::c_long, arguments: [libc::c_long; 4]) -> io::Result<libc::c_long> {
    let [a, b, c, d] = arguments;
    // SAFETY: no number that the attempts pass is the address of something of this process
    let result = unsafe { libc::syscall(number, a, b, c, d, 0, 0) };
    Ok(Errno::result(result)?)
}

/// Starts a process that ends at once, with more flags than that takes.
pub(super) fn fork_with(flags: libc::c_int) -> io::Result<()> {
    let flags = libc::c_long::from(flags | libc::SIGCHLD);
    // without a stack it is a fork; this process has one thread
    if call(libc::SYS_clone, [flags, 0, 0, 0])? == 0 {
        // SAFETY: it ends without running what this process has registered for its end
        unsafe { libc::_exit(0) };
    }
    Ok(())
}

/// Sends a process a signal of real time, with a value of this process's choice.
pub(super) fn signal_with_value(process: libc::pid_t) -> io::Result<()> {
    // number, error, code (as from a queue), padding, sender and user; the rest is nothing
    let mut about = [0 as libc::c_int; 32];
    about[0] = libc::SIGRTMIN();
    about[2] = -1;
    about[4] = std::process::id() as libc::c_int;
    // SAFETY: the kernel reads as much as the array holds, which outlives the call
    let result = unsafe { libc::syscall(libc::SYS_rt_sigqueueinfo, process, libc::SIGRTMIN(), about.as_ptr()) };
    Ok(Errno::result(result).map(drop)?)
}
