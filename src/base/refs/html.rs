//! Pages and drawings: a scanner of tags, and lol_html where tags alone are ambiguous.

mod foreign;
mod parser;

use memchr::{memchr, memchr2, memmem};

use foreign::Foreign;

use crate::html::tag::code_token;
use crate::source_text::{TextEncoding, decode_text};

use super::RawAddress;
use super::tag::{RefAttribute, RefTag, attribute_name};
use super::{AddressCoding, ReferenceKind, Visitor, address, css::scan_css, element};

/// Which parser read a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HtmlParsing {
    /// The scanner: every tag means the same whatever it stands in.
    Scanner,
    /// lol_html.
    Parser,
    /// What a browser makes of it is not known without building its tree; the visitor got what both saw.
    Unclear,
}

/// Reads a page.
pub fn scan_html<V: Visitor>(html: &[u8], visitor: &mut V) -> HtmlParsing {
    if scan_html_tags(html, visitor) {
        return HtmlParsing::Scanner;
    }
    visitor.restart();
    read_with_parser(html, visitor)
}

/// Reads a page with lol_html alone.
pub fn read_with_parser<V: Visitor>(html: &[u8], visitor: &mut V) -> HtmlParsing {
    if parser::parse_html_refs(html, 0, visitor) { HtmlParsing::Parser } else { HtmlParsing::Unclear }
}

/// Reads a page with the scanner alone; `false` if tags alone are ambiguous.
pub fn scan_html_tags<V: Visitor>(html: &[u8], visitor: &mut V) -> bool {
    RefScanner::new(html, 0, false).run(visitor)
}

/// Reads a drawing.
pub fn read_svg<V: Visitor>(svg: &[u8], visitor: &mut V) {
    let (text, encoding) = decode_text(svg);
    let svg = if encoding == TextEncoding::Utf16 { text.as_bytes() } else { svg };
    RefScanner::new(svg, 0, true).run(visitor);
}

/// Reads a page in an attribute, or the inside of `<noscript>`, which browsers read in two ways. All of it is placed
/// where it begins.
pub(super) fn read_within<V: Visitor>(html: &[u8], base: usize, depth: usize, visitor: &mut V) {
    let mut within = NestedPage::default();
    if !RefScanner::new(html, depth, false).run(&mut within) && depth <= MAX_SRCDOC_DEPTH {
        within.restart();
        parser::parse_html_refs(html, depth, &mut within);
    }
    for (kind, url) in within.0 {
        visitor.reference(kind, RawAddress::new(&url, AddressCoding::Plain), base);
    }
}

/// Most pages within pages that are read as pages; deeper ones are read as part of what they stand in.
const MAX_SRCDOC_DEPTH: usize = 5;

/// What a page within a page refers to.
#[derive(Default)]
struct NestedPage(Vec<(ReferenceKind, Vec<u8>)>);

impl Visitor for NestedPage {
    const DETAILS: bool = false;
    fn reference(&mut self, kind: ReferenceKind, address: RawAddress<'_>, _at: usize) {
        self.0.push((kind, address.bytes().into_owned()));
    }
    fn restart(&mut self) {
        self.0.clear();
    }
}

struct RefScanner<'a> {
    text: &'a [u8],
    attributes: Vec<RefAttribute<'a>>,
    foreign: Foreign<'a>,
    selects: u32,
    depth: usize,
    xml: bool,
}

/// How a tag goes on behind its name.
struct TagEnd {
    /// Behind the `>`.
    at: usize,
    self_closing: bool,
}

impl<'a> RefScanner<'a> {
    fn new(text: &'a [u8], depth: usize, xml: bool) -> Self {
        Self { text, attributes: Vec::new(), foreign: Foreign::default(), selects: 0, depth, xml }
    }

    /// Reads everything; `false` as soon as tags alone are ambiguous.
    fn run<V: Visitor>(&mut self, visitor: &mut V) -> bool {
        let mut at = 0;
        while let Some(open) = self.text.get(at..).and_then(|rest| memchr(b'<', rest)) {
            let start = at + open;
            if !self.xml
                && !self.foreign.is_open()
                && let Some((_, end)) = code_token(&self.text[start..])
            {
                at = start + end;
                continue;
            }
            let next = match self.text.get(start + 1) {
                Some(b'!') => self.declaration(start),
                Some(b'?') => self.instruction(start, visitor),
                Some(b'/') => self.end_tag(start),
                Some(byte) if byte.is_ascii_alphabetic() || (self.xml && (*byte >= 0x80 || *byte == b'_')) => {
                    self.start_tag(start, visitor)
                }
                _ => Some(start + 1),
            };
            match next {
                Some(next) => at = next,
                None => return false,
            }
        }
        true
    }

    /// The offset behind the next `>`.
    fn behind_close(&self, from: usize) -> usize {
        self.behind(from, b">")
    }

    fn behind(&self, from: usize, end: &[u8]) -> usize {
        let rest = self.text.get(from..).unwrap_or_default();
        memmem::find(rest, end).map_or(self.text.len(), |found| from + found + end.len())
    }

    fn declaration(&self, start: usize) -> Option<usize> {
        let rest = &self.text[start..];
        if rest.starts_with(b"<!--") {
            return Some(self.comment(start));
        }
        if rest.starts_with(b"<![CDATA[") {
            return match (self.xml, self.foreign.is_open()) {
                (true, _) => Some(self.behind(start, b"]]>")),
                (false, true) => None,
                (false, false) => Some(self.behind_close(start)),
            };
        }
        // a document type may hold definitions
        if self.xml
            && let Some(open) = memchr2(b'[', b'>', rest).filter(|at| rest[*at] == b'[')
        {
            let inside = self.behind(start + open, b"]");
            return Some(self.behind_close(inside));
        }
        Some(self.behind_close(start))
    }

    fn comment(&self, start: usize) -> usize {
        if self.xml {
            return self.behind(start + 4, b"-->");
        }
        let rest = &self.text[start + 4..];
        if rest.starts_with(b">") {
            return start + 5;
        }
        if rest.starts_with(b"->") {
            return start + 6;
        }
        let mut from = 0;
        while let Some(dashes) = memmem::find(&rest[from..], b"--") {
            let after = from + dashes + 2;
            match rest.get(after..) {
                Some([b'>', ..]) => return start + 4 + after + 1,
                Some([b'!', b'>', ..]) => return start + 4 + after + 2,
                _ => from += dashes + 1,
            }
        }
        self.text.len()
    }

    /// `<?…`: in XML it may name a style sheet.
    fn instruction<V: Visitor>(&mut self, start: usize, visitor: &mut V) -> Option<usize> {
        if !self.xml {
            return Some(self.behind_close(start));
        }
        let end = self.behind(start, b"?>");
        let inside = &self.text[start + 2..end.saturating_sub(2).max(start + 2)];
        if inside.starts_with(b"xml-stylesheet") {
            self.attributes.clear();
            let mut inner = RefScanner::new(inside, self.depth, true);
            inner.attributes(b"xml-stylesheet".len(), true);
            for (name, value) in &inner.attributes {
                if *name == super::tag::AttributeName::Href {
                    visitor.reference(ReferenceKind::Style, RawAddress::new(value, AddressCoding::Markup), start);
                }
            }
        }
        Some(end)
    }

    fn end_tag(&mut self, start: usize) -> Option<usize> {
        let name_at = start + 2;
        if !self
            .text
            .get(name_at)
            .is_some_and(|byte| byte.is_ascii_alphabetic() || (self.xml && (*byte >= 0x80 || *byte == b'_')))
        {
            return Some(self.behind_close(name_at));
        }
        let name = self.name(name_at);
        let end = match self.text.get(name_at + name.len()) {
            Some(b'>') => name_at + name.len() + 1,
            _ => self.attributes(name_at + name.len(), false).map_or(self.text.len(), |end| end.at),
        };
        if !self.xml {
            if self.foreign.is_open() {
                self.foreign.end(name)?;
            } else if name.eq_ignore_ascii_case(b"select") {
                self.selects = self.selects.saturating_sub(1);
            }
        }
        Some(end)
    }

    /// The name that begins at an offset.
    fn name(&self, at: usize) -> &'a [u8] {
        let rest = &self.text[at..];
        let length = rest
            .iter()
            .position(|byte| matches!(byte, b'>' | b'/' | b' ' | b'\n' | b'\t' | b'\r' | b'\x0c'))
            .unwrap_or(rest.len());
        &rest[..length]
    }

    fn start_tag<V: Visitor>(&mut self, start: usize, visitor: &mut V) -> Option<usize> {
        let name = self.name(start + 1);
        self.attributes.clear();
        // a tag without an end is none
        let Some(end) = self.attributes(start + 1 + name.len(), true) else { return Some(self.text.len()) };
        if !self.attributes.is_empty() {
            let coding = if self.xml { AddressCoding::Plain } else { AddressCoding::Markup };
            let tag = RefTag { name, attributes: &self.attributes, at: start, coding };
            element::visit(&tag, self.depth, visitor);
        }
        if self.xml {
            return Some(if !end.self_closing && is_style(name) {
                self.xml_style(name, end.at, visitor)
            } else {
                end.at
            });
        }
        if self.foreign.is_open() || Foreign::begins(name) {
            self.foreign.start(name, end.self_closing)?;
            return Some(end.at);
        }
        let Some(raw) = RawText::of(name).filter(|raw| *raw != RawText::NoScript || self.depth < MAX_SRCDOC_DEPTH)
        else {
            if name.eq_ignore_ascii_case(b"select") {
                self.selects += 1;
            }
            return if name.eq_ignore_ascii_case(b"frameset") { None } else { Some(end.at) };
        };
        if self.selects > 0 || raw == RawText::Plaintext {
            return None;
        }
        let (inside, after) = self.raw_text(name, end.at);
        let content = &self.text[end.at..inside];
        match raw {
            RawText::Style => scan_css(content, AddressCoding::Plain, end.at, visitor),
            RawText::Script if memmem::find(content, b"<!--").is_some() => return None,
            RawText::NoScript => read_within(content, start, self.depth + 1, visitor),
            _ => {}
        }
        Some(after)
    }

    /// Where the text of an element ends that holds no tags, and where its end tag ends.
    fn raw_text(&self, name: &[u8], from: usize) -> (usize, usize) {
        let mut at = from;
        while let Some(found) = memmem::find(&self.text[at..], b"</") {
            let name_at = at + found + 2;
            let behind = name_at + name.len();
            if self.text.get(name_at..behind).is_some_and(|own| own.eq_ignore_ascii_case(name))
                && matches!(self.text.get(behind), Some(b'>' | b'/' | b' ' | b'\n' | b'\t' | b'\r' | b'\x0c'))
            {
                return (at + found, self.behind_close(behind));
            }
            at = name_at;
        }
        (self.text.len(), self.text.len())
    }

    /// The style sheet of a drawing: text, perhaps in CDATA, with references.
    fn xml_style<V: Visitor>(&self, name: &[u8], from: usize, visitor: &mut V) -> usize {
        let (inside, _) = self.raw_text(name, from);
        scan_css(&address::decode_markup(&self.text[from..inside]), AddressCoding::Plain, from, visitor);
        inside
    }

    /// Reads attributes up to the end of the tag; `None` if it has none. Those that matter are kept if `keep`.
    fn attributes(&mut self, from: usize, keep: bool) -> Option<TagEnd> {
        let text = self.text;
        let mut at = from;
        loop {
            let mut slash = false;
            loop {
                match text.get(at) {
                    Some(b' ' | b'\n' | b'\t' | b'\r' | b'\x0c') => slash = false,
                    Some(b'/') => slash = true,
                    Some(b'>') => return Some(TagEnd { at: at + 1, self_closing: slash }),
                    Some(_) => break,
                    // the end of the instruction whose attributes these are
                    None => return None,
                }
                at += 1;
            }
            let name_at = at;
            at += 1;
            while text
                .get(at)
                .is_some_and(|byte| !matches!(byte, b'=' | b'>' | b'/' | b' ' | b'\n' | b'\t' | b'\r' | b'\x0c'))
            {
                at += 1;
            }
            let name = &text[name_at..at];
            let mut value_at = at;
            while text.get(value_at).is_some_and(u8::is_ascii_whitespace) {
                value_at += 1;
            }
            let mut value: &[u8] = &[];
            if text.get(value_at) == Some(&b'=') {
                (value, at) = self.value(value_at + 1)?;
            }
            if keep && let Some(name) = attribute_name(name) {
                self.attributes.push((name, value));
            }
        }
    }

    /// The value behind an `=`, and where it ends.
    fn value(&self, from: usize) -> Option<(&'a [u8], usize)> {
        let text = self.text;
        let at = from + text[from..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        match text.get(at)? {
            quote @ (b'"' | b'\'') => {
                let length = memchr(*quote, &text[at + 1..])?;
                Some((&text[at + 1..at + 1 + length], at + length + 2))
            }
            b'>' => Some((&[], at)),
            _ => {
                let rest = &text[at..];
                let length =
                    rest.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'>').unwrap_or(rest.len());
                Some((&rest[..length], at + length))
            }
        }
    }
}

fn is_style(name: &[u8]) -> bool {
    name.iter().rposition(|byte| *byte == b':').map_or(name, |colon| &name[colon + 1..]).eq_ignore_ascii_case(b"style")
}

/// Elements whose inside is text to a browser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum RawText {
    Script,
    Style,
    NoScript,
    Plaintext,
    Other,
}

impl RawText {
    fn of(name: &[u8]) -> Option<Self> {
        // most elements are distinguished by their first letter or their length
        if !(3..=9).contains(&name.len()) || !matches!(name[0] | 0x20, b's' | b't' | b'x' | b'i' | b'n' | b'p') {
            return None;
        }
        let is = |word: &[u8]| name.eq_ignore_ascii_case(word);
        Some(match name.len() {
            6 if is(b"script") => Self::Script,
            5 if is(b"style") => Self::Style,
            8 if is(b"noscript") => Self::NoScript,
            9 if is(b"plaintext") => Self::Plaintext,
            5 if is(b"title") => Self::Other,
            8 if is(b"textarea") || is(b"noframes") => Self::Other,
            3 if is(b"xmp") => Self::Other,
            6 if is(b"iframe") => Self::Other,
            7 if is(b"noembed") => Self::Other,
            _ => return None,
        })
    }
}
