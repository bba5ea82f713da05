//! Name, colors, logo, links and redirects of a site, from `mkdocs.yml`.

use serde_json::json;

use crate::web;
use base::Description;
use base::cut::cut;
use load::tool::{ToolInput, path_in_source_root};
use site::config::{Appearance, Banner, ColorScheme, Config, Feedback, Icon, Logo, NavbarLink, Redirect};
use site::tree::SourceTree;
use site::values::Pair;
use site::yaml::Yaml;

use super::config::{MkDocsConfig, list_of, yaml_at_path, yaml_text};

/// Primary colors of Material for MkDocs, as links have them in the light and in the dark scheme.
const PRIMARY: [(&str, &str, &str); 21] = [
    ("red", "#ef5552", "#ef5552"),
    ("pink", "#e92063", "#ed5487"),
    ("purple", "#ab47bd", "#c46fd3"),
    ("deep-purple", "#7e56c2", "#a47bea"),
    ("indigo", "#4051b5", "#5488e8"),
    ("blue", "#2094f3", "#2094f3"),
    ("light-blue", "#02a6f2", "#02a6f2"),
    ("cyan", "#00bdd6", "#00bdd6"),
    ("teal", "#009485", "#00ccb8"),
    ("green", "#4cae4f", "#71c174"),
    ("light-green", "#8bc34b", "#8bc34b"),
    ("lime", "#cbdc38", "#cbdc38"),
    ("yellow", "#ffec3d", "#ffec3d"),
    ("amber", "#ffc105", "#ffc105"),
    ("orange", "#ffa724", "#ffa724"),
    ("deep-orange", "#ff6e42", "#ff764d"),
    ("brown", "#795649", "#c1775c"),
    ("grey", "#4051b5", "#5e8bde"),
    ("blue-grey", "#4051b5", "#5e8bde"),
    ("white", "#4051b5", "#5e8bde"),
    ("black", "#4051b5", "#5e8bde"),
];
/// The colors of the themes that come with MkDocs.
const OTHERS: [(&str, &str, &str); 2] = [("mkdocs", "#0063cc", "#4da3ff"), ("readthedocs", "#2980b9", "#55a5d9")];
/// Custom properties that style sheets set to colors of their own.
const PROPERTIES: [&str; 2] = ["--md-primary-fg-color", "--md-typeset-a-color"];

/// The colors that the project's own style sheets set, light and dark.
pub(super) fn mkdocs_colors(options: &MkDocsConfig, source: &ToolInput<'_>) -> (Option<String>, Option<String>) {
    let sheets: Vec<String> = list_of(options.at(&["extra_css"]))
        .filter_map(yaml_text)
        .filter_map(|path| source.text(&path_in_source_root(&options.pages, &path)?))
        .map(|sheet| sheet.replace("\"slate\"", "\"dark\"").replace("=slate", "=dark"))
        .collect();
    web::css_colors(&sheets, &PROPERTIES)
}

/// Enters what the configuration says.
pub(super) fn configure_mkdocs(
    options: &MkDocsConfig,
    own: &(Option<String>, Option<String>),
    banner: Option<&str>,
    config: &mut Config,
    tree: &SourceTree,
) {
    if let Some(name) = options.text(&["site_name"]) {
        config.name = name;
    }
    config.description = options.text(&["site_description"]).map(Description::new);
    let palettes = palettes(options);
    set_colors(options, &palettes, own, config);
    config.appearance = mkdocs_appearance(&palettes);
    config.logo = mkdocs_logo(options, tree);
    config.favicon = options
        .text(&["theme", "favicon"])
        .and_then(|path| mkdocs_picture_path(options, &path, tree))
        .or_else(|| mkdocs_picture_path(options, "img/favicon.ico", tree))
        .map(|path| Pair { light: path.clone(), dark: path });
    config.footer.note = options.text(&["copyright"]).map(|text| web::plain_label(&text.replace("&copy;", "©")));
    config.banner = banner.map(|words| Banner {
        content: words.to_owned(),
        dismissible: options.has_feature("announce.dismiss"),
        kind: "info".to_owned(),
        color: None,
    });
    configure_mkdocs_repository(options, config);
    for entry in list_of(options.at(&["extra", "social"])) {
        let text = |key: &str| yaml_at_path(entry, &[key]).and_then(yaml_text).unwrap_or_default();
        let icon = text("icon");
        let icon = icon.rsplit('/').next().unwrap_or_default();
        web::add_social(config, if icon == "x-twitter" { "x" } else { icon }, &text("link"));
    }
    if let Some(url) = options.text(&["site_url"]) {
        config.seo.metatags.push(("canonical".to_owned(), url));
        config.seo.trailing_slash = options.flag(&["use_directory_urls"]) != Some(false);
    }
    let property = options.text(&["extra", "analytics", "property"]);
    if let Some(id) =
        property.filter(|_| options.text(&["extra", "analytics", "provider"]).as_deref() == Some("google"))
    {
        config.integrations.push(("ga4".to_owned(), json!({ "measurementId": id })));
    }
    configure_mkdocs_redirects(options, config);
}

/// The color schemes: one, or a list of them.
fn palettes(options: &MkDocsConfig) -> Vec<&Yaml> {
    match options.at(&["theme", "palette"]) {
        Some(Yaml::List(list)) => list.iter().collect(),
        Some(one @ Yaml::Map(_)) => vec![one],
        _ => Vec::new(),
    }
}

fn palette_text(palette: &Yaml, key: &str) -> Option<String> {
    yaml_at_path(palette, &[key]).and_then(yaml_text).map(|text| text.to_lowercase().replace(' ', "-"))
}

fn is_dark(palette: &Yaml) -> bool {
    palette_text(palette, "scheme").as_deref() == Some("slate")
}

fn set_colors(options: &MkDocsConfig, palettes: &[&Yaml], own: &(Option<String>, Option<String>), config: &mut Config) {
    let theme =
        options.text(&["theme", "name"]).or_else(|| options.text(&["theme"])).unwrap_or_else(|| "mkdocs".to_owned());
    let (_, light, dark) = OTHERS.iter().find(|(name, ..)| *name == theme).copied().unwrap_or(PRIMARY[4]);
    let primary = |wants_dark: bool| {
        let with_scheme = palettes.iter().filter(|palette| palette_text(palette, "primary").is_some());
        let found =
            with_scheme.clone().find(|palette| is_dark(palette) == wants_dark).or_else(|| with_scheme.clone().next());
        let name = palette_text(found?, "primary")?;
        PRIMARY
            .iter()
            .find(|(known, ..)| *known == name)
            .map(|(_, light, dark)| if wants_dark { *dark } else { *light })
    };
    let (light, dark) = (primary(false).unwrap_or(light), primary(true).unwrap_or(dark));
    let is_custom = palettes.iter().any(|palette| palette_text(palette, "primary").as_deref() == Some("custom"));
    let none = (None, None);
    let sheets = if is_custom || palettes.is_empty() { own } else { &none };
    web::set_colors(&mut config.colors, sheets, [light, dark]);
}

fn mkdocs_appearance(palettes: &[&Yaml]) -> Appearance {
    let first = palettes.first();
    let begins = match first {
        Some(palette) if yaml_at_path(palette, &["media"]).is_some() => ColorScheme::System,
        Some(palette) if is_dark(palette) => ColorScheme::Dark,
        _ => ColorScheme::Light,
    };
    let (has_dark, has_light) =
        (palettes.iter().any(|palette| is_dark(palette)), palettes.iter().any(|palette| !is_dark(palette)));
    // a site that says nothing may be read in the dark all the same
    if palettes.is_empty() || has_dark == has_light {
        return Appearance { default: if palettes.len() < 2 { ColorScheme::System } else { begins }, strict: false };
    }
    Appearance { default: begins, strict: has_dark }
}

fn mkdocs_logo(options: &MkDocsConfig, tree: &SourceTree) -> Option<Logo> {
    let path = mkdocs_picture_path(options, &options.text(&["theme", "logo"])?, tree)?;
    Some(Logo {
        image: Pair { light: path.clone(), dark: path },
        href: options.text(&["extra", "homepage"]),
        with_name: true,
        ..Logo::default()
    })
}

/// The path of a picture in the source: of a file beside the pages, or of one of the theme.
fn mkdocs_picture_path(options: &MkDocsConfig, path: &str, tree: &SourceTree) -> Option<String> {
    if path.contains("://") {
        return Some(path.to_owned());
    }
    let custom = options.text(&["theme", "custom_dir"]).and_then(|folder| path_in_source_root(&options.root, &folder));
    let paths = [Some(options.pages.clone()), custom]
        .into_iter()
        .flatten()
        .filter_map(|folder| path_in_source_root(&folder, path));
    paths.into_iter().find(|path| tree.find_any(path).is_some()).map(|path| format!("/{path}"))
}

/// The repository as a link, and where pages are changed.
fn configure_mkdocs_repository(options: &MkDocsConfig, config: &mut Config) {
    let Some(url) = options.text(&["repo_url"]) else { return };
    let address = url.trim_end_matches('/').to_owned();
    let host = address.split('/').nth(2).unwrap_or_default().to_owned();
    let is_github = host == "github.com";
    let label = options.text(&["repo_name"]).unwrap_or_else(|| match host.as_str() {
        "github.com" => "GitHub".to_owned(),
        "gitlab.com" => "GitLab".to_owned(),
        "bitbucket.org" => "Bitbucket".to_owned(),
        host => host.to_owned(),
    });
    let kind = is_github.then(|| "github".to_owned());
    let icon =
        options.text(&["theme", "icon", "repo"]).filter(|_| !is_github).map(|name| Icon { name, ..Icon::default() });
    config.navbar.links.push(NavbarLink { label, href: address.clone(), icon, kind });
    let default = match host.as_str() {
        "github.com" => "edit/master/docs/",
        "gitlab.com" => "-/edit/master/docs/",
        "bitbucket.org" => "src/default/docs/",
        _ => "",
    };
    let shows_links = ["content.action.edit", "content.action.view"].iter().any(|name| options.has_feature(name));
    let is_material = options.text(&["theme", "name"]).as_deref() == Some("material");
    let edit = options.text(&["edit_uri"]).unwrap_or_else(|| default.to_owned());
    let edit = if edit.contains("://") { edit } else { format!("{address}/{}", edit.trim_start_matches('/')) };
    match web::edit_link_feedback(&edit, &options.pages).filter(|_| shows_links || !is_material) {
        Some(feedback) => config.feedback = feedback,
        None => config.feedback = Feedback { repository: Some(address), ..Feedback::default() },
    }
}

/// The redirects of the plugin for them.
fn configure_mkdocs_redirects(options: &MkDocsConfig, config: &mut Config) {
    let maps = options.plugin("redirects").and_then(|plugin| yaml_at_path(plugin, &["redirect_maps"]));
    let Some(Yaml::Map(maps)) = maps else { return };
    for (from, to) in maps {
        let Some(to) = yaml_text(to) else { continue };
        let destination = if to.contains("://") { to } else { address_of(&to) };
        let source = address_of(from);
        if !config.redirects.iter().any(|known| known.source == source) {
            config.redirects.push(Redirect { source, destination, permanent: true });
        }
    }
}

/// The address of a file of the pages, with what may stand behind it.
fn address_of(path: &str) -> String {
    let (path, anchor) = cut(path, path.find('#').unwrap_or(path.len()));
    let path = path.trim_matches('/').trim_start_matches("./");
    let stem = path.strip_suffix(".md").or_else(|| path.strip_suffix(".html")).unwrap_or(path);
    let stem = ["index", "README"]
        .iter()
        .find_map(|name| stem.strip_suffix(name).filter(|folder| folder.is_empty() || folder.ends_with('/')))
        .unwrap_or(stem);
    format!("/{}{anchor}", stem.trim_end_matches('/'))
}

/// The words of the banner in the templates of a project: of what stands in `{% block announce %}` without a template.
/// `None` if there is no such block, or a program in it.
pub(super) fn mkdocs_banner(options: &MkDocsConfig, source: &ToolInput<'_>) -> Option<String> {
    let folder =
        options.text(&["theme", "custom_dir"]).and_then(|folder| path_in_source_root(&options.root, &folder))?;
    let text = source.text(&path_in_source_root(&folder, "main.html")?)?;
    let (_, inside) = text.split_once("{% block announce %}")?;
    let (inside, _) = inside.split_once("{% endblock")?;
    let words = web::plain_label(inside);
    (!words.is_empty() && !inside.contains("{{") && !inside.contains("{%")).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_addresses() {
        for (path, address) in [
            ("a/b.md", "/a/b"),
            ("a/index.md#x", "/a#x"),
            ("index.md", "/"),
            ("a/README.md", "/a"),
            ("a/b/", "/a/b"),
            ("old.html", "/old"),
        ] {
            assert_eq!(address_of(path), address);
        }
    }
}
