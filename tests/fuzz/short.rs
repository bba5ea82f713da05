//! The short form of the targets: seeds, and a fixed number of mutations of them.

use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::mutate::Mutator;
use super::{TARGETS, Target};

fn target(name: &str) -> &'static Target {
    TARGETS.iter().find(|target| target.name == name).expect("a target")
}

/// Runs a target for an input; keeps the input if it fails.
fn execute(target: &Target, bytes: &[u8]) {
    if catch_unwind(AssertUnwindSafe(|| target.run(bytes))).is_err() {
        let folder = std::env::temp_dir().join("offprint-fuzz");
        let file = folder.join(target.name);
        std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, bytes)).expect("a file");
        panic!("`{}` fails for the input in {}: {}", target.name, file.display(), bytes.escape_ascii());
    }
}

fn run(name: &str) {
    let target = target(name);
    let seeds = target.seeds();
    seeds.iter().for_each(|seed| execute(target, seed));
    let mut mutator = Mutator::new(&seeds);
    (0..target.mutations).for_each(|_| execute(target, &mutator.input()));
    // not captured, as what `println!` writes would be
    let summary =
        format!("fuzz {name}: {} seeds, {} executions\n", seeds.len(), seeds.len() + target.mutations as usize);
    std::io::stderr().write_all(summary.as_bytes()).expect("standard error");
}

/// A test for each target, so that they run beside each other.
macro_rules! tests {
    ($($test:ident $name:literal)*) => {
        $(#[test] fn $test() { run($name); })*

        #[test]
        fn every_target_has_a_test() {
            assert_eq!(super::names(), [$($name),*]);
        }
    };
}

tests! {
    mdx "mdx"
    census "census"
    page "page"
    front_matter "front-matter"
    docs_json "docs-json"
    description "description"
    reference "reference"
    side_files "side-files"
    zip "zip"
    delta "delta"
    head "head"
    range "range"
    link "link"
    pack "pack"
}

#[test]
fn inputs_are_the_same_in_every_run() {
    let seeds = vec![b"one of two".to_vec(), b"{\"other\": 27}".to_vec(), Vec::new()];
    let inputs = |count| {
        let mut mutator = Mutator::new(&seeds);
        (0..count).map(|_| mutator.input()).collect::<Vec<_>>()
    };
    assert_eq!(inputs(500), inputs(500));
    let different: std::collections::BTreeSet<_> = inputs(500).into_iter().collect();
    assert!(different.len() > 300, "{} different inputs", different.len());
}
