//! Starlight, the documentation theme of Astro: `astro.config.*` above `src/content/docs`.

use serde_json::Value;

use crate::source::site::config::Config;
use crate::source::site::problems::Problems;
use crate::source::site::tree::SourceTree;

use super::script;
use super::view::SCRIPTS;
use super::{Opening, Project, Tool, View};

/// Starlight.
#[derive(Debug)]
pub(super) struct Starlight;

/// Where the pages lie, from the folder of the configuration.
const PAGES: &str = "src/content/docs";

impl Tool for Starlight {
    fn name(&self) -> &'static str {
        "starlight"
    }

    fn title(&self) -> &'static str {
        "Starlight"
    }

    fn detect(&self, folder: &View<'_>) -> Option<String> {
        const FOLDERS: [&str; 4] = ["", "docs/", "website/", "site/"];
        let found = folder.first_of(&FOLDERS, "astro.config", &SCRIPTS)?;
        folder.text(&found).is_some_and(|text| text.contains("starlight")).then_some(found)
    }

    fn stands_for(&self, _project: &View<'_>, config: &str, folder: &str) -> bool {
        let beside = crate::source::site::tree::folder(config);
        let pages = if beside.is_empty() { PAGES.to_owned() } else { format!("{beside}/{PAGES}") };
        pages == folder || pages.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
    }

    fn open(&self, source: &Opening<'_>, problems: &mut Problems) -> Option<Box<dyn Project>> {
        let value = source.evaluated(problems);
        Some(Box::new(Settings { name: script::text(starlight(&value), &["title"]).map(str::to_owned) }))
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

/// The options of the integration.
fn starlight(value: &Value) -> &Value {
    let all = script::at(value, &["integrations"]).as_array().map_or(&[][..], Vec::as_slice);
    let own = all.iter().find(|one| script::text(one, &["$from"]) == Some("@astrojs/starlight"));
    own.map_or(&Value::Null, |own| own.get("$with").and_then(|given| given.get(0)).unwrap_or(&Value::Null))
}
