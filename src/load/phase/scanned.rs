//! The pages of files are known: which pages do API descriptions bring, and what do they say of the others?

use crate::inventory::Inventory;
use crate::{LoadError, LoadOptions};
use nav::draft::NavDraft;
use site::problems::LoadProblems;
use site::tree::SourceTree;
use spec::groups::ReaderGroups;
use spec::{OpenSpecs, Specs};

use super::described::DescribedSource;
use super::settings::SourceSettings;

/// A source whose texts are read.
pub(crate) struct ScannedSource {
    pub(super) tree: SourceTree,
    pub(super) problems: LoadProblems,
    pub(super) settings: SourceSettings,
    /// The navigation as it is written; entries still name pages.
    pub(super) draft: NavDraft,
    /// Whether there is a written navigation that can be read.
    pub(super) is_written: bool,
    pub(super) inventory: Inventory,
}

impl ScannedSource {
    /// Opens the API descriptions.
    ///
    /// # Errors
    /// The site would have no page.
    pub(crate) fn describe(self, options: &LoadOptions<'_>) -> Result<DescribedSource, LoadError> {
        let Self { tree, problems, settings, draft, is_written, inventory } = self;
        let specs = Specs::find(&tree, settings.config_file);
        let open = OpenSpecs { specs, tree, problems };
        let (withheld, generated) = (Vec::new(), Vec::new());
        let mut described = DescribedSource { open, settings, draft, is_written, inventory, withheld, generated };
        described.add_named_specs(options.remote);
        described.close_restricted(ReaderGroups(options.groups));
        described.add_unlisted_specs();
        described.generate_pages();
        described.require_pages()?;
        Ok(described)
    }
}
