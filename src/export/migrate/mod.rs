//! A migration: the repository of another documentation tool in, `docs.json` and MDX files out, of which an export
//! makes the same pages.
//!
//! 1. The source is loaded and its pages are read and expanded as for an export (`content`). Nothing of it is changed.
//! 2. `page` writes each page: front matter (`front`) and its tree as MDX ([`crate::migrate::mdx`]), with links made
//!    addresses of pages (`links`) and the anchors of headings kept (`headings`).
//! 3. `addresses` finds what pages are called in the new site, `navigation` and `config` write `docs.json`, `files` copies
//!    what pages show and link to.
//! 4. All of it is written beside the target, which takes its place when it is complete.
//!
//! What the format has no place for is reported with file and line.

mod addresses;
mod config;
mod files;
mod front;
mod headings;
mod links;
mod mdx;
mod navigation;
mod page;
mod target;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use base::{Diagnostic, PageId, diagnostic};
use load::Site;
use reference::References;
use site::ConfigKind;

use super::prepare::{PrepareSetup, PreparedSite};
use super::snippets::Snippets;
use super::{
    BundleFormat, BundleOutput, ExportError, ExportOptions, Opened, ReadAs, anchors::find_anchors, load_source, pool,
    source_folder,
};

use addresses::PageAddresses;
use navigation::write_navigation;
use page::WrittenPage;
use target::MigrationTarget;

/// What to migrate, and to where.
#[derive(Clone, Debug)]
pub struct MigrateOptions {
    /// The folder of the documentation.
    pub source: PathBuf,
    /// The folder to write.
    pub output: PathBuf,
    /// The name of the tool whose repository the source is; `None`: its files say.
    pub from: Option<&'static str>,
    /// A folder that holds a `docs.json` may be replaced.
    pub force: bool,
    /// Threads to use; `None` means one per core.
    pub jobs: Option<usize>,
}

/// How a migration went.
#[derive(Debug)]
pub struct Migrated {
    /// As what the source was read.
    pub tool: Option<ReadAs>,
    /// Pages that were written.
    pub pages: u64,
    /// Pages that hold nothing but the address that an entry of the navigation leads to.
    pub links: u64,
    /// Files that were copied.
    pub files: u64,
    /// Redirects in `docs.json`.
    pub redirects: u64,
    /// What is wrong with the source, and what could not be carried over, in order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Migrates a repository.
///
/// # Errors
/// The source is no site of another tool, the folder cannot be written, or `cancel` was set.
pub fn migrate_source(options: &MigrateOptions, cancel: &AtomicBool) -> Result<Migrated, ExportError> {
    let output = BundleOutput { path: options.output.clone(), format: BundleFormat::Dir };
    let export = ExportOptions {
        from: options.from,
        jobs: options.jobs,
        highlight: false,
        ..ExportOptions::new(options.source.clone(), output)
    };
    pool(&export)?.install(|| migrate_site(options, &export, cancel))
}

fn migrate_site(
    options: &MigrateOptions,
    export: &ExportOptions,
    cancel: &AtomicBool,
) -> Result<Migrated, ExportError> {
    let root = source_folder(&options.source, false)?;
    let target = MigrationTarget::check(&options.output, &import::project_root(&root, options.from), options.force)?;
    let Opened { site: loaded, mut diagnostics, .. } = load_source(&root, None, export, cancel)?;
    let site = &loaded.site;
    if site.kind != ConfigKind::Plain {
        let name = site.kind.file_name().unwrap_or_default();
        let message =
            format!("`{}` has a `{name}`: it is in the format that a migration writes", options.source.display());
        return Err(ExportError::Options(message));
    }
    let all: Vec<PageId> = site.iter().map(|(id, _)| id).collect();
    let setup = PrepareSetup { domain: None, include_js: false, highlight: false, offline_search: false };
    let prepared = PreparedSite::new(&loaded, all, setup, &mut diagnostics);
    let resolver = prepared.resolver(None);
    let references = References::new(site);
    let snippets = Snippets::new(site, None);
    // links are written by what the headings are called in the end
    drop(find_anchors(&resolver, site, &prepared.kit, &snippets, &references));
    let mut addresses = PageAddresses::of(site, &mut diagnostics);
    let (navigation, link_pages) = write_navigation(site, &loaded.navigation, &mut addresses, &resolver);
    let staged = target.begin()?;
    let writer = page::MigratedPageWriter {
        site,
        navigation: &loaded.navigation,
        kit: &prepared.kit,
        resolver: &resolver,
        snippets: &snippets,
        references: &references,
        addresses: &addresses,
    };
    let written: Vec<WrittenPage> = prepared
        .chosen
        .par_iter()
        .map(|page| {
            if cancel.load(Ordering::Relaxed) {
                return Err(ExportError::Canceled);
            }
            let written = writer.page(*page);
            staged.write(&written.path, written.text.as_bytes())?;
            // only what was found is needed from here on
            Ok(WrittenPage { text: String::new(), ..written })
        })
        .collect::<Result<_, _>>()?;
    diagnostics.extend(written.into_iter().flat_map(|written| written.diagnostics));
    for (path, text) in &link_pages {
        staged.write(path, text.as_bytes())?;
    }
    let files = files::copy(&prepared.assets, site, &staged, cancel, &mut diagnostics)?;
    let docs = config::docs_json(site, navigation, &addresses, &resolver, &mut diagnostics);
    let redirects = docs.get("redirects").and_then(serde_json::Value::as_array).map_or(0, Vec::len) as u64;
    let text = serde_json::to_string_pretty(&docs).map_err(|error| ExportError::Options(error.to_string()))?;
    staged.write("docs.json", format!("{text}\n").as_bytes())?;
    staged.publish()?;
    diagnostic::tidy(&mut diagnostics);
    Ok(Migrated {
        tool: site.tool.as_ref().map(ReadAs::of),
        pages: prepared.chosen.len() as u64,
        links: link_pages.len() as u64,
        files,
        redirects,
        diagnostics,
    })
}

/// The file of a page, for diagnostics.
fn file_of(site: &Site, page: PageId) -> &str {
    let entry = site.page(page);
    entry.file.map_or(entry.slug.as_str(), |file| site.tree.path(file))
}
