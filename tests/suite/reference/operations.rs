//! Each part of an operation: what the description has, and what the page says. A row is an operation in YAML, the
//! section that matters (or a selector of what has to be there), and its outline.

use serde_json::{Value, json};

use super::{description, lines, page, site, yaml};

/// What rows refer to.
const COMPONENTS: &str = r##"
securitySchemes:
  bearer: {type: http, scheme: bearer, description: A secret key.}
  basic: {type: http, scheme: basic}
  digest: {type: http, scheme: digest}
  hoba: {type: http, scheme: hoba}
  key: {type: apiKey, in: header, name: X-Key}
  queryKey: {type: apiKey, in: query, name: key}
  cookieKey: {type: apiKey, in: cookie, name: sid}
  oidc: {type: openIdConnect, openIdConnectUrl: 'https://id.example.com/.well-known'}
  oauth: {type: oauth2, flows: {clientCredentials: {tokenUrl: 'https://id.example.com/token', scopes: {read: See all.}}}}
  certificate: {type: mutualTLS}
parameters:
  Page: {name: page, in: query, description: Which page., schema: {type: integer, minimum: 1}}
headers:
  Left: {description: Requests left., schema: {type: integer}}
responses:
  Missing: {description: There is none., content: {application/json: {schema: {$ref: '#/components/schemas/Fault'}}}}
requestBodies:
  Pet: {description: The pet., required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
schemas:
  Fault: {type: object, properties: {code: {type: string, enum: [gone, never]}}}
  Pet: {type: object, required: [id, name], properties: {id: {type: integer, readOnly: true}, name: {type: string}, pin: {type: string, writeOnly: true}}}
links: {Next: {operationId: nextPage, description: The page after it.}}
"##;

/// Name, operation, section, outline. `*` is every section but those of a plain response.
const ROWS: &[(&str, &str, &str, &str)] = &[
    ("no parts", "{responses: {'204': {description: Done.}}}", "*", "response 204 — 204 Done."),
    (
        "parameters by place",
        r##"
        x-path: /things/{id}
        parameters:
          - {name: id, in: path, required: true, schema: {type: string}, description: Which one.}
          - {$ref: '#/components/parameters/Page'}
          - {name: X-Trace, in: header, schema: {type: string}, example: abc}
          - {name: sid, in: cookie, deprecated: true, schema: {type: string}}
          - {name: lost, in: formData, type: string}
          - {in: query, schema: {type: string}}
        "##,
        "*",
        "
        path
          id: string; required — Which one.
        query
          page: integer; ≥ 1 — Which page.
        header
          X-Trace: string; example abc
        cookie
          sid: string; deprecated
        ",
    ),
    (
        "a parameter with content",
        "{parameters: [{name: filter, in: query, content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}}]}",
        "query",
        "query\n  filter: object\n    a: string",
    ),
    (
        "deepObject",
        "{parameters: [{name: at, in: query, style: deepObject, explode: true, required: true, schema: {type: object, properties: {from: {type: string, example: a}, to: {type: string, example: b}}}}]}",
        "query",
        "query\n  at: object; required\n    from: string; example a\n    to: string; example b",
    ),
    (
        "the last parameter of a name wins",
        "{parameters: [{name: a, in: query, schema: {type: string}}, {name: a, in: query, schema: {type: integer}}]}",
        "query",
        "query\n  a: integer",
    ),
    (
        "a body by reference",
        "{requestBody: {$ref: '#/components/requestBodies/Pet'}}",
        "body application/json",
        "body application/json\n  name: string; required\n  pin: string; write-only",
    ),
    (
        "read only in a response",
        "{responses: {'200': {description: It., content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}}",
        "response 200 application/json",
        "response 200 application/json\n  id: integer; required; read-only\n  name: string; required",
    ),
    (
        "several media types",
        "{requestBody: {content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}, application/xml: {schema: {type: object, properties: {b: {type: string}}}}, text/plain: {schema: {type: string}}}}}",
        "*",
        "
        body application/json
          a: string
        body application/xml
          b: string
        body text/plain: string
        ",
    ),
    (
        "multipart with files",
        "{requestBody: {content: {multipart/form-data: {schema: {type: object, required: [file], properties: {file: {type: string, format: binary, description: The picture.}, others: {type: array, items: {type: string, format: binary}}, meta: {type: object, properties: {a: {type: string}}}}}}}}}",
        "body multipart/form-data",
        "
        body multipart/form-data
          file: file; required — The picture.
          others: file[]
          meta: object
            a: string
        ",
    ),
    (
        "a binary body",
        "{requestBody: {content: {application/octet-stream: {schema: {type: string, format: binary}}}}}",
        "body application/octet-stream",
        "body application/octet-stream: file",
    ),
    ("a body without a schema", "{requestBody: {content: {image/png: {}}}}", "body image/png", "body image/png"),
    (
        "an array as body",
        "{requestBody: {content: {application/json: {schema: {type: array, minItems: 1, items: {type: object, properties: {a: {type: string}}}}}}}}",
        "body application/json",
        "body application/json: object[]; items ≥ 1\n  a: string",
    ),
    (
        "alternatives as body",
        "{requestBody: {content: {application/json: {schema: {oneOf: [{title: One, type: object, properties: {a: {type: string}}}, {title: Two, type: object, properties: {b: {type: string}}}]}}}}}",
        "body application/json",
        "body application/json\n  | One\n    a: string\n  | Two\n    b: string",
    ),
    (
        "responses by status",
        r##"
        responses:
          '200': {description: All is well., content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}}
          '404': {$ref: '#/components/responses/Missing'}
          4XX: {description: Something else.}
          default: {description: Anything.}
          x-note: {description: No response.}
        "##,
        "*",
        "
        response 200 — 200 All is well.
        response 200 application/json
          a: string
        response 404 — 404 There is none.
        response 404 application/json
          code: enum<string>; enum gone; enum never
        response 4XX — 4XX Something else.
        response default — default Anything.
        ",
    ),
    (
        "headers of a response",
        "{responses: {'200': {description: It., headers: {X-Left: {$ref: '#/components/headers/Left'}, ETag: {required: true, schema: {type: string}}}}}}",
        "response 200 header",
        "response 200 header\n  X-Left: integer — Requests left.\n  ETag: string; required",
    ),
    (
        "links",
        "{responses: {'200': {description: It., links: {next: {$ref: '#/components/links/Next'}}}}}",
        "response 200",
        "response 200 — 200 It. next → nextPage The page after it.",
    ),
    (
        "callbacks",
        r##"
        callbacks:
          onPaid:
            '{$request.body#/url}':
              post:
                description: It is paid.
                parameters: [{name: X-Sign, in: header, schema: {type: string}}]
                requestBody: {content: {application/json: {schema: {type: object, properties: {at: {type: string, format: date}}}}}}
                responses: {'204': {description: Noted.}}
        "##,
        "*",
        "
        callback onPaid — POST onPaid {$request.body#/url} It is paid.
        callback onPaid header
          X-Sign: string
        callback onPaid body application/json
          at: string<date>
        callback onPaid response 204 — 204 Noted.
        ",
    ),
    (
        "bearer",
        "{security: [{bearer: []}]}",
        "authorization",
        "authorization\n  Authorization: string; required — A secret key. Authorization: Bearer <token>",
    ),
    (
        "basic",
        "{security: [{basic: []}]}",
        "authorization",
        "authorization\n  Authorization: string; required — Authorization: Basic <base64(user:password)>",
    ),
    (
        "digest",
        "{security: [{digest: []}]}",
        "authorization",
        "authorization\n  Authorization: string; required — Authorization: Digest <response>",
    ),
    (
        "another scheme of HTTP",
        "{security: [{hoba: []}]}",
        "authorization",
        "authorization\n  Authorization: string; required — Authorization: hoba <credentials>",
    ),
    (
        "a key in a header",
        "{security: [{key: []}]}",
        "authorization",
        "authorization\n  X-Key: string; required — X-Key: <key>",
    ),
    (
        "a key in the query",
        "{security: [{queryKey: []}]}",
        "authorization",
        "authorization\n  key: string; required — ?key=<key>",
    ),
    (
        "a key in a cookie",
        "{security: [{cookieKey: []}]}",
        "authorization",
        "authorization\n  sid: string; required — Cookie: sid=<key>",
    ),
    (
        "openIdConnect",
        "{security: [{oidc: [profile]}]}",
        "authorization",
        "authorization\n  Authorization: string; required — Authorization: Bearer <token> https://id.example.com/.well-known profile",
    ),
    (
        "oauth2",
        "{security: [{oauth: [read]}]}",
        "authorization",
        "authorization\n  Authorization: string; required — Authorization: Bearer <token> https://id.example.com/token read See all.",
    ),
    (
        "a certificate",
        "{security: [{certificate: []}]}",
        "authorization",
        "authorization — A client certificate (mutual TLS)",
    ),
    (
        "credentials together",
        "{security: [{key: [], cookieKey: []}]}",
        "authorization",
        "authorization\n  X-Key: string; required — X-Key: <key>\n  sid: string; required — Cookie: sid=<key>",
    ),
    (
        "one or the other",
        "{security: [{key: []}, {bearer: []}]}",
        "authorization",
        "authorization\n  X-Key: string; required — X-Key: <key>\n  Authorization: string; required — A secret key. Authorization: Bearer <token>",
    ),
    ("no credentials", "{security: []}", "*", "response 204 — 204 Done."),
];

/// The response of rows that describe none.
const ADDED: &str = "response 204 — 204 Done.";

fn operations() -> Vec<(&'static str, Value)> {
    let operation = |(name, text, ..): &(&'static str, &str, &str, &str)| {
        let mut operation = yaml(text);
        if operation.get("responses").is_none() {
            operation["responses"] = json!({ "204": { "description": "Done." } });
        }
        (*name, operation)
    };
    ROWS.iter().map(operation).collect()
}

#[test]
fn a_page_says_what_its_operation_says() {
    let exported = site(&description(&operations(), &yaml(COMPONENTS)), &json!({})).other_diagnostics().run();
    let mut wrong = Vec::new();
    for (name, _, section, expected) in ROWS {
        let page = page(&exported, name);
        let mut found = Vec::new();
        match *section {
            "*" => {
                found = page.outline();
                if found.len() > 1 {
                    found.retain(|line| line != ADDED);
                }
            }
            section => page.scope(section).outline(0, &mut found),
        }
        if found != lines(expected) {
            wrong.push(format!("{name}:\n  expected {:#?}\n  found {found:#?}", lines(expected)));
        }
    }
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), ROWS.len(), wrong.join("\n"));
}

/// One operation through the program.
fn exported(operation: &str, api: &Value) -> super::ApiPage {
    let rows = [("it", yaml(operation))];
    page(&site(&description(&rows, &yaml(COMPONENTS)), api).other_diagnostics().run(), "it")
}

#[test]
fn a_field_says_how_it_is_sent_where_that_is_unusual() {
    let page = exported(
        r##"
        x-path: /things/{id}/{kind}
        parameters:
          - {name: id, in: path, required: true, style: matrix, explode: true, schema: {type: string}}
          - {name: kind, in: path, required: true, style: simple, explode: false, schema: {type: string}}
          - {name: plain, in: query, style: form, explode: true, schema: {type: array, items: {type: string}}}
          - {name: list, in: query, style: form, explode: false, schema: {type: array, items: {type: string}}}
          - {name: piped, in: query, style: pipeDelimited, schema: {type: array, items: {type: string}}}
          - {name: deep, in: query, style: deepObject, explode: true, schema: {type: object}}
          - {name: json, in: query, content: {application/json: {schema: {type: object}}}}
        security: [{key: [], basic: []}]
        "##,
        &json!({}),
    );
    for (field, attribute, value) in [
        ("id", "data-style", Some("matrix")),
        ("id", "data-explode", Some("true")),
        ("kind", "data-style", None),
        ("kind", "data-explode", None),
        ("plain", "data-style", None),
        ("plain", "data-explode", None),
        ("list", "data-style", None),
        ("list", "data-explode", Some("false")),
        ("piped", "data-style", Some("pipeDelimited")),
        ("piped", "data-explode", None),
        ("deep", "data-style", Some("deepObject")),
        ("json", "data-content", Some("application/json")),
        ("X-Key", "data-in", Some("header")),
        ("X-Key", "data-scheme", Some("apiKey")),
        ("Authorization", "data-scheme", Some("basic")),
    ] {
        assert_eq!(page.attribute(field, attribute), value, "{field} {attribute}");
    }
}

/// A request to this operation, with these settings, in curl.
#[track_caller]
fn curl(operation: &str, api: &Value) -> String {
    let page = exported(operation, api);
    page.requests.into_iter().find(|code| code.starts_with("curl")).expect("a sample in curl")
}

#[test]
fn a_sample_is_a_request_that_the_description_allows() {
    const FULL: &str = r##"
        x-path: /things/{id}
        security: [{bearer: []}]
        parameters:
          - {name: id, in: path, required: true, schema: {type: string}}
          - {name: at, in: query, style: deepObject, explode: true, required: true, schema: {type: object, properties: {from: {type: string, example: a}, to: {type: string, example: b}}}}
          - {name: note, in: query, schema: {type: string}, example: hello}
          - {name: X-Trace, in: header, required: true, schema: {type: string, example: abc}}
          - {name: old, in: query, deprecated: true, schema: {type: string}, example: never}
        requestBody: {content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string, example: Ada}, size: {type: integer, example: 3}, id: {type: string, readOnly: true}}}}}}
        "##;
    let all = curl(FULL, &json!({}));
    for words in [
        "-X POST",
        "https://api.example.com/things/",
        "from",
        "=a&",
        "note=hello",
        "X-Trace: abc",
        "Authorization: Bearer <token>",
        "Ada",
        "\"size\": 3",
    ] {
        assert!(all.replace("--request", "-X").contains(words), "no {words} in {all}");
    }
    assert!(!all.contains("never") && !all.contains("\"id\""), "{all}");
    let required = curl(FULL, &json!({ "examples": { "defaults": "required" } }));
    assert!(required.contains("Ada") && !required.contains("size") && !required.contains("hello"), "{required}");
    let form = curl(
        "{requestBody: {content: {multipart/form-data: {schema: {type: object, properties: {file: {type: string, format: binary}, name: {type: string, example: Ada}}}}}}}",
        &json!({}),
    );
    assert!(form.contains("file=@") && form.contains("name=Ada"), "{form}");
    let bytes = curl(
        "{requestBody: {content: {application/octet-stream: {schema: {type: string, format: binary}}}}}",
        &json!({}),
    );
    assert!(bytes.contains("--data-binary"), "{bytes}");
}

#[test]
fn samples_of_the_description_come_first_and_are_verbatim() {
    let operation = "{x-codeSamples: [{lang: python, label: SDK, source: \"import pets\\npets.add()\\n\"}, {lang: shell, source: pets add}]}";
    let page = exported(operation, &json!({ "examples": { "languages": ["curl", "go", "klingon"] } }));
    assert_eq!(page.requests[..2], ["import pets\npets.add()", "pets add"]);
    assert!(page.requests.len() == 3 && page.requests[2].contains("package main"), "{:#?}", page.requests);
    let page = exported(operation, &json!({ "examples": { "autogenerate": false } }));
    assert_eq!(page.requests, ["import pets\npets.add()", "pets add"]);
    let page = exported("{}", &json!({ "examples": { "autogenerate": false } }));
    assert!(page.requests.is_empty());
}

#[test]
fn examples_of_responses_stand_by_their_status() {
    let page = exported(
        r##"
        responses:
          '200':
            description: It.
            content: {application/json: {schema: {type: object}, examples: {one: {summary: One, value: {a: 1}}, two: {$ref: '#/components/examples/Two'}}}}
          '201': {description: Made., content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
          '202': {description: Text., content: {text/csv: {example: 'a,b'}}}
          '204': {description: Nothing.}
          '400': {description: Any., content: {application/json: {schema: {}}}}
          default: {description: Odd., content: {application/problem+json: {schema: {$ref: '#/components/schemas/Fault'}}}}
        "##,
        &json!({}),
    );
    let found: Vec<_> = page
        .responses
        .iter()
        .map(|(status, code)| (status.as_str(), serde_json::from_str(code).unwrap_or_else(|_| json!(code))))
        .collect();
    assert_eq!(
        found,
        [
            ("200", json!({ "a": 1 })),
            ("201", json!({ "id": 123, "name": "<string>" })),
            ("202", json!("a,b")),
            ("default", json!({ "code": "gone" })),
        ]
    );
}

#[test]
fn a_webhook_shows_what_is_sent() {
    let mut description = description(&[], &yaml(COMPONENTS));
    description["webhooks"] = yaml(
        "order.paid: {post: {summary: It, requestBody: {content: {application/json: {schema: {type: object, properties: {event: {const: paid}}}}}}, responses: {'200': {description: Noted.}}}}",
    );
    description["security"] = json!([{ "bearer": [] }]);
    let page = page(&site(&description, &json!({})).other_diagnostics().run(), "it");
    assert_eq!(page.root, "Operation WEBHOOK order.paid");
    assert_eq!(page.outline(), ["body application/json", "  event: string; const paid", "response 200 — 200 Noted."]);
    assert_eq!(page.requests, ["{\n  \"event\": \"paid\"\n}"]);
}

#[test]
fn servers_are_shown_where_they_tell_something() {
    let own = "{servers: [{url: 'https://{region}.example.com', description: Of its own., variables: {region: {default: eu, enum: [eu, us]}}}]}";
    let shown = exported(own, &json!({}));
    assert_eq!(shown.servers, ["https://{region}.example.com"]);
    assert!(
        shown.text.contains("https://{region}.example.com") && shown.text.contains("Of its own."),
        "{}",
        shown.text
    );
    for (api, is_hidden) in [(json!({}), true), (json!({ "url": "full" }), false)] {
        let rows = [("it", yaml("{}"))];
        let site = site(&description(&rows, &json!({})), &api).other_diagnostics().run();
        assert_eq!(site.page("api-reference/it").count(".api-servers[hidden]"), usize::from(is_hidden), "{api}");
    }
}

#[test]
fn fields_below_fields_are_open_where_the_site_says_so() {
    let operation = yaml(
        "{requestBody: {content: {application/json: {schema: {type: object, properties: {a: {type: object, properties: {b: {type: string}}}}}}}}}",
    );
    for (expanded, open) in [("all", 1), ("closed", 0)] {
        let rows = [("it", operation.clone())];
        let api = json!({ "params": { "expanded": expanded } });
        let site = site(&description(&rows, &json!({})), &api).other_diagnostics().run();
        assert_eq!(site.page("api-reference/it").count("details.field-children[open]"), open, "{expanded}");
    }
}

#[test]
fn the_console_starts_with_examples_where_the_site_says_so() {
    let operation = "{parameters: [{name: a, in: query, schema: {type: string, example: x}}, {name: b, in: query, schema: {type: string, x-default: why}}, {name: c, in: query, schema: {type: integer, default: 20}}]}";
    for (prefill, values) in [(false, [None, Some("why"), None]), (true, [Some("x"), Some("why"), Some("20")])] {
        let page = exported(operation, &json!({ "examples": { "prefill": prefill } }));
        assert_eq!(["a", "b", "c"].map(|name| page.attribute(name, "data-prefill")), values);
    }
}

/// A page of the author's for an operation: front matter and body.
fn authored(front: &str, body: &str) -> crate::suite::site::Exported {
    let rows = [(
        "it",
        json!({ "responses": { "200": { "description": "It.", "content": { "application/json": { "example": { "a": 1 } } } } } }),
    )];
    site(&description(&rows, &json!({})), &json!({}))
        .file("own.mdx", format!("---\ntitle: Own\nopenapi: POST /row-0\n{front}---\n\n{body}\n"))
        .other_diagnostics()
        .run()
}

#[test]
fn examples_of_the_author_win() {
    let body = "<RequestExample>\n\n```bash\nmine --request\n```\n\n</RequestExample>\n\n<ResponseExample>\n\n```json\n{\"mine\": true}\n```\n\n</ResponseExample>";
    let site = authored("", body);
    let page = super::ApiPage::read(site.text_of("own.html"));
    assert_eq!(page.requests, ["mine --request"]);
    assert_eq!(site.page("own").count("#response-example"), 1);
    assert!(site.text_of("own.html").contains("mine") && !site.text_of("own.html").contains("curl"));
    let generated = authored("", "Words of my own.");
    let page = super::ApiPage::read(generated.text_of("own.html"));
    assert!(page.requests.len() > 3 && page.text.contains("Words of my own."));
}

#[test]
fn examples_stand_in_the_text_of_wide_pages() {
    let beside = authored("", "");
    assert_eq!(beside.page("own").count(".mdx-content #request-example"), 0);
    let wide = authored("mode: wide\n", "");
    assert_eq!(wide.page("own").count(".mdx-content #request-example"), 1);
    assert_eq!(wide.page("own").count("#request-example"), 1);
    assert_eq!(wide.page("own").count(".mdx-content #response-example"), 1);
}
