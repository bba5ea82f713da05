//! Lists of attributes: `{ #id .class name="value" }`, with or without a colon behind the brace.

use base::cut::{SliceText as _, cut};

/// What a list says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct AttributeList {
    pub(super) id: Option<String>,
    pub(super) classes: Vec<String>,
    pub(super) values: Vec<(String, String)>,
}

impl AttributeList {
    pub(super) fn has_class(&self, name: &str) -> bool {
        self.classes.iter().any(|class| class == name)
    }

    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.values.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// The list that a text starts with, and its length.
pub(super) fn leading(text: &str) -> Option<(AttributeList, usize)> {
    let inside = text.strip_prefix('{')?;
    let mut rest = inside.strip_prefix(':').unwrap_or(inside).trim_start_matches(' ');
    if rest.starts_with(['}', '\n', '{', '%', '+', '-', '=', '~', '>']) {
        return None;
    }
    let mut found = AttributeList::default();
    loop {
        rest = rest.trim_start_matches(' ');
        if let Some(after) = rest.strip_prefix('}') {
            let is_empty = found == AttributeList::default();
            return (!is_empty).then(|| (found, text.len() - after.len()));
        }
        let end = rest.find([' ', '=', '}', '\n']).filter(|end| *end > 0)?;
        let (name, after) = cut(rest, end);
        rest = after;
        if let Some(value) = after.strip_prefix('=') {
            let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
            let (value, after) = match quote {
                Some(quote) => value.slice(1..).split_once(quote)?,
                None => cut(value, value.find([' ', '}', '\n']).filter(|end| *end > 0)?),
            };
            if value.contains('\n') {
                return None;
            }
            match name {
                "id" => found.id = Some(value.to_owned()).filter(|id| !id.is_empty()),
                "class" => found.classes.extend(value.split_whitespace().map(str::to_owned)),
                _ => found.values.push((name.to_owned(), value.to_owned())),
            }
            rest = after;
        } else if let Some(id) = name.strip_prefix('#') {
            found.id = Some(id.to_owned()).filter(|id| !id.is_empty());
        } else if let Some(class) = name.strip_prefix('.') {
            found.classes.push(class.to_owned());
        } else if name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ':')) {
            found.values.push((name.to_owned(), name.to_owned()));
        } else {
            return None;
        }
    }
}

/// A text that is nothing but a list.
pub(super) fn alone(text: &str) -> Option<AttributeList> {
    let text = text.trim();
    leading(text).filter(|(_, length)| *length == text.len()).map(|(found, _)| found)
}

/// The list that a text ends with behind a space, and what stands before it.
pub(super) fn trailing(text: &str) -> Option<(&str, AttributeList)> {
    let text = text.trim_end();
    let at = text.ends_with('}').then(|| text.rfind('{')).flatten()?;
    let found = alone(text.slice(at..))?;
    text.slice(..at).ends_with(' ').then(|| (text.slice(..at).trim_end(), found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_have_ids_classes_and_values() {
        let (found, length) = leading("{ #a .b .c-d title=\"x } y\" target=_blank hidden } z").expect("it is a list");
        assert_eq!((found.id.as_deref(), length), (Some("a"), 49));
        assert_eq!(found.classes, ["b", "c-d"]);
        assert_eq!((found.value("title"), found.value("target")), (Some("x } y"), Some("_blank")));
        assert!(found.value("hidden").is_some() && found.has_class("b"));
        assert_eq!(
            trailing("Words { #a }").map(|(words, found)| (words, found.id)),
            Some(("Words", Some("a".to_owned())))
        );
        assert!(alone("{: .x}").is_some());
        let named = alone("{ id=\"9.7\" class='a b' }").expect("it is a list");
        assert_eq!((named.id.as_deref(), named.classes.join(" ")), (Some("9.7"), "a b".to_owned()));
        for text in ["{}", "{ }", "{{ x }}", "{% x %}", "{++x++}", "{ a\nb }", "{ x", "{a,b}"] {
            assert_eq!(leading(text), None, "{text}");
        }
        assert_eq!(trailing("a{ .b }"), None);
    }
}
