//! One drawing for both schemes: two drawings that differ in nothing but colors become one whose colors are CSS
//! variables.

use merman::theme_color::ThemeColor;

use base::cut::SliceText as _;

use super::draw::PAINTS;

/// A drawing whose colors follow the page.
pub(super) struct Merged {
    pub(super) svg: String,
    /// Colors that are none of the page's own, as `--m0`, `--m1` …: (light, dark).
    pub(super) pairs: Vec<(String, String)>,
}

/// Longest color that is looked for, bytes: `rgba(` and four long numbers.
const MAX_COLOR_BYTES: usize = 96;

/// Merges the drawings of the two schemes; `None` if they differ in more than colors.
pub(super) fn merge_schemes(light: &str, dark: &str) -> Option<Merged> {
    let mut merged = Merged { svg: String::with_capacity(light.len()), pairs: Vec::new() };
    let (mut light, mut dark) = (light, dark);
    loop {
        let same = light.bytes().zip(dark.bytes()).take_while(|(a, b)| a == b).count();
        if same == light.len() && same == dark.len() {
            merged.svg.push_str(light);
            return Some(merged);
        }
        let start = color_start(light.as_bytes(), same);
        let (light_color, dark_color) = (color_at(light.get(start..)?)?, color_at(dark.get(start..)?)?);
        merged.svg.push_str(light.slice(..start));
        merged.push(light_color, dark_color);
        light = light.slice(start + light_color.len()..);
        dark = dark.slice(start + dark_color.len()..);
    }
}

impl Merged {
    fn push(&mut self, light: &str, dark: &str) {
        if let Some(paint) = PAINTS.iter().find(|paint| paint.light == light && paint.dark == dark) {
            self.svg.push_str(paint.css);
            return;
        }
        let known = self.pairs.iter().position(|pair| pair.0 == light && pair.1 == dark);
        let index = known.unwrap_or_else(|| {
            self.pairs.push((light.to_owned(), dark.to_owned()));
            self.pairs.len() - 1
        });
        self.svg.push_str(&format!("var(--m{index})"));
    }
}

/// Where the color starts that holds the byte at `at`; `at` itself if none does.
fn color_start(text: &[u8], at: usize) -> usize {
    let from = at.saturating_sub(MAX_COLOR_BYTES);
    let before = &text[from..at];
    // inside `rgb(…)`, `hsla(…)`
    if let Some(open) = before.iter().rposition(|byte| *byte == b'(')
        && before[open..]
            .iter()
            .all(|byte| matches!(byte, b'(' | b',' | b'.' | b'%' | b' ' | b'-' | b'+' | b'e' | b'0'..=b'9'))
        && let Some(name) = ["rgba", "rgb", "hsla", "hsl"].iter().find(|name| before[..open].ends_with(name.as_bytes()))
    {
        return from + open - name.len();
    }
    let back = |belongs: fn(&u8) -> bool| before.iter().rev().take_while(|byte| belongs(byte)).count();
    let hex = back(u8::is_ascii_hexdigit);
    if hex < 8 && at > hex && text[at - hex - 1] == b'#' {
        return at - hex - 1;
    }
    at - back(u8::is_ascii_alphabetic)
}

/// The color at the start of a text: `#hex`, `rgb(…)`, `hsl(…)` or a name.
fn color_at(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let count = |from: usize, belongs: fn(&u8) -> bool| bytes[from..].iter().take_while(|byte| belongs(byte)).count();
    if bytes.first() == Some(&b'#') {
        let digits = count(1, u8::is_ascii_hexdigit);
        return matches!(digits, 3 | 4 | 6 | 8).then(|| text.slice(..=digits));
    }
    let letters = count(0, u8::is_ascii_alphabetic);
    let word = text.slice(..letters);
    let end = if matches!(word, "rgb" | "rgba" | "hsl" | "hsla") && bytes.get(letters) == Some(&b'(') {
        memchr::memchr(b')', &bytes[..bytes.len().min(MAX_COLOR_BYTES)])? + 1
    } else {
        letters
    };
    let color = text.slice(..end);
    (!color.is_empty() && ThemeColor::parse(color).is_ok()).then_some(color)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(light: &str, dark: &str, expect: Option<&str>) {
        assert_eq!(merge_schemes(light, dark).map(|merged| merged.svg).as_deref(), expect, "{light} {dark}");
    }

    #[test]
    fn colors_become_variables() {
        check("a", "a", Some("a"));
        check("fill:#fff;", "fill:#000000;", Some("fill:var(--m0);"));
        check("fill:#abc123;", "fill:#abc124;", Some("fill:var(--m0);"));
        check("a rgb(1, 2, 3.55) b", "a rgb(1, 2, 4) b", Some("a var(--m0) b"));
        check("a rgb(1, 2, 3) b", "a hsl(120, 10%, 20%) b", Some("a var(--m0) b"));
        check("x:white;", "x:black;", Some("x:var(--m0);"));
        check("x:black;y:blue", "x:blue;y:blue", Some("x:var(--m0);y:blue"));
        check("#111 #222 #111", "#333 #444 #333", Some("var(--m0) var(--m1) var(--m0)"));
    }

    #[test]
    fn the_pages_colors_are_the_pages() {
        check("fill:#1d1e24;", "fill:#ebebee;", Some("fill:var(--op-ink);"));
        check("fill:#1d1e24;", "fill:#111111;", Some("fill:var(--m0);"));
    }

    #[test]
    fn other_differences_cannot_be_merged() {
        check("a", "b", None);
        check("a", "ab", None);
        check("x=\"12\"", "x=\"13\"", None);
        check("fill:#12;", "fill:#13;", None);
        check("é", "è", None);
    }

    #[test]
    fn every_paint_is_told_from_every_other() {
        for (index, paint) in PAINTS.iter().enumerate() {
            for other in &PAINTS[index + 1..] {
                assert!(paint.light != other.light && paint.dark != other.dark, "{} {}", paint.light, other.light);
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn any_two_texts_are_merged_or_not(light in "[#a-f0-9(), rgbé]{0,30}", dark in "[#a-f0-9(), rgbé]{0,30}") {
            let _ = merge_schemes(&light, &dark);
            proptest::prop_assert_eq!(merge_schemes(&light, &light).map(|merged| merged.svg), Some(light));
        }
    }
}
