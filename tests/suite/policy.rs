//! What pages of a bundle may load and ask, and what an export says about it.

use serde_json::Value;

use crate::suite::site::{Exported, SiteTest};

const ASKS: &str = "export const Stars = () => {\n  const [n, set] = useState(0);\n  useEffect(() => { fetch('https://api.x.example/stars').then(set) }, []);\n  return <b>{n}</b>\n};\n\n<Stars/>";

/// The policy of a page, which has to stand before anything that loads.
#[track_caller]
fn policy<'e>(exported: &'e Exported, path: &str) -> &'e str {
    let html = exported.text_of(path);
    let at = html
        .find("<meta http-equiv=\"Content-Security-Policy\" content=\"")
        .unwrap_or_else(|| panic!("{path} has no policy"));
    for mark in ["<link", "<script", "<style", "<title", "<body", "src="] {
        assert!(html.find(mark).is_none_or(|other| at < other), "{path}: {mark} stands before the policy");
    }
    html[at..].split('"').nth(3).expect("content")
}

#[test]
fn every_page_of_an_air_gapped_bundle_is_held_to_it() {
    let config = r##"{"theme": "mint", "name": "T", "colors": {"primary": "#0F766E"}, "navigation": {"pages": ["index", "guides/a"]}, "redirects": [{"source": "/old", "destination": "/guides/a"}]}"##;
    let site = SiteTest::pages(&[("index", "See [a page](/demo.html)."), ("guides/a", "Text.")])
        .file("docs.json", config)
        .file("demo.html", "<!doctype html><html><head><script src=\"demo.js\"></script></head><body>x</body></html>")
        .arg("--offline")
        .other_diagnostics()
        .run();
    let pages: Vec<&str> = site.html().collect();
    for needed in ["index.html", "guides/a.html", "404.html", "old.html", "demo.html"] {
        assert!(pages.contains(&needed), "{needed} is not in {pages:?}");
    }
    for page in pages {
        let policy = policy(&site, page);
        assert!(policy.starts_with("default-src 'none'; script-src 'self' "), "{page}: {policy}");
        assert!(!policy.contains('*') && !policy.contains("http"), "{page}: {policy}");
        for directive in [
            "connect-src 'self'",
            "form-action 'self'",
            "base-uri 'self'",
            "frame-src 'self'",
            "worker-src blob:",
            "img-src 'self' data: blob:",
        ] {
            assert!(policy.contains(directive), "{page}: {directive}: {policy}");
        }
    }
    // the one script in a page is known by its digest: no other runs
    assert!(!policy(&site, "index.html").contains("script-src 'self' 'unsafe-inline'"));
}

#[test]
fn requests_of_components_are_counted_and_blocked() {
    let site =
        SiteTest::pages(&[("index", ASKS)]).arg("--offline").diagnostic("component-request", "index.mdx:7").run();
    assert_eq!(
        (&site.report["outside"]["componentRequests"], &site.report["outside"]["requestsBlocked"]),
        (&Value::from(1), &Value::from(true))
    );
}

#[test]
fn a_deployment_that_lets_components_ask_says_so() {
    let site = SiteTest::pages(&[("index", ASKS)])
        .arg("--offline")
        .arg("--deployment")
        .arg("cloud")
        .diagnostic("component-request", "index.mdx:7")
        .run();
    assert_eq!(
        (&site.report["outside"]["componentRequests"], &site.report["outside"]["requestsBlocked"]),
        (&Value::from(1), &Value::from(false))
    );
    let policy = policy(&site, "index.html");
    assert!(policy.contains("connect-src * data: blob:") && policy.contains("img-src 'self' data: blob:"), "{policy}");
}

#[test]
fn what_somebody_asks_for_is_allowed() {
    let site = |args: &[&str]| {
        args.iter().fold(SiteTest::pages(&[("index", "Text.")]), |site, arg| site.arg(arg)).other_diagnostics().run()
    };
    let pictures = site(&["--vendor", "off"]);
    assert!(policy(&pictures, "index.html").contains("img-src * data: blob:; font-src * data:; media-src * "));
    let search = site(&[
        "--deployment",
        "client-hosted",
        "--feature",
        "search=on",
        "--search-endpoint",
        "https://search.example.com/find",
    ]);
    assert!(policy(&search, "index.html").ends_with("form-action 'self' https: http:"));
    let scripts = site(&["--include-js"]);
    assert!(policy(&scripts, "index.html").contains("script-src 'self' 'unsafe-inline' 'unsafe-eval'"));
}

/// As those in SVG files are.
#[test]
fn inline_drawings_that_load_from_elsewhere_are_told() {
    let sheet = "{`@font-face { font-family: f; src: url(https://x.example/f.woff2) } .a { fill: url(https://x.example/p.svg#x) }`}";
    let drawing = format!(
        "<svg><style>{sheet}</style><image href=\"https://x.example/i.png\" /><rect style={{{{ fill: \"url(https://x.example/s.svg#g)\" }}}} /></svg>"
    );
    // an address in a sheet is no link
    let import = "<svg><style>@import url(https://x.example/a.css);</style><text>here</text></svg>";
    let site = SiteTest::page(&format!("{drawing}\n\n{import}"))
        .arg("--vendor")
        .arg("off")
        .diagnostic("outside-load", "index.mdx:5:")
        .diagnostic("outside-load", "index.mdx:5:")
        .diagnostic("outside-load", "index.mdx:5:")
        .diagnostic("outside-load", "index.mdx:5:")
        .diagnostic("css-import", "index.mdx:7:")
        .element("index", "svg > style:empty")
        .run();
    assert_eq!(site.report["outside"]["loads"]["count"], 4);
    let policy = policy(&site, "index.html");
    assert!(policy.contains("style-src 'self' 'unsafe-inline'"), "no sheet of another host is loaded: {policy}");
}
