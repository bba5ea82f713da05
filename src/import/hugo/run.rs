//! Runs the templates of a project's own shortcodes.

use std::collections::BTreeMap;

use base::FileId;
use base::cut::SliceText as _;

use super::config;
use super::shortcode::Call;
use super::template::{Expr, Node, Pipe, Range, partial_name};
use super::value::Value;
use super::write::HugoWriter;

/// Stands for what is inside the shortcode.
pub(super) const INSIDE: char = '\u{e002}';
/// The same, as Markdown.
pub(super) const RENDERED: char = '\u{e003}';
/// Stands before the number of a block, which [`BLOCK_END`] ends.
pub(super) const BLOCK: char = '\u{e004}';
pub(super) const BLOCK_END: char = '\u{e005}';
/// Most bytes of what a template gives, and of a value.
pub(super) const MAX_BYTES: usize = 256 << 10;

/// Most bytes of the blocks of a template.
const MAX_BLOCK_BYTES: usize = 4 << 20;

/// Partials in each other.
const MAX_PARTIALS: usize = 12;
/// Bytes that the arguments of a function may have together.
const MAX_ARGUMENT_BYTES: usize = 4 * MAX_BYTES;
/// Deepest value.
const MAX_DEPTH: usize = 24;
/// What a value costs that has no text.
const VALUE_BYTES: usize = 16;

/// What a template gives beside its text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Block {
    /// Options of a fence, and code.
    Code(String, String),
    /// The content of a file.
    File(FileId),
    /// Markdown.
    Text(String),
}

/// How a list of nodes ends.
#[derive(Clone, Copy, PartialEq)]
enum Flow {
    Next,
    Break,
    Continue,
    Return,
}

/// What a template gives.
pub(super) struct TemplateOutput {
    pub(super) text: String,
    pub(super) blocks: Vec<Block>,
}

impl HugoWriter<'_> {
    /// What the template of a shortcode gives; `None` if it has none that can be run.
    pub(super) fn run_template(&self, call: &Call<'_>) -> Option<TemplateOutput> {
        let nodes = self.settings.templates.shortcodes.get(&call.name.to_lowercase())?.as_ref()?;
        let root = Value::Thing("Shortcode");
        let mut run = Run {
            writer: self,
            call,
            root: root.clone(),
            variables: BTreeMap::new(),
            scratch: BTreeMap::new(),
            out: String::new(),
            blocks: Vec::new(),
            block_bytes: 0,
            returned: None,
            partials: 0,
        };
        run.nodes(nodes, &root)?;
        Some(TemplateOutput { text: run.out, blocks: run.blocks })
    }
}

pub(super) struct Run<'r, 'w, 'c> {
    pub(super) writer: &'r HugoWriter<'w>,
    pub(super) call: &'r Call<'c>,
    /// What `$` is.
    root: Value<'w>,
    variables: BTreeMap<String, Value<'w>>,
    /// What templates keep for each other.
    scratch: BTreeMap<String, Value<'w>>,
    out: String,
    pub(super) blocks: Vec<Block>,
    block_bytes: usize,
    /// What a partial gives instead of text.
    returned: Option<Value<'w>>,
    /// Partials that are open.
    partials: usize,
}

impl<'w> Run<'_, 'w, '_> {
    /// `None`: it needs what is not known here. Recursion is bounded by the reader of templates.
    fn nodes(&mut self, nodes: &[Node], dot: &Value<'w>) -> Option<Flow> {
        for node in nodes {
            if self.out.len() > MAX_BYTES || !self.writer.spend(1) {
                return None;
            }
            let flow = match node {
                Node::Text(text) => {
                    self.out.push_str(text);
                    Flow::Next
                }
                Node::Print(pipe) => {
                    let value = match self.pipe(pipe, dot) {
                        Some(value) => value,
                        // an attribute that is not known
                        None if self.is_in_tag() => Value::Nothing,
                        None => return None,
                    };
                    let is_shown = matches!(value, Value::Nothing | Value::Text(_) | Value::Number(_) | Value::Bool(_));
                    if !is_shown {
                        return None;
                    }
                    self.out.push_str(&value.text());
                    Flow::Next
                }
                Node::Set(name, pipe) => {
                    // one that is not known matters where it is used
                    match self.pipe(pipe, dot) {
                        Some(value) => self.variables.insert(name.clone(), value),
                        None => self.variables.remove(name),
                    };
                    Flow::Next
                }
                Node::If(branches) => self.branches(branches, dot)?,
                Node::With(name, pipe, then, other) => {
                    let value = self.pipe(pipe, dot)?;
                    if let Some(name) = name {
                        self.variables.insert(name.clone(), value.clone());
                    }
                    if value.is_true() { self.nodes(then, &value)? } else { self.nodes(other, dot)? }
                }
                Node::Range(range) => self.range(range, dot)?,
                Node::Template(name, value) => {
                    let value = match value {
                        Some(value) => self.pipe(value, dot)?,
                        None => Value::Nothing,
                    };
                    let output = self.partial(name, value)?;
                    self.out.push_str(&output.text());
                    Flow::Next
                }
                Node::Break => Flow::Break,
                Node::Continue => Flow::Continue,
                Node::Return(pipe) => {
                    self.returned = Some(self.pipe(pipe, dot)?);
                    Flow::Return
                }
            };
            if flow != Flow::Next {
                return Some(flow);
            }
        }
        Some(Flow::Next)
    }

    /// Whether what is written stands inside a tag.
    fn is_in_tag(&self) -> bool {
        self.out.rfind('<') > self.out.rfind('>')
    }

    fn branches(&mut self, branches: &[(Option<Pipe>, Vec<Node>)], dot: &Value<'w>) -> Option<Flow> {
        for (condition, then) in branches {
            let is_met = match condition {
                Some(pipe) => self.pipe(pipe, dot)?.is_true(),
                None => true,
            };
            if is_met {
                return self.nodes(then, dot);
            }
        }
        Some(Flow::Next)
    }

    fn range(&mut self, range: &Range, dot: &Value<'w>) -> Option<Flow> {
        let entries = self.pipe(&range.values, dot)?.entries()?;
        if entries.is_empty() {
            return self.nodes(&range.none, dot);
        }
        for (key, value) in entries {
            if !self.writer.spend(1) {
                return None;
            }
            let (key_name, value_name) = &range.names;
            self.variables.extend(key_name.iter().map(|name| (name.clone(), key.clone())));
            self.variables.extend(value_name.iter().map(|name| (name.clone(), value.clone())));
            match self.nodes(&range.each, &value)? {
                Flow::Break => break,
                Flow::Return => return Some(Flow::Return),
                Flow::Next | Flow::Continue => {}
            }
        }
        Some(Flow::Next)
    }

    /// What a template of `partials` gives for a value.
    pub(super) fn partial(&mut self, name: &str, dot: Value<'w>) -> Option<Value<'w>> {
        let settings = self.writer.settings;
        let nodes = settings.templates.partials.get(&partial_name(name))?.as_ref()?;
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
        let output = std::mem::replace(&mut self.out, around.2);
        let returned = self.returned.take();
        is_done.then(|| returned.unwrap_or(Value::Text(output)))
    }

    pub(super) fn pipe(&mut self, pipe: &Pipe, dot: &Value<'w>) -> Option<Value<'w>> {
        let mut last = None;
        for command in pipe {
            last = Some(self.command(command, last.take(), dot)?);
        }
        last
    }

    fn command(&mut self, command: &[Expr], last: Option<Value<'w>>, dot: &Value<'w>) -> Option<Value<'w>> {
        let (first, rest) = command.split_first()?;
        let name = if let Expr::Name(name) = first { name.as_str() } else { "" };
        let mut arguments = Vec::new();
        let mut bytes = 0_usize;
        for one in rest {
            let value = self.value(one, dot)?;
            bytes = bytes.saturating_add(value_size(&value, 0)?);
            (bytes <= MAX_ARGUMENT_BYTES).then_some(())?;
            // what follows is not asked for
            let is_decided = name == "and" && !value.is_true() || name == "or" && value.is_true();
            arguments.push(value);
            if is_decided {
                return arguments.pop();
            }
        }
        arguments.extend(last);
        let value = match first {
            Expr::Name(name) => self.function(name, &arguments)?,
            Expr::Field(fields) => self.fields(dot.clone(), fields, &arguments)?,
            Expr::Variable(name, fields) => {
                let base = self.variable(name)?;
                self.fields(base, fields, &arguments)?
            }
            Expr::Paren(pipe, fields) if !fields.is_empty() => {
                let base = self.pipe(pipe, dot)?;
                self.fields(base, fields, &arguments)?
            }
            other if arguments.is_empty() => self.value(other, dot)?,
            _ => return None,
        };
        let size = value_size(&value, 0)?;
        (size <= MAX_BYTES && self.writer.spend(size / 64)).then_some(value)
    }

    fn value(&mut self, expression: &Expr, dot: &Value<'w>) -> Option<Value<'w>> {
        match expression {
            Expr::Text(text) => Some(Value::Text(text.clone())),
            Expr::Number(number) => Some(Value::Number(*number)),
            Expr::Bool(on) => Some(Value::Bool(*on)),
            Expr::Nothing => Some(Value::Nothing),
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
    pub(super) fn fields(&mut self, base: Value<'w>, fields: &[String], arguments: &[Value<'w>]) -> Option<Value<'w>> {
        let mut value = base;
        for (number, field) in fields.iter().enumerate() {
            let given = if number + 1 == fields.len() { arguments } else { &[] };
            value = self.field(&value, field, given)?;
        }
        Some(value)
    }

    /// The value at a path of keys: `Params.weight`.
    pub(super) fn at_path(&mut self, base: &Value<'w>, path: &str) -> Option<Value<'w>> {
        let fields: Vec<String> = path.trim_start_matches('.').split('.').map(str::to_owned).collect();
        self.fields(base.clone(), &fields, &[])
    }

    pub(super) fn field(&mut self, base: &Value<'w>, field: &str, arguments: &[Value<'w>]) -> Option<Value<'w>> {
        match base {
            Value::Thing(thing) => self.thing(thing, field, arguments),
            Value::Page(file) => self.field_of_page(*file, field, arguments),
            Value::Params(file) => {
                let matter = self.writer.matter(*file);
                Some(config::value_at_path(&matter, &field.to_lowercase()).map_or(Value::Nothing, Value::of_json))
            }
            Value::List(all) => self.writer.of_list(all, field, arguments),
            Value::Nothing => Some(Value::Nothing),
            other => other.member(field),
        }
    }

    /// A field of a page that is more than what is known of it.
    fn field_of_page(&mut self, file: FileId, field: &str, arguments: &[Value<'w>]) -> Option<Value<'w>> {
        match field {
            "Content" | "RenderShortcodes" | "RawContent" | "ContentWithoutSummary" => {
                Some(self.block(Block::File(file)))
            }
            "Plain" | "Summary" => {
                let text = self.writer.text.site.tree.text(file)?;
                let split = site::front_matter::split_front_matter(&text);
                let body = text.slice(split.body_offset..).trim();
                let end = if field == "Summary" { body.find("\n\n").unwrap_or(body.len()) } else { body.len() };
                Some(self.block(Block::Text(body.slice(..end).to_owned())))
            }
            "RenderString" => self.rendered(arguments.last()?),
            "Site" => Some(Value::Thing("Site")),
            "Page" => Some(Value::Page(file)),
            "Store" | "Scratch" => Some(Value::Thing("Scratch")),
            "Lang" => self.thing("Language", "Lang", &[]),
            "Language" => Some(Value::Thing("Language")),
            "String" => Some(Value::Text(self.writer.text.site.tree.path(file).to_owned())),
            field => self.writer.page_field(file, field, arguments),
        }
    }

    fn thing(&mut self, thing: &str, field: &str, arguments: &[Value<'w>]) -> Option<Value<'w>> {
        let text = |text: &str| Some(Value::Text(text.to_owned()));
        let page = self.writer.text.file;
        let settings = self.writer.settings;
        match (thing, field) {
            ("Shortcode", "Get") => Some(argument(&self.call.arguments, arguments.first()?)),
            ("Parent", "Get") => Some(argument(self.writer.parent()?, arguments.first()?)),
            ("Shortcode", "Inner" | "InnerDeindent") => {
                Some(if self.call.text.is_empty() { Value::Nothing } else { Value::Text(INSIDE.to_string()) })
            }
            ("Shortcode", "Parent") => Some(self.writer.parent().map_or(Value::Nothing, |_| Value::Thing("Parent"))),
            ("Shortcode", "IsNamedParams") => {
                Some(Value::Bool(self.call.arguments.iter().any(|(name, _)| !name.is_empty())))
            }
            ("Shortcode" | "Parent", "Params") => {
                let all = if thing == "Shortcode" { &self.call.arguments } else { self.writer.parent()? };
                let value = |value: &String| Value::Text(value.clone());
                Some(if all.iter().any(|(name, _)| !name.is_empty()) {
                    Value::Map(all.iter().map(|(name, text)| (name.clone(), value(text))).collect())
                } else {
                    Value::List(all.iter().map(|(_, text)| value(text)).collect())
                })
            }
            ("Shortcode", "Name") => text(self.call.name),
            ("Shortcode", "Position") => text(""),
            ("Shortcode", "Ordinal") => Some(Value::Number(0.0)),
            ("Shortcode", "Page") => Some(Value::Page(page)),
            ("Shortcode", "Site") => Some(Value::Thing("Site")),
            ("Shortcode" | "Parent", "Scratch" | "Store") => Some(Value::Thing("Scratch")),
            ("Scratch", _) => self.scratch(field, arguments),
            ("Site", "Params") => Some(Value::Thing("SiteParams")),
            ("Site" | "Hugo", "Data") => Some(Value::of_data(&settings.data)),
            ("Site", "Title") => text(&self.writer.text.site.config.name),
            ("Site", "GetPage") => Some(self.writer.get_page(arguments)),
            ("Site", "Home") => Some(self.writer.find_content("/").map_or(Value::Nothing, Value::Page)),
            ("Site", "Pages" | "RegularPages" | "AllPages" | "Sections") => {
                let home = self.writer.find_content("/")?;
                let field = match field {
                    "Sections" => "Sections",
                    _ => "RegularPagesRecursive",
                };
                self.writer.page_field(home, field, &[])
            }
            ("Site", "Language") => Some(Value::Thing("Language")),
            ("Site", "Sites") => Some(Value::List(vec![Value::Thing("Site")])),
            ("Site", "BaseURL") => text(""),
            ("Site", "LanguageCode") | ("Language", "Lang" | "LanguageCode") => text(&self.writer.language()),
            ("Language", "Weight") => Some(Value::Number(1.0)),
            // new enough for all
            ("Hugo", "Version") => text("0.200.0"),
            ("Hugo", "IsProduction" | "IsExtended") => Some(Value::Bool(true)),
            ("Hugo", "IsServer" | "IsDevelopment" | "IsMultilingual") => Some(Value::Bool(false)),
            ("Hugo", "Environment") => text("production"),
            ("SiteParams", name) => {
                let found = settings.parameter_value(&name.to_lowercase(), self.writer.text);
                Some(found.map_or(Value::Nothing, Value::of_data))
            }
            _ => None,
        }
    }

    /// `.Scratch.Set "a" 1`.
    fn scratch(&mut self, field: &str, arguments: &[Value<'w>]) -> Option<Value<'w>> {
        let key = arguments.first().map(Value::text).unwrap_or_default();
        match field {
            "Get" => return Some(self.scratch.get(&key).cloned().unwrap_or(Value::Nothing)),
            "Set" => {
                self.scratch.insert(key, arguments.get(1)?.clone());
            }
            "Delete" => {
                self.scratch.remove(&key);
            }
            "Add" => {
                let own = arguments.get(1)?.clone();
                let sum = match (self.scratch.remove(&key), own) {
                    (None, own) => own,
                    (Some(Value::Number(one)), Value::Number(other)) => Value::Number(one + other),
                    (Some(Value::List(mut all)), Value::List(more)) => {
                        all.extend(more);
                        Value::List(all)
                    }
                    (Some(Value::List(mut all)), one) => {
                        all.push(one);
                        Value::List(all)
                    }
                    (Some(one), other) => Value::Text(one.text() + &other.text()),
                };
                (value_size(&sum, 0)? <= MAX_BYTES).then_some(())?;
                self.scratch.insert(key, sum);
            }
            _ => return None,
        }
        Some(Value::Nothing)
    }

    /// What stands for a block.
    pub(super) fn block(&mut self, block: Block) -> Value<'w> {
        self.block_bytes += match &block {
            Block::Code(_, text) | Block::Text(text) => text.len(),
            Block::File(_) => 0,
        };
        if self.block_bytes > MAX_BLOCK_BYTES {
            return Value::Nothing;
        }
        self.blocks.push(block);
        Value::Text(format!("{BLOCK}{}{BLOCK_END}", self.blocks.len() - 1))
    }

    /// A text as Markdown.
    pub(super) fn rendered(&mut self, value: &Value<'w>) -> Option<Value<'w>> {
        let text = value.text();
        if is_plain_pattern(&text) && text.contains(['*', '_', '`', '[', '\n']) {
            return Some(self.block(Block::Text(text)));
        }
        Some(Value::Text(text.replace(INSIDE, &RENDERED.to_string())))
    }

    /// A text with what blocks stand for.
    pub(super) fn whole_text(&self, text: &str) -> Option<String> {
        if is_plain_pattern(text) {
            return Some(text.to_owned());
        }
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find([INSIDE, RENDERED, BLOCK]) {
            out.push_str(rest.slice(..at));
            if rest.slice(at..).starts_with(BLOCK) {
                let (number, after) = rest.slice(at + BLOCK.len_utf8()..).split_once(BLOCK_END)?;
                match self.blocks.get(number.parse::<usize>().ok()?)? {
                    Block::Code(_, code) => out.push_str(code),
                    Block::Text(text) => out.push_str(text),
                    Block::File(file) => out.push_str(&self.writer.text.site.tree.text(*file)?),
                }
                rest = after;
            } else {
                out.push_str(self.call.text);
                rest = rest.slice(at + INSIDE.len_utf8()..);
            }
            if out.len() > MAX_BYTES {
                return None;
            }
        }
        out.push_str(rest);
        Some(out)
    }
}

/// Whether nothing in a text stands for more.
pub(super) fn is_plain_pattern(text: &str) -> bool {
    !text.contains([INSIDE, RENDERED, BLOCK])
}

/// How much a value is, in bytes; `None` if it is too deep or too large.
fn value_size(value: &Value<'_>, depth: usize) -> Option<usize> {
    let sum = |sizes: &mut dyn Iterator<Item = Option<usize>>| {
        let mut all = VALUE_BYTES;
        for size in sizes {
            all += size?;
            if all > MAX_BYTES {
                return None;
            }
        }
        Some(all)
    };
    match value {
        _ if depth > MAX_DEPTH => None,
        Value::Text(text) => Some(text.len() + VALUE_BYTES),
        Value::List(all) => sum(&mut all.iter().map(|one| value_size(one, depth + 1))),
        Value::Map(all) => sum(&mut all.iter().map(|(key, one)| Some(key.len() + value_size(one, depth + 1)?))),
        _ => Some(VALUE_BYTES),
    }
}

/// An argument by its name or number.
pub(super) fn argument<'d>(arguments: &[(String, String)], key: &Value<'_>) -> Value<'d> {
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
