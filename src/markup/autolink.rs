//! Bare addresses in text become links, as GitHub reads them: `https://…`, `www.…` and e-mail addresses.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::tree::{BlockKind, MarkdownBlock, Node};
use base::Place;
use base::cut::SliceText as _;

/// All text passes here: making it anew for each piece takes longer than the search.
static WWW: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("www."));

/// Splits `text` at its bare addresses; false (and nothing of use in `nodes`) if it has none.
pub fn push_linked(text: &str, nodes: &mut Vec<Node>) -> bool {
    if memchr::memchr2(b':', b'@', text.as_bytes()).is_none() && WWW.find(text.as_bytes()).is_none() {
        return false;
    }
    let mut copied = 0;
    let mut at = 0;
    let mut found = false;
    while let Some((start, end, prefix)) = next_address(text, at) {
        if start > copied {
            nodes.push(Node::Text(text.slice(copied..start).to_owned()));
        }
        let shown = text.slice(start..end);
        let kind = BlockKind::Link { href: format!("{prefix}{shown}"), title: String::new() };
        let children = vec![Node::Text(shown.to_owned())];
        nodes.push(Node::Block(Box::new(MarkdownBlock { kind, children, place: Place::default() })));
        (copied, at, found) = (end, end, true);
    }
    if found && copied < text.len() {
        nodes.push(Node::Text(text.slice(copied..).to_owned()));
    }
    found
}

/// The next address at or after `from`: start, end and what its link needs in front.
fn next_address(text: &str, from: usize) -> Option<(usize, usize, &'static str)> {
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(found) = memchr::memchr3(b':', b'w', b'@', &bytes[at..]) {
        let here = at + found;
        let hit = match bytes[here] {
            b':' if text.slice(here..).starts_with("://") => {
                let start = ["https", "http"]
                    .iter()
                    .find(|scheme| text.slice(from..here).ends_with(**scheme))
                    .map(|scheme| here - scheme.len());
                start.and_then(|start| web_address(text, start, here + 3, ""))
            }
            b'w' if text.slice(here..).starts_with("www.") => web_address(text, here, here + 4, "http://"),
            b'@' => mail_address(text, from, here),
            _ => None,
        };
        if hit.is_some() {
            return hit;
        }
        at = here + 1;
    }
    None
}

fn web_address(text: &str, start: usize, rest: usize, prefix: &'static str) -> Option<(usize, usize, &'static str)> {
    let before = text.slice(..start).chars().next_back();
    if before.is_some_and(|c| c.is_alphanumeric() || c == '/' || c == '.') {
        return None;
    }
    let ends = |c: char| c.is_whitespace() || c == '<' || is_wide_punctuation(c);
    let length = text.slice(rest..).find(ends).unwrap_or(text.len() - rest);
    let end = trim_end(text, start, rest + length);
    (end > rest && text.slice(rest..end).starts_with(|c: char| c.is_alphanumeric())).then_some((start, end, prefix))
}

/// Punctuation of Chinese, Japanese and Korean: no space stands beside it, so it ends an address, and an address may
/// begin behind it.
fn is_wide_punctuation(c: char) -> bool {
    matches!(
        c,
        '\u{3000}'..='\u{3003}'
            | '\u{3008}'..='\u{3011}'
            | '\u{3014}'..='\u{301f}'
            | '\u{fe10}'..='\u{fe19}'
            | '\u{fe30}'..='\u{fe4f}'
            | '\u{ff01}'..='\u{ff02}'
            | '\u{ff07}'..='\u{ff09}'
            | '\u{ff0c}'
            | '\u{ff0e}'
            | '\u{ff1a}'..='\u{ff1b}'
            | '\u{ff1f}'
            | '\u{ff3b}'
            | '\u{ff3d}'
            | '\u{ff5b}'
            | '\u{ff5d}'
            | '\u{ff5f}'..='\u{ff65}'
    )
}

/// Punctuation at the end belongs to the sentence; so does a bracket that the address did not open.
fn trim_end(text: &str, start: usize, mut end: usize) -> usize {
    loop {
        let shown = text.slice(start..end);
        let Some(last) = shown.chars().next_back() else { return end };
        let drop = match last {
            '?' | '!' | '.' | ',' | ':' | '*' | '_' | '~' | '"' | '\'' | ';' | '’' | '”' | ']' | '}' => true,
            ')' => shown.matches(')').count() > shown.matches('(').count(),
            _ => false,
        };
        if !drop {
            return end;
        }
        end -= last.len_utf8();
    }
}

fn mail_address(text: &str, from: usize, at: usize) -> Option<(usize, usize, &'static str)> {
    let local = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '+');
    let start = text
        .slice(from..at)
        .rfind(|c| !local(c))
        .map_or(from, |before| from + before + text.slice(from + before..).chars().next().map_or(1, char::len_utf8));
    let host = text.slice(at + 1..);
    let length =
        host.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'))).unwrap_or(host.len());
    let end = at + 1 + host.slice(..length).trim_end_matches(['.', '-', '_']).len();
    let host = text.slice(at + 1..end);
    (start < at
        && host.contains('.')
        && !host.starts_with('.')
        && host.ends_with(|c: char| c.is_ascii_alphabetic())
        && text.as_bytes().get(end) != Some(&b'/'))
    .then_some((start, end, "mailto:"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, links: &[&str]) {
        let mut nodes = Vec::new();
        push_linked(text, &mut nodes);
        let found: Vec<String> = nodes
            .iter()
            .filter_map(|node| match node {
                Node::Block(block) => Some(&block.kind),
                _ => None,
            })
            .map(|kind| if let BlockKind::Link { href, .. } = kind { href.clone() } else { String::new() })
            .collect();
        assert_eq!(found, links);
        if !links.is_empty() {
            assert_eq!(Node::text_of(&nodes), text);
        }
    }

    #[test]
    fn bare_addresses_are_links() {
        check("see https://a.b/c?d=e. And (http://x.y/z_(w)).", &["https://a.b/c?d=e", "http://x.y/z_(w)"]);
        check("www.example.com, me@example.com!", &["http://www.example.com", "mailto:me@example.com"]);
        check(
            "見る https://a.b/窯。次（https://c.d）、《www.e.f》",
            &["https://a.b/窯", "https://c.d", "http://www.e.f"],
        );
        check("no: a@b, x://y, http://, @scope/name, user@host", &[]);
        check("日本https://a.b", &[]);
    }
}
