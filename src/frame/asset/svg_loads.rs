//! SVG files without loads from elsewhere: what their style sheets, attributes and elements load from another host is
//! loaded from the bundle, or not at all. A file that loads nothing from elsewhere keeps every byte.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr2, memmem};

use super::css::{CssTarget, rewrite_css};
use super::svg_clean::{SvgAttribute, attributes, local_name, name_length, svg_tag_end, utf16};
use base::LoadKind;
use base::html::{self, escape_html_text};
use base::refs::css::scan_css;
use base::refs::{AddressCoding, Outside, RawAddress};

/// Elements that change an attribute of another one.
const ANIMATIONS: [&str; 5] = ["animate", "set", "animatetransform", "animatemotion", "animatecolor"];

/// The file with other addresses for what stands elsewhere; `None` if it loads nothing from there. `resolve` judges
/// each such address and the kind of load.
pub fn rewrite_svg(svg: &[u8], resolve: &mut dyn FnMut(&str, LoadKind) -> CssTarget) -> Option<Vec<u8>> {
    let wide = utf16(svg);
    let text = wide.as_ref().map_or(svg, |wide| wide.as_bytes());
    // an entity may stand for anything
    if Outside::of("a.svg", text).loads().next().is_none() && memmem::find(text, b"<!ENTITY").is_none() {
        return None;
    }
    let mut writer = SvgRewriter { text, changes: Vec::new(), entities: Vec::new(), resolve };
    writer.read();
    if writer.changes.is_empty() {
        return None;
    }
    if wide.is_some() && text.starts_with(b"<?xml ") {
        // the declaration names the encoding that the text no longer has
        writer.changes.insert(0, (0..memmem::find(text, b"?>").map_or(0, |end| end + 2), Vec::new()));
    }
    Some(writer.finish())
}

struct SvgRewriter<'a, 'r> {
    text: &'a [u8],
    /// Ranges of the text and the bytes that take their place, in the order of the text.
    changes: Vec<(Range<usize>, Vec<u8>)>,
    /// `&name;` and what it stands for.
    entities: Vec<(Vec<u8>, Vec<u8>)>,
    resolve: &'r mut dyn FnMut(&str, LoadKind) -> CssTarget,
}

impl SvgRewriter<'_, '_> {
    fn finish(self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.text.len());
        let mut from = 0;
        for (range, text) in &self.changes {
            out.extend_from_slice(&self.text[from..range.start.max(from)]);
            out.extend_from_slice(text);
            from = range.end.max(from);
        }
        out.extend_from_slice(&self.text[from..]);
        out
    }

    fn change(&mut self, range: Range<usize>, text: Vec<u8>) {
        self.changes.push((range, text));
    }

    /// One pass over the tags; changes are made in order.
    fn read(&mut self) {
        let mut at = 0;
        while let Some(start) = memchr(b'<', &self.text[at..]).map(|found| at + found) {
            let Some(end) = svg_tag_end(self.text, start) else { return };
            at = end;
            match self.text[start + 1] {
                b'!' => self.define(start..end),
                b'?' | b'/' => {}
                _ => {
                    let inside = start + 1..end - 1;
                    let name =
                        local_name(&self.text[inside.start..inside.start + name_length(&self.text[inside.clone()])]);
                    for attribute in attributes(self.text, inside.start, inside.end) {
                        self.attribute(&name, &attribute);
                    }
                    if name == "style" && !self.text[inside].ends_with(b"/") {
                        at = self.sheet(end);
                    }
                }
            }
        }
    }

    /// Notes the entities of a document type.
    fn define(&mut self, range: Range<usize>) {
        let text = &self.text[range];
        for at in memmem::find_iter(text, b"<!ENTITY").filter(|_| text.starts_with(b"<!DOCTYPE")) {
            let rest = &text[at + 8..];
            let rest = &rest[..memchr(b'>', rest).unwrap_or(rest.len())];
            let mut parts = rest.splitn(3, |byte| matches!(byte, b'"' | b'\''));
            if let (Some(name), Some(value)) = (parts.next(), parts.next()) {
                self.entities.push(([b"&", name.trim_ascii(), b";"].concat(), value.to_vec()));
            }
        }
    }

    /// What a text of the file says: entities and references resolved.
    fn said(&self, raw: &[u8]) -> String {
        let mut text = Cow::Borrowed(raw);
        for (name, value) in &self.entities {
            if memmem::find(&text, name).is_some() {
                text = Cow::Owned(replaced(&text, name, value));
            }
        }
        RawAddress::new(&text, AddressCoding::Markup).text()
    }

    fn attribute(&mut self, element: &str, attribute: &SvgAttribute) {
        let raw = &self.text[attribute.value.clone()];
        // nothing is loaded without a host, a function or an entity that may be either
        if memchr2(b'/', b'\\', raw).is_none() && memchr2(b'(', b'&', raw).is_none() {
            return;
        }
        let value = self.said(raw);
        let is_outside = |url: &str| RawAddress::new(url.as_bytes(), AddressCoding::Plain).is_outside();
        let name = local_name(&self.text[attribute.name.clone()]);
        let is_animation = ANIMATIONS.contains(&element);
        let change = match name.as_str() {
            "xmlns" => return,
            "href" if element == "a" => return,
            "ping" | "srcset" => value.split([',', ' ', '\n', '\t']).any(is_outside).then_some(None),
            "href" | "src" | "data" | "poster" | "background" | "base" if is_outside(&value) => {
                let is_picture = matches!(element, "image" | "use" | "feimage") && name == "href";
                let load = if element == "font-face-uri" { LoadKind::Font } else { LoadKind::Picture };
                let target = if is_picture || load == LoadKind::Font {
                    (self.resolve)(value.trim(), load)
                } else {
                    CssTarget::Drop
                };
                match target {
                    CssTarget::Inside(url) => Some(Some(url)),
                    CssTarget::Keep => None,
                    CssTarget::Drop => Some(None),
                }
            }
            "values" | "to" | "from" | "by" if is_animation => {
                (value.split(';').any(is_outside) || loads(&value)).then_some(None)
            }
            _ if value.contains(['(', '\\']) && loads(&value) => {
                Some(Some(self.css(&value)).filter(|css| !css.is_empty()))
            }
            _ => None,
        };
        match change {
            None => {}
            Some(None) => self.change(attribute.all.clone(), Vec::new()),
            Some(Some(value)) => {
                let name = String::from_utf8_lossy(&self.text[attribute.name.clone()]).into_owned();
                self.change(attribute.all.clone(), format!("{name}=\"{}\"", html::attr(&value)).into_bytes());
            }
        }
    }

    /// Rewrites the style sheet whose text starts at `from`; returns its end.
    fn sheet(&mut self, from: usize) -> usize {
        let mut css = String::new();
        let mut at = from;
        let end = loop {
            let Some(next) = memchr(b'<', &self.text[at..]).map(|found| at + found) else { break self.text.len() };
            css.push_str(&self.said(&self.text[at..next]));
            let rest = &self.text[next..];
            if rest.starts_with(b"</") {
                break next;
            }
            let Some(behind) = svg_tag_end(self.text, next) else { break self.text.len() };
            if let Some(literal) = rest[..behind - next].strip_prefix(b"<![CDATA[") {
                css.push_str(&String::from_utf8_lossy(literal.strip_suffix(b"]]>").unwrap_or(literal)));
            }
            at = behind;
        };
        if loads(&css) {
            let css = self.css(&css);
            self.change(from..end, escape_html_text(&css).into_bytes());
        }
        end
    }

    /// CSS with other addresses for what stands elsewhere; empty if some of it cannot be parsed.
    fn css(&mut self, css: &str) -> String {
        let rewritten = rewrite_css(css, |address, load| {
            match RawAddress::new(address.as_bytes(), AddressCoding::Plain).is_outside() {
                true => (self.resolve)(address, load),
                false => CssTarget::Keep,
            }
        });
        if loads(&rewritten) { String::new() } else { rewritten }
    }
}

/// Whether CSS loads something from elsewhere.
fn loads(text: &str) -> bool {
    let mut found = Outside::default();
    scan_css(text.as_bytes(), AddressCoding::Plain, 0, &mut found);
    found.loads().next().is_some()
}

fn replaced(text: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    for found in memmem::find_iter(text, from) {
        out.extend_from_slice(&text[at..found]);
        out.extend_from_slice(to);
        at = found + from.len();
    }
    out.extend_from_slice(&text[at..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What becomes of a drawing if the bundle has copies of the addresses that begin with `https://here/`.
    #[track_caller]
    fn check(svg: &str, expect: &str) {
        let mut resolve = |address: &str, _: LoadKind| match address.strip_prefix("https://here/") {
            Some(name) => CssTarget::Inside(format!("c/{name}")),
            None => CssTarget::Drop,
        };
        let rewritten = rewrite_svg(svg.as_bytes(), &mut resolve).map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
        assert_eq!(rewritten.as_deref().unwrap_or(svg), expect);
        assert_eq!(Outside::of("a.svg", expect.as_bytes()).loads().count(), 0, "{expect}");
    }

    #[test]
    fn style_sheets_load_from_the_bundle_or_nothing() {
        check(
            "<svg><style>@import url(https://x/css?a;b);p{fill:red}</style></svg>",
            "<svg><style>p{fill:red}</style></svg>",
        );
        check(
            "<svg><style>@import 'https://here/f.css';p{}</style></svg>",
            "<svg><style>@import url(\"c/f.css\");p{}</style></svg>",
        );
        check(
            "<svg><style><![CDATA[@font-face{src:url(https://here/a.woff2),url(//x/b)} a>b{}]]></style></svg>",
            "<svg><style>@font-face{src:url(\"c/a.woff2\")} a&gt;b{}</style></svg>",
        );
        check("<svg><style>a{b:u\\72l(https://x/c)}</style><g/></svg>", "<svg><style></style><g/></svg>");
        check("<svg><style>a{b:image-set('https://x/c' 1x)}</style></svg>", "<svg><style></style></svg>");
        check(
            "<!DOCTYPE svg [<!ENTITY e '@import url(https://x/y);'>]><svg><style>&e;a{}</style></svg>",
            "<!DOCTYPE svg [<!ENTITY e '@import url(https://x/y);'>]><svg><style>a{}</style></svg>",
        );
    }

    #[test]
    fn elements_and_attributes_do_too() {
        check(
            "<svg><image xlink:href='https://here/a.png#b' width='1'/><use href=\"//x/y#z\"/></svg>",
            "<svg><image xlink:href=\"c/a.png#b\" width='1'/><use /></svg>",
        );
        check(
            "<svg><filter><feImage href='https://x/a'/></filter><g style='fill:url(https://x/a#b);stroke:red' mask=\"url(https://here/m#n)\"/></svg>",
            "<svg><filter><feImage /></filter><g style=\"fill:url(&quot;data:,&quot;);stroke:red\" mask=\"url(&quot;c/m#n&quot;)\"/></svg>",
        );
        check(
            "<svg><image><set attributeName='href' to='https://x/a'/><animate attributeName='href' values='#a;https://x/a'/></image></svg>",
            "<svg><image><set attributeName='href' /><animate attributeName='href' /></image></svg>",
        );
        check(
            "<!DOCTYPE svg [<!ENTITY host 'https://x'>]><svg><image href=' &host;/a'/></svg>",
            "<!DOCTYPE svg [<!ENTITY host 'https://x'>]><svg><image /></svg>",
        );
        check(
            "<svg><linearGradient href='https://x/a#b'/><font-face-uri xlink:href='https://here/f'/></svg>",
            "<svg><linearGradient /><font-face-uri xlink:href=\"c/f\"/></svg>",
        );
        check(
            "<svg><h:img xmlns:h='http://www.w3.org/1999/xhtml' src='https://x/a' srcset='a 1x, https://x/b 2x'/></svg>",
            "<svg><h:img xmlns:h='http://www.w3.org/1999/xhtml'  /></svg>",
        );
    }

    #[test]
    fn drawings_that_stay_at_home_keep_every_byte() {
        for svg in [
            "<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd'><svg xmlns='http://www.w3.org/2000/svg'><a href='https://x/'><path d='M0 0'/></a></svg>",
            "<svg><style>a{fill:url(#b)} @font-face{src:url(data:font/woff2;base64,AA)}</style><image href='b.png'/><use href='#c'/></svg>",
            "<svg><!-- <image href='https://x/a'/> --><text>https://x/a</text></svg>",
        ] {
            assert_eq!(rewrite_svg(svg.as_bytes(), &mut |_, _| CssTarget::Drop), None, "{svg}");
        }
    }

    #[test]
    fn other_encodings_hide_nothing() {
        let wide: Vec<u8> = "\u{FEFF}<?xml version='1.0' encoding='UTF-16'?><svg><image href='https://x/a'/></svg>"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        assert_eq!(rewrite_svg(&wide, &mut |_, _| CssTarget::Drop), Some(b"<svg><image /></svg>".to_vec()));
    }

    proptest::proptest! {
        #[test]
        fn any_text_ends(pieces in proptest::collection::vec("(<svg>|<style>|</style>|@import |url\\(|'//x/a'|\\)|;|<image href=|<g style=|'|\"|/>|>|<!--|-->|<!\\[CDATA\\[|\\]\\]>|//x/b)", 0..20)) {
            let text = pieces.concat();
            if let Some(rewritten) = rewrite_svg(text.as_bytes(), &mut |_, _| CssTarget::Drop) {
                proptest::prop_assert!(rewritten.len() <= text.len() + 400);
            }
        }
    }
}
