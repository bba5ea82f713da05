//! The descriptions of a source while its site is loaded.

use base::isolate::{catch_panic, file_failed};
use site::problems::LoadProblems;
use site::tree::SourceTree;

use super::Specs;

/// The descriptions with the files that they are read from, and all that is wrong with these and with the source. What
/// is read of a description, and what readers may not see of a file, changes both.
#[derive(Debug)]
pub struct OpenSpecs {
    /// The descriptions.
    pub specs: Specs,
    /// The files.
    pub tree: SourceTree,
    /// What is wrong.
    pub problems: LoadProblems,
}

impl OpenSpecs {
    /// What `make` gives of the file `path`, as [`LoadProblems::guarded`] has it.
    pub fn guarded<T>(&mut self, path: &str, outcome: &str, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let made = catch_panic(|| make(self));
        if made.is_none() {
            self.problems.found.push(file_failed(path, outcome));
        }
        made
    }
}
