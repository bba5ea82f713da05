//! The options of an export. An option of the command line is declared in `cli::export`, stands here with its default,
//! and is used where it has its effect.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Map, Value};

use bundle::sign::Signer;
use bundle::{BundleDeployment, BundleFormat};
use frame::asset::remote;

use super::prepare::PrepareSetup;

/// What to export, from where, to where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportOptions {
    /// The docs folder, or the `docs.json` in it.
    pub source: PathBuf,
    /// Where the bundle goes.
    pub output: BundleOutput,
    /// The name of the tool whose repository the source is; `None`: its files say.
    pub from: Option<&'static str>,
    /// Host name the site will be served from, lower-case ASCII; canonical addresses and the sitemap need it.
    pub domain: Option<String>,
    /// Label of this edition, `[A-Za-z0-9._-]{1,64}`.
    pub version: Option<String>,
    /// Globs over page paths (`guides/**`), without extension; empty means every page. Already checked to be well
    /// formed.
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
    /// Where the bundle is going to be served, and which services of other hosts it calls there.
    pub services: Services,
    /// What pages load from elsewhere.
    pub remote: remote::RemoteOptions,
    /// Signature of the bundle, and what of it is written.
    pub trust: Trust,
}

impl ExportOptions {
    /// An export with every other option as the command line has it by default, but that nothing is fetched.
    pub fn new(source: PathBuf, output: BundleOutput) -> Self {
        Self {
            source,
            output,
            from: None,
            domain: None,
            version: None,
            paths: Vec::new(),
            groups: Vec::new(),
            every_path: false,
            jobs: None,
            include_js: false,
            highlight: true,
            social_images: false,
            optimize_png: false,
            services: Services::default(),
            remote: remote::RemoteOptions { mode: remote::RemoteMode::Off, ..remote::RemoteOptions::default() },
            trust: Trust::default(),
        }
    }

    /// What decides how the site is prepared.
    pub(super) fn setup(&self) -> PrepareSetup<'_> {
        PrepareSetup {
            domain: self.domain.as_deref(),
            include_js: self.include_js,
            highlight: self.highlight,
            offline_search: self.services.offline_search,
        }
    }

    /// Options that shape the bytes and cannot be seen otherwise, for the manifest.
    pub(super) fn shaping(&self) -> Map<String, Value> {
        let Self { paths, groups, include_js, highlight, social_images, optimize_png, .. } = self;
        let switches = [
            ("includeJs", *include_js),
            ("highlight", *highlight),
            ("socialImages", *social_images),
            ("optimizePng", *optimize_png),
        ];
        // the manifest of a public bundle has no groups
        let groups = (!groups.is_empty()).then(|| ("groups", groups.as_slice().into()));
        std::iter::once(("paths", paths.as_slice().into()))
            .chain(groups)
            .chain(switches.map(|(name, on)| (name, on.into())))
            .map(|(name, value): (&str, Value)| (name.to_owned(), value))
            .collect()
    }
}

/// Signature of a bundle, and what of it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trust {
    /// Signs the manifest.
    pub signer: Option<Arc<Signer>>,
    /// An earlier bundle: what is written is the delta from it, not the whole bundle.
    pub delta_from: Option<PathBuf>,
    /// When this is, RFC 3339 in UTC, for the manifest; the clock is not read.
    pub exported_at: Option<String>,
}

/// What a bundle is for and which services it calls. All that a deployment cannot have has been refused already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Services {
    /// Where the bundle is going to be served.
    pub deployment: BundleDeployment,
    /// Address of a search service, which takes the query as `q`.
    pub search: Option<String>,
    /// Address of an assistant.
    pub assistant: Option<String>,
    /// Pages of operations have a console that asks the servers of their descriptions.
    pub playground: bool,
    /// Put the scripts of analytics services that docs.json names into the pages.
    pub analytics: bool,
    /// Put a search index into the bundle.
    pub offline_search: bool,
}

impl Default for Services {
    /// No request goes to another host.
    fn default() -> Self {
        Self {
            deployment: BundleDeployment::AirGapped,
            search: None,
            assistant: None,
            playground: false,
            analytics: false,
            offline_search: true,
        }
    }
}

/// The bundle to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundleOutput {
    /// The zip file or the folder.
    pub path: PathBuf,
    /// Which of the two.
    pub format: BundleFormat,
}
