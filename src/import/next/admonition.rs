//! Boxes between lines of colons, which plugins of Fumadocs and Nextra read: `:::warning[Title]` to `:::`.

use base::html;
use base::lines::{PlacedLines, Verbatim};

/// Kinds of boxes, and the component of each.
const KINDS: [(&str, &str); 12] = [
    ("note", "Note"),
    ("info", "Info"),
    ("tip", "Tip"),
    ("idea", "Tip"),
    ("success", "Check"),
    ("important", "Info"),
    ("warn", "Warning"),
    ("warning", "Warning"),
    ("caution", "Warning"),
    ("danger", "Danger"),
    ("error", "Danger"),
    ("alert", "Warning"),
];

/// Lines with components in the places of boxes. What opens no box that is closed stays as it is.
pub(super) fn admonitions(lines: PlacedLines) -> PlacedLines {
    let mut out = PlacedLines::with_capacity(lines.len());
    let mut verbatim = Verbatim::default();
    // where the boxes begin that are open, in `out`
    let mut open: Vec<(usize, &str)> = Vec::new();
    for (line, place) in lines {
        let text = line.trim_start();
        if verbatim.takes(text) {
            out.push((line, place));
            continue;
        }
        let lead = line.get(..line.len() - text.len()).unwrap_or_default();
        let rest = text.trim_start_matches(':');
        let colons = text.len() - rest.len();
        if colons < 3 {
            out.push((line, place));
        } else if rest.trim().is_empty() {
            match open.pop() {
                Some((at, component)) => {
                    let written = (format!("{lead}</{component}>"), place);
                    let title = out.get(at).map(|(line, _)| opening_tag(component, line)).unwrap_or_default();
                    if let Some((line, _)) = out.get_mut(at) {
                        *line = title;
                    }
                    out.extend([(String::new(), place), written, (String::new(), place)]);
                }
                None => out.push((line, place)),
            }
        } else if let Some((_, component)) = KINDS.iter().find(|(kind, _)| kind_of(rest).eq_ignore_ascii_case(kind)) {
            out.push((String::new(), place));
            open.push((out.len(), component));
            out.extend([(line, place), (String::new(), place)]);
        } else {
            out.push((line, place));
        }
    }
    out
}

fn kind_of(rest: &str) -> &str {
    rest.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default()
}

/// The tag of a component, by the line of colons: `:::tip[Title]`, `:::tip Title`, `:::tip{title="Title"}`.
fn opening_tag(component: &str, line: &str) -> String {
    let text = line.trim_start();
    let lead = line.get(..line.len() - text.len()).unwrap_or_default();
    let rest = text.trim_start_matches(':');
    let words = rest.get(kind_of(rest).len()..).unwrap_or_default().trim();
    let title = match words.strip_prefix('[').and_then(|inside| inside.rsplit_once(']')) {
        Some((title, _)) => title.to_owned(),
        None if words.starts_with('{') || words.starts_with("title=") => {
            crate::attribute::find_attribute(words.trim_matches(['{', '}']), "title").unwrap_or_default()
        }
        None => words.to_owned(),
    };
    if title.is_empty() {
        format!("{lead}<{component}>")
    } else {
        format!("{lead}<{component} title=\"{}\">", html::attr(&title))
    }
}

#[cfg(test)]
mod tests {
    use base::Place;

    use super::*;

    #[test]
    fn boxes_are_components() {
        let written = |text: &str| {
            let lines = text.lines().map(|line| (line.to_owned(), Place::default())).collect();
            let lines = admonitions(lines).into_iter().map(|(line, _)| line).filter(|line| !line.is_empty());
            lines.collect::<Vec<_>>().join("/")
        };
        for (text, expect) in [
            (":::tip\na\n:::", "<Tip>/a/</Tip>"),
            ("  :::warn[Not \"now\"]\n  a\n  :::", "  <Warning title=\"Not &quot;now&quot;\">/  a/  </Warning>"),
            (
                "::::info{title=\"A b\"}\n:::danger Hot\na\n:::\n::::",
                "<Info title=\"A b\">/<Danger title=\"Hot\">/a/</Danger>/</Info>",
            ),
            (":::warn title=\"Take care\"\na\n:::", "<Warning title=\"Take care\">/a/</Warning>"),
            (":::tip\nnever closed", ":::tip/never closed"),
            (":::other\na\n:::", ":::other/a/:::"),
            ("```\n:::tip\n:::\n```", "```/:::tip/:::/```"),
        ] {
            assert_eq!(written(text), expect, "{text}");
        }
    }
}
