//! Display formulas of plain Markdown that hold an empty line, at which the parser would end them: they become blocks of
//! code whose language is `math`, as GitHub has them.

use base::Place;
use base::cut::SliceText as _;
use base::lines::{PlacedLines, Verbatim, fence_around, starts_item};

/// The mark around a formula.
const MARK: &str = "$$";

/// The first line of a formula that goes on behind its mark, as authors write it in LaTeX.
const BEGIN: &str = "$$\\begin{";

/// The lines with blocks of code in the place of such formulas; `None` if there are none.
/// `written` stand in for the text, which begins at `start`.
pub(super) fn fence_formulas(text: &str, start: Place, written: Option<&[(String, Place)]>) -> Option<PlacedLines> {
    let has_mark = |text: &str| memchr::memmem::find(text.as_bytes(), MARK.as_bytes()).is_some();
    let lines: Vec<(&str, Place)> = match written {
        Some(lines) if lines.iter().any(|(line, _)| has_mark(line)) => {
            lines.iter().map(|(line, place)| (line.as_str(), *place)).collect()
        }
        None if has_mark(text) => {
            text.split('\n').zip(start.line..).map(|(text, line)| (text, Place { line, ..start })).collect()
        }
        _ => return None,
    };
    let mut verbatim = Verbatim::default();
    let mut out: Option<PlacedLines> = None;
    let (mut at, mut has_items) = (0, false);
    while let Some((line, _)) = lines.get(at).copied() {
        let content = content_of(line);
        has_items |= starts_item(line.trim_start_matches([' ', '\t', '>']));
        let is_code = verbatim.takes(content);
        let end = if is_code { None } else { formula_end(&lines[at..], has_items) };
        let length = end.map_or(0, |(length, _)| length);
        let formula = &lines[at..=at + length];
        if !end.is_some_and(|(_, has_blank)| has_blank) {
            // the parser reads it, or it is none
            if let Some(out) = &mut out {
                out.extend(formula.iter().map(|(line, place)| ((*line).to_owned(), *place)));
            }
            at += length + 1;
            continue;
        }
        let written =
            out.get_or_insert_with(|| lines[..at].iter().map(|(line, place)| ((*line).to_owned(), *place)).collect());
        push_fenced(formula, written);
        at += length + 1;
    }
    out
}

/// A line without the marks of the quotes and the item that it begins.
fn content_of(line: &str) -> &str {
    let rest = line.trim_start_matches([' ', '\t', '>']);
    if !starts_item(rest) {
        return rest;
    }
    rest.split_once([' ', '\t']).map_or("", |(_, content)| content.trim_start())
}

/// How many lines behind the first the formula ends that begins with these lines, and whether it has an empty line;
/// `None` if none begins there.
fn formula_end(lines: &[(&str, Place)], has_items: bool) -> Option<(usize, bool)> {
    /// Longest formula, lines.
    const MAX_FORMULA_LINES: usize = 400;
    let (first, _) = lines.first()?;
    let content = content_of(first).trim_end();
    if !(content == MARK || content.starts_with(BEGIN) && !content.slice(MARK.len()..).contains(MARK)) {
        return None;
    }
    let column = first.len() - content_of(first).len();
    let quotes =
        |line: &str| line.slice(..line.len() - line.trim_start_matches([' ', '\t', '>']).len()).matches('>').count();
    if column >= 4 && !has_items && quotes(first) == 0 {
        return None;
    }
    let mut has_blank = false;
    for (number, (line, _)) in lines.iter().enumerate().skip(1).take(MAX_FORMULA_LINES) {
        let text = line.trim_start_matches([' ', '\t', '>']).trim_end();
        if text.is_empty() {
            has_blank = true;
            continue;
        }
        // what stands less deep is no part of the item
        let is_outside =
            quotes(line) != quotes(first) || line.len() - line.trim_start_matches([' ', '\t', '>']).len() < column;
        if is_outside || text.starts_with("```") || text.starts_with("~~~") {
            return None;
        }
        if let Some(before) = text.strip_suffix(MARK) {
            return (!before.contains(MARK)).then_some((number, has_blank));
        }
    }
    None
}

/// Writes the lines of a formula as a block of code.
fn push_fenced(formula: &[(&str, Place)], out: &mut PlacedLines) {
    let [(first, place), inside @ .., (last, end)] = formula else { return };
    let lead = first.slice(..first.len() - content_of(first).len());
    // below the mark of an item
    let below: String = lead.chars().map(|c| if c == '>' || c == '\t' { c } else { ' ' }).collect();
    let fence = fence_around(formula.iter().map(|(line, _)| content_of(line)), '`');
    out.push((format!("{lead}{fence}math"), *place));
    let opening = content_of(first).trim_end().slice(MARK.len()..).trim();
    if !opening.is_empty() {
        out.push((format!("{below}{opening}"), *place));
    }
    out.extend(inside.iter().map(|(line, place)| ((*line).to_owned(), *place)));
    let before = last.trim_end();
    let before = before.slice(..before.len() - MARK.len());
    if !before.trim_matches([' ', '\t', '>']).is_empty() {
        out.push((before.to_owned(), *end));
    }
    out.push((format!("{below}{fence}"), *end));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fenced(text: &str) -> Option<String> {
        let lines = fence_formulas(text, Place::default(), None)?;
        Some(lines.into_iter().map(|(line, _)| line).collect::<Vec<_>>().join("\n"))
    }

    #[test]
    fn formulas_with_empty_lines_are_code() {
        let check = |text: &str, expect: &str| assert_eq!(fenced(text).as_deref(), Some(expect), "{text}");
        check("$$\na\n\nb\n$$\nc", "```math\na\n\nb\n```\nc");
        check("$$\\begin{x}\na\n\n\\end{x}$$", "```math\n\\begin{x}\na\n\n\\end{x}\n```");
        check("- $$\n  a\n\n  b\n  $$", "- ```math\n  a\n\n  b\n  ```");
        check("> $$\n> a\n>\n> b\n> $$", "> ```math\n> a\n>\n> b\n> ```");
        for text in ["$$\na\n$$\n\n$$\nb\n$$", "```\n$$\n\n$$\n```", "costs $$\n\nor $$", "- $$\n\nb\n\n$$", "$$\n\na"]
        {
            assert_eq!(fenced(text), None, "{text}");
        }
    }
}
