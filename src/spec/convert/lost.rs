//! Values of older formats that have the wrong type and have no place in the document that is made of theirs: they are
//! told here, at the pointers that they have in their file.

use serde_json::Value;

use crate::operation::{METHODS, escape_pointer_segment};
use crate::places::Problem;
use crate::reference::with_segment;
use crate::shape::wrong_type;
use base::Diagnostic;

/// Most problems that are told.
const MAX_REPORTED: usize = 20;

/// What has to stand at a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    List,
    Object,
    /// A parameter: a field of a form has a name.
    Parameter,
    /// A text, or a list of them.
    Texts,
}

/// A name of a member, `*` for all members and items, `METHOD` for those of the methods of HTTP.
const SWAGGER: [(&[&str], Kind); 22] = [
    (&["host"], Kind::Text),
    (&["basePath"], Kind::Text),
    (&["schemes"], Kind::Texts),
    (&["consumes"], Kind::Texts),
    (&["produces"], Kind::Texts),
    (&["paths"], Kind::Object),
    (&["paths", "*", "parameters"], Kind::List),
    (&["paths", "*", "parameters", "*"], Kind::Parameter),
    (&["paths", "*", "METHOD"], Kind::Object),
    (&["paths", "*", "METHOD", "schemes"], Kind::Texts),
    (&["paths", "*", "METHOD", "consumes"], Kind::Texts),
    (&["paths", "*", "METHOD", "produces"], Kind::Texts),
    (&["paths", "*", "METHOD", "parameters"], Kind::List),
    (&["paths", "*", "METHOD", "parameters", "*"], Kind::Parameter),
    (&["paths", "*", "METHOD", "parameters", "*", "collectionFormat"], Kind::Text),
    (&["paths", "*", "METHOD", "responses"], Kind::Object),
    (&["paths", "*", "METHOD", "responses", "*", "headers"], Kind::Object),
    (&["paths", "*", "METHOD", "responses", "*", "examples"], Kind::Object),
    (&["definitions"], Kind::Object),
    (&["parameters"], Kind::Object),
    (&["responses"], Kind::Object),
    (&["securityDefinitions"], Kind::Object),
];

const ASYNCAPI_2: [(&[&str], Kind); 14] = [
    (&["info"], Kind::Object),
    (&["servers"], Kind::Object),
    (&["servers", "*", "url"], Kind::Text),
    (&["servers", "*", "security"], Kind::List),
    (&["channels"], Kind::Object),
    (&["channels", "*", "parameters"], Kind::Object),
    (&["channels", "*", "parameters", "*", "schema"], Kind::Object),
    (&["channels", "*", "servers"], Kind::List),
    (&["channels", "*", "servers", "*"], Kind::Text),
    (&["channels", "*", "OPERATION"], Kind::Object),
    (&["channels", "*", "OPERATION", "operationId"], Kind::Text),
    (&["channels", "*", "OPERATION", "security"], Kind::List),
    (&["channels", "*", "OPERATION", "traits"], Kind::List),
    (&["components"], Kind::Object),
];

/// What a document of an older format loses by its conversion.
pub(crate) fn lost_values(document: &Value) -> Vec<Problem> {
    let is = |key: &str, major: &str| {
        let version =
            document.get(key).map(|version| version.as_str().map_or_else(|| version.to_string(), str::to_owned));
        version.is_some_and(|version| version.starts_with(major))
    };
    let rows: &[(&[&str], Kind)] = match () {
        () if document.get("openapi").is_some() => return Vec::new(),
        () if is("asyncapi", "2") => &ASYNCAPI_2,
        () if is("swagger", "2") => &SWAGGER,
        () => return Vec::new(),
    };
    let mut problems = Vec::new();
    for (names, kind) in rows {
        judge(document, names, *kind, &mut String::new(), &mut problems);
    }
    problems
}

fn judge(value: &Value, names: &[&str], kind: Kind, path: &mut String, problems: &mut Vec<Problem>) {
    let Some((name, rest)) = names.split_first() else { return tell(value, kind, path, problems) };
    let mut below = |key: &str, value: &Value| {
        with_segment(path, &escape_pointer_segment(key), |path| judge(value, rest, kind, path, problems));
    };
    match value {
        Value::Array(items) if *name == "*" => {
            items.iter().enumerate().for_each(|(at, item)| below(&at.to_string(), item));
        }
        Value::Object(members) => {
            let is_meant = |key: &str| match *name {
                "*" => !key.starts_with("x-"),
                "METHOD" => METHODS.contains(&key),
                "OPERATION" => matches!(key, "publish" | "subscribe"),
                name => key == name,
            };
            members.iter().filter(|(key, _)| is_meant(key)).for_each(|(key, member)| below(key, member));
        }
        _ => {}
    }
}

fn tell(value: &Value, kind: Kind, path: &str, problems: &mut Vec<Problem>) {
    let is_fine = match kind {
        Kind::Text => value.is_string() || value.is_number(),
        Kind::List => value.is_array(),
        Kind::Object => value.is_object(),
        Kind::Parameter => value.is_object() && !is_nameless(value),
        Kind::Texts => value.is_array() || value.is_string(),
    };
    if is_fine || value.is_null() || problems.len() >= MAX_REPORTED {
        return;
    }
    let name = path.rsplit('/').next().unwrap_or_default();
    let name = match name.parse::<usize>() {
        Ok(_) => format!("an item of `{}`", path.rsplit('/').nth(1).unwrap_or_default()),
        Err(_) => format!("`{name}`"),
    };
    let message = match kind {
        Kind::Parameter if value.is_object() => "a parameter has no `name`; it is left out".to_owned(),
        Kind::Text => wrong_type(&name, "text", value),
        Kind::Object | Kind::Parameter => wrong_type(&name, "an object", value),
        Kind::List | Kind::Texts => wrong_type(&name, "a list", value),
    };
    problems.push(Problem { pointer: path.to_owned(), what: Diagnostic::new("openapi-type", message) });
}

/// Whether a field of a form has no name.
fn is_nameless(parameter: &Value) -> bool {
    let text = |key: &str| parameter.get(key).and_then(Value::as_str);
    text("in") == Some("formData") && text("name").is_none()
}
