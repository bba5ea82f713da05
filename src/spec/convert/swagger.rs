//! Swagger 2.0 to OpenAPI 3.0.
//!
//! Parameters, responses and path items are put in the place of the references to them, because what they become
//! depends on the operation: its `consumes` and `produces`. Schemas stay where they are.

use rustc_hash::FxHashSet;
use serde_json::{Map, Value, json};

use crate::operation::{METHODS, is_method};
use crate::reference::{FILES, for_each_reference, has_names};

use super::{ConvertedMembers, extensions, resolve_local_ref, texts};

const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";
const MULTIPART: &str = "multipart/form-data";

/// Where the shared parts stand in Swagger 2, and in OpenAPI 3.
pub(crate) const MOVED: [(&str, &str); 4] = [
    ("/definitions/", "/components/schemas/"),
    ("/parameters/", "/components/parameters/"),
    ("/responses/", "/components/responses/"),
    ("/securityDefinitions/", "/components/securitySchemes/"),
];

/// Words of a parameter, header or item that say what its value is.
const SCHEMA: [&str; 19] = [
    "type",
    "format",
    "items",
    "default",
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "maxLength",
    "minLength",
    "pattern",
    "maxItems",
    "minItems",
    "uniqueItems",
    "enum",
    "multipleOf",
    "x-nullable",
    "title",
    "readOnly",
];

/// Converts a document.
pub(super) fn to_openapi3(members: ConvertedMembers) -> Value {
    let whole = Value::Object(members);
    let converter =
        Converter { whole: &whole, consumes: texts(whole.get("consumes")), produces: texts(whole.get("produces")) };
    let mut out = Map::new();
    out.insert("openapi".to_owned(), "3.0.3".into());
    for key in ["info", "tags", "externalDocs", "security"] {
        out.extend(whole.get(key).map(|value| (key.to_owned(), value.clone())));
    }
    let servers = converter.servers(whole.get("schemes"));
    if !servers.is_empty() {
        out.insert("servers".to_owned(), servers.into());
    }
    for (path, item) in whole.get("paths").and_then(Value::as_object).into_iter().flatten() {
        let paths = out.entry("paths").or_insert_with(|| Value::Object(Map::new()));
        let Some(paths) = paths.as_object_mut() else { continue };
        paths.insert(path.clone(), if path.starts_with("x-") { item.clone() } else { converter.path_item(item) });
    }
    let components = converter.components();
    if !components.is_empty() {
        out.insert("components".to_owned(), components.into());
    }
    out.extend(whole.as_object().into_iter().flat_map(extensions));
    let mut document = Value::Object(out);
    for (key, member) in document.as_object_mut().into_iter().flatten() {
        if key == FILES {
            member.as_object_mut().into_iter().flat_map(Map::values_mut).for_each(|part| schemas(part, false));
        } else {
            schemas(member, has_names(key, &Value::Null));
        }
    }
    for_each_reference(&mut document, &mut rename);
    if let Some(Value::Object(files)) = document.get_mut(FILES) {
        files.values_mut().for_each(|part| for_each_reference(part, &mut rename));
    }
    document
}

/// Makes a reference lead to where things stand now.
fn rename(reference: &mut String) {
    for (old, new) in MOVED {
        if let Some(rest) = reference.strip_prefix('#').and_then(|pointer| pointer.strip_prefix(old)) {
            *reference = format!("#{new}{rest}");
            return;
        }
    }
}

/// Rewrites what schemas say in another way. Data is left alone.
fn schemas(value: &mut Value, is_map: bool) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| schemas(item, false)),
        Value::Object(members) => {
            if !is_map {
                if let Some(nullable) = members.get("x-nullable").filter(|nullable| nullable.is_boolean()).cloned() {
                    members.entry("nullable").or_insert(nullable);
                }
                if members.get("type").and_then(Value::as_str) == Some("file") {
                    members.insert("type".to_owned(), "string".into());
                    members.insert("format".to_owned(), "binary".into());
                }
                if let Some(name) = members.get("discriminator").and_then(Value::as_str) {
                    let discriminator = json!({"propertyName": name});
                    members.insert("discriminator".to_owned(), discriminator);
                }
            }
            for (key, member) in members.iter_mut() {
                let is_data = !is_map && matches!(key.as_str(), "example" | "examples" | "default" | "enum" | "const");
                if !is_data {
                    let names = !is_map && has_names(key, member);
                    schemas(member, names);
                }
            }
        }
        _ => {}
    }
}

struct Converter<'a> {
    whole: &'a Value,
    consumes: Vec<String>,
    produces: Vec<String>,
}

impl Converter<'_> {
    /// The addresses that schemes, host and base path make.
    fn servers(&self, schemes: Option<&Value>) -> Vec<Value> {
        let text =
            |key: &str| self.whole.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
        let base = text("basePath").map_or_else(String::new, |base| format!("/{}", base.trim_matches('/')));
        let base = base.trim_end_matches('/');
        let Some(host) = text("host") else {
            return if base.is_empty() { Vec::new() } else { vec![json!({"url": base})] };
        };
        let host = host.split_once("://").map_or(host, |(_, host)| host).trim_end_matches('/');
        let mut schemes = texts(schemes);
        if schemes.is_empty() {
            schemes.push("https".to_owned());
        }
        // the safest first
        schemes.sort_by_key(|scheme| !matches!(scheme.as_str(), "https" | "wss"));
        schemes.iter().map(|scheme| json!({"url": format!("{scheme}://{host}{base}")})).collect()
    }

    fn components(&self) -> ConvertedMembers {
        let mut out = Map::new();
        let of = |key: &str| self.whole.get(key).and_then(Value::as_object).filter(|members| !members.is_empty());
        if let Some(definitions) = of("definitions") {
            out.insert("schemas".to_owned(), definitions.clone().into());
        }
        if let Some(responses) = of("responses") {
            let responses = responses.iter().map(|(name, it)| (name.clone(), self.response(it, &self.produces)));
            out.insert("responses".to_owned(), Value::Object(responses.collect()));
        }
        if let Some(parameters) = of("parameters") {
            let plain = parameters.iter().filter(|(_, it)| is_plain_parameter(it));
            let plain: ConvertedMembers = plain.map(|(name, it)| (name.clone(), parameter(it))).collect();
            if !plain.is_empty() {
                out.insert("parameters".to_owned(), plain.into());
            }
        }
        if let Some(schemes) = of("securityDefinitions") {
            let schemes = schemes.iter().map(|(name, it)| (name.clone(), security_scheme(it)));
            out.insert("securitySchemes".to_owned(), Value::Object(schemes.collect()));
        }
        out
    }

    /// What stands under a path. Its operations get the parameters for bodies that it has for all of them.
    fn path_item(&self, entry: &Value) -> Value {
        let Some(item) = resolve_local_ref(self.whole, entry).as_object() else { return entry.clone() };
        let mut out: ConvertedMembers = item
            .iter()
            .filter(|(key, _)| !is_method(key) && *key != "parameters")
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        // what stands beside a reference counts too
        for (key, value) in entry.as_object().into_iter().flatten().filter(|(key, _)| *key != "$ref") {
            out.entry(key.clone()).or_insert_with(|| value.clone());
        }
        let shared: Vec<&Value> = self.parameters(item.get("parameters"));
        let (plain, of_body): (Vec<&Value>, Vec<&Value>) = shared.into_iter().partition(|it| is_plain_parameter(it));
        if !plain.is_empty() {
            out.insert("parameters".to_owned(), plain.into_iter().map(parameter).collect());
        }
        for method in METHODS {
            let Some(operation) = item.get(method).or_else(|| entry.get(method)).and_then(Value::as_object) else {
                continue;
            };
            out.insert(method.to_owned(), self.operation(operation, &of_body));
        }
        Value::Object(out)
    }

    /// The parameters of a list, each behind its reference.
    fn parameters<'v>(&'v self, list: Option<&'v Value>) -> Vec<&'v Value> {
        let list = list.and_then(Value::as_array).into_iter().flatten();
        list.map(|it| resolve_local_ref(self.whole, it)).filter(|it| it.is_object()).collect()
    }

    fn operation(&self, operation: &ConvertedMembers, shared: &[&Value]) -> Value {
        const GONE: [&str; 5] = ["parameters", "consumes", "produces", "responses", "schemes"];
        let mut out: ConvertedMembers = operation
            .iter()
            .filter(|(key, _)| !GONE.contains(&key.as_str()))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        let own = self.parameters(operation.get("parameters"));
        let (plain, mut of_body): (Vec<&Value>, Vec<&Value>) = own.into_iter().partition(|it| is_plain_parameter(it));
        let own: FxHashSet<(Option<&str>, Option<&str>)> = of_body.iter().map(|it| parameter_key(it)).collect();
        of_body.extend(shared.iter().copied().filter(|it| !own.contains(&parameter_key(it))));
        if !plain.is_empty() {
            out.insert("parameters".to_owned(), plain.into_iter().map(parameter).collect());
        }
        let or = |key: &str, all: &[String]| match operation.get(key) {
            Some(own) if own.is_array() || own.is_string() => texts(Some(own)),
            _ => all.to_vec(),
        };
        if let Some(body) = request_body(&of_body, &or("consumes", &self.consumes)) {
            out.insert("requestBody".to_owned(), body);
        }
        let produces = or("produces", &self.produces);
        if let Some(responses) = operation.get("responses").and_then(Value::as_object) {
            let responses = responses.iter().map(|(status, it)| {
                let it = if status.starts_with("x-") { it.clone() } else { self.response(it, &produces) };
                (status.clone(), it)
            });
            out.insert("responses".to_owned(), Value::Object(responses.collect()));
        }
        if operation.get("schemes").is_some() && self.whole.get("host").is_some() {
            out.insert("servers".to_owned(), self.servers(operation.get("schemes")).into());
        }
        Value::Object(out)
    }

    fn response(&self, response: &Value, produces: &[String]) -> Value {
        let Some(response) = resolve_local_ref(self.whole, response).as_object() else { return response.clone() };
        let mut out = Map::new();
        out.insert("description".to_owned(), response.get("description").cloned().unwrap_or_else(|| "".into()));
        if let Some(headers) = response.get("headers").and_then(Value::as_object) {
            let header = |it: &Value| {
                let mut header = parameter(it);
                header.as_object_mut().map(|header| header.shift_remove("required"));
                header
            };
            out.insert(
                "headers".to_owned(),
                headers.iter().map(|(name, it)| (name.clone(), header(it))).collect::<ConvertedMembers>().into(),
            );
        }
        let schema = response.get("schema").filter(|schema| !schema.is_null());
        let examples = response.get("examples").and_then(Value::as_object);
        let mut types = produces.to_vec();
        if types.is_empty() && schema.is_some() {
            let is_file = schema.and_then(|schema| schema.get("type")).and_then(Value::as_str) == Some("file");
            types.push(if is_file { "application/octet-stream" } else { JSON }.to_owned());
        }
        if schema.is_none() {
            types.clear();
        }
        // an example may be of a type that is not among those that are produced
        let shown = examples.into_iter().flat_map(Map::keys).filter(|name| name.contains('/'));
        for shown in shown {
            if !types.contains(shown) {
                types.push(shown.clone());
            }
        }
        let media = |name: &String| {
            let mut media = Map::new();
            media.extend(schema.map(|schema| ("schema".to_owned(), schema.clone())));
            media.extend(examples.and_then(|examples| Some(("example".to_owned(), examples.get(name)?.clone()))));
            (name.clone(), Value::Object(media))
        };
        if !types.is_empty() {
            out.insert("content".to_owned(), types.iter().map(media).collect::<ConvertedMembers>().into());
        }
        out.extend(extensions(response));
        Value::Object(out)
    }
}

/// Where a parameter is sent.
fn parameter_location(parameter: &Value) -> Option<&str> {
    parameter.get("in").and_then(Value::as_str)
}

/// What tells a parameter of a body from the others: there is one body, and each field of a form has a name.
fn parameter_key(parameter: &Value) -> (Option<&str>, Option<&str>) {
    let place = parameter_location(parameter);
    (place, parameter.get("name").and_then(Value::as_str).filter(|_| place != Some("body")))
}

/// Whether a parameter is one in OpenAPI 3 too, and not a part of the body.
fn is_plain_parameter(parameter: &Value) -> bool {
    !matches!(parameter_location(parameter), Some("body" | "formData"))
}

/// What the value of a parameter is.
fn schema_of(parameter: &ConvertedMembers) -> ConvertedMembers {
    parameter
        .iter()
        .filter(|(key, _)| SCHEMA.contains(&key.as_str()))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

/// A parameter that is none of the body, or a header of a response.
fn parameter(value: &Value) -> Value {
    let Some(members) = value.as_object() else { return value.clone() };
    if members.contains_key("schema") || members.contains_key("content") {
        return value.clone();
    }
    let mut out: ConvertedMembers = members
        .iter()
        .filter(|(key, _)| !SCHEMA.contains(&key.as_str()) && !matches!(key.as_str(), "collectionFormat" | "x-example"))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    if let Some(example) = members.get("x-example") {
        out.entry("example").or_insert_with(|| example.clone());
    }
    let is_list = members.get("type").and_then(Value::as_str) == Some("array");
    if is_list {
        let format = members.get("collectionFormat").and_then(Value::as_str).unwrap_or("csv");
        let in_query = parameter_location(value) == Some("query");
        for (key, word) in array_style(format, in_query) {
            out.insert(key.to_owned(), word);
        }
    }
    out.insert("schema".to_owned(), schema_of(members).into());
    Value::Object(out)
}

/// How a list is written into an address, where that is not the rule.
fn array_style(format: &str, in_query: bool) -> Vec<(&'static str, Value)> {
    match format {
        "multi" => vec![("style", "form".into()), ("explode", true.into())],
        "ssv" if in_query => vec![("style", "spaceDelimited".into()), ("explode", false.into())],
        "pipes" if in_query => vec![("style", "pipeDelimited".into()), ("explode", false.into())],
        _ if in_query => vec![("style", "form".into()), ("explode", false.into())],
        _ => Vec::new(),
    }
}

/// The body that parameters make.
fn request_body(parameters: &[&Value], consumes: &[String]) -> Option<Value> {
    if let Some(body) =
        parameters.iter().find(|it| parameter_location(it) == Some("body")).and_then(|it| it.as_object())
    {
        let examples = body.get("x-examples").or_else(|| body.get("x-example"));
        let types = if consumes.is_empty() { vec![JSON.to_owned()] } else { consumes.to_vec() };
        let media = |name: &String| {
            let mut media = Map::new();
            media.extend(body.get("schema").map(|schema| ("schema".to_owned(), schema.clone())));
            let example = examples.and_then(|examples| examples.get(name));
            media.extend(example.map(|example| ("example".to_owned(), example.clone())));
            (name.clone(), Value::Object(media))
        };
        let mut out = Map::new();
        for key in ["description", "required"] {
            out.extend(body.get(key).map(|value| (key.to_owned(), value.clone())));
        }
        out.insert("content".to_owned(), types.iter().map(media).collect::<ConvertedMembers>().into());
        out.extend(extensions(body));
        return Some(Value::Object(out));
    }
    let fields: Vec<&ConvertedMembers> = parameters.iter().filter_map(|it| it.as_object()).collect();
    if fields.is_empty() { None } else { Some(form(&fields, consumes)) }
}

/// The body of a form.
fn form(fields: &[&ConvertedMembers], consumes: &[String]) -> Value {
    let (mut properties, mut required, mut encoding, mut has_file) = (Map::new(), Vec::new(), Map::new(), false);
    for field in fields {
        let Some(name) = field.get("name").and_then(Value::as_str) else { continue };
        let mut schema = schema_of(field);
        for (key, value) in field.iter().filter(|(key, _)| *key == "description" || key.starts_with("x-")) {
            schema.insert(key.clone(), value.clone());
        }
        if let Some(example) = schema.shift_remove("x-example") {
            schema.insert("example".to_owned(), example);
        }
        let kind = field.get("type").and_then(Value::as_str);
        has_file |= kind == Some("file");
        if kind == Some("array") {
            let explode = field.get("collectionFormat").and_then(Value::as_str) == Some("multi");
            encoding.insert(name.to_owned(), json!({"style": "form", "explode": explode}));
        }
        if field.get("required").and_then(Value::as_bool) == Some(true) {
            required.push(Value::from(name));
        }
        properties.insert(name.to_owned(), schema.into());
    }
    let mut types: Vec<&str> =
        consumes.iter().map(String::as_str).filter(|name| [FORM, MULTIPART].contains(name)).collect();
    if has_file {
        types.retain(|name| *name == MULTIPART);
    }
    if types.is_empty() {
        types.push(if has_file { MULTIPART } else { FORM });
    }
    let mut schema = json!({"type": "object", "properties": properties});
    let is_required = !required.is_empty();
    if is_required {
        schema["required"] = required.into();
    }
    let mut media = json!({"schema": schema});
    if !encoding.is_empty() {
        media["encoding"] = encoding.into();
    }
    let content: ConvertedMembers = types.into_iter().map(|name| (name.to_owned(), media.clone())).collect();
    let mut body = json!({"content": content});
    if is_required {
        body["required"] = true.into();
    }
    body
}

fn security_scheme(scheme: &Value) -> Value {
    let Some(members) = scheme.as_object() else { return scheme.clone() };
    let mut out: ConvertedMembers = members
        .iter()
        .filter(|(key, _)| *key == "description" || key.starts_with("x-"))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    match members.get("type").and_then(Value::as_str) {
        Some("basic") => {
            out.insert("type".to_owned(), "http".into());
            out.insert("scheme".to_owned(), "basic".into());
        }
        Some("oauth2") => {
            let flow = match members.get("flow").and_then(Value::as_str) {
                Some("application") => "clientCredentials",
                Some("accessCode") => "authorizationCode",
                Some("password") => "password",
                _ => "implicit",
            };
            let keys = ["authorizationUrl", "tokenUrl", "scopes"];
            let flow_members: ConvertedMembers =
                keys.into_iter().filter_map(|key| Some((key.to_owned(), members.get(key)?.clone()))).collect();
            out.insert("type".to_owned(), "oauth2".into());
            out.insert("flows".to_owned(), json!({flow: flow_members}));
        }
        _ => return scheme.clone(),
    }
    Value::Object(out)
}
