//! Fuzz targets: functions that take any bytes and assert what must hold whatever these are.
//!
//! Two forms run them. The short form, `short`, is part of the tests: the seeds of a target and a fixed number of
//! mutations of them, the same in every run. The long form, `main.rs`, is a program of its own in which libFuzzer,
//! guided by the coverage of the code, looks for inputs as long as it is let: `sh tests/fuzz/run`. An input that a target
//! failed for stays in `seeds/<target>` once the fault is mended.

mod bundle;
mod census;
mod git;
mod http;
mod markup;
#[cfg(test)]
mod mutate;
#[cfg(test)]
mod short;
mod site;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use offprint::base::limits;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// A target.
pub(crate) struct Target {
    /// Its name; the folder of its seeds.
    pub(crate) name: &'static str,
    /// Panics when something does not hold.
    run: fn(&[u8]),
    /// Inputs to start from, beside those in its folder.
    samples: fn() -> Vec<Vec<u8>>,
    /// Mutations that the short form runs.
    #[cfg_attr(not(test), expect(dead_code, reason = "the long form has no end of its own"))]
    mutations: u32,
}

/// All targets. The mutations of the short form are such that each takes about as long as the others.
pub(crate) static TARGETS: [Target; 14] = [
    Target { name: "mdx", run: markup::mdx, samples: markup::pages, mutations: 2000 },
    Target { name: "census", run: census::census, samples: markup::pages, mutations: 2000 },
    Target { name: "page", run: site::page, samples: site::pages, mutations: 16 },
    Target { name: "front-matter", run: site::front_matter, samples: site::front_matters, mutations: 2000 },
    Target { name: "docs-json", run: site::docs_json, samples: site::configurations, mutations: 5000 },
    Target { name: "description", run: site::description, samples: site::descriptions, mutations: 1000 },
    Target { name: "reference", run: site::reference, samples: site::small_descriptions, mutations: 16 },
    Target { name: "side-files", run: site::side_files, samples: site::sides, mutations: 24 },
    Target { name: "zip", run: bundle::zip, samples: bundle::archives, mutations: 1500 },
    Target { name: "delta", run: bundle::delta, samples: bundle::deltas, mutations: 1500 },
    Target { name: "head", run: http::head, samples: http::heads, mutations: 5000 },
    Target { name: "range", run: http::range, samples: http::ranges, mutations: 2000 },
    Target { name: "link", run: http::link, samples: http::links, mutations: 20_000 },
    Target { name: "pack", run: git::pack, samples: git::packs, mutations: 1500 },
];

/// The names of the targets.
pub(crate) fn names() -> Vec<&'static str> {
    TARGETS.iter().map(|target| target.name).collect()
}

/// One thread, with the stack that the program gives those that work on pages.
static POOL: LazyLock<ThreadPool> = LazyLock::new(|| {
    ThreadPoolBuilder::new().num_threads(1).stack_size(limits::STACK_BYTES).build().expect("a thread")
});

impl Target {
    /// Runs it for an input.
    pub(crate) fn run(&self, bytes: &[u8]) {
        POOL.install(|| (self.run)(bytes));
    }

    /// What to start from: first the inputs in its folder, by name.
    pub(crate) fn seeds(&self) -> Vec<Vec<u8>> {
        let folder = root().join("tests/fuzz/seeds").join(self.name);
        let mut seeds = files(&folder);
        seeds.extend((self.samples)());
        seeds
    }
}

/// The folder with the tests and fixtures.
fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().find(|folder| folder.join("fixtures").is_dir()).unwrap_or(package)
}

/// The files of a folder, sorted by name; none if there is no folder.
fn files(folder: &Path) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("a file that can be read")).collect()
}

/// Files below `fixtures`.
fn fixtures(paths: &[&str]) -> Vec<Vec<u8>> {
    let read = |path: &&str| std::fs::read(root().join("fixtures").join(path)).expect("a fixture");
    paths.iter().map(read).collect()
}
