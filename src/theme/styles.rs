//! The program's style sheets that not every page loads.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::files::{ThemeFile, fingerprinted};
use super::minify;
use super::utilities::UTILITIES;
use crate::base::url;

/// Style sheets of what few pages hold: name, the mark of such content, text. Only pages with the mark load them.
pub(super) const RARE_STYLES: [(&str, &str, &str); 8] = [
    ("absent.css", "class=\"image-placeholder", include_str!("../../templates/css/absent.css")),
    ("color.css", "data-component=\"Color\"", include_str!("../../templates/css/color.css")),
    ("contents.css", "class=\"op-contents\"", include_str!("../../templates/css/contents.css")),
    ("embed.css", "class=\"media-placeholder", include_str!("../../templates/css/embed.css")),
    ("mermaid.css", "class=\"mermaid", include_str!("../../templates/css/mermaid.css")),
    ("prompt.css", "data-component=\"Prompt\"", include_str!("../../templates/css/prompt.css")),
    ("tree.css", "class=\"tree-box\"", include_str!("../../templates/css/tree.css")),
    ("update.css", "data-component=\"Update\"", include_str!("../../templates/css/update.css")),
];

/// What the marks begin with: one search for each finds all of them.
static MARKED: LazyLock<[Finder<'static>; 2]> = LazyLock::new(|| ["class=\"", "data-component=\""].map(Finder::new));

/// The marks of what an island may show later.
pub(super) const LATER_MARKS: &str = "class=\"image-placeholder class=\"media-placeholder";

/// A style sheet of what few pages hold.
pub(super) struct RareStyle {
    /// Percent-encoded URL relative to the bundle's root.
    url: String,
    mark: &'static str,
}

impl RareStyle {
    /// Whether an island's data, JSON with HTML in its texts, needs it for what it may show later.
    fn is_for_data(&self, json: &str) -> bool {
        !json.is_empty() && json.contains(&self.mark.replace('"', "\\\""))
    }
}

/// The style sheets of what few pages hold, with their files.
pub(super) fn rare_styles() -> Vec<(RareStyle, ThemeFile)> {
    let made = RARE_STYLES.iter().map(|(name, mark, sheet)| {
        let file = fingerprinted(name.trim_end_matches(".css"), "css", minify::css(sheet).into_bytes());
        (RareStyle { url: url::encode_path(file.path.as_str()), mark }, file)
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
                let marked = rare.iter().enumerate().filter(|(_, style)| html[at..].starts_with(style.mark));
                marked.for_each(|(number, _)| needed.add(Self::rare(number)));
            }
        }
        needed
    }

    /// Where they are, percent-encoded and relative to the bundle's root.
    pub(super) fn urls(self, math: Option<&ThemeFile>, rare: &[RareStyle]) -> Vec<String> {
        let math = math.filter(|_| self.has(Self::MATH)).map(|sheet| url::encode_path(sheet.path.as_str()));
        let utilities = self.has(Self::UTILITIES).then(|| UTILITIES.to_owned());
        let rare = rare.iter().enumerate().filter(|(number, _)| self.has(Self::rare(*number))).map(|(_, style)| style.url.clone());
        math.into_iter().chain(utilities).chain(rare).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_is_found() {
        let (styles, _): (Vec<RareStyle>, Vec<_>) = rare_styles().into_iter().unzip();
        for style in &styles {
            let html = format!("<p class=\"x\">a</p><div {}>", style.mark);
            assert_eq!(Styles::of_content(&styles, &["", &html], "").urls(None, &styles), [style.url.as_str()]);
        }
        assert_eq!(Styles::of_content(&styles, &["<p class=\"mermai\">"], ""), Styles::default());
    }
}
