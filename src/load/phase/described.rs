//! The API descriptions are open: what do they say of pages, and which pages do they bring?

use rustc_hash::FxHashSet;

use crate::LoadError;
use crate::closed_pages::close_pages;
use crate::inventory::Inventory;
use crate::operation_pages::{missing_descriptions, tell_changed_operations, title_operations};
use crate::overview_pages::overview_pages;
use crate::remote::{self, RemoteFiles, add_remote_specs, named_remote_specs};
use crate::tool::{self, SourceLayout};
use base::Diagnostic;
use base::extension::is_markdown;
use nav::draft::NavDraft;
use nav::{generated, overlays, unlisted};
use site::ConfigKind;
use site::page::PageEntry;
use site::tree::SourceTree;
use spec::OpenSpecs;
use spec::groups::ReaderGroups;
use spec::restricted::cut_restricted_specs;

use super::settings::SourceSettings;

/// A source whose API descriptions are open.
pub(crate) struct DescribedSource {
    /// The descriptions, the files and the problems.
    pub(super) open: OpenSpecs,
    pub(super) settings: SourceSettings,
    pub(super) draft: NavDraft,
    pub(super) is_written: bool,
    pub(super) inventory: Inventory,
    /// Paths of files of which readers may see nothing.
    pub(super) withheld: Vec<String>,
    /// Pages of operations that no file has.
    pub(super) generated: Vec<PageEntry>,
}

impl DescribedSource {
    /// Gets the descriptions on other servers, and tells all of their overlays.
    pub(super) fn add_named_specs(&mut self, remote: Option<&dyn RemoteFiles>) {
        let Self { open, settings, draft, inventory, .. } = self;
        let api = settings.member("api");
        add_remote_specs(&named_remote_specs(draft, &inventory.pages, api), remote, open);
        open.guarded(&settings.config_name, "its overlays change nothing", |open| overlays::assign(api, draft, open));
    }

    /// Takes out what the readers may not see, and tells the pages what is left of their operations.
    pub(super) fn close_restricted(&mut self, readers: ReaderGroups<'_>) {
        self.withheld = cut_restricted_specs(&mut self.open, readers);
        close_pages(&mut self.inventory.pages, &mut self.inventory.grouped, &mut self.open);
        title_operations(&mut self.inventory.pages, &mut self.open);
    }

    /// Gives a place in the navigation to descriptions that it does not name.
    pub(super) fn add_unlisted_specs(&mut self) {
        let Self { open, settings, draft, inventory, is_written, .. } = self;
        let named: Vec<&str> =
            settings.member("api").into_iter().flat_map(remote::of_settings).map(|(source, _)| source).collect();
        let layout = settings.project.as_ref().map(|project| project.layout());
        let is_served = |path: &str| layout.is_none_or(|layout| is_served(layout, path));
        unlisted::add_unlisted_specs(draft, &named, !*is_written, &inventory.pages, &is_served, open);
    }

    /// Makes the pages of operations that no file is about, and those that a project has beside its files.
    pub(super) fn generate_pages(&mut self) {
        let Self { open, settings, draft, inventory, generated, .. } = self;
        // a restricted page is in the place of a generated one all the same
        let written: FxHashSet<String> =
            inventory.pages.iter().map(|page| &page.slug).chain(&inventory.grouped).cloned().collect();
        let made = open.guarded(&settings.config_name, "it has no pages of API descriptions", |open| {
            generated::generate(draft, open, &written, &mut inventory.grouped)
        });
        *generated = made.unwrap_or_default();
        tell_changed_operations(generated, &mut open.problems);
        self.add_overviews();
        let Self { open, settings, inventory, .. } = self;
        if let Some(api) = settings.member("api") {
            missing_descriptions(api, open);
        }
        if let Some(project) = &settings.project {
            let own = project.generated_pages(&inventory.pages, &open.tree);
            inventory.pages.extend(own);
        }
    }

    /// Makes the pages about whole descriptions.
    fn add_overviews(&mut self) {
        let Self { open, settings, draft, inventory, generated, .. } = self;
        let pages: Vec<&PageEntry> = inventory.pages.iter().chain(&*generated).collect();
        let taken = pages.iter().map(|page| &page.slug).chain(&inventory.grouped).cloned().collect();
        let listed = draft.slugs().map(str::to_owned).collect();
        let made = open.guarded(&settings.config_name, "it has no overviews of API descriptions", |open| {
            overview_pages(&pages, &taken, &listed, open)
        });
        generated.extend(made.unwrap_or_default());
    }

    /// Whether there is a page at all.
    pub(super) fn require_pages(&self) -> Result<(), LoadError> {
        if self.inventory.pages.is_empty() && self.generated.is_empty() {
            let found = &self.open.problems.found;
            return Err(LoadError::NoPages(no_pages(&self.open.tree, self.settings.kind, found)));
        }
        Ok(())
    }
}

/// Whether another tool serves a file.
fn is_served(layout: &SourceLayout, path: &str) -> bool {
    let folders = [&layout.mounts, &layout.statics];
    layout.mounts.is_empty() || folders.iter().any(|mounts| tool::mounted_address(mounts, path).is_some())
}

/// What was looked for in a folder without pages.
fn no_pages(tree: &SourceTree, kind: ConfigKind, found: &[Diagnostic]) -> String {
    let folder = tree.folder().map_or_else(|| "the source".to_owned(), |folder| format!("`{}`", folder.display()));
    let markdown = tree.files.iter().filter(|file| is_markdown(&file.path)).count();
    let config = match kind.file_name() {
        Some(name) => format!("it has a `{name}`, but "),
        None => "it has no `docs.json`, no `mint.json` and ".to_owned(),
    };
    // a description that cannot be read would have had pages
    let description = found.iter().find(|problem| problem.code.starts_with("openapi-"));
    let description = description
        .map(|it| format!("; {}: {}", super::super::format_problem_place(it), it.message))
        .unwrap_or_default();
    match markdown {
        0 => format!(
            "{folder} has no pages: {config}no Markdown file (`.md` or `.mdx`), in subfolders either{description}"
        ),
        count => format!(
            "{folder} has no pages: {config}only Markdown files that are ignored, imported or restricted to a group ({count}){description}"
        ),
    }
}
