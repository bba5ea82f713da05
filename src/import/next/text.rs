//! Texts of pages: imports of packages, options of code, anchors of headings, and files that are included.

use crate::folder_names::folder_names;
use crate::imports::{length_of, parse_import, written};
use crate::included::{IncludedFiles, included_lines};
use base::cut::{SliceText as _, cut};
use base::lines::{PlacedLines, fence_around, fence_of};
use base::{Place, Problem};
use load::Site;
use load::tool::{RenderedText, ToolInput};
use site::front_matter::split_front_matter;
use site::tree;

use super::admonition::admonitions;
use super::components::{ModuleNames, PageComponent, read_page_components};

/// Most files inside each other.
const MAX_NEXT_INCLUDE_DEPTH: usize = 4;
/// Packages of the tools and of what they are made of.
const PACKAGES: [&str; 9] = [
    "nextra",
    "nextra-theme-docs",
    "nextra-theme-blog",
    "fumadocs-ui",
    "fumadocs-core",
    "fumadocs-mdx",
    "next",
    "react",
    "@theguild/components",
];

/// What both tools say of a project.
#[derive(Debug, Default)]
pub(super) struct NextProject {
    names: ModuleNames,
    /// Components that pages have without importing them.
    components: Vec<PageComponent>,
}

impl NextProject {
    /// The folder of the project.
    pub(super) fn root(&self) -> &str {
        &self.names.root
    }

    /// Reads that of a folder.
    pub(super) fn read(source: &ToolInput<'_>, root: &str) -> Self {
        let names = ModuleNames { folders: folder_names(source, root), root: root.to_owned() };
        Self { components: read_page_components(source, &names), names }
    }
}

/// The lines of a page.
pub(super) fn rewrite_next_text(
    project: &NextProject,
    text: &RenderedText<'_>,
    problems: &mut Vec<Problem>,
) -> PlacedLines {
    let path = text.site.tree.path(text.file);
    let lines = text.body.split('\n').zip(text.start.line..);
    let lines: PlacedLines =
        lines.map(|(line, number)| (line.to_owned(), Place { line: number, ..text.start })).collect();
    let lines = if text.body.contains(":::") { admonitions(lines) } else { lines };
    let mut writer = NextWriter {
        project,
        site: text.site,
        problems,
        included: IncludedFiles::default(),
        imported: Vec::new(),
        definitions: Vec::new(),
        out: PlacedLines::with_capacity(lines.len()),
    };
    writer.lines(path, &lines, 0);
    let place = writer.out.last().map_or(text.start, |(_, place)| *place);
    writer.import_components(text.start);
    let definitions = std::mem::take(&mut writer.definitions);
    if !definitions.is_empty() {
        writer.out.push((String::new(), place));
        writer.out.extend(definitions.into_iter().map(|line| (line, place)));
    }
    writer.out
}

struct NextWriter<'a, 'p> {
    project: &'a NextProject,
    /// Names that the page imports.
    imported: Vec<String>,
    site: &'a Site,
    problems: &'p mut Vec<Problem>,
    included: IncludedFiles,
    definitions: Vec<String>,
    out: PlacedLines,
}

impl NextWriter<'_, '_> {
    fn push(&mut self, line: impl Into<String>, place: Place) {
        self.out.push((line.into(), place));
    }

    fn lines(&mut self, path: &str, lines: &[(String, Place)], depth: usize) {
        let mut at = 0;
        while at < lines.len() {
            let (line, place) = &lines[at];
            let text = line.trim_start_matches([' ', '\t', '>']);
            if let Some((mark, width, info)) = fence_of(text) {
                at = self.code(lines, at, (mark, width, info));
                continue;
            }
            if line.starts_with("import ") {
                let raw: Vec<&str> = lines[at..].iter().take(80).map(|(line, _)| line.as_str()).collect();
                if let Some(length) = length_of(&raw) {
                    let statement = raw[..=length].join("\n");
                    let written = self.import(path, &statement);
                    self.push(written.unwrap_or(statement), *place);
                    at += length + 1;
                    continue;
                }
            }
            if let Some(end) = self.alert(path, lines, at, depth) {
                at = end;
                continue;
            }
            if !self.include(path, line, *place, depth) {
                self.push(heading(line), *place);
            }
            at += 1;
        }
    }

    /// A block of code, and those that follow it if they are tabs; gives the line behind them.
    fn code(&mut self, lines: &[(String, Place)], at: usize, open: (u8, usize, &str)) -> usize {
        let (mark, width, info) = open;
        let (line, place) = &lines[at];
        let lead = line.slice(..line.len() - line.trim_start_matches([' ', '\t', '>']).len()).to_owned();
        let is_end = |(line, _): &(String, Place)| {
            let end = fence_of(line.trim_start_matches([' ', '\t', '>']));
            end.is_some_and(|(other, more, info)| other == mark && more >= width && info.is_empty())
        };
        let end = lines[at + 1..].iter().position(is_end).map_or(lines.len(), |length| at + 1 + length);
        let language = info.split([' ', '{']).next().unwrap_or_default();
        let is_command = matches!(language, "npm" | "package-install");
        if is_command || info.split([' ', '\t']).skip(1).any(|word| word == "npm2yarn" || word.starts_with("npm2yarn="))
        {
            let code: Vec<&str> = lines[at + 1..end].iter().map(|(line, _)| line.trim()).collect();
            self.commands(&lead, &code, *place);
            return (end + 1).min(lines.len());
        }
        let options = CodeOptions::read(info);
        if options.tab.is_some() {
            return self.code_tabs(lines, at, &lead, *place);
        }
        let marks = char::from(mark).to_string().repeat(width);
        self.push(format!("{lead}{marks}{}", options.written(None)), *place);
        let last = (end + 1).min(lines.len());
        self.out.extend(lines[at + 1..last].iter().cloned());
        last
    }

    /// Blocks with `tab="…"`, one behind another.
    fn code_tabs(&mut self, lines: &[(String, Place)], at: usize, lead: &str, place: Place) -> usize {
        self.push("", place);
        self.push(format!("{lead}<CodeGroup>"), place);
        let mut next = at;
        while let Some((line, place)) = lines.get(next) {
            if line.trim().is_empty() && next > at {
                next += 1;
                continue;
            }
            let found = fence_of(line.trim_start_matches([' ', '\t', '>']));
            let Some((mark, width, info)) = found else { break };
            let options = CodeOptions::read(info);
            let Some(tab) = options.tab.clone() else { break };
            let is_end = |(line, _): &(String, Place)| {
                let end = fence_of(line.trim_start());
                end.is_some_and(|(other, more, info)| other == mark && more >= width && info.is_empty())
            };
            let Some(length) = lines[next + 1..].iter().position(is_end) else { break };
            let end = next + 1 + length;
            let marks = char::from(mark).to_string().repeat(width);
            self.push(format!("{lead}{marks}{}", options.written(Some(&tab))), *place);
            self.out.extend(lines[next + 1..=end].iter().cloned());
            next = end + 1;
        }
        let last = lines.get(next.saturating_sub(1)).map_or(place, |(_, place)| *place);
        self.push(format!("{lead}</CodeGroup>"), last);
        self.push("", last);
        if next == at { at + 1 } else { next }
    }

    /// A command of npm, and the same of other package managers.
    fn commands(&mut self, lead: &str, code: &[&str], place: Place) {
        use crate::docusaurus::npm;
        let text = code.join("\n");
        let text =
            if text.starts_with("npm") || text.starts_with("npx") { text } else { format!("npm install {text}") };
        self.push("", place);
        self.push(format!("{lead}<CodeGroup>"), place);
        for manager in npm::MANAGERS {
            self.push(format!("{lead}```bash {}", manager.to_lowercase()), place);
            for line in npm::commands(&text, manager).lines() {
                self.push(format!("{lead}{line}"), place);
            }
            self.push(format!("{lead}```"), place);
        }
        self.push(format!("{lead}</CodeGroup>"), place);
        self.push("", place);
    }

    /// A quote that begins with `[!NOTE]` as a box; gives the line behind it.
    fn alert(&mut self, path: &str, lines: &[(String, Place)], at: usize, depth: usize) -> Option<usize> {
        const KINDS: [(&str, &str, &str); 5] = [
            ("note", "Note", "Note"),
            ("tip", "Tip", "Tip"),
            ("important", "Info", "Important"),
            ("warning", "Warning", "Warning"),
            ("caution", "Danger", "Caution"),
        ];
        let (line, place) = &lines[at];
        let lead = line.slice(..line.len() - line.trim_start().len());
        let inner = line.trim_start().strip_prefix('>')?.trim().strip_prefix("[!")?.strip_suffix(']')?;
        let (_, component, title) = KINDS.iter().find(|(name, ..)| inner.eq_ignore_ascii_case(name))?;
        let unquoted = |line: &str| {
            let rest = line.trim_start().strip_prefix('>')?;
            Some(format!("{lead}{}", rest.strip_prefix(' ').unwrap_or(rest)))
        };
        let inside: PlacedLines =
            lines[at + 1..].iter().map_while(|(line, place)| Some((unquoted(line)?, *place))).collect();
        self.push(format!("{lead}<{component} title=\"{title}\">"), *place);
        self.push("", *place);
        self.lines(path, &inside, depth);
        self.push("", *place);
        self.push(format!("{lead}</{component}>"), *place);
        Some(at + 1 + inside.len())
    }

    /// `<include>./part.mdx</include>`: whether a line is one.
    fn include(&mut self, path: &str, line: &str, place: Place, depth: usize) -> bool {
        let trimmed = line.trim();
        let Some(rest) = trimmed.strip_prefix("<include").and_then(|rest| rest.strip_suffix("</include>")) else {
            return false;
        };
        let Some((tag, target)) = rest.split_once('>') else { return false };
        let lead = line.slice(..line.len() - line.trim_start().len()).to_owned();
        let (target, part) =
            target.trim().split_once('#').map_or((target.trim(), None), |(target, part)| (target, Some(part)));
        let tree = &self.site.tree;
        let beside = if tag.contains(" cwd") { self.project.names.root.as_str() } else { tree::folder(path) };
        let file = tree::join_document_path(beside, target).and_then(|path| tree.find_any(&path));
        let (file, text) =
            match self.included.read(tree, file.filter(|_| depth < MAX_NEXT_INCLUDE_DEPTH), target, place) {
                Ok(read) => read,
                Err(problem) => {
                    self.problems.push(problem);
                    return true;
                }
            };
        let is_page = base::extension::is_markdown(target) && !tag.contains(" lang=");
        let split = split_front_matter(&text);
        let (text, first) =
            if is_page { (text.slice(split.body_offset..), split.body_line) } else { (text.as_str(), 1) };
        let whole: Vec<&str> = text.lines().collect();
        let range = match part.filter(|_| is_page) {
            Some(part) => section(&whole, part),
            None => 0..whole.len(),
        };
        let first = first + u32::try_from(range.start).unwrap_or(0);
        let lines = included_lines(&whole[range], file, first, &lead);
        self.push("", place);
        if is_page {
            let inner = tree.path(file).to_owned();
            self.lines(&inner, &lines, depth + 1);
        } else {
            let own = crate::attribute::find_attribute(tag, "lang");
            let language = own.unwrap_or_else(|| target.rsplit('.').next().unwrap_or_default().to_owned());
            let fence = fence_around(lines.iter().map(|(line, _)| line.as_str()), '`');
            self.push(format!("{lead}{fence}{language}"), place);
            self.out.extend(lines);
            self.push(format!("{lead}{fence}"), place);
        }
        self.push("", place);
        true
    }

    /// Imports what the page uses of the components that every page has, above its first line.
    fn import_components(&mut self, place: Place) {
        let has = |text: &str| self.out.iter().any(|(line, _)| line.contains(text));
        let is_used = |name: &str| {
            let whole = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
            let tag = format!("<{name}");
            self.out
                .iter()
                .any(|(line, _)| line.match_indices(&tag).any(|(at, _)| line.get(at + tag.len()..).is_some_and(whole)))
        };
        let is_own = |name: &str| {
            self.imported.iter().any(|known| known == name)
                || ["function", "const", "let", "class"].iter().any(|word| has(&format!("{word} {name}")))
        };
        let wanted = self.project.components.iter().filter(|one| is_used(&one.name) && !is_own(&one.name));
        let lines: Vec<String> = wanted.map(PageComponent::import).collect();
        if !lines.is_empty() {
            let lines = lines.into_iter().chain([String::new()]).map(|line| (line, place));
            self.out.splice(0..0, lines);
        }
    }

    /// What an import becomes; `None` if it stays.
    fn import(&mut self, path: &str, statement: &str) -> Option<String> {
        let import = parse_import(statement)?;
        if [".css", ".scss"].iter().any(|ending| import.from.ends_with(ending)) {
            return Some(String::new());
        }
        self.imported.extend(import.names.iter().map(|(_, local)| (*local).to_owned()));
        if let Some(found) = self.project.names.find(&self.site.tree, path, &import.from) {
            return Some(written(&import.names, &format!("/{found}")));
        }
        let package = import.from.split('/').next().unwrap_or_default();
        if package == "react" {
            return None;
        }
        let is_icons = import.from == "lucide-react" || package == "react-icons" || package == "@heroicons";
        if !is_icons && !PACKAGES.contains(&package) && !PACKAGES.contains(&&*import.from) {
            return None;
        }
        for (exported, local) in &import.names {
            let definition = if is_icons { icon_definition(local) } else { definition(&import.from, exported, local) };
            self.definitions.extend(definition.filter(|text| !self.definitions.contains(text)));
        }
        Some(String::new())
    }
}

/// What stands in for what a package exports; `None` for components that this program has.
fn definition(from: &str, exported: &str, local: &str) -> Option<String> {
    let body = match (from, exported) {
        ("next/link", _) => {
            "({ href, children, ...rest }) { return <a href={typeof href === 'string' ? href : href?.pathname}>{children}</a>; }"
        }
        ("next/image" | "next/legacy/image", _) => {
            "({ src, alt, width, height }) { return <img src={typeof src === 'string' ? src : src?.src} alt={alt ?? ''} width={width} height={height} />; }"
        }
        ("next/head", _) | ("next/script", _) => "() { return null; }",
        (_, name) if name.starts_with("use") => "() { return {}; }",
        (_, "Bleed" | "DocsBody" | "DocsPage" | "MDXRemote" | "Feature" | "Features") => {
            "({ children }) { return <>{children}</>; }"
        }
        _ => return None,
    };
    Some(format!("export function {local}{body}"))
}

/// A picture of a library of icons by its name: `RocketIcon` is `rocket`.
fn icon_definition(local: &str) -> Option<String> {
    let bare = local.strip_suffix("Icon").filter(|bare| !bare.is_empty()).unwrap_or(local);
    let bare = bare.strip_prefix("Lucide").filter(|bare| !bare.is_empty()).unwrap_or(bare);
    let mut name = String::new();
    for c in bare.chars() {
        if c.is_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.extend(c.to_lowercase());
    }
    Some(format!("export function {local}() {{ return <Icon icon=\"{name}\" />; }}"))
}

/// The words of a heading without those that only these tools read; `None` if it has none.
pub(super) fn heading_words(words: &str) -> Option<String> {
    let (out, _) = split_marks(words);
    (out.len() < words.len()).then(|| out.to_owned())
}

/// The words before `[!toc]`, `[toc]`, `[step]` and an anchor in brackets, and that.
fn split_marks(words: &str) -> (&str, Option<&str>) {
    let mut words = words.trim_end();
    for mark in [" [!toc]", " [toc]", " [step]"] {
        words = words.strip_suffix(mark).map_or(words, str::trim_end);
    }
    match words.strip_suffix(']').and_then(|rest| rest.rsplit_once(" [#")) {
        Some((title, id)) if !id.is_empty() && !id.contains([' ', ']']) => (title.trim_end(), Some(id)),
        _ => (words, None),
    }
}

/// A heading with its anchor as it is written here: `## Title [#own]`; words for the list of contents go.
fn heading(line: &str) -> String {
    if !line.starts_with('#') {
        return line.to_owned();
    }
    match split_marks(line) {
        (title, Some(id)) => format!("{title} {{#{id}}}"),
        (title, None) => title.to_owned(),
    }
}

/// The lines between `<section id="anchor">` and its end.
fn marked_section(lines: &[&str], anchor: &str) -> Option<std::ops::Range<usize>> {
    let is_start = |line: &&str| {
        let line = line.trim();
        line.starts_with("<section")
            && [format!("id=\"{anchor}\""), format!("id='{anchor}'")].iter().any(|id| line.contains(id))
    };
    let start = lines.iter().position(is_start)? + 1;
    let length = lines[start..].iter().position(|line| line.trim() == "</section>")?;
    Some(start..start + length)
}

/// The lines below the heading of an anchor, or of a section with it; all if there is neither.
fn section(lines: &[&str], anchor: &str) -> std::ops::Range<usize> {
    let level = |line: &str| line.bytes().take_while(|byte| *byte == b'#').count();
    let start = lines.iter().position(|line| {
        let words = line.trim_start_matches('#').trim();
        level(line) > 0 && (line.contains(&format!("[#{anchor}]")) || base::github_slug::github_slug(words) == anchor)
    });
    let Some(start) = start else { return marked_section(lines, anchor).unwrap_or(0..lines.len()) };
    let least = level(lines[start]);
    let length = lines[start + 1..].iter().position(|line| (1..=least).contains(&level(line)));
    start..length.map_or(lines.len(), |length| start + 1 + length)
}

/// The words behind a fence.
#[derive(Debug, Default)]
struct CodeOptions {
    language: String,
    title: Option<String>,
    tab: Option<String>,
    others: Vec<String>,
}

impl CodeOptions {
    fn read(info: &str) -> Self {
        let (language, mut rest) = cut(info, info.find([' ', '\t', '{']).unwrap_or(info.len()));
        let mut options = Self { language: language.to_owned(), ..Self::default() };
        loop {
            rest = rest.trim_start();
            let Some(first) = rest.chars().next() else { return options };
            // marked words
            if first == '/' {
                rest = rest
                    .slice(1..)
                    .split_once('/')
                    .map_or("", |(_, rest)| rest.trim_start_matches(|c: char| !c.is_whitespace()));
                continue;
            }
            if first == '{' {
                let Some((lines, after)) = rest.slice(1..).split_once('}') else { return options };
                let is_lines = lines.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | '-' | ' '));
                options.others.extend(is_lines.then(|| format!("{{{lines}}}")));
                rest = after;
                continue;
            }
            let end = rest.find(|c: char| c.is_whitespace() || c == '=').unwrap_or(rest.len());
            let (name, after) = cut(rest, end.max(first.len_utf8()));
            let (value, after) = match after.strip_prefix('=') {
                Some(value) => match value.chars().next().filter(|c| matches!(c, '"' | '\'' | '{')) {
                    Some(open) => {
                        let close = if open == '{' { '}' } else { open };
                        value.slice(1..).split_once(close).unwrap_or((value.slice(1..), ""))
                    }
                    None => cut(value, value.find(char::is_whitespace).unwrap_or(value.len())),
                },
                None => ("", after),
            };
            options.set(name, value.trim_matches(['"', '\'']));
            rest = after;
        }
    }

    fn set(&mut self, name: &str, value: &str) {
        match name {
            "filename" | "title" => self.title = Some(value.to_owned()).filter(|title| !title.is_empty()),
            "tab" => self.tab = Some(value.to_owned()).filter(|tab| !tab.is_empty()),
            "showLineNumbers" | "lineNumbers" if value != "false" => {
                let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
                self.others.push(if is_number { format!("lines={value}") } else { "lines".to_owned() });
            }
            "copy" if value == "false" => self.others.push("nocopy".to_owned()),
            "noCopy" => self.others.push("nocopy".to_owned()),
            "word-wrap" if value != "false" => self.others.push("wrap".to_owned()),
            _ => {}
        }
    }

    fn written(&self, title: Option<&str>) -> String {
        let mut out = self.language.clone();
        let title = match (title, self.title.as_deref()) {
            (Some(tab), Some(own)) => Some(format!("{tab} · {own}")),
            (tab, own) => tab.or(own).map(str::to_owned),
        };
        if out.is_empty() && (title.is_some() || !self.others.is_empty()) {
            out.push_str("text");
        }
        if let Some(title) = title {
            out.push_str(&format!(" title=\"{}\"", title.replace('"', "'")));
        }
        for other in &self.others {
            out.push(' ');
            out.push_str(other);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_code_are_written_anew() {
        for (info, expect) in [
            ("js filename=\"a.js\" {1,3-4} /word/ copy", "js title=\"a.js\" {1,3-4}"),
            ("ts title='x y' lineNumbers=4 copy=false", "ts title=\"x y\" lines=4 nocopy"),
            ("js {2}showLineNumbers", "js {2} lines"),
            ("sh", "sh"),
            ("", ""),
            ("filename=x", "filename=x"),
            ("js /open", "js"),
        ] {
            assert_eq!(CodeOptions::read(info).written(None), expect, "{info}");
        }
        assert_eq!(CodeOptions::read("ts tab=\"One\"").written(Some("One")), "ts title=\"One\"");
    }

    #[test]
    fn headings_name_their_anchors() {
        for (line, expect) in [
            ("## A b [#own]", "## A b {#own}"),
            ("## A [!toc]", "## A"),
            ("## [Link](#x)", "## [Link](#x)"),
            ("Words [#x]", "Words [#x]"),
        ] {
            assert_eq!(heading(line), expect);
        }
    }

    #[test]
    fn parts_begin_with_their_headings() {
        let lines = ["a", "## One", "b", "### Deep", "c", "## Two [#two]", "d"];
        assert_eq!((section(&lines, "one"), section(&lines, "two"), section(&lines, "none")), (1..5, 5..7, 0..7));
    }
}
