//! Name, colors, logo, links and services of a site, from Hugo's configuration and its themes' parameters.

use load::tool::ToolInput;
use site::config::{Config, Feedback, Logo, NavbarLink};
use site::tree::SourceTree;
use site::values::Pair;

use super::HugoSettings;
use super::config::{flag_at, text_at, value_at_path};

/// Platforms of footer links, by what their addresses hold.
const PLATFORMS: [(&str, &str); 12] = [
    ("github.com", "github"),
    ("slack.com", "slack"),
    ("twitter.com", "x"),
    ("//x.com", "x"),
    ("discord.", "discord"),
    ("linkedin.com", "linkedin"),
    ("youtube.com", "youtube"),
    ("facebook.com", "facebook"),
    ("instagram.com", "instagram"),
    ("reddit.com", "reddit"),
    ("t.me", "telegram"),
    ("bsky.app", "bluesky"),
];

/// Enters what the configuration says.
pub(super) fn configure_hugo(settings: &HugoSettings, config: &mut Config, tree: &SourceTree) {
    let value = &settings.value;
    let language = settings.languages.iter().find(|language| language.code == settings.default_language);
    let own = |path: &str| language.and_then(|language| text_at(&language.value, path));
    let either = |path: &str| own(path).or_else(|| text_at(value, path));
    if let Some(name) = either("title") {
        config.name = name;
    }
    config.description = either("params.description").map(base::Description::new);
    if let Some(color) = &settings.color {
        (config.colors.primary, config.colors.dark) = (color.clone(), color.clone());
    }
    let picture = |paths: &[&str]| {
        paths.iter().map(|path| format!("{}{path}", settings.folder)).find(|path| tree.find(path).is_some())
    };
    let named = ["params.logo", "params.ui.logo", "params.booklogo", "params.navbar.logo.path", "params.site_logo"];
    let named = named.iter().find_map(|path| either(path)).and_then(|path| {
        let path = path.trim_start_matches('/').to_owned();
        ["static/", "assets/", ""].iter().find_map(|folder| picture(&[&format!("{folder}{path}")]))
    });
    let logo = named.or_else(|| {
        picture(&["assets/icons/logo.svg", "static/images/logo.svg", "static/logo.svg", "static/logo.png"])
    });
    config.logo = logo.map(|path| Logo { image: pair(&path), ..Logo::default() });
    let favicon = picture(&[
        "static/favicon.svg",
        "static/favicons/favicon.svg",
        "static/favicon.png",
        "static/favicons/favicon-32x32.png",
        "static/favicon-32x32.png",
        "static/favicon.ico",
        "static/favicons/favicon.ico",
    ]);
    config.favicon = favicon.map(|path| pair(&path));
    configure_menu_links(settings, config);
    configure_repository(settings, config);
    if let Some(id) = text_at(value, "services.googleanalytics.id").or_else(|| text_at(value, "googleanalytics")) {
        config.integrations.push(("ga4".to_owned(), serde_json::json!({ "measurementId": id })));
    }
}

fn pair(path: &str) -> Pair {
    Pair { light: format!("/{path}"), dark: format!("/{path}") }
}

/// Links of the main menu that lead elsewhere, and those of people and developers below the page.
fn configure_menu_links(settings: &HugoSettings, config: &mut Config) {
    let menus = ["menus.main"].iter().filter_map(|path| value_at_path(&settings.value, path)?.as_array()).flatten();
    for entry in menus {
        let Some(href) = text_at(entry, "url").filter(|url| url.contains("://")) else { continue };
        let label = text_at(entry, "name").unwrap_or_else(|| href.clone());
        let kind = href.starts_with("https://github.com/").then(|| "github".to_owned());
        config.navbar.links.push(NavbarLink { label, href, icon: None, kind });
    }
    for path in ["params.links.user", "params.links.developer"] {
        for link in value_at_path(&settings.value, path).and_then(|list| list.as_array()).into_iter().flatten() {
            let Some(href) = text_at(link, "url").filter(|url| url.contains("://")) else { continue };
            let platform = PLATFORMS.iter().find(|(part, _)| href.contains(part)).map_or("website", |(_, name)| *name);
            if !config.footer.socials.iter().any(|(known, _)| known == platform) {
                config.footer.socials.push((platform.to_owned(), href));
            }
        }
    }
}

/// Where pages are changed.
fn configure_repository(settings: &HugoSettings, config: &mut Config) {
    let value = &settings.value;
    let names = ["params.github_repo", "params.bookrepo", "params.geekdocrepo", "params.repourl", "params.editurl"];
    let Some(repository) = names.iter().find_map(|name| text_at(value, name)).filter(|url| url.contains("://")) else {
        return;
    };
    let whole = repository.trim_end_matches('/');
    let web = whole.split("/edit/").next().unwrap_or(whole).split("/tree/").next().unwrap_or(whole);
    let below = text_at(value, "params.github_subdir").unwrap_or_default();
    let below = below.trim_matches('/');
    // the source may begin above the project
    let directory = match settings.folder.trim_end_matches('/') {
        "" => below.to_owned(),
        folder => below.strip_suffix(folder).unwrap_or(below).trim_end_matches('/').to_owned(),
    };
    config.feedback = Feedback {
        edit: flag_at(value, "params.ui.hide_edit") != Some(true),
        issue: false,
        repository: Some(web.to_owned()),
        branch: text_at(value, "params.github_branch").or_else(|| text_at(value, "params.bookbranch")),
        directory: (!directory.is_empty()).then_some(directory),
    };
}

/// The primary color of a project's own style sheets or parameters.
pub(super) fn color(source: &ToolInput<'_>, folder: &str) -> Option<String> {
    let sheets = ["assets/scss/_variables_project.scss", "assets/scss/_variables_project_after_bs.scss"];
    let text = sheets.iter().find_map(|path| {
        let text = source.text(&format!("{folder}{path}"))?;
        text.contains("$primary").then_some(text)
    })?;
    let line =
        text.lines().find_map(|line| line.trim_start().strip_prefix("$primary")?.trim_start().strip_prefix(':'))?;
    let color: String = line.trim().chars().take_while(|c| c.is_ascii_hexdigit() || *c == '#').collect();
    (color.starts_with('#') && matches!(color.len(), 4 | 7)).then_some(color)
}
