//! The configuration is known: what do the texts say?

use rustc_hash::FxHashSet;

use crate::LoadOptions;
use crate::inventory::{scan_texts, take_inventory};
use nav::draft::NavDraft;
use site::problems::LoadProblems;
use site::tree::SourceTree;
use spec::groups::ReaderGroups;

use super::scanned::ScannedSource;
use super::settings::{FROM_FOLDERS, SourceSettings};

/// A source whose configuration is read.
pub(crate) struct ConfiguredSource {
    pub(super) tree: SourceTree,
    pub(super) problems: LoadProblems,
    pub(super) settings: SourceSettings,
}

impl ConfiguredSource {
    /// Reads every text once, and the navigation beside them: what stands in files does not depend on which of them that
    /// names. Then decides which files are pages.
    pub(crate) fn scan(self, options: &LoadOptions<'_>) -> ScannedSource {
        let Self { tree, mut problems, settings } = self;
        let project = settings.project.as_deref();
        let navigation = settings.member("navigation");
        let read = |found: &mut LoadProblems| Some(NavDraft::read(navigation?, found));
        let read_draft = || problems.guarded(&settings.config_name, FROM_FOLDERS, read).flatten();
        let (scanned, draft) =
            rayon::join(|| scan_texts(&tree, settings.kind, &settings.config.variables, project), read_draft);
        let is_written = draft.is_some();
        let draft = draft.unwrap_or_else(NavDraft::empty);
        let listed: FxHashSet<String> = draft.slugs().map(str::to_owned).collect();
        let readers = ReaderGroups(options.groups);
        let mut inventory = take_inventory(&tree, settings.kind, scanned, &listed, project, readers);
        problems.found.append(&mut inventory.problems);
        ScannedSource { tree, problems, settings, draft, is_written, inventory }
    }
}
