//! Requests over connections that the system has taken for a server which has not looked at them yet.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

/// More than a runtime takes in one turn, and fewer than one address may have.
const MANY: usize = 240;

/// As many as the system keeps for a server: some systems keep fewer than there should be.
fn many() -> usize {
    let most = std::fs::read_to_string("/proc/sys/net/core/somaxconn").ok().and_then(|text| text.trim().parse().ok());
    most.map_or(100, |most: usize| MANY.min(most - most / 8))
}

/// The connections, each with a request on its way.
pub(crate) struct Queued(Vec<TcpStream>);

impl Queued {
    /// Connects to a port of this machine and sends; nothing is read yet.
    pub(crate) fn send(port: u16, path: &str) -> Self {
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        let connect = |_| {
            let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("the system takes it");
            stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a bound");
            stream.write_all(request.as_bytes()).expect("it is sent");
            stream
        };
        Self((0..many()).map(connect).collect())
    }

    /// How many have no answer when all have ended.
    pub(crate) fn cut(self) -> usize {
        let is_cut = |mut stream: TcpStream| {
            let mut said = Vec::new();
            let _ = stream.read_to_end(&mut said);
            !said.starts_with(b"HTTP/1.1 ")
        };
        self.0.into_iter().map(is_cut).filter(|is_cut| *is_cut).count()
    }
}
