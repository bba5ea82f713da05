//! Objects of JSON in the making, for configurations that are rewritten.

use super::json::{Json, JsonSpot, JsonValue, Member};

/// An object in the making.
#[derive(Debug)]
pub(crate) struct ObjectBuilder {
    at: JsonSpot,
    pub members: Vec<Member>,
}

impl ObjectBuilder {
    pub(crate) fn new(at: JsonSpot) -> Self {
        Self { at, members: Vec::new() }
    }
    /// Sets a member if there is a value for it.
    pub(crate) fn set(&mut self, key: &str, json: Option<Json>) {
        if let Some(json) = json {
            self.members.push(Member { key: key.to_owned(), key_at: json.at, json });
        }
    }
    pub(crate) fn into_json(self) -> Json {
        Json::new(self.at, JsonValue::Object(self.members))
    }
    /// The object, unless it is empty.
    pub(crate) fn into_some(self) -> Option<Json> {
        (!self.members.is_empty()).then(|| self.into_json())
    }
}

/// A copy of an object with other names for its members; members without a new name are dropped.
pub(crate) fn renamed(old: Option<&Json>, names: &[(&str, &str)]) -> Option<Json> {
    let old = old?;
    let mut new = ObjectBuilder::new(old.at);
    for (from, to) in names {
        new.set(to, old.member(from).cloned());
    }
    new.into_some()
}
