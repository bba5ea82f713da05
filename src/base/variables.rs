//! `{{variables}}`: names in a text that stand for what the configuration says.

use std::borrow::Cow;

use crate::cut::SliceText as _;

/// Names and values, in the order of the names.
pub type Variables = [(String, String)];

/// Longest name of a variable, with the spaces around it, bytes.
const MAX_NAME_BYTES: usize = 200;

/// `{{name}}` in a text. Without a value it is only the two braces, behind which others may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VariableReference<'s, 'v> {
    /// Where it starts.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// What stands between the braces, if they close.
    pub name: Option<&'s str>,
    /// What it stands for.
    pub value: Option<&'v str>,
}

/// The next one from an offset on.
pub fn next_variable<'s, 'v>(
    source: &'s str,
    from: usize,
    variables: &'v Variables,
) -> Option<VariableReference<'s, 'v>> {
    let start = from + source.get(from..)?.find("{{")?;
    let name = text_between_braces(source.slice(start..));
    let value = name.and_then(|name| {
        let at = variables.binary_search_by(|(known, _)| known.as_str().cmp(name.trim())).ok()?;
        variables.get(at).map(|(_, value)| value.as_str())
    });
    let end = start + if value.is_some() { name.map_or(0, str::len) + 4 } else { 2 };
    Some(VariableReference { start, end, name, value })
}

/// What stands between `{{` and `}}` at the start of a text.
pub fn text_between_braces(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("{{")?;
    let near = &rest.as_bytes()[..rest.len().min(MAX_NAME_BYTES)];
    memchr::memmem::find(near, b"}}").map(|end| rest.slice(..end))
}

/// Replaces `{{name}}` by its value; unknown names stay.
pub fn substitute_variables<'a>(source: &'a str, variables: &Variables) -> Cow<'a, str> {
    if variables.is_empty() {
        return Cow::Borrowed(source);
    }
    let mut out = String::new();
    let mut at = 0;
    while let Some(VariableReference { start, end, value, .. }) = next_variable(source, at, variables) {
        out.push_str(source.slice(at..start));
        out.push_str(value.unwrap_or("{{"));
        at = end;
    }
    if at == 0 {
        return Cow::Borrowed(source);
    }
    out.push_str(source.slice(at..));
    Cow::Owned(out)
}
