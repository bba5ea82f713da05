//! What is wrong with the configuration, shown at its line in whichever file it stands.

use std::cell::RefCell;
use std::collections::BTreeMap;

use base::Diagnostic;
use base::isolate::{catch_panic, file_failed};

use super::json::JsonSpot;

/// The problems of one load and the texts of the configuration's files, which turn offsets into lines.
#[derive(Debug, Default)]
pub struct LoadProblems {
    /// (path, text) of the files that `JsonSpot::source` numbers.
    pub sources: Vec<(String, String)>,
    /// Everything found so far.
    pub found: Vec<Diagnostic>,
    /// Keys without a meaning, by what they stand in. Reported once each.
    unknown: BTreeMap<(&'static str, String), UnknownKey>,
    /// Those of the files in which a problem was found.
    positions: RefCell<BTreeMap<u32, Positions>>,
}

/// A key without a meaning.
#[derive(Debug)]
struct UnknownKey {
    /// Where it stands first.
    spot: JsonSpot,
    /// The path of the key in the configuration, where it stands first.
    path: String,
    /// What to do about it.
    hint: String,
    times: usize,
}

impl LoadProblems {
    /// Those that were found before.
    pub fn of(found: Vec<Diagnostic>) -> Self {
        Self { found, ..Self::default() }
    }

    /// Adds a file; returns its number.
    pub fn add_source(&mut self, path: &str, text: String) -> u32 {
        self.sources.push((path.to_owned(), text));
        u32::try_from(self.sources.len() - 1).unwrap_or(u32::MAX)
    }

    /// Records a problem at a place.
    pub fn at(&mut self, spot: JsonSpot, diagnostic: Diagnostic) {
        let placed = self.place(spot, diagnostic);
        self.found.push(placed);
    }

    /// What `make` gives of the file `path`; after a panic there is a problem, in which `outcome` says what becomes of
    /// the file.
    pub fn guarded<T>(&mut self, path: &str, outcome: &str, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let made = catch_panic(|| make(self));
        if made.is_none() {
            self.found.push(file_failed(path, outcome));
        }
        made
    }

    /// Records a key that means nothing in a `kind` of object. A kind that tolerates no unknown keys makes it an error.
    pub fn unknown_key(&mut self, kind: &'static str, key: &str, spot: JsonSpot, path: String, hint: String) {
        self.unknown.entry((kind, key.to_owned())).or_insert(UnknownKey { spot, path, hint, times: 0 }).times += 1;
    }

    /// All problems, in order; keys without a meaning last.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        for ((kind, key), UnknownKey { spot, path, hint, times }) in std::mem::take(&mut self.unknown) {
            let often = if times > 1 { format!(" ({times} times)") } else { String::new() };
            // an older configuration is read as the one of today
            let is_older = kind == "`docs.json`"
                && self.sources.get(spot.source as usize).is_some_and(|(path, _)| path == "mint.json");
            let kind = if is_older { "`mint.json`" } else { kind };
            let message = format!("`{path}`: {kind} has no key `{key}`; it has no effect{often}");
            let placed = self.place(spot, Diagnostic::warning("config-unknown-key", message).hint(hint));
            self.found.push(placed);
        }
        self.found
    }

    fn place(&self, spot: JsonSpot, diagnostic: Diagnostic) -> Diagnostic {
        let Some((path, text)) = self.sources.get(spot.source as usize) else { return diagnostic };
        let mut positions = self.positions.borrow_mut();
        let positions = positions.entry(spot.source).or_insert_with(|| Positions::of(text));
        let (line, column) = positions.line_column(text, spot.offset as usize);
        diagnostic.at(path.as_str(), line, column)
    }
}

/// Lines and columns at regular distances in a text: from there the few bytes to a place are counted, not all before it.
#[derive(Debug)]
pub struct Positions(Vec<(u32, u32)>);

/// Bytes between two known positions.
const STRIDE: usize = 1 << 12;

impl Positions {
    /// Those of a text.
    pub fn of(text: &str) -> Self {
        let mut at = (1, 1);
        let mut all = vec![at];
        for chunk in text.as_bytes().chunks(STRIDE) {
            at = advanced(at, chunk);
            all.push(at);
        }
        Self(all)
    }

    /// The line and column of a byte offset, as [`line_column`] gives them.
    pub fn line_column(&self, text: &str, offset: usize) -> (u32, u32) {
        let offset = offset.min(text.len());
        let known = offset / STRIDE;
        let Some(at) = self.0.get(known) else { return line_column(text, offset) };
        advanced(*at, text.as_bytes().get(known * STRIDE..offset).unwrap_or_default())
    }
}

/// The line and column after some bytes.
fn advanced((line, column): (u32, u32), bytes: &[u8]) -> (u32, u32) {
    // a character begins at every byte that does not continue one
    let characters = |bytes: &[u8]| bytes.iter().filter(|byte| (**byte & 0xc0) != 0x80).count();
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    match memchr::memrchr(b'\n', bytes) {
        None => (line, column.saturating_add(count(characters(bytes)))),
        Some(newline) => {
            let lines = count(memchr::memchr_iter(b'\n', bytes).count());
            (
                line.saturating_add(lines),
                count(characters(bytes.get(newline + 1..).unwrap_or_default())).saturating_add(1),
            )
        }
    }
}

/// Line and column (in characters), both from 1, of a byte offset.
pub fn line_column(text: &str, offset: usize) -> (u32, u32) {
    advanced((1, 1), text.as_bytes().get(..offset).unwrap_or(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_become_lines_and_columns() {
        assert_eq!(line_column("ab\ncd", 0), (1, 1));
        assert_eq!(line_column("ab\ncd", 4), (2, 2));
        assert_eq!(line_column("é\néx", 5), (2, 2));
        assert_eq!(line_column("ab", 99), (1, 3));
    }

    #[test]
    fn positions_are_the_same_from_anywhere() {
        for unit in ["é\n", "ab", "aé漢\r\n🚀"] {
            let text = unit.repeat(3 * STRIDE);
            let positions = Positions::of(&text);
            for offset in
                [0, 1, STRIDE - 1, STRIDE, STRIDE + 1, 2 * STRIDE + 7, text.len() - 1, text.len(), text.len() + 9]
            {
                assert_eq!(positions.line_column(&text, offset), line_column(&text, offset), "{unit:?} {offset}");
            }
        }
    }

    #[test]
    fn unknown_keys_are_told_once() {
        let mut problems = LoadProblems::default();
        let source = problems.add_source("docs.json", "{\n \"x\": 1}".into());
        for _ in 0..3 {
            problems.unknown_key(
                "a group",
                "x",
                JsonSpot { source, offset: 3 },
                "navigation.groups[0].x".into(),
                "remove it".into(),
            );
        }
        let found = problems.finish();
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].file.as_str(), found[0].line, found[0].column), ("docs.json", 2, 2));
        assert!(found[0].message.contains("(3 times)"), "{}", found[0].message);
    }
}
