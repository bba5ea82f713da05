//! One page: its content, its frame, what lies beside it. A page that fails, even by a panic, is replaced by
//! a page that says so.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use rustc_hash::FxHashMap;

use base::isolate::{catch_panic, isolate};
use base::url::{self, relative_url};
use base::{BundlePath, Diagnostic, PageId, Place};
use check::census::WordCounts;
use frame::asset::remote;
use frame::link::{Anchors, PageLinks, add_second_ids, is_repaired, repaired_anchor, rewrite_hrefs};
use frame::theme::{self, PageView, SiteTheme, ThemeFile};
use render::Kit;
use search::{SearchRecord, WordsSaid};
use side::picture::{PREVIEW_SIZE, SocialPreview, SocialPreviews};
use side::{PageFiles, SiteContext};
use templates::words;

use super::census::{CountedPages, PageCensus};
use super::content::{PageContent, page_content};
use super::dates::Dates;
use super::islands::{Islands, islands_of_page};
use super::search::Records;
use super::snippets::Snippets;

/// What pages are made with.
pub(super) struct PageWriter<'a> {
    pub(super) source: SiteContext<'a>,
    pub(super) kit: &'a Kit,
    pub(super) snippets: &'a Snippets<'a>,
    pub(super) theme: &'a SiteTheme<'a>,
    pub(super) dates: &'a Dates,
    /// The files beside pages are made too: Markdown, feeds.
    pub(super) has_side_files: bool,
    /// What draws pictures of pages, if an option enables them.
    pub(super) social: Option<&'a SocialPreviews<'a>>,
    /// Which pages the census counts, if it does.
    pub(super) readers: Option<CountedPages>,
    /// What makes the records of search, if there is any.
    pub(super) records: Option<Records<'a>>,
}

/// A page and where it is written.
pub(super) type PageJob<'a> = (PageId, &'a BundlePath);

/// What the parts of making pages took, nanoseconds of all threads.
#[derive(Default)]
pub(super) struct Timers {
    pub(super) side: AtomicU64,
    pub(super) read_and_render: AtomicU64,
    pub(super) theme: AtomicU64,
    pub(super) prove: AtomicU64,
    pub(super) compress: AtomicU64,
    pub(super) index: AtomicU64,
    pub(super) census: AtomicU64,
    pub(super) merge: AtomicU64,
    pub(super) social: AtomicU64,
}

/// A page that is made.
#[derive(Default)]
pub(super) struct MadePage {
    /// All of it.
    pub(super) html: String,
    /// Its content: anchors, classes, problems. The HTML of it is taken out.
    pub(super) content: render::RenderedPage,
    /// It has components that live on in the browser.
    pub(super) has_islands: bool,
    /// Files that it shares with other pages.
    pub(super) shared_files: Vec<Arc<ThemeFile>>,
    /// What lies beside it.
    pub(super) side: PageFiles,
    /// The pages whose anchors it links to.
    pub(super) linked_pages: Vec<PageId>,
    /// What search keeps of it, with its edition.
    pub(super) record: Option<(u32, SearchRecord)>,
    /// The picture that networks show of it.
    pub(super) preview: Option<SocialPreview>,
    /// Words of its source.
    pub(super) words: WordCounts,
    /// Bytes of its source.
    pub(super) bytes_in: u64,
}

impl PageWriter<'_> {
    /// Makes one page; `path` is its file in the bundle.
    ///
    /// Errors are the addresses that it has to wait for.
    pub(super) fn page(
        &self,
        page: PageId,
        path: &BundlePath,
        timers: &Timers,
    ) -> Result<MadePage, Vec<Arc<remote::AddressSlot>>> {
        let SiteContext { site, resolver, .. } = self.source;
        let started = Instant::now();
        let links = PageLinks::new(resolver, page, path);
        let words = words::for_language(self.theme.language(page));
        let content =
            catch_panic(|| page_content(site, page, self.kit, &links, self.snippets, self.source.references, words));
        let mut outside = links.take_requests();
        let pending = outside.take_pending();
        if !pending.is_empty() {
            add_elapsed(&timers.read_and_render, started);
            return Err(pending);
        }
        // what a failed page requested is no part of the bundle
        if let (Some(Ok(_)), Some(remote)) = (&content, resolver.remote) {
            remote.commit(outside);
        }
        let framed = match content {
            Some(Ok(mut content)) => {
                let (file, mut found) = (self.file_of(page), Vec::new());
                let islands = isolate(file, "its components are not interactive", &mut found, |_| {
                    islands_of_page(&content.alive, &content.page, &links, self.snippets, path)
                });
                content.page.diagnostics.append(&mut found);
                let islands = islands.flatten();
                if let Some(islands) = &islands {
                    content.page.add_classes(islands.classes());
                }
                let (own, linked_pages) = links.into_fragments();
                self.judge_own_fragments(&mut content, page, path, own);
                add_elapsed(&timers.read_and_render, started);
                self.framed((page, path), content, islands.unwrap_or_default(), linked_pages, timers)
            }
            Some(Err(error)) => Err(error),
            None => Err("an internal error stopped the rendering of this page".to_owned()),
        };
        Ok(framed.unwrap_or_else(|failure| self.failed(page, path, failure)))
    }

    /// Puts the frame around a content, and makes what lies beside the page.
    ///
    /// Errors say why there is no page.
    fn framed(
        &self,
        (page, path): PageJob<'_>,
        mut content: PageContent,
        islands: Islands,
        linked_pages: Vec<PageId>,
        timers: &Timers,
    ) -> Result<MadePage, String> {
        let started = Instant::now();
        let mut side = self.side_files(page, path, &content);
        add_elapsed(&timers.side, started);
        let started = Instant::now();
        self.theme.settle_console(page, &mut content.page);
        let feed = side.feed.as_ref().map(|feed| relative_url(path.as_str(), feed.path.as_str()));
        let (file, found) = (self.file_of(page), &mut content.page.diagnostics);
        let preview = isolate(file, "it has no picture for social networks", found, |_| self.social?.of_page(page));
        let preview = preview.flatten();
        let spec = self.has_side_files.then(|| self.source.spec_url(page)).flatten();
        let html = catch_panic(|| {
            self.theme.page(&PageView {
                id: page,
                path: path.as_str(),
                page: self.source.site.page(page),
                content: &content.page,
                title_html: &content.title_html,
                description_html: content.description_html.as_deref(),
                last_modified: self.dates.of(self.source.site, page),
                related: &content.related,
                islands: &islands.data,
                scripts: &islands.scripts,
                spec: spec.as_deref(),
                feed: feed.as_deref(),
                social: preview
                    .as_ref()
                    .map(|preview| theme::SocialPicture { path: preview.path.as_str(), size: PREVIEW_SIZE }),
            })
        });
        add_elapsed(&timers.theme, started);
        let started = Instant::now();
        // the start page may be one that has a file of its own
        let readers = self.readers.as_ref().filter(|_| self.source.resolver.path(page) == Some(path));
        let mut count = readers.and_then(|readers| PageCensus::begin(self.source.site, readers, page, &content.source));
        add_elapsed(&timers.census, started);
        let started = Instant::now();
        let record = self.record(page, path, &content.page, &mut side.diagnostics, &mut |said| {
            if let Some(count) = &mut count {
                count.with_words(said);
            }
        });
        add_elapsed(&timers.index, started);
        let framed = html.ok_or_else(|| "the layout of the page cannot be rendered".to_owned())?;
        let started = Instant::now();
        let census = count.map(|count| count.finish(&content.page, &islands.data, &framed.html)).unwrap_or_default();
        content.page.diagnostics.extend(census.problems);
        add_elapsed(&timers.census, started);
        content.page.diagnostics.append(&mut side.diagnostics);
        // they are in the page
        (content.page.html, content.page.aside) = (String::new(), String::new());
        Ok(MadePage {
            html: framed.html,
            content: content.page,
            has_islands: !islands.files.is_empty(),
            shared_files: islands.files.into_iter().chain(framed.style).collect(),
            side,
            linked_pages,
            record,
            preview,
            words: census.words,
            bytes_in: content.source.len() as u64,
        })
    }

    /// The files beside a page. They must not take the page with them.
    fn side_files(&self, page: PageId, path: &BundlePath, content: &PageContent) -> PageFiles {
        if !self.has_side_files {
            return PageFiles::default();
        }
        let words = words::for_language(self.theme.language(page));
        let mut failed = Vec::new();
        let files = isolate(self.file_of(page), "it is neither in llms-full.txt nor in a feed", &mut failed, |_| {
            self.source.of_page(page, path, &content.nodes, &content.page.ids, words)
        });
        files.unwrap_or_else(|| PageFiles { diagnostics: failed, ..PageFiles::default() })
    }

    /// The page that takes the place of one that cannot be made.
    pub(super) fn failed(&self, page: PageId, path: &BundlePath, failure: String) -> MadePage {
        let diagnostic = Diagnostic::new("page-failed", failure)
            .at(self.file_of(page), 0, 0)
            .hint("the page is replaced by a notice; all other pages are complete");
        let html = self.theme.failed_page(page, path.as_str(), &diagnostic.message);
        let content = render::RenderedPage { diagnostics: vec![diagnostic], ..render::RenderedPage::default() };
        MadePage { html, content, ..MadePage::default() }
    }

    /// The file of a page, for diagnostics.
    fn file_of(&self, page: PageId) -> &str {
        let entry = self.source.site.page(page);
        entry.file.map_or(entry.slug.as_str(), |file| self.source.site.tree.path(file))
    }

    /// What search keeps of a page: of its own file, not of the start page that stands for it.
    /// `census` may count its words.
    fn record(
        &self,
        page: PageId,
        path: &BundlePath,
        content: &render::RenderedPage,
        diagnostics: &mut Vec<Diagnostic>,
        census: &mut dyn FnMut(&mut WordsSaid<'_>),
    ) -> Option<(u32, SearchRecord)> {
        let records = self.records.as_ref()?;
        let spot = self.theme.search_spot(page).filter(|_| self.source.resolver.path(page) == Some(path))?;
        let make = |_: &mut Vec<Diagnostic>| records.of(spot, page, path.as_str(), content, census);
        let record = isolate(self.file_of(page), "search does not find it", diagnostics, make);
        Some((spot.index, record.flatten()?))
    }

    /// Links of a page to its own anchors can be judged now: those to missing ones go to its start.
    fn judge_own_fragments(
        &self,
        content: &mut PageContent,
        page: PageId,
        path: &BundlePath,
        fragments: Vec<(String, Place)>,
    ) {
        let PageContent { page: content, description_html, .. } = content;
        let mut second_names = self.source.resolver.second_names(page).cloned().unwrap_or_default();
        if fragments.is_empty() && second_names.is_empty() {
            return;
        }
        let entry = self.source.site.page(page);
        let anchors =
            Anchors::new(self.source.site.kind, Cow::Borrowed(&content.ids), &content.headings, content.is_open);
        let mut targets: FxHashMap<String, String> = FxHashMap::default();
        for (fragment, place) in fragments {
            let anchor = anchors.find(&fragment);
            if anchor.as_deref() == Some(fragment.as_str()) {
                continue;
            }
            if let Some(heading) = anchors.heading_by_second_name(&fragment) {
                second_names.insert(fragment.clone(), heading.to_owned());
            } else {
                let instead = match &anchor {
                    Some(anchor) => format!("#{}", url::encode_fragment(anchor)),
                    None => relative_url(path.as_str(), path.as_str()),
                };
                targets.insert(format!("#{}", url::encode_fragment(&fragment)), instead);
            }
            let file = if place.line == 0 { entry.file } else { Some(place.file) };
            let file = file.map_or(entry.slug.as_str(), |file| self.source.site.tree.path(file));
            if let Some(anchor) = anchor.as_deref().filter(|anchor| is_repaired(self.source.site, &fragment, anchor)) {
                let repaired = repaired_anchor(&format!("`#{fragment}`"), anchor);
                content.diagnostics.push(repaired.at(file, place.line, place.column));
            }
            if anchor.is_none() {
                let message = format!("`#{fragment}`: this page does not have this anchor");
                let hint = "correct the anchor; the link leads to the top of the page";
                content
                    .diagnostics
                    .push(Diagnostic::new("broken-anchor", message).at(file, place.line, place.column).hint(hint));
            }
        }
        if !second_names.is_empty() {
            content.html = add_second_ids(&content.html, &second_names);
        }
        if !targets.is_empty() {
            content.html = rewrite_hrefs(&content.html, &targets);
            content.aside = rewrite_hrefs(&content.aside, &targets);
            if let Some(html) = description_html {
                *html = rewrite_hrefs(html, &targets);
            }
        }
    }
}

/// Adds the time since `started`.
pub(super) fn add_elapsed(timer: &AtomicU64, started: Instant) {
    timer.fetch_add(started.elapsed().as_nanos() as u64, Ordering::Relaxed);
}
