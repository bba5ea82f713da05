//! What a file of a bundle refers to, read as a browser reads it: HTML, SVG and CSS, inline styles included. Every
//! export reads all it wrote this way ([`Outside`]), and `check` reads a finished bundle.
//!
//! Pages are read by a scanner of their tags that never looks back. Where the meaning of a tag depends on the elements
//! around it (a `<style>` in a drawing, a `<title>` in a `<select>`), the scanner gives up and lol_html reads the page:
//! [`html::HtmlParsing`] says which of them did.

mod address;
pub mod css;
mod element;
pub mod html;
mod outside;
mod tag;

use serde::Serialize;

pub use address::is_refused_address;
pub use address::scheme_of;
pub use address::{AddressCoding, RawAddress};
use css::scan_css;
use html::scan_html;
pub use outside::{First, Outside, OutsideReferences, ReferenceGroup};

/// What a reference does when the file that holds it is opened.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReferenceKind {
    /// A reader may follow it.
    Link,
    /// A link in place of something from elsewhere that would have been loaded.
    Placeholder,
    /// What the page says about itself: `canonical`, `alternate`, `next`. It is not followed.
    Relation,
    /// The browser goes there by itself: `meta refresh`.
    Redirect,
    /// The browser runs it.
    Script,
    /// A style sheet, or what one imports.
    Style,
    /// A typeface.
    Font,
    /// A picture, an icon.
    Image,
    /// Film, sound, subtitles.
    Media,
    /// A page inside the page.
    Frame,
    /// The browser gets ready for it: `preconnect`, `dns-prefetch`.
    Hint,
    /// Anything else that is loaded or notified: a manifest, `ping`, a prefetched page.
    Other,
}

impl ReferenceKind {
    /// Whether a browser loads it without an action of the reader.
    pub fn is_load(self) -> bool {
        !matches!(self, Self::Link | Self::Placeholder | Self::Relation | Self::Redirect)
    }

    /// One word for people.
    pub fn word(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Placeholder => "placeholder",
            Self::Relation => "relation",
            Self::Redirect => "redirect",
            Self::Script => "script",
            Self::Style => "style",
            Self::Font => "font",
            Self::Image => "image",
            Self::Media => "media",
            Self::Frame => "frame",
            Self::Hint => "hint",
            Self::Other => "other",
        }
    }
}

/// Takes what a reader of a file finds, in the order of the file.
pub trait Visitor {
    /// Whether ids and pictures are reported too.
    const DETAILS: bool;
    /// A reference; `at` is the offset of its tag or address in the file.
    fn reference(&mut self, kind: ReferenceKind, address: RawAddress<'_>, at: usize);
    /// An element's id, or the name of an `<a>`, which links can lead to.
    fn id(&mut self, _id: RawAddress<'_>, _at: usize) {}
    /// A picture with its alternative text; `None` if it has no `alt`.
    fn image(&mut self, _alt: Option<RawAddress<'_>>, _src: Option<RawAddress<'_>>, _at: usize) {}
    /// The content security policy that the page sets for itself.
    fn policy(&mut self, _content: RawAddress<'_>) {}
    /// The page is `noindex`.
    fn hidden(&mut self) {}
    /// Forget everything: the file is read from its start again.
    fn restart(&mut self);
}

/// How a file is read, by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileLanguage {
    /// A page.
    Html,
    /// A drawing, read as XML.
    Svg,
    /// A style sheet.
    Css,
}

impl FileLanguage {
    /// The language of a file; `None` if files of its type refer to nothing.
    pub fn of(path: &str) -> Option<Self> {
        let (_, extension) = path.rsplit_once('.')?;
        match extension {
            "html" | "htm" | "xhtml" => Some(Self::Html),
            "svg" => Some(Self::Svg),
            "css" => Some(Self::Css),
            other if other.bytes().any(|byte| byte.is_ascii_uppercase()) => {
                Self::of(&format!(".{}", other.to_ascii_lowercase()))
            }
            _ => None,
        }
    }
}

/// Reads a file. What kind it is its name says; files that refer to nothing are not looked at.
pub fn scan_file(path: &str, bytes: &[u8], visitor: &mut impl Visitor) {
    match FileLanguage::of(path) {
        Some(FileLanguage::Html) => drop(scan_html(bytes, visitor)),
        Some(FileLanguage::Svg) => html::read_svg(bytes, visitor),
        Some(FileLanguage::Css) => scan_css(bytes, AddressCoding::Plain, 0, visitor),
        None => {}
    }
}

#[cfg(test)]
mod tests;
