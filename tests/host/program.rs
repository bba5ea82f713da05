//! The program under test, and a client that sees every byte of its answers.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

/// How long something may take that takes milliseconds: other tests run beside.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The token of all tests.
pub(crate) const TOKEN: &str = "token-of-the-tests-1234";

/// The program.
pub(crate) fn offprint() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_offprint"));
    command.stdin(Stdio::null()).env_clear();
    command
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// The body without its gzip.
    pub(crate) fn unpacked(&self) -> Vec<u8> {
        assert_eq!(self.header("content-encoding"), "gzip");
        let mut out = Vec::new();
        flate2::read::GzDecoder::new(&self.body[..]).read_to_end(&mut out).expect("gzip with the right checksum");
        out
    }
}

/// Reads one answer of a connection.
pub(crate) fn read_answer(reader: &mut impl std::io::BufRead, is_head: bool) -> std::io::Result<Answer> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let status = line
        .split(' ')
        .nth(1)
        .and_then(|code| code.parse().ok())
        .ok_or_else(|| std::io::Error::other(format!("no status: {line:?}")))?;
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        assert!(headers.insert(name.to_ascii_lowercase(), value.to_owned()).is_none(), "{name} twice");
    }
    let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; if is_head || status == 304 { 0 } else { length }];
    reader.read_exact(&mut body)?;
    Ok(Answer { status, headers, body })
}

/// A connection for many requests.
pub(crate) struct Client {
    reader: BufReader<TcpStream>,
}

impl Client {
    pub(crate) fn connect(port: u16) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("it answers");
        stream.set_read_timeout(Some(PATIENCE)).expect("a bound");
        stream.set_nodelay(true).expect("a socket");
        Self { reader: BufReader::new(stream) }
    }

    /// A request with header lines (`A: b`).
    pub(crate) fn ask(&mut self, method: &str, path: &str, lines: &[&str], body: &[u8]) -> std::io::Result<Answer> {
        let mut head = format!("{method} {path} HTTP/1.1\r\n");
        if !lines.iter().any(|line| line.starts_with("Host:")) {
            head.push_str("Host: localhost\r\n");
        }
        lines.iter().for_each(|line| head.push_str(&format!("{line}\r\n")));
        if method == "POST" {
            head.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        let mut stream = self.reader.get_ref();
        stream.write_all(&[head.as_bytes(), b"\r\n", body].concat())?;
        read_answer(&mut self.reader, method == "HEAD")
    }
}

/// A running `offprint host`.
pub(crate) struct Host {
    child: Child,
    pub(crate) port: u16,
    printed: Arc<Mutex<String>>,
}

impl Host {
    /// Starts it and waits until it listens.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self::start_with(arguments, |_| {})
    }

    pub(crate) fn start_with(arguments: &[&str], change: impl FnOnce(&mut Command)) -> Self {
        let mut command = offprint();
        command
            .arg("host")
            .args(["--listen", "127.0.0.1:0", "--threads", "2"])
            .args(arguments)
            .stderr(Stdio::piped())
            .stdout(Stdio::piped());
        change(&mut command);
        Self::spawn(command)
    }

    /// Starts it with a volume of its own of so many bytes in a folder. `None` where the system does not let tests do
    /// that.
    pub(crate) fn with_volume(folder: &Path, bytes: usize, arguments: &[String]) -> Option<Self> {
        let unshare = |script: &str| {
            let mut command = Command::new("unshare");
            command
                .args(["--map-root-user", "--mount", "sh", "-c", script, "sh"])
                .arg(folder)
                .arg(bytes.to_string())
                .stdin(Stdio::null());
            command
        };
        const MOUNT: &str = "mount -t tmpfs -o size=$2 tmpfs \"$1\"";
        unshare(MOUNT).stderr(Stdio::null()).status().ok().filter(ExitStatus::success)?;
        let mut command = unshare(&format!("{MOUNT} && shift 2 && exec \"$@\""));
        command
            .args([env!("CARGO_BIN_EXE_offprint"), "host", "--listen", "127.0.0.1:0", "--threads", "2"])
            .args(arguments)
            .stderr(Stdio::piped())
            .stdout(Stdio::piped());
        Some(Self::spawn(command))
    }

    fn spawn(mut command: Command) -> Self {
        let mut child = command.spawn().expect("the program starts");
        let printed = Arc::new(Mutex::new(String::new()));
        let (tell, address) = mpsc::channel();
        let streams: [Box<dyn std::io::Read + Send>; 2] =
            [Box::new(child.stderr.take().expect("a pipe")), Box::new(child.stdout.take().expect("a pipe"))];
        for stream in streams {
            let (output, tell) = (Arc::clone(&printed), tell.clone());
            thread::spawn(move || {
                for line in BufReader::new(stream).lines().map_while(Result::ok) {
                    if let Some((_, port)) = line
                        .strip_prefix("Listening on ")
                        .and_then(|address| address.trim_end_matches('/').rsplit_once(':'))
                    {
                        let _ = tell.send(port.parse().expect("a port"));
                    }
                    let mut output = output.lock().expect("a lock");
                    output.push_str(&line);
                    output.push('\n');
                }
            });
        }
        drop(tell);
        let port = address
            .recv_timeout(PATIENCE)
            .unwrap_or_else(|_| panic!("it listens: {}", printed.lock().expect("a lock")));
        Self { child, port, printed }
    }

    /// The same, and waits until it is ready.
    pub(crate) fn ready(arguments: &[&str]) -> Self {
        let host = Self::start(arguments);
        host.wait_ready();
        host
    }

    pub(crate) fn wait_ready(&self) {
        self.wait("ready", || self.get("/readyz").status == 200);
    }

    /// Waits until something is true.
    #[track_caller]
    pub(crate) fn wait(&self, what: &str, mut is_true: impl FnMut() -> bool) {
        let end = Instant::now() + PATIENCE;
        while !is_true() {
            assert!(Instant::now() < end, "{what}: {}", self.printed());
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until it has said something: what it prints may arrive after its answers.
    #[track_caller]
    pub(crate) fn says(&self, text: &str) {
        self.wait(text, || self.printed().contains(text));
    }

    pub(crate) fn client(&self) -> Client {
        Client::connect(self.port)
    }

    pub(crate) fn ask(&self, method: &str, path: &str, lines: &[&str]) -> Answer {
        self.client().ask(method, path, lines, b"").expect("an answer")
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[])
    }

    /// An order of an operator.
    pub(crate) fn order(&self, path: &str) -> Answer {
        self.ask("POST", path, &[&format!("Authorization: Bearer {TOKEN}")])
    }

    pub(crate) fn post(&self, path: &str, lines: &[&str], body: &str) -> Answer {
        self.client().ask("POST", path, lines, body.as_bytes()).expect("an answer")
    }

    /// Everything that it has printed.
    pub(crate) fn printed(&self) -> String {
        self.printed.lock().expect("a lock").clone()
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([format!("-{name}"), self.child.id().to_string()]).status();
        assert!(sent.is_ok_and(|sent| sent.success()));
    }

    /// How it ended.
    pub(crate) fn ended(&mut self) -> ExitStatus {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status;
            }
            assert!(Instant::now() < end, "it goes on: {}", self.printed());
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Resident memory in bytes, as the system counts it.
    #[cfg(target_os = "linux")]
    pub(crate) fn memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or_default() * 1024
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A file with the token.
pub(crate) fn token_file(folder: &Path) -> String {
    let path = folder.join("token");
    fs::write(&path, TOKEN).expect("a file");
    path.to_str().expect("a name").to_owned()
}

/// Runs it to its end; gives the code and what it printed.
pub(crate) fn run(arguments: &[&str]) -> (Option<i32>, String) {
    let output =
        offprint().arg("host").args(["--listen", "127.0.0.1:0"]).args(arguments).output().expect("the program starts");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}
