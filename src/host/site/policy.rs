//! The content security policy of a page: what it holds may run and load, by digest and by host, and nothing else.
//!
//! Pages carry a short script that sets the color scheme before anything is drawn, style sheets of their own where
//! they stand alone, and `style` attributes where authors and diagrams wrote them. Each is allowed by its SHA-256, so
//! that text injected into a page does not run.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use lol_html::html_content::TextType;
use lol_html::{Settings, element, text};
use sha2::{Digest, Sha256};
use url::Url;

use base::html::read_html;
use base::limits::MAX_ORIGINS;
use base::refs::{AddressCoding, Outside, RawAddress, ReferenceKind};

/// Most digests of style sheets and `style` attributes in a policy. A header has to stay within the 4 KiB that proxies
/// keep for all of them. A page or drawing with more, diagrams painted node by node, may have any: styles change colors
/// and places, but load and run nothing that the rest of the policy does not allow.
const MAX_STYLES: usize = 40;
/// Most digests of scripts, most hosts of a kind.
const MAX_SCRIPTS: usize = 16;
const MAX_HOSTS: usize = 16;
/// Most servers of a console, as many as the exporter allows a page.
const MAX_SERVERS: usize = MAX_ORIGINS;

/// Types of scripts that browsers run.
const RUN: [&str; 5] = ["", "module", "text/javascript", "application/javascript", "importmap"];

/// What a text belongs to.
#[derive(Clone, Copy)]
enum Inside {
    Script,
    /// A script of a type that browsers do not run: it needs no entry in the policy.
    Data,
    Style,
}

/// What a page holds that a policy has to allow.
#[derive(Default)]
struct PageNeeds {
    scripts: BTreeSet<String>,
    handlers: BTreeSet<String>,
    styles: BTreeSet<String>,
    attributes: BTreeSet<String>,
    /// Hosts that forms lead to.
    forms: BTreeSet<String>,
    /// The page has a console.
    has_console: bool,
    /// Servers that the console may ask.
    servers: BTreeSet<String>,
}

/// What the scripts of a bundle may ask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Calls {
    /// Any host, as services do.
    pub(super) all: bool,
    /// The servers of a page's console.
    pub(super) consoles: bool,
}

/// The policy of a page.
pub(super) fn page_policy(path: &str, html: &[u8], calls: Calls) -> String {
    let mut found = PageNeeds::read(html);
    found.has_console &= calls.consoles;
    let found = found;
    let outside = Outside::of(path, html);
    let hosts = |kinds: &[ReferenceKind]| hosts(&outside, kinds);
    let mut policy = "default-src 'none'; script-src 'self'".to_owned();
    push_digests(&mut policy, &found.scripts, MAX_SCRIPTS);
    policy.push_str(&hosts(&[ReferenceKind::Script]));
    if !found.handlers.is_empty() {
        policy.push_str("; script-src-attr 'unsafe-hashes'");
        push_digests(&mut policy, &found.handlers, MAX_SCRIPTS);
    }
    push_styles(&mut policy, &found, &hosts(&[ReferenceKind::Style]));
    // what a server answers may be a picture or a film
    let answers = if found.has_console { " blob:" } else { "" };
    let _ = write!(policy, "; img-src 'self' data:{answers}{}", hosts(&[ReferenceKind::Image]));
    let _ = write!(policy, "; font-src 'self' data:{}", hosts(&[ReferenceKind::Font, ReferenceKind::Style]));
    let _ = write!(policy, "; media-src 'self'{answers}{}", hosts(&[ReferenceKind::Media]));
    let frames = hosts(&[ReferenceKind::Frame]);
    if !frames.is_empty() {
        let _ = write!(policy, "; frame-src{frames}");
    }
    let servers = found.servers.iter().filter(|_| found.has_console).take(MAX_SERVERS);
    let servers: String = servers.map(|origin| format!(" {origin}")).collect();
    let _ = write!(policy, "; connect-src 'self'{}{servers}", if calls.all { " https:" } else { "" });
    let forms: String = found.forms.iter().take(MAX_HOSTS).map(|origin| format!(" {origin}")).collect();
    let _ = write!(policy, "; manifest-src 'self'; base-uri 'none'; form-action 'self'{forms}");
    policy + "; frame-ancestors 'self'"
}

/// The policy of a drawing that is shown by itself: it may look as it was drawn, and do nothing.
pub(super) fn of_drawing(svg: &[u8]) -> String {
    let found = PageNeeds::read(svg);
    let mut policy = "default-src 'none'; img-src data:".to_owned();
    push_styles(&mut policy, &found, "");
    policy + "; sandbox"
}

/// The policy of anything else that a browser could take for a page.
pub(super) const OF_DATA: &str = "default-src 'none'; sandbox";

fn push_digests(policy: &mut String, digests: &BTreeSet<String>, most: usize) {
    for digest in digests.iter().take(most) {
        let _ = write!(policy, " 'sha256-{digest}'");
    }
}

fn push_styles(policy: &mut String, found: &PageNeeds, hosts: &str) {
    let PageNeeds { styles, attributes, .. } = found;
    policy.push_str("; style-src 'self'");
    if styles.len() > MAX_STYLES {
        policy.push_str(" 'unsafe-inline'");
    } else {
        push_digests(policy, styles, MAX_STYLES);
    }
    policy.push_str(hosts);
    if attributes.is_empty() {
        return;
    }
    if styles.len() + attributes.len() > MAX_STYLES {
        policy.push_str("; style-src-attr 'unsafe-inline'");
    } else {
        policy.push_str("; style-src-attr 'unsafe-hashes'");
        push_digests(policy, attributes, MAX_STYLES);
    }
}

/// The hosts that a page loads something from, each with a space before it.
fn hosts(outside: &Outside, kinds: &[ReferenceKind]) -> String {
    let urls = outside.loads().filter(|(kind, ..)| kinds.contains(kind)).map(|(_, url, _)| url);
    let origins: BTreeSet<String> = urls.filter_map(|url| origin_of_url(url)).collect();
    origins.into_iter().take(MAX_HOSTS).map(|origin| format!(" {origin}")).collect()
}

/// The host of a whole address, with its scheme and port.
fn origin_of_url(url: &str) -> Option<String> {
    let url = if url.starts_with("//") { Url::parse(&format!("https:{url}")) } else { Url::parse(url) };
    url.ok().filter(|url| matches!(url.scheme(), "http" | "https")).map(|url| url.origin().ascii_serialization())
}

fn script_digest(text: &[u8]) -> String {
    STANDARD.encode(Sha256::digest(text))
}

/// Line ends as a parser of HTML sees them.
fn with_line_feeds(text: &str) -> String {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text.to_owned() }
}

impl PageNeeds {
    fn read(markup: &[u8]) -> Self {
        let found = RefCell::new(Self::default());
        let inline = RefCell::new(String::new());
        let inside = Cell::new(Inside::Style);
        let elements = element!("*", |element| {
            match element.tag_name().as_str() {
                "style" => inside.set(Inside::Style),
                "script" => {
                    let is_run = element
                        .get_attribute("type")
                        .is_none_or(|kind| RUN.contains(&kind.trim().to_ascii_lowercase().as_str()));
                    inside.set(if is_run { Inside::Script } else { Inside::Data });
                }
                _ => {}
            }
            let mut found = found.borrow_mut();
            for attribute in element.attributes() {
                let name = attribute.name();
                let kind = match name.as_str() {
                    "style" => &mut found.attributes,
                    name if name.starts_with("on") => &mut found.handlers,
                    "data-playground" => {
                        found.has_console = true;
                        continue;
                    }
                    "data-connect" => {
                        found.servers.extend(attribute.value().split_ascii_whitespace().filter_map(origin_of_url));
                        continue;
                    }
                    "action" | "formaction" => {
                        found.forms.extend(origin_of_url(
                            &RawAddress::new(attribute.value().as_bytes(), AddressCoding::Markup).url(),
                        ));
                        continue;
                    }
                    _ => continue,
                };
                kind.insert(script_digest(
                    &RawAddress::new(with_line_feeds(&attribute.value()).as_bytes(), AddressCoding::Markup).bytes(),
                ));
            }
            Ok(())
        });
        let texts = text!("script, style", |chunk| {
            inline.borrow_mut().push_str(chunk.as_str());
            if chunk.last_in_text_node() {
                let text = with_line_feeds(&std::mem::take(&mut *inline.borrow_mut()));
                if text.is_empty() {
                    return Ok(());
                }
                // in a drawing a script or a style sheet is text like any other
                let coding =
                    if chunk.text_type() == TextType::Data { AddressCoding::Markup } else { AddressCoding::Plain };
                let digest = script_digest(&RawAddress::new(text.as_bytes(), coding).bytes());
                let mut found = found.borrow_mut();
                match inside.get() {
                    Inside::Script => found.scripts.insert(digest),
                    Inside::Style => found.styles.insert(digest),
                    Inside::Data => false,
                };
            }
            Ok(())
        });
        let settings = Settings::new().append_element_content_handler(elements).append_element_content_handler(texts);
        // what cannot be read is not allowed either
        let _ = read_html(markup, settings);
        found.into_inner()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frame::theme::HEAD_SCRIPT;

    #[track_caller]
    fn check(html: &str, expect: &str) {
        let policy = page_policy("a.html", html.as_bytes(), Calls::default());
        assert!(policy.contains(expect), "{expect}: {policy}");
        assert!(!policy.contains("unsafe-inline") && !policy.contains("unsafe-eval"), "{policy}");
    }

    #[test]
    fn a_plain_page_runs_nothing_but_its_files() {
        check(
            "<p>x</p><script src=a.js></script><script type='application/json'>{}</script>",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;",
        );
    }

    #[test]
    fn the_script_of_every_page_is_allowed_by_its_digest() {
        let script = HEAD_SCRIPT.trim_end();
        check(
            &format!("<script>{script}</script><p>x</p>"),
            &format!("script-src 'self' 'sha256-{}';", script_digest(script.as_bytes())),
        );
    }

    #[test]
    fn styles_and_handlers_are_allowed_one_by_one() {
        check("<style>a{}\r\nb{}</style>", &format!("style-src 'self' 'sha256-{}';", script_digest(b"a{}\nb{}")));
        check(
            "<p style=\"a:&quot;b&quot;\">",
            &format!("style-src-attr 'unsafe-hashes' 'sha256-{}';", script_digest(b"a:\"b\"")),
        );
        check(
            "<script onload='x(\"1\")' src=//h.i/a.js></script>",
            &format!(
                "script-src 'self' https://h.i; script-src-attr 'unsafe-hashes' 'sha256-{}';",
                script_digest(b"x(\"1\")")
            ),
        );
    }

    #[test]
    fn hosts_are_allowed_for_what_is_loaded_from_them() {
        check("<img src=https://a.b/c.png><img src=https://a.b/d.png>", "img-src 'self' data: https://a.b;");
        check("<link rel=stylesheet href=https://f.g/css>", "style-src 'self' https://f.g;");
        check("<form action='https://s.t/find?a=b'>", "form-action 'self' https://s.t;");
        check(
            "<a href=https://a.b/>x</a>",
            "img-src 'self' data:; font-src 'self' data:; media-src 'self'; connect-src 'self';",
        );
    }

    #[test]
    fn a_console_may_ask_its_servers() {
        let page = "<button data-playground=a.js data-connect='https://api.example.com http://10.0.0.1:8080 * x'>Try it</button>";
        let policy = |calls| page_policy("a.html", page.as_bytes(), calls);
        let consoles = Calls { consoles: true, ..Calls::default() };
        let own = "; connect-src 'self' http://10.0.0.1:8080 https://api.example.com;";
        assert!(policy(consoles).contains(own) && policy(consoles).contains("img-src 'self' data: blob:;"));
        // a bundle without a playground has no console, whatever its authors write
        assert!(policy(Calls::default()).contains("; connect-src 'self';"));
        let all = policy(Calls { all: true, consoles: true });
        assert!(all.contains("connect-src 'self' https: http://10.0.0.1:8080 https://api.example.com;"), "{all}");
        check("<p data-connect='https://api.example.com'>", "; connect-src 'self';");
    }

    #[test]
    fn a_policy_stays_short() {
        let many: String = (0..200).map(|n| format!("<p style='top:{n}px'><script>f({n})</script>")).collect();
        let policy = page_policy("a.html", many.as_bytes(), Calls::default());
        assert!(policy.len() < 2_000 && policy.contains("; style-src-attr 'unsafe-inline';"), "{policy}");
        let some: String = (0..MAX_STYLES).map(|n| format!("<p style='top:{n}px'>")).collect();
        assert!(page_policy("a.html", some.as_bytes(), Calls::default()).len() < 3_000);
        check(&some, "; style-src-attr 'unsafe-hashes'");
        let sheets = |count| (0..count).map(|n| format!("<style>a{{top:{n}px}}</style>")).collect::<String>();
        let policy = page_policy("a.html", (sheets(MAX_STYLES) + "<p style='a:b'>").as_bytes(), Calls::default());
        assert!(
            policy.len() < 3_000
                && policy.matches("'sha256-").count() == MAX_STYLES
                && policy.contains("; style-src-attr 'unsafe-inline'"),
            "{policy}"
        );
        let policy = page_policy("a.html", sheets(MAX_STYLES + 1).as_bytes(), Calls::default());
        assert!(policy.contains("; style-src 'self' 'unsafe-inline';"), "{policy}");
    }

    #[test]
    fn drawings_keep_their_looks_and_lose_their_scripts() {
        let policy = of_drawing(
            b"<svg xmlns='http://www.w3.org/2000/svg'><style>a{}</style><script>x</script><g style='b:c'/></svg>",
        );
        assert!(
            policy.contains(&format!(
                "style-src 'self' 'sha256-{}'; style-src-attr 'unsafe-hashes' 'sha256-{}'",
                script_digest(b"a{}"),
                script_digest(b"b:c")
            )),
            "{policy}"
        );
        assert!(!policy.contains("script-src") && policy.ends_with("; sandbox"), "{policy}");
    }
}
