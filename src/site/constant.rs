//! Values of constant expressions of JavaScript, as templates have them: literals, names with known values, operators,
//! and methods of texts and lists that depend on nothing else. What is anything more has no value here.

use serde_json::{Map, Number, Value};

use crate::yaml::YamlEntry;
use base::cut::{SliceText as _, cut};

/// Longest expression that is read, bytes.
const MAX_EXPRESSION_BYTES: usize = 4 << 10;
/// Longest text that one is worth, bytes.
const MAX_VALUE_BYTES: usize = 64 << 10;
/// Deepest nesting.
const MAX_CONSTANT_DEPTH: usize = 48;

/// The value of an expression, with the values of names; `None` if it has none without running anything.
pub fn constant_value(expression: &str, names: &Map<String, Value>) -> Option<Value> {
    if expression.len() > MAX_EXPRESSION_BYTES {
        return None;
    }
    let mut reader = Reader { rest: expression, names, depth: 0, left: MAX_VALUE_BYTES };
    let value = reader.choice()?;
    reader.skip_space();
    reader.rest.is_empty().then_some(value).flatten()
}

/// A value as a template writes it.
pub fn constant_text(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some(String::new()),
        Value::Array(_) | Value::Object(_) => serde_json::to_string_pretty(value).ok(),
        value => Some(text_of(value)),
    }
}

struct Reader<'t> {
    rest: &'t str,
    names: &'t Map<String, Value>,
    depth: usize,
    /// How much may still be copied of the values of names.
    left: usize,
}

/// Words with the values of the expressions between `open` and `close` in them. `unknown` gives what stands for those
/// that have no value.
pub fn with_constants(
    words: &str,
    (open, close): (&str, &str),
    names: &Map<String, Value>,
    unknown: impl Fn(&str) -> String,
) -> String {
    let mut out = String::with_capacity(words.len());
    let mut rest = words;
    while let Some((before, after)) = rest.split_once(open) {
        let Some((expression, after)) = after.split_once(close) else { break };
        out.push_str(before);
        let value = constant_value(expression.trim(), names).and_then(|value| constant_text(&value));
        out.push_str(&value.unwrap_or_else(|| unknown(expression)));
        rest = after;
    }
    out + rest
}

/// The words of a title of MDX with the values of constant expressions and of its front matter; others stay.
pub fn with_mdx_constants(words: &str, entries: &[YamlEntry]) -> String {
    let own: Map<String, Value> = entries.iter().map(|entry| (entry.key.clone(), entry.value.to_json())).collect();
    let names = Map::from_iter([("frontmatter".to_owned(), Value::Object(own))]);
    with_constants(words, ("{", "}"), &names, |expression| format!("{{{expression}}}"))
}

/// What was read: an expression, whose value may be unknown. `None` is no expression.
type ConstantRead = Option<Option<Value>>;

/// Operators of two values, by how tightly they bind, longest first.
const OPERATORS: [&[&str]; 7] = [
    &["||", "??"],
    &["&&"],
    &["===", "!==", "==", "!="],
    &["<=", ">=", "<", ">"],
    &["+", "-"],
    &["*", "/", "%"],
    &["**"],
];

impl<'t> Reader<'t> {
    /// The value of a name, unless it is too large to be copied.
    fn named(&mut self, name: &str) -> Option<Value> {
        let value = self.names.get(name)?;
        takes(value, &mut self.left).then(|| value.clone())
    }

    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn eat(&mut self, mark: &str) -> bool {
        self.skip_space();
        let rest = self.rest.strip_prefix(mark);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// `a ? b : c`, or less.
    fn choice(&mut self) -> ConstantRead {
        self.depth += 1;
        if self.depth > MAX_CONSTANT_DEPTH {
            return None;
        }
        let mut value = self.operation(0)?;
        self.skip_space();
        if self.rest.starts_with('?') && !self.rest.starts_with("?.") {
            self.rest = self.rest.slice(1..);
            let yes = self.choice()?;
            if !self.eat(":") {
                return None;
            }
            let no = self.choice()?;
            value = value.and_then(|value| if is_true(&value) { yes } else { no });
        }
        self.depth -= 1;
        Some(value)
    }

    fn operation(&mut self, level: usize) -> ConstantRead {
        let Some(operators) = OPERATORS.get(level) else { return self.unary() };
        let mut left = self.operation(level + 1)?;
        loop {
            self.skip_space();
            let Some(operator) = operators.iter().find(|operator| self.rest.starts_with(**operator)) else {
                return Some(left);
            };
            // `**` is no `*`, and `|` and `&` alone are not read at all
            if *operator == "*" && self.rest.starts_with("**") {
                return Some(left);
            }
            self.rest = self.rest.slice(operator.len()..);
            let right = self.operation(if *operator == "**" { level } else { level + 1 })?;
            left = match (*operator, left, right) {
                // what is not known is looked for behind it
                ("||" | "??", None, right) => right,
                ("||", Some(left), right) => {
                    if is_true(&left) {
                        Some(left)
                    } else {
                        right
                    }
                }
                ("??", Some(left), right) => {
                    if left.is_null() {
                        right
                    } else {
                        Some(left)
                    }
                }
                ("&&", Some(left), right) => {
                    if is_true(&left) {
                        right
                    } else {
                        Some(left)
                    }
                }
                (operator, Some(left), Some(right)) => operate(operator, &left, &right),
                _ => None,
            };
        }
    }

    fn unary(&mut self) -> ConstantRead {
        self.skip_space();
        let mark = self.rest.chars().next()?;
        if !matches!(mark, '!' | '-' | '+') {
            return self.members();
        }
        self.rest = self.rest.slice(1..);
        self.depth += 1;
        if self.depth > MAX_CONSTANT_DEPTH {
            return None;
        }
        let value = self.unary()?;
        self.depth -= 1;
        Some(value.and_then(|value| match mark {
            '!' => Some(Value::Bool(!is_true(&value))),
            '-' => number(-number_of(&value)?),
            _ => number(number_of(&value)?),
        }))
    }

    /// A value and what is taken of it: `a.b`, `a?.b`, `a[b]`, `a.b(c)`.
    fn members(&mut self) -> ConstantRead {
        let mut value = self.primary()?;
        loop {
            self.skip_space();
            if self.rest.starts_with('[') {
                self.rest = self.rest.slice(1..);
                let key = self.choice()?;
                if !self.eat("]") {
                    return None;
                }
                value = value.and_then(|value| member(&value, &text_of(&key?)));
                continue;
            }
            let Some(after) = self.rest.strip_prefix("?.").or_else(|| self.rest.strip_prefix('.')) else {
                return Some(value);
            };
            self.rest = after;
            let name = self.name()?;
            if self.rest.starts_with('(') {
                self.rest = self.rest.slice(1..);
                let given = self.list(")")?;
                value = value.and_then(|value| method(&value, name, &given?));
            } else {
                value = value.and_then(|value| member(&value, name));
            }
        }
    }

    fn name(&mut self) -> Option<&'t str> {
        self.skip_space();
        let end = self.rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).unwrap_or(self.rest.len());
        let (name, rest) = cut(self.rest, end);
        self.rest = rest;
        (!name.is_empty()).then_some(name)
    }

    fn primary(&mut self) -> ConstantRead {
        self.skip_space();
        let first = self.rest.chars().next()?;
        match first {
            '"' | '\'' => self.string(first).map(|text| Some(Value::String(text))),
            '`' => self.template(),
            '(' => {
                self.rest = self.rest.slice(1..);
                let value = self.choice()?;
                self.eat(")").then_some(value)
            }
            '[' => {
                self.rest = self.rest.slice(1..);
                Some(self.list("]")?.map(Value::Array))
            }
            '{' => self.object(),
            '0'..='9' | '.' => self.number(),
            _ => {
                let name = self.name()?;
                Some(match name {
                    "true" => Some(Value::Bool(true)),
                    "false" => Some(Value::Bool(false)),
                    "null" | "undefined" => Some(Value::Null),
                    "Math" => return self.math(),
                    name => self.named(name),
                })
            }
        }
    }

    /// Values up to a closing mark; unknown if one of them is.
    fn list(&mut self, close: &str) -> Option<Option<Vec<Value>>> {
        let mut values = Some(Vec::new());
        while !self.eat(close) {
            let value = self.choice()?;
            values = values.zip(value).map(|(mut values, value)| {
                values.push(value);
                values
            });
            if !self.eat(",") {
                return self.eat(close).then_some(values);
            }
        }
        Some(values)
    }

    fn object(&mut self) -> ConstantRead {
        self.rest = self.rest.slice(1..);
        let mut fields = Some(Map::new());
        while !self.eat("}") {
            self.skip_space();
            let key = match self.rest.chars().next()? {
                quote @ ('"' | '\'') => self.string(quote)?,
                _ => self.name()?.to_owned(),
            };
            let value = if self.eat(":") { self.choice()? } else { self.named(&key) };
            fields = fields.zip(value).map(|(mut fields, value)| {
                fields.insert(key, value);
                fields
            });
            if !self.eat(",") {
                return self.eat("}").then_some(fields.map(Value::Object));
            }
        }
        Some(fields.map(Value::Object))
    }

    fn number(&mut self) -> ConstantRead {
        let bytes = self.rest.as_bytes();
        let mut end = 0;
        while let Some(byte) = bytes.get(end) {
            let is_exponent = matches!(byte, b'+' | b'-')
                && matches!(bytes[..end], [.., b'e' | b'E'])
                && !self.rest.starts_with("0x");
            if !(byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_') || is_exponent) {
                break;
            }
            end += 1;
        }
        let digits = self.rest.slice(..end).replace('_', "");
        self.rest = self.rest.slice(end..);
        let value = match digits.get(..2) {
            Some("0x" | "0X") => u32::from_str_radix(digits.slice(2..), 16).ok().map(f64::from),
            _ => digits.parse::<f64>().ok(),
        };
        Some(Some(number(value?)?))
    }

    fn string(&mut self, quote: char) -> Option<String> {
        let mut chars = self.rest.char_indices().skip(1);
        let mut out = String::new();
        while let Some((at, c)) = chars.next() {
            match c {
                c if c == quote => {
                    self.rest = self.rest.slice(at + 1..);
                    return Some(out);
                }
                '\\' => out.push(unescaped(chars.next()?.1)?),
                c => out.push(c),
            }
        }
        None
    }

    fn template(&mut self) -> ConstantRead {
        self.rest = self.rest.slice(1..);
        let mut out = Some(String::new());
        loop {
            let c = self.rest.chars().next()?;
            self.rest = self.rest.slice(c.len_utf8()..);
            match c {
                '`' => return Some(out.map(Value::String)),
                '\\' => {
                    let escaped = self.rest.chars().next()?;
                    self.rest = self.rest.slice(escaped.len_utf8()..);
                    let escaped = unescaped(escaped)?;
                    out.iter_mut().for_each(|out| out.push(escaped));
                }
                '$' if self.rest.starts_with('{') => {
                    self.rest = self.rest.slice(1..);
                    let value = self.choice()?;
                    if !self.eat("}") {
                        return None;
                    }
                    out = out.zip(value).map(|(out, value)| out + &text_of(&value));
                }
                c => out.iter_mut().for_each(|out| out.push(c)),
            }
        }
    }

    /// What `Math` knows.
    fn math(&mut self) -> ConstantRead {
        if !self.eat(".") {
            return None;
        }
        let name = self.name()?;
        if !self.eat("(") {
            return match name {
                "PI" => Some(number(std::f64::consts::PI)),
                "E" => Some(number(std::f64::consts::E)),
                _ => None,
            };
        }
        let given = self.list(")")?;
        let given = given.and_then(|given| given.iter().map(number_of).collect::<Option<Vec<f64>>>());
        Some(given.and_then(|given| {
            let first = given.first().copied();
            number(match name {
                "max" => given.iter().copied().fold(f64::NEG_INFINITY, f64::max),
                "min" => given.iter().copied().fold(f64::INFINITY, f64::min),
                "round" => (first? + 0.5).floor(),
                "floor" => first?.floor(),
                "ceil" => first?.ceil(),
                "trunc" => first?.trunc(),
                "abs" => first?.abs(),
                "sqrt" => first?.sqrt(),
                "pow" => first?.powf(*given.get(1)?),
                _ => return None,
            })
        }))
    }
}

/// Takes the room of a value from what is left; false if that is not enough.
fn takes(value: &Value, left: &mut usize) -> bool {
    let own = 8 + value.as_str().map_or(0, str::len);
    let Some(rest) = left.checked_sub(own) else { return false };
    *left = rest;
    match value {
        Value::Array(items) => items.iter().all(|item| takes(item, left)),
        Value::Object(fields) => fields.values().all(|field| takes(field, left)),
        _ => true,
    }
}

/// The character that a backslash and another stand for; those with numbers are not read.
fn unescaped(c: char) -> Option<char> {
    match c {
        'n' => Some('\n'),
        't' => Some('\t'),
        'r' => Some('\r'),
        'u' | 'x' | '0'..='9' => None,
        c => Some(c),
    }
}

fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(on) => *on,
        Value::Number(number) => number.as_f64().is_some_and(|number| number != 0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}

/// A number as JavaScript has it; `None` for what is none.
fn number(value: f64) -> Option<Value> {
    const MOST_EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() < MOST_EXACT {
        return Some(Value::Number(Number::from(value as i64)));
    }
    Number::from_f64(value).map(Value::Number)
}

fn number_of(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::Bool(on) => Some(f64::from(u8::from(*on))),
        Value::Null => Some(0.0),
        Value::String(text) if text.trim().is_empty() => Some(0.0),
        Value::String(text) => text.trim().parse().ok(),
        Value::Array(_) | Value::Object(_) => None,
    }
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items
            .iter()
            .map(|item| if item.is_null() { String::new() } else { text_of(item) })
            .collect::<Vec<_>>()
            .join(","),
        Value::Object(_) => "[object Object]".to_owned(),
        value => value.to_string(),
    }
}

fn operate(operator: &str, left: &Value, right: &Value) -> Option<Value> {
    let is_text = |value: &Value| matches!(value, Value::String(_) | Value::Array(_) | Value::Object(_));
    if operator == "+" && (is_text(left) || is_text(right)) {
        let text = text_of(left) + &text_of(right);
        return (text.len() <= MAX_VALUE_BYTES).then_some(Value::String(text));
    }
    if let ("===" | "!==" | "==" | "!=", false) = (operator, left.is_array() || left.is_object()) {
        let is_strict = operator.len() == 3;
        let same_kind = std::mem::discriminant(left) == std::mem::discriminant(right);
        let is_equal = match (number_of(left), number_of(right)) {
            (Some(left), Some(right)) if left.to_bits() == right.to_bits() => same_kind || !is_strict,
            _ => left == right,
        };
        return Some(Value::Bool(is_equal == operator.starts_with('=')));
    }
    if let ("<" | ">" | "<=" | ">=", Value::String(left), Value::String(right)) = (operator, left, right) {
        let order = left.encode_utf16().cmp(right.encode_utf16());
        return Some(Value::Bool(compared(operator, order)?));
    }
    let (left, right) = (number_of(left)?, number_of(right)?);
    number(match operator {
        "+" => left + right,
        "-" => left - right,
        "*" => left * right,
        "/" => left / right,
        "%" => left % right,
        "**" => left.powf(right),
        operator => return Some(Value::Bool(compared(operator, left.partial_cmp(&right)?)?)),
    })
}

fn compared(operator: &str, order: std::cmp::Ordering) -> Option<bool> {
    match operator {
        "<" => Some(order.is_lt()),
        ">" => Some(order.is_gt()),
        "<=" => Some(order.is_le()),
        ">=" => Some(order.is_ge()),
        _ => None,
    }
}

fn member(value: &Value, name: &str) -> Option<Value> {
    match value {
        Value::String(text) if name == "length" => number(text.encode_utf16().count() as f64),
        Value::Array(items) if name == "length" => number(items.len() as f64),
        Value::Array(items) => items.get(name.parse::<usize>().ok()?).cloned(),
        Value::String(text) => text.chars().nth(name.parse().ok()?).map(|c| Value::String(c.into())),
        Value::Object(fields) => fields.get(name).cloned(),
        // refs of `useData` stand for what is in them
        value if name == "value" => Some(value.clone()),
        _ => None,
    }
}

fn method(value: &Value, name: &str, given: &[Value]) -> Option<Value> {
    let text_at = |at: usize| given.get(at).and_then(Value::as_str);
    match value {
        Value::String(text) => {
            let out = match name {
                "toUpperCase" => text.to_uppercase(),
                "toLowerCase" => text.to_lowercase(),
                "trim" => text.trim().to_owned(),
                "toString" | "valueOf" => text.clone(),
                "replace" => text.replacen(text_at(0)?, text_at(1)?, 1),
                "replaceAll" => text.replace(text_at(0)?, text_at(1)?),
                "concat" => text.clone() + &given.iter().map(text_of).collect::<String>(),
                "repeat" => {
                    let count = given.first()?.as_u64()?;
                    let is_short = count.saturating_mul(text.len() as u64) <= MAX_VALUE_BYTES as u64;
                    text.repeat(usize::try_from(count).ok().filter(|_| is_short)?)
                }
                "slice" | "substring" => {
                    let chars: Vec<char> = text.chars().collect();
                    chars[range_of(chars.len(), given)?].iter().collect()
                }
                "split" => {
                    let parts = text.split(text_at(0).filter(|by| !by.is_empty())?);
                    return Some(Value::Array(parts.map(Value::from).collect()));
                }
                "includes" => return Some(Value::Bool(text.contains(text_at(0)?))),
                "startsWith" => return Some(Value::Bool(text.starts_with(text_at(0)?))),
                "endsWith" => return Some(Value::Bool(text.ends_with(text_at(0)?))),
                _ => return None,
            };
            (out.len() <= MAX_VALUE_BYTES).then_some(Value::String(out))
        }
        Value::Array(items) => match name {
            "join" => {
                let by = if given.is_empty() { "," } else { text_at(0)? };
                Some(Value::String(items.iter().map(text_of).collect::<Vec<_>>().join(by)))
            }
            "includes" => Some(Value::Bool(items.contains(given.first()?))),
            "slice" => Some(Value::Array(items[range_of(items.len(), given)?].to_vec())),
            "at" => {
                let at = given.first()?.as_i64()?;
                let at = if at < 0 { items.len().checked_sub(at.unsigned_abs() as usize)? } else { at as usize };
                items.get(at).cloned()
            }
            _ => None,
        },
        Value::Number(it) => match name {
            "toFixed" => {
                let digits = given.first().map_or(Some(0), Value::as_u64).filter(|digits| *digits <= 20)?;
                Some(Value::String(format!("{:.*}", digits as usize, it.as_f64()?)))
            }
            "toString" if given.is_empty() => Some(Value::String(text_of(value))),
            _ => None,
        },
        _ => None,
    }
}

/// The part that `slice(from, to)` takes of so many.
fn range_of(length: usize, given: &[Value]) -> Option<std::ops::Range<usize>> {
    let at = |position: usize, default: usize| match given.get(position) {
        None | Some(Value::Null) => Some(default),
        Some(value) => {
            let at = value.as_i64()?;
            let distance = usize::try_from(at.unsigned_abs()).ok()?;
            Some(if at < 0 { length.saturating_sub(distance) } else { distance.min(length) })
        }
    };
    let from = at(0, 0)?;
    Some(from..at(1, length)?.max(from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn constants_have_their_value() {
        let names =
            json!({ "version": "2.4.1", "$frontmatter": { "title": "Kiln", "cones": [6, 10] }, "none": null, "n": 3 });
        let names = names.as_object().unwrap();
        for (expression, expect) in [
            ("1 + 1", json!(2)),
            ("1+2*3 - 4", json!(3)),
            ("(1 + 2) * 3 % 4", json!(1)),
            ("2 ** 3 ** 2", json!(512)),
            ("10 / 4", json!(2.5)),
            ("-n + +'4'", json!(1)),
            ("0x10 + 1_000 + 1e3 + .5", json!(2016.5)),
            ("'v' + version", json!("v2.4.1")),
            ("`v${version} of ${$frontmatter.title.toUpperCase()}`", json!("v2.4.1 of KILN")),
            ("\"it's\" + ' ' + 'it\\'s'", json!("it's it's")),
            ("version.split('.')[0]", json!("2")),
            ("$frontmatter.cones.length > 1 ? 'many' : 'one'", json!("many")),
            ("$frontmatter?.cones[1]", json!(10)),
            ("$frontmatter['title']", json!("Kiln")),
            ("$frontmatter.cones.join(' / ')", json!("6 / 10")),
            ("none ?? 'x'", json!("x")),
            ("missing || 'x'", json!("x")),
            ("'' || version", json!("2.4.1")),
            ("n && n * 2", json!(6)),
            ("!n", json!(false)),
            ("n === 3 && version !== '1'", json!(true)),
            ("'a' < 'b'", json!(true)),
            ("[1, 'a', n].slice(1).join('')", json!("a3")),
            ("{ a: 1, n }.n", json!(3)),
            ("Math.max(1, n, 2) + Math.PI.toFixed(2)", json!("33.14")),
            ("(1.005).toFixed(1)", json!("1.0")),
            ("'ab'.repeat(2).replace('b', '-')", json!("a-ab")),
            ("true", json!(true)),
        ] {
            assert_eq!(constant_value(expression, names), Some(expect), "{expression}");
        }
    }

    #[test]
    fn what_runs_has_none() {
        let names = json!({ "n": 3 });
        for expression in [
            "",
            "f(1)",
            "missing",
            "missing + 1",
            "n.toLocaleString()",
            "new Date()",
            "n =",
            "n = 1",
            "x => 1",
            "(n",
            "'open",
            "`${n",
            "1 +",
            "n n",
            "#",
            "'a'.repeat(1e9)",
            "[1].map(x => x)",
            &"(".repeat(4_000),
            &"-".repeat(4_000),
            &"1+".repeat(4_000),
        ] {
            assert_eq!(constant_value(expression, names.as_object().unwrap()), None, "{expression:.40}");
        }
    }
}
