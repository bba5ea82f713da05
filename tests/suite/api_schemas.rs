//! What schemas of API descriptions say: class hierarchies, maps by patterns, null, parts of bodies, OpenAPI 3.2.

use serde_json::{Value, json};

use crate::suite::html::{Page, parse_selector};
use crate::suite::site::{Exported, SiteTest};

/// A site with the page of an operation of a description.
fn described(operation: &str, description: &Value) -> SiteTest {
    let docs = json!({ "theme": "mint", "name": "Test", "colors": { "primary": "#0F766E" }, "navigation": { "pages": ["op"] } });
    SiteTest::inline("")
        .file("docs.json", docs.to_string())
        .file("op.mdx", format!("---\nopenapi: {operation}\n---\n"))
        .file("openapi.json", description.to_string())
}

/// A description whose `GET /boat` answers with a schema, with other named ones.
fn answering(version: &str, schema: &Value, schemas: &Value) -> Value {
    json!({
        "openapi": version, "info": {"title": "Boats", "version": "1"},
        "paths": {"/boat": {"get": {"summary": "Show", "responses": {"200": {"description": "Done", "content": {"application/json": {"schema": schema}}}}}}},
        "components": {"schemas": schemas},
    })
}

/// The alternatives below a selector, each with the names of its fields.
fn alternatives(page: &Page, around: &str) -> Vec<String> {
    let named = parse_selector("[data-name]");
    let of = |variant: &scraper::ElementRef<'_>| {
        let fields = variant.select(&named);
        let names: Vec<&str> = fields.filter_map(|field| field.value().attr("data-name")).collect();
        format!("{}: {}", variant.value().attr("data-variant").unwrap_or_default(), names.join(" "))
    };
    page.select(&format!("{around} [data-variant]")).iter().map(of).collect()
}

fn sample(exported: &Exported) -> Value {
    let page = exported.page("op");
    let text: String =
        page.select("#response-example code").first().map(|code| code.text().collect()).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn fleet(discriminator: &Value) -> Value {
    json!({
        "Boat": {"type": "object", "required": ["rig"], "properties": {"rig": {"type": "string"}}, "discriminator": discriminator},
        "Sloop": {"allOf": [{"$ref": "#/components/schemas/Boat"}, {"type": "object", "properties": {"jib": {"type": "string"}}}]},
        "Barge": {"type": "object", "properties": {"load": {"type": "integer"}, "towed": {"$ref": "#/components/schemas/Boat"}}, "allOf": [{"$ref": "#/components/schemas/Boat"}]},
        "Raft": {"allOf": [{"$ref": "#/components/schemas/Boat"}]},
    })
}

#[test]
fn schemas_that_extend_a_base_are_its_alternatives() {
    let mapping = json!({"propertyName": "rig", "mapping": {"s": "#/components/schemas/Sloop", "b": "Barge"}});
    let named = json!({"propertyName": "rig"});
    let boat = json!({"$ref": "#/components/schemas/Boat"});
    let expect_mapped = ["s: jib", "b: load towed", "Raft: "];
    let expect_named = ["Sloop: jib", "Barge: load towed", "Raft: "];
    for (discriminator, schema, expect) in [
        (&mapping, boat.clone(), expect_mapped),
        (&named, boat.clone(), expect_named),
        (&named, json!({"type": "array", "items": boat}), expect_named),
        (&mapping, json!({"type": "object", "additionalProperties": boat}), expect_mapped),
        (
            &named,
            json!({"type": "object", "properties": {"fleet": {"type": "array", "items": {"type": "array", "items": boat}}}}),
            expect_named,
        ),
        (
            &named,
            json!({"type": "object", "properties": {"own": {"allOf": [boat], "description": "Mine", "nullable": true}}}),
            expect_named,
        ),
        (&named, json!({"anyOf": [boat, {"type": "null"}]}), expect_named),
    ] {
        let exported = described("GET /boat", &answering("3.0.3", &schema, &fleet(discriminator))).run();
        assert_eq!(alternatives(&exported.page("op"), "[data-section=response]"), expect, "{schema}");
    }
    // where a schema that extends it is used itself, it has no alternatives
    let sloop = json!({"$ref": "#/components/schemas/Sloop"});
    let exported = described("GET /boat", &answering("3.0.3", &sloop, &fleet(&named))).run();
    assert_eq!(alternatives(&exported.page("op"), "[data-section=response]"), Vec::<String>::new());
}

#[test]
fn hierarchies_have_several_levels_and_older_formats() {
    let schemas = json!({
        "Craft": {"type": "object", "properties": {"kind": {"type": "string"}}, "discriminator": {"propertyName": "kind"}},
        "Sail": {"allOf": [{"$ref": "#/components/schemas/Craft"}, {"properties": {"area": {"type": "number"}}}]},
        "Dinghy": {"allOf": [{"$ref": "#/components/schemas/Sail"}, {"properties": {"crew": {"type": "integer"}}}]},
    });
    let craft = json!({"$ref": "#/components/schemas/Craft"});
    let exported = described("GET /boat", &answering("3.1.0", &craft, &schemas)).run();
    assert_eq!(alternatives(&exported.page("op"), "[data-section=response]"), ["Sail: area", "Dinghy: area crew"]);
    let sail = json!({"$ref": "#/components/schemas/Sail"});
    let exported = described("GET /boat", &answering("3.1.0", &sail, &schemas)).run();
    assert_eq!(alternatives(&exported.page("op"), "[data-section=response]"), ["Dinghy: crew"]);
    let swagger = json!({
        "swagger": "2.0", "info": {"title": "Boats", "version": "1"},
        "paths": {"/boat": {"get": {"summary": "Show", "responses": {"200": {"description": "Done", "schema": {"$ref": "#/definitions/Craft"}}}}}},
        "definitions": {
            "Craft": {"type": "object", "discriminator": "kind", "properties": {"kind": {"type": "string"}}},
            "Canoe": {"allOf": [{"$ref": "#/definitions/Craft"}, {"properties": {"paddles": {"type": "integer"}}}]},
        },
    });
    let exported = described("GET /boat", &swagger).run();
    assert_eq!(alternatives(&exported.page("op"), "[data-section=response]"), ["Canoe: paddles"]);
}

#[test]
fn the_value_of_a_discriminator_is_there_whatever_an_alternative_is_called() {
    let schemas = json!({
        "A": {"title": "An Anchor", "type": "object", "properties": {"iron": {"type": "string"}}},
        "B1": {"type": "object", "properties": {"one": {"type": "string"}}},
        "B2": {"type": "object", "properties": {"two": {"type": "string"}}},
        "B": {"oneOf": [{"$ref": "#/components/schemas/B1"}, {"$ref": "#/components/schemas/B2"}]},
    });
    let schema = json!({
        "oneOf": [{"$ref": "#/components/schemas/A"}, {"$ref": "#/components/schemas/B"}],
        "discriminator": {"propertyName": "sort", "mapping": {"heavy": "#/components/schemas/A", "light": "#/components/schemas/B"}},
    });
    let exported = described("GET /boat", &answering("3.1.0", &schema, &schemas))
        .text("op", "sort: heavy")
        .text("op", "sort: light")
        .run();
    assert_eq!(
        alternatives(&exported.page("op"), "[data-section=response]"),
        ["An Anchor: iron", "B1: one", "B2: two"]
    );
}

#[test]
fn all_patterns_of_names_are_shown() {
    let schema = json!({
        "type": "object",
        "properties": {"name": {"type": "string"}},
        "patternProperties": {"^x-": {"type": "string", "description": "An extension"}, "_at$": {"type": "integer", "description": "A time"}, "^any": {}},
        "additionalProperties": {"type": "boolean", "description": "A switch"},
    });
    let merged = json!({"allOf": [{"patternProperties": {"^x-": {"type": "string", "description": "An extension"}}}, {"patternProperties": {"_at$": {"type": "integer", "description": "A time"}}}]});
    let list = json!({"type": "array", "items": schema});
    for (schema, expect) in [(&schema, 4), (&list, 4), (&merged, 2)] {
        let exported = described("GET /boat", &answering("3.1.0", schema, &json!({})))
            .text("op", "An extension")
            .text("op", "A time")
            .text("op", "^x-")
            .text("op", "_at$")
            .run();
        assert_eq!(exported.page("op").count("[data-section=response] [data-name=\"{key}\"]"), expect, "{schema}");
    }
}

#[test]
fn null_is_a_value() {
    for (schema, types) in [
        (json!({"const": null, "description": "Nothing"}), "null"),
        (json!({"enum": [null], "description": "Nothing"}), "null"),
        (json!({"type": "null", "description": "Nothing"}), "null"),
        (json!({"type": "string", "const": "x", "description": "Nothing"}), "string"),
        (json!({"enum": ["x", null], "description": "Nothing"}), "enum<string> | null"),
        (json!({"anyOf": [{"type": "string"}, {"const": null}], "description": "Nothing"}), "string | null"),
    ] {
        let object = json!({"type": "object", "required": ["lock"], "properties": {"lock": schema}});
        let exported = described("GET /boat", &answering("3.1.0", &object, &json!({}))).text("op", "Nothing").run();
        let shown: String =
            exported.page("op").select("[data-section=response] [data-name=lock] [data-type]")[0].text().collect();
        assert_eq!(shown, types, "{schema}");
        if types == "null" {
            assert_eq!(sample(&exported), json!({"lock": null}), "{schema}");
        }
    }
}

#[test]
fn parts_of_a_body_say_what_they_may_be() {
    let body = |media: &str| {
        json!({
            "openapi": "3.0.3", "info": {"title": "Boats", "version": "1"},
            "paths": {"/boat": {"post": {
                "summary": "Add",
                "requestBody": {"content": {media: {"schema": {"type": "object", "properties": {"plan": {"type": "string", "format": "binary"}, "notes": {"type": "array", "items": {"type": "string"}}}}, "encoding": {"plan": {"contentType": "image/svg+xml, application/pdf"}, "notes": {"contentType": "text/plain"}, "other": {"contentType": "a/b"}}}}},
                "responses": {"204": {"description": "Done"}},
            }}},
        })
    };
    for media in ["multipart/form-data", "multipart/mixed"] {
        let exported = described("POST /boat", &body(media)).run();
        let page = exported.page("op");
        let text =
            |name: &str| page.select(&format!("[data-section=body] [data-name={name}]"))[0].text().collect::<String>();
        assert!(text("plan").contains("image/svg+xml, application/pdf") && text("notes").contains("text/plain"));
    }
}

#[test]
fn openapi_3_2() {
    let description = json!({
        "openapi": "3.2.0", "info": {"title": "Boats", "version": "1"},
        "paths": {"/boat": {
            "query": {"summary": "Search", "security": [{"device": ["sail"]}], "responses": {"200": {"summary": "Found"}}},
            "additionalOperations": {"COPY": {"summary": "Copy a boat", "responses": {"200": {"description": "Copied"}}}, "LINK": {"summary": "Link"}},
        }},
        "webhooks": {"launched": {"additionalOperations": {"NOTIFY": {"summary": "Launched"}}}},
        "components": {"securitySchemes": {"device": {"type": "oauth2", "flows": {"deviceAuthorization": {"deviceAuthorizationUrl": "https://boats.example/device", "tokenUrl": "https://boats.example/token", "scopes": {"sail": "May sail"}}}}}},
    });
    let page = |operation: &str| described(operation, &description);
    page("COPY /boat")
        .text("op", "Copied")
        .element("op", "[data-component=Operation][data-method=COPY][data-path=\"/boat\"]")
        .run();
    page("openapi.json LINK /boat").text("op", "Link").run();
    page("query /boat")
        .text("op", "https://boats.example/device")
        .text("op", "https://boats.example/token")
        .text("op", "May sail")
        .text("op", "Found")
        .run();
    page("webhook launched").element("op", "[data-method=WEBHOOK]").run();
    page("copy /boat").diagnostic("front-matter-value", "op.mdx:2").run();
}

/// The text of what matches, all of it.
fn text_of(page: &Page, selector: &str) -> String {
    let found: String = page.select(selector).iter().map(|element| element.text().collect::<String>()).collect();
    found.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_parameter_may_be_the_whole_query_string() {
    let description = |content: &Value| {
        json!({
            "openapi": "3.2.0", "info": {"title": "Boats", "version": "1"}, "servers": [{"url": "https://boats.example"}],
            "paths": {"/boat": {"get": {
                "summary": "Find",
                "parameters": [{"name": "search", "in": "querystring", "required": true, "description": "What to look for", "content": content}],
                "responses": {"200": {"description": "Found"}},
            }}},
        })
    };
    let schema = json!({"type": "object", "required": ["rig"], "properties": {"rig": {"type": "string", "example": "gaff", "description": "Its rig"}, "masts": {"type": "integer"}}});
    let form = json!({"application/x-www-form-urlencoded": {"schema": schema}});
    let exported =
        described("GET /boat", &description(&form)).text("op", "What to look for").text("op", "Its rig").run();
    let page = exported.page("op");
    assert_eq!(page.count("[data-section=query] > .field"), 2);
    assert_eq!(page.count("[data-section=query] > [data-name=rig] [data-pill=required]"), 1);
    assert!(text_of(&page, "#request-example").contains("https://boats.example/boat?rig=gaff"));
    let json = json!({"application/json": {"schema": schema, "example": {"rig": "gaff"}}});
    let exported = described("GET /boat", &description(&json)).text("op", "What to look for").run();
    let page = exported.page("op");
    assert_eq!(page.count("[data-section=query] > [data-name=search][data-style=querystring] [data-name=rig]"), 1);
    assert!(text_of(&page, "#request-example").contains("/boat?%7B%22rig%22:%22gaff%22%7D"));
}

#[test]
fn openapi_3_2_says_what_stands_for_all_other_values() {
    let schemas = json!({
        "Sail": {"type": "object", "properties": {"area": {"type": "number"}}},
        "Oar": {"type": "object", "properties": {"length": {"type": "number"}}},
        "Any": {"type": "object", "properties": {"more": {"type": "string"}}},
    });
    let of = |fallback: &str| {
        json!({
            "oneOf": [{"$ref": "#/components/schemas/Sail"}, {"$ref": "#/components/schemas/Oar"}, {"$ref": "#/components/schemas/Any"}],
            "discriminator": {"propertyName": "drive", "mapping": {"wind": "#/components/schemas/Sail"}, "defaultMapping": fallback},
        })
    };
    for fallback in ["Any", "#/components/schemas/Any"] {
        let exported = described("GET /boat", &answering("3.2.0", &of(fallback), &schemas)).run();
        let page = exported.page("op");
        let shown = |name: &str| text_of(&page, &format!("[data-variant={name}] > .field-fact"));
        assert_eq!(
            (shown("Any"), shown("wind"), shown("Oar")),
            ("drive: default".to_owned(), String::new(), String::new())
        );
    }
    let mut fleet = fleet(
        &json!({"propertyName": "rig", "mapping": {"s": "#/components/schemas/Sloop", "b": "Barge"}, "defaultMapping": "Barge"}),
    );
    fleet["Boat"]["description"] = "Any boat".into();
    let boat = json!({"$ref": "#/components/schemas/Boat"});
    let exported = described("GET /boat", &answering("3.2.0", &boat, &fleet)).run();
    assert_eq!(text_of(&exported.page("op"), "[data-variant=b] > .field-fact"), "rig: default");
}

#[test]
fn what_extends_a_schema_is_none_of_its_own_alternatives() {
    let boat = json!({"$ref": "#/components/schemas/Boat"});
    let exported = described("GET /boat", &answering("3.0.3", &boat, &fleet(&json!({"propertyName": "rig"})))).run();
    let page = exported.page("op");
    assert_eq!(page.count("[data-section=response] [data-section=subtype] > [data-variant]"), 3);
    assert_eq!(page.count("[data-section=subtype] [data-name=rig]"), 0);
}

#[test]
fn nested_choices_keep_their_values() {
    let named = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
    let mapping = |outer: &str, inner: &str| json!({"propertyName": "sort", "mapping": {outer: format!("#/components/schemas/{inner}")}});
    let schemas = json!({
        "Rope": {"type": "object", "properties": {"rope": {"type": "string"}}},
        "Chain": {"type": "object", "properties": {"chain": {"type": "string"}}},
        "Light": {"oneOf": [named("Rope"), named("Chain")]},
        "Heavy": {"oneOf": [named("Chain"), named("Rope")]},
    });
    let mut schema = json!({"oneOf": [named("Light"), named("Heavy")], "discriminator": mapping("l", "Light")});
    schema["discriminator"]["mapping"]["h"] = "#/components/schemas/Heavy".into();
    let exported = described("GET /boat", &answering("3.1.0", &schema, &schemas)).run();
    let page = exported.page("op");
    assert_eq!(
        alternatives(&page, "[data-section=response]"),
        ["Rope: rope", "Chain: chain", "Chain: chain", "Rope: rope"]
    );
    let values: Vec<String> = page
        .select("[data-section=response] [data-variant] > .field-fact")
        .iter()
        .map(|it| it.text().collect())
        .collect();
    assert_eq!(values, ["sort: l", "sort: l", "sort: h", "sort: h"]);
}

#[test]
fn references_lead_to_anchors_and_addresses() {
    let schemas = json!({
        "Knot": {
            "$id": "https://boats.example/knot", "$dynamicAnchor": "knot", "type": "object",
            "properties": {"parts": {"type": "array", "items": {"$dynamicRef": "#knot"}}, "use": {"$ref": "#/$defs/Use"}, "size": {"$ref": "#size"}},
            "$defs": {"Use": {"type": "string", "description": "What for"}, "Size": {"$anchor": "size", "type": "integer", "description": "How large"}},
        },
    });
    let reference = |to: &str| answering("3.1.0", &json!({"$ref": to}), &schemas);
    for to in ["#/components/schemas/Knot", "https://boats.example/knot", "#knot", "knot"] {
        described("GET /boat", &reference(to))
            .text("op", "What for")
            .text("op", "How large")
            .element("op", "[data-name=parts] .field-more")
            .run();
    }
    described("GET /boat", &reference("#none")).diagnostic("openapi-ref", "openapi.json:1").run();
}

#[test]
fn credentials_and_links_say_all_of_theirs() {
    let description = json!({
        "openapi": "3.2.0", "info": {"title": "Boats", "version": "1"}, "security": [{"login": ["sail"]}],
        "paths": {"/boat": {"get": {"summary": "Show", "responses": {"200": {"description": "Done", "links": {"crew": {"operationId": "listCrew", "parameters": {"boat": "$response.body#/id"}, "description": "Who is aboard"}}}}}}},
        "components": {"securitySchemes": {"login": {"type": "oauth2", "deprecated": true, "oauth2MetadataUrl": "https://boats.example/.well-known/oauth", "flows": {"implicit": {"authorizationUrl": "https://boats.example/login", "scopes": {"sail": "May sail"}}}}}},
    });
    described("GET /boat", &description)
        .text("op", "https://boats.example/.well-known/oauth")
        .text("op", "$response.body#/id")
        .element("op", "[data-section=authorization] [data-pill=deprecated]")
        .run();
}

/// What an AsyncAPI description says of a channel, its operations, its messages and their parts.
#[test]
fn events_say_all_of_theirs() {
    let site = |description: &str| {
        SiteTest::inline("")
            .file("docs.json", r##"{"theme": "mint", "name": "T", "colors": {"primary": "#0F766E"}, "navigation": {"groups": [{"group": "G", "asyncapi": "api.yaml"}]}}"##)
            .file("api.yaml", format!("info: {title}\n{description}", title = "{title: Harbour, version: '1'}"))
    };
    let message = "{summary: A ship came, description: It is *moored*, payload: {type: object, description: The ship, properties: {name: {type: string, description: Its name}}}, headers: {type: object, description: The flags, properties: {flag: {type: string}}}}";
    let three = format!(
        "asyncapi: 3.0.0\nchannels:\n  ships: {{summary: All ships, description: Of the harbour, messages: {{came: {message}, left: {{payload: {{type: string, description: Where to}}}}}}}}\noperations:\n  hear: {{action: receive, channel: {{$ref: '#/channels/ships'}}, summary: Hear of ships, description: 'By [radio](https://radio.example)'}}\n"
    );
    let two = format!(
        "asyncapi: 2.6.0\nchannels:\n  ships: {{description: Of the harbour, publish: {{summary: Hear of ships, description: 'By [radio](https://radio.example)', message: {message}}}}}\n"
    );
    let words = [
        "Of the harbour",
        "Hear of ships",
        "By radio",
        "A ship came",
        "It is moored",
        "The ship",
        "Its name",
        "The flags",
    ];
    for (description, more) in [(three, vec!["All ships", "Where to"]), (two, vec![])] {
        let site =
            words.iter().chain(&more).fold(site(&description), |site, words| site.text("api-reference/ships", words));
        let site = site.element("api-reference/ships", "a[href='https://radio.example']").run();
        let twin = site.text_of("api-reference/ships.md");
        assert!(twin.contains("The flags") && twin.contains("Hear of ships"), "{twin}");
    }
}
