//! Drawings that load from elsewhere: from the bundle, or not at all. A drawing is a page when somebody opens it by its
//! own address.

use serde_json::Value;
use tempfile::TempDir;

use crate::suite::servers::{Server, png, reply};
use crate::suite::site::{Exported, SiteTest, fixture, offprint};

/// The addresses that the drawings of a bundle still name, as far as they are no names of vocabularies and no links.
fn named(exported: &Exported) -> Vec<String> {
    let drawings = exported.files.iter().filter(|(path, _)| path.ends_with(".svg"));
    drawings
        .filter(|(_, bytes)| {
            String::from_utf8_lossy(bytes)
                .replace("https://outside.invalid/a-link-stays", "")
                .replace("<!ENTITY outside \"https://outside.invalid\">", "")
                .replace("<!ENTITY sheet \"@import url(https://outside.invalid/entity.css);\">", "")
                .contains("outside.invalid")
        })
        .map(|(path, _)| path.clone())
        .collect()
}

#[test]
fn nothing_is_loaded_from_elsewhere() {
    for mode in [&["--vendor", "off"][..], &["--vendor", "on", "--offline"]] {
        let out = TempDir::new().expect("a folder");
        let bundle = out.path().join("site.zip");
        let exported = offprint()
            .arg("export")
            .arg(fixture("drawings"))
            .arg("-o")
            .arg(&bundle)
            .args(mode)
            .args(["--progress", "none"])
            .output()
            .expect("the program starts");
        let checked =
            offprint().arg("check").arg(&bundle).args(["--format", "json"]).output().expect("the program starts");
        let report: Value = serde_json::from_slice(&checked.stdout).expect("JSON");
        let stderr = String::from_utf8_lossy(&exported.stderr);
        let findings = report["findings"].as_array().expect("a list");
        let loads: Vec<_> = findings
            .iter()
            .filter(|finding| finding["code"] == "outside-load")
            .filter_map(|finding| finding["file"].as_str())
            .collect();
        // the drawing in the page itself is held to what the page may load
        let expect: &[&str] = if mode.contains(&"off") { &["index.html"] } else { &[] };
        assert!(loads.iter().all(|file| expect.contains(file)), "{mode:?}: {stderr}\n{report:#}");
        assert!(mode.contains(&"off") || report["outsideLoads"] == 0, "{report:#}");
    }
}

#[test]
fn what_is_drawn_stays() {
    let site = SiteTest::fixture("drawings").arg("--offline").other_diagnostics().run();
    assert_eq!(named(&site), Vec::<String>::new());
    for (file, part) in [
        ("import.svg", "text { font-family: Inter, sans-serif; fill: teal }"),
        ("font.svg", "g &gt; text { font-family: \"Outside\" }"),
        ("pictures.svg", "filter=\"url(#f)\""),
        ("pictures.svg", "<a href=\"https://outside.invalid/a-link-stays\">"),
        ("attributes.svg", "fill=\"url(#here)\""),
        ("entities.svg", "text { fill: teal }"),
    ] {
        assert!(site.text_of(file).contains(part), "{file}: {}", site.text_of(file));
    }
    assert_eq!(site.page("index").count("main svg text"), 1);
}

#[test]
fn what_is_fetched_is_loaded_from_the_bundle() {
    let server = Server::start(|path, stream| {
        let (kind, body): (&str, &[u8]) = match path {
            "/sheet.css" => ("text/css", b"@font-face{font-family:F;src:url(font.woff2)}"),
            "/font.woff2" => ("font/woff2", b"wOF2 not a font, but marked as one"),
            "/far.svg" => ("image/svg+xml", b"<svg xmlns='http://www.w3.org/2000/svg'><style>@import url(https://outside.invalid/x.css);</style><path d='M0 0'/></svg>"),
            "/a.png" => return reply(stream, "200 OK", "Content-Type: image/png\r\n", &png(40, 30)),
            _ => return reply(stream, "404 Not Found", "", b""),
        };
        reply(stream, "200 OK", &format!("Content-Type: {kind}\r\n"), body);
    });
    let at = |name: &str| server.url(name);
    let drawing = format!(
        "<svg xmlns='http://www.w3.org/2000/svg'><style>@import '{}'; @font-face{{src:url({})}}</style><image href='{}'/><use href='{}#x'/><image href='{}'/></svg>",
        at("/sheet.css"),
        at("/font.woff2"),
        at("/a.png"),
        at("/far.svg"),
        at("/gone.png")
    );
    let cache = TempDir::new().expect("a folder");
    let site = SiteTest::page(&format!("![drawing](/art/drawing.svg) ![far]({})", at("/far.svg")))
        .file("art/drawing.svg", drawing)
        .arg("--vendor")
        .arg("on")
        .arg("--cache-dir")
        .arg(cache.path().to_str().expect("UTF-8"))
        .arg(&format!("--allow-private={}", server.address))
        .diagnostic("remote-asset", "art/drawing.svg")
        .diagnostic("svg-active", "")
        .run();
    let text = site.text_of("art/drawing.svg");
    assert_eq!(text.matches("../_offprint/remote/").count(), 4, "{text}");
    for reference in [
        "@import url(\"../_offprint/remote/",
        "src:url(\"../_offprint/remote/",
        "<image href=\"../_offprint/remote/",
        "<use href=\"../_offprint/remote/",
        ".svg#x\"/>",
        "<image /></svg>",
    ] {
        assert!(text.contains(reference), "{reference}: {text}");
    }
    let far = site
        .files
        .iter()
        .find(|(path, _)| path.starts_with("_offprint/remote/") && path.ends_with(".svg"))
        .expect("the drawing");
    assert!(
        !String::from_utf8_lossy(far.1).contains("outside.invalid") && String::from_utf8_lossy(far.1).contains("M0 0")
    );
    assert_eq!(site.report["outside"]["loads"]["count"], 0);
}
