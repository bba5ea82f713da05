//! A PostgreSQL server of the tests' own: the real programs of Debian's package, in a folder of its own, on a free port.
//! It ends with the process of the tests, whatever that ends by.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// How long the server may take to come up.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs a command until its input ends, or the command does.
const KEEPER: &str =
    "exec 3<&0; \"$@\" 3<&- & p=$!; (read -r line <&3; kill -QUIT $p) 2>/dev/null & wait $p; kill $! 2>/dev/null";

/// A running server.
pub(crate) struct Postgres {
    folder: TempDir,
    pub(crate) port: u16,
    keeper: Option<Child>,
}

/// The folder of the programs: the newest version that is installed.
fn programs() -> PathBuf {
    let mut found: Vec<(u32, PathBuf)> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path().join("bin"))))
        .filter(|(_, programs): &(u32, PathBuf)| programs.join("postgres").is_file())
        .collect();
    found.sort();
    found.pop().expect("PostgreSQL is installed: apt-get install postgresql").1
}

/// A command as a user that the server accepts: it refuses to run as root.
fn command(program: &Path) -> Command {
    let id = Command::new("id").arg("-u").output().expect("id runs");
    if id.stdout.trim_ascii() == b"0" {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]).arg(program);
        command
    } else {
        Command::new(program)
    }
}

fn run(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

impl Postgres {
    /// Makes a server with settings beside the defaults, and starts it.
    pub(crate) fn start(settings: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        own(folder.path());
        let data = folder.path().join("data");
        let mut initdb = command(&programs().join("initdb"));
        run(initdb.arg("-D").arg(&data).args(["-U", "us", "-A", "trust", "--no-sync", "--locale=C", "-E", "UTF8"]));
        let mut server = Self { folder, port: free_port(), keeper: None };
        server.up(settings);
        server
    }

    /// A server that takes encrypted connections alone, of users with this password.
    pub(crate) fn encrypted(password: &str) -> Self {
        let mut server = Self::start(&[]);
        server.sql(&format!("ALTER USER us PASSWORD '{password}'"));
        server.kill();
        let (data, certificate) = (server.folder.path().join("data"), server.certificate());
        let key = data.join("server.key");
        let mut openssl = Command::new("openssl");
        openssl.args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]);
        openssl.args(["-days", "2", "-subj", "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1"]);
        openssl.args(["-addext", "basicConstraints=critical,CA:FALSE", "-keyout"]).arg(&key);
        run(openssl.arg("-out").arg(&certificate));
        run(Command::new("chmod").arg("0600").arg(&key));
        own(&key);
        std::fs::write(data.join("pg_hba.conf"), "hostssl all all 127.0.0.1/32 scram-sha-256\n").unwrap();
        server.up(&["ssl=on", &format!("ssl_cert_file={}", certificate.display())]);
        server
    }

    /// Who has to have signed what an encrypted server shows: it itself.
    pub(crate) fn certificate(&self) -> PathBuf {
        self.folder.path().join("data/server.crt")
    }

    /// A replica of a server, which follows it until it is promoted.
    pub(crate) fn replica(of: &Self) -> Self {
        let folder = tempfile::tempdir().unwrap();
        own(folder.path());
        let mut copy = command(&programs().join("pg_basebackup"));
        let source = format!("host=127.0.0.1 port={} user=us", of.port);
        run(copy.arg("-D").arg(folder.path().join("data")).args(["-R", "--no-sync", "-c", "fast", "-d", &source]));
        let mut server = Self { folder, port: free_port(), keeper: None };
        server.up(&[]);
        server
    }

    /// Starts it, perhaps again.
    pub(crate) fn up(&mut self, settings: &[&str]) {
        let mut words = command(&programs().join("postgres"));
        words.arg("-D").arg(self.folder.path().join("data"));
        words.args(["-c", "listen_addresses=127.0.0.1", "-c", "max_connections=300", "-c", "unix_socket_directories="]);
        for setting in settings {
            words.args(["-c", setting]);
        }
        let log = std::fs::OpenOptions::new().append(true).create(true).open(self.folder.path().join("log")).unwrap();
        let mut keeper = Command::new("sh");
        keeper.args(["-c", KEEPER, "keeper"]).arg(words.get_program()).args(words.get_args());
        keeper.args(["-p", &self.port.to_string()]).stdin(Stdio::piped()).stdout(log.try_clone().unwrap()).stderr(log);
        self.keeper = Some(keeper.spawn().unwrap());
        let (until, ready) = (Instant::now() + PATIENCE, programs().join("pg_isready"));
        let is_ready = || {
            let status = Command::new(&ready).args(["-q", "-h", "127.0.0.1", "-p", &self.port.to_string()]).status();
            status.unwrap().success()
        };
        while !is_ready() {
            let log = || std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
            assert!(Instant::now() < until, "the database does not start: {}", log());
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// Ends it at once, as a crash does; its data stays.
    pub(crate) fn kill(&mut self) {
        self.control(&["stop", "-m", "immediate"]);
        if let Some(mut keeper) = self.keeper.take() {
            let _ = keeper.wait();
        }
    }

    /// Makes a replica the server that takes writes.
    pub(crate) fn promote(&self) {
        self.control(&["promote"]);
    }

    fn control(&self, arguments: &[&str]) {
        let mut control = command(&programs().join("pg_ctl"));
        run(control.args(arguments).arg("-D").arg(self.folder.path().join("data")));
    }

    /// The URL of its database, in a schema of this name, which is made.
    pub(crate) fn url(&self, schema: &str) -> String {
        self.sql(&format!("CREATE SCHEMA IF NOT EXISTS \"{schema}\""));
        format!("postgres://us@127.0.0.1:{}/postgres?options=-csearch_path%3D{schema}", self.port)
    }

    /// Writes what is in its database to a file.
    pub(crate) fn dump(&self, file: &Path) {
        let url = format!("postgres://us@127.0.0.1:{}/postgres", self.port);
        run(Command::new(programs().join("pg_dump")).args(["--format=custom", "--file"]).arg(file).arg(url));
    }

    /// Makes its database what is in such a file.
    pub(crate) fn restore(&self, file: &Path) {
        let url = format!("--dbname=postgres://us@127.0.0.1:{}/postgres", self.port);
        run(Command::new(programs().join("pg_restore")).args(["--exit-on-error", "--no-owner", &url]).arg(file));
    }

    /// Runs statements, and gives what they return, a row a line.
    pub(crate) fn sql(&self, statements: &str) -> String {
        let port = self.port.to_string();
        let output = Command::new(programs().join("psql"))
            .args(["-h", "127.0.0.1", "-p", &port, "-U", "us", "-d", "postgres", "-q", "-A", "-t", "-c", statements])
            .output()
            .unwrap();
        assert!(output.status.success(), "{statements}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if let Some(mut keeper) = self.keeper.take() {
            drop(keeper.stdin.take());
            let _ = keeper.wait();
        }
    }
}

/// Gives a folder to the user that the server runs as.
fn own(folder: &Path) {
    let id = Command::new("id").arg("-u").output().expect("id runs");
    if id.stdout.trim_ascii() == b"0" {
        run(Command::new("chown").arg("postgres:postgres").arg(folder));
    }
}
