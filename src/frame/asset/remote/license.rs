//! What is known about the license of something from elsewhere: what its server says, or what is known of the host. A
//! hint for readers of the lock file, no more.

use reqwest::header::HeaderMap;
use url::Url;

/// Longest hint, characters.
const MAX_HINT_CHARS: usize = 200;

/// Hosts whose files all have one license.
const HOSTS: [(&str, &str); 4] = [
    ("fonts.gstatic.com", "OFL-1.1 or Apache-2.0, as the font's page on fonts.google.com says"),
    ("fonts.bunny.net", "OFL-1.1 or Apache-2.0, as the font's page on fonts.bunny.net says"),
    ("cdn.simpleicons.org", "CC0-1.0"),
    ("img.shields.io", "CC0-1.0"),
];

/// The license of an answer, if anything is known.
pub(super) fn license_hint(headers: &HeaderMap, url: &Url) -> Option<String> {
    let links =
        headers.get_all("link").iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    let from_header = links.filter_map(license_link).next();
    let host = url.host_str()?;
    from_header.or_else(|| HOSTS.iter().find(|(known, _)| *known == host).map(|(_, license)| (*license).to_owned()))
}

/// The target of `<target>; rel="license"`.
fn license_link(link: &str) -> Option<String> {
    let (target, parameters) = link.trim().strip_prefix('<')?.split_once('>')?;
    let mut parts = parameters.split(';').map(|part| part.trim().to_ascii_lowercase().replace(['"', ' '], ""));
    let is_license = parts.any(|part| part == "rel=license" || part == "rel=licence");
    (is_license && target.len() <= MAX_HINT_CHARS && !target.chars().any(char::is_control)).then(|| target.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(link: &str, url: &str, expect: Option<&str>) {
        let mut headers = HeaderMap::new();
        if !link.is_empty() {
            headers.insert("link", link.parse().unwrap());
        }
        assert_eq!(license_hint(&headers, &Url::parse(url).unwrap()).as_deref(), expect);
    }

    #[test]
    fn servers_and_hosts_are_believed() {
        check(
            "<https://x/y>; rel=preload, <https://creativecommons.org/licenses/by/4.0/>; rel=\"license\"",
            "https://a.b/",
            Some("https://creativecommons.org/licenses/by/4.0/"),
        );
        check("", "https://cdn.simpleicons.org/x", Some("CC0-1.0"));
        check("<https://x/y>; rel=next", "https://a.b/", None);
    }
}
