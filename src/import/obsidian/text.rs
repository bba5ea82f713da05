//! A note as Markdown.

use base::component_line::{closing_component_line, opening};
use base::cut::SliceText as _;
use base::extension::is_markdown;
use base::lines::{PlacedLines, Verbatim, fence_of, outside_code, starts_item};
use base::{Place, Problem};
use load::tool::RenderedText;
use site::front_matter::split_front_matter;

use super::ObsidianNotes;
use super::callout::parse_callout;
use super::embed::find_part;
use super::links::{WikiLink, rewrite_links};

/// Most notes inside each other, and bytes of notes that one page shows.
const MAX_EMBED_DEPTH: usize = 5;
const MAX_EMBEDDED_BYTES: usize = 4 << 20;

/// The lines of a page.
pub(super) fn rewrite_note(
    notes: &ObsidianNotes,
    text: &RenderedText<'_>,
    problems: &mut Vec<Problem>,
) -> Option<PlacedLines> {
    let lines = text.body.split('\n').zip(text.start.line..);
    let lines: PlacedLines =
        lines.map(|(line, number)| (line.to_owned(), Place { line: number, ..text.start })).collect();
    let mut writer = NoteWriter {
        notes,
        text,
        problems,
        out: PlacedLines::with_capacity(lines.len()),
        footnotes: Vec::new(),
        embedded_bytes: 0,
    };
    writer.note(text.site.tree.path(text.file), &lines, 0);
    for (line, place) in std::mem::take(&mut writer.footnotes) {
        writer.out.extend([(String::new(), place), (line, place)]);
    }
    Some(writer.out)
}

struct NoteWriter<'a, 'p> {
    notes: &'a ObsidianNotes,
    text: &'a RenderedText<'a>,
    problems: &'p mut Vec<Problem>,
    out: PlacedLines,
    /// Those that stand among words, as they stand below.
    footnotes: PlacedLines,
    embedded_bytes: usize,
}

/// What lines stand in.
#[derive(Default)]
struct NoteState {
    verbatim: Verbatim,
    comment: bool,
    formula: bool,
}

impl NoteWriter<'_, '_> {
    /// Writes lines of a note; recursion is bounded by the depth of quotes and of notes in each other.
    fn note(&mut self, path: &str, lines: &[(String, Place)], depth: usize) {
        let mut inside = NoteState::default();
        let mut at = 0;
        while at < lines.len() {
            let (line, place) = &lines[at];
            let text = line.trim_start_matches([' ', '\t', '>']);
            let code = if starts_item(text) {
                text.trim_start_matches(|c: char| c.is_ascii_digit() || " \t-*+.)".contains(c))
            } else {
                text
            };
            let is_begun = inside.verbatim.is_in_fence();
            if !inside.comment && inside.verbatim.takes(code) {
                if !is_begun {
                    self.tell_query(code, *place);
                }
                self.out.push((line.clone(), *place));
                at += 1;
                continue;
            }
            if let Some(end) = self.callout(path, lines, at, depth).filter(|_| !inside.comment) {
                at = end;
                continue;
            }
            let line = without_comments(line, &mut inside.comment);
            let marks = line.matches("$$").count();
            if inside.formula || marks % 2 == 1 {
                inside.formula ^= marks % 2 == 1;
                self.out.push((line, *place));
            } else if !self.embed(path, &line, *place, depth) {
                let next = lines.get(at + 1).map_or("", |(line, _)| line.as_str());
                let line = self.line(path, &line, next, *place);
                self.out.push((line, *place));
            }
            at += 1;
        }
    }

    /// Says that a block of code is a query, whose results only Obsidian and its plugins know.
    fn tell_query(&mut self, fence: &str, place: Place) {
        const QUERIES: [&str; 8] =
            ["dataview", "dataviewjs", "tasks", "query", "base", "button", "tracker", "folder-overview"];
        let Some((_, _, info)) = fence_of(fence) else { return };
        let language = info.split([' ', '{']).next().unwrap_or_default();
        if QUERIES.contains(&language) {
            self.problems.push(Problem::new("query-block", format!(
                    "a block of `{language}` is a query, whose results are not known here; it is shown as it is written"
                ), place).hint("write the results on the page"));
        }
    }

    /// Writes a quote that is a box; gives the line behind it.
    fn callout(&mut self, path: &str, lines: &[(String, Place)], at: usize, depth: usize) -> Option<usize> {
        let (line, place) = &lines[at];
        let text = line.trim_start();
        let lead = line.slice(..line.len() - text.len());
        let callout = parse_callout(text.strip_prefix('>')?)?;
        let unquoted = |line: &str| {
            let rest = line.trim_start().strip_prefix('>')?;
            Some(format!("{lead}{}", rest.strip_prefix(' ').unwrap_or(rest)))
        };
        let inside: PlacedLines =
            lines[at + 1..].iter().map_while(|(line, place)| Some((unquoted(line)?, *place))).collect();
        let title = outside_code(&callout.shown_title(), |part| rewrite_links(&self.notes.vault, path, part));
        let is_open = if callout.fold == Some(true) { "true" } else { "" };
        let (component, props) = match callout.fold {
            None => (callout.component, vec![("title", title.as_str())]),
            Some(_) => ("Accordion", vec![("title", title.as_str()), ("defaultOpen", is_open)]),
        };
        let props: Vec<(&str, &str)> = props.into_iter().filter(|(_, value)| !value.is_empty()).collect();
        self.out.push((String::new(), *place));
        self.out.push((format!("{lead}{}", opening(component, &props)), *place));
        self.note(path, &inside, depth);
        let last = inside.last().map_or(*place, |(_, place)| *place);
        self.out.push((format!("{lead}{}", closing_component_line()), last));
        self.out.push((String::new(), last));
        Some(at + 1 + inside.len())
    }

    /// Writes the note that a line consists of; whether it does.
    fn embed(&mut self, path: &str, line: &str, place: Place, depth: usize) -> bool {
        let text = line.trim();
        let Some(inside) = text.strip_prefix("![[").and_then(|rest| rest.strip_suffix("]]")) else { return false };
        if inside.contains("]]") {
            return false;
        }
        let link = WikiLink::parse(inside);
        let vault = &self.notes.vault;
        let found = if link.target.is_empty() { Some(path) } else { vault.find(path, link.target) };
        // files are shown in the line, and so are the names of those that are not there
        let Some(found) = found.filter(|found| is_markdown(found)).map(str::to_owned) else { return false };
        let lead = line.slice(..line.len() - line.trim_start().len()).to_owned();
        let tree = &self.text.site.tree;
        let file = tree.find_any(&found);
        let text = file.filter(|_| depth < MAX_EMBED_DEPTH).and_then(|file| tree.text(file)).unwrap_or_default();
        self.embedded_bytes += text.len();
        let split = split_front_matter(&text);
        let lines: Vec<&str> = text.slice(split.body_offset..).lines().collect();
        let part = find_part(&lines, link.fragment);
        let (Some(range), Some(file), true) =
            (part, file, self.embedded_bytes <= MAX_EMBEDDED_BYTES && !text.is_empty())
        else {
            self.problems.push(
                Problem::new(
                    "include-unread",
                    format!("`{inside}` cannot be shown here; its name stands in its place"),
                    place,
                )
                .hint("correct the name of the note, heading or block"),
            );
            return false;
        };
        let first = split.body_line + u32::try_from(range.start).unwrap_or(0);
        let numbered = lines[range].iter().zip(first..);
        let part: PlacedLines =
            numbered.map(|(line, number)| (format!("{lead}{line}"), Place { file, line: number, column: 1 })).collect();
        self.out.push((String::new(), place));
        self.note(&found, &part, depth + 1);
        self.out.push((String::new(), place));
        true
    }

    /// A line outside of code.
    fn line(&mut self, path: &str, line: &str, next: &str, place: Place) -> String {
        let footnotes = &mut self.footnotes;
        let vault = &self.notes.vault;
        let mut out = outside_code(line, |part| {
            let part = with_footnotes(part, footnotes, place);
            let part =
                if part.contains("[[") || part.contains("![") { rewrite_links(vault, path, &part) } else { part };
            if part.contains("==") { with_highlights(&part) } else { part }
        });
        if let Some(task) = other_task(&out) {
            out = task;
        }
        if let Some((before, id)) = block_id(&out) {
            out = format!("{before}<a id=\"{id}\"></a>");
        }
        if self.notes.breaks_lines && goes_on(line, next) {
            out = format!("{}  ", out.trim_end());
        }
        out
    }
}

/// An item with a sign of its own between its brackets, which is one that is done: `- [-] words`.
fn other_task(line: &str) -> Option<String> {
    let text = line.trim_start_matches([' ', '\t', '>']);
    let lead = line.slice(..line.len() - text.len());
    let (mark, rest) = text.split_once(" [").filter(|_| starts_item(text))?;
    let (sign, words) = rest.split_once("] ")?;
    let is_sign = sign.chars().count() == 1 && !matches!(sign, " " | "x" | "X");
    let is_mark =
        matches!(mark, "-" | "*" | "+") || mark.trim_end_matches(['.', ')']).bytes().all(|b| b.is_ascii_digit());
    (is_sign && is_mark).then(|| format!("{lead}{mark} [x] {words}"))
}

/// A line without what stands between `%%` and `%%`, which may begin and end in other lines.
fn without_comments(line: &str, is_open: &mut bool) -> String {
    if !*is_open && !line.contains("%%") {
        return line.to_owned();
    }
    let mut out = String::new();
    let mut rest = line;
    loop {
        if *is_open {
            let Some((_, after)) = rest.split_once("%%") else { return out };
            (*is_open, rest) = (false, after);
            continue;
        }
        // not in code
        let at = rest
            .match_indices("%%")
            .map(|(at, _)| at)
            .find(|at| rest.slice(..*at).matches('`').count().is_multiple_of(2));
        let Some(at) = at else { return out + rest };
        out.push_str(rest.slice(..at));
        (*is_open, rest) = (true, rest.slice(at + 2..));
    }
}

/// `^[words]` as a mark, with the words among the notes below the page.
fn with_footnotes(part: &str, footnotes: &mut PlacedLines, place: Place) -> String {
    let mut out = String::with_capacity(part.len());
    let mut rest = part;
    while let Some(at) = rest.find("^[") {
        let Some(length) = closing_bracket(rest.slice(at + 2..)) else { break };
        let name = format!("inline-{}", footnotes.len() + 1);
        out.push_str(&format!("{}[^{name}]", rest.slice(..at)));
        footnotes.push((format!("[^{name}]: {}", rest.slice(at + 2..at + 2 + length)), place));
        rest = rest.slice(at + 3 + length..);
    }
    out + rest
}

/// Where the bracket stands that closes one before the text.
fn closing_bracket(text: &str) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' if depth == 0 => return Some(at),
            ']' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// `==words==` as marked words.
fn with_highlights(part: &str) -> String {
    let mut out = String::with_capacity(part.len());
    let mut rest = part;
    while let Some(at) = rest.find("==") {
        let inner = rest.slice(at + 2..);
        let is_start = !inner.starts_with(|c: char| c.is_whitespace() || c == '=') && !rest.slice(..at).ends_with('=');
        let end =
            inner.find("==").filter(|end| is_start && *end > 0 && !inner.slice(..*end).ends_with(char::is_whitespace));
        let Some(end) = end else {
            out.push_str(rest.slice(..at + 2));
            rest = inner;
            continue;
        };
        out.push_str(&format!("{}<mark>{}</mark>", rest.slice(..at), inner.slice(..end)));
        rest = inner.slice(end + 2..);
    }
    out + rest
}

/// The name of the block that a line ends with: `^name`; and the line before it.
fn block_id(line: &str) -> Option<(&str, &str)> {
    let text = line.trim_end();
    let (before, id) = text.rsplit_once(' ').unwrap_or(("", text));
    let name = id.strip_prefix('^')?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    is_name.then_some((text.slice(..before.len() + usize::from(!before.is_empty())), id))
}

/// Whether a paragraph goes on behind a line.
fn goes_on(line: &str, next: &str) -> bool {
    let quotes =
        |text: &str| text.bytes().take_while(|byte| matches!(byte, b' ' | b'>')).filter(|byte| *byte == b'>').count();
    let (depth, more) = (quotes(line), quotes(next));
    let (line, next) = (line.trim_start_matches([' ', '>']).trim_end(), next.trim_start_matches([' ', '>']).trim_end());
    let is_other = |text: &str| text.is_empty() || text.starts_with(['#', '|', '<', '`', '~', '$', '%']);
    let begins = starts_item(next) || is_other(next) || next.starts_with("---") || next.starts_with("===");
    depth == more && !is_other(line) && !begins
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_left_out() {
        let mut is_open = false;
        let lines = ["a %%b%% c", "x %% y", "gone", "z %% w", "`%%` 100%% `d`"];
        let shown: Vec<String> = lines.iter().map(|line| without_comments(line, &mut is_open)).collect();
        assert_eq!(shown, ["a  c", "x ", "", " w", "`%%` 100"]);
        assert!(is_open);
    }

    #[test]
    fn words_are_marked() {
        for (text, expect) in [
            ("a ==b c== d", "a <mark>b c</mark> d"),
            ("a == b, c == d", "a == b, c == d"),
            ("a === b", "a === b"),
            ("==a====b==", "<mark>a</mark><mark>b</mark>"),
        ] {
            assert_eq!(with_highlights(text), expect);
        }
    }

    #[test]
    fn blocks_have_names() {
        assert_eq!(block_id("Words here ^a-1"), Some(("Words here ", "^a-1")));
        assert_eq!(block_id("^t"), Some(("", "^t")));
        for text in ["2 ^ 3", "x^2", "words ^no_name", ""] {
            assert_eq!(block_id(text), None, "{text}");
        }
    }

    #[test]
    fn lines_of_a_paragraph_end_where_they_end() {
        for (line, next, expect) in [
            ("one", "two", true),
            ("- one", "  two", true),
            ("> one", "> two", true),
            ("> one", "two", false),
            ("one", "- two", false),
            ("# One", "two", false),
            ("| a |", "| b |", false),
            ("one", "", false),
            ("one\r", "\r", false),
            ("one", "===", false),
        ] {
            assert_eq!(goes_on(line, next), expect, "{line} / {next}");
        }
    }

    #[test]
    fn footnotes_stand_below() {
        let mut notes = PlacedLines::new();
        let text = with_footnotes("a^[b [c](d)] e^[f]", &mut notes, Place::default());
        assert_eq!(text, "a[^inline-1] e[^inline-2]");
        assert_eq!(notes[0].0, "[^inline-1]: b [c](d)");
    }
}
