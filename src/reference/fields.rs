//! The fields of a page: schemas opened level by level, so that a bound cuts what is deepest.

use std::borrow::Cow;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use serde_json::Value;

use super::facts::{Alternative, DiscriminatorMark, JsonType, MapValues, Schema, SchemaFacts, Schemas};
use super::given::Example;

/// Names that stand below each other on every page.
const MAX_FIELD_DEPTH: usize = 4;
/// Names that stand below each other where a page has few fields.
const MAX_DEPTH_OF_FEW: usize = 8;
/// Fields that are few.
const FEW_FIELDS: usize = 250;
/// Fields of a page.
const MAX_FIELDS: usize = 2_000;
/// Alternatives of a page: without fields of their own they do not count as fields.
const MAX_ALTERNATIVES: usize = 4_000;
/// Choices inside each other that are opened to one.
const MAX_FLAT_DEPTH: usize = 4;

/// The name of fields that have none of their own: those of maps, and items of arrays.
const UNNAMED: &str = "{key}";
/// Alternatives of a choice.
const MAX_CHOICES: usize = 400;

/// An alternative: what its schema says, and what discriminators say of it, those of choices around it first.
type AlternativeFacts<'a> = (Arc<SchemaFacts<'a>>, Vec<DiscriminatorMark<'a>>);

/// Which way a body goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Direction {
    /// To the server: read-only fields are left out.
    Request,
    /// From the server: write-only fields are left out.
    Response,
    /// Neither is said.
    #[default]
    Neither,
}

/// The number of a field, alternative or root among those of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FieldId(usize);

/// What of an array a field stands for that has no name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArraySlot {
    /// Each item.
    Item,
    /// The item at this place.
    At(usize),
}

/// Names of properties, each list what one alternative of a choice requires.
pub(crate) type RequiredChoice<'a> = Vec<Vec<&'a str>>;

/// Why nothing stands below a field that has fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum FieldsCut {
    /// It has none, or they are there.
    #[default]
    Whole,
    /// It is inside itself.
    Repeats,
    /// The page has enough.
    TooDeep,
}

/// A field, an alternative, or the root of a body.
#[derive(Clone, Debug)]
pub(crate) struct FieldNode<'a> {
    /// The name of a field; empty for others.
    pub(crate) name: &'a str,
    /// What its schema says.
    pub(crate) facts: Arc<SchemaFacts<'a>>,
    /// It must be there.
    pub(crate) is_required: bool,
    /// What is said of it where it stands, before what its schema says.
    pub(crate) description: Option<&'a str>,
    pub(crate) is_deprecated: bool,
    /// An example where it stands.
    pub(crate) example: Option<&'a Value>,
    /// What it is called, if there are several.
    pub(crate) example_label: &'a str,
    /// Further examples where it stands.
    pub(crate) other_examples: Vec<Example<'a>>,
    /// Further attributes of a parameter.
    pub(crate) parameter: Option<Arc<ParameterFacts<'a>>>,
    /// What a discriminator says of an alternative.
    pub(crate) mark: DiscriminatorMark<'a>,
    /// What those of the choices around that say, which are opened to one.
    pub(crate) outer_marks: Vec<DiscriminatorMark<'a>>,
    /// The values that all alternatives beside a field allow, each its own.
    pub(crate) refined_values: Vec<&'a Value>,
    /// What of an array it stands for.
    pub(crate) slot: Option<ArraySlot>,
    /// Properties that must be there and are described by something around it, or by alternatives of it.
    pub(crate) also_required: Vec<&'a str>,
    /// Choices that only say what must be there.
    pub(crate) required_choices: Vec<RequiredChoice<'a>>,
    /// The pattern of the names that a field stands for.
    pub(crate) pattern: Option<&'a str>,
    /// The media types that a part of a body may have.
    pub(crate) sent_as: Option<&'a str>,
    /// Fields below it.
    pub(crate) children: Vec<FieldId>,
    /// Alternatives of it: each list is a choice.
    pub(crate) unions: Vec<Vec<FieldId>>,
    /// Alternatives without fields: the type says them.
    pub(crate) plain: Vec<Arc<SchemaFacts<'a>>>,
    pub(crate) cut: FieldsCut,
    parent: Option<FieldId>,
    depth: usize,
}

/// How a parameter is sent.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ParameterFacts<'a> {
    /// `style`, where it is not that of the place.
    pub(crate) style: Option<&'a str>,
    /// `explode`, where it is not that of the style.
    pub(crate) explode: Option<bool>,
    /// Without a schema, it is text.
    pub(crate) is_text: bool,
    /// The media type that it is written in.
    pub(crate) content: Option<&'a str>,
    /// Of credentials: where they are sent.
    pub(crate) place: Option<&'a str>,
    /// Of credentials: the kind of scheme.
    pub(crate) scheme: Option<&'a str>,
    /// Of credentials: the ways to get a token, as the console reads them.
    pub(crate) flows: Option<String>,
}

/// The fields of a page.
pub(crate) struct BodyFields<'a, 's> {
    schemas: &'s Schemas<'a>,
    nodes: Vec<FieldNode<'a>>,
    directions: Vec<Direction>,
    fields: usize,
    alternatives: usize,
}

impl<'a, 's> BodyFields<'a, 's> {
    /// A page without fields.
    pub(crate) fn new(schemas: &'s Schemas<'a>) -> Self {
        Self { schemas, nodes: Vec::new(), directions: Vec::new(), fields: 0, alternatives: 0 }
    }

    /// A field, alternative or root.
    pub(crate) fn node(&self, id: FieldId) -> &FieldNode<'a> {
        &self.nodes[id.0]
    }

    /// Adds a root: a body, or a list of parameters.
    pub(crate) fn add_root(&mut self, schema: &Schema<'a>, direction: Direction) -> FieldId {
        let facts = self.schemas.facts(schema);
        self.push(new_node("", facts), direction)
    }

    /// Adds a parameter to a root.
    pub(crate) fn add_parameter(&mut self, root: FieldId, name: &'a str, schema: &Schema<'a>) -> FieldId {
        let node = FieldNode { parent: Some(root), depth: 1, ..new_node(name, self.schemas.facts(schema)) };
        let direction = self.directions[root.0];
        let id = self.push(node, direction);
        self.nodes[root.0].children.push(id);
        self.fields += 1;
        id
    }

    /// The fields of a name that stand directly below a root, or below an alternative of it.
    pub(crate) fn children_named(&self, root: FieldId, name: &str) -> Vec<FieldId> {
        let node = self.node(root);
        let around = node.unions.iter().flatten().flat_map(|alternative| &self.node(*alternative).children);
        node.children.iter().chain(around).copied().filter(|child| self.node(*child).name == name).collect()
    }

    /// Changes what is said of a field where it stands.
    pub(crate) fn node_mut(&mut self, id: FieldId) -> &mut FieldNode<'a> {
        &mut self.nodes[id.0]
    }

    fn push(&mut self, node: FieldNode<'a>, direction: Direction) -> FieldId {
        let id = FieldId(self.nodes.len());
        self.nodes.push(node);
        self.directions.push(direction);
        id
    }

    /// Opens all that was added, level by level.
    pub(crate) fn expand(&mut self) {
        let mut queue: Vec<FieldId> = Vec::new();
        for at in 0..self.nodes.len() {
            let id = FieldId(at);
            match self.nodes[at].parent {
                None if self.nodes[at].children.is_empty() => self.open(id, &mut queue),
                None => {}
                Some(_) => queue.push(id),
            }
        }
        let mut at = 0;
        while let Some(id) = queue.get(at).copied() {
            self.open(id, &mut queue);
            at += 1;
        }
    }

    /// Whether a schema contains itself here.
    fn repeats(&self, facts: &SchemaFacts<'a>, parent: Option<FieldId>) -> bool {
        let mut above = parent;
        while let Some(id) = above {
            let node = &self.nodes[id.0];
            if node.facts.identity.iter().any(|part| facts.identity.contains(part)) {
                return true;
            }
            above = node.parent;
        }
        false
    }

    /// Adds what stands below a field, alternative or root; new fields wait in the queue.
    fn open(&mut self, id: FieldId, queue: &mut Vec<FieldId>) {
        let facts = Arc::clone(&self.nodes[id.0].facts);
        let parent = self.nodes[id.0].parent;
        if parent.is_some() && self.repeats(&facts, parent) {
            if facts.has_fields() || !facts.unions.is_empty() {
                self.nodes[id.0].cut = FieldsCut::Repeats;
            }
            return;
        }
        let base = self.nodes[id.0].mark.is_child.then_some(parent).flatten();
        let base = base.map(|base| Arc::clone(&self.nodes[base.0].facts));
        for (name, schema) in facts.properties.iter() {
            // what the schema says that this one extends
            let of_base = base.as_ref().and_then(|base| base.properties.get(name));
            if of_base.is_none_or(|known| !known.is_same(schema)) {
                self.adopt(id, name, schema, facts.required.contains(name), queue);
            }
        }
        for MapValues { schema, pattern } in &facts.maps {
            if pattern.is_some() || !self.schemas.facts(schema).is_any() {
                let child = self.adopt(id, UNNAMED, schema, false, queue);
                child.into_iter().for_each(|child| self.nodes[child.0].pattern = *pattern);
            }
        }
        // what the type of an item says is told in a line
        let first_items = facts.tuple.iter().enumerate().filter(|_| facts.properties.is_empty());
        for (at, schema) in first_items {
            let item = self.schemas.facts(schema);
            if item.has_fields() || !item.unions.is_empty() {
                let child = self.adopt(id, UNNAMED, schema, false, queue);
                child.into_iter().for_each(|child| self.nodes[child.0].slot = Some(ArraySlot::At(at)));
            }
        }
        let is_child = self.nodes[id.0].mark.is_child;
        for union in &facts.unions {
            // those that extend this one stand beside it
            if is_child && union.iter().all(|alternative| alternative.mark.is_child) {
                continue;
            }
            let alternatives = self.flat(union, id);
            self.open_union(id, alternatives, queue);
        }
    }

    fn adopt(
        &mut self,
        id: FieldId,
        name: &'a str,
        schema: &Schema<'a>,
        is_required: bool,
        queue: &mut Vec<FieldId>,
    ) -> Option<FieldId> {
        let facts = self.schemas.facts(schema);
        let direction = self.directions[id.0];
        if direction == Direction::Request && facts.is_read_only
            || direction == Direction::Response && facts.is_write_only
        {
            return None;
        }
        if self.is_full(self.nodes[id.0].depth) {
            self.nodes[id.0].cut = FieldsCut::TooDeep;
            return None;
        }
        let depth = self.nodes[id.0].depth + 1;
        let child = self.push(FieldNode { is_required, parent: Some(id), depth, ..new_node(name, facts) }, direction);
        self.nodes[id.0].children.push(child);
        self.fields += 1;
        queue.push(child);
        Some(child)
    }

    /// Whether nothing more stands below a field at this depth.
    fn is_full(&self, depth: usize) -> bool {
        let max_fields = if depth < MAX_FIELD_DEPTH { MAX_FIELDS } else { FEW_FIELDS };
        depth >= MAX_DEPTH_OF_FEW || self.fields >= max_fields
    }

    /// Alternatives with those choices opened that stand directly inside, each schema once.
    fn flat(&self, union: &[Alternative<'a>], id: FieldId) -> Vec<AlternativeFacts<'a>> {
        let mut flat = Vec::new();
        self.flatten(union, id, &[], &mut flat, &mut FxHashSet::default());
        flat
    }

    fn flatten(
        &self,
        union: &[Alternative<'a>],
        id: FieldId,
        outer: &[DiscriminatorMark<'a>],
        flat: &mut Vec<AlternativeFacts<'a>>,
        seen: &mut FxHashSet<(usize, Vec<Option<&'a str>>)>,
    ) {
        for alternative in union {
            let facts = self.schemas.facts(&alternative.schema);
            // a value stands for all alternatives inside of what it stands for
            let marks = [outer, &[alternative.mark]].concat();
            let values = marks.iter().map(|mark| mark.value).filter(Option::is_some).collect();
            if flat.len() >= MAX_CHOICES || !seen.insert((Arc::as_ptr(&facts).addr(), values)) {
                continue;
            }
            let has_fields = !facts.properties.is_empty() || facts.maps.iter().any(|map| !self.is_of_any(map));
            let is_choice = facts.unions.len() == 1 && !has_fields && !facts.is_array();
            if is_choice && outer.len() < MAX_FLAT_DEPTH && !self.repeats(&facts, Some(id)) {
                self.flatten(&facts.unions[0], id, &marks, flat, seen);
            } else {
                flat.push((facts, marks));
            }
        }
    }

    fn open_union(&mut self, id: FieldId, alternatives: Vec<AlternativeFacts<'a>>, queue: &mut Vec<FieldId>) {
        let is_bare = |facts: &SchemaFacts<'a>| {
            facts.properties.is_empty() && facts.unions.is_empty() && facts.maps.iter().all(|map| self.is_of_any(map))
        };
        let is_plain = alternatives.iter().all(|(facts, _)| is_bare(facts));
        self.refine(id, &alternatives);
        if is_plain {
            // alternatives that only name what is required say nothing of values
            if !alternatives.iter().all(|(facts, _)| facts.types.is_empty() && facts.values.is_empty()) {
                self.nodes[id.0].plain.extend(alternatives.into_iter().map(|(facts, _)| facts));
            } else if alternatives.iter().any(|(facts, _)| !facts.required.is_empty()) {
                let choice = alternatives.iter().map(|(facts, _)| sorted_names(facts.required.iter().copied()));
                let choice = choice.filter(|names| !names.is_empty()).collect();
                self.nodes[id.0].required_choices.push(choice);
            }
            return;
        }
        if self.is_full(self.nodes[id.0].depth) || self.alternatives + alternatives.len() > MAX_ALTERNATIVES {
            self.nodes[id.0].cut = FieldsCut::TooDeep;
            return;
        }
        self.alternatives += alternatives.len();
        let (direction, depth) = (self.directions[id.0], self.nodes[id.0].depth);
        self.require_elsewhere(id, &alternatives);
        let mut union = Vec::with_capacity(alternatives.len());
        for (facts, mut outer_marks) in alternatives {
            let mark = outer_marks.pop().unwrap_or_default();
            let node = FieldNode { mark, outer_marks, parent: Some(id), depth, ..new_node("", facts) };
            union.push(self.push(node, direction));
        }
        self.nodes[id.0].unions.push(union.clone());
        for alternative in union {
            self.require_around(alternative, id);
            self.open(alternative, queue);
            self.keep_choices_apart(alternative);
        }
    }

    /// Whether a map says nothing of its values.
    fn is_of_any(&self, map: &MapValues<'a>) -> bool {
        map.pattern.is_none() && self.schemas.facts(&map.schema).is_any()
    }

    /// An alternative that is an array of alternatives gets a field for its items: without it, the alternatives of the
    /// items look as if they were further ones beside the array.
    fn keep_choices_apart(&mut self, id: FieldId) {
        let FieldNode { facts, children, unions, depth, .. } = &self.nodes[id.0];
        let Some(item) = facts.item.clone().filter(|_| children.is_empty() && !unions.is_empty()) else { return };
        let node =
            FieldNode { slot: Some(ArraySlot::Item), parent: Some(id), depth: depth + 1, ..new_node(UNNAMED, item) };
        let direction = self.directions[id.0];
        let child = self.push(node, direction);
        self.nodes[id.0].children.push(child);
    }

    /// Says what a schema requires that only its alternatives describe.
    fn require_elsewhere(&mut self, id: FieldId, alternatives: &[AlternativeFacts<'a>]) {
        let facts = &self.nodes[id.0].facts;
        let is_own = |name: &str| facts.properties.get(name).is_some();
        let is_theirs = |name: &str| alternatives.iter().any(|(facts, _)| facts.properties.get(name).is_some());
        let names = facts.required.iter().copied().filter(|name| !is_own(name) && is_theirs(name));
        let names = sorted_names(names.chain(self.nodes[id.0].also_required.iter().copied()));
        self.nodes[id.0].also_required = names;
    }

    /// Says what an alternative requires that only the schema around it describes.
    fn require_around(&mut self, alternative: FieldId, id: FieldId) {
        let facts = &self.nodes[alternative.0].facts;
        let is_own = |name: &str| facts.properties.get(name).is_some();
        let around = self.nodes[id.0].children.iter().map(|child| &self.nodes[child.0]);
        let names = around.filter(|node| !node.is_required && facts.required.contains(node.name));
        let names = sorted_names(names.map(|node| node.name).filter(|name| !is_own(name)));
        self.nodes[alternative.0].also_required = names;
    }

    /// Says of the fields beside a choice what all its alternatives say of them: that they must be there, and which
    /// values they may have.
    fn refine(&mut self, id: FieldId, alternatives: &[AlternativeFacts<'a>]) {
        for child in self.nodes[id.0].children.clone() {
            let name = self.nodes[child.0].name;
            self.nodes[child.0].is_required |= alternatives.iter().all(|(facts, _)| facts.required.contains(name));
            if !self.nodes[child.0].facts.values.is_empty() {
                continue;
            }
            let values = alternatives.iter().map(|(facts, _)| {
                let schema = facts.properties.get(name)?;
                Some(self.schemas.facts(schema).values.clone()).filter(|values| !values.is_empty())
            });
            let Some(lists) = values.collect::<Option<Vec<_>>>() else { continue };
            for value in lists.into_iter().flatten() {
                let known = &mut self.nodes[child.0].refined_values;
                if !known.contains(&value) && known.len() < MAX_CHOICES {
                    known.push(value);
                }
            }
        }
    }

    /// The schemas that they are made of.
    pub(crate) fn schemas(&self) -> &'s Schemas<'a> {
        self.schemas
    }

    /// What readers know an alternative by.
    pub(crate) fn label(&self, id: FieldId, number: usize) -> String {
        let node = self.node(id);
        let item = node.facts.item.as_ref();
        let named = node
            .facts
            .title
            .or(node.mark.value)
            .map(str::to_owned)
            .or_else(|| node.facts.name.clone())
            .or_else(|| item?.title.map(str::to_owned))
            .or_else(|| Some(format!("{}[]", item?.name.clone()?)));
        named.or_else(|| self.telling_value(id)).unwrap_or_else(|| {
            let types = type_text(&node.facts, self.schemas);
            match &*types {
                "any" if !node.facts.required.is_empty() => {
                    sorted_names(node.facts.required.iter().copied()).join(" + ")
                }
                "object" | "any" => format!("{types} {number}"),
                types => types.to_owned(),
            }
        })
    }

    /// The only value of a field that tells an alternative from others: `type: "card"`.
    fn telling_value(&self, id: FieldId) -> Option<String> {
        let node = self.node(id);
        let mut fields = node.children.iter().map(|child| self.node(*child));
        fields.find_map(|field| match field.facts.values.as_slice() {
            [serde_json::Value::String(text)] if field.is_required => Some(text.clone()),
            _ => None,
        })
    }

    /// The type of a field, alternative or root in words.
    pub(crate) fn type_text(&self, id: FieldId) -> Arc<str> {
        let node = self.node(id);
        if node.facts.is_any() && node.parameter.as_ref().is_some_and(|parameter| parameter.is_text) {
            return JsonType::String.name().into();
        }
        type_text(&node.facts, self.schemas)
    }
}

/// Names in an order that does not depend on how they are kept, each once.
fn sorted_names<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names.dedup();
    names
}

impl<'a> FieldNode<'a> {
    /// Its name as readers see it.
    pub(crate) fn shown_name(&self) -> Cow<'a, str> {
        match self.slot {
            None => self.name.into(),
            Some(ArraySlot::Item) => "[]".into(),
            Some(ArraySlot::At(at)) => format!("[{at}]").into(),
        }
    }
}

fn new_node<'a>(name: &'a str, facts: Arc<SchemaFacts<'a>>) -> FieldNode<'a> {
    FieldNode {
        name,
        is_required: false,
        description: None,
        is_deprecated: facts.is_deprecated,
        example: None,
        example_label: "",
        other_examples: Vec::new(),
        parameter: None,
        mark: DiscriminatorMark::default(),
        outer_marks: Vec::new(),
        refined_values: Vec::new(),
        slot: None,
        also_required: Vec::new(),
        required_choices: Vec::new(),
        pattern: None,
        sent_as: None,
        children: Vec::new(),
        unions: Vec::new(),
        plain: Vec::new(),
        cut: FieldsCut::Whole,
        parent: None,
        depth: 0,
        facts,
    }
}

/// Arrays inside each other, and alternatives inside each other, that a type says in words.
const MAX_TYPE_DEPTH: usize = 4;
/// Types that a type in words lists.
const MAX_TYPES: usize = 6;
/// Schemas that are looked at for one type in words.
const MAX_TYPE_SCHEMAS: usize = 1_000;

/// A type in words: `string<uuid>`, `object[]`, `enum<string>`, `string | integer | null`.
pub(crate) fn type_text<'a>(facts: &SchemaFacts<'a>, schemas: &Schemas<'a>) -> Arc<str> {
    let make = || {
        let mut types = Types { is_nullable: facts.is_nullable, ..Types::default() };
        types.collect(facts, schemas, 0);
        if types.words.is_empty() && !facts.is_null {
            types.words.push("any".to_owned());
        }
        types.words().join(" | ").into()
    };
    Arc::clone(facts.type_text.get_or_init(make))
}

/// The types of a schema and its alternatives.
#[derive(Default)]
struct Types {
    words: Vec<String>,
    is_nullable: bool,
    /// Schemas that were looked at: alternatives may lead to each other in more ways than can be followed.
    seen: FxHashSet<usize>,
    /// How many schemas were looked at, those of items too.
    looked_at: usize,
}

impl Types {
    /// The words that are shown.
    fn words(mut self) -> Vec<String> {
        self.words.truncate(MAX_TYPES);
        if self.is_nullable {
            self.words.push("null".to_owned());
        }
        self.words
    }

    fn collect<'a>(&mut self, facts: &SchemaFacts<'a>, schemas: &Schemas<'a>, depth: usize) {
        self.is_nullable |= facts.is_null;
        for kind in &facts.types {
            let word = match kind {
                JsonType::Array => self.item_text(facts, schemas, depth),
                JsonType::String | JsonType::Integer | JsonType::Number | JsonType::Boolean if is_enum(facts) => {
                    format!("enum<{}>", kind.name())
                }
                JsonType::String | JsonType::Integer | JsonType::Number => {
                    match facts.format.filter(|format| is_format_word(format)) {
                        Some(format) => format!("{}<{format}>", kind.name()),
                        None => kind.name().to_owned(),
                    }
                }
                kind => kind.name().to_owned(),
            };
            if self.words.len() < MAX_TYPES && !self.words.contains(&word) {
                self.words.push(word);
            }
        }
        if facts.is_array() || depth >= MAX_TYPE_DEPTH {
            return;
        }
        for alternative in facts.unions.iter().flatten() {
            self.looked_at += 1;
            if self.looked_at > MAX_TYPE_SCHEMAS {
                return;
            }
            let facts = schemas.facts(&alternative.schema);
            if self.seen.insert(Arc::as_ptr(&facts).addr()) {
                self.collect(&facts, schemas, depth + 1);
                self.is_nullable |= facts.is_nullable;
            }
        }
    }

    /// What an array holds: `string[]`, `(string | null)[]`.
    fn item_text<'a>(&mut self, facts: &SchemaFacts<'a>, schemas: &Schemas<'a>, depth: usize) -> String {
        let Some(item) = facts.item.as_ref().filter(|_| depth < MAX_TYPE_DEPTH) else { return "any[]".to_owned() };
        let mut types = Self { is_nullable: item.is_nullable, looked_at: self.looked_at, ..Self::default() };
        types.collect(item, schemas, depth + 1);
        self.looked_at = types.looked_at;
        match types.words().as_slice() {
            [] => "any[]".to_owned(),
            [word] => format!("{word}[]"),
            words => format!("({})[]", words.join(" | ")),
        }
    }
}

/// Whether a field is shown as one of a list of values.
fn is_enum(facts: &SchemaFacts<'_>) -> bool {
    !facts.values.is_empty() && !facts.is_const && !facts.is_array()
}

/// Whether a format can stand in angle brackets.
fn is_format_word(format: &str) -> bool {
    format.len() <= 40 && !format.contains(['<', '>', '\n', ' '])
}
