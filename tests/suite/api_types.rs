//! Values of API descriptions that have the wrong type: each costs itself and is told at its place, and the rest of the
//! description makes its pages.

use crate::suite::site::SiteTest;

const DOCS: &str = r##"{"theme": "mint", "name": "Test", "colors": {"primary": "#0F766E"}, "navigation": {"groups": [{"group": "Lathe", "openapi": "openapi.yaml"}]}}"##;
const HEAD: &str = "openapi: 3.1.0\ninfo: {title: Lathe, version: '1'}\npaths:\n  /fine:\n    get: {summary: Fine, responses: {'200': {description: It turns}}}\n";
const TAIL: &str =
    "components:\n  schemas:\n    Bit: {type: object, properties: {width: {type: number, description: Its width}}}\n";
/// Stands in a row before what is told.
const MARK: char = '¦';

/// Operations of one description, each with something odd: all have their pages, and what is marked is told.
#[track_caller]
fn check(rows: &[(String, &str)], words: &[&str]) {
    // of one description, a few problems are told one by one
    for rows in rows.chunks(15) {
        let mut text = HEAD.to_owned();
        let mut site = SiteTest::inline("").file("docs.json", DOCS).text("api-reference/fine", "It turns");
        for (at, (row, code)) in rows.iter().enumerate() {
            text.push_str(&format!("  /odd{at}:\n"));
            let line = format!("    get: {{summary: Odd {at}, {row}}}");
            if let Some(before) = line.find(MARK).and_then(|found| line.get(..found)) {
                let place = format!("openapi.yaml:{}:{}", text.lines().count() + 1, before.chars().count() + 1);
                site = site.diagnostic(code, &place);
            }
            text.push_str(&line.replace(MARK, ""));
            text.push('\n');
            for word in words {
                site = site.text(&format!("api-reference/odd-{at}"), word);
            }
        }
        site.file("openapi.yaml", text + TAIL).run();
    }
}

#[test]
fn members_of_operations() {
    let rows = [
        "¦parameters: {}",
        "¦parameters: text",
        "parameters: [¦7]",
        "parameters: [¦{in: query}]",
        "parameters: [¦{name: q}]",
        "parameters: [¦{name: q, in: form}]",
        "parameters: [{name: q, in: query, ¦schema: text}]",
        "parameters: [null, {name: 7, in: query, required: 'true'}]",
        "¦requestBody: []",
        "requestBody: {¦content: [a]}",
        "requestBody: {content: {a/b: {¦encoding: text}}}",
        "¦callbacks: []",
        "¦servers: {url: a}",
        "servers: [¦a]",
        "security: [¦a]",
        "security: [{¦a: read}]",
        "¦tags: text",
        "tags: [¦{name: a}]",
        "tags: [null]",
        "¦deprecated: some",
        "deprecated: 'False'",
        "¦description: [a]",
        "¦externalDocs: 3",
        "x-mint: text",
        "x-codeSamples: {}",
    ];
    let row = |row: &&str| (format!("{row}, responses: {{'200': {{description: It stands}}}}"), "openapi-type");
    check(&rows.iter().map(row).collect::<Vec<_>>(), &["It stands"]);
}

#[test]
fn responses() {
    let rows = [
        "200: {description: It stands}, 404: {description: Gone}, default: {description: Else}",
        "200: {description: It stands}, ¦404: text",
        "200: {description: It stands, ¦headers: [a]}",
        "200: {description: It stands, ¦links: text}",
        "200: {description: It stands, ¦content: []}",
        "200: {description: It stands, content: {¦a/b: text}}",
        "200: {description: It stands, content: {a/b: {¦schema: text}}}",
        "200: {description: It stands, content: {a/b: {schema: {type: string}, ¦examples: text}}}",
        "200: {description: It stands}, 201: null",
    ];
    let row = |row: &&str| (format!("responses: {{{row}}}"), "openapi-type");
    check(&rows.iter().map(row).collect::<Vec<_>>(), &["It stands"]);
    let rows = ["¦responses: []", "¦responses: text", "responses: null"].map(|row| (row.to_owned(), "openapi-type"));
    check(&rows, &["Odd"]);
}

#[test]
fn members_of_schemas() {
    let rows = [
        ("{¦properties: []}", "openapi-type"),
        ("{properties: {¦a: text, b: {description: Its width}, c: null}}", "openapi-type"),
        ("{type: string, ¦required: true}", "openapi-type"),
        ("{type: object, ¦required: a, properties: {a: {type: string}}}", "openapi-type"),
        ("{type: object, required: [a, 1, null], properties: {a: {type: string}}}", ""),
        ("{type: [string, ¦7]}", "openapi-type"),
        ("{¦type: text}", "openapi-type"),
        ("{¦type: {a: b}}", "openapi-type"),
        ("{type: array, ¦items: text}", "openapi-type"),
        ("{type: array, items: []}", ""),
        ("{¦enum: text}", "openapi-type"),
        ("{¦allOf: {$ref: '#/components/schemas/Bit'}}", "openapi-type"),
        ("{oneOf: [¦text, {type: string}]}", "openapi-type"),
        ("{¦additionalProperties: text}", "openapi-type"),
        ("{¦$ref: 7}", "openapi-type"),
        ("{¦$ref: {a: b}}", "openapi-type"),
        ("{$ref: null}", ""),
        ("{¦$ref: '#/components/schemas/Gone'}", "openapi-ref"),
        ("{$ref: '#/components/schemas/Bit'}", ""),
        ("{¦minimum: {a: 1}}", "openapi-type"),
        ("{minimum: '1', exclusiveMaximum: true, maximum: 3}", ""),
        ("{¦nullable: often}", "openapi-type"),
        ("{¦discriminator: kind}", "openapi-type"),
        ("{discriminator: {propertyName: a, ¦mapping: [b]}}", "openapi-type"),
        ("{¦examples: text}", "openapi-type"),
        ("{type: string, pattern: 7, format: 8, title: 9}", ""),
    ];
    let row = |(schema, code): &(&str, &'static str)| {
        let properties = format!("before: {{description: Before}}, v: {schema}, after: {{description: After}}");
        let schema = format!("{{type: object, properties: {{{properties}}}}}");
        (format!("responses: {{200: {{description: It stands, content: {{a/b: {{schema: {schema}}}}}}}}}"), *code)
    };
    check(&rows.iter().map(row).collect::<Vec<_>>(), &["It stands", "Before", "After"]);
}

#[test]
fn whole_parts_of_a_description() {
    let odd = "  /text: text\n  /list: [get]\n  /null: null\n  /get:\n    get: text\n    post: null\n  404:\n    parameters: {}\n    get: {summary: Numbered, responses: {200: {description: It stands}}}\n";
    let components = "    Odd: text\n    Nothing: null\n  securitySchemes: {key: {type: oauth2, flows: []}}\n  parameters: []\n  headers: 3\n";
    let more = "tags: [text, {name: a}, null]\nservers: text\nwebhooks: []\nsecurity: null\nexternalDocs: a\n";
    let mut site = SiteTest::inline("")
        .file("docs.json", DOCS)
        .file("openapi.yaml", format!("{HEAD}{odd}{TAIL}{components}{more}"))
        .text("api-reference/fine", "It turns")
        .text("api-reference/numbered", "It stands");
    for place in ["6:3", "7:3", "10:5", "13:5", "18:5", "20:41", "21:3", "22:3", "23:8", "24:1", "25:1", "27:1"] {
        site = site.diagnostic("openapi-type", &format!("openapi.yaml:{place}"));
    }
    site.run();
    SiteTest::inline("")
        .file("docs.json", DOCS)
        .file(
            "openapi.yaml",
            format!("{HEAD}{TAIL}    Self: {{$ref: '#/components/schemas/Self'}}\n")
                .replace("{title: Lathe, version: '1'}", "text"),
        )
        .diagnostic("openapi-type", "openapi.yaml:2:1")
        .diagnostic("openapi-ref", "openapi.yaml:9:12")
        .text("api-reference/fine", "It turns")
        .run();
}

#[test]
fn names_in_files_of_parts_are_no_words() {
    let operation = "  /odd:\n    get:\n      summary: Odd\n      parameters: [{$ref: 'common.yaml#/parameters/Size'}]\n      responses: {200: {description: It stands, content: {a/b: {schema: {type: object, properties: {t: {$ref: 'common.yaml#/type'}, d: {$ref: 'common.yaml#/shared/description'}}, dependentRequired: {title: [t]}}}}}}\n";
    SiteTest::inline("")
        .file("docs.json", DOCS)
        .file("openapi.yaml", format!("{HEAD}{operation}{TAIL}"))
        .file("common.yaml", "parameters: {Size: {name: size, in: query, schema: {type: integer}}}\ntype: {type: string, description: Its type}\nshared: {description: {type: string, description: Its words}}\n")
        .text("api-reference/odd", "Its type")
        .text("api-reference/odd", "Its words")
        .element("api-reference/odd", "[data-section=query] [data-name=size]")
        .run();
}
