//! Inline drawings: JSX `<svg>` trees in SVG's own spelling, with ids that no other drawing of the page has, and
//! nothing in them that runs or loads.

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};

use base::Place;
use base::cut::{SliceText as _, cut};
use markup::tree::{JsxElement, Node, PropValue, number_text};

use super::{
    Renderer, attributes,
    component::unknown::tell_dropped,
    svg_names::{self, is_svg_element},
};

const MAX_SVG_DEPTH: usize = 48;

/// Writes a JSX `<svg>`.
pub(crate) fn write_svg(r: &mut Renderer<'_>, element: &JsxElement) {
    write_with(r, element, "");
}

/// Writes a JSX `<svg>` with classes of ours.
pub(crate) fn write_with(r: &mut Renderer<'_>, element: &JsxElement, class: &str) {
    let mut ids = FxHashMap::default();
    collect_ids(r, element, &mut ids, 0);
    let mut drawing = DrawnSvg { r, ids, written: FxHashSet::default(), place: element.place };
    drawing.root(element, class);
}

fn collect_ids(r: &mut Renderer<'_>, element: &JsxElement, ids: &mut FxHashMap<String, String>, depth: usize) {
    if depth > MAX_SVG_DEPTH {
        return;
    }
    if let Some(id) = element.props.text("id") {
        let id = id.trim().to_owned();
        if !id.is_empty() && !id.contains(char::is_whitespace) && !ids.contains_key(&id) {
            let given = r.ids.claim(id.clone(), '-', 2);
            ids.insert(id, given);
        }
    }
    for child in &element.children {
        match child {
            Node::Element(child) => collect_ids(r, child, ids, depth + 1),
            Node::Block(block) => block.children.iter().for_each(|child| {
                if let Node::Element(child) = child {
                    collect_ids(r, child, ids, depth + 1);
                }
            }),
            _ => {}
        }
    }
}

struct DrawnSvg<'r, 'a> {
    r: &'r mut Renderer<'a>,
    /// The author's ids and those they were given.
    ids: FxHashMap<String, String>,
    /// Given ids that stand somewhere already: of two equal ones the first counts.
    written: FxHashSet<String>,
    place: Place,
}

impl DrawnSvg<'_, '_> {
    fn root(&mut self, element: &JsxElement, class: &str) {
        self.r.raw("<svg");
        let has_title =
            element.children.iter().any(|child| matches!(child, Node::Element(child) if child.name == "title"));
        let named =
            has_title || element.props.text("aria-label").is_some() || element.props.text("aria-labelledby").is_some();
        self.r.raw(if named { " role=\"img\"" } else { " aria-hidden=\"true\"" });
        self.attributes(element, class);
        self.r.raw(">");
        self.children(&element.children, "svg", 0);
        self.r.raw("</svg>");
    }

    fn children(&mut self, nodes: &[Node], parent: &str, depth: usize) {
        if depth > MAX_SVG_DEPTH {
            return;
        }
        for node in nodes {
            match node {
                Node::Text(text) if matches!(parent, "text" | "tspan" | "textPath" | "title" | "desc") => {
                    self.r.text(text)
                }
                Node::Block(block) => self.children(&block.children, parent, depth + 1),
                Node::Element(child) => self.child(child, parent, depth),
                _ => {}
            }
        }
    }

    fn child(&mut self, element: &JsxElement, parent: &str, depth: usize) {
        let name = match svg_names::spelled_element(&element.name) {
            "" => return self.children(&element.children, parent, depth + 1),
            "a" => return self.link(element, parent, depth),
            "foreignObject" => return self.html(element),
            name => name,
        };
        let acts = |name: &str| {
            let name = name.trim().to_ascii_lowercase();
            name.ends_with("href") || name.starts_with("on")
        };
        if !is_svg_element(name) || element.props.text("attributeName").is_some_and(|name| acts(&name)) {
            if !Node::text_of(&element.children).trim().is_empty() {
                tell_dropped(self.r, element);
            }
            return;
        }
        self.r.raw("<");
        self.r.raw(name);
        self.attributes(element, "");
        if element.children.is_empty() {
            return self.r.raw("/>");
        }
        self.r.raw(">");
        if name == "style" {
            // Markdown may have cut a sheet into several texts: at an address, or at a line
            let css = attributes::css_urls(self.r, &Node::text_of(&element.children), self.place);
            self.r.text(&css);
        } else {
            self.children(&element.children, name, depth + 1);
        }
        self.r.raw(&format!("</{name}>"));
    }

    /// A part of the drawing that leads somewhere.
    fn link(&mut self, element: &JsxElement, parent: &str, depth: usize) {
        let href = ["href", "xlink:href", "xlinkHref"].iter().find_map(|name| element.props.text(name));
        let target = match href {
            Some(href) if self.r.state.in_link == 0 => self.r.resolve(&href, self.place),
            _ => super::Href::default(),
        };
        let name = if target.url.is_empty() { "g" } else { "a" };
        self.r.raw("<");
        self.r.raw(name);
        if name == "a" {
            self.r.href_attr(&target);
        }
        self.attributes(element, "");
        self.r.raw(">");
        self.r.state.in_link += u32::from(name == "a");
        // words of a link in a text are words of that
        self.children(&element.children, parent, depth + 1);
        self.r.state.in_link -= u32::from(name == "a");
        self.r.raw(&format!("</{name}>"));
    }

    /// HTML in the drawing.
    fn html(&mut self, element: &JsxElement) {
        self.r.raw("<foreignObject");
        self.attributes(element, "");
        self.r.raw(">");
        self.r.nodes(&element.children);
        self.r.raw("</foreignObject>");
    }

    fn attributes(&mut self, element: &JsxElement, class: &str) {
        let mut class = class.to_owned();
        let root = element.name == "svg";
        for (at, (written, value)) in element.props.0.iter().enumerate() {
            let Some(name) = svg_name(written) else { continue };
            if element.props.0[at + 1..].iter().any(|(later, _)| svg_name(later).as_deref() == Some(name.as_ref())) {
                continue;
            }
            let text = match value {
                PropValue::String(text) => text.clone(),
                PropValue::Number(number) => number_text(*number),
                PropValue::Bool(on) if name.starts_with("aria-") || name == "focusable" => on.to_string(),
                value @ PropValue::Object(_) if name == "style" => attributes::style_text(value),
                _ => continue,
            };
            match name.as_ref() {
                "class" if class.is_empty() => class = text,
                "class" => class = format!("{class} {text}"),
                "id" => {
                    if let Some(given) = self.ids.get(text.trim()).filter(|given| self.written.insert((*given).clone()))
                    {
                        self.r.attr("id", given);
                    }
                }
                "href" | "xlink:href" if element.name == "a" => {}
                "href" | "xlink:href" => self.reference(element, &text),
                "style" => {
                    let css = self.references(&text, true);
                    let css = attributes::css_urls(self.r, &css, self.place);
                    self.r.attr("style", css.trim().trim_end_matches(';'));
                }
                "role" | "aria-hidden" if root => {}
                name => {
                    let text = self.references(&text, false);
                    self.r.attr(name, &text);
                }
            }
        }
        if !class.is_empty() {
            self.r.classes.add(&class);
            self.r.attr("class", &class);
        }
    }

    /// `href`: of something in the same drawing, the file of an `<image>`, or a part of another drawing.
    fn reference(&mut self, element: &JsxElement, target: &str) {
        if let Some(id) = target.strip_prefix('#') {
            let id = self.ids.get(id).map_or(id, String::as_str).to_owned();
            self.r.attr("href", &format!("#{id}"));
        } else if element.name.eq_ignore_ascii_case("image") {
            let source = self.r.source(target, element.place);
            if !source.url.is_empty() && !source.absent {
                self.r.attr("href", &source.url);
            }
        } else if element.name.eq_ignore_ascii_case("use")
            && let Some((file, id)) = target.split_once('#')
        {
            let source = self.r.source(file, element.place);
            if !source.url.is_empty() && !source.external {
                self.r.attr("href", &format!("{}#{id}", source.url));
            }
        }
    }

    /// `url(#x)` with the id that `x` was given; other addresses are emptied, or left to be looked up as those of a
    /// style.
    fn references(&self, text: &str, is_style: bool) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find("url(") {
            let (before, after) = cut(rest, at + 4);
            let end = after.find(')').unwrap_or(after.len());
            let target = after.slice(..end).trim().trim_matches(['"', '\'']);
            out.push_str(before);
            if let Some(id) = target.strip_prefix('#') {
                out.push('#');
                out.push_str(self.ids.get(id).map_or(id, String::as_str));
            } else if is_style {
                out.push_str(after.slice(..end));
            }
            rest = after.slice(end..);
        }
        out.push_str(rest);
        out
    }
}

fn svg_name(written: &str) -> Option<Cow<'_, str>> {
    let valid = !written.is_empty()
        && written.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':'));
    let lower = written.to_ascii_lowercase();
    if !valid
        || lower.starts_with("on")
        || lower.starts_with("xmlns")
        || matches!(lower.as_str(), "key" | "ref" | "children" | "dangerouslysetinnerhtml" | "tabindex")
    {
        return None;
    }
    let spelled = svg_names::spelled_attribute(&lower);
    Some(match written {
        "className" => "class".into(),
        "xlinkHref" => "xlink:href".into(),
        name if svg_names::has_capitals(name) => name.into(),
        // in HTML, names are written in any case
        _ if spelled.is_some() => spelled?.into(),
        name if !name.bytes().any(|byte| byte.is_ascii_uppercase()) => name.into(),
        name => {
            let mut out = String::with_capacity(name.len() + 2);
            for c in name.chars() {
                if c.is_ascii_uppercase() {
                    out.push('-');
                }
                out.push(c.to_ascii_lowercase());
            }
            out.into()
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_take_the_spelling_of_svg() {
        for (written, expect) in [
            ("strokeWidth", "stroke-width"),
            ("viewBox", "viewBox"),
            ("className", "class"),
            ("clipPath", "clip-path"),
            ("stroke-width", "stroke-width"),
            ("gradientUnits", "gradientUnits"),
            ("xlinkHref", "xlink:href"),
            ("onClick", ""),
            ("tabIndex", ""),
        ] {
            assert_eq!(svg_name(written).unwrap_or_default(), expect);
        }
    }
}
