//! What chrome is made of: the site, its navigation, the resolved links and icons, as values for templates.

use std::collections::BTreeSet;
use std::sync::Mutex;

use super::fragment::{ROOT, clean_fragment};
use super::{ConfigTarget, SiteLinks, ThemeOptions};
use base::cut::SliceText as _;
use base::{Diagnostic, PageId};
use load::Site;
use nav::{NavNode, Navigation, NodeId};
use site::config::Config;
use site::page::PageEntry;
use spec::restricted::restricted_link;

/// Everything that building the chrome reads.
pub(super) struct ChromeInput<'a> {
    pub(super) site: &'a Site,
    pub(super) navigation: &'a Navigation,
    pub(super) options: &'a ThemeOptions,
    pub(super) links: &'a dyn SiteLinks,
    /// Problems so far; sorted, so the order of threads does not show.
    diagnostics: Mutex<BTreeSet<Diagnostic>>,
}

impl<'a> ChromeInput<'a> {
    pub(super) fn new(
        site: &'a Site,
        navigation: &'a Navigation,
        options: &'a ThemeOptions,
        links: &'a dyn SiteLinks,
    ) -> Self {
        Self { site, navigation, options, links, diagnostics: Mutex::default() }
    }

    pub(super) fn config(&self) -> &'a Config {
        &self.site.config
    }

    pub(super) fn node(&self, id: NodeId) -> &'a NavNode {
        &self.navigation.nodes[id.0 as usize]
    }

    /// A page's URL with the mark of the root before it.
    pub(super) fn page_url(&self, page: PageId) -> Option<String> {
        self.links.page(page).map(|url| format!("{ROOT}{}", clean_fragment(url)))
    }

    /// A link of the configuration with the mark of the root before it if it leads inside; `None`, and a warning, if it
    /// leads nowhere.
    pub(super) fn href(&self, href: &str, what: &str) -> Option<Url> {
        match self.links.href(href) {
            ConfigTarget::Inside(url) => Some(Url { url: format!("{ROOT}{}", clean_fragment(&url)), outside: false }),
            ConfigTarget::Outside(url) if is_safe(&url) => {
                Some(Url { url: clean_fragment(&url).into_owned(), outside: true })
            }
            ConfigTarget::Restricted => {
                self.report(restricted_link(&format!("the {what} link `{href}`")).about(href));
                None
            }
            _ => {
                let hint = "name a page of the site, or a full URL";
                self.report(
                    Diagnostic::new("broken-link", format!("the {what} link `{href}` leads to no page"))
                        .about(href)
                        .hint(hint),
                );
                None
            }
        }
    }

    /// A picture or font of the configuration; `None`, and a warning, if it is not in the bundle.
    pub(super) fn asset(&self, src: &str, what: &str) -> Option<String> {
        self.asset_of(None, src, what)
    }

    /// The address of a file that a page names itself.
    pub(super) fn asset_of(&self, page: Option<&PageEntry>, src: &str, what: &str) -> Option<String> {
        match self.links.asset(src) {
            ConfigTarget::Inside(url) => Some(format!("{ROOT}{}", clean_fragment(&url))),
            // nothing on a page loads from elsewhere
            ConfigTarget::Outside(_) => {
                let message = format!("the {what} `{src}` is on another server and is left out");
                self.report_of(
                    page,
                    Diagnostic::new("outside-asset", message).about(src).hint("add the file to the source"),
                );
                None
            }
            ConfigTarget::Absent => None,
            ConfigTarget::Broken | ConfigTarget::Restricted => {
                self.report_of(
                    page,
                    Diagnostic::new("missing-asset", format!("the {what} `{src}` does not exist")).about(src),
                );
                None
            }
        }
    }

    /// Notes a problem of what a page names in its front matter, or else the configuration.
    pub(super) fn report_of(&self, page: Option<&PageEntry>, diagnostic: Diagnostic) {
        self.report(match page.and_then(|page| Some((self.site.tree.path(page.file?), page.meta.icon_line))) {
            Some((path, line)) => diagnostic.at(path, line, u32::from(line > 0)),
            None => diagnostic,
        });
    }

    /// Notes a problem of the configuration.
    pub(super) fn report(&self, diagnostic: Diagnostic) {
        let file = self.site.kind.file_name().unwrap_or_default();
        let diagnostic = if diagnostic.file.is_empty() { diagnostic.at(file, 0, 0) } else { diagnostic };
        // a poisoned list is still a list
        self.diagnostics.lock().unwrap_or_else(std::sync::PoisonError::into_inner).insert(diagnostic);
    }

    /// All problems, in a stable order.
    pub(super) fn diagnostics(&self) -> Vec<Diagnostic> {
        self.diagnostics.lock().unwrap_or_else(std::sync::PoisonError::into_inner).iter().cloned().collect()
    }
}

/// A link as a template writes it.
#[derive(Clone, Debug)]
pub(super) struct Url {
    /// Outside, or after the mark of the root.
    pub(super) url: String,
    /// Leads out of the bundle.
    pub(super) outside: bool,
}

/// No scheme that runs something: whatever resolved the link, chrome never writes one.
pub(super) fn is_safe(url: &str) -> bool {
    let scheme: String = url.trim_start().chars().take_while(|c| !matches!(c, ':' | '/' | '?' | '#')).collect();
    !url.trim_start().slice(scheme.len()..).starts_with(':')
        || !matches!(scheme.to_ascii_lowercase().as_str(), "javascript" | "data" | "vbscript" | "file" | "blob")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_never_run_anything() {
        for url in ["javascript:alert(1)", " JavaScript:alert(1)", "data:text/html,x", "vbscript:x"] {
            assert!(!is_safe(url), "{url}");
        }
        for url in ["https://example.com/javascript:x", "mailto:a@b.c", "#x", "tel:1"] {
            assert!(is_safe(url), "{url}");
        }
    }
}
