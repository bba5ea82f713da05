//! Ids of headings as the extension `toc` of Python-Markdown makes them, and as its friends do.

use unicode_normalization::UnicodeNormalization as _;

/// A rule for ids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PythonSlug {
    /// Letters, digits and underscores of ASCII, in lower case; the rest goes, and spaces and hyphens are one hyphen.
    #[default]
    Words,
    /// The same with the letters of all scripts.
    WordsOfAll,
    /// Letters of all scripts; each space is a hyphen.
    Spaces(PythonCase),
}

/// What becomes of capitals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PythonCase {
    /// They stay.
    #[default]
    Preserved,
    /// They become small.
    Lower,
    /// Those of ASCII become small.
    LowerAscii,
}

impl PythonSlug {
    /// The id of a text; empty if nothing is left of it.
    pub fn of(self, text: &str) -> String {
        let is_allowed = |c: &char| c.is_alphanumeric() || matches!(c, '_' | '-') || c.is_whitespace();
        match self {
            Self::Words => {
                join_with_hyphens(&text.nfkd().filter(char::is_ascii).filter(is_allowed).collect::<String>())
            }
            Self::WordsOfAll => join_with_hyphens(&text.nfkc().filter(is_allowed).collect::<String>()),
            Self::Spaces(case) => {
                let text: String = text.nfc().collect();
                let text = text.trim();
                let text = match case {
                    PythonCase::Preserved => text.to_owned(),
                    PythonCase::Lower => text.to_lowercase(),
                    PythonCase::LowerAscii => text.to_ascii_lowercase(),
                };
                text.chars()
                    .filter(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' '))
                    .map(|c| if c == ' ' { '-' } else { c })
                    .collect()
            }
        }
    }
}

/// A text in lower case whose runs of spaces and hyphens are one hyphen.
fn join_with_hyphens(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.trim().to_lowercase().chars() {
        if !(c == '-' || c.is_whitespace()) {
            out.push(c);
        } else if !out.ends_with('-') {
            out.push('-');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_those_of_python() {
        for (text, words, spaces) in [
            ("Hello, World!", "hello-world", "hello-world"),
            ("What's new -- 2.0", "whats-new-20", "whats-new----20"),
            ("Überblick über_alles", "uberblick-uber_alles", "überblick-über_alles"),
            ("中文", "", "中文"),
            ("a  b", "a-b", "a--b"),
        ] {
            assert_eq!(PythonSlug::Words.of(text), words);
            assert_eq!(PythonSlug::Spaces(PythonCase::Lower).of(text), spaces);
        }
        assert_eq!(PythonSlug::WordsOfAll.of("中文 Öl"), "中文-öl");
        assert_eq!(PythonSlug::Spaces(PythonCase::Preserved).of("Ab C"), "Ab-C");
    }
}
