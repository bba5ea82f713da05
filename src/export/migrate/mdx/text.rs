//! Words as MDX: what Markdown or MDX would read something else in is escaped.

use std::borrow::Cow;

use base::cut::SliceText as _;
use markup::esm;

/// What has to be known of the block that words stand in.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TextSurroundings {
    /// In a cell of a table, where a bar ends the cell.
    pub(super) in_cell: bool,
    /// The block has more than one dollar: two of them may be math.
    pub(super) has_dollars: bool,
    /// The block has more than one tilde: two of them strike what is between them.
    pub(super) has_tildes: bool,
}

/// Appends words with the escapes that they need. `after`: the character that follows them, if it is known.
pub(super) fn push_escaped(out: &mut String, text: &str, after: Option<char>, around: TextSurroundings) {
    let mut before = out.chars().next_back();
    let mut rest = text.chars();
    let mut offset = 0;
    while let Some(c) = rest.next() {
        let next = rest.clone().next().or(after);
        let is_special = match c {
            '\\' => next.is_none_or(|next| next.is_ascii_punctuation() || next == '\n'),
            '`' | '<' | '{' => true,
            // at the start of a line it would begin a list
            '*' => !(before.is_some_and(|c| c.is_whitespace() && c != '\n') && next.is_some_and(char::is_whitespace)),
            '_' => !(before.is_some_and(char::is_alphanumeric) && next.is_some_and(char::is_alphanumeric)),
            '~' => around.has_tildes,
            '$' => around.has_dollars,
            '[' => next.is_none_or(|next| next == '^'),
            ']' => next.is_none_or(|next| matches!(next, '(' | '[' | ':')),
            '!' => next == Some('['),
            '&' => starts_character_reference(text.slice(offset..)),
            '|' => around.in_cell,
            _ => false,
        };
        if is_special {
            out.push('\\');
        }
        match c {
            '\u{a0}' => out.push_str("&nbsp;"),
            '\u{200b}' => out.push_str("&#8203;"),
            c => out.push(c),
        }
        offset += c.len_utf8();
        before = Some(c);
    }
}

/// Whether text starts with a character reference: `&amp;`, `&#8288;`.
fn starts_character_reference(text: &str) -> bool {
    let name = text.bytes().skip(1).take(32).take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'#').count();
    name > 0 && text.as_bytes().get(name + 1) == Some(&b';')
}

/// The lines of a paragraph with an escape where one would begin a block of another kind.
pub(super) fn without_block_starts(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 4);
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            out.push('\n');
        }
        // what MDX reads as a statement of JavaScript begins with one of two words
        if number == 0 && esm::starts_statement(line) {
            out.push_str(&format!("&#{};{}", line.as_bytes()[0], line.slice(1..)));
            continue;
        }
        match block_mark(line) {
            Some(at) => out.push_str(&format!("{}\\{}", line.slice(..at), line.slice(at..))),
            None => out.push_str(line),
        }
    }
    out
}

/// Where the character stands that makes a line a heading, quote, list, rule, table or task; `None` if it is text.
fn block_mark(line: &str) -> Option<usize> {
    let bytes = line.as_bytes();
    let is_space = |at: usize| bytes.get(at).is_none_or(u8::is_ascii_whitespace);
    let starts = match bytes.first()? {
        b'#' => is_space(bytes.iter().take_while(|byte| **byte == b'#').count()),
        b'>' | b'|' => true,
        b'-' => is_space(1) || line.starts_with("--"),
        b'+' => is_space(1),
        b'=' => line.trim_end().bytes().all(|byte| byte == b'='),
        b':' => line.bytes().all(|byte| matches!(byte, b':' | b'-' | b'|' | b' ')),
        b'[' => ["[ ]", "[x]", "[X]"].iter().any(|mark| line.starts_with(mark)) && is_space(3),
        b'0'..=b'9' => {
            let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let is_list = digits < 10 && matches!(bytes.get(digits), Some(b'.' | b')')) && is_space(digits + 1);
            return is_list.then_some(digits);
        }
        _ => false,
    };
    starts.then_some(0)
}

/// A code span that its code cannot close, on one line.
pub(super) fn push_code(out: &mut String, code: &str, in_cell: bool) {
    let code: Cow<'_, str> = if code.contains('\n') { code.replace('\n', " ").into() } else { code.into() };
    let code: Cow<'_, str> = if in_cell && code.contains('|') { code.replace('|', "\\|").into() } else { code };
    let ticks = "`".repeat(shortest_absent_run(&code));
    // one space at both ends is no part of a code span
    let is_padded = code.starts_with(' ') && code.ends_with(' ') && !code.trim().is_empty();
    let space = if code.starts_with('`') || code.ends_with('`') || is_padded { " " } else { "" };
    for piece in [ticks.as_str(), space, &code, space, &ticks] {
        out.push_str(piece);
    }
}

/// The length of the shortest run of backticks that a code does not hold.
fn shortest_absent_run(code: &str) -> usize {
    let runs: Vec<usize> = code.split(|c| c != '`').map(str::len).collect();
    (1..).find(|length| !runs.contains(length)).unwrap_or(1)
}

/// An address as the target of a link.
pub(super) fn mdx_link_destination(url: &str) -> Cow<'_, str> {
    let is_bare = !url.is_empty()
        && !url.starts_with('<')
        && url.chars().all(|c| !c.is_whitespace() && !c.is_control() && !matches!(c, '(' | ')' | '\\' | '{' | '`'));
    if is_bare {
        return url.into();
    }
    let mut out = String::from("<");
    for c in url.chars() {
        match c {
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            '\n' | '\r' => out.push_str("%0A"),
            '{' => out.push_str("%7B"),
            '`' => out.push_str("%60"),
            '\\' => out.push_str("\\\\"),
            c => out.push(c),
        }
    }
    out.push('>');
    out.into()
}

/// The title of a link or picture behind its address.
pub(super) fn link_title(title: &str, in_cell: bool) -> String {
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    if title.is_empty() {
        return title;
    }
    let mark = if title.contains('"') && !title.contains('\'') { '\'' } else { '"' };
    let mut out = format!(" {mark}");
    for (at, c) in title.char_indices() {
        if c == mark
            || c == '\\'
            || c == '|' && in_cell
            || matches!(c, '`' | '<' | '{' | '$')
            || c == '&' && starts_character_reference(title.slice(at..))
        {
            out.push('\\');
        }
        out.push(c);
    }
    out.push(mark);
    out
}
