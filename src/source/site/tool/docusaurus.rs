//! Docusaurus: `docusaurus.config.*` beside or above `docs`.

use crate::source::site::config::Config;
use crate::source::site::problems::Problems;
use crate::source::site::tree::SourceTree;

use super::script;
use super::view::SCRIPTS;
use super::{Opening, Project, Tool, View};

/// Docusaurus.
#[derive(Debug)]
pub(super) struct Docusaurus;

impl Tool for Docusaurus {
    fn name(&self) -> &'static str {
        "docusaurus"
    }

    fn title(&self) -> &'static str {
        "Docusaurus"
    }

    fn detect(&self, folder: &View<'_>) -> Option<String> {
        folder.first_of(&["", "website/", "docs/", "site/"], "docusaurus.config", &SCRIPTS)
    }

    fn stands_for(&self, project: &View<'_>, config: &str, folder: &str) -> bool {
        let beside = crate::source::site::tree::folder(config);
        let docs = if beside.is_empty() { "docs".to_owned() } else { format!("{beside}/docs") };
        folder == docs || folder == "docs" && self.levels_above_of(project, config) > 0 || folder == beside
    }

    fn levels_above(&self, folder: &View<'_>, config: &str) -> usize {
        if config.contains('/') { 0 } else { self.levels_above_of(folder, config) }
    }

    fn open(&self, source: &Opening<'_>, problems: &mut Problems) -> Option<Box<dyn Project>> {
        let value = source.evaluated(problems);
        Some(Box::new(Settings { name: script::text(&value, &["title"]).map(str::to_owned) }))
    }
}

impl Docusaurus {
    /// `path: '../docs'`: the configuration is a program that has not run yet, so its text is looked at.
    fn levels_above_of(&self, folder: &View<'_>, config: &str) -> usize {
        let text = folder.text(config).unwrap_or_default();
        let paths = text.match_indices("path:").map(|(at, key)| text[at + key.len()..].trim_start());
        let levels = paths.map(|rest| {
            let path = rest.trim_start_matches(['"', '\'', '`']);
            path.split('/').take_while(|part| *part == "..").count()
        });
        levels.max().unwrap_or(0).min(2)
    }
}

/// What its configuration says.
#[derive(Debug)]
struct Settings {
    name: Option<String>,
}

impl Project for Settings {
    fn configure(&self, config: &mut Config, _tree: &SourceTree) {
        if let Some(name) = &self.name {
            config.name.clone_from(name);
        }
    }
}
