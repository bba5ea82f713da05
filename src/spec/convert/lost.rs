//! Values of older formats that have the wrong type and have no place in the document that is made of theirs: they are
//! told here, at the pointers that they have in their file.

use serde_json::Value;

use crate::operation::{METHODS, escape_pointer_segment};
use crate::places::PartProblem;
use crate::shape::wrong_type;

/// Most problems that are told.
const MAX_CONVERSION_PROBLEMS: usize = 20;

/// The kind of value that a format asks for at a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LostKind {
    Text,
    List,
    Object,
    /// A parameter: a field of a form has a name.
    Parameter,
    /// A text, or a list of them.
    Texts,
}

/// A name of a member, `*` for all members and items, `METHOD` for those of the methods of HTTP.
const SWAGGER: [(&[&str], LostKind); 22] = [
    (&["host"], LostKind::Text),
    (&["basePath"], LostKind::Text),
    (&["schemes"], LostKind::Texts),
    (&["consumes"], LostKind::Texts),
    (&["produces"], LostKind::Texts),
    (&["paths"], LostKind::Object),
    (&["paths", "*", "parameters"], LostKind::List),
    (&["paths", "*", "parameters", "*"], LostKind::Parameter),
    (&["paths", "*", "METHOD"], LostKind::Object),
    (&["paths", "*", "METHOD", "schemes"], LostKind::Texts),
    (&["paths", "*", "METHOD", "consumes"], LostKind::Texts),
    (&["paths", "*", "METHOD", "produces"], LostKind::Texts),
    (&["paths", "*", "METHOD", "parameters"], LostKind::List),
    (&["paths", "*", "METHOD", "parameters", "*"], LostKind::Parameter),
    (&["paths", "*", "METHOD", "parameters", "*", "collectionFormat"], LostKind::Text),
    (&["paths", "*", "METHOD", "responses"], LostKind::Object),
    (&["paths", "*", "METHOD", "responses", "*", "headers"], LostKind::Object),
    (&["paths", "*", "METHOD", "responses", "*", "examples"], LostKind::Object),
    (&["definitions"], LostKind::Object),
    (&["parameters"], LostKind::Object),
    (&["responses"], LostKind::Object),
    (&["securityDefinitions"], LostKind::Object),
];

const ASYNCAPI_2: [(&[&str], LostKind); 14] = [
    (&["info"], LostKind::Object),
    (&["servers"], LostKind::Object),
    (&["servers", "*", "url"], LostKind::Text),
    (&["servers", "*", "security"], LostKind::List),
    (&["channels"], LostKind::Object),
    (&["channels", "*", "parameters"], LostKind::Object),
    (&["channels", "*", "parameters", "*", "schema"], LostKind::Object),
    (&["channels", "*", "servers"], LostKind::List),
    (&["channels", "*", "servers", "*"], LostKind::Text),
    (&["channels", "*", "OPERATION"], LostKind::Object),
    (&["channels", "*", "OPERATION", "operationId"], LostKind::Text),
    (&["channels", "*", "OPERATION", "security"], LostKind::List),
    (&["channels", "*", "OPERATION", "traits"], LostKind::List),
    (&["components"], LostKind::Object),
];

/// What a document of an older format loses by its conversion.
pub(crate) fn lost_values(document: &Value) -> Vec<PartProblem> {
    let is = |key: &str, major: &str| {
        let version =
            document.get(key).map(|version| version.as_str().map_or_else(|| version.to_string(), str::to_owned));
        version.is_some_and(|version| version.starts_with(major))
    };
    let rows: &[(&[&str], LostKind)] = match () {
        () if document.get("openapi").is_some() => return Vec::new(),
        () if is("asyncapi", "2") => &ASYNCAPI_2,
        () if is("swagger", "2") => &SWAGGER,
        () => return Vec::new(),
    };
    let mut walk = LossWalk::default();
    for (names, kind) in rows {
        walk.judge(document, names, *kind);
    }
    walk.problems
}

/// A walk of a document, row by row.
#[derive(Default)]
struct LossWalk {
    /// The pointer of the value that is looked at.
    path: String,
    problems: Vec<PartProblem>,
}

impl LossWalk {
    /// Looks at the values that `names` lead to from `value`.
    fn judge(&mut self, value: &Value, names: &[&str], kind: LostKind) {
        let Some((name, rest)) = names.split_first() else { return self.tell(value, kind) };
        let mut below = |key: &str, value: &Value| {
            let around = self.path.len();
            self.path.push('/');
            self.path.push_str(&escape_pointer_segment(key));
            self.judge(value, rest, kind);
            self.path.truncate(around);
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

    fn tell(&mut self, value: &Value, kind: LostKind) {
        let is_fine = match kind {
            LostKind::Text => value.is_string() || value.is_number(),
            LostKind::List => value.is_array(),
            LostKind::Object => value.is_object(),
            LostKind::Parameter => value.is_object() && !is_nameless(value),
            LostKind::Texts => value.is_array() || value.is_string(),
        };
        if is_fine || value.is_null() || self.problems.len() >= MAX_CONVERSION_PROBLEMS {
            return;
        }
        let name = self.path.rsplit('/').next().unwrap_or_default();
        let name = match name.parse::<usize>() {
            Ok(_) => format!("an item of `{}`", self.path.rsplit('/').nth(1).unwrap_or_default()),
            Err(_) => format!("`{name}`"),
        };
        let message = match kind {
            LostKind::Parameter if value.is_object() => "a parameter has no `name`; it is left out".to_owned(),
            LostKind::Text => wrong_type(&name, "text", value),
            LostKind::Object | LostKind::Parameter => wrong_type(&name, "an object", value),
            LostKind::List | LostKind::Texts => wrong_type(&name, "a list", value),
        };
        self.problems.push(PartProblem::new("openapi-type", message, self.path.clone()));
    }
}

/// Whether a field of a form has no name.
fn is_nameless(parameter: &Value) -> bool {
    let text = |key: &str| parameter.get(key).and_then(Value::as_str);
    text("in") == Some("formData") && text("name").is_none()
}
