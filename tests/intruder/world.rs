//! What the intruder is let loose on, and the judgement.

use std::fs;
use std::io::Read as _;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use offprint::confine::{FileSystemView, Isolation, Layers};
use offprint::service::job::child::{MachineLimits, find_layers};
use serde::{Deserialize, Serialize};

use super::attempts::{ALWAYS, ATTEMPTS, Attempt, LANDLOCK, LANDLOCK_6, NAMESPACES, Role, SECCOMP, Without};
use super::confined_export::has_namespace;

/// Longest time of an attempt.
const TIMEOUT: Duration = Duration::from_secs(20);
/// What ends a process that makes a system call which is not among those of renderers.
const SIGSYS: i32 = 31;
/// What ends a process that has reached a limit and has no way to go on.
const SIGABRT: i32 = 6;
/// How long a signal may be on its way.
const FELT: Duration = Duration::from_millis(200);

/// A service with its data, keys and another job, and servers of all kinds.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct World {
    pub(super) data: PathBuf,
    pub(super) other_job: PathBuf,
    pub(super) view: FileSystemView,
    pub(super) tcp: u16,
    pub(super) udp: u16,
    pub(super) unix: PathBuf,
    pub(super) abstract_name: String,
    pub(super) service: u32,
    /// The process that stands in for the service, and may be killed.
    pub(super) victim: u32,
}

/// Layers that a process is given, and what they are called.
struct Column {
    name: &'static str,
    layers: Layers,
}

impl Column {
    /// What of the table of attempts is there.
    fn holds(&self) -> u8 {
        let Layers { namespaces, landlock, system_calls } = self.layers;
        let bits = [
            (namespaces, NAMESPACES),
            (landlock >= 4, LANDLOCK),
            (landlock >= 6, LANDLOCK_6),
            (system_calls, SECCOMP),
            (self.layers != Layers::NONE, ALWAYS),
        ];
        bits.into_iter().filter(|(is_there, _)| *is_there).fold(0, |all, (_, bit)| all | bit)
    }
}

/// Nothing, all, each layer alone, each masked in turn, and a container on a kernel whose Landlock knows no signals.
fn columns(found: Layers) -> Vec<Column> {
    let Layers { landlock, .. } = found;
    let column = |name, layers| Column { name, layers };
    vec![
        column("no layer", Layers::NONE),
        column("namespaces alone", Layers { namespaces: found.namespaces, ..Layers::NONE }),
        column("Landlock alone", Layers { landlock, ..Layers::NONE }),
        column("seccomp alone", Layers { system_calls: true, ..Layers::NONE }),
        column("without namespaces", Layers { namespaces: false, ..found }),
        column("without Landlock", Layers { landlock: 0, ..found }),
        column("without seccomp", Layers { system_calls: false, ..found }),
        column("Landlock 4 and seccomp", Layers { namespaces: false, landlock: landlock.min(4), system_calls: true }),
        column("all layers", found),
    ]
}

/// Makes every attempt as this user, in a folder of its own, with the program whose processes are confined.
pub(super) fn check_all(program: &Path, root: &Path) -> ExitCode {
    let limits = MachineLimits { program: program.to_owned(), ..MachineLimits::default() };
    let found = find_layers(&limits, Isolation::BestEffort, &root.join("trial")).expect("a trial");
    println!("this machine has: {found}");
    if !found.suffices() {
        println!("nothing can be tested: {}", found.lacks().join("; "));
        return ExitCode::SUCCESS;
    }
    let mut failures = check_namespaces(program, root, found);
    let place = Place::make(root);
    for column in columns(found) {
        for (role_name, role) in Role::ALL {
            // a fetcher has no namespaces
            if role != Role::Renderer && column.name.contains("namespaces") {
                continue;
            }
            for attempt in ATTEMPTS {
                let Some(held) = role.held(attempt) else { continue };
                if column.layers == Layers::NONE && (attempt.without == Without::Omitted || role != Role::Renderer) {
                    continue;
                }
                failures += usize::from(!place.check(attempt, (role_name, held), &column));
            }
        }
    }
    println!("{failures} attempts were not as they should be");
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Whether our processes have namespaces wherever this user may have them; the number of failures.
fn check_namespaces(program: &Path, root: &Path, found: Layers) -> usize {
    let may_have = Command::new(std::env::current_exe().expect("this program")).arg("namespaces").status();
    let may_have = may_have.expect("a process").success();
    let exports = has_namespace(program, root);
    println!("namespaces: this user may have them: {may_have}; renderers: {}; exports: {exports:?}", found.namespaces);
    usize::from(found.namespaces != may_have) + usize::from(exports != Ok(may_have))
}

/// Where everything is, and the servers.
struct Place {
    data: PathBuf,
    other_job: PathBuf,
    view: FileSystemView,
    tcp: TcpListener,
    udp: UdpSocket,
    unix: PathBuf,
    abstract_name: String,
    _listeners: [UnixListener; 2],
}

impl Place {
    fn make(root: &Path) -> Self {
        let folder = |name: &str| {
            let path = root.join(name);
            fs::create_dir_all(&path).expect("a folder");
            path
        };
        let data = folder("data");
        let other_job = folder("data/scratch/other");
        let job = folder("data/scratch/job");
        let [source, rendered, new_root] =
            ["source", "rendered", "root"].map(|name| folder(&format!("data/scratch/job/{name}")));
        let abstract_name = format!("offprint-intruder-{}", std::process::id());
        let address = SocketAddr::from_abstract_name(&abstract_name).expect("a name");
        let unix = job.join("socket");
        let listeners = [UnixListener::bind_addr(&address), UnixListener::bind(&unix)];
        let place = Self {
            data,
            other_job,
            view: FileSystemView { read: vec![source], write: vec![rendered], root: new_root },
            tcp: TcpListener::bind("127.0.0.1:0").expect("a listener"),
            udp: UdpSocket::bind("127.0.0.1:0").expect("a socket"),
            unix,
            abstract_name,
            _listeners: listeners.map(|listener| listener.expect("a listener")),
        };
        place.restore();
        place
    }

    /// The files that an intruder may not touch, with their modes.
    fn files(&self) -> [(PathBuf, u32, &'static str); 4] {
        [
            (self.data.join("store.redb"), 0o600, "records"),
            (self.data.join("signing-key"), 0o600, "a key"),
            (self.other_job.join("page.md"), 0o644, "another's page"),
            (self.view.read[0].join("index.md"), 0o644, "# A page"),
        ]
    }

    fn folders(&self) -> [&Path; 3] {
        [&self.data, &self.other_job, &self.view.read[0]]
    }

    /// Everything as it was, whatever an intruder without confinement has done.
    fn restore(&self) {
        for folder in self.folders() {
            fs::set_permissions(folder, fs::Permissions::from_mode(0o700)).expect("rights");
        }
        for (file, mode, text) in self.files() {
            fs::write(&file, text).expect("a file");
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).expect("rights");
        }
        let _ = fs::remove_file(self.data.join("store.new"));
        let _ = fs::remove_file(self.other_job.join("page.html"));
    }

    fn is_untouched(&self) -> bool {
        let mode = |path: &Path| fs::metadata(path).ok().map(|about| about.permissions().mode() & 0o7777);
        self.folders().iter().all(|folder| mode(folder) == Some(0o700))
            && !self.data.join("store.new").exists()
            && !self.other_job.join("page.html").exists()
            && self.files().iter().all(|(file, right, text)| {
                let changed = fs::metadata(file).and_then(|about| about.modified());
                let is_recent = changed.is_ok_and(|at| at.elapsed().is_ok_and(|age| age < Duration::from_secs(86_400)));
                mode(file) == Some(*right) && is_recent && fs::read_to_string(file).is_ok_and(|found| found == *text)
            })
    }

    /// Makes one attempt, and judges it.
    fn check(&self, attempt: &Attempt, (role, held): (&str, u8), column: &Column) -> bool {
        self.restore();
        let mut victim = Command::new("/bin/sleep").arg("600").spawn().expect("a process");
        let world = World {
            data: self.data.clone(),
            other_job: self.other_job.clone(),
            view: self.view.clone(),
            tcp: self.tcp.local_addr().expect("an address").port(),
            udp: self.udp.local_addr().expect("an address").port(),
            unix: self.unix.clone(),
            abstract_name: self.abstract_name.clone(),
            service: std::process::id(),
            victim: victim.id(),
        };
        let (status, said) = run(attempt, &world, role, column.layers);
        if attempt.is_felt && said == "done" {
            // a signal that is on its way
            std::thread::sleep(FELT);
        }
        let is_unharmed = matches!(victim.try_wait(), Ok(None));
        let _ = victim.kill();
        let _ = victim.wait();
        let is_done = said == "done" && !(attempt.is_felt && is_unharmed);
        let is_ended = status.signal().is_some_and(|signal| [SIGSYS, SIGABRT].contains(&signal));
        let is_held = !is_done && (said.starts_with("refused") || said == "done" || is_ended);
        let has_to_be_held = held & column.holds() != 0;
        let is_expected = match has_to_be_held {
            true => is_held && is_unharmed && self.is_untouched(),
            // elsewhere, another layer has to hold it, and all together do
            false if column.layers == Layers::NONE => is_done || attempt.without == Without::MayFail,
            false => !column.name.starts_with("all") && (is_done || is_held),
        };
        let verdict = match (is_expected, has_to_be_held) {
            (false, _) => "FAILED",
            (true, true) => "held",
            (true, false) if is_done => "done",
            (true, false) => "held by something else",
        };
        println!("{verdict:8} | {role} | {} | {} | {status}, {said}", attempt.name, column.name);
        is_expected
    }
}

/// Makes one attempt in a process of its own.
fn run(attempt: &Attempt, world: &World, role: &str, layers: Layers) -> (ExitStatus, String) {
    let (world, layers) = (json(world), json(&layers));
    let program = std::env::current_exe().expect("this program");
    let mut child = Command::new(program)
        .args(["attempt", attempt.name, &world, role, &layers])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .expect("a process");
    let group = rustix::process::Pid::from_child(&child);
    let begun = Instant::now();
    while child.try_wait().expect("a status").is_none() && begun.elapsed() < TIMEOUT {
        std::thread::sleep(Duration::from_millis(2));
    }
    // what it has started goes with it
    let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    let status = child.wait().expect("a status");
    let mut said = String::new();
    let _ = child.stdout.take().expect("its output").read_to_string(&mut said);
    (status, said.trim().to_owned())
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("a value")
}
