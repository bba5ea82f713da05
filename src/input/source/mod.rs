//! What a site is made of: where its files come from, and what they say of it.
//!
//! | Module | Holds |
//! |---|---|
//! | [`fetch`] | the one way to the network: guarded, bounded downloads |
//! | [`git`] | a branch of a repository as a source |
//! | [`archive`] | a zip or tar.gz archive as a source |
//! | [`site`] | configuration, front matter, API descriptions, pages |
//! | [`nav`] | the navigation as one tree |

pub mod archive;
pub mod fetch;
pub mod git;
pub mod nav;
pub mod site;
