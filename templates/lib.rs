//! The files of the interface: layout, style sheets, scripts, fonts, icons and words.
//!
//! A file of this folder is known by its path in it, and is looked up by the compiler, which refuses a path that is not
//! there:
//!
//! ```
//! const LAYOUT: &str = offprint_templates::text("page.html");
//! assert!(LAYOUT.contains("<main"));
//! ```
//!
//! The words of the interface are [`words`], the style sheets that not every page loads [`RARE_SHEETS`]. This crate never
//! says what the files are for: what takes them does.

pub mod words;

/// A style sheet of what not every page holds.
#[derive(Clone, Copy, Debug)]
pub struct RareSheet {
    /// The name of its file.
    pub name: &'static str,
    /// The marks of such content in a page: only pages with one of them load it.
    pub marks: &'static [&'static str],
    /// Its rules.
    pub css: &'static str,
}

// `TEXTS`, `BINARIES` and `RARE_SHEETS`
include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The text of a file.
///
/// # Panics
/// There is no such file, or it is not UTF-8. In a constant, this is an error of the compiler.
#[must_use]
pub const fn text(path: &str) -> &'static str {
    let mut at = 0;
    while at < TEXTS.len() {
        if is_same(TEXTS[at].0, path) {
            return TEXTS[at].1;
        }
        at += 1;
    }
    panic!("there is no such text in the folder of the templates")
}

/// The bytes of a file that is no text.
///
/// # Panics
/// There is no such file, or it is UTF-8. In a constant, this is an error of the compiler.
#[must_use]
pub const fn bytes(path: &str) -> &'static [u8] {
    let mut at = 0;
    while at < BINARIES.len() {
        if is_same(BINARIES[at].0, path) {
            return BINARIES[at].1;
        }
        at += 1;
    }
    panic!("there is no such file in the folder of the templates")
}

/// Whether two paths are equal; `==` is not to be had in constants.
const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if one[at] != other[at] {
            return false;
        }
        at += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_their_paths() {
        assert!(text("css/tokens.css").contains("--"));
        assert_eq!(bytes("fonts/inter-latin.woff2").get(..4), Some(&b"wOF2"[..]));
    }

    #[test]
    fn every_rare_sheet_has_marks_and_rules() {
        assert!(RARE_SHEETS.len() > 10);
        assert!(RARE_SHEETS.iter().all(|style| !style.marks.is_empty() && style.css.contains('{')));
    }

    #[test]
    #[should_panic(expected = "no such text")]
    fn a_path_that_is_not_there_is_an_error() {
        let _ = text("css/tokens.scss");
    }
}
