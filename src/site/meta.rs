//! The keys of front matter, one by one.

use rustc_hash::FxHashSet;

use base::printable::printable;
use base::{Description, Diagnostic};

use super::canonical::{CanonicalTarget, is_refused_tag, refused_tag};
use super::contextual::read_page_contextual;
use super::page::{Endpoint, FrontMatter, PageMode};
use super::values::Icon;
use super::yaml::{Yaml, YamlEntry};

/// Keys with a meaning. Another spelling of one in upper and lower case is taken for it.
const KEYS: [&str; 37] = [
    "title",
    "description",
    "sidebarTitle",
    "sidebar_label",
    "sidebar_position",
    "icon",
    "iconType",
    "tag",
    "mode",
    "url",
    "openapi",
    "openapi-schema",
    "openapi-overview",
    "asyncapi",
    "graphql",
    "sdk",
    "api",
    "authMethod",
    "playground",
    "hideApiMarker",
    "deprecated",
    "hidden",
    "noindex",
    "robots",
    "searchable",
    "boost",
    "keywords",
    "groups",
    "hideFooterPagination",
    "related",
    "timestamp",
    "lastUpdatedDate",
    "rss",
    "canonical",
    "version",
    "public",
    "contextual",
];

/// Meta tags whose names have no colon.
const METATAGS: [&str; 8] = [
    "canonical",
    "author",
    "referrer",
    "theme-color",
    "color-scheme",
    "google",
    "google-site-verification",
    "format-detection",
];

/// Where the front matter stands, and what is wrong with it.
#[derive(Debug)]
pub struct Context<'a> {
    /// Path of the file.
    pub file: &'a str,
    /// Line of the block's first line, from 1.
    pub block_line: u32,
    /// Problems so far.
    pub problems: &'a mut Vec<Diagnostic>,
}

impl Context<'_> {
    fn wrong(&mut self, entry: &YamlEntry, expected: &str) {
        let found = match &entry.value {
            Yaml::Text(text) => format!("`{}`", text.chars().take(60).collect::<String>()),
            Yaml::List(_) => "a list".to_owned(),
            Yaml::Map(_) => "a mapping".to_owned(),
            Yaml::Null => return,
        };
        let message = format!("`{}` must be {expected}, not {found}; it is not used", entry.key);
        self.warn(entry, Diagnostic::new("front-matter-value", message));
    }

    fn warn(&mut self, entry: &YamlEntry, diagnostic: Diagnostic) {
        self.problems.push(diagnostic.at(self.file, self.block_line + entry.line, 1));
    }

    fn text(&mut self, entry: &YamlEntry) -> Option<String> {
        match &entry.value {
            Yaml::Text(text) => Some(printable(text.trim()).into_owned()).filter(|text| !text.is_empty()),
            _ => {
                self.wrong(entry, "text");
                None
            }
        }
    }

    fn flag(&mut self, entry: &YamlEntry) -> Option<bool> {
        match &entry.value {
            Yaml::Text(text) if text.eq_ignore_ascii_case("true") => return Some(true),
            Yaml::Text(text) if text.eq_ignore_ascii_case("false") => return Some(false),
            _ => {}
        }
        self.wrong(entry, "true or false");
        None
    }

    /// One of a list of words.
    fn word(&mut self, entry: &YamlEntry, words: &[&str]) -> Option<String> {
        let text = self.text(entry)?;
        if words.contains(&text.as_str()) {
            return Some(text);
        }
        let (last, others) = words.split_last()?;
        self.wrong(entry, &format!("`{}` or `{last}`", others.join("`, `")));
        None
    }

    fn number(&mut self, entry: &YamlEntry) -> Option<f64> {
        let number = if let Yaml::Text(text) = &entry.value {
            text.trim().parse().ok().filter(|number: &f64| number.is_finite())
        } else {
            None
        };
        if number.is_none() {
            self.wrong(entry, "a number");
        }
        number
    }
}

/// Reads the keys of a page into its front matter and, for API pages, its operation.
pub fn read_page_meta(entries: &[YamlEntry], context: &mut Context<'_>) -> (FrontMatter, Option<Endpoint>) {
    let mut meta = FrontMatter::default();
    let mut endpoint = None;
    let mut icon_type = None;
    let names = entries.iter().map(|entry| entry.key.as_str()).collect();
    for entry in entries {
        match known_key(entry, &names, context) {
            Some("iconType") => icon_type = context.text(entry),
            Some(key @ ("openapi" | "api")) => {
                let named = context.text(entry).and_then(|text| page_endpoint(&text, entry, context));
                let line = if key == "openapi" { context.block_line + entry.line } else { 0 };
                let near = context.file.to_owned();
                endpoint = named.map(|named| Endpoint { line, near, ..named }).or(endpoint);
            }
            Some(key) => set_meta_key(&mut meta, key, entry, context),
            None if is_metatag(&entry.key) => {
                if entry.value.as_text().is_some_and(|content| is_refused_tag(&entry.key, content)) {
                    context.warn(entry, refused_tag(&entry.key));
                } else if let Some(content) = context.text(entry) {
                    meta.metatags.push((entry.key.clone(), content));
                }
            }
            None => {}
        }
    }
    if let Some(icon) = &mut meta.icon {
        icon.style = icon.style.take().or(icon_type);
    }
    (meta, endpoint)
}

/// The key that an entry means: its own name, or one that differs only by case and does not stand in the block itself.
fn known_key(entry: &YamlEntry, names: &FxHashSet<&str>, context: &mut Context<'_>) -> Option<&'static str> {
    if let Some(key) = KEYS.iter().find(|key| **key == entry.key) {
        return Some(key);
    }
    let meant = KEYS.iter().find(|key| key.eq_ignore_ascii_case(&entry.key))?;
    if names.contains(*meant) {
        return None;
    }
    let message = format!("`{}` is read as `{meant}`", entry.key);
    context.warn(entry, Diagnostic::new("front-matter-key", message).hint(format!("write `{meant}`")));
    Some(meant)
}

fn is_metatag(key: &str) -> bool {
    METATAGS.contains(&key)
        || key.starts_with("msapplication-")
        || key.starts_with("apple-")
        || key.split_once(':').is_some_and(|(space, name)| !space.is_empty() && !name.is_empty())
}

fn set_meta_key(meta: &mut FrontMatter, key: &'static str, entry: &YamlEntry, context: &mut Context<'_>) {
    match key {
        "title" => {
            if let Some(title) = context.text(entry) {
                (meta.title, meta.title_given) = (title, true);
            }
        }
        "description" => meta.description = context.text(entry).map(Description::new),
        "sidebarTitle" => meta.sidebar_title = context.text(entry),
        // keys of Docusaurus, which count in plain folders alone
        "sidebar_label" => {
            meta.label = entry.value.as_text().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
        }
        "sidebar_position" => {
            meta.position = entry
                .value
                .as_text()
                .and_then(|text| text.trim().parse().ok())
                .filter(|number: &f64| number.is_finite())
        }
        "icon" => (meta.icon, meta.icon_line) = (read_icon_entry(entry, context), context.block_line + entry.line),
        "tag" => meta.tag = context.text(entry),
        "mode" => meta.mode = mode(entry, context),
        "url" => meta.url = context.text(entry),
        "openapi-schema" | "openapi-overview" | "asyncapi" | "graphql" | "sdk" => {
            meta.reference = reference_text(entry).map(|value| (key.to_owned(), value));
            meta.reference_line = context.block_line + entry.line;
        }
        "authMethod" => meta.auth_method = context.word(entry, &["bearer", "basic", "key", "cobo", "none"]),
        "playground" => meta.playground = context.word(entry, &["interactive", "simple", "none", "auth"]),
        "hideApiMarker" => meta.hide_api_marker = context.flag(entry).unwrap_or(false),
        "deprecated" => meta.deprecated = context.flag(entry).unwrap_or(false),
        "hidden" => meta.hidden = context.flag(entry),
        "noindex" => meta.noindex = context.flag(entry).unwrap_or(false),
        "robots" => meta.robots = context.text(entry),
        "searchable" => meta.searchable = context.flag(entry),
        "boost" => meta.boost = context.number(entry),
        "keywords" => meta.keywords = read_word_list(entry, context),
        "groups" => meta.groups = access_groups(&entry.value),
        "hideFooterPagination" => meta.hide_pagination = context.flag(entry).unwrap_or(false),
        "related" => meta.related = related(entry, context),
        "timestamp" => meta.timestamp = context.flag(entry),
        "lastUpdatedDate" => meta.last_updated = context.text(entry),
        "rss" => meta.rss = context.flag(entry).unwrap_or(false),
        "canonical" => meta.metatags.extend(canonical(entry, context).map(|content| ("canonical".to_owned(), content))),
        "contextual" => match read_page_contextual(&entry.value.to_json()) {
            Some(own) => meta.contextual = Some(Box::new(own)),
            None => {
                let message = "`contextual` cannot be read; the page has the menu of the site";
                context.warn(
                    entry,
                    Diagnostic::new("front-matter-value", message)
                        .hint("write it as in `docs.json`: a mapping with `options` and `display`"),
                );
            }
        },
        // `version` and `public` are known and change nothing in a bundle
        _ => {}
    }
}

fn read_icon_entry(entry: &YamlEntry, context: &mut Context<'_>) -> Option<Icon> {
    let Yaml::Map(members) = &entry.value else {
        return context.text(entry).map(|name| Icon { name, style: None, library: None });
    };
    let member = |name: &str| {
        members
            .iter()
            .find(|(key, _)| key == name)
            .and_then(|(_, value)| if let Yaml::Text(text) = value { Some(text.clone()) } else { None })
    };
    Some(Icon { name: member("name")?, style: member("style"), library: member("library") })
}

fn mode(entry: &YamlEntry, context: &mut Context<'_>) -> PageMode {
    match context.text(entry).as_deref() {
        None | Some("default") => PageMode::Default,
        Some("wide") => PageMode::Wide,
        Some("custom") => PageMode::Custom,
        Some("frame") => PageMode::Frame,
        Some("center") => PageMode::Center,
        Some("assistant") => PageMode::Assistant,
        Some(_) => {
            context.wrong(entry, "`wide`, `custom`, `frame`, `center` or `assistant`");
            PageMode::Default
        }
    }
}

/// An address, or a path of the site.
fn canonical(entry: &YamlEntry, context: &mut Context<'_>) -> Option<String> {
    let text = context.text(entry).filter(|text| !text.trim().is_empty())?;
    // the page is not known here, and decides nothing but how far up a path may lead
    if CanonicalTarget::read(&text, &"a/".repeat(64)).is_none() {
        context.wrong(entry, "the address of a page: `https://…` or a path of the site");
        return None;
    }
    Some(text)
}

/// Text as it is; anything else as JSON, for the renderer of the reference.
fn reference_text(entry: &YamlEntry) -> Option<String> {
    match &entry.value {
        Yaml::Null => None,
        Yaml::Text(text) => Some(text.trim().to_owned()),
        other => Some(other.to_json().to_string()),
    }
}

fn read_word_list(entry: &YamlEntry, context: &mut Context<'_>) -> Vec<String> {
    match &entry.value {
        Yaml::List(items) => items
            .iter()
            .filter_map(Yaml::as_text)
            .map(|text| text.trim().to_owned())
            .filter(|text| !text.is_empty())
            .collect(),
        Yaml::Text(text) => text.split(',').map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect(),
        _ => {
            context.wrong(entry, "a list of words");
            Vec::new()
        }
    }
}

/// Access groups: names, or `{includes, excludes}`; an excluded group is written `!name`. Whatever cannot be read still
/// closes what it stands at, by a group that no export can request (the empty name).
pub fn access_groups(value: &Yaml) -> Vec<String> {
    let mut groups = Vec::new();
    let items: &[Yaml] = match value {
        Yaml::Null => return groups,
        Yaml::List(items) => items,
        other => std::slice::from_ref(other),
    };
    // a name with an exclamation mark would be read as an excluded one
    let name_of = |name: &Yaml| {
        name.as_text().map(str::trim).filter(|name| !name.starts_with('!')).unwrap_or_default().to_owned()
    };
    for item in items {
        let Yaml::Map(members) = item else {
            groups.push(name_of(item));
            continue;
        };
        let before = groups.len();
        for (key, names) in members {
            let names = if let Yaml::List(names) = names { names.as_slice() } else { std::slice::from_ref(names) };
            match key.as_str() {
                "includes" if !names.is_empty() => groups.extend(names.iter().map(name_of)),
                "excludes" if names.iter().all(|name| !name_of(name).is_empty()) => {
                    groups.extend(names.iter().map(|name| format!("!{}", name_of(name))))
                }
                _ => groups.push(String::new()),
            }
        }
        if groups.len() == before {
            // no group is excluded: members of any group are meant
            groups.push(if members.is_empty() { String::new() } else { "*".to_owned() });
        }
    }
    groups
}

fn related(entry: &YamlEntry, context: &mut Context<'_>) -> Option<Vec<(Option<String>, String)>> {
    let items = match &entry.value {
        Yaml::Text(text) if text.eq_ignore_ascii_case("false") => return Some(Vec::new()),
        Yaml::Text(target) => return Some(vec![(None, target.trim().to_owned())]),
        Yaml::List(items) => items,
        _ => {
            context.wrong(entry, "a list of links or false");
            return None;
        }
    };
    let mut links = Vec::new();
    for item in items {
        match item {
            Yaml::Text(target) => links.push((None, target.trim().to_owned())),
            Yaml::Map(members) => {
                links.extend(
                    members
                        .iter()
                        .filter_map(|(title, target)| Some((Some(title.clone()), target.as_text()?.trim().to_owned()))),
                );
            }
            _ => context.wrong(entry, "a list of links or false"),
        }
    }
    Some(links)
}

fn page_endpoint(text: &str, entry: &YamlEntry, context: &mut Context<'_>) -> Option<Endpoint> {
    let endpoint = Endpoint::parse(text);
    if endpoint.is_none() {
        context.wrong(entry, "`METHOD /path`, with the description's file in front if there are several");
    }
    endpoint
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front_matter::{front_matter_entries, split_front_matter};

    fn meta(block: &str) -> (FrontMatter, Option<Endpoint>, Vec<Diagnostic>) {
        let text = format!("---\n{block}\n---\n");
        let split = split_front_matter(&text);
        let mut problems = Vec::new();
        let entries = front_matter_entries(&split, "p.mdx", &mut problems);
        let (meta, endpoint) = read_page_meta(
            &entries,
            &mut Context { file: "p.mdx", block_line: split.block_line, problems: &mut problems },
        );
        (meta, endpoint, problems)
    }

    #[track_caller]
    fn check<T: PartialEq + std::fmt::Debug>(block: &str, field: impl Fn(&FrontMatter) -> T, expect: T) {
        let (meta, _, problems) = meta(block);
        assert_eq!((field(&meta), problems.len()), (expect, 0), "{problems:?}");
    }

    #[track_caller]
    fn check_problem(block: &str, code: &str, line: u32) {
        let (_, _, problems) = meta(block);
        assert_eq!(
            problems.iter().map(|problem| (problem.code, problem.line)).collect::<Vec<_>>(),
            [(code, line)],
            "{problems:?}"
        );
    }

    #[test]
    fn keys() {
        check("title: 012", |meta| (meta.title.clone(), meta.title_given), ("012".to_owned(), true));
        check("title:", |meta| meta.title_given, false);
        check(
            "icon: star\niconType: solid",
            |meta| meta.icon.clone(),
            Some(Icon { name: "star".into(), style: Some("solid".into()), library: None }),
        );
        check(
            "icon: {name: star, library: lucide}",
            |meta| meta.icon.clone().map(|icon| icon.library),
            Some(Some("lucide".into())),
        );
        check("hidden: false\nnoindex: \"true\"", |meta| (meta.hidden, meta.noindex), (Some(false), true));
        check(
            "keywords: [a, 'b c', 1]",
            |meta| meta.keywords.clone(),
            vec!["a".to_owned(), "b c".to_owned(), "1".to_owned()],
        );
        check(
            "groups: [a, {includes: [b], excludes: [c]}]",
            |meta| meta.groups.clone(),
            vec!["a".to_owned(), "b".to_owned(), "!c".to_owned()],
        );
        check("groups: admin", |meta| meta.groups.clone(), vec!["admin".to_owned()]);
        check("related: false", |meta| meta.related.clone(), Some(vec![]));
        check(
            "related:\n  - /a\n  - B: /b",
            |meta| meta.related.clone(),
            Some(vec![(None, "/a".to_owned()), (Some("B".to_owned()), "/b".to_owned())]),
        );
        check("\"og:title\": x\ntwitter:card: y\ncustom: z", |meta| meta.metatags.len(), 2);
        check(
            "openapi-schema: o.json Pet",
            |meta| meta.reference.clone(),
            Some(("openapi-schema".to_owned(), "o.json Pet".to_owned())),
        );
        check("playground: simple", |meta| meta.playground.clone(), Some("simple".to_owned()));
        check("authMethod: key", |meta| meta.auth_method.clone(), Some("key".to_owned()));
        check("mode: wide\nboost: 0.5", |meta| (meta.mode, meta.boost), (PageMode::Wide, Some(0.5)));
    }

    #[test]
    fn other_spellings() {
        let (meta, _, problems) = meta("Title: a\nsideBarTitle: b");
        assert_eq!((meta.title.as_str(), meta.sidebar_title.as_deref()), ("a", Some("b")));
        assert_eq!(
            problems.iter().map(|problem| (problem.code, problem.line)).collect::<Vec<_>>(),
            [("front-matter-key", 2), ("front-matter-key", 3)]
        );
        check("title: a\nTitle: b", |meta| meta.title.clone(), "a".to_owned());
    }

    #[test]
    fn wrong_values() {
        check_problem("title: a\nhidden: yes", "front-matter-value", 3);
        check_problem("mode: huge", "front-matter-value", 2);
        check_problem("boost: high", "front-matter-value", 2);
        check_problem("playground: hide", "front-matter-value", 2);
        check_problem("authMethod: token", "front-matter-value", 2);
        check_problem("title: [a]", "front-matter-value", 2);
        check_problem("openapi: petstore.json", "front-matter-value", 2);
    }

    #[test]
    fn operations() {
        let endpoint = |block: &str| meta(block).1.map(|endpoint| (endpoint.spec, endpoint.method, endpoint.path));
        assert_eq!(endpoint("openapi: get /a/{id}"), Some((None, "GET".into(), "/a/{id}".into())));
        assert_eq!(
            endpoint("openapi: \"/specs/o.json POST /a\""),
            Some((Some("/specs/o.json".into()), "POST".into(), "/a".into()))
        );
        assert_eq!(endpoint("openapi: webhook paid"), Some((None, "WEBHOOK".into(), "paid".into())));
        assert_eq!(endpoint("api: DELETE https://x/{id}"), Some((None, "DELETE".into(), "https://x/{id}".into())));
    }
}
