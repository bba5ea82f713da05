//! The addresses of a style sheet or a `style` attribute: `url(…)`, `@import`, `image-set(…)`, `src(…)`. Comments,
//! strings and escapes are read as CSS Syntax says, so that `\75 rl(…)` is one and `content: "url(x)"` is none.

use super::address::decode_css;
use super::{AddressCoding, RawAddress, ReferenceKind, Visitor};

/// Reads CSS. `base` is added to the offset of each address.
pub fn scan_css<V: Visitor>(css: &[u8], coding: AddressCoding, base: usize, visitor: &mut V) {
    debug_assert_eq!(coding, AddressCoding::Plain, "character references are decoded before");
    CssReader { css, at: 0, base, depth: 0, strings_at: None, import: false, namespace: false, font: false }
        .run(visitor);
}

struct CssReader<'a> {
    css: &'a [u8],
    at: usize,
    base: usize,
    /// Open parentheses.
    depth: u32,
    /// Depth of a function whose own strings are addresses.
    strings_at: Option<u32>,
    import: bool,
    namespace: bool,
    font: bool,
}

impl<'a> CssReader<'a> {
    fn run<V: Visitor>(&mut self, visitor: &mut V) {
        while let Some(byte) = self.css.get(self.at) {
            match byte {
                b'/' if self.css.get(self.at + 1) == Some(&b'*') => {
                    let end = memchr::memmem::find(&self.css[self.at + 2..], b"*/");
                    self.at = end.map_or(self.css.len(), |end| self.at + 2 + end + 2);
                }
                b'"' | b'\'' => {
                    let at = self.at;
                    let string = self.string();
                    if self.import || self.strings_at == Some(self.depth) {
                        self.found(string, at, visitor);
                    }
                }
                b'@' => {
                    self.at += 1;
                    let word = self.name();
                    self.at_rule(&word);
                }
                byte if is_css_name_byte(*byte) => self.word(visitor),
                byte => {
                    self.punctuation(*byte);
                    self.at += 1;
                }
            }
        }
    }

    fn punctuation(&mut self, byte: u8) {
        match byte {
            b'(' => self.depth += 1,
            b')' => {
                if self.strings_at == Some(self.depth) {
                    self.strings_at = None;
                }
                self.depth = self.depth.saturating_sub(1);
            }
            b';' => (self.import, self.namespace) = (false, false),
            b'{' => (self.import, self.namespace) = (false, false),
            b'}' => self.font = false,
            _ => {}
        }
    }

    fn at_rule(&mut self, word: &str) {
        match word {
            "import" => self.import = true,
            "namespace" => self.namespace = true,
            "font-face" => self.font = true,
            _ => {}
        }
    }

    /// A name, and the function that it may begin.
    fn word<V: Visitor>(&mut self, visitor: &mut V) {
        let start = self.at;
        let end = self.skip_name();
        if self.css.get(end) != Some(&b'(') {
            return;
        }
        // most functions are distinguished by their length already
        let raw = &self.css[start..end];
        self.at = end + 1;
        self.depth += 1;
        if raw.len() > 120 {
            return;
        }
        let name = decode_css(raw).to_ascii_lowercase();
        match name.as_slice() {
            b"url" => self.url(start, visitor),
            b"src" | b"image" | b"image-set" | b"-webkit-image-set" | b"cross-fade" | b"-webkit-cross-fade" => {
                self.strings_at = Some(self.depth)
            }
            _ => {}
        }
    }

    /// What stands in `url(`, a string or bare.
    fn url<V: Visitor>(&mut self, start: usize, visitor: &mut V) {
        let blank = self.css[self.at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        self.at += blank;
        let raw = match self.css.get(self.at) {
            Some(b'"' | b'\'') => self.string(),
            _ => {
                let rest = &self.css[self.at..];
                let mut end = 0;
                while let Some(byte) = rest.get(end).filter(|byte| **byte != b')') {
                    end += if *byte == b'\\' { 2 } else { 1 };
                }
                let raw = &rest[..end.min(rest.len())];
                self.at += raw.len();
                raw.trim_ascii_end()
            }
        };
        self.found(raw, start, visitor);
    }

    fn found<V: Visitor>(&mut self, raw: &'a [u8], at: usize, visitor: &mut V) {
        let is_import = std::mem::take(&mut self.import);
        if self.namespace {
            return;
        }
        let kind = if is_import {
            ReferenceKind::Style
        } else if self.font {
            ReferenceKind::Font
        } else {
            ReferenceKind::Image
        };
        visitor.reference(kind, RawAddress::new(raw, AddressCoding::Css), self.base + at);
    }

    /// The inside of the string at this place; it ends at an unescaped line end too.
    fn string(&mut self) -> &'a [u8] {
        let quote = self.css[self.at];
        let start = self.at + 1;
        let mut end = start;
        while let Some(found) = memchr::memchr3(quote, b'\\', b'\n', &self.css[end.min(self.css.len())..]) {
            end += found;
            if self.css[end] != b'\\' {
                self.at = end + usize::from(self.css[end] == quote);
                return &self.css[start..end];
            }
            end += 2;
        }
        self.at = self.css.len();
        self.css.get(start..).unwrap_or_default()
    }

    fn name(&mut self) -> String {
        let start = self.at;
        let end = self.skip_name();
        String::from_utf8_lossy(&decode_css(&self.css[start..end])).to_ascii_lowercase()
    }

    /// Moves behind a name, escapes included.
    fn skip_name(&mut self) -> usize {
        while let Some(byte) = self.css.get(self.at).filter(|byte| is_css_name_byte(**byte)) {
            self.at += 1;
            if *byte == b'\\' {
                self.escape();
            }
        }
        self.at
    }

    /// Moves behind what follows a backslash: up to six digits and one blank, or one character.
    fn escape(&mut self) {
        let rest = &self.css[self.at..];
        let digits = rest.iter().take(6).take_while(|byte| byte.is_ascii_hexdigit()).count();
        self.at += match digits {
            0 => usize::from(!rest.is_empty()),
            digits => digits + usize::from(rest.get(digits).is_some_and(u8::is_ascii_whitespace)),
        };
    }
}

fn is_css_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'\\') || byte >= 0x80
}
