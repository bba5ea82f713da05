//! The search index of a bundle: records of pages to a few scripts, of which a query loads a handful.
//!
//! 1. `html` reads the text of rendered content, `word` its words (`block`: eight letters at a time), `record` weighs
//!    them; `excerpt` keeps what results show. In parallel, page by page.
//! 2. [`SearchIndex::add`] takes records in page order, batch by batch: `postings` grow, texts leave as soon as a file
//!    is full.
//! 3. [`SearchIndex::finish`] sorts the words and writes them; `plan` says how many files there are, `pack` turns bytes
//!    into scripts.
//! 4. `reader` opens these files and `query` answers questions from them the way the client does (`templates/search/search.js`): for a server,
//!    and to test the client by.
//!
//! # Files of the index `N`, under `_offprint/search`
//!
//! | File | What |
//! |---|---|
//! | `N.js` | the start: how many pages, where the other files begin, boosts, versions and sections (`area`), frequent words; of a small site everything |
//! | `N-w<i>-<digest>.js` | words in order, each with its pages |
//! | `N-p<i>-<digest>.js` | titles, addresses, headings and texts of pages that follow each other |
//!
//! Invariants: pages are numbered in the order in which they came; equal pages give equal files, whatever the number of
//! threads.

#![cfg_attr(test, allow(clippy::print_stdout, reason = "tests may print"))]
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod area;
mod block;
mod excerpt;
mod expand;
mod head;
mod html;
mod index;
mod pack;
mod page;
mod plan;
mod postings;
mod query;
mod question;
mod reader;
mod record;
mod snippet;
mod table;
mod weight;
mod word;

pub use base::search_area::{Area, Areas, SearchScope};
pub use html::after_element;
pub use index::{IndexFile, Recorder, SearchIndex, index_start_path};
pub use page::SearchPage;
pub use reader::{IndexReader, ReadText};
pub use record::{SearchRecord, WordsSaid};
pub use snippet::Hit;
pub use word::scan_whole_words;

/// Where the files lie in a bundle.
const FOLDER: &str = "_offprint/search";
/// Version of the format, the first byte of a start file.
const VERSION: u8 = 4;
/// The versions before names of pages, and before areas: servers still read bundles of them.
const WITHOUT_NAMES: u8 = 3;
const WITHOUT_AREAS: u8 = 2;
