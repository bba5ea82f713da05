//! The lower storeys of offprint: [`base`], the vocabulary of all, and [`source`], which reads a folder, branch or archive
//! to configuration, page list and navigation. What the storeys hold is described in the crate `offprint`.

#![cfg_attr(test, allow(clippy::print_stdout, reason = "tests may print"))]
#![cfg_attr(not(test), warn(clippy::string_slice))]

pub mod base;
pub mod source;
