//! Files that plugins and extensions include: `{% include-markdown "../README.md" start="…" end="…" %}`, `{% include … %}`
//! (include-markdown, macros), `{!file.md!}` (markdown_include, mdx_include) and `{* file.py ln[1:3] hl[2] *}`
//! (markdown-include-variants). The text takes the place of the tag, in code as well.

use base::cut::{SliceText as _, cut};
use base::extension::is_markdown;
use base::lines::{Verbatim, outside_code};
use base::{FileId, Place, Problem};
use load::tool::RenderedText;
use site::front_matter::split_front_matter;
use site::include::{IncludeSource, SiteFiles};
use site::tree::{self, SourceTree};

use super::super::syntax::{Includes, MkDocsSyntax};
use super::PlacedLines;

/// Files in each other.
const MAX_SNIPPET_DEPTH: usize = 8;
/// Most bytes that a page includes.
const MAX_SNIPPET_BYTES: usize = 4 << 20;

/// Puts files into their places.
pub(super) fn expand_include_tags(
    syntax: &MkDocsSyntax,
    text: &RenderedText<'_>,
    lines: PlacedLines,
    problems: &mut Vec<Problem>,
) -> PlacedLines {
    let is_used = |(open, _): &(&str, &str)| text.body.contains(open);
    let marks = marks(&syntax.includes);
    if !marks.iter().any(is_used) {
        return lines;
    }
    let mut expansion = MkDocsExpansion { syntax, text, marks, problems, left: MAX_SNIPPET_BYTES };
    expansion.lines(lines, text.file, 0)
}

/// What begins and ends a tag.
fn marks(includes: &Includes) -> Vec<(&'static str, &'static str)> {
    let mut marks = Vec::new();
    if includes.tags {
        marks.push(("{%", "%}"));
    }
    if includes.marks {
        marks.push(("{!", "!}"));
    }
    if includes.variants {
        marks.push(("{*", "*}"));
    }
    marks
}

struct MkDocsExpansion<'a, 'p> {
    syntax: &'a MkDocsSyntax,
    text: &'a RenderedText<'a>,
    marks: Vec<(&'static str, &'static str)>,
    problems: &'p mut Vec<Problem>,
    /// Bytes that may still be included.
    left: usize,
}

/// What a tag asks for.
#[derive(Debug, Default, PartialEq, Eq)]
struct IncludeTag {
    path: String,
    /// Files that take its place where it is missing.
    others: Vec<String>,
    /// A missing file is no mistake.
    may_be_missing: bool,
    options: Vec<(String, String)>,
    /// Relative addresses are those of the file.
    is_markdown: bool,
    /// Lines, from 1; all if there are none.
    ranges: Vec<(usize, usize)>,
    /// A block of code of its own, with the lines that it marks.
    code: Option<String>,
}

impl IncludeTag {
    /// What stands in a tag; `None` if it includes nothing.
    fn read(open: &str, inside: &str) -> Option<Self> {
        let inside = inside.trim();
        match open {
            "{%" => {
                let inside = inside.trim_matches('-').trim();
                let rest = inside.strip_prefix("include")?;
                let (is_markdown, rest) = rest.strip_prefix("-markdown").map_or((false, rest), |rest| (true, rest));
                let mut rest = rest.trim_start().trim_start_matches(['[', '(']).trim_start();
                let mut paths = Vec::new();
                while let Some((path, after)) = quoted(rest) {
                    paths.push(path.to_owned());
                    // a list of files, of which the first that is there counts
                    let Some(next) = after.trim_start().strip_prefix(',') else {
                        rest = after;
                        break;
                    };
                    rest = next.trim_start();
                }
                let mut paths = paths.into_iter();
                Some(Self {
                    path: paths.next()?,
                    others: paths.collect(),
                    may_be_missing: rest.contains("ignore missing"),
                    options: parse_include_options(rest),
                    is_markdown,
                    ..Self::default()
                })
            }
            "{!" => {
                let inside = inside.trim_start_matches('>').trim();
                let (path, range) = inside.split_once('[').unwrap_or((inside, ""));
                let (path, lines) = path.split_once("!lines=").unwrap_or((path, ""));
                let path = path.trim().to_owned();
                let ranges = ranges(range.trim_start_matches("ln:").trim_end_matches(']'), '-');
                let ranges = if ranges.is_empty() { self::ranges(lines, '-') } else { ranges };
                (!path.is_empty() && !path.contains(['\n', '{'])).then(|| Self { path, ranges, ..Self::default() })
            }
            _ => {
                let mut words = inside.split_whitespace();
                let path = words.next()?.to_owned();
                let rest: Vec<&str> = words.collect();
                let option = |name: &str| {
                    rest.iter().find_map(|word| word.strip_prefix(name)?.strip_prefix('[')?.strip_suffix(']'))
                };
                let ranges = ranges(option("ln").unwrap_or_default(), ':');
                let marked = option("hl").unwrap_or_default().replace(',', " ").replace(':', "-");
                (path.contains('.')).then(|| Self { path, ranges, code: Some(marked), ..Self::default() })
            }
        }
    }

    fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// The text in the quotes that a text begins with, and what follows it.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    text.strip_prefix(quote)?.split_once(quote)
}

/// `name="value"` and `name=value`.
fn parse_include_options(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = text.trim();
    while let Some((name, value)) = rest.split_once('=') {
        let value = value.trim_start();
        let (value, after) = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => value.slice(1..).split_once(quote).unwrap_or((value.slice(1..), "")),
            _ => value.split_once(char::is_whitespace).unwrap_or((value, "")),
        };
        found.push((name.trim().to_owned(), value.replace("\\n", "\n").replace("\\t", "\t")));
        rest = after.trim_start();
    }
    found
}

/// `1-3,5`, with the sign that stands between two numbers.
fn ranges(text: &str, sign: char) -> Vec<(usize, usize)> {
    let parts = text.split([',', ' ']).filter(|part| !part.is_empty());
    let read = parts.map(|part| {
        let (first, last) = part.split_once(sign).unwrap_or((part, part));
        Some((first.trim().parse().ok()?, last.trim().parse().unwrap_or(usize::MAX)))
    });
    read.collect::<Option<Vec<_>>>().unwrap_or_default()
}

impl MkDocsExpansion<'_, '_> {
    fn lines(&mut self, lines: PlacedLines, from: FileId, depth: usize) -> PlacedLines {
        let mut out = PlacedLines::with_capacity(lines.len());
        let mut rest = lines.into_iter();
        let mut is_raw = false;
        while let Some((mut line, place)) = rest.next() {
            let was_raw = is_raw;
            if self.syntax.includes.has_raw {
                is_raw = is_raw_behind(&line, is_raw);
            }
            let found = self.tag_in(&line).filter(|(at, ..)| {
                !self.syntax.includes.has_raw || !is_raw_behind(line.get(..*at).unwrap_or_default(), was_raw)
            });
            let Some((at, open, close)) = found else {
                out.push((line, place));
                continue;
            };
            // a tag may have several lines
            let start = line.len();
            let mut taken: PlacedLines = Vec::new();
            while !line.slice(at + open.len()..).contains(close) && taken.len() < 20 {
                let Some(next) = rest.next() else { break };
                line.push('\n');
                line.push_str(&next.0);
                taken.push(next);
            }
            let found = line.slice(at + open.len()..).find(close).map(|end| at + open.len() + end);
            let tag = found.and_then(|end| Some((IncludeTag::read(open, line.slice(at + open.len()..end))?, end)));
            let Some((tag, end)) = tag.filter(|_| depth < MAX_SNIPPET_DEPTH) else {
                line.truncate(start);
                out.push((line, place));
                out.append(&mut taken);
                continue;
            };
            let (before, after) = (line.slice(..at), line.slice(end + close.len()..));
            let Some(mut included) = self.file(&tag, from, place, depth) else {
                out.push((format!("{before}{after}"), place));
                continue;
            };
            let indent = if before.trim().is_empty() { before.to_owned() } else { " ".repeat(indent_of(before)) };
            for (line, _) in included.iter_mut().skip(1).filter(|(line, _)| !line.is_empty()) {
                line.insert_str(0, &indent);
            }
            if let Some((first, _)) = included.first_mut() {
                first.insert_str(0, before);
            }
            if let Some((last, _)) = included.last_mut() {
                last.push_str(after);
            }
            out.append(&mut included);
        }
        out
    }

    /// The first tag of a line that includes something.
    fn tag_in(&self, line: &str) -> Option<(usize, &'static str, &'static str)> {
        let found = self.marks.iter().filter_map(|(open, close)| {
            let is_include = |at: &usize| {
                let rest = line.slice(*at..);
                let is_tag = match *open {
                    "{%" => {
                        let inside =
                            rest.strip_prefix(open).unwrap_or(rest).trim_start_matches(['-', '+']).trim_start();
                        inside.starts_with("include") || inside.is_empty()
                    }
                    "{!" => rest.contains(close),
                    _ => rest.contains(close) && line.trim_start().starts_with(open),
                };
                // what is shown as code
                is_tag && !line.slice(..*at).ends_with('`')
            };
            let at = line.match_indices(open).map(|(at, _)| at).find(is_include)?;
            Some((at, *open, *close))
        });
        found.min_by_key(|(at, ..)| *at)
    }

    /// The lines of a file; `None` if it is not there, which is told.
    fn file(&mut self, tag: &IncludeTag, from: FileId, place: Place, depth: usize) -> Option<PlacedLines> {
        let site = &self.text.site.tree;
        let paths = std::iter::once(&tag.path).chain(&tag.others);
        let text = paths
            .filter_map(|path| find_included_file(site, self.syntax, from, path))
            .find_map(|file| Some((file, site.text(file)?)));
        let found = text.filter(|(_, text)| text.len() <= self.left && !text.contains('\0'));
        let Some((file, text)) = found else {
            if tag.may_be_missing {
                return None;
            }
            self.problems.push(
                Problem::new(
                    "include-unread",
                    format!("`{}` is not a file of the documentation; its content is left out", tag.path),
                    place,
                )
                .hint("correct the path, or write the text on the page"),
            );
            return None;
        };
        self.left -= text.len();
        let text = text.replace("\r\n", "\n");
        let body =
            if is_markdown(site.path(file)) { text.slice(split_front_matter(&text).body_offset..) } else { &text };
        let part = select_text_part(body, tag);
        let mut lines: PlacedLines = part.trim_matches('\n').split('\n').map(|line| (line.to_owned(), place)).collect();
        if let Some(marked) = &tag.code {
            let language = site.path(file).rsplit('.').next().unwrap_or_default().to_owned();
            let marked = if marked.is_empty() { String::new() } else { format!(" hl_lines=\"{marked}\"") };
            lines.insert(0, (format!("```{language}{marked}"), place));
            lines.push(("```".to_owned(), place));
            return Some(lines);
        }
        if let Some(levels) = tag.option("heading-offset").and_then(|levels| levels.parse::<i32>().ok()) {
            shift_headings(&mut lines, levels);
        }
        if tag.is_markdown && tag.option("rewrite-relative-urls") != Some("false") {
            let folders = (tree::folder(site.path(file)), tree::folder(site.path(from)));
            move_addresses(&mut lines, folders);
        }
        Some(self.lines(lines, file, depth + 1))
    }
}

/// Whether what follows a text stands between `{% raw %}` and `{% endraw %}`.
fn is_raw_behind(text: &str, was_raw: bool) -> bool {
    let tags = text.match_indices("{%").filter_map(|(at, _)| {
        match text.get(at + 2..)?.trim_start_matches(['-', '+']).split_whitespace().next()? {
            "raw" | "raw%}" => Some(true),
            "endraw" | "endraw%}" => Some(false),
            _ => None,
        }
    });
    tags.last().unwrap_or(was_raw)
}

/// The file that a path names.
fn find_included_file(site: &SourceTree, syntax: &MkDocsSyntax, from: FileId, path: &str) -> Option<FileId> {
    let beside = || tree::join_document_path(tree::folder(site.path(from)), path).and_then(|path| site.find_any(&path));
    let folders = || {
        let joined = syntax
            .includes
            .folders
            .iter()
            .filter_map(|folder| tree::join_document_path(folder, path.trim_start_matches('/')));
        joined.filter_map(|path| site.find_any(&path)).next()
    };
    let files = SiteFiles { tree: site, folders: &[] };
    let near = || files.included(from, path.trim_start_matches("../")).map(|found| found.file);
    if path.starts_with('.') { beside().or_else(folders) } else { folders().or_else(beside) }.or_else(near)
}

/// The part of a text that a tag names.
fn select_text_part(body: &str, tag: &IncludeTag) -> String {
    let mut text = body;
    if let Some((_, after)) = tag.option("start").and_then(|mark| text.split_once(mark)) {
        text = after;
    }
    if let Some((before, _)) = tag.option("end").and_then(|mark| text.split_once(mark)) {
        text = before;
    }
    if tag.ranges.is_empty() {
        return text.to_owned();
    }
    let is_in = |number: usize| tag.ranges.iter().any(|(first, last)| (*first..=*last).contains(&number));
    let lines = text.lines().enumerate().filter(|(at, _)| is_in(at + 1)).map(|(_, line)| line);
    lines.collect::<Vec<_>>().join("\n")
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// Makes headings deeper or higher.
fn shift_headings(lines: &mut PlacedLines, levels: i32) {
    let mut verbatim = Verbatim::default();
    for (line, _) in lines.iter_mut() {
        if verbatim.takes(line.trim_start()) {
            continue;
        }
        let own = line.bytes().take_while(|byte| *byte == b'#').count();
        if (1..=6).contains(&own) && line.slice(own..).starts_with(' ') {
            let level = i32::try_from(own).unwrap_or(1).saturating_add(levels).clamp(1, 6);
            *line = format!("{}{}", "#".repeat(usize::try_from(level).unwrap_or(1)), line.slice(own..));
        }
    }
}

/// Relative addresses of a file as those of a page in another folder.
fn move_addresses(lines: &mut PlacedLines, (file, page): (&str, &str)) {
    if file == page {
        return;
    }
    let mut verbatim = Verbatim::default();
    for (line, _) in lines.iter_mut() {
        if verbatim.takes(line.trim_start()) || !(line.contains("](") || line.contains("=\"") || line.contains("]: ")) {
            continue;
        }
        *line = outside_code(line, |part| {
            let mut out = String::with_capacity(part.len());
            let mut rest = part;
            let next = |rest: &str| {
                let marks = ["](", "src=\"", "href=\"", "]: "];
                marks.iter().filter_map(|mark| rest.find(mark).map(|at| at + mark.len())).min()
            };
            while let Some(at) = next(rest) {
                out.push_str(rest.slice(..at));
                rest = rest.slice(at..);
                let end = rest.find([')', '"', ' ', '>']).unwrap_or(rest.len());
                out.push_str(&moved(rest.slice(..end), file, page));
                rest = rest.slice(end..);
            }
            out.push_str(rest);
            out
        });
    }
}

/// An address from a file, as one from a page.
fn moved(address: &str, file: &str, page: &str) -> String {
    let (path, anchor) = address.find(['#', '?']).map_or((address, ""), |at| cut(address, at));
    let is_relative = !path.is_empty()
        && path.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '_'))
        && !path.contains("://")
        && !path.starts_with("mailto:");
    let Some(target) = tree::join_document_path(file, path).filter(|_| is_relative) else { return address.to_owned() };
    let slash = if path.ends_with('/') { "/" } else { "" };
    let own: Vec<&str> = page.split('/').filter(|part| !part.is_empty()).collect();
    let to: Vec<&str> = target.split('/').collect();
    let shared = own.iter().zip(&to).take_while(|(one, other)| one == other).count().min(to.len().saturating_sub(1));
    let up = "../".repeat(own.len() - shared);
    format!("{up}{}{slash}{anchor}", to[shared..].join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read() {
        let read = |open: &str, inside: &str| {
            IncludeTag::read(open, inside).map(|it| (it.path.clone(), it.ranges.clone(), it.code.clone()))
        };
        let path = |path: &str| Some((path.to_owned(), Vec::new(), None));
        assert_eq!(read("{%", " include-markdown \"../a.md\" start='x' "), path("../a.md"));
        assert_eq!(read("{%", "- include 'b.md' -"), path("b.md"));
        assert_eq!(read("{%", " if x "), None);
        let tag = IncludeTag::read("{%", " include ['a.md', \"b.md\"] ignore missing ").unwrap();
        assert_eq!(
            (tag.path.as_str(), tag.others.as_slice(), tag.may_be_missing),
            ("a.md", &["b.md".to_owned()][..], true)
        );
        assert!(is_raw_behind("{% raw %} a", false) && !is_raw_behind("{%- raw -%} a {%- endraw %}", true));
        assert_eq!(read("{!", "> ../a.py [ln:1-3,5] "), Some(("../a.py".to_owned(), vec![(1, 3), (5, 5)], None)));
        assert_eq!(read("{!", "a.md"), path("a.md"));
        assert_eq!(
            read("{*", " ../a.py ln[2:4] hl[1,3:4] "),
            Some(("../a.py".to_owned(), vec![(2, 4)], Some("1 3-4".to_owned())))
        );
        assert_eq!(read("{*", " words "), None);
        let tag = IncludeTag::read("{%", "include 'a' start=\"<!-- a -->\\n\" end='b' heading-offset=1").unwrap();
        assert_eq!((tag.option("start"), tag.option("heading-offset")), (Some("<!-- a -->\n"), Some("1")));
    }

    #[test]
    fn addresses_are_those_of_the_page() {
        for (address, expect) in [
            ("docs/a.md#x", "a.md#x"),
            ("CONTRIBUTING.md", "../CONTRIBUTING.md"),
            ("./img/b.png", "../img/b.png"),
            ("https://a.b", "https://a.b"),
            ("#x", "#x"),
            ("/a", "/a"),
            ("docs/guide/", "guide/"),
            ("docs", "../docs"),
        ] {
            assert_eq!(moved(address, "", "docs"), expect, "{address}");
        }
    }

    #[test]
    fn parts_are_between_marks() {
        let tag = |options: &str| IncludeTag::read("{%", &format!("include 'a' {options}")).unwrap();
        assert_eq!(select_text_part("a<s>b<e>c", &tag("start='<s>' end='<e>'")), "b");
        assert_eq!(select_text_part("a\nb", &tag("start='none'")), "a\nb");
        let ranged = IncludeTag { ranges: vec![(2, 3)], ..IncludeTag::default() };
        assert_eq!(select_text_part("a\nb\nc\nd", &ranged), "b\nc");
    }
}
