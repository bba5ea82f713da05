//! The words and elements of a template of Vue.

use base::cut::{SliceText as _, cut};
use base::html::is_void;
use base::html::tag::{HtmlTag, MarkupToken, read_html_token};

/// A part of a template.
pub(super) enum TemplatePart<'t> {
    Words(&'t str),
    /// A `<` that begins no tag.
    Bracket,
    /// The start tag of an element, and what is in it.
    Element(HtmlTag<'t>, &'t str),
}

/// The parts of a template, one after another. Comments and end tags without a start are none.
pub(super) fn template_parts(template: &str) -> impl Iterator<Item = TemplatePart<'_>> {
    let mut rest = template;
    std::iter::from_fn(move || {
        loop {
            let at = rest.find('<').unwrap_or(rest.len());
            if at > 0 {
                let (words, after) = cut(rest, at);
                rest = after;
                return Some(TemplatePart::Words(words));
            }
            if rest.is_empty() {
                return None;
            }
            let Some((token, after)) = read_html_token(rest) else {
                rest = rest.slice(1..);
                return Some(TemplatePart::Bracket);
            };
            rest = after;
            let MarkupToken::Start(tag) = token else { continue };
            let (inside, after) = element(&tag, rest);
            rest = after;
            return Some(TemplatePart::Element(tag, inside));
        }
    })
}

/// The content of the element whose start tag stands before a text, and what follows its end.
pub(super) fn element<'t>(start: &HtmlTag<'_>, text: &'t str) -> (&'t str, &'t str) {
    if start.is_self_closing() || is_void(start.name) {
        return ("", text);
    }
    let mut open = 0_usize;
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let end = text.len() - rest.len() + at;
        let Some((token, after)) = read_html_token(rest.slice(at..)) else {
            rest = rest.slice(at + 1..);
            continue;
        };
        rest = after;
        match token {
            MarkupToken::Start(tag) if tag.name == start.name && !tag.is_self_closing() => open += 1,
            MarkupToken::End(tag) if tag.name == start.name && open == 0 => return (text.slice(..end), rest),
            MarkupToken::End(tag) if tag.name == start.name => open -= 1,
            _ => {}
        }
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_end_where_they_end() {
        let Some((MarkupToken::Start(start), _)) = read_html_token("<p>") else { panic!("it is a tag") };
        assert_eq!(element(&start, "a<p>b</p></p>c"), ("a<p>b</p>", "c"));
        assert_eq!(element(&start, "a<p/>b</p>c"), ("a<p/>b", "c"));
        assert_eq!(element(&start, "a < b"), ("a < b", ""));
    }
}
