//! The templates of a project's own shortcodes: the part of Go's template language that most of them need. A template
//! that needs more is not used.

use std::collections::{BTreeMap, BTreeSet};

use base::cut::{SliceText as _, cut};
use load::tool::ToolInput;

/// Largest template that is read, bytes.
const MAX_TEMPLATE_BYTES: usize = 64 << 10;
/// Deepest nesting of blocks and brackets.
const MAX_TEMPLATE_BLOCK_DEPTH: usize = 24;

/// A template, or `None` if it needs what is not known here.
pub(super) type Template = Option<Vec<TemplateNode>>;

/// A part of a template.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TemplateNode {
    Text(String),
    Print(Pipe),
    Set(String, Pipe),
    /// Conditions with what follows; `None` is `else`.
    If(Vec<(Option<Pipe>, Vec<TemplateNode>)>),
    With(Option<String>, Pipe, Vec<TemplateNode>, Vec<TemplateNode>),
    Range(RangeTemplate),
    /// Another template with a value.
    Template(String, Option<Pipe>),
    Break,
    Continue,
    /// What a partial gives instead of its text.
    Return(Pipe),
}

/// What is written for each value of a list, and what for none.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RangeTemplate {
    /// The names of number or key, and of the value.
    pub(super) names: (Option<String>, Option<String>),
    pub(super) values: Pipe,
    pub(super) each: Vec<TemplateNode>,
    pub(super) none: Vec<TemplateNode>,
}

/// Commands, each of which gets the value of the one before as its last argument.
pub(super) type Pipe = Vec<Vec<TemplateExpr>>;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum TemplateExpr {
    Text(String),
    Number(f64),
    Bool(bool),
    Nothing,
    /// `.`, `.a.b`.
    Field(Vec<String>),
    /// `$`, `$a.b`.
    Variable(String, Vec<String>),
    /// A function, or `site.a`.
    Name(String),
    Paren(Pipe, Vec<String>),
}

/// The templates of a project, by their names.
#[derive(Debug, Default)]
pub(super) struct Templates {
    pub(super) shortcodes: BTreeMap<String, Template>,
    /// Those that others use.
    pub(super) partials: BTreeMap<String, Template>,
    /// The shortcodes that give Markdown.
    pub(super) of_markdown: BTreeSet<String>,
}

const SHORTCODES: [&str; 3] = ["layouts/shortcodes/", "layouts/_shortcodes/", "layouts/_default/shortcodes/"];
const PARTIALS: [&str; 2] = ["layouts/partials/", "layouts/_partials/"];
/// Endings of templates; of several with one name, the first counts.
const ENDINGS: [&str; 3] = [".html", ".md", ".txt"];

impl Templates {
    /// Reads those of some folders; what the first has is not taken from another.
    /// `mounted`: folders that are mounted as templates, and as what of them.
    pub(super) fn read(source: &ToolInput<'_>, folders: &[String], mounted: &[(String, String)]) -> Self {
        let mut all = Self::default();
        for (folder, at) in mounted {
            let kinds = SHORTCODES.iter().map(|kind| (kind, true)).chain(PARTIALS.iter().map(|kind| (kind, false)));
            for (kind, are_shortcodes) in kinds {
                let below = kind.trim_start_matches("layouts/").trim_end_matches('/');
                if at.is_empty() {
                    all.read_below(source, &format!("{folder}/{below}/"), are_shortcodes);
                } else if at == below {
                    all.read_below(source, &format!("{folder}/"), are_shortcodes);
                }
            }
        }
        for folder in folders {
            for below in SHORTCODES {
                all.read_below(source, &format!("{folder}{below}"), true);
            }
            for below in PARTIALS {
                all.read_below(source, &format!("{folder}{below}"), false);
            }
        }
        all
    }

    fn read_below(&mut self, source: &ToolInput<'_>, start: &str, are_shortcodes: bool) {
        let mut found: Vec<(String, &str, &str)> = Vec::new();
        for file in source.tree.below(start.trim_end_matches('/')).map(|(_, file)| file) {
            let path = file.path.as_str();
            let ending =
                ENDINGS.iter().find_map(|ending| Some((path.slice(start.len()..).strip_suffix(ending)?, *ending)));
            found.extend(ending.map(|(name, ending)| (name.to_lowercase(), ending, path)));
        }
        found.sort_by_key(|(_, ending, _)| ENDINGS.iter().position(|known| known == ending));
        for (name, ending, path) in found {
            let there = if are_shortcodes { &self.shortcodes } else { &self.partials };
            if there.contains_key(&name) {
                continue;
            }
            let mut inner = Vec::new();
            let text = source.text(path).filter(|text| text.len() <= MAX_TEMPLATE_BYTES);
            let template = text.and_then(|text| parse_with(&text, &mut inner));
            if are_shortcodes {
                if ending == ".md" {
                    self.of_markdown.insert(name.clone());
                }
                self.shortcodes.insert(name, template);
            } else {
                self.partials.insert(name, template);
            }
            for (name, nodes) in inner {
                self.partials.entry(name).or_insert(Some(nodes));
            }
        }
    }
}

/// The name of a template without its folder and ending.
pub(super) fn partial_name(name: &str) -> String {
    let name = name.trim_start_matches('/');
    let name = ["_partials/", "partials/"].iter().find_map(|folder| name.strip_prefix(folder)).unwrap_or(name);
    let name = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name);
    name.to_lowercase()
}

/// Reads a template.
#[cfg(test)]
pub(super) fn parse_template(text: &str) -> Template {
    parse_with(text, &mut Vec::new())
}

/// Reads a template, and those that are defined in it.
fn parse_with(text: &str, inner: &mut Vec<(String, Vec<TemplateNode>)>) -> Template {
    let mut parser = TemplateParser { parts: split_template(text)?, at: 0, inner };
    let nodes = parser.nodes(0)?;
    (parser.at == parser.parts.len()).then_some(nodes)
}

enum PipelinePart {
    Text(String),
    Action(String),
}

/// Text and actions; `{{-` and `-}}` take the space beside them away.
fn split_template(text: &str) -> Option<Vec<PipelinePart>> {
    let mut out = Vec::new();
    let mut rest = text;
    let mut trims = false;
    while let Some(start) = rest.find("{{") {
        let end = end_of_action(rest.slice(start + 2..))? + start + 2;
        let (before, inside) = (rest.slice(..start), rest.slice(start + 2..end));
        let before = if trims { before.trim_start() } else { before };
        let trims_before =
            inside.strip_prefix('-').is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace));
        out.push(PipelinePart::Text(if trims_before { before.trim_end() } else { before }.to_owned()));
        let inside = if trims_before { inside.slice(1..) } else { inside };
        trims = inside.strip_suffix('-').is_some_and(|rest| rest.ends_with(char::is_whitespace));
        let inside = if trims { inside.slice(..inside.len() - 1) } else { inside }.trim();
        if !inside.starts_with("/*") && !inside.is_empty() {
            out.push(PipelinePart::Action(inside.to_owned()));
        }
        rest = rest.slice(end + 2..);
    }
    out.push(PipelinePart::Text(if trims { rest.trim_start() } else { rest }.to_owned()));
    out.retain(|part| !matches!(part, PipelinePart::Text(text) if text.is_empty()));
    Some(out)
}

fn end_of_action(text: &str) -> Option<usize> {
    let mut quote = None;
    if text.trim_start_matches(['-', ' ', '\n', '\t']).starts_with("/*") {
        let end = text.find("*/")?;
        return text.slice(end..).find("}}").map(|at| end + at);
    }
    for (at, c) in text.char_indices() {
        match quote {
            None if text.slice(at..).starts_with("}}") => return Some(at),
            None if matches!(c, '"' | '`') => quote = Some(c),
            Some(open) if open == c && !text.slice(..at).ends_with('\\') => quote = None,
            _ => {}
        }
    }
    None
}

struct TemplateParser<'i> {
    parts: Vec<PipelinePart>,
    at: usize,
    /// Templates that are defined in the text.
    inner: &'i mut Vec<(String, Vec<TemplateNode>)>,
}

impl TemplateParser<'_> {
    /// Nodes up to an `else` or `end`, which stays.
    fn nodes(&mut self, depth: usize) -> Option<Vec<TemplateNode>> {
        let mut out = Vec::new();
        while let Some(part) = self.parts.get(self.at) {
            let action = match part {
                PipelinePart::Text(text) => {
                    out.push(TemplateNode::Text(text.clone()));
                    self.at += 1;
                    continue;
                }
                PipelinePart::Action(action) => action.clone(),
            };
            let (word, rest) = action.split_once(char::is_whitespace).unwrap_or((action.as_str(), ""));
            match word {
                "end" | "else" => return Some(out),
                _ if depth > MAX_TEMPLATE_BLOCK_DEPTH => return None,
                "if" => {
                    self.at += 1;
                    out.push(self.conditions(rest, depth)?);
                }
                "with" => {
                    self.at += 1;
                    let (name, value) = parse_assignment(rest);
                    let value = pipe(value)?;
                    let (then, other) = self.two(depth)?;
                    out.push(TemplateNode::With(name, value, then, other));
                }
                "range" => {
                    self.at += 1;
                    let name = |text: &str| text.trim().strip_prefix('$').map(str::to_owned);
                    let (names, values) = match rest.split_once(":=") {
                        Some((names, values)) => match names.split_once(',') {
                            Some((key, value)) => ((Some(name(key)?), Some(name(value)?)), values),
                            None => ((None, Some(name(names)?)), values),
                        },
                        None => ((None, None), rest),
                    };
                    let values = pipe(values)?;
                    let (each, none) = self.two(depth)?;
                    out.push(TemplateNode::Range(RangeTemplate { names, values, each, none }));
                }
                "break" | "continue" => {
                    self.at += 1;
                    out.push(if word == "break" { TemplateNode::Break } else { TemplateNode::Continue });
                }
                "return" => {
                    self.at += 1;
                    out.push(TemplateNode::Return(if rest.trim().is_empty() { pipe("\"\"")? } else { pipe(rest)? }));
                }
                "define" => {
                    self.at += 1;
                    let name = partial_name(leading_quoted_text(rest)?);
                    let nodes = self.nodes(depth + 1)?;
                    self.end()?;
                    self.inner.push((name, nodes));
                }
                "template" => {
                    self.at += 1;
                    let value = rest.trim().split_once(char::is_whitespace).map(|(_, value)| pipe(value));
                    out.push(TemplateNode::Template(
                        partial_name(leading_quoted_text(rest)?),
                        match value {
                            Some(value) => Some(value?),
                            None => None,
                        },
                    ));
                }
                "block" => return None,
                _ => {
                    self.at += 1;
                    out.push(simple(&action)?);
                }
            }
        }
        Some(out)
    }

    /// What follows up to the end, and what follows an `else` before it.
    fn two(&mut self, depth: usize) -> Option<(Vec<TemplateNode>, Vec<TemplateNode>)> {
        let then = self.nodes(depth + 1)?;
        let action = self.word()?;
        let other = match action.strip_prefix("else").map(str::trim) {
            Some("") => {
                self.at += 1;
                self.nodes(depth + 1)?
            }
            // the end is that of both
            Some(more) if depth < MAX_TEMPLATE_BLOCK_DEPTH => {
                self.at += 1;
                let (name, value) = parse_assignment(more.strip_prefix("with ")?);
                let value = pipe(value)?;
                let (inner, other) = self.two(depth + 1)?;
                return Some((then, vec![TemplateNode::With(name, value, inner, other)]));
            }
            _ => Vec::new(),
        };
        self.end()?;
        Some((then, other))
    }

    fn conditions(&mut self, first: &str, depth: usize) -> Option<TemplateNode> {
        let mut branches = vec![(Some(pipe(first)?), self.nodes(depth + 1)?)];
        loop {
            let action = self.word()?;
            if action == "end" {
                self.end()?;
                return Some(TemplateNode::If(branches));
            }
            self.at += 1;
            let condition = match action.strip_prefix("else")?.trim() {
                "" => None,
                more => Some(pipe(more.strip_prefix("if ")?)?),
            };
            branches.push((condition, self.nodes(depth + 1)?));
        }
    }

    /// The action that is next.
    fn word(&self) -> Option<String> {
        match self.parts.get(self.at)? {
            PipelinePart::Action(action) => Some(action.clone()),
            PipelinePart::Text(_) => None,
        }
    }

    fn end(&mut self) -> Option<()> {
        (self.word()? == "end").then(|| self.at += 1)
    }
}

/// `$a := …`, or a value.
fn parse_assignment(text: &str) -> (Option<String>, &str) {
    match text.split_once(":=").filter(|(name, _)| name.trim_start().starts_with('$')) {
        Some((name, value)) => (Some(name.trim().trim_start_matches('$').to_owned()), value),
        None => (None, text),
    }
}

/// The text between quotes at the start.
fn leading_quoted_text(text: &str) -> Option<&str> {
    text.trim_start().strip_prefix('"')?.split_once('"').map(|(name, _)| name)
}

/// `$a := …`, `$a = …`, or a value.
fn simple(action: &str) -> Option<TemplateNode> {
    if let Some(rest) = action.strip_prefix('$') {
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let after = rest.slice(end..).trim_start();
        let value = after.strip_prefix(":=").or_else(|| after.strip_prefix('=').filter(|rest| !rest.starts_with('=')));
        if let Some(value) = value.filter(|_| end > 0) {
            return Some(TemplateNode::Set(rest.slice(..end).to_owned(), pipe(value)?));
        }
    }
    Some(TemplateNode::Print(pipe(action)?))
}

fn pipe(text: &str) -> Option<Pipe> {
    let mut tokens = Tokens { rest: text };
    let found = tokens.pipe(0)?;
    tokens.rest.trim().is_empty().then_some(found)
}

struct Tokens<'t> {
    rest: &'t str,
}

impl Tokens<'_> {
    fn pipe(&mut self, depth: usize) -> Option<Pipe> {
        let mut out: Pipe = vec![Vec::new()];
        loop {
            self.rest = self.rest.trim_start();
            let Some(c) = self.rest.chars().next() else { break };
            match c {
                ')' => break,
                '|' => {
                    self.rest = self.rest.slice(1..);
                    out.push(Vec::new());
                }
                _ => {
                    let one = self.expression(c, depth)?;
                    out.last_mut()?.push(one);
                }
            }
        }
        out.iter().all(|command| !command.is_empty()).then_some(out)
    }

    fn expression(&mut self, c: char, depth: usize) -> Option<TemplateExpr> {
        match c {
            '(' if depth < MAX_TEMPLATE_BLOCK_DEPTH => {
                self.rest = self.rest.slice(1..);
                let inner = self.pipe(depth + 1)?;
                self.rest = self.rest.strip_prefix(')')?;
                let fields = self.fields();
                Some(TemplateExpr::Paren(inner, fields))
            }
            '"' => {
                let mut out = String::new();
                let mut chars = self.rest.slice(1..).char_indices();
                while let Some((at, c)) = chars.next() {
                    match c {
                        '"' => {
                            self.rest = self.rest.slice(at + 2..);
                            return Some(TemplateExpr::Text(out));
                        }
                        '\\' => match chars.next()?.1 {
                            'n' => out.push('\n'),
                            't' => out.push('\t'),
                            c => out.push(c),
                        },
                        c => out.push(c),
                    }
                }
                None
            }
            '`' => {
                let (text, rest) = self.rest.slice(1..).split_once('`')?;
                self.rest = rest;
                Some(TemplateExpr::Text(text.to_owned()))
            }
            '.' => Some(TemplateExpr::Field(self.fields())),
            '$' => {
                self.rest = self.rest.slice(1..);
                let name = self.word();
                Some(TemplateExpr::Variable(name, self.fields()))
            }
            c if c.is_ascii_digit() || c == '-' => {
                let end = self
                    .rest
                    .slice(1..)
                    .find(|c: char| !(c.is_ascii_digit() || c == '.'))
                    .map_or(self.rest.len(), |at| at + 1);
                let (number, rest) = cut(self.rest, end);
                self.rest = rest;
                number.trim_end_matches('.').parse().ok().map(TemplateExpr::Number)
            }
            c if c.is_alphabetic() || c == '_' => {
                let mut name = self.word();
                for field in self.fields() {
                    name.push('.');
                    name.push_str(&field);
                }
                Some(match name.as_str() {
                    "true" => TemplateExpr::Bool(true),
                    "false" => TemplateExpr::Bool(false),
                    "nil" => TemplateExpr::Nothing,
                    _ => TemplateExpr::Name(name),
                })
            }
            _ => None,
        }
    }

    fn word(&mut self) -> String {
        let end = self.rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(self.rest.len());
        let (word, rest) = cut(self.rest, end);
        self.rest = rest;
        word.to_owned()
    }

    /// `.a.b`; nothing for `.` alone.
    fn fields(&mut self) -> Vec<String> {
        let mut out = Vec::new();
        while let Some(rest) = self.rest.strip_prefix('.') {
            self.rest = rest;
            let word = self.word();
            if word.is_empty() {
                break;
            }
            out.push(word);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn templates_are_read() {
        let parsed =
            parse_template("a {{- if eq (.Get 0) \"x\" }} b {{ else if .Inner }}c{{ else }}d{{ end -}} e{{/* c */}}")
                .unwrap();
        assert_eq!(parsed.len(), 3, "{parsed:?}");
        assert!(matches!(&parsed[1], TemplateNode::If(branches) if branches.len() == 3 && branches[2].0.is_none()));
        assert!(
            matches!(parse_template("{{ $x := .Get \"y\" | lower }}").as_deref(), Some([TemplateNode::Set(name, pipe)])
                if name == "x" && pipe.len() == 2)
        );
        assert!(parse_template("{{ with .Get 0 }}{{ . }}{{ else }}n{{ end }}").is_some());
        let range = parse_template("{{ range $i, $e := slice 1 2 }}{{ $e }}{{ else }}n{{ end }}").unwrap();
        assert!(matches!(&range[..], [TemplateNode::Range(range)]
                if range.names == (Some("i".to_owned()), Some("e".to_owned()))));
        for unread in [
            "{{ range }}{{ end }}",
            "{{ range .x }}",
            "{{ if }}",
            "{{ if x }}",
            "{{ end }}",
            "{{ \"x }}",
            "{{ partial \"x\" . }} {{",
        ] {
            assert!(
                parse_template(unread).is_none_or(|nodes| !nodes.is_empty() && !unread.contains("range")),
                "{unread}"
            );
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "(\\{\\{|\\}\\}|-| |if|else|end|with|range|,|\\.|\\$x|:=|\"|`|\\(|\\)|\\||é|a){0,24}") {
            let _ = parse_template(&text);
        }
    }
}
