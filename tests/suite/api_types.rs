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
        "¦x-mint: text",
        "x-mint: {¦metadata: [a]}",
        "x-mint: {¦content: [a], href: null}",
        "¦x-codeSamples: {lang: bash, source: turn}",
        "¦x-code-samples: text",
        "x-codeSamples: [¦text, null]",
        "x-codeSamples: [¦{lang: bash}]",
        "x-codeSamples: [{lang: bash, ¦source: [a]}]",
        "x-code-samples: [{¦lang: [a], source: turn it}, {label: 7, lang: bash, source: 8}]",
        "¦x-hidden: often",
        "x-hidden: 'false'",
        "parameters: [{name: q, in: query, ¦style: [form], schema: {type: string}}]",
        "parameters: [{name: q, in: query, ¦examples: [wide, narrow], schema: {type: string}}]",
        "parameters: [{name: q, in: query, examples: {¦one: wide}, schema: {type: string}}]",
        "servers: [{url: 'https://{v}.turn.example', variables: {v: {¦default: [a], enum: [1, 2]}}}]",
        "requestBody: {content: {a/b: {schema: {type: object, properties: {p: {type: string}}}, encoding: {p: {¦contentType: [a]}}}}}",
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
        "200: {description: It stands, links: {next: {¦operationRef: [a], operationId: 7}}}",
        "200: {description: It stands, links: {next: {operationId: a, ¦parameters: text, server: {url: a}}}}",
        "200: {description: It stands, content: {a/b: {¦itemSchema: text}}}",
        "200: {description: It stands, content: {a/b: {examples: {one: {value: 1}, two: {summary: S, value: 2}}}}}",
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
        ("{discriminator: {¦propertyName: [a]}}", "openapi-type"),
        ("{discriminator: {propertyName: a, mapping: {¦b: [c], d: '#/components/schemas/Bit'}}}", "openapi-type"),
        ("{dependentRequired: {¦a: b, c: [d]}}", "openapi-type"),
        ("{type: string, ¦contentEncoding: [base64], contentMediaType: a/b}", "openapi-type"),
        ("{enum: [a], ¦x-enumDescriptions: text}", "openapi-type"),
        ("{enum: [a], ¦x-enumNames: {a: b}}", "openapi-type"),
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

#[test]
fn examples_are_shown_whatever_holds_them() {
    let site = |examples: &str| {
        let operation = format!(
            "{{summary: Odd, responses: {{200: {{description: It stands, content: {{application/json: {{examples: {examples}}}}}}}}}}}"
        );
        SiteTest::inline("")
            .file("docs.json", DOCS)
            .file("openapi.yaml", format!("{HEAD}  /odd:\n    get: {operation}\n"))
    };
    let example = "openapi.yaml:7:";
    for (examples, places, shown) in [
        ("[{value: {turns: 11}}, {summary: Slow, value: {turns: 22}}]", vec![96], vec!["11", "22", "Slow"]),
        ("[{fast: {value: {turns: 11}}}, {slow: {value: {turns: 22}}}]", vec![96], vec!["11", "22", "fast", "slow"]),
        ("[{turns: 11}, {turns: 22}]", vec![96], vec!["11", "22"]),
        ("{fast: {turns: 11}, slow: 22}", vec![107, 126], vec!["11", "22", "fast", "slow"]),
        ("{fast: {serializedValue: '{\"turns\": 11}'}, slow: {dataValue: 22}}", vec![], vec!["11", "22"]),
        ("{fast: {externalValue: a.json}, slow: {value: 22}, none: {summary: None}}", vec![107, 157], vec!["22"]),
        ("{}", vec![], vec![]),
    ] {
        let mut site = site(examples);
        for column in places {
            site = site.diagnostic("openapi-type", &format!("{example}{column}"));
        }
        let exported = site.text("api-reference/odd", "It stands").run();
        let page = exported.text_of("api-reference/odd.html");
        for word in shown {
            assert!(page.contains(word), "{examples}: {word}");
        }
    }
}

#[test]
fn credentials_and_shared_parts() {
    let operation = "  /odd:\n    get:\n      summary: Odd\n      security: [{door: [open]}, {key: []}]\n      responses: {200: {description: It stands}}\n";
    let components = "  securitySchemes:\n    door:\n      type: oauth2\n      flows:\n        implicit:\n          authorizationUrl: [a]\n          scopes: [open, close]\n        password: {tokenUrl: {a: b}, scopes: {open: [a], close: 7}}\n    key:\n      type: [http]\n      scheme: [a]\n      openIdConnectUrl: 7\n      scopes: text\n  pathItems: [a]\n  examples: [a]\nx-mint: text\n";
    let mut site = SiteTest::inline("")
        .file("docs.json", DOCS)
        .file("openapi.yaml", format!("{HEAD}{operation}{TAIL}{components}"))
        .text("api-reference/odd", "It stands");
    for place in ["19:11", "20:11", "21:20", "21:47", "23:7", "24:7", "26:7", "27:3", "28:3", "29:1"] {
        site = site.diagnostic("openapi-type", &format!("openapi.yaml:{place}"));
    }
    site.run();
}

#[test]
fn older_formats_and_events() {
    let of = |key: &str| DOCS.replace("openapi\"", &format!("{key}\"")).replace("openapi.yaml", "api.yaml");
    let older = "swagger: '2.0'\ninfo: {title: Lathe, version: '1'}\nhost: [a]\nschemes: https\nconsumes: {a: b}\npaths:\n  /fine:\n    parameters: text\n    put: text\n    get:\n      summary: Fine\n      parameters: [7, {in: formData, type: string}]\n      produces: 7\n      responses:\n        200: {description: It turns, headers: [a], examples: text}\n  /list:\n    get: {summary: List, responses: []}\ndefinitions:\n  Bit: {type: object, properties: []}\n  Odd: text\nparameters: [a]\nsecurityDefinitions:\n  key: {type: oauth2, flow: implicit, scopes: [a]}\n";
    let mut site = SiteTest::inline("")
        .file("docs.json", of("openapi"))
        .file("api.yaml", older)
        .text("api-reference/fine", "It turns");
    for place in [
        "3:1", "5:1", "8:5", "9:5", "12:20", "12:23", "13:7", "15:38", "15:52", "17:26", "19:23", "20:3", "21:1",
        "23:3",
    ] {
        site = site.diagnostic("openapi-type", &format!("api.yaml:{place}"));
    }
    site.run();
    let events = "asyncapi: 3.0.0\ninfo: {title: Lathe, version: '1'}\nservers:\n  main: text\n  side: {host: [a], protocol: wss, variables: {v: {enum: text}}}\nchannels:\n  chips:\n    address: [a]\n    servers: text\n    parameters: {p: text}\n    bindings: text\n    messages:\n      flake: {contentType: [a], examples: [text], payload: {type: object, required: text, properties: {size: {type: string, enum: text, description: Its size}}}}\n      dust: text\n  odd: text\noperations:\n  cut: text\n  send: {action: [a], channel: {$ref: '#/channels/chips'}, messages: text}\n";
    let mut site = SiteTest::inline("")
        .file("docs.json", of("asyncapi"))
        .file("api.yaml", events)
        .text("api-reference/chips", "Its size");
    for place in [
        "4:3", "5:10", "5:52", "8:5", "9:5", "10:18", "11:5", "13:15", "13:44", "13:75", "13:125", "14:7", "15:3",
        "17:3", "18:10", "18:60",
    ] {
        site = site.diagnostic("openapi-type", &format!("api.yaml:{place}"));
    }
    site.run();
    let events = "asyncapi: 2.6.0\ninfo: {title: Lathe, version: '1'}\nservers:\n  main: {url: [a], protocol: wss, security: text}\nchannels:\n  chips:\n    servers: [7]\n    parameters: [a]\n    subscribe: {security: text, message: {name: flake, payload: {type: string, description: Its size}}}\n    publish: text\ncomponents: []\n";
    let mut site = SiteTest::inline("")
        .file("docs.json", of("asyncapi"))
        .file("api.yaml", events)
        .text("api-reference/chips", "Its size");
    for place in ["4:10", "4:35", "8:5", "9:17", "10:5", "11:1"] {
        site = site.diagnostic("openapi-type", &format!("api.yaml:{place}"));
    }
    site.run();
}
