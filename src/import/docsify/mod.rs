//! Docsify: an `index.html` that loads it, and Markdown files beside it, which are shown as they are.
//!
//! `config` reads the options in `index.html`; `menu` makes the navigation of `_sidebar.md` and `_navbar.md`; `text` writes
//! what only Docsify knows as Markdown.

mod config;
mod menu;
mod text;

use base::{Description, Place, Problem};
use load::Site;
use load::tool::script::text_at;
use load::tool::{FolderView, PageFacts, PageSource, Project, RenderedText, SourceLayout, Tool, ToolInput};
use nav::order::PageOrder;
use site::config::{Config, Logo, NavbarLink};
use site::heading_ids::HeadingIds;
use site::problems::LoadProblems;
use site::tree::SourceTree;
use site::values::Pair;

use super::web;
use config::DocsifyConfig;

/// Docsify.
#[derive(Debug)]
pub(super) struct Docsify;

impl Tool for Docsify {
    fn name(&self) -> &'static str {
        "docsify"
    }

    fn title(&self) -> &'static str {
        "Docsify"
    }

    fn detect(&self, folder: &FolderView<'_>) -> Option<String> {
        const PAGES: [&str; 6] = [
            "index.html",
            "docs/index.html",
            "doc/index.html",
            "website/index.html",
            "site/index.html",
            "documentation/index.html",
        ];
        let marks = ["$docsify", "docsify.min.js", "/docsify.js", "npm/docsify"];
        let is_one = |path: &&&str| folder.text(path).is_some_and(|text| marks.iter().any(|mark| text.contains(mark)));
        PAGES.iter().find(is_one).map(|path| (*path).to_owned())
    }

    fn stands_for(&self, _project: &FolderView<'_>, config: &str, folder: &str) -> bool {
        site::tree::folder(config) == folder
    }

    fn open(&self, source: &ToolInput<'_>, problems: &mut LoadProblems) -> Option<Box<dyn Project>> {
        let options = DocsifyConfig::read(source, problems);
        let config_files = options.parts().map(str::to_owned).collect();
        let layout = SourceLayout { config_files, ..SourceLayout::of_folder(&options.folder) };
        Some(Box::new(DocsifySite { options, layout }))
    }
}

/// A site and its options.
#[derive(Debug)]
struct DocsifySite {
    options: DocsifyConfig,
    layout: SourceLayout,
}

impl Project for DocsifySite {
    fn layout(&self) -> &SourceLayout {
        &self.layout
    }

    fn heading_ids(&self) -> HeadingIds {
        HeadingIds::Docsify
    }

    fn heading_words(&self, _page: &PageSource<'_>, words: &str) -> Option<String> {
        text::heading_words(words)
    }

    fn shows_descriptions(&self) -> bool {
        false
    }

    fn read_page(&self, source: &PageSource<'_>, facts: &mut PageFacts) {
        let Some(inside) = self.options.inside(source.path) else { return };
        let name = inside.rsplit('/').next().unwrap_or_default();
        // parts of the frame, and those that pages include
        facts.is_part = inside.split('/').any(|part| part.starts_with('_'))
            || self.options.is_part(source.path, inside)
            || matches!(name, "CNAME" | "404.md")
            || !inside.ends_with(".md");
        // a part of others may be a page under a name that the options give it
        for (route, _) in self.options.aliases.iter().filter(|(_, file)| file == inside) {
            if facts.is_part && name.ends_with(".md") {
                (facts.is_part, facts.address) = (false, Some(route.clone()));
            } else {
                facts.aliases.push(route.clone());
            }
        }
        let home = self.options.homepage();
        if inside == home && home != "README.md" {
            facts.address = Some("index".to_owned());
        }
    }

    fn configure(&self, config: &mut Config, tree: &SourceTree) {
        let value = &self.options.value;
        let name = text_at(value, &["name"]).map(web::plain_label).filter(|name| !name.is_empty());
        if let Some(name) = name.or_else(|| self.options.title.clone()) {
            config.name = name;
        }
        config.description = self.options.description.clone().map(Description::new);
        let color = text_at(value, &["themeColor"]).and_then(web::normalize_hex_color);
        web::set_colors(&mut config.colors, &(color, None), ["#42b983", "#42b983"]);
        let logo = text_at(value, &["logo"]).and_then(|path| self.options.picture(path, tree));
        config.logo = logo.map(|path| Logo { image: Pair { light: path.clone(), dark: path }, ..Logo::default() });
        config.favicon = self
            .options
            .icon
            .as_deref()
            .and_then(|path| self.options.picture(path, tree))
            .map(|path| Pair { light: path.clone(), dark: path });
        let links = menu::navbar_links(&self.options).into_iter();
        config.navbar.links = links.map(|(label, href)| NavbarLink { label, href, ..NavbarLink::default() }).collect();
        if let Some(repository) = text_at(value, &["repo"]) {
            let is_address = repository.contains("://");
            let href = if is_address { repository.to_owned() } else { format!("https://github.com/{repository}") };
            let kind = href.contains("//github.com/").then(|| "github".to_owned());
            let label = if kind.is_some() { "GitHub" } else { "Repository" }.to_owned();
            config.navbar.links.push(NavbarLink { label, href, icon: None, kind });
        }
    }

    fn navigation(&self, site: &Site) -> PageOrder {
        menu::sidebar(&self.options, site).map_or(PageOrder::Folders, PageOrder::Menu)
    }

    fn includes_files(&self) -> bool {
        true
    }

    fn rewrite(&self, text: &RenderedText<'_>, problems: &mut Vec<Problem>) -> Option<Vec<(String, Place)>> {
        Some(text::rewrite_docsify_text(&self.options, text, problems))
    }
}
