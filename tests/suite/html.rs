//! Pages as a browser sees them, and the canonical form in which tests compare content.

use std::collections::BTreeMap;

use scraper::{ElementRef, Html, Node, Selector};

/// A parsed page.
pub(crate) struct Page {
    /// The document.
    pub(crate) dom: Html,
}

/// Tags that mean something to a reader; all others are looked through.
const TAGS: &[&str] = &[
    "a",
    "blockquote",
    "br",
    "code",
    "dd",
    "del",
    "details",
    "dl",
    "dt",
    "em",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "i",
    "b",
    "img",
    "input",
    "kbd",
    "li",
    "mark",
    "math",
    "ol",
    "p",
    "pre",
    "strong",
    "sub",
    "summary",
    "sup",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "tr",
    "ul",
    "video",
];

/// Attributes that mean something to a reader, per tag.
const ATTRIBUTES: &[(&str, &[&str])] =
    &[("a", &["href"]), ("img", &["src", "alt"]), ("input", &["checked"]), ("ol", &["start"]), ("details", &["open"])];

impl Page {
    /// Parses a whole document.
    pub(crate) fn parse(html: &str) -> Self {
        Self { dom: Html::parse_document(html) }
    }

    /// Elements that match a CSS selector.
    #[track_caller]
    pub(crate) fn select(&self, selector: &str) -> Vec<ElementRef<'_>> {
        self.dom.select(&parse_selector(selector)).collect()
    }

    /// How many elements match a CSS selector.
    #[track_caller]
    pub(crate) fn count(&self, selector: &str) -> usize {
        self.select(selector).len()
    }

    /// The text of the content, spaces collapsed, without what only belongs to the frame (buttons, line numbers).
    pub(crate) fn content_text(&self) -> String {
        let mut out = String::new();
        for main in self.select("main") {
            push_text(&mut out, main);
        }
        collapse(&out)
    }

    /// The body of the content in canonical form.
    pub(crate) fn canonical(&self) -> String {
        self.select(".mdx-content").first().map_or_else(String::new, |content| canonical(*content))
    }
}

/// A compiled selector.
#[track_caller]
pub(crate) fn parse_selector(selector: &str) -> Selector {
    Selector::parse(selector).unwrap_or_else(|error| panic!("`{selector}`: {error}"))
}

/// The canonical form of a piece of HTML.
pub(crate) fn canonical_of(html: &str) -> String {
    let fragment = Html::parse_fragment(html);
    canonical(fragment.root_element())
}

/// What is inside an element, reduced to what it says: elements with `data-component` appear by that name, HTML tags
/// that mean something by theirs, with the attributes that matter; classes, wrappers, icons and controls are gone. Two
/// themes give the same canonical form.
pub(crate) fn canonical(element: ElementRef<'_>) -> String {
    let mut out = String::new();
    push_children(&mut out, element, false);
    tidy(&out)
}

fn push_children(out: &mut String, element: ElementRef<'_>, verbatim: bool) {
    for child in element.children() {
        match child.value() {
            Node::Text(text) if verbatim => out.push_str(&escape(text)),
            Node::Text(text) => out.push_str(&escape(&collapse_keeping_ends(text))),
            Node::Element(_) => {
                if let Some(child) = ElementRef::wrap(child) {
                    push_element(out, child, verbatim);
                }
            }
            _ => {}
        }
    }
}

fn push_element(out: &mut String, element: ElementRef<'_>, verbatim: bool) {
    if is_chrome(element) {
        return;
    }
    let tag = role(element);
    let component = element.attr("data-component").filter(|_| tag != "pre");
    if tag == "pre" {
        out.push_str("<pre>");
        push_children(out, element, true);
        out.truncate(out.trim_end_matches('\n').len());
        out.push_str("</pre>");
        return;
    }
    // a heading's anchor link repeats its id and adds no words
    let empty_anchor = tag == "a"
        && element.text().all(|text| text.trim().is_empty())
        && element.select(&parse_selector("img")).next().is_none()
        && component.is_none();
    let shown = component
        .map(str::to_owned)
        .or_else(|| TAGS.contains(&tag).then(|| tag.to_owned()))
        .filter(|tag| !empty_anchor && (!verbatim || tag != "code"));
    let Some(shown) = shown else { return push_children(out, element, verbatim) };
    out.push('<');
    out.push_str(&shown);
    for (name, value) in attributes(element, tag) {
        out.push_str(&format!(" {name}=\"{}\"", escape(&value).replace('"', "&quot;")));
    }
    out.push('>');
    if matches!(tag, "br" | "hr" | "img" | "input") {
        return;
    }
    if tag == "math" {
        let tex = element.text().collect::<String>();
        out.push_str(&escape(&collapse(&tex)));
    } else {
        push_children(out, element, verbatim);
    }
    out.push_str(&format!("</{shown}>"));
}

/// The tag that an element stands for: plain Markdown shows its first-level headings one level down, under the page's
/// title, and paragraphs that hold blocks of raw HTML are divisions of class `p`.
fn role<'a>(element: ElementRef<'a>) -> &'a str {
    let mut classes = element.value().classes();
    match element.value().name() {
        "h2" if classes.any(|class| class == "h1") => "h1",
        "div" if classes.any(|class| class == "p") => "p",
        tag => tag,
    }
}

fn attributes(element: ElementRef<'_>, tag: &str) -> BTreeMap<String, String> {
    let listed = ATTRIBUTES.iter().find(|(name, _)| *name == tag).map_or(&[][..], |(_, names)| names);
    listed.iter().filter_map(|name| element.attr(name).map(|value| ((*name).to_owned(), value.to_owned()))).collect()
}

/// Whether an element is part of the frame and not of the content (the conventions of the fidelity check).
pub(crate) fn is_chrome(element: ElementRef<'_>) -> bool {
    let value = element.value();
    matches!(value.name(), "script" | "style" | "template" | "svg" | "button" | "nav")
        || value.attr("aria-hidden") == Some("true")
        || value.attr("data-copy").is_some()
        || value.attr("data-chrome").is_some()
        || value.classes().any(|class| class == "repeats-title")
}

fn push_text(out: &mut String, element: ElementRef<'_>) {
    for child in element.children() {
        match child.value() {
            Node::Text(text) => out.push_str(text),
            Node::Element(_) => {
                if let Some(child) = ElementRef::wrap(child)
                    .filter(|child| !is_chrome(*child) || child.value().attr("role") == Some("tab"))
                {
                    let block = !matches!(
                        child.value().name(),
                        "a" | "b" | "code" | "em" | "i" | "span" | "strong" | "sub" | "sup" | "kbd" | "mark"
                    );
                    out.push_str(if block { " " } else { "" });
                    push_text(out, child);
                    out.push_str(if block { " " } else { "" });
                }
            }
            _ => {}
        }
    }
}

/// Spaces and line ends as single spaces, none at the ends.
pub(crate) fn collapse(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn collapse_keeping_ends(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let space = c.is_ascii_whitespace();
        if !(space && out.ends_with(' ')) {
            out.push(if space { ' ' } else { c });
        }
    }
    out
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Drops spaces next to the tags of blocks, where they mean nothing.
fn tidy(html: &str) -> String {
    const INLINE: &[&str] = &[
        "a", "b", "code", "del", "em", "i", "img", "input", "kbd", "mark", "math", "strong", "sub", "sup", "Badge",
        "Tooltip", "Icon", "Link", "Math",
    ];
    let mut out = String::with_capacity(html.len());
    let mut verbatim = 0;
    for (index, piece) in html.split('<').enumerate() {
        let Some((tag, text)) = piece.split_once('>').filter(|_| index > 0) else {
            out.push_str(piece.trim());
            continue;
        };
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
        let block = !INLINE.contains(&name);
        if block && verbatim == 0 {
            out.truncate(out.trim_end_matches(' ').len());
        }
        if name == "pre" {
            verbatim = if tag.starts_with('/') { 0 } else { 1 };
        }
        out.push('<');
        out.push_str(tag);
        out.push('>');
        out.push_str(if block && verbatim == 0 { text.trim_start_matches(' ') } else { text });
    }
    out.trim().to_owned()
}
