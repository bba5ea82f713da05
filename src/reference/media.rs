//! Bodies by their media types.

use serde_json::Value;

use super::document::{DescriptionDocument, ResolvedObject};
use super::facts::Schema;
use super::fields::{BodyFields, Direction, FieldId};
use super::given::{Example, read_examples};

/// A body of one media type.
pub(crate) struct Media<'a> {
    /// As described: `application/json; charset=utf-8`.
    pub(crate) name: &'a str,
    /// Its root.
    pub(crate) root: FieldId,
    /// Its schema, if one is described.
    pub(crate) schema: Option<&'a Value>,
    /// Examples as described, with what they are called.
    pub(crate) examples: Vec<Example<'a>>,
    /// How the parts of a body with several are sent.
    encoding: Option<&'a Value>,
}

impl<'a> Media<'a> {
    /// Tells the parts of the body which media types they may have.
    pub(crate) fn mark_parts(&self, document: DescriptionDocument<'a>, fields: &mut BodyFields<'a, '_>) {
        for (name, encoding) in document.objects(self.encoding) {
            let Some(types) = encoding.text("contentType") else { continue };
            for part in fields.children_named(self.root, name) {
                fields.node_mut(part).sent_as = Some(types);
            }
        }
    }
}

/// Reads `content`.
pub(crate) fn read_media<'a>(
    document: DescriptionDocument<'a>,
    holder: &ResolvedObject<'a>,
    direction: Direction,
    fields: &mut BodyFields<'a, '_>,
) -> Vec<Media<'a>> {
    let content = holder.get("content").and_then(Value::as_object).into_iter().flatten();
    content
        .map(|(name, value)| {
            let media = document.object(value);
            // of OpenAPI 3.2: what a stream consists of
            let schema = media.get("schema").or_else(|| media.get("itemSchema"));
            Media {
                name,
                root: fields.add_root(&Schema::of(schema), direction),
                schema,
                examples: read_examples(document, &media),
                encoding: media.get("encoding"),
            }
        })
        .collect()
}

/// Whether a media type is JSON: `application/json`, `application/problem+json`.
pub(crate) fn is_json(name: &str) -> bool {
    let essence = essence(name);
    essence.ends_with("/json") || essence.ends_with("+json")
}

/// A media type without its parameters, in lower case.
pub(crate) fn essence(name: &str) -> String {
    name.split(';').next().unwrap_or(name).trim().to_ascii_lowercase()
}
