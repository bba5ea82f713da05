//! The addresses of pages on the web, where they are known: a bundle itself never needs them.

use base::{BundlePath, url};

use super::config::{Config, Seo};

impl Config {
    /// The address of the site on the web, without a slash at the end: that of the host that an export names, else the
    /// `canonical` tag of `seo.metatags`. A tag on the same host counts, because it may hold a path. Empty if the
    /// address is not known.
    pub fn base_url(&self, domain: Option<&str>) -> String {
        let tag = self.seo.metatags.iter().find(|(name, _)| name == "canonical").map(|(_, content)| content.trim());
        let tag = tag.filter(|url| url.starts_with("https://") || url.starts_with("http://"));
        let base = match (domain.filter(|domain| !domain.is_empty()), tag) {
            (Some(domain), Some(tag)) if host(tag).eq_ignore_ascii_case(domain) => tag.to_owned(),
            (Some(domain), _) => format!("https://{domain}"),
            (None, tag) => tag.unwrap_or_default().to_owned(),
        };
        base.trim_end_matches('/').to_owned()
    }

    /// The extensionless address of a page below `base`, whose trailing slash follows `seo.trailingSlash`. It is
    /// that of the page's file, whose name leaves out what some file systems refuse.
    pub fn page_url(&self, base: &str, slug: &str, is_home: bool) -> String {
        let slash = if self.seo.trailing_slash { "/" } else { "" };
        if is_home {
            format!("{base}{slash}")
        } else {
            format!("{base}/{}{slash}", url::encode_path(BundlePath::sanitize(slug).as_str()))
        }
    }

    /// The address of a path below `base` that is no page. An author may have written it from the root of the host,
    /// with the folder that the site is in.
    pub fn path_url(&self, base: &str, path: &str) -> String {
        let slash = if self.seo.trailing_slash { "/" } else { "" };
        let at_host = base_folder(base).filter(|folder| is_below(path, folder));
        let top = at_host.and_then(|folder| base.strip_suffix(folder)?.strip_suffix('/')).unwrap_or(base);
        format!("{top}/{}{slash}", url::encode_path(path))
    }
}

impl Seo {
    /// The meta tags of the deepest folder in `seo.paths` that holds a page.
    pub fn folder_tags(&self, slug: &str) -> &[(String, String)] {
        let covers = |prefix: &str| {
            let prefix = prefix.trim_matches('/').trim_end_matches("/*").trim_end_matches('*');
            prefix.is_empty() || slug.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let own = self.paths.iter().filter(|(prefix, _)| covers(prefix));
        own.max_by_key(|(prefix, _)| prefix.trim_matches('/').len()).map_or(&[], |(_, tags)| tags)
    }
}

/// The folder of a host that a site is in: `docs` of `https://a.example/docs`.
pub fn base_folder(base: &str) -> Option<&str> {
    base.split_once("://").and_then(|(_, rest)| rest.split_once('/')).map(|(_, folder)| folder)
}

/// Whether a path is a folder or lies in it.
fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The host of a web address.
fn host(url: &str) -> &str {
    url.split_once("://").map_or("", |(_, rest)| rest.split(['/', ':', '?', '#']).next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_those_of_files() {
        let config = Config::default();
        assert_eq!(config.page_url("https://x", "a b/list-users:-all", false), "https://x/a%20b/list-users--all");
        assert_eq!(config.page_url("https://x", "aux/con", false), "https://x/aux_/con_");
        assert_eq!(config.page_url("https://x", "index", true), "https://x");
    }

    #[track_caller]
    fn check(canonical: &str, domain: Option<&str>, expect: &str) {
        let mut config = Config::default();
        config.seo.metatags.push(("canonical".to_owned(), canonical.to_owned()));
        assert_eq!(config.base_url(domain), expect);
    }

    #[test]
    fn the_named_host_wins() {
        check("https://a.example/docs/", None, "https://a.example/docs");
        check("https://a.example/docs/", Some("a.example"), "https://a.example/docs");
        check("https://a.example/docs", Some("b.example"), "https://b.example");
        check("/docs", Some("b.example"), "https://b.example");
        check("/docs", None, "");
    }

    #[test]
    fn paths_count_from_the_site_or_from_its_host() {
        let config = Config::default();
        assert_eq!(config.path_url("https://a.example/docs", "guides/a"), "https://a.example/docs/guides/a");
        assert_eq!(config.path_url("https://a.example/docs", "docs/guides/a"), "https://a.example/docs/guides/a");
        assert_eq!(config.path_url("https://a.example", "docs/a"), "https://a.example/docs/a");
        assert_eq!(base_folder("https://a.example/docs/b"), Some("docs/b"));
        assert_eq!(base_folder("https://a.example"), None);
    }

    #[test]
    fn the_deepest_folder_counts() {
        let tag = |content: &str| vec![("robots".to_owned(), content.to_owned())];
        let seo = Seo { paths: vec![("/a".into(), tag("1")), ("a/b/*".into(), tag("2"))], ..Seo::default() };
        let of = |slug: &str| seo.folder_tags(slug).first().map(|(_, content)| content.as_str());
        assert_eq!([of("a"), of("a/x"), of("a/b/c"), of("ab"), of("c")], [Some("1"), Some("1"), Some("2"), None, None]);
    }
}
