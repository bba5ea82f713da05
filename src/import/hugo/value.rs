//! The values that templates work with.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use base::FileId;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum HugoValue<'d> {
    Nothing,
    Text(String),
    Number(f64),
    Bool(bool),
    List(Vec<HugoValue<'d>>),
    /// What `dict` makes.
    Map(BTreeMap<String, HugoValue<'d>>),
    /// A list or mapping of `data`.
    Data(&'d Json),
    /// A page or another file of the content.
    Page(FileId),
    /// The parameters of a page.
    Params(FileId),
    /// A thing of Hugo with fields: `Site`, `Shortcode`.
    Thing(&'static str),
}

impl<'d> HugoValue<'d> {
    pub(super) fn is_true(&self) -> bool {
        match self {
            Self::Nothing => false,
            Self::Text(text) => !text.is_empty(),
            Self::Number(number) => *number != 0.0,
            Self::Bool(on) => *on,
            Self::List(all) => !all.is_empty(),
            Self::Map(all) => !all.is_empty(),
            Self::Data(_) => self.count().is_some_and(|count| count > 0),
            Self::Page(_) | Self::Params(_) | Self::Thing(_) => true,
        }
    }

    pub(super) fn text(&self) -> String {
        match self {
            Self::Nothing | Self::List(_) | Self::Map(_) | Self::Data(_) => String::new(),
            Self::Page(_) | Self::Params(_) | Self::Thing(_) => String::new(),
            Self::Text(text) => text.clone(),
            Self::Number(number) => number.to_string(),
            Self::Bool(on) => on.to_string(),
        }
    }

    pub(super) fn of(text: Option<String>) -> Self {
        text.map_or(Self::Nothing, Self::Text)
    }

    /// The same as [`Self::of_data`], of data that is not kept.
    pub(super) fn of_json(data: &Json) -> Self {
        match data {
            Json::Array(all) => Self::List(all.iter().map(Self::of_json).collect()),
            Json::Object(all) => {
                Self::Map(all.iter().map(|(key, value)| (key.clone(), Self::of_json(value))).collect())
            }
            Json::Null => Self::Nothing,
            Json::Bool(on) => Self::Bool(*on),
            Json::Number(number) => Self::Number(number.as_f64().unwrap_or_default()),
            // YAML of pages is read as text
            Json::String(text) => match text.as_str() {
                "true" => Self::Bool(true),
                "false" => Self::Bool(false),
                text => Self::Text(text.to_owned()),
            },
        }
    }

    pub(super) fn of_data(data: &'d Json) -> Self {
        match data {
            Json::Null => Self::Nothing,
            Json::Bool(on) => Self::Bool(*on),
            Json::Number(number) => Self::Number(number.as_f64().unwrap_or_default()),
            Json::String(text) => Self::Text(text.clone()),
            Json::Array(_) | Json::Object(_) => Self::Data(data),
        }
    }

    /// How many values a list or mapping has.
    pub(super) fn count(&self) -> Option<usize> {
        match self {
            Self::List(all) => Some(all.len()),
            Self::Map(all) => Some(all.len()),
            Self::Data(Json::Array(all)) => Some(all.len()),
            Self::Data(Json::Object(all)) => Some(all.len()),
            _ => None,
        }
    }

    /// The values of a list with their numbers, or those of a mapping with their keys; `None` if it is neither.
    pub(super) fn entries(&self) -> Option<Vec<(HugoValue<'d>, HugoValue<'d>)>> {
        let numbered = |all: Vec<HugoValue<'d>>| {
            all.into_iter().enumerate().map(|(at, value)| (HugoValue::Number(at as f64), value)).collect()
        };
        Some(match self {
            Self::Nothing => Vec::new(),
            Self::List(all) => numbered(all.clone()),
            Self::Map(all) => all.iter().map(|(key, value)| (HugoValue::Text(key.clone()), value.clone())).collect(),
            Self::Data(Json::Array(all)) => numbered(all.iter().map(HugoValue::of_data).collect()),
            Self::Data(Json::Object(all)) => {
                let mut keys: Vec<&String> = all.keys().collect();
                keys.sort();
                keys.into_iter().map(|key| (HugoValue::Text(key.clone()), HugoValue::of_data(&all[key]))).collect()
            }
            Self::Number(count) if (1.0..=1000.0).contains(count) => {
                numbered((0..*count as usize).map(|at| HugoValue::Number(at as f64)).collect())
            }
            _ => return None,
        })
    }

    /// A member of a mapping; names of data have no case in Hugo's configuration, and are tried as written first.
    pub(super) fn member(&self, name: &str) -> Option<HugoValue<'d>> {
        match self {
            Self::Map(all) => {
                let folded = || all.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value);
                Some(all.get(name).or_else(folded).cloned().unwrap_or(Self::Nothing))
            }
            Self::Data(Json::Object(all)) => {
                let found = all
                    .get(name)
                    .or_else(|| all.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value));
                Some(found.map_or(Self::Nothing, Self::of_data))
            }
            _ => None,
        }
    }
}
