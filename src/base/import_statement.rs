//! The statements by which a module names others, read by the parser of its language.

use std::borrow::Cow;

use oxc::allocator::Allocator;
use oxc::ast::ast::{ImportDeclaration, ImportDeclarationSpecifier, Statement};
use oxc::parser::Parser;
use oxc::span::{GetSpan as _, SourceType, Span};

use super::cut::SliceText as _;

/// Longest statement that is read, bytes.
const MAX_STATEMENT_BYTES: usize = 8 << 10;
/// Lines of the longest one.
const MAX_STATEMENT_LINES: usize = 80;
/// Signs and words of a text that can hold others: the parser has stack for so many levels on any thread.
const MAX_STATEMENT_LEVELS: usize = 250;
/// Words that another expression or statement follows.
const NESTING_WORDS: [&str; 12] =
    ["new", "typeof", "void", "delete", "await", "yield", "do", "else", "if", "for", "while", "try"];

/// An import statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportStatement<'s> {
    /// (name there, name here); `default` and `*` among the first. Types are none.
    pub names: Vec<(&'s str, &'s str)>,
    /// The module that it names.
    pub from: Cow<'s, str>,
    /// Where it ends in the text.
    pub end: usize,
}

/// The import statement that a text begins with. What follows it has to be statements, too.
pub fn read_import(text: &str) -> Option<ImportStatement<'_>> {
    parsed(text, |statement| match statement {
        Statement::ImportDeclaration(import) => Some(import_statement(text, import)),
        _ => None,
    })
}

/// How many lines follow the first of the import statement that some lines begin with.
pub fn import_length(lines: &[&str]) -> Option<usize> {
    let mut text = String::new();
    let mut names_module = false;
    for (at, line) in lines.iter().take(MAX_STATEMENT_LINES).enumerate() {
        text.push_str(if at == 0 { "" } else { "\n" });
        text.push_str(line);
        let has_quote = line.contains(['"', '\'']);
        names_module |= has_quote;
        // a module is named between quotes; braces may follow it
        if (has_quote || names_module && line.contains('}')) && read_import(&text).is_some() {
            return Some(at);
        }
    }
    None
}

/// The module that the `import` or `export` statement names which a text begins with, whatever follows it.
pub fn module_of_statement(text: &str) -> Option<String> {
    // most exports are of a component, which may be long: the parser would be asked at each of its lines
    if text.strip_prefix("export").is_some_and(declares) {
        return None;
    }
    let mut end = 0;
    for line in text.split_inclusive('\n').take(MAX_STATEMENT_LINES) {
        end += line.len();
        let found = line.contains(['"', '\'']).then(|| {
            parsed(text.slice(..end), |statement| match statement {
                Statement::ImportDeclaration(import) => Some(import.source.value.to_string()),
                Statement::ExportFromDeclaration(export) => Some(export.source.value.to_string()),
                Statement::ExportAllDeclaration(export) => Some(export.source.value.to_string()),
                _ => None,
            })
        });
        if let Some(found) = found.flatten() {
            return Some(found);
        }
    }
    None
}

/// Whether what follows `export` begins a declaration: only lists of names, stars and types are taken from a module.
fn declares(rest: &str) -> bool {
    let rest = rest.trim_start();
    rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$')) && !rest.starts_with("type")
}

/// What the first statement of a text says, if all of it is statements.
fn parsed<T>(text: &str, read: impl FnOnce(&Statement<'_>) -> Option<T>) -> Option<T> {
    if text.len() > MAX_STATEMENT_BYTES || levels(text) > MAX_STATEMENT_LEVELS {
        return None;
    }
    let arena = Allocator::default();
    let parsed = Parser::new(&arena, text, SourceType::tsx()).parse();
    let is_whole = !parsed.panicked && parsed.diagnostics.is_empty();
    parsed.program.body.first().filter(|_| is_whole).and_then(read)
}

fn levels(text: &str) -> usize {
    let signs = text.bytes().filter(|byte| b"([{<!~+-*/%?:=&|^".contains(byte)).count();
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| NESTING_WORDS.contains(word)).count();
    signs + words
}

fn import_statement<'s>(text: &'s str, import: &ImportDeclaration<'_>) -> ImportStatement<'s> {
    let at = |span: Span| text.slice(span.start as usize..span.end as usize);
    let is_type = import.import_kind.is_type();
    let names = import.specifiers.iter().flatten().filter(|_| !is_type).filter_map(|one| match one {
        ImportDeclarationSpecifier::ImportSpecifier(one) if one.import_kind.is_type() => None,
        ImportDeclarationSpecifier::ImportSpecifier(one) => {
            Some((at(one.imported.span()).trim_matches(['"', '\'']), at(one.local.span)))
        }
        ImportDeclarationSpecifier::ImportDefaultSpecifier(one) => Some(("default", at(one.local.span))),
        ImportDeclarationSpecifier::ImportNamespaceSpecifier(one) => Some(("*", at(one.local.span))),
    });
    let names = names.collect();
    let written = at(import.source.span);
    let written = written.slice(1..written.len().saturating_sub(1));
    let value = import.source.value.as_str();
    let from = if written == value { Cow::Borrowed(written) } else { Cow::Owned(value.to_owned()) };
    ImportStatement { names, from, end: import.span.end as usize }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        match read_import(text) {
            Some(import) => {
                let names: Vec<String> = import.names.iter().map(|(there, here)| format!("{there}={here}")).collect();
                format!("{} {}", names.join(","), import.from)
            }
            None => "none".to_owned(),
        }
    }

    #[test]
    fn statements_are_read_and_not_searched() {
        for (text, expect) in [
            ("import A, {b, c as d} from 'x';", "default=A,b=b,c=d x"),
            ("import * as from from \"./from from.mdx\"", "*=from ./from from.mdx"),
            ("import from from '/install-from-source.mdx'", "default=from /install-from-source.mdx"),
            ("import {as as own, default as as} from './as from default'", "as=own,default=as ./as from default"),
            ("import{a}from'x'", "a=a x"),
            ("import './a.css'", " ./a.css"),
            ("import a from \"./it's.mdx\"", "default=a ./it's.mdx"),
            ("import a from './it\\'s\\x2emdx'", "default=a ./it's.mdx"),
            ("import /* it's from 'y' */ a from 'x' // from 'z'", "default=a x"),
            ("import { 'a-b' as c, // one\n d } from 'x'", "a-b=c,d=d x"),
            ("import type { T } from 'x'", " x"),
            ("import { type T, a } from 'x'", "a=a x"),
            ("import json from './a.json' with { type: 'json' };", "default=json ./a.json"),
            ("import a from 'x'; import b from 'y'", "default=a x"),
            ("import settings from the other 'side'", "none"),
            ("import('x')", "none"),
            ("import a from 'x", "none"),
            ("", "none"),
        ] {
            assert_eq!(read(text), expect, "{text}");
        }
        assert_eq!(read(&format!("import a from 'x';{}", "(".repeat(7_000))), "none");
    }

    #[test]
    fn statements_end_where_they_end() {
        for (text, expect) in [
            ("import a from 'x'\nwords", Some(0)),
            ("import {\n  a, // it's\n  b,\n} from 'x';\n\nwords", Some(3)),
            ("import\na\nfrom\n'x'", Some(3)),
            ("import a from 'x' with {\n  type: 'json',\n}\n", Some(2)),
            ("import the 'thing' by hand\nand go", None),
            ("import {\na", None),
        ] {
            assert_eq!(import_length(&text.lines().collect::<Vec<_>>()), expect, "{text}");
        }
    }

    #[test]
    fn modules_of_statements_are_found() {
        for (text, expect) in [
            ("export { 'a' as b } from './x'\nwords that are no 'code", Some("./x")),
            ("export * from \"./it's\"", Some("./it's")),
            ("import {\n a } from './y'\n# Words", Some("./y")),
            ("export const a = 'x'", None),
            ("export function A() {\n  return <p title=\"'\">from 'x'</p>\n}", None),
            ("export type { T } from './t'", Some("./t")),
            ("export type Kiln = 'x'", None),
            ("export /* all */ * as kiln from './k'", Some("./k")),
        ] {
            assert_eq!(module_of_statement(text).as_deref(), expect, "{text}");
        }
    }
}
