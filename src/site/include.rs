//! Files that lines of plain Markdown include, as other generators have it written: `{{#include a.rs:part}}` (mdBook),
//! `--8<-- "a.md"` (MkDocs), `<<< @/a.ts#part` and `<!--@include: ./a.md-->` (VitePress). Their text takes the place of
//! the line, in code as well.

use crate::heading_ids::vue_slug;
use base::cut::{SliceText as _, cut};
use base::extension::is_markdown;
use base::lines::{Verbatim, fence_around};
use base::{FileId, Place, Problem};

use super::front_matter::split_front_matter;
use super::tree::{self, SourceTree};

/// Files deeper inside each other than this are left out.
const MAX_INCLUDE_DEPTH: usize = 8;
/// Bytes that one page may include; what is more is left out.
const MAX_INCLUDE_BYTES: usize = 4 << 20;

/// The files that a text may include.
pub trait IncludeSource {
    /// The file that a path in the file `from` names.
    fn included(&self, from: FileId, path: &str) -> Option<Included>;
}

/// A file that is included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Included {
    /// Which one it is.
    pub file: FileId,
    /// Its text, without front matter.
    pub text: String,
    /// The line at which that starts.
    pub first_line: u32,
}

/// The files of a site.
#[derive(Debug)]
pub struct SiteFiles<'a> {
    /// All of them.
    pub tree: &'a SourceTree,
    /// Folders in which paths are looked for before the folder of the page.
    pub folders: &'a [String],
}

impl IncludeSource for SiteFiles<'_> {
    /// Paths lead from folders of the tool, from the including file's folder (mdBook, VitePress), from the folder of the
    /// book, or from the one around it, of which the export may have seen only `docs` (MkDocs): the nearest that has the
    /// file is meant.
    fn included(&self, from: FileId, path: &str) -> Option<Included> {
        let files = self.tree;
        let path = path.trim_start_matches('/');
        let of_tool = self
            .folders
            .iter()
            .find_map(|folder| tree::join_document_path(folder, path).and_then(|path| files.find_any(&path)));
        let mut folder = tree::folder(files.path(from));
        let file = loop {
            let found = of_tool.or_else(|| tree::join_document_path(folder, path).and_then(|path| files.find(&path)));
            match found {
                Some(file) => break file,
                None if folder.is_empty() => break files.find(path.strip_prefix("docs/")?)?,
                None => folder = tree::folder(folder),
            }
        };
        let text = files.text(file).filter(|text| !text.contains('\0'))?;
        let split = is_markdown(files.path(file)).then(|| split_front_matter(&text));
        let (text, first_line) =
            split.map_or((text.as_str(), 1), |split| (text.slice(split.body_offset..), split.body_line));
        Some(Included { file, text: text.to_owned(), first_line })
    }
}

/// The directive of a line.
#[derive(Debug, PartialEq, Eq)]
struct IncludeDirective<'t> {
    path: &'t str,
    part: IncludeRange<'t>,
    /// The info string of the block that the text is put into.
    fence: Option<String>,
}

impl IncludeDirective<'_> {
    /// With the name of the file as the title of its block, if that has none: a group of code names its tabs so.
    fn with_file_name(mut self) -> Self {
        let name = self.path.rsplit('/').next().unwrap_or(self.path);
        if let Some(info) = self.fence.as_mut().filter(|info| !info.contains("title=")) {
            let end = info.find(' ').unwrap_or(info.len());
            info.insert_str(end, &format!(" title=\"{}\"", name.replace('"', "'")));
        }
        self
    }
}

#[derive(Debug, PartialEq, Eq)]
enum IncludeRange<'t> {
    Whole,
    /// Lines, from 1, both included.
    Lines(usize, usize),
    /// What stands between two marks of a name.
    Named(&'t str),
    /// The same, or what a heading with that anchor stands above (VitePress).
    NamedOrHeading(&'t str),
}

/// The lines of a text with those that it includes, each with its place; `None` if it includes nothing.
/// `rewritten` stands in for the text.
pub fn expand_includes(
    source: &str,
    rewritten: Option<Vec<(String, Place)>>,
    start: Place,
    files: &dyn IncludeSource,
    problems: &mut Vec<Problem>,
) -> Option<Vec<(String, Place)>> {
    let is_likely = ["{{#", CUT, "<<<", "@include"]
        .iter()
        .any(|mark| memchr::memmem::find(source.as_bytes(), mark.as_bytes()).is_some());
    if !is_likely {
        return rewritten;
    }
    let mut expansion = IncludeExpansion {
        files,
        problems,
        out: Vec::new(),
        open: Vec::new(),
        left: MAX_INCLUDE_BYTES,
        is_other: false,
    };
    let lines: Vec<(&str, Place)> = match &rewritten {
        Some(lines) => lines.iter().map(|(line, place)| (line.as_str(), *place)).collect(),
        None => source.split('\n').zip((start.line..).map(|line| Place { line, ..start })).collect(),
    };
    expansion.lines(&lines, "", false);
    if expansion.is_other { Some(expansion.out) } else { rewritten }
}

struct IncludeExpansion<'f> {
    files: &'f dyn IncludeSource,
    problems: &'f mut Vec<Problem>,
    out: Vec<(String, Place)>,
    /// The files around the current line.
    open: Vec<FileId>,
    /// Bytes that may still be included.
    left: usize,
    is_other: bool,
}

impl IncludeExpansion<'_> {
    fn lines(&mut self, lines: &[(&str, Place)], indent: &str, in_code: bool) {
        let mut verbatim = Verbatim::default();
        let mut list = 0;
        let mut in_group = false;
        for (at, (line, place)) in lines.iter().copied().enumerate() {
            let is_code = verbatim.takes(line.trim_start_matches([' ', '>'])) || in_code;
            let text = line.trim();
            // a directive that is shown
            if text.strip_prefix(';').is_some_and(|shown| shown.starts_with(CUT)) {
                self.is_other = true;
                self.push(indent, &line.replacen(';', "", 1), place);
                continue;
            }
            if at >= list
                && text == CUT
                && let Some(length) = list_length(&lines[at + 1..])
            {
                (list, self.is_other) = (at + length + 2, true);
                continue;
            }
            let is_list = at < list;
            if let Some(rest) = text.strip_prefix(":::").filter(|_| !is_code) {
                in_group = rest.trim_start_matches(':').trim_start().starts_with("code-group");
            }
            let directive = if is_list { Some(parse_include_target(text)) } else { parse_directive(text, is_code) };
            let directive = directive.map(|directive| if in_group { directive.with_file_name() } else { directive });
            match directive {
                Some(directive) if is_list && (directive.path.is_empty() || text == CUT) => {}
                Some(directive) => {
                    let inner =
                        format!("{indent}{}", line.slice(..line.len() - line.trim_start_matches([' ', '>']).len()));
                    if self.include(&directive, place, &inner, is_code) {
                        self.is_other = true;
                    } else if is_code {
                        self.push(indent, line, place);
                    }
                }
                None if !is_code && is_mark_of_page(text) => self.is_other = true,
                None => self.push(indent, line, place),
            }
        }
    }

    fn push(&mut self, indent: &str, line: &str, place: Place) {
        self.out.push((format!("{indent}{line}"), place));
    }

    /// Writes what a directive includes; whether that was anything.
    fn include(&mut self, directive: &IncludeDirective<'_>, place: Place, indent: &str, is_code: bool) -> bool {
        let found = match self.files.included(place.file, directive.path) {
            None => Err("is not a file of the documentation"),
            Some(found) if self.open.contains(&found.file) || found.file == place.file => Err("includes itself"),
            Some(_) if self.open.len() >= MAX_INCLUDE_DEPTH => Err("is too deep inside other files"),
            Some(found) if found.text.len() > self.left => Err("is too large"),
            Some(found) => match select_file_part(&found.text, &directive.part) {
                Some(lines) => Ok((
                    found.file,
                    found.first_line,
                    lines.into_iter().map(|(at, line)| (at, line.to_owned())).collect::<Vec<_>>(),
                )),
                None => Err("has no part of that name"),
            },
        };
        let (file, first_line, mut lines) = match found {
            Ok(found) => found,
            Err(why) => {
                let outcome = if is_code { "the line stays" } else { "its content is left out" };
                let message = format!("`{}` {why}; {outcome}", directive.path);
                let hint = "correct the path, or write the text on the page; paths are relative to the folder of the page or to a folder above it";
                self.problems.push(Problem::new("include-unread", message, place).hint(hint));
                // nothing stands there but in code
                self.is_other |= !is_code;
                return false;
            }
        };
        while lines.last().is_some_and(|(_, line)| line.trim().is_empty()) {
            lines.pop();
        }
        self.left -= lines.iter().map(|(_, line)| line.len()).sum::<usize>();
        let fence = directive.fence.as_ref().map(|info| {
            let marks = fence_around(lines.iter().map(|(_, line)| line.as_str()), '`');
            shift(&mut lines);
            (marks, info)
        });
        if let Some((marks, info)) = &fence {
            self.push(indent, &format!("{marks}{info}"), place);
        }
        self.open.push(place.file);
        let placed: Vec<(&str, Place)> =
            lines.iter().map(|(at, line)| (line.as_str(), Place { file, line: first_line + *at, column: 1 })).collect();
        self.lines(&placed, indent, is_code || fence.is_some());
        self.open.pop();
        if let Some((marks, _)) = &fence {
            self.push(indent, marks, place);
        }
        true
    }
}

/// How many lines are paths between scissors that stand alone; `None` if something else follows them.
fn list_length(lines: &[(&str, Place)]) -> Option<usize> {
    let end = lines.iter().position(|(line, _)| line.trim() == CUT)?;
    lines[..end].iter().all(|(line, _)| !line.trim().contains(' ') || line.trim_start().starts_with(';')).then_some(end)
}

/// Takes the indentation away that all lines share.
fn shift(lines: &mut [(u32, String)]) {
    let width = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let shared =
        lines.iter().filter(|(_, line)| !line.trim().is_empty()).map(|(_, line)| width(line)).min().unwrap_or(0);
    for (_, line) in lines {
        line.drain(..shared.min(width(line)));
    }
}

/// MkDocs' scissors.
const CUT: &str = "--8<--";

/// The directive of a line. The forms of VitePress have no meaning in code.
fn parse_directive(text: &str, is_code: bool) -> Option<IncludeDirective<'_>> {
    if let Some(path) = text.strip_prefix(CUT) {
        let path = path.trim();
        let bare = path
            .strip_prefix('"')
            .and_then(|path| path.strip_suffix('"'))
            .or_else(|| path.strip_prefix('\'')?.strip_suffix('\''));
        return bare.map(parse_include_target);
    }
    if let Some(inside) = text.strip_prefix("{{#").and_then(|rest| rest.strip_suffix("}}")) {
        let (name, path) = inside.split_once(' ')?;
        let (path, part) = numbered(path.split_whitespace().next()?);
        let fence = match name {
            "include" | "rustdoc_include" => None,
            "playground" => Some("rust".to_owned()),
            _ => return None,
        };
        return Some(IncludeDirective { path, part, fence });
    }
    if is_code {
        return None;
    }
    if let Some(rest) = text.strip_prefix("<<<").filter(|rest| rest.starts_with([' ', '@', '.', '/'])) {
        let rest = rest.trim_start();
        let (path, options) = cut(rest, rest.find([' ', '{', '[']).unwrap_or(rest.len()));
        return (!path.is_empty()).then(|| with_region(path, Some(options)));
    }
    let inside = text.strip_prefix("<!--")?.strip_suffix("-->")?.trim().strip_prefix("@include:")?.trim();
    let (path, lines) = inside.split_once('{').unwrap_or((inside, ""));
    let directive = with_region(path.trim(), None);
    let directive = match directive.part {
        IncludeRange::Named(name) => IncludeDirective { part: IncludeRange::NamedOrHeading(name), ..directive },
        _ => directive,
    };
    match lines.trim_end_matches('}').split_once(',') {
        Some((from, to)) => Some(IncludeDirective {
            part: IncludeRange::Lines(from.trim().parse().unwrap_or(1), to.trim().parse().unwrap_or(usize::MAX)),
            ..directive
        }),
        None => Some(directive),
    }
}

/// `a.md`, `a.md:part`, `a.md:1:3` behind scissors.
fn parse_include_target(text: &str) -> IncludeDirective<'_> {
    let text = if text.starts_with(';') { "" } else { text };
    let (path, part) = if text.contains("://") { (text, IncludeRange::Whole) } else { numbered(text) };
    IncludeDirective { path, part, fence: None }
}

/// `path`, `path:name`, `path:2`, `path:2:5`, `path::5`.
fn numbered(text: &str) -> (&str, IncludeRange<'_>) {
    let Some((path, part)) = text.split_once(':') else { return (text, IncludeRange::Whole) };
    let (from, to) = part.split_once(':').map_or((part, None), |(from, to)| (from, Some(to)));
    let number = |text: &str, other: usize| if text.is_empty() { Some(other) } else { text.parse().ok() };
    let lines = number(from, 1)
        .and_then(|from| Some(IncludeRange::Lines(from, to.map_or(Some(from), |to| number(to, usize::MAX))?)));
    (path, lines.unwrap_or(IncludeRange::Named(part)))
}

/// `path#region`, and in a block what follows: `{1,3 ts:line-numbers}` and `[title]`.
fn with_region<'t>(text: &'t str, options: Option<&str>) -> IncludeDirective<'t> {
    let (path, part) =
        text.split_once('#').map_or((text, IncludeRange::Whole), |(path, name)| (path, IncludeRange::Named(name)));
    let fence = options.map(|options| {
        let extension =
            path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map_or("", |(_, extension)| extension);
        let inside =
            options.split_once('{').and_then(|(_, rest)| rest.split_once('}')).map_or("", |(inside, _)| inside.trim());
        let (lines, named) = match inside.split_once(' ') {
            Some((lines, named)) => (lines, named.trim()),
            None if inside.starts_with(|c: char| c.is_ascii_digit()) => (inside, ""),
            None => ("", inside),
        };
        let named = named.split(':').next().unwrap_or_default();
        let title = options.split_once('[').and_then(|(_, rest)| rest.split_once(']')).map_or("", |(title, _)| title);
        let mut info = if named.is_empty() { extension } else { named }.to_owned();
        if !title.is_empty() {
            info.push_str(&format!(" title=\"{}\"", title.replace('"', "'")));
        }
        if !lines.is_empty() {
            info.push_str(&format!(" {{{lines}}}"));
        }
        info
    });
    IncludeDirective { path: path.strip_prefix('@').unwrap_or(path), part, fence }
}

/// A line that marks a part of a file: whether the part starts there, and its name.
fn parse_region_mark(line: &str) -> Option<(bool, &str)> {
    for (sign, is_start) in [
        ("ANCHOR: ", true),
        ("ANCHOR_END: ", false),
        ("--8<-- [start:", true),
        ("--8<-- [end:", false),
        ("#region ", true),
        ("#endregion ", false),
    ] {
        if let Some(at) = line.find(sign) {
            let rest = line.slice(at + sign.len()..).trim_start();
            let end = rest.find(|c: char| c.is_whitespace() || c == ']').unwrap_or(rest.len());
            return Some((is_start, rest.slice(..end)));
        }
    }
    None
}

/// The mark of a part that others include, in a page's own text.
fn is_mark_of_page(text: &str) -> bool {
    text.starts_with("--8<-- [") || text.starts_with("<!-- --8<-- [") || text.starts_with("<!-- ANCHOR")
}

/// The lines of a part, with their numbers from 0; marks are no part of it.
fn select_file_part<'t>(text: &'t str, part: &IncludeRange<'_>) -> Option<Vec<(u32, &'t str)>> {
    let lines = (0..).zip(text.strip_suffix('\n').unwrap_or(text).split('\n'));
    let is_region = |line: &str| line.contains("#region ") || line.contains("#endregion");
    match part {
        IncludeRange::Whole => {
            Some(lines.filter(|(_, line)| parse_region_mark(line).is_none() || is_region(line)).collect())
        }
        IncludeRange::Lines(from, to) => {
            Some(lines.filter(|(at, _)| (*from..=*to).contains(&(*at as usize + 1))).collect())
        }
        IncludeRange::NamedOrHeading(name) => {
            select_file_part(text, &IncludeRange::Named(name)).or_else(|| select_section(lines, name))
        }
        IncludeRange::Named(name) => {
            let (mut is_inside, mut is_known) = (false, false);
            let inside = lines.filter(|(_, line)| match parse_region_mark(line) {
                Some((is_start, found)) => {
                    if found == *name {
                        (is_inside, is_known) = (is_start, true);
                    }
                    false
                }
                None => is_inside,
            });
            let inside: Vec<(u32, &str)> = inside.collect();
            is_known.then_some(inside)
        }
    }
}

/// The lines of a heading with an anchor, and those below it.
fn select_section<'t>(lines: impl Iterator<Item = (u32, &'t str)>, anchor: &str) -> Option<Vec<(u32, &'t str)>> {
    let mut verbatim = Verbatim::default();
    let mut found: Option<(usize, Vec<(u32, &str)>)> = None;
    for (at, line) in lines {
        let level = line.bytes().take_while(|byte| *byte == b'#').count();
        let is_code = verbatim.takes(line);
        let title = line.slice(level..).strip_prefix(' ').filter(|_| (1..=6).contains(&level) && !is_code);
        match (title, &mut found) {
            (Some(_), Some((own, _))) if level <= *own => break,
            (Some(title), None) if is_anchor_of(title.trim(), anchor) => found = Some((level, vec![(at, line)])),
            (_, Some((_, inside))) => inside.push((at, line)),
            (_, None) => {}
        }
    }
    found.map(|(_, inside)| inside)
}

/// Whether a heading has an anchor, its own (`Title {#own}`) or that of its words.
fn is_anchor_of(title: &str, anchor: &str) -> bool {
    match title.strip_suffix('}').and_then(|rest| rest.rsplit_once("{#")) {
        Some((_, own)) => own == anchor,
        None => vue_slug(&title.replace('`', "")) == anchor,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The files below.
    struct Five;

    const TEXTS: [(&str, &str); 5] = [
        ("a.md", "first\n<!-- --8<-- [start:two] -->\nsecond\n<!-- --8<-- [end:two] -->\n"),
        (
            "b.rs",
            "use x;\n// ANCHOR: main\nfn main() {\n    // ANCHOR: in\n    x();\n    // ANCHOR_END: in\n}\n// ANCHOR_END: main\n",
        ),
        ("c.ts", "// #region r\n  let a;\n    let b;\n// #endregion r\n"),
        ("d.md", "before\n--8<-- \"d.md\"\n{{#include a.md:two}}\n"),
        ("e.md", "## Sec A\na\n## Sec `B`\nb\n```\n# c\n```\n### Deep\nd\n## Own {#own}\no\n"),
    ];

    impl IncludeSource for Five {
        fn included(&self, _: FileId, path: &str) -> Option<Included> {
            let at =
                TEXTS.iter().position(|(name, _)| *name == path.trim_start_matches("./").trim_start_matches('/'))?;
            Some(Included { file: FileId(at as u32 + 1), text: TEXTS[at].1.to_owned(), first_line: 1 })
        }
    }

    fn text(source: &str) -> (String, Vec<String>) {
        let mut problems = Vec::new();
        let lines =
            expand_includes(source, None, Place { line: 1, column: 1, ..Place::default() }, &Five, &mut problems);
        let text = lines.map_or_else(
            || source.to_owned(),
            |lines| lines.iter().map(|(line, _)| line.as_str()).collect::<Vec<_>>().join("\n"),
        );
        (text, problems.into_iter().map(|problem| format!("{}: {}", problem.place.line, problem.message)).collect())
    }

    #[track_caller]
    fn check(source: &str, expect: &str) {
        assert_eq!(text(source), (expect.to_owned(), Vec::new()), "{source}");
    }

    #[test]
    fn whole_files() {
        check("x\n--8<-- \"a.md\"\ny", "x\nfirst\nsecond\ny");
        check("x\n  --8<-- 'a.md'", "x\n  first\n  second");
        check("--8<--\na.md\n\n; b.rs\n--8<--\nz", "first\nsecond\nz");
        check("```rust\n{{#include b.rs}}\n```", "```rust\nuse x;\nfn main() {\n    x();\n}\n```");
        check("<!--@include: ./a.md-->", "first\nsecond");
    }

    #[test]
    fn parts_of_files() {
        check("--8<-- \"a.md:two\"", "second");
        check("--8<-- \"a.md:1:1\"", "first");
        check("```\n{{#rustdoc_include ./b.rs:main}}\n```", "```\nfn main() {\n    x();\n}\n```");
        check("{{#include b.rs:1}}", "use x;");
        check("{{#include b.rs::1}}", "use x;");
        check("<!-- @include: ./a.md{1,1} -->", "first");
        check("<!-- @include: ./e.md#sec-b -->", "## Sec `B`\nb\n```\n# c\n```\n### Deep\nd");
        check("<!--@include: e.md#own-->", "## Own {#own}\no");
        check("<!--@include: a.md#two-->", "second");
    }

    #[test]
    fn blocks_of_code() {
        check("<<< @/c.ts#r{1 ts:line-numbers} [x.ts]", "```ts title=\"x.ts\" {1}\nlet a;\n  let b;\n```");
        check("- a\n\n  <<< ./c.ts#r", "- a\n\n  ```ts\n  let a;\n    let b;\n  ```");
        let group =
            "::: code-group\n```ts title=\"c.ts\" {2}\nlet a;\n  let b;\n```\n:::\n```ts\nlet a;\n  let b;\n```";
        check("::: code-group\n<<< @/c.ts#r{2}\n:::\n<<< @/c.ts#r", group);
        check("{{#playground b.rs:in}}", "```rust\nx();\n```");
    }

    #[test]
    fn what_is_missing_is_told() {
        assert_eq!(
            text("a\n--8<-- \"no.md\"\nb"),
            (
                "a\nb".to_owned(),
                vec!["2: `no.md` is not a file of the documentation; its content is left out".to_owned()]
            )
        );
        assert_eq!(
            text("```\n--8<-- \"no.md\"\n```"),
            (
                "```\n--8<-- \"no.md\"\n```".to_owned(),
                vec!["2: `no.md` is not a file of the documentation; the line stays".to_owned()]
            )
        );
        assert_eq!(text("{{#include a.md:no}}").1, ["1: `a.md` has no part of that name; its content is left out"]);
        assert_eq!(
            text("{{#include d.md}}"),
            ("before\nsecond".to_owned(), vec!["2: `d.md` includes itself; its content is left out".to_owned()])
        );
    }

    #[test]
    fn what_stays_text() {
        for text in [
            "{{name}}",
            "a <<< b",
            "{{#title x}} y",
            "```\n<<< a.md\n```",
            "    <!-- a -->",
            "--8<--\nsome words\n--8<--",
            "--8<--\nwords",
            "{{#if a}}",
            "cat <<<",
        ] {
            check(text, text);
        }
        check("--8<-- [start:a]\nb\n--8<-- [end:a]", "b");
    }

    #[test]
    fn places_are_those_of_the_files() {
        let lines = expand_includes(
            "x\n{{#include a.md:two}}",
            None,
            Place { line: 7, column: 1, ..Place::default() },
            &Five,
            &mut Vec::new(),
        )
        .expect("it includes one");
        assert_eq!((lines[1].1.file, lines[1].1.line, lines[0].1.line), (FileId(1), 3, 7));
    }

    proptest! {
        /// No text panics.
        #[test]
        fn no_text_panics(source in "(--8<--|\"|a\\.md|b\\.rs|:|[0-9]|\n|\\{\\{#include |\\}\\}|<<< |#r|\\{|\\}|<!--@include: |-->|```|é|> ){0,30}") {
            let _ = text(&source);
        }
    }
}
