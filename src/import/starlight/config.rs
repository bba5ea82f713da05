//! What the configuration of Astro and Starlight says of files and languages, and the words of the project's languages.

use serde_json::{Map, Value};

use crate::folder_names::folder_names;
use base::cut::SliceText as _;
use load::tool::script::{json_at_path, text_at};
use load::tool::{Mount, ToolInput, path_in_source_root};
use site::yaml::parse_yaml;

/// Most languages that are read.
const MAX_STARLIGHT_LOCALES: usize = 100;
/// Most folders of pictures beside the pages.
const MAX_PICTURE_FOLDERS: usize = 40;

/// What the configuration says.
#[derive(Debug, Default)]
pub(super) struct StarlightConfig {
    /// Astro's.
    pub(super) astro: Value,
    /// Those of the integration.
    pub(super) own: Value,
    /// The folder of the project.
    pub(super) root: String,
    /// The folder of the sources in it.
    pub(super) sources: String,
    /// The folder of the pages.
    pub(super) pages: String,
    /// What addresses begin with, without a slash at either end.
    pub(super) base: String,
    /// At least one, the default first.
    pub(super) locales: Vec<StarlightLocale>,
    /// Prefixes of paths that stand for folders: `~/` for `src/`.
    pub(super) names: Vec<(String, String)>,
}

/// A language.
#[derive(Clone, Debug, Default)]
pub(super) struct StarlightLocale {
    /// What the addresses of its pages begin with; empty for that of the root.
    pub(super) prefix: String,
    /// Its code.
    pub(super) code: String,
    /// What readers see.
    pub(super) label: String,
    /// Words that the project has for the parts of pages.
    pub(super) words: Vec<(String, String)>,
    /// Some pages are translated.
    pub(super) has_pages: bool,
}

impl StarlightConfig {
    pub(super) fn read(astro: Value, source: &ToolInput<'_>) -> Self {
        let root = source.folder().to_owned();
        let own = starlight(&astro).clone();
        let below =
            |folder: &str, path: &str| path_in_source_root(folder, path.trim_start_matches("./")).unwrap_or_default();
        let sources = below(&root, text_at(&astro, &["srcDir"]).unwrap_or("src"));
        let pages = below(&sources, "content/docs");
        let base = text_at(&astro, &["base"]).unwrap_or_default().trim_matches('/').to_owned();
        let mut locales = locales(&own);
        for locale in &mut locales {
            let folder =
                if locale.prefix.is_empty() { format!("{pages}/") } else { format!("{pages}/{}/", locale.prefix) };
            locale.has_pages = source.tree.files.iter().any(|file| file.path.starts_with(&folder));
            let file = |ending: &str| below(&sources, &format!("content/i18n/{}.{ending}", locale.code));
            let json =
                source.text(&file("json")).and_then(|text| serde_json::from_str::<Map<String, Value>>(&text).ok());
            locale.words = match json {
                Some(words) => {
                    words.into_iter().filter_map(|(key, value)| Some((key, value.as_str()?.to_owned()))).collect()
                }
                None => {
                    let text = source.text(&file("yml")).or_else(|| source.text(&file("yaml"))).unwrap_or_default();
                    let words = parse_yaml(&text, true).unwrap_or_default().into_iter();
                    words.filter_map(|entry| Some((entry.key, entry.value.as_text()?.to_owned()))).collect()
                }
            };
        }
        let names = names_of_folders(source, &root, &sources);
        Self { own, root, sources, pages, base, locales, names, astro }
    }

    /// The folders whose files are served as they are, and those of pictures that pages name by their paths.
    pub(super) fn statics(&self, source: &ToolInput<'_>) -> Vec<Mount> {
        let public = text_at(&self.astro, &["publicDir"]).unwrap_or("public");
        let public = path_in_source_root(&self.root, public.trim_start_matches("./"));
        let mut mounts: Vec<Mount> = public.iter().map(|folder| Mount::root(folder)).collect();
        let prefix = if self.sources.is_empty() { String::new() } else { format!("{}/", self.sources) };
        for file in source.tree.files.iter().filter(|file| is_picture(&file.path)) {
            let Some(inside) = file.path.strip_prefix(&prefix) else { continue };
            let Some((name, _)) = inside.split_once('/').filter(|(name, _)| !matches!(*name, "content" | "pages"))
            else {
                continue;
            };
            let folder = format!("{prefix}{name}");
            if mounts.len() < MAX_PICTURE_FOLDERS && mounts.iter().all(|known| known.folder != folder) {
                mounts.push(Mount { folder, at: name.to_owned() });
            }
        }
        mounts
    }

    /// The path of a file from the folder of the pages.
    pub(super) fn inside<'p>(&self, path: &'p str) -> Option<&'p str> {
        path.strip_prefix(self.pages.as_str())?.strip_prefix('/')
    }

    /// The language of a page.
    pub(super) fn locale_of(&self, slug: &str) -> &StarlightLocale {
        let is_in = |locale: &&StarlightLocale| {
            !locale.prefix.is_empty()
                && slug
                    .strip_prefix(locale.prefix.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let root = || self.locales.iter().find(|locale| locale.prefix.is_empty());
        self.locales.iter().find(is_in).or_else(root).unwrap_or(&self.locales[0])
    }

    /// A path without the name that it begins with, from the root of the source.
    pub(super) fn resolved(&self, path: &str) -> Option<String> {
        let (name, folder) = self.names.iter().find(|(name, _)| path.starts_with(name.as_str()))?;
        Some(format!("/{}", format!("{folder}/{}", path.slice(name.len()..)).trim_start_matches('/')))
    }
}

/// The address of a file, by its path from the folder of the pages.
pub(super) fn starlight_address(inside: &str) -> String {
    let stem = inside.strip_suffix(".mdx").or_else(|| inside.strip_suffix(".md")).unwrap_or(inside);
    stem.split('/').map(starlight_slug).collect::<Vec<_>>().join("/")
}

/// A name as it stands in an address.
fn starlight_slug(name: &str) -> String {
    let allowed = name.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    allowed.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn is_picture(path: &str) -> bool {
    let ending = path.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    matches!(ending.as_str(), "png" | "jpg" | "jpeg" | "gif" | "webp" | "avif" | "svg")
}

/// The options of the integration.
fn starlight(value: &Value) -> &Value {
    find_package_call(json_at_path(value, &["integrations"]), "@astrojs/starlight")
        .and_then(|given| given.get(0))
        .unwrap_or(&Value::Null)
}

/// What a package of a list of calls is given; element 0 is its first argument.
pub(super) fn find_package_call<'v>(list: &'v Value, package: &str) -> Option<&'v Value> {
    let mut open: Vec<&Value> = list.as_array()?.iter().collect();
    open.reverse();
    while let Some(one) = open.pop() {
        if text_at(one, &["$from"]) == Some(package) {
            return one.get("$with");
        }
        // lists within lists are joined
        open.extend(one.as_array().into_iter().flatten().rev());
    }
    None
}

/// The languages, the default first.
fn locales(own: &Value) -> Vec<StarlightLocale> {
    let default = text_at(own, &["defaultLocale"]);
    let mut found: Vec<StarlightLocale> = Vec::new();
    for (key, value) in json_at_path(own, &["locales"]).as_object().into_iter().flatten().take(MAX_STARLIGHT_LOCALES) {
        let is_root = key == "root";
        found.push(StarlightLocale {
            prefix: if is_root { String::new() } else { key.clone() },
            code: text_at(value, &["lang"]).unwrap_or(if is_root { default.unwrap_or("en") } else { key }).to_owned(),
            label: text_at(value, &["label"]).unwrap_or(key).to_owned(),
            ..StarlightLocale::default()
        });
    }
    let is_first = |locale: &StarlightLocale| match default {
        Some("root") | None => locale.prefix.is_empty(),
        Some(default) => locale.prefix == default,
    };
    found.sort_by_key(|locale| !is_first(locale));
    if found.is_empty() {
        found.push(StarlightLocale { code: default.unwrap_or("en").to_owned(), ..StarlightLocale::default() });
    }
    found
}

/// The names of folders in `tsconfig.json`, and those that Astro's own starters have.
fn names_of_folders(source: &ToolInput<'_>, root: &str, sources: &str) -> Vec<(String, String)> {
    let mut names = folder_names(source, root);
    for name in ["~/", "@/"] {
        if names.iter().all(|(known, _)| known != name) {
            names.push((name.to_owned(), sources.to_owned()));
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn addresses_are_in_lower_case() {
        assert_eq!(starlight_address("Guides/Getting Started.mdx"), "guides/getting-started");
        assert_eq!(starlight_address("v1.2/index.md"), "v12/index");
    }

    #[test]
    fn the_default_language_comes_first() {
        let codes = |value: Value| -> Vec<(String, String)> {
            locales(&value).into_iter().map(|locale| (locale.prefix, locale.code)).collect()
        };
        let of = |prefix: &str, code: &str| (prefix.to_owned(), code.to_owned());
        assert_eq!(codes(json!({})), [of("", "en")]);
        assert_eq!(
            codes(json!({"defaultLocale": "fr", "locales": {"en": {"label": "English"}, "fr": {"lang": "fr-FR"}}})),
            [of("fr", "fr-FR"), of("en", "en")]
        );
        assert_eq!(
            codes(json!({"locales": {"zh-cn": {"lang": "zh-CN"}, "root": {"label": "English", "lang": "en"}}})),
            [of("", "en"), of("zh-cn", "zh-CN")]
        );
    }
}
