//! A description whose references are all local: `#/components/schemas/Order`.

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use spec::unescape_pointer_segment;

/// The members of an object.
pub(crate) type DocumentMembers<'a> = &'a Map<String, Value>;

/// References that are followed one after the other: circles end.
const MAX_DOCUMENT_REFERENCES: usize = 20;

/// A description.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DescriptionDocument<'a> {
    root: &'a Value,
}

/// Objects with up to this many members are searched from the first on: sooner done than hashing a name.
const FEW_MEMBERS: usize = 12;

/// A member of an object.
pub(crate) fn member<'a>(members: DocumentMembers<'a>, name: &str) -> Option<&'a Value> {
    if members.len() > FEW_MEMBERS {
        return members.get(name);
    }
    members.iter().find_map(|(key, value)| (key == name).then_some(value))
}

impl<'a> DescriptionDocument<'a> {
    /// The description with this root.
    pub(crate) fn new(root: &'a Value) -> Self {
        Self { root }
    }

    /// All of it.
    pub(crate) fn root(self) -> &'a Value {
        self.root
    }

    /// A member of the root.
    pub(crate) fn get(self, key: &str) -> Option<&'a Value> {
        self.root.get(key)
    }

    /// What a reference names.
    pub(crate) fn at(self, reference: &str) -> Option<&'a Value> {
        let pointer = reference.strip_prefix('#')?;
        if !pointer.contains('%') {
            return self.root.pointer(pointer);
        }
        self.root.pointer(&percent_decode_str(pointer).decode_utf8().ok()?)
    }

    /// An object with what its references lead to.
    pub(crate) fn object(self, value: &'a Value) -> ResolvedObject<'a> {
        self.members(value.as_object())
    }

    /// The same of the members of an object.
    pub(crate) fn members(self, members: Option<DocumentMembers<'a>>) -> ResolvedObject<'a> {
        let mut layers = Vec::with_capacity(1);
        let mut next = members;
        while let Some(members) = next.filter(|_| layers.len() < MAX_DOCUMENT_REFERENCES) {
            layers.push(members);
            next = object_reference(members).and_then(|reference| self.at(reference)).and_then(Value::as_object);
        }
        ResolvedObject { layers }
    }

    /// The objects of a map, in its order, with their names. Extensions (`x-…`) are left out.
    pub(crate) fn objects(self, map: Option<&'a Value>) -> impl Iterator<Item = (&'a str, ResolvedObject<'a>)> {
        let members = map.and_then(Value::as_object).into_iter().flatten();
        members
            .filter(|(name, _)| !name.starts_with("x-"))
            .map(move |(name, value)| (name.as_str(), self.object(value)))
    }
}

/// What an object refers to.
pub(crate) fn object_reference(members: DocumentMembers<'_>) -> Option<&str> {
    member(members, "$ref")?.as_str()
}

/// The name that a reference gives to what it leads to: the last part of its pointer, or the name of a file.
pub(crate) fn reference_name(reference: &str) -> String {
    let last = reference.rsplit('/').next().unwrap_or(reference);
    let last = percent_decode_str(last).decode_utf8_lossy();
    if !last.contains('~') {
        return last.into_owned();
    }
    // a whole file of several: `#/x-files/schemas~1order.yaml`
    let path = unescape_pointer_segment(&last);
    let file = path.rsplit('/').next().unwrap_or(&path);
    file.split('.').next().unwrap_or(file).to_owned()
}

/// An object with what its references lead to: members beside a reference win over those of its target.
#[derive(Clone, Debug, Default)]
pub(crate) struct ResolvedObject<'a> {
    /// The outermost first.
    layers: Vec<DocumentMembers<'a>>,
}

impl<'a> ResolvedObject<'a> {
    /// An object without references.
    pub(crate) fn of(members: DocumentMembers<'a>) -> Self {
        Self { layers: vec![members] }
    }

    /// A member.
    pub(crate) fn get(&self, key: &str) -> Option<&'a Value> {
        self.layers.iter().find_map(|members| member(members, key))
    }

    /// A text that says something.
    pub(crate) fn text(&self, key: &str) -> Option<&'a str> {
        self.get(key)?.as_str().map(str::trim).filter(|text| !text.is_empty())
    }

    /// Whether a member is `true`.
    pub(crate) fn flag(&self, key: &str) -> bool {
        self.get(key).and_then(Value::as_bool) == Some(true)
    }

    /// The items of a list.
    pub(crate) fn list(&self, key: &str) -> &'a [Value] {
        self.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn members_beside_a_reference_win() {
        let root = json!({
            "a": {"$ref": "#/b", "description": "Own"},
            "b": {"$ref": "#/c~1d", "deprecated": true},
            "c/d": {"description": "Theirs", "name": "n"},
            "loop": {"$ref": "#/loop", "name": "here"}
        });
        let document = DescriptionDocument::new(&root);
        let object = document.object(&root["a"]);
        assert_eq!((object.text("description"), object.text("name")), (Some("Own"), Some("n")));
        assert!(object.flag("deprecated") && !object.flag("name"));
        assert_eq!(document.object(&root["loop"]).text("name"), Some("here"));
        assert!(document.at("#/none").is_none() && document.at("other.yaml#/a").is_none());
    }

    #[test]
    fn names_of_references() {
        for (reference, name) in [
            ("#/components/schemas/Order", "Order"),
            ("#/components/schemas/Big%20Order", "Big Order"),
            ("#/x-files/schemas~1order.yaml", "order"),
            ("#/x-files/other.yaml/definitions/Pet", "Pet"),
        ] {
            assert_eq!(reference_name(reference), name);
        }
    }
}
