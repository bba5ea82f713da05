//! What search engines and link previews read: title, description, canonical address, robots, Open Graph, the author's own tags.

use serde::Serialize;

use super::Options;
use super::fragment::{ROOT, clean};
use super::source::Source;
use crate::site::PageEntry;
use crate::site::config::Config;

/// A `<meta>`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Meta {
    /// `name`, or `property` for Open Graph.
    attribute: &'static str,
    name: String,
    content: String,
}

/// The address of the site on the web, without a slash at the end; empty if it is not known.
pub(super) fn base_url(config: &Config, options: &Options) -> String {
    let canonical = config.seo.metatags.iter().find(|(name, _)| name == "canonical").map(|(_, content)| content.as_str());
    let from_domain = || options.domain.as_deref().filter(|domain| !domain.is_empty()).map(|domain| format!("https://{domain}"));
    let base = canonical.filter(|url| url.starts_with("https://") || url.starts_with("http://")).map(str::to_owned).or_else(from_domain);
    base.map(|url| clean(url.trim_end_matches('/')).into_owned()).unwrap_or_default()
}

/// The extensionless address of a page; `None` if the site's is not known.
pub(super) fn canonical(config: &Config, base: &str, page: &PageEntry, is_home: bool) -> Option<String> {
    if let Some((_, own)) = page.meta.metatags.iter().find(|(name, _)| name == "canonical") {
        return Some(clean(own).into_owned());
    }
    if base.is_empty() {
        return None;
    }
    let slash = if config.seo.trailing_slash { "/" } else { "" };
    let path = if is_home { String::new() } else { format!("/{}", crate::base::url::encode_path(&page.slug)) };
    Some(clean(&format!("{base}{path}{slash}")).into_owned())
}

/// All tags of a page, each name once; the page's own win over those of its folder, which win over the site's.
pub(super) fn metas(source: &Source<'_>, base: &str, page: &PageEntry, title: &str, canonical: Option<&str>) -> Vec<Meta> {
    let config = source.config();
    let meta = &page.meta;
    let mut out = Tags(Vec::with_capacity(12));
    for (name, content) in &meta.metatags {
        out.add(source, base, name, content);
    }
    if let Some(robots) = &meta.robots {
        out.add(source, base, "robots", robots);
    } else if meta.noindex || page.hidden {
        out.add(source, base, "robots", "noindex");
    }
    for (name, content) in folder_tags(config, &page.slug).into_iter().flatten() {
        out.add(source, base, name, content);
    }
    for (name, content) in &config.seo.metatags {
        out.add(source, base, name, content);
    }
    let description = meta.description.as_deref().filter(|text| !text.is_empty()).or(config.description.as_deref()).unwrap_or_default();
    out.add(source, base, "description", description);
    if !meta.keywords.is_empty() {
        out.add(source, base, "keywords", &meta.keywords.join(", "));
    }
    out.add(source, base, "og:type", "website");
    out.add(source, base, "og:site_name", &config.name);
    out.add(source, base, "og:title", title);
    out.add(source, base, "og:description", description);
    out.add(source, base, "og:url", canonical.unwrap_or_default());
    let card = if out.has("og:image") || out.has("twitter:image") { "summary_large_image" } else { "summary" };
    out.add(source, base, "twitter:card", card);
    out.0
}

fn folder_tags<'a>(config: &'a Config, slug: &str) -> Option<&'a Vec<(String, String)>> {
    let covers = |prefix: &str| {
        let prefix = prefix.trim_matches('/').trim_end_matches("/*").trim_end_matches('*');
        prefix.is_empty() || slug.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let own = config.seo.paths.iter().filter(|(prefix, _)| covers(prefix));
    own.max_by_key(|(prefix, _)| prefix.trim_matches('/').len()).map(|(_, tags)| tags)
}

struct Tags(Vec<Meta>);

impl Tags {
    fn has(&self, name: &str) -> bool {
        self.0.iter().any(|meta| meta.name == name)
    }

    fn add(&mut self, source: &Source<'_>, base: &str, name: &str, content: &str) {
        // `canonical` is a link; the charset and the viewport are ours
        if content.is_empty() || matches!(name, "canonical" | "charset" | "viewport" | "") || self.has(name) {
            return;
        }
        let is_picture = matches!(name, "og:image" | "twitter:image" | "og:image:url");
        let content = if is_picture { picture(source, base, content) } else { clean(content).into_owned() };
        let is_property = ["og:", "article:", "fb:", "book:", "profile:"].iter().any(|prefix| name.starts_with(prefix));
        self.0.push(Meta { attribute: if is_property { "property" } else { "name" }, name: clean(name).into_owned(), content });
    }
}

/// Link previews want whole addresses; without a known one the file's place in the bundle has to do.
fn picture(source: &Source<'_>, base: &str, content: &str) -> String {
    if content.contains("://") {
        return clean(content).into_owned();
    }
    match source.links.asset(content) {
        super::Target::Inside(url) if base.is_empty() => format!("{ROOT}{}", clean(&url)),
        super::Target::Inside(url) => format!("{base}/{}", clean(&url)),
        _ if base.is_empty() => clean(content).into_owned(),
        _ => format!("{base}/{}", clean(content.trim_start_matches('/'))),
    }
}

impl Meta {
    /// Tells search engines to leave a page alone.
    pub(super) fn noindex() -> Self {
        Self { attribute: "name", name: "robots".to_owned(), content: "noindex".to_owned() }
    }

    /// Puts the path to the bundle's root where its mark stands.
    pub(super) fn set_root(&mut self, root: &str) {
        if self.content.contains(ROOT) {
            self.content = self.content.replace(ROOT, root);
        }
    }
}
