//! Literals decode back to the value that they were made of.

use std::process::Command;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::super::literal::{self, BRACED, C, DART, KOTLIN, PLAIN, RUBY};

/// Text with the signs that literals mean something by.
fn hostile() -> impl Strategy<Value = String> {
    let pieces = [
        "'", "\"", "\\", "$", "${", "#{", "#@", "#$", "`", "\n", "\n", "\n  ", "\r", "\t", " ", "a", "b1", "é", "漢",
        "😀", "\u{202e}", "\u{7}", "\u{7f}", "\u{2028}", "@", "%s", "{", "}", "??", "?=", "\"\"\"", "\"\"\"\"", "'''",
        "BODY\n", ")\"", ")-\"", "\u{2019}", "\u{201c}", "\\u0041", "\\(", "\"#", "\"##", "*/", "//", "<b>", "&",
        "\\n", "'@\n", "\\x41", "|",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..14).prop_map(|pieces| pieces.concat())
}

/// Decodes what is within quotes with backslashes. Fails at a quote without a backslash, and at what begins an
/// interpolation.
fn decode_escapes(text: &str, quote: &str, interpolations: &[&str]) -> String {
    let mut bytes = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        assert!(quote.is_empty() || !rest.starts_with(quote), "the literal ends early: {text}");
        assert!(!interpolations.iter().any(|start| rest.starts_with(start)), "an interpolation: {text}");
        let Some(escape) = rest.strip_prefix('\\') else {
            let letter = rest.chars().next().expect("a letter");
            bytes.extend(letter.to_string().bytes());
            rest = &rest[letter.len_utf8()..];
            continue;
        };
        let letter = escape.chars().next().expect("an escaped letter");
        rest = &escape[letter.len_utf8()..];
        let code = |digits: &str, radix| {
            char::from_u32(u32::from_str_radix(digits, radix).expect("digits")).expect("a letter")
        };
        match letter {
            'n' => bytes.push(b'\n'),
            'r' => bytes.push(b'\r'),
            't' => bytes.push(b'\t'),
            'u' if rest.starts_with('{') => {
                let (digits, after) = rest[1..].split_once('}').expect("a closing brace");
                bytes.extend(code(digits, 16).to_string().bytes());
                rest = after;
            }
            'u' => {
                bytes.extend(code(&rest[..4], 16).to_string().bytes());
                rest = &rest[4..];
            }
            '0'..='7' => {
                bytes.push(u8::from_str_radix(&escape[..3], 8).expect("digits"));
                rest = &escape[3..];
            }
            _ => bytes.extend(letter.to_string().bytes()),
        }
    }
    String::from_utf8(bytes).expect("text")
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let inner = text.strip_prefix(start).and_then(|text| text.strip_suffix(end));
    inner.unwrap_or_else(|| panic!("{start} {end}: {text}"))
}

fn dedent(text: &str, indent: &str) -> String {
    let line = |line: &str| if line.is_empty() { String::new() } else { between(line, indent, "").to_owned() };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// Words of a shell: quotes of three kinds.
fn decode_shell(word: &str) -> String {
    if let Some(ansi) = word.strip_prefix("$'") {
        return decode_escapes(between(ansi, "", "'"), "'", &[]);
    }
    let mut out = String::new();
    let mut rest = word;
    while let Some(letter) = rest.chars().next() {
        match letter {
            '\'' => {
                let (inner, after) = rest[1..].split_once('\'').expect("a closing quote");
                out.push_str(inner);
                rest = after;
            }
            '\\' => {
                out.push_str(&rest[1..2]);
                rest = &rest[2..];
            }
            _ => {
                assert!(letter.is_ascii_alphanumeric() || "-_./:@%+,=".contains(letter), "{word}");
                out.push(letter);
                rest = &rest[1..];
            }
        }
    }
    out
}

fn decode_powershell(text: &str) -> String {
    if let Some(lines) = text.strip_prefix("@'\n") {
        let inner = between(lines, "", "\n'@");
        assert!(!inner.contains("\n'@"), "{text}");
        return inner.to_owned();
    }
    let mut out = String::new();
    if let Some(inner) = text.strip_prefix('\'') {
        let mut letters = between(inner, "", "'").chars();
        while let Some(letter) = letters.next() {
            if matches!(letter, '\'' | '\u{2018}'..='\u{201b}') {
                assert_eq!(letters.next(), Some(letter), "{text}");
            }
            out.push(letter);
        }
        return out;
    }
    let mut letters = between(text, "\"", "\"").chars();
    while let Some(letter) = letters.next() {
        assert!(!matches!(letter, '"' | '$' | '\u{201c}'..='\u{201e}'), "{text}");
        if letter != '`' {
            out.push(letter);
            continue;
        }
        match letters.next().expect("an escaped letter") {
            'n' => out.push('\n'),
            'r' => out.push('\r'),
            't' => out.push('\t'),
            'u' => {
                let digits: String = letters.by_ref().skip(1).take_while(|letter| *letter != '}').collect();
                out.push(char::from_u32(u32::from_str_radix(&digits, 16).expect("digits")).expect("a letter"));
            }
            other => out.push(other),
        }
    }
    out
}

/// A literal, and what decodes it: over several lines, or else between quotes.
fn decode(text: &str, several_lines: bool, lines: impl Fn(&str) -> String, quote: &str, starts: &[&str]) -> String {
    if several_lines { lines(text) } else { decode_escapes(between(text, quote, quote), quote, starts) }
}

proptest! {
    #[test]
    fn of_one_line(text in hostile()) {
        prop_assert_eq!(decode_escapes(between(&PLAIN.literal(&text), "\"", "\""), "\"", &[]), text.clone());
        prop_assert_eq!(decode_escapes(between(&BRACED.literal(&text), "\"", "\""), "\"", &[]), text.clone());
        prop_assert_eq!(decode_escapes(between(&KOTLIN.literal(&text), "\"", "\""), "\"", &["$"]), text.clone());
        prop_assert_eq!(decode_escapes(between(&DART.literal(&text), "'", "'"), "'", &["$"]), text.clone());
        prop_assert_eq!(decode_escapes(between(&RUBY.literal(&text), "\"", "\""), "\"", &["#{", "#$", "#@"]), text.clone());
        prop_assert_eq!(decode_escapes(between(&C.literal(&text), "\"", "\""), "\"", &["??"]), text.clone());
        prop_assert_eq!(decode_shell(&literal::shell(&text)), text.clone());
        prop_assert_eq!(decode_powershell(&literal::powershell(&text)), text.clone());
        let php = literal::php(&text);
        if php.starts_with('"') {
            prop_assert_eq!(decode_escapes(between(&php, "\"", "\""), "\"", &["$"]), text);
        } else {
            prop_assert_eq!(decode_escapes(between(&php, "'", "'"), "'", &[]), text);
        }
    }

    #[test]
    fn of_several_lines(text in hostile()) {
        let block = literal::powershell_block(&text);
        prop_assert_eq!(decode_powershell(&block), text.clone());

        let block = literal::python_block(&text);
        let lines = |block: &str| decode_escapes(between(block, "\"\"\"", "\"\"\""), "\"\"\"", &[]);
        prop_assert_eq!(decode(&block, block.starts_with("\"\"\"") && block.contains('\n'), lines, "\"", &[]), text.clone());

        let block = literal::javascript_block(&text);
        let lines = |block: &str| decode_escapes(between(block, "`", "`"), "`", &["${"]);
        prop_assert_eq!(decode(&block, block.starts_with('`'), lines, "\"", &[]), text.clone());

        let block = literal::go_block(&text);
        let lines = |block: &str| {
            let whole = block.replace("` + \"`\" + `", "\u{1}");
            let inner = between(&whole, "`", "`");
            assert!(!inner.contains('`'), "{block}");
            inner.replace('\u{1}', "`")
        };
        prop_assert_eq!(decode(&block, block.starts_with('`'), lines, "\"", &[]), text.clone());

        let block = literal::java_block(&text, "    ");
        let lines = |block: &str| decode_escapes(&dedent(between(block, "\"\"\"\n", "\"\"\""), "    "), "\"\"\"", &[]);
        prop_assert_eq!(decode(&block, block.starts_with("\"\"\"\n"), lines, "\"", &[]), text.clone());

        let block = literal::kotlin_block(&text, "    ", "");
        let lines = |block: &str| {
            let inner = dedent(between(block, "\"\"\"\n", "\n\"\"\".trimIndent()"), "    ");
            assert!(!inner.contains("\"\"\""), "{block}");
            let out = inner.replace("${'$'}", "\u{1}");
            assert!(!out.contains('$'), "{block}");
            out.replace('\u{1}', "$")
        };
        prop_assert_eq!(decode(&block, block.starts_with("\"\"\"\n"), lines, "\"", &["$"]), text.clone());

        let block = literal::swift_block(&text);
        let lines = |block: &str| decode_escapes(between(block, "\"\"\"\n", "\n\"\"\""), "\"\"\"", &[]);
        prop_assert_eq!(decode(&block, block.starts_with("\"\"\"\n"), lines, "\"", &[]), text.clone());

        let block = literal::csharp_block(&text, "    ");
        let lines = |block: &str| {
            let quotes = &block[..block.find('\n').expect("lines")];
            let inner = dedent(between(block, &format!("{quotes}\n"), &format!("\n    {quotes}")), "    ");
            assert!(!inner.contains(quotes), "{block}");
            inner
        };
        prop_assert_eq!(decode(&block, block.starts_with("\"\"\""), lines, "\"", &[]), text.clone());

        let block = literal::rust_block(&text);
        let lines = |block: &str| {
            let hashes = between(&block[..block.find('"').expect("a quote")], "r", "");
            let inner = between(block, &format!("r{hashes}\""), &format!("\"{hashes}"));
            assert!(!inner.contains(&format!("\"{hashes}")), "{block}");
            inner.to_owned()
        };
        prop_assert_eq!(decode(&block, block.starts_with('r'), lines, "\"", &[]), text.clone());

        let block = literal::dart_block(&text);
        let lines = |block: &str| decode_escapes(between(block, "'''", "'''"), "'''", &["$"]);
        prop_assert_eq!(decode(&block, block.starts_with("'''"), lines, "'", &["$"]), text.clone());

        let block = literal::cpp_block(&text);
        let lines = |block: &str| {
            let mark = between(&block[..block.find('(').expect("a bracket")], "R\"", "");
            let inner = between(block, &format!("R\"{mark}("), &format!("){mark}\""));
            assert!(!inner.contains(&format!("){mark}\"")), "{block}");
            inner.to_owned()
        };
        prop_assert_eq!(decode(&block, block.starts_with('R'), lines, "\"", &["??"]), text.clone());

        let block = literal::c_lines(&text, "  ");
        let lines = |block: &str| {
            block[1..].split('\n').map(|line| decode_escapes(between(line, "  \"", "\""), "\"", &["??"])).collect::<String>()
        };
        prop_assert_eq!(decode(&block, block.starts_with('\n'), lines, "\"", &["??"]), text.clone());

        let (reference, lines) = literal::ruby_block(&text);
        match lines {
            Some(lines) => prop_assert_eq!(dedent(between(&lines, "", "\nBODY"), "  "), text),
            None => prop_assert_eq!(decode_escapes(between(&reference, "\"", "\""), "\"", &["#{", "#$", "#@"]), text),
        }
    }
}

/// The same strings in every run.
fn examples() -> Vec<String> {
    let mut runner = TestRunner::deterministic();
    (0..400).map(|_| hostile().new_tree(&mut runner).expect("a string").current()).collect()
}

/// Runs a program that prints each string in hexadecimal, and compares.
fn print_and_compare(program: &str, arguments: &[&str], text: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("literals");
    std::fs::write(&file, text).expect("a file");
    let output = Command::new(program).args(arguments).arg(&file).output();
    let output = output.unwrap_or_else(|error| panic!("{program} is needed to test samples: {error}"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let hex = |text: &String| text.bytes().map(|byte| format!("{byte:02x}")).collect::<String>();
    let expected: Vec<_> = examples().iter().map(hex).collect();
    assert_eq!(printed.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn bash_reads_them() {
    let lines = |text: &String| format!("printf %s {} | od -An -v -tx1 | tr -d ' \\n'; echo\n", literal::shell(text));
    print_and_compare("bash", &[], &examples().iter().map(lines).collect::<String>());
}

#[test]
fn python_reads_them() {
    let lines = |text: &String| {
        format!("print({}.encode().hex())\nassert {0} == {}\n", PLAIN.literal(text), literal::python_block(text))
    };
    print_and_compare("python3", &[], &examples().iter().map(lines).collect::<String>());
}

#[test]
fn node_reads_them() {
    let lines = |text: &String| {
        let (line, block) = (PLAIN.literal(text), literal::javascript_block(text));
        format!("console.log(Buffer.from({line}).toString('hex')); if ({line} !== {block}) throw new Error({line});\n")
    };
    print_and_compare("node", &[], &examples().iter().map(lines).collect::<String>());
}

#[test]
fn php_reads_them_where_installed() {
    if Command::new("php").arg("-v").output().is_err() {
        println!("skipped: there is no php");
        return;
    }
    let lines = |text: &String| {
        let (line, block) = (literal::php(text), literal::php_block(text));
        format!("echo bin2hex({line}), \"\\n\"; if ({line} !== {block}) exit(1);\n")
    };
    print_and_compare("php", &[], &format!("<?php\n{}", examples().iter().map(lines).collect::<String>()));
}

#[test]
fn ruby_reads_them_where_installed() {
    if Command::new("ruby").arg("-v").output().is_err() {
        println!("skipped: there is no ruby");
        return;
    }
    let lines = |text: &String| {
        let (reference, lines) = literal::ruby_block(text);
        let block = lines.map_or_else(|| reference.clone(), |lines| format!("{reference}\n{lines}"));
        format!("a = {}\nb = {block}\nputs a.unpack1('H*')\nexit 1 unless a == b\n", RUBY.literal(text))
    };
    print_and_compare("ruby", &["-Ku"], &examples().iter().map(lines).collect::<String>());
}
