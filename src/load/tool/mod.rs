//! The documentation tools whose repositories are read: how each is recognized, and what its files mean.
//!
//! 1. `locate` finds out which tool a source belongs to, from the files in it or in the folders around it, and `below`
//!    from those in the folders below it.
//! 2. [`Tool::open`] reads the configuration of that tool into a [`Project`]; configurations that are programs are run
//!    by an [`Evaluate`], which a crate above brings.
//! 3. The steps of a load ask the project: which files are pages and under which addresses (`address`, `read_page`),
//!    what the site is called and looks like (`configure`), the order of the pages (`navigation`). Rendering asks it to
//!    rewrite the text of pages (`rewrite`).
//!
//! The tools themselves are in `import`, and come with the options of a load ([`KnownTools`]); known here are only the format
//! of this program and the folder that no tool is known to read. Every function of a project has the meaning of a folder
//! without a tool as its default.

mod below;
mod layout;
mod list;
mod locate;
mod mintlify;
mod plain;
pub mod script;
mod view;

use std::fmt::Debug;

use base::{FileId, Place, Problem};
use nav::order::PageOrder;
use site::config::Config;
use site::heading_ids::HeadingIds;
use site::page::{Dialect, FrontMatter, PageEntry};
use site::problems::LoadProblems;
use site::tree::{self, SourceTree};
use site::yaml::{Yaml, YamlEntry};

use super::loaded_site::Site;
use script::run_config_script;

pub use layout::{Mount, SourceLayout, deepest, mounted_address, path_in_source_root};
pub use list::KnownTools;
pub use script::{ConfigScript, Evaluate};
pub use view::{FolderView, SCRIPTS};

/// A documentation tool.
pub trait Tool: Debug + Sync {
    /// Its name as an argument: `hugo`.
    fn name(&self) -> &'static str;

    /// Its name for people: `Hugo`.
    fn title(&self) -> &'static str;

    /// The configuration that makes a folder a project of this tool, as a path from the folder; `None` if it is none.
    fn detect(&self, folder: &FolderView<'_>) -> Option<String>;

    /// Whether its files are those of this tool alone: a project of another may be around a folder otherwise.
    fn is_certain(&self) -> bool {
        true
    }

    /// Whether a folder below a project, named by its path from the project, stands for the whole project: it holds
    /// the pages, or all that is around them.
    fn stands_for(&self, _project: &FolderView<'_>, _config: &str, _folder: &str) -> bool {
        false
    }

    /// How many levels above the folder of the configuration the pages may begin: `docs` beside
    /// `website/docusaurus.config.js`.
    fn levels_above(&self, _folder: &FolderView<'_>, _config: &str) -> usize {
        0
    }

    /// Why its repositories are not read, if that is so: one sentence.
    fn refusal(&self) -> Option<&'static str> {
        None
    }

    /// Reads a project. `None`: the source is read as it would be without a tool.
    fn open(&self, _source: &ToolInput<'_>, _problems: &mut LoadProblems) -> Option<Box<dyn Project>> {
        None
    }
}

/// The tool of a source.
#[derive(Clone, Debug)]
pub struct Located {
    /// Which one.
    pub tool: &'static dyn Tool,
    /// Its configuration, a path in the source; empty if there is none.
    pub config: String,
}

impl Located {
    /// Whether the source is in the format that this program is made for.
    pub fn is_native(&self) -> bool {
        self.tool.name() == "mintlify"
    }

    /// Whether the source is a folder that no tool is known to read.
    pub fn is_plain(&self) -> bool {
        self.tool.name() == "plain"
    }
}

/// What a project is read from.
pub struct ToolInput<'a> {
    /// The files.
    pub tree: &'a SourceTree,
    /// The configuration; empty if the tool was named and there is none.
    pub config: &'a str,
    /// Runs configurations that are programs.
    pub evaluate: Option<&'a dyn Evaluate>,
}

impl ToolInput<'_> {
    /// The text of a file, if there is one that is not too large. Ignored files count.
    pub fn text(&self, path: &str) -> Option<String> {
        self.tree.text(self.tree.find_any(path)?)
    }

    /// The folder of the configuration.
    pub fn folder(&self) -> &str {
        tree::folder(self.config)
    }

    /// The value of the configuration that is a program; what is wrong with it is reported, and it is `null` then.
    pub fn evaluated(&self, problems: &mut LoadProblems) -> serde_json::Value {
        run_config_script(self, self.config, problems)
    }
}

impl Debug for ToolInput<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ToolInput").field("config", &self.config).finish_non_exhaustive()
    }
}

/// A project of a tool: what its files mean.
pub trait Project: Debug + Send + Sync {
    /// Where the files of the source appear on the site.
    fn layout(&self) -> &SourceLayout;

    /// The keys of front matter that mean what they mean in a plain folder; `None`: all. Others are for
    /// [`Self::read_page`] alone.
    fn known_keys(&self) -> Option<&'static [&'static str]> {
        None
    }

    /// Extensions of pages beside `md` and `mdx`.
    fn page_extensions(&self) -> &'static [&'static str] {
        &[]
    }

    /// How headings get their anchors.
    fn heading_ids(&self) -> HeadingIds {
        HeadingIds::Own
    }

    /// The words of a heading of a page without marks that only the tool reads, as `Title :id=own`, and with the values
    /// of expressions; `None` if it has neither.
    fn heading_words(&self, _page: &PageSource<'_>, _words: &str) -> Option<String> {
        None
    }

    /// Whether the description of a page stands on it, below its title.
    fn shows_descriptions(&self) -> bool {
        true
    }

    /// Adds what the tool reads as front matter beyond that between fences: its own lines at the start of a text, or what
    /// other files say of the page.
    fn complete_front(&self, _path: &str, _text: &str, _front: &mut PageFront) {}

    /// Corrects what is known of a page, or says that it is none.
    fn read_page(&self, _source: &PageSource<'_>, _facts: &mut PageFacts) {}

    /// The folder that relative addresses on a page begin in, by the address of the page; `None`: that of its file.
    fn folder_of_address<'s>(&self, _slug: &'s str) -> Option<&'s str> {
        None
    }

    /// Enters name, colors, logo, links and the rest into the configuration.
    fn configure(&self, _config: &mut Config, _tree: &SourceTree) {}

    /// Which dashes the words of pages have, and with them typographic quotes and dots; `None`: all stays as it is
    /// written.
    fn punctuation(&self, dialect: Dialect) -> Option<Dashes> {
        Dashes::of_dialect(dialect)
    }

    /// Pages that no file holds, or that show the file of another page.
    fn generated_pages(&self, _pages: &[PageEntry], _tree: &SourceTree) -> Vec<PageEntry> {
        Vec::new()
    }

    /// The order of the pages.
    fn navigation(&self, _site: &Site) -> PageOrder {
        PageOrder::Folders
    }

    /// The text of a page with what only this tool knows written as Markdown, line by line, each with its place. `None`
    /// if nothing has to change.
    fn rewrite(&self, _text: &RenderedText<'_>, _problems: &mut Vec<Problem>) -> Option<Vec<(String, Place)>> {
        None
    }

    /// The text of a file of a page without the marks in code that only the configuration of the tool knows, as long as
    /// before; `None` if there are none.
    fn without_marks(&self, _text: &str) -> Option<String> {
        None
    }

    /// Whether [`Self::rewrite`] has put the files that a page includes in their places.
    fn includes_files(&self) -> bool {
        false
    }

    /// Whether a file that is no script is run as one: [`Self::rewrite_script`] gives its text.
    fn runs(&self, _path: &str) -> bool {
        false
    }

    /// What scripts that were made for the project import under a name, as a text of JSON.
    fn known(&self, _site: &Site, _name: &str) -> Option<String> {
        None
    }

    /// The text of a script that pages import, with what only this tool knows written out. `None` if nothing has to
    /// change.
    fn rewrite_script(&self, _site: &Site, _path: &str, _text: &str) -> Option<String> {
        None
    }
}

/// Which dashes two and three hyphens are where punctuation is typographic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dashes {
    /// `--` is a long one.
    Long,
    /// `--` is a short one, `---` a long one.
    Both,
    /// The same, but not in headings, whose anchors are made of what is written.
    BothInText,
}

impl Dashes {
    /// Those of the format that this program is made for: in MDX alone.
    pub fn of_dialect(dialect: Dialect) -> Option<Self> {
        (dialect == Dialect::Mdx).then_some(Self::Long)
    }
}

/// The front matter of a page, for [`Project::complete_front`] to extend.
#[derive(Debug)]
pub struct PageFront {
    /// Its entries.
    pub entries: Vec<YamlEntry>,
    /// Byte offset of the body.
    pub body_offset: usize,
    /// Line of the body's first line, from 1.
    pub body_line: u32,
}

/// A text as it is scanned.
#[derive(Debug)]
pub struct PageSource<'a> {
    /// Path of the file.
    pub path: &'a str,
    /// Its front matter.
    pub entries: &'a [YamlEntry],
    /// The text of the page, without its front matter.
    pub body: &'a str,
}

impl PageSource<'_> {
    /// A value of the front matter.
    pub fn value(&self, key: &str) -> Option<&Yaml> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value)
    }

    /// A text of the front matter.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.value(key)?.as_text().map(str::trim).filter(|text| !text.is_empty())
    }

    /// A switch of the front matter.
    pub fn flag(&self, key: &str) -> Option<bool> {
        match self.text(key)? {
            text if text.eq_ignore_ascii_case("true") => Some(true),
            text if text.eq_ignore_ascii_case("false") => Some(false),
            _ => None,
        }
    }

    /// A number of the front matter.
    pub fn number(&self, key: &str) -> Option<f64> {
        self.text(key)?.parse().ok().filter(|number: &f64| number.is_finite())
    }
}

/// What is known of a page, for [`Project::read_page`] to change.
#[derive(Debug)]
pub struct PageFacts {
    /// The front matter, as far as its keys have a meaning here.
    pub meta: Box<FrontMatter>,
    /// The address without a slash at either end, `guides/start/index` for the page of a folder; that of the file and
    /// its mount if nothing is said.
    pub address: Option<String>,
    /// Other names by which links may call the page.
    pub aliases: Vec<String>,
    /// Former addresses of the page, without a slash at either end: hosts lead from them to it.
    pub redirects: Vec<String>,
    /// The dialect of the page, if the name of its file does not say it.
    pub dialect: Option<Dialect>,
    /// Its author does not publish it yet.
    pub is_draft: bool,
    /// It is no page, only a part of others.
    pub is_part: bool,
}

/// A text as it is rendered.
#[derive(Debug)]
pub struct RenderedText<'a> {
    /// The site.
    pub site: &'a Site,
    /// The file.
    pub file: FileId,
    /// The address of the page.
    pub slug: &'a str,
    /// The text of the file, front matter included.
    pub whole: &'a str,
    /// The part of the text that is rendered.
    pub body: &'a str,
    /// Where `body` begins in the file.
    pub start: Place,
}
