//! The files are listed: whose repository are they?

use crate::tool::Located;
use crate::{LoadError, LoadOptions};
use base::limits::PAGE_BYTES;
use base::{Diagnostic, FileId};
use site::ConfigKind;
use site::ignored::IgnoreRules;
use site::problems::LoadProblems;
use site::tree::{SourceTree, folder};

use super::located::LocatedSource;

/// A source whose files are listed.
pub(crate) struct ListedSource {
    tree: SourceTree,
    problems: LoadProblems,
}

impl ListedSource {
    /// The files, and what was wrong with others.
    pub(crate) fn new(tree: SourceTree, found: Vec<Diagnostic>) -> Self {
        Self { tree, problems: LoadProblems::of(found) }
    }

    /// Finds out which tool the files belong to, and which of them are no part of the site.
    pub(crate) fn locate(self, options: &LoadOptions<'_>) -> Result<LocatedSource, LoadError> {
        let Self { mut tree, mut problems } = self;
        let from = options.from.map(|name| options.tools.by_name(name)).transpose().map_err(LoadError::OtherTool)?;
        let tool = options.tools.locate(&tree, from).map_err(LoadError::OtherTool)?;
        let (kind, config_file) = config_file(&tree, &tool);
        let read = |name: &str| tree.find_any(name).and_then(|id| tree.read_text(id, PAGE_BYTES).ok());
        let (rules, found) = IgnoreRules::read(kind, read);
        tree.apply(&rules);
        problems.found.extend(found);
        problems.found.extend((kind == ConfigKind::Plain).then(|| config_elsewhere(&tree)).flatten());
        Ok(LocatedSource { tree, problems, tool, kind, config_file })
    }
}

/// The configuration of the site's own format, if it is one of that.
fn config_file(tree: &SourceTree, located: &Located) -> (ConfigKind, Option<FileId>) {
    if !located.is_native() {
        return (ConfigKind::Plain, None);
    }
    let file = |kind: ConfigKind, name: &str| tree.find_any(name).map(|id| (kind, Some(id)));
    file(ConfigKind::Docs, "docs.json")
        .or_else(|| file(ConfigKind::Mint, "mint.json"))
        .unwrap_or((ConfigKind::Plain, None))
}

/// Says that a configuration lies further down, where it has no effect.
fn config_elsewhere(tree: &SourceTree) -> Option<Diagnostic> {
    let is_config = |path: &str| matches!(path.rsplit_once('/'), Some((_, "docs.json" | "mint.json")));
    let file = tree.files.iter().find(|file| !file.ignored && is_config(&file.path))?;
    let message =
        format!("`{}` is not used: the configuration has to be at the root of the exported folder", file.path);
    let hint = format!("export the folder `{}` instead", folder(&file.path));
    Some(Diagnostic::new("config-elsewhere", message).at(file.path.as_str(), 0, 0).hint(hint))
}
