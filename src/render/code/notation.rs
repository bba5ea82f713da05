//! `[!code ++]` and its kin: marks that authors put in comments of the code.
//!
//! `[!code note:2]` stands where the second note of the list below the code belongs; in `[!code note:1-2]` the whole of
//! `1-2` names the note, for pages with several such lists.

use std::ops::Range;

use memchr::memmem;

use base::cut::SliceText as _;

use markup::fence_info::{is_space, trim_meta};

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

const OPENERS: [&str; 12] = ["{/*", "{#", "{-", "<!--", "//", "--", "/*", "#", ";", "%", "\"", "'"];

/// Where a note belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NoteMark {
    /// Byte of the clean code.
    pub at: usize,
    /// `2`, or `1-2` with the number of its list.
    pub name: String,
}

impl NoteMark {
    /// What readers see: its number in the list.
    pub(super) fn number(&self) -> &str {
        number_of(&self.name)
    }
}

/// The number of a note in its list.
fn number_of(name: &str) -> &str {
    name.rsplit('-').next().unwrap_or(name)
}

/// What marks say of code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CodeMarks {
    /// The marks of each line.
    pub lines: Vec<LineMarks>,
    /// The notes, in the order in which the code names them.
    pub notes: Vec<NoteMark>,
}

/// Takes the marks out of the code. `None` if there are none; else the clean code and what they say.
pub(super) fn take_code_marks(code: &str) -> Option<(String, CodeMarks)> {
    if !code.contains("[!code") {
        return None;
    }
    let mut clean = String::with_capacity(code.len());
    let mut marks: Vec<LineMarks> = Vec::new();
    let mut notes: Vec<NoteMark> = Vec::new();
    let mut ahead: Vec<(LineMarks, usize)> = Vec::new();
    let mut lines = 0;
    for line in code.split('\n') {
        let UnmarkedLine { shown, found, notes: own } = strip(line);
        let dropped = !found.is_empty() && own.is_empty() && trim_meta(&shown).is_empty();
        ahead.extend(found);
        if dropped {
            continue;
        }
        if lines > 0 {
            clean.push('\n');
        }
        lines += 1;
        notes.extend(own.into_iter().map(|note| NoteMark { at: clean.len() + note.at, ..note }));
        clean.push_str(&shown);
        let mut here = LineMarks::default();
        ahead.retain_mut(|(mark, left)| {
            here.join(*mark);
            *left -= 1;
            *left > 0
        });
        marks.push(here);
    }
    Some((clean, CodeMarks { lines: marks, notes }))
}

/// Code in which the marks of notes are their numbers, `(2)`; `None` if it has none.
pub(super) fn with_numbers(code: &str) -> Option<String> {
    const MARK: &str = "[!code note:";
    // most code has none, and `split_once` is slow to say so
    memmem::find(code.as_bytes(), MARK.as_bytes())?;
    let mut rest = code;
    let mut out = String::new();
    while let Some((before, after)) = rest.split_once(MARK) {
        out.push_str(before);
        match after.split_once(']') {
            Some((name, after)) if is_note_name(name) => {
                out.push_str(&format!("({})", number_of(name)));
                rest = after;
            }
            _ => {
                out.push_str(MARK);
                rest = after;
            }
        }
    }
    Some(out + rest)
}

/// Whether a text names a note.
fn is_note_name(name: &str) -> bool {
    !number_of(name).is_empty() && name.len() < 32 && name.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
}

/// Writes what Docusaurus calls `// highlight-next-line`, `// highlight-start` and `// highlight-end` as marks; `None`
/// if there is none.
pub(super) fn of_docusaurus(code: &str) -> Option<String> {
    if !code.contains("highlight-") {
        return None;
    }
    let word = |line: &str| {
        let inside = OPENERS.iter().find_map(|opener| trim_meta(line).strip_prefix(opener)).map(trim_meta)?;
        let inside = ["-->", "*/}", "*/"].iter().find_map(|closer| inside.strip_suffix(closer)).unwrap_or(inside);
        ["highlight-next-line", "highlight-start", "highlight-end"].into_iter().find(|word| *word == trim_meta(inside))
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

/// A line without its marks.
struct UnmarkedLine {
    shown: String,
    /// What they say for how many lines from here (or from the next line, if none is left of this one).
    found: Vec<(LineMarks, usize)>,
    /// Places in the line.
    notes: Vec<NoteMark>,
}

fn strip(line: &str) -> UnmarkedLine {
    let mut shown = String::with_capacity(line.len());
    let mut found = Vec::new();
    let mut notes = Vec::new();
    let mut done = 0;
    let mut from = 0;
    while let Some(open) = line.slice(from..).find("[!code").map(|at| from + at) {
        from = open + "[!code".len();
        let Some(mark) = CodeMark::read(line, open) else { continue };
        let mut marks = vec![mark.text];
        let mut end = mark.end;
        // several marks in a row are one
        while mark.note.is_none()
            && let rest = line.slice(end..).trim_start_matches(is_space)
            && let Some(next) = CodeMark::read(line, line.len() - rest.len()).filter(|next| next.note.is_none())
        {
            marks.push(next.text);
            end = next.end;
        }
        let Some(comment) = Comment::around(line, done, open..end) else {
            // a mark in a comment of several lines, or one that stands for itself
            if mark.note.is_none() {
                continue;
            }
            shown.push_str(line.slice(done..open));
            notes.push(NoteMark { at: shown.len(), name: mark.note.unwrap_or_default().to_owned() });
            found.push((LineMarks::default(), 1));
            (done, from) = (mark.end, mark.end);
            continue;
        };
        found.extend(marks.into_iter().filter_map(parse_line_mark));
        let (before, after) = comment.without_mark(mark.note.is_some());
        shown.push_str(before);
        notes.extend(mark.note.map(|name| NoteMark { at: shown.len(), name: name.to_owned() }));
        done = line.len() - after.len();
        from = done;
        if found.is_empty() {
            // a mark of a kind that has no effect here (`word:x`) goes all the same
            found.push((LineMarks::default(), 1));
        }
    }
    shown.push_str(line.slice(done..));
    UnmarkedLine { shown, found, notes }
}

/// A mark in a line.
struct CodeMark<'l> {
    /// The text of the mark behind `[!code `.
    text: &'l str,
    /// The name of the note whose place it is.
    note: Option<&'l str>,
    /// Where the line goes on.
    end: usize,
}

impl<'l> CodeMark<'l> {
    /// The mark that begins at `open`. Two spaces are how authors show a mark instead of using it.
    fn read(line: &'l str, open: usize) -> Option<Self> {
        let inside = line.slice(open..).strip_prefix("[!code")?;
        let space = inside.chars().next().filter(|c| is_space(*c))?;
        let inside = inside.slice(space.len_utf8()..);
        let text = inside.split_once(']').filter(|(text, _)| !text.starts_with(is_space))?.0;
        let note = trim_meta(text).strip_prefix("note:").filter(|name| is_note_name(name));
        let is_known = note.is_some() || parse_line_mark(text).is_some() || trim_meta(text).starts_with("word:");
        is_known.then_some(())?;
        Some(Self { text, note, end: line.len() - inside.len() + text.len() + 1 })
    }
}

/// The comment that a mark stands in.
struct Comment<'l> {
    /// What stands before the mark.
    before: &'l str,
    /// The sign of the comment, if it stands right before the mark.
    opener: Option<&'static str>,
    /// What stands behind the mark.
    after: &'l str,
}

impl<'l> Comment<'l> {
    /// The comment around the mark at `at`; `None` if it stands in no comment of this line. What stands before `done` has
    /// been read.
    fn around(line: &'l str, done: usize, at: Range<usize>) -> Option<Self> {
        let (before, after) = (line.slice(done..at.start), line.slice(at.end..));
        let trimmed = before.trim_end_matches(is_space);
        let opener = OPENERS.iter().find(|opener| trimmed.ends_with(**opener)).copied();
        let opener = opener.or_else(|| (trimmed.trim_start_matches(is_space) == "*").then_some("*"));
        let code = line.slice(..at.start).trim_end_matches(is_space);
        let is_quote = matches!(opener, Some("\"" | "'"));
        let code = code.slice(..code.len() - opener.filter(|_| !is_quote).map_or(0, str::len));
        // a quote that is closed behind the mark is one around a text
        let is_text = open_quote(code).is_some_and(|quote| after.contains(quote));
        if is_text || (opener.is_none() && !has_comment(line.slice(..at.start))) {
            return None;
        }
        Some(Self { before, opener, after })
    }

    /// What stands before and behind the mark, without it: the comment goes if it says nothing else. The place of a note
    /// is in the text: `is_note`.
    fn without_mark(&self, is_note: bool) -> (&'l str, &'l str) {
        let before = self.before.trim_end_matches(is_space);
        let after = self.after.trim_start_matches(is_space);
        let closed = ["-->", "*/}", "*/", "#}", "-}"].iter().find_map(|closer| after.strip_prefix(closer));
        let Some(opener) = self.opener else {
            // words of the comment stand before
            return match (is_note, after.is_empty()) {
                (true, _) => (self.before, self.after),
                (false, true) => (before, after),
                (false, false) => (before, self.after),
            };
        };
        let code = before.slice(..before.len() - opener.len());
        // another comment with a mark
        let goes_on = |after: &str| {
            let next = OPENERS.iter().find_map(|opener| after.strip_prefix(opener));
            next.is_some_and(|next| next.trim_start_matches(is_space).starts_with("[!code"))
        };
        if closed.is_none() && !is_note && !after.is_empty() && !goes_on(after) {
            return (before, self.after);
        }
        let words = code.trim_end_matches(is_space);
        // the note of a line of its own is indented as the code is
        let before = if words.is_empty() && is_note { code } else { words };
        match closed {
            Some(after) => (before, after),
            None => (before, if is_note { self.after } else { after }),
        }
    }
}

/// The quote that a text before a mark leaves open.
fn open_quote(text: &str) -> Option<char> {
    let mut open = None;
    let mut is_escaped = false;
    for c in text.chars() {
        match (c, open) {
            _ if is_escaped => is_escaped = false,
            ('\\', _) => is_escaped = true,
            (c, Some(quote)) if c == quote => open = None,
            ('"' | '\'' | '`', None) => open = Some(c),
            _ => {}
        }
    }
    open
}

/// Whether a comment begins in a text before a mark.
fn has_comment(text: &str) -> bool {
    let signs = OPENERS.iter().filter(|opener| !matches!(**opener, "\"" | "'"));
    signs.flat_map(|opener| text.match_indices(opener)).any(|(at, _)| open_quote(text.slice(..at)).is_none())
        || text.trim_start_matches(is_space).starts_with('*')
}

/// `++`, `--:3`, `highlight`, `focus:2` …
fn parse_line_mark(text: &str) -> Option<(LineMarks, usize)> {
    let (kind, count) = match trim_meta(text).split_once(':') {
        Some((kind, count)) => (kind, count.parse().unwrap_or(1)),
        None => (trim_meta(text), 1),
    };
    let mut mark = LineMarks::default();
    match kind {
        "++" => mark.added = true,
        "--" => mark.removed = true,
        "highlight" | "hl" | "warning" | "error" | "info" => mark.highlighted = true,
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
        let (shown, found) = take_code_marks(code).expect("has marks");
        let letters: String = found
            .lines
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
        check("a // [!code ++] slowly", "a // slowly", "+");
        check("a # why [!code hl] it is", "a # why it is", "h");
        check("<p/> <!-- [!code hl] why -->", "<p/> <!-- why -->", "h");
        check("a // [!code ++] [!code focus]", "a", "+");
        check(" * [!code hl] why", " * why", "h");
        check("x = 1 ' [!code ++]", "x = 1", "+");
        check("don't // [!code ++]", "don't", "+");
    }

    #[test]
    fn notes_have_their_places() {
        let check = |code: &str, clean: &str, notes: &[(usize, &str)]| {
            let (shown, marks) = take_code_marks(code).expect("has marks");
            let found: Vec<(usize, &str)> = marks.notes.iter().map(|note| (note.at, note.number())).collect();
            assert_eq!((shown.as_str(), found.as_slice()), (clean, notes), "{code}");
        };
        check("a: b # [!code note:1]\nc", "a: b\nc", &[(4, "1")]);
        check("a\n  # [!code note:3-12]\nb", "a\n  \nb", &[(4, "12")]);
        check("<p> <!-- [!code note:1] --></p>", "<p></p>", &[(3, "1")]);
        check("a # see [!code note:1] and [!code note:2]", "a # see  and ", &[(8, "1"), (13, "2")]);
        check("a /* x [!code note:1] */ b", "a /* x  */ b", &[(7, "1")]);
        check("é # [!code note:1] # [!code ++]", "é", &[(2, "1")]);
        check("a [!code note:x]", "a [!code note:x]", &[]);
        assert_eq!(with_numbers("a # [!code note:3-12] b").as_deref(), Some("a # (12) b"));
        assert_eq!(with_numbers("a # [!code ++]"), None);
        assert_eq!(with_numbers("[!code note:x] [!code note:").as_deref(), Some("[!code note:x] [!code note:"));
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
        assert_eq!(take_code_marks("no marks"), None);
        check("x [!code] y", "x [!code] y", ".");
        for line in [
            "plain [!code hl]",
            "s = \"[!code hl]\"",
            "s = '# [!code hl]'",
            "f(\" [!code ++] \") // why",
            "a // [!code  ++]",
            "a // see [!code notes]",
            "a // [!code note:x] b",
            "a // [!code ++",
        ] {
            check(line, line, ".");
        }
        check("x [!code ++", "x [!code ++", ".");
        check("a // [!code ++] // [!code focus]", "a", "+");
    }

    proptest::proptest! {
        #[test]
        fn any_code_survives(code in "([a-zé /#*\n-]|\\[!code |note:1|\\]|[+]{2}|:[0-9]{1,20}){0,40}") {
            if let Some((clean, marks)) = take_code_marks(&code) {
                proptest::prop_assert_eq!(clean.split('\n').count().max(1), marks.lines.len().max(1));
                proptest::prop_assert!(marks.notes.iter().all(|note| clean.is_char_boundary(note.at)));
                proptest::prop_assert!(marks.notes.is_sorted_by_key(|note| note.at));
            }
            let _ = with_numbers(&code);
        }
    }
}
