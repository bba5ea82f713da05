//! The real program with a configuration of its own, and what it exports.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use crate::service::client::{Answer, Ask, Client, ask};

/// Nothing that a test waits for takes longer.
const PATIENCE: Duration = Duration::from_secs(120);

/// Does what it is told beside the program, and ends it when the pipe to it is closed, whatever becomes of the test.
const KEEPER: &str =
    "\"$0\" serve --config \"$@\" & echo $!; p=$!; while read -r line; do eval \"$line\"; done; kill -9 $p 2>/dev/null";

/// A running service.
pub(crate) struct Server {
    pub(crate) folder: TempDir,
    pub(crate) port: u16,
    pub(crate) pid: u32,
    keeper: Child,
    /// Closed when the test process ends.
    pipe: ChildStdin,
}

/// A key that is made of a name: tests know it without keeping it.
pub(crate) fn key(name: &str) -> String {
    let digest = Sha256::digest(format!("key of {name}"));
    let secret: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("opk_{}", &secret[..43])
}

pub(crate) fn hash(key: &str) -> String {
    Sha256::digest(key).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// An organization with everything in its plan, one key named after it, and a project `<name>-docs` at
/// `<name>.example`.
pub(crate) fn organization(name: &str, source: &str) -> String {
    organization_with(name, "static_export = true, preview = true, agent = true", "", "", source)
}

pub(crate) fn organization_with(name: &str, plan: &str, limits: &str, key_lines: &str, source: &str) -> String {
    format!(
        "[[organizations]]\nid = \"{name}\"\nplan = {{ {plan} }}\nlimits = {{ {limits} }}\n\n[[organizations.keys]]\nid = \"main\"\nhash = \"{}\"\n{key_lines}\n\n\
         [[projects]]\nid = \"{name}-docs\"\norganization = \"{name}\"\ndomain = \"{name}.example\"\nsource = {source}\n\n",
        hash(&key(name))
    )
}

/// A site of three pages.
pub(crate) fn site(folder: &Path) -> PathBuf {
    let docs = folder.join("docs");
    fs::create_dir_all(docs.join("guides")).unwrap();
    let config = r##"{"theme": "mint", "name": "Test", "colors": {"primary": "#123456"}, "navigation": {"pages": ["index", "guides/start", "guides/next"]}}"##;
    fs::write(docs.join("docs.json"), config).unwrap();
    fs::write(docs.join("index.mdx"), "---\ntitle: Home\n---\n\nSee [start](/guides/start).\n").unwrap();
    fs::write(docs.join("guides/start.mdx"), "---\ntitle: Start\n---\n\nText.\n").unwrap();
    fs::write(docs.join("guides/next.mdx"), "---\ntitle: Next\n---\n\nMore.\n").unwrap();
    docs
}

pub(crate) fn git(folder: &Path, arguments: &[&str]) {
    let output = Command::new("git")
        .args([
            "-c",
            "user.name=Test",
            "-c",
            "user.email=test@example.com",
            "-c",
            "init.defaultBranch=main",
            "-c",
            "commit.gpgsign=false",
        ])
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .expect("git runs");
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A repository with the site in it.
pub(crate) fn repository(folder: &Path) -> PathBuf {
    let docs = site(folder);
    git(&docs, &["init", "-q"]);
    git(&docs, &["add", "."]);
    git(&docs, &["commit", "-q", "-m", "First"]);
    docs
}

/// The source of a folder, as the configuration writes it.
pub(crate) fn folder_source(path: &Path) -> String {
    format!("{{ path = {:?} }}", path.to_str().unwrap())
}

pub(crate) fn git_source(path: &Path) -> String {
    format!("{{ git = {:?} }}", path.to_str().unwrap())
}

/// The program that was built with the tests, or another one that is to be measured.
pub(crate) fn program() -> String {
    std::env::var("OFFPRINT_PROGRAM").unwrap_or_else(|_| env!("CARGO_BIN_EXE_offprint").to_owned())
}

impl Server {
    /// Starts the program; `configure` writes everything but where it listens, for a folder.
    pub(crate) fn start(configure: impl FnOnce(&Path) -> String) -> Self {
        Self::start_with(configure, "info", &[])
    }

    pub(crate) fn start_with(configure: impl FnOnce(&Path) -> String, log: &str, variables: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let text = configure(folder.path());
        fs::write(folder.path().join("offprint.toml"), text).unwrap();
        Self::resume(folder, log, variables)
    }

    /// Starts the program again in the folder that another one has left.
    pub(crate) fn resume(folder: TempDir, log: &str, variables: &[(&str, &str)]) -> Self {
        Self::within(&[], folder, &[], log, variables)
    }

    /// The same by a command that runs other commands, in a world of their own perhaps.
    pub(crate) fn within(
        command: &[String],
        folder: TempDir,
        options: &[&str],
        log: &str,
        variables: &[(&str, &str)],
    ) -> Self {
        let file = fs::OpenOptions::new().append(true).create(true).open(folder.path().join("log")).unwrap();
        let before = fs::read_to_string(folder.path().join("log")).unwrap().len();
        let mut words = command.iter().map(String::as_str).chain(["sh", "-c", KEEPER]);
        let mut keeper = Command::new(words.next().unwrap())
            .args(words)
            .arg(program())
            .arg(folder.path().join("offprint.toml"))
            .args(options)
            .env("OFFPRINT_LOG", format!("{log},offprint::cli=info"))
            .env("OFFPRINT_SERVER_LISTEN", "127.0.0.1:0")
            // what a killed service leaves behind goes with the test
            .env("TMPDIR", folder.path())
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(file)
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(keeper.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let pid = line.trim().parse().expect("the keeper tells a process id");
        let pipe = keeper.stdin.take().unwrap();
        let mut server = Self { folder, port: 0, pid, keeper, pipe };
        server.listens(before);
        server
    }

    /// Waits until it listens, and finds out where. What stood in the log before is about another one.
    fn listens(&mut self, before: usize) {
        self.port = wait("the service to listen", || {
            let log = self.log();
            assert!(self.is_running(), "the service has not come up: {}", log.get(before..).unwrap_or(&log));
            let line = log.get(before..)?.lines().find(|line| line.contains("\"listening\""))?.to_owned();
            let line: Value = serde_json::from_str(&line).ok()?;
            line["address"].as_str()?.rsplit(':').next()?.parse().ok()
        });
    }

    /// Starts the program again where the one that was killed has run.
    pub(crate) fn start_again(&mut self) {
        let before = self.log().len();
        self.pid =
            self.shell("\"$0\" serve --config \"$@\" 2>&3 >&3 & p=$!; echo $p").trim().parse().expect("a process id");
        self.listens(before);
    }

    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    /// Has a line done by a shell that lives where the program does, and gives what it says.
    pub(crate) fn shell(&mut self, line: &str) -> String {
        let said = self.folder.path().join("said");
        let _ = fs::remove_file(&said);
        writeln!(self.pipe, "{{ {line}; }} 3>&2 >'{0}.new' 2>&1; mv '{0}.new' '{0}'", said.display()).unwrap();
        wait("the shell", || fs::read_to_string(&said).ok())
    }

    pub(crate) fn client(&self) -> Client {
        Client::new(self.port)
    }

    /// One request over a connection of its own.
    pub(crate) fn send(&self, ask: &Ask) -> Answer {
        self.client().send(ask)
    }

    pub(crate) fn signal(&self, name: &str) {
        assert!(Command::new("kill").args([&format!("-{name}"), &self.pid.to_string()]).status().unwrap().success());
    }

    /// Whether the program still runs.
    pub(crate) fn is_running(&self) -> bool {
        let status = fs::read_to_string(format!("/proc/{}/stat", self.pid)).unwrap_or_default();
        // one that has ended and that its parent has not asked about yet is a zombie
        status.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
    }

    /// Waits for the end, and keeps the folder.
    pub(crate) fn into_folder(mut self) -> TempDir {
        wait("the service to end", || (!self.is_running()).then_some(()));
        let _ = self.keeper.kill();
        let _ = self.keeper.wait();
        let spare = tempfile::tempdir().unwrap();
        std::mem::replace(&mut self.folder, spare)
    }

    /// Starts an export of an organization's site, and waits until it is over.
    pub(crate) fn export(&self, name: &str) -> Value {
        let started = self.send(
            &ask("POST", "/v1/static-export/jobs").key(&key(name)).json(format!("{{\"domain\":\"{name}.example\"}}")),
        );
        self.finished(name, &started.is(202).string("jobId"))
    }

    /// Waits for the end of an export.
    pub(crate) fn finished(&self, name: &str, job: &str) -> Value {
        let mut client = self.client();
        wait("an export to end", || {
            let job = client.send(&ask("GET", format!("/v1/static-export/jobs/{job}")).key(&key(name))).is(200).json();
            matches!(job["status"].as_str(), Some("completed" | "failed")).then_some(job)
        })
    }

    /// Waits for the end of a deployment.
    pub(crate) fn deployed(&self, name: &str, status_id: &str) -> Value {
        let mut client = self.client();
        wait("a deployment to end", || {
            let status = client
                .send(&ask("GET", format!("/v1/project/update-status/{status_id}")).key(&key(name)))
                .is(200)
                .json();
            matches!(status["status"].as_str(), Some("success" | "failure")).then_some(status)
        })
    }

    /// Host and target of a link.
    pub(crate) fn get_link(&self, link: &str, headers: &[(&str, &str)]) -> Answer {
        let (host, target) = split(link);
        let ask =
            headers.iter().fold(ask("GET", target).header("Host", host), |ask, (name, value)| ask.header(name, *value));
        self.send(&ask)
    }
}

/// Host and target of an address.
pub(crate) fn split(url: &str) -> (String, String) {
    let rest = url.split_once("://").expect("an address has a scheme").1;
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    (host.to_owned(), format!("/{path}"))
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = Command::new("kill").args(["-9", &self.pid.to_string()]).stderr(Stdio::null()).status();
        let _ = self.keeper.kill();
        let _ = self.keeper.wait();
    }
}

/// Looks again and again until there is something, or patience ends.
#[track_caller]
pub(crate) fn wait<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(30));
    }
}

/// A service that tests share which do not disturb each other: each has organizations of its own.
pub(crate) fn shared() -> &'static Server {
    static SHARED: OnceLock<Server> = OnceLock::new();
    SHARED.get_or_init(|| {
        Server::start(|folder| {
            let (docs, repository) = (site(folder), repository(&folder.join("git")));
            let mut text = format!("[server]\ndata_dir = \"data\"\npreview_url = \"http://{{slug}}.preview.test\"\n\n[git]\nallow_protocols = [\"file\"]\n\n[limits]\nauth_failures_per_minute = 0\n\n[agent]\ncommand = {:?}\n\n", agent());
            for name in FOLDER_ORGANIZATIONS {
                text.push_str(&organization(name, &folder_source(&docs)));
            }
            for name in GIT_ORGANIZATIONS {
                text.push_str(&organization(name, &git_source(&repository)));
            }
            text.push_str(&organization_with("free", "", "", "", &git_source(&repository)));
            text.push_str(&organization_with("reader", "static_export = true, preview = true, agent = true", "", "scopes = [\"read\"]", &git_source(&repository)));
            text.push_str(&organization_with("writer", "static_export = true", "", "scopes = [\"write\"]", &folder_source(&docs)));
            text.push_str(&organization_with("expired", "static_export = true", "", "expires_at = 2020-01-01T00:00:00Z", &folder_source(&docs)));
            text.push_str(&organization_with("elsewhere", "static_export = true", "", "allow_ips = [\"203.0.113.0/24\"]", &folder_source(&docs)));
            let _ = writeln!(text, "[[projects]]\nid = \"acme-folder\"\norganization = \"acme\"\ndomain = \"folder.acme.example\"\nsource = {}\n", folder_source(&docs));
            text
        })
    })
}

const FOLDER_ORGANIZATIONS: [&str; 8] = ["globex", "initech", "exports", "links", "events", "once", "list", "headers"];
const GIT_ORGANIZATIONS: [&str; 10] =
    ["acme", "previews", "rates", "branches", "hosts", "redeploys", "agents", "agents-rate", "production", "broken"];

/// An agent that does as its last prompt says.
fn agent() -> Vec<String> {
    let script = r#"read -r line
case "$line" in
  *'please fail"]'*) exit 1;;
  *'a pull request"]'*) echo working; echo '{"prLink":"https://git.example/acme/docs/pull/12"}';;
  *'a bad link"]'*) echo '{"prLink":"http://git.example/1"}';;
  *'take long"]'*) sleep 20; echo '{"prLink":null}';;
  *) echo '{"prLink":null}';;
esac"#;
    vec!["/bin/sh".to_owned(), "-c".to_owned(), script.to_owned()]
}
