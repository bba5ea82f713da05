//! How large and how deeply nested a script may be, and the stack that its compiler gets.

use super::syntax_error::SyntaxError;

/// Longest script that is compiled, bytes.
const MAX_SCRIPT_BYTES: usize = 256 << 10;
/// Deepest nesting of brackets in a script, and a quarter of its longest chain of operators.
const MAX_DEPTH: usize = 400;
/// Most levels of nesting that a script can have, by its tokens.
const MAX_LEVELS: usize = 60_000;
/// Stack that a level takes in the compiler, bytes: more than twice what was measured at most (brackets in brackets,
/// 1.6 kB).
const LEVEL_BYTES: usize = 4 << 10;
/// Levels for which every thread has stack left.
const LEVELS_OF_ANY_STACK: usize = 300;

/// Runs the compiler with a stack that no script can exhaust: it recurses at most once for each token that can hold
/// another.
pub(super) fn with_room<T: Send>(
    source: &str,
    compile: impl FnOnce() -> Result<T, SyntaxError> + Send,
) -> Result<T, SyntaxError> {
    if source.len() > MAX_SCRIPT_BYTES {
        return Err(SyntaxError {
            message: format!("the script is longer than {} kB", MAX_SCRIPT_BYTES >> 10),
            line: 1,
        });
    }
    let levels = levels(source);
    if levels > MAX_LEVELS || is_deep(source) {
        return Err(SyntaxError { message: "the script is nested too deeply".to_owned(), line: 1 });
    }
    if levels <= LEVELS_OF_ANY_STACK {
        return compile();
    }
    std::thread::scope(|scope| {
        let compiler = std::thread::Builder::new()
            .stack_size((levels + LEVELS_OF_ANY_STACK) * LEVEL_BYTES)
            .spawn_scoped(scope, compile);
        let done = compiler.ok().and_then(|compiler| compiler.join().ok());
        done.unwrap_or_else(|| Err(SyntaxError { message: "there is no room to compile it".to_owned(), line: 1 }))
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
        levels += usize::from(byte.is_ascii_punctuation() && !matches!(byte, b';' | b',' | b'"' | b'\''));
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

/// Whether a script is nested as no script of documentation is. No bound on what the compiler does: brackets in text
/// count too.
fn is_deep(source: &str) -> bool {
    let (mut depth, mut operators) = (0_usize, 0_usize);
    source.bytes().any(|byte| {
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
        depth > MAX_DEPTH || operators > 4 * MAX_DEPTH
    })
}
