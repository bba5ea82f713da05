//! What 404.html shows of the site: the logo, and what `errors.404.description` says: MDX like that of a page, on a
//! page that hosts show at any depth. Its links name files from the root of the bundle, and whole addresses where that
//! of the site is known; it loads nothing.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use base::isolate::catch_panic;
use base::{Diagnostic, LoadKind, Place, url};
use frame::asset::lower_extension;
use frame::link::ResolvedTarget;
use frame::theme::{INSIDE, Missing};

use markup::expand::expand_still;

use load::written::{ConfigText, quote_json};
use render::{Href, Kit, LoadSource, PageResolver, Renderer};
use spec::restricted::restricted_link;

use super::assets::still_svg;
use super::snippets::Snippets;

/// Largest picture that becomes part of the page, bytes.
const LOGO_BYTES: u64 = 32 << 10;

/// What the page shows.
pub(super) fn not_found_content(
    source: &side::SiteContext<'_>,
    kit: &Kit,
    snippets: &Snippets<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Missing {
    Missing { description: not_found_description(source, kit, snippets, diagnostics), logo: not_found_logo(source) }
}

/// The logo in light and in dark, as `data:` addresses: the one in place of the other if the bundle has only one, or if
/// one is large.
fn not_found_logo(source: &side::SiteContext<'_>) -> (String, String) {
    let Some(logo) = &source.site.config.logo else { return Default::default() };
    let [light, dark] = [&logo.image.light, &logo.image.dark].map(|src| not_found_picture(source, src));
    let both = light.clone().or_else(|| dark.clone()).unwrap_or_default();
    (light.unwrap_or_else(|| both.clone()), dark.unwrap_or(both))
}

fn not_found_picture(source: &side::SiteContext<'_>, src: &str) -> Option<String> {
    let ResolvedTarget::Asset(file) = source.resolver.resolve(src, None, "") else { return None };
    let tree = &source.site.tree;
    let kind = match lower_extension(tree.path(file)).as_str() {
        "svg" => "svg+xml",
        "png" => "png",
        "webp" => "webp",
        "jpg" | "jpeg" => "jpeg",
        _ => return None,
    };
    let bytes = tree.read_at_most(file, LOGO_BYTES).ok()?;
    // what is left out of a drawing is reported where it is copied
    let bytes = if kind == "svg+xml" { still_svg(bytes, src, &mut Vec::new()) } else { bytes };
    Some(format!("data:image/{kind};base64,{}", STANDARD.encode(bytes)))
}

/// The description as HTML; empty without one.
fn not_found_description(
    source: &side::SiteContext<'_>,
    kit: &Kit,
    snippets: &Snippets<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> String {
    let site = source.site;
    let file = site.kind.file_name().and_then(|name| site.tree.find_any(name));
    let (Some(text), Some(file)) =
        (site.config.not_found.description.as_deref().filter(|text| !text.trim().is_empty()), file)
    else {
        return String::new();
    };
    let links = NotFoundLinks { source };
    let make = || {
        let prepared = markup::prepare_mdx(text, &site.config.variables, false);
        let expanded = expand_still(prepared.parse(file, 1), file, snippets);
        let mut renderer = Renderer::new(kit, &links);
        renderer.heading_ids = false;
        (renderer.document(&expanded.nodes), expanded.problems)
    };
    let Some((page, problems)) = catch_panic(make) else {
        let message = "an internal error stopped the rendering of `errors.404.description`";
        diagnostics.push(
            Diagnostic::new("page-failed", message)
                .at(site.tree.path(file), 0, 0)
                .hint("the page shows the default text"),
        );
        return String::new();
    };
    let mut found = page.diagnostics;
    found.extend(problems.into_iter().map(|problem| site.tree.diagnostic(problem)));
    if !found.is_empty() {
        // lines count within the text, which is one string of the configuration
        let written = ConfigText::of(site);
        let (file, line, column) = written.place(&[quote_json(text)]).unwrap_or((site.tree.path(file), 0, 0));
        diagnostics.extend(found.into_iter().map(|diagnostic| diagnostic.at(file, line, column)));
    }
    page.html + &page.aside
}

/// Links into the site as the page's script finds them: by file, with the whole address where that of the site is
/// known.
struct NotFoundLinks<'a> {
    source: &'a side::SiteContext<'a>,
}

impl NotFoundLinks<'_> {
    fn inside(&self, file: &str, whole: impl FnOnce() -> String) -> Href {
        let whole = if self.source.base.is_empty() { String::new() } else { whole() };
        Href { url: format!("{INSIDE}{file}|{whole}"), external: false }
    }

    /// A file of the bundle, percent-encoded.
    fn file(&self, path: &str) -> Href {
        self.inside(path, || self.source.file_url(path))
    }
}

impl PageResolver for NotFoundLinks<'_> {
    fn href(&self, href: &str, place: Place, diagnostics: &mut Vec<Diagnostic>) -> Href {
        let resolver = self.source.resolver;
        match resolver.resolve(href, None, "") {
            ResolvedTarget::Page { page, query, fragment } => {
                let anchor = resolver.anchor(page, &fragment).filter(|anchor| !anchor.is_empty());
                let hash = anchor.map(|anchor| format!("#{}", url::encode_fragment(&anchor))).unwrap_or_default();
                let file = resolver.path(page).map(|path| url::encode_path(path.as_str())).unwrap_or_default();
                self.inside(&format!("{file}{query}{hash}"), || format!("{}{query}{hash}", self.source.page_url(page)))
            }
            ResolvedTarget::Asset(file) => {
                resolver.assets.mark_used(file);
                self.file(&url::encode_path(resolver.assets.path(file).as_str()))
            }
            ResolvedTarget::Generated(path) => self.file(&url::encode_path(path.as_str())),
            ResolvedTarget::Outside(url) | ResolvedTarget::Other(url) => Href { url, external: true },
            ResolvedTarget::Restricted => {
                let problem = restricted_link(&format!("the link `{href}` in `errors.404.description`"));
                diagnostics.push(problem.at(self.file_name(place), place.line, place.column));
                Href::default()
            }
            ResolvedTarget::Here(_) | ResolvedTarget::Refused | ResolvedTarget::Missing => {
                let message = format!("the link `{href}` in `errors.404.description` leads to no page");
                let hint = "name a page of the site, or a full URL";
                diagnostics.push(
                    Diagnostic::new("broken-link", message)
                        .at(self.file_name(place), place.line, place.column)
                        .hint(hint),
                );
                Href::default()
            }
        }
    }

    fn source(&self, src: &str, _: LoadKind, place: Place, diagnostics: &mut Vec<Diagnostic>) -> LoadSource {
        if src.trim_start().to_ascii_lowercase().starts_with("data:image/") {
            return LoadSource { url: src.trim().to_owned(), ..LoadSource::default() };
        }
        let url = self.href(src, place, diagnostics).url;
        // a picture is not shown here: where its whole address is known, there is a link
        let url = url
            .strip_prefix(INSIDE)
            .map(|both| both.split_once('|').map_or("", |(_, whole)| whole).to_owned())
            .unwrap_or(url);
        LoadSource { url, external: true, absent: true, size: None }
    }

    fn file_text(&self, path: &str, _: Place) -> Option<String> {
        match self.source.resolver.resolve(path, None, "") {
            ResolvedTarget::Asset(file) => self.source.site.tree.read_text(file, u64::MAX).ok(),
            _ => None,
        }
    }

    fn file_name(&self, place: Place) -> String {
        self.source.site.tree.path(place.file).to_owned()
    }
}
