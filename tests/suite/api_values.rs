//! Values of API descriptions: one that JSON has no word for costs itself, and a text is what its author wrote.

use serde_json::{Value, json};

use crate::suite::html::Page;
use crate::suite::site::{Exported, SiteTest};

/// A site whose only page is that of `GET /kettle`, in a description of this name.
fn described(name: &str, description: &str) -> SiteTest {
    let docs = json!({ "theme": "mint", "name": "Test", "colors": { "primary": "#0F766E" }, "navigation": { "pages": ["kettle"] } });
    SiteTest::inline("")
        .file("docs.json", docs.to_string())
        .file("kettle.mdx", "---\nopenapi: GET /kettle\n---\n")
        .file(name, description)
}

/// A description in YAML whose response has this schema, indented by ten spaces.
fn yaml(schema: &str) -> String {
    format!(
        "openapi: 3.1.0\ninfo: {{title: Kettles, version: '1'}}\npaths:\n  /kettle:\n    get:\n      summary: Boil\n      responses:\n        '200':\n          description: Boiled\n          content:\n            application/json:\n              schema:\n{}\n",
        schema.lines().map(|line| format!("                {line}")).collect::<Vec<_>>().join("\n")
    )
}

/// The text of what matches first.
fn text(page: &Page, selector: &str) -> String {
    let found = page.select(selector).first().map(|element| element.text().collect::<String>());
    found.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Field, its example as the page shows it.
#[track_caller]
fn check_examples(exported: &Exported, expect: &[(&str, &str)]) {
    let page = exported.page("kettle");
    let found: Vec<(&str, String)> = expect
        .iter()
        .map(|(name, _)| {
            (*name, text(&page, &format!("[data-section=response] [data-name=\"{name}\"] [data-example]")))
        })
        .collect();
    let expect: Vec<(&str, String)> = expect.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
    assert_eq!(found, expect);
}

/// The JSON of the response's example, as it stands there.
fn sample(exported: &Exported) -> String {
    text(&exported.page("kettle"), "#response-example code")
}

#[test]
fn texts_of_yaml_are_what_their_author_wrote() {
    let schema = "type: object\nproperties:\n  code: {type: string, example: 00740}\n  batch: {type: string, example: 9_81}\n  run: {type: string, example: 4e5}\n  mask: {type: string, example: 0o640}\n  hex: {type: string, example: 0xFF}\n  phone: {type: string, example: +4930123456}\n  release: {type: string, example: 2.10}\n  day: {type: string, example: 2031-04-05}\n  answer: {type: string, example: yes}\n  pin: {type: [string, 'null'], example: 0001}\n  step: {type: integer, example: 009}\n  mode: {type: integer, example: 0o17}\n  many: {type: integer, example: 1_000}\n  heat: {type: number, example: 1.5e2}\n  price: {type: number, example: 7}\n  big: {type: integer, example: 123456789012345678901234567890}";
    let exported = described("openapi.yaml", &yaml(schema)).run();
    check_examples(
        &exported,
        &[
            ("code", "00740"),
            ("batch", "9_81"),
            ("run", "4e5"),
            ("mask", "0o640"),
            ("hex", "0xFF"),
            ("phone", "+4930123456"),
            ("release", "2.10"),
            ("day", "2031-04-05"),
            ("answer", "yes"),
            ("pin", "0001"),
            ("step", "9"),
            ("mode", "15"),
            ("many", "1000"),
            ("heat", "150"),
            ("price", "7"),
            ("big", "123456789012345678901234567890"),
        ],
    );
    let sample = sample(&exported);
    for part in [r#""code": "00740""#, r#""step": 9"#, r#""heat": 150"#, r#""big": 123456789012345678901234567890"#] {
        assert!(sample.contains(part), "no {part} in {sample}");
    }
}

#[test]
fn texts_are_kept_wherever_a_schema_says_that_they_are_ones() {
    let description = "openapi: 3.0.3\ninfo: {title: Kettles, version: 1.10}\npaths:\n  /kettle:\n    get:\n      summary: 0815\n      parameters:\n        - {name: lid, in: query, required: true, schema: {type: string}, example: 0042}\n        - {name: kind, in: query, schema: {type: string, enum: [01, 02, x], default: 01}}\n      responses:\n        '200':\n          description: Boiled\n          content:\n            application/json:\n              schema: {$ref: '#/components/schemas/Kettle'}\n              example: {code: 0099, size: 1.50, parts: [{code: 1e3}]}\ncomponents:\n  schemas:\n    Code: {type: string}\n    Kettle: {type: object, properties: {code: {$ref: '#/components/schemas/Code'}, size: {type: number}, parts: {type: array, items: {$ref: '#/components/schemas/Kettle'}}}}\n";
    let exported = described("openapi.yaml", description).run();
    let page = exported.page("kettle");
    assert_eq!(text(&page, "h1"), "0815");
    assert_eq!(text(&page, "[data-name=lid] [data-example]"), "0042");
    let kinds: Vec<String> =
        page.select("[data-name=kind] [data-pill=enum]").iter().map(|it| it.text().collect()).collect();
    assert_eq!(
        (kinds, text(&page, "[data-name=kind] [data-pill=default]")),
        (vec!["01".to_owned(), "02".to_owned(), "x".to_owned()], "01".to_owned())
    );
    let sample: Value = serde_json::from_str(&sample(&exported)).expect("JSON");
    assert_eq!(sample, json!({"code": "0099", "size": 1.5, "parts": [{"code": "1e3"}]}));
}

#[test]
fn an_odd_key_or_value_costs_itself() {
    for (odd, place) in [
        ("null: {type: integer, description: Of nothing}", None),
        ("~: {type: integer, description: Of nothing}", None),
        ("404: {type: integer}", None),
        ("true: {type: integer}", None),
        ("1.0: {type: integer}", None),
        ("? [a, b]\n  : {type: integer}", None),
        ("? {a: b}\n  : {type: integer}", Some("openapi.yaml:16:21")),
        ("more: {type: number, maximum: 1e999}", None),
        ("more: {type: integer, maximum: 99999999999999999999}", None),
        ("more: {type: number, example: .inf, default: .nan}", None),
        ("more: {type: number, enum: [9e645618, 1]}", None),
        ("more: {type: string, example: !!binary aGVsbG8=}", None),
        ("more: {type: string, example: !Ref thing}", None),
        ("more: {type: string, example: !!timestamp 2031-01-01}", None),
        ("more: {example: *nothing}", Some("openapi.yaml:16:35")),
        ("more: &m {type: string}\n  again: {<<: *m, description: Same}", None),
        ("more: {type: string}\n  more: {type: integer}", Some("openapi.yaml:17:19")),
        ("more:\t{type: string}\t", None),
        ("more: {description: \"a\\tb\", x-v: {v1: 100_000}}", None),
    ] {
        let schema = format!(
            "type: object\nproperties:\n  first: {{type: string, description: The first}}\n  {odd}\n  last: {{type: string, description: The last}}"
        );
        let mut site = described("openapi.yaml", &yaml(&schema)).text("kettle", "The first").text("kettle", "The last");
        if let Some(place) = place {
            site = site.diagnostic("openapi-yaml", place);
        }
        site.run();
    }
}

#[test]
fn keys_that_are_no_texts_are_called_as_they_are_written() {
    let schema = "type: object\nproperties:\n  null: {type: string}\n  404: {type: string}\n  1.50: {type: string}\n  0x1F: {type: string}\n  yes: {type: string}";
    let mut site = described("openapi.yaml", &yaml(schema));
    for name in ["null", "404", "1.50", "0x1F", "yes"] {
        site = site.element("kettle", &format!("[data-section=response] [data-name=\"{name}\"]"));
    }
    site.run();
}

#[test]
fn json_is_read_with_numbers_of_any_size_and_depth() {
    let deep = |levels: usize| format!("{}1{}", r#"{"in": ["#.repeat(levels / 2), "]}".repeat(levels / 2));
    let description = |example: &str, levels: usize| {
        format!(
            r#"{{"openapi": "3.1.0", "info": {{"title": "K", "version": "1"}}, "paths": {{"/kettle": {{"get": {{"summary": "Boil", "responses": {{"200": {{"description": "Boiled", "content": {{"application/json": {{"schema": {{"type": "object", "properties": {{"size": {{"type": "number", "maximum": {example}, "description": "How large"}}}}}}}}}}}}}}}}}}}}, "x-deep": {}}}"#,
            deep(levels)
        )
    };
    for (example, shown) in [
        ("1e999", "≤ 1e999"),
        ("-1E400", "≤ -1E400"),
        ("340282366920938463463374607431768211456", "≤ 340282366920938463463374607431768211456"),
        ("7", "≤ 7"),
        ("7.0", "≤ 7.0"),
        ("3e2", "≤ 300"),
        ("NaN", "How large"),
        ("-Infinity", "How large"),
        ("007", "≤ 7"),
    ] {
        described("openapi.json", &description(example, 2)).text("kettle", shown).run();
    }
    described("openapi.json", &description("1", 300)).text("kettle", "How large").run();
    described("openapi.json", &description("1", 3_000))
        .text("kettle", "How large")
        .diagnostic("openapi-yaml", "openapi.json:1")
        .run();
    described("openapi.json", "{\"openapi\": \"3.1.0\",\n \"paths\": {,}}")
        .diagnostic("openapi-file", "openapi.json:2:12")
        .other_diagnostics()
        .run();
}

#[test]
fn older_formats_keep_their_texts_too() {
    let swagger = "swagger: 2.0\ninfo: {title: Kettles, version: 1.0}\npaths:\n  /kettle:\n    get:\n      summary: Boil\n      parameters:\n        - {name: lid, in: query, type: string, enum: [01, 02], default: 01}\n      responses:\n        200:\n          description: Boiled\n          schema: {type: object, properties: {code: {type: string, example: 0012}, ~: {type: string}}}\n";
    let exported = described("openapi.yaml", swagger).run();
    check_examples(&exported, &[("code", "0012")]);
    assert_eq!(text(&exported.page("kettle"), "[data-name=lid] [data-pill=default]"), "01");
    let async_api = "asyncapi: 3.0.0\ninfo: {title: Kettles, version: 1.0}\nchannels:\n  kettle:\n    address: kettle/{room}\n    parameters: {room: {enum: [01, 02], default: 01}}\n    messages:\n      boiled: {payload: {type: object, properties: {code: {type: string, example: 0012}, null: {type: string}}}}\n";
    SiteTest::inline("")
        .file("docs.json", json!({ "theme": "mint", "name": "Test", "colors": { "primary": "#0F766E" }, "navigation": { "pages": ["kettle"] } }).to_string())
        .file("kettle.mdx", "---\ntitle: Kettle\nasyncapi: kettle\n---\n")
        .file("asyncapi.yaml", async_api)
        .text("kettle", "0012")
        .text("kettle", "01")
        .element("kettle", "[data-name=null]")
        .run();
}

#[test]
fn yaml_of_any_form_is_read() {
    let plain = yaml("{type: object, properties: {lid: {type: string, description: Its lid}}}");
    let flow = "{openapi: 3.1.0, info: {title: Kettles, version: 9e645618}, paths: {/kettle: {get: {summary: Boil, responses: {200: {description: Its lid}}}}}}";
    let tabbed = plain.replace("summary: Boil", "summary:\tBoil\t# hot");
    let merged = plain.replace(
        "      summary: Boil\n",
        "      x-a: &a {summary: Boil}\n      <<: *a\n      x-on: {on: 1, off: 2, n: 100_000}\n",
    );
    for (form, text) in [
        ("plain", plain.clone()),
        ("directive", format!("%YAML 1.2\n---\n{plain}")),
        ("tag directive", format!("%TAG ! tag:kettles.example,2031:\n---\n{plain}...\n")),
        ("first of several", format!("{plain}---\nother: 1\n")),
        ("behind an empty one", format!("---\n# of kettles\n---\n{plain}")),
        ("behind another", format!("other: 1\n---\n{plain}--- [")),
        ("flow", flow.to_owned()),
        ("flow over lines", flow.replace(", ", ",\n  ")),
        ("tabs behind values", tabbed),
        ("merged", merged),
        ("returns", plain.replace('\n', "\r\n")),
        ("a mark", format!("\u{feff}{plain}")),
        ("quoted keys", plain.replace("openapi:", "\"openapi\":").replace("paths:", "'paths':")),
        ("a date as version", plain.replace("version: '1'", "version: 2031-02-03")),
    ] {
        let exported = described("openapi.yaml", &text).text("kettle", "Its lid").run();
        assert_eq!(text_of_title(&exported), "Boil", "{form}");
    }
    let latin = plain.replace("Its lid", "Its l\u{ef}d");
    let latin: Vec<u8> = latin.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect();
    described("other.txt", "").file("openapi.yaml", latin).text("kettle", "Its l").other_diagnostics().run();
    described("openapi.yaml", &plain.replace("summary: Boil", "summary: Boil: now"))
        .diagnostic("openapi-file", "openapi.yaml:6:")
        .other_diagnostics()
        .run();
}

fn text_of_title(exported: &Exported) -> String {
    text(&exported.page("kettle"), "h1")
}
