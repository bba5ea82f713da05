//! Which folders hold documents, posts and pages, in which versions and languages.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use serde_json::Value;

use base::cut::SliceText as _;
use base::extension::is_markdown;
use load::tool::ToolInput;
use load::tool::script::{self, run_config_script};
use site::problems::LoadProblems;
use site::yaml::{Yaml, parse_yaml};

use super::DocusaurusSettings;

/// A language.
#[derive(Clone, Debug, Default)]
pub(super) struct DocusaurusLocale {
    pub(super) code: String,
    /// Whether any page is translated into it.
    pub(super) has_pages: bool,
    /// Words of sidebars, navigation bar and footer, by key: `sidebar.docs.category.Guides`.
    pub(super) words: Vec<(String, String)>,
}

impl DocusaurusLocale {
    /// A word in this language.
    pub(super) fn word(&self, key: &str) -> Option<&str> {
        self.words.iter().find(|(known, _)| known == key).map(|(_, word)| word.as_str())
    }
}

/// Documents: one use of the plugin.
#[derive(Clone, Debug, Default)]
pub(super) struct Docs {
    /// `default` if it has no name of its own.
    pub(super) id: String,
    /// What stands before the addresses.
    pub(super) route: String,
    /// Versions, in the order in which readers choose from them.
    pub(super) versions: Vec<DocusaurusVersion>,
    /// Numbers before names are part of them.
    pub(super) keeps_numbers: bool,
    /// Categories are closed before they are clicked.
    pub(super) is_collapsed: bool,
    /// Where pages are changed.
    pub(super) edit_url: Option<String>,
}

/// A version of documents.
#[derive(Clone, Debug, Default)]
pub(super) struct DocusaurusVersion {
    /// `current` for that of the working tree.
    pub(super) name: String,
    pub(super) label: String,
    /// The folder, from the root of the source.
    pub(super) folder: String,
    /// What stands behind the route.
    pub(super) path: String,
    /// Readers come to it first.
    pub(super) is_last: bool,
    /// The sidebars; `None`: one that is made of the folders.
    pub(super) sidebars: Option<Value>,
}

/// A blog.
#[derive(Clone, Debug, Default)]
pub(super) struct DocusaurusBlog {
    pub(super) route: String,
    pub(super) title: String,
    pub(super) description: Option<String>,
    /// Names of authors, by key.
    pub(super) authors: Vec<(String, String)>,
}

/// What a folder holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FolderKind {
    /// Documents: of which use of the plugin, of which of its versions.
    Docs(usize, usize),
    /// The posts of a blog.
    Blog(usize),
    /// Pages beside them.
    Pages,
}

/// A folder of pages.
#[derive(Clone, Debug)]
pub(super) struct DocumentFolder {
    pub(super) path: String,
    pub(super) kind: FolderKind,
    /// Index of the language.
    pub(super) locale: usize,
    /// What stands before the addresses, the language among it.
    pub(super) base: String,
    /// Which of its files are pages.
    pub(super) files: Selection,
}

/// Patterns of paths from a folder.
#[derive(Clone, Debug, Default)]
pub(super) struct Selection {
    /// `None`: all.
    included: Option<GlobSet>,
    excluded: GlobSet,
}

impl Selection {
    /// `include` and `exclude` of a plugin. What it excludes takes the place of what all plugins do.
    fn of_options(options: &Value) -> Self {
        const EXCLUDED: [&str; 4] = ["**/_*.*", "**/_*/**", "**/*.test.*", "**/__tests__/**"];
        let list = |key: &str| {
            let given = options.get(key).and_then(Value::as_array)?;
            Some(glob_set(given.iter().filter_map(Value::as_str)))
        };
        Self { included: list("include"), excluded: list("exclude").unwrap_or_else(|| glob_set(EXCLUDED)) }
    }

    /// Whether a file is a page.
    pub(super) fn has(&self, rest: &str) -> bool {
        self.included.as_ref().is_none_or(|set| set.is_match(rest)) && !self.excluded.is_match(rest)
    }
}

/// Patterns in which `*` stays in a folder.
fn glob_set<'p>(patterns: impl IntoIterator<Item = &'p str>) -> GlobSet {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        if let Ok(glob) = GlobBuilder::new(pattern.trim_start_matches("./")).literal_separator(true).build() {
            set.add(glob);
        }
    }
    set.build().unwrap_or_default()
}

impl DocumentFolder {
    /// The path of a file from the folder.
    pub(super) fn rest<'p>(&self, path: &'p str) -> Option<&'p str> {
        match self.path.as_str() {
            "" => Some(path),
            folder => path.strip_prefix(folder)?.strip_prefix('/'),
        }
    }

    pub(super) fn at(&self) -> String {
        self.base.clone()
    }
}

/// Parts of an address.
pub(super) fn join_address(parts: &[&str]) -> String {
    let parts = parts.iter().flat_map(|part| part.split('/')).filter(|part| !part.is_empty() && *part != ".");
    parts.collect::<Vec<_>>().join("/")
}

/// A plugin with its options.
struct UsedPlugin<'v> {
    name: String,
    options: &'v Value,
}

/// Reads the plugins, versions and languages.
pub(super) fn read_plugins(settings: &mut DocusaurusSettings, source: &ToolInput<'_>, problems: &mut LoadProblems) {
    let value = settings.value.clone();
    read_locales(settings, source, &value);
    let used = used(&value);
    settings.has_alerts = used.iter().any(|plugin| makes_alerts(plugin.options));
    for plugin in used.iter().filter(|plugin| plugin.name == "docs") {
        add_docs(settings, source, plugin.options, problems);
    }
    // a configuration that cannot be followed to its plugins
    if used.is_empty() {
        let folders = [settings.inside("docs"), Some("docs".to_owned())];
        let has_pages =
            |folder: &String| source.tree.files.iter().any(|file| file.path.starts_with(&format!("{folder}/")));
        if let Some(folder) = folders.into_iter().flatten().find(has_pages) {
            add_docs(settings, source, &serde_json::json!({ "path": format!("/{folder}") }), problems);
        }
    }
    for plugin in used.iter().filter(|plugin| plugin.name == "blog") {
        add_blog(settings, source, plugin.options);
    }
    for plugin in used.iter().filter(|plugin| plugin.name == "pages") {
        let path = script::text_at(plugin.options, &["path"]).unwrap_or("src/pages");
        let route = script::text_at(plugin.options, &["routeBasePath"]).unwrap_or("/").to_owned();
        if let Some(path) = settings.inside(path) {
            let files = Selection::of_options(plugin.options);
            let translated = "docusaurus-plugin-content-pages";
            add_folders(settings, source, &path, translated, &files, (FolderKind::Pages, &route));
        }
    }
    for locale in &mut settings.locales {
        let own = settings.folders.iter().filter(|folder| folder.base.split('/').next() == Some(locale.code.as_str()));
        let mut paths = own.map(|folder| format!("{}/", folder.path));
        locale.has_pages |= paths
            .any(|path| source.tree.files.iter().any(|file| file.path.starts_with(&path) && is_markdown(&file.path)));
    }
}

/// Plugins of the classic preset, and those that are named by themselves.
fn used(value: &Value) -> Vec<UsedPlugin<'_>> {
    static DEFAULTS: Value = Value::Null;
    let mut found = Vec::new();
    let list = |key: &str| script::list_at_path(value, &[key]).iter();
    let named = |entry: &'_ Value| -> Option<String> {
        let name = entry.as_str().or_else(|| entry.get(0)?.as_str())?;
        Some(name.to_owned())
    };
    for preset in list("presets").chain(list("themes")) {
        if !named(preset).is_some_and(|name| name == "classic" || name.contains("preset")) {
            continue;
        }
        let options = preset.get(1).unwrap_or(&DEFAULTS);
        for name in ["docs", "blog", "pages"] {
            if options.get(name) != Some(&Value::Bool(false)) {
                found.push(UsedPlugin { name: name.to_owned(), options: options.get(name).unwrap_or(&DEFAULTS) });
            }
        }
    }
    for plugin in list("plugins") {
        let Some(name) = named(plugin) else { continue };
        let kind = ["docs", "blog", "pages"].iter().find(|kind| name.contains(&format!("content-{kind}")));
        if let Some(kind) = kind {
            found.push(UsedPlugin { name: (*kind).to_owned(), options: plugin.get(1).unwrap_or(&DEFAULTS) });
        }
    }
    found
}

/// Whether a plugin makes boxes of quotes that begin with `[!NOTE]`, by the names of such plugins.
fn makes_alerts(options: &Value) -> bool {
    const KEYS: [&str; 4] =
        ["remarkPlugins", "rehypePlugins", "beforeDefaultRemarkPlugins", "beforeDefaultRehypePlugins"];
    let names = KEYS.iter().flat_map(|key| script::list_at_path(options, &[key])).filter_map(Value::as_str);
    let words = ["alert", "callout", "github-admonition", "githubadmonition"];
    names.map(str::to_lowercase).any(|name| words.iter().any(|word| name.contains(word)))
}

fn read_locales(settings: &mut DocusaurusSettings, source: &ToolInput<'_>, value: &Value) {
    let i18n = script::json_at_path(value, &["i18n"]);
    let default = script::text_at(i18n, &["defaultLocale"]).unwrap_or("en").to_owned();
    let all = i18n.get("locales").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let others: Vec<String> = all.filter(|code| **code != default).map(str::to_owned).collect();
    let default = DocusaurusLocale { code: default, has_pages: true, words: Vec::new() };
    let others = others.into_iter().map(|code| DocusaurusLocale {
        words: language_messages(settings, source, &code),
        code,
        has_pages: false,
    });
    settings.locales = std::iter::once(default).chain(others).collect();
}

/// The words of a language, from all files of messages.
fn language_messages(settings: &DocusaurusSettings, source: &ToolInput<'_>, code: &str) -> Vec<(String, String)> {
    let Some(folder) = settings.inside(&format!("i18n/{code}")) else { return Vec::new() };
    let prefix = format!("{folder}/");
    let mut words = Vec::new();
    for file in source.tree.files.iter().filter(|file| file.path.starts_with(&prefix) && file.path.ends_with(".json")) {
        let Some(text) = source.text(&file.path) else { continue };
        let Ok(Value::Object(messages)) = serde_json::from_str::<Value>(&text) else { continue };
        // the words of versions have equal keys
        let space = match file.path.slice(prefix.len()..).split_once('/') {
            Some((plugin, rest)) if plugin.starts_with("docusaurus-plugin-content-docs") => {
                format!("{plugin}/{}:", rest.trim_end_matches(".json"))
            }
            _ => String::new(),
        };
        for (key, message) in messages {
            if let Some(message) = script::text_at(&message, &["message"]) {
                words.push((format!("{space}{key}"), message.to_owned()));
            }
        }
    }
    words
}

/// Adds a folder, and its translations.
fn add_folders(
    settings: &mut DocusaurusSettings,
    source: &ToolInput<'_>,
    path: &str,
    translated: &str,
    files: &Selection,
    (kind, base): (FolderKind, &str),
) {
    let first =
        DocumentFolder { path: path.to_owned(), kind, locale: 0, base: join_address(&[base]), files: files.clone() };
    settings.folders.push(first);
    for locale in 1..settings.locales.len() {
        let code = settings.locales[locale].code.clone();
        let Some(path) = settings.inside(&format!("i18n/{code}/{translated}")) else { continue };
        let prefix = format!("{path}/");
        if source.tree.files.iter().any(|file| file.path.starts_with(&prefix)) {
            let base = join_address(&[&code, base]);
            settings.folders.push(DocumentFolder { path, kind, locale, base, files: files.clone() });
        }
    }
}

/// The name of the folder of translations of a plugin.
fn translations(plugin: &str, id: &str) -> String {
    if id == "default" {
        format!("docusaurus-plugin-content-{plugin}")
    } else {
        format!("docusaurus-plugin-content-{plugin}-{id}")
    }
}

fn add_docs(settings: &mut DocusaurusSettings, source: &ToolInput<'_>, options: &Value, problems: &mut LoadProblems) {
    let id = script::text_at(options, &["id"]).unwrap_or("default").to_owned();
    let Some(folder) = settings.inside(script::text_at(options, &["path"]).unwrap_or("docs")) else { return };
    let route = script::text_at(options, &["routeBasePath"]).unwrap_or("docs").to_owned();
    let prefix = if id == "default" { String::new() } else { format!("{id}_") };
    let flag = |key: &str| options.get(key).and_then(Value::as_bool);
    let names: Vec<String> = settings
        .inside(&format!("{prefix}versions.json"))
        .filter(|_| flag("disableVersioning") != Some(true))
        .and_then(|path| {
            settings.layout.config_files.push(path.clone());
            serde_json::from_str(&source.text(&path)?).ok()
        })
        .unwrap_or_default();
    let only = options.get("onlyIncludeVersions").and_then(Value::as_array);
    let is_included = |name: &str| only.is_none_or(|only| only.iter().any(|one| one.as_str() == Some(name)));
    let has_current = names.is_empty() || flag("includeCurrentVersion") != Some(false);
    let all = has_current.then(|| "current".to_owned()).into_iter().chain(names.iter().cloned());
    let all: Vec<String> = all.filter(|name| is_included(name)).collect();
    let last = script::text_at(options, &["lastVersion"]).map(str::to_owned);
    let last = last.or_else(|| all.iter().find(|name| *name != "current").or(all.first()).cloned()).unwrap_or_default();
    let number = settings.docs.len();
    let mut docs = Docs {
        id: id.clone(),
        route: join_address(&[&route]),
        versions: Vec::new(),
        keeps_numbers: flag("numberPrefixParser") == Some(false),
        is_collapsed: flag("sidebarCollapsed") != Some(false),
        edit_url: script::text_at(options, &["editUrl"])
            .and_then(|url| edit_base(url, script::text_at(options, &["path"]).unwrap_or("docs"))),
    };
    let files = Selection::of_options(options);
    for name in all {
        let own = script::json_at_path(options, &["versions", &name]);
        let is_last = name == last;
        let label = script::text_at(own, &["label"]).map(str::to_owned);
        let label = label.unwrap_or_else(|| if name == "current" { "Next".to_owned() } else { name.clone() });
        let path = script::text_at(own, &["path"]).map(str::to_owned).unwrap_or_else(|| match name.as_str() {
            _ if is_last => String::new(),
            "current" => "next".to_owned(),
            name => name.to_owned(),
        });
        let (pages, sidebars) = if name == "current" {
            (Some(folder.clone()), current_sidebars(settings, source, options, problems))
        } else {
            let file = settings.inside(&format!("{prefix}versioned_sidebars/version-{name}-sidebars.json"));
            let text = file.and_then(|file| {
                let text = source.text(&file);
                settings.layout.config_files.push(file);
                text
            });
            let value = text.and_then(|text| serde_json::from_str::<Value>(&text).ok());
            (settings.inside(&format!("{prefix}versioned_docs/version-{name}")), value)
        };
        let Some(pages) = pages else { continue };
        let translated = translations("docs", &id);
        let below = if name == "current" { "current".to_owned() } else { format!("version-{name}") };
        let kind = FolderKind::Docs(number, docs.versions.len());
        let base = join_address(&[&docs.route, &path]);
        add_folders(settings, source, &pages, &format!("{translated}/{below}"), &files, (kind, &base));
        let path = join_address(&[&path]);
        docs.versions.push(DocusaurusVersion { name, label, folder: pages, path, is_last, sidebars });
    }
    settings.docs.push(docs);
}

/// The sidebars of the working tree.
fn current_sidebars(
    settings: &mut DocusaurusSettings,
    source: &ToolInput<'_>,
    options: &Value,
    problems: &mut LoadProblems,
) -> Option<Value> {
    match options.get("sidebarPath") {
        Some(Value::Bool(false)) => Some(Value::Object(serde_json::Map::new())),
        Some(Value::String(path)) => {
            let path = settings.inside(path)?;
            settings.layout.config_files.push(path.clone());
            let text = source.text(&path)?;
            if path.ends_with(".json") {
                return serde_json::from_str(&text).ok();
            }
            Some(run_config_script(source, &path, problems)).filter(|value| value.is_object())
        }
        _ => None,
    }
}

fn add_blog(settings: &mut DocusaurusSettings, source: &ToolInput<'_>, options: &Value) {
    let Some(folder) = settings.inside(script::text_at(options, &["path"]).unwrap_or("blog")) else { return };
    let prefix = format!("{folder}/");
    if !source.tree.files.iter().any(|file| file.path.starts_with(&prefix) && is_markdown(&file.path)) {
        return;
    }
    let id = script::text_at(options, &["id"]).unwrap_or("default");
    let route = join_address(&[script::text_at(options, &["routeBasePath"]).unwrap_or("blog")]);
    let kind = FolderKind::Blog(settings.blogs.len());
    let files = Selection::of_options(options);
    add_folders(settings, source, &folder, &translations("blog", id), &files, (kind, &route));
    let text = |key: &str| script::text_at(options, &[key]).map(str::to_owned);
    settings.blogs.push(DocusaurusBlog {
        authors: authors(source, &folder, text("authorsMapPath").as_deref()),
        route,
        title: text("blogTitle").unwrap_or_else(|| "Blog".to_owned()),
        description: text("blogDescription"),
    });
}

/// Names of authors, from the file beside the posts.
fn authors(source: &ToolInput<'_>, folder: &str, file: Option<&str>) -> Vec<(String, String)> {
    let path = format!("{folder}/{}", file.unwrap_or("authors.yml"));
    let Some(entries) = source.text(&path).and_then(|text| parse_yaml(&text, true).ok()) else {
        return Vec::new();
    };
    let name = |value: &Yaml| value.member("name")?.as_text().map(str::to_owned);
    entries.iter().filter_map(|entry| Some((entry.key.clone(), name(&entry.value)?))).collect()
}

/// Where the project of pages is changed: an address that their paths from the project follow. `docs` is the folder of the
/// pages. A function has been asked with `:docs` and `:path` in the places of folder and file.
fn edit_base(url: &str, docs: &str) -> Option<String> {
    let Some((before, _)) = url.split_once(":path") else { return Some(url.to_owned()) };
    if let Some((base, _)) = before.split_once(":docs") {
        return Some(base.to_owned());
    }
    let base = before.trim_end_matches('/').strip_suffix(docs.trim_start_matches(['.', '/']).trim_end_matches('/'))?;
    base.ends_with('/').then(|| base.to_owned())
}
