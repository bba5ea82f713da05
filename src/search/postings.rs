//! Which pages say a word, how loudly and where: the tables that an index fills.

use super::pack::pack_number;
use super::record::PageWord;
use super::table::WordTable;

/// Sections up to this number stand beside the weight; of others the number follows.
const FAR: u16 = 15;

/// Words whose hashes belong here.
#[derive(Debug, Default)]
pub(super) struct Partition {
    words: WordTable,
    /// Where each word is said, by the number of the word.
    uses: Vec<Uses>,
}

/// Where a word is said.
#[derive(Debug, Default)]
struct Uses {
    pages: u32,
    /// The last page that says it.
    last: u32,
    /// For each page: distance from the one before, weight and section, section if it is far.
    postings: Vec<u8>,
}

/// A word of the whole index.
#[derive(Debug)]
pub(super) struct Term {
    pub(super) word: String,
    /// Pages that say it.
    pub(super) pages: u32,
    pub(super) postings: Vec<u8>,
}

impl Partition {
    /// Notes that a page says a word. Pages come in order.
    pub(super) fn add(&mut self, page: u32, entry: &PageWord, letters: &[u8]) {
        let start = entry.start as usize;
        let word = letters.get(start..start + usize::from(entry.len)).unwrap_or_default();
        let at = self.words.find(entry.hash, word);
        if at == self.uses.len() {
            self.uses.push(Uses::default());
        }
        let uses = &mut self.uses[at];
        pack_number(&mut uses.postings, page - uses.last);
        uses.postings.push(entry.weight << 4 | entry.section.min(FAR) as u8);
        if entry.section >= FAR {
            pack_number(&mut uses.postings, u32::from(entry.section));
        }
        uses.last = page;
        uses.pages += 1;
    }

    /// Its words, in no useful order.
    pub(super) fn into_terms(self) -> impl Iterator<Item = Term> {
        let Self { words, uses } = self;
        uses.into_iter().enumerate().map(move |(at, uses)| {
            let known = words.known()[at];
            let word = words
                .letters()
                .get(known.start as usize..known.start as usize + usize::from(known.len))
                .unwrap_or_default();
            let word = String::from_utf8_lossy(word).into_owned();
            Term { word, pages: uses.pages, postings: uses.postings }
        })
    }
}

impl Term {
    /// Appends its postings: all distances, then all weights, then the far sections. Like beside like compresses best.
    pub(super) fn write_postings(&self, out: &mut Vec<u8>) {
        let (mut weights, mut far) = (Vec::with_capacity(self.pages as usize), Vec::new());
        let mut input = super::pack::Input::new(&self.postings);
        while !input.is_empty() {
            pack_number(out, input.number());
            let weight = input.byte();
            weights.push(weight);
            if u16::from(weight & 15) == FAR {
                pack_number(&mut far, input.number());
            }
        }
        out.extend_from_slice(&weights);
        out.extend_from_slice(&far);
    }
}
