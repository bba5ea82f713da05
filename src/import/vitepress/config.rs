//! What the configuration of VitePress says of files: where pages lie, which are none, and their addresses; and its
//! languages.

use globset::{Glob, GlobSet, GlobSetBuilder};
use serde_json::{Map, Value};

use load::tool::script::{json_at_path, text_at};
use load::tool::{ToolInput, path_in_source_root};
use site::tree;

use super::pattern::PathPattern;

/// Most languages that are read.
const MAX_VITEPRESS_LOCALES: usize = 100;

/// What the configuration says.
#[derive(Debug, Default)]
pub(crate) struct VitePressConfig {
    /// All of it, without functions.
    pub value: Value,
    /// The folder of the project: what holds `.vitepress`.
    pub root: String,
    /// The folder of the configuration in it: `.vitepress`.
    pub(super) folder: &'static str,
    /// The folder of the pages.
    pub(super) pages: String,
    /// The folder whose files are served as they are.
    pub public: String,
    /// What addresses begin with, without a slash at either end.
    pub(super) base: String,
    excluded: GlobSet,
    rewrites: Vec<(PathPattern, String)>,
    /// At least one.
    pub(super) locales: Vec<VitePressLocale>,
}

/// A language.
#[derive(Clone, Debug, Default)]
pub(crate) struct VitePressLocale {
    /// What the addresses of its pages begin with; empty for that of the root.
    pub(super) prefix: String,
    /// Its code.
    pub(super) code: String,
    /// What readers see.
    pub(super) label: String,
    /// Where it is, if that is another site.
    pub(super) outside: Option<String>,
    /// Options of the theme, its own before those of all.
    pub(super) theme: Value,
}

impl VitePressConfig {
    /// Reads what is said in the words of VitePress. `folder` is the name of the folder of the configuration.
    pub(crate) fn read(value: Value, source: &ToolInput<'_>, folder: &'static str) -> Self {
        let root = project_folder(source.config, folder).to_owned();
        let pages = text_at(&value, &["srcDir"])
            .and_then(|folder| path_in_source_root(&root, folder))
            .unwrap_or_else(|| root.clone());
        let base = text_at(&value, &["base"]).unwrap_or_default().trim_matches('/').to_owned();
        let mut excluded = GlobSetBuilder::new();
        for glob in texts(json_at_path(&value, &["srcExclude"]))
            .filter_map(|glob| Glob::new(glob.trim_start_matches("./")).ok())
        {
            excluded.add(glob);
        }
        let rewrites = json_at_path(&value, &["rewrites"]).as_object().into_iter().flatten();
        let rewrites =
            rewrites.filter_map(|(from, to)| Some((PathPattern::read(from)?, to.as_str()?.to_owned()))).collect();
        let locales = locales(&value);
        let public = text_at(&value, &["publicDir"]).unwrap_or("public");
        let public = path_in_source_root(&pages, public).unwrap_or_default();
        Self {
            root,
            folder,
            pages,
            public,
            base,
            excluded: excluded.build().unwrap_or_default(),
            rewrites,
            locales,
            value,
        }
    }

    /// The path of a file from the folder of the pages.
    pub(crate) fn inside<'p>(&self, path: &'p str) -> Option<&'p str> {
        match self.pages.as_str() {
            "" => Some(path),
            folder => path.strip_prefix(folder)?.strip_prefix('/'),
        }
    }

    /// Whether a file, by its path from the folder of the pages, is left out. Files in square brackets are made to pages
    /// by programs.
    pub(crate) fn is_excluded(&self, inside: &str) -> bool {
        self.excluded.is_match(inside)
    }

    /// The address of a file, by its path from the folder of the pages.
    pub(super) fn address(&self, inside: &str) -> String {
        let rewritten = self.rewrites.iter().find_map(|(pattern, to)| pattern.rewrite(inside, to));
        let path = rewritten.as_deref().unwrap_or(inside).trim_start_matches('/');
        path.strip_suffix(".md").unwrap_or(path).to_owned()
    }

    /// The name of boxes without a title on a page: that of its language, or that of all.
    pub(super) fn label(&self, slug: &str, key: &str) -> Option<&str> {
        text_at(&self.locale_of(slug).theme, &["container", key])
            .or_else(|| text_at(&self.value, &["markdown", "container", key]))
    }

    /// The language of a page.
    pub(super) fn locale_of(&self, slug: &str) -> &VitePressLocale {
        let is_in = |locale: &&VitePressLocale| {
            slug.strip_prefix(locale.prefix.as_str()).is_some_and(|rest| rest.starts_with('/'))
                && !locale.prefix.is_empty()
        };
        self.locales.iter().find(is_in).unwrap_or(&self.locales[0])
    }
}

/// The folder that holds that of the configuration: `.vitepress`.
pub(crate) fn project_folder<'c>(config: &'c str, name: &str) -> &'c str {
    let folder = tree::folder(config);
    let folder = folder.strip_suffix("/config").unwrap_or(folder);
    folder.strip_suffix(name).unwrap_or(folder).trim_end_matches('/')
}

/// The texts of a list; a text alone is a list of one.
pub(super) fn texts(value: &Value) -> impl Iterator<Item = &str> {
    let list = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
    list.iter().filter_map(Value::as_str)
}

/// The languages: that of the root first.
fn locales(value: &Value) -> Vec<VitePressLocale> {
    let theme = json_at_path(value, &["themeConfig"]);
    let whole = || VitePressLocale {
        code: text_at(value, &["lang"]).unwrap_or("en-US").to_owned(),
        theme: theme.clone(),
        ..VitePressLocale::default()
    };
    let Some(all) = json_at_path(value, &["locales"]).as_object() else { return vec![whole()] };
    let mut found: Vec<VitePressLocale> = Vec::new();
    for (key, own) in all.iter().take(MAX_VITEPRESS_LOCALES) {
        let is_root = key == "root" || key == "/";
        let link = text_at(own, &["link"]);
        found.push(VitePressLocale {
            prefix: if is_root { String::new() } else { key.trim_matches('/').to_owned() },
            code: text_at(own, &["lang"])
                .or_else(|| text_at(value, &["lang"]).filter(|_| is_root))
                .unwrap_or(if is_root { "en-US" } else { key })
                .to_owned(),
            label: text_at(own, &["label"]).unwrap_or(key).to_owned(),
            outside: link.filter(|link| link.contains("://")).map(str::to_owned),
            theme: merged(theme, json_at_path(own, &["themeConfig"])),
        });
    }
    found.sort_by_key(|locale| !locale.prefix.is_empty());
    if found.iter().all(|locale| locale.outside.is_some()) {
        found.insert(0, whole());
    }
    found
}

/// Options with those of a language in their place.
fn merged(all: &Value, own: &Value) -> Value {
    let (Some(all), Some(own)) = (all.as_object(), own.as_object()) else {
        return if own.is_object() { own.clone() } else { all.clone() };
    };
    let mut out: Map<String, Value> = all.clone();
    for (key, value) in own {
        out.insert(key.clone(), value.clone());
    }
    Value::Object(out)
}
