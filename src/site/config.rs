//! `docs.json` as data: what the pipeline needs of it, defaults filled in. Made by `site::load_site` from docs.json,
//! mint.json or nothing.

use serde::{Deserialize, Serialize};

use base::Description;

use super::contextual::Contextual;
use super::theme_family::ThemeFamily;

pub use super::values::{Icon, Pair};

/// Where the configuration came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ConfigKind {
    /// `docs.json`.
    Docs,
    /// `mint.json`.
    Mint,
    /// None: a plain folder of Markdown.
    #[default]
    Plain,
}

impl ConfigKind {
    /// The file that it is, if there is one.
    pub fn file_name(self) -> Option<&'static str> {
        match self {
            Self::Docs => Some("docs.json"),
            Self::Mint => Some("mint.json"),
            Self::Plain => None,
        }
    }
}

/// The site's configuration.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Layout family.
    pub theme: &'static ThemeFamily,
    /// Site name: title suffix, home link.
    pub name: String,
    /// Description fallback of pages.
    pub description: Option<Description>,
    /// Accent colors, `#rgb` or `#rrggbb`.
    pub colors: Colors,
    /// Logo of the top bar.
    pub logo: Option<Logo>,
    /// Favicon: source paths or URLs.
    pub favicon: Option<Pair>,
    /// First color scheme and whether the reader may change it.
    pub appearance: Appearance,
    /// Page background.
    pub background: Background,
    /// Pictures for social networks.
    pub thumbnails: Thumbnails,
    /// Fonts.
    pub fonts: Fonts,
    /// `fontawesome`, `lucide` or `tabler`.
    pub icon_library: IconLibrary,
    /// Eyebrows, code blocks, math.
    pub styling: Styling,
    /// Top bar links; a language may override.
    pub navbar: Navbar,
    /// Footer; a language may override.
    pub footer: Footer,
    /// Banner; a language may override.
    pub banner: Option<Banner>,
    /// Overrides by language code.
    pub languages: Vec<LanguageOverride>,
    /// Placeholder of the search field.
    pub search_prompt: Option<String>,
    /// Meta tags and indexing.
    pub seo: Seo,
    /// `(source, destination, permanent)`, in order; sources unique.
    pub redirects: Vec<Redirect>,
    /// `{{name}}` values, sanitised.
    pub variables: Vec<(String, String)>,
    /// 404 page.
    pub not_found: NotFound,
    /// The Markdown of pages.
    pub markdown: MarkdownSettings,
    /// A click on a group opens its first page; `None` = the theme decides.
    pub drilldown: Option<bool>,
    /// Show "Last modified".
    pub timestamp: bool,
    /// What readers can do with a page; a page may override it.
    pub contextual: Contextual,
    /// Links to the source of pages.
    pub feedback: Feedback,
    /// `integrations`, as written: (service, settings).
    pub integrations: Vec<(String, serde_json::Value)>,
    /// `api.*`, as written, for manual and generated API pages.
    pub api: serde_json::Value,
    /// `variations.options` (willow): (id, label); the first is the default.
    pub variations: Vec<(String, String)>,
}

/// `feedback`: links below a page. Where its repository is not named, that of the folder counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Feedback {
    /// `suggestEdit`: a link to change the page.
    pub edit: bool,
    /// `raiseIssue`: a link to report a problem.
    pub issue: bool,
    /// `repository`: the repository's page.
    pub repository: Option<String>,
    /// `branch` on which pages are changed.
    pub branch: Option<String>,
    /// `directory` of the site in the repository.
    pub directory: Option<String>,
}

/// Accent colors.
#[derive(Clone, Debug, Default)]
pub struct Colors {
    /// Emphasis in light mode.
    pub primary: String,
    /// Emphasis in dark mode (default: primary).
    pub light: String,
    /// Buttons and hover (default: primary).
    pub dark: String,
}

/// The logo.
#[derive(Clone, Debug, Default)]
pub struct Logo {
    /// The scheme on whose background it cannot be seen: there it stands on a ground of the other.
    pub unseen_in: Option<ColorScheme>,
    /// Image paths or URLs.
    pub image: Pair,
    /// Where it leads; `None` = home.
    pub href: Option<String>,
    /// The name of the site stands beside it.
    pub with_name: bool,
}

/// First color scheme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "docs.json's names")]
pub enum ColorScheme {
    #[default]
    System,
    Light,
    Dark,
}

/// `appearance`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Appearance {
    /// Scheme of the first visit.
    pub default: ColorScheme,
    /// No toggle.
    pub strict: bool,
}

/// `background`.
#[derive(Clone, Debug, Default)]
pub struct Background {
    /// Image paths or URLs.
    pub image: Option<Pair>,
    /// `gradient`, `grid` or `windows`.
    pub decoration: Option<String>,
    /// Page colors (either may be empty).
    pub color: Option<Pair>,
}

/// `thumbnails`: the pictures that social networks show of pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thumbnails {
    /// Light or dark; `None` = as the site begins.
    pub appearance: Option<ColorScheme>,
    /// Image path or URL.
    pub background: Option<String>,
}

/// `fonts`.
#[derive(Clone, Debug, Default)]
pub struct Fonts {
    /// Headings.
    pub heading: Option<Font>,
    /// Body text.
    pub body: Option<Font>,
}

/// A font.
#[derive(Clone, Debug, Default)]
pub struct Font {
    /// Family name.
    pub family: String,
    /// Weight.
    pub weight: Option<u16>,
    /// File in the source tree or URL.
    pub source: Option<String>,
    /// `woff` or `woff2`.
    pub format: Option<String>,
}

/// `icons.library`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "names of the libraries")]
pub enum IconLibrary {
    #[default]
    FontAwesome,
    Lucide,
    Tabler,
}

/// `styling`.
#[derive(Clone, Debug, Default)]
pub struct Styling {
    /// Breadcrumbs instead of the section's name above the title.
    pub breadcrumbs: bool,
    /// Code blocks.
    pub code: CodeStyle,
    /// Custom TextMate grammars: source paths.
    pub custom_languages: Vec<String>,
}

/// `styling.codeblocks`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CodeStyle {
    /// Follows the color scheme.
    #[default]
    System,
    /// Dark in both.
    Dark,
    /// Named themes.
    Themes(Pair),
}

/// `navbar`.
#[derive(Clone, Debug, Default)]
pub struct Navbar {
    /// Links, in order.
    pub links: Vec<NavbarLink>,
    /// The button at the end.
    pub primary: Option<NavbarLink>,
}

/// A link of the top bar.
#[derive(Clone, Debug, Default)]
pub struct NavbarLink {
    /// Text (for `github` and `discord` the default is the name).
    pub label: String,
    /// Target, unresolved.
    pub href: String,
    /// Icon.
    pub icon: Option<Icon>,
    /// `github`, `discord`, `button` or nothing.
    pub kind: Option<String>,
}

/// `footer`.
#[derive(Clone, Debug, Default)]
pub struct Footer {
    /// (platform, URL), in order.
    pub socials: Vec<(String, String)>,
    /// Columns.
    pub columns: Vec<FooterColumn>,
    /// A few words below them: license, copyright.
    pub note: Option<String>,
}

/// A column of footer links.
#[derive(Clone, Debug, Default)]
pub struct FooterColumn {
    /// Heading.
    pub header: Option<String>,
    /// (label, href), in order.
    pub items: Vec<(String, String)>,
}

/// `banner`.
#[derive(Clone, Debug, Default)]
pub struct Banner {
    /// Basic Markdown.
    pub content: String,
    /// Can be closed.
    pub dismissible: bool,
    /// `info`, `warning` or `critical`.
    pub kind: String,
    /// Colors, if set.
    pub color: Option<Pair>,
}

/// What a language of `navigation.languages` overrides.
#[derive(Clone, Debug, Default)]
pub struct LanguageOverride {
    /// Language code as written.
    pub language: String,
    /// Banner.
    pub banner: Option<Banner>,
    /// Footer.
    pub footer: Option<Footer>,
    /// Top bar.
    pub navbar: Option<Navbar>,
}

/// `seo`.
#[derive(Clone, Debug, Default)]
pub struct Seo {
    /// Meta tags of every page: (name, content).
    pub metatags: Vec<(String, String)>,
    /// Meta tags by path prefix; the longest match wins.
    pub paths: Vec<(String, Vec<(String, String)>)>,
    /// `indexing: all`.
    pub index_all: bool,
    /// Canonical addresses end in `/`.
    pub trailing_slash: bool,
    /// `organization`, as written.
    pub organization: Option<serde_json::Value>,
}

/// A redirect.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Redirect {
    /// Path pattern.
    pub source: String,
    /// Path or URL.
    pub destination: String,
    /// 308 or 307.
    pub permanent: bool,
}

/// `markdown`: what models get to read.
#[derive(Clone, Debug)]
pub struct MarkdownSettings {
    /// The Markdown of an API page holds the description of its operation.
    pub schema: bool,
    /// Paragraphs for agents, below every page and in `llms.txt`.
    pub instructions: Vec<String>,
}

impl Default for MarkdownSettings {
    fn default() -> Self {
        Self { schema: true, instructions: Vec::new() }
    }
}

/// `errors.404`.
#[derive(Clone, Debug)]
pub struct NotFound {
    /// Go to the home page.
    pub redirect: bool,
    /// Title.
    pub title: Option<String>,
    /// MDX.
    pub description: Option<String>,
}

impl Default for NotFound {
    fn default() -> Self {
        Self { redirect: true, title: None, description: None }
    }
}
