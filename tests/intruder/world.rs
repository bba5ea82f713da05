//! What the intruder is let loose on, and the judgement.

use std::fs;
use std::io::Read as _;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::PathBuf;
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use offprint::base::confine::{Isolation, Layers, View};
use offprint::service::job::child::{Limits, find_layers};
use serde::{Deserialize, Serialize};

use super::attempts::{ATTEMPTS, Attempt, Without};

/// Longest time of an attempt.
const TIMEOUT: Duration = Duration::from_secs(20);
/// What ends a process that makes a system call which is not among those of renderers.
const SIGSYS: i32 = 31;

/// A service with its data, keys and another job, and servers of all kinds.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct World {
    pub(super) data: PathBuf,
    pub(super) other_job: PathBuf,
    pub(super) view: View,
    pub(super) tcp: u16,
    pub(super) udp: u16,
    pub(super) unix: PathBuf,
    pub(super) abstract_name: String,
    pub(super) service: u32,
    /// The process that stands in for the service, and may be killed.
    pub(super) victim: u32,
}

/// Makes every attempt, with each confinement that is said to suffice.
pub(super) fn check_all() -> ExitCode {
    let home = tempfile::tempdir().expect("a folder");
    let root = home.path().canonicalize().expect("a folder");
    let limits = Limits { program: env!("CARGO_BIN_EXE_offprint").into(), ..Limits::default() };
    let found = find_layers(&limits, Isolation::BestEffort, &root.join("trial")).expect("a trial");
    println!("this machine has: {found}");
    if !found.suffices() {
        println!("nothing can be tested: {}", found.lacks().join("; "));
        return ExitCode::SUCCESS;
    }
    let folder = |name: &str| {
        let path = root.join(name);
        fs::create_dir_all(&path).expect("a folder");
        path
    };
    let data = folder("data");
    let other_job = folder("data/scratch/other");
    fs::write(data.join("store.redb"), "records").expect("a file");
    fs::write(data.join("signing-key"), "ab".repeat(32)).expect("a file");
    fs::set_permissions(data.join("signing-key"), fs::Permissions::from_mode(0o600)).expect("rights");
    fs::write(other_job.join("page.md"), "another's page").expect("a file");
    let job = folder("data/scratch/job");
    let [source, rendered, new_root] =
        ["source", "rendered", "root"].map(|name| folder(&format!("data/scratch/job/{name}")));
    fs::write(source.join("index.md"), "# A page").expect("a file");
    let tcp = TcpListener::bind("127.0.0.1:0").expect("a listener");
    let udp = UdpSocket::bind("127.0.0.1:0").expect("a socket");
    let abstract_name = format!("offprint-intruder-{}", std::process::id());
    let address = SocketAddr::from_abstract_name(&abstract_name).expect("a name");
    let _abstract = UnixListener::bind_addr(&address).expect("a listener");
    let unix = job.join("socket");
    let _unix = UnixListener::bind(&unix).expect("a listener");

    let container = Layers { namespaces: false, ..found };
    let mut failures = 0;
    for (what, layers) in [("without confinement", Layers::NONE), ("in a container", container), ("with all", found)] {
        println!("{what}: {layers}");
        for attempt in ATTEMPTS {
            if layers == Layers::NONE && attempt.without == Without::Omitted {
                continue;
            }
            let mut victim = Command::new("/bin/sleep").arg("600").spawn().expect("a process");
            let world = World {
                data: data.clone(),
                other_job: other_job.clone(),
                view: View { read: vec![source.clone()], write: vec![rendered.clone()], root: new_root.clone() },
                tcp: tcp.local_addr().expect("an address").port(),
                udp: udp.local_addr().expect("an address").port(),
                unix: unix.clone(),
                abstract_name: abstract_name.clone(),
                service: std::process::id(),
                victim: victim.id(),
            };
            let (status, said) = run(attempt, &world, layers);
            let is_expected = match layers {
                Layers::NONE => said == "done" || attempt.without == Without::MayFail,
                _ => (said.starts_with("refused") || status.signal() == Some(SIGSYS)) && is_unharmed(&mut victim),
            };
            failures += usize::from(!is_expected);
            let verdict = if is_expected { "ok" } else { "FAILED" };
            println!("  {verdict:6} {:45} {status}, {said}", attempt.name);
            let _ = victim.kill();
            let _ = victim.wait();
        }
    }
    assert_eq!(fs::read_to_string(other_job.join("page.md")).ok().as_deref(), Some("another's page"));
    println!("{} attempts, {failures} of them not as they should be", ATTEMPTS.len());
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn is_unharmed(victim: &mut std::process::Child) -> bool {
    matches!(victim.try_wait(), Ok(None))
}

/// Makes one attempt in a process of its own.
fn run(attempt: &Attempt, world: &World, layers: Layers) -> (ExitStatus, String) {
    let (world, layers) = (json(world), json(&layers));
    let program = std::env::current_exe().expect("this program");
    let mut child = Command::new(program)
        .args(["attempt", attempt.name, &world, &layers])
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
