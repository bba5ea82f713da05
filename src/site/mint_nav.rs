//! The navigation of `mint.json`: one flat list of groups that tabs, anchors and versions pick from by the addresses of their pages.

use super::json::{Json, Member, Value};
use super::mint_json::{Object, renamed};

/// A tab or anchor with the groups that belong to it.
struct Division<'a> {
    json: &'a Json,
    prefix: String,
    groups: Vec<&'a Json>,
}

/// The `navigation` of `docs.json`.
pub(super) fn upgrade(old: &Json) -> Json {
    let groups = items(old, "navigation");
    let mut navigation = Object::new(old.member("navigation").map_or(old.at, |json| json.at));
    let mut global = Object::new(old.at);
    for (key, name, names) in [("tabs", "tabs", TAB), ("anchors", "anchors", ANCHOR)] {
        let divisions = items(old, key);
        if !divisions.is_empty() && divisions.iter().all(|division| is_remote(division)) {
            let links = divisions.iter().filter_map(|division| renamed(Some(division), names).map(one_color)).collect();
            global.set(name, Some(Json::new(old.at, Value::Array(links))));
        }
    }
    let versions = items(old, "versions");
    if versions.is_empty() {
        fill(&mut navigation, old, &groups, None);
    } else if versions.iter().all(|version| is_remote(version)) {
        let links = versions.iter().filter_map(|version| renamed(Some(version), &[("name", "version"), ("url", "href")])).collect();
        global.set("versions", Some(Json::new(old.at, Value::Array(links))));
        fill(&mut navigation, old, &groups, None);
    } else {
        by_version(&mut navigation, old, &versions, &groups);
    }
    navigation.set("global", global.into_some());
    navigation.into_json()
}

const TAB: &[(&str, &str)] = &[("name", "tab"), ("url", "href")];
const ANCHOR: &[(&str, &str)] = &[("name", "anchor"), ("url", "href"), ("icon", "icon"), ("iconType", "iconType"), ("color", "color")];

fn by_version(navigation: &mut Object, old: &Json, versions: &[&Json], groups: &[&Json]) {
    let locale = |version: &Json| version.member("locale").and_then(Json::as_str).is_some();
    let languages = versions.iter().all(|version| locale(version));
    let mut entries = Vec::new();
    for version in versions {
        let Some(name) = version.as_str().or_else(|| version.member("name")?.as_str()) else { continue };
        let mut entry = Object::new(version.at);
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
            fill(&mut entry, old, &own, Some(name));
        }
        entries.push(entry.into_json());
    }
    navigation.set(if languages { "languages" } else { "versions" }, Some(Json::new(old.at, Value::Array(entries))));
}

/// Puts groups into a container: under tabs, under anchors, or as they are.
fn fill(container: &mut Object, old: &Json, groups: &[&Json], version: Option<&str>) {
    let tabs = local(old, "tabs", version);
    if tabs.is_empty() {
        return fill_anchors(container, old, groups, version);
    }
    let (rest, tabs) = assign(tabs, groups);
    let mut entries = Vec::new();
    if !rest.is_empty() {
        let name = old.member("primaryTab").and_then(|tab| tab.member("name")).cloned();
        let mut first = Object::new(old.at);
        first.set("tab", Some(name.unwrap_or_else(|| Json::string(old.at, "Documentation"))));
        fill_anchors(&mut first, old, &rest, version);
        entries.push(first.into_json());
    }
    for tab in tabs {
        let mut entry = Object::new(tab.json.at);
        entry.set("tab", tab.json.member("name").cloned());
        finish_division(&mut entry, &tab, |entry, groups| fill_anchors(entry, old, groups, version));
        entries.push(entry.into_json());
    }
    container.set("tabs", Some(Json::new(old.at, Value::Array(entries))));
}

fn fill_anchors(container: &mut Object, old: &Json, groups: &[&Json], version: Option<&str>) {
    let (rest, anchors) = assign(local(old, "anchors", version), groups);
    let only_links = anchors.iter().all(|anchor| anchor.groups.is_empty() && anchor.json.member("openapi").is_none());
    if only_links {
        container.set("groups", Some(group_list(container_at(groups, old), groups)));
        return;
    }
    let mut entries = Vec::new();
    if !rest.is_empty() {
        let top = old.member("topAnchor");
        let mut first = Object::new(old.at);
        first.set("anchor", Some(top.and_then(|top| top.member("name")).cloned().unwrap_or_else(|| Json::string(old.at, "Documentation"))));
        first.set("icon", Some(top.and_then(|top| top.member("icon")).cloned().unwrap_or_else(|| Json::string(old.at, "book-open"))));
        first.set("groups", Some(group_list(old, &rest)));
        entries.push(first.into_json());
    }
    for anchor in anchors {
        let Some(mut entry) = renamed(Some(anchor.json), &ANCHOR[..1]).map(object_of) else { continue };
        for member in renamed(Some(anchor.json), &ANCHOR[2..]).map(one_color).map(object_of).into_iter().flat_map(|object| object.members) {
            entry.members.push(member);
        }
        finish_division(&mut entry, &anchor, |entry, groups| entry.set("groups", Some(group_list(anchor.json, groups))));
        entries.push(entry.into_json());
    }
    container.set("anchors", Some(Json::new(old.at, Value::Array(entries))));
}

/// The link, API description or groups of a tab or anchor.
fn finish_division(entry: &mut Object, division: &Division<'_>, fill: impl FnOnce(&mut Object, &[&Json])) {
    entry.set("hidden", division.json.member("isDefaultHidden").cloned());
    if is_remote(division.json) {
        entry.set("href", division.json.member("url").cloned());
        return;
    }
    if let Some(openapi) = division.json.member("openapi") {
        let mut source = Object::new(openapi.at);
        source.set("source", Some(openapi.clone()));
        source.set("directory", division.json.member("url").cloned());
        entry.set("openapi", if openapi.as_str().is_some() { source.into_some() } else { Some(openapi.clone()) });
    }
    if !division.groups.is_empty() {
        fill(entry, &division.groups);
    }
}

fn local<'a>(old: &'a Json, key: &str, version: Option<&str>) -> Vec<Division<'a>> {
    let all = items(old, key);
    if all.iter().all(|division| is_remote(division)) {
        return Vec::new();
    }
    let kept = all.into_iter().filter(|division| version.is_none_or(|version| is_of_version(division, version)));
    kept.map(|json| {
        let url = if is_remote(json) { None } else { json.member("url").and_then(Json::as_str) };
        Division { json, prefix: url.unwrap_or_default().trim_matches('/').to_owned(), groups: Vec::new() }
    })
    .collect()
}

/// Gives each group to the division with the longest prefix of its first page; the others are left.
fn assign<'a>(mut divisions: Vec<Division<'a>>, groups: &[&'a Json]) -> (Vec<&'a Json>, Vec<Division<'a>>) {
    let mut rest = Vec::new();
    for group in groups {
        let page = first_page(group).unwrap_or_default().trim_start_matches('/');
        let matches =
            |prefix: &str| !prefix.is_empty() && page.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        let best = divisions.iter_mut().filter(|division| matches(&division.prefix)).max_by_key(|division| division.prefix.len());
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

fn group_list(at: &Json, groups: &[&Json]) -> Json {
    let without_version = |group: &&Json| {
        let members = group.as_object().unwrap_or_default().iter().filter(|member| member.key != "version").cloned();
        Json::new(group.at, Value::Object(members.collect()))
    };
    Json::new(at.at, Value::Array(groups.iter().map(without_version).collect()))
}

fn container_at<'a>(groups: &[&'a Json], old: &'a Json) -> &'a Json {
    groups.first().copied().unwrap_or(old)
}

fn items<'a>(old: &'a Json, key: &str) -> Vec<&'a Json> {
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

/// `color` of an anchor is a colour or `{from, to}`; here it is one pair.
fn one_color(json: Json) -> Json {
    let Json { at, value: Value::Object(members) } = json else { return json };
    let members = members.into_iter().map(|member| {
        if member.key != "color" {
            return member;
        }
        let color = member.json.member("from").cloned().unwrap_or_else(|| member.json.clone());
        let mut pair = Object::new(member.json.at);
        pair.set("light", Some(color.clone()));
        pair.set("dark", Some(color));
        Member { json: pair.into_json(), ..member }
    });
    Json::new(at, Value::Object(members.collect()))
}

fn object_of(json: Json) -> Object {
    let mut object = Object::new(json.at);
    if let Value::Object(members) = json.value {
        object.members = members;
    }
    object
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::json::parse;

    #[track_caller]
    fn check(old: &str, expect: &str) {
        let new = upgrade(&parse(old, 0).unwrap().json).to_value();
        let expect: serde_json::Value = serde_json::from_str(expect).unwrap();
        assert_eq!(new, expect, "{new}");
    }

    #[test]
    fn groups_alone() {
        check(r#"{"navigation": [{"group": "", "pages": ["a"], "version": "v1"}]}"#, r#"{"groups": [{"group": "", "pages": ["a"]}]}"#);
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
    fn versions_filter_groups() {
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
