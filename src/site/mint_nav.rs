//! The navigation of `mint.json`: one flat list of groups that tabs, anchors and versions pick from by the addresses of
//! their pages.

use super::json::{Json, JsonValue, Member};
use super::object::{ObjectBuilder, renamed};

/// A tab or anchor with the groups that belong to it.
#[derive(Clone)]
struct Division<'a> {
    json: &'a Json,
    /// It leads to another host, or to an address of the site that no group lies below.
    is_link: bool,
    prefix: String,
    groups: Vec<&'a Json>,
}

/// The `navigation` of `docs.json`.
pub(crate) fn upgrade(old: &Json) -> Json {
    let groups = list_members(old, "navigation");
    let mut navigation = ObjectBuilder::new(old.member("navigation").map_or(old.at, |json| json.at));
    let mut global = ObjectBuilder::new(old.at);
    let tabs = divisions(old, "tabs", None);
    if tabs.iter().all(|tab| tab.is_link) {
        global.set("tabs", global_links(old, &tabs, TAB));
    }
    let versions = list_members(old, "versions");
    if versions.is_empty() {
        fill_container(&mut navigation, &mut global, old, &groups, None);
    } else if versions.iter().all(|version| is_remote(version)) {
        let links = versions
            .iter()
            .filter_map(|version| renamed(Some(version), &[("name", "version"), ("url", "href")]))
            .collect();
        global.set("versions", Some(Json::new(old.at, JsonValue::Array(links))));
        fill_container(&mut navigation, &mut global, old, &groups, None);
    } else {
        by_version(&mut navigation, old, &versions, &groups);
    }
    navigation.set("global", global.into_some());
    navigation.into_json()
}

const TAB: &[(&str, &str)] = &[("name", "tab")];
const ANCHOR: &[(&str, &str)] = &[("name", "anchor"), ("icon", "icon"), ("iconType", "iconType"), ("color", "color")];

fn by_version(navigation: &mut ObjectBuilder, old: &Json, versions: &[&Json], groups: &[&Json]) {
    let locale = |version: &Json| version.member("locale").and_then(Json::as_str).is_some();
    let languages = versions.iter().all(|version| locale(version));
    let mut entries = Vec::new();
    for version in versions {
        let Some(name) = version.as_str().or_else(|| version.member("name")?.as_str()) else { continue };
        let mut entry = ObjectBuilder::new(version.at);
        if languages {
            entry.set("language", version.member("locale").cloned());
        } else {
            entry.set("version", Some(Json::string(version.at, name)));
        }
        entry.set("default", version.member("default").cloned());
        if is_remote(version) {
            entry.set("href", version.member("url").cloned());
        } else {
            let own: Vec<&Json> = groups.iter().copied().filter(|group| is_of_version(group, name)).collect();
            let mut global = ObjectBuilder::new(version.at);
            fill_container(&mut entry, &mut global, old, &own, Some(name));
            entry.set("global", global.into_some());
        }
        entries.push(entry.into_json());
    }
    navigation
        .set(if languages { "languages" } else { "versions" }, Some(Json::new(old.at, JsonValue::Array(entries))));
}

/// Puts groups into a container: under tabs, under anchors, or as they are. Anchors that only link keep their place
/// among anchors with pages; where there are none, or tabs around them, they are part of `global`.
fn fill_container(
    container: &mut ObjectBuilder,
    global: &mut ObjectBuilder,
    old: &Json,
    groups: &[&Json],
    version: Option<&str>,
) {
    let anchors = divisions(old, "anchors", version);
    let tabs = divisions(old, "tabs", version);
    let has_tabs = !divisions(old, "tabs", None).iter().all(|tab| tab.is_link);
    if !has_tabs && fill_anchors(container, old, groups, anchors.clone(), version) {
        return;
    }
    global.set("anchors", global_links(old, &anchors, ANCHOR));
    if !has_tabs {
        return;
    }
    let local: Vec<Division<'_>> = anchors.into_iter().filter(|anchor| !anchor.is_link).collect();
    let (rest, tabs) = assign(tabs, groups);
    let mut entries = Vec::new();
    if !rest.is_empty() {
        let name = old.member("primaryTab").and_then(|tab| tab.member("name")).cloned();
        let mut first = ObjectBuilder::new(old.at);
        first.set("tab", Some(name.unwrap_or_else(|| Json::string(old.at, "Documentation"))));
        fill_anchors(&mut first, old, &rest, local.clone(), version);
        entries.push(first.into_json());
    }
    for tab in tabs {
        let mut entry = ObjectBuilder::new(tab.json.at);
        entry.set("tab", tab.json.member("name").cloned());
        finish_division(&mut entry, &tab, |entry, groups| {
            fill_anchors(entry, old, groups, local.clone(), version);
        });
        entries.push(entry.into_json());
    }
    container.set("tabs", Some(Json::new(old.at, JsonValue::Array(entries))));
}

/// Puts groups under anchors if any of them has some, else as they are; says which.
fn fill_anchors(
    container: &mut ObjectBuilder,
    old: &Json,
    groups: &[&Json],
    anchors: Vec<Division<'_>>,
    version: Option<&str>,
) -> bool {
    let (rest, anchors) = assign(anchors, groups);
    let only_links = anchors.iter().all(|anchor| anchor.groups.is_empty() && anchor.json.member("openapi").is_none());
    if only_links {
        container.set("groups", Some(group_list(container_at(groups, old), groups, version)));
        return false;
    }
    let mut entries = Vec::new();
    if !rest.is_empty() {
        let top = old.member("topAnchor");
        let mut first = ObjectBuilder::new(old.at);
        first.set(
            "anchor",
            Some(
                top.and_then(|top| top.member("name"))
                    .cloned()
                    .unwrap_or_else(|| Json::string(old.at, "Documentation")),
            ),
        );
        first.set(
            "icon",
            Some(top.and_then(|top| top.member("icon")).cloned().unwrap_or_else(|| Json::string(old.at, "book-open"))),
        );
        first.set("groups", Some(group_list(old, &rest, version)));
        entries.push(first.into_json());
    }
    for anchor in anchors {
        let Some(mut entry) = renamed(Some(anchor.json), ANCHOR).map(one_color).map(object_of) else { continue };
        finish_division(&mut entry, &anchor, |entry, groups| {
            entry.set("groups", Some(group_list(anchor.json, groups, version)))
        });
        entries.push(entry.into_json());
    }
    container.set("anchors", Some(Json::new(old.at, JsonValue::Array(entries))));
    true
}

/// The link, API description or groups of a tab or anchor.
fn finish_division(
    entry: &mut ObjectBuilder,
    division: &Division<'_>,
    fill: impl FnOnce(&mut ObjectBuilder, &[&Json]),
) {
    entry.set("hidden", division.json.member("isDefaultHidden").cloned());
    if division.is_link {
        entry.set("href", href(division));
        return;
    }
    if let Some(openapi) = division.json.member("openapi") {
        let mut source = ObjectBuilder::new(openapi.at);
        source.set("source", Some(openapi.clone()));
        source.set("directory", division.json.member("url").cloned());
        entry.set("openapi", if openapi.as_str().is_some() { source.into_some() } else { Some(openapi.clone()) });
    }
    if !division.groups.is_empty() {
        fill(entry, &division.groups);
    }
}

/// The tabs or anchors of a version, still without groups. What no group of any version belongs to is a link.
fn divisions<'a>(old: &'a Json, key: &str, version: Option<&str>) -> Vec<Division<'a>> {
    let read = |json: &'a Json| {
        let is_link = is_remote(json);
        let url = if is_link { None } else { json.member("url").and_then(Json::as_str) };
        Division { json, is_link, prefix: url.unwrap_or_default().trim_matches('/').to_owned(), groups: Vec::new() }
    };
    let (_, all) = assign(list_members(old, key).into_iter().map(read).collect(), &list_members(old, "navigation"));
    let matching =
        all.into_iter().filter(|division| version.is_none_or(|version| is_of_version(division.json, version)));
    matching
        .map(|division| {
            let is_empty =
                division.groups.is_empty() && division.json.member("openapi").is_none() && !division.prefix.is_empty();
            Division { is_link: division.is_link || is_empty, groups: Vec::new(), ..division }
        })
        .collect()
}

/// Those of some divisions that only link, for `global`.
fn global_links(old: &Json, divisions: &[Division<'_>], names: &[(&str, &str)]) -> Option<Json> {
    let link = |division: &Division<'_>| {
        let mut link = renamed(Some(division.json), names).map(one_color).map(object_of)?;
        link.set("hidden", division.json.member("isDefaultHidden").cloned());
        link.set("href", href(division));
        Some(link.into_json())
    };
    let links: Vec<Json> = divisions.iter().filter(|division| division.is_link).filter_map(link).collect();
    (!links.is_empty()).then(|| Json::new(old.at, JsonValue::Array(links)))
}

/// Where a division leads that is a link. Addresses of the site are written without the slash in front.
fn href(division: &Division<'_>) -> Option<Json> {
    let url = division.json.member("url")?;
    Some(if is_remote(division.json) { url.clone() } else { Json::string(url.at, format!("/{}", division.prefix)) })
}

/// Gives each group to the division with the longest prefix of its first page; the others are left.
fn assign<'a>(mut divisions: Vec<Division<'a>>, groups: &[&'a Json]) -> (Vec<&'a Json>, Vec<Division<'a>>) {
    let mut rest = Vec::new();
    for group in groups {
        let page = first_page(group).unwrap_or_default().trim_start_matches('/');
        let matches = |prefix: &str| {
            !prefix.is_empty() && page.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let best = divisions
            .iter_mut()
            .filter(|division| matches(&division.prefix))
            .max_by_key(|division| division.prefix.len());
        match best {
            Some(division) => division.groups.push(group),
            None => rest.push(*group),
        }
    }
    (rest, divisions)
}

/// The first page of a group, at any depth (bounded by the parser's depth).
fn first_page(json: &Json) -> Option<&str> {
    json.member("pages")?.as_array()?.iter().find_map(|entry| entry.as_str().or_else(|| first_page(entry)))
}

fn group_list(at: &Json, groups: &[&Json], version: Option<&str>) -> Json {
    Json::new(at.at, JsonValue::Array(groups.iter().map(|group| without_version(group, version)).collect()))
}

/// A group without its `version`, and without the groups in it that belong to another. Recursion is bounded by the
/// depth of the JSON.
fn without_version(group: &Json, version: Option<&str>) -> Json {
    let Some(members) = group.as_object() else { return group.clone() };
    let members = members.iter().filter(|member| member.key != "version").map(|member| {
        let Some(entries) = member.json.as_array().filter(|_| member.key == "pages") else { return member.clone() };
        let matching = entries.iter().filter(|entry| version.is_none_or(|version| is_of_version(entry, version)));
        let pages = JsonValue::Array(matching.map(|entry| without_version(entry, version)).collect());
        Member { json: Json::new(member.json.at, pages), ..member.clone() }
    });
    Json::new(group.at, JsonValue::Object(members.collect()))
}

fn container_at<'a>(groups: &[&'a Json], old: &'a Json) -> &'a Json {
    groups.first().copied().unwrap_or(old)
}

fn list_members<'a>(old: &'a Json, key: &str) -> Vec<&'a Json> {
    old.member(key).and_then(Json::as_array).map(|items| items.iter().collect()).unwrap_or_default()
}

fn is_remote(json: &Json) -> bool {
    json.member("url").and_then(Json::as_str).is_some_and(|url| url.contains("://") || url.starts_with("mailto:"))
}

/// Whether something belongs to a version: it names it, or none.
fn is_of_version(json: &Json, version: &str) -> bool {
    match json.member("version") {
        None => true,
        Some(own) => own.as_str().is_none_or(|own| own == version),
    }
}

/// `color` of an anchor is a color or `{from, to}`; here it is one pair.
fn one_color(json: Json) -> Json {
    let Json { at, value: JsonValue::Object(members) } = json else { return json };
    let members = members.into_iter().map(|member| {
        if member.key != "color" {
            return member;
        }
        let color = member.json.member("from").cloned().unwrap_or_else(|| member.json.clone());
        let mut pair = ObjectBuilder::new(member.json.at);
        pair.set("light", Some(color.clone()));
        pair.set("dark", Some(color));
        Member { json: pair.into_json(), ..member }
    });
    Json::new(at, JsonValue::Object(members.collect()))
}

fn object_of(json: Json) -> ObjectBuilder {
    let mut object = ObjectBuilder::new(json.at);
    if let JsonValue::Object(members) = json.value {
        object.members = members;
    }
    object
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse_json;

    #[track_caller]
    fn check(old: &str, expect: &str) {
        let new = upgrade(&parse_json(old, 0).unwrap().json).to_value();
        let expect: serde_json::Value = serde_json::from_str(expect).unwrap();
        assert_eq!(new, expect, "{new}");
    }

    #[test]
    fn groups_alone() {
        check(
            r#"{"navigation": [{"group": "", "pages": ["a"], "version": "v1"}]}"#,
            r#"{"groups": [{"group": "", "pages": ["a"]}]}"#,
        );
    }

    #[test]
    fn tabs_pick_groups_by_prefix() {
        check(
            r#"{"tabs": [{"name": "API", "url": "api"}, {"name": "V2", "url": "api/v2"}, {"name": "Blog", "url": "https://b"}],
                "navigation": [{"group": "A", "pages": ["a"]}, {"group": "B", "pages": [{"group": "N", "pages": ["api/v2/x"]}]}, {"group": "C", "pages": ["api/c"]}]}"#,
            r#"{"tabs": [
                {"tab": "Documentation", "groups": [{"group": "A", "pages": ["a"]}]},
                {"tab": "API", "groups": [{"group": "C", "pages": ["api/c"]}]},
                {"tab": "V2", "groups": [{"group": "B", "pages": [{"group": "N", "pages": ["api/v2/x"]}]}]},
                {"tab": "Blog", "href": "https://b"}]}"#,
        );
    }

    #[test]
    fn anchors_that_only_link_are_global() {
        check(
            r##"{"anchors": [{"name": "Blog", "url": "https://b", "icon": "x", "color": {"from": "#111111", "to": "#222222"}}], "navigation": [{"group": "A", "pages": ["a"]}]}"##,
            r##"{"groups": [{"group": "A", "pages": ["a"]}],
                "global": {"anchors": [{"anchor": "Blog", "href": "https://b", "icon": "x", "color": {"light": "#111111", "dark": "#111111"}}]}}"##,
        );
    }

    #[test]
    fn anchors_with_pages() {
        check(
            r#"{"topAnchor": {"name": "Docs"}, "anchors": [{"name": "API", "url": "api", "openapi": "o.json"}], "navigation": [{"group": "A", "pages": ["a"]}, {"group": "B", "pages": ["api/b"]}]}"#,
            r#"{"anchors": [
                {"anchor": "Docs", "icon": "book-open", "groups": [{"group": "A", "pages": ["a"]}]},
                {"anchor": "API", "openapi": {"source": "o.json", "directory": "api"}, "groups": [{"group": "B", "pages": ["api/b"]}]}]}"#,
        );
    }

    #[test]
    fn anchors_that_only_link_stand_beside_tabs() {
        check(
            r#"{"tabs": [{"name": "API", "url": "api"}], "anchors": [{"name": "Chat", "url": "https://c"}, {"name": "SDK", "url": "sdk"}, {"name": "Go", "url": "/go/"}],
                "navigation": [{"group": "A", "pages": ["a"]}, {"group": "B", "pages": ["api/b"]}, {"group": "S", "pages": ["sdk/s"]}]}"#,
            r#"{"tabs": [
                {"tab": "Documentation", "anchors": [
                    {"anchor": "Documentation", "icon": "book-open", "groups": [{"group": "A", "pages": ["a"]}]},
                    {"anchor": "SDK", "groups": [{"group": "S", "pages": ["sdk/s"]}]}]},
                {"tab": "API", "groups": [{"group": "B", "pages": ["api/b"]}]}],
                "global": {"anchors": [{"anchor": "Chat", "href": "https://c"}, {"anchor": "Go", "href": "/go"}]}}"#,
        );
    }

    #[test]
    fn what_no_group_belongs_to_is_a_link() {
        check(
            r#"{"anchors": [{"name": "Go", "url": "/go"}, {"name": "SDK", "url": "sdk"}], "tabs": [{"name": "Blog", "url": "blog"}],
                "navigation": [{"group": "A", "pages": ["a"]}, {"group": "S", "pages": ["sdk/s"]}]}"#,
            r#"{"anchors": [
                {"anchor": "Documentation", "icon": "book-open", "groups": [{"group": "A", "pages": ["a"]}]},
                {"anchor": "Go", "href": "/go"},
                {"anchor": "SDK", "groups": [{"group": "S", "pages": ["sdk/s"]}]}],
                "global": {"tabs": [{"tab": "Blog", "href": "/blog"}]}}"#,
        );
        check(
            r#"{"versions": ["v2", "v1"], "anchors": [{"name": "SDK", "url": "sdk"}, {"name": "Old", "url": "https://o", "version": "v1"}],
                "navigation": [{"group": "A", "pages": ["a"]}, {"group": "S", "pages": ["sdk/s"], "version": "v2"}]}"#,
            r#"{"versions": [
                {"version": "v2", "anchors": [
                    {"anchor": "Documentation", "icon": "book-open", "groups": [{"group": "A", "pages": ["a"]}]},
                    {"anchor": "SDK", "groups": [{"group": "S", "pages": ["sdk/s"]}]}]},
                {"version": "v1", "groups": [{"group": "A", "pages": ["a"]}], "global": {"anchors": [{"anchor": "Old", "href": "https://o"}]}}]}"#,
        );
    }

    #[test]
    fn versions_filter_groups() {
        check(
            r#"{"versions": ["v2", "v1"], "navigation": [{"group": "Top", "pages": ["a", {"group": "N2", "version": "v2", "pages": ["b"]}, {"group": "N1", "version": "v1", "pages": ["c"]}]}]}"#,
            r#"{"versions": [
                {"version": "v2", "groups": [{"group": "Top", "pages": ["a", {"group": "N2", "pages": ["b"]}]}]},
                {"version": "v1", "groups": [{"group": "Top", "pages": ["a", {"group": "N1", "pages": ["c"]}]}]}]}"#,
        );
        check(
            r#"{"versions": ["v2", {"name": "v1"}], "navigation": [{"group": "A", "pages": ["a"], "version": "v1"}, {"group": "B", "pages": ["b"]}]}"#,
            r#"{"versions": [
                {"version": "v2", "groups": [{"group": "B", "pages": ["b"]}]},
                {"version": "v1", "groups": [{"group": "A", "pages": ["a"]}, {"group": "B", "pages": ["b"]}]}]}"#,
        );
        check(
            r#"{"versions": [{"name": "English", "locale": "en", "default": true}], "navigation": []}"#,
            r#"{"languages": [{"language": "en", "default": true, "groups": []}]}"#,
        );
    }
}
