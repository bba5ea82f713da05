//! Words of the format, with what stands behind them.

/// What stands behind a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A number; of older versions a flag.
    Bound,
    /// A list of values, or an object of examples.
    Examples,
    Flag,
    /// A schema, or of old drafts a list of them.
    Items,
    List,
    ListOfObjects,
    /// A list of texts.
    Names,
    Number,
    Object,
    /// An object of objects: `paths`, `properties`.
    Objects,
    /// A list; where parts are shared, an object of objects.
    Parameters,
    Reference,
    /// An object or a flag.
    Schema,
    /// A list of them.
    Schemas,
    /// A list of objects of lists.
    Security,
    Text,
    /// A text or a list of texts.
    Types,
}

impl Shape {
    /// Whether an object may stand there.
    pub(super) fn is_of_objects(self) -> bool {
        matches!(self, Self::Examples | Self::Items | Self::Object | Self::Objects | Self::Schema)
    }

    /// What is expected, in words.
    pub(super) fn expected(self) -> &'static str {
        match self {
            Self::Bound | Self::Number => "a number",
            Self::Examples => "a list or an object",
            Self::Flag => "true or false",
            Self::Items | Self::Object | Self::Objects | Self::Schema => "an object",
            Self::List | Self::ListOfObjects | Self::Names | Self::Parameters | Self::Schemas | Self::Security => {
                "a list"
            }
            Self::Reference | Self::Text => "text",
            Self::Types => "text or a list",
        }
    }
}

/// The words, with their shape, and whether only OpenAPI gives them that meaning.
const WORDS: [(&str, Shape, bool); 82] = [
    ("$defs", Shape::Objects, true),
    ("$ref", Shape::Reference, true),
    ("additionalProperties", Shape::Schema, true),
    ("allOf", Shape::Schemas, false),
    ("allowEmptyValue", Shape::Flag, true),
    ("allowReserved", Shape::Flag, true),
    ("anyOf", Shape::Schemas, false),
    ("callbacks", Shape::Objects, true),
    ("components", Shape::Object, false),
    ("contains", Shape::Schema, true),
    ("content", Shape::Objects, false),
    ("definitions", Shape::Objects, true),
    ("delete", Shape::Object, false),
    ("dependentSchemas", Shape::Objects, true),
    ("deprecated", Shape::Flag, true),
    ("description", Shape::Text, false),
    ("discriminator", Shape::Object, true),
    ("else", Shape::Schema, true),
    ("encoding", Shape::Objects, true),
    ("enum", Shape::List, true),
    ("examples", Shape::Examples, true),
    ("exclusiveMaximum", Shape::Bound, true),
    ("exclusiveMinimum", Shape::Bound, true),
    ("explode", Shape::Flag, true),
    ("externalDocs", Shape::Object, true),
    ("flows", Shape::Objects, true),
    ("format", Shape::Text, false),
    ("get", Shape::Object, false),
    ("head", Shape::Object, true),
    ("headers", Shape::Objects, true),
    ("if", Shape::Schema, true),
    ("in", Shape::Text, true),
    ("info", Shape::Object, false),
    ("items", Shape::Items, true),
    ("links", Shape::Objects, true),
    ("mapping", Shape::Object, true),
    ("maxItems", Shape::Number, true),
    ("maxLength", Shape::Number, true),
    ("maxProperties", Shape::Number, true),
    ("maximum", Shape::Number, true),
    ("minItems", Shape::Number, true),
    ("minLength", Shape::Number, true),
    ("minProperties", Shape::Number, true),
    ("minimum", Shape::Number, true),
    ("multipleOf", Shape::Number, true),
    ("name", Shape::Text, false),
    ("not", Shape::Schema, true),
    ("nullable", Shape::Flag, true),
    ("oneOf", Shape::Schemas, false),
    ("operationId", Shape::Text, false),
    ("options", Shape::Object, true),
    ("parameters", Shape::Parameters, true),
    ("patch", Shape::Object, false),
    ("paths", Shape::Objects, false),
    ("pattern", Shape::Text, true),
    ("patternProperties", Shape::Objects, true),
    ("payload", Shape::Schema, false),
    ("post", Shape::Object, false),
    ("prefixItems", Shape::Schemas, true),
    ("properties", Shape::Objects, false),
    ("propertyNames", Shape::Schema, true),
    ("put", Shape::Object, false),
    ("readOnly", Shape::Flag, true),
    ("requestBodies", Shape::Objects, true),
    ("requestBody", Shape::Object, false),
    ("required", Shape::Names, true),
    ("responses", Shape::Objects, false),
    ("schema", Shape::Schema, true),
    ("schemas", Shape::Objects, false),
    ("security", Shape::Security, false),
    ("securitySchemes", Shape::Objects, true),
    ("servers", Shape::ListOfObjects, true),
    ("summary", Shape::Text, false),
    ("tags", Shape::Names, false),
    ("then", Shape::Schema, true),
    ("title", Shape::Text, false),
    ("type", Shape::Types, true),
    ("uniqueItems", Shape::Flag, true),
    ("url", Shape::Text, true),
    ("variables", Shape::Objects, true),
    ("webhooks", Shape::Objects, false),
    ("writeOnly", Shape::Flag, true),
];

/// What stands behind a word.
pub(super) fn shape_of(key: &str) -> Option<Shape> {
    WORDS.binary_search_by_key(&key, |(word, ..)| word).ok().and_then(|at| WORDS.get(at)).map(|(_, shape, _)| *shape)
}

/// Whether only OpenAPI gives a word its meaning.
pub(super) fn is_of_openapi(key: &str) -> bool {
    let at = WORDS.binary_search_by_key(&key, |(word, ..)| word).ok();
    at.and_then(|at| WORDS.get(at)).is_some_and(|(_, _, is_of_openapi)| *is_of_openapi)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found() {
        assert!(WORDS.is_sorted_by_key(|(word, ..)| word));
        assert_eq!((shape_of("title"), shape_of("colour")), (Some(Shape::Text), None));
        assert!(is_of_openapi("required") && !is_of_openapi("paths"));
    }
}
