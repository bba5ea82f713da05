//! Runs programs: a backtracking matcher for lines in ASCII.

use super::program::{Back, Class, Op, Program};

/// What a matcher finds out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MatchVerdict {
    /// Up to here.
    Match(usize),
    NoMatch,
    /// It met characters beyond ASCII, or it takes long.
    Unknown,
}

/// Where a match is looked for.
#[derive(Clone, Copy)]
pub(super) struct MatchInput<'a> {
    pub text: &'a [u8],
    /// Where `\G` holds, if anywhere.
    pub anchor: Option<usize>,
}

/// Room for matches, used again and again.
#[derive(Default)]
pub(super) struct Matcher {
    stack: Vec<Saved>,
    /// For each group where it begins and ends.
    slots: Vec<usize>,
    /// Times that it may still go back.
    retries: usize,
}

/// What is left to try, and what to undo before.
#[derive(Clone, Copy)]
enum Saved {
    Retry {
        op: u16,
        at: usize,
    },
    /// A run that may end anywhere down to the least.
    Shorter {
        op: u16,
        least: usize,
        at: usize,
    },
    Slot {
        slot: u16,
        value: usize,
    },
}

/// Not set.
const NOWHERE: usize = usize::MAX;
/// Times that a match goes back, beside two for each byte, before it is left to Oniguruma: much less than what makes an
/// attempt of that cost more.
const RETRIES: usize = 100;

impl Matcher {
    /// Tries a match at a place.
    pub(super) fn matches(&mut self, program: &Program, input: MatchInput<'_>, at: usize) -> MatchVerdict {
        self.stack.clear();
        self.slots.clear();
        self.slots.resize(usize::from(program.groups) * 2, NOWHERE);
        self.retries = RETRIES + 2 * (input.text.len() - at);
        self.run(program, input, program.start, at, false).unwrap_or(MatchVerdict::Unknown)
    }

    /// Looks for the first match from a place on; gives where it tried last.
    pub(super) fn search(&mut self, program: &Program, input: MatchInput<'_>, from: usize) -> (usize, MatchVerdict) {
        for at in from..=input.text.len() {
            let next = input.text.get(at).copied();
            // a place within a character is none
            if next.is_some_and(|byte| matches!(byte, 0x80..=0xbf)) || !program.first.may_hold(next) {
                continue;
            }
            let verdict = self.matches(program, input, at);
            if verdict != MatchVerdict::NoMatch {
                return (at, verdict);
            }
        }
        (input.text.len(), MatchVerdict::NoMatch)
    }

    /// The ranges of the groups of the last match, the whole match first.
    pub(super) fn groups(&self, from: usize, to: usize) -> impl Iterator<Item = Option<(usize, usize)>> {
        let whole = std::iter::once(Some((from, to)));
        whole.chain(self.slots.chunks_exact(2).skip(1).map(|ends| (ends[1] != NOWHERE).then_some((ends[0], ends[1]))))
    }

    /// Runs from an operation on to the first [`Op::Done`]; what it may still try stays on the stack.
    fn run(
        &mut self,
        program: &Program,
        input: MatchInput<'_>,
        mut op: u16,
        mut at: usize,
        nested: bool,
    ) -> Option<MatchVerdict> {
        let base = self.stack.len();
        let text = input.text;
        loop {
            let peek = text.get(at).copied();
            let next = match program.op(op) {
                Op::Char { class, next } => {
                    let is_match = holds(program.class(class), peek)?;
                    at += usize::from(is_match);
                    is_match.then_some(next)
                }
                Op::Run { run, next } => {
                    let run = program.run(run);
                    let end = run_end(program.class(run.class), text, at, run.most)?;
                    let least = at + run.least as usize;
                    if run.gives_back && end > least {
                        self.stack.push(Saved::Shorter { op: next, least, at: end });
                    }
                    at = end.max(at);
                    (end >= least).then_some(next)
                }
                Op::Branch { first, second, first_class, second_class } => {
                    match (program.class(first_class).may_hold(peek), program.class(second_class).may_hold(peek)) {
                        (true, true) => {
                            self.stack.push(Saved::Retry { op: second, at });
                            Some(first)
                        }
                        (true, false) => Some(first),
                        (false, true) => Some(second),
                        (false, false) => None,
                    }
                }
                Op::Switch { table } => Some(program.target(table, peek)),
                Op::Fail => None,
                Op::Save { slot, next } => {
                    let value = std::mem::replace(&mut self.slots[usize::from(slot)], at);
                    if nested || !self.stack.is_empty() {
                        self.stack.push(Saved::Slot { slot, value });
                    }
                    Some(next)
                }
                Op::Peek { class, negative, next } => (holds(program.class(class), peek)? != negative).then_some(next),
                Op::Look { body, negative, next } => self.look(program, input, body, at, negative)?.then_some(next),
                Op::Behind { index, negative, next } => (behind(program, index, text, at)? != negative).then_some(next),
                Op::Boundary { negative, next } => (boundary(text, at)? != negative).then_some(next),
                Op::LineStart { next } => line_start(text, at).then_some(next),
                Op::Anchor { next } => (input.anchor == Some(at)).then_some(next),
                Op::Done => return Some(MatchVerdict::Match(at)),
            };
            if let Some(next) = next {
                op = next;
            } else if let Some(back) = self.go_back(base)? {
                (op, at) = back;
            } else {
                return Some(MatchVerdict::NoMatch);
            }
        }
    }

    /// What is to be tried next, if anything above `base` is. `None`: that has been done too often.
    fn go_back(&mut self, base: usize) -> Option<Option<(u16, usize)>> {
        self.retries = self.retries.checked_sub(1)?;
        while self.stack.len() > base {
            match self.stack.pop()? {
                Saved::Retry { op, at } => return Some(Some((op, at))),
                Saved::Shorter { op, least, at } => {
                    let at = at - 1;
                    if at > least {
                        self.stack.push(Saved::Shorter { op, least, at });
                    }
                    return Some(Some((op, at)));
                }
                Saved::Slot { slot, value } => self.slots[usize::from(slot)] = value,
            }
        }
        Some(None)
    }

    /// Whether a look-ahead holds. Groups that a positive one sets stay set.
    fn look(&mut self, program: &Program, input: MatchInput<'_>, body: u16, at: usize, negative: bool) -> Option<bool> {
        let base = self.stack.len();
        let is_match = self.run(program, input, body, at, true)? != MatchVerdict::NoMatch;
        if is_match && negative {
            while self.stack.len() > base {
                if let Saved::Slot { slot, value } = self.stack.pop()? {
                    self.slots[usize::from(slot)] = value;
                }
            }
        } else if is_match {
            let mut kept = base;
            for index in base..self.stack.len() {
                if matches!(self.stack[index], Saved::Slot { .. }) {
                    self.stack.swap(kept, index);
                    kept += 1;
                }
            }
            self.stack.truncate(kept);
        }
        Some(is_match != negative)
    }
}

/// Whether a class holds a character; `None` if that is beyond ASCII and not known.
#[inline]
fn holds(class: &Class, next: Option<u8>) -> Option<bool> {
    let may = class.may_hold(next);
    (!may || next.is_none_or(|byte| byte.is_ascii())).then_some(may)
}

/// Where a run ends at most.
#[inline]
fn run_end(class: &Class, text: &[u8], at: usize, most: u32) -> Option<usize> {
    let longest = text.len().min(at.saturating_add(most as usize));
    let mut end = at;
    while end < longest && holds(class, Some(text[end]))? {
        end += 1;
    }
    Some(end)
}

fn line_start(text: &[u8], at: usize) -> bool {
    at == 0 || (at < text.len() && text[at - 1] == b'\n')
}

fn boundary(text: &[u8], at: usize) -> Option<bool> {
    let is_word = |byte: Option<u8>| match byte {
        Some(byte) if !byte.is_ascii() => None,
        byte => Some(byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_')),
    };
    let before = at.checked_sub(1).map(|before| text[before]);
    Some(is_word(before)? != is_word(text.get(at).copied())?)
}

/// Whether one of the alternatives of a look-behind holds.
fn behind(program: &Program, index: u16, text: &[u8], at: usize) -> Option<bool> {
    for steps in program.behind(index) {
        let mut to = at;
        let mut is_match = true;
        for step in steps {
            is_match = match step {
                Back::Char(class) => match to.checked_sub(1) {
                    None => false,
                    Some(before) => {
                        to = before;
                        holds(program.class(*class), Some(text[before]))?
                    }
                },
                Back::Behind { index, negative } => behind(program, *index, text, to)? != *negative,
                Back::Boundary => boundary(text, to)?,
                Back::LineStart => line_start(text, to),
            };
            if !is_match {
                break;
            }
        }
        if is_match {
            return Some(true);
        }
    }
    Some(false)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::compare::compare_matchers;
    use super::super::pattern::GrammarPattern;
    use super::*;

    #[test]
    fn common_patterns_are_understood() {
        for (source, text) in [
            (",", "a,b\n"),
            (r"(\[)", "[[\n"),
            (r"\b([_[:alpha:]]\w*)\b", "a bc_1 d\n"),
            (r#"(")|((?<!\\)\n)"#, "a\"\\\n"),
            (r"((?:r#(?!r#))?[0-9A-Z_a-z]+)(\()", "f(r#g(\n"),
            (r"\.(?!\.)", "a.b..c\n"),
            (r"(,)|(?=\))", "a,)\n"),
            (r"(?<!\.)\b(?:if|in|else)\b(?!\s*:)", "if else: .in\n"),
            (r#""(?:[^"\\]|\\.)*""#, r#""a\"b" "c"#),
            (r"(?x) ( a + ) # c", "aab\n"),
            (r"(?i)\b(select|from)\b", "SELECT x From\n"),
            (r"^\s*(#)(.*?)\s*$", "  # a b  \n"),
            (r"(?<=^|[(,])\s*\w{2,4}?x", "abx,(ddddxx\n"),
            (r"(?:(a)|(b)|c)*", "abcab\n"),
            (r"(?=(a+))a*b", "aab\n"),
            (r"a(?i)b|c", "aBaCc\n"),
            (r"\G(?:a|b)", "ab\n"),
            (r"\b(?:as|async|await|break|\w1|b\w+|$)", "as async c1 brea ba\n"),
        ] {
            assert!(compare_matchers(source, text), "{source}");
        }
    }

    #[test]
    fn what_is_not_understood_has_no_program() {
        for source in [
            r"(a)\1",
            r"(?>ab)",
            r"(?~a)",
            r"a\K",
            r"(?:a*)*",
            r"(a|b*)+",
            r"\p{Greek}",
            r"[[:punct:]]",
            r"*a",
            r"(a",
            r"[b-a]",
            r"(?i)[^a]",
            r"(?i)straße",
            r"\X",
            r"a{2}+",
            r"(?<!(a))b",
            r"[\w-x]",
            r"\g<1>",
            r"\Ab",
            r"(?:ab)++",
        ] {
            assert!(GrammarPattern::shared(source).program().is_none(), "{source}");
        }
    }

    #[test]
    fn what_is_beyond_ascii_or_long_is_left_to_oniguruma() {
        let verdict = |source: &str, text: &str, at| {
            let pattern = GrammarPattern::shared(source);
            let input = MatchInput { text: text.as_bytes(), anchor: None };
            Matcher::default().matches(pattern.program().expect("is simple"), input, at)
        };
        assert_eq!(verdict(r"\w+", "aé", 0), MatchVerdict::Unknown);
        assert_eq!(verdict(r"a\b", "aé", 0), MatchVerdict::Unknown);
        assert_eq!(verdict(r"(?<!\w)a", "éa", 2), MatchVerdict::Unknown);
        assert_eq!(verdict("[ab]+", "aé", 0), MatchVerdict::Match(1));
        assert_eq!(verdict("(?:a|b|ab)+(?:a|ab)+(?:a|b|ab)+c", &"ab".repeat(40), 0), MatchVerdict::Unknown);
    }

    /// Patterns of what programs are made for.
    fn patterns() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            4 => "[ab_1]",
            2 => prop::sample::select(vec![
                r"\w", r"\s", r"\d", r"\W", ".", "[ab]", "[^a]", "[^ab1]", r"[\w.]", r"[^\s]", "[a-c_]", "[[:alpha:]_]",
                r"\p{L}", r"\h", "[a&&[^b]]", "[[:upper:]_]", "[^[:lower:]]", "AB", "ab", r"\(", r"\.", "é", r"\n", "[]a]",
            ]).prop_map(str::to_owned),
            1 => prop::sample::select(vec![
                r"\b", r"\B", "^", "$", r"\G", "(?<=a)", "(?<!b)", "(?<=^|a)", "(?<=ab|b)", r"(?<!\w)", "(?<![ab]_)",
                r"(?<=\ba)", "(?<=a?b)", "(?<!(?<!a)b)", r"(?=[ab])", "(?!a)", "(?i)", "(?#c)", "",
            ]).prop_map(str::to_owned),
        ];
        leaf.prop_recursive(5, 24, 4, |inner| {
            let quantifier = prop::sample::select(vec![
                "*", "+", "?", "*?", "+?", "??", "*+", "?+", "{2}", "{1,2}", "{2,}", "{,2}", "{0,1}", "{1,3}?", "{2}?",
            ]);
            let group =
                prop::sample::select(vec!["(", "(", "(?:", "(?:", "(?=", "(?!", "(?i:", "(?<n>", "(?x: ", "(?m:"]);
            prop_oneof![
                3 => prop::collection::vec(inner.clone(), 1..4).prop_map(|parts| parts.concat()),
                2 => prop::collection::vec(inner.clone(), 2..7).prop_map(|parts| parts.join("|")),
                2 => (group.clone(), inner.clone()).prop_map(|(open, inner)| format!("{open}{inner})")),
                3 => (group, inner, quantifier).prop_map(|(open, inner, times)| format!("{open}{inner}){times}")),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        #[test]
        fn both_matchers_agree(source in patterns(), text in "[ab_1 .(AB]{0,9}[é]?[ab]{0,2}\n?") {
            compare_matchers(&source, &text);
        }

        /// Also where the source is none that people write.
        #[test]
        fn both_matchers_agree_on_soup(
            source in r"([abS(|)\[\]^$.?*+{}1,:=!<>&#-]|\\[bdwsWSDhHGAk1x]|\(\?[=!:ix]|\(\?<[=!]|[éßk]|\[\^|\[:alpha:\]|\\p\{[LS]\}|\\b|\\[ -~]){1,12}",
            text in "[abs1 kK(.-]{0,8}\n?",
        ) {
            compare_matchers(&source, &text);
        }
    }
}
