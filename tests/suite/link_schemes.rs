//! Every setting that becomes an address, with schemes that no bundle leads to, in the spellings that browsers read as
//! them: nothing of a page leads there, and what is not used is told.

use crate::suite::site::SiteTest;

/// Spellings in a text of JSON or YAML.
const SPELLINGS: [&str; 6] =
    ["javascript:", "JaVaScRiPt:", " java\\tscript:", "java\\nscript:", "vbscript:", "data:text/html,"];

/// `@name@` stands for an address with the scheme.
const CONFIG: &str = r##"{
    "theme": "mint", "name": "T", "colors": {"primary": "#0F766E"}, "favicon": "@favicon@",
    "logo": {"light": "@light@", "dark": "@dark@", "href": "@logo@"},
    "navbar": {"links": [{"label": "A", "href": "@navbar@"}], "primary": {"type": "button", "label": "B", "href": "@primary@"}},
    "footer": {"socials": {"x": "@x@", "website": "@website@"}, "links": [{"header": "H", "items": [{"label": "L", "href": "@footer@"}]}]},
    "banner": {"content": "[a](@banner@)"},
    "seo": {"metatags": {"canonical": "@canonical@", "og:image": "@image@", "og:url": "@url@", "og:video": "@video@"}},
    "background": {"image": "@background@"},
    "redirects": [{"source": "/old", "destination": "@old@"}, {"source": "/all/:rest*", "destination": "@all@"}],
    "contextual": {"options": ["copy", {"title": "C", "description": "D", "icon": "play", "href": "@option@"}, {"title": "E", "description": "D", "icon": "@icon@", "href": {"base": "@base@", "query": [{"key": "a", "value": "b"}]}}]},
    "api": {"mdx": {"server": "@mdx@"}},
    "navigation": {"global": {"anchors": [{"anchor": "G", "href": "@anchor@"}]}, "tabs": [
        {"tab": "T", "groups": [{"group": "A", "pages": ["index", "outside", "hand"]}, {"group": "B", "openapi": "api.json"}]}, {"tab": "L", "href": "@tab@"}]}
}"##;

const FRONT: &str = r#"---
title: T
canonical: "@canonical@"
"og:image": "@image@"
"og:url": "@url@"
"twitter:player": "@player@"
related: ["@related@"]
---

"#;

const BODY: &str = r#"<Card title="c" href="@card@" img="@img@">x</Card> <Tile href="@tile@" title="t">x</Tile> <Tooltip tip="t" cta="c" href="@tip@">x</Tooltip>

<a href="@a@">x</a> <img src="@src@"/> <iframe src="@frame@"/> <video src="@video@" poster="@poster@"/> <form action="@form@"><button formAction="@button@">x</button></form> <object data="@object@"/>

[x](<@md@>) ![x](<@picture@>)

[y][r]

[r]: <@definition@>

export const address = "@expression@";

<a href={address}>e</a>

The end.
"#;

const API: &str = r#"{
    "openapi": "3.1.0", "info": {"title": "T", "version": "1", "termsOfService": "@terms@", "contact": {"name": "C", "url": "@contact@"}, "license": {"name": "L", "url": "@license@"}},
    "externalDocs": {"url": "@docs@"}, "servers": [{"url": "@server@"}], "tags": [{"name": "g", "externalDocs": {"url": "@tag@"}}],
    "paths": {"/p": {"get": {"tags": ["g"], "description": "[x](<@words@>)", "externalDocs": {"url": "@more@"}, "servers": [{"url": "@own@"}, {"url": "https://ofen.example"}], "security": [{"o": []}, {"i": []}],
        "x-mint": {"href": "/api/get"},
        "responses": {"200": {"description": "ok", "content": {"application/json": {"schema": {"type": "object", "externalDocs": {"url": "@schema@"}, "properties": {"a": {"type": "string", "externalDocs": {"url": "@property@"}}}}}}}}}}},
    "components": {"securitySchemes": {"o": {"type": "oauth2", "flows": {"authorizationCode": {"authorizationUrl": "@authorization@", "tokenUrl": "@token@", "scopes": {}}}}, "i": {"type": "openIdConnect", "openIdConnectUrl": "@connect@"}}}
}"#;

/// Replaces the names, and says which ones stand in an address: `n_name_`.
fn spelled(text: &str, scheme: &str) -> String {
    let mut out = String::new();
    for (at, part) in text.split('@').enumerate() {
        out.push_str(&if at % 2 == 0 { part.to_owned() } else { format!("{scheme}n_{part}_()") });
    }
    out
}

#[test]
fn no_setting_leads_to_a_program() {
    for scheme in SPELLINGS {
        // what would end a line or a code span in Markdown is none there
        let in_text = scheme.replace("\\t", "").replace("\\n", "").trim().to_owned();
        let exported = SiteTest::page("")
            .file("docs.json", spelled(CONFIG, scheme))
            .file("index.mdx", spelled(FRONT, scheme) + &spelled(BODY, &in_text))
            .file("outside.mdx", spelled("---\ntitle: O\nurl: \"@outside@\"\n---\n", scheme))
            .file("hand.mdx", "---\ntitle: H\napi: GET /hand\n---\n\nText.\n")
            .file("api.json", spelled(API, scheme))
            .arg("--domain")
            .arg("ofen.example")
            .other_diagnostics()
            .run();
        let mut wrong = Vec::new();
        for path in exported.html() {
            let page = exported.page(path.trim_end_matches(".html"));
            for element in page.select("*") {
                for (name, value) in element.value().attrs() {
                    let read: String = value.chars().filter(|c| *c > ' ').collect::<String>().to_lowercase();
                    let leads = ["javascript:", "vbscript:", "data:text"]
                        .iter()
                        .any(|scheme| read.starts_with(scheme) || read.contains(&format!("url={scheme}")));
                    if leads {
                        wrong.push(format!("{path}: <{} {name}=\"{value}\">", element.value().name()));
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{scheme}: {wrong:#?}");
        assert!(exported.page("index").content_text().contains("The end."), "{scheme}");
        let words: Vec<String> =
            exported.diagnostics.iter().map(|it| format!("{} {} {}", it.code, it.file, it.message)).collect();
        for told in [
            "refused-link docs.json `seo.metatags.canonical`",
            "refused-link docs.json `seo.metatags.og:url`",
            "refused-link docs.json `seo.metatags.og:video`",
            "refused-link docs.json `redirects[0].destination`",
            "refused-link docs.json `redirects[1].destination`",
            "front-matter-value index.mdx `canonical`",
            "refused-link index.mdx `og:url`",
            "refused-link index.mdx `twitter:player`",
        ] {
            assert!(words.iter().any(|word| word.starts_with(told)), "{scheme}: {told}: {words:#?}");
        }
        let sent = String::from_utf8_lossy(exported.files.get("_redirects").map_or(&[], Vec::as_slice)).to_lowercase();
        assert!(!sent.contains("script:") && !sent.contains("data:"), "{scheme}: {sent}");
    }
}
