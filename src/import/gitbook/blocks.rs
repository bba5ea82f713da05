//! `{% name key="value" %}` … `{% endname %}`.

use std::collections::VecDeque;

use crate::attribute::find_escaped_attribute;
use base::component_line::{self, closing_component_line};
use base::cut::SliceText as _;
use base::lines::PlacedLines;
use base::time::format_long_date;
use base::{Place, Problem, html};
use load::tool::RenderedText;
use site::front_matter::split_front_matter;
use site::tree;

use super::api::{self, BlockOutput};
use super::inline::rewrite_inline;

/// Most parts that one page may include, and their bytes.
const MAX_INCLUDED: usize = 100;
const MAX_INCLUDED_BYTES: usize = 4 << 20;
/// Most columns beside each other.
const MAX_BLOCK_COLUMNS: usize = 4;

/// Writes the blocks of a page.
pub(super) struct Blocks<'a, 'p> {
    text: &'a RenderedText<'a>,
    problems: &'p mut Vec<Problem>,
    pub(super) out: PlacedLines,
    /// Blocks that are open, by their names, and whether each is a component.
    open: Vec<(String, bool)>,
    /// What the info string of the next block of code says beside its language.
    options: String,
    included: usize,
    included_bytes: usize,
}

/// Where the first tag of a line starts. One behind a backslash is text.
pub(super) fn find_first_tag(line: &str) -> Option<usize> {
    line.match_indices("{%").map(|(at, _)| at).find(|at| !line.slice(..*at).ends_with('\\'))
}

/// The name of the first tag of a line.
fn first_tag_name(line: &str) -> Option<&str> {
    let inside = line.slice(find_first_tag(line)? + 2..).trim_start();
    inside.split(|c: char| c.is_whitespace() || c == '%').next()
}

type RestBlocks = VecDeque<(String, Place)>;

impl<'a, 'p> Blocks<'a, 'p> {
    pub(super) fn new(text: &'a RenderedText<'a>, problems: &'p mut Vec<Problem>) -> Self {
        Self {
            text,
            problems,
            out: Vec::new(),
            open: Vec::new(),
            options: String::new(),
            included: 0,
            included_bytes: 0,
        }
    }

    /// The options of the block of code that begins.
    pub(super) fn take_options(&mut self) -> String {
        std::mem::take(&mut self.options)
    }

    /// Writes what a tag says. `inside` stands between its marks, `rest` are the lines behind it.
    pub(super) fn block(&mut self, inside: &str, indent: &str, place: Place, rest: &mut RestBlocks) {
        let (name, attributes) = inside.split_once(char::is_whitespace).unwrap_or((inside, ""));
        if let Some(ended) = name.strip_prefix("end") {
            return self.end(ended, indent, place);
        }
        let value = |key: &str| find_escaped_attribute(attributes, key).filter(|value| !value.is_empty());
        let titled = |key: &str| [("title", value(key)), ("icon", value("icon"))];
        match name {
            "hint" => {
                let component = match value("style").as_deref() {
                    Some("warning") => "Warning",
                    Some("danger") => "Danger",
                    Some("success") => "Check",
                    _ => "Info",
                };
                self.component(name, component, &[("icon", value("icon"))], indent, place);
            }
            "tabs" => self.component(name, "Tabs", &[], indent, place),
            "tab" => self.component(name, "Tab", &titled("title"), indent, place),
            "stepper" => self.component(name, "Steps", &[], indent, place),
            "step" => {
                let (title, size) = step_title(rest);
                self.component(name, "Step", &[("title", title), ("titleSize", size)], indent, place);
            }
            "columns" => {
                let count = count_of("column", "endcolumns", rest).clamp(1, MAX_BLOCK_COLUMNS).to_string();
                self.component(name, "Columns", &[("cols", Some(count))], indent, place);
            }
            "column" => self.component(name, "Column", &[], indent, place),
            "update" => {
                let date = value("date").map(|date| shown_date(&date).unwrap_or(date));
                let tags = value("tags").map(|tags| tags.replace('-', " ").replace(',', ", "));
                self.component(name, "Update", &[("label", date), ("description", tags)], indent, place);
            }
            // what they hold depends on the reader, or stands as it is
            "updates" | "if" | "else" | "elseif" | "elif" | "raw" => self.open.push((name.to_owned(), false)),
            "code" => {
                self.open.push((name.to_owned(), false));
                self.options = code_options(attributes);
            }
            "content-ref" => {
                let inner = self.captured(name, rest);
                self.reference(value("url").as_deref().unwrap_or_default(), &inner, indent, place);
            }
            "page-ref" => {
                self.reference(value("page").as_deref().unwrap_or_default(), &[], indent, place);
            }
            "embed" => {
                let caption = lines_to_words(&self.captured(name, rest)).or_else(|| value("caption"));
                self.embed(value("url").as_deref().unwrap_or_default(), caption, indent, place);
            }
            "file" => {
                let src = value("src").unwrap_or_default();
                let own = src.rsplit('/').next().unwrap_or_default().to_owned();
                let caption = lines_to_words(&self.captured(name, rest)).or_else(|| value("caption"));
                self.card(&own, &src, "file-arrow-down", caption.as_deref(), indent, place);
            }
            "include" => self.include(attributes, indent, place, rest),
            "@mermaid/diagram" => {
                let diagram = value("content").unwrap_or_default();
                self.apart(place);
                let lines = ["```mermaid"].into_iter().chain(diagram.lines()).chain(["```"]);
                self.out.extend(lines.map(|line| (format!("{indent}{line}"), place)));
                self.apart(place);
            }
            name if name.starts_with('@') && value("url").is_some() => {
                let url = value("url").unwrap_or_default();
                self.embed(&url, value("caption"), indent, place);
            }
            name => self.request(name, attributes, indent, place, rest),
        }
    }

    /// Blocks that describe requests, and those that are not known.
    fn request(&mut self, name: &str, attributes: &str, indent: &str, place: Place, rest: &mut RestBlocks) {
        let enclosing: Vec<String> = self.open.iter().map(|(name, _)| name.clone()).collect();
        match api::written(name, attributes, &enclosing) {
            Some(BlockOutput::Component(opening)) => {
                self.push_apart(indent, &opening, place);
                self.open.push((name.to_owned(), true));
            }
            Some(BlockOutput::Lines(lines)) => {
                self.open.push((name.to_owned(), false));
                self.apart(place);
                if name == "api-method" {
                    let title = summary(rest).map(|title| (format!("{indent}### {title}"), place));
                    self.out.extend(title);
                }
                self.out.extend(lines.into_iter().map(|line| (format!("{indent}{line}"), place)));
            }
            Some(BlockOutput::Reference(lines)) => {
                let inner = self.captured(name, rest);
                let inner = inner.into_iter().filter(|(line, _)| api::is_spec_reference(line)).collect::<PlacedLines>();
                for line in lines {
                    self.push_apart(indent, &line, place);
                }
                self.out.extend(inner);
                self.apart(place);
            }
            None => {
                self.open.push((name.to_owned(), false));
                self.problems.push(
                    Problem::new(
                        "shortcode-unknown",
                        format!("the block `{name}` is not known here; its inside is kept"),
                        place,
                    )
                    .hint("write what it shows on the page"),
                );
            }
        }
    }

    fn component(&mut self, name: &str, component: &str, props: &[(&str, Option<String>)], indent: &str, place: Place) {
        let props: Vec<(&str, &str)> =
            props.iter().filter_map(|(name, value)| Some((*name, value.as_deref()?))).collect();
        self.push_apart(indent, &component_line::opening(component, &props), place);
        self.open.push((name.to_owned(), true));
    }

    fn end(&mut self, name: &str, indent: &str, place: Place) {
        let Some(found) = self.open.iter().rposition(|(open, _)| open == name) else { return };
        for (_, is_component) in self.open.split_off(found) {
            if is_component {
                self.push_apart(indent, &closing_component_line(), place);
            }
        }
        if name == "code" {
            self.options.clear();
        }
    }

    /// A line with empty lines around it.
    fn push_apart(&mut self, indent: &str, line: &str, place: Place) {
        self.apart(place);
        self.out.push((format!("{indent}{line}"), place));
        self.apart(place);
    }

    fn apart(&mut self, place: Place) {
        self.out.push((String::new(), place));
    }

    /// What stands between a tag and its end, if it has one; it is taken out of the lines.
    fn captured(&mut self, name: &str, rest: &mut RestBlocks) -> PlacedLines {
        let end = format!("end{name}");
        let first = rest.iter().position(|(line, _)| first_tag_name(line).is_some());
        let Some(at) = first.filter(|at| first_tag_name(&rest[*at].0) == Some(&end)) else { return Vec::new() };
        let mut lines: PlacedLines = rest.drain(..at).collect();
        if let Some((line, place)) = rest.pop_front() {
            let start = find_first_tag(&line).unwrap_or(line.len());
            if !line.slice(..start).trim().is_empty() {
                lines.push((line.slice(..start).to_owned(), place));
            }
            if let Some((_, after)) = line.slice(start..).split_once("%}").filter(|(_, after)| !after.trim().is_empty())
            {
                rest.push_front((after.to_owned(), place));
            }
        }
        lines
    }

    /// A link to another page, with its title.
    fn reference(&mut self, url: &str, inner: &[(String, Place)], indent: &str, place: Place) {
        let site = self.text.site;
        let folder = tree::folder(site.tree.path(place.file));
        let path = url.split(['#', '?']).next().unwrap_or_default();
        let page = if url.contains("://") || path.is_empty() { None } else { tree::join_document_path(folder, path) };
        let page = page.and_then(|path| {
            let stem = path.strip_suffix(".md").unwrap_or(&path).to_owned();
            let of_folder = |name: &str| site.find_page(format!("{stem}/{name}").trim_start_matches('/'));
            site.find_page(&stem).or_else(|| of_folder("README")).or_else(|| of_folder("index"))
        });
        let Some(page) = page.map(|page| site.page(page)) else {
            let label = lines_to_words(inner)
                .and_then(|line| Some(line.split_once("](")?.0.trim_start_matches('[').to_owned()));
            let label = label.unwrap_or_else(|| url.to_owned());
            return self.card(
                &label,
                url,
                if url.contains("://") { "arrow-up-right" } else { "" },
                None,
                indent,
                place,
            );
        };
        let icon = page.meta.icon.as_ref().map_or_else(String::new, |icon| icon.name.clone());
        let icon = if icon.is_empty() { "file-lines" } else { &icon };
        self.card(page.shown_title(), url, icon, None, indent, place);
    }

    /// Something of another site: a film, or a link to it.
    fn embed(&mut self, url: &str, caption: Option<String>, indent: &str, place: Place) {
        if let Some(film) = film(url) {
            let title = caption.as_deref().unwrap_or("Video");
            let frame = format!(
                "<iframe src=\"{}\" title=\"{}\" allowfullscreen></iframe>",
                html::attr(&film),
                html::attr(title)
            );
            self.push_apart(indent, &frame, place);
            if let Some(caption) = caption {
                self.push_apart(indent, &format!("*{caption}*"), place);
            }
            return;
        }
        let host = url.split_once("://").map_or(url, |(_, rest)| rest).trim_end_matches('/');
        let own = caption.as_deref().filter(|caption| !caption.contains("]("));
        self.card(own.unwrap_or(host), url, "link", own.map(|_| host), indent, place);
    }

    fn card(&mut self, title: &str, href: &str, icon: &str, text: Option<&str>, indent: &str, place: Place) {
        let mut props = vec![("title", title), ("href", href), ("horizontal", "true")];
        if !icon.is_empty() {
            props.push(("icon", icon));
        }
        self.push_apart(indent, &component_line::opening("Card", &props), place);
        if let Some(text) = text {
            self.out.push((format!("{indent}{text}"), place));
        }
        self.push_apart(indent, &closing_component_line(), place);
    }

    /// A part of pages: its lines follow next.
    fn include(&mut self, attributes: &str, indent: &str, place: Place, rest: &mut RestBlocks) {
        let path = attributes.trim().trim_matches(['"', '\'']);
        let site = self.text.site;
        let folder = tree::folder(site.tree.path(place.file));
        let file = tree::join_document_path(folder, path)
            .and_then(|path| site.tree.find(&path))
            .filter(|file| *file != self.text.file);
        self.included += 1;
        let size = file.map_or(0, |file| usize::try_from(site.tree.file(file).size).unwrap_or(usize::MAX));
        self.included_bytes = self.included_bytes.saturating_add(size);
        let text = file
            .filter(|_| self.included <= MAX_INCLUDED && self.included_bytes <= MAX_INCLUDED_BYTES)
            .and_then(|file| Some((file, site.tree.text(file)?)));
        let Some((file, text)) = text else {
            self.problems.push(
                Problem::new(
                    "include-unread",
                    format!("`{path}` is not a file of the documentation; its content is left out"),
                    place,
                )
                .hint("correct the path, or write the text on the page"),
            );
            return;
        };
        let split = split_front_matter(&text);
        let lines = text.slice(split.body_offset..).trim_end().lines().zip(split.body_line..);
        let lines: PlacedLines =
            lines.map(|(line, number)| (format!("{indent}{line}"), Place { file, line: number, column: 1 })).collect();
        for line in lines.into_iter().rev() {
            rest.push_front(line);
        }
    }

    /// Closes what is open.
    pub(super) fn finish(&mut self, start: Place) {
        let place = self.out.last().map_or(start, |(_, place)| *place);
        for (_, is_component) in std::mem::take(&mut self.open) {
            if is_component {
                self.push_apart("", &closing_component_line(), place);
            }
        }
    }
}

/// What the info string of a block of code says beside its language.
fn code_options(attributes: &str) -> String {
    let is = |key: &str, value: &str| find_escaped_attribute(attributes, key).as_deref() == Some(value);
    let title = find_escaped_attribute(attributes, "title").filter(|title| !title.is_empty());
    let title = title.map(|title| format!(" title=\"{}\"", title.replace('"', "'")));
    let flags =
        [("lineNumbers", "true", " lines"), ("overflow", "wrap", " wrap"), ("expandable", "true", " expandable")];
    let flags = flags.into_iter().filter(|(key, value, _)| is(key, value)).map(|(.., flag)| flag.to_owned());
    title.into_iter().chain(flags).collect()
}

/// The title of a step: the heading, or the line in bold, that it begins with; it is taken out of the lines.
fn step_title(rest: &mut RestBlocks) -> (Option<String>, Option<String>) {
    let Some(at) = rest.iter().position(|(line, _)| !line.trim().is_empty()) else { return (None, None) };
    let line = rewrite_inline(rest[at].0.trim().to_owned(), &[]);
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let bold = || line.strip_prefix("**")?.strip_suffix("**").filter(|words| !words.contains("**"));
    let (title, size) = if (1..=6).contains(&level) && line.slice(level..).starts_with(' ') {
        let words = line.slice(level..).split(" {#").next().unwrap_or_default();
        (words.trim().trim_end_matches('#').trim_end().to_owned(), Some(format!("h{}", level.clamp(2, 4))))
    } else if let Some(words) = bold() {
        (words.to_owned(), None)
    } else {
        return (None, None);
    };
    rest.remove(at);
    (Some(title).filter(|title| !title.is_empty()), size)
}

/// `2026-01-04` as `January 4, 2026`.
fn shown_date(date: &str) -> Option<String> {
    let mut parts = date.split('-').map(|part| part.parse::<usize>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    format_long_date(year, month, day)
}

/// The words of the block with the name of a request, which follows its own; it is taken out of the lines.
fn summary(rest: &mut RestBlocks) -> Option<String> {
    let mut names = rest.iter().enumerate().filter_map(|(at, (line, _))| Some((at, first_tag_name(line)?)));
    let (start, _) = names.next().filter(|(_, name)| *name == "api-method-summary")?;
    let (end, _) = names.next().filter(|(_, name)| *name == "endapi-method-summary")?;
    let lines: PlacedLines = rest.drain(start..=end).collect();
    lines_to_words(&lines[1..lines.len() - 1])
}

/// How many blocks of a name begin before an end.
fn count_of(name: &str, end: &str, rest: &RestBlocks) -> usize {
    let names = rest.iter().filter_map(|(line, _)| first_tag_name(line));
    names.take_while(|found| *found != end).filter(|found| *found == name).count()
}

/// The words of some lines.
fn lines_to_words(lines: &[(String, Place)]) -> Option<String> {
    let words: Vec<&str> = lines.iter().map(|(line, _)| line.trim()).filter(|line| !line.is_empty()).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// The address at which a film is played inside other pages.
fn film(url: &str) -> Option<String> {
    let rest = url.split_once("://").map(|(_, rest)| rest.strip_prefix("www.").unwrap_or(rest))?;
    let id = |text: &str| text.split(['?', '&', '#', '/']).next().filter(|id| !id.is_empty()).map(str::to_owned);
    if let Some(watch) = rest.strip_prefix("youtube.com/watch?") {
        let id = watch.split('&').find_map(|part| part.strip_prefix("v=")).and_then(id)?;
        return Some(format!("https://www.youtube-nocookie.com/embed/{id}"));
    }
    for (start, player) in [
        ("youtu.be/", "https://www.youtube-nocookie.com/embed/"),
        ("youtube.com/embed/", "https://www.youtube-nocookie.com/embed/"),
        ("youtube.com/shorts/", "https://www.youtube-nocookie.com/embed/"),
        ("vimeo.com/", "https://player.vimeo.com/video/"),
        ("loom.com/share/", "https://www.loom.com/embed/"),
    ] {
        if let Some(id) = rest.strip_prefix(start).and_then(id) {
            return Some(format!("{player}{id}"));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn films_are_played() {
        for (url, expect) in [
            ("https://www.youtube.com/watch?t=3&v=abc", Some("https://www.youtube-nocookie.com/embed/abc")),
            ("https://youtu.be/abc?si=x", Some("https://www.youtube-nocookie.com/embed/abc")),
            ("https://www.loom.com/share/x1", Some("https://www.loom.com/embed/x1")),
            ("https://example.com/v", None),
        ] {
            assert_eq!(film(url).as_deref(), expect);
        }
    }

    #[test]
    fn options_of_code() {
        assert_eq!(
            code_options("title=\"a 'b'\" lineNumbers=\"true\" overflow=\"wrap\""),
            " title=\"a 'b'\" lines wrap"
        );
        assert_eq!(code_options("fullWidth=\"true\""), "");
    }

    #[test]
    fn steps_have_titles() {
        let step = |text: &str| {
            let mut rest: RestBlocks = text.lines().map(|line| (line.to_owned(), Place::default())).collect();
            let (title, size) = step_title(&mut rest);
            (title.unwrap_or_default(), size.unwrap_or_default(), rest.len())
        };
        assert_eq!(step("\n### Run `it` <a href=\"#x\" id=\"x\"></a>\nb"), ("Run `it`".to_owned(), "h3".to_owned(), 2));
        assert_eq!(step("**Bold**\nb"), ("Bold".to_owned(), String::new(), 1));
        assert_eq!(step("Words **b**\nb"), (String::new(), String::new(), 2));
    }
}
