//! Tags in a page: what of their attributes is shown, and what stands in elements that show something else.

use std::ops::Range;

use memchr::{memchr, memmem};

use base::cut::SliceText as _;
use base::html::{decode_character_references, parts_words};

use super::{Medium, SourceReader, script, skip_while};

/// Longest tag, bytes.
const MAX_TAG: usize = 1 << 16;

/// Attributes of components that their page shows.
const SHOWN: &[(&str, &[&str])] = &[
    ("Accordion", &["title", "description"]),
    ("Card", &["title"]),
    ("Expandable", &["title"]),
    ("Frame", &["caption"]),
    ("LinkCard", &["title", "description"]),
    ("ParamField", &["path", "query", "body", "header", "type", "default"]),
    ("ResponseField", &["name", "type", "default"]),
    ("Step", &["title"]),
    ("Tab", &["title"]),
    ("TabItem", &["label"]),
    ("Tile", &["title", "description"]),
    ("Tooltip", &["tip", "headline"]),
    ("Tree.File", &["name"]),
    ("Tree.Folder", &["name"]),
    ("Update", &["label", "description"]),
    ("View", &["title"]),
    ("img", &["alt"]),
];

/// Elements and components whose inside is no text of readers: what browsers show only where they cannot show the
/// element, what is drawn, and what tools replace.
const HIDDEN: &[&str] =
    &["Latex", "Mermaid", "audio", "canvas", "head", "iframe", "include", "script", "style", "title", "video"];

/// Which columns of the table that is read are hidden.
#[derive(Debug, Default)]
pub(super) struct Columns {
    hidden: u64,
    /// The one that is read.
    number: u32,
}

impl Columns {
    /// Reads the start tag of a part of a table; whether what it holds is hidden.
    fn start(&mut self, name: &str, is_hidden: bool) -> bool {
        match name {
            "table" => *self = Self::default(),
            "tr" => self.number = 0,
            "th" | "td" => {
                let column = 1_u64.checked_shl(self.number).unwrap_or_default();
                self.number = self.number.saturating_add(1);
                if is_hidden {
                    self.hidden |= column;
                }
                return self.hidden & column != 0;
            }
            _ => {}
        }
        false
    }
}

/// A tag of a source.
struct SourceTag<'s> {
    name: &'s str,
    /// Names and values of its attributes.
    attributes: Vec<(&'s str, Range<usize>)>,
    is_self_closing: bool,
    end: usize,
}

impl<'s> SourceReader<'s> {
    /// Reads what begins with `<`.
    pub(super) fn angle(&mut self) {
        let at = self.at;
        let rest = self.rest(at);
        if rest.starts_with(b"<!--") {
            let end = memmem::find(rest, b"-->").map(|length| at + length + 3);
            return match self.looked(rest.len(), end) {
                Some(end) => self.skip_to(end),
                None => self.at += 4,
            };
        }
        match self.byte(at + 1) {
            b'>' => self.skip_to(at + 2),
            b'/' => {
                let end = skip_while(self.bytes, at + 2, |byte| {
                    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b':' | b'_' | b' ')
                });
                if self.byte(end) == b'>' {
                    let name = self.text.get(at + 2..end).unwrap_or_default().trim();
                    self.pass(name, end + 1);
                } else {
                    self.at += 1;
                }
            }
            b'!' | b'?' => match memchr(b'>', &rest[..rest.len().min(MAX_TAG)]) {
                Some(length) => self.skip_to(at + length + 1),
                None => self.at += 1,
            },
            byte if byte.is_ascii_alphabetic() || byte == b'_' => self.start_tag(),
            _ => self.at += 1,
        }
    }

    /// Goes on behind a tag.
    fn pass(&mut self, name: &str, end: usize) {
        if !parts_words(name) {
            self.join_at(end);
        } else {
            self.skip_to(end);
        }
    }

    fn start_tag(&mut self) {
        let at = self.at;
        let (tag, looked) = self.tag(at);
        let Some(tag) = self.looked(looked, tag) else { return self.not_a_tag() };
        self.pass(tag.name, tag.end);
        self.attributes(&tag, at);
        if tag.is_self_closing {
            return;
        }
        let has = |name: &str| tag.attributes.iter().any(|(own, _)| *own == name);
        let is_hidden = self.table.start(tag.name, has("data-hidden"));
        let is_value = tag.name == "code"
            && tag
                .attributes
                .iter()
                .any(|(name, value)| *name == "class" && self.text.get(value.clone()) == Some("expression"));
        let is_repeated = tag.attributes.iter().any(|(name, _)| matches!(*name, "v-if" | "v-else-if" | "v-for"));
        let is_for_agents = || {
            tag.name == "Visibility"
                && tag.attributes.iter().any(|(name, value)| {
                    *name == "for" && self.text.get(value.clone()).is_some_and(|value| value.contains("agents"))
                })
        };
        let is_unseen = |name: &str| HIDDEN.binary_search(&name).is_ok();
        // HTML has its names in any case
        let is_capital = !self.syntax.is_mdx && tag.name.bytes().all(|byte| byte.is_ascii_uppercase());
        let is_unseen = is_unseen(tag.name) || is_capital && is_unseen(&tag.name.to_ascii_lowercase());
        if is_unseen || is_hidden || is_value || is_repeated || is_for_agents() {
            self.skip_element(&tag, at);
        }
    }

    /// `<https://…>` and `<me@example.org>` are addresses; anything else is text.
    fn not_a_tag(&mut self) {
        let at = self.at;
        let end = skip_while(self.bytes, at + 1, |byte| byte > b' ' && byte != b'>' && byte != b'<');
        let inside = self.bytes.get(at..end).unwrap_or_default();
        let is_address = self.byte(end) == b'>' && (memmem::find(inside, b"://").is_some() || inside.contains(&b'@'));
        if is_address {
            self.skip_to(end + 1);
        } else {
            self.at += 1;
        }
    }

    fn skip_element(&mut self, tag: &SourceTag<'s>, at: usize) {
        let found = self.close_of(tag);
        let Some(inside_end) = self.looked(self.bytes.len() - tag.end, found) else { return };
        match tag.name {
            "Latex" => self.show(Medium::Formula, at, tag.end..inside_end),
            "Mermaid" => self.show(Medium::Diagram, at, tag.end..inside_end),
            _ => {}
        }
        let end = memchr(b'>', self.rest(inside_end)).map_or(self.bytes.len(), |length| inside_end + length + 1);
        self.skip_to(end);
    }

    /// Where the end tag of an element begins.
    fn close_of(&self, tag: &SourceTag<'s>) -> Option<usize> {
        let is_name_end = |at: usize| !self.byte(at).is_ascii_alphanumeric() && self.byte(at) != b'-';
        let mut depth = 1_usize;
        let mut at = tag.end;
        loop {
            at += memmem::find(self.rest(at), tag.name.as_bytes())?;
            let end = at + tag.name.len();
            if is_name_end(end) && self.bytes[..at].ends_with(b"</") {
                depth -= 1;
                if depth == 0 {
                    return Some(at - 2);
                }
            } else if is_name_end(end) && self.bytes[..at].ends_with(b"<") {
                depth += 1;
            }
            at = end;
        }
    }

    /// Takes what attributes show.
    fn attributes(&mut self, tag: &SourceTag<'s>, at: usize) {
        if matches!(tag.name, "img" | "Image" | "ZoomImage") {
            let address = tag.attributes.iter().find(|(name, _)| *name == "src");
            self.show(Medium::Picture, at, address.map_or(at..at, |(_, value)| value.clone()));
        }
        let Ok(row) = SHOWN.binary_search_by_key(&tag.name, |(name, _)| name) else { return };
        if self.own.contains(tag.name) {
            return;
        }
        for (name, value) in &tag.attributes {
            if SHOWN[row].1.contains(name) {
                self.attribute(value.clone());
            }
        }
    }

    /// Takes the value of an attribute, which may have entities, marks and links in it.
    fn attribute(&mut self, value: Range<usize>) {
        let Some(text) = self.text.get(value.clone()) else { return };
        self.gap();
        let mut from = 0;
        while let Some(link) = text.slice(from..).find("](") {
            let close = text.slice(from + link..).find(')').map_or(text.len(), |close| from + link + close + 1);
            self.attribute_text(value.start + from..value.start + from + link);
            from = close;
        }
        self.attribute_text(value.start + from..value.end);
        self.gap();
    }

    pub(super) fn attribute_text(&mut self, range: Range<usize>) {
        let text = self.text.get(range.clone()).unwrap_or_default();
        if text.contains('&') {
            let decoded = decode_character_references(text);
            self.push_instead(&decoded, range.start);
        } else {
            self.push(range);
        }
    }

    /// The tag at `at`, and how many bytes were looked at.
    fn tag(&self, at: usize) -> (Option<SourceTag<'s>>, usize) {
        let name_end = skip_while(self.bytes, at + 1, |byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b':' | b'_')
        });
        let Some(name) = self.text.get(at + 1..name_end) else { return (None, 1) };
        let mut attributes = Vec::new();
        let mut here = name_end;
        let limit = self.bytes.len().min(at + MAX_TAG);
        let mut is_self_closing = false;
        while here < limit {
            match self.bytes[here] {
                b'>' => {
                    return (Some(SourceTag { name, attributes, is_self_closing, end: here + 1 }), 0);
                }
                b'/' => {
                    is_self_closing = true;
                    here += 1;
                }
                b'{' => {
                    let (end, looked) = script::expression_end(self.bytes, here);
                    let Some(end) = end else { return (None, here - at + looked) };
                    here = end;
                }
                b'<' => return (None, here - at),
                byte if byte.is_ascii_whitespace() => here += 1,
                _ => {
                    is_self_closing = false;
                    let end = skip_while(self.bytes, here, |byte| {
                        !byte.is_ascii_whitespace() && !matches!(byte, b'=' | b'>' | b'/' | b'{' | b'<' | b'"' | b'\'')
                    });
                    let attribute = self.text.get(here..end).unwrap_or_default();
                    let equals = skip_while(self.bytes, end, |byte| byte.is_ascii_whitespace());
                    if self.byte(equals) != b'=' {
                        attributes.push((attribute, end..end));
                        // a quote where no value stands
                        here = end.max(here + 1);
                        continue;
                    }
                    let (value, next, looked) = self.value(equals + 1);
                    let Some(next) = next else { return (None, here - at + looked) };
                    attributes.push((attribute, value));
                    here = next;
                }
            }
        }
        (None, limit - at)
    }

    /// The value behind an `=`: what is written in it, where it ends, how many bytes were looked at.
    fn value(&self, equals: usize) -> (Range<usize>, Option<usize>, usize) {
        let at = skip_while(self.bytes, equals, |byte| byte.is_ascii_whitespace());
        match self.byte(at) {
            quote @ (b'"' | b'\'') => match memchr(quote, self.rest(at + 1)) {
                Some(length) => (at + 1..at + 1 + length, Some(at + length + 2), 0),
                None => (at..at, None, self.bytes.len() - at),
            },
            b'{' => {
                let (end, looked) = script::expression_end(self.bytes, at);
                let text = end.and_then(|end| script::only_string(self.bytes, at + 1..end - 1));
                (text.unwrap_or(at..at), end, looked)
            }
            _ => {
                let end = skip_while(self.bytes, at, |byte| !byte.is_ascii_whitespace() && byte != b'>');
                (at..end, Some(end), 0)
            }
        }
    }
}
