//! Which system calls programs of the system may make that a fetcher starts: `ssh`, and `git` of this machine's
//! repositories.
//!
//! What they call depends on their versions and on those of their libraries, so the list is not made of recordings
//! alone. It holds families of calls: what any program needs that reads and writes files, speaks TCP and starts others.
//! What is left out is what reaches beyond that: other processes, their memory and the memory that they share, keys of
//! the kernel, file systems, namespaces, and sockets of this machine. Calls that a newer system has are left out until
//! they are listed; the C library does without those that it does not get.

use libc::c_long;

/// Allowed with any arguments, beside what all may do and what the network takes.
pub(super) const ALLOWED: &[c_long] = &[
    // other programs: which they are is a matter of files
    libc::SYS_execve,
    libc::SYS_kill,
    libc::SYS_tgkill,
    libc::SYS_setsid,
    libc::SYS_getsid,
    libc::SYS_setpgid,
    libc::SYS_getpgid,
    libc::SYS_getppid,
    // who they are: without privileges they become no other user
    libc::SYS_getgroups,
    libc::SYS_getresuid,
    libc::SYS_getresgid,
    libc::SYS_setuid,
    libc::SYS_setgid,
    libc::SYS_setreuid,
    libc::SYS_setregid,
    libc::SYS_setresuid,
    libc::SYS_setresgid,
    libc::SYS_setgroups,
    libc::SYS_capget,
    libc::SYS_setrlimit,
    // files
    libc::SYS_symlinkat,
    libc::SYS_truncate,
    libc::SYS_sync_file_range,
    libc::SYS_tee,
    libc::SYS_vmsplice,
    libc::SYS_mlock,
    libc::SYS_munlock,
    // time and waiting
    libc::SYS_getitimer,
    libc::SYS_setitimer,
    libc::SYS_timer_create,
    libc::SYS_timer_settime,
    libc::SYS_timer_gettime,
    libc::SYS_timer_getoverrun,
    libc::SYS_timer_delete,
    libc::SYS_timerfd_create,
    libc::SYS_timerfd_settime,
    libc::SYS_timerfd_gettime,
    libc::SYS_times,
    libc::SYS_pselect6,
    libc::SYS_rt_sigsuspend,
    libc::SYS_rt_sigpending,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_signalfd4,
    // processors
    libc::SYS_getcpu,
    libc::SYS_getpriority,
    libc::SYS_sched_getparam,
    libc::SYS_sched_getscheduler,
    libc::SYS_sched_get_priority_max,
    libc::SYS_sched_get_priority_min,
];

/// The same under names that newer systems have no more.
#[cfg(target_arch = "x86_64")]
pub(super) const ALLOWED_OLD: &[c_long] = &[
    libc::SYS_fork,
    libc::SYS_vfork,
    libc::SYS_getpgrp,
    libc::SYS_creat,
    libc::SYS_symlink,
    libc::SYS_getdents,
    libc::SYS_alarm,
    libc::SYS_pause,
    libc::SYS_select,
    libc::SYS_epoll_create,
    libc::SYS_eventfd,
    libc::SYS_signalfd,
];
#[cfg(not(target_arch = "x86_64"))]
pub(super) const ALLOWED_OLD: &[c_long] = &[];

/// What a new process may not have of its own: in a namespace it has privileges.
pub(super) const NAMESPACES: u64 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET) as u64;

/// What a process may set about itself.
pub(super) const PRCTL_OPTIONS: &[i32] = &[
    libc::PR_SET_NAME,
    libc::PR_GET_NAME,
    libc::PR_SET_VMA,
    libc::PR_SET_DUMPABLE,
    libc::PR_GET_DUMPABLE,
    libc::PR_SET_PDEATHSIG,
    libc::PR_GET_PDEATHSIG,
    libc::PR_SET_NO_NEW_PRIVS,
    libc::PR_GET_NO_NEW_PRIVS,
    libc::PR_CAPBSET_READ,
];

/// Requests about terminals, which they look for, about what can be read, about interfaces, and for a copy of a file.
pub(super) const REQUESTS: &[u64] = &[
    TCGETS,
    TCGETS2,
    TCSETS,
    TCSETSW,
    TCSETSF,
    TIOCGPGRP,
    TIOCGWINSZ,
    FIONREAD,
    FIONBIO,
    FIOCLEX,
    FIONCLEX,
    SIOCGIFNAME,
    SIOCGIFINDEX,
    FICLONE,
];
const TCGETS: u64 = 0x5401;
const TCGETS2: u64 = 0x802c_542a;
const TCSETS: u64 = 0x5402;
const TCSETSW: u64 = 0x5403;
const TCSETSF: u64 = 0x5404;
const TIOCGPGRP: u64 = 0x540f;
const TIOCGWINSZ: u64 = 0x5413;
const FIONREAD: u64 = 0x541b;
const FIONBIO: u64 = 0x5421;
const FIOCLEX: u64 = 0x5451;
const FIONCLEX: u64 = 0x5450;
const SIOCGIFNAME: u64 = 0x8910;
const SIOCGIFINDEX: u64 = 0x8933;
const FICLONE: u64 = 0x4004_9409;
