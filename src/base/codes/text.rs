//! Codes about the text of pages.

use super::Level::{Error, Silent, Warning};
use super::{CodeRow, code_row};

pub(super) const TEXT: &[CodeRow] = &[
    code_row(
        "css-import",
        Warning,
        Silent,
        "A `<style>` of a page has an `@import`, which is removed.",
        "Put the rules into a `.css` file of the site.",
    )
    .with_example(
        r#"
<style>{`
  @import "more.css";
`}</style>

Text.
"#,
    ),
    code_row(
        "element-dropped",
        Warning,
        Warning,
        "An element with text that no browser shows, or that a page cannot have, is left out.",
        "Write the text outside of it, or a backslash before a `<` that is text.",
    )
    .with_example(
        r#"
A <template>word</template> is lost.
"#,
    ),
    code_row(
        "expression-syntax",
        Error,
        Error,
        "The text between braces is not a JavaScript expression. It is shown as text.",
        "Correct the expression, or write `\\{` for a plain brace.",
    )
    .with_example(
        r#"
There are {3 +} pages.
"#,
    ),
    code_row(
        "footnote-unused",
        Warning,
        Silent,
        "A footnote that nothing refers to is left out.",
        "Refer to it with `[^label]`, or remove it.",
    )
    .with_example(
        r#"
Text.

[^1]: A note.
"#,
    ),
    code_row(
        "frame-content",
        Warning,
        Silent,
        "An `<iframe>` has a page in `srcDoc`. Its text is kept; its styles and scripts are removed.",
        "Write the content on the page, or link to an `.html` file of the site.",
    )
    .with_example(
        r#"
<iframe title="Hello" srcDoc="<p>Hello</p>" />
"#,
    ),
    code_row(
        "include-unread",
        Error,
        Error,
        "The file that an include names does not exist or cannot be used. Its content is missing on the page.",
        "Correct the path.",
    )
    .with_example(
        r#"
//- book.toml
[book]
title = "Docs"
//- src/SUMMARY.md
- [Start](start.md)
//- src/start.md
# Start
{{#include code.rs}}
"#,
    ),
    code_row(
        "lost-picture",
        Warning,
        Error,
        "A picture, formula or diagram of the source is not on the page, and no other problem says why.",
        "Write it in another way. Where the text is right, report it.",
    ),
    code_row(
        "lost-words",
        Warning,
        Error,
        "Words of the source are not on the page, or less often, and no other problem says why.",
        "Write this part in another way. Where the text is right, report it.",
    )
    .with_example(
        r#"
//- index.md
# Start

<!-- to do

Text.
"#,
    ),
    code_row(
        "mdx-comment",
        Error,
        Error,
        "A comment is never closed. It is shown as text.",
        "Close it with `-->` or `*/}`.",
    )
    .with_example(
        r#"
Text <!-- to do

More.
"#,
    ),
    code_row(
        "mdx-expression",
        Error,
        Error,
        "A `{` is never closed. It is shown as text.",
        "Close it, or write `\\{` for a plain brace.",
    )
    .with_example(
        r#"
A set {a, b.
"#,
    ),
    code_row(
        "mdx-stray-close",
        Error,
        Error,
        "A closing tag has no opening tag. It is ignored.",
        "Remove it, or open the element in the same list item, quote or block.",
    )
    .with_example(
        r#"
Text.

</Note>
"#,
    ),
    code_row(
        "mdx-tag",
        Error,
        Error,
        "A tag is not complete. It is shown as text.",
        "Complete it, or write `&lt;` for a plain `<`.",
    )
    .with_example(
        r#"
Press <Enter now.
"#,
    ),
    code_row(
        "mdx-unclosed-tag",
        Error,
        Error,
        "An element is never closed. It ends where the block around it ends.",
        "Add the closing tag in the same list item, quote or block.",
    )
    .with_example(
        r#"
<Note>

Text.
"#,
    ),
    code_row(
        "panel-suppressed",
        Warning,
        Silent,
        "A `<Panel>` stands on a page whose mode has no right column. It is not shown.",
        "Move its content into the page, or remove `mode` from the front matter.",
    )
    .with_example(
        r#"
//- index.mdx
---
title: Start
mode: wide
---
<Panel>Aside.</Panel>

Text.
"#,
    ),
    code_row(
        "placeholder",
        Error,
        Error,
        "An internal error: a part of a page is shown as a placeholder.",
        "Report it, with the source of the page.",
    ),
    code_row(
        "query-block",
        Warning,
        Warning,
        "A block of code on a page of Obsidian is a query, whose results only Obsidian and its plugins know. It is shown as it is written.",
        "Write the results on the page.",
    )
    .with_example(
        r#"
//- .obsidian/app.json
{}
//- Start.md
```dataview
LIST FROM #book
```
"#,
    ),
    code_row(
        "reference-unread",
        Warning,
        Silent,
        "`::: name` stands for reference text that another tool generates from source code. The name is shown instead.",
        "Write the text into the page, or export the output of that tool.",
    )
    .with_example(
        r#"
//- mkdocs.yml
site_name: Docs
plugins: [mkdocstrings]
//- docs/index.md
# Start

::: package.module
"#,
    ),
    code_row(
        "script-dropped",
        Warning,
        Silent,
        "A `<script>` in a page is removed.",
        "Put it into a `.js` file of the site, and export with `--include-js`.",
    )
    .with_example(
        r#"
<script>alert(1)</script>

Text.
"#,
    ),
    code_row(
        "script-unclosed",
        Error,
        Error,
        "The brackets or quotes of an `import` or `export` statement are not closed. The statement is left out.",
        "Close them.",
    )
    .with_example(
        r#"
export const list = [1, 2

Text.
"#,
    ),
    code_row(
        "shortcode-unknown",
        Warning,
        Warning,
        "A page uses a shortcode of another tool that is not known here and has no template that can be run. What stands inside it is kept.",
        "Write what it shows on the page.",
    )
    .with_example(
        r#"
//- hugo.toml
title = "Docs"
//- content/_index.md
{{< chart "sales" >}}
"#,
    ),
    code_row(
        "table-cells",
        Warning,
        Silent,
        "A row of a table has more cells than the header. They stand in columns without a header.",
        "Give the header as many cells, or write a backslash before bars that are text.",
    )
    .with_example(
        r#"
| A | B |
|---|---|
| 1 | 2 | 3 |
"#,
    ),
    code_row(
        "template-expression",
        Warning,
        Warning,
        "A value in double braces, or what a template repeats, is only known where the page of another tool runs. The words of the expression are shown; what is repeated is left out.",
        "Write the value on the page.",
    )
    .with_example(
        r#"
//- .vitepress/config.js
export default { title: "Docs" }
//- index.md
# Start

Hello {{ user.name }}.
"#,
    ),
    code_row(
        "tool-syntax",
        Warning,
        Warning,
        "A folder that is read as plain Markdown uses the syntax of a documentation tool, which no reader of it understands. It stands on the page as it is written.",
        "Export the folder with the tool's configuration, name the tool with `--from`, or write it as Markdown.",
    )
    .with_example(
        r#"
//- index.md
# Start

{{< note >}}Text.{{< /note >}}

{% hint style="info" %}
Text.
{% endhint %}
"#,
    ),
    code_row(
        "unknown-element",
        Warning,
        Warning,
        "HTML has no element of this name, and no component has it: what stands between its tags is shown, the tags are not. Names with a dash may be an author's own and are not reported.",
        "Write a backslash before a `<` that is text, or put it between backticks.",
    )
    .with_example(
        r#"
Between <think>and</think>.
"#,
    ),
];
