//! Values of the wrong type. Words that should be text and are a number or a flag become text, as YAML writes them
//! without quotes; what should be a list or an object and is none is left out by all who read it, and is told.

use serde_json::Value;

use crate::base::Diagnostic;

use super::operation::escape_pointer_segment;
use super::places::Problem;
use super::reference::{FILES, has_names, is_looked_at, with_segment};

/// Most problems of one description that are reported one by one.
const MAX_REPORTED: usize = 20;

/// What stands behind a word of the format.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Object,
    /// An object of objects: `paths`, `properties`.
    Objects,
    List,
    Text,
}

const WORDS: [(&str, Shape); 26] = [
    ("allOf", Shape::List),
    ("anyOf", Shape::List),
    ("components", Shape::Object),
    ("content", Shape::Objects),
    ("delete", Shape::Object),
    ("description", Shape::Text),
    ("format", Shape::Text),
    ("get", Shape::Object),
    ("info", Shape::Object),
    ("name", Shape::Text),
    ("oneOf", Shape::List),
    ("operationId", Shape::Text),
    ("patch", Shape::Object),
    ("paths", Shape::Objects),
    ("payload", Shape::Object),
    ("post", Shape::Object),
    ("properties", Shape::Objects),
    ("put", Shape::Object),
    ("requestBody", Shape::Object),
    ("responses", Shape::Objects),
    ("schemas", Shape::Objects),
    ("security", Shape::List),
    ("summary", Shape::Text),
    ("tags", Shape::List),
    ("title", Shape::Text),
    ("webhooks", Shape::Objects),
];

/// Makes text of what should be text, and says what is of no use.
pub(super) fn tidy(document: &mut Value) -> Vec<Problem> {
    let mut tidy = Tidy { path: String::new(), problems: Vec::new(), more: 0 };
    if let Some(members) = document.as_object_mut() {
        for (key, member) in members.iter_mut() {
            tidy.path = format!("/{}", escape_pointer_segment(key));
            if key == FILES {
                tidy.value(member, true);
            } else if is_looked_at(key, member) {
                tidy.member(key, member);
            }
        }
    }
    if tidy.more > 0 {
        let message = format!("{} more values of the wrong type are left out", tidy.more);
        tidy.problems.push(Problem { pointer: String::new(), what: Diagnostic::new("openapi-type", message) });
    }
    tidy.problems
}

struct Tidy {
    path: String,
    problems: Vec<Problem>,
    more: usize,
}

impl Tidy {
    /// Recursion is bounded by the depth that the parsers allow.
    fn value(&mut self, value: &mut Value, is_map: bool) {
        match value {
            Value::Array(items) => {
                for (at, item) in items.iter_mut().enumerate() {
                    self.below(&at.to_string(), |tidy| tidy.value(item, false));
                }
            }
            Value::Object(members) => {
                for (key, member) in members.iter_mut() {
                    if is_map {
                        self.below(&escape_pointer_segment(key), |tidy| tidy.value(member, false));
                    } else if is_looked_at(key, member) {
                        self.below(&escape_pointer_segment(key), |tidy| tidy.member(key, member));
                    }
                }
            }
            _ => {}
        }
    }

    /// A member of an object whose keys are words of the format.
    fn member(&mut self, key: &str, member: &mut Value) {
        let shape = WORDS.binary_search_by_key(&key, |(word, _)| word).ok().map(|at| WORDS[at].1);
        match shape {
            // what is left empty is not there
            _ if member.is_null() => return,
            Some(Shape::Text) if member.is_number() || member.is_boolean() => *member = member.to_string().into(),
            Some(Shape::Text) => {}
            Some(Shape::List) if !member.is_array() => self.tell(key, "a list", member),
            // a schema may be a flag
            Some(Shape::Object | Shape::Objects)
                if !(member.is_object() || key == "payload" && member.is_boolean()) =>
            {
                self.tell(key, "an object", member);
            }
            Some(Shape::Objects) => {
                for (name, one) in member.as_object_mut().into_iter().flatten() {
                    let is_fine = one.is_object() || one.is_null() || one.is_boolean() || name.starts_with("x-");
                    if !is_fine {
                        self.below(&escape_pointer_segment(name), |tidy| tidy.tell(name, "an object", one));
                    }
                }
            }
            _ => {}
        }
        let is_map = has_names(key, member);
        self.value(member, is_map);
    }

    fn tell(&mut self, key: &str, expected: &str, found: &Value) {
        if self.problems.len() >= MAX_REPORTED {
            self.more += 1;
            return;
        }
        let is = match found {
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
            Value::String(_) => "text",
            _ => "a number or a flag",
        };
        let message = format!("`{key}` is {is}, not {expected}; it is left out");
        self.problems.push(Problem { pointer: self.path.clone(), what: Diagnostic::new("openapi-type", message) });
    }

    fn below(&mut self, segment: &str, with: impl FnOnce(&mut Self)) {
        let mut path = std::mem::take(&mut self.path);
        with_segment(&mut path, segment, |path| {
            self.path = std::mem::take(path);
            with(self);
            *path = std::mem::take(&mut self.path);
        });
        self.path = path;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn words_are_text_and_the_rest_is_told() {
        assert!(WORDS.is_sorted_by_key(|(word, _)| word));
        let mut document = json!({
            "openapi": 3.1, "info": {"title": 2024, "version": 1.0}, "tags": {"name": "t"},
            "paths": {
                "/a": {"get": {"summary": true, "tags": "t", "responses": {"200": {"description": null}, "201": "Fine", "x-own": 1}}, "post": []},
                "/b": "text",
                "x-own": 1,
                "title": {"get": {"x-own": {"responses": 1}, "responses": {"200": {"content": {"a/b": {"schema": {"anyOf": "a", "properties": {"enum": true, "title": {}}, "example": {"tags": 1}}}}}}}},
            },
        });
        let reported: Vec<String> =
            tidy(&mut document).into_iter().map(|it| format!("{} {}", it.pointer, it.what.message)).collect();
        assert_eq!(
            reported,
            [
                "/tags `tags` is an object, not a list; it is left out",
                "/paths/~1b `/b` is text, not an object; it is left out",
                "/paths/~1a/get/tags `tags` is text, not a list; it is left out",
                "/paths/~1a/get/responses/201 `201` is text, not an object; it is left out",
                "/paths/~1a/post `post` is a list, not an object; it is left out",
                "/paths/title/get/responses/200/content/a~1b/schema/anyOf `anyOf` is text, not a list; it is left out",
            ]
        );
        assert_eq!(document["info"]["title"], json!("2024"));
        assert_eq!(document["paths"]["/a"]["get"]["summary"], json!("true"));
    }
}
