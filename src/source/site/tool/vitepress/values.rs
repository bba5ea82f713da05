//! The values of `{{ … }}` that are known without running anything: front matter, data of the page and the site,
//! constants and JSON files of the page's own script.

use serde_json::{Map, Value, json};

use crate::source::site::front_matter;
use crate::source::site::tool::PageText;
use crate::source::site::tool::script::{at, text};
use crate::source::site::tree;

use super::config::Options;

/// Names and their values.
#[derive(Debug, Default)]
pub(super) struct Values(Map<String, Value>);

impl Values {
    /// The values of a page. `scripts`: the texts of its `<script>` tags.
    pub(super) fn of_page(options: &Options, page: &PageText<'_>, scripts: &[String]) -> Self {
        let split = front_matter::split(page.whole);
        let entries = front_matter::entries(&split, "", &mut Vec::new());
        let own: Map<String, Value> = entries.iter().map(|entry| (entry.key.clone(), entry.value.to_json())).collect();
        let entry = page.site.find_page(page.slug).map(|id| page.site.page(id));
        let title = entry.map(|entry| entry.meta.title.clone()).unwrap_or_default();
        let locale = options.locale_of(page.slug);
        let site = json!({
            "title": text(&options.value, &["title"]).unwrap_or_default(),
            "description": text(&options.value, &["description"]).unwrap_or_default(),
            "base": format!("/{}", options.base),
            "lang": locale.code,
            "themeConfig": locale.theme,
        });
        let mut path = page.site.tree.path(page.file).to_owned();
        if let Some(inside) = options.inside(&path) {
            path = inside.to_owned();
        }
        let data = json!({ "title": title, "frontmatter": own, "relativePath": path, "filePath": path });
        let mut values = Self::default();
        let mut set = |name: &str, value: Value| drop(values.0.insert(name.to_owned(), value));
        set("$frontmatter", Value::Object(own));
        set("$title", Value::String(title));
        set("$lang", Value::String(locale.code.clone()));
        set("$localePath", Value::String(format!("/{}", locale.prefix)));
        set("$themeConfig", locale.theme.clone());
        set("$site", site);
        set("$page", data);
        for script in scripts {
            values.read_script(page, script);
        }
        values
    }

    /// Adds what a script declares in lines of its own: `const name = 'text'`, `import name from './x.json'`, and what
    /// `useData()` gives.
    fn read_script(&mut self, page: &PageText<'_>, script: &str) {
        for line in script.lines() {
            let line = line.trim().trim_end_matches(';');
            if let Some(rest) = line.strip_prefix("import ") {
                let Some((clause, from)) = rest.split_once(" from ") else { continue };
                let from = from.split(" with ").next().unwrap_or(from).trim().trim_matches(['"', '\'']);
                if from.ends_with(".json") {
                    self.import(page, clause.trim(), from);
                }
                continue;
            }
            let line = line.strip_prefix("export ").unwrap_or(line);
            let Some((name, value)) = ["const ", "let ", "var "]
                .iter()
                .find_map(|word| line.strip_prefix(word))
                .and_then(|rest| rest.split_once('='))
            else {
                continue;
            };
            let (name, value) = (name.trim(), value.trim());
            if value == "useData()" {
                for name in name.trim_matches(['{', '}', ' ']).split(',').map(str::trim) {
                    let of = match name {
                        "frontmatter" => "$frontmatter",
                        "page" => "$page",
                        "site" => "$site",
                        "theme" => "$themeConfig",
                        "title" => "$title",
                        "lang" => "$lang",
                        _ => continue,
                    };
                    let value = self.0.get(of).cloned().unwrap_or_default();
                    self.0.insert(name.to_owned(), value);
                }
                continue;
            }
            let value = value.strip_prefix("ref(").and_then(|rest| rest.strip_suffix(')')).unwrap_or(value);
            if let Some(value) = literal(value) {
                self.0.insert(name.split(':').next().unwrap_or(name).trim().to_owned(), value);
            }
        }
    }

    fn import(&mut self, page: &PageText<'_>, clause: &str, from: &str) {
        let folder = tree::folder(page.site.tree.path(page.file));
        let path = if from.starts_with('.') { tree::join(folder, from) } else { None };
        let found = path.and_then(|path| page.site.tree.find_any(&path)).and_then(|file| page.site.tree.text(file));
        let Some(value) = found.and_then(|text| serde_json::from_str::<Value>(&text).ok()) else { return };
        match clause.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
            Some(names) => {
                for name in names.split(',') {
                    let (name, local) = name.split_once(" as ").unwrap_or((name, name));
                    self.0.insert(local.trim().to_owned(), at(&value, &[name.trim()]).clone());
                }
            }
            None => drop(self.0.insert(clause.to_owned(), value)),
        }
    }

    /// The text of an expression, if it is known: a name, its members, a literal, or a choice of the first that is there.
    pub(super) fn text_of(&self, expression: &str) -> Option<String> {
        let found =
            expression.split("??").flat_map(|part| part.split("||")).find_map(|part| self.value_of(part.trim()))?;
        match found {
            Value::String(text) => Some(text),
            Value::Number(number) => Some(number.to_string()),
            Value::Bool(flag) => Some(flag.to_string()),
            Value::Null => Some(String::new()),
            // as Vue writes them
            value => serde_json::to_string_pretty(&value).ok(),
        }
    }

    fn value_of(&self, expression: &str) -> Option<Value> {
        if let Some(value) = literal(expression) {
            return Some(value);
        }
        let mut parts = expression.split('.').map(|part| part.trim_end_matches('?').trim());
        let mut value = self.0.get(parts.next()?)?;
        for part in parts {
            let (name, index) = match part.strip_suffix(']').and_then(|part| part.split_once('[')) {
                Some((name, index)) => (name, Some(index)),
                None => (part, None),
            };
            let is_name =
                |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$');
            // refs of `useData` stand for what is in them
            if name != "value" || value.get("value").is_some() {
                value = value.get(name).filter(|_| is_name(name))?;
            }
            if let Some(index) = index {
                value = match index.parse::<usize>() {
                    Ok(index) => value.get(index)?,
                    Err(_) => value.get(index.trim_matches(['"', '\'']))?,
                };
            }
        }
        Some(value.clone())
    }
}

/// A text in quotes or a number.
fn literal(text: &str) -> Option<Value> {
    for quote in ['"', '\'', '`'] {
        if let Some(inside) = text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)) {
            let is_plain = !inside.contains([quote, '\\']) && !inside.contains("${");
            return is_plain.then(|| Value::String(inside.to_owned()));
        }
    }
    text.parse::<serde_json::Number>().ok().map(Value::Number)
}
