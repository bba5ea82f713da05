//! Cards that lead somewhere: `Card`, `Tile`, `GitHub.Repo`. The whole card is the link unless something in it takes
//! clicks; then the title is, and the style sheet stretches it over the card.

use crate::attributes::safe_color;
use crate::image::write_loading;
use crate::phrasing::{has_interactive, is_blank};
use crate::{Href, Renderer};
use base::html::escape_html_text;
use markup::tree::JsxElement;

use super::icon;
use super::open_tag::open_component_tag;

/// How a card leads to its target.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CardShape {
    /// The whole card is the link.
    Link,
    /// The title is the link.
    TitleLink,
    /// It leads nowhere.
    Plain,
}

fn shape(r: &mut Renderer<'_>, element: &JsxElement, href: Option<&str>, has_title: bool) -> (CardShape, Href) {
    let target = match href {
        Some(href) if r.state.in_link == 0 && !element.props.flag("disabled") => r.resolve(href, element.place),
        _ => Href::default(),
    };
    let shape = match () {
        () if target.url.is_empty() => CardShape::Plain,
        () if !has_interactive(&element.children) => CardShape::Link,
        () if has_title => CardShape::TitleLink,
        () => CardShape::Plain,
    };
    (shape, target)
}

fn open_card(r: &mut Renderer<'_>, element: &JsxElement, class: &str, shape: CardShape, target: &Href) {
    open_component_tag(r, if shape == CardShape::Link { "a" } else { "div" }, class, element);
    if shape == CardShape::Link {
        r.href_attr(target);
    }
    if shape == CardShape::TitleLink {
        r.raw(" data-linked");
    }
}

fn write_title(r: &mut Renderer<'_>, title: Option<&str>, class: &str, shape: CardShape, target: &Href) {
    let Some(title) = title else { return };
    r.raw(&format!("<div class=\"{class}\">"));
    if shape == CardShape::TitleLink {
        r.raw("<a");
        r.href_attr(target);
        r.raw(&format!(">{title}</a>"));
    } else {
        r.raw(title);
    }
    r.raw("</div>\n");
}

/// Writes the body; inside a card that is a link nothing else may be one.
fn write_body(r: &mut Renderer<'_>, element: &JsxElement, class: &str, shape: CardShape) {
    if is_blank(&element.children) {
        return;
    }
    r.raw(&format!("<div class=\"{class}\">\n"));
    r.state.in_link += u32::from(shape == CardShape::Link);
    r.flow(&element.children);
    r.state.in_link -= u32::from(shape == CardShape::Link);
    r.raw("</div>\n");
}

fn close_card(r: &mut Renderer<'_>, shape: CardShape) {
    r.raw(if shape == CardShape::Link { "</a>\n" } else { "</div>\n" });
}

/// Writes a card, a tile or the card of a repository.
pub(super) fn write_card_component(r: &mut Renderer<'_>, element: &JsxElement) {
    match element.name.as_str() {
        "Card" => write_card(r, element),
        "Tile" => write_tile(r, element),
        _ => write_repository(r, element),
    }
}

/// Writes `Card`.
fn write_card(r: &mut Renderer<'_>, element: &JsxElement) {
    let props = &element.props;
    let title = r.prop_html(props, "title", false);
    let description = r.prop_html(props, "description", false);
    let cta = r.prop_html(props, "cta", false);
    let icon = icon::prop(r, element, "icon", 24.0);
    let href = props.text("href");
    let (shape, target) = shape(r, element, href.as_deref(), title.is_some());
    open_card(r, element, "card", shape, &target);
    if props.flag("horizontal") {
        r.raw(" data-horizontal");
    }
    if props.maybe_flag("arrow").unwrap_or(target.external) && shape != CardShape::Plain {
        r.raw(" data-arrow");
    }
    if let Some(kind @ ("info" | "warning" | "note" | "tip" | "check" | "danger")) = props.text("type").as_deref() {
        r.attr("data-kind", kind);
    }
    if let Some(color) = props.text("color").as_deref().and_then(safe_color) {
        r.attr("style", &format!("--card:{color}"));
    }
    r.raw(">\n");
    write_image(r, element);
    if let Some(icon) = icon {
        r.raw(&format!("<div class=\"box-icon\" aria-hidden=\"true\">{icon}</div>\n"));
    }
    r.raw("<div class=\"box-words\">\n");
    write_title(r, title.as_deref(), "box-title", shape, &target);
    if let Some(description) = description {
        r.raw(&format!("<p class=\"box-text\">{description}</p>\n"));
    }
    write_body(r, element, "box-text", shape);
    if let Some(cta) = cta {
        r.raw(&format!("<div class=\"box-cta\">{cta}</div>\n"));
    }
    if shape == CardShape::Plain && !target.url.is_empty() {
        // no title to carry the link and something else that takes clicks: the link stands by itself
        r.raw("<a class=\"box-more\" data-chrome");
        r.href_attr(&target);
        r.raw(">Open</a>\n");
    }
    r.raw("</div>\n");
    close_card(r, shape);
}

fn write_image(r: &mut Renderer<'_>, element: &JsxElement) {
    let Some(src) = element.props.text("img") else { return };
    let source = r.source(&src, element.place);
    // a decoration: the card says everything without it
    if source.url.is_empty() || source.absent {
        return;
    }
    r.raw("<img class=\"box-image\" alt=\"\"");
    r.attr("src", &source.url);
    if let Some((width, height)) = source.size {
        r.raw(&format!(" width=\"{width}\" height=\"{height}\""));
    }
    write_loading(r);
    r.raw(">\n");
}

/// Writes `Tile`: a preview, then title and description.
fn write_tile(r: &mut Renderer<'_>, element: &JsxElement) {
    let props = &element.props;
    let title = r.prop_html(props, "title", false);
    let description = r.prop_html(props, "description", false);
    let href = props.text("href");
    let (shape, target) = shape(r, element, href.as_deref(), title.is_some());
    open_card(r, element, "tile", shape, &target);
    r.raw(">\n");
    write_body(r, element, "tile-preview", shape);
    write_title(r, title.as_deref(), "tile-title", shape, &target);
    if let Some(description) = description {
        r.raw(&format!("<p class=\"tile-description\">{description}</p>\n"));
    }
    close_card(r, shape);
}

/// Writes `GitHub.Repo`: a link card with the repository's name; counts of stars and forks are left out.
fn write_repository(r: &mut Renderer<'_>, element: &JsxElement) {
    let written = element.props.text("repo").or_else(|| element.props.text("url")).unwrap_or_default();
    let rest = written.trim().trim_end_matches('/').trim_end_matches(".git");
    let rest = rest.strip_prefix("https://").or_else(|| rest.strip_prefix("http://")).unwrap_or(rest);
    let repository = rest.strip_prefix("github.com/").unwrap_or(rest);
    let is_name = !repository.is_empty()
        && repository.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '_' | '.'));
    let tag = if is_name && r.state.in_link == 0 { "a" } else { "div" };
    open_component_tag(r, tag, "card github-repo", element);
    if tag == "a" {
        r.raw(&format!(" href=\"https://github.com/{repository}\" target=\"_blank\" rel=\"noopener\" data-arrow"));
    }
    if let Some(variant @ ("inset" | "flat")) = element.props.text("variant").as_deref() {
        r.attr("data-variant", variant);
    }
    r.raw(" data-horizontal>\n");
    let mark = r.capture(|r| {
        crate::icon::write_icon(
            r,
            &crate::icon::named_icon("github", Some("brands")),
            &crate::icon::IconLook::sized(24.0),
            element.place,
        )
    });
    r.raw(&format!("<div class=\"box-icon\" aria-hidden=\"true\">{mark}</div>\n"));
    r.raw(&format!("<div class=\"box-words\"><div class=\"box-title\">{}</div></div>\n", escape_html_text(repository)));
    r.raw(if tag == "a" { "</a>\n" } else { "</div>\n" });
}
