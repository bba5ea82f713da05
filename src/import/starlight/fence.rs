//! Code blocks of Expressive Code: the options of a fence, the file name that a comment holds, the marks of `diff`.

use base::cut::{SliceText as _, cut};

/// Words of shells.
const TERMINAL: [&str; 19] = [
    "ansi",
    "bash",
    "bat",
    "batch",
    "cmd",
    "console",
    "fish",
    "nu",
    "nushell",
    "powershell",
    "ps",
    "ps1",
    "psd1",
    "psm1",
    "sh",
    "shell",
    "shellscript",
    "shellsession",
    "zsh",
];
/// Languages by what their files hold: a comment names a file if the ending is one of the same kind.
const GROUPS: [&[&str]; 5] = [
    &["astro", "cjs", "htm", "html", "js", "jsx", "mjs", "svelte", "ts", "tsx", "typescript", "vb", "vue", "vue-html"],
    &TERMINAL,
    &["csv", "env", "ini", "json", "toml", "xml", "yaml", "yml"],
    &["css", "less", "sass", "scss", "styl", "stylus", "xsl"],
    &["markdown", "md", "mdx"],
];
/// Languages whose files begin with front matter, which may hold nothing but the comment.
const WITH_FRONT_MATTER: [&str; 7] = ["astro", "markdown", "md", "mdx", "toml", "yaml", "yml"];
/// A comment names a file in one of the first lines.
const FIRST_LINES: usize = 4;

/// What a line is marked as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FenceKind {
    Marked,
    Added,
    Removed,
}

/// The options of a fence.
#[derive(Debug, Default)]
struct FenceOptions {
    lang: String,
    title: Option<String>,
    is_frameless: bool,
    flags: Vec<String>,
    is_diff: bool,
    is_numbered: bool,
    first_line: Option<u32>,
    /// Ranges of lines, or a text that lines hold.
    marks: Vec<(FenceKind, FenceMark)>,
}

#[derive(Debug)]
enum FenceMark {
    Lines(String),
    Text(String),
}

/// A line and its marks.
#[derive(Debug)]
struct FenceLine {
    text: String,
    kinds: Vec<FenceKind>,
}

/// The info string and the lines of a block as this program has them.
pub(super) fn rewrite_code_fence(info: &str, lines: Vec<String>) -> (String, Vec<String>) {
    let mut options = FenceOptions::read(info);
    let mut lines: Vec<FenceLine> =
        lines.into_iter().map(|text| FenceLine { text: with_spaces(text), kinds: Vec::new() }).collect();
    for (kind, mark) in &options.marks {
        match mark {
            FenceMark::Lines(ranges) => {
                for at in numbers(ranges, lines.len()) {
                    lines[at].kinds.push(*kind);
                }
            }
            FenceMark::Text(text) => {
                let holding = lines.iter_mut().filter(|line| line.text.contains(text.as_str()));
                holding.for_each(|line| line.kinds.push(*kind));
            }
        }
    }
    if options.is_diff || options.lang == "diff" {
        take_signs(&mut lines);
    }
    if options.title.is_none() && !options.is_frameless {
        options.title = take_file_name(&mut lines, &options.lang);
    }
    let info = options.write(&lines);
    (info, lines.into_iter().map(|line| line.text).collect())
}

/// A line with two spaces for each tab at its start.
fn with_spaces(line: String) -> String {
    let tabs = line.len() - line.trim_start_matches('\t').len();
    if tabs == 0 { line } else { format!("{}{}", "  ".repeat(tabs), line.slice(tabs..)) }
}

impl FenceOptions {
    fn read(info: &str) -> Self {
        let (lang, mut rest) = cut(info, info.find([' ', '\t', '{']).unwrap_or(info.len()));
        let mut options = Self { lang: lang.to_owned(), ..Self::default() };
        loop {
            rest = rest.trim_start();
            let Some(first) = rest.chars().next() else { return options };
            let name_end =
                rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_')).unwrap_or(rest.len());
            let (name, after) = match rest.slice(name_end..).strip_prefix('=') {
                Some(after) if name_end > 0 => (rest.slice(..name_end), after),
                _ => ("", rest),
            };
            if let Some((value, kind, left)) = parse_meta_value(after) {
                options.set(name, value, kind);
                rest = left;
                continue;
            }
            // a word alone is a switch
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len()).max(first.len_utf8());
            options.switch(rest.slice(..end));
            rest = rest.slice(end..);
        }
    }

    fn set(&mut self, name: &str, value: String, form: ValueForm) {
        let kind = match name {
            "" | "mark" => FenceKind::Marked,
            "ins" | "add" => FenceKind::Added,
            "del" | "rem" => FenceKind::Removed,
            "title" => return self.title = Some(value).filter(|title| !title.trim().is_empty()),
            "frame" => return self.is_frameless = value == "none",
            "lang" => {
                self.is_diff = self.lang == "diff";
                return self.lang = value;
            }
            "collapse" => return self.flags.push("expandable".to_owned()),
            name => return self.switch(&format!("{name}={value}")),
        };
        match form {
            ValueForm::Braces => {
                let ranges = value.trim();
                // a label may stand before the lines
                let ranges = match ranges.chars().next().filter(|c| matches!(c, '"' | '\'')) {
                    Some(quote) => {
                        ranges.slice(1..).split_once(quote).map_or("", |(_, rest)| rest.trim_start_matches(':'))
                    }
                    None => ranges,
                };
                self.marks.push((kind, FenceMark::Lines(ranges.to_owned())));
            }
            ValueForm::Quotes => self.marks.push((kind, FenceMark::Text(value))),
            ValueForm::Slashes => {}
        }
    }

    fn switch(&mut self, word: &str) {
        match word {
            "wrap" | "wrap=true" => self.flags.push("wrap".to_owned()),
            "showLineNumbers" | "showLineNumbers=true" => self.is_numbered = true,
            "showLineNumbers=false" => self.is_numbered = false,
            word if word.starts_with("startLineNumber=") => {
                self.first_line = word.slice("startLineNumber=".len()..).parse().ok();
            }
            "useDiffSyntax" | "useDiffSyntax=true" => self.is_diff = true,
            "twoslash" => self.flags.push("twoslash".to_owned()),
            _ => {}
        }
    }

    fn write(&self, lines: &[FenceLine]) -> String {
        let mut out = self.lang.clone();
        let mut push = |option: &str| {
            out.push(' ');
            out.push_str(option);
        };
        for flag in &self.flags {
            push(flag);
        }
        match self.first_line {
            _ if !self.is_numbered => {}
            Some(first) => push(&format!("lines={first}")),
            None => push("lines"),
        }
        if let Some(title) = &self.title {
            push(&format!("title=\"{}\"", title.replace('\\', "").replace('"', "'")));
        }
        for (kind, name) in
            [(FenceKind::Marked, "highlight"), (FenceKind::Added, "added"), (FenceKind::Removed, "removed")]
        {
            let numbers = (1..).zip(lines).filter(|(_, line)| line.kinds.contains(&kind));
            let numbers: Vec<String> = numbers.map(|(number, _): (usize, _)| number.to_string()).collect();
            if !numbers.is_empty() {
                push(&format!("{name}={{{}}}", numbers.join(",")));
            }
        }
        out
    }
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ValueForm {
    Quotes,
    Braces,
    Slashes,
}

/// The value that a text begins with, and what follows it.
fn parse_meta_value(text: &str) -> Option<(String, ValueForm, &str)> {
    let first = text.chars().next()?;
    let (close, form) = match first {
        '"' | '\'' => (first, ValueForm::Quotes),
        '{' => ('}', ValueForm::Braces),
        '/' => ('/', ValueForm::Slashes),
        _ => return None,
    };
    let mut escaped = false;
    let mut out = String::new();
    for (at, c) in text.char_indices().skip(1) {
        if c == close && !escaped {
            return Some((out, form, text.slice(at + c.len_utf8()..)));
        }
        if escaped && c != close {
            out.push('\\');
        }
        escaped = c == '\\' && !escaped;
        if !escaped {
            out.push(c);
        }
    }
    None
}

/// The lines, from 0, of `1,3-5`.
fn numbers(ranges: &str, count: usize) -> Vec<usize> {
    let mut out = Vec::new();
    for range in ranges.split(',') {
        let (from, to) = range.split_once('-').unwrap_or((range, range));
        let (Ok(from), Ok(to)) =
            (from.trim().parse::<usize>(), to.trim_start_matches(['-', '.']).trim().parse::<usize>())
        else {
            continue;
        };
        out.extend((from.max(1)..=to.min(count)).map(|number| number - 1));
    }
    out
}

/// Takes `+` and `-` at the start of lines away and marks these, unless it is the text of a patch.
fn take_signs(lines: &mut [FenceLine]) {
    let is_of_patch = |line: &FenceLine| ["--- ", "+++ ", "*** ", "@@ "].iter().any(|mark| line.text.starts_with(mark));
    if lines.iter().take(FIRST_LINES).any(is_of_patch) {
        return;
    }
    let sign = |text: &str| {
        let mut chars = text.chars();
        let first = chars.next().filter(|c| matches!(c, '+' | '-'))?;
        chars.next().is_none_or(|next| !matches!(next, '+' | '-')).then_some(first)
    };
    let indent = |text: &str| {
        let inner = text.slice(sign(text).map_or(0, char::len_utf8)..);
        text.len() - inner.trim_start().len()
    };
    let filled =
        lines.iter().filter(|line| !line.text.slice(sign(&line.text).map_or(0, char::len_utf8)..).trim().is_empty());
    let shared = filled.map(|line| indent(&line.text)).min().unwrap_or(0);
    for line in lines {
        let found = sign(&line.text);
        let count = if shared > 0 { shared } else { usize::from(found.is_some()) };
        line.text = line.text.chars().skip(count).collect();
        line.kinds.extend(found.map(|sign| if sign == '+' { FenceKind::Added } else { FenceKind::Removed }));
    }
}

/// Takes the comment away that names the file of the code, and the empty line or front matter that is left of it.
fn take_file_name(lines: &mut Vec<FenceLine>, lang: &str) -> Option<String> {
    let (at, name) = lines
        .iter()
        .take(FIRST_LINES)
        .enumerate()
        .find_map(|(at, line)| Some((at, comment_file_name(&line.text, lang)?)))?;
    lines.remove(at);
    let mut at = at;
    if WITH_FRONT_MATTER.contains(&lang) && at > 0 {
        let marks = [lines.get(at - 1), lines.get(at)].map(|line| line.map_or("", |line| line.text.trim()));
        if marks[0] == marks[1] && matches!(marks[0], "---" | "+++") {
            at -= 1;
            lines.drain(at..at + 2);
        }
    }
    if lines.get(at).is_some_and(|line| line.text.trim().is_empty()) {
        lines.remove(at);
    }
    Some(name)
}

/// The name of a file that a comment consists of.
fn comment_file_name(line: &str, lang: &str) -> Option<String> {
    let line = line.trim();
    let inside = ["//", "<!--", "/*", "#"].iter().find_map(|mark| line.strip_prefix(mark))?;
    if line.starts_with("#!") {
        return None;
    }
    let inside = inside.trim().trim_end_matches("-->").trim_end_matches("*/").trim();
    let (before, name) = match inside.rsplit_once([':', '\u{ff1a}']) {
        Some((before, name)) if before.len() > 1 && !name.starts_with("//") => (before.trim(), name.trim()),
        _ => ("", inside),
    };
    let is_path = |c: char| c.is_ascii_alphanumeric() || "_./~%[]+\\-".contains(c);
    if before.eq_ignore_ascii_case("@filename") || name.is_empty() {
        return None;
    }
    let drive = name.get(1..2) == Some(":") && name.starts_with(|c: char| c.is_ascii_alphabetic());
    let path = if drive { name.slice(2..) } else { name };
    if !path.chars().all(is_path) || path.chars().all(|c| ".:/\\~".contains(c)) {
        return None;
    }
    if path.starts_with("..") && !path.trim_start_matches('.').starts_with(['/', '\\']) {
        return None;
    }
    let last = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let group = GROUPS.iter().find(|group| group.contains(&lang));
    let begins_as_path =
        drive || ["/", "\\", "./", ".\\", "~"].iter().any(|mark| path.starts_with(mark) && path.len() > mark.len());
    let is_long_path = path.contains(['/', '\\'])
        && path.chars().any(|c| !(c == '/' || c == '\\' || c == '.' || c.is_ascii_digit()))
        && path == path.to_lowercase();
    let is_path = begins_as_path || last.starts_with('.') || is_long_path;
    if is_path && (before.is_empty() || TERMINAL.contains(&lang)) {
        return Some(name.to_owned());
    }
    let ending = last.rsplit_once('.').map(|(_, ending)| ending).filter(|ending| !ending.is_empty())?;
    group.is_none_or(|group| group.contains(&ending)).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(info: &str, code: &str, expect: (&str, &str)) {
        let (info, lines) = rewrite_code_fence(info, code.split('\n').map(str::to_owned).collect());
        assert_eq!((info.as_str(), lines.join("\n").as_str()), expect);
    }

    #[test]
    fn options_are_written_as_they_are_called_here() {
        check(
            "js title=\"a \\\"b\\\"\" ins={1,3} del={2} {3}",
            "a\nb\nc",
            ("js title=\"a 'b'\" highlight={3} added={1,3} removed={2}", "a\nb\nc"),
        );
        check(
            "ts \"two\" ins=\"three\" wrap showLineNumbers frame=\"none\" collapse={1-2} /x/",
            "one\ntwo\nthree",
            ("ts wrap expandable lines highlight={2} added={3}", "one\ntwo\nthree"),
        );
        check("js{1} wrap=false", "a", ("js highlight={1}", "a"));
        check("js showLineNumbers startLineNumber={5}", "a", ("js lines=5", "a"));
        check("js startLineNumber=5", "a", ("js", "a"));
        check("js mark={\"Label\": 2-3} {\"X\":1}", "a\nb\nc", ("js highlight={1,2,3}", "a\nb\nc"));
        check("", "\t\ta\tb", ("", "    a\tb"));
    }

    #[test]
    fn comments_name_files() {
        check("js", "// src/a.js\n\nb", ("js title=\"src/a.js\"", "b"));
        check("js ins={3}", "// a.mjs\nb\nc", ("js title=\"a.mjs\" added={2}", "b\nc"));
        check("astro", "---\n// src/a.astro\n---\n<p/>", ("astro title=\"src/a.astro\"", "<p/>"));
        check("js", "// a.css\nb", ("js", "// a.css\nb"));
        check("js", "// just words\nb", ("js", "// just words\nb"));
        check("js title=\"x\"", "// a.js", ("js title=\"x\"", "// a.js"));
        check("sh", "#!/bin/sh", ("sh", "#!/bin/sh"));
        check("yaml", "# .github/x.yml\na: b", ("yaml title=\".github/x.yml\"", "a: b"));
        check("html", "<!-- index.html -->\n<p>", ("html title=\"index.html\"", "<p>"));
    }

    #[test]
    fn signs_mark_lines() {
        check("diff lang=\"js\"", "  a\n- b\n+ c", ("js added={3} removed={2}", "a\nb\nc"));
        check("diff", "--- a\n+++ b", ("diff", "--- a\n+++ b"));
        check("diff", "+a\nb", ("diff added={1}", "a\nb"));
    }
}
