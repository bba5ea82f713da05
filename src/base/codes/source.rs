//! Codes about what a site is made of: configuration, navigation, front matter.

use super::Level::{Either, Error, Silent, Warning};
use super::{CodeRow, code_row};

pub(super) const CONFIGURATION: &[CodeRow] = &[
    code_row(
        "config-elsewhere",
        Warning,
        Silent,
        "A `docs.json` or `mint.json` lies in a subfolder, where it has no effect.",
        "Export that folder.",
    )
    .with_example(
        r##"
//- index.md
# Start
//- site/docs.json
{ "theme": "mint", "name": "Docs", "colors": { "primary": "#0F766E" }, "navigation": { "pages": ["index"] } }
"##,
    ),
    code_row(
        "config-file",
        Error,
        Error,
        "The configuration cannot be read or is not JSON. The export stops.",
        "Correct the file at the line that is named.",
    )
    .with_example(
        r#"
//- docs.json
{ "name": "Docs"
//- index.mdx
Text.
"#,
    ),
    code_row(
        "config-missing-key",
        Either,
        Either,
        "A required key is missing; a default is used. Without `navigation`, an error, the folders become the navigation.",
        "Add the key.",
    )
    .with_example(
        r##"
//- docs.json
{ "name": "Docs", "colors": { "primary": "#0F766E" }, "navigation": { "pages": ["index"] } }
//- index.mdx
Text.
"##,
    ),
    code_row(
        "config-program",
        Warning,
        Silent,
        "Hooks, plugins and templates of another tool are programs that are not run. What they would add to the site is not there.",
        "Write what they add into the pages.",
    )
    .with_example(
        r#"
//- mkdocs.yml
site_name: Docs
hooks: [hooks.py]
//- docs/index.md
# Start
"#,
    ),
    code_row(
        "config-ref",
        Error,
        Error,
        "A `$ref` names a file that is missing, outside the folder, not JSON, or part of a cycle.",
        "Correct the path, which is relative to the file that holds the `$ref`.",
    )
    .with_example(
        r#"
//- docs.json
{ "theme": "mint", "name": "Docs", "colors": { "$ref": "colors.json" }, "navigation": { "pages": ["index"] } }
//- index.mdx
Text.
"#,
    ),
    code_row(
        "config-relaxed-json",
        Warning,
        Silent,
        "The configuration has comments or trailing commas, which JSON does not allow.",
        "Remove them; other tools refuse the file.",
    )
    .with_example(
        r##"
//- docs.json
{
  // the name of the product
  "theme": "mint", "name": "Docs", "colors": { "primary": "#0F766E" }, "navigation": { "pages": ["index"] }
}
//- index.mdx
Text.
"##,
    ),
    code_row(
        "config-repeated-key",
        Warning,
        Silent,
        "An object has the same key twice; the last one is used.",
        "Remove one of them.",
    )
    .with_example(
        r##"
//- docs.json
{ "theme": "mint", "name": "Docs", "name": "Guide", "colors": { "primary": "#0F766E" }, "navigation": { "pages": ["index"] } }
//- index.mdx
Text.
"##,
    ),
    code_row(
        "config-script",
        Warning,
        Warning,
        "The configuration of another tool is a program that cannot be evaluated here; its pages are exported in the order of their folders.",
        "Write what depends on the environment as plain values.",
    )
    .with_example(
        r#"
//- docusaurus.config.js
module.exports = async () => { throw new Error(process.env.STAGE); };
//- docs/index.md
# Start
"#,
    ),
    code_row(
        "config-unknown-key",
        Either,
        Either,
        "The format has no such key; it is ignored. An error where the format allows no other keys, as in `colors` and `fonts`.",
        "Correct the spelling, or remove the key.",
    )
    .with_example(
        r##"
//- docs.json
{ "theme": "mint", "name": "Docs", "colours": { "primary": "#0F766E" }, "colors": { "primary": "#0F766E" }, "navigation": { "pages": ["index"] } }
//- index.mdx
Text.
"##,
    ),
    code_row(
        "config-value",
        Either,
        Either,
        "A value has the wrong type or is not one of the allowed words: an invalid theme or color, for example. The default is used. A warning where the value has no effect on a bundle.",
        "Use a value that the message names.",
    )
    .with_example(
        r##"
//- docs.json
{ "theme": "minty", "name": "Docs", "colors": { "primary": "#0F766E" }, "navigation": { "pages": ["index"] } }
//- index.mdx
Text.
"##,
    ),
    code_row(
        "data-unread",
        Warning,
        Warning,
        "A file of data is in a format that is not read, or too large. What templates show of it is missing.",
        "Write it as YAML, JSON, TOML or CSV, in smaller files.",
    )
    .with_example(
        r#"
//- hugo.toml
title = "Docs"
//- data/books.xml
<books/>
//- layouts/shortcodes/books.html
{{ range .Site.Data.books }}{{ .title }}{{ end }}
//- content/_index.md
# Start
{{< books >}}
"#,
    ),
    code_row(
        "preprocessor-unknown",
        Warning,
        Silent,
        "A book of mdBook has a preprocessor that is not known here. The pages have the text as it is written, without what the preprocessor makes of it.",
        "Write into the pages what it makes of them.",
    )
    .with_example(
        r#"
//- book.toml
[book]
title = "Docs"
[preprocessor.stars]
//- src/SUMMARY.md
- [Start](start.md)
//- src/start.md
# Start
"#,
    ),
    code_row(
        "style-left-out",
        Warning,
        Silent,
        "The configuration of another tool names style sheets or scripts for its design. They are left out: an export has the built-in design.",
        "Remove them, or set colors and fonts in a `docs.json`.",
    )
    .with_example(
        r#"
//- book.toml
[book]
title = "Docs"
[output.html]
additional-css = ["extra.css"]
//- extra.css
h1 { color: red }
//- src/SUMMARY.md
- [Start](start.md)
//- src/start.md
# Start
"#,
    ),
    code_row(
        "undefined-variable",
        Error,
        Error,
        "A variable in double braces is not one of `docs.json`. Nothing is shown in its place; in code it stays.",
        "Add it to `variables`, or correct the name.",
    )
    .with_example(
        r#"
Version {{release}}.
"#,
    ),
    code_row(
        "unknown-variation",
        Warning,
        Silent,
        "A `<View>` names a variation that the site does not define.",
        "Use an id of `variations` in `docs.json`.",
    )
    .with_example(
        r#"
//- docs.json …
{ "theme": "willow", "variations": { "options": [{ "id": "cloud", "label": "Cloud" }] } }
//- index.mdx
<Variation is="server">Text.</Variation>
"#,
    ),
];

pub(super) const NAVIGATION: &[CodeRow] = &[
    code_row(
        "nav-case",
        Warning,
        Warning,
        "An entry differs from the name of its page by case alone. The page is used.",
        "Write the name as the file has it.",
    )
    .with_example(
        r#"
//- docs.json …
{ "navigation": { "pages": ["index", "Install"] } }
//- index.mdx
Text.
//- install.mdx
Text.
"#,
    ),
    code_row(
        "nav-link",
        Warning,
        Warning,
        "An entry of `pages` is an address. It becomes a link with the address as its title.",
        "Add a page with `url:` in its front matter, which gives the link a title.",
    )
    .with_example(
        r#"
//- docs.json …
{ "navigation": { "pages": ["index", "https://example.com/news"] } }
//- index.mdx
Text.
"#,
    ),
    code_row(
        "nav-missing-page",
        Error,
        Error,
        "An entry has no file, or its file cannot be read. The entry is left out.",
        "Correct the name, add the file, or remove the entry.",
    )
    .with_example(
        r#"
//- docs.json …
{ "navigation": { "pages": ["index", "install"] } }
//- index.mdx
Text.
"#,
    ),
    code_row(
        "nav-two-lists",
        Warning,
        Warning,
        "Two lists that exclude each other stand in one object, such as `tabs` beside `groups`. Only one is used.",
        "Keep one, or put one inside an entry of the other.",
    )
    .with_example(
        r#"
//- docs.json …
{ "navigation": { "tabs": [{ "tab": "Guide", "pages": ["index"] }], "groups": [{ "group": "More", "pages": ["more"] }] } }
//- index.mdx
Text.
//- more.mdx
Text.
"#,
    ),
];

pub(super) const FRONT_MATTER: &[CodeRow] = &[
    code_row(
        "front-matter",
        Error,
        Error,
        "The front matter is never closed. It is shown as text.",
        "End it with a line `---`.",
    )
    .with_example(
        r#"
//- index.mdx
---
title: Start

Text.
"#,
    ),
    code_row(
        "front-matter-key",
        Warning,
        Silent,
        "A key is misspelled or in another case, and is read as the key that is meant.",
        "Write the key as the message names it.",
    )
    .with_example(
        r#"
//- index.mdx
---
title: Start
sidebartitle: Home
---
Text.
"#,
    ),
    code_row(
        "front-matter-toml",
        Error,
        Error,
        "The front matter is not valid TOML. It is ignored.",
        "Correct the line that is named.",
    )
    .with_example(
        r#"
//- index.md
+++
title = Start
+++
Text.
"#,
    ),
    code_row(
        "front-matter-value",
        Warning,
        Silent,
        "A value has the wrong type; it is ignored.",
        "Use a value of the type that the message names.",
    )
    .with_example(
        r#"
//- index.mdx
---
title: Start
tag: [new]
hidden: perhaps
---
Text.
"#,
    ),
    code_row(
        "front-matter-yaml",
        Warning,
        Warning,
        "The front matter is not valid YAML. It is read line by line instead, which usually gives the keys that were meant.",
        "Correct the line that is named; put values with `: `, `#`, quotes or brackets in quotes.",
    )
    .with_example(
        r#"
//- index.mdx
---
title: Start: the first page
---
Text.
"#,
    ),
    code_row(
        "history-late",
        Warning,
        Silent,
        "Git took more than a minute to list the commits that changed pages. No page shows the date of its last commit.",
        "Set `lastUpdatedDate` on pages, or `metadata.timestamp` to `false`.",
    ),
];
