//! What tools for the web have in common: labels with markup in them, links to platforms, the addresses at which pages
//! are changed, colors that style sheets set, and folders of pages as groups.

use std::collections::BTreeMap;

use base::PageId;
use base::cut::SliceText as _;
use load::Site;
use nav::order::MenuItem;
use site::config::{Colors, Config, Feedback};
use site::page::{PageEntry, title_of_slug};

/// Folders of pages that are deeper are shown in the deepest that is a group.
const MAX_PAGES_DEPTH: usize = 16;
/// Most steps from a color that is named after another to that one.
const MAX_NAMES: usize = 6;

/// The platform of a link, by the name of its icon or its address; `website` if it is none that has a picture.
pub(super) fn platform(icon: &str, href: &str) -> &'static str {
    const BY_ICON: [(&str, &str); 19] = [
        ("github", "github"),
        ("discord", "discord"),
        ("slack", "slack"),
        ("twitter", "x"),
        ("x.com", "x"),
        ("x", "x"),
        ("facebook", "facebook"),
        ("linkedin", "linkedin"),
        ("instagram", "instagram"),
        ("youtube", "youtube"),
        ("reddit", "reddit"),
        ("telegram", "telegram"),
        ("bluesky", "bluesky"),
        ("blueSky", "bluesky"),
        ("threads", "threads"),
        ("medium", "medium"),
        ("hackernews", "hacker-news"),
        ("ycombinator", "hacker-news"),
        ("podcast", "podcast"),
    ];
    const BY_HOST: [(&str, &str); 10] = [
        ("//github.com/", "github"),
        ("//discord.", "discord"),
        ("slack.com/", "slack"),
        ("//twitter.com/", "x"),
        ("//x.com/", "x"),
        ("linkedin.com/", "linkedin"),
        ("youtube.com/", "youtube"),
        ("reddit.com/", "reddit"),
        ("//bsky.app/", "bluesky"),
        ("//t.me/", "telegram"),
    ];
    let icon = icon.strip_prefix("simple-icons:").unwrap_or(icon);
    let by_icon = BY_ICON.iter().find(|(name, _)| *name == icon);
    let by_host = || BY_HOST.iter().find(|(part, _)| href.contains(part));
    by_icon.or_else(by_host).map_or("website", |(_, name)| name)
}

/// Adds a link below the pages, if its platform has none yet.
pub(super) fn add_social(config: &mut Config, icon: &str, href: &str) {
    let name = platform(icon, href);
    if href.contains("://") && !config.footer.socials.iter().any(|(known, _)| known == name) {
        config.footer.socials.push((name.to_owned(), href.to_owned()));
    }
}

/// Where pages are changed, by the address at which the page of a path is: `…/edit/BRANCH/FOLDER/`, without what stands
/// for the path. `folder`: that of the project or its pages in the source, which the address may name too.
pub(super) fn edit_link_feedback(address: &str, folder: &str) -> Option<Feedback> {
    let address = address.trim().trim_end_matches('/');
    let (repository, rest) = ["/-/edit/", "/edit/", "/blob/", "/tree/"]
        .iter()
        .find_map(|way| address.split_once(way))
        .filter(|(repository, _)| repository.contains("://"))?;
    let (branch, below) = rest.split_once('/').unwrap_or((rest, ""));
    let below = below.trim_matches('/');
    let directory = match folder {
        "" => below,
        folder if below == folder => "",
        folder => below.strip_suffix(folder).and_then(|rest| rest.strip_suffix('/')).unwrap_or(below),
    };
    Some(Feedback {
        edit: true,
        issue: false,
        repository: Some(repository.to_owned()),
        branch: (!branch.is_empty()).then(|| branch.to_owned()),
        directory: (!directory.is_empty()).then(|| directory.to_owned()),
    })
}

/// A label without the tags and references of HTML that it may hold.
pub(super) fn plain_label(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('<') {
        let is_tag = rest.slice(open + 1..).starts_with(|c: char| c == '/' || c == '!' || c.is_ascii_alphabetic());
        let Some(close) = rest.slice(open..).find('>').filter(|_| is_tag) else { break };
        out.push_str(rest.slice(..open));
        rest = rest.slice(open + close + 1..);
    }
    out.push_str(rest);
    let out = out.replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">").replace("&nbsp;", " ");
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The value of the first of some custom properties that a style sheet sets to a color; light and dark.
pub(super) fn css_colors(sheets: &[String], names: &[&str]) -> (Option<String>, Option<String>) {
    let mut rules: Vec<(bool, &str, &str)> = Vec::new();
    for sheet in sheets {
        push_rules(&mut rules, sheet);
    }
    let color = |is_dark: bool| {
        names.iter().find_map(|name| {
            let mut property = (*name).to_owned();
            for _ in 0..MAX_NAMES {
                let of =
                    |dark: bool| rules.iter().rev().find(|(is_dark, name, _)| *is_dark == dark && *name == property);
                let (_, _, value) = of(is_dark).or_else(|| if is_dark { None } else { of(true) })?;
                if let Some(color) = normalize_hex_color(value) {
                    return Some(color);
                }
                let inside = value.trim().strip_prefix("var(")?.split([',', ')']).next()?;
                inside.trim().clone_into(&mut property);
            }
            None
        })
    };
    (color(false), color(true))
}

/// Adds the custom properties of a style sheet: whether they are for the dark scheme, name, value.
fn push_rules<'t>(rules: &mut Vec<(bool, &'t str, &'t str)>, sheet: &'t str) {
    let mut rest = sheet;
    let mut is_dark = false;
    while let Some(at) = rest.find(['{', '}', ';']) {
        let (part, mark) = (rest.slice(..at), rest.as_bytes()[at]);
        rest = rest.slice(at + 1..);
        if mark == b'{' {
            is_dark = part.contains("dark");
            continue;
        }
        let declaration = part.rsplit("*/").next().unwrap_or(part).trim();
        if let Some((name, value)) = declaration.split_once(':').filter(|(name, _)| name.starts_with("--")) {
            rules.push((is_dark, name.trim(), value.trim()));
        }
    }
}

/// A color as `#rrggbb`.
pub(super) fn normalize_hex_color(value: &str) -> Option<String> {
    let value = value.trim().trim_end_matches("!important").trim();
    if let Some(digits) = value.strip_prefix('#') {
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        return match digits.len() {
            3 | 6 if is_hex => Some(value.to_owned()),
            4 if is_hex => Some(format!("#{}", digits.slice(..3))),
            8 if is_hex => Some(format!("#{}", digits.slice(..6))),
            _ => None,
        };
    }
    let (name, inside) = value.strip_suffix(')')?.split_once('(')?;
    let parts: Vec<f64> = inside
        .split(|c: char| matches!(c, ',' | '/') || c.is_whitespace())
        .filter(|part| !part.is_empty())
        .filter_map(|part| part.trim_end_matches("deg").trim_end_matches('%').parse().ok())
        .collect();
    let [first, second, third, ..] = parts.as_slice() else { return None };
    let channels = match name.trim() {
        "rgb" | "rgba" => [*first, *second, *third],
        "hsl" | "hsla" => hsl(*first, *second / 100.0, *third / 100.0),
        _ => return None,
    };
    let [red, green, blue] = channels.map(|channel| channel.round().clamp(0.0, 255.0) as u8);
    Some(format!("#{red:02x}{green:02x}{blue:02x}"))
}

/// Red, green and blue, to 255, of a hue in degrees, saturation and lightness.
fn hsl(hue: f64, saturation: f64, lightness: f64) -> [f64; 3] {
    let strength = saturation * lightness.min(1.0 - lightness);
    let channel = |offset: f64| {
        let at = (offset + hue / 30.0).rem_euclid(12.0);
        255.0 * (lightness - strength * (at - 3.0).min(9.0 - at).clamp(-1.0, 1.0))
    };
    [channel(0.0), channel(8.0), channel(4.0)]
}

/// Enters accent colors, light and dark; those of the theme if there are none.
pub(super) fn set_colors(colors: &mut Colors, own: &(Option<String>, Option<String>), theme: [&str; 2]) {
    let (light, dark) = match own {
        (None, None) => theme.map(|color| Some(color.to_owned())).into(),
        own => own.clone(),
    };
    if let Some(primary) = light.clone().or_else(|| dark.clone()) {
        colors.dark.clone_from(&primary);
        colors.primary = primary;
    }
    if let Some(dark) = dark.or(light) {
        colors.light = dark;
    }
}

/// The icon that is nearest to one of Starlight's.
pub fn icon_name(name: &str) -> &str {
    match name {
        "open-book" => "book-open",
        "right-arrow" => "arrow-right",
        "left-arrow" => "arrow-left",
        "external" => "arrow-up-right-from-square",
        "seti:javascript" => "js",
        "approve-check" | "approve-check-circle" => "circle-check",
        "information" => "circle-info",
        "document" => "file",
        "add-document" => "file-circle-plus",
        "setting" => "gear",
        "puzzle" => "puzzle-piece",
        "pencil" => "pencil",
        "translate" => "language",
        "list-format" => "list",
        "laptop" => "laptop",
        "comment" | "comment-alt" => "comment",
        "error" => "circle-exclamation",
        "warning" => "triangle-exclamation",
        "random" => "shuffle",
        "magnifier" => "magnifying-glass",
        "moon" => "moon",
        "sun" => "sun",
        "down-caret" => "chevron-down",
        "x.com" => "x-twitter",
        name => name.rsplit(':').next().unwrap_or(name),
    }
}

/// A folder of pages.
#[derive(Debug, Default)]
struct WebFolder {
    pages: Vec<PageId>,
    folders: BTreeMap<String, WebFolder>,
}

/// The pages below an address and those of the folders below it as groups, by position and name; `is_shown` says which.
pub(super) fn menu_below_address(site: &Site, address: &str, is_shown: impl Fn(&PageEntry) -> bool) -> Vec<MenuItem> {
    let mut top = WebFolder::default();
    for (id, page) in site.iter().filter(|(_, page)| page.file.is_some() && is_shown(page)) {
        let inside = match address {
            "" => Some(page.slug.as_str()),
            _ if page.slug == address => Some("index"),
            _ => page.slug.strip_prefix(address).and_then(|rest| rest.strip_prefix('/')),
        };
        let Some(inside) = inside else { continue };
        let mut parts: Vec<&str> = inside.split('/').collect();
        parts.pop();
        let folder = parts
            .iter()
            .take(MAX_PAGES_DEPTH)
            .fold(&mut top, |folder, part| folder.folders.entry((*part).to_owned()).or_default());
        folder.pages.push(id);
    }
    folder_menu_items(site, top, address)
}

/// What a folder holds. Recursion is bounded by the depth of folders.
fn folder_menu_items(site: &Site, folder: WebFolder, address: &str) -> Vec<MenuItem> {
    let position = |page: PageId| site.page(page).meta.position.unwrap_or(f64::MAX);
    let mut entries: Vec<(f64, String, MenuItem)> = Vec::new();
    for page in folder.pages {
        let slug = &site.page(page).slug;
        let name = slug.strip_suffix("/index").unwrap_or(if slug == "index" { "" } else { slug });
        entries.push((position(page), name.to_owned(), MenuItem::of_page(page)));
    }
    for (name, inner) in folder.folders {
        let path = if address.is_empty() { name.clone() } else { format!("{address}/{name}") };
        let first = lowest(&inner, &position);
        let item = MenuItem {
            expanded: true,
            ..MenuItem::group(&title_of_slug(&name), folder_menu_items(site, inner, &path))
        };
        entries.push((first, path, item));
    }
    entries.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| collated(&a.1).cmp(&collated(&b.1))));
    entries.into_iter().map(|(_, _, item)| item).collect()
}

/// A name as languages sort it: without regard to case, underscores before all.
fn collated(name: &str) -> String {
    name.to_lowercase().replace('_', "\u{1}")
}

/// The lowest position in a folder and those below it.
fn lowest(folder: &WebFolder, position: &impl Fn(PageId) -> f64) -> f64 {
    let own = folder.pages.iter().map(|page| position(*page));
    own.chain(folder.folders.values().map(|inner| lowest(inner, position))).fold(f64::MAX, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_lose_their_markup() {
        assert_eq!(plain_label("A <b class=x>bold</b>&nbsp;&amp; a &lt;T&gt;"), "A bold & a <T>");
        assert_eq!(plain_label("1 < 2"), "1 < 2");
    }

    #[test]
    fn colors_of_style_sheets() {
        let sheet = "/* a */ :root { --indigo: hsl(240, 100%, 50%); --brand: var(--indigo); }\n.dark { --brand: #abc }\n:root { --x: red }"
            .to_owned();
        let of = |names: &[&str]| css_colors(std::slice::from_ref(&sheet), names);
        assert_eq!(of(&["--none", "--brand"]), (Some("#0000ff".to_owned()), Some("#abc".to_owned())));
        assert_eq!(of(&["--x"]), (None, None));
        assert_eq!(normalize_hex_color("rgb(1 2 3 / 50%)").as_deref(), Some("#010203"));
        assert_eq!(normalize_hex_color("#11223344 !important").as_deref(), Some("#112233"));
        assert_eq!((normalize_hex_color("rgb(1)"), normalize_hex_color("#12345")), (None, None));
    }

    #[test]
    fn addresses_of_changes() {
        let of = |address: &str, folder: &str| {
            let it = edit_link_feedback(address, folder)?;
            Some((it.repository?, it.branch?, it.directory.unwrap_or_default()))
        };
        let hub = "https://github.com/a/b";
        let expect = |directory: &str| Some((hub.to_owned(), "main".to_owned(), directory.to_owned()));
        assert_eq!(of(&format!("{hub}/edit/main/docs/"), ""), expect("docs"));
        assert_eq!(of(&format!("{hub}/edit/main/docs"), "docs"), expect(""));
        assert_eq!(of(&format!("{hub}/blob/main/sub/docs/"), "docs"), expect("sub"));
        assert_eq!(of("https://x.y/", ""), None);
    }

    #[test]
    fn platforms_are_known_by_icon_or_address() {
        assert_eq!(platform("github", ""), "github");
        assert_eq!(platform("", "https://x.com/a"), "x");
        assert_eq!(platform("gitee", "https://gitee.com/a"), "website");
    }
}
