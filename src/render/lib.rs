//! A document to the HTML of a page's content: component library, code, math, diagrams, icons.

#![cfg_attr(test, allow(clippy::print_stdout, reason = "tests may print"))]
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod attributes;
pub mod classes;
pub mod code;
pub mod component;
pub mod diagram;
mod embedded;
mod footnote;
mod host_name;
mod html_element;
pub mod icon;
mod image;
mod inline;
mod island;
pub mod markdown;
pub mod math;
mod mathml;
mod outline;
pub mod phrasing;
pub mod playground;
mod raw_html;
mod svg;
mod svg_names;
mod table;
mod tags;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod well_formed;

pub use outline::{anchors, numbers_by, slug_by};

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use base::emoji::replace_emoji_names;
use base::html::{self, push_html_text};
use base::numbering::Numbering;
use base::seams::push_with_seams;
use base::{Diagnostic, LoadKind, Place};
use markup::tree::{JsxElement, Node};
use outline::prepare_outline;
use playground::Playground;
use site::config::{CodeStyle, IconLibrary};
use site::heading_ids::HeadingIds;
use site::page::PageMode;
use templates::words::{self, ContentWords};

/// Resolves what a page refers to. Implemented by `link`; tests use a plain table.
pub trait PageResolver {
    /// A link of the page, as written, to a URL relative to the page (or an outside one).
    fn href(&self, href: &str, place: Place, diagnostics: &mut Vec<Diagnostic>) -> Href;
    /// A picture, video or other load of the page, with its kind.
    fn source(&self, src: &str, load: LoadKind, place: Place, diagnostics: &mut Vec<Diagnostic>) -> LoadSource;
    /// The text of a drawing (an SVG named as an icon), if there is one.
    fn file_text(&self, path: &str, place: Place) -> Option<String>;
    /// The path of a file, for diagnostics.
    fn file_name(&self, place: Place) -> String;
}

/// A resolved link.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Href {
    /// Relative to the page, percent-encoded; or absolute for outside links. Not HTML-escaped. Empty: not a link (a
    /// refused scheme).
    pub url: String,
    /// Leads out of the bundle (`https:`, `mailto:` …).
    pub external: bool,
}

/// A resolved load.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoadSource {
    /// Relative to the page, percent-encoded; or absolute for outside ones. Not HTML-escaped.
    pub url: String,
    /// Stands on another server.
    pub external: bool,
    /// Stands on another server and must not be loaded from there: a placeholder takes its place.
    pub absent: bool,
    /// Width and height in pixels of a picture of the bundle.
    pub size: Option<(u32, u32)>,
}

/// What all pages share.
#[derive(Debug)]
pub struct Kit {
    /// Code highlighter with its caches.
    pub highlighter: code::Highlighter,
    /// The formulas of the site.
    pub formulas: math::Formulas,
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
pub struct RenderedPage {
    /// Body of `main`, without title and description.
    pub html: String,
    /// What stands in the right column: `Panel`, `RequestExample`, `ResponseExample`.
    pub aside: String,
    /// Headings.
    pub toc: Vec<TocEntry>,
    /// All ids of the content, for link checks.
    pub ids: Vec<String>,
    /// Text and id of the headings that have none of their author's, in their order: other tools make other ids of
    /// them.
    pub headings: Vec<(String, String)>,
    /// Other tools make parts of it, which are missing here with their anchors.
    pub is_open: bool,
    /// `View` titles: (panel id, title, icon HTML).
    pub views: Vec<(String, String, String)>,
    /// The title stands in the content: the frame leaves it out.
    pub shows_title: bool,
    /// Holds parts that only some variations of the site show.
    pub has_variations: bool,
    /// Tags of `Update`s, in order of first use.
    pub update_tags: Vec<String>,
    /// How the browser calls the page's islands, by their numbers; see [`markup::tree::Island`].
    pub islands: Vec<String>,
    /// What the first states of islands load, by the address as written.
    pub loads: BTreeMap<String, LoadSource>,
    /// Classes that its author wrote, sorted: some may be utilities, whose style sheet the page then needs. Empty where
    /// the theme's own rules are enough.
    pub classes: Vec<String>,
    /// The console of an API page, as far as the page has what one needs.
    pub playground: Option<Playground>,
    /// Problems.
    pub diagnostics: Vec<Diagnostic>,
}

impl RenderedPage {
    /// Adds classes that scripts of the page may set later.
    pub fn add_classes<'c>(&mut self, later: impl Iterator<Item = &'c str>) {
        let mut all = classes::Classes::default();
        self.classes.iter().for_each(|class| all.add(class));
        later.for_each(|class| all.add(class));
        self.classes = all.into_sorted();
    }
}

/// Writes the content of one page.
pub struct Renderer<'a> {
    /// The page that is written, but for the following three, which it gets at its end.
    pub page: RenderedPage,
    /// What is written so far: of the page's content, or of the part of it that is captured.
    pub out: String,
    /// Ids given so far.
    pub ids: PageIds,
    /// The author's classes so far.
    pub classes: classes::Classes,
    /// Shared tools.
    pub kit: &'a Kit,
    /// Link resolution for this page.
    pub links: &'a dyn PageResolver,
    /// Inside an accordion, expandable, update, prompt …: while it is above 0, headings stay out of the contents.
    pub toc_off: u32,
    /// The innermost tab or view panel.
    pub within: Option<String>,
    /// Headings get ids and anchors (not in `custom` and `frame` modes).
    pub heading_ids: bool,
    /// The page's mode: without a contents column, examples and panels stay in the flow.
    pub mode: PageMode,
    /// The page's title: a first heading that repeats it is not shown twice.
    pub title: String,
    /// The title is that of a heading in the body, which is shown where it stands.
    pub title_in_body: bool,
    title_found: bool,
    /// The page is of a plain folder, which other tools make a site of.
    pub is_plain: bool,
    /// What the interface says in the content, in the page's language.
    pub words: &'static ContentWords,
    /// Where in the page the writer is.
    pub(crate) state: WriterState,
}

/// The id counters of a page. Every id that content gets goes through here, so none is given twice.
#[derive(Debug, Default)]
pub struct PageIds {
    given: FxHashSet<String>,
    headings: Numbering,
    /// Numbers of all others: theirs pass over what is reserved.
    claimed: Numbering,
    /// Ids that headings further down will get: nothing else may take them.
    reserved: FxHashSet<String>,
    /// The rule by which headings get their ids.
    pub rule: HeadingIds,
}

/// Ids of the frame that content never gets. All others, like `content` and `footer`, a heading or an anchor of the
/// content may have: the part of the frame then goes without its id, or takes one of these.
pub const OWN_IDS: [&str; 4] = ["op-content", "op-islands", "op-tree", "op-top"];

impl PageIds {
    /// The counters of a page, with the ids that its frame keeps.
    fn of_page() -> Self {
        Self { given: OWN_IDS.map(str::to_owned).into_iter().collect(), ..Self::default() }
    }

    /// Heading rule: `base`, `base-2`, `base-3` …; shared by headings, sized steps and updates.
    pub fn heading(&mut self, base: &str) -> String {
        let (separator, from) = outline::numbers_by(self.rule);
        if let Some((stem, number)) = outline::counted(self.rule, base) {
            let take = |id: &str| id != stem && self.given.insert(id.to_owned());
            return self.headings.first_free(stem.to_owned(), separator, number, take);
        }
        self.headings.first_free(base.to_owned(), separator, from, |id| self.given.insert(id.to_owned()))
    }
    /// Other rules: `base`, then `base<separator><from>`, … (fields `_` from 1, accordions and views `-` from 1).
    pub fn claim(&mut self, base: String, separator: char, from: u32) -> String {
        self.claimed
            .first_free(base, separator, from, |id| !self.reserved.contains(id) && self.given.insert(id.to_owned()))
    }
    /// An id as the author wrote it on a tag; `None` if it is taken or will be a heading's.
    pub fn explicit(&mut self, id: &str) -> Option<String> {
        let id = id.trim();
        let free = !id.is_empty()
            && !id.contains(char::is_whitespace)
            && !self.reserved.contains(id)
            && self.given.insert(id.to_owned());
        free.then(|| id.to_owned())
    }
    /// Keeps the ids of headings, found beforehand, for headings.
    pub(crate) fn reserve(&mut self, ids: FxHashSet<String>) {
        self.reserved = ids;
    }
    /// All ids given to content, sorted.
    pub fn into_sorted(self) -> Vec<String> {
        let mut ids: Vec<String> = self.given.into_iter().filter(|id| !OWN_IDS.contains(&id.as_str())).collect();
        ids.sort_unstable();
        ids
    }
}

/// Where in the page the writer is, and what it has counted so far.
#[derive(Debug, Default)]
pub(crate) struct WriterState {
    /// Where the component stands that is being written: the place of what its props say.
    place: Place,
    /// Where all of what is being written stands, if its own places say nothing: in one line of another file.
    fixed_place: Option<Place>,
    /// Nesting of nodes being written; see `limits::NESTING`.
    depth: usize,
    /// Inside a link or button: nothing in it may be one.
    in_link: u32,
    /// Only phrasing content is valid here (headings, summaries, buttons): blocks are reduced to their text.
    phrasing: u32,
    /// Inside an element of code: no word in it is a name of anything else.
    in_code: u32,
    /// In the first column of a table: long names may be broken where the column would push all others off a phone.
    breaks_names: bool,
    /// Inside a heading.
    in_heading: u32,
    /// Inside an element of an island that its script draws too.
    notes_loads: bool,
    /// Open tags that raw HTML of plain Markdown has left open.
    raw_open: Vec<String>,
    /// How many of them were open before the part of the page that is being written.
    raw_floor: usize,
    /// Footnotes of the page.
    footnotes: footnote::Footnotes,
    /// Pictures written so far: the first is not loaded lazily.
    images: u32,
    /// Numbers of tooltips, tab lists, drawings …: for ids that no reader sees.
    serial: FxHashMap<&'static str, u32>,
    /// Names already warned about.
    warned: FxHashSet<String>,
    /// What of the page's examples goes to the right column.
    hoist: outline::Hoist,
    /// The colors' layout, the steps' title size … of the enclosing component.
    family: component::ComponentFamily,
}

impl<'a> Renderer<'a> {
    /// A writer for one page.
    pub fn new(kit: &'a Kit, links: &'a dyn PageResolver) -> Self {
        Self {
            page: RenderedPage::default(),
            out: String::new(),
            ids: PageIds::of_page(),
            classes: classes::Classes::default(),
            kit,
            links,
            toc_off: 0,
            within: None,
            heading_ids: true,
            mode: PageMode::Default,
            title: String::new(),
            title_in_body: false,
            title_found: false,
            is_plain: false,
            words: &words::EN.content,
            state: WriterState::default(),
        }
    }

    /// Writes the content of a whole page: headings are found first so that their anchors win over other ids, footnotes
    /// come last.
    pub fn document(self, nodes: &[Node]) -> RenderedPage {
        self.document_with(nodes, |_| {})
    }

    /// Writes the content of a whole page, and what another writer puts behind it.
    pub fn document_with(mut self, nodes: &[Node], behind: impl FnOnce(&mut Self)) -> RenderedPage {
        prepare_outline(&mut self, nodes);
        self.flow(nodes);
        behind(&mut self);
        footnote::write_section(&mut self);
        RenderedPage { html: self.out, ids: self.ids.into_sorted(), classes: self.classes.into_sorted(), ..self.page }
    }

    /// Writes to a string of its own (titles, captions, hoisted parts).
    pub fn capture(&mut self, write: impl FnOnce(&mut Self)) -> String {
        let outer = std::mem::take(&mut self.out);
        write(self);
        std::mem::replace(&mut self.out, outer)
    }
    /// Writes markup as it is.
    pub fn raw(&mut self, markup: &str) {
        self.out.push_str(markup);
    }
    /// Writes escaped text.
    pub fn text(&mut self, text: &str) {
        push_html_text(&mut self.out, text);
    }
    /// Writes words of the page. In plain folders they may name emoji, as on GitHub.
    pub(crate) fn words(&mut self, text: &str) {
        // what a script draws again stays as it draws it
        let may_name = self.is_plain && self.state.in_code == 0 && !self.state.notes_loads;
        let shown = if may_name { replace_emoji_names(text) } else { text.into() };
        self.name(&shown);
    }
    /// Writes text that may be a long name.
    fn name(&mut self, text: &str) {
        if self.state.breaks_names && !self.state.notes_loads {
            push_with_seams(&mut self.out, text, "<wbr class=\"seam\">");
        } else {
            push_html_text(&mut self.out, text);
        }
    }
    /// Writes ` name="value"`, escaped.
    pub fn attr(&mut self, name: &str, value: &str) {
        self.out.push(' ');
        self.out.push_str(name);
        self.out.push_str("=\"");
        html::push_attr(&mut self.out, value);
        self.out.push('"');
    }
    /// Writes ` href="…"` for a resolved link, with what an outside one needs.
    pub fn href_attr(&mut self, href: &Href) {
        self.href_attr_of(href, None);
    }
    /// The same for an author's own `<a>`, which may open a window of its own.
    pub fn href_attr_of(&mut self, href: &Href, element: Option<&JsxElement>) {
        self.attr("href", &href.url);
        let is_outside = href.external && (href.url.starts_with("http:") || href.url.starts_with("https:"));
        if is_outside || element.is_some_and(|element| element.props.text("target").as_deref() == Some("_blank")) {
            self.out.push_str(" target=\"_blank\" rel=\"noopener\"");
        }
    }
    /// Resolves a link of the page.
    pub fn resolve(&mut self, href: &str, place: Place) -> Href {
        let place = self.state.fixed_place.unwrap_or(place);
        self.links.href(href, place, &mut self.page.diagnostics)
    }
    /// Resolves a picture of the page.
    pub fn source(&mut self, src: &str, place: Place) -> LoadSource {
        self.load(src, LoadKind::Picture, place)
    }
    /// Resolves a load of the page.
    pub fn load(&mut self, src: &str, load: LoadKind, place: Place) -> LoadSource {
        let place = self.state.fixed_place.unwrap_or(place);
        let source = self.links.source(src, load, place, &mut self.page.diagnostics);
        if self.state.notes_loads {
            self.page.loads.insert(src.to_owned(), source.clone());
        }
        source
    }
    /// Says where all that is written stands, whatever places its parts have.
    pub fn fix_place(&mut self, place: Place) {
        self.state.fixed_place = Some(place);
    }
    /// Says where all that `write` writes stands, whatever places its parts have.
    pub fn at_place(&mut self, place: Place, write: impl FnOnce(&mut Self)) {
        let outer = self.state.fixed_place.replace(place);
        write(self);
        self.state.fixed_place = outer;
    }
    /// Records a problem at a place of this page.
    pub fn warn(&mut self, place: Place, diagnostic: Diagnostic) {
        let place = self.state.fixed_place.unwrap_or(place);
        let file = self.links.file_name(place);
        self.page.diagnostics.push(diagnostic.at(file, place.line, place.column));
    }
    /// Records a problem, but only the first time for this `key`.
    pub(crate) fn warn_once(&mut self, key: &str, place: Place, diagnostic: impl FnOnce() -> Diagnostic) {
        if self.state.warned.insert(key.to_owned()) {
            self.warn(place, diagnostic());
        }
    }
    /// An id that no reader sees, e.g. `tip-3`.
    pub(crate) fn serial_id(&mut self, kind: &'static str) -> String {
        let number = self.state.serial.entry(kind).or_insert(0);
        *number += 1;
        let base = format!("{kind}-{number}");
        self.ids.claim(base, '-', 2)
    }
}
