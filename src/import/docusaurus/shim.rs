//! What pages and scripts import: packages of Docusaurus, components of the project, data. Packages are not there, so
//! what they are used for is written into the text.

use serde_json::{Value, json};

use crate::imports::{length_of, parse_import, written};
use base::cut::SliceText as _;
use base::github_slug::github_slug;
use load::Site;
use load::tool::{ToolInput, script as config};
use site::front_matter::split_front_matter;
use site::tree::{self, SourceTree};
use site::yaml::parse_yaml;

use super::DocusaurusSettings;
use super::fence::{self, parse_fence_line};
use super::plugins::{self, join_address};

/// Endings of modules, as bundlers try them.
const ENDINGS: [&str; 13] = [
    "",
    ".js",
    ".jsx",
    ".ts",
    ".tsx",
    ".mdx",
    ".md",
    ".json",
    "/index.js",
    "/index.jsx",
    "/index.ts",
    "/index.tsx",
    "/index.mdx",
];

/// Components that this program has under the name of Docusaurus.
const KNOWN: [&str; 4] = ["Tabs", "TabItem", "CodeBlock", "Mermaid"];

/// What a text imports, as it has to be written.
#[derive(Debug, Default)]
pub(super) struct Shims {
    definitions: Vec<String>,
    names: Vec<String>,
}

/// The file of the source that a name of a module means.
fn find_module_file(settings: &DocusaurusSettings, site: &Site, path: &str, from: &str) -> Option<String> {
    let at = module_path(settings, path, from).or_else(|| from.strip_prefix('/').map(str::to_owned))?;
    with_ending(&site.tree, &at)
}

/// The path that a name of a module means in a file; `None` if it is none of the project's.
fn module_path(settings: &DocusaurusSettings, path: &str, from: &str) -> Option<String> {
    match from.strip_prefix("@site/") {
        Some(rest) => settings.inside(rest),
        None if from.starts_with('.') => tree::join_document_path(tree::folder(path), from),
        None => settings.named_path(from),
    }
}

/// The file that a path means, which may lack its ending.
fn with_ending(tree: &SourceTree, at: &str) -> Option<String> {
    ENDINGS.iter().map(|ending| format!("{at}{ending}")).find(|path| tree.find_any(path).is_some())
}

fn is_style(from: &str) -> bool {
    [".css", ".scss", ".sass", ".less"].iter().any(|ending| from.ends_with(ending))
}

impl Shims {
    /// What an import becomes; `None` if it stays.
    pub(super) fn import(
        &mut self,
        settings: &DocusaurusSettings,
        site: &Site,
        path: &str,
        statement: &str,
    ) -> Option<String> {
        let import = parse_import(statement)?;
        if is_style(&import.from) {
            for (_, local) in &import.names {
                self.define(local, format!("const {local} = {{}};"));
            }
            return Some(String::new());
        }
        if let Some((_, file)) = import.from.rsplit_once("raw-loader!") {
            let text = find_module_file(settings, site, path, file)
                .and_then(|path| site.tree.text(site.tree.find_any(&path)?));
            for (_, local) in &import.names {
                let text = Value::from(text.clone().unwrap_or_default());
                self.define(local, format!("const {local} = {text};"));
            }
            return Some(String::new());
        }
        let found = find_module_file(settings, site, path, &import.from);
        if let Some(data) = found.as_ref().and_then(|path| settings.data.get(path)) {
            for (exported, local) in &import.names {
                let value = match *exported {
                    "default" | "*" => data.trim().to_owned(),
                    name => serde_json::from_str::<Value>(data).ok()?.get(name)?.to_string(),
                };
                self.define(local, format!("const {local} = {value};"));
            }
            return Some(String::new());
        }
        if let Some(found) = found {
            self.names.extend(import.names.iter().map(|(_, local)| (*local).to_owned()));
            // parts of pages give their contents, which nothing here has
            let is_part = found.ends_with(".md") || found.ends_with(".mdx");
            let names: Vec<_> =
                import.names.iter().filter(|(exported, _)| !is_part || *exported == "default").copied().collect();
            return Some(written(&names, &format!("/{found}")));
        }
        let package = import.from.as_ref();
        let own = package
            .strip_prefix("@theme/")
            .and_then(|name| find_module_file(settings, site, path, &format!("@site/src/theme/{name}")));
        if let Some(own) = own {
            return Some(written(&import.names, &format!("/{own}")));
        }
        if !is_known_package(package) {
            return None;
        }
        for (exported, local) in &import.names {
            if !(KNOWN.contains(local) && package.starts_with("@theme/")) {
                self.define(local, definition(settings, package, exported, local));
            }
        }
        Some(String::new())
    }

    fn define(&mut self, name: &str, text: String) {
        if !self.names.iter().any(|known| known == name) {
            self.names.push(name.to_owned());
            self.definitions.push(text);
        }
    }

    /// What stands behind a page: definitions, components that all pages know, and what is known of the page.
    pub(super) fn text(&self, settings: &DocusaurusSettings, lines: &[String], whole: &str) -> String {
        let mut out: Vec<String> = self.definitions.iter().map(|text| format!("export {text}")).collect();
        let has = |mark: &str| lines.iter().any(|line| line.contains(mark));
        for (name, statement) in &settings.components {
            let is_used = has(&format!("<{name} "))
                || has(&format!("<{name}>"))
                || has(&format!("<{name}/"))
                || lines.iter().any(|line| line.trim_end().ends_with(&format!("<{name}")));
            if is_used && !self.names.iter().any(|known| known == name) {
                out.push(statement.clone());
            }
        }
        if has("{toc") || has("(toc") {
            out.push(format!("export const toc = {};", Value::Array(contents(lines))));
        }
        if has("{frontMatter.") || has("{metadata.") {
            let split = split_front_matter(whole);
            let entries = parse_yaml(split.block, true).unwrap_or_default();
            let members = entries.iter().map(|entry| (entry.key.clone(), entry.value.to_json()));
            let value = Value::Object(members.collect());
            out.push(format!("export const frontMatter = {value};"));
            out.push(format!(
                "export const metadata = {};",
                json!({ "frontMatter": value, "title": value.get("title") })
            ));
        }
        out.join("\n\n")
    }
}

/// The headings of a page, as `toc` lists them.
fn contents(lines: &[String]) -> Vec<Value> {
    let mut found = Vec::new();
    let mut counts: std::collections::BTreeMap<String, u32> = std::collections::BTreeMap::new();
    let mut open: Option<fence::DocusaurusFence<'_>> = None;
    for line in lines {
        if let Some(fence) = &open {
            if fence.is_end(line) {
                open = None;
            }
            continue;
        }
        open = parse_fence_line(line);
        let level = line.chars().take_while(|c| *c == '#').count();
        let Some(title) = line.get(level..).filter(|rest| (2..=6).contains(&level) && rest.starts_with(' ')) else {
            continue;
        };
        let title = title.trim();
        let (title, own) = match title.rsplit_once("{#") {
            Some((title, id)) => (title.trim(), Some(id.trim_end_matches('}').to_owned())),
            None => (title, None),
        };
        let words = base::Description::new(title.to_owned()).words().to_owned();
        let id = own.unwrap_or_else(|| {
            let base = github_slug(&words);
            let count = counts.entry(base.clone()).or_insert(0);
            *count += 1;
            if *count == 1 { base } else { format!("{base}-{}", *count - 1) }
        });
        found.push(json!({ "value": words, "id": id, "level": level }));
    }
    found
}

/// What stands in for what a package exports.
fn definition(settings: &DocusaurusSettings, package: &str, exported: &str, local: &str) -> String {
    let name = package.rsplit('/').next().unwrap_or_default();
    let name = if exported == "default" { name } else { exported };
    let body = match name {
        "Link" | "NavLink" => {
            "({ to, href, children, isNavLink, activeClassName, autoAddBaseUrl, ...rest }) { return <a href={to ?? href} {...rest}>{children}</a>; }"
        }
        "useBaseUrl" => "(path) { return path; }",
        "useBaseUrlUtils" => "() { return { withBaseUrl: (path) => path }; }",
        "BrowserOnly" => {
            "({ children, fallback }) { try { return (typeof children === 'function' ? children() : children) ?? fallback ?? null; } catch { return fallback ?? null; } }"
        }
        "Head" | "DocCardList" | "Giscus" | "SearchBar" => "() { return null; }",
        "translate" => "(given) { return given.message ?? given.id; }",
        "useIsBrowser" => "() { return false; }",
        "useColorMode" => "() { return { colorMode: 'light', isDarkTheme: false, setColorMode: () => {} }; }",
        "useLocation" => "() { return { pathname: '/', search: '', hash: '' }; }",
        "useHistory" => "() { return { push: () => {}, replace: () => {} }; }",
        "Redirect" => "({ to }) { return <p><a href={to}>{to}</a></p>; }",
        "Heading" => "({ as, children, ...rest }) { const As = as ?? 'h2'; return <As {...rest}>{children}</As>; }",
        "Details" => {
            "({ summary, children }) { return <details>{typeof summary === 'string' ? <summary>{summary}</summary> : summary}{children}</details>; }"
        }
        "ThemedImage" => {
            "({ sources, alt, className, ...rest }) { return <><img {...rest} className=\"block dark:hidden\" src={sources.light} alt={alt} /><img {...rest} className=\"hidden dark:block\" src={sources.dark} alt={alt} /></>; }"
        }
        "IdealImage" => {
            "({ img, ...rest }) { return <img src={typeof img === 'string' ? img : img?.default} {...rest} />; }"
        }
        "Admonition" => {
            "({ type, title, children }) { switch (type) { case 'tip': return <Tip title={title}>{children}</Tip>; case 'info': case 'important': return <Info title={title}>{children}</Info>; case 'warning': case 'caution': return <Warning title={title}>{children}</Warning>; case 'danger': return <Danger title={title}>{children}</Danger>; default: return <Note title={title}>{children}</Note>; } }"
        }
        "TOCInline" => {
            "({ toc, minHeadingLevel, maxHeadingLevel }) { const shown = toc.filter((one) => one.level >= (minHeadingLevel ?? 2) && one.level <= (maxHeadingLevel ?? 3)); return <ul>{shown.map((one) => <li key={one.id} style={{ marginLeft: (one.level - 2) + 'rem' }}><a href={'#' + one.id}>{one.value}</a></li>)}</ul>; }"
        }
        "clsx" | "classnames" | "cx" => {
            "(...given) { return given.flat(9).map((one) => one && typeof one === 'object' ? Object.keys(one).filter((key) => one[key]).join(' ') : one).filter(Boolean).join(' '); }"
        }
        "Layout" => {
            "({ children }) { return <div style={{ maxWidth: '72rem', margin: '0 auto', padding: '2.5rem 1.25rem' }}>{children}</div>; }"
        }
        "useDocusaurusContext" => {
            let text = |key: &str| config::text_at(&settings.value, &[key]).unwrap_or_default().to_owned();
            let site = json!({
                "title": text("title"), "tagline": text("tagline"), "url": text("url"), "baseUrl": "/",
                "organizationName": text("organizationName"), "projectName": text("projectName"),
                "customFields": settings.value.get("customFields"),
                "themeConfig": settings.value.get("themeConfig"),
            });
            let code = settings.locales.first().map_or("en", |locale| locale.code.as_str());
            let i18n = json!({ "currentLocale": code, "defaultLocale": code, "locales": [code] });
            return format!("function {local}() {{ return {{ siteConfig: {site}, i18n: {i18n} }}; }}");
        }
        "ExecutionEnvironment" => return format!("const {local} = {{ canUseDOM: false }};"),
        _ if package.starts_with("@generated/") => return format!("const {local} = {{}};"),
        "useVersions" | "useLatestVersion" | "useActiveVersion" | "useDocsVersion" | "useDocsVersionCandidates" => {
            return format!("function {local}() {{ return {}; }}", versions(settings, name));
        }
        "Details.Summary" => "() { return null; }",
        name if name.starts_with("use") => "() { return {}; }",
        _ => "({ children }) { return <>{children}</>; }",
    };
    format!("function {local}{body}")
}

/// What hooks of documents give: their versions, or the one that readers come to first.
fn versions(settings: &DocusaurusSettings, name: &str) -> Value {
    let all = settings.docs.first().map(|docs| {
        let of = |version: &plugins::DocusaurusVersion| {
            let path = format!("/{}", join_address(&[&docs.route, &version.path]));
            json!({ "name": version.name, "version": version.name, "label": version.label, "isLast": version.is_last, "path": path })
        };
        docs.versions.iter().map(of).collect::<Vec<_>>()
    });
    let all = all.unwrap_or_default();
    let last = || all.iter().find(|one| one["isLast"] == true).or(all.first()).cloned().unwrap_or_default();
    match name {
        "useVersions" => Value::Array(all),
        "useDocsVersionCandidates" => json!([last()]),
        _ => last(),
    }
}

/// The text of a script whose imports are written as above; `None` if nothing changes.
pub(super) fn rewrite_script_imports(
    settings: &DocusaurusSettings,
    site: &Site,
    path: &str,
    text: &str,
) -> Option<String> {
    let lines: Vec<&str> = text.split('\n').collect();
    let mut shims = Shims::default();
    let mut out: Vec<String> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let length = if lines[at].starts_with("import ") { length_of(&lines[at..]) } else { None };
        let statement = length.map(|length| lines[at..=at + length].join("\n"));
        match (length, statement.and_then(|statement| shims.import(settings, site, path, &statement))) {
            (Some(length), Some(written)) => {
                out.push(written);
                out.extend((0..length).map(|_| String::new()));
                at += length + 1;
            }
            _ => {
                out.push(without_requires(settings, path, lines[at]));
                at += 1;
            }
        }
    }
    // in one line before the text: what it declares is there when statements run
    let definitions: Vec<&String> = shims.definitions.iter().collect();
    if let Some(first) = out.first_mut().filter(|_| !definitions.is_empty()) {
        let all = definitions.iter().map(|text| text.replace('\n', " ")).collect::<Vec<_>>().join(" ");
        *first = format!("{all} {first}");
    }
    let script = out.join("\n");
    (script != text).then_some(script)
}

/// Files that are asked for by `require`, and addresses by `useBaseUrl`, as texts.
pub(super) fn without_requires(settings: &DocusaurusSettings, path: &str, line: &str) -> String {
    let mut out = line.to_owned();
    for call in ["require(", "useBaseUrl("] {
        let mut from = 0;
        while let Some(at) = out.slice(from..).find(call).map(|at| at + from) {
            from = at + call.len();
            // in code of a sentence
            if out.slice(..at).matches('`').count() % 2 == 1 {
                continue;
            }
            let inner = out.slice(from..);
            let Some(quote) = inner.chars().next().filter(|c| matches!(c, '\'' | '"')) else { continue };
            let Some(length) = inner.slice(1..).find(quote) else { continue };
            let name = inner.slice(1..=length);
            let Some(behind) = inner.slice(length + 2..).strip_prefix(')') else { continue };
            let behind = behind.strip_prefix(".default").unwrap_or(behind);
            let target =
                if call == "useBaseUrl(" { Some(name.to_owned()) } else { shown_file_address(settings, path, name) };
            let Some(target) = target else { continue };
            let start = format!("{}{}", out.slice(..at), Value::from(target));
            from = start.len();
            out = format!("{start}{behind}");
        }
    }
    out
}

/// The address of a file that is shown rather than run.
fn shown_file_address(settings: &DocusaurusSettings, path: &str, name: &str) -> Option<String> {
    const SHOWN: [&str; 11] =
        [".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".avif", ".mp4", ".webm", ".pdf", ".ico"];
    let name = name.rsplit('!').next().unwrap_or(name);
    if !SHOWN.iter().any(|ending| name.to_lowercase().ends_with(ending)) {
        return None;
    }
    let at = module_path(settings, path, name).or_else(|| tree::join_document_path(tree::folder(path), name))?;
    Some(format!("/{at}"))
}

/// Whether a package is known here, or needs no file.
fn is_known_package(package: &str) -> bool {
    const STARTS: [&str; 5] = ["@theme/", "@theme-original/", "@theme-init/", "@docusaurus/", "@generated/"];
    STARTS.iter().any(|start| package.starts_with(start)) || matches!(package, "clsx" | "classnames")
}

/// The first package that a script or one that it imports needs and that is not there.
pub(super) fn missing_package(settings: &DocusaurusSettings, source: &ToolInput<'_>, path: &str) -> Option<String> {
    const MAX_MODULES: usize = 200;
    let mut open = vec![path.to_owned()];
    let mut seen: Vec<String> = Vec::new();
    while let Some(path) = open.pop() {
        if seen.contains(&path) || seen.len() > MAX_MODULES {
            continue;
        }
        let text = source.text(&path).unwrap_or_default();
        for statement in statements(&text) {
            let Some(import) = parse_import(&statement) else { continue };
            let is_type = statement.starts_with("import type");
            match module_path(settings, &path, &import.from).and_then(|at| with_ending(source.tree, &at)) {
                Some(module) if [".js", ".jsx", ".ts", ".tsx"].iter().any(|ending| module.ends_with(ending)) => {
                    open.push(module);
                }
                Some(_) => {}
                None if is_type || is_style(&import.from) || is_known_package(&import.from) => {}
                None if matches!(&*import.from, "react" | "react-dom" | "react/jsx-runtime") => {}
                None => return Some(import.from.into_owned()),
            }
        }
        seen.push(path);
    }
    None
}

/// The import statements of a script.
fn statements(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let starts = lines.iter().enumerate().filter(|(_, line)| line.starts_with("import "));
    let whole = starts.filter_map(|(at, _)| Some(lines[at..=at + length_of(&lines[at..])?].join("\n")));
    whole.collect()
}

/// The components that `src/theme/MDXComponents` gives every page: name, and the statement that imports it.
pub(super) fn global_components(settings: &DocusaurusSettings, source: &ToolInput<'_>) -> Vec<(String, String)> {
    let files = ["", "/index"]
        .iter()
        .flat_map(|name| [".js", ".jsx", ".ts", ".tsx"].map(|ending| format!("src/theme/MDXComponents{name}{ending}")));
    let found = files.filter_map(|path| settings.inside(&path)).find_map(|path| Some((source.text(&path)?, path)));
    let Some((text, path)) = found else { return Vec::new() };
    let mut components = Vec::new();
    for line in text.lines().filter(|line| line.starts_with("import ")) {
        let Some(import) = parse_import(line) else { continue };
        let module = module_path(settings, &path, &import.from).and_then(|at| with_ending(source.tree, &at));
        let Some(module) = module else { continue };
        for name in &import.names {
            // what an object calls it: `Own: Local`
            let key = text.lines().find_map(|line| {
                let (key, local) = line.trim().trim_end_matches(',').split_once(':')?;
                (local.trim() == name.1).then(|| key.trim().trim_matches(['\'', '"']).to_owned())
            });
            let key = key.filter(|key| key.starts_with(char::is_uppercase)).unwrap_or_else(|| name.1.to_owned());
            components
                .push((key.clone(), written(&[(name.0, key.as_str())], &format!("/{}", join_address(&[&module])))));
        }
    }
    components
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn required_files_are_addresses() {
        let settings = DocusaurusSettings { folder: "site".to_owned(), ..DocusaurusSettings::default() };
        let of = |line: &str| without_requires(&settings, "site/docs/a.md", line);
        assert_eq!(of("<img src={require('./x.png').default} />"), "<img src={\"/site/docs/x.png\"} />");
        assert_eq!(of("src={require(\"@site/static/y.svg\")}"), "src={\"/site/static/y.svg\"}");
        assert_eq!(of("src={useBaseUrl('/img/x.png')}"), "src={\"/img/x.png\"}");
        assert_eq!(of("require('fs') require(x)"), "require('fs') require(x)");
        assert_eq!(of("`require('./x.png')`"), "`require('./x.png')`");
    }
}
