//! Texts of pages: what only Docusaurus knows, written as this program reads it. Each line stays one line.

use crate::imports;
use base::Place;
use base::cut::{SliceText as _, cut};
use load::Site;
use load::tool::RenderedText;
use site::page::Dialect;
use site::tree;

use super::fence::{self, DocusaurusFence, parse_fence_line};
use super::plugins::join_address;
use super::{DocusaurusSettings, blog, shim};

/// Kinds of boxes that every site has.
const BOXES: [&str; 12] = [
    "note",
    "tip",
    "info",
    "warning",
    "danger",
    "caution",
    "important",
    "success",
    "secondary",
    "details",
    "code-group",
    "error",
];

/// Names of tabs of the plugin that makes tabs of code blocks.
const TAB_NAMES: [(&str, &str); 4] =
    [("js", "JavaScript"), ("ts", "TypeScript"), ("jsx", "JavaScript"), ("tsx", "TypeScript")];

/// Writes the text of a page or of a part of pages.
pub(super) fn rewrite_docusaurus_text(
    settings: &DocusaurusSettings,
    text: &RenderedText<'_>,
) -> Option<Vec<(String, Place)>> {
    let path = text.site.tree.path(text.file);
    let format = text.site.by_slug.get(text.slug).map(|page| text.site.page(*page).dialect);
    let is_mdx = format.unwrap_or_else(|| settings.dialect(path, None)) == Dialect::Mdx;
    let lines: Vec<&str> = text.body.split('\n').collect();
    let mut writer = DocusaurusWriter {
        settings,
        site: text.site,
        path,
        is_mdx,
        slug: text.slug,
        out: Vec::new(),
        shims: shim::Shims::default(),
    };
    writer.lines(&lines);
    if let Some(byline) = blog::byline(settings, path, text.whole) {
        writer.add_byline(byline);
    }
    let mut out = writer.out;
    if is_mdx {
        let shim_text = writer.shims.text(settings, &out, text.whole);
        if !shim_text.is_empty() {
            out.push(format!("\n{shim_text}"));
        }
    }
    let place = |line: usize| Place { line: text.start.line + u32::try_from(line).unwrap_or(0), ..text.start };
    Some(out.into_iter().enumerate().map(|(at, line)| (line, place(at))).collect())
}

struct DocusaurusWriter<'t> {
    settings: &'t DocusaurusSettings,
    site: &'t Site,
    path: &'t str,
    is_mdx: bool,
    slug: &'t str,
    out: Vec<String>,
    shims: shim::Shims,
}

impl DocusaurusWriter<'_> {
    fn lines(&mut self, lines: &[&str]) {
        let mut at = 0;
        while at < lines.len() {
            if let Some(fence) = parse_fence_line(lines[at]) {
                at = self.code(lines, at, &fence);
                continue;
            }
            if self.settings.has_alerts
                && let Some(end) = self.alert(lines, at)
            {
                at = end;
                continue;
            }
            if self.is_mdx && lines[at].starts_with("import ") {
                at = self.import(lines, at);
                continue;
            }
            let line = self.line(lines[at]);
            self.out.push(line);
            at += 1;
        }
    }

    /// Writes a code block that begins at a line; returns the line behind it.
    fn code(&mut self, lines: &[&str], at: usize, fence: &DocusaurusFence<'_>) -> usize {
        let length = lines[at + 1..].iter().position(|line| fence.is_end(line));
        let Some(length) = length else {
            self.out.push(fence.written(fence.title()));
            self.out.extend(lines[at + 1..].iter().map(|line| (*line).to_owned()));
            return lines.len();
        };
        let end = at + 1 + length;
        if fence.language == "mdx-code-block" {
            // its code is that of the page
            self.out.push(String::new());
            self.lines(&lines[at + 1..end]);
            self.out.push(String::new());
            return end + 1;
        }
        if self.is_mdx && fence.has("npm2yarn") {
            self.out.extend(fence::npm_blocks(fence, &lines[at + 1..end]));
            return end + 1;
        }
        if fence.has("tab") {
            return self.tabs(lines, at, fence);
        }
        self.out.push(fence.written(fence.title()));
        let comments = fence::magic_comments(&self.settings.value);
        self.out.extend(lines[at + 1..=end].iter().map(|line| fence::with_magic_comments(line, &comments)));
        end + 1
    }

    /// Writes the code blocks that follow each other as tabs: the blank lines around them open and close the group.
    fn tabs(&mut self, lines: &[&str], at: usize, first: &DocusaurusFence<'_>) -> usize {
        let open = format!("{}<CodeGroup>", first.indent);
        match self.out.last_mut().filter(|line| line.trim().is_empty()) {
            Some(line) if self.is_mdx => *line = open,
            _ if self.is_mdx => self.out.push(open),
            _ => {}
        }
        let mut next = at;
        while let Some(fence) = lines.get(next).and_then(|line| parse_fence_line(line)).filter(|fence| fence.has("tab"))
        {
            let Some(length) = lines[next + 1..].iter().position(|line| fence.is_end(line)) else { break };
            let end = next + 1 + length;
            let known = TAB_NAMES.iter().find(|(language, _)| *language == fence.language);
            let name = known.map_or(fence.language, |(_, name)| name);
            let title = fence.title().map_or_else(|| name.to_owned(), |title| format!("{name} · {title}"));
            self.out.push(fence.written(Some(&title)));
            self.out.extend(lines[next + 1..=end].iter().map(|line| (*line).to_owned()));
            next = end + 1;
            let blank = lines[next..].iter().take_while(|line| line.trim().is_empty()).count();
            let goes_on =
                lines.get(next + blank).and_then(|line| parse_fence_line(line)).is_some_and(|fence| fence.has("tab"));
            if !goes_on {
                break;
            }
            self.out.extend((0..blank).map(|_| String::new()));
            next += blank;
        }
        if next == at {
            self.out.push(first.written(first.title()));
            next = at + 1;
        }
        if self.is_mdx {
            self.out.push(format!("{}</CodeGroup>", first.indent));
            next += usize::from(lines.get(next).is_some_and(|line| line.trim().is_empty()));
        }
        next
    }

    /// Writes a quote that begins with `[!NOTE]` as a box; returns the line behind it.
    fn alert(&mut self, lines: &[&str], at: usize) -> Option<usize> {
        const KINDS: [(&str, &str); 5] =
            [("note", "note"), ("tip", "tip"), ("important", "info"), ("warning", "warning"), ("caution", "danger")];
        let lead = lines[at].slice(..lines[at].len() - lines[at].trim_start().len());
        let inner = lines[at].trim_start().strip_prefix('>')?.trim_start().strip_prefix("[!")?;
        let (name, title) = inner.split_once(']')?;
        let (_, kind) = KINDS.iter().find(|(known, _)| name.trim().eq_ignore_ascii_case(known))?;
        let quoted = |line: &&&str| line.trim_start().starts_with('>');
        let end = at + 1 + lines[at + 1..].iter().take_while(quoted).count();
        let title = title.trim_matches(['+', '-', ' ', '\t', '\r']);
        let title = if title.is_empty() { String::new() } else { format!("[{title}]") };
        self.out.push(format!("{lead}:::{kind}{title}"));
        let inside: Vec<String> = lines[at + 1..end]
            .iter()
            .map(|line| {
                let text = line.trim_start().strip_prefix('>').unwrap_or_default();
                format!("{lead}{}", text.strip_prefix(' ').unwrap_or(text))
            })
            .collect();
        self.lines(&inside.iter().map(String::as_str).collect::<Vec<_>>());
        if let Some(last) = self.out.last_mut() {
            last.push_str(&format!("\n{lead}:::"));
        }
        Some(end)
    }

    /// Writes an import, which may go over several lines; returns the line behind it.
    fn import(&mut self, lines: &[&str], at: usize) -> usize {
        let Some(length) = imports::length_of(&lines[at..]) else {
            self.out.push(lines[at].to_owned());
            return at + 1;
        };
        // names of files may be escaped as in Markdown: `./\_part.mdx`
        let statement = lines[at..=at + length].join("\n").replace("\\_", "_");
        match self.shims.import(self.settings, self.site, self.path, &statement) {
            Some(written) => {
                self.out.push(written);
                self.out.extend((0..length).map(|_| String::new()));
            }
            None => self.out.extend(lines[at..=at + length].iter().map(|line| (*line).to_owned())),
        }
        at + length + 1
    }

    fn line(&self, line: &str) -> String {
        let trimmed = line.trim();
        if matches!(trimmed, "<!-- truncate -->" | "<!--truncate-->" | "{/* truncate */}" | "{/*truncate*/}") {
            return String::new();
        }
        if trimmed.starts_with(":::") {
            return admonition(line);
        }
        let mut out = line.to_owned();
        if self.is_mdx && out.contains("{/*") && out.trim_start().starts_with('#') {
            // `## Title {/* #id */}`
            if let Some((head, tail)) = out.split_once("{/*")
                && let Some((id, rest)) = tail.split_once("*/}")
                && let Some(id) = id.trim().strip_prefix('#')
            {
                out = format!("{head}{{#{id}}}{rest}");
            }
        }
        if self.is_mdx {
            out = shim::without_requires(self.settings, self.path, &out);
        }
        for scheme in ["pathname://", "@site/static/"] {
            if !out.contains(scheme) {
                continue;
            }
            for before in ["](", "](<", "=\"", "='", "\"", "'"] {
                let from = format!("{before}{scheme}");
                if out.contains(&from) {
                    let to = if scheme == "pathname://" { before.to_owned() } else { format!("{before}/") };
                    out = out.replace(&from, &to);
                }
            }
        }
        if out.contains("](@site/")
            && let Some(site) = self.settings.inside(".")
        {
            let root = if site.is_empty() { "](/".to_owned() } else { format!("](/{site}/") };
            out = out.replace("](@site/", &root);
        }
        self.with_links(out)
    }

    /// Links lead to the pages of the same version and language: addresses as a browser reads them; those from the root,
    /// and those to files, of which a language that does not have them shows those of the default one.
    fn with_links(&self, line: String) -> String {
        if !line.contains("](") && !line.contains("]: ") {
            return line;
        }
        let mut out = String::with_capacity(line.len());
        let mut rest = line.as_str();
        while let Some(at) = ["](", "]: "].iter().filter_map(|mark| Some(rest.find(mark)? + mark.len())).min() {
            let target = rest.slice(at..);
            let end = target.find([')', '#', '?', ' ', '>']).unwrap_or(target.len());
            out.push_str(rest.slice(..at));
            match self.own_page(target.slice(..end)) {
                Some(own) => {
                    out.push('/');
                    out.push_str(&own);
                    rest = target.slice(end..);
                }
                None => rest = target,
            }
        }
        out + rest
    }

    /// The page of this version and language that a link means, if it might lead to that of another.
    fn own_page(&self, target: &str) -> Option<String> {
        let is_file = target.ends_with(".md") || target.ends_with(".mdx");
        if !is_file && !target.is_empty() && !target.starts_with('/') {
            // the page of a folder has no slash behind its address
            let folder = tree::folder(self.slug);
            let is_plain = !target.contains(':') && !self.slug.ends_with("/index") && !folder.is_empty();
            let slug = is_plain.then(|| tree::join_document_path(folder, target.trim_end_matches('/')))??;
            return self.site.by_slug.contains_key(&slug).then_some(slug);
        }
        if self.settings.locale_of(self.slug) == 0 {
            return None;
        }
        let code = self.slug.split('/').next().unwrap_or_default();
        let is_there = |own: &String| {
            self.site.by_slug.contains_key(own) || self.site.by_slug.contains_key(&format!("{own}/index"))
        };
        if let Some(address) = target.strip_prefix('/') {
            return Some(format!("{code}/{}", address.trim_end_matches('/'))).filter(is_there);
        }
        let stem = target.strip_suffix(".md").or_else(|| target.strip_suffix(".mdx"))?;
        if stem.contains(':') {
            return None;
        }
        let named = tree::join_document_path(tree::folder(self.path), stem)?;
        let page = self.site.find_page(&named).or_else(|| {
            // what is not translated lies in the folder of the default language
            let folder = self.settings.folder_of(self.path).filter(|folder| folder.locale > 0)?;
            let original = self.settings.folders.iter().find(|other| other.kind == folder.kind && other.locale == 0)?;
            self.site.find_page(&join_address(&[&original.path, folder.rest(&named)?]))
        })?;
        let slug = &self.site.page(page).slug;
        let is_own = slug.strip_prefix(code).is_some_and(|rest| rest.starts_with('/'));
        (!is_own).then(|| format!("{code}/{slug}")).filter(is_there)
    }

    /// Puts the day and the authors of a post above it.
    fn add_byline(&mut self, byline: String) {
        let first = self.out.iter().position(|line| !line.trim().is_empty()).unwrap_or(0);
        let has_title = self.out.get(first).is_some_and(|line| line.starts_with("# "));
        let line = format!("*{byline}*");
        match self.out.get_mut(if has_title { first + 1 } else { 0 }) {
            Some(blank) if blank.trim().is_empty() => *blank = format!("\n{line}\n"),
            Some(_) if !has_title => self.out[0] = format!("{line}\n\n{}", self.out[0]),
            _ => {}
        }
    }
}

/// `:::kind[Title]{.class}` with a kind that only this site has is a note with that name; attributes go.
fn admonition(line: &str) -> String {
    let indent = line.slice(..line.len() - line.trim_start().len());
    let text = line.trim();
    let rest = text.trim_start_matches(':');
    let colons = text.slice(..text.len() - rest.len());
    let rest = rest.trim_start();
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_')).unwrap_or(rest.len());
    let (name, behind) = cut(rest, end);
    if name.is_empty() {
        return line.to_owned();
    }
    let behind = behind.trim();
    let (title, attributes) = match behind.strip_prefix('[').and_then(|inner| inner.rsplit_once(']')) {
        Some((title, attributes)) => (title, attributes),
        None => match behind.split_once('{') {
            Some((title, attributes)) if attributes.ends_with('}') => (title.trim(), attributes),
            _ => (behind, ""),
        },
    };
    let own = attributes.split_once("title=\"").and_then(|(_, rest)| rest.split('"').next());
    let title = own.filter(|_| title.is_empty()).unwrap_or(title);
    if BOXES.contains(&name.to_lowercase().as_str()) {
        return if title.is_empty() {
            format!("{indent}{colons}{name}")
        } else {
            format!("{indent}{colons}{name}[{title}]")
        };
    }
    let mut chars = name.chars();
    let capital: String = chars.next().into_iter().flat_map(char::to_uppercase).chain(chars).collect();
    format!("{indent}{colons}note[{}]", if title.is_empty() { &capital } else { title })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_of_a_site_are_notes() {
        for (line, expect) in [
            (":::note", ":::note"),
            (":::note[A `b`]{.x}", ":::note[A `b`]"),
            ("  ::::tip Old title", "  ::::tip[Old title]"),
            (":::my-box", ":::note[My-box]"),
            (":::my-box[T]", ":::note[T]"),
            (":::info{title=\"T\"}", ":::info[T]"),
            (":::", ":::"),
        ] {
            assert_eq!(admonition(line), expect);
        }
    }
}
