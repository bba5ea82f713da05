//! Codes about the text of pages and what it becomes.

use super::Level::{Error, Silent, Warning};
use super::{CodeRow, code_row};

pub(super) const COMPONENTS: &[CodeRow] = &[
    code_row(
        "component-browser",
        Warning,
        Silent,
        "A component reads something that only a browser has while it is rendered. The page shows it without that until its script runs.",
        "Read it in `useEffect`, and keep it in a state.",
    )
    .with_example(
        r#"
export const Width = () => { if (typeof window !== "undefined") {} return <p>{window.innerWidth} pixels</p>; }

<Width />
"#,
    ),
    code_row(
        "component-case",
        Error,
        Error,
        "A component with a lower-case name shows nothing.",
        "Begin its name with a capital letter.",
    )
    .with_example(
        r#"
export const badge = () => <b>New</b>

<badge />
"#,
    ),
    code_row(
        "component-framework",
        Warning,
        Silent,
        "A component of Astro, Vue or Svelte does not run. What stands inside it is shown.",
        "Write it as a component in a `.jsx` or `.mdx` file.",
    )
    .with_example(
        r#"
import Counter from "./Counter.vue"

<Counter>Text.</Counter>
//- Counter.vue
<template><button>{{ count }}</button></template>
"#,
    ),
    code_row(
        "component-frozen",
        Warning,
        Silent,
        "Content of a built-in component depends on the state of another component. The bundle shows its first state.",
        "Put the built-in component inside the one with the state.",
    )
    .with_example(
        r#"
export const Choice = () => { const [os, set] = useState("mac"); return <div><button onClick={() => set("win")}>Windows</button>{os === "win" && <Warning>Only for {os}</Warning>}<Badge color={os}>x</Badge></div>; }

<Choice />
"#,
    ),
    code_row(
        "component-request",
        Warning,
        Silent,
        "A component requests data from another server, which fails without a network.",
        "Import the data from a file, or show something else where the request fails.",
    )
    .with_example(
        r#"
export const News = () => { useEffect(() => { fetch("https://example.com/news.json"); }, []); return <p>News</p>; }

<News />
"#,
    ),
    code_row(
        "handler-lost",
        Warning,
        Silent,
        "An event handler on a built-in component has no effect.",
        "Put it on an HTML element around or inside the component.",
    )
    .with_example(
        r#"
<Card title="Press" onClick={() => alert(1)}>Text.</Card>
"#,
    ),
    code_row(
        "import-kind",
        Error,
        Error,
        "An imported file is not Markdown, a script or a picture.",
        "Export its content from a `.jsx` or `.mdx` file, and import that.",
    )
    .with_example(
        r#"
import data from "./data.bin"

Text.
//- data.bin
0
"#,
    ),
    code_row(
        "import-missing",
        Error,
        Error,
        "An imported file does not exist, or the import names a package: packages are not installed.",
        "Correct the path, or copy what is needed into `snippets/`.",
    )
    .with_example(
        r#"
import { Chart } from "charts"

<Chart />
"#,
    ),
    code_row(
        "import-name",
        Error,
        Error,
        "A file does not export the name that a page imports.",
        "Import a name that the message lists.",
    )
    .with_example(
        r#"
import { Two } from "/snippets/parts.jsx"

<Two />
//- snippets/parts.jsx
export const One = () => <p>One</p>;
"#,
    ),
    code_row(
        "page-failed",
        Error,
        Error,
        "An internal error stopped a page. The bundle holds a page that says so.",
        "Report it, with the page.",
    ),
    code_row(
        "page-too-large",
        Error,
        Error,
        "A page grows beyond its bounds when its snippets are expanded. The rest is left out.",
        "Check that no snippet includes itself.",
    )
    .with_example(
        r#"
import Words from "/snippets/words.mdx";

<Words />
//- snippets/words.mdx
import Words from "/snippets/words.mdx";

<Words /><Words /><Words />
"#,
    ),
    code_row(
        "script-failed",
        Error,
        Error,
        "An expression or a component cannot be evaluated, for the reason that is given. Nothing is shown in its place.",
        "Correct it. Scripts run without a browser, a network and packages.",
    )
    .with_example(
        r#"
export const Price = ({ of }) => <b>{of.price}</b>;

<Price />
"#,
    ),
    code_row(
        "script-import",
        Warning,
        Warning,
        "A script loads a module by `import()` that is no script of the source. The component is shown; what it would load is not.",
        "Copy the code that is needed into a script of the source.",
    )
    .with_example(
        r#"
export const Chart = () => { useEffect(() => { import("https://example.com/chart.js"); }, []); return <p>Chart</p>; }

<Chart />
"#,
    ),
    code_row(
        "script-time",
        Warning,
        Silent,
        "A script asks for the time, which is fixed so that exports are reproducible.",
        "Set it with `--exported-at`, or ask in `useEffect`.",
    )
    .with_example(
        r#"
Year {new Date().getFullYear()}.
"#,
    ),
    code_row(
        "snippet-depth",
        Error,
        Error,
        "Snippets include each other too deeply. The innermost are left out.",
        "Check that no snippet includes itself.",
    )
    .with_example(
        r#"
import Part from "/snippets/part.mdx"

<Part />
//- snippets/part.mdx
import Part from "/snippets/part.mdx"

Again.

<Part />
"#,
    ),
    code_row(
        "snippet-missing",
        Error,
        Error,
        "The file of a `<Snippet>` does not exist.",
        "Correct the path; it is relative to `snippets/`.",
    )
    .with_example(
        r#"
<Snippet file="steps.mdx" />
"#,
    ),
    code_row(
        "undefined-name",
        Error,
        Error,
        "An expression uses a name that is neither exported nor imported. Nothing is shown in its place.",
        "Export or import it, or write `\\{` for a plain brace.",
    )
    .with_example(
        r#"
Version {release}.
"#,
    ),
    code_row(
        "unknown-component",
        Error,
        Error,
        "No component has this name. Its content is shown without it.",
        "Correct the name, or import the component.",
    )
    .with_example(
        r#"
<Crad title="Start">Text.</Crad>
"#,
    ),
];

pub(super) const RENDERING: &[CodeRow] = &[
    code_row(
        "code-grammar",
        Warning,
        Silent,
        "A custom grammar cannot be used. Its language is not highlighted.",
        "Name a TextMate grammar in JSON.",
    )
    .with_example(
        r#"
//- docs.json …
{ "styling": { "codeblocks": { "languages": { "custom": ["/own.json"] } } } }
//- own.json
{ "name": "own" }
//- index.mdx
```own
text
```
"#,
    ),
    code_row(
        "code-theme",
        Warning,
        Silent,
        "There is no code theme of this name. Another is used.",
        "Use the name of a theme of Shiki.",
    )
    .with_example(
        r#"
//- docs.json …
{ "styling": { "codeblocks": "my-theme" } }
//- index.mdx
```js
let a = 1;
```
"#,
    ),
    code_row(
        "diagram-failed",
        Warning,
        Warning,
        "A Mermaid diagram cannot be drawn. Its source is shown.",
        "Correct it at the line that is named.",
    )
    .with_example(
        r#"
```mermaid
sequenceDiagram
  A->>
```
"#,
    ),
    code_row(
        "icon-missing",
        Warning,
        Silent,
        "The icon library has no icon of this name.",
        "Use the name that the hint proposes, or the path of an SVG file.",
    )
    .with_example(
        r#"
<Icon icon="no-such-icon" />
"#,
    ),
    code_row(
        "icon-unreadable",
        Warning,
        Silent,
        "An inline SVG cannot be used as an icon.",
        "Write well-formed SVG that has only shapes, or name a file.",
    )
    .with_example(
        r#"
<Icon icon="<svg><path" />
"#,
    ),
    code_row("math-failed", Warning, Warning, "A formula cannot be typeset. Its source is shown.", "Correct it.")
        .with_example(
            r#"
$$
\frac{1}{
$$
"#,
        ),
    code_row(
        "template",
        Error,
        Error,
        "A part of the page frame cannot be written.",
        "Report it, with the configuration.",
    ),
    code_row(
        "utilities-failed",
        Warning,
        Silent,
        "The style sheet of utility classes cannot be generated.",
        "Look for a class with a very long name.",
    ),
];

pub(super) const LINKS: &[CodeRow] = &[
    code_row(
        "broken-anchor",
        Warning,
        Error,
        "A link leads to an anchor that its page does not have.",
        "Correct the part after `#`.",
    )
    .with_example(
        r#"
## Install

[How to start](#instal)
"#,
    ),
    code_row(
        "broken-link",
        Warning,
        Error,
        "A link leads to no page and no file. Its text is kept.",
        "Correct the path, or add a redirect.",
    )
    .with_example(
        r#"
[Install](/instal)
"#,
    ),
    code_row(
        "link-anchor",
        Warning,
        Warning,
        "The anchor of a link is written otherwise than that of the page. The export corrects it; other programs do not.",
        "Write the anchor as the message has it.",
    )
    .with_example(
        r#"
## Install the program

[How](#Install-The-Program)
"#,
    ),
    code_row(
        "link-case",
        Warning,
        Warning,
        "A link differs from the name of its page by case alone. The export corrects it.",
        "Write the name as the file has it.",
    )
    .with_example(
        r#"
[Install](/Install)
//- install.mdx
Text.
"#,
    ),
    code_row(
        "own-404",
        Warning,
        Warning,
        "The site has a page that static hosts show for missing addresses, at any depth, where its links do not work.",
        "Rename it; set the text of the built-in page with `errors.404`.",
    )
    .with_example(
        r#"
//- docs.json …
{ "navigation": { "pages": ["index", "404"] } }
//- index.mdx
Text.
//- 404.mdx
There is no such page.
"#,
    ),
    code_row("redirect-cycle", Warning, Error, "A redirect leads back to itself.", "Let it end at a page.")
        .with_example(
            r#"
//- docs.json …
{ "redirects": [{ "source": "/a", "destination": "/b" }, { "source": "/b", "destination": "/a" }] }
//- index.mdx
Text.
"#,
        ),
    code_row(
        "redirect-dangling",
        Warning,
        Error,
        "The destination of a redirect does not exist.",
        "Correct `destination`, or add the page.",
    )
    .with_example(
        r#"
//- docs.json …
{ "redirects": [{ "source": "/a", "destination": "/b" }] }
//- index.mdx
Text.
"#,
    ),
    code_row(
        "redirect-repeated",
        Warning,
        Warning,
        "Two redirects have the same source. The first is used.",
        "Remove one.",
    )
    .with_example(
        r#"
//- docs.json …
{ "redirects": [{ "source": "/a", "destination": "/index" }, { "source": "/a", "destination": "/index" }] }
//- index.mdx
Text.
"#,
    ),
    code_row(
        "redirect-source",
        Warning,
        Warning,
        "The source of a redirect has a `#` or a `?` and can never match.",
        "Remove that part.",
    )
    .with_example(
        r#"
//- docs.json …
{ "redirects": [{ "source": "/a#b", "destination": "/index" }] }
//- index.mdx
Text.
"#,
    ),
    code_row(
        "refused-link",
        Warning,
        Warning,
        "An address has a scheme that pages may not use, such as `javascript:`, or leads out of the source folder.",
        "Use a page, a file of the site, or an `https` address.",
    )
    .with_example(
        r#"
[Press](javascript:alert(1))
"#,
    ),
    code_row(
        "restricted-link",
        Warning,
        Warning,
        "A link leads to a page or file that the export leaves out because it is restricted to user groups. Its text is kept.",
        "Remove it, or export with `--group`.",
    )
    .with_example(
        r#"
[Inside](/inside)
//- inside.mdx
---
groups: [staff]
---
Text.
"#,
    ),
];
