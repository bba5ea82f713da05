//! VitePress: `.vitepress/config.*`.

use crate::source::site::config::Config;
use crate::source::site::problems::Problems;
use crate::source::site::tree::SourceTree;

use super::script;
use super::view::SCRIPTS;
use super::{Opening, Project, Tool, View};

/// VitePress.
#[derive(Debug)]
pub(super) struct VitePress;

impl Tool for VitePress {
    fn name(&self) -> &'static str {
        "vitepress"
    }

    fn title(&self) -> &'static str {
        "VitePress"
    }

    fn detect(&self, folder: &View<'_>) -> Option<String> {
        const FOLDERS: [&str; 5] =
            [".vitepress/", "docs/.vitepress/", "doc/.vitepress/", "website/.vitepress/", "site/.vitepress/"];
        folder.first_of(&FOLDERS, "config", &SCRIPTS).or_else(|| folder.first_of(&FOLDERS, "config/index", &SCRIPTS))
    }

    fn open(&self, source: &Opening<'_>, problems: &mut Problems) -> Option<Box<dyn Project>> {
        let value = source.evaluated(problems);
        Some(Box::new(Settings { name: script::text(&value, &["title"]).map(str::to_owned) }))
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
