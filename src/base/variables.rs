//! `{{variables}}`: names in a text that stand for what the configuration says.

use std::borrow::Cow;

/// Names and values.
pub type Variables = [(String, String)];

/// Replaces `{{name}}` by its value, in code as well; unknown names stay.
pub fn substitute<'a>(source: &'a str, variables: &Variables) -> Cow<'a, str> {
    if variables.is_empty() || !source.contains("{{") {
        return Cow::Borrowed(source);
    }
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(start) = rest.find("{{") {
        let value = rest[start + 2..].find("}}").and_then(|length| {
            let name = rest[start + 2..start + 2 + length].trim();
            variables.iter().find(|(known, _)| known == name).map(|(_, value)| (value, start + 2 + length + 2))
        });
        match value {
            Some((value, end)) => {
                out.push_str(&rest[..start]);
                out.push_str(value);
                rest = &rest[end..];
            }
            None => {
                out.push_str(&rest[..start + 2]);
                rest = &rest[start + 2..];
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}
