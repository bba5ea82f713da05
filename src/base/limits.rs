//! Every bound on input, named in one place. The numbers come from the threat model: a hostile page costs itself, not its neighbours.

/// Largest page or snippet that is read, bytes.
pub const PAGE_BYTES: u64 = 8 << 20;
/// Largest configuration or data file that is parsed, bytes.
pub const CONFIG_BYTES: u64 = 32 << 20;
/// Largest local asset that is copied without a warning, bytes.
pub const ASSET_BYTES: u64 = 20 << 20;
/// Deepest nesting of elements and Markdown containers on a page; what lies deeper is flattened.
pub const NESTING: usize = 128;
/// Deepest chain of snippets that include snippets.
pub const SNIPPET_DEPTH: usize = 16;
/// Longest chain of files that import files.
pub const IMPORT_DEPTH: usize = 64;
/// Nodes that one page may grow to when its snippets are expanded.
pub const PAGE_NODES: usize = 1_000_000;
/// Bytes of text that one page may grow to when its snippets are expanded.
pub const EXPANDED_BYTES: usize = 16 << 20;
/// Longest line that is highlighted, bytes; longer ones stay plain (the vendor stops at 1,000 characters too).
pub const HIGHLIGHT_LINE_BYTES: usize = 1_000;
/// Largest code block that is highlighted, bytes.
pub const HIGHLIGHT_BLOCK_BYTES: usize = 256 << 10;
/// Longest path inside a bundle, characters.
pub const BUNDLE_PATH_CHARS: usize = 180;
