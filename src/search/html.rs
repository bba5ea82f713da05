//! The text of rendered content, section by section: what readers read, without controls and drawings.
//!
//! It is read from the finished HTML, so that no writer of a component has to know of search. That takes about 5 % of
//! an export's CPU.

use std::borrow::Cow;

use memchr::memchr;

use base::cut::SliceText as _;
use base::html::tag::{self, HtmlTag, MarkupToken};
use base::html::{is_void, push_decoded};

/// Marks in [`HtmlSection::text`]: code begins and ends, the title of a component begins and ends.
pub(super) const CODE: char = '\u{1}';
pub(super) const CODE_END: char = '\u{2}';
pub(super) const TITLE: char = '\u{3}';
pub(super) const TITLE_END: char = '\u{4}';

/// Most sections of a page; what follows belongs to the last one.
const MAX_SECTIONS: usize = 2_000;

/// What stands between two headings.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct HtmlSection {
    /// Id of its heading; empty for what comes before the first one.
    pub(super) anchor: String,
    /// Text of its heading.
    pub(super) heading: String,
    /// Its text with the marks; white space as in the source.
    pub(super) text: String,
}

/// Bytes of the shortest attribute that matters here, ` data-chrome`.
const SHORTEST_MARK: usize = 12;

/// Mark of the text that a word shows when it is pointed at.
const TIP: &str = "role=\"tooltip\"";

/// Elements whose content is not text of the page.
fn is_silent(name: &str) -> bool {
    matches!(name, "button" | "math" | "script" | "select" | "style" | "svg" | "template" | "textarea")
}

/// Elements that do not part words.
fn is_inline(name: &str) -> bool {
    match name.len() {
        1 => matches!(name, "a" | "b" | "i" | "q" | "s" | "u"),
        2 => matches!(name, "em"),
        3 => matches!(name, "bdi" | "bdo" | "del" | "dfn" | "ins" | "kbd" | "sub" | "sup" | "var" | "wbr"),
        _ => matches!(name, "abbr" | "cite" | "code" | "mark" | "samp" | "small" | "span" | "strong"),
    }
}

/// Reads sections; what stands before the first heading goes to the last one that is there. Alternative texts of
/// pictures and the texts of tips go to `aside`, in lines.
pub(super) fn sections(html: &str, out: &mut Vec<HtmlSection>, aside: &mut String) {
    let mut reader = SectionReader { out, aside, heading: None, title: None, depth: 0 };
    let mut rest = html;
    while let Some(open) = memchr(b'<', rest.as_bytes()) {
        reader.text(rest.slice(..open));
        rest = rest.slice(open..);
        if let Some((text, end)) = tag::code_token(rest.as_bytes()) {
            reader.text(rest.slice(text));
            rest = rest.slice(end..);
            continue;
        }
        let Some((token, after)) = tag::read_html_token(rest) else {
            reader.text("<");
            rest = rest.slice(1..);
            continue;
        };
        rest = after;
        match token {
            MarkupToken::Comment => reader.text(" "),
            MarkupToken::Start(tag) if is_silent_tag(&tag) => rest = after_element(rest, &tag),
            MarkupToken::Start(tag) => reader.start(&tag),
            MarkupToken::End(tag) => reader.end(&tag),
        }
    }
    reader.text(rest);
}

fn is_silent_tag(tag: &HtmlTag<'_>) -> bool {
    // the labels of a diagram are words of the page
    if tag.name == "svg" && tag.value("id").is_some_and(|id| id.starts_with("diagram")) {
        return false;
    }
    // most tags are those of colored code, with a class of two letters
    if tag.rest.len() < SHORTEST_MARK {
        return tag.name.len() > 1 && is_silent(tag.name);
    }
    is_silent(tag.name)
        || tag.rest.contains("data-chrome")
        || tag.rest.contains("aria-hidden=\"true\"")
        // samples and examples of an operation repeat what its fields say, in words of every programming language
        || is_api_example(tag)
}

/// Samples and examples of an operation.
fn is_api_example(tag: &HtmlTag<'_>) -> bool {
    tag.name == "div"
        && tag.rest.contains("api-example")
        && tag.value("class").is_some_and(|class| class.split(' ').any(|name| name == "api-example"))
}

fn has_end(tag: &HtmlTag<'_>) -> bool {
    !is_void(tag.name) && !tag.is_self_closing()
}

fn heading_level(tag: &HtmlTag<'_>) -> Option<u8> {
    match tag.name.as_bytes() {
        [b'h', level @ b'1'..=b'6'] => Some(level - b'0'),
        _ => None,
    }
}

/// Title of a component: the summary of an accordion, the name of a tab, card, step or file.
fn is_title(tag: &HtmlTag<'_>) -> bool {
    tag.name == "summary"
        || tag.rest.len() >= SHORTEST_MARK
            && tag.value("class").is_some_and(|class| class.split(' ').any(|name| name.ends_with("-title")))
}

/// What follows the end tag of an element whose start tag was read.
pub fn after_element<'a>(mut rest: &'a str, element: &HtmlTag<'_>) -> &'a str {
    if !has_end(element) {
        return rest;
    }
    let mut depth = 1_usize;
    while let Some(open) = memchr(b'<', rest.as_bytes()) {
        rest = rest.slice(open..);
        let Some((token, after)) = tag::read_html_token(rest) else {
            rest = rest.slice(1..);
            continue;
        };
        rest = after;
        match token {
            MarkupToken::Start(tag) if tag.name == element.name && has_end(&tag) => depth += 1,
            MarkupToken::End(tag) if tag.name == element.name => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return rest;
        }
    }
    ""
}

struct SectionReader<'o> {
    out: &'o mut Vec<HtmlSection>,
    aside: &'o mut String,
    /// The tag of the open heading.
    heading: Option<u8>,
    /// The depth at which the title of a component is open.
    title: Option<usize>,
    /// Open elements.
    depth: usize,
}

impl SectionReader<'_> {
    fn section(&mut self) -> &mut HtmlSection {
        if self.out.is_empty() {
            self.out.push(HtmlSection::default());
        }
        let last = self.out.len() - 1;
        &mut self.out[last]
    }

    fn text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let is_heading = self.heading.is_some();
        let section = self.section();
        let into = if is_heading { &mut section.heading } else { &mut section.text };
        push_decoded(into, text);
    }

    fn mark(&mut self, mark: char) {
        if self.heading.is_none() {
            self.section().text.push(mark);
        }
    }

    fn start(&mut self, tag: &HtmlTag<'_>) {
        if let Some(level) = heading_level(tag) {
            return self.start_heading(tag, level);
        }
        if !is_inline(tag.name) {
            self.text(" ");
        }
        let said = match tag.name {
            "img" => tag.value("alt"),
            "span" if tag.rest.contains(TIP) => tag.value("aria-label"),
            _ => None,
        };
        if let Some(text) = said {
            push_decoded(self.aside, text);
            self.aside.push('\n');
        }
        if tag.name == "pre" {
            self.mark(CODE);
        }
        if has_end(tag) {
            if self.title.is_none() && self.heading.is_none() && is_title(tag) {
                self.title = Some(self.depth);
                self.mark(TITLE);
            }
            self.depth += 1;
        }
    }

    fn end(&mut self, tag: &HtmlTag<'_>) {
        if let Some(level) = heading_level(tag) {
            return self.end_heading(level);
        }
        if !is_inline(tag.name) {
            self.text(" ");
        }
        if tag.name == "pre" {
            self.mark(CODE_END);
        }
        self.depth = self.depth.saturating_sub(1);
        if self.title == Some(self.depth) {
            self.title = None;
            self.mark(TITLE_END);
        }
    }

    /// A heading with an id begins a section; one without is the title of something inside it.
    fn start_heading(&mut self, tag: &HtmlTag<'_>, level: u8) {
        match tag.value("id") {
            Some(id) if !id.is_empty() && self.out.len() < MAX_SECTIONS => {
                let mut anchor = String::with_capacity(id.len());
                push_decoded(&mut anchor, id);
                self.title = None;
                self.out.push(HtmlSection {
                    anchor,
                    heading: String::with_capacity(64),
                    text: String::with_capacity(1 << 10),
                });
                self.heading = Some(level);
            }
            _ => {
                self.text(" ");
                self.mark(TITLE);
            }
        }
    }

    fn end_heading(&mut self, level: u8) {
        match self.heading.take() {
            Some(open) if open != level => self.heading = Some(open),
            Some(_) => {}
            None => self.mark(TITLE_END),
        }
    }
}

/// White space as single spaces, none at the ends, no control characters.
pub(super) fn collapsed(text: &str) -> Cow<'_, str> {
    let is_clean = |text: &str| {
        !text.starts_with(' ')
            && !text.ends_with(' ')
            && !text.contains("  ")
            && !text.chars().any(|c| c != ' ' && (c.is_whitespace() || c.is_control()))
    };
    if is_clean(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Sections as `anchor|heading|text`, white space collapsed and marks as brackets.
    #[track_caller]
    fn check(html: &str, expect: &[&str]) {
        let mut out = vec![HtmlSection::default()];
        sections(html, &mut out, &mut String::new());
        let shown: Vec<String> = out
            .iter()
            .map(|section| {
                let text = section.text.replace([CODE, CODE_END], "`").replace(TITLE, "[").replace(TITLE_END, "]");
                format!("{}|{}|{}", section.anchor, collapsed(&section.heading), collapsed(&text))
            })
            .collect();
        assert_eq!(shown, expect, "{html}");
    }

    #[test]
    fn pictures_and_tips_speak_aside() {
        let mut aside = String::new();
        let html = "<img alt=\"A &amp; b\" src=\"x\"> <span class=\"tooltip-tip\" role=\"tooltip\" id=\"tip-1\" aria-label=\"H: tip\"></span><span aria-label=\"none\">c</span>";
        sections(html, &mut vec![HtmlSection::default()], &mut aside);
        assert_eq!(aside, "A & b\nH: tip\n");
    }

    #[test]
    fn headings_begin_sections() {
        check("<p>One <em>t</em>wo</p><p>three</p>", &["||One two three"]);
        check(
            "<p>a</p>\n<h2 id=\"b-c\"><a class=\"heading-anchor\" href=\"#b-c\" data-chrome></a>B &amp; <code>C</code></h2>\n<p>d</p><h3 class=\"x\">e</h3><p>f</p>",
            &["||a", "b-c|B & C|d [e] f"],
        );
    }

    #[test]
    fn controls_and_drawings_are_silent() {
        check(
            "a<svg><title>x</title><path d=\"M0 0\"/></svg> b<button>copy</button> c<div data-chrome><div>d</div>e</div> f",
            &["||a b c f"],
        );
        check("a <img alt=\"x\"><br>b<hr/>c <!-- d -- > e --> f", &["||a b c f"]);
        check("a<span aria-hidden=\"true\">1<span>2</span></span> b", &["||a b"]);
        check("x <script>if (a < b) {}</script> y", &["||x y"]);
        check("x <div class=\"example api-example\"><div><pre>curl</pre></div></div> y", &["||x y"]);
    }

    #[test]
    fn code_and_titles_are_marked() {
        check(
            "<p>a <code>b</code></p><pre tabindex=\"0\"><code><i class=aB>let</i> x;\n</code></pre>",
            &["||a b `let x; `"],
        );
        check("<details id=\"q\"><summary>How <b>much</b>?</summary>Much.</details>", &["||[How much? ]Much."]);
        check(
            "<div class=\"card x\"><div class=\"box-title y\">Install <i>it</i></div><p>now</p></div>",
            &["||[Install it ] now"],
        );
    }

    #[test]
    fn broken_markup_ends() {
        check("a < b <> c", &["||a < b <> c"]);
        check("a <b", &["||a <b"]);
        check("<p title=\"a > b\">c</p><p title=\"d", &["||c <p title=\"d"]);
        check("<svg><g>", &["||"]);
        check("&amp &unknown; &#x41;&#66;&#xffffffff; &", &["||&amp &unknown; AB&#xffffffff; &"]);
    }

    proptest! {
        /// No text panics, and none grows.
        #[test]
        fn any_markup_ends(html in "(<|>|/|\"|'|&|;|h2| id=\"a\"|svg|pre|!--|-->|[a-z ä漢\\x00]){0,60}") {
            let mut out = Vec::new();
            sections(&html, &mut out, &mut String::new());
            let size: usize = out.iter().map(|section| section.text.len() + section.heading.len() + section.anchor.len()).sum();
            prop_assert!(size <= html.len() * 3 + 4);
        }
    }
}
