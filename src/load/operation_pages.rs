//! Pages of API operations: what their descriptions say of them, and which descriptions are missing.

use rustc_hash::FxHashSet;

use base::{Description, Diagnostic, Severity};
use site::json::Json;
use site::page::{Endpoint, PageEntry, Preface};
use site::problems::LoadProblems;
use spec::OpenSpecs;

use super::{inventory, remote};

/// Titles API pages without a title after their operation's summary, gives those without a description the operation's,
/// gives all of them what the operation puts before their content, and says which operations no description has.
pub(crate) fn title_operations(pages: &mut [PageEntry], open: &mut OpenSpecs) {
    let mut reported: FxHashSet<String> = FxHashSet::default();
    for page in pages.iter_mut().filter(|page| {
        !page.meta.title_given
            || page.meta.description.is_none()
            || page.endpoint.as_ref().is_some_and(|endpoint| endpoint.line > 0)
    }) {
        let Some(endpoint) = &page.endpoint else { continue };
        let numbers = open.specs.of_operation(endpoint);
        match numbers.iter().find_map(|number| operation_words(*number, endpoint, open)) {
            Some(words) => words.enter(page),
            None => {
                let problem = missing_operation(endpoint, &numbers, open, &mut reported);
                let file = page.file.map_or("", |file| open.tree.path(file));
                open.problems.found.extend(problem.map(|problem| problem.at(file, endpoint.line, 1)));
            }
        }
    }
}

/// What the description of an operation says of its page.
struct OperationWords {
    summary: Option<String>,
    description: Option<String>,
    groups: Vec<String>,
    is_deprecated: bool,
    preface: Option<Box<Preface>>,
}

/// The words of an operation, if the description of a number has it.
fn operation_words(number: usize, endpoint: &Endpoint, open: &mut OpenSpecs) -> Option<OperationWords> {
    let document = open.document(number);
    let operation = spec::operation(&document, endpoint)?;
    let text = |key: &str| operation.text(key).map(str::to_owned);
    Some(OperationWords {
        summary: text("summary"),
        description: text("description"),
        groups: operation.groups(),
        is_deprecated: operation.flag("deprecated"),
        preface: open.specs.preface(number, &operation, &open.tree),
    })
}

impl OperationWords {
    /// Enters them where the page has no words of its own.
    fn enter(self, page: &mut PageEntry) {
        page.preface = self.preface;
        page.meta.deprecated |= self.is_deprecated;
        if page.endpoint.as_ref().is_some_and(|endpoint| endpoint.line > 0) {
            page.meta.groups.extend(self.groups);
        }
        let description = page.meta.description.take();
        page.meta.description = description.or_else(|| self.description.as_deref().map(Description::of_api));
        if let Some(summary) = self.summary.filter(|_| !page.meta.title_given) {
            (page.meta.title, page.meta.title_given) = (summary, true);
        }
    }
}

/// What is said of an operation that no description has. A description that cannot be read was reported, and is not
/// reported again for every page.
fn missing_operation(
    endpoint: &Endpoint,
    numbers: &[usize],
    open: &mut OpenSpecs,
    reported: &mut FxHashSet<String>,
) -> Option<Diagnostic> {
    let documents: Vec<_> = numbers.iter().map(|number| open.document(*number)).collect();
    let is_remote = endpoint.spec.as_deref().is_some_and(spec::is_remote);
    if endpoint.line == 0 || is_remote && documents.is_empty() || documents.iter().any(|document| document.is_null()) {
        return None;
    }
    let problem = match (&endpoint.spec, documents.as_slice()) {
        (Some(source), []) if !reported.insert(source.clone()) => return None,
        (Some(source), []) => spec::missing_file(source, &open.tree),
        (source, [document]) => spec::missing_operation(endpoint, source.as_deref(), document),
        (source, _) => spec::missing_operation(endpoint, source.as_deref(), &serde_json::Value::Null),
    };
    // the page has its own words, whatever the description lacks
    Some(Diagnostic { severity: Severity::Warning, ..problem })
}

/// Says which descriptions `api` names that do not exist, unless the navigation named them too and that was reported.
/// Those on other servers were reported.
pub(crate) fn missing_descriptions(api: &Json, open: &mut OpenSpecs) {
    let OpenSpecs { specs, tree, problems } = open;
    for (name, source) in
        remote::of_settings(api).filter(|(name, _)| !spec::is_remote(name) && specs.locate(name).is_none())
    {
        let problem = spec::missing_file(name, tree);
        if problems.found.iter().all(|diagnostic| diagnostic.message != problem.message) {
            problems.at(source.at, Diagnostic { severity: Severity::Warning, ..problem });
        }
    }
}

/// Says of each description whether the pages of its operations get other names than those that it gives them.
pub(crate) fn tell_changed_operations(generated: &[PageEntry], problems: &mut LoadProblems) {
    let changed = generated.iter().filter_map(|page| {
        Some((page.endpoint.as_ref()?.spec.as_deref()?, &page.slug, inventory::changed_name(&page.slug)?))
    });
    let changed: Vec<(&str, &String, String)> = changed.collect();
    let mut reported: Vec<&str> = Vec::new();
    for (spec, slug, name) in &changed {
        if reported.contains(spec) {
            continue;
        }
        reported.push(spec);
        let count = changed.iter().filter(|(other, _, _)| other == spec).count();
        let hint = "links, and hosts that support redirects, lead from the old name to the new one; `x-mint.href` of an operation gives its page another";
        problems.found.push(inventory::changed_names(slug, name, count).at(*spec, 0, 0).hint(hint));
    }
}
