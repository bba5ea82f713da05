//! Words of a text, folded so that readers find them however they type: lower case, without accents, wide and
//! compatibility forms as their plain ones.
//!
//! The client (`templates/search/search.js`) splits queries by the same rules; a test runs both over the same texts.

use std::borrow::Cow;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use base::cut::{SliceText as _, cut};

use super::block::{BLOCK, PrefixBlock, SEED, hash, mixed};

/// Longest word that is indexed, characters; what is longer is a key or a digest, not a search term.
pub(super) const LONGEST: usize = 40;

/// Words that say little: a page may go without them.
const SMALL: [&str; 36] = [
    "a", "an", "and", "are", "as", "at", "be", "by", "can", "do", "does", "for", "from", "how", "i", "in", "is", "it",
    "its", "my", "of", "on", "or", "that", "the", "this", "to", "was", "we", "what", "when", "where", "which", "with",
    "you", "your",
];

/// The article of Arabic, which is written together with its word.
const ARTICLE: &str = "ال";

/// What parts words, of ASCII.
const GAPS: [bool; 256] = {
    let mut gaps = [false; 256];
    let mut byte = 0_u8;
    while byte < 0x80 {
        gaps[byte as usize] = !byte.is_ascii_alphanumeric();
        byte += 1;
    }
    gaps
};

/// Whether a word says little.
pub(super) fn is_small(word: &str) -> bool {
    SMALL.binary_search(&word).is_ok()
}

/// Which names in camel case are also found by their parts. What they are found by is each part, and what begins with
/// one of them: `XMLHttpRequest` by `Http`, `Request` and `HttpRequest`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordParts {
    /// None.
    Never,
    /// None, but words that are joined: queries.
    Joined,
    /// `createUser` and `XMLHttpRequest`, but not `JavaScript`: prose.
    OfSmall,
    /// All: code.
    OfAny,
}

/// What a word is in its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordForm {
    /// It stands there as it is.
    Whole,
    /// A part of a name in camel case, or a word without its article.
    Part,
    /// Two words with a sign of [`CONNECTORS`] between them, written with [`JOINT`]: `invalid_grant`, `docs.json`.
    /// A longer name gives each two that are neighbors.
    Joined,
}

/// What joins words of one name.
const CONNECTORS: [u8; 3] = *b"_-.";
/// Stands between joined words in the index, whatever joins them in the text; no word holds it.
pub(super) const JOINT: char = '_';
/// Ends the name of a page or section in the index; no word holds it.
pub(super) const NAME_MARK: char = '=';

/// Whether two neighbors are worth a word of their own: parts of numbers, dates and digests are not.
fn is_joined(first: &[u8], second: &[u8]) -> bool {
    let has_digit = |word: &[u8]| word.iter().any(u8::is_ascii_digit);
    (first.len() > 1 || second.len() > 1) && !(has_digit(first) && has_digit(second))
}

/// Most words of a name that is found as a whole, and most bytes of all.
const MAX_NAME_WORDS: usize = 6;
const MAX_NAME_BYTES: usize = 64;

/// The words of a title, heading or question as one word of the index, by which what has that name is found, however it
/// is spelled: `OAuthProxy`, `OAuth Proxy` and `oauth-proxy` are the same. Small words count where there are no others.
#[derive(Debug, Default)]
pub(super) struct NameWord {
    /// All words, and those that are not small.
    all: Vec<u8>,
    large: Vec<u8>,
    words: usize,
}

impl NameWord {
    /// With the words of a text; what was there before goes.
    pub(super) fn read(&mut self, text: &str) {
        self.read_without(text, &[]);
    }

    /// With the words of a text but some. False: the text has none of those.
    pub(super) fn read_without(&mut self, text: &str, others: &[Vec<u8>]) -> bool {
        self.all.clear();
        self.large.clear();
        self.words = 0;
        let mut has_others = false;
        scan_words(text, WordParts::Never, &mut |word, _, _| match others.iter().any(|other| other == word) {
            true => has_others = true,
            false => self.push(word),
        });
        has_others
    }

    /// With a further word, UTF-8.
    pub(super) fn push(&mut self, word: &[u8]) {
        self.words += 1;
        if self.words > MAX_NAME_WORDS {
            return;
        }
        let is_small = std::str::from_utf8(word).is_ok_and(is_small);
        for out in [Some(&mut self.all), (!is_small).then_some(&mut self.large)].into_iter().flatten() {
            out.pop();
            out.extend_from_slice(word);
            out.push(NAME_MARK as u8);
        }
    }

    /// The word; none if it has too many words or letters, or none.
    pub(super) fn get(&self) -> Option<&[u8]> {
        let out = if self.large.is_empty() { &self.all } else { &self.large };
        (self.words <= MAX_NAME_WORDS && (1..=MAX_NAME_BYTES).contains(&out.len())).then_some(out)
    }
}

/// Calls `each` with every word of `text`, in order. Scripts written without spaces give pairs of neighboring
/// characters.
pub(super) fn visit_words(text: &str, parts: WordParts, each: &mut impl FnMut(&str)) {
    scan_words(text, parts, &mut |word, _, _| each(&String::from_utf8_lossy(word)));
}

/// Calls `each` with every word of a question and its form.
pub(super) fn visit_question_words(text: &str, each: &mut impl FnMut(&str, WordForm)) {
    scan_words(text, WordParts::Joined, &mut |word, _, form| each(&String::from_utf8_lossy(word), form));
}

/// Calls `each` with every word of `text` and its hash, without parts of names.
pub fn scan_whole_words(text: &str, each: &mut impl FnMut(&[u8], u64)) {
    scan_words(text, WordParts::Never, &mut |word, hash, _| each(word, hash));
}

/// The same with words as UTF-8, their [`hash`], and their form: every word of every page passes here, and none is
/// copied to the heap.
pub(super) fn scan_words(text: &str, parts: WordParts, each: &mut impl FnMut(&[u8], u64, WordForm)) {
    let bytes = text.as_bytes();
    let mut small = [0; LONGEST + BLOCK];
    let mut joined = JoinedWords::default();
    let mut at = 0;
    loop {
        // most of what parts words are a few blanks and marks: a look at each costs less than a block
        while bytes.get(at).is_some_and(|byte| GAPS[usize::from(*byte)]) {
            at += 1;
        }
        if at >= bytes.len() {
            return;
        }
        let start = at;
        let (mut capitals, mut hash) = (0, SEED);
        loop {
            let block = PrefixBlock::of(bytes, at);
            let len = at - start;
            if block.len > 0 {
                hash = mixed(hash, block.small);
                capitals |= block.capitals;
                if let Some(place) = small.get_mut(len..).and_then(|rest| rest.first_chunk_mut()) {
                    *place = block.small.to_le_bytes();
                }
            }
            at += block.len;
            if block.len < BLOCK {
                break;
            }
        }
        let mut after = at + 1;
        if bytes.get(at).is_some_and(|byte| *byte >= 0x80) {
            let end = run_end(text, at);
            // a character that belongs to no word
            let other = text.slice(end..).chars().next().filter(|c| !c.is_ascii() && !is_search_word_char(*c));
            after = end + other.map_or(0, char::len_utf8);
            let pictograph = other.filter(|c| is_pictograph(*c));
            joined.clear();
            if end > at {
                wide(text.slice(start..end), parts, each);
            } else if at > start && pictograph.is_some() {
                // first the word before it
                after = at;
            }
            if let Some(pictograph) = pictograph.filter(|_| after > at) {
                // an emoji is a word of its own, wherever it stands
                scan_pictograph(pictograph, each);
            }
            if end > at || at == start {
                at = after;
                continue;
            }
        }
        if (1..=LONGEST).contains(&(at - start)) {
            let word = &small[..at - start];
            each(word, hash, WordForm::Whole);
            if capitals != 0 && matches!(parts, WordParts::OfSmall | WordParts::OfAny) {
                scan_name_parts(&bytes[start..at], word, parts, each);
            }
            if parts != WordParts::Never {
                joined.add(word, is_connected(bytes, at), each);
            }
        } else {
            joined.clear();
        }
        at = after;
    }
}

/// Whether a sign stands there that joins the word before it with one after it.
fn is_connected(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_some_and(|byte| CONNECTORS.contains(byte))
        && bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric)
}

fn scan_pictograph(pictograph: char, each: &mut impl FnMut(&[u8], u64, WordForm)) {
    let word = fold(pictograph.encode_utf8(&mut [0; 4]));
    if !word.is_empty() {
        each(word.as_bytes(), hash(word.as_bytes()), WordForm::Whole);
    }
}

/// The word before a sign that joins it with the next one; empty if nothing does.
#[derive(Default)]
struct JoinedWords {
    letters: Vec<u8>,
}

impl JoinedWords {
    fn is_empty(&self) -> bool {
        self.letters.is_empty()
    }

    fn clear(&mut self) {
        self.letters.clear();
    }

    /// Takes the next word. `is_open`: something joins it with the one after it.
    fn add(&mut self, word: &[u8], is_open: bool, each: &mut impl FnMut(&[u8], u64, WordForm)) {
        if !self.is_empty() && is_joined(&self.letters, word) {
            self.letters.push(JOINT as u8);
            self.letters.extend_from_slice(word);
            each(&self.letters, hash(&self.letters), WordForm::Joined);
        }
        self.clear();
        if is_open {
            self.letters.extend_from_slice(word);
        }
    }
}

/// Whether a character is an emoji or a pictogram, but no arrow and no sign that changes the one before it.
pub(super) fn is_pictograph(c: char) -> bool {
    matches!(u32::from(c),
        0x231a..=0x231b | 0x23e9..=0x23f3 | 0x2600..=0x27bf | 0x2b50 | 0x2b55 | 0x1f000..=0x1f3fa | 0x1f400..=0x1faff)
}

/// Whether a character is part of words.
pub(super) fn is_search_word_char(c: char) -> bool {
    c.is_alphanumeric() || is_combining_mark(c)
}

/// Where the run of word characters from `at` on ends.
pub(super) fn run_end(text: &str, at: usize) -> usize {
    text.slice(at..)
        .char_indices()
        .find(|(_, c)| !is_search_word_char(*c))
        .map_or(text.len(), |(offset, _)| at + offset)
}

/// The parts of a name of ASCII letters and digits; `small` is the same in small letters.
fn scan_name_parts(name: &[u8], small: &[u8], parts: WordParts, each: &mut impl FnMut(&[u8], u64, WordForm)) {
    if !name[1..].iter().any(u8::is_ascii_uppercase) || !name.iter().any(u8::is_ascii_lowercase) {
        return;
    }
    let is_small = |at: usize| name.get(at).is_some_and(u8::is_ascii_lowercase);
    // the last capital of a run begins a word, unless it only takes a plural s: `APIs`
    let ends_run = |at: usize| is_small(at + 1) && (name[at + 1] != b's' || is_small(at + 2));
    let is_start = |at: &usize| name[*at].is_ascii_uppercase() && (!name[at - 1].is_ascii_uppercase() || ends_run(*at));
    let count = (1..name.len()).filter(is_start).count();
    // `JavaScript` and `OpenAPI` are words of their own in prose
    if count == 0 || parts == WordParts::OfSmall && count == 1 && !name[0].is_ascii_lowercase() {
        return;
    }
    let mut from = 0;
    for to in (1..name.len()).filter(is_start).chain([name.len()]) {
        if to - from > 1 {
            each(&small[from..to], hash(&small[from..to]), WordForm::Part);
        }
        if from > 0 && to < name.len() {
            each(&small[from..], hash(&small[from..]), WordForm::Part);
        }
        from = to;
    }
}

/// A word with other characters: folded, and in pairs where its script has no spaces. An Arabic word is also found
/// without its article.
fn wide(run: &str, parts: WordParts, each: &mut impl FnMut(&[u8], u64, WordForm)) {
    let each = &mut |word: &[u8], form: WordForm| each(word, hash(word), form);
    let folded = fold_quickly(run);
    let mut rest = &*folded;
    while let Some(first) = rest.chars().next() {
        let paired = is_paired(first);
        let end = rest.char_indices().find(|(_, c)| is_paired(*c) != paired).map_or(rest.len(), |(at, _)| at);
        let (segment, after) = cut(rest, end);
        rest = after;
        if paired {
            scan_character_pairs(segment, &mut |pair| each(pair, WordForm::Whole));
        } else if segment.chars().count() <= LONGEST {
            each(segment.as_bytes(), WordForm::Whole);
            if matches!(parts, WordParts::OfSmall | WordParts::OfAny)
                && let Some(word) = segment.strip_prefix(ARTICLE).filter(|word| word.chars().count() > 2)
            {
                each(word.as_bytes(), WordForm::Part);
            }
        }
    }
}

/// Every two neighboring characters; a lone one as it is.
fn scan_character_pairs(segment: &str, each: &mut impl FnMut(&[u8])) {
    let ends = segment.char_indices().map(|(at, c)| at + c.len_utf8());
    let mut before = None;
    let mut start = 0;
    for end in ends {
        if let Some(middle) = before {
            each(&segment.as_bytes()[start..end]);
            start = middle;
        }
        before = Some(end);
    }
    if before == Some(segment.len()) && segment.chars().nth(1).is_none() {
        each(segment.as_bytes());
    }
}

/// Whether [`fold`] leaves a character as it is, among others of which that is true: most of what is written in Chinese,
/// Japanese and Korean, and the names in small letters that stand there.
fn is_folded(c: char) -> bool {
    matches!(c, 'a'..='z' | '0'..='9' | '々' | 'ぁ'..='ゖ' | 'ァ'..='ヺ' | 'ー' | '\u{4e00}'..='\u{9fff}' | '가'..='힣')
}

/// What [`fold`] makes of the letters from `À` to `ÿ`, each of which stands for itself.
static LATIN: LazyLock<[String; 64]> = LazyLock::new(|| {
    let mut at = 0xbf_u8;
    std::array::from_fn(|_| {
        at += 1;
        fold(char::from(at).encode_utf8(&mut [0; 4]))
    })
});

/// [`fold`], by shorter ways for what most texts are written in.
fn fold_quickly(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_folded) {
        return Cow::Borrowed(text);
    }
    if !text.chars().all(|c| c.is_ascii() || matches!(c, 'À'..='ÿ')) {
        return Cow::Owned(fold(text));
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            'À'..='ÿ' => out.push_str(&LATIN[c as usize - 'À' as usize]),
            c if c.is_ascii_alphanumeric() => out.push(c.to_ascii_lowercase()),
            _ => {}
        }
    }
    Cow::Owned(out)
}

/// Small letters without accents, in compatibility form; nothing but word characters.
pub(super) fn fold(text: &str) -> String {
    let lower = text.to_lowercase();
    let bare = lower.nfkd().filter(|c| !is_mark(*c));
    let mut out = String::with_capacity(lower.len());
    for c in bare.nfc() {
        match c {
            'ß' => out.push_str("ss"),
            'æ' => out.push_str("ae"),
            'œ' => out.push_str("oe"),
            'ø' => out.push('o'),
            'đ' | 'ð' => out.push('d'),
            'ł' => out.push('l'),
            'ı' => out.push('i'),
            'ς' => out.push('σ'),
            c if is_search_word_char(c) || is_pictograph(c) => out.push(c),
            _ => {}
        }
    }
    out
}

/// Accents, the points of Hebrew, and the vowel signs of Arabic with the stroke that stretches its words: most texts go
/// without them. So do emoji without the signs that say how they look.
fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{61a}' | '\u{640}' | '\u{64b}'..='\u{65f}' | '\u{670}'
        | '\u{6d6}'..='\u{6ed}' | '\u{fe00}'..='\u{fe0f}')
}

/// Scripts without spaces between words: Thai, Lao, Myanmar, Khmer, kana, Han; and Hangul, whose words carry their
/// particles.
pub(super) fn is_paired(c: char) -> bool {
    matches!(u32::from(c),
        0xe00..=0xeff | 0x1000..=0x109f | 0x1780..=0x17ff | 0x3005..=0x3007 | 0x3040..=0x30ff | 0x3400..=0x4dbf | 0x4e00..=0x9fff
        | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0x20000..=0x3ffff)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn all(text: &str, parts: WordParts) -> Vec<String> {
        let mut out = Vec::new();
        visit_words(text, parts, &mut |word| out.push(word.to_owned()));
        out
    }

    #[track_caller]
    fn check(text: &str, expect: &[&str]) {
        assert_eq!(all(text, WordParts::OfSmall), expect, "{text}");
    }

    #[test]
    fn words_are_folded() {
        check("Hello, World! v2.1", &["hello", "world", "v2", "1"]);
        check("Café naïve ÅNGSTRÖM Straße Œuvre", &["cafe", "naive", "angstrom", "strasse", "oeuvre"]);
        check("cafe\u{301}s ＦＵＬＬ ﬁne", &["cafes", "full", "fine"]);
        check("Ελλάς İstanbul", &["ελλασ", "istanbul"]);
        check("a_b-c/d", &["a", "b", "c", "d"]);
        check("—…“x”", &["x"]);
        check("", &[]);
    }

    #[test]
    fn what_is_folded_already_stays() {
        let stays: String = ('\0'..=char::MAX).filter(|c| is_folded(*c)).collect();
        assert_eq!(fold(&stays), stays);
        assert_eq!(stays.chars().count(), 26 + 10 + 1 + 86 + 90 + 1 + 0x5200 + 0x2ba4);
    }

    #[test]
    fn names_have_parts() {
        check("createUser OpenAPI", &["createuser", "create", "user", "openapi"]);
        assert_eq!(
            all("CodeGroup HTTPServer XMLHttp2", WordParts::OfAny),
            ["codegroup", "code", "group", "httpserver", "http", "server", "xmlhttp2", "xml", "http2"]
        );
        assert_eq!(all("API APIs", WordParts::OfAny), ["api", "apis"]);
        check("XMLFileReader", &["xmlfilereader", "xml", "file", "filereader", "reader"]);
        assert_eq!(all("createUser", WordParts::Never), ["createuser"]);
        check("createUser… “getItem”—x", &["createuser", "create", "user", "getitem", "get", "item", "x"]);
    }

    #[test]
    fn signs_of_vowels_and_articles_go() {
        check("شَجَرَة", &["شجرة"]);
        check("الحديقة", &["الحديقة", "حديقة"]);
        assert_eq!(all("الحديقة", WordParts::Never), ["الحديقة"]);
        check("كــتــاب שָׁלוֹם", &["كتاب", "שלום"]);
    }

    #[test]
    fn emoji_are_words() {
        check("go🎉now ✅", &["go", "🎉", "now", "✅"]);
        check("é👩‍💻 → ❤️", &["e", "👩", "💻", "❤"]);
    }

    #[test]
    fn scripts_without_spaces_come_in_pairs() {
        check("検索する", &["検索", "索す", "する"]);
        check("型", &["型"]);
        check("한국어 검색", &["한국", "국어", "검색"]);
        check("がぎ", &["がぎ"]);
        check("React入門guide", &["react", "入門", "guide"]);
        check("𠮷野家", &["𠮷野", "野家"]);
    }

    #[test]
    fn endless_words_are_left_out() {
        check(&"x".repeat(LONGEST + 1), &[]);
        check(&"é".repeat(LONGEST + 1), &[]);
        check(&"x".repeat(LONGEST), &[&"x".repeat(LONGEST)]);
    }

    proptest! {
        /// Eight bytes at a time find what one byte at a time would.
        #[test]
        fn words_of_ascii_are_runs(text in "([a-zA-Z0-9@\\[`{/:]{0,50}[ .]?){0,6}") {
            let runs = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|run| (1..=LONGEST).contains(&run.len()));
            let expect: Vec<String> = runs.map(str::to_ascii_lowercase).collect();
            let mut found = Vec::new();
            scan_words(&text, WordParts::Never, &mut |word, digest, _| {
                assert_eq!(digest, hash(word));
                found.push(String::from_utf8_lossy(word).into_owned());
            });
            prop_assert_eq!(found, expect);
        }

        /// The short ways lead to the same.
        #[test]
        fn words_are_folded_alike_by_all_ways(text in "([A-Za-z0-9À-ÿ]|[À-ÿ]|[一-鿿ぁ-ゖァ-ヺ가-힣々ー]|\\PC){0,12}") {
            let text: String = text.chars().filter(|c| is_search_word_char(*c)).collect();
            prop_assert_eq!(fold_quickly(&text).into_owned(), fold(&text));
        }

        /// What parts words does not change them.
        #[test]
        fn any_gap_is_a_gap(text in "([a-zA-Zé0-9]{0,44}…){0,5}") {
            prop_assert_eq!(all(&text, WordParts::OfAny), all(&text.replace('…', " "), WordParts::OfAny));
        }

        /// Whatever stands there, words are bounded, whole, and fold to themselves; so are both of those that are joined.
        #[test]
        fn any_text_gives_clean_words(text in "\\PC{0,60}|([a-zA-Z0-9_.-]|é){0,40}|[\\x00-\\u{10ffff}]{0,40}") {
            for word in all(&text, WordParts::OfAny) {
                let parts: Vec<&str> = word.split(JOINT).collect();
                prop_assert!(parts.len() <= 2, "{word:?}");
                for part in parts {
                    prop_assert!(!part.is_empty() && part.chars().count() <= LONGEST + 1);
                    prop_assert!(part.chars().all(|c| is_search_word_char(c) || is_pictograph(c)), "{word:?}");
                    prop_assert!(part.chars().all(|c| c >= ' '));
                }
            }
        }
    }
}
