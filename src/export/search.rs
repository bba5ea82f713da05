//! Search within an export: which pages are found, and their way from rendered content into the index of their
//! language.

use base::{Description, PageId, url};
use bundle::{BundleEntry, EntryOrigin};
use frame::theme::{SearchSpot, SiteTheme};
use search::{IndexFile, Recorder, SearchIndex, SearchPage, SearchRecord, WordsSaid};

use load::Site;
use nav::Navigation;

/// What diagnostics call the search index.
pub(super) const SEARCH: &str = "_offprint/search";

/// By page: whether search finds it. Pages that are not exported are not found.
pub(super) fn searchable(site: &Site, chosen: &[PageId]) -> Vec<bool> {
    let mut out = vec![false; site.pages.len()];
    for page in chosen {
        if let Some(found) = out.get_mut(page.0 as usize) {
            *found = site.page(*page).visibility.search;
        }
    }
    out
}

/// The indexes of a site that is being exported, by number.
pub(super) struct ExportSearch {
    indexes: Vec<SearchIndex>,
}

impl ExportSearch {
    /// The indexes that the theme needs.
    pub(super) fn new(site: &Site, theme: &SiteTheme<'_>) -> Self {
        let mut pages = vec![0_usize; theme.search_indexes().len()];
        for page in (0..site.pages.len() as u32).map(PageId) {
            if let Some(count) = theme.search_spot(page).and_then(|spot| pages.get_mut(spot.index as usize)) {
                *count += 1;
            }
        }
        let areas = theme.search_indexes().iter().cloned();
        Self {
            indexes: (0..)
                .zip(pages)
                .zip(areas)
                .map(|((number, pages), areas)| SearchIndex::new(number, pages).with_areas(areas))
                .collect(),
        }
    }

    /// Whether anything is to be found.
    pub(super) fn any(&self) -> bool {
        !self.indexes.is_empty()
    }

    /// What makes the records of these indexes.
    pub(super) fn records<'a>(&self, site: &'a Site, navigation: &'a Navigation) -> Records<'a> {
        Records { site, navigation, recorders: self.indexes.iter().map(SearchIndex::recorder).collect() }
    }

    /// Takes the records of a batch, in page order; returns the files that are complete.
    pub(super) fn add(&mut self, records: Vec<(u32, SearchRecord)>) -> Vec<BundleEntry> {
        let mut by_index: Vec<Vec<SearchRecord>> = self.indexes.iter().map(|_| Vec::new()).collect();
        for (index, record) in records {
            if let Some(records) = by_index.get_mut(index as usize) {
                records.push(record);
            }
        }
        self.indexes
            .iter_mut()
            .zip(by_index)
            .filter(|(_, records)| !records.is_empty())
            .flat_map(|(index, records)| index.add(records))
            .map(search_file_entry)
            .collect()
    }

    /// The files that are left.
    pub(super) fn finish(self) -> Vec<BundleEntry> {
        self.indexes.into_iter().flat_map(SearchIndex::finish).map(search_file_entry).collect()
    }
}

/// Makes what the indexes keep of pages. Shared by all threads.
pub(super) struct Records<'a> {
    site: &'a Site,
    navigation: &'a Navigation,
    /// By index.
    recorders: Vec<Recorder>,
}

impl Records<'_> {
    /// The record of a rendered page. `census` may count its words.
    pub(super) fn of(
        &self,
        spot: SearchSpot,
        id: PageId,
        path: &str,
        content: &render::RenderedPage,
        census: &mut dyn FnMut(&mut WordsSaid<'_>),
    ) -> Option<SearchRecord> {
        let recorder = self.recorders.get(spot.index as usize)?;
        let page = self.site.page(id);
        let names = self.navigation.breadcrumbs(id, &page.meta.title);
        let place: Vec<&str> = names.iter().map(|node| self.navigation.node(*node).label.as_str()).collect();
        let endpoint =
            page.endpoint.as_ref().map(|endpoint| format!("{} {}", endpoint.method, endpoint.path)).unwrap_or_default();
        let around = self
            .navigation
            .place_of(id)
            .map(|place| self.navigation.ancestors(place).into_iter().chain([place]).collect::<Vec<_>>());
        let inherited = around.iter().flatten().rev().find_map(|node| self.navigation.node(*node).boost);
        let page = SearchPage {
            url: &url::encode_path(path),
            title: &page.meta.title,
            sidebar_title: page.meta.sidebar_title.as_deref().unwrap_or_default(),
            site_name: &self.site.config.name,
            place: &place,
            description: page.meta.description.as_ref().map_or("", Description::words),
            keywords: &page.meta.keywords,
            endpoint: &endpoint,
            boost: page.meta.boost.or(inherited).unwrap_or(1.0),
            area: spot.area,
            html: [&content.html, &content.aside],
        };
        Some(recorder.record(&page, census))
    }
}

fn search_file_entry(file: IndexFile) -> BundleEntry {
    BundleEntry { path: file.path, bytes: file.bytes, origin: EntryOrigin::Exporter }
}
