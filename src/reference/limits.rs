//! Bounds of values, and values, as readers see them.

use serde_json::Value;

use spec::{spelled_number, unquote_spelled_numbers};

use super::document::{DocumentMembers, member};

/// A bound of a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ValueLimit<'a> {
    /// What a number lies between: bound and whether it is outside of the range.
    Range(Option<(&'a Value, bool)>, Option<(&'a Value, bool)>),
    /// The same of bounds that stand beside exclusive ones.
    Within(Option<(&'a Value, bool)>, Option<(&'a Value, bool)>),
    /// The length of a text.
    Length(Option<&'a Value>, Option<&'a Value>),
    /// How many items an array has.
    Items(Option<&'a Value>, Option<&'a Value>),
    /// How many properties an object has.
    Properties(Option<&'a Value>, Option<&'a Value>),
    /// A number divides it.
    MultipleOf(&'a Value),
    /// A regular expression.
    Pattern(&'a str),
    /// No item of an array is there twice.
    Unique,
}

impl<'a> ValueLimit<'a> {
    /// Takes the end that it lacks from another of its kind.
    fn complete(&mut self, other: ValueLimit<'a>) {
        match (self, other) {
            (Self::Range(low, high), Self::Range(other_low, other_high))
            | (Self::Within(low, high), Self::Within(other_low, other_high)) => {
                *low = low.or(other_low);
                *high = high.or(other_high);
            }
            (Self::Length(low, high), Self::Length(other_low, other_high))
            | (Self::Items(low, high), Self::Items(other_low, other_high))
            | (Self::Properties(low, high), Self::Properties(other_low, other_high)) => {
                *low = low.or(other_low);
                *high = high.or(other_high);
            }
            _ => {}
        }
    }
}

impl ValueLimit<'_> {
    /// The same by the keywords of JSON Schema, as the console reads it: `minLength:1 maxLength:50`. A pattern stands in
    /// the text beside it.
    pub(crate) fn keywords(&self) -> String {
        let pair = |low: &'static str, high: &'static str, bounds: [&Option<&Value>; 2]| {
            let named = [low, high].into_iter().zip(bounds).filter_map(|(name, value)| Some((name, (*value)?)));
            named.map(|(name, value)| format!("{name}:{}", value_text(value))).collect::<Vec<_>>().join(" ")
        };
        match self {
            Self::Range(low, high) | Self::Within(low, high) => {
                let names = [["minimum", "exclusiveMinimum"], ["maximum", "exclusiveMaximum"]];
                let named = names.into_iter().zip([low, high]).filter_map(|(names, bound)| {
                    bound.map(|(value, is_outside)| format!("{}:{}", names[usize::from(is_outside)], value_text(value)))
                });
                named.collect::<Vec<_>>().join(" ")
            }
            Self::Length(low, high) => pair("minLength", "maxLength", [low, high]),
            Self::Items(low, high) => pair("minItems", "maxItems", [low, high]),
            Self::Properties(low, high) => pair("minProperties", "maxProperties", [low, high]),
            Self::MultipleOf(value) => format!("multipleOf:{}", value_text(value)),
            Self::Pattern(_) => "pattern".to_owned(),
            Self::Unique => "uniqueItems".to_owned(),
        }
    }
}

/// Adds the bounds that a part of a schema sets, unless another part has set them.
pub(crate) fn read_limits<'a>(limits: &mut Vec<ValueLimit<'a>>, members: DocumentMembers<'a>) {
    // some write numbers as texts, or bounds of dates
    let is_bound = |value: &&'a Value| value.is_number() || value.as_str().is_some_and(|text| !text.trim().is_empty());
    let number = |key: &str| member(members, key).filter(is_bound);
    let pair = |low: &str, high: &str| (number(low), number(high));
    let mut add = |limit: ValueLimit<'a>| match limits
        .iter_mut()
        .find(|known| std::mem::discriminant(*known) == std::mem::discriminant(&limit))
    {
        Some(known) => known.complete(limit),
        None => limits.push(limit),
    };
    // of OpenAPI 3.0: a flag beside the bound
    let is_flagged = |key: &str| member(members, key).and_then(Value::as_bool) == Some(true);
    let outside = ["exclusiveMinimum", "exclusiveMaximum"].map(|key| number(key).map(|value| (value, true)));
    let within = ["minimum", "maximum"].map(number);
    let has_both = outside.iter().zip(&within).any(|(outside, within)| outside.is_some() && within.is_some());
    let within = [
        within[0].map(|value| (value, is_flagged("exclusiveMinimum"))),
        within[1].map(|value| (value, is_flagged("exclusiveMaximum"))),
    ];
    let [low, high] = match has_both {
        true => outside,
        false => [outside[0].or(within[0]), outside[1].or(within[1])],
    };
    if low.is_some() || high.is_some() {
        add(ValueLimit::Range(low, high));
    }
    if has_both {
        add(ValueLimit::Within(within[0], within[1]));
    }
    if let pair @ ((Some(_), _) | (_, Some(_))) = pair("minLength", "maxLength") {
        add(ValueLimit::Length(pair.0, pair.1));
    }
    if let pair @ ((Some(_), _) | (_, Some(_))) = pair("minItems", "maxItems") {
        add(ValueLimit::Items(pair.0, pair.1));
    }
    if let pair @ ((Some(_), _) | (_, Some(_))) = pair("minProperties", "maxProperties") {
        add(ValueLimit::Properties(pair.0, pair.1));
    }
    if let Some(value) = number("multipleOf") {
        add(ValueLimit::MultipleOf(value));
    }
    if let Some(pattern) = member(members, "pattern").and_then(Value::as_str) {
        add(ValueLimit::Pattern(pattern));
    }
    if is_flagged("uniqueItems") {
        add(ValueLimit::Unique);
    }
}

/// A range in the signs of mathematics: `1 ≤ x ≤ 100`, `> 0`; behind a name, `length 1–50`.
pub(crate) fn range_text(low: Option<(&Value, bool)>, high: Option<(&Value, bool)>) -> String {
    let [low, high] = [low, high].map(|bound| bound.map(|(value, is_outside)| (value_text(value), is_outside)));
    let sign = |is_outside: bool, within: char, outside: char| if is_outside { outside } else { within };
    match (low, high) {
        (Some((low, low_outside)), Some((high, high_outside))) => {
            format!("{low} {} x {} {high}", sign(low_outside, '≤', '<'), sign(high_outside, '≤', '<'))
        }
        (Some((low, is_outside)), None) => format!("{} {low}", sign(is_outside, '≥', '>')),
        (None, Some((high, is_outside))) => format!("{} {high}", sign(is_outside, '≤', '<')),
        (None, None) => String::new(),
    }
}

/// How many there are of something: `1–50`, `≥ 1`.
pub(crate) fn count_text(low: Option<&Value>, high: Option<&Value>) -> String {
    match (low, high) {
        (Some(low), Some(high)) if low == high => value_text(low),
        (Some(low), Some(high)) => format!("{}–{}", value_text(low), value_text(high)),
        (low, high) => range_text(low.map(|it| (it, false)), high.map(|it| (it, false))),
    }
}

/// A value as readers see it: texts without quotes.
pub(crate) fn value_text(value: &Value) -> String {
    match value {
        Value::String(text) => spelled_number(value).unwrap_or(text).to_owned(),
        other => unquote_spelled_numbers(other.to_string()),
    }
}
