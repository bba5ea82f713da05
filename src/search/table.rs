//! Words and their numbers: each word gets the next one when it is first met.

/// A word that is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct WordEntry {
    pub(super) hash: u64,
    /// Where the letters of the word begin.
    pub(super) start: u32,
    pub(super) len: u16,
}

/// The words, found by hash and length; what that leaves out, [`super::block`] says.
#[derive(Debug, Default)]
pub(super) struct WordTable {
    /// Open addressing: 1 + number of a word, 0 for free.
    table: Vec<u32>,
    known: Vec<WordEntry>,
    /// The letters of all words, one after the other, in UTF-8.
    letters: Vec<u8>,
}

const SMALLEST_TABLE: usize = 1 << 11;

impl WordTable {
    /// Forgets all words; the memory is used again.
    pub(super) fn clear(&mut self) {
        self.table.clear();
        self.table.resize(SMALLEST_TABLE, 0);
        self.known.clear();
        self.letters.clear();
    }

    /// All words, by their numbers.
    pub(super) fn known(&self) -> &[WordEntry] {
        &self.known
    }

    /// The letters of all words.
    pub(super) fn letters(&self) -> &[u8] {
        &self.letters
    }

    /// The number of a word that is known.
    pub(super) fn known_number(&self, hash: u64, length: usize) -> Option<usize> {
        let mask = self.table.len().checked_sub(1)?;
        let mut slot = first_slot(hash, mask);
        loop {
            let number = (self.table[slot] as usize).checked_sub(1)?;
            let known = &self.known[number];
            if known.hash == hash && usize::from(known.len) == length {
                return Some(number);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The number of a word; the next one if it is new.
    pub(super) fn find(&mut self, hash: u64, word: &[u8]) -> usize {
        if self.known.len() * 2 >= self.table.len() {
            self.grow();
        }
        let mask = self.table.len() - 1;
        let mut slot = first_slot(hash, mask);
        loop {
            let taken = self.table[slot];
            if taken == 0 {
                break;
            }
            let known = &self.known[taken as usize - 1];
            if known.hash == hash && usize::from(known.len) == word.len() {
                return taken as usize - 1;
            }
            slot = (slot + 1) & mask;
        }
        let start = u32::try_from(self.letters.len()).unwrap_or(u32::MAX);
        self.letters.extend_from_slice(word);
        self.known.push(WordEntry { hash, start, len: u16::try_from(word.len()).unwrap_or(u16::MAX) });
        self.table[slot] = u32::try_from(self.known.len()).unwrap_or(0);
        self.known.len() - 1
    }

    fn grow(&mut self) {
        let size = (self.table.len() * 2).max(SMALLEST_TABLE);
        self.table.clear();
        self.table.resize(size, 0);
        for (number, known) in self.known.iter().enumerate() {
            let mut slot = first_slot(known.hash, size - 1);
            while self.table[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.table[slot] = u32::try_from(number + 1).unwrap_or(0);
        }
    }
}

/// The highest bits say which table a word is in; the lowest are the worst mixed.
fn first_slot(hash: u64, mask: usize) -> usize {
    (hash >> 20) as usize & mask
}
