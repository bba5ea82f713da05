//! Text in pictures: set in the embedded Inter with its kerning, from left to right, one glyph for each character.

use std::sync::OnceLock;

use resvg::tiny_skia::{Path, PathBuilder};
use ttf_parser::gpos::{PairAdjustment, PositioningSubtable};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

const REGULAR: &[u8] = include_bytes!("../../../templates/fonts/inter-pictures-400.ttf");
const BOLD: &[u8] = include_bytes!("../../../templates/fonts/inter-pictures-650.ttf");

/// What stands for the rest of a text that is cut off.
const ELLIPSIS: char = '…';

/// A weight of the font.
#[derive(Debug)]
pub(super) struct Letters {
    face: Face<'static>,
}

/// The weights 400 and 650; `None` if the embedded files cannot be read, which a test rules out.
pub(super) fn inter() -> Option<&'static (Letters, Letters)> {
    static INTER: OnceLock<Option<(Letters, Letters)>> = OnceLock::new();
    let read = |bytes| Some(Letters { face: Face::parse(bytes, 0).ok()? });
    INTER.get_or_init(|| Some((read(REGULAR)?, read(BOLD)?))).as_ref()
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
    /// Whether there is a glyph for a character.
    fn has(&self, c: char) -> bool {
        self.face.glyph_index(c).is_some()
    }

    /// A text without what cannot be drawn, its white space made single. `None` if a letter or digit is missing, or nothing is left: a text with holes is
    /// worse than none. Emoji and other signs may go.
    pub(super) fn drawable(&self, text: &str) -> Option<String> {
        let mut out = String::with_capacity(text.len());
        for c in unicode_normalization::UnicodeNormalization::nfc(text) {
            match c {
                c if c.is_whitespace() && (out.is_empty() || out.ends_with(' ')) => {}
                c if c.is_whitespace() => out.push(' '),
                c if self.has(c) => out.push(c),
                // soft hyphens, joiners and marks of direction have no shape of their own
                c if c.is_alphanumeric() || is_mark(c) => return None,
                _ => {}
            }
        }
        out.truncate(out.trim_end().len());
        (!out.is_empty()).then_some(out)
    }

    /// The width of a text, pixels.
    pub(super) fn width(&self, text: &str, setting: Setting) -> f32 {
        self.set(text, setting, |_, _| {})
    }

    /// The outlines of a text whose baseline begins at (x, y).
    pub(super) fn outlines(&self, text: &str, setting: Setting, x: f32, y: f32) -> Option<Path> {
        let scale = setting.size / f32::from(self.face.units_per_em());
        let mut builder = PathBuilder::new();
        self.set(text, setting, |glyph, at| {
            self.face.outline_glyph(glyph, &mut Pen { builder: &mut builder, scale, x: x + at, y });
        });
        builder.finish()
    }

    /// Tells the glyphs of a text and where each begins; returns the width.
    fn set(&self, text: &str, setting: Setting, mut glyph: impl FnMut(GlyphId, f32)) -> f32 {
        let scale = setting.size / f32::from(self.face.units_per_em());
        let mut at = 0.0;
        let mut before = None;
        for id in text.chars().filter_map(|c| self.face.glyph_index(c)) {
            let kerning = before.map_or(0, |before| self.kerning(before, id));
            at += f32::from(kerning) * scale;
            glyph(id, at);
            at += f32::from(self.face.glyph_hor_advance(id).unwrap_or(0)) * scale + setting.tracking * setting.size;
            before = Some(id);
        }
        at
    }

    /// How much nearer or farther two glyphs stand, font units. The files hold no positioning but kerning of pairs.
    fn kerning(&self, left: GlyphId, right: GlyphId) -> i16 {
        let Some(table) = self.face.tables().gpos else { return 0 };
        let pairs = table.lookups.into_iter().flat_map(|lookup| lookup.subtables.into_iter::<PositioningSubtable<'_>>());
        let mut found = pairs.filter_map(|subtable| match subtable {
            PositioningSubtable::Pair(PairAdjustment::Format1 { coverage, sets }) => {
                Some(sets.get(coverage.get(left)?)?.get(right)?.0.x_advance)
            }
            PositioningSubtable::Pair(PairAdjustment::Format2 { coverage, classes, matrix }) => {
                coverage.get(left)?;
                Some(matrix.get((classes.0.get(left), classes.1.get(right)))?.0.x_advance)
            }
            _ => None,
        });
        found.next().unwrap_or(0)
    }

    /// A text in at most `most` lines of a width; the last ends in an ellipsis if there is more. The flag says that all of it fits.
    pub(super) fn lines(&self, text: &str, setting: Setting, width: f32, most: usize) -> (Vec<String>, bool) {
        let mut lines: Vec<String> = Vec::new();
        let mut line = String::new();
        for piece in pieces(text) {
            let longer = format!("{line}{piece}");
            if line.is_empty() || self.width(longer.trim_end(), setting) <= width {
                line = longer;
            } else {
                lines.push(std::mem::replace(&mut line, piece.to_owned()));
            }
            // a piece that is wider than the line is cut where the line ends
            while self.width(line.trim_end(), setting) > width && line.chars().count() > 1 {
                let end = self.fitting(&line, setting, width);
                let rest = line.split_off(end);
                lines.push(std::mem::replace(&mut line, rest));
            }
            if lines.len() > most {
                break;
            }
        }
        lines.push(line);
        let fits = lines.len() <= most;
        lines.truncate(most);
        lines.iter_mut().for_each(|line| line.truncate(line.trim_end().len()));
        if let Some(last) = lines.last_mut().filter(|_| !fits) {
            let whole = last.len();
            while !last.is_empty() && self.width(&format!("{last}{ELLIPSIS}"), setting) > width {
                last.pop();
            }
            // no word is cut where there is room for another end
            if let Some(end) = last.rfind(' ').filter(|end| last.len() < whole && end * 2 > last.len()) {
                last.truncate(end);
            }
            last.truncate(last.trim_end_matches([' ', ',', '.', ';', ':', '-', '–', '—']).len());
            last.push(ELLIPSIS);
        }
        (lines, fits)
    }

    /// The same lines, as even as may be: no more of them, each as short as the widest has to be.
    pub(super) fn balanced(&self, text: &str, setting: Setting, width: f32, most: usize) -> (Vec<String>, bool) {
        let (lines, fits) = self.lines(text, setting, width, most);
        if !fits || lines.len() < 2 {
            return (lines, fits);
        }
        let (mut narrow, mut wide) = (width / lines.len() as f32, width);
        let mut best = lines;
        for _ in 0..7 {
            let middle = f32::midpoint(narrow, wide);
            let (tried, fits) = self.lines(text, setting, middle, best.len());
            if fits && pieces(text).all(|piece| self.width(piece.trim_end(), setting) <= middle) {
                (wide, best) = (middle, tried);
            } else {
                narrow = middle;
            }
        }
        (best, true)
    }

    /// How many bytes of a text fit; at least one character.
    fn fitting(&self, text: &str, setting: Setting, width: f32) -> usize {
        let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
        let first = text.chars().next().map_or(0, char::len_utf8);
        ends.take_while(|end| text.get(..*end).is_some_and(|part| self.width(part, setting) <= width)).last().unwrap_or(first)
    }
}

/// A character that changes the one before it and has no shape in the font.
fn is_mark(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c) && !('\u{FE00}'..='\u{FE0F}').contains(&c) && c != '\u{20E3}'
}

/// Where lines may end: after a space, and inside long names after the marks that part them.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(' ').flat_map(|word| {
        let is_long = word.len() > 24;
        word.split_inclusive(move |c| is_long && matches!(c, '/' | '.' | '_' | '-' | ':'))
    })
}

/// Moves outlines from font units, which grow upwards, to their place in a picture.
struct Pen<'a> {
    builder: &'a mut PathBuilder,
    scale: f32,
    x: f32,
    y: f32,
}

impl Pen<'_> {
    fn place(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + x * self.scale, self.y - y * self.scale)
    }
}

impl OutlineBuilder for Pen<'_> {
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
mod tests {
    use super::*;

    const SETTING: Setting = Setting { size: 100.0, tracking: 0.0 };

    fn bold() -> &'static Letters {
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
        for text in ["", "🚀", "日本語", "API リファレンス", "שלום", "ไทย", "हिन्दी", "q\u{31B}\u{353}"] {
            check_drawable(text, None);
        }
    }

    #[test]
    fn pairs_are_kerned() {
        let apart = bold().width("A", SETTING) + bold().width("V", SETTING);
        assert!(bold().width("AV", SETTING) < apart - 1.0, "AV stands as close as its letters want");
        assert!(bold().outlines("AV", SETTING, 0.0, 100.0).is_some());
    }

    #[track_caller]
    fn check_lines(text: &str, width: f32, most: usize, expect: &[&str], whole: bool) {
        let (lines, fits) = bold().lines(text, SETTING, width, most);
        assert_eq!((lines.iter().map(String::as_str).collect::<Vec<_>>(), fits), (expect.to_vec(), whole), "{text}");
        assert!(lines.iter().all(|line| bold().width(line, SETTING) <= width || line.chars().count() == 1));
    }

    #[test]
    fn lines_break_and_end() {
        check_lines("one two three", 400.0, 2, &["one two", "three"], true);
        check_lines("one two three four", 420.0, 2, &["one two", "three…"], false);
        check_lines("one two three fourteen fifteen", 800.0, 1, &["one two three…"], false);
        check_lines("abcdefghijkl", 330.0, 3, &["abcde", "fghijkl"], true);
        check_lines("createTheThing.withAVeryLongName", 1200.0, 3, &["createTheThing.", "withAVeryLongName"], true);
    }

    #[test]
    fn even_lines() {
        let (lines, fits) = bold().balanced("Bring your own keys to it", SETTING, 900.0, 3);
        assert!(fits);
        assert_eq!(lines, ["Bring your", "own keys to it"]);
    }

    proptest::proptest! {
        #[test]
        fn lines_hold_in_any_width(text in "[ a-z/.…-]{0,60}", width in 1.0f32..900.0, most in 1usize..4) {
            let (lines, _) = bold().balanced(&text, SETTING, width, most);
            proptest::prop_assert!(lines.len() <= most && !lines.is_empty());
        }
    }
}
