//! The phases of a load. Each is a value that owns all that is known by then; the function that leads to the next takes
//! it, so that a phase is read by itself.
//!
//! | Phase | What is known in it | Its function |
//! |---|---|---|
//! | [`ListedSource`] | the files | `locate`: whose repository it is, and what is no part of the site |
//! | [`LocatedSource`](located::LocatedSource) | the tool, the file that configures it | `configure` |
//! | [`ConfiguredSource`](configured::ConfiguredSource) | the configuration | `scan`: each text once, in parallel |
//! | [`ScannedSource`](scanned::ScannedSource) | the pages that files hold, the navigation as it is written | `describe` |
//! | [`DescribedSource`](described::DescribedSource) | the API descriptions, and the pages that they bring | `assemble` |
//! | [`AssembledSite`](assembled::AssembledSite) | the site with its look-ups | `navigate` |
//! | [`NavigatedSite`](navigated::NavigatedSite) | the navigation | `complete`: names, first pages, what was not read |

mod assembled;
mod configured;
mod described;
mod listed;
mod located;
mod navigated;
mod scanned;
mod settings;

pub(super) use listed::ListedSource;
