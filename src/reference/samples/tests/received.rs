//! A server for one request.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread::JoinHandle;

/// A request as it arrived.
#[derive(Debug)]
pub(super) struct Received {
    pub(super) method: String,
    pub(super) target: String,
    /// By names in lower case.
    pub(super) headers: BTreeMap<String, String>,
    pub(super) body: Vec<u8>,
}

/// A part of a `multipart/form-data` body.
#[derive(Debug, PartialEq)]
pub(super) struct ReceivedPart {
    pub(super) name: String,
    pub(super) file: Option<String>,
    pub(super) content: Vec<u8>,
}

/// Waits for one request on a port of its own.
pub(super) struct Server {
    pub(super) address: SocketAddr,
    thread: JoinHandle<Option<Received>>,
}

impl Server {
    pub(super) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("its address");
        let thread = std::thread::spawn(move || {
            let (stream, _) = listener.accept().ok()?;
            receive(&stream)
        });
        Self { address, thread }
    }

    /// What has arrived; `None` where nothing has.
    pub(super) fn finish(self) -> Option<Received> {
        // ends the waiting where the program has sent nothing
        drop(TcpStream::connect(self.address));
        self.thread.join().expect("the server ends")
    }
}

fn receive(stream: &TcpStream) -> Option<Received> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, target) = (words.next()?, words.next()?);
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        match line.trim_end().split_once(':') {
            Some((name, value)) => headers.insert(name.to_lowercase(), value.trim().to_owned()),
            None => break,
        };
    }
    let mut body = Vec::new();
    if headers.get("transfer-encoding").is_some_and(|coding| coding == "chunked") {
        loop {
            let mut size = String::new();
            reader.read_line(&mut size).ok()?;
            let size = usize::from_str_radix(size.trim(), 16).ok()?;
            let mut chunk = vec![0; size + 2];
            reader.read_exact(&mut chunk).ok()?;
            body.extend(&chunk[..size]);
            if size == 0 {
                break;
            }
        }
    } else if let Some(size) = headers.get("content-length").and_then(|size| size.parse().ok()) {
        body.resize(size, 0);
        reader.read_exact(&mut body).ok()?;
    }
    let mut stream = stream;
    stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok").ok()?;
    Some(Received { method, target, headers, body })
}

impl Received {
    pub(super) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    /// The parts of a `multipart/form-data` body, those of files last.
    pub(super) fn parts(&self) -> Vec<ReceivedPart> {
        let boundary = self.header("content-type").split("boundary=").nth(1).expect("a boundary").trim_matches('"');
        let body: String = self.body.iter().map(|byte| char::from(*byte)).collect();
        let body = format!("\r\n{body}");
        let delimiter = format!("\r\n--{boundary}");
        let parts = body.split(&delimiter).skip(1).take_while(|part| !part.starts_with("--"));
        let bytes = |text: &str| -> Vec<u8> { text.chars().map(|letter| letter as u8).collect() };
        let mut parts: Vec<_> = parts
            .map(|part| {
                let (head, content) = part.trim_start_matches("\r\n").split_once("\r\n\r\n").expect("head and content");
                let attribute = |name: &str| {
                    let start = head.to_lowercase().find(&format!(" {name}=\""))? + name.len() + 3;
                    head[start..].split('"').next().map(str::to_owned)
                };
                ReceivedPart {
                    name: attribute("name").expect("a name"),
                    file: attribute("filename"),
                    content: bytes(content),
                }
            })
            .collect();
        parts.sort_by_key(|part| part.file.is_some());
        parts
    }
}
