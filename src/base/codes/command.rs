//! Codes that one command alone reports.

use super::Level::{Error, Silent, Warning};
use super::{CodeRow, code_row};

pub(super) const CHECK: &[CodeRow] = &[
    code_row(
        "absolute-address",
        Silent,
        Error,
        "An address begins at the root of the host. It fails below a folder and on a disk.",
        "Make it relative to its page.",
    )
    .with_example(
        r#"
//- index.html
<!doctype html>
<title>Start</title>
<a href="/guide.html">Guide</a>
//- guide.html
<!doctype html>
<title>Guide</title>
"#,
    ),
    code_row(
        "case-mismatch",
        Silent,
        Error,
        "A name differs from its file by case alone. It works on macOS and Windows and fails on other systems.",
        "Write the name as the file has it.",
    )
    .with_example(
        r#"
//- index.html
<!doctype html>
<title>Start</title>
<a href="Guide.html">Guide</a>
//- guide.html
<!doctype html>
<title>Guide</title>
"#,
    ),
    code_row(
        "dead-link",
        Silent,
        Error,
        "With `--external`: the other host says that the page does not exist.",
        "Correct or remove the link.",
    ),
    code_row(
        "duplicate-id",
        Silent,
        Warning,
        "Two elements of a page have the same id. Links lead to the first.",
        "Rename one of them.",
    )
    .with_example(
        r#"
//- index.html
<!doctype html>
<title>Start</title>
<p id="price">One</p>
<p id="price">Two</p>
"#,
    ),
    code_row(
        "folder-link",
        Silent,
        Error,
        "An address leads to a folder. On a disk it shows a list of files.",
        "Name the `index.html` of the folder.",
    )
    .with_example(
        r#"
//- index.html
<!doctype html>
<title>Start</title>
<a href="guide/">Guide</a>
//- guide/index.html
<!doctype html>
<title>Guide</title>
"#,
    ),
    code_row(
        "missing-alt",
        Silent,
        Warning,
        "A picture has no alternative text.",
        "Describe the picture; write `alt=\"\"` for decoration.",
    )
    .with_example(
        r#"
![](/a.svg)
//- a.svg
<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9" /></svg>
"#,
    ),
    code_row(
        "missing-policy",
        Silent,
        Error,
        "A page of a bundle for air-gapped deployment does not start with a content security policy that blocks requests to other servers, or its policy allows a server that the manifest does not list for the [playground](/hosting/deployments#the-playground).",
        "Export the site again, and change no page of a bundle.",
    )
    .with_example(
        r#"
//- index.html
<!doctype html>
<title>Start</title>
//- _offprint/manifest.json
{
  "formatVersion": 1, "pageCount": 1, "deployment": "air-gapped", "features": {},
  "tool": { "name": "offprint", "version": "0.1.0" }, "options": {}, "files": {}
}
"#,
    ),
    code_row("no-start-page", Silent, Warning, "The bundle has no `index.html`.", "Add an index page.")
    .with_example(
        r#"
//- guide.html
<!doctype html>
<title>Guide</title>
//- _offprint/manifest.json
{}
"#,
    ),
    code_row(
        "openapi-duplicate-id",
        Silent,
        Warning,
        "Two operations of an API description have the same `operationId`.",
        "Rename one of them.",
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
    get: { operationId: pets, responses: {} }
    post: { operationId: pets, responses: {} }
"#,
    ),
    code_row(
        "openapi-example",
        Silent,
        Warning,
        "An example or a default of an API description does not fit its schema, for the reason that is given.",
        "Correct the example, or the schema.",
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
      parameters:
        - { name: limit, in: query, schema: { type: integer, example: many } }
      responses: {}
"#,
    ),
    code_row(
        "openapi-parameter",
        Silent,
        Warning,
        "A path of an API description and its path parameters do not fit: one of its names in braces has no parameter, or a parameter is not in the path.",
        "Describe the parameter with `in: path`, or correct its name.",
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
  /pets/{id}:
    get: { responses: {} }
"#,
    ),
    code_row(
        "openapi-required",
        Silent,
        Warning,
        "`required` of a schema names a field that `properties` does not have.",
        "Correct the name, or describe the field.",
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
    post:
      requestBody:
        content:
          application/json:
            schema: { type: object, required: [name], properties: { title: { type: string } } }
      responses: {}
"#,
    ),
    code_row(
        "openapi-security",
        Silent,
        Warning,
        "`security` of an API description asks for a scheme that `components.securitySchemes` does not have.",
        "Correct the name, or describe the scheme.",
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
    get: { security: [{ key: [] }], responses: {} }
"#,
    ),
    code_row(
        "orphan-page",
        Silent,
        Warning,
        "No link and no navigation entry leads to the page.",
        "Add it to the navigation, or set `hidden: true`.",
    )
    .with_example(
        r#"
//- docs.json …
{ "navigation": { "pages": ["index"] } }
//- index.mdx
Text.
//- lost.mdx
Text.
"#,
    ),
    code_row(
        "private-link",
        Silent,
        Warning,
        "With `--external`: a link leads to a private network and was not requested.",
        "Allow it with `--allow-private`.",
    )
    .with_options("--external")
    .with_example(
        r#"
[A link](http://127.0.0.1:9/)
"#,
    ),
    code_row(
        "unclear-link",
        Silent,
        Warning,
        "With `--external`: the other host did not answer, or refuses programs (403, 429).",
        "Open the link in a browser.",
    )
    .with_options("--external --allow-private")
    .with_example(
        r#"
[A link](http://127.0.0.1:9/)
"#,
    ),
    code_row(
        "unknown-property",
        Silent,
        Warning,
        "A component of the format has no such property. It has no effect.",
        "Correct its name, or call it `data-…` if a script of the site reads it.",
    )
    .with_example(
        r#"
<Card tittle="Start" href="/">Text.</Card>
"#,
    ),
];

pub(super) const DEV: &[CodeRow] = &[
    code_row(
        "no-config",
        Silent,
        Silent,
        "`docs.json` was removed. The folder is shown as plain Markdown.",
        "Restore the file.",
    ),
    code_row(
        "no-site",
        Silent,
        Silent,
        "The site cannot be loaded, for the reason that is given.",
        "Correct it; the last version is shown until then.",
    ),
];
