//! What robots are told of a site and of its pages.

use super::config::Config;

/// The content of a tag.
pub fn tag_content<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    tags.iter().find(|(known, _)| known == name).map(|(_, content)| content.as_str())
}

/// Whether a robots tag keeps a page out of search engines.
pub fn says_noindex(robots: &str) -> bool {
    robots.split([',', ' ']).any(|word| word.eq_ignore_ascii_case("noindex") || word.eq_ignore_ascii_case("none"))
}

impl Config {
    /// The robots tag of the whole site; empty without one.
    fn robots(&self) -> &str {
        tag_content(&self.seo.metatags, "robots").unwrap_or_default()
    }

    /// The whole site is `noindex`.
    pub fn is_noindex(&self) -> bool {
        says_noindex(self.robots())
    }
}
