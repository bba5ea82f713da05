//! Where JavaScript ends: a lexer that knows strings, templates, comments, regular expressions and JSX, and nothing
//! more. It finds the brace that closes an expression and the end of a statement, without judging what stands between.

use base::cut::SliceText as _;
use base::limits::NESTING;

/// The end (after the closing `}`) of the expression that opens with `{` at `at`; `None` if it never closes.
pub fn expression_end(source: &str, at: usize) -> Option<usize> {
    debug_assert_eq!(source.as_bytes().get(at), Some(&b'{'));
    let mut lexer = Lexer { bytes: source.as_bytes(), at: at + 1, value_before: false, depth: 0 };
    lexer.until_closed(b'}').then_some(lexer.at)
}

/// The end of the statement that starts at `at`: after its `;`, or at the line break (outside brackets) after which a
/// new statement or a blank line stands; `None` if a bracket, string or comment never closes.
pub fn statement_end(source: &str, at: usize) -> Option<usize> {
    let mut lexer = Lexer { bytes: source.as_bytes(), at, value_before: false, depth: 0 };
    while lexer.at < lexer.bytes.len() {
        match lexer.bytes[lexer.at] {
            b';' => return Some(lexer.at + 1),
            b'\n' if lexer.value_before && lexer.ends_statement_at_newline() => return Some(lexer.at),
            b'}' | b')' | b']' => return Some(lexer.at),
            _ => {
                if !lexer.token() {
                    return None;
                }
            }
        }
    }
    Some(lexer.at)
}

/// Skips white space and comments.
pub fn skip_space(source: &str, mut at: usize) -> usize {
    let bytes = source.as_bytes();
    loop {
        while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
            at += 1;
        }
        if source.slice(at..).starts_with("//") {
            at = source.slice(at..).find('\n').map_or(bytes.len(), |line| at + line);
        } else if source.slice(at..).starts_with("/*") {
            at = source.slice(at..).find("*/").map_or(bytes.len(), |end| at + end + 2);
        } else {
            return at;
        }
    }
}

struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The last token was a value: a `/` divides and a `<` compares.
    value_before: bool,
    depth: usize,
}

impl Lexer<'_> {
    /// Runs to just after `close`; false if it is not there.
    fn until_closed(&mut self, close: u8) -> bool {
        if self.depth >= NESTING * 2 {
            return false;
        }
        self.depth += 1;
        while let Some(&byte) = self.bytes.get(self.at) {
            if byte == close {
                self.at += 1;
                self.value_before = true;
                self.depth -= 1;
                return true;
            }
            if matches!(byte, b'}' | b')' | b']') || !self.token() {
                return false;
            }
        }
        false
    }

    /// Skips one token or white space; false if something never closes.
    fn token(&mut self) -> bool {
        let byte = self.bytes[self.at];
        match byte {
            b'{' | b'(' | b'[' => {
                self.at += 1;
                self.value_before = false;
                self.until_closed(match byte {
                    b'{' => b'}',
                    b'(' => b')',
                    _ => b']',
                })
            }
            b'"' | b'\'' => self.string(byte),
            b'`' => self.template(),
            b'/' if self.next_is(b'/') => {
                self.at = self.find(b"\n").unwrap_or(self.bytes.len());
                true
            }
            b'/' if self.next_is(b'*') => match self.find(b"*/") {
                Some(end) => {
                    self.at = end + 2;
                    true
                }
                None => false,
            },
            b'/' if !self.value_before => self.regex(),
            b'<' if !self.value_before && self.jsx_starts() => self.jsx(),
            byte if byte.is_ascii_whitespace() => {
                self.at += 1;
                true
            }
            byte if is_script_name_byte(byte) => {
                self.word();
                true
            }
            _ => {
                self.at += 1;
                self.value_before = false;
                true
            }
        }
    }

    fn word(&mut self) {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(|byte| is_script_name_byte(*byte)) {
            self.at += 1;
        }
        self.value_before = !matches!(
            &self.bytes[start..self.at],
            b"return"
                | b"typeof"
                | b"case"
                | b"in"
                | b"of"
                | b"new"
                | b"delete"
                | b"void"
                | b"else"
                | b"default"
                | b"await"
                | b"yield"
        );
    }

    fn string(&mut self, quote: u8) -> bool {
        self.at += 1;
        while let Some(&byte) = self.bytes.get(self.at) {
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                b'\n' => return false,
                byte if byte == quote => {
                    self.value_before = true;
                    return true;
                }
                _ => {}
            }
        }
        false
    }

    fn template(&mut self) -> bool {
        self.at += 1;
        while let Some(&byte) = self.bytes.get(self.at) {
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                b'$' if self.bytes.get(self.at) == Some(&b'{') => {
                    self.at += 1;
                    self.value_before = false;
                    if !self.until_closed(b'}') {
                        return false;
                    }
                }
                b'`' => {
                    self.value_before = true;
                    return true;
                }
                _ => {}
            }
        }
        false
    }

    fn regex(&mut self) -> bool {
        let mut in_class = false;
        self.at += 1;
        while let Some(&byte) = self.bytes.get(self.at) {
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'\n' => return false,
                b'/' if !in_class => {
                    while self.bytes.get(self.at).is_some_and(u8::is_ascii_alphabetic) {
                        self.at += 1;
                    }
                    self.value_before = true;
                    return true;
                }
                _ => {}
            }
        }
        false
    }

    fn jsx_starts(&self) -> bool {
        matches!(self.bytes.get(self.at + 1), Some(byte) if byte.is_ascii_alphabetic() || matches!(byte, b'>' | b'_' | b'$'))
    }

    /// A whole JSX element, from its `<` to after its closing tag. Iterative over nested elements.
    fn jsx(&mut self) -> bool {
        let mut open = 0usize;
        loop {
            // at a `<`
            self.at += 1;
            let closing = self.bytes.get(self.at) == Some(&b'/');
            let Some(self_closing) = self.jsx_tag() else { return false };
            if closing {
                open = open.saturating_sub(1);
            } else if !self_closing {
                open += 1;
            }
            if open == 0 {
                self.value_before = true;
                return true;
            }
            loop {
                match self.bytes.get(self.at) {
                    None => return false,
                    Some(b'<') => break,
                    Some(b'{') => {
                        self.at += 1;
                        self.value_before = false;
                        if !self.until_closed(b'}') {
                            return false;
                        }
                    }
                    Some(_) => self.at += 1,
                }
            }
        }
    }

    /// From behind `<` to behind `>`: whether it closed itself.
    fn jsx_tag(&mut self) -> Option<bool> {
        loop {
            match *self.bytes.get(self.at)? {
                b'>' => {
                    self.at += 1;
                    return Some(self.bytes[self.at - 2] == b'/');
                }
                quote @ (b'"' | b'\'') => {
                    let rest = &self.bytes[self.at + 1..];
                    self.at += 2 + rest.iter().position(|byte| *byte == quote)?;
                }
                b'{' => {
                    self.at += 1;
                    self.value_before = false;
                    if !self.until_closed(b'}') {
                        return None;
                    }
                }
                _ => self.at += 1,
            }
        }
    }

    fn ends_statement_at_newline(&self) -> bool {
        let rest = &self.bytes[self.at + 1..];
        let space = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
        let next = rest.get(space).copied().unwrap_or(b'\n');
        if next == b'\n' || space == 0 {
            // a continued expression starts with an operator
            return !matches!(
                next,
                b'.' | b'?' | b':' | b'=' | b'+' | b'*' | b'&' | b'|' | b',' | b')' | b']' | b'}' | b'`' | b'('
            );
        }
        false
    }

    fn next_is(&self, byte: u8) -> bool {
        self.bytes.get(self.at + 1) == Some(&byte)
    }

    fn find(&self, needle: &[u8]) -> Option<usize> {
        memchr::memmem::find(&self.bytes[self.at..], needle).map(|at| self.at + at)
    }
}

fn is_script_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, expression: &str) {
        assert_eq!(expression_end(source, 0).map(|end| &source[..end]), Some(expression));
    }

    #[test]
    fn expressions_end_at_their_own_brace() {
        check("{a} b}", "{a}");
        check("{/* } */} x", "{/* } */}");
        check("{\"}\"}", "{\"}\"}");
        check("{`a ${b + `}`} }`} x", "{`a ${b + `}`} }`}");
        check("{x && <p>Don't {y}</p>} z", "{x && <p>Don't {y}</p>}");
        check("{s.replace(/[}/]/g, '')}", "{s.replace(/[}/]/g, '')}");
        check("{{a: 1}}", "{{a: 1}}");
        check("{a < b}", "{a < b}");
        check("{() => <><b/>it's</>}", "{() => <><b/>it's</>}");
    }

    #[test]
    fn unclosed_expressions_have_no_end() {
        assert_eq!(expression_end("{a", 0), None);
        assert_eq!(expression_end("{(}", 0), None);
        assert_eq!(expression_end(&"{".repeat(100_000), 0), None);
    }

    #[test]
    fn statements_end_at_semicolons_and_line_breaks() {
        let source = "export const a = {\n b: 1\n}\nexport const c = 2; d";
        assert_eq!(statement_end(source, 0), Some(26));
        assert_eq!(&source[27..statement_end(source, 27).unwrap()], "export const c = 2;");
    }
}
