//! `mkdocs.yml` and the files that it inherits from, as far as they can be read without Python.
//!
//! Tags of YAML that name code (`!!python/name:a.b`) are replaced by the name; those that read the environment (`!ENV`)
//! have their fallback. Where the whole file is no YAML, its keys are read one by one, so that a mistake costs one key.

use base::Diagnostic;
use base::cut::{SliceText as _, cut};
use load::tool::{ToolInput, path_in_source_root};
use site::problems::LoadProblems;
use site::tree;
use site::yaml::{self, Yaml, YamlMembers, parse_yaml};

use super::zensical::{self, parse_zensical_toml};

/// Most configurations that inherit from each other.
const MAX_FILES: usize = 8;

/// What the configuration says.
#[derive(Clone, Debug)]
pub(super) struct MkDocsConfig {
    /// The folder of the configuration.
    pub(super) root: String,
    /// The folder of the pages.
    pub(super) pages: String,
    /// All of it, as a mapping.
    value: Yaml,
    /// The files that it was read from.
    pub(super) files: Vec<String>,
    extensions: Vec<(String, Yaml)>,
    plugins: Vec<(String, Yaml)>,
}

impl MkDocsConfig {
    /// Reads a configuration; `None` if its pages lie outside the source.
    pub(super) fn read(source: &ToolInput<'_>, problems: &mut LoadProblems) -> Option<Self> {
        let mut files = Vec::new();
        let mut members: YamlMembers = Vec::new();
        let mut next = Some(source.config.to_owned());
        while let Some(path) = next.take().filter(|path| files.len() < MAX_FILES && !files.contains(path)) {
            let Some(text) = source.text(&path) else { break };
            let (mut own, mistakes) = parse_file(&path, &text);
            for (line, message) in mistakes {
                let hint = "correct the file; the other settings are used";
                let message = format!("a setting is left out: {message}");
                problems.found.push(Diagnostic::warning("config-value", message).at(path.as_str(), line, 1).hint(hint));
            }
            let parent = own.iter().position(|(key, _)| key == "INHERIT").map(|at| own.remove(at).1);
            next = parent.and_then(|parent| path_in_source_root(tree::folder(&path), parent.as_text()?));
            merge_parent_config(&mut members, own);
            files.push(path);
        }
        let root = source.folder().to_owned();
        let docs = members.iter().find(|(key, _)| key == "docs_dir").and_then(|(_, value)| yaml_text(value));
        let pages = path_in_source_root(&root, docs.as_deref().unwrap_or("docs"))?;
        let named = |key: &str| members.iter().find(|(name, _)| name == key).map(|(_, value)| value);
        let extensions =
            extension_list(named("markdown_extensions"), |name| name.trim_start_matches("markdown.extensions."));
        let plugins = extension_list(named("plugins"), |name| name.rsplit('/').next().unwrap_or(name));
        Some(Self { root, pages, value: Yaml::Map(members), files, extensions, plugins })
    }

    /// The folder of the pages by a text of the configuration alone.
    pub(super) fn docs_dir(path: &str, text: &str) -> String {
        let (members, _) = parse_file(path, text);
        let value = members.iter().find(|(key, _)| key == "docs_dir").and_then(|(_, value)| yaml_text(value));
        value.unwrap_or_else(|| "docs".to_owned())
    }

    /// The value at a path of keys.
    pub(super) fn at(&self, path: &[&str]) -> Option<&Yaml> {
        yaml_at_path(&self.value, path)
    }

    /// The text at a path of keys.
    pub(super) fn text(&self, path: &[&str]) -> Option<String> {
        self.at(path).and_then(yaml_text)
    }

    /// The switch at a path of keys.
    pub(super) fn flag(&self, path: &[&str]) -> Option<bool> {
        self.at(path).and_then(flag_of)
    }

    /// Whether the theme has a feature: `navigation.tabs`.
    pub(super) fn has_feature(&self, name: &str) -> bool {
        list_of(self.at(&["theme", "features"])).any(|feature| feature.as_text() == Some(name))
    }

    /// The options of an extension of Python-Markdown, if it is used.
    pub(super) fn extension(&self, name: &str) -> Option<&Yaml> {
        self.extensions.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// The options of a plugin, if it is used.
    pub(super) fn plugin(&self, name: &str) -> Option<&Yaml> {
        let (_, value) = self.plugins.iter().find(|(known, _)| known == name)?;
        (yaml_at_path(value, &["enabled"]).and_then(flag_of) != Some(false)).then_some(value)
    }

    /// A path in the folder of the pages, `None` if a file lies elsewhere.
    pub(super) fn inside<'p>(&self, path: &'p str) -> Option<&'p str> {
        match self.pages.as_str() {
            "" => Some(path),
            folder => path.strip_prefix(folder)?.strip_prefix('/'),
        }
    }
}

/// The value at a path of keys.
pub(super) fn yaml_at_path<'y>(value: &'y Yaml, path: &[&str]) -> Option<&'y Yaml> {
    path.iter().try_fold(value, |value, key| value.member(key))
}

/// A text; the last one of a list, which is what `!ENV [A, B, fallback]` means without an environment.
pub(super) fn yaml_text(value: &Yaml) -> Option<String> {
    match value {
        Yaml::Text(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        Yaml::List(list) => list.last().and_then(yaml_text),
        _ => None,
    }
}

/// A switch.
pub(super) fn flag_of(value: &Yaml) -> Option<bool> {
    match yaml_text(value)?.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" => Some(true),
        "false" | "no" | "off" => Some(false),
        _ => None,
    }
}

/// The entries of a list; a single value is a list of itself.
pub(super) fn list_of(value: Option<&Yaml>) -> impl Iterator<Item = &Yaml> {
    match value {
        Some(Yaml::List(list)) => list.iter(),
        Some(one @ Yaml::Text(_)) => std::slice::from_ref(one).iter(),
        _ => [].iter(),
    }
}

/// Extensions or plugins: a list of names and of names with options, or a mapping of them.
fn extension_list(value: Option<&Yaml>, name_of: impl Fn(&str) -> &str) -> YamlMembers {
    let mut found = Vec::new();
    let mut push = |entry: &Yaml| match entry {
        Yaml::Text(name) => found.push((name_of(name).to_owned(), Yaml::Null)),
        Yaml::Map(members) => {
            found.extend(members.iter().map(|(name, value)| (name_of(name).to_owned(), value.clone())));
        }
        _ => {}
    };
    match value {
        Some(Yaml::List(list)) => list.iter().for_each(push),
        Some(value) => push(value),
        None => {}
    }
    found
}

/// Adds what a parent says to what is said already, which counts more.
fn merge_parent_config(into: &mut YamlMembers, parent: YamlMembers) {
    for (key, value) in parent {
        match (into.iter_mut().find(|(known, _)| *known == key), value) {
            (Some((_, Yaml::Map(own))), Yaml::Map(theirs)) => merge_parent_config(own, theirs),
            (Some(_), _) => {}
            (None, value) => into.push((key, value)),
        }
    }
}

/// A file as keys and values.
fn parse_file(path: &str, text: &str) -> (YamlMembers, Vec<(u32, String)>) {
    let (mut members, mistakes) =
        if path.ends_with(".toml") { parse_zensical_toml(text) } else { parse_mkdocs_yaml(text) };
    if zensical::is_config(path) {
        zensical::complete(&mut members);
    }
    (members, mistakes)
}

/// A text as keys and values, with the lines and messages of what could not be read.
fn parse_mkdocs_yaml(text: &str) -> (YamlMembers, Vec<(u32, String)>) {
    let text = strip_yaml_tags(text);
    match parse_yaml(&text, true) {
        Ok(entries) => (entries_to_members(entries), Vec::new()),
        Err(_) => by_key(&text),
    }
}

fn entries_to_members(entries: Vec<yaml::YamlEntry>) -> YamlMembers {
    entries.into_iter().map(|entry| (entry.key, entry.value)).collect()
}

/// Reads each key of the top level by itself.
fn by_key(text: &str) -> (YamlMembers, Vec<(u32, String)>) {
    let (mut found, mut mistakes) = (YamlMembers::new(), Vec::new());
    let lines: Vec<&str> = text.lines().collect();
    let is_start = |line: &str| {
        line.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '"' | '\'')) && line.contains(':')
    };
    let mut at = 0;
    while at < lines.len() {
        let end = (at + 1..lines.len()).find(|next| is_start(lines[*next])).unwrap_or(lines.len());
        match parse_yaml(&lines[at..end].join("\n"), true) {
            Ok(entries) => found.extend(entries_to_members(entries)),
            Err(error) => mistakes.push((u32::try_from(at).unwrap_or(0) + error.line + 1, error.message)),
        }
        at = end;
    }
    (found, mistakes)
}

/// A text of YAML without its own tags.
fn strip_yaml_tags(text: &str) -> String {
    if !text.contains('!') {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    // the indentation of a key whose lines are text as they stand
    let mut literal: Option<usize> = None;
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start_matches(' ').len();
        if literal.is_some_and(|outer| line.trim().is_empty() || indent > outer) {
            out.push_str(line);
            continue;
        }
        let value = line.trim_end().rsplit(": ").next().unwrap_or_default().trim();
        literal = (value.starts_with(['|', '>']) && value.len() <= 3).then_some(indent);
        push_without_tags(&mut out, line);
    }
    out
}

fn push_without_tags(out: &mut String, line: &str) {
    let mut quote: Option<char> = None;
    let mut before = ':';
    let mut flow = 0_usize;
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') if matches!(before, ':' | '-' | '[' | ',' | '{') => quote = Some(c),
            (None, '[' | '{') => flow += 1,
            (None, ']' | '}') => flow = flow.saturating_sub(1),
            (None, '#') if out.ends_with([' ', '\n']) || out.is_empty() => {
                out.push_str(rest);
                return;
            }
            (None, '!') if matches!(before, ':' | '-' | '[' | '{') || before == ',' && flow > 0 => {
                let end = rest.find(|c: char| c.is_whitespace() || flow > 0 && matches!(c, ',' | ']' | '}'));
                let (tag, after) = cut(rest, end.unwrap_or(rest.len()));
                rest = push_tag(out, tag, after);
                before = 'x';
                continue;
            }
            _ => {}
        }
        if !c.is_whitespace() {
            before = c;
        }
        out.push(c);
        rest = rest.slice(c.len_utf8()..);
    }
}

/// Writes what stands for a tag; gives what is left of the line behind it.
fn push_tag<'l>(out: &mut String, tag: &str, after: &'l str) -> &'l str {
    let trimmed = after.trim();
    let is_alone = trimmed.is_empty() || trimmed.starts_with(['#', ',', ']', '}']) || matches!(trimmed, "''" | "\"\"");
    if let Some(name) = tag.strip_prefix("!!python/name:").filter(|_| is_alone) {
        out.push_str(&format!("\"{name}\""));
        let quotes = after.trim_start().strip_prefix("''").or_else(|| after.trim_start().strip_prefix("\"\""));
        return quotes.unwrap_or(after);
    }
    if tag == "!ENV" && !trimmed.starts_with('[') {
        // a variable without a fallback
        out.push('~');
        return if after.ends_with('\n') { "\n" } else { "" };
    }
    after.strip_prefix(' ').filter(|rest| !rest.trim().is_empty()).unwrap_or(after)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> (Yaml, Vec<(u32, String)>) {
        let (members, mistakes) = parse_mkdocs_yaml(text);
        (Yaml::Map(members), mistakes)
    }

    #[test]
    fn tags_of_python_are_names() {
        let text = "a:\n  - x:\n      f: !!python/name:m.to_svg\n      g: !!python/name:m.n ''\n  - y:\n      slugify: !!python/object/apply:p.slugify\n        kwds:\n          case: lower\n      other: !!python/object/apply:p.q {kwds: {case: upper}}\nk: !ENV KEY\nl: !ENV [A, \"b c\"]\nm: Hello !world\nn: \"! x\" # !y\no: |\n  key: !ENV x\np: [!ENV [A, 1], !!python/name:a.b]\n";
        let (value, mistakes) = read(text);
        assert_eq!(mistakes, []);
        let text = |path: &[&str]| yaml_at_path(&value, path).and_then(yaml_text);
        let first = |at: usize| match value.member("a") {
            Some(Yaml::List(list)) => list[at].clone(),
            _ => Yaml::Null,
        };
        assert_eq!(yaml_at_path(&first(0), &["x", "f"]).and_then(yaml_text).as_deref(), Some("m.to_svg"));
        assert_eq!(yaml_at_path(&first(0), &["x", "g"]).and_then(yaml_text).as_deref(), Some("m.n"));
        assert_eq!(
            yaml_at_path(&first(1), &["y", "slugify", "kwds", "case"]).and_then(yaml_text).as_deref(),
            Some("lower")
        );
        assert_eq!(
            yaml_at_path(&first(1), &["y", "other", "kwds", "case"]).and_then(yaml_text).as_deref(),
            Some("upper")
        );
        assert_eq!((text(&["k"]), text(&["l"]).as_deref()), (None, Some("b c")));
        assert_eq!(text(&["m"]).as_deref(), Some("Hello !world"));
        assert_eq!(text(&["n"]).as_deref(), Some("! x"));
        assert_eq!(text(&["o"]).as_deref(), Some("key: !ENV x"));
        assert_eq!(text(&["p"]).as_deref(), Some("a.b"));
    }

    #[test]
    fn a_mistake_costs_one_key() {
        let (value, mistakes) = read("site_name: S\nbad: [\nnav:\n  - a.md\n");
        assert_eq!(yaml_at_path(&value, &["site_name"]).and_then(yaml_text).as_deref(), Some("S"));
        assert!(matches!(value.member("nav"), Some(Yaml::List(_))));
        assert_eq!(mistakes.len(), 1);
        assert_eq!(MkDocsConfig::docs_dir("mkdocs.yml", "docs_dir: ./manual\n"), "./manual");
        assert_eq!(MkDocsConfig::docs_dir("mkdocs.yml", "site_name: x\n"), "docs");
    }

    #[test]
    fn children_count_more_than_their_parents() {
        let (mut own, _) = parse_mkdocs_yaml("theme:\n  name: m\nnav: [a.md]\n");
        merge_parent_config(
            &mut own,
            parse_mkdocs_yaml("theme:\n  name: n\n  logo: l\nnav: [b.md, c.md]\nextra: {}\n").0,
        );
        let own = Yaml::Map(own);
        assert_eq!(yaml_at_path(&own, &["theme", "name"]).and_then(yaml_text).as_deref(), Some("m"));
        assert_eq!(yaml_at_path(&own, &["theme", "logo"]).and_then(yaml_text).as_deref(), Some("l"));
        assert_eq!(list_of(own.member("nav")).count(), 1);
        assert!(own.member("extra").is_some());
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "(a:|- |!ENV |!!python/name:x|\\[|\\]|'|\"|\n|  |#|,|é|\\|){0,24}") {
            let _ = parse_mkdocs_yaml(&text);
        }
    }
}
