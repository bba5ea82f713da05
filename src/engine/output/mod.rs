//! Everything that is made of pages: the files beside them, the bundle, and its check.
//!
//! | Module | Holds |
//! |---|---|
//! | [`search`] | the search index of a bundle, and queries on it |
//! | [`side`] | files for models, search engines, feed readers and hosts |
//! | [`bundle`] | one reproducible archive or folder with a manifest |
//! | [`census`] | whether pages say all that their sources say |
//! | [`check`] | what is wrong with a bundle, or with the one that a source makes |

pub mod bundle;
pub mod census;
pub mod check;
pub mod search;
pub mod side;
