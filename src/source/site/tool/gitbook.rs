//! GitBook: a `SUMMARY.md`, and `.gitbook.yaml`, which may say where it and the pages lie. Blocks are `{% hint %}` …
//! `{% endhint %}`.

use crate::base::{Place, component_line};
use crate::source::nav::order::Order;
use crate::source::nav::summary;
use crate::source::site::Site;
use crate::source::site::problems::Problems;
use crate::source::site::tree;
use crate::source::site::yaml::{self, Yaml};

use super::layout::inside;
use super::{Layout, Opening, PageFacts, PageSource, PageText, Project, TextProblem, Tool, View};

/// GitBook.
#[derive(Debug)]
pub(super) struct GitBook;

impl Tool for GitBook {
    fn name(&self) -> &'static str {
        "gitbook"
    }

    fn title(&self) -> &'static str {
        "GitBook"
    }

    fn is_certain(&self) -> bool {
        false
    }

    fn detect(&self, folder: &View<'_>) -> Option<String> {
        let has_list = |path: &&str| folder.text(path).is_some_and(|text| text.contains("]("));
        folder
            .first([".gitbook.yaml", ".gitbook.yml"])
            .or_else(|| ["SUMMARY.md"].iter().find(|path| has_list(path)).map(|path| (*path).to_owned()))
    }

    fn stands_for(&self, project: &View<'_>, config: &str, folder: &str) -> bool {
        let text = project.text(config).filter(|_| config.ends_with("ml")).unwrap_or_default();
        let settings = Settings::read(&text);
        !settings.folder.is_empty() && settings.folder == folder
    }

    fn open(&self, source: &Opening<'_>, _problems: &mut Problems) -> Option<Box<dyn Project>> {
        let text = source.text(source.config).filter(|_| source.config.ends_with("ml")).unwrap_or_default();
        let mut settings = Settings::read(&text);
        settings.list = inside(&settings.folder, &settings.list)?;
        settings.items = source.text(&settings.list).map(|text| summary::read(&text)).unwrap_or_default();
        settings.layout = Layout { config_files: vec![settings.list.clone()], ..Layout::of_folder(&settings.folder) };
        Some(Box::new(settings))
    }
}

/// What `.gitbook.yaml` says.
#[derive(Debug, Default)]
struct Settings {
    /// The folder of the pages.
    folder: String,
    /// The list of contents.
    list: String,
    /// The start page, in the folder.
    readme: String,
    redirects: Vec<(String, String)>,
    items: Vec<summary::Item>,
    layout: Layout,
}

impl Settings {
    fn read(text: &str) -> Self {
        let entries = yaml::parse(text, true).unwrap_or_default();
        let value = |key: &str| entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value);
        let members = |key: &str| match value(key) {
            Some(Yaml::Map(members)) => members.clone(),
            _ => Vec::new(),
        };
        let of_structure = |key: &str, other: &str| {
            let found = members("structure").into_iter().find(|(name, _)| name == key);
            let path = found.and_then(|(_, value)| value.as_text().map(str::to_owned));
            path.map_or_else(|| other.to_owned(), |path| path.trim().trim_start_matches("./").to_owned())
        };
        let root = value("root").and_then(Yaml::as_text).unwrap_or_default();
        let redirects = members("redirects").into_iter();
        Self {
            folder: inside("", root.trim_start_matches("./")).unwrap_or_default(),
            list: of_structure("summary", "SUMMARY.md"),
            readme: of_structure("readme", "README.md"),
            redirects: redirects.filter_map(|(from, to)| Some((from, to.as_text()?.to_owned()))).collect(),
            ..Self::default()
        }
    }
}

impl Project for Settings {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn read_page(&self, source: &PageSource<'_>, facts: &mut PageFacts) {
        let Some(own) = self.layout.mounts.first().and_then(|mount| mount.address(source.path)) else { return };
        // a list of the usual name is found as the page that it is, so that links to it still work
        facts.is_part = source.path == self.list && own != "SUMMARY.md";
        if own == self.readme && !self.readme.is_empty() && own != "README.md" {
            facts.address = Some("index".to_owned());
        }
        let stem = own.strip_suffix(".md").unwrap_or(&own);
        let leads_here =
            |to: &str| to.trim_start_matches("./").trim_start_matches('/').strip_suffix(".md") == Some(stem);
        let from = self.redirects.iter().filter(|(_, to)| leads_here(to));
        facts.redirects.extend(from.map(|(from, _)| from.trim_matches('/').to_owned()));
        if source.flag("hidden") == Some(true) {
            facts.meta.hidden = Some(true);
        }
    }

    fn navigation(&self, _site: &Site) -> Order {
        if self.items.is_empty() || self.list.ends_with("SUMMARY.md") {
            Order::Folders
        } else {
            Order::List(self.items.clone())
        }
    }

    fn rewrite(&self, text: &PageText<'_>, problems: &mut Vec<TextProblem>) -> Option<Vec<(String, Place)>> {
        if !text.body.contains("{%") && !text.body.contains("data-view=\"cards\"") {
            return None;
        }
        let mut writer = Writer { text, problems, out: Vec::new(), open: Vec::new(), steps: 0 };
        let mut is_code = false;
        for (number, line) in text.body.split('\n').enumerate() {
            let place = Place { line: text.start.line + u32::try_from(number).unwrap_or(0), column: 1, ..text.start };
            let mark = line.trim_start();
            if mark.starts_with("```") || mark.starts_with("~~~") {
                is_code = !is_code;
            }
            if is_code || !line.contains("{%") {
                writer.out.push((line.to_owned(), place));
            } else {
                writer.line(line, place);
            }
        }
        writer.finish();
        Some(writer.out)
    }
}

/// Writes the blocks of a page.
struct Writer<'a> {
    text: &'a PageText<'a>,
    problems: &'a mut Vec<TextProblem>,
    out: Vec<(String, Place)>,
    /// Components that are open, by the names of their blocks.
    open: Vec<&'static str>,
    steps: usize,
}

/// Blocks that become components: block, component, the attribute that is its title.
const BLOCKS: [(&str, &str, &str); 7] = [
    ("hint", "Info", ""),
    ("tabs", "Tabs", ""),
    ("tab", "Tab", "title"),
    ("stepper", "Steps", ""),
    ("step", "Step", ""),
    ("columns", "Columns", ""),
    ("updates", "Panel", ""),
];

impl Writer<'_> {
    /// Writes a line with blocks.
    fn line(&mut self, line: &str, place: Place) {
        let indent = &line[..line.len() - line.trim_start().len()];
        let mut rest = line.trim();
        while let Some(start) = rest.find("{%") {
            let Some(end) = rest[start..].find("%}").map(|end| start + end) else { break };
            let before = rest[..start].trim_end();
            if !before.is_empty() {
                self.out.push((format!("{indent}{before}"), place));
            }
            self.block(rest[start + 2..end].trim(), indent, place);
            rest = rest[end + 2..].trim_start();
        }
        if !rest.is_empty() {
            self.out.push((format!("{indent}{rest}"), place));
        }
    }

    fn block(&mut self, inside: &str, indent: &str, place: Place) {
        let (name, attributes) = inside.split_once(char::is_whitespace).unwrap_or((inside, ""));
        let value = |key: &str| attribute(attributes, key);
        if let Some(ended) = name.strip_prefix("end") {
            return self.end(ended, indent, place);
        }
        let Some((block, component, title)) = BLOCKS.into_iter().find(|(block, ..)| *block == name) else {
            return self.other(name, attributes, indent, place);
        };
        let component = match (block, value("style").as_deref()) {
            ("hint", Some("warning")) => "Warning",
            ("hint", Some("danger")) => "Danger",
            ("hint", Some("success")) => "Check",
            _ => component,
        };
        if block == "step" {
            self.steps += 1;
        }
        let title = if title.is_empty() { String::new() } else { value(title).unwrap_or_default() };
        let props = [("title", title.as_str())];
        let props = if title.is_empty() { &[][..] } else { &props[..] };
        self.apart(place);
        self.out.push((format!("{indent}{}", component_line::opening(component, props)), place));
        self.apart(place);
        self.open.push(block);
    }

    fn end(&mut self, name: &str, indent: &str, place: Place) {
        let Some(found) = self.open.iter().rposition(|open| *open == name) else { return };
        for _ in found..self.open.len() {
            self.apart(place);
            self.out.push((format!("{indent}{}", component_line::closing()), place));
            self.apart(place);
        }
        self.open.truncate(found);
    }

    /// Blocks that are no components: links, titles of code, parts of other pages.
    fn other(&mut self, name: &str, attributes: &str, indent: &str, place: Place) {
        let value = |key: &str| attribute(attributes, key);
        match name {
            "embed" | "file" => {
                let address = value("url").or_else(|| value("src")).unwrap_or_default();
                let label = value("caption").filter(|label| !label.is_empty()).unwrap_or_else(|| address.clone());
                self.apart(place);
                self.out.push((format!("{indent}[{label}](<{address}>)"), place));
                self.apart(place);
            }
            // the link to the page follows as a line of its own
            "content-ref" | "column" | "code" | "swagger" | "openapi" | "openapi-operation" => {
                if name == "code" {
                    self.open_code(attributes);
                }
            }
            "include" => {
                let path = attributes.trim().trim_matches('"');
                match self.included(path) {
                    Some(lines) => self.out.extend(lines),
                    None => self.problems.push(TextProblem {
                        code: "include-unread",
                        message: format!("`{path}` is not a file of the documentation; its content is left out"),
                        hint: Some("correct the path, or write the text on the page".to_owned()),
                        place,
                    }),
                }
            }
            _ => self.problems.push(TextProblem {
                code: "shortcode-unknown",
                message: format!("the block `{name}` is not known here; its inside is kept"),
                hint: Some("write what it shows on the page".to_owned()),
                place,
            }),
        }
    }

    /// The title and options of the code that follows; they are written into its fence.
    fn open_code(&mut self, attributes: &str) {
        let title = attribute(attributes, "title").map(|title| format!(" title=\"{}\"", title.replace('"', "'")));
        let lines = attribute(attributes, "lineNumbers").filter(|on| on == "true").map(|_| " lines".to_owned());
        let options: String = title.into_iter().chain(lines).collect();
        if !options.is_empty() {
            self.out.push((format!("\u{e004}{options}"), Place::default()));
        }
    }

    fn included(&self, path: &str) -> Option<Vec<(String, Place)>> {
        let site = self.text.site;
        let folder = tree::folder(site.tree.path(self.text.file));
        let file = site.tree.find(&tree::join(folder, path)?)?;
        let text = site.tree.text(file)?;
        let lines =
            text.lines().zip(1..).map(|(line, number)| (line.to_owned(), Place { file, line: number, column: 1 }));
        Some(lines.collect())
    }

    fn apart(&mut self, place: Place) {
        self.out.push((String::new(), place));
    }

    /// Closes what is open, and puts the options of code into its fences.
    fn finish(&mut self) {
        let place = self.out.last().map_or(self.text.start, |(_, place)| *place);
        for _ in std::mem::take(&mut self.open) {
            self.out.push((component_line::closing(), place));
        }
        let mut options = String::new();
        let lines = std::mem::take(&mut self.out);
        for (line, place) in lines {
            if let Some(found) = line.strip_prefix('\u{e004}') {
                found.clone_into(&mut options);
                continue;
            }
            let is_fence = line.trim_start().starts_with("```");
            let line = if is_fence && !options.is_empty() { line + &std::mem::take(&mut options) } else { line };
            self.out.push((line, place));
        }
    }
}

/// An attribute of a block: `style="info"`.
fn attribute(text: &str, name: &str) -> Option<String> {
    let mut from = 0;
    while let Some(at) = text[from..].find(name).map(|at| from + at) {
        from = at + name.len();
        let starts = at == 0 || text[..at].ends_with(char::is_whitespace);
        let Some(value) = text[from..].strip_prefix('=').filter(|_| starts) else { continue };
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
        return Some(match quote {
            Some(quote) => value[1..].split(quote).next().unwrap_or_default().to_owned(),
            None => value.split_whitespace().next().unwrap_or_default().to_owned(),
        });
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::site::testing::site;

    #[test]
    fn configurations_say_where_pages_lie() {
        let read = Settings::read(
            "root: ./docs/\nstructure:\n  readme: ./intro.md\n  summary: contents.md\nredirects:\n  old/page: new.md\n",
        );
        assert_eq!(
            (read.folder.as_str(), read.list.as_str(), read.readme.as_str()),
            ("docs", "contents.md", "intro.md")
        );
        assert_eq!(read.redirects, [("old/page".to_owned(), "new.md".to_owned())]);
        let it = site(&[
            (".gitbook.yaml", "root: ./docs/\nredirects:\n  old/page: b.md\n"),
            ("docs/SUMMARY.md", "* [Start](README.md)\n\n## Part\n\n* [B](b.md)\n  * [C](c.md)\n"),
            ("docs/README.md", "# S\n"),
            ("docs/b.md", "# B\n"),
            ("docs/c.md", "# C\n"),
            ("README.md", "# Repository\n"),
        ]);
        assert_eq!(it.slugs(), ["SUMMARY", "b", "c", "index"]);
        assert_eq!(it.outline(), ["Page ", "Page Start", "Group Part", "  Group B", "    Page C"]);
        let redirects: Vec<&str> = it.site.config.redirects.iter().map(|redirect| redirect.source.as_str()).collect();
        assert_eq!(redirects, ["/old/page"]);
    }

    #[test]
    fn attributes_are_read() {
        let text = "title=\"a b\" style='x' lineNumbers=true subtitle=\"no\"";
        let of = |name: &str| attribute(text, name);
        assert_eq!(
            (of("title"), of("style"), of("lineNumbers"), of("none")),
            (Some("a b".into()), Some("x".into()), Some("true".into()), None)
        );
    }
}
