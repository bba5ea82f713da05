//! Which tool a source belongs to.

use std::path::{Path, PathBuf};

use base::lookup::FileLookup;
use site::tree::SourceTree;

use super::below::{find_below, is_looked_into};
use super::{FolderView, KnownTools, Located, Tool};

/// How far above a folder the configuration may lie that it is a part of, where no repository says how far it goes.
const MAX_LEVELS_ABOVE: usize = 8;

impl KnownTools {
    /// The tool of a tree: that of a name, or the first whose files are there.
    ///
    /// # Errors
    /// A sentence: the tool cannot be read, or its configuration is not there.
    pub fn locate(self, tree: &SourceTree, from: Option<&'static dyn Tool>) -> Result<Located, String> {
        let view = FolderView::of_tree(tree);
        let own = match from {
            Some(tool) => Located { tool, config: tool.detect(&view).unwrap_or_default() },
            None => self.detect(&view),
        };
        let located = if own.config.is_empty() { find_below(self, tree, from).unwrap_or(own) } else { own };
        match located.tool.refusal() {
            None => Ok(located),
            Some(why) if located.config.is_empty() => Err(why.to_owned()),
            Some(why) => Err(format!("`{}`: {why}", located.config)),
        }
    }

    /// The folder that a file stands for, as the configuration of a tool in it.
    pub fn folder_of_config(self, file: &Path) -> Option<PathBuf> {
        let folder = file.parent()?;
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let found = self.detect(&FolderView::of_folder(folder)).config;
        (Some(found.as_str()) == file.file_name()?.to_str()).then(|| folder.to_owned())
    }

    /// The folder that has to be read for a folder that was named: its own, or one around it whose configuration says that
    /// the pages of its site lie here.
    pub fn project_root(self, folder: &Path, from: Option<&str>) -> PathBuf {
        let only = from.and_then(|name| self.by_name(name).ok());
        if only.is_some_and(|tool| tool.name() == "plain") {
            return folder.to_owned();
        }
        self.find_around(folder, only).unwrap_or_else(|| folder.to_owned())
    }

    fn find_around(self, folder: &Path, only: Option<&'static dyn Tool>) -> Option<PathBuf> {
        let own = FolderView::of_folder(folder);
        let tools = || self.iter().filter(|tool| only.is_none_or(|only| only.name() == tool.name()));
        if let Some((tool, config)) = tools().find_map(|tool| Some((tool, tool.detect(&own)?)))
            && (only.is_some() || tool.is_certain())
        {
            let levels = tool.levels_above(&own, &config);
            let full = folder.canonicalize().ok().filter(|_| levels > 0)?;
            return Some(self.root_above(&full, levels));
        }
        let full = folder.canonicalize().ok()?;
        let is_repository = |folder: &Path| folder.join(".git").exists();
        let levels = full.ancestors().position(is_repository).unwrap_or(MAX_LEVELS_ABOVE);
        for above in full.ancestors().skip(1).take(levels) {
            let inside = full.strip_prefix(above).ok()?.to_str()?.replace('\\', "/");
            let view = FolderView::of_folder(above);
            if let Some((tool, config)) = tools().find_map(|tool| Some((tool, project_around(tool, &view, &inside)?))) {
                // the pages of that project may begin above it
                return Some(self.root_above(above, tool.levels_above(&view, &config)));
            }
        }
        None
    }

    /// The folder some levels above a project, where the project is found from there and is no repository of its own; else
    /// its own.
    fn root_above(self, project: &Path, levels: usize) -> PathBuf {
        let levels = project.ancestors().take(levels).position(|folder| folder.join(".git").exists()).unwrap_or(levels);
        let root = project.ancestors().nth(levels).unwrap_or(project);
        let inside = project.strip_prefix(root).ok().and_then(Path::to_str).unwrap_or_default().replace('\\', "/");
        let is_found = !self.detect(&FolderView::of_folder(root)).config.is_empty() || is_looked_into(&inside);
        if is_found { root.to_owned() } else { project.to_owned() }
    }

    /// The same for a folder of files that are not on disk, named by its path: the path of the folder that has to be read,
    /// empty for the root.
    pub fn root_within(self, files: &dyn FileLookup, folder: &str, from: Option<&str>) -> String {
        let only = from.and_then(|name| self.by_name(name).ok());
        let parts: Vec<&str> = folder.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
        let folder = parts.join("/");
        if parts.is_empty() || only.is_some_and(|tool| tool.name() == "plain") {
            return folder;
        }
        let tools = || self.iter().filter(|tool| only.is_none_or(|only| only.name() == tool.name()));
        let own = FolderView::within(files, &folder);
        if let Some((tool, config)) = tools().find_map(|tool| Some((tool, tool.detect(&own)?)))
            && (only.is_some() || tool.is_certain())
        {
            return parts[..parts.len().saturating_sub(tool.levels_above(&own, &config))].join("/");
        }
        for count in (0..parts.len()).rev() {
            let (above, inside) = (parts[..count].join("/"), parts[count..].join("/"));
            let view = FolderView::within(files, &above);
            if let Some((tool, config)) = tools().find_map(|tool| Some((tool, project_around(tool, &view, &inside)?))) {
                let count = count.saturating_sub(tool.levels_above(&view, &config));
                return parts.get(..count).unwrap_or_default().join("/");
            }
        }
        folder
    }
}

/// The configuration of a project whose pages lie in a folder, or around it.
fn project_around(tool: &dyn Tool, view: &FolderView<'_>, inside: &str) -> Option<String> {
    let config = tool.detect(view)?;
    let mut folders = std::iter::successors(Some(inside), |path| path.rsplit_once('/').map(|(above, _)| above));
    folders.any(|folder| tool.stands_for(view, &config, folder)).then_some(config)
}
