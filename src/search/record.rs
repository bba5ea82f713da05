//! What the index keeps of a page: its words with weights, and what a result shows.

use base::bytes::find_byte;
use base::cut::SliceText as _;

use super::block;
use super::excerpt::page_excerpt;
use super::html::{self, CODE, CODE_END, HtmlSection, TITLE, TITLE_END};
use super::page::SearchPage;
use super::table::{WordEntry, WordTable};
use super::weight::{NameKind, Weight, nearest_weight};
use super::word::{NameWord, WordForm, WordParts, scan_words};

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
}

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
    /// Its weight if it is a name of the page or of a section; see [`NameKind`].
    name: Weight,
}

/// How much the parts of a name in camel case count beside the whole name in titles and headings.
const PART_SHARE: f32 = 0.5;
/// How much a word of the title of an operation counts, and one of any other page: guides come first.
const OPERATION_TITLE: f32 = 1.2;
const PAGE_TITLE: f32 = 1.5;

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
    name_word: NameWord,
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
        self.names(page, &sections);
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
        SearchRecord { entries, ends, letters, shown, boost: page.boost, area: page.area }
    }

    fn clear(&mut self) {
        self.words.clear();
        self.counts.clear();
        self.total = 0;
    }

    /// What stands above the first heading.
    fn head(&mut self, page: &SearchPage<'_>) {
        let title = if page.endpoint.is_empty() { PAGE_TITLE } else { OPERATION_TITLE };
        self.whole(0, page.title, WordField::Title, title);
        self.whole(0, page.sidebar_title, WordField::Title, title);
        for keyword in page.keywords {
            // less than a title of many words: the page of that title is what readers mean
            self.add(0, keyword, WordField::Keyword, 1.4);
        }
        self.add(0, page.endpoint, WordField::Heading, 1.5);
        self.add(0, page.description, WordField::Text, 0.0);
        self.add(0, page.description, WordField::Text, 0.0);
        let name = file_name(page.url);
        self.add(0, name, WordField::Address, 0.6);
    }

    /// What the page and its sections are called, each as one word.
    fn names(&mut self, page: &SearchPage<'_>, sections: &[HtmlSection]) {
        let mut name = std::mem::take(&mut self.name_word);
        let has_endpoint = !page.endpoint.is_empty();
        let mut of_site: Vec<Vec<u8>> = Vec::new();
        scan_words(page.site_name, WordParts::Never, &mut |word, _, _| of_site.push(word.to_vec()));
        let none: &[Vec<u8>] = &[];
        for others in [none, &of_site] {
            // most names have no word of the site's
            let mut is_new = name.read_without(file_name(page.url), others) || others.is_empty();
            let address = name.get().map(<[u8]>::to_vec);
            if let Some(address) = address.as_deref().filter(|_| is_new) {
                self.add_name(0, address, NameKind::Address { has_endpoint });
            }
            for title in [page.title, page.sidebar_title] {
                is_new = name.read_without(title, others) || others.is_empty();
                if let Some(title) = name.get().filter(|_| is_new) {
                    let is_address = address.as_deref() == Some(title);
                    self.add_name(0, title, NameKind::Title { is_address, has_endpoint });
                }
            }
        }
        for (index, section) in (0..).zip(sections) {
            name.read(&section.heading);
            if let Some(heading) = name.get() {
                self.add_name(index, heading, NameKind::Heading);
            }
        }
        self.name_word = name;
    }

    fn add_name(&mut self, section: u16, name: &[u8], kind: NameKind) {
        let count = self.counted(name, block::hash(name));
        if kind.weight() > count.name {
            (count.name, count.best_section) = (kind.weight(), section);
        }
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

    /// A title or heading: each word counts the more, the fewer there are. Joined words are one word more, and one
    /// of a text in which they are one.
    fn whole(&mut self, section: u16, text: &str, field: WordField, most: f32) {
        let (mut words, mut joints) = (0_u32, 0_u32);
        scan_words(text, WordParts::Joined, &mut |_, _, form| match form {
            WordForm::Joined => joints += 1,
            _ => words += 1,
        });
        let share = |number: u32| most * (1.0 + 1.0 / number.max(1) as f32);
        let (of_words, of_joined) = (share(words), share(words - joints));
        scan_words(text, WordParts::OfAny, &mut |word, hash, form| {
            let bonus = match form {
                WordForm::Whole => of_words,
                WordForm::Part => of_words * PART_SHARE,
                WordForm::Joined => of_joined,
            };
            self.count(section, (word, hash, form), field, bonus);
        });
    }

    fn add(&mut self, section: u16, text: &str, field: WordField, bonus: f32) {
        let parts = if field == WordField::Code { WordParts::OfAny } else { WordParts::OfSmall };
        scan_words(text, parts, &mut |word, hash, form| self.count(section, (word, hash, form), field, bonus));
    }

    /// What is counted of a word.
    fn counted(&mut self, word: &[u8], hash: u64) -> &mut TermCount {
        let number = self.words.find(hash, word);
        if number == self.counts.len() {
            self.counts.push(TermCount::default());
        }
        &mut self.counts[number]
    }

    fn count(&mut self, section: u16, (word, hash, form): (&[u8], u64, WordForm), field: WordField, bonus: f32) {
        self.total += u32::from(form != WordForm::Joined);
        let count = self.counted(word, hash);
        count.said += u32::from(form == WordForm::Whole);
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
        let weight = match count.name {
            0 => nearest_weight(2.0 * count.title + 1.2 * count.heading + text),
            name => name,
        };
        PageWord { hash: word.hash, start: word.start, len: word.len, section: count.best_section, weight }
    }
}

/// The name of a file or folder in an address, without its ending.
fn file_name(url: &str) -> &str {
    let name = url.strip_suffix(".html").unwrap_or(url);
    let name = name.strip_suffix("/index").unwrap_or(name);
    name.rsplit('/').next().unwrap_or(name)
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
