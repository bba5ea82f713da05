//! The descriptions of a source while its site is loaded.

use std::sync::Arc;

use serde_json::Value;

use base::FileId;
use base::isolate::{catch_panic, file_failed};
use site::page::Endpoint;
use site::problems::LoadProblems;
use site::tree::SourceTree;

use super::unreadable::UnreadableDescription;
use super::{ReferredKind, Specs, operation};

/// The descriptions with the files that they are read from, and all that is wrong with these and with the source. What
/// is read of a description, and what readers may not see of a file, changes both.
#[derive(Debug)]
pub struct OpenSpecs {
    /// The descriptions.
    pub specs: Specs,
    /// The files.
    pub tree: SourceTree,
    /// What is wrong with the source, the descriptions included.
    pub problems: LoadProblems,
}

impl OpenSpecs {
    /// A description, parsed on first use. Null if it cannot be. What is wrong with it is told once.
    pub fn document(&mut self, number: usize) -> Arc<Value> {
        let document = self.specs.document(number, &self.tree);
        self.problems.found.extend(self.specs.take_found());
        document
    }

    /// Whether a description has an operation.
    pub fn has_operation(&mut self, number: usize, endpoint: &Endpoint) -> bool {
        operation(&self.document(number), endpoint).is_some()
    }

    /// The number of the description that has a part, parsing those that may have it.
    pub fn find_part(&mut self, kind: ReferredKind, text: &str, near: &str) -> Option<usize> {
        let number = self.specs.find_part(kind, text, near, &self.tree);
        self.problems.found.extend(self.specs.take_found());
        number
    }

    /// A file that is no description, with all that it refers to.
    ///
    /// # Errors
    /// It cannot be read.
    pub(crate) fn part(&mut self, file: FileId) -> Result<Value, UnreadableDescription> {
        let part = self.specs.part(file, &self.tree);
        self.problems.found.extend(self.specs.take_found());
        part
    }

    /// What `make` gives of the file `path`, as [`LoadProblems::guarded`] has it.
    pub fn guarded<T>(&mut self, path: &str, outcome: &str, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let made = catch_panic(|| make(self));
        if made.is_none() {
            self.problems.found.push(file_failed(path, outcome));
        }
        made
    }
}
