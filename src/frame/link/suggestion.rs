//! What to do about a link that leads nowhere.

use rustc_hash::FxHashMap;

use base::PageId;
use load::Site;
use site::ConfigKind;

use super::page;

/// Pages by the last part of their names, without regard to case; `None` for parts that several pages end in.
pub(super) type Endings = FxHashMap<String, Option<PageId>>;

/// The endings of the pages that are exported.
pub(super) fn endings(site: &Site, exported: impl Fn(PageId) -> bool) -> Endings {
    let mut endings = Endings::default();
    for page in (0..site.pages.len() as u32).map(PageId).filter(|page| exported(*page)) {
        endings.entry(ending(&site.page(page).slug)).and_modify(|only| *only = None).or_insert(Some(page));
    }
    endings
}

/// The last part of a name; that of its folder for an index page.
fn ending(path: &str) -> String {
    let path = path.trim_end_matches('/');
    let path = super::strip_extension(path);
    let path = path.strip_suffix("/index").unwrap_or(path);
    path.rsplit('/').next().unwrap_or_default().to_lowercase()
}

/// What the author may have meant, or may do.
pub(super) fn suggest(href: &str, site: &Site, endings: &Endings) -> String {
    let path = page::decoded_path(href);
    if is_mail(&path) {
        return format!("write `mailto:{}` to link to an email address", page::display_link_address(path.trim()));
    }
    if is_host(&path) {
        return "write `https://` before the address of another site".to_owned();
    }
    if site.kind == ConfigKind::Plain && path.starts_with("../../") && is_part_of_github(&path) {
        return "write the full address: this page exists only on GitHub".to_owned();
    }
    if let Some(Some(meant)) = endings.get(&ending(&path)) {
        return format!("did you mean the page `{}`?", site.page(*meant).slug);
    }
    match site.kind {
        ConfigKind::Plain => "correct the path".to_owned(),
        ConfigKind::Docs => "correct the path, or add a redirect to docs.json".to_owned(),
        ConfigKind::Mint => "correct the path, or add a redirect to mint.json".to_owned(),
    }
}

/// `somebody@example.com`, but not `@scope/package`.
fn is_mail(path: &str) -> bool {
    path.trim()
        .split_once('@')
        .is_some_and(|(name, host)| !name.is_empty() && host.contains('.') && !path.contains(['/', ' ']))
}

/// `www.example.com/page` and `example.com`: the names of sites that links lead to most.
fn is_host(path: &str) -> bool {
    let host = path.split('/').next().unwrap_or_default();
    let known = ["com", "org", "net", "io", "dev", "ai", "app", "co"];
    host.rsplit_once('.').is_some_and(|(name, end)| {
        !name.is_empty() && !name.starts_with('.') && (known.contains(&end) || name.starts_with("www."))
    })
}

/// `../../issues`: what GitHub shows beside the files of a repository.
fn is_part_of_github(href: &str) -> bool {
    let part = href.trim_start_matches("../").split('/').next().unwrap_or_default();
    matches!(
        part,
        "issues"
            | "pulls"
            | "pull"
            | "discussions"
            | "releases"
            | "actions"
            | "wiki"
            | "graphs"
            | "security"
            | "stargazers"
            | "commits"
            | "tags"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use load::{LoadOptions, load_site};

    #[track_caller]
    fn check(href: &str, expect: &str) {
        let docs =
            r##"{"theme": "mint", "name": "N", "colors": {"primary": "#000"}, "navigation": {"pages": ["index"]}}"##;
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("docs.json"), docs).unwrap();
        for page in ["index.mdx", "guides/Start.mdx", "api/errors.mdx", "sdk/errors.mdx", "deploy/index.mdx"] {
            let page = folder.path().join(page);
            std::fs::create_dir_all(page.parent().unwrap()).unwrap();
            std::fs::write(page, "").unwrap();
        }
        let it = load_site(folder.path(), &LoadOptions::default()).unwrap();
        assert_eq!(suggest(href, &it.site, &endings(&it.site, |_| true)), expect, "{href}");
    }

    #[test]
    fn the_page_that_is_meant_is_named() {
        check("/guide/start", "did you mean the page `guides/Start`?");
        check("start.md#x", "did you mean the page `guides/Start`?");
        check("/old/deploy/", "did you mean the page `deploy/index`?");
        // two could be meant
        check("/reference/errors", "correct the path, or add a redirect to docs.json");
        check("/gone", "correct the path, or add a redirect to docs.json");
    }

    #[test]
    fn addresses_without_a_scheme_are_known() {
        check("help@example.com", "write `mailto:help@example.com` to link to an email address");
        for href in ["www.example.de/start", "example.com", "docs.example.io/a?b#c"] {
            check(href, "write `https://` before the address of another site");
        }
        for href in ["@scope/package", "notes.io.md", "../example", "/example.com"] {
            check(href, "correct the path, or add a redirect to docs.json");
        }
    }
}
