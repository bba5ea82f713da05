//! Text with its marks: code in sentences, links, pictures, tags, expressions, formulas.

use memchr::{memchr, memmem};

use base::bytes::{byte_set, find_pair};
use base::html::{MAX_REFERENCE_BYTES, decode_character_references};

use super::{Medium, SourceReader, script, skip_blanks, skip_while};

/// Bytes that may begin something else than text.
const MARKS: [bool; 256] = byte_set(b"\n\\`<{]![&:*$+%^");
/// Longest look ahead within a sentence.
const MAX_AHEAD: usize = 1 << 13;
/// Longest label of a reference, bytes.
const MAX_LABEL: usize = 1000;

impl<'s> SourceReader<'s> {
    /// What follows in the line of `at`, as far as one looks ahead.
    fn ahead(&self, at: usize) -> &'s [u8] {
        let window = self.rest(at);
        let window = &window[..window.len().min(MAX_AHEAD)];
        &window[..memchr(b'\n', window).unwrap_or(window.len())]
    }

    /// Reads to the end of a line, or of what began in it.
    pub(super) fn line(&mut self) {
        while self.at < self.bytes.len() {
            if self.budget == 0 {
                self.at = (self.line_end(self.at) + 1).min(self.bytes.len());
                return;
            }
            self.at = skip_while(self.bytes, self.at, |byte| !MARKS[usize::from(byte)]);
            let at = self.at;
            match self.byte(at) {
                b'\n' => {
                    self.at += 1;
                    return;
                }
                b'\\' => self.escape(),
                b'`' => self.code_span(),
                b'<' => self.angle(),
                b'{' => self.brace(),
                b']' => self.link_end(),
                b'[' => self.bracket(),
                b'!' => self.picture(),
                b'&' => self.reference(),
                b':' => self.colon(),
                b'*' => self.stars(),
                b'$' => self.dollar(),
                b'+' => self.keys(),
                b'%' => self.vault_comment(),
                b'^' => self.block_name(),
                _ => return,
            }
        }
    }

    /// A backslash protects the mark after it, begins a formula, or the id of a heading: `\{#id\}`.
    fn escape(&mut self) {
        let at = self.at;
        let marks = skip_while(self.bytes, at, |byte| byte == b'\\') - at;
        match self.byte(at + marks) {
            open @ (b'(' | b'[') if marks <= 2 => self.bracket_formula(open, marks),
            b'{' if self.byte(at + 2) == b'#' => match memchr(b'}', self.ahead(at)) {
                Some(length) => self.skip_to(at + length + 1),
                None => self.at += 2,
            },
            // what stands before an end tag protects nothing
            b'<' if self.byte(at + marks + 1) == b'/' => self.at += marks,
            next if marks == 1 && next.is_ascii_punctuation() => self.at += 2,
            _ => self.at += marks,
        }
    }

    /// `\(…\)` and `\[…\]`, with one backslash or two.
    fn bracket_formula(&mut self, open: u8, marks: usize) {
        let at = self.at;
        let inside = at + marks + 1;
        let close: &[u8] = match (marks, open) {
            (1, b'(') => b"\\)",
            (1, _) => b"\\]",
            (_, b'(') => b"\\\\)",
            _ => b"\\\\]",
        };
        let window = self.rest(inside);
        let window = &window[..window.len().min(MAX_AHEAD)];
        let window = &window[..find_pair(window, *b"\n\n").unwrap_or(window.len())];
        let end = memmem::find(window, close).filter(|length| is_formula(&window[..*length]));
        match self.looked(window.len(), end) {
            Some(length) => {
                self.show(Medium::Formula, at, inside..inside + length);
                self.skip_to(inside + length + close.len());
            }
            None => self.at = inside,
        }
    }

    fn code_span(&mut self) {
        let inside = skip_while(self.bytes, self.at, |byte| byte == b'`');
        let length = inside - self.at;
        let window = self.rest(inside);
        let window = &window[..window.len().min(MAX_AHEAD)];
        let window = &window[..find_pair(window, *b"\n\n").unwrap_or(window.len())];
        let mut from = 0;
        let mut end = None;
        while let Some(open) = window.get(from..).and_then(|rest| memchr(b'`', rest)) {
            let close = skip_while(window, from + open, |byte| byte == b'`');
            if close - from - open == length {
                end = Some(inside + close).filter(|_| !holds_block(&window[..close]));
                break;
            }
            from = close;
        }
        // what stands between the marks is text, and so are marks without an end
        let end = self.looked(window.len(), end);
        let names_language =
            |mark: &[u8]| self.rest(inside).starts_with(mark) && self.byte(inside + mark.len()).is_ascii_alphanumeric();
        if end.is_some() && (names_language(b"#!") || names_language(b":::")) {
            // the language of the code
            self.skip_to(skip_while(self.bytes, inside, |byte| byte > b' ' && byte != b'`'));
        }
        let Some(end) = end else {
            self.at = inside;
            return;
        };
        // marks part no words
        let is_in_word = |at: Option<&u8>| at.is_some_and(|byte| is_word_byte(*byte));
        if self.at == inside - length && is_in_word(self.bytes.get(self.at.wrapping_sub(1))) {
            self.join_at(inside);
        }
        if find_pair(&self.bytes[self.at..end - length], *b"{{").is_some() {
            self.code_words(end - length);
        }
        self.at = end - length;
        if is_in_word(self.bytes.get(end)) {
            self.join_at(end);
        }
        self.at = end;
    }

    /// `{…}`: an expression of MDX, or what another tool replaces.
    fn brace(&mut self) {
        let at = self.at;
        let next = self.byte(at + 1);
        if next == b'{' || next == b'%' || self.syntax.is_mdx {
            if next == b'%' && !self.syntax.is_mdx || next == b'{' && matches!(self.byte(at + 2), b'<' | b'%') {
                return self.template();
            }
            let (end, looked) = script::expression_end(self.bytes, at);
            let Some(end) = self.looked(looked, end) else {
                self.at += 1;
                return;
            };
            let text = script::only_string(self.bytes, at + 1..end - 1);
            self.join_at(end);
            if let Some(text) = text {
                self.push(text);
            } else {
                self.gap();
            }
            return;
        }
        // attributes of Markdown extensions, labels of headings
        let first = skip_blanks(self.bytes, at + 1);
        let is_list = matches!(self.byte(first), b'#' | b'.' | b':') || {
            let rest = self.ahead(first);
            let sign = rest.iter().find(|byte| matches!(byte, b'=' | b'}' | b' '));
            sign == Some(&b'=') || rest.starts_with(b"docsify-")
        };
        let end = memchr(b'}', self.ahead(at)).filter(|_| is_list);
        match end {
            Some(length) => {
                let is_contents =
                    memmem::find(&self.bytes[at..at + length], b"toc").is_some() && self.byte(at + 1) == b':';
                self.skip_to(at + length + 1);
                if is_contents {
                    // the list before it is replaced
                    self.drop_line();
                }
            }
            None if matches!(self.byte(at + 1), b'!' | b'*') => self.include(),
            None => self.at += 1,
        }
    }

    /// `{! file !}` and `{* file *}`
    fn include(&mut self) {
        let at = self.at;
        let close: &[u8] = if self.byte(at + 1) == b'!' { b"!}" } else { b"*}" };
        match memmem::find(self.ahead(at + 2), close) {
            Some(length) => self.skip_to(at + length + 4),
            None => self.at += 1,
        }
    }

    /// `{{< … >}}`, `{{% … %}}`, `{% … %}`.
    fn template(&mut self) {
        let at = self.at;
        let close: &[u8] = match (self.byte(at + 1), self.byte(at + 2)) {
            (b'{', b'<') => b">}}",
            (b'{', _) => b"%}}",
            _ => b"%}",
        };
        let window = self.rest(at);
        let window = &window[..window.len().min(MAX_AHEAD)];
        let end = memmem::find(window, close).map(|length| at + length + close.len());
        let Some(end) = self.looked(window.len(), end) else {
            self.at += 1;
            return;
        };
        self.skip_to(end);
        self.skip_replaced(at + 2, end);
    }

    /// Goes on behind what a template replaces: a comment, an operation of an API, the words of a link to a page.
    fn skip_replaced(&mut self, name: usize, from: usize) {
        const REPLACED: [&str; 4] = ["comment", "content-ref", "openapi", "openapi-operation"];
        let name = skip_while(self.bytes, name, |byte| matches!(byte, b'<' | b'%' | b' ' | b'-'));
        let end = skip_while(self.bytes, name, |byte| byte.is_ascii_alphanumeric() || byte == b'-');
        let name = self.text.get(name..end).unwrap_or_default();
        if !REPLACED.contains(&name) {
            return;
        }
        let rest = self.rest(from);
        let ends = [format!("end{name}"), format!("/{name}"), format!("/ {name}")];
        let close = ends.iter().filter_map(|end| memmem::find(rest, end.as_bytes())).min();
        if let Some(length) = self.looked(rest.len(), close) {
            // its own end is read as what it is
            let before = rest[..length].iter().rposition(|byte| *byte == b'{').unwrap_or(0);
            let before = before - usize::from(before > 0 && rest[before - 1] == b'{');
            self.skip_to(from + before);
        }
    }

    /// `](address)` or `][label]`.
    fn link_end(&mut self) {
        let at = self.at;
        match self.byte(at + 1) {
            b'(' => {
                let end = self.address_end(at + 1);
                match self.looked(MAX_AHEAD, end) {
                    Some(end) => self.join_at(end),
                    None => self.at += 1,
                }
            }
            b'[' => {
                // a label may go on in the next line
                let window = self.rest(at + 1);
                let window = &window[..window.len().min(MAX_LABEL)];
                let close = memchr(b']', window).filter(|length| find_pair(&window[..*length], *b"\n\n").is_none());
                match close {
                    Some(length) => self.join_at(at + length + 2),
                    None => self.at += 1,
                }
            }
            _ => self.at += 1,
        }
    }

    /// Behind the `)` that closes an address.
    fn address_end(&self, open: usize) -> Option<usize> {
        let (mut depth, mut newlines) = (0_usize, 0);
        let window = self.rest(open);
        for (offset, byte) in window.iter().take(MAX_AHEAD).enumerate() {
            match byte {
                b'(' => depth += 1,
                b')' if window.get(offset.wrapping_sub(1)) != Some(&b'\\') => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(open + offset + 1);
                    }
                }
                b'\n' => {
                    newlines += 1;
                    if newlines > 2 {
                        return None;
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// `[^label]` and `[=85%`.
    fn bracket(&mut self) {
        let at = self.at;
        if self.byte(at + 1) == b'=' && self.byte(at + 2).is_ascii_digit() {
            return self.skip_to(skip_while(self.bytes, at + 2, |byte| byte.is_ascii_digit()));
        }
        if self.byte(at + 1) == b'^'
            && let Some(length) = memchr(b']', self.ahead(at))
        {
            return self.join_at(at + length + 1);
        }
        if self.replaced_link() {
            return;
        }
        let before = self.bytes.get(at.wrapping_sub(1)).copied().unwrap_or_default();
        if is_word_byte(before) && find_pair(self.ahead(at), *b"](").is_some() {
            // a link parts no words
            return self.join_at(at + 1);
        }
        self.at += 1;
    }

    /// `[[Note#Part|label]]` of a vault, `[#id]` at the end of a heading, and `[file](file.md ':include')`: only a label
    /// is kept.
    fn replaced_link(&mut self) -> bool {
        let at = self.at;
        let line = self.ahead(at);
        if self.syntax.is_vault && line.starts_with(b"[[") {
            let Some(length) = find_pair(line, *b"]]") else { return false };
            if let Some(bar) = memchr(b'|', line.get(..length).unwrap_or_default()) {
                self.join_at(at + bar + 1);
                self.at = at + length;
                self.take();
            }
            self.join_at(at + length + 2);
            return true;
        }
        if line.starts_with(b"[#") && line.trim_ascii_end().ends_with(b"]") && memchr(b'(', line).is_none() {
            self.skip_to(at + line.len());
            return true;
        }
        let line = line.get(..MAX_LABEL).unwrap_or(line);
        let end = find_pair(line, *b"](").and_then(|open| Some(open + memchr(b')', line.get(open..)?)? + 1));
        match end.filter(|end| line.get(..*end).is_some_and(|link| memmem::find(link, b":include").is_some())) {
            Some(end) => {
                self.skip_to(at + end);
                true
            }
            None => false,
        }
    }

    /// `%%comment%%`
    fn vault_comment(&mut self) {
        let at = self.at;
        self.at += 1;
        if !self.syntax.is_vault || self.byte(at + 1) != b'%' {
            return;
        }
        let window = self.rest(at + 2);
        let window = window.get(..MAX_AHEAD).unwrap_or(window);
        let end = find_pair(window, *b"%%");
        if let Some(length) = self.looked(window.len(), end) {
            self.at = at;
            self.skip_to(at + length + 4);
        }
    }

    /// `^name` at the end of a line.
    fn block_name(&mut self) {
        let at = self.at;
        self.at += 1;
        let end = skip_while(self.bytes, at + 1, |byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if self.syntax.is_vault && matches!(self.byte(end), b'\n' | b'\r' | 0) {
            self.at = at;
            self.skip_to(end);
        }
    }

    fn picture(&mut self) {
        let at = self.at;
        if self.byte(at + 1) != b'[' {
            self.at += 1;
            return;
        }
        if self.byte(at + 2) == b'['
            && let Some(length) = find_pair(self.ahead(at), *b"]]")
            && self.byte(at + length + 2) != b'('
        {
            // a file of the vault stands here
            return self.skip_to(at + length + 2);
        }
        let line = self.ahead(at);
        if let Some(close) = find_pair(line, *b"](") {
            let open = at + close + 2;
            let length = self.rest(open).iter().position(|byte| byte.is_ascii_whitespace() || *byte == b')');
            self.show(Medium::Picture, at, open..open + length.unwrap_or(0));
        }
        self.skip_to(at);
        self.at += 2;
        // the width in a vault
        let label = line.get(..find_pair(line, *b"](").unwrap_or(0)).unwrap_or_default();
        if self.syntax.is_vault
            && let Some(bar) = label.iter().rposition(|byte| *byte == b'|')
        {
            self.at = at + bar;
            self.skip_to(at + label.len());
        }
    }

    /// `&eacute;`
    fn reference(&mut self) {
        let at = self.at;
        let window = self.rest(at);
        let Some(length) =
            window.iter().take(MAX_REFERENCE_BYTES + 1).position(|byte| *byte == b';').filter(|length| *length > 1)
        else {
            self.at += 1;
            return;
        };
        let written = self.text.get(at..at + length + 1).unwrap_or_default();
        let decoded = decode_character_references(written);
        if decoded == written {
            self.at += 1;
            return;
        }
        self.join_at(at + length + 1);
        self.push_instead(&decoded, at);
    }

    /// An address in a sentence, or the name of a sign: `:smile:`.
    fn colon(&mut self) {
        let at = self.at;
        if self.rest(at).starts_with(b":id=") {
            // the id of a heading in Docsify
            return self.skip_to(skip_while(self.bytes, at, |byte| byte > b' '));
        }
        if self.rest(at).starts_with(b"://") {
            let scheme = self.bytes[self.start..at].iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count();
            let end = skip_while(self.bytes, at, |byte| {
                byte > b' ' && !matches!(byte, b'"' | b'\'' | b'<' | b'>' | b'`' | b')' | b']' | b'|' | b'{' | b'}')
            });
            self.at = at - scheme;
            return self.skip_to(end);
        }
        let end = skip_while(self.bytes, at + 1, |byte| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_' | b'+')
        });
        let is_after_word = at > 0 && self.byte(at - 1).is_ascii_alphanumeric();
        if end > at + 1 && self.byte(end) == b':' && !is_after_word {
            return self.skip_to(end + 1);
        }
        self.at += 1;
    }

    /// Emphasis does not part words.
    fn stars(&mut self) {
        let end = skip_while(self.bytes, self.at, |byte| byte == b'*');
        self.join_at(end);
    }

    /// A formula.
    fn dollar(&mut self) {
        let at = self.at;
        let is_block = self.byte(at + 1) == b'$';
        let marks = if is_block { 2 } else { 1 };
        let inside = at + marks;
        let window = self.rest(inside);
        let window = &window[..window.len().min(MAX_AHEAD)];
        let window = &window[..find_pair(window, *b"\n\n").filter(|_| !is_block).unwrap_or(window.len())];
        let end = if is_block {
            find_pair(window, *b"$$").filter(|length| *length > 0)
        } else {
            let is_open = window.first().is_some_and(|byte| !byte.is_ascii_whitespace());
            memchr(b'$', window).filter(|length| {
                is_open
                    && *length > 0
                    && !window[length - 1].is_ascii_whitespace()
                    && window[length - 1] != b'\\'
                    && !window.get(length + 1).is_some_and(u8::is_ascii_digit)
            })
        };
        match self.looked(window.len(), end) {
            // a value of a template, or text with marks, between prices
            Some(length) if !is_block && !is_formula(&window[..length]) => self.at = inside,
            Some(length) => {
                self.show(Medium::Formula, at, inside..inside + length);
                self.skip_to(inside + length + marks);
            }
            None => self.at = inside,
        }
    }

    /// `++ctrl+alt+del++`
    fn keys(&mut self) {
        let at = self.at;
        if self.byte(at + 1) == b'+' && self.byte(at + 2).is_ascii_alphanumeric() {
            let line = self.ahead(at + 2);
            let end = find_pair(line, *b"++").filter(|length| {
                line[..*length].iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'"'))
            });
            if let Some(length) = end {
                return self.skip_to(at + length + 4);
            }
        }
        self.at += 1;
    }
}

/// Whether a byte may belong to a word.
fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80
}

/// Whether what stands between dollars in a sentence may be a formula.
fn is_formula(inside: &[u8]) -> bool {
    let marks: [&[u8]; 4] = [b"`", b"](", b"**", b"<br"];
    let is_value = inside.first() == Some(&b'{')
        && inside.get(1).is_some_and(u8::is_ascii_alphabetic)
        && memchr(b'}', inside)
            .is_some_and(|end| inside[1..end].iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_'));
    !is_value && !marks.iter().any(|mark| memmem::find(inside, mark).is_some())
}

/// Whether a line of a text begins something, so that no code goes on into it: a row, an item, a heading, a fence.
fn holds_block(text: &[u8]) -> bool {
    memchr::memchr_iter(b'\n', text).any(|newline| {
        let line = &text[newline + 1..];
        let line = &line[skip_while(line, 0, |byte| matches!(byte, b' ' | b'\t' | b'>'))..];
        let is_item = line.get(1) == Some(&b' ') && matches!(line[0], b'-' | b'*' | b'+' | b'#');
        is_item || line.starts_with(b"|") || line.starts_with(b"##") || line.starts_with(b"```") || is_number(line)
    })
}

/// `12. `
fn is_number(line: &[u8]) -> bool {
    let end = skip_while(line, 0, |byte| byte.is_ascii_digit());
    end > 0 && matches!(line.get(end), Some(b'.' | b')')) && line.get(end + 1) == Some(&b' ')
}
