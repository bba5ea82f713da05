//! The program's style sheets that not every page loads.

use std::fmt::Write as _;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::minify;
use super::theme_file::{ThemeFile, fingerprinted};
use super::utilities::UTILITIES;
use crate::base::url;

/// A style sheet of what not every page holds: its name, the marks of such content, its text. Only pages with one of
/// the marks load it.
type Rare = (&'static str, &'static [&'static str], &'static str);

/// In the order of the cascade.
pub(super) const RARE_STYLES: [Rare; 24] = [
    ("absent.css", &["class=\"image-placeholder"], include_str!("../../../templates/css/absent.css")),
    ("api.css", &["class=\"api\""], include_str!("../../../templates/css/api.css")),
    ("aside.css", &["class=\"example", "class=\"panel"], include_str!("../../../templates/css/aside.css")),
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
    ("prompt.css", &["data-component=\"Prompt\""], include_str!("../../../templates/css/prompt.css")),
    ("steps.css", &["class=\"step"], include_str!("../../../templates/css/steps.css")),
    (
        "switchers.css",
        &["class=\"variation", "class=\"view", "data-component=\"Update\""],
        include_str!("../../../templates/css/switchers.css"),
    ),
    (
        "tabs.css",
        &["class=\"code-group", "class=\"example", "class=\"tab", "class=\"variation", "class=\"view"],
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
static MARKED: LazyLock<[Finder<'static>; 3]> =
    LazyLock::new(|| ["class=\"", "data-component=\"", "<img "].map(Finder::new));

/// The marks of what an island may show later.
pub(super) const LATER_MARKS: &str = "class=\"image-placeholder class=\"media-placeholder class=\"details-body";

/// A style sheet of what not every page holds.
pub(super) struct RareStyle {
    /// Percent-encoded URL relative to the bundle's root.
    url: String,
    marks: &'static [&'static str],
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

/// The style sheets of what not every page holds, with their files. `code_colors`: the rules of highlighted code.
pub(super) fn rare_styles(code_colors: &str) -> Vec<(RareStyle, ThemeFile)> {
    let made = RARE_STYLES.iter().map(|(name, marks, sheet)| {
        let mut css = minify::css(sheet);
        if *name == CODE {
            css.push_str(code_colors);
        }
        let file = fingerprinted(name.trim_end_matches(".css"), "css", css.into_bytes());
        (RareStyle { url: url::encode_path(file.path.as_str()), marks }, file)
    });
    made.collect()
}

/// A choice among the program's style sheets that not every page loads, in the order of [`Styles::urls`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Styles(u32);

impl Styles {
    pub(super) const MATH: Self = Self(1);
    pub(super) const UTILITIES: Self = Self(1 << 1);

    /// One of the rare ones.
    const fn rare(number: usize) -> Self {
        Self(1 << (number + 2))
    }

    pub(super) fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    pub(super) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Those that some content needs. `islands`: the data of islands.
    pub(super) fn of_content(rare: &[RareStyle], contents: &[&str], islands: &str) -> Self {
        let mut needed = Self::default();
        for (number, style) in rare.iter().enumerate() {
            if style.is_for_data(islands) {
                needed.add(Self::rare(number));
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
                let marked = rare.iter().enumerate().filter(|(_, style)| style.is_for(&html[at..]));
                marked.for_each(|(number, _)| needed.add(Self::rare(number)));
            }
        }
        needed
    }

    /// The links to them, HTML. `root`: the way from the page to the bundle's root.
    pub(super) fn links(self, math: Option<&ThemeFile>, rare: &[RareStyle], root: &str) -> String {
        let math = math.filter(|_| self.has(Self::MATH)).map(|sheet| url::encode_path(sheet.path.as_str()));
        let utilities = self.has(Self::UTILITIES).then(|| UTILITIES.to_owned());
        let rare = rare
            .iter()
            .enumerate()
            .filter(|(number, _)| self.has(Self::rare(*number)))
            .map(|(_, style)| style.url.clone());
        let mut out = String::new();
        for url in math.into_iter().chain(utilities).chain(rare) {
            let _ = writeln!(out, "<link rel=\"stylesheet\" href=\"{root}{url}\">");
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_is_found() {
        let (styles, _): (Vec<RareStyle>, Vec<_>) = rare_styles("").into_iter().unzip();
        for (style, (_, marks, _)) in styles.iter().zip(RARE_STYLES) {
            for mark in marks {
                let html = format!("<p class=\"x\">a</p><div {mark}>");
                let links = Styles::of_content(&styles, &["", &html], "").links(None, &styles, "../");
                assert!(links.contains(&format!("href=\"../{}\"", style.url)), "{mark}: {links}");
                assert!(style.is_for_data(&html.replace('"', "\\\"")), "{mark}");
            }
        }
        assert_eq!(Styles::of_content(&styles, &["<p class=\"mermai\"><i class=\"cA\">"], ""), Styles::default());
    }

    #[test]
    fn colors_of_code_come_with_its_style_sheet_alone() {
        let with_colors =
            rare_styles(".i{color:red}").into_iter().filter(|(_, file)| file.bytes.ends_with(b".i{color:red}"));
        assert_eq!(with_colors.map(|(style, _)| style.marks.join(" ")).collect::<Vec<_>>(), ["class=\"code-block"]);
    }
}
