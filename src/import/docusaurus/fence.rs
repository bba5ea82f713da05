//! Code blocks: the words behind the fence.

use serde_json::Value;

use base::cut::SliceText as _;
use base::lines::fence_of;
use load::tool::script;

use super::npm;

/// The first line of a code block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DocusaurusFence<'l> {
    /// What stands before the fence.
    pub(super) indent: &'l str,
    pub(super) mark: &'l str,
    pub(super) language: &'l str,
    pub(super) meta: &'l str,
}

/// Reads a line as the first of a code block.
pub(super) fn parse_fence_line(line: &str) -> Option<DocusaurusFence<'_>> {
    let text = line.trim_start_matches([' ', '\t', '>']);
    // behind the mark of a list's item
    let text = ["- ", "* ", "+ "].iter().find_map(|item| text.strip_prefix(item)).map_or(text, str::trim_start);
    let indent = line.slice(..line.len() - text.len());
    let (_, width, info) = fence_of(text)?;
    let (language, meta) = info.split_once([' ', '\t']).unwrap_or((info, ""));
    Some(DocusaurusFence { indent, mark: text.slice(..width), language, meta: meta.trim() })
}

impl DocusaurusFence<'_> {
    /// Whether a line ends the block.
    pub(super) fn is_end(&self, line: &str) -> bool {
        let text = line.trim_start_matches([' ', '\t', '>']).trim_end();
        let mark = self.mark.slice(..1);
        text.len() >= self.mark.len() && text.starts_with(self.mark) && text.trim_start_matches(mark).is_empty()
    }

    /// Whether a word stands among the options, alone or with a value.
    pub(super) fn has(&self, word: &str) -> bool {
        let is_word = |one: &str| one == word || one.strip_prefix(word).is_some_and(|rest| rest.starts_with('='));
        self.meta.split_whitespace().any(is_word)
    }

    /// The value of a word among the options; empty if it stands alone.
    fn value(&self, word: &str) -> Option<&str> {
        let mut rests = self.meta.split_whitespace().filter_map(|one| one.strip_prefix(word));
        rests.find_map(|rest| if rest.is_empty() { Some("") } else { rest.strip_prefix('=') })
    }

    /// The title that is given: `title="x"`.
    pub(super) fn title(&self) -> Option<&str> {
        let (_, rest) = self.meta.split_once("title=")?;
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        rest.slice(1..).split(quote).next()
    }

    /// The line as this program writes it: title, numbers of lines, lines that are marked.
    pub(super) fn written(&self, title: Option<&str>) -> String {
        let mut line = format!("{}{}{}", self.indent, self.mark, self.language);
        if let Some(title) = title.filter(|title| !title.is_empty()) {
            line.push_str(&format!(" title=\"{}\"", title.replace('"', "'")));
        }
        let bare = self.title().map_or_else(|| self.meta.to_owned(), |title| self.meta.replace(title, ""));
        // braces of its value are no lines
        let bare: Vec<&str> = bare.split_whitespace().filter(|word| !word.starts_with("showLineNumbers")).collect();
        let bare = bare.join(" ");
        if let Some((lines, _)) = bare.split_once('{').and_then(|(_, rest)| rest.split_once('}'))
            && !lines.is_empty()
            && lines.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | '-' | ' '))
        {
            line.push_str(&format!(" {{{lines}}}"));
        }
        if let Some(first) = self.value("showLineNumbers") {
            let first = first.trim_matches(['{', '}', '"', '\'']);
            let is_first = !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit());
            line.push_str(&if is_first { format!(" lines={first}") } else { " lines".to_owned() });
        }
        line
    }
}

/// A block of commands of npm, with those of other package managers: one line of components, blank lines for the
/// others.
pub(super) fn npm_blocks(fence: &DocusaurusFence<'_>, code: &[&str]) -> Vec<String> {
    let text = code.iter().map(|line| line.strip_prefix(fence.indent).unwrap_or(line)).collect::<Vec<_>>().join("\n");
    let blocks = npm::MANAGERS.iter().map(|manager| {
        let shown = serde_json::Value::from(npm::commands(&text, manager));
        let language = if fence.language.is_empty() { "bash" } else { fence.language };
        format!("<CodeBlock language=\"{language}\" filename=\"{manager}\">{{{shown}}}</CodeBlock>")
    });
    let line = format!("{}<CodeGroup>{}</CodeGroup>", fence.indent, blocks.collect::<String>());
    std::iter::once(line).chain(code.iter().map(|_| String::new())).chain([String::new()]).collect()
}

/// The words of comments that mark the next line or lines of code, and what they are called here: `magicComments` of a
/// configuration.
pub(super) fn magic_comments(value: &Value) -> Vec<(String, &'static str)> {
    const KEYS: [(&[&str], &str); 3] = [
        (&["line"], "highlight-next-line"),
        (&["block", "start"], "highlight-start"),
        (&["block", "end"], "highlight-end"),
    ];
    let all = script::list_at_path(value, &["themeConfig", "prism", "magicComments"]);
    let words = all
        .iter()
        .flat_map(|one| KEYS.iter().filter_map(|(keys, own)| Some((script::text_at(one, keys)?.to_owned(), *own))));
    words.filter(|(words, own)| words != own).collect()
}

/// A text with blanks in the places of such comments; `None` if the configuration has none.
pub(super) fn without_magic_comments(value: &Value, text: &str) -> Option<String> {
    let comments = magic_comments(value);
    (!comments.is_empty()).then_some(())?;
    let lines = text.split('\n').map(|line| match is_magic_comment(line, &comments) {
        Some(_) => " ".repeat(line.len()),
        None => line.to_owned(),
    });
    Some(lines.collect::<Vec<_>>().join("\n"))
}

/// What a comment that stands alone in a line is, if it is such a one.
fn is_magic_comment<'c>(line: &str, comments: &'c [(String, &'static str)]) -> Option<&'c (String, &'static str)> {
    const SIGNS: [char; 13] = ['/', '*', '#', '<', '!', '-', '>', '{', '}', ';', '%', '\'', '"'];
    let bare = line.trim().trim_matches(SIGNS).trim();
    comments.iter().find(|(words, _)| words == bare).filter(|_| bare.len() < line.trim().len())
}

/// A line of code in which such a comment has the name that it has here.
pub(super) fn with_magic_comments(line: &str, comments: &[(String, &'static str)]) -> String {
    match is_magic_comment(line, comments) {
        Some((words, own)) => line.replacen(words.as_str(), own, 1),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expect: &str) {
        let fence = parse_fence_line(line).expect("a fence");
        assert_eq!(fence.written(fence.title()), expect, "{line}");
    }

    #[test]
    fn options_are_written_anew() {
        check("```js title=\"a {1}.js\" {1,3-4} showLineNumbers", "```js title=\"a {1}.js\" {1,3-4} lines");
        check("  ~~~~jsx live noInline", "  ~~~~jsx");
        check("```", "```");
        check("> ```ts showLineNumbers=5 metastring", "> ```ts lines=5");
        check("```ts showLineNumbers={12} {2}", "```ts {2} lines=12");
        assert_eq!(parse_fence_line("``` a`b"), None);
        assert!(
            parse_fence_line("```js")
                .is_some_and(|fence| fence.is_end("````") && !fence.is_end("``") && !fence.is_end("```js"))
        );
    }

    #[test]
    fn commands_of_npm_get_others() {
        let lines = npm_blocks(&parse_fence_line("```bash npm2yarn").expect("a fence"), &["npm install x"]);
        assert!(lines[0].contains("filename=\"Yarn\">{\"yarn add x\"}</CodeBlock>") && lines.len() == 3, "{lines:?}");
    }
}
