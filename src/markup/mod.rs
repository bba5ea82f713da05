//! MDX and Markdown text to a tree. Never fails: problems are diagnostics.

pub mod esm;
pub mod expr;
pub mod script;
pub mod slug;
pub mod smart;
pub mod tag;
pub mod tree;
