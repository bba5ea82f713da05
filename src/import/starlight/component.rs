//! Components of Astro and the scripts that they import, as the scripts that pages run: the template is written as JSX,
//! nothing waits for anything, and what packages give is written into the text where it is known.

use serde_json::{Map, Value, json};

use crate::imports::{self, Import, length_of, parse_import};
use crate::js_text::without_waiting;
use base::cut::SliceText as _;
use load::Site;
use load::tool::script::text_at;
use site::tree;

use super::collection;
use super::config::StarlightConfig;
use super::template;

/// The module that says which page runs.
const PAGE: &str = "offprint:page";
/// The module of the components that need no file.
const COMPONENTS: &str = "offprint:components";
/// Endings of modules, as bundlers try them.
const ENDINGS: [&str; 12] =
    ["", ".astro", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".mdx", ".md", "/index.ts", "/index.js", "/index.tsx"];
/// Largest file of data that is put into what imports it.
const MAX_DATA_BYTES: u64 = 200_000;
/// What a component finds around it.
const RUNTIME: &str = include_str!("astro.js");

/// Whether a file is run as a script that is none.
pub(super) fn is_component(path: &str) -> bool {
    path.ends_with(".astro")
}

/// The script of a component, or a script as pages run it; `None` if it stays as it is.
pub(super) fn component_script(options: &StarlightConfig, site: &Site, path: &str, text: &str) -> Option<String> {
    if is_component(path) {
        let name = path.rsplit('/').next().unwrap_or_default().trim_end_matches(".astro");
        let compiled = compile_component(options, site, path, text);
        return Some(compiled.unwrap_or_else(|| {
            let why = Value::from(format!("the template of `{name}` cannot be read"));
            format!("export default function Component() {{ throw new Error({why}); }}")
        }));
    }
    let mut module = ComponentImports::of(options, site, path);
    let lines = module.without_imports(text);
    let is_plain = !path.ends_with("x");
    let body = if is_plain { without_waiting(&lines)? } else { lines };
    let body = body.replace("import.meta", "$meta");
    let head = module.head(&body);
    let script = format!("{head} {body}");
    (script.trim() != text.trim()).then_some(script)
}

fn compile_component(options: &StarlightConfig, site: &Site, path: &str, text: &str) -> Option<String> {
    let (front, template) = split_component(text);
    let stem = path.rsplit('/').next().unwrap_or_default().trim_end_matches(".astro");
    let name: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let jsx = template::as_jsx(template)?;
    let mut module = ComponentImports::of(options, site, path);
    let lines = module.without_imports(front);
    let lines: Vec<&str> = lines.split('\n').map(|line| line.strip_prefix("export ").unwrap_or(line)).collect();
    let front = without_waiting(&lines.join("\n"))?.replace("import.meta", "$meta");
    let jsx = without_waiting(&jsx)?.replace("import.meta", "$meta");
    let known = site_of(options, &format!("{front}{jsx}"));
    let head = module.head(&format!("{front}{jsx}"));
    Some(format!(
        "import $path from '{PAGE}'; {head} {runtime} export default function $_{name}($props) {{ const Astro = \
         $astro($props, {known}, $path); const $slot = Astro.slots.show; {front}\nreturn <>{jsx}</>; }} $_{name}.displayName = \"{name}\";",
        runtime = RUNTIME.replace('\n', " "),
    ))
}

/// The script above a template, and the template.
fn split_component(text: &str) -> (&str, &str) {
    let Some(at) = text.find("---").filter(|at| text.slice(..*at).trim().is_empty()) else { return ("", text) };
    let inside = text.slice(at + 3..);
    let Some(end) = inside.find("\n---") else { return ("", text) };
    (inside.slice(..end), inside.slice(end + 4..))
}

/// What components know of the site: languages, and those of their words that a text may ask for.
fn site_of(options: &StarlightConfig, text: &str) -> Value {
    // `t(`group.${name}`)` may mean each word of a group
    let is_requested = |key: &str| {
        text.contains(key) || key.split_once('.').is_some_and(|(group, _)| text.contains(&format!("{group}.${{")))
    };
    let is_any = text.contains("t.all(");
    let mut locales = Map::new();
    let mut words = Map::new();
    for locale in &options.locales {
        let own = locale.words.iter().filter(|(key, _)| is_any || is_requested(key));
        let own: Map<String, Value> = own.map(|(key, word)| (key.clone(), Value::from(word.as_str()))).collect();
        locales.insert(locale.prefix.clone(), json!({ "code": locale.code, "label": locale.label }));
        words.insert(locale.prefix.clone(), Value::Object(own));
    }
    json!({
        "pages": options.pages,
        "base": options.base,
        "url": text_at(&options.astro, &["site"]).filter(|url| url.starts_with("http")).unwrap_or("https://example.com"),
        "first": options.locales[0].prefix,
        "locales": locales,
        "words": words,
    })
}

/// The file that a name of a module means.
fn find_component_file(options: &StarlightConfig, site: &Site, path: &str, from: &str) -> Option<String> {
    let at = match from.starts_with('.') {
        true => tree::join_document_path(tree::folder(path), from)?,
        false => options.resolved(from).or_else(|| from.starts_with('/').then(|| from.to_owned()))?,
    };
    let at = at.trim_start_matches('/');
    let mut paths = ENDINGS.iter().map(|ending| format!("{at}{ending}"));
    paths.find(|path| site.tree.find_any(path).is_some())
}

/// The text of a small file.
fn small_file_text(site: &Site, path: &str) -> Option<String> {
    site.tree.read_text(site.tree.find_any(path)?, MAX_DATA_BYTES).ok()
}

/// The file that an import of a page means, from the root of the source.
pub(super) fn find_import_file(options: &StarlightConfig, site: &Site, path: &str, from: &str) -> Option<String> {
    find_component_file(options, site, path, from).map(|found| format!("/{found}"))
}

/// `import name from './data.json'` or `'./code.ts?raw'` of a page as what it declares.
pub(super) fn inline_data_import(options: &StarlightConfig, site: &Site, path: &str, line: &str) -> Option<String> {
    let import = parse_import(line)?;
    if let Some(from) = import.from.strip_suffix("?raw") {
        let text = Value::from(small_file_text(site, &find_component_file(options, site, path, from)?)?);
        let declared = import.names.iter().map(|(_, local)| format!("export const {local} = {text};"));
        return Some(declared.collect::<Vec<_>>().join(" "));
    }
    let found = find_component_file(options, site, path, &import.from).filter(|_| import.from.ends_with(".json"))?;
    let value: Value = serde_json::from_str(&small_file_text(site, &found)?).ok()?;
    let declared = import.names.iter().map(|(exported, local)| match *exported {
        "default" | "*" => format!("export const {local} = {value};"),
        name => format!("export const {local} = {};", value.get(name).unwrap_or(&Value::Null)),
    });
    Some(declared.collect::<Vec<_>>().join(" "))
}

/// The imports of a file.
struct ComponentImports<'a> {
    options: &'a StarlightConfig,
    site: &'a Site,
    path: &'a str,
    imports: Vec<String>,
    definitions: Vec<String>,
}

impl<'a> ComponentImports<'a> {
    fn of(options: &'a StarlightConfig, site: &'a Site, path: &'a str) -> Self {
        Self { options, site, path, imports: Vec::new(), definitions: Vec::new() }
    }

    /// The text of a script; its imports are kept for the head.
    fn without_imports(&mut self, text: &str) -> String {
        let lines: Vec<&str> = text.split('\n').collect();
        let mut out: Vec<&str> = Vec::with_capacity(lines.len());
        let mut at = 0;
        while at < lines.len() {
            let is_import = lines[at].starts_with("import ") || lines[at].starts_with("import{");
            let length = if is_import { length_of(&lines[at..]) } else { None };
            let Some(length) = length else {
                out.push(lines[at]);
                at += 1;
                continue;
            };
            self.import(&lines[at..=at + length].join("\n"), text);
            out.extend((0..=length).map(|_| ""));
            at += length + 1;
        }
        out.join("\n")
    }

    /// What stands before the text, in one line.
    fn head(&self, body: &str) -> String {
        let mut out = self.imports.join(" ");
        out.push(' ');
        out.push_str(&self.definitions.join(" ").replace('\n', " "));
        if body.contains("fetch(") {
            out.push_str(" const fetch = () => $later($response);");
        }
        if body.contains("Promise.") && !body.contains("new Promise") {
            out.push_str(" const Promise = { all: (all) => [...all], allSettled: (all) => [...all].map((value) => ({ status: 'fulfilled', value })), resolve: (value) => value, reject: () => undefined };");
        }
        let is_needed = !is_component(self.path)
            && ["$none", "$Package", "$meta", "$later", "$try"]
                .iter()
                .any(|name| out.contains(name) || body.contains(name));
        if is_needed { format!("{out} {}", RUNTIME.replace('\n', " ")) } else { out }
    }

    fn import(&mut self, statement: &str, text: &str) {
        let is_type = statement.trim_start().starts_with("import type ");
        let Some(mut import) = parse_import(statement).filter(|_| !is_type) else { return };
        import.names.retain(|(exported, _)| !exported.starts_with("type "));
        let whole = import.from.clone();
        let (from, query) = whole.split_once('?').unwrap_or((&whole, ""));
        if let Some(found) = find_component_file(self.options, self.site, self.path, from) {
            self.file(&import, &found, query);
        } else if [".css", ".scss", ".sass", ".less"].iter().any(|ending| from.ends_with(ending)) {
            self.each(&import, |_, local| format!("const {local} = {{}};"));
        } else if import.names.is_empty() {
            // a package that is imported for what it does
        } else if from == "astro:content" {
            let (imports, definition) = collection::functions(text, &import.names);
            self.imports.extend(imports);
            self.definitions.push(definition);
        } else if matches!(from, "react" | "preact" | "react-dom" | "preact/hooks") {
            self.imports.push(imports::written(&import.names, from));
        } else {
            self.package(&import, from);
        }
    }

    fn each(&mut self, import: &Import<'_>, definition: impl Fn(&str, &str) -> String) {
        self.definitions.extend(import.names.iter().map(|(exported, local)| definition(exported, local)));
    }

    /// A file of the project.
    fn file(&mut self, import: &Import<'_>, found: &str, query: &str) {
        let ending = found.rsplit('.').next().unwrap_or_default();
        let read = || small_file_text(self.site, found);
        if query == "raw" || ending == "json" {
            let text = read().unwrap_or_default();
            let text =
                if query == "raw" || serde_json::from_str::<Value>(&text).is_ok() { text } else { "{}".to_owned() };
            let text = Value::from(text);
            let is_raw = query == "raw";
            return self.each(import, |exported, local| match exported {
                _ if is_raw => format!("const {local} = {text};"),
                "default" | "*" => format!("const {local} = JSON.parse({text});"),
                name => format!("const {local} = JSON.parse({text})[{}];", Value::from(name)),
            });
        }
        if matches!(ending, "vue" | "svelte") {
            return self.stand_in(import, &format!("/{found}"));
        }
        // a part of pages gives its content under two names
        let is_part = matches!(ending, "md" | "mdx");
        let from = format!("/{found}");
        for (exported, local) in import.names.iter().filter(|_| is_part) {
            let exported = if *exported == "Content" { "default" } else { *exported };
            self.imports.push(imports::written(&[(exported, *local)], &from));
        }
        if !is_part {
            self.imports.push(imports::written(&import.names, &from));
        }
    }

    /// What is imported for the report alone, and what stands in for it.
    fn stand_in(&mut self, import: &Import<'_>, from: &str) {
        let locals: Vec<String> = import.names.iter().map(|(_, local)| format!("$of_{local}")).collect();
        let names: Vec<(&str, &str)> =
            import.names.iter().zip(&locals).map(|((exported, _), local)| (*exported, local.as_str())).collect();
        self.imports.push(imports::written(&names, from));
        self.each(import, |_, local| stand_in(local));
    }

    /// A package: those of Astro are known as far as this program has what they give.
    fn package(&mut self, import: &Import<'_>, from: &str) {
        const SHOWN: [&str; 5] =
            ["astro:assets", "astro/components", "@astrojs/starlight/", "@astro-community/", "starlight-"];
        if SHOWN.iter().any(|start| from.starts_with(start)) {
            let stem = from.rsplit('/').next().unwrap_or_default().split('.').next().unwrap_or_default();
            for (exported, local) in &import.names {
                let exported = if *exported == "default" { stem } else { *exported };
                if exported.starts_with(char::is_uppercase) && local.starts_with(char::is_uppercase) {
                    self.imports.push(imports::written(&[(exported, *local)], COMPONENTS));
                } else {
                    self.definitions.push(stand_in(local));
                }
            }
            return;
        }
        if matches!(from, "astro/zod" | "zod" | "astro:schema") {
            return self.each(import, |exported, local| match exported {
                "z" | "default" | "*" => collection::schemas(local),
                _ => stand_in(local),
            });
        }
        if ["astro:", "astro/", "@astrojs/", "node:"].iter().any(|start| from.starts_with(start)) {
            return self.each(import, |_, local| stand_in(local));
        }
        self.stand_in(import, from);
    }
}

fn stand_in(local: &str) -> String {
    let value = if local.starts_with(char::is_uppercase) { "$Package" } else { "$none" };
    format!("const {local} = (given) => {value}(given);")
}

#[cfg(test)]
mod tests {
    use super::split_component;

    #[test]
    fn a_script_stands_above_a_template() {
        assert_eq!(split_component("---\nconst a = 1;\n---\n<p/>"), ("\nconst a = 1;", "\n<p/>"));
        assert_eq!(split_component("\n---\n---\n<p/>"), ("", "\n<p/>"));
        assert_eq!(split_component("<p>---</p>\n---"), ("", "<p>---</p>\n---"));
        assert_eq!(split_component("---\nno end"), ("", "---\nno end"));
    }
}
