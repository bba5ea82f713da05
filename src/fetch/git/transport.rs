//! Git over https by the one guarded way to the network ([`crate`]) instead of the client that the
//! library would bring: addresses are judged where names are resolved, no answer leads to another server, no proxy is
//! used, and every byte and second is counted.
//!
//! 1. The library requests the advertisement with GET, and branches and objects with POST ([`Http`]).
//! 2. A POST is sent when its answer is first read: by then its body is written.
//! 3. Bytes count against what the [`FetchBudget`] allows: little while branches are listed, as much as a repository
//!    may have for its objects.
//! 4. What goes wrong is kept in words of our own; the library's error, which wraps it many times, is not shown.

use std::io::{self, BufRead, Cursor, Read, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use gix::protocol::transport::Protocol;
use gix::protocol::transport::client::blocking_io::http::{
    GetResponse, Http, PostBodyDataKind, PostResponse, Transport,
};
use gix::protocol::transport::client::{Account, TransportWithoutIO as _};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION, USER_AGENT};
use tokio::runtime::Runtime;
use url::Url;

use crate::{Client, Download, DownloadFailure, DownloadLimits, FetchPolicy, System};

use super::{FetchBounds, GitError, RemoteUrl, public_address};

/// How we call ourselves; some servers speak Git with programs of that name alone.
const AGENT: &str = concat!("git/offprint-", env!("CARGO_PKG_VERSION"));
/// Most bytes of all that is said before objects come: half a million branches, of which only those of one name are
/// requested where servers support that.
const LISTING_BYTES: u64 = 32 << 20;
/// Most bytes of a request body: one commit, and another one.
const QUESTION_BYTES: usize = 1 << 20;
/// How long a server may think before it answers, and between two pieces of its answer; all of it is bounded by the
/// fetch.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How often a request checks whether it was canceled.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The way to one server, for one fetch.
pub(super) struct FetchBudget {
    client: Client,
    runtime: Runtime,
    stop: Arc<AtomicBool>,
    /// Bytes that may still come.
    left: AtomicU64,
    /// Whether objects come by now, and how many bytes of them may.
    objects: OnceLock<u64>,
    /// What went wrong first.
    trouble: OnceLock<GitError>,
}

impl FetchBudget {
    /// A way to the servers that `policy` allows.
    pub(super) fn open(
        policy: &FetchPolicy,
        bounds: FetchBounds,
        stop: Arc<AtomicBool>,
    ) -> Result<Arc<Self>, GitError> {
        let total = Duration::from_secs(bounds.seconds);
        let limits = DownloadLimits {
            bytes: bounds.bytes.max(LISTING_BYTES),
            total,
            connect: CONNECT_TIMEOUT.min(total),
            head: IDLE_TIMEOUT.min(total),
            idle: IDLE_TIMEOUT.min(total),
            redirects: 0,
        };
        let client = Client::new(policy.clone(), limits, Arc::new(System))
            .map_err(|refusal| GitError::Refused(refusal.to_string()))?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| GitError::Refused(error.to_string()))?;
        let line = Self {
            client,
            runtime,
            stop,
            left: AtomicU64::new(LISTING_BYTES),
            objects: OnceLock::new(),
            trouble: OnceLock::new(),
        };
        Ok(Arc::new(line))
    }

    /// From now on objects come, as many bytes as may be.
    pub(super) fn allow(&self, bytes: u64) {
        self.left.store(bytes, Ordering::Relaxed);
        let _ = self.objects.set(bytes);
    }

    /// What went wrong, if it was on the way here.
    pub(super) fn trouble(&self) -> Option<&GitError> {
        self.trouble.get()
    }

    /// What the library speaks with.
    pub(super) fn transport(self: &Arc<Self>, address: &RemoteUrl) -> Transport<Guarded> {
        let mut url = address.url().clone();
        let account = url.user().map(|user| Account {
            username: user.to_owned(),
            password: url.password().unwrap_or_default().to_owned(),
            oauth_refresh_token: None,
        });
        url.set_user(None);
        url.set_password(None);
        let mut transport = Transport::new_http(Guarded(Arc::clone(self)), url, Protocol::V2, false);
        if let Some(account) = account {
            // it never refuses one
            let _ = transport.set_identity(account);
        }
        transport
    }

    /// Waits for the server, for as long as anybody waits for us.
    fn wait<T>(&self, answer: impl Future<Output = Result<T, DownloadFailure>>) -> io::Result<T> {
        let canceled = async {
            while !self.stop.load(Ordering::Relaxed) {
                tokio::time::sleep(POLL_INTERVAL).await;
            }
        };
        let outcome = self.runtime.block_on(async {
            tokio::select! {
                outcome = answer => Some(outcome),
                () = canceled => None,
            }
        });
        match outcome {
            Some(Ok(answer)) => Ok(answer),
            Some(Err(refusal)) => Err(self.fail(GitError::Refused(refusal.to_string()))),
            None => Err(io::Error::other("the fetch was canceled")),
        }
    }

    fn ask(&self, question: &GitRequest) -> io::Result<Download> {
        let url = Url::parse(&question.url).map_err(|_| self.fail(GitError::Address("is not one of a repository")))?;
        let body = question
            .body
            .as_ref()
            .map(|body| std::mem::take(&mut *body.lock().unwrap_or_else(PoisonError::into_inner)));
        let answer = self.wait(self.client.exchange(&url, AGENT, question.headers.clone(), body))?;
        let header =
            |name: HeaderName| answer.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        match answer.status() {
            200 if header(CONTENT_TYPE).trim() == question.expect => Ok(answer),
            200 => Err(self
                .fail(GitError::Refused("its server does not speak Git's smart protocol at this address".to_owned()))),
            status => Err(self.fail(GitError::Refused(in_words(status, &url, header(LOCATION))))),
        }
    }

    fn count(&self, bytes: usize) -> io::Result<()> {
        let taken = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes as u64));
        taken.map(|_| ()).map_err(|_| {
            self.fail(match self.objects.get() {
                Some(limit) => GitError::TooLarge(*limit),
                None => GitError::Refused(format!("its server lists more than {} MB of branches", LISTING_BYTES >> 20)),
            })
        })
    }

    fn fail(&self, error: GitError) -> io::Error {
        let message = error.to_string();
        let _ = self.trouble.set(error);
        io::Error::other(message)
    }
}

/// What an answer means that is none.
fn in_words(status: u16, url: &Url, location: &str) -> String {
    match status {
        300..=399 => match url.join(location) {
            Ok(to) => format!("its server redirects to `{}`, and no redirect is followed: the project needs the final address", public_address(to.as_str())),
            Err(_) => "its server redirects without an address that can be read, and no redirect is followed: the project needs the final address".to_owned(),
        },
        401 => "its server asks for credentials (401): those of the project's address are missing or wrong".to_owned(),
        403 => "its server forbids it (403)".to_owned(),
        404 => "its server has no such repository, or none for these credentials (404)".to_owned(),
        status => format!("its server answers {status}"),
    }
}

/// Speaks HTTP for the library.
pub(super) struct Guarded(Arc<FetchBudget>);

impl Guarded {
    fn question(
        &self,
        url: &str,
        headers: impl IntoIterator<Item = impl AsRef<str>>,
        body: Option<WrittenRequest>,
        expect: &'static str,
    ) -> GitRequest {
        let mut map = HeaderMap::new();
        for line in headers {
            let Some((name, value)) = line.as_ref().split_once(':') else { continue };
            let parsed = (name.parse::<HeaderName>(), value.trim().parse::<HeaderValue>());
            if let (Ok(name), Ok(mut value)) = parsed
                && name != USER_AGENT
            {
                value.set_sensitive(name == reqwest::header::AUTHORIZATION);
                map.insert(name, value);
            }
        }
        GitRequest { url: url.to_owned(), headers: map, body: body.map(|body| body.0), expect }
    }
}

const ADVERTISEMENT: &str = "application/x-git-upload-pack-advertisement";
const RESULT: &str = "application/x-git-upload-pack-result";

/// The one header that the library looks at; it is given when the type of the answer has been, or will be, compared.
fn content_type_header(expect: &str) -> Cursor<Vec<u8>> {
    Cursor::new(format!("content-type: {expect}\n").into_bytes())
}

impl Http for Guarded {
    type Headers = Cursor<Vec<u8>>;
    type ResponseBody = ResponseStream;
    type PostBody = WrittenRequest;

    fn get(
        &mut self,
        url: &str,
        _base: &str,
        lines: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> gix::Result<GetResponse<Self::Headers, Self::ResponseBody>> {
        let question = self.question(url, lines, None, ADVERTISEMENT);
        let download = self.0.ask(&question).map_err(gix::Error::from_error)?;
        Ok(GetResponse {
            headers: content_type_header(ADVERTISEMENT),
            body: ResponseStream::new(&self.0, BodyState::Open(Box::new(download))),
        })
    }

    fn post(
        &mut self,
        url: &str,
        _base: &str,
        lines: impl IntoIterator<Item = impl AsRef<str>>,
        _kind: PostBodyDataKind,
    ) -> gix::Result<PostResponse<Self::Headers, Self::ResponseBody, Self::PostBody>> {
        let post_body = WrittenRequest::default();
        let question = self.question(url, lines, Some(post_body.clone()), RESULT);
        Ok(PostResponse {
            post_body,
            headers: content_type_header(RESULT),
            body: ResponseStream::new(&self.0, BodyState::Unasked(Box::new(question))),
        })
    }

    /// Settings of proxies, certificates, redirects: there are none.
    fn configure(&mut self, _settings: &dyn std::any::Any) -> gix::Result {
        Ok(())
    }
}

struct GitRequest {
    url: String,
    headers: HeaderMap,
    body: Option<Arc<Mutex<Vec<u8>>>>,
    /// The type of a good answer.
    expect: &'static str,
}

/// The body of a POST, until it is sent.
#[derive(Clone, Default)]
pub(super) struct WrittenRequest(Arc<Mutex<Vec<u8>>>);

impl Write for WrittenRequest {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut body = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if body.len() + bytes.len() > QUESTION_BYTES {
            return Err(io::Error::other("a request is too long"));
        }
        body.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The body of an answer.
pub(super) struct ResponseStream {
    line: Arc<FetchBudget>,
    state: BodyState,
    piece: Vec<u8>,
    /// How much of the piece has been read.
    read: usize,
}

enum BodyState {
    Unasked(Box<GitRequest>),
    Open(Box<Download>),
    Over,
}

impl ResponseStream {
    fn new(line: &Arc<FetchBudget>, state: BodyState) -> Self {
        Self { line: Arc::clone(line), state, piece: Vec::new(), read: 0 }
    }

    /// The next bytes into `piece`; none at the end.
    fn advance(&mut self) -> io::Result<()> {
        self.read = 0;
        self.piece.clear();
        while self.piece.is_empty() {
            match &mut self.state {
                BodyState::Unasked(question) => {
                    let download = self.line.ask(question)?;
                    self.state = BodyState::Open(Box::new(download));
                }
                BodyState::Open(download) => match self.line.wait(download.piece())? {
                    Some(piece) => {
                        self.line.count(piece.as_ref().len())?;
                        self.piece.extend_from_slice(piece.as_ref());
                    }
                    None => self.state = BodyState::Over,
                },
                BodyState::Over => break,
            }
        }
        Ok(())
    }
}

impl BufRead for ResponseStream {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.read == self.piece.len() {
            self.advance()?;
        }
        Ok(&self.piece[self.read..])
    }

    fn consume(&mut self, bytes: usize) {
        self.read = (self.read + bytes).min(self.piece.len());
    }
}

impl Read for ResponseStream {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let there = self.fill_buf()?;
        let length = there.len().min(into.len());
        into[..length].copy_from_slice(&there[..length]);
        self.consume(length);
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_that_are_none_say_what_to_do() {
        let url = Url::parse("https://git.example/a.git/info/refs?service=git-upload-pack").unwrap();
        assert!(
            in_words(302, &url, "https://me:s3cret@other.example/b.git?token=t0k3n")
                .contains("redirects to `https://other.example/b.git`,")
        );
        assert!(in_words(301, &url, "/b.git/info/refs").contains("`https://git.example/b.git/info/refs`"));
        assert!(in_words(301, &url, "http://[").contains("redirects without an address"));
        assert!(in_words(401, &url, "").contains("credentials"));
        assert_eq!(in_words(500, &url, ""), "its server answers 500");
    }
}
