//! Links of the configuration: logo, top bar, footer, navigation.

use std::sync::{Mutex, PoisonError};

use crate::asset::remote::{AddressSpot, FoundAsset, Requests, SheetText};
use crate::theme;
use base::{LoadKind, PageId, url};

use super::{LinkResolver, ResolvedTarget};

/// Resolves for the theme: URLs relative to the bundle's root.
#[derive(Debug)]
pub struct ThemeLinks<'a> {
    resolver: &'a LinkResolver<'a>,
    /// Percent-encoded path of each page.
    pages: Vec<Option<String>>,
    /// What the chrome loads from elsewhere.
    requests: Mutex<Requests>,
}

impl<'a> ThemeLinks<'a> {
    /// The links of the frame, for all pages that are exported.
    pub fn new(resolver: &'a LinkResolver<'a>) -> Self {
        let pages =
            resolver.paths.iter().map(|path| path.as_ref().map(|path| url::encode_path(path.as_str()))).collect();
        Self { resolver, pages, requests: Mutex::default() }
    }

    /// What was requested from other servers since the last call.
    pub fn take_requests(&self) -> Requests {
        std::mem::take(&mut self.requests.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn outside(&self, url: &str, load: LoadKind) -> FoundAsset {
        let Some(remote) = self.resolver.remote else { return FoundAsset::Off };
        remote.look_up(url, load, self.spot(), &mut self.requests.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The configuration, for what is wrong with something that it names.
    fn spot(&self) -> AddressSpot {
        AddressSpot { file: self.resolver.site.kind.file_name().unwrap_or_default().to_owned(), line: 0, column: 0 }
    }
}

impl theme::SiteLinks for ThemeLinks<'_> {
    fn href(&self, href: &str) -> theme::ConfigTarget {
        match self.resolver.resolve(href, None, "") {
            ResolvedTarget::Page { page, query, fragment } => {
                let anchor = self.resolver.anchor(page, &fragment).filter(|anchor| !anchor.is_empty());
                let hash = anchor.map(|anchor| format!("#{}", url::encode_fragment(&anchor))).unwrap_or_default();
                match self.page(page) {
                    Some(path) => theme::ConfigTarget::Inside(format!("{path}{query}{hash}")),
                    None => theme::ConfigTarget::Broken,
                }
            }
            ResolvedTarget::Asset(_) => self.asset(href),
            ResolvedTarget::Generated(path) => theme::ConfigTarget::Inside(url::encode_path(path.as_str())),
            ResolvedTarget::Outside(url) | ResolvedTarget::Other(url) => theme::ConfigTarget::Outside(url),
            ResolvedTarget::Restricted => theme::ConfigTarget::Restricted,
            ResolvedTarget::Here(_) | ResolvedTarget::Refused | ResolvedTarget::Missing => theme::ConfigTarget::Broken,
        }
    }

    fn asset(&self, src: &str) -> theme::ConfigTarget {
        match self.resolver.resolve(src, None, "") {
            ResolvedTarget::Asset(file) => {
                self.resolver.assets.mark_used(file);
                theme::ConfigTarget::Inside(url::encode_path(self.resolver.assets.path(file).as_str()))
            }
            ResolvedTarget::Outside(url) => match self.outside(&url, LoadKind::Style) {
                FoundAsset::Off => theme::ConfigTarget::Outside(url),
                FoundAsset::Absent | FoundAsset::Pending => theme::ConfigTarget::Absent,
                FoundAsset::Here { path, fragment, .. } => {
                    theme::ConfigTarget::Inside(url::encode_path(path.as_str()) + &fragment)
                }
            },
            _ => theme::ConfigTarget::Broken,
        }
    }

    fn font_sheet(&self, query: &str) -> SheetText {
        let Some(remote) = self.resolver.remote else { return SheetText::Off };
        let address = format!("{}?{query}", remote.font_service());
        remote.sheet_text(&address, self.spot(), &mut self.requests.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn page(&self, page: PageId) -> Option<&str> {
        self.pages[page.0 as usize].as_deref()
    }

    fn image_size(&self, src: &str) -> Option<(u32, u32)> {
        match self.resolver.resolve(src, None, "") {
            ResolvedTarget::Asset(file) => self.resolver.assets.size(file),
            ResolvedTarget::Outside(url) => match self.outside(&url, LoadKind::Style) {
                FoundAsset::Here { size, .. } => size,
                _ => None,
            },
            _ => None,
        }
    }
}
