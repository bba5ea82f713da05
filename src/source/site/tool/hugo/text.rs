//! A text of Hugo as Markdown: shortcodes are written, titles of alerts and options of fences are those of this
//! program.

use crate::base::lines::fence_of;
use crate::base::{Place, component_line};
use crate::source::site::tool::{PageText, TextProblem};

use super::Settings;
use super::shortcode::{self, Piece};
use super::write::Writer;

/// The lines of a page; `None` if nothing in them has to change.
pub(super) fn rewrite(
    settings: &Settings,
    text: &PageText<'_>,
    problems: &mut Vec<TextProblem>,
) -> Option<Vec<(String, Place)>> {
    let is_html = !crate::source::site::inventory::is_markdown(text.site.tree.path(text.file));
    let is_likely = ["{{<", "{{%", "[!", "```", "~~~"].iter().any(|mark| text.body.contains(mark));
    if !is_html && !is_likely {
        return None;
    }
    let mut writer = Writer::new(settings, text, problems);
    match shortcode::pieces(text.body) {
        Some(pieces) => writer.pieces(&pieces),
        None => writer.pieces(&[Piece::Text(text.body, 0)]),
    }
    let lines = writer.finish();
    let lines = if is_html { of_html(lines) } else { lines };
    Some(with_alerts(lines))
}

/// HTML in which no line is taken for code, and none ends a block.
fn of_html(lines: Vec<(String, Place)>) -> Vec<(String, Place)> {
    let lines = lines.into_iter().map(|(line, place)| (line.trim().to_owned(), place));
    lines.filter(|(line, _)| !line.is_empty()).collect()
}

/// Alerts with a title of their own: `> [!NOTE] Title`, `> [!TIP]- Folded`.
fn with_alerts(lines: Vec<(String, Place)>) -> Vec<(String, Place)> {
    let mut out = Vec::with_capacity(lines.len());
    let mut fence = Fence::default();
    let mut at = 0;
    while at < lines.len() {
        let (line, place) = &lines[at];
        let is_code = fence.takes(line);
        let Some((kind, is_folded, title)) = alert(line).filter(|_| !is_code) else {
            out.push((line.clone(), *place));
            at += 1;
            continue;
        };
        let indent = &line[..line.len() - line.trim_start().len()];
        let (component, own) = component_of(kind);
        let title = if title.is_empty() { own } else { title };
        let name = if is_folded { "Accordion" } else { component };
        out.push((String::new(), *place));
        out.push((format!("{indent}{}", component_line::opening(name, &[("title", title)])), *place));
        at += 1;
        while let Some((rest, place)) =
            lines.get(at).and_then(|(line, place)| Some((line.trim_start().strip_prefix('>')?, place)))
        {
            out.push((format!("{indent}{}", rest.strip_prefix(' ').unwrap_or(rest)), *place));
            at += 1;
        }
        out.push((format!("{indent}{}", component_line::closing()), *place));
        out.push((String::new(), *place));
    }
    out
}

/// The kind, whether it is folded, and the title of an alert that is more than GitHub's.
fn alert(line: &str) -> Option<(&str, bool, &str)> {
    let rest = line.trim_start().strip_prefix('>')?.trim_start().strip_prefix("[!")?;
    let (kind, rest) = rest.split_once(']')?;
    let is_folded = rest.starts_with(['-', '+']);
    let title = rest.trim_start_matches(['-', '+']).trim();
    let is_githubs =
        ["note", "tip", "important", "warning", "caution"].iter().any(|known| kind.eq_ignore_ascii_case(known));
    let is_word = !kind.is_empty() && kind.chars().all(|c| c.is_alphanumeric() || c == '-');
    (is_word && (!title.is_empty() || is_folded || !is_githubs)).then_some((kind, is_folded, title))
}

/// The component of a kind of box, and what such a box is called where its kind says more than the component.
pub(super) fn component_of(kind: &str) -> (&'static str, &str) {
    match kind.to_lowercase().as_str() {
        "note" | "primary" | "secondary" | "default" | "light" | "dark" | "grey" | "gray" => ("Note", ""),
        "abstract" | "summary" | "quote" | "cite" | "example" => ("Note", kind),
        "info" => ("Info", ""),
        "important" | "question" | "todo" => ("Info", if kind.eq_ignore_ascii_case("important") { "" } else { kind }),
        "tip" | "hint" => ("Tip", ""),
        "success" | "check" | "ok" => ("Check", ""),
        "warning" | "caution" | "attention" => ("Warning", ""),
        "danger" | "error" | "bug" | "failure" | "critical" => ("Danger", ""),
        _ => ("Note", ""),
    }
}

/// Follows lines into fenced code.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fence {
    open: Option<(u8, usize)>,
}

impl Fence {
    /// Whether a block is open.
    pub(super) fn is_open(self) -> bool {
        self.open.is_some()
    }

    /// Whether a line is code or opens or closes such a block.
    pub(super) fn takes(&mut self, line: &str) -> bool {
        let text = line.trim_start_matches([' ', '\t', '>']);
        let text = text.strip_prefix(['-', '*', '+']).filter(|rest| rest.starts_with(' ')).unwrap_or(text).trim_start();
        let found = fence_of(text);
        let Some((mark, least)) = self.open else {
            self.open = found.map(|(mark, width, _)| (mark, width));
            return self.is_open();
        };
        if found.is_some_and(|(other, width, info)| other == mark && width >= least && info.is_empty()) {
            self.open = None;
        }
        true
    }
}

/// A line that opens a block of code, with its options as they are called here; `None` if they stay.
/// `{file="a.toml" hl_lines=[2,"4-6"] linenos=table}`.
pub(super) fn fence_line(line: &str) -> Option<String> {
    let start = line.find("```").or_else(|| line.find("~~~"))?;
    let marks = line[start..].chars().take_while(|c| matches!(c, '`' | '~')).count();
    let (head, info) = line.split_at(start + marks);
    let open = info.find('{')?;
    let inside = info[open + 1..].trim_end().strip_suffix('}')?;
    if !inside.contains('=') {
        return None;
    }
    let lang = info[..open].trim();
    Some(format!("{head}{lang} {}", fence_options(inside)))
}

/// Options of code as they are called here.
pub(super) fn fence_options(options: &str) -> String {
    let mut out = Vec::new();
    for (name, value) in options_of(options) {
        match name.to_lowercase().as_str() {
            "file" | "filename" | "title" | "name" => out.push(format!("title=\"{}\"", value.replace('"', "'"))),
            "hl_lines" => {
                let numbers: Vec<&str> = value
                    .split(|c: char| !(c.is_ascii_digit() || c == '-'))
                    .filter(|number| !number.is_empty())
                    .collect();
                if !numbers.is_empty() {
                    out.push(format!("highlight={{{}}}", numbers.join(",")));
                }
            }
            "linenos" if value != "false" => out.push("lines".to_owned()),
            _ => {}
        }
    }
    out.join(" ")
}

/// Names and values, between commas or spaces; values may be quoted or lists.
fn options_of(text: &str) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('=') {
        let name = rest[..at].rsplit([' ', ',', '\t']).next().unwrap_or_default().trim().to_owned();
        let value = rest[at + 1..].trim_start();
        let (value, after) = match value.chars().next() {
            Some('"') => value[1..].split_once('"').unwrap_or((&value[1..], "")),
            Some('[') => value[1..].split_once(']').unwrap_or((&value[1..], "")),
            _ => {
                // numbers of lines stand between spaces where names follow commas
                let end = value.find([',', '}']).unwrap_or(value.len());
                value.split_at(end)
            }
        };
        out.push((name, value.trim().to_owned()));
        rest = after;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_fences() {
        let check = |line: &str, expect: &str| assert_eq!(fence_line(line).as_deref(), Some(expect), "{line}");
        check("```toml {file=\"hugo.toml\" hl_lines=[2,\"4-6\"]}", "```toml title=\"hugo.toml\" highlight={2,4-6}");
        check("  ```go {linenos=table,hl_lines=[8,\"15-17\"],linenostart=199}", "  ```go lines highlight={8,15-17}");
        assert_eq!(fence_line("```js {1,3}"), None);
        assert_eq!(fence_line("```js"), None);
        assert_eq!(fence_options("linenos=table,hl_lines=1 3-4"), "lines highlight={1,3-4}");
    }

    #[test]
    fn alerts_have_titles() {
        let lines = |text: &str| text.lines().map(|line| (line.to_owned(), Place::default())).collect::<Vec<_>>();
        let shown: Vec<String> = with_alerts(lines("> [!NOTE] Mind *this*\n> Body\n> more\n\n> [!TIP]\n> x"))
            .into_iter()
            .map(|(line, _)| line)
            .collect();
        let open = component_line::opening("Note", &[("title", "Mind *this*")]);
        assert_eq!(shown, ["", &open, "Body", "more", &component_line::closing(), "", "", "> [!TIP]", "> x"]);
    }

    #[test]
    fn fences_are_followed() {
        let mut fence = Fence::default();
        let taken = ["a", "- ```sh", "x", "~~~", "  ```", "b", "`` ` ``"].map(|line| fence.takes(line));
        assert_eq!(taken, [false, true, true, true, true, false, false]);
    }
}
