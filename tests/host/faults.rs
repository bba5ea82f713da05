//! A server of bundles that does what it is told: cut off, stand still, lie, redirect, refuse.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

/// How the next answers go wrong.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// The connection ends after so many bytes of the body.
    CutAt(usize),
    /// Nothing more comes after so many bytes, and the connection stays.
    StallAt(usize),
    /// One byte every half second.
    Drip,
    /// Fine, but after so many seconds.
    Late(u64),
    /// 200 that says it is so long.
    Length(u64),
    /// A status with a short body.
    Status(u16),
    /// 403 with a sentence in JSON.
    Expired(&'static str),
    /// 200 with a page, and its type or none.
    Page(bool),
    /// 200 with the first bytes only, as if that were all; with or without a length.
    Truncated(usize, bool),
    /// A redirect to somewhere else.
    Redirect(String),
    /// Bytes that are no HTTP.
    Noise,
    /// Fine, but only the whole.
    NoRanges,
    /// A part that was not asked for.
    WrongPart,
}

/// What the server has, and what it does.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) bundle: Vec<u8>,
    pub(crate) tag: Option<String>,
    /// Taken from the front, one for each request; then all goes well.
    pub(crate) faults: Vec<Fault>,
    /// Method, path and headers of every request.
    pub(crate) requests: Vec<String>,
}

/// The server, until the test ends.
pub(crate) struct Faulty {
    state: Arc<Mutex<State>>,
    port: u16,
}

impl Faulty {
    pub(crate) fn start(bundle: Vec<u8>, tag: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let state = Arc::new(Mutex::new(State { bundle, tag: Some(tag.to_owned()), ..State::default() }));
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let state = Arc::clone(&shared);
                thread::spawn(move || drop(answer(stream, &state)));
            }
        });
        Self { state, port }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("a lock")
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// Puts another bundle there.
    pub(crate) fn put(&self, bundle: Vec<u8>, tag: &str) {
        let mut state = self.state();
        (state.bundle, state.tag) = (bundle, Some(tag.to_owned()));
    }

    pub(crate) fn fail(&self, faults: impl IntoIterator<Item = Fault>) {
        self.state().faults = faults.into_iter().collect();
    }
}

fn answer(mut stream: TcpStream, state: &Mutex<State>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let (mut head, mut line) = (String::new(), String::new());
    while reader.read_line(&mut line)? > 2 {
        head.push_str(&line);
        line.clear();
    }
    let (bundle, tag, fault) = {
        let mut state = state.lock().expect("a lock");
        state.requests.push(head.clone());
        let fault = if state.faults.is_empty() { None } else { Some(state.faults.remove(0)) };
        (state.bundle.clone(), state.tag.clone(), fault)
    };
    let header = |name: &str| {
        head.lines()
            .find_map(|line| line.to_ascii_lowercase().starts_with(name).then(|| line[name.len()..].trim().to_owned()))
    };
    let tag_line = tag.as_ref().map_or_else(String::new, |tag| format!("ETag: {tag}\r\n"));
    let mut simple = |status: &str, more: &str, body: &[u8]| {
        let head = format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\n{more}\r\n", body.len());
        stream.write_all(&[head.as_bytes(), body].concat())
    };
    if let Some(Fault::Late(seconds)) = &fault {
        thread::sleep(Duration::from_secs(*seconds));
    }
    let page = b"<!doctype html><html><body>Bad gateway, sign in</body></html>";
    let from = header("range: bytes=").and_then(|range| range.split('-').next()?.parse::<usize>().ok());
    let is_same = header("if-range:").is_none_or(|known| Some(&known) == tag.as_ref());
    let from = from.filter(|_| is_same && !matches!(fault, Some(Fault::NoRanges)));
    match &fault {
        Some(Fault::Status(status)) => return simple(&format!("{status} Whatever"), "", b"no"),
        Some(Fault::Expired(said)) => {
            return simple(
                "403 Forbidden",
                "Content-Type: application/json\r\n",
                format!("{{\"error\":\"{said}\"}}").as_bytes(),
            );
        }
        Some(Fault::Page(with_type)) => {
            return simple("200 OK", if *with_type { "Content-Type: text/html; charset=utf-8\r\n" } else { "" }, page);
        }
        Some(Fault::Redirect(to)) => return simple("302 Found", &format!("Location: {to}\r\n"), b""),
        Some(Fault::Noise) => return stream.write_all(&[0xff; 300]),
        Some(Fault::Length(length)) => {
            return stream.write_all(
                format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {length}\r\n\r\nPK").as_bytes(),
            );
        }
        Some(Fault::Truncated(length, true)) => return simple("200 OK", "", bundle.get(..*length).unwrap_or(&bundle)),
        Some(Fault::Truncated(length, false)) => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")?;
            return stream.write_all(bundle.get(..*length).unwrap_or(&bundle));
        }
        Some(Fault::WrongPart) => {
            return simple(
                "206 Partial Content",
                &format!("Content-Range: bytes 7-9/{}\r\n{tag_line}", bundle.len()),
                b"xyz",
            );
        }
        _ => {}
    }
    if from.is_none() && header("if-none-match:").is_some_and(|known| Some(&known) == tag.as_ref()) {
        return stream.write_all(b"HTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n");
    }
    let (status, range) = match from {
        Some(from) if from >= bundle.len() => {
            return simple("416 Range Not Satisfiable", &format!("Content-Range: bytes */{}\r\n", bundle.len()), b"");
        }
        Some(from) => {
            ("206 Partial Content", format!("Content-Range: bytes {from}-{}/{}\r\n", bundle.len() - 1, bundle.len()))
        }
        None => ("200 OK", String::new()),
    };
    let body = &bundle[from.unwrap_or(0)..];
    let head = format!(
        "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Type: application/zip\r\nContent-Length: {}\r\n{tag_line}{range}\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    match fault {
        Some(Fault::CutAt(at)) => stream.write_all(&body[..at.min(body.len())]),
        Some(Fault::StallAt(at)) => {
            stream.write_all(&body[..at.min(body.len())])?;
            thread::sleep(Duration::from_secs(120));
            Ok(())
        }
        Some(Fault::Drip) => body.chunks(1).try_for_each(|byte| {
            thread::sleep(Duration::from_millis(500));
            stream.write_all(byte)
        }),
        _ => stream.write_all(body),
    }
}
