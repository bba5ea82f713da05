//! Every end-to-end test, in one executable: they share support code, and a build links once. `tests/README.md` says how
//! to run a part of them and how to add one.

mod command;
mod fuzz;
mod host;
mod service;
mod shared;
mod suite;
