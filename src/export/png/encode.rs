//! The encoder and its settings, which decide the bytes.

use std::sync::LazyLock;

use oxipng::Options;

/// Most bytes of the pixels of all pictures that are in memory at a time. Encoding takes about four times as much.
pub(super) const MAX_PIXEL_BYTES: usize = 64 << 20;

/// Two ways to filter and fast compression: a second of one core for about 10 MB of pixels.
static OPTIONS: LazyLock<Options> = LazyLock::new(|| Options {
    interlace: None,
    max_decompressed_size: Some(MAX_PIXEL_BYTES),
    ..Options::from_preset(0)
});

/// The same picture, written again; `None` for a file that is damaged or too large.
pub(super) fn encode(bytes: &[u8]) -> Option<Vec<u8>> {
    oxipng::optimize_from_memory(bytes, &OPTIONS).ok()
}
