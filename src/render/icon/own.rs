//! An author's own SVG, made safe to stand in a page: known shapes and attributes only, no scripts, no outside
//! references, ids under a prefix. What needs more (pictures, style sheets) is not inlined.

use std::borrow::Cow;

use crate::svg_names;
use base::cut::SliceText as _;
use base::html::{self, push_html_text};

use super::xml::{XmlToken, attributes_of, decode_xml, next_token};
use super::{IconLook, push_look};

/// An SVG that may stand in a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inlined {
    /// `<svg …>…</svg>`.
    pub html: String,
    /// It holds ids; they start with the prefix.
    pub has_ids: bool,
}

/// Largest file that is inlined, bytes; larger ones are loaded as pictures.
const MAX_FILE_BYTES: usize = 48 << 10;
/// Deepest nesting of groups.
const MAX_ICON_DEPTH: usize = 48;

/// Elements without which a drawing is not the same: such a file is loaded as a picture instead.
const NOT_PLAIN: [&str; 3] = ["style", "image", "switch"];

/// Makes an SVG text safe to stand in a page, in the look of an icon; `None` if it is too large, not well-formed, or
/// needs what an inline drawing may not have. Every id and every reference to one gets `prefix`.
pub fn inline(text: &str, prefix: &str, look: &IconLook<'_>) -> Option<Inlined> {
    if text.len() > MAX_FILE_BYTES {
        return None;
    }
    let mut writer = IconWriter { out: String::with_capacity(text.len()), prefix, has_ids: false };
    let mut root = None;
    let mut open: Vec<&str> = Vec::new();
    // Depth inside an element that is left out with all its content.
    let mut skipped: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some((before, token, after)) = next_token(rest)? {
        if skipped.is_empty() && open.last().is_some_and(|name| matches!(*name, "text" | "tspan" | "textPath")) {
            push_html_text(&mut writer.out, &decode_xml(before)?);
        }
        rest = after;
        match token {
            XmlToken::Other => {}
            XmlToken::Close(name) => {
                if let Some(skip) = skipped.pop() {
                    (skip == name).then_some(())?;
                } else {
                    (open.pop()? == name).then_some(())?;
                    writer.close(name);
                    if open.is_empty() {
                        break;
                    }
                }
            }
            XmlToken::Open { name, attributes, empty } => {
                if !skipped.is_empty() || !svg_names::is_plain_element(name) {
                    if NOT_PLAIN.contains(&name) || skipped.len() > MAX_ICON_DEPTH || root.is_none() {
                        return None;
                    }
                    if !empty {
                        skipped.push(name);
                    }
                    continue;
                }
                if root.is_none() {
                    (name == "svg").then_some(())?;
                    root = Some(attributes_of(attributes)?);
                } else {
                    writer.open(name, &attributes_of(attributes)?, empty);
                }
                if !empty {
                    open.push(name);
                    (open.len() <= MAX_ICON_DEPTH).then_some(())?;
                }
            }
        }
    }
    let root = root.filter(|_| open.is_empty() && skipped.is_empty())?;
    let body = writer.out.strip_suffix("</svg>")?;
    Some(Inlined { html: icon_svg_head(&root, body, prefix, look)?, has_ids: writer.has_ids })
}

/// The root element in the look of an icon, and its body. Drawings of one plain black take the color of the text.
fn icon_svg_head(root: &[(&str, Cow<'_, str>)], body: &str, prefix: &str, look: &IconLook<'_>) -> Option<String> {
    let value = |key: &str| root.iter().find(|(name, _)| *name == key).map(|(_, value)| value.as_ref());
    let view_box = match value("viewBox") {
        Some(view_box) => view_box.to_owned(),
        None => format!("0 0 {} {}", parse_pixels(value("width")?)?, parse_pixels(value("height")?)?),
    };
    let mut out = String::with_capacity(body.len() + 160);
    out.push_str("<svg");
    push_look(&mut out, look);
    out.push_str(" viewBox=\"");
    html::push_attr(&mut out, &view_box);
    out.push('"');
    let mut writer = IconWriter { out, prefix, has_ids: false };
    let mut fill = None;
    for (name, value) in root {
        match *name {
            "width" | "height" | "viewBox" | "id" | "x" | "y" | "overflow" | "color" => {}
            "fill" => fill = Some(value.as_ref()),
            "style" if look.color.is_some() => {}
            _ => writer.attribute(name, value),
        }
    }
    let painted = is_painted(&writer.out) || is_painted(body);
    let mut out = writer.out;
    let fill = fill.map_or("currentColor", |fill| if is_black(fill) { "currentColor" } else { fill });
    let fill = if painted && root.iter().all(|(name, _)| *name != "fill") { "" } else { fill };
    if !fill.is_empty() {
        out.push_str(" fill=\"");
        html::push_attr(&mut out, fill);
        out.push('"');
    }
    out.push('>');
    out.push_str(&if painted { Cow::Borrowed(body) } else { blacks_to_text_color(body) });
    out.push_str("</svg>");
    Some(out)
}

/// Pixels of a length (`24`, `24px`).
fn parse_pixels(text: &str) -> Option<f64> {
    text.trim().trim_end_matches("px").parse().ok().filter(|length: &f64| length.is_finite() && *length > 0.0)
}

fn is_black(color: &str) -> bool {
    matches!(color.trim().to_ascii_lowercase().as_str(), "black" | "#000" | "#000000" | "rgb(0,0,0)" | "rgb(0, 0, 0)")
}

const PAINTS: [&str; 4] = [" fill=\"", " stroke=\"", " stop-color=\"", " flood-color=\""];

/// Whether a drawing has a color other than black, the text's and none.
fn is_painted(markup: &str) -> bool {
    let colored = |paint: &str| {
        markup.match_indices(paint).any(|(at, _)| {
            let value = markup.slice(at + paint.len()..).split('"').next().unwrap_or_default();
            !(is_black(value)
                || matches!(value, "none" | "currentColor" | "currentcolor" | "inherit" | "transparent" | ""))
        })
    };
    PAINTS.iter().any(|paint| colored(paint)) || markup.contains(" style=\"")
}

fn blacks_to_text_color(markup: &str) -> Cow<'_, str> {
    let mut out = Cow::Borrowed(markup);
    for paint in PAINTS {
        for black in ["black", "#000", "#000000", "Black", "rgb(0,0,0)", "rgb(0, 0, 0)"] {
            let from = format!("{paint}{black}\"");
            if out.contains(&from) {
                out = Cow::Owned(out.replace(&from, &format!("{paint}currentColor\"")));
            }
        }
    }
    out
}

struct IconWriter<'a> {
    out: String,
    prefix: &'a str,
    has_ids: bool,
}

impl IconWriter<'_> {
    fn open(&mut self, name: &str, attributes: &[(&str, Cow<'_, str>)], empty: bool) {
        self.out.push('<');
        self.out.push_str(name);
        for (name, value) in attributes {
            self.attribute(name, value);
        }
        self.out.push_str(if empty { "/>" } else { ">" });
    }

    fn close(&mut self, name: &str) {
        self.out.push_str("</");
        self.out.push_str(name);
        self.out.push('>');
    }

    fn attribute(&mut self, name: &str, value: &str) {
        if !svg_names::is_plain_attribute(name) {
            return;
        }
        let value = match name {
            "id" => {
                self.has_ids = true;
                format!("{}{value}", self.prefix)
            }
            "href" | "xlink:href" => match value.trim().strip_prefix('#') {
                Some(target) => format!("#{}{target}", self.prefix),
                None => return,
            },
            _ => match self.references(name, value) {
                Some(value) => value,
                None => return,
            },
        };
        let name = if name == "xlink:href" { "href" } else { name };
        self.out.push(' ');
        self.out.push_str(name);
        self.out.push_str("=\"");
        html::push_attr(&mut self.out, &value);
        self.out.push('"');
    }

    /// A value with `url(#id)` under the prefix; `None` if it refers to anything else.
    fn references(&self, name: &str, value: &str) -> Option<String> {
        let lower = value.to_ascii_lowercase();
        let style = name == "style";
        if style
            && (value.contains(['\\', '@', '<', '{'])
                || ["expression", "behavior", "-moz-binding", "javascript", "position", "/*"]
                    .iter()
                    .any(|word| lower.contains(word)))
        {
            return None;
        }
        let mut out = String::with_capacity(value.len() + self.prefix.len());
        let mut from = 0;
        for (at, _) in lower.match_indices("url(") {
            let inside = value.slice(at + 4..);
            let end = inside.find(')')?;
            let target = inside.slice(..end).trim().trim_matches(['"', '\'']).strip_prefix('#')?;
            out.push_str(value.get(from..at)?);
            out.push_str("url(#");
            out.push_str(self.prefix);
            out.push_str(target);
            from = at + 4 + end;
        }
        out.push_str(value.slice(from..));
        // other functions that load: image(), image-set(), src()
        (!lower.contains("image") && !lower.contains("src(")).then_some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inlined(text: &str) -> Option<String> {
        inline(text, "p-", &IconLook::default()).map(|inlined| inlined.html)
    }

    const HEAD: &str = "<svg class=\"icon\" aria-hidden=\"true\" width=\"16\" height=\"16\" viewBox=\"0 0 8 8\"";

    #[track_caller]
    fn check(body: &str, expect: &str) {
        let html =
            inlined(&format!("<svg viewBox=\"0 0 8 8\">{body}</svg>")).unwrap_or_else(|| panic!("{body} is refused"));
        assert_eq!(html.strip_prefix(HEAD), Some(expect), "{body}");
    }

    #[track_caller]
    fn refused(text: &str) {
        assert_eq!(inlined(text), None, "{text}");
    }

    #[test]
    fn black_drawings_take_the_color_of_the_text() {
        check("<path d=\"M0 0\"/>", " fill=\"currentColor\"><path d=\"M0 0\"/></svg>");
        check(
            "<path fill=\"#000\" d=\"M0 0\"/>",
            " fill=\"currentColor\"><path fill=\"currentColor\" d=\"M0 0\"/></svg>",
        );
        check("<path fill=\"red\" d=\"M0 0\"/>", "><path fill=\"red\" d=\"M0 0\"/></svg>");
        check(
            "<path fill=\"red\" d=\"M0\"/><path fill=\"black\"/>",
            "><path fill=\"red\" d=\"M0\"/><path fill=\"black\"/></svg>",
        );
    }

    #[test]
    fn ids_stand_under_the_prefix() {
        check(
            "<defs><linearGradient id=\"a\"><stop stop-color=\"red\"/></linearGradient></defs><path fill=\"url( '#a' )\"/><use xlink:href=\"#b\"/>",
            "><defs><linearGradient id=\"p-a\"><stop stop-color=\"red\"/></linearGradient></defs><path fill=\"url(#p-a)\"/><use href=\"#p-b\"/></svg>",
        );
    }

    #[test]
    fn what_acts_or_loads_is_left_out() {
        for body in [
            "<script>alert(1)</script>",
            "<script/>",
            "<foreignObject><div>x</div></foreignObject>",
            "<a href=\"javascript:alert(1)\"><path/></a>",
            "<animate attributeName=\"href\" to=\"javascript:x\"/>",
            "<!-- <script> --><metadata><rdf:RDF><x/></rdf:RDF></metadata>",
        ] {
            check(body, " fill=\"currentColor\"></svg>");
        }
        check("<g onload=\"x\" ONCLICK='y' href=\"https://x\" class=\"y\"/>", " fill=\"currentColor\"><g/></svg>");
        check("<g fill=\"url(https://x)\" style=\"background:url(//x)\"/>", " fill=\"currentColor\"><g/></svg>");
        check(
            "<g style=\"fill:u&#114;l(//x)\" filter=\"ur&#108;(#a)\"/>",
            " fill=\"currentColor\"><g filter=\"url(#p-a)\"/></svg>",
        );
        check("<use href=\"&#106;avascript:x\"/>", " fill=\"currentColor\"><use/></svg>");
    }

    #[test]
    fn text_is_escaped_again() {
        check(
            "<text x=\"1\">a &lt;b&gt; &amp; c</text>",
            " fill=\"currentColor\"><text x=\"1\">a &lt;b&gt; &amp; c</text></svg>",
        );
        check("<g fill=\"a&quot;b\"/>", "><g fill=\"a&quot;b\"/></svg>");
    }

    #[test]
    fn what_is_not_a_plain_drawing_is_refused() {
        refused("");
        refused("plain");
        refused("<svg>");
        refused("<svg></svg>");
        refused("<svg viewBox=\"0 0 8 8\"><g></svg>");
        refused("<svg viewBox=\"0 0 8 8\"><style>a{}</style></svg>");
        refused("<svg viewBox=\"0 0 8 8\"><image href=\"x.png\"/></svg>");
        refused("<html><svg viewBox=\"0 0 8 8\"></svg></html>");
        refused("<!DOCTYPE svg [<!ENTITY a \"b\">]><svg viewBox=\"0 0 8 8\">&a;</svg>");
        refused(&format!("<svg viewBox=\"0 0 8 8\">{}{}</svg>", "<g>".repeat(60), "</g>".repeat(60)));
        refused(&format!("<svg viewBox=\"0 0 8 8\">{}</svg>", " ".repeat(MAX_FILE_BYTES)));
    }

    #[test]
    fn a_size_may_stand_in_for_the_view_box() {
        let html = inlined("<?xml version=\"1.0\"?>\n<svg width=\"8px\" height=\"8\"><path d=\"M0\"/></svg>\n");
        assert_eq!(
            html.as_deref().and_then(|html| html.strip_prefix(HEAD)),
            Some(" fill=\"currentColor\"><path d=\"M0\"/></svg>")
        );
    }

    proptest::proptest! {
        #[test]
        fn anything_is_refused_or_well_formed(body in "(<(g|path|script|text|style|use)( (id|href|fill|onload)=\"[a-z#:(]{0,6}\")?/?>|</(g|text|script|svg)>|[a-z&;<>\"]){0,12}") {
            if let Some(html) = inlined(&format!("<svg viewBox=\"0 0 8 8\">{body}</svg>")) {
                proptest::prop_assert!(!html.contains("script") && !html.contains("onload"), "{}", html);
                // what was made is read again without a loss
                let again = inline(&html, "", &IconLook::default());
                proptest::prop_assert!(again.is_some(), "{}", html);
            }
        }
    }
}
