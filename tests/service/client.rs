//! A client that sends exactly what it is told, and reads what HTTP/1.1 says the answer is.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

/// Nothing that the tests wait for takes longer.
const PATIENCE: Duration = Duration::from_secs(60);

/// A connection.
pub(crate) struct Client {
    port: u16,
    stream: Option<BufReader<TcpStream>>,
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// As they came, names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// A request to be.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    method: String,
    target: String,
    headers: Vec<(String, String)>,
    body: Option<Vec<u8>>,
}

pub(crate) fn ask(method: &str, target: impl Into<String>) -> Ask {
    Ask { method: method.into(), target: target.into(), headers: Vec::new(), body: None }
}

impl Ask {
    pub(crate) fn method(mut self, method: &str) -> Self {
        self.method = method.into();
        self
    }

    pub(crate) fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    pub(crate) fn key(self, key: &str) -> Self {
        let value = format!("Bearer {key}");
        self.header("Authorization", value)
    }

    pub(crate) fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = Some(body.into());
        self
    }

    /// A body with its type.
    pub(crate) fn json(self, body: impl ToString) -> Self {
        let body = body.to_string();
        self.header("Content-Type", "application/json").body(body)
    }

    fn bytes(&self) -> Vec<u8> {
        let mut out = format!("{} {} HTTP/1.1\r\n", self.method, self.target);
        if !self.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            out.push_str("Host: service.test\r\n");
        }
        for (name, value) in &self.headers {
            out.push_str(&format!("{name}: {value}\r\n"));
        }
        let has_length = self.headers.iter().any(|(name, _)| {
            name.eq_ignore_ascii_case("content-length") || name.eq_ignore_ascii_case("transfer-encoding")
        });
        if let Some(body) = self.body.as_ref().filter(|_| !has_length) {
            out.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        out.push_str("\r\n");
        let mut bytes = out.into_bytes();
        bytes.extend_from_slice(self.body.as_deref().unwrap_or_default());
        bytes
    }
}

impl Client {
    pub(crate) fn new(port: u16) -> Self {
        Self { port, stream: None }
    }

    /// Sends a request, over the connection that is open if there is one.
    pub(crate) fn send(&mut self, ask: &Ask) -> Answer {
        let bytes = ask.bytes();
        if let Some(answer) = self.try_send(&bytes, ask.method == "HEAD") {
            return answer;
        }
        // the service may have closed what was idle
        self.stream = None;
        self.try_send(&bytes, ask.method == "HEAD").unwrap_or_else(|| panic!("no answer to {ask:?}"))
    }

    /// Sends bytes as they are over a connection of their own. `None` if it is closed without an answer.
    pub(crate) fn raw(port: u16, bytes: &[u8]) -> Option<Answer> {
        Self::new(port).try_send(bytes, false)
    }

    fn try_send(&mut self, bytes: &[u8], is_head: bool) -> Option<Answer> {
        let stream = match &mut self.stream {
            Some(stream) => stream,
            None => {
                let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the service listens");
                stream.set_read_timeout(Some(PATIENCE)).unwrap();
                stream.set_nodelay(true).unwrap();
                self.stream.insert(BufReader::new(stream))
            }
        };
        // a service that answers early may not read everything
        let sent = stream.get_mut().write_all(bytes).is_ok();
        let answer = read(stream, is_head);
        if !sent || answer.as_ref().is_none_or(|answer| answer.header("connection") == Some("close")) {
            self.stream = None;
        }
        answer
    }
}

/// Reads an answer. `None` if there is none.
pub(crate) fn read(stream: &mut BufReader<TcpStream>, is_head: bool) -> Option<Answer> {
    let mut line = String::new();
    stream.read_line(&mut line).ok().filter(|count| *count > 0)?;
    let status: u16 = line.split(' ').nth(1)?.parse().ok()?;
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).ok()?;
        let line = line.trim_end_matches(['\r', '\n']);
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').expect("a header has a colon");
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let mut answer = Answer { status, headers, body: Vec::new() };
    if is_head || status == 204 || status == 304 {
        return Some(answer);
    }
    if answer.header("transfer-encoding") == Some("chunked") {
        loop {
            let mut line = String::new();
            stream.read_line(&mut line).ok()?;
            let size = usize::from_str_radix(line.trim(), 16).ok()?;
            let mut piece = vec![0; size + 2];
            stream.read_exact(&mut piece).ok()?;
            answer.body.extend_from_slice(&piece[..size]);
            if size == 0 {
                return Some(answer);
            }
        }
    }
    let length = answer.header("content-length").map_or(0, |length| length.parse().expect("a length is a number"));
    answer.body = vec![0; length];
    stream.read_exact(&mut answer.body).ok()?;
    Some(answer)
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("the body is text")
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// A member of the body that is a string.
    #[track_caller]
    pub(crate) fn string(&self, name: &str) -> String {
        self.json()[name].as_str().unwrap_or_else(|| panic!("{name} is no string in {self:?}")).to_owned()
    }

    /// The answer is a refusal with this status and code, in the one shape that refusals have (S-ERR-1, E-ERR-1).
    #[track_caller]
    pub(crate) fn refuses(&self, status: u16, code: &str) -> &Self {
        assert_eq!((self.status, self.header("x-error-code")), (status, Some(code)), "{self:?}");
        assert_eq!(self.header("content-type"), Some("application/json"));
        let body = self.json();
        let members = body.as_object().unwrap_or_else(|| panic!("{self:?}"));
        assert!(members.len() == 1 && members["error"].as_str().is_some_and(|text| !text.is_empty()), "{self:?}");
        self
    }

    #[track_caller]
    pub(crate) fn is(&self, status: u16) -> &Self {
        assert_eq!(self.status, status, "{self:?} {}", String::from_utf8_lossy(&self.body));
        self
    }

    /// Without what is another one in every answer.
    pub(crate) fn without_chance(mut self) -> Self {
        self.headers.retain(|(name, _)| name != "date" && name != "x-request-id");
        self
    }
}
