//! Fenced code of Hugo: where it begins and ends, and its options as they are called here.

use base::cut::{SliceText as _, cut};
use base::lines::fence_of;

/// Follows lines into fenced code.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FenceTracker {
    open: Option<(u8, usize)>,
}

impl FenceTracker {
    /// One that nothing closes.
    pub(super) fn endless() -> Self {
        Self { open: Some((b'`', usize::MAX)) }
    }

    /// Whether a block is open.
    pub(super) fn is_open(self) -> bool {
        self.open.is_some()
    }

    /// Whether a line is code or opens or closes such a block.
    pub(super) fn takes(&mut self, line: &str) -> bool {
        let text = line.trim_start_matches([' ', '\t', '>']);
        let text = text.strip_prefix(['-', '*', '+']).filter(|rest| rest.starts_with(' ')).unwrap_or(text).trim_start();
        let found = fence_of(text);
        let Some((mark, least)) = self.open else {
            self.open = found.map(|(mark, width, _)| (mark, width));
            return self.is_open();
        };
        if found.is_some_and(|(other, width, info)| other == mark && width >= least && info.is_empty()) {
            self.open = None;
        }
        true
    }
}

/// A line that opens a block of code, with its options as they are called here; `None` if they stay.
/// `{file="a.toml" hl_lines=[2,"4-6"] linenos=table}`.
pub(super) fn fence_line(line: &str) -> Option<String> {
    let start = line.find("```").or_else(|| line.find("~~~"))?;
    let marks = line.slice(start..).chars().take_while(|c| matches!(c, '`' | '~')).count();
    let (head, info) = cut(line, start + marks);
    let open = info.find('{')?;
    let inside = info.slice(open + 1..).trim_end().strip_suffix('}')?;
    if !inside.contains('=') {
        return None;
    }
    let lang = info.slice(..open).trim();
    Some(format!("{head}{lang} {}", fence_options(inside)))
}

/// Options of code as they are called here.
pub(super) fn fence_options(options: &str) -> String {
    let mut out = Vec::new();
    let options = options_of(options);
    let first =
        options.iter().find(|(name, _)| name.eq_ignore_ascii_case("linenostart")).map(|(_, value)| value.clone());
    for (name, value) in options {
        match name.to_lowercase().as_str() {
            "file" | "filename" | "title" | "name" => out.push(format!("title=\"{}\"", value.replace('"', "'"))),
            "hl_lines" => {
                let numbers: Vec<&str> = value
                    .split(|c: char| !(c.is_ascii_digit() || c == '-'))
                    .filter(|number| !number.is_empty())
                    .collect();
                if !numbers.is_empty() {
                    out.push(format!("highlight={{{}}}", numbers.join(",")));
                }
            }
            "linenos" if value != "false" => out.push(match &first {
                Some(first) => format!("lines={first}"),
                None => "lines".to_owned(),
            }),
            _ => {}
        }
    }
    out.join(" ")
}

/// Names and values, between commas or spaces; values may be quoted or lists.
fn options_of(text: &str) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('=') {
        let name = rest.slice(..at).rsplit([' ', ',', '\t']).next().unwrap_or_default().trim().to_owned();
        let value = rest.slice(at + 1..).trim_start();
        let (value, after) = match value.chars().next() {
            Some('"') => value.slice(1..).split_once('"').unwrap_or((value.slice(1..), "")),
            Some('[') => value.slice(1..).split_once(']').unwrap_or((value.slice(1..), "")),
            _ => {
                // numbers of lines stand between spaces where names follow commas
                let end = value.find([',', '}']).unwrap_or(value.len());
                cut(value, end)
            }
        };
        out.push((name, value.trim().to_owned()));
        rest = after;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_fences() {
        let check = |line: &str, expect: &str| assert_eq!(fence_line(line).as_deref(), Some(expect), "{line}");
        check("```toml {file=\"hugo.toml\" hl_lines=[2,\"4-6\"]}", "```toml title=\"hugo.toml\" highlight={2,4-6}");
        check(
            "  ```go {linenos=table,hl_lines=[8,\"15-17\"],linenostart=199}",
            "  ```go lines=199 highlight={8,15-17}",
        );
        assert_eq!(fence_line("```js {1,3}"), None);
        assert_eq!(fence_line("```js"), None);
        assert_eq!(fence_options("linenos=table,hl_lines=1 3-4"), "lines highlight={1,3-4}");
    }

    #[test]
    fn fences_are_followed() {
        let mut fence = FenceTracker::default();
        let taken = ["a", "- ```sh", "x", "~~~", "  ```", "b", "`` ` ``"].map(|line| fence.takes(line));
        assert_eq!(taken, [false, true, true, true, true, false, false]);
    }
}
