//! What a word of a question may stand for: itself, longer words that begin with it, its plural, and, where that gives
//! nothing, words one letter off.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::index::compare_utf16;
use super::question::QuestionWord;
use super::reader::{IndexReader, ShardWords, TermPages};
use super::word::{JOINT, NAME_MARK};

/// A term that a word of the question stands for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TermExpansion {
    pub(super) word: String,
    /// How likely the query means this word: 1 for the word itself.
    pub(super) factor: f64,
}

/// A word of the question: what it stands for, and where that is.
pub(super) struct QueryGroup {
    pub(super) expansions: Vec<TermExpansion>,
    /// Pages may go without it.
    pub(super) is_optional: bool,
    /// For each page its best score, and the section that has it.
    pub(super) pages: FxHashMap<u32, (f64, u32)>,
}

/// Longer words that a beginning may stand for.
const MAX_ENDINGS: usize = 24;
/// Longer words that a beginning may stand for, when only frequent words are known.
const MAX_FREQUENT: usize = 8;
/// Words that a misspelt one may stand for.
const MAX_CORRECTIONS: usize = 6;
/// Files that are loaded for words found among the frequent ones.
const MOST_FILES: usize = 3;
/// Characters of the shortest word that may be misspelt.
const MIN_CORRECTED_CHARS: usize = 5;

/// How much less a longer word counts if the beginning is a word itself.
const KNOWN_BEGINNING: f64 = 0.7;

/// What a word stands for, with the pages of each.
pub(super) fn expand_query_word(
    reader: &IndexReader<'_>,
    asked: &QuestionWord,
) -> (Vec<TermExpansion>, Vec<TermPages>) {
    let word = asked.word.as_str();
    let mut known = QueryWords { reader, shards: BTreeMap::new() };
    let (first, mut last) = (known.place(word), known.place(word));
    if asked.is_open {
        last = known.place(&format!("{word}\u{ffff}"));
    }
    let complete = last <= first + 1;
    for at in first..=if complete { last } else { first } {
        known.load(at);
    }
    let mut chosen: Vec<TermExpansion> = Vec::new();
    let push = |chosen: &mut Vec<TermExpansion>, word: &str, factor: f64| {
        if !chosen.iter().any(|known| known.word == word) {
            chosen.push(TermExpansion { word: word.to_owned(), factor });
        }
    };
    let is_known = known.has(word);
    if is_known {
        push(&mut chosen, word, 1.0);
    }
    if asked.is_exact {
        return known.collect(chosen);
    }
    for variant in variants(word) {
        if known.has(&variant) || known.is_frequent(&variant) {
            push(&mut chosen, &variant, 0.9);
        }
    }
    if asked.is_open {
        let known_share = if is_known { KNOWN_BEGINNING } else { 1.0 };
        for (ending, _) in known.endings(word, complete) {
            let share = word.chars().count() as f64 / ending.chars().count() as f64;
            push(&mut chosen, &ending, (0.55 + 0.35 * share) * known_share);
        }
    }
    if chosen.is_empty() && !asked.is_joined() && word.chars().count() >= MIN_CORRECTED_CHARS {
        for slip in known.slips(word, asked.is_open) {
            push(&mut chosen, &slip, 0.5);
        }
    }
    known.collect(chosen)
}

/// The pages that have one of some names, in singular or plural, with the weight of each.
pub(super) fn find_names(reader: &IndexReader<'_>, names: &[String]) -> FxHashMap<u32, u8> {
    let known = QueryWords { reader, shards: BTreeMap::new() };
    let mut out = FxHashMap::default();
    for name in names {
        let mut shard = reader.words(known.place(name));
        let others = variants(name.trim_end_matches(NAME_MARK));
        let others = others.into_iter().map(|variant| format!("{variant}{NAME_MARK}"));
        for name in std::iter::once(name.clone()).chain(others) {
            for (page, weight, _) in shard.remove(&name).unwrap_or_default().pages {
                let best = out.entry(page).or_insert(weight);
                *best = weight.max(*best);
            }
        }
    }
    out
}

/// Whether a word of the index may stand for one of the question that is longer or misspelt: no name does, and joined
/// words stand for joined words only.
fn is_alike(known: &str, is_joined: bool) -> bool {
    !known.contains(NAME_MARK) && known.contains(JOINT) == is_joined
}

/// The other number of a noun, as English and its neighbors form it.
fn variants(word: &str) -> Vec<String> {
    let stem = |ending: &str| word.strip_suffix(ending).filter(|stem| stem.len() > 2);
    match (stem("ies"), stem("es"), stem("s")) {
        _ if word.ends_with("ss") => vec![format!("{word}es")],
        (Some(stem), ..) => vec![format!("{stem}y")],
        (_, Some(es), Some(s)) => vec![s.to_owned(), es.to_owned()],
        (_, _, Some(stem)) => vec![stem.to_owned()],
        _ if !word.is_ascii() || word.len() < 3 => Vec::new(),
        _ => match word.strip_suffix('y') {
            Some(stem) => vec![format!("{word}s"), format!("{stem}ies")],
            None => vec![format!("{word}s"), format!("{word}es")],
        },
    }
}

/// The words that are known so far.
struct QueryWords<'r, 'l> {
    reader: &'r IndexReader<'l>,
    shards: BTreeMap<usize, ShardWords>,
}

impl QueryWords<'_, '_> {
    /// The shard in which a word would stand.
    fn place(&self, word: &str) -> usize {
        self.reader.head.words.partition_point(|(first, _)| compare_utf16(first, word).is_le()).saturating_sub(1)
    }

    fn load(&mut self, at: usize) {
        let reader = self.reader;
        self.shards.entry(at).or_insert_with(|| reader.words(at));
    }

    fn has(&self, word: &str) -> bool {
        self.shards.values().any(|shard| shard.contains_key(word))
    }

    fn is_frequent(&self, word: &str) -> bool {
        self.reader.head.frequent.binary_search_by(|(known, _)| compare_utf16(known, word)).is_ok()
    }

    /// All words that are known, with how many pages say them.
    fn all(&self) -> BTreeMap<&str, u32> {
        let frequent = self.reader.head.frequent.iter().map(|(word, pages)| (word.as_str(), *pages));
        let loaded = self.shards.values().flatten().map(|(word, term)| (word.as_str(), term.pages.len() as u32));
        frequent.chain(loaded).collect()
    }

    /// Longer words, those first that more pages say.
    fn endings(&self, word: &str, complete: bool) -> Vec<(String, u32)> {
        let is_joined = word.contains(JOINT);
        let longer = |known: &&str| known.len() > word.len() && known.starts_with(word) && is_alike(known, is_joined);
        let found: Vec<(String, u32)> = if complete {
            let loaded = self.shards.values().flatten();
            loaded
                .filter(|(known, _)| longer(&known.as_str()))
                .map(|(word, term)| (word.clone(), term.pages.len() as u32))
                .collect()
        } else {
            self.reader.head.frequent.iter().filter(|(known, _)| longer(&known.as_str())).cloned().collect()
        };
        ranked(found, if complete { MAX_ENDINGS } else { MAX_FREQUENT })
    }

    fn slips(&self, word: &str, is_open: bool) -> Vec<String> {
        let typed: Vec<char> = word.chars().collect();
        let near = |known: &str| {
            let known: Vec<char> = known.chars().take(typed.len() + 2).collect();
            if !is_open {
                return one_off(&typed, &known);
            }
            (typed.len() - 1..=typed.len() + 1)
                .any(|length| known.get(..length).is_some_and(|begin| one_off(&typed, begin)))
        };
        let found = self
            .all()
            .into_iter()
            .filter(|(known, _)| is_alike(known, false) && near(known))
            .map(|(word, pages)| (word.to_owned(), pages))
            .collect();
        ranked(found, MAX_CORRECTIONS).into_iter().map(|(word, _)| word).collect()
    }

    /// The pages of the chosen words; those in too many further files are left out.
    fn collect(mut self, chosen: Vec<TermExpansion>) -> (Vec<TermExpansion>, Vec<TermPages>) {
        let mut more = 0;
        let mut out = (Vec::new(), Vec::new());
        for expansion in chosen {
            let at = self.place(&expansion.word);
            if !self.shards.contains_key(&at) {
                if more == MOST_FILES {
                    continue;
                }
                more += 1;
                self.load(at);
            }
            if let Some(term) = self.shards.get_mut(&at).and_then(|shard| shard.remove(&expansion.word)) {
                out.0.push(expansion);
                out.1.push(term);
            }
        }
        out
    }
}

/// The words that most pages say, at most `most`.
fn ranked(mut words: Vec<(String, u32)>, most: usize) -> Vec<(String, u32)> {
    words.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| compare_utf16(&a.0, &b.0)));
    words.truncate(most);
    words
}

/// Whether one letter is wrong, missing or too much, or two neighbors are swapped.
fn one_off(a: &[char], b: &[char]) -> bool {
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[same..], &b[same..]);
    let ends = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    match (a.len() - ends, b.len() - ends) {
        (1, 1) | (1, 0) | (0, 1) => true,
        (2, 2) => a[0] == b[1] && a[1] == b[0],
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(a: &str, b: &str, expect: bool) {
        let chars = |text: &str| text.chars().collect::<Vec<_>>();
        assert_eq!(one_off(&chars(a), &chars(b)), expect, "{a} {b}");
    }

    #[test]
    fn one_letter_is_forgiven() {
        check("token", "tokan", true);
        check("token", "tken", true);
        check("token", "tokenn", true);
        check("token", "toekn", true);
        check("aab", "ab", true);
        check("token", "tkone", false);
        check("token", "token", false);
        check("token", "taken2", false);
    }

    #[test]
    fn nouns_have_two_numbers() {
        assert_eq!(variants("keys"), ["key"]);
        assert_eq!(variants("queries"), ["query"]);
        assert_eq!(variants("boxes"), ["boxe", "box"]);
        assert_eq!(variants("access"), ["accesses"]);
        assert_eq!(variants("policy"), ["policys", "policies"]);
        assert_eq!(variants("is"), Vec::<String>::new());
    }
}
