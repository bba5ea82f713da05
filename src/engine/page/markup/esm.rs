//! Imports and exports at the top of a page: `import X from "/snippets/x.mdx"`, `export const data = {…}`.

use std::borrow::Cow;
use std::sync::Arc;

use crate::base::Place;

use super::expr::{self, Expr, Function};
use super::script::{skip_space, statement_end};

/// A name that an import brings into scope.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Import {
    /// The name in this file.
    pub local: String,
    /// The name in the other file; `default` or `*` for those forms.
    pub exported: String,
    /// The path as written.
    pub from: String,
    /// Byte offset of the statement in the text that was parsed.
    pub at: usize,
    /// Where the statement stands.
    pub place: Place,
}

/// What a file's module statements declare.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Imported names, in order.
    pub imports: Vec<Import>,
    /// Declared constants and components, in order. `default` is the default export of a script.
    pub declared: Vec<(String, Expr)>,
    /// All statements as one script. Its lines are the lines of the text that was parsed.
    pub script: String,
    /// Byte offsets of statements whose end could not be found.
    pub unclosed: Vec<usize>,
    /// How far the lines of the parsed text are counted.
    counted: usize,
}

impl Module {
    /// Keeps the source of a statement, on its own line.
    fn keep(&mut self, source: &str, range: std::ops::Range<usize>) {
        let lines = memchr::memchr_iter(b'\n', &source.as_bytes()[self.counted..range.start]).count();
        self.script.extend(std::iter::repeat_n('\n', lines.max(usize::from(!self.script.is_empty()))));
        self.counted = range.end;
        self.script.push_str(source[range].trim_end_matches(['\n', '\r']));
    }
}

/// Reads module statements from `at` on, until something else stands at a line's start: that offset. Returns `None` if
/// what stands at `at` is prose that happens to start with `import` or `export`.
pub fn parse_block(source: &str, at: usize, module: &mut Module) -> Option<usize> {
    let mut end = statement(source, at, module)?;
    loop {
        let next = same_line(source, end).or_else(|| skip_line_space(source, end));
        let Some(start) = next.filter(|start| starts_statement(&source[*start..])) else { break };
        match statement(source, start, module) {
            Some(after) => end = after,
            None => break,
        }
    }
    let end = end_of_line(source, end);
    module.keep(source, at..end);
    Some(end)
}

/// Reads a whole script file (`.jsx`, `.tsx`, `.js`).
pub fn parse_script(source: &str) -> Module {
    let mut module = Module::default();
    let mut at = skip_space(source, 0);
    while at < source.len() {
        let end = statement(source, at, &mut module).or_else(|| statement_end(source, at)).unwrap_or(source.len());
        let end = if end > at { end } else { at + source[at..].chars().next().map_or(1, char::len_utf8) };
        at = skip_space(source, end);
    }
    module.script = source.to_owned();
    module
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
    let rest = source[at..].trim_start_matches([' ', '\t', ';']);
    let is_behind = at > 0 && (source.as_bytes()[at - 1] == b';' || source[at..].starts_with(';'));
    (is_behind && ["import", "export"].iter().any(|word| rest.starts_with(word))).then_some(source.len() - rest.len())
}

/// The start of the next line that is not blank, if no blank line comes before it.
fn skip_line_space(source: &str, at: usize) -> Option<usize> {
    let line_end = end_of_line(source, at);
    if !source[at..line_end].trim_matches([' ', '\t', '\r', ';', '\n']).is_empty() {
        return None;
    }
    let rest = &source[line_end..];
    (!rest.is_empty() && !rest.starts_with(['\n', '\r', ' ', '\t'])).then_some(line_end)
}

/// The start of the line after `at`.
fn end_of_line(source: &str, at: usize) -> usize {
    source[at..].find('\n').map_or(source.len(), |line| at + line + 1)
}

fn statement(source: &str, at: usize, module: &mut Module) -> Option<usize> {
    let rest = &source[at..];
    if rest.starts_with("//") || rest.starts_with("/*") {
        return Some(skip_comment(source, at));
    }
    let Some(end) = statement_end(source, at) else { return unclosed(source, at, module) };
    let text = source[at..end].trim_end_matches([';', ' ', '\t', '\r', '\n']);
    let imports = module.imports.len();
    let end = declaration(rest, text, end, module);
    for import in &mut module.imports[imports..] {
        import.at = at;
    }
    end
}

/// A statement whose brackets or quotes do not close: it ends at the next blank line, so that it costs no more of the
/// page.
fn unclosed(source: &str, at: usize, module: &mut Module) -> Option<usize> {
    let rest = &source[at..];
    let first = rest.lines().next().unwrap_or_default();
    let is_code = ["export const ", "export function ", "export default ", "export let ", "const ", "function "]
        .iter()
        .any(|start| first.starts_with(start))
        && first.contains(['=', '(']);
    if !is_code {
        return None;
    }
    let name = first.trim_start_matches("export ").split_whitespace().nth(1).unwrap_or_default();
    let name: String = name.chars().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '$')).collect();
    module.declared.push((name, Expr::Function(Arc::new(Function::Script(first.into())))));
    module.unclosed.push(at);
    Some(at + rest.find("\n\n").unwrap_or(rest.len()))
}

/// Reads the statement `text`, which ends at `end`.
fn declaration(rest: &str, text: &str, end: usize, module: &mut Module) -> Option<usize> {
    if rest.starts_with("import") {
        return import(&strip_esm_comments(text), module).map(|()| end);
    }
    let (exported, body) = match text.strip_prefix("export") {
        Some(body) => (true, body.trim_start()),
        None => (false, text),
    };
    if let Some(body) = body.strip_prefix("default").filter(|_| exported) {
        let value = declare_function(body.trim_start()).map_or_else(|| component_expression(body), |(_, value)| value);
        module.declared.push(("default".to_owned(), value));
        return Some(end);
    }
    for keyword in ["const ", "let ", "var "] {
        if let Some(body) = body.strip_prefix(keyword) {
            let (name, value) = body.split_once('=')?;
            let name = name.split(':').next().unwrap_or_default().trim();
            if name.starts_with(['{', '[']) {
                return Some(end);
            }
            module.declared.push((name.to_owned(), component_expression(value)));
            return Some(end);
        }
    }
    if let Some((name, value)) = declare_function(body) {
        module.declared.push((name, value));
        return Some(end);
    }
    if exported && body.starts_with(['{', '*']) {
        re_export(&strip_esm_comments(body), module);
        return Some(end);
    }
    (exported && (body.starts_with("type ") || body.starts_with("interface ") || body.starts_with("class ")))
        .then_some(end)
}

fn skip_comment(source: &str, at: usize) -> usize {
    if source[at..].starts_with("//") {
        return source[at..].find('\n').map_or(source.len(), |end| at + end);
    }
    source[at..].find("*/").map_or(source.len(), |end| at + end + 2)
}

/// An import or export without the comments between its names.
fn strip_esm_comments(text: &str) -> Cow<'_, str> {
    if !text.contains("//") && !text.contains("/*") {
        return Cow::Borrowed(text);
    }
    let (mut out, mut at, mut quote) = (String::with_capacity(text.len()), 0, None);
    while let Some(c) = text[at..].chars().next() {
        let is_comment = quote.is_none() && (text[at..].starts_with("//") || text[at..].starts_with("/*"));
        if is_comment {
            at = skip_comment(text, at);
            out.push(' ');
            continue;
        }
        match quote {
            Some(open) if open == c => quote = None,
            None if matches!(c, '"' | '\'') => quote = Some(c),
            _ => {}
        }
        out.push(c);
        at += c.len_utf8();
    }
    Cow::Owned(out)
}

fn component_expression(source: &str) -> Expr {
    match expr::parse_declared(source) {
        Expr::Script(text) if text.contains("=>") || text.starts_with("function") => {
            Expr::Function(Arc::new(Function::Script(first_line(&text))))
        }
        expr => expr,
    }
}

fn declare_function(body: &str) -> Option<(String, Expr)> {
    let rest = body.strip_prefix("async ").unwrap_or(body).trim_start().strip_prefix("function")?;
    let name = rest.trim_start_matches(['*', ' ']).split('(').next()?.trim();
    Some((name.to_owned(), Expr::Function(Arc::new(Function::Script(first_line(body))))))
}

fn first_line(text: &str) -> Arc<str> {
    text.lines().next().unwrap_or_default().trim().into()
}

/// `import A, { b as c }, * as d from "path"` and `import "path"`.
fn import(text: &str, module: &mut Module) -> Option<()> {
    let body = text.strip_prefix("import")?.trim_start();
    let body = body.strip_prefix("type ").unwrap_or(body);
    if body.starts_with(['"', '\'']) {
        return parse_quoted_name(body).map(|_| ());
    }
    let split = body.rfind("from")?;
    let from = parse_quoted_name(body[split + 4..].trim_start())?;
    let mut names = body[..split].trim();
    let mut add = |local: &str, exported: &str| {
        module.imports.push(Import {
            local: local.trim().to_owned(),
            exported: exported.trim().to_owned(),
            from: from.clone(),
            ..Import::default()
        });
    };
    if !names.starts_with(['{', '*']) {
        let (default, rest) = names.split_once(',').unwrap_or((names, ""));
        add(default, "default");
        names = rest.trim();
    }
    if let Some(local) = names.strip_prefix('*').and_then(|rest| rest.trim().strip_prefix("as ")) {
        add(local, "*");
    } else if let Some(list) = names.strip_prefix('{') {
        for entry in list.trim_end().trim_end_matches('}').split(',').filter(|entry| !entry.trim().is_empty()) {
            match entry.split_once(" as ") {
                Some((exported, local)) => add(local, exported),
                None => add(entry, entry),
            }
        }
    }
    Some(())
}

/// `export { a as b }` and `export { a } from "path"`.
fn re_export(body: &str, module: &mut Module) {
    let Some((list, rest)) = body.strip_prefix('{').and_then(|body| body.split_once('}')) else { return };
    let from = rest.trim().strip_prefix("from").and_then(|rest| parse_quoted_name(rest.trim_start()));
    for entry in list.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
        let (local, exported) = entry.split_once(" as ").unwrap_or((entry, entry));
        let (local, exported) = (local.trim().to_owned(), exported.trim().to_owned());
        match &from {
            Some(from) => module.imports.push(Import {
                local: exported,
                exported: local,
                from: from.clone(),
                ..Import::default()
            }),
            None if local != exported => module.declared.push((exported, Expr::Name(local))),
            None => {}
        }
    }
}

fn parse_quoted_name(text: &str) -> Option<String> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    text[1..].split_once(quote).map(|(inside, _)| inside.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, expect: &str, rest: &str) {
        let mut module = Module::default();
        let end = parse_block(source, 0, &mut module);
        let names = module.imports.iter().map(|import| format!("{}={}:{}", import.local, import.from, import.exported));
        let declared = module.declared.iter().map(|(name, _)| name.clone());
        assert_eq!(names.chain(declared).collect::<Vec<_>>().join(" "), expect);
        assert_eq!(end.map(|end| &source[end..]), Some(rest));
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
    fn exports() {
        check("export const a = \"x\"\nexport const B = () => {\n\n  return <p>it's</p>\n}\n\ntext", "a B", "\ntext");
        check("export default function X() { return 1 }\ntext", "default", "text");
        check("export const a = 1; export const b = 2\ntext", "a b", "text");
        check("export {\n  // a\n  a, /* b */ b\n} from 'x'\ntext", "a=x:a b=x:b", "text");
        check("export const a = { b: [1, 2],\n\n c: `}` };\ntext", "a", "text");
    }

    #[test]
    fn prose_is_not_a_statement() {
        assert_eq!(parse_block("import your data from the menu.\n", 0, &mut Module::default()), None);
        assert_eq!(parse_block("export it\n", 0, &mut Module::default()), None);
    }
}
