//! HTML in the labels of flowcharts. The engine writes labels as the text of a drawing, which knows no tags: bold and
//! italic words become those of a Markdown label, and other tags go.

use std::borrow::Cow;

use base::cut::{SliceText as _, cut};

/// Tags whose words stay without them.
const TAGS: [&str; 27] = [
    "a", "b", "big", "center", "code", "del", "div", "em", "font", "h1", "h2", "h3", "h4", "i", "ins", "kbd", "mark",
    "p", "s", "small", "span", "strong", "sub", "sup", "tt", "u", "var",
];

/// The source of a diagram, with labels that the engine can draw.
pub(super) fn adapt_labels(source: &str) -> Cow<'_, str> {
    let is_flowchart =
        || source.lines().map(str::trim_start).any(|line| line.starts_with("flowchart") || line.starts_with("graph"));
    if !source.contains("</") || !is_flowchart() {
        return source.into();
    }
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    while !rest.is_empty() {
        // quotes in comments open no label
        let is_comment = (out.is_empty() || out.ends_with('\n')) && rest.trim_start().starts_with("%%");
        let line = rest.find('\n').map_or(rest.len(), |at| at + 1);
        let (plain, behind) = cut(rest, if is_comment { line } else { rest.slice(..line).find('"').unwrap_or(line) });
        out.push_str(&if is_comment { plain.into() } else { strip_label_tags(plain) });
        rest = behind;
        let Some((label, behind)) = rest.strip_prefix('"').and_then(|label| label.split_once('"')) else {
            // a quote that is not closed
            if let Some(behind) = rest.strip_prefix('"') {
                out.push('"');
                rest = behind;
            }
            continue;
        };
        out.push('"');
        out.push_str(&as_markdown(label).map_or_else(|| strip_label_tags(label), Cow::Owned));
        out.push('"');
        rest = behind;
    }
    out.into()
}

/// A tag at the start of a text: its name, whether it is a closing one, and its length.
fn parse_label_tag(text: &str) -> Option<(&'static str, bool, usize)> {
    let inside = text.strip_prefix('<')?;
    let name = inside.strip_prefix('/').unwrap_or(inside);
    let end = name.find(|c: char| !c.is_ascii_alphanumeric())?;
    let known = TAGS.into_iter().find(|known| known.eq_ignore_ascii_case(name.slice(..end)))?;
    let length = text.find('>')? + 1;
    let is_tag = name.slice(end..).starts_with(['>', ' ', '/']) && !text.slice(1..length).contains('<');
    is_tag.then_some((known, inside.starts_with('/'), length))
}

/// The pieces of a text: words, and tags with what they are.
fn label_pieces(text: &str) -> impl Iterator<Item = (&str, Option<(&'static str, bool)>)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (length, found) = match parse_label_tag(rest) {
            Some((name, closes, length)) => (length, Some((name, closes))),
            None => (rest.char_indices().skip(1).find(|(_, c)| *c == '<').map_or(rest.len(), |(at, _)| at), None),
        };
        let (piece, behind) = cut(rest, length);
        rest = behind;
        Some((piece, found))
    })
}

fn strip_label_tags(text: &str) -> Cow<'_, str> {
    if !text.contains('<') {
        return text.into();
    }
    label_pieces(text).filter(|(_, tag)| tag.is_none()).map(|(piece, _)| piece).collect::<String>().into()
}

/// A label with bold or italic words as Markdown; `None` if it has none, or if its words would mean something else
/// there.
fn as_markdown(label: &str) -> Option<String> {
    if label.contains(['*', '_', '`']) {
        return None;
    }
    let (mut bold, mut italic, mut styled) = (0_u32, 0_u32, false);
    let mut out = String::from("`");
    for (piece, tag) in label_pieces(label) {
        let depth = match tag {
            Some(("b" | "strong", _)) => &mut bold,
            Some(("i" | "em", _)) => &mut italic,
            Some(_) => continue,
            None => {
                let mark = "***".slice(..usize::from(bold > 0) * 2 + usize::from(italic > 0));
                styled |= !mark.is_empty();
                push_marked(&mut out, piece, mark)?;
                continue;
            }
        };
        *depth = if tag.is_some_and(|(_, closes)| closes) { depth.saturating_sub(1) } else { *depth + 1 };
    }
    out.push('`');
    styled.then_some(out)
}

/// Appends words between marks; `None` if a reader of Markdown would take the marks for something else.
fn push_marked(out: &mut String, text: &str, mark: &str) -> Option<()> {
    // of the engine's own tags only breaks are left
    let is_break = |text: &str| text.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("<br"));
    let (line_break, words) = match text.find('>').filter(|_| is_break(text)) {
        Some(end) => cut(text, end + 1),
        None => ("", text),
    };
    out.push_str(line_break);
    let inner = words.trim();
    if inner.contains('<') || (!mark.is_empty() && !inner.is_empty() && !inner.starts_with(char::is_alphanumeric)) {
        return None;
    }
    // words that begin right behind marks, or marks behind marks
    if out.ends_with('*') && (!mark.is_empty() || words.starts_with(char::is_alphanumeric)) && !words.starts_with(' ') {
        let before = out.trim_end_matches('*').chars().next_back();
        if !mark.is_empty() || before.is_none_or(|c| !c.is_alphanumeric()) {
            return None;
        }
    }
    if mark.is_empty() || inner.is_empty() {
        out.push_str(words);
        return Some(());
    }
    let start = words.len() - words.trim_start().len();
    out.push_str(words.slice(..start));
    out.push_str(mark);
    out.push_str(inner);
    out.push_str(mark);
    out.push_str(words.slice(start + inner.len()..));
    Some(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(line: &str, expect: &str) {
        assert_eq!(adapt_labels(&format!("flowchart LR\n  {line}\n")), format!("flowchart LR\n  {expect}\n"));
    }

    #[test]
    fn bold_and_italic_words() {
        check("A --> B[\"<b>Bold</b> x\"]", "A --> B[\"`**Bold** x`\"]");
        check("A[\"a <i>it </i><br/>b\"]", "A[\"`a *it* <br/>b`\"]");
        check("A[\"<strong>a<br/>b</strong>\"] -->|\"<em>c</em>\"| B", "A[\"`**a**<br/>**b**`\"] -->|\"`*c*`\"| B");
        check("A[\"<b><i>x</i></b>\"]", "A[\"`***x***`\"]");
    }

    #[test]
    fn other_tags_and_what_markdown_would_misread_go() {
        check("A[\"<font color='red'>x</font> <code>y</code>\"]", "A[\"x y\"]");
        check("A[\"<b>a_b</b> c*d\"]", "A[\"a_b c*d\"]");
        check("A[\"<b>Note:</b>x\"]", "A[\"Note:x\"]");
        check("A[\"<b>a</b><i>b</i>\"]", "A[\"ab\"]");
        check("A[x <b>y</b>]", "A[x y]");
        check("A[\"Vec<T> <b>x</b>\"]", "A[\"Vec<T> x\"]");
    }

    #[test]
    fn the_rest_stays() {
        for line in
            ["A[\"Vec<T> a < b\"]", "A[\"x</T>\"] <--> B", "%% \"<b>\n  A[\"</x>\"]", "A[\"</x>", "é --> B[\"é</\"]"]
        {
            check(line, line);
        }
        let other = "sequenceDiagram\n A->>B: <b>x</b>";
        assert_eq!(adapt_labels(other), other);
    }

    proptest! {
        #[test]
        fn no_source_panics(body in "(<b>|</b>|<i>|</i>|<br/>|[\" *`é<>%\n]|a){0,40}") {
            let _ = adapt_labels(&format!("graph TD\n{body}</"));
        }
    }
}
