//! The info string of a fence: what is in braces, escapes, and the forms of other tools in plain Markdown.

use pulldown_cmark::CowStr;

use base::cut::{SliceText as _, cut};
use base::html::decode_character_references;

/// Language and meta of a fence in plain Markdown, where other tools write classes, ids and options: `{.python #id
/// title="x"}`, `python {.numbered}`, `rust,ignore`, `sh [npm]`.
pub(super) fn fence_info(info: &str) -> (String, String) {
    let info = info.trim();
    let is_option = |word: &str| word.starts_with(['.', '#', ':']);
    if let Some(length) = brace_group(info) {
        let (inside, after) = (info.slice(1..length - 1), info.slice(length..));
        let first = inside.split([' ', '\t', ',']).find(|word| !word.is_empty()).unwrap_or_default();
        let after = after.trim();
        // the first word is the language if nothing follows the braces
        let words = inside.split_whitespace().skip(usize::from(after.is_empty()));
        let rest: Vec<&str> = words.filter(|word| !is_option(word) && word.contains('=')).collect();
        // `{directive} language`
        let lang = if after.is_empty() {
            first.trim_start_matches('.')
        } else {
            after.split_whitespace().next().unwrap_or_default()
        };
        return (lang.to_owned(), rest.join(" "));
    }
    // a title alone: `[.env]`
    let lang_end = if info.starts_with('[') { 0 } else { info.find([' ', '\t', '{']).unwrap_or(info.len()) };
    let (lang, meta) = cut(info, lang_end);
    let meta = meta.trim();
    // VitePress counts lines behind a colon
    let (lang, counts) = match lang.split_once(':') {
        Some((lang, numbers)) if numbers.starts_with("line-numbers") => {
            (lang, numbered(numbers.strip_prefix("line-numbers=").unwrap_or_default()))
        }
        Some((lang, "no-line-numbers")) => (lang, String::new()),
        _ => (lang, String::new()),
    };
    let meta = match meta.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        Some(options) if is_option(options.trim_start()) => "",
        _ => meta
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
            .filter(|label| !label.is_empty() && *label != "expandable")
            .unwrap_or(meta),
    };
    // VitePress: `{1} [a.js]`
    let labeled = meta
        .strip_suffix(']')
        .and_then(|rest| rest.split_once("} ["))
        .filter(|(_, label)| !label.is_empty() && *label != "expandable" && !label.contains(['[', ']']));
    let labeled = labeled.map(|(options, label)| format!("{options}}} {label}"));
    let meta = labeled.as_deref().unwrap_or(meta);
    let lang = lang.split_once(',').map_or(lang, |(lang, _)| lang);
    let meta = own_options(meta);
    (lang.to_owned(), format!("{counts} {meta}").trim().to_owned())
}

/// The option that numbers lines, from a number on if there is one.
fn numbered(first: &str) -> String {
    let is_number = first.parse::<u32>().is_ok_and(|first| first > 1);
    if is_number { format!("lines={first}") } else { "lines".to_owned() }
}

/// Options of a fence as they are called here: `hl_lines="1 3-4"` and `linenums="1"` (Python-Markdown), `file="a.py"`.
/// What has another name is no title.
fn own_options(meta: &str) -> String {
    const KNOWN: [&str; 13] = [
        "title",
        "icon",
        "lang",
        "lines",
        "wrap",
        "expandable",
        "highlight",
        "focus",
        "added",
        "removed",
        "theme",
        "filename",
        "twoslash",
    ];
    if !meta.contains('=') {
        return meta.to_owned();
    }
    let mut out: Vec<String> = Vec::new();
    let mut rest = meta;
    while !rest.is_empty() {
        let (word, after) = cut(rest, word_end(rest));
        rest = after.trim_start();
        let Some((name, value)) = word
            .split_once('=')
            .filter(|(name, _)| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)))
        else {
            out.push(word.to_owned());
            continue;
        };
        let bare = value.trim_matches(['"', '\'']);
        match name {
            "hl_lines" => out.push(format!("highlight={{{}}}", bare.split_whitespace().collect::<Vec<_>>().join(","))),
            "linenums" | "showLineNumbers" | "lineNumbers" if bare != "false" => {
                out.push(numbered(bare.trim_matches(['{', '}'])));
            }
            "file" | "fileName" | "file_name" => out.push(format!("title={value}")),
            name if KNOWN.contains(&name) => out.push(word.to_owned()),
            _ => {}
        }
    }
    out.join(" ")
}

/// Where a word ends that may hold quotes and braces with spaces in them.
fn word_end(text: &str) -> usize {
    let (mut quote, mut depth) = (None, 0_u32);
    let end = text.find(|c: char| {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '{') => depth += 1,
            (None, '}') => depth = depth.saturating_sub(1),
            (None, _) => return c.is_whitespace() && depth == 0,
        }
        false
    });
    end.unwrap_or(text.len())
}

/// The length of the braces that `text` starts with, and of all that is in them; quotes in them may hold others.
pub(crate) fn brace_group(text: &str) -> Option<usize> {
    group_end(text, true).or_else(|| group_end(text, false))
}

fn group_end(text: &str, with_quotes: bool) -> Option<usize> {
    if !text.starts_with('{') {
        return None;
    }
    let (mut open, mut quote, mut is_escaped) = (0_usize, None, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => {}
            c if quote == Some(c) => quote = None,
            '"' | '\'' | '`' if with_quotes && quote.is_none() => quote = Some(c),
            '{' if quote.is_none() => open += 1,
            '}' if quote.is_none() => open -= 1,
            _ => {}
        }
        is_escaped = c == '\\' && !is_escaped;
        if open == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// The info string of the fence that begins at `at`, as its author wrote it: a quote behind a backslash ends no value.
pub(super) fn written_info(text: &str, at: usize) -> Option<CowStr<'_>> {
    let line = text.slice(at..).lines().next()?.trim_start();
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    Some(line.trim_start_matches(mark).trim().into())
}

/// A word of an info string as it reads: without the backslashes of escapes, with the characters of references.
pub(crate) fn unescape_info(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let escaped = rest.slice(at + 1..).chars().next().filter(char::is_ascii_punctuation);
        out.push_str(&decode_character_references(rest.slice(..at)));
        out.push(escaped.unwrap_or('\\'));
        rest = rest.slice(at + 1 + usize::from(escaped.is_some())..);
    }
    out.push_str(&decode_character_references(rest));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_end_with_their_own() {
        for (text, expect) in [
            ("{a} b}", Some("{a}")),
            ("{\"}\"} b", Some("{\"}\"}")),
            ("{{a: {b: 1}}} c", Some("{{a: {b: 1}}}")),
            ("{it's} b", Some("{it's}")),
            ("{\"\\\"}\"} b", Some("{\"\\\"}\"}")),
            ("{a", None),
            ("a}", None),
            ("", None),
            ("}", None),
        ] {
            assert_eq!(brace_group(text).map(|end| &text[..end]), expect, "{text}");
        }
    }

    #[test]
    fn words_are_read_as_text() {
        for (text, expect) in [
            ("a\\_b \\{c\\}", "a_b {c}"),
            ("R&amp;D &#123;x&#x7D; &lt;T&gt;", "R&D {x} <T>"),
            ("\\&amp;", "&amp;"),
            ("C:\\dir\\a", "C:\\dir\\a"),
            ("\\", "\\"),
            ("\u{e9}\\\u{e9}", "\u{e9}\\\u{e9}"),
        ] {
            assert_eq!(unescape_info(text), expect, "{text}");
        }
    }

    #[test]
    fn info_of_plain_markdown() {
        for (info, lang, meta) in [
            ("{.python #id title=\"x\"}", "python", "title=\"x\""),
            ("{highlight={4}} js", "js", "highlight={4}"),
            ("js {1} [a.js]", "js", "{1} a.js"),
            ("java Java {\"LOAD::x#y\"}", "java", "Java {\"LOAD::x#y\"}"),
        ] {
            assert_eq!(fence_info(info), (lang.to_owned(), meta.to_owned()), "{info}");
        }
    }
}
