//! The page of a channel of an AsyncAPI description.

use std::sync::Arc;

use serde_json::Value;

use base::html::{self, escape_html_text};
use spec::escape_pointer_segment;
use templates::words::ApiWords;

use super::aside;
use super::document::{DescriptionDocument, ResolvedObject, object_reference};
use super::example;
use super::facts::{Schema, Schemas};
use super::fields::{BodyFields, Direction, FieldId, ParameterFacts};
use super::page::{write_fields, write_requirements, write_servers};
use super::security::{self, Requirement};
use super::server::{self, ApiServer};
use super::write::ReferenceWriter;

/// What the page of a channel says.
pub(crate) struct ChannelPage<'a, 's> {
    /// All its fields.
    pub(crate) fields: BodyFields<'a, 's>,
    id: &'a str,
    about: ResolvedObject<'a>,
    servers: Vec<ApiServer<'a>>,
    protocol: &'a str,
    requirements: Vec<Requirement<'a>>,
    /// Section and root.
    parameters: Vec<(&'static str, FieldId)>,
    /// Operations of the channel that say something, with their names.
    operations: Vec<(&'a str, ResolvedObject<'a>)>,
    messages: Vec<Message<'a>>,
}

struct Message<'a> {
    id: &'a str,
    about: ResolvedObject<'a>,
    /// `send` or `receive`, as described.
    action: Option<&'a str>,
    payload: Option<(&'a Value, FieldId)>,
    headers: Option<FieldId>,
}

impl<'a> ChannelPage<'a, '_> {
    /// Its parts: title, description, roots of the fields.
    pub(crate) fn parts(&self, api: &ApiWords) -> Vec<(String, Option<&'a str>, Vec<FieldId>)> {
        let mut parts = Vec::new();
        for (section, root) in &self.parameters {
            let title = match *section {
                "path" => api.path_parameters,
                "query" => api.query_parameters,
                _ => api.headers,
            };
            parts.push((title.to_owned(), None, vec![*root]));
        }
        for (name, operation) in &self.operations {
            parts.push((operation_title(name, operation).to_owned(), operation.text("description"), Vec::new()));
        }
        for message in &self.messages {
            let about = &message.about;
            let title = about.text("title").or_else(|| about.text("name")).unwrap_or(message.id);
            let action = match message.action {
                Some("send") => format!(" ({})", api.send),
                Some(_) => format!(" ({})", api.receive),
                None => String::new(),
            };
            let description = about.text("description").or_else(|| about.text("summary"));
            let roots = message.payload.map(|(_, root)| root).into_iter().chain(message.headers).collect();
            parts.push((format!("{}: {title}{action}", api.messages), description, roots));
        }
        parts
    }
}

/// Reads a channel.
pub(crate) fn read_channel<'a, 's>(schemas: &'s Schemas<'a>, id: &'a str, channel: &'a Value) -> ChannelPage<'a, 's> {
    let document = schemas.document();
    let about = document.object(channel);
    let mut fields = BodyFields::new(schemas);
    let own: Vec<ResolvedObject<'a>> = about.list("servers").iter().map(|value| document.object(value)).collect();
    let all = if own.is_empty() { document.objects(document.get("servers")).map(|(_, it)| it).collect() } else { own };
    let mut requirements = Vec::new();
    for value in all.iter().flat_map(|server| server.list("security")) {
        let name = value.as_object().and_then(object_reference).map_or("", |it| it.rsplit('/').next().unwrap_or(it));
        let scheme = document.object(value);
        let root = fields.add_root(&Schema::default(), Direction::Request);
        let credential = security::scheme_credential((name, scheme), Vec::new(), root, &mut fields);
        requirements.push(Requirement { credentials: vec![credential] });
    }
    let mut parameters = Vec::new();
    let mut root = None;
    for (name, parameter) in document.objects(about.get("parameters")) {
        let root = *root.get_or_insert_with(|| fields.add_root(&Schema::default(), Direction::Neither));
        // without a schema, the parameter says itself what its values are
        let value = about.get("parameters").and_then(|it| it.get(name));
        let schema = parameter.get("schema").or(value);
        let node = fields.add_parameter(root, name, &Schema::of(schema));
        let field = fields.node_mut(node);
        field.is_required = true;
        field.parameter = Some(Arc::new(ParameterFacts { is_text: true, ..ParameterFacts::default() }));
    }
    parameters.extend(root.map(|root| ("path", root)));
    let bindings = about.get("bindings").map(|value| document.object(value)).unwrap_or_default();
    let socket = bindings.get("ws").map(|value| document.object(value)).unwrap_or_default();
    for (section, key) in [("query", "query"), ("header", "headers")] {
        if let Some(schema) = socket.get(key).filter(|value| value.is_object()) {
            parameters.push((section, fields.add_root(&Schema::of(Some(schema)), Direction::Neither)));
        }
    }
    let operations = described_operations(document, id);
    let mut messages = Vec::new();
    for (name, message) in document.objects(about.get("messages")) {
        let payload = message.get("payload").map(|payload| {
            let inner = payload.get("schema").filter(|it| it.is_object() && payload.get("schemaFormat").is_some());
            inner.unwrap_or(payload)
        });
        messages.push(Message {
            id: name,
            action: action(document.get("operations"), id, name),
            payload: payload.map(|schema| (schema, fields.add_root(&Schema::of(Some(schema)), Direction::Neither))),
            headers: message
                .get("headers")
                .filter(|value| value.is_object())
                .map(|schema| fields.add_root(&Schema::of(Some(schema)), Direction::Neither)),
            about: message,
        });
    }
    fields.expand();
    let protocol = all.first().and_then(|server| server.text("protocol")).unwrap_or_default();
    let servers = all.iter().filter_map(|it| read_server(schemas, it)).collect();
    ChannelPage { fields, id, about, servers, protocol, requirements, parameters, operations, messages }
}

fn read_server<'a>(schemas: &Schemas<'a>, server: &ResolvedObject<'a>) -> Option<ApiServer<'a>> {
    let host = server.text("host")?;
    let protocol = server.text("protocol").map(|it| format!("{it}://")).unwrap_or_default();
    Some(ApiServer {
        url: format!("{protocol}{host}{}", server.text("pathname").unwrap_or_default()),
        description: server.text("description").or_else(|| server.text("summary")),
        variables: server::read_variables(schemas.document(), server),
    })
}

/// Where operations find a channel.
fn channel_pointer(channel: &str) -> String {
    format!("#/channels/{}", escape_pointer_segment(channel))
}

/// Whether a value is a reference to a place of the document.
fn refers_to(value: &Value, pointer: &str) -> bool {
    value.get("$ref").and_then(Value::as_str) == Some(pointer)
}

/// The operations of a channel that say something about it.
fn described_operations<'a>(document: DescriptionDocument<'a>, channel: &str) -> Vec<(&'a str, ResolvedObject<'a>)> {
    let at = channel_pointer(channel);
    document
        .objects(document.get("operations"))
        .filter(|(_, it)| it.get("channel").is_some_and(|value| refers_to(value, &at)))
        .filter(|(_, it)| ["title", "summary", "description"].iter().any(|key| it.text(key).is_some()))
        .collect()
}

fn operation_title<'a>(name: &'a str, operation: &ResolvedObject<'a>) -> &'a str {
    operation.text("title").or_else(|| operation.text("summary")).unwrap_or(name)
}

/// What the application does with a message, by the first operation that names it or its channel.
fn action<'a>(operations: Option<&'a Value>, channel: &str, message: &str) -> Option<&'a str> {
    let at = channel_pointer(channel);
    let message = format!("{at}/messages/{}", escape_pointer_segment(message));
    operations?.as_object()?.values().find_map(|operation| {
        if !refers_to(operation.get("channel")?, &at) {
            return None;
        }
        let messages = operation.get("messages").and_then(Value::as_array);
        let names = messages.is_none_or(|list| list.iter().any(|it| refers_to(it, &message)));
        names.then(|| operation.get("action")?.as_str()).flatten()
    })
}

/// Writes the page of a channel; `is_described`: the page has a description already.
pub(crate) fn write_channel(w: &mut ReferenceWriter<'_, '_, '_, '_>, page: &ChannelPage<'_, '_>, is_described: bool) {
    w.r.raw("<div class=\"api\" data-component=\"Channel\"");
    w.r.attr("data-channel", page.id);
    w.r.raw(">\n<div class=\"op-endpoint\" data-chrome>");
    if !page.protocol.is_empty() {
        w.r.raw(&format!("<span class=\"method-pill\" data-method=\"WS\">{}</span>", escape_html_text(page.protocol)));
    }
    w.r.raw("<code>");
    w.r.text(page.about.text("address").unwrap_or(page.id));
    w.r.raw("</code></div>\n");
    let description = page.about.text("description");
    // without a description, the summary is the description of the page
    for text in page
        .about
        .text("summary")
        .filter(|_| description.is_some())
        .into_iter()
        .chain(description.filter(|_| !is_described))
    {
        w.description(text);
    }
    write_servers(w, &page.servers, true);
    write_requirements(w, &page.requirements);
    for (section, root) in &page.parameters {
        let title = match *section {
            "path" => w.api().path_parameters,
            "query" => w.api().query_parameters,
            _ => w.api().headers,
        };
        write_fields(w, section, title, *root);
    }
    page.operations.iter().for_each(|(name, operation)| write_operation(w, name, operation));
    if !page.messages.is_empty() {
        w.component = "ResponseField";
        w.open_section("message", w.api().messages);
        for (at, message) in page.messages.iter().enumerate() {
            write_message(w, message, at == 0 || page.messages.len() <= 3);
        }
        w.close_section();
    }
    w.r.raw("</div>\n");
    let values = page.messages.iter().flat_map(|message| examples(w, message)).collect();
    aside::write_values(w, values);
}

/// What an operation says of the channel. Its messages follow.
fn write_operation(w: &mut ReferenceWriter<'_, '_, '_, '_>, name: &str, operation: &ResolvedObject<'_>) {
    let title = operation_title(name, operation);
    w.r.raw("<div class=\"api-part\" data-section=\"operation\">\n<p class=\"api-part-title\">");
    if let Some(action) = operation.text("action") {
        write_action(w, action);
    }
    w.inline(title);
    w.r.raw("</p>\n");
    for text in [operation.text("summary").filter(|text| *text != title), operation.text("description")] {
        text.into_iter().for_each(|text| w.description(text));
    }
    w.r.raw("</div>\n");
}

fn write_action(w: &mut ReferenceWriter<'_, '_, '_, '_>, action: &str) {
    let word = if action == "send" { w.api().send } else { w.api().receive };
    w.r.raw(&format!("<span class=\"api-status\" data-class=\"{}\" data-chrome>{word}</span> ", html::attr(action)));
}

/// Writes a part of a message, with what its schema says of itself.
fn write_root(w: &mut ReferenceWriter<'_, '_, '_, '_>, root: FieldId, anchor: &str, said: Option<&str>) {
    if let Some(text) = w.fields.node(root).facts.description.filter(|text| Some(*text) != said) {
        w.description(text);
    }
    w.root(root, anchor);
}

fn write_message(w: &mut ReferenceWriter<'_, '_, '_, '_>, message: &Message<'_>, is_open: bool) {
    w.r.raw(if is_open { "<details class=\"api-response\" open" } else { "<details class=\"api-response\"" });
    w.r.attr("data-message", message.id);
    if let Some(action) = message.action {
        w.r.attr("data-action", action);
    }
    w.r.raw("><summary class=\"api-response-head\">");
    if let Some(action) = message.action {
        write_action(w, action);
    }
    w.r.raw("<span class=\"api-response-lead\">");
    w.r.text(message.about.text("title").or_else(|| message.about.text("name")).unwrap_or(message.id));
    w.r.raw("</span>");
    if let Some(media) = message.about.text("contentType") {
        w.r.raw(&format!(" <span class=\"api-response-type\" data-chrome>{}</span>", escape_html_text(media)));
    }
    w.r.raw("</summary>\n");
    let description = message.about.text("description");
    for text in message.about.text("summary").filter(|text| description != Some(*text)).into_iter().chain(description) {
        w.description(text);
    }
    if let Some((_, root)) = message.payload {
        write_root(w, root, "message", description);
    }
    if let Some(root) = message.headers {
        w.r.raw(&format!(
            "<div class=\"api-part\" data-section=\"header\">\n<p class=\"api-part-title\" data-chrome>{}</p>\n",
            w.api().headers
        ));
        write_root(w, root, "message-header", None);
        w.r.raw("</div>\n");
    }
    w.r.raw("</details>\n");
}

/// Examples of a message: as described, else of its payload.
fn examples(w: &ReferenceWriter<'_, '_, '_, '_>, message: &Message<'_>) -> Vec<(String, Value)> {
    let title = message.about.text("title").or_else(|| message.about.text("name")).unwrap_or(message.id);
    let described = message.about.list("examples").iter().filter_map(|it| {
        let name = it.get("summary").or_else(|| it.get("name")).and_then(Value::as_str);
        Some((name.unwrap_or(title).to_owned(), it.get("payload")?.clone()))
    });
    let mut found: Vec<(String, Value)> = described.collect();
    if found.is_empty()
        && let Some((schema, _)) = message.payload
    {
        let value = example::schema_example(w.fields.schemas().document().root(), schema, Direction::Neither, false);
        found.push((title.to_owned(), value));
    }
    found
}
