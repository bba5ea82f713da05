//! Whether a value fits a schema, as far as examples are judged: types, values, lengths, fields, alternatives. Formats
//! and patterns are not looked at, and where a schema cannot be understood, everything fits.

use serde_json::Value;

use crate::spelled_number;

use super::operations::follow_ref;

/// Deepest nesting of schemas that is looked at.
const MAX_SCHEMA_DEPTH: usize = 48;
/// Most schemas that the examples of one description are compared with.
const MAX_COMPARED_SCHEMAS: usize = 2_000_000;
/// Longest value that is shown, characters.
const MAX_SHOWN_CHARS: usize = 40;

/// Judges the examples of a document.
pub(super) struct Validator<'a> {
    pub(super) document: &'a Value,
    steps: usize,
}

/// Where in a value something is wrong (a pointer), and what.
type Fault = (String, String);

impl<'a> Validator<'a> {
    pub(super) fn new(document: &'a Value) -> Self {
        Self { document, steps: 0 }
    }

    /// Why a value does not fit a schema; `None` if it does.
    pub(super) fn judge(&mut self, schema: &'a Value, value: &Value) -> Option<String> {
        let (place, why) = self.fault(schema, value, 0, true)?;
        Some(if place.is_empty() { format!("it {why}") } else { format!("`{place}` {why}") })
    }

    /// `is_whole`: nothing else says which fields there are.
    fn fault(&mut self, schema: &'a Value, value: &Value, depth: usize, is_whole: bool) -> Option<Fault> {
        self.steps += 1;
        if depth > MAX_SCHEMA_DEPTH || self.steps > MAX_COMPARED_SCHEMAS {
            return None;
        }
        let schema = follow_ref(self.document, schema);
        let members = schema.as_object()?;
        if value.is_null() && members.get("nullable").and_then(Value::as_bool) == Some(true) {
            return None;
        }
        let here = |why: String| Some((String::new(), why));
        if let Some(why) = wrong_type(members.get("type"), members.get("format"), value) {
            return here(why);
        }
        if let Some(values) = members.get("enum").and_then(Value::as_array)
            && !values.iter().any(|one| same(one, value))
        {
            return here(format!("is {}, which is none of the values of `enum`", display_value(value)));
        }
        if let Some(only) = members.get("const")
            && !same(only, value)
        {
            return here(format!("is {}, not {}", display_value(value), display_value(only)));
        }
        let is_closed = is_whole && !["allOf", "anyOf", "oneOf"].iter().any(|key| members.contains_key(*key));
        let own = match value {
            Value::String(text) if spelled_number(value).is_none() => text_fault(members, text).and_then(here),
            Value::Number(number) => number_fault(members, number.as_f64()?).and_then(here),
            Value::Array(items) => self.list_fault(members, items, depth),
            Value::Object(fields) => self.object_fault(members, fields, depth, is_closed),
            _ => None,
        };
        own.or_else(|| self.alternatives(members, value, depth))
    }

    fn alternatives(
        &mut self,
        members: &'a serde_json::Map<String, Value>,
        value: &Value,
        depth: usize,
    ) -> Option<Fault> {
        for part in members.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            if let Some(fault) = self.fault(part, value, depth + 1, false) {
                return Some(fault);
            }
        }
        for key in ["anyOf", "oneOf"] {
            let Some(options) = members.get(key).and_then(Value::as_array).filter(|options| !options.is_empty()) else {
                continue;
            };
            let mut first = None;
            for option in options {
                match self.fault(option, value, depth + 1, false) {
                    None => {
                        first = None;
                        break;
                    }
                    Some(fault) => first = first.or(Some(fault)),
                }
            }
            if let Some(fault) = first {
                // of one alternative the reason is clear, of several it would mislead
                let unclear = (String::new(), format!("fits none of the {} schemas of `{key}`", options.len()));
                return Some(if options.len() == 1 { fault } else { unclear });
            }
        }
        None
    }

    fn list_fault(
        &mut self,
        members: &'a serde_json::Map<String, Value>,
        items: &[Value],
        depth: usize,
    ) -> Option<Fault> {
        if let Some(why) = size_fault(members, ["minItems", "maxItems"], items.len(), "items") {
            return Some((String::new(), why));
        }
        let first = members.get("prefixItems").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let rest = members.get("items").filter(|rest| rest.is_object());
        items.iter().enumerate().find_map(|(at, item)| {
            let schema = first.get(at).or(rest)?;
            fault_below(&at.to_string(), self.fault(schema, item, depth + 1, true))
        })
    }

    fn object_fault(
        &mut self,
        members: &'a serde_json::Map<String, Value>,
        fields: &serde_json::Map<String, Value>,
        depth: usize,
        is_closed: bool,
    ) -> Option<Fault> {
        let properties = members.get("properties").and_then(Value::as_object);
        let property = |name: &str| properties.and_then(|properties| properties.get(name));
        let document = self.document;
        // what only goes one way is missing where the example shows the other
        let goes_one_way = |name: &str| {
            let of = |key: &str| {
                let property = property(name).map(|property| follow_ref(document, property));
                property.and_then(|property| property.get(key)).and_then(Value::as_bool) == Some(true)
            };
            of("readOnly") || of("writeOnly")
        };
        let required = members.get("required").and_then(Value::as_array).into_iter().flatten();
        let missing =
            required.filter_map(Value::as_str).find(|name| !fields.contains_key(*name) && !goes_one_way(name));
        if let Some(name) = missing {
            return Some((String::new(), format!("has no `{name}`, which is required")));
        }
        let more = members.get("additionalProperties");
        let has_patterns = members.contains_key("patternProperties");
        for (name, value) in fields {
            let fault = match (property(name), more) {
                (Some(schema), _) => self.fault(schema, value, depth + 1, true),
                (None, Some(schema @ Value::Object(_))) if !has_patterns => self.fault(schema, value, depth + 1, true),
                (None, Some(Value::Bool(false))) if is_closed && !has_patterns => {
                    return Some((String::new(), format!("has `{name}`, and `additionalProperties` is `false`")));
                }
                _ => None,
            };
            if let Some(fault) = fault_below(name, fault) {
                return Some(fault);
            }
        }
        None
    }
}

/// A fault in a part of a value.
fn fault_below(name: &str, fault: Option<Fault>) -> Option<Fault> {
    fault.map(|(place, why)| (format!("/{name}{place}"), why))
}

fn wrong_type(types: Option<&Value>, format: Option<&Value>, value: &Value) -> Option<String> {
    let types: Vec<&str> = match types? {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => return None,
    };
    let is_file = format.and_then(Value::as_str) == Some("binary");
    let fits = |name: &&str| match *name {
        "string" => value.is_string() || is_file,
        "integer" | "number" if spelled_number(value).is_some() => true,
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        // no word of the format
        _ => true,
    };
    if types.is_empty() || types.iter().any(fits) {
        return None;
    }
    let is = match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    Some(format!("is {is}, not `{}`", types.join("` or `")))
}

fn same(a: &Value, b: &Value) -> bool {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => a.total_cmp(&b).is_eq(),
        _ => a == b,
    }
}

fn number_member(members: &serde_json::Map<String, Value>, key: &str) -> Option<f64> {
    members.get(key)?.as_f64()
}

fn size_fault(
    members: &serde_json::Map<String, Value>,
    [least, most]: [&str; 2],
    size: usize,
    what: &str,
) -> Option<String> {
    let bound = |key: &str| members.get(key).and_then(Value::as_u64).and_then(|bound| usize::try_from(bound).ok());
    if let Some(bound) = bound(least).filter(|bound| size < *bound) {
        return Some(format!("has {size} {what}, and `{least}` is {bound}"));
    }
    bound(most).filter(|bound| size > *bound).map(|bound| format!("has {size} {what}, and `{most}` is {bound}"))
}

fn text_fault(members: &serde_json::Map<String, Value>, text: &str) -> Option<String> {
    size_fault(members, ["minLength", "maxLength"], text.chars().count(), "characters")
}

fn number_fault(members: &serde_json::Map<String, Value>, value: f64) -> Option<String> {
    let is_set = |key: &str| members.get(key).and_then(Value::as_bool) == Some(true);
    let message = |key: &str, bound: f64| Some(format!("is {value}, and `{key}` is {bound}"));
    if let Some(least) = number_member(members, "minimum")
        && (value < least || is_set("exclusiveMinimum") && value <= least)
    {
        return message("minimum", least);
    }
    if let Some(most) = number_member(members, "maximum")
        && (value > most || is_set("exclusiveMaximum") && value >= most)
    {
        return message("maximum", most);
    }
    if let Some(bound) = number_member(members, "exclusiveMinimum").filter(|bound| value <= *bound) {
        return message("exclusiveMinimum", bound);
    }
    number_member(members, "exclusiveMaximum")
        .filter(|bound| value >= *bound)
        .and_then(|bound| message("exclusiveMaximum", bound))
}

/// A value in a message.
fn display_value(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= MAX_SHOWN_CHARS {
        return format!("`{text}`");
    }
    let start: String = text.chars().take(MAX_SHOWN_CHARS).collect();
    format!("`{start}…`")
}
