//! The storeys of offprint that make and serve bundles. What they hold is described in the crate `offprint`.

#![cfg_attr(test, allow(clippy::print_stdout, reason = "tests may print"))]
#![cfg_attr(not(test), warn(clippy::string_slice))]

pub use offprint_input::{base, source};

pub mod export;
pub mod frame;
pub mod host;
pub mod http;
pub mod output;
pub mod page;
