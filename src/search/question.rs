//! A question as the words that are looked for.

use base::cut::SliceText as _;

use super::word::{
    JOINT, NameWord, WordForm, WordParts, is_search_word_char, is_small, scan_words, visit_question_words,
};

/// Most words of a question that count.
const MAX_WORDS: usize = 12;
/// What begins and ends a phrase.
const QUOTES: [char; 5] = ['"', '\u{201c}', '\u{201d}', '\u{201e}', '\u{201f}'];

/// A word of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct QuestionWord {
    pub(super) word: String,
    /// Stands between quotes: it means itself and nothing like it.
    pub(super) is_exact: bool,
    /// Still being typed: longer words are meant too.
    pub(super) is_open: bool,
}

impl QuestionWord {
    /// Whether it is two words that are joined.
    pub(super) fn is_joined(&self) -> bool {
        self.word.contains(JOINT)
    }
}

/// What a reader has typed.
#[derive(Debug, Default)]
pub(super) struct Question {
    /// Its words, each once. Joined words follow the second of them.
    pub(super) words: Vec<QuestionWord>,
    /// Words between quotes, which have to stand together; phrases of several words only.
    pub(super) phrases: Vec<Vec<String>>,
    /// All of it as one word: what has that name is meant. Of two words, in both orders.
    pub(super) names: Vec<String>,
}

impl Question {
    pub(super) fn parse(text: &str) -> Self {
        let mut out = Self::default();
        let mut whole: Vec<String> = Vec::new();
        let parts: Vec<&str> = text.split(QUOTES).collect();
        for (at, part) in parts.iter().enumerate() {
            // a phrase that is still being typed has no end
            let is_exact = at % 2 == 1 && at + 1 < parts.len();
            let mut phrase = Vec::new();
            visit_question_words(part, &mut |word, form| {
                if form == WordForm::Whole {
                    whole.push(word.to_owned());
                    phrase.extend(is_exact.then(|| word.to_owned()));
                }
                out.push(QuestionWord { word: word.to_owned(), is_exact, is_open: false });
            });
            if phrase.len() > 1 {
                out.phrases.push(phrase);
            }
        }
        if text.chars().next_back().is_some_and(is_search_word_char) {
            out.open_end();
        }
        out.names.extend(name_of(&whole));
        if whole.iter().filter(|word| !is_small(word)).count() == 2 {
            whole.reverse();
            out.names.extend(name_of(&whole));
        }
        out
    }

    fn push(&mut self, word: QuestionWord) {
        if self.words.len() < MAX_WORDS && !self.words.iter().any(|known| known.word == word.word) {
            self.words.push(word);
        }
    }

    /// The last word, and its end of joined words, may be the beginning of a longer one.
    fn open_end(&mut self) {
        let Some(last) = self.words.last_mut() else { return };
        last.is_open = true;
        let Some(end) = last.word.rfind(JOINT).map(|at| last.word.slice(at + JOINT.len_utf8()..).to_owned()) else {
            return;
        };
        if let Some(word) = self.words.iter_mut().rev().find(|word| word.word == end) {
            word.is_open = true;
        }
    }
}

fn name_of(words: &[String]) -> Option<String> {
    let mut name = NameWord::default();
    words.iter().for_each(|word| name.push(word.as_bytes()));
    name.get().and_then(|name| String::from_utf8(name.to_vec()).ok())
}

/// Whether the words of a phrase stand together in a text.
pub(super) fn says_phrase(text: &str, phrase: &[String]) -> bool {
    let mut words = Vec::new();
    scan_words(text, WordParts::Never, &mut |word, _, _| words.push(word.to_vec()));
    words.windows(phrase.len()).any(|window| window.iter().zip(phrase).all(|(a, b)| a == b.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, words: &[&str], open: &[&str], phrases: &[&[&str]]) {
        let question = Question::parse(text);
        let found: Vec<&str> = question.words.iter().map(|word| word.word.as_str()).collect();
        assert_eq!(found, words, "{text}");
        let found: Vec<&str> =
            question.words.iter().filter(|word| word.is_open).map(|word| word.word.as_str()).collect();
        assert_eq!(found, open, "{text}");
        assert_eq!(question.phrases, phrases, "{text}");
    }

    #[test]
    fn words_of_one_name_are_joined() {
        check("invalid_grant ", &["invalid", "grant", "invalid_grant"], &[], &[]);
        check("invalid_gra", &["invalid", "gra", "invalid_gra"], &["gra", "invalid_gra"], &[]);
        check("import.meta.env?", &["import", "meta", "import_meta", "env", "meta_env"], &[], &[]);
        check("a token", &["a", "token"], &["token"], &[]);
    }

    #[test]
    fn quotes_make_phrases() {
        check("\"hidden pages\" search", &["hidden", "pages", "search"], &["search"], &[&["hidden", "pages"]]);
        check("“hidden pages”", &["hidden", "pages"], &[], &[&["hidden", "pages"]]);
        check("\"hidden pag", &["hidden", "pag"], &["pag"], &[]);
        check("\"hidden\"", &["hidden"], &[], &[]);
        assert!(Question::parse("\"hidden\"").words[0].is_exact);
    }

    #[test]
    fn names_leave_small_words_out() {
        assert_eq!(Question::parse("Get a user").names, ["getuser=", "userget="]);
        assert_eq!(Question::parse("how to").names, ["howto="]);
        assert_eq!(Question::parse("get many users").names, ["getmanyusers="]);
        assert!(Question::parse("").names.is_empty());
    }

    #[test]
    fn phrases_stand_together() {
        let phrase = ["hidden".to_owned(), "pages".to_owned()];
        assert!(says_phrase("Of *hidden* Pages.", &phrase));
        assert!(!says_phrase("Hidden, but no pages", &phrase));
    }
}
