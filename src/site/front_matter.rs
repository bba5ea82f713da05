//! The block between `---` lines at the top of a page, as keys and values. Never fails: what is not YAML is read line
//! by line, with a warning.

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};

use base::Diagnostic;
use base::cut::{SliceText as _, cut};
use base::variables::{Variables, substitute_variables};

use super::yaml::{self, Yaml, YamlEntry, parse_yaml};

/// A page, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split<'a> {
    /// The text between the fences; empty if there are none.
    pub block: &'a str,
    /// The fences are `+++`: the block is TOML.
    pub toml: bool,
    /// Line of the block's first line, from 1.
    pub block_line: u32,
    /// Byte offset of the body.
    pub body_offset: usize,
    /// Line of the body's first line, from 1.
    pub body_line: u32,
}

/// Splits a page. A byte order mark and empty lines may stand before the first fence; without a closing fence all is
/// body.
pub fn split_front_matter(text: &str) -> Split<'_> {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let none = Split { block: "", toml: false, block_line: 1, body_offset: start, body_line: 1 };
    let head = start + text.slice(start..).len() - text.slice(start..).trim_start().len();
    let fence = match text.as_bytes().get(head..head + 3) {
        Some(b"---") => "---",
        Some(b"+++") => "+++",
        _ => return json_block(text, head).unwrap_or(none),
    };
    let Some(open_end) = line_end(text, head).filter(|end| text.slice(head..*end).trim_end() == fence) else {
        return none;
    };
    let block_line = count_lines(text.slice(..open_end)) + 1;
    let mut at = open_end;
    let mut lines = 0;
    while at < text.len() {
        let end = line_end(text, at).unwrap_or(text.len());
        if text.as_bytes()[at..].starts_with(fence.as_bytes()) && text.slice(at..end).trim_end() == fence {
            let block = text.slice(open_end..at);
            return Split {
                block,
                toml: fence == "+++",
                block_line,
                body_offset: end,
                body_line: block_line + lines + 1,
            };
        }
        at = end;
        lines += 1;
    }
    none
}

/// A mapping of JSON before the body, which ends its last line: YAML too.
fn json_block(text: &str, head: usize) -> Option<Split<'_>> {
    let rest = text.slice(head..);
    rest.strip_prefix('{')?.trim_start().strip_prefix('"')?;
    let mut values = serde_json::Deserializer::from_str(rest).into_iter::<serde::de::IgnoredAny>();
    values.next()?.ok()?;
    let close = head + values.byte_offset();
    let end = line_end(text, close).unwrap_or(text.len());
    text.slice(close..end).trim().is_empty().then_some(())?;
    let block_line = count_lines(text.slice(..head)) + 1;
    Some(Split {
        block: text.slice(head..close),
        toml: false,
        block_line,
        body_offset: end,
        body_line: count_lines(text.slice(..end)) + 1,
    })
}

/// The offset after the line break that ends the line at `from`; `None` if the text ends first.
fn line_end(text: &str, from: usize) -> Option<usize> {
    memchr::memchr(b'\n', &text.as_bytes()[from..]).map(|len| from + len + 1)
}

fn count_lines(text: &str) -> u32 {
    u32::try_from(memchr::memchr_iter(b'\n', text.as_bytes()).count()).unwrap_or(u32::MAX)
}

/// The keys of a block in which `{{variables}}` stand.
pub fn entries_with(
    split: &Split<'_>,
    variables: &Variables,
    file: &str,
    problems: &mut Vec<Diagnostic>,
) -> Vec<YamlEntry> {
    if variables.is_empty() || !split.block.contains("{{") {
        return front_matter_entries(split, file, problems);
    }
    // YAML takes `{` without quotes for a mapping, so words go into the text; what could mean something in YAML goes
    // into the values
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | '/');
    let words: Vec<(String, String)> =
        variables.iter().filter(|(_, value)| value.chars().all(is_word)).cloned().collect();
    let mut entries =
        front_matter_entries(&Split { block: &substitute_variables(split.block, &words), ..*split }, file, problems);
    entries
        .iter_mut()
        .for_each(|entry| entry.value.for_texts(&|text| *text = substitute_variables(text, variables).into_owned()));
    entries
}

/// What the front matter of a text says, as JSON; `None` if it says nothing.
pub fn front_matter_values(text: &str) -> Option<serde_json::Value> {
    let entries = front_matter_entries(&split_front_matter(text), "", &mut Vec::new());
    let fields = entries.iter().map(|entry| (entry.key.clone(), entry.value.to_typed_json()));
    (!entries.is_empty()).then(|| serde_json::Value::Object(fields.collect()))
}

/// The keys of a block, in order. `file` is for problems.
pub fn front_matter_entries(split: &Split<'_>, file: &str, problems: &mut Vec<Diagnostic>) -> Vec<YamlEntry> {
    if split.block.is_empty() {
        return Vec::new();
    }
    if split.toml {
        return toml_entries(split, file, problems);
    }
    if let Some(entries) = simple_entries(split.block) {
        return entries;
    }
    // YAML knows no bare carriage returns before line feeds inside quoted text that an editor put there
    let block: Cow<'_, str> =
        if split.block.contains('\r') { split.block.replace("\r\n", "\n").into() } else { split.block.into() };
    let block = match quote_words(&block) {
        Some(quoted) => Cow::Owned(quoted),
        None => block,
    };
    match parse_yaml(&block, false) {
        Ok(entries) => entries,
        Err(error) if error.repeated_key => {
            problems.push(warning(split, file, &error, "the last one is used"));
            parse_yaml(&block, true).unwrap_or_else(|_| rescued_entries(&block))
        }
        Err(error) => {
            problems.push(
                warning(split, file, &error, "it is read line by line")
                    .hint("put values with `: `, `#`, quotes or brackets in quotes"),
            );
            rescued_entries(&block)
        }
    }
}

/// A block with values that begin with an exclamation mark or an ampersand in quotes: YAML takes the first word for a tag
/// or an anchor, and authors mean words. `None` if there are none. The tags that YAML itself has stay, and so do anchors
/// that something refers to.
fn quote_words(block: &str) -> Option<String> {
    const TAGS: [&str; 8] = ["!!str", "!!int", "!!float", "!!bool", "!!null", "!!seq", "!!map", "!!timestamp"];
    let name_of = |text: &'_ str| text.split([' ', '\t', '\n', ',', ']', '}']).next().unwrap_or_default().to_owned();
    let aliases: FxHashSet<String> = block.split('*').skip(1).map(name_of).collect();
    // the length of the key, with its colon
    let key_of = |line: &str| {
        let (key, rest) = line.split_once(':')?;
        let value = rest.strip_prefix([' ', '\t'])?.trim();
        let is_tag = value.starts_with("!<") || TAGS.contains(&value.split_whitespace().next().unwrap_or_default());
        let is_key = key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
        let is_anchor = value
            .strip_prefix('&')
            .is_some_and(|anchor| aliases.contains(anchor.split_whitespace().next().unwrap_or_default()));
        // a block, a list or a mapping behind a tag
        let is_nested = value.ends_with(['|', '>', ']', '}']);
        (value.starts_with(['!', '&']) && is_key && !is_tag && !is_anchor && !is_nested).then_some(key.len() + 1)
    };
    let mut out = String::new();
    let mut is_other = false;
    let mut lines = block.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        // what goes on in further lines is no title
        let goes_on = lines.peek().is_some_and(|next| next.starts_with([' ', '\t']) && !next.trim().is_empty());
        let Some(key) = key_of(line).filter(|_| !goes_on) else {
            out.push_str(line);
            continue;
        };
        is_other = true;
        let (key, value) = cut(line, key);
        let value = value.split(" #").next().unwrap_or_default().trim();
        out.push_str(&format!("{key} '{}'\n", value.replace('\'', "''")));
    }
    is_other.then_some(out)
}

fn warning(split: &Split<'_>, file: &str, error: &yaml::YamlError, effect: &str) -> Diagnostic {
    let message = format!("the front matter is not valid YAML: {}; {effect}", error.message);
    Diagnostic::new("front-matter-yaml", message).at(file, split.block_line + error.line, 0)
}

fn toml_entries(split: &Split<'_>, file: &str, problems: &mut Vec<Diagnostic>) -> Vec<YamlEntry> {
    match split.block.parse::<toml::Table>() {
        Ok(table) => {
            table.iter().map(|(key, value)| YamlEntry { key: key.clone(), value: value.into(), line: 0 }).collect()
        }
        Err(error) => {
            let before = error.span().and_then(|span| split.block.get(..span.start)).unwrap_or_default();
            let message = format!("the front matter is not valid TOML: {}; it is not used", error.message());
            problems.push(Diagnostic::new("front-matter-toml", message).at(
                file,
                split.block_line + count_lines(before),
                0,
            ));
            split.block.lines().any(names_groups).then(unreadable_groups).into_iter().collect()
        }
    }
}

/// Whether a line begins with the key `groups`.
pub fn names_groups(line: &str) -> bool {
    let key = line.trim_start().trim_start_matches(['"', '\'']);
    key.get(.."groups".len()).is_some_and(|key| key.eq_ignore_ascii_case("groups"))
}

/// Access groups that cannot be read: they must not open the page.
fn unreadable_groups() -> YamlEntry {
    YamlEntry { key: "groups".to_owned(), value: Yaml::List(vec![Yaml::Null]), line: 0 }
}

/// Reads what most pages have, `key: word` and `key: "text"` lines, without a YAML parser (10 times as fast); `None` if
/// a line could mean anything else in YAML.
fn simple_entries(block: &str) -> Option<Vec<YamlEntry>> {
    let mut entries: Vec<YamlEntry> = Vec::with_capacity(4);
    let mut keys = FxHashSet::default();
    for (number, line) in block.lines().enumerate() {
        let line = line.trim_end_matches([' ', '\t', '\r']);
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let colon = memchr::memchr(b':', line.as_bytes())?;
        let (key, value) = (line.slice(..colon), line.slice(colon + 1..));
        let plain_key = key.starts_with(|c: char| c.is_ascii_alphabetic())
            && key.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
        if !plain_key || !(value.is_empty() || value.starts_with(' ')) || !keys.insert(key) {
            return None;
        }
        let value = simple_value(value.trim_start_matches(' '))?;
        entries.push(YamlEntry { key: key.to_owned(), value, line: u32::try_from(number).unwrap_or(0) });
    }
    Some(entries)
}

fn simple_value(value: &str) -> Option<Yaml> {
    let inside = |quote: char| value.strip_prefix(quote)?.strip_suffix(quote).filter(|inner| !inner.contains(quote));
    match value.as_bytes().first() {
        None => Some(Yaml::Null),
        Some(b'"') => {
            inside('"').filter(|inner| !inner.contains(['\\', '\t'])).map(|inner| Yaml::Text(inner.to_owned()))
        }
        Some(b'\'') => inside('\'').filter(|inner| !inner.contains('\t')).map(|inner| Yaml::Text(inner.to_owned())),
        Some(first) => {
            let starts_plain = first.is_ascii_alphanumeric()
                || *first >= 0x80
                || matches!(first, b'/' | b'(' | b'$' | b'.' | b'+' | b'_');
            let plain = starts_plain
                && !value.contains(": ")
                && !value.contains(" #")
                && !value.ends_with(':')
                && !value.contains(['\t', '\u{feff}', '\u{85}', '\u{2028}', '\u{2029}']);
            let null = matches!(value, "null" | "Null" | "NULL");
            plain.then(|| if null { Yaml::Null } else { Yaml::Text(value.to_owned()) })
        }
    }
}

/// What can be saved of a block that is not YAML: each key with its lines is read on its own, and only what is no YAML
/// even so, line by line.
fn rescued_entries(block: &str) -> Vec<YamlEntry> {
    let lines: Vec<&str> = block.lines().collect();
    let starts: Vec<usize> = (0..lines.len())
        .filter(|at| *at == 0 || !lines[*at].starts_with([' ', '\t', '-']) && rescued_line(lines[*at]).is_some())
        .collect();
    let mut entries: Vec<YamlEntry> = Vec::new();
    // where each key stands; the last one with a value counts
    let mut places: FxHashMap<String, usize> = FxHashMap::default();
    let mut replaced = FxHashSet::default();
    for (index, start) in starts.iter().enumerate() {
        let part = &lines[*start..starts.get(index + 1).copied().unwrap_or(lines.len())];
        // quoted text may go on without indentation: other parsers let it
        let read = parse_yaml(&part.join("\n"), true).or_else(|_| parse_yaml(&part.join("\n "), true));
        let read = read.unwrap_or_else(|_| entries_of_lines(part));
        for mut entry in read {
            entry.line += u32::try_from(*start).unwrap_or(0);
            let known = places.get(&entry.key).copied();
            if known.is_some() && entry.value == Yaml::Null {
                continue;
            }
            replaced.extend(known);
            places.insert(entry.key.clone(), entries.len());
            entries.push(entry);
        }
    }
    let mut at = 0..;
    entries.retain(|_| at.next().is_some_and(|at| !replaced.contains(&at)));
    if lines.iter().any(|line| names_groups(line))
        && !entries.iter().any(|entry| names_groups(&entry.key) && entry.value != Yaml::Null)
    {
        entries.retain(|entry| !names_groups(&entry.key));
        entries.push(unreadable_groups());
    }
    entries
}

/// `key: value` lines, and `- item` lines below a key without a value.
fn entries_of_lines(lines: &[&str]) -> Vec<YamlEntry> {
    let mut entries: Vec<YamlEntry> = Vec::new();
    let mut open_list = false;
    for (number, line) in lines.iter().enumerate() {
        if let (true, Some(item), Some(last)) = (open_list, line.trim_start().strip_prefix("- "), entries.last_mut()) {
            let item = Yaml::Text(unquoted(item.trim()).to_owned());
            match &mut last.value {
                Yaml::List(items) => items.push(item),
                other => *other = Yaml::List(vec![item]),
            }
            continue;
        }
        let Some((key, value)) = rescued_line(line) else { continue };
        open_list = value.is_empty();
        entries.push(YamlEntry {
            key: key.to_owned(),
            value: rescued_value(value),
            line: u32::try_from(number).unwrap_or(0),
        });
    }
    entries
}

fn rescued_line(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix(['"', '\'']).unwrap_or(line);
    // a key may hold colons (`og:title`) but no spaces: it ends at the first colon before a space, a quote or the end
    // of the line
    let end = rest
        .char_indices()
        .find(|(at, c)| *c == ':' && rest.slice(at + 1..).chars().next().is_none_or(char::is_whitespace))
        .map(|(at, _)| at);
    let end = end.or_else(|| rest.find(':'))?;
    let key = rest.slice(..end).trim_end_matches(['"', '\'']);
    let is_key = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ':'));
    is_key.then(|| (key, rest.slice(end + 1..).trim()))
}

fn rescued_value(value: &str) -> Yaml {
    if value.is_empty() {
        return Yaml::Null;
    }
    match value.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')) {
        Some(inner) => Yaml::List(
            inner
                .split(',')
                .map(|item| unquoted(item.trim()))
                .filter(|item| !item.is_empty())
                .map(|item| Yaml::Text(item.to_owned()))
                .collect(),
        ),
        None => Yaml::Text(unquoted(value).to_owned()),
    }
}

fn unquoted(value: &str) -> &str {
    ['"', '\''].iter().find_map(|quote| value.strip_prefix(*quote)?.strip_suffix(*quote)).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check_split(text: &str, block: &str, block_line: u32, body: &str, body_line: u32) {
        let split = split_front_matter(text);
        assert_eq!(
            (split.block, split.block_line, &text[split.body_offset..], split.body_line),
            (block, block_line, body, body_line),
            "{text:?}"
        );
    }

    #[test]
    fn blocks_end_at_their_fence() {
        check_split("---\na: b\n---\nbody", "a: b\n", 2, "body", 4);
        check_split("---\r\na: b\r\n---  \r\nbody", "a: b\r\n", 2, "body", 4);
        check_split("\u{feff}\n---\na: b\n---", "a: b\n", 3, "", 5);
        check_split("---\n---\n", "", 2, "", 3);
        check_split("+++\na = 1\n+++\nx", "a = 1\n", 2, "x", 4);
        check_split("{\n \"a\": 1\n}\n\nx", "{\n \"a\": 1\n}", 1, "\nx", 4);
        check_split("{\n a\n}\nx", "", 1, "{\n a\n}\nx", 1);
        check_split("---\na: b --- c\n ---\n----\n---\nx", "a: b --- c\n ---\n----\n", 2, "x", 6);
    }

    #[test]
    fn without_both_fences_all_is_body() {
        check_split("---\na: b\n", "", 1, "---\na: b\n", 1);
        check_split("text\n---\n", "", 1, "text\n---\n", 1);
        check_split("----\na: b\n----\n", "", 1, "----\na: b\n----\n", 1);
        check_split("", "", 1, "", 1);
        check_split("\u{feff}x", "", 1, "x", 1);
    }

    fn read(block: &str) -> (Vec<(String, Yaml)>, Vec<Diagnostic>) {
        let text = format!("---\n{block}\n---\n");
        let mut problems = Vec::new();
        let entries = front_matter_entries(&split_front_matter(&text), "p.mdx", &mut problems);
        (entries.into_iter().map(|entry| (entry.key, entry.value)).collect(), problems)
    }

    #[track_caller]
    fn check(block: &str, expect: &[(&str, &str)]) {
        let (entries, problems) = read(block);
        assert!(problems.is_empty(), "{problems:?}");
        let entries: Vec<(&str, String)> = entries
            .iter()
            .map(|(key, value)| {
                (key.as_str(), if let Yaml::Text(text) = value { text.clone() } else { format!("{value:?}") })
            })
            .collect();
        assert_eq!(entries.iter().map(|(key, value)| (*key, value.as_str())).collect::<Vec<_>>(), expect, "{block}");
    }

    #[track_caller]
    fn check_rescue(block: &str, line: u32, expect: &[(&str, &str)]) {
        let (entries, problems) = read(block);
        assert_eq!(
            problems.iter().map(|problem| (problem.code, problem.line)).collect::<Vec<_>>(),
            [("front-matter-yaml", line)],
            "{problems:?}"
        );
        let entries: Vec<(&str, String)> = entries
            .iter()
            .map(|(key, value)| {
                (key.as_str(), if let Yaml::Text(text) = value { text.clone() } else { format!("{value:?}") })
            })
            .collect();
        assert_eq!(entries.iter().map(|(key, value)| (*key, value.as_str())).collect::<Vec<_>>(), expect, "{block}");
    }

    #[test]
    fn plain_lines() {
        check(
            "title: Hello World\ndescription: \"It's: here # now\"\nicon: 'x'\nhidden: true",
            &[("title", "Hello World"), ("description", "It's: here # now"), ("icon", "x"), ("hidden", "true")],
        );
        check("title: a # comment", &[("title", "a")]);
        check("title: 012\ndate: 2024-01-02", &[("title", "012"), ("date", "2024-01-02")]);
        check("title: \"a \\\"b\\\" \\u00e9\"", &[("title", "a \"b\" é")]);
        check("title: a\n  b", &[("title", "a b")]);
        check("\"og:title\": x\nopenapi: GET /a/{b}", &[("og:title", "x"), ("openapi", "GET /a/{b}")]);
        check("tags:\n  - a\n  - b", &[("tags", "List([Text(\"a\"), Text(\"b\")])")]);
        check("a: b\r\nc: >\r\n  d\r\n  e\r", &[("a", "b"), ("c", "d e\n")]);
    }

    #[test]
    fn what_is_not_yaml_is_saved_line_by_line() {
        check_rescue("title: A: b\ndescription: \"x\"", 2, &[("title", "A: b"), ("description", "x")]);
        check_rescue("title: a\ntitle: b", 3, &[("title", "b")]);
        check_rescue(
            "title: a\nbad: [\nog:title: c\ngroups:\n  - admin\n  - 'x'",
            5,
            &[("title", "a"), ("bad", "["), ("og:title", "c"), ("groups", "List([Text(\"admin\"), Text(\"x\")])")],
        );
        check_rescue(
            "description: Foo: bar\ntitle: 'What''s new'\nsidebarTitle: \"\\\"q\\\" \\u00e9\"\ntag: \"NEW\" # comment\nog:description: >-\n  folded\n  text\n\nrelated:\n- a",
            2,
            &[
                ("description", "Foo: bar"),
                ("title", "What's new"),
                ("sidebarTitle", "\"q\" é"),
                ("tag", "NEW"),
                ("og:description", "folded text"),
                ("related", "List([Text(\"a\")])"),
            ],
        );
        check_rescue(
            "title: a\ndescription: \"Two\nlines\"\nicon: x",
            4,
            &[("title", "a"), ("description", "Two lines"), ("icon", "x")],
        );
        check_rescue(
            "title: @x\ngroups: [a, \"b\"]",
            2,
            &[("title", "@x"), ("groups", "List([Text(\"a\"), Text(\"b\")])")],
        );
    }

    #[test]
    fn toml_blocks() {
        let mut problems = Vec::new();
        let text = "+++\ntitle = \"a\"\nn = 1\nd = 2024-01-02\n+++\n";
        let entries = front_matter_entries(&split_front_matter(text), "p.md", &mut problems);
        let values: Vec<&Yaml> = entries.iter().map(|entry| &entry.value).collect();
        assert_eq!(values.len(), 3);
        assert!(values.contains(&&Yaml::Text("2024-01-02".to_owned())), "{values:?}");
        let _ = super::front_matter_entries(&split_front_matter("+++\nx\n+++\n"), "p.md", &mut problems);
        assert_eq!((problems.len(), problems[0].code, problems[0].line), (1, "front-matter-toml", 2));
    }

    proptest! {
        /// The short way reads what the parser reads, or steps aside.
        #[test]
        fn both_ways_agree(lines in prop::collection::vec("[a-c]{1,2}:[ ]{0,2}[a\"' #:/\\-|>~&*1.,{}\\[\\]é!%@`?=]{0,6}", 1..4)) {
            let block = lines.join("\n");
            if let Some(simple) = simple_entries(&block) {
                let parsed = parse_yaml(&block, false);
                prop_assert_eq!(Ok(simple), parsed, "{}", block);
            }
        }

        #[test]
        fn no_text_panics(text in "(---\n)?[a-c: \"'#\\-\r\n\\[\\]é{}|>&*]{0,40}(\n---\n)?") {
            let parts = split_front_matter(&text);
            let _ = front_matter_entries(&parts, "p.md", &mut Vec::new());
            let _ = rescued_entries(&text);
            prop_assert!(text.is_char_boundary(parts.body_offset));
        }
    }
}
