//! The blocks of Python-Markdown, written with the indentation of CommonMark.
//!
//! Python-Markdown takes four spaces for what belongs to an item, a box or a note. Each block is cut out by that and
//! written again below its own mark. Words are kept apart until the whole page is read: references and abbreviations
//! are often said at its end.

use std::collections::BTreeMap;

use base::Place;
use base::cut::SliceText as _;
use base::html::tag::read_html_token;
use base::lines::fence_of;

use super::super::syntax::MkDocsSyntax;
use super::PlacedLines;
use super::attributes;
use super::inline::Inline;
use super::lines::{BlockLine, INDENT, LineKind, Out, TagWriter, blank, owned, push_below, raw};
use super::notes;
use super::starts::{
    definition, is_delimiter, is_reference_definition, is_rule_line, is_underline, marker, marker_of, starts_block,
};

/// Blocks nested deeper than this are text.
const MAX_BLOCK_DEPTH: usize = 24;
/// Lines that may be looked at for the ends of blocks, in all, and for each line of the page.
const BUDGET_LINES: usize = 10_000;
const LOOKS_PER_LINE: usize = 8;
/// Writes the text of a page.
pub(super) struct MkDocsWriter<'a> {
    pub(super) syntax: &'a MkDocsSyntax,
    /// Targets by name, in lower case.
    pub(super) references: BTreeMap<String, String>,
    /// Words by what is short for them.
    pub(super) abbreviations: Vec<(String, String)>,
    /// The numbers of paragraphs so far.
    paragraphs: usize,
    /// The id of the last heading.
    pub(super) heading_id: String,
    /// Headings without words so far.
    empty_headings: usize,
    /// Lists of notes so far.
    pub(super) note_lists: usize,
    /// The next list is the one of this number, with notes for the code above it.
    pub(super) notes: Option<usize>,
    /// Captions with numbers so far: of figures and of tables.
    pub(super) captions: [usize; 2],
    /// The lines are those of an item, in which a list may begin below words.
    pub(super) in_item: bool,
    /// Writes the tags of raw HTML, whose addresses are those of the built site.
    pub(super) tags: TagWriter<'a>,
    /// Lines that may still be looked at for the ends of blocks, so that a text without them costs no more.
    pub(super) budget: usize,
}

impl<'a> MkDocsWriter<'a> {
    pub(super) fn new(syntax: &'a MkDocsSyntax, tags: TagWriter<'a>) -> Self {
        Self {
            syntax,
            references: BTreeMap::new(),
            abbreviations: Vec::new(),
            paragraphs: 0,
            heading_id: String::new(),
            empty_headings: 0,
            note_lists: 0,
            notes: None,
            captions: [0; 2],
            in_item: false,
            tags,
            budget: 0,
        }
    }

    /// The lines of a page.
    pub(super) fn page(&mut self, lines: &[(String, Place)]) -> PlacedLines {
        let lines: Vec<BlockLine<'_>> = lines.iter().map(|(text, place)| BlockLine { text, place: *place }).collect();
        self.budget = BUDGET_LINES + lines.len() * LOOKS_PER_LINE;
        let blocks = self.blocks(&lines, 0);
        let last = lines.last().map_or_else(Place::default, |line| line.place);
        let mut out = self.with_words(blocks);
        if !self.references.is_empty() {
            out.push((String::new(), last));
        }
        for (name, target) in &self.references {
            out.push((format!("[{name}]: {target}"), last));
        }
        out
    }

    /// Writes what stands in words.
    fn with_words(&self, blocks: Vec<Out>) -> PlacedLines {
        let inline = Inline::new(self.syntax, &self.references, &self.abbreviations, self.tags);
        let mut out: PlacedLines = Vec::with_capacity(blocks.len());
        let mut rest = blocks.as_slice();
        while let Some(first) = rest.first() {
            let count = match first.kind {
                LineKind::Words(_) => rest.iter().take_while(|line| line.kind == first.kind).count(),
                _ => 1,
            };
            let (own, after) = rest.split_at(count);
            rest = after;
            let text = match first.kind {
                LineKind::Raw => first.text.clone(),
                LineKind::Row => inline.row(&first.text),
                LineKind::Words(_) => {
                    let words = own.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n");
                    with_words_behind_tag(inline.words(&words))
                }
            };
            let tail = &own[count - 1].tail;
            let mut last = own.iter();
            for text in text.split('\n') {
                // a line more than there were stands where the last one does
                let line = last.next().unwrap_or(&own[count - 1]);
                out.push((format!("{}{text}", line.lead), line.place));
            }
            if let Some((line, _)) = out.last_mut().filter(|_| !tail.is_empty()) {
                line.push_str(tail);
            }
        }
        out
    }

    /// The blocks of lines that are cut to the indentation around them.
    pub(super) fn blocks(&mut self, lines: &[BlockLine<'_>], depth: usize) -> Vec<Out> {
        let mut out = Vec::new();
        let mut at = 0;
        // where the last block begins, for what is said of it below
        let mut start = 0;
        while at < lines.len() {
            if lines[at].is_blank() {
                out.push(blank(lines[at]));
                at += 1;
                continue;
            }
            if let Some(next) = self.below(lines, at, &mut out, start) {
                at = next;
                continue;
            }
            let before = out.len();
            let next = self.block(lines, at, depth, &mut out);
            if out.len() > before {
                start = before;
            }
            at = next.max(at + 1);
        }
        out
    }

    /// What says something of the block above it: a caption, or a list of attributes in a paragraph of its own.
    fn below(&mut self, lines: &[BlockLine<'_>], at: usize, out: &mut Vec<Out>, start: usize) -> Option<usize> {
        if let Some(next) = self.caption(lines, at, out, start) {
            return Some(next);
        }
        if self.syntax.attributes && lines[at].indent() < INDENT && attributes::alone(lines[at].text).is_some() {
            return Some(at + 1);
        }
        None
    }

    /// Writes the block that starts at a line; gives the line behind it.
    pub(super) fn block(&mut self, lines: &[BlockLine<'_>], at: usize, depth: usize, out: &mut Vec<Out>) -> usize {
        let line = lines[at];
        if let Some(next) = self.fence(lines, at, out) {
            return next;
        }
        if line.indent() >= INDENT {
            return rewrite_indented_code(lines, at, self.syntax.code_headers, out);
        }
        if depth < MAX_BLOCK_DEPTH {
            let found = self
                .comment(lines, at, out)
                .or_else(|| self.html(lines, at, depth, out))
                .or_else(|| self.boxed(lines, at, depth, out))
                .or_else(|| self.heading(lines, at, out))
                .or_else(|| self.rule(lines, at, out))
                .or_else(|| rewrite_code_reference(lines, at, out))
                .or_else(|| self.formula(lines, at, out))
                .or_else(|| self.list(lines, at, depth, out))
                .or_else(|| self.quote(lines, at, depth, out))
                .or_else(|| self.note(lines, at, depth, out))
                .or_else(|| self.lone_definition(lines, at, depth, out))
                .or_else(|| self.definition_of_name(lines, at));
            if let Some(next) = found {
                return next;
            }
        }
        self.table(lines, at, out).unwrap_or_else(|| self.paragraph(lines, at, depth, out))
    }

    /// A comment, which no reader sees.
    fn comment(&mut self, lines: &[BlockLine<'_>], at: usize, out: &mut Vec<Out>) -> Option<usize> {
        let text = lines[at].text.trim_start();
        if !text.starts_with("<!--") {
            return None;
        }
        let end = (at..lines.len()).take(self.budget).find(|end| lines[*end].text.contains("-->"));
        self.spend(end.unwrap_or(lines.len()) - at);
        let end = end?;
        let close = lines[end].text.rfind("-->")? + 3;
        if end == at && !lines[end].text.slice(close..).trim().is_empty() {
            return None; // words follow
        }
        out.push(blank(lines[at]));
        if end == at
            && let Some(name) = name_in_comment(text)
        {
            let kind = self.next_paragraph();
            out.push(Out { kind, ..raw(lines[at], &named_anchor(name)) });
            out.push(blank(lines[at]));
        }
        Some(end + 1)
    }

    /// A heading of nothing but a comment, of which a hook makes words: only its anchors are left, and the name in it.
    fn heading_of_comment(&mut self, line: BlockLine<'_>, words: &str, id: Option<String>, out: &mut Vec<Out>) {
        self.empty_headings += usize::from(id.is_none());
        let id = id.unwrap_or_else(|| format!("_{}", self.empty_headings));
        let name = name_in_comment(words).map(named_anchor).unwrap_or_default();
        let kind = self.next_paragraph();
        out.push(Out { kind, ..raw(line, &format!("<a id=\"{id}\"></a>{name}")) });
        out.push(blank(line));
    }

    /// `# Words { #id .class }`; the space may be left out.
    fn heading(&mut self, lines: &[BlockLine<'_>], at: usize, out: &mut Vec<Out>) -> Option<usize> {
        let line = lines[at];
        let text = line.text.trim_start();
        let words = text.trim_start_matches('#');
        let level = text.len() - words.len();
        // Python-Markdown knows headings by their mark alone, at the start of a line
        if !(1..=6).contains(&level) || line.indent() > 0 || words.trim().is_empty() {
            return None;
        }
        let (words, id) = self.title(words.trim());
        let words = words.trim_end_matches('#').trim_end();
        out.push(blank(line));
        if is_comment(words) {
            self.heading_of_comment(line, words, id, out);
            return Some(at + 1);
        }
        let kind = self.next_paragraph();
        let tail = id.map(|id| id_of_heading(&id)).unwrap_or_default();
        out.push(Out { lead: format!("{} ", "#".repeat(level)), tail, kind, ..raw(line, words) });
        out.push(blank(line));
        Some(at + 1)
    }

    /// The words of a heading, and the id that its author gave it.
    fn title<'t>(&mut self, words: &'t str) -> (&'t str, Option<String>) {
        let (words, id) = match attributes::trailing(words).filter(|_| self.syntax.attributes) {
            Some((words, found)) => (words, found.id),
            None => (words, None),
        };
        self.heading_id = id.clone().unwrap_or_else(|| self.syntax.slug.of(&strip_inline_marks(words)));
        (words, id)
    }

    /// A line across the page.
    fn rule(&mut self, lines: &[BlockLine<'_>], at: usize, out: &mut Vec<Out>) -> Option<usize> {
        is_rule_line(lines[at].text).then(|| {
            out.push(blank(lines[at]));
            out.push(raw(lines[at], "---"));
            out.push(blank(lines[at]));
            at + 1
        })
    }

    /// `\[ … \]`, `\begin{…} … \end{…}` and `$$ … $$`.
    fn formula(&mut self, lines: &[BlockLine<'_>], at: usize, out: &mut Vec<Out>) -> Option<usize> {
        let text = lines[at].text.trim();
        if !self.syntax.math {
            return None;
        }
        let (open, close, keeps) = if text.starts_with("\\[") {
            ("\\[", "\\]", false)
        } else if text.starts_with("$$") {
            ("$$", "$$", false)
        } else if text.starts_with("\\begin{") {
            ("", "\\end{", true)
        } else {
            return None;
        };
        let ends = |line: usize| {
            let text = lines[line].text.trim();
            let text = if line == at { text.get(open.len()..).unwrap_or_default() } else { text };
            if keeps { text.contains(close) } else { text.ends_with(close) }
        };
        let end = (at..lines.len()).take_while(|line| !lines[*line].is_blank()).find(|line| ends(*line))?;
        out.push(blank(lines[at]));
        out.push(raw(lines[at], "$$"));
        for (number, line) in lines.iter().enumerate().take(end + 1).skip(at) {
            let mut text = line.text.trim();
            if !keeps {
                text = if number == at { text.slice(open.len()..).trim_start() } else { text };
                text = if number == end { text.strip_suffix(close).unwrap_or(text).trim_end() } else { text };
            }
            if !text.is_empty() {
                out.push(raw(*line, text));
            }
        }
        out.push(raw(lines[end], "$$"));
        out.push(blank(lines[end]));
        Some(end + 1)
    }

    fn quote(&mut self, lines: &[BlockLine<'_>], at: usize, depth: usize, out: &mut Vec<Out>) -> Option<usize> {
        if !lines[at].text.trim_start().starts_with('>') {
            return None;
        }
        let count = lines[at..].iter().take_while(|line| !line.is_blank()).count();
        let inner: Vec<BlockLine<'_>> = lines[at..at + count]
            .iter()
            .map(|line| {
                let text = line.text.trim_start();
                let cut = line.text.len()
                    - text.strip_prefix('>').map_or(text, |text| text.strip_prefix(' ').unwrap_or(text)).len();
                line.from(cut)
            })
            .collect();
        // a paragraph of the same quote may follow
        let mut end = at + count;
        let mut all = inner;
        while let Some(next) = lines[end..].iter().position(|line| !line.is_blank())
            && lines[end + next].text.trim_start().starts_with('>')
        {
            all.push(BlockLine { text: "", place: lines[end].place });
            end += next;
            let count = lines[end..].iter().take_while(|line| !line.is_blank()).count();
            for line in &lines[end..end + count] {
                let text = line.text.trim_start();
                let cut = line.text.len()
                    - text.strip_prefix('>').map_or(text, |text| text.strip_prefix(' ').unwrap_or(text)).len();
                all.push(line.from(cut));
            }
            end += count;
        }
        out.push(blank(lines[at]));
        if self.alert(&all, depth, out) {
            return Some(end);
        }
        let blocks = self.blocks(&all, depth + 1);
        out.extend(blocks.into_iter().map(|line| Out { lead: format!("> {}", line.lead), ..line }));
        out.push(blank(lines[end - 1]));
        Some(end)
    }

    /// `[^name]: words` with what is indented below it.
    fn note(&mut self, lines: &[BlockLine<'_>], at: usize, depth: usize, out: &mut Vec<Out>) -> Option<usize> {
        let text = lines[at].text.trim_start();
        let rest = text.strip_prefix("[^").filter(|_| self.syntax.footnotes)?;
        let (name, words) = rest.split_once("]:")?;
        if name.is_empty() || name.contains([' ', ']']) {
            return None;
        }
        let words = words.trim_start();
        let mut inner = vec![lines[at].from(lines[at].text.len() - words.len())];
        let end = at + 1 + owned(&lines[at + 1..]);
        inner.extend(lines[at + 1..end].iter().map(|line| line.cut(INDENT)));
        if out.last().is_some_and(|line: &Out| !line.text.is_empty()) {
            out.push(blank(lines[at]));
        }
        let blocks = self.blocks(&inner, depth + 1);
        push_below(out, &format!("[^{name}]: "), INDENT, blocks, lines[at]);
        out.push(blank(lines[end - 1]));
        Some(end)
    }

    fn table(&mut self, lines: &[BlockLine<'_>], at: usize, out: &mut Vec<Out>) -> Option<usize> {
        let below = lines.get(at + 1)?;
        if !lines[at].text.contains('|') || !is_delimiter(below.text) {
            return None;
        }
        out.push(blank(lines[at]));
        let count = lines[at..].iter().take_while(|line| !line.is_blank() && line.text.contains('|')).count();
        for (number, line) in lines[at..at + count].iter().enumerate() {
            let kind = if number == 1 { LineKind::Raw } else { LineKind::Row };
            out.push(Out { kind, ..raw(*line, line.text.trim()) });
        }
        let mut end = at + count;
        // a list of attributes below
        if lines.get(end).is_some_and(|line| attributes::alone(line.text).is_some()) {
            end += 1;
        }
        out.push(blank(lines[end - 1]));
        Some(end)
    }

    /// Words up to the next block, with the definitions of a term below them.
    fn paragraph(&mut self, lines: &[BlockLine<'_>], at: usize, depth: usize, out: &mut Vec<Out>) -> usize {
        let mut end = at + 1;
        while end < lines.len() && !lines[end].is_blank() && !self.interrupts(lines, end, end == at + 1) {
            end += 1;
        }
        let paragraph = self.next_paragraph();
        let mut words: Vec<BlockLine<'_>> = lines[at..end].to_vec();
        let (mut anchor, mut notes) = (None, None);
        if self.syntax.attributes
            && words.len() > 1
            && let Some(found) = attributes::alone(words[words.len() - 1].text)
        {
            words.pop();
            notes = self.notes_below(&lines[end..]).filter(|_| found.has_class("annotate"));
            anchor = found.id;
        }
        let mut has_notes = false;
        let is_heading = words.len() == 2 && is_underline(words[1].text);
        let terms = self.terms(lines, end);
        let written = out.len();
        for (number, line) in words.iter().enumerate() {
            let last = number + 1 == words.len();
            let text = if last { line.text.trim() } else { line.text.trim_start() };
            if is_heading && number == 1 {
                out.push(raw(*line, text));
                continue;
            }
            if is_heading {
                let (words, id) = self.title(text.trim_end());
                let tail = id.map(|id| id_of_heading(&id)).unwrap_or_default();
                out.push(Out { tail, kind: paragraph, ..raw(*line, words) });
                continue;
            }
            let linked = notes.and_then(|notes| notes::linked(text, notes));
            has_notes |= linked.is_some();
            let text = linked.as_deref().unwrap_or(text);
            let text = match anchor.take() {
                Some(id) => format!("<a id=\"{id}\"></a>{text}"),
                None if self.syntax.breaks && !last => format!("{}\\", text.trim_end()),
                None => text.to_owned(),
            };
            // what Python-Markdown has no meaning for
            let lead = if starts_other_block(&text, number) { "\\" } else { "" };
            match lead {
                "" => out.push(Out { kind: paragraph, ..raw(*line, &text) }),
                _ => out.push(Out { kind: paragraph, ..raw(*line, &escaped_start(&text)) }),
            }
        }
        if has_notes {
            self.note_lists += 1;
            self.notes = Some(self.note_lists);
        }
        match terms {
            Some(first) => self.definitions(lines, first, depth, written, out),
            None => {
                out.push(blank(lines[end - 1]));
                end
            }
        }
    }

    /// Whether a line begins a block in the middle of a paragraph. `is_second`: it is the paragraph's second line.
    fn interrupts(&self, lines: &[BlockLine<'_>], at: usize, is_second: bool) -> bool {
        let line = lines[at];
        let text = line.text.trim_start();
        if line.indent() >= INDENT {
            return false;
        }
        let is_box = |text: &str| text.starts_with("!!! ") || text.starts_with("??? ") || text.starts_with("???+ ");
        fence_of(text).is_some()
            || line.indent() == 0 && text.starts_with('#') && text.trim_start_matches('#').starts_with(' ')
            || text.starts_with('>')
            || is_box(text)
            || text.starts_with("=== \"")
            || text.starts_with("===! \"")
            || text.starts_with("===+ \"")
            || text.starts_with("/// ")
            || text.trim_end() == "///"
            || starts_block(text)
            || !is_second && is_rule_line(text)
            || is_second && is_rule_line(text) && !is_underline(text)
            || self.syntax.definitions && definition(text).is_some()
            || self.syntax.footnotes && text.starts_with("[^") && text.contains("]:")
            || text.starts_with('[') && !text.starts_with("[^") && is_reference_definition(text)
            || self.syntax.abbreviations && text.starts_with("*[") && text.contains("]:")
            || (self.in_item || self.syntax.eager_lists) && marker_of(line).is_some()
    }

    /// Takes lines that were looked at from those that may be.
    pub(super) fn spend(&mut self, lines: usize) {
        self.budget = self.budget.saturating_sub(lines);
    }

    pub(super) fn next_paragraph(&mut self) -> LineKind {
        self.paragraphs += 1;
        LineKind::Words(self.paragraphs)
    }
}

/// Words whose first line is a tag alone, with the next line behind it: else CommonMark would take all of them for HTML.
fn with_words_behind_tag(words: String) -> String {
    match words.split_once('\n') {
        Some((first, rest)) if read_html_token(first.trim()).is_some_and(|(_, behind)| behind.is_empty()) => {
            format!("{} {}", first.trim_end(), rest.trim_start())
        }
        _ => words,
    }
}

/// Whether words are a comment alone.
fn is_comment(words: &str) -> bool {
    words.strip_prefix("<!--").and_then(|rest| rest.strip_suffix("-->")).is_some_and(|inside| !inside.contains("-->"))
}

/// The name in a comment that a hook makes a term of: `<!-- md:option name -->`, `<!-- md:setting name -->`. Material's
/// own documentation has them, and so have many that follow it.
fn name_in_comment(words: &str) -> Option<&str> {
    let inside = words.trim().strip_prefix("<!--")?.strip_suffix("-->")?.trim();
    let name = inside.strip_prefix("md:option ").or_else(|| inside.strip_prefix("md:setting "))?.trim();
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | ':');
    (!name.is_empty() && name.chars().all(is_name)).then_some(name)
}

/// A name as code with an anchor.
fn named_anchor(name: &str) -> String {
    format!("<a id=\"{name}\"></a>**`{name}`**")
}

/// `::: package.name`, a reference made from code, and its options: the parser of Markdown knows it.
fn rewrite_code_reference(lines: &[BlockLine<'_>], at: usize, out: &mut Vec<Out>) -> Option<usize> {
    let name = lines[at].text.strip_prefix("::: ")?.trim();
    if name.is_empty() || name.contains(' ') {
        return None;
    }
    let end = at + 1 + owned(&lines[at + 1..]);
    out.push(blank(lines[at]));
    out.extend(lines[at..end].iter().map(|line| raw(*line, line.text)));
    out.push(blank(lines[end - 1]));
    Some(end)
}

/// Lines of code that their indentation makes code. `has_header`: the first of them may name the language.
fn rewrite_indented_code(lines: &[BlockLine<'_>], at: usize, has_header: bool, out: &mut Vec<Out>) -> usize {
    let end = at + owned(&lines[at..]);
    out.push(blank(lines[at]));
    // a fence, because what CommonMark takes for code depends on the block above
    let longest =
        lines[at..end].iter().map(|line| line.text.trim_start().bytes().take_while(|b| *b == b'`').count()).max();
    let marks = "`".repeat(longest.unwrap_or(0).max(2) + 1);
    let header = Some(lines[at].cut(INDENT).text).filter(|_| has_header).and_then(code_header);
    let (lang, is_kept) = header.unwrap_or(("", true));
    out.push(raw(lines[at], &format!("{marks}{lang}")));
    let first = at + usize::from(!is_kept);
    out.extend(lines[first..end].iter().map(|line| raw(*line, line.cut(INDENT).text)));
    out.push(raw(lines[end - 1], &marks));
    out.push(blank(lines[end - 1]));
    end
}

/// The language that the first line of code names, and whether it is code too: `:::python`, `#!python`,
/// `#!/usr/bin/python`.
fn code_header(line: &str) -> Option<(&str, bool)> {
    let line = line.trim_end();
    let name = match line.strip_prefix("#!") {
        Some(name) => name,
        None => line.strip_prefix("::").map(|rest| rest.trim_start_matches(':'))?,
    };
    // options may follow: `hl_lines="1 3"`
    let (path, _) = name.split_once(' ').unwrap_or((name, ""));
    let lang = path.rsplit('/').next().unwrap_or(path);
    let is_lang = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '#' | '.' | '+' | '-');
    (!lang.is_empty() && lang.chars().all(is_lang)).then_some((lang, path.contains('/')))
}

fn id_of_heading(id: &str) -> String {
    format!(" {{#{id}}}")
}

/// The words of a text without its marks, for ids.
pub(super) fn strip_inline_marks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = rest.slice(c.len_utf8()..);
        match c {
            '\\' => {}
            '`' | '*' => {}
            '<' if after.starts_with(|c: char| c == '/' || c.is_ascii_alphabetic()) && after.contains('>') => {
                rest = after.split_once('>').map_or("", |(_, after)| after);
                continue;
            }
            '[' | '!' if c == '[' || after.starts_with('[') => {}
            ']' if after.starts_with('(') => {
                rest = after.split_once(')').map_or("", |(_, after)| after);
                continue;
            }
            ']' => {}
            _ => out.push(c),
        }
        rest = after;
    }
    out
}

/// Whether CommonMark would take a line of a paragraph for the start of something else.
fn starts_other_block(text: &str, number: usize) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let is_bracket = digits > 0 && digits < 10 && text.slice(digits..).starts_with(')');
    let is_item = number > 0 && marker(text).is_some();
    is_bracket && text.slice(digits + 1..).starts_with(' ') || is_item
}

/// A text whose mark of an item is a character like others.
fn escaped_start(text: &str) -> String {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    format!("{}\\{}", text.slice(..digits), text.slice(digits..))
}
