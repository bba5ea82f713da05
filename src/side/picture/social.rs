//! Which page has a preview of its own, what it says, and where it lies: `_offprint/social/<page>-<digest>.png`.

use std::sync::atomic::{AtomicBool, Ordering};

use resvg::tiny_skia::Pixmap;
use sha2::{Digest, Sha256};

use super::card::{self, Ground, PreviewWords, card_png};
use super::drawing::{Fit, of_file};
use super::letters::inter;
use crate::SiteContext;
use base::hex::to_hex;
use base::{BundlePath, Diagnostic, FileId, PageId};
use frame::link::ResolvedTarget;
use frame::theme::{self, Shades};
use site::config::ColorScheme;

/// The folder of the pictures.
const FOLDER: &str = "_offprint/social";
/// Longest text that is looked at, characters: no picture has room for more.
const MAX_TEXT_CHARS: usize = 400;
/// Longest part of a file's name that says which page it is of, characters.
const MAX_NAME_CHARS: usize = 120;
/// Width and height of the pictures, pixels.
pub const SIZE: (u32, u32) = card::SIZE;

/// The previews of a site.
#[derive(Debug)]
pub struct SocialPreviews<'a> {
    source: SiteContext<'a>,
    shades: Shades,
    ground: Pixmap,
    /// The ground without the name of the site.
    bare: Pixmap,
    /// Digest of what all share.
    seed: [u8; 32],
    /// The picture of pages whose titles cannot be drawn.
    common: BundlePath,
    common_used: AtomicBool,
}

/// A preview to be written.
#[derive(Debug)]
pub struct SocialPreview {
    /// Its file.
    pub path: BundlePath,
    words: Option<[String; 3]>,
}

impl<'a> SocialPreviews<'a> {
    /// Prepares them. `None`, with a reason, where the address of the site is not known: networks need whole
    /// addresses.
    pub fn new(source: SiteContext<'a>, diagnostics: &mut Vec<Diagnostic>) -> Option<Self> {
        if source.base.is_empty() {
            let hint = "set `--domain`, or the tag `canonical` in `seo.metatags`";
            diagnostics.push(
                Diagnostic::new("social-images", "social images need the address of the site; none was generated")
                    .hint(hint),
            );
            return None;
        }
        let config = &source.site.config;
        let backdrop = config.thumbnails.background.as_deref().and_then(|path| backdrop(&source, path, diagnostics));
        let scheme = config.thumbnails.appearance.unwrap_or(config.appearance.default);
        let mean = backdrop.as_ref().map(card::mean);
        let shades = theme::shades(config, scheme == ColorScheme::Dark, mean);
        let logo = config.logo.as_ref().map(|logo| {
            if shades.is_dark && !logo.image.dark.is_empty() { &logo.image.dark } else { &logo.image.light }
        });
        let logo = logo.and_then(|logo| asset(&source, logo)).and_then(|file| {
            let drawn = of_file(&source, file, Fit::Inside, card::LOGO);
            drawn.map_err(|reason| diagnostics.extend(reason.diagnostic(source.site.tree.path(file)))).ok()
        });
        let host = source.base.split("://").nth(1).unwrap_or(source.base);
        let about = Ground { shades, logo: logo.as_ref(), name: &config.name, host, backdrop: backdrop.as_ref() };
        let ground = card::ground(&about)?;
        let bare = card::ground(&Ground { name: "", ..about })?;
        let seed: [u8; 32] = Sha256::new()
            .chain_update(env!("CARGO_PKG_VERSION"))
            .chain_update(format!("{shades:?}"))
            .chain_update(ground.data())
            .finalize()
            .into();
        let common = BundlePath::sanitize(&format!("{FOLDER}-{}.png", to_hex(&seed[..4])));
        Some(Self { source, shades, ground, bare, seed, common, common_used: AtomicBool::new(false) })
    }

    /// The preview of a page; `None` if its author chose a picture.
    pub fn of_page(&self, page: PageId) -> Option<SocialPreview> {
        let entry = self.source.page(page);
        if theme::has_preview(&self.source.site.config, entry) {
            return None;
        }
        let navigation = self.source.navigation;
        let above = navigation
            .breadcrumbs(page, &entry.meta.title)
            .last()
            .map(|id| navigation.nodes[id.0 as usize].label.as_str());
        let description = entry.meta.description.as_ref().or(self.source.site.config.description.as_ref());
        let Some((title, (regular, bold))) =
            inter().and_then(|fonts| Some((fonts.1.drawable(&social_text(&entry.meta.title))?, fonts)))
        else {
            self.common_used.store(true, Ordering::Relaxed);
            return Some(SocialPreview { path: self.common.clone(), words: None });
        };
        let eyebrow = above.and_then(|text| bold.drawable(&social_text(text))).unwrap_or_default();
        let description = description.and_then(|text| regular.drawable(&social_text(text.words()))).unwrap_or_default();
        let words = [eyebrow, title, description];
        let own = self.source.resolver.path(page)?.as_str();
        let digest = Sha256::new().chain_update(self.seed).chain_update(own).chain_update(words.join("\0")).finalize();
        let own: String = own.strip_suffix(".html").unwrap_or(own).chars().take(MAX_NAME_CHARS).collect();
        Some(SocialPreview {
            path: BundlePath::sanitize(&format!("{FOLDER}/{own}-{}.png", to_hex(&digest[..4]))),
            words: Some(words),
        })
    }

    /// The file of a preview; `None` for the one that pages share.
    pub fn draw(&self, preview: &SocialPreview) -> Option<Vec<u8>> {
        let [eyebrow, title, description] = preview.words.as_ref()?;
        card_png(&self.ground, &self.shades, &PreviewWords { eyebrow, title, description })
    }

    /// The picture of the pages whose titles cannot be drawn, if there are such: it names the site.
    pub fn common(&self) -> Option<(BundlePath, Vec<u8>)> {
        let (regular, bold) = inter().filter(|_| self.common_used.load(Ordering::Relaxed))?;
        let config = &self.source.site.config;
        let title = bold.drawable(&social_text(&config.name)).unwrap_or_default();
        let description = config
            .description
            .as_ref()
            .and_then(|text| regular.drawable(&social_text(text.source())))
            .unwrap_or_default();
        let bytes = card_png(
            &self.bare,
            &self.shades,
            &PreviewWords { eyebrow: "", title: &title, description: &description },
        )?;
        Some((self.common.clone(), bytes))
    }
}

/// The author's picture behind the words, and a warning if it cannot be drawn.
fn backdrop(source: &SiteContext<'_>, path: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<Pixmap> {
    let drawn = asset(source, path).and_then(|file| {
        let drawn = of_file(source, file, Fit::Cover, SIZE);
        drawn.map_err(|reason| diagnostics.extend(reason.diagnostic(source.site.tree.path(file)))).ok()
    });
    if drawn.is_none() {
        let message = format!("the background `{path}` of social images cannot be rendered");
        let hint = "save it in the source as a PNG, or as an SVG without text";
        diagnostics.push(Diagnostic::new("social-images", message).at("docs.json", 0, 0).about(path).hint(hint));
    }
    drawn
}

/// A file that the configuration names.
fn asset(source: &SiteContext<'_>, path: &str) -> Option<FileId> {
    match source.resolver.resolve(path, None, "") {
        ResolvedTarget::Asset(file) => Some(file),
        _ => None,
    }
}

/// A text as it is read: the marks of code are none of it.
fn social_text(text: &str) -> String {
    text.chars().filter(|c| *c != '`').take(MAX_TEXT_CHARS).collect()
}
