//! Icons as inline SVG: names of Lucide, Font Awesome Free and Tabler, files of the site, outside pictures, own
//! drawings.

mod library;
mod name;
mod own;
pub(super) mod xml;

use std::borrow::Cow;
use std::fmt::Write as _;

pub use library::IconDrawing;
pub use own::{Inlined, inline};

use base::{Diagnostic, Place, html};
use markup::tree::number_text;
use site::config::{Icon, IconLibrary};

use super::Renderer;
use library::library_names;
use name::IconQuery;

/// How an icon is shown.
#[derive(Clone, Copy, Debug)]
pub struct IconLook<'a> {
    /// Width and height, CSS pixels.
    pub size: f64,
    /// Any CSS color; what is no color is left out.
    pub color: Option<&'a str>,
    /// Classes beside `icon`.
    pub class: &'a str,
}

impl Default for IconLook<'_> {
    fn default() -> Self {
        Self { size: 16.0, color: None, class: "" }
    }
}

impl IconLook<'_> {
    /// The default look in another size (CSS pixels).
    pub fn sized(size: f64) -> Self {
        Self { size, ..Self::default() }
    }
}

/// What the text of an `icon` value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IconKind {
    /// A name of an icon library.
    Name,
    /// A file of the site.
    Path,
    /// A picture on another server, or a `data:` URL.
    Url,
    /// `<svg …>`.
    Markup,
    /// An emoji or another sign that stands for itself.
    Sign,
}

/// What the text of an `icon` value is.
pub fn icon_kind(icon: &str) -> IconKind {
    let icon = icon.trim();
    let lower_end = icon.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    if icon.starts_with('<') {
        IconKind::Markup
    } else if icon.contains("://") || icon.starts_with("//") || icon.starts_with("data:") {
        IconKind::Url
    } else if icon.starts_with(['/', '.'])
        || icon.contains('.')
            && matches!(lower_end.as_str(), "svg" | "png" | "jpg" | "jpeg" | "webp" | "gif" | "ico" | "avif")
    {
        IconKind::Path
    } else if !icon.is_empty()
        && !icon.chars().any(char::is_alphanumeric)
        && !icon.is_ascii()
        && icon.chars().count() <= 8
    {
        IconKind::Sign
    } else {
        IconKind::Name
    }
}

/// Finds a name in a site whose library is `site`. The site's own library comes first, then the others, then the
/// nearest free drawing of names that only Font Awesome Pro has.
pub fn lookup(site: IconLibrary, name: &str, style: Option<&str>) -> Option<IconDrawing> {
    if let Some(name) = name::of_other_set(name) {
        return nearest_drawing(site, name);
    }
    let query = IconQuery::read(name);
    let style = style.map(str::trim).filter(|style| !style.is_empty()).or(query.style.as_deref());
    let order = search_order(query.library.unwrap_or(site), style);
    // Font Awesome is solid by default; its replacements should be, too.
    let style = style.or((order[0] == IconLibrary::FontAwesome).then_some("solid"));
    find_in(&order, &query.spellings, style)
        .or_else(|| query.spellings.iter().find_map(|name| substitute_drawing(name, style)))
}

fn search_order(site: IconLibrary, style: Option<&str>) -> Vec<IconLibrary> {
    // `brands` is a style of Font Awesome only
    let first = if style == Some("brands") { IconLibrary::FontAwesome } else { site };
    let mut order = vec![first];
    for library in [site, IconLibrary::Lucide, IconLibrary::FontAwesome, IconLibrary::Tabler] {
        if !order.contains(&library) {
            order.push(library);
        }
    }
    order
}

fn find_in(order: &[IconLibrary], spellings: &[String], style: Option<&str>) -> Option<IconDrawing> {
    spellings.iter().find_map(|name| {
        order.iter().find_map(|library| {
            let styles = styles(*library, style);
            library::find_drawing(*library, name, styles).or_else(|| match library {
                IconLibrary::Tabler => library::find_drawing(*library, &format!("brand-{name}"), styles),
                _ => None,
            })
        })
    })
}

/// The styles of a library to try, best first. Light and thin drawings are outlines, and of those Font Awesome's free
/// part has the regular ones; whatever else it lacks is solid.
fn styles(library: IconLibrary, style: Option<&str>) -> &'static [u8] {
    match library {
        IconLibrary::Lucide => b"o",
        IconLibrary::Tabler => match style {
            Some("solid" | "filled" | "sharp-solid") => b"fo",
            _ => b"of",
        },
        IconLibrary::FontAwesome => match style {
            Some("brands") => b"bsr",
            Some("regular" | "light" | "thin" | "sharp-regular" | "sharp-light" | "sharp-thin") => b"rsb",
            _ => b"sbr",
        },
    }
}

/// `name library:name` lines: the nearest free drawing of names that only Font Awesome Pro has, and the new names of
/// drawings of Tabler.
const SUBSTITUTES: &str = templates::text("icons/substitutes.txt");

fn substitute_drawing(name: &str, style: Option<&str>) -> Option<IconDrawing> {
    if let Some(target) = SUBSTITUTES.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')) {
        let (library, target) = target.split_once(':')?;
        let library = library_named(library)?;
        return library::find_drawing(library, target, styles(library, style));
    }
    // `circle-1`, `square-e`: a sign in a shape
    let (shape, sign) = name.split_once('-')?;
    let sign = Some(sign).filter(|sign| sign.len() == 1 && matches!(shape, "circle" | "square"))?;
    let what = if sign.starts_with(|c: char| c.is_ascii_digit()) { "number" } else { "letter" };
    library::find_drawing(IconLibrary::Tabler, &format!("{shape}-{what}-{sign}"), styles(IconLibrary::Tabler, style))
}

fn library_named(name: &str) -> Option<IconLibrary> {
    match name {
        "fontawesome" => Some(IconLibrary::FontAwesome),
        "lucide" => Some(IconLibrary::Lucide),
        "tabler" => Some(IconLibrary::Tabler),
        _ => None,
    }
}

/// `name library:name` lines: the nearest drawing of names of Material Design Icons and Octicons that say something else
/// than the name of the nearest drawing.
const OF_OTHER_SETS: &str = templates::text("icons/material.txt");

/// The nearest drawing of a name of another set: by the table, by the name itself, then by less and less of it.
fn nearest_drawing(site: IconLibrary, name: &str) -> Option<IconDrawing> {
    let order = search_order(site, None);
    name::shorter_spellings(name).into_iter().find_map(|name| {
        let row = OF_OTHER_SETS.lines().find_map(|line| line.strip_prefix(name.as_str())?.strip_prefix(' '));
        let known = row.and_then(|row| row.split_once(':')).and_then(|(library, target)| {
            let library = library_named(library)?;
            library::find_drawing(library, target, styles(library, None))
        });
        known.or_else(|| find_in(&order, std::slice::from_ref(&name), Some("solid")))
    })
}

/// What stands in for an icon that no library has: a quiet ring, so that rows stay aligned.
const MISSING: IconDrawing = IconDrawing {
    library: IconLibrary::Lucide,
    outline: true,
    size: (24, 24),
    markup: "<circle cx=\"12\" cy=\"12\" r=\"6\"/>",
};

/// A named icon as `<svg class="icon" …>`; a neutral one and a warning without a place if no library has the name.
pub fn svg(icon: &Icon, site: IconLibrary, look: &IconLook<'_>) -> (String, Option<Diagnostic>) {
    let library = icon.library.as_deref().and_then(library_named).unwrap_or(site);
    let found = lookup(library, &icon.name, icon.style.as_deref());
    let warning = found.is_none().then(|| missing(&icon.name, library));
    (draw_icon(&found.unwrap_or(MISSING), look), warning)
}

fn missing(name: &str, library: IconLibrary) -> Diagnostic {
    let hint = match similar(library, name) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            "use a name of Lucide, Font Awesome Free or Tabler, the path of an SVG file, or an inline SVG".to_owned()
        }
    };
    Diagnostic::new("icon-missing", format!("there is no icon named `{name}`")).about(name).hint(hint)
}

/// The first name of a library, or else of the others, that is one mistyped, missing, extra or swapped character away
/// from `name`.
fn similar(library: IconLibrary, name: &str) -> Option<&'static str> {
    let query = IconQuery::read(name);
    let name = query.spellings.first()?;
    search_order(library, None)
        .into_iter()
        .find_map(|library| library_names(library).find(|known| one_apart(known.as_bytes(), name.as_bytes())))
}

fn one_apart(a: &[u8], b: &[u8]) -> bool {
    if a.len().abs_diff(b.len()) > 1 || b.len() < 3 {
        return false;
    }
    let front = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[front..], &b[front..]);
    let back = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    match (a.len() - back, b.len() - back) {
        (0 | 1, 0 | 1) => true,
        // two neighbors changed places
        (2, 2) => a[0] == b[1] && a[1] == b[0],
        _ => false,
    }
}

/// A drawing as `<svg class="icon" aria-hidden="true" …>`.
pub fn draw_icon(drawing: &IconDrawing, look: &IconLook<'_>) -> String {
    let mut out = String::with_capacity(drawing.markup.len() + 220);
    out.push_str("<svg");
    push_look(&mut out, look);
    let (width, height) = drawing.size;
    let _ = write!(out, " viewBox=\"0 0 {width} {height}\"");
    out.push_str(if drawing.outline {
        " fill=\"none\" stroke=\"currentColor\" stroke-width=\"2\" stroke-linecap=\"round\" stroke-linejoin=\"round\">"
    } else {
        " fill=\"currentColor\">"
    });
    out.push_str(drawing.markup);
    out.push_str("</svg>");
    out
}

/// ` class aria-hidden width height style` of an icon.
fn push_look(out: &mut String, look: &IconLook<'_>) {
    out.push_str(" class=\"icon");
    if !look.class.is_empty() {
        out.push(' ');
        html::push_attr(out, look.class);
    }
    let size = number_text(if look.size.is_finite() { look.size.clamp(1.0, 1024.0) } else { 16.0 });
    let _ = write!(out, "\" aria-hidden=\"true\" width=\"{size}\" height=\"{size}\"");
    if let Some(color) = look.color.and_then(safe_color) {
        out.push_str(" style=\"color:");
        html::push_attr(out, color);
        out.push('"');
    }
}

/// A CSS color that cannot be anything else: names, `#rrggbb`, `rgb(…)`, `oklch(…)`, `var(--x)`.
fn safe_color(color: &str) -> Option<&str> {
    let color = color.trim();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '#' | '(' | ')' | ',' | '.' | '%' | ' ' | '-' | '/');
    (!color.is_empty() && color.len() <= 64 && color.chars().all(plain) && !color.to_ascii_lowercase().contains("url"))
        .then_some(color)
}

/// Writes any `icon` value of a page: a name, a path, a URL, markup or a sign.
pub fn write_icon(r: &mut Renderer<'_>, icon: &Icon, look: &IconLook<'_>, place: Place) {
    let name = icon.name.trim();
    match icon_kind(name) {
        IconKind::Name => write_named(r, icon, look, place),
        IconKind::Path | IconKind::Url => write_file(r, name, look, place),
        IconKind::Markup => write_markup(r, name, look, place),
        IconKind::Sign => {
            r.out.push_str("<span class=\"icon\" aria-hidden=\"true\">");
            r.text(name);
            r.out.push_str("</span>");
        }
    }
}

fn write_named(r: &mut Renderer<'_>, icon: &Icon, look: &IconLook<'_>, place: Place) {
    // `icon`, `icon={true}`, `icon=""` name none in particular
    if matches!(icon.name.trim(), "" | "true" | "false" | "null" | "undefined" | "none") {
        return;
    }
    let (svg, warning) = svg(icon, r.kit.icons, look);
    r.out.push_str(&svg);
    if let Some(warning) = warning
        && !r.page.diagnostics.iter().any(|known| known.code == warning.code && known.message == warning.message)
    {
        r.warn(place, warning);
    }
}

/// A file: vector drawings stand in the page (so that they take its colors), all others are loaded.
fn write_file(r: &mut Renderer<'_>, path: &str, look: &IconLook<'_>, place: Place) {
    // of remote files only the type is known
    let is_svg = icon_kind(path) == IconKind::Url
        || path.rsplit('.').next().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"));
    if is_svg
        && let Some(text) = r.links.file_text(path, place)
        && let Some(html) = inline_once(r, &text, look)
    {
        r.out.push_str(&html);
        return;
    }
    write_picture(r, path, look, place);
}

fn write_markup(r: &mut Renderer<'_>, markup: &str, look: &IconLook<'_>, place: Place) {
    match inline_once(r, markup, look) {
        Some(html) => r.out.push_str(&html),
        None => {
            r.out.push_str(&draw_icon(&MISSING, look));
            r.warn(
                place,
                Diagnostic::new("icon-unreadable", "the inline SVG of an icon cannot be read")
                    .hint("write well-formed SVG that has only shapes"),
            );
        }
    }
}

/// Inlines an SVG under a prefix of ids that no other drawing of the page has.
fn inline_once(r: &mut Renderer<'_>, text: &str, look: &IconLook<'_>) -> Option<String> {
    // Most drawings have no ids: the prefix is only claimed for those that do.
    let trial = inline(text, "", look)?;
    if !trial.has_ids {
        return Some(trial.html);
    }
    let prefix = r.ids.claim("icon".to_owned(), '-', 2) + "-";
    inline(text, &prefix, look).map(|inlined| inlined.html)
}

/// A picture as an icon, from where the author says.
pub(crate) fn write_picture(r: &mut Renderer<'_>, src: &str, look: &IconLook<'_>, place: Place) {
    let source = r.source(src, place);
    if source.url.is_empty() {
        r.out.push_str(&draw_icon(&MISSING, look));
        return;
    }
    if source.absent {
        return r.out.push_str(&draw_icon(&MISSING, look));
    }
    // a decoration must not break the guarantee that opening a page sends no request to another host
    if source.external {
        let message = format!("the icon `{src}` is left out: it is on another server");
        return r.warn(
            place,
            Diagnostic::warning("outside-load", message).hint("add the file to the source, and use its path"),
        );
    }
    r.out.push_str(&icon_picture(&source.url, look));
}

/// A picture as an icon: `<img class="icon" alt="" …>`. `url` is not escaped.
pub fn icon_picture(url: &str, look: &IconLook<'_>) -> String {
    let mut out = String::from("<img");
    push_look(&mut out, &IconLook { color: None, ..*look });
    out.push_str(" loading=\"lazy\" alt=\"\" src=\"");
    html::push_attr(&mut out, url);
    out.push_str("\">");
    out
}

/// An icon as docs.json and front matter write it, from its parts.
pub fn named_icon<'a>(name: impl Into<Cow<'a, str>>, style: Option<&str>) -> Icon {
    Icon { name: name.into().into_owned(), style: style.map(str::to_owned), library: None }
}

#[cfg(test)]
pub(super) mod tests;
