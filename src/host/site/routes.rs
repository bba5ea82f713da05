//! Which address means what: built once for a bundle, used for every request.
//!
//! A page is found with and without `.html`; the first page of a folder by the folder with a slash. Addresses never
//! become paths of a file system: what is not in the table does not exist.

use percent_encoding::percent_decode_str;
use rustc_hash::FxHashMap;

use base::cut::SliceText as _;
use base::url;
use bundle::reader::{BundleReader, BundledFile};
use frame::link::{RedirectTable, Redirects, TABLE_PATH, is_redirect_pattern};
use site::config::Redirect;

/// What an address means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RouteTarget {
    /// A file, by its position in the archive.
    File(usize),
    /// Another address, perhaps of another host; for good or for now.
    Elsewhere {
        /// Value of `Location`.
        to: String,
        /// 308 or 307.
        permanent: bool,
    },
}

/// The table.
#[derive(Debug)]
pub(super) struct Routes {
    /// Decoded paths without their leading slash.
    known: FxHashMap<Box<str>, RouteEntry>,
    moved: Vec<(String, bool)>,
    patterns: Redirects,
}

#[derive(Clone, Copy, Debug)]
enum RouteEntry {
    File(u32),
    Moved(u32),
}

impl Routes {
    /// The table of a bundle.
    pub(super) fn of(archive: &BundleReader) -> Self {
        let mut routes = Self { known: FxHashMap::default(), moved: Vec::new(), patterns: Redirects::default() };
        routes.known.reserve(archive.entries().len() * 3 / 2);
        let mut pages = Vec::new();
        for (index, entry) in (0u32..).zip(archive.entries()) {
            routes.known.insert(entry.name().into(), RouteEntry::File(index));
            if let Some(page) = entry.name().strip_suffix(".html") {
                pages.push((page, index));
            }
        }
        for (page, index) in pages {
            let folder = page.strip_suffix("index").filter(|folder| folder.is_empty() || folder.ends_with('/'));
            for path in folder.into_iter().chain([page]) {
                routes.known.entry(path.into()).or_insert(RouteEntry::File(index));
            }
        }
        routes.add_redirects(read_table(archive));
        routes
    }

    fn add_redirects(&mut self, redirects: Vec<Redirect>) {
        let (patterns, exact): (Vec<_>, Vec<_>) =
            redirects.into_iter().partition(|redirect| is_redirect_pattern(&redirect.source));
        for Redirect { source, destination, permanent } in exact {
            let Some(path) = decode_request_path(source.trim_matches('/')) else { continue };
            let moved = RouteEntry::Moved(self.moved.len() as u32);
            self.moved.push((destination, permanent));
            // a page of these words may stand at the address for hosts that know no redirects; its own name still shows
            // it
            self.known.insert(path.into(), moved);
        }
        let encoded = |pattern: Redirect| Redirect { source: url::encode_path(&pattern.source), ..pattern };
        self.patterns = Redirects::new(&patterns.into_iter().map(encoded).collect::<Vec<_>>());
    }

    /// What a path, as it stands in a request, means; `query` goes along to where something has moved.
    pub(super) fn find(&self, path: &str, query: Option<&str>) -> Option<RouteTarget> {
        let path = path.strip_prefix('/')?;
        let decoded;
        let plain = if path.contains('%') {
            decoded = decode_request_path(path)?;
            decoded.as_str()
        } else {
            path
        };
        match self.known.get(plain) {
            Some(RouteEntry::File(index)) => Some(RouteTarget::File(*index as usize)),
            Some(RouteEntry::Moved(index)) => {
                let (to, permanent) = self.moved.get(*index as usize)?;
                elsewhere(to, query, *permanent, path)
            }
            None => self.near(plain, query).or_else(|| {
                let (to, permanent) = self.patterns.find(path)?;
                elsewhere(&to, query, permanent, path)
            }),
        }
    }

    /// A path with a slash too much or one too few.
    fn near(&self, path: &str, query: Option<&str>) -> Option<RouteTarget> {
        let other = match path.strip_suffix('/') {
            Some(shorter) => shorter.to_owned(),
            None => format!("{path}/"),
        };
        // not for `file.css/`
        let is_page = self.known.contains_key(other.as_str())
            && (other.ends_with('/') || self.known.contains_key(format!("{other}.html").as_str()));
        is_page.then(|| elsewhere(&url::encode_path(&format!("/{other}")), query, true, path)).flatten()
    }
}

fn decode_request_path(path: &str) -> Option<String> {
    percent_decode_str(path).decode_utf8().ok().map(|path| path.into_owned())
}

/// A redirect to an address as the bundle has it. A path stays on this host, whatever it begins with.
fn elsewhere(to: &str, query: Option<&str>, permanent: bool, from: &str) -> Option<RouteTarget> {
    let is_outside =
        to.split_once("://").is_some_and(|(scheme, _)| scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()))
            || to.starts_with("mailto:");
    let mut to = if is_outside { to.to_owned() } else { format!("/{}", to.trim_start_matches(['/', '\\'])) };
    if to.trim_start_matches('/') == from {
        return None;
    }
    if let Some(query) = query.filter(|query| !query.is_empty()) {
        let at = to.find('#').unwrap_or(to.len());
        // a query of the destination's own comes first
        let join = if to.slice(..at).contains('?') { '&' } else { '?' };
        to.insert_str(at, &format!("{join}{query}"));
    }
    Some(RouteTarget::Elsewhere { to, permanent })
}

/// The redirects that the bundle brings; none if it brings none that can be read.
fn read_table(archive: &BundleReader) -> Vec<Redirect> {
    let read = |entry: &BundledFile| archive.read(entry).ok();
    let table =
        archive.find(TABLE_PATH).and_then(read).and_then(|bytes| serde_json::from_slice::<RedirectTable>(&bytes).ok());
    table.filter(|table| table.format_version == 1).map(|table| table.redirects).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn routes(files: &[&str], redirects: &[(&str, &str)]) -> Routes {
        let mut routes = Routes { known: FxHashMap::default(), moved: Vec::new(), patterns: Redirects::default() };
        routes.known.extend(files.iter().zip(0..).map(|(file, index)| (Box::from(*file), RouteEntry::File(index))));
        let redirect = |(source, destination): &(&str, &str)| Redirect {
            source: (*source).to_owned(),
            destination: (*destination).to_owned(),
            permanent: true,
        };
        routes.add_redirects(redirects.iter().map(redirect).collect());
        routes
    }

    #[track_caller]
    fn check(routes: &Routes, path: &str, query: Option<&str>, expect: Option<&str>) {
        let found = routes.find(path, query).map(|target| match target {
            RouteTarget::File(index) => index.to_string(),
            RouteTarget::Elsewhere { to, .. } => to,
        });
        assert_eq!(found.as_deref(), expect, "{path}");
    }

    #[test]
    fn addresses_have_one_meaning() {
        let routes = routes(
            &["index.html", "", "guides/a", "guides/a.html", "guides/", "ä b.css"],
            &[
                ("/old", "/guides/a#x"),
                ("/w/:rest*", "/guides/:rest*"),
                ("/out/*", "https://h.i/*"),
                ("/a", "/a"),
                ("/levels%3Aappend", "/levels-append"),
                ("/tab", "/guides/a?tab=go#x"),
            ],
        );
        check(&routes, "/", None, Some("1"));
        check(&routes, "/guides/a", None, Some("2"));
        check(&routes, "/guides/a/", Some("x=1"), Some("/guides/a?x=1"));
        check(&routes, "/guides", None, Some("/guides/"));
        check(&routes, "/%C3%A4%20b.css", None, Some("5"));
        check(&routes, "/%C3%A4%20b.css/", None, None);
        check(&routes, "/old", Some("q=1"), Some("/guides/a?q=1#x"));
        check(&routes, "/tab", None, Some("/guides/a?tab=go#x"));
        check(&routes, "/tab", Some("q=1"), Some("/guides/a?tab=go&q=1#x"));
        check(&routes, "/w/a/b", None, Some("/guides/a/b"));
        check(&routes, "/out/a", None, Some("https://h.i/a"));
        check(&routes, "/a", None, None);
        check(&routes, "/levels:append", None, Some("/levels-append"));
        check(&routes, "/levels%3Aappend", Some("q=1"), Some("/levels-append?q=1"));
        check(&routes, "/levels-other", None, None);
        for nothing in
            ["", "*", "//", "//index.html", "/../index.html", "/guides/./a", "/%ff", "/%00", "/guides%2", "/guides/a//"]
        {
            check(&routes, nothing, None, None);
        }
    }

    #[test]
    fn no_address_leads_to_another_host() {
        let routes = routes(&[], &[("/guide/:rest*", "/:rest*"), ("/s/*", "*")]);
        check(&routes, "/guide//evil.example", None, Some("/evil.example"));
        check(&routes, "/guide/\\evil.example", None, Some("/evil.example"));
        check(&routes, "/s//evil.example/x", None, Some("/evil.example/x"));
        check(&routes, "/guide/https://evil.example", None, Some("/https://evil.example"));
    }
    proptest::proptest! {
        #[test]
        fn any_address_has_an_answer_that_stays_here(path in "/[a-z/%.\\\\:?#*0-9\u{e4}]{0,40}", query in proptest::option::of("[a-z=&%#/]{0,10}")) {
            let routes = routes(&["index.html", "", "a/b", "a/b.html", "a/"], &[("/old", "/a/b#x"), ("/:x/y/:rest*", "/:rest*"), ("/a*", "/b*"), ("/*z", "*")]);
            if let Some(RouteTarget::Elsewhere { to, .. }) = routes.find(&path, query.as_deref()) {
                proptest::prop_assert!(to.starts_with('/') && !to.starts_with("//") && !to.starts_with("/\\"), "{} leads to {}", path, to);
            }
        }
    }
}
