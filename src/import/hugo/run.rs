//! Runs the templates of a project's own shortcodes.

use std::collections::BTreeMap;

use base::FileId;
use base::cut::SliceText as _;

use super::config;
use super::shortcode::ShortcodeCall;
use super::template::{Pipe, RangeTemplate, TemplateExpr, TemplateNode, partial_name};
use super::value::HugoValue;
use super::write::HugoWriter;

/// Stands for what is inside the shortcode.
pub(super) const INSIDE: char = '\u{e002}';
/// The same, as Markdown.
pub(super) const RENDERED: char = '\u{e003}';
/// Stands before the number of a block, which [`BLOCK_END`] ends.
pub(super) const BLOCK: char = '\u{e004}';
pub(super) const BLOCK_END: char = '\u{e005}';
/// Most bytes of what a template gives, and of a value.
pub(super) const MAX_HUGO_VALUE_BYTES: usize = 256 << 10;

/// Most bytes of the blocks of a template.
const MAX_BLOCK_BYTES: usize = 4 << 20;

/// Partials in each other.
const MAX_PARTIALS: usize = 12;
/// Bytes that the arguments of a function may have together.
const MAX_ARGUMENT_BYTES: usize = 4 * MAX_HUGO_VALUE_BYTES;
/// Deepest value.
const MAX_HUGO_VALUE_DEPTH: usize = 24;
/// What a value costs that has no text.
const VALUE_BYTES: usize = 16;

/// What a template gives beside its text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TemplateBlock {
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
    pub(super) blocks: Vec<TemplateBlock>,
}

impl HugoWriter<'_> {
    /// What the template of a shortcode gives; `None` if it has none that can be run.
    pub(super) fn run_template(&self, call: &ShortcodeCall<'_>) -> Option<TemplateOutput> {
        let nodes = self.settings.templates.shortcodes.get(&call.name.to_lowercase())?.as_ref()?;
        let root = HugoValue::Thing("Shortcode");
        let mut run = TemplateRun {
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

pub(super) struct TemplateRun<'r, 'w, 'c> {
    pub(super) writer: &'r HugoWriter<'w>,
    pub(super) call: &'r ShortcodeCall<'c>,
    /// What `$` is.
    root: HugoValue<'w>,
    variables: BTreeMap<String, HugoValue<'w>>,
    /// What templates keep for each other.
    scratch: BTreeMap<String, HugoValue<'w>>,
    out: String,
    pub(super) blocks: Vec<TemplateBlock>,
    block_bytes: usize,
    /// What a partial gives instead of text.
    returned: Option<HugoValue<'w>>,
    /// Partials that are open.
    partials: usize,
}

impl<'w> TemplateRun<'_, 'w, '_> {
    /// `None`: it needs what is not known here. Recursion is bounded by the reader of templates.
    fn nodes(&mut self, nodes: &[TemplateNode], dot: &HugoValue<'w>) -> Option<Flow> {
        for node in nodes {
            if self.out.len() > MAX_HUGO_VALUE_BYTES || !self.writer.spend(1) {
                return None;
            }
            let flow = match node {
                TemplateNode::Text(text) => {
                    self.out.push_str(text);
                    Flow::Next
                }
                TemplateNode::Print(pipe) => {
                    let value = match self.pipe(pipe, dot) {
                        Some(value) => value,
                        // an attribute that is not known
                        None if self.is_in_tag() => HugoValue::Nothing,
                        None => return None,
                    };
                    let is_shown = matches!(
                        value,
                        HugoValue::Nothing | HugoValue::Text(_) | HugoValue::Number(_) | HugoValue::Bool(_)
                    );
                    if !is_shown {
                        return None;
                    }
                    self.out.push_str(&value.text());
                    Flow::Next
                }
                TemplateNode::Set(name, pipe) => {
                    // one that is not known matters where it is used
                    match self.pipe(pipe, dot) {
                        Some(value) => self.variables.insert(name.clone(), value),
                        None => self.variables.remove(name),
                    };
                    Flow::Next
                }
                TemplateNode::If(branches) => self.branches(branches, dot)?,
                TemplateNode::With(name, pipe, then, other) => {
                    let value = self.pipe(pipe, dot)?;
                    if let Some(name) = name {
                        self.variables.insert(name.clone(), value.clone());
                    }
                    if value.is_true() { self.nodes(then, &value)? } else { self.nodes(other, dot)? }
                }
                TemplateNode::Range(range) => self.range(range, dot)?,
                TemplateNode::Template(name, value) => {
                    let value = match value {
                        Some(value) => self.pipe(value, dot)?,
                        None => HugoValue::Nothing,
                    };
                    let output = self.partial(name, value)?;
                    self.out.push_str(&output.text());
                    Flow::Next
                }
                TemplateNode::Break => Flow::Break,
                TemplateNode::Continue => Flow::Continue,
                TemplateNode::Return(pipe) => {
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

    fn branches(&mut self, branches: &[(Option<Pipe>, Vec<TemplateNode>)], dot: &HugoValue<'w>) -> Option<Flow> {
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

    fn range(&mut self, range: &RangeTemplate, dot: &HugoValue<'w>) -> Option<Flow> {
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
    pub(super) fn partial(&mut self, name: &str, dot: HugoValue<'w>) -> Option<HugoValue<'w>> {
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
        is_done.then(|| returned.unwrap_or(HugoValue::Text(output)))
    }

    pub(super) fn pipe(&mut self, pipe: &Pipe, dot: &HugoValue<'w>) -> Option<HugoValue<'w>> {
        let mut last = None;
        for command in pipe {
            last = Some(self.command(command, last.take(), dot)?);
        }
        last
    }

    fn command(
        &mut self,
        command: &[TemplateExpr],
        last: Option<HugoValue<'w>>,
        dot: &HugoValue<'w>,
    ) -> Option<HugoValue<'w>> {
        let (first, rest) = command.split_first()?;
        let name = if let TemplateExpr::Name(name) = first { name.as_str() } else { "" };
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
            TemplateExpr::Name(name) => self.function(name, &arguments)?,
            TemplateExpr::Field(fields) => self.fields(dot.clone(), fields, &arguments)?,
            TemplateExpr::Variable(name, fields) => {
                let base = self.variable(name)?;
                self.fields(base, fields, &arguments)?
            }
            TemplateExpr::Paren(pipe, fields) if !fields.is_empty() => {
                let base = self.pipe(pipe, dot)?;
                self.fields(base, fields, &arguments)?
            }
            other if arguments.is_empty() => self.value(other, dot)?,
            _ => return None,
        };
        let size = value_size(&value, 0)?;
        (size <= MAX_HUGO_VALUE_BYTES && self.writer.spend(size / 64)).then_some(value)
    }

    fn value(&mut self, expression: &TemplateExpr, dot: &HugoValue<'w>) -> Option<HugoValue<'w>> {
        match expression {
            TemplateExpr::Text(text) => Some(HugoValue::Text(text.clone())),
            TemplateExpr::Number(number) => Some(HugoValue::Number(*number)),
            TemplateExpr::Bool(on) => Some(HugoValue::Bool(*on)),
            TemplateExpr::Nothing => Some(HugoValue::Nothing),
            TemplateExpr::Field(fields) => self.fields(dot.clone(), fields, &[]),
            TemplateExpr::Variable(name, fields) => {
                let base = self.variable(name)?;
                self.fields(base, fields, &[])
            }
            TemplateExpr::Name(name) => self.function(name, &[]),
            TemplateExpr::Paren(pipe, fields) => {
                let base = self.pipe(pipe, dot)?;
                self.fields(base, fields, &[])
            }
        }
    }

    fn variable(&self, name: &str) -> Option<HugoValue<'w>> {
        if name.is_empty() { Some(self.root.clone()) } else { self.variables.get(name).cloned() }
    }

    /// Fields of a value; arguments are for the last.
    pub(super) fn fields(
        &mut self,
        base: HugoValue<'w>,
        fields: &[String],
        arguments: &[HugoValue<'w>],
    ) -> Option<HugoValue<'w>> {
        let mut value = base;
        for (number, field) in fields.iter().enumerate() {
            let given = if number + 1 == fields.len() { arguments } else { &[] };
            value = self.field(&value, field, given)?;
        }
        Some(value)
    }

    /// The value at a path of keys: `Params.weight`.
    pub(super) fn at_path(&mut self, base: &HugoValue<'w>, path: &str) -> Option<HugoValue<'w>> {
        let fields: Vec<String> = path.trim_start_matches('.').split('.').map(str::to_owned).collect();
        self.fields(base.clone(), &fields, &[])
    }

    pub(super) fn field(
        &mut self,
        base: &HugoValue<'w>,
        field: &str,
        arguments: &[HugoValue<'w>],
    ) -> Option<HugoValue<'w>> {
        match base {
            HugoValue::Thing(thing) => self.thing(thing, field, arguments),
            HugoValue::Page(file) => self.field_of_page(*file, field, arguments),
            HugoValue::Params(file) => {
                let matter = self.writer.matter(*file);
                Some(
                    config::value_at_path(&matter, &field.to_lowercase())
                        .map_or(HugoValue::Nothing, HugoValue::of_json),
                )
            }
            HugoValue::List(all) => self.writer.of_list(all, field, arguments),
            HugoValue::Nothing => Some(HugoValue::Nothing),
            other => other.member(field),
        }
    }

    /// A field of a page that is more than what is known of it.
    fn field_of_page(&mut self, file: FileId, field: &str, arguments: &[HugoValue<'w>]) -> Option<HugoValue<'w>> {
        match field {
            "Content" | "RenderShortcodes" | "RawContent" | "ContentWithoutSummary" => {
                Some(self.block(TemplateBlock::File(file)))
            }
            "Plain" | "Summary" => {
                let text = self.writer.text.site.tree.text(file)?;
                let split = site::front_matter::split_front_matter(&text);
                let body = text.slice(split.body_offset..).trim();
                let end = if field == "Summary" { body.find("\n\n").unwrap_or(body.len()) } else { body.len() };
                Some(self.block(TemplateBlock::Text(body.slice(..end).to_owned())))
            }
            "RenderString" => self.rendered(arguments.last()?),
            "Site" => Some(HugoValue::Thing("Site")),
            "Page" => Some(HugoValue::Page(file)),
            "Store" | "Scratch" => Some(HugoValue::Thing("Scratch")),
            "Lang" => self.thing("Language", "Lang", &[]),
            "Language" => Some(HugoValue::Thing("Language")),
            "String" => Some(HugoValue::Text(self.writer.text.site.tree.path(file).to_owned())),
            field => self.writer.page_field(file, field, arguments),
        }
    }

    fn thing(&mut self, thing: &str, field: &str, arguments: &[HugoValue<'w>]) -> Option<HugoValue<'w>> {
        let text = |text: &str| Some(HugoValue::Text(text.to_owned()));
        let page = self.writer.text.file;
        let settings = self.writer.settings;
        match (thing, field) {
            ("Shortcode", "Get") => Some(argument(&self.call.arguments, arguments.first()?)),
            ("Parent", "Get") => Some(argument(self.writer.parent()?, arguments.first()?)),
            ("Shortcode", "Inner" | "InnerDeindent") => {
                Some(if self.call.text.is_empty() { HugoValue::Nothing } else { HugoValue::Text(INSIDE.to_string()) })
            }
            ("Shortcode", "Parent") => {
                Some(self.writer.parent().map_or(HugoValue::Nothing, |_| HugoValue::Thing("Parent")))
            }
            ("Shortcode", "IsNamedParams") => {
                Some(HugoValue::Bool(self.call.arguments.iter().any(|(name, _)| !name.is_empty())))
            }
            ("Shortcode" | "Parent", "Params") => {
                let all = if thing == "Shortcode" { &self.call.arguments } else { self.writer.parent()? };
                let value = |value: &String| HugoValue::Text(value.clone());
                Some(if all.iter().any(|(name, _)| !name.is_empty()) {
                    HugoValue::Map(all.iter().map(|(name, text)| (name.clone(), value(text))).collect())
                } else {
                    HugoValue::List(all.iter().map(|(_, text)| value(text)).collect())
                })
            }
            ("Shortcode", "Name") => text(self.call.name),
            ("Shortcode", "Position") => text(""),
            ("Shortcode", "Ordinal") => Some(HugoValue::Number(0.0)),
            ("Shortcode", "Page") => Some(HugoValue::Page(page)),
            ("Shortcode", "Site") => Some(HugoValue::Thing("Site")),
            ("Shortcode" | "Parent", "Scratch" | "Store") => Some(HugoValue::Thing("Scratch")),
            ("Scratch", _) => self.scratch(field, arguments),
            ("Site", "Params") => Some(HugoValue::Thing("SiteParams")),
            ("Site" | "Hugo", "Data") => Some(HugoValue::of_data(&settings.data)),
            ("Site", "Title") => text(&self.writer.text.site.config.name),
            ("Site", "GetPage") => Some(self.writer.get_page(arguments)),
            ("Site", "Home") => Some(self.writer.find_content("/").map_or(HugoValue::Nothing, HugoValue::Page)),
            ("Site", "Pages" | "RegularPages" | "AllPages" | "Sections") => {
                let home = self.writer.find_content("/")?;
                let field = match field {
                    "Sections" => "Sections",
                    _ => "RegularPagesRecursive",
                };
                self.writer.page_field(home, field, &[])
            }
            ("Site", "Language") => Some(HugoValue::Thing("Language")),
            ("Site", "Sites") => Some(HugoValue::List(vec![HugoValue::Thing("Site")])),
            ("Site", "BaseURL") => text(""),
            ("Site", "LanguageCode") | ("Language", "Lang" | "LanguageCode") => text(&self.writer.language()),
            ("Language", "Weight") => Some(HugoValue::Number(1.0)),
            // new enough for all
            ("Hugo", "Version") => text("0.200.0"),
            ("Hugo", "IsProduction" | "IsExtended") => Some(HugoValue::Bool(true)),
            ("Hugo", "IsServer" | "IsDevelopment" | "IsMultilingual") => Some(HugoValue::Bool(false)),
            ("Hugo", "Environment") => text("production"),
            ("SiteParams", name) => {
                let found = settings.parameter_value(&name.to_lowercase(), self.writer.text);
                Some(found.map_or(HugoValue::Nothing, HugoValue::of_data))
            }
            _ => None,
        }
    }

    /// `.Scratch.Set "a" 1`.
    fn scratch(&mut self, field: &str, arguments: &[HugoValue<'w>]) -> Option<HugoValue<'w>> {
        let key = arguments.first().map(HugoValue::text).unwrap_or_default();
        match field {
            "Get" => return Some(self.scratch.get(&key).cloned().unwrap_or(HugoValue::Nothing)),
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
                    (Some(HugoValue::Number(one)), HugoValue::Number(other)) => HugoValue::Number(one + other),
                    (Some(HugoValue::List(mut all)), HugoValue::List(more)) => {
                        all.extend(more);
                        HugoValue::List(all)
                    }
                    (Some(HugoValue::List(mut all)), one) => {
                        all.push(one);
                        HugoValue::List(all)
                    }
                    (Some(one), other) => HugoValue::Text(one.text() + &other.text()),
                };
                (value_size(&sum, 0)? <= MAX_HUGO_VALUE_BYTES).then_some(())?;
                self.scratch.insert(key, sum);
            }
            _ => return None,
        }
        Some(HugoValue::Nothing)
    }

    /// What stands for a block.
    pub(super) fn block(&mut self, block: TemplateBlock) -> HugoValue<'w> {
        self.block_bytes += match &block {
            TemplateBlock::Code(_, text) | TemplateBlock::Text(text) => text.len(),
            TemplateBlock::File(_) => 0,
        };
        if self.block_bytes > MAX_BLOCK_BYTES {
            return HugoValue::Nothing;
        }
        self.blocks.push(block);
        HugoValue::Text(format!("{BLOCK}{}{BLOCK_END}", self.blocks.len() - 1))
    }

    /// A text as Markdown.
    pub(super) fn rendered(&mut self, value: &HugoValue<'w>) -> Option<HugoValue<'w>> {
        let text = value.text();
        if is_plain_pattern(&text) && text.contains(['*', '_', '`', '[', '\n']) {
            return Some(self.block(TemplateBlock::Text(text)));
        }
        Some(HugoValue::Text(text.replace(INSIDE, &RENDERED.to_string())))
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
                    TemplateBlock::Code(_, code) => out.push_str(code),
                    TemplateBlock::Text(text) => out.push_str(text),
                    TemplateBlock::File(file) => out.push_str(&self.writer.text.site.tree.text(*file)?),
                }
                rest = after;
            } else {
                out.push_str(self.call.text);
                rest = rest.slice(at + INSIDE.len_utf8()..);
            }
            if out.len() > MAX_HUGO_VALUE_BYTES {
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
fn value_size(value: &HugoValue<'_>, depth: usize) -> Option<usize> {
    let sum = |sizes: &mut dyn Iterator<Item = Option<usize>>| {
        let mut all = VALUE_BYTES;
        for size in sizes {
            all += size?;
            if all > MAX_HUGO_VALUE_BYTES {
                return None;
            }
        }
        Some(all)
    };
    match value {
        _ if depth > MAX_HUGO_VALUE_DEPTH => None,
        HugoValue::Text(text) => Some(text.len() + VALUE_BYTES),
        HugoValue::List(all) => sum(&mut all.iter().map(|one| value_size(one, depth + 1))),
        HugoValue::Map(all) => sum(&mut all.iter().map(|(key, one)| Some(key.len() + value_size(one, depth + 1)?))),
        _ => Some(VALUE_BYTES),
    }
}

/// An argument by its name or number.
pub(super) fn argument<'d>(arguments: &[(String, String)], key: &HugoValue<'_>) -> HugoValue<'d> {
    match key {
        HugoValue::Number(number) => {
            let mut all = arguments.iter().filter(|(name, _)| name.is_empty());
            HugoValue::of(all.nth(number.max(0.0) as usize).map(|(_, value)| value.clone()))
        }
        key => {
            let key = key.text();
            let found = arguments.iter().find(|(name, _)| !name.is_empty() && name.eq_ignore_ascii_case(&key));
            HugoValue::of(found.map(|(_, value)| value.clone()))
        }
    }
}
