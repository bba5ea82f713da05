//! What an export is told.

use std::path::PathBuf;
use std::sync::Arc;

use crate::asset::remote;
use crate::bundle::sign::Signer;
use crate::bundle::{Deployment, Format};

/// What to export, from where, to where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The docs folder, or the `docs.json` in it.
    pub source: PathBuf,
    /// Where the bundle goes.
    pub output: Output,
    /// Host name the site will be served from, lower-case ASCII; canonical addresses and the sitemap need it.
    pub domain: Option<String>,
    /// Label of this edition, `[A-Za-z0-9._-]{1,64}`.
    pub version: Option<String>,
    /// Globs over page paths (`guides/**`), without extension; empty means every page. Already checked to be well formed.
    pub paths: Vec<String>,
    /// User groups whose readers the bundle is for, sorted, each once: restricted pages and parts of theirs are in it.
    pub groups: Vec<String>,
    /// Each of `paths` has to match a page; one that does not ends the export.
    pub every_path: bool,
    /// Threads to use; `None` means one per core.
    pub jobs: Option<usize>,
    /// Copy the author's own browser scripts into the bundle.
    pub include_js: bool,
    /// Highlight code blocks.
    pub highlight: bool,
    /// Draw a picture of every page for social networks.
    pub social_images: bool,
    /// Write large PNG files again, without loss.
    pub optimize_png: bool,
    /// Where the bundle is going to be served, and what it asks of other hosts there.
    pub services: Services,
    /// What pages load from elsewhere.
    pub remote: remote::Options,
    /// How the bundle vouches for itself, and what of it is written.
    pub trust: Trust,
}

/// How a bundle vouches for itself, and what of it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trust {
    /// Signs the manifest.
    pub signer: Option<Arc<Signer>>,
    /// An earlier bundle: what is written is the delta from it, not the whole bundle.
    pub delta_from: Option<PathBuf>,
    /// When this is, RFC 3339 in UTC, for the manifest; no clock is asked.
    pub exported_at: Option<String>,
}

/// What a bundle is for and which services it calls. All that a deployment cannot have has been refused already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Services {
    /// Where the bundle is going to be served.
    pub deployment: Deployment,
    /// Address of a search service, which takes the query as `q`.
    pub search: Option<String>,
    /// Address of an assistant.
    pub assistant: Option<String>,
    /// Put the scripts of analytics services that docs.json names into the pages.
    pub analytics: bool,
    /// Put a search index into the bundle.
    pub offline_search: bool,
}

impl Default for Services {
    /// No other host is asked for anything.
    fn default() -> Self {
        Self { deployment: Deployment::AirGapped, search: None, assistant: None, analytics: false, offline_search: true }
    }
}

/// The bundle to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The zip file or the folder.
    pub path: PathBuf,
    /// Which of the two.
    pub format: Format,
}
