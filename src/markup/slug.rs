//! Anchors: how headings, fields, accordions and tabs get their ids (format: "Heading ids and TOC").

use std::sync::LazyLock;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use rustc_hash::FxHashMap;
use unicode_normalization::UnicodeNormalization;

use super::diacritic::is_diacritic;
pub use base::github_slug::github_slug;

/// What JavaScript's `encodeURIComponent` leaves alone besides letters and digits.
const COMPONENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'!')
    .remove(b'~')
    .remove(b'*')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')');

/// The id of a heading's text (smart punctuation already applied): lower-case, white space to `-`, punctuation that
/// percent-encoding leaves alone to `-`, everything else kept; then `?,;:!'"()[]{}` and emoji dropped.
pub fn heading_slug(text: &str) -> String {
    let lower = text.to_lowercase();
    let trimmed = lower.trim();
    if trimmed.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b' ')
        && !trimmed.contains("  ")
    {
        return trimmed.replace(' ', "-"); // nothing to encode: most headings
    }
    let mut dashed = String::with_capacity(trimmed.len());
    let mut in_space = false;
    for c in trimmed.chars() {
        if c.is_whitespace() || c == '\u{feff}' {
            if !in_space {
                dashed.push('-');
            }
            in_space = true;
        } else {
            dashed.push(c);
            in_space = false;
        }
    }
    let encoded = utf8_percent_encode(&dashed, COMPONENT).to_string();
    let slug = slugify_ascii(&encoded, |c| c == '_' || c == '%');
    let decoded = percent_decode_str(&slug).decode_utf8().map_or_else(|_| slug.clone(), |text| text.into_owned());
    decoded.chars().filter(|c| !"?,;:!'\"()[]{}".contains(*c) && !is_emoji(*c)).collect()
}

/// An author's `{#id}`, cleaned.
pub fn custom_id(raw: &str) -> String {
    let dashed = raw.split_whitespace().collect::<Vec<_>>().join("-");
    dashed.chars().filter(|c| !"<>\"&?,;:!'()[]{}".contains(*c) && !is_emoji(*c)).collect()
}

/// The id of an accordion's or view's title: a plain transliterated slug, the first `:` counting as a separator.
pub fn accordion_slug(title: &str) -> String {
    let ascii = transliterate(&title.replacen(':', "-", 1)).to_lowercase();
    slugify_ascii(&ascii, |_| false)
}

/// The id of a parameter or field: `param-` and the name in kebab case (`userId` is `param-user-id`).
pub fn param_slug(name: &str) -> String {
    let ascii = transliterate(&format!("param-{name}"));
    let chars: Vec<char> = ascii.chars().collect();
    let mut words = String::with_capacity(ascii.len() + 8);
    for (at, &c) in chars.iter().enumerate() {
        if at > 0 && starts_word(&chars, at) {
            words.push(' ');
        }
        words.push(c);
    }
    slugify_ascii(&words.to_lowercase(), |_| false)
}

/// Whether a camel-case word starts at `at`: `fooBar`, `foo1Bar`, `APISection`, `FOO360`.
fn starts_word(chars: &[char], at: usize) -> bool {
    let (before, here) = (chars[at - 1], chars[at]);
    let after = chars.get(at + 1).copied();
    if here.is_ascii_uppercase() {
        if before.is_ascii_lowercase() || before.is_ascii_digit() {
            return true;
        }
        // the last capital of a run belongs to the word it starts, unless it only takes a plural s: APISection, but
        // APIs
        let lower_next = after.is_some_and(|c| c.is_ascii_lowercase());
        let plural = after == Some('s') && !chars.get(at + 2).is_some_and(char::is_ascii_lowercase);
        return before.is_ascii_uppercase() && lower_next && !plural;
    }
    here.is_ascii_digit() && before.is_ascii_uppercase() && at >= 2 && chars[at - 2].is_ascii_uppercase()
}

/// Runs of anything but letters, digits and kept marks become one `-`, none at the ends; contractions lose their
/// apostrophe.
fn slugify_ascii(text: &str, keep: impl Fn(char) -> bool) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut gap = false;
    for (at, &c) in chars.iter().enumerate() {
        if c.is_ascii_alphanumeric() || keep(c) {
            if gap && !out.is_empty() {
                out.push('-');
            }
            gap = false;
            out.push(c);
            continue;
        }
        let contraction = matches!(c, '\'' | '\u{2019}')
            && at > 0
            && chars[at - 1].is_ascii_alphanumeric()
            && matches!(chars.get(at + 1), Some('t' | 's' | 'T' | 'S'))
            && !chars.get(at + 2).is_some_and(char::is_ascii_alphanumeric);
        if !contraction {
            gap = true;
        }
    }
    out
}

/// License of the table of replacements.
pub const TRANSLITERATION_LICENSE: &str = include_str!("transliteration.LICENSE");

/// One `character TAB replacement` a line: letters of other scripts in ASCII, where dropping the accents is not enough.
static REPLACEMENTS: LazyLock<FxHashMap<char, &'static str>> = LazyLock::new(|| {
    let table = include_str!("transliteration.tsv");
    table
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .filter_map(|(from, to)| Some((from.chars().next()?, to)))
        .collect()
});

/// Text in ASCII as far as the table and the dropping of accents go.
fn transliterate(text: &str) -> String {
    if text.is_ascii() {
        return text.replace('&', " and ").replace(is_diacritic, "");
    }
    let mut replaced = String::with_capacity(text.len() + 8);
    for c in text.nfc() {
        match c {
            '&' => replaced.push_str(" and "),
            '🦄' => replaced.push_str(" unicorn "),
            '♥' => replaced.push_str(" love "),
            c if c.is_ascii() => replaced.push(c),
            c => match REPLACEMENTS.get(&c) {
                Some(ascii) => replaced.push_str(ascii),
                None => replaced.push(c),
            },
        }
    }
    replaced.nfd().filter(|c| !is_diacritic(*c)).nfc().collect()
}

fn is_emoji(c: char) -> bool {
    let code = c as u32;
    code >= 0xa9
        && EMOJI
            .binary_search_by(|&(from, to)| {
                if code < from {
                    std::cmp::Ordering::Greater
                } else if code > to {
                    std::cmp::Ordering::Less
                } else {
                    std::cmp::Ordering::Equal
                }
            })
            .is_ok()
}

/// Ranges of characters that are emoji, their modifiers and joiners (Unicode's Emoji_Modifier, Emoji_Modifier_Base,
/// Emoji_Presentation and Extended_Pictographic, with U+200D, U+FE0E and U+FE0F).
#[rustfmt::skip]
const EMOJI: &[(u32, u32)] = &[
    (0xa9, 0xa9), (0xae, 0xae), (0x200d, 0x200d), (0x203c, 0x203c), (0x2049, 0x2049), (0x2122, 0x2122), (0x2139, 0x2139),
    (0x2194, 0x2199), (0x21a9, 0x21aa), (0x231a, 0x231b), (0x2328, 0x2328), (0x23cf, 0x23cf), (0x23e9, 0x23f3),
    (0x23f8, 0x23fa), (0x24c2, 0x24c2), (0x25aa, 0x25ab), (0x25b6, 0x25b6), (0x25c0, 0x25c0), (0x25fb, 0x25fe),
    (0x2600, 0x2604), (0x260e, 0x260e), (0x2611, 0x2611), (0x2614, 0x2615), (0x2618, 0x2618), (0x261d, 0x261d),
    (0x2620, 0x2620), (0x2622, 0x2623), (0x2626, 0x2626), (0x262a, 0x262a), (0x262e, 0x262f), (0x2638, 0x263a),
    (0x2640, 0x2640), (0x2642, 0x2642), (0x2648, 0x2653), (0x265f, 0x2660), (0x2663, 0x2663), (0x2665, 0x2666),
    (0x2668, 0x2668), (0x267b, 0x267b), (0x267e, 0x267f), (0x2692, 0x2697), (0x2699, 0x2699), (0x269b, 0x269c),
    (0x26a0, 0x26a1), (0x26a7, 0x26a7), (0x26aa, 0x26ab), (0x26b0, 0x26b1), (0x26bd, 0x26be), (0x26c4, 0x26c5),
    (0x26c8, 0x26c8), (0x26ce, 0x26cf), (0x26d1, 0x26d1), (0x26d3, 0x26d4), (0x26e9, 0x26ea), (0x26f0, 0x26f5),
    (0x26f7, 0x26fa), (0x26fd, 0x26fd), (0x2702, 0x2702), (0x2705, 0x2705), (0x2708, 0x270d), (0x270f, 0x270f),
    (0x2712, 0x2712), (0x2714, 0x2714), (0x2716, 0x2716), (0x271d, 0x271d), (0x2721, 0x2721), (0x2728, 0x2728),
    (0x2733, 0x2734), (0x2744, 0x2744), (0x2747, 0x2747), (0x274c, 0x274c), (0x274e, 0x274e), (0x2753, 0x2755),
    (0x2757, 0x2757), (0x2763, 0x2764), (0x2795, 0x2797), (0x27a1, 0x27a1), (0x27b0, 0x27b0), (0x27bf, 0x27bf),
    (0x2934, 0x2935), (0x2b05, 0x2b07), (0x2b1b, 0x2b1c), (0x2b50, 0x2b50), (0x2b55, 0x2b55), (0x3030, 0x3030),
    (0x303d, 0x303d), (0x3297, 0x3297), (0x3299, 0x3299), (0xfe0e, 0xfe0f), (0x1f004, 0x1f004), (0x1f02c, 0x1f02f),
    (0x1f094, 0x1f09f), (0x1f0af, 0x1f0b0), (0x1f0c0, 0x1f0c0), (0x1f0cf, 0x1f0d0), (0x1f0f6, 0x1f0ff), (0x1f170, 0x1f171),
    (0x1f17e, 0x1f17f), (0x1f18e, 0x1f18e), (0x1f191, 0x1f19a), (0x1f1ae, 0x1f1ff), (0x1f201, 0x1f20f), (0x1f21a, 0x1f21a),
    (0x1f22f, 0x1f22f), (0x1f232, 0x1f23a), (0x1f23c, 0x1f23f), (0x1f249, 0x1f25f), (0x1f266, 0x1f321), (0x1f324, 0x1f393),
    (0x1f396, 0x1f397), (0x1f399, 0x1f39b), (0x1f39e, 0x1f3f0), (0x1f3f3, 0x1f3f5), (0x1f3f7, 0x1f4fd), (0x1f4ff, 0x1f53d),
    (0x1f549, 0x1f54e), (0x1f550, 0x1f567), (0x1f56f, 0x1f570), (0x1f573, 0x1f57a), (0x1f587, 0x1f587), (0x1f58a, 0x1f58d),
    (0x1f590, 0x1f590), (0x1f595, 0x1f596), (0x1f5a4, 0x1f5a5), (0x1f5a8, 0x1f5a8), (0x1f5b1, 0x1f5b2), (0x1f5bc, 0x1f5bc),
    (0x1f5c2, 0x1f5c4), (0x1f5d1, 0x1f5d3), (0x1f5dc, 0x1f5de), (0x1f5e1, 0x1f5e1), (0x1f5e3, 0x1f5e3), (0x1f5e8, 0x1f5e8),
    (0x1f5ef, 0x1f5ef), (0x1f5f3, 0x1f5f3), (0x1f5fa, 0x1f64f), (0x1f680, 0x1f6c5), (0x1f6cb, 0x1f6d2), (0x1f6d5, 0x1f6e5),
    (0x1f6e9, 0x1f6e9), (0x1f6eb, 0x1f6f0), (0x1f6f3, 0x1f6ff), (0x1f7da, 0x1f7ff), (0x1f80c, 0x1f80f), (0x1f848, 0x1f84f),
    (0x1f85a, 0x1f85f), (0x1f888, 0x1f88f), (0x1f8ae, 0x1f8af), (0x1f8bc, 0x1f8bf), (0x1f8c2, 0x1f8cf), (0x1f8d9, 0x1f8ff),
    (0x1f90c, 0x1f93a), (0x1f93c, 0x1f945), (0x1f947, 0x1f9ff), (0x1fa58, 0x1fa5f), (0x1fa6e, 0x1faff), (0x1fc00, 0x1fffd),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heading_ids_follow_the_format() {
        for (text, id) in [
            ("Getting started", "getting-started"),
            ("What’s new", "what’s-new"),
            ("Read/write access", "read/write-access"),
            ("OAuth", "oauth"),
            ("Step 1: Issue a proxy secret", "step-1-issue-a-proxy-secret"),
            ("C++ API", "c++-api"),
            ("100% coverage", "100%-coverage"),
            ("Node.js & Bun", "node-js-&-bun"),
            ("日本語の見出し", "日本語の見出し"),
            ("🚀 Launch", "-launch"),
            ("FAQ?", "faq"),
            ("foo--bar", "foo-bar"),
            ("$price", "$price"),
            ("Config.json options", "config-json-options"),
            ("Rate limits (per minute)", "rate-limits-per-minute"),
            ("Fees & billing", "fees-&-billing"),
            ("GET /users/{id}", "get-/users/id"),
            ("C# SDK", "c#-sdk"),
            ("On-chain — vanity", "on-chain-—-vanity"),
            ("v1.2.3", "v1-2-3"),
            ("Über uns", "über-uns"),
            ("snake_case name", "snake_case-name"),
            ("A / B", "a-/-b"),
            ("a=b", "a=b"),
            ("\"Quoted\"", "quoted"),
            ("GET · list", "get-·-list"),
            ("a·b ·", "a·b-·"),
            ("_meta", "_meta"),
        ] {
            assert_eq!(heading_slug(text), id, "{text}");
        }
    }

    #[test]
    fn headings_as_github_calls_them() {
        for (text, id) in [
            ("Node.js & Bun", "nodejs--bun"),
            ("`f([a])` — x_y", "fa--x_y"),
            ("🚀 Launch", "-launch"),
            ("C++", "c"),
            (" Über uns ", "über-uns"),
            ("② H₂O, x² and ½", "-ho-x-and-"),
            ("१ ⅷ ª 𝟙", "१-ⅷ-ª-𝟙"),
        ] {
            assert_eq!(github_slug(text), id, "{text}");
        }
    }

    #[test]
    fn field_ids_split_camel_case() {
        for (name, id) in [
            ("userId", "param-user-id"),
            ("X-API-Key", "param-x-api-key"),
            ("items[].id", "param-items-id"),
            ("APIs", "param-apis"),
            ("APISection", "param-api-section"),
            ("FOO360", "param-foo-360"),
            ("foo1Bar", "param-foo1-bar"),
            ("a·b", "param-ab"),
        ] {
            assert_eq!(param_slug(name), id, "{name}");
        }
    }

    #[test]
    fn accordion_ids_are_plain_slugs() {
        for (title, id) in [
            ("How does it work?", "how-does-it-work"),
            ("Don't panic", "dont-panic"),
            ("Über: Straße", "ueber-strasse"),
            ("Q&A", "q-and-a"),
            ("Привет мир", "privet-mir"),
            ("Crème brûlée", "creme-brulee"),
            ("GraphQL · API", "graphql-api"),
            ("a·b x^2", "ab-x2"),
        ] {
            assert_eq!(accordion_slug(title), id, "{title}");
        }
    }

    #[test]
    fn custom_ids_are_cleaned() {
        assert_eq!(custom_id(" My  id's <x>🚀 "), "My-ids-x");
    }
}
