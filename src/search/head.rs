//! The start of an index as it is read.

use super::area::read_areas;
use super::pack::Input;
use super::{VERSION, WITHOUT_AREAS, WITHOUT_NAMES};
use base::search_area::{Area, Areas, SearchScope};

/// Most pages whose areas are read.
const MAX_AREA_PAGES: usize = 1 << 22;

/// What the start file says.
#[derive(Debug, Default)]
pub(super) struct IndexHead {
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
    pub(super) areas: Areas,
    /// The area of each page; empty where the site has no areas.
    area_of: Vec<u32>,
    /// Frequent words and how many pages say them, in order.
    pub(super) frequent: Vec<(String, u32)>,
    /// Words and texts of a small site.
    pub(super) single: Option<(Vec<u8>, Vec<u8>)>,
}

impl IndexHead {
    /// Reads it; `None` if it is of another version.
    pub(super) fn read(bytes: Vec<u8>) -> Option<Self> {
        let mut input = Input::new(&bytes);
        let version = input.byte();
        if ![VERSION, WITHOUT_NAMES, WITHOUT_AREAS].contains(&version) {
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
        if version != VERSION {
            // how many words the title of each page has, four bits for each
            input.take(head.pages.div_ceil(2) as usize);
        }
        if version != WITHOUT_AREAS {
            head.read_areas(&mut input);
        }
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

    fn read_areas(&mut self, input: &mut Input<'_>) {
        let (areas, runs) = read_areas(input);
        self.areas = areas;
        for (area, pages) in runs {
            // a damaged file may claim any number of pages
            let left = (self.pages as usize).min(MAX_AREA_PAGES).saturating_sub(self.area_of.len());
            self.area_of.extend(std::iter::repeat_n(area, left.min(pages as usize)));
        }
    }

    /// The pages that a scope leaves, as a mark for each page, and how many they are; no marks for all.
    pub(super) fn within(&self, scope: SearchScope) -> (Option<Vec<bool>>, u32) {
        if self.areas.is_empty() || scope == SearchScope::default() {
            return (None, self.pages);
        }
        let areas: Vec<bool> = self.areas.areas.iter().map(|area| area.is_in(scope)).collect();
        let marks: Vec<bool> =
            self.area_of.iter().map(|area| areas.get(*area as usize).copied().unwrap_or(false)).collect();
        let count = marks.iter().filter(|mark| **mark).count();
        (Some(marks), u32::try_from(count).unwrap_or(u32::MAX))
    }

    /// The area of a page; none where the index has no areas.
    pub(super) fn area(&self, page: u32) -> Option<&Area> {
        self.areas.areas.get(*self.area_of.get(page as usize)? as usize)
    }

    /// The factor of a page's rank.
    pub(super) fn boost(&self, page: u32) -> f64 {
        self.boosts.binary_search_by_key(&page, |(page, _)| *page).map_or(1.0, |at| self.boosts[at].1)
    }
}
