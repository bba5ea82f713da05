//! Colors: sRGB and OKLCH, the WCAG contrast ratio, and the search for a legible shade.

use std::fmt;

/// A color in OKLCH that lies inside sRGB, rounded as it is written, so that what is measured is what browsers show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Oklch {
    /// Lightness, 0 to 1.
    pub(super) l: f64,
    /// Chroma, 0 to about 0.32.
    pub(super) c: f64,
    /// Hue, degrees.
    pub(super) h: f64,
}

impl Oklch {
    /// A color of this lightness and hue with at most this chroma: less where sRGB has no more.
    pub(super) fn new(l: f64, c: f64, h: f64) -> Self {
        let l = (l.clamp(0.0, 1.0) * 1e4).round() / 1e4;
        let h = (h.rem_euclid(360.0) * 100.0).round() / 100.0;
        let fits = |c: f64| Self { l, c, h }.linear().iter().all(|v| (-1e-3..=1.001).contains(v));
        let mut c = (c.max(0.0) * 1e4).round() / 1e4;
        if !fits(c) {
            let (mut low, mut high) = (0.0, c);
            for _ in 0..16 {
                let middle = f64::midpoint(low, high);
                if fits(middle) { low = middle } else { high = middle }
            }
            c = (low * 1e4).floor() / 1e4;
        }
        Self { l, c, h }
    }

    /// `#rgb` or `#rrggbb`; `None` for anything else.
    pub(super) fn from_hex(hex: &str) -> Option<Self> {
        let digits = hex.trim().strip_prefix('#')?;
        let value = |at: usize| u8::from_str_radix(digits.get(at..=at)?, 16).ok().map(f64::from);
        let channel = |i: usize| match digits.len() {
            3 | 4 => value(i).map(|v| v * 17.0),
            6 | 8 => Some(value(2 * i)? * 16.0 + value(2 * i + 1)?),
            _ => None,
        };
        Some(Self::from_srgb([channel(0)? / 255.0, channel(1)? / 255.0, channel(2)? / 255.0]))
    }

    pub(super) fn from_srgb(srgb: [f64; 3]) -> Self {
        let [r, g, b] = srgb.map(|v| if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) });
        let l = (0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b).cbrt();
        let m = (0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b).cbrt();
        let s = (0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b).cbrt();
        let a = 1.977_998_495_1 * l - 2.428_592_205 * m + 0.450_593_709_9 * s;
        let b = 0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766 * s;
        let lightness = 0.210_454_255_3 * l + 0.793_617_785 * m - 0.004_072_046_8 * s;
        Self::new(lightness, a.hypot(b), b.atan2(a).to_degrees())
    }

    /// Linear-light sRGB.
    fn linear(self) -> [f64; 3] {
        let (a, b) = (self.c * self.h.to_radians().cos(), self.c * self.h.to_radians().sin());
        let l = (self.l + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
        let m = (self.l - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
        let s = (self.l - 0.089_484_177_5 * a - 1.291_485_548 * b).powi(3);
        [
            4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
            -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
            -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701 * s,
        ]
    }

    /// sRGB, 0 to 1 each, rounded to the 8 bits of a screen.
    pub(super) fn srgb(self) -> [f64; 3] {
        self.linear().map(|v| {
            let v = v.clamp(0.0, 1.0);
            let encoded = if v <= 0.003_130_8 { v * 12.92 } else { 1.055 * v.powf(1.0 / 2.4) - 0.055 };
            (encoded * 255.0).round() / 255.0
        })
    }

    /// Relative luminance as WCAG 2.1 defines it.
    pub(super) fn luminance(self) -> f64 {
        let [r, g, b] = self.srgb().map(|v| if v <= 0.03928 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) });
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    /// WCAG contrast ratio, 1 to 21.
    pub(super) fn contrast(self, other: Self) -> f64 {
        let (a, b) = (self.luminance(), other.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// This color at `share` (0 to 1) over `ground`, as `color-mix` in sRGB paints it.
    pub(super) fn over(self, share: f64, ground: Self) -> Self {
        let (top, below) = (self.srgb(), ground.srgb());
        Self::from_srgb(std::array::from_fn(|i| top[i] * share + below[i] * (1.0 - share)))
    }

    /// The nearest shade of this color that has at least `ratio` against each ground: darker on light grounds, lighter
    /// on dark ones.
    pub(super) fn legible(self, ratio: f64, grounds: &[Self]) -> Self {
        let enough = |l: f64| {
            let shade = Self::new(l, self.c, self.h);
            grounds.iter().all(|ground| shade.contrast(*ground) >= ratio)
        };
        if enough(self.l) {
            return self;
        }
        let is_light = grounds.first().is_some_and(|ground| ground.luminance() > 0.18);
        let end = if is_light { 0.0 } else { 1.0 };
        let (mut wrong, mut right) = (self.l, end);
        for _ in 0..20 {
            let middle = f64::midpoint(wrong, right);
            if enough(middle) { right = middle } else { wrong = middle }
        }
        // one step of the written precision on the safe side
        Self::new(if is_light { right - 1e-4 } else { right + 1e-4 }, self.c, self.h)
    }
}

impl fmt::Display for Oklch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let trimmed = |value: f64, digits: usize| {
            let text = format!("{value:.digits$}");
            if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
        };
        write!(f, "oklch({}% {} {})", trimmed(self.l * 100.0, 2), trimmed(self.c, 4), trimmed(self.h, 2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_contrast(a: &str, b: &str, expect: f64) {
        let (a, b) = (Oklch::from_hex(a).unwrap(), Oklch::from_hex(b).unwrap());
        assert!((a.contrast(b) - expect).abs() < 0.03, "{}", a.contrast(b));
    }

    #[test]
    fn contrast_is_that_of_wcag() {
        check_contrast("#000", "#fff", 21.0);
        check_contrast("#767676", "#ffffff", 4.54);
        check_contrast("#ff0000", "#ffffff", 4.0);
        check_contrast("#0000ff", "#ffffff", 8.59);
    }

    #[test]
    fn hex_round_trips_through_oklch() {
        for hex in ["#166E3F", "#7549F2", "#A8FF53", "#2d00f7", "#1EBCA1", "#123", "#ffffff", "#000000"] {
            let color = Oklch::from_hex(hex).unwrap();
            let digits = hex.trim_start_matches('#');
            let long: String =
                if digits.len() == 3 { digits.chars().flat_map(|c| [c, c]).collect() } else { digits.to_owned() };
            let back: String = color.srgb().iter().map(|v| format!("{:02x}", (v * 255.0).round() as u8)).collect();
            let apart = (0..3).map(|i| {
                let at = |text: &str| i32::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap();
                (at(&back) - at(&long.to_lowercase())).abs()
            });
            assert!(apart.max().unwrap() <= 1, "{hex} came back as {back}");
        }
    }

    #[test]
    fn no_color_comes_of_other_text() {
        for text in ["", "#", "#12", "red", "#12345", "#ggg", "#äöü", "url(x)"] {
            assert_eq!(Oklch::from_hex(text), None, "{text}");
        }
    }

    #[test]
    fn legible_shades_reach_the_ratio_and_stay_near() {
        let white = Oklch::new(0.995, 0.001, 100.0);
        let night = Oklch::new(0.17, 0.006, 100.0);
        for hex in ["#A8FF53", "#ffffff", "#000000", "#ffff00", "#7549F2", "#0D9373", "#343434"] {
            let color = Oklch::from_hex(hex).unwrap();
            for ground in [white, night] {
                let shade = color.legible(4.5, &[ground]);
                assert!(shade.contrast(ground) >= 4.5, "{hex} on {ground}: {}", shade.contrast(ground));
                assert!(color.contrast(ground) >= 4.5 || shade.contrast(ground) < 4.65, "{hex} went too far: {shade}");
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn every_color_fits_the_screen(l in 0.0f64..1.0, c in 0.0f64..0.4, h in -720.0f64..720.0) {
            let color = Oklch::new(l, c, h);
            proptest::prop_assert!(color.linear().iter().all(|v| (-0.01..=1.01).contains(v)));
        }
    }
}
