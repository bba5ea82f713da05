//! The suite: small sites go through the real program, and the bundles are read as browsers and file systems read them.
//! `tests/README.md` says how to add a test.

mod bad_input;
mod commonmark;
mod components;
mod contract;
mod determinism;
mod exit_codes;
mod hostile;
mod html;
mod interrupt;
mod islands;
mod mdx;
mod navigation;
mod scripts;
mod site;
mod special_pages;
mod tools;
