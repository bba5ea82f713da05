//! `offprint host`: the real program, real bundles, real HTTP. `tests/README.md` says how to run it alone.

mod access;
mod bundles;
mod faults;
mod fetching;
mod operating;
mod pages;
mod program;
mod switching;
