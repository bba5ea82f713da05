//! A schema at a glance, in the notation of TypeScript: names, types, what may be left out.

use serde_json::Value;

use super::fields::{BodyFields, FieldId, FieldNode};

/// Lines of an outline; what follows is left out.
const MAX_OUTLINE_LINES: usize = 200;
/// Values of a field that stand in its line.
const MAX_LISTED_VALUES: usize = 8;
/// What stands for the rest.
const REST: &str = "…";

/// The outline of a body or a schema, called by the name of its schema, or else by this one.
pub(crate) fn schema_outline(fields: &BodyFields<'_, '_>, root: FieldId, fallback: &str) -> String {
    let named = fields.node(root).facts.name.as_deref().map(type_name).filter(|name| !name.is_empty());
    let start = format!("type {} = ", named.unwrap_or_else(|| type_name(fallback)));
    let mut outline = Outline { fields, out: start, lines: 1 };
    outline.value(root, 0);
    outline.out
}

struct Outline<'f, 'a, 's> {
    fields: &'f BodyFields<'a, 's>,
    out: String,
    lines: usize,
}

impl Outline<'_, '_, '_> {
    /// Writes what a field, an alternative or a root may be.
    fn value(&mut self, id: FieldId, depth: usize) {
        let fields = self.fields;
        let node = fields.node(id);
        let types = fields.type_text(id);
        let has_block = node.children.iter().any(|child| fields.node(*child).slot.is_none());
        if let Some(values) = listed_values(node).filter(|_| !has_block && node.unions.is_empty()) {
            return self.out.push_str(&values);
        }
        // `object[] | null` is the block of its fields, and what stands around the word
        let (before, after) = match types.split_once("object") {
            Some(parts) if has_block => parts,
            _ if has_block => ("", ""),
            _ if !node.unions.is_empty() => ("", array_marks(&types)),
            _ => return self.out.push_str(&types),
        };
        self.out.push_str(before);
        if has_block {
            self.block(node, depth);
        }
        for union in &node.unions {
            self.out.push_str(if has_block { " & (" } else { "(" });
            for (at, alternative) in union.iter().enumerate() {
                if at > 0 {
                    self.out.push_str(" | ");
                }
                if self.lines >= MAX_OUTLINE_LINES {
                    self.out.push_str(REST);
                    break;
                }
                self.value(*alternative, depth);
            }
            self.out.push(')');
        }
        self.out.push_str(after);
    }

    /// Writes the fields of an object, one a line.
    fn block(&mut self, node: &FieldNode<'_>, depth: usize) {
        self.out.push_str("{\n");
        for child in &node.children {
            self.indent(depth + 1);
            if self.lines >= MAX_OUTLINE_LINES {
                self.out.push_str(REST);
                self.out.push('\n');
                break;
            }
            self.lines += 1;
            let field = self.fields.node(*child);
            match field.name {
                "{key}" => self.out.push_str("[key: string]"),
                name if is_plain_name(name) => self.out.push_str(name),
                name => self.out.push_str(&Value::from(name).to_string()),
            }
            self.out.push_str(if field.is_required || field.name == "{key}" { ": " } else { "?: " });
            self.value(*child, depth + 1);
            self.out.push('\n');
        }
        self.indent(depth);
        self.out.push('}');
        self.lines += 1;
    }

    fn indent(&mut self, depth: usize) {
        self.out.push_str(&"  ".repeat(depth));
    }
}

/// The values that a field may have, if they are listed and it is no array of them.
fn listed_values(node: &FieldNode<'_>) -> Option<String> {
    let facts = &node.facts;
    if facts.values.is_empty() || facts.item.is_some() {
        return None;
    }
    let mut values: Vec<String> = facts.values.iter().take(MAX_LISTED_VALUES).map(|value| value.to_string()).collect();
    if facts.values.len() > MAX_LISTED_VALUES {
        values.push(REST.to_owned());
    }
    if facts.is_nullable && !values.iter().any(|value| value == "null") {
        values.push("null".to_owned());
    }
    Some(values.join(" | "))
}

/// The `[]` of a type that is an array of alternatives.
fn array_marks(types: &str) -> &str {
    if types.ends_with("[]") { "[]" } else { "" }
}

/// A name as types have it.
fn type_name(name: &str) -> String {
    let name: String = name.chars().filter(|c| c.is_alphanumeric() || *c == '_').collect();
    name.trim_start_matches(|c: char| c.is_numeric()).to_owned()
}

/// Whether a name needs no quotes.
fn is_plain_name(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || matches!(c, '_' | '$'))
        && chars.all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'))
}
