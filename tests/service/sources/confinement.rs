//! The two processes of a job: what each of them can reach, and what is said when one dies. What a renderer that was
//! taken over can reach is tried by `tests/intruder`.

use std::fs;
use std::path::Path;
use std::sync::Mutex;

use offprint::confine::{Isolation, Layers};
use offprint::service::job::child::{Cause, ChildProgress, ExportFailure, JobSource, MachineLimits, find_layers};

use super::archives::serve;
use super::children::{child_in, children, large_site, signal};
use super::{Job, PROGRAM, Repository, git, layers, write};

/// A value of `/proc/<process>/status`.
fn status(process: u32, name: &str) -> String {
    let text = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).unwrap_or_default();
    line.trim().to_owned()
}

/// Runs a job and does something to its fetcher and its renderer once pages are made.
fn run_and(job: &Job, act: impl Fn(u32, u32) + Send + Sync) -> Result<(), ExportFailure> {
    let done = Mutex::new(false);
    let outcome = job.run_telling(|progress| {
        let mut done = done.lock().unwrap();
        if !*done && matches!(progress, ChildProgress::Stage(ref name) if name == "pages") {
            *done = true;
            let fetcher = child_in(&job.work.folder).expect("a fetcher");
            let started = children(fetcher);
            let [(renderer, arguments)] = started.as_slice() else { panic!("one process: {started:?}") };
            assert!(arguments.contains("job renderer"), "{arguments}");
            act(fetcher, *renderer);
        }
    });
    outcome.map(drop)
}

#[test]
fn a_renderer_has_no_network_and_no_files_but_its_own() {
    let site = large_site(200);
    let job = Job::new(JobSource::Folder { path: site.path().to_owned() });
    let namespace = |process: u32, name: &str| fs::read_link(format!("/proc/{process}/ns/{name}")).unwrap();
    run_and(&job, |fetcher, renderer| {
        let own = std::process::id();
        for process in [fetcher, renderer] {
            assert_eq!((status(process, "NoNewPrivs").as_str(), status(process, "Seccomp").as_str()), ("1", "2"));
        }
        assert_eq!(namespace(fetcher, "net"), namespace(own, "net"), "one of them has the network");
        if layers().namespaces {
            for name in ["net", "mnt", "user", "ipc"] {
                assert_ne!(namespace(renderer, name), namespace(own, name), "{name}");
            }
            assert!(status(renderer, "CapEff").chars().all(|digit| digit == '0'));
            // folders on the way to what it has, and nothing in them
            let root = format!("/proc/{renderer}/root");
            assert!(!Path::new(&root).join("etc").exists() && !Path::new(&root).join("proc").exists());
        }
    })
    .unwrap();
}

/// Whoever starts the service may have left something open, and so may a library.
#[test]
fn nothing_that_is_open_is_inherited() {
    let site = large_site(200);
    let job = Job::new(JobSource::Folder { path: site.path().to_owned() });
    let secret = job.home.path().join("open");
    fs::write(&secret, "s3cret").unwrap();
    // a duplicate of this kind is inherited by whatever is started
    let open = rustix::io::dup(fs::File::open(&secret).unwrap()).unwrap();
    run_and(&job, |fetcher, renderer| {
        for process in [fetcher, renderer] {
            // only root may look
            let listed = fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten().flatten();
            let targets: Vec<_> = listed.filter_map(|entry| fs::read_link(entry.path()).ok()).collect();
            assert!(!targets.contains(&secret), "{targets:?}");
        }
    })
    .unwrap();
    drop(open);
}

#[test]
fn the_log_can_tell_which_process_died_of_what() {
    let site = large_site(400);
    let job = Job::new(JobSource::Folder { path: site.path().to_owned() });
    for (name, expect) in [
        ("KILL", "the renderer was killed"),
        ("ABRT", "the renderer crashed (signal 6)"),
        ("SYS", "the renderer made a system call that it may not make"),
    ] {
        let failure = run_and(&job, |_, renderer| signal(renderer, name)).unwrap_err();
        assert!(failure.cause == Cause::Crash && failure.message.contains(expect), "{failure:?}");
    }
    let failure = run_and(&job, |fetcher, _| signal(fetcher, "KILL")).unwrap_err();
    assert!(failure.message.contains("the fetcher was killed"), "{failure:?}");
    assert!(job.run().is_ok(), "the next one is as if nothing had been");
}

#[test]
fn servers_that_are_allowed_for_sources_are_not_asked_for_assets() {
    let server = serve(b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>".to_vec());
    let site = tempfile::tempdir().unwrap();
    write(site.path(), &[("index.md", &format!("# A page\n\n![a](http://{server}/a.svg)\n"))]);
    let mut job = Job::new(JobSource::Folder { path: site.path().to_owned() });
    for allowed in [vec![], vec![server], vec!["*".to_owned()]] {
        job.work.allow_private = allowed;
        let logs = job.run().unwrap().logs;
        assert!(
            logs.iter().any(|line| line.contains(" warning[remote-asset]") && line.contains("127.0.0.1")),
            "{logs:?}"
        );
    }
}

/// The renderer is given what was fetched, never how.
#[test]
fn a_renderer_knows_neither_address_nor_credentials_of_its_source() {
    let repository = Repository::new();
    let secret = repository.path().join("s3cret");
    git(repository.path(), &["clone", "-q", "--bare", ".", secret.to_str().unwrap()]);
    let mut job = Job::new(repository.source(Some("main")));
    let JobSource::Git { url, .. } = &mut job.work.source else { unreachable!() };
    *url = format!("file://{}", secret.display());
    let seen = Mutex::new(None);
    job.run_telling(|progress| {
        if matches!(progress, ChildProgress::Source { .. }) {
            let fetcher = child_in(&job.work.folder).expect("a fetcher");
            let (renderer, _) = children(fetcher)[0];
            let knows = |process| memory_of(process).map(|memory| memory.windows(6).any(|bytes| bytes == b"s3cret"));
            *seen.lock().unwrap() = knows(fetcher).zip(knows(renderer));
        }
    })
    .unwrap();
    // only root may look, and then the one that fetches is seen to know it
    assert!(matches!(*seen.lock().unwrap(), None | Some((true, false))), "{seen:?}");
}

/// What a process has in memory, if that may be read.
fn memory_of(process: u32) -> Option<Vec<u8>> {
    use std::os::unix::fs::FileExt as _;

    let maps = fs::read_to_string(format!("/proc/{process}/maps")).ok()?;
    let file = fs::File::open(format!("/proc/{process}/mem")).ok()?;
    let mut memory = Vec::new();
    for line in maps.lines().filter(|line| line.contains(" rw-p ")) {
        let range = line.split(' ').next().unwrap().split_once('-').unwrap();
        let [start, end] = [range.0, range.1].map(|number| u64::from_str_radix(number, 16).unwrap());
        // what is only reserved is of no interest, and large
        let mut bytes = vec![0; (end - start).min(16 << 20) as usize];
        if file.read_exact_at(&mut bytes, start).is_ok() {
            memory.extend_from_slice(&bytes);
        }
    }
    Some(memory)
}

#[test]
fn a_machine_that_lacks_what_is_required_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let found = |program: &str, isolation| {
        let limits = MachineLimits { program: program.into(), ..MachineLimits::default() };
        find_layers(&limits, isolation, &folder.path().join("trial"))
    };
    // a program that cannot confine itself
    let refused = found("/bin/false", Isolation::Require).unwrap_err();
    assert!(refused.contains("no Landlock") && refused.contains("no seccomp"), "{refused}");
    assert_eq!(found("/bin/false", Isolation::BestEffort), Ok(Layers::NONE));
    assert_eq!(found("/bin/false", Isolation::Off), Ok(Layers::NONE));
    assert!(found("/no/such/program", Isolation::BestEffort).is_err());
    assert_eq!(found(PROGRAM, Isolation::BestEffort), Ok(layers()));
    assert!(!folder.path().join("trial").exists());
}

/// One that has been told to be confined never goes on without.
#[test]
fn what_cannot_be_confined_does_not_run() {
    let site = large_site(3);
    let mut job = Job::new(JobSource::Folder { path: site.path().to_owned() });
    let small = job.home.path().join("small");
    // no more namespaces for this user: in one of its own, root may say so
    let script = format!(
        "#!/bin/sh\nexec unshare -Ur /bin/sh -c 'echo 0 > /proc/sys/user/max_net_namespaces; exec {PROGRAM} \"$@\"' sh \"$@\"\n"
    );
    fs::write(&small, script).unwrap();
    fs::set_permissions(&small, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    job.limits.program = small;
    job.limits.layers = Layers { namespaces: true, ..Layers::NONE };
    job.fails(Cause::System, "the renderer cannot be confined: namespaces");
    let found = find_layers(&job.limits, Isolation::Require, &job.home.path().join("trial")).unwrap();
    assert!(!found.namespaces && found.suffices(), "{found}");
    job.limits.layers = found;
    assert!(job.run().is_ok(), "the other layers suffice");
}
