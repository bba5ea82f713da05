//! The content security policy that HTML files of a bundle carry in a `<meta>`: what a page may load and connect to,
//! whoever serves it, from a disk as well.
//!
//! `'self'` is the bundle: on `file://` the files beside it, on a host the host. A page of an air-gapped bundle reaches
//! nothing else. `offprint host` sends a stricter policy of its own beside this one (`host::site::policy`); browsers
//! hold a page to both.
//!
//! No policy stops a page from leading its reader elsewhere: links, `location`, `meta refresh`.
//!
//! Firefox (seen in 153) reads ahead while a script blocks its parser or a page is long, and then requests a static
//! `srcset` on another host before the policy of a `<meta>` applies; it requests no `src` that way, and a policy in a
//! response header applies in time. Exports replace or remove such a `srcset` of a page, but an author's own HTML file
//! keeps it.

use std::fmt::Write as _;
use std::sync::OnceLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use super::theme_file::HEAD_SCRIPT;
use base::html;

/// What pages may reach beyond their bundle. By default nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageReach {
    /// Components may send requests to other servers.
    pub connections: bool,
    /// Pictures, films and fonts may stand elsewhere.
    pub media: bool,
    /// A form leads to a search service.
    pub search: bool,
    /// Analytics services load scripts, and whatever these load.
    pub services: bool,
    /// Scripts of the author, which may write scripts into the page and evaluate text.
    pub author_scripts: bool,
}

impl PageReach {
    /// Whether a component cannot send requests to other servers.
    pub fn blocks_requests(self) -> bool {
        !self.connections && !self.services
    }
}

/// The `<meta>` of pages, whose only script in the page is [`HEAD_SCRIPT`].
pub(super) fn policy_for_pages(reach: PageReach) -> String {
    policy_for_page(reach, &[])
}

/// The `<meta>` of a page with a console, which may ask these servers; `None` if that of all pages allows them.
pub(super) fn of_console(reach: PageReach, origins: &[String]) -> Option<String> {
    (reach.blocks_requests() && !origins.is_empty()).then(|| policy_for_page(reach, origins))
}

fn policy_for_page(reach: PageReach, origins: &[String]) -> String {
    static HEAD: OnceLock<String> = OnceLock::new();
    if reach.author_scripts {
        return meta(reach, AUTHOR_SCRIPTS, origins);
    }
    let digest = HEAD.get_or_init(|| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(HEAD_SCRIPT.trim_end()))));
    meta(reach, digest, origins)
}

/// The `<meta>` of other HTML files: stubs of redirects, the page for addresses without one, an author's own. Scripts
/// in them run.
pub fn of_files(reach: PageReach) -> String {
    meta(reach, AUTHOR_SCRIPTS, &[])
}

/// What scripts of authors need.
const AUTHOR_SCRIPTS: &str = "'unsafe-inline' 'unsafe-eval'";

/// `origins`: servers that scripts may ask where they may not ask all.
fn meta(reach: PageReach, scripts: &str, origins: &[String]) -> String {
    let mut policy = String::with_capacity(512);
    if reach.services {
        policy.push_str("default-src * 'unsafe-inline' 'unsafe-eval' data: blob:; object-src 'none'; base-uri 'self'");
    } else {
        let media = if reach.media { "*" } else { "'self'" };
        let own: String = origins.iter().map(|origin| format!(" {origin}")).collect();
        let connections = if reach.connections { "*".to_owned() } else { format!("'self'{own}") };
        // a worker that is a file has a policy of its own, which a static host does not send; one that is made in the
        // page has the page's
        let workers = if reach.connections { "'self' blob:" } else { "blob:" };
        let _ = write!(
            policy,
            "default-src 'none'; script-src 'self' {scripts}; style-src 'self' 'unsafe-inline'; img-src {media} data: blob:; font-src {media} data:; media-src {media} data: blob:; \
             connect-src {connections} data: blob:; frame-src 'self'; worker-src {workers}; manifest-src 'self'; base-uri 'self'; form-action 'self'"
        );
        if reach.search {
            policy.push_str(" https: http:");
        }
    }
    format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">", html::attr(&policy))
}

/// The servers that a policy allows scripts and components of a page to ask beside its own host; `None` if it does not
/// name each of them.
pub fn connections(policy: &str) -> Option<Vec<&str>> {
    let sources = |name: &str| {
        let mut directives = policy.split(';').map(str::trim);
        directives
            .find_map(|directive| directive.strip_prefix(name).filter(|rest| rest.is_empty() || rest.starts_with(' ')))
    };
    let is_inside = |source: &&str| matches!(*source, "'self'" | "'none'" | "data:" | "blob:");
    sources("default-src").filter(|sources| sources.trim() == "'none'")?;
    let connections = sources("connect-src").unwrap_or_default();
    let outside: Vec<&str> = connections.split_whitespace().filter(|source| !is_inside(source)).collect();
    outside.iter().all(|source| is_server(source)).then_some(outside)
}

/// Whether a source of a policy is one server: scheme, host, and a port or none.
fn is_server(source: &str) -> bool {
    let host = source.strip_prefix("https://").or_else(|| source.strip_prefix("http://"));
    host.is_some_and(|host| !host.is_empty() && !host.contains(['*', '/']))
}

/// An author's HTML file with its policy at the start of its head. lol_html would need a handler for everything that
/// opens the body where no tag says so, a text as well as an element: a policy behind that does not count.
pub fn insert(file: &[u8], reach: PageReach) -> Vec<u8> {
    let at = head_start(file);
    let meta = of_files(reach);
    // closed as XHTML requires, too
    let meta = meta.strip_suffix('>').unwrap_or(&meta);
    [&file[..at], meta.as_bytes(), b"/>", &file[at..]].concat()
}

/// Where the head of an HTML file starts: behind what may come before it, before anything that loads.
fn head_start(file: &[u8]) -> usize {
    let mut at = if file.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    loop {
        let rest = &file[at..];
        let space = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let rest = &rest[space..];
        let length = if rest.starts_with(b"<!--") {
            memchr::memmem::find(rest, b"-->").map(|end| end + 3)
        } else if rest.starts_with(b"<!") || rest.starts_with(b"<?") || is_policy_tag(rest, b"html") {
            policy_tag_end(rest)
        } else if is_policy_tag(rest, b"head") {
            return policy_tag_end(rest).map_or(at, |end| at + space + end);
        } else {
            None
        };
        match length {
            Some(length) => at += space + length,
            None => return at,
        }
    }
}

fn is_policy_tag(text: &[u8], name: &[u8]) -> bool {
    let Some(rest) = text.strip_prefix(b"<") else { return false };
    rest.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
        && rest.get(name.len()).is_some_and(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/'))
}

/// Behind the tag that a text starts with; a `>` in quotes is a part of it.
fn policy_tag_end(text: &[u8]) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in text.iter().enumerate() {
        match (quote, byte) {
            (Some(open), byte) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'>') => return Some(at + 1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_reaches_its_bundle_and_nothing_else() {
        let policy = policy_for_pages(PageReach::default());
        assert!(
            policy.starts_with(
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self' 'sha256-"
            ),
            "{policy}"
        );
        assert!(
            !policy.contains('*')
                && !policy.contains("http:")
                && !policy.contains("script-src 'self' 'unsafe-inline'")
                && !policy.contains("unsafe-eval"),
            "{policy}"
        );
        assert!(
            policy.contains("; connect-src 'self' data: blob:; ") && policy.contains("; worker-src blob:; "),
            "{policy}"
        );
        assert!(policy.len() < 450, "{}", policy.len());
        assert!(PageReach::default().blocks_requests());
    }

    #[test]
    fn what_a_deployment_needs_is_allowed_and_no_more() {
        let with = |change: fn(&mut PageReach)| {
            let mut reach = PageReach::default();
            change(&mut reach);
            policy_for_pages(reach)
        };
        let connections = with(|reach| reach.connections = true);
        assert!(
            connections.contains("; connect-src * data: blob:;") && connections.contains("img-src 'self' data: blob:;"),
            "{connections}"
        );
        let media = with(|reach| reach.media = true);
        assert!(media.contains("img-src * data: blob:;") && media.contains("connect-src 'self' "), "{media}");
        assert!(with(|reach| reach.search = true).contains("form-action 'self' https: http:\""));
        assert!(with(|reach| reach.author_scripts = true).contains("script-src 'self' 'unsafe-inline' 'unsafe-eval';"));
        assert!(with(|reach| reach.services = true).contains("default-src * "));
    }

    #[test]
    fn a_policy_is_read_as_it_is_written() {
        let blocks_requests = |policy: &str| connections(policy).is_some_and(|outside| outside.is_empty());
        let blocks = |reach: PageReach| policy_for_pages(reach).split('"').nth(3).is_some_and(blocks_requests);
        assert!(
            blocks(PageReach::default())
                && blocks(PageReach { media: true, author_scripts: true, ..PageReach::default() })
        );
        assert!(
            !blocks(PageReach { connections: true, ..PageReach::default() })
                && !blocks(PageReach { services: true, ..PageReach::default() })
        );
        assert!(
            blocks_requests("default-src 'none'")
                && !blocks_requests("")
                && !blocks_requests("default-src *; connect-src 'self'")
        );
        assert!(
            !blocks_requests("default-src 'none'; connect-src 'self' https:") && !blocks_requests("connect-src 'self'")
        );
    }

    #[test]
    fn a_console_may_ask_its_servers_and_no_others() {
        let servers = ["https://api.example.com".to_owned(), "http://10.0.0.1:8080".to_owned()];
        let policy = of_console(PageReach::default(), &servers).unwrap();
        assert!(
            policy.contains("; connect-src 'self' https://api.example.com http://10.0.0.1:8080 data: blob:; "),
            "{policy}"
        );
        assert_eq!(
            policy.replace(" https://api.example.com http://10.0.0.1:8080", ""),
            policy_for_pages(PageReach::default())
        );
        let allowed = policy.split('"').nth(3).and_then(connections);
        assert_eq!(allowed.unwrap(), ["https://api.example.com", "http://10.0.0.1:8080"]);
        // nothing changes where there are no servers, or where all may be asked
        assert_eq!(of_console(PageReach::default(), &[]), None);
        assert_eq!(of_console(PageReach { connections: true, ..PageReach::default() }, &servers), None);
        let scripts = PageReach { author_scripts: true, ..PageReach::default() };
        assert!(of_console(scripts, &servers).unwrap().contains("'unsafe-eval'; "));
    }

    #[test]
    fn servers_of_a_policy_are_named_one_by_one() {
        let server_count = |sources: &str| {
            connections(&format!("default-src 'none'; connect-src {sources}")).map(|servers| servers.len())
        };
        assert_eq!(
            (server_count("'self'"), server_count("'self' https://a.b:1"), server_count("http://a.b https://c.d")),
            (Some(0), Some(1), Some(2))
        );
        for open in ["https:", "*", "https://*", "https://*.a.b", "wss://a.b", "https://a.b/c", "a.b"] {
            assert_eq!(server_count(open), None, "{open}");
        }
    }

    #[test]
    fn a_file_has_its_policy_before_anything_that_loads() {
        let check = |before: &str, after: &str| {
            let html =
                String::from_utf8(insert(format!("{before}{after}").as_bytes(), PageReach::default())).expect("UTF-8");
            assert!(
                html.strip_prefix(before)
                    .is_some_and(|rest| rest.starts_with("<meta http-equiv=\"Content-Security-Policy\" ")),
                "{html}"
            );
            assert!(html.ends_with(&format!("form-action 'self'\"/>{after}")), "{html}");
        };
        check("<!doctype html>\n<html lang=\"a>b\">\n<head>", "<script src=//a></script></head>");
        check("\u{FEFF}<!-- <head> --><HTML><HEAD data-x='>'>", "<title>x</title>");
        check("<!doctype html>", "\n<header>x</header>");
        check("<html>", "<img src=x>");
        check("", "<img src=x>");
        check("", "");
        check("", "<html lang=");
    }
}
