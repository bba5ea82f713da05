//! Values of the plugin `macros`: variables of the configuration take the place of `{{ name }}`. What needs Python is
//! told once, and its words stay.

use base::cut::SliceText as _;
use base::{Place, Problem};
use site::constant::{constant_text, constant_value};
use site::yaml::Yaml;

use super::super::config::{yaml_at_path, yaml_text};
use super::PlacedLines;

/// Puts values in their places.
pub(super) fn fill_macros(values: &Yaml, lines: &mut PlacedLines, problems: &mut Vec<Problem>) {
    let mut is_raw = false;
    let mut is_reported = false;
    for (line, place) in
        lines.iter_mut().filter(|(line, _)| line.contains("{{") || line.contains("{%") || line.contains("{#"))
    {
        *line = filled(values, line, &mut is_raw, &mut |what| {
            if !std::mem::replace(&mut is_reported, true) {
                problems.push(macro_problem(what, *place));
            }
        });
    }
}

fn macro_problem(what: &str, place: Place) -> Problem {
    Problem::new(
        "template-expression",
        format!("`{what}` has no value without running Python; its words are shown"),
        place,
    )
    .hint("write the value on the page, or as a plain value below `extra` in `mkdocs.yml`")
}

fn filled(values: &Yaml, line: &str, is_raw: &mut bool, tell: &mut dyn FnMut(&str)) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(open) = rest.find('{') {
        out.push_str(rest.slice(..open));
        rest = rest.slice(open..);
        let pair = [("{{", "}}"), ("{%", "%}"), ("{#", "#}")].into_iter().find(|(open, _)| rest.starts_with(open));
        // `{#` begins a list of attributes too
        let pair =
            pair.filter(|(open, close)| rest.slice(2..).contains(close) && (*open != "{#" || rest.starts_with("{# ")));
        let Some((open, close)) = pair else {
            out.push('{');
            rest = rest.slice(1..);
            continue;
        };
        let (inside, after) = rest.slice(2..).split_once(close).unwrap_or_default();
        let words = inside.trim_matches('-').trim();
        match (open, words) {
            ("{%", "raw") => *is_raw = true,
            ("{%", "endraw") => *is_raw = false,
            _ if *is_raw => out.push_str(rest.slice(..rest.len() - after.len())),
            ("{#", _) => {}
            ("{{", words) => match macro_value(values, words) {
                Some(text) => out.push_str(&text),
                None => {
                    tell(&format!("{{{{ {words} }}}}"));
                    out.push_str(words);
                }
            },
            _ => tell(&format!("{{% {words} %}}")),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The value of a name: `version`, `extra.version`, `a.b`; or a text in quotes.
fn macro_value(values: &Yaml, name: &str) -> Option<String> {
    let quoted = ['"', '\''].iter().find_map(|quote| name.strip_prefix(*quote)?.strip_suffix(*quote));
    if let Some(text) = quoted.filter(|text| !text.contains(['"', '\''])) {
        return Some(text.to_owned());
    }
    let path: Vec<&str> = name.split('.').collect();
    let found = yaml_at_path(values, &path).or_else(|| yaml_at_path(values, path.strip_prefix(&["extra"])?));
    found.and_then(yaml_text).or_else(|| constant(values, name))
}

/// The value of an expression that means the same in Python as in JavaScript: sums, comparisons, joined texts.
fn constant(values: &Yaml, expression: &str) -> Option<String> {
    let is_shared = |c: char| c.is_alphanumeric() || " _.+-*%()<>'\"[]".contains(c);
    if !expression.chars().all(is_shared) {
        return None;
    }
    let serde_json::Value::Object(mut names) = values.to_json() else { return None };
    let all = serde_json::Value::Object(names.clone());
    names.entry("extra").or_insert(all);
    let value = constant_value(expression, &names)?;
    (value.is_string() || value.is_number()).then(|| constant_text(&value)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_of_the_configuration() {
        let values = Yaml::Map(vec![
            ("version".to_owned(), Yaml::Text("1.2".to_owned())),
            ("a".to_owned(), Yaml::Map(vec![("b".to_owned(), Yaml::Text("c".to_owned()))])),
        ]);
        let text = "v{{ version }} {{a.b}} {{ extra.version }} {{ f(x) }} {% if x %}y{% endif %} {# gone #}{% raw %}{{ a }}{% endraw %} {#id} {{ 1 + 1 }} {{ 'v' + extra.version }}";
        let mut lines = vec![(text.to_owned(), Place::default())];
        let mut problems = Vec::new();
        fill_macros(&values, &mut lines, &mut problems);
        assert_eq!(lines[0].0, "v1.2 c 1.2 f(x) y {{ a }} {#id} 2 v1.2");
        assert_eq!(problems.len(), 1);
        assert!(problems[0].message.contains("`{{ f(x) }}`"));
    }
}
