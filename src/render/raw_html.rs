//! Raw HTML of plain Markdown: read tag by tag and written again through the same rules as JSX, so that it is balanced
//! within the Markdown construct it stands in, its links are resolved, and nothing in it runs.

use base::cut::SliceText as _;
use base::html::decode_character_references;
use base::{Place, html};
use markup::foreign::badge_of_vitepress;
use markup::html::{HtmlToken, fragment, read_tag, split_content, until_close, verbatim};
use markup::tree::{JsxElement, Node, PropValue, Props};

use super::component;
use super::tags::{is_allowed_tag, is_unfit};
use super::{Renderer, attributes, html_element, image::write_image_element, outline};

/// Most tags that raw HTML may leave open at a time; deeper ones are left out.
const MAX_OPEN_TAGS: usize = 64;

/// The place behind `text`, which starts at `from`; its further lines begin at `column`, as in a list item or a quote.
fn further(from: Place, column: u32, text: &str) -> Place {
    if from.line == 0 {
        return from;
    }
    match text.rsplit_once('\n') {
        None => Place { column: from.column + text.chars().count() as u32, ..from },
        Some((lines, last)) => {
            let line = from.line + 1 + lines.matches('\n').count() as u32;
            Place { line, column: column + last.chars().count() as u32, ..from }
        }
    }
}

impl Renderer<'_> {
    /// Writes raw HTML that starts at `place`. Tags that stay open are closed by `close_raw`.
    pub(crate) fn raw_html(&mut self, markup: &str, place: Place) {
        let mut rest = markup;
        let mut here = (0, place);
        // elements that nothing closes: they are not looked for again
        let mut unclosed: Vec<String> = Vec::new();
        while let Some(at) = rest.find('<') {
            self.raw_text(rest.slice(..at));
            rest = rest.slice(at..);
            let Some((token, after)) = read_tag(rest) else {
                self.text("<");
                rest = rest.slice(1..);
                continue;
            };
            let tag = std::mem::replace(&mut rest, after);
            let is_empty = tag.slice(..tag.len() - rest.len()).ends_with("/>");
            match token {
                HtmlToken::Nothing => {}
                HtmlToken::Close(name) if is_allowed_tag(&name) => self.raw_close(&name),
                HtmlToken::Close(name) => {
                    let at = markup.len() - tag.len();
                    here = (at, further(here.1, place.column, markup.slice(here.0..at)));
                    component::unknown::tell_unknown(self, tag.slice(2..).slice(..name.len()), here.1);
                }
                HtmlToken::Open(mut element) => {
                    let at = markup.len() - tag.len();
                    here = (at, further(here.1, place.column, markup.slice(here.0..at)));
                    element.place = here.1;
                    let is_part = is_empty && tag.slice(1..).starts_with(|c: char| c.is_ascii_uppercase());
                    let written = tag.slice(1..=element.name.len());
                    let part = is_part.then_some(written);
                    if !is_allowed_tag(&element.name) && element.name != "badge" {
                        component::unknown::tell_unknown(self, written, here.1);
                    }
                    rest = match html::owns_content(&element.name) {
                        true => self.raw_owned(element, if is_empty { None } else { Some(rest) }, &mut unclosed, rest),
                        false => self.raw_tag(element, rest, part),
                    };
                }
            }
        }
        self.raw_text(rest);
    }

    /// Writes a part of the page in which raw HTML has its own beginning and end: what it opens is closed at the end,
    /// and it closes nothing that was opened before.
    pub(crate) fn raw_scope(&mut self, write: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.state.raw_floor, self.state.raw_open.len());
        write(self);
        self.close_raw(self.state.raw_floor);
        self.state.raw_floor = outer;
    }

    /// Closes what raw HTML has left open above `depth`.
    fn close_raw(&mut self, depth: usize) {
        while self.state.raw_open.len() > depth {
            let Some(name) = self.state.raw_open.pop() else { return };
            self.state.in_link -= u32::from(name == "a");
            self.state.in_code -= u32::from(html::is_code_element(&name));
            self.out.push_str("</");
            self.out.push_str(&name);
            self.out.push('>');
        }
    }

    /// Text between tags: its character references stay.
    fn raw_text(&mut self, text: &str) {
        self.words(&decode_character_references(text));
    }

    fn raw_close(&mut self, name: &str) {
        let (name, _) = self.raw_name(name);
        let floor = self.state.raw_floor;
        let innermost = |name: &str| self.state.raw_open[floor..].iter().rposition(|open| open == name);
        // what leads nowhere was opened as a span, and so was a button in a link
        let at = innermost(name).or_else(|| if matches!(name, "a" | "button") { innermost("span") } else { None });
        let Some(at) = at else { return };
        self.close_raw(floor + at);
    }

    /// The element that stands for one of raw HTML, and its class.
    fn raw_name<'n>(&self, name: &'n str) -> (&'n str, &'static str) {
        match name {
            // a paragraph could not hold the Markdown that may follow
            "p" if self.state.phrasing == 0 => ("div", "p"),
            "center" => ("div", "center"),
            "h1" => ("h2", "h1"),
            name if is_unfit(name) => ("div", ""),
            name => (name, ""),
        }
    }

    /// Writes an element whose content is its own, as the same element of JSX is written; returns what is left of the
    /// text after it. `content`: the text that begins with its content, if it has any.
    fn raw_owned<'t>(
        &mut self,
        mut element: JsxElement,
        content: Option<&'t str>,
        unclosed: &mut Vec<String>,
        rest: &'t str,
    ) -> &'t str {
        let name = element.name.as_str();
        let found = content.filter(|_| !unclosed.iter().any(|known| known == name));
        let (inside, after) = match found.map(|text| split_content(text, name)) {
            Some(Some(found)) => found,
            Some(None) if html::is_verbatim(name) || matches!(name, "svg" | "math") => (rest, ""),
            Some(None) => {
                unclosed.push(name.to_owned());
                ("", rest)
            }
            None => ("", rest),
        };
        element.children = match html::is_verbatim(name) {
            true => verbatim(name, inside),
            false => fragment(inside, name, element.place),
        };
        html_element::write_html_element(self, &element);
        after
    }

    /// Writes a start tag; returns what is left of the text after it. `part`: the name as it is written of what may be a
    /// component without content.
    fn raw_tag<'t>(&mut self, mut element: JsxElement, rest: &'t str, part: Option<&str>) -> &'t str {
        if element.name == "i"
            && let Some((icon, style)) = font_awesome(&element)
        {
            element.props = Props::default();
            element.props.set("icon", PropValue::String(icon));
            element.props.set("iconType", PropValue::String(style.to_owned()));
            "Icon".clone_into(&mut element.name);
            component::write_jsx_element(self, &element);
            return rest;
        }
        let name = element.name.as_str();
        match name {
            "img" => write_image_element(self, &element),
            "badge" if element.props.text("text").is_some() => {
                if let Some(badge) = badge_of_vitepress(&element) {
                    component::write_jsx_element(self, &badge);
                }
            }
            "br" | "hr" | "wbr" | "input" | "link" | "embed" | "area" => {
                html_element::write_html_element(self, &element)
            }
            _ if part.is_some() && !html::is_html_tag(name) => {
                part.unwrap_or_default().clone_into(&mut element.name);
                component::unknown::warn(self, &element);
            }
            _ if !is_allowed_tag(name) || matches!(name, "meta" | "base" | "html" | "head" | "body") => {}
            name if html::is_void(name) => self.raw_void(&element),
            _ if self.state.raw_open.len() >= MAX_OPEN_TAGS => {}
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" if self.state.phrasing == 0 => self.raw_heading(&element, rest),
            _ => self.raw_open_tag(&element),
        }
        rest
    }

    /// A tag without content and end tag. It means something only in the element that it belongs to.
    fn raw_void(&mut self, element: &JsxElement) {
        let within: &[&str] = match element.name.as_str() {
            "col" => &["colgroup", "table"],
            _ => &[],
        };
        let floor = self.state.raw_floor;
        if self.state.raw_open[floor..].last().is_some_and(|open| within.contains(&open.as_str())) {
            attributes::open_element(self, &element.name, element, "");
        }
    }

    /// The start of a heading: its anchor is made of the words that follow, as that of any other.
    fn raw_heading(&mut self, element: &JsxElement, rest: &str) {
        let level = element.name.as_bytes().get(1).map_or(2, |digit| digit - b'0');
        let text = raw_heading_text(rest, &element.name, element.place);
        let own = element.props.text("id").and_then(|id| self.ids.explicit(&id));
        let base =
            if own.is_none() && self.heading_ids { outline::slug_by(self.ids.rule, &text) } else { String::new() };
        let id = own.unwrap_or_else(|| if base.is_empty() { String::new() } else { self.ids.heading(&base) });
        let tag = if level == 1 { "h2" } else { element.name.as_str() };
        self.raw("<");
        self.raw(tag);
        if !id.is_empty() {
            self.attr("id", &id);
        }
        attributes::write_attributes(self, tag, element, if level == 1 { "h1" } else { "" }, &["id"]);
        self.raw(">");
        if self.is_plain && !base.is_empty() {
            self.page.headings.push((text.clone(), id.clone()));
        }
        if level == 1 {
            self.repeats_title(&text, false);
        }
        self.contents_entry(level, id, &text);
        self.state.raw_open.push(tag.to_owned());
    }

    fn raw_open_tag(&mut self, element: &JsxElement) {
        let (tag, class) = match element.name.as_str() {
            "a" if self.state.in_link > 0 => ("span", ""),
            "button" if self.state.in_link > 0 => ("span", "button"),
            name => self.raw_name(name),
        };
        if tag == "a" {
            let Some(href) = element.props.text("href") else {
                attributes::open_element(self, "span", element, "");
                return self.state.raw_open.push("span".to_owned());
            };
            let target = self.resolve(&href, element.place);
            if target.url.is_empty() {
                self.raw("<span");
                attributes::write_attributes(self, "span", element, "", &["href", "download"]);
                self.raw(">");
                return self.state.raw_open.push("span".to_owned());
            }
            self.raw("<a");
            self.href_attr_of(&target, Some(element));
            attributes::write_attributes(self, "a", element, "", &["href"]);
            self.raw(">");
            self.state.in_link += 1;
        } else {
            attributes::open_element(self, tag, element, class);
        }
        self.state.in_code += u32::from(html::is_code_element(tag));
        self.state.raw_open.push(tag.to_owned());
    }
}

/// The icon that the classes of an element name, as Font Awesome has them, and how it is drawn.
fn font_awesome(element: &JsxElement) -> Option<(String, &'static str)> {
    const STYLES: [(&str, &str); 8] = [
        ("fa", "solid"),
        ("fas", "solid"),
        ("far", "regular"),
        ("fab", "brands"),
        ("fa-solid", "solid"),
        ("fa-regular", "regular"),
        ("fa-brands", "brands"),
        ("fa-light", "light"),
    ];
    let classes = element.props.text("class")?;
    let style = |class: &str| STYLES.iter().find(|(name, _)| *name == class).map(|(_, style)| *style);
    let icon = classes
        .split_whitespace()
        .filter(|class| style(class).is_none())
        .find_map(|class| class.strip_prefix("fa-"))?;
    Some((icon.to_owned(), classes.split_whitespace().find_map(style).unwrap_or("solid")))
}

/// The words of a heading up to its end tag, which is not far.
fn raw_heading_text(rest: &str, name: &str, place: Place) -> String {
    const MAX_BYTES: usize = 2 << 10;
    let end = (0..=rest.len().min(MAX_BYTES)).rev().find(|end| rest.is_char_boundary(*end)).unwrap_or(0);
    let (inside, after) = until_close(rest.slice(..end), name);
    if after.is_empty() && inside.len() == end {
        return String::new();
    }
    Node::text_of(&fragment(inside, name, place)).split_whitespace().collect::<Vec<_>>().join(" ")
}
