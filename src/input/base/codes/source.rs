//! Codes about what a site is made of: configuration, navigation, front matter, API descriptions.

use super::Level::{Either, Error, Silent, Warning};
use super::{Code, code_row};

pub(super) const CONFIGURATION: &[Code] = &[
    code_row(
        "config-elsewhere",
        Warning,
        Silent,
        "A `docs.json` or `mint.json` lies in a subfolder, where it has no effect.",
        "Export that folder.",
    ),
    code_row(
        "config-file",
        Error,
        Error,
        "The configuration cannot be read or is not JSON. The export stops.",
        "Correct the file at the line that is named.",
    ),
    code_row(
        "config-missing-key",
        Either,
        Either,
        "A required key is missing; a default is used. Without `navigation`, an error, the folders become the navigation.",
        "Add the key.",
    ),
    code_row(
        "config-program",
        Warning,
        Silent,
        "Hooks, plugins and templates of another tool are programs that are not run. What they would add to the site is not there.",
        "Write what they add into the pages.",
    ),
    code_row(
        "config-ref",
        Error,
        Error,
        "A `$ref` names a file that is missing, outside the folder, not JSON, or part of a cycle.",
        "Correct the path, which is relative to the file that holds the `$ref`.",
    ),
    code_row(
        "config-relaxed-json",
        Warning,
        Silent,
        "The configuration has comments or trailing commas, which JSON does not allow.",
        "Remove them; other tools refuse the file.",
    ),
    code_row(
        "config-repeated-key",
        Warning,
        Silent,
        "An object has the same key twice; the last one is used.",
        "Remove one of them.",
    ),
    code_row(
        "config-script",
        Warning,
        Warning,
        "The configuration of another tool is a program that cannot be evaluated here; its pages are exported in the order of their folders.",
        "Write what depends on the environment as plain values.",
    ),
    code_row(
        "config-unknown-key",
        Either,
        Either,
        "The format has no such key; it is ignored. An error where the format allows no other keys, as in `colors` and `fonts`.",
        "Correct the spelling, or remove the key.",
    ),
    code_row(
        "config-value",
        Either,
        Either,
        "A value has the wrong type or is not one of the allowed words: an invalid theme or color, for example. The default is used. A warning where the value has no effect on a bundle.",
        "Use a value that the message names.",
    ),
    code_row(
        "preprocessor-unknown",
        Warning,
        Silent,
        "A book of mdBook has a preprocessor that is not known here. The pages have the text as it is written, without what the preprocessor makes of it.",
        "Write into the pages what it makes of them.",
    ),
    code_row(
        "style-left-out",
        Warning,
        Silent,
        "The configuration of another tool names style sheets or scripts for its design. They are left out: an export has the built-in design.",
        "Remove them, or set colors and fonts in a `docs.json`.",
    ),
    code_row(
        "undefined-variable",
        Error,
        Error,
        "A variable in double braces is not one of `docs.json`. Nothing is shown in its place; in code it stays.",
        "Add it to `variables`, or correct the name.",
    ),
    code_row(
        "unknown-variation",
        Warning,
        Silent,
        "A `<View>` names a variation that the site does not define.",
        "Use an id of `variations` in `docs.json`.",
    ),
];

pub(super) const NAVIGATION: &[Code] = &[
    code_row(
        "nav-case",
        Warning,
        Warning,
        "An entry differs from the name of its page by case alone. The page is used.",
        "Write the name as the file has it.",
    ),
    code_row(
        "nav-link",
        Warning,
        Warning,
        "An entry of `pages` is an address. It becomes a link with the address as its title.",
        "Add a page with `url:` in its front matter, which gives the link a title.",
    ),
    code_row(
        "nav-missing-page",
        Error,
        Error,
        "An entry has no file, or its file cannot be read. The entry is left out.",
        "Correct the name, add the file, or remove the entry.",
    ),
    code_row(
        "nav-two-lists",
        Warning,
        Warning,
        "Two lists that exclude each other stand in one object, such as `tabs` beside `groups`. Only one is used.",
        "Keep one, or put one inside an entry of the other.",
    ),
];

pub(super) const FRONT_MATTER: &[Code] = &[
    code_row(
        "front-matter",
        Error,
        Error,
        "The front matter is never closed. It is shown as text.",
        "End it with a line `---`.",
    ),
    code_row(
        "front-matter-key",
        Warning,
        Silent,
        "A key is misspelled or in another case, and is read as the key that is meant.",
        "Write the key as the message names it.",
    ),
    code_row(
        "front-matter-toml",
        Error,
        Error,
        "The front matter is not valid TOML. It is ignored.",
        "Correct the line that is named.",
    ),
    code_row(
        "front-matter-value",
        Warning,
        Silent,
        "A value has the wrong type; it is ignored.",
        "Use a value of the type that the message names.",
    ),
    code_row(
        "front-matter-yaml",
        Warning,
        Warning,
        "The front matter is not valid YAML. It is read line by line instead, which usually gives the keys that were meant.",
        "Correct the line that is named; put values with `: `, `#`, quotes or brackets in quotes.",
    ),
    code_row(
        "history-late",
        Warning,
        Silent,
        "Git took more than a minute to list the commits that changed pages. No page shows the date of its last commit.",
        "Set `lastUpdatedDate` on pages, or `metadata.timestamp` to `false`.",
    ),
];

pub(super) const API: &[Code] = &[
    code_row(
        "openapi-file",
        Error,
        Error,
        "An API description is not valid JSON or YAML, or not an OpenAPI or AsyncAPI document. It is ignored.",
        "Correct it at the line that is named.",
    ),
    code_row(
        "openapi-missing-file",
        Either,
        Error,
        "An API description does not exist. An error in the navigation; a warning on a page, which keeps its own content.",
        "Correct the path.",
    ),
    code_row(
        "openapi-missing-operation",
        Either,
        Either,
        "No API description has this operation. An error in the navigation; a warning on a page, which keeps its own content.",
        "Correct the method or the path, or update the description.",
    ),
    code_row(
        "openapi-missing-part",
        Warning,
        Warning,
        "No API description has the schema or the channel that `openapi-schema` or `asyncapi` of a page names. The page keeps its own content.",
        "Correct the name, or update the description.",
    ),
    code_row(
        "openapi-overlay",
        Either,
        Either,
        "An overlay of an API description does not exist, or is one of two different lists for one description (errors), or one of its actions cannot be applied (a warning). The others are applied.",
        "Correct the path, the lists or the `target` of the action.",
    ),
    code_row(
        "openapi-ref",
        Warning,
        Warning,
        "A reference (`$ref`) of an API description leads to nothing that is read: to a part or a file that is not there, to an anchor, or to another server. What it stands for is left out; a path that it stands for has no pages.",
        "Correct the reference, or put what it leads to into the documentation folder.",
    ),
    code_row(
        "openapi-remote",
        Either,
        Either,
        "An API description on another server is missing, for the reason that is given: its operations have no pages. A warning on a page, in `api`, with `--offline` and with `--vendor off`.",
        "Correct the address, export once with a network, or put the description into the documentation folder.",
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
        "A value of an API description has the wrong type: text where an object or a list has to stand, for example. It is left out.",
        "Write it as the format says.",
    ),
];
