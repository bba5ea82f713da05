//! Older formats to the ones that pages are made of: OpenAPI 3 and AsyncAPI 3. Works on bundled documents.

mod asyncapi2;
mod lost;
mod swagger;
#[cfg(test)]
mod tests;
mod traits;

use serde_json::{Map, Value};

use traits::merge_traits;

pub(super) use lost::lost_values;
pub(super) use swagger::MOVED;

/// An object that is put together.
type ConvertedMembers = Map<String, Value>;

/// Converts a document, if it is of an older format.
///
/// # Errors
/// Why it is of no use.
pub(super) fn to_current(document: Value) -> Result<Value, String> {
    let Value::Object(members) = document else { return Err("it is not an object".to_owned()) };
    let version =
        |key: &str| members.get(key).map(|version| version.as_str().map_or_else(|| version.to_string(), str::to_owned));
    if members.contains_key("openapi") {
        let mut document = Value::Object(members);
        stream_items(&mut document);
        return Ok(document);
    }
    if let Some(version) = version("asyncapi") {
        let members = match version.chars().next() {
            Some('0' | '1') => return Err(format!("it is AsyncAPI {version}; AsyncAPI 2 and 3 are supported")),
            Some('2') => asyncapi2::to_asyncapi3(members),
            _ => members,
        };
        let mut document = Value::Object(members);
        merge_traits(&mut document);
        return Ok(document);
    }
    match version("swagger") {
        Some(version) if version.starts_with('2') => Ok(swagger::to_openapi3(members)),
        Some(version) => Err(format!("it is Swagger {version}; Swagger 2.0 and OpenAPI 3 are supported")),
        None => Ok(Value::Object(members)),
    }
}

/// Media types that come item by item (OpenAPI 3.2) have lists: `itemSchema` says what is in them.
fn stream_items(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(stream_items),
        Value::Object(members) => {
            if let Some(Value::Object(content)) = members.get_mut("content") {
                for media in content.values_mut().filter_map(Value::as_object_mut) {
                    if !media.contains_key("schema")
                        && let Some(item) =
                            media.get("itemSchema").filter(|item| item.is_object() || item.is_boolean()).cloned()
                    {
                        media.insert("schema".to_owned(), serde_json::json!({"type": "array", "items": item}));
                    }
                }
            }
            members.values_mut().for_each(stream_items);
        }
        _ => {}
    }
}

/// The extensions of an object.
fn extensions(members: &ConvertedMembers) -> impl Iterator<Item = (String, Value)> + '_ {
    members.iter().filter(|(key, _)| key.starts_with("x-")).map(|(key, value)| (key.clone(), value.clone()))
}

/// The texts of a list, or the only one that stands in its place.
fn texts(value: Option<&Value>) -> Vec<String> {
    let list = value.and_then(Value::as_array).into_iter().flatten();
    let only = value.filter(|value| value.is_string());
    list.chain(only).filter_map(Value::as_str).map(str::to_owned).collect()
}

/// What a value is, or what its references lead to. Circles end.
fn resolve_local_ref<'a>(whole: &'a Value, mut value: &'a Value) -> &'a Value {
    for _ in 0..8 {
        let Some(reference) = value.get("$ref").and_then(Value::as_str) else { break };
        let target = super::reference::pointer(reference).and_then(|pointer| whole.pointer(&pointer));
        let Some(target) = target else { break };
        value = target;
    }
    value
}
