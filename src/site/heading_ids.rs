//! How headings without an anchor of their author get one.

use unicode_normalization::UnicodeNormalization as _;

use super::python_slug::PythonSlug;

/// How headings without an anchor of their author get one. Further rules of tools are further names here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HeadingIds {
    /// As in the format that this program is made for.
    #[default]
    Own,
    /// As GitHub: what is neither letter, digit, hyphen nor underscore goes, spaces are hyphens; the second of equal ones
    /// ends in `-1`.
    GitHub,
    /// As VitePress: what is white space or punctuation becomes one hyphen, none at the ends; accents go; what begins
    /// with a digit gets an underscore before it; the second of equal ones ends in `-1`.
    Vue,
    /// As Docsify: what is punctuation goes, spaces are hyphens; what begins with a digit gets an underscore before it; the
    /// second of equal ones ends in `-1`.
    Docsify,
    /// As Python-Markdown, by a rule of the project; the second of equal ones ends in `_1`, and one of nothing is `_1`.
    Python(PythonSlug),
}

/// What VitePress calls a heading.
pub fn vue_slug(text: &str) -> String {
    const MARKS: &str = "~`!@#$%^&*()-_+=[]{}|\\;:\"'\u{201c}\u{201d}\u{2018}\u{2019}<>,.?/";
    let mut out = String::with_capacity(text.len());
    for c in text.nfkd().filter(|c| !matches!(c, '\u{300}'..='\u{36f}' | '\u{0}'..='\u{8}' | '\u{e}'..='\u{1f}')) {
        if !(c.is_whitespace() || MARKS.contains(c)) {
            out.extend(c.to_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    let out = out.trim_end_matches('-');
    if out.starts_with(|c: char| c.is_ascii_digit()) { format!("_{out}") } else { out.to_owned() }
}

/// What Docsify calls a heading: of references to letters, which it has written before, the name stays.
pub fn docsify_slug(text: &str) -> String {
    const MARKS: &str = "\\'!\"#$%&()*+,./:;<=>?@[]^`{|}~";
    let is_mark = |c: char| MARKS.contains(c) || matches!(c, '\u{2000}'..='\u{206f}' | '\u{2e00}'..='\u{2e7f}');
    let mut out = String::with_capacity(text.len());
    for c in text.trim().nfc() {
        match c {
            '&' => out.push_str("amp"),
            '<' => out.push_str("lt"),
            '>' => out.push_str("gt"),
            '"' => out.push_str("quot"),
            '\'' => out.push_str("39"),
            c if is_mark(c) => {}
            c if (c.is_whitespace() || c == '-') && out.ends_with('-') => {}
            c if c.is_whitespace() => out.push('-'),
            c => out.push(c.to_ascii_lowercase()),
        }
    }
    if out.starts_with(|c: char| c.is_ascii_digit()) { format!("_{out}") } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_of_vitepress() {
        for (text, slug) in [
            ("Using `a.b()` & C++", "using-a-b-c"),
            ("2.0 Café", "_2-0-cafe"),
            ("快速 开始", "快速-开始"),
            ("--x--", "x"),
        ] {
            assert_eq!(vue_slug(text), slug);
        }
    }
}
