//! What lines start, as far as a line says it.

use base::cut::{SliceText as _, cut};
use base::lines::fence_of;

use super::lines::{BlockLine, INDENT};

/// Elements whose content has lines of its own.
pub(super) const VERBATIM: [&str; 4] = ["pre", "script", "style", "textarea"];
/// Elements whose tag begins a block.
const BLOCKS: [&str; 58] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "canvas",
    "center",
    "colgroup",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "hr",
    "html",
    "iframe",
    "legend",
    "li",
    "main",
    "map",
    "math",
    "menu",
    "nav",
    "noscript",
    "object",
    "ol",
    "option",
    "output",
    "p",
    "pre",
    "progress",
    "script",
    "section",
    "style",
    "summary",
    "table",
    "tbody",
    "td",
    "textarea",
    "tfoot",
    "th",
    "thead",
    "tr",
    "ul",
    "video",
];

/// The name of the tag that a text starts with, in lower case, and whether it is an end tag.
pub(super) fn leading_tag_name(text: &str) -> Option<(String, bool)> {
    let inside = text.strip_prefix('<')?;
    let (inside, is_end) = inside.strip_prefix('/').map_or((inside, false), |inside| (inside, true));
    let end = inside.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).unwrap_or(inside.len());
    let is_name = end > 0 && inside.starts_with(|c: char| c.is_ascii_alphabetic());
    let ends = inside.slice(end..).is_empty() || inside.slice(end..).starts_with([' ', '>', '/']);
    (is_name && ends).then(|| (inside.slice(..end).to_ascii_lowercase(), is_end))
}

/// Whether a line starts a block of HTML.
pub(super) fn starts_block(text: &str) -> bool {
    leading_tag_name(text).is_some_and(|(name, _)| BLOCKS.contains(&name.as_str()))
}

/// A tag without the attribute that makes its content Markdown, and whether it had it.
pub(super) fn without_markdown(tag: &str) -> Option<String> {
    let mut rest = tag;
    let mut before = 0;
    while let Some(at) = rest.find(" markdown") {
        let after = rest.slice(at + " markdown".len()..);
        let length = match after.strip_prefix('=') {
            None => 0,
            Some(value) => match value.chars().next() {
                Some(quote @ ('"' | '\'')) => value.slice(1..).find(quote).map_or(value.len(), |end| end + 2) + 1,
                _ => value.find([' ', '>', '/']).unwrap_or(value.len()) + 1,
            },
        };
        if after.slice(length.min(after.len())..).starts_with([' ', '>', '/']) {
            let value = after.slice(..length).trim_matches(['=', '"', '\'']);
            let stripped = format!("{}{}", tag.slice(..before + at), after.slice(length..));
            return (value != "0").then_some(stripped);
        }
        before += at + 1;
        rest = rest.slice(at + 1..);
    }
    None
}

/// The mark of an item: `-`, `*`, `+` or a number, and how many bytes stand before its words.
pub(super) fn marker(text: &str) -> Option<(Option<&str>, usize)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, mark) = match digits {
        0 => (None, text.strip_prefix(['-', '*', '+'])?),
        1..=9 => (Some(text.slice(..digits)), text.slice(digits..).strip_prefix('.')?),
        _ => return None,
    };
    let words = mark.trim_start_matches(' ');
    (mark.starts_with(' ') || mark.is_empty()).then(|| (number, text.len() - words.len()))
}

/// The mark of an item at the start of a line that is not indented as code is.
pub(super) fn marker_of(line: BlockLine<'_>) -> Option<(Option<&str>, usize)> {
    let indent = line.indent();
    let text = line.text.slice(indent..);
    let rule = text.trim();
    let is_rule = rule.len() > 2
        && (rule.chars().all(|c| matches!(c, '-' | ' ')) || rule.chars().all(|c| matches!(c, '*' | ' ')));
    let (number, width) = marker(text).filter(|_| indent < INDENT && !is_rule)?;
    Some((number, indent + width))
}

/// Whether a line that is not indented is no word of the item above.
pub(super) fn is_block(line: BlockLine<'_>) -> bool {
    let text = line.text.trim_start();
    fence_of(text).is_some()
        || text.starts_with('#') && text.trim_start_matches('#').starts_with(' ')
        || text.starts_with('>')
        || text.starts_with("!!! ")
        || text.starts_with("???")
        || text.starts_with("===")
        || text.starts_with("///")
        || starts_block(text)
}

pub(super) fn is_rule_line(text: &str) -> bool {
    let text = text.trim();
    let Some(mark) = text.chars().next().filter(|c| matches!(c, '-' | '*' | '_')) else { return false };
    text.chars().all(|c| c == mark || c == ' ') && text.chars().filter(|c| *c == mark).count() >= 3
}

/// The line below the words of a heading.
pub(super) fn is_underline(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && (text.chars().all(|c| c == '=') || text.chars().all(|c| c == '-'))
}

/// The line below the header of a table.
pub(super) fn is_delimiter(text: &str) -> bool {
    let text = text.trim();
    text.contains('-') && text.contains('|') && text.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
}

/// The words of a definition: `:   words`.
pub(super) fn definition(text: &str) -> Option<&str> {
    let indent = text.len() - text.trim_start_matches(' ').len();
    let rest = text.trim_start().strip_prefix(':').filter(|_| indent < INDENT)?;
    rest.starts_with(' ').then(|| rest.trim_start())
}

/// Whether a line says where a name leads, and nothing else.
pub(super) fn is_reference_definition(text: &str) -> bool {
    let Some((name, target)) = text.trim().strip_prefix('[').and_then(|rest| rest.split_once("]:")) else {
        return false;
    };
    !name.contains(['[', ']']) && target_of(target.trim()).is_some()
}

/// Address and title of a reference.
pub(super) fn target_of(text: &str) -> Option<(&str, &str)> {
    let (address, rest) = match text.strip_prefix('<') {
        Some(inside) => inside.split_once('>')?,
        None => cut(text, text.find(' ').unwrap_or(text.len())),
    };
    let rest = rest.trim();
    let quoted = [('"', '"'), ('\'', '\''), ('(', ')')]
        .iter()
        .find_map(|(open, close)| rest.strip_prefix(*open).and_then(|rest| rest.strip_suffix(*close)));
    match (rest, quoted) {
        ("", _) => Some((address, "")),
        (_, Some(title)) => Some((address, title)),
        _ => None,
    }
}

/// A name of a reference without regard to case and spaces.
pub(super) fn normal_name(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}
