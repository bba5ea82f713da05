//! How large and how deeply nested a script may be, and the stack that its compiler gets.

use super::syntax_error::ScriptError;

/// Longest script that is compiled, bytes.
const MAX_SCRIPT_BYTES: usize = 256 << 10;
/// Deepest nesting of brackets in a script, and a quarter of its longest chain of operators.
const MAX_BRACKET_DEPTH: usize = 400;
/// Most levels of nesting that a script can have, by its tokens.
const MAX_TOKEN_LEVELS: usize = 60_000;
/// Stack that a level takes in the compiler, bytes: more than twice what was measured at most (brackets in brackets,
/// 1.6 kB).
const LEVEL_BYTES: usize = 4 << 10;
/// Levels for which every thread has stack left.
const LEVELS_OF_ANY_STACK: usize = 300;

/// Runs the compiler with a stack that no script can exhaust: it recurses at most once for each token that can hold
/// another.
pub(super) fn with_room<T: Send>(
    source: &str,
    compile: impl FnOnce() -> Result<T, ScriptError> + Send,
) -> Result<T, ScriptError> {
    if source.len() > MAX_SCRIPT_BYTES {
        return Err(ScriptError {
            message: format!("the script is longer than {} kB", MAX_SCRIPT_BYTES >> 10),
            line: 1,
        });
    }
    let levels = levels(source);
    if levels > MAX_TOKEN_LEVELS || is_deep(source) {
        return Err(ScriptError { message: "the script is nested too deeply".to_owned(), line: 1 });
    }
    if levels <= LEVELS_OF_ANY_STACK {
        return compile();
    }
    std::thread::scope(|scope| {
        let compiler = std::thread::Builder::new()
            .stack_size((levels + LEVELS_OF_ANY_STACK) * LEVEL_BYTES)
            .spawn_scoped(scope, compile);
        let done = compiler.ok().and_then(|compiler| compiler.join().ok());
        done.unwrap_or_else(|| Err(ScriptError { message: "there is no room to compile it".to_owned(), line: 1 }))
    })
}

/// How deep a script can be nested at most: how many tokens it has that can hold others.
fn levels(source: &str) -> usize {
    let mut levels = 0;
    let mut word = 0; // where the word began
    for (at, byte) in source.bytes().enumerate() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..) {
            continue;
        }
        // what closes something, separates or stands in a number holds nothing
        let is_empty = matches!(byte, b';' | b',' | b'"' | b'\'' | b')' | b']' | b'}' | b'\\' | b'#')
            || byte == b'.' && source.as_bytes().get(at + 1).is_some_and(u8::is_ascii_digit);
        levels += usize::from(byte.is_ascii_punctuation() && !is_empty);
        levels += usize::from(is_nesting_word(&source.as_bytes()[word..at]));
        word = at + 1;
    }
    levels
}

/// Words that another expression, statement or type follows.
fn is_nesting_word(word: &[u8]) -> bool {
    let word = std::str::from_utf8(word).unwrap_or_default();
    matches!(
        word,
        "new"
            | "typeof"
            | "void"
            | "delete"
            | "await"
            | "yield"
            | "do"
            | "else"
            | "if"
            | "for"
            | "while"
            | "try"
            | "finally"
            | "async"
            | "function"
            | "class"
            | "extends"
            | "in"
            | "of"
            | "instanceof"
            | "as"
            | "satisfies"
            | "keyof"
            | "unique"
            | "readonly"
            | "infer"
            | "is"
            | "asserts"
            | "abstract"
            | "return"
            | "throw"
            | "case"
            | "default"
            | "export"
            | "declare"
            | "namespace"
            | "module"
    )
}

/// Whether a script is nested as no script of documentation is, in its code: not in strings, templates and comments.
/// No bound on what the compiler does: what is taken for a string may be none.
fn is_deep(source: &str) -> bool {
    // nearly all scripts are not deep even if everything counts
    exceeds(source.bytes()) && exceeds(CodeBytes::of(source))
}

fn exceeds(mut code: impl Iterator<Item = u8>) -> bool {
    let (mut depth, mut operators) = (0_usize, 0_usize);
    code.any(|byte| {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            // a chain of operators nests too; statements and arguments end it
            b';' | b',' | b'\n' => operators = 0,
            b'+' | b'-' | b'*' | b'/' | b'%' | b'!' | b'~' | b'?' | b'.' | b'=' | b'&' | b'|' | b'<' | b'>' | b'`' => {
                operators += 1
            }
            _ => {}
        }
        depth > MAX_BRACKET_DEPTH || operators > 4 * MAX_BRACKET_DEPTH
    })
}

/// The bytes of a script that are neither in strings nor in comments.
struct CodeBytes<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The last byte that is no space.
    before: u8,
    /// Brackets that are open, for each template around.
    templates: Vec<usize>,
}

impl<'a> CodeBytes<'a> {
    fn of(source: &'a str) -> Self {
        Self { bytes: source.as_bytes(), at: 0, before: b';', templates: Vec::new() }
    }

    /// Whether a quote begins a string here: behind a word or an element it is an apostrophe in the text of an element.
    fn begins_string(&self) -> bool {
        let is_word = self.before.is_ascii_alphanumeric() || matches!(self.before, b'_' | b'$' | 0x80..);
        let word = self.bytes[..self.at].trim_ascii_end();
        let keyword = ["return", "case", "from", "import", "default", "in", "of", "typeof", "else", "await", "yield"];
        !is_word && !matches!(self.before, b')' | b']' | b'>')
            || is_word && keyword.iter().any(|keyword| word.ends_with(keyword.as_bytes()))
    }

    /// Where the string ends whose quote stands here; none if it does not end in its line, or in its attribute.
    fn string_end(&self, quote: u8) -> Option<usize> {
        let is_attribute = self.before == b'=';
        let mut at = self.at + 1;
        while let Some(&byte) = self.bytes.get(at) {
            match byte {
                byte if byte == quote => return Some(at + 1),
                b'\\' => at += 1,
                b'\n' if !is_attribute => return None,
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// Runs through the text of a template, to its end or to the code in it.
    fn template(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                b'`' => return,
                b'$' if self.bytes.get(self.at) == Some(&b'{') => return self.templates.push(0),
                _ => {}
            }
        }
    }
}

impl Iterator for CodeBytes<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        let next = self.bytes.get(self.at + 1).copied();
        match (byte, next) {
            (b'"' | b'\'', _) if self.begins_string() => {
                self.at = self.string_end(byte).unwrap_or(self.at + 1);
            }
            (b'`', _) => {
                self.at += 1;
                self.template();
            }
            (b'/', Some(b'/')) if self.before != b':' => {
                let rest = &self.bytes[self.at..];
                self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                return Some(b' ');
            }
            (b'/', Some(b'*')) => {
                let rest = &self.bytes[self.at + 2..];
                self.at += 2 + memchr::memmem::find(rest, b"*/").map_or(rest.len(), |end| end + 2);
                return Some(b' ');
            }
            _ => {
                self.at += 1;
                match (byte, self.templates.last_mut()) {
                    (b'{', Some(open)) => *open += 1,
                    (b'}', Some(open)) if *open <= 1 => {
                        self.templates.pop();
                        self.template();
                    }
                    (b'}', Some(open)) => *open -= 1,
                    _ => {}
                }
            }
        }
        if !byte.is_ascii_whitespace() {
            self.before = byte;
        }
        Some(byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str) -> Result<(), ScriptError> {
        with_room(source, || Ok(()))
    }

    #[test]
    fn what_stands_in_text_is_not_nested() {
        let path = "M12.5-3.75l-1.25.5".repeat(1_000);
        for source in [
            format!("const a = <path d=\"{path}\"/>"),
            format!("const a = <path d='{path}'/>"),
            format!("const a = \"{path}\""),
            format!("f('{path}', \"{}\")", "(".repeat(1_000)),
            format!("const a = '{}'", "\\'(".repeat(1_000)),
            format!("const a = `{path}${{b}}{}`", "{".repeat(1_000)),
            format!("// {path} {}\nf()", "(".repeat(1_000)),
            format!("/* {path} {} */ f()", "[".repeat(1_000)),
            format!("return \"{path}\""),
            format!("{{path: \"{path}\"}}"),
            format!("const a = <path d=\"{}\"/>", "M1.5-3.75l-1.2.5\n".repeat(9_000)),
            "const a = <p>Don't</p>; f(x => { g(`${x}`) })\n".repeat(2_000),
        ] {
            assert!(check(&source).is_ok(), "{}", source.chars().take(60).collect::<String>());
        }
    }

    #[test]
    fn code_is() {
        for source in [
            "(".repeat(1_000),
            format!("a = {}1", "1+".repeat(2_000)),
            format!("`${{{}}}`", "[".repeat(1_000)),
            format!("'a' + {}", "{".repeat(1_000)),
            format!("<p>it's</p>;{}", "(".repeat(1_000)),
            format!("/* a */ {}", "(".repeat(1_000)),
            format!("a.b'{}", "(".repeat(1_000)),
        ] {
            assert!(check(&source).is_err(), "{}", source.chars().take(60).collect::<String>());
        }
    }
}
