//! Icons of the navigation and the configuration as HTML.

use super::fragment::clean_fragment;
use super::source::ChromeInput;
use base::Diagnostic;
use base::html::escape_html_text;
use nav::{NavNode, NodeKind};
use render::icon::{self, IconKind, IconLook, icon_kind, icon_picture};
use site::config::Icon;
use site::page::PageEntry;

/// An icon as HTML; empty where there is none. `page` is the one that names it, if the configuration does
/// not.
pub(super) fn icon_html(source: &ChromeInput<'_>, icon: &Icon, page: Option<&PageEntry>) -> String {
    let name = icon.name.trim();
    let look = IconLook::default();
    let drawn = match icon_kind(name) {
        IconKind::Name if matches!(name, "" | "true" | "false" | "null" | "none") => String::new(),
        IconKind::Name => {
            let (svg, warning) = icon::svg(icon, source.config().icon_library, &look);
            if let Some(warning) = warning {
                source.report_of(page, warning);
            }
            svg
        }
        IconKind::Path | IconKind::Url => match source.asset_of(page, name, "icon") {
            Some(url) => icon_picture(&url, &look),
            None => String::new(),
        },
        // ids would have to differ on every page that shows the drawing, so drawings with ids stay out
        IconKind::Markup => match icon::inline(name, "", &look) {
            Some(drawing) if !drawing.has_ids => drawing.html,
            _ => {
                let problem =
                    Diagnostic::new("icon-unreadable", "an inline SVG of the navigation cannot be used as an icon")
                        .about(name);
                source.report_of(page, problem.hint("save it as a file, and use its path"));
                String::new()
            }
        },
        IconKind::Sign => format!("<span class=\"icon\" aria-hidden=\"true\">{}</span>", escape_html_text(name)),
    };
    // the mark of the root may stand in a picture's address
    if drawn.contains("<img") { drawn } else { clean_fragment(&drawn).into_owned() }
}

/// The drawing of a social platform of docs.json, and its name for readers.
pub(super) fn social(source: &ChromeInput<'_>, platform: &str) -> (String, String) {
    let (name, label) = match platform {
        "x" | "twitter" | "x-twitter" => ("x-twitter", "X"),
        "website" | "earth-americas" => ("globe", "Website"),
        "facebook" => ("facebook", "Facebook"),
        "youtube" => ("youtube", "YouTube"),
        "discord" => ("discord", "Discord"),
        "slack" => ("slack", "Slack"),
        "github" => ("github", "GitHub"),
        "linkedin" => ("linkedin", "LinkedIn"),
        "instagram" => ("instagram", "Instagram"),
        "hacker-news" => ("hacker-news", "Hacker News"),
        "medium" => ("medium", "Medium"),
        "telegram" => ("telegram", "Telegram"),
        "bluesky" => ("bluesky", "Bluesky"),
        "threads" => ("threads", "Threads"),
        "reddit" => ("reddit", "Reddit"),
        "podcast" => ("podcast", "Podcast"),
        other => ("link", other),
    };
    let style = (!matches!(name, "globe" | "podcast" | "link")).then(|| "brands".to_owned());
    let icon = Icon { name: name.to_owned(), style, library: Some("fontawesome".to_owned()) };
    (icon_html(source, &icon, None), label.to_owned())
}

impl ChromeInput<'_> {
    /// An icon as HTML; empty without one.
    pub(super) fn icon(&self, icon: Option<&Icon>) -> String {
        icon.map(|icon| icon_html(self, icon, None)).unwrap_or_default()
    }

    /// The icon of an entry of the navigation. A page may name its own: problems with it are reported there.
    pub(super) fn icon_of(&self, node: &NavNode) -> String {
        let Some(icon) = &node.icon else { return String::new() };
        let page =
            node.page.filter(|_| node.kind == NodeKind::Page).and_then(|page| self.site.pages.get(page.0 as usize));
        icon_html(self, icon, page.filter(|page| page.meta.icon.as_ref() == Some(icon)))
    }
}
