//! Descriptions that say what cannot be: for `offprint check`, which shows it with file and line. An export does not
//! look.

mod operations;
mod schemas;
#[cfg(test)]
mod tests;
mod validate;

use rayon::prelude::*;
use rustc_hash::FxHashSet;
use serde_json::Value;

use base::Diagnostic;
use site::tree::SourceTree;

use super::descriptions::Descriptions;
use super::places::{PartProblem, place_spec_problems};
use operations::lint_operations;
use schemas::lint_schemas;

/// Most problems of one description that are reported.
const MAX_LINT_PROBLEMS: usize = 100;

impl Descriptions {
    /// What the descriptions that the site shows say wrong.
    pub fn lint(&self, tree: &SourceTree) -> Vec<Diagnostic> {
        let ids: Vec<_> = self.ids().collect();
        let of_one = |id| {
            let Some(document) = self.document(id) else { return Vec::new() };
            place_spec_problems(lint_document(document), self.file(id), tree)
        };
        ids.into_par_iter().flat_map_iter(of_one).collect()
    }
}

/// The problems of a document, in no particular order.
fn lint_document(document: &Value) -> Vec<PartProblem> {
    let mut problems = lint_operations(document);
    problems.extend(lint_schemas(document));
    // what several paths share is looked at for each of them
    let mut known = FxHashSet::default();
    problems.retain(|problem| known.insert((problem.place.clone(), problem.message.clone())));
    let more = problems.len().saturating_sub(MAX_LINT_PROBLEMS);
    if more > 0 {
        problems.truncate(MAX_LINT_PROBLEMS);
        let message = format!("{more} more problems are not listed");
        problems.push(PartProblem::new("openapi-example", message, String::new()));
    }
    problems
}
