//! Obsidian: a folder of notes with `.obsidian` in it, or the `content` of a Quartz site.
//!
//! `vault` finds the notes and files that links name; `text` writes what only Obsidian knows as Markdown: `links` what
//! stands in double brackets, `callout` quotes with a kind, `embed` the parts of other notes; `menu` makes the order.

mod callout;
mod embed;
mod links;
mod menu;
mod text;
mod vault;

use serde_json::Value;

use base::github_slug::github_slug;
use base::{Place, Problem};
use load::Site;
use load::tool::script::{json_at_path, text_at};
use load::tool::{FolderView, PageFacts, PageSource, Project, RenderedText, SourceLayout, Tool, ToolInput};
use nav::order::PageOrder;
use site::config::Config;
use site::heading_ids::HeadingIds;
use site::problems::LoadProblems;
use site::title::find_page_title;
use site::tree::{self, SourceTree};
use site::yaml::Yaml;

use super::web::normalize_hex_color;
use vault::Vault;

/// Obsidian.
#[derive(Debug)]
pub(super) struct Obsidian;

impl Tool for Obsidian {
    fn name(&self) -> &'static str {
        "obsidian"
    }

    fn title(&self) -> &'static str {
        "Obsidian"
    }

    fn detect(&self, folder: &FolderView<'_>) -> Option<String> {
        const FOLDERS: [&str; 5] = ["", "docs/", "vault/", "notes/", "content/"];
        const FILES: [&str; 6] = ["app", "core-plugins", "community-plugins", "appearance", "workspace", "graph"];
        let settings = FILES.iter().find_map(|name| {
            let file = format!(".obsidian/{name}");
            folder.first_of(&FOLDERS, &file, &[".json"])
        });
        settings.or_else(|| folder.first(["quartz.config.ts"]).filter(|_| folder.has_folder("content")))
    }

    fn stands_for(&self, _project: &FolderView<'_>, config: &str, folder: &str) -> bool {
        notes_folder(config) == folder
    }

    fn open(&self, source: &ToolInput<'_>, _problems: &mut LoadProblems) -> Option<Box<dyn Project>> {
        let folder = notes_folder(source.config);
        let settings = |name: &str| {
            let path = tree::join_document_path(&folder, &format!(".obsidian/{name}.json"))?;
            serde_json::from_str::<Value>(&source.text(&path)?).ok()
        };
        let app = settings("app").unwrap_or_default();
        let accent = settings("appearance").and_then(|value| normalize_hex_color(text_at(&value, &["accentColor"])?));
        Some(Box::new(ObsidianNotes {
            vault: Vault::of_tree(source, &folder),
            breaks_lines: json_at_path(&app, &["strictLineBreaks"]).as_bool() != Some(true),
            accent,
            layout: SourceLayout::of_folder(&folder),
        }))
    }
}

/// The folder of the notes, by the file that the project is recognized by.
fn notes_folder(config: &str) -> String {
    let folder = tree::folder(config);
    match folder.strip_suffix(".obsidian") {
        Some(notes) => notes.trim_end_matches('/').to_owned(),
        None if config.ends_with("quartz.config.ts") => "content".to_owned(),
        None => folder.to_owned(),
    }
}

/// A vault and how it is shown.
#[derive(Debug)]
struct ObsidianNotes {
    vault: Vault,
    /// The end of a line is one on the page.
    breaks_lines: bool,
    accent: Option<String>,
    layout: SourceLayout,
}

impl Project for ObsidianNotes {
    fn layout(&self) -> &SourceLayout {
        &self.layout
    }

    fn known_keys(&self) -> Option<&'static [&'static str]> {
        Some(&["title", "description", "keywords"])
    }

    fn heading_ids(&self) -> HeadingIds {
        HeadingIds::GitHub
    }

    fn read_page(&self, source: &PageSource<'_>, facts: &mut PageFacts) {
        if source.path.split('/').any(|part| matches!(part, ".obsidian" | ".trash")) {
            facts.is_part = true;
            return;
        }
        let is_off = source.flag("publish") == Some(false);
        facts.is_draft |= is_off || source.flag("draft") == Some(true);
        if let Some(address) = source.text("permalink").map(|address| address.trim_matches('/')) {
            facts.address = Some(address.to_owned()).filter(|address| !address.is_empty());
        }
        for tag in names_of(source.value("tags").or_else(|| source.value("tag"))) {
            facts.meta.keywords.push(tag.trim_start_matches('#').to_owned());
        }
        let is_named = find_page_title(source.body).is_some_and(|heading| heading.level == 1 && heading.is_first);
        if !facts.meta.title_given && !is_named {
            let name = source.path.rsplit('/').next().unwrap_or_default();
            let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
            if !matches!(stem.to_lowercase().as_str(), "index" | "readme") {
                (facts.meta.title, facts.meta.title_given) = (stem.to_owned(), true);
            }
        }
    }

    fn configure(&self, config: &mut Config, _tree: &SourceTree) {
        if let Some(accent) = &self.accent {
            config.colors.primary.clone_from(accent);
            config.colors.light.clone_from(accent);
            config.colors.dark.clone_from(accent);
        }
    }

    fn navigation(&self, site: &Site) -> PageOrder {
        PageOrder::Menu(menu::folders_and_notes(site, &self.vault))
    }

    fn rewrite(&self, text: &RenderedText<'_>, problems: &mut Vec<Problem>) -> Option<Vec<(String, Place)>> {
        text::rewrite_note(self, text, problems)
    }
}

/// The texts of a list, or those of a text between commas.
fn names_of(value: Option<&Yaml>) -> Vec<&str> {
    let texts = match value {
        Some(Yaml::List(list)) => list.iter().filter_map(Yaml::as_text).collect(),
        Some(Yaml::Text(text)) => text.split(',').collect(),
        _ => Vec::new(),
    };
    texts.into_iter().map(str::trim).filter(|text| !text.is_empty()).collect()
}

/// The anchor of a heading that a link names by its words.
fn heading_anchor(words: &str) -> String {
    let plain = words.trim().replace(['*', '`', '='], "");
    github_slug(&plain)
}
