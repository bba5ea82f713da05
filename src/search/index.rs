//! The index of one language, page after page: postings stay in memory, a few bytes for each word of a page; what
//! results show goes out as soon as a shard is full.

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use base::BundlePath;
use base::hex::to_hex;

use super::area::push_areas;
use super::pack::{self, pack_number, pack_script};
use super::page::SearchPage;
use super::plan::IndexPlan;
use super::postings::{Partition, Term};
use super::record::{PARTS, SearchRecord, WordsSaid};
use super::{FOLDER, record};
use base::search_area::Areas;

/// A file of the index.
#[derive(Clone, Debug)]
pub struct IndexFile {
    /// The path of the file in the bundle.
    pub path: BundlePath,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// The first bytes of a file's digest: part of its name.
type DigestMark = [u8; 4];

/// An index that is being made.
#[derive(Debug)]
pub struct SearchIndex {
    /// `0`, `1` …: the number of the index.
    name: String,
    plan: IndexPlan,
    partitions: Vec<Partition>,
    /// Pages so far.
    pages: u32,
    /// Pages with a factor of their own.
    boosts: Vec<(u32, f64)>,
    areas: Areas,
    /// The areas of pages: runs of area and number of pages.
    runs: Vec<(u32, u32)>,
    /// What results show, of pages that fill no shard yet.
    waiting: Vec<String>,
    /// The shards of what results show, in order.
    texts: Vec<DigestMark>,
}

/// Makes the records of an index, on many threads and while earlier ones are added.
#[derive(Clone, Copy, Debug)]
pub struct Recorder {
    /// Bytes of a page's text that results may show from.
    text_bytes: usize,
}

impl Recorder {
    /// The record of a page. `census` may count what the page says.
    pub fn record(self, page: &SearchPage<'_>, census: &mut dyn FnMut(&mut WordsSaid<'_>)) -> SearchRecord {
        thread_local! {
            static COUNTER: std::cell::RefCell<record::Counter> = std::cell::RefCell::default();
        }
        COUNTER.with_borrow_mut(|counter| counter.record(page, self.text_bytes, census))
    }
}

impl SearchIndex {
    /// An index of about `pages` pages: how many files it gets follows from that.
    pub fn new(number: u32, pages: usize) -> Self {
        Self {
            name: number.to_string(),
            plan: IndexPlan::of(pages),
            partitions: (0..PARTS).map(|_| Partition::default()).collect(),
            pages: 0,
            boosts: Vec::new(),
            areas: Areas::default(),
            runs: Vec::new(),
            waiting: Vec::new(),
            texts: Vec::new(),
        }
    }

    /// Adds the areas that the pages stand in.
    #[must_use]
    pub fn with_areas(self, areas: Areas) -> Self {
        Self { areas, ..self }
    }

    /// What makes the records of this index.
    pub fn recorder(&self) -> Recorder {
        Recorder { text_bytes: self.plan.text_bytes }
    }

    /// Takes the next pages, in their order; returns the files that are complete.
    pub fn add(&mut self, mut records: Vec<SearchRecord>) -> Vec<IndexFile> {
        let first = self.pages;
        self.partitions.par_iter_mut().enumerate().for_each(|(at, partition)| {
            for (page, record) in (first..).zip(&records) {
                for entry in record.entries(at) {
                    partition.add(page, entry, &record.letters);
                }
            }
        });
        for record in &mut records {
            if record.boost.is_finite() && record.boost > 0.0 && (record.boost - 1.0).abs() > 0.004 {
                self.boosts.push((self.pages, record.boost.min(1000.0)));
            }
            match self.runs.last_mut().filter(|run| run.0 == record.area) {
                Some(run) => run.1 += 1,
                None => self.runs.push((record.area, 1)),
            }
            self.pages += 1;
            self.waiting.push(std::mem::take(&mut record.shown));
        }
        if self.plan.is_single() { Vec::new() } else { self.texts(false) }
    }

    /// Writes what results show; at the end also what fills no shard.
    fn texts(&mut self, at_end: bool) -> Vec<IndexFile> {
        let full = self.waiting.len() - if at_end { 0 } else { self.waiting.len() % self.plan.pages_per_text };
        let shards: Vec<String> = self
            .waiting
            .drain(..full)
            .collect::<Vec<_>>()
            .chunks(self.plan.pages_per_text)
            .map(<[String]>::concat)
            .collect();
        let from = self.texts.len();
        let name = &self.name;
        let shard_files: Vec<(IndexFile, DigestMark)> = shards
            .par_iter()
            .enumerate()
            .map(|(at, text)| shard(&format!("{name}-p{}", from + at), text.as_bytes()))
            .collect();
        self.texts.extend(shard_files.iter().map(|(_, mark)| *mark));
        shard_files.into_iter().map(|(file, _)| file).collect()
    }

    /// Writes the rest: the last texts, the words with their postings, and the file that the client loads first.
    pub fn finish(mut self) -> Vec<IndexFile> {
        let mut terms: Vec<Term> =
            std::mem::take(&mut self.partitions).into_par_iter().flat_map_iter(Partition::into_terms).collect();
        terms.par_sort_unstable_by(|a, b| compare_utf16(&a.word, &b.word));
        if self.plan.is_single() {
            let mut head = self.head(&terms, &[]);
            let words = word_shard(&terms);
            head.push(1);
            pack_number(&mut head, u32::try_from(words.len()).unwrap_or(0));
            head.extend_from_slice(&words);
            head.extend_from_slice(self.waiting.concat().as_bytes());
            return vec![self.head_file(&head)];
        }
        let mut files = self.texts(true);
        let shards = self.plan.split(&terms);
        let name = &self.name;
        let shard_files: Vec<(IndexFile, DigestMark)> = shards
            .par_iter()
            .enumerate()
            .map(|(at, terms)| shard(&format!("{name}-w{at}"), &word_shard(terms)))
            .collect();
        let starts: Vec<(&str, DigestMark)> = shards
            .iter()
            .zip(&shard_files)
            .map(|(terms, (_, mark))| (terms.first().map_or("", |term| term.word.as_str()), *mark))
            .collect();
        let mut head = self.head(&terms, &starts);
        head.push(0);
        files.push(self.head_file(&head));
        files.extend(shard_files.into_iter().map(|(file, _)| file));
        files
    }

    /// What the client has to know before it loads a shard.
    fn head(&self, terms: &[Term], starts: &[(&str, DigestMark)]) -> Vec<u8> {
        let mut out = vec![super::VERSION];
        pack_number(&mut out, self.pages);
        pack_number(&mut out, u32::try_from(self.plan.pages_per_text).unwrap_or(u32::MAX));
        pack_number(&mut out, u32::try_from(self.texts.len()).unwrap_or(0));
        self.texts.iter().for_each(|mark| out.extend_from_slice(mark));
        pack_number(&mut out, u32::try_from(starts.len()).unwrap_or(0));
        let mut before = "";
        for (word, mark) in starts {
            pack::front_coded(&mut out, before, word);
            out.extend_from_slice(mark);
            before = word;
        }
        pack_number(&mut out, u32::try_from(self.boosts.len()).unwrap_or(0));
        let mut before = 0;
        for (page, boost) in &self.boosts {
            pack_number(&mut out, page - before);
            pack_number(&mut out, (boost * 100.0).round() as u32);
            before = *page;
        }
        push_areas(&mut out, &self.areas, &self.runs);
        let frequent = if self.plan.is_single() { Vec::new() } else { self.plan.frequent(terms) };
        pack_number(&mut out, u32::try_from(frequent.len()).unwrap_or(0));
        let mut before = "";
        for term in frequent {
            pack::front_coded(&mut out, before, &term.word);
            pack_number(&mut out, term.pages);
            before = &term.word;
        }
        out
    }

    /// The one file whose name does not change: pages are written before its digest is known.
    fn head_file(&self, bytes: &[u8]) -> IndexFile {
        IndexFile { path: head_path(&self.name), bytes: pack_script(&self.name, bytes) }
    }
}

fn head_path(name: &str) -> BundlePath {
    BundlePath::sanitize(&format!("{FOLDER}/{name}.js"))
}

/// Where the client starts for an index: the file from the bundle's root.
pub fn index_start_path(number: u32) -> String {
    head_path(&number.to_string()).to_string()
}

/// `<folder>/<name>-<digest8>.js` with its digest.
fn shard(name: &str, bytes: &[u8]) -> (IndexFile, DigestMark) {
    let bytes = pack_script(name, bytes);
    let digest = Sha256::digest(&bytes);
    let mut mark = DigestMark::default();
    mark.iter_mut().zip(digest.iter()).for_each(|(to, from)| *to = *from);
    (IndexFile { path: BundlePath::sanitize(&shard_path(name, mark)), bytes }, mark)
}

pub(super) fn shard_path(name: &str, mark: DigestMark) -> String {
    format!("{FOLDER}/{name}-{}.js", to_hex(&mark))
}

/// Words in order, each with the number of its pages and of its postings' bytes; then the postings.
fn word_shard(terms: &[Term]) -> Vec<u8> {
    let mut out = Vec::with_capacity(terms.iter().map(|term| term.postings.len() + 12).sum());
    pack_number(&mut out, u32::try_from(terms.len()).unwrap_or(0));
    let mut before = "";
    let mut postings = Vec::new();
    for term in terms {
        pack::front_coded(&mut out, before, &term.word);
        pack_number(&mut out, term.pages);
        let from = postings.len();
        term.write_postings(&mut postings);
        pack_number(&mut out, u32::try_from(postings.len() - from).unwrap_or(0));
        before = &term.word;
    }
    out.extend_from_slice(&postings);
    out
}

/// The order in which scripts compare texts: by UTF-16 units.
pub(super) fn compare_utf16(a: &str, b: &str) -> std::cmp::Ordering {
    let units = |c: char| {
        let mut units = [0; 2];
        c.encode_utf16(&mut units);
        units
    };
    let different = a.chars().zip(b.chars()).find(|(a, b)| a != b);
    different.map_or(a.len().cmp(&b.len()), |(a, b)| units(a).cmp(&units(b)))
}
