//! A request to an answer.

use std::io::Write as _;
use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;
use hyper::body::Bytes;
use hyper::header::{
    ACCEPT_RANGES, ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_SECURITY_POLICY,
    CONTENT_TYPE, ETAG, HeaderValue, LOCATION, RANGE, RETRY_AFTER, VARY,
};
use hyper::{HeaderMap, Method, Response, StatusCode};

use bundle::reader::{BundledFile, EntryMethod};
use frame::theme::rooted;
use http::range::{self, ByteRange};
use http::validator::has_version;

use super::body::{self, RawPiece, ReplyBody, entry_body};
use super::negotiation;
use super::response_headers::{self, Warm};
use super::routes::RouteTarget;
use super::{HostedSite, policy};

/// How the body of an answer is given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BodyForm {
    /// The stored deflate stream, as gzip.
    Gzip,
    /// As it is in the bundle's source.
    Plain,
}

impl HostedSite {
    /// Answers a request for a path, as it stands in the request: still percent-encoded, without the query.
    pub fn respond(
        &self,
        method: &Method,
        path: &str,
        query: Option<&str>,
        headers: &HeaderMap,
    ) -> Response<ReplyBody> {
        if !matches!(*method, Method::GET | Method::HEAD) {
            let mut answer = self.plain(StatusCode::METHOD_NOT_ALLOWED, "Only GET and HEAD are allowed here.\n");
            answer.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
            return answer;
        }
        let answer = match self.routes.find(path, query) {
            Some(RouteTarget::File(index)) => self.file(index, headers),
            Some(RouteTarget::Elsewhere { to, permanent }) => self.elsewhere(&to, permanent),
            None => self.not_found(path, headers),
        };
        if *method == Method::HEAD { without_body(answer) } else { answer }
    }

    fn file(&self, index: usize, headers: &HeaderMap) -> Response<ReplyBody> {
        let Some(requested) = self.archive.entries().get(index) else { return self.not_found("", headers) };
        let markdown = if negotiation::wants_markdown(headers) {
            response_headers::markdown_page(&self.archive, requested.name())
        } else {
            None
        };
        let (index, entry) = markdown
            .and_then(|markdown| Some((markdown, self.archive.entries().get(markdown)?)))
            .unwrap_or((index, requested));
        let Some(warm) = self.response_headers.warm(&self.archive, index) else { return self.broken() };
        let is_deflated = entry.method() == EntryMethod::Deflated;
        let wants_part = headers.contains_key(RANGE);
        let form = if is_deflated && !wants_part && negotiation::takes_gzip(headers) {
            BodyForm::Gzip
        } else {
            BodyForm::Plain
        };
        let tag = if form == BodyForm::Gzip { &warm.gzip_tag } else { &warm.tag };
        let mut out = self.response_headers.headers(index, warm, form == BodyForm::Gzip);
        if markdown.is_some() {
            out.insert(VARY, HeaderValue::from_static("accept, accept-encoding"));
        }
        if has_version(headers, tag.to_str().unwrap_or_default()) {
            for of_content in [CONTENT_TYPE, CONTENT_ENCODING, CONTENT_SECURITY_POLICY] {
                out.remove(of_content);
            }
            return build_response(StatusCode::NOT_MODIFIED, out, ReplyBody::empty());
        }
        if wants_part {
            return self.part(index, entry, warm, headers, out);
        }
        match self.content(index, entry, warm, form) {
            Some(body) => build_response(StatusCode::OK, out, body),
            None => self.broken(),
        }
    }

    /// The whole content of a file. `None` if it cannot be read.
    fn content(&self, index: usize, entry: &BundledFile, warm: &Warm, form: BodyForm) -> Option<ReplyBody> {
        let is_deflated = entry.method() == EntryMethod::Deflated;
        let is_packed = is_deflated == (form == BodyForm::Gzip);
        if let Some(bytes) = warm.bytes.as_ref().filter(|_| is_packed) {
            return Some(ReplyBody::whole(bytes.clone()));
        }
        let is_small = entry.size() <= MAX_WHOLE_BYTES;
        match form {
            BodyForm::Gzip if is_small => response_headers::read_body(&self.archive, entry).map(ReplyBody::whole),
            BodyForm::Plain if is_small && !is_deflated => self.archive.read(entry).ok().map(ReplyBody::whole),
            BodyForm::Plain => self.part_of_content(index, entry, 0, entry.size()),
            BodyForm::Gzip => {
                let head = std::iter::once(Ok(body::GZIP_HEAD.to_vec().into()));
                let tail = std::iter::once(Ok(body::gzip_tail(entry.crc32()?, entry.size()).to_vec().into()));
                let raw = RawPiece::new(Arc::clone(&self.archive), index, 0, entry.packed_size());
                Some(ReplyBody::pieces(entry.packed_size() + 18, head.chain(raw).chain(tail)))
            }
        }
    }

    /// The bytes from `first` to before `end` of the content of a file: of what is kept of it in memory, or piece by
    /// piece. `None` if it cannot be read.
    fn part_of_content(&self, index: usize, entry: &BundledFile, first: u64, end: u64) -> Option<ReplyBody> {
        if entry.method() == EntryMethod::Deflated
            && let Some(content) =
                self.contents.find_or_inflate(index, entry.size(), || self.archive.read(entry)).ok()?
        {
            let place = usize::try_from(first).ok()?..usize::try_from(end).ok()?;
            return content.get(place).map(|part| ReplyBody::whole(content.slice_ref(part)));
        }
        Some(entry_body(&self.archive, index, first, end))
    }

    fn part(
        &self,
        index: usize,
        entry: &BundledFile,
        warm: &Warm,
        headers: &HeaderMap,
        mut out: HeaderMap,
    ) -> Response<ReplyBody> {
        let size = entry.size();
        let mut tell = |range: String| {
            if let Ok(range) = HeaderValue::from_str(&range) {
                out.insert(CONTENT_RANGE, range);
            }
        };
        match range::of_request(headers, warm.tag.to_str().unwrap_or_default(), size) {
            ByteRange::Part(first, end) => {
                tell(format!("bytes {first}-{}/{size}", end.saturating_sub(1)));
                match self.part_of_content(index, entry, first, end) {
                    Some(body) => build_response(StatusCode::PARTIAL_CONTENT, out, body),
                    None => self.broken(),
                }
            }
            ByteRange::Unsatisfiable => {
                tell(format!("bytes */{size}"));
                build_response(StatusCode::RANGE_NOT_SATISFIABLE, out, ReplyBody::empty())
            }
            ByteRange::Whole => match self.content(index, entry, warm, BodyForm::Plain) {
                Some(body) => build_response(StatusCode::OK, out, body),
                None => self.broken(),
            },
        }
    }

    fn elsewhere(&self, to: &str, permanent: bool) -> Response<ReplyBody> {
        let Ok(to) = HeaderValue::from_str(to) else { return self.not_found("", &HeaderMap::new()) };
        let status = if permanent { StatusCode::PERMANENT_REDIRECT } else { StatusCode::TEMPORARY_REDIRECT };
        let mut out = self.response_headers.bare();
        out.insert(LOCATION, to);
        build_response(status, out, ReplyBody::empty())
    }

    /// The site's own page for missing addresses, with the path from there to the root of the site.
    fn not_found(&self, path: &str, headers: &HeaderMap) -> Response<ReplyBody> {
        let page = self.missing.and_then(|index| {
            let entry = self.archive.entries().get(index)?;
            let warm = self.response_headers.warm(&self.archive, index)?;
            let is_gzip = entry.method() == EntryMethod::Deflated && negotiation::takes_gzip(headers);
            let body = match self.missing_at(index, path, is_gzip) {
                Some(body) => ReplyBody::whole(body),
                None => self.content(index, entry, warm, if is_gzip { BodyForm::Gzip } else { BodyForm::Plain })?,
            };
            let mut out = self.response_headers.headers(index, warm, is_gzip);
            if !self.response_headers.tags_missing() {
                out.remove(ETAG);
            }
            out.remove(ACCEPT_RANGES);
            Some(build_response(StatusCode::NOT_FOUND, out, body))
        });
        page.unwrap_or_else(|| self.plain(StatusCode::NOT_FOUND, "There is no such page.\n"))
    }

    /// That page for addresses as deep as a path, made once for each depth. `None` for deeper ones, and if it has no
    /// place for the root.
    fn missing_at(&self, index: usize, path: &str, is_gzip: bool) -> Option<Bytes> {
        let depth = path.strip_prefix('/')?.matches('/').count();
        let bodies = self.missing_pages.get(depth)?.get_or_init(|| {
            let entry = self.archive.entries().get(index).filter(|entry| entry.size() <= MAX_WHOLE_BYTES)?;
            let page = String::from_utf8(self.archive.read(entry).ok()?).ok()?;
            let page = rooted(&page, path)?.into_bytes();
            let mut zipped = GzEncoder::new(Vec::new(), Compression::default());
            zipped.write_all(&page).ok()?;
            Some((Bytes::from(page), Bytes::from(zipped.finish().ok()?)))
        });
        bodies.as_ref().map(|(plain, zipped)| if is_gzip { zipped.clone() } else { plain.clone() })
    }

    /// The archive cannot be read any more.
    fn broken(&self) -> Response<ReplyBody> {
        self.plain(StatusCode::INTERNAL_SERVER_ERROR, "The page cannot be read.\n")
    }

    fn plain(&self, status: StatusCode, text: &'static str) -> Response<ReplyBody> {
        let mut out = self.response_headers.bare();
        out.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
        out.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        build_response(status, out, ReplyBody::whole(text.as_bytes()))
    }
}

/// Largest file that is read in one piece.
const MAX_WHOLE_BYTES: u64 = 256 << 10;

fn build_response(status: StatusCode, headers: HeaderMap, body: ReplyBody) -> Response<ReplyBody> {
    let mut answer = Response::new(body);
    *answer.status_mut() = status;
    *answer.headers_mut() = headers;
    answer
}

/// The same answer with its length and without its body.
fn without_body(mut answer: Response<ReplyBody>) -> Response<ReplyBody> {
    let body = std::mem::replace(answer.body_mut(), ReplyBody::empty());
    if answer.status() != StatusCode::NOT_MODIFIED {
        answer.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from(body.left()));
    }
    answer
}

/// An answer that is no part of a bundle: one line of text that no cache keeps.
pub fn message_response(status: StatusCode, text: impl Into<String>) -> Response<ReplyBody> {
    let mut answer = Response::new(ReplyBody::whole(text.into() + "\n"));
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(hyper::header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    answer
}

/// What readers see before there is a site: 503 with a page that reloads itself.
pub fn waiting() -> Response<ReplyBody> {
    let mut answer =
        message_response(StatusCode::SERVICE_UNAVAILABLE, const { templates::text("host/waiting.html") }.trim_end());
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(RETRY_AFTER, HeaderValue::from_static("5"));
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy::OF_DATA));
    answer
}
