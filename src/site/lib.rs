//! The model of a site: the files of a source, and what the words in them mean for themselves.
//!
//! 1. `tree` lists the files once, of a folder, a commit or an archive; `ignored` says what is no part of the site.
//! 2. `refs` puts `docs.json` together from its files (`json` keeps the places); `mint_json` rewrites the older form;
//!    `docs_json` reads it into [`Config`].
//! 3. `front_matter` and `meta` read the keys of a page, `title` its heading; [`page`] is what is known of it.
//!
//! Nothing here knows which files are pages, or in which order: that is decided by `nav` and `load`. No problem of the
//! content stops anything: problems are diagnostics.

#![cfg_attr(test, allow(clippy::print_stdout, reason = "tests may print"))]
#![cfg_attr(not(test), warn(clippy::string_slice))]

pub mod address;
pub mod canonical;
mod color;
pub mod config;
pub mod constant;
pub mod contextual;
pub mod docs_chrome;
pub mod docs_json;
mod docs_meta;
pub mod fields;
pub mod folders;
pub mod fragments;
pub mod front_matter;
pub mod heading_ids;
pub mod hero;
pub mod ignored;
pub mod include;
pub mod json;
pub mod logo;
pub mod meta;
pub mod mint_json;
mod mint_nav;
mod object;
pub mod page;
pub mod problems;
pub mod python_slug;
pub mod read_log;
pub mod read_values;
pub mod refs;
pub mod robots;
pub mod sample_language;
pub mod theme_family;
pub mod title;
pub mod tree;
pub mod values;
pub mod yaml;

pub use config::{Config, ConfigKind};
