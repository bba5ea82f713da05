//! What the index keeps of a page: its words with weights, and what a result shows.

use base::bytes::find_byte;
use base::cut::SliceText as _;

use super::excerpt::page_excerpt;
use super::html::{self, CODE, CODE_END, HtmlSection, TITLE, TITLE_END};
use super::page::SearchPage;
use super::table::{WordEntry, WordTable};
use super::weight::{Weight, nearest_weight};
use super::word::{WordParts, is_small, scan_words, visit_words};

/// A page, ready for the index.
#[derive(Debug, Default)]
pub struct SearchRecord {
    /// Distinct words, by their part of the index.
    entries: Vec<PageWord>,
    /// Where the entries of each part end.
    ends: [u32; PARTS],
    /// Their letters, one after the other: UTF-8.
    pub(super) letters: Vec<u8>,
    /// The text that results show; see [`super::excerpt`].
    pub(super) shown: String,
    pub(super) boost: f64,
    /// Where the page stands.
    pub(super) area: u32,
    /// Words of the title that say something, at most [`TITLE_WORDS`].
    pub(super) title_words: u8,
}

/// Most words of a title that are counted: what fits four bits.
const TITLE_WORDS: u8 = 15;

/// What parts the text of a section.
const MARKS: [u8; 4] = [CODE as u8, CODE_END as u8, TITLE as u8, TITLE_END as u8];

/// The words of an index are spread over as many tables, each of which one thread fills.
pub(super) const PARTS: usize = 16;

impl SearchRecord {
    /// The words that belong to a part of the index.
    pub(super) fn entries(&self, part: usize) -> &[PageWord] {
        let from = part.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.entries[from as usize..self.ends[part] as usize]
    }

    /// Entries in the order of parts, and where each part ends.
    fn gather(words: &[WordEntry], mut entry: impl FnMut(usize) -> PageWord) -> (Vec<PageWord>, [u32; PARTS]) {
        let mut ends = [0; PARTS];
        for word in words {
            ends[index_part(word.hash)] += 1;
        }
        let mut sum = 0;
        let mut next = ends.map(|size| {
            sum += size;
            sum - size
        });
        let mut entries = vec![PageWord::default(); words.len()];
        for (number, word) in words.iter().enumerate() {
            let place = &mut next[index_part(word.hash)];
            entries[*place as usize] = entry(number);
            *place += 1;
        }
        (entries, next)
    }
}

/// The part of an index that a word belongs to, by its hash.
fn index_part(hash: u64) -> usize {
    (hash >> 60) as usize
}

/// A word of a page.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PageWord {
    pub(super) hash: u64,
    /// Where the letters of the word begin.
    pub(super) start: u32,
    pub(super) len: u16,
    /// Where it matters most: index into the page's sections.
    pub(super) section: u16,
    pub(super) weight: Weight,
}

/// Where a word stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WordField {
    Title,
    Keyword,
    Address,
    Heading,
    Component,
    Text,
    Code,
}

/// How much one occurrence counts within its section and page.
fn occurrence(field: WordField) -> f32 {
    match field {
        WordField::Title => 8.0,
        WordField::Heading => 5.0,
        WordField::Keyword => 4.0,
        WordField::Component => 2.5,
        WordField::Address | WordField::Text => 1.0,
        WordField::Code => 0.6,
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct TermCount {
    /// Section of the last occurrence and its sum there.
    section: u16,
    here: f32,
    best_section: u16,
    best: f32,
    text: f32,
    /// What titles and headings add, each kind once.
    title: f32,
    heading: f32,
    /// How often the page says it.
    said: u32,
}

/// Counts the words of one page after the other; its memory is used again.
#[derive(Default)]
pub(super) struct Counter {
    words: WordTable,
    /// By the numbers of the words.
    counts: Vec<TermCount>,
    sections: Vec<HtmlSection>,
    /// Alternative texts of pictures and texts of tips, which are no words of the index.
    aside: String,
    total: u32,
}

/// How often a page says each word: in its content, in the alternative texts of its pictures and in its tips.
#[derive(Debug)]
pub struct WordsSaid<'c> {
    words: &'c mut WordTable,
    /// By the numbers of the words.
    counts: &'c mut Vec<TermCount>,
}

impl WordsSaid<'_> {
    /// Adds a text that is said beside what the index has.
    pub fn add(&mut self, text: &str) {
        scan_words(text, WordParts::Never, &mut |word, hash, _| {
            let number = self.words.find(hash, word);
            if number == self.counts.len() {
                self.counts.push(TermCount::default());
            }
            self.counts[number].said += 1;
        });
    }

    /// Takes one of the times that a word is said; `false` if there is none left.
    pub fn take(&mut self, hash: u64, word: &[u8]) -> bool {
        let count = self.words.known_number(hash, word.len()).and_then(|number| self.counts.get_mut(number));
        count.is_some_and(|count| {
            let is_said = count.said > 0;
            count.said = count.said.saturating_sub(1);
            is_said
        })
    }
}

impl Counter {
    /// The record of a page. `budget`: bytes of its text that results may show from.
    /// `census` may count what the page says.
    pub(super) fn record(
        &mut self,
        page: &SearchPage<'_>,
        budget: usize,
        census: &mut dyn FnMut(&mut WordsSaid<'_>),
    ) -> SearchRecord {
        self.clear();
        let mut sections = std::mem::take(&mut self.sections);
        sections.clear();
        let mut aside = std::mem::take(&mut self.aside);
        aside.clear();
        // the right column is no part of the last heading's text
        for html in page.html.iter().take(1).chain(page.html.iter().skip(1).filter(|html| !html.is_empty())) {
            sections.push(HtmlSection::default());
            html::sections(html, &mut sections, &mut aside);
        }
        self.head(page);
        // some of that is not shown, and some is counted twice
        self.counts.iter_mut().for_each(|count| count.said = 0);
        for (index, section) in sections.iter().enumerate() {
            self.section(u16::try_from(index).unwrap_or(u16::MAX), section);
        }
        let (entries, ends) = SearchRecord::gather(self.words.known(), |number| self.entry(number));
        let shown = page_excerpt(page, &sections, budget);
        self.sections = sections;
        let letters = self.words.letters().to_vec();
        let mut said = WordsSaid { words: &mut self.words, counts: &mut self.counts };
        said.add(&aside);
        census(&mut said);
        self.aside = aside;
        let mut title: Vec<String> = Vec::new();
        visit_words(page.title, WordParts::Never, &mut |word| title.extend((!is_small(word)).then(|| word.to_owned())));
        title.sort_unstable();
        title.dedup();
        let title_words = u8::try_from(title.len()).unwrap_or(TITLE_WORDS).min(TITLE_WORDS);
        SearchRecord { entries, ends, letters, shown, boost: page.boost, area: page.area, title_words }
    }

    fn clear(&mut self) {
        self.words.clear();
        self.counts.clear();
        self.total = 0;
    }

    /// What stands above the first heading.
    fn head(&mut self, page: &SearchPage<'_>) {
        self.whole(0, page.title, WordField::Title, 1.5);
        for keyword in page.keywords {
            // less than a title of many words: the page of that title is what readers mean
            self.add(0, keyword, WordField::Keyword, 1.4);
        }
        self.add(0, page.endpoint, WordField::Heading, 1.5);
        self.add(0, page.description, WordField::Text, 0.0);
        self.add(0, page.description, WordField::Text, 0.0);
        let name = page.url.strip_suffix(".html").unwrap_or(page.url);
        let name = name.rsplit('/').next().unwrap_or(name);
        self.add(0, name, WordField::Address, 0.6);
    }

    fn section(&mut self, index: u16, section: &HtmlSection) {
        self.whole(index, &section.heading, WordField::Heading, 0.9);
        let mut field = WordField::Text;
        let mut rest = section.text.as_str();
        loop {
            let end = find_byte(rest.as_bytes(), MARKS).unwrap_or(rest.len());
            self.add(index, rest.slice(..end), field, if field == WordField::Component { 0.6 } else { 0.0 });
            let Some(mark) = rest.slice(end..).chars().next() else { break };
            field = match mark {
                CODE => WordField::Code,
                TITLE => WordField::Component,
                CODE_END | TITLE_END => WordField::Text,
                _ => field,
            };
            rest = rest.slice(end + mark.len_utf8()..);
        }
    }

    /// A title or heading: each word counts the more, the fewer there are.
    fn whole(&mut self, section: u16, text: &str, field: WordField, most: f32) {
        let mut number = 0;
        scan_words(text, WordParts::OfSmall, &mut |_, _, _| number += 1_u32);
        let share = most * (1.0 + 1.0 / number.max(1) as f32);
        self.add(section, text, field, share);
    }

    fn add(&mut self, section: u16, text: &str, field: WordField, bonus: f32) {
        let parts = if field == WordField::Code { WordParts::OfAny } else { WordParts::OfSmall };
        scan_words(text, parts, &mut |word, hash, is_whole| self.count(section, (word, hash, is_whole), field, bonus));
    }

    fn count(&mut self, section: u16, (word, hash, is_whole): (&[u8], u64, bool), field: WordField, bonus: f32) {
        self.total += 1;
        let number = self.words.find(hash, word);
        if number == self.counts.len() {
            self.counts.push(TermCount::default());
        }
        let count = &mut self.counts[number];
        count.said += u32::from(is_whole);
        if count.section != section {
            (count.section, count.here) = (section, 0.0);
        }
        let worth = occurrence(field);
        count.here += worth;
        if count.here > count.best {
            (count.best, count.best_section) = (count.here, section);
        }
        match field {
            WordField::Title | WordField::Keyword | WordField::Address => count.title = count.title.max(bonus),
            WordField::Heading | WordField::Component => count.heading = count.heading.max(bonus),
            WordField::Text | WordField::Code => count.text += worth,
        }
    }

    /// A page's use of a word as one number: what titles and headings add stands above anything that mere repetition
    /// reaches.
    fn entry(&self, number: usize) -> PageWord {
        let (word, count) = (self.words.known()[number], &self.counts[number]);
        let length = self.total as f32 / 400.0;
        let text = count.text / (count.text + 1.2 * (0.5 + 0.5 * length.min(8.0)));
        let weight = nearest_weight(2.0 * count.title + 1.2 * count.heading + text);
        PageWord { hash: word.hash, start: word.start, len: word.len, section: count.best_section, weight }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(page: &SearchPage<'_>) -> Vec<(String, u16, Weight)> {
        let record = Counter::default().record(page, 2000, &mut |_| {});
        let word = |entry: &PageWord| {
            String::from_utf8_lossy(
                &record.letters[entry.start as usize..entry.start as usize + usize::from(entry.len)],
            )
            .into_owned()
        };
        record.entries.iter().map(|entry| (word(entry), entry.section, entry.weight)).collect()
    }

    fn weight_of(page: &SearchPage<'_>, word: &str) -> (u16, Weight) {
        weights(page)
            .into_iter()
            .find(|(known, ..)| known == word)
            .map(|(_, section, weight)| (section, weight))
            .expect("the word")
    }

    #[test]
    fn titles_outweigh_headings_outweigh_text() {
        let words = "word ".repeat(60);
        let html = format!("<p>{words}</p><h2 id=\"a\">Second thing</h2><p>text</p>");
        let page = SearchPage {
            url: "x/y.html",
            title: "First thing",
            html: [&html, ""],
            boost: 1.0,
            ..SearchPage::default()
        };
        let (first, second, text) = (weight_of(&page, "first"), weight_of(&page, "second"), weight_of(&page, "word"));
        assert!(first.1 > second.1 && second.1 > text.1, "{first:?} {second:?} {text:?}");
        assert_eq!((first.0, second.0, text.0), (0, 1, 0));
        assert_eq!(weight_of(&page, "thing").0, 0, "the title is where to go");
    }

    #[test]
    fn many_words_are_told_apart() {
        let html: String = (0..5000).map(|n| format!("<p>w{n} w{n}x</p>")).collect();
        let page = SearchPage { html: [&html, ""], ..SearchPage::default() };
        let all = weights(&page);
        assert_eq!(all.len(), 10_000);
        let mut unique: Vec<&String> = all.iter().map(|(word, ..)| word).collect();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), 10_000);
    }
}
