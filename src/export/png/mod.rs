//! Large PNG files are written again without loss where that saves a third (`--optimize-png`): screenshots come out of
//! editors and browsers far larger than they need to be. It takes far longer than everything else of an export, so it
//! is off by default, and an export only says what it would save (`estimate`).
//!
//! The result depends on the bytes of the file alone: no time limit, but limits on size. `cache` keeps it, so that the
//! next export has it for nothing. Pictures are decoded a few at a time ([`MAX_PIXEL_BYTES`] together).

mod cache;
mod encode;
mod estimate;
mod picture;

use std::path::Path;

use rayon::prelude::*;

use base::Diagnostic;
use base::isolate::isolate;
use bundle::BundleEntry;
use frame::asset::lower_extension;

use cache::{EntryName, Optimized, PngCache};
use encode::{MAX_PIXEL_BYTES, encode};
pub use estimate::PngSavings;
pub(super) use estimate::SavingsEstimate;
use picture::PngPicture;

/// Optimizes the PNG files of an export.
#[derive(Debug)]
pub(super) struct PngOptimizer {
    cache: PngCache,
}

impl PngOptimizer {
    /// `cache` is the folder that keeps what was fetched and made between exports.
    pub(super) fn new(cache: Option<&Path>) -> Self {
        Self { cache: PngCache::new(cache) }
    }

    /// Replaces the PNG files among some files, on all cores.
    pub(super) fn optimize(&self, entries: &mut [BundleEntry], diagnostics: &mut Vec<Diagnostic>) {
        let mut group: Vec<&mut BundleEntry> = Vec::new();
        let mut group_bytes = 0;
        for entry in entries.iter_mut().filter(|entry| lower_extension(entry.path.as_str()) == "png") {
            let Some(picture) = PngPicture::candidate(&entry.bytes) else { continue };
            let pixel_bytes = picture.pixel_bytes();
            if group_bytes + pixel_bytes > MAX_PIXEL_BYTES {
                self.optimize_group(&mut group, diagnostics);
                (group, group_bytes) = (Vec::new(), 0);
            }
            group_bytes += pixel_bytes;
            group.push(entry);
        }
        self.optimize_group(&mut group, diagnostics);
    }

    fn optimize_group(&self, group: &mut [&mut BundleEntry], diagnostics: &mut Vec<Diagnostic>) {
        let optimize = |entry: &mut &mut BundleEntry| {
            let mut failed = Vec::new();
            let path = entry.path.as_str();
            let smaller = isolate(path, "it is copied as it is", &mut failed, |_| self.smaller(&entry.bytes));
            if let Some(smaller) = smaller.flatten() {
                entry.bytes = smaller;
            }
            failed
        };
        let failed: Vec<Vec<Diagnostic>> = group.par_iter_mut().map(optimize).collect();
        diagnostics.extend(failed.into_iter().flatten());
    }

    /// Removes what the cache has too much of.
    pub(super) fn finish(&self) {
        self.cache.shrink();
    }

    /// The same picture in two thirds of the bytes at most; `None` for what cannot be made that much smaller.
    fn smaller(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let name = EntryName::of(bytes);
        let optimized = self.cache.read(&name).unwrap_or_else(|| {
            let smaller = encode(bytes).filter(|out| out.len() <= bytes.len() / 3 * 2);
            let optimized = smaller.map_or(Optimized::Unchanged, Optimized::Smaller);
            self.cache.store(&name, &optimized);
            optimized
        });
        match optimized {
            Optimized::Smaller(out) => Some(out),
            Optimized::Unchanged => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use resvg::tiny_skia::Pixmap;

    use super::picture::{MIN_BYTES, push_chunk};
    use super::*;
    use base::BundlePath;
    use bundle::EntryOrigin;

    fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        push_chunk(&mut out, kind, data);
        out
    }

    /// A picture of few colors, written with little effort, as editors do.
    pub(super) fn screenshot() -> Vec<u8> {
        let row = |y: u32| {
            std::iter::once(0)
                .chain((0..400).flat_map(move |x: u32| [(y % 7 * 30) as u8, (x * y % 5 * 40) as u8, 200, 255]))
        };
        let mut pixels = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::none());
        pixels.write_all(&(0..300).flat_map(row).collect::<Vec<u8>>()).unwrap();
        let head = [&400_u32.to_be_bytes()[..], &300_u32.to_be_bytes(), &[8, 6, 0, 0, 0]].concat();
        [
            b"\x89PNG\r\n\x1a\n".to_vec(),
            chunk(b"IHDR", &head),
            chunk(b"IDAT", &pixels.finish().unwrap()),
            chunk(b"IEND", b""),
        ]
        .concat()
    }

    /// What an optimizer makes of a file of this name.
    fn optimized(optimizer: &PngOptimizer, name: &str, bytes: &[u8]) -> Vec<u8> {
        let path = BundlePath::sanitize(name);
        let mut entries = [BundleEntry { path, bytes: bytes.to_vec(), origin: EntryOrigin::Source }];
        let mut diagnostics = Vec::new();
        optimizer.optimize(&mut entries, &mut diagnostics);
        assert_eq!(diagnostics, []);
        let [entry] = entries;
        entry.bytes
    }

    #[test]
    fn a_screenshot_is_written_again_and_shows_the_same() {
        let optimizer = PngOptimizer::new(None);
        let before = screenshot();
        let after = optimized(&optimizer, "a.PNG", &before);
        assert!(after.len() * 3 <= before.len() * 2, "{} of {}", after.len(), before.len());
        assert_eq!(Pixmap::decode_png(&before).unwrap(), Pixmap::decode_png(&after).unwrap());
        assert_eq!(optimized(&optimizer, "b.png", &before), after, "equal files give equal files");
        assert_eq!(optimized(&optimizer, "a.jpg", &before), before, "the name says what it is");
    }

    #[test]
    fn others_stay_as_they_are() {
        let optimizer = PngOptimizer::new(None);
        let whole = screenshot();
        let mut animated = whole.clone();
        animated.splice(33..33, chunk(b"acTL", &[0, 0, 0, 1, 0, 0, 0, 0]));
        let small = optimized(&optimizer, "a.png", &whole);
        for (why, bytes) in [
            ("animated", animated.as_slice()),
            ("damaged", &whole[..MIN_BYTES + 1]),
            ("no picture", &vec![0; MIN_BYTES]),
            ("too short", b"\x89PNG"),
            ("nothing is left to gain", &small),
        ] {
            assert_eq!(optimized(&optimizer, "a.png", bytes), bytes, "{why}");
        }
    }

    #[test]
    fn the_next_export_takes_it_from_the_cache() {
        let folder = tempfile::tempdir().unwrap();
        let before = screenshot();
        let after = optimized(&PngOptimizer::new(Some(folder.path())), "a.png", &before);
        assert_eq!(after, optimized(&PngOptimizer::new(None), "a.png", &before));
        // an entry that says something else shows that it is read
        let next = PngOptimizer::new(Some(folder.path()));
        next.cache.store(&EntryName::of(&before), &Optimized::Smaller(b"kept".to_vec()));
        assert_eq!(optimized(&next, "elsewhere.png", &before), b"kept");
        next.finish();
    }
}
