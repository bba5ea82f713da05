//! What `docs.json` puts around every page: top bar, footer, banner. A language may bring its own.

use base::Diagnostic;

use super::config::{Banner, Footer, FooterColumn, LanguageOverride, Navbar, NavbarLink};
use super::fields::{FieldPath, ObjectFields, UnreadKeys};
use super::problems::LoadProblems;
use super::read_values::{hex_pair, read_icon};

/// Platforms that `footer.socials` knows.
const SOCIALS: [&str; 19] = [
    "x",
    "website",
    "facebook",
    "youtube",
    "discord",
    "slack",
    "github",
    "linkedin",
    "instagram",
    "hacker-news",
    "medium",
    "telegram",
    "twitter",
    "x-twitter",
    "earth-americas",
    "bluesky",
    "threads",
    "reddit",
    "podcast",
];

/// `navbar`.
pub fn read_navbar(field: &FieldPath<'_>, problems: &mut LoadProblems) -> Navbar {
    let Some(mut fields) = field.object(problems) else { return Navbar::default() };
    let links = fields.list("links", problems).iter().filter_map(|link| navbar_link(link, problems)).collect();
    let primary = fields.take("primary").and_then(|link| navbar_link(&link, problems));
    fields.finish("`navbar`", UnreadKeys::Warn, problems);
    Navbar { links, primary }
}

fn navbar_link(field: &FieldPath<'_>, problems: &mut LoadProblems) -> Option<NavbarLink> {
    const KINDS: [(&str, &str); 3] = [("button", "button"), ("github", "github"), ("discord", "discord")];
    let mut fields = field.object(problems)?;
    let kind = fields.choice("type", &KINDS, problems);
    let label = fields.text("label", problems).filter(|label| !label.is_empty());
    let href = fields.text("href", problems);
    let icon = read_icon(&mut fields, problems);
    fields.finish("a link of `navbar`", UnreadKeys::Warn, problems);
    let label = label.unwrap_or_else(|| match kind {
        Some("github") => "GitHub".to_owned(),
        Some("discord") => "Discord".to_owned(),
        _ => String::new(),
    });
    let Some(href) = href.filter(|href| !href.is_empty()) else {
        field.wrong("a link with `href`", problems);
        return None;
    };
    if label.is_empty() && icon.is_none() {
        field.wrong("a link with `label` or `icon`", problems);
        return None;
    }
    let href = safe_href(href, field, problems)?;
    Some(NavbarLink { label, href, icon, kind: kind.map(str::to_owned) })
}

/// `footer`.
pub fn read_footer(field: &FieldPath<'_>, problems: &mut LoadProblems) -> Footer {
    let Some(mut fields) = field.object(problems) else { return Footer::default() };
    let socials = fields.take("socials").map(|field| read_socials(&field, problems)).unwrap_or_default();
    let columns = fields.list("links", problems).iter().filter_map(|column| footer_column(column, problems)).collect();
    fields.finish("`footer`", UnreadKeys::Warn, problems);
    Footer { socials, columns, note: None }
}

fn read_socials(field: &FieldPath<'_>, problems: &mut LoadProblems) -> Vec<(String, String)> {
    let Some(mut fields) = field.object(problems) else { return Vec::new() };
    let mut socials = Vec::new();
    for (platform, url) in fields.all() {
        if !SOCIALS.contains(&platform) {
            let message = format!("`{}`: there is no icon for the platform `{platform}`", url.path);
            problems.at(
                url.json.at,
                Diagnostic::warning("config-value", message).hint(format!("use one of {}", SOCIALS.join(", "))),
            );
        }
        if let Some(address) = url.text(problems).filter(|address| !address.is_empty())
            && let Some(address) = safe_href(address, &url, problems)
        {
            socials.push((platform.to_owned(), address));
        }
    }
    socials
}

fn footer_column(field: &FieldPath<'_>, problems: &mut LoadProblems) -> Option<FooterColumn> {
    let mut fields = field.object(problems)?;
    let header = fields.text("header", problems).filter(|header| !header.is_empty());
    let listed = fields.list("items", problems);
    if listed.is_empty() && field.json.member("items").is_none_or(|items| items.as_array().is_some()) {
        field.doubt("a column with at least one link in `items`", problems);
    }
    let items = listed.iter().filter_map(|item| footer_item(item, problems)).collect::<Vec<_>>();
    fields.finish("a column of `footer.links`", UnreadKeys::Warn, problems);
    (!items.is_empty()).then_some(FooterColumn { header, items })
}

fn footer_item(field: &FieldPath<'_>, problems: &mut LoadProblems) -> Option<(String, String)> {
    let mut fields = field.object(problems)?;
    let label = fields.text("label", problems).filter(|label| !label.is_empty());
    let href = fields.text("href", problems).filter(|href| !href.is_empty());
    fields.finish("a link of `footer.links`", UnreadKeys::Warn, problems);
    let (Some(label), Some(href)) = (label, href) else {
        field.wrong("a link with `label` and `href`", problems);
        return None;
    };
    if href.starts_with("//") || [".svg", ".exe", ".zip"].iter().any(|end| href.to_ascii_lowercase().ends_with(end)) {
        field.wrong("a link to a page: `https:`, `mailto:`, a path or `#`", problems);
        return None;
    }
    Some((label, safe_href(href, field, problems)?))
}

/// Refuses schemes that run code.
fn safe_href(href: String, field: &FieldPath<'_>, problems: &mut LoadProblems) -> Option<String> {
    let scheme: String =
        href.chars().filter(|c| !c.is_whitespace() && !c.is_control()).take_while(|c| *c != ':').collect();
    if ["javascript", "data", "vbscript"].iter().any(|refused| scheme.eq_ignore_ascii_case(refused)) {
        field.wrong("a link to a page: `https:`, `mailto:`, a path or `#`", problems);
        return None;
    }
    Some(href)
}

/// `banner`.
pub fn read_banner(field: &FieldPath<'_>, problems: &mut LoadProblems) -> Option<Banner> {
    const KINDS: [(&str, &str); 3] = [("info", "info"), ("warning", "warning"), ("critical", "critical")];
    let mut fields = field.object(problems)?;
    let banner = Banner {
        content: fields.text("content", problems).unwrap_or_default(),
        dismissible: fields.flag("dismissible", problems).unwrap_or(false),
        kind: fields.choice("type", &KINDS, problems).unwrap_or("info").to_owned(),
        color: fields.take("color").and_then(|color| hex_pair(&color, "`banner.color`", problems)),
    };
    fields.finish("`banner`", UnreadKeys::Warn, problems);
    if banner.content.is_empty() {
        field.wrong("a banner with `content`", problems);
        return None;
    }
    Some(banner)
}

/// `banner`, `footer` and `navbar` of a language of the navigation; `None` if it has none of its own.
pub fn language_override(
    language: &str,
    fields: &mut ObjectFields<'_>,
    problems: &mut LoadProblems,
) -> Option<LanguageOverride> {
    let own = LanguageOverride {
        language: language.to_owned(),
        banner: fields.take("banner").and_then(|field| read_banner(&field, problems)),
        footer: fields.take("footer").map(|field| read_footer(&field, problems)),
        navbar: fields.take("navbar").map(|field| read_navbar(&field, problems)),
    };
    (own.banner.is_some() || own.footer.is_some() || own.navbar.is_some()).then_some(own)
}
