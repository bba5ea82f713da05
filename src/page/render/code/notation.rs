//! `[!code ++]` and its kin: marks that authors put in comments of the code.

use super::meta::{is_space, trim};

/// What marks say of one line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LineMarks {
    /// `[!code ++]`.
    pub added: bool,
    /// `[!code --]`.
    pub removed: bool,
    /// `[!code highlight]`.
    pub highlighted: bool,
    /// `[!code focus]`.
    pub focused: bool,
}

impl LineMarks {
    pub(super) fn is_plain(self) -> bool {
        self == Self::default()
    }
    fn join(&mut self, other: Self) {
        self.added |= other.added;
        self.removed |= other.removed;
        self.highlighted |= other.highlighted;
        self.focused |= other.focused;
    }
}

const OPENERS: [&str; 10] = ["{/*", "<!--", "//", "--", "/*", "#", ";", "%", "\"", "'"];

/// Takes the marks out of the code. `None` if there are none; else the clean code and the marks by line.
pub(super) fn take(code: &str) -> Option<(String, Vec<LineMarks>)> {
    if !code.contains("[!code") {
        return None;
    }
    let mut clean = String::with_capacity(code.len());
    let mut marks: Vec<LineMarks> = Vec::new();
    let mut ahead: Vec<(LineMarks, usize)> = Vec::new();
    let mut lines = 0;
    for line in code.split('\n') {
        let (shown, found) = strip(line);
        let dropped = !found.is_empty() && trim(&shown).is_empty();
        ahead.extend(found);
        if dropped {
            continue;
        }
        if lines > 0 {
            clean.push('\n');
        }
        lines += 1;
        clean.push_str(&shown);
        let mut here = LineMarks::default();
        ahead.retain_mut(|(mark, left)| {
            here.join(*mark);
            *left -= 1;
            *left > 0
        });
        marks.push(here);
    }
    Some((clean, marks))
}

/// Writes what Docusaurus calls `// highlight-next-line`, `// highlight-start` and `// highlight-end` as marks; `None`
/// if there is none.
pub(super) fn of_docusaurus(code: &str) -> Option<String> {
    if !code.contains("highlight-") {
        return None;
    }
    let word = |line: &str| {
        let inside = OPENERS.iter().find_map(|opener| trim(line).strip_prefix(opener)).map(trim)?;
        let inside = ["-->", "*/}", "*/"].iter().find_map(|closer| inside.strip_suffix(closer)).unwrap_or(inside);
        ["highlight-next-line", "highlight-start", "highlight-end"].into_iter().find(|word| *word == trim(inside))
    };
    let words: Vec<Option<&str>> = code.split('\n').map(word).collect();
    let mut ends: Vec<usize> =
        words.iter().enumerate().filter(|(_, word)| **word == Some("highlight-end")).map(|(at, _)| at).collect();
    ends.reverse();
    let mut lines: Vec<String> = Vec::with_capacity(words.len());
    for (at, (line, word)) in code.split('\n').zip(&words).enumerate() {
        while ends.last().is_some_and(|end| *end < at) {
            ends.pop();
        }
        match word {
            None => lines.push(line.to_owned()),
            Some("highlight-next-line") => lines.push("// [!code highlight]".to_owned()),
            Some("highlight-start") => {
                let end = ends.last().copied().unwrap_or(words.len());
                let count = words[at + 1..end].iter().filter(|word| word.is_none()).count();
                lines.extend((count > 0).then(|| format!("// [!code highlight:{count}]")));
            }
            Some(_) => {}
        }
    }
    words.iter().any(Option::is_some).then(|| lines.join("\n"))
}

/// A line without its marks, and what they say for how many lines from here (or from the next line, if none is left of
/// this one).
fn strip(line: &str) -> (String, Vec<(LineMarks, usize)>) {
    let mut shown = String::with_capacity(line.len());
    let mut found = Vec::new();
    let mut done = 0;
    let mut from = 0;
    while let Some(open) = line[from..].find("[!code").map(|at| from + at) {
        from = open + "[!code".len();
        let Some(space) = line[from..].chars().next().filter(|c| is_space(*c)) else { continue };
        let inside = from + space.len_utf8();
        let Some(close) = line[inside..].find(']').map(|at| inside + at) else { continue };
        found.extend(mark(&line[inside..close]));
        let before = line[done..open].trim_end_matches(is_space);
        let opener = OPENERS.iter().find(|opener| before.ends_with(**opener));
        let before = opener.map_or(before, |opener| before[..before.len() - opener.len()].trim_end_matches(is_space));
        shown.push_str(before);
        let after = line[close + 1..].trim_start_matches(is_space);
        let after = ["-->", "*/}", "*/"].iter().find_map(|closer| after.strip_prefix(closer)).unwrap_or(after);
        done = line.len() - after.len();
        from = done;
        if found.is_empty() {
            // a mark of a kind that has no effect here (`word:x`) goes all the same
            found.push((LineMarks::default(), 1));
        }
    }
    shown.push_str(&line[done..]);
    (shown, found)
}

/// `++`, `--:3`, `highlight`, `focus:2` …
fn mark(text: &str) -> Option<(LineMarks, usize)> {
    let (kind, count) = match trim(text).split_once(':') {
        Some((kind, count)) => (kind, count.parse().unwrap_or(1)),
        None => (trim(text), 1),
    };
    let mut mark = LineMarks::default();
    match kind {
        "++" => mark.added = true,
        "--" => mark.removed = true,
        "highlight" | "hl" | "warning" | "error" => mark.highlighted = true,
        "focus" => mark.focused = true,
        _ => return None,
    }
    Some((mark, count.max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `marks` has a letter per line: `+`, `-`, `h`, `f` or `.`.
    #[track_caller]
    fn check(code: &str, clean: &str, marks: &str) {
        let (shown, found) = take(code).expect("has marks");
        let letters: String = found
            .iter()
            .map(|mark| match mark {
                LineMarks { added: true, .. } => '+',
                LineMarks { removed: true, .. } => '-',
                LineMarks { highlighted: true, .. } => 'h',
                LineMarks { focused: true, .. } => 'f',
                _ => '.',
            })
            .collect();
        assert_eq!((shown.as_str(), letters.as_str()), (clean, marks), "{code}");
    }

    #[test]
    fn comments_of_docusaurus_are_marks() {
        let check =
            |code: &str, clean: &str, marks: &str| check(&of_docusaurus(code).unwrap_or_default(), clean, marks);
        check("a\n// highlight-next-line\nb\nc", "a\nb\nc", ".h.");
        check("# highlight-start\na\nb\n# highlight-end\nc", "a\nb\nc", "hh.");
        check("<!-- highlight-start -->\na\nb", "a\nb", "hh");
        assert_eq!(of_docusaurus("let highlight-start = 1; // highlight-next-line of it"), None);
    }

    #[test]
    fn comments_of_every_kind_go() {
        check("let a = 1; // [!code ++]\nb", "let a = 1;\nb", "+.");
        check("x # [!code --]", "x", "-");
        check("<p/> <!-- [!code highlight] -->", "<p/>", "h");
        check("a /* [!code focus] */ b", "a b", "f");
        check("{/* [!code ++] */}<A />", "<A />", "+");
        check("select 1 -- [!code ++]", "select 1", "+");
        check("plain [!code hl]", "plain", "h");
    }

    #[test]
    fn counts_reach_over_lines() {
        check("a // [!code ++:2]\nb\nc", "a\nb\nc", "++.");
        check("// [!code --:2]\na\nb\nc", "a\nb\nc", "--.");
        check("a // [!code ++:0]\nb", "a\nb", "+.");
    }

    #[test]
    fn other_marks_leave_no_trace() {
        check("a // [!code word:foo]\nb", "a\nb", "..");
        check("// [!code word:foo:2]\nfoo", "foo", ".");
        assert_eq!(take("no marks"), None);
        check("x [!code] y", "x [!code] y", ".");
        check("x [!code ++", "x [!code ++", ".");
        check("a // [!code ++] // [!code focus]", "a", "+");
    }

    proptest::proptest! {
        #[test]
        fn any_code_survives(code in "([a-z /#*\n-]|\\[!code |\\]|[+]{2}|:[0-9]{1,20}){0,40}") {
            if let Some((clean, marks)) = take(&code) {
                proptest::prop_assert_eq!(clean.split('\n').count().max(1), marks.len().max(1));
            }
        }
    }
}
