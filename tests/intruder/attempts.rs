//! What an intruder tries, each by itself.

use std::error::Error;
use std::fs;
use std::io::Write as _;
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs as _, UdpSocket};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::UnixStream;
use std::process::{Command, ExitCode};
use std::time::Duration;

use nix::sched::{CloneFlags, setns, unshare};
use nix::sys::ptrace;
use nix::sys::signal::{Signal, kill};
use nix::sys::socket::{AddressFamily, SockFlag, SockType, socket};
use nix::sys::uio::{RemoteIoVec, process_vm_readv};
use nix::unistd::Pid;
use offprint::base::confine::{Layers, confine_renderer};
use rustix::process::{PidfdFlags, Resource, Rlimit, getrlimit, setrlimit};

use super::world::World;

/// One attempt: it is a success if it returns without an error.
pub(super) struct Attempt {
    pub(super) name: &'static str,
    pub(super) without: Without,
    make: fn(&World) -> Outcome,
}

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

type Outcome = Result<(), Box<dyn Error>>;

/// Makes the attempt of a name, confined.
pub(super) fn make(name: &str, world: &str, layers: &str) -> ExitCode {
    let world: World = serde_json::from_str(world).expect("a world");
    let layers: Layers = serde_json::from_str(layers).expect("layers");
    let attempt = ATTEMPTS.iter().find(|attempt| attempt.name == name).expect("an attempt");
    if let Err(error) = confine_renderer(&world.view, layers) {
        println!("not confined: {error}");
        return ExitCode::FAILURE;
    }
    // a renderer can do what it is for
    fs::read(world.view.read[0].join("index.md")).expect("the source");
    fs::write(world.view.write[0].join("page.html"), "made").expect("a page");
    match (attempt.make)(&world) {
        Ok(()) => println!("done"),
        Err(error) => println!("refused: {error}"),
    }
    ExitCode::SUCCESS
}

const fn attempt(name: &'static str, make: fn(&World) -> Outcome) -> Attempt {
    Attempt { name, without: Without::Succeeds, make }
}

const fn privileged(name: &'static str, make: fn(&World) -> Outcome) -> Attempt {
    Attempt { name, without: Without::MayFail, make }
}

const fn omitted(name: &'static str, make: fn(&World) -> Outcome) -> Attempt {
    Attempt { name, without: Without::Omitted, make }
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
    attempt("read the store", |world| Ok(fs::read(world.data.join("store.redb")).map(drop)?)),
    attempt("read the key of links", |world| Ok(fs::read(world.data.join("signing-key")).map(drop)?)),
    attempt("list the data folder", |world| Ok(fs::read_dir(&world.data).map(drop)?)),
    attempt("read another job", |world| Ok(fs::read(world.other_job.join("page.md")).map(drop)?)),
    attempt("write into another job", |world| Ok(fs::write(world.other_job.join("page.html"), "mine")?)),
    attempt("replace the store", |world| {
        let own = world.view.write[0].join("store");
        fs::write(&own, "mine")?;
        Ok(fs::rename(own, world.data.join("store.new"))?)
    }),
    attempt("write into the source", |world| Ok(fs::write(world.view.read[0].join("more.md"), "mine")?)),
    attempt("reach the key by a link", |world| {
        let link = world.view.write[0].join("link");
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink(world.data.join("signing-key"), &link)?;
        Ok(fs::read(link).map(drop)?)
    }),
    attempt("give the key a second name", |world| {
        let link = world.view.write[0].join("hard");
        let _ = fs::remove_file(&link);
        fs::hard_link(world.data.join("signing-key"), &link)?;
        Ok(fs::read(link).map(drop)?)
    }),
    privileged("read /etc/shadow", |_| Ok(fs::read("/etc/shadow").map(drop)?)),
    attempt("read /etc/passwd", |_| Ok(fs::read("/etc/passwd").map(drop)?)),
    attempt("list the root folder of the system", |_| {
        let names: Vec<_> = fs::read_dir("/")?.flatten().map(|entry| entry.file_name()).collect();
        // the folders on the way to the view are there, in its own file system
        if names.iter().any(|name| name == "etc") { Ok(()) } else { Err("there is no /etc".into()) }
    }),
    privileged("read the environment of the service", |world| {
        Ok(fs::read(format!("/proc/{}/environ", world.service)).map(drop)?)
    }),
    privileged("open the memory of another process", |world| {
        Ok(fs::File::open(format!("/proc/{}/mem", world.victim)).map(drop)?)
    }),
    attempt("connect by TCP", |world| connect(loopback(world.tcp))),
    omitted("connect to the metadata service", |_| connect(SocketAddr::from(([169, 254, 169, 254], 80)))),
    attempt("listen by TCP", |_| Ok(TcpListener::bind("127.0.0.1:0").map(drop)?)),
    attempt("send by UDP", |world| {
        Ok(UdpSocket::bind("127.0.0.1:0")?.send_to(b"secret", loopback(world.udp)).map(drop)?)
    }),
    attempt("resolve a name", |_| {
        Ok(("localhost", 80).to_socket_addrs()?.next().map(drop).ok_or("it has no address")?)
    }),
    attempt("connect to a unix socket", |world| Ok(UnixStream::connect(&world.unix).map(drop)?)),
    attempt("connect to an abstract socket", |world| {
        let address = std::os::unix::net::SocketAddr::from_abstract_name(&world.abstract_name)?;
        Ok(UnixStream::connect_addr(&address).map(drop)?)
    }),
    privileged("open a raw socket", |_| {
        Ok(socket(AddressFamily::Inet, SockType::Raw, SockFlag::empty(), None).map(drop)?)
    }),
    attempt("open a netlink socket", |_| {
        Ok(socket(AddressFamily::Netlink, SockType::Raw, SockFlag::empty(), None).map(drop)?)
    }),
    attempt("trace a process", |world| Ok(ptrace::attach(victim(world))?)),
    attempt("read the memory of a process", |world| {
        let mut bytes = [0; 8];
        let remote = [RemoteIoVec { base: 0x1000, len: 8 }];
        match process_vm_readv(victim(world), &mut [std::io::IoSliceMut::new(&mut bytes)], &remote) {
            // there is nothing at that address, which only one learns who may look
            Err(nix::errno::Errno::EFAULT) => Ok(()),
            other => Ok(other.map(drop)?),
        }
    }),
    attempt("signal a process", |world| Ok(kill(victim(world), Signal::SIGTERM)?)),
    attempt("look whether the service can be signaled", |world| Ok(kill(Pid::from_raw(world.service as i32), None)?)),
    attempt("signal by a descriptor", |world| {
        let process = rustix::process::Pid::from_raw(world.victim as i32).ok_or("no process")?;
        let descriptor = rustix::process::pidfd_open(process, PidfdFlags::empty())?;
        Ok(rustix::process::pidfd_send_signal(descriptor, rustix::process::Signal::TERM)?)
    }),
    attempt("start a program", |_| Ok(Command::new("/bin/true").status().map(drop)?)),
    attempt("start this program again", |_| Ok(Command::new("/proc/self/exe").arg("nothing").status().map(drop)?)),
    attempt("fork without end", |_| {
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
    privileged("start four thousand threads", |_| {
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
    privileged("mount a file system", |world| {
        let place = world.view.write[0].join("mount");
        fs::create_dir_all(&place)?;
        nix::mount::mount(Some("proc"), &place, Some("proc"), nix::mount::MsFlags::empty(), None::<&str>)?;
        // whoever removes the folder later must not find the files of the system in it; the attempt has succeeded either way
        let _ = nix::mount::umount2(&place, nix::mount::MntFlags::MNT_DETACH);
        Ok(())
    }),
    privileged("enter a user namespace", |_| Ok(unshare(CloneFlags::CLONE_NEWUSER)?)),
    privileged("enter the namespaces of the system", |world| {
        Ok(setns(fs::File::open(format!("/proc/{}/ns/net", world.service))?, CloneFlags::CLONE_NEWNET)?)
    }),
    privileged("change the root", |world| Ok(nix::unistd::chroot(&world.view.write[0])?)),
    privileged("become another user", |_| Ok(nix::unistd::setuid(nix::unistd::Uid::from_raw(1))?)),
    privileged("lift a limit", |_| {
        let now = getrlimit(Resource::Nofile).maximum.unwrap_or(1 << 20);
        Ok(setrlimit(Resource::Nofile, Rlimit { current: Some(now), maximum: Some(now + 1) })?)
    }),
    omitted("set the clock", |_| {
        Ok(rustix::time::clock_settime(
            rustix::time::ClockId::Realtime,
            rustix::time::clock_gettime(rustix::time::ClockId::Realtime),
        )?)
    }),
    omitted("write to a device", |_| {
        Ok(fs::File::options().write(true).open("/dev/kmsg")?.write_all(b"an intruder\n")?)
    }),
    attempt("make a named pipe", |world| {
        let pipe = world.view.write[0].join("pipe");
        let _ = fs::remove_file(&pipe);
        Ok(nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRUSR)?)
    }),
];
