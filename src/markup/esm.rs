//! Imports and exports at the top of a page: `import X from "/snippets/x.mdx"`, `export const data = {…}`. Where a
//! statement ends is found by its brackets and quotes, and what it says by the parser of scripts.

use std::ops::Range;
use std::sync::Arc;

use crate::js::statements::{Declared, DeclaredValue, ModuleStatement, StatementKind, read_statements};
use base::Place;
use base::cut::SliceText as _;

use super::expr::{self, Function, PageExpr};
use super::script::{skip_space, statement_end};

/// Most bytes of a page that are read for the end of a statement whose brackets do not say it.
const MAX_LOOK_AHEAD: usize = 64 << 10;
/// Most statements of a file whose end is looked for so.
const MAX_STATEMENT_LOOKS: usize = 32;
/// Most times that a text is read again without what is no script at its end.
const MAX_CUTS: usize = 4;

/// A name that an import brings into scope.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Import {
    /// The name in this file.
    pub local: String,
    /// The name in the other file; `default` or `*` for those forms.
    pub exported: String,
    /// The path that is written.
    pub from: String,
    /// Byte offset of the statement in the text that was parsed.
    pub at: usize,
    /// Where the statement stands.
    pub place: Place,
}

/// What a file's module statements declare.
#[derive(Clone, Debug, Default)]
pub struct ModuleDeclarations {
    /// Imported names, in order.
    pub imports: Vec<Import>,
    /// The modules of `export * from`.
    pub stars: Vec<String>,
    /// Declared constants and components, in order. `default` is the default export of a script.
    pub declared: Vec<(String, PageExpr)>,
    /// All statements as one script. Its lines are the lines of the text that was parsed.
    pub script: String,
    /// Byte offsets of statements whose end could not be found.
    pub unclosed: Vec<usize>,
    /// How far the lines of the parsed text are counted.
    counted: usize,
    /// Statements whose end was looked for by reading on.
    looks: usize,
}

impl ModuleDeclarations {
    /// Keeps the source of a statement, on its own line.
    fn keep(&mut self, source: &str, range: Range<usize>) {
        let lines = memchr::memchr_iter(b'\n', &source.as_bytes()[self.counted..range.start]).count();
        self.script.extend(std::iter::repeat_n('\n', lines.max(usize::from(!self.script.is_empty()))));
        self.counted = range.end;
        self.script.push_str(source.slice(range).trim_end_matches(['\n', '\r']));
    }

    /// Adds what a statement of `text` says, which begins at `at` of the file.
    fn add(&mut self, statement: ModuleStatement, text: &str, at: usize) {
        match statement.kind {
            StatementKind::Import(names) => self.imports.extend(names.into_iter().map(|name| Import {
                local: name.local,
                exported: name.exported,
                from: name.from,
                at: at + statement.range.start,
                place: Place::default(),
            })),
            StatementKind::Star(from) => self.stars.push(from),
            StatementKind::Declare(names) => {
                self.declared.extend(names.into_iter().map(|Declared { name, value }| (name, declared(&value, text))));
            }
            StatementKind::Run => {}
        }
    }

    fn knows(&self, name: &str) -> bool {
        self.imports.iter().any(|import| import.local == name)
            || self.declared.iter().any(|(declared, _)| declared == name)
            || memchr::memmem::find(self.script.as_bytes(), name.as_bytes()).is_some()
    }
}

/// Reads module statements from `at` on, until something else stands at a line's start: that offset. Returns `None` if
/// what stands at `at` is prose that happens to start with `import` or `export`.
pub fn parse_block(source: &str, at: usize, module: &mut ModuleDeclarations) -> Option<usize> {
    let mut end = statement(source, at, module)?;
    loop {
        let next = same_line(source, end).or_else(|| skip_line_space(source, end));
        let Some(start) = next.filter(|start| starts_statement(source.slice(*start..))) else { break };
        match statement(source, start, module) {
            Some(after) => end = after,
            None => break,
        }
    }
    let line_end = end_of_line(source, end);
    // words behind a statement are text
    let end = if skip_space(source.slice(end..line_end), 0) == line_end - end { line_end } else { end };
    module.keep(source, at..end);
    Some(end)
}

/// Reads a whole script file (`.jsx`, `.tsx`, `.js`).
pub fn parse_script(source: &str) -> ModuleDeclarations {
    let mut module = ModuleDeclarations::default();
    match read_statements(source) {
        Ok(statements) => statements.into_iter().for_each(|one| module.add(one, source, 0)),
        Err(_) => parse_broken_script(source, &mut module),
    }
    module.script = source.to_owned();
    module
}

/// Reads what can be read of a script that is none as a whole, statement by statement.
fn parse_broken_script(source: &str, module: &mut ModuleDeclarations) {
    let mut at = skip_space(source, 0);
    while at < source.len() {
        let end = statement_end(source, at).unwrap_or(source.len()).max(at);
        if let Ok(statements) = read_statements(source.slice(at..end)) {
            statements.into_iter().for_each(|one| module.add(one, source.slice(at..end), at));
        } else if let Some(name) = declared_name(source.slice(at..end)) {
            module.declared.push((name, script(source.slice(at..end))));
        }
        let end = if end > at { end } else { at + source.slice(at..).chars().next().map_or(1, char::len_utf8) };
        at = skip_space(source, end);
    }
}

/// Whether a line could start a module statement.
pub fn starts_statement(line: &str) -> bool {
    let word = ["import", "export"].iter().find(|word| line.starts_with(**word));
    match word {
        Some(word) => matches!(line.as_bytes().get(word.len()), Some(b' ' | b'\t' | b'{' | b'"' | b'\'' | b'*')),
        None => {
            line.starts_with("const ")
                || line.starts_with("//")
                || line.starts_with("/*")
                || line.starts_with("function ")
        }
    }
}

/// Where a second statement of a line starts, behind the `;` of the first.
fn same_line(source: &str, at: usize) -> Option<usize> {
    let rest = source.slice(at..).trim_start_matches([' ', '\t', ';']);
    let is_behind = at > 0 && (source.as_bytes()[at - 1] == b';' || source.slice(at..).starts_with(';'));
    (is_behind && ["import", "export"].iter().any(|word| rest.starts_with(word))).then_some(source.len() - rest.len())
}

/// The start of the next line that is not blank, if no blank line comes before it.
fn skip_line_space(source: &str, at: usize) -> Option<usize> {
    let line_end = end_of_line(source, at);
    if !source.slice(at..line_end).trim_matches([' ', '\t', '\r', ';', '\n']).is_empty() {
        return None;
    }
    let rest = source.slice(line_end..);
    (!rest.is_empty() && !rest.starts_with(['\n', '\r', ' ', '\t'])).then_some(line_end)
}

/// The start of the line after `at`.
fn end_of_line(source: &str, at: usize) -> usize {
    source.slice(at..).find('\n').map_or(source.len(), |line| at + line + 1)
}

/// Reads the statement at `at` of a page: where it ends; `None` if it is none.
fn statement(source: &str, at: usize, module: &mut ModuleDeclarations) -> Option<usize> {
    let rest = source.slice(at..);
    if rest.starts_with("//") || rest.starts_with("/*") {
        return Some(skip_comment(source, at));
    }
    let end = statement_end(source, at);
    let read = end.and_then(|end| leading(read_statements(source.slice(at..end)).ok()?, end - at));
    let found = read.or_else(|| look_ahead(rest, module));
    let Some((statements, length)) = found else { return broken(source, at, end, module) };
    // `export default settings` in a text is prose, unless there are settings
    if let [ModuleStatement { kind: StatementKind::Declare(names), range }] = statements.as_slice()
        && let [Declared { name, value: DeclaredValue::Name(value) }] = names.as_slice()
        && name == "default"
        && !rest.slice(range.clone()).ends_with(';')
        && !module.knows(value)
    {
        return None;
    }
    statements.into_iter().for_each(|one| module.add(one, rest.slice(..length), at));
    Some(at + length)
}

/// The statements at the start of a text of `length` bytes that a page may have, and where they end.
fn leading(mut statements: Vec<ModuleStatement>, length: usize) -> Option<(Vec<ModuleStatement>, usize)> {
    let count = statements.iter().take_while(|one| !matches!(one.kind, StatementKind::Run)).count();
    let end = if count == statements.len() { length } else { statements.get(count.checked_sub(1)?)?.range.end };
    statements.truncate(count);
    (count > 0).then_some((statements, end))
}

/// The statement at the start of a text whose end its brackets and line breaks do not say: the text is read on, up to
/// where it is no script any more.
fn look_ahead(rest: &str, module: &mut ModuleDeclarations) -> Option<(Vec<ModuleStatement>, usize)> {
    module.looks += 1;
    if module.looks > MAX_STATEMENT_LOOKS {
        return None;
    }
    let mut text = rest.slice(..rest.floor_char_boundary(MAX_LOOK_AHEAD));
    for _ in 0..MAX_CUTS {
        match read_statements(text) {
            Ok(mut statements) => {
                statements.truncate(1);
                let end = statements.first()?.range.end;
                return leading(statements, end);
            }
            Err(failed) => {
                let failed = failed?.min(text.len().saturating_sub(1));
                let line = memchr::memrchr(b'\n', &text.as_bytes()[..failed])?;
                text = text.slice(..line);
            }
        }
    }
    None
}

/// A statement that is no JavaScript, or whose brackets or quotes do not close, but is code to everybody: the latter
/// ends at the next blank line, so that it costs no more of the page.
fn broken(source: &str, at: usize, end: Option<usize>, module: &mut ModuleDeclarations) -> Option<usize> {
    let rest = source.slice(at..);
    let name = declared_name(rest)?;
    module.declared.push((name, script(rest)));
    end.or_else(|| {
        module.unclosed.push(at);
        Some(at + rest.find("\n\n").unwrap_or(rest.len()))
    })
}

/// The name that a broken statement declares, if it looks like code.
fn declared_name(text: &str) -> Option<String> {
    let first = text.lines().next().unwrap_or_default();
    let is_code = ["export const ", "export function ", "export default ", "export let ", "const ", "function "]
        .iter()
        .any(|start| first.starts_with(start))
        && first.contains(['=', '(']);
    if !is_code {
        return None;
    }
    let name = first.trim_start_matches("export ").split_whitespace().nth(1).unwrap_or_default();
    Some(name.chars().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '$')).collect())
}

fn skip_comment(source: &str, at: usize) -> usize {
    if source.slice(at..).starts_with("//") {
        return source.slice(at..).find('\n').map_or(source.len(), |end| at + end);
    }
    source.slice(at..).find("*/").map_or(source.len(), |end| at + end + 2)
}

/// What a name stands for that is declared in `text`.
fn declared(value: &DeclaredValue, text: &str) -> PageExpr {
    match value {
        DeclaredValue::Name(name) => expr::parse_declared(name),
        DeclaredValue::Function(range) => script(text.slice(range.clone())),
        DeclaredValue::Expression(range) => match expr::parse_declared(text.slice(range.clone())) {
            PageExpr::Script(text) if text.contains("=>") => script(&text),
            expr => expr,
        },
    }
}

/// A function, by the first line of its source.
fn script(text: &str) -> PageExpr {
    PageExpr::Function(Arc::new(Function::Script(text.lines().next().unwrap_or_default().trim().into())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, expect: &str, rest: &str) {
        let mut module = ModuleDeclarations::default();
        let end = parse_block(source, 0, &mut module);
        assert_eq!(said(&module), expect, "{source}");
        assert_eq!(end.map(|end| &source[end..]), Some(rest), "{source}");
    }

    fn said(module: &ModuleDeclarations) -> String {
        let names = module.imports.iter().map(|import| format!("{}={}:{}", import.local, import.from, import.exported));
        let declared = module.declared.iter().map(|(name, _)| name.clone());
        let stars = module.stars.iter().map(|from| format!("*={from}"));
        names.chain(declared).chain(stars).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn imports() {
        check(
            "import A from '/snippets/a.mdx'\nimport { b, c as d } from \"./x.jsx\";\n\ntext",
            "A=/snippets/a.mdx:default b=./x.jsx:b d=./x.jsx:c",
            "\ntext",
        );
        check("import A, {\n  b,\n} from 'x'\n# Heading", "A=x:default b=x:b", "# Heading");
        check(
            "import {\n  // it's b\n  b, /* c */ d as e // \"f\n} from 'https://x' // g\ntext",
            "b=https://x:b e=https://x:d",
            "text",
        );
        check("import A from 'a'; import { b } from 'b';import 'c'\n\ntext", "A=a:default b=b:b", "\ntext");
    }

    #[test]
    fn words_of_the_language_in_names_and_paths() {
        for (source, expect) in [
            ("import Kiln from \"/parts/fire-from-wood.mdx\";", "Kiln=/parts/fire-from-wood.mdx:default"),
            ("import Fromage from 'from/from'", "Fromage=from/from:default"),
            ("import from from \"./from.jsx\"", "from=./from.jsx:default"),
            ("import { from as as } from './as as from.js'", "as=./as as from.js:from"),
            ("import { default as Clay } from '/import-export default.mdx'", "Clay=/import-export default.mdx:default"),
            ("import {as, from, type} from 'x'", "as=x:as from=x:from type=x:type"),
            ("import { as as glaze } from 'x'", "glaze=x:as"),
            ("import { 'b-c' as b } from 'x'", "b=x:b-c"),
            ("import Ash from '/parts/it\\'s.mdx'", "Ash=/parts/it's.mdx:default"),
            ("import Ash from \"/parts/caf\\u00e9.mdx\"", "Ash=/parts/caf\u{e9}.mdx:default"),
            ("import Ash from \"/parts/'x' from y.mdx\"", "Ash=/parts/'x' from y.mdx:default"),
            ("import * as Kit from './kit.jsx'", "Kit=./kit.jsx:*"),
            ("import Ash, * as Kit from './kit.jsx'", "Ash=./kit.jsx:default Kit=./kit.jsx:*"),
            ("import Ash, { Bay as Cone } from './kit.jsx'", "Ash=./kit.jsx:default Cone=./kit.jsx:Bay"),
            ("import './styles/from.css'", ""),
            ("import{a}from'x';export*from\"y\"", "a=x:a *=y"),
            ("import a from 'x' with { type: 'json' }", "a=x:default"),
            ("import type { Ash } from './types'\nimport { type Bay, Cone } from './kit'", "Cone=./kit:Cone"),
            ("import\tAsh\tfrom\t'x'", "Ash=x:default"),
            ("import Ash // from 'y'\n  from 'x'", "Ash=x:default"),
            ("import Ash\nfrom\n'x'\nimport B from 'y'", "Ash=x:default B=y:default"),
            ("import /* from 'y' */ Ash from /* ' */ 'x'", "Ash=x:default"),
            ("export { a as default, b as c } from './x'", "default=./x:a c=./x:b"),
            ("export { default } from './x'; export * as Kit from './kit'", "default=./x:default Kit=./kit:*"),
            ("export { default as Ash } from '/from/default.mdx'", "Ash=/from/default.mdx:default"),
            ("export * from './x'", "*=./x"),
            ("import A from 'a';\r\nimport {\r\n  b\r\n} from 'b';", "A=a:default b=b:b"),
        ] {
            check(source, expect, "");
            let module = parse_script(source);
            assert_eq!(said(&module), expect, "{source}");
            check(&format!("{source}\n\nimport words from the text"), expect, "\nimport words from the text");
        }
    }

    #[test]
    fn exports() {
        check("export const a = \"x\"\nexport const B = () => {\n\n  return <p>it's</p>\n}\n\ntext", "a B", "\ntext");
        check("export default function X() { return 1 }\ntext", "default", "text");
        check("export const a = 1; export const b = 2\ntext", "a b", "text");
        check("export const a = 1, b = 'from', { c } = d\ntext", "a b", "text");
        check("export const a: string = 'b' as const; export let e\ntext", "a", "text");
        check("export {\n  // a\n  a, /* b */ b\n} from 'x'\ntext", "a=x:a b=x:b", "text");
        check("export const a = { b: [1, 2],\n\n c: `}` };\ntext", "a", "text");
        check("export const f = <T,>(x: T) => x\n\n# Heading", "f", "\n# Heading");
        check("export const a = 1\nexport default a\n\ntext", "a default", "\ntext");
        check("export const a = {b: 1,, c}\n\ntext", "a", "\ntext");
    }

    #[test]
    fn words_behind_a_statement_are_text() {
        check("import A from 'a'; and more\ntext", "A=a:default", " and more\ntext");
        check("import A from 'a'; // and more\ntext", "A=a:default", "text");
    }

    #[test]
    fn prose_is_not_a_statement() {
        for source in [
            "import your data from the menu.\n",
            "import \"quoted\" names",
            "import it from 'x' and go on",
            "export it\n",
            "export default settings",
            "export default settings.\n\nThen go on",
            "export default settings with a button",
            "export class diagrams as pictures",
            "export type definitions for an editor",
            "export let us see",
            "export const correctness",
            "export * as it stands",
            "export {braces} of a template",
            "import",
            "export",
        ] {
            assert_eq!(parse_block(source, 0, &mut ModuleDeclarations::default()), None, "{source}");
        }
    }

    #[test]
    fn hostile_text_ends() {
        for source in [
            format!("export const a = {}", "(".repeat(200_000)),
            format!("import {{{}", "a,\n".repeat(100_000)),
            "export let x\n\n".repeat(20_000),
            format!("export const a = {}1", "x=>".repeat(100_000)),
        ] {
            let mut module = ModuleDeclarations::default();
            let mut at = 0;
            while let Some(end) = parse_block(&source, at, &mut module).filter(|end| *end > at) {
                at = end;
            }
            parse_script(&source);
        }
    }
}
