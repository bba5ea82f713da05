//! Large PNG files are written again without loss where that saves a third: screenshots come out of editors and
//! browsers far larger than they need to be.
//!
//! The result depends on the bytes of the file alone: no time limit, but limits on size.

use std::sync::LazyLock;

use oxipng::Options;
use rayon::prelude::*;

use crate::frame::asset::lower_extension;
use crate::output::bundle::BundleEntry;

/// Smaller files gain too little to be worth the time.
const LEAST_BYTES: usize = 200_000;
/// Larger files, and pictures that take more memory, would hold up the export.
const MOST_BYTES: usize = 16 << 20;
const MOST_PIXEL_BYTES: usize = 96 << 20;

/// Two ways to filter and fast compression: a second of one core for about 10 MB of pixels.
static OPTIONS: LazyLock<Options> = LazyLock::new(|| Options {
    interlace: None,
    max_decompressed_size: Some(MOST_PIXEL_BYTES),
    ..Options::from_preset(0)
});

/// Replaces the PNG files among some files, on all cores.
pub(super) fn optimize(entries: &mut [BundleEntry]) {
    entries.par_iter_mut().filter(|entry| lower_extension(entry.path.as_str()) == "png").for_each(|entry| {
        if let Some(smaller) = smaller(&entry.bytes) {
            entry.bytes = smaller;
        }
    });
}

/// The same picture in two thirds of the bytes at most. None for what is small, animated, damaged, or cannot be made
/// that much smaller.
fn smaller(bytes: &[u8]) -> Option<Vec<u8>> {
    if !(LEAST_BYTES..=MOST_BYTES).contains(&bytes.len()) || is_animated(bytes) {
        return None;
    }
    let out = oxipng::optimize_from_memory(bytes, &OPTIONS).ok()?;
    (out.len() <= bytes.len() / 3 * 2).then_some(out)
}

/// Whether a PNG file has a chunk for animation before its pixels.
fn is_animated(bytes: &[u8]) -> bool {
    let mut at = 8;
    while let Some(head) = bytes.get(at..at + 8) {
        match &head[4..] {
            b"acTL" => return true,
            b"IDAT" => return false,
            _ => at += 12 + u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use resvg::tiny_skia::Pixmap;

    use super::*;

    fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
        let mut crc = flate2::Crc::new();
        crc.update(kind);
        crc.update(data);
        let length = u32::try_from(data.len()).unwrap();
        [&length.to_be_bytes()[..], kind, data, &crc.sum().to_be_bytes()].concat()
    }

    /// A picture of few colors, written with little effort, as editors do.
    fn screenshot() -> Vec<u8> {
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

    #[test]
    fn a_screenshot_is_written_again_and_shows_the_same() {
        let before = screenshot();
        let after = smaller(&before).expect("it is smaller");
        assert!(after.len() * 3 <= before.len() * 2, "{} of {}", after.len(), before.len());
        assert_eq!(Pixmap::decode_png(&before).unwrap(), Pixmap::decode_png(&after).unwrap());
        assert_eq!(smaller(&before), Some(after), "equal files give equal files");
    }

    #[test]
    fn others_stay_as_they_are() {
        let mut animated = screenshot();
        animated.splice(33..33, chunk(b"acTL", &[0, 0, 0, 1, 0, 0, 0, 0]));
        assert!(is_animated(&animated) && smaller(&animated).is_none());
        assert!(smaller(&screenshot()[..LEAST_BYTES + 1]).is_none(), "damaged");
        assert!(smaller(&vec![0; LEAST_BYTES]).is_none(), "no picture");
        assert!(smaller(b"\x89PNG").is_none());
        let small = smaller(&screenshot()).expect("it is smaller");
        assert!(smaller(&small).is_none(), "there is nothing left to gain");
    }
}
