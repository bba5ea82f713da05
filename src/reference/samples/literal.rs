//! String literals.

/// Whether a character cannot be seen in source text, or changes how the text around it is seen.
pub(super) fn is_hidden_letter(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// How a language writes a string between quotes with backslashes.
pub(super) struct Quoting {
    quote: char,
    /// Whether a character gets a backslash, from the one before it, itself, and the one after it.
    escaped: fn(Option<char>, char, Option<char>) -> bool,
    /// The escape of a hidden character.
    code: fn(char) -> String,
}

fn never(_: Option<char>, _: char, _: Option<char>) -> bool {
    false
}

fn dollar(_: Option<char>, letter: char, _: Option<char>) -> bool {
    letter == '$'
}

fn four_digits(letter: char) -> String {
    format!("\\u{:04x}", u32::from(letter))
}

fn braces(letter: char) -> String {
    format!("\\u{{{:x}}}", u32::from(letter))
}

fn octal_bytes(letter: char) -> String {
    letter.encode_utf8(&mut [0; 4]).bytes().map(|byte| format!("\\{byte:03o}")).collect()
}

/// JSON itself, Python, JavaScript, Go, Java and C#: none of them replaces anything within double quotes.
pub(super) const PLAIN: Quoting = Quoting { quote: '"', escaped: never, code: four_digits };
/// Rust and Swift.
pub(super) const BRACED: Quoting = Quoting { quote: '"', escaped: never, code: braces };
/// Kotlin.
pub(super) const KOTLIN: Quoting = Quoting { quote: '"', escaped: dollar, code: four_digits };
/// Dart.
pub(super) const DART: Quoting = Quoting { quote: '\'', escaped: dollar, code: braces };
/// PHP, where single quotes do not do.
const PHP_DOUBLE: Quoting = Quoting { quote: '"', escaped: dollar, code: braces };
/// Ruby: a number sign begins an interpolation before a brace or the sign of a variable.
pub(super) const RUBY: Quoting = Quoting {
    quote: '"',
    escaped: |_, letter, next| letter == '#' && matches!(next, Some('{' | '$' | '@')),
    code: four_digits,
};
/// C and C++: hexadecimal escapes have no end there, octal ones have; two question marks could begin a trigraph.
pub(super) const C: Quoting =
    Quoting { quote: '"', escaped: |last, letter, _| letter == '?' && last == Some('?'), code: octal_bytes };
/// Bash, where single quotes do not do; it has no zero characters.
const BASH_ANSI: Quoting = Quoting {
    quote: '\'',
    escaped: never,
    code: |letter| if letter == '\0' { String::new() } else { octal_bytes(letter) },
};

impl Quoting {
    /// The literal, with its quotes.
    pub(super) fn literal(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len() + 2);
        out.push(self.quote);
        self.inner(text, &mut out);
        out.push(self.quote);
        out
    }

    fn inner(&self, text: &str, out: &mut String) {
        let mut last = None;
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            match letter {
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                '\t' => out.push_str("\\t"),
                _ if is_hidden_letter(letter) => out.push_str(&(self.code)(letter)),
                _ => {
                    let escaped =
                        letter == '\\' || letter == self.quote || (self.escaped)(last, letter, letters.peek().copied());
                    if escaped {
                        out.push('\\');
                    }
                    out.push(letter);
                }
            }
            last = Some(letter);
        }
    }
}

/// Whether text is best shown over several lines, and can be in every language: nothing hidden, no white space that an
/// editor would remove, no common indentation that a language would remove.
pub(super) fn fits_block(text: &str) -> bool {
    text.contains('\n')
        && !text.chars().any(|letter| letter != '\n' && is_hidden_letter(letter))
        && text.split('\n').all(|line| line.trim_end() == line)
        && text.lines().any(|line| line.chars().next().is_some_and(|first| !first.is_whitespace()))
        && !text.starts_with('\n')
        && !text.ends_with('\n')
}

/// A word of a shell command.
pub(super) fn shell(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:@%+,=".contains(&byte);
    if !text.is_empty() && text.bytes().all(plain) {
        return text.to_owned();
    }
    if text.chars().any(|letter| letter != '\n' && is_hidden_letter(letter)) {
        return format!("${}", BASH_ANSI.literal(text));
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// A string of PHP, on one line.
pub(super) fn php(text: &str) -> String {
    if text.chars().any(is_hidden_letter) {
        return PHP_DOUBLE.literal(text);
    }
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// A string of PHP; over several lines where that reads better.
pub(super) fn php_block(text: &str) -> String {
    if !fits_block(text) {
        return php(text);
    }
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// A string of PowerShell, which takes typographic quotes for quotes.
pub(super) fn powershell(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    if text.chars().any(is_hidden_letter) {
        out.push('"');
        for letter in text.chars() {
            match letter {
                '\n' => out.push_str("`n"),
                '\r' => out.push_str("`r"),
                '\t' => out.push_str("`t"),
                _ if is_hidden_letter(letter) => out.push_str(&format!("`u{{{:x}}}", u32::from(letter))),
                '"' | '`' | '$' | '\u{201c}'..='\u{201e}' => out.extend(['`', letter]),
                _ => out.push(letter),
            }
        }
        out.push('"');
        return out;
    }
    out.push('\'');
    for letter in text.chars() {
        out.push(letter);
        if matches!(letter, '\'' | '\u{2018}'..='\u{201b}') {
            out.push(letter);
        }
    }
    out.push('\'');
    out
}

/// A string of PowerShell; over several lines where that reads better.
pub(super) fn powershell_block(text: &str) -> String {
    let ends_early = |line: &str| {
        line.trim_start()
            .strip_prefix(['\'', '\u{2018}', '\u{2019}', '\u{201a}', '\u{201b}'])
            .is_some_and(|rest| rest.starts_with('@'))
    };
    if !fits_block(text) || text.lines().any(ends_early) {
        return powershell(text);
    }
    format!("@'\n{text}\n'@")
}

/// A string of Python; over several lines where that reads better.
pub(super) fn python_block(text: &str) -> String {
    if !fits_block(text) || text.ends_with('"') {
        return PLAIN.literal(text);
    }
    format!("\"\"\"{}\"\"\"", text.replace('\\', "\\\\").replace("\"\"\"", "\\\"\\\"\\\""))
}

/// A string of JavaScript; over several lines where that reads better.
pub(super) fn javascript_block(text: &str) -> String {
    if !fits_block(text) {
        return PLAIN.literal(text);
    }
    format!("`{}`", text.replace('\\', "\\\\").replace('`', "\\`").replace("${", "\\${"))
}

/// A string of Go; over several lines where that reads better.
pub(super) fn go_block(text: &str) -> String {
    if !fits_block(text) {
        return PLAIN.literal(text);
    }
    format!("`{}`", text.replace('`', "` + \"`\" + `"))
}

/// A text block of Java, its lines indented; a string where that does not do.
pub(super) fn java_block(text: &str, indent: &str) -> String {
    if !fits_block(text) {
        return PLAIN.literal(text);
    }
    // a quote before the closing ones would be one of them
    let (text, end) = text.strip_suffix('"').map_or((text, ""), |start| (start, "\\\""));
    let text = text.replace('\\', "\\\\").replace("\"\"\"", "\\\"\\\"\\\"") + end;
    format!("\"\"\"\n{}\"\"\"", indent_lines(&text, indent))
}

/// A raw string of Kotlin, its lines indented; a string where that does not do.
pub(super) fn kotlin_block(text: &str, indent: &str, outer: &str) -> String {
    if !fits_block(text) || text.contains("\"\"\"") {
        return KOTLIN.literal(text);
    }
    let text = text.replace('$', "${'$'}");
    format!("\"\"\"\n{}\n{outer}\"\"\".trimIndent()", indent_lines(&text, indent))
}

/// A multi-line string of Swift; a string on one line where that does not do.
pub(super) fn swift_block(text: &str) -> String {
    if !fits_block(text) {
        return BRACED.literal(text);
    }
    format!("\"\"\"\n{}\n\"\"\"", text.replace('\\', "\\\\").replace("\"\"\"", "\\\"\\\"\\\""))
}

/// A raw string of C#, its lines indented; a string where that does not do.
pub(super) fn csharp_block(text: &str, indent: &str) -> String {
    if !fits_block(text) {
        return PLAIN.literal(text);
    }
    let quotes = "\"".repeat(longest_run(text, '"').saturating_add(1).max(3));
    format!("{quotes}\n{}\n{indent}{quotes}", indent_lines(text, indent))
}

/// A raw string of Rust; a string with escapes where that does not do.
pub(super) fn rust_block(text: &str) -> String {
    if !fits_block(text) {
        return BRACED.literal(text);
    }
    let mut hashes = String::from("#");
    while text.contains(&format!("\"{hashes}")) {
        hashes.push('#');
    }
    format!("r{hashes}\"{text}\"{hashes}")
}

/// A multi-line string of Dart; a string on one line where that does not do.
pub(super) fn dart_block(text: &str) -> String {
    if !fits_block(text) || text.ends_with('\'') {
        return DART.literal(text);
    }
    format!("'''{}'''", text.replace('\\', "\\\\").replace('$', "\\$").replace("'''", "\\'\\'\\'"))
}

/// A raw string of C++; a string with escapes where that does not do.
pub(super) fn cpp_block(text: &str) -> String {
    if !fits_block(text) {
        return C.literal(text);
    }
    let mut mark = String::new();
    while text.contains(&format!("){mark}\"")) {
        mark.push('-');
        if mark.len() > 16 {
            return C.literal(text);
        }
    }
    format!("R\"{mark}({text}){mark}\"")
}

/// String literals of C, one for each line.
pub(super) fn c_lines(text: &str, indent: &str) -> String {
    if !fits_block(text) {
        return C.literal(text);
    }
    let lines: Vec<String> = text.split_inclusive('\n').map(|line| format!("\n{indent}{}", C.literal(line))).collect();
    lines.concat()
}

/// A here document of Ruby and the line that refers to it: `(reference, lines)`; a string where that does not do.
pub(super) fn ruby_block(text: &str) -> (String, Option<String>) {
    if !fits_block(text) || text.lines().any(|line| line.trim() == "BODY") {
        return (RUBY.literal(text), None);
    }
    ("<<~'BODY'.chomp".to_owned(), Some(format!("{}\nBODY", indent_lines(text, "  "))))
}

fn longest_run(text: &str, letter: char) -> usize {
    text.split(|other| other != letter).map(str::len).max().unwrap_or_default()
}

/// All lines indented but empty ones.
fn indent_lines(text: &str, indent: &str) -> String {
    let line = |line: &str| if line.is_empty() { String::new() } else { format!("{indent}{line}") };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}
