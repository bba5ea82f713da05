//! What search engines and link previews read: title, description, canonical address, robots, Open Graph, the author's
//! own tags.

use std::borrow::Cow;

use rustc_hash::FxHashSet;

use super::fragment::{ROOT, clean_fragment};
use super::source::ChromeInput;
use super::{SocialPicture, ThemeOptions};
use base::{Description, html, url};
use site::Config;
use site::page::PageEntry;

/// A `<meta>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Meta<'a> {
    /// `name`, or `property` for Open Graph.
    attribute: &'static str,
    name: Cow<'a, str>,
    content: Cow<'a, str>,
}

/// All tags of a page, each name once; the page's own win over those of its folder, which win over the site's.
pub(super) fn metas<'a>(
    source: &'a ChromeInput<'_>,
    base: &str,
    page: &'a PageEntry,
    title: &'a str,
    canonical: Option<&'a str>,
    social: Option<SocialPicture<'_>>,
) -> Vec<Meta<'a>> {
    let config = source.config();
    let meta = &page.meta;
    let mut out = HeadTags::default();
    for (name, content) in &meta.metatags {
        out.add(source, base, name, content.as_str());
    }
    if let Some(robots) = &meta.robots {
        out.add(source, base, "robots", robots.as_str());
    } else if page.visibility.noindex {
        out.add(source, base, "robots", "noindex");
    }
    for (name, content) in config.seo.folder_tags(&page.slug) {
        out.add(source, base, name, content.as_str());
    }
    for (name, content) in &config.seo.metatags {
        out.add(source, base, name, content.as_str());
    }
    let description = meta
        .description
        .as_ref()
        .filter(|description| !description.source().is_empty())
        .or(config.description.as_ref())
        .map_or("", Description::lead);
    out.add(source, base, "description", description);
    if !meta.keywords.is_empty() {
        out.add(source, base, "keywords", meta.keywords.join(", "));
    }
    out.add(source, base, "og:type", "website");
    out.add(source, base, "og:site_name", config.name.as_str());
    out.add(source, base, "og:title", title);
    out.add(source, base, "og:description", description);
    out.add(source, base, "og:url", canonical.unwrap_or_default());
    // a picture of the author wins, and so does none where no whole address is known
    if let Some(social) = social.filter(|_| !base.is_empty() && !out.has("og:image") && !out.has("twitter:image")) {
        let address = format!("{base}/{}", url::encode_path(social.path));
        let (width, height) = social.size;
        out.push("og:image", address.clone().into());
        out.push("og:image:width", width.to_string().into());
        out.push("og:image:height", height.to_string().into());
        out.push("og:image:type", "image/png".into());
        out.push("og:image:alt", title.into());
        out.push("twitter:image", address.into());
    }
    let card = if out.has("og:image") || out.has("twitter:image") { "summary_large_image" } else { "summary" };
    out.add(source, base, "twitter:card", card);
    // readers of `twitter:title`, `twitter:description` and `twitter:image` fall back to Open Graph
    out.add(source, base, "application-name", config.name.as_str());
    out.add(source, base, "apple-mobile-web-app-title", config.name.as_str());
    out.add(source, base, "msapplication-TileColor", config.colors.primary.as_str());
    out.all
}

/// The tags as HTML, a line each. `root`: the path to the bundle's root.
pub(super) fn head_meta_html(metas: &[Meta<'_>], root: &str) -> String {
    let mut out = String::with_capacity(metas.iter().map(|meta| meta.name.len() + meta.content.len() + 40).sum());
    for Meta { attribute, name, content } in metas {
        out.push_str("<meta ");
        out.push_str(attribute);
        out.push_str("=\"");
        html::push_attr(&mut out, name);
        out.push_str("\" content=\"");
        let content = if content.contains(ROOT) {
            Cow::Owned(content.replace(ROOT, root))
        } else {
            Cow::Borrowed(content.as_ref())
        };
        html::push_attr(&mut out, &content);
        out.push_str("\">\n");
    }
    out
}

/// The pictures of link previews that stand elsewhere; none where a copy would have no known address.
pub fn outside_previews<'a>(
    config: &'a Config,
    options: &ThemeOptions,
    pages: impl Iterator<Item = &'a PageEntry>,
) -> Vec<&'a str> {
    if config.base_url(options.domain.as_deref()).is_empty() {
        return Vec::new();
    }
    let of_folders = config.seo.paths.iter().flat_map(|(_, tags)| tags);
    let tags = config.seo.metatags.iter().chain(of_folders).chain(pages.flat_map(|page| &page.meta.metatags));
    let mut found: Vec<&str> = tags
        .filter(|(name, content)| is_picture(name) && content.contains("://"))
        .map(|(_, content)| content.as_str())
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether the author chose a picture that networks show of a page.
pub fn has_preview(config: &Config, page: &PageEntry) -> bool {
    let tags = page.meta.metatags.iter().chain(config.seo.folder_tags(&page.slug)).chain(&config.seo.metatags);
    tags.into_iter().any(|(name, content)| matches!(name.as_str(), "og:image" | "twitter:image") && !content.is_empty())
}

fn is_picture(name: &str) -> bool {
    matches!(name, "og:image" | "twitter:image" | "og:image:url")
}

#[derive(Default)]
struct HeadTags<'a> {
    all: Vec<Meta<'a>>,
    names: FxHashSet<&'a str>,
}

impl<'a> HeadTags<'a> {
    fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    fn add(&mut self, source: &ChromeInput<'_>, base: &str, name: &'a str, content: impl Into<Cow<'a, str>>) {
        let content = content.into();
        // `canonical` is a link; the charset and the viewport are ours
        if content.is_empty() || matches!(name, "canonical" | "charset" | "viewport" | "") || self.has(name) {
            return;
        }
        let content = match content {
            content if is_picture(name) => Cow::Owned(preview_picture_url(source, base, &content)),
            Cow::Borrowed(content) => clean_fragment(content),
            Cow::Owned(content) => Cow::Owned(clean_fragment(&content).into_owned()),
        };
        self.push(name, content);
    }

    /// Adds a tag whose content stands as it is.
    fn push(&mut self, name: &'a str, content: Cow<'a, str>) {
        let is_property = ["og:", "article:", "fb:", "book:", "profile:"].iter().any(|prefix| name.starts_with(prefix));
        self.names.insert(name);
        self.all.push(Meta {
            attribute: if is_property { "property" } else { "name" },
            name: clean_fragment(name),
            content,
        });
    }
}

/// Link previews need absolute addresses; without a known one the file's place in the bundle has to do.
fn preview_picture_url(source: &ChromeInput<'_>, base: &str, content: &str) -> String {
    // a whole address can stand for a copy only if the copy's is known as well
    if content.contains("://") {
        return match (!base.is_empty()).then(|| source.links.asset(content)) {
            Some(super::ConfigTarget::Inside(url)) => format!("{base}/{}", clean_fragment(&url)),
            _ => clean_fragment(content).into_owned(),
        };
    }
    match source.links.asset(content) {
        super::ConfigTarget::Inside(url) if base.is_empty() => format!("{ROOT}{}", clean_fragment(&url)),
        super::ConfigTarget::Inside(url) => format!("{base}/{}", clean_fragment(&url)),
        _ if base.is_empty() => clean_fragment(content).into_owned(),
        _ => format!("{base}/{}", clean_fragment(content.trim_start_matches('/'))),
    }
}

impl Meta<'_> {
    /// Tells search engines to leave a page alone.
    pub(super) fn noindex() -> Self {
        Self { attribute: "name", name: "robots".into(), content: "noindex".into() }
    }
}
