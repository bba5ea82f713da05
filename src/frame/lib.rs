//! What stands around the content of a page: its assets, its links, and the whole HTML page.
//!
//! | Module | Holds |
//! |---|---|
//! | [`asset`] | local files, and vendored copies of remote ones |
//! | [`link`] | links as written to relative addresses that exist |
//! | [`theme`] | content and navigation to whole pages, with `templates/` |

#![cfg_attr(test, allow(clippy::print_stdout, reason = "tests may print"))]
#![cfg_attr(not(test), warn(clippy::string_slice))]

pub mod asset;
pub mod link;
pub mod theme;
