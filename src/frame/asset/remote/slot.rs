//! An address that pages load from elsewhere, and what came of it.

use std::borrow::Cow;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use url::Url;

use super::cache::{self, RemoteCache};
use super::lock::Locked;
use super::sniff::{self, AssetType, JSON, SVG, YAML, called};
use crate::asset::svg::svg_size;
use crate::asset::{CssTarget, clean_svg, rewrite_svg};
use base::isolate::catch_panic;
use base::source_text::decode_text;
use base::{BundlePath, LoadKind};
use fetch::DownloadFailure;

/// A place that refers to an address: for the warning about it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct AddressSpot {
    /// Path in the source.
    pub file: String,
    /// Line, from 1; 0 if unknown.
    pub line: u32,
    /// Column, from 1; 0 if unknown.
    pub column: u32,
}

/// An address and the kind of load that needs it.
#[derive(Debug)]
pub struct AddressSlot {
    /// The address as it is requested, without a fragment.
    pub(super) address: String,
    pub(super) url: Option<Url>,
    pub(super) load: LoadKind,
    outcome: OnceLock<Result<FetchedAsset, Absence>>,
    /// The lock file and the cache have been looked into.
    pub(super) looked: OnceLock<()>,
    /// The style sheet as it goes into the bundle.
    pub(super) sheet: OnceLock<RemoteSheet>,
    /// Its absence is reported by the code that requested it.
    pub(super) is_reported: AtomicBool,
    /// The API description as it goes into the bundle: without what its readers may not see.
    pub(super) description: OnceLock<(BundlePath, Arc<Vec<u8>>)>,
    /// The first place in the site, once a page that is written refers to it.
    used: Mutex<Option<AddressSpot>>,
}

impl AddressSlot {
    pub(super) fn new(address: String, url: Option<Url>, load: LoadKind) -> Self {
        let (outcome, looked, sheet, is_reported, description) = Default::default();
        Self { address, url, load, outcome, looked, sheet, is_reported, description, used: Mutex::new(None) }
    }

    /// The outcome of the request, once that is known.
    pub(super) fn outcome(&self) -> Option<&Result<FetchedAsset, Absence>> {
        self.outcome.get()
    }

    /// Decides it; the first decision stays.
    pub(super) fn settle(&self, outcome: Result<FetchedAsset, Absence>) {
        let _ = self.outcome.set(outcome);
    }

    /// Notes a place that refers to it.
    pub(super) fn note(&self, spot: AddressSpot) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        if used.as_ref().is_none_or(|first| spot < *first) {
            *used = Some(spot);
        }
    }

    /// The first place that refers to it.
    pub(super) fn first_spot(&self) -> Option<AddressSpot> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A style sheet as it goes into the bundle.
#[derive(Debug)]
pub(super) struct RemoteSheet {
    pub(super) path: BundlePath,
    /// The style sheet and those that it imports, with their texts.
    pub(super) files: Vec<(BundlePath, String)>,
    /// The addresses that these files load in turn.
    pub(super) loads: Vec<Arc<AddressSlot>>,
}

/// Why there is nothing for an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Absence {
    /// It is no URL.
    NoAddress,
    /// The download was refused or failed.
    Refused(DownloadFailure),
    /// The file that came is of none of the types that can be used here.
    WrongType(String),
    /// Requests are not allowed, and neither lock file nor cache has it.
    Offline,
    /// The lock file does not name it.
    NotLocked,
    /// The bytes are others than the lock file's.
    Changed,
    /// No host can be reached.
    NoNetwork,
    /// A bound on all downloads together was met.
    GivenUp(&'static str),
}

impl Absence {
    /// Whether it is as without a network.
    pub(super) fn is_unreached(&self) -> bool {
        matches!(self, Self::NoNetwork) || matches!(self, Self::Refused(refusal) if refusal.is_unreached())
    }
}

/// Bytes that are what they should be.
#[derive(Debug)]
pub(super) struct FetchedAsset {
    /// The digest of the bytes as they came.
    pub(super) digest: String,
    pub(super) media: AssetType,
    pub(super) size: u64,
    /// Width and height of a picture.
    pub(super) pixels: Option<(u32, u32)>,
    /// Its place in the bundle (that of a style sheet depends on what it loads, see `sheet`).
    pub(super) path: BundlePath,
    /// What was cut out of a drawing.
    pub(super) cut: Vec<&'static str>,
    pub(super) base: Option<String>,
    pub(super) license: Option<String>,
    /// The digest that the lock file had.
    pub(super) changed_from: Option<String>,
    pub(super) fetched: bool,
    /// The bytes, where no cache keeps them.
    memory: Option<Arc<Vec<u8>>>,
    /// Why the cache does not keep them.
    pub(super) not_cached: Option<String>,
}

impl FetchedAsset {
    /// Checks bytes against the kind of load that needs them.
    pub(super) fn judge(bytes: Arc<Vec<u8>>, declared: &str, load: LoadKind) -> Result<Self, Absence> {
        let judged = catch_panic(|| Self::judge_bytes(bytes, declared, load));
        judged.unwrap_or_else(|| Err(Absence::WrongType("an internal error stopped the reading of it".to_owned())))
    }

    fn judge_bytes(bytes: Arc<Vec<u8>>, declared: &str, load: LoadKind) -> Result<Self, Absence> {
        let wrong = |found: &str| Err(Absence::WrongType(format!("it is {found}, not {}", called(load))));
        let found = if load == LoadKind::Description {
            spec_type(&bytes)
        } else {
            sniff::sniff_type(&bytes, declared).ok_or("of an unknown type")
        };
        let media = match found {
            Err(_) if bytes.is_empty() => return wrong("empty"),
            Err(found) => return wrong(found),
            Ok(media) if !media.serves(load) => return wrong(media.name),
            Ok(media) => media,
        };
        let (clean, cut) = clean_remote_drawing(media, &bytes);
        let pixels = match media {
            SVG => svg_size(&decode_text(&clean).0),
            media if media.name.starts_with("image/") => pixels(&bytes),
            _ => None,
        };
        let digest = cache::hex_digest(&bytes);
        let final_digest = if let Cow::Owned(clean) = &clean { cache::hex_digest(clean) } else { digest.clone() };
        drop(clean);
        Ok(Self {
            path: remote_file_path(&final_digest, media),
            media,
            size: bytes.len() as u64,
            pixels,
            cut,
            digest,
            base: None,
            license: None,
            changed_from: None,
            fetched: false,
            memory: Some(bytes),
            not_cached: None,
        })
    }

    /// Puts the bytes into the cache, and says whether they are there; they stay in memory where they are not.
    pub(super) fn keep(&mut self, cache: &RemoteCache) -> bool {
        let Some(bytes) = &self.memory else { return true };
        match cache.store(&self.digest, bytes) {
            Ok(true) => self.memory = None,
            Ok(false) => {}
            Err(error) => self.not_cached = Some(error.to_string()),
        }
        self.memory.is_none()
    }

    /// Lets go of bytes that the cache has.
    pub(super) fn is_in_cache(&mut self) {
        self.memory = None;
    }

    /// The bytes as they came; `None` if the cache has lost them meanwhile.
    pub(super) fn bytes(&self, cache: &RemoteCache) -> Option<Cow<'_, [u8]>> {
        match &self.memory {
            Some(bytes) => Some(Cow::Borrowed(bytes)),
            None => cache.read(&self.digest).map(Cow::Owned),
        }
    }

    /// The bytes as the bundle has them.
    pub(super) fn final_bytes(&self, cache: &RemoteCache) -> Option<Vec<u8>> {
        let bytes = self.bytes(cache)?;
        Some(clean_remote_drawing(self.media, &bytes).0.into_owned())
    }

    /// Its entry in the lock file.
    pub(super) fn locked(&self) -> Locked {
        Locked {
            sha256: self.digest.clone(),
            media_type: self.media.name.to_owned(),
            size: self.size,
            base: self.base.clone(),
            license: self.license.clone(),
        }
    }
}

/// Where bytes of a digest stand in the bundle: half of it distinguishes them.
pub(super) fn remote_file_path(digest: &str, media: AssetType) -> BundlePath {
    BundlePath::fetched(digest, media.extension)
}

/// The type of an API description, or what the bytes are instead.
fn spec_type(bytes: &[u8]) -> Result<AssetType, &'static str> {
    spec::judge(bytes).map(|()| if spec::opens_object(bytes) { JSON } else { YAML })
}

/// Drawings without what runs, and without what they load from elsewhere: as pictures of pages they never would.
fn clean_remote_drawing(media: AssetType, bytes: &[u8]) -> (Cow<'_, [u8]>, Vec<&'static str>) {
    if media != SVG {
        return (Cow::Borrowed(bytes), Vec::new());
    }
    let (mut clean, mut cut) = match clean_svg(bytes) {
        Some((clean, cut)) => (Cow::Owned(clean), cut),
        None => (Cow::Borrowed(bytes), Vec::new()),
    };
    if let Some(held) = rewrite_svg(&clean, &mut |_, _| CssTarget::Drop) {
        clean = Cow::Owned(held);
        cut.push("what it loads from elsewhere");
    }
    (clean, cut)
}

fn pixels(bytes: &[u8]) -> Option<(u32, u32)> {
    let size = imagesize::blob_size(bytes).ok()?;
    Some((u32::try_from(size.width).ok()?, u32::try_from(size.height).ok()?))
        .filter(|(width, height)| *width > 0 && *height > 0)
}
