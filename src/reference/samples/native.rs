//! JSON values as literals of programming languages, and as JSON itself.

use std::fmt::Write as _;

use serde_json::{Number, Value};

use super::literal::{self, PLAIN, RUBY};
use spec::spelled_number;

/// Most letters of an array on one line.
const MAX_LINE_LETTERS: usize = 60;

/// How a language writes what JSON can say.
pub(super) struct Native {
    /// One step of indentation.
    pub(super) unit: &'static str,
    /// Before and after the members of an object.
    pub(super) object: (&'static str, &'static str),
    /// An object without members.
    pub(super) empty_object: &'static str,
    /// Before and after the items of an array.
    pub(super) array: (&'static str, &'static str),
    /// The name of a member and what separates it from the value.
    pub(super) key: fn(&str) -> String,
    /// A string.
    pub(super) string: fn(&str) -> String,
    /// A number.
    pub(super) number: fn(&Number) -> String,
    /// True, false and null.
    pub(super) words: [&'static str; 3],
    /// Whether the last member of several lines has a comma.
    pub(super) trailing_comma: bool,
}

/// JSON.
const JSON: Native = Native {
    unit: "  ",
    object: ("{", "}"),
    empty_object: "{}",
    array: ("[", "]"),
    key: |name| format!("{}: ", json_string(name)),
    string: json_string,
    number: Number::to_string,
    words: ["true", "false", "null"],
    trailing_comma: false,
};

/// A dict of Python.
pub(super) const PYTHON: Native = Native {
    unit: "    ",
    key: |name| format!("{}: ", PLAIN.literal(name)),
    string: |text| PLAIN.literal(text),
    words: ["True", "False", "None"],
    trailing_comma: true,
    ..JSON
};

/// An object of JavaScript.
pub(super) const JAVASCRIPT: Native = Native {
    key: |name| match name {
        // this one would set the prototype
        "__proto__" => "[\"__proto__\"]: ".to_owned(),
        _ if is_identifier(name) => format!("{name}: "),
        _ => format!("{}: ", PLAIN.literal(name)),
    },
    string: |text| PLAIN.literal(text),
    trailing_comma: true,
    ..JSON
};

/// An array of PHP.
pub(super) const PHP: Native = Native {
    unit: "    ",
    object: ("[", "]"),
    empty_object: "new stdClass()",
    key: |name| format!("{} => ", literal::php(name)),
    string: literal::php,
    trailing_comma: true,
    ..JSON
};

/// A hash of Ruby.
pub(super) const RUBY_HASH: Native = Native {
    key: |name| {
        if is_identifier(name) { format!("{name}: ") } else { format!("{}: ", RUBY.literal(name)) }
    },
    string: |text| RUBY.literal(text),
    words: ["true", "false", "nil"],
    ..JSON
};

/// What the `json!` macro of Rust reads.
pub(super) const RUST: Native = Native {
    unit: "    ",
    key: |name| format!("{}: ", literal::BRACED.literal(name)),
    string: |text| literal::BRACED.literal(text),
    number: |number| match number.as_i64() {
        Some(whole) if i32::try_from(whole).is_err() => format!("{whole}_i64"),
        None if number.is_u64() => format!("{number}_u64"),
        _ => number.to_string(),
    },
    ..JSON
};

/// A map of Dart.
pub(super) const DART: Native = Native {
    key: |name| format!("{}: ", literal::DART.literal(name)),
    string: |text| literal::DART.literal(text),
    // a literal beyond 64 bits with sign is an error
    number: |number| if number.is_u64() && !number.is_i64() { format!("{number}.0") } else { number.to_string() },
    trailing_comma: true,
    ..JSON
};

impl Native {
    /// The literal; its first line is not indented, the others are below `depth` steps.
    pub(super) fn literal(&self, value: &Value, depth: usize) -> String {
        let mut out = String::new();
        self.write(value, depth, &mut out);
        out
    }

    fn write(&self, value: &Value, depth: usize, out: &mut String) {
        match value {
            Value::Null => out.push_str(self.words[2]),
            Value::Bool(value) => out.push_str(self.words[usize::from(!value)]),
            Value::Number(number) => out.push_str(&(self.number)(number)),
            Value::String(text) => match spelled_number(value) {
                Some(digits) => out.push_str(digits),
                None => out.push_str(&(self.string)(text)),
            },
            Value::Array(items) => {
                if let Some(line) = self.on_one_line(items) {
                    out.push_str(&line);
                } else {
                    self.write_lines(self.array, items.iter().map(|item| (String::new(), item)), depth, out);
                }
            }
            Value::Object(members) if members.is_empty() => out.push_str(self.empty_object),
            Value::Object(members) => {
                // PHP turns names that are numbers into indexes, and what has only those may be taken for a list
                let cast = self.object.0 == "[" && members.keys().any(|name| name.parse::<i64>().is_ok());
                if cast {
                    out.push_str("(object) ");
                }
                let members = members.iter().map(|(name, value)| ((self.key)(name), value));
                self.write_lines(self.object, members, depth, out);
            }
        }
    }

    fn write_lines<'a>(
        &self,
        (start, end): (&str, &str),
        members: impl ExactSizeIterator<Item = (String, &'a Value)>,
        depth: usize,
        out: &mut String,
    ) {
        out.push_str(start);
        let last = members.len().saturating_sub(1);
        for (index, (key, value)) in members.enumerate() {
            let _ = write!(out, "\n{}{key}", self.unit.repeat(depth + 1));
            self.write(value, depth + 1, out);
            if index < last || self.trailing_comma {
                out.push(',');
            }
        }
        let _ = write!(out, "\n{}{end}", self.unit.repeat(depth));
    }

    /// A short array of values that have no members.
    fn on_one_line(&self, items: &[Value]) -> Option<String> {
        let mut line = self.array.0.to_owned();
        for (index, item) in items.iter().enumerate() {
            if item.is_array() || item.is_object() || line.chars().count() > MAX_LINE_LETTERS {
                return None;
            }
            if index > 0 {
                line.push_str(", ");
            }
            self.write(item, 0, &mut line);
        }
        line.push_str(self.array.1);
        (items.is_empty() || line.chars().count() <= MAX_LINE_LETTERS && !line.contains('\n')).then_some(line)
    }
}

/// JSON over several lines.
pub(super) fn pretty_json(value: &Value) -> String {
    JSON.literal(value, 0)
}

/// JSON on one line.
pub(super) fn compact(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(compact).collect::<Vec<_>>().join(", ")),
        Value::Object(members) => {
            let member = |(name, value): (&String, &Value)| format!("{}: {}", json_string(name), compact(value));
            format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(", "))
        }
        Value::String(text) => spelled_number(value).map_or_else(|| json_string(text), str::to_owned),
        _ => value.to_string(),
    }
}

fn json_string(text: &str) -> String {
    PLAIN.literal(text)
}

/// Whether a name needs no quotes as the name of a property.
pub(super) fn is_identifier(name: &str) -> bool {
    name.bytes().next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
