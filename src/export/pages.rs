//! Pages, batch by batch: read, parse, expand, render, frame, compress. A page that fails, a panic included, costs itself:
//! a page that says so takes its place.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::io;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::base::{BundlePath, Diagnostic, PageId, Place, limits, url};
use crate::bundle::{Bundle, Entry, Origin, Packer, Prepared};
use crate::link::{PageLinks, Resolver, find_anchor, rewrite_hrefs};
use crate::expand::{Alive, expand};
use crate::markup::{self, Problem};
use crate::render::{self, Kit, Links, Renderer};
use crate::site::page::Mode;
use crate::site::{Dialect, PageEntry, Site};
use crate::theme::{PageView, Related, Theme, Utilities};

use super::islands;
use super::snippets::Snippets;
use super::{Error, Event};

/// Pages in memory at a time: enough to keep all cores busy, a few megabytes of compressed HTML.
const BATCH: usize = 512;

/// What pages are made with.
pub(super) struct Writer<'a> {
    pub(super) site: &'a Site,
    pub(super) kit: &'a Kit,
    pub(super) resolver: &'a Resolver<'a>,
    pub(super) snippets: &'a Snippets<'a>,
    pub(super) theme: &'a Theme<'a>,
}

/// What came of all pages.
#[derive(Debug, Default)]
pub(super) struct Written {
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) bytes_in: u64,
    /// Classes that authors wrote and that may be utilities.
    pub(super) classes: BTreeSet<String>,
    /// Some page has components that live on in the browser.
    pub(super) has_islands: bool,
    /// The maker of their style sheet, if there are any.
    pub(super) utilities: Option<io::Result<Utilities>>,
    /// Microseconds of all threads: by part.
    pub(super) busy_us: Vec<(&'static str, u64)>,
}

/// A page's content, before its frame.
pub(super) struct Content {
    pub(super) page: render::Page,
    pub(super) title_html: String,
    pub(super) description_html: Option<String>,
    related: Vec<Related>,
    alive: Alive,
    bytes_in: u64,
}

/// A whole page.
#[derive(Default)]
struct Made {
    html: String,
    /// Files that it shares with other pages.
    files: Vec<Entry>,
    diagnostics: Vec<Diagnostic>,
    classes: Vec<String>,
    bytes_in: u64,
}

#[derive(Default)]
struct Timers {
    read_and_render: AtomicU64,
    theme: AtomicU64,
    compress: AtomicU64,
}

impl Writer<'_> {
    /// Writes the pages and the start page in order.
    pub(super) fn write_all(
        &self,
        pages: &[PageId],
        home: Option<PageId>,
        bundle: &mut Bundle,
        progress: &(dyn Fn(Event) + Sync),
        cancel: &AtomicBool,
    ) -> Result<Written, Error> {
        let mut written = Written::default();
        let timers = Timers::default();
        let done = AtomicU64::new(0);
        let utilities = OnceLock::new();
        let index = BundlePath::sanitize("index.html");
        let start = home.filter(|home| self.resolver.path(*home).is_some_and(|path| *path != index)).map(|home| (home, &index));
        let own = pages.iter().filter_map(|page| Some((*page, self.resolver.path(*page)?)));
        let jobs: Vec<(PageId, &BundlePath)> = start.into_iter().chain(own).collect();
        let packer = bundle.packer();
        let mut shared: FxHashSet<BundlePath> = FxHashSet::default();
        for batch in jobs.chunks(BATCH) {
            let finished: Vec<_> = batch
                .par_iter()
                .map(|(page, path)| {
                    if cancel.load(Ordering::Relaxed) {
                        return Err(Error::Cancelled);
                    }
                    let made = self.write(*page, path, packer, &timers);
                    if made.as_ref().is_ok_and(|(_, page)| !page.classes.is_empty()) {
                        utilities.get_or_init(Utilities::start);
                    }
                    let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                    progress(Event::Pages { done: done.min(pages.len() as u64), total: pages.len() as u64 });
                    made
                })
                .collect::<Result<_, _>>()?;
            let mut prepared = Vec::with_capacity(finished.len());
            for (entry, made) in finished {
                for diagnostic in &made.diagnostics {
                    progress(Event::Diagnostic(diagnostic.clone()));
                }
                written.diagnostics.extend(made.diagnostics);
                written.classes.extend(made.classes);
                written.bytes_in += made.bytes_in;
                prepared.push(entry);
                written.has_islands |= !made.files.is_empty();
                // pages share scripts: their names carry their digests
                prepared.extend(made.files.into_iter().filter(|file| shared.insert(file.path.clone())).map(|file| packer.prepare(file)));
            }
            bundle.append(prepared)?;
        }
        written.utilities = utilities.into_inner();
        let us = |timer: &AtomicU64| timer.load(Ordering::Relaxed) / 1000;
        written.busy_us = vec![("render", us(&timers.read_and_render)), ("frame", us(&timers.theme)), ("compress", us(&timers.compress))];
        Ok(written)
    }

    fn write(&self, page: PageId, path: &BundlePath, packer: Packer, timers: &Timers) -> Result<(Prepared, Made), Error> {
        let mut made = self.html(page, path, timers);
        let started = Instant::now();
        let html = std::mem::take(&mut made.html);
        let prepared = packer.prepare(Entry { path: path.clone(), bytes: html.into_bytes(), origin: Origin::Exporter });
        add(&timers.compress, started);
        Ok((prepared, made))
    }

    fn html(&self, page: PageId, path: &BundlePath, timers: &Timers) -> Made {
        let entry = self.site.page(page);
        let started = Instant::now();
        let links = PageLinks::new(self.resolver, page, path);
        let content = catch_unwind(AssertUnwindSafe(|| content(self.site, page, self.kit, &links, self.snippets)));
        let failure = match content {
            Ok(Ok(mut content)) => {
                let islands = islands::of_page(&content.alive, &content.page.islands, &links, self.snippets, path);
                if let Some(islands) = &islands {
                    content.page.add_classes(islands.classes());
                }
                self.judge_own_fragments(&mut content.page, page, path, links.into_own_fragments());
                add(&timers.read_and_render, started);
                let started = Instant::now();
                let related = std::mem::take(&mut content.related);
                let islands = islands.unwrap_or_default();
                let html = catch_unwind(AssertUnwindSafe(|| {
                    self.theme.page(&PageView {
                        id: page,
                        path: path.as_str(),
                        page: entry,
                        content: &content.page,
                        title_html: &content.title_html,
                        description_html: content.description_html.as_deref(),
                        last_modified: entry.meta.last_updated.as_deref(),
                        related: &related,
                        islands: &islands.data,
                        scripts: &islands.scripts,
                    })
                }));
                add(&timers.theme, started);
                match html {
                    Ok(html) => {
                        let render::Page { diagnostics, classes, .. } = content.page;
                        return Made { html, files: islands.files, diagnostics, classes, bytes_in: content.bytes_in };
                    }
                    Err(_) => "the page's frame could not be made".to_owned(),
                }
            }
            Ok(Err(error)) => error,
            Err(_) => "an internal error stopped the rendering of this page".to_owned(),
        };
        let file = entry.file.map_or(entry.slug.as_str(), |file| self.site.tree.path(file));
        let diagnostic = Diagnostic::error("page-failed", failure).at(file, 0, 0).hint("the page is replaced by a notice; all others are complete");
        let html = self.theme.failed_page(page, path.as_str(), &diagnostic.message);
        Made { html, diagnostics: vec![diagnostic], ..Made::default() }
    }

    /// Links of a page to its own anchors can be judged now: those to missing ones go to its start.
    fn judge_own_fragments(&self, content: &mut render::Page, page: PageId, path: &BundlePath, fragments: Vec<(String, Place)>) {
        let entry = self.site.page(page);
        let mut targets: Vec<(String, String)> = Vec::new();
        for (fragment, place) in fragments {
            let known = |id: &str| content.ids.binary_search_by(|known| known.as_str().cmp(id)).is_ok();
            let anchor = find_anchor(&fragment, known);
            if anchor.as_deref() == Some(fragment.as_str()) {
                continue;
            }
            let instead = match &anchor {
                Some(anchor) => format!("#{}", url::encode_fragment(anchor)),
                None => url::relative(path.as_str(), path.as_str()),
            };
            targets.push((format!("#{}", url::encode_fragment(&fragment)), instead));
            if anchor.is_none() {
                let file = if place.line == 0 { entry.file } else { Some(place.file) };
                let file = file.map_or(entry.slug.as_str(), |file| self.site.tree.path(file));
                let message = format!("`#{fragment}`: this page has no such anchor");
                let hint = "correct the anchor; the link leads to the top of the page for now";
                content.diagnostics.push(Diagnostic::warning("broken-anchor", message).at(file, place.line, place.column).hint(hint));
            }
        }
        if !targets.is_empty() {
            content.html = rewrite_hrefs(&content.html, &targets);
            content.aside = rewrite_hrefs(&content.aside, &targets);
        }
    }
}

/// Reads and renders the content of a page.
///
/// Errors name why there is nothing to show.
pub(super) fn content(site: &Site, page: PageId, kit: &Kit, links: &PageLinks<'_>, snippets: &Snippets<'_>) -> Result<Content, String> {
    let entry = site.page(page);
    let mut bytes_in = 0;
    let mut alive = Alive::default();
    let (nodes, problems) = match entry.file {
        None => (Vec::new(), Vec::new()),
        Some(file) => {
            let bytes = site.tree.read_at_most(file, limits::PAGE_BYTES).map_err(|error| format!("the file cannot be read: {error}"))?;
            bytes_in = bytes.len() as u64;
            let text = String::from_utf8_lossy(&bytes);
            let body = text.get(entry.body_offset..).unwrap_or_default();
            let body = if body.contains('\r') { std::borrow::Cow::Owned(body.replace("\r\n", "\n")) } else { body.into() };
            match entry.dialect {
                Dialect::Markdown => {
                    let document = markup::parse_markdown(&body, file, entry.body_line);
                    (document.nodes, document.problems)
                }
                Dialect::Mdx => {
                    let source = markup::substitute(&body, &site.config.variables);
                    let expanded = expand(markup::parse_mdx(&source, file, entry.body_line), file, snippets);
                    alive = expanded.alive;
                    (expanded.nodes, expanded.problems)
                }
            }
        }
    };
    let title_html = inline_html(kit, links, &entry.meta.title);
    let description_html = entry.meta.description.as_deref().map(|text| inline_html(kit, links, text));
    let mut renderer = Renderer::new(kit, links);
    renderer.mode = entry.meta.mode;
    renderer.title = entry.meta.title.clone();
    renderer.heading_ids = !matches!(entry.meta.mode, Mode::Custom | Mode::Frame);
    let mut rendered = renderer.document(&nodes);
    rendered.diagnostics.extend(problems.into_iter().map(|problem| diagnostic(problem, site)));
    let related = related(site, entry, links, &mut rendered.diagnostics);
    Ok(Content { page: rendered, title_html, description_html, related, alive, bytes_in })
}

/// The pages and addresses that a page's front matter calls related.
fn related(site: &Site, entry: &PageEntry, links: &PageLinks<'_>, diagnostics: &mut Vec<Diagnostic>) -> Vec<Related> {
    let listed = entry.meta.related.iter().flatten();
    let resolved = listed.map(|(title, target)| {
        // front matter names pages from the root
        let target = if target.contains(':') || target.starts_with(['/', '.', '#']) { target.clone() } else { format!("/{target}") };
        let href = links.href(&target, Place::default(), diagnostics);
        let page = site.find_page(target.trim_matches('/')).map(|page| site.page(page).meta.title.clone());
        Related { title: title.clone().or(page).unwrap_or_else(|| target.trim_start_matches('/').to_owned()), url: href.url, external: href.external }
    });
    resolved.filter(|related| !related.url.is_empty()).collect()
}

fn inline_html(kit: &Kit, links: &PageLinks<'_>, text: &str) -> String {
    let mut renderer = Renderer::new(kit, links);
    renderer.inline_markdown(text, false);
    renderer.out
}

fn diagnostic(problem: Problem, site: &Site) -> Diagnostic {
    let diagnostic = Diagnostic::warning(problem.code, problem.message).at(site.tree.path(problem.place.file), problem.place.line, problem.place.column);
    match problem.hint {
        Some(hint) => diagnostic.hint(hint),
        None => diagnostic,
    }
}

fn add(timer: &AtomicU64, started: Instant) {
    timer.fetch_add(started.elapsed().as_nanos() as u64, Ordering::Relaxed);
}
