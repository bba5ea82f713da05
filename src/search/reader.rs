//! The files of an index, read: its start when it is opened, words and texts when a question needs them.

use std::collections::BTreeMap;

use super::head::IndexHead;
use super::index::{self, index_start_path};
use super::pack::{Input, unscript};
use base::search_area::Areas;

/// Gives the text of a file of the bundle, by its path.
pub type ReadText<'l> = dyn Fn(&str) -> Option<String> + 'l;

/// An index that is open for questions.
pub struct IndexReader<'l> {
    load: &'l ReadText<'l>,
    number: String,
    pub(super) head: IndexHead,
}

impl std::fmt::Debug for IndexReader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("IndexReader")
            .field("number", &self.number)
            .field("pages", &self.head.pages)
            .finish_non_exhaustive()
    }
}

/// Words of a shard with their pages.
pub(super) type ShardWords = BTreeMap<String, TermPages>;

/// Pages that say a term: page, weight, section.
#[derive(Clone, Debug, Default)]
pub(super) struct TermPages {
    pub(super) pages: Vec<(u32, u8, u32)>,
}

impl<'l> IndexReader<'l> {
    /// Opens the index of a number; `None` if there is none, or one in another format.
    pub fn open(number: u32, load: &'l ReadText<'l>) -> Option<Self> {
        let script = load(&index_start_path(number))?;
        Some(Self { load, number: number.to_string(), head: IndexHead::read(unscript(&script)?)? })
    }

    /// The versions and sections of its pages.
    pub fn areas(&self) -> &Areas {
        &self.head.areas
    }

    /// The words of a shard.
    pub(super) fn words(&self, at: usize) -> ShardWords {
        let bytes = match &self.head.single {
            Some((words, _)) => words.clone(),
            None => self.shard("w", at, self.head.words.get(at).map(|(_, mark)| *mark)),
        };
        read_words(&bytes)
    }

    /// The texts of a shard.
    pub(super) fn text(&self, at: u32) -> String {
        let bytes = match &self.head.single {
            Some((_, text)) => text.clone(),
            None => self.shard("p", at as usize, self.head.texts.get(at as usize).copied()),
        };
        String::from_utf8(bytes).unwrap_or_default()
    }

    fn shard(&self, kind: &str, at: usize, mark: Option<[u8; 4]>) -> Vec<u8> {
        let path = mark.map(|mark| index::shard_path(&format!("{}-{kind}{at}", self.number), mark));
        path.and_then(|path| unscript(&(self.load)(&path)?)).unwrap_or_default()
    }
}

pub(super) fn read_words(bytes: &[u8]) -> ShardWords {
    let mut input = Input::new(bytes);
    let count = input.number();
    let mut word = Vec::new();
    let mut list = Vec::new();
    for _ in 0..count {
        if input.is_empty() {
            break;
        }
        input.front_coded(&mut word);
        list.push((String::from_utf8_lossy(&word).into_owned(), input.number(), input.number()));
    }
    let mut shard = ShardWords::new();
    for (word, pages, length) in list {
        let bytes = input.take(length as usize);
        let mut postings = Input::new(bytes);
        let mut page = 0_u32;
        let mut out = TermPages::default();
        // a damaged file may claim any number; each takes a byte at least
        for _ in 0..bytes.len().min(pages as usize) {
            page = page.saturating_add(postings.number());
            out.pages.push((page, 0, 0));
        }
        for entry in &mut out.pages {
            let byte = postings.byte();
            (entry.1, entry.2) = (byte >> 4, u32::from(byte & 15));
        }
        for entry in out.pages.iter_mut().filter(|entry| entry.2 == 15) {
            entry.2 = postings.number();
        }
        shard.insert(word, out);
    }
    shard
}
