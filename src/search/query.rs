//! Questions to an index, answered from its files: words to terms (their endings, plurals and misspellings), terms to
//! pages, pages to results.
//!
//! The client (`templates/search/search.js`) does the same in the same order, and a browser test holds it to this.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::expand::{QueryGroup, expand_query_word, find_names};
use super::question::{Question, says_phrase};
use super::reader::IndexReader;
use super::snippet::{self, Hit, IndexedText};
use super::weight;
use super::word::is_small;
use base::search_area::SearchScope;

/// Most pages, best first, that are read for phrases.
const MAX_PHRASE_PAGES: usize = 24;

/// How a page without some of the words has to score, compared with the best of those that have all: its title says
/// what it is about.
const PART: f64 = 0.5;

/// The pages that a question goes to.
struct PageSet {
    /// Says of each page whether it is searched; `None` if all are.
    marks: Option<Vec<bool>>,
    count: u32,
}

impl PageSet {
    fn has(&self, page: u32) -> bool {
        self.marks.as_ref().is_none_or(|marks| marks.get(page as usize).copied().unwrap_or(false))
    }
}

impl IndexReader<'_> {
    /// The best `limit` pages for a question, best first.
    pub fn query(&self, question: &str, limit: usize) -> Vec<Hit> {
        self.query_within(question, limit, SearchScope::default())
    }

    /// The same among the pages of a scope, ranked as if there were no others.
    pub fn query_within(&self, question: &str, limit: usize, scope: SearchScope) -> Vec<Hit> {
        let (marks, count) = self.head.within(scope);
        let among = PageSet { marks, count };
        let question = Question::parse(question);
        let groups = self.groups(&question, &among);
        let names = find_names(self, &question.names);
        let mut ranked = self.rank(&groups, &names, &among);
        let mut texts = FxHashMap::default();
        if !question.phrases.is_empty() {
            self.keep_phrases(&mut ranked, &question.phrases, &mut texts);
        }
        ranked.truncate(limit);
        let pages = ranked.into_iter().filter_map(|(page, score)| {
            let at = page / self.head.pages_per_text.max(1);
            let text = texts.entry(at).or_insert_with(|| self.text(at));
            let shown = IndexedText::read(text, (page % self.head.pages_per_text.max(1)) as usize)?;
            let sections: Vec<Option<u32>> =
                groups.iter().map(|group| group.pages.get(&page).map(|(_, section)| *section)).collect();
            let version = self
                .head
                .area(page)
                .and_then(|area| self.head.areas.versions.get(area.version? as usize))
                .cloned()
                .unwrap_or_default();
            Some(Hit { version, ..snippet::hit(&shown, &groups, &sections, score) })
        });
        pages.collect()
    }

    /// Leaves the pages that say all phrases, of those that rank first; all of them if none does, as far as results
    /// show texts.
    fn keep_phrases(&self, ranked: &mut Vec<(u32, f64)>, phrases: &[Vec<String>], texts: &mut FxHashMap<u32, String>) {
        let share = self.head.pages_per_text.max(1);
        let says = |page: u32, texts: &mut FxHashMap<u32, String>| {
            let text = texts.entry(page / share).or_insert_with(|| self.text(page / share));
            IndexedText::read(text, (page % share) as usize)
                .is_some_and(|shown| phrases.iter().all(|phrase| shown.texts().any(|text| says_phrase(text, phrase))))
        };
        let found: Vec<(u32, f64)> =
            ranked.iter().take(MAX_PHRASE_PAGES).copied().filter(|(page, _)| says(*page, texts)).collect();
        if !found.is_empty() {
            *ranked = found;
        }
    }

    fn groups(&self, question: &Question, among: &PageSet) -> Vec<QueryGroup> {
        let words = &question.words;
        let any_large = words.iter().any(|word| !is_small(&word.word));
        let groups = words.iter().map(|word| {
            let (expansions, found) = expand_query_word(self, word);
            let mut pages: FxHashMap<u32, (f64, u32)> = FxHashMap::default();
            for (expansion, term) in expansions.iter().zip(&found) {
                for (page, weight, section) in term.pages.iter().filter(|(page, ..)| among.has(*page)) {
                    let worth = expansion.factor * weight::worth(*weight);
                    let best = pages.entry(*page).or_insert((0.0, 0));
                    if worth > best.0 {
                        *best = (worth, *section);
                    }
                }
            }
            let common = among.count > 20 && pages.len() * 2 > among.count as usize && words.len() > 1;
            let is_optional = if word.is_joined() {
                // the two may stand apart everywhere
                pages.is_empty()
            } else {
                !word.is_exact && (any_large && is_small(&word.word) || common)
            };
            QueryGroup { expansions, is_optional, pages }
        });
        let mut groups: Vec<QueryGroup> = groups.collect();
        if groups.iter().all(|group| group.is_optional) {
            groups.iter_mut().for_each(|group| group.is_optional = false);
        }
        groups
    }

    /// Pages with all words, and those with some that score at least [`PART`] of the best of them; if there is none
    /// with all, those with some.
    fn rank(&self, groups: &[QueryGroup], names: &FxHashMap<u32, u8>, among: &PageSet) -> Vec<(u32, f64)> {
        let required = groups.iter().filter(|group| !group.is_optional).count();
        let mut scores: BTreeMap<u32, (f64, usize)> = BTreeMap::new();
        let rarity = |pages: usize| {
            let pages = pages as f64;
            (1.0 + (f64::from(among.count) - pages + 0.5).max(0.0) / (pages + 0.5)).ln()
        };
        for group in groups {
            let rarity = rarity(group.pages.len());
            for (page, (worth, _)) in group.pages.iter().collect::<BTreeMap<_, _>>() {
                let score = scores.entry(*page).or_insert((0.0, 0));
                score.0 += rarity * worth;
                score.1 += usize::from(!group.is_optional);
            }
        }
        for (page, name) in names.iter().filter(|(page, _)| among.has(**page)) {
            // its words may be spelled otherwise
            let score = scores.entry(*page).or_insert((0.0, 0));
            if score.1 < required {
                *score = (rarity(names.len()) * weight::worth(*name), required);
            }
        }
        let mut least = 0.0;
        let mut ranked = Vec::with_capacity(scores.len());
        for (page, (score, matched)) in scores {
            let share = matched as f64 / required.max(1) as f64;
            let score = score * share * share * self.head.boost(page) * together(groups, page);
            if matched == required {
                least = f64::max(least, score * PART);
            }
            let score = score * names.get(&page).map_or(1.0, |name| weight::name_factor(*name));
            if matched > 0 || required == 0 {
                ranked.push((page, score, matched == required));
            }
        }
        let mut ranked: Vec<(u32, f64)> = ranked
            .into_iter()
            .filter(|(_, score, whole)| *whole || *score >= least)
            .map(|(page, score, _)| (page, score))
            .collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        ranked
    }
}

/// Words that stand in one section say more together.
fn together(groups: &[QueryGroup], page: u32) -> f64 {
    let mut sections = groups
        .iter()
        .filter(|group| !group.is_optional)
        .map(|group| group.pages.get(&page).map(|(_, section)| *section));
    let first = sections.next().flatten();
    let mut others = sections.peekable();
    if first.is_some() && others.peek().is_some() && others.all(|section| section == first) { 1.2 } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{IndexFile, SearchIndex, SearchPage};
    use super::*;

    /// Files of an index by path.
    fn files(pages: &[SearchPage<'_>], batch: usize) -> BTreeMap<String, String> {
        let mut index = SearchIndex::new(0, pages.len());
        let mut files: Vec<IndexFile> = Vec::new();
        for batch in pages.chunks(batch) {
            let records = batch.iter().map(|page| index.recorder().record(page, &mut |_| ())).collect();
            files.extend(index.add(records));
        }
        files.extend(index.finish());
        files.into_iter().map(|file| (file.path.to_string(), String::from_utf8(file.bytes).unwrap())).collect()
    }

    fn page<'a>(url: &'a str, title: &'a str, html: &'a str) -> SearchPage<'a> {
        SearchPage { url, title, html: [html, ""], boost: 1.0, ..SearchPage::default() }
    }

    #[track_caller]
    fn check(pages: &[SearchPage<'_>], question: &str, expect: &[&str]) {
        let files = files(pages, 7);
        let load = |path: &str| files.get(path).cloned();
        let hits = IndexReader::open(0, &load).expect("an index").query(question, 5);
        let urls: Vec<&str> = hits.iter().map(|hit| hit.url.as_str()).collect();
        assert_eq!(urls, expect, "{question}: {hits:#?}");
    }

    fn site() -> Vec<SearchPage<'static>> {
        vec![
            page(
                "a.html",
                "Install",
                "<p>Get the program.</p><h2 id=\"linux\">Linux packages</h2><p>Use your <code>createUser</code> manager.</p>",
            ),
            page(
                "b.html",
                "Authentication",
                "<p>Tokens and keys. Install nothing.</p><h2 id=\"api-keys\">Create API keys</h2><p>Rotate them.</p>",
            ),
            page("c.html", "Réglages", "<p>Le café est prêt.</p>"),
            page("d.html", "検索", "<p>全文検索の使い方。日本語の文書。</p>"),
            page("e.html", "Webhooks", "<p>Sent after every deployment. Authentication is by signature.</p>"),
        ]
    }

    #[test]
    fn titles_come_first_and_headings_are_where_to_go() {
        check(&site(), "install", &["a.html", "b.html"]);
        check(&site(), "linux", &["a.html#linux"]);
        check(&site(), "create api key", &["b.html#api-keys"]);
        check(&site(), "authentication", &["b.html", "e.html"]);
    }

    #[test]
    fn a_title_that_is_the_question_comes_before_longer_ones() {
        let things = [
            "subscription",
            "topic list",
            "README",
            "page build",
            "license",
            "webhook delivery",
            "rule suite",
            "public key",
        ];
        let texts: Vec<(String, String, String)> = (0..64)
            .map(|n| {
                let title = if n == 41 {
                    "Get a repository".to_owned()
                } else {
                    format!("Get a repository {} {}", things[n % 8], if n < 32 { "" } else { "of an organization" })
                };
                let html = if n == 41 {
                    "<p>Shows it.</p>"
                } else {
                    "<p>Get it, then get the repository of a repository.</p><h2 id=\"path\">Repository path</h2>"
                };
                (format!("p{n}.html"), title, html.to_owned())
            })
            .collect();
        let pages: Vec<SearchPage<'_>> = texts.iter().map(|(url, title, html)| page(url, title, html)).collect();
        for question in ["get a repository", "Get repository", "repository get "] {
            let files = files(&pages, 64);
            let load = |path: &str| files.get(path).cloned();
            let hits = IndexReader::open(0, &load).expect("an index").query(question, 1);
            assert_eq!(hits[0].url, "p41.html", "{question}: {hits:#?}");
        }
    }

    #[test]
    fn beginnings_slips_and_accents_are_found() {
        check(&site(), "authen", &["b.html", "e.html"]);
        check(&site(), "authentcation ", &["b.html", "e.html"]);
        check(&site(), "autehntication", &["b.html", "e.html"]);
        check(&site(), "wbhook", &["e.html"]);
        check(&site(), "cafe", &["c.html"]);
        check(&site(), "réglages", &["c.html"]);
        check(&site(), "CREATEUSER", &["a.html#linux"]);
        check(&site(), "user manager", &["a.html#linux"]);
        check(&site(), "webhook ", &["e.html"]);
        check(&site(), "xyzzy", &[]);
        check(&site(), "", &[]);
    }

    #[test]
    fn scripts_without_spaces_are_found() {
        check(&site(), "全文検索", &["d.html"]);
        check(&site(), "文", &["d.html"]);
        check(&site(), "語本", &[]);
    }

    #[test]
    fn some_words_are_better_than_none() {
        check(&site(), "rotate unheardof", &["b.html#api-keys"]);
        check(&site(), "how do i rotate the keys", &["b.html#api-keys"]);
    }

    #[test]
    fn boosts_lift() {
        let mut pages = vec![page("x.html", "Other", "<p>thing</p>"), page("y.html", "Else", "<p>thing</p>")];
        check(&pages, "thing", &["x.html", "y.html"]);
        pages[1].boost = 3.0;
        check(&pages, "thing", &["y.html", "x.html"]);
    }

    #[test]
    fn large_indexes_are_cut_and_answer_the_same() {
        let texts: Vec<(String, String, String)> = (0..400)
            .map(|n| {
                let html = format!("<p>Common words and number{n} near group{}.</p><h2 id=\"part\">Part about topic{}</h2><p>More.</p>", n / 10, n % 50);
                (format!("pages/p{n}.html"), format!("Page n{n}"), html)
            })
            .collect();
        let pages: Vec<SearchPage<'_>> = texts.iter().map(|(url, title, html)| page(url, title, html)).collect();
        let files = files(&pages, 64);
        assert!((8..=19).contains(&files.len()), "{:?}", files.keys());
        check(&pages, "number123", &["pages/p123.html"]);
        check(&pages, "topic7 group10", &["pages/p107.html#part"]);
        check(&pages, "nunber123", &["pages/p123.html"]);
        let again = super::tests::files(&pages, 400);
        assert_eq!(files, again, "batches do not show");
    }

    #[test]
    fn snippets_mark_what_was_asked_for() {
        let pages = site();
        let files = files(&pages, 9);
        let load = |path: &str| files.get(path).cloned();
        let hits = IndexReader::open(0, &load).unwrap().query("rotate keys", 1);
        let marked: Vec<&str> =
            hits[0].snippet.iter().filter(|(_, marked)| *marked).map(|(text, _)| text.as_str()).collect();
        assert_eq!(marked, ["Rotate"]);
        assert_eq!(hits[0].heading, "Create API keys");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        /// Damaged and hostile files give some result or none.
        #[test]
        fn any_file_ends(bytes in proptest::collection::vec(any::<u8>(), 0..200), question in "\\PC{0,20}") {
            let mut bytes = bytes;
            bytes.insert(0, super::super::VERSION);
            let script = String::from_utf8(super::super::pack::pack_script("0", &bytes)).unwrap();
            let load = |_: &str| Some(script.clone());
            if let Some(reader) = IndexReader::open(0, &load) {
                let _ = reader.query(&question, 5);
            }
            let _ = super::super::reader::read_words(&bytes);
        }
    }
}
