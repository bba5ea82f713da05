//! Words of the format, with what stands behind them.

/// The kind of value that a key has in a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordShape {
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

impl WordShape {
    /// Whether an object may be the value of such a key.
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

    /// The expected kind of value, in words for a message.
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
const WORDS: [(&str, WordShape, bool); 116] = [
    ("$defs", WordShape::Objects, true),
    ("$ref", WordShape::Reference, false),
    ("additionalOperations", WordShape::Objects, true),
    ("additionalProperties", WordShape::Schema, false),
    ("allOf", WordShape::Schemas, false),
    ("allowEmptyValue", WordShape::Flag, true),
    ("allowReserved", WordShape::Flag, true),
    ("anyOf", WordShape::Schemas, false),
    ("authorizationUrl", WordShape::Text, false),
    ("callbacks", WordShape::Objects, true),
    ("components", WordShape::Object, false),
    ("contains", WordShape::Schema, true),
    ("content", WordShape::Objects, false),
    ("contentEncoding", WordShape::Text, true),
    ("contentMediaType", WordShape::Text, true),
    ("contentType", WordShape::Text, false),
    ("definitions", WordShape::Objects, true),
    ("delete", WordShape::Object, false),
    ("dependentRequired", WordShape::NamesByName, true),
    ("dependentSchemas", WordShape::Objects, true),
    ("deprecated", WordShape::Flag, false),
    ("description", WordShape::Text, false),
    ("deviceAuthorizationUrl", WordShape::Text, true),
    ("discriminator", WordShape::Object, false),
    ("else", WordShape::Schema, true),
    ("encoding", WordShape::Objects, true),
    ("enum", WordShape::List, false),
    ("examples", WordShape::Examples, true),
    ("exclusiveMaximum", WordShape::Bound, false),
    ("exclusiveMinimum", WordShape::Bound, false),
    ("explode", WordShape::Flag, true),
    ("externalDocs", WordShape::Object, true),
    ("flows", WordShape::Objects, false),
    ("format", WordShape::Text, false),
    ("get", WordShape::Object, false),
    ("head", WordShape::Object, true),
    ("headers", WordShape::Objects, true),
    ("if", WordShape::Schema, true),
    ("in", WordShape::Text, true),
    ("info", WordShape::Object, false),
    ("itemSchema", WordShape::Schema, true),
    ("items", WordShape::Items, true),
    ("links", WordShape::Objects, true),
    ("mapping", WordShape::Texts, true),
    ("maxContains", WordShape::Number, true),
    ("maxItems", WordShape::Number, false),
    ("maxLength", WordShape::Number, false),
    ("maxProperties", WordShape::Number, false),
    ("maximum", WordShape::Number, false),
    ("mediaTypes", WordShape::Objects, true),
    ("minContains", WordShape::Number, true),
    ("minItems", WordShape::Number, false),
    ("minLength", WordShape::Number, false),
    ("minProperties", WordShape::Number, false),
    ("minimum", WordShape::Number, false),
    ("multipleOf", WordShape::Number, false),
    ("name", WordShape::Text, false),
    ("not", WordShape::Schema, true),
    ("nullable", WordShape::Flag, true),
    ("oauth2MetadataUrl", WordShape::Text, true),
    ("oneOf", WordShape::Schemas, false),
    ("openIdConnectUrl", WordShape::Text, false),
    ("operationId", WordShape::Text, false),
    ("operationRef", WordShape::Text, true),
    ("options", WordShape::Object, true),
    ("parameters", WordShape::Parameters, true),
    ("patch", WordShape::Object, false),
    ("pathItems", WordShape::Objects, true),
    ("paths", WordShape::Objects, false),
    ("pattern", WordShape::Text, false),
    ("patternProperties", WordShape::Objects, false),
    ("payload", WordShape::Schema, false),
    ("post", WordShape::Object, false),
    ("prefixItems", WordShape::Schemas, true),
    ("properties", WordShape::Objects, false),
    ("propertyNames", WordShape::Schema, true),
    ("put", WordShape::Object, false),
    ("query", WordShape::Object, true),
    ("readOnly", WordShape::Flag, false),
    ("refreshUrl", WordShape::Text, false),
    ("requestBodies", WordShape::Objects, true),
    ("requestBody", WordShape::Object, false),
    ("required", WordShape::Names, false),
    ("responses", WordShape::Objects, false),
    ("schema", WordShape::Schema, true),
    ("schemas", WordShape::Objects, false),
    ("scheme", WordShape::Text, false),
    ("scopes", WordShape::Texts, true),
    ("security", WordShape::Security, false),
    ("securitySchemes", WordShape::Objects, false),
    ("server", WordShape::Object, true),
    ("servers", WordShape::ListOfObjects, true),
    ("style", WordShape::Text, true),
    ("summary", WordShape::Text, false),
    ("tags", WordShape::Names, false),
    ("then", WordShape::Schema, true),
    ("title", WordShape::Text, false),
    ("tokenUrl", WordShape::Text, false),
    ("trace", WordShape::Object, true),
    ("type", WordShape::Types, true),
    ("unevaluatedProperties", WordShape::Schema, true),
    ("uniqueItems", WordShape::Flag, false),
    ("url", WordShape::Text, true),
    ("variables", WordShape::Objects, false),
    ("webhooks", WordShape::Objects, false),
    ("writeOnly", WordShape::Flag, false),
    ("x-code-samples", WordShape::Samples, true),
    ("x-codeSamples", WordShape::Samples, true),
    ("x-enum-descriptions", WordShape::Examples, true),
    ("x-enum-names", WordShape::List, true),
    ("x-enum-varnames", WordShape::List, true),
    ("x-enumDescriptions", WordShape::Examples, true),
    ("x-enumNames", WordShape::List, true),
    ("x-excluded", WordShape::Flag, false),
    ("x-hidden", WordShape::Flag, false),
    ("x-mint", WordShape::Object, false),
];

/// The kinds of values of the keys of AsyncAPI.
const WORDS_OF_EVENTS: [(&str, WordShape); 21] = [
    ("action", WordShape::Text),
    ("address", WordShape::Text),
    ("availableScopes", WordShape::Texts),
    ("bindings", WordShape::Object),
    ("channel", WordShape::Object),
    ("channels", WordShape::Objects),
    ("examples", WordShape::List),
    ("headers", WordShape::Schema),
    ("host", WordShape::Text),
    ("messages", WordShape::Objects),
    ("operations", WordShape::Objects),
    ("parameters", WordShape::Objects),
    ("pathname", WordShape::Text),
    ("protocol", WordShape::Text),
    ("publish", WordShape::Object),
    ("scopes", WordShape::Names),
    ("security", WordShape::ListOfObjects),
    ("servers", WordShape::Objects),
    ("subscribe", WordShape::Object),
    ("tags", WordShape::List),
    ("traits", WordShape::List),
];

/// Members of some objects that mean something only there.
pub(super) fn members_of(key: &str) -> &'static [(&'static str, WordShape)] {
    match key {
        "discriminator" => {
            &[("propertyName", WordShape::Text), ("mapping", WordShape::Texts), ("defaultMapping", WordShape::Text)]
        }
        "x-mint" => &[("content", WordShape::Text), ("href", WordShape::Text), ("metadata", WordShape::Object)],
        _ => &[],
    }
}

/// What stands behind a word of OpenAPI, or of AsyncAPI.
pub(super) fn shape_of(key: &str, is_openapi: bool) -> Option<WordShape> {
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
        assert_eq!((shape_of("title", true), shape_of("colour", true)), (Some(WordShape::Text), None));
        assert_eq!(
            (shape_of("servers", true), shape_of("servers", false)),
            (Some(WordShape::ListOfObjects), Some(WordShape::Objects))
        );
        assert_eq!((shape_of("nullable", true), shape_of("nullable", false)), (Some(WordShape::Flag), None));
    }
}
