//! The suite: small sites go through the real program, and the bundles are read as browsers and file systems read them.
//! `tests/README.md` says how to add a test.

mod actions;
mod bad_input;
mod check;
mod codes;
mod commonmark;
mod components;
mod contract;
mod descriptions;
mod determinism;
mod dev;
mod drawings;
mod exit_codes;
mod first_use;
mod folders;
mod groups;
mod hostile;
mod hostile_zips;
mod html;
mod interrupt;
mod islands;
mod jsx;
mod mdx;
mod navigation;
mod plain;
mod policy;
mod scripts;
mod search;
mod servers;
mod side;
mod site;
mod special_pages;
mod tools;
mod trust;
mod vendor;
mod vendor_hostile;
mod weight;
#[path = "../shared/zips.rs"]
mod zips;
