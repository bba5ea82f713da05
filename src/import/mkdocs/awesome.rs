//! Names in their order, and the pages of a folder that entries name.

use std::cmp::Ordering;

use base::cut::SliceText as _;

use super::pattern::glob;

/// A name of a folder as people read it.
pub(super) fn folder_title(folder: &str) -> String {
    let name = folder.rsplit('/').next().unwrap_or(folder);
    let words = name.replace(['-', '_'], " ");
    if words.to_lowercase() != words {
        return words;
    }
    let mut chars = words.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The order of two names: the page of the folder comes first; by their bytes, or with numbers by their value.
pub(super) fn compare_names(a: &str, b: &str, natural: bool) -> Ordering {
    let is_index = |name: &str| matches!(name, "index" | "README");
    is_index(b).cmp(&is_index(a)).then_with(|| if natural { by_numbers(a, b) } else { a.cmp(b) })
}

fn by_numbers(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a, b);
    loop {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let (own, other) = (digits(left), digits(right));
        if own > 0 && other > 0 {
            let (first, second) =
                (left.slice(..own).trim_start_matches('0'), right.slice(..other).trim_start_matches('0'));
            let order = first.len().cmp(&second.len()).then_with(|| first.cmp(second));
            if order != Ordering::Equal {
                return order;
            }
            (left, right) = (left.slice(own..), right.slice(other..));
            continue;
        }
        match (left.chars().next(), right.chars().next()) {
            (Some(first), Some(second)) if first == second => {
                (left, right) = (left.slice(first.len_utf8()..), right.slice(second.len_utf8()..));
            }
            (first, second) => return first.cmp(&second).then_with(|| a.cmp(b)),
        }
    }
}

/// Whether an entry is a pattern of paths.
pub(super) fn is_path_pattern(target: &str) -> bool {
    target.contains(['*', '?']) && !target.contains("://")
}

/// Whether a path below a folder matches a pattern, with its ending or without. A folder matches by its name.
pub(super) fn is_match(pattern: &str, path: &str) -> bool {
    let pattern = pattern.trim_end_matches('/');
    glob(pattern, path) || path.strip_suffix(".md").is_some_and(|stem| glob(pattern, stem))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order() {
        let sorted = |natural: bool| {
            let mut names = ["b", "a10", "index", "a9", "B"];
            names.sort_by(|a, b| compare_names(a, b, natural));
            names.join(" ")
        };
        assert_eq!(sorted(false), "index B a10 a9 b");
        assert_eq!(sorted(true), "index B a9 a10 b");
        assert_eq!(
            (folder_title("a/get-started"), folder_title("API_docs")),
            ("Get started".to_owned(), "API docs".to_owned())
        );
        assert!(is_match("*", "a.md") && is_match("*.md", "a.md") && is_match("a*", "ab") && !is_match("*", "a/b.md"));
    }
}
