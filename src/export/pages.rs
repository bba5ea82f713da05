//! All pages, batch by batch: made and compressed in parallel, written in order.

use std::collections::{BTreeSet, VecDeque};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use base::isolate::{LEFT_OUT, catch_panic, isolate};
use base::refs::Outside;
use base::{BundlePath, Diagnostic, PageId};
use bundle::{Bundle, BundleEntry, EntryOrigin, Packer, PieceText, PreparedEntry, TextPiece};
use check::census::WordCounts;
use frame::asset::remote::{self, Remote};
use frame::theme::Utilities;
use search::SearchRecord;
use side::Feed;
use site::contextual::BuiltIn;

use super::PngSavings;
use super::page::{MadePage, PageJob, PageWriter, Timers, add_elapsed};
use super::search::{ExportSearch, SEARCH};
use super::side::Full;
use super::{ExportError, ExportEvent, proof};

/// Pages in memory at a time: enough to keep all cores busy, a few megabytes of compressed HTML.
const BATCH_PAGES: usize = 128;
/// Batches that wait for the network at a time, compressed: some tens of megabytes.
const MAX_HELD_BATCHES: usize = 8;

/// What came of all pages.
#[derive(Debug, Default)]
pub(super) struct PagesWritten {
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) bytes_in: u64,
    pub(super) words: WordCounts,
    /// Classes that authors wrote and that may be utilities, by page, each choice once.
    pub(super) classes: BTreeSet<Vec<String>>,
    /// Some page has islands.
    pub(super) has_islands: bool,
    /// Some page has a console.
    pub(super) has_console: bool,
    /// Servers that consoles may ask: scheme, host and port.
    pub(super) console_servers: BTreeSet<String>,
    /// The maker of their style sheet, if there are any.
    pub(super) utilities: Option<io::Result<Utilities>>,
    /// Change logs, in the order of pages.
    pub(super) feeds: Vec<Feed>,
    /// There is a search index.
    pub(super) has_search: bool,
    /// What optimizing PNG files would save.
    pub(super) png_savings: Option<PngSavings>,
    /// Microseconds of all threads: by part.
    pub(super) busy_us: Vec<(&'static str, u64)>,
}

/// A page whose files are ready to be written.
struct PackedPage {
    page: MadePage,
    /// The page and the files beside it, compressed.
    files: Vec<PreparedEntry>,
    /// The body of its Markdown, for the text of all pages.
    body: PieceText,
}

/// A page that is made, or that waits for addresses elsewhere. Of such a page nothing is kept: it is made again.
enum PageSlot {
    Packed(Box<PackedPage>),
    Waits(Vec<Arc<remote::AddressSlot>>),
}

/// A batch of which some pages wait. Later batches are made meanwhile, but written after it: the order of the archive
/// does not depend on the network.
struct HeldBatch<'a> {
    jobs: &'a [PageJob<'a>],
    slots: Vec<PageSlot>,
}

impl HeldBatch<'_> {
    /// Whether nothing is left to wait for.
    fn is_decided(&self) -> bool {
        self.slots.iter().all(|slot| match slot {
            PageSlot::Packed(_) => true,
            PageSlot::Waits(pending) => Remote::are_decided(pending),
        })
    }
}

/// Where what is made of pages goes.
pub(super) struct Sinks<'a> {
    pub(super) bundle: &'a mut Bundle,
    pub(super) search: &'a mut ExportSearch,
    /// The Markdown of all pages, if the bundle has it.
    pub(super) full: Option<&'a mut Full>,
}

impl PageWriter<'_> {
    /// Writes the pages and the start page in order.
    pub(super) fn write_all(
        &self,
        sinks: Sinks<'_>,
        progress: &(dyn Fn(ExportEvent) + Sync),
        cancel: &AtomicBool,
    ) -> Result<PagesWritten, ExportError> {
        let (pages, index) = (self.source.all_pages(), BundlePath::sanitize("index.html"));
        let jobs = self.jobs(&pages, &index);
        let run = PagesRun {
            writer: self,
            packer: sinks.bundle.packer(),
            timers: Timers::default(),
            done: AtomicU64::new(0),
            total: pages.len() as u64,
            utilities: OnceLock::new(),
            progress,
            cancel,
        };
        let mut appender =
            Appender { run: &run, sinks, shared: FxHashSet::default(), written: PagesWritten::default() };
        let mut held: VecDeque<HeldBatch<'_>> = VecDeque::new();
        let mut finished = Vec::new();
        for batch in jobs.chunks(BATCH_PAGES) {
            // what is finished is written while the next pages are made: one core would be idle otherwise
            // page by page: a core that is done early takes some of what another has before it
            let make_all = || batch.par_iter().with_max_len(1).map(|job| run.make(job)).collect::<Result<_, _>>();
            let (slots, appended) = rayon::join(make_all, || {
                finished.drain(..).try_for_each(|(jobs, packed)| appender.append(jobs, packed))
            });
            appended?;
            held.push_back(HeldBatch { jobs: batch, slots: slots? });
            while held.len() > MAX_HELD_BATCHES || held.front().is_some_and(HeldBatch::is_decided) {
                if let Some(first) = held.pop_front() {
                    finished.push((first.jobs, run.complete(first)?));
                }
            }
        }
        finished.into_iter().try_for_each(|(jobs, packed)| appender.append(jobs, packed))?;
        for batch in held {
            appender.append(batch.jobs, run.complete(batch)?)?;
        }
        let mut written = appender.written;
        written.busy_us = run.timers.busy_us();
        written.utilities = run.utilities.into_inner();
        Ok(written)
    }

    /// The pages with their files, the start page first if it has one of its own.
    fn jobs<'j>(&'j self, pages: &[PageId], index: &'j BundlePath) -> Vec<PageJob<'j>> {
        let resolver = self.source.resolver;
        let home = self.source.home.filter(|home| resolver.path(*home).is_some_and(|path| path != index));
        let own = pages.iter().filter_map(|page| Some((*page, resolver.path(*page)?)));
        home.map(|home| (home, index)).into_iter().chain(own).collect()
    }

    /// Makes one page and compresses its files.
    fn pack(&self, page: PageId, path: &BundlePath, packer: Packer, timers: &Timers) -> PageSlot {
        let made =
            catch_panic(|| self.page(page, path, timers).map(|made| self.pack_files(page, path, made, packer, timers)));
        match made {
            Some(Ok(packed)) => PageSlot::Packed(Box::new(packed)),
            Some(Err(pending)) => PageSlot::Waits(pending),
            None => {
                let failed = self.failed(page, path, "an internal error stopped the writing of this page".to_owned());
                PageSlot::Packed(Box::new(self.pack_files(page, path, failed, packer, timers)))
            }
        }
    }

    /// Reads and compresses the files of a page.
    fn pack_files(
        &self,
        page: PageId,
        path: &BundlePath,
        mut output: MadePage,
        packer: Packer,
        timers: &Timers,
    ) -> PackedPage {
        let site = self.source.site;
        let started = Instant::now();
        let html = std::mem::take(&mut output.html);
        let outside = Outside::of(path.as_str(), html.as_bytes());
        let problems = &mut output.content.diagnostics;
        problems.extend(proof::diagnostics(&outside, site, page, proof::MediaPolicy::of(self.source.resolver.remote)));
        let markdown = [output.side.markdown.head.as_str(), &output.side.markdown.body, &output.side.markdown.tail];
        problems.extend(proof::placeholder([html.as_str()].into_iter().chain(markdown), site, page));
        add_elapsed(&timers.prove, started);
        let started = Instant::now();
        let entry = BundleEntry { path: path.clone(), bytes: html.into_bytes(), origin: EntryOrigin::Exporter };
        let mut files = vec![packer.prepare_read(entry, outside)];
        add_elapsed(&timers.compress, started);
        let started = Instant::now();
        let body = self.pack_markdown(page, path, &mut output.side.markdown, packer, &mut files);
        add_elapsed(&timers.side, started);
        let started = Instant::now();
        // the start page shows the picture of the page that it is
        let preview =
            output.preview.as_ref().filter(|_| self.source.resolver.path(page) == Some(path)).zip(self.social);
        let preview = preview.and_then(|(preview, social)| {
            let problems = &mut output.content.diagnostics;
            let bytes = isolate(preview.path.as_str(), LEFT_OUT, problems, |_| social.draw(preview)).flatten()?;
            Some(BundleEntry { path: preview.path.clone(), bytes, origin: EntryOrigin::Exporter })
        });
        files.extend(preview.map(|entry| packer.prepare(entry)));
        add_elapsed(&timers.social, started);
        PackedPage { page: output, files, body }
    }

    /// Compresses the Markdown of a page, and the script that copies it where the page has a button for that. Returns
    /// its body, which is compressed once for all files that it is part of.
    fn pack_markdown(
        &self,
        page: PageId,
        path: &BundlePath,
        markdown: &mut side::MarkdownPage,
        packer: Packer,
        files: &mut Vec<PreparedEntry>,
    ) -> PieceText {
        // a page that failed has nothing to say
        if markdown.is_empty() {
            return PieceText::default();
        }
        let site = self.source.site;
        let twin_path = path.markdown_page();
        let copies = site.contextual(site.page(page)).has(BuiltIn::Copy);
        // few texts hold an end of a comment: theirs is compressed again
        let own_script = (copies && !markdown.fits_a_comment()).then(|| markdown.script());
        let body = packer.share(std::mem::take(&mut markdown.body));
        let pieces = [
            TextPiece::Own(side::TEXT_START),
            TextPiece::Own(&markdown.head),
            TextPiece::Shared(&body),
            TextPiece::Own(&markdown.tail),
            TextPiece::Own(side::TEXT_END),
        ];
        let script = copies.then(|| match &own_script {
            Some(script) => packer.prepare_pieces(twin_path.markdown_script(), &[TextPiece::Own(script)]),
            None => packer.prepare_pieces(twin_path.markdown_script(), &pieces),
        });
        files.push(packer.prepare_pieces(twin_path, &pieces[1..4]));
        files.extend(script);
        body
    }
}

/// The making of all pages, from any thread.
struct PagesRun<'r, 'w> {
    writer: &'r PageWriter<'w>,
    packer: Packer,
    timers: Timers,
    /// Pages that are made.
    done: AtomicU64,
    total: u64,
    /// The maker of the style sheet of utilities, started by the first page that may need it.
    utilities: OnceLock<io::Result<Utilities>>,
    progress: &'r (dyn Fn(ExportEvent) + Sync),
    cancel: &'r AtomicBool,
}

impl PagesRun<'_, '_> {
    fn make(&self, job: &PageJob<'_>) -> Result<PageSlot, ExportError> {
        if self.cancel.load(Ordering::Relaxed) {
            return Err(ExportError::Canceled);
        }
        let slot = self.writer.pack(job.0, job.1, self.packer, &self.timers);
        if let PageSlot::Packed(packed) = &slot {
            if !packed.page.content.classes.is_empty() {
                self.utilities.get_or_init(Utilities::start);
            }
            let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
            (self.progress)(ExportEvent::Pages { done: done.min(self.total), total: self.total });
        }
        Ok(slot)
    }

    /// The pages of a batch, those made again that had to wait for something from elsewhere.
    fn complete(&self, batch: HeldBatch<'_>) -> Result<Vec<PackedPage>, ExportError> {
        let HeldBatch { jobs, mut slots } = batch;
        loop {
            let waiting: Vec<usize> = (0..slots.len()).filter(|at| matches!(slots[*at], PageSlot::Waits(_))).collect();
            if waiting.is_empty() {
                break;
            }
            for at in &waiting {
                if let (PageSlot::Waits(pending), Some(remote)) = (&slots[*at], self.writer.source.resolver.remote) {
                    remote.wait(pending, self.cancel)?;
                }
            }
            // each round settles what the one before requested: a page has a bounded number of addresses
            let again: Vec<PageSlot> = waiting.par_iter().map(|at| self.make(&jobs[*at])).collect::<Result<_, _>>()?;
            for (at, slot) in waiting.into_iter().zip(again) {
                slots[at] = slot;
            }
        }
        let pages = slots.into_iter().filter_map(|slot| match slot {
            PageSlot::Packed(page) => Some(*page),
            PageSlot::Waits(_) => None,
        });
        Ok(pages.collect())
    }
}

/// Takes finished pages in order.
struct Appender<'r, 'w, 's> {
    run: &'r PagesRun<'r, 'w>,
    sinks: Sinks<'s>,
    /// Files that pages share and that are written.
    shared: FxHashSet<BundlePath>,
    written: PagesWritten,
}

impl Appender<'_, '_, '_> {
    /// Writes a batch.
    fn append(&mut self, batch: &[PageJob<'_>], finished: Vec<PackedPage>) -> Result<(), ExportError> {
        let PagesRun { packer, timers, .. } = self.run;
        let mut prepared = Vec::with_capacity(finished.len());
        let mut records = Vec::new();
        for (job, packed) in batch.iter().zip(finished) {
            prepared.extend(self.take(job, packed, &mut records)?);
        }
        let started = Instant::now();
        let (search, found) = (&mut self.sinks.search, &mut self.written.diagnostics);
        let search_files = isolate(SEARCH, "some pages are not found", found, |_| search.add(records));
        let search_files = search_files.unwrap_or_default();
        prepared.extend(search_files.into_par_iter().map(|file| packer.prepare(file)).collect::<Vec<_>>());
        add_elapsed(&timers.merge, started);
        self.sinks.bundle.append(prepared)?;
        Ok(())
    }

    /// Notes what came of a page; returns its files, with those that no page before it had.
    fn take(
        &mut self,
        (page, path): &PageJob<'_>,
        packed: PackedPage,
        records: &mut Vec<(u32, SearchRecord)>,
    ) -> Result<Vec<PreparedEntry>, ExportError> {
        let PackedPage { page: output, mut files, body } = packed;
        let source = &self.run.writer.source;
        for diagnostic in &output.content.diagnostics {
            (self.run.progress)(ExportEvent::Diagnostic(diagnostic.clone()));
        }
        self.written.diagnostics.extend(output.content.diagnostics);
        if !output.content.classes.is_empty() {
            self.written.classes.insert(output.content.classes);
        }
        if let Some(playground) = &output.content.playground {
            self.written.has_console = true;
            self.written.console_servers.extend(playground.origins());
        }
        self.written.bytes_in += output.bytes_in;
        self.written.words += output.words;
        records.extend(output.record);
        self.written.feeds.extend(output.side.feed);
        let is_part = !output.side.markdown.is_empty()
            && source.site.page(*page).visibility.llms
            && source.resolver.path(*page) == Some(*path);
        if let Some(full) = self.sinks.full.as_deref_mut().filter(|_| is_part) {
            full.push(output.side.markdown.lead(&source.page_url(*page)), &body)?;
        }
        self.written.has_islands |= output.has_islands;
        // pages share scripts and style sheets: their names carry their digests
        let unwritten = output.shared_files.into_iter().filter(|file| self.shared.insert(file.path.clone()));
        files.extend(
            unwritten.map(|file| self.run.packer.prepare(super::own_file(file.path.clone(), file.bytes.clone()))),
        );
        Ok(files)
    }
}

impl Timers {
    /// Microseconds, by part.
    fn busy_us(&self) -> Vec<(&'static str, u64)> {
        let parts = [
            ("render", &self.read_and_render),
            ("frame", &self.theme),
            ("prove", &self.prove),
            ("compress", &self.compress),
            ("markdown", &self.side),
            ("index", &self.index),
            ("census", &self.census),
            ("merge", &self.merge),
            ("social", &self.social),
        ];
        parts.map(|(name, timer)| (name, timer.load(Ordering::Relaxed) / 1000)).to_vec()
    }
}
