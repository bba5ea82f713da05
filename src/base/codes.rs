//! The registry of diagnostic codes: each code once, with its severity, what it means and what to do about it.
//!
//! [`Diagnostic::new`](super::Diagnostic::new) takes the severity from here, `offprint check` decides here what it reports, and the reference page of the documentation
//! (`export/diagnostic-codes.mdx`) is written from here. `tests/suite/codes.rs` compares the three, and finds codes in the source that have no row.

use super::Severity;

/// What a command makes of a code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// Always an error.
    Error,
    /// Always a warning.
    Warning,
    /// An error or a warning: where it is found decides.
    Either,
    /// The command does not report it.
    Silent,
}

/// One code.
#[derive(Clone, Copy, Debug)]
pub struct Code {
    /// The stable kebab-case name.
    pub name: &'static str,
    /// In an export.
    pub export: Level,
    /// In a check of a source or of a bundle.
    pub check: Level,
    /// One sentence: what is wrong, and what becomes of it. Markdown.
    pub meaning: &'static str,
    /// One sentence: what to do. Markdown.
    pub remedy: &'static str,
}

/// Codes about one part of a source.
#[derive(Clone, Copy, Debug)]
pub struct Area {
    /// The heading in the reference.
    pub title: &'static str,
    /// The codes, by name.
    pub codes: &'static [Code],
}

const fn code(name: &'static str, export: Level, check: Level, meaning: &'static str, remedy: &'static str) -> Code {
    Code { name, export, check, meaning, remedy }
}

use Level::{Either, Error, Silent, Warning};

/// Every code, by area.
pub const AREAS: &[Area] = &[
    Area { title: "Configuration", codes: CONFIGURATION },
    Area { title: "Navigation", codes: NAVIGATION },
    Area { title: "Front matter", codes: FRONT_MATTER },
    Area { title: "MDX and Markdown", codes: TEXT },
    Area { title: "Imports, snippets and components", codes: COMPONENTS },
    Area { title: "Code, math, diagrams and icons", codes: RENDERING },
    Area { title: "Links and redirects", codes: LINKS },
    Area { title: "API descriptions", codes: API },
    Area { title: "Files", codes: FILES },
    Area { title: "Remote assets", codes: REMOTE },
    Area { title: "Files beside the pages", codes: SIDE },
    Area { title: "Only in a check", codes: CHECK },
    Area { title: "Only in dev", codes: DEV },
];

const CONFIGURATION: &[Code] = &[
    code("config-elsewhere", Warning, Silent, "A `docs.json` or `mint.json` lies in a subfolder, where it has no effect.", "Export that folder."),
    code("config-file", Error, Error, "The configuration cannot be read or is not JSON. The export stops.", "Correct the file at the line that is named."),
    code("config-missing-key", Either, Either, "A required key is missing; a default is used. Without `navigation`, an error, the folders become the navigation.", "Add the key."),
    code("config-ref", Error, Error, "A `$ref` names a file that is missing, outside the folder, not JSON, or part of a cycle.", "Correct the path, which is relative to the file that holds the `$ref`."),
    code("config-relaxed-json", Warning, Silent, "The configuration has comments or trailing commas, which JSON does not allow.", "Remove them; other tools refuse the file."),
    code("config-repeated-key", Warning, Silent, "An object has the same key twice; the last one is used.", "Remove one of them."),
    code("config-unknown-key", Either, Either, "The format has no such key; it is ignored. An error where the format allows no other keys, as in `colors` and `fonts`.", "Correct the spelling, or remove the key."),
    code("config-value", Either, Either, "A value has the wrong type or is not one of the allowed words: an invalid theme or color, for example. The default is used. A warning where the value has no effect on a bundle.", "Use a value that the message names."),
    code("undefined-variable", Error, Error, "A variable in double braces is not one of `docs.json`. Nothing is shown in its place; in code it stays.", "Add it to `variables`, or correct the name."),
    code("unknown-variation", Warning, Silent, "A `<View>` names a variation that the site does not define.", "Use an id of `variations` in `docs.json`."),
];

const NAVIGATION: &[Code] = &[
    code("nav-case", Warning, Warning, "An entry differs from the name of its page by case alone. The page is used.", "Write the name as the file has it."),
    code("nav-link", Warning, Warning, "An entry of `pages` is an address. It becomes a link with the address as its title.", "Add a page with `url:` in its front matter, which gives the link a title."),
    code("nav-missing-page", Error, Error, "An entry has no file, or its file cannot be read. The entry is left out.", "Correct the name, add the file, or remove the entry."),
    code("nav-two-lists", Warning, Warning, "Two lists that exclude each other stand in one object, such as `tabs` beside `groups`. Only one is used.", "Keep one, or put one inside an entry of the other."),
];

const FRONT_MATTER: &[Code] = &[
    code("front-matter", Error, Error, "The front matter is never closed. It is shown as text.", "End it with a line `---`."),
    code("front-matter-key", Warning, Silent, "A key is misspelled or in another case, and is read as the key that is meant.", "Write the key as the message names it."),
    code("front-matter-toml", Error, Error, "The front matter is not valid TOML. It is ignored.", "Correct the line that is named."),
    code("front-matter-value", Warning, Silent, "A value has the wrong type; it is ignored.", "Use a value of the type that the message names."),
    code("front-matter-yaml", Warning, Warning, "The front matter is not valid YAML. It is read line by line instead, which usually gives the keys that were meant.", "Correct the line that is named; put values with `: `, `#`, quotes or brackets in quotes."),
    code("history-late", Warning, Silent, "Git took more than a minute to list the commits that changed pages. No page shows the date of its last commit.", "Set `lastUpdatedDate` on pages, or `metadata.timestamp` to `false`."),
];

const TEXT: &[Code] = &[
    code("css-import", Warning, Silent, "A `<style>` of a page has an `@import`, which is removed.", "Put the rules into a `.css` file of the site."),
    code("expression-syntax", Error, Error, "The text between braces is not a JavaScript expression. It is shown as text.", "Correct the expression, or write `\\{` for a plain brace."),
    code("footnote-unused", Warning, Silent, "A footnote that nothing refers to is left out.", "Refer to it with `[^label]`, or remove it."),
    code("frame-content", Warning, Silent, "An `<iframe>` has a page in `srcDoc`. Its text is kept; its styles and scripts are removed.", "Write the content on the page, or link to an `.html` file of the site."),
    code("include-unread", Error, Error, "The file that an include names does not exist or cannot be used. Its content is missing on the page.", "Correct the path."),
    code("mdx-comment", Error, Error, "A comment is never closed. It is shown as text.", "Close it with `-->` or `*/}`."),
    code("mdx-expression", Error, Error, "A `{` is never closed. It is shown as text.", "Close it, or write `\\{` for a plain brace."),
    code("mdx-stray-close", Error, Error, "A closing tag has no opening tag. It is ignored.", "Remove it, or open the element in the same list item, quote or block."),
    code("mdx-tag", Error, Error, "A tag is not complete. It is shown as text.", "Complete it, or write `&lt;` for a plain `<`."),
    code("mdx-unclosed-tag", Error, Error, "An element is never closed. It ends where the block around it ends.", "Add the closing tag in the same list item, quote or block."),
    code("panel-suppressed", Warning, Silent, "A `<Panel>` stands on a page whose mode has no right column. It is not shown.", "Move its content into the page, or remove `mode` from the front matter."),
    code("placeholder", Error, Error, "An internal error: a part of a page is shown as a placeholder.", "Report it, with the source of the page."),
    code("reference-unread", Warning, Silent, "`::: name` stands for reference text that another tool generates from source code. The name is shown instead.", "Write the text into the page, or export the output of that tool."),
    code("script-dropped", Warning, Silent, "A `<script>` in a page is removed.", "Put it into a `.js` file of the site, and export with `--include-js`."),
    code("script-unclosed", Error, Error, "The brackets or quotes of an `import` or `export` statement are not closed. The statement is left out.", "Close them."),
    code("table-cells", Warning, Silent, "A row of a table has more cells than the header. They are left out, as GitHub's tables have it.", "Give the header as many cells, or write a backslash before bars that are text."),
];

const COMPONENTS: &[Code] = &[
    code("component-browser", Warning, Silent, "A component reads something that only a browser has while it is rendered. The page shows it without that until its script runs.", "Read it in `useEffect`, and keep it in a state."),
    code("component-case", Error, Error, "A component with a lower-case name shows nothing.", "Begin its name with a capital letter."),
    code("component-frozen", Warning, Silent, "Content of a built-in component depends on the state of another component. The bundle shows its first state.", "Put the built-in component inside the one with the state."),
    code("component-request", Warning, Silent, "A component requests data from another server, which fails without a network.", "Import the data from a file, or show something else where the request fails."),
    code("handler-lost", Warning, Silent, "An event handler on a built-in component has no effect.", "Put it on an HTML element around or inside the component."),
    code("import-kind", Error, Error, "An imported file is not Markdown, a script or a picture.", "Export its content from a `.jsx` or `.mdx` file, and import that."),
    code("import-missing", Error, Error, "An imported file does not exist, or the import names a package: packages are not installed.", "Correct the path, or copy what is needed into `snippets/`."),
    code("import-name", Error, Error, "A file does not export the name that a page imports.", "Import a name that the message lists."),
    code("page-failed", Error, Error, "An internal error stopped a page. The bundle holds a page that says so.", "Report it, with the page."),
    code("page-too-large", Error, Error, "A page grows beyond its bounds when its snippets are expanded. The rest is left out.", "Check that no snippet includes itself."),
    code("script-failed", Error, Error, "An expression or a component cannot be evaluated, for the reason that is given. Nothing is shown in its place.", "Correct it. Scripts run without a browser, a network and packages."),
    code("script-time", Warning, Silent, "A script asks for the time, which is fixed so that exports are reproducible.", "Set it with `--exported-at`, or ask in `useEffect`."),
    code("snippet-depth", Error, Error, "Snippets include each other too deeply. The innermost are left out.", "Check that no snippet includes itself."),
    code("snippet-missing", Error, Error, "The file of a `<Snippet>` does not exist.", "Correct the path; it is relative to `snippets/`."),
    code("undefined-name", Error, Error, "An expression uses a name that is neither exported nor imported. Nothing is shown in its place.", "Export or import it, or write `\\{` for a plain brace."),
    code("unknown-component", Error, Error, "No component has this name. Its content is shown without it.", "Correct the name, or import the component."),
];

const RENDERING: &[Code] = &[
    code("code-grammar", Warning, Silent, "A custom grammar cannot be used. Its language is not highlighted.", "Name a TextMate grammar in JSON."),
    code("code-theme", Warning, Silent, "There is no code theme of this name. Another is used.", "Use the name of a theme of Shiki."),
    code("diagram-failed", Warning, Warning, "A Mermaid diagram cannot be drawn. Its source is shown.", "Correct it at the line that is named."),
    code("icon-missing", Warning, Silent, "The icon library has no icon of this name.", "Use the name that the hint proposes, or the path of an SVG file."),
    code("icon-unreadable", Warning, Silent, "An inline SVG cannot be used as an icon.", "Write well-formed SVG that has only shapes, or name a file."),
    code("math-failed", Warning, Warning, "A formula cannot be typeset. Its source is shown.", "Correct it."),
    code("template", Error, Error, "A part of the page frame cannot be written.", "Report it, with the configuration."),
    code("utilities-failed", Warning, Silent, "The style sheet of utility classes cannot be generated.", "Look for a class with a very long name."),
];

const LINKS: &[Code] = &[
    code("broken-anchor", Warning, Error, "A link leads to an anchor that its page does not have.", "Correct the part after `#`."),
    code("broken-link", Warning, Error, "A link leads to no page and no file. Its text is kept.", "Correct the path, or add a redirect."),
    code("link-case", Warning, Warning, "A link differs from the name of its page by case alone. The export corrects it.", "Write the name as the file has it."),
    code("own-404", Warning, Warning, "The site has a page that static hosts show for missing addresses, at any depth, where its links do not work.", "Rename it; set the text of the built-in page with `errors.404`."),
    code("redirect-cycle", Warning, Error, "A redirect leads back to itself.", "Let it end at a page."),
    code("redirect-dangling", Warning, Error, "The destination of a redirect does not exist.", "Correct `destination`, or add the page."),
    code("redirect-repeated", Warning, Warning, "Two redirects have the same source. The first is used.", "Remove one."),
    code("redirect-source", Warning, Warning, "The source of a redirect has a `#` or a `?` and can never match.", "Remove that part."),
    code("refused-link", Warning, Warning, "An address has a scheme that pages may not use, such as `javascript:`, or leads out of the source folder.", "Use a page, a file of the site, or an `https` address."),
    code("restricted-link", Warning, Warning, "A link leads to a page or file that the export leaves out because it is restricted to user groups. Its text is kept.", "Remove it, or export with `--group`."),
];

const API: &[Code] = &[
    code("openapi-file", Error, Error, "An API description is not valid JSON or YAML, or not an OpenAPI or AsyncAPI document. It is ignored.", "Correct it at the line that is named."),
    code("openapi-missing-file", Either, Error, "An API description does not exist. An error in the navigation; a warning on a page, which keeps its own content.", "Correct the path."),
    code("openapi-missing-operation", Either, Either, "No API description has this operation. An error in the navigation; a warning on a page, which keeps its own content.", "Correct the method or the path, or update the description."),
    code("openapi-overlay", Warning, Silent, "An API description has `overlays`. They are not applied: its operations are shown without them.", "Apply them before the export, and name the result as `source`."),
    code("openapi-ref", Warning, Silent, "A path of an API description refers to another file. Its operations have no pages.", "Write the operations in the description itself."),
    code("openapi-remote", Either, Either, "An API description on another server is missing, for the reason that is given: its operations have no pages. A warning on a page, in `api`, with `--offline` and with `--vendor off`.", "Correct the address, export once with a network, or put the description into the documentation folder."),
    code("openapi-too-long", Warning, Silent, "The description of an operation is too long for the Markdown version of its page. The HTML page is complete.", "Shorten its schemas."),
];

const FILES: &[Code] = &[
    code("file-name", Warning, Silent, "A file has a name that not every system can hold. It is renamed, or left out if its name is not UTF-8.", "Rename it."),
    code("ignore-pattern", Warning, Silent, "A line of `.mintignore` is not a valid pattern. It is ignored.", "Correct the pattern."),
    code("large-asset", Warning, Silent, "A file is larger than 20 MB.", "Link to it on another host, or make it smaller."),
    code("missing-asset", Warning, Error, "A logo, favicon, font or picture that the configuration names does not exist.", "Correct the path, or add the file."),
    code("missing-file", Warning, Error, "A picture or another file that a page names does not exist. A picture is replaced by its alternative text.", "Correct the path, or add the file."),
    code("not-a-file", Warning, Silent, "A symbolic link, a device or the like is left out.", "Replace it by the file."),
    code("not-utf8", Warning, Silent, "A file is not UTF-8. Bytes that are not are shown as U+FFFD.", "Save it as UTF-8."),
    code("page-draft", Warning, Silent, "Pages are left out because they are drafts.", "Remove `draft: true` or `published: false` to publish them."),
    code("page-name", Warning, Silent, "Two pages would have the same address, or not every system can hold the name of a page. The page is renamed.", "Rename the file."),
    code("page-repeated", Warning, Silent, "Two files are the same page. One is left out.", "Remove one of them."),
    code("path-collision", Error, Error, "Two files have names that some systems cannot tell apart. One is left out.", "Rename one; names must differ by more than case."),
    code("reserved-path", Warning, Silent, "A file lies in the folder that bundles use for their own files. It is left out.", "Rename the folder."),
    code("svg-active", Warning, Silent, "An SVG file has scripts or embedded pages. It is copied without them.", "Save the file without them."),
    code("unreadable-file", Error, Error, "A file cannot be read. It is left out.", "Check its permissions."),
];

const REMOTE: &[Code] = &[
    code("cache-lost", Error, Error, "A file of the cache was removed while the export ran.", "Export again."),
    code("cache-unwritable", Warning, Silent, "The cache cannot be written. The bundle is complete; the next export fetches again.", "Name a writable folder with `--cache-dir`."),
    code("font-not-bundled", Either, Silent, "A font of the configuration has no file, and none can be fetched. Pages use a built-in font. An error with `--locked`.", "Name a family of Google Fonts, or put the file into the site and name it as `source`."),
    code("lock-unreadable", Error, Error, "The lock file cannot be read. Without `--locked`, assets are fetched as if it did not exist.", "Restore it, or remove it and export again."),
    code("lock-unwritable", Warning, Silent, "The lock file cannot be written. The bundle is complete.", "Make the folder writable, or name another file with `--lock`."),
    code("no-network", Warning, Silent, "No server can be reached. Remote assets are replaced by placeholders.", "Export with a network, or with `--offline` and a filled cache."),
    code("outside-asset", Warning, Silent, "A logo, favicon, font or picture of the configuration is on another server and is left out.", "Put the file into the site."),
    code("outside-load", Either, Either, "A page loads something from another host, which fails without a network. Pictures and videos are a warning if `--vendor off` allows them; everything else is an error.", "Put the file into the site, or let the export vendor it."),
    code("remote-asset", Either, Silent, "A remote asset cannot be fetched, for the reason that is given. A placeholder stands in its place. An error with `--locked`.", "Correct the address, or put the file into the site."),
    code("remote-changed", Either, Silent, "A remote asset is not the one that the lock file names. An error with `--locked`.", "Check the new file, then export once with `--vendor on`."),
    code("remote-not-locked", Either, Silent, "A remote asset is not in the lock file. An error with `--locked`.", "Export once with `--vendor on`, and commit the lock file."),
    code("remote-offline", Either, Silent, "A remote asset is not in the cache, and `--offline` allows no request. An error with `--locked`.", "Export once with a network and the same `--cache-dir`."),
];

const SIDE: &[Code] = &[
    code("analytics-empty", Warning, Silent, "Analytics is on, but `integrations` names no service that bundles support.", "Add one, or switch analytics off."),
    code("integration-left-out", Warning, Silent, "An integration is left out: bundles do not support it, or a value is missing.", "Use a supported service and give all its values."),
    code("social-images", Warning, Silent, "The pictures for social networks, or one of them, cannot be drawn.", "Follow the hint of the message."),
];

const CHECK: &[Code] = &[
    code("absolute-address", Silent, Error, "An address begins at the root of the host. It fails below a folder and on a disk.", "Make it relative to its page."),
    code("case-mismatch", Silent, Error, "A name differs from its file by case alone. It works on macOS and Windows and fails on other systems.", "Write the name as the file has it."),
    code("dead-link", Silent, Error, "With `--external`: the other host says that the page does not exist.", "Correct or remove the link."),
    code("duplicate-id", Silent, Warning, "Two elements of a page have the same id. Links lead to the first.", "Rename one of them."),
    code("folder-link", Silent, Error, "An address leads to a folder. On a disk it shows a list of files.", "Name the `index.html` of the folder."),
    code("missing-alt", Silent, Warning, "A picture has no alternative text.", "Describe the picture; write `alt=\"\"` for decoration."),
    code("missing-policy", Silent, Error, "A page of a bundle for air-gapped deployment does not start with a content security policy that blocks requests to other servers.", "Export the site again, and change no page of a bundle."),
    code("no-start-page", Silent, Warning, "The bundle has no `index.html`.", "Add an index page."),
    code("orphan-page", Silent, Warning, "No link and no navigation entry leads to the page.", "Add it to the navigation, or set `hidden: true`."),
    code("private-link", Silent, Warning, "With `--external`: a link leads to a private network and was not requested.", "Allow it with `--allow-private`."),
    code("unclear-link", Silent, Warning, "With `--external`: the other host did not answer, or refuses programs (403, 429).", "Open the link in a browser."),
];

const DEV: &[Code] = &[
    code("no-config", Silent, Silent, "`docs.json` was removed. The folder is shown as plain Markdown.", "Restore the file."),
    code("no-site", Silent, Silent, "The site cannot be loaded, for the reason that is given.", "Correct it; the last version is shown until then."),
];

/// A code by its name.
pub fn find(name: &str) -> Option<&'static Code> {
    AREAS.iter().flat_map(|area| area.codes).find(|code| code.name == name)
}

/// The severity of a code in an export. Codes whose severity depends on where they are found count as warnings here.
pub(super) fn severity(name: &str) -> Severity {
    match find(name).map(|code| code.export) {
        Some(Level::Error) => Severity::Error,
        _ => Severity::Warning,
    }
}
