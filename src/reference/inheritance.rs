//! Schemas that extend others by `allOf`: where the base has a discriminator, each of them is an alternative of it.
//! Generators of OpenAPI 3.0 and Swagger 2 write class hierarchies in this way, with and without a mapping.

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;

use super::document::{DescriptionDocument, DocumentMembers, member, object_reference};
use spec::FILES;

/// Schemas above one another that are looked at.
const MAX_SCHEMA_LEVELS: usize = 30;
/// Alternatives of one schema.
const MAX_CHILDREN: usize = 400;

/// A schema that extends another, with the value of the discriminator that stands for it: that of a mapping, or its
/// name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child<'a> {
    pub(super) schema: &'a Value,
    pub(super) value: &'a str,
    /// It is meant by values that stand for no other.
    pub(super) is_default: bool,
}

/// Which schemas of a description extend which, by the addresses of their members.
#[derive(Debug, Default)]
pub(super) struct Hierarchy<'a> {
    children: FxHashMap<usize, Vec<Child<'a>>>,
    parents: FxHashMap<usize, Vec<DocumentMembers<'a>>>,
}

fn address(members: DocumentMembers<'_>) -> usize {
    std::ptr::from_ref(members).addr()
}

impl<'a> Hierarchy<'a> {
    /// Reads the named schemas of a description and of the files that parts of it come from.
    pub(super) fn new(document: DescriptionDocument<'a>) -> Self {
        let mut found = Self::default();
        let named = |root: &'a Value| {
            let components = root.get("components").and_then(|it| it.get("schemas"));
            let schemas = [components, root.get("definitions")].into_iter().flatten().filter_map(Value::as_object);
            schemas.flatten().map(|(name, schema)| (name.as_str(), schema))
        };
        found.add(document, named(document.root()));
        for (path, file) in document.get(FILES).and_then(Value::as_object).into_iter().flatten() {
            let name = path.rsplit('/').next().unwrap_or(path);
            let stem = name.split('.').next().unwrap_or(name);
            found.add(document, named(file).chain([(stem, file)]));
        }
        found
    }

    fn add(&mut self, document: DescriptionDocument<'a>, schemas: impl Iterator<Item = (&'a str, &'a Value)>) {
        for (value, schema) in schemas {
            let Some(members) = schema.as_object() else { continue };
            for part in member(members, "allOf").and_then(Value::as_array).into_iter().flatten() {
                let base = part.as_object().and_then(object_reference).and_then(|reference| document.at(reference));
                let Some(base) = base.and_then(Value::as_object).filter(|base| !std::ptr::eq(*base, members)) else {
                    continue;
                };
                self.children.entry(address(base)).or_default().push(Child { schema, value, is_default: false });
                self.parents.entry(address(members)).or_default().push(base);
            }
        }
    }

    /// Whether a schema extends another that has a discriminator.
    pub(super) fn is_child(&self, members: DocumentMembers<'a>) -> bool {
        let mut bases = self.parents.get(&address(members)).into_iter().flatten();
        bases.any(|base| self.discriminator(base).is_some())
    }

    /// The name of the property that tells the schemas apart that extend one; and those, the mapped ones first.
    /// `within`: the schemas that are being read, of which none is an alternative of its own base.
    pub(super) fn children(
        &self,
        document: DescriptionDocument<'a>,
        base: DocumentMembers<'a>,
        within: &[usize],
    ) -> Option<(&'a str, Vec<Child<'a>>)> {
        if member(base, "oneOf").is_some() || member(base, "anyOf").is_some() {
            return None;
        }
        let direct = self.children.get(&address(base));
        let discriminator = self.discriminator(base)?;
        let mapping =
            discriminator.get("mapping").and_then(Value::as_object).filter(|_| own_discriminator(base).is_some());
        let target = |target: &'a Value| {
            let target = target.as_str()?;
            let by_name = || document.get("components")?.get("schemas")?.get(target);
            if target.contains(['#', '/']) { document.at(target) } else { by_name() }
        };
        let fallback = discriminator.get("defaultMapping").and_then(target).and_then(Value::as_object);
        let targets = mapping.into_iter().flatten();
        let targets =
            targets.filter_map(|(value, name)| Some(Child { schema: target(name)?, value, is_default: false }));
        let mut seen: FxHashSet<usize> = FxHashSet::from_iter([address(base)]);
        let mut found: Vec<Child<'a>> = targets.filter(|child| is_new(child.schema, &mut seen)).collect();
        let has_mapping = !found.is_empty();
        let mut open: Vec<Child<'a>> = direct.into_iter().flatten().copied().collect();
        let mut at = 0;
        let mut looked_at: FxHashSet<usize> = FxHashSet::default();
        while let Some(child) = open.get(at).copied().filter(|_| found.len() < MAX_CHILDREN) {
            at += 1;
            let Some(members) = child.schema.as_object().filter(|members| looked_at.insert(address(members))) else {
                continue;
            };
            let below = self.children.get(&address(members));
            // of a mapping, what only stands between is no value
            if is_new(child.schema, &mut seen) && !(has_mapping && below.is_some()) {
                found.push(child);
            }
            open.extend(below.into_iter().flatten().copied());
        }
        let is_within = within
            .iter()
            .any(|address| looked_at.contains(address) || *address != self::address(base) && seen.contains(address));
        if found.is_empty() || is_within {
            return None;
        }
        if let Some(fallback) = fallback {
            let is_it = |child: &Child<'a>| child.schema.as_object().is_some_and(|it| std::ptr::eq(it, fallback));
            found.iter_mut().filter(|child| is_it(child)).for_each(|child| child.is_default = true);
        }
        let name = discriminator.get("propertyName").and_then(Value::as_str).unwrap_or_default();
        Some((name, found))
    }

    /// The discriminator of a schema, or of one that it extends.
    fn discriminator(&self, base: DocumentMembers<'a>) -> Option<&'a Value> {
        let mut open = vec![base];
        let mut at = 0;
        while let Some(members) = open.get(at).copied().filter(|_| at < MAX_SCHEMA_LEVELS) {
            at += 1;
            if let Some(found) = own_discriminator(members) {
                return Some(found);
            }
            open.extend(self.parents.get(&address(members)).into_iter().flatten());
        }
        None
    }
}

fn own_discriminator(members: DocumentMembers<'_>) -> Option<&Value> {
    member(members, "discriminator").filter(|discriminator| discriminator.is_object())
}

fn is_new(schema: &Value, seen: &mut FxHashSet<usize>) -> bool {
    schema.as_object().is_some_and(|members| seen.insert(address(members)))
}
