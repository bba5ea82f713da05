//! What `errors.404.description` says: MDX like that of a page, on a page that hosts show at any depth. Its links are whole addresses, it loads nothing.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::base::{Diagnostic, Load, Place, url};
use crate::expand::expand_still;
use crate::link::Target;
use crate::markup;
use crate::render::{Href, Kit, Links, Renderer, Source};
use crate::side;
use crate::site::written::{Written, quoted};

use super::snippets::Snippets;

/// The description as HTML; empty without one.
pub(super) fn description(source: &side::Source<'_>, kit: &Kit, snippets: &Snippets<'_>, diagnostics: &mut Vec<Diagnostic>) -> String {
    let site = source.site;
    let file = site.kind.file_name().and_then(|name| site.tree.find_any(name));
    let (Some(text), Some(file)) = (site.config.not_found.description.as_deref().filter(|text| !text.trim().is_empty()), file) else { return String::new() };
    let links = Absolute { source };
    let make = || {
        let prepared = markup::prepare(text, &site.config.variables, false);
        let expanded = expand_still(prepared.parse(file, 1), file, snippets);
        let mut renderer = Renderer::new(kit, &links);
        renderer.heading_ids = false;
        (renderer.document(&expanded.nodes), expanded.problems)
    };
    let Ok((page, problems)) = catch_unwind(AssertUnwindSafe(make)) else {
        let message = "an internal error stopped the rendering of `errors.404.description`";
        diagnostics.push(Diagnostic::new("page-failed", message).at(site.tree.path(file), 0, 0).hint("the page shows its usual words"));
        return String::new();
    };
    let mut found = page.diagnostics;
    found.extend(problems.into_iter().map(|problem| super::pages::diagnostic(problem, site)));
    if !found.is_empty() {
        // lines count within the text, which is one string of the configuration
        let written = Written::of(site);
        let (file, line, column) = written.place(&[quoted(text)]).unwrap_or((site.tree.path(file), 0, 0));
        diagnostics.extend(found.into_iter().map(|diagnostic| diagnostic.at(file, line, column)));
    }
    page.html + &page.aside
}

/// Links as whole addresses. Where that of the site is not known, a link into it would lead astray from most depths: its words stay.
struct Absolute<'a> {
    source: &'a side::Source<'a>,
}

impl Absolute<'_> {
    fn inside(&self, url: impl FnOnce() -> String) -> Href {
        Href { url: if self.source.base.is_empty() { String::new() } else { url() }, external: false }
    }
}

impl Links for Absolute<'_> {
    fn href(&self, href: &str, place: Place, diagnostics: &mut Vec<Diagnostic>) -> Href {
        let resolver = self.source.resolver;
        match resolver.resolve(href, None, "") {
            Target::Page { page, query, fragment } => {
                let anchor = resolver.anchor(page, &fragment).filter(|anchor| !anchor.is_empty());
                let hash = anchor.map(|anchor| format!("#{}", url::encode_fragment(&anchor))).unwrap_or_default();
                self.inside(|| format!("{}{query}{hash}", self.source.page_url(page)))
            }
            Target::Asset(file) => {
                resolver.assets.mark_used(file);
                self.inside(|| self.source.file_url(&url::encode_path(resolver.assets.path(file).as_str())))
            }
            Target::Made(path) => self.inside(|| self.source.file_url(&url::encode_path(path.as_str()))),
            Target::Outside(url) | Target::Other(url) => Href { url, external: true },
            Target::Here(_) | Target::Refused | Target::Missing => {
                let message = format!("the link `{href}` in `errors.404.description` leads nowhere");
                let hint = "name a page of the site, or a full URL";
                diagnostics.push(Diagnostic::new("broken-link", message).at(self.file_name(place), place.line, place.column).hint(hint));
                Href::default()
            }
        }
    }

    fn source(&self, src: &str, _: Load, place: Place, diagnostics: &mut Vec<Diagnostic>) -> Source {
        if src.trim_start().to_ascii_lowercase().starts_with("data:image/") {
            return Source { url: src.trim().to_owned(), ..Source::default() };
        }
        Source { url: self.href(src, place, diagnostics).url, external: true, absent: true, size: None }
    }

    fn file_text(&self, path: &str, _: Place) -> Option<String> {
        match self.source.resolver.resolve(path, None, "") {
            Target::Asset(file) => String::from_utf8(self.source.site.tree.read(file).ok()?).ok(),
            _ => None,
        }
    }

    fn file_name(&self, place: Place) -> String {
        self.source.site.tree.path(place.file).to_owned()
    }
}
