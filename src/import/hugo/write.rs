//! Shortcodes as Markdown and components.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use base::component_line::{self, closing_component_line};
use base::cut::{SliceText as _, cut};
use base::extension::is_markdown;
use base::lines::{fence_around, starts_item};
use base::{FileId, PageId, Place, Problem};
use load::Site;
use load::tool::RenderedText;
use site::front_matter::split_front_matter;
use site::tree;

use super::HugoSettings;
use super::fence::{FenceTracker, fence_line, fence_options};
use super::shortcode::{ShortcodeCall, ShortcodePiece, split_at_shortcodes};

/// Longest mark of an item with the space behind it.
const MAX_MARK: usize = 6;
/// Files inside one another, and shortcodes of templates.
const MAX_TEMPLATE_DEPTH: usize = 8;
/// Bytes that a page may grow to.
const MAX_HUGO_PAGE_BYTES: usize = 8 << 20;
/// Most files that are put into a page.
const MAX_PAGE_FILES: usize = 2000;
/// Most steps of all templates of a page.
const MAX_TEMPLATE_STEPS: usize = 500_000;

/// Writes the text of a page.
pub(super) struct HugoWriter<'a> {
    pub(super) settings: &'a HugoSettings,
    pub(super) text: &'a RenderedText<'a>,
    problems: &'a mut Vec<Problem>,
    lines: Vec<(String, Place)>,
    /// The line that is not complete.
    line: String,
    place: Place,
    fence: FenceTracker,
    /// Where the lines of the text begin that is written, and the place of the first.
    starts: Vec<usize>,
    start: Place,
    depth: usize,
    bytes: usize,
    /// Shortcodes that were reported.
    reported: BTreeSet<String>,
    /// The arguments of the shortcodes around.
    around: Vec<Vec<(String, String)>>,
    /// Texts may hold no components: they stand in a line of a table.
    in_line: bool,
    /// Files that were put into the page.
    files: usize,
    /// Steps of templates so far.
    steps: Cell<usize>,
    /// Front matter that templates asked for.
    pub(super) matters: RefCell<FxHashMap<FileId, Rc<serde_json::Value>>>,
}

fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1)).collect()
}

impl<'a> HugoWriter<'a> {
    pub(super) fn new(settings: &'a HugoSettings, text: &'a RenderedText<'a>, problems: &'a mut Vec<Problem>) -> Self {
        Self {
            settings,
            text,
            problems,
            lines: Vec::new(),
            line: String::new(),
            place: text.start,
            fence: FenceTracker::default(),
            starts: line_starts(text.body),
            start: text.start,
            depth: 0,
            bytes: 0,
            reported: BTreeSet::new(),
            around: Vec::new(),
            in_line: false,
            files: 0,
            steps: Cell::new(0),
            matters: RefCell::default(),
        }
    }

    /// Takes steps of a template; `false` if there are none left.
    pub(super) fn spend(&self, steps: usize) -> bool {
        self.steps.set(self.steps.get().saturating_add(steps));
        self.steps.get() <= MAX_TEMPLATE_STEPS
    }

    /// The code of the language of the page.
    pub(super) fn language(&self) -> String {
        self.settings.language_of(self.text).to_owned()
    }

    /// The line before that which is not complete.
    pub(super) fn line_before(&self) -> &str {
        self.lines.last().map_or("", |(line, _)| line)
    }

    /// All lines.
    pub(super) fn finish(mut self) -> Vec<(String, Place)> {
        self.end_line();
        self.lines
    }

    /// The place of a byte of the text.
    pub(super) fn place_at(&self, at: usize) -> Place {
        let line = self.starts.partition_point(|start| *start <= at).saturating_sub(1);
        let column = if line == 0 { self.start.column } else { 1 };
        let column = column + u32::try_from(at - self.starts.get(line).copied().unwrap_or(at)).unwrap_or(0);
        Place { line: self.start.line + u32::try_from(line).unwrap_or(0), column, ..self.start }
    }

    fn end_line(&mut self) {
        let mut line = std::mem::take(&mut self.line);
        let was_open = self.fence.is_open();
        let is_code = self.fence.takes(&line);
        if !is_code && line.contains("](g)") {
            line = self.with_terms(&line);
        }
        if !is_code && line.contains("fa-stack") {
            line = super::html::unstacked(&line);
        }
        if is_code {
            if let Some(own) = fence_line(&line).filter(|_| !was_open) {
                line = own;
            } else if was_open && !self.fence.is_open() {
                // a tab may stand behind the end of code
                line.truncate(line.trim_end().len());
            }
        }
        self.bytes += line.len();
        if self.bytes <= MAX_HUGO_PAGE_BYTES {
            self.lines.push((line, Place { column: 1, ..self.place }));
        }
    }

    /// Adds text whose first byte has a place, and whose lines follow each other there.
    pub(super) fn push(&mut self, text: &str, place: Place) {
        for (number, part) in text.split('\n').enumerate() {
            if number > 0 {
                self.end_line();
                self.place = Place { line: place.line + u32::try_from(number).unwrap_or(0), ..place };
            } else if self.line.is_empty() {
                self.place = place;
            }
            self.line.push_str(part);
        }
    }

    /// Adds words that come from a shortcode: all in its place.
    pub(super) fn words(&mut self, text: &str, place: Place) {
        for (number, part) in text.split('\n').enumerate() {
            if number > 0 {
                self.end_line();
            }
            self.place = place;
            self.line.push_str(part);
        }
    }

    /// A line of its own.
    fn whole_line(&mut self, indent: &str, text: &str, place: Place) {
        if !self.line.trim().is_empty() {
            self.end_line();
        }
        self.line.clear();
        self.place = place;
        self.line.push_str(indent);
        self.line.push_str(text);
        self.end_line();
    }

    pub(super) fn pieces(&mut self, pieces: &[ShortcodePiece<'_>]) {
        for piece in pieces {
            match piece {
                ShortcodePiece::Text(text, at) => self.push(text, self.place_at(*at)),
                ShortcodePiece::Shown(text, at) => self.words(text, self.place_at(*at)),
                ShortcodePiece::Call(call) => self.call(call),
            }
        }
    }

    /// What an inside comes to, without the indentation that its lines share.
    pub(super) fn inner_lines(&mut self, write: impl FnOnce(&mut Self)) -> Vec<(String, Place)> {
        let lines = std::mem::take(&mut self.lines);
        let line = std::mem::take(&mut self.line);
        let (place, fence) = (self.place, std::mem::take(&mut self.fence));
        write(self);
        if !self.line.trim().is_empty() {
            self.end_line();
        }
        let mut inner = std::mem::replace(&mut self.lines, lines);
        (self.line, self.place, self.fence) = (line, place, fence);
        let blank = |(line, _): &(String, Place)| line.trim().is_empty();
        while inner.last().is_some_and(blank) {
            inner.pop();
        }
        let leading = inner.iter().take_while(|line| blank(line)).count();
        inner.drain(..leading);
        let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
        let shared = inner.iter().filter(|line| !blank(line)).map(|(line, _)| indent(line)).min().unwrap_or(0);
        for (line, _) in &mut inner {
            line.drain(..shared.min(indent(line)));
        }
        inner
    }

    /// The indentation of the line that is not complete.
    pub(super) fn indent(&self) -> String {
        let text = self.line.trim_start();
        let spaces = self.line.len() - text.len();
        let item = ["- ", "* ", "+ "].iter().any(|mark| text.starts_with(mark) && text.trim().len() == 1);
        " ".repeat(spaces + if item { 2 } else { 0 })
    }

    /// Whether a component has no place here: in code, in a line of a table.
    pub(super) fn is_inline(&self) -> bool {
        self.fence.is_open() || self.in_line || self.line.trim_start().starts_with('|')
    }

    /// Writes a component around lines.
    pub(super) fn component(&mut self, name: &str, props: &[(&str, &str)], inner: Vec<(String, Place)>, place: Place) {
        if self.is_inline() {
            let words: Vec<&str> = inner.iter().map(|(line, _)| line.trim()).filter(|line| !line.is_empty()).collect();
            return self.words(&words.join(" "), place);
        }
        let indent = self.indent();
        self.whole_line("", "", place);
        let props: Vec<(&str, &str)> = props.iter().copied().filter(|(_, value)| !value.is_empty()).collect();
        self.whole_line(&indent, &component_line::opening(name, &props), place);
        for (line, place) in inner {
            let line = if line.is_empty() { line } else { format!("{indent}{line}") };
            self.place = place;
            self.line = line;
            self.end_line();
        }
        self.whole_line(&indent, &closing_component_line(), place);
        self.whole_line("", "", place);
        self.line = indent;
    }

    /// Writes a component around what stands inside a shortcode.
    pub(super) fn around(&mut self, name: &str, props: &[(&str, &str)], call: &ShortcodeCall<'_>) {
        let place = self.place_at(call.at);
        let in_line = self.is_inline();
        let outer = std::mem::replace(&mut self.in_line, in_line);
        let inner = self.inner_lines(|it| it.inside_of(call));
        self.in_line = outer;
        self.component(name, props, inner, place);
    }

    /// The lines that something writes, in which nothing is a block where code is open around them.
    fn apart(&mut self, fence: FenceTracker, write: impl FnOnce(&mut Self)) -> Vec<(String, Place)> {
        let lines = std::mem::take(&mut self.lines);
        let line = std::mem::take(&mut self.line);
        let outer = (self.place, std::mem::replace(&mut self.fence, fence));
        write(self);
        let last = (std::mem::replace(&mut self.line, line), self.place);
        let mut own = std::mem::replace(&mut self.lines, lines);
        own.push(last);
        (self.place, self.fence) = outer;
        own
    }

    /// What stands inside a shortcode that holds code: as it is written, but for the shortcodes in it.
    pub(super) fn code_inside(&mut self, call: &ShortcodeCall<'_>) -> String {
        if call.pieces().iter().all(|piece| matches!(piece, ShortcodePiece::Text(..))) {
            return call.text.to_owned();
        }
        let lines = self.apart(FenceTracker::endless(), |it| it.inside_of(call));
        lines.iter().map(|(line, _)| line.as_str()).collect::<Vec<_>>().join("\n")
    }

    /// Writes a block of code.
    pub(super) fn code(&mut self, info: &str, code: &str, place: Place) {
        let code = code.trim_matches('\n').trim_end();
        if self.is_inline() {
            return self.words(code, place);
        }
        let marks = fence_around(code.lines(), '`');
        let indent = self.indent();
        self.whole_line(&indent, &format!("{marks}{info}"), place);
        for (number, line) in code.lines().enumerate() {
            self.place = Place { line: place.line + u32::try_from(number + 1).unwrap_or(0), ..place };
            self.line = format!("{indent}{line}");
            self.end_line();
        }
        self.whole_line(&indent, &marks, place);
    }

    /// The arguments of the shortcode around the one that is written.
    pub(super) fn parent(&self) -> Option<&[(String, String)]> {
        self.around.last().map(Vec::as_slice)
    }

    /// Writes what is inside a shortcode, which is around that.
    pub(super) fn inside_of(&mut self, call: &ShortcodeCall<'_>) {
        self.around.push(call.arguments.clone());
        self.pieces(call.pieces());
        self.around.pop();
    }

    /// Writes a file, with its own shortcodes.
    pub(super) fn file(&mut self, file: FileId) {
        if self.is_deep() || self.files >= MAX_PAGE_FILES || self.bytes > MAX_HUGO_PAGE_BYTES {
            return;
        }
        self.files += 1;
        let Some(text) = self.text.site.tree.text(file) else { return };
        let is_page = is_markdown(self.text.site.tree.path(file));
        let split = is_page.then(|| split_front_matter(&text));
        let (body, line) = split.map_or((text.as_str(), 1), |split| (text.slice(split.body_offset..), split.body_line));
        let outer = (
            std::mem::replace(&mut self.starts, line_starts(body)),
            std::mem::replace(&mut self.start, Place { file, line, column: 1 }),
        );
        self.depth += 1;
        let body = body.trim_end();
        if self.line.is_empty() {
            self.place = self.start;
        }
        let write = |it: &mut Self| match split_at_shortcodes(body) {
            Some(pieces) => it.pieces(&pieces),
            None => it.pieces(&[ShortcodePiece::Text(body, 0)]),
        };
        match self.block_prefix().filter(|prefix| !prefix.is_empty()) {
            None => write(self),
            Some(prefix) => {
                let fence = if self.fence.is_open() { FenceTracker::endless() } else { FenceTracker::default() };
                let lines = self.apart(fence, write);
                self.push_below(lines, &prefix);
            }
        }
        self.depth -= 1;
        (self.starts, self.start) = outer;
    }

    /// What the lines of a block begin with that begins here: the indentation of its item, the marks of its quote. `None`
    /// if words stand before it.
    fn block_prefix(&self) -> Option<String> {
        let marks = self.line.trim_end_matches(' ');
        let is_item =
            marks.ends_with(['-', '*', '+', '.', ')']) && starts_item(self.line.trim_start_matches([' ', '>']));
        let is_bare = |text: &str| text.chars().all(|c| matches!(c, ' ' | '\t' | '>'));
        match is_item {
            true => {
                let quote = self.line.len() - self.line.trim_start_matches([' ', '>']).len();
                let (before, item) = cut(&self.line, quote);
                Some(format!("{before}{}", " ".repeat(item.chars().count()))).filter(|_| item.len() <= MAX_MARK)
            }
            false => is_bare(&self.line).then(|| self.line.clone()),
        }
    }

    /// Writes lines, those behind the first below a prefix.
    fn push_below(&mut self, lines: Vec<(String, Place)>, prefix: &str) {
        for (number, (line, place)) in lines.into_iter().enumerate() {
            if number > 0 {
                self.end_line();
                self.line.push_str(if line.is_empty() { prefix.trim_end() } else { prefix });
            }
            self.place = place;
            self.line.push_str(&line);
        }
    }

    /// Tells of a shortcode, once for each name.
    pub(super) fn tell(&mut self, code: &'static str, name: &str, message: String, hint: &str, at: usize) {
        if self.reported.insert(format!("{code} {name}")) {
            let place = self.place_at(at);
            self.problems.push(Problem::new(code, message, place).hint(hint));
        }
    }

    /// The file that a path of a shortcode means: from the folder of the page, from the folder of all pages, or from
    /// that of the project.
    pub(super) fn find_file(&self, path: &str) -> Option<FileId> {
        let site = self.text.site;
        let own = tree::folder(site.tree.path(self.text.file));
        let find = |folder: &str| site.tree.find(&tree::join_document_path(folder, path.trim_start_matches('/'))?);
        let relative = if path.starts_with('/') { None } else { find(own) };
        relative
            .or_else(|| self.settings.layout.mounts.iter().find_map(|mount| find(&mount.folder)))
            .or_else(|| find(self.settings.folder.trim_end_matches('/')))
            .or_else(|| self.settings.layout.statics.iter().find_map(|mount| find(&mount.folder)))
            .or_else(|| find(&format!("{}assets", self.settings.folder)))
            .or_else(|| find(own))
            .or_else(|| self.find_content(path))
    }

    /// The address that `ref` and `relref` give for a page.
    pub(super) fn target(&self, path: &str) -> String {
        let path = path.trim();
        let (page, fragment) = path.split_once('#').map_or((path, ""), |(page, fragment)| (page, fragment));
        let hash = if fragment.is_empty() { String::new() } else { format!("#{fragment}") };
        if page.is_empty() || page.contains("://") {
            return path.to_owned();
        }
        match self.find_page(page) {
            Some(slug) => {
                format!("/{}{hash}", slug.strip_suffix("index").filter(|rest| rest.ends_with('/')).unwrap_or(slug))
            }
            None => path.to_owned(),
        }
    }

    pub(super) fn find_page(&self, path: &str) -> Option<&'a str> {
        let site = self.text.site;
        let stem = path.strip_suffix(".md").or_else(|| path.strip_suffix(".html")).unwrap_or(path);
        let stem = stem.strip_suffix("/_index").or_else(|| stem.strip_suffix("/index")).unwrap_or(stem);
        let stem = self.settings.path_name(stem.trim_end_matches('/'));
        let language =
            self.settings.address(site.tree.path(self.text.file)).map(|found| found.prefix).unwrap_or_default();
        let folder = tree::folder(self.text.slug);
        let look = |folder: &str| {
            let slug = tree::join_document_path(folder, stem.trim_start_matches('/'))?;
            site.find_page(&slug).or_else(|| site.find_page(&format!("{slug}/index")))
        };
        let is_whole = stem.starts_with('/');
        let found = if is_whole { None } else { look(folder) };
        let found = found.or_else(|| look(&language)).or_else(|| look("")).or_else(|| look(folder));
        let found = found.or_else(|| {
            // a name alone may mean the only page that has it
            let end = format!("/{}", stem.trim_start_matches('/'));
            let is_it = |slug: &str| slug.strip_suffix("/index").unwrap_or(slug).ends_with(&end);
            let named = self.settings.pages_by_name(site).get(end.rsplit('/').next().unwrap_or_default());
            let named = named.into_iter().flatten().copied();
            let mut all =
                named.filter(|id| !is_whole && site.pages.get(id.0 as usize).is_some_and(|page| is_it(&page.slug)));
            all.next().filter(|_| all.next().is_none())
        });
        found.map(|page| site.page(page).slug.as_str())
    }

    /// A parameter of the page or of the site.
    pub(super) fn parameter(&self, name: &str) -> Option<String> {
        let path = name.to_lowercase();
        self.page_parameter(&path).or_else(|| self.settings.parameter(&path, self.text))
    }

    /// A parameter of the page's front matter.
    pub(super) fn page_parameter(&self, path: &str) -> Option<String> {
        super::config::text_at(&self.matter(self.text.file), path)
    }

    /// Options of highlighting as they are called here.
    pub(super) fn highlight_info(&self, call: &ShortcodeCall<'_>) -> String {
        let lang = call.any(&["lang", "language", "type"]).or_else(|| call.positional(0)).unwrap_or_default();
        let options = call.any(&["options"]).or_else(|| call.positional(1)).unwrap_or_default();
        format!("{lang} {}", fence_options(options)).trim_end().to_owned()
    }

    /// Whether no further file is read inside those that are open: one may be inside itself.
    pub(super) fn is_deep(&self) -> bool {
        self.depth >= MAX_TEMPLATE_DEPTH
    }

    /// Goes into a text that is put into another; `false` if there are too many.
    pub(super) fn enter(&mut self) -> bool {
        if self.is_deep() || self.files >= MAX_PAGE_FILES {
            return false;
        }
        self.depth += 1;
        self.files += 1;
        true
    }

    /// Leaves it.
    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Writes Markdown that a template made.
    pub(super) fn push_lines(&mut self, lines: Vec<(String, Place)>) {
        for (number, (line, place)) in lines.into_iter().enumerate() {
            if number > 0 {
                self.end_line();
            }
            self.place = place;
            self.line.push_str(&line);
        }
    }
}

impl HugoSettings {
    /// The code of the language of a page.
    pub(super) fn language_of(&self, text: &RenderedText<'_>) -> &str {
        let prefix = self.address(text.site.tree.path(text.file)).map(|found| found.prefix).unwrap_or_default();
        let own = self.languages.iter().find(|language| language.code == prefix);
        own.map_or(self.default_language.as_str(), |language| language.code.as_str())
    }

    /// A parameter of the site, in the language of a page.
    pub(super) fn parameter(&self, path: &str, text: &RenderedText<'_>) -> Option<String> {
        self.parameter_value(path, text).and_then(super::config::scalar_text)
    }

    /// The same, of any kind.
    pub(super) fn parameter_value(&self, path: &str, text: &RenderedText<'_>) -> Option<&serde_json::Value> {
        let code = self.language_of(text);
        let language = self.languages.iter().find(|language| language.code == code);
        let path = format!("params.{path}");
        let own = language.and_then(|language| super::config::value_at_path(&language.value, &path));
        own.or_else(|| super::config::value_at_path(&self.value, &path))
    }

    /// The pages that have a last name.
    fn pages_by_name(&self, site: &Site) -> &FxHashMap<String, Vec<PageId>> {
        self.names.get_or_init(|| {
            let mut names: FxHashMap<String, Vec<PageId>> = FxHashMap::default();
            for (id, page) in site.iter() {
                let slug = page.slug.strip_suffix("/index").unwrap_or(&page.slug);
                names.entry(slug.rsplit('/').next().unwrap_or(slug).to_owned()).or_default().push(id);
            }
            names
        })
    }
}
