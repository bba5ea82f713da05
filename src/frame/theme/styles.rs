//! The program's style sheets that not every page loads.
//!
//! Pages of a site share them. A page that needs many of them loads one sheet of all instead, which other pages of the
//! same needs share: compressed together they are smaller by a fifth.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{LazyLock, PoisonError, RwLock};

use memchr::memmem::Finder;

use super::minify;
use super::theme_file::{ThemeFile, fingerprinted};
use crate::base::url;

/// A style sheet of what not every page holds: its name, the marks of such content, its text. Only pages with one of
/// the marks load it.
type Rare = (&'static str, &'static [&'static str], &'static str);

/// In the order of the cascade.
pub(super) const RARE_STYLES: [Rare; 27] = [
    (
        "elements.css",
        &["<abbr", "<dt", "<kbd", "<mark", "class=\"task"],
        include_str!("../../../templates/css/elements.css"),
    ),
    ("table.css", &["<table"], include_str!("../../../templates/css/table.css")),
    ("absent.css", &["class=\"image-placeholder"], include_str!("../../../templates/css/absent.css")),
    ("api.css", &["class=\"api\""], include_str!("../../../templates/css/api.css")),
    (
        "aside.css",
        &["class=\"api-example", "class=\"example", "class=\"panel"],
        include_str!("../../../templates/css/aside.css"),
    ),
    ("badge.css", &["class=\"badge"], include_str!("../../../templates/css/badge.css")),
    ("callout.css", &["class=\"callout"], include_str!("../../../templates/css/callout.css")),
    (
        "cards.css",
        &["class=\"card", "class=\"columns", "class=\"tile"],
        include_str!("../../../templates/css/cards.css"),
    ),
    ("color.css", &["data-component=\"Color\""], include_str!("../../../templates/css/color.css")),
    ("contents.css", &["class=\"op-contents\""], include_str!("../../../templates/css/contents.css")),
    ("fields.css", &["class=\"field"], include_str!("../../../templates/css/fields.css")),
    (
        "fold.css",
        &["class=\"accordion", "class=\"details-body", "class=\"expandable", "class=\"tree-box\""],
        include_str!("../../../templates/css/fold.css"),
    ),
    ("footnotes.css", &["class=\"footnote"], include_str!("../../../templates/css/footnotes.css")),
    ("frame.css", &["class=\"frame"], include_str!("../../../templates/css/frame.css")),
    ("media.css", &["class=\"media-placeholder"], include_str!("../../../templates/css/media.css")),
    ("mermaid.css", &["class=\"mermaid"], include_str!("../../../templates/css/mermaid.css")),
    ("notice.css", &["class=\"op-notice", "class=\"page-failure"], include_str!("../../../templates/css/notice.css")),
    ("prompt.css", &["data-component=\"Prompt\""], include_str!("../../../templates/css/prompt.css")),
    ("steps.css", &["class=\"step"], include_str!("../../../templates/css/steps.css")),
    (
        "switchers.css",
        &["class=\"variation", "class=\"view", "data-component=\"Update\""],
        include_str!("../../../templates/css/switchers.css"),
    ),
    (
        "tabs.css",
        &[
            "class=\"api-example",
            "class=\"code-group",
            "class=\"example",
            "class=\"tab",
            "class=\"variation",
            "class=\"view",
        ],
        include_str!("../../../templates/css/tabs.css"),
    ),
    ("tooltip.css", &["class=\"tooltip"], include_str!("../../../templates/css/tooltip.css")),
    ("tree.css", &["class=\"tree-box\""], include_str!("../../../templates/css/tree.css")),
    ("update.css", &["data-component=\"Update\""], include_str!("../../../templates/css/update.css")),
    ("zoom.css", &["<img "], include_str!("../../../templates/css/zoom.css")),
    (CODE, &["class=\"code-block"], include_str!("../../../templates/css/code.css")),
    ("lines.css", &["class=\"line", "class=\"code-expand"], include_str!("../../../templates/css/lines.css")),
];

/// The one that the rules of highlighted code follow.
const CODE: &str = "code.css";

/// What the marks begin with: one search for each finds all of them.
static MARKED: LazyLock<[Finder<'static>; 8]> = LazyLock::new(|| {
    ["class=\"", "data-component=\"", "<img ", "<table", "<abbr", "<dt", "<kbd", "<mark"].map(Finder::new)
});

/// The marks of what an island may show later.
pub(super) const LATER_MARKS: &str =
    "<table <kbd class=\"image-placeholder class=\"media-placeholder class=\"details-body";

/// The mark of a page of the assistant, whose notice stands in its frame.
pub(super) const NOTICE_MARK: &str = "class=\"op-notice";

/// Most bytes of these sheets that a page loads one by one, uncompressed: about 4 kB compressed.
const MAX_APART_BYTES: usize = 12 * 1024;

/// A style sheet of what not every page holds.
#[derive(Debug)]
struct RareStyle {
    marks: &'static [&'static str],
    file: ThemeFile,
}

impl RareStyle {
    /// Whether content is marked as its own from here on.
    fn is_for(&self, html: &str) -> bool {
        self.marks.iter().any(|mark| html.starts_with(mark))
    }

    /// Whether an island's data, JSON with HTML in its texts, needs it for what it may show later.
    fn is_for_data(&self, json: &str) -> bool {
        !json.is_empty() && self.marks.iter().any(|mark| json.contains(&mark.replace('"', "\\\"")))
    }
}

/// A choice among the program's style sheets that not every page loads, in the order of their links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Styles(u32);

impl Styles {
    pub(super) const MATH: Self = Self(1);

    /// One of the rare ones.
    const fn rare(number: usize) -> Self {
        Self(1 << (number + 1))
    }

    pub(super) fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    pub(super) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// The style sheets of what not every page holds.
#[derive(Debug)]
pub(super) struct RareStyles {
    /// In the order of [`RARE_STYLES`].
    rare: Vec<RareStyle>,
    /// Those of pages that need many, joined, by what they need.
    joined: RwLock<BTreeMap<Styles, ThemeFile>>,
}

impl RareStyles {
    /// `code_colors`: the rules of highlighted code.
    pub(super) fn new(code_colors: &str) -> Self {
        let made = RARE_STYLES.iter().map(|(name, marks, sheet)| {
            let mut css = minify::css(sheet);
            if *name == CODE {
                css.push_str(code_colors);
            }
            RareStyle { marks, file: fingerprinted(name.trim_end_matches(".css"), "css", css.into_bytes()) }
        });
        Self { rare: made.collect(), joined: RwLock::default() }
    }

    /// The files that pages may share one by one.
    pub(super) fn files(&self) -> impl Iterator<Item = ThemeFile> {
        self.rare.iter().map(|style| style.file.clone())
    }

    /// Those that some content needs. `islands`: the data of islands.
    pub(super) fn of_content(&self, contents: &[&str], islands: &str) -> Styles {
        let mut needed = Styles::default();
        for (number, style) in self.rare.iter().enumerate() {
            if style.is_for_data(islands) {
                needed.add(Styles::rare(number));
            }
        }
        for (html, start) in contents.iter().flat_map(|html| MARKED.iter().map(move |start| (html, start))) {
            for at in start.find_iter(html.as_bytes()) {
                // highlighted code has a class on every token, whose second letter is a capital
                if html.as_bytes().get(at + start.needle().len() + 1).is_some_and(u8::is_ascii_uppercase)
                    && start.needle().starts_with(b"class")
                {
                    continue;
                }
                let marked = self.rare.iter().enumerate().filter(|(_, style)| style.is_for(&html[at..]));
                marked.for_each(|(number, _)| needed.add(Styles::rare(number)));
            }
        }
        needed
    }

    /// The links to a choice of them, HTML, and the joined file if there are many. `root`: the way from the page to the
    /// bundle's root.
    pub(super) fn links(&self, styles: Styles, root: &str) -> (String, Option<ThemeFile>) {
        let mut out = String::new();
        let mut link = |file: &ThemeFile| {
            let _ = writeln!(out, "<link rel=\"stylesheet\" href=\"{root}{}\">", url::encode_path(file.path.as_str()));
        };
        if self.chosen(styles).map(|file| file.bytes.len()).sum::<usize>() <= MAX_APART_BYTES {
            self.chosen(styles).for_each(link);
            return (out, None);
        }
        // formulas have a sheet of their own
        let key = Styles(styles.0 & !Styles::MATH.0);
        let known = self.joined.read().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        let file = known.unwrap_or_else(|| {
            let css: Vec<&[u8]> = self.chosen(key).map(|file| file.bytes.as_slice()).collect();
            let file = fingerprinted("parts", "css", css.concat());
            self.joined.write().unwrap_or_else(PoisonError::into_inner).insert(key, file.clone());
            file
        });
        link(&file);
        (out, Some(file))
    }

    fn chosen(&self, styles: Styles) -> impl Iterator<Item = &ThemeFile> {
        let numbered = self.rare.iter().enumerate();
        numbered.filter(move |(number, _)| styles.has(Styles::rare(*number))).map(|(_, style)| &style.file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_is_found() {
        let styles = RareStyles::new("");
        for (style, (_, marks, _)) in styles.rare.iter().zip(RARE_STYLES) {
            for mark in marks {
                let html = format!("<p class=\"x\">a</p><div {mark}>");
                let (links, _) = styles.links(styles.of_content(&["", &html], ""), "../");
                assert!(links.contains(&format!("href=\"../{}\"", style.file.path)), "{mark}: {links}");
                assert!(style.is_for_data(&html.replace('"', "\\\"")), "{mark}");
            }
        }
        assert_eq!(styles.of_content(&["<p class=\"mermai\"><i class=\"cA\">"], ""), Styles::default());
    }

    #[test]
    fn colors_of_code_come_with_its_style_sheet_alone() {
        let styles = RareStyles::new(".i{color:red}");
        let with_colors = styles.rare.iter().filter(|style| style.file.bytes.ends_with(b".i{color:red}"));
        assert_eq!(with_colors.map(|style| style.marks.join(" ")).collect::<Vec<_>>(), ["class=\"code-block"]);
    }

    #[test]
    fn many_are_joined_in_the_order_of_the_cascade() {
        let styles = RareStyles::new("");
        let few = styles.of_content(&["<img src=a><div class=\"callout\"><div class=\"step\">"], "");
        let (links, joined) = styles.links(few, "");
        assert!(links.lines().count() == 3 && joined.is_none(), "{links}");
        let mut many = few;
        many.add(styles.of_content(&["<table><div class=\"code-block\"><div class=\"tabs\"><div class=\"card\">"], ""));
        let (links, joined) = styles.links(many, "../");
        many.add(Styles::MATH);
        assert_eq!(links, styles.links(many, "../").0, "formulas have a sheet of their own");
        let joined = joined.expect("a file");
        assert_eq!(links, format!("<link rel=\"stylesheet\" href=\"../{}\">\n", joined.path));
        let css = String::from_utf8(joined.bytes).expect("UTF-8");
        let places = [".table-scroll{", ".callout{", ".steps{", ".code-block{"].map(|part| css.find(part));
        assert!(places.is_sorted() && places[0].is_some(), "{places:?}");
    }
}
