//! Questions to the bundle's own index, for programs: the same index that pages load, asked by the server.

use serde::Serialize;

use crate::search::{self, Reader};

use super::{Site, shelf};

/// Longest question, bytes; most results of one.
const QUESTION_BYTES: usize = 1_000;
const MOST_RESULTS: usize = 50;
/// Most editions (languages, versions) of a bundle that are asked.
const EDITIONS: u32 = 64;

/// A page that answers a question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Found {
    /// Its title.
    pub title: String,
    /// Its path from the root of the site, with the anchor of the section that answers best.
    pub url: String,
    /// Where it stands in the navigation.
    pub place: String,
    /// The heading of that section; empty for the page's start.
    pub heading: String,
    /// Some of its text.
    pub snippet: String,
    /// Higher is better.
    pub score: f64,
}

impl Site {
    /// Whether the bundle brings an index.
    pub fn has_search(&self) -> bool {
        self.archive.find(&search::start(0)).is_some()
    }

    /// The best pages for a question, best first, over all editions of the bundle. Reads and inflates parts of the index: not for a thread that serves.
    pub fn search(&self, question: &str, limit: usize) -> Vec<Found> {
        let mut end = question.len().min(QUESTION_BYTES);
        while !question.is_char_boundary(end) {
            end -= 1;
        }
        let load = |path: &str| String::from_utf8(self.archive.read(self.archive.find(path)?).ok()?).ok();
        let limit = limit.clamp(1, MOST_RESULTS);
        let mut found = Vec::new();
        for edition in 0..EDITIONS {
            let Some(reader) = Reader::open(edition, &load) else { break };
            found.extend(reader.query(&question[..end], limit).into_iter().map(Found::from));
        }
        found.sort_by(|a, b| b.score.total_cmp(&a.score));
        found.truncate(limit);
        found
    }

    /// A page as Markdown, by its path or address with or without extension. `None` if there is no such page.
    pub fn markdown(&self, page: &str) -> Option<String> {
        let path = page.split(['?', '#']).next().unwrap_or_default();
        let path = format!("/{}", path.trim_start_matches('/'));
        let mut found = self.routes.find(&path, None)?;
        // one step: to where a page has moved, or to the form of the address that is used
        if let super::routes::Target::Elsewhere { to, .. } = &found {
            found = self.routes.find(to.split(['?', '#']).next().unwrap_or_default(), None)?;
        }
        let super::routes::Target::File(index) = found else { return None };
        let name = self.archive.entries().get(index)?.name();
        let index = if name.ends_with(".md") { index } else { shelf::twin(&self.archive, name)? };
        String::from_utf8(self.archive.read(self.archive.entries().get(index)?).ok()?).ok()
    }
}

impl From<search::Hit> for Found {
    fn from(hit: search::Hit) -> Self {
        let url = format!("/{}", hit.url);
        let snippet = hit.snippet.into_iter().map(|(text, _)| text).collect();
        Self { title: hit.title, url, place: hit.place, heading: hit.heading, snippet, score: hit.score }
    }
}
