//! What a site says about its API pages: `api` of docs.json, and the front matter.

use serde_json::Value;

use super::facts::SchemaFacts;
use super::limits::value_text;

/// Settings of API pages.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReferenceSettings {
    /// `api.params.expanded`: fields below fields are open.
    pub(crate) is_expanded: bool,
    /// `api.params.post`: keys of schemas whose values are shown beside the type.
    post: Vec<String>,
    /// `api.examples.prefill`: the console starts with examples.
    pub(crate) prefills: bool,
    /// `api.examples.languages`, as written.
    pub(crate) languages: Option<Vec<String>>,
    /// `api.examples.defaults` is `required`: samples have no optional parameters.
    pub(crate) requires_only: bool,
    /// `api.examples.autogenerate`: samples are made from the description.
    pub(crate) generates_samples: bool,
    /// `api.url` is `full`: the address of the server is always shown.
    pub(crate) shows_server: bool,
}

impl ReferenceSettings {
    /// The settings of a site, as written.
    pub(crate) fn of(api: &Value) -> Self {
        let text = |section: &str, key: &str| api.get(section)?.get(key)?.as_str();
        let texts = |value: &Value| match value {
            Value::String(text) => vec![text.clone()],
            Value::Array(items) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            _ => Vec::new(),
        };
        let member = |section: &str, key: &str| api.get(section).and_then(|it| it.get(key));
        Self {
            is_expanded: matches!(text("params", "expanded"), Some("all")),
            post: member("params", "post").map(texts).unwrap_or_default(),
            prefills: member("examples", "prefill").and_then(Value::as_bool).unwrap_or(false),
            languages: member("examples", "languages").map(texts).filter(|list| !list.is_empty()),
            requires_only: text("examples", "defaults") == Some("required"),
            generates_samples: member("examples", "autogenerate").and_then(Value::as_bool).unwrap_or(true),
            shows_server: api.get("url").and_then(Value::as_str) == Some("full"),
        }
    }

    /// What a schema says under the keys of `api.params.post`: what is true by its key, else the value.
    pub(crate) fn extra_labels(&self, facts: &SchemaFacts<'_>) -> Vec<String> {
        let members = || facts.source.and_then(Value::as_object);
        let said = self.post.iter().filter_map(|key| Some((key, members()?.get(key)?)));
        said.filter_map(|(key, value)| match value {
            Value::Bool(true) => Some(key.clone()),
            Value::String(_) | Value::Number(_) => Some(value_text(value)),
            _ => None,
        })
        .collect()
    }
}
