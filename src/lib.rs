//! offprint turns a documentation repository into one self-contained static bundle: HTML, CSS and JavaScript that work
//! the same from `file://`, under any path of any host, and without a network.
//!
//! # Crates
//!
//! A crate imports from those below it, never from those above: Cargo holds that. Each is a folder of `src`, but for the
//! templates, and is called by its short name everywhere.
//!
//! | Crate | Holds |
//! |---|---|
//! | [`cli`] | arguments to options, a call, what people and programs see, an exit code |
//! | [`service`] | `offprint serve`: jobs, previews and agent runs behind an HTTP API |
//! | [`host`] | `offprint host`, previews and production: a bundle to HTTP answers |
//! | [`export`] | the order of the stages, in parallel, batch by batch; progress and report; [`dev`](export::dev), [`bench`](export::bench) |
//! | [`check`] | what is wrong with a bundle; the [`census`](check::census) of what pages say |
//! | [`side`] | files beside the pages: for models, search engines, feed readers and hosts |
//! | [`bundle`] | one reproducible archive or folder with a manifest and a seal |
//! | [`search`] | the search index of a bundle, and queries on it |
//! | [`frame`] | what stands around the content of a page: [`asset`](frame::asset), [`link`](frame::link), [`theme`](frame::theme) |
//! | [`mod@reference`] | pages of API descriptions |
//! | [`render`] | the tree of a page to the HTML of its content: components, code, formulas, diagrams, icons |
//! | [`markup`] | MDX or Markdown text to a tree; [`expand`](markup::expand) resolves imports and components, [`js`](markup::js) runs them |
//! | [`textmate`] | source code to colored spans, by TextMate grammars |
//! | [`import`] | the repositories of other tools, read as sites |
//! | [`load`] | from a folder to a site and its navigation |
//! | [`nav`] | the navigation as one tree |
//! | [`spec`] | API descriptions: read, converted, completed |
//! | [`site`] | the model: files, `docs.json`, front matter, pages |
//! | [`fetch`] | the one way to the network: downloads, [`git`](fetch::git) branches, [`archive`](fetch::archive)s |
//! | [`confine`] | a process that keeps to its folders, its network and its system calls |
//! | [`base`] | the vocabulary of all: diagnostics and their codes, places, paths, HTML, limits |
//! | [`http`] | what HTTP servers share: connections and their bounds, ranges, validators |
//! | [`templates`] | the files of the interface, and its words by language |
//!
//! # The way of a page
//!
//! [`load`] reads configuration and page list, and has [`nav`] build the navigation. For each page,
//! [`markup`] parses the text to a tree, [`markup::expand`] resolves imports, snippets, expressions and the
//! author's components (run by [`markup::js`]), [`render`] writes the HTML of the content, [`frame::link`] and
//! [`frame::asset`] make its links and loads relative, [`frame::theme`] puts the page together. [`search`] and
//! [`side`] collect what they need meanwhile, and [`bundle`] writes the files in a fixed order.
//! [`export`] drives all of it.
//!
//! # The way of a job
//!
//! [`service::api`] checks a request and its key ([`service::tenant`]); [`service::store`] keeps the job, its place in
//! the queue and the answer in one transaction; [`service::job`] exports the source in a process of its own and puts
//! the bundle into storage under its digest; [`host`] serves previews and production from there.
//!
//! # Invariants
//!
//! - The stages have no environment and no global state: equal sources give equal bytes, whatever the thread count. The
//!   one clock among them, that of [`markup::js`], only decides that a script takes too long: its page is then made
//!   without scripts. The one network is that of [`frame::asset::remote`], and its lock file holds what was fetched.
//! - Problems with content are data ([`base::Diagnostic`]), never early returns: a page that fails does not affect
//!   others, and neither does another file ([`base::isolate`]), not even by a panic.
//! - No page holds more of the site than its own bounded neighborhood. In memory are the batch of pages that is made,
//!   the one that is written, and a bounded number of those that wait for other servers.
//! - Source text reaches HTML only through [`base::html`]; bounds on input that modules share or the threat model asks
//!   for are named in [`base::limits`], those of a single module at its top.

#![cfg_attr(test, allow(clippy::print_stdout, reason = "tests may print"))]
#![cfg_attr(not(test), warn(clippy::string_slice))]

pub use {
    base, bundle, check, cli, confine, export, fetch, frame, host, http, import, load, markup, nav, reference, render,
    search, service, side, site, spec, templates, textmate,
};
