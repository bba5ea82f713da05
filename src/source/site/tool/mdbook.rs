//! mdBook: `book.toml` above the folder of the pages, whose `SUMMARY.md` is their order.

use crate::source::nav::order::Order;
use crate::source::site::Site;
use crate::source::site::config::Config;
use crate::source::site::problems::Problems;
use crate::source::site::tree::{self, SourceTree};

use super::layout::inside;
use super::{Layout, Opening, Project, Tool, View};

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

    fn detect(&self, folder: &View<'_>) -> Option<String> {
        folder.first(["book.toml", "docs/book.toml", "book/book.toml", "guide/book.toml"])
    }

    fn stands_for(&self, project: &View<'_>, config: &str, folder: &str) -> bool {
        let book = project.text(config).and_then(|text| Settings::read(&text)).unwrap_or_default();
        inside(tree::folder(config), &book.source).is_some_and(|pages| pages == folder)
    }

    fn open(&self, source: &Opening<'_>, _problems: &mut Problems) -> Option<Box<dyn Project>> {
        let settings = source.text(source.config).and_then(|text| Settings::read(&text)).unwrap_or_default();
        let folder = inside(source.folder(), &settings.source)?;
        Some(Box::new(Book { settings, layout: Layout::of_folder(&folder) }))
    }
}

/// What `book.toml` says.
#[derive(Debug)]
struct Settings {
    title: Option<String>,
    source: String,
}

impl Default for Settings {
    fn default() -> Self {
        Self { title: None, source: "src".to_owned() }
    }
}

impl Settings {
    fn read(text: &str) -> Option<Self> {
        let table: toml::Table = text.parse().ok()?;
        let text = |key: &str| {
            table.get("book")?.get(key)?.as_str().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
        };
        Some(Self { title: text("title"), source: text("src").unwrap_or_else(|| Self::default().source) })
    }
}

#[derive(Debug)]
struct Book {
    settings: Settings,
    layout: Layout,
}

impl Project for Book {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn configure(&self, config: &mut Config, _tree: &SourceTree) {
        if let Some(title) = &self.settings.title {
            config.name.clone_from(title);
        }
    }

    /// The list is the page `SUMMARY`, which folders without a tool look for too.
    fn navigation(&self, _site: &Site) -> Order {
        Order::Folders
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_and_folders_are_read() {
        let read = |text: &str| Settings::read(text).map(|it| (it.title, it.source));
        assert_eq!(read("[book]\ntitle = \" B \"\nsrc = \"text\"\n"), Some((Some("B".to_owned()), "text".to_owned())));
        assert_eq!(read("[output]\n"), Some((None, "src".to_owned())));
        assert_eq!(read("[book"), None);
    }
}
