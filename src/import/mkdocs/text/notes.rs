//! Notes of code: `# (1)!` in a comment, and the first item of the list below the block says what it means.
//!
//! The marks become those of this program (`# [!code note:3-1]`, the first note of the third such list), the items get
//! the anchors that these lead to. A number that has no item is text, as it is in Material.

use base::cut::{SliceText as _, cut};

use super::attributes;
use super::block::MkDocsWriter;
use super::lines::{BlockLine, LineKind, Out, blank, raw};
use super::list::list_item_lines;
use super::starts::marker_of;

/// A list of notes: its number on the page, and how many items it has.
pub(super) type NoteList = (usize, usize);

/// Most items that are looked for.
const MAX_NOTE_ITEMS: usize = 200;

/// What begins a comment in languages whose comments begin with something else than a hash.
const OPENERS: [(&str, &[&str]); 6] = [
    (
        " c cpp c++ cc h hpp cs csharp java js jsx javascript ts tsx typescript json jsonc json5 go golang rust rs swift kotlin kt \
         scala dart groovy css scss sass less proto protobuf graphql gql jsonnet verilog zig d objc objective-c solidity \
         typst wgsl glsl hlsl cuda pug bicep ",
        &["//", "{/*", "/*", "#"],
    ),
    (" php hcl terraform tf nginx puppet thrift ", &["#", "//", "/*"]),
    (" html xml svg md markdown vue svelte astro mdx xhtml xslt ", &["<!--", "{/*", "//", "/*", "#"]),
    (" jinja jinja2 django html+jinja html+django twig liquid ", &["{#", "<!--", "#", "//"]),
    (
        " sql postgresql postgres psql mysql plpgsql sqlite lua haskell hs elm ada vhdl applescript purescript ",
        &["--", "/*", "{-", "//"],
    ),
    (" ini cfg lisp scheme clojure clj elisp asm nasm tex latex matlab erlang prolog dosini ", &[";", "#", "%"]),
];

impl MkDocsWriter<'_> {
    /// The list that begins below a block of code, if it is one of notes.
    pub(super) fn notes_below(&self, below: &[BlockLine<'_>]) -> Option<NoteList> {
        let is_nothing = |line: &BlockLine<'_>| {
            let text = line.text.trim();
            let is_comment = text.starts_with("<!--") && text.find("-->") == text.len().checked_sub(3);
            text.is_empty() || is_comment || self.syntax.attributes && attributes::alone(text).is_some()
        };
        let mut at = below.iter().position(|line| !is_nothing(line))?;
        marker_of(below[at])?.0?;
        let mut items = 0;
        while items < MAX_NOTE_ITEMS
            && let Some((_, width)) = below.get(at).and_then(|line| marker_of(*line))
        {
            items += 1;
            let (_, next) = list_item_lines(below, at, width);
            let blanks = below[next..].iter().take_while(|line| line.is_blank()).count();
            at = next + blanks;
        }
        Some((self.note_lists + 1, items))
    }

    /// Writes the lines of code; whether one of them has a note.
    pub(super) fn code_with_notes(
        &mut self,
        code: &[BlockLine<'_>],
        indent: usize,
        language: &str,
        notes: Option<NoteList>,
        out: &mut Vec<Out>,
    ) -> bool {
        let mut is_marked = false;
        for line in code {
            let text = line.cut(indent).text;
            let marked = notes.and_then(|notes| mark_code_notes(text, language, notes));
            is_marked |= marked.is_some();
            out.push(raw(*line, marked.as_deref().unwrap_or(text)));
        }
        self.note_lists += usize::from(is_marked);
        is_marked
    }
}

/// A line of code with marks of notes; `None` if it has none.
fn mark_code_notes(line: &str, language: &str, (list, items): NoteList) -> Option<String> {
    line.contains('(').then_some(())?;
    let (start, opener) = find_line_comment(line, language)?;
    let (code, comment) = cut(line, start);
    let mut out = String::new();
    let mut rest = comment;
    while let Some((before, after)) = rest.split_once('(') {
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        let number: Option<usize> = after.slice(..digits).parse().ok();
        let is_note = number.is_some_and(|number| (1..=items).contains(&number));
        let Some(behind) = after.slice(digits..).strip_prefix(')').filter(|_| is_note) else {
            out.push_str(before);
            out.push('(');
            rest = after;
            continue;
        };
        let mark = format!("[!code note:{list}-{}]", after.slice(..digits));
        if behind.starts_with('!') {
            // the mark stands for the whole comment
            let closer = closer_of(opener);
            let tail = behind.find(closer).filter(|_| !closer.is_empty()).map_or("", |end| behind.slice(end..));
            let space = if tail.is_empty() { "" } else { " " };
            return Some(format!("{code}{opener} {mark}{space}{tail}"));
        }
        out.push_str(before);
        out.push_str(&mark);
        rest = behind;
    }
    (rest.len() < comment.len() && out.contains("[!code note:")).then(|| format!("{code}{out}{rest}"))
}

/// Words in which the numbers of notes lead to them; `None` if there are none.
pub(super) fn linked(words: &str, (list, items): NoteList) -> Option<String> {
    let mut out = String::with_capacity(words.len() + 32);
    let mut is_code = false;
    let mut rest = words;
    while let Some(c) = rest.chars().next() {
        is_code ^= c == '`';
        let digits = rest.slice(c.len_utf8()..).bytes().take_while(u8::is_ascii_digit).count();
        let number: Option<usize> = rest.slice(c.len_utf8()..).slice(..digits).parse().ok();
        let is_note = c == '(' && !is_code && !out.ends_with([']', '\\']) && rest.slice(1 + digits..).starts_with(')');
        match number.filter(|number| is_note && (1..=items).contains(number)) {
            Some(number) => {
                out.push_str(&format!("[({number})](#code-note-{list}-{number})"));
                rest = rest.slice(digits + 2..);
            }
            None => {
                out.push(c);
                rest = rest.slice(c.len_utf8()..);
            }
        }
    }
    (out.len() > words.len()).then_some(out)
}

/// Where the comment of a line begins, and what begins it.
fn find_line_comment(line: &str, language: &str) -> Option<(usize, &'static str)> {
    let name = format!(" {} ", language.to_ascii_lowercase());
    if matches!(name.trim(), "" | "text" | "txt" | "plain" | "plaintext" | "none") {
        return None;
    }
    let known = OPENERS.iter().find(|(names, _)| names.contains(&name));
    let openers = known.map_or(&["#"][..], |(_, openers)| openers);
    let found = openers.iter().filter_map(|opener| {
        let starts = line.match_indices(opener).map(|(at, _)| at).find(|at| begins_comment(line, *at, opener));
        Some((starts?, *opener))
    });
    // `{#` is no `#`
    found.min_by_key(|(at, opener)| (*at, usize::MAX - opener.len()))
}

/// Whether a comment begins where its mark stands: not so in `https://`, `#fff` or `--flag`.
fn begins_comment(line: &str, at: usize, opener: &str) -> bool {
    let before = line.slice(..at).chars().next_back();
    let after = line.slice(at + opener.len()..).chars().next();
    let is_apart =
        before.is_none_or(|c| c.is_whitespace() || matches!(c, ')' | ']' | '}' | ';' | ',' | '"' | '\'' | '>'));
    match opener {
        "#" | ";" | "%" => is_apart && after.is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '#' | ';' | '%')),
        "--" => is_apart && after.is_none_or(char::is_whitespace),
        "//" => before != Some(':'),
        _ => true,
    }
}

/// What ends a comment; empty for the end of the line.
fn closer_of(opener: &str) -> &'static str {
    match opener {
        "<!--" => "-->",
        "/*" => "*/",
        "{/*" => "*/}",
        "{#" => "#}",
        "{-" => "-}",
        _ => "",
    }
}

/// Gives an item of a list of notes its anchor.
pub(super) fn name_item(blocks: &mut Vec<Out>, list: usize, number: usize, at: BlockLine<'_>) {
    let anchor = format!("<a id=\"code-note-{list}-{number}\"></a>");
    match blocks.first_mut() {
        Some(first) if matches!(first.kind, LineKind::Words(_)) && first.lead.is_empty() => first.lead = anchor,
        _ => {
            let alone = Out { lead: anchor, ..raw(at, "") };
            blocks.splice(0..0, [alone, blank(at)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_words_are_links() {
        let check = |words: &str, expect: &str| assert_eq!(linked(words, (1, 2)).as_deref().unwrap_or(words), expect);
        check("a (1) b (2), c (3)", "a [(1)](#code-note-1-1) b [(2)](#code-note-1-2), c (3)");
        check("é(1) `(2)` [x](1) \\(1)", "é[(1)](#code-note-1-1) `(2)` [x](1) \\(1)");
        check("(x) (", "(x) (");
    }

    #[test]
    fn marks_stand_in_comments() {
        let check = |language: &str, line: &str, expect: &str| {
            assert_eq!(mark_code_notes(line, language, (4, 3)).as_deref().unwrap_or(line), expect, "{language}");
        };
        check("yaml", "a: b # (1)!", "a: b # [!code note:4-1]");
        check("yaml", "  #(2)", "  #[!code note:4-2]");
        check("python", "f(1) # (4)! or (0)", "f(1) # (4)! or (0)");
        check("python", "f(1) # see (1), (3) and (a)", "f(1) # see [!code note:4-1], [!code note:4-3] and (a)");
        check("python", "f(1) # words (2)! more", "f(1) # [!code note:4-2]");
        check("python", "a // (1)", "a // (1)");
        check("js", "a(\"https://b\"); // (1)!", "a(\"https://b\"); // [!code note:4-1]");
        check("css", "a { b: #fff; /* (1)! */ }", "a { b: #fff; /* [!code note:4-1] */ }");
        check("html", "<a> <!-- x (1)! --></a>", "<a> <!-- [!code note:4-1] --></a>");
        check("jinja", "{# (1)! #} {% a %}", "{# [!code note:4-1] #} {% a %}");
        check("sql", "select 1 -- (1)", "select 1 -- [!code note:4-1]");
        check("sh", "a --b (1)", "a --b (1)");
        check("text", "a # (1)!", "a # (1)!");
        check("", "a # (1)!", "a # (1)!");
    }
}
