//! Queries of the bundle's own index, for programs: the same index that pages load, read by the server.

use serde::Serialize;

use base::cut::SliceText as _;
use search::{IndexReader, SearchScope};

use super::{HostedSite, response_headers};

/// Longest question, bytes; most results of one.
const QUESTION_BYTES: usize = 1_000;
const MAX_RESULTS: usize = 50;
/// Most indexes (languages) of a bundle that are queried.
const MAX_INDEXES: u32 = 64;
/// What names all versions at once.
pub const ALL_VERSIONS: &str = "all";

/// A page that answers a question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SearchHit {
    /// Its title.
    pub title: String,
    /// Its path from the root of the site, with the anchor of the section that answers best.
    pub url: String,
    /// Where it stands in the navigation.
    pub place: String,
    /// The version that it stands in; empty for pages of all or of several.
    pub version: String,
    /// The heading of that section; empty for the page's start.
    pub heading: String,
    /// Some of its text.
    pub snippet: String,
    /// Higher is better.
    pub score: f64,
}

impl HostedSite {
    /// Whether the bundle brings an index.
    pub fn has_search(&self) -> bool {
        self.archive.find(&search::index_start_path(0)).is_some()
    }

    /// The versions of its pages, in the order of the navigation; none where there is nothing to choose from.
    pub fn search_versions(&self) -> Vec<String> {
        let load = |path: &str| self.script(path);
        let mut out: Vec<String> = Vec::new();
        for reader in (0..MAX_INDEXES).map_while(|number| IndexReader::open(number, &load)) {
            out.extend(
                reader.areas().versions.iter().filter(|version| !out.contains(version)).cloned().collect::<Vec<_>>(),
            );
        }
        out
    }

    /// The best pages for a question, best first, over all languages of the bundle. Without a version, pages of other
    /// versions than the default ones are found only if no other page is. `None` if there is no such version. Reads and
    /// inflates parts of the index: not for a thread that serves.
    pub fn search(&self, question: &str, limit: usize, version: Option<&str>) -> Option<Vec<SearchHit>> {
        let mut end = question.len().min(QUESTION_BYTES);
        while !question.is_char_boundary(end) {
            end -= 1;
        }
        let load = |path: &str| self.script(path);
        let limit = limit.clamp(1, MAX_RESULTS);
        let readers: Vec<IndexReader<'_>> =
            (0..MAX_INDEXES).map_while(|number| IndexReader::open(number, &load)).collect();
        // languages without versions are queried for every version
        let number = |reader: &IndexReader<'_>| match version {
            Some(ALL_VERSIONS) => None,
            Some(name) => {
                reader.areas().versions.iter().zip(0..).find(|(known, _)| *known == name).map(|(_, number)| number)
            }
            None => (!reader.areas().versions.is_empty()).then(|| reader.areas().default_version),
        };
        if version.is_some_and(|name| name != ALL_VERSIONS) && !readers.iter().any(|reader| number(reader).is_some()) {
            return None;
        }
        let ask = |scope: &dyn Fn(&IndexReader<'_>) -> Option<u32>| {
            let hits = readers.iter().flat_map(|reader| {
                reader.query_within(question.slice(..end), limit, SearchScope { version: scope(reader), section: None })
            });
            hits.map(SearchHit::from).collect::<Vec<_>>()
        };
        let mut found = ask(&number);
        if found.is_empty() && version.is_none() {
            found = ask(&|_| None);
        }
        found.sort_by(|a, b| b.score.total_cmp(&a.score));
        found.truncate(limit);
        Some(found)
    }

    /// A script of the bundle.
    fn script(&self, path: &str) -> Option<String> {
        String::from_utf8(self.archive.read(self.archive.find(path)?).ok()?).ok()
    }

    /// A page as Markdown, by its path or address with or without extension. `None` if there is no such page.
    pub fn markdown(&self, page: &str) -> Option<String> {
        let path = page.split(['?', '#']).next().unwrap_or_default();
        let path = format!("/{}", path.trim_start_matches('/'));
        let mut found = self.routes.find(&path, None)?;
        // one step: to where a page has moved, or to the form of the address that is used
        if let super::routes::RouteTarget::Elsewhere { to, .. } = &found {
            found = self.routes.find(to.split(['?', '#']).next().unwrap_or_default(), None)?;
        }
        let super::routes::RouteTarget::File(index) = found else { return None };
        let name = self.archive.entries().get(index)?.name();
        let index = if name.ends_with(".md") { index } else { response_headers::markdown_page(&self.archive, name)? };
        String::from_utf8(self.archive.read(self.archive.entries().get(index)?).ok()?).ok()
    }
}

impl From<search::Hit> for SearchHit {
    fn from(hit: search::Hit) -> Self {
        let url = format!("/{}", hit.url);
        let snippet = hit.snippet.into_iter().map(|(text, _)| text).collect();
        Self {
            title: hit.title,
            url,
            place: hit.place,
            version: hit.version,
            heading: hit.heading,
            snippet,
            score: hit.score,
        }
    }
}
