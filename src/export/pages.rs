//! Pages, batch by batch: read, parse, expand, render, frame, compress. A page that fails, a panic included, costs itself:
//! a page that says so takes its place.

use std::borrow::Cow;
use std::collections::{BTreeSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::io;
use std::sync::{Arc, OnceLock};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::asset::remote::{self, Remote};
use crate::base::printable::printable;
use crate::base::{BundlePath, Diagnostic, FileId, PageId, Place, html, limits, url};
use crate::bundle::{Bundle, Entry, Origin, Packer, Piece, Prepared, Shared};
use crate::link::{Anchors, PageLinks, Resolver, rewrite_hrefs};
use crate::expand::{Alive, Expanded, expand, expand_still};
use crate::markup::tree::Node;
use crate::markup::{self, Problem};
use crate::refs::Outside;
use crate::render::words::Words;
use crate::render::{self, Kit, Links, Renderer};
use crate::search::Record;
use crate::side::picture::{PREVIEW_SIZE, Preview, Social};
use crate::side::{self, Feed, PageFiles};
use crate::site::contextual::BuiltIn;
use crate::site::page::Mode;
use crate::site::problems::line_column;
use crate::site::{ConfigKind, Dialect, PageEntry, Preface, Site};
use crate::theme::{self, PageView, Related, Theme, Utilities};

use super::dates::Dates;
use super::includes::Includes;
use super::{hero, islands, proof};
use super::side::Full;
use super::search::{Records, Search};
use super::snippets::Snippets;
use super::{Error, Event};

/// Pages in memory at a time: enough to keep all cores busy, a few megabytes of compressed HTML.
const BATCH: usize = 128;
/// Batches that wait for the network at a time, compressed: some tens of megabytes.
const MOST_HELD: usize = 8;

/// What pages are made with.
pub(super) struct Writer<'a> {
    pub(super) site: &'a Site,
    pub(super) kit: &'a Kit,
    pub(super) resolver: &'a Resolver<'a>,
    pub(super) snippets: &'a Snippets<'a>,
    pub(super) theme: &'a Theme<'a>,
    pub(super) dates: &'a Dates,
    /// For bundles: what pages bring along beside themselves.
    pub(super) side: Option<side::Source<'a>>,
    /// What draws pictures of pages, if any are wanted.
    pub(super) social: Option<&'a Social<'a>>,
    /// What makes the records of search, if there is any.
    pub(super) records: Option<Records<'a>>,
}

/// What came of all pages.
#[derive(Debug, Default)]
pub(super) struct Written {
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) bytes_in: u64,
    /// Classes that authors wrote and that may be utilities, by page, each choice once.
    pub(super) classes: BTreeSet<Vec<String>>,
    /// Some page has components that live on in the browser.
    pub(super) has_islands: bool,
    /// The maker of their style sheet, if there are any.
    pub(super) utilities: Option<io::Result<Utilities>>,
    /// Change logs, in the order of pages.
    pub(super) feeds: Vec<Feed>,
    /// Microseconds of all threads: by part.
    pub(super) busy_us: Vec<(&'static str, u64)>,
}

/// A page's content, before its frame.
pub(super) struct Content {
    pub(super) page: render::Page,
    pub(super) title_html: String,
    pub(super) description_html: Option<String>,
    related: Vec<Related>,
    /// The expanded document.
    nodes: Vec<Node>,
    alive: Alive,
    bytes_in: u64,
}

/// A whole page.
#[derive(Default)]
pub(super) struct Made {
    pub(super) html: String,
    /// Files that it shares with other pages.
    pub(super) files: Vec<Entry>,
    pub(super) side: PageFiles,
    /// The body of its Markdown, taken out of `side`.
    body: Shared,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) classes: Vec<String>,
    /// Its anchors, sorted.
    pub(super) ids: Vec<String>,
    /// Its headings, see [`render::Page::headings`].
    pub(super) headings: Vec<(String, String)>,
    /// See [`render::Page::is_open`].
    pub(super) is_open: bool,
    /// The pages whose anchors it links to.
    pub(super) asked: Vec<PageId>,
    /// What search keeps of it, with its edition.
    pub(super) record: Option<(u32, Record)>,
    /// The picture that networks show of it.
    preview: Option<Preview>,
    bytes_in: u64,
}

/// A page and where it is written.
type Job<'a> = (PageId, &'a BundlePath);

/// A page that is made, or that waits for addresses elsewhere. Of such a page nothing is kept: it is made again.
enum Slot {
    Made(Box<(Vec<Prepared>, Made)>),
    Waits(Vec<Arc<remote::Slot>>),
}

/// A batch of which some pages wait. Later batches are made meanwhile, but written after it: the order of the archive tells nothing of
/// the network.
struct Held<'a> {
    jobs: &'a [Job<'a>],
    slots: Vec<Slot>,
}

impl Held<'_> {
    /// Whether nothing is left to wait for.
    fn is_decided(&self) -> bool {
        self.slots.iter().all(|slot| match slot {
            Slot::Made(_) => true,
            Slot::Waits(pending) => Remote::are_decided(pending),
        })
    }
}

/// Where what is made of pages goes.
pub(super) struct Sinks<'a> {
    pub(super) bundle: &'a mut Bundle,
    pub(super) search: &'a mut Search,
    /// The Markdown of all pages, if that is wanted.
    pub(super) full: Option<&'a mut Full>,
}

#[derive(Default)]
pub(super) struct Timers {
    side: AtomicU64,
    read_and_render: AtomicU64,
    theme: AtomicU64,
    prove: AtomicU64,
    compress: AtomicU64,
    index: AtomicU64,
    merge: AtomicU64,
    social: AtomicU64,
}

impl Writer<'_> {
    /// Writes the pages and the start page in order.
    pub(super) fn write_all(
        &self,
        pages: &[PageId],
        home: Option<PageId>,
        sinks: Sinks<'_>,
        progress: &(dyn Fn(Event) + Sync),
        cancel: &AtomicBool,
    ) -> Result<Written, Error> {
        let Sinks { bundle, search, mut full } = sinks;
        let mut written = Written::default();
        let timers = Timers::default();
        let done = AtomicU64::new(0);
        let utilities = OnceLock::new();
        let index = BundlePath::sanitize("index.html");
        let start = home.filter(|home| self.resolver.path(*home).is_some_and(|path| *path != index)).map(|home| (home, &index));
        let own = pages.iter().filter_map(|page| Some((*page, self.resolver.path(*page)?)));
        let jobs: Vec<Job<'_>> = start.into_iter().chain(own).collect();
        let packer = bundle.packer();
        let mut shared: FxHashSet<BundlePath> = FxHashSet::default();
        let make = |job: &Job<'_>| {
            if cancel.load(Ordering::Relaxed) {
                return Err(Error::Cancelled);
            }
            let made = self.write(job.0, job.1, packer, &timers);
            if let Slot::Made(page) = &made {
                if !page.1.classes.is_empty() {
                    utilities.get_or_init(Utilities::start);
                }
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                progress(Event::Pages { done: done.min(pages.len() as u64), total: pages.len() as u64 });
            }
            Ok(made)
        };
        let mut append = |batch: &[Job<'_>], finished: Vec<(Vec<Prepared>, Made)>| -> Result<(), Error> {
            let mut prepared = Vec::with_capacity(finished.len());
            let mut records = Vec::new();
            for ((page, path), (files, made)) in batch.iter().zip(finished) {
                for diagnostic in &made.diagnostics {
                    progress(Event::Diagnostic(diagnostic.clone()));
                }
                written.diagnostics.extend(made.diagnostics);
                if !made.classes.is_empty() {
                    written.classes.insert(made.classes);
                }
                written.bytes_in += made.bytes_in;
                records.extend(made.record);
                prepared.extend(files);
                written.feeds.extend(made.side.feed);
                let is_part = !made.side.twin.is_empty() && self.site.page(*page).visibility.llms && self.resolver.path(*page) == Some(*path);
                if let (Some(full), Some(side)) = (full.as_deref_mut().filter(|_| is_part), &self.side) {
                    full.push(made.side.twin.lead(&side.page_url(*page)), &made.body)?;
                }
                written.has_islands |= !made.files.is_empty();
                // pages share scripts: their names carry their digests
                prepared.extend(made.files.into_iter().filter(|file| shared.insert(file.path.clone())).map(|file| packer.prepare(file)));
            }
            let started = Instant::now();
            prepared.extend(search.add(records).into_par_iter().map(|file| packer.prepare(file)).collect::<Vec<_>>());
            add(&timers.merge, started);
            bundle.append(prepared)?;
            Ok(())
        };
        let mut held: VecDeque<Held<'_>> = VecDeque::new();
        let mut finished = Vec::new();
        for batch in jobs.chunks(BATCH) {
            // what is finished is written while the next pages are made: one core would be idle otherwise
            // page by page: a core that is done early takes some of what another has before it
            let make_all = || batch.par_iter().with_max_len(1).map(make).collect::<Result<_, _>>();
            let (slots, appended) = rayon::join(make_all, || finished.drain(..).try_for_each(|(jobs, made)| append(jobs, made)));
            appended?;
            held.push_back(Held { jobs: batch, slots: slots? });
            while held.len() > MOST_HELD || held.front().is_some_and(Held::is_decided) {
                if let Some(first) = held.pop_front() {
                    finished.push((first.jobs, self.complete(first.slots, first.jobs, &make, cancel)?));
                }
            }
        }
        finished.into_iter().try_for_each(|(jobs, made)| append(jobs, made))?;
        for batch in held {
            append(batch.jobs, self.complete(batch.slots, batch.jobs, &make, cancel)?)?;
        }
        written.utilities = utilities.into_inner();
        let us = |timer: &AtomicU64| timer.load(Ordering::Relaxed) / 1000;
        written.busy_us = vec![
            ("render", us(&timers.read_and_render)),
            ("frame", us(&timers.theme)),
            ("prove", us(&timers.prove)),
            ("compress", us(&timers.compress)),
            ("markdown", us(&timers.side)),
            ("index", us(&timers.index)),
            ("merge", us(&timers.merge)),
            ("social", us(&timers.social)),
        ];
        Ok(written)
    }

    /// The pages of a batch, those made again that had to wait for something from elsewhere.
    fn complete(&self, mut slots: Vec<Slot>, jobs: &[Job<'_>], make: &(impl Fn(&Job<'_>) -> Result<Slot, Error> + Sync), cancel: &AtomicBool) -> Result<Vec<(Vec<Prepared>, Made)>, Error> {
        loop {
            let waiting: Vec<usize> = (0..slots.len()).filter(|at| matches!(slots[*at], Slot::Waits(_))).collect();
            if waiting.is_empty() {
                break;
            }
            for at in &waiting {
                if let (Slot::Waits(pending), Some(remote)) = (&slots[*at], self.resolver.remote) {
                    remote.wait(pending, cancel)?;
                }
            }
            // each round decides what the one before asked for: a page has only so many addresses
            let again: Vec<Slot> = waiting.par_iter().map(|at| make(&jobs[*at])).collect::<Result<_, _>>()?;
            for (at, slot) in waiting.into_iter().zip(again) {
                slots[at] = slot;
            }
        }
        let made = slots.into_iter().filter_map(|slot| match slot {
            Slot::Made(page) => Some(*page),
            Slot::Waits(_) => None,
        });
        Ok(made.collect())
    }

    fn write(&self, page: PageId, path: &BundlePath, packer: Packer, timers: &Timers) -> Slot {
        let mut made = match self.html(page, path, timers) {
            Ok(made) => made,
            Err(pending) => return Slot::Waits(pending),
        };
        let started = Instant::now();
        let html = std::mem::take(&mut made.html);
        let outside = Outside::of(path.as_str(), html.as_bytes());
        made.diagnostics.extend(proof::diagnostics(&outside, self.site, page, proof::Policy::of(self.resolver.remote)));
        let twin = [made.side.twin.head.as_str(), &made.side.twin.body, &made.side.twin.tail];
        made.diagnostics.extend(proof::placeholder([html.as_str()].into_iter().chain(twin), self.site, page));
        add(&timers.prove, started);
        let started = Instant::now();
        let entry = Entry { path: path.clone(), bytes: html.into_bytes(), origin: Origin::Exporter };
        let html = packer.prepare_read(entry, outside);
        add(&timers.compress, started);
        let started = Instant::now();
        // a page that failed has nothing to say
        let twin = (!made.side.twin.is_empty()).then_some(&mut made.side.twin).map(|twin| {
            let twin_path = side::twin_path(path);
            let copies = self.site.contextual(self.site.page(page)).has(BuiltIn::Copy);
            // few texts hold an end of a comment: theirs is compressed again
            let own_script = (copies && !twin.fits_a_comment()).then(|| twin.script());
            made.body = packer.share(std::mem::take(&mut twin.body));
            let pieces = [Piece::Own(side::TEXT_START), Piece::Own(&twin.head), Piece::Shared(&made.body), Piece::Own(&twin.tail), Piece::Own(side::TEXT_END)];
            let script = copies.then(|| match &own_script {
                Some(script) => packer.prepare_pieces(side::text_path(&twin_path), &[Piece::Own(script)]),
                None => packer.prepare_pieces(side::text_path(&twin_path), &pieces),
            });
            std::iter::once(packer.prepare_pieces(twin_path, &pieces[1..4])).chain(script).collect::<Vec<_>>()
        });
        add(&timers.side, started);
        let started = Instant::now();
        // the start page shows the picture of the page that it is
        let preview = made.preview.as_ref().filter(|_| self.resolver.path(page) == Some(path)).zip(self.social);
        let preview = preview.and_then(|(preview, social)| Some(Entry { path: preview.path.clone(), bytes: social.draw(preview)?, origin: Origin::Exporter }));
        let preview = preview.map(|entry| packer.prepare(entry));
        add(&timers.social, started);
        Slot::Made(Box::new((std::iter::once(html).chain(twin.into_iter().flatten()).chain(preview).collect(), made)))
    }

    /// Makes one page; `path` is its file in the bundle.
    ///
    /// Errors are the addresses that it has to wait for.
    pub(super) fn html(&self, page: PageId, path: &BundlePath, timers: &Timers) -> Result<Made, Vec<Arc<remote::Slot>>> {
        let entry = self.site.page(page);
        let started = Instant::now();
        let links = PageLinks::new(self.resolver, page, path);
        let content = catch_unwind(AssertUnwindSafe(|| content(self.site, page, self.kit, &links, self.snippets, render::words::of(self.theme.language(page)))));
        let mut outside = links.take_asked();
        let pending = outside.take_pending();
        if !pending.is_empty() {
            add(&timers.read_and_render, started);
            return Err(pending);
        }
        // what a page that failed asked for is no part of the bundle
        if let (Ok(Ok(_)), Some(remote)) = (&content, self.resolver.remote) {
            remote.commit(outside);
        }
        let failure = match content {
            Ok(Ok(mut content)) => {
                let islands = islands::of_page(&content.alive, &content.page, &links, self.snippets, path);
                if let Some(islands) = &islands {
                    content.page.add_classes(islands.classes());
                }
                let (own, asked) = links.into_fragments();
                self.judge_own_fragments(&mut content.page, page, path, own);
                add(&timers.read_and_render, started);
                let started = Instant::now();
                let files = || self.side.map(|side| side.of_page(page, path, &content.nodes, &content.page.ids)).unwrap_or_default();
                let mut side = catch_unwind(AssertUnwindSafe(files)).unwrap_or_default();
                add(&timers.side, started);
                let started = Instant::now();
                let related = std::mem::take(&mut content.related);
                let feed = side.feed.as_ref().map(|feed| url::relative(path.as_str(), feed.path.as_str()));
                let islands = islands.unwrap_or_default();
                let preview = self.social.and_then(|social| social.of_page(page));
                let spec = self.side.and_then(|side| side.spec_url(page));
                let html = catch_unwind(AssertUnwindSafe(|| {
                    self.theme.page(&PageView {
                        id: page,
                        path: path.as_str(),
                        page: entry,
                        content: &content.page,
                        title_html: &content.title_html,
                        description_html: content.description_html.as_deref(),
                        last_modified: self.dates.of(self.site, page),
                        related: &related,
                        islands: &islands.data,
                        later: &islands.later,
                        scripts: &islands.scripts,
                        spec: spec.as_deref(),
                        feed: feed.as_deref(),
                        social: preview.as_ref().map(|preview| theme::Social { path: preview.path.as_str(), size: PREVIEW_SIZE }),
                    })
                }));
                add(&timers.theme, started);
                let started = Instant::now();
                let record = self.record(page, path, &content.page);
                add(&timers.index, started);
                match html {
                    Ok(html) => {
                        let render::Page { mut diagnostics, classes, ids, headings, is_open, .. } = content.page;
                        diagnostics.append(&mut side.diagnostics);
                        return Ok(Made { html, files: islands.files, side, diagnostics, classes, ids, headings, is_open, asked, record, preview, bytes_in: content.bytes_in, ..Made::default() });
                    }
                    Err(_) => "the layout of the page cannot be rendered".to_owned(),
                }
            }
            Ok(Err(error)) => error,
            Err(_) => "an internal error stopped the rendering of this page".to_owned(),
        };
        let file = entry.file.map_or(entry.slug.as_str(), |file| self.site.tree.path(file));
        let diagnostic = Diagnostic::new("page-failed", failure).at(file, 0, 0).hint("the page is replaced by a notice; all other pages are complete");
        let html = self.theme.failed_page(page, path.as_str(), &diagnostic.message);
        Ok(Made { html, diagnostics: vec![diagnostic], ..Made::default() })
    }

    /// What search keeps of a page: of its own file, not of the start page that stands for it.
    fn record(&self, page: PageId, path: &BundlePath, content: &render::Page) -> Option<(u32, Record)> {
        let records = self.records.as_ref()?;
        let spot = self.theme.search_spot(page).filter(|_| self.resolver.path(page) == Some(path))?;
        // search must not take the page with it
        let record = catch_unwind(AssertUnwindSafe(|| records.of(spot, page, path.as_str(), content)));
        Some((spot.index, record.ok().flatten()?))
    }

    /// Links of a page to its own anchors can be judged now: those to missing ones go to its start.
    fn judge_own_fragments(&self, content: &mut render::Page, page: PageId, path: &BundlePath, fragments: Vec<(String, Place)>) {
        if fragments.is_empty() {
            return;
        }
        let entry = self.site.page(page);
        let anchors = Anchors::new(self.site.kind, Cow::Borrowed(&content.ids), &content.headings, content.is_open);
        let mut targets: FxHashMap<String, String> = FxHashMap::default();
        for (fragment, place) in fragments {
            let anchor = anchors.find(&fragment);
            if anchor.as_deref() == Some(fragment.as_str()) {
                continue;
            }
            let instead = match &anchor {
                Some(anchor) => format!("#{}", url::encode_fragment(anchor)),
                None => url::relative(path.as_str(), path.as_str()),
            };
            targets.insert(format!("#{}", url::encode_fragment(&fragment)), instead);
            if anchor.is_none() {
                let file = if place.line == 0 { entry.file } else { Some(place.file) };
                let file = file.map_or(entry.slug.as_str(), |file| self.site.tree.path(file));
                let message = format!("`#{fragment}`: this page does not have this anchor");
                let hint = "correct the anchor; the link leads to the top of the page";
                content.diagnostics.push(Diagnostic::new("broken-anchor", message).at(file, place.line, place.column).hint(hint));
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
pub(super) fn content(site: &Site, page: PageId, kit: &Kit, links: &PageLinks<'_>, snippets: &Snippets<'_>, words: &'static Words) -> Result<Content, String> {
    let entry = site.page(page);
    let mut bytes_in = 0;
    let mut alive = Alive::default();
    let (mut nodes, problems) = match entry.file {
        None => (Vec::new(), Vec::new()),
        Some(file) => {
            let bytes = site.tree.read_page(file, limits::PAGE_BYTES).map_err(|error| format!("the file cannot be read: {error}"))?;
            bytes_in = bytes.len() as u64;
            let text = String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
            let body = text.get(entry.body_offset..).unwrap_or_default();
            let body = printable(body);
            let body = if body.contains('\r') { Cow::Owned(body.replace("\r\n", "\n")) } else { body };
            match entry.dialect {
                Dialect::Markdown => {
                    let document = markup::parse_markdown_with(&body, file, entry.body_line, &Includes(&site.tree));
                    (document.nodes, document.problems)
                }
                Dialect::Mdx => {
                    let source = markup::prepare(&body, &site.config.variables, site.kind == ConfigKind::Plain);
                    let expanded = expanded(&source, file, entry.body_line, snippets);
                    alive = expanded.alive;
                    (expanded.nodes, expanded.problems)
                }
            }
        }
    };
    let mut problems: Vec<Diagnostic> = problems.into_iter().map(|problem| diagnostic(problem, site)).collect();
    if let Some(preface) = &entry.preface {
        let (before, found) = self::preface(preface, &mut alive, site, snippets);
        nodes.splice(..0, before);
        problems.splice(..0, found.into_iter().map(|problem| diagnostic(problem, site)));
    }
    if let Some(hero) = &entry.meta.hero {
        nodes.splice(..0, hero::nodes(hero, entry.meta.description.as_deref()));
    }
    let title_html = html::text(entry.shown_title());
    let description_html = entry.meta.description.as_deref().map(|text| description_html(kit, links, text));
    let mut renderer = Renderer::new(kit, links);
    renderer.words = words;
    renderer.mode = entry.meta.mode;
    renderer.title = entry.shown_title().to_owned();
    renderer.title_in_body = entry.title_in_body;
    renderer.is_plain = site.kind == ConfigKind::Plain;
    renderer.heading_ids = !matches!(entry.meta.mode, Mode::Custom | Mode::Frame);
    let mut rendered = renderer.document(&nodes);
    rendered.is_open = problems.iter().any(|problem| matches!(problem.code, "reference-unread" | "include-unread"));
    rendered.diagnostics.extend(problems);
    if let Some(preface) = &entry.preface {
        rendered.diagnostics.iter_mut().filter(|problem| problem.file == site.tree.path(preface.file)).for_each(|problem| put_into(preface, problem));
    }
    let related = related(site, entry, links, &mut rendered.diagnostics);
    Ok(Content { page: rendered, title_html, description_html, related, nodes, alive, bytes_in })
}

/// A text of MDX, expanded; without scripts if they take too long.
fn expanded(source: &markup::Prepared<'_>, file: FileId, line: u32, snippets: &Snippets<'_>) -> Expanded {
    let expanded = expand(source.parse(file, line), file, snippets);
    if expanded.is_late { expand_still(source.parse(file, line), file, snippets) } else { expanded }
}

/// What an API description puts before the content of a page. Only one of the two texts can live on in the browser: the page's own.
fn preface(preface: &Preface, alive: &mut Alive, site: &Site, snippets: &Snippets<'_>) -> (Vec<Node>, Vec<Problem>) {
    let source = markup::prepare(&preface.text, &site.config.variables, false);
    let mut before = expanded(&source, preface.file, preface.line.max(1), snippets);
    if alive.is_empty() {
        *alive = before.alive;
    } else if !before.alive.is_empty() {
        before = expand_still(source.parse(preface.file, preface.line.max(1)), preface.file, snippets);
    }
    (before.nodes, before.problems)
}

/// Shows a problem of a text at its line in the description, whose columns the text does not know.
fn put_into(preface: &Preface, problem: &mut Diagnostic) {
    if problem.line > 0 && !preface.in_lines {
        problem.line = preface.line;
    }
    problem.column = 0;
}

/// The pages and addresses that a page's front matter calls related.
fn related(site: &Site, entry: &PageEntry, links: &PageLinks<'_>, diagnostics: &mut Vec<Diagnostic>) -> Vec<Related> {
    let listed = entry.meta.related.iter().flatten();
    let resolved = listed.map(|(title, target)| {
        // front matter names pages from the root
        let target = if target.contains(':') || target.starts_with(['/', '.', '#']) { target.clone() } else { format!("/{target}") };
        let known = diagnostics.len();
        let href = links.href(&target, Place::default(), diagnostics);
        for diagnostic in &mut diagnostics[known..] {
            (diagnostic.line, diagnostic.column) = place_in_front_matter(site, entry, target.trim_start_matches('/'));
        }
        let page = site.find_page(target.trim_matches('/')).map(|page| site.page(page).meta.title.clone());
        Related { title: title.clone().or(page).unwrap_or_else(|| target.trim_start_matches('/').to_owned()), url: href.url, external: href.external }
    });
    resolved.filter(|related| !related.url.is_empty()).collect()
}

/// Line and column of words in the front matter of a page.
fn place_in_front_matter(site: &Site, entry: &PageEntry, words: &str) -> (u32, u32) {
    let bytes = entry.file.and_then(|file| site.tree.read_at_most(file, limits::PAGE_BYTES).ok()).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let at = text.get(..entry.body_offset).and_then(|front| front.find(words));
    at.map_or((0, 0), |at| line_column(&text, at))
}

/// A description; those of more than a paragraph, which API descriptions often have, are Markdown of their own and look like the content of a page.
fn description_html(kit: &Kit, links: &PageLinks<'_>, text: &str) -> String {
    if !has_blocks(text.trim()) {
        return inline_html(kit, links, text);
    }
    let mut renderer = Renderer::new(kit, links);
    renderer.heading_ids = false;
    let html = renderer.document(&markup::parse_markdown(text.trim(), FileId::default(), 0).nodes).html;
    format!("<div class=\"prose\">{html}</div>")
}

/// Whether a description is more than one paragraph: an empty line, or a line that begins a list, a quotation, a heading, code or a table.
fn has_blocks(text: &str) -> bool {
    let starts_block = |line: &str| {
        let line = line.trim_start();
        let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
        line.is_empty() || ["- ", "* ", "+ ", "> ", "# ", "## ", "### ", "```", "~~~", "|"].iter().any(|mark| line.starts_with(mark)) || number.len() < line.len() && (number.starts_with(". ") || number.starts_with(") "))
    };
    text.contains('\n') && text.lines().any(starts_block)
}

fn inline_html(kit: &Kit, links: &PageLinks<'_>, text: &str) -> String {
    let mut renderer = Renderer::new(kit, links);
    renderer.inline_markdown(text, false);
    renderer.out
}

pub(super) fn diagnostic(problem: Problem, site: &Site) -> Diagnostic {
    let diagnostic = Diagnostic::new(problem.code, problem.message).at(site.tree.path(problem.place.file), problem.place.line, problem.place.column);
    match problem.hint {
        Some(hint) => diagnostic.hint(hint),
        None => diagnostic,
    }
}

fn add(timer: &AtomicU64, started: Instant) {
    timer.fetch_add(started.elapsed().as_nanos() as u64, Ordering::Relaxed);
}
