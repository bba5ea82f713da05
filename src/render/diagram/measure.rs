//! How wide text is in Inter, the font that diagrams are set in: labels fit because they are measured with its own
//! advance widths.

use std::sync::OnceLock;

use base::html::decode_character_references;

/// Code point (hex), advance at weight 400 and at weight 700, thousandths of the font size; see
/// `templates/fonts/rebuild.py`.
const TABLE: &str = templates::text("fonts/inter-widths.tsv");

/// Code points below this one stand in an array of their own.
const COMMON: usize = 0x250;

struct Widths {
    common: [(u16, u16); COMMON],
    /// The others: (code point, regular, bold), sorted.
    others: Vec<(u32, u16, u16)>,
}

fn widths() -> &'static Widths {
    static WIDTHS: OnceLock<Widths> = OnceLock::new();
    WIDTHS.get_or_init(|| {
        let mut widths = Widths { common: [(0, 0); COMMON], others: Vec::with_capacity(1_200) };
        for line in TABLE.lines() {
            let mut columns = line.split('\t');
            let code = columns.next().and_then(|code| u32::from_str_radix(code, 16).ok());
            let mut width = || columns.next().and_then(|width| width.parse().ok());
            let (Some(code), Some(regular), Some(bold)) = (code, width(), width()) else { continue };
            match widths.common.get_mut(code as usize) {
                Some(slot) => *slot = (regular, bold),
                None => widths.others.push((code, regular, bold)),
            }
        }
        widths
    })
}

/// The width of a line of text in pixels. `weight` is CSS's (400 regular, 700 bold).
pub(super) fn width(text: &str, size: f64, weight: u16) -> f64 {
    let widths = widths();
    // between 400 and 700 the font interpolates
    let heavy = u32::from(weight.clamp(400, 700) - 400);
    // measured as it will be shown
    let text = decode_character_references(text);
    let thousandths: u32 = text
        .chars()
        .map(|c| {
            let (regular, bold) = widths.of(c);
            (u32::from(regular) * (300 - heavy) + u32::from(bold) * heavy) / 300
        })
        .sum();
    f64::from(thousandths) * size / 1000.0
}

impl Widths {
    fn of(&self, c: char) -> (u16, u16) {
        let code = u32::from(c);
        if let Some(&width) = self.common.get(code as usize) {
            // what the font lacks comes from another one: a wide letter's room
            return if width == (0, 0) && code > 0x20 && !matches!(code, 0x7f..=0x9f | 0xad) {
                (650, 700)
            } else {
                width
            };
        }
        if let Ok(at) = self.others.binary_search_by_key(&code, |entry| entry.0) {
            return (self.others[at].1, self.others[at].2);
        }
        match code {
            // marks that take no room of their own: combining, joiners, variation selectors, skin tones
            0x0300..=0x036f
            | 0x0483..=0x0489
            | 0x0591..=0x05bd
            | 0x064b..=0x065f
            | 0x200b..=0x200f
            | 0x202a..=0x202e
            | 0x2060..=0x2064
            | 0x20d0..=0x20ff
            | 0xfe00..=0xfe0f
            | 0xfe20..=0xfe2f
            | 0x1f3fb..=0x1f3ff
            | 0xe0100..=0xe01ef => (0, 0),
            // Chinese, Japanese, Korean: as wide as high; emoji a little wider
            0x1100..=0x115f
            | 0x2e80..=0x303e
            | 0x3041..=0xa4cf
            | 0xac00..=0xd7a3
            | 0xf900..=0xfaff
            | 0xfe30..=0xfe6f
            | 0xff00..=0xff60
            | 0xffe0..=0xffe6
            | 0x20000..=0x3fffd => (1000, 1000),
            0x2600..=0x27bf | 0x1f000..=0x1faff => (1370, 1370),
            0x2190..=0x25ff => (1000, 1000),
            _ => (650, 700),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, size: f64, weight: u16, expect: f64) {
        let found = width(text, size, weight);
        assert!((found - expect).abs() < 0.05, "{text}: {found}");
    }

    #[test]
    fn widths_are_inters() {
        check("", 16.0, 400, 0.0);
        // advance widths 743, 583 and 242 thousandths
        check("Hel", 10.0, 400, 7.43 + 5.83 + 2.42);
        check("日本", 16.0, 400, 32.0);
        check("e\u{301}", 10.0, 400, 5.83);
    }

    #[test]
    fn bold_is_wider_than_semibold_than_regular() {
        let [regular, semibold, bold] = [400, 600, 700].map(|weight| width("Customer", 16.0, weight));
        assert!(regular < semibold && semibold < bold);
    }
}
