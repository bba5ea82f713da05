//! Diagnostics for people, in the manner of rustc: the message, the place, the source line with a mark, what to do.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use base::{Diagnostic, Severity};
use site::tree::read_below;

use super::{grouped, harmless};

/// How many problems of one kind are shown in full.
const SHOWN_OF_A_KIND: usize = 20;
/// Longest source line that is shown, bytes: longer ones are generated.
const SHOWN_LINE_BYTES: usize = 1000;

/// Writes diagnostics in their order, the first of each kind in full and then how many more there are. `root` is where
/// their files are.
///
/// `rest` says what to do about those that are not shown.
pub(super) fn write_diagnostics(
    out: &mut impl Write,
    root: &Path,
    diagnostics: &[Diagnostic],
    rest: &str,
) -> std::io::Result<()> {
    let renderer = Renderer::styled().decor_style(DecorStyle::Ascii);
    let mut sources = SourceLines { root: root.to_owned(), path: String::new(), text: None };
    let mut kinds: BTreeMap<(Severity, &str), usize> = BTreeMap::new();
    for diagnostic in diagnostics {
        let count = kinds.entry((diagnostic.severity, diagnostic.code)).or_default();
        *count += 1;
        if *count <= SHOWN_OF_A_KIND {
            writeln!(out, "{}\n", renderer.render(&[report(diagnostic, &mut sources)]))?;
        }
    }
    for ((severity, code), count) in kinds {
        if count > SHOWN_OF_A_KIND {
            let more = format!(
                "{} more {}[{code}] not shown; {rest}",
                grouped((count - SHOWN_OF_A_KIND) as u64),
                severity_name(severity)
            );
            writeln!(out, "{}\n", renderer.render(&[Group::with_title(Level::NOTE.primary_title(more))]))?;
        }
    }
    Ok(())
}

/// The word for a severity.
pub(super) fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

fn report<'a>(diagnostic: &'a Diagnostic, sources: &mut SourceLines) -> Group<'a> {
    let level = match diagnostic.severity {
        Severity::Warning => Level::WARNING,
        Severity::Error => Level::ERROR,
    };
    let mut group =
        level.primary_title(harmless(&diagnostic.message)).id(diagnostic.code).elements([] as [Origin<'_>; 0]);
    if !diagnostic.file.is_empty() {
        let path = harmless(&diagnostic.file);
        match sources.line(diagnostic).and_then(|line| Some((marked_range(&line, diagnostic.column)?, line))) {
            Some((mark, line)) => {
                let snippet = Snippet::source(line).line_start(diagnostic.line as usize).path(path);
                group = group.element(snippet.annotation(AnnotationKind::Primary.span(mark)));
            }
            None => group = group.element(diagnostic_origin(path, diagnostic)),
        }
    }
    if let Some(hint) = &diagnostic.hint {
        group = group.element(Level::HELP.message(harmless(hint)));
    }
    group
}

fn diagnostic_origin(path: String, diagnostic: &Diagnostic) -> Origin<'static> {
    let mut origin = Origin::path(path);
    if diagnostic.line > 0 {
        origin = origin.line(diagnostic.line as usize);
        if diagnostic.column > 0 {
            origin = origin.char_column(diagnostic.column as usize);
        }
    }
    origin
}

/// The bytes of the character in `column` (from 1), or of the end of the line just behind it. The whole line if the
/// column is unknown.
fn marked_range(line: &str, column: u32) -> Option<std::ops::Range<usize>> {
    let Some(column) = (column as usize).checked_sub(1) else {
        let start = line.len() - line.trim_start().len();
        return Some(start..line.trim_end().len().max(start));
    };
    let end = line.len()..line.len();
    let mut characters = line.char_indices().map(|(at, c)| at..at + c.len_utf8()).chain(std::iter::once(end));
    characters.nth(column)
}

/// Source lines. Diagnostics come file by file, so one file is kept.
struct SourceLines {
    root: PathBuf,
    path: String,
    text: Option<String>,
}

impl SourceLines {
    /// The line that a diagnostic is about, without its end and without control characters.
    fn line(&mut self, diagnostic: &Diagnostic) -> Option<String> {
        let number = (diagnostic.line as usize).checked_sub(1)?;
        if self.path != diagnostic.file {
            self.text = read_below(&self.root, &diagnostic.file);
            self.path.clone_from(&diagnostic.file);
        }
        let line = self.text.as_ref()?.split('\n').nth(number)?.trim_end_matches('\r');
        (line.len() <= SHOWN_LINE_BYTES).then(|| harmless(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shows diagnostics of a folder with one file, without colors.
    #[track_caller]
    fn check(text: &str, diagnostics: &[Diagnostic], expect: &str) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.mdx"), text).unwrap();
        assert_eq!(shown(folder.path(), diagnostics), expect);
    }

    fn shown(root: &Path, diagnostics: &[Diagnostic]) -> String {
        let mut out = anstream::StripStream::new(Vec::new());
        write_diagnostics(&mut out, root, diagnostics, "`--report FILE` lists all").unwrap();
        String::from_utf8(out.into_inner()).unwrap()
    }

    #[test]
    fn the_place_is_marked() {
        let diagnostic = Diagnostic::warning("broken-link", "no page at `/x`").at("a.mdx", 2, 5).hint("is it `/y`?");
        check(
            "one\nsee [x](/x)\r\n",
            &[diagnostic],
            "warning[broken-link]: no page at `/x`\n --> a.mdx:2:5\n  |\n2 | see [x](/x)\n  |     ^\n  |\n  = help: is it `/y`?\n\n",
        );
    }

    #[test]
    fn columns_count_characters() {
        let diagnostic = Diagnostic::error("x", "m").at("a.mdx", 1, 4);
        check(
            "日本語<b>",
            std::slice::from_ref(&diagnostic),
            "error[x]: m\n --> a.mdx:1:4\n  |\n1 | 日本語<b>\n  |       ^\n\n",
        );
        check("日本語", &[diagnostic], "error[x]: m\n --> a.mdx:1:4\n  |\n1 | 日本語\n  |       ^\n\n");
    }

    #[test]
    fn what_is_unknown_is_not_made_up() {
        let diagnostic = Diagnostic::error("x", "m");
        check("one", std::slice::from_ref(&diagnostic), "error[x]: m\n\n");
        check("one", &[diagnostic.clone().at("a.mdx", 0, 0)], "error[x]: m\n--> a.mdx\n\n");
        check("one", &[diagnostic.clone().at("a.mdx", 7, 3)], "error[x]: m\n--> a.mdx:7:3\n\n");
        check("one", &[diagnostic.clone().at("a.mdx", 1, 30)], "error[x]: m\n--> a.mdx:1:30\n\n");
        check("one", &[diagnostic.clone().at("gone.mdx", 1, 1)], "error[x]: m\n--> gone.mdx:1:1\n\n");
        check("  one ", &[diagnostic.at("a.mdx", 1, 0)], "error[x]: m\n --> a.mdx:1:3\n  |\n1 |   one \n  |   ^^^\n\n");
    }

    #[test]
    fn long_lines_are_not_shown() {
        check(&"x".repeat(5000), &[Diagnostic::error("x", "m").at("a.mdx", 1, 9)], "error[x]: m\n--> a.mdx:1:9\n\n");
    }

    #[test]
    fn files_outside_are_not_read() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("docs")).unwrap();
        std::fs::write(folder.path().join("secret"), "secret").unwrap();
        let absolute = folder.path().join("secret").to_str().unwrap().to_owned();
        for path in ["../secret", absolute.as_str(), "./../secret"] {
            let shown = shown(&folder.path().join("docs"), &[Diagnostic::error("x", "m").at(path, 1, 1)]);
            assert!(!shown.contains("1 | "), "{shown}");
        }
    }

    #[test]
    fn hostile_text_reaches_no_terminal() {
        let diagnostic = Diagnostic::error("x", "a\u{1b}[2Jb\nc").at("a.mdx", 1, 1).hint("\u{202e}h");
        check(
            "\u{1b}]0;title\u{7}",
            &[diagnostic],
            "error[x]: a\u{fffd}[2Jb c\n --> a.mdx:1:1\n  |\n1 | \u{fffd}]0;title\u{fffd}\n  | ^\n  |\n  = help: \u{fffd}h\n\n",
        );
    }

    #[test]
    fn floods_are_cut() {
        let folder = tempfile::tempdir().unwrap();
        let mut diagnostics = vec![Diagnostic::warning("many", "m"); 1_234];
        diagnostics.push(Diagnostic::error("few", "f"));
        let shown = shown(folder.path(), &diagnostics);
        assert_eq!((shown.matches("warning[many]: m").count(), shown.matches("error[few]: f").count()), (20, 1));
        assert!(shown.ends_with("note: 1,214 more warning[many] not shown; `--report FILE` lists all\n\n"), "{shown}");
    }
}
