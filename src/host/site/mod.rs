//! One bundle as a site: requests to answers, straight out of the archive.
//!
//! 1. [`HostedSite::open`] refuses what is not intact; nothing is unpacked.
//! 2. `routes` says, once, which address means which file, page or redirect.
//! 3. `response_headers` keeps what the answers for a file have in common, from its first request on.
//! 4. `answer` reads what a request says about the form of its answer (`negotiation`) and puts it together: the stored
//!    deflate stream as gzip, or the content itself, or a part of it (`body`, `content_cache`). `policy` says what a
//!    page may do.
//! 5. `search` queries the bundle's own index.
//!
//! Invariants: an address never becomes a path of a file system; an answer comes from one bundle; what requests hold in
//! memory is a piece of a file each, or within the bound of a cache.

mod answer;
mod body;
mod content_cache;
mod negotiation;
mod policy;
mod response_headers;
mod routes;
mod search;

use std::path::Path;
use std::sync::{Arc, OnceLock};

use hyper::body::Bytes;
use hyper::header::HeaderValue;

use base::hex::to_hex;
use bundle::reader::{BundleReader, ReadError};
use bundle::sign::PublicKey;
use bundle::verify::{BundleProblem, verify_archive};
use bundle::{MANIFEST_PATH, Manifest};

pub use answer::{message_response, waiting};
pub use body::ReplyBody;
pub use content_cache::{CONTENT_BYTES, ContentCache};
pub use search::{ALL_VERSIONS, SearchHit};

use content_cache::BundleContents;
use response_headers::ResponseHeaders;
use routes::Routes;

/// Longest label that answers carry, characters.
const LABEL_CHARS: usize = 200;

/// How a bundle is served.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// Responses are `noindex`, and browsers are told to keep pages of other names on the same domain apart:
    /// previews.
    pub noindex: bool,
    /// Readers have to sign in: nothing between them and the server keeps a copy.
    pub private: bool,
    /// Bytes of small files that are kept in memory as they stand in the archive.
    pub cached_bytes: usize,
    /// What is kept inflated, of all sites of the server.
    pub contents: Arc<ContentCache>,
}

impl ServeOptions {
    /// Public, for search engines too; contents are kept in a cache.
    pub fn new(contents: Arc<ContentCache>) -> Self {
        Self { noindex: false, private: false, cached_bytes: 8 << 20, contents }
    }
}

/// Why a bundle is not served.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The system could not read it, or it is no archive of the exporter's.
    #[error("{}", unread(.0))]
    Read(#[from] ReadError),
    /// A folder.
    #[error("it is a folder, and only archives are served")]
    Folder,
    /// It is not what its manifest says, or not signed by the key.
    #[error("{}", first_problem(.0))]
    NotIntact(Vec<BundleProblem>),
}

fn unread(error: &ReadError) -> String {
    match error {
        ReadError::Refused { name: None, refusal } => format!("it {refusal}"),
        _ => error.full(),
    }
}

fn first_problem(problems: &[BundleProblem]) -> String {
    let said = problems.first().map_or_else(String::new, |problem| {
        format!("{} {}", if problem.file.is_empty() { "it" } else { &problem.file }, problem.message)
    });
    if problems.len() > 1 { format!("{said}, and {} more problems", problems.len() - 1) } else { said }
}

/// A bundle that answers requests; cheap to share between threads behind an [`Arc`].
#[derive(Debug)]
pub struct HostedSite {
    archive: Arc<BundleReader>,
    contents: BundleContents,
    routes: Routes,
    response_headers: ResponseHeaders,
    version: Option<String>,
    exported_at: Option<String>,
    shown_version: HeaderValue,
    pages: u64,
    /// Position of `404.html` in the archive.
    missing: Option<usize>,
    /// By depth of the address that was requested: that page as it is and as gzip; `None` if it cannot be made.
    missing_pages: [OnceLock<Option<(Bytes, Bytes)>>; MISSING_DEPTHS],
}

/// Depths of addresses for which a page of their own is kept.
const MISSING_DEPTHS: usize = 12;

impl HostedSite {
    /// Opens an archive and checks all of it: names, contents, digests and, with a key, the signature. Takes as long as
    /// reading and inflating it; the thread is busy meanwhile.
    ///
    /// # Errors
    /// It cannot be read or is not intact.
    pub fn open(path: &Path, options: ServeOptions, key: Option<&PublicKey>) -> Result<Self, OpenError> {
        let archive = BundleReader::open(path)?;
        if archive.is_folder() {
            return Err(OpenError::Folder);
        }
        let verdict = verify_archive(&archive, key);
        match verdict.manifest {
            Some(manifest) if verdict.problems.is_empty() => Ok(Self::new(archive, &manifest, options)),
            _ => Err(OpenError::NotIntact(verdict.problems)),
        }
    }

    /// Opens an archive that this program has checked before: only its directory is read and checked, which takes a
    /// moment.
    ///
    /// # Errors
    /// It cannot be read, or its directory or manifest is damaged.
    pub fn reopen(path: &Path, options: ServeOptions) -> Result<Self, OpenError> {
        let archive = BundleReader::open(path)?;
        if archive.is_folder() {
            return Err(OpenError::Folder);
        }
        let broken = |message: String| {
            OpenError::NotIntact(vec![BundleProblem { code: "manifest", file: MANIFEST_PATH.to_owned(), message }])
        };
        let entry = archive.find(MANIFEST_PATH).ok_or_else(|| broken("is missing".to_owned()))?;
        let manifest = Manifest::parse(&archive.read(entry)?).map_err(broken)?;
        Ok(Self::new(archive, &manifest, options))
    }

    fn new(archive: BundleReader, manifest: &Manifest, options: ServeOptions) -> Self {
        let shown_version = shown_version(manifest);
        Self {
            routes: Routes::of(&archive),
            response_headers: ResponseHeaders::new(&archive, manifest, &shown_version, &options),
            contents: BundleContents::new(options.contents),
            version: manifest.version.clone(),
            exported_at: manifest.exported_at.clone(),
            shown_version,
            pages: manifest.page_count,
            missing: archive.position("404.html"),
            missing_pages: [const { OnceLock::new() }; MISSING_DEPTHS],
            archive: Arc::new(archive),
        }
    }

    /// The bundle's label.
    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    /// When it was exported, if it says so.
    pub fn exported_at(&self) -> Option<&str> {
        self.exported_at.as_deref()
    }

    /// What `X-Offprint-Version` says: the label, or the first digits of the manifest's digest.
    pub fn shown_version(&self) -> &HeaderValue {
        &self.shown_version
    }

    /// Pages in it.
    pub fn pages(&self) -> u64 {
        self.pages
    }

    /// The archive.
    pub fn archive(&self) -> &Arc<BundleReader> {
        &self.archive
    }
}

/// What answers say: each of them holds it, so it is not longer than it has to be.
fn shown_version(manifest: &Manifest) -> HeaderValue {
    let label = match &manifest.version {
        Some(version) => version.chars().take(LABEL_CHARS).collect(),
        None => to_hex(&manifest.sha256).chars().take(12).collect::<String>(),
    };
    HeaderValue::from_str(&label).unwrap_or(HeaderValue::from_static("unnamed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(version: &str, expect: &str) {
        let manifest = format!(r#"{{"formatVersion":1,"domain":null,"version":{version},"pageCount":0,"files":{{}}}}"#);
        let shown = shown_version(&Manifest::parse(manifest.as_bytes()).unwrap());
        assert_eq!(shown.to_str().unwrap(), expect);
    }

    #[test]
    fn labels_in_answers_are_short() {
        check("\"v2\"", "v2");
        check(&format!("\"{}\"", "x".repeat(5_000)), &"x".repeat(200));
        check("\"a\\nb\"", "unnamed");
    }
}
