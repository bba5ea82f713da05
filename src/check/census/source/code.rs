//! Blocks of code: where they end, and what of them is shown.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem;

use base::cut::SliceText as _;

use super::{Medium, SourceReader, skip_while};

/// Settings of a block of code that are no part of its title.
const SETTINGS: [&str; 7] = ["expandable", "focus", "highlight", "lines", "nocopy", "twoslash", "wrap"];

/// What may be written in code for the tool that shows it: most blocks have nothing of it.
static NOTES: LazyLock<[memmem::Finder<'static>; 7]> =
    LazyLock::new(|| ["[!code", "highlight-", ")!", "{{", "{%", "{!", "--8<--"].map(memmem::Finder::new));

impl SourceReader<'_> {
    /// Reads a block of code whose marks stand at `marks`; `false` if there is none.
    pub(super) fn fence(&mut self, marks: usize) -> bool {
        let mark = self.byte(marks);
        let info = skip_while(self.bytes, marks, |byte| byte == mark);
        let head_end = self.line_end(info);
        let head = self.text.get(info..head_end).unwrap_or_default();
        if info - marks < 3 || mark == b'`' && head.contains('`') {
            return false;
        }
        // what stands in it is the text of the page
        let is_mdx_block = head.trim() == "mdx-code-block" || head.trim_start().starts_with("admonish");
        if is_mdx_block || self.in_mdx_block && head.trim().is_empty() {
            self.in_mdx_block = is_mdx_block;
            self.skip_to(head_end);
            return true;
        }
        let first = (head_end + 1).min(self.bytes.len());
        let (end, after) = self.fence_end(first, marks, info - marks);
        self.skip_to(first);
        let inside = first..end;
        let language = head.trim_start_matches(|c: char| !c.is_alphanumeric());
        if language.starts_with("mermaid") {
            self.show(Medium::Diagram, marks, inside);
        } else if matches!(language.trim(), "math" | "latex" | "tex" | "katex") && mark == b'`' {
            self.show(Medium::Formula, marks, inside);
        } else {
            self.title(info..head_end);
            let word = language.split([' ', '{', '\r']).next().unwrap_or_default();
            self.code(inside, language.starts_with("rust"), self.syntax.fills_code || word.ends_with("-vue"));
        }
        (self.start, self.at) = (after, after);
        self.gap();
        true
    }

    /// Takes the title of a block of code from what stands behind its marks: a `title`, or what follows the language
    /// and is no setting.
    fn title(&mut self, head: Range<usize>) {
        let (mut at, mut number) = (head.start, 0);
        while at < head.end {
            // control characters, too: a word, which ends at them, never begins with one
            at = skip_while(self.bytes, at, |byte| byte <= b' ' && byte != b'\n');
            let start = at;
            let name_end =
                skip_while(self.bytes, at, |byte| byte > b' ' && !matches!(byte, b'=' | b'{' | b'"' | b'\''));
            at = match self.byte(name_end) {
                b'=' => self.setting_end(name_end + 1, head.end),
                b'{' => self.setting_end(name_end, head.end),
                _ => skip_while(self.bytes, name_end, |byte| byte > b' '),
            }
            .min(head.end);
            let word = self.text.get(start..at).unwrap_or_default();
            let is_setting = || SETTINGS.contains(&word.trim_matches(['[', ']']));
            if word.starts_with("title=\"") || word.starts_with("title='") {
                self.attribute_text(start + "title='".len()..at - 1);
                self.gap();
            } else if self.syntax.is_mintlify && number > 0 && at == name_end && !is_setting() {
                self.attribute_text(start..(at + 1).min(head.end));
            }
            number += 1;
        }
        self.gap();
    }

    /// Where the value of a setting ends: in quotes, in braces, or before a blank.
    fn setting_end(&self, at: usize, end: usize) -> usize {
        let close = match self.byte(at) {
            quote @ (b'"' | b'\'') => quote,
            b'{' => b'}',
            _ => return skip_while(self.bytes, at, |byte| byte > b' '),
        };
        let inside = self.bytes.get(at + 1..end).unwrap_or_default();
        memchr::memchr(close, inside).map_or(end, |length| at + length + 2)
    }

    /// Where the code ends, and where the text goes on behind its last marks. These are indented by less than four
    /// columns more than the first ones, and as they like in MDX.
    fn fence_end(&self, mut line: usize, marks: usize, length: usize) -> (usize, usize) {
        let mark = self.byte(marks);
        let most = marks - memchr::memrchr(b'\n', &self.bytes[..marks]).map_or(0, |newline| newline + 1) + 4;
        while line < self.bytes.len() {
            let end = self.line_end(line);
            let from = skip_while(self.bytes, line, |byte| matches!(byte, b' ' | b'\t' | b'>'));
            if self.byte(from) == mark && (self.syntax.is_mdx || from - line < most) {
                let to = skip_while(self.bytes, from, |byte| byte == mark);
                if to - from >= length && skip_while(self.bytes, to, |byte| matches!(byte, b' ' | b'\t' | b'\r')) >= end
                {
                    return (line, end);
                }
            }
            line = end + 1;
        }
        (self.bytes.len(), self.bytes.len())
    }

    /// Takes code without what is written in it for the tool that shows it. `is_filled`: `{{names}}` are replaced.
    fn code(&mut self, inside: Range<usize>, is_rust: bool, is_filled: bool) {
        let code = self.bytes.get(inside.clone()).unwrap_or_default();
        let hides = is_rust && self.syntax.hides_rust;
        if !hides && !NOTES.iter().any(|note| note.find(code).is_some()) {
            return self.push(inside);
        }
        let mut line = inside.start;
        while line < inside.end {
            let end = (self.line_end(line) + 1).min(inside.end);
            let text = self.text.get(line..end).unwrap_or_default();
            let is_hidden = hides && (text.trim() == "#" || text.trim_start().starts_with("# "));
            let is_include = ["--8<--", ";--8<--", "{!", "{*"].iter().any(|mark| text.trim_start().starts_with(mark));
            if !is_hidden && !is_include {
                self.line_of_code(line, text, is_filled);
            }
            line = end;
        }
    }

    fn line_of_code(&mut self, at: usize, text: &str, is_filled: bool) {
        let mut from = 0;
        while let Some((begin, end)) = note(text.slice(from..), is_filled) {
            self.push(at + from..at + from + begin);
            self.gap();
            from += end;
        }
        self.push(at + from..at + text.len());
    }

    /// Takes code in a sentence.
    pub(super) fn code_words(&mut self, end: usize) {
        while let Some((begin, after)) =
            replaced(self.text.get(self.at..end).unwrap_or_default(), self.syntax.fills_code)
        {
            let at = self.at;
            self.at = at + begin;
            self.skip_to(at + after);
        }
    }
}

/// The first note for the tool in a line of code: where it begins and ends.
fn note(text: &str, is_filled: bool) -> Option<(usize, usize)> {
    let found = text
        .find("[!code")
        .map(|begin| (begin, text.slice(begin..).find(']').map_or(text.len(), |end| begin + end + 1)));
    let found = found.or_else(|| text.find("highlight-").map(|begin| (begin, text.len())));
    let found = found.or_else(|| {
        let raw = ["{% raw %}", "{% endraw %}"];
        raw.iter().find_map(|mark| text.find(mark).map(|begin| (begin, begin + mark.len())))
    });
    let found = found.or_else(|| replaced(text, is_filled));
    found.or_else(|| annotation(text))
}

/// The first part of code that is replaced: `{{#include file}}`, shortcodes of Hugo, and variables.
fn replaced(text: &str, is_filled: bool) -> Option<(usize, usize)> {
    let between = |open: &str, close: &str| {
        // one that is written to be shown has a comment in it
        let mut all = text.match_indices(open).map(|(begin, _)| begin);
        let begin = all.find(|begin| !text.slice(begin + open.len()..).starts_with("/*"))?;
        Some((begin, begin + text.slice(begin..).find(close)? + close.len()))
    };
    let found = [between("{{#", "}}"), between("{{<", ">}}"), between("{{%", "%}}")].into_iter().flatten().min();
    found.or_else(|| if is_filled { filled(text) } else { None })
}

/// `{{name}}`, `{{ $frontmatter.name }}`
fn filled(text: &str) -> Option<(usize, usize)> {
    let begin = text.find("{{")?;
    let end = begin + text.slice(begin..).find("}}")?;
    let name = text.slice(begin + 2..end).trim();
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '$' | '_' | '-' | '.'));
    is_name.then_some((begin, end + 2))
}

/// `# (1)!`: the comment in which it stands is left out.
fn annotation(text: &str) -> Option<(usize, usize)> {
    let end = text.find(")!")?;
    let number = text.slice(..end).rfind('(')?;
    if number + 1 == end || !text.slice(number + 1..end).bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let comments = ["//", "/*", "#", "--", "<!--", ";", "%"];
    let begin = comments.iter().filter_map(|mark| text.slice(..number).rfind(mark)).max().unwrap_or(number);
    Some((begin, text.len()))
}
