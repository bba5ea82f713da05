//! What a regular expression can start with: a small automaton that accepts at least all texts that begin with a match.
//!
//! Whatever is hard (look-behind, negative look-ahead, back-references, conditions) is taken to hold, so the automaton
//! errs on the side of "may match"; Oniguruma has the last word. What it does know rules out nearly all patterns of a
//! scanner at nearly all places.

use super::ast::{Ast, LookBehind, MatchPlaces, Other};
use super::syntax::parse_regex;

/// The automaton.
pub(super) struct Prefix {
    nodes: Vec<PrefixNode>,
    sets: Vec<(u128, Other)>,
    pub start: u16,
    pub places: MatchPlaces,
    pub before: LookBehind,
}

/// A node of an automaton; the first is `Accept`.
#[derive(Clone, Copy)]
pub(super) enum PrefixNode {
    /// One character of a set.
    Char {
        set: u16,
        next: u16,
    },
    /// The rest of a character that is not ASCII.
    Tail {
        next: u16,
    },
    Split(u16, u16),
    /// Accepts at the end of the text.
    End,
    Accept,
}

/// Nodes of an automaton, beyond which a pattern "may match anywhere".
const NODES: usize = 60_000;

impl Prefix {
    pub(super) fn of(source: &str) -> Self {
        let ast = parse_regex(source);
        let places = ast.places();
        let places = MatchPlaces(if places & MatchPlaces::OPEN != 0 { MatchPlaces::ANY } else { places });
        let mut prefix =
            Self { nodes: vec![PrefixNode::Accept], sets: Vec::new(), start: 0, places, before: ast.before() };
        prefix.start = prefix.emit(&ast, 0);
        if prefix.is_full() {
            (prefix.nodes, prefix.sets, prefix.start) = (vec![PrefixNode::Accept], Vec::new(), 0);
        }
        prefix
    }

    pub(super) fn node(&self, index: u16) -> PrefixNode {
        self.nodes[usize::from(index)]
    }

    /// ASCII characters of a set, and what others do.
    pub(super) fn set(&self, index: u16) -> (u128, Other) {
        self.sets[usize::from(index)]
    }

    fn is_full(&self) -> bool {
        self.nodes.len() >= NODES
    }

    fn add(&mut self, node: PrefixNode) -> u16 {
        if self.is_full() {
            return 0;
        }
        self.nodes.push(node);
        self.nodes.len() as u16 - 1
    }

    /// Adds `ast` in front of `next`; gives its first node.
    fn emit(&mut self, ast: &Ast, next: u16) -> u16 {
        if self.is_full() {
            return 0;
        }
        match ast {
            Ast::Anything => 0,
            Ast::End => self.add(PrefixNode::End),
            Ast::Ahead(inner) => self.emit(inner, 0),
            Ast::Char { ascii, other, .. } => {
                let next = if *other == Other::Yes { self.add(PrefixNode::Tail { next }) } else { next };
                let known = self.sets.iter().position(|set| *set == (*ascii, *other));
                let set = known.unwrap_or_else(|| {
                    self.sets.push((*ascii, *other));
                    self.sets.len() - 1
                });
                self.add(PrefixNode::Char { set: set as u16, next })
            }
            Ast::All(parts) => self.emit_all(parts, next),
            Ast::Any(parts) => {
                let starts: Vec<u16> = parts.iter().map(|part| self.emit(part, next)).collect();
                starts.into_iter().reduce(|first, second| self.add(PrefixNode::Split(first, second))).unwrap_or(next)
            }
            Ast::Repeat { inner, least, most, .. } => {
                let mut next = next;
                // beyond a few, "exactly n" is as good as "at least those few"
                if *least > 4 || most.is_none_or(|most| most > *least) {
                    let split = self.add(PrefixNode::Split(next, next));
                    let body = self.emit(inner, split);
                    self.nodes[usize::from(split)] =
                        if split == 0 { PrefixNode::Accept } else { PrefixNode::Split(body, next) };
                    next = split;
                }
                for _ in 0..(*least).min(4) {
                    next = self.emit(inner, next);
                }
                next
            }
            // taken to hold
            _ => next,
        }
    }

    fn emit_all(&mut self, parts: &[Ast], next: u16) -> u16 {
        // a look-ahead stands for what follows it, unless something there must be matched anyway
        let from = parts.iter().rposition(|part| !part.may_be_empty()).map_or(0, |last| last + 1);
        let ahead = parts[from..].iter().position(|part| matches!(part, Ast::Ahead(_)));
        let end = ahead.map_or(parts.len(), |at| from + at + 1);
        parts[..end]
            .iter()
            .enumerate()
            .rev()
            .filter(|(index, part)| *index >= from || !matches!(part, Ast::Ahead(_)))
            .fold(if ahead.is_some() { 0 } else { next }, |next, (_, part)| self.emit(part, next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::GrammarPattern;

    /// Whether the automaton lets `text` pass.
    fn passes(pattern: &str, text: &str) -> bool {
        let prefix = Prefix::of(pattern);
        let mut automaton = crate::scanner::Automaton::default();
        !automaton.candidates(&[&prefix], text.as_bytes(), 0).is_empty()
    }

    #[track_caller]
    fn check(pattern: &str, passing: &[&str], stopped: &[&str]) {
        for text in passing {
            assert!(passes(pattern, text), "{pattern} must let pass {text:?}");
        }
        for text in stopped {
            assert!(!passes(pattern, text), "{pattern} need not let pass {text:?}");
        }
    }

    #[test]
    fn literals_and_classes() {
        check(r"\b(fn|let)\b", &["fn x", "let", "letter"], &["le", "x fn", ""]);
        check(r"[a-c\d&&[^b]]x", &["ax", "1x"], &["bx", "dx"]);
        check(r"(?x) a  b # no c", &["ab"], &["a b"]);
        check("(?x) a + # some\n b", &["ab", "aab"], &["a+b"]);
        check(r"\{\d{2,3}\}", &["{12}", "{123}"], &["{1}", "{}", "{ 1"]);
        check(r"a{x", &["a{x"], &["ax"]);
        check(r"[]a]b", &["]b", "ab"], &["b"]);
        check(r"é+x", &["éx", "ééx"], &["x"]);
    }

    #[test]
    fn look_around() {
        check(r"(?<!x)(?=ab)", &["abc"], &["ac"]);
        check(r"(?=ab)[a-z]c", &["xc", "ac"], &["ab"]);
        check(r"a(?!b)", &["ab", "a"], &["b"]);
        check(r"(?:a(?=[bc]))c?", &["ab", "ac"], &["ad"]);
        check(r"a$", &["a", "a\n"], &["ab"]);
        check(r"(?=$)|b", &["", "\nx", "b"], &["x"]);
    }

    #[test]
    fn case_folding() {
        check(r"(?i)select", &["SELECT", "sElect", "ſelect"], &["selext"]);
        check(r"(?i:a)b", &["Ab", "ab"], &["aB"]);
        check(r"(?i)straße", &["STRASSE", "straße"], &[]);
        check(r"a(?i)b|c", &["aB", "aC"], &["A", "C", "c"]);
    }

    #[test]
    fn hard_things_pass() {
        check(r"(a)\1z", &["aq"], &["b"]);
        check(r"\p{Lu}x", &["Éx", "Qx"], &["Q", "qx"]);
        check(r"\p{^L}x", &["1x", "ax"], &["1"]);
        check(r"[^\p{Sc}]x", &["ax", "€x", "$x"], &["a"]);
        check(r"a\g<x>", &["anything"], &["x"]);
        check(r"(?i)[a-zß]y", &["SSy", "ay"], &["1y"]);
        check(r"a\xq|b", &["aq", "b", "x"], &[]);
        check(r"(a\xq)?b", &["b"], &[]);
        check(r"a\xq", &["aq"], &["b"]);
    }

    #[test]
    fn places() {
        let allow = |pattern: &str, line, anchor| Prefix::of(pattern).places.allow(line, anchor);
        assert!(allow("^a", true, false) && !allow("^a", false, true));
        assert!(allow(r"(^|\G)a", false, true) && allow(r"(^|\G)a", true, false) && !allow(r"(^|\G)a", false, false));
        assert!(allow("(^)?a", false, false) && allow("a|^b", false, false) && allow("(?=^)a", false, false));
        assert!(!allow(r"(?<=x)\G(?:a)*", true, false));
    }

    #[test]
    fn what_stands_before() {
        let allows = |pattern: &str, last: Option<char>| Prefix::of(pattern).before.allows(last.map(|c| c as u8));
        assert!(allows(r"\bfn\b", Some(' ')) && allows(r"\bfn", None) && !allows(r"\bfn", Some('a')));
        assert!(
            allows(r"(?<!\.)x", Some('a')) && !allows(r"(?<!\.)x", Some('.')) && allows(r"(?<!\p{Sc})x", Some('a'))
        );
        assert!(
            allows(r"(?<=[(,]|^)x", Some(',')) && allows(r"(?<=[(,]|^)x", None) && !allows(r"(?<=[(,]|^)x", Some('a'))
        );
        assert!(allows(r"(?<=\.\.)x", Some('.')) && !allows(r"(?<=a\.)x", Some('a')) && allows(r"(?<!ab)x", Some('b')));
        assert!(allows(r"(?<!a(?!b))x", Some('a')) && allows(r"(?<!\Ba)x", Some('a')));
        assert!(allows(r"(?<=\bvar\b)\s*x", Some('r')) && !allows(r"(?<=\bvar\b)\s*x", Some('a')));
        assert!(
            allows(r"\ba|(?<=z)b", Some('z')) && allows(r"(\ba)?b", Some('z')) && !allows(r"(\b(?:a|b))+", Some('z'))
        );
        assert!(
            !allows(r"\b\(", None)
                && allows(r"\b\(", Some('f'))
                && allows(r"\b[\w(]", Some(' '))
                && allows(r"\b[é(]", Some('f'))
        );
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(3000))]
        /// What Oniguruma matches, the automaton lets pass.
        #[test]
        fn nothing_that_matches_is_stopped(
            pattern in r"([abS(|)\[\]^$.?*+{}1,:=!<>&-]|\\[bdwsSWDhHGAk1x]|\(\?[=!:ix]|\(\?<[=!]|[éßk]|\[\^|\[:alpha:\]|\[:\^?punct:\]|\\p\{[LS]\}|\\b|\(\?<=[ab]\)|\(\?<![a ]\)){1,14}",
            text in "[abs1 éßkK(]{0,10}",
            at in 0_usize..4,
        ) {
            let compiled = GrammarPattern::shared(&pattern);
            let text = text + "\n";
            let at = if text.is_char_boundary(at) { at.min(text.len()) } else { 0 };
            if let Some(regex) = compiled.regex() {
                let found = regex.match_with_param(text.as_str(), at, onig::SearchOptions::SEARCH_OPTION_NONE, None, onig::MatchParam::default());
                if found.is_ok_and(|length| length.is_some()) {
                    let prefix = compiled.prefix();
                    let last = at.checked_sub(1).map(|before| text.as_bytes()[before]);
                    proptest::prop_assert!(passes(&pattern, &text[at..]), "{:?} on {:?} at {}", pattern, text, at);
                    proptest::prop_assert!(prefix.places.allow(at == 0, true) && prefix.before.allows(last), "{:?} on {:?} at {}", pattern, text, at);
                }
            }
        }
    }
}
