//! A disk that gets full beneath a running service (threats S27). Its data lies in a small file system of its own, made
//! by `bwrap` where namespaces are allowed.

use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::service::client::ask;
use crate::service::server::{Server, folder_source, git, git_source, key, organization, repository, site, wait};

const JOBS: &str = "/v1/static-export/jobs";
/// Size of the disk, bytes, and of a file that each bundle of the larger site has in it.
const DISK: usize = 32 << 20;
const LARGE: usize = 4 << 20;

/// A command that runs another one with a disk of its own at a folder; nothing where that is not allowed.
fn disk(at: &str) -> Option<Vec<String>> {
    let words = [
        "bwrap",
        "--unshare-user",
        "--die-with-parent",
        "--bind",
        "/",
        "/",
        "--dev-bind",
        "/dev",
        "/dev",
        "--size",
        &DISK.to_string(),
        "--tmpfs",
        at,
    ];
    let words: Vec<String> = words.map(str::to_owned).to_vec();
    let works =
        Command::new(&words[0]).args(&words[1..]).arg("true").output().is_ok_and(|output| output.status.success());
    works.then_some(words)
}

fn start(server: &Server, name: &str) -> crate::service::client::Answer {
    server.send(&ask("POST", JOBS).key(&key(name)).json(format!("{{\"domain\":\"{name}.example\"}}")))
}

fn job(server: &Server, name: &str, id: &str) -> Value {
    server.send(&ask("GET", format!("{JOBS}/{id}")).key(&key(name))).is(200).json()
}

/// A bundle is what its digest says.
fn is_whole(server: &Server, name: &str, id: &str) -> bool {
    let body = server.send(&ask("POST", format!("{JOBS}/{id}/bundle")).key(&key(name))).is(200).json();
    let bytes = server.get_link(body["bundleUrl"].as_str().unwrap(), &[]).is(200).body.clone();
    let digest: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    body["sha256"] == digest
}

/// Accepts and exports again, within the time that the threat model allows.
fn works_again(server: &Server) {
    let began = Instant::now();
    let id = wait("the service to accept again", || {
        Some(start(server, "small")).filter(|answer| answer.status == 202).map(|answer| answer.string("jobId"))
    });
    assert!(began.elapsed() < Duration::from_secs(5), "it took {:?}", began.elapsed());
    assert_eq!(server.finished("small", &id)["status"], "completed");
    assert!(is_whole(server, "small", &id));
}

#[test]
#[expect(clippy::print_stderr, reason = "whoever waits for this test has to know that it did not run")]
fn s27_a_full_disk_delays_jobs_and_breaks_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    std::fs::create_dir(&data).unwrap();
    let Some(around) = disk(data.to_str().unwrap()) else {
        eprintln!("skipped: bwrap cannot make a file system of its own here");
        return;
    };
    let small = folder_source(&site(folder.path()));
    let large = site(&folder.path().join("large"));
    // random enough that nothing makes it smaller
    let noise: Vec<u8> =
        (0..LARGE as u64).map(|at| (at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 29) as u8 ^ (at >> 7) as u8).collect();
    std::fs::write(large.join("noise.zip"), &noise).unwrap();
    std::fs::write(large.join("index.mdx"), "---\ntitle: Home\n---\n\n[An archive](/noise.zip)\n").unwrap();
    let large = folder_source(&large);
    let repository = repository(&folder.path().join("git"));
    std::fs::write(repository.join("noise.zip"), &noise).unwrap();
    git(&repository, &["add", "."]);
    git(&repository, &["commit", "-q", "-m", "Second"]);
    let sources = [("small", small), ("large", large), ("fetched", git_source(&repository))];
    let organizations: String = sources.iter().map(|(name, source)| organization(name, source)).collect();
    let text = format!("[server]\ndata_dir = \"data\"\n\n[git]\nallow_protocols = [\"file\"]\n\n{organizations}");
    std::fs::write(folder.path().join("offprint.toml"), text).unwrap();
    let mut server = Server::within(&around, folder, &[], "info", &[]);
    let early = server.export("small")["jobId"].as_str().unwrap().to_owned();
    let fill = |leave: usize| {
        format!(
            "free=$(df -B1 --output=avail {0} | tail -1); dd if=/dev/zero of={0}/filler bs=64k count=$(( (free - {leave}) / 65536 )) conv=notrunc oflag=append",
            data.display()
        )
    };
    let free = format!("rm {}/filler", data.display());

    // there is room to accept, and none for the bundle, nor for a repository: the jobs wait until there is
    server.shell(&fill(3 << 20));
    let waiting = ["large", "fetched"].map(|name| (name, start(&server, name).is(202).string("jobId")));
    for (name, id) in &waiting {
        let says = |line: &str| line.contains("has no room on the disk") && line.contains(name);
        wait("the job to find no room", || server.log().lines().any(says).then_some(()));
        assert_eq!(job(&server, name, id)["status"], "running", "a status only moves forward");
    }
    assert!(is_whole(&server, "small", &early), "what was there before is as it was");
    wait("the folders of jobs to be empty", || {
        (server.shell(&format!("ls {}/scratch", data.display())).is_empty()).then_some(())
    });
    server.shell(&free);
    works_again(&server);
    for (name, id) in &waiting {
        assert_eq!(server.finished(name, id)["status"], "completed");
        assert!(is_whole(&server, name, id));
    }
    server.send(&ask("GET", "/readyz")).is(200);

    // nothing is left at all, while jobs run
    let running: Vec<String> = (0..3).map(|_| start(&server, "large").is(202).string("jobId")).collect();
    let refused = wait("the service to refuse", || {
        // jobs that fail make room again
        server.shell(&fill(0));
        Some(start(&server, "small")).filter(|answer| answer.status != 202)
    });
    assert!(refused.refuses(503, "unavailable").header("retry-after").is_some());
    assert!(server.is_running());
    wait("readiness to fail", || {
        server.shell(&fill(0));
        Some(server.send(&ask("GET", "/readyz"))).filter(|answer| answer.status != 200)
    })
    .refuses(503, "unavailable");
    server.send(&ask("GET", "/livez")).is(200);
    assert_eq!(job(&server, "small", &early)["status"], "completed", "what is there can be read");
    server.shell(&free);
    works_again(&server);
    for id in &running {
        assert_eq!(server.finished("large", id)["status"], "completed");
        assert!(is_whole(&server, "large", id));
    }

    // killed on a full disk, and started again when there is room
    server.shell(&fill(0));
    server.signal("KILL");
    wait("the service to end", || (!server.is_running()).then_some(()));
    server.shell(&free);
    server.start_again();
    assert!(is_whole(&server, "small", &early), "nothing is torn");
    works_again(&server);
}
