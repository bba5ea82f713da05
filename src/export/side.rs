//! The files beside the pages, in the order of the bundle: what pages brought along, then what is made once. Files that
//! the author wrote win.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use base::isolate::{LEFT_OUT, isolate};
use base::{BundlePath, Diagnostic, FileId};
use bundle::{Bundle, BundleEntry, Long, PieceText, TextPiece};
use frame::asset::Assets;
use frame::link::GeneratedFiles;
use frame::theme::{self, PageReach};
use load::Site;
use side::llms::llms_file;
use side::redirects::make_redirects;
pub(super) use side::{Feed, SiteContext, history, search_engines};

use super::{ExportError, own_file};

/// `llms-full.txt`, page after page: pages are made in its order.
pub(super) struct Full {
    file: Long,
    is_empty: bool,
}

impl Full {
    pub(super) fn new(bundle: &Bundle) -> Result<Self, ExportError> {
        Ok(Self { file: bundle.start_long(BundlePath::sanitize(side::FULL))?, is_empty: true })
    }

    /// Adds a page: what leads to its body, and its body.
    pub(super) fn push(&mut self, mut lead: String, body: &PieceText) -> Result<(), ExportError> {
        if !std::mem::take(&mut self.is_empty) {
            lead.insert_str(0, side::PAGE_GAP);
        }
        self.file.push(TextPiece::Own(&lead))?;
        Ok(self.file.push(TextPiece::Shared(body))?)
    }

    pub(super) fn finish(mut self, bundle: &mut Bundle) -> Result<(), ExportError> {
        if !self.is_empty {
            self.file.push(TextPiece::Own(side::PAGE_GAP))?;
        }
        Ok(bundle.add_long(self.file)?)
    }
}

/// What the files are made from beside the site.
pub(super) struct Inputs {
    pub(super) feeds: Vec<Feed>,
    /// Names and bytes.
    pub(super) icons: Vec<(&'static str, Vec<u8>)>,
    /// A page may send its reader to another host by itself.
    pub(super) may_leave: bool,
    /// What HTML files may load beyond the bundle.
    pub(super) reach: PageReach,
}

/// Writes them all.
pub(super) fn write_side_files(
    source: &SiteContext<'_>,
    inputs: Inputs,
    bundle: &mut Bundle,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<(), ExportError> {
    let mut texts = Vec::new();
    let dated = isolate("rss.xml", "entries of feeds have no dates", diagnostics, |_| dated(source, &inputs.feeds));
    for (feed, dates) in dated.unwrap_or_else(|| inputs.feeds.iter().map(|feed| (feed, Vec::new())).collect()) {
        if source.is_written(feed.path.as_str()) {
            continue;
        }
        let xml = isolate(feed.path.as_str(), LEFT_OUT, diagnostics, |_| feed.xml(&dates));
        texts.extend(xml.map(|xml| (feed.path.to_string(), xml)));
    }
    texts.extend(of_site(source, diagnostics));
    let entries = texts.into_iter().map(|(name, text)| own_file(BundlePath::sanitize(&name), text.into_bytes()));
    let mut files: Vec<BundleEntry> = entries.collect();
    let redirects = isolate("_redirects", "redirects are left out", diagnostics, |found| {
        let redirects = make_redirects(source, inputs.may_leave, &theme::policy_of_files(inputs.reach));
        found.extend(redirects.diagnostics);
        redirects.files
    });
    let redirects = redirects.unwrap_or_default();
    files.extend(redirects.into_iter().map(|(path, text)| own_file(path, text.into_bytes())));
    files.extend(inputs.icons.into_iter().map(|(name, bytes)| own_file(BundlePath::sanitize(name), bytes)));
    bundle.add(files)?;
    Ok(())
}

/// What an export writes beside the pages. `base` is the address of the site, without which there is neither a site map
/// nor a feed.
pub(super) fn generated_files(site: &Site, assets: &Assets<'_>, base: &str) -> GeneratedFiles {
    let is_written = |name: &str| assets.has_own(name);
    let has_lists = !site.config.is_noindex();
    let is_generated = |name: &&str| {
        !is_written(name)
            && match *name {
                "llms.txt" | side::FULL => has_lists,
                // it is the same list
                ".well-known/llms.txt" => has_lists && !is_written("llms.txt"),
                "sitemap.xml" => !base.is_empty(),
                _ => true,
            }
    };
    let names = ["llms.txt", ".well-known/llms.txt", side::FULL, "robots.txt", "sitemap.xml"];
    GeneratedFiles { names: names.into_iter().filter(is_generated).collect(), feeds: !base.is_empty() }
}

/// The text of one feed.
pub(super) fn feed(source: &SiteContext<'_>, feed: &Feed) -> String {
    let feeds = std::slice::from_ref(feed);
    dated(source, feeds).into_iter().map(|(feed, dates)| feed.xml(&dates)).collect()
}

/// What is made of the site without its pages' content: lists for agents and for search engines. Names and texts.
pub(super) fn of_site(source: &SiteContext<'_>, diagnostics: &mut Vec<Diagnostic>) -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = Vec::new();
    let mut add = |name: &str, text: String| files.push((name.to_owned(), text));
    let is_generated = |name: &str| source.resolver.generated.names.contains(&name);
    let wants_list = is_generated("llms.txt");
    let list = wants_list.then(|| isolate("llms.txt", LEFT_OUT, diagnostics, |_| llms_file(source)));
    if let Some(list) = list.flatten() {
        if is_generated(".well-known/llms.txt") {
            add(".well-known/llms.txt", list.clone());
        }
        add("llms.txt", list);
    }
    let wants_map = is_generated("sitemap.xml");
    let map = wants_map.then(|| isolate("sitemap.xml", LEFT_OUT, diagnostics, |_| search_engines::sitemap(source)));
    let map = map.flatten().unwrap_or_default();
    if is_generated("robots.txt") {
        let has_map = !map.is_empty() || source.is_written("sitemap.xml");
        let robots = isolate("robots.txt", LEFT_OUT, diagnostics, |_| search_engines::robots(source, has_map));
        robots.into_iter().for_each(|text| add("robots.txt", text));
    }
    map.into_iter().for_each(|(name, text)| add(&name, text));
    files
}

/// The dates of all entries: by the history of their lines, else by their labels.
fn dated<'f>(source: &SiteContext<'_>, feeds: &'f [Feed]) -> Vec<(&'f Feed, Vec<Option<i64>>)> {
    let mut lines: BTreeMap<FileId, Vec<u32>> = BTreeMap::new();
    for item in feeds.iter().flat_map(|feed| &feed.items) {
        let (file, line) = item.written;
        let lines = lines.entry(file).or_default();
        if line > 0 && !lines.contains(&line) {
            lines.push(line);
        }
    }
    let queries: Vec<(String, Vec<u32>)> =
        lines.iter().map(|(file, lines)| (source.site.tree.path(*file).to_owned(), lines.clone())).collect();
    let known =
        source.site.tree.folder().map_or_else(|| history::unknown(&queries), |folder| history::dates(folder, &queries));
    let known: FxHashMap<(FileId, u32), i64> = lines
        .iter()
        .zip(known)
        .flat_map(|((file, lines), dates)| {
            lines.iter().zip(dates).filter_map(|(line, date)| Some(((*file, *line), date?))).collect::<Vec<_>>()
        })
        .collect();
    let date = |item: &side::feed::FeedItem| {
        known.get(&item.written).copied().or_else(|| item.label.lines().find_map(history::date_in))
    };
    feeds.iter().map(|feed| (feed, feed.items.iter().map(date).collect())).collect()
}
