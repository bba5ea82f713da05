//! The three icon libraries, packed into the program and unpacked by the first lookup of an icon.

use std::io::Read;
use std::sync::OnceLock;

use site::config::IconLibrary;

/// A drawing: what stands inside `<svg>`, and how it is painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IconDrawing {
    /// The library in which the icon was found.
    pub library: IconLibrary,
    /// Painted by strokes of width 2 (true) or filled (false).
    pub outline: bool,
    /// Width and height of the viewBox, which starts at 0 0.
    pub size: (u32, u32),
    /// Markup inside `<svg>`: shapes only, colors from the page.
    pub markup: &'static str,
}

/// The lines of one blob, sorted bytewise; see `templates/icons/rebuild.mjs` for their form.
struct IconBlob {
    text: String,
    /// Where each line starts, in order.
    starts: Vec<u32>,
}

const LUCIDE: &[u8] = templates::bytes("icons/lucide.bin");
const FONT_AWESOME: &[u8] = templates::bytes("icons/fontawesome.bin");
const TABLER: &[u8] = templates::bytes("icons/tabler.bin");

fn library(library: IconLibrary) -> &'static IconBlob {
    static UNPACKED: [OnceLock<IconBlob>; 3] = [const { OnceLock::new() }; 3];
    let (slot, blob) = match library {
        IconLibrary::Lucide => (0, LUCIDE),
        IconLibrary::FontAwesome => (1, FONT_AWESOME),
        IconLibrary::Tabler => (2, TABLER),
    };
    UNPACKED[slot].get_or_init(|| IconBlob::unpack(blob))
}

impl IconBlob {
    fn unpack(blob: &[u8]) -> Self {
        let mut text = String::with_capacity(blob.len() * 6);
        // The blob is part of the program; should it ever be damaged, every name counts as missing.
        if flate2::read::ZlibDecoder::new(blob).read_to_string(&mut text).is_err() {
            text.clear();
        }
        let mut starts = Vec::with_capacity(7_000);
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', text.as_bytes()) {
            starts.push(start);
            start = u32::try_from(end + 1).unwrap_or(u32::MAX);
        }
        Self { text, starts }
    }

    fn line(&self, index: usize) -> Option<&str> {
        let start = *self.starts.get(index)? as usize;
        let end = self.starts.get(index + 1).map_or(self.text.len(), |next| *next as usize);
        self.text.get(start..end).map(|line| line.trim_end_matches('\n'))
    }

    /// The lines of a name: (style, rest).
    fn lines<'n>(&'static self, name: &'n str) -> impl Iterator<Item = (u8, &'static str)> + 'n {
        let before = |start: &u32| {
            let line = &self.text.as_bytes()[*start as usize..];
            let shared = line.len().min(name.len());
            (&line[..shared], line.get(name.len())) < (name.as_bytes(), Some(&b'\t'))
        };
        let first = self.starts.partition_point(before);
        (first..).map_while(move |index| {
            let (style, rest) = self.line(index)?.strip_prefix(name)?.strip_prefix('\t')?.split_once('\t')?;
            Some((style.bytes().next()?, rest))
        })
    }

    /// The body of a name in the first of `styles` that has it.
    fn find(&'static self, name: &str, styles: &[u8]) -> Option<(u8, &'static str)> {
        styles.iter().find_map(|style| self.lines(name).find(|(found, _)| found == style))
    }
}

/// A name of `of`, exactly as that library spells it, in the first of `styles` (letters of the blob's style column)
/// that has it.
pub(super) fn find_drawing(of: IconLibrary, name: &str, styles: &[u8]) -> Option<IconDrawing> {
    if name.is_empty() || name.contains(['\t', '\n']) {
        return None;
    }
    let lines = library(of);
    let (style, mut body) = lines.find(name, styles)?;
    if let Some(other) = body.strip_prefix('=') {
        body = lines.find(other, &[style])?.1;
    }
    let (size, markup) = body.split_once('\t')?;
    let size = match size.split_once(' ') {
        Some((width, height)) => (width.parse().ok()?, height.parse().ok()?),
        None => (24, 24),
    };
    Some(IconDrawing { library: of, outline: style == b'o', size, markup })
}

/// All names of a library in order, each once.
pub(super) fn library_names(of: IconLibrary) -> impl Iterator<Item = &'static str> {
    let lines = library(of);
    let mut last = "";
    (0..lines.starts.len()).filter_map(move |index| {
        let name = lines.line(index)?.split('\t').next()?;
        (std::mem::replace(&mut last, name) != name).then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [IconLibrary; 3] = [IconLibrary::Lucide, IconLibrary::FontAwesome, IconLibrary::Tabler];

    #[test]
    fn every_name_of_every_library_is_found_and_drawn() {
        for of in ALL {
            let mut count = 0;
            for name in library_names(of) {
                let drawing = find_drawing(of, name, b"osrbf").unwrap_or_else(|| panic!("{of:?} {name}"));
                assert!(
                    drawing.markup.starts_with('<') && drawing.markup.ends_with("/>"),
                    "{name}: {}",
                    drawing.markup
                );
                assert!(drawing.size.0 > 0 && drawing.size.1 > 0, "{name}");
                count += 1;
            }
            assert!(count > 2_000, "{of:?} has {count} names");
        }
    }

    #[test]
    fn lines_are_sorted_so_that_the_search_works() {
        for of in ALL {
            let lines = library(of);
            assert!((1..lines.starts.len()).all(|index| lines.line(index - 1) < lines.line(index)), "{of:?}");
        }
    }

    #[test]
    fn a_prefix_of_a_name_is_not_that_name() {
        assert_eq!(find_drawing(IconLibrary::FontAwesome, "gea", b"s"), None);
        assert_eq!(find_drawing(IconLibrary::FontAwesome, "", b"s"), None);
        assert_eq!(find_drawing(IconLibrary::FontAwesome, "gear\ts", b"s"), None);
        assert_eq!(find_drawing(IconLibrary::FontAwesome, "zzzz", b"s"), None);
    }
}
