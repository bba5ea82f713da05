//! The one way to the network: guarded, bounded downloads.
//!
//! 1. The URL is judged: scheme, port, no credentials, no special-purpose address in any spelling ([`policy`]).
//! 2. Its name is resolved once; one bad answer refuses all ([`resolve`], [`address`]); what was judged is what is
//!    dialed, and the peer's address is judged again.
//! 3. Redirects are followed by hand, each from step 1; none leads from https to http.
//! 4. The body is decoded and counted as it comes; time is bounded as a whole and between any two pieces.
//!
//! Proxies, cookies, referrers and credentials do not exist here. A client sends GET or HEAD, and nothing else;
//! but [`Client::exchange`], which talks to one server and follows no redirect, sends what its caller gives it.

#![cfg_attr(test, allow(clippy::print_stdout, reason = "tests may print"))]
#![cfg_attr(not(test), warn(clippy::string_slice))]

pub mod address;
pub mod archive;
mod broker;
pub mod git;
mod part;
pub mod policy;
pub mod resolve;

use std::borrow::Cow;
use std::error::Error as _;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_ENCODING, CONTENT_LENGTH, HeaderMap, HeaderValue, LOCATION, USER_AGENT};
use reqwest::{Method, redirect};
use serde::{Deserialize, Serialize};
use tokio::time::timeout;
use url::Url;

use base::{limits, tls};

pub use broker::{Broker, read_line, serve_downloads, write_line};
pub use part::Download;
pub use policy::{FetchPolicy, ServerAddress};
pub use reqwest::Certificate;
pub use resolve::{Resolve, System};

/// Bounds of a download.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DownloadLimits {
    /// Largest body, bytes after decoding.
    pub bytes: u64,
    /// Longest time for all of it, redirects included.
    pub total: Duration,
    /// Longest time to a connection, names and TLS included.
    pub connect: Duration,
    /// Longest time to the head of an answer, the connection included.
    pub head: Duration,
    /// Longest time between two pieces of a body.
    pub idle: Duration,
    /// Most redirects.
    pub redirects: usize,
}

impl Default for DownloadLimits {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self {
            bytes: limits::REMOTE_BYTES,
            total: seconds(20),
            connect: seconds(5),
            head: seconds(10),
            idle: seconds(5),
            redirects: 5,
        }
    }
}

/// Why a download failed. Nothing of it was kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum DownloadFailure {
    /// Neither http nor https.
    #[error("its scheme is `{0}`: only http and https are allowed")]
    Scheme(String),
    /// `user:password@`.
    #[error("its address has a user name or a password")]
    Userinfo,
    /// Neither 80, 443 nor one that was allowed.
    #[error("port {0} is not allowed: only 80, 443 and allowed ports are")]
    Port(u16),
    /// A special-purpose address.
    #[error("`{host}` is {what}")]
    Address {
        /// As the URL names it.
        host: String,
        /// What its address is.
        what: Cow<'static, str>,
    },
    /// The name has no address, or no name server answered.
    #[error("`{0}` has no address: the name is wrong, or there is no network")]
    Name(String),
    /// No connection, or no secure one.
    #[error("`{host}` cannot be reached: {why}")]
    Connection {
        /// As the URL names it.
        host: String,
        /// Why.
        why: String,
    },
    /// No connection in time: packets vanish on the way.
    #[error("`{0}` cannot be reached: no answer")]
    Unanswered(String),
    /// Longer than a time limit.
    #[error("`{0}` takes too long to answer")]
    Slow(String),
    /// Larger than the byte limit.
    #[error("it is larger than {} MB", .0 >> 20)]
    TooLarge(u64),
    /// Any answer but 200.
    #[error("the answer is {0}")]
    Status(u16),
    /// Too many redirects.
    #[error("it redirects more than {0} times")]
    Redirects(usize),
    /// From https to http.
    #[error("it redirects from https to http")]
    Downgrade,
    /// A redirect without an address.
    #[error("it redirects without an address")]
    Nowhere,
    /// The answer ended early or is no HTTP.
    #[error("the answer is broken: {0}")]
    Broken(String),
    /// A content coding that was not requested.
    #[error("the answer is encoded as `{0}`")]
    Encoding(String),
    /// What came could not be put away.
    #[error("it cannot be stored: {0}")]
    Kept(String),
}

impl DownloadFailure {
    /// Whether the server was never reached: as without a network.
    pub fn is_unreached(&self) -> bool {
        matches!(self, Self::Name(_) | Self::Connection { .. } | Self::Unanswered(_))
    }

    /// Whether a second try may succeed.
    pub fn may_pass(&self) -> bool {
        matches!(self, Self::Connection { .. } | Self::Broken(_) | Self::Status(429 | 500 | 502 | 503 | 504))
    }
}

/// What an answer said beside its body.
#[derive(Clone, Debug)]
pub struct ResponseHead {
    /// The URL that gave it, after all redirects.
    pub url: Url,
    /// Its headers.
    pub headers: HeaderMap,
    /// Bytes of its body, decoded.
    pub bytes: u64,
}

/// The HTTP client of all downloads. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Client {
    way: Way,
    policy: Arc<FetchPolicy>,
    limits: DownloadLimits,
}

/// How requests are sent.
#[derive(Clone, Debug)]
enum Way {
    /// By this process.
    Own(reqwest::Client),
    /// By another one, which has the network.
    Broker(Broker),
}

/// Most headers of an answer, and bytes of all of them over HTTP/2; over HTTP/1 the buffer of the client bounds them at
/// 400 kB.
const MAX_HEADERS: usize = 100;
const HEADER_BYTES: u32 = 64 << 10;
/// Connections to a host that are kept for the next request.
const MAX_IDLE_CONNECTIONS: usize = 6;

impl Client {
    /// A client for what `policy` allows.
    ///
    /// # Errors
    /// The system has no usable TLS set-up, such as no root certificates.
    pub fn new(
        policy: FetchPolicy,
        limits: DownloadLimits,
        resolver: Arc<dyn Resolve>,
    ) -> Result<Self, DownloadFailure> {
        Self::with_authorities(policy, limits, resolver, Vec::new())
    }

    /// The same, which trusts more certificate authorities than the system does.
    ///
    /// # Errors
    /// As [`Client::new`].
    pub fn with_authorities(
        policy: FetchPolicy,
        limits: DownloadLimits,
        resolver: Arc<dyn Resolve>,
        authorities: Vec<Certificate>,
    ) -> Result<Self, DownloadFailure> {
        let policy = Arc::new(policy);
        let guard = resolve::Guard { policy: Arc::clone(&policy), resolver };
        tls::install_provider();
        let http = reqwest::Client::builder()
            .redirect(redirect::Policy::none())
            .no_proxy()
            .referer(false)
            .retry(reqwest::retry::never())
            .dns_resolver(Arc::new(guard))
            .connect_timeout(limits.connect)
            .pool_max_idle_per_host(MAX_IDLE_CONNECTIONS)
            .http1_max_headers(MAX_HEADERS)
            .http2_max_header_list_size(HEADER_BYTES)
            .tls_certs_merge(authorities)
            .build()
            .map_err(|error| DownloadFailure::Connection { host: "the network".to_owned(), why: cause(&error) })?;
        Ok(Self { way: Way::Own(http), policy, limits })
    }

    /// A client whose downloads another process makes, as its own policy allows. It sends no other requests.
    pub fn brokered(broker: Broker, policy: FetchPolicy, limits: DownloadLimits) -> Self {
        Self { way: Way::Broker(broker), policy: Arc::new(policy), limits }
    }

    /// The same client with another bound on bodies.
    #[must_use]
    pub fn at_most(&self, bytes: u64) -> Self {
        Self { limits: DownloadLimits { bytes, ..self.limits }, ..self.clone() }
    }

    /// Downloads what `url` leads to and gives its decoded bytes, piece by piece, to `sink`. `agent` is how the client
    /// calls itself.
    ///
    /// # Errors
    /// Why there is nothing; `sink` may have had a part of it.
    pub async fn fetch(
        &self,
        url: &Url,
        agent: &str,
        sink: &mut (dyn FnMut(&[u8]) -> io::Result<()> + Send),
    ) -> Result<ResponseHead, DownloadFailure> {
        let slow = || DownloadFailure::Slow(host_of(url));
        if let Way::Broker(broker) = &self.way {
            // redirects are followed there, and the guard is there
            let fetched = broker.fetch(url, agent, self.limits.bytes, sink);
            return timeout(self.limits.total, fetched).await.map_err(|_| slow())?;
        }
        timeout(self.limits.total, self.follow(url, agent, sink)).await.map_err(|_| slow())?
    }

    /// The same into memory.
    ///
    /// # Errors
    /// Why there is nothing.
    pub async fn get(&self, url: &Url, agent: &str) -> Result<(ResponseHead, Vec<u8>), DownloadFailure> {
        let mut body = Vec::new();
        let mut keep = |piece: &[u8]| {
            body.extend_from_slice(piece);
            Ok(())
        };
        let answer = self.fetch(url, agent, &mut keep).await?;
        Ok((answer, body))
    }

    /// Whether something is at `url`: by a HEAD request, or by a GET request whose body is not read where hosts refuse
    /// HEAD.
    ///
    /// # Errors
    /// Why there is nothing.
    pub async fn probe(&self, url: &Url, agent: &str) -> Result<(), DownloadFailure> {
        timeout(self.limits.total, self.look(url, agent)).await.map_err(|_| DownloadFailure::Slow(host_of(url)))?
    }

    async fn look(&self, url: &Url, agent: &str) -> Result<(), DownloadFailure> {
        let mut url = url.clone();
        for _ in 0..=self.limits.redirects {
            self.policy.check_url(&url)?;
            let mut answer = self.ask(Method::HEAD, &url, agent).await?;
            if !answer.status().is_success() && !answer.status().is_redirection() {
                answer = self.ask(Method::GET, &url, agent).await?;
            }
            match answer.status().as_u16() {
                200..=299 => return Ok(()),
                301 | 302 | 303 | 307 | 308 => {
                    url = next_hop(&url, answer.headers().get(LOCATION).map(HeaderValue::as_bytes))?
                }
                status => return Err(DownloadFailure::Status(status)),
            }
        }
        Err(DownloadFailure::Redirects(self.limits.redirects))
    }

    async fn follow(
        &self,
        url: &Url,
        agent: &str,
        sink: &mut (dyn FnMut(&[u8]) -> io::Result<()> + Send),
    ) -> Result<ResponseHead, DownloadFailure> {
        let mut url = url.clone();
        for _ in 0..=self.limits.redirects {
            self.policy.check_url(&url)?;
            let answer = self.ask(Method::GET, &url, agent).await?;
            let status = answer.status();
            if matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308) {
                url = next_hop(&url, answer.headers().get(LOCATION).map(HeaderValue::as_bytes))?;
                continue;
            }
            if status.as_u16() != 200 {
                return Err(DownloadFailure::Status(status.as_u16()));
            }
            return self.body(url, answer, sink).await;
        }
        Err(DownloadFailure::Redirects(self.limits.redirects))
    }

    async fn ask(&self, method: Method, url: &Url, agent: &str) -> Result<reqwest::Response, DownloadFailure> {
        self.ask_with(method, url, agent, HeaderMap::new(), None).await
    }

    async fn ask_with(
        &self,
        method: Method,
        url: &Url,
        agent: &str,
        more: HeaderMap,
        body: Option<Vec<u8>>,
    ) -> Result<reqwest::Response, DownloadFailure> {
        let Way::Own(http) = &self.way else {
            return Err(DownloadFailure::Broken("this process has no network".to_owned()));
        };
        // one answer for everybody: nothing is negotiated but the coding
        let request = http.request(method, url.clone()).header(ACCEPT, "*/*").header(USER_AGENT, agent).headers(more);
        let request = match body {
            Some(body) => request.body(body),
            None => request,
        };
        let answer =
            timeout(self.limits.head, request.send()).await.map_err(|_| DownloadFailure::Slow(host_of(url)))?;
        let answer = answer.map_err(|error| refusal(&error, url))?;
        if let Some(peer) = answer.remote_addr() {
            self.policy.check_address(url.host_str().unwrap_or_default(), Some(peer.port()), peer.ip())?;
        }
        Ok(answer)
    }

    async fn body(
        &self,
        url: Url,
        mut answer: reqwest::Response,
        sink: &mut (dyn FnMut(&[u8]) -> io::Result<()> + Send),
    ) -> Result<ResponseHead, DownloadFailure> {
        let headers = std::mem::take(answer.headers_mut());
        // the client takes away the coding that it decodes
        let coding = headers.get(CONTENT_ENCODING).and_then(|coding| coding.to_str().ok()).unwrap_or_default();
        if !matches!(coding, "" | "identity") {
            return Err(DownloadFailure::Encoding(coding.chars().take(40).collect()));
        }
        let declared = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
        if declared.is_some_and(|length| length > self.limits.bytes) {
            return Err(DownloadFailure::TooLarge(self.limits.bytes));
        }
        let mut bytes = 0;
        loop {
            let piece =
                timeout(self.limits.idle, answer.chunk()).await.map_err(|_| DownloadFailure::Slow(host_of(&url)))?;
            let Some(piece) = piece.map_err(|error| refusal(&error, &url))? else { break };
            bytes += piece.len() as u64;
            if bytes > self.limits.bytes {
                return Err(DownloadFailure::TooLarge(self.limits.bytes));
            }
            sink(&piece).map_err(|error| DownloadFailure::Kept(error.to_string()))?;
        }
        Ok(ResponseHead { url, headers, bytes })
    }
}

/// Where a redirect leads; whether it may be requested is checked as with any URL.
///
/// # Errors
/// Nowhere, or from https to http.
pub fn next_hop(url: &Url, location: Option<&[u8]>) -> Result<Url, DownloadFailure> {
    let location = location.and_then(|location| std::str::from_utf8(location).ok());
    let next = location.and_then(|location| url.join(location).ok()).ok_or(DownloadFailure::Nowhere)?;
    if url.scheme() == "https" && next.scheme() != "https" {
        return Err(DownloadFailure::Downgrade);
    }
    Ok(next)
}

fn host_of(url: &Url) -> String {
    url.host_str().unwrap_or_default().to_owned()
}

/// What an error of the HTTP client means: a refusal of the guard comes through it as it is.
fn refusal(error: &reqwest::Error, url: &Url) -> DownloadFailure {
    let mut source = error.source();
    while let Some(inner) = source {
        if let Some(refusal) = inner.downcast_ref::<DownloadFailure>() {
            return refusal.clone();
        }
        source = inner.source();
    }
    if error.is_connect() && error.is_timeout() {
        DownloadFailure::Unanswered(host_of(url))
    } else if error.is_connect() {
        DownloadFailure::Connection { host: host_of(url), why: cause(error) }
    } else {
        DownloadFailure::Broken(cause(error))
    }
}

/// The innermost reason of an error.
fn cause(error: &(dyn std::error::Error + 'static)) -> String {
    let mut inner = error;
    while let Some(next) = inner.source() {
        inner = next;
    }
    if inner.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::UnexpectedEof) {
        return "the connection was closed too early".to_owned();
    }
    inner.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(from: &str, location: Option<&str>, expect: Result<&str, DownloadFailure>) {
        let next = next_hop(&Url::parse(from).unwrap(), location.map(str::as_bytes));
        assert_eq!(next.as_ref().map(Url::as_str).map_err(Clone::clone), expect);
    }

    #[test]
    fn redirects_never_lose_their_encryption() {
        check("https://a.b/c", Some("http://a.b/c"), Err(DownloadFailure::Downgrade));
        check("https://a.b/c", Some("file:///etc/passwd"), Err(DownloadFailure::Downgrade));
        check("https://a.b/c", Some("//d.e/f"), Ok("https://d.e/f"));
        check("http://a.b/c", Some("https://a.b/c"), Ok("https://a.b/c"));
        check("http://a.b/c/d", Some("../e?f"), Ok("http://a.b/e?f"));
        check("http://a.b/c", Some("http://["), Err(DownloadFailure::Nowhere));
        check("http://a.b/c", None, Err(DownloadFailure::Nowhere));
    }
}
