//! Codes about API descriptions.

use super::Level::{Either, Error, Silent, Warning};
use super::{CodeRow, code_row};

pub(super) const API: &[CodeRow] = &[
    code_row(
        "openapi-file",
        Error,
        Error,
        "An API description is not valid JSON or YAML, or not an OpenAPI or AsyncAPI document. It is ignored.",
        "Correct it at the line that is named.",
    )
    .with_example(
        r#"
//- docs.json …
{ "navigation": { "groups": [{ "group": "API", "openapi": "api.json", "pages": ["index"] }] } }
//- index.mdx
Text.
//- api.json
{ "openapi": "3.1.0", "paths": {,} }
"#,
    ),
    code_row(
        "openapi-missing-file",
        Either,
        Error,
        "An API description does not exist. An error in the navigation; a warning on a page, which keeps its own content.",
        "Correct the path.",
    )
    .with_example(
        r#"
//- docs.json …
{ "navigation": { "groups": [{ "group": "API", "openapi": "api.yaml", "pages": ["index"] }] } }
//- index.mdx
Text.
"#,
    ),
    code_row(
        "openapi-missing-operation",
        Either,
        Either,
        "No API description has this operation. An error in the navigation; a warning on a page, which keeps its own content.",
        "Correct the method or the path, or update the description.",
    )
    .with_example(
        r#"
//- docs.json …
{ "navigation": { "groups": [{ "group": "API", "openapi": "api.yaml", "pages": ["index", "GET /users"] }] } }
//- index.mdx
Text.
//- api.yaml
openapi: 3.1.0
info: { title: API, version: "1" }
paths: { /pets: { get: { responses: {} } } }
"#,
    ),
    code_row(
        "openapi-missing-part",
        Warning,
        Warning,
        "No API description has the schema or the channel that `openapi-schema` or `asyncapi` of a page names. The page keeps its own content.",
        "Correct the name, or update the description.",
    )
    .with_example(
        r#"
//- docs.json …
{ "navigation": { "groups": [{ "group": "API", "openapi": "api.yaml", "pages": ["index"] }] } }
//- index.mdx
---
title: User
openapi-schema: User
---
Text.
//- api.yaml
openapi: 3.1.0
info: { title: API, version: "1" }
paths: { /pets: { get: { responses: {} } } }
"#,
    ),
    code_row(
        "openapi-outside",
        Warning,
        Silent,
        "An API description of the repository of another documentation tool is not in a folder that the site serves. Its operations have no pages.",
        "Put it beside the pages if readers are meant to see it.",
    )
    .with_example(
        r#"
//- mkdocs.yml
site_name: Docs
nav: [index.md]
//- docs/index.md
# Start
//- staff/openapi.yaml
openapi: 3.1.0
info: { title: API, version: "1" }
paths: { /pets: { get: { responses: {} } } }
"#,
    ),
    code_row(
        "openapi-overlay",
        Either,
        Either,
        "An overlay of an API description does not exist, or is one of two different lists for one description (errors), or one of its actions cannot be applied (a warning). The others are applied.",
        "Correct the path, the lists or the `target` of the action.",
    )
    .with_example(
        r#"
//- docs.json …
{ "navigation": { "groups": [{ "group": "API", "openapi": { "source": "api.yaml", "overlays": ["names.yaml"] }, "pages": ["index"] }] } }
//- index.mdx
Text.
//- api.yaml
openapi: 3.1.0
info: { title: API, version: "1" }
paths: { /pets: { get: { responses: {} } } }
"#,
    ),
    code_row(
        "openapi-ref",
        Warning,
        Warning,
        "A reference (`$ref`) of an API description leads to nothing that is read: to a part, an anchor or a file that is not there, only to itself, or to another server. What it stands for is left out; a path that it stands for has no pages.",
        "Correct the reference, or put what it leads to into the documentation folder.",
    )
    .with_example(
        r##"
//- docs.json …
{ "navigation": { "groups": [{ "group": "API", "openapi": "api.yaml", "pages": ["index"] }] } }
//- index.mdx
Text.
//- api.yaml
openapi: 3.1.0
info: { title: API, version: "1" }
paths:
  /pets:
    get:
      responses:
        "200": { $ref: "#/components/responses/Pets" }
"##,
    ),
    code_row(
        "openapi-remote",
        Either,
        Either,
        "An API description on another server is missing, for the reason that is given: its operations have no pages. A warning on a page, in `api`, with `--offline` and with `--vendor off`.",
        "Correct the address, export once with a network, or put the description into the documentation folder.",
    )
    .with_example(
        r#"
//- docs.json …
{ "navigation": { "groups": [{ "group": "API", "openapi": "http://127.0.0.1:9/api.yaml", "pages": ["index"] }] } }
//- index.mdx
Text.
"#,
    ),
    code_row(
        "openapi-too-long",
        Warning,
        Silent,
        "The fields of an API description are too many for the Markdown version of its page, which lists the first of them. The HTML page has more.",
        "Shorten its schemas.",
    ),
    code_row(
        "openapi-type",
        Warning,
        Warning,
        "A value of an API description has the wrong type: text where an object or a list has to stand, for example; or it is the name of a type that there is not, or a parameter without a name or a place. It is left out, unless it is evident what is meant: a list of examples, or a bare value in the place of one, is shown.",
        "Write it as the format says.",
    )
    .with_example(
        r#"
//- docs.json …
{ "navigation": { "groups": [{ "group": "API", "openapi": "api.yaml", "pages": ["index"] }] } }
//- index.mdx
Text.
//- api.yaml
openapi: 3.1.0
info: { title: API, version: "1" }
paths:
  /pets:
    get:
      parameters: none
      responses: {}
"#,
    ),
    code_row(
        "openapi-yaml",
        Warning,
        Warning,
        "A key of an API description is a list or a mapping, or stands twice; an alias has no anchor; tabs indent lines; or values stand too deep. The last of equal keys counts, tabs are read as spaces, everything else is left out.",
        "Write it differently, at the line that is named.",
    )
    .with_example(
        r#"
//- docs.json …
{ "navigation": { "groups": [{ "group": "API", "openapi": "api.yaml", "pages": ["index"] }] } }
//- index.mdx
Text.
//- api.yaml
openapi: 3.1.0
info: { title: API, version: "1" }
paths:
  /pets:
    get: { responses: {} }
  /pets:
    post: { responses: {} }
"#,
    ),
];
