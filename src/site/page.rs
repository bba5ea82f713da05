//! What is known of a page before it is rendered.

use base::{Description, FileId};

use super::contextual::Contextual;
use super::hero::Hero;
use super::values::Icon;

/// How a file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// MDX: tags are JSX, indentation never makes code.
    Mdx,
    /// CommonMark with GitHub's extensions and raw HTML (`.md` in a folder without a configuration).
    Markdown,
}

/// A page of the site.
#[derive(Clone, Debug)]
pub struct PageEntry {
    /// Path without extension, e.g. `guides/start`; unique without regard to case. The page becomes `<slug>.html`.
    pub slug: String,
    /// The file; `None` for pages that navigation demands and that are made up (`METHOD /path` entries).
    pub file: Option<FileId>,
    /// How to read it.
    pub dialect: Dialect,
    /// Byte offset and line (from 1) at which the body starts, after the front matter.
    pub body_offset: usize,
    /// Line of the first line of the body, from 1.
    pub body_line: u32,
    /// Front matter.
    pub meta: Box<FrontMatter>,
    /// The title is that of the body's first heading of level 1: where the title is shown, that heading is left out.
    pub title_in_body: bool,
    /// `METHOD /path` of a generated or hand-written API page.
    pub endpoint: Option<Endpoint>,
    /// What the operation's description puts before the content.
    pub preface: Option<Box<Preface>>,
    /// Listed in the navigation.
    pub in_navigation: bool,
    /// Not shown in navigation (own or inherited `hidden`).
    pub hidden: bool,
    /// Where the page shows: search, site map and the rest.
    pub visibility: Visibility,
}

impl PageEntry {
    /// A page that no file has. It is neither listed nor hidden.
    pub fn generated(slug: String, meta: FrontMatter) -> Self {
        Self {
            slug,
            file: None,
            dialect: Dialect::Mdx,
            body_offset: 0,
            body_line: 1,
            meta: Box::new(meta),
            title_in_body: false,
            endpoint: None,
            preface: None,
            in_navigation: false,
            hidden: false,
            visibility: Visibility::default(),
        }
    }

    /// What stands above the content.
    pub fn shown_title(&self) -> &str {
        self.meta.heading.as_deref().unwrap_or(&self.meta.title)
    }
}

/// `x-mint.content` of an operation: MDX of an API description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preface {
    /// The text.
    pub text: String,
    /// The description.
    pub file: FileId,
    /// The line of the text's first line, from 1; 0 if it is not found.
    pub line: u32,
    /// The lines of the text are lines of the file, as in a block of YAML. Else all of it stands in one.
    pub in_lines: bool,
}

/// An operation of an API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// Upper-case method, or `WEBHOOK`.
    pub method: String,
    /// Path or URL as written.
    pub path: String,
    /// The description's file or URL, if named.
    pub spec: Option<String>,
    /// The line of the front matter's `openapi` that names it, which a description has to have; 0 where nothing does.
    pub line: u32,
    /// The page that names it: of several descriptions that have it, the nearest is meant.
    pub near: String,
}

impl Endpoint {
    /// Reads `[description] METHOD /path` or `[description] webhook name`; methods in any case, but in capitals where
    /// they are not those of HTTP. `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        const METHODS: [&str; 10] =
            ["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE", "QUERY", "WEBHOOK"];
        let words: Vec<&str> = text.split_whitespace().take(4).collect();
        let (spec, method, path) = match words.as_slice() {
            [method, path] => (None, *method, *path),
            [spec, method, path] => (Some((*spec).to_owned()), *method, *path),
            _ => return None,
        };
        let known = METHODS.iter().find(|known| known.eq_ignore_ascii_case(method)).copied();
        // one of OpenAPI 3.2, which takes any: `COPY /jug`
        let is_method =
            |word: &str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'-');
        let method = known.or(Some(method).filter(|word| is_method(word) && path.starts_with('/')))?;
        Some(Self { method: method.to_owned(), path: path.to_owned(), spec, line: 0, near: String::new() })
    }
}

/// The slug that an entry of the navigation or an address names: `/guides//./start.mdx` is `guides/start`. `..` does
/// not leave the root.
pub fn slug_of(entry: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in entry.trim().split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let slug = parts.join("/");
    slug.strip_suffix(".mdx").or_else(|| slug.strip_suffix(".md")).map(str::to_owned).unwrap_or(slug)
}

/// A title made of a slug: its last segment with spaces for `-` and `_`, the first letter in upper case.
pub fn title_of_slug(slug: &str) -> String {
    let mut segments = slug.rsplit('/');
    let name = segments.next().unwrap_or_default();
    let words = name.replace(['-', '_'], " ");
    let mut chars = words.trim().chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// The last segment of a path without the number that orders it: `02-setup` is `setup`.
pub fn without_number(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    let rest = name.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = rest.strip_prefix(['-', '_', '.', ' ']).filter(|_| rest.len() < name.len()).unwrap_or(name).trim_start();
    if rest.is_empty() { name } else { rest }
}

/// A path without the numbers before the names in it.
pub fn unnumbered(path: &str) -> String {
    path.split('/').map(without_number).collect::<Vec<_>>().join("/")
}

/// A page that only links elsewhere.
#[derive(Debug)]
pub struct UrlPage {
    /// Where to.
    pub target: String,
    /// Its front matter, for the navigation's entry.
    pub meta: FrontMatter,
}

/// The channels of a page. Its file is in the bundle whatever they say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visibility {
    /// Has an entry in the navigation that readers see.
    pub nav: bool,
    /// Is found by the site's own search.
    pub search: bool,
    /// Stands in `sitemap.xml`.
    pub sitemap: bool,
    /// Carries a robots tag that keeps search engines away. A page that is merely not listed has none.
    pub noindex: bool,
    /// Stands in `llms.txt` and `llms-full.txt`.
    pub llms: bool,
}

impl Default for Visibility {
    /// A page like any other: everywhere.
    fn default() -> Self {
        Self { nav: true, search: true, sitemap: true, noindex: false, llms: true }
    }
}

/// `mode` of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PageMode {
    /// Sidebar, content, contents column.
    #[default]
    Default,
    /// No contents column.
    Wide,
    /// Only the top bar.
    Custom,
    /// `custom` with the sidebar.
    Frame,
    /// No sidebar, no contents column.
    Center,
    /// Chat page: shown as a notice.
    Assistant,
}

/// The front matter of a page. See the format's front matter specification.
#[derive(Clone, Debug, Default)]
pub struct FrontMatter {
    /// `title`, which is no Markdown, or the words of what it is derived from (first heading in plain folders, last
    /// path segment otherwise).
    pub title: String,
    /// Whether the author wrote the title (front matter or first heading).
    pub title_given: bool,
    /// What a page of a plain folder shows in the place of its title: its heading.
    pub heading: Option<String>,
    /// The title is that of a mere part of the page: no heading of the first level says it.
    pub title_of_part: bool,
    /// `description`.
    pub description: Option<Description>,
    /// `sidebarTitle`.
    pub sidebar_title: Option<String>,
    /// `sidebar_label`: the short title of pages of Docusaurus.
    pub label: Option<String>,
    /// `sidebar_position`: where pages of Docusaurus stand among their siblings.
    pub position: Option<f64>,
    /// `icon` / `iconType`.
    pub icon: Option<Icon>,
    /// The line of `icon`; 0 if there is none.
    pub icon_line: u32,
    /// `tag`: pill in the navigation.
    pub tag: Option<String>,
    /// `mode`.
    pub mode: PageMode,
    /// `url`: the entry links there, the page is not rendered.
    pub url: Option<String>,
    /// `deprecated`.
    pub deprecated: bool,
    /// `hidden`, if set.
    pub hidden: Option<bool>,
    /// `noindex`.
    pub noindex: bool,
    /// `robots`.
    pub robots: Option<String>,
    /// `searchable`, if set.
    pub searchable: Option<bool>,
    /// `boost`.
    pub boost: Option<f64>,
    /// `keywords`.
    pub keywords: Vec<String>,
    /// `groups`: access groups (`!name` for excluded ones); such a page is only exported if a group is requested.
    pub groups: Vec<String>,
    /// `hideFooterPagination`.
    pub hide_pagination: bool,
    /// `hideApiMarker`.
    pub hide_api_marker: bool,
    /// `playground`: `interactive`, `simple`, `none` or `auth`.
    pub playground: Option<String>,
    /// `authMethod`: `bearer`, `basic`, `key`, `cobo` or `none`.
    pub auth_method: Option<String>,
    /// `related`: (title if given, target); `None` if unset.
    pub related: Option<Vec<(Option<String>, String)>>,
    /// `timestamp`, if set.
    pub timestamp: Option<bool>,
    /// `lastUpdatedDate`, as written.
    pub last_updated: Option<String>,
    /// `contextual`, if the page has its own menu.
    pub contextual: Option<Box<Contextual>>,
    /// `rss`.
    pub rss: bool,
    /// `canonical`, `og:*`, `twitter:*` and other meta keys: (name, content).
    pub metatags: Vec<(String, String)>,
    /// `openapi-schema`, `asyncapi`, `graphql`, `sdk`: (key, value) of generated references other than operations.
    pub reference: Option<(String, String)>,
    /// The line of that key; 0 if there is none.
    pub reference_line: u32,
    /// What the tool of a project keeps of the rest for its navigation.
    pub extra: Vec<(&'static str, String)>,
    /// `hero` and `features` of other generators; shown in plain folders alone.
    pub hero: Option<Box<Hero>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_name_slugs() {
        for (entry, slug) in [
            ("/a/b", "a/b"),
            ("./a/b.mdx", "a/b"),
            ("a/../b.md", "b"),
            ("../../etc/passwd", "etc/passwd"),
            (" a\\b/ ", "a/b"),
            ("/", ""),
        ] {
            assert_eq!(slug_of(entry), slug, "{entry}");
        }
    }

    #[test]
    fn slugs_make_titles() {
        for (slug, title) in
            [("a/quick-start_guide", "Quick start guide"), ("index", "Index"), ("a/été", "Été"), ("", "")]
        {
            assert_eq!(title_of_slug(slug), title, "{slug}");
        }
    }

    #[test]
    fn numbers_only_order() {
        for (path, name) in [
            ("01-intro", "intro"),
            ("a/02_set up", "set up"),
            ("3. Third", "Third"),
            ("2024", "2024"),
            ("404-page", "page"),
            ("v2", "v2"),
            ("7-", "7-"),
        ] {
            assert_eq!(without_number(path), name, "{path}");
        }
    }
}
