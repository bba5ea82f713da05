//! The long form of the fuzz targets: libFuzzer with the target of the variable `FUZZ_TARGET`. Its seeds are written
//! into the folder of `FUZZ_SEEDS`. `sh tests/fuzz/run` sets both.

#![no_main]

#[path = "mod.rs"]
mod fuzz;
#[path = "../shared/mod.rs"]
#[expect(dead_code, reason = "the targets use a part of it")]
mod shared;

/// What of the suite the targets need.
#[path = "../suite"]
#[expect(dead_code, reason = "the targets use a part of it")]
mod suite {
    pub(crate) mod contract;
    pub(crate) mod html;
}

use std::env;
use std::panic;
use std::path::Path;
use std::sync::OnceLock;

use fuzz::{TARGETS, Target};
use libfuzzer_sys::fuzz_target;

static TARGET: OnceLock<&Target> = OnceLock::new();

fuzz_target!(
    init: {
        let name = env::var("FUZZ_TARGET").unwrap_or_default();
        let target = TARGETS.iter().find(|target| target.name == name);
        let target = target.unwrap_or_else(|| panic!("`FUZZ_TARGET` is none of {:?}", fuzz::names()));
        if let Some(folder) = env::var_os("FUZZ_SEEDS") {
            for (number, seed) in target.seeds().iter().enumerate() {
                std::fs::write(Path::new(&folder).join(format!("seed-{number}")), seed).expect("a folder for seeds");
            }
        }
        let _ = TARGET.set(target);
        // a panic in offprint is a finding even where it is caught; one of a library that draws, only if it is not
        drop(panic::take_hook());
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            report(info);
            if info.location().is_some_and(|place| !place.file().contains("/registry/")) {
                std::process::abort();
            }
        }));
    },
    |bytes: &[u8]| {
        if let Some(target) = TARGET.get() {
            target.run(bytes);
        }
    }
);
