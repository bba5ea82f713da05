//! Front matter of pages.

use load::tool::{PageFacts, PageFront, PageSource};
use site::config::Icon;
use site::page::{Dialect, PageMode};
use site::yaml::{Yaml, YamlEntry, parse_yaml};

use super::MkDocsSettings;
use super::blog;
use super::config::{flag_of, list_of, yaml_at_path, yaml_text};

/// Spaces of what is no line of metadata.
const INDENT: usize = 4;
/// Keys that mean what they mean in a plain folder.
pub(super) const KNOWN: [&str; 3] = ["title", "description", "robots"];

/// Reads the front matter that stands between no fences of three hyphens: lines as those of MultiMarkdown (`title: Words`,
/// and what is indented below), or a block of YAML that three dots end.
pub(super) fn read_meta_lines(text: &str, front: &mut PageFront) {
    // a block between fences leaves nothing for lines
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    if front.body_offset != start {
        return;
    }
    let body = text.get(start..).unwrap_or_default();
    let (entries, length, lines) = match yaml_until_dots(body) {
        Some(found) => found,
        None => meta_lines(body),
    };
    if !entries.is_empty() {
        front.entries.extend(entries);
        front.body_offset = start + length;
        front.body_line += lines;
    }
}

/// The entries of a block between three hyphens and three dots, its bytes and its lines.
fn yaml_until_dots(body: &str) -> Option<(Vec<YamlEntry>, usize, u32)> {
    let rest = body.strip_prefix("---")?;
    let (first, rest) = rest.split_once('\n').filter(|(first, _)| first.trim().is_empty())?;
    let (mut block, mut lines) = (0, 1);
    for line in rest.split_inclusive('\n') {
        lines += 1;
        if line.trim_end() == "..." {
            let entries = parse_yaml(&rest.get(..block)?.replace("\r\n", "\n"), true).ok()?;
            return Some((entries, "---\n".len() + first.len() + block + line.len(), lines));
        }
        block += line.len();
    }
    None
}

/// The entries of lines at the start of a text, their bytes with those of the blank line behind them, and how many they
/// are.
fn meta_lines(body: &str) -> (Vec<YamlEntry>, usize, u32) {
    let mut entries: Vec<YamlEntry> = Vec::new();
    let (mut length, mut lines) = (0, 0);
    for line in body.split_inclusive('\n') {
        let words = line.trim_end();
        let more = entries.last_mut().filter(|_| words.starts_with("    ") || words.starts_with('\t'));
        if let Some((key, value)) = meta_line(words) {
            match entries.iter_mut().find(|entry| entry.key == key) {
                Some(entry) => add_words(&mut entry.value, value),
                None => entries.push(YamlEntry { key, value: Yaml::Text(value.to_owned()), line: lines }),
            }
        } else if let Some(entry) = more {
            add_words(&mut entry.value, words.trim());
        } else {
            let is_end = words.is_empty() && !entries.is_empty();
            return (entries, length + if is_end { line.len() } else { 0 }, lines + u32::from(is_end));
        }
        length += line.len();
        lines += 1;
    }
    (entries, length, lines)
}

/// Key and value of a line, the key in lower case.
fn meta_line(line: &str) -> Option<(String, &str)> {
    let text = line.trim_start_matches(' ');
    let (key, value) = text.split_once(':').filter(|_| line.len() - text.len() < INDENT)?;
    let is_key = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    is_key.then(|| (key.to_ascii_lowercase(), value.trim()))
}

fn add_words(value: &mut Yaml, words: &str) {
    if let Yaml::Text(text) = value {
        text.push(' ');
        text.push_str(words);
    }
}

/// Reads what a page says of itself.
pub(super) fn read_mkdocs_front(settings: &MkDocsSettings, source: &PageSource<'_>, facts: &mut PageFacts) {
    let found = settings.options.inside(source.path).and_then(|path| settings.places.find(path));
    let Some(found) = found else {
        facts.address = Some(source.path.trim_end_matches(".md").to_owned());
        facts.is_part = true;
        return;
    };
    facts.dialect = Some(Dialect::Markdown);
    let address = settings.address(&found, source);
    if let Some(post) = settings.places.blogs.iter().find_map(|blog| blog.post(&found.stem, source)) {
        facts.meta.extra.push((blog::DATE, post.date));
    }
    let is_post = settings.places.blogs.iter().any(|blog| blog.has(&found.stem));
    facts.is_draft = is_post && blog::is_draft(source);
    if address != found.address {
        facts.aliases.push(found.address);
    }
    facts.address = Some(address);
    let hides = |name: &str| list_of(source.value("hide")).any(|entry| entry.as_text() == Some(name));
    facts.meta.mode = match (hides("navigation"), hides("toc")) {
        (true, true) => PageMode::Center,
        (false, true) => PageMode::Wide,
        _ => PageMode::Default,
    };
    facts.meta.hide_pagination = hides("footer");
    facts.meta.icon = source.text("icon").map(|name| Icon { name: name.to_owned(), ..Icon::default() });
    if let Some(status) = source.text("status") {
        facts.meta.tag = Some(settings.status(status));
    }
    if source.value("search").and_then(|search| yaml_at_path(search, &["exclude"])).and_then(flag_of) == Some(true) {
        facts.meta.searchable = Some(false);
    }
    facts.meta.boost = source
        .value("search")
        .and_then(|search| yaml_at_path(search, &["boost"]))
        .and_then(yaml_text)
        .and_then(|boost| boost.parse().ok());
    facts.meta.keywords = list_of(source.value("tags")).filter_map(yaml_text).collect();
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The entries of a text, and its body.
    #[track_caller]
    fn check(text: &str, entries: &[(&str, &str)], body: &str, line: u32) {
        let mut front = PageFront { entries: Vec::new(), body_offset: 0, body_line: 1 };
        read_meta_lines(text, &mut front);
        let found: Vec<(&str, &str)> =
            front.entries.iter().map(|entry| (entry.key.as_str(), entry.value.as_text().unwrap_or("-"))).collect();
        assert_eq!((found.as_slice(), &text[front.body_offset..], front.body_line), (entries, body, line), "{text:?}");
    }

    #[test]
    fn lines_at_the_start_are_metadata() {
        let title = ("title", "Kiln: hot");
        check("Title: Kiln: hot\n\n# H\n", &[title], "# H\n", 3);
        check("title:   Kiln: hot\r\nauthor: A\r\n\r\nx\r\n", &[title, ("author", "A")], "x\r\n", 4);
        check("a_b: 1\n    2\n\t3\n# H", &[("a_b", "1 2 3")], "# H", 4);
        check("a: 1\na: 2", &[("a", "1 2")], "", 3);
        check("   a:\nwords\n", &[("a", "")], "words\n", 2);
        check("---\ntitle: \"Kiln: hot\"\n...\n# H\n", &[title], "# H\n", 4);
        for text in ["\ntitle: x\n", "# H\ntitle: x\n", "a b: c\n", "    a: b\n", "é: x\n", "", "---\na\n"] {
            check(text, &[], text, 1);
        }
    }
}
