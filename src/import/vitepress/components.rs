//! The project's own components of Vue, as far as their templates are words and tags: these stand on the pages that use
//! them, with the properties that they are given and the values that their scripts write out. What a component computes
//! is left out; nothing of it is run.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use base::cut::{SliceText as _, cut};
use base::html::tag::{HtmlTag, MarkupToken, TagAttribute, read_html_token};
use base::html::{self, escape_html_text, is_void};
use base::import_statement::{import_length, read_import};
use load::tool::RenderedText;
use site::tree;

use super::config::VitePressConfig;
use super::elements::{TemplatePart, element, template_parts};
use super::repeat::{is_true, repeated_element};
use super::values::{BoundValues, MODULE_ENDINGS};

/// Components in each other.
const MAX_COMPONENT_DEPTH: usize = 8;
/// Most components of a page.
const MAX_COMPONENTS: usize = 200;
/// Most bytes of what components say on a page.
const MAX_COMPONENT_BYTES: usize = 256 << 10;
/// Elements in each other.
const MAX_NESTED_ELEMENTS: usize = 64;
/// Most properties that a tag gives.
const MAX_GIVEN: usize = 20;
/// Most bytes of the script that declares properties.
const MAX_DECLARED_BYTES: usize = 4 << 10;
/// Most bytes of what is made of values on a page, whether it is shown or not.
const MAX_VALUE_BYTES: usize = 4 * MAX_COMPONENT_BYTES;
/// Elements that are not words.
const DROPPED: [&str; 8] = ["script", "style", "svg", "canvas", "video", "audio", "input", "iframe"];
/// Attributes that stay.
const KEPT: [&str; 11] =
    ["href", "src", "alt", "title", "width", "height", "id", "lang", "colspan", "rowspan", "datetime"];
/// Properties of components that are not known, in the order in which such show them.
const WORDS: [&str; 6] = ["heading", "title", "subheading", "subtitle", "description", "text"];

/// Most blocks of code of one component.
const MAX_CODES: usize = 20;

/// Components by their names: paths of their files.
type ComponentNames = BTreeMap<String, String>;

/// The components that a page may use.
pub(super) struct Components<'a> {
    page: &'a RenderedText<'a>,
    names: ComponentNames,
    components: usize,
    bytes: usize,
    value_bytes: usize,
    /// Something of the last one was left out.
    is_partial: bool,
    /// The values of the scripts of components, by paths.
    values: BTreeMap<String, BoundValues>,
    /// The component that is written.
    current: VueComponent,
}

/// A component that is written.
#[derive(Default)]
struct VueComponent {
    /// Its script lists code, which components that are not known show.
    has_code: bool,
    /// What its script says of the properties that it takes.
    declared: String,
    /// What its script writes out, and the properties that it is given.
    values: BoundValues,
}

impl VueComponent {
    /// The value of an expression, if it is known. A property that is declared and not given has none.
    fn value_of(&self, expression: &str) -> Option<Value> {
        let expression = expression.trim();
        if let Some(rest) = expression.strip_prefix('!') {
            return self.value_of(rest).map(|value| Value::Bool(!is_true(&value)));
        }
        self.values.value_of(expression).or_else(|| self.declares(expression).then_some(Value::Null))
    }

    /// The text of an expression, if it is known.
    fn text_of(&self, expression: &str) -> Option<String> {
        let expression = expression.trim();
        self.values.text_of(expression).or_else(|| self.declares(expression).then(String::new))
    }

    fn declares(&self, expression: &str) -> bool {
        let name = expression.strip_prefix("props.").unwrap_or(expression);
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let declared = self.declared.as_str();
        if !is_name {
            return false;
        }
        [format!("{name}:"), format!("{name}?:"), format!("'{name}'"), format!("\"{name}\"")].iter().any(|written| {
            declared
                .match_indices(written.as_str())
                .any(|(at, _)| !declared.slice(..at).ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
        })
    }
}

/// What a component says.
pub(super) struct ShownComponent {
    pub(super) html: String,
    /// Something of it is left out.
    pub(super) is_partial: bool,
}

/// The slot that an element is for: `<template #name>`.
fn slot_name(tag: &HtmlTag<'_>) -> Option<String> {
    let own = |attribute: TagAttribute<'_>| {
        let name = attribute.name.strip_prefix('#').or_else(|| attribute.name.strip_prefix("v-slot:"))?;
        Some(name.to_owned())
    };
    tag.attributes().find_map(own)
}

/// What a tag gives one of the slots of its component: `<template #name>`, for the default one what is in no such
/// element; for no name what it gives all of them. `None` if that is nothing.
fn slot_content(given: &str, slot: Option<&str>) -> Option<String> {
    let is_default = slot.is_none_or(|slot| slot == "default");
    let mut content = String::new();
    let mut rest = given;
    while let Some(at) = rest.find("<template") {
        let (before, from) = cut(rest, at);
        let Some((MarkupToken::Start(tag), after)) = read_html_token(from) else { break };
        let (inside, after) = element(&tag, after);
        let name = slot_name(&tag).unwrap_or_else(|| "default".to_owned());
        if is_default {
            content.push_str(before);
        }
        if slot.is_none_or(|slot| name == slot) {
            content.push_str(inside);
        }
        rest = after;
    }
    if is_default {
        content.push_str(rest);
    }
    (!content.trim().is_empty()).then_some(content)
}

/// Adds the components of a folder, whose paths are their names: `demo/Chart.vue` is `demo-Chart`.
fn add_all(names: &mut ComponentNames, page: &RenderedText<'_>, folder: &str) {
    for (_, file) in page.site.tree.below(folder) {
        let inside = file.path.strip_prefix(folder).unwrap_or_default().trim_start_matches('/');
        if let Some(stem) = inside.strip_suffix(".vue") {
            names.insert(stem.replace('/', "-"), file.path.clone());
        }
    }
}

impl<'a> Components<'a> {
    /// Those that the theme has for all pages, and those that the scripts of a page import.
    pub(super) fn of_page(options: &VitePressConfig, page: &'a RenderedText<'a>, scripts: &[String]) -> Self {
        let mut names = ComponentNames::new();
        let settings = [options.root.as_str(), options.folder].into_iter().filter(|part| !part.is_empty());
        let settings = settings.collect::<Vec<_>>().join("/");
        if options.folder == ".vuepress" {
            add_all(&mut names, page, &format!("{settings}/components"));
        }
        let folder = format!("{settings}/theme");
        for ending in MODULE_ENDINGS {
            let file = page.site.tree.find_any(&format!("{folder}/index.{ending}"));
            let Some(text) = file.and_then(|file| page.site.tree.text(file)) else { continue };
            let own = imported_components(page, &folder, &text);
            for (_, after) in text.match_indices(".component(").map(|(at, mark)| cut(&text, at + mark.len())) {
                let Some((name, rest)) = after.split_once(',') else { continue };
                let local = rest.split(')').next().unwrap_or_default().trim();
                if let Some(path) = own.get(local) {
                    names.insert(name.trim().trim_matches(['"', '\'']).to_owned(), path.clone());
                }
            }
        }
        let folder = tree::folder(page.site.tree.path(page.file));
        for script in scripts {
            names.extend(imported_components(page, folder, script));
        }
        Self {
            page,
            names,
            components: 0,
            bytes: 0,
            value_bytes: 0,
            is_partial: false,
            values: BTreeMap::new(),
            current: VueComponent::default(),
        }
    }

    /// What the component whose tag a text starts with says, and what follows the tag; `None` if it is none of the
    /// project, or its end is not there.
    pub(super) fn shown<'t>(&mut self, text: &'t str) -> Option<(ShownComponent, &'t str)> {
        let (MarkupToken::Start(tag), rest) = read_html_token(text)? else { return None };
        let path = self.names.get(tag.name)?.clone();
        let (slot, rest) = match tag.is_self_closing() {
            true => ("", rest),
            false => rest.split_once(&format!("</{}>", tag.name))?,
        };
        if slot.contains(&format!("<{}", tag.name)) {
            return None;
        }
        self.is_partial = false;
        self.current = VueComponent::default();
        let html = self.component(&path, &tag, slot, 0)?;
        Some((ShownComponent { html, is_partial: self.is_partial }, rest))
    }

    /// Whether there is one at all.
    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    fn component(&mut self, path: &str, tag: &HtmlTag<'_>, slot: &str, depth: usize) -> Option<String> {
        self.components += 1;
        if depth >= MAX_COMPONENT_DEPTH || self.components > MAX_COMPONENTS || self.bytes > MAX_COMPONENT_BYTES {
            self.is_partial = true;
            return None;
        }
        let text = self.page.site.tree.find_any(path).and_then(|file| self.page.site.tree.text(file))?;
        let (inside, _) = text.split_once("<template>")?.1.rsplit_once("</template>")?;
        let names = imported_components(self.page, tree::folder(path), &text);
        let mut out = String::new();
        let read = || BoundValues::of_component(self.page, path, &text);
        let mut values = self.values.entry(path.to_owned()).or_insert_with(read).clone();
        let given = self.given(tag);
        for (name, value) in &given {
            values.set(name, value.clone());
        }
        values.set("props", Value::Object(given));
        let outer = std::mem::replace(
            &mut self.current,
            VueComponent { has_code: text.contains("code:"), declared: declared(&text).to_owned(), values },
        );
        self.template(inside.trim(), &names, slot, depth, 0, &mut out);
        self.current = outer;
        self.bytes += out.len();
        Some(out)
    }

    /// What stands in the tag of a component: what is for its slots, as far as that comes first, keeps their names.
    fn slots(&mut self, inside: &str, names: &ComponentNames, slot: &str, (depth, elements): (usize, usize)) -> String {
        let mut out = String::new();
        let mut rest = inside;
        while let Some((MarkupToken::Start(tag), after)) = read_html_token(rest.trim_start())
            && tag.name == "template"
            && let Some(name) = slot_name(&tag)
        {
            let (own, after) = element(&tag, after);
            out.push_str(&format!("<template #{name}>"));
            self.template(own, names, slot, depth, elements, &mut out);
            out.push_str("</template>");
            rest = after;
        }
        self.template(rest, names, slot, depth, elements, &mut out);
        out
    }

    /// The properties that a tag gives a component, by the names that they have in its script.
    fn given(&self, tag: &HtmlTag<'_>) -> Map<String, Value> {
        let mut given = Map::new();
        for attribute in tag.attributes().take(MAX_GIVEN) {
            let (name, value) = match attribute.name.strip_prefix(':').or(attribute.name.strip_prefix("v-bind:")) {
                Some(name) => (name, self.current.value_of(attribute.value.unwrap_or(name))),
                None if attribute.name.starts_with(['@', '#']) || attribute.name.starts_with("v-") => continue,
                None => (attribute.name, Some(attribute.value.map_or(Value::Bool(true), Value::from))),
            };
            given.extend(value.map(|value| (kebab_to_camel(name), value)));
        }
        given
    }

    /// Writes what a template says without being run.
    fn template(
        &mut self,
        template: &str,
        names: &ComponentNames,
        slot: &str,
        depth: usize,
        elements: usize,
        out: &mut String,
    ) {
        // whether the last condition held, if that is known
        let mut held = None;
        for part in template_parts(template) {
            let (tag, inside) = match part {
                TemplatePart::Words(words) => {
                    self.words(words, out);
                    continue;
                }
                TemplatePart::Bracket => {
                    out.push_str("&lt;");
                    continue;
                }
                TemplatePart::Element(..) if elements >= MAX_NESTED_ELEMENTS => {
                    self.is_partial = true;
                    continue;
                }
                TemplatePart::Element(tag, inside) => (tag, inside),
            };
            let other = tag.attributes().find(|attribute| matches!(attribute.name, "v-else" | "v-else-if"));
            let condition = match other {
                Some(other) if held == Some(false) => other.value,
                Some(_) => {
                    self.is_partial |= held.is_none();
                    continue;
                }
                None => tag.value("v-if"),
            };
            if let Some(condition) = condition {
                held = self.current.value_of(condition).map(|value| is_true(&value));
                if held == Some(false) {
                    continue;
                }
                self.is_partial |= held.is_none();
            } else if other.is_some() {
                held = Some(true);
            }
            self.element(tag, inside, names, slot, (depth, elements + 1), out);
        }
    }

    fn element(
        &mut self,
        tag: HtmlTag<'_>,
        inside: &str,
        names: &ComponentNames,
        slot: &str,
        (depth, elements): (usize, usize),
        out: &mut String,
    ) {
        if DROPPED.contains(&tag.name) {
            return;
        }
        if tag.value("v-for").is_some() {
            let values = &self.current.values;
            let html = (self.value_bytes <= MAX_VALUE_BYTES).then(|| repeated_element(&tag, inside, values)).flatten();
            self.push_value(html, out);
            return;
        }
        match tag.name {
            "slot" if out.len() + slot.len() > MAX_COMPONENT_BYTES => self.is_partial = true,
            "slot" => {
                // which of several is shown may depend on the reader: all of them are then
                let is_sure = tag.value("v-if").is_none_or(|condition| self.current.value_of(condition).is_some());
                let name = tag.value("name").unwrap_or("default");
                match slot_content(slot, is_sure.then_some(name)) {
                    Some(content) => out.push_str(&content),
                    None => self.template(inside, names, slot, depth, elements, out),
                }
            }
            "template" | "Transition" | "ClientOnly" => {
                self.template(inside, names, slot, depth, elements, out);
            }
            // the one of VitePress, which pages have too
            "Badge" => {
                out.push_str("<Badge");
                let given = self.given(&tag);
                for name in ["type", "text"] {
                    if let Some(value) = given.get(name).and_then(Value::as_str) {
                        out.push_str(&format!(" {name}=\"{}\"", html::attr(value)));
                    }
                }
                out.push('>');
                self.template(inside, names, slot, depth, elements, out);
                out.push_str("</Badge>");
            }
            name if name.starts_with(|c: char| c.is_ascii_uppercase()) || name.contains('-') => {
                let children = self.slots(inside, names, slot, (depth, elements));
                let own = names.get(name).or_else(|| self.names.get(name)).cloned();
                if let Some(html) = own.and_then(|path| self.component(&path, &tag, &children, depth + 1)) {
                    return out.push_str(&html);
                }
                self.is_partial = true;
                for word in WORDS.iter().filter_map(|word| tag.value(word)) {
                    out.push_str(&format!("\n<p>{word}</p>\n"));
                }
                self.code(&tag, out);
                out.push_str(&slot_content(&children, None).unwrap_or_default());
            }
            name => {
                let has_room = self.value_bytes <= MAX_VALUE_BYTES;
                let attributes: Vec<(&str, String)> = tag
                    .attributes()
                    .take(MAX_GIVEN)
                    .filter(|_| has_room)
                    .filter_map(|attribute| keep_attribute(attribute, &self.current))
                    .collect();
                self.value_bytes += attributes.iter().map(|(_, value)| value.len()).sum::<usize>();
                let source = attributes.iter().find(|(name, _)| *name == "src").map(|(_, value)| value.as_str());
                // pictures of the theme are made by its tools
                if name == "img" && !source.is_some_and(|source| source.starts_with('/') || source.contains("://")) {
                    return;
                }
                // the page has a title
                let name = if name == "h1" { "h2" } else { name };
                out.push('<');
                out.push_str(name);
                for (name, value) in attributes {
                    out.push_str(&format!(" {name}=\"{}\"", value.replace('"', "&quot;")));
                }
                out.push('>');
                if !is_void(name) {
                    self.template(inside, names, slot, depth, elements, out);
                    out.push_str(&format!("</{name}>"));
                }
            }
        }
    }

    /// The code that a component which is not known is given: a list of entries with `code`.
    fn code(&self, tag: &HtmlTag<'_>, out: &mut String) {
        let given = tag.attributes().filter(|attribute| attribute.name.starts_with(':')).find_map(|attribute| {
            let name = attribute.value.filter(|name| !name.is_empty())?;
            self.current.has_code.then_some(name)
        });
        let Some(name) = given else { return };
        let Some(Value::Array(entries)) = self.current.values.value_of(name) else { return };
        let text = |entry: &Value, key: &str| entry.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        for entry in entries.iter().take(MAX_CODES).filter(|entry| entry.get("code").is_some_and(Value::is_string)) {
            let label = text(entry, "label");
            if !label.is_empty() {
                out.push_str(&format!("\n<p>{}</p>\n", escape_html_text(&label)));
            }
            let code =
                escape_html_text(&format!("{}{}", text(entry, "prefix"), text(entry, "code"))).replace('\n', "&#10;");
            out.push_str(&format!("\n<pre><code>{code}</code></pre>\n"));
        }
    }

    /// Writes what is made of values, if it is known and there is room for it.
    fn push_value(&mut self, html: Option<String>, out: &mut String) {
        // what is not known took time too
        self.value_bytes += html.as_ref().map_or(256, String::len);
        match html.filter(|html| out.len() + html.len() <= MAX_COMPONENT_BYTES) {
            Some(html) => out.push_str(&html),
            None => self.is_partial = true,
        }
    }

    /// Words of a template; what stands for a value that is not known goes.
    fn words(&mut self, words: &str, out: &mut String) {
        let mut rest = words;
        while let Some((before, after)) = rest.split_once("{{") {
            out.push_str(before);
            let Some((expression, after)) = after.split_once("}}") else { break };
            let text = (self.value_bytes <= MAX_VALUE_BYTES).then(|| self.current.text_of(expression)).flatten();
            self.push_value(text.map(|text| escape_html_text(&text)), out);
            rest = after;
        }
        out.push_str(rest);
    }
}

/// An attribute that stays, with its value: one that is computed only if it is known.
fn keep_attribute<'t>(attribute: TagAttribute<'t>, current: &VueComponent) -> Option<(&'t str, String)> {
    let value = attribute.value?;
    let bound = attribute.name.strip_prefix(':').or_else(|| attribute.name.strip_prefix("v-bind:"));
    let name = bound
        .filter(|name| KEPT.contains(name))
        .or_else(|| KEPT.contains(&attribute.name).then_some(attribute.name))?;
    match bound {
        Some(_) => Some((name, current.text_of(value).filter(|text| !text.is_empty())?)),
        None => Some((name, value.to_owned())),
    }
}

/// What a script says of the properties that its component takes; the start of it where it is long.
fn declared(text: &str) -> &str {
    let Some((_, declared)) = text.split_once("defineProps") else { return "" };
    let end = declared.find("</script>").unwrap_or(declared.len()).min(MAX_DECLARED_BYTES);
    declared.slice(..declared.floor_char_boundary(end))
}

/// `my-name` as scripts write it: `myName`.
fn kebab_to_camel(name: &str) -> String {
    let mut parts = name.split('-');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |mut name, part| {
        let mut letters = part.chars();
        name.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        name.push_str(letters.as_str());
        name
    })
}

/// The components that a script imports: `import Name from './name.vue'`.
fn imported_components(page: &RenderedText<'_>, folder: &str, script: &str) -> ComponentNames {
    let lines: Vec<&str> = script.lines().map(str::trim).collect();
    let mut found = ComponentNames::default();
    for at in (0..lines.len()).filter(|at| lines.get(*at).is_some_and(|line| line.starts_with("import"))) {
        let rest = lines.get(at..).unwrap_or_default();
        let Some(statement) = import_length(rest).map(|length| rest.get(..=length).unwrap_or_default().join("\n"))
        else {
            continue;
        };
        let Some(import) = read_import(&statement) else { continue };
        let from = import.from.as_ref();
        let is_local = from.starts_with('.') && from.ends_with(".vue");
        let path = tree::join_document_path(folder, from).filter(|_| is_local);
        let Some(path) = path.filter(|path| page.site.tree.find_any(path).is_some()) else { continue };
        found.extend(import.names.iter().map(|(_, local)| ((*local).to_owned(), path.clone())));
    }
    found
}
