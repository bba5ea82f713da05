//! The configuration of VuePress in the words of VitePress.

use serde_json::{Map, Value, json};

use crate::vitepress::config::project_folder;
use crate::web::normalize_hex_color;
use base::extension::is_markdown;
use load::tool::ToolInput;
use load::tool::script::{json_at_path, text_at};
use site::page::title_of_slug;
use site::problems::LoadProblems;
use site::yaml::parse_yaml;

use super::FOLDER;

/// Entries nested deeper are left out.
const MAX_VUEPRESS_SIDEBAR_DEPTH: usize = 16;
/// The accent of the default theme.
const ACCENT: [&str; 2] = ["#3eaf7c", "#3aa675"];

/// The configuration, of a program or of data.
pub(super) fn read(source: &ToolInput<'_>, problems: &mut LoadProblems) -> Value {
    if source.config.ends_with(".json") {
        return source.text(source.config).and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    }
    if source.config.ends_with(".yml") || source.config.ends_with(".yaml") {
        let entries = parse_yaml(&source.text(source.config).unwrap_or_default(), true).unwrap_or_default();
        return Value::Object(entries.iter().map(|entry| (entry.key.clone(), entry.value.to_json())).collect());
    }
    source.evaluated(problems)
}

/// The address of a file, by its path from the folder of the pages.
pub(super) fn address(inside: &str) -> String {
    let stem = inside.strip_suffix(".md").unwrap_or(inside);
    let (folder, name) = stem.rsplit_once('/').map_or(("", stem), |(folder, name)| (folder, name));
    match (folder, name.to_lowercase().as_str()) {
        ("", "readme" | "index") => "index".to_owned(),
        (folder, "readme" | "index") => format!("{folder}/index"),
        _ => stem.to_owned(),
    }
}

/// The accent colors that style sheets set: `$accentColor = #3eaf7c`, or those of the theme.
pub(super) fn accent(source: &ToolInput<'_>, root: &str) -> (Option<String>, Option<String>) {
    let folder = if root.is_empty() { FOLDER.to_owned() } else { format!("{root}/{FOLDER}") };
    let files = ["styles/palette.styl", "styles/palette.scss", "styles/index.styl", "override.styl"];
    let own = files.iter().filter_map(|file| source.text(&format!("{folder}/{file}"))).find_map(|text| {
        let names = ["$accentColor", "$theme-color", "$vp-c-accent"];
        let (_, rest) = names.iter().find_map(|name| text.split_once(name))?;
        normalize_hex_color(rest.lines().next()?.trim_start_matches([' ', '=', ':']).trim_end_matches([';', ' ']))
    });
    match own {
        Some(color) => (Some(color.clone()), Some(color)),
        None => ACCENT.map(|color| Some(color.to_owned())).into(),
    }
}

/// The configuration as VitePress has it.
pub(super) fn in_words_of_vitepress(value: &Value, source: &ToolInput<'_>) -> Value {
    let options = theme_options(value);
    let files = VuePressFiles::of(source);
    let mut out = Map::new();
    for key in ["title", "description", "base", "lang", "head"] {
        if let Some(one) = value.get(key) {
            out.insert(key.to_owned(), one.clone());
        }
    }
    out.insert("publicDir".to_owned(), json!(format!("{FOLDER}/public")));
    out.insert("themeConfig".to_owned(), theme(options, options, &files));
    if let Some(Value::Object(theme)) = out.get_mut("themeConfig") {
        theme.insert("container".to_owned(), labels(value, options, options));
    }
    let locales = locales(value, options, &files);
    if !locales.is_empty() {
        out.insert("locales".to_owned(), Value::Object(locales));
    }
    Value::Object(out)
}

/// The options of the theme: those that a function is given, or those beside it.
fn theme_options(value: &Value) -> &Value {
    let given = json_at_path(value, &["theme", "$with"]).get(0).filter(|given| given.is_object());
    given.unwrap_or_else(|| json_at_path(value, &["themeConfig"]))
}

/// The names of boxes without a title: those of a language, those of all, or those of the version.
fn labels(value: &Value, own: &Value, all: &Value) -> Value {
    let is_first = json_at_path(value, &["theme", "$call"]).is_null();
    let label = |key: &str, first: &str, second: &str| {
        let given = text_at(own, &[key]).or_else(|| text_at(all, &[key]));
        given.unwrap_or(if is_first { first } else { second }).to_owned()
    };
    json!({
        "tipLabel": label("tip", "TIP", "Tips"),
        "infoLabel": label("info", "INFO", "Info"),
        "noteLabel": label("note", "NOTE", "Note"),
        "importantLabel": label("important", "IMPORTANT", "Important"),
        "warningLabel": label("warning", "WARNING", "Warning"),
        "cautionLabel": label("caution", "CAUTION", "Caution"),
        "dangerLabel": label("danger", "WARNING", "Caution"),
        "detailsLabel": label("details", "DETAILS", "Details"),
    })
}

fn locales(value: &Value, options: &Value, files: &VuePressFiles) -> Map<String, Value> {
    let of_site = json_at_path(value, &["locales"]);
    let of_theme = json_at_path(options, &["locales"]);
    let mut out = Map::new();
    let paths = [of_site, of_theme].into_iter().filter_map(Value::as_object).flat_map(Map::keys);
    for path in paths {
        let prefix = path.trim_matches('/');
        let key = if prefix.is_empty() { "root" } else { prefix };
        if out.contains_key(key) {
            continue;
        }
        let own = json_at_path(of_theme, &[path]);
        let mut locale = Map::new();
        let lang = text_at(json_at_path(of_site, &[path]), &["lang"]);
        if let Some(lang) = lang {
            locale.insert("lang".to_owned(), json!(lang));
        }
        let names = ["selectLanguageName", "label"];
        if let Some(label) = names.iter().find_map(|name| text_at(own, &[name])).or(lang) {
            locale.insert("label".to_owned(), json!(label));
        }
        for key in ["title", "description"] {
            if let Some(text) = text_at(json_at_path(of_site, &[path]), &[key]) {
                locale.insert(key.to_owned(), json!(text));
            }
        }
        let mut options_of_theme = theme(own, options, files);
        options_of_theme["container"] = labels(value, own, options);
        locale.insert("themeConfig".to_owned(), options_of_theme);
        out.insert(key.to_owned(), Value::Object(locale));
    }
    if out.len() > 1 { out } else { Map::new() }
}

/// Options of the theme, for all languages or for one, which has those of all where it says nothing.
fn theme(own: &Value, all: &Value, files: &VuePressFiles) -> Value {
    let mut out = Map::new();
    let entry = |names: &[&str]| names.iter().find_map(|name| own.get(*name).or_else(|| all.get(*name)));
    if let Some(Value::Array(nav)) = entry(&["navbar", "nav"]) {
        let entries: Vec<Value> = nav.iter().filter_map(|one| files.entry(one, "/", 0)).collect();
        out.insert("nav".to_owned(), Value::Array(entries));
    }
    match entry(&["sidebar"]) {
        Some(Value::Array(list)) => {
            out.insert("sidebar".to_owned(), Value::Array(files.entries(list, "/", 0)));
        }
        Some(Value::Object(bars)) => {
            let bars = bars.iter().map(|(prefix, list)| (prefix.clone(), files.sidebar(list, prefix)));
            out.insert("sidebar".to_owned(), Value::Object(bars.collect()));
        }
        Some(Value::String(how)) if how == "structure" => {
            out.insert("sidebar".to_owned(), files.below("/", 0));
        }
        _ => {}
    }
    match (text_at(all, &["logo"]), text_at(all, &["logoDark"])) {
        (Some(light), Some(dark)) => out.insert("logo".to_owned(), json!({ "light": light, "dark": dark })),
        (Some(logo), None) => out.insert("logo".to_owned(), json!(logo)),
        _ => None,
    };
    if let Some(repository) = text_at(all, &["repo"]) {
        let address = |name: &str| {
            if name.contains("://") { name.to_owned() } else { format!("https://github.com/{name}") }
        };
        let link = address(repository);
        out.insert("socialLinks".to_owned(), json!([{ "icon": "github", "link": link }]));
        let docs = address(text_at(all, &["docsRepo"]).unwrap_or(repository));
        let branch = text_at(all, &["docsBranch"]).unwrap_or("main");
        let folder = text_at(all, &["docsDir"]).unwrap_or_default().trim_matches('/');
        let below = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let is_shown = |key: &str| all.get(key).and_then(Value::as_bool);
        if is_shown("editLinks").or_else(|| is_shown("editLink")) == Some(true) {
            let pattern = format!("{}/edit/{branch}/{below}:path", docs.trim_end_matches('/'));
            out.insert("editLink".to_owned(), json!({ "pattern": pattern }));
        }
    }
    if let Some(words) = text_at(all, &["footer"]) {
        out.insert("footer".to_owned(), json!({ "message": words }));
    }
    Value::Object(out)
}

/// The files of the pages, for sidebars that follow them.
struct VuePressFiles {
    /// Paths from the folder of the pages, without their ending, sorted.
    stems: Vec<String>,
}

impl VuePressFiles {
    fn of(source: &ToolInput<'_>) -> Self {
        let root = project_folder(source.config, FOLDER);
        let prefix = if root.is_empty() { String::new() } else { format!("{root}/") };
        let inside = source.tree.files.iter().filter(|file| is_markdown(&file.path));
        let inside = inside.filter_map(|file| file.path.strip_prefix(&prefix)?.strip_suffix(".md"));
        Self { stems: inside.filter(|path| !path.starts_with('.')).map(str::to_owned).collect() }
    }

    /// The sidebar of an address: a list, or how one is made.
    fn sidebar(&self, list: &Value, prefix: &str) -> Value {
        match list {
            Value::Array(list) => Value::Array(self.entries(list, prefix, 0)),
            Value::Bool(false) => Value::Array(Vec::new()),
            _ => self.below(prefix, 0),
        }
    }

    fn entries(&self, list: &[Value], prefix: &str, depth: usize) -> Vec<Value> {
        if depth >= MAX_VUEPRESS_SIDEBAR_DEPTH {
            return Vec::new();
        }
        list.iter().filter_map(|one| self.entry(one, prefix, depth)).collect()
    }

    /// An entry: an address, an address with a title, or a group.
    fn entry(&self, one: &Value, prefix: &str, depth: usize) -> Option<Value> {
        match one {
            Value::String(link) => Some(json!({ "link": resolved(prefix, link) })),
            Value::Array(pair) => {
                let link = resolved(prefix, pair.first()?.as_str()?);
                Some(json!({ "link": link, "text": pair.get(1).and_then(Value::as_str).unwrap_or_default() }))
            }
            Value::Object(_) => {
                let mut out = Map::new();
                if let Some(text) = text_at(one, &["text"]).or_else(|| text_at(one, &["title"])) {
                    out.insert("text".to_owned(), json!(text));
                }
                if let Some(link) = text_at(one, &["link"]).or_else(|| text_at(one, &["path"])) {
                    out.insert("link".to_owned(), json!(resolved(prefix, link)));
                }
                let below = text_at(one, &["prefix"]).map_or_else(|| prefix.to_owned(), |own| resolved(prefix, own));
                match one.get("children").or_else(|| one.get("items")) {
                    Some(Value::Array(list)) => {
                        out.insert("items".to_owned(), Value::Array(self.entries(list, &below, depth + 1)));
                    }
                    Some(Value::String(_)) => {
                        out.insert("items".to_owned(), self.below(&below, 0));
                    }
                    _ => {}
                }
                let is = |key: &str| one.get(key).and_then(Value::as_bool);
                let is_closed = match (is("collapsable"), is("collapsible").or_else(|| is("collapsed"))) {
                    (Some(closed), _) => closed,
                    (None, Some(closed)) => closed && is("expanded") != Some(true),
                    // in the first version groups are closed
                    (None, None) => one.get("title").is_some(),
                };
                out.insert("collapsed".to_owned(), json!(is_closed));
                Some(Value::Object(out))
            }
            _ => None,
        }
    }

    /// The pages below an address, those of folders as groups.
    fn below(&self, prefix: &str, depth: usize) -> Value {
        let folder = prefix.trim_matches('/');
        let start = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let inside: Vec<&str> = self.stems.iter().filter_map(|stem| stem.strip_prefix(&start)).collect();
        let is_index = |name: &str| matches!(name.to_lowercase().as_str(), "readme" | "index");
        let mut out: Vec<Value> = Vec::new();
        if inside.iter().any(|stem| is_index(stem)) {
            out.push(json!({ "link": format!("/{start}") }));
        }
        let mut known: Vec<&str> = Vec::new();
        for stem in inside.into_iter().filter(|stem| !is_index(stem)) {
            match stem.split_once('/') {
                None => out.push(json!({ "link": format!("/{start}{stem}") })),
                Some((name, _)) if depth < MAX_VUEPRESS_SIDEBAR_DEPTH && !known.contains(&name) => {
                    known.push(name);
                    let items = self.below(&format!("/{start}{name}/"), depth + 1);
                    out.push(json!({ "text": title_of_slug(name), "items": items }));
                }
                Some(_) => {}
            }
        }
        Value::Array(out)
    }
}

/// An address from the root, without the name and the ending of its file.
fn resolved(prefix: &str, link: &str) -> String {
    if link.contains("://") || link.starts_with("mailto:") {
        return link.to_owned();
    }
    let whole = if link.starts_with('/') { link.to_owned() } else { format!("/{}/{link}", prefix.trim_matches('/')) };
    let whole = whole.replace("//", "/").replace("/./", "/");
    let (path, anchor) = whole.split_once('#').map_or((whole.as_str(), None), |(path, anchor)| (path, Some(anchor)));
    let path = path.strip_suffix(".md").or_else(|| path.strip_suffix(".html")).unwrap_or(path);
    let path = ["README", "readme", "index"]
        .iter()
        .find_map(|name| path.strip_suffix(name))
        .filter(|rest| rest.ends_with('/'))
        .unwrap_or(path);
    match anchor {
        Some(anchor) => format!("{path}#{anchor}"),
        None => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_addresses() {
        for (prefix, link, expect) in [
            ("/", "/guide/README.md", "/guide/"),
            ("/guide/", "", "/guide/"),
            ("/guide/", "one", "/guide/one"),
            ("/guide/", "two.md#x", "/guide/two#x"),
            ("/guide/", "/api.html", "/api"),
            ("/", "https://x.y/z.md", "https://x.y/z.md"),
            ("/", "myindex", "/myindex"),
        ] {
            assert_eq!(resolved(prefix, link), expect);
        }
    }

    #[test]
    fn sidebars_are_lists_of_entries() {
        let files =
            VuePressFiles { stems: ["README", "guide/README", "guide/a", "guide/deep/b"].map(str::to_owned).to_vec() };
        let entries = json!(["", ["one", "One"], { "title": "G", "collapsable": false, "children": ["two"] }, 3]);
        assert_eq!(
            files.sidebar(&entries, "/guide/"),
            json!([
                { "link": "/guide/" },
                { "link": "/guide/one", "text": "One" },
                { "text": "G", "items": [{ "link": "/guide/two" }], "collapsed": false },
            ])
        );
        assert_eq!(
            files.sidebar(&json!("structure"), "/guide/"),
            json!([
                { "link": "/guide/" },
                { "link": "/guide/a" },
                { "text": "Deep", "items": [{ "link": "/guide/deep/b" }] },
            ])
        );
        let second = json!({ "text": "H", "prefix": "deep/", "link": "", "children": ["b.md"], "collapsible": true });
        assert_eq!(
            files.entry(&second, "/guide/", 0),
            Some(json!({ "text": "H", "items": [{ "link": "/guide/deep/b" }], "collapsed": true }))
        );
    }
}
