//! Fetches a bundle to a file beside the cache: resumed where an earlier try broke off, bounded in bytes and time, and
//! never more than a candidate.
//!
//! The link is a bearer secret: nothing here says more of it than its host. What is kept between tries is named after
//! the address without its query, in which links carry their signatures, so a fresh link to the same bundle goes on
//! where the expired one ended.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use reqwest::header::{
    CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, HeaderValue, IF_NONE_MATCH, IF_RANGE,
    LOCATION, RANGE,
};
use sha2::{Digest as _, Sha256};
use tokio::time::{sleep, timeout};
use url::Url;

use base::atomic_file::unique_name;
use base::hex::to_hex;
use fetch::{Client, Download, DownloadFailure, next_hop};

use super::UpdateFailure;
use super::cache::is_full;
use super::candidate::candidate_too_large;
use super::minimum_rate::{MIN_BYTES, MinimumRate};

/// The user agent of requests for bundles.
const AGENT: &str = concat!("offprint-host/", env!("CARGO_PKG_VERSION"));
/// Longest time for one download, all tries together: some for itself, and what the largest bundle takes at so many
/// bytes a second.
const MIN_TIMEOUT: Duration = Duration::from_secs(600);
const BYTES_PER_SECOND: u64 = 256 << 10;
/// Tries in a row that bring next to nothing before a download counts as failed.
const MAX_FRUITLESS_TRIES: u32 = 4;
/// Most redirects.
const MAX_REDIRECTS: usize = 5;
/// The first wait between two tries; it doubles up to the last.
const MIN_RETRY_DELAY: Duration = Duration::from_millis(20);
const MAX_RETRY_DELAY: Duration = Duration::from_secs(5);

/// Longest JSON response that is searched for a message, bytes, and how much of that is shown.
const SAID_BYTES: usize = 4 << 10;
const SAID_CHARS: usize = 200;
/// Values in a link that are so long may be secret.
const SECRET_CHARS: usize = 8;

/// What came of a download.
#[derive(Debug)]
pub(super) enum Got {
    /// The server still has what the caller has.
    Unchanged,
    /// A whole response, as far as HTTP shows.
    Whole {
        /// The file, which is removed unless it is moved away.
        path: PathBuf,
        /// The version that the server names.
        tag: Option<String>,
        /// The server said how long it is, and that is how long it is.
        is_measured: bool,
    },
    /// There is no room for it; nothing of it was left.
    NoRoom(String),
}

/// A request and its bounds.
pub(super) struct DownloadRequest<'a> {
    pub(super) client: &'a Client,
    pub(super) url: &'a Url,
    /// Largest bundle, bytes.
    pub(super) limit: u64,
    /// Returns why an address must not be requested: the link, and each redirect.
    pub(super) judge: &'a (dyn Fn(&Url) -> Result<(), UpdateFailure> + Sync),
}

/// Names an address without its secret part.
pub(super) fn public_url_name(url: &Url) -> String {
    let place = format!(
        "{}://{}:{}{}",
        url.scheme(),
        url.host_str().unwrap_or_default(),
        url.port_or_known_default().unwrap_or_default(),
        url.path()
    );
    to_hex(&Sha256::digest(place)).chars().take(32).collect()
}

/// Downloads to a file in `folder`, unless the server's version is `known`.
pub(super) async fn download_bundle(
    way: &DownloadRequest<'_>,
    folder: &Path,
    known: Option<&str>,
) -> Result<Got, UpdateFailure> {
    let name = public_url_name(way.url);
    remove_others(folder, &name);
    let opened = PartialDownload::open(folder, &name)
        .map_err(|error| io::Error::new(error.kind(), format!("in `{}`: {error}", folder.display())));
    let mut part = match opened.map_err(trouble_from_io) {
        Ok(part) => part,
        Err(trouble) => return trouble.end(),
    };
    let tried =
        timeout(MIN_TIMEOUT + Duration::from_secs(way.limit / BYTES_PER_SECOND), tries(way, &mut part, known)).await;
    let trouble = match tried {
        Ok(Ok(DownloadOutcome::Whole { is_measured })) => {
            let tag = part.tag.clone();
            return match part.into_path().map_err(trouble_from_io) {
                Ok(path) => Ok(Got::Whole { path, tag, is_measured }),
                Err(trouble) => trouble.end(),
            };
        }
        Ok(Ok(DownloadOutcome::Unchanged)) => None,
        Ok(Err(trouble)) => Some(trouble),
        Err(_) => Some(DownloadTrouble::Passing("the download takes too long".to_owned())),
    };
    if part.length == 0 || matches!(trouble, Some(DownloadTrouble::NoRoom(_) | DownloadTrouble::Refused(_))) {
        part.remove();
    }
    trouble.map_or(Ok(Got::Unchanged), DownloadTrouble::end)
}

async fn tries(
    way: &DownloadRequest<'_>,
    part: &mut PartialDownload,
    known: Option<&str>,
) -> Result<DownloadOutcome, DownloadTrouble> {
    let (mut fruitless, mut wait, mut before, mut rate) =
        (0, MIN_RETRY_DELAY, part.length, MinimumRate::new(Instant::now()));
    loop {
        let trouble = match attempt_download(way, part, known, &mut rate).await {
            Ok(outcome) => return Ok(outcome),
            Err(trouble @ DownloadTrouble::Passing(_)) => trouble,
            Err(trouble) => return Err(trouble),
        };
        if part.length >= before + MIN_BYTES {
            (fruitless, wait) = (0, MIN_RETRY_DELAY);
        }
        before = part.length;
        fruitless += 1;
        if fruitless >= MAX_FRUITLESS_TRIES {
            return Err(trouble);
        }
        sleep(wait).await;
        wait = (wait * 2).min(MAX_RETRY_DELAY);
    }
}

/// Removes what is left of downloads of other links, unless another process is at it.
fn remove_others(folder: &Path, name: &str) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_other = path.file_stem().is_none_or(|stem| stem != name);
        let remove = |path: &Path| drop(fs::remove_file(path));
        match path.extension().and_then(|end| end.to_str()).filter(|_| is_other) {
            Some("part") if OpenOptions::new().write(true).open(&path).is_ok_and(|file| file.try_lock().is_ok()) => {
                remove(&path.with_extension("tag"));
                remove(&path);
            }
            Some("tag") if !path.with_extension("part").exists() => remove(&path),
            _ => {}
        }
    }
}

enum DownloadOutcome {
    Unchanged,
    Whole { is_measured: bool },
}

/// Why a try failed.
enum DownloadTrouble {
    /// Another try may succeed.
    Passing(String),
    /// Another try would end the same for now.
    Final(String),
    /// Another try would end the same.
    Refused(UpdateFailure),
    /// What came cannot be put away.
    NoRoom(String),
}

impl DownloadTrouble {
    /// What the download ends with.
    fn end(self) -> Result<Got, UpdateFailure> {
        match self {
            Self::Passing(message) | Self::Final(message) => Err(UpdateFailure::Unavailable(message)),
            Self::Refused(failure) => Err(failure),
            Self::NoRoom(message) => Ok(Got::NoRoom(message)),
        }
    }
}

impl DownloadTrouble {
    /// With what the server has said about it.
    fn with(self, said: Option<String>) -> Self {
        let more = |message: String| match &said {
            Some(said) => format!("{message}: {said}"),
            None => message,
        };
        match self {
            Self::Passing(message) => Self::Passing(more(message)),
            Self::Final(message) => Self::Final(more(message)),
            other => other,
        }
    }
}

impl From<DownloadFailure> for DownloadTrouble {
    fn from(refusal: DownloadFailure) -> Self {
        let message = format!("the download failed: {refusal}");
        match refusal {
            DownloadFailure::TooLarge(limit) => Self::Refused(candidate_too_large(limit)),
            DownloadFailure::Slow(_) | DownloadFailure::Unanswered(_) | DownloadFailure::Name(_) => {
                Self::Passing(message)
            }
            other if other.may_pass() => Self::Passing(message),
            _ => Self::Final(message),
        }
    }
}

/// Sends the request, and follows redirects: each address is checked like the link.
async fn ask(way: &DownloadRequest<'_>, more: &HeaderMap) -> Result<Download, DownloadTrouble> {
    let mut url = way.url.clone();
    for _ in 0..=MAX_REDIRECTS {
        let answer = way.client.exchange(&url, AGENT, more.clone(), None).await?;
        if !matches!(answer.status(), 301 | 302 | 303 | 307 | 308) {
            return Ok(answer);
        }
        let next = next_hop(&url, answer.headers().get(LOCATION).map(HeaderValue::as_bytes))?;
        (way.judge)(&next).map_err(|failure| match failure {
            UpdateFailure::Refused(message) => {
                DownloadTrouble::Final(format!("it redirects to another host, and {message}"))
            }
            other => DownloadTrouble::Final(other.to_string()),
        })?;
        url = next;
    }
    Err(DownloadFailure::Redirects(MAX_REDIRECTS).into())
}

async fn attempt_download(
    way: &DownloadRequest<'_>,
    part: &mut PartialDownload,
    known: Option<&str>,
    rate: &mut MinimumRate,
) -> Result<DownloadOutcome, DownloadTrouble> {
    let mut more = HeaderMap::new();
    let mut say = |name: HeaderName, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            more.insert(name, value);
        }
    };
    match (&part.tag, known) {
        (Some(tag), _) if part.length > 0 => {
            say(RANGE, &format!("bytes={}-", part.length));
            say(IF_RANGE, tag);
        }
        (_, Some(known)) => say(IF_NONE_MATCH, known),
        _ => {}
    }
    let passing = |why: &str| Err(DownloadTrouble::Passing(why.to_owned()));
    let mut answer = ask(way, &more).await?;
    let length = match answer.status() {
        200 => {
            refuse_page(&answer)?;
            part.restart(tag_of(answer.headers())).map_err(trouble_from_io)?;
            header_number(answer.headers(), &CONTENT_LENGTH)
        }
        206 if let Some((first, length)) = content_range(answer.headers()) => {
            // another part than was requested, or of another version: from the beginning
            if first != part.length || tag_of(answer.headers()).is_some_and(|tag| part.tag.as_ref() != Some(&tag)) {
                part.restart(None).map_err(trouble_from_io)?;
                return passing("the download failed: the server sent a range that was not requested");
            }
            Some(length)
        }
        304 => return Ok(DownloadOutcome::Unchanged),
        416 if part.length > 0 => {
            let whole = answer
                .headers()
                .get(CONTENT_RANGE)
                .and_then(|range| range.to_str().ok()?.strip_prefix("bytes */")?.parse::<u64>().ok());
            if whole == Some(part.length) {
                return Ok(DownloadOutcome::Whole { is_measured: true });
            }
            part.restart(None).map_err(trouble_from_io)?;
            return passing("the download failed: the bundle changed meanwhile");
        }
        status => {
            let trouble = DownloadTrouble::from(DownloadFailure::Status(status));
            return Err(trouble.with(error_sentence(&mut answer, way.url).await));
        }
    };
    if length.is_some_and(|length| length > way.limit) {
        return Err(DownloadTrouble::Refused(candidate_too_large(way.limit)));
    }
    download_body(way, &mut answer, part, rate).await?;
    match length {
        _ if part.length == 0 => passing("the answer is empty"),
        Some(length) if part.length < length => passing("the download was interrupted"),
        Some(length) if part.length > length => {
            part.restart(None).map_err(trouble_from_io)?;
            passing("the download is longer than it should be")
        }
        length => {
            part.sync().map_err(trouble_from_io)?;
            Ok(DownloadOutcome::Whole { is_measured: length.is_some() })
        }
    }
}

async fn download_body(
    way: &DownloadRequest<'_>,
    answer: &mut Download,
    part: &mut PartialDownload,
    rate: &mut MinimumRate,
) -> Result<(), DownloadTrouble> {
    rate.begin(Instant::now());
    loop {
        let piece = answer.piece().await;
        let bytes = piece.as_ref().ok().and_then(Option::as_ref).map_or(0, |piece| piece.as_ref().len() as u64);
        let is_too_slow = rate.is_too_slow(bytes, Instant::now());
        let Some(piece) = piece? else { return Ok(()) };
        if part.length + bytes > way.limit {
            return Err(DownloadTrouble::Refused(candidate_too_large(way.limit)));
        }
        part.append(piece.as_ref()).map_err(trouble_from_io)?;
        if is_too_slow {
            return Err(DownloadTrouble::Final(
                "the download is too slow: less than 64 KiB came in 30 seconds".to_owned(),
            ));
        }
    }
}

/// The sentence of an answer such as `{"error": "the link has expired"}`, in plain characters; none that repeats a part
/// of the link.
async fn error_sentence(answer: &mut Download, url: &Url) -> Option<String> {
    let kind = answer.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !kind.trim_start().to_ascii_lowercase().starts_with("application/json") {
        return None;
    }
    let mut body = Vec::new();
    while let Some(piece) = answer.piece().await.ok()? {
        body.extend_from_slice(piece.as_ref());
        if body.len() > SAID_BYTES {
            return None;
        }
    }
    let body: serde_json::Value = serde_json::from_slice(&body).ok()?;
    sentence(body.get("error")?.as_str()?, url)
}

fn sentence(text: &str, url: &Url) -> Option<String> {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(SAID_CHARS).collect();
    let secrets = url.query_pairs().map(|(_, value)| value.into_owned()).filter(|value| value.len() >= SECRET_CHARS);
    let is_telling =
        secrets.chain(url.query().map(str::to_owned)).any(|secret| !secret.is_empty() && text.contains(&secret));
    let plain = plain.trim();
    (!plain.is_empty() && !is_telling).then(|| plain.to_owned())
}

fn trouble_from_io(error: io::Error) -> DownloadTrouble {
    let message = format!("the download cannot be kept: {error}");
    if is_full(&error) { DownloadTrouble::NoRoom(message) } else { DownloadTrouble::Final(message) }
}

/// Gateways answer with a page when they mean an error.
fn refuse_page(answer: &Download) -> Result<(), DownloadTrouble> {
    let kind = answer.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let is_page = kind
        .split(';')
        .next()
        .is_some_and(|kind| matches!(kind.trim().to_ascii_lowercase().as_str(), "text/html" | "application/xhtml+xml"));
    if is_page { Err(DownloadTrouble::Final("the answer is a page of HTML, not a bundle".to_owned())) } else { Ok(()) }
}

/// The version of an answer, if two answers with it have the same bytes.
fn tag_of(headers: &HeaderMap) -> Option<String> {
    headers
        .get(ETAG)
        .and_then(|tag| tag.to_str().ok())
        .filter(|tag| tag.starts_with('"') && tag.len() < 256)
        .map(str::to_owned)
}

fn header_number(headers: &HeaderMap, name: &HeaderName) -> Option<u64> {
    headers.get(name)?.to_str().ok()?.parse().ok()
}

/// The first byte of a part and the length of the whole.
fn content_range(headers: &HeaderMap) -> Option<(u64, u64)> {
    let range = headers.get(CONTENT_RANGE)?.to_str().ok()?.strip_prefix("bytes ")?;
    let (part, whole) = range.split_once('/')?;
    Some((part.split_once('-')?.0.parse().ok()?, whole.parse().ok()?))
}

/// A download that is not complete: a file, and beside it the version that the file is a part of.
struct PartialDownload {
    path: PathBuf,
    tag_path: PathBuf,
    file: File,
    length: u64,
    tag: Option<String>,
}

impl PartialDownload {
    /// Goes on with what an earlier download left. Another process that is at it right now keeps its own.
    fn open(folder: &Path, name: &str) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let open = |name: &str| {
            let path = folder.join(format!("{name}.part"));
            let file = OpenOptions::new().create(true).truncate(false).write(true).read(true).open(&path)?;
            file.try_lock().map(|()| (path, file)).map_err(io::Error::from)
        };
        let (path, mut file) = open(name).or_else(|_| open(&format!("{name}-{}", unique_name())))?;
        let tag_path = path.with_extension("tag");
        let tag = fs::read_to_string(&tag_path).ok();
        let length = if tag.is_some() { file.seek(SeekFrom::End(0))? } else { 0 };
        let mut part = Self { path, tag_path, file, length, tag };
        if part.tag.is_none() {
            part.restart(None)?;
        }
        Ok(part)
    }

    /// Forgets what is there; the next bytes are the first of a version.
    fn restart(&mut self, tag: Option<String>) -> io::Result<()> {
        self.file.set_len(0)?;
        self.file.seek(SeekFrom::Start(0))?;
        self.length = 0;
        match &tag {
            Some(tag) => fs::write(&self.tag_path, tag)?,
            None => drop(fs::remove_file(&self.tag_path)),
        }
        self.tag = tag;
        Ok(())
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.length += bytes.len() as u64;
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }

    /// Leaves nothing.
    fn remove(self) {
        let _ = fs::remove_file(&self.tag_path);
        let _ = fs::remove_file(&self.path);
    }

    /// The complete file under a name of its own, so that nothing goes on writing to it.
    fn into_path(self) -> io::Result<PathBuf> {
        let path = self.path.with_extension(format!("{}.zip", unique_name()));
        fs::rename(&self.path, &path)?;
        let _ = fs::remove_file(&self.tag_path);
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_of_servers_are_short_plain_and_hold_no_secret() {
        let url = Url::parse("https://a.example/b.zip?exp=1&sig=s3cr3t-s3cr3t").unwrap();
        let check = |text: &str, expect: Option<&str>| assert_eq!(sentence(text, &url).as_deref(), expect, "{text}");
        check("the link has expired", Some("the link has expired"));
        check(" a\u{1b}[31m\nb ", Some("a [31m b"));
        check("", None);
        check("wrong signature s3cr3t-s3cr3t", None);
        check("no such file: /b.zip?exp=1&sig=s3cr3t-s3cr3t", None);
        check(&"x".repeat(1_000), Some(&"x".repeat(SAID_CHARS)));
    }
}
