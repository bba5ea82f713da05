//! Front matter that sections and the configuration hand down: `cascade`, with or without a target.

use globset::{GlobBuilder, GlobMatcher};
use serde_json::Value;

use load::tool::ToolInput;
use site::front_matter::{front_matter_entries, split_front_matter};
use site::tree;
use site::yaml::{Yaml, YamlEntry};

use super::HugoSettings;
use super::front::{FoundFile, front_value};

/// Most rules of a project.
const MAX_RULES: usize = 2000;

/// What is handed down, the deepest section first and the configuration last.
#[derive(Debug, Default)]
pub(super) struct Cascades(Vec<CascadeRule>);

/// Values for the pages of a section.
#[derive(Debug)]
struct CascadeRule {
    /// The address of the section, empty for that of the language; `None`: all pages of all languages.
    section: Option<String>,
    /// What the language of the section puts before addresses.
    prefix: String,
    /// Of which pages one has to be; all if there are none.
    targets: Vec<CascadeTarget>,
    values: Vec<(String, Yaml)>,
}

/// Which pages are meant: all that match each pattern that is given.
#[derive(Debug, Default)]
struct CascadeTarget {
    path: Option<GlobMatcher>,
    kind: Option<GlobMatcher>,
    lang: Option<GlobMatcher>,
    /// It is for another environment than the one that sites are published in.
    is_elsewhere: bool,
}

impl Cascades {
    /// Reads what the configuration and the pages of sections hand down.
    pub(super) fn read(settings: &HugoSettings, source: &ToolInput<'_>) -> Self {
        let is_section = |path: &str| path.rsplit('/').next().is_some_and(|name| name.starts_with("_index."));
        let mut rules = Vec::new();
        for file in source.tree.files.iter().filter(|file| is_section(&file.path)) {
            let Some(found) = settings.address(&file.path).filter(|_| rules.len() < MAX_RULES) else { continue };
            let Some(text) = source.text(&file.path).filter(|text| text.to_lowercase().contains("cascade")) else {
                continue;
            };
            let entries = front_matter_entries(&split_front_matter(&text), "", &mut Vec::new());
            let Some(cascade) = front_value(&entries, "cascade") else { continue };
            let section = tree::folder(&found.address).to_owned();
            rules.extend(rules_of(cascade, Some(section), &found.prefix));
        }
        // those of one section stay in order
        let depth = |rule: &CascadeRule| rule.section.as_ref().map_or(0, |section| section.split('/').count());
        rules.sort_by_key(|rule| std::cmp::Reverse(depth(rule)));
        rules.extend(settings.value.get("cascade").into_iter().flat_map(|value| rules_of(&yaml_of(value), None, "")));
        Self(rules)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The values for a page that its own front matter does not have: of one key, those that stand nearer count.
    pub(super) fn of_page(&self, settings: &HugoSettings, path: &str, own: &[YamlEntry]) -> Vec<YamlEntry> {
        let Some(found) = settings.address(path).filter(|_| !self.is_empty()) else { return Vec::new() };
        let name = |key: &str| if key.eq_ignore_ascii_case("_build") { "build".to_owned() } else { key.to_lowercase() };
        let own_params = front_value(own, "params");
        let has = |params: Option<&Yaml>, key: &str| matches!(params, Some(Yaml::Map(all)) if all.iter().any(|(name, _)| name.eq_ignore_ascii_case(key)));
        let mut entries: Vec<YamlEntry> = Vec::new();
        for (key, value) in self.0.iter().filter(|rule| rule.is_for(settings, &found)).flat_map(|rule| &rule.values) {
            let key = name(key);
            // parameters are handed down one by one
            let Some(Yaml::Map(members)) = Some(value).filter(|_| key == "params") else {
                let is_known = own.iter().chain(&entries).any(|entry| name(&entry.key) == key)
                    || has(front_value(&entries, "params"), &key);
                if !is_known {
                    entries.push(YamlEntry { key, value: value.clone(), line: 0 });
                }
                continue;
            };
            for (key, value) in members {
                let is_known = has(own_params, key)
                    || own.iter().chain(&entries).any(|entry| entry.key.eq_ignore_ascii_case(key))
                    || has(front_value(&entries, "params"), key);
                if is_known {
                    continue;
                }
                match entries.iter_mut().find(|entry| entry.key == "params") {
                    Some(YamlEntry { value: Yaml::Map(all), .. }) => all.push((key.clone(), value.clone())),
                    _ => entries.push(YamlEntry {
                        key: "params".to_owned(),
                        value: Yaml::Map(vec![(key.clone(), value.clone())]),
                        line: 0,
                    }),
                }
            }
        }
        entries
    }
}

impl CascadeRule {
    fn is_for(&self, settings: &HugoSettings, page: &FoundFile) -> bool {
        let own = page.address.strip_suffix("/index").unwrap_or(&page.address);
        let own = if own == "index" { "" } else { own };
        let is_below = self.section.as_ref().is_none_or(|section| {
            let rest = own.strip_prefix(section.as_str());
            page.prefix == self.prefix
                && (section.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
        });
        is_below && (self.targets.is_empty() || self.targets.iter().any(|target| target.is_for(settings, page, own)))
    }
}

impl CascadeTarget {
    fn read(value: &Yaml) -> Self {
        let Yaml::Map(members) = value else { return Self::default() };
        let text = |key: &str| {
            let found = members.iter().find(|(name, _)| name.eq_ignore_ascii_case(key));
            found.and_then(|(_, value)| value.as_text()).map(str::trim)
        };
        let pattern = |key: &str| text(key).and_then(pattern_of);
        let is_elsewhere = pattern("environment").is_some_and(|pattern| !pattern.is_match("production"));
        Self { path: pattern("path"), kind: pattern("kind"), lang: pattern("lang"), is_elsewhere }
    }

    /// `own`: the address of the page without the `index` of a folder.
    fn is_for(&self, settings: &HugoSettings, page: &FoundFile, own: &str) -> bool {
        let path = own.strip_prefix(page.prefix.as_str()).unwrap_or(own).trim_start_matches('/');
        let kind = match (page.is_section, path) {
            (true, "") => "home",
            (true, _) => "section",
            _ => "page",
        };
        let lang = settings.languages.iter().find(|language| language.code == page.prefix);
        let lang = lang.map_or(settings.default_language.as_str(), |language| language.code.as_str());
        let is = |pattern: &Option<GlobMatcher>, text: &str| pattern.as_ref().is_none_or(|it| it.is_match(text));
        !self.is_elsewhere
            && is(&self.path, &format!("/{}", path.to_lowercase()))
            && is(&self.kind, kind)
            && is(&self.lang, lang)
    }
}

/// A pattern of paths, kinds or languages, in lower case. One that cannot be read is for nothing.
pub(super) fn pattern_of(text: &str) -> Option<GlobMatcher> {
    let build = |text: &str| GlobBuilder::new(text).literal_separator(true).build();
    let found = build(&text.to_lowercase()).or_else(|_| build("\u{0}"));
    found.ok().map(|glob| glob.compile_matcher())
}

/// The rules of one `cascade`: a mapping, or a list of them.
fn rules_of(cascade: &Yaml, section: Option<String>, prefix: &str) -> Vec<CascadeRule> {
    let all = match cascade {
        Yaml::List(all) => all.as_slice(),
        one => std::slice::from_ref(one),
    };
    let rules = all.iter().filter_map(|one| {
        let Yaml::Map(members) = one else { return None };
        let is_target = |key: &str| key.eq_ignore_ascii_case("_target") || key.eq_ignore_ascii_case("target");
        let targets = members.iter().filter(|(key, _)| is_target(key)).flat_map(|(_, value)| match value {
            Yaml::List(all) => all.iter().map(CascadeTarget::read).collect(),
            one => vec![CascadeTarget::read(one)],
        });
        let values = members.iter().filter(|(key, _)| !is_target(key)).cloned();
        Some(CascadeRule {
            section: section.clone(),
            prefix: prefix.to_owned(),
            targets: targets.collect(),
            values: values.collect(),
        })
    });
    rules.collect()
}

/// A value of the configuration as one of front matter. Recursion is bounded by the parsers.
fn yaml_of(value: &Value) -> Yaml {
    match value {
        Value::Null => Yaml::Null,
        Value::Array(all) => Yaml::List(all.iter().map(yaml_of).collect()),
        Value::Object(all) => Yaml::Map(all.iter().map(|(key, value)| (key.clone(), yaml_of(value))).collect()),
        scalar => Yaml::Text(super::config::scalar_text(scalar).unwrap_or_default()),
    }
}
