//! A text of mdBook as Markdown: files are put in, blocks of code lose what is meant for mdBook alone, and what widely
//! used preprocessors read is written as components.

use crate::attribute::find_attribute;
use base::component_line::{self, closing_component_line};
use base::cut::SliceText as _;
use base::github_slug::github_slug;
use base::lines::{PlacedLines, outside_code};
use base::{Place, Problem, html};
use load::tool::RenderedText;

use super::code::{self, MdBookFence};
use super::include::{self, expand_mdbook_includes};
use super::math;
use super::settings::MdBookSettings;

/// The lines of a page.
pub(super) fn rewrite_mdbook_text(
    settings: &MdBookSettings,
    text: &RenderedText<'_>,
    problems: &mut Vec<Problem>,
) -> Option<PlacedLines> {
    let lines = text.body.split('\n').zip(text.start.line..);
    let mut lines: PlacedLines =
        lines.map(|(line, number)| (line.to_owned(), Place { line: number, ..text.start })).collect();
    if !settings.variables.is_empty() {
        fill_variables(&settings.variables, &mut lines);
    }
    if include::may_include(text.body) {
        lines = expand_mdbook_includes(&text.site.tree, lines, problems);
        drop_title(text, &mut lines);
    }
    let math = math::MathWriter::new(settings.math);
    let out = Vec::with_capacity(lines.len());
    let mut page =
        MdBookPage { settings, math, out, notes: Vec::new(), listings: Vec::new(), file_name: None, is_comment: false };
    page.lines(lines);
    page.finish(text.start);
    Some(page.out)
}

/// Puts the values of variables into their places, in code too: `{{name}}`.
fn fill_variables(variables: &[(String, String)], lines: &mut PlacedLines) {
    for (line, _) in lines.iter_mut().filter(|(line, _)| line.contains("{{")) {
        let mut out = String::with_capacity(line.len());
        let mut rest = line.as_str();
        while let Some((before, after)) = rest.split_once("{{") {
            let found = after.split_once("}}").and_then(|(name, after)| {
                let (_, value) = variables.iter().find(|(known, _)| known == name.trim())?;
                Some((value, after))
            });
            out.push_str(before);
            rest = match found {
                Some((value, after)) => {
                    out.push_str(value);
                    after
                }
                None => {
                    out.push_str("{{");
                    after
                }
            };
        }
        out.push_str(rest);
        *line = out;
    }
}

/// Leaves only its anchor of a heading that says the title of a page once more: one that the page includes was not there
/// when the title was looked for.
fn drop_title(text: &RenderedText<'_>, lines: &mut PlacedLines) {
    let site = text.site;
    let entry = site.find_page(text.slug).map(|page| site.page(page)).filter(|entry| !entry.title_in_body);
    let Some(entry) = entry else { return };
    let Some((first, _)) = lines.iter_mut().find(|(line, _)| !line.trim().is_empty()) else { return };
    let heading = first.strip_prefix("# ").map(|heading| heading.trim().trim_end_matches('#').trim_end());
    if let Some(heading) = heading.filter(|heading| *heading == entry.meta.title) {
        *first = format!("<a id=\"{}\"></a>", html::attr(&github_slug(heading)));
    }
}

struct MdBookPage<'a> {
    settings: &'a MdBookSettings,
    math: math::MathWriter,
    out: PlacedLines,
    /// Footnotes that stand among the words.
    notes: Vec<String>,
    /// Listings that are open, by their captions.
    listings: Vec<String>,
    /// The name of the file that the next block of code shows.
    file_name: Option<String>,
    /// A comment of HTML is open.
    is_comment: bool,
}

impl MdBookPage<'_> {
    fn lines(&mut self, lines: PlacedLines) {
        let mut lines = lines.into_iter();
        while let Some((line, place)) = lines.next() {
            if self.is_comment || line.trim_start().starts_with("<!--") {
                self.is_comment = !line.contains("-->");
                self.out.push((line, place));
            } else if let Some(fence) = code::fence(&line) {
                let mut block = vec![(line.clone(), place)];
                for next in lines.by_ref() {
                    let is_end = fence.is_end(&next.0);
                    block.push(next);
                    if is_end {
                        break;
                    }
                }
                if fence.language() == "admonish" {
                    self.admonish(&fence, block);
                } else {
                    fence.write(block, self.file_name.take().as_deref(), self.settings, &mut self.out);
                }
            } else if let Some((tag, further)) = listing_tag(&line, lines.as_slice()) {
                self.open_listing(&tag, place);
                lines.by_ref().take(further).for_each(drop);
            } else {
                self.line(line, place);
            }
        }
    }

    fn line(&mut self, line: String, place: Place) {
        if line.contains("</Listing>") {
            return self.close_listing(place);
        }
        if line.trim_start().starts_with("{{#") && self.tabs(&line, place) {
            return;
        }
        let mut line = self.math.line(&line).unwrap_or(line);
        if line.contains("{{footnote:") {
            line = self.footnotes(&line);
        }
        self.out.push((line, place));
    }

    /// A box of mdbook-admonish: a block of code whose text is Markdown.
    fn admonish(&mut self, fence: &MdBookFence<'_>, mut block: PlacedLines) {
        let place = block[0].1;
        let info = fence.info.strip_prefix("admonish").unwrap_or_default().trim();
        let (kind, rest) = info.split_once(char::is_whitespace).unwrap_or((info, ""));
        let (kind, rest) = if kind.contains(['"', '=']) { ("", info) } else { (kind, rest) };
        let kind = kind.split('.').next().filter(|kind| !kind.is_empty()).unwrap_or("note");
        let quoted = || rest.trim().strip_prefix('"')?.split('"').next().map(str::to_owned);
        let title = find_attribute(rest, "title").or_else(quoted).unwrap_or_else(|| capitalized(kind));
        let component = match kind {
            _ if find_attribute(rest, "collapsible").as_deref() == Some("true") => "Accordion",
            "tip" | "hint" | "important" => "Tip",
            "success" | "check" | "done" => "Check",
            "warning" | "caution" | "attention" => "Warning",
            "failure" | "fail" | "missing" | "danger" | "error" | "bug" => "Danger",
            "info" | "todo" | "abstract" | "summary" | "tldr" => "Info",
            _ => "Note",
        };
        if block.len() > 1 && block.last().is_some_and(|(line, _)| fence.is_end(line)) {
            block.pop();
        }
        let props = [("title", title.as_str())];
        let props = if title.is_empty() { &[][..] } else { &props[..] };
        self.component(fence.lead, &component_line::opening(component, props), place);
        self.lines(block.split_off(1));
        let indent: String = fence.lead.chars().map(|c| if matches!(c, '>' | '\t') { c } else { ' ' }).collect();
        self.component(&indent, &closing_component_line(), place);
    }

    /// A line that opens or closes a component, apart from the lines around it.
    fn component(&mut self, lead: &str, line: &str, place: Place) {
        let blank = lead.trim_end().chars().all(|c| c == '>' || c.is_whitespace()).then(|| lead.trim_end().to_owned());
        let blank = blank.unwrap_or_default();
        self.out.push((blank.clone(), place));
        self.out.push((format!("{lead}{line}"), place));
        self.out.push((blank, place));
    }

    /// The tabs of mdbook-tabs; whether the line was about them.
    fn tabs(&mut self, line: &str, place: Place) -> bool {
        let text = line.trim_start();
        let lead = line.slice(..line.len() - text.len());
        let Some(inside) = text.trim_end().strip_prefix("{{#").and_then(|rest| rest.strip_suffix("}}")) else {
            return false;
        };
        let (name, rest) = inside.split_once(char::is_whitespace).unwrap_or((inside, ""));
        let line = match name {
            "tabs" => component_line::opening("Tabs", &[]),
            "tab" => {
                let title = find_attribute(rest, "name").unwrap_or_default();
                component_line::opening("Tab", &[("title", title.as_str())])
            }
            "endtab" | "endtabs" => closing_component_line(),
            _ => return false,
        };
        self.component(lead, &line, place);
        true
    }

    /// `{{footnote: words}}` as references to footnotes at the end of the page.
    fn footnotes(&mut self, line: &str) -> String {
        outside_code(line, |part| {
            let mut out = String::with_capacity(part.len());
            let mut rest = part;
            while let Some((before, after)) = rest.split_once("{{footnote:") {
                let Some((note, after)) = after.split_once("}}") else { break };
                self.notes.push(note.trim().to_owned());
                out.push_str(&format!("{before}[^mdbook-{}]", self.notes.len()));
                rest = after;
            }
            out.push_str(rest);
            out
        })
    }

    /// A listing of the Rust book: the name of its file above the code, its number and caption below.
    fn open_listing(&mut self, tag: &str, place: Place) {
        let value = |name: &str| find_attribute(tag.trim_end().trim_end_matches('>'), name).filter(|it| !it.is_empty());
        let number = value("number");
        let id = number.as_ref().map(|number| format!(" id=\"listing-{}\"", html::attr(number))).unwrap_or_default();
        self.file_name = value("file-name");
        self.listings.push(match (number, value("caption")) {
            (Some(number), Some(caption)) => format!("Listing {number}: {caption}"),
            (Some(number), None) => format!("Listing {number}"),
            (None, caption) => caption.unwrap_or_default(),
        });
        self.out.extend([(String::new(), place), (format!("<figure{id}>"), place), (String::new(), place)]);
    }

    fn close_listing(&mut self, place: Place) {
        let Some(caption) = self.listings.pop() else { return };
        let caption = if caption.is_empty() { vec![] } else { vec!["<figcaption>", "", &caption, "", "</figcaption>"] };
        let lines = [""].into_iter().chain(caption).chain(["</figure>", ""]);
        self.out.extend(lines.map(|line| (line.to_owned(), place)));
        self.file_name = None;
    }

    fn finish(&mut self, start: Place) {
        let place = self.out.last().map_or(start, |(_, place)| *place);
        while !self.listings.is_empty() {
            self.close_listing(place);
        }
        for (number, note) in (1..).zip(&self.notes) {
            self.out.extend([(String::new(), place), (format!("[^mdbook-{number}]: {note}"), place)]);
        }
    }
}

/// The tag of a listing, and the lines that it goes on for behind its first.
fn listing_tag(line: &str, next: &[(String, Place)]) -> Option<(String, usize)> {
    const MAX_LINES: usize = 8;
    if !line.trim_start().starts_with("<Listing") {
        return None;
    }
    let mut tag = line.to_owned();
    for (further, (line, _)) in next.iter().enumerate().take(MAX_LINES) {
        if is_whole_tag(&tag) {
            return Some((tag, further));
        }
        tag.push(' ');
        tag.push_str(line.trim());
    }
    is_whole_tag(&tag).then_some((tag, next.len().min(MAX_LINES)))
}

/// Whether a tag is closed: a bracket between quotes closes none.
fn is_whole_tag(tag: &str) -> bool {
    tag.split('"').step_by(2).any(|outside| outside.contains('>'))
}

fn capitalized(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
