//! Runs the templates of a project's own shortcodes.

use std::collections::BTreeMap;

use crate::base::Place;

use super::shortcode::Call;
use super::template::{Expr, Node, Pipe};
use super::write::Writer;

/// Stands for what is inside the shortcode.
const INSIDE: char = '\u{e002}';
/// The same, as Markdown.
const RENDERED: char = '\u{e003}';
/// Most bytes of what a template gives.
const MAX_BYTES: usize = 256 << 10;

/// A value.
#[derive(Clone, Debug, PartialEq)]
enum Value {
    Nothing,
    Text(String),
    Number(f64),
    Bool(bool),
    List(Vec<String>),
    /// A thing of Hugo with fields: `Site`, `Page.Params`.
    Thing(String),
}

impl Value {
    fn is_true(&self) -> bool {
        match self {
            Self::Nothing => false,
            Self::Text(text) => !text.is_empty(),
            Self::Number(number) => *number != 0.0,
            Self::Bool(on) => *on,
            Self::List(all) => !all.is_empty(),
            Self::Thing(_) => true,
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Nothing | Self::List(_) | Self::Thing(_) => String::new(),
            Self::Text(text) => text.clone(),
            Self::Number(number) => number.to_string(),
            Self::Bool(on) => on.to_string(),
        }
    }

    fn of(text: Option<String>) -> Self {
        text.map_or(Self::Nothing, Self::Text)
    }
}

impl Writer<'_> {
    /// Writes a shortcode by the template of the project; `false` if it has none that can be run.
    pub(super) fn by_template(&mut self, call: &Call<'_>) -> bool {
        let Some(text) = self.run_template(call) else { return false };
        let place = self.place_at(call.at);
        let inner =
            if text.contains([INSIDE, RENDERED]) { self.inner_lines(|it| it.inside_of(call)) } else { Vec::new() };
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        if self.is_inline()
            || (lines.len() <= 1 && inner.len() <= 1 && !is_block(lines.first().copied().unwrap_or_default()))
        {
            let inside: Vec<&str> = inner.iter().map(|(line, _)| line.trim()).collect();
            let words = lines.join(" ").replace([INSIDE, RENDERED], &inside.join(" "));
            self.words(&words, place);
            return true;
        }
        self.words("\n\n", place);
        self.made(around(&lines, &inner, place));
        self.words("\n\n", place);
        true
    }

    /// An attribute of the first tag that the template of a shortcode gives.
    pub(super) fn attribute_of_template(&self, call: &Call<'_>, name: &str) -> Option<String> {
        let text = self.run_template(call)?;
        let tag = &text[text.find('<')?..];
        let tag = &tag[..tag.find('>')?];
        let rest = &tag[tag.find(&format!(" {name}=\""))? + name.len() + 3..];
        rest.split('"').next().map(str::to_owned).filter(|value| !value.is_empty())
    }

    fn run_template(&self, call: &Call<'_>) -> Option<String> {
        let nodes = self.settings.templates.get(&call.name.to_lowercase())?.as_ref()?;
        let mut run = Run { writer: self, call, variables: BTreeMap::new(), out: String::new() };
        run.nodes(nodes, &Value::Thing("Shortcode".to_owned()))?;
        Some(run.out)
    }
}

/// The lines of a template around those of what is inside, which is Markdown between empty lines.
fn around(lines: &[&str], inner: &[(String, Place)], place: Place) -> Vec<(String, Place)> {
    let mut out: Vec<(String, Place)> = Vec::new();
    for line in lines {
        let Some((before, after)) = line.split_once([INSIDE, RENDERED]) else {
            out.push(((*line).to_owned(), place));
            continue;
        };
        if inner.len() <= 1 && !line.contains(RENDERED) {
            let inside = inner.first().map_or("", |(line, _)| line.trim());
            out.push((format!("{before}{inside}{}", after.replace([INSIDE, RENDERED], inside)), place));
            continue;
        }
        out.extend((!before.is_empty()).then(|| (before.to_owned(), place)));
        out.push((String::new(), place));
        out.extend(inner.iter().cloned());
        out.push((String::new(), place));
        out.extend((!after.is_empty()).then(|| (after.replace([INSIDE, RENDERED], ""), place)));
    }
    out
}

fn is_block(line: &str) -> bool {
    const NAMES: [&str; 16] = [
        "div",
        "p",
        "section",
        "ul",
        "ol",
        "table",
        "figure",
        "pre",
        "blockquote",
        "details",
        "h1",
        "h2",
        "h3",
        "h4",
        "script",
        "style",
    ];
    line.strip_prefix('<').is_some_and(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        NAMES.contains(&&rest[..end])
    })
}

struct Run<'r, 'w, 'c> {
    writer: &'r Writer<'w>,
    call: &'r Call<'c>,
    variables: BTreeMap<String, Value>,
    out: String,
}

impl Run<'_, '_, '_> {
    /// `None`: it needs what is not known here. Recursion is bounded by the reader of templates.
    fn nodes(&mut self, nodes: &[Node], dot: &Value) -> Option<()> {
        for node in nodes {
            if self.out.len() > MAX_BYTES {
                return None;
            }
            match node {
                Node::Text(text) => self.out.push_str(text),
                Node::Print(pipe) => {
                    let value = self.pipe(pipe, dot)?;
                    if matches!(value, Value::Thing(_) | Value::List(_)) {
                        return None;
                    }
                    self.out.push_str(&value.text());
                }
                Node::Set(name, pipe) => {
                    let value = self.pipe(pipe, dot)?;
                    self.variables.insert(name.clone(), value);
                }
                Node::If(branches) => {
                    for (condition, then) in branches {
                        let is_met = match condition {
                            Some(pipe) => self.pipe(pipe, dot)?.is_true(),
                            None => true,
                        };
                        if is_met {
                            self.nodes(then, dot)?;
                            break;
                        }
                    }
                }
                Node::With(name, pipe, then, other) => {
                    let value = self.pipe(pipe, dot)?;
                    if !value.is_true() {
                        self.nodes(other, dot)?;
                        continue;
                    }
                    if let Some(name) = name {
                        self.variables.insert(name.clone(), value.clone());
                    }
                    self.nodes(then, &value)?;
                }
            }
        }
        Some(())
    }

    fn pipe(&mut self, pipe: &Pipe, dot: &Value) -> Option<Value> {
        let mut last = None;
        for command in pipe {
            last = Some(self.command(command, last.take(), dot)?);
        }
        last
    }

    fn command(&mut self, command: &[Expr], last: Option<Value>, dot: &Value) -> Option<Value> {
        let (first, rest) = command.split_first()?;
        let mut arguments = Vec::new();
        for one in rest {
            arguments.push(self.value(one, dot)?);
        }
        arguments.extend(last);
        match first {
            Expr::Name(name) => self.function(name, &arguments),
            Expr::Field(fields) => self.fields(dot.clone(), fields, &arguments),
            Expr::Variable(name, fields) => {
                let base = self.variable(name)?;
                self.fields(base, fields, &arguments)
            }
            other if arguments.is_empty() => self.value(other, dot),
            _ => None,
        }
    }

    fn value(&mut self, expression: &Expr, dot: &Value) -> Option<Value> {
        match expression {
            Expr::Text(text) => Some(Value::Text(text.clone())),
            Expr::Number(number) => Some(Value::Number(*number)),
            Expr::Bool(on) => Some(Value::Bool(*on)),
            Expr::Field(fields) => self.fields(dot.clone(), fields, &[]),
            Expr::Variable(name, fields) => {
                let base = self.variable(name)?;
                self.fields(base, fields, &[])
            }
            Expr::Name(name) => self.function(name, &[]),
            Expr::Paren(pipe, fields) => {
                let base = self.pipe(pipe, dot)?;
                self.fields(base, fields, &[])
            }
        }
    }

    fn variable(&self, name: &str) -> Option<Value> {
        if name.is_empty() { Some(Value::Thing("Shortcode".to_owned())) } else { self.variables.get(name).cloned() }
    }

    /// Fields of a value; arguments are for the last.
    fn fields(&mut self, base: Value, fields: &[String], arguments: &[Value]) -> Option<Value> {
        let mut value = base;
        for (number, field) in fields.iter().enumerate() {
            let given = if number + 1 == fields.len() { arguments } else { &[] };
            value = self.field(&value, field, given)?;
        }
        Some(value)
    }

    fn field(&mut self, base: &Value, field: &str, arguments: &[Value]) -> Option<Value> {
        let Value::Thing(thing) = base else { return None };
        let text = |text: &str| Some(Value::Text(text.to_owned()));
        match (thing.as_str(), field) {
            ("Shortcode", "Get") => Some(argument(&self.call.arguments, arguments.first()?)),
            ("Parent", "Get") => Some(argument(self.writer.parent()?, arguments.first()?)),
            ("Shortcode", "Inner" | "InnerDeindent") => {
                Some(if self.call.text.is_empty() { Value::Nothing } else { Value::Text(INSIDE.to_string()) })
            }
            ("Shortcode", "Parent") => {
                Some(self.writer.parent().map_or(Value::Nothing, |_| Value::Thing("Parent".to_owned())))
            }
            ("Shortcode", "IsNamedParams") => {
                Some(Value::Bool(self.call.arguments.iter().any(|(name, _)| !name.is_empty())))
            }
            ("Shortcode", "Params") => Some(Value::Thing("Arguments".to_owned())),
            ("Shortcode", "Name") => text(self.call.name),
            ("Arguments", name) => Some(argument(&self.call.arguments, &Value::Text(name.to_owned()))),
            ("Shortcode" | "Page", "Site") | ("Shortcode", "Page") => Some(Value::Thing(field.to_owned())),
            ("Page", "RenderString") => arguments.last().map(rendered),
            ("Page", "Title") => text(
                &self
                    .writer
                    .text
                    .site
                    .by_slug
                    .get(self.writer.text.slug)
                    .map(|page| self.writer.text.site.page(*page).meta.title.clone())?,
            ),
            ("Site" | "Page", "Params") => Some(Value::Thing(format!("{thing}.Params"))),
            ("Site", "Title") => text(&self.writer.text.site.config.name),
            (params, name) if params.contains(".Params") => {
                let path =
                    format!("{}.{name}", params.split_once(".Params").map_or("", |(_, rest)| rest)).to_lowercase();
                let path = path.trim_matches('.');
                let found = match params.starts_with("Site") {
                    true => self.writer.settings.parameter(path, self.writer.text),
                    false => self.writer.page_parameter(path),
                };
                // perhaps a table of parameters
                Some(found.map_or_else(|| Value::Thing(format!("{params}.{name}")), Value::Text))
            }
            _ => None,
        }
    }

    fn function(&mut self, name: &str, arguments: &[Value]) -> Option<Value> {
        if let Some(path) = name.strip_prefix("site.") {
            let fields: Vec<String> = path.split('.').map(str::to_owned).collect();
            return self.fields(Value::Thing("Site".to_owned()), &fields, arguments);
        }
        let last = || arguments.last().map(Value::text);
        let text = |text: String| Some(Value::Text(text));
        // what changes a text would change what stands for the inside
        let bare = || last().filter(|text| !text.contains([INSIDE, RENDERED]));
        match name.rsplit('.').next().unwrap_or(name) {
            "markdownify" | "RenderString" => arguments.last().map(rendered),
            "safeHTML" | "safeURL" | "safeHTMLAttr" | "safeCSS" | "safeJS" | "string" | "print" | "HTML"
            | "htmlUnescape" | "emojify" | "HTMLAttr" | "relURL" | "absURL" | "relLangURL" | "absLangURL" => {
                text(last()?)
            }
            "htmlEscape" => text(bare().map(|text| text.replace('&', "&amp;").replace('<', "&lt;"))?),
            "plainify" | "TrimSpace" => text(last()?.trim().to_owned()),
            "trim" | "Trim" | "chomp" | "TrimLeft" | "TrimRight" => text(arguments.first()?.text().trim().to_owned()),
            "lower" | "ToLower" => text(bare()?.to_lowercase()),
            "upper" | "ToUpper" => text(bare()?.to_uppercase()),
            "title" | "humanize" | "Title" => {
                let own = bare()?;
                let mut letters = own.chars();
                text(letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default())
            }
            "urlize" | "anchorize" => text(bare()?.to_lowercase().split_whitespace().collect::<Vec<_>>().join("-")),
            "replace" | "Replace" => {
                let [one, from, to] = arguments else { return None };
                text(one.text().replace(&from.text(), &to.text()))
            }
            "split" | "Split" => {
                let [one, by] = arguments else { return None };
                let (one, by) = (Some(one.text()).filter(|text| !text.contains(INSIDE))?, by.text());
                Some(Value::List(if by.is_empty() { vec![one] } else { one.split(&by).map(str::to_owned).collect() }))
            }
            "delimit" => match arguments {
                [Value::List(all), by] => text(all.join(&by.text())),
                _ => None,
            },
            "TrimPrefix" => text(bare()?.trim_start_matches(&arguments.first()?.text()).to_owned()),
            "TrimSuffix" => text(bare()?.trim_end_matches(&arguments.first()?.text()).to_owned()),
            "ref" | "relref" => text(self.writer.target(&last()?)),
            "default" => {
                let [other, one] = arguments else { return None };
                Some(if one.is_true() { one.clone() } else { other.clone() })
            }
            "cond" => {
                let [condition, one, other] = arguments else { return None };
                Some(if condition.is_true() { one.clone() } else { other.clone() })
            }
            "eq" => Some(Value::Bool(arguments.iter().skip(1).any(|one| one.text() == arguments[0].text()))),
            "ne" => Some(Value::Bool(arguments.first()?.text() != arguments.get(1)?.text())),
            "not" => Some(Value::Bool(!arguments.first()?.is_true())),
            "and" => arguments.iter().find(|one| !one.is_true()).or(arguments.last()).cloned(),
            "or" => arguments.iter().find(|one| one.is_true()).or(arguments.last()).cloned(),
            "isset" => {
                Some(Value::Bool(self.field(arguments.first()?, &arguments.get(1)?.text(), &[])? != Value::Nothing))
            }
            "index" if arguments.len() == 2 => match &arguments[0] {
                Value::List(all) => match &arguments[1] {
                    Value::Number(number) if *number >= 0.0 => Some(Value::of(all.get(*number as usize).cloned())),
                    _ => None,
                },
                Value::Thing(thing) if thing == "Arguments" => Some(argument(&self.call.arguments, &arguments[1])),
                _ => self.field(&arguments[0], &arguments[1].text(), &[]),
            },
            "hasPrefix" | "HasPrefix" => {
                Some(Value::Bool(arguments.first()?.text().starts_with(&arguments.get(1)?.text())))
            }
            "Contains" => Some(Value::Bool(arguments.first()?.text().contains(&arguments.get(1)?.text()))),
            "Count" => Some(Value::Number(bare()?.matches(&arguments.first()?.text()).count() as f64)),
            "len" => Some(Value::Number(bare()?.chars().count() as f64)),
            "printf" => printf(arguments).map(Value::Text),
            _ => None,
        }
    }
}

/// A text as Markdown.
fn rendered(value: &Value) -> Value {
    Value::Text(value.text().replace(INSIDE, &RENDERED.to_string()))
}

/// An argument by its name or number.
fn argument(arguments: &[(String, String)], key: &Value) -> Value {
    match key {
        Value::Number(number) => {
            let mut all = arguments.iter().filter(|(name, _)| name.is_empty());
            Value::of(all.nth(number.max(0.0) as usize).map(|(_, value)| value.clone()))
        }
        key => {
            let key = key.text();
            let found = arguments.iter().find(|(name, _)| !name.is_empty() && name.eq_ignore_ascii_case(&key));
            Value::of(found.map(|(_, value)| value.clone()))
        }
    }
}

/// `%s`, `%v`, `%d` and `%q` in a format.
fn printf(arguments: &[Value]) -> Option<String> {
    let (format, mut values) = (arguments.first()?.text(), arguments.iter().skip(1));
    let mut out = String::new();
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        match c {
            '%' => match chars.next()? {
                's' | 'v' | 'd' => out.push_str(&values.next()?.text()),
                'q' => out.push_str(&format!("{:?}", values.next()?.text())),
                '%' => out.push('%'),
                _ => return None,
            },
            c => out.push(c),
        }
    }
    Some(out)
}
