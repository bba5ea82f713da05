//! `mint.json`, the older configuration, rewritten as `docs.json`: one reader for both. Values keep their places, so
//! problems show the author's lines.

use super::json::{Json, JsonValue};
use super::mint_nav;
use super::object::{ObjectBuilder, renamed};

/// The `docs.json` that says what a `mint.json` says. Keys without a counterpart are handed on and reported by the
/// reader.
pub fn upgrade(old: &Json) -> Json {
    let Some(members) = old.as_object() else { return old.clone() };
    let mut new = ObjectBuilder::new(old.at);
    new.set("theme", theme(old));
    new.set("colors", convert_colors(old));
    new.set("background", background(old));
    new.set("styling", convert_styling(old));
    new.set("api", api(old));
    new.set("appearance", renamed(old.member("modeToggle"), &[("default", "default"), ("isHidden", "strict")]));
    new.set("navbar", convert_navbar(old));
    new.set("footer", convert_footer(old));
    new.set("fonts", old.member("font").map(fonts));
    new.set("seo", convert_seo(old));
    new.set("navigation", Some(mint_nav::upgrade(old)));
    for member in members {
        // converted above, or without effect in a bundle
        const DONE: [&str; 28] = [
            "theme",
            "layout",
            "colors",
            "backgroundImage",
            "background",
            "eyebrow",
            "codeBlock",
            "openapi",
            "asyncapi",
            "api",
            "modeToggle",
            "topbarLinks",
            "topbarCtaButton",
            "footer",
            "footerSocials",
            "font",
            "metadata",
            "seo",
            "navigation",
            "tabs",
            "anchors",
            "primaryTab",
            "topAnchor",
            "versions",
            "analytics",
            "integrations",
            "topbar",
            "rounded",
        ];
        if !DONE.contains(&member.key.as_str()) {
            new.members.push(member.clone());
        }
    }
    new.into_json()
}

fn theme(old: &Json) -> Option<Json> {
    let written = old.member("theme").or_else(|| old.member("layout"));
    let name = match (old.member("theme").and_then(Json::as_str), old.member("layout").and_then(Json::as_str)) {
        (Some("venus"), _) => "palm",
        (Some("quill"), _) | (_, Some("solidSidenav")) => "willow",
        (_, Some("sidenav")) => "maple",
        _ => "mint",
    };
    Some(Json::string(written.map_or(old.at, |json| json.at), name))
}

fn convert_colors(old: &Json) -> Option<Json> {
    renamed(old.member("colors"), &[("primary", "primary"), ("light", "light"), ("dark", "dark")])
}

fn background(old: &Json) -> Option<Json> {
    let mut new = ObjectBuilder::new(old.at);
    new.set("image", old.member("backgroundImage").cloned());
    new.set("decoration", old.member("background").and_then(|background| background.member("style")).cloned());
    let colors = old.member("colors").and_then(|colors| colors.member("background"));
    new.set("color", renamed(colors, &[("light", "light"), ("dark", "dark")]));
    new.into_some()
}

fn convert_styling(old: &Json) -> Option<Json> {
    let mut new = ObjectBuilder::new(old.at);
    new.set("eyebrows", old.member("eyebrow").and_then(|eyebrow| eyebrow.member("display")).cloned());
    if let Some(mode) = old.member("codeBlock").and_then(|code| code.member("mode")) {
        let style = if mode.as_str() == Some("dark") { "dark" } else { "system" };
        new.set("codeblocks", Some(Json::string(mode.at, style)));
    }
    new.into_some()
}

fn api(old: &Json) -> Option<Json> {
    let mut new = ObjectBuilder::new(old.at);
    new.set("openapi", old.member("openapi").cloned());
    new.set("asyncapi", old.member("asyncapi").cloned());
    let Some(api) = old.member("api") else { return new.into_some() };
    if let Some(playground) = api.member("playground") {
        let mut display = ObjectBuilder::new(playground.at);
        let mode = playground.member("mode").and_then(|mode| Some((mode.at, mode.as_str()?)));
        display.set(
            "display",
            mode.map(|(at, mode)| {
                Json::string(
                    at,
                    if mode == "hide" {
                        "none"
                    } else if mode == "simple" {
                        mode
                    } else {
                        "interactive"
                    },
                )
            }),
        );
        let proxy = playground.member("disableProxy").and_then(|off| Some((off.at, off.as_bool()?)));
        display.set("proxy", proxy.map(|(at, off)| Json::new(at, JsonValue::Bool(!off))));
        new.set("playground", display.into_some());
    }
    let languages = api
        .member("request")
        .and_then(|request| request.member("example"))
        .and_then(|example| example.member("languages"));
    if let Some(languages) = languages {
        let mut examples = ObjectBuilder::new(languages.at);
        examples.set("languages", Some(languages.clone()));
        new.set("examples", examples.into_some());
    }
    let mut mdx = ObjectBuilder::new(api.at);
    mdx.set("server", api.member("baseUrl").cloned());
    mdx.set("auth", renamed(api.member("auth"), &[("method", "method"), ("name", "name")]));
    new.set("mdx", mdx.into_some());
    new.into_some()
}

fn convert_navbar(old: &Json) -> Option<Json> {
    let mut new = ObjectBuilder::new(old.at);
    if let Some(links) = old.member("topbarLinks")
        && let Some(items) = links.as_array()
    {
        let items = items.iter().filter_map(|link| topbar_link(link, "github")).collect();
        new.set("links", Some(Json::new(links.at, JsonValue::Array(items))));
    }
    new.set("primary", old.member("topbarCtaButton").and_then(|button| topbar_link(button, "button")));
    new.into_some()
}

/// A link of the old top bar: `type` is `github` or `link`; `otherwise` is what a plain one becomes (`button` for the
/// last).
fn topbar_link(link: &Json, otherwise: &str) -> Option<Json> {
    let kind = link.member("type").and_then(Json::as_str);
    let mut new = ObjectBuilder::new(link.at);
    if kind == Some("github") || otherwise == "button" {
        new.set("type", Some(Json::string(link.at, kind.filter(|kind| *kind == "github").unwrap_or(otherwise))));
    }
    new.set("label", link.member("name").cloned());
    new.set("href", link.member("url").cloned());
    new.into_some()
}

fn convert_footer(old: &Json) -> Option<Json> {
    let footer = old.member("footer");
    let mut new = ObjectBuilder::new(footer.map_or(old.at, |footer| footer.at));
    new.set(
        "socials",
        footer.and_then(|footer| footer.member("socials")).or_else(|| old.member("footerSocials")).map(convert_socials),
    );
    if let Some(columns) = footer.and_then(|footer| footer.member("links"))
        && let Some(items) = columns.as_array()
    {
        new.set(
            "links",
            Some(Json::new(columns.at, JsonValue::Array(items.iter().filter_map(footer_column).collect()))),
        );
    }
    new.into_some()
}

/// Either an object already, or a list of `{type, url}`.
fn convert_socials(old: &Json) -> Json {
    let Some(items) = old.as_array() else { return old.clone() };
    let mut new = ObjectBuilder::new(old.at);
    for item in items {
        if let Some(kind) = item.member("type").and_then(Json::as_str) {
            new.set(kind, item.member("url").cloned());
        }
    }
    new.into_json()
}

fn footer_column(old: &Json) -> Option<Json> {
    let mut new = ObjectBuilder::new(old.at);
    new.set("header", old.member("title").cloned());
    if let Some(links) = old.member("links")
        && let Some(items) = links.as_array()
    {
        let items =
            items.iter().filter_map(|link| renamed(Some(link), &[("label", "label"), ("url", "href")])).collect();
        new.set("items", Some(Json::new(links.at, JsonValue::Array(items))));
    }
    new.into_some()
}

fn fonts(old: &Json) -> Json {
    let font = |old: &Json| {
        const NAMES: [(&str, &str); 4] =
            [("family", "family"), ("weight", "weight"), ("url", "source"), ("format", "format")];
        renamed(Some(old), &NAMES).unwrap_or_else(|| old.clone())
    };
    if old.member("headings").is_none() && old.member("body").is_none() {
        return font(old);
    }
    let mut new = ObjectBuilder::new(old.at);
    new.set("heading", old.member("headings").map(font));
    new.set("body", old.member("body").map(font));
    new.into_json()
}

fn convert_seo(old: &Json) -> Option<Json> {
    let mut new = ObjectBuilder::new(old.at);
    new.set("metatags", old.member("metadata").cloned());
    let hidden = old.member("seo").and_then(|seo| seo.member("indexHiddenPages"));
    if let Some(hidden) = hidden {
        new.set(
            "indexing",
            Some(Json::string(hidden.at, if hidden.as_bool() == Some(true) { "all" } else { "navigable" })),
        );
    }
    new.into_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse_json;

    #[track_caller]
    fn check(old: &str, expect: &str) {
        let new = upgrade(&parse_json(old, 0).unwrap().json).to_value();
        let expect: serde_json::Value = serde_json::from_str(expect).unwrap();
        for (key, value) in expect.as_object().unwrap() {
            assert_eq!(new.get(key), Some(value), "{key} of {new}");
        }
    }

    #[test]
    fn looks() {
        check(r#"{"theme": "venus"}"#, r#"{"theme": "palm"}"#);
        check(r#"{"theme": "prism", "layout": "sidenav"}"#, r#"{"theme": "maple"}"#);
        check(
            r##"{"colors": {"primary": "#123456", "background": {"dark": "#000"}, "anchors": {}}, "backgroundImage": "/b.png", "background": {"style": "grid"}}"##,
            r##"{"colors": {"primary": "#123456"}, "background": {"image": "/b.png", "decoration": "grid", "color": {"dark": "#000"}}}"##,
        );
        check(
            r#"{"modeToggle": {"default": "dark", "isHidden": true}, "codeBlock": {"mode": "auto"}, "font": {"headings": {"family": "A", "url": "u"}}}"#,
            r#"{"appearance": {"default": "dark", "strict": true}, "styling": {"codeblocks": "system"}, "fonts": {"heading": {"family": "A", "source": "u"}}}"#,
        );
    }

    #[test]
    fn chrome() {
        check(
            r#"{"topbarLinks": [{"name": "A", "url": "/a"}], "topbarCtaButton": {"type": "github", "url": "https://github.com/x"}}"#,
            r#"{"navbar": {"links": [{"label": "A", "href": "/a"}], "primary": {"type": "github", "href": "https://github.com/x"}}}"#,
        );
        check(
            r#"{"footer": {"socials": [{"type": "x", "url": "u"}], "links": [{"title": "T", "links": [{"label": "L", "url": "/l"}]}]}}"#,
            r#"{"footer": {"socials": {"x": "u"}, "links": [{"header": "T", "items": [{"label": "L", "href": "/l"}]}]}}"#,
        );
        check(
            r#"{"footerSocials": {"x": "u"}, "search": {"prompt": "p"}}"#,
            r#"{"footer": {"socials": {"x": "u"}}, "search": {"prompt": "p"}}"#,
        );
    }

    #[test]
    fn interfaces() {
        check(
            r#"{"openapi": "o.json", "api": {"baseUrl": "https://x", "auth": {"method": "key", "name": "k"}, "playground": {"mode": "hide", "disableProxy": true}}}"#,
            r#"{"api": {"openapi": "o.json", "playground": {"display": "none", "proxy": false}, "mdx": {"server": "https://x", "auth": {"method": "key", "name": "k"}}}}"#,
        );
        check(
            r#"{"seo": {"indexHiddenPages": true}, "metadata": {"a": "b"}}"#,
            r#"{"seo": {"metatags": {"a": "b"}, "indexing": "all"}}"#,
        );
    }
}
