//! Code blocks: fence meta, build-time highlighting, markup.

/// Highlights code with caches that all pages share.
#[derive(Debug, Default)]
pub struct Highlighter {}
