//! Values that a script writes out: texts, numbers, lists and objects of such. Nothing is run; a property that is
//! anything else is left out.

use serde_json::{Map, Value};

use base::cut::{SliceText as _, cut};

use super::budget::RepeatBudget;

/// Lists and objects in each other.
const MAX_LITERAL_DEPTH: usize = 16;

/// The values of names, and how much may be made of them.
#[derive(Clone, Copy)]
struct LiteralValues<'k>(&'k Map<String, Value>, &'k RepeatBudget);

impl LiteralValues<'_> {
    fn get(self, name: &str) -> Option<Value> {
        self.1.copy(self.0.get(name)?)
    }
}

/// The value at the start of a text, and what follows it. `known`: the values of names.
pub(super) fn parse_literal<'t>(
    text: &'t str,
    known: &Map<String, Value>,
    budget: &RepeatBudget,
) -> Option<(Value, &'t str)> {
    parse_literal_value(text, LiteralValues(known, budget), 0)
}

fn parse_literal_value<'t>(text: &'t str, known: LiteralValues<'_>, depth: usize) -> Option<(Value, &'t str)> {
    let text = skip_space(text);
    let first = text.chars().next().filter(|_| depth < MAX_LITERAL_DEPTH)?;
    match first {
        '"' | '\'' | '`' => parse_string_literal(text).map(|(text, rest)| (Value::String(text), rest)),
        '[' => parse_array_literal(text.slice(1..), known, depth),
        '{' => parse_object_literal(text.slice(1..), known, depth),
        '-' | '0'..='9' => {
            let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || "+-._".contains(c))).unwrap_or(text.len());
            text.slice(..end).replace('_', "").parse().ok().map(|number| (Value::Number(number), text.slice(end..)))
        }
        _ => {
            let (name, rest) = word(text)?;
            let value = match name {
                "true" => Value::Bool(true),
                "false" => Value::Bool(false),
                "null" | "undefined" => Value::Null,
                name => known.get(name)?,
            };
            // a call, a member or a sum is no plain value
            let is_whole = matches!(skip_space(rest).chars().next(), None | Some(',' | ']' | '}' | ')' | ';'))
                || rest.trim_start_matches([' ', '\t', '\r']).starts_with('\n');
            is_whole.then_some((value, rest))
        }
    }
}

fn parse_array_literal<'t>(text: &'t str, known: LiteralValues<'_>, depth: usize) -> Option<(Value, &'t str)> {
    let mut rest = skip_space(text);
    let mut values = Vec::new();
    loop {
        if let Some(after) = rest.strip_prefix(']') {
            return Some((Value::Array(values), after));
        }
        if let Some(spread) = rest.strip_prefix("...") {
            let (value, after) = parse_literal_value(spread, known, depth + 1)?;
            values.extend(value.as_array()?.iter().cloned());
            rest = after;
        } else {
            let (value, after) = parse_literal_value(rest, known, depth + 1)?;
            values.push(value);
            rest = after;
        }
        rest = skip_space(rest);
        rest = skip_space(rest.strip_prefix(',').unwrap_or(rest));
    }
}

fn parse_object_literal<'t>(text: &'t str, known: LiteralValues<'_>, depth: usize) -> Option<(Value, &'t str)> {
    let mut rest = skip_space(text);
    let mut values = Map::new();
    loop {
        if let Some(after) = rest.strip_prefix('}') {
            return Some((Value::Object(values), after));
        }
        let (name, after) = if rest.starts_with(['"', '\'']) {
            parse_string_literal(rest)?
        } else {
            let (name, after) = word(rest)?;
            (name.to_owned(), after)
        };
        let after = skip_space(after);
        let (found, after) = match after.strip_prefix(':') {
            Some(after) => match parse_literal_value(after, known, depth + 1).filter(|(_, rest)| is_end(rest)) {
                Some((value, after)) => (Some(value), after),
                None => (None, skip_value(after)?),
            },
            // the name of a value alone; else a method
            None if is_end(after) => (known.get(&name), after),
            None => (None, skip_value(after)?),
        };
        if let Some(found) = found {
            values.insert(name, found);
        }
        rest = skip_space(after);
        rest = skip_space(rest.strip_prefix(',').unwrap_or(rest));
    }
}

fn is_end(text: &str) -> bool {
    skip_space(text).starts_with([',', '}', ']'])
}

/// What follows a value of any kind: the comma or bracket after it.
fn skip_value(text: &str) -> Option<&str> {
    let mut depth = 0_usize;
    let mut rest = text;
    loop {
        rest = skip_space(rest);
        let first = rest.chars().next()?;
        match first {
            ',' | '}' | ']' if depth == 0 => return Some(rest),
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.checked_sub(1)?,
            '"' | '\'' | '`' => {
                rest = skip_quoted(rest)?;
                continue;
            }
            _ => {}
        }
        rest = rest.slice(first.len_utf8()..);
    }
}

/// A text in quotes without values in it.
fn parse_string_literal(text: &str) -> Option<(String, &str)> {
    let quote = text.chars().next()?;
    let mut out = String::new();
    let mut chars = text.slice(1..).char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            c if c == quote => return Some((out, text.slice(at + 2..))),
            '$' if quote == '`' && text.slice(1 + at..).starts_with("${") => return None,
            '\\' => match chars.next()?.1 {
                'n' => out.push('\n'),
                't' => out.push('\t'),
                '\n' => {}
                'u' | 'x' => return None,
                c => out.push(c),
            },
            c => out.push(c),
        }
    }
    None
}

/// What follows a text in quotes.
fn skip_quoted(text: &str) -> Option<&str> {
    let quote = text.chars().next()?;
    let mut chars = text.slice(1..).char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            c if c == quote => return Some(text.slice(at + 2..)),
            '\\' => drop(chars.next()),
            _ => {}
        }
    }
    None
}

fn word(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).unwrap_or(text.len());
    (end > 0).then(|| cut(text, end))
}

/// Without white space and comments at its start.
fn skip_space(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let after = if let Some(comment) = rest.strip_prefix("//") {
            comment.find('\n').map_or("", |end| comment.slice(end..))
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.find("*/").map_or("", |end| comment.slice(end + 2..))
        } else {
            return rest;
        };
        rest = after.trim_start();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn plain_values_are_read() {
        let known = json!({ "base": "kiln", "more": [1] });
        let known = known.as_object().unwrap();
        for (text, expect) in [
            ("'a\\'b' rest", json!("a'b")),
            ("[1, -2.5, true, ...more, base,]", json!([1, -2.5, true, 1, "kiln"])),
            (
                "[\n  // one\n  { name: 'A', 'b-c': \"d\", links: [{ icon: 'x' }], base },\n  /* two */ { run() { return '}' }, f: () => [1], n: null },\n]",
                json!([{ "name": "A", "b-c": "d", "links": [{ "icon": "x" }], "base": "kiln" }, { "n": null }]),
            ),
            ("{ a: x.y, b: `c`, d: `${e}`, }", json!({ "b": "c" })),
            ("base\nconst", json!("kiln")),
        ] {
            assert_eq!(
                parse_literal(text, known, &RepeatBudget::default()).map(|(value, _)| value),
                Some(expect),
                "{text}"
            );
        }
        for text in ["base.x", "f(1)", "[1, f()]", "`${a}`", "'open", "[1", "{a: 1", "", "[x]"] {
            assert_eq!(parse_literal(text, known, &RepeatBudget::default()), None, "{text}");
        }
    }

    #[test]
    fn nothing_is_too_deep() {
        assert_eq!(parse_literal(&"[".repeat(100_000), &Map::new(), &RepeatBudget::default()), None);
    }
}
