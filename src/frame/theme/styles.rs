//! The program's style sheets that not every page loads.
//!
//! Pages of a site share them. A page that needs many of them loads one sheet of all instead, which other pages of the
//! same needs share: compressed together they are smaller by a fifth. Where that is still too much beside the sheet of
//! all pages, one sheet holds both.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use flate2::{Compression, write::DeflateEncoder};
use memchr::memmem::Finder;
use rustc_hash::FxHashSet;
use templates::{RARE_SHEETS, RareSheet};

use base::cut::{SliceText as _, cut};

use super::theme_file::{ThemeFile, fingerprinted};
use super::{minify::minify_css, prune::prune_css};

/// The one that the rules of highlighted code follow.
const CODE: &str = "code.css";

/// Marks that begin alike: one search finds all of them.
struct MarkGroup {
    finder: Finder<'static>,
    /// What follows, and the sheet that it is a mark of.
    rests: Vec<(&'static str, Styles)>,
}

/// All marks by what they begin with, up to a quote, a space or a bracket.
static MARK_GROUPS: LazyLock<Vec<MarkGroup>> = LazyLock::new(|| {
    let mut groups: BTreeMap<&str, Vec<(&str, Styles)>> = BTreeMap::new();
    for (number, style) in RARE_SHEETS.iter().enumerate() {
        for mark in style.marks {
            let end = mark.find('"').map(|quote| quote + 1).or_else(|| mark.find([' ', '>']));
            let (start, rest) = cut(mark, end.unwrap_or(mark.len()));
            groups.entry(start).or_default().push((rest, Styles::rare(number)));
        }
    }
    groups.into_iter().map(|(start, rests)| MarkGroup { finder: Finder::new(start), rests }).collect()
});

/// The marks of what an island may show later.
pub(super) const LATER_MARKS: &str =
    "<table <kbd class=\"image-placeholder class=\"media-placeholder class=\"details-body";

/// The mark of a page of the assistant, whose notice stands in its frame.
pub(super) const NOTICE_MARK: &str = "class=\"op-notice";

/// The mark of a page with a method and a path below its title.
pub(super) const ENDPOINT_MARK: &str = "class=\"op-endpoint";

/// The mark of a page without the page tree at its side.
pub(super) const MODE_MARK: &str = "data-mode=\"";

/// Most bytes of these sheets that a page loads one by one, uncompressed: less than 5 kB compressed.
const MAX_APART_BYTES: usize = 13 * 1024 + 512;

/// Most bytes of the program's style sheets of a page, compressed; with room for what other compressors need more.
const MAX_PAGE_BYTES: usize = 14 * 1024 - 64;

/// About what a style sheet of utility classes takes, compressed, and what each class adds. It is made after its pages.
const UTILITIES_BYTES: usize = 250;
const UTILITY_BYTES: usize = 18;

/// A style sheet of what not every page holds.
#[derive(Debug)]
struct RareStyle {
    marks: &'static [&'static str],
    file: ThemeFile,
}

impl RareStyle {
    /// Whether an island's data, JSON with HTML in its texts, needs it for what it may show later.
    fn is_for_data(&self, json: &str) -> bool {
        !json.is_empty() && self.marks.iter().any(|mark| json.contains(&mark.replace('"', "\\\"")))
    }
}

/// A choice among the program's style sheets that not every page loads, in the order of their links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Styles(u64);

const _: () = assert!(RARE_SHEETS.len() < u64::BITS as usize, "each rare sheet has a bit of its own");

impl Styles {
    pub(super) const MATH: Self = Self(1);

    /// A rare sheet by its number. Each has a bit beside that of formulas.
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

/// The style sheets of a page in the order of their links: paths in the bundle, not encoded.
#[derive(Debug, Default)]
pub(super) struct PageStyles {
    /// The sheet of all pages, alone or with all that this page needs.
    pub(super) theme: String,
    /// The rare sheets that the page needs beside the common one.
    pub(super) rare: Vec<String>,
    /// The one of them that was made for pages of these needs.
    pub(super) joined_sheet: Option<Arc<ThemeFile>>,
}

/// What pages of some needs may load instead of one sheet for each of them.
#[derive(Debug)]
struct Joined {
    /// What they need beside the sheet of all pages.
    parts: Arc<ThemeFile>,
    /// Its size, compressed.
    parts_bytes: usize,
    /// The same with the sheet of all pages.
    whole: Arc<ThemeFile>,
}

/// The style sheets of what not every page holds.
#[derive(Debug)]
pub(super) struct RareStyles {
    /// The sheet of all pages.
    theme: ThemeFile,
    /// Its size, compressed.
    theme_bytes: usize,
    /// The compressed size of the sheet of formulas.
    math_bytes: usize,
    /// The rare sheets, in the order of [`RARE_SHEETS`].
    rare: Vec<RareStyle>,
    /// Those of pages that need many, joined, by what they need.
    joined: RwLock<BTreeMap<Styles, Arc<Joined>>>,
}

impl RareStyles {
    /// `theme`: the sheet of all pages; `math`: that of formulas; `code_colors`: the rules of highlighted code;
    /// `is_unused`: whether a selector matches nothing in the site.
    pub(super) fn new(
        theme: &ThemeFile,
        math: Option<&ThemeFile>,
        code_colors: &str,
        is_unused: &dyn Fn(&str) -> bool,
    ) -> Self {
        let rare = RARE_SHEETS.iter().map(|RareSheet { name, marks, css: sheet }| {
            let mut css = prune_css(&minify_css(sheet), is_unused);
            if *name == CODE {
                css.push_str(code_colors);
            }
            RareStyle { marks, file: fingerprinted(name.trim_end_matches(".css"), "css", css.into_bytes()) }
        });
        Self {
            theme: theme.clone(),
            theme_bytes: compressed_bytes(&theme.bytes),
            math_bytes: math.map_or(0, |file| compressed_bytes(&file.bytes)),
            rare: rare.collect(),
            joined: RwLock::default(),
        }
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
        let mut judged = FxHashSet::default();
        let written = contents.iter().filter(|html| !html.is_empty());
        for (html, MarkGroup { finder, rests }) in
            written.flat_map(|html| MARK_GROUPS.iter().map(move |group| (html, group)))
        {
            let start = finder.needle();
            let (is_class, is_attribute) = (start.starts_with(b"class"), start.ends_with(b"\""));
            for at in finder.find_iter(html.as_bytes()) {
                // highlighted code has a class on every token, whose second letter is a capital
                if is_class && html.as_bytes().get(at + start.len() + 1).is_some_and(u8::is_ascii_uppercase) {
                    continue;
                }
                // API pages have hundreds of elements with the same few classes
                let value = html.slice(at + start.len()..);
                let end = memchr::memchr(b'"', value.as_bytes()).unwrap_or(value.len());
                if is_attribute && !judged.insert((start, value.slice(..end))) {
                    continue;
                }
                for (_, styles) in rests.iter().filter(|(rest, _)| value.starts_with(rest)) {
                    needed.add(*styles);
                }
            }
        }
        needed
    }

    /// What a page with a choice of them loads. `classes`: how many classes of its author may be utilities.
    pub(super) fn of_page(&self, styles: Styles, classes: usize) -> PageStyles {
        let path = |file: &ThemeFile| file.path.to_string();
        if self.chosen(styles).map(|file| file.bytes.len()).sum::<usize>() <= MAX_APART_BYTES {
            let rare = self.chosen(styles).map(path).collect();
            return PageStyles { theme: path(&self.theme), rare, joined_sheet: None };
        }
        // formulas have a sheet of their own
        let key = Styles(styles.0 & !Styles::MATH.0);
        let known = self.joined.read().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        let joined = known.unwrap_or_else(|| {
            let joined = Arc::new(self.join(key));
            self.joined.write().unwrap_or_else(PoisonError::into_inner).insert(key, Arc::clone(&joined));
            joined
        });
        let math_bytes = if styles.has(Styles::MATH) { self.math_bytes } else { 0 };
        let utilities_bytes = if classes > 0 { UTILITIES_BYTES + classes * UTILITY_BYTES } else { 0 };
        if self.theme_bytes + joined.parts_bytes + math_bytes + utilities_bytes > MAX_PAGE_BYTES {
            PageStyles { theme: path(&joined.whole), rare: Vec::new(), joined_sheet: Some(joined.whole.clone()) }
        } else {
            PageStyles {
                theme: path(&self.theme),
                rare: vec![path(&joined.parts)],
                joined_sheet: Some(joined.parts.clone()),
            }
        }
    }

    fn join(&self, styles: Styles) -> Joined {
        let parts = self.chosen(styles).map(|file| file.bytes.as_slice()).collect::<Vec<_>>().concat();
        let whole = [self.theme.bytes.as_slice(), &parts].concat();
        Joined {
            parts_bytes: compressed_bytes(&parts),
            parts: Arc::new(fingerprinted("parts", "css", parts)),
            whole: Arc::new(fingerprinted("whole", "css", whole)),
        }
    }

    fn chosen(&self, styles: Styles) -> impl Iterator<Item = &ThemeFile> {
        let numbered = self.rare.iter().enumerate();
        numbered.filter(move |(number, _)| styles.has(Styles::rare(*number))).map(|(_, style)| &style.file)
    }
}

/// Size of a file as servers send it, by their usual level.
fn compressed_bytes(bytes: &[u8]) -> usize {
    /// What gzip writes around compressed data.
    const GZIP_BYTES: usize = 18;
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    match encoder.write_all(bytes).and_then(|()| encoder.finish()) {
        Ok(packed) => packed.len() + GZIP_BYTES,
        Err(_) => bytes.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rare_styles(theme: &str, code_colors: &str) -> RareStyles {
        let theme = fingerprinted("theme", "css", theme.as_bytes().to_vec());
        RareStyles::new(&theme, None, code_colors, &|selector| selector.contains(".expandable"))
    }

    #[test]
    fn every_mark_is_found() {
        let styles = rare_styles("", "");
        for (style, RareSheet { marks, .. }) in styles.rare.iter().zip(RARE_SHEETS) {
            for mark in *marks {
                let html = format!("<p class=\"x\">a</p><div {mark}>");
                let rare = styles.of_page(styles.of_content(&["", &html], ""), 0).rare;
                assert!(rare.contains(&style.file.path.to_string()), "{mark}: {rare:?}");
                assert!(style.is_for_data(&html.replace('"', "\\\"")), "{mark}");
            }
        }
        assert_eq!(styles.of_content(&["<p class=\"mermai\"><i class=\"cA\">"], ""), Styles::default());
    }

    #[test]
    fn marks_of_the_frame_are_those_of_sheets() {
        for mark in [NOTICE_MARK, ENDPOINT_MARK, MODE_MARK] {
            assert!(RARE_SHEETS.iter().any(|style| style.marks.contains(&mark)), "{mark}");
        }
    }

    #[test]
    fn colors_of_code_come_with_its_style_sheet_alone() {
        let styles = rare_styles("", ".i{color:red}");
        let with_colors = styles.rare.iter().filter(|style| style.file.bytes.ends_with(b".i{color:red}"));
        assert_eq!(with_colors.map(|style| style.marks.join(" ")).collect::<Vec<_>>(), ["class=\"code-block"]);
    }

    #[test]
    fn what_a_site_does_not_have_is_left_out() {
        let styles = rare_styles("", "");
        let fold = styles.rare.iter().find(|style| style.file.path.as_str().contains("fold")).expect("a sheet");
        let css = String::from_utf8_lossy(&fold.file.bytes);
        assert!(css.contains(".accordion") && !css.contains(",.expandable{"), "{css}");
    }

    const MANY: &str = "<img src=a><div class=\"callout\"><div class=\"step\"><table><div class=\"code-block\"><div class=\"tabs\"><div class=\"card\">";

    #[test]
    fn many_are_joined_in_the_order_of_the_cascade() {
        let styles = rare_styles("a{b:c}", "");
        let few = styles.of_content(&["<img src=a><div class=\"callout\"><div class=\"step\">"], "");
        let page = styles.of_page(few, 0);
        assert!(page.rare.len() == 3 && page.joined_sheet.is_none(), "{page:?}");
        let mut many = styles.of_content(&[MANY], "");
        let page = styles.of_page(many, 0);
        many.add(Styles::MATH);
        assert_eq!(page.rare, styles.of_page(many, 0).rare, "formulas have a sheet of their own");
        let joined = page.joined_sheet.expect("a file");
        assert_eq!((page.rare, page.theme), (vec![joined.path.to_string()], styles.theme.path.to_string()));
        let css = std::str::from_utf8(&joined.bytes).expect("UTF-8");
        let places = [".table-scroll{", ".callout{", ".steps{", ".code-block{"].map(|part| css.find(part));
        assert!(places.is_sorted() && places[0].is_some(), "{places:?}");
    }

    #[test]
    fn a_page_that_would_load_too_much_has_one_sheet_of_all() {
        let noise: String = (0..4_000_u32)
            .map(|number| format!("{:08x}", number.wrapping_mul(number) ^ number.wrapping_mul(2_654_435_761)))
            .collect();
        let styles = rare_styles(&noise, "");
        let page = styles.of_page(styles.of_content(&[MANY], ""), 0);
        let whole = page.joined_sheet.expect("a file");
        assert_eq!((page.theme, page.rare), (whole.path.to_string(), Vec::new()));
        let css = std::str::from_utf8(&whole.bytes).expect("UTF-8");
        assert!(css.starts_with(&noise) && css.contains(".callout{"), "the sheet of all pages comes first");

        let styles = rare_styles("a{b:c}", "");
        let many = styles.of_content(&[MANY], "");
        let theme = |classes| styles.of_page(many, classes).theme;
        assert!(theme(20).contains("theme-") && theme(2_000).contains("whole-"), "utilities count");
    }
}
