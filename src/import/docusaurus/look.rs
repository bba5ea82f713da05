//! Name, colors, logo, links, banner and services of a site.

use serde_json::{Value, json};

use base::Description;
use base::cut::SliceText as _;
use load::tool::{ToolInput, script};
use site::config::{Appearance, Banner, ColorScheme, Config, Feedback, FooterColumn, Logo, NavbarLink, Redirect};
use site::tree::SourceTree;
use site::values::Pair;

use super::DocusaurusSettings;
use super::order::push_bar;
use super::plugins::{FolderKind, join_address};

/// The primary color of Docusaurus' own theme, in light and dark mode.
const OWN_COLORS: [&str; 2] = ["#3578e5", "#4e89e8"];

/// Primary colors of a project's style sheets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SheetColors {
    light: Option<String>,
    dark: Option<String>,
}

/// Reads the colors of the style sheets that the configuration names.
pub(super) fn sheet_colors(settings: &DocusaurusSettings, source: &ToolInput<'_>) -> SheetColors {
    let mut colors = SheetColors::default();
    let mut paths: Vec<String> = Vec::new();
    push_sheets(&settings.value, &mut paths, 0);
    for path in paths.iter().filter_map(|path| settings.inside(path)) {
        if let Some(text) = source.text(&path) {
            let found = colors_in(&text);
            colors = SheetColors { light: found.light.or(colors.light), dark: found.dark.or(colors.dark) };
        }
    }
    colors
}

/// The values of `customCss`, wherever they stand.
fn push_sheets(value: &Value, paths: &mut Vec<String>, depth: usize) {
    const MAX_CSS_DEPTH: usize = 8;
    if depth > MAX_CSS_DEPTH {
        return;
    }
    match value {
        Value::Array(items) => items.iter().for_each(|item| push_sheets(item, paths, depth + 1)),
        Value::Object(members) => {
            for (key, value) in members {
                match (key.as_str(), value) {
                    ("customCss", Value::String(path)) => paths.push(path.clone()),
                    ("customCss", Value::Array(all)) => {
                        paths.extend(all.iter().filter_map(Value::as_str).map(str::to_owned));
                    }
                    _ => push_sheets(value, paths, depth + 1),
                }
            }
        }
        _ => {}
    }
}

/// `--ifm-color-primary`, and that of the blocks for dark mode.
fn colors_in(text: &str) -> SheetColors {
    let mut colors = SheetColors::default();
    for (at, key) in text.match_indices("--ifm-color-primary:") {
        let value = text.slice(at + key.len()..).split([';', '}']).next().unwrap_or_default().trim();
        let is_color = value.starts_with('#')
            && matches!(value.len(), 4 | 7)
            && value.slice(1..).bytes().all(|b| b.is_ascii_hexdigit());
        let open = text.slice(..at).rfind('{').unwrap_or(0);
        let selector = text.slice(..open).rsplit(['}', ';']).next().unwrap_or_default();
        let place = if selector.contains("dark") { &mut colors.dark } else { &mut colors.light };
        if is_color && place.is_none() {
            *place = Some(value.to_owned());
        }
    }
    colors
}

/// Enters what the configuration says.
pub(super) fn configure_docusaurus(settings: &DocusaurusSettings, config: &mut Config, tree: &SourceTree) {
    let value = &settings.value;
    let theme = script::json_at_path(value, &["themeConfig"]);
    if let Some(title) = script::text_at(theme, &["navbar", "title"]).or_else(|| script::text_at(value, &["title"])) {
        title.clone_into(&mut config.name);
    }
    if let Some(title) = script::text_at(value, &["title"]) {
        title.clone_into(&mut config.name);
    }
    config.description = script::text_at(value, &["tagline"]).map(|text| Description::new(text.to_owned()));
    let light = settings.colors.light.clone().unwrap_or_else(|| OWN_COLORS[0].to_owned());
    let dark = settings.colors.dark.clone().or_else(|| settings.colors.light.clone());
    config.colors.light = dark.unwrap_or_else(|| OWN_COLORS[1].to_owned());
    (config.colors.primary, config.colors.dark) = (light.clone(), light);
    let picture = |path: &str| static_file_path(settings, tree, path);
    let logo = script::json_at_path(theme, &["navbar", "logo"]);
    if let Some(src) = script::text_at(logo, &["src"]).and_then(picture) {
        let dark = script::text_at(logo, &["srcDark"]).and_then(picture).unwrap_or_else(|| src.clone());
        let with_name = script::text_at(theme, &["navbar", "title"]).is_some();
        config.logo = Some(Logo { image: Pair { light: src, dark }, with_name, ..Logo::default() });
    }
    config.favicon =
        script::text_at(value, &["favicon"]).and_then(picture).map(|path| Pair { light: path.clone(), dark: path });
    config.appearance = docusaurus_appearance(script::json_at_path(theme, &["colorMode"]));
    config.banner = docusaurus_banner(script::json_at_path(theme, &["announcementBar"]));
    configure_navbar(settings, config, script::json_at_path(theme, &["navbar", "items"]), tree);
    configure_footer(settings, config, script::json_at_path(theme, &["footer", "links"]), tree);
    let copyright = script::text_at(theme, &["footer", "copyright"]).map(markdown_of);
    config.footer.note =
        copyright.map(|text| Description::new(text).words().to_owned()).filter(|text| !text.is_empty());
    config.feedback = docusaurus_feedback(settings);
    configure_redirects(settings, config);
    services(value, config);
}

/// The path of a file that the site serves, from the root of the source.
fn static_file_path(settings: &DocusaurusSettings, tree: &SourceTree, path: &str) -> Option<String> {
    if path.contains("://") {
        return Some(path.to_owned());
    }
    let found = settings
        .layout
        .statics
        .iter()
        .map(|mount| join_address(&[&mount.folder, path]))
        .find(|path| tree.find(path).is_some());
    found.map(|path| format!("/{path}"))
}

fn docusaurus_appearance(value: &Value) -> Appearance {
    let flag = |key: &str| value.get(key).and_then(Value::as_bool) == Some(true);
    let default = match script::text_at(value, &["defaultMode"]) {
        _ if flag("respectPrefersColorScheme") => ColorScheme::System,
        Some("dark") => ColorScheme::Dark,
        _ => ColorScheme::Light,
    };
    Appearance { default, strict: flag("disableSwitch") }
}

/// The bar above all pages: its HTML as Markdown.
fn docusaurus_banner(value: &Value) -> Option<Banner> {
    let content = markdown_of(script::text_at(value, &["content"])?);
    let color = script::text_at(value, &["backgroundColor"]).filter(|color| color.starts_with('#'));
    Some(Banner {
        content,
        dismissible: value.get("isCloseable").and_then(Value::as_bool) != Some(false),
        kind: "info".to_owned(),
        color: color.map(|color| Pair { light: color.to_owned(), dark: color.to_owned() }),
    })
}

/// Short HTML as Markdown: links and bold words stay.
fn markdown_of(html: &str) -> String {
    let mut out = String::new();
    let mut rest = html;
    let mut targets: Vec<String> = Vec::new();
    while let Some(at) = rest.find('<') {
        out.push_str(rest.slice(..at));
        let Some(end) = rest.slice(at..).find('>') else { break };
        let tag = rest.slice(at + 1..at + end);
        rest = rest.slice(at + end + 1..);
        let name = tag.trim_start_matches('/').split([' ', '/', '\n']).next().unwrap_or_default().to_lowercase();
        match (name.as_str(), tag.starts_with('/')) {
            ("a", false) => {
                let quoted = tag
                    .split_once("href=")
                    .and_then(|(_, rest)| rest.strip_prefix(['"', '\''])?.split(['"', '\'']).next());
                targets.push(quoted.unwrap_or_default().trim().to_owned());
                out.push('[');
            }
            ("a", true) => {
                let target = targets.pop().unwrap_or_default();
                out.push_str(&format!("]({target})"));
            }
            ("b" | "strong", _) => out.push_str("**"),
            ("br", _) => out.push(' '),
            _ => {}
        }
    }
    out.push_str(rest);
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Where a link leads: to another site, or to a page or file of this one.
fn item_target(settings: &DocusaurusSettings, item: &Value, tree: &SourceTree) -> Option<String> {
    let to = script::text_at(item, &["to"]).or_else(|| script::text_at(item, &["href"]))?;
    let to = to.strip_prefix("pathname://").unwrap_or(to);
    if to.contains(':') || to.starts_with("//") {
        return Some(to.to_owned());
    }
    let path = join_address(&[to.split(['#', '?']).next().unwrap_or_default()]);
    let is_beside = || {
        let pages = settings.folders.iter().filter(|folder| folder.kind == FolderKind::Pages && folder.locale == 0);
        pages.into_iter().any(|folder| {
            let own = path.strip_prefix(folder.base.as_str()).unwrap_or(&path);
            let stem = join_address(&[&folder.path, own]);
            let is_text = |ending: &&str| tree.find(&format!("{stem}{ending}")).is_some();
            let mut stems = settings.scripts.iter().filter_map(|path| path.rsplit_once('.'));
            ["", "/index"]
                .iter()
                .any(|name| [".md", ".mdx"].iter().any(|ending| is_text(&format!("{name}{ending}").as_str())))
                || stems.any(|(known, _)| known.strip_suffix("/index").unwrap_or(known) == stem)
        })
    };
    let is_file = || static_file_path(settings, tree, &path).is_some();
    let is_of_plugin = || {
        let routes = settings
            .docs
            .iter()
            .map(|docs| docs.route.as_str())
            .chain(settings.blogs.iter().map(|blog| blog.route.as_str()));
        routes.into_iter().any(|route| route.is_empty() || path == route || path.starts_with(&format!("{route}/")))
    };
    (path.is_empty() || is_beside() || is_file() || is_of_plugin()).then(|| format!("/{}", to.trim_start_matches('/')))
}

/// Entries of the navigation bar that are no tabs.
fn configure_navbar(settings: &DocusaurusSettings, config: &mut Config, items: &Value, tree: &SourceTree) {
    let mut bar = Vec::new();
    // those of menus stand beside the others
    push_bar(items, &mut bar);
    for item in bar {
        if !matches!(script::text_at(item, &["type"]), None | Some("default")) {
            continue;
        }
        let Some(href) = item_target(settings, item, tree) else { continue };
        let is_outside = href.contains("://");
        let path = join_address(&[&href]);
        let pages = settings.folders.iter().any(|folder| folder.kind == FolderKind::Pages && folder.locale == 0);
        let of_plugin = settings.docs.iter().any(|docs| path.starts_with(&docs.route) || docs.route.is_empty())
            || settings.blogs.iter().any(|blog| path.starts_with(&blog.route));
        if !is_outside && (of_plugin || !pages) {
            continue; // a tab
        }
        let kind = href.starts_with("https://github.com/").then(|| "github".to_owned());
        let label =
            script::text_at(item, &["label"]).or_else(|| script::text_at(item, &["aria-label"])).map(str::to_owned);
        let label = match (&kind, label) {
            (Some(_), _) => "GitHub".to_owned(),
            (None, label) => label.unwrap_or_else(|| href.clone()),
        };
        if !config.navbar.links.iter().any(|known| known.href == href) {
            config.navbar.links.push(NavbarLink { label, href, icon: None, kind });
        }
    }
}

/// Columns of links, or links alone.
fn configure_footer(settings: &DocusaurusSettings, config: &mut Config, links: &Value, tree: &SourceTree) {
    let link = |item: &Value| Some((script::text_at(item, &["label"])?.to_owned(), item_target(settings, item, tree)?));
    let mut alone = Vec::new();
    for entry in links.as_array().into_iter().flatten() {
        match entry.get("items").and_then(Value::as_array) {
            Some(items) => {
                let items: Vec<(String, String)> = items.iter().filter_map(link).collect();
                if !items.is_empty() {
                    let header = script::text_at(entry, &["title"]).map(str::to_owned);
                    config.footer.columns.push(FooterColumn { header, items });
                }
            }
            None => alone.extend(link(entry)),
        }
    }
    if !alone.is_empty() {
        config.footer.columns.push(FooterColumn { header: None, items: alone });
    }
}

/// Where pages are changed: `https://github.com/owner/name/edit/main/website/`.
fn docusaurus_feedback(settings: &DocusaurusSettings) -> Feedback {
    let Some(url) = settings.docs.iter().find_map(|docs| docs.edit_url.as_deref()) else { return Feedback::default() };
    let split = ["/edit/", "/tree/", "/blob/", "/-/edit/", "/-/tree/"].iter().find_map(|mark| url.split_once(mark));
    let Some((repository, rest)) = split else { return Feedback::default() };
    let (branch, directory) = rest.split_once('/').unwrap_or((rest, ""));
    let directory = directory.trim_matches('/');
    // the source may begin above the project
    let directory = match settings.folder.as_str() {
        "" => directory,
        folder => directory.strip_suffix(folder).unwrap_or(directory).trim_end_matches('/'),
    };
    Feedback {
        edit: true,
        issue: false,
        repository: Some(repository.trim_end_matches("/-").to_owned()),
        branch: Some(branch.to_owned()),
        directory: (!directory.is_empty()).then(|| directory.to_owned()),
    }
}

/// The redirects of the plugin for them.
fn configure_redirects(settings: &DocusaurusSettings, config: &mut Config) {
    let value = &settings.value;
    let plugins = value.get("plugins").and_then(Value::as_array).into_iter().flatten();
    let own = plugins
        .filter(|plugin| plugin.get(0).and_then(Value::as_str).is_some_and(|name| name.contains("client-redirects")));
    for entry in own.filter_map(|plugin| plugin.get(1)?.get("redirects")?.as_array()).flatten() {
        let Some(to) = script::text_at(entry, &["to"]) else { continue };
        let from: Vec<&str> = match entry.get("from") {
            Some(Value::String(from)) => vec![from],
            Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        for from in from {
            let languages = settings.locales.iter().enumerate().filter(|(_, locale)| locale.has_pages);
            for (at, locale) in languages {
                let start = if at == 0 { "" } else { locale.code.as_str() };
                let source = format!("/{}", join_address(&[start, from]));
                let destination = if at == 0 { to.to_owned() } else { format!("/{}", join_address(&[start, to])) };
                if !config.redirects.iter().any(|known| known.source == source) {
                    config.redirects.push(Redirect { source, destination, permanent: true });
                }
            }
        }
    }
}

/// Services that count readers; they are off unless asked for.
fn services(value: &Value, config: &mut Config) {
    let presets =
        value.get("presets").and_then(Value::as_array).into_iter().flatten().filter_map(|preset| preset.get(1));
    let plugins = value.get("plugins").and_then(Value::as_array).into_iter().flatten();
    let of_plugins = plugins.filter_map(|plugin| {
        plugin.get(0)?.as_str().filter(|name| name.contains("google-gtag"))?;
        plugin.get(1)
    });
    let options = presets.filter_map(|preset| preset.get("gtag")).chain(of_plugins);
    for options in options {
        let id = options.get("trackingID").map(|id| id.get(0).unwrap_or(id)).and_then(Value::as_str);
        if let Some(id) = id.filter(|_| config.integrations.iter().all(|(name, _)| name != "ga4")) {
            config.integrations.push(("ga4".to_owned(), json!({ "measurementId": id })));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_stand_in_style_sheets() {
        let text = ":root {\n --ifm-color-primary: #2e8555;\n --ifm-color-primary-dark: #29784c;\n}\n[data-theme='dark'] { --ifm-color-primary: #25c2a0; }";
        let expect = SheetColors { light: Some("#2e8555".to_owned()), dark: Some("#25c2a0".to_owned()) };
        assert_eq!(colors_in(text), expect);
        assert_eq!(colors_in(":root { --ifm-color-primary: var(--x); }"), SheetColors::default());
    }

    #[test]
    fn the_bar_is_markdown() {
        let html = "⭐ <a target=\"_blank\" href=\"https://x.y\">Star <b>us</b></a><br/>now";
        assert_eq!(markdown_of(html), "⭐ [Star **us**](https://x.y) now");
    }
}
