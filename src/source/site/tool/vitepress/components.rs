//! The project's own components of Vue, as far as their templates are words and tags: these stand on the pages that use
//! them. What a component computes or repeats is left out; nothing of it is run.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::base::html::tag::{Attribute, Tag, Token, read};
use crate::base::html::{self, is_void};
use crate::source::site::tool::PageText;
use crate::source::site::tree;

use super::config::Options;
use super::elements::{Part, parts};
use super::values::{MODULE_ENDINGS, Values};

/// Components in each other.
const MAX_DEPTH: usize = 8;
/// Most components of a page.
const MAX_COMPONENTS: usize = 200;
/// Most bytes of what components say on a page.
const MAX_BYTES: usize = 256 << 10;
/// Elements in each other.
const MAX_ELEMENTS: usize = 64;
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
type Names = BTreeMap<String, String>;

/// The components that a page may use.
pub(super) struct Components<'a> {
    page: &'a PageText<'a>,
    names: Names,
    components: usize,
    bytes: usize,
    /// Something of the last one was left out.
    is_partial: bool,
    /// The component that is written: its path and text.
    current: (String, String),
}

/// What a component says.
pub(super) struct Shown {
    pub(super) html: String,
    /// Something of it is left out.
    pub(super) is_partial: bool,
}

impl<'a> Components<'a> {
    /// Those that the theme has for all pages, and those that the scripts of a page import.
    pub(super) fn of_page(options: &Options, page: &'a PageText<'a>, scripts: &[String]) -> Self {
        let mut names = Names::new();
        let folder = [options.root.as_str(), ".vitepress/theme"].into_iter().filter(|part| !part.is_empty());
        let folder = folder.collect::<Vec<_>>().join("/");
        for ending in MODULE_ENDINGS {
            let file = page.site.tree.find_any(&format!("{folder}/index.{ending}"));
            let Some(text) = file.and_then(|file| page.site.tree.text(file)) else { continue };
            let own = imports(page, &folder, &text);
            for (_, after) in text.match_indices(".component(").map(|(at, mark)| text.split_at(at + mark.len())) {
                let Some((name, rest)) = after.split_once(',') else { continue };
                let local = rest.split(')').next().unwrap_or_default().trim();
                if let Some(path) = own.get(local) {
                    names.insert(name.trim().trim_matches(['"', '\'']).to_owned(), path.clone());
                }
            }
        }
        let folder = tree::folder(page.site.tree.path(page.file));
        for script in scripts {
            names.extend(imports(page, folder, script));
        }
        Self { page, names, components: 0, bytes: 0, is_partial: false, current: Default::default() }
    }

    /// What the component whose tag a text starts with says, and what follows the tag; `None` if it is none of the
    /// project, or holds more than its tag.
    pub(super) fn shown<'t>(&mut self, text: &'t str) -> Option<(Shown, &'t str)> {
        let (Token::Start(tag), rest) = read(text)? else { return None };
        let path = self.names.get(tag.name)?.clone();
        let rest = if tag.is_self_closing() { rest } else { rest.strip_prefix(&format!("</{}>", tag.name))? };
        self.is_partial = false;
        let html = self.component(&path, "", 0)?;
        Some((Shown { html, is_partial: self.is_partial }, rest))
    }

    /// Whether there is one at all.
    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    fn component(&mut self, path: &str, slot: &str, depth: usize) -> Option<String> {
        self.components += 1;
        if depth >= MAX_DEPTH || self.components > MAX_COMPONENTS || self.bytes > MAX_BYTES {
            self.is_partial = true;
            return None;
        }
        let text = self.page.site.tree.find_any(path).and_then(|file| self.page.site.tree.text(file))?;
        let (inside, _) = text.split_once("<template>")?.1.rsplit_once("</template>")?;
        let names = imports(self.page, tree::folder(path), &text);
        let mut out = String::new();
        let outer = std::mem::replace(&mut self.current, (path.to_owned(), text.clone()));
        self.template(inside, &names, slot, depth, 0, &mut out);
        self.current = outer;
        self.bytes += out.len();
        Some(out)
    }

    /// Writes what a template says without being run.
    fn template(&mut self, template: &str, names: &Names, slot: &str, depth: usize, elements: usize, out: &mut String) {
        for part in parts(template) {
            match part {
                Part::Words(words) => self.words(words, out),
                Part::Bracket => out.push_str("&lt;"),
                Part::Element(..) if elements >= MAX_ELEMENTS => self.is_partial = true,
                Part::Element(tag, inside) => self.element(tag, inside, names, slot, (depth, elements + 1), out),
            }
        }
    }

    fn element(
        &mut self,
        tag: Tag<'_>,
        inside: &str,
        names: &Names,
        slot: &str,
        (depth, elements): (usize, usize),
        out: &mut String,
    ) {
        let has = |name: &str| tag.attributes().any(|attribute| attribute.name == name);
        if has("v-for") || has("v-else") || has("v-else-if") || DROPPED.contains(&tag.name) {
            self.is_partial |= !DROPPED.contains(&tag.name);
            return;
        }
        match tag.name {
            "slot" if !slot.is_empty() => out.push_str(slot),
            "slot" | "template" | "Transition" | "ClientOnly" => {
                self.template(inside, names, slot, depth, elements, out);
            }
            name if name.starts_with(|c: char| c.is_ascii_uppercase()) || name.contains('-') => {
                let mut children = String::new();
                self.template(inside, names, slot, depth, elements, &mut children);
                let own = names.get(name).or_else(|| self.names.get(name)).cloned();
                if let Some(html) = own.and_then(|path| self.component(&path, &children, depth + 1)) {
                    return out.push_str(&html);
                }
                self.is_partial = true;
                for word in WORDS.iter().filter_map(|word| tag.value(word)) {
                    out.push_str(&format!("\n<p>{word}</p>\n"));
                }
                self.code(&tag, out);
                out.push_str(&children);
            }
            name => {
                let attributes: Vec<(&str, &str)> = tag.attributes().filter_map(kept).collect();
                let source = attributes.iter().find(|(name, _)| *name == "src").map(|(_, value)| *value);
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
    fn code(&self, tag: &Tag<'_>, out: &mut String) {
        let given = tag.attributes().filter(|attribute| attribute.name.starts_with(':')).find_map(|attribute| {
            let name = attribute.value.filter(|name| !name.is_empty())?;
            self.current.1.contains("code:").then_some(name)
        });
        let Some(name) = given else { return };
        let values = Values::of_component(self.page, &self.current.0, &self.current.1);
        let Some(Value::Array(entries)) = values.value_of(name) else { return };
        let text = |entry: &Value, key: &str| entry.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        for entry in entries.iter().take(MAX_CODES).filter(|entry| entry.get("code").is_some_and(Value::is_string)) {
            let label = text(entry, "label");
            if !label.is_empty() {
                out.push_str(&format!("\n<p>{}</p>\n", html::text(&label)));
            }
            let code = html::text(&format!("{}{}", text(entry, "prefix"), text(entry, "code"))).replace('\n', "&#10;");
            out.push_str(&format!("\n<pre><code>{code}</code></pre>\n"));
        }
    }

    /// Words of a template; what stands for a value goes, unless it is a text.
    fn words(&mut self, words: &str, out: &mut String) {
        let mut rest = words;
        while let Some((before, after)) = rest.split_once("{{") {
            out.push_str(before);
            let Some((expression, after)) = after.split_once("}}") else { break };
            let expression = expression.trim();
            let literal = ['"', '\''].iter().find_map(|quote| {
                let inside = expression.strip_prefix(*quote)?.strip_suffix(*quote)?;
                (!inside.contains(*quote)).then_some(inside)
            });
            match literal {
                Some(text) => out.push_str(&html::text(text)),
                None => self.is_partial = true,
            }
            rest = after;
        }
        out.push_str(rest);
    }
}

/// An attribute that stays, with its value: one that is computed only if it is a text.
fn kept<'t>(attribute: Attribute<'t>) -> Option<(&'t str, &'t str)> {
    let value = attribute.value?;
    let (name, value) = match attribute.name.strip_prefix(':').or_else(|| attribute.name.strip_prefix("v-bind:")) {
        Some(name) => (name, value.strip_prefix('\'')?.strip_suffix('\'').filter(|text| !text.contains('\''))?),
        None => (attribute.name, value),
    };
    KEPT.contains(&name).then_some((name, value))
}

/// The components that a script imports: `import Name from './name.vue'`.
fn imports(page: &PageText<'_>, folder: &str, script: &str) -> Names {
    let found = script.lines().filter_map(|line| {
        let (name, from) = line.trim().strip_prefix("import ")?.split_once(" from ")?;
        let from = from.trim().trim_end_matches(';').trim_matches(['"', '\'']);
        let path = from.strip_prefix('.').filter(|_| from.ends_with(".vue")).and_then(|_| tree::join(folder, from))?;
        page.site.tree.find_any(&path).map(|_| (name.trim().to_owned(), path))
    });
    found.collect()
}
