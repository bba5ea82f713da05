//! The tags of HTML, one after the other: what stands between `<` and `>`.
//!
//! It reads what authors write in a page and what the renderer writes. Whole files of authors, where it matters what a
//! browser makes of broken markup, are read by [`crate::refs`].

use std::ops::Range;

use memchr::{memchr, memmem};

use crate::cut::{SliceText as _, cut};

/// What stands between `<` and `>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkupToken<'a> {
    /// A comment or a declaration.
    Comment,
    /// A start tag.
    Start(HtmlTag<'a>),
    /// An end tag.
    End(HtmlTag<'a>),
}

/// A tag as it stands in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HtmlTag<'a> {
    /// Its name, spelled as it is written.
    pub name: &'a str,
    /// What follows the name.
    pub rest: &'a str,
}

/// An attribute as it stands in a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TagAttribute<'a> {
    /// Its name, spelled as it is written.
    pub name: &'a str,
    /// Its value without quotes, its character references as they are.
    pub value: Option<&'a str>,
}

/// Reads what `text` starts with; returns what follows, too. `None` for a `<` that starts nothing, or that has no end.
pub fn read_html_token(text: &str) -> Option<(MarkupToken<'_>, &str)> {
    let bytes = text.as_bytes();
    let is_end = match bytes.get(1)? {
        b'!' if text.starts_with("<!--") => {
            let end = memmem::find(&bytes[4..], b"-->").map_or(text.len(), |at| at + 7);
            return Some((MarkupToken::Comment, text.slice(end..)));
        }
        b'!' | b'?' => {
            let end = memchr(b'>', bytes).map_or(text.len(), |at| at + 1);
            return Some((MarkupToken::Comment, text.slice(end..)));
        }
        byte => *byte == b'/',
    };
    let start = 1 + usize::from(is_end);
    if !bytes.get(start)?.is_ascii_alphabetic() {
        return None;
    }
    let length =
        bytes[start..].iter().position(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b':')))?;
    let attributes = start + length;
    let end = find_tag_end(bytes, attributes)?;
    let (inside, after) = cut(text, end);
    let (name, rest) = cut(inside, attributes);
    let tag = HtmlTag { name: name.slice(start..), rest };
    Some((if is_end { MarkupToken::End(tag) } else { MarkupToken::Start(tag) }, after.slice(1..)))
}

/// The token of highlighted code that `html` starts with, `<i class=kA>text</i>`: where its text stands, and where the
/// element ends. It has one class, without quotes, and holds nothing but text.
///
/// Half of the elements of a page are such tokens. They refer to nothing and part no words: who reads a page for that
/// goes on behind them.
#[inline]
pub fn code_token(html: &[u8]) -> Option<(Range<usize>, usize)> {
    /// Longest class that the highlighter writes without quotes.
    const CLASS_BYTES: usize = 4;
    let (open, class) = html.split_first_chunk()?;
    if open != b"<i class=" {
        return None;
    }
    let length = class.iter().take(CLASS_BYTES + 1).position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')?;
    let (b'>', inside) = class[length..].split_first()? else { return None };
    let start = html.len() - inside.len();
    let end = start + inside.iter().position(|byte| *byte == b'<')?;
    let close = html[end..].first_chunk()?;
    (close == b"</i>").then_some((start..end, end + close.len()))
}

/// Where the `>` of a tag is whose attributes start at `at`.
fn find_tag_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    // behind the name of an attribute, an `=` begins its value
    let mut is_named = false;
    loop {
        match *bytes.get(at)? {
            b'>' => return Some(at),
            b'=' if is_named => {
                is_named = false;
                at += 1 + bytes[at + 1..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
                match *bytes.get(at)? {
                    quote @ (b'"' | b'\'') => at += 2 + memchr(quote, &bytes[at + 1..])?,
                    _ => at += bytes[at..].iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'>')?,
                }
            }
            byte => {
                is_named = match byte {
                    b'/' | b'=' => false,
                    byte if byte.is_ascii_whitespace() => is_named,
                    _ => true,
                };
                at += 1;
            }
        }
    }
}

impl<'a> HtmlTag<'a> {
    /// Whether it ends with `/>`.
    #[inline]
    pub fn is_self_closing(&self) -> bool {
        self.rest.ends_with('/')
    }

    /// Its attributes in their order.
    pub fn attributes(&self) -> TagAttributes<'a> {
        TagAttributes { rest: self.rest }
    }

    /// The value of the first attribute of this name.
    pub fn value(&self, name: &str) -> Option<&'a str> {
        self.attributes().find(|attribute| attribute.name == name)?.value
    }
}

/// The attributes of a tag.
#[derive(Clone, Debug)]
pub struct TagAttributes<'a> {
    rest: &'a str,
}

impl<'a> Iterator for TagAttributes<'a> {
    type Item = TagAttribute<'a>;

    fn next(&mut self) -> Option<TagAttribute<'a>> {
        // an `=` without a name is none
        let rest = self.rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '/' | '='));
        let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '=' | '/')).unwrap_or(rest.len());
        if end == 0 {
            return None;
        }
        let (name, rest) = cut(rest, end);
        let after_name = rest.trim_start();
        let Some(written) = after_name.strip_prefix('=') else {
            self.rest = after_name;
            return Some(TagAttribute { name, value: None });
        };
        let written = written.trim_start();
        let (value, rest) = match written.chars().next() {
            Some(quote @ ('"' | '\'')) => written.slice(1..).split_once(quote).unwrap_or((written.slice(1..), "")),
            _ => cut(written, written.find(char::is_whitespace).unwrap_or(written.len())),
        };
        self.rest = rest;
        Some(TagAttribute { name, value: Some(value) })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A tag as `name attribute=value … |what follows`; end tags with a slash before.
    fn shown(text: &str) -> Option<String> {
        let (token, rest) = read_html_token(text)?;
        let (slash, tag) = match token {
            MarkupToken::Comment => return Some(format!("comment|{rest}")),
            MarkupToken::Start(tag) => ("", tag),
            MarkupToken::End(tag) => ("/", tag),
        };
        let attributes: String = tag
            .attributes()
            .map(|attribute| format!(" {}={}", attribute.name, attribute.value.unwrap_or("-")))
            .collect();
        Some(format!("{slash}{}{attributes}|{rest}", tag.name))
    }

    #[track_caller]
    fn check(text: &str, expect: &str) {
        assert_eq!(shown(text).as_deref().unwrap_or("none"), expect, "{text}");
    }

    #[test]
    fn tags_have_names_and_attributes() {
        check("<p>a", "p|a");
        check("</P >a", "/P|a");
        check("<a href=\"x>y\" b = 'c\"' d=e/f g>h", "a href=x>y b=c\" d=e/f g=-|h");
        check("<br/>x", "br|x");
        check("<svg:g xlink:href=#a />", "svg:g xlink:href=#a|");
        check("<a =b c==d e/f=g>", "a b=- c==d e=- f=g|");
        check("<a b=>c", "a b=|c");
    }

    #[test]
    fn comments_and_declarations_are_no_tags() {
        check("<!-- a > b -->c", "comment|c");
        check("<!-- a", "comment|");
        check("<!doctype html>a", "comment|a");
        check("<?xml a?>b", "comment|b");
    }

    #[test]
    fn tokens_of_code_hold_text_alone() {
        let text = |html: &'static str| code_token(html.as_bytes()).map(|(text, end)| (&html[text], &html[end..]));
        assert_eq!(text("<i class=kA>let</i> x"), Some(("let", " x")));
        assert_eq!(text("<i class=_02>é</i>"), Some(("é", "")));
        assert_eq!(text("<i class=></i>"), Some(("", "")));
        for other in [
            "<i>a</i>",
            "<i class=\"kA _10\">a</i>",
            "<i class=fa-bolt>a</i>",
            "<i class=kA id=b>a</i>",
            "<i class=kA>a<b></b></i>",
            "<i class=kA>a</i >",
            "<i class=kA>a",
            "<i class=kA",
            "<i class=",
        ] {
            assert_eq!(text(other), None, "{other}");
        }
    }

    #[test]
    fn what_has_no_end_is_no_tag() {
        for text in ["<", "< a>", "<1>", "</>", "<a", "<a b='>", "<a b=", "<a b='c' "] {
            check(text, "none");
        }
    }

    proptest! {
        /// No text panics, and a tag is a part of it.
        #[test]
        fn any_text_is_read(text in "<(<|>|/|\"|'|=| |!--|-->|[a-z ä\\x00]){0,40}") {
            if let Some((token, rest)) = read_html_token(&text) {
                prop_assert!(text.ends_with(rest) && rest.len() < text.len());
                if let MarkupToken::Start(tag) | MarkupToken::End(tag) = token {
                    prop_assert!(tag.attributes().count() <= tag.rest.len());
                }
            }
        }
    }
}
