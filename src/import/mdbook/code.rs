//! Blocks of code: their fences with the language alone, and the lines that they hide.

use base::cut::SliceText as _;
use base::hidden_lines::hidden_lines_suffix;
use base::lines::{PlacedLines, fence_of};

use super::settings::MdBookSettings;

/// A fence that opens a block.
#[derive(Debug)]
pub(super) struct MdBookFence<'l> {
    /// What stands before it.
    pub(super) lead: &'l str,
    marks: &'l str,
    /// The words behind it: a language, and what mdBook is to do with the block.
    pub(super) words: Vec<&'l str>,
    /// All of that.
    pub(super) info: &'l str,
}

/// Reads a line as the first of a block.
pub(super) fn fence(line: &str) -> Option<MdBookFence<'_>> {
    let mut text = line.trim_start_matches([' ', '\t', '>']);
    // behind the mark of a list's item
    let bare = text.trim_start_matches(|c: char| c.is_ascii_digit());
    for mark in ["- ", "* ", "+ ", ". ", ") "] {
        let item = if mark.starts_with(['.', ')']) && bare.len() < text.len() { bare } else { text };
        if let Some(rest) = item.strip_prefix(mark) {
            text = rest.trim_start();
            break;
        }
    }
    let (_, width, info) = fence_of(text)?;
    let words = info.split([' ', '\t', ',']).filter(|word| !word.is_empty()).collect();
    Some(MdBookFence { lead: line.slice(..line.len() - text.len()), marks: text.slice(..width), words, info })
}

impl MdBookFence<'_> {
    /// Whether a line ends the block.
    pub(super) fn is_end(&self, line: &str) -> bool {
        let text = line.trim_start_matches([' ', '\t', '>']).trim_end();
        text.len() >= self.marks.len()
            && text.starts_with(self.marks)
            && text.chars().all(|c| self.marks.starts_with(c))
    }

    pub(super) fn language(&self) -> &str {
        self.words.first().copied().unwrap_or_default()
    }

    /// What begins the lines that are hidden, if it is not the mark of Rust.
    fn prefix<'p>(&'p self, settings: &'p MdBookSettings) -> Option<&'p str> {
        let own = self.words.iter().skip(1).find_map(|word| word.strip_prefix("hidelines="));
        own.or_else(|| settings.hidden_prefixes.get(self.language()).map(String::as_str)).filter(|it| !it.is_empty())
    }

    /// Writes the block: `lines` are its own, the fences included.
    /// `title` is shown above it.
    pub(super) fn write(
        &self,
        mut lines: PlacedLines,
        title: Option<&str>,
        settings: &MdBookSettings,
        out: &mut PlacedLines,
    ) {
        let mut hidden = Vec::new();
        let has_end = lines.len() > 1 && lines.last().is_some_and(|(line, _)| self.is_end(line));
        let end = lines.len() - usize::from(has_end);
        let is_rust = self.language() == "rust";
        let prefix = self.prefix(settings).filter(|_| !is_rust);
        if is_rust || prefix.is_some() {
            for ((line, _), number) in lines[1..end].iter_mut().zip(1_u32..) {
                let shown = match prefix {
                    Some(prefix) => with_prefix(line, prefix),
                    None => of_rust(line, self.lead),
                };
                match shown {
                    CodeLine::AsItIs => {}
                    CodeLine::Escaped(text) => *line = text,
                    CodeLine::Hidden(text) => {
                        *line = text;
                        hidden.push(number);
                    }
                }
            }
        }
        // the empty lines at the end of a block are not shown
        let shown = (1..=u32::try_from(end.saturating_sub(1)).unwrap_or(u32::MAX)).rev();
        let is_blank = |number: &u32| lines[*number as usize].0.trim_matches([' ', '\t', '>']).is_empty();
        let last = shown.into_iter().find(|number| !is_blank(number)).unwrap_or(0);
        hidden.retain(|number| *number <= last);
        let title = title.map(|title| format!(" title=\"{}\"", title.replace('"', "'"))).unwrap_or_default();
        let hidden = hidden_lines_suffix(&hidden);
        lines[0].0 = format!("{}{}{}{title}{hidden}", self.lead, self.marks, self.language());
        out.append(&mut lines);
    }
}

/// What a line of a block is.
#[derive(Debug, PartialEq, Eq)]
enum CodeLine {
    AsItIs,
    /// It has begun with a mark that only says that the next is no mark.
    Escaped(String),
    Hidden(String),
}

/// `# let hidden;`, `#`, `## escaped`, `#[shown]`. `lead`: what stands before the block in its line.
fn of_rust(line: &str, lead: &str) -> CodeLine {
    let is_lead = |c: char| c.is_whitespace() || c == '>' && lead.contains('>');
    let text = line.trim_start_matches(is_lead);
    let before = line.slice(..line.len() - text.len());
    match text.strip_prefix('#') {
        Some("") => CodeLine::Hidden(before.to_owned()),
        Some(rest) if rest.starts_with('#') => CodeLine::Escaped(format!("{before}{rest}")),
        Some(rest) => match rest.strip_prefix(' ') {
            Some(rest) => CodeLine::Hidden(format!("{before}{rest}")),
            None => CodeLine::AsItIs,
        },
        None => CodeLine::AsItIs,
    }
}

fn with_prefix(line: &str, prefix: &str) -> CodeLine {
    let text = line.trim_start_matches([' ', '\t']);
    let before = line.slice(..line.len() - text.len());
    text.strip_prefix(prefix).map_or(CodeLine::AsItIs, |rest| CodeLine::Hidden(format!("{before}{rest}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Place;

    fn written(text: &str, settings: &str) -> String {
        let settings = MdBookSettings::read(settings).expect("TOML");
        let lines: PlacedLines = text.lines().map(|line| (line.to_owned(), Place::default())).collect();
        let first = lines[0].0.clone();
        let mut out = Vec::new();
        fence(&first).expect("a fence").write(lines, None, &settings, &mut out);
        out.into_iter().map(|(line, _)| line).collect::<Vec<_>>().join("\n").replace('\u{e005}', "hides ")
    }

    #[test]
    fn lines_of_rust_are_hidden() {
        assert_eq!(
            written("```rust,ignore edition2021\n# use x;\n#\n#[y]\n## z\n  # let a;\nb\n```", ""),
            "```rust hides 1-2,5\nuse x;\n\n#[y]\n# z\n  let a;\nb\n```"
        );
        assert_eq!(written("> ```rust\n> # a\n> b\n> ```", ""), "> ```rust hides 1\n> a\n> b\n> ```");
        assert_eq!(written("- ```rust\n  # a\n  ```", ""), "- ```rust hides 1\n  a\n  ```");
        assert_eq!(written("```sh\n# shown\n```", ""), "```sh\n# shown\n```");
    }

    #[test]
    fn other_languages_have_prefixes() {
        let settings = "[output.html.code.hidelines]\npython = \"~\"\n";
        assert_eq!(written("```python\n~a\n  ~ b\nc\n```", settings), "```python hides 1-2\na\n   b\nc\n```");
        assert_eq!(written("```sh,hidelines=!!!\n!!!a\nb\n```", settings), "```sh hides 1\na\nb\n```");
        assert_eq!(written("~~~text , x\na\n~~~", ""), "~~~text\na\n~~~");
    }
}
