//! The census of a page: what it is counted by, and when a quick count is enough.

use std::collections::hash_map::Entry;

use memchr::memmem;
use rustc_hash::FxHashMap;

use base::isolate::catch_panic;
use base::{FileId, PageId};
use check::census::{Census, CountedFile, Made, PageSyntax, QuickCount, Source, count_page, quick_count};
use search::WordsSaid;

use load::Site;
use site::ConfigKind;
use site::page::Dialect;

/// A page whose words are counted.
pub(super) struct PageCensus<'a> {
    written: CountedFile<'a>,
    source: Source,
    title: &'a str,
    /// What the words of search said of it.
    quick: Option<QuickCount>,
}

/// The pages that say what their files say. Lists that tools make of a folder have the file of its first page.
pub(super) struct CountedPages(FxHashMap<FileId, PageId>);

impl CountedPages {
    /// For each file the page that has its name, or the first one.
    pub(super) fn of(site: &Site) -> Self {
        let mut readers: FxHashMap<FileId, PageId> = FxHashMap::default();
        for (page, entry) in (0..).map(PageId).zip(&site.pages) {
            let Some(file) = entry.file else { continue };
            let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_lowercase();
            let has_name = || name(site.tree.path(file)).starts_with(&name(&entry.slug));
            match readers.entry(file) {
                Entry::Vacant(free) => drop(free.insert(page)),
                Entry::Occupied(mut taken) if has_name() => drop(taken.insert(page)),
                Entry::Occupied(_) => {}
            }
        }
        Self(readers)
    }
}

/// Bytes by which the place of a part is found.
const BEGINNING: usize = 64;
/// Most places that are looked at: where a part begins like many others, it is taken for missing.
const MAX_CENSUS_PLACES: usize = 64;

/// Whether a page holds a part as it is. A search for all of a long part would first read through it, at a third of
/// the cost of a census.
fn holds(page: &str, part: &str) -> bool {
    let (page, part) = (page.as_bytes(), part.as_bytes());
    let (beginning, rest) = part.split_at(part.len().min(BEGINNING));
    let mut places = memmem::find_iter(page, beginning).take(MAX_CENSUS_PLACES);
    part.is_empty() || places.any(|at| page.get(at + beginning.len()..).is_some_and(|after| after.starts_with(rest)))
}

impl<'a> PageCensus<'a> {
    /// Begins with the text of a page; `None` if it has no file of its own, or one that cannot be read.
    pub(super) fn begin(site: &'a Site, readers: &CountedPages, page: PageId, file: &'a str) -> Option<Self> {
        let entry = site.page(page);
        let path = site.tree.path(entry.file.filter(|file| readers.0.get(file) == Some(&page))?);
        let is_read_as = |name: &str| site.tool.as_ref().is_some_and(|located| located.tool.name() == name);
        let is_native = site.project.is_none() && site.kind != ConfigKind::Plain;
        let syntax = PageSyntax {
            is_mdx: entry.dialect == Dialect::Mdx,
            hides_rust: is_read_as("mdbook"),
            is_mintlify: is_native,
            fills_code: is_native || is_read_as("mdbook"),
            is_vault: is_read_as("obsidian"),
        };
        let marked = site.project.as_ref().and_then(|project| project.without_marks(file));
        let source = catch_panic(|| Source::read(marked.as_deref().unwrap_or(file), syntax))?;
        let title = if entry.title_in_body { entry.shown_title() } else { "" };
        let written = CountedFile { path, file, syntax };
        Some(Self { written, source, title, quick: None })
    }

    /// Counts with the words that search has found on the page.
    pub(super) fn with_words(&mut self, said: &mut WordsSaid<'_>) {
        self.quick = Some(quick_count(&self.source, self.title, said));
    }

    fn made<'h>(&self, html: [&'h str; 2], later: &'h str) -> Made<'h>
    where
        'a: 'h,
    {
        Made { html, title: self.title, later }
    }

    /// The result, for a page that is framed. What it holds of its content as it was made has been counted; else all of
    /// it is. `later` is what its interactive components are made from.
    pub(super) fn finish(self, content: &render::RenderedPage, later: &str, framed: &str) -> Census {
        let is_whole = holds(framed, &content.html) && holds(framed, &content.aside);
        let quick = self.quick.filter(|_| is_whole);
        let html = if is_whole { [content.html.as_str(), &content.aside] } else { [framed, ""] };
        let count = || count_page(&self.written, &self.source, &self.made(html, later), &content.diagnostics, quick);
        catch_panic(count).unwrap_or_default()
    }
}
