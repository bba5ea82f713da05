//! Runs the templates of a project's own shortcodes.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use crate::base::Place;

use super::data;
use super::shortcode::Call;
use super::template::{Expr, Node, Pipe, Range};
use super::write::Writer;

/// Stands for what is inside the shortcode.
const INSIDE: char = '\u{e002}';
/// The same, as Markdown.
const RENDERED: char = '\u{e003}';
/// Most bytes of what a template gives.
const MAX_BYTES: usize = 256 << 10;

/// Partials in each other.
const MAX_PARTIALS: usize = 8;
/// Most steps of lists, for one shortcode.
const MAX_STEPS: usize = 20_000;

/// A value.
#[derive(Clone, Debug, PartialEq)]
enum Value<'d> {
    Nothing,
    Text(String),
    Number(f64),
    Bool(bool),
    List(Vec<Value<'d>>),
    /// What `dict` makes.
    Map(BTreeMap<String, Value<'d>>),
    /// A list or mapping of `data`.
    Data(&'d Json),
    /// A thing of Hugo with fields: `Site`, `Page.Params`.
    Thing(String),
}

impl<'d> Value<'d> {
    fn is_true(&self) -> bool {
        match self {
            Self::Nothing => false,
            Self::Text(text) => !text.is_empty(),
            Self::Number(number) => *number != 0.0,
            Self::Bool(on) => *on,
            Self::List(all) => !all.is_empty(),
            Self::Map(all) => !all.is_empty(),
            Self::Data(_) => self.count().is_some_and(|count| count > 0),
            Self::Thing(_) => true,
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Nothing | Self::List(_) | Self::Map(_) | Self::Data(_) | Self::Thing(_) => String::new(),
            Self::Text(text) => text.clone(),
            Self::Number(number) => number.to_string(),
            Self::Bool(on) => on.to_string(),
        }
    }

    fn of(text: Option<String>) -> Self {
        text.map_or(Self::Nothing, Self::Text)
    }

    fn of_data(data: &'d Json) -> Self {
        match data {
            Json::Null => Self::Nothing,
            Json::Bool(on) => Self::Bool(*on),
            Json::Number(number) => Self::Number(number.as_f64().unwrap_or_default()),
            Json::String(text) => Self::Text(text.clone()),
            Json::Array(_) | Json::Object(_) => Self::Data(data),
        }
    }

    /// How many values a list or mapping has.
    fn count(&self) -> Option<usize> {
        match self {
            Self::List(all) => Some(all.len()),
            Self::Map(all) => Some(all.len()),
            Self::Data(Json::Array(all)) => Some(all.len()),
            Self::Data(Json::Object(all)) => Some(all.len()),
            _ => None,
        }
    }

    /// The values of a list with their numbers, or those of a mapping with their keys; `None` if it is neither.
    fn entries(&self) -> Option<Vec<(Value<'d>, Value<'d>)>> {
        let numbered = |all: Vec<Value<'d>>| {
            all.into_iter().enumerate().map(|(at, value)| (Value::Number(at as f64), value)).collect()
        };
        Some(match self {
            Self::Nothing => Vec::new(),
            Self::List(all) => numbered(all.clone()),
            Self::Map(all) => all.iter().map(|(key, value)| (Value::Text(key.clone()), value.clone())).collect(),
            Self::Data(Json::Array(all)) => numbered(all.iter().map(Value::of_data).collect()),
            Self::Data(Json::Object(all)) => {
                let mut keys: Vec<&String> = all.keys().collect();
                keys.sort();
                keys.into_iter().map(|key| (Value::Text(key.clone()), Value::of_data(&all[key]))).collect()
            }
            Self::Number(count) if (1.0..=1000.0).contains(count) => {
                numbered((0..*count as usize).map(|at| Value::Number(at as f64)).collect())
            }
            _ => return None,
        })
    }

    /// A member of a mapping; names of data have no case in Hugo's configuration, and are tried as written first.
    fn member(&self, name: &str) -> Option<Value<'d>> {
        match self {
            Self::Map(all) => Some(all.get(name).cloned().unwrap_or(Self::Nothing)),
            Self::Data(Json::Object(all)) => {
                let found = all
                    .get(name)
                    .or_else(|| all.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value));
                Some(found.map_or(Self::Nothing, Self::of_data))
            }
            _ => None,
        }
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
        let root = Value::Thing("Shortcode".to_owned());
        let mut run = Run {
            writer: self,
            call,
            root: root.clone(),
            variables: BTreeMap::new(),
            out: String::new(),
            partials: 0,
            steps: 0,
        };
        run.nodes(nodes, &root)?;
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
    /// What `$` is.
    root: Value<'w>,
    variables: BTreeMap<String, Value<'w>>,
    out: String,
    /// Partials that are open.
    partials: usize,
    /// Steps of lists so far.
    steps: usize,
}

impl<'w> Run<'_, 'w, '_> {
    /// `None`: it needs what is not known here. Recursion is bounded by the reader of templates.
    fn nodes(&mut self, nodes: &[Node], dot: &Value<'w>) -> Option<()> {
        for node in nodes {
            if self.out.len() > MAX_BYTES {
                return None;
            }
            match node {
                Node::Text(text) => self.out.push_str(text),
                Node::Print(pipe) => {
                    let value = self.pipe(pipe, dot)?;
                    if matches!(value, Value::Thing(_) | Value::List(_) | Value::Map(_) | Value::Data(_)) {
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
                Node::Range(range) => self.range(range, dot)?,
            }
        }
        Some(())
    }

    fn range(&mut self, range: &Range, dot: &Value<'w>) -> Option<()> {
        let entries = self.pipe(&range.values, dot)?.entries()?;
        if entries.is_empty() {
            return self.nodes(&range.none, dot);
        }
        for (key, value) in entries {
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return None;
            }
            let (key_name, value_name) = &range.names;
            self.variables.extend(key_name.iter().map(|name| (name.clone(), key.clone())));
            self.variables.extend(value_name.iter().map(|name| (name.clone(), value.clone())));
            self.nodes(&range.each, &value)?;
        }
        Some(())
    }

    /// What a template of `partials` gives for a value.
    fn partial(&mut self, name: &str, dot: Value<'w>) -> Option<Value<'w>> {
        let settings = self.writer.settings;
        let name = name.trim_start_matches('/').to_lowercase();
        let nodes = settings.partials.get(name.strip_suffix(".html").unwrap_or(&name))?.as_ref()?;
        if self.partials >= MAX_PARTIALS {
            return None;
        }
        self.partials += 1;
        let around = (
            std::mem::replace(&mut self.root, dot.clone()),
            std::mem::take(&mut self.variables),
            std::mem::take(&mut self.out),
        );
        let is_done = self.nodes(nodes, &dot).is_some();
        self.partials -= 1;
        (self.root, self.variables) = (around.0, around.1);
        let made = std::mem::replace(&mut self.out, around.2);
        is_done.then_some(Value::Text(made))
    }

    fn pipe(&mut self, pipe: &Pipe, dot: &Value<'w>) -> Option<Value<'w>> {
        let mut last = None;
        for command in pipe {
            last = Some(self.command(command, last.take(), dot)?);
        }
        last
    }

    fn command(&mut self, command: &[Expr], last: Option<Value<'w>>, dot: &Value<'w>) -> Option<Value<'w>> {
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

    fn value(&mut self, expression: &Expr, dot: &Value<'w>) -> Option<Value<'w>> {
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

    fn variable(&self, name: &str) -> Option<Value<'w>> {
        if name.is_empty() { Some(self.root.clone()) } else { self.variables.get(name).cloned() }
    }

    /// Fields of a value; arguments are for the last.
    fn fields(&mut self, base: Value<'w>, fields: &[String], arguments: &[Value<'w>]) -> Option<Value<'w>> {
        let mut value = base;
        for (number, field) in fields.iter().enumerate() {
            let given = if number + 1 == fields.len() { arguments } else { &[] };
            value = self.field(&value, field, given)?;
        }
        Some(value)
    }

    fn field(&mut self, base: &Value<'w>, field: &str, arguments: &[Value<'w>]) -> Option<Value<'w>> {
        let Value::Thing(thing) = base else { return base.member(field) };
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
            ("Site", "Data") => Some(Value::of_data(&self.writer.settings.data)),
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

    fn function(&mut self, name: &str, arguments: &[Value<'w>]) -> Option<Value<'w>> {
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
                list @ (Value::List(_) | Value::Data(Json::Array(_))) => match &arguments[1] {
                    Value::Number(number) if *number >= 0.0 => {
                        let found = list.entries()?.into_iter().nth(*number as usize);
                        Some(found.map_or(Value::Nothing, |(_, value)| value))
                    }
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
            "len" if arguments.last().is_some_and(|value| value.count().is_none()) => {
                Some(Value::Number(bare()?.chars().count() as f64))
            }
            "printf" => printf(arguments).map(Value::Text),
            _ => self.list_function(name, arguments),
        }
    }

    /// Functions of lists and mappings, of numbers, and those that run another template.
    fn list_function(&mut self, name: &str, arguments: &[Value<'w>]) -> Option<Value<'w>> {
        match name.rsplit('.').next().unwrap_or(name) {
            "split" | "Split" => {
                let [one, by] = arguments else { return None };
                let (one, by) = (Some(one.text()).filter(|text| !text.contains(INSIDE))?, by.text());
                let parts: Vec<&str> = if by.is_empty() { vec![one.as_str()] } else { one.split(&by).collect() };
                Some(Value::List(parts.into_iter().map(|part| Value::Text(part.to_owned())).collect()))
            }
            "delimit" => match arguments {
                [list, by] => {
                    let all: Vec<String> = list.entries()?.iter().map(|(_, value)| value.text()).collect();
                    Some(Value::Text(all.join(&by.text())))
                }
                _ => None,
            },
            "partial" | "partialCached" | "Include" | "IncludeCached" => {
                let name = arguments.first()?.text();
                self.partial(&name, arguments.get(1).cloned().unwrap_or(Value::Nothing))
            }
            "i18n" | "T" | "Translate" => {
                let words = data::word(&self.writer.settings.words, &arguments.first()?.text()).unwrap_or_default();
                Some(Value::Text(words.to_owned()))
            }
            "add" | "Add" | "sub" | "Sub" => {
                let [Value::Number(one), Value::Number(other)] = arguments else { return None };
                let is_sum = name.to_ascii_lowercase().ends_with("add");
                Some(Value::Number(if is_sum { one + other } else { one - other }))
            }
            "dict" | "Dictionary" => {
                let pairs = arguments.chunks_exact(2).map(|pair| (pair[0].text(), pair[1].clone()));
                Some(Value::Map(pairs.collect()))
            }
            "slice" | "Slice" => Some(Value::List(arguments.to_vec())),
            "seq" | "Seq" => {
                let number = |at: usize| match arguments.get(at) {
                    Some(Value::Number(number)) => Some(*number as i64),
                    Some(Value::Text(text)) => text.parse().ok(),
                    _ => None,
                };
                let (first, last) = if arguments.len() == 1 { (1, number(0)?) } else { (number(0)?, number(1)?) };
                let is_short = arguments.len() <= 2 && last.checked_sub(first).is_some_and(|count| count < 1000);
                is_short.then(|| Value::List((first..=last).map(|number| Value::Number(number as f64)).collect()))
            }
            "first" | "after" => {
                let Some(Value::Number(count)) = arguments.first() else { return None };
                let (all, count) = (arguments.get(1)?.entries()?, count.max(0.0) as usize);
                let values = all.into_iter().map(|(_, value)| value);
                let is_first = name.ends_with("first");
                Some(Value::List(if is_first { values.take(count).collect() } else { values.skip(count).collect() }))
            }
            "len" if arguments.last().is_some_and(|list| list.count().is_some()) => {
                Some(Value::Number(arguments.last()?.count()? as f64))
            }
            "in" => {
                let (set, one) = (arguments.first()?, arguments.get(1)?.text());
                let has = match set.entries().filter(|_| set.count().is_some()) {
                    Some(entries) => entries.iter().any(|(_, value)| value.text() == one),
                    None => set.text().contains(&one),
                };
                Some(Value::Bool(has))
            }
            _ => None,
        }
    }
}

/// A text as Markdown.
fn rendered<'d>(value: &Value<'d>) -> Value<'d> {
    Value::Text(value.text().replace(INSIDE, &RENDERED.to_string()))
}

/// An argument by its name or number.
fn argument<'d>(arguments: &[(String, String)], key: &Value<'_>) -> Value<'d> {
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
fn printf(arguments: &[Value<'_>]) -> Option<String> {
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
