//! What the answers for a file have in common: headers by the kind of file, made once for a bundle, and per file, from
//! its first request on, its tags, its policy and, if it is small, its bytes.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use hyper::HeaderMap;
use hyper::body::Bytes;
use hyper::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderName,
    HeaderValue, LINK, REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use rustc_hash::{FxHashMap, FxHashSet};

use base::hex::to_hex;
use bundle::reader::{BundleReader, BundledFile, EntryMethod};
use bundle::{BundleDeployment, Manifest, ManifestFeatures, media_type};

use super::policy::Calls;
use super::{
    ServeOptions, body,
    policy::{self, page_policy},
};

/// Largest file whose bytes are kept, as it stands in the archive.
const MAX_CACHED_FILE_BYTES: u64 = 256 << 10;
/// What the headers of an answer take in memory, and a gzip's first and last bytes, about.
const HEADER_BYTES: usize = 2 << 10;

/// Types of what a browser shows by itself, which needs a policy.
const PAGE: &str = "text/html; charset=utf-8";
const DRAWING: &str = "image/svg+xml";
const DATA: &str = "application/xml";

pub(super) const VERSION: HeaderName = HeaderName::from_static("x-offprint-version");
const LLMS: HeaderName = HeaderName::from_static("x-llms-txt");
const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");
const ORIGIN_CLUSTER: HeaderName = HeaderName::from_static("origin-agent-cluster");

/// What a bundle's files have in common, in the order of the archive.
#[derive(Debug)]
pub(super) struct ResponseHeaders {
    items: Vec<HeaderItem>,
    /// Headers by kind of file, for a file as it is and as gzip.
    kinds: Vec<[HeaderMap; 2]>,
    /// Headers of answers that are no file.
    bare: HeaderMap,
    /// Policies that pages share.
    policies: Mutex<FxHashSet<HeaderValue>>,
    /// Bytes that may still be kept.
    room: AtomicUsize,
    calls: policy::Calls,
    is_preview: bool,
}

#[derive(Debug)]
struct HeaderItem {
    sha256: Option<[u8; 32]>,
    kind: u16,
    warm: OnceLock<Box<Warm>>,
}

/// A file that was requested.
#[derive(Debug)]
pub(super) struct Warm {
    /// Of the content.
    pub(super) tag: HeaderValue,
    /// Of the content as gzip.
    pub(super) gzip_tag: HeaderValue,
    /// Of a page or a drawing.
    pub(super) policy: Option<HeaderValue>,
    /// The whole body: as gzip if it is deflated, else as it is.
    pub(super) bytes: Option<Bytes>,
    /// The headers that go with these bytes, and whether those are gzip.
    ready: Option<(bool, HeaderMap)>,
}

/// What a kind of file is made of.
#[derive(Clone, PartialEq, Eq, Hash)]
struct HeaderKind {
    media: &'static str,
    is_lasting: bool,
    is_deflated: bool,
    has_markdown: bool,
}

impl ResponseHeaders {
    pub(super) fn new(
        archive: &BundleReader,
        manifest: &Manifest,
        version: &HeaderValue,
        options: &ServeOptions,
    ) -> Self {
        let mut kinds = Vec::new();
        let mut numbers: FxHashMap<HeaderKind, u16> = FxHashMap::default();
        let common = Common { version, options, llms: archive.find("llms.txt").is_some() };
        let items = archive.entries().iter().map(|entry| {
            let sha256 = manifest.find(entry.name()).map(|record| record.sha256);
            let kind = HeaderKind {
                media: media_type::media_type(entry.name()),
                is_lasting: sha256.is_some_and(|digest| names_digest(entry.name(), &digest)),
                is_deflated: entry.method() == EntryMethod::Deflated,
                has_markdown: markdown_page(archive, entry.name()).is_some(),
            };
            let number = *numbers.entry(kind.clone()).or_insert_with(|| {
                let plain = common.headers(&kind);
                let mut gzip = plain.clone();
                gzip.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
                // parts are parts of the content, never of its gzip
                gzip.remove(ACCEPT_RANGES);
                kinds.push([plain, gzip]);
                (kinds.len() - 1) as u16
            });
            HeaderItem { sha256, kind: number, warm: OnceLock::new() }
        });
        let items = items.collect();
        let ManifestFeatures { search, assistant, analytics, playground, .. } = manifest.features;
        // the playground of an air-gapped bundle asks the servers of its pages and no others
        let asks_all = playground && manifest.deployment != BundleDeployment::AirGapped;
        let calls = Calls { all: search || assistant || analytics || asks_all, consoles: playground };
        Self {
            items,
            kinds,
            bare: common.bare(),
            policies: Mutex::default(),
            room: AtomicUsize::new(options.cached_bytes),
            calls,
            is_preview: options.noindex,
        }
    }

    /// The headers of a file, as it is or as gzip.
    pub(super) fn headers(&self, index: usize, warm: &Warm, is_gzip: bool) -> HeaderMap {
        if let Some((_, headers)) = warm.ready.as_ref().filter(|(ready, _)| *ready == is_gzip) {
            return headers.clone();
        }
        let kind = self.items.get(index).and_then(|item| self.kinds.get(usize::from(item.kind)));
        let mut headers = kind.map_or(&self.bare, |kind| &kind[usize::from(is_gzip)]).clone();
        headers.insert(ETAG, if is_gzip { &warm.gzip_tag } else { &warm.tag }.clone());
        if let Some(policy) = &warm.policy {
            headers.insert(CONTENT_SECURITY_POLICY, policy.clone());
        }
        headers
    }

    /// Whether the page for what is not there has a tag, as all pages of previews have (contract, E-PRV-8).
    pub(super) fn tags_missing(&self) -> bool {
        self.is_preview
    }

    /// The headers of an answer that is no file.
    pub(super) fn bare(&self) -> HeaderMap {
        self.bare.clone()
    }

    /// What is kept of a file; it is made now if it was not requested before. `None` if it cannot be read.
    pub(super) fn warm(&self, archive: &BundleReader, index: usize) -> Option<&Warm> {
        let item = self.items.get(index)?;
        if let Some(warm) = item.warm.get() {
            return Some(warm);
        }
        let entry = archive.entries().get(index)?;
        let mut warm = self.make(archive, entry, item)?;
        if warm.bytes.is_some() {
            let is_gzip = entry.method() == EntryMethod::Deflated;
            warm.ready = Some((is_gzip, self.headers(index, &warm, is_gzip)));
        }
        Some(item.warm.get_or_init(|| Box::new(warm)))
    }

    fn make(&self, archive: &BundleReader, entry: &BundledFile, item: &HeaderItem) -> Option<Warm> {
        // the manifest and its signature are not in the manifest
        let digest = item.sha256.map_or_else(
            || format!("crc-{:08x}-{}", entry.crc32().unwrap_or_default(), entry.size()),
            |digest| to_hex(&digest),
        );
        let tag = |end: &str| HeaderValue::from_str(&format!("\"{digest}{end}\"")).ok();
        let media = media_type::media_type(entry.name());
        let policy = match media {
            PAGE => Some(page_policy(entry.name(), &archive.read(entry).ok()?, self.calls)),
            DRAWING => Some(policy::of_drawing(&archive.read(entry).ok()?)),
            DATA => Some(policy::OF_DATA.to_owned()),
            _ => None,
        };
        let policy = policy.and_then(|policy| self.share(HeaderValue::from_str(&policy).ok()?));
        Some(Warm { tag: tag("")?, gzip_tag: tag("-gzip")?, policy, bytes: self.keep(archive, entry)?, ready: None })
    }

    /// One copy of a policy for all pages that have it.
    fn share(&self, policy: HeaderValue) -> Option<HeaderValue> {
        let mut policies = self.policies.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = policies.get(&policy) {
            return Some(known.clone());
        }
        policies.insert(policy.clone());
        Some(policy)
    }

    /// The bytes of a small file, if there is still room for them. What came first stays: that saves the bookkeeping
    /// of an LRU cache, and the system keeps the rest of the archive in memory anyway.
    fn keep(&self, archive: &BundleReader, entry: &BundledFile) -> Option<Option<Bytes>> {
        let size = entry.packed_size() as usize + HEADER_BYTES;
        let is_room = entry.packed_size() <= MAX_CACHED_FILE_BYTES
            && self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |room| room.checked_sub(size)).is_ok();
        if is_room { read_body(archive, entry).map(Some) } else { Some(None) }
    }
}

/// The whole body of a file: as gzip if it is deflated, else as it is.
pub(super) fn read_body(archive: &BundleReader, entry: &BundledFile) -> Option<Bytes> {
    let packed = usize::try_from(entry.packed_size()).ok()?;
    let (head, tail) = match entry.method() {
        EntryMethod::Deflated => (body::GZIP_HEAD.as_slice(), body::gzip_tail(entry.crc32()?, entry.size())),
        EntryMethod::Stored => (&[][..], [0; 8]),
    };
    let mut bytes = Vec::with_capacity(head.len() + packed + tail.len());
    bytes.extend_from_slice(head);
    bytes.resize(head.len() + packed, 0);
    archive.read_raw_at(entry, 0, bytes.get_mut(head.len()..)?).ok()?;
    if entry.method() == EntryMethod::Deflated {
        bytes.extend_from_slice(&tail);
    }
    Some(bytes.into())
}

/// Whether answers of a type carry a policy.
fn has_policy(media: &str) -> bool {
    matches!(media, PAGE | DRAWING | DATA)
}

/// The position of a page's Markdown.
pub(super) fn markdown_page(archive: &BundleReader, name: &str) -> Option<usize> {
    archive.position(&format!("{}.md", name.strip_suffix(".html")?))
}

/// Whether a name holds the first eight digits of its content's digest (`theme-3f9a61c2.css`): then it never means
/// anything else.
fn names_digest(name: &str, sha256: &[u8; 32]) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    stem.rsplit_once('-').is_some_and(|(_, digits)| digits == to_hex(&sha256[..4]))
}

/// What all answers of a bundle say.
struct Common<'a> {
    version: &'a HeaderValue,
    options: &'a ServeOptions,
    llms: bool,
}

impl Common<'_> {
    fn bare(&self) -> HeaderMap {
        let mut headers = HeaderMap::with_capacity(16);
        headers.insert(VERSION, self.version.clone());
        headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        headers.insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
        headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("SAMEORIGIN"));
        let cached = if self.options.private { "private, no-cache" } else { "public, max-age=0, must-revalidate" };
        headers.insert(CACHE_CONTROL, HeaderValue::from_static(cached));
        if self.options.noindex {
            headers.insert(ROBOTS, HeaderValue::from_static("noindex"));
        }
        headers
    }

    fn headers(&self, kind: &HeaderKind) -> HeaderMap {
        let mut headers = self.bare();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind.media));
        headers.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
        if kind.is_lasting {
            let cached = if self.options.private {
                "private, max-age=31536000, immutable"
            } else {
                "public, max-age=31536000, immutable"
            };
            headers.insert(CACHE_CONTROL, HeaderValue::from_static(cached));
        }
        match (kind.has_markdown, kind.is_deflated) {
            (true, _) => drop(headers.insert(VARY, HeaderValue::from_static("accept, accept-encoding"))),
            (false, true) => drop(headers.insert(VARY, HeaderValue::from_static("accept-encoding"))),
            (false, false) => {}
        }
        // places for what each file has of its own: a copy that has to grow for them costs as much as all the rest of
        // it
        headers.insert(ETAG, HeaderValue::from_static("\"\""));
        if has_policy(kind.media) {
            headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy::OF_DATA));
        }
        let is_page = kind.media == PAGE;
        if is_page && self.options.noindex {
            headers.insert(ORIGIN_CLUSTER, HeaderValue::from_static("?1"));
        }
        if self.llms && (is_page || kind.media.starts_with("text/markdown")) {
            headers.insert(
                LINK,
                HeaderValue::from_static("</llms.txt>; rel=\"llms-txt\", </llms-full.txt>; rel=\"llms-full-txt\""),
            );
            headers.insert(LLMS, HeaderValue::from_static("/llms.txt"));
        }
        headers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_their_digest_last() {
        let digest = [0xab; 32];
        assert!(names_digest("_offprint/theme-abababab.css", &digest));
        assert!(names_digest("a-abababab", &digest));
        for other in [
            "_offprint/theme-abababac.css",
            "abababab.css",
            "theme-abababab.min.css",
            "theme-ababab.css",
            "theme-abababab/x.css",
        ] {
            assert!(!names_digest(other, &digest), "{other}");
        }
    }
}
