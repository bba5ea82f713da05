//! offprint turns a documentation repository into one self-contained static bundle.

#![cfg_attr(test, allow(clippy::print_stdout, reason = "tests may print"))]

pub mod asset;
pub mod base;
pub mod bench;
pub mod bundle;
pub mod cli;
pub mod config;
pub mod export;
pub mod link;
pub mod markup;
pub mod nav;
pub mod render;
pub mod site;
pub mod theme;
