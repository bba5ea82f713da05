//! Name, colors, logo and links of a site, from the options of Starlight and the project's style sheets.

use serde_json::Value;

use crate::web;
use base::Description;
use load::tool::script::{json_at_path, list_at_path, text_at};
use load::tool::{ToolInput, path_in_source_root};
use site::config::{Config, Logo, NavbarLink, Redirect};
use site::tree::SourceTree;
use site::values::Pair;

use super::config::StarlightConfig;

/// The accent of the theme.
const LIGHT: &str = "#5468ff";
const DARK: &str = "#b3c7ff";
/// Custom properties that hold the accent.
const ACCENTS: [&str; 3] = ["--sl-color-accent", "--sl-color-accent-high", "--sl-color-text-accent"];

/// The accent colors that the project's style sheets set: light and dark.
pub(super) fn starlight_colors(options: &StarlightConfig, source: &ToolInput<'_>) -> (Option<String>, Option<String>) {
    let paths = list_at_path(&options.own, &["customCss"]).iter().filter_map(Value::as_str);
    let sheets: Vec<String> = paths
        .filter_map(|path| match options.resolved(path) {
            Some(path) => source.text(path.trim_start_matches('/')),
            None if path.starts_with(['.', '/']) => {
                source.text(&path_in_source_root(&options.root, path.trim_start_matches("./"))?)
            }
            None => None,
        })
        .collect();
    // Starlight is dark first: what has no scheme is for the dark one, unless a rule for the light one says more
    let (whole, _) = web::css_colors(&sheets, &ACCENTS);
    let light: Vec<String> = sheets.iter().map(|sheet| only_light(sheet)).collect();
    let (light, _) = web::css_colors(&light, &ACCENTS);
    (light.or_else(|| whole.clone()), whole)
}

/// The rules of a style sheet that are for the light scheme.
fn only_light(sheet: &str) -> String {
    let rules = sheet.split('}').filter(|rule| rule.split('{').next().unwrap_or_default().contains("light"));
    rules.map(|rule| format!("{rule}}}")).collect()
}

/// Enters what the configuration says.
pub(super) fn configure_starlight(
    options: &StarlightConfig,
    colors: &(Option<String>, Option<String>),
    config: &mut Config,
    tree: &SourceTree,
) {
    let own = &options.own;
    if let Some(name) = localized_text(options, json_at_path(own, &["title"])) {
        name.clone_into(&mut config.name);
    }
    config.description = text_at(own, &["description"]).map(str::to_owned).map(Description::new);
    web::set_colors(&mut config.colors, colors, [LIGHT, DARK]);
    config.logo = starlight_logo(options, tree);
    let favicon = starlight_picture_path(options, text_at(own, &["favicon"]).unwrap_or("/favicon.svg"), tree);
    let favicon = favicon.or_else(|| starlight_picture_path(options, "/favicon.ico", tree));
    config.favicon = favicon.map(|path| Pair { light: path.clone(), dark: path });
    for (icon, href) in starlight_socials(json_at_path(own, &["social"])) {
        if icon == "github" {
            let kind = Some("github".to_owned());
            config.navbar.links.push(NavbarLink {
                label: "GitHub".to_owned(),
                href: href.to_owned(),
                icon: None,
                kind,
            });
        }
        web::add_social(config, icon, href);
    }
    if let Some(feedback) =
        text_at(own, &["editLink", "baseUrl"]).and_then(|address| web::edit_link_feedback(address, &options.root))
    {
        config.feedback = feedback;
    }
    for (source, to) in json_at_path(&options.astro, &["redirects"]).as_object().into_iter().flatten() {
        let Some(to) = to.as_str().or_else(|| text_at(to, &["destination"])) else { continue };
        // patterns have another form here
        if !source.contains('[') {
            config.redirects.push(Redirect { source: source.clone(), destination: to.to_owned(), permanent: true });
        }
    }
}

/// A text, or the one of the default language.
fn localized_text<'v>(options: &StarlightConfig, value: &'v Value) -> Option<&'v str> {
    let first = || value.as_object().and_then(|all| all.values().next()).and_then(Value::as_str);
    value.as_str().or_else(|| text_at(value, &[&options.locales[0].code])).or_else(first)
}

/// Icons and addresses: a list, or an object in former versions.
fn starlight_socials(value: &Value) -> Vec<(&str, &str)> {
    match value {
        Value::Array(list) => {
            list.iter().filter_map(|one| Some((text_at(one, &["icon"])?, text_at(one, &["href"])?))).collect()
        }
        Value::Object(all) => all.iter().filter_map(|(icon, href)| Some((icon.as_str(), href.as_str()?))).collect(),
        _ => Vec::new(),
    }
}

fn starlight_logo(options: &StarlightConfig, tree: &SourceTree) -> Option<Logo> {
    let logo = json_at_path(&options.own, &["logo"]);
    let one = |key: &str| text_at(logo, &[key]).and_then(|path| starlight_picture_path(options, path, tree));
    let light = one("src").or_else(|| one("light")).or_else(|| one("dark"))?;
    let dark = one("src").or_else(|| one("dark")).unwrap_or_else(|| light.clone());
    let with_name = json_at_path(logo, &["replacesTitle"]).as_bool() != Some(true);
    Some(Logo { image: Pair { light, dark }, with_name, ..Logo::default() })
}

/// The path of a picture in the source: of a file of the project, or one that is served.
fn starlight_picture_path(options: &StarlightConfig, path: &str, tree: &SourceTree) -> Option<String> {
    if path.contains("://") {
        return Some(path.to_owned());
    }
    let own = options.resolved(path).map(|path| path.trim_start_matches('/').to_owned());
    let plain = path.trim_start_matches("./").trim_start_matches('/');
    let plain = plain
        .strip_prefix(options.base.as_str())
        .filter(|_| !options.base.is_empty())
        .map_or(plain, |rest| rest.trim_start_matches('/'));
    let paths = [
        own,
        path_in_source_root(&options.root, plain),
        path_in_source_root(&options.root, &format!("public/{plain}")),
    ];
    paths.into_iter().flatten().find(|path| tree.find(path).is_some()).map(|path| format!("/{path}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_rules_are_apart() {
        let sheet = ":root { --a: #111111; } :root[data-theme='light'] { --a: #222222; }".to_owned();
        assert_eq!(web::css_colors(&[only_light(&sheet)], &["--a"]).0.as_deref(), Some("#222222"));
        assert_eq!(starlight_socials(&serde_json::json!({"github": "a"})), [("github", "a")]);
    }
}
