//! The list of tags with their pages: where `<!-- material/tags -->` or `[TAGS]` stands, or at the end of the page that
//! `tags_file` names.

use std::collections::BTreeMap;

use base::Place;
use load::tool::RenderedText;
use site::page::PageEntry;
use site::yaml::{Yaml, parse_yaml};

use super::MkDocsSettings;
use super::config::{list_of, yaml_at_path, yaml_text};

/// Stands in a text for the list, while the text is written.
const PLACE: char = '\u{e010}';
/// Most entries of a list.
const MAX_TAG_ENTRIES: usize = 5_000;

/// Which tags a list has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct TagChoice {
    include: Vec<String>,
    exclude: Vec<String>,
}

impl TagChoice {
    fn has(&self, tag: &str) -> bool {
        let names = |list: &[String]| list.iter().any(|name| name == tag);
        (self.include.is_empty() || names(&self.include)) && !names(&self.exclude)
    }

    /// What stands behind the name in a mark: `{ include: [a, b] }`.
    fn read(options: &str) -> Self {
        let parsed = parse_yaml(&format!("options: {options}"), true).unwrap_or_default();
        let value = parsed.first().map_or(Yaml::Null, |entry| entry.value.clone());
        let list = |key: &str| list_of(yaml_at_path(&value, &[key])).filter_map(yaml_text).collect();
        Self { include: list("include"), exclude: list("exclude") }
    }
}

/// What a line says of a list, if it is the mark of one.
fn choice(line: &str) -> Option<TagChoice> {
    let line = line.trim();
    if line == "[TAGS]" {
        return Some(TagChoice::default());
    }
    let inside = line.strip_prefix("<!--")?.strip_suffix("-->")?.trim().strip_prefix("material/tags")?.trim();
    match inside {
        "" => Some(TagChoice::default()),
        options if options.starts_with('{') && options.ends_with('}') => Some(TagChoice::read(options)),
        _ => None,
    }
}

/// Puts signs into the places of lists before a text is written; gives the lists.
pub(super) fn mark_tag_lists(
    settings: &MkDocsSettings,
    text: &RenderedText<'_>,
    lines: &mut Vec<(String, Place)>,
) -> Vec<Vec<String>> {
    let Some(plugin) = settings.options.plugin("tags") else { return Vec::new() };
    let mut lists = Vec::new();
    for (line, _) in lines.iter_mut() {
        if let Some(choice) = choice(line) {
            *line = format!("{PLACE}{}", lists.len());
            lists.push(write_tag_list(text.site.pages.iter(), &choice));
        }
    }
    let own = settings.options.inside(text.site.tree.path(text.file));
    if lists.is_empty() && own.is_some() && yaml_at_path(plugin, &["tags_file"]).and_then(yaml_text).as_deref() == own {
        let last = lines.last().map_or(text.start, |(_, place)| *place);
        lines.extend([String::new(), format!("{PLACE}0")].map(|line| (line, last)));
        lists.push(write_tag_list(text.site.pages.iter(), &TagChoice::default()));
    }
    lists
}

/// Puts the lists into their places.
pub(super) fn fill_tag_lists(lists: &[Vec<String>], lines: &mut Vec<(String, Place)>) {
    for (number, list) in lists.iter().enumerate() {
        let sign = format!("{PLACE}{number}");
        if let Some(at) = lines.iter().position(|(line, _)| *line == sign) {
            let place = lines[at].1;
            lines.splice(at..=at, list.iter().map(|line| (line.clone(), place)));
        }
    }
}

/// Tags as headings, with links to their pages.
fn write_tag_list<'p>(pages: impl Iterator<Item = &'p PageEntry>, choice: &TagChoice) -> Vec<String> {
    let mut tags: BTreeMap<&str, Vec<(String, &str)>> = BTreeMap::new();
    for page in pages.filter(|page| !page.hidden) {
        for tag in page.meta.keywords.iter().filter(|tag| choice.has(tag)) {
            let title = page.shown_title().replace(['[', ']', '`', '*', '_', '<'], "");
            tags.entry(tag).or_default().push((title, page.slug.trim_end_matches("/index")));
        }
    }
    let mut lines = Vec::new();
    for (tag, mut pages) in tags {
        pages.sort();
        let id = tag.to_lowercase().split_whitespace().collect::<Vec<_>>().join("-").replace(['"', '<', '&'], "");
        let words = tag.replace(['[', ']', '`', '*', '_', '<', '{'], "");
        lines.extend([String::new(), format!("## <a id=\"tag:{id}\"></a>{words}"), String::new()]);
        lines.extend(pages.iter().map(|(title, slug)| format!("-   [{title}](/{slug})")));
        if lines.len() > MAX_TAG_ENTRIES {
            break;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_say_which_tags() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert_eq!(choice("<!-- material/tags -->"), Some(TagChoice::default()));
        assert_eq!(choice(" [TAGS] "), Some(TagChoice::default()));
        assert_eq!(
            choice("<!-- material/tags { include: [A, B c], exclude: [D] } -->"),
            Some(TagChoice { include: names(&["A", "B c"]), exclude: names(&["D"]) })
        );
        for line in ["<!-- tags -->", "<!-- material/tags x -->", "TAGS", "<!-- material/tags"] {
            assert_eq!(choice(line), None, "{line}");
        }
        let choice = TagChoice { include: names(&["A"]), exclude: Vec::new() };
        assert!(choice.has("A") && !choice.has("B") && TagChoice::default().has("B"));
    }
}
