//! Redirects of docs.json for every kind of host: a page at each old address, which also works from a disk;
//! `_redirects` for static hosts; a table for our own server.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt::Write as _;

use rustc_hash::FxHashSet;

use base::cut::cut;
use base::html::{self, escape_html_text};
use base::url::{self, relative_url};
use base::{BundlePath, Diagnostic};
use frame::link::{RedirectTable, ResolvedTarget, TABLE_PATH, is_redirect_pattern, redirect_pattern_matches};
use load::written::{ConfigText, quote_json};
use site::config::Redirect;
use site::tree::{composed, folded};

use super::SiteContext;

/// What came of the redirects.
#[derive(Debug, Default)]
pub struct RedirectPages {
    /// Files of the bundle.
    pub files: Vec<(BundlePath, String)>,
    /// Redirects that lead nowhere.
    pub diagnostics: Vec<Diagnostic>,
}

/// Where a redirect leads in the end.
struct RedirectEnd {
    /// Path from the root or whole address, for hosts.
    location: String,
    /// File of the bundle and fragment; nothing if it leads out of it.
    file: Option<(BundlePath, String)>,
    /// What readers call it.
    name: String,
    /// Its address on the web, if it is known.
    canonical: String,
    /// The anchor that its page does not have.
    missed: Option<String>,
}

/// Makes the files. `may_leave`: a page may send its reader to another host by itself. `policy`: the `<meta>` of pages
/// that say so.
pub fn make_redirects(source: &SiteContext<'_>, may_leave: bool, policy: &str) -> RedirectPages {
    let mut out = RedirectPages::default();
    let mut table = RedirectTable { format_version: 1, redirects: changed_names(source, &mut out.diagnostics) };
    if source.site.config.redirects.is_empty() && table.redirects.is_empty() {
        return out;
    }
    let mut patterns = Vec::new();
    let mut taken = taken(source);
    let texts = OnceCell::new();
    for redirect in &source.site.config.redirects {
        if is_redirect_pattern(&redirect.source) {
            patterns.extend(pattern(source, redirect));
            continue;
        }
        let path =
            percent_encoding::percent_decode_str(redirect.source.trim_matches('/')).decode_utf8_lossy().into_owned();
        if source.site.find_page(&path).is_some_and(|page| source.resolver.path(page).is_some()) {
            continue; // pages come before redirects
        }
        let Some(end) = redirect_destination(source, &redirect.destination) else {
            if is_restricted(source, &redirect.destination) {
                continue;
            }
            out.diagnostics.push(objection(source, redirect, &path, texts.get_or_init(|| ConfigText::of(source.site))));
            continue;
        };
        if let Some(fragment) = &end.missed {
            let (file, line, column) =
                redirect_place(texts.get_or_init(|| ConfigText::of(source.site)), &redirect.source);
            let message =
                format!("the redirect from `{}` leads to a page that has no anchor `#{fragment}`", redirect.source);
            let hint = "correct the anchor; the redirect leads to the top of the page";
            out.diagnostics.push(Diagnostic::new("broken-anchor", message).at(file, line, column).hint(hint));
        }
        let own = BundlePath::sanitize(&if path.ends_with(".html") { path.clone() } else { format!("{path}.html") });
        // the start page is a page whatever else it may be, and a page is of no use at the address of a text
        if !path.is_empty() && !is_text_address(&path) && taken.insert(own.collision_key()) {
            out.files.push((own.clone(), stub(&own, &path, &end, may_leave, policy)));
        }
        table.redirects.push(Redirect {
            source: format!("/{}", url::encode_path(&path)),
            destination: end.location,
            permanent: redirect.permanent,
        });
    }
    table.redirects.extend(patterns);
    if table.redirects.is_empty() {
        return out;
    }
    if !source.is_written("_redirects") {
        out.files.push((BundlePath::sanitize("_redirects"), rules(&table.redirects)));
    }
    if let Ok(json) = serde_json::to_string(&table) {
        out.files.push((BundlePath::sanitize(TABLE_PATH), json + "\n"));
    }
    out
}

/// From the names that pages and files have in the source to those that they got because some systems cannot hold them.
/// No file can stand at the former.
fn changed_names(source: &SiteContext<'_>, diagnostics: &mut Vec<Diagnostic>) -> Vec<Redirect> {
    let site = source.site;
    let mut redirects = Vec::new();
    let mut add = |written: &str, name: &str| {
        // what would be a pattern is encoded
        let written = url::encode_path(written).replace(':', "%3A").replace('*', "%2A");
        redirects.push(Redirect {
            source: format!("/{written}"),
            destination: rooted(&url::encode_path(name)),
            permanent: true,
        });
    };
    for (page, entry) in site.iter().filter(|(page, _)| source.home != Some(*page)) {
        let Some(name) = source.resolver.path(page).and_then(|path| path.as_str().strip_suffix(".html")) else {
            continue;
        };
        let stem = entry.file.and_then(|file| site.tree.path(file).rsplit_once('.')).map(|(stem, _)| stem);
        // another page has the name in another case, so this one has a number
        if let Some(written) =
            stem.filter(|stem| *stem != entry.slug && has_number(&entry.slug) && site.aliases.get(*stem) == Some(&page))
        {
            add(written, name);
        } else if name != composed(&entry.slug) {
            add(&entry.slug, name);
        }
    }
    for file in (0..site.tree.files.len() as u32).map(base::FileId) {
        let (path, name) = (site.tree.path(file), source.resolver.assets.path(file).as_str());
        let served = site.served(path).unwrap_or(Cow::Borrowed(path));
        let written = served.as_ref();
        if name != written && name != composed(written) && source.resolver.assets.is_published(file) {
            add(written, name);
            let shown: String =
                written.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect();
            let message = format!("`{shown}` becomes `{name}`: not every system can hold a file of that name");
            let hint = "links, and hosts that support redirects, lead from the old name to the new one; rename the file to have one name everywhere";
            diagnostics.push(Diagnostic::new("file-name", message).at(path, 0, 0).hint(hint));
        }
    }
    redirects
}

/// Whether a name ends in the number that distinguishes it from another.
fn has_number(slug: &str) -> bool {
    slug.rsplit_once('-')
        .is_some_and(|(_, number)| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Addresses like `llms.txt`, which programs request.
fn is_text_address(path: &str) -> bool {
    matches!(path.rsplit_once('.'), Some((_, "txt" | "md" | "json" | "xml" | "yaml" | "yml")))
}

/// What names of pages and files leave no room for.
fn taken(source: &SiteContext<'_>) -> FxHashSet<String> {
    let pages = source.site.iter().filter_map(|(page, _)| source.resolver.path(page)).map(BundlePath::collision_key);
    let html = |path: &&BundlePath| path.as_str().ends_with(".html");
    let files = (0..source.site.tree.files.len() as u32).map(|file| source.resolver.assets.path(base::FileId(file)));
    let mut taken: FxHashSet<String> = pages.chain(files.filter(html).map(BundlePath::collision_key)).collect();
    taken.extend(["index.html".to_owned(), "404.html".to_owned()]);
    taken
}

/// A pattern as hosts read it; what the pattern is filled into may itself be redirected, which they do in a second
/// step. `None` if it leads to nothing but what only some user groups may see.
fn pattern(source: &SiteContext<'_>, redirect: &Redirect) -> Option<Redirect> {
    let destination = match is_redirect_pattern(
        redirect.destination.split_once("://").map_or(&redirect.destination, |(_, rest)| rest),
    ) {
        true if leads_to_restricted(source, &redirect.destination) => return None,
        true => redirect.destination.clone(),
        false => match redirect_destination(source, &redirect.destination) {
            Some(end) => end.location,
            None if is_restricted(source, &redirect.destination) => return None,
            None => redirect.destination.clone(),
        },
    };
    Some(Redirect {
        source: rooted(&redirect.source),
        destination: if destination.contains("://") { destination } else { rooted(&destination) },
        permanent: redirect.permanent,
    })
}

/// Whether a destination is what only some user groups may see.
fn is_restricted(source: &SiteContext<'_>, destination: &str) -> bool {
    !destination.contains("://")
        && source.resolver.resolve(&rooted(destination), None, "") == ResolvedTarget::Restricted
}

/// The same for a destination that stands for many: some are restricted, and none is in the bundle.
fn leads_to_restricted(source: &SiteContext<'_>, destination: &str) -> bool {
    let site = source.site;
    if site.restricted.is_empty() || destination.contains("://") {
        return false;
    }
    let pattern = folded(destination.split(['#', '?']).next().unwrap_or_default());
    let is_meant = |path: &str| redirect_pattern_matches(&pattern, &folded(path));
    let has_page = || site.iter().any(|(page, entry)| source.resolver.path(page).is_some() && is_meant(&entry.slug));
    let has_file =
        || site.tree.iter().any(|(file, entry)| is_meant(&entry.path) && source.resolver.assets.is_published(file));
    site.restricted.iter().any(|path| is_meant(path)) && !has_page() && !has_file()
}

fn rooted(path: &str) -> String {
    format!("/{}", path.trim_start_matches('/'))
}

fn redirect_destination(source: &SiteContext<'_>, destination: &str) -> Option<RedirectEnd> {
    let outside = |location: String| RedirectEnd {
        name: location.clone(),
        canonical: location.clone(),
        location,
        file: None,
        missed: None,
    };
    let is_whole = destination.contains("://") || destination.starts_with("mailto:") || destination.starts_with("//");
    let written = if is_whole { destination.to_owned() } else { rooted(destination) };
    match source.resolver.resolve(&written, None, "") {
        ResolvedTarget::Page { page, query, fragment } => {
            let path = source.resolver.path(page)?;
            // a destination that names the Markdown of a page is kept: models are sent there
            if destination.split(['?', '#']).next().is_some_and(|path| path.ends_with(".md")) {
                return Some(end_at_file(source, &path.markdown_page()));
            }
            let anchor = source.resolver.anchor(page, &fragment);
            let missed = anchor.is_none().then_some(fragment).filter(|fragment| !fragment.is_empty());
            let rest = anchor
                .filter(|anchor| !anchor.is_empty())
                .map(|anchor| format!("{query}#{}", url::encode_fragment(&anchor)))
                .unwrap_or(query);
            let slug = path.as_str().strip_suffix(".html").unwrap_or(path.as_str());
            let location = if source.home == Some(page) { "/".to_owned() } else { rooted(&url::encode_path(slug)) };
            let canonical = if source.base.is_empty() { String::new() } else { source.page_url(page) };
            Some(RedirectEnd {
                location: location + &rest,
                file: Some((path.clone(), rest)),
                name: source.page(page).meta.title.clone(),
                canonical,
                missed,
            })
        }
        ResolvedTarget::Asset(file) => {
            source.resolver.assets.mark_used(file);
            Some(end_at_file(source, source.resolver.assets.path(file)))
        }
        ResolvedTarget::Generated(path) => Some(end_at_file(source, &path)),
        ResolvedTarget::Outside(url) | ResolvedTarget::Other(url) => Some(outside(url)),
        ResolvedTarget::Here(_) | ResolvedTarget::Refused | ResolvedTarget::Restricted | ResolvedTarget::Missing => {
            None
        }
    }
}

fn end_at_file(source: &SiteContext<'_>, path: &BundlePath) -> RedirectEnd {
    let name = path.as_str().rsplit('/').next().unwrap_or_default().to_owned();
    let location = url::encode_path(path.as_str());
    let canonical = if source.base.is_empty() { String::new() } else { source.file_url(&location) };
    RedirectEnd {
        location: rooted(&location),
        file: Some((path.clone(), String::new())),
        name,
        canonical,
        missed: None,
    }
}

/// The page at an old address.
fn stub(own: &BundlePath, path: &str, end: &RedirectEnd, may_leave: bool, policy: &str) -> String {
    let target = match &end.file {
        Some((file, rest)) => relative_url(own.as_str(), file.as_str()) + rest,
        None => end.location.clone(),
    };
    let target = html::attr(&target);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{policy}\n<title>/{} has moved</title>\n",
        escape_html_text(path)
    );
    if end.file.is_some() || may_leave && end.location.starts_with("http") {
        let _ = writeln!(out, "<meta http-equiv=\"refresh\" content=\"0; url={target}\">");
    }
    if !end.canonical.is_empty() {
        let _ = writeln!(out, "<link rel=\"canonical\" href=\"{}\">", html::attr(&end.canonical));
    }
    let _ = write!(
        out,
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<link rel=\"icon\" href=\"data:,\">\n\
         <style>:root{{color-scheme:light dark}}body{{max-width:36rem;margin:20vh auto;padding:0 1.5rem;font:1rem/1.6 system-ui,sans-serif}}</style>\n\
         </head>\n<body>\n<main>\n<h1>Moved</h1>\n<p>This page has moved to <a href=\"{target}\">{}</a>.</p>\n</main>\n</body>\n</html>\n",
        escape_html_text(&end.name)
    );
    out
}

/// `_redirects` as Netlify and Cloudflare Pages read it: exact rules first. What it cannot say is left out with a
/// remark.
fn rules(redirects: &[Redirect]) -> String {
    let mut out = String::new();
    for Redirect { source, destination, permanent } in redirects {
        let status = if *permanent { 308 } else { 307 };
        match rule(source, destination) {
            Some((source, destination)) => {
                let _ = writeln!(out, "{source} {destination} {status}");
            }
            None => {
                let _ = writeln!(out, "# not supported here: {} {} {status}", one_word(source), one_word(destination));
            }
        }
    }
    out
}

/// The language of the file knows names of whole segments (`:name`) and one `*` at the end, which a destination calls
/// `:splat`.
fn rule(source: &str, destination: &str) -> Option<(String, String)> {
    let (front, rest) = match source.find('*') {
        None => (source, None),
        Some(star) if star + 1 == source.len() => {
            let (front, _) = cut(source, star);
            let name = front.rsplit(['/', '-', '.']).next().unwrap_or_default();
            // `:slug*` has a name
            Some(name).filter(|name| name.starts_with(':')).map_or((front, Some("*".to_owned())), |name| {
                (cut(front, front.len() - name.len()).0, Some(format!("{name}*")))
            })
        }
        Some(_) => return None,
    };
    let source = if rest.is_some() { format!("{front}*") } else { front.to_owned() };
    let destination = rest.map_or_else(|| destination.to_owned(), |rest| destination.replace(&rest, ":splat"));
    let is_sayable =
        !destination.contains('*') && front.split('/').all(|part| part.find(':').is_none_or(|colon| colon == 0));
    is_sayable.then(|| (one_word(&source), one_word(&destination)))
}

/// A path without white space and line ends.
fn one_word(path: &str) -> String {
    path.chars().map(|c| if c.is_whitespace() || c.is_control() { "%20".to_owned() } else { c.to_string() }).collect()
}

/// Why a redirect is of no use.
fn objection(source: &SiteContext<'_>, redirect: &Redirect, path: &str, texts: &ConfigText) -> Diagnostic {
    let Redirect { source: from, destination, .. } = redirect;
    let next = destination.split(['#', '?']).next().unwrap_or_default().trim_matches('/');
    let (code, message, hint) = if next == path || source.resolver.redirects().find(next).is_some() {
        (
            "redirect-cycle",
            format!("the redirect from `{from}` to `{destination}` leads back to itself or to no page"),
            "use a page as the destination",
        )
    } else {
        (
            "redirect-dangling",
            format!("the redirect from `{from}` leads to `{destination}`, which does not exist"),
            "correct `destination`, or add the page",
        )
    };
    let (file, line, column) = redirect_place(texts, from);
    Diagnostic::new(code, message).at(file, line, column).hint(hint)
}

/// Where the configuration names a source: file, line, column.
fn redirect_place<'t>(texts: &'t ConfigText, from: &str) -> (&'t str, u32, u32) {
    let quoted = quote_json(from);
    texts.place(&[format!("\"source\": {quoted}"), quoted]).unwrap_or((texts.file().unwrap_or("docs.json"), 0, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, destination: &str, expect: Option<(&str, &str)>) {
        let found = rule(source, destination);
        assert_eq!(found.as_ref().map(|(from, to)| (from.as_str(), to.as_str())), expect);
    }

    #[test]
    fn rules_of_static_hosts() {
        check("/a", "/b#c", Some(("/a", "/b#c")));
        check("/a/:id", "/b/:id", Some(("/a/:id", "/b/:id")));
        check("/a/:slug*", "/b/:slug*", Some(("/a/*", "/b/:splat")));
        check("/a/*", "https://x.example/*", Some(("/a/*", "https://x.example/:splat")));
        check("/articles/concepts-*", "/concepts/*", Some(("/articles/concepts-*", "/concepts/:splat")));
        check("/a/*/b", "/c", None);
        check("/a/x:id", "/c", None);
        check("/a b", "/c\nd", Some(("/a%20b", "/c%20d")));
    }
}
