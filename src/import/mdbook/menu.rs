//! The navigation: parts as groups, chapters with their numbers, drafts without a page.

use load::Site;
use nav::NodeKind;
use nav::order::{MenuItem, PageOrder};
use nav::summary::BookEntry;

use super::{
    BookSource,
    chapters::{chapter_address, chapter_path},
};

/// The order of the pages: that of the list, or that of the folders if there is none.
pub(super) fn mdbook_order(book: &BookSource, site: &Site) -> PageOrder {
    if book.chapters.items.is_empty() {
        return PageOrder::Folders;
    }
    let mut list = MdBookList { book, site, rest: &book.chapters.items, chapters: 0 };
    let items = list.parts();
    PageOrder::Menu(match &book.settings.language {
        Some(language) if language != "en" => {
            let (kind, key) = (NodeKind::Language, language.clone());
            vec![MenuItem { kind, label: key.clone(), key, default: true, children: items, ..MenuItem::default() }]
        }
        _ => items,
    })
}

struct MdBookList<'a> {
    book: &'a BookSource,
    site: &'a Site,
    /// Entries that have no place yet.
    rest: &'a [BookEntry],
    /// Chapters of the first level so far: they are counted through all parts.
    chapters: usize,
}

impl MdBookList<'_> {
    fn parts(&mut self) -> Vec<MenuItem> {
        let mut out = Vec::new();
        while let Some((item, rest)) = self.rest.split_first() {
            if item.in_list {
                out.extend(self.chapters(item.depth, "", 0));
                continue;
            }
            self.rest = rest;
            if item.target.is_empty() {
                let depth = rest.first().map_or(0, |first| first.depth);
                out.push(MenuItem { expanded: true, ..MenuItem::group(&item.label, self.chapters(depth, "", 0)) });
            } else {
                out.push(self.entry(item, item.label.clone()));
            }
        }
        out
    }

    /// The chapters that follow in a list, with those below them. `before`: the number of the chapter above.
    fn chapters(&mut self, depth: usize, before: &str, level: usize) -> Vec<MenuItem> {
        let mut out = Vec::new();
        while let Some((item, rest)) = self.rest.split_first().filter(|(item, _)| item.in_list && item.depth >= depth) {
            self.rest = rest;
            let count = if level == 0 { self.chapters + 1 } else { out.len() + 1 };
            self.chapters += usize::from(level == 0);
            let number = format!("{before}{count}.");
            let label =
                if self.book.settings.is_unnumbered { item.label.clone() } else { format!("{number} {}", item.label) };
            let mut entry = self.entry(item, label);
            let below = rest.first().filter(|next| next.in_list && next.depth > item.depth);
            if let Some(below) = below {
                entry.children = self.chapters(below.depth, &number, level + 1);
                entry.kind = NodeKind::Group;
                entry.expanded = self.book.settings.open_levels.is_none_or(|levels| level < levels);
            }
            out.push(entry);
        }
        out
    }

    fn entry(&self, item: &BookEntry, label: String) -> MenuItem {
        let page = chapter_path(&self.book.pages, &item.target).and_then(|path| {
            let inside = self.book.inside(&path)?;
            self.site.find_page(&chapter_address(inside))
        });
        if page.is_none() && item.target.contains("://") {
            let href = Some(item.target.clone());
            return MenuItem { kind: NodeKind::Link, label, href, ..MenuItem::default() };
        }
        let is_draft = item.target.is_empty();
        MenuItem { kind: NodeKind::Page, label, page, is_draft, ..MenuItem::default() }
    }
}
