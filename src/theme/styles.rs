//! The program's style sheets that not every page loads.
//!
//! Each component has a sheet of its own, which pages of a site share. A page that needs many of them gets one sheet of all instead: compressed together they
//! are little more than half as large.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{LazyLock, PoisonError, RwLock};

use memchr::memmem::{self, Finder};

use super::files::{ThemeFile, fingerprinted};
use super::minify;
use crate::base::url;

/// A style sheet of what not every page holds: its name, the marks of such content, its text. Only pages with one of the marks load it; those without marks
/// are for pages of a shape.
type Rare = (&'static str, &'static [&'static str], &'static str);

/// In the order of the cascade.
pub(super) const RARE_STYLES: [Rare; 38] = [
    ("elements.css", &["<abbr", "<dd", "<dt", "<kbd", "<mark>", "<mark ", "class=\"task\""], include_str!("../../templates/css/elements.css")),
    ("table.css", &["<table"], include_str!("../../templates/css/table.css")),
    (MODES, &[], include_str!("../../templates/css/modes.css")),
    (LABELS, &[], include_str!("../../templates/css/labels.css")),
    (DIRECTORY, &[], include_str!("../../templates/css/directory.css")),
    (RELATED, &[], include_str!("../../templates/css/related.css")),
    (ENDPOINT, &[], include_str!("../../templates/css/endpoint.css")),
    (NOTICE, &["class=\"page-failure\""], include_str!("../../templates/css/notice.css")),
    ("absent.css", &["class=\"image-placeholder"], include_str!("../../templates/css/absent.css")),
    ("aside.css", &["class=\"example", "class=\"panel"], include_str!("../../templates/css/aside.css")),
    ("badge.css", &["class=\"badge"], include_str!("../../templates/css/badge.css")),
    ("callout.css", &["class=\"callout"], include_str!("../../templates/css/callout.css")),
    ("cards.css", &["class=\"card", "class=\"tile"], include_str!("../../templates/css/cards.css")),
    ("color.css", &["data-component=\"Color\""], include_str!("../../templates/css/color.css")),
    ("columns.css", &["class=\"card-group", "class=\"columns"], include_str!("../../templates/css/columns.css")),
    ("contents.css", &["class=\"op-contents\""], include_str!("../../templates/css/contents.css")),
    ("fields.css", &["class=\"field"], include_str!("../../templates/css/fields.css")),
    ("fold.css", &["class=\"accordion", "class=\"details-body", "class=\"expandable", "class=\"tree-box\""], include_str!("../../templates/css/fold.css")),
    ("footnotes.css", &["class=\"footnote"], include_str!("../../templates/css/footnotes.css")),
    ("frame.css", &["class=\"frame"], include_str!("../../templates/css/frame.css")),
    ("media.css", &["class=\"media-placeholder"], include_str!("../../templates/css/media.css")),
    ("mermaid.css", &["class=\"mermaid"], include_str!("../../templates/css/mermaid.css")),
    ("prompt.css", &["data-component=\"Prompt\""], include_str!("../../templates/css/prompt.css")),
    ("steps.css", &["class=\"step"], include_str!("../../templates/css/steps.css")),
    ("switchers.css", &["class=\"variation", "class=\"view", "data-component=\"Update\""], include_str!("../../templates/css/switchers.css")),
    ("tabs.css", &["class=\"code-group", "class=\"example", "class=\"tab", "class=\"variation", "class=\"view"], include_str!("../../templates/css/tabs.css")),
    ("groups.css", &["class=\"code-group", "class=\"code-tabs", "class=\"example"], include_str!("../../templates/css/groups.css")),
    ("menu.css", &["class=\"tab-menu"], include_str!("../../templates/css/menu.css")),
    ("tiles.css", &["class=\"tile"], include_str!("../../templates/css/tiles.css")),
    ("tooltip.css", &["class=\"tooltip"], include_str!("../../templates/css/tooltip.css")),
    ("tree.css", &["class=\"tree-box\""], include_str!("../../templates/css/tree.css")),
    ("update.css", &["data-component=\"Update\""], include_str!("../../templates/css/update.css")),
    ("zoom.css", &["<img "], include_str!("../../templates/css/zoom.css")),
    (CODE, &["class=\"code-block"], include_str!("../../templates/css/code.css")),
    ("headers.css", &["class=\"code-header"], include_str!("../../templates/css/headers.css")),
    ("lines.css", &["class=\"line"], include_str!("../../templates/css/lines.css")),
    ("diffs.css", &DIFFS, include_str!("../../templates/css/diffs.css")),
    ("long.css", &["class=\"code-expand"], include_str!("../../templates/css/long.css")),
];

/// Marks of lines that are added or removed.
const DIFFS: [&str; 4] = ["class=\"line diff", "class=\"line focused diff", "class=\"line highlighted diff", "class=\"line highlighted focused diff"];

/// The one that the rules of highlighted code follow.
const CODE: &str = "code.css";
/// Of pages without a page tree at their side.
pub(super) const MODES: &str = "modes.css";
/// Of pages with labels beside their title.
pub(super) const LABELS: &str = "labels.css";
/// Of pages that list the pages of their group.
pub(super) const DIRECTORY: &str = "directory.css";
/// Of pages that name others.
pub(super) const RELATED: &str = "related.css";
/// Of pages that say which operation they describe.
pub(super) const ENDPOINT: &str = "endpoint.css";
/// Of pages with a notice in place of content.
pub(super) const NOTICE: &str = "notice.css";

/// Most bytes of style sheets that a page loads one by one: some 4.5 kB compressed.
const MOST_APART: usize = 11_000;

/// What the marks begin with: one search for each finds all of them.
static MARKED: LazyLock<[Finder<'static>; 9]> =
    LazyLock::new(|| ["class=\"", "data-component=\"", "<img ", "<abbr", "<dd", "<dt", "<kbd", "<mark", "<table"].map(Finder::new));

/// What scripts may draw later: names of elements, and the mark of the style sheet for them.
const LATER: [(&[&str], &str); 5] = [
    (&["img"], "class=\"image-placeholder"),
    (&["audio", "embed", "iframe", "video"], "class=\"media-placeholder"),
    (&["details"], "class=\"details-body"),
    (&["table"], "<table"),
    (&["abbr", "dd", "dt", "kbd", "mark"], "class=\"task\""),
];

/// The marks of what scripts may draw whose texts nothing is known of.
pub(super) const LATER_MARKS: &str = "<table class=\"task\"";

/// The marks of what scripts may draw later, from their texts: elements are named in strings or in markup.
pub fn later_marks<'t>(scripts: impl Iterator<Item = &'t str> + Clone) -> String {
    let draws = |script: &str, name: &str| {
        let is_named = |at: usize| {
            let before = &script[..at];
            let is_start = before.ends_with(['"', '\'', '`', '<']) || before.ends_with("\\u003c");
            is_start && !script[at + name.len()..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-')
        };
        memmem::find_iter(script.as_bytes(), name).any(is_named)
    };
    let later = LATER.iter().filter(|(names, _)| names.iter().any(|name| scripts.clone().any(|script| draws(script, name))));
    later.map(|(_, mark)| *mark).collect::<Vec<_>>().join(" ")
}

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

/// A choice among the style sheets of [`RareStyles`], in their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Styles(u64);

impl Styles {
    pub(super) const MATH: Self = Self(1);

    /// One of the rare ones.
    const fn rare(number: usize) -> Self {
        Self(1 << (number + 1))
    }

    /// The one of a name.
    pub(super) fn named(name: &str) -> Self {
        RARE_STYLES.iter().position(|(known, ..)| *known == name).map_or(Self::default(), Self::rare)
    }

    pub(super) fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// The style sheets of what not every page holds.
#[derive(Debug)]
pub(super) struct RareStyles {
    math: ThemeFile,
    /// In the order of [`RARE_STYLES`].
    rare: Vec<RareStyle>,
    /// Those of pages that need many, joined.
    joined: RwLock<BTreeMap<Styles, ThemeFile>>,
}

impl RareStyles {
    /// `math`: the sheet of formulas. `code_colours`: the rules of highlighted code. `prune` takes out what no page of the site has.
    pub(super) fn new(math: ThemeFile, code_colours: &str, prune: impl Fn(&str) -> String) -> Self {
        let made = RARE_STYLES.iter().map(|(name, marks, sheet)| {
            let mut css = prune(&minify::css(sheet));
            if *name == CODE {
                css.push_str(code_colours);
            }
            RareStyle { marks, file: fingerprinted(name.trim_end_matches(".css"), "css", css.into_bytes()) }
        });
        Self { math, rare: made.collect(), joined: RwLock::default() }
    }

    /// The files that pages share whatever they hold; that of formulas is not among them.
    pub(super) fn files(&self) -> Vec<ThemeFile> {
        self.rare.iter().map(|style| style.file.clone()).collect()
    }

    /// The files that pages asked for so far because they need many, in the order of their choices.
    pub(super) fn joined(&self) -> Vec<ThemeFile> {
        self.joined.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    /// The one of them at a path.
    pub(super) fn joined_at(&self, path: &str) -> Option<ThemeFile> {
        self.joined.read().unwrap_or_else(PoisonError::into_inner).values().find(|file| file.path.as_str() == path).cloned()
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
                if html.as_bytes().get(at + start.needle().len() + 1).is_some_and(u8::is_ascii_uppercase) && start.needle().starts_with(b"class") {
                    continue;
                }
                for (number, style) in self.rare.iter().enumerate() {
                    if !needed.has(Styles::rare(number)) && style.is_for(&html[at..]) {
                        needed.add(Styles::rare(number));
                    }
                }
            }
        }
        needed
    }

    /// The links to a choice of them, HTML. `root`: the way from the page to the bundle's root.
    pub(super) fn links(&self, styles: Styles, root: &str) -> String {
        let mut out = String::new();
        let mut link = |file: &ThemeFile| {
            let _ = writeln!(out, "<link rel=\"stylesheet\" href=\"{root}{}\">", url::encode_path(file.path.as_str()));
        };
        if self.chosen(styles).map(|file| file.bytes.len()).sum::<usize>() <= MOST_APART {
            self.chosen(styles).for_each(link);
            return out;
        }
        let known = self.joined.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = known.get(&styles) {
            link(file);
            return out;
        }
        drop(known);
        let css: Vec<&[u8]> = self.chosen(styles).map(|file| file.bytes.as_slice()).collect();
        let file = fingerprinted("parts", "css", css.concat());
        link(&file);
        self.joined.write().unwrap_or_else(PoisonError::into_inner).insert(styles, file);
        out
    }

    fn chosen(&self, styles: Styles) -> impl Iterator<Item = &ThemeFile> {
        let rare = self.rare.iter().enumerate().filter(move |(number, _)| styles.has(Styles::rare(*number))).map(|(_, style)| &style.file);
        styles.has(Styles::MATH).then_some(&self.math).into_iter().chain(rare)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rare_styles(code_colours: &str) -> RareStyles {
        RareStyles::new(fingerprinted("math", "css", b"math{}".to_vec()), code_colours, str::to_owned)
    }

    #[test]
    fn every_mark_is_found() {
        let styles = rare_styles("");
        for (style, (_, marks, _)) in styles.rare.iter().zip(RARE_STYLES) {
            for mark in marks {
                let html = format!("<p class=\"x\">a</p><div {mark}>");
                let links = styles.links(styles.of_content(&["", &html], ""), "../");
                assert!(links.contains(&format!("href=\"../{}\"", style.file.path)), "{mark}: {links}");
                assert!(style.is_for_data(&html.replace('"', "\\\"")), "{mark}");
            }
        }
        assert_eq!(styles.of_content(&["<p class=\"mermai\"><i class=\"cA\">"], ""), Styles::default());
    }

    #[test]
    fn colours_of_code_come_with_its_style_sheet_alone() {
        let styles = rare_styles(".i{color:red}");
        let with_colours = styles.rare.iter().filter(|style| style.file.bytes.ends_with(b".i{color:red}"));
        assert_eq!(with_colours.map(|style| style.marks.join(" ")).collect::<Vec<_>>(), ["class=\"code-block"]);
    }

    #[test]
    fn scripts_bring_the_styles_of_what_they_draw() {
        let check = |script: &str, expect: &[&str]| assert_eq!(later_marks([script, ""].into_iter()), expect.join(" "), "{script}");
        check("h(\"div\",null,\"a table\",tables,'img-x',\"tables\")", &[]);
        check("h(\"table\",null)", &["<table"]);
        check("h(`img`)", &["class=\"image-placeholder"]);
        check("x.innerHTML='<b><kbd>'", &["class=\"task\""]);
        check("{\"html\":\"\\u003cdetails>\"}h('video')", &["class=\"media-placeholder", "class=\"details-body"]);
    }

    #[test]
    fn many_are_joined_in_the_order_of_the_cascade() {
        let styles = rare_styles("");
        let few = "<img src=a><div class=\"callout\"><div class=\"step\">";
        assert_eq!(styles.links(styles.of_content(&[few], ""), "").lines().count(), 3);
        assert!(styles.joined().is_empty());
        let mut many = styles.of_content(&[few, "<div class=\"code-block\"><div class=\"tabs\"><div class=\"card\">"], "");
        many.add(Styles::MATH);
        let links = styles.links(many, "../");
        let joined = styles.joined();
        assert_eq!(links, styles.links(many, "../"));
        assert_eq!(joined.len(), 1);
        assert_eq!(links, format!("<link rel=\"stylesheet\" href=\"../{}\">\n", joined[0].path));
        let css = String::from_utf8(joined[0].bytes.clone()).expect("UTF-8");
        let places = ["math{}", ".callout{", ".steps{", ".zoomable{"].map(|part| css.find(part));
        assert!(places.is_sorted() && places[0] == Some(0), "{places:?}: {css}");
    }
}
