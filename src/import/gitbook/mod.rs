//! GitBook: a `SUMMARY.md`, and `.gitbook.yaml`, which may say where it and the pages lie.
//!
//! `settings` reads `.gitbook.yaml`, `front` the front matter. `text` goes through the lines of a page: `blocks` writes
//! `{% hint %}` … `{% endhint %}` as components, `api` those that describe requests, `cards` tables that are shown as
//! cards, `inline` what stands among words.

mod api;
mod blocks;
mod cards;
mod front;
mod inline;
mod settings;
mod text;

use rustc_hash::FxHashSet;

use base::{Place, Problem};
use load::Site;
use load::tool::{
    FolderView, Mount, PageFacts, PageSource, Project, RenderedText, SourceLayout, Tool, ToolInput, path_in_source_root,
};
use nav::order::PageOrder;
use nav::summary::{self, parse_summary};
use site::problems::LoadProblems;

use settings::GitBookSettings;

/// GitBook.
#[derive(Debug)]
pub(super) struct GitBook;

/// The folder of files and parts that pages share.
const SHARED: &str = ".gitbook";

impl Tool for GitBook {
    fn name(&self) -> &'static str {
        "gitbook"
    }

    fn title(&self) -> &'static str {
        "GitBook"
    }

    fn is_certain(&self) -> bool {
        false
    }

    fn detect(&self, folder: &FolderView<'_>) -> Option<String> {
        let has_list = |path: &&str| folder.text(path).is_some_and(|text| text.contains("]("));
        folder
            .first([".gitbook.yaml", ".gitbook.yml"])
            .or_else(|| ["SUMMARY.md"].iter().find(|path| has_list(path)).map(|path| (*path).to_owned()))
    }

    fn stands_for(&self, project: &FolderView<'_>, config: &str, folder: &str) -> bool {
        let text = project.text(config).filter(|_| config.ends_with("ml")).unwrap_or_default();
        let settings = GitBookSettings::read(&text);
        !settings.folder.is_empty() && settings.folder == folder
    }

    fn open(&self, source: &ToolInput<'_>, problems: &mut LoadProblems) -> Option<Box<dyn Project>> {
        let text = source.text(source.config).filter(|_| source.config.ends_with("ml"));
        let settings = GitBookSettings::read(text.as_deref().unwrap_or_default());
        let list = path_in_source_root(&settings.folder, &settings.list)?;
        let list_text = source.text(&list).unwrap_or_default();
        let items = parse_summary(&list_text);
        settings::tell_generated_entries(&list, &list_text, problems);
        let shared = path_in_source_root(&settings.folder, SHARED)?;
        let has_shared = source.tree.files.iter().any(|file| is_below(&file.path, &shared));
        let is_certain = (text.is_some() || has_shared) && !items.is_empty();
        let listed = items.iter().filter_map(|item| settings::summary_entry_path(&settings.folder, &item.target));
        let listed = is_certain.then(|| listed.collect());
        let layout = SourceLayout {
            config_files: vec![list.clone(), format!("{shared}/vars.yaml")],
            statics: vec![Mount { folder: format!("{shared}/assets"), at: "assets".to_owned() }],
            shown: vec![shared],
            ..SourceLayout::of_folder(&settings.folder)
        };
        let values = source.text(&format!("{}/vars.yaml", layout.shown[0])).map(|text| settings::parse_vars(&text));
        Some(Box::new(GitBookSpace { settings, list, items, listed, values: values.unwrap_or_default(), layout }))
    }
}

/// Whether a path leads into a folder.
fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// A space of GitBook.
#[derive(Debug)]
struct GitBookSpace {
    settings: GitBookSettings,
    /// The path of the list of contents.
    list: String,
    items: Vec<summary::BookEntry>,
    /// The files that it names; `None` if others are pages too.
    listed: Option<FxHashSet<String>>,
    /// Values that pages show, by name.
    values: Vec<(String, String)>,
    layout: SourceLayout,
}

impl Project for GitBookSpace {
    fn layout(&self) -> &SourceLayout {
        &self.layout
    }

    fn read_page(&self, source: &PageSource<'_>, facts: &mut PageFacts) {
        let Some(own) = self.layout.mounts.first().and_then(|mount| mount.address(source.path)) else { return };
        if self.layout.shown.iter().any(|shared| is_below(source.path, shared)) {
            facts.is_part = true;
            return;
        }
        // where not all is sure to be GitBook's, a list of the usual name is found as the page that it is, so that links
        // to it still work
        let is_list = source.path == self.list;
        facts.is_part = is_list && (self.listed.is_some() || own != "SUMMARY.md")
            || self.listed.as_ref().is_some_and(|listed| !listed.contains(source.path));
        if let Some(address) = self.settings.address(&own, self.listed.is_some()) {
            // the list names files
            facts.aliases.extend(own.strip_suffix(".md").filter(|stem| *stem != address).map(str::to_owned));
            facts.address = Some(address);
        }
        facts.redirects.extend(self.settings.redirects_to(&own));
        front::read_gitbook_front(source, facts);
    }

    fn navigation(&self, _site: &Site) -> PageOrder {
        if self.items.is_empty() || self.listed.is_none() && self.list.ends_with("SUMMARY.md") {
            PageOrder::Folders
        } else {
            PageOrder::List(self.items.clone())
        }
    }

    fn includes_files(&self) -> bool {
        true
    }

    fn rewrite(&self, text: &RenderedText<'_>, problems: &mut Vec<Problem>) -> Option<Vec<(String, Place)>> {
        text::rewrite_gitbook_text(self, text, problems)
    }
}

#[cfg(test)]
mod tests {
    use crate::TOOLS;
    use load::LoadOptions;
    use load::testing::{Fixture, try_site};

    fn site(files: &[(&str, &str)]) -> Fixture {
        let options = LoadOptions { tools: TOOLS, ..LoadOptions::default() };
        try_site(files, &options).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn configurations_say_where_pages_lie() {
        let it = site(&[
            (".gitbook.yaml", "root: ./docs/\nredirects:\n  old/page: b.md\n"),
            ("docs/SUMMARY.md", "* [Start](README.md)\n\n## Part\n\n* [B](b.md)\n  * [C](Sub%20Folder/C_1.md)\n"),
            ("docs/README.md", "# S\n"),
            ("docs/b.md", "# B\n"),
            ("docs/Sub Folder/C_1.md", "# C\n"),
            ("docs/unlisted.md", "# Not in the list\n"),
            ("docs/.gitbook/includes/part.md", "# Part\n"),
            ("README.md", "# Repository\n"),
        ]);
        assert_eq!(it.slugs(), ["b", "index", "sub-folder/c_1"]);
        assert_eq!(it.outline(), ["Page Start", "Group Part", "  Group B", "    Page C"]);
        let redirects: Vec<&str> = it.site.config.redirects.iter().map(|redirect| redirect.source.as_str()).collect();
        assert_eq!(redirects, ["/old/page"]);
    }

    #[test]
    fn a_list_alone_leaves_no_page_out() {
        let it = site(&[("SUMMARY.md", "* [A](A.md)\n"), ("A.md", "# A\n"), ("other.md", "# Other\n")]);
        assert_eq!(it.slugs(), ["A", "SUMMARY", "other"]);
    }
}
