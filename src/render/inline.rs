//! Short texts with inline Markdown: titles, captions, tips.

use pulldown_cmark::{Event, Tag, TagEnd};

use base::html::escape_html_text;
use base::short_text::{has_no_markdown, unguarded, visit_short_text};
use load::tool::Dashes;
use markup::smart;
use markup::tree::{Node, PropValue, Props};

use super::Renderer;

fn push_smart(out: &mut String, text: &str, before: &mut Option<char>) {
    *before = smart::push_smart(out, unguarded(text), *before, Some(Dashes::Long));
}

/// The text of a short text with inline Markdown, smart punctuation applied.
pub(crate) fn inline_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = None;
    if has_no_markdown(text) {
        push_smart(&mut out, text.trim(), &mut before);
        return out;
    }
    visit_short_text(text, |event| match event {
        Event::Text(text) | Event::InlineHtml(text) | Event::Html(text) => push_smart(&mut out, &text, &mut before),
        Event::Code(code) => {
            before = code.chars().next_back().or(before);
            out.push_str(&code);
        }
        Event::SoftBreak | Event::HardBreak => {
            before = Some(' ');
            out.push(' ');
        }
        _ => {}
    });
    out
}

/// The text of a prop that holds a short text or static JSX; empty if it is not set.
pub(crate) fn prop_text(props: &Props, name: &str) -> String {
    match props.value(name) {
        Some(PropValue::Nodes(nodes)) => Node::text_of(nodes),
        Some(value) => value.to_text().map(|text| inline_text(&text)).unwrap_or_default(),
        None => String::new(),
    }
}

impl Renderer<'_> {
    /// Writes a short text with inline Markdown (titles, captions): bold, italic, code, strike; links as text unless
    /// `links`.
    pub fn inline_markdown(&mut self, text: &str, links: bool) {
        let mut before = None;
        if has_no_markdown(text) {
            let mut smart = String::with_capacity(text.len());
            push_smart(&mut smart, text.trim(), &mut before);
            return self.text(&smart);
        }
        let links = links && self.state.in_link == 0;
        // what a closing tag must say, for links that were refused
        let mut open_links = Vec::new();
        let place = self.state.place;
        visit_short_text(text, |event| match event {
            Event::Text(text) | Event::InlineHtml(text) | Event::Html(text) => {
                let mut smart = String::with_capacity(text.len());
                push_smart(&mut smart, &text, &mut before);
                self.text(&smart);
            }
            Event::Code(code) => {
                before = code.chars().next_back().or(before);
                self.out.push_str("<code>");
                self.text(&code);
                self.out.push_str("</code>");
            }
            Event::SoftBreak | Event::HardBreak => {
                before = Some(' ');
                self.out.push(' ');
            }
            Event::Start(Tag::Emphasis) => self.out.push_str("<em>"),
            Event::End(TagEnd::Emphasis) => self.out.push_str("</em>"),
            Event::Start(Tag::Strong) => self.out.push_str("<strong>"),
            Event::End(TagEnd::Strong) => self.out.push_str("</strong>"),
            Event::Start(Tag::Strikethrough) => self.out.push_str("<del>"),
            Event::End(TagEnd::Strikethrough) => self.out.push_str("</del>"),
            Event::Start(Tag::Link { dest_url, .. }) => {
                let target = if links { self.resolve(&dest_url, place) } else { super::Href::default() };
                open_links.push(!target.url.is_empty());
                if !target.url.is_empty() {
                    self.out.push_str("<a");
                    self.href_attr(&target);
                    self.out.push('>');
                }
            }
            Event::End(TagEnd::Link) if open_links.pop() == Some(true) => self.out.push_str("</a>"),
            _ => {}
        });
    }

    /// A prop that holds a short text with inline Markdown or static JSX, as phrasing HTML; `None` if it is not set.
    pub(crate) fn prop_html(&mut self, props: &Props, name: &str, links: bool) -> Option<String> {
        let html = match props.value(name)? {
            PropValue::Nodes(nodes) => self.capture(|r| {
                r.state.phrasing += 1;
                r.state.in_link += u32::from(!links);
                r.nodes(nodes);
                r.state.in_link -= u32::from(!links);
                r.state.phrasing -= 1;
            }),
            value => {
                let text = value.to_text()?;
                self.capture(|r| r.inline_markdown(&text, links))
            }
        };
        (!html.trim().is_empty()).then_some(html)
    }

    /// A prop as plain text, escaped; `None` if it is not set.
    pub(crate) fn prop_plain(&mut self, props: &Props, name: &str) -> Option<String> {
        match props.value(name)? {
            PropValue::Nodes(_) => self.prop_html(props, name, true),
            value => value.to_text().filter(|text| !text.trim().is_empty()).map(|text| escape_html_text(&text)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &str) {
        assert_eq!(inline_text(text), expect);
    }

    #[test]
    fn titles_lose_their_marks_and_nothing_else() {
        check("Plain", "Plain");
        check("1. The `first` *one*", "1. The first one");
        check("# not a heading", "# not a heading");
        check("- not a **list**", "- not a list");
        check("**\"Bold\"** start", "“Bold” start");
        check("[text](https://x.y)", "text");
        check("a \\* b &amp; c", "a * b & c");
        check("snake_case_name", "snake_case_name");
        check("What's new", "What’s new");
    }
}
