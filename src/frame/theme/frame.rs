//! The frame around the content of a page.
//!
//! Its template is rendered once for all pages of a shape, with a mark wherever a page says something itself. The frame
//! of one page then is little more than a copy.

use std::borrow::Cow;
use std::sync::{Arc, PoisonError, RwLock};

use rustc_hash::FxHashMap;
use tera::Context;

use super::SiteTheme;
use super::fragment::{BranchPiece, Fragment, FragmentGap, PagePlace, ROOT, safe, slot};
use super::language::is_rtl;
use super::own::{OWN, Own};
use base::html;
use templates::words;

/// Most frames that are kept, each a few kilobytes. A page that needs another has its template rendered for itself.
const MAX_CACHED_FRAMES: usize = 256;

/// What decides which parts a frame has, beside which of [`Own`] its page says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct FrameShape {
    /// The first branch of its language.
    pub(super) language: u32,
    /// The mode of the page, as docs.json calls it.
    pub(super) mode: &'static str,
    /// `tabs`, `sidebar` or `center`.
    pub(super) layout: &'static str,
    /// The page tree is a menu in every window.
    pub(super) tree_menu: bool,
    /// The page has no header; its title is for screen readers only.
    pub(super) bare: bool,
    /// The title is for screen readers only: it stands in the content.
    pub(super) shows_title: bool,
    pub(super) deprecated: bool,
    /// The feed has a button.
    pub(super) feed_shown: bool,
    /// The table of contents has few entries.
    pub(super) toc_is_short: bool,
}

/// What one page says to the frame.
#[derive(Debug)]
pub(super) struct FrameSheet<'a> {
    pub(super) shape: FrameShape,
    pub(super) place: PagePlace,
    /// The texts of the page in the order of [`Own`]; empty for those that it does not have.
    own: [Cow<'a, str>; OWN.len()],
}

impl<'a> FrameSheet<'a> {
    pub(super) fn new(shape: FrameShape, place: PagePlace) -> Self {
        Self { shape, place, own: [const { Cow::Borrowed("") }; OWN.len()] }
    }

    /// HTML is taken as it is, text is escaped.
    pub(super) fn say(&mut self, own: Own, what: impl Into<Cow<'a, str>>) {
        self.own[own as usize] = what.into();
    }

    pub(super) fn said(&self, own: Own) -> &str {
        &self.own[own as usize]
    }

    fn push(&self, own: Own, out: &mut String) {
        let (_, _, is_html) = OWN[own as usize];
        if is_html { out.push_str(self.said(own)) } else { html::push_attr(out, self.said(own)) }
    }

    /// A bit for each that it says.
    fn mask(&self) -> u64 {
        self.own.iter().enumerate().filter(|(_, what)| !what.is_empty()).fold(0, |mask, (at, _)| mask | 1_u64 << at)
    }
}

/// The frames that were rendered so far, by shape and by what a page of it says.
#[derive(Debug, Default)]
pub(super) struct Frames(RwLock<FxHashMap<(FrameShape, u64), Arc<Fragment>>>);

impl Frames {
    fn get_or_make(
        &self,
        key: (FrameShape, u64),
        make: impl FnOnce() -> tera::TeraResult<Fragment>,
    ) -> tera::TeraResult<Arc<Fragment>> {
        if let Some(known) = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(known.clone());
        }
        let fragment = Arc::new(make()?);
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() < MAX_CACHED_FRAMES {
            known.insert(key, fragment.clone());
        }
        Ok(fragment)
    }
}

impl SiteTheme<'_> {
    /// A whole page. `shared` fills the marks of what the pages of a branch share.
    pub(super) fn framed(
        &self,
        sheet: &FrameSheet<'_>,
        mut shared: impl FnMut(BranchPiece, &mut String),
    ) -> tera::TeraResult<String> {
        let mask = sheet.mask();
        let frame = self.frames.get_or_make((sheet.shape, mask), || {
            Ok(Fragment::parse(&self.tera.render("page.html", &self.context_of(&sheet.shape, mask))?))
        })?;
        let mut out = String::with_capacity(
            sheet.said(Own::Content).len() + sheet.said(Own::Aside).len() + frame.len() + (16 << 10),
        );
        frame.write(&mut out, &sheet.place, |ask, out| match ask {
            FragmentGap::Own(own) => sheet.push(own, out),
            FragmentGap::Piece(piece) => shared(piece, out),
            FragmentGap::Current(_) | FragmentGap::Open(_) | FragmentGap::Active(_) | FragmentGap::Address(_) => {}
        });
        Ok(out)
    }

    fn context_of(&self, shape: &FrameShape, mask: u64) -> Context {
        let FrameShape { language, mode, layout, tree_menu, bare, shows_title, deprecated, feed_shown, toc_is_short } =
            *shape;
        let chrome = &self.chromes[language as usize];
        let mut context = Context::new();
        context.insert("root", &ROOT.to_string());
        context.insert("lang", &chrome.lang);
        context.insert("rtl", &is_rtl(&chrome.lang));
        context.insert_value("w", chrome.words.clone());
        // English stands in the scripts
        let said = &words::for_language(&chrome.lang).content;
        let said =
            (*said != words::EN.content).then(|| [said.copied, said.show_all, said.show_less, said.wrap].join("|"));
        context.insert("said", &said);
        context.insert("mode", mode);
        context.insert("layout", layout);
        let switches = [
            ("tree_menu", tree_menu),
            ("bare", bare),
            ("shows_title", shows_title),
            ("deprecated", deprecated),
            ("feed_shown", feed_shown),
            ("toc_is_short", toc_is_short),
        ];
        switches.into_iter().for_each(|(name, is_on)| context.insert(name, &is_on));
        for piece in BranchPiece::ALL {
            context.insert_value(piece.name(), safe(&slot(FragmentGap::Piece(piece))));
        }
        for (own, name, _) in OWN {
            // what is not said is nothing for the template's conditions
            let is_said = mask & 1_u64 << own as u32 != 0;
            context.insert_value(name, safe(&if is_said { slot(FragmentGap::Own(own)) } else { String::new() }));
        }
        context
    }
}

#[cfg(test)]
mod tests {
    use super::{OWN, Own};
    use crate::theme::fragment::BranchPiece;

    #[test]
    fn everything_that_pages_say_is_known_by_its_number_and_in_the_template() {
        let template = const { templates::text("page.html") };
        for (at, (own, name, _)) in OWN.iter().enumerate() {
            assert_eq!(*own as usize, at);
            assert_eq!(Own::of_number(at as u32), Some(*own));
            assert!(template.contains(&format!("{{{{ {name} }}}}")), "{name}");
        }
        for piece in BranchPiece::ALL {
            assert!(template.contains(&format!("{{{{ {} }}}}", piece.name())), "{piece:?}");
        }
    }
}
