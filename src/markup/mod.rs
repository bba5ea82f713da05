//! MDX and Markdown text to a tree. Never fails: problems are diagnostics.

pub mod expr;
pub mod slug;
pub mod smart;
pub mod tree;
