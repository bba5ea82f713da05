//! offprint turns a documentation repository into one self-contained static bundle: HTML, CSS and JavaScript that work
//! the same from `file://`, under any path of any host, and without a network.
//!
//! # Storeys
//!
//! A storey imports from those below it, never from those above; `tests/suite/tidy.rs` holds the table. They are in three
//! crates, which are compiled beside each other and optimized as far as it matters for speed: `offprint-input` (`base`,
//! and the rooms that `source` stands for: `fetch`, `site`, `spec`, `nav`, `load`, `import`, one above the other),
//! `offprint-engine` (`http`, and `page` to `host`) and this one, which exports the modules of all.
//!
//! | Storey | Modules | Holds |
//! |---|---|---|
//! | [`cli`] | [`cli::config`] and a module for each command | arguments to options, a call, what people and programs see, an exit code |
//! | [`service`] | [`tenant`](service::tenant), [`store`](service::store), [`job`](service::job), [`api`](service::api) | `offprint serve`: jobs, previews and agent runs behind an HTTP API |
//! | [`host`] | | `offprint host`, previews and production: a bundle to HTTP answers |
//! | [`export`] | [`dev`](export::dev), [`bench`](export::bench) | the order of the stages, in parallel, batch by batch; progress and report |
//! | [`output`] | [`search`](output::search), [`side`](output::side), [`bundle`](output::bundle), [`check`](output::check) | what is made of pages: search index, files beside the pages, archive or folder |
//! | [`frame`] | [`asset`](frame::asset), [`link`](frame::link), [`theme`](frame::theme) | what stands around the content of a page: files, links, layout with `templates/` |
//! | [`page`] | [`markup`](page::markup), [`js`](page::js), [`expand`](page::expand), [`reference`](page::reference), [`render`](page::render) | MDX or Markdown text to the HTML of its content |
//! | [`source`] | [`fetch`](source::fetch), [`git`](source::git), [`archive`](source::archive), [`site`](source::site), [`nav`](source::nav) | a folder, branch or archive to configuration, page list and navigation |
//! | [`http`] | | what HTTP servers share: connections and their bounds, ranges, validators |
//! | [`base`] | | the vocabulary of all: diagnostics, places, paths, escaping, limits, references of files |
//!
//! # The way of a page
//!
//! [`source::site`] loads configuration and page list, and has [`source::nav`] build the navigation. For each page,
//! [`page::markup`] parses the text to a tree, [`page::expand`] resolves imports, snippets, expressions and the
//! author's components (run by [`page::js`]), [`page::render`] writes the HTML of the content, [`frame::link`] and
//! [`frame::asset`] make its links and loads relative, [`frame::theme`] puts the page together. [`output::search`] and
//! [`output::side`] collect what they need meanwhile, and [`output::bundle`] writes the files in a fixed order.
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
//!   one clock among them, that of [`page::js`], only decides that a script takes too long: its page is then made
//!   without scripts. The one network is that of [`frame::asset::remote`], and its lock file holds what was fetched.
//! - Problems with content are data ([`base::Diagnostic`]), never early returns: a page that fails does not affect
//!   others, and neither does another file ([`base::isolate`]), not even by a panic.
//! - No page holds more of the site than its own bounded neighborhood. In memory are the batch of pages that is made,
//!   the one that is written, and a bounded number of those that wait for other servers.
//! - Source text reaches HTML only through [`base::html`]; bounds on input that modules share or the threat model asks
//!   for are named in [`base::limits`], those of a single module at its top.

#![cfg_attr(test, allow(clippy::print_stdout, reason = "tests may print"))]
#![cfg_attr(not(test), warn(clippy::string_slice))]

pub use offprint_engine::{export, frame, host, http, output, page};
pub use offprint_input::{base, source};
pub use templates;

pub mod cli;
pub mod service;
