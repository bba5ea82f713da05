//! Where the lines of a text end. A text is measured once, in font units; every size and every line is a difference of
//! two sums.

use std::ops::Range;

use super::letters::{Letters, Setting};
use base::cut::cut;

/// What stands for the rest of a text that is cut off.
const ELLIPSIS: char = '…';

/// Where a glyph begins and ends on one long line, font units.
#[derive(Clone, Copy, Debug)]
struct Extent {
    start: i32,
    end: i32,
}

/// A text with the places of its glyphs.
#[derive(Debug)]
pub(super) struct Measured<'a> {
    letters: &'a Letters,
    text: &'a str,
    /// The extent of each character.
    extents: Vec<Extent>,
    /// The number of the character that begins at each byte; positions within characters are never looked up.
    numbers: Vec<usize>,
}

impl<'a> Measured<'a> {
    pub(super) fn new(letters: &'a Letters, text: &'a str) -> Self {
        let mut numbers = vec![0; text.len() + 1];
        let mut extents = Vec::with_capacity(text.len());
        let (mut at, mut before) = (0, None);
        for (offset, c) in text.char_indices() {
            numbers[offset] = extents.len();
            let start = at + before.map_or(0, |before| letters.kerning_of(before, c));
            at = start + letters.advance_of(c);
            extents.push(Extent { start, end: at });
            before = Some(c);
        }
        numbers[text.len()] = extents.len();
        Self { letters, text, extents, numbers }
    }

    /// The width of a part of the text, pixels.
    fn width(&self, part: &Range<usize>, setting: Setting) -> f32 {
        let extents = &self.extents[self.numbers[part.start]..self.numbers[part.end]];
        let units = extents.last().map_or(0, |last| last.end) - extents.first().map_or(0, |first| first.start);
        self.letters.pixels(units, extents.len(), setting)
    }

    /// The letters of a part.
    fn letters_of(&self, part: &Range<usize>) -> &'a str {
        self.text.get(part.clone()).unwrap_or_default()
    }

    /// A part without the white space at its end.
    fn trimmed(&self, part: &Range<usize>) -> Range<usize> {
        part.start..part.start + self.letters_of(part).trim_end().len()
    }

    fn trimmed_width(&self, part: &Range<usize>, setting: Setting) -> f32 {
        self.width(&self.trimmed(part), setting)
    }

    /// The text in at most `most` lines of a width; the last ends in an ellipsis if there is more. The flag says that
    /// all of it fits.
    pub(super) fn lines(&self, setting: Setting, width: f32, most: usize) -> (Vec<String>, bool) {
        let (lines, fits) = self.parts(setting, width, most);
        let mut out: Vec<String> = lines.iter().map(|line| self.letters_of(&self.trimmed(line)).to_owned()).collect();
        if let (false, Some(last), Some(part)) = (fits, out.last_mut(), lines.last()) {
            *last = self.cut(self.trimmed(part), setting, width);
        }
        (out, fits)
    }

    /// The same lines, as even as may be: no more of them, each as short as the widest has to be.
    pub(super) fn balanced(&self, setting: Setting, width: f32, most: usize) -> (Vec<String>, bool) {
        let (lines, fits) = self.parts(setting, width, most);
        if !fits || lines.len() < 2 {
            return self.lines(setting, width, most);
        }
        // no piece is cut
        let widest_piece =
            line_break_pieces(self.text).map(|piece| self.trimmed_width(&piece, setting)).fold(0.0, f32::max);
        let (mut narrow, mut wide) = (width / lines.len() as f32, width);
        for _ in 0..7 {
            let middle = f32::midpoint(narrow, wide);
            if widest_piece <= middle && self.parts(setting, middle, lines.len()).1 {
                wide = middle;
            } else {
                narrow = middle;
            }
        }
        self.lines(setting, wide, lines.len())
    }

    /// At most `most` lines of a width, and whether they hold all of the text.
    fn parts(&self, setting: Setting, width: f32, most: usize) -> (Vec<Range<usize>>, bool) {
        let mut lines = Vec::new();
        let mut line = 0..0;
        for piece in line_break_pieces(self.text) {
            let longer = line.start..piece.end;
            if line.is_empty() || self.trimmed_width(&longer, setting) <= width {
                line = longer;
            } else {
                lines.push(std::mem::replace(&mut line, piece));
            }
            // a piece that is wider than the line is cut where the line ends
            while self.trimmed_width(&line, setting) > width && self.numbers[line.end] - self.numbers[line.start] > 1 {
                let end = self.fitting(&line, setting, width);
                lines.push(line.start..end);
                line.start = end;
            }
            if lines.len() > most {
                break;
            }
        }
        lines.push(line);
        let fits = lines.len() <= most;
        lines.truncate(most);
        (lines, fits)
    }

    /// Where the longest beginning of a line ends that fits; behind its first character at least.
    fn fitting(&self, line: &Range<usize>, setting: Setting, width: f32) -> usize {
        let mut ends = self.letters_of(line).char_indices().map(|(at, c)| line.start + at + c.len_utf8());
        let first = ends.next().unwrap_or(line.end);
        ends.take_while(|end| self.width(&(line.start..*end), setting) <= width).last().unwrap_or(first)
    }

    /// A last line that has to say that there is more.
    fn cut(&self, line: Range<usize>, setting: Setting, width: f32) -> String {
        let width_with_ellipsis = |part: &Range<usize>| {
            let before = self.letters_of(part).chars().next_back();
            let ellipsis = self.letters.advance_of(ELLIPSIS)
                + before.map_or(0, |before| self.letters.kerning_of(before, ELLIPSIS));
            self.width(part, setting) + self.letters.pixels(ellipsis, 1, setting)
        };
        let mut part = line.clone();
        while let Some(last) = self.letters_of(&part).chars().next_back().filter(|_| width_with_ellipsis(&part) > width)
        {
            part.end -= last.len_utf8();
        }
        let mut last = self.letters_of(&part);
        // no word is cut where there is room for another end
        if let Some(end) = last.rfind(' ').filter(|end| part.end < line.end && end * 2 > last.len()) {
            last = cut(last, end).0;
        }
        format!("{}{ELLIPSIS}", last.trim_end_matches([' ', ',', '.', ';', ':', '-', '–', '—']))
    }
}

/// Where lines may end: after a space, and inside long names after the marks that part them.
fn line_break_pieces(text: &str) -> impl Iterator<Item = Range<usize>> {
    let words = text.split_inclusive(' ').flat_map(|word| {
        let is_long = word.len() > 24;
        word.split_inclusive(move |c| is_long && matches!(c, '/' | '.' | '_' | '-' | ':'))
    });
    words.scan(0, |at, piece| {
        let start = *at;
        *at += piece.len();
        Some(start..*at)
    })
}

#[cfg(test)]
mod tests {
    use super::super::letters::tests::{SETTING, bold};
    use super::*;

    #[track_caller]
    fn check_lines(text: &str, width: f32, most: usize, expect: &[&str], whole: bool) {
        let (lines, fits) = Measured::new(bold(), text).lines(SETTING, width, most);
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
        let (lines, fits) = Measured::new(bold(), "Bring your own keys to it").balanced(SETTING, 900.0, 3);
        assert!(fits);
        assert_eq!(lines, ["Bring your", "own keys to it"]);
    }

    proptest::proptest! {
        #[test]
        fn lines_hold_in_any_width(text in "[ a-zé/.…-]{0,60}", width in 1.0f32..900.0, most in 1usize..4) {
            let (lines, _) = Measured::new(bold(), &text).balanced(SETTING, width, most);
            proptest::prop_assert!(lines.len() <= most && !lines.is_empty());
        }

        /// A part is as wide as it is by itself.
        #[test]
        fn parts_have_their_widths(text in "[ A-Za-z/.-]{1,30}", from in 0usize..30, to in 0usize..30) {
            let (from, to) = (from.min(text.len()), to.min(text.len()));
            let part = from.min(to)..from.max(to);
            let alone = bold().width(&text[part.clone()], SETTING);
            proptest::prop_assert!((Measured::new(bold(), &text).width(&part, SETTING) - alone).abs() < 0.1);
        }
    }
}
