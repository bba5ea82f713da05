//! A text of Docsify as Markdown: notes, files that are included, attributes behind links, tabs, and the cover.

use crate::included::{IncludedFiles, included_lines};
use base::component_line::{closing_component_line, opening};
use base::cut::SliceText as _;
use base::lines::{PlacedLines, Verbatim, fence_around, outside_code};
use base::{Place, Problem, html};
use load::tool::RenderedText;
use site::front_matter::split_front_matter;
use site::tree;

use super::config::DocsifyConfig;

/// Most files inside each other.
const MAX_DOCSIFY_EMBED_DEPTH: usize = 5;

/// The lines of a page.
pub(super) fn rewrite_docsify_text(
    options: &DocsifyConfig,
    text: &RenderedText<'_>,
    problems: &mut Vec<Problem>,
) -> PlacedLines {
    let mut writer = DocsifyWriter {
        options,
        text,
        problems,
        included: IncludedFiles::default(),
        tabs: Tabs::None,
        out: PlacedLines::new(),
    };
    if text.slug == "index" {
        writer.cover();
    }
    let lines = text.body.split('\n').zip(text.start.line..);
    let lines: PlacedLines =
        lines.map(|(line, number)| (line.to_owned(), Place { line: number, ..text.start })).collect();
    writer.lines(text.site.tree.path(text.file), &lines, 0);
    writer.out
}

/// Whether tabs are open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tabs {
    None,
    /// None of them has begun.
    Begun,
    Tab,
}

struct DocsifyWriter<'a, 'p> {
    options: &'a DocsifyConfig,
    text: &'a RenderedText<'a>,
    problems: &'p mut Vec<Problem>,
    included: IncludedFiles,
    tabs: Tabs,
    out: PlacedLines,
}

impl DocsifyWriter<'_, '_> {
    fn push(&mut self, line: impl Into<String>, place: Place) {
        self.out.push((line.into(), place));
    }

    /// A line with empty lines around it.
    fn apart(&mut self, line: String, place: Place) {
        self.push("", place);
        self.push(line, place);
        self.push("", place);
    }

    /// What stands above the start page.
    fn cover(&mut self) {
        let tree = &self.text.site.tree;
        let Some(file) = self.options.cover.as_deref().and_then(|path| tree.find_any(path)) else { return };
        let text = tree.text(file).unwrap_or_default();
        let path = tree.path(file).to_owned();
        let split = split_front_matter(&text);
        let lines = text.slice(split.body_offset..).lines().zip(split.body_line..);
        // a picture that is a color is the ground
        let is_ground = |line: &str| line.trim().starts_with("![color](") || line.trim().starts_with("![](#");
        let lines: PlacedLines = lines
            .filter(|(line, _)| !is_ground(line))
            .map(|(line, number)| (line.to_owned(), Place { file, line: number, column: 1 }))
            .collect();
        self.lines(&path, &lines, 1);
        let place = lines.last().map_or(self.text.start, |(_, place)| *place);
        self.push("", place);
    }

    /// Recursion is bounded by the depth of files in each other.
    fn lines(&mut self, path: &str, lines: &[(String, Place)], depth: usize) {
        let mut verbatim = Verbatim::default();
        let mut at = 0;
        while at < lines.len() {
            let (line, place) = &lines[at];
            let trimmed = line.trim_start();
            let lead = line.slice(..line.len() - trimmed.len());
            if self.mark(trimmed, *place) {
                at += 1;
                continue;
            }
            if verbatim.takes(line.trim_start_matches([' ', '\t', '>'])) {
                self.push(line.as_str(), *place);
                at += 1;
                continue;
            }
            if let Some((component, title)) = alert_with_options(trimmed) {
                let title = if title.is_empty() { Vec::new() } else { vec![("title", title)] };
                self.apart(format!("{lead}{}", opening(component, &title)), *place);
                let quoted = |line: &str| Some(line.trim_start().strip_prefix('>')?.to_owned());
                let inside = lines[at + 1..].iter().map_while(|(line, place)| Some((quoted(line)?, *place)));
                let inside =
                    inside.map(|(text, place)| (format!("{lead}{}", text.strip_prefix(' ').unwrap_or(&text)), place));
                let inside: PlacedLines = inside.collect();
                let end = at + 1 + inside.len();
                self.lines(path, &inside, depth.max(1));
                self.apart(format!("{lead}{}", closing_component_line()), lines[end - 1].1);
                at = end;
                continue;
            }
            let note = [("!>", "Warning"), ("?>", "Info")].iter().find_map(|(mark, component)| {
                Some((trimmed.strip_prefix(mark).filter(|rest| rest.starts_with([' ', '\t']))?, component))
            });
            if let Some((first, component)) = note {
                self.apart(format!("{lead}{}", opening(component, &[])), *place);
                let rest = lines[at + 1..].iter().take_while(|(line, _)| !line.trim().is_empty());
                let end = at + 1 + rest.count();
                let mut inside: PlacedLines = vec![(format!("{lead}{}", first.trim_start()), *place)];
                inside.extend(lines[at + 1..end].iter().cloned());
                // what is open around it stays open
                self.lines(path, &inside, depth.max(1));
                self.apart(format!("{lead}{}", closing_component_line()), lines[end - 1].1);
                at = end;
                continue;
            }
            if !self.include(path, line, *place, depth) {
                let line = self.line(line);
                self.push(line, *place);
            }
            at += 1;
        }
        if depth == 0 {
            let place = lines.last().map_or(self.text.start, |(_, place)| *place);
            self.end_tabs(place);
        }
    }

    /// A comment that means something: tabs and their ends; or the name of a tab.
    fn mark(&mut self, text: &str, place: Place) -> bool {
        let inside = text.trim().strip_prefix("<!--").and_then(|rest| rest.strip_suffix("-->")).map(str::trim);
        match inside.map(|inside| inside.replace(' ', "").to_lowercase()).as_deref() {
            Some("tabs:start") => {
                self.apart(opening("Tabs", &[]), place);
                self.tabs = Tabs::Begun;
                return true;
            }
            Some("tabs:end") => {
                self.end_tabs(place);
                return true;
            }
            _ => {}
        }
        if self.tabs == Tabs::None {
            return false;
        }
        // `#### **Title**`, or a comment
        let level = text.bytes().take_while(|byte| *byte == b'#').count();
        let words = text.slice(level..).trim();
        let bold = |words: &str| Some(words.strip_prefix("**")?.strip_suffix("**")?.trim().to_owned());
        let of_comment = inside.and_then(|inside| inside.strip_prefix("tab:")).map(|title| title.trim().to_owned());
        let title = if (1..=6).contains(&level) { bold(words) } else { None };
        let Some(title) = title.or(of_comment) else { return false };
        if self.tabs == Tabs::Tab {
            self.apart(closing_component_line(), place);
        }
        self.tabs = Tabs::Tab;
        self.apart(opening("Tab", &[("title", &title)]), place);
        true
    }

    fn end_tabs(&mut self, place: Place) {
        if self.tabs == Tabs::Tab {
            self.apart(closing_component_line(), place);
        }
        if self.tabs != Tabs::None {
            self.apart(closing_component_line(), place);
        }
        self.tabs = Tabs::None;
    }

    /// `[name](file ':include :type=code js')` in a line of its own: whether it is one.
    fn include(&mut self, path: &str, line: &str, place: Place, depth: usize) -> bool {
        let trimmed = line.trim();
        let Some(link) = TitledLink::parse(trimmed).filter(|link| link.end == trimmed.len()) else { return false };
        let Some(options) =
            link.options.strip_prefix(":include").or_else(|| link.options.split_once(":include").map(|(_, rest)| rest))
        else {
            return false;
        };
        let lead = line.slice(..line.len() - line.trim_start().len()).to_owned();
        let value = |name: &str| {
            let (_, rest) = options.split_once(&format!(":{name}="))?;
            Some(rest.split(" :").next().unwrap_or_default().trim())
        };
        let target = link.target;
        let ending = target.rsplit('.').next().unwrap_or_default().to_lowercase();
        let (kind, language) = match value("type").map(|kind| kind.split_once(' ').unwrap_or((kind, ""))) {
            Some((kind, language)) => (kind, language),
            None => match ending.as_str() {
                "md" | "markdown" => ("markdown", ""),
                "mp4" | "ogg" => ("video", ""),
                "mp3" => ("audio", ""),
                "htm" | "html" => ("iframe", ""),
                _ => ("code", ""),
            },
        };
        if matches!(kind, "video" | "audio" | "iframe") {
            let address = html::attr(&address(target));
            let element = match kind {
                "video" => format!("{lead}<video src=\"{address}\" controls></video>"),
                "audio" => format!("{lead}<audio src=\"{address}\" controls></audio>"),
                _ => format!("{lead}<iframe src=\"{address}\" title=\"{}\"></iframe>", html::attr(link.label)),
            };
            self.apart(element, place);
            return true;
        }
        let language = if language.is_empty() { ending.as_str() } else { language };
        let is_markdown = kind == "markdown";
        self.included_file(path, target, &lead, (!is_markdown).then_some(language), value("fragment"), (place, depth));
        true
    }

    /// Writes a file: as code of a language, or as a part of the page.
    fn included_file(
        &mut self,
        path: &str,
        target: &str,
        lead: &str,
        language: Option<&str>,
        name: Option<&str>,
        (place, depth): (Place, usize),
    ) {
        let tree = &self.text.site.tree;
        let own = target.trim_start_matches('/');
        let folder = if target.starts_with('/') { self.options.folder.as_str() } else { tree::folder(path) };
        let file = tree::join_document_path(folder, own).and_then(|path| tree.find_any(&path));
        let (file, text) =
            match self.included.read(tree, file.filter(|_| depth < MAX_DOCSIFY_EMBED_DEPTH), target, place) {
                Ok(read) => read,
                Err(problem) => return self.problems.push(problem),
            };
        let split = split_front_matter(&text);
        let (text, first) =
            if language.is_none() { (text.slice(split.body_offset..), split.body_line) } else { (text.as_str(), 1) };
        let lines: Vec<&str> = text.lines().collect();
        let range = name.map_or(0..lines.len(), |name| fragment(&lines, name));
        let first = first + u32::try_from(range.start).unwrap_or(0);
        let part = included_lines(&lines[range], file, first, lead);
        self.push("", place);
        if let Some(language) = language {
            let fence = fence_around(part.iter().map(|(line, _)| line.as_str()), '`');
            self.push(format!("{lead}{fence}{language}"), place);
            self.out.extend(part);
            self.push(format!("{lead}{fence}"), place);
        } else {
            let inner = tree.path(file).to_owned();
            self.lines(&inner, &part, depth + 1);
        }
        self.push("", place);
    }

    /// A line outside of code.
    fn line(&self, line: &str) -> String {
        let mut line = line.to_owned();
        if line.trim_start().starts_with('#') {
            line = heading(&line);
        }
        if line.contains("](") || line.contains("href=") {
            line = outside_code(&line, with_links);
        }
        line
    }
}

/// The component and the title of an alert with options of its plugin: `> [!TIP|style:flat|label:My words]`.
fn alert_with_options(text: &str) -> Option<(&'static str, &str)> {
    let inside = text.strip_prefix('>')?.trim_start().strip_prefix("[!")?;
    let (inside, _) = inside.split_once(']').filter(|(_, rest)| rest.trim().is_empty())?;
    let (kind, options) = inside.split_once('|')?;
    let component = match kind.trim().to_ascii_uppercase().as_str() {
        "NOTE" => "Note",
        "TIP" => "Tip",
        "WARNING" | "ATTENTION" | "CAUTION" => "Warning",
        "DANGER" => "Danger",
        _ => "Info",
    };
    let label = options.split('|').find_map(|option| option.trim().strip_prefix("label:"));
    Some((component, label.unwrap_or_default().trim()))
}

/// A heading without the words for Docsify behind it: `## Title :id=own`, `## Title {docsify-ignore}`.
fn heading(line: &str) -> String {
    let out = without_marks(line);
    match split_id(&out) {
        Some((title, id)) => format!("{title} {{#{id}}}"),
        None => out.trim_end().to_owned(),
    }
}

/// The words of a heading without those that only Docsify reads; `None` if it has none.
pub(super) fn heading_words(words: &str) -> Option<String> {
    let out = without_marks(words);
    let out = split_id(&out).map_or(out.as_str(), |(title, _)| title).trim_end();
    (out != words).then(|| out.to_owned())
}

fn without_marks(line: &str) -> String {
    let mut out = line.to_owned();
    for mark in
        ["<!-- {docsify-ignore-all} -->", "<!-- {docsify-ignore} -->", "{docsify-ignore-all}", "{docsify-ignore}"]
    {
        if out.contains(mark) {
            out = out.replace(mark, "");
        }
    }
    out
}

/// The words before `:id=own`, and the anchor.
fn split_id(words: &str) -> Option<(&str, &str)> {
    let (title, id) = words.split_once(" :id=").or_else(|| words.split_once(" ':id="))?;
    let id = id.split_whitespace().next()?.trim_matches('\'');
    (!id.is_empty()).then_some((title.trim_end(), id))
}

/// Where the lines stand between two comments of a name: `/// [demo]` or `### [demo]`.
fn fragment(lines: &[&str], name: &str) -> std::ops::Range<usize> {
    let is_mark = |line: &str| {
        let text = line.trim();
        let bare = text.strip_prefix("///").or_else(|| text.strip_prefix("###")).or_else(|| text.strip_prefix("<!--"));
        bare.is_some_and(|rest| rest.trim_end_matches("-->").trim() == format!("[{name}]"))
    };
    let mut marks = (0..lines.len()).filter(|at| is_mark(lines[*at]));
    match (marks.next(), marks.next()) {
        (Some(first), Some(last)) => first + 1..last,
        (Some(first), None) => first + 1..lines.len(),
        _ => 0..lines.len(),
    }
}

/// A link whose title says what it is for Docsify.
struct TitledLink<'t> {
    label: &'t str,
    target: &'t str,
    /// What stands between the quotes.
    options: &'t str,
    /// Where it ends.
    end: usize,
    is_picture: bool,
}

impl<'t> TitledLink<'t> {
    /// Reads a link that a text begins with.
    fn parse(text: &'t str) -> Option<Self> {
        let is_picture = text.starts_with('!');
        let open = usize::from(is_picture);
        let inner = text.get(open..)?.strip_prefix('[')?;
        let close = inner.find("](")?;
        let rest = inner.slice(close + 2..);
        let length = rest.find([')', '\'', '"'])?;
        let (target, options, after) = match rest.as_bytes().get(length) {
            Some(b')') => (rest.slice(..length), "", length + 1),
            Some(quote) => {
                let quoted = rest.slice(length + 1..);
                let end = quoted.find(char::from(*quote))?;
                let behind = quoted.slice(end + 1..);
                let paren = behind.find(')').filter(|at| behind.slice(..*at).trim().is_empty())?;
                (rest.slice(..length), quoted.slice(..end), length + 1 + end + 1 + paren + 1)
            }
            None => return None,
        };
        let end = open + 1 + close + 2 + after;
        Some(Self { label: inner.slice(..close), target: target.trim(), options: options.trim(), end, is_picture })
    }

    fn written(&self) -> String {
        if !self.is_picture && self.options.split(' ').any(|option| option == ":disabled") {
            return self.label.to_owned();
        }
        let address = address(self.target);
        let size = self.options.split_once(":size=").map(|(_, rest)| rest.split(' ').next().unwrap_or_default());
        if let Some(size) = size.filter(|_| self.is_picture) {
            let (width, height) = size.split_once('x').map_or((size, None), |(width, height)| (width, Some(height)));
            let height = height.map(|height| format!(" height=\"{}\"", html::attr(height))).unwrap_or_default();
            return format!(
                "<img src=\"{}\" alt=\"{}\" width=\"{}\"{height}>",
                html::attr(&address),
                html::attr(self.label),
                html::attr(width)
            );
        }
        let title = if self.options.is_empty() || self.options.starts_with(':') { "" } else { self.options };
        let title = title.split(" :").next().unwrap_or_default();
        let title = if title.is_empty() { String::new() } else { format!(" \"{}\"", title.replace('"', "'")) };
        format!("{}[{}]({address}{title})", if self.is_picture { "!" } else { "" }, self.label)
    }
}

/// Links with addresses as they are here, and without what their titles say to Docsify.
fn with_links(part: &str) -> String {
    let mut out = String::with_capacity(part.len());
    let mut rest = part;
    while let Some(at) = rest.find('[') {
        let start = if rest.slice(..at).ends_with('!') { at - 1 } else { at };
        out.push_str(rest.slice(..start));
        rest = rest.slice(start..);
        match TitledLink::parse(rest).filter(|link| !link.label.contains('[')) {
            Some(link) => {
                out.push_str(&link.written());
                rest = rest.slice(link.end..);
            }
            None => {
                let length = at - start + 1;
                out.push_str(rest.slice(..length));
                rest = rest.slice(length..);
            }
        }
    }
    out.push_str(rest);
    for quote in ['"', '\''] {
        let start = format!("href={quote}#/");
        out = out.replace(&start, &format!("href={quote}/"));
    }
    out
}

/// An address as it is here: `#/guide?id=install` is `/guide#install`.
pub(super) fn address(target: &str) -> String {
    let target = target.trim();
    let bare = target.strip_prefix("./#/").or_else(|| target.strip_prefix("#/"));
    let whole = bare.map_or_else(|| target.to_owned(), |rest| format!("/{rest}"));
    if whole.contains("://") {
        return whole;
    }
    match whole.split_once("?id=") {
        Some((path, id)) => format!("{path}#{}", id.split('&').next().unwrap_or_default()),
        None => whole,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_those_of_files() {
        for (target, expect) in [
            ("#/guide?id=install", "/guide#install"),
            ("guide.md?id=a-b", "guide.md#a-b"),
            ("?id=here", "#here"),
            ("/", "/"),
            ("#top", "#top"),
            ("https://x.y/?id=1", "https://x.y/?id=1"),
        ] {
            assert_eq!(address(target), expect);
        }
    }

    #[test]
    fn titles_that_say_what_links_are_go() {
        for (text, expect) in [
            ("[a](/b ':ignore') and [c](d.md \"Words\")", "[a](/b) and [c](d.md \"Words\")"),
            ("![x](y.png ':size=50x100')!", "<img src=\"y.png\" alt=\"x\" width=\"50\" height=\"100\">!"),
            ("![x](y.png ':size=30%')", "<img src=\"y.png\" alt=\"x\" width=\"30%\">"),
            ("[a](b 'Title :target=_blank')", "[a](b \"Title\")"),
            ("[a *b*](/c ':disabled')", "a *b*"),
            ("[x] [y](#/z?id=q) [", "[x] [y](/z#q) ["),
            ("<a href=\"#/z\">", "<a href=\"/z\">"),
        ] {
            assert_eq!(with_links(text), expect);
        }
    }

    #[test]
    fn headings_lose_the_words_for_docsify() {
        for (line, expect) in [
            ("## A {docsify-ignore}", "## A"),
            ("# A <!-- {docsify-ignore-all} -->", "# A"),
            ("### Hello :id=own", "### Hello {#own}"),
        ] {
            assert_eq!(heading(line), expect);
        }
    }

    #[test]
    fn parts_of_files_stand_between_marks() {
        let lines = ["a", "/// [demo]", "b", "/// [demo]", "c"];
        assert_eq!(fragment(&lines, "demo"), 2..3);
        assert_eq!(fragment(&lines, "none"), 0..5);
    }
}
