//! Numbers whose spelling matters: `02139` and `12_34` of YAML, and those that 64 bits do not hold.
//!
//! A value of JSON has no spelling. A number that would not be shown as it is written is therefore a text behind a mark
//! until the document is whole: [`settle`](super::settle) then makes text of it where the schema says so, else a
//! number. The mark stays before what no number of JSON's values is ([`spelled_number`]).

use serde_json::{Number, Value};

use base::cut::cut;

/// What stands before a number as it is written. Source text is read without such characters.
const MARK: char = '\u{fdd0}';
/// Digits that a float of 64 bits keeps.
const FLOAT_DIGITS: usize = 17;
/// Largest whole number whose float is exact.
const MAX_EXACT: f64 = 9e15;

/// The number that a plain scalar of YAML is. `None` if it is none.
pub(super) fn yaml_number(written: &str) -> Option<Value> {
    let unsigned = written.strip_prefix(['-', '+']).unwrap_or(written);
    if !unsigned.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        return None;
    }
    (radix_digits(unsigned).is_some() || is_decimal(unsigned)).then(|| number_or_spelling(written))
}

/// The number that stands in JSON, in the widest sense: `1e999`, `NaN` and `-Infinity`, which programs write, too.
pub(super) fn json_number(written: &str) -> Option<Value> {
    let unsigned = written.strip_prefix('-').unwrap_or(written);
    match unsigned {
        "NaN" | "Infinity" => Some(written.into()),
        _ if unsigned.starts_with(|first: char| first.is_ascii_digit()) && is_decimal(unsigned) => {
            Some(number_or_spelling(written))
        }
        _ => None,
    }
}

/// Whether a text of JSON has numbers that the parser of the library does not keep as they are written.
pub(super) fn has_odd_numbers(json: &[u8]) -> bool {
    let (mut at, mut digits) = (0, 0);
    while let Some(byte) = json.get(at) {
        match byte {
            b'0'..=b'9' => digits += 1,
            b'e' | b'E' if digits > 0 => return true,
            b'"' => {
                digits = 0;
                at = super::sniff::end_of_string(json, at + 1);
            }
            b'.' if digits > 0 => {}
            _ => digits = 0,
        }
        if digits > FLOAT_DIGITS {
            return true;
        }
        at += 1;
    }
    false
}

/// The digits of a number that no value of JSON holds.
pub fn spelled_number(value: &Value) -> Option<&str> {
    value.as_str()?.strip_prefix(MARK)
}

/// What is written, of a text that may be such a number.
pub(super) fn written_text(text: String) -> String {
    text.strip_prefix(MARK).map_or_else(|| text.clone(), str::to_owned)
}

/// Takes the quotes from the numbers that no value of JSON holds, in a text of JSON.
pub fn unquote_spelled_numbers(json: String) -> String {
    if !json.contains(MARK) {
        return json;
    }
    let mut out = String::with_capacity(json.len());
    let mut parts = json.split(MARK);
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        if out.ends_with('"') {
            out.pop();
        }
        let (digits, rest) = part.split_once('"').unwrap_or((part, ""));
        out.push_str(digits);
        out.push_str(rest);
    }
    out
}

/// The value of a number as it is written; its digits behind the mark where no value of JSON holds them.
pub(super) fn as_number(spelled: &str) -> Value {
    let (sign, unsigned) = match spelled.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", spelled.strip_prefix('+').unwrap_or(spelled)),
    };
    if let Some((radix, digits)) = radix_digits(unsigned) {
        let number = i64::from_str_radix(&format!("{sign}{digits}"), radix).ok().map(Number::from);
        return number.map_or_else(|| spelled.into(), Value::Number);
    }
    let plain = plain_digits(unsigned);
    let signed = format!("{sign}{plain}");
    if let Ok(number) = signed.parse::<i64>() {
        return number.into();
    }
    if let Ok(number) = signed.parse::<u64>() {
        return number.into();
    }
    let is_whole = plain.bytes().all(|byte| byte.is_ascii_digit());
    let mantissa = plain.split(['e', 'E']).next().unwrap_or_default();
    let significant = mantissa.trim_start_matches(['0', '.']).bytes().filter(u8::is_ascii_digit).count();
    let float = signed.parse::<f64>().ok().filter(|float| float.is_finite());
    match float {
        Some(float) if !is_whole && significant <= FLOAT_DIGITS => {
            if float.fract() == 0.0 && float.abs() < MAX_EXACT && plain.contains(['e', 'E']) {
                return (float as i64).into();
            }
            Number::from_f64(float).map_or(Value::Null, Value::Number)
        }
        _ => format!("{MARK}{signed}").into(),
    }
}

/// A number, if it is shown as it is written; else the mark and what is written.
fn number_or_spelling(written: &str) -> Value {
    match as_number(written) {
        Value::Number(number) if number.to_string() == written => Value::Number(number),
        _ => format!("{MARK}{written}").into(),
    }
}

/// Radix and digits of `0x1F`, `0o17`, `0b101`.
fn radix_digits(unsigned: &str) -> Option<(u32, String)> {
    let (radix, digits) = [(16, "0x"), (8, "0o"), (2, "0b")]
        .into_iter()
        .find_map(|(radix, prefix)| Some((radix, unsigned.strip_prefix(prefix)?)))?;
    let bare = digits.replace('_', "");
    (!bare.is_empty() && bare.chars().all(|digit| digit.is_digit(radix))).then_some((radix, bare))
}

/// Whether a text is a decimal number, with or without a fraction and an exponent; `_` may stand between digits.
fn is_decimal(unsigned: &str) -> bool {
    let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
        Some(at) => (unsigned.get(..at), unsigned.get(at + 1..)),
        None => (Some(unsigned), None),
    };
    let mantissa = mantissa.unwrap_or_default();
    let exponent = exponent.map(|exponent| exponent.strip_prefix(['-', '+']).unwrap_or(exponent));
    let is_exponent = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_digits = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
    exponent.is_none_or(is_exponent)
        && is_digits(whole)
        && is_digits(fraction)
        && !whole.starts_with('_')
        && !mantissa.ends_with('_')
        && mantissa.bytes().any(|byte| byte.is_ascii_digit())
}

/// A decimal number as JSON spells it.
fn plain_digits(unsigned: &str) -> String {
    let digits = unsigned.replace('_', "");
    let (mantissa, exponent) = match digits.find(['e', 'E']) {
        Some(at) => cut(&digits, at),
        None => (digits.as_str(), ""),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{whole}{point}{fraction}{exponent}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a scalar is as a number, and whether it is shown as it is written.
    fn read(written: &str) -> Option<(String, bool)> {
        let value = yaml_number(written)?;
        let is_kept = value.is_number();
        let number = spelled_number(&value).map_or_else(|| value.clone(), as_number);
        Some((unquote_spelled_numbers(number.to_string()), is_kept))
    }

    #[test]
    fn numbers_of_yaml() {
        for (written, number, is_kept) in [
            ("7", "7", true),
            ("-7", "-7", true),
            ("7.0", "7.0", true),
            ("0.5", "0.5", true),
            ("18446744073709551615", "18446744073709551615", true),
            ("007", "7", false),
            ("02139", "2139", false),
            ("+12", "12", false),
            ("12_34", "1234", false),
            ("1_000.50", "1000.5", false),
            ("3e2", "300", false),
            ("1.5E-3", "0.0015", false),
            (".5", "0.5", false),
            ("1.", "1", false),
            ("1.10", "1.1", false),
            ("0o17", "15", false),
            ("0x1F", "31", false),
            ("-0x1F", "-31", false),
            ("0b1_01", "5", false),
            ("18446744073709551616", "18446744073709551616", false),
            ("-0012345678901234567890123", "-12345678901234567890123", false),
            ("3.14159265358979323846", "3.14159265358979323846", false),
            ("1e999", "1e999", false),
            ("9e645618", "9e645618", false),
            (".5e9999", "0.5e9999", false),
        ] {
            assert_eq!(read(written), Some((number.to_owned(), is_kept)), "{written}");
        }
    }

    #[test]
    fn texts_that_look_like_numbers() {
        let texts = [
            "",
            "-",
            "+",
            ".",
            "..",
            "_1",
            "1_",
            "1e",
            "1e+",
            "e5",
            "1.2.3",
            "0x",
            "0xg",
            "0o8",
            "1:30",
            "2024-01-02",
            "1,5",
            "٣",
            "1é",
            "0b2",
            "--1",
            "1e1.5",
            ".inf",
            ".nan",
        ];
        for text in texts {
            assert_eq!(yaml_number(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_of_json() {
        assert_eq!(json_number("1"), Some(1.into()));
        assert_eq!(json_number("-Infinity"), Some("-Infinity".into()));
        assert_eq!(json_number("1e999").as_ref().and_then(spelled_number), Some("1e999"));
        assert_eq!(json_number("0x1"), None);
        assert!(has_odd_numbers(b"{\"a\": 1e9}") && has_odd_numbers(b"[123456789012345678901]"));
        assert!(has_odd_numbers(b"[0.123456789012345678901]"));
        assert!(!has_odd_numbers(b"{\"9e9\": 12345, \"123456789012345678901\": \"\\\"1e9\"}"));
    }

    #[test]
    fn numbers_beyond_64_bits_lose_their_quotes() {
        let value = serde_json::json!({"a": [as_number("123456789012345678901"), "\"x\""], "b": as_number("-1e999")});
        assert_eq!(unquote_spelled_numbers(value.to_string()), r#"{"a":[123456789012345678901,"\"x\""],"b":-1e999}"#);
    }
}
