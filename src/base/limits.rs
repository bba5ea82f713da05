//! The bounds that modules share, and those of the threat model: a hostile page fails alone. A bound of
//! one module alone stands at its top.

/// Largest page or snippet that is read, bytes.
pub const PAGE_BYTES: u64 = 8 << 20;
/// Largest configuration or data file that is parsed, bytes.
pub const CONFIG_BYTES: u64 = 32 << 20;
/// Largest API description that is parsed, bytes.
pub const DESCRIPTION_BYTES: u64 = 64 << 20;
/// Most values of an API description: one of 700 operations has half a million.
pub const DESCRIPTION_NODES: usize = 4_000_000;
/// Most files that one API description may refer to: one in many files has one for each path and schema.
pub const DESCRIPTION_FILES: usize = 5_000;
/// Largest local asset that is copied without a warning, bytes.
pub const ASSET_BYTES: u64 = 20 << 20;
/// Deepest nesting of elements and Markdown containers on a page; what lies deeper is flattened.
pub const NESTING: usize = 128;
/// Stack of a thread that works on pages, bytes: each level of nested content takes a few frames.
pub const STACK_BYTES: usize = 16 << 20;
/// Deepest chain of snippets that include snippets.
pub const SNIPPET_DEPTH: usize = 16;
/// Longest chain of files that import files.
pub const IMPORT_DEPTH: usize = 64;
/// Nodes that one page may grow to when its snippets are expanded.
pub const PAGE_NODES: usize = 1_000_000;
/// Bytes of text that one page may grow to when its snippets are expanded.
pub const EXPANDED_BYTES: usize = 16 << 20;
/// Bytes of a page's own text for which the bounds of what is made of it grow by as much as those of a short page.
pub const GROWTH_BYTES: usize = 16 << 10;
/// How many times larger than those of a short page the bounds of a long one are at most, for work and time.
pub const MOST_GROWTH: usize = 16;
/// The same for what stays in memory.
pub const MOST_HELD_GROWTH: usize = 4;
/// Longest line that is highlighted, bytes; longer ones stay plain (the vendor stops at 1,000 characters too).
pub const HIGHLIGHT_LINE_BYTES: usize = 1_000;
/// Largest code block that is highlighted, bytes.
pub const HIGHLIGHT_BLOCK_BYTES: usize = 256 << 10;
/// Longest path inside a bundle, characters.
pub const BUNDLE_PATH_CHARS: usize = 180;
/// Most files of a bundle.
pub const BUNDLE_FILES: u64 = 200_000;
/// Most bytes of a bundle's files together.
pub const BUNDLE_BYTES: u64 = 10 << 30;
/// Largest directory of an archive, bytes: 160 for each of the most files.
pub const BUNDLE_DIRECTORY_BYTES: u64 = 32 << 20;
/// How many times larger than in the archive, headers included, one file of it may be. Pages reach 20; deflate itself
/// 1,032.
pub const BUNDLE_ENTRY_RATIO: u64 = 200;
/// How many times larger than the archive its files together may be.
pub const BUNDLE_RATIO: u64 = 100;
/// Largest file of a bundle that is read into memory as a whole, bytes.
pub const BUNDLE_HELD_BYTES: u64 = 256 << 20;
/// Largest asset that is fetched from elsewhere, bytes after decoding.
pub const REMOTE_BYTES: u64 = 25 << 20;
/// Bytes of all that one export fetches from elsewhere.
pub const REMOTE_TOTAL_BYTES: u64 = 2 << 30;
/// Most addresses of other servers that one export requests.
pub const REMOTE_ADDRESSES: usize = 20_000;
/// Longest chain of style sheets from elsewhere that import each other.
pub const REMOTE_SHEET_DEPTH: usize = 4;
/// Seconds of requests to other servers in one export, all together.
pub const REMOTE_SECONDS: u64 = 300;

/// The bound of a page whose own text has so many bytes: what an author writes a thousand times may take a thousand
/// times as much.
pub fn grown(bound: usize, source_bytes: usize, most: usize) -> usize {
    let most = bound.saturating_mul(most);
    let grown = bound as u128 + bound as u128 * source_bytes as u128 / GROWTH_BYTES as u128;
    usize::try_from(grown).map_or(most, |grown| grown.min(most))
}

/// A number of bytes for people: in MiB or KiB if it is a whole number of them.
pub fn format_byte_size(bytes: u64) -> String {
    match bytes {
        0 => "0 bytes".to_owned(),
        _ if bytes.is_multiple_of(1 << 20) => format!("{} MiB", bytes >> 20),
        _ if bytes.is_multiple_of(1 << 10) => format!("{} KiB", bytes >> 10),
        _ => format!("{bytes} bytes"),
    }
}

/// Most servers that a page may ask: its policy names each of them.
pub const MAX_ORIGINS: usize = 32;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_grow_with_the_page_and_not_beyond() {
        assert_eq!(grown(1_000, 0, 16), 1_000);
        assert_eq!(grown(1_000, GROWTH_BYTES, 16), 2_000);
        assert_eq!(grown(1_000, GROWTH_BYTES / 2, 16), 1_500);
        assert_eq!(grown(1_000, usize::MAX, 16), 16_000);
        assert_eq!(grown(usize::MAX, usize::MAX, 16), usize::MAX);
    }
}
