//! Codes about what a migration cannot carry over.

use super::Level::{Silent, Warning};
use super::{CodeRow, code_row};

pub(super) const MIGRATION: &[CodeRow] = &[
    code_row(
        "migrate-address",
        Warning,
        Silent,
        "`offprint migrate` gives a page another name, because files of its name are no pages in the format or the name is longer than systems hold. A redirect leads to it.",
        "Update links of other sites to the page.",
    )
    .with_example(
        r#"
//- mkdocs.yml
site_name: Docs
//- docs/index.md
# Start
//- docs/snippets/greeting.md
# Greeting
"#,
    ),
    code_row(
        "migrate-anchor",
        Warning,
        Silent,
        "`offprint migrate` cannot write the anchor of a heading, which gets another one.",
        "Give the heading an anchor of letters, digits and hyphens, and update links to it.",
    ),
    code_row(
        "migrate-component",
        Warning,
        Silent,
        "`offprint migrate` writes what an interactive component shows at first, because the component is code of the other tool.",
        "Write it as a component of the new site, in a file below `snippets/`, and import it on the page.",
    )
    .with_example(
        r#"
//- docusaurus.config.js
module.exports = { title: "Docs", presets: ["classic"] };
//- docs/start.mdx
import Counter from "@site/src/counter";

# Start

<Counter />
//- src/counter.js
import { useState } from "react";
export default function Counter() {
  const [count, setCount] = useState(0);
  return <button onClick={() => setCount(count + 1)}>{count}</button>;
}
"#,
    ),
    code_row(
        "migrate-script",
        Warning,
        Silent,
        "`offprint migrate` leaves out a script in a page.",
        "Put it into a `.js` file of the new site, which all its pages then load.",
    )
    .with_example(
        r#"
//- mkdocs.yml
site_name: Docs
//- docs/index.md
# Start

<script>alert(1)</script>
"#,
    ),
    code_row(
        "migrate-setting",
        Warning,
        Silent,
        "`offprint migrate` leaves out a setting that `docs.json` has no key for.",
        "See the message.",
    )
    .with_example(
        r#"
//- mkdocs.yml
site_name: Docs
copyright: The authors
extra: { generator: false }
//- docs/index.md
# Start
"#,
    ),
    code_row(
        "migrate-style",
        Warning,
        Silent,
        "`offprint migrate` copies no style sheets and no scripts: they are made for the theme of the other tool, and in the new format all pages would have them.",
        "Copy those that suit the theme of the new site.",
    )
    .with_example(
        r#"
//- mkdocs.yml
site_name: Docs
extra_css: [extra.css]
//- docs/index.md
# Start
//- docs/extra.css
h1 { color: red }
"#,
    ),
];
