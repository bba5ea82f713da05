//! What a line of a page begins with: marks of lists, quotations, boxes and code.

use base::bytes::find_pair;
use base::cut::SliceText as _;

use super::{SourceReader, script, skip_blanks, skip_while};

impl SourceReader<'_> {
    /// Reads what begins a line, and whole blocks that are no text.
    pub(super) fn block(&mut self) {
        let content = self.containers();
        match self.byte(content) {
            b'`' | b'~' => {
                self.fence(content);
            }
            b':' => self.directive(content),
            b'@' => self.at_sign(content),
            b'!' | b'?' | b'=' | b'/' => self.marked_box(content),
            b'[' => self.bracketed(content),
            b'*' if self.byte(content + 1) == b'['
                && find_pair(&self.bytes[content..self.line_end(content)], *b"]:").is_some() =>
            {
                self.skip_to(self.line_end(content));
            }
            b'-' if self.rest(content).starts_with(b"--8<--") => self.skip_to(self.line_end(content)),
            b'<' if self.rest(content).starts_with(b"<<<") => self.skip_to(self.line_end(content)),
            _ => {}
        }
    }

    /// Reads a statement of a module; `false` if the line begins none.
    pub(super) fn statement(&mut self) -> bool {
        if !self.syntax.is_mdx || !matches!(self.byte(self.at), b'i' | b'e') {
            return false;
        }
        let line = &self.bytes[self.at..self.line_end(self.at)];
        if !script::starts_statement(line) && !self.long_import(line) {
            return false;
        }
        let end = script::statement_end(self.bytes, self.at);
        self.own.extend(script::own_names(self.text.get(self.at..end).unwrap_or_default()));
        self.skip_to(end);
        true
    }

    /// An `import` whose names stand in lines of their own.
    fn long_import(&self, line: &[u8]) -> bool {
        line.starts_with(b"import ") && line.trim_ascii_end().ends_with(b"{")
    }

    /// Where the content of the line begins, behind the marks of quotations and items; numbers of items are left out.
    fn containers(&mut self) -> usize {
        let mut at = self.at;
        loop {
            at = skip_blanks(self.bytes, at);
            let is_blank = |at: usize| matches!(self.byte(at), b' ' | b'\t');
            match self.byte(at) {
                b'>' => at += 1,
                // a definition is an item, too
                b'-' | b'*' | b'+' | b':' if is_blank(at + 1) => at += 2,
                b'0'..=b'9' => {
                    let end = skip_while(self.bytes, at, |byte| byte.is_ascii_digit());
                    if !matches!(self.byte(end), b'.' | b')') || !is_blank(end + 1) {
                        return at;
                    }
                    self.at = at;
                    self.skip_to(end + 1);
                    at = end + 1;
                }
                _ => return at,
            }
        }
    }

    /// `:::note[Title]{.a}` and `::: tip Title`: the name is left out.
    fn directive(&mut self, content: usize) {
        let name = skip_while(self.bytes, content, |byte| byte == b':');
        if name - content == 2 && !self.syntax.is_mdx {
            // the language of indented code: `::yaml`
            let end = skip_while(self.bytes, name, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+'));
            if end > name && matches!(self.byte(end), b'\r' | b'\n') {
                self.skip_to(end);
            }
        }
        if name - content < 3 {
            return;
        }
        let name = skip_blanks(self.bytes, name);
        let end = skip_while(self.bytes, name, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        // `code-tabs#shell`
        let end = if self.byte(end) == b'#' { skip_while(self.bytes, end, |byte| byte > b' ') } else { end };
        // `:::warn title="Words"`
        let words = skip_blanks(self.bytes, end);
        let is_named = self.text.get(words..).is_some_and(|rest| rest.starts_with("title=\""));
        let end = if is_named { words + "title=".len() } else { end };
        self.skip_to(end);
        let line_end = self.line_end(end);
        let rest = self.text.get(end..line_end).unwrap_or_default();
        // the name under which tabs change together: `::: tabs key:os`
        if rest.trim_start().starts_with("key:") {
            self.skip_to(line_end);
        } else if let Some(attributes) = rest.find('{') {
            let title = end..end + attributes;
            self.push(title);
            self.start = line_end;
            self.at = line_end;
        }
    }

    /// `@tab:active Title` and `@[code](file)` of VuePress.
    fn at_sign(&mut self, content: usize) {
        let rest = self.rest(content);
        if rest.starts_with(b"@tab") {
            self.skip_to(skip_while(self.bytes, content, |byte| byte > b' '));
        } else if rest.starts_with(b"@[code") {
            self.skip_to(self.line_end(content));
        }
    }

    /// `!!! note "Title"`, `??? note`, `=== "Tab"` and `/// note | Title`: only the title is kept.
    fn marked_box(&mut self, content: usize) {
        let rest = self.rest(content);
        let is_box = [b"!!!".as_slice(), b"???", b"==="].iter().any(|mark| rest.starts_with(mark));
        let is_caption = rest.starts_with(b"/// ") || rest.starts_with(b"///\n");
        if !is_box && !is_caption {
            return;
        }
        let line_end = self.line_end(content);
        let line = self.text.get(content..line_end).unwrap_or_default();
        // an element has a name and classes, and no title
        let is_element = is_caption && line.trim_start_matches(['/', ' ']).starts_with("html ");
        let title = if is_element {
            None
        } else if is_caption {
            line.find('|').map(|bar| content + bar + 1..line_end)
        } else {
            line.find('"').map(|quote| content + quote + 1..line_end)
        };
        // a line of equal signs, a question
        if title.is_none() && is_box && !line.get(3..4).is_some_and(|next| matches!(next, " " | "+")) {
            return;
        }
        if is_caption {
            // settings of the block follow it
            if let Some(title) = title {
                self.skip_to(title.start);
                self.at = line_end;
            }
            return self.skip_to(self.settings_end(line_end));
        }
        self.skip_to(title.map_or(line_end, |title| title.start));
    }

    /// Where indented lines `name: value` end that follow a line.
    fn settings_end(&self, mut line_end: usize) -> usize {
        loop {
            let next = self.line_end(line_end + 1);
            let line = self.text.get(line_end + 1..next).unwrap_or_default();
            let is_setting = line.starts_with("    ")
                && line
                    .trim()
                    .split_once(':')
                    .is_some_and(|(name, _)| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'));
            if !is_setting {
                return line_end;
            }
            line_end = next;
        }
    }

    /// `[label]: address`, `[^label]: text`, `[x] task`, `[!NOTE]`, `[TOC]`.
    fn bracketed(&mut self, content: usize) {
        let line_end = self.line_end(content);
        let line = self.text.get(content..line_end).unwrap_or_default();
        let Some(close) = line.find(']') else { return };
        let after = content + close + 1;
        match line.as_bytes().get(1) {
            Some(b'^') if self.byte(after) == b':' => self.skip_to(after + 1),
            // `[!NOTE]`, `[!note|options]`
            Some(b'!') if is_kind(line.slice(2..close).split('|').next().unwrap_or_default()) => self.skip_to(after),
            Some(b'x' | b'X') if close == 2 && matches!(self.byte(after), b' ' | b'\t') => self.skip_to(after),
            _ if self.byte(after) == b':' => self.skip_to(line_end),
            _ if ["[toc]", "[[toc]]", "[[_toc_]]"].iter().any(|toc| line.trim().eq_ignore_ascii_case(toc)) => {
                self.skip_to(line_end);
            }
            _ => {}
        }
    }
}

/// Whether a word is the kind of a box.
fn is_kind(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}
