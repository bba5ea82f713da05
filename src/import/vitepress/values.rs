//! The values of `{{ … }}` that are known without running anything: front matter, data of the page and the site,
//! constants and JSON files of the page's own script.

use serde_json::{Map, Value, json};

use base::cut::SliceText as _;
use base::import_statement::{ImportStatement, import_length, read_import};
use load::tool::script::text_at;
use load::tool::{PageSource, RenderedText};
use site::constant::{constant_text, constant_value, with_constants};
use site::front_matter::front_matter_values;
use site::tree;

use super::budget::RepeatBudget;
use super::config::VitePressConfig;
use super::literal::parse_literal;

/// The endings of scripts that others import, in the order in which they are looked for.
pub(super) const MODULE_ENDINGS: [&str; 4] = ["ts", "js", "mts", "mjs"];

/// Scripts that import each other.
const MAX_IMPORT_DEPTH: usize = 4;
/// Lines of the longest import statement.
const MAX_IMPORT_LINES: usize = 80;

/// Where a script is.
struct ScriptPlace<'p> {
    page: &'p RenderedText<'p>,
    folder: &'p str,
    /// How many others it is imported through.
    depth: usize,
}

/// The words of a title with the values of `{{ … }}` that its front matter gives or that are constant; `None` if there
/// are none. What has no value there has none on the page either, where its words stand.
pub(super) fn with_front_values(options: &VitePressConfig, page: &PageSource<'_>, words: &str) -> Option<String> {
    if !words.contains("{{") {
        return None;
    }
    let own: Map<String, Value> = page.entries.iter().map(|entry| (entry.key.clone(), entry.value.to_json())).collect();
    let mut values = BoundValues::default();
    let site = json!({ "title": text_at(&options.value, &["title"]).unwrap_or_default() });
    values.set("$site", site);
    values.set("$page", json!({ "frontmatter": own }));
    values.set("frontmatter", Value::Object(own.clone()));
    values.set("$frontmatter", Value::Object(own));
    Some(with_constants(words, ("{{", "}}"), &values.0, |expression| expression.trim().to_owned()))
}

/// Names and their values.
#[derive(Clone, Debug, Default)]
pub(super) struct BoundValues(Map<String, Value>);

impl BoundValues {
    /// The values of a page. `scripts`: the texts of its `<script>` tags.
    pub(super) fn of_page(options: &VitePressConfig, page: &RenderedText<'_>, scripts: &[String]) -> Self {
        let own = front_matter_values(page.whole).and_then(|own| own.as_object().cloned()).unwrap_or_default();
        let entry = page.site.find_page(page.slug).map(|id| page.site.page(id));
        let title = entry.map(|entry| entry.meta.title.clone()).unwrap_or_default();
        let locale = options.locale_of(page.slug);
        let site = json!({
            "title": text_at(&options.value, &["title"]).unwrap_or_default(),
            "description": text_at(&options.value, &["description"]).unwrap_or_default(),
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
        let folder = tree::folder(page.site.tree.path(page.file));
        let budget = RepeatBudget::default();
        for script in scripts {
            values.read_script(&ScriptPlace { page, folder, depth: 0 }, script, &budget);
        }
        values
    }

    /// The values of a component's own script.
    pub(super) fn of_component(page: &RenderedText<'_>, path: &str, script: &str) -> Self {
        let mut values = Self::default();
        values.read_script(
            &ScriptPlace { page, folder: tree::folder(path), depth: 1 },
            script,
            &RepeatBudget::default(),
        );
        values
    }

    /// Gives a name a value.
    pub(super) fn set(&mut self, name: &str, value: Value) {
        self.0.insert(name.to_owned(), value);
    }

    /// Adds what a script declares at the start of lines: `const name = 'text'`, lists and objects of such,
    /// `import name from './x.json'` and from scripts, and what `useData()` gives.
    fn read_script(&mut self, at_script: &ScriptPlace<'_>, script: &str, budget: &RepeatBudget) {
        let mut at = 0;
        while let Some(line) = script.get(at..).and_then(|rest| rest.split_inclusive('\n').next()) {
            let start = at + (line.len() - line.trim_start().len());
            at += line.len();
            let line = line.trim().trim_end_matches(';');
            if line.starts_with("import") {
                // names may stand in lines of their own
                let lines: Vec<&str> = script.slice(start..).lines().take(MAX_IMPORT_LINES).collect();
                if let Some(length) = import_length(&lines) {
                    let statement = lines.get(..=length).unwrap_or_default().join("\n");
                    if let Some(import) = read_import(&statement) {
                        self.import(at_script, &import, budget);
                    }
                    continue;
                }
            }
            let line = line.strip_prefix("export ").unwrap_or(line);
            let (name, value) = match line.strip_prefix("default ") {
                Some(value) => ("default", value),
                None => {
                    let declared = ["const ", "let ", "var "].iter().find_map(|word| line.strip_prefix(word));
                    let Some((name, value)) = declared.and_then(|rest| rest.split_once('=')) else { continue };
                    (name, value)
                }
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
                    let value = self.0.get(of).and_then(|value| budget.copy(value));
                    self.0.insert(name.to_owned(), value.unwrap_or_default());
                }
                continue;
            }
            let name = name.split(':').next().unwrap_or(name).trim();
            let wrapped = ["ref(", "reactive(", "shallowRef("].iter().find_map(|call| value.strip_prefix(call));
            let value = wrapped.map_or(value, |value| value.strip_suffix(')').unwrap_or(value));
            if value.starts_with(['[', '{']) {
                // it may go on over lines; the type of a name may have brackets, too
                let after = script.slice(start..).find('=').map_or(start, |at| start + at + 1);
                let from = after + script.slice(after..).find(value).unwrap_or_default();
                if let Some((value, rest)) = parse_literal(script.slice(from..), &self.0, budget) {
                    at = at.max(script.len() - rest.len());
                    self.0.extend(budget.keep(value).map(|value| (name.to_owned(), value)));
                }
            } else if let Some(value) = self.value_of(value) {
                self.0.extend(budget.keep(value).map(|value| (name.to_owned(), value)));
            }
        }
    }

    fn import(&mut self, script: &ScriptPlace<'_>, import: &ImportStatement<'_>, budget: &RepeatBudget) {
        let ScriptPlace { page, folder, depth } = *script;
        let from = import.from.as_ref();
        let Some(path) =
            tree::join_document_path(folder, from).filter(|_| from.starts_with('.') && depth < MAX_IMPORT_DEPTH)
        else {
            return;
        };
        if !budget.takes_import() {
            return;
        }
        let read = |path: &str| {
            let file = page.site.tree.find_any(path)?;
            page.site.tree.text(file)
        };
        let value = if path.ends_with(".json") {
            let value = read(&path).and_then(|text| serde_json::from_str::<Value>(&text).ok());
            value.and_then(|value| budget.keep(value))
        } else {
            let has_ending = MODULE_ENDINGS.iter().any(|ending| path.ends_with(&format!(".{ending}")));
            let paths = MODULE_ENDINGS.iter().map(|ending| format!("{path}.{ending}"));
            let mut paths = paths.chain(has_ending.then(|| path.clone()));
            let Some((path, text)) = paths.find_map(|path| read(&path).map(|text| (path, text))) else {
                return;
            };
            let mut module = Self::default();
            module.read_script(&ScriptPlace { page, folder: tree::folder(&path), depth: depth + 1 }, &text, budget);
            Some(Value::Object(module.0))
        };
        let Some(value) = value else { return };
        let is_data = path.ends_with(".json");
        for (name, local) in &import.names {
            let value = match *name {
                "*" => budget.copy(&value),
                "default" if is_data => budget.copy(&value),
                name => value.get(name).and_then(|value| budget.copy(value)),
            };
            self.0.extend(value.map(|value| ((*local).to_owned(), value)));
        }
    }

    /// The text of an expression, if it is known.
    pub(super) fn text_of(&self, expression: &str) -> Option<String> {
        let one_of = || expression.split("??").flat_map(|part| part.split("||"));
        let found = self.value_of(expression).or_else(|| one_of().find_map(|part| self.value_of(part.trim())))?;
        constant_text(&found)
    }

    /// The value of an expression, if it is known.
    pub(super) fn value_of(&self, expression: &str) -> Option<Value> {
        self.member_of(expression).or_else(|| constant_value(expression, &self.0))
    }

    /// The same of a literal, or of a name and its members.
    fn member_of(&self, expression: &str) -> Option<Value> {
        if let Some(value) = short_literal(expression) {
            return Some(value);
        }
        if expression.starts_with(['[', '{']) {
            return parse_literal(expression, &self.0, &RepeatBudget::default())
                .filter(|(_, rest)| rest.trim().is_empty())
                .map(|(value, _)| value);
        }
        let mut found: Option<&Value> = None;
        for part in expression.split('.').map(|part| part.trim_end_matches('?').trim()) {
            let (name, index) = match part.strip_suffix(']').and_then(|part| part.split_once('[')) {
                Some((name, index)) => (name, Some(index)),
                None => (part, None),
            };
            let is_name =
                |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$');
            let mut value = match found {
                None => self.0.get(name)?,
                // refs of `useData` stand for what is in them
                Some(value) if name == "value" && value.get("value").is_none() => value,
                Some(value) => value.get(name).filter(|_| is_name(name))?,
            };
            if let Some(index) = index {
                value = match index.parse::<usize>() {
                    Ok(index) => value.get(index)?,
                    Err(_) => value.get(index.trim_matches(['"', '\'']))?,
                };
            }
            found = Some(value);
        }
        found.cloned()
    }
}

/// A text in quotes or a number.
fn short_literal(text: &str) -> Option<Value> {
    for quote in ['"', '\'', '`'] {
        if let Some(inside) = text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)) {
            let is_plain = !inside.contains([quote, '\\']) && !inside.contains("${");
            return is_plain.then(|| Value::String(inside.to_owned()));
        }
    }
    text.parse::<serde_json::Number>().ok().map(Value::Number)
}
