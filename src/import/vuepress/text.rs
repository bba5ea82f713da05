//! What pages of VuePress hold, as VitePress writes it: code in tabs, tabs, files that are shown as code, links.

use crate::attribute::find_attribute;
use base::component_line::{closing_component_line, opening};
use base::cut::SliceText as _;
use base::html::escape_html_text;
use base::lines::{PlacedLines, Verbatim, fence_around, fence_of, outside_code};
use base::{FileId, Place};
use load::tool::RenderedText;
use site::front_matter::split_front_matter;
use site::tree::{self, SourceTree};
use site::yaml::parse_yaml;

/// Most bytes of the files that a page shows as code.
const MAX_CODE_BYTES: usize = 4 << 20;

/// What is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OpenBlock {
    /// Its lines stay.
    Other,
    /// Its lines go.
    Dropped,
    CodeGroup,
    Tabs,
    Tab,
}

/// The lines of a page in the words of VitePress.
pub(super) fn as_vitepress(text: &RenderedText<'_>) -> PlacedLines {
    let mut writer = VuePressWriter { text, open: Vec::new(), label: None, code_bytes: 0, out: PlacedLines::new() };
    let mut verbatim = Verbatim::default();
    for (line, number) in text.body.split('\n').zip(text.start.line..) {
        let place = Place { line: number, ..text.start };
        let inner = line.trim_start_matches([' ', '\t', '>']);
        let moved = if verbatim.is_in_fence() { None } else { options_moved(line, inner) };
        let line = moved.as_deref().unwrap_or(line);
        let inner = line.trim_start_matches([' ', '\t', '>']);
        let was_label = writer.label.is_some();
        if verbatim.takes(inner) {
            let is_fence = inner.starts_with("```") || inner.starts_with("~~~");
            let label = if was_label && is_fence { writer.label.take() } else { None };
            writer.out.push(match label {
                Some(label) => (labeled(line, &label), place),
                None => (line.to_owned(), place),
            });
            continue;
        }
        writer.line(line, place);
    }
    if let Some(footer) = home_footer(text.whole) {
        let place = writer.out.last().map_or(text.start, |(_, place)| *place);
        writer.out.extend([(String::new(), place), (footer, place)]);
    }
    writer.out
}

/// What stands below a start page: `footer` in its front matter, which is HTML if that says so.
fn home_footer(whole: &str) -> Option<String> {
    let block = split_front_matter(whole).block;
    if !block.contains("footer") || !block.contains("home") {
        return None;
    }
    let entries = parse_yaml(block, true).unwrap_or_default();
    let text = |key: &str| entries.iter().find(|entry| entry.key == key)?.value.as_text().map(str::trim);
    let words = text("footer").filter(|words| !words.is_empty() && text("home") == Some("true"))?;
    let words = if text("footerHtml") == Some("true") { words.to_owned() } else { escape_html_text(words) };
    Some(format!("<p>{}</p>", words.replace('\n', " ")))
}

/// The first line of a code block with options behind colons as VitePress writes them, before what stands in braces:
/// `ts{1}:no-line-numbers` and `ts:no-v-pre`.
fn options_moved(line: &str, inner: &str) -> Option<String> {
    let (_, _, info) = fence_of(inner).filter(|(_, _, info)| info.contains(':'))?;
    let end = info.find([' ', '\t', '[']).unwrap_or(info.len());
    let (first, after) = info.split_at_checked(end)?;
    let (braces, words) = match first.split_once('{').and_then(|(_, rest)| rest.split_once('}')) {
        Some((numbers, _)) => (format!("{{{numbers}}}"), first.replacen(&format!("{{{numbers}}}"), "", 1)),
        None => (String::new(), first.to_owned()),
    };
    let mut options = words.split(':');
    let language = options.next().unwrap_or_default();
    let mut kept = String::new();
    for option in options {
        if option.starts_with("line-numbers") || option == "no-line-numbers" {
            kept = format!(":{option}");
        }
    }
    let lead = line.strip_suffix(inner)?;
    let marks = inner.get(..inner.len() - inner.trim_start_matches(['`', '~']).len())?;
    Some(format!("{lead}{marks}{language}{kept}{braces}{after}"))
}

/// The first line of a code block with the name of its tab.
fn labeled(line: &str, label: &str) -> String {
    let line = line.trim_end();
    if line.ends_with(']') { line.to_owned() } else { format!("{line} [{}]", label.replace(['[', ']'], "")) }
}

struct VuePressWriter<'a> {
    text: &'a RenderedText<'a>,
    open: Vec<(usize, OpenBlock)>,
    /// The name of the tab whose code comes next.
    label: Option<String>,
    code_bytes: usize,
    out: PlacedLines,
}

impl VuePressWriter<'_> {
    fn push(&mut self, line: impl Into<String>, place: Place) {
        self.out.push((line.into(), place));
    }

    fn line(&mut self, line: &str, place: Place) {
        let trimmed = line.trim_start();
        let lead = line.slice(..line.len() - trimmed.len());
        if trimmed.starts_with(":::") {
            return self.container(lead, trimmed, line, place);
        }
        if let Some(rest) = trimmed.strip_prefix("@tab").filter(|_| self.in_tabs())
            && (rest.is_empty() || rest.starts_with([' ', ':', '#']))
        {
            let title = rest.strip_prefix(":active").unwrap_or(rest).split('#').next().unwrap_or_default().trim();
            return self.tab(lead, title, place);
        }
        if self.code_group_tag(lead, trimmed, place) || self.code_of_file(lead, trimmed, place) {
            return;
        }
        if let Some(path) = trimmed.trim_end().strip_prefix("@include(").and_then(|rest| rest.strip_suffix(')')) {
            return self.push(format!("{lead}<!-- @include: {path} -->"), place);
        }
        if matches!(trimmed.trim_end().to_ascii_lowercase().as_str(), "<toc />" | "<toc/>") {
            return self.push("[[toc]]", place);
        }
        let line = if line.contains(['<', '$']) { outside_code(line, in_line) } else { line.to_owned() };
        self.push(line, place);
    }

    fn in_tabs(&self) -> bool {
        self.open.iter().rev().any(|(_, block)| matches!(block, OpenBlock::Tabs | OpenBlock::CodeGroup))
    }

    /// A line of colons: it opens or closes a block.
    fn container(&mut self, lead: &str, trimmed: &str, line: &str, place: Place) {
        let rest = trimmed.trim_start_matches(':');
        let colons = trimmed.len() - rest.len();
        let rest = rest.trim();
        if rest.is_empty() {
            let Some(at) = self.open.iter().rposition(|(count, _)| *count == colons) else {
                return self.push(line, place);
            };
            for (_, block) in self.open.split_off(at).into_iter().rev() {
                self.close(lead, line, block, place);
            }
            return;
        }
        let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_'))).unwrap_or(rest.len());
        let (name, words) = (rest.slice(..end), rest.slice(end..).trim());
        match name {
            "code-group" => {
                self.open.push((colons, OpenBlock::CodeGroup));
                self.push(line, place);
            }
            "code-group-item" => {
                self.label = Some(words.trim_end_matches(":active").trim().to_owned());
                self.open.push((colons, OpenBlock::Dropped));
                self.push("", place);
            }
            "code-tabs" => {
                self.open.push((colons, OpenBlock::CodeGroup));
                self.push(format!("{lead}{} code-group", trimmed.slice(..colons)), place);
            }
            "tabs" => {
                self.open.push((colons, OpenBlock::Tabs));
                self.component(lead, &opening("Tabs", &[]), place);
            }
            "tab" => {
                let title = match words.strip_prefix('"').and_then(|rest| rest.split_once('"')) {
                    Some((title, _)) => title,
                    None => words.split(" id=").next().unwrap_or_default().trim(),
                };
                self.open.push((colons, OpenBlock::Tab));
                self.component(lead, &opening("Tab", &[("title", title)]), place);
            }
            "center" | "right" | "left" | "justify" | "slot" | "demo" | "preview" => {
                self.open.push((colons, OpenBlock::Dropped));
                self.push("", place);
            }
            _ => {
                self.open.push((colons, OpenBlock::Other));
                self.push(line, place);
            }
        }
    }

    fn close(&mut self, lead: &str, line: &str, block: OpenBlock, place: Place) {
        match block {
            OpenBlock::Other | OpenBlock::CodeGroup => self.push(line, place),
            OpenBlock::Dropped => self.push("", place),
            OpenBlock::Tabs | OpenBlock::Tab => self.component(lead, &closing_component_line(), place),
        }
    }

    fn component(&mut self, lead: &str, line: &str, place: Place) {
        self.push("", place);
        self.push(format!("{lead}{line}"), place);
        self.push("", place);
    }

    /// `@tab Title`
    fn tab(&mut self, lead: &str, title: &str, place: Place) {
        let block = self.open.iter().rev().map(|(_, block)| *block).find(|block| *block != OpenBlock::Other);
        match block {
            Some(OpenBlock::CodeGroup) => {
                self.label = Some(title.to_owned());
                self.push("", place);
            }
            block => {
                if block == Some(OpenBlock::Tab) {
                    self.open.pop();
                    self.component(lead, &closing_component_line(), place);
                }
                // the line that closes the tabs closes it
                self.open.push((0, OpenBlock::Tab));
                self.component(lead, &opening("Tab", &[("title", title)]), place);
            }
        }
    }

    /// `<CodeGroup>` and `<code-group>`, with their items.
    fn code_group_tag(&mut self, lead: &str, trimmed: &str, place: Place) -> bool {
        let Some((tag, after)) = trimmed.strip_prefix('<').and_then(|rest| rest.split_once('>')) else { return false };
        if !after.trim().is_empty() {
            return false;
        }
        let name = tag.split_whitespace().next().unwrap_or_default();
        match name {
            "CodeGroup" | "code-group" => self.push(format!("{lead}::: code-group"), place),
            "/CodeGroup" | "/code-group" => self.push(format!("{lead}:::"), place),
            "CodeGroupItem" | "code-block" => {
                self.label = find_attribute(tag, "title");
                self.push("", place);
            }
            "/CodeGroupItem" | "/code-block" => self.push("", place),
            _ => return false,
        }
        true
    }

    /// `@[code{3-10} js{2}](../file.js)`: a file, or lines of it, as code.
    fn code_of_file(&mut self, lead: &str, trimmed: &str, place: Place) -> bool {
        let Some((inside, target)) = trimmed.trim_end().strip_prefix("@[code").and_then(|rest| rest.split_once("]("))
        else {
            return false;
        };
        let Some(path) = target.strip_suffix(')') else { return false };
        let site = self.text.site;
        let folder = tree::folder(site.tree.path(self.text.file));
        let file = match path.split_once('/').filter(|(name, _)| name.starts_with('@')) {
            Some((name, rest)) => file_of_alias(&site.tree, name.trim_start_matches('@'), rest),
            None => tree::join_document_path(folder, path).and_then(|path| site.tree.find_any(&path)),
        };
        let text = file.and_then(|file| site.tree.text(file));
        let Some(text) = text.filter(|text| self.code_bytes + text.len() <= MAX_CODE_BYTES) else {
            // what reads such lines says that it is not there
            self.push(format!("{lead}<<< {path}"), place);
            return true;
        };
        self.code_bytes += text.len();
        let (range, options) = match inside.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
            Some((range, options)) => (range, options.trim()),
            None => ("", inside.trim()),
        };
        let number = |text: &str| text.trim().parse::<usize>().ok();
        let (first, last) =
            range.split_once('-').map_or((number(range), number(range)), |(a, b)| (number(a), number(b)));
        let lines = text.lines().skip(first.unwrap_or(1).saturating_sub(1));
        let lines: Vec<&str> =
            lines.take(last.map_or(usize::MAX, |last| (last + 1).saturating_sub(first.unwrap_or(1)))).collect();
        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
        let info = if options.is_empty() || options.starts_with('{') {
            format!("{ending}{options}")
        } else {
            options.to_owned()
        };
        let fence = fence_around(lines.iter().copied(), '`');
        self.push(format!("{lead}{fence}{info}"), place);
        for line in lines {
            self.push(format!("{lead}{line}"), place);
        }
        self.push(format!("{lead}{fence}"), place);
        true
    }
}

/// The file that a name for a folder stands before, as `@snippets/a.js`: programs say which folder that is, and it mostly
/// has that name. It is the one that lies least deep of those in such a folder, or of all.
fn file_of_alias(files: &SourceTree, name: &str, rest: &str) -> Option<FileId> {
    let rest = rest.trim_start_matches('/');
    let ends_with =
        |path: &str, end: &str| path.strip_suffix(end).is_some_and(|before| before.is_empty() || before.ends_with('/'));
    let least = |end: &str| {
        let found = files.files.iter().filter(|file| ends_with(&file.path, end));
        found.map(|file| file.path.as_str()).min_by_key(|path| (path.matches('/').count(), *path))
    };
    files.find_any(rest).or_else(|| files.find_any(least(&format!("{name}/{rest}")).or_else(|| least(rest))?))
}

/// A part of a line outside of code.
fn in_line(part: &str) -> String {
    let mut out = part.to_owned();
    for (from, to) in [
        ("<RouteLink to=", "<a href="),
        ("</RouteLink>", "</a>"),
        ("<RouterLink to=", "<a href="),
        ("</RouterLink>", "</a>"),
        ("<router-link to=", "<a href="),
        ("</router-link>", "</a>"),
        ("$page.frontmatter.", "$frontmatter."),
        // the sign of a link that leads elsewhere
        ("<OutboundLink/>", ""),
        ("<OutboundLink />", ""),
    ] {
        if out.contains(from) {
            out = out.replace(from, to);
        }
    }
    while let Some(at) = out.find("=\"$withBase(") {
        let inner = out.slice(at + "=\"$withBase(".len()..);
        let Some((path, after)) = inner.split_once(")\"") else { break };
        let path = path.trim().trim_matches(['\'', '`']).to_owned();
        let before = out.slice(..at);
        // `:src` is bound to the expression
        let name = before.rfind(':').filter(|colon| before.slice(colon + 1..).chars().all(|c| c.is_ascii_alphabetic()));
        let before = name.map_or_else(
            || before.to_owned(),
            |colon| format!("{}{}", before.slice(..colon), before.slice(colon + 1..)),
        );
        out = format!("{before}=\"{path}\"{after}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{in_line, options_moved};

    #[test]
    fn options_of_code_stand_before_braces() {
        for (line, expect) in [
            ("```ts{1,3-4}:no-line-numbers", Some("```ts:no-line-numbers{1,3-4}")),
            ("  ```ts:no-v-pre:line-numbers=3{2}", Some("  ```ts:line-numbers=3{2}")),
            ("> ~~~js:v-pre title=\"a\"", Some("> ~~~js title=\"a\"")),
            ("```ts title=\"a:b\"", Some("```ts title=\"a:b\"")),
            ("```ts", None),
            ("words", None),
        ] {
            let inner = line.trim_start_matches([' ', '>']);
            assert_eq!(options_moved(line, inner).as_deref(), expect, "{line}");
        }
    }

    #[test]
    fn addresses_are_written_out() {
        for (text, expect) in [
            ("<img :src=\"$withBase('/a.png')\" alt=\"A\">", "<img src=\"/a.png\" alt=\"A\">"),
            ("<router-link to=\"/a/\">A</router-link>", "<a href=\"/a/\">A</a>"),
            ("{{ $page.frontmatter.x }}", "{{ $frontmatter.x }}"),
            (":src=\"$withBase(", ":src=\"$withBase("),
        ] {
            assert_eq!(in_line(text), expect);
        }
    }
}
