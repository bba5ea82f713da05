//! Name, colors, logo, links and notes of a site, from the configuration of VitePress and the style sheets of its theme.

use serde_json::Value;

use crate::web;
use base::Description;
use load::tool::ToolInput;
use load::tool::script::{json_at_path, list_at_path, text_at};
use site::config::{
    Appearance, Banner, ColorScheme, Config, Footer, FooterColumn, LanguageOverride, Logo, Navbar, NavbarLink,
};
use site::tree::SourceTree;
use site::values::Pair;

use super::config::{VitePressConfig, VitePressLocale};
use super::menu;

/// The accent of the default theme.
const LIGHT: &str = "#3451b2";
const DARK: &str = "#a8b1ff";
/// Most style sheets of a theme that are read.
const MAX_THEME_SHEETS: usize = 40;
/// Custom properties that hold the accent, the surest first.
const ACCENTS: [&str; 4] = ["--vp-c-brand-1", "--vp-c-brand", "--vp-c-brand-2", "--color-brand"];

/// The accent colors of the theme.
pub(super) fn vitepress_colors(source: &ToolInput<'_>, options: &VitePressConfig) -> (Option<String>, Option<String>) {
    let (root, name) = (&options.root, options.folder);
    let folder = if root.is_empty() { format!("{name}/") } else { format!("{root}/{name}/") };
    let is_sheet = |path: &str| {
        let ending = path.rsplit('.').next().unwrap_or_default();
        path.starts_with(&folder)
            && matches!(ending, "css" | "scss" | "less" | "styl" | "vue")
            && !path.contains("/dist/")
            && !path.contains("/cache/")
    };
    let paths = source.tree.files.iter().map(|file| file.path.as_str()).filter(|path| is_sheet(path));
    let sheets: Vec<String> = paths.take(MAX_THEME_SHEETS).filter_map(|path| source.text(path)).collect();
    web::css_colors(&sheets, &ACCENTS)
}

/// Enters what the configuration says.
pub(super) fn configure_vitepress(
    options: &VitePressConfig,
    colors: &(Option<String>, Option<String>),
    config: &mut Config,
    tree: &SourceTree,
) {
    let value = &options.value;
    let main = &options.locales[0];
    let name = text_at(&main.theme, &["siteTitle"]).or_else(|| text_at(value, &["title"]));
    if let Some(name) = name.or_else(|| text_at(json_at_path(value, &["locales", "root"]), &["title"])) {
        config.name = web::plain_label(name);
    }
    config.description = text_at(value, &["description"]).map(str::to_owned).map(Description::new);
    web::set_colors(&mut config.colors, colors, [LIGHT, DARK]);
    config.appearance = vitepress_appearance(json_at_path(value, &["appearance"]));
    config.logo = vitepress_logo(options, &main.theme, tree);
    config.favicon = head_links(value)
        .find(|(rel, _)| rel.split(' ').any(|word| word == "icon"))
        .and_then(|(_, href)| vitepress_picture_path(options, href, tree))
        .or_else(|| vitepress_picture_path(options, "/favicon.ico", tree))
        .map(|path| Pair { light: path.clone(), dark: path });
    config.navbar = vitepress_navbar(options, main);
    config.footer = vitepress_footer(&main.theme);
    config.banner = vitepress_banner(&main.theme);
    for entry in list_at_path(&main.theme, &["socialLinks"]) {
        web::add_social(
            config,
            text_at(entry, &["icon"]).unwrap_or_default(),
            text_at(entry, &["link"]).unwrap_or_default(),
        );
    }
    let pattern = text_at(&main.theme, &["editLink", "pattern"]).and_then(|pattern| pattern.split(":path").next());
    if let Some(feedback) = pattern.and_then(|address| web::edit_link_feedback(address, &options.pages)) {
        config.feedback = feedback;
    }
    config.languages = options
        .locales
        .iter()
        .skip(1)
        .filter(|locale| locale.outside.is_none())
        .map(|locale| {
            let own = Footer { socials: config.footer.socials.clone(), ..vitepress_footer(&locale.theme) };
            LanguageOverride {
                language: locale.code.clone(),
                banner: vitepress_banner(&locale.theme),
                footer: Some(own),
                navbar: Some(vitepress_navbar(options, locale)),
            }
        })
        .collect();
}

fn vitepress_appearance(value: &Value) -> Appearance {
    match value {
        Value::Bool(false) => Appearance { default: ColorScheme::Light, strict: true },
        Value::String(text) if text == "dark" => Appearance { default: ColorScheme::Dark, strict: false },
        Value::String(text) if text == "force-dark" => Appearance { default: ColorScheme::Dark, strict: true },
        _ => Appearance::default(),
    }
}

/// `link` tags that all pages have: relation and address.
fn head_links(value: &Value) -> impl Iterator<Item = (&str, &str)> {
    list_at_path(value, &["head"]).iter().filter_map(|tag| {
        let attributes = tag.get(1).filter(|_| tag.get(0).and_then(Value::as_str) == Some("link"))?;
        Some((text_at(attributes, &["rel"])?, text_at(attributes, &["href"])?))
    })
}

fn vitepress_logo(options: &VitePressConfig, theme: &Value, tree: &SourceTree) -> Option<Logo> {
    let value = json_at_path(theme, &["logo"]);
    let one = value.as_str().or_else(|| text_at(value, &["src"]));
    let light = one.or_else(|| text_at(value, &["light"])).and_then(|path| vitepress_picture_path(options, path, tree));
    let dark = one.or_else(|| text_at(value, &["dark"])).and_then(|path| vitepress_picture_path(options, path, tree));
    let light = light.or_else(|| dark.clone())?;
    let dark = dark.unwrap_or_else(|| light.clone());
    let link = json_at_path(theme, &["logoLink"]);
    let href = link.as_str().or_else(|| text_at(link, &["link"])).map(str::to_owned);
    // the name is beside it, unless it says itself
    let with_name = json_at_path(theme, &["siteTitle"]).as_bool() != Some(false);
    Some(Logo { image: Pair { light, dark }, href, with_name, ..Logo::default() })
}

/// The path of a picture in the source; addresses elsewhere stay.
fn vitepress_picture_path(options: &VitePressConfig, path: &str, tree: &SourceTree) -> Option<String> {
    if path.contains("://") || path.starts_with("data:") {
        return Some(path.to_owned()).filter(|path| !path.starts_with("data:"));
    }
    let path = path.trim_start_matches('/');
    let path = path
        .strip_prefix(options.base.as_str())
        .filter(|_| !options.base.is_empty())
        .map_or(path, |rest| rest.trim_start_matches('/'));
    let folder = if options.pages.is_empty() { String::new() } else { format!("{}/", options.pages) };
    let found = [format!("{}/{path}", options.public), format!("{folder}{path}")];
    found.into_iter().find(|path| tree.find(path).is_some()).map(|path| format!("/{path}"))
}

fn vitepress_navbar(options: &VitePressConfig, locale: &VitePressLocale) -> Navbar {
    let links = menu::nav_links(options, locale).into_iter();
    let links = links.map(|(label, href)| NavbarLink { label, href, ..NavbarLink::default() });
    let github = list_at_path(&locale.theme, &["socialLinks"])
        .iter()
        .filter_map(|entry| text_at(entry, &["link"]))
        .find(|link| link.starts_with("https://github.com/"));
    let github = github.map(|href| NavbarLink {
        label: "GitHub".to_owned(),
        href: href.to_owned(),
        icon: None,
        kind: Some("github".to_owned()),
    });
    Navbar { links: links.chain(github).collect(), primary: None }
}

/// The note below pages; themes that have columns of links call them `nav`.
fn vitepress_footer(theme: &Value) -> Footer {
    let footer = json_at_path(theme, &["footer"]);
    let words = ["message", "copyright"].iter().filter_map(|key| text_at(footer, &[key])).map(web::plain_label);
    let note = words.collect::<Vec<_>>().join("\n");
    let column = |column: &Value| {
        let item =
            |item: &Value| Some((web::plain_label(text_at(item, &["text"])?), text_at(item, &["link"])?.to_owned()));
        let items: Vec<(String, String)> = list_at_path(column, &["items"]).iter().filter_map(item).collect();
        let header = text_at(column, &["title"]).map(str::to_owned);
        (!items.is_empty()).then_some(FooterColumn { header, items })
    };
    let columns = list_at_path(footer, &["nav"]).iter().filter_map(column).collect();
    Footer { columns, note: (!note.is_empty()).then_some(note), ..Footer::default() }
}

fn vitepress_banner(theme: &Value) -> Option<Banner> {
    let banner = json_at_path(theme, &["banner"]);
    let words = web::plain_label(text_at(banner, &["text"])?);
    let content = match text_at(banner, &["url"]).or_else(|| text_at(banner, &["link"])) {
        Some(address) => format!("[{words}]({address})"),
        None => words,
    };
    Some(Banner { content, dismissible: true, kind: "info".to_owned(), color: None })
}
