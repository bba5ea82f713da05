//! Pictures that are drawn while a site is exported: previews of pages for social networks, and icons.
//!
//! 1. `letters` sets text in the embedded Inter: widths, kerning, lines, outlines.
//! 2. `drawing` turns an author's SVG or PNG into pixels of a given size, if what it becomes (`expansion`) and what that
//!    costs (`work`) are within their bounds; `png` writes pixels, with a palette where
//!    that is enough.
//! 3. `card` lays a preview out; `social` knows which page has one, under which name.
//!
//! Invariants: no font of the machine, no file but the one asked for and no network is read; equal input gives equal
//! bytes on any thread.

mod card;
pub(super) mod drawing;
mod expansion;
mod letters;
mod measure;
pub(super) mod not_drawn;
pub(super) mod png;
mod social;
mod work;

pub use social::{SIZE as PREVIEW_SIZE, SocialPreview, SocialPreviews};
