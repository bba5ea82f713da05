//! offprint turns a documentation repository into one self-contained static bundle.

#![cfg_attr(test, allow(clippy::print_stdout, reason = "tests may print"))]

pub mod base;
pub mod markup;
pub mod nav;
pub mod render;
pub mod site;
pub mod theme;
