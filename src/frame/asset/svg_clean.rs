//! SVG files without what could run: opened by its own address, a drawing is a page on the site's origin. Scripts,
//! handlers, embedded pages and `javascript:` links are cut out; a file that has none of them keeps every byte.
//!
//! Browsers read SVG as XML and stop at its first error, so what follows one is inert and stays as it is.
//!
//! No parser of XML reads here, nor in `svg_loads`: it would refuse a file that is broken behind its script, which
//! browsers run all the same, and files that are not UTF-8, and a file that it reads would not keep every byte.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use memchr::{memchr, memmem};

use base::html::xml_reference;
use base::source_text::decode_utf16;

/// Elements that run something or hold pages, by local name in lower case.
const ACTIVE: [&str; 10] =
    ["script", "foreignobject", "handler", "iframe", "embed", "object", "applet", "frame", "meta", "base"];
/// Attributes that hold addresses, or put them into other attributes.
const ADDRESSES: [&str; 10] = ["href", "src", "action", "formaction", "data", "poster", "to", "from", "by", "values"];

/// The file without what could run, and what that was, in words; `None` if there is nothing to cut.
pub fn clean_svg(bytes: &[u8]) -> Option<(Vec<u8>, Vec<&'static str>)> {
    let mut text = Cow::Borrowed(bytes);
    let mut found = BTreeSet::new();
    let wide = utf16(bytes);
    if let Some(wide) = &wide {
        text = Cow::Borrowed(wide.as_bytes());
    }
    // no part of XML; in some encodings they vanish and join what they stand between
    if memchr(ESCAPE, &text).is_some() {
        text.to_mut().retain(|byte| *byte != ESCAPE);
        found.insert("control characters");
    }
    let mut reader = SvgReader { text: &text, cuts: Vec::new(), found };
    reader.read();
    if reader.found.is_empty() {
        return None;
    }
    if wide.is_some() && text.starts_with(b"<?xml ") {
        // the declaration names the encoding that the text no longer has
        reader.cuts.insert(0, 0..memmem::find(&text, b"?>").map_or(0, |end| end + 2));
    }
    Some(reader.finish())
}

const ESCAPE: u8 = 0x1B;

/// The text of a file in UTF-16: in bytes it would hide its tags.
pub(super) fn utf16(bytes: &[u8]) -> Option<String> {
    match bytes {
        [0xFF, 0xFE, ..] | [b'<', 0, ..] => Some(decode_utf16(bytes, false)),
        [0xFE, 0xFF, ..] | [0, b'<', ..] => Some(decode_utf16(bytes, true)),
        _ => None,
    }
}

struct SvgReader<'a> {
    text: &'a [u8],
    cuts: Vec<Range<usize>>,
    found: BTreeSet<&'static str>,
}

impl SvgReader<'_> {
    fn finish(self) -> (Vec<u8>, Vec<&'static str>) {
        let mut out = Vec::with_capacity(self.text.len());
        let mut from = 0;
        for cut in &self.cuts {
            out.extend_from_slice(&self.text[from..cut.start.max(from)]);
            from = cut.end.max(from);
        }
        out.extend_from_slice(&self.text[from..]);
        (out, self.found.into_iter().collect())
    }

    fn cut(&mut self, range: Range<usize>, what: &'static str) {
        self.cuts.push(range);
        self.found.insert(what);
    }

    /// One pass over the tags; cuts are made in order.
    fn read(&mut self) {
        let mut at = 0;
        // inside an active element: where it starts, and how many elements are open in it
        let mut active: Option<(usize, usize)> = None;
        while let Some(start) = memchr(b'<', &self.text[at..]).map(|found| at + found) {
            let Some(end) = svg_tag_end(self.text, start) else { break };
            let tag = &self.text[start + 1..end - 1];
            at = end;
            match (tag.first(), &mut active) {
                (Some(b'!' | b'?'), None) => self.declaration(start..end),
                (Some(b'!' | b'?'), Some(_)) => {}
                (Some(b'/'), None) => {}
                (Some(b'/'), Some((from, depth))) => {
                    *depth -= 1;
                    if *depth == 0 {
                        let from = *from;
                        self.cut(from..end, "a script or an embedded page");
                        active = None;
                    }
                }
                (_, Some((_, depth))) => *depth += usize::from(!tag.ends_with(b"/")),
                (_, None) if is_active(tag) => {
                    if tag.ends_with(b"/") {
                        self.cut(start..end, "a script or an embedded page");
                    } else {
                        active = Some((start, 1));
                    }
                }
                (_, None) => self.attributes(start + 1, end - 1),
            }
        }
        // never closed: browsers run a script before they find out
        if let Some((from, _)) = active {
            self.cut(from..self.text.len(), "a script or an embedded page");
        }
    }

    /// Style sheets that are programs, and entities or defaults that could become markup or handlers, go; plain
    /// entities (as drawing programs write them for name spaces) stay.
    fn declaration(&mut self, range: Range<usize>) {
        let text = &self.text[range.clone()];
        if text.starts_with(b"<?xml-stylesheet") {
            self.cut(range, "a style sheet that may be a program");
        } else if text.starts_with(b"<!DOCTYPE") && memchr(b'[', text).is_some() {
            let plain = |entity: &[u8]| {
                let value = entity.splitn(2, |byte| matches!(byte, b'"' | b'\'')).nth(1).unwrap_or_default();
                !value.contains(&b'<') && !value.contains(&b'&') && !entity.contains(&b'%')
            };
            let entities = memmem::find_iter(text, b"<!ENTITY").map(|at| &text[at + 8..]);
            let all_plain = entities.into_iter().all(|rest| plain(&rest[..memchr(b'>', rest).unwrap_or(rest.len())]));
            if !all_plain || memmem::find(text, b"<!ATTLIST").is_some() || memchr(b'%', text).is_some() {
                self.cut(range, "definitions that may become scripts");
            }
        }
    }

    /// Cuts attributes of the tag whose inside is `from..to`.
    fn attributes(&mut self, from: usize, to: usize) {
        let text = self.text;
        for SvgAttribute { all, name, value } in attributes(text, from, to) {
            // the space before it stays, so that what it parted does not become one name
            if let Some(what) = runs(local_name(&text[name]), &text[value]) {
                self.cut(all, what);
            }
        }
    }
}

/// Where an attribute stands in its file.
#[derive(Clone, Debug)]
pub(super) struct SvgAttribute {
    /// The whole attribute, with its value and the quotes.
    pub(super) all: Range<usize>,
    pub(super) name: Range<usize>,
    /// Between the quotes.
    pub(super) value: Range<usize>,
}

/// The attributes of the tag whose inside is `from..to`.
pub(super) fn attributes(text: &[u8], from: usize, to: usize) -> impl Iterator<Item = SvgAttribute> + '_ {
    let mut at = from + name_length(&text[from..to]);
    std::iter::from_fn(move || {
        if at >= to {
            return None;
        }
        let space = text[at..to].iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == b'/').count();
        let start = at + space;
        let name_end = start + name_length(&text[start..to]);
        let mut end = name_end + text[name_end..to].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let mut value = end..end;
        if text[..to].get(end) == Some(&b'=') {
            end += 1 + text[end + 1..to].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let quote = text[..to].get(end).copied().filter(|byte| matches!(byte, b'"' | b'\''));
            let inside = end + usize::from(quote.is_some());
            let rest = &text[inside..to];
            let length = match quote {
                Some(quote) => memchr(quote, rest).unwrap_or(rest.len()),
                None => rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len()),
            };
            value = inside..inside + length;
            end = (inside + length + usize::from(quote.is_some())).min(to);
        }
        at = end.max(at + 1);
        Some(SvgAttribute { all: start..end, name: start..name_end, value })
    })
}

/// Behind the construct that starts at `start`; `None` if it never ends.
pub(super) fn svg_tag_end(text: &[u8], start: usize) -> Option<usize> {
    let rest = &text[start..];
    for (open, close) in [(&b"<!--"[..], &b"-->"[..]), (b"<![CDATA[", b"]]>"), (b"<?", b"?>")] {
        if rest.starts_with(open) {
            return memmem::find(&rest[open.len()..], close).map(|found| start + open.len() + found + close.len());
        }
    }
    let mut quote = None;
    let mut subset = 0usize;
    for (at, byte) in rest.iter().enumerate() {
        match (quote, byte) {
            (Some(open), byte) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'[') => subset += 1,
            (None, b']') => subset = subset.saturating_sub(1),
            (None, b'>') if subset == 0 => return Some(start + at + 1),
            _ => {}
        }
    }
    None
}

/// Length of the name that `text` starts with.
pub(super) fn name_length(text: &[u8]) -> usize {
    text.iter().position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'=' | b'/')).unwrap_or(text.len())
}

/// A name without its prefix, in lower case.
pub(super) fn local_name(name: &[u8]) -> String {
    let local = name.iter().rposition(|byte| *byte == b':').map_or(name, |colon| &name[colon + 1..]);
    String::from_utf8_lossy(local).to_ascii_lowercase()
}

fn is_active(tag: &[u8]) -> bool {
    // most tags are not even of that length
    let name = &tag[..name_length(tag)];
    name.len() >= 4 && ACTIVE.contains(&local_name(name).as_str())
}

/// What an attribute could run.
fn runs(name: String, value: &[u8]) -> Option<&'static str> {
    let is_address = ADDRESSES.contains(&name.as_str());
    match name.as_str() {
        "srcdoc" => Some("a script or an embedded page"),
        name if name.len() > 2 && name.starts_with("on") => Some("an event handler"),
        // an animation that writes a handler
        "attributename" if plain_attribute_value(value).starts_with("on") => Some("an event handler"),
        _ if is_address && plain_attribute_value(value).split(';').any(is_program) => Some("a link that runs a script"),
        _ => None,
    }
}

/// Also what an entity of the file may complete to one.
fn is_program(address: &str) -> bool {
    ["javascript:", "vbscript:", "&"].iter().any(|start| address.starts_with(start))
}

/// A value as a browser compares it: references resolved, no white space or control characters, lower case.
fn plain_attribute_value(value: &[u8]) -> String {
    let text = String::from_utf8_lossy(value);
    let mut out = String::with_capacity(text.len().min(64));
    let mut rest = text.as_ref();
    while let Some(c) = rest.chars().next() {
        let (c, length) = svg_character_reference(rest).unwrap_or((c, c.len_utf8()));
        rest = rest.get(length..).unwrap_or_default();
        if !c.is_whitespace() && !c.is_control() {
            out.extend(c.to_lowercase());
        }
    }
    out
}

/// A character reference at the start of a text: the character and its length.
fn svg_character_reference(text: &str) -> Option<(char, usize)> {
    let inside = text.strip_prefix('&')?;
    let end = inside.bytes().take(12).position(|byte| byte == b';')?;
    let name = inside.get(..end)?;
    // an ampersand of the text is no reference
    let c = if name == "amp" { '+' } else { xml_reference(name)? };
    Some((c, end + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(svg: &str, expect: &str) {
        let cleaned = clean_svg(svg.as_bytes()).map(|(bytes, _)| String::from_utf8(bytes).expect("UTF-8"));
        assert_eq!(cleaned.as_deref().unwrap_or(svg), expect);
        assert_eq!(cleaned.is_none(), svg == expect, "nothing was cut, and yet it was rewritten");
        assert_eq!(clean_svg(expect.as_bytes()), None, "clean files are clean");
    }

    #[test]
    fn what_runs_is_cut() {
        check("<svg onload=\"a()\"  width='1'><script>b(1)</script><g/></svg>", "<svg   width='1'><g/></svg>");
        check(
            "<svg><script href='x'/><x:script xmlns:x='y'><![CDATA[</x:script>]]></x:script><p/></svg>",
            "<svg><p/></svg>",
        );
        check("<svg><foreignObject><p><iframe/>x</p></foreignObject><p/></svg>", "<svg><p/></svg>");
        check(
            "<svg><a xlink:href=\" java&#x73;cript:a()\" id='b'><set attributeName='onclick' to='c()'/></a></svg>",
            "<svg><a  id='b'><set  to='c()'/></a></svg>",
        );
        check(
            "<svg><animate attributeName='href' values='#a;JavaScript:b()'/></svg>",
            "<svg><animate attributeName='href' /></svg>",
        );
        check("<?xml-stylesheet href='a.xsl'?><svg/>", "<svg/>");
        check("<!DOCTYPE svg [<!ATTLIST svg onload CDATA 'a()'>]><svg/>", "<svg/>");
        check("<!DOCTYPE svg [<!ENTITY a '<script>b()</script>'>]><svg>&a;</svg>", "<svg>&a;</svg>");
        check("<svg><a href='&b;c'/></svg>", "<svg><a /></svg>");
        check("<svg><scr\u{1B}ipt>a()", "<svg>");
        check("<s onx='a'cript>b()", "<s cript>b()");
        check("<svg><g/><script>a()", "<svg><g/>");
    }

    #[test]
    fn drawings_keep_every_byte() {
        for svg in [
            "<?xml version=\"1.0\"?><!-- <script> --><!DOCTYPE svg PUBLIC \"a\" \"b\" [ <!ENTITY ns_svg \"http://www.w3.org/2000/svg\"> ]><svg xmlns=\"&ns_svg;\"/>",
            "<svg><style><![CDATA[ a > b { fill: url(#c) } ]]></style><use href='#on'/><a href=\"https://x.org/?a=1&amp;b=javascript:\">on</a></svg>",
            "<svg><text font-family='x'>onload=&quot;x&quot; &lt;script&gt;</text></svg>",
            "<svg><image href='data:image/png;base64,AAAA'/></svg>",
            "<svg a=<b",
            "",
        ] {
            assert_eq!(clean_svg(svg.as_bytes()), None, "{svg}");
        }
    }

    #[test]
    fn other_encodings_hide_nothing() {
        let wide: Vec<u8> = "\u{FEFF}<?xml version='1.0' encoding='UTF-16'?><svg onload='a()'/>"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        assert_eq!(clean_svg(&wide), Some((b"<svg />".to_vec(), vec!["an event handler"])));
        let plain: Vec<u8> = "<svg/>".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(clean_svg(&plain), None);
        assert_eq!(
            clean_svg(b"<svg \xff=\"\xff\" onload=\"a()\"/>"),
            Some((b"<svg \xff=\"\xff\" />".to_vec(), vec!["an event handler"]))
        );
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_end(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..200)) {
            let _ = clean_svg(&bytes);
        }

        #[test]
        fn nothing_that_runs_survives(pieces in proptest::collection::vec("(<svg>|<script>|</script>|<g |onload=|'a'|\"b\"|/>|>|<!--|-->|<a href='javascript:b'>|</a>|\\[|&x;|<!DOCTYPE [|]>)", 0..24)) {
            let text = pieces.concat();
            let once = clean_svg(text.as_bytes()).map_or(text.clone().into_bytes(), |(bytes, _)| bytes);
            proptest::prop_assert_eq!(clean_svg(&once), None, "{} became {}", text, String::from_utf8_lossy(&once));
        }
    }
}
