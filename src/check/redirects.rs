//! The redirects that a bundle lists for servers: none may run in a circle or end nowhere.

use rustc_hash::FxHashMap;

use base::Diagnostic;
use frame::link::{TABLE_PATH, has_scheme};

use super::names::{FileNames, LinkPlace};

/// Reads the list of a bundle: `[{"source": …, "destination": …}, …]`, perhaps under `redirects`.
pub(super) fn parse_redirects(json: &serde_json::Value) -> Vec<(String, String)> {
    let list = json.get("redirects").unwrap_or(json);
    let text = |entry: &serde_json::Value, names: [&str; 2]| {
        names.iter().find_map(|name| entry.get(name).and_then(serde_json::Value::as_str)).map(str::to_owned)
    };
    let entries = list.as_array().into_iter().flatten();
    entries.filter_map(|entry| Some((text(entry, ["source", "from"])?, text(entry, ["destination", "to"])?))).collect()
}

/// The files that stand at the old addresses: pages that no link has to lead to.
pub(super) fn stubs(listed: &[(String, String)], names: &FileNames) -> Vec<u32> {
    let place = |from: &str| names.resolve("", &format!("/{}", from.trim_start_matches('/')));
    let files = listed.iter().filter_map(|(from, _)| match place(from) {
        LinkPlace::File(file) | LinkPlace::Extensionless(file) => Some(file),
        _ => None,
    });
    files.collect()
}

/// Checks the list of a bundle against its files.
pub(super) fn check_listed(listed: &[(String, String)], names: &FileNames) -> Vec<Diagnostic> {
    let exists = |path: &str| !matches!(names.resolve("", &format!("/{path}")), LinkPlace::Missing | LinkPlace::Above);
    check_redirects(listed.iter().map(|(from, to)| (from.as_str(), to.as_str())), exists)
}

fn check_redirects<'r>(
    redirects: impl Iterator<Item = (&'r str, &'r str)> + Clone,
    exists: impl Fn(&str) -> bool,
) -> Vec<Diagnostic> {
    let mut by_source: FxHashMap<&str, &str> = FxHashMap::default();
    let mut patterns = Vec::new();
    for (from, to) in redirects.clone() {
        if is_pattern_path(from) {
            patterns.push(from);
        } else {
            by_source.entry(path_of_address(from)).or_insert(to);
        }
    }
    let caught = |path: &str| patterns.iter().any(|pattern| may_match(pattern, path));
    let mut out = Vec::new();
    for (from, to) in redirects {
        let problem = match redirect_end(from, to, &by_source, &exists, &caught) {
            RedirectCheck::Arrives => continue,
            RedirectCheck::Cycle => {
                Diagnostic::error("redirect-cycle", format!("the redirect from `{from}` leads back to itself"))
                    .hint("use a page as the destination")
            }
            RedirectCheck::Nowhere(to) => {
                let message = format!("the redirect from `{from}` leads to `{to}`, which does not exist");
                Diagnostic::error("redirect-dangling", message).hint("correct its destination, or remove it")
            }
        };
        out.push(problem.at(TABLE_PATH, 0, 0));
    }
    out
}

enum RedirectCheck {
    Arrives,
    Cycle,
    Nowhere(String),
}

/// Follows a redirect. What patterns make of an address is left open: they arrive.
fn redirect_end(
    from: &str,
    to: &str,
    by_source: &FxHashMap<&str, &str>,
    exists: &impl Fn(&str) -> bool,
    caught: &impl Fn(&str) -> bool,
) -> RedirectCheck {
    let mut to = to;
    let mut seen = vec![path_of_address(from)];
    loop {
        if has_scheme(to) || to.starts_with("//") || is_pattern_path(to) {
            return RedirectCheck::Arrives;
        }
        let path = path_of_address(to);
        // a page comes before redirects
        if exists(path) {
            return RedirectCheck::Arrives;
        }
        if seen.contains(&path) {
            return RedirectCheck::Cycle;
        }
        seen.push(path);
        match by_source.get(path) {
            Some(next) => to = next,
            None if caught(path) => return RedirectCheck::Arrives,
            None => return RedirectCheck::Nowhere(to.to_owned()),
        }
    }
}

fn is_pattern_path(path: &str) -> bool {
    let path = path.split_once("://").map_or(path, |(_, rest)| rest);
    path.contains('*') || path.contains("/:")
}

/// Whether the fixed beginning of a pattern is that of a path.
fn may_match(pattern: &str, path: &str) -> bool {
    let fixed = pattern.trim_start_matches('/').split(['*', ':']).next().unwrap_or_default();
    path.starts_with(fixed.trim_end_matches('/'))
}

/// The path of an address without slashes around it, query and fragment.
fn path_of_address(address: &str) -> &str {
    address.split(['#', '?']).next().unwrap_or_default().trim_matches('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_codes(redirects: &[(&str, &str)], expect: &[&str]) {
        let found = check_redirects(redirects.iter().copied(), |path| path == "page" || path.is_empty());
        assert_eq!(
            found
                .iter()
                .map(|finding| format!("{} {}", finding.code, finding.message.split('`').nth(1).unwrap_or_default()))
                .collect::<Vec<_>>(),
            expect
        );
    }

    #[test]
    fn redirects_have_to_arrive() {
        check_codes(
            &[("/a", "/page#x"), ("/b", "https://x.y"), ("/c", "/a"), ("/d", "/"), ("/e", "mailto:x@y.z")],
            &[],
        );
        check_codes(
            &[("/a", "/b"), ("/b", "/c"), ("/c", "/a")],
            &["redirect-cycle /a", "redirect-cycle /b", "redirect-cycle /c"],
        );
        check_codes(&[("/a", "/a")], &["redirect-cycle /a"]);
        check_codes(&[("/a", "/gone"), ("/b", "/a")], &["redirect-dangling /a", "redirect-dangling /b"]);
        check_codes(&[("/page", "/gone")], &["redirect-dangling /page"]);
    }

    #[test]
    fn what_patterns_do_is_left_open() {
        check_codes(&[("/old/:slug*", "/new/:slug*"), ("/a", "/old/x"), ("/b*", "/page")], &[]);
        check_codes(&[("/old/:slug*", "/gone")], &["redirect-dangling /old/:slug*"]);
    }

    #[test]
    fn lists_of_bundles_are_read() {
        let list = serde_json::json!({ "redirects": [{ "source": "/a", "destination": "/b" }, { "from": "/c", "to": "/d" }, 3] });
        let expect = [("/a", "/b"), ("/c", "/d")].map(|(from, to)| (from.to_owned(), to.to_owned()));
        assert_eq!(parse_redirects(&list), expect);
    }
}
