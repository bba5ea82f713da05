//! Pictures, formulas and diagrams: whether a page has those of its source.

use std::collections::BTreeMap;

use memchr::memmem;
use percent_encoding::percent_decode_str;

use site::tree::composed;

use super::lost::only_letters;
use super::page::ReadPage;
use super::source::{Medium, ShownMedium, Source};

/// Marks of what is drawn from a text.
const FORMULA: &str = "data-component=\"Math\"";
const DIAGRAM: &str = "data-component=\"Mermaid\"";

/// What of a source a page lacks, as far as names and counts tell.
pub(super) fn missing_media<'s>(source: &'s Source, file: &str, html: &[&str]) -> Vec<&'s ShownMedium> {
    let mut out = missing_pictures(source, file, html);
    for (medium, mark) in [(Medium::Formula, FORMULA), (Medium::Diagram, DIAGRAM)] {
        let shown = || source.shown.iter().filter(|shown| shown.medium == medium);
        let written = shown().count();
        if written > 0 && occurrences(html, mark) < written {
            out.extend(shown());
        }
    }
    out
}

fn occurrences(html: &[&str], pattern: &str) -> usize {
    let finder = memmem::Finder::new(pattern);
    html.iter().map(|html| finder.find_iter(html.as_bytes()).count()).sum()
}

/// Pictures whose name the page has less often than the source.
fn missing_pictures<'s>(source: &'s Source, file: &str, html: &[&str]) -> Vec<&'s ShownMedium> {
    let mut by_name: BTreeMap<String, Vec<&ShownMedium>> = BTreeMap::new();
    let pictures = source.shown.iter().filter(|shown| shown.medium == Medium::Picture);
    for (name, shown) in pictures.filter_map(|shown| Some((picture_name(file.get(shown.inside.clone())?)?, shown))) {
        by_name.entry(name).or_default().push(shown);
    }
    let mut out: Vec<&ShownMedium> = Vec::new();
    for (name, shown) in by_name {
        let found = occurrences(html, &name);
        out.extend(shown.get(found..).unwrap_or_default());
    }
    out.sort_by_key(|shown| shown.at);
    out
}

/// The part of the name of a picture that the bundle keeps.
fn picture_name(address: &str) -> Option<String> {
    if address.starts_with("data:") || address.contains("://") {
        return None;
    }
    let path = address.split(['?', '#']).next().unwrap_or_default();
    // names of files have one Unicode form
    let name = percent_decode_str(path.rsplit('/').next().unwrap_or_default()).decode_utf8_lossy();
    let name = composed(&name);
    let stem = name.rsplit_once('.').map_or(&*name, |(stem, _)| stem);
    let parts = stem.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-');
    parts.max_by_key(|part| part.len()).filter(|part| part.len() > 2).map(str::to_owned)
}

/// The first of them that the page has in no other way: formulas and diagrams may be shown as they are written.
pub(super) fn lost_medium<'s, 'p>(
    missing: &[&'s ShownMedium],
    file: &str,
    page: impl Fn() -> &'p ReadPage,
) -> Option<&'s ShownMedium> {
    let mut said = None;
    missing.iter().copied().find(|shown| {
        let written = file.get(shown.inside.clone()).unwrap_or_default();
        shown.medium == Medium::Picture
            || !said
                .get_or_insert_with(|| only_letters(&page().text) + &only_letters(&page().aside))
                .contains(&only_letters(written))
    })
}

impl Medium {
    /// In a sentence.
    pub(super) fn what(self) -> &'static str {
        match self {
            Self::Picture => "a picture",
            Self::Formula => "a formula",
            Self::Diagram => "a diagram",
        }
    }
}
