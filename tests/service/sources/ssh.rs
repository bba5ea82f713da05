//! A repository over ssh, fetched by the program of the system, where there is one.

use std::net::TcpListener;
use std::process::{Command, Stdio};

use offprint::fetch::git::Protocol;
use offprint::service::job::child::{Cause, JobSource};

use super::Job;

fn job(url: String) -> Job {
    Job::new(JobSource::Git {
        url,
        branch: None,
        subdir: None,
        since: None,
        protocols: vec![Protocol::Ssh],
        shown: Vec::new(),
    })
}

#[test]
#[expect(clippy::print_stderr, reason = "whoever waits for this test has to know that it did not run")]
fn what_ssh_needs_is_said_where_it_is_refused() {
    let has_ssh = Command::new("ssh").arg("-V").stderr(Stdio::null()).status().is_ok();
    if !has_ssh {
        eprintln!("skipped: there is no ssh here");
        return;
    }
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = server.local_addr().unwrap();
    let refusing = std::thread::spawn(move || drop(server.accept()));
    let failure = job(format!("ssh://git@{address}/docs.git")).fails(Cause::Source, "a key without a passphrase");
    assert!(failure.message.contains("known_hosts"), "{failure:?}");
    refusing.join().unwrap();
    // nothing listens there any more
    job(format!("ssh://git@{address}/docs.git")).fails(Cause::Source, "");
}

#[test]
fn ssh_needs_leave() {
    for url in ["ssh://git@git.example/docs.git", "git@git.example:docs.git"] {
        let mut job = job(url.to_owned());
        if let JobSource::Git { protocols, .. } = &mut job.work.source {
            *protocols = vec![Protocol::Https];
        }
        job.fails(Cause::Source, "`git.allow_protocols` does not have `ssh`");
    }
}
