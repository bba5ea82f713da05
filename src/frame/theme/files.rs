//! The theme's own files: one style sheet, one script, the icon; their names carry digests of their bytes.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::fonts::{self, FontFamily, find_font_family, font_face_rules};
use super::language::{division_key, is_rtl, language_tag};
use super::source::ChromeInput;
use super::theme_file::{ThemeFile, css_string, fingerprinted, small_script};
use super::{
    actions, console,
    minify::minify_css,
    page,
    palette::{self, palette_css},
    prune::prune_css,
    web_fonts::{preload_font_file, push_web_font_rules},
};
use base::cut::SliceText as _;
use base::html::escape_html_text;
use base::{BundlePath, Description};
use nav::NodeKind;
use site::config::{ColorScheme, Font};

/// Style sheets in the order of the cascade.
const STYLES: [(&str, &str); 7] = [
    ("tokens.css", templates::text("css/tokens.css")),
    ("base.css", templates::text("css/base.css")),
    ("layout.css", templates::text("css/layout.css")),
    ("actions.css", templates::text("css/actions.css")),
    ("prose.css", templates::text("css/prose.css")),
    ("components.css", templates::text("css/components.css")),
    ("print.css", templates::text("css/print.css")),
];

/// Scripts: what several share first, then in the order of their names.
const SCRIPTS: [(&str, &str); 14] = [
    ("shared.js", templates::text("js/shared.js")),
    ("accordion.js", templates::text("js/accordion.js")),
    ("banner.js", templates::text("js/banner.js")),
    ("code.js", templates::text("js/code.js")),
    ("copy.js", templates::text("js/copy.js")),
    ("menu.js", templates::text("js/menu.js")),
    ("search.js", templates::text("js/search.js")),
    ("sidebar.js", templates::text("js/sidebar.js")),
    ("tabs.js", templates::text("js/tabs.js")),
    ("theme.js", templates::text("js/theme.js")),
    ("toc.js", templates::text("js/toc.js")),
    ("tooltip.js", templates::text("js/tooltip.js")),
    ("views.js", templates::text("js/views.js")),
    ("zoom.js", templates::text("js/zoom.js")),
];

/// The script of the menus of pages, for sites that have some. `DRAWINGS` stands for the drawings of its items.
const ACTIONS: &str = templates::text("js/optional/actions.js");

/// The layers of the cascade, lowest first. Every sheet is linked after this one, so the order holds for all of them.
///
/// The program's own have names that authors do not use. Resets of libraries that authors build their sheets with rank
/// below them, as they do on hosted documentation, whose rules are in no layer; other layers of authors rank above.
///
/// What authors write in Markdown looks as `prose` says, until a utility class on it says otherwise. Components come
/// after: a utility styles its author's own elements and breaks none of the program's. `properties` is where Tailwind
/// puts starting values for old browsers.
const LAYERS: &str = "@layer properties, reset, normalize, preflight, theme, base, op.properties, op.base, op.prose, op.utilities, op.layout, op.components, op.code, op.print;";

/// The style sheet of a site, then the fonts that it loads.
pub(super) fn style_sheet(source: &ChromeInput<'_>, unused: &Unused) -> (ThemeFile, Vec<ThemeFile>) {
    let mut css = String::with_capacity(64 << 10);
    css.push_str(LAYERS);
    css.push_str(&palette_css(source.config()));
    let fonts = push_fonts(&mut css, source);
    push_background(&mut css, source);
    for (_, sheet) in STYLES {
        css.push_str(&prune_css(&minify_css(sheet), &|selector| unused.has(selector)));
    }
    (fingerprinted("theme", "css", css.into_bytes()), fonts)
}

/// What no page of a site has: selectors that require it match nothing.
pub(super) struct Unused {
    marks: Vec<String>,
    /// What selectors exclude that all pages have.
    excluded: Option<&'static str>,
}

impl Unused {
    pub(super) fn of(source: &ChromeInput<'_>) -> Self {
        let is_center = source.config().theme.frame == "center";
        Self { marks: unused_marks(source), excluded: is_center.then_some(":not([data-layout=center])") }
    }

    /// Whether a selector matches nothing.
    pub(super) fn has(&self, selector: &str) -> bool {
        let required = without_negations(selector);
        self.excluded.is_some_and(|excluded| selector.contains(excluded))
            || self.marks.iter().any(|mark| required.contains(mark.as_str()))
    }
}

/// A selector without what it excludes: `a:not(.b) .c` requires `a .c`.
fn without_negations(selector: &str) -> String {
    let mut out = String::with_capacity(selector.len());
    let mut rest = selector;
    while let Some((before, inside)) = rest.split_once(":not(") {
        out.push_str(before);
        let mut depth = 1;
        let end = inside.find(|c| {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        rest = end.map_or("", |end| inside.slice(end + 1..));
    }
    out.push_str(rest);
    out
}

fn unused_marks(source: &ChromeInput<'_>) -> Vec<String> {
    let config = source.config();
    let background = &config.background;
    let layout = config.theme.frame;
    let mut marks: Vec<String> = ["tabs", "sidebar", "center"]
        .iter()
        .filter(|name| **name != layout)
        .map(|name| format!("html[data-layout={name}]"))
        .collect();
    let decoration = background.decoration.as_deref().filter(|name| page::DECORATIONS.contains(name));
    marks.extend(
        page::DECORATIONS
            .iter()
            .filter(|name| decoration != Some(**name))
            .map(|name| format!("html[data-decoration={name}]")),
    );
    let others = page::distinct_themes().filter(|family| *family != config.theme);
    marks.extend(others.map(|family| format!("html[data-theme={}]", family.name)));
    let nodes = &source.navigation.nodes;
    let pages = &source.site.pages;
    let is_any = |kinds: &[NodeKind]| nodes.iter().any(|node| kinds.contains(&node.kind));
    let has_labels = nodes.iter().any(|node| node.tag.is_some() || node.deprecated)
        || pages.iter().any(|page| page.meta.tag.is_some() || page.meta.deprecated);
    let has_references = pages.iter().any(|page| page.endpoint.is_some() || page.meta.reference.is_some());
    let languages = nodes.iter().filter(|node| node.kind == NodeKind::Language);
    let has_banner = config.banner.is_some() || config.languages.iter().any(|language| language.banner.is_some());
    let mut navbars =
        std::iter::once(&config.navbar).chain(config.languages.iter().filter_map(|language| language.navbar.as_ref()));
    let has_links = source.options.assistant_endpoint.is_some()
        || navbars.any(|navbar| !navbar.links.is_empty() || navbar.primary.is_some());
    let footers = || {
        let own = config.languages.iter().filter_map(|language| language.footer.as_ref());
        std::iter::once(&config.footer).chain(own)
    };
    let has_switches =
        is_any(&[NodeKind::Language, NodeKind::Version, NodeKind::Product, NodeKind::Dropdown, NodeKind::Anchor]);
    for (mark, is_there) in [
        ("html[data-backdrop]", background.image.is_some()),
        ("html[data-decoration]", decoration.is_some()),
        ("@keyframes op-clear", decoration.is_some()),
        ("@keyframes op-rest", layout == "center"),
        (".op-search-service", source.options.search_endpoint.is_some()),
        (".op-assistant", source.options.assistant_endpoint.is_some()),
        (".op-feed", pages.iter().any(|page| page.meta.rss)),
        (".op-announcement", has_banner),
        (".op-announcement-close", has_banner),
        (".op-tabs", is_any(&[NodeKind::Tab])),
        (".op-bar-links", has_links),
        (".op-tree-links", has_links),
        (".op-foot-columns", footers().any(|footer| !footer.columns.is_empty())),
        (".op-foot-title", footers().any(|footer| !footer.columns.is_empty())),
        (".op-logo-name", config.logo.as_ref().is_some_and(|logo| logo.with_name)),
        (".op-foot-note", footers().any(|footer| footer.note.is_some())),
        (".op-foot-socials", footers().any(|footer| !footer.socials.is_empty())),
        (".op-related", pages.iter().any(|page| page.meta.related.is_some())),
        (".op-switch", has_switches),
        (".op-anchors", has_switches),
        (".anchor-icon", has_switches),
        (".op-tag", has_labels),
        (
            ".method-pill",
            nodes.iter().any(|node| node.method.is_some()) || pages.iter().any(|page| page.endpoint.is_some()),
        ),
        (".op-pages .method-pill:is", nodes.iter().filter_map(|node| node.method.as_deref()).any(is_long_method)),
        (".api-try", console::is_enabled(source)),
        (".breadcrumb-list", config.styling.breadcrumbs),
        (".op-actions", source.site.has_actions()),
        (".op-title", source.site.has_actions()),
        (".op-actions-narrow", source.site.menus().any(|menu| menu.in_contents)),
        (".toc .op-actions", source.site.menus().any(|menu| menu.in_contents)),
        (".op-source-links", config.feedback.edit || config.feedback.issue || has_references),
        ("[dir=rtl]", languages.map(|node| language_tag(division_key(node))).any(|tag| is_rtl(&tag))),
    ] {
        if !is_there {
            marks.push(mark.to_owned());
        }
    }
    marks
}

/// Whether a method is too long for its place in the sidebar at the size of the others.
fn is_long_method(method: &str) -> bool {
    matches!(method, "WEBHOOK" | "OPTIONS")
}

/// What pages with formulas load beside the theme: rules and font. The sheet comes first.
pub(super) fn math() -> Vec<ThemeFile> {
    let mut css = String::new();
    let font = ship(&mut css, &[&fonts::STIX_TWO_MATH], &BTreeSet::from(['x']));
    css.push_str(&minify_css(const { templates::text("css/math/math.css") }));
    std::iter::once(fingerprinted("math", "css", css.into_bytes())).chain(font).collect()
}

/// The script of all pages.
pub(super) fn site_script(source: &ChromeInput<'_>) -> ThemeFile {
    let mut js: String = SCRIPTS.iter().map(|(_, script)| *script).collect();
    if source.site.has_actions() {
        let drawings: Vec<String> = actions::ICONS.iter().map(|(name, path)| format!("{name}:\"{path}\"")).collect();
        js.push_str(&ACTIONS.replace("DRAWINGS", &format!("{{{}}}", drawings.join(","))));
    }
    if console::is_enabled(source) {
        js.push_str(console::LOADER);
    }
    fingerprinted("theme", "js", small_script(source, &js).into_bytes())
}

/// The icon of a site that names none: a page with its corner turned, in the accent.
pub(super) fn default_icon(source: &ChromeInput<'_>) -> ThemeFile {
    let accent = palette::author_accent(source.config(), false).to_string();
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 32 32\"><path fill=\"{accent}\" d=\"M8 3h11l7 7v16a3 3 0 0 1-3 3H8a3 3 0 0 1-3-3V6a3 3 0 0 1 3-3z\"/><path fill=\"#fff\" fill-opacity=\".55\" d=\"M19 3v5a2 2 0 0 0 2 2h5z\"/></svg>"
    );
    fingerprinted("icon", "svg", svg.into_bytes())
}

/// The fonts of a site: rules of its own files, the families as custom properties, and the files of the families that
/// are part of the program.
fn push_fonts(css: &mut String, source: &ChromeInput<'_>) -> Vec<ThemeFile> {
    let own = &source.config().fonts;
    let letters = letters(source);
    let mut named = Vec::new();
    let mut shipped: Vec<&'static FontFamily> = vec![&fonts::JETBRAINS_MONO];
    let mut stack = |css: &mut String, font: Option<&Font>, otherwise: &str| {
        let Some(font) = font else { return otherwise.to_owned() };
        match find_font_family(&font.family)
            .filter(|_| font.source.as_deref().is_none_or(|source| source.contains("://")))
        {
            Some(family) => {
                if !shipped.iter().any(|known| known.name == family.name) {
                    shipped.push(family);
                }
                family.stack()
            }
            // headings and text may share a family
            None if named.contains(&font.family) && font.source.is_none() => {
                format!("{},{otherwise}", css_string(&font.family))
            }
            None => {
                named.push(font.family.clone());
                format!("{},{otherwise}", own_family(css, source, font, &letters))
            }
        }
    };
    let text = fonts::INTER.stack();
    let body = stack(css, own.body.as_ref(), &text);
    let heading_font =
        if source.config().theme.has_code_headings { "var(--op-font-code)" } else { "var(--op-font-body)" };
    let heading = stack(css, own.heading.as_ref(), heading_font);
    if body.contains(&text) && !shipped.iter().any(|family| family.name == fonts::INTER.name) {
        shipped.push(&fonts::INTER);
    }
    // hosted documentation names its families by variables, which authors' sheets use and set
    let _ = write!(css, ":root{{--font-inter:{text};--font-jetbrains-mono:{}", fonts::JETBRAINS_MONO.stack());
    for (name, font, stack) in [("headings", &own.heading, &heading), ("body", &own.body, &body)] {
        if font.is_some() {
            let _ = write!(css, ";--font-family-{name}-custom:{stack}");
        }
    }
    let body = if body == text { "var(--font-inter)" } else { &body };
    let _ = write!(css, ";--op-font-body:{body};--op-font-heading:{heading};--op-font-code:var(--font-jetbrains-mono)");
    for (name, font) in [("heading", &own.heading), ("body", &own.body)] {
        if let Some(weight) = font.as_ref().and_then(|font| font.weight) {
            let _ = write!(css, ";--op-{name}-weight:{weight}");
        }
    }
    css.push('}');
    ship(css, &shipped, &letters)
}

/// The file of the text font that pages preload before the style sheet names it: percent-encoded, from the root.
/// `shipped` are the files of [`push_fonts`].
pub(super) fn text_font(source: &ChromeInput<'_>, shipped: &[ThemeFile]) -> Option<String> {
    let body = source.config().fonts.body.as_ref();
    if let Some(file) = body.and_then(|font| font.source.as_deref()).filter(|file| !file.contains("://")) {
        // where it is missing, the rule of the font has said so
        return match source.links.asset(file) {
            super::ConfigTarget::Inside(url) => Some(url),
            _ => None,
        };
    }
    let named = body.filter(|font| font.source.is_none() && find_font_family(&font.family).is_none());
    if let Some(url) = named.and_then(|font| preload_font_file(source, font)) {
        return Some(url);
    }
    let family = body.and_then(|font| find_font_family(&font.family)).unwrap_or(&fonts::INTER);
    let name = format!("_offprint/{}-", family.first()?.file.trim_end_matches(".woff2"));
    shipped
        .iter()
        .find(|file| file.path.as_str().strip_prefix(&name).is_some_and(|rest| rest.len() == "12345678.woff2".len()))
        .map(|file| file.path.to_string())
}

/// The characters beyond ASCII in titles, descriptions and labels: the scripts that the site is written in.
fn letters(source: &ChromeInput<'_>) -> BTreeSet<char> {
    let pages = source
        .site
        .pages
        .iter()
        .flat_map(|page| [Some(page.meta.title.as_str()), page.meta.description.as_ref().map(Description::source)]);
    let labels = source.navigation.nodes.iter().map(|node| Some(node.label.as_str()));
    let texts = pages.chain(labels).flatten().filter(|text| !text.is_ascii());
    texts.flat_map(str::chars).filter(|c| !c.is_ascii()).collect()
}

/// Writes the rules of families of the program, of their parts for these letters; the files lie beside the style sheet.
fn ship(css: &mut String, families: &[&'static FontFamily], letters: &BTreeSet<char>) -> Vec<ThemeFile> {
    let mut out = Vec::new();
    // what the whole site writes once (a name, a sign) is drawn by the system's fonts
    let needed: Vec<&str> = families
        .iter()
        .flat_map(|family| family.needed(|face| letters.iter().any(|letter| face.covers(*letter))))
        .map(|face| face.file)
        .collect();
    css.push_str(&font_face_rules(families, |face| {
        if !needed.contains(&face.file) {
            return None;
        }
        let file = fingerprinted(face.file.trim_end_matches(".woff2"), "woff2", face.bytes.to_vec());
        let name = file.path.as_str().trim_start_matches("_offprint/").to_owned();
        out.push(file);
        Some(name)
    }));
    for family in families {
        let path = BundlePath::sanitize(&format!("_offprint/{}", family.license_file));
        out.push(ThemeFile { path, bytes: family.license.as_bytes().to_vec() });
    }
    out
}

/// Writes the rules of a font that is not part of the program, and gives its quoted family.
fn own_family(css: &mut String, source: &ChromeInput<'_>, font: &Font, letters: &BTreeSet<char>) -> String {
    let name = css_string(&font.family);
    match font.source.as_deref() {
        Some(file) => {
            // the style sheet lies one folder below the root
            if let Some(url) = source.asset(file, "font").map(|url| url.replace(super::fragment::ROOT, "../")) {
                let format = match font.format.as_deref() {
                    Some("woff") => " format(\"woff\")",
                    Some("woff2") => " format(\"woff2\")",
                    _ => "",
                };
                let weight = font.weight.map_or_else(|| "100 900".to_owned(), |weight| weight.to_string());
                let _ = write!(
                    css,
                    "@font-face{{font-family:{name};src:url({}){format};font-weight:{weight};font-display:swap}}",
                    css_string(&url)
                );
            }
        }
        None => push_web_font_rules(css, source, font, letters),
    }
    name
}

/// The author's background pictures; decorations are drawn by the style sheet.
fn push_background(css: &mut String, source: &ChromeInput<'_>) {
    let Some(image) = &source.config().background.image else { return };
    for (selector, src) in [(":root", &image.light), ("html.dark", &image.dark)] {
        if src.is_empty() {
            continue;
        }
        if let Some(url) = source.asset(src, "background").map(|url| url.replace(super::fragment::ROOT, "../")) {
            let _ = write!(css, "{selector}{{--op-background:url({})}}", css_string(&url));
        }
    }
}

/// The 404 page's own style: the tokens and the few rules it needs.
pub(super) fn inline_style(source: &ChromeInput<'_>) -> String {
    let palette = palette_css(source.config());
    // the page keeps no choice of its readers, since it loads no script
    let mut css = match source.config().appearance.default {
        ColorScheme::System => palette.replace("html.dark{", "@media (prefers-color-scheme:dark){:root{") + "}",
        ColorScheme::Dark => palette.replace("html.dark{", ":root{"),
        ColorScheme::Light => palette,
    };
    css.push_str(&minify_css(const { templates::text("css/not_found/not_found.css") }));
    escape_html_text(&css).replace("&gt;", ">").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_style_sheet_and_script_is_joined() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../templates");
        let listed = |folder: &str, extension: &str| {
            let mut names: Vec<String> = std::fs::read_dir(root.join(folder))
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .filter(|name| name.ends_with(extension))
                .collect();
            names.sort();
            names
        };
        let mut styles = STYLES.map(|(name, _)| name);
        styles.sort_unstable();
        assert_eq!(styles.to_vec(), listed("css", ".css"));
        let mut scripts = SCRIPTS.map(|(name, _)| name);
        scripts.sort_unstable();
        assert_eq!(scripts.to_vec(), listed("js", ".js"));
        assert_eq!(SCRIPTS[0].0, "shared.js", "the others use what it defines");
    }

    #[test]
    fn scripts_hold_nothing_the_minifier_would_break() {
        for (name, script) in SCRIPTS.into_iter().chain([("actions.js", ACTIONS), ("try.js", console::LOADER)]) {
            for line in script.lines() {
                assert!(line.matches('`').count() % 2 == 0, "{name}: template literals must end on their line: {line}");
            }
            for word in ["eval(", "fetch(", "console.", "import(", "XMLHttpRequest", "innerHTML +="] {
                assert!(!script.contains(word), "{name} holds {word}");
            }
        }
    }
}
