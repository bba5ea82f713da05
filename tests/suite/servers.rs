//! Small HTTP servers on this machine, as well and as badly behaved as a test asks for.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// A server on a port of 127.0.0.1, until the test ends.
pub(crate) struct Server {
    /// `127.0.0.1:40123`.
    pub(crate) address: String,
    /// The port of it.
    pub(crate) port: u16,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Starts a server that hands each request's path to `answer`. Whatever fails while it writes is the client's
    /// business.
    pub(crate) fn start(answer: impl Fn(&str, &mut TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (log, answer) = (Arc::clone(&requests), Arc::new(answer));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, answer) = (Arc::clone(&log), Arc::clone(&answer));
                thread::spawn(move || serve(stream, &log, &*answer));
            }
        });
        Self { address: address.to_string(), port: address.port(), requests }
    }

    /// The paths that were asked for, in their order. A connection that asks for nothing counts as `(connected)`.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().expect("no panic").clone()
    }

    /// The URL of a path.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

fn serve(mut stream: TcpStream, log: &Mutex<Vec<String>>, answer: &dyn Fn(&str, &mut TcpStream)) {
    let Ok(mut reader) = stream.try_clone().map(BufReader::new) else { return };
    let mut first = String::new();
    let _ = reader.read_line(&mut first);
    let path = first.split(' ').nth(1).unwrap_or("(connected)").to_owned();
    log.lock().expect("no panic").push(path.clone());
    let mut line = String::new();
    while reader.read_line(&mut line).is_ok_and(|length| length > 2) {
        line.clear();
    }
    answer(&path, &mut stream);
}

/// Writes an answer with its length; one request a connection.
pub(crate) fn reply(stream: &mut TcpStream, status: &str, headers: &str, body: &[u8]) {
    let head = format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\n{headers}\r\n", body.len());
    let _ = stream.write_all(head.as_bytes());
    let _ = stream.write_all(body);
}

/// A picture of so many pixels in a plain color, as a PNG with stored blocks.
pub(crate) fn png(width: u32, height: u32) -> Vec<u8> {
    let mut raw = Vec::new();
    for _ in 0..height {
        raw.push(0);
        raw.extend(std::iter::repeat_n([15, 118, 110], width as usize).flatten());
    }
    let mut packed = vec![0x78, 0x01];
    let mut blocks = raw.chunks(0xffff).peekable();
    while let Some(block) = blocks.next() {
        packed.push(u8::from(blocks.peek().is_none()));
        packed.extend((block.len() as u16).to_le_bytes());
        packed.extend((!(block.len() as u16)).to_le_bytes());
        packed.extend(block);
    }
    let (mut a, mut b) = (1u32, 0u32);
    for byte in &raw {
        a = (a + u32::from(*byte)) % 65521;
        b = (b + a) % 65521;
    }
    packed.extend((b << 16 | a).to_be_bytes());
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = Vec::new();
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    header.extend([8, 2, 0, 0, 0]);
    for (kind, data) in [(b"IHDR", header), (b"IDAT", packed), (b"IEND", Vec::new())] {
        out.extend((data.len() as u32).to_be_bytes());
        let mut chunk = kind.to_vec();
        chunk.extend(data);
        let mut crc = flate2::Crc::new();
        crc.update(&chunk);
        out.extend(&chunk);
        out.extend(crc.sum().to_be_bytes());
    }
    out
}

/// Bytes in the gzip format.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory takes everything")
}
