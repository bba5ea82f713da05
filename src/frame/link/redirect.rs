//! `redirects` of docs.json: exact paths, `:name`, `:name*` and `*`; followed over several hops, never in circles.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use base::cut::SliceText as _;
use site::config::Redirect;

/// Most hops that are followed.
const MAX_REDIRECT_HOPS: usize = 10;

/// Most wildcards in a source: matching costs a factor of the path's length for each.
const MAX_WILDCARDS: usize = 3;

/// Where a bundle keeps its redirects for a server: one [`RedirectTable`] as JSON.
pub const TABLE_PATH: &str = "_offprint/redirects.json";

/// The redirects of a bundle as a server reads them: `Redirects::new(&table.redirects).find(path)`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RedirectTable {
    /// 1.
    pub format_version: u32,
    /// Sources are paths with a leading slash, perhaps with `:name`, `:name*` or `*`; destinations are such paths,
    /// extensionless and perhaps with a fragment, or whole addresses. Exact sources have been followed to the end; no
    /// exact source is a page.
    pub redirects: Vec<Redirect>,
}

/// A path with its percent signs read; one that would then be a pattern, or none any more, stays.
fn decode_redirect_path(path: &str) -> Cow<'_, str> {
    let decoded = percent_decode_str(path).decode_utf8().unwrap_or(Cow::Borrowed(path));
    if is_redirect_pattern(&decoded) == is_redirect_pattern(path) { decoded } else { Cow::Borrowed(path) }
}

/// The redirects of a site, indexed by path.
#[derive(Debug, Default)]
pub struct Redirects {
    exact: FxHashMap<String, (String, bool)>,
    patterns: Vec<RedirectPattern>,
}

#[derive(Debug)]
struct RedirectPattern {
    parts: Vec<RedirectPart>,
    destination: String,
    permanent: bool,
}

/// Whether a source stands for many paths.
pub fn is_redirect_pattern(source: &str) -> bool {
    source.contains([':', '*'])
}

/// Whether a pattern stands for a path, too.
pub fn redirect_pattern_matches(pattern: &str, path: &str) -> bool {
    pattern.matches('*').count() <= MAX_WILDCARDS
        && bind(&redirect_pattern_parts(pattern.trim_matches('/')), path, &mut Vec::new())
}

#[derive(Debug)]
enum RedirectPart {
    Text(String),
    /// `:name`: one segment.
    Segment(String),
    /// `:name*` or `*`: any rest, empty too.
    Rest(String),
}

impl Redirects {
    /// The redirects of a configuration, whose sources may be percent-encoded; lookups are by decoded paths.
    pub fn written(redirects: &[Redirect]) -> Self {
        let source = |redirect: &Redirect| Redirect {
            source: decode_redirect_path(&redirect.source).into_owned(),
            ..redirect.clone()
        };
        Self::new(&redirects.iter().map(source).collect::<Vec<_>>())
    }

    /// Reads the redirects; of equal sources the first counts.
    pub fn new(redirects: &[Redirect]) -> Self {
        let mut out = Self::default();
        for redirect in redirects {
            let source = redirect.source.trim_matches('/');
            if is_redirect_pattern(source) {
                if source.matches('*').count() > MAX_WILDCARDS {
                    continue;
                }
                out.patterns.push(RedirectPattern {
                    parts: redirect_pattern_parts(source),
                    destination: redirect.destination.clone(),
                    permanent: redirect.permanent,
                });
            } else {
                out.exact
                    .entry(source.to_owned())
                    .or_insert_with(|| (redirect.destination.clone(), redirect.permanent));
            }
        }
        out
    }

    /// Where a path (without leading slash) leads in the end: a path without leading slash (perhaps with `#fragment`),
    /// or a URL. `None` if no redirect applies or they run in a circle. A page on the way is the end: pages come before
    /// redirects.
    pub fn follow(&self, path: &str, is_page: impl Fn(&str) -> bool) -> Option<String> {
        let mut path = path.trim_matches('/').to_owned();
        let mut fragment = String::new();
        for hop in 0..MAX_REDIRECT_HOPS {
            let Some(next) = self.once(&path) else {
                return (hop > 0).then(|| path + &fragment);
            };
            if super::has_scheme(&next) {
                return Some(next);
            }
            let (target, hash) = next.split_once('#').unwrap_or((&next, ""));
            if !hash.is_empty() {
                fragment = format!("#{hash}");
            }
            let target =
                decode_redirect_path(target.split('?').next().unwrap_or_default().trim_matches('/')).into_owned();
            if target == path || is_page(&target) {
                path = target;
                return Some(path + &fragment);
            }
            path = target;
        }
        None
    }

    fn once(&self, path: &str) -> Option<String> {
        self.find(path).map(|(destination, _)| destination)
    }

    /// One step: the destination of a path (slashes around it do not count) as it was written, and whether that is for
    /// good. Exact sources come before patterns.
    pub fn find(&self, path: &str) -> Option<(String, bool)> {
        let path = path.trim_matches('/');
        if let Some(found) = self.exact.get(path) {
            return Some(found.clone());
        }
        self.patterns.iter().find_map(|pattern| Some((pattern.apply(path)?, pattern.permanent)))
    }
}

impl RedirectPattern {
    fn apply(&self, path: &str) -> Option<String> {
        let mut bound = Vec::new();
        bind(&self.parts, path, &mut bound).then(|| fill_destination(&self.destination, &bound))
    }
}

fn redirect_pattern_parts(source: &str) -> Vec<RedirectPart> {
    let mut out = Vec::new();
    let mut text = String::new();
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        rest = rest.slice(c.len_utf8()..);
        let part = match c {
            '*' => RedirectPart::Rest(String::new()),
            ':' => {
                let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
                let name = rest.slice(..length).to_owned();
                rest = rest.slice(length..);
                match rest.strip_prefix('*') {
                    Some(after) => {
                        rest = after;
                        RedirectPart::Rest(name)
                    }
                    None => RedirectPart::Segment(name),
                }
            }
            c => {
                text.push(c);
                continue;
            }
        };
        if !text.is_empty() {
            out.push(RedirectPart::Text(std::mem::take(&mut text)));
        }
        out.push(part);
    }
    if !text.is_empty() {
        out.push(RedirectPart::Text(text));
    }
    out
}

/// Matches greedily with backtracking over the few parts that a redirect has.
fn bind<'p>(parts: &[RedirectPart], path: &'p str, bound: &mut Vec<(String, &'p str)>) -> bool {
    let Some((first, others)) = parts.split_first() else { return path.is_empty() };
    match first {
        RedirectPart::Text(text) => match path.strip_prefix(text.as_str()) {
            Some(rest) => bind(others, rest, bound),
            // `/old/*` also stands for `/old`
            None => {
                path == text.trim_end_matches('/')
                    && matches!(others, [RedirectPart::Rest(name)] if { bound.push((name.clone(), "")); true })
            }
        },
        RedirectPart::Segment(name) => {
            let length = path.find('/').unwrap_or(path.len());
            length > 0 && {
                bound.push((name.clone(), path.slice(..length)));
                bind(others, path.slice(length..), bound)
            }
        }
        RedirectPart::Rest(name) => {
            let bound_len = bound.len();
            let ends = path.char_indices().map(|(at, _)| at).chain([path.len()]).collect::<Vec<_>>();
            ends.into_iter().rev().any(|end| {
                bound.truncate(bound_len);
                bound.push((name.clone(), path.slice(..end)));
                bind(others, path.slice(end..), bound)
            })
        }
    }
}

fn fill_destination(destination: &str, bound: &[(String, &str)]) -> String {
    let mut unnamed = bound.iter().filter(|(name, _)| name.is_empty());
    let scheme = destination.find("://").map_or(0, |at| at + 3);
    let mut out = destination.slice(..scheme).to_owned();
    for part in redirect_pattern_parts(destination.slice(scheme..)) {
        match part {
            RedirectPart::Text(text) => out.push_str(&text),
            RedirectPart::Rest(name) if name.is_empty() => out.push_str(unnamed.next().map_or("", |(_, value)| value)),
            RedirectPart::Segment(name) | RedirectPart::Rest(name) => {
                match bound.iter().find(|(known, _)| *known == name) {
                    Some((_, value)) => out.push_str(value),
                    None => out.push_str(&format!(":{name}")),
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(redirects: &[(&str, &str)], path: &str, expect: Option<&str>) {
        let redirects: Vec<Redirect> = redirects
            .iter()
            .map(|(source, destination)| Redirect {
                source: (*source).to_owned(),
                destination: (*destination).to_owned(),
                permanent: true,
            })
            .collect();
        assert_eq!(Redirects::written(&redirects).follow(path, |path| path == "page").as_deref(), expect);
    }

    #[test]
    fn redirects_are_followed_to_the_end() {
        check(&[("/a", "/b"), ("/b", "/c#x")], "a", Some("c#x"));
        check(&[("/a", "https://x.y/z")], "a", Some("https://x.y/z"));
        check(&[("/a", "/b"), ("/b", "/a")], "a", None);
        check(&[("/a", "/b")], "c", None);
        check(&[("/a", "/page"), ("/page", "/b")], "a", Some("page"));
    }

    #[test]
    fn paths_are_read_as_readers_see_them() {
        check(&[("/%C3%BCber", "/b%20c"), ("/b c", "/page")], "über", Some("page"));
        check(&[("/%C3%BC/:name", "/:name")], "ü/x", Some("x"));
        check(&[("/a%3Ab", "/page")], "a%3Ab", Some("page"));
        check(&[("/old.html", "/page")], "old.html", Some("page"));
    }

    #[test]
    fn patterns_bind_names() {
        check(&[("/old/:slug*", "/new/:slug*")], "old/x/y", Some("new/x/y"));
        check(&[("/old/:slug*", "/new/:slug*")], "old", Some("new"));
        check(&[("/v/:id/edit", "/e/:id")], "v/7/edit", Some("e/7"));
        check(&[("/articles/concepts-*", "/concepts/*")], "articles/concepts-a/b", Some("concepts/a/b"));
        check(&[("/x/*", "https://h.i/*")], "x/y", Some("https://h.i/y"));
    }
}
