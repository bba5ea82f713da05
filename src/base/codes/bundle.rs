//! Codes about the files of a bundle, and about what one command alone reports.

use super::Level::{Either, Error, Silent, Warning};
use super::{Code, code};

pub(super) const FILES: &[Code] = &[
    code(
        "file-name",
        Warning,
        Silent,
        "A file has a name that not every system can hold. It is renamed, or left out if its name is not UTF-8.",
        "Rename it.",
    ),
    code(
        "ignore-pattern",
        Warning,
        Silent,
        "A line of `.mintignore` is not a valid pattern. It is ignored.",
        "Correct the pattern.",
    ),
    code(
        "large-asset",
        Warning,
        Silent,
        "A file is larger than 20 MB.",
        "Link to it on another host, or make it smaller.",
    ),
    code(
        "missing-asset",
        Warning,
        Error,
        "A logo, favicon, font or picture that the configuration names does not exist.",
        "Correct the path, or add the file.",
    ),
    code(
        "missing-file",
        Warning,
        Error,
        "A picture or another file that a page names does not exist. A picture is replaced by its alternative text.",
        "Correct the path, or add the file.",
    ),
    code(
        "not-a-file",
        Warning,
        Silent,
        "A symbolic link, a device or the like is left out.",
        "Replace it by the file.",
    ),
    code(
        "not-utf8",
        Warning,
        Silent,
        "A file is not UTF-8. Bytes that are not are shown as U+FFFD.",
        "Save it as UTF-8.",
    ),
    code(
        "page-draft",
        Warning,
        Silent,
        "Pages are left out because they are drafts.",
        "Remove `draft: true` or `published: false` to publish them.",
    ),
    code(
        "page-name",
        Warning,
        Silent,
        "Two pages would have the same address, or not every system can hold the name of a page. The page is renamed.",
        "Rename the file.",
    ),
    code("page-repeated", Warning, Silent, "Two files are the same page. One is left out.", "Remove one of them."),
    code(
        "path-collision",
        Error,
        Error,
        "Two files have names that some systems cannot tell apart. One is left out.",
        "Rename one; names must differ by more than case.",
    ),
    code(
        "reserved-path",
        Warning,
        Silent,
        "A file lies in the folder that bundles use for their own files. It is left out.",
        "Rename the folder.",
    ),
    code(
        "svg-active",
        Warning,
        Silent,
        "An SVG file has scripts or embedded pages. It is copied without them.",
        "Save the file without them.",
    ),
    code("unreadable-file", Error, Error, "A file cannot be read. It is left out.", "Check its permissions."),
];

pub(super) const REMOTE: &[Code] = &[
    code("cache-lost", Error, Error, "A file of the cache was removed while the export ran.", "Export again."),
    code(
        "cache-unwritable",
        Warning,
        Silent,
        "The cache cannot be written. The bundle is complete; the next export fetches again.",
        "Name a writable folder with `--cache-dir`.",
    ),
    code(
        "font-not-bundled",
        Either,
        Silent,
        "A font of the configuration has no file, and none can be fetched. Pages use a built-in font. An error with `--locked`.",
        "Name a family of Google Fonts, or put the file into the site and name it as `source`.",
    ),
    code(
        "lock-unreadable",
        Error,
        Error,
        "The lock file cannot be read. Without `--locked`, assets are fetched as if it did not exist.",
        "Restore it, or remove it and export again.",
    ),
    code(
        "lock-unwritable",
        Warning,
        Silent,
        "The lock file cannot be written. The bundle is complete.",
        "Make the folder writable, or name another file with `--lock`.",
    ),
    code(
        "no-network",
        Warning,
        Silent,
        "No server can be reached. Remote assets are replaced by placeholders.",
        "Export with a network, or with `--offline` and a filled cache.",
    ),
    code(
        "outside-asset",
        Warning,
        Silent,
        "A logo, favicon, font or picture of the configuration is on another server and is left out.",
        "Put the file into the site.",
    ),
    code(
        "outside-load",
        Either,
        Either,
        "A page loads something from another host, which fails without a network. Pictures and videos are a warning if `--vendor off` allows them; everything else is an error.",
        "Put the file into the site, or let the export vendor it.",
    ),
    code(
        "remote-asset",
        Either,
        Silent,
        "A remote asset cannot be fetched, for the reason that is given. A placeholder stands in its place. An error with `--locked`.",
        "Correct the address, or put the file into the site.",
    ),
    code(
        "remote-changed",
        Either,
        Silent,
        "A remote asset is not the one that the lock file names. An error with `--locked`.",
        "Check the new file, then export once with `--vendor on`.",
    ),
    code(
        "remote-not-locked",
        Either,
        Silent,
        "A remote asset is not in the lock file. An error with `--locked`.",
        "Export once with `--vendor on`, and commit the lock file.",
    ),
    code(
        "remote-offline",
        Either,
        Silent,
        "A remote asset is not in the cache, and `--offline` allows no request. An error with `--locked`.",
        "Export once with a network and the same `--cache-dir`.",
    ),
];

pub(super) const SIDE: &[Code] = &[
    code(
        "analytics-empty",
        Warning,
        Silent,
        "Analytics is on, but `integrations` names no service that bundles support.",
        "Add one, or switch analytics off.",
    ),
    code(
        "integration-left-out",
        Warning,
        Silent,
        "An integration is left out: bundles do not support it, or a value is missing.",
        "Use a supported service and give all its values.",
    ),
    code(
        "social-images",
        Warning,
        Silent,
        "The pictures for social networks, or one of them, cannot be drawn.",
        "Follow the hint of the message.",
    ),
];

pub(super) const CHECK: &[Code] = &[
    code(
        "absolute-address",
        Silent,
        Error,
        "An address begins at the root of the host. It fails below a folder and on a disk.",
        "Make it relative to its page.",
    ),
    code(
        "case-mismatch",
        Silent,
        Error,
        "A name differs from its file by case alone. It works on macOS and Windows and fails on other systems.",
        "Write the name as the file has it.",
    ),
    code(
        "dead-link",
        Silent,
        Error,
        "With `--external`: the other host says that the page does not exist.",
        "Correct or remove the link.",
    ),
    code(
        "duplicate-id",
        Silent,
        Warning,
        "Two elements of a page have the same id. Links lead to the first.",
        "Rename one of them.",
    ),
    code(
        "folder-link",
        Silent,
        Error,
        "An address leads to a folder. On a disk it shows a list of files.",
        "Name the `index.html` of the folder.",
    ),
    code(
        "missing-alt",
        Silent,
        Warning,
        "A picture has no alternative text.",
        "Describe the picture; write `alt=\"\"` for decoration.",
    ),
    code(
        "missing-policy",
        Silent,
        Error,
        "A page of a bundle for air-gapped deployment does not start with a content security policy that blocks requests to other servers, or its policy allows a server that the manifest does not list for the [playground](/hosting/deployments#the-playground).",
        "Export the site again, and change no page of a bundle.",
    ),
    code("no-start-page", Silent, Warning, "The bundle has no `index.html`.", "Add an index page."),
    code(
        "orphan-page",
        Silent,
        Warning,
        "No link and no navigation entry leads to the page.",
        "Add it to the navigation, or set `hidden: true`.",
    ),
    code(
        "private-link",
        Silent,
        Warning,
        "With `--external`: a link leads to a private network and was not requested.",
        "Allow it with `--allow-private`.",
    ),
    code(
        "unclear-link",
        Silent,
        Warning,
        "With `--external`: the other host did not answer, or refuses programs (403, 429).",
        "Open the link in a browser.",
    ),
];

pub(super) const DEV: &[Code] = &[
    code(
        "no-config",
        Silent,
        Silent,
        "`docs.json` was removed. The folder is shown as plain Markdown.",
        "Restore the file.",
    ),
    code(
        "no-site",
        Silent,
        Silent,
        "The site cannot be loaded, for the reason that is given.",
        "Correct it; the last version is shown until then.",
    ),
];
