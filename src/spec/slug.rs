//! The names that pages of operations and channels get.

use base::cut::SliceText as _;
use site::page::slug_of;

/// Joins the parts of a slug that are not empty.
pub fn join_slug_parts(parts: &[&str]) -> String {
    parts.iter().copied().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/")
}

/// A summary, tag or path as part of a slug: spaces, slashes and `{parameters}` become `-`, brackets, dots, commas and
/// quotes go, lower case.
pub fn slug_part(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len());
    let mut rest = text.trim();
    while let Some(open) = rest.find('{') {
        spaced.push_str(rest.slice(..open));
        let Some(close) = rest.slice(open..).find('}') else {
            rest = rest.slice(open..);
            break;
        };
        spaced.push('-');
        rest = rest.slice(open + close + 1..);
    }
    spaced.push_str(rest);
    let mut slug = String::with_capacity(spaced.len());
    for c in spaced.chars() {
        match c {
            '{' | '}' | '(' | ')' | ',' | '.' | '\'' => {}
            c if (c.is_whitespace() || matches!(c, '/' | '-')) && slug.ends_with('-') => {}
            c if c.is_whitespace() || c == '/' => slug.push('-'),
            c => slug.push(c),
        }
    }
    slug.trim_matches('-').to_lowercase()
}

/// The slug of a channel's page: `<directory>/<title>`, or its id without a title.
pub fn channel_slug(id: &str, title: Option<&str>, directory: &str) -> String {
    join_slug_parts(&[&slug_of(directory), &slug_part(title.unwrap_or(id))])
}
