//! Files with byte-order marks and in UTF-16: whatever the kind of file, the mark is no part of it.

use super::site::{Exported, SiteTest};

const CONFIG: &str =
    r##"{"theme": "mint", "name": "Ofen", "colors": {"primary": "#0F766E"}, "navigation": {"pages": ["index"]}}"##;
const MARK: char = '\u{feff}';

fn marked(text: &str) -> String {
    format!("{MARK}{text}")
}

fn utf16(text: &str, bytes_of: fn(u16) -> [u8; 2]) -> Vec<u8> {
    marked(text).encode_utf16().flat_map(bytes_of).collect()
}

/// The pages, style sheets and scripts of a bundle hold no mark.
#[track_caller]
fn has_no_mark(site: &Exported) {
    for (path, bytes) in &site.files {
        let is_text = ["html", "css", "md", "txt", "xml"].iter().any(|ending| path.ends_with(&format!(".{ending}")));
        let text = String::from_utf8_lossy(bytes);
        assert!(!is_text || path.starts_with("_offprint/") || !text.contains(MARK), "{path} holds a mark: {text:.200}");
    }
}

#[test]
fn every_file_of_a_site_may_begin_with_a_mark() {
    let api = r#"{"openapi": "3.1.0", "info": {"title": "Ofen", "version": "1"}, "paths": {"/ash": {"get": {"summary": "Ash", "responses": {"200": {"description": "Ok"}}}}}}"#;
    let navigation =
        r#"{"groups": [{"group": "A", "pages": ["index", "cold"]}, {"group": "B", "openapi": "api.json"}]}"#;
    let config = format!(
        r##"{{"theme": "mint", "name": "Ofen", "colors": {{"primary": "#0F766E"}}, "navigation": {navigation}}}"##
    );
    let page = "---\ntitle: Start\n---\n\nimport Part from '/snippets/part.mdx'\nimport { heat } from '/snippets/heat.jsx'\n\n<Part />\n\n{heat} ![A](/a.svg)\n";
    let site = SiteTest::inline("")
        .file("docs.json", marked(&config))
        .file("index.mdx", marked(page))
        .file("cold.md", marked("# Cold\n\nAshes.\n"))
        .file("snippets/part.mdx", marked("## Glow\n\nEmbers.\n"))
        .file("snippets/heat.jsx", marked("export const heat = 'warm';\n"))
        .file("ofen.css", marked(".ofen { color: teal }\n"))
        .file("a.svg", marked("<svg xmlns='http://www.w3.org/2000/svg' width='4' height='4'/>"))
        .file("api.json", marked(api))
        .file(".mintignore", marked("left-out.mdx\n"))
        .file("left-out.mdx", "Not here.")
        .element("index", "h2#glow")
        .text("index", "warm")
        .element("index", "img[width='4']")
        .text("cold", "Ashes.")
        .check(|site| match site.files.keys().any(|path| path.ends_with("ash.html")) {
            true => Vec::new(),
            false => vec!["no page of the operation".to_owned()],
        })
        .no_file("left-out.html")
        .other_diagnostics()
        .run();
    has_no_mark(&site);
    assert_eq!(site.text_of("ofen.css"), ".ofen { color: teal }\n");
    assert_eq!(site.diagnostics.iter().filter(|found| found.code == "file-failed").count(), 0);
}

#[test]
fn style_sheets_may_hold_letters_of_every_kind_anywhere() {
    let sheets = [
        ("mark.css", marked("a{b:c}")),
        ("name.css", ".ü{a:b}\n@import \"x.css\";\u{2028}中{c:d}".to_owned()),
        ("after.css", "/* é */é{a:url(x)é}'é'é".to_owned()),
        ("quoteless.css", "@import é;@import é".to_owned()),
        ("open.css", "a{b:url(\"é".to_owned()),
        ("escape.css", "\\é{content:\"\\é\"}é\\".to_owned()),
    ];
    let sheets = sheets
        .into_iter()
        .fold(SiteTest::inline("").file("docs.json", CONFIG).file("index.mdx", "Here."), |site, (path, css)| {
            site.has_file(path).file(path, css)
        });
    let site = sheets.other_diagnostics().run();
    assert!(site.text_of("name.css").contains("中{c:d}"), "{}", site.text_of("name.css"));
    assert!(site.text_of("after.css").ends_with("'é'é"), "{}", site.text_of("after.css"));
    assert_eq!(site.diagnostics.iter().filter(|found| found.code == "file-failed").count(), 0);
}

#[test]
fn files_in_utf_16_are_read_and_reported() {
    let site = SiteTest::inline("")
        .file("docs.json", utf16(&CONFIG.replace("\"index\"", "\"index\", \"big\""), u16::to_le_bytes))
        .file("index.mdx", utf16("---\r\ntitle: Die Glut\r\n---\r\n\r\nWörter 😀.\r\n", u16::to_le_bytes))
        .file("big.mdx", utf16("---\ntitle: Big\n---\n\nWords.\n", u16::to_be_bytes))
        .file("ofen.css", utf16(".ofen{color:teal}", u16::to_le_bytes))
        .element("index", "h1#page-title")
        .text("index", "Wörter 😀.")
        .text("big", "Words.")
        .diagnostic("not-utf8", "docs.json")
        .diagnostic("not-utf8", "index.mdx")
        .diagnostic("not-utf8", "big.mdx")
        .diagnostic("not-utf8", "ofen.css")
        .run();
    assert_eq!(site.text_of("ofen.css"), ".ofen{color:teal}");
    assert!(site.text_of("index.html").contains("Die Glut"));
}

/// Bytes that are no letters of UTF-8 are told of whatever a page is made of.
#[test]
fn parts_of_pages_in_other_encodings_are_reported() {
    let latin = |text: &str| text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect::<Vec<u8>>();
    let config = CONFIG.replace(r#"["index"]"#, r#"["index", {"group": "B", "openapi": "api.yaml"}]"#);
    let page = "---\ntitle: Start\n---\n\nimport Part from '/snippets/part.mdx'\nimport { Heat } from '/snippets/heat.jsx'\n\n<Part /> <Heat />\n";
    let api = "openapi: 3.1.0\ninfo: {title: Ofen, version: '1'}\npaths:\n  /ash: {get: {summary: Ash, description: K\u{fc}hl, responses: {200: {description: Ok}}}}\n";
    SiteTest::inline("")
        .file("docs.json", config)
        .file("index.mdx", page)
        .file("snippets/part.mdx", latin("Gl\u{fc}hend.\n"))
        .file("snippets/heat.jsx", latin("export const Heat = () => <b>hei\u{df}</b>\n"))
        .file("snippets/unused.jsx", latin("export const Cold = () => <b>k\u{fc}hl</b>\n"))
        .file("api.yaml", latin(api))
        .diagnostic("not-utf8", "snippets/part.mdx")
        .diagnostic("not-utf8", "snippets/heat.jsx")
        .diagnostic("not-utf8", "api.yaml")
        .text("index", "Gl\u{fffd}hend.")
        .run();
}

#[test]
fn parts_and_data_of_other_tools_may_begin_with_a_mark() {
    SiteTest::inline("")
        .file("book.toml", marked("[book]\ntitle = \"Ofen\"\n"))
        .file("src/SUMMARY.md", marked("- [Start](start.md)\n"))
        .file("src/start.md", marked("# Start\n\n{{#include part.md}}\n"))
        .file("src/part.md", marked("## Lehm\n\nWords.\n"))
        .element("start", "h2#lehm")
        .run();
    SiteTest::inline("")
        .file(
            ".vitepress/config.mjs",
            marked("import nav from './nav.json'\nexport default { title: 'Ofen', themeConfig: { sidebar: nav } }\n"),
        )
        .file(".vitepress/nav.json", marked(r#"[{"text": "Glut", "link": "/glut"}]"#))
        .file("index.md", marked("# Start\n\nWords.\n"))
        .file("glut.md", "# Embers\n\nWords.\n")
        .element("index", "#sidebar a[href='glut.html']")
        .other_diagnostics()
        .run();
}
