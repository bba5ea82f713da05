//! mdBook: `book.toml` above the folder of the pages, whose `SUMMARY.md` lists them.
//!
//! `settings` reads `book.toml`, `chapters` the list; `menu` makes the navigation, `look` the name and links of the
//! site; `text` writes what only mdBook knows as Markdown: `include` puts files in, `code` reads fences and the lines
//! that they hide, `math` the formulas of MathJax.

mod chapters;
mod code;
mod include;
mod look;
mod math;
mod menu;
mod settings;
mod text;

use base::{Place, Problem};
use load::Site;
use load::tool::{
    Dashes, FolderView, Mount, PageFacts, PageSource, Project, RenderedText, SourceLayout, Tool, ToolInput,
    path_in_source_root,
};
use nav::order::PageOrder;
use site::config::Config;
use site::heading_ids::HeadingIds;
use site::page::Dialect;
use site::problems::LoadProblems;
use site::title::find_page_title;
use site::tree::{self, SourceTree};

use chapters::{Chapters, chapter_address};
use settings::MdBookSettings;

/// mdBook.
#[derive(Debug)]
pub(super) struct MdBook;

impl Tool for MdBook {
    fn name(&self) -> &'static str {
        "mdbook"
    }

    fn title(&self) -> &'static str {
        "mdBook"
    }

    fn detect(&self, folder: &FolderView<'_>) -> Option<String> {
        folder.first(["book.toml", "docs/book.toml", "book/book.toml", "guide/book.toml", "doc/book.toml"])
    }

    fn stands_for(&self, project: &FolderView<'_>, config: &str, folder: &str) -> bool {
        let settings = project.text(config).and_then(|text| MdBookSettings::read(&text)).unwrap_or_default();
        path_in_source_root(tree::folder(config), &settings.source).is_some_and(|pages| pages == folder)
    }

    fn open(&self, source: &ToolInput<'_>, problems: &mut LoadProblems) -> Option<Box<dyn Project>> {
        let text = source.text(source.config).unwrap_or_default();
        let settings = MdBookSettings::read(&text).unwrap_or_else(|| {
            settings::tell_unread(source.config, &text, problems);
            MdBookSettings::default()
        });
        settings.tell_left_out(source.config, &text, problems);
        let pages = path_in_source_root(source.folder(), &settings.source)?;
        let chapters = Chapters::read(source, &pages, problems);
        let root = source.folder().to_owned();
        let theme = path_in_source_root(&root, &settings.theme).map(|folder| Mount { folder, at: "theme".to_owned() });
        let layout = SourceLayout {
            statics: theme.into_iter().collect(),
            config_files: vec![chapters.list.clone()],
            ..SourceLayout::of_folder(&pages)
        };
        Some(Box::new(BookSource { settings, root, pages, chapters, layout }))
    }
}

/// A book.
#[derive(Debug)]
struct BookSource {
    settings: MdBookSettings,
    /// The folder of `book.toml`.
    root: String,
    /// The folder of the pages.
    pages: String,
    chapters: Chapters,
    layout: SourceLayout,
}

impl BookSource {
    /// The path of a file from the folder of the pages.
    fn inside<'p>(&self, path: &'p str) -> Option<&'p str> {
        match self.pages.as_str() {
            "" => Some(path),
            folder => path.strip_prefix(folder)?.strip_prefix('/'),
        }
    }
}

impl Project for BookSource {
    fn layout(&self) -> &SourceLayout {
        &self.layout
    }

    fn heading_ids(&self) -> HeadingIds {
        HeadingIds::GitHub
    }

    fn shows_descriptions(&self) -> bool {
        false
    }

    fn punctuation(&self, _dialect: Dialect) -> Option<Dashes> {
        self.settings.is_typographic.then_some(Dashes::Both)
    }

    /// Only what the list names is a page; other files are parts of pages.
    fn read_page(&self, source: &PageSource<'_>, facts: &mut PageFacts) {
        let Some(inside) = self.inside(source.path) else { return };
        let Some(chapter) = self.chapters.of_file(source.path) else {
            facts.is_part = !self.chapters.items.is_empty();
            return;
        };
        facts.address = Some(chapter_address(inside));
        facts.is_draft = false;
        let heading = find_page_title(source.body).filter(|heading| heading.level == 1).map(|heading| heading.text);
        let own = include::mdbook_page_title(source.body).map(str::to_owned);
        if own.is_some() || !facts.meta.title_given && heading.is_none() {
            facts.meta.title = own.unwrap_or_else(|| chapter.to_owned());
            facts.meta.title_given = !facts.meta.title.is_empty();
            facts.meta.heading = heading;
        }
    }

    fn configure(&self, config: &mut Config, tree: &SourceTree) {
        look::configure_mdbook(self, config, tree);
    }

    fn navigation(&self, site: &Site) -> PageOrder {
        menu::mdbook_order(self, site)
    }

    fn includes_files(&self) -> bool {
        true
    }

    fn rewrite(&self, text: &RenderedText<'_>, problems: &mut Vec<Problem>) -> Option<Vec<(String, Place)>> {
        text::rewrite_mdbook_text(&self.settings, text, problems)
    }
}
