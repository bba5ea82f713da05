//! Stacks of scopes (`source.js meta.function.js keyword.control`), interned, each with its look in every theme.

use std::cmp::Reverse;
use std::sync::{Arc, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use base::cut::SliceText as _;

use super::selector::{Selector, is_or_is_within};

/// An interned stack of scopes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StackId(pub(super) u32);

/// How a theme shows a token: a color of its palette (0 is the ink) and font bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct TokenLook {
    /// Its number in the palette.
    pub color: u8,
    /// `Font` bits.
    pub font: u8,
}

/// How the light and the dark theme show a token.
pub type Looks = [TokenLook; 2];

/// A rule of a theme, for one selector.
#[derive(Clone, Debug)]
pub struct ThemeRule {
    /// `meta.tag > string.quoted`, outermost first.
    pub selector: String,
    /// The color that it sets.
    pub color: Option<u8>,
    /// The `Font` bits that it sets.
    pub font: Option<u8>,
}

/// A theme, indexed by scope.
pub struct TokenTheme {
    /// By scope prefix (`string`, `string.quoted`): the rules that hold there, most specific first.
    rules: FxHashMap<String, Vec<Resolved>>,
}

#[derive(Clone, Default)]
struct Resolved {
    depth: usize,
    /// Innermost first; `>` binds to the scope directly outside.
    parents: Vec<String>,
    color: Option<u8>,
    font: Option<u8>,
}

impl TokenTheme {
    /// Indexes rules. Later rules win over earlier ones of equal weight.
    pub fn new(rules: &[ThemeRule]) -> Self {
        let mut sorted: Vec<(&str, Vec<&str>, usize)> = Vec::with_capacity(rules.len());
        for (order, rule) in rules.iter().enumerate() {
            let mut parts: Vec<&str> = rule.selector.split_whitespace().collect();
            if let Some(scope) = parts.pop() {
                parts.reverse();
                sorted.push((scope, parts, order));
            }
        }
        // shorter scopes first, so that longer ones inherit from them
        sorted.sort_by(|a, b| (a.0, a.1.len(), &a.1, a.2).cmp(&(b.0, b.1.len(), &b.1, b.2)));
        let mut theme = Self { rules: FxHashMap::default() };
        for (scope, parents, order) in sorted {
            theme.insert(scope, &parents, &rules[order]);
        }
        theme
    }

    fn insert(&mut self, scope: &str, parents: &[&str], rule: &ThemeRule) {
        // every prefix has an entry that starts as its parent's
        let mut inherited = vec![Resolved::default()];
        for (at, _) in scope.match_indices('.').chain(std::iter::once((scope.len(), ""))) {
            inherited = self.rules.entry(scope.slice(..at).to_owned()).or_insert_with(|| inherited).clone();
        }
        let Some(here) = self.rules.get_mut(scope) else { return };
        let depth = scope.split('.').count();
        let at = here
            .iter()
            .position(|known| known.parents.iter().map(String::as_str).eq(parents.iter().copied()))
            .unwrap_or_else(|| {
                let plain = here.iter().find(|known| known.parents.is_empty()).cloned().unwrap_or_default();
                here.push(Resolved { parents: parents.iter().map(|&part| part.to_owned()).collect(), ..plain });
                here.len() - 1
            });
        let target = &mut here[at];
        target.depth = depth;
        target.color = rule.color.or(target.color);
        target.font = rule.font.or(target.font);
        here.sort_by_key(|rule| Reverse(rule_specificity(rule)));
    }

    /// The look of the innermost scope of a stack (outermost first), given the look of those around it.
    fn look(&self, stack: &[Arc<str>], around: TokenLook) -> TokenLook {
        let Some((scope, outer)) = stack.split_last() else { return around };
        let mut prefix: &str = scope;
        let rules = loop {
            if let Some(rules) = self.rules.get(prefix) {
                break rules;
            }
            match prefix.rfind('.') {
                Some(dot) => prefix = prefix.slice(..dot),
                None => return around,
            }
        };
        match rules.iter().find(|rule| holds_within(&rule.parents, outer)) {
            Some(rule) => {
                TokenLook { color: rule.color.unwrap_or(around.color), font: rule.font.unwrap_or(around.font) }
            }
            None => around,
        }
    }
}

/// What makes one rule more specific than another: depth, then the lengths of its parents, then their number.
fn rule_specificity(rule: &Resolved) -> (usize, Vec<usize>, usize) {
    let lengths = rule.parents.iter().filter(|parent| *parent != ">").map(String::len).collect();
    (rule.depth, lengths, rule.parents.len())
}

fn holds_within(parents: &[String], outer: &[Arc<str>]) -> bool {
    let mut rest = outer;
    let mut direct = false;
    for parent in parents {
        if parent == ">" {
            direct = true;
            continue;
        }
        let found = rest.iter().rposition(|scope| is_or_is_within(scope, parent));
        match found {
            Some(at) if !direct || at + 1 == rest.len() => rest = &rest[..at],
            _ => return false,
        }
        direct = false;
    }
    true
}

/// All stacks seen so far.
pub struct ScopeStacks {
    themes: [TokenTheme; 2],
    inner: RwLock<ScopesInner>,
}

struct ScopesInner {
    nodes: Vec<ScopeNode>,
    children: FxHashMap<(StackId, Arc<str>), StackId>,
}

struct ScopeNode {
    parent: StackId,
    scope: Arc<str>,
    looks: Looks,
}

/// Stacks that are kept; beyond, scopes made of captured text (`entity.name.tag.$1`) are dropped.
const STACKS: usize = 200_000;
/// Longest scope made of captured text, bytes.
const SCOPE_BYTES: usize = 120;

impl ScopeStacks {
    /// The stack without scopes.
    pub(super) const EMPTY: StackId = StackId(0);

    /// The stacks of scopes, with how the light and the dark theme show them.
    pub fn new(themes: [TokenTheme; 2]) -> Self {
        let root = ScopeNode { parent: Self::EMPTY, scope: "".into(), looks: Looks::default() };
        Self { themes, inner: RwLock::new(ScopesInner { nodes: vec![root], children: FxHashMap::default() }) }
    }

    /// The stack with the scopes of `names`, space-separated, on top.
    pub fn push(&self, parent: StackId, names: &str) -> StackId {
        names
            .split(' ')
            .filter(|scope| !scope.is_empty() && scope.len() <= SCOPE_BYTES)
            .fold(parent, |parent, scope| self.push_one(parent, scope))
    }

    fn push_one(&self, parent: StackId, scope: &str) -> StackId {
        let key = (parent, Arc::<str>::from(scope));
        if let Some(&known) = self.inner.read().unwrap_or_else(PoisonError::into_inner).children.get(&key) {
            return known;
        }
        let mut inner = self.inner.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(&known) = inner.children.get(&key) {
            return known;
        }
        if inner.nodes.len() >= STACKS {
            return parent;
        }
        let mut stack = inner.path(parent);
        stack.push(key.1.clone());
        let around = inner.nodes[parent.0 as usize].looks;
        let looks = [self.themes[0].look(&stack, around[0]), self.themes[1].look(&stack, around[1])];
        let id = StackId(inner.nodes.len() as u32);
        inner.nodes.push(ScopeNode { parent, scope: key.1.clone(), looks });
        inner.children.insert(key, id);
        id
    }

    /// How the themes show a stack.
    pub fn looks(&self, stack: StackId) -> Looks {
        self.inner.read().unwrap_or_else(PoisonError::into_inner).nodes[stack.0 as usize].looks
    }

    /// Whether a selector applies to a stack.
    pub(super) fn matches(&self, stack: StackId, selector: &Selector) -> bool {
        let path = self.inner.read().unwrap_or_else(PoisonError::into_inner).path(stack);
        selector.matches(&path.iter().map(|scope| &**scope).collect::<Vec<_>>())
    }
}

impl ScopesInner {
    /// Scopes of a stack, outermost first.
    fn path(&self, mut stack: StackId) -> Vec<Arc<str>> {
        let mut path = Vec::new();
        while stack != ScopeStacks::EMPTY {
            let node = &self.nodes[stack.0 as usize];
            path.push(node.scope.clone());
            stack = node.parent;
        }
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rules: &[(&str, u8)], stack: &str, color: u8) {
        let rules: Vec<ThemeRule> = rules
            .iter()
            .map(|&(selector, color)| ThemeRule { selector: selector.to_owned(), color: Some(color), font: None })
            .collect();
        let scopes = ScopeStacks::new([TokenTheme::new(&rules), TokenTheme::new(&[])]);
        assert_eq!(scopes.looks(scopes.push(ScopeStacks::EMPTY, stack))[0].color, color, "{stack}");
    }

    #[test]
    fn the_most_specific_rule_wins() {
        let rules = [
            ("string.quoted", 2),
            ("string", 1),
            ("meta string", 3),
            ("meta.x > string", 4),
            ("comment", 5),
            ("comment", 6),
        ];
        check(&rules, "source string", 1);
        check(&rules, "source string.quoted.double", 2);
        check(&rules, "meta a string.other", 3);
        check(&rules, "meta.x string", 4);
        check(&rules, "meta.x a string", 3);
        check(&rules, "source stringy", 0);
        check(&rules, "source comment.line", 6);
        check(&rules, "string variable", 1);
    }

    #[test]
    fn deeper_scopes_inherit_what_they_do_not_set() {
        let rules = [
            ThemeRule { selector: "a".into(), color: Some(7), font: None },
            ThemeRule { selector: "a.b".into(), color: None, font: Some(1) },
        ];
        let scopes = ScopeStacks::new([TokenTheme::new(&rules), TokenTheme::new(&[])]);
        assert_eq!(
            scopes.looks(scopes.push(ScopeStacks::EMPTY, "a.b.c")),
            [TokenLook { color: 7, font: 1 }, TokenLook::default()]
        );
    }
}
