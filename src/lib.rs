//! offprint turns a documentation repository into one self-contained static bundle: HTML, CSS and JavaScript that work
//! the same from `file://`, under any path of any host, and without a network.
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
//! | link | [`link`], [`asset`] | links as written → relative addresses that exist; local files, and copies of what pages load from elsewhere |
//! | frame | [`theme`] | content + navigation → whole page, with `templates/` |
//! | search | [`search`] | pages → the index that a bundle is searched by, in the browser or by a server |
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
//! # Beside them
//!
//! | What | Module | From → to |
//! |---|---|---|
//! | write | [`dev`] | a folder that somebody is writing → its pages in a browser, a moment after every change |
//! | check | [`refs`], [`check`] | what [`bundle`] writes → what it refers to, as it is written; a bundle, or the one that a source makes → what is wrong with it |
//! | fetch | [`fetch`] | an address elsewhere → bytes, guarded and bounded: the one way to the network, but for [`store`] and its storage |
//!
//! [`base`] holds the vocabulary of all, [`config`] and [`cli`] the command, [`signals`] and [`telemetry`] what servers
//! hear and say, [`bench`] the generated site that it is measured on.
//!
//! # Invariants
//!
//! - Imports run one way: `base` ← `site` ← `nav`; `base` ← `markup` ← `render` ← `theme`; `markup`, `js` ← `expand`;
//!   only `export` knows the order of the stages, only `cli` prints. Two exceptions: `site::load` has the navigation
//!   built, because what it names decides which files are pages, and `site::visibility` reads it, because where a page
//!   shows depends on its places in it.
//! - The stages have no environment and no global state: equal sources give equal bytes, whatever the thread count. The
//!   one clock among them, that of [`js`], only decides that a script takes too long: its page is then made without
//!   scripts. The one network is that of [`asset::remote`], and its lock file holds what came.
//! - Problems with content are data ([`base::Diagnostic`]), never early returns: one page never sinks another.
//! - No page holds more of the site than its own bounded neighbourhood. In memory are the batch of pages that is made,
//!   the one that is written, and a bounded number of those that wait for other servers.
//! - Source text reaches HTML only through [`base::html`]; bounds on input that modules share or the threat model asks
//!   for are named in [`base::limits`], those of a single module at its top.

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
pub mod export;
pub mod fetch;
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
