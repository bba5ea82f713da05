//! The lower storeys of offprint: what a source is, and how it is read to configuration, page list and navigation. Each
//! room imports from those above it in this table; what the storeys hold is described in the crate `offprint`.
//!
//! | Room | Holds |
//! |---|---|
//! | [`base`] | the vocabulary of all |
//! | [`fetch`] | the one way to the network, branches and archives |
//! | [`site`] | the model: files, `docs.json`, front matter, pages |
//! | [`spec`] | API descriptions |
//! | [`nav`] | the navigation as one tree |
//! | [`load`] | from a folder to a site and its navigation |
//! | [`import`] | the repositories of other tools |

#![cfg_attr(test, allow(clippy::print_stdout, reason = "tests may print"))]
#![cfg_attr(not(test), warn(clippy::string_slice))]

pub mod base;
pub mod fetch;
pub mod import;
pub mod load;
pub mod nav;
pub mod site;
pub mod source;
pub mod spec;
