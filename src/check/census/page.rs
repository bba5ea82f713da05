//! What a page says, in all ways in which it can: its text, and apart from it what attributes, drawings and controls
//! say.

use memchr::memchr;

use base::cut::SliceText as _;
use base::html::tag::{self, HtmlTag, MarkupToken};
use base::html::{is_void, parts_words, push_decoded};
use search::after_element;

use super::Made;

/// Attributes that say something to readers.
const SAYING: [&str; 9] =
    ["alt", "aria-label", "data-tip", "data-title", "label", "placeholder", "summary", "title", "value"];

/// The words of a page.
#[derive(Debug, Default)]
pub(super) struct ReadPage {
    /// What is read from its start to its end.
    pub(super) text: String,
    /// What is said beside that.
    pub(super) aside: String,
}

/// What interactive components say once they run: their data is JSON with HTML in its strings.
pub(super) fn text_of_islands(data: &str) -> String {
    let mut inside = ReadPage::default();
    inside.add(&data.replace("\\u003c", "<").replace("\\\"", "\"").replace("\\n", "\n"));
    inside.text + &inside.aside
}

impl ReadPage {
    /// Reads a page.
    pub(super) fn of(made: &Made<'_>) -> Self {
        let mut page = Self::default();
        made.html.iter().for_each(|html| page.add(html));
        page.aside.push_str(made.title);
        page
    }

    /// Reads a part of a page.
    fn add(&mut self, html: &str) {
        let mut rest = html;
        while let Some(open) = memchr(b'<', rest.as_bytes()) {
            push_decoded(&mut self.text, rest.slice(..open));
            rest = rest.slice(open..);
            if let Some((text, end)) = tag::code_token(rest.as_bytes()) {
                push_decoded(&mut self.text, rest.slice(text));
                rest = rest.slice(end..);
                continue;
            }
            let Some((token, after)) = tag::read_html_token(rest) else {
                self.text.push('<');
                rest = rest.slice(1..);
                continue;
            };
            rest = after;
            match token {
                MarkupToken::Comment => {}
                MarkupToken::Start(tag) => rest = self.start(&tag, rest),
                MarkupToken::End(tag) => self.part(tag.name),
            }
        }
        push_decoded(&mut self.text, rest);
        self.text.push('\n');
    }

    /// Reads a start tag; returns where to go on.
    fn start<'h>(&mut self, tag: &HtmlTag<'_>, rest: &'h str) -> &'h str {
        self.part(tag.name);
        let is_ours = tag.rest.contains("data-chrome");
        if matches!(tag.name, "script" | "style") || is_ours && !is_void(tag.name) && !tag.is_self_closing() {
            return after_element(rest, tag);
        }
        for attribute in tag.attributes() {
            if let Some(value) = attribute.value.filter(|_| SAYING.contains(&attribute.name)) {
                push_decoded(&mut self.aside, value);
                self.aside.push('\n');
            }
        }
        rest
    }

    fn part(&mut self, name: &str) {
        if parts_words(name) {
            self.text.push('\n');
        }
    }
}
