//! What a request says that its operation does not know, which is ignored (contract, E-HTTP-7) and said in a header: a
//! misspelt name would else have no effect and no trace.
//!
//! What an operation knows is read from the description of the interface, so that it is said once.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use axum::http::{HeaderName, HeaderValue, Method};
use axum::response::Response;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use serde_json::{Map, Value};

/// Names what was ignored.
const IGNORED: HeaderName = HeaderName::from_static("x-ignored-parameters");
/// Most names that it has, and characters of each; how many others there are follows.
const MAX_IGNORED_NAMES: usize = 16;
const NAME_CHARS: usize = 64;
/// Members of members that are looked at.
const MAX_MEMBER_DEPTH: usize = 4;
/// What stays as it is in a name.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.');

/// Members of an object that are known; an empty one may have any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct KnownMembers(BTreeMap<String, KnownMembers>);

/// What one operation knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct KnownNames {
    query: BTreeSet<String>,
    members: KnownMembers,
}

/// What each operation knows, by path and method.
#[derive(Debug, Default)]
pub(super) struct KnownOperations(HashMap<(String, Method), KnownNames>);

impl KnownOperations {
    /// Reads a description.
    pub(super) fn of(description: &Value) -> Self {
        let mut all = HashMap::new();
        for (path, item) in description["paths"].as_object().into_iter().flatten() {
            for (method, operation) in item.as_object().into_iter().flatten() {
                let Ok(method) = Method::from_bytes(method.to_ascii_uppercase().as_bytes()) else { continue };
                let parameters = operation["parameters"].as_array().into_iter().flatten();
                let query = parameters
                    .map(|parameter| resolve(description, parameter))
                    .filter(|parameter| parameter["in"] == "query")
                    .filter_map(|parameter| parameter["name"].as_str().map(str::to_owned));
                let body = resolve(description, &operation["requestBody"]);
                let members = members_of_schema(description, &body["content"]["application/json"]["schema"], 0);
                all.insert((path.clone(), method), KnownNames { query: query.collect(), members });
            }
        }
        Self(all)
    }

    /// The header for a request to an operation, if it says what that does not know.
    pub(super) fn ignored(
        &self,
        path: &str,
        method: &Method,
        query: Option<&str>,
        members: &Map<String, Value>,
    ) -> Option<HeaderValue> {
        // fast path: most requests only ask for a record
        if query.is_none_or(str::is_empty) && members.is_empty() {
            return None;
        }
        let method = if *method == Method::HEAD { &Method::GET } else { method };
        let known = self.0.get(&(path.to_owned(), method.clone()))?;
        let mut unknown = BTreeSet::new();
        for pair in query.unwrap_or_default().split('&').filter(|pair| !pair.is_empty()) {
            let name = pair.split('=').next().unwrap_or_default();
            let decoded = percent_encoding::percent_decode_str(name).decode_utf8_lossy().into_owned();
            if !known.query.contains(&decoded) {
                unknown.insert(format!("query.{}", shown(&decoded)));
            }
        }
        find_unknown(members, &known.members, "body", &mut unknown);
        header_value(unknown)
    }
}

/// Puts the header into a response.
pub(super) fn put_ignored(response: &mut Response, ignored: Option<HeaderValue>) {
    response.headers_mut().extend(ignored.map(|value| (IGNORED, value)));
}

fn header_value(unknown: BTreeSet<String>) -> Option<HeaderValue> {
    let more = unknown.len().saturating_sub(MAX_IGNORED_NAMES);
    let names: Vec<String> = unknown.into_iter().take(MAX_IGNORED_NAMES).collect();
    let text = names.join(", ") + &if more > 0 { format!(", and {more} more") } else { String::new() };
    if text.is_empty() { None } else { HeaderValue::try_from(text).ok() }
}

/// A name as it may stand in a header: it is of the client's making.
fn shown(name: &str) -> String {
    let start: String = name.chars().take(NAME_CHARS).collect();
    percent_encode(start.as_bytes(), PLAIN).to_string()
}

fn find_unknown(members: &Map<String, Value>, known: &KnownMembers, place: &str, unknown: &mut BTreeSet<String>) {
    if known.0.is_empty() {
        return;
    }
    for (name, value) in members {
        match (known.0.get(name), value) {
            (None, _) => drop(unknown.insert(format!("{place}.{}", shown(name)))),
            (Some(inner), Value::Object(members)) => find_unknown(members, inner, &format!("{place}.{name}"), unknown),
            (Some(_), _) => {}
        }
    }
}

/// What a reference leads to.
fn resolve<'a>(description: &'a Value, value: &'a Value) -> &'a Value {
    match value["$ref"].as_str().and_then(|reference| reference.strip_prefix('#')) {
        Some(pointer) => description.pointer(pointer).unwrap_or(&Value::Null),
        None => value,
    }
}

fn members_of_schema(description: &Value, schema: &Value, depth: usize) -> KnownMembers {
    let schema = resolve(description, schema);
    let properties = schema["properties"].as_object().filter(|_| depth < MAX_MEMBER_DEPTH);
    let member = |(name, schema): (&String, &Value)| (name.clone(), members_of_schema(description, schema, depth + 1));
    KnownMembers(properties.into_iter().flatten().map(member).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::reference::DESCRIPTION;
    use super::*;

    fn ignored(path: &str, method: Method, query: Option<&str>, body: Value) -> Option<String> {
        let known = KnownOperations::of(&serde_json::from_str(DESCRIPTION).unwrap());
        let value = known.ignored(path, &method, query, body.as_object().unwrap())?;
        Some(value.to_str().unwrap().to_owned())
    }

    #[test]
    fn names_that_an_operation_does_not_know_are_said() {
        let jobs = "/v1/static-export/jobs";
        let body = json!({"domain": "a.b", "version": "1", "paths": ["x"], "features": {"search": true}});
        assert_eq!(ignored(jobs, Method::POST, None, body), None);
        let body = json!({"domian": "a.b", "features": {"serach": true}, "a b\r\n": {"x": 1}});
        assert_eq!(
            ignored(jobs, Method::POST, Some("dry_run=1&dry_run"), body).as_deref(),
            Some("body.a%20b%0D%0A, body.domian, body.features.serach, query.dry_run")
        );
        assert_eq!(ignored(jobs, Method::HEAD, Some("limit=3&cursor=x&domain=a.b&status=failed"), json!({})), None);
        assert_eq!(ignored(jobs, Method::GET, Some("limt=3&%6cimit=2"), json!({})).as_deref(), Some("query.limt"));
        assert_eq!(
            ignored("/v1/project/preview/{projectId}", Method::POST, None, json!({"brnach": "main"})).as_deref(),
            Some("body.brnach")
        );
    }

    #[test]
    fn the_header_is_short() {
        let many: Map<String, Value> = (0..1000).map(|n| (format!("{n}{}", "x".repeat(500)), Value::Null)).collect();
        let text = ignored("/v1/static-export/jobs", Method::POST, None, Value::Object(many)).unwrap();
        assert!(text.ends_with(", and 984 more") && text.len() < 1300, "{}", text.len());
    }
}
