//! What `astro:content` gives: the front matter of the files of a collection, as a text of JSON.

use serde_json::{Map, Value, json};

use base::cut::SliceText as _;
use base::extension::is_markdown;
use load::Site;
use site::front_matter::split_front_matter;
use site::yaml::parse_yaml;

use super::config::{StarlightConfig, starlight_address};

/// The modules of collections.
const MODULE: &str = "offprint:collection/";
/// Most files of a collection.
const MAX_COLLECTION_FILES: usize = 5_000;
/// Most bytes of what is known of a collection.
const MAX_COLLECTION_BYTES: usize = 1 << 20;

/// What schemas are made of.
const SCHEMA: &str = "any and array boolean brand catch catchall custom date default describe discriminatedUnion email enum \
                      extend function instanceof int intersection iso lazy length literal looseObject map max merge min \
                      nativeEnum never nonempty nonnegative nullable nullish number object omit optional or \
                      partial passthrough pick pipe positive preprocess promise readonly record refine regex required \
                      set startsWith endsWith strict strictObject string superRefine symbol transform trim \
                      tuple undefined union unknown url uuid";

/// The functions by which a module asks for collections, and the imports of those that its text names.
pub(super) fn functions(text: &str, names: &[(&str, &str)]) -> (Vec<String>, String) {
    let mut known: Vec<&str> = Vec::new();
    for call in ["getCollection(", "getEntry(", "getEntries(", "getEntryBySlug(", "collection:"] {
        for (at, mark) in text.match_indices(call) {
            let rest = text.slice(at + mark.len()..).trim_start();
            let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'' | '`')) else { continue };
            let name = rest.slice(1..).split(quote).next().unwrap_or_default();
            let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
            if is_name && !known.contains(&name) {
                known.push(name);
            }
        }
    }
    let mut out = String::from("const $collections = {};\n");
    let mut imports = Vec::new();
    for (number, name) in known.into_iter().enumerate() {
        imports.push(format!("import $entries{number} from '{MODULE}{name}';"));
        out.push_str(&format!("$collections[{}] = JSON.parse($entries{number}) ?? [];\n", Value::from(name)));
    }
    for (exported, local) in names {
        let body = match *exported {
            "getCollection" => "(name, is) => ($collections[name] ?? []).filter((one) => !is || is(one))",
            "getEntry" | "getEntryBySlug" | "getDataEntryById" => {
                "(name, id) => typeof name === 'object' ? ($collections[name.collection] ?? []).find((one) => one.id === (name.id ?? name.slug)) : ($collections[name] ?? []).find((one) => one.id === id)"
            }
            "getEntries" => {
                "(all) => all.map((of) => ($collections[of.collection] ?? []).find((one) => one.id === (of.id ?? of.slug))).filter(Boolean)"
            }
            "render" => "() => ({ Content: $none, headings: [], remarkPluginFrontmatter: {} })",
            // the schemas of collections, which say nothing of pages
            "defineCollection" | "reference" => "(given) => given",
            "z" => {
                out.push_str(&schemas(local));
                continue;
            }
            _ => "() => undefined",
        };
        out.push_str(&format!("const {local} = {body};\n"));
    }
    (imports, out)
}

/// What stands in for the maker of schemas: it takes all as it is.
pub(super) fn schemas(local: &str) -> String {
    format!(
        "const {local} = {}.split(' ').reduce((z, name) => ((z[name] = () => z), z), {{}}); {local}.coerce = {local}; \
         {local}.parse = (given) => given; {local}.safeParse = (data) => ({{ success: true, data }});\n",
        Value::from(SCHEMA)
    )
}

/// The entries of a collection, by the name of its module.
pub(super) fn known(options: &StarlightConfig, site: &Site, name: &str) -> Option<String> {
    Some(collection_entries(options, site, name.strip_prefix("collection/")?).to_string())
}

/// The entries of a collection.
fn collection_entries(options: &StarlightConfig, site: &Site, name: &str) -> Value {
    let folder = match (name, options.sources.as_str()) {
        ("docs", _) => options.pages.clone(),
        (_, "") => format!("content/{name}"),
        (_, sources) => format!("{sources}/content/{name}"),
    };
    let prefix = format!("{folder}/");
    let mut out = Vec::new();
    let mut bytes = 0;
    let files = site.tree.iter().filter(|(_, file)| !file.ignored && file.path.starts_with(&prefix));
    for (file, source) in files.take(MAX_COLLECTION_FILES) {
        let inside = source.path.slice(prefix.len()..);
        if inside.rsplit('/').next().is_some_and(|name| name.starts_with('_')) {
            continue;
        }
        let is_page = is_markdown(inside);
        if !is_page && ![".json", ".yaml", ".yml"].iter().any(|ending| inside.ends_with(ending)) {
            continue;
        }
        let Some(text) = site.tree.text(file) else { continue };
        let block = if is_page { split_front_matter(&text).block.to_owned() } else { text };
        let members = parse_yaml(&block, true).unwrap_or_default().into_iter();
        let mut data: Map<String, Value> = members.map(|entry| (entry.key, entry.value.to_json())).collect();
        if name == "docs" && !data.contains_key("sidebar") {
            data.insert("sidebar".to_owned(), json!({ "hidden": false, "attrs": {} }));
        }
        let own = data.get("slug").and_then(Value::as_str).map(|slug| slug.trim_matches('/').to_owned());
        let id = own.unwrap_or_else(|| {
            let id = starlight_address(inside.rsplit_once('.').map_or(inside, |(stem, _)| stem));
            id.strip_suffix("/index").map(str::to_owned).unwrap_or(id)
        });
        let entry =
            json!({ "id": id, "slug": id, "collection": name, "filePath": source.path, "body": "", "data": data });
        bytes += entry.to_string().len();
        if bytes > MAX_COLLECTION_BYTES {
            break;
        }
        out.push(entry);
    }
    Value::Array(out)
}
