//! What is known of a page before it is rendered.

use crate::base::FileId;

use super::config::Icon;

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
    pub meta: FrontMatter,
    /// `METHOD /path` of a generated or hand-written API page.
    pub endpoint: Option<Endpoint>,
    /// Listed in the navigation.
    pub in_navigation: bool,
    /// Not shown in navigation (own or inherited `hidden`).
    pub hidden: bool,
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
}

/// `mode` of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
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
    /// `title`: as written, or derived (first heading in plain folders, last path segment otherwise).
    pub title: String,
    /// Whether the author wrote the title (front matter or first heading).
    pub title_given: bool,
    /// `description`.
    pub description: Option<String>,
    /// `sidebarTitle`.
    pub sidebar_title: Option<String>,
    /// `icon` / `iconType`.
    pub icon: Option<Icon>,
    /// `tag`: pill in the navigation.
    pub tag: Option<String>,
    /// `mode`.
    pub mode: Mode,
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
    /// `groups`: access groups; such a page is not exported.
    pub groups: Vec<String>,
    /// `hideFooterPagination`.
    pub hide_pagination: bool,
    /// `hideApiMarker`.
    pub hide_api_marker: bool,
    /// `related`: (title if given, target); `None` if unset.
    pub related: Option<Vec<(Option<String>, String)>>,
    /// `timestamp`, if set.
    pub timestamp: Option<bool>,
    /// `lastUpdatedDate`, as written.
    pub last_updated: Option<String>,
    /// `rss`.
    pub rss: bool,
    /// `canonical`, `og:*`, `twitter:*` and other meta keys: (name, content).
    pub metatags: Vec<(String, String)>,
    /// `openapi-schema`, `asyncapi`, `graphql`, `sdk`: (key, value) of generated references other than operations.
    pub reference: Option<(String, String)>,
    /// `playground`.
    pub playground: Option<String>,
    /// `authMethod`.
    pub auth_method: Option<String>,
}
