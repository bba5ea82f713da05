//! Seccomp: which system calls a process may make.
//!
//! The list holds what recorded runs make (`strace -f` of exports of all kinds, with a margin for other versions of
//! the C library): files, memory, threads, time, and one's own signals. Every other call fails as if the kernel did not
//! know it (`ENOSYS`), which libraries are prepared for: `clone3`, whose arguments no filter can see, becomes `clone`.
//! What only an attacker calls ends the process, so that it is seen.
//!
//! Landlock does not know of owners, modes, times and attributes of files: no process of ours changes them, by name or by
//! descriptor, and neither do the programs that a fetcher starts (`program_calls`). A renderer moreover keeps each file that it has made visible under a name, and shares no memory, so that
//! what it takes can be counted from outside.

use std::collections::BTreeMap;

use libc::c_long;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter,
};

use super::{Programs, program_calls};

type Rules = BTreeMap<c_long, Vec<SeccompRule>>;

/// Allowed with any arguments.
const ALLOWED: &[c_long] = &[
    // bytes of files that are open
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_pread64,
    libc::SYS_preadv,
    libc::SYS_preadv2,
    libc::SYS_write,
    libc::SYS_writev,
    libc::SYS_pwrite64,
    libc::SYS_pwritev,
    libc::SYS_pwritev2,
    libc::SYS_lseek,
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_pipe2,
    libc::SYS_flock,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_ftruncate,
    libc::SYS_fallocate,
    libc::SYS_fadvise64,
    libc::SYS_readahead,
    libc::SYS_copy_file_range,
    libc::SYS_sendfile,
    libc::SYS_splice,
    // names of files
    libc::SYS_newfstatat,
    libc::SYS_fstat,
    libc::SYS_statx,
    libc::SYS_statfs,
    libc::SYS_fstatfs,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_readlinkat,
    libc::SYS_getdents64,
    libc::SYS_getcwd,
    libc::SYS_chdir,
    libc::SYS_fchdir,
    libc::SYS_mkdirat,
    libc::SYS_umask,
    // memory
    libc::SYS_brk,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_madvise,
    libc::SYS_mincore,
    libc::SYS_msync,
    libc::SYS_membarrier,
    // threads
    libc::SYS_futex,
    libc::SYS_set_robust_list,
    libc::SYS_get_robust_list,
    libc::SYS_set_tid_address,
    libc::SYS_rseq,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_gettid,
    libc::SYS_getpid,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_restart_syscall,
    // signals to itself
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    // time, chance, and what the machine is
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_clock_nanosleep,
    libc::SYS_nanosleep,
    libc::SYS_gettimeofday,
    libc::SYS_getrandom,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_getrusage,
    libc::SYS_getrlimit,
    libc::SYS_sysinfo,
    libc::SYS_uname,
    // waiting for what is open: a pair of sockets has no name and no network
    libc::SYS_ppoll,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    libc::SYS_epoll_pwait2,
    libc::SYS_eventfd2,
    libc::SYS_socketpair,
    libc::SYS_recvfrom,
    libc::SYS_shutdown,
];

/// The same under names that newer systems have no more.
#[cfg(target_arch = "x86_64")]
const ALLOWED_OLD: &[c_long] = &[
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_access,
    libc::SYS_readlink,
    libc::SYS_mkdir,
    libc::SYS_dup2,
    libc::SYS_pipe,
    libc::SYS_poll,
    libc::SYS_epoll_wait,
    libc::SYS_time,
    libc::SYS_arch_prctl,
];
#[cfg(not(target_arch = "x86_64"))]
const ALLOWED_OLD: &[c_long] = &[];

/// What a process that has the network may do beside.
const NETWORK: &[c_long] = &[
    // files that it opens, replaces and removes
    libc::SYS_openat,
    libc::SYS_openat2,
    libc::SYS_unlinkat,
    libc::SYS_linkat,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_getsockname,
    libc::SYS_getpeername,
    libc::SYS_getsockopt,
    libc::SYS_setsockopt,
    libc::SYS_sendto,
    libc::SYS_sendmsg,
    libc::SYS_sendmmsg,
    libc::SYS_recvmsg,
    libc::SYS_recvmmsg,
    libc::SYS_mmap,
    libc::SYS_mprotect,
    // for the process that it has started
    libc::SYS_wait4,
    libc::SYS_waitid,
    libc::SYS_pidfd_send_signal,
];

/// The same under names that newer systems have no more.
#[cfg(target_arch = "x86_64")]
const NETWORK_OLD: &[c_long] = &[libc::SYS_open, libc::SYS_rmdir, libc::SYS_unlink, libc::SYS_link, libc::SYS_rename];
#[cfg(not(target_arch = "x86_64"))]
const NETWORK_OLD: &[c_long] = &[];

/// What changes owners, modes, times, attributes and limits beyond what Landlock knows of. No list allows it; programs of
/// the system, which make some of it, are told that they have not the right.
const UNGOVERNED: &[c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    // `fchmodat2`, `setxattrat`, `removexattrat` and `file_setattr`, which have the same numbers on all processors
    452,
    463,
    466,
    469,
    libc::SYS_setpriority,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setattr,
    libc::SYS_ioprio_set,
];

/// The same under names that newer systems have no more.
#[cfg(target_arch = "x86_64")]
const UNGOVERNED_OLD: &[c_long] =
    &[libc::SYS_chmod, libc::SYS_chown, libc::SYS_lchown, libc::SYS_utime, libc::SYS_utimes, libc::SYS_futimesat];
#[cfg(not(target_arch = "x86_64"))]
const UNGOVERNED_OLD: &[c_long] = &[];

/// Commands of `fcntl` that concern a descriptor, its flags and locks alone.
const FCNTL_COMMANDS: &[i32] = &[
    libc::F_DUPFD,
    libc::F_DUPFD_CLOEXEC,
    libc::F_GETFD,
    libc::F_SETFD,
    libc::F_GETFL,
    libc::F_GETLK,
    libc::F_SETLK,
    libc::F_SETLKW,
    libc::F_OFD_GETLK,
    libc::F_OFD_SETLK,
    libc::F_OFD_SETLKW,
];
/// No process of ours makes these: one that does has been taken over.
const FATAL: &[c_long] = &[
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_kcmp,
    libc::SYS_pidfd_getfd,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_mount_setattr,
    libc::SYS_setns,
    libc::SYS_unshare,
    libc::SYS_open_by_handle_at,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_reboot,
    libc::SYS_swapon,
];

/// No network, no processes, no new code.
pub(super) fn restrict_renderer() -> Result<(), String> {
    let mut rules = common()?;
    let runs = libc::PROT_EXEC as u64;
    let unshared = (3, SeccompCmpOp::MaskedEq(libc::MAP_SHARED as u64), 0);
    let of_file = (3, SeccompCmpOp::MaskedEq(libc::MAP_ANONYMOUS as u64), 0);
    let memory = [unshared, of_file].map(|kind| rule(&[(2, SeccompCmpOp::MaskedEq(runs), 0), kind]));
    rules.insert(libc::SYS_mmap, memory.into_iter().collect::<Result<_, _>>()?);
    rules.insert(libc::SYS_mprotect, vec![rule(&[(2, SeccompCmpOp::MaskedEq(runs), 0)])?]);
    // to what is connected already: no address
    rules.insert(libc::SYS_sendto, vec![rule(&[(4, SeccompCmpOp::Eq, 0)])?]);
    keep_names(&mut rules)?;
    let fatal = FATAL.iter().chain(&[libc::SYS_execve, libc::SYS_execveat]);
    apply_seccomp_rules(
        fatal.map(|call| (*call, Vec::new())).collect(),
        SeccompAction::Allow,
        SeccompAction::KillProcess,
    )?;
    apply_seccomp_rules(rules, UNKNOWN, SeccompAction::Allow)
}

/// Allows opening files that have a name, and giving a file another one that nothing has: what no name leads to takes
/// room unseen.
fn keep_names(rules: &mut Rules) -> Result<(), String> {
    let nameless = (libc::O_TMPFILE & !libc::O_DIRECTORY) as u64;
    rules.insert(libc::SYS_openat, vec![rule(&[(2, SeccompCmpOp::MaskedEq(nameless), 0)])?]);
    #[cfg(target_arch = "x86_64")]
    rules.insert(libc::SYS_open, vec![rule(&[(1, SeccompCmpOp::MaskedEq(nameless), 0)])?]);
    let to_new_name = rule(&[(4, SeccompCmpOp::Eq, u64::from(libc::RENAME_NOREPLACE))])?;
    rules.insert(libc::SYS_renameat2, vec![to_new_name]);
    Ok(())
}

/// The network of the Internet protocols, and as much as programs of the system need if it starts any.
pub(super) fn restrict_fetcher(programs: Programs) -> Result<(), String> {
    apply_seccomp_rules(
        FATAL.iter().map(|call| (*call, Vec::new())).collect(),
        SeccompAction::Allow,
        SeccompAction::KillProcess,
    )?;
    let mut rules = common()?;
    rules.extend(NETWORK.iter().chain(NETWORK_OLD).map(|call| (*call, Vec::new())));
    rules.insert(libc::SYS_socket, one_of(0, &[libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK])?);
    match programs {
        // its own process group
        Programs::None => drop(rules.insert(libc::SYS_kill, vec![rule(&[(0, SeccompCmpOp::Eq, 0)])?])),
        Programs::Any => {
            let ungoverned: Rules = UNGOVERNED.iter().chain(UNGOVERNED_OLD).map(|call| (*call, Vec::new())).collect();
            // a filter of their own refuses them, because the list cannot say in another way that it does: what one
            // filter allows and another refuses is refused
            apply_seccomp_rules(ungoverned.clone(), SeccompAction::Allow, FORBIDDEN)?;
            rules.extend(ungoverned);
            allow_programs(&mut rules)?;
        }
    }
    apply_seccomp_rules(rules, UNKNOWN, SeccompAction::Allow)
}

/// Allows what programs of the system need beside what a fetcher does.
fn allow_programs(rules: &mut Rules) -> Result<(), String> {
    rules.extend(program_calls::ALLOWED.iter().chain(program_calls::ALLOWED_OLD).map(|call| (*call, Vec::new())));
    rules.insert(libc::SYS_clone, vec![rule(&[(0, SeccompCmpOp::MaskedEq(program_calls::NAMESPACES), 0)])?]);
    rules.insert(libc::SYS_prctl, one_of(0, program_calls::PRCTL_OPTIONS)?);
    let requests = program_calls::REQUESTS.iter().map(|request| rule(&[(1, SeccompCmpOp::Eq, *request)]));
    rules.insert(libc::SYS_ioctl, requests.collect::<Result<_, _>>()?);
    Ok(())
}

/// As if the kernel did not have the call.
const UNKNOWN: SeccompAction = SeccompAction::Errno(libc::ENOSYS as u32);
/// As if the user had not the right.
const FORBIDDEN: SeccompAction = SeccompAction::Errno(libc::EPERM as u32);

/// What all may do.
fn common() -> Result<Rules, String> {
    let mut rules: Rules = ALLOWED.iter().chain(ALLOWED_OLD).map(|call| (*call, Vec::new())).collect();
    let thread = libc::CLONE_THREAD as u64;
    rules.insert(libc::SYS_clone, vec![rule(&[(0, SeccompCmpOp::MaskedEq(thread), thread)])?]);
    let own = u64::from(std::process::id());
    rules.insert(libc::SYS_tgkill, vec![rule(&[(0, SeccompCmpOp::Eq, own)])?]);
    // of itself: 0 is the caller
    rules.insert(libc::SYS_prlimit64, vec![rule(&[(0, SeccompCmpOp::Eq, 0)])?]);
    rules.insert(libc::SYS_prctl, one_of(0, &[libc::PR_SET_NAME, libc::PR_GET_NAME, libc::PR_SET_VMA])?);
    let mut commands = one_of(1, FCNTL_COMMANDS)?;
    // whether reads wait, but not who is sent a signal when they need not
    let asynchronous = SeccompCmpOp::MaskedEq(libc::O_ASYNC as u64);
    commands.push(rule(&[(1, SeccompCmpOp::Eq, libc::F_SETFL as u64), (2, asynchronous, 0)])?);
    rules.insert(libc::SYS_fcntl, commands);
    // whether this is a terminal, its width, and whether reads wait
    let requests = [libc::TCGETS, libc::TIOCGWINSZ, libc::FIONBIO, libc::FIOCLEX];
    #[allow(clippy::unnecessary_cast, reason = "C libraries have it in different types")]
    let ioctl = requests.iter().map(|request| rule(&[(1, SeccompCmpOp::Eq, *request as u64)]));
    rules.insert(libc::SYS_ioctl, ioctl.collect::<Result<_, _>>()?);
    Ok(rules)
}

/// A rule for each value that an argument may have.
fn one_of(argument: u8, values: &[i32]) -> Result<Vec<SeccompRule>, String> {
    values.iter().map(|value| rule(&[(argument, SeccompCmpOp::Eq, *value as u64)])).collect()
}

/// A rule about arguments, each compared in its lower half: what lies above is no part of these.
fn rule(conditions: &[(u8, SeccompCmpOp, u64)]) -> Result<SeccompRule, String> {
    let conditions = conditions.iter().map(|(argument, operator, value)| {
        // an address is as long as a register
        let length = if *argument == 4 { SeccompCmpArgLen::Qword } else { SeccompCmpArgLen::Dword };
        SeccompCondition::new(*argument, length, operator.clone(), *value)
    });
    let conditions = conditions.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
    SeccompRule::new(conditions).map_err(|error| error.to_string())
}

fn apply_seccomp_rules(rules: Rules, otherwise: SeccompAction, on_match: SeccompAction) -> Result<(), String> {
    let architecture: TargetArch =
        std::env::consts::ARCH.try_into().map_err(|_| "not for this processor".to_owned())?;
    let filter = SeccompFilter::new(rules, otherwise, on_match, architecture).map_err(|error| error.to_string())?;
    let program: BpfProgram = filter.try_into().map_err(|error: seccompiler::BackendError| error.to_string())?;
    apply_filter(&program).map_err(|error| error.to_string())
}
