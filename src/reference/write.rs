//! Fields to HTML: heads with their pills, descriptions, folded fields below, alternatives as tabs. The marks are those
//! of the theme contract ("API pages"); fields that authors write by hand look the same (`render::component::field`).

use serde_json::Value;

use base::html::{self, escape_html_text};
use base::short_text::has_no_markdown;
use base::{Place, url};
use markup::slug;
use render::Renderer;
use render::component::tabs::{Chooser, Panels};
use templates::words::{ApiWords, Words};

use super::facts::SchemaFacts;
use super::fields::{ArraySlot, BodyFields, FieldId, FieldNode, FieldsCut, type_text};
use super::limits::{ValueLimit, count_text, range_text, value_text};
use super::settings::ReferenceSettings;

/// Values that a field lists; more of them are folded.
const MAX_OPEN_VALUES: usize = 12;
/// Characters of an example or default that stands in a line.
const MAX_INLINE_CHARS: usize = 200;
/// Examples of a field that stand in its line.
const MAX_SHOWN_EXAMPLES: usize = 8;
/// Characters of a default that stands beside the name.
const MAX_HEAD_CHARS: usize = 48;
/// Bytes of a page behind which fields are left out: schemas with long texts may stand in many fields.
const MAX_PAGE_BYTES: usize = 3 << 20;
/// Alternatives that a row of tabs offers; more of them are a menu.
const MAX_TABS: usize = 5;
/// Characters of all titles that a row of tabs offers.
const MAX_TAB_CHARS: usize = 48;

/// Says where a text of a description stands, and whether its lines are lines of that file.
pub(crate) type PlaceOfText<'w> = dyn Fn(&str) -> (Place, bool) + 'w;

/// Writes the parts of a reference into a page.
pub(crate) struct ReferenceWriter<'w, 'r, 'a, 's> {
    pub(crate) r: &'w mut Renderer<'r>,
    pub(crate) fields: &'w BodyFields<'a, 's>,
    pub(crate) words: &'static Words,
    pub(crate) settings: &'w ReferenceSettings,
    /// Where texts of the description stand.
    pub(crate) place: &'w PlaceOfText<'w>,
    /// `ParamField` or `ResponseField`.
    pub(crate) component: &'static str,
    /// Level of the headings of sections.
    pub(crate) level: u8,
}

impl<'a> ReferenceWriter<'_, '_, 'a, '_> {
    /// What the interface says about APIs.
    pub(crate) fn api(&self) -> &'static ApiWords {
        &self.words.api
    }

    /// Opens a section with its heading.
    pub(crate) fn open_section(&mut self, name: &str, title: &str) {
        self.open_marked_section(name, title, false);
    }

    /// Opens a section with its heading, which may say that a request needs what the section describes.
    pub(crate) fn open_marked_section(&mut self, name: &str, title: &str, is_required: bool) {
        self.r.raw("<section class=\"api-section\" data-section=\"");
        self.r.raw(name);
        self.r.raw("\">\n");
        let id = self.r.ids.claim(slug::heading_slug(title), '-', 2);
        let level = self.level;
        self.r.raw(&format!("<h{level} class=\"api-heading\""));
        self.r.attr("id", &id);
        self.r.raw(">");
        self.r.raw("<a class=\"heading-anchor\"");
        self.r.attr("href", &format!("#{}", url::encode_fragment(&id)));
        self.r.attr("aria-label", self.words.content.link_here);
        self.r.raw(" data-chrome></a>");
        self.r.text(title);
        if is_required {
            let word = self.words.content.required;
            self.r.raw(&format!(" <span class=\"field-required\" data-chrome>{word}</span>"));
        }
        self.r.raw(&format!("</h{level}>\n"));
        if level == 2 {
            self.r.contents_entry(2, id, title);
        }
    }

    /// Closes a section.
    pub(crate) fn close_section(&mut self) {
        self.r.raw("</section>\n");
    }

    /// Writes a description, Markdown.
    pub(crate) fn description(&mut self, text: &str) {
        if is_plain_sentence(text) {
            self.r.raw("<p>");
            self.r.inline_markdown(text, false);
            self.r.raw("</p>\n");
            return;
        }
        // most texts have nothing that could be wrong, and are not looked for in their file
        let (place, in_lines) = if may_lead_nowhere(text) { (self.place)(text) } else { Default::default() };
        let nodes = markup::parse_markdown(text.trim(), place.file, place.line).nodes;
        let heading_ids = std::mem::replace(&mut self.r.heading_ids, false);
        self.r.toc_off += 1;
        match in_lines || place.line == 0 {
            true => self.r.flow(&nodes),
            false => self.r.at_place(place, |r| r.flow(&nodes)),
        }
        self.r.toc_off -= 1;
        self.r.heading_ids = heading_ids;
    }

    /// Writes a description that stands in a line with other things.
    pub(crate) fn inline(&mut self, text: &str) {
        let place = if may_lead_nowhere(text) { (self.place)(text).0 } else { Place::default() };
        self.r.at_place(place, |r| r.inline_markdown(text, true));
    }

    /// Writes the fields below a root, and its type where that is not an object. `anchor` begins their ids.
    pub(crate) fn root(&mut self, id: FieldId, anchor: &str) {
        let fields = self.fields;
        let node = fields.node(id);
        let types = self.fields.type_text(id);
        let is_object = &*types == "object" && (!node.children.is_empty() || !node.unions.is_empty());
        if !is_object {
            self.r.raw("<div class=\"field-root\">");
            self.type_span(node, &types);
            self.r.raw("</div>\n");
        }
        self.facts(node);
        self.below(id, node, anchor);
    }

    /// Writes the fields and alternatives below a field, alternative or root.
    fn below(&mut self, id: FieldId, node: &FieldNode<'a>, anchor: &str) {
        let mut cut = node.cut;
        for child in &node.children {
            if self.r.out.len() > MAX_PAGE_BYTES {
                cut = FieldsCut::TooDeep;
                break;
            }
            self.field(*child, anchor);
        }
        for union in &node.unions {
            if self.r.out.len() > MAX_PAGE_BYTES {
                cut = FieldsCut::TooDeep;
                break;
            }
            self.union(union, anchor);
        }
        self.cut(id, node, cut);
    }

    /// Says why fields are missing.
    fn cut(&mut self, id: FieldId, node: &FieldNode<'a>, cut: FieldsCut) {
        let words = match cut {
            FieldsCut::Whole => return,
            FieldsCut::Repeats => {
                let name = node.facts.name.clone().unwrap_or_else(|| self.fields.type_text(id).to_string());
                let (before, after) = self.api().repeats.split_once("{}").unwrap_or((self.api().repeats, ""));
                format!("{before}<code>{}</code>{after}", escape_html_text(&name))
            }
            FieldsCut::TooDeep => self.api().too_deep.to_owned(),
        };
        self.r.raw("<p class=\"field-more\" data-chrome>");
        self.r.raw(&words);
        self.r.raw("</p>\n");
    }

    /// Writes a field.
    pub(crate) fn field(&mut self, id: FieldId, anchor: &str) {
        let fields = self.fields;
        let node = fields.node(id);
        let own = self.open_field(node, anchor);
        self.head(id, node, &own);
        let start = self.r.out.len();
        self.r.raw("<div class=\"field-body\">\n");
        let inside = self.r.out.len();
        if let Some(text) = node.description.or(node.facts.description) {
            self.description(text);
        }
        self.facts(node);
        self.children(id, node, &own);
        if self.r.out.len() == inside {
            self.r.out.truncate(start);
        } else {
            self.r.raw("</div>\n");
        }
        self.r.raw("</div>\n");
    }

    /// Opens the element of a field and returns its id.
    pub(crate) fn open_field(&mut self, node: &FieldNode<'a>, anchor: &str) -> String {
        let name = slug::param_slug(node.name);
        let id = format!("{anchor}{}", name.strip_prefix("param").unwrap_or(&name));
        let id = self.r.ids.claim(id, '_', 1);
        self.r.raw("<div class=\"field\" data-component=\"");
        self.r.raw(self.component);
        self.r.raw("\"");
        self.r.attr("data-name", node.name);
        self.r.attr("id", &id);
        if node.slot.is_some() {
            self.r.raw(" data-item");
        }
        if let Some(parameter) = &node.parameter {
            for (name, value) in [
                ("data-style", parameter.style),
                ("data-content", parameter.content),
                ("data-in", parameter.place),
                ("data-scheme", parameter.scheme),
                ("data-flows", parameter.flows.as_deref()),
            ] {
                if let Some(value) = value {
                    self.r.attr(name, value);
                }
            }
            if let Some(explode) = parameter.explode {
                self.r.attr("data-explode", if explode { "true" } else { "false" });
            }
        }
        let prefill = node.facts.prefill.or_else(|| {
            let is_prefilled = self.settings.prefills;
            node.example.or(node.facts.example).or(node.facts.default).filter(|_| is_prefilled)
        });
        if let Some(value) = prefill {
            self.r.attr("data-prefill", &value_text(value));
        }
        self.r.raw(">");
        id
    }

    /// Writes the line with name, type and pills.
    fn head(&mut self, id: FieldId, node: &FieldNode<'a>, anchor: &str) {
        self.r.raw("<div class=\"field-head\">");
        for label in &node.facts.labels[0] {
            self.label(label);
        }
        self.name(&node.shown_name(), anchor);
        let types = self.fields.type_text(id);
        self.r.raw(" ");
        self.type_span(node, &types);
        if let Some(default) = node.facts.default.map(value_text).filter(|text| text.chars().count() <= MAX_HEAD_CHARS)
        {
            let default = if default.is_empty() { "\"\"".to_owned() } else { default };
            let word = self.words.content.default;
            self.r.raw(&format!(
                " <span class=\"field-default\">{word}: <code data-pill=\"default\">{}</code></span>",
                escape_html_text(&default)
            ));
        }
        self.marks(node);
        let extra = self.settings.extra_labels(&node.facts);
        for label in node.facts.labels[1].iter().copied().chain(extra.iter().map(String::as_str)) {
            self.r.raw(" ");
            self.label(label);
        }
        self.r.raw("</div>\n");
    }

    /// Writes the name of a field as a link to it.
    pub(crate) fn name(&mut self, name: &str, anchor: &str) {
        self.r.raw("<a class=\"field-link\"");
        self.r.attr("href", &format!("#{}", url::encode_fragment(anchor)));
        self.r.raw("><code class=\"field-name\">");
        self.r.text(name);
        self.r.raw("</code></a>");
    }

    /// Writes a type, with the name of its schema.
    fn type_span(&mut self, node: &FieldNode<'a>, types: &str) {
        self.r.raw("<span class=\"field-type\" data-type>");
        self.r.text(types);
        self.r.raw("</span>");
        let name = node.facts.name.as_deref().or_else(|| node.facts.item.as_ref()?.name.as_deref());
        if let Some(name) = name.filter(|_| node.facts.has_fields() || !node.unions.is_empty()) {
            self.r.raw(" <span class=\"field-schema\" data-chrome>");
            self.r.text(name);
            self.r.raw("</span>");
        }
    }

    fn label(&mut self, label: &str) {
        self.r.raw("<span class=\"field-label\">");
        self.r.inline_markdown(label, false);
        self.r.raw("</span> ");
    }

    fn marks(&mut self, node: &FieldNode<'a>) {
        let (content, api) = (&self.words.content, self.api());
        for (is_set, pill, word) in [
            (node.is_required, "required", content.required),
            (node.is_deprecated, "deprecated", content.deprecated),
            (node.facts.is_read_only, "read-only", api.read_only),
            (node.facts.is_write_only, "write-only", api.write_only),
        ] {
            if is_set {
                self.r.raw(&format!(" <span class=\"field-{pill}\" data-pill=\"{pill}\">{word}</span>"));
            }
        }
    }

    /// Writes what is known of the values of a field: those that are allowed, bounds, an example.
    fn facts(&mut self, node: &FieldNode<'a>) {
        let facts = &node.facts;
        self.values(facts, &facts.values);
        self.values(facts, &node.refined_values);
        for plain in &node.plain {
            self.plain_alternative(plain);
        }
        let has_slot = |slot: ArraySlot| node.children.iter().any(|child| self.fields.node(*child).slot == Some(slot));
        let described: Vec<usize> = (0..facts.tuple.len()).filter(|at| has_slot(ArraySlot::At(*at))).collect();
        let items = Some(facts).filter(|_| !has_slot(ArraySlot::Item)).and_then(|facts| facts.item.as_deref());
        self.first_items(facts, &described);
        self.items_words(facts, items);
        self.requirements(node);
        self.conditions(facts, items);
        let limits = facts.limits.iter().chain(items.into_iter().flat_map(|items| &items.limits));
        let keywords = |limit: &ValueLimit<'_>| format!(" data-limit=\"{}\"", html::attr(&limit.keywords()));
        let mut limits: Vec<(String, String)> = limits.map(|limit| (self.limit(limit), keywords(limit))).collect();
        let mut note = |text: String| limits.push((text, String::new()));
        if let Some(pattern) = node.pattern {
            note(format!("{{key}}: {} <code>{}</code>", self.api().pattern, escape_html_text(pattern)));
        }
        if let Some(types) = node.sent_as {
            note(format!("{}: <code>{}</code>", self.api().media_types, escape_html_text(types)));
        }
        let examples = shown_examples(node);
        let default = facts.default.map(value_text).filter(|text| text.chars().count() > MAX_HEAD_CHARS);
        if limits.is_empty() && examples.is_empty() && default.is_none() {
            return;
        }
        self.r.raw("<p class=\"field-facts\">");
        for (limit, keywords) in &limits {
            self.r.raw(&format!("<span class=\"field-limit\" data-pill=\"constraint\"{keywords}>{limit}</span> "));
        }
        self.examples(&examples);
        if let Some(default) = &default {
            let word = self.words.content.default;
            self.r.raw(&format!("{word}: <code data-pill=\"default\">{}</code>", escape_html_text(default)));
        }
        self.r.raw("</p>\n");
    }

    /// Writes examples in a line, with what they are called.
    fn examples(&mut self, examples: &[(&str, String)]) {
        if examples.is_empty() {
            return;
        }
        let word = self.api().example;
        self.r.raw(&format!("<span class=\"field-example\"><span data-chrome>{word}: </span>"));
        for (at, (label, text)) in examples.iter().enumerate() {
            self.r.raw(if at > 0 { "<span data-chrome>, </span><code data-example" } else { "<code data-example" });
            if !label.is_empty() {
                self.r.attr("data-label", label);
            }
            self.r.raw(&format!(">{}</code>", escape_html_text(text)));
            if !label.is_empty() {
                self.r.raw(" ");
                self.r.text(label);
            }
        }
        self.r.raw("</span>");
    }

    /// Writes what the first items of an array are, one by one, unless they have fields of their own (`described`).
    fn first_items(&mut self, facts: &SchemaFacts<'a>, described: &[usize]) {
        for (at, schema) in facts.tuple.iter().enumerate().filter(|(at, _)| !described.contains(at)) {
            let part = self.fields.schemas().facts(schema);
            self.r.raw(&format!("<p class=\"field-fact\"><code>[{at}]</code> "));
            self.r.text(&type_text(&part, self.fields.schemas()));
            if let Some(text) = part.description.or(part.title) {
                self.r.raw(": ");
                self.inline(text);
            }
            self.r.raw("</p>\n");
        }
    }

    /// Writes what is said of each item of an array.
    fn items_words(&mut self, facts: &SchemaFacts<'a>, items: Option<&SchemaFacts<'a>>) {
        let mut marks = String::new();
        let mut items = items;
        while let Some(item) = items {
            marks.push_str("[]");
            if let Some(text) = item.description.filter(|text| facts.description != Some(*text)) {
                self.r.raw(&format!("<div class=\"field-fact\"><code>{marks}</code>\n"));
                self.description(text);
                self.r.raw("</div>\n");
            }
            items = item.item.as_deref();
        }
    }

    /// Writes which properties must be there, where their fields do not say so.
    fn requirements(&mut self, node: &FieldNode<'a>) {
        let names = |names: &[&str], between: &str| {
            let names = names.iter().map(|name| format!("<code>{}</code>", escape_html_text(name)));
            names.collect::<Vec<_>>().join(between)
        };
        let required = self.words.content.required;
        if !node.also_required.is_empty() {
            let names = names(&node.also_required, ", ");
            self.r.raw(&format!("<p class=\"field-fact\">{required}: {names}</p>\n"));
        }
        for choice in &node.required_choices {
            let (one_of, or) = (self.api().alternatives, self.api().or);
            let choice: Vec<String> = choice.iter().map(|one| names(one, " + ")).collect();
            let choice = choice.join(&format!(" {or} "));
            self.r.raw(&format!("<p class=\"field-fact\">{one_of}: {choice} ({required})</p>\n"));
        }
    }

    /// Writes conditions of JSON Schema as they are described; long ones are folded.
    fn conditions(&mut self, facts: &SchemaFacts<'a>, items: Option<&SchemaFacts<'a>>) {
        let of_items = items.into_iter().flat_map(|items| &items.conditions);
        for (key, value) in facts.conditions.iter().chain(of_items) {
            let text = value_text(value);
            if self.r.out.len() + text.len() > MAX_PAGE_BYTES {
                return;
            }
            let code = format!("<code>{}</code>", escape_html_text(&text));
            let is_short = text.chars().count() <= MAX_INLINE_CHARS;
            self.r.raw(&match is_short {
                true => format!("<p class=\"field-fact\"><code>{key}</code> {code}</p>\n"),
                false => {
                    format!("<details class=\"field-values\"><summary><code>{key}</code></summary>{code}</details>\n")
                }
            });
        }
    }

    fn values(&mut self, facts: &SchemaFacts<'a>, values: &[&'a Value]) {
        if values.is_empty() {
            return;
        }
        let (pill, word) = if facts.is_const && values.len() == 1 {
            ("const", self.api().constant)
        } else {
            ("enum", self.api().values)
        };
        let is_folded = values.len() > MAX_OPEN_VALUES;
        let has_notes = !facts.value_notes.is_empty() || !facts.value_names.is_empty();
        match is_folded {
            true => self.r.raw(&format!(
                "<details class=\"field-values\"><summary data-chrome>{word} ({})</summary>",
                values.len()
            )),
            false => self.r.raw(&format!("<div class=\"field-values\"><span data-chrome>{word}: </span>")),
        }
        if has_notes {
            self.r.raw("<ul>");
        }
        for value in values {
            let text = value_text(value);
            let shown = if text.is_empty() { "\"\"" } else { &text };
            let code = format!("<code data-pill=\"{pill}\">{}</code> ", escape_html_text(shown));
            if !has_notes {
                self.r.raw(&code);
                continue;
            }
            self.r.raw("<li>");
            self.r.raw(&code);
            if let Some((_, name)) = facts.value_names.iter().find(|(known, _)| *known == text) {
                self.r.text(name);
                self.r.raw(" ");
            }
            if let Some((_, note)) = facts.value_notes.iter().find(|(known, _)| *known == text) {
                self.inline(note);
            }
            self.r.raw("</li>");
        }
        if has_notes {
            self.r.raw("</ul>");
        }
        self.r.raw(if is_folded { "</details>\n" } else { "</div>\n" });
    }

    /// Writes what an alternative without fields says beyond its type.
    fn plain_alternative(&mut self, facts: &SchemaFacts<'a>) {
        self.values(facts, &facts.values);
        self.first_items(facts, &[]);
        let words = facts.description.or(facts.title);
        let limits: Vec<String> = facts.limits.iter().map(|limit| self.limit(limit)).collect();
        if words.is_none() && limits.is_empty() {
            return;
        }
        self.r.raw("<p class=\"field-fact\"><span class=\"field-type\">");
        self.r.text(&type_text(facts, self.fields.schemas()));
        self.r.raw("</span> ");
        if let Some(text) = words {
            self.inline(text);
        }
        for limit in limits {
            self.r.raw(&format!(" <span class=\"field-limit\" data-pill=\"constraint\">{limit}</span>"));
        }
        self.r.raw("</p>\n");
    }

    /// A bound in words, HTML.
    fn limit(&self, limit: &ValueLimit<'_>) -> String {
        let api = self.api();
        let count = |word: &str, low: &Option<&Value>, high: &Option<&Value>| {
            escape_html_text(&format!("{word} {}", count_text(*low, *high)))
        };
        match limit {
            ValueLimit::Range(low, high) | ValueLimit::Within(low, high) => escape_html_text(&range_text(*low, *high)),
            ValueLimit::Length(low, high) => count(api.length, low, high),
            ValueLimit::Items(low, high) => count(api.items, low, high),
            ValueLimit::Properties(low, high) => count(api.properties, low, high),
            ValueLimit::MultipleOf(value) => escape_html_text(&api.multiple_of.replace("{}", &value_text(value))),
            ValueLimit::Pattern(pattern) => format!("{} <code>{}</code>", api.pattern, escape_html_text(pattern)),
            ValueLimit::Unique => api.unique.to_owned(),
        }
    }

    /// Writes the fields below a field, folded.
    fn children(&mut self, id: FieldId, node: &FieldNode<'a>, anchor: &str) {
        if node.children.is_empty() && node.unions.is_empty() {
            return self.cut(id, node, node.cut);
        }
        let open = if self.settings.is_expanded { " open" } else { "" };
        let word = self.api().fields;
        self.r.raw(&format!("<details class=\"field-children\"{open}><summary data-chrome>{word}</summary>\n"));
        self.below(id, node, anchor);
        self.r.raw("</details>\n");
    }

    /// Writes the values of discriminators that stand for an alternative, unless its title says them.
    fn marks_of_alternative(&mut self, node: &FieldNode<'a>, title: &str) {
        for mark in node.outer_marks.iter().chain([&node.mark]) {
            let value = mark.value.filter(|value| *value != title);
            let value = value.map(|value| format!("<code>{}</code>", escape_html_text(value)));
            let fallback = mark.is_default.then(|| self.words.content.default.to_owned());
            let said: Vec<String> = value.into_iter().chain(fallback).collect();
            if said.is_empty() {
                continue;
            }
            self.r.raw("<p class=\"field-fact\">");
            if !mark.property.is_empty() {
                self.r.raw(&format!("<code>{}</code>: ", escape_html_text(mark.property)));
            }
            self.r.raw(&format!("{}</p>\n", said.join(", ")));
        }
    }

    /// Writes alternatives as tabs.
    fn union(&mut self, union: &[FieldId], anchor: &str) {
        let titles: Vec<String> = union.iter().enumerate().map(|(at, id)| self.fields.label(*id, at + 1)).collect();
        let label = format!(
            "{}: {}",
            self.api().alternatives,
            titles.iter().take(4).map(String::as_str).collect::<Vec<_>>().join(", ")
        );
        let chooser = chooser(&titles);
        // what extends a schema is described elsewhere: its fields are none of the schema's own alternatives
        let is_extending = union.iter().all(|id| self.fields.node(*id).mark.is_child);
        let section = if is_extending { " data-section=\"subtype\"" } else { "" };
        self.r.raw(&format!("<div class=\"api-variants\"{section}>\n"));
        let panels = Panels::start(self.r, &label, titles.clone(), chooser);
        for (at, id) in union.iter().enumerate() {
            let variant = format!(" data-variant=\"{}\"", html::attr(&titles[at]));
            panels.open(self.r, at, &variant);
            let fields = self.fields;
            let node = fields.node(*id);
            if let Some(text) = node.facts.description {
                self.description(text);
            }
            let types = self.fields.type_text(*id);
            if &*types != "object" {
                self.r.raw("<div class=\"field-root\">");
                self.type_span(node, &types);
                self.r.raw("</div>\n");
            }
            self.marks_of_alternative(node, &titles[at]);
            self.facts(node);
            self.below(*id, node, anchor);
            panels.close(self.r);
        }
        self.r.raw("</div>\n");
    }
}

/// The examples of a field that have room in a line, with what they are called where there are several.
fn shown_examples<'a>(node: &FieldNode<'a>) -> Vec<(&'a str, String)> {
    let own = node.example.map(|value| (node.example_label, value));
    let own = own.into_iter().chain(node.other_examples.iter().map(|example| (example.label, example.value)));
    let of_schema = node.facts.example.into_iter().chain(node.facts.other_examples.iter().copied());
    let all: Vec<(&str, &Value)> = match node.example {
        Some(_) => own.collect(),
        None => of_schema.map(|value| ("", value)).collect(),
    };
    let mut shown: Vec<(&str, String)> = Vec::new();
    for (label, value) in all {
        let text = value_text(value);
        let has_room = !text.is_empty() && text.chars().count() <= MAX_INLINE_CHARS && !text.contains('\n');
        if has_room && shown.len() < MAX_SHOWN_EXAMPLES && shown.iter().all(|(_, known)| *known != text) {
            shown.push((label, text));
        }
    }
    shown
}

/// A row of tabs where it is short, else a menu.
pub(crate) fn chooser(titles: &[String]) -> Chooser {
    let chars: usize = titles.iter().map(|title| title.chars().count()).sum();
    if titles.len() <= MAX_TABS && chars <= MAX_TAB_CHARS { Chooser::Tabs } else { Chooser::Menu }
}

/// Whether a text may have links or pictures.
fn may_lead_nowhere(text: &str) -> bool {
    text.contains(['[', '<'])
}

/// Whether a description is one sentence without Markdown.
fn is_plain_sentence(text: &str) -> bool {
    let first = text.trim_start().chars().next().unwrap_or(' ');
    (first.is_alphabetic() || first == '(')
        && has_no_markdown(text)
        && !text.contains("://")
        && !text.contains("www.")
        && !text.contains(['<', '>', '$', '@', '\n', '|', ':', '!', '^', '=', '{'])
}
