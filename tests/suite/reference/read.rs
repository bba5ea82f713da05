//! A page of the reference as its marks have it: sections with fields, alternatives, credentials, and the samples beside
//! them. Nothing here knows how the program makes them.

use std::collections::BTreeMap;

use scraper::{ElementRef, Html, Node};

use crate::suite::html::parse_selector;

/// What a page says.
#[derive(Debug, Default)]
pub(crate) struct ApiPage {
    /// Component, then method and path, channel or name of a schema.
    pub(crate) root: String,
    /// Sections in their order: `body application/json`, `response 200 application/json`, `response 200 header`.
    pub(crate) scopes: Vec<Item>,
    /// Addresses of servers.
    pub(crate) servers: Vec<String>,
    /// Code of `#request-example`.
    pub(crate) requests: Vec<String>,
    /// Code of `#response-example`: status, code.
    pub(crate) responses: Vec<(String, String)>,
    /// Attributes of fields, by their names.
    pub(crate) attributes: BTreeMap<String, Vec<(String, String)>>,
    /// All ids.
    pub(crate) ids: Vec<String>,
    /// Text of the main column, spaces collapsed.
    pub(crate) text: String,
}

/// A section, a field or an alternative.
#[derive(Clone, Debug, Default)]
pub(crate) struct Item {
    /// The name of a field, the title of an alternative, the words of a section.
    pub(crate) name: String,
    pub(crate) types: Vec<String>,
    /// Kind and text.
    pub(crate) pills: Vec<(String, String)>,
    /// What is written in it, without its marks and without what stands below it.
    pub(crate) text: String,
    pub(crate) fields: Vec<Item>,
    pub(crate) variants: Vec<Item>,
}

impl Item {
    /// Texts of the pills of a kind.
    pub(crate) fn pills(&self, kind: &str) -> Vec<&str> {
        self.pills.iter().filter(|(known, _)| known == kind).map(|(_, text)| text.as_str()).collect()
    }

    /// `name: type; pill; pill — text`.
    fn line(&self) -> String {
        let mut line = self.name.clone();
        if !self.types.is_empty() {
            line.push_str(": ");
            line.push_str(&self.types.join("; "));
        }
        for (kind, text) in &self.pills {
            line.push_str("; ");
            match kind.as_str() {
                "required" | "deprecated" | "read-only" | "write-only" => line.push_str(kind),
                "constraint" => line.push_str(text),
                kind => line.push_str(&format!("{kind} {text}")),
            }
        }
        let text = collapse(&self.text);
        if !text.is_empty() {
            line.push_str(" — ");
            line.push_str(&text);
        }
        line
    }

    /// The item and what stands below it, a line each; alternatives begin with `|`.
    pub(crate) fn outline(&self, depth: usize, out: &mut Vec<String>) {
        out.push(format!("{}{}", "  ".repeat(depth), self.line()));
        self.fields.iter().for_each(|field| field.outline(depth + 1, out));
        for variant in &self.variants {
            let mut inside = Vec::new();
            variant.outline(depth + 1, &mut inside);
            inside[0].insert_str(2 * (depth + 1), "| ");
            out.extend(inside);
        }
    }

    /// All fields below it.
    pub(crate) fn count(&self) -> usize {
        self.fields.iter().map(|field| 1 + field.count()).sum::<usize>()
            + self.variants.iter().map(Item::count).sum::<usize>()
    }
}

/// Whether code is an example, not the schema beside it.
fn is_example(element: &ElementRef<'_>) -> bool {
    let mut around = element.ancestors().filter_map(ElementRef::wrap);
    !around.any(|around| around.attr("data-face") == Some("schema"))
}

impl ApiPage {
    /// Reads a page.
    pub(crate) fn read(html: &str) -> Self {
        let dom = Html::parse_document(html);
        let mut page = Self::default();
        let all = |selector: &str| dom.select(&parse_selector(selector)).collect::<Vec<_>>();
        page.ids = all("[id]").iter().filter_map(|it| it.attr("id")).map(str::to_owned).collect();
        page.servers = all("[data-server]").iter().filter_map(|it| it.attr("data-server")).map(str::to_owned).collect();
        let pre = parse_selector("pre");
        page.requests = all("#request-example pre").into_iter().filter(is_example).map(code).collect();
        for panel in all("#response-example [data-status]") {
            let code = panel.select(&pre).filter(is_example).map(code).collect();
            page.responses.push((panel.attr("data-status").unwrap_or_default().to_owned(), code));
        }
        for field in all(".field[data-name]") {
            let attributes = field.value().attrs().filter(|(name, _)| name.starts_with("data-"));
            page.attributes.insert(
                field.attr("data-name").unwrap_or_default().to_owned(),
                attributes.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            );
        }
        for main in all("main") {
            page.text = collapse(&main.text().collect::<String>());
        }
        let api = all("[data-component=Operation], [data-component=Channel], [data-component=Schema]");
        if let Some(api) = api.first() {
            let named = ["data-component", "data-method", "data-path", "data-channel", "data-schema"];
            page.root = named.iter().filter_map(|name| api.attr(name)).collect::<Vec<_>>().join(" ");
            let is_schema = api.attr("data-component") == Some("Schema");
            let mut path = Vec::new();
            if is_schema {
                page.scopes.push(Item { name: "schema".to_owned(), ..Item::default() });
            }
            let mut root = Item::default();
            page.children(*api, &mut path, is_schema.then_some(0), &mut root);
        }
        page
    }

    /// What is inside an element: into the section `scope`, or into the field `into`.
    fn children(&mut self, element: ElementRef<'_>, path: &mut Vec<String>, scope: Option<usize>, into: &mut Item) {
        for child in element.children() {
            match child.value() {
                Node::Text(text) => match scope {
                    Some(at) => self.scopes[at].text.push_str(text),
                    None => into.text.push_str(text),
                },
                Node::Element(_) => {
                    if let Some(child) = ElementRef::wrap(child) {
                        self.element(child, path, scope, into);
                    }
                }
                _ => {}
            }
        }
    }

    fn element(&mut self, element: ElementRef<'_>, path: &mut Vec<String>, scope: Option<usize>, into: &mut Item) {
        let attr = |name: &str| element.attr(name).map(str::to_owned);
        if matches!(element.value().name(), "script" | "style" | "svg")
            || attr("data-server").is_some()
            || attr("role").as_deref() == Some("tablist")
        {
            return;
        }
        let part = ["data-section", "data-callback", "data-message", "data-status", "data-media-type"]
            .into_iter()
            .find_map(attr);
        if let Some(part) = part {
            path.push(part);
            self.scopes.push(Item { name: path.join(" "), ..Item::default() });
            let own = self.scopes.len() - 1;
            self.children(element, path, Some(own), into);
            path.pop();
            return;
        }
        let is_field = element.value().classes().any(|class| class == "field") && attr("data-name").is_some();
        if is_field || attr("data-variant").is_some() {
            let name = attr("data-name").filter(|_| is_field).or_else(|| attr("data-variant")).unwrap_or_default();
            let mut item = Item { name, ..Item::default() };
            self.children(element, path, None, &mut item);
            let holder = match scope {
                Some(at) => &mut self.scopes[at],
                None => into,
            };
            if is_field {
                holder.fields.push(item)
            } else {
                holder.variants.push(item)
            }
            return;
        }
        let holder = match scope {
            Some(at) => &mut self.scopes[at],
            None => &mut *into,
        };
        let text = || collapse(&element.text().collect::<String>());
        if attr("data-type").is_some() {
            return holder.types.push(text());
        }
        if let Some(kind) = attr("data-pill") {
            return holder.pills.push((kind, text()));
        }
        if attr("data-example").is_some() {
            return holder.pills.push(("example".to_owned(), text()));
        }
        let is_class = |name: &str| element.value().classes().any(|class| class == name);
        if is_class("field-label") {
            return holder.pills.push(("label".to_owned(), text()));
        }
        // a default is said with the word before it, a repeated schema in words of the interface
        if is_class("field-more") {
            return holder.pills.push(("more".to_owned(), text()));
        }
        let is_words =
            attr("data-chrome").is_some() || is_class("field-name") || is_class("api-heading") || is_class("tab-title");
        if is_words && element.value().name() != "details" {
            return;
        }
        if is_class("field-default") {
            let value = element.select(&parse_selector("[data-pill]")).next();
            let value = value.map(|it| collapse(&it.text().collect::<String>())).unwrap_or_default();
            return holder.pills.push(("default".to_owned(), value));
        }
        self.children(element, path, scope, into);
    }

    /// All sections, a line for each section, field and alternative.
    pub(crate) fn outline(&self) -> Vec<String> {
        let mut out = Vec::new();
        for scope in &self.scopes {
            // a section of parts says nothing by itself
            let says = !scope.text.trim().is_empty() || !scope.types.is_empty() || !scope.variants.is_empty();
            let prefix = format!("{} ", scope.name);
            if says || !scope.fields.is_empty() || !self.scopes.iter().any(|it| it.name.starts_with(&prefix)) {
                scope.outline(0, &mut out);
            }
        }
        out
    }

    /// A section by its name.
    #[track_caller]
    pub(crate) fn scope(&self, name: &str) -> &Item {
        let names = || self.scopes.iter().map(|scope| &scope.name).collect::<Vec<_>>();
        self.scopes.iter().find(|scope| scope.name == name).unwrap_or_else(|| panic!("no `{name}` in {:?}", names()))
    }

    /// An attribute of a field.
    pub(crate) fn attribute(&self, field: &str, name: &str) -> Option<&str> {
        self.attributes.get(field)?.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// The code of a block, without its controls.
fn code(pre: ElementRef<'_>) -> String {
    pre.text().collect::<String>()
}

/// A text with one space between words.
pub(crate) fn collapse(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
