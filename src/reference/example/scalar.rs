//! Values without members.

use serde_json::{Number, Value};

use super::facets::{FacetKind, Facets};
use super::{TEXT, pattern::text_matching_pattern};

/// The number that stands for any.
const NUMBER: f64 = 123.0;
/// Longest text that is made for the sake of `minLength`.
const MAX_TEXT_LETTERS: usize = 4_096;

/// A value of a type that the schema accepts.
pub(super) fn example_scalar(facets: &Facets<'_>, kind: FacetKind) -> Value {
    match kind {
        FacetKind::String => example_text(facets).into(),
        FacetKind::Integer => example_number(facets, true),
        FacetKind::Number => example_number(facets, false),
        FacetKind::Boolean => true.into(),
        FacetKind::Null => Value::Null,
        FacetKind::Any | FacetKind::Object | FacetKind::Array => super::ANY.into(),
    }
}

/// Another value like this one, for arrays whose items have to differ.
pub(super) fn vary(value: &Value, index: usize) -> Value {
    match value {
        _ if index == 0 => value.clone(),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => whole.saturating_add(index as i64).into(),
            None => value.clone(),
        },
        Value::String(text) => format!("{text}{}", index + 1).into(),
        Value::Bool(value) => (!value).into(),
        _ => value.clone(),
    }
}

fn example_text(facets: &Facets<'_>) -> String {
    let fewest = facets.count("minLength").min(MAX_TEXT_LETTERS);
    let most = facets.most("maxLength");
    let fits = |text: &str| (fewest..=most).contains(&text.chars().count());
    if let Some(text) = facets.text("pattern").and_then(|pattern| text_matching_pattern(pattern, fewest, most)) {
        return text;
    }
    if let Some(text) = facets.text("format").and_then(of_format).filter(|text| fits(text)) {
        return text.to_owned();
    }
    if fits(TEXT) {
        return TEXT.to_owned();
    }
    let length = if most < TEXT.len() { most.min(6).max(fewest) } else { fewest };
    "string".chars().cycle().take(length).collect()
}

fn of_format(format: &str) -> Option<&'static str> {
    Some(match format {
        "uuid" | "guid" => "3c90c3cc-0d44-4b50-8888-8dd25736052a",
        "date-time" | "datetime" => "2023-11-07T05:31:56Z",
        "date" => "2023-12-25",
        "time" => "05:31:56Z",
        "duration" => "P3D",
        "email" | "idn-email" => "jsmith@example.com",
        "uri" | "url" | "iri" => "https://example.com",
        "uri-reference" | "iri-reference" => "/orders/1",
        "uri-template" => "https://example.com/orders/{id}",
        "hostname" | "idn-hostname" => "example.com",
        "ipv4" | "ip" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        "byte" | "base64" | "base64url" => "U2FtcGxl",
        "binary" => "<binary>",
        "password" => "<password>",
        "phone" | "phone-number" | "e164" => "+15555550123",
        "json-pointer" => "/orders/0",
        "relative-json-pointer" => "0/id",
        "regex" => "^[a-z]+$",
        "int32" | "int64" | "uint64" => "123",
        "decimal" => "123.45",
        "char" => "a",
        _ => return None,
    })
}

/// The number nearest to 123 that the bounds allow.
fn example_number(facets: &Facets<'_>, whole: bool) -> Value {
    let highest = |keyword| facets.numbers(keyword).fold(f64::NEG_INFINITY, f64::max);
    let lowest = |keyword| facets.numbers(keyword).fold(f64::INFINITY, f64::min);
    let (mut low, above) = (highest("minimum"), highest("exclusiveMinimum"));
    let (mut high, below) = (lowest("maximum"), lowest("exclusiveMaximum"));
    let (mut low_excluded, mut high_excluded) = (above >= low && above.is_finite(), below <= high && below.is_finite());
    (low, high) = (low.max(above), high.min(below));
    // in OpenAPI 3.0, these say whether the others are excluded
    low_excluded |= facets.is_set("exclusiveMinimum");
    high_excluded |= facets.is_set("exclusiveMaximum");
    let step = facets.numbers("multipleOf").find(|step| *step > 0.0 && step.is_finite());
    let step = match (step, whole) {
        (Some(step), true) if step.fract() != 0.0 => Some(step.max(1.0).ceil()),
        (None, true) => Some(1.0),
        (step, _) => step,
    };
    let fits = |number: f64| {
        (number > low || number == low && !low_excluded) && (number < high || number == high && !high_excluded)
    };
    let fits = |number: &f64| number.is_finite() && fits(*number);
    let found = match step {
        Some(step) => {
            let near = |number: f64| {
                let multiple = (number / step).floor();
                [multiple - 1.0, multiple, multiple + 1.0, multiple + 2.0].map(|multiple| multiple * step)
            };
            let candidates = [NUMBER, low, high].into_iter().flat_map(near).filter(fits);
            candidates.min_by(|a, b| (a - NUMBER).abs().total_cmp(&(b - NUMBER).abs()))
        }
        None => {
            let middle = if low.is_finite() && high.is_finite() { low / 2.0 + high / 2.0 } else { NUMBER };
            [NUMBER, low, high, low + 1.0, high - 1.0, middle].into_iter().find(fits)
        }
    };
    to_value(found.unwrap_or(NUMBER), step)
}

/// Without the digits that come from computing in binary.
fn to_value(number: f64, step: Option<f64>) -> Value {
    if number.fract() == 0.0 && number.abs() < 9e15 {
        return (number as i64).into();
    }
    let digits = step.map_or(0, |step| step.to_string().split('.').nth(1).map_or(0, str::len));
    let rounded = if digits > 0 { format!("{number:.digits$}").parse().unwrap_or(number) } else { number };
    Number::from_f64(rounded).map_or(Value::Null, Value::Number)
}
