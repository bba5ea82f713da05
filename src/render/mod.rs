//! A document to the HTML of a page's content: component library, code, math, diagrams, icons.

pub mod code;
pub mod component;
pub mod diagram;
pub mod icon;
pub mod math;

use crate::base::{Diagnostic, Place, html};
use crate::markup::tree::Node;
use crate::site::config::{CodeStyle, IconLibrary};

/// Resolves what a page refers to. Implemented by `link`; tests use a plain table.
pub trait Links {
    /// A link of the page, as written, to a URL relative to the page (or an outside one).
    fn href(&self, href: &str, place: Place, diagnostics: &mut Vec<Diagnostic>) -> Href;
    /// A picture, video or other load of the page.
    fn source(&self, src: &str, place: Place, diagnostics: &mut Vec<Diagnostic>) -> Source;
    /// The text of a source file (an SVG named as an icon), if there is one.
    fn file_text(&self, path: &str, place: Place) -> Option<String>;
    /// The path of a file, for diagnostics.
    fn file_name(&self, place: Place) -> String;
}

/// A resolved link.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Href {
    /// Relative to the page, percent-encoded; or absolute for outside links. Not HTML-escaped. Empty: not a link (a refused scheme).
    pub url: String,
    /// Leads out of the bundle (`https:`, `mailto:` …).
    pub external: bool,
}

/// A resolved load.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// Relative to the page, percent-encoded; or absolute for outside ones. Not HTML-escaped.
    pub url: String,
    /// Stands on another server.
    pub external: bool,
    /// Width and height in pixels of a local picture.
    pub size: Option<(u32, u32)>,
}

/// What all pages share.
#[derive(Debug)]
pub struct Kit {
    /// Code highlighter with its caches.
    pub highlighter: code::Highlighter,
    /// The site's icon library.
    pub icons: IconLibrary,
    /// Light and dark code.
    pub code_style: CodeStyle,
    /// Variations of willow sites: (id, label).
    pub variations: Vec<(String, String)>,
}

/// An entry of the contents column.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct TocEntry {
    /// Heading level, 1 to 4.
    pub level: u8,
    /// Anchor.
    pub id: String,
    /// Text.
    pub text: String,
    /// The tab or view whose panel holds the heading, by its panel's id.
    pub within: Option<String>,
}

/// The rendered content of a page.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// Body of `main`, without title and description.
    pub html: String,
    /// What stands in the right column: `Panel`, `RequestExample`, `ResponseExample`.
    pub aside: String,
    /// Headings.
    pub toc: Vec<TocEntry>,
    /// All ids of the content, for link checks.
    pub ids: Vec<String>,
    /// `View` titles: (panel id, title, icon HTML).
    pub views: Vec<(String, String, String)>,
    /// Tags of `Update`s, in order of first use.
    pub update_tags: Vec<String>,
    /// Problems.
    pub diagnostics: Vec<Diagnostic>,
}

/// Writes the content of one page.
pub struct Renderer<'a> {
    /// What is written so far.
    pub out: String,
    /// Shared tools.
    pub kit: &'a Kit,
    /// Link resolution for this page.
    pub links: &'a dyn Links,
    /// Problems so far.
    pub diagnostics: Vec<Diagnostic>,
    /// Headings so far; none are recorded while `toc_off` > 0.
    pub toc: Vec<TocEntry>,
    /// Inside an accordion, expandable, update, prompt …: headings stay out of the contents.
    pub toc_off: u32,
    /// The innermost tab or view panel.
    pub within: Option<String>,
    /// Headings get ids and anchors (not in `custom` and `frame` modes).
    pub heading_ids: bool,
    /// Right column so far.
    pub aside: String,
    /// Views so far.
    pub views: Vec<(String, String, String)>,
    /// Update tags so far.
    pub update_tags: Vec<String>,
    /// Ids given so far.
    pub ids: Ids,
}

/// The id counters of a page. Every id that content gets goes through here, so none is given twice.
#[derive(Debug, Default)]
pub struct Ids {
    given: rustc_hash::FxHashSet<String>,
    headings: rustc_hash::FxHashMap<String, u32>,
}

impl Ids {
    /// Heading rule: `base`, `base-2`, `base-3` …; shared by headings, sized steps and updates.
    pub fn heading(&mut self, base: &str) -> String {
        let count = self.headings.entry(base.to_owned()).or_insert(0);
        *count += 1;
        let id = if *count == 1 { base.to_owned() } else { format!("{base}-{count}") };
        self.claim(id, '-', 2)
    }
    /// Other rules: `base`, then `base<separator><from>`, … (fields `_` from 1, accordions and views `-` from 1).
    pub fn claim(&mut self, base: String, separator: char, from: u32) -> String {
        let mut id = base.clone();
        let mut number = from;
        while !self.given.insert(id.clone()) {
            id = format!("{base}{separator}{number}");
            number += 1;
        }
        id
    }
}

impl Renderer<'_> {
    /// Writes nodes.
    pub fn nodes(&mut self, _nodes: &[Node]) {}
    /// Writes nodes to a string of their own (titles, captions, hoisted parts).
    pub fn capture(&mut self, write: impl FnOnce(&mut Self)) -> String {
        let outer = std::mem::take(&mut self.out);
        write(self);
        std::mem::replace(&mut self.out, outer)
    }
    /// Writes escaped text.
    pub fn text(&mut self, text: &str) {
        html::push_text(&mut self.out, text);
    }
    /// Writes ` name="value"`, escaped.
    pub fn attr(&mut self, name: &str, value: &str) {
        self.out.push(' ');
        self.out.push_str(name);
        self.out.push_str("=\"");
        html::push_attr(&mut self.out, value);
        self.out.push('"');
    }
    /// Writes a short text with inline Markdown (titles, captions): bold, italic, code, strike; links as text unless `links`.
    pub fn inline_markdown(&mut self, text: &str, _links: bool) {
        self.text(text);
    }
    /// Records a problem at a place of this page.
    pub fn warn(&mut self, place: Place, diagnostic: Diagnostic) {
        let file = self.links.file_name(place);
        self.diagnostics.push(diagnostic.at(file, place.line, place.column));
    }
}
