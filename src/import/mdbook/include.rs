//! Files that a text includes: `{{#include a.rs:part}}`, `{{#rustdoc_include …}}`, `{{#playground …}}`; and
//! `{{#title …}}`.

use base::cut::SliceText as _;
use base::lines::{PlacedLines, fence_around};
use base::{FileId, Place, Problem};
use site::tree::{self, SourceTree};

/// Lines of a file with their numbers.
type Numbered = Vec<(u32, String)>;

/// Files deeper inside each other than this are left out.
const MAX_MDBOOK_INCLUDE_DEPTH: usize = 10;
/// Bytes that one page may include; what is more is left out.
const MAX_MDBOOK_INCLUDE_BYTES: usize = 4 << 20;

/// What a directive asks for.
#[derive(Debug, PartialEq, Eq)]
enum MdBookDirective<'t> {
    /// `\{{#…}}`: the text behind the backslash.
    Escaped(&'t str),
    /// The part of a file.
    Include(&'t str, IncludePart<'t>),
    /// All of a file, with all but the part hidden.
    RustdocInclude(&'t str, IncludePart<'t>),
    /// A file as a block of code, with the words behind its language.
    Playground(&'t str, Vec<&'t str>),
    /// The title of the page.
    Title(&'t str),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IncludePart<'t> {
    /// Lines, from 0, the second not included.
    Lines(usize, usize),
    /// What stands between two comments that name it.
    Named(&'t str),
}

/// The title that a page gives itself.
pub(super) fn mdbook_page_title(body: &str) -> Option<&str> {
    let at = body.find("{{#title ").filter(|at| !body.slice(..*at).ends_with('\\'))?;
    match next_directive(body.slice(at..))? {
        (0, _, MdBookDirective::Title(title)) => Some(title.trim()).filter(|title| !title.is_empty()),
        _ => None,
    }
}

/// Whether a text may hold a directive.
pub(super) fn may_include(text: &str) -> bool {
    text.contains("{{")
}

/// The lines with what they include.
pub(super) fn expand_mdbook_includes(
    tree: &SourceTree,
    lines: PlacedLines,
    problems: &mut Vec<Problem>,
) -> PlacedLines {
    let mut expansion =
        MdBookExpansion { tree, problems, out: Vec::new(), open: Vec::new(), left: MAX_MDBOOK_INCLUDE_BYTES };
    expansion.lines(lines, "");
    expansion.out
}

struct MdBookExpansion<'a, 'p> {
    tree: &'a SourceTree,
    problems: &'p mut Vec<Problem>,
    out: PlacedLines,
    /// The files around the current line.
    open: Vec<FileId>,
    /// Bytes that may still be included.
    left: usize,
}

impl MdBookExpansion<'_, '_> {
    fn lines(&mut self, lines: PlacedLines, indent: &str) {
        for (line, place) in lines {
            if line.contains("{{") { self.line(&line, place, indent) } else { self.push(indent, &line, place) }
        }
    }

    fn push(&mut self, indent: &str, line: &str, place: Place) {
        self.out.push((if line.is_empty() { String::new() } else { format!("{indent}{line}") }, place));
    }

    fn line(&mut self, line: &str, place: Place, indent: &str) {
        // what stands before the next directive in its line
        let mut begun = String::new();
        let mut rest = line;
        let mut has_found = false;
        while let Some((start, end, directive)) = next_directive(rest) {
            begun.push_str(rest.slice(..start));
            let whole = rest.slice(start..end);
            rest = rest.slice(end..);
            let lines = match directive {
                MdBookDirective::Escaped(text) => {
                    begun.push_str(text);
                    continue;
                }
                MdBookDirective::Title(_) => {
                    has_found = true;
                    continue;
                }
                MdBookDirective::Include(path, part) => self.read(path, place, |text| included(text, part)),
                MdBookDirective::RustdocInclude(path, part) => {
                    self.read(path, place, |text| rustdoc_included(text, part))
                }
                MdBookDirective::Playground(path, words) => {
                    self.read(path, place, |text| Some(playground(text, &words)))
                }
            };
            let (file, lines) = match lines {
                Ok(found) => found,
                Err(why) => {
                    self.tell(whole, why, place);
                    begun.push_str(whole);
                    continue;
                }
            };
            has_found = true;
            let lead = begun.chars().all(|c| matches!(c, ' ' | '\t' | '>'));
            let inner = if lead { format!("{indent}{begun}") } else { indent.to_owned() };
            let before = if lead { String::new() } else { std::mem::take(&mut begun) };
            begun.clear();
            let mut lines: PlacedLines =
                lines.into_iter().map(|(number, line)| (line, Place { file, line: number, column: 1 })).collect();
            match lines.first_mut() {
                Some(first) => first.0.insert_str(0, &before),
                None => lines.push((before, place)),
            }
            self.open.push(place.file);
            self.lines(lines, &inner);
            self.open.pop();
            // what follows goes on in the last line
            if !rest.trim().is_empty()
                && let Some((last, _)) = self.out.pop()
            {
                begun = last.strip_prefix(indent).unwrap_or(&last).to_owned();
            } else {
                rest = "";
            }
        }
        begun.push_str(rest);
        if !(has_found && begun.trim().is_empty()) {
            self.push(indent, &begun, place);
        }
    }

    /// The file at a path, and those of its lines that `take` takes, with their numbers.
    fn read(
        &mut self,
        path: &str,
        place: Place,
        take: impl FnOnce(&str) -> Option<Numbered>,
    ) -> Result<(FileId, Numbered), &'static str> {
        let tree = self.tree;
        let folder = tree::folder(tree.path(place.file));
        let file = tree::join_document_path(folder, path)
            .and_then(|path| tree.find(&path))
            .ok_or("is not a file of the source")?;
        if self.open.contains(&file) || file == place.file {
            return Err("includes itself");
        }
        if self.open.len() >= MAX_MDBOOK_INCLUDE_DEPTH {
            return Err("is too deep inside other files");
        }
        let text = tree.text(file).filter(|text| !text.contains('\0')).ok_or("cannot be read as text")?;
        if text.len() > self.left {
            return Err("is too large");
        }
        let lines = take(&text).ok_or("has no part of that name")?;
        self.left -= text.len();
        Ok((file, lines))
    }

    fn tell(&mut self, directive: &str, why: &str, place: Place) {
        let path = directive.trim_start_matches('{').split_whitespace().nth(1).unwrap_or_default();
        let path = path.trim_end_matches('}');
        self.problems.push(Problem::new("include-unread", format!("`{path}` {why}; the line stays"), place).hint(
            "correct the path, which is relative to the folder of the file that it stands in; export the folder \
                 that holds both if it leads out of the exported one",
        ));
    }
}

/// The first directive of a text, and where it starts and ends.
fn next_directive(text: &str) -> Option<(usize, usize, MdBookDirective<'_>)> {
    let mut from = 0;
    while let Some(at) = text.slice(from..).find("{{").map(|at| at + from) {
        if text.slice(..at).ends_with('\\') && text.slice(at + 2..).starts_with('#') {
            let line = at + text.slice(at..).find('\n').unwrap_or(text.len() - at);
            if let Some(end) = text.slice(at..line).rfind("}}").map(|end| at + end + 2) {
                return Some((at - 1, end, MdBookDirective::Escaped(text.slice(at..end))));
            }
        }
        let inside = text.slice(at + 2..);
        if let Some(end) = inside.find('}').filter(|end| inside.slice(*end..).starts_with("}}"))
            && let Some(directive) = parse_directive(inside.slice(..end).trim_start())
        {
            return Some((at, at + end + 4, directive));
        }
        from = at + 2;
    }
    None
}

/// What stands between the braces.
fn parse_directive(inside: &str) -> Option<MdBookDirective<'_>> {
    let (name, rest) = inside.strip_prefix('#')?.split_once(char::is_whitespace)?;
    if name == "title" {
        return Some(MdBookDirective::Title(rest));
    }
    let mut words = rest.split_whitespace();
    let path = words.next()?;
    let (file, part) =
        path.split_once(':').map_or((path, IncludePart::Lines(0, usize::MAX)), |(file, part)| (file, of(part)));
    match name {
        "include" => Some(MdBookDirective::Include(file, part)),
        "rustdoc_include" => Some(MdBookDirective::RustdocInclude(file, part)),
        "playground" | "playpen" => Some(MdBookDirective::Playground(path, words.collect())),
        _ => None,
    }
}

/// What a colon says: `name`, `2`, `2:`, `2:5`, `:5`.
fn of(text: &str) -> IncludePart<'_> {
    let mut numbers = text.splitn(3, ':');
    let first = numbers.next().unwrap_or_default();
    let end = numbers.next();
    let from = match first.parse::<usize>() {
        Ok(number) => number.saturating_sub(1),
        Err(_) if first.is_empty() => 0,
        Err(_) => return IncludePart::Named(first),
    };
    let to = match end {
        Some(end) => end.parse().unwrap_or(usize::MAX),
        None if first.is_empty() => usize::MAX,
        None => from + 1,
    };
    IncludePart::Lines(from, to)
}

/// The lines of a text with their numbers, from 1.
fn numbered(text: &str) -> impl Iterator<Item = (u32, &str)> {
    (1..).zip(text.lines())
}

fn included(text: &str, part: IncludePart<'_>) -> Option<Numbered> {
    let owned = |(number, line): (u32, &str)| (number, line.to_owned());
    match part {
        IncludePart::Lines(from, to) => {
            Some(numbered(text).skip(from).take(to.saturating_sub(from)).map(owned).collect())
        }
        IncludePart::Named(name) => {
            let start = text.lines().position(|line| anchor_name(line, "ANCHOR:") == Some(name))?;
            let lines = numbered(text).skip(start + 1);
            let inside = lines.take_while(|(_, line)| anchor_name(line, "ANCHOR_END:") != Some(name));
            Some(inside.filter(|(_, line)| !is_mark(line)).map(owned).collect())
        }
    }
}

/// All lines; those outside of the part are hidden, as lines of Rust are.
fn rustdoc_included(text: &str, part: IncludePart<'_>) -> Option<Numbered> {
    let hidden = |line: &str| format!("# {line}");
    let name = match part {
        IncludePart::Lines(from, to) => {
            let line = |(number, line): (u32, &str)| {
                let is_shown = (from..to).contains(&(number as usize - 1));
                (number, if is_shown { line.to_owned() } else { hidden(line) })
            };
            return Some(numbered(text).map(line).collect());
        }
        IncludePart::Named(name) => name,
    };
    let (mut is_inside, mut is_known) = (false, false);
    let mut out = Vec::new();
    for (number, line) in numbered(text) {
        if !is_inside && anchor_name(line, "ANCHOR:") == Some(name) {
            (is_inside, is_known) = (true, true);
        } else if is_inside && anchor_name(line, "ANCHOR_END:") == Some(name) {
            is_inside = false;
        } else if !is_mark(line) {
            out.push((number, if is_inside { line.to_owned() } else { hidden(line) }));
        }
    }
    is_known.then_some(out)
}

fn playground(text: &str, words: &[&str]) -> Numbered {
    let marks = fence_around(text.lines(), '`');
    let info = std::iter::once("rust").chain(words.iter().copied()).collect::<Vec<_>>().join(",");
    let mut lines = vec![(1, format!("{marks}{info}"))];
    lines.extend(numbered(text).map(|(number, line)| (number, line.to_owned())));
    lines.push((lines.last().map_or(1, |(number, _)| *number), marks));
    lines
}

/// The name of the part that a line begins (`ANCHOR:`) or ends (`ANCHOR_END:`).
fn anchor_name<'l>(line: &'l str, sign: &str) -> Option<&'l str> {
    let (_, rest) = line.split_once(sign)?;
    let rest = rest.trim_start();
    let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-'))).unwrap_or(rest.len());
    Some(rest.slice(..end)).filter(|name| !name.is_empty())
}

fn is_mark(line: &str) -> bool {
    line.contains("ANCHOR") && (anchor_name(line, "ANCHOR:").is_some() || anchor_name(line, "ANCHOR_END:").is_some())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const B: &str = "use x;\n// ANCHOR: main\nfn main() {\n    // ANCHOR: in\n    x();\n    // ANCHOR_END: in\n}\n// ANCHOR_END: main\n";

    /// What a page includes, and what is told.
    fn text(source: &str) -> (String, Vec<String>) {
        let files = [
            ("src/p/a.md", source),
            ("src/p/b.rs", B),
            ("listings/c.md", "before\n{{#include d.md}}\n"),
            ("listings/d.md", "deep\n"),
            ("listings/e.md", "{{#include e.md}}\n"),
        ];
        let folder = tempfile::tempdir().expect("a folder");
        for (path, text) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().expect("a folder around it")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        let (tree, _) = SourceTree::list(folder.path());
        let file = tree.find("src/p/a.md").expect("the page");
        let lines =
            source.lines().zip(1..).map(|(line, number)| (line.to_owned(), Place { file, line: number, column: 1 }));
        let mut problems = Vec::new();
        let lines = expand_mdbook_includes(&tree, lines.collect(), &mut problems);
        let text = lines.iter().map(|(line, _)| line.as_str()).collect::<Vec<_>>().join("\n");
        (text, problems.into_iter().map(|problem| format!("{}: {}", problem.place.line, problem.message)).collect())
    }

    #[track_caller]
    fn check(source: &str, expect: &str) {
        assert_eq!(text(source), (expect.to_owned(), Vec::new()), "{source}");
    }

    #[test]
    fn parts_of_files() {
        check("x\n{{#include b.rs:main}}\ny", "x\nfn main() {\n    x();\n}\ny");
        check("{{#include b.rs:1}}", "use x;");
        check("{{#include b.rs:7:}}", "}\n// ANCHOR_END: main");
        check("{{#include b.rs::1}}", "use x;");
        check("{{ #include b.rs:5:5 }}", "    x();");
        check("- ```rust\n  {{#include b.rs:main}}\n  ```", "- ```rust\n  fn main() {\n      x();\n  }\n  ```");
        check("a {{#include b.rs:1}} b", "a use x; b");
        check("{{#include ../../listings/c.md}}", "before\ndeep");
    }

    #[test]
    fn what_is_hidden_stays() {
        check("{{#rustdoc_include b.rs:in}}", "# use x;\n# fn main() {\n    x();\n# }");
        check(
            "{{#rustdoc_include b.rs:1:1}}",
            &B.lines()
                .enumerate()
                .map(|(at, line)| if at == 0 { line.to_owned() } else { format!("# {line}") })
                .collect::<Vec<_>>()
                .join("\n"),
        );
    }

    #[test]
    fn other_directives() {
        check("{{#title My page}}\n# T", "# T");
        check("{{#playground ../../listings/d.md editable}}", "```rust,editable\ndeep\n```");
        check("Write \\{{#include a.rs}} there", "Write {{#include a.rs}} there");
        check("{{#nothing x}} {{name}}", "{{#nothing x}} {{name}}");
        assert_eq!(mdbook_page_title("\n{{#title  My page }}\n"), Some("My page"));
        assert_eq!((mdbook_page_title("# A\n"), mdbook_page_title("\\{{#title x}}")), (None, None));
    }

    #[test]
    fn what_is_missing_is_told() {
        let check_message = |path: &str, why: &str| {
            let line = format!("{{{{#include {path}}}}}");
            assert_eq!(text(&line).1, [format!("1: `{path}` {why}; the line stays")]);
        };
        check_message("no.rs", "is not a file of the source");
        check_message("b.rs:no", "has no part of that name");
        assert_eq!(text("{{#include no.rs}}").0, "{{#include no.rs}}");
        assert_eq!(text("{{#include ../../listings/e.md}}").1, ["1: `e.md` includes itself; the line stays"]);
    }

    proptest! {
        /// No text panics.
        #[test]
        fn no_text_panics(source in "(\\{\\{|\\}\\}|#include |#title |#playground |b\\.rs|:|[0-9]|in|\n|\\\\|é|> ){0,24}") {
            let _ = (next_directive(&source), mdbook_page_title(&source));
        }
    }
}
