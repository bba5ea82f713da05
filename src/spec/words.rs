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
    /// An object of lists of texts.
    NamesByName,
    Number,
    Object,
    /// An object of objects: `paths`, `properties`.
    Objects,
    /// A list; where parts are shared, an object of objects.
    Parameters,
    Reference,
    /// A list of objects with a text that is shown, `source`.
    Samples,
    /// An object or a flag.
    Schema,
    /// A list of them.
    Schemas,
    /// A list of objects of lists.
    Security,
    Text,
    /// An object of texts.
    Texts,
    /// A text or a list of texts.
    Types,
}

impl Shape {
    /// Whether an object may stand there.
    pub(super) fn is_of_objects(self) -> bool {
        matches!(
            self,
            Self::Examples
                | Self::Items
                | Self::NamesByName
                | Self::Object
                | Self::Objects
                | Self::Schema
                | Self::Texts
        )
    }

    /// Whether what stands there has no words of the format in it.
    pub(super) fn is_plain(self) -> bool {
        matches!(self, Self::NamesByName | Self::Samples | Self::Texts)
    }

    /// What is expected, in words.
    pub(super) fn expected(self) -> &'static str {
        match self {
            Self::Bound | Self::Number => "a number",
            Self::Examples => "a list or an object",
            Self::Flag => "true or false",
            Self::Items | Self::NamesByName | Self::Object | Self::Objects | Self::Schema | Self::Texts => "an object",
            Self::List
            | Self::ListOfObjects
            | Self::Names
            | Self::Parameters
            | Self::Samples
            | Self::Schemas
            | Self::Security => "a list",
            Self::Reference | Self::Text => "text",
            Self::Types => "text or a list",
        }
    }
}

/// The words, with their shape, and whether only OpenAPI gives them that meaning.
const WORDS: [(&str, Shape, bool); 116] = [
    ("$defs", Shape::Objects, true),
    ("$ref", Shape::Reference, false),
    ("additionalOperations", Shape::Objects, true),
    ("additionalProperties", Shape::Schema, false),
    ("allOf", Shape::Schemas, false),
    ("allowEmptyValue", Shape::Flag, true),
    ("allowReserved", Shape::Flag, true),
    ("anyOf", Shape::Schemas, false),
    ("authorizationUrl", Shape::Text, false),
    ("callbacks", Shape::Objects, true),
    ("components", Shape::Object, false),
    ("contains", Shape::Schema, true),
    ("content", Shape::Objects, false),
    ("contentEncoding", Shape::Text, true),
    ("contentMediaType", Shape::Text, true),
    ("contentType", Shape::Text, false),
    ("definitions", Shape::Objects, true),
    ("delete", Shape::Object, false),
    ("dependentRequired", Shape::NamesByName, true),
    ("dependentSchemas", Shape::Objects, true),
    ("deprecated", Shape::Flag, false),
    ("description", Shape::Text, false),
    ("deviceAuthorizationUrl", Shape::Text, true),
    ("discriminator", Shape::Object, false),
    ("else", Shape::Schema, true),
    ("encoding", Shape::Objects, true),
    ("enum", Shape::List, false),
    ("examples", Shape::Examples, true),
    ("exclusiveMaximum", Shape::Bound, false),
    ("exclusiveMinimum", Shape::Bound, false),
    ("explode", Shape::Flag, true),
    ("externalDocs", Shape::Object, true),
    ("flows", Shape::Objects, false),
    ("format", Shape::Text, false),
    ("get", Shape::Object, false),
    ("head", Shape::Object, true),
    ("headers", Shape::Objects, true),
    ("if", Shape::Schema, true),
    ("in", Shape::Text, true),
    ("info", Shape::Object, false),
    ("itemSchema", Shape::Schema, true),
    ("items", Shape::Items, true),
    ("links", Shape::Objects, true),
    ("mapping", Shape::Texts, true),
    ("maxContains", Shape::Number, true),
    ("maxItems", Shape::Number, false),
    ("maxLength", Shape::Number, false),
    ("maxProperties", Shape::Number, false),
    ("maximum", Shape::Number, false),
    ("mediaTypes", Shape::Objects, true),
    ("minContains", Shape::Number, true),
    ("minItems", Shape::Number, false),
    ("minLength", Shape::Number, false),
    ("minProperties", Shape::Number, false),
    ("minimum", Shape::Number, false),
    ("multipleOf", Shape::Number, false),
    ("name", Shape::Text, false),
    ("not", Shape::Schema, true),
    ("nullable", Shape::Flag, true),
    ("oauth2MetadataUrl", Shape::Text, true),
    ("oneOf", Shape::Schemas, false),
    ("openIdConnectUrl", Shape::Text, false),
    ("operationId", Shape::Text, false),
    ("operationRef", Shape::Text, true),
    ("options", Shape::Object, true),
    ("parameters", Shape::Parameters, true),
    ("patch", Shape::Object, false),
    ("pathItems", Shape::Objects, true),
    ("paths", Shape::Objects, false),
    ("pattern", Shape::Text, false),
    ("patternProperties", Shape::Objects, false),
    ("payload", Shape::Schema, false),
    ("post", Shape::Object, false),
    ("prefixItems", Shape::Schemas, true),
    ("properties", Shape::Objects, false),
    ("propertyNames", Shape::Schema, true),
    ("put", Shape::Object, false),
    ("query", Shape::Object, true),
    ("readOnly", Shape::Flag, false),
    ("refreshUrl", Shape::Text, false),
    ("requestBodies", Shape::Objects, true),
    ("requestBody", Shape::Object, false),
    ("required", Shape::Names, false),
    ("responses", Shape::Objects, false),
    ("schema", Shape::Schema, true),
    ("schemas", Shape::Objects, false),
    ("scheme", Shape::Text, false),
    ("scopes", Shape::Texts, true),
    ("security", Shape::Security, false),
    ("securitySchemes", Shape::Objects, false),
    ("server", Shape::Object, true),
    ("servers", Shape::ListOfObjects, true),
    ("style", Shape::Text, true),
    ("summary", Shape::Text, false),
    ("tags", Shape::Names, false),
    ("then", Shape::Schema, true),
    ("title", Shape::Text, false),
    ("tokenUrl", Shape::Text, false),
    ("trace", Shape::Object, true),
    ("type", Shape::Types, true),
    ("unevaluatedProperties", Shape::Schema, true),
    ("uniqueItems", Shape::Flag, false),
    ("url", Shape::Text, true),
    ("variables", Shape::Objects, false),
    ("webhooks", Shape::Objects, false),
    ("writeOnly", Shape::Flag, false),
    ("x-code-samples", Shape::Samples, true),
    ("x-codeSamples", Shape::Samples, true),
    ("x-enum-descriptions", Shape::Examples, true),
    ("x-enum-names", Shape::List, true),
    ("x-enum-varnames", Shape::List, true),
    ("x-enumDescriptions", Shape::Examples, true),
    ("x-enumNames", Shape::List, true),
    ("x-excluded", Shape::Flag, false),
    ("x-hidden", Shape::Flag, false),
    ("x-mint", Shape::Object, false),
];

/// What stands behind words of AsyncAPI.
const WORDS_OF_EVENTS: [(&str, Shape); 21] = [
    ("action", Shape::Text),
    ("address", Shape::Text),
    ("availableScopes", Shape::Texts),
    ("bindings", Shape::Object),
    ("channel", Shape::Object),
    ("channels", Shape::Objects),
    ("examples", Shape::List),
    ("headers", Shape::Schema),
    ("host", Shape::Text),
    ("messages", Shape::Objects),
    ("operations", Shape::Objects),
    ("parameters", Shape::Objects),
    ("pathname", Shape::Text),
    ("protocol", Shape::Text),
    ("publish", Shape::Object),
    ("scopes", Shape::Names),
    ("security", Shape::ListOfObjects),
    ("servers", Shape::Objects),
    ("subscribe", Shape::Object),
    ("tags", Shape::List),
    ("traits", Shape::List),
];

/// Members of some objects that mean something only there.
pub(super) fn members_of(key: &str) -> &'static [(&'static str, Shape)] {
    match key {
        "discriminator" => &[("propertyName", Shape::Text), ("mapping", Shape::Texts), ("defaultMapping", Shape::Text)],
        "x-mint" => &[("content", Shape::Text), ("href", Shape::Text), ("metadata", Shape::Object)],
        _ => &[],
    }
}

/// What stands behind a word of OpenAPI, or of AsyncAPI.
pub(super) fn shape_of(key: &str, is_openapi: bool) -> Option<Shape> {
    let of_events = || {
        let at = WORDS_OF_EVENTS.binary_search_by_key(&key, |(word, _)| word).ok()?;
        WORDS_OF_EVENTS.get(at).map(|(_, shape)| *shape)
    };
    let of_both = || {
        let at = WORDS.binary_search_by_key(&key, |(word, ..)| word).ok()?;
        WORDS.get(at).filter(|(.., only_openapi)| is_openapi || !only_openapi).map(|(_, shape, _)| *shape)
    };
    if is_openapi { of_both() } else { of_events().or_else(of_both) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found() {
        assert!(WORDS.is_sorted_by_key(|(word, ..)| word) && WORDS_OF_EVENTS.is_sorted_by_key(|(word, _)| word));
        assert_eq!((shape_of("title", true), shape_of("colour", true)), (Some(Shape::Text), None));
        assert_eq!(
            (shape_of("servers", true), shape_of("servers", false)),
            (Some(Shape::ListOfObjects), Some(Shape::Objects))
        );
        assert_eq!((shape_of("nullable", true), shape_of("nullable", false)), (Some(Shape::Flag), None));
    }
}
