//! Codes about the files of a bundle.

use super::Level::{Either, Error, Silent, Warning};
use super::{CodeRow, code_row};

pub(super) const FILES: &[CodeRow] = &[
    code_row(
        "file-failed",
        Error,
        Error,
        "An internal error stopped the reading or making of a file. It is left out, or copied as it is; the message says which.",
        "Report it, with the file.",
    ),
    code_row(
        "file-name",
        Warning,
        Silent,
        "A file has a name that not every system can hold. It is renamed, or left out if its name is not UTF-8.",
        "Rename it.",
    )
    .with_example(
        r#"
//- index.md
# Start

![A picture](a:b.svg)
//- a:b.svg
<svg xmlns="http://www.w3.org/2000/svg"/>
"#,
    ),
    code_row(
        "ignore-pattern",
        Warning,
        Silent,
        "A line of `.mintignore` is not a valid pattern. It is ignored.",
        "Correct the pattern.",
    )
    .with_example(
        r#"
Text.
//- .mintignore
drafts/{a,b
"#,
    ),
    code_row(
        "large-asset",
        Warning,
        Silent,
        "A file is larger than 20 MB.",
        "Link to it on another host, or make it smaller.",
    ),
    code_row(
        "lfs-pointer",
        Warning,
        Error,
        "A file is a pointer of Git LFS or git-annex: the repository was cloned without the large files that it refers to.",
        "Run `git lfs pull`, or `git annex get`, before the export.",
    )
    .with_example(
        r#"
![A picture](/photo.png)
//- photo.png
version https://git-lfs.github.com/spec/v1
oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393
size 12345
"#,
    ),
    code_row(
        "missing-asset",
        Warning,
        Error,
        "A logo, favicon, font or picture that the configuration names does not exist.",
        "Correct the path, or add the file.",
    )
    .with_example(
        r#"
//- docs.json …
{ "favicon": "/favicon.svg" }
//- index.mdx
Text.
"#,
    ),
    code_row(
        "missing-file",
        Warning,
        Error,
        "A picture or another file that a page names does not exist. A picture is replaced by its alternative text.",
        "Correct the path, or add the file.",
    )
    .with_example(
        r#"
![A picture](/photo.png)
"#,
    ),
    code_row(
        "not-a-file",
        Warning,
        Silent,
        "A symbolic link that leads to no file or folder of the source, a device or the like is left out.",
        "Replace it by the file.",
    ),
    code_row(
        "not-utf8",
        Warning,
        Silent,
        "A file is not UTF-8. One in UTF-16 with a byte-order mark is read as that; of others, invalid bytes are shown as U+FFFD.",
        "Save it as UTF-8.",
    ),
    code_row(
        "page-draft",
        Warning,
        Silent,
        "Pages are left out because they are drafts.",
        "Remove `draft: true` or `published: false` to publish them.",
    )
    .with_example(
        r#"
//- hugo.toml
title = "Docs"
//- content/_index.md
# Start
//- content/next.md
---
title: Next
draft: true
---
Text.
"#,
    ),
    code_row(
        "page-empty",
        Warning,
        Warning,
        "A page shows no words, although its file has some, or it is the start page. Mostly a theme or a program of another tool makes what it shows.",
        "Write what it shows as Markdown.",
    )
    .with_example(
        r#"
//- .vitepress/config.js
export default { title: "Docs" }
//- index.md
<Landing />
"#,
    ),
    code_row(
        "page-name",
        Warning,
        Silent,
        "Two pages would have the same address, or not every system can hold the name of a page. The page is renamed.",
        "Rename the file.",
    )
    .with_example(
        r#"
//- index.md
# Start
//- a:b.md
# Two
"#,
    ),
    code_row(
        "page-program",
        Warning,
        Warning,
        "A page of Docusaurus or Nextra is a program that is not run, mostly because it needs a package. The page is left out.",
        "Write the page as Markdown, or copy what it needs into the repository.",
    )
    .with_example(
        r#"
//- docusaurus.config.js
module.exports = { title: "Docs", presets: ["classic"] };
//- docs/start.md
# Start
//- src/pages/team.js
import Team from "teams";
export default () => <Team />;
"#,
    ),
    code_row("page-repeated", Warning, Silent, "Two files are the same page. One is left out.", "Remove one of them.")
        .with_example(
            r#"
//- index.md
# Start
//- index.mdx
# Start
"#,
        ),
    code_row(
        "page-template",
        Warning,
        Silent,
        "A file in square brackets stands for pages that a program of another tool makes. They are left out.",
        "Write the pages out as files.",
    )
    .with_example(
        r#"
//- .vitepress/config.js
export default { title: "Docs" }
//- index.md
# Start
//- [name].md
# {{ $params.name }}
"#,
    ),
    code_row(
        "path-collision",
        Error,
        Error,
        "Two files have names that some systems cannot tell apart. One is left out.",
        "Rename one; names must differ by more than case.",
    )
    .with_example(
        r#"
![One](/a.svg) ![Two](/A.svg)
//- a.svg
<svg xmlns="http://www.w3.org/2000/svg"/>
//- A.svg
<svg xmlns="http://www.w3.org/2000/svg"/>
"#,
    ),
    code_row(
        "reserved-path",
        Warning,
        Silent,
        "A file lies in the folder that bundles use for their own files. It is left out.",
        "Rename the folder.",
    )
    .with_example(
        r#"
![A picture](/_offprint/a.svg)
//- _offprint/a.svg
<svg xmlns="http://www.w3.org/2000/svg"/>
"#,
    ),
    code_row(
        "svg-active",
        Warning,
        Silent,
        "An SVG file has scripts or embedded pages. It is copied without them.",
        "Save the file without them.",
    )
    .with_example(
        r#"
![A picture](/a.svg)
//- a.svg
<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>
"#,
    ),
    code_row(
        "svg-costly",
        Warning,
        Silent,
        "Drawing an SVG file could take longer than the whole export: its filters, references or lines multiply. It is copied, but no icon and no picture for social networks is made of it.",
        "Simplify the drawing, or save it as a PNG.",
    )
    .with_example(
        r##"
//- docs.json …
{ "favicon": "/icon.svg" }
//- index.mdx
Text.
//- icon.svg
<svg xmlns="http://www.w3.org/2000/svg">
  <g id="a"><use href="#b" /></g>
  <g id="b"><use href="#a" /></g>
</svg>
"##,
    ),
    code_row(
        "unread-documents",
        Warning,
        Silent,
        "There are documents in formats that are not read: reStructuredText, AsciiDoc, notebooks and others.",
        "Convert them to Markdown, or list them in `.mintignore` (`.gitignore` without a `docs.json`).",
    )
    .with_example(
        r#"
//- index.md
# Start
//- install.rst
Install
=======
"#,
    ),
    code_row("unreadable-file", Error, Error, "A file cannot be read. It is left out.", "Check its permissions."),
];

pub(super) const REMOTE: &[CodeRow] = &[
    code_row("cache-lost", Error, Error, "A file of the cache was removed while the export ran.", "Export again."),
    code_row(
        "cache-unwritable",
        Warning,
        Silent,
        "The cache cannot be written. The bundle is complete; the next export fetches again.",
        "Name a writable folder with `--cache-dir`.",
    ),
    code_row(
        "font-not-bundled",
        Either,
        Silent,
        "A font of the configuration has no file, and none can be fetched. Pages use a built-in font. An error with `--locked`.",
        "Name a family of Google Fonts, or put the file into the site and name it as `source`.",
    )
    .with_example(
        r#"
//- docs.json …
{ "fonts": { "family": "No Such Font" } }
//- index.mdx
Text.
"#,
    ),
    code_row(
        "lock-unreadable",
        Error,
        Error,
        "The lock file cannot be read. Without `--locked`, assets are fetched as if it did not exist.",
        "Restore it, or remove it and export again.",
    )
    .with_example(
        r#"
Text.
//- offprint.lock
{ "version": 
"#,
    ),
    code_row(
        "lock-unwritable",
        Warning,
        Silent,
        "The lock file cannot be written. The bundle is complete.",
        "Make the folder writable, or name another file with `--lock`.",
    ),
    code_row(
        "no-network",
        Warning,
        Silent,
        "No server can be reached. Remote assets are replaced by placeholders.",
        "Export with a network, or with `--offline` and a filled cache.",
    ),
    code_row(
        "outside-asset",
        Warning,
        Silent,
        "A logo, favicon, font or picture of the configuration is on another server and is left out.",
        "Put the file into the site.",
    )
    .with_options("--vendor off")
    .with_example(
        r#"
//- docs.json …
{ "logo": "https://example.com/logo.svg" }
//- index.mdx
Text.
"#,
    ),
    code_row(
        "outside-load",
        Either,
        Either,
        "A page loads something from another host, which fails without a network. Pictures and videos are a warning if `--vendor off` allows them; everything else is an error.",
        "Put the file into the site, or let the export vendor it.",
    )
    .with_example(
        r#"
//- index.html
<!doctype html>
<title>Start</title>
<script src="https://example.com/a.js"></script>
"#,
    ),
    code_row(
        "remote-asset",
        Either,
        Silent,
        "A remote asset cannot be fetched, for the reason that is given. A placeholder stands in its place. An error with `--locked`.",
        "Correct the address, or put the file into the site.",
    )
    .with_example(
        r#"
![A picture](https://[/a.png)
"#,
    ),
    code_row(
        "remote-changed",
        Either,
        Silent,
        "A remote asset is not the one that the lock file names. An error with `--locked`.",
        "Check the new file, then export once with `--vendor on`.",
    ),
    code_row(
        "remote-not-locked",
        Either,
        Silent,
        "A remote asset is not in the lock file. An error with `--locked`.",
        "Export once with `--vendor on`, and commit the lock file.",
    )
    .with_options("--locked")
    .with_example(
        r#"
![A picture](https://example.com/a.png)
"#,
    ),
    code_row(
        "remote-offline",
        Either,
        Silent,
        "A remote asset is not in the cache, and `--offline` allows no request. An error with `--locked`.",
        "Export once with a network and the same `--cache-dir`.",
    )
    .with_example(
        r#"
![A picture](https://example.com/a.png)
"#,
    ),
];

pub(super) const SIDE: &[CodeRow] = &[
    code_row(
        "analytics-empty",
        Warning,
        Silent,
        "Analytics is on, but `integrations` names no service that bundles support.",
        "Add one, or switch analytics off.",
    )
    .with_options("--deployment client-hosted --feature analytics=on")
    .with_example(
        r#"
Text.
"#,
    ),
    code_row(
        "integration-left-out",
        Warning,
        Silent,
        "An integration is left out: bundles do not support it, or a value is missing.",
        "Use a supported service and give all its values.",
    )
    .with_options("--deployment client-hosted --feature analytics=on")
    .with_example(
        r#"
//- docs.json …
{ "integrations": { "heap": { "appId": "1" } } }
//- index.mdx
Text.
"#,
    ),
    code_row(
        "social-images",
        Warning,
        Silent,
        "The pictures for social networks, or one of them, cannot be drawn.",
        "Follow the hint of the message.",
    )
    .with_options("--social-images")
    .with_example(
        r#"
Text.
"#,
    ),
];
