//! Footnotes: numbers in the text, the notes at the end of the page, links both ways.

use rustc_hash::{FxHashMap, FxHashSet};

use base::{Diagnostic, Place, html};
use markup::tree::Node;

use super::Renderer;

/// The footnotes of a page.
#[derive(Debug, Default)]
pub(crate) struct Footnotes {
    /// Numbers from 1 in order of first mention, by label.
    numbers: FxHashMap<String, usize>,
    /// The ids of the mentions, by number.
    mentions: Vec<Vec<String>>,
    /// Labels, the HTML of their notes, and where these stand.
    written: Vec<(String, String, Place)>,
    /// Labels that have a note.
    known: FxHashSet<String>,
}

impl Footnotes {
    fn number(&mut self, label: &str) -> usize {
        if let Some(number) = self.numbers.get(label) {
            return *number;
        }
        self.mentions.push(Vec::new());
        self.numbers.insert(label.to_owned(), self.mentions.len());
        self.mentions.len()
    }
}

impl Renderer<'_> {
    /// Writes the number of a footnote, as a link unless it stands in one.
    pub(crate) fn footnote_ref(&mut self, label: &str) {
        let number = self.state.footnotes.number(label);
        self.out.push_str("<sup class=\"footnote-ref\" data-chrome>");
        if self.state.in_link > 0 {
            self.out.push_str(&number.to_string());
        } else {
            let id = self.ids.claim(format!("fnref-{number}"), '-', 2);
            self.out.push_str(&format!(
                "<a id=\"{id}\" href=\"#fn-{number}\" aria-label=\"Footnote {number}\">{number}</a>"
            ));
            self.state.footnotes.mentions[number - 1].push(id);
        }
        self.out.push_str("</sup>");
    }

    /// Keeps a note for the end of the page.
    pub(crate) fn footnote_def(&mut self, label: &str, children: &[Node], place: Place) {
        if !self.state.footnotes.known.insert(label.to_owned()) {
            return;
        }
        // a note may be met while a heading or link is being written: it is on its own all the same
        let around = (self.state.phrasing, self.state.in_link);
        (self.state.phrasing, self.state.in_link) = (0, 0);
        let note = self.capture(|r| r.flow(children));
        (self.state.phrasing, self.state.in_link) = around;
        self.state.footnotes.written.push((label.to_owned(), note, place));
    }
}

/// Writes the notes, in the order of their numbers. Those that nothing mentions are left out, as GitHub does it.
pub(crate) fn write_section(r: &mut Renderer<'_>) {
    let mut footnotes = std::mem::take(&mut r.state.footnotes);
    let mut notes = vec![String::new(); footnotes.mentions.len()];
    for (label, note, place) in std::mem::take(&mut footnotes.written) {
        // the notes that it mentions lead back to it
        let is_led_to = note.contains("class=\"footnote-ref\"");
        if !footnotes.numbers.contains_key(&label) && !is_led_to {
            let problem = Diagnostic::new("footnote-unused", "this footnote is not referenced, and is left out");
            r.warn(place, problem.hint("refer to it with its label, `[^label]`, or remove it"));
            continue;
        }
        let number = footnotes.number(&label);
        notes.resize(footnotes.mentions.len(), String::new());
        notes[number - 1] = note;
    }
    if notes.is_empty() {
        return;
    }
    r.out.push_str("<section class=\"footnotes\" aria-label=\"Footnotes\">\n<ol>\n");
    for (number, (note, mentions)) in (1..).zip(notes.iter().zip(&footnotes.mentions)) {
        let id = r.ids.claim(format!("fn-{number}"), '-', 2);
        let note = note.trim_end();
        r.out.push_str(&format!("<li id=\"{}\">", html::attr(&id)));
        let (body, tail) = note.strip_suffix("</p>").map_or((note, ""), |body| (body, "</p>"));
        r.out.push_str(body);
        for mention in mentions {
            let mention = html::attr(mention);
            r.out.push_str(&format!(" <a class=\"footnote-back\" href=\"#{mention}\" aria-label=\"Back to reference {number}\" data-chrome>↩</a>"));
        }
        r.out.push_str(tail);
        r.out.push_str("</li>\n");
    }
    r.out.push_str("</ol>\n</section>\n");
}
