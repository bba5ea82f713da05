//! What an intruder tries, each by itself.

use std::error::Error;
use std::fs::{self, Permissions};
use std::io::Write as _;
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs as _, UdpSocket};
use std::os::fd::AsRawFd as _;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::process::{Command, ExitCode};
use std::time::Duration;

use nix::libc;
use nix::sched::{CloneFlags, setns, unshare};
use nix::sys::ptrace;
use nix::sys::signal::{Signal, kill};
use nix::sys::socket::{AddressFamily, SockFlag, SockType, socket};
use nix::sys::uio::{RemoteIoVec, process_vm_readv, process_vm_writev};
use nix::unistd::Pid;
use offprint::confine::{FileSystemView, Layers, Programs, confine_fetcher, confine_renderer};
use rustix::fs::{
    AtFlags, CWD, Mode, OFlags, Timespec, Timestamps, XattrFlags, chmodat, chownat, fchown, futimens, lsetxattr,
    utimensat,
};
use rustix::process::{PidfdFlags, Resource, Rlimit, getrlimit, setrlimit};

use super::raw;
use super::world::World;

/// One attempt: it is a success if it returns without an error.
pub(super) struct Attempt {
    pub(super) name: &'static str,
    pub(super) without: Without,
    /// What holds it, each by itself.
    pub(super) held: u8,
    /// It has succeeded when the victim has ended, whatever the system has said.
    pub(super) is_felt: bool,
    make: fn(&World) -> Outcome,
}

/// A namespace of its own.
pub(super) const NAMESPACES: u8 = 1;
/// Landlock of version 4, which is the least that suffices.
pub(super) const LANDLOCK: u8 = 2;
/// Landlock of version 6.
pub(super) const LANDLOCK_6: u8 = 4;
/// Seccomp.
pub(super) const SECCOMP: u8 = 8;
/// What comes with any layer: no privileges of root, no new ones, and the limits of the process.
pub(super) const ALWAYS: u8 = 16;

/// What becomes of it without confinement.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Without {
    /// It succeeds.
    Succeeds,
    /// It may fail: the user has not the right, or the machine has not the thing.
    MayFail,
    /// It is not made: it would be felt beyond this machine, or by all of it.
    Omitted,
}

/// Which process is taken over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Renderer,
    Fetcher,
    /// One that runs programs of the system: for repositories of this machine, or over `ssh`.
    FetcherWithPrograms,
}

impl Role {
    pub(super) const ALL: [(&'static str, Self); 3] = [
        ("renderer", Self::Renderer),
        ("fetcher", Self::Fetcher),
        ("fetcher with programs", Self::FetcherWithPrograms),
    ];

    /// What holds an attempt, each by itself; `None` if it is not among those of this process.
    pub(super) fn held(self, attempt: &Attempt) -> Option<u8> {
        let of_fetcher = || FETCHER.iter().find(|(name, ..)| *name == attempt.name);
        match self {
            Self::Renderer => Some(attempt.held),
            Self::Fetcher => of_fetcher().map(|(_, held, _)| *held),
            Self::FetcherWithPrograms => of_fetcher().map(|(.., held)| *held),
        }
    }

    fn confine(self, view: &FileSystemView, layers: Layers) -> Result<(), String> {
        match self {
            Self::Renderer => confine_renderer(view, layers).map(drop),
            Self::Fetcher => confine_fetcher(view, layers, Programs::None),
            Self::FetcherWithPrograms => confine_fetcher(view, layers, Programs::Any),
        }
    }
}

/// What a fetcher is held by, where that is more than a renderer is held by at the least: it needs the network and reads
/// what servers' names are looked up with. With the attempt, what holds one that runs no programs, and one that does.
pub(super) const FETCHER: &[(&str, u8, u8)] = &[
    ("read the store", LANDLOCK, LANDLOCK),
    ("read the key of links", LANDLOCK, LANDLOCK),
    ("list the private keys of the system", LANDLOCK, LANDLOCK),
    ("write into another job", LANDLOCK, LANDLOCK),
    ("replace the store", LANDLOCK, LANDLOCK),
    ("lock the data folder", SECCOMP, SECCOMP),
    ("open the key to all", SECCOMP, SECCOMP),
    ("open the key to all by a descriptor", SECCOMP, SECCOMP),
    ("lock the source by a descriptor", SECCOMP, SECCOMP),
    ("change the times of the key", SECCOMP, SECCOMP),
    ("change the times of the source by a descriptor", SECCOMP, SECCOMP),
    ("give the key to somebody", SECCOMP, SECCOMP),
    ("give the source to somebody by a descriptor", SECCOMP, SECCOMP),
    ("attach something to the key", SECCOMP, SECCOMP),
    ("empty the store", LANDLOCK | SECCOMP, LANDLOCK),
    ("listen by TCP", LANDLOCK, LANDLOCK),
    ("trace a process", LANDLOCK | SECCOMP, LANDLOCK | SECCOMP),
    ("read the memory of a process", LANDLOCK | SECCOMP, LANDLOCK | SECCOMP),
    ("write into the memory of a process", LANDLOCK | SECCOMP, LANDLOCK | SECCOMP),
    ("open the memory of another process", LANDLOCK, LANDLOCK),
    ("signal a process", LANDLOCK_6 | SECCOMP, LANDLOCK_6),
    ("signal by a descriptor", LANDLOCK_6 | SECCOMP, LANDLOCK_6 | SECCOMP),
    ("signal a process with a value", LANDLOCK_6 | SECCOMP, LANDLOCK_6 | SECCOMP),
    ("signal a process by the owner of a socket", LANDLOCK_6 | SECCOMP, LANDLOCK_6 | SECCOMP),
    ("signal a process by a request", LANDLOCK_6 | SECCOMP, LANDLOCK_6 | SECCOMP),
    ("signal a process by a structure", LANDLOCK_6 | SECCOMP, LANDLOCK_6 | SECCOMP),
    ("keep others from writing the source", SECCOMP, SECCOMP),
    ("make a file in memory", SECCOMP, SECCOMP),
    ("connect to a unix socket", SECCOMP, SECCOMP),
    ("connect to an abstract socket", LANDLOCK_6 | SECCOMP, LANDLOCK_6 | SECCOMP),
    ("enter a user namespace", SECCOMP, SECCOMP),
    ("start a process in a user namespace", SECCOMP, SECCOMP),
    ("share memory under a number", SECCOMP, SECCOMP),
    ("add a key to those of the kernel", SECCOMP, SECCOMP),
    ("read the keys of the kernel", SECCOMP, SECCOMP),
    ("load a program into the kernel", SECCOMP, SECCOMP),
    ("measure another process", SECCOMP, SECCOMP),
    ("answer for the memory of a process", SECCOMP, SECCOMP),
    ("make calls by a queue", SECCOMP, SECCOMP),
    ("slow another process down", SECCOMP, SECCOMP),
    ("bound another process", SECCOMP, SECCOMP),
    ("make a call of another processor", SECCOMP, SECCOMP),
    ("mount a file system", ALWAYS, ALWAYS),
    ("enter the namespaces of the system", ALWAYS, ALWAYS),
    ("change the root", ALWAYS, ALWAYS),
    ("become another user", ALWAYS, ALWAYS),
];

type Outcome = Result<(), Box<dyn Error>>;

/// Makes the attempt of a name, confined.
pub(super) fn make(name: &str, world: &str, role: &str, layers: &str) -> ExitCode {
    let world: World = serde_json::from_str(world).expect("a world");
    let layers: Layers = serde_json::from_str(layers).expect("layers");
    let (_, role) = Role::ALL.iter().find(|(word, _)| *word == role).expect("a role");
    let attempt = ATTEMPTS.iter().find(|attempt| attempt.name == name).expect("an attempt");
    let has_certificates = fs::read_dir("/etc/ssl/certs").is_ok();
    if let Err(error) = role.confine(&world.view, layers) {
        println!("not confined: {error}");
        return ExitCode::FAILURE;
    }
    // it can do what it is for
    fs::read(world.view.read[0].join("index.md")).expect("the source");
    fs::write(world.view.write[0].join("page.html"), "made").expect("a page");
    if *role != Role::Renderer && has_certificates {
        fs::read_dir("/etc/ssl/certs").expect("the public certificates");
    }
    match (attempt.make)(&world) {
        Ok(()) => println!("done"),
        Err(error) => println!("refused: {error}"),
    }
    ExitCode::SUCCESS
}

const fn attempt(name: &'static str, held: u8, make: fn(&World) -> Outcome) -> Attempt {
    Attempt { name, without: Without::Succeeds, held, is_felt: false, make }
}

const fn signal(name: &'static str, held: u8, make: fn(&World) -> Outcome) -> Attempt {
    Attempt { name, without: Without::Succeeds, held, is_felt: true, make }
}

const fn privileged(name: &'static str, held: u8, make: fn(&World) -> Outcome) -> Attempt {
    Attempt { name, without: Without::MayFail, held, is_felt: false, make }
}

const fn omitted(name: &'static str, held: u8, make: fn(&World) -> Outcome) -> Attempt {
    Attempt { name, without: Without::Omitted, held, is_felt: false, make }
}

fn victim(world: &World) -> Pid {
    Pid::from_raw(world.victim as i32)
}

fn loopback(port: u16) -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], port))
}

fn connect(address: SocketAddr) -> Outcome {
    Ok(TcpStream::connect_timeout(&address, Duration::from_secs(5)).map(drop)?)
}

pub(super) const ATTEMPTS: &[Attempt] = &[
    attempt("read the store", NAMESPACES | LANDLOCK, |world| Ok(fs::read(world.data.join("store.redb")).map(drop)?)),
    attempt("read the key of links", NAMESPACES | LANDLOCK, |world| {
        Ok(fs::read(world.data.join("signing-key")).map(drop)?)
    }),
    attempt("list the data folder", NAMESPACES | LANDLOCK, |world| {
        let names: Vec<_> = fs::read_dir(&world.data)?.flatten().map(|entry| entry.file_name()).collect();
        // so are the folders on the way to the view
        if names.iter().any(|name| name == "signing-key") { Ok(()) } else { Err("there is no key".into()) }
    }),
    attempt(
        "read another job",
        NAMESPACES | LANDLOCK,
        |world| Ok(fs::read(world.other_job.join("page.md")).map(drop)?),
    ),
    attempt("write into another job", NAMESPACES | LANDLOCK, |world| {
        Ok(fs::write(world.other_job.join("page.html"), "mine")?)
    }),
    attempt("replace the store", NAMESPACES | LANDLOCK | SECCOMP, |world| {
        let own = world.view.write[0].join("store");
        fs::write(&own, "mine")?;
        Ok(fs::rename(own, world.data.join("store.new"))?)
    }),
    attempt("write into the source", NAMESPACES | LANDLOCK, |world| {
        Ok(fs::write(world.view.read[0].join("more.md"), "mine")?)
    }),
    attempt("reach the key by a link", NAMESPACES | LANDLOCK | SECCOMP, |world| {
        let link = world.view.write[0].join("link");
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink(world.data.join("signing-key"), &link)?;
        Ok(fs::read(link).map(drop)?)
    }),
    attempt("give the key a second name", NAMESPACES | LANDLOCK | SECCOMP, |world| {
        let link = world.view.write[0].join("hard");
        let _ = fs::remove_file(&link);
        fs::hard_link(world.data.join("signing-key"), &link)?;
        Ok(fs::read(link).map(drop)?)
    }),
    privileged("read /etc/shadow", NAMESPACES | LANDLOCK, |_| Ok(fs::read("/etc/shadow").map(drop)?)),
    privileged("list the private keys of the system", NAMESPACES | LANDLOCK, |_| {
        Ok(fs::read_dir("/etc/ssl/private").map(drop)?)
    }),
    attempt("read /etc/passwd", NAMESPACES | LANDLOCK, |_| Ok(fs::read("/etc/passwd").map(drop)?)),
    attempt("list the root folder of the system", NAMESPACES | LANDLOCK, |_| {
        let names: Vec<_> = fs::read_dir("/")?.flatten().map(|entry| entry.file_name()).collect();
        // the folders on the way to the view are there, in its own file system
        if names.iter().any(|name| name == "etc") { Ok(()) } else { Err("there is no /etc".into()) }
    }),
    privileged("read the environment of the service", NAMESPACES | LANDLOCK, |world| {
        Ok(fs::read(format!("/proc/{}/environ", world.service)).map(drop)?)
    }),
    privileged("open the memory of another process", NAMESPACES | LANDLOCK, |world| {
        Ok(fs::File::open(format!("/proc/{}/mem", world.victim)).map(drop)?)
    }),
    attempt("connect by TCP", NAMESPACES | LANDLOCK | SECCOMP, |world| connect(loopback(world.tcp))),
    omitted("connect to the metadata service", NAMESPACES | LANDLOCK | SECCOMP, |_| {
        connect(SocketAddr::from(([169, 254, 169, 254], 80)))
    }),
    attempt("listen by TCP", LANDLOCK | SECCOMP, |_| Ok(TcpListener::bind("127.0.0.1:0").map(drop)?)),
    attempt("send by UDP", NAMESPACES | SECCOMP, |world| {
        Ok(UdpSocket::bind("127.0.0.1:0")?.send_to(b"secret", loopback(world.udp)).map(drop)?)
    }),
    attempt("resolve a name", NAMESPACES | LANDLOCK, |_| {
        Ok(("localhost", 80).to_socket_addrs()?.next().map(drop).ok_or("it has no address")?)
    }),
    attempt("connect to a unix socket", NAMESPACES | SECCOMP, |world| Ok(UnixStream::connect(&world.unix).map(drop)?)),
    attempt("connect to an abstract socket", NAMESPACES | LANDLOCK_6 | SECCOMP, |world| {
        let address = std::os::unix::net::SocketAddr::from_abstract_name(&world.abstract_name)?;
        Ok(UnixStream::connect_addr(&address).map(drop)?)
    }),
    privileged("open a raw socket", ALWAYS, |_| {
        Ok(socket(AddressFamily::Inet, SockType::Raw, SockFlag::empty(), None).map(drop)?)
    }),
    attempt("open a netlink socket", SECCOMP, |_| {
        Ok(socket(AddressFamily::Netlink, SockType::Raw, SockFlag::empty(), None).map(drop)?)
    }),
    attempt("trace a process", NAMESPACES | LANDLOCK | SECCOMP, |world| Ok(ptrace::attach(victim(world))?)),
    attempt("read the memory of a process", NAMESPACES | LANDLOCK | SECCOMP, |world| {
        let mut bytes = [0; 8];
        let remote = [RemoteIoVec { base: 0x1000, len: 8 }];
        match process_vm_readv(victim(world), &mut [std::io::IoSliceMut::new(&mut bytes)], &remote) {
            // there is nothing at that address, which only one learns who may look
            Err(nix::errno::Errno::EFAULT) => Ok(()),
            other => Ok(other.map(drop)?),
        }
    }),
    attempt("write into the memory of a process", NAMESPACES | LANDLOCK | SECCOMP, |world| {
        let remote = [RemoteIoVec { base: 0x1000, len: 1 }];
        match process_vm_writev(victim(world), &[std::io::IoSlice::new(&[0])], &remote) {
            Err(nix::errno::Errno::EFAULT) => Ok(()),
            other => Ok(other.map(drop)?),
        }
    }),
    // a signal of real time ends who is not prepared for it
    signal("signal a process with a value", LANDLOCK_6 | SECCOMP, |world| {
        Ok(raw::signal_with_value(world.victim as i32)?)
    }),
    signal("signal a process", LANDLOCK_6 | SECCOMP, |world| Ok(kill(victim(world), Signal::SIGTERM)?)),
    attempt("look whether the service can be signaled", LANDLOCK_6 | SECCOMP, |world| {
        Ok(kill(Pid::from_raw(world.service as i32), None)?)
    }),
    signal("signal by a descriptor", LANDLOCK_6 | SECCOMP, |world| {
        let process = rustix::process::Pid::from_raw(world.victim as i32).ok_or("no process")?;
        let descriptor = rustix::process::pidfd_open(process, PidfdFlags::empty())?;
        Ok(rustix::process::pidfd_send_signal(descriptor, rustix::process::Signal::TERM)?)
    }),
    attempt("start a program", NAMESPACES | LANDLOCK | SECCOMP, |_| {
        Ok(Command::new("/bin/true").status().map(drop)?)
    }),
    attempt("start this program again", NAMESPACES | LANDLOCK | SECCOMP, |_| {
        Ok(Command::new("/proc/self/exe").arg("nothing").status().map(drop)?)
    }),
    attempt("fork without end", NAMESPACES | LANDLOCK | SECCOMP, |_| {
        let mut forks = Vec::new();
        for _ in 0..50 {
            forks.push(Command::new("/bin/sleep").arg("5").spawn()?);
        }
        for mut fork in forks {
            fork.kill()?;
            fork.wait()?;
        }
        Ok(())
    }),
    // with fewer processes allowed it is refused anyway
    privileged("start four thousand threads", ALWAYS, |_| {
        let (sender, receiver) = std::sync::mpsc::channel::<()>();
        let receiver = std::sync::Arc::new(std::sync::Mutex::new(receiver));
        let mut threads = Vec::new();
        let mut outcome = Ok(());
        // the address space of renderers is bounded, too
        let bytes = 4 << 30;
        setrlimit(Resource::As, Rlimit { current: Some(bytes), maximum: Some(bytes) })?;
        for _ in 0..4_000 {
            let receiver = std::sync::Arc::clone(&receiver);
            let wait = move || drop(receiver.lock().map(|receiver| receiver.recv()));
            match std::thread::Builder::new().stack_size(2 << 20).spawn(wait) {
                Ok(thread) => threads.push(thread),
                Err(error) => {
                    outcome = Err(error.into());
                    break;
                }
            }
        }
        drop(sender);
        threads.into_iter().for_each(|thread| drop(thread.join()));
        outcome
    }),
    privileged("mount a file system", ALWAYS, |world| {
        let place = world.view.write[0].join("mount");
        fs::create_dir_all(&place)?;
        nix::mount::mount(Some("proc"), &place, Some("proc"), nix::mount::MsFlags::empty(), None::<&str>)?;
        // whoever removes the folder later must not find the files of the system in it; the attempt has succeeded either way
        let _ = nix::mount::umount2(&place, nix::mount::MntFlags::MNT_DETACH);
        Ok(())
    }),
    privileged("enter a user namespace", SECCOMP, |_| Ok(unshare(CloneFlags::CLONE_NEWUSER)?)),
    // the machine may not let its users have one
    privileged("start a process in a user namespace", SECCOMP, |_| Ok(raw::fork_with(libc::CLONE_NEWUSER)?)),
    privileged("share memory under a number", SECCOMP, |_| {
        let about = i64::from(libc::IPC_CREAT | 0o666);
        let memory = raw::call(libc::SYS_shmget, [0x6f66_6670, 4096, about, 0])?;
        raw::call(libc::SYS_shmctl, [memory, libc::IPC_RMID.into(), 0, 0])?;
        Ok(())
    }),
    // what follows may be forbidden, or not be part of the kernel
    privileged("add a key to those of the kernel", SECCOMP, |_| {
        done_or(raw::call(libc::SYS_add_key, [0, 0, 0, 0]), nix::errno::Errno::EFAULT)
    }),
    privileged("read the keys of the kernel", SECCOMP, |_| {
        // the keyring of the session, by its number
        Ok(raw::call(libc::SYS_keyctl, [0, -3, 0, 0]).map(drop)?)
    }),
    privileged("load a program into the kernel", SECCOMP, |_| {
        done_or(raw::call(libc::SYS_bpf, [0, 0, 0, 0]), nix::errno::Errno::EINVAL)
    }),
    privileged("measure another process", SECCOMP, |world| {
        done_or(raw::call(libc::SYS_perf_event_open, [0, world.victim.into(), -1, -1]), nix::errno::Errno::EFAULT)
    }),
    privileged("answer for the memory of a process", SECCOMP, |_| {
        Ok(raw::call(libc::SYS_userfaultfd, [1, 0, 0, 0]).map(drop)?)
    }),
    privileged("make calls by a queue", SECCOMP, |_| {
        done_or(raw::call(libc::SYS_io_uring_setup, [1, 0, 0, 0]), nix::errno::Errno::EFAULT)
    }),
    privileged("slow another process down", SECCOMP, |world| {
        Ok(raw::call(libc::SYS_setpriority, [0, world.victim.into(), 19, 0]).map(drop)?)
    }),
    privileged("bound another process", SECCOMP, |world| {
        let files = 7;
        Ok(raw::call(libc::SYS_prlimit64, [world.victim.into(), files, 0, 0]).map(drop)?)
    }),
    // numbers with this bit are those of another interface to the same calls, which few kernels have
    privileged("make a call of another processor", SECCOMP, |_| {
        Ok(raw::call(0x4000_0000 | libc::SYS_getpid, [0, 0, 0, 0]).map(drop)?)
    }),
    privileged("enter the namespaces of the system", ALWAYS, |world| {
        Ok(setns(fs::File::open(format!("/proc/{}/ns/net", world.service))?, CloneFlags::CLONE_NEWNET)?)
    }),
    privileged("change the root", ALWAYS, |world| Ok(nix::unistd::chroot(&world.view.write[0])?)),
    privileged("become another user", ALWAYS, |_| Ok(nix::unistd::setuid(nix::unistd::Uid::from_raw(1))?)),
    privileged("lift a limit", ALWAYS, |_| {
        let now = getrlimit(Resource::Nofile).maximum.unwrap_or(1 << 20);
        Ok(setrlimit(Resource::Nofile, Rlimit { current: Some(now), maximum: Some(now + 1) })?)
    }),
    omitted("set the clock", ALWAYS, |_| {
        Ok(rustix::time::clock_settime(
            rustix::time::ClockId::Realtime,
            rustix::time::clock_gettime(rustix::time::ClockId::Realtime),
        )?)
    }),
    omitted("write to a device", NAMESPACES | LANDLOCK, |_| {
        Ok(fs::File::options().write(true).open("/dev/kmsg")?.write_all(b"an intruder\n")?)
    }),
    attempt("make a named pipe", LANDLOCK | SECCOMP, |world| {
        let pipe = world.view.write[0].join("pipe");
        let _ = fs::remove_file(&pipe);
        Ok(nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRUSR)?)
    }),
    attempt("lock the data folder", NAMESPACES | SECCOMP, |world| {
        Ok(fs::set_permissions(&world.data, Permissions::from_mode(0o000))?)
    }),
    attempt("open the key to all", NAMESPACES | SECCOMP, |world| {
        Ok(chmodat(CWD, world.data.join("signing-key"), Mode::from_raw_mode(0o644), AtFlags::empty())?)
    }),
    attempt("open the key to all by a descriptor", NAMESPACES | SECCOMP, |world| {
        let flags = OFlags::PATH | OFlags::CLOEXEC;
        let key = rustix::fs::open(world.data.join("signing-key"), flags, Mode::empty())?;
        let place = format!("/proc/self/fd/{}", key.as_raw_fd());
        Ok(chmodat(CWD, place, Mode::from_raw_mode(0o644), AtFlags::empty())?)
    }),
    attempt("lock the source by a descriptor", NAMESPACES | SECCOMP, |world| {
        Ok(fs::File::open(&world.view.read[0])?.set_permissions(Permissions::from_mode(0o000))?)
    }),
    attempt("change the times of the key", NAMESPACES | SECCOMP, |world| {
        Ok(utimensat(CWD, world.data.join("signing-key"), &EARLY, AtFlags::SYMLINK_NOFOLLOW)?)
    }),
    attempt("change the times of the source by a descriptor", NAMESPACES | SECCOMP, |world| {
        Ok(futimens(fs::File::open(world.view.read[0].join("index.md"))?, &EARLY)?)
    }),
    attempt("give the key to somebody", NAMESPACES | SECCOMP, |world| {
        let (user, group) = (rustix::process::getuid(), rustix::process::getgid());
        let flags = AtFlags::SYMLINK_NOFOLLOW;
        Ok(chownat(CWD, world.data.join("signing-key"), Some(user), Some(group), flags)?)
    }),
    attempt("give the source to somebody by a descriptor", NAMESPACES | SECCOMP, |world| {
        let (user, group) = (rustix::process::getuid(), rustix::process::getgid());
        Ok(fchown(fs::File::open(world.view.read[0].join("index.md"))?, Some(user), Some(group))?)
    }),
    // the file system may have none
    privileged("attach something to the key", NAMESPACES | SECCOMP, |world| {
        Ok(lsetxattr(world.data.join("signing-key"), "user.intruder", b"mine", XattrFlags::empty())?)
    }),
    attempt("empty the store", NAMESPACES | LANDLOCK | SECCOMP, |world| {
        Ok(nix::unistd::truncate(&world.data.join("store.redb"), 0)?)
    }),
    signal("signal a process by the owner of a socket", LANDLOCK_6 | SECCOMP, |world| {
        signal_by_socket(|socket| raw::fcntl(socket, libc::F_SETOWN, world.victim as i32), set_asynchronous)
    }),
    signal("signal a process by a structure", LANDLOCK_6 | SECCOMP, |world| {
        signal_by_socket(|socket| raw::set_owner(socket, world.victim as i32), set_asynchronous)
    }),
    signal("signal a process by a request", LANDLOCK_6 | SECCOMP, |world| {
        const FIOASYNC: u32 = 0x5452;
        const SIOCSPGRP: u32 = 0x8902;
        let owner = |socket: &UnixStream| raw::ioctl(socket, SIOCSPGRP, world.victim as i32);
        signal_by_socket(owner, |socket| raw::ioctl(socket, FIOASYNC, 1))
    }),
    attempt("keep others from writing the source", SECCOMP, |world| {
        Ok(raw::fcntl(&fs::File::open(world.view.read[0].join("index.md"))?, libc::F_SETLEASE, libc::F_RDLCK)?)
    }),
    attempt("hold memory that no process is seen to hold", SECCOMP, |_| Ok(raw::share_memory(1 << 20)?)),
    attempt("make a file in memory", SECCOMP, |_| {
        Ok(rustix::fs::memfd_create("intruder", rustix::fs::MemfdFlags::empty()).map(drop)?)
    }),
    attempt("hide a file by taking its name away", SECCOMP, |world| {
        let place = world.view.write[0].join("hidden");
        let _file = fs::File::create(&place)?;
        Ok(fs::remove_file(place)?)
    }),
    attempt("hide a file by another one", SECCOMP, |world| {
        let [hidden, other] = ["hidden-1", "hidden-2"].map(|name| world.view.write[0].join(name));
        let _file = fs::File::create(&hidden)?;
        fs::write(&other, "mine")?;
        Ok(fs::rename(other, hidden)?)
    }),
    // not on every file system
    privileged("make a file that has no name", SECCOMP, |world| {
        let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
        Ok(rustix::fs::open(&world.view.write[0], flags, Mode::from_raw_mode(0o600)).map(drop)?)
    }),
];

/// What has been let through fails all the same, in this way, with the arguments that it is given.
fn done_or(result: std::io::Result<libc::c_long>, failure: nix::errno::Errno) -> Outcome {
    match result {
        Err(error) if error.raw_os_error() == Some(failure as i32) => Ok(()),
        other => Ok(other.map(drop)?),
    }
}

/// A time that no file of this machine has.
const EARLY: Timestamps = Timestamps {
    last_access: Timespec { tv_sec: 1, tv_nsec: 0 },
    last_modification: Timespec { tv_sec: 1, tv_nsec: 0 },
};

/// Has the kernel send a signal that ends the process which owns a socket, as soon as something comes.
fn signal_by_socket(
    own: impl Fn(&UnixStream) -> std::io::Result<()>,
    begin: impl Fn(&UnixStream) -> std::io::Result<()>,
) -> Outcome {
    let (ours, mut theirs) = UnixStream::pair()?;
    own(&ours)?;
    begin(&ours)?;
    // whether it came is seen by what it does: the kernel says nothing
    Ok(theirs.write_all(b"now")?)
}

fn set_asynchronous(socket: &UnixStream) -> std::io::Result<()> {
    raw::fcntl(socket, libc::F_SETFL, libc::O_ASYNC)
}
