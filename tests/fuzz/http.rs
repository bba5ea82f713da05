//! What a server reads from clients: heads of requests, ranges, signed links.

use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::sync::{Arc, LazyLock, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use hyper::body::{Body as _, Incoming};
use hyper::header::{
    ACCEPT_ENCODING, CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, HeaderName, HeaderValue, IF_RANGE,
    RANGE, TRANSFER_ENCODING,
};
use hyper::service::service_fn;
use hyper::{HeaderMap, Method, Request, StatusCode};
use offprint::base::BundlePath;
use offprint::bundle::{Bundle, BundleEntry, BundleFormat, BundleOptions, EntryOrigin, ManifestHeader};
use offprint::host::HostedSite;
use offprint::host::site::{ReplyBody, ServeOptions, message_response};
use offprint::http::checked_stream::CheckedStream;
use offprint::http::connection::{ConnectionLimits, serve_connection};
use offprint::http::unread::{self, RequestBody};
use offprint::service::store::objects::LINK_SECONDS;
use offprint::service::store::objects::link::{self, Keys, LinkKey, LinkSubject, Refused};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;

/// Files that are answered from memory, in one piece and in several, stored and deflated.
const FILES: [(&str, usize); 5] =
    [("index.html", 40), ("empty.txt", 0), ("one.bin", 1), ("pieces.png", 300_000), ("pages/long.html", 290_000)];

/// A bundle that is served, and what is in it.
struct Served {
    site: HostedSite,
    contents: [Vec<u8>; FILES.len()],
    _folder: TempDir,
}

static SERVED: LazyLock<Served> = LazyLock::new(|| {
    let folder = TempDir::with_prefix("offprint-fuzz-").expect("a temporary folder");
    let path = folder.path().join("site.zip");
    let options = BundleOptions { path: path.clone(), format: BundleFormat::Zip, source: folder.path().join("source") };
    let mut bundle = Bundle::create(&options).expect("a bundle");
    let contents = FILES.map(|(_, size)| content(size));
    let entry = |((path, _), bytes): (&(&str, usize), &Vec<u8>)| BundleEntry {
        path: BundlePath::sanitize(path),
        bytes: bytes.clone(),
        origin: EntryOrigin::Exporter,
    };
    bundle.add(FILES.iter().zip(&contents).map(entry).collect()).expect("files");
    bundle.finish(&ManifestHeader::default()).expect("written");
    let site = HostedSite::open(&path, ServeOptions::new(Arc::default()), None).expect("a bundle that is intact");
    Served { site, contents, _folder: folder }
});

/// The bytes of a file: they can be deflated, and no two long parts are alike.
fn content(size: usize) -> Vec<u8> {
    (0..size).flat_map(|number| format!("{number}\n").into_bytes()).take(size).collect()
}

/// Values of `Range` and `If-Range`, in two lines: a part is the part that its answer names, and lies within the file.
pub(super) fn range(bytes: &[u8]) {
    let mut lines = bytes.split(|byte| *byte == b'\n');
    let mut headers = HeaderMap::new();
    let mut add = |name, line: Option<&[u8]>| {
        if let Some(value) = line.and_then(|line| HeaderValue::from_bytes(line).ok()) {
            headers.append(name, value);
        }
    };
    add(RANGE, lines.next());
    add(IF_RANGE, lines.next());
    add(RANGE, lines.next());
    add(ACCEPT_ENCODING, lines.next());
    for ((path, size), whole) in FILES.into_iter().zip(&SERVED.contents) {
        let (answer, body) = answer(&format!("/{path}"), &headers);
        let said = answer.headers().get(CONTENT_RANGE).map(|range| range.to_str().expect("text").to_owned());
        match answer.status() {
            StatusCode::PARTIAL_CONTENT => {
                let said = said.expect("a part says which");
                let (first, last) = part(&said, size).unwrap_or_else(|| panic!("{said} of {size} bytes"));
                assert!(body == whole[first..=last], "{said}: other bytes");
            }
            StatusCode::RANGE_NOT_SATISFIABLE => {
                assert_eq!((said, body.len()), (Some(format!("bytes */{size}")), 0));
            }
            status => {
                assert_eq!((status, said), (StatusCode::OK, None));
                let is_packed = answer.headers().contains_key(CONTENT_ENCODING);
                assert!(is_packed || body == *whole, "other bytes");
            }
        }
    }
}

/// The first and last byte that `Content-Range` names, if these are bytes of the file.
fn part(said: &str, size: usize) -> Option<(usize, usize)> {
    let (range, of) = said.strip_prefix("bytes ")?.split_once('/')?;
    let (first, last) = range.split_once('-')?;
    let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
    (of.parse() == Ok(size) && first <= last && last < size).then_some((first, last))
}

/// What the site answers: the head, and all of the body.
fn answer(path: &str, headers: &HeaderMap) -> (hyper::Response<()>, Vec<u8>) {
    let (head, body) = SERVED.site.respond(&Method::GET, path, None, headers).into_parts();
    (hyper::Response::from_parts(head, ()), bytes_of(body))
}

fn bytes_of(mut body: ReplyBody) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut context = Context::from_waker(Waker::noop());
    while let Poll::Ready(Some(frame)) = Pin::new(&mut body).poll_frame(&mut context) {
        bytes.extend_from_slice(&frame.expect("a piece").into_data().expect("data"));
    }
    assert!(body.is_end_stream(), "a body has ended before its end");
    bytes
}

/// The bounds of a connection, as the service has them.
const LIMITS: ConnectionLimits = ConnectionLimits {
    head_bytes: 48 << 10,
    head_fields: Some(100),
    head_time: Some(Duration::from_secs(30)),
    grace: Duration::ZERO,
};
/// No request may make a connection wait that its client has nothing more to send on.
const MAX_TIME: Duration = Duration::from_secs(10);

/// A request as the service has got it.
#[derive(Debug)]
struct Taken {
    method: Method,
    target: String,
    is_refused: bool,
}

/// Bytes of a connection: the requests are those that another reader finds, none of them has two lengths, and what comes
/// back is a response to each.
pub(super) fn head(bytes: &[u8]) {
    static RUNTIME: LazyLock<Runtime> =
        LazyLock::new(|| Builder::new_current_thread().enable_time().build().expect("a runtime"));
    let conversation = async { tokio::time::timeout(MAX_TIME, converse(bytes)).await };
    let (taken, answers) = RUNTIME.block_on(conversation).expect("an end");
    check_requests(bytes, &taken);
    check_responses(&answers, &taken);
}

/// Sends bytes as a client does, and gives what the service got and what came back.
async fn converse(bytes: &[u8]) -> (Vec<Taken>, Vec<u8>) {
    let taken = Arc::new(Mutex::new(Vec::new()));
    let (client, server) = tokio::io::duplex(16 << 10);
    let (stream, is_doubled) = CheckedStream::new(server);
    let service = service_fn(|request: Request<Incoming>| {
        let is_refused = is_doubled.load(Ordering::Relaxed);
        let (method, target) = (request.method().clone(), request.uri().to_string());
        taken.lock().expect("a lock").push(Taken { method, target, is_refused });
        unread::answer_with_unread_body(request, MAX_TIME, async move |request: Request<RequestBody>| {
            if is_refused {
                let mut answer = message_response(StatusCode::BAD_REQUEST, "Two lengths.");
                answer.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
                return answer;
            }
            let uri = request.uri();
            SERVED.site.respond(request.method(), uri.path(), uri.query(), request.headers())
        })
    });
    let (_stop, stopped) = watch::channel(false);
    let (mut reader, mut writer) = tokio::io::split(client);
    let mut answers = Vec::new();
    let send = async {
        // the server may have closed the connection
        let _ = writer.write_all(bytes).await;
        let _ = writer.shutdown().await;
    };
    let receive = reader.read_to_end(&mut answers);
    let ((), (), received) = tokio::join!(serve_connection(stream, service, stopped, LIMITS), send, receive);
    received.expect("a connection in memory");
    let taken = std::mem::take(&mut *taken.lock().expect("a lock"));
    (taken, answers)
}

/// Reads the requests again, as far as their lengths can be told from their heads.
fn check_requests(mut bytes: &[u8], taken: &[Taken]) {
    for taken in taken {
        let mut fields = [httparse::EMPTY_HEADER; 100];
        let mut request = httparse::Request::new(&mut fields);
        let Ok(httparse::Status::Complete(length)) = request.parse(bytes) else {
            panic!("no head: {taken:?}");
        };
        assert_eq!(request.method, Some(taken.method.as_str()));
        let target = request.path.and_then(|target| target.split('#').next()).unwrap_or_default();
        assert!(!target.starts_with('/') || target == taken.target, "{target:?}: {taken:?}");
        let value = |name: HeaderName| {
            let field = request.headers.iter().find(|field| field.name.eq_ignore_ascii_case(name.as_str()))?;
            Some(String::from_utf8_lossy(field.value).into_owned())
        };
        let (stated, is_chunked) = (value(CONTENT_LENGTH), value(TRANSFER_ENCODING).is_some());
        assert!(taken.is_refused || !is_chunked || stated.is_none(), "two lengths: {taken:?}");
        let body: Option<usize> = stated.map_or(Some(0), |stated| stated.trim().parse().ok());
        let end = body.filter(|_| !is_chunked).and_then(|body| length.checked_add(body));
        let Some(rest) = end.and_then(|end| bytes.get(end..)) else { return };
        bytes = rest;
    }
}

/// Each is whole, with the length that it states; only the server's own last one is to no request.
fn check_responses(mut bytes: &[u8], taken: &[Taken]) {
    let mut requests = taken.iter();
    while !bytes.is_empty() {
        let mut fields = [httparse::EMPTY_HEADER; 100];
        let mut response = httparse::Response::new(&mut fields);
        let parsed = response.parse(bytes);
        let Ok(httparse::Status::Complete(length)) = parsed else { panic!("{parsed:?}: {}", bytes.escape_ascii()) };
        let status = response.code.expect("a status");
        bytes = &bytes[length..];
        if status == 100 {
            continue;
        }
        let request = requests.next();
        let field = response.headers.iter().find(|field| field.name.eq_ignore_ascii_case(CONTENT_LENGTH.as_str()));
        let stated = field.and_then(|field| std::str::from_utf8(field.value).ok()?.parse::<usize>().ok());
        let is_bare = matches!(status, 204 | 304) || request.is_some_and(|request| request.method == Method::HEAD);
        let body = if is_bare { 0 } else { stated.unwrap_or_else(|| panic!("{status} without a length")) };
        assert!(body <= bytes.len(), "{status}: {} of {body} bytes", bytes.len());
        bytes = &bytes[body..];
        match request {
            Some(request) if request.is_refused => assert_eq!((status, bytes.len()), (400, 0), "{request:?}"),
            Some(_) => {}
            None => assert!((400..500).contains(&status) && bytes.is_empty(), "{status} to no request"),
        }
    }
}

/// When the link was signed, and for how long, seconds.
const NOW: u64 = 1_800_000_000;
const LIFE: u64 = 3600;
const SUBJECT: LinkSubject<'_> = LinkSubject {
    authority: "api.docs.example",
    path: "/bundles/se_00112233445566778899aabbccddeeff/docs.acme.example-v2.1.zip",
    organization: "acme",
    digest: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
};

fn keys() -> Keys {
    Keys { current: LinkKey::new([7; 32]), previous: vec![LinkKey::new([9; 32])] }
}

/// Path and query of a signed link: it works as it was signed and while it lives, and no other text does.
pub(super) fn link(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (path, query) = text.split_once('?').unwrap_or((text, ""));
    let subject = LinkSubject { path, ..SUBJECT };
    let is_ours = links().iter().any(|link| link == bytes);
    for (now, is_alive) in [(NOW, true), (NOW + LIFE, true), (NOW + LIFE + 1, false), (0, false), (u64::MAX, false)] {
        let verdict = link::verify(&keys(), &subject, query, now, LINK_SECONDS);
        let expect = match (is_ours, is_alive) {
            (true, true) => true,
            (true, false) => false,
            (false, _) => {
                assert_eq!(verdict, Err(Refused::Invalid), "{text}");
                continue;
            }
        };
        assert_eq!(verdict.is_ok(), expect, "{text} at {now}: {verdict:?}");
    }
}

/// A link of each key.
pub(super) fn links() -> Vec<Vec<u8>> {
    let Keys { current, mut previous } = keys();
    let older = Keys { current: previous.remove(0), previous };
    let keys = [Keys { current, previous: Vec::new() }, older];
    let link = |keys: &Keys| format!("{}?{}", SUBJECT.path, link::sign(keys, &SUBJECT, NOW, LIFE)).into_bytes();
    keys.iter().map(link).collect()
}

/// Heads, alone and one after the other, among them those that mean two things.
pub(super) fn heads() -> Vec<Vec<u8>> {
    [
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "HEAD /pages/long HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\nGET /missing HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /one.bin HTTP/1.1\r\nHost: a\r\nRange: bytes=0-\r\n\r\nGET /empty.txt HTTP/1.0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhelloGET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\n\r\n",
        "POST / HTTP/1.1\nHost: a\ntransfer-encoding:chunked\nContent-Length:5\n\n0\n\n",
        "PUT /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 100000\r\n\r\n",
        "GET http://b.example/one.bin?x=%41 HTTP/1.1\r\nHost: a\r\nConnection: close\r\nIf-None-Match: *\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /..%2f..%5cetc/passwd HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
    ]
    .map(|text| text.as_bytes().to_vec())
    .to_vec()
}

/// One range, several, and what is none.
pub(super) fn ranges() -> Vec<Vec<u8>> {
    [
        "bytes=0-3",
        "bytes=-70000",
        "bytes=65535-65537",
        "bytes=299999-",
        "bytes=0-18446744073709551615\n\"x\"",
        "bytes=0-1,3-4\n\nbytes=5-6",
        "Bytes = 4 - 2",
        "items=1-2\n\n\ngzip",
    ]
    .map(|text| text.as_bytes().to_vec())
    .to_vec()
}
