//! Each keyword of a schema: what stands in the description, and what its field says. A row is the schema of the property
//! `v` of a request's body, in YAML, and the field as `name: type; pill; pill — text` with what stands below it indented;
//! alternatives begin with `|`.

use serde_json::{Value, json};

use super::{description, lines, page, site, yaml};

/// Schemas that rows refer to.
const COMPONENTS: &str = r#"
schemas:
  Pet: {type: object, required: [name], properties: {name: {type: string, description: What it is called.}}}
  Id: {type: string, format: uuid, description: Identifier., example: 5f0c7a9e}
  Color: {type: string, enum: [red, blue], x-enumDescriptions: {red: Like fire., blue: Like the sea.}}
  Cat: {type: object, required: [kind], properties: {kind: {const: cat}, lives: {type: integer}}}
  Dog: {type: object, required: [kind], properties: {kind: {const: dog}, tricks: {type: array, items: {type: string}}}}
  Node: {type: object, properties: {value: {type: string}, next: {$ref: '#/components/schemas/Node'}}}
  Left: {type: object, properties: {right: {$ref: '#/components/schemas/Right'}}}
  Right: {type: object, properties: {left: {$ref: '#/components/schemas/Left'}}}
  Tree: {type: object, properties: {label: {type: string}, branches: {type: array, items: {$ref: '#/components/schemas/Tree'}}}}
"#;

const ROWS: &[(&str, &str, &str)] = &[
    // references
    ("a reference", "{$ref: '#/components/schemas/Pet'}", "v: object\n  name: string; required — What it is called."),
    (
        "words beside a reference win",
        "{$ref: '#/components/schemas/Id', description: Of the order., deprecated: true}",
        "v: string<uuid>; deprecated; example 5f0c7a9e — Of the order.",
    ),
    (
        "bounds beside a reference",
        "{$ref: '#/components/schemas/Id', minLength: 8}",
        "v: string<uuid>; length ≥ 8; example 5f0c7a9e — Identifier.",
    ),
    ("a reference to nothing", "{$ref: '#/components/schemas/Nobody', description: Lost.}", "v: any — Lost."),
    ("a reference that is no text", "{$ref: 7, type: string}", "v: string"),
    (
        "a reference with escapes",
        "{$ref: '#/components/schemas/P%65t'}",
        "v: object\n  name: string; required — What it is called.",
    ),
    (
        "a reference to a property",
        "{$ref: '#/components/schemas/Pet/properties/name'}",
        "v: string — What it is called.",
    ),
    // several schemas at once
    (
        "allOf is merged",
        "{allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, required: [age], properties: {age: {type: integer}}}]}",
        "v: object\n  name: string; required — What it is called.\n  age: integer; required",
    ),
    (
        "allOf with properties beside it",
        "{allOf: [{$ref: '#/components/schemas/Pet'}], required: [name, age], properties: {age: {type: integer, minimum: 0}}}",
        "v: object\n  age: integer; required; ≥ 0\n  name: string; required — What it is called.",
    ),
    (
        "the same property in several members",
        "{allOf: [{properties: {a: {type: string}}}, {properties: {a: {maxLength: 3, description: Short.}}}]}",
        "v: object\n  a: string; length ≤ 3 — Short.",
    ),
    (
        "allOf of one reference",
        "{allOf: [{$ref: '#/components/schemas/Id'}], description: Of the shop.}",
        "v: string<uuid>; example 5f0c7a9e — Of the shop.",
    ),
    (
        "allowed values meet",
        "{type: string, allOf: [{enum: [a, b, c]}, {enum: [b, c, d]}]}",
        "v: enum<string>; enum b; enum c",
    ),
    // alternatives
    (
        "oneOf with titles",
        "{oneOf: [{title: By card, type: object, properties: {token: {type: string}}}, {title: By bank, type: object, properties: {iban: {type: string}}}]}",
        "v: object\n  | By card\n    token: string\n  | By bank\n    iban: string",
    ),
    (
        "anyOf with names",
        "{anyOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]}",
        "v: object\n  | Cat\n    kind: string; required; const cat\n    lives: integer\n  | Dog\n    kind: string; required; const dog\n    tricks: string[]",
    ),
    (
        "mapping of a discriminator",
        "{oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}], discriminator: {propertyName: kind, mapping: {meows: '#/components/schemas/Cat', barks: Dog}}}",
        "v: object\n  | meows\n    kind: string; required; const cat\n    lives: integer\n  | barks\n    kind: string; required; const dog\n    tricks: string[]",
    ),
    (
        "alternatives without names are told by a value",
        "{oneOf: [{type: object, required: [t], properties: {t: {const: a}}}, {type: object, required: [t], properties: {t: {const: b}}}]}",
        "v: object\n  | a\n    t: string; required; const a\n  | b\n    t: string; required; const b",
    ),
    (
        "alternatives without anything",
        "{oneOf: [{type: object, properties: {a: {type: string}}}, {type: object, properties: {b: {type: string}}}]}",
        "v: object\n  | object 1\n    a: string\n  | object 2\n    b: string",
    ),
    (
        "properties beside alternatives",
        "{type: object, properties: {id: {type: string}}, oneOf: [{title: A, properties: {a: {type: string}}}, {title: B, properties: {b: {type: string}}}]}",
        "v: object\n  id: string\n  | A\n    a: string\n  | B\n    b: string",
    ),
    (
        "alternatives in alternatives are opened",
        "{oneOf: [{title: A, type: object, properties: {a: {type: string}}}, {oneOf: [{title: B, type: object, properties: {b: {type: string}}}, {title: C, type: object, properties: {c: {type: string}}}]}]}",
        "v: object\n  | A\n    a: string\n  | B\n    b: string\n  | C\n    c: string",
    ),
    (
        "alternatives that require several properties, and one with a field",
        "{type: object, properties: {a: {type: string}, b: {type: string}}, anyOf: [{required: [b, a]}, {required: [z], properties: {z: {type: string}}}]}",
        "v: object\n  a: string\n  b: string\n  | a + b: any — required: a, b\n  | object 2\n    z: string; required",
    ),
    (
        "what is required beside alternatives that have it",
        "{required: [w, b, a], properties: {w: {type: string}}, oneOf: [{title: A, properties: {a: {type: string}}}, {title: B, properties: {b: {type: string}}}]}",
        "v: object — required: a, b\n  w: string; required\n  | A\n    a: string\n  | B\n    b: string",
    ),
    (
        "an array of alternatives as an alternative",
        "{oneOf: [{type: string}, {type: array, minItems: 1, items: {description: A pet., oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Pet'}]}}]}",
        "v: string | object[]\n  | string: string\n  | object[]: object[]; items ≥ 1\n    {key}: object — A pet.\n    | Cat\n      kind: string; required; const cat\n      lives: integer\n    | Pet\n      name: string; required — What it is called.",
    ),
    (
        "words of items",
        "{type: array, items: {type: array, description: A row., items: {type: integer, description: A cell.}}}",
        "v: integer[][] — [] A row. [][] A cell.",
    ),
    (
        "first items with fields",
        "{type: array, prefixItems: [{type: string}, {$ref: '#/components/schemas/Pet'}]}",
        "v: any[] — [0] string\n  {key}: object\n    name: string; required — What it is called.",
    ),
    (
        "names of values",
        "{type: integer, enum: [0, 1, 2], x-enumNames: [Low, High], x-enum-descriptions: [Of little use]}",
        "v: enum<integer>; enum 0; enum 1; enum 2 — Low Of little use High",
    ),
    (
        "bounds in words and beside exclusive ones",
        "{type: integer, minimum: '3', maximum: 9, exclusiveMinimum: 2}",
        "v: integer; > 2; 3 ≤ x ≤ 9",
    ),
    (
        "what depends on what",
        "{type: object, properties: {a: {type: string}}, dependentRequired: {a: [b]}, propertyNames: {maxLength: 3}, contains: {const: 1}, minContains: 2}",
        "v: object — dependentRequired {\"a\":[\"b\"]} propertyNames {\"maxLength\":3} contains {\"const\":1} minContains 2\n  a: string",
    ),
    (
        "names that are texts",
        "{type: object, additionalProperties: {type: string}, propertyNames: {type: string}}",
        "v: object\n  {key}: string",
    ),
    ("alternatives without fields", "{oneOf: [{type: string}, {type: integer}]}", "v: string | integer"),
    (
        "alternatives without fields say their values",
        "{anyOf: [{type: string, enum: [all]}, {type: integer, minimum: 1}]}",
        "v: enum<string> | integer; enum all; ≥ 1 — integer",
    ),
    (
        "alternatives that only require",
        "{type: object, properties: {a: {type: string}, b: {type: string}}, anyOf: [{required: [a]}, {required: [b]}]}",
        "v: object — One of: a or b (required)\n  a: string\n  b: string",
    ),
    (
        "an array of alternatives",
        "{type: array, items: {oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Pet'}]}}",
        "v: object[]\n  | Cat\n    kind: string; required; const cat\n    lives: integer\n  | Pet\n    name: string; required — What it is called.",
    ),
    // null
    ("anyOf with null", "{anyOf: [{type: string}, {type: 'null'}]}", "v: string | null"),
    (
        "anyOf of an object with null",
        "{anyOf: [{$ref: '#/components/schemas/Pet'}, {type: 'null'}]}",
        "v: object | null\n  name: string; required — What it is called.",
    ),
    ("several types with null", "{type: [string, integer, 'null']}", "v: string | integer | null"),
    ("nullable", "{type: string, nullable: true}", "v: string | null"),
    (
        "a nullable reference",
        "{allOf: [{$ref: '#/components/schemas/Pet'}], nullable: true}",
        "v: object | null\n  name: string; required — What it is called.",
    ),
    ("an array of nullable", "{type: array, items: {type: [string, 'null']}}", "v: (string | null)[]"),
    ("only null", "{type: 'null'}", "v: null"),
    // types
    ("types", "{type: boolean}", "v: boolean"),
    ("any type", "{}", "v: any"),
    ("true is any type", "true", "v: any"),
    ("false is no property", "false", ""),
    ("types by their properties", "{properties: {a: {type: string}}}", "v: object\n  a: string"),
    ("types by their items", "{items: {type: number}}", "v: number[]"),
    ("types by their values", "{enum: [1, 2]}", "v: enum<integer>; enum 1; enum 2"),
    (
        "arrays of arrays",
        "{type: array, items: {type: array, items: {type: integer, format: int64}}}",
        "v: integer<int64>[][]",
    ),
    (
        "an array of objects",
        "{type: array, items: {$ref: '#/components/schemas/Pet'}}",
        "v: object[]\n  name: string; required — What it is called.",
    ),
    ("an array of anything", "{type: array}", "v: any[]"),
    ("bytes", "{type: string, format: binary}", "v: file"),
    ("bytes by their media type", "{type: string, contentMediaType: image/png}", "v: file"),
    ("bytes in text", "{type: string, contentEncoding: base64, contentMediaType: image/png}", "v: string<base64>"),
    ("a type that does not exist", "{type: text}", "v: any"),
    ("a type that is a number", "{type: 7, description: Odd.}", "v: any — Odd."),
    // values
    ("enum", "{type: string, enum: [a, b]}", "v: enum<string>; enum a; enum b"),
    (
        "enum of several types",
        "{enum: [a, 1, true]}",
        "v: enum<string> | enum<integer> | enum<boolean>; enum a; enum 1; enum true",
    ),
    ("enum with null", "{type: [string, 'null'], enum: [a, null]}", "v: enum<string> | null; enum a"),
    ("enum with an empty text", "{type: string, enum: ['', a]}", "v: enum<string>; enum \"\"; enum a"),
    ("enum of items", "{type: array, items: {type: string, enum: [a, b]}}", "v: enum<string>[]; enum a; enum b"),
    ("const", "{const: order}", "v: string; const order"),
    ("const false", "{type: boolean, const: false}", "v: boolean; const false"),
    (
        "descriptions of values",
        "{$ref: '#/components/schemas/Color'}",
        "v: enum<string>; enum red; enum blue — Like fire. Like the sea.",
    ),
    (
        "descriptions of values in a list",
        "{type: integer, enum: [1, 2], x-enumDescriptions: [One., Two.]}",
        "v: enum<integer>; enum 1; enum 2 — One. Two.",
    ),
    ("default", "{type: integer, default: 20}", "v: integer; default 20"),
    ("default false", "{type: boolean, default: false}", "v: boolean; default false"),
    ("default that is empty", "{type: string, default: ''}", "v: string; default \"\""),
    ("default of null", "{type: string, default: null}", "v: string"),
    (
        "default that is an array",
        "{type: array, items: {type: string}, default: [a, b]}",
        "v: string[]; default [\"a\",\"b\"]",
    ),
    ("format", "{type: string, format: date-time}", "v: string<date-time>"),
    ("format without a type", "{format: uuid}", "v: any"),
    // bounds
    ("minimum", "{type: integer, minimum: 1}", "v: integer; ≥ 1"),
    ("minimum and maximum", "{type: integer, minimum: 1, maximum: 100}", "v: integer; 1 ≤ x ≤ 100"),
    ("exclusive bounds", "{type: number, exclusiveMinimum: 0, exclusiveMaximum: 1.5}", "v: number; 0 < x < 1.5"),
    (
        "exclusive bounds of 3.0",
        "{type: integer, minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false}",
        "v: integer; 0 < x ≤ 9",
    ),
    (
        "bounds of several members",
        "{allOf: [{type: integer, minimum: 1}, {type: integer, maximum: 9}]}",
        "v: integer; 1 ≤ x ≤ 9",
    ),
    ("multipleOf", "{type: number, multipleOf: 0.5}", "v: number; multiple of 0.5"),
    ("lengths", "{type: string, minLength: 2, maxLength: 2}", "v: string; length 2"),
    ("a length between", "{type: string, minLength: 1, maxLength: 40}", "v: string; length 1–40"),
    (
        "items",
        "{type: array, items: {type: string, maxLength: 5}, minItems: 1, maxItems: 4, uniqueItems: true}",
        "v: string[]; items 1–4; no duplicates; length ≤ 5",
    ),
    ("pattern", "{type: string, pattern: '^[A-Z<]{2}$'}", "v: string; pattern ^[A-Z<]{2}$"),
    ("properties", "{type: object, maxProperties: 20}", "v: object; properties ≤ 20"),
    // objects
    (
        "additionalProperties",
        "{type: object, additionalProperties: {type: integer, description: How many.}}",
        "v: object\n  {key}: integer — How many.",
    ),
    (
        "additionalProperties with fields",
        "{type: object, additionalProperties: {$ref: '#/components/schemas/Pet'}}",
        "v: object\n  {key}: object\n    name: string; required — What it is called.",
    ),
    (
        "additionalProperties of anything",
        "{type: object, properties: {a: {type: string}}, additionalProperties: true}",
        "v: object\n  a: string",
    ),
    (
        "additionalProperties that are none",
        "{type: object, properties: {a: {type: string}}, additionalProperties: false}",
        "v: object\n  a: string",
    ),
    (
        "patternProperties",
        "{type: object, patternProperties: {'^x-': {type: string}}}",
        "v: object\n  {key}: string; {key}: pattern ^x-",
    ),
    (
        "required",
        "{type: object, required: [a, ghost], properties: {a: {type: string}, b: {type: string}}}",
        "v: object\n  a: string; required\n  b: string",
    ),
    (
        "required that is no list",
        "{type: object, required: true, properties: {a: {type: string}}}",
        "v: object\n  a: string",
    ),
    (
        "properties that are none",
        "{type: object, properties: {a: 7, b: null, c: {type: string}}}",
        "v: object\n  c: string",
    ),
    (
        "prefixItems",
        "{type: array, prefixItems: [{type: number, description: Width.}, {type: string}], items: false}",
        "v: any[] — [0] number: Width. [1] string",
    ),
    (
        "recursion is named, not repeated",
        "{$ref: '#/components/schemas/Node'}",
        "v: object\n  value: string\n  next: object; more",
    ),
    (
        "recursion over two schemas",
        "{$ref: '#/components/schemas/Left'}",
        "v: object\n  right: object\n    left: object; more",
    ),
    (
        "recursion in items",
        "{$ref: '#/components/schemas/Tree'}",
        "v: object\n  label: string\n  branches: object[]; more",
    ),
    // words
    ("description", "{type: string, description: '**Bold** and `code`.'}", "v: string — Bold and code."),
    ("title", "{type: string, title: Name of it}", "v: string"),
    ("deprecated", "{type: string, deprecated: true}", "v: string; deprecated"),
    ("example", "{type: string, example: Ada}", "v: string; example Ada"),
    ("examples", "{type: integer, examples: [12, 13]}", "v: integer; example 12; example 13"),
    (
        "x-mint pre and post",
        "{type: string, x-mint: {pre: [new], post: [beta, '2026']}}",
        "v: string; label new; label beta; label 2026",
    ),
    ("keys of api.params.post", "{type: string, x-since: v2}", "v: string; label v2"),
    ("keys that are true", "{type: string, x-beta: true}", "v: string; label x-beta"),
    ("keys that are false", "{type: string, x-beta: false}", "v: string"),
    ("foreign extensions", "{type: string, x-speakeasy-name: a, x-internal: {a: 1}}", "v: string"),
    ("not", "{type: string, not: {enum: [a]}}", "v: string — not {\"enum\":[\"a\"]}"),
    (
        "if, then and else",
        "{type: object, properties: {a: {type: string}}, if: {required: [a]}, then: {required: [b]}}",
        "v: object — if {\"required\":[\"a\"]} then {\"required\":[\"b\"]}\n  a: string",
    ),
    (
        "HTML in a description",
        "{type: string, description: 'a <script>alert(1)</script> & <b>b</b>'}",
        "v: string — a & b",
    ),
];

/// The words that follow a repeated field differ with the language: only that they are there counts.
fn without_words(line: &str) -> String {
    match line.split_once("; more ") {
        Some((before, _)) => format!("{before}; more"),
        None => line.to_owned(),
    }
}

#[test]
fn a_field_says_what_its_schema_says() {
    let body = |schema: &str| {
        let schema = json!({ "type": "object", "properties": { "v": yaml(schema) } });
        json!({
            "requestBody": { "content": { "application/json": { "schema": schema } } },
            "responses": { "204": { "description": "Done." } },
        })
    };
    let rows: Vec<(&str, Value)> = ROWS.iter().map(|(name, schema, _)| (*name, body(schema))).collect();
    let api = json!({ "params": { "post": ["x-since", "x-beta"] } });
    let exported = site(&description(&rows, &yaml(COMPONENTS)), &api)
        .diagnostic("script-dropped", "api.json:1:")
        .other_diagnostics()
        .run();
    let mut wrong = Vec::new();
    for (name, _, expected) in ROWS {
        let page = page(&exported, name);
        let mut found = Vec::new();
        page.scope("body application/json").fields.iter().for_each(|field| field.outline(0, &mut found));
        let found: Vec<String> = found.iter().map(|line| without_words(line)).collect();
        if found != lines(expected) {
            wrong.push(format!("{name}:\n  expected {:#?}\n  found {found:#?}", lines(expected)));
        }
        let ids: std::collections::BTreeSet<_> = page.ids.iter().collect();
        if ids.len() != page.ids.len() {
            wrong.push(format!("{name}: an id is there twice"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), ROWS.len(), wrong.join("\n"));
}
