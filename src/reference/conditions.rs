//! What JSON Schema says of values that no field shows: conditions, what must not be, what depends on something else.

use serde_json::Value;

use super::document::{DocumentMembers, member};

/// A keyword with what stands there.
pub(crate) type Condition<'a> = (&'static str, &'a Value);

/// Keywords whose values are schemas, or objects of them.
const OF_SCHEMAS: [&str; 9] =
    ["if", "then", "else", "not", "dependentRequired", "dependentSchemas", "dependencies", "propertyNames", "contains"];
/// Keywords whose values are numbers.
const OF_NUMBERS: [&str; 2] = ["minContains", "maxContains"];

/// Adds what a part of a schema says.
pub(crate) fn read_conditions<'a>(conditions: &mut Vec<Condition<'a>>, members: DocumentMembers<'a>) {
    for key in OF_SCHEMAS {
        let found = member(members, key).filter(|value| value.as_object().is_some_and(|it| !it.is_empty()));
        // all names are texts
        let is_said = |value: &Value| key == "propertyNames" && value.as_object().is_some_and(only_says_text);
        conditions.extend(found.filter(|value| !is_said(value)).map(|value| (key, value)));
    }
    for key in OF_NUMBERS {
        conditions.extend(member(members, key).filter(|value| value.is_number()).map(|value| (key, value)));
    }
}

fn only_says_text(members: DocumentMembers<'_>) -> bool {
    members.len() == 1 && member(members, "type").and_then(Value::as_str) == Some("string")
}
