//! S26: Git servers and repositories that mean harm. Each of them is the source of a project of one running service,
//! over https: a server written here that speaks the protocol as it likes, or the real `git` before a repository that
//! no honest person makes.
//!
//! Whatever they do, their job ends in time and says why; nothing outside of the service is touched or asked, nothing
//! stays behind, nobody else waits.

mod content;
mod packs;
mod server;
mod speech;

use std::fs;
use std::io::{Cursor, Read as _};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::body::{Body, to_bytes};
use axum::http::{Request, Response};
use futures_util::FutureExt as _;
use hyper::body::Incoming;
use offprint::fetch::git::Protocol;
use offprint::service::job::child::{Cause, JobSource};
use serde_json::{Value, json};

use crate::service::client::ask;
use crate::service::server::{Server, key, organization_with, wait};

use super::https::{self, by_git};
use super::{Job, git, write};
use server::Step;

/// How a job has to end.
enum Ends {
    /// With a bundle in which the site's page is, and the canary is not.
    Exported,
    /// Without one, and with these words.
    Failed(&'static str),
    /// Without one, because its time is up.
    Late,
}

/// What a project has for a source.
enum Kind {
    /// A server that takes a request and says nothing at all.
    Silent,
    /// A server that answers like this.
    Speaks(fn(Step, &World) -> Response<Body>),
    /// A repository that is made like this in a folder with a site of one page, served by the real `git`.
    Holds(fn(&Path, &World)),
}

struct Scenario {
    name: &'static str,
    kind: Kind,
    /// The project names no branch: the repository's own is asked for.
    of_head: bool,
    ends: Ends,
}

impl Scenario {
    fn of_head(self) -> Self {
        Self { of_head: true, ..self }
    }
}

/// What a scenario may try to reach.
struct World {
    /// A file that nobody may read, in a folder that nobody may write to.
    canary: PathBuf,
    /// A server that nobody may ask.
    bystander: SocketAddr,
    /// How often somebody has.
    connections: Arc<AtomicUsize>,
}

const SECRET: &str = "the canary sings";
const TOKEN: &str = "t0k3n-of-the-project";

impl World {
    fn create(folder: &Path) -> Self {
        let canary = folder.join("canary");
        fs::create_dir(&canary).unwrap();
        fs::write(canary.join("secret.md"), SECRET).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (bystander, connections) = (listener.local_addr().unwrap(), Arc::new(AtomicUsize::new(0)));
        let count = Arc::clone(&connections);
        std::thread::spawn(move || {
            listener.incoming().for_each(|_| {
                count.fetch_add(1, Ordering::Relaxed);
            })
        });
        let world = Self { canary, bystander, connections };
        // what a careless client of Git would obey
        let settings = format!(
            "[http]\n\tproxy = http://{0}\n[core]\n\tsshCommand = {1}\n\thooksPath = {2}\n[credential]\n\thelper = !{1}\n[url \"https://{0}/\"]\n\tinsteadOf = https://\n",
            world.bystander,
            world.command(),
            folder.display()
        );
        fs::write(folder.join(".gitconfig"), settings).unwrap();
        world
    }

    fn command(&self) -> String {
        format!("touch {}/touched", self.canary.display())
    }

    #[track_caller]
    fn check_untouched(&self) {
        let names: Vec<_> = fs::read_dir(&self.canary).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(
            (names, fs::read_to_string(self.canary.join("secret.md")).unwrap()),
            (vec!["secret.md".into()], SECRET.to_owned())
        );
        assert_eq!(self.connections.load(Ordering::Relaxed), 0, "somebody asked the bystander");
    }
}

/// A server of all scenarios: each is a repository of its name.
fn serve(scenarios: Arc<Vec<Scenario>>, world: Arc<World>, projects: PathBuf) -> https::Server {
    https::Server::of(move |request| {
        answer(request, Arc::clone(&scenarios), Arc::clone(&world), projects.clone()).boxed()
    })
}

async fn answer(
    request: Request<Incoming>,
    scenarios: Arc<Vec<Scenario>>,
    world: Arc<World>,
    projects: PathBuf,
) -> Response<Body> {
    let path = request.uri().path().to_owned();
    let name = path.split('/').nth(1).and_then(|name| name.strip_suffix(".git")).unwrap_or_default();
    match scenarios.iter().find(|scenario| scenario.name == name).map(|scenario| &scenario.kind) {
        None => Response::builder().status(404).body(Body::empty()).unwrap(),
        Some(Kind::Silent) => std::future::pending().await,
        Some(Kind::Holds(_)) => by_git(request, path, projects).await,
        Some(Kind::Speaks(speak)) => {
            let is_question = path.ends_with("/git-upload-pack");
            let body = to_bytes(Body::new(request.into_body()), 1 << 20).await.unwrap();
            let step = match memchr::memmem::find(&body, b"command=fetch") {
                _ if !is_question => Step::Capabilities,
                None => Step::Branches,
                Some(_) => Step::Objects,
            };
            speak(step, &world)
        }
    }
}

/// A repository with one page on `main`, and then what is made of it.
fn make(folder: &Path, world: &World, spoil: fn(&Path, &World)) {
    fs::create_dir(folder).unwrap();
    git(folder, &["init", "-q", "-b", "main"]);
    write(folder, &[("index.md", "# Home\n\nWords.\n")]);
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "-q", "-m", "One"]);
    spoil(folder, world);
}

/// Longest run of a job, seconds, where all scenarios end by themselves, and where none does.
const PATIENT: u64 = 60;
const IMPATIENT: u64 = 3;

#[test]
fn s26_hostile_git_servers_fail_their_own_jobs_and_nothing_else() {
    let home = tempfile::tempdir().unwrap();
    let world = Arc::new(World::create(home.path()));
    let scenarios: Arc<Vec<Scenario>> = Arc::new(speech::scenarios().into_iter().chain(content::scenarios()).collect());
    assert!(scenarios.len() >= 25);
    let projects = home.path().join("projects");
    fs::create_dir(&projects).unwrap();
    for scenario in scenarios.iter() {
        if let Kind::Holds(spoil) = scenario.kind {
            make(&projects.join(format!("{}.git", scenario.name)), &world, spoil);
        }
    }
    let hostile = serve(Arc::clone(&scenarios), Arc::clone(&world), projects);
    let (stalling, ending): (Vec<&Scenario>, Vec<&Scenario>) =
        scenarios.iter().partition(|scenario| matches!(scenario.ends, Ends::Late));
    std::thread::scope(|scope| {
        for (scenarios, job_seconds) in [(stalling, IMPATIENT), (ending, PATIENT)] {
            let (hostile, world, home) = (&hostile, &world, home.path());
            scope.spawn(move || run(&scenarios, &start(&scenarios, job_seconds, hostile, world, home)));
        }
    });
    world.check_untouched();
}

/// Has a service do the jobs of some scenarios, all at once, and looks at what they and the service have come to.
#[expect(clippy::print_stderr, reason = "what each of them came to")]
fn run(scenarios: &[&Scenario], service: &Server) {
    let (key, began) = (key("acme"), Instant::now());
    let mut client = service.client();
    let mut post = |name: &str| {
        client
            .send(&ask("POST", "/v1/static-export/jobs").key(&key).json(json!({ "domain": format!("{name}.example") })))
            .is(202)
            .string("jobId")
    };
    let jobs: Vec<String> = scenarios.iter().map(|scenario| post(scenario.name)).collect();
    let mut wrong = Vec::new();
    for (scenario, job) in scenarios.iter().zip(&jobs) {
        let job = wait("a job to end", || {
            let job = client.send(&ask("GET", format!("/v1/static-export/jobs/{job}")).key(&key)).is(200).json();
            matches!(job["status"].as_str(), Some("completed" | "failed")).then_some(job)
        });
        eprintln!("{:>6.1?} {}: {} {}", began.elapsed(), scenario.name, job["status"], job["error"]);
        wrong.extend(judge(scenario, &job, service, &key).err().map(|what| format!("{}: {what}", scenario.name)));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
    let left = |name: &str| fs::read_dir(service.folder.path().join(name)).unwrap().count();
    wait("the folders of jobs to be empty", || (left("data/scratch") == 0).then_some(()));
    let completed = scenarios.iter().filter(|scenario| matches!(scenario.ends, Ends::Exported)).count();
    assert!(left("data/bundles") <= completed, "archives of exports that were not");
    // it answers on, and its log is free of what must not be there
    assert!(service.is_running());
    client.send(&ask("GET", "/v1/static-export/jobs?limit=1").key(&key)).is(200);
    let log = service.log();
    assert!(!log.contains(TOKEN) && !log.contains('\u{1b}'), "{log}");
}

/// A service with a project for each scenario.
fn start(scenarios: &[&Scenario], job_seconds: u64, hostile: &https::Server, world: &World, home: &Path) -> Server {
    let authority = hostile.authority.to_str().unwrap();
    let proxy = format!("http://{}", world.bystander);
    let variables = [
        ("SSL_CERT_FILE", authority),
        ("HOME", home.to_str().unwrap()),
        ("HTTPS_PROXY", &proxy),
        ("ALL_PROXY", &proxy),
        ("https_proxy", &proxy),
        ("GIT_SSL_NO_VERIFY", "1"),
        ("GIT_ASKPASS", "/bin/false"),
    ];
    let configure = |_: &Path| {
        let mut text = format!(
            "[server]\ndata_dir = \"data\"\nworkers = 8\n\n[limits]\njob_seconds = {job_seconds}\nexports_running = 0\nexports_queued = 0\n\n"
        );
        let url = |name: &str| format!("https://robot:{TOKEN}@{}/{name}.git", hostile.address);
        text.push_str(&organization_with(
            "acme",
            "static_export = true",
            "exports_running = 0, exports_queued = 0",
            "",
            &format!("{{ git = \"{}\" }}", url("none")),
        ));
        for Scenario { name, of_head, .. } in scenarios {
            let branch = if *of_head { "" } else { ", branch = \"main\"" };
            text.push_str(&format!("[[projects]]\nid = \"{name}\"\norganization = \"acme\"\ndomain = \"{name}.example\"\nsource = {{ git = \"{}\"{branch} }}\n\n", url(name)));
        }
        text
    };
    Server::start_with(configure, "info", &variables)
}

/// Looks at a job that has ended.
fn judge(scenario: &Scenario, job: &Value, service: &Server, key: &str) -> Result<(), String> {
    let error = job["error"].as_str().unwrap_or_default();
    if error.contains(TOKEN)
        || error.chars().any(char::is_control)
        || error.contains(service.folder.path().to_str().unwrap())
    {
        return Err(format!("tells what it must not: {error:?}"));
    }
    match scenario.ends {
        Ends::Failed(words) if job["status"] == "failed" && error.contains(words) => Ok(()),
        Ends::Exported if job["status"] == "completed" => look_into(&bundle(job, service, key)),
        // whichever bound is looked at first
        Ends::Late
            if job["status"] == "failed"
                && (error.contains(&format!("longer than {IMPATIENT} s")) || error.contains("too long to answer")) =>
        {
            Ok(())
        }
        Ends::Late => Err(format!("{job} instead of an end for want of time")),
        Ends::Failed(words) => Err(format!("{job} instead of a failure: {words}")),
        Ends::Exported => Err(format!("{job} instead of an export")),
    }
}

fn bundle(job: &Value, service: &Server, key: &str) -> Vec<u8> {
    let id = job["jobId"].as_str().unwrap();
    let link =
        service.send(&ask("POST", format!("/v1/static-export/jobs/{id}/bundle")).key(key)).is(200).string("bundleUrl");
    service.get_link(&link, &[]).is(200).body.clone()
}

/// What a bundle has to hold, and what it must not.
fn look_into(bundle: &[u8]) -> Result<(), String> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bundle)).unwrap();
    let mut has_page = false;
    for at in 0..archive.len() {
        let (mut file, mut bytes) = (archive.by_index(at).unwrap(), Vec::new());
        file.read_to_end(&mut bytes).unwrap();
        let name = file.name().unwrap().into_owned();
        let has = |text: &str| memchr::memmem::find(&bytes, text.as_bytes()).is_some();
        has_page |= name == "index.html" && has("Words.");
        if has(SECRET) || has("root:x:0") || has(TOKEN) {
            return Err(format!("{name} holds what is not in the repository"));
        }
    }
    if has_page { Ok(()) } else { Err("the page is not in the bundle".to_owned()) }
}

/// What the service does not let its operator set is tried with one child.
#[test]
fn s26_packs_and_listings_are_bounded_and_private_servers_need_leave() {
    let home = tempfile::tempdir().unwrap();
    let world = Arc::new(World::create(home.path()));
    let scenarios = Arc::new(speech::scenarios());
    let hostile = serve(scenarios, Arc::clone(&world), home.path().to_owned());
    let job = |name: &str, may_be_private: bool| {
        let url = format!("https://{}/{name}.git", hostile.address);
        let mut job = Job::new(JobSource::Git {
            url,
            branch: Some("main".to_owned()),
            subdir: None,
            since: None,
            protocols: vec![Protocol::Https],
            shown: Vec::new(),
        });
        job.limits.certificates = Some(hostile.authority.clone());
        job.work.allow_private = may_be_private.then(|| hostile.address.to_string()).into_iter().collect();
        job
    };
    let mut large = job("progress-without-end", true);
    large.limits.fetch_bytes = 1 << 20;
    large.fails(Cause::Limit, "the repository is larger than 1 MB");
    let mut slow = job("stall-in-a-pack", true);
    slow.limits.seconds = 1;
    slow.fails(Cause::Limit, "longer than 1 s");
    job("credentials", false).fails(Cause::Source, "is not allowed");
    world.check_untouched();
}
