//! Small sites for tests: files in, loaded site out.

use base::{Diagnostic, PageId};
use nav::Navigation;

use super::{LoadError, LoadOptions, Site, load_site};

/// A loaded site.
pub struct Fixture {
    /// The site.
    pub site: Site,
    /// Its navigation.
    pub navigation: Navigation,
    /// What is wrong with it.
    pub diagnostics: Vec<Diagnostic>,
}

impl Fixture {
    /// The page of a slug.
    #[track_caller]
    pub fn page(&self, slug: &str) -> PageId {
        *self.site.by_slug.get(slug).unwrap_or_else(|| panic!("no page {slug}; there are {:?}", self.slugs()))
    }
    /// The slug of a page.
    pub fn slug(&self, page: PageId) -> &str {
        &self.site.page(page).slug
    }
    /// All slugs.
    pub fn slugs(&self) -> Vec<&str> {
        self.site.pages.iter().map(|page| page.slug.as_str()).collect()
    }
    /// `code file:line:column message` of all diagnostics.
    pub fn problems(&self) -> Vec<String> {
        self.diagnostics
            .iter()
            .map(|it| format!("{} {}:{}:{} {}", it.code, it.file, it.line, it.column, it.message))
            .collect()
    }
    /// The navigation as indented labels, with the kind of each node.
    pub fn outline(&self) -> Vec<String> {
        let line = |(id, node): (nav::NodeId, &nav::NavNode)| {
            format!("{}{:?} {}", "  ".repeat(self.navigation.ancestors(id).len() - 1), node.kind, node.label)
        };
        self.navigation.iter().skip(1).map(line).collect()
    }
}

/// Loads files written to a fresh folder.
#[track_caller]
pub fn site(files: &[(&str, &str)]) -> Fixture {
    try_site(files, &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// The same, with options and errors.
pub fn try_site(files: &[(&str, &str)], options: &LoadOptions<'_>) -> Result<Fixture, LoadError> {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let loaded = load_site(folder.path(), options)?;
    Ok(Fixture { site: loaded.site, navigation: loaded.navigation, diagnostics: loaded.diagnostics })
}
