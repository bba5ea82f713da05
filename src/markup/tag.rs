//! JSX tags: `<Card title="x" cols={2} {...rest} />`, `</Card>`, fragments. More lenient than MDX: HTML's unquoted and
//! valueless attributes and unclosed void elements are read, too.

use base::cut::SliceText as _;
use base::html::{self, decode_character_references};
use base::limits::NESTING;

use super::expr;
use super::script::{expression_end, skip_space};
use super::tree::{PropValue, Props};

/// One tag.
#[derive(Clone, Debug, Default)]
pub struct MarkupTag {
    /// `Card`, `Tree.Folder`, `div`; empty for fragments.
    pub name: String,
    /// Attributes; expressions are unevaluated.
    pub props: Props,
    /// What kind of tag it is.
    pub kind: TagKind,
    /// Byte offset after its `>`.
    pub end: usize,
}

/// Opening, closing or both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TagKind {
    /// `<a>`.
    #[default]
    Open,
    /// `</a>`.
    Close,
    /// `<a/>`, and void HTML elements.
    Empty,
}

/// The key of a spread attribute among the props.
pub const SPREAD: &str = "...";

/// An element in an attribute counts as so many levels: they are rarely nested, and each is read again for every tag around
/// it.
const IN_ATTRIBUTE: usize = NESTING / 8;

/// Reads the tag that starts with `<` at `at`; `None` if it is not one (a comparison, an autolink, an unfinished tag).
pub fn parse_tag(source: &str, at: usize) -> Option<MarkupTag> {
    parse_tag_within(source, at, 0)
}

/// The same `depth` levels deep in elements and expressions: attributes may hold both, too.
pub(super) fn parse_tag_within(source: &str, at: usize, depth: usize) -> Option<MarkupTag> {
    let bytes = source.as_bytes();
    debug_assert_eq!(bytes.get(at), Some(&b'<'));
    let mut pos = at + 1;
    let closing = bytes.get(pos) == Some(&b'/');
    if closing {
        pos = skip_blank(bytes, pos + 1);
    }
    let (name, mut pos) = jsx_tag_name(source, pos)?;
    let mut tag = MarkupTag {
        name: name.to_owned(),
        kind: if closing { TagKind::Close } else { TagKind::Open },
        ..MarkupTag::default()
    };
    if name.is_empty() {
        pos = skip_blank(bytes, pos);
        tag.end = (bytes.get(pos) == Some(&b'>')).then_some(pos + 1)?;
        return Some(tag);
    }
    if !matches!(bytes.get(pos)?, b'>' | b'/' | b'{') && !bytes[pos].is_ascii_whitespace() {
        return None; // `<http://…>`, `<a@b.c>`
    }
    loop {
        pos = skip_blank(bytes, pos);
        match *bytes.get(pos)? {
            b'>' => {
                tag.end = pos + 1;
                break;
            }
            b'/' if bytes.get(skip_blank(bytes, pos + 1)) == Some(&b'>') => {
                tag.end = skip_blank(bytes, pos + 1) + 1;
                if !closing {
                    tag.kind = TagKind::Empty;
                }
                return Some(tag);
            }
            b'/' if source.slice(pos..).starts_with("/*") || source.slice(pos..).starts_with("//") => {
                pos = skip_space(source, pos)
            }
            b'{' => {
                let end = expression_end(source, pos)?;
                let inside = source.slice(pos + 1..end - 1).trim();
                if let Some(spread) = inside.strip_prefix("...") {
                    tag.props.0.push((SPREAD.to_owned(), expr::parse_value(spread.trim(), depth + 1)));
                }
                pos = end;
            }
            _ => pos = parse_jsx_attribute(source, pos, &mut tag.props, depth)?,
        }
    }
    if !closing && html::is_void(name) {
        tag.kind = TagKind::Empty;
    }
    Some(tag)
}

/// A name with members (`a.b`) or a namespace (`a:b`) at `at`, and where it ends; empty if there is `>` at once.
fn jsx_tag_name(source: &str, at: usize) -> Option<(&str, usize)> {
    let rest = source.slice(at..);
    if rest.trim_start().starts_with('>') {
        return Some(("", at));
    }
    let first = rest.chars().next()?;
    if !(first.is_alphabetic() || matches!(first, '_' | '$')) {
        return None;
    }
    let length =
        rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$' | '-' | '.' | ':'))).unwrap_or(rest.len());
    let name = rest.slice(..length).trim_end_matches(['.', ':']);
    Some((name, at + name.len()))
}

fn parse_jsx_attribute(source: &str, at: usize, props: &mut Props, depth: usize) -> Option<usize> {
    let bytes = source.as_bytes();
    let rest = source.slice(at..);
    let length = rest
        .find(|c: char| c.is_whitespace() || matches!(c, '=' | '>' | '/' | '{' | '}' | '"' | '\'' | '<' | '`'))
        .unwrap_or(rest.len());
    if length == 0 {
        return None;
    }
    let name = rest.slice(..length);
    let after = skip_blank(bytes, at + length);
    if bytes.get(after) != Some(&b'=') {
        props.0.push((name.to_owned(), PropValue::Bool(true)));
        return Some(at + length);
    }
    let from = skip_blank(bytes, after + 1);
    let (value, end) = match *bytes.get(from)? {
        quote @ (b'"' | b'\'') => {
            let end = from + 1 + source.slice(from + 1..).find(quote as char)?;
            (PropValue::String(decode_character_references(source.slice(from + 1..end)).into_owned()), end + 1)
        }
        b'{' => {
            let end = expression_end(source, from)?;
            (expr::parse_value(source.slice(from + 1..end - 1), depth + 1), end)
        }
        b'<' => {
            let (nodes, end) = expr::parse_jsx(source, from, depth + IN_ATTRIBUTE)?;
            (PropValue::Expr(Box::new(expr::PageExpr::Jsx(nodes))), end)
        }
        _ => {
            let length =
                source.slice(from..).find(|c: char| c.is_whitespace() || c == '>').unwrap_or(source.len() - from);
            let raw = source.slice(from..from + length).trim_end_matches('/');
            (PropValue::String(decode_character_references(raw).into_owned()), from + raw.len())
        }
    };
    props.0.push((name.to_owned(), value));
    Some(end)
}

fn skip_blank(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, expect: &str) {
        let shown = parse_tag(source, 0).map_or_else(
            || "none".to_owned(),
            |tag| {
                format!(
                    "{:?} {} {} rest:{}",
                    tag.kind,
                    tag.name,
                    tag.props.0.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(","),
                    &source[tag.end..]
                )
            },
        );
        assert_eq!(shown, expect);
    }

    #[test]
    fn tags_are_read_whole() {
        check("<Card title=\"a > b\" cols={2}\n  {...rest} new>x", "Open Card title,cols,...,new rest:x");
        check("</ Card >x", "Close Card  rest:x");
        check("<Tree.Folder name='x'/>", "Empty Tree.Folder name rest:");
        check("<br>x", "Empty br  rest:x");
        check("<>x", "Open   rest:x");
        check("<img width=100 src=a.png/>x", "Empty img width,src rest:x");
        check("<A icon={<svg><path d=\"}\"/></svg>}>", "Open A icon rest:");
        check("<A b=<i>x</i>>y", "Open A b rest:y");
    }

    #[test]
    fn what_is_not_a_tag_stays_text() {
        check("< b", "none");
        check("<5", "none");
        check("<https://x.y>", "none");
        check("<a@b.c>", "none");
        check("<Card title=\"x", "none");
    }
}
