//! Text in pictures: set in the embedded Inter with its kerning, from left to right, one glyph for each character.

use std::sync::OnceLock;

use resvg::tiny_skia::{Path, PathBuilder};
use skrifa::raw::tables::gpos::{PairPos, PositionSubtables};
use skrifa::raw::{FontRef, TableProvider as _};
use skrifa::{DrawMemory, Font, GlyphId, PathSink, ScalerFont};

const REGULAR: &[u8] = templates::bytes("fonts/inter-pictures-400.ttf");
const BOLD: &[u8] = templates::bytes("fonts/inter-pictures-650.ttf");

/// A weight of the font.
pub(super) struct Letters {
    /// Draws in font units.
    font: ScalerFont,
    /// Kerning of pairs, the only positioning that the files hold.
    pairs: Vec<PairPos<'static>>,
}

impl std::fmt::Debug for Letters {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Letters").finish_non_exhaustive()
    }
}

/// The weights 400 and 650; `None` if the embedded files cannot be read, which a test rules out.
pub(super) fn inter() -> Option<&'static (Letters, Letters)> {
    static INTER: OnceLock<Option<(Letters, Letters)>> = OnceLock::new();
    INTER.get_or_init(|| Some((Letters::read(REGULAR)?, Letters::read(BOLD)?))).as_ref()
}

/// How a text is set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    /// Pixels.
    pub(super) size: f32,
    /// Between letters, in ems.
    pub(super) tracking: f32,
}

impl Letters {
    fn read(bytes: &'static [u8]) -> Option<Self> {
        let font = Font::new(bytes, 0)?;
        let lookups = FontRef::new(bytes).ok()?.gpos().ok()?.original_lookup_list()?.ok()?;
        let mut pairs = Vec::new();
        for lookup in lookups.lookups().iter().flatten() {
            if let Ok(PositionSubtables::Pair(subtables)) = lookup.subtables() {
                pairs.extend(subtables.iter().flatten());
            }
        }
        Some(Self { font: ScalerFont::unhinted(font, None), pairs })
    }

    fn glyph_of(&self, c: char) -> Option<GlyphId> {
        self.font.font().charmap().map_unicode(c)
    }

    /// How far the next glyph stands from where this one begins, font units.
    fn glyph_advance(&self, glyph: GlyphId) -> f32 {
        self.font.font().glyph_metrics().h_advance(glyph)
    }

    fn units_per_em(&self) -> f32 {
        f32::from(self.font.font().units_per_em())
    }

    /// A text without what cannot be drawn, its white space made single. `None` if a letter or digit is missing, or
    /// nothing is left: a text with holes is worse than none. Emoji and other signs may go.
    pub(super) fn drawable(&self, text: &str) -> Option<String> {
        let mut out = String::with_capacity(text.len());
        for c in unicode_normalization::UnicodeNormalization::nfc(text) {
            match c {
                c if c.is_whitespace() && (out.is_empty() || out.ends_with(' ')) => {}
                c if c.is_whitespace() => out.push(' '),
                c if self.glyph_of(c).is_some() => out.push(c),
                // soft hyphens, joiners and marks of direction have no shape of their own
                c if c.is_alphanumeric() || is_mark(c) => return None,
                _ => {}
            }
        }
        out.truncate(out.trim_end().len());
        (!out.is_empty()).then_some(out)
    }

    /// Some characters' width in pixels; `units`: their sum, font units.
    pub(super) fn pixels(&self, units: i32, characters: usize, setting: Setting) -> f32 {
        (units as f32 / self.units_per_em() + setting.tracking * characters as f32) * setting.size
    }

    /// How far the next character stands from where this one begins, font units.
    pub(super) fn advance_of(&self, c: char) -> i32 {
        self.glyph_of(c).map_or(0, |glyph| self.glyph_advance(glyph) as i32)
    }

    /// How much nearer or farther two characters stand, font units.
    pub(super) fn kerning_of(&self, left: char, right: char) -> i32 {
        let (Some(left), Some(right)) = (self.glyph_of(left), self.glyph_of(right)) else { return 0 };
        i32::from(self.kerning(left, right))
    }

    /// The width of a text, pixels.
    pub(super) fn width(&self, text: &str, setting: Setting) -> f32 {
        self.set(text, setting, |_, _| {})
    }

    /// The outlines of a text whose baseline begins at (x, y).
    pub(super) fn outlines(&self, text: &str, setting: Setting, x: f32, y: f32) -> Option<Path> {
        let scale = setting.size / self.units_per_em();
        let mut builder = PathBuilder::new();
        self.set(text, setting, |glyph, at| {
            let mut pen = GlyphPen { builder: &mut builder, scale, x: x + at, y };
            // the files hold no program that could fail, and a space has no outline
            let _ = self.font.outline(glyph).map(|outline| outline.draw(DrawMemory::Scratch, &mut pen));
        });
        builder.finish()
    }

    /// Calls `glyph` with each glyph of a text and where it begins; returns the width.
    fn set(&self, text: &str, setting: Setting, mut glyph: impl FnMut(GlyphId, f32)) -> f32 {
        let scale = setting.size / self.units_per_em();
        let mut at = 0.0;
        let mut before = None;
        for id in text.chars().filter_map(|c| self.glyph_of(c)) {
            let kerning = before.map_or(0, |before| self.kerning(before, id));
            at += f32::from(kerning) * scale;
            glyph(id, at);
            at += self.glyph_advance(id) * scale + setting.tracking * setting.size;
            before = Some(id);
        }
        at
    }

    /// How much nearer or farther two glyphs stand, font units, in the first table that has the left one with the right
    /// one.
    fn kerning(&self, left: GlyphId, right: GlyphId) -> i16 {
        self.pairs.iter().find_map(|pairs| kerning_in(pairs, left, right)).unwrap_or(0)
    }
}

fn kerning_in(pairs: &PairPos<'_>, left: GlyphId, right: GlyphId) -> Option<i16> {
    let value = match pairs {
        PairPos::Format1(pairs) => {
            let set = pairs.coverage().ok()?.get(left)?;
            let set = pairs.pair_sets().get(usize::try_from(set).ok()?).ok()?;
            *set.find_pair_value_record(right.try_into().ok()?)?.value_record1()
        }
        PairPos::Format2(pairs) => {
            pairs.coverage().ok()?.get(left)?;
            let (left, right) = (pairs.class_def1().ok()?.get(left), pairs.class_def2().ok()?.get(right));
            pairs.class_value_records().get(left.try_into().ok()?, right.try_into().ok()?)?[0]
        }
        // for more glyphs than the files hold
        PairPos::Format3(_) | PairPos::Format4(_) => return None,
    };
    Some(value.x_advance().unwrap_or(0))
}

/// A character that changes the one before it and has no shape in the font.
fn is_mark(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c) && !('\u{FE00}'..='\u{FE0F}').contains(&c) && c != '\u{20E3}'
}

/// Moves outlines from font units, which grow upwards, to their place in a picture.
struct GlyphPen<'a> {
    builder: &'a mut PathBuilder,
    scale: f32,
    x: f32,
    y: f32,
}

impl GlyphPen<'_> {
    fn place(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + x * self.scale, self.y - y * self.scale)
    }
}

impl PathSink for GlyphPen<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.builder.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.builder.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.place(x1, y1), self.place(x, y));
        self.builder.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.place(x1, y1), self.place(x2, y2), self.place(x, y));
        self.builder.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.builder.close();
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(crate) const SETTING: Setting = Setting { size: 100.0, tracking: 0.0 };

    pub(crate) fn bold() -> &'static Letters {
        &inter().expect("the embedded fonts are sound").1
    }

    #[track_caller]
    fn check_drawable(text: &str, expect: Option<&str>) {
        assert_eq!(bold().drawable(text).as_deref(), expect, "{text}");
    }

    #[test]
    fn what_can_be_drawn() {
        check_drawable(" Über  uns\n", Some("Über uns"));
        check_drawable("u\u{308}ber", Some("über"));
        check_drawable("🚀 Start ⚙\u{FE0F}", Some("Start"));
        check_drawable("Привет, Ελλάδα, Việt Nam", Some("Привет, Ελλάδα, Việt Nam"));
        for text in ["", "🚀", "日本語", "API リファレンス", "שלום", "ไทย", "हिन्दी", "q\u{31B}\u{353}"]
        {
            check_drawable(text, None);
        }
    }

    #[test]
    fn pairs_are_kerned() {
        let apart = bold().width("A", SETTING) + bold().width("V", SETTING);
        assert!(bold().width("AV", SETTING) < apart - 1.0, "AV stands as close as its letters want");
        assert!(bold().outlines("AV", SETTING, 0.0, 100.0).is_some());
    }
}
