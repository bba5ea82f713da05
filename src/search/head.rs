//! The start of an index as it is read.

use super::VERSION;
use super::pack::Input;

/// What the start file says.
#[derive(Debug, Default)]
pub(super) struct Head {
    /// Pages of the index.
    pub(super) pages: u32,
    /// Pages whose texts share a file.
    pub(super) pages_per_text: u32,
    /// Digests of the files of texts.
    pub(super) texts: Vec<[u8; 4]>,
    /// First word and digest of the files of words.
    pub(super) words: Vec<(String, [u8; 4])>,
    /// Factors of pages, by page.
    boosts: Vec<(u32, f64)>,
    /// Words of each page's title: four bits for each page.
    titles: Vec<u8>,
    /// Frequent words and how many pages say them, in order.
    pub(super) frequent: Vec<(String, u32)>,
    /// Words and texts of a small site.
    pub(super) single: Option<(Vec<u8>, Vec<u8>)>,
}

impl Head {
    /// Reads it; `None` if it is of another version.
    pub(super) fn read(bytes: Vec<u8>) -> Option<Self> {
        let mut input = Input::new(&bytes);
        if input.byte() != VERSION {
            return None;
        }
        let mut head = Self { pages: input.number(), pages_per_text: input.number(), ..Self::default() };
        let mark = |input: &mut Input<'_>| {
            let mut mark = [0; 4];
            mark.iter_mut().for_each(|byte| *byte = input.byte());
            mark
        };
        let mut count = input.number();
        while count > 0 && !input.is_empty() {
            head.texts.push(mark(&mut input));
            count -= 1;
        }
        let mut word = Vec::new();
        let text = |word: &[u8]| String::from_utf8_lossy(word).into_owned();
        let mut count = input.number();
        while count > 0 && !input.is_empty() {
            input.front_coded(&mut word);
            head.words.push((text(&word), mark(&mut input)));
            count -= 1;
        }
        let (mut count, mut page) = (input.number(), 0_u32);
        while count > 0 && !input.is_empty() {
            page = page.saturating_add(input.number());
            head.boosts.push((page, f64::from(input.number()) / 100.0));
            count -= 1;
        }
        head.titles = input.take(head.pages.div_ceil(2) as usize).to_vec();
        let mut count = input.number();
        word.clear();
        while count > 0 && !input.is_empty() {
            input.front_coded(&mut word);
            head.frequent.push((text(&word), input.number()));
            count -= 1;
        }
        if input.byte() == 1 {
            let length = input.number() as usize;
            let words = input.take(length).to_vec();
            head.single = Some((words, input.take(usize::MAX).to_vec()));
        }
        Some(head)
    }

    /// How many words the title of a page has, up to 15.
    pub(super) fn title_words(&self, page: u32) -> usize {
        let both = self.titles.get(page as usize / 2).copied().unwrap_or_default();
        usize::from(if page.is_multiple_of(2) { both & 15 } else { both >> 4 })
    }

    /// The factor of a page's rank.
    pub(super) fn boost(&self, page: u32) -> f64 {
        self.boosts.binary_search_by_key(&page, |(page, _)| *page).map_or(1.0, |at| self.boosts[at].1)
    }
}
