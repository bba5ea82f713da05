//! The address that the front matter of a page calls its own, `canonical`: whole, or a path of the site.

use std::borrow::Cow;

use crate::page::PageEntry;
use base::Diagnostic;
use base::refs::{is_refused_address, scheme_of};

use super::tree::{folder, join_document_path};

/// Where search engines are told to look for a page, by its author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CanonicalTarget<'a> {
    /// A whole address.
    Address(Cow<'a, str>),
    /// A path from the root of the site, without extension, decoded; empty for the start page.
    Path(String),
}

impl<'a> CanonicalTarget<'a> {
    /// Reads a value; `slug` is that of its page, from whose folder `./a` and `../a` count. `None` for what is no
    /// address of a page: `javascript:…`, `mailto:…`, text with spaces.
    pub fn read(value: &'a str, slug: &str) -> Option<Self> {
        let value = value.trim();
        if value.is_empty() || value.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return None;
        }
        if let Some(scheme) = scheme_of(value) {
            let host = value.get(scheme.len() + 1..)?.strip_prefix("//")?;
            let is_web = matches!(scheme.as_str(), "https" | "http") && !host.is_empty() && !host.starts_with('/');
            return is_web.then_some(Self::Address(Cow::Borrowed(value)));
        }
        if let Some(host) = value.strip_prefix("//") {
            let is_host = !host.is_empty() && !host.starts_with('/');
            return is_host.then(|| Self::Address(Cow::Owned(format!("https:{value}"))));
        }
        let path = value.split(['?', '#']).next().unwrap_or_default();
        let path = percent_encoding::percent_decode_str(path).decode_utf8().ok()?;
        let from = if path.starts_with("./") || path.starts_with("../") { folder(slug) } else { "" };
        let path = join_document_path(from, path.trim_end_matches('/'))?;
        let stem = [".html", ".mdx", ".md"].iter().find_map(|ending| path.strip_suffix(ending)).unwrap_or(&path);
        Some(Self::Path(stem.to_owned()))
    }
}

/// Whether a meta tag is an address that no bundle gives: it has a scheme like `javascript:`, or is a canonical address
/// that is none of the web.
pub fn is_refused_tag(name: &str, content: &str) -> bool {
    let last = name.rsplit([':', '_']).next().unwrap_or_default();
    match name {
        "canonical" => {
            let scheme = scheme_of(content.trim());
            is_refused_address(content) || scheme.is_some_and(|scheme| !matches!(scheme.as_str(), "http" | "https"))
        }
        _ => ["url", "image", "video", "audio", "player", "stream"].contains(&last) && is_refused_address(content),
    }
}

/// The word about such a tag.
pub fn refused_tag(path: &str) -> Diagnostic {
    let message = format!("`{path}` has a scheme that no page is found by; it is not used");
    Diagnostic::new("refused-link", message).hint("write an `https` address")
}

impl PageEntry {
    /// What the front matter of the page says its address is. Values that are none are reported when it is read.
    pub fn canonical(&self) -> Option<CanonicalTarget<'_>> {
        let (_, value) = self.meta.metatags.iter().find(|(name, _)| name == "canonical")?;
        CanonicalTarget::read(value, &self.slug)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: &str, expect: Option<CanonicalTarget<'_>>) {
        assert_eq!(CanonicalTarget::read(value, "guides/start"), expect, "{value}");
    }

    #[test]
    fn addresses_and_paths() {
        let address = |url: &'static str| Some(CanonicalTarget::Address(Cow::Borrowed(url)));
        let path = |path: &str| Some(CanonicalTarget::Path(path.to_owned()));
        check("https://ofen.example/a?b#c", address("https://ofen.example/a?b#c"));
        check(" HTTP://ofen.example ", address("HTTP://ofen.example"));
        check("//ofen.example/a", address("https://ofen.example/a"));
        check("/guides/a", path("guides/a"));
        check("guides/a/", path("guides/a"));
        check("./a.mdx", path("guides/a"));
        check("../a.html#top", path("a"));
        check("/", path(""));
        check("/f%C3%BCr", path("für"));
    }

    #[test]
    fn tags_are_refused_for_their_schemes() {
        for (name, content, expect) in [
            ("canonical", "JAVASCRIPT:x", true),
            ("canonical", "java\tscript:x", true),
            ("canonical", "mailto:a@b.example", true),
            ("canonical", "https://a.example", false),
            ("canonical", "/a", false),
            ("og:url", " java\tscript:x", true),
            ("og:image:secure_url", "data:image/png;base64,", true),
            ("twitter:player", "vbscript:x", true),
            ("og:title", "javascript: the good parts", false),
            ("og:image", "images/a.png", false),
        ] {
            assert_eq!(is_refused_tag(name, content), expect, "{name} {content}");
        }
    }

    #[test]
    fn what_is_no_address_of_a_page() {
        for value in
            ["", "javascript:alert(1)", "mailto:a@b.example", "https:", "https:///a", "//", "two words", "../../a"]
        {
            check(value, None);
        }
    }
}
