//! A reference as a list in Markdown, for agents and for readers of text: what is sent, what comes back, a line for each
//! field.

use serde_json::Value;

use templates::words::{ApiWords, Words};

use super::document::{DescriptionDocument, ResolvedObject};
use super::facts::{Schema, SchemaFacts, Schemas};
use super::fields::{BodyFields, Direction, FieldId, FieldsCut, type_text};
use super::limits::{ValueLimit, count_text, range_text, value_text};
use super::media::Media;
use super::operation::{Exchange, read_operation};
use super::operation_source::OperationSource;
use super::{PageSubject, channel::read_channel};

/// Bytes of a list behind which fields are left out.
const MAX_LIST_BYTES: usize = 100_000;
/// Characters of an example or default that stands in a line.
const MAX_INLINE_CHARS: usize = 120;

/// What a page as Markdown says of its description.
#[derive(Debug)]
pub struct FieldList {
    /// Markdown.
    pub text: String,
    /// Fields are left out.
    pub is_cut: bool,
}

/// The list of a subject of a description, in the words of a language.
pub(super) fn field_list<'a>(schemas: &Schemas<'a>, subject: PageSubject<'a>, words: &Words) -> FieldList {
    match subject {
        PageSubject::Operation { method, path, about, item } => {
            let item = schemas.document().members(Some(item));
            let source = OperationSource { method: method.to_owned(), path, about: ResolvedObject::of(about), item };
            let page = read_operation(schemas, &source);
            let mut list = LinesWriter::new(&page.fields, words);
            let named = page.requirements.iter().flat_map(|requirement| &requirement.credentials);
            let named: Vec<FieldId> = named.map(|credential| credential.node).collect();
            list.section(words.api.authorization, &named);
            list.exchange(&page.exchange, "##");
            for callback in &page.callbacks {
                let title =
                    format!("{}: {}, {} {}", words.api.callbacks, callback.name, callback.method, callback.address);
                list.heading("##", &title);
                list.text(callback.description);
                list.exchange(&callback.exchange, "###");
            }
            list.finish()
        }
        PageSubject::Channel(id, about) => {
            let page = read_channel(schemas, id, about);
            let mut list = LinesWriter::new(&page.fields, words);
            for (title, description, roots) in page.parts(&words.api) {
                list.heading("##", &title);
                list.text(description);
                for root in roots {
                    list.text(page.fields.node(root).facts.description.filter(|text| description != Some(*text)));
                    list.root(root);
                }
            }
            list.finish()
        }
        PageSubject::Overview => {
            let fields = BodyFields::new(schemas);
            let mut list = LinesWriter::new(&fields, words);
            list.overview(schemas.document());
            list.finish()
        }
        PageSubject::Schema(_, schema) => {
            let mut fields = BodyFields::new(schemas);
            let root = fields.add_root(&Schema::of(Some(schema)), Direction::Neither);
            fields.expand();
            let mut list = LinesWriter::new(&fields, words);
            list.text(fields.node(root).facts.description);
            list.root(root);
            list.finish()
        }
    }
}

/// Writes lines.
struct LinesWriter<'w, 'a, 's> {
    fields: &'w BodyFields<'a, 's>,
    words: &'w Words,
    out: String,
    is_cut: bool,
}

impl<'w, 'a, 's> LinesWriter<'w, 'a, 's> {
    fn new(fields: &'w BodyFields<'a, 's>, words: &'w Words) -> Self {
        Self { fields, words, out: String::new(), is_cut: false }
    }

    fn finish(self) -> FieldList {
        FieldList { text: self.out, is_cut: self.is_cut }
    }

    fn heading(&mut self, level: &str, title: &str) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out.push_str(&format!("{level} {}\n\n", reference_one_line(title)));
    }

    fn text(&mut self, text: Option<&str>) {
        if let Some(text) = text {
            self.out.push_str(text);
            self.out.push_str("\n\n");
        }
    }

    /// A whole description: what it says of itself, its servers, its operations.
    fn overview(&mut self, document: DescriptionDocument<'_>) {
        let info = document.get("info").map(|info| document.object(info)).unwrap_or_default();
        self.text(info.text("description").or_else(|| info.text("summary")));
        let servers = document.get("servers").and_then(Value::as_array).into_iter().flatten();
        let servers: Vec<&str> = servers.filter_map(|server| server.get("url")?.as_str()).collect();
        if !servers.is_empty() {
            self.heading("##", self.words.api.servers);
            servers.iter().for_each(|url| self.out.push_str(&format!("- `{url}`\n")));
        }
        self.heading("##", self.words.api.operations);
        for operation in spec::operations(document.root()) {
            if self.out.len() > MAX_LIST_BYTES {
                self.is_cut = true;
                return;
            }
            let summary = operation.text("summary").map(|text| format!(": {}", reference_one_line(text)));
            let method = operation.method.to_uppercase();
            self.out.push_str(&format!("- `{method} {}`{}\n", operation.path, summary.unwrap_or_default()));
        }
    }

    fn section(&mut self, title: &str, nodes: &[FieldId]) {
        if nodes.is_empty() {
            return;
        }
        self.heading("##", title);
        nodes.iter().for_each(|node| self.field(*node, 0));
    }

    fn exchange(&mut self, exchange: &Exchange<'_>, level: &str) {
        let api = &self.words.api;
        for (place, root) in &exchange.parameters {
            let title = match *place {
                "path" => api.path_parameters,
                "query" => api.query_parameters,
                "header" => api.headers,
                _ => api.cookies,
            };
            self.heading(level, title);
            self.below(*root, 0);
        }
        if let Some(body) = &exchange.body {
            self.bodies(level, api.body, body.is_required, body.description, &body.media);
        }
        for response in &exchange.responses {
            let title = format!("{} {}", self.words.console.response, response.status);
            self.bodies(level, &title, false, response.description, &response.media);
            if let Some(root) = response.headers {
                self.out.push_str(&format!("\n{}:\n\n", api.headers));
                self.below(root, 0);
            }
        }
    }

    fn bodies(&mut self, level: &str, title: &str, is_required: bool, description: Option<&str>, media: &[Media<'_>]) {
        let types = media.iter().map(|media| format!("`{}`", media.name));
        let types: Vec<String> = types.chain(is_required.then(|| self.words.content.required.to_owned())).collect();
        let of = if types.is_empty() { String::new() } else { format!(" ({})", types.join(", ")) };
        self.heading(level, &format!("{title}{of}"));
        self.text(description);
        for body in media.iter().filter(|body| body.schema.is_some()) {
            if media.len() > 1 {
                self.out.push_str(&format!("`{}`:\n\n", body.name));
            }
            self.root(body.root);
            if media.len() > 1 {
                self.out.push('\n');
            }
        }
    }

    /// The fields of a body, or its type.
    fn root(&mut self, id: FieldId) {
        let types = self.fields.type_text(id);
        if &*types != "object" {
            let about = self.about(&self.fields.node(id).facts);
            self.out.push_str(&format!("`{types}`{}{about}\n\n", if about.is_empty() { "" } else { ": " }));
        }
        self.below(id, 0);
    }

    fn below(&mut self, id: FieldId, depth: usize) {
        let node = self.fields.node(id);
        let indent = "  ".repeat(depth);
        for child in &node.children {
            if self.out.len() > MAX_LIST_BYTES {
                self.out.push_str(&format!("{indent}- …\n"));
                self.is_cut = true;
                return;
            }
            self.field(*child, depth);
        }
        for union in &node.unions {
            for (at, alternative) in union.iter().enumerate() {
                if self.out.len() > MAX_LIST_BYTES {
                    self.is_cut = true;
                    return;
                }
                let word = if at == 0 { self.words.api.alternatives } else { self.words.api.or };
                let label = self.fields.label(*alternative, at + 1);
                let mark = self.fields.node(*alternative).mark;
                let fallback = mark.is_default.then(|| self.words.content.default.to_owned());
                let value = mark.value.filter(|value| *value != label).map(|value| format!("`{value}`")).or(fallback);
                let value = value.map(|value| format!(" ({}: {value})", mark.property));
                let value = value.unwrap_or_default();
                self.out.push_str(&format!("{indent}- {word} `{}`{value}\n", reference_one_line(&label)));
                self.below(*alternative, depth + 1);
            }
        }
        match node.cut {
            FieldsCut::Whole => {}
            FieldsCut::Repeats => {
                let name = node.facts.name.as_deref().unwrap_or("object");
                let text = self.words.api.repeats.replace("{}", &format!("`{name}`"));
                self.out.push_str(&format!("{indent}- {text}\n"));
            }
            FieldsCut::TooDeep => self.out.push_str(&format!("{indent}- …\n")),
        }
    }

    fn field(&mut self, id: FieldId, depth: usize) {
        let node = self.fields.node(id);
        let is_credential = node.parameter.as_ref().is_some_and(|it| it.scheme.is_some());
        let types = self.fields.type_text(id);
        let mut marks = vec![format!("`{}`", if is_credential { "string" } else { &types })];
        let (content, api) = (&self.words.content, &self.words.api);
        for (is_set, word) in [
            (node.is_required, content.required),
            (node.is_deprecated, content.deprecated),
            (node.facts.is_read_only, api.read_only),
            (node.facts.is_write_only, api.write_only),
        ] {
            if is_set {
                marks.push(word.to_owned());
            }
        }
        if let Some(place) = node.parameter.as_ref().and_then(|it| it.place) {
            marks.push(place.to_owned());
        }
        let mut line = format!("{}- `{}` ({})", "  ".repeat(depth), node.shown_name(), marks.join(", "));
        let description = node.description.or(node.facts.description).map(first_paragraph);
        let about = self.about(&node.facts);
        let pattern = node.pattern.map(|pattern| format!("`{{key}}`: {} `{pattern}`.", api.pattern));
        let sent_as = node.sent_as.map(|types| format!("{}: `{types}`.", api.media_types));
        let about = Some(about).filter(|about| !about.is_empty());
        let parts: Vec<String> = pattern.into_iter().chain(description).chain(about).chain(sent_as).collect();
        if !parts.is_empty() {
            line.push_str(": ");
            line.push_str(&parts.join(" "));
        }
        self.out.push_str(&line);
        self.out.push('\n');
        self.below(id, depth + 1);
    }

    /// Values, bounds, default and example.
    fn about(&self, facts: &SchemaFacts<'a>) -> String {
        let (content, api) = (&self.words.content, &self.words.api);
        let mut parts: Vec<String> = Vec::new();
        let short = |value: &Value| Some(value_text(value)).filter(|text| text.chars().count() <= MAX_INLINE_CHARS);
        if !facts.values.is_empty() {
            let values: Vec<String> = facts.values.iter().map(|value| format!("`{}`", value_text(value))).collect();
            let word = if facts.is_const && values.len() == 1 { api.constant } else { api.values };
            parts.push(format!("{word}: {}.", values.join(", ")));
        }
        let limits: Vec<String> = facts.limits.iter().map(|limit| limit_text(limit, api)).collect();
        if !limits.is_empty() {
            parts.push(format!("{}.", limits.join(", ")));
        }
        if let Some(text) = facts.default.and_then(short) {
            parts.push(format!("{}: `{text}`.", capitalized(content.default)));
        }
        if let Some(text) = facts.example.and_then(short).filter(|text| !text.contains('\n')) {
            parts.push(format!("{}: `{text}`.", api.example));
        }
        for (at, schema) in facts.tuple.iter().enumerate() {
            let part = self.fields.schemas().facts(schema);
            parts.push(format!("[{at}]: `{}`.", type_text(&part, self.fields.schemas())));
        }
        reference_one_line(&parts.join(" "))
    }
}

/// A bound in words.
fn limit_text(limit: &ValueLimit<'_>, api: &ApiWords) -> String {
    match limit {
        ValueLimit::Range(low, high) | ValueLimit::Within(low, high) => range_text(*low, *high),
        ValueLimit::Length(low, high) => format!("{} {}", api.length, count_text(*low, *high)),
        ValueLimit::Items(low, high) => format!("{} {}", api.items, count_text(*low, *high)),
        ValueLimit::Properties(low, high) => format!("{} {}", api.properties, count_text(*low, *high)),
        ValueLimit::MultipleOf(value) => api.multiple_of.replace("{}", &value_text(value)),
        ValueLimit::Pattern(pattern) => format!("{} `{pattern}`", api.pattern),
        ValueLimit::Unique => api.unique.to_owned(),
    }
}

/// A word as it begins a sentence.
fn capitalized(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().into_iter().flat_map(char::to_uppercase).chain(chars).collect()
}

/// What a line has room for.
fn first_paragraph(text: &str) -> String {
    reference_one_line(text.split("\n\n").next().unwrap_or(text))
}

fn reference_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
