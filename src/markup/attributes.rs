//! What other generators write behind words of plain Markdown: lists of attributes (`{: .class }`, `{ width="60%" }`;
//! kramdown and Python-Markdown) and icons by name (`:material-star:`; Material for MkDocs).

use base::cut::{SliceText as _, cut};

use super::tree::{JsxElement, Node, PropValue, Props};

/// Sets of icons: what their names start with, and what stands before the name of an icon that is looked for here.
const SETS: [(&str, &str); 8] = [
    ("material-", "material/"),
    ("octicons-", "octicons/"),
    ("simple-", "simple/"),
    ("fontawesome-brands-", "brands/"),
    ("fontawesome-solid-", "solid/"),
    ("fontawesome-regular-", "regular/"),
    ("lucide-", "lucide:"),
    ("tabler-", "tabler:"),
];

/// Where a text stands in its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stands {
    /// At the start of the line.
    First,
    /// Right behind something that takes attributes: a link, a picture, emphasis, code.
    Behind,
}

/// A text without lists of attributes, and with icons in place of their names; `None` if it has neither.
pub(super) fn strip(text: &str, stands: Stands) -> Option<Vec<Node>> {
    let (mut nodes, mut plain) = (Vec::new(), String::new());
    let (mut at, mut found) = (0, false);
    while let Some(next) = memchr::memchr2(b'{', b':', &text.as_bytes()[at..]) {
        let start = at + next;
        plain.push_str(text.slice(at..start));
        let rest = text.slice(start..);
        let icon = parse_icon_shortcode(rest);
        let list = if icon.is_none() { parse_attribute_list(rest) } else { None };
        at = start;
        if let Some((node, length)) = icon {
            (at, found) = (start + length, true);
            if let Some((length, _)) = parse_attribute_list(text.slice(at..)) {
                at += length;
            }
            push_plain_text(&mut nodes, &mut plain);
            nodes.push(node);
        } else if let Some((length, has_colon)) = list
            && (has_colon || (start == 0 && (stands == Stands::Behind || rest.slice(length..).trim().is_empty())))
        {
            (at, found) = (start + length, true);
        } else {
            plain.push_str(rest.slice(..1));
            at += 1;
        }
    }
    if !found {
        return None;
    }
    plain.push_str(text.slice(at..));
    push_plain_text(&mut nodes, &mut plain);
    Some(nodes)
}

fn push_plain_text(nodes: &mut Vec<Node>, plain: &mut String) {
    if !plain.is_empty() {
        nodes.push(Node::Text(std::mem::take(plain)));
    }
}

/// `:set-name:` and its length.
fn parse_icon_shortcode(text: &str) -> Option<(Node, usize)> {
    let inside = text.strip_prefix(':')?;
    let end = inside
        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
        .filter(|end| inside.slice(*end..).starts_with(':'))?;
    let (set, place) = SETS.iter().find(|(set, _)| inside.slice(..end).starts_with(set))?;
    let mut props = Props::default();
    props.set("icon", PropValue::String(format!("{place}{}", inside.slice(set.len()..end))));
    let element = JsxElement { name: "Icon".to_owned(), props, inline: true, ..JsxElement::default() };
    Some((Node::Element(Box::new(element)), end + 2))
}

/// The length of the list of attributes that a text starts with, and whether it has kramdown's colon, with which a word
/// alone is one.
fn parse_attribute_list(text: &str) -> Option<(usize, bool)> {
    let inside = text.strip_prefix('{')?;
    let has_colon = inside.starts_with(':');
    let mut rest = inside.strip_prefix(':').unwrap_or(inside).trim_start_matches(' ');
    let mut count = 0;
    loop {
        if let Some(after) = rest.strip_prefix('}') {
            return (count > 0).then(|| (text.len() - after.len(), has_colon));
        }
        let behind = skip_attribute(rest, has_colon)?;
        if !behind.starts_with([' ', '}', '.', '#']) {
            return None;
        }
        rest = behind.trim_start_matches(' ');
        count += 1;
    }
}

/// Whether a text is the mark that makes kramdown put a page's contents in the place of the list that it stands in:
/// `{:toc}`.
pub(super) fn is_for_contents(text: &str) -> bool {
    let text = text.trim();
    text.starts_with("{:")
        && parse_attribute_list(text).is_some_and(|(length, _)| length == text.len())
        && text.slice(2..text.len() - 1).split(' ').any(|word| word == "toc")
}

/// What the list of attributes that a text starts with says of the size and the side of a picture.
pub(super) fn of_picture(text: &str) -> Vec<(&'static str, String)> {
    const KNOWN: [&str; 3] = ["width", "height", "align"];
    let Some((length, _)) = parse_attribute_list(text) else { return Vec::new() };
    let mut rest = text.slice(1..length - 1);
    let mut found = Vec::new();
    while let Some(equals) = rest.find('=') {
        let name = rest.slice(..equals).rsplit([' ', ':']).next().unwrap_or_default();
        let value = rest.slice(equals + 1..);
        let (value, after) = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => value.slice(1..).split_once(quote).unwrap_or((value.slice(1..), "")),
            _ => cut(value, value.find(' ').unwrap_or(value.len())),
        };
        found.extend(KNOWN.iter().find(|known| **known == name).map(|known| (*known, value.to_owned())));
        rest = after;
    }
    found
}

/// What follows `.class`, `#id` or `name=value`.
fn skip_attribute(text: &str, has_colon: bool) -> Option<&str> {
    let name_end =
        |text: &str| text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | ':'))).unwrap_or(text.len());
    if let Some(name) = text.strip_prefix(['.', '#']) {
        let end = name_end(name);
        return (end > 0).then(|| name.slice(end..));
    }
    let end = name_end(text);
    let behind = text.get(end..).filter(|_| end > 0)?;
    let Some(value) = behind.strip_prefix('=') else { return has_colon.then_some(behind) };
    match value.chars().next()? {
        quote @ ('"' | '\'') => value.slice(1..).split_once(quote).map(|(_, behind)| behind),
        _ => value.find([' ', '}']).filter(|end| *end > 0).map(|end| value.slice(end..)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, stands: Stands, expect: Option<&str>) {
        let shown = |nodes: Vec<Node>| {
            let shown = nodes.iter().map(|node| match node {
                Node::Element(icon) => format!("<{}>", icon.props.text("icon").unwrap_or_default()),
                node => Node::text_of(std::slice::from_ref(node)),
            });
            shown.collect::<String>()
        };
        assert_eq!(strip(text, stands).map(shown).as_deref(), expect, "{text}");
    }

    #[test]
    fn lists_behind_something_go() {
        check("{ .md-button .md-button--primary } next", Stands::Behind, Some(" next"));
        check("{width=650}", Stands::Behind, Some(""));
        check("{: target=\"_blank\" }. And", Stands::Behind, Some(". And"));
        check("{ #id data-x='1' }", Stands::First, Some(""));
        check("Title {: .no_toc }", Stands::First, Some("Title "));
        check("{:toc}", Stands::First, Some(""));
    }

    #[test]
    fn pictures_have_sizes_and_sides() {
        let shown = |text: &str| {
            of_picture(text).into_iter().map(|(name, value)| format!("{name}={value};")).collect::<String>()
        };
        assert_eq!(shown("{ width=\"300\" .x align=right }"), "width=300;align=right;");
        assert_eq!(shown("{: height='1 = 2' data-a=b}"), "height=1 = 2;");
        assert_eq!(shown("{ loading=lazy } width=1"), "");
    }

    #[test]
    fn the_mark_for_contents_is_a_word() {
        for (text, expect) in [
            ("{:toc}", true),
            (" {: toc .large }", true),
            ("{:.toc}", false),
            ("{: .no_toc }", false),
            ("{:toc} x", false),
            ("{toc}", false),
            ("{:", false),
            ("", false),
        ] {
            assert_eq!(is_for_contents(text), expect, "{text}");
        }
    }

    #[test]
    fn braces_stay() {
        for text in ["{ .a } b", "a { .b }", "{MXFP4, FP8}", "{ ...rest }", "{}", "{:}", "{a", "{ a: 1 }"] {
            check(text, Stands::First, None);
        }
        check("{name}", Stands::Behind, None);
    }

    #[test]
    fn icons_by_name() {
        check(":material-star: Star", Stands::First, Some("<material/star> Star"));
        check("A :fontawesome-brands-github:{ .lg } B", Stands::First, Some("A <brands/github> B"));
        check("these:octicons-arrow-24:{ .a }", Stands::First, Some("these<octicons/arrow-24>"));
        check(":memory: and material-b:", Stands::First, None);
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "([{}:.#=\"' é]|material-|a){0,30}") {
            let _ = (strip(&text, Stands::Behind), of_picture(&text));
        }
    }
}
