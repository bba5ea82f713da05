//! Where the texts of an API description stand in its file. There may be thousands of them, so the file is read once
//! and looked at once.

use std::hash::BuildHasher as _;

use memchr::memmem;
use rustc_hash::FxBuildHasher;

use base::cut::SliceText as _;

/// Bytes of a value that distinguish it from others.
const COMPARED_BYTES: usize = 256;
/// Characters by which a text is found whose lines are others in its source.
const FIRST_CHARS: usize = 40;
/// Places that are tried for one text: more of them there are only in a file that says the same everywhere.
const MAX_TRIED_PLACES: usize = 100;

/// The text of a description, and what stands where.
#[derive(Debug)]
pub(crate) struct Original {
    text: String,
    /// (hash, offset, number from 0) of its lines, without the blanks around them.
    lines: Vec<(u64, u32, u32)>,
    values: KeyValues,
}

impl Original {
    /// Looks at the text of a file. `key` is the one whose values are looked up.
    pub(crate) fn new(text: String, key: &str) -> Self {
        let (mut lines, mut offset) = (Vec::new(), 0);
        for (number, line) in (0..).zip(text.split_inclusive('\n')) {
            lines.push((hash(line), narrow(offset), number));
            offset += line.len();
        }
        lines.sort_unstable();
        let values = KeyValues::of(&text, key);
        Self { text, lines, values }
    }

    /// Where a text begins, line from 1, 0 if it is not there; whether each of its lines is one there.
    pub(crate) fn line_of(&self, text: &str) -> (u32, bool) {
        if let Some(line) = self.block(text) {
            return (line, true);
        }
        (self.values.find(&self.text, text).map_or(0, |(line, _)| line), false)
    }

    /// Where a text begins, as [`Self::line_of`]; a text that is folded in the file is found by its first words.
    pub(crate) fn folded_line_of(&self, text: &str) -> (u32, bool) {
        let found = self.line_of(text);
        let first = text.trim().lines().next().unwrap_or_default();
        let end = first.char_indices().map(|(at, _)| at).nth(FIRST_CHARS).unwrap_or(first.len());
        let words = first.get(..end).and_then(|start| Some(start.rsplit_once(' ')?.0)).unwrap_or(first);
        if found.0 > 0 || words.is_empty() {
            return found;
        }
        let at = memmem::find(self.text.as_bytes(), words.as_bytes());
        let line = at.and_then(|at| Some(self.text.get(..at)?.matches('\n').count() + 1)).unwrap_or(0);
        (narrow(line), false)
    }

    /// The line of a text that stands there as it is, but for indentation.
    fn block(&self, text: &str) -> Option<u32> {
        let blank = text.lines().take_while(|line| line.trim().is_empty()).count();
        let lines: Vec<&str> = text.lines().skip(blank).map(str::trim).collect();
        // the line that stands in the fewest places says where the others must be
        let said = lines.iter().enumerate().filter(|(_, line)| !line.is_empty());
        let (before, places) = said.map(|(at, line)| (at, self.places(line))).min_by_key(|(_, places)| places.len())?;
        let start = places.iter().take(MAX_TRIED_PLACES).find_map(|(_, offset, number)| {
            let start = memchr::memrchr_iter(b'\n', &self.text.as_bytes()[..*offset as usize])
                .nth(before)
                .map_or(0, |newline| newline + 1);
            let is_here = *number as usize >= before
                && self.text.slice(start..).lines().map(str::trim).take(lines.len()).eq(lines.iter().copied());
            is_here.then(|| *number as usize - before)
        })?;
        Some(narrow(start.saturating_sub(blank) + 1))
    }

    fn places(&self, line: &str) -> &[(u64, u32, u32)] {
        let hash = hash(line);
        let start = self.lines.partition_point(|(known, ..)| *known < hash);
        let length = self.lines[start..].partition_point(|(known, ..)| *known == hash);
        &self.lines[start..start + length]
    }
}

/// Where the values of one key begin, as far as they begin beside it: sorted by what they say.
#[derive(Debug)]
pub(crate) struct KeyValues(Vec<OriginalValue>);

#[derive(Clone, Copy, Debug)]
struct OriginalValue {
    at: usize,
    line: u32,
    column: u32,
}

impl KeyValues {
    /// Finds them in one pass.
    pub(crate) fn of(text: &str, key: &str) -> Self {
        let bytes = text.as_bytes();
        let mut values = Vec::new();
        let mut here = OriginalValue { at: 0, line: 1, column: 1 };
        for found in memmem::find_iter(bytes, key) {
            let Some(at) = value_after(bytes, found + key.len()) else { continue };
            for byte in &bytes[here.at..at] {
                match byte {
                    b'\n' => (here.line, here.column) = (here.line + 1, 1),
                    // a character begins at every byte that does not continue one
                    byte => here.column += u32::from((byte & 0xc0) != 0x80),
                }
            }
            here.at = at;
            values.push(here);
        }
        values.sort_by(|a, b| telling(bytes, a.at).cmp(telling(bytes, b.at)).then(a.at.cmp(&b.at)));
        Self(values)
    }

    /// Line and column of the value that says a text, or begins with its first line: as JSON spells it, or as it is.
    pub(crate) fn find(&self, text: &str, pattern: &str) -> Option<(u32, u32)> {
        let pattern = pattern.trim();
        let first = pattern.lines().next().filter(|line| !line.is_empty())?.trim_end();
        let spelled =
            |text: &str| serde_json::to_string(text).map(|text| text.trim_matches('"').to_owned()).unwrap_or_default();
        [spelled(pattern), spelled(first), first.to_owned()]
            .iter()
            .find_map(|spelling| self.first(text.as_bytes(), spelling.as_bytes()))
    }

    fn first(&self, bytes: &[u8], pattern: &[u8]) -> Option<(u32, u32)> {
        let pattern = &pattern[..pattern.len().min(COMPARED_BYTES)];
        let start = self.0.partition_point(|value| telling(bytes, value.at) < pattern);
        let alike =
            self.0[start..].iter().take(MAX_TRIED_PLACES).take_while(|value| bytes[value.at..].starts_with(pattern));
        alike.min_by_key(|value| value.at).map(|value| (value.line, value.column))
    }
}

/// Where the value of a key begins that ends here; `None` if this is no key, or what follows is no text in the same
/// line.
fn value_after(bytes: &[u8], end: usize) -> Option<usize> {
    let skip = |mut at: usize, blanks: &[u8]| {
        while bytes.get(at).is_some_and(|byte| blanks.contains(byte)) {
            at += 1;
        }
        at
    };
    let quote = |at: usize| at + usize::from(matches!(bytes.get(at), Some(b'"' | b'\'')));
    let colon = skip(quote(end), b" \t");
    if bytes.get(colon) != Some(&b':') {
        return None;
    }
    let mut at = skip(quote(skip(colon + 1, b" \t")), b" ");
    while bytes.get(at) == Some(&b'\\') && matches!(bytes.get(at + 1), Some(b'n' | b'r' | b't')) {
        at = skip(at + 2, b" ");
    }
    bytes.get(at).filter(|byte| !matches!(byte, b'{' | b'|' | b'>' | b'\n' | b'\r')).map(|_| at)
}

fn telling(bytes: &[u8], at: usize) -> &[u8] {
    &bytes[at..bytes.len().min(at + COMPARED_BYTES)]
}

fn hash(line: &str) -> u64 {
    FxBuildHasher.hash_one(line.trim())
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line_of(source: &str, text: &str) -> (u32, bool) {
        Original::new(source.to_owned(), "content").line_of(text)
    }

    #[test]
    fn texts_are_found_in_their_source() {
        assert_eq!(line_of("a: x\nb:\n  c: |\n    one\n\n    two\n", "one\n\ntwo\n"), (4, true));
        assert_eq!(line_of("x: |\n  one\n  three\ny: |\n  one\n  two\n", "one\ntwo"), (5, true));
        assert_eq!(line_of("x: |\n  one\n\ny: |\n\n  one\r\n  two\r\n", "\none\ntwo"), (5, true));
        assert_eq!(line_of("two\nx: |\n  one\n  two\n", "one\ntwo"), (3, true));
        assert_eq!(line_of("{\n\"content\": \"say \\\"one\\\"\\ntwo\"}", "say \"one\"\ntwo"), (2, false));
        assert_eq!(line_of("c: x", "one"), (0, false));
        assert_eq!(line_of("", "one"), (0, false));
    }

    #[test]
    fn texts_in_a_line_are_found_by_their_key() {
        let source = "one: one two\na: {content: one, d: e}\nb: {'content' : 'say \"one\"'}\ncontent:\n  x: y\nc: {content: \"\\n  one two\\nthree\"}\n";
        assert_eq!(line_of(source, "one"), (2, false));
        assert_eq!(line_of(source, "say \"one\""), (3, false));
        assert_eq!(line_of(source, "\n  one two\nthree"), (6, false));
        assert_eq!(line_of(source, "x: y"), (5, true));
        assert_eq!(
            KeyValues::of("é: {$ref: \"é\", a: {\"$ref\":\"b\"}}", "$ref")
                .find("é: {$ref: \"é\", a: {\"$ref\":\"b\"}}", "b"),
            Some((1, 28))
        );
    }
}
