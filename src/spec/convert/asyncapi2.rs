//! AsyncAPI 2.0 to 2.6, to AsyncAPI 3.
//!
//! Channels keep their keys, which were addresses. `publish` is what others send, so the application receives it;
//! `subscribe` is what it sends.

use serde_json::{Map, Value, json};

use crate::operation::escape_pointer_segment;
use crate::reference::unescape_pointer_segment;

use super::traits::with_traits;
use super::{ConvertedMembers, extensions, resolve_local_ref};

/// Converts the members of a document.
pub(super) fn to_asyncapi3(members: ConvertedMembers) -> ConvertedMembers {
    let whole = Value::Object(members);
    let Some(members) = whole.as_object() else { return Map::new() };
    let mut out = Map::new();
    out.insert("asyncapi".to_owned(), "3.0.0".into());
    let mut info = members.get("info").and_then(Value::as_object).cloned().unwrap_or_default();
    for key in ["tags", "externalDocs"] {
        if let Some(value) = members.get(key) {
            info.entry(key).or_insert_with(|| value.clone());
        }
    }
    out.insert("info".to_owned(), info.into());
    for key in ["id", "defaultContentType"] {
        out.extend(members.get(key).map(|value| (key.to_owned(), value.clone())));
    }
    if let Some(servers) = members.get("servers").and_then(Value::as_object) {
        out.insert(
            "servers".to_owned(),
            servers.iter().map(|(name, it)| (name.clone(), server(it))).collect::<ConvertedMembers>().into(),
        );
    }
    let (mut channels, mut operations) = (Map::new(), Map::new());
    for (id, entry) in members.get("channels").and_then(Value::as_object).into_iter().flatten() {
        let item = resolve_local_ref(&whole, entry);
        channels.insert(id.clone(), channel(&whole, id, item, &mut operations));
    }
    out.insert("channels".to_owned(), channels.into());
    out.insert("operations".to_owned(), operations.into());
    if let Some(components) = members.get("components").and_then(Value::as_object) {
        out.insert("components".to_owned(), self::components(&whole, components).into());
    }
    out.extend(extensions(members));
    out
}

fn components(whole: &Value, components: &ConvertedMembers) -> ConvertedMembers {
    let of_kind = |kind: &str, parts: &Value| match (kind, parts) {
        ("messages", Value::Object(parts)) => parts
            .iter()
            .map(|(name, it)| (name.clone(), convert_message(whole, it)))
            .collect::<ConvertedMembers>()
            .into(),
        ("servers", Value::Object(parts)) => {
            parts.iter().map(|(name, it)| (name.clone(), server(it))).collect::<ConvertedMembers>().into()
        }
        ("parameters", Value::Object(parts)) => {
            parts.iter().map(|(name, it)| (name.clone(), parameter(it))).collect::<ConvertedMembers>().into()
        }
        ("securitySchemes", Value::Object(parts)) => {
            parts.iter().map(|(name, it)| (name.clone(), security_scheme(it))).collect::<ConvertedMembers>().into()
        }
        _ => parts.clone(),
    };
    // channels were brought to the places that refer to them
    components
        .iter()
        .filter(|(kind, _)| *kind != "channels")
        .map(|(kind, parts)| (kind.clone(), of_kind(kind, parts)))
        .collect()
}

fn server(server: &Value) -> Value {
    let Some(members) = server.as_object().filter(|members| !members.contains_key("$ref")) else {
        return server.clone();
    };
    let mut out: ConvertedMembers = members
        .iter()
        .filter(|(key, _)| !matches!(key.as_str(), "url" | "security"))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    if let Some(url) = members.get("url").and_then(Value::as_str) {
        let (scheme, rest) = url.split_once("://").map_or((None, url), |(scheme, rest)| (Some(scheme), rest));
        let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
        out.insert("host".to_owned(), host.into());
        if !path.is_empty() {
            out.insert("pathname".to_owned(), format!("/{path}").into());
        }
        if let Some(scheme) = scheme {
            out.entry("protocol").or_insert_with(|| scheme.into());
        }
    }
    if let Some(security) = security(members) {
        out.insert("security".to_owned(), security);
    }
    Value::Object(out)
}

/// What is asked for, as references to the schemes.
fn security(members: &ConvertedMembers) -> Option<Value> {
    let rows = members.get("security")?.as_array()?;
    let names = rows.iter().filter_map(Value::as_object).flat_map(|row| row.keys());
    Some(
        names
            .map(|name| json!({"$ref": format!("#/components/securitySchemes/{}", escape_pointer_segment(name))}))
            .collect(),
    )
}

fn security_scheme(scheme: &Value) -> Value {
    let mut scheme = scheme.clone();
    if let Some(Value::Object(flows)) = scheme.get_mut("flows") {
        for flow in flows.values_mut().filter_map(Value::as_object_mut) {
            if let Some(scopes) = flow.shift_remove("scopes") {
                flow.insert("availableScopes".to_owned(), scopes);
            }
        }
    }
    scheme
}

/// A parameter of an address: its schema is a list of values, a default and a description.
fn parameter(parameter: &Value) -> Value {
    let Some(members) = parameter.as_object().filter(|members| !members.contains_key("$ref")) else {
        return parameter.clone();
    };
    let mut out: ConvertedMembers =
        members.iter().filter(|(key, _)| *key != "schema").map(|(key, value)| (key.clone(), value.clone())).collect();
    if let Some(schema) = members.get("schema").and_then(Value::as_object) {
        // the last of these are not of AsyncAPI 3, and are shown all the same
        let bounds = ["type", "format", "pattern", "minLength", "maxLength", "minimum", "maximum"];
        for key in ["enum", "default", "examples", "description"].into_iter().chain(bounds) {
            if let Some(value) = schema.get(key) {
                out.entry(key).or_insert_with(|| value.clone());
            }
        }
        if let Some(value) = schema.get("const") {
            out.entry("enum").or_insert_with(|| vec![value.clone()].into());
        }
    }
    Value::Object(out)
}

/// A channel, and its operations into `operations`.
fn channel(whole: &Value, id: &str, item: &Value, operations: &mut ConvertedMembers) -> Value {
    let Some(item) = item.as_object() else { return item.clone() };
    let mut out = Map::new();
    out.insert("address".to_owned(), id.into());
    let mut messages = Map::new();
    for (key, action) in [("publish", "receive"), ("subscribe", "send")] {
        let Some(operation) = item.get(key).map(|it| resolve_local_ref(whole, it)) else { continue };
        let Some(operation) = with_traits(whole, operation, true).as_object().cloned() else { continue };
        let mut names = Vec::new();
        for written in messages_of(whole, &operation) {
            let name = message_name(written, &messages).unwrap_or_else(|| free(&messages, &format!("{key}.message")));
            messages.entry(name.clone()).or_insert_with(|| convert_message(whole, written));
            names.push(name);
        }
        let channel = format!("#/channels/{}", reference_segment(id));
        let mut converted = Map::new();
        converted.insert("action".to_owned(), action.into());
        converted.insert("channel".to_owned(), json!({"$ref": channel}));
        for (name, value) in &operation {
            if !matches!(name.as_str(), "message" | "operationId" | "traits" | "security") {
                converted.insert(name.clone(), value.clone());
            }
        }
        if let Some(security) = security(&operation) {
            converted.insert("security".to_owned(), security);
        }
        let references =
            names.iter().map(|name| json!({"$ref": format!("{channel}/messages/{}", reference_segment(name))}));
        converted.insert("messages".to_owned(), references.collect());
        let name =
            operation.get("operationId").and_then(Value::as_str).map_or_else(|| format!("{id}.{key}"), str::to_owned);
        let name = free(operations, &name);
        operations.insert(name, converted.into());
    }
    out.insert("messages".to_owned(), messages.into());
    if let Some(parameters) = item.get("parameters").and_then(Value::as_object) {
        let parameters = parameters.iter().map(|(name, it)| (name.clone(), parameter(resolve_local_ref(whole, it))));
        out.insert("parameters".to_owned(), parameters.collect::<ConvertedMembers>().into());
    }
    if let Some(servers) = item.get("servers").and_then(Value::as_array) {
        let names = servers.iter().filter_map(Value::as_str);
        out.insert(
            "servers".to_owned(),
            names.map(|name| json!({"$ref": format!("#/servers/{}", reference_segment(name))})).collect(),
        );
    }
    for (key, value) in item {
        if !matches!(key.as_str(), "publish" | "subscribe" | "parameters" | "servers" | "$ref") {
            out.entry(key.clone()).or_insert_with(|| value.clone());
        }
    }
    Value::Object(out)
}

/// A key as a segment of a reference.
fn reference_segment(key: &str) -> String {
    escape_pointer_segment(key).replace('%', "%25")
}

/// A name that is not taken.
fn free(taken: &ConvertedMembers, name: &str) -> String {
    if !taken.contains_key(name) {
        return name.to_owned();
    }
    (2..=taken.len() + 2)
        .map(|number| format!("{name}-{number}"))
        .find(|name| !taken.contains_key(name))
        .unwrap_or_default()
}

/// The messages of an operation: one, or those of `oneOf`.
fn messages_of<'a>(whole: &'a Value, operation: &'a ConvertedMembers) -> Vec<&'a Value> {
    let Some(written) = operation.get("message") else { return Vec::new() };
    match resolve_local_ref(whole, written).get("oneOf").and_then(Value::as_array) {
        Some(several) => several.iter().collect(),
        None => vec![written],
    }
}

/// What a message is called: after its component, or as it says itself.
fn message_name(written: &Value, taken: &ConvertedMembers) -> Option<String> {
    if let Some(reference) = written.get("$ref").and_then(Value::as_str) {
        let last = reference.rsplit('/').next().filter(|name| !name.is_empty())?;
        return Some(unescape_pointer_segment(last));
    }
    let text = |key: &str| written.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    text("messageId").or_else(|| text("name")).map(|name| free(taken, name))
}

/// A message: its traits in it, and the format of its payload beside the payload.
fn convert_message(whole: &Value, written: &Value) -> Value {
    if written.get("$ref").is_some() {
        return written.clone();
    }
    let Some(mut members) = with_traits(whole, written, true).as_object().cloned() else { return written.clone() };
    members.shift_remove("messageId");
    members.shift_remove("traits");
    let format = members.shift_remove("schemaFormat");
    let is_plain = |format: &str| {
        ["asyncapi", "schema+json", "schema+yaml", "aai.asyncapi"].iter().any(|word| format.contains(word))
    };
    if let (Some(format), Some(payload)) = (format.as_ref().and_then(Value::as_str), members.get("payload"))
        && !is_plain(format)
    {
        let payload = json!({"schemaFormat": format, "schema": payload});
        members.insert("payload".to_owned(), payload);
    }
    Value::Object(members)
}
