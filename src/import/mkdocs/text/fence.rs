//! Fenced code, whose options stand behind the language or in a list of attributes.

use base::cut::SliceText as _;
use base::lines::fence_of;

use super::attributes::{self, AttributeList};
use super::block::MkDocsWriter;
use super::lines::{BlockLine, INDENT, Out, raw};

impl MkDocsWriter<'_> {
    pub(super) fn fence(&mut self, lines: &[BlockLine<'_>], at: usize, out: &mut Vec<Out>) -> Option<usize> {
        let indent = lines[at].indent();
        let (mark, width, info) = fence_of(lines[at].text.trim_start()).filter(|_| indent < INDENT)?;
        let ends = |line: &BlockLine<'_>| {
            let found = fence_of(line.text.trim_start());
            let is_end = found.is_some_and(|(other, marks, info)| other == mark && marks == width && info.is_empty());
            // deeper ones are those of code that is shown
            is_end && line.indent() < indent + INDENT
        };
        let end = lines[at + 1..].iter().position(ends).map_or(lines.len(), |end| at + 1 + end);
        let code = without_blank_ends(&lines[at + 1..end]);
        // a longer row of the same marks is code to Python-Markdown
        let longest =
            code.iter().filter_map(|line| fence_of(line.text.trim_start())).filter(|(other, ..)| *other == mark);
        let width = longest.map(|(_, marks, _)| marks + 1).max().unwrap_or(0).max(width);
        let marks = char::from(mark).to_string().repeat(width);
        let own = info_of(info);
        out.push(raw(lines[at], &format!("{marks}{own}")));
        let has_notes = self.syntax.annotations || attributes_of(info).has_class("annotate");
        let notes = self.notes_below(&lines[(end + 1).min(lines.len())..]).filter(|_| has_notes);
        let is_marked = self.code_with_notes(code, indent, own.split(' ').next().unwrap_or_default(), notes, out);
        self.notes = notes.filter(|_| is_marked).map(|(list, _)| list);
        let last = lines[end.min(lines.len() - 1)];
        out.push(raw(last, &marks));
        Some((end + 1).min(lines.len()))
    }
}

/// Code without blank lines at either end, which Pygments takes away.
fn without_blank_ends<'l, 's>(code: &'l [BlockLine<'s>]) -> &'l [BlockLine<'s>] {
    let first = code.iter().position(|line| !line.is_blank()).unwrap_or(code.len());
    let end = code.iter().rposition(|line| !line.is_blank()).map_or(first, |last| last + 1);
    code.get(first..end).unwrap_or_default()
}

/// The list of attributes in an info string.
fn attributes_of(info: &str) -> AttributeList {
    info.find('{').and_then(|open| attributes::leading(info.slice(open..))).map(|(found, _)| found).unwrap_or_default()
}

/// The info string of a block as this program reads it: the language, then options.
fn info_of(info: &str) -> String {
    let (lang, options) = match info.find('{') {
        Some(open) => {
            let before = info.slice(..open);
            let found = attributes_of(info);
            let mut words = before.split_whitespace();
            let (lang, first) = match words.next() {
                // `title="x" { .yaml }`
                Some(word) if word.contains('=') => (None, before),
                word => (word, before.trim_start().split_once(' ').map_or("", |(_, rest)| rest)),
            };
            let lang = lang.map(str::to_owned).or_else(|| found.classes.first().cloned()).unwrap_or_default();
            let mut options = parse_quoted_pairs(first);
            options.extend(found.values);
            (lang, options)
        }
        None => {
            let (lang, rest) = info.split_once(char::is_whitespace).unwrap_or((info, ""));
            if lang.contains('=') {
                (String::new(), parse_quoted_pairs(info))
            } else {
                (lang.to_owned(), parse_quoted_pairs(rest))
            }
        }
    };
    let mut out = lang.trim_start_matches('.').to_owned();
    for (name, value) in options {
        let is_known = matches!(name.as_str(), "title" | "hl_lines" | "linenums");
        let is_off = name == "linenums" && matches!(value.as_str(), "" | "0" | "False" | "false");
        if is_known && !is_off && !value.is_empty() {
            // options without a language would be read as one
            if out.is_empty() {
                out.push_str("text");
            }
            out.push_str(&format!(" {name}=\"{}\"", value.replace('"', "'")));
        }
    }
    out
}

/// `name="value"` as often as it stands in a text.
fn parse_quoted_pairs(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = text.trim();
    while let Some((name, value)) = rest.split_once('=') {
        let name = name.trim().rsplit(' ').next().unwrap_or_default();
        let (value, after) = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => value.slice(1..).split_once(quote).unwrap_or((value.slice(1..), "")),
            _ => value.split_once(' ').unwrap_or((value, "")),
        };
        found.push((name.to_owned(), value.to_owned()));
        rest = after;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_stand_behind_the_language() {
        for (info, expect) in [
            ("", ""),
            ("python", "python"),
            (
                "py title=\"a b.py\" hl_lines=\"1 3-4\" linenums=\"1\"",
                "py title=\"a b.py\" hl_lines=\"1 3-4\" linenums=\"1\"",
            ),
            ("{ .yaml .annotate title=\"a b\" }", "yaml title=\"a b\""),
            ("yaml { .annotate linenums=0 }", "yaml"),
            ("title=\".env\"", "text title=\".env\""),
            ("{.python #id}", "python"),
            ("sh { title='say \"x\"' }", "sh title=\"say 'x'\""),
        ] {
            assert_eq!(info_of(info), expect, "{info}");
        }
    }
}
