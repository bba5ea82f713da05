//! API descriptions made to break programs: each is a site of its own, whose other page has to come out whole.

use std::fmt::Write as _;

use crate::suite::site::SiteTest;

const DOCS: &str = r##"{"theme": "mint", "name": "T", "colors": {"primary": "#0F766E"}, "navigation": {"groups": [{"group": "A", "pages": ["index"]}, {"group": "B", "openapi": "api.yaml"}]}}"##;

/// An operation with this schema in its body and in its response, of a document with these schemas.
fn api(schema: &str, schemas: &str) -> String {
    let content = format!("content: {{application/json: {{schema: {schema}}}}}");
    format!(
        "openapi: 3.1.0\ninfo: {{title: T, version: '1'}}\npaths:\n  /a:\n    post:\n      requestBody: {{{content}}}\n      responses: {{'200': {{description: D, {content}}}}}\ncomponents:\n  schemas:\n{schemas}"
    )
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut out, at| {
        let _ = writeln!(out, "    {}", line(at));
        out
    })
}

fn reference(at: usize) -> String {
    format!("{{$ref: '#/components/schemas/S{at}'}}")
}

/// Schemas of which each has the next one this many times.
fn chain(count: usize, times: usize, word: &str) -> String {
    lines(count, |at| {
        let next = vec![reference(at + 1); times].join(", ");
        format!("S{at}: {{{word}: [{next}]}}")
    }) + &format!("    S{count}: {{type: string}}\n")
}

fn nested(depth: usize, open: &str, close: &str) -> String {
    format!("{}{{type: string}}{}", open.repeat(depth), close.repeat(depth))
}

#[track_caller]
fn bounded(what: &str, files: &[(&str, String)]) {
    let mut site = SiteTest::inline("").file("docs.json", DOCS).file("index.mdx", "Words.\n\nThe end.\n");
    for (path, text) in files {
        site = site.file(path, text);
    }
    let exported = site.bounded(what).other_diagnostics().run();
    assert!(exported.page("index").content_text().contains("The end."), "{what}: the end is lost");
    let bytes: usize = exported.files.values().map(Vec::len).sum();
    assert!(bytes < 64 << 20, "{what}: {bytes} bytes");
}

#[track_caller]
fn each_is_bounded(cases: &[(&str, String)]) {
    for (what, text) in cases {
        bounded(what, &[("api.yaml", text.clone())]);
    }
}

#[test]
fn schemas_that_multiply() {
    let s0 = reference(0);
    let wide = |count: usize| {
        lines(1, |_| {
            format!(
                "S0: {{properties: {{{}}}}}",
                (0..count).map(|n| format!("p{n}: {{type: string}}")).collect::<Vec<_>>().join(", ")
            )
        })
    };
    let properties = lines(30, |at| {
        let fields: Vec<String> = (0..10).map(|n| format!("p{n}: {}", reference(at + 1))).collect();
        format!("S{at}: {{type: object, required: [p0], properties: {{{}}}}}", fields.join(", "))
    });
    let mutual = lines(40, |at| {
        let fields: Vec<String> = (0..40).map(|n| format!("p{n}: {}", reference((at + n) % 40))).collect();
        format!("S{at}: {{properties: {{{}}}}}", fields.join(", "))
    });
    each_is_bounded(&[
        ("allOf doubles", api(&s0, &chain(40, 2, "allOf"))),
        ("oneOf doubles", api(&s0, &chain(40, 2, "oneOf"))),
        ("anyOf doubles", api(&s0, &chain(40, 2, "anyOf"))),
        ("allOf times ten", api(&s0, &chain(20, 10, "allOf"))),
        ("prefixItems doubles", api(&s0, &chain(40, 2, "prefixItems"))),
        ("fields times ten", api(&s0, &properties)),
        ("everything has everything", api(&s0, &mutual)),
        ("a long chain of allOf", api(&s0, &chain(5_000, 1, "allOf"))),
        (
            "a long chain of references",
            api(&s0, &(lines(5_000, |at| format!("S{at}: {}", reference(at + 1))) + "    S5000: {type: string}\n")),
        ),
        (
            "a long chain of items",
            api(&s0, &lines(5_000, |at| format!("S{at}: {{type: array, items: {}}}", reference(at + 1)))),
        ),
        (
            "a long chain of maps",
            api(&s0, &lines(5_000, |at| format!("S{at}: {{additionalProperties: {}}}", reference(at + 1)))),
        ),
        ("many fields", api(&s0, &wide(20_000))),
        (
            "many values",
            api(
                &s0,
                &lines(1, |_| {
                    format!("S0: {{enum: [{}]}}", (0..100_000).map(|n| format!("v{n}")).collect::<Vec<_>>().join(", "))
                }),
            ),
        ),
        (
            "many alternatives",
            api(
                &s0,
                &lines(1, |_| {
                    format!(
                        "S0: {{oneOf: [{}]}}",
                        (0..5_000)
                            .map(|n| format!("{{title: T{n}, type: object, properties: {{a: {{const: {n}}}}}}}"))
                            .collect::<Vec<_>>()
                            .join(", ")
                    )
                }),
            ),
        ),
        (
            "large lists",
            api(
                "{type: array, minItems: 1000000000, items: {type: array, minItems: 1000000000, items: {type: string, minLength: 1000000000}}}",
                "",
            ),
        ),
        (
            "large numbers",
            api("{type: integer, minimum: 1e308, maximum: -1e308, multipleOf: 0, exclusiveMinimum: 1e400}", ""),
        ),
        (
            "a pattern that backtracks",
            api(
                "{type: string, pattern: '^(a+)+$', example: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab}",
                "",
            ),
        ),
        (
            "required without end",
            api(
                &s0,
                &lines(1, |_| {
                    format!(
                        "S0: {{required: [{}]}}",
                        (0..50_000).map(|n| format!("r{n}")).collect::<Vec<_>>().join(", ")
                    )
                }),
            ),
        ),
    ]);
}

#[test]
fn references_in_circles() {
    let s0 = reference(0);
    let circle = |words: &str| format!("    S0: {}\n", words.replace('@', &reference(0)));
    each_is_bounded(&[
        ("itself", api(&s0, &circle("@"))),
        ("two", api(&s0, &lines(2, |at| format!("S{at}: {}", reference(1 - at))))),
        ("a long circle", api(&s0, &lines(3_000, |at| format!("S{at}: {}", reference((at + 1) % 3_000))))),
        ("its own allOf", api(&s0, &circle("{allOf: [@, @]}"))),
        ("its own oneOf", api(&s0, &circle("{oneOf: [@, @, {type: string}]}"))),
        ("its own items", api(&s0, &circle("{type: array, minItems: 3, items: @}"))),
        ("its own fields", api(&s0, &circle("{required: [a, b], properties: {a: @, b: @, c: @}}"))),
        ("its own map", api(&s0, &circle("{additionalProperties: @, patternProperties: {a: @}}"))),
        ("everything of its own", api(&s0, &circle("{not: @, if: @, then: @, else: @, contains: @, propertyNames: @, dependentSchemas: {a: @}, unevaluatedProperties: @}"))),
        ("its discriminator", api(&s0, "    S0: {oneOf: [{$ref: '#/components/schemas/S0'}], discriminator: {propertyName: a, mapping: {a: '#/components/schemas/S0'}}}\n")),
        ("a path of its own", "openapi: 3.1.0\npaths:\n  /a: {$ref: '#/paths/~1a'}\n  /b: {get: {$ref: '#/paths/~1b/get'}}\n".to_owned()),
        ("a parameter of its own", "openapi: 3.1.0\npaths: {/a: {get: {parameters: [{$ref: '#/paths/~1a/get/parameters/0'}], requestBody: {$ref: '#/paths/~1a/get/requestBody'}, responses: {'200': {$ref: '#/paths/~1a/get/responses/200'}}}}}\n".to_owned()),
        ("a callback of its own", "openapi: 3.1.0\npaths: {/a: {post: {callbacks: {c: {'{$request.body#/url}': {$ref: '#/paths/~1a'}}}, responses: {}}}}\n".to_owned()),
        ("the whole document", api("{$ref: '#'}", "")),
        ("the document of schemas", api("{properties: {a: {$ref: '#/components'}}, allOf: [{$ref: '#/paths'}]}", "")),
        ("pointers through circles", api("{$ref: '#/components/schemas/S0/properties/a/properties/a/properties/a'}", &circle("{properties: {a: @}}"))),
        ("odd references", api("{allOf: [{$ref: ''}, {$ref: '#/'}, {$ref: '#//'}, {$ref: '%'}, {$ref: '#/%00'}, {$ref: 5}, {$ref: [a]}, {$ref: '#/~2'}]}", "")),
    ]);
}

#[test]
fn structures_that_are_deep_or_of_the_wrong_type() {
    let json = |open: &str, close: &str| {
        format!(
            "{{\"openapi\": \"3.1.0\", \"paths\": {{}}, \"x\": {}1{}}}",
            open.repeat(100_000),
            close.repeat(100_000)
        )
    };
    each_is_bounded(&[
        ("nested fields", api(&nested(50, "{properties: {a: ", "}}"), "")),
        ("nested items", api(&nested(110, "{items: ", "}"), "")),
        ("nested too deeply", api(&nested(5_000, "{items: ", "}"), "")),
        ("nested allOf", api(&nested(50, "{allOf: [", "]}"), "")),
        ("nested oneOf", api(&nested(50, "{oneOf: [{type: string}, ", "]}"), "")),
        ("nested lists of JSON", json("[", "]")),
        ("nested objects of JSON", json("{\"a\":", "}")),
        ("a nested example", api(&format!("{{example: {}1{}}}", "[".repeat(100), "]".repeat(100)), "")),
        ("everything is null", "openapi:\ninfo:\npaths:\nwebhooks:\ncomponents:\nservers:\nsecurity:\ntags:\n".to_owned()),
        ("everything is a list", "openapi: []\ninfo: []\npaths: []\nwebhooks: []\ncomponents: []\nservers: {}\nsecurity: {}\ntags: {}\n".to_owned()),
        ("operations are anything", "openapi: 3.1.0\npaths: {/a: {get: 1, put: [], post: null, parameters: {}, servers: 3}, /b: x, /c: []}\n".to_owned()),
        ("parts of operations are anything", "openapi: 3.1.0\npaths: {/a: {get: {parameters: {a: 1}, requestBody: [1], responses: [1], security: {a: 1}, tags: t, callbacks: 5, servers: s, x-codeSamples: {}}}}\n".to_owned()),
        ("parameters are anything", "openapi: 3.1.0\npaths: {/a: {get: {parameters: [1, null, {}, {name: 1, in: 2}, {name: a, in: query, schema: []}, {name: b, in: path, content: 1}], responses: {200: 1, default: [], x: {content: [], headers: []}}}}}\n".to_owned()),
        ("schemas are anything", api("{type: {a: 1}, properties: [1], items: 5, required: {a: 1}, enum: {a: 1}, allOf: {a: 1}, oneOf: x, discriminator: 1, format: [], default: {}, examples: 1, nullable: x, minimum: a}", "")),
        ("schemas are flags", api("{properties: {a: true, b: false}, additionalProperties: true, items: false, allOf: [true, false]}", "")),
        ("a version of nothing", "openapi: {a: 1}\npaths: {/a: {get: {}}}\n".to_owned()),
        ("security is anything", "openapi: 3.1.0\nsecurity: [1, [], {a: 1}, {b: [c]}]\npaths: {/a: {get: {}}}\ncomponents: {securitySchemes: {a: 1, b: {type: oauth2, flows: []}, c: {type: 5}}}\n".to_owned()),
        ("servers are anything", "openapi: 3.1.0\nservers: [1, {url: 5}, {url: '{a}{b', variables: []}, {url: 'javascript:alert(1)'}, {url: '//x'}, {variables: {a: 1}}]\npaths: {/a: {get: {}}}\n".to_owned()),
        ("markup in every word", api("{title: '<script>x</script>', description: '<img src=x onerror=y> [a](javascript:b)', pattern: '</script>', default: '</code><b>', enum: ['<i>']}", "").replace("description: D", "description: '</p></div><script>'")),
        ("names that are paths", "openapi: 3.1.0\ntags: [{name: ../../x}]\npaths: {'/../../a': {get: {tags: ['../../x'], summary: '../../../etc/passwd'}}, 'C:\\\\x': {get: {}}, '': {get: {}}, '/{': {get: {}}, '/\0': {get: {}}}\n".replace('\0', "")),
    ]);
}

#[test]
fn texts_that_grow_or_are_large() {
    let aliases: String = (1..=9)
        .map(|level| format!("x{level}: &x{level} [{}]\n", vec![format!("*x{}", level - 1); 10].join(", ")))
        .collect();
    let operations = |count: usize| {
        (0..count)
            .map(|n| {
                format!(
                    "  /p{n}: {{get: {{summary: S, parameters: [{{name: q, in: query, schema: {{type: string}}}}]}}}}\n"
                )
            })
            .collect::<String>()
    };
    each_is_bounded(&[
        (
            "aliases multiply",
            format!("openapi: 3.1.0\nx0: &x0 [a, a, a, a, a, a, a, a, a, a]\n{aliases}paths: {{/a: {{get: {{}}}}}}\n"),
        ),
        ("an alias of itself", "openapi: 3.1.0\npaths: &p {/a: *p}\n".to_owned()),
        (
            "merged keys",
            format!(
                "openapi: 3.1.0\nx-a: &a {{get: {{summary: M}}}}\npaths: {{/a: {{{}}}}}\n",
                "<<: *a, ".repeat(1_000)
            ),
        ),
        ("one key many times", format!("openapi: 3.1.0\npaths: {{{}}}\n", "/a: {get: {}}, ".repeat(20_000))),
        ("many operations of one name", format!("openapi: 3.1.0\npaths:\n{}", operations(3_000))),
        ("one long line", api(&format!("{{description: {}}}", "w".repeat(2_000_000)), "")),
        ("a long path", format!("openapi: 3.1.0\npaths: {{/{}: {{get: {{}}}}}}\n", "{a}/".repeat(20_000))),
        (
            "many parameters",
            format!(
                "openapi: 3.1.0\npaths: {{/a: {{get: {{parameters: [{}]}}}}}}\n",
                (0..3_000)
                    .map(|n| format!("{{name: p{n}, in: query, schema: {{type: string}}}}"))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
        ),
        (
            "many responses",
            format!(
                "openapi: 3.1.0\npaths: {{/a: {{get: {{responses: {{{}}}}}}}}}\n",
                (0..3_000).map(|n| format!("'{n}': {{description: D}}")).collect::<Vec<_>>().join(", ")
            ),
        ),
        (
            "many media types",
            format!(
                "openapi: 3.1.0\npaths: {{/a: {{get: {{responses: {{'200': {{content: {{{}}}}}}}}}}}}}\n",
                (0..2_000).map(|n| format!("a/b{n}: {{schema: {{type: string}}}}")).collect::<Vec<_>>().join(", ")
            ),
        ),
        (
            "many lost references",
            api(
                &format!(
                    "{{allOf: [{}]}}",
                    (0..20_000).map(|n| format!("{{$ref: '#/none/{n}'}}")).collect::<Vec<_>>().join(", ")
                ),
                "",
            ),
        ),
        (
            "many requirements",
            format!(
                "openapi: 3.1.0\nsecurity: [{}]\npaths: {{/a: {{get: {{}}}}}}\n",
                (0..3_000).map(|n| format!("{{s{n}: []}}")).collect::<Vec<_>>().join(", ")
            ),
        ),
        (
            "many servers",
            format!(
                "openapi: 3.1.0\nservers: [{}]\npaths: {{/a: {{get: {{}}}}}}\n",
                (0..3_000)
                    .map(|n| format!("{{url: 'https://h{n}.example/{{v}}', variables: {{v: {{default: a}}}}}}"))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
        ),
        (
            "bytes that are no text",
            "openapi: 3.1.0\npaths: {/a: {get: {summary: \"\u{202e}\u{0}\u{feff}\"}}}\n".replace('\u{0}', ""),
        ),
    ]);
}

#[test]
fn other_versions_and_files() {
    let many = |count: usize| {
        (0..count).map(|n| (format!("f{n}.yaml"), format!("a: {{$ref: 'f{}.yaml#/a'}}\nb: {{allOf: [{{$ref: 'f{}.yaml#/b'}}, {{$ref: 'f{}.yaml#/b'}}]}}\n", n + 1, n + 1, (n + 7) % count))).collect::<Vec<_>>()
    };
    let files = many(400);
    let mut chain: Vec<(&str, String)> = files.iter().map(|(path, text)| (path.as_str(), text.clone())).collect();
    chain.push(("api.yaml", api("{properties: {a: {$ref: 'f0.yaml#/a'}, b: {$ref: 'f0.yaml#/b'}}}", "")));
    bounded("a chain of files", &chain);
    bounded(
        "files in a circle",
        &[
            ("api.yaml", "openapi: 3.1.0\npaths: {/a: {$ref: b.yaml}, /b: {$ref: 'b.yaml#/get'}}\n".to_owned()),
            ("b.yaml", "$ref: c.yaml\nget: {$ref: 'api.yaml#/paths/~1a'}\n".to_owned()),
            ("c.yaml", "$ref: b.yaml\n".to_owned()),
        ],
    );
    let pointers = |depth: usize| {
        (0..depth).map(|n| format!("{{$ref: 'deep.yaml#{}'}}", "/a".repeat(n))).collect::<Vec<_>>().join(", ")
    };
    bounded(
        "parts inside of parts",
        &[
            ("api.yaml", api(&format!("{{anyOf: [{}]}}", pointers(100)), "")),
            ("deep.yaml", format!("{}{{b: [{}]}}{}", "{a: ".repeat(100), "x, ".repeat(5_000), "}".repeat(100))),
        ],
    );
    let elsewhere = [
        "file:///etc/passwd",
        "http://169.254.169.254/latest",
        "https://[::1]/x",
        "//x/y",
        "../../../../etc/passwd",
        "/etc/passwd",
        "\\\\\\\\host\\\\share",
        "data:,a",
        "docs.json",
        "index.mdx",
        "api.yaml#/paths",
    ];
    let all: Vec<String> = elsewhere.iter().map(|to| format!("{{$ref: \"{to}\"}}")).collect();
    bounded("references to elsewhere", &[("api.yaml", api(&format!("{{allOf: [{}]}}", all.join(", ")), ""))]);
    each_is_bounded(&[
        ("Swagger of nothing", "swagger: '2.0'\npaths: {/a: {get: {parameters: [1, {in: body}, {in: formData}, {$ref: '#/parameters/p'}], responses: {200: {$ref: '#/responses/r'}}, consumes: 1, produces: {}}, parameters: 3}}\nparameters: {p: {$ref: '#/parameters/p'}}\nresponses: {r: {$ref: '#/responses/r'}}\ndefinitions: []\nsecurityDefinitions: {a: 1}\nhost: {}\nschemes: x\n".to_owned()),
        ("Swagger with shared parameters", format!("swagger: '2.0'\nparameters: {{{}}}\npaths: {{{}}}\n", (0..200).map(|n| format!("p{n}: {{name: p{n}, in: formData, type: string}}")).collect::<Vec<_>>().join(", "), (0..100).map(|n| format!("/a{n}: {{post: {{parameters: [{}]}}}}", (0..200).map(|n| format!("{{$ref: '#/parameters/p{n}'}}")).collect::<Vec<_>>().join(", "))).collect::<Vec<_>>().join(", "))),
        ("AsyncAPI 2 of nothing", "asyncapi: 2.6.0\nchannels: {a: 1, b: {publish: {message: {oneOf: [1, {$ref: '#/channels/b/publish/message'}]}, traits: [1, {$ref: '#/x'}]}}, c: {$ref: '#/channels/c'}}\nservers: {a: 1}\ncomponents: {messages: {a: {traits: [{traits: []}]}}, channels: 1}\n".to_owned()),
        ("AsyncAPI 3 in circles", "asyncapi: 3.0.0\nchannels: {a: {$ref: '#/channels/a'}, b: {messages: {m: {$ref: '#/channels/b/messages/m'}}}}\noperations: {o: {channel: {$ref: '#/operations/o'}, messages: [{$ref: '#/operations/o'}], traits: [{$ref: '#/operations/o'}]}}\n".to_owned()),
    ]);
    bounded(
        "overlays that multiply",
        &[
            ("api.yaml", "openapi: 3.1.0\npaths: {/a: {get: {summary: S}}}\n".to_owned()),
            (
                "o.yaml",
                format!(
                    "overlay: 1.0.0\nextends: api.yaml\nactions:\n{}",
                    "  - {target: '$..*', update: {a: {b: {c: {}}}, d: {e: {}}}}\n".repeat(60)
                ),
            ),
        ],
    );
    bounded(
        "overlays with odd targets",
        &[
            ("api.yaml", "openapi: 3.1.0\npaths: {/a: {get: {summary: S}}}\n".to_owned()),
            (
                "o.yaml",
                format!(
                    "overlay: 1.0.0\nextends: api.yaml\nactions:\n  - {{target: '$', remove: true}}\n  - {{target: 5}}\n  - 7\n  - {{target: '{}', remove: true}}\n  - {{target: '$.paths', update: 5}}\n",
                    "$".to_owned() + &"[?(@".repeat(5_000)
                ),
            ),
        ],
    );
}
