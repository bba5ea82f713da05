//! JSON schemas of types, in the version of JSON Schema that editors know.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

/// The schema of what is read into a type, or written from it.
pub(super) fn schema_of<T: JsonSchema>(is_written: bool) -> Value {
    let settings = SchemaSettings::draft07();
    let settings = if is_written { settings.for_serialize() } else { settings };
    let mut schema: Schema = settings.into_generator().into_root_schema_for::<T>();
    let mut value = std::mem::take(&mut schema).to_value();
    simplify(&mut value, is_written);
    value
}

/// Says nothing of values that are nothing by default, nor, in what people write, that they could be: a key that is not
/// there is that.
fn simplify(value: &mut Value, is_written: bool) {
    match value {
        Value::Object(members) => {
            if members.get("default").is_some_and(Value::is_null) {
                members.shift_remove("default");
            }
            if !is_written {
                remove_null(members);
            }
            members.values_mut().for_each(|value| simplify(value, is_written));
        }
        Value::Array(items) => items.iter_mut().for_each(|value| simplify(value, is_written)),
        _ => {}
    }
}

/// `["string", "null"]` is a string.
fn remove_null(members: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = members.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            members.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(forms)) = members.get_mut("anyOf") {
        forms.retain(|form| form.get("type").is_none_or(|name| name != "null"));
        if let [only] = forms.as_mut_slice() {
            let only = only.take();
            members.shift_remove("anyOf");
            if let Value::Object(only) = only {
                members.extend(only);
            }
        }
    }
}
