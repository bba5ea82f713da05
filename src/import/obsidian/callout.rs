//! `> [!kind]- Title`: a quote that is a box.

use base::cut::SliceText as _;

/// A box and how it is shown.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Callout<'l> {
    pub(super) component: &'static str,
    /// As written; empty if its kind is its title.
    pub(super) title: &'l str,
    kind: &'l str,
    /// Readers open and close it; whether it is open first.
    pub(super) fold: Option<bool>,
}

impl Callout<'_> {
    /// What stands above its content.
    pub(super) fn shown_title(&self) -> String {
        if !self.title.is_empty() {
            return self.title.to_owned();
        }
        let words = self.kind.replace(['-', '_'], " ");
        let mut chars = words.chars();
        chars.next().into_iter().flat_map(char::to_uppercase).chain(chars).collect()
    }
}

/// Reads the first line of a quote without its mark: `[!note]- Title`, `[!info|wide] Title`.
pub(super) fn parse_callout(line: &str) -> Option<Callout<'_>> {
    let (inside, rest) = line.trim_start().strip_prefix("[!")?.split_once(']')?;
    let kind = inside.split('|').next().unwrap_or_default().trim();
    if kind.is_empty() || kind.contains(['[', '(']) {
        return None;
    }
    let (fold, title) = match rest.chars().next() {
        Some('-') => (Some(false), rest.slice(1..)),
        Some('+') => (Some(true), rest.slice(1..)),
        _ => (None, rest),
    };
    let component = match kind.to_lowercase().as_str() {
        "tip" | "hint" | "important" => "Tip",
        "abstract" | "summary" | "tldr" | "info" | "todo" | "question" | "help" | "faq" => "Info",
        "success" | "check" | "done" => "Check",
        "warning" | "caution" | "attention" => "Warning",
        "failure" | "fail" | "missing" | "danger" | "error" | "bug" => "Danger",
        _ => "Note",
    };
    Some(Callout { component, title: title.trim(), kind, fold })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_with_a_kind_are_boxes() {
        for (line, component, title, fold) in [
            ("[!note]", "Note", "Note", None),
            ("[!WARNING]- Careful", "Warning", "Careful", Some(false)),
            ("[!faq]+ Why?", "Info", "Why?", Some(true)),
            ("[!my-kind|wide] Own", "Note", "Own", None),
            ("[!my-kind]", "Note", "My kind", None),
            ("[!BUG]", "Danger", "BUG", None),
        ] {
            let it = parse_callout(line).expect(line);
            assert_eq!((it.component, it.shown_title().as_str(), it.fold), (component, title, fold), "{line}");
        }
        for line in ["[!]", "[x] task", "!note", "[![badge](a)](b)", ""] {
            assert_eq!(parse_callout(line), None, "{line}");
        }
    }
}
