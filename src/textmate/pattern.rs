//! Regular expressions of grammars.

use std::sync::{Arc, OnceLock};

use super::prefix::Prefix;

/// A regular expression of a grammar. Compiled on first use, shared by all threads.
pub(super) struct Pattern {
    pub source: Box<str>,
    /// Holds `\1`: as an `end` it depends on what its `begin` captured.
    pub has_references: bool,
    /// What the source stands for, if it has no operator but a group around the whole.
    pub literal: Option<Literal>,
    regex: OnceLock<Option<onig::Regex>>,
    prefix: OnceLock<Prefix>,
}

/// A text of ASCII characters: what a fifth of all attempts ask for, one bracket or comma. Oniguruma needs as long for
/// these as for others, because it allocates and copies its stack at each attempt.
pub(super) struct Literal {
    pub text: Box<str>,
    /// Groups of a match, the whole match among them.
    pub groups: usize,
}

impl Literal {
    /// Characters that a regular expression takes for themselves after a backslash only. `]` and `}` are no operators
    /// where nothing is open.
    const ESCAPED: &'static str = "\\^$.|?*+()[]{}";

    fn of(source: &str) -> Option<Self> {
        let inner = source.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let mut text = String::new();
        let mut chars = inner.unwrap_or(source).chars();
        while let Some(c) = chars.next() {
            text.push(match c {
                '\\' => chars.next().filter(|&c| Self::ESCAPED.contains(c))?,
                ']' | '}' => c,
                c if !c.is_ascii_graphic() || Self::ESCAPED.contains(c) => return None,
                c => c,
            });
        }
        (!text.is_empty()).then(|| Self { text: text.into(), groups: if inner.is_some() { 2 } else { 1 } })
    }
}

impl Pattern {
    /// Matches nowhere.
    pub(super) const NEVER: &'static str = "\u{FFFF}";

    pub(super) fn shared(source: &str) -> Arc<Self> {
        // `\z` would see the line feed that is put after every line
        let source = if source.contains("\\z") { end_of_line(source) } else { source.into() };
        let has_references = source.as_bytes().windows(2).any(|pair| pair[0] == b'\\' && pair[1].is_ascii_digit());
        let literal = Literal::of(&source);
        Arc::new(Self { source, has_references, literal, regex: OnceLock::new(), prefix: OnceLock::new() })
    }

    /// `None` if Oniguruma refuses the source: it then matches nowhere.
    pub(super) fn regex(&self) -> Option<&onig::Regex> {
        let compile = || {
            onig::Regex::with_options(
                &self.source,
                onig::RegexOptions::REGEX_OPTION_CAPTURE_GROUP,
                onig::Syntax::default(),
            )
            .ok()
        };
        self.regex.get_or_init(compile).as_ref()
    }

    #[inline]
    pub(super) fn prefix(&self) -> &Prefix {
        self.prefix.get_or_init(|| Prefix::of(&self.source))
    }

    /// With `\1` … replaced by what was captured.
    pub(super) fn resolved(&self, text: &str, captures: &[Option<(usize, usize)>]) -> Arc<Self> {
        let mut out = String::with_capacity(self.source.len() + 16);
        let mut chars = self.source.chars().peekable();
        while let Some(c) = chars.next() {
            let Some(digit) = chars.peek().filter(|_| c == '\\').and_then(|c| c.to_digit(10)) else {
                out.push(c);
                if c == '\\' {
                    out.extend(chars.next());
                }
                continue;
            };
            chars.next();
            let captured =
                captures.get(digit as usize).copied().flatten().and_then(|(from, to)| text.get(from..to)).unwrap_or("");
            for c in captured.chars() {
                if "-\\{}*+?|^$.,[]()#".contains(c) || c.is_whitespace() {
                    out.push('\\');
                }
                out.push(c);
            }
        }
        Self::shared(&out)
    }
}

fn end_of_line(source: &str) -> Box<str> {
    let mut out = String::with_capacity(source.len() + 16);
    let mut chars = source.chars();
    while let Some(c) = chars.next() {
        match (c, if c == '\\' { chars.next() } else { None }) {
            ('\\', Some('z')) => out.push_str("$(?!\\n)(?<!\\n)"),
            (c, escaped) => {
                out.push(c);
                out.extend(escaped);
            }
        }
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals() {
        let literal = |source: &str| Literal::of(source).map(|literal| (literal.text.into_string(), literal.groups));
        let alone = |text: &str| Some((text.to_owned(), 1));
        assert_eq!(literal(","), alone(","));
        assert_eq!(literal(r"\(\)"), alone("()"));
        assert_eq!(literal("=>"), alone("=>"));
        assert_eq!(literal("]"), alone("]"));
        assert_eq!(literal(r"(\[)"), Some(("[".to_owned(), 2)));
        for other in [
            "", "()", "a|b", "a*", ".", r"\b", r"\n", "[a]", "a{2}", "{", "$", "(a)(b)", "(?=a)", "é", "a b", "(",
            r"(\)",
        ] {
            assert_eq!(literal(other), None, "{other}");
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(2000))]
        /// A literal matches where Oniguruma does, with the same groups.
        #[test]
        fn a_literal_is_what_oniguruma_takes_it_for(
            source in r"[(]?([!-~]|\\[!-/\[-`{-~]|ab|\\<|>=?){1,3}[)]?",
            other in "[!-~]{0,4}",
        ) {
            let pattern = Pattern::shared(&source);
            if let Some(literal) = &pattern.literal {
                for text in [&*literal.text, &other] {
                    let mut region = onig::Region::new();
                    let options = onig::SearchOptions::SEARCH_OPTION_NONE;
                    let length = pattern.regex().unwrap().match_with_options(text, 0, options, Some(&mut region));
                    let expect = text.starts_with(&*literal.text).then_some(literal.text.len());
                    proptest::prop_assert_eq!(length, expect, "{} on {}", source, text);
                    if let Some(end) = expect {
                        let groups: Vec<_> = (0..region.len()).map(|group| region.pos(group)).collect();
                        proptest::prop_assert_eq!(groups, vec![Some((0, end)); literal.groups], "{}", source);
                    }
                }
            }
        }
    }
}
