//! Regular expressions of grammars.

use std::sync::{Arc, OnceLock};

use super::prefix::Prefix;
use super::program::Program;

/// A regular expression of a grammar. Compiled on first use, shared by all threads.
pub(super) struct GrammarPattern {
    pub source: Box<str>,
    /// Holds `\1`: as an `end` it depends on what its `begin` captured.
    pub has_references: bool,
    regex: OnceLock<Option<onig::Regex>>,
    prefix: OnceLock<Prefix>,
    program: OnceLock<Option<Program>>,
}

impl GrammarPattern {
    /// Matches nowhere.
    pub(super) const NEVER: &'static str = "\u{FFFF}";

    pub(super) fn shared(source: &str) -> Arc<Self> {
        // `\z` would see the line feed that is put after every line
        let source = if source.contains("\\z") { end_of_line(source) } else { source.into() };
        let has_references = source.as_bytes().windows(2).any(|pair| pair[0] == b'\\' && pair[1].is_ascii_digit());
        Arc::new(Self {
            source,
            has_references,
            regex: OnceLock::new(),
            prefix: OnceLock::new(),
            program: OnceLock::new(),
        })
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

    /// The source as a program, if it is that simple.
    #[inline]
    pub(super) fn program(&self) -> Option<&Program> {
        self.program.get_or_init(|| Program::of(&self.source)).as_ref()
    }

    /// The source, with `\1` … replaced by what was captured.
    pub(super) fn resolved(&self, text: &str, captures: &[Option<(usize, usize)>]) -> String {
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
        out
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
