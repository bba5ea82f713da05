//! Lines that open and close components in Markdown: what rewrites the texts of other tools writes them, and the parser
//! of Markdown reads them. Each stands in a line of its own; what is between them is Markdown, indented as they are.

use serde_json::{Map, Value};

/// Begins a line that opens a component; authors have no reason to write the character.
const OPEN: &str = "\u{e001}<";
/// The line that closes it.
const CLOSE: &str = "\u{e001}>";

/// The line that opens a component.
pub fn opening(name: &str, props: &[(&str, &str)]) -> String {
    let props: Map<String, Value> =
        props.iter().map(|(name, value)| ((*name).to_owned(), Value::from(*value))).collect();
    format!("{OPEN}{name} {}", Value::Object(props))
}

/// The line that closes the component that is open.
pub fn closing_component_line() -> String {
    CLOSE.to_owned()
}

/// What a line does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ComponentLine {
    /// It opens a component of a name with properties.
    Open(String, Vec<(String, String)>),
    /// It closes one.
    Close,
}

/// Whether a text may hold such lines.
pub fn may_hold(text: &str) -> bool {
    text.contains(OPEN)
}

/// What a line does, if it is such a line.
pub fn parse_component_line(line: &str) -> Option<ComponentLine> {
    let line = line.trim();
    if line == CLOSE {
        return Some(ComponentLine::Close);
    }
    let (name, props) = line.strip_prefix(OPEN)?.split_once(' ')?;
    let props: Map<String, Value> = serde_json::from_str(props).ok()?;
    let props = props.into_iter().filter_map(|(name, value)| Some((name, value.as_str()?.to_owned())));
    Some(ComponentLine::Open(name.to_owned(), props.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let line = opening("Tab", &[("title", "a \"b\" \\ c")]);
        let props = vec![("title".to_owned(), "a \"b\" \\ c".to_owned())];
        assert_eq!(parse_component_line(&format!("  {line}")), Some(ComponentLine::Open("Tab".to_owned(), props)));
        assert_eq!(parse_component_line(&closing_component_line()), Some(ComponentLine::Close));
        assert!(may_hold(&line) && !line.contains('\n'));
        assert_eq!((parse_component_line("<Tab>"), parse_component_line("\u{e001}<Tab x")), (None, None));
    }
}
