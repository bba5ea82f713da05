//! offprint turns a documentation repository into one self-contained static bundle: HTML, CSS and JavaScript that work the
//! same from `file://`, under any path of any host, and without a network.
//!
//! # The way of a page
//!
//! | Stage | Module | From → to |
//! |---|---|---|
//! | get | [`git`], [`archive`] | a branch, an archive → files that are read where they are; a folder needs nothing |
//! | load | [`site`], [`nav`] | files → configuration, page list, navigation |
//! | parse | [`markup`] | MDX or Markdown text → tree |
//! | expand | [`expand`], [`js`] | imports, snippets, expressions and the author's own components → plain elements |
//! | render | [`render`] | tree → HTML of the content: components, code, math, diagrams, icons |
//! | link | [`link`], [`asset`] | links as written → relative addresses that exist; local files |
//! | frame | [`theme`] | content + navigation → whole page, with `templates/` |
//! | side | [`side`] | pages → what models, search engines, feed readers and hosts read beside them |
//! | bundle | [`bundle`] | files → one reproducible archive or folder with a manifest |
//! | drive | [`export`] | the order of the stages, in parallel, batch by batch; progress and report |
//!
//! # The way of a job
//!
//! | Step | Module | From → to |
//! |---|---|---|
//! | ask | [`api`], [`tenant`] | a request with a key → a call that passed every check |
//! | accept | [`job`], [`store`] | a call → a record, its place in the queue and its answer, in one transaction |
//! | read | [`job::child`], [`git`], [`archive`] | a branch, a folder or an archive elsewhere → a bundle, in a process of its own |
//! | keep | [`store::objects`] | a bundle → storage, under its digest; a link that ends |
//! | show | [`host`] | a bundle → answers, for previews, production and `offprint host` |
//!
//! [`base`] holds the vocabulary of all, [`config`] and [`cli`] the command, [`signals`] and [`telemetry`] what servers hear and say, [`bench`] the generated site that it is measured on. [`refs`] reads every
//! file that [`bundle`] writes for what it refers to, and [`check`] reads finished bundles. [`host`] serves them.
//!
//! # Invariants
//!
//! - Imports run one way: `base` ← `site` ← `nav`; `base` ← `markup` ← `render` ← `theme`; `markup`, `js` ← `expand`; only `export` knows the order of the stages,
//!   only `cli` prints. One exception: `site::load` has the navigation built, because what it names decides which files are pages.
//! - The stages have no clock, environment, network or global state: equal sources give equal bytes, whatever the thread count.
//! - Problems with content are data ([`base::Diagnostic`]), never early returns: one page never sinks another.
//! - No page holds more of the site than its own bounded neighbourhood, and no more than one batch of pages is in memory.
//! - Source text reaches HTML only through [`base::html`]; every bound on input is named in [`base::limits`].

#![cfg_attr(test, allow(clippy::print_stdout, reason = "tests may print"))]

pub mod api;
pub mod archive;
pub mod asset;
pub mod base;
pub mod bench;
pub mod bundle;
pub mod check;
pub mod cli;
pub mod config;
pub mod dev;
pub mod expand;
pub mod fetch;
pub mod export;
pub mod git;
pub mod host;
pub mod job;
pub mod js;
pub mod link;
pub mod markup;
pub mod nav;
pub mod refs;
pub mod render;
pub mod search;
pub mod side;
pub mod signals;
pub mod site;
pub mod store;
pub mod telemetry;
pub mod tenant;
pub mod theme;
