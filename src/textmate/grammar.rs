//! A grammar file as rules. References to other grammars stay names until a scanner needs them, so only what is used is
//! loaded.

use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

use super::pattern::GrammarPattern;
use super::selector::Selector;

/// A grammar, as a number that all threads share.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct GrammarId(pub u16);

/// A rule of a grammar.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct RuleId {
    pub grammar: GrammarId,
    pub index: u32,
}

/// Where grammars come from.
pub trait Grammars: Sync {
    /// The grammar of a scope (`source.js`), whether it is loaded yet or not.
    fn id(&self, scope: &str) -> Option<GrammarId>;
    /// A grammar; `None` if it cannot be read.
    fn grammar(&self, id: GrammarId) -> Option<&Grammar>;
    /// Grammars that go into a language by their own selectors.
    fn injected(&self, root: GrammarId) -> &[GrammarId];
}

/// A compiled grammar file.
pub struct Grammar {
    pub(super) rules: Vec<GrammarRule>,
    pub(super) repository: FxHashMap<Box<str>, u32>,
    pub(super) injections: Vec<(Selector, u32)>,
    /// Where it applies when it is injected into another.
    pub(super) injection_selectors: Vec<Selector>,
}

/// Index of the rule that stands for the whole grammar.
pub(super) const ROOT: u32 = 0;

pub(super) struct GrammarRule {
    pub name: Option<ScopeName>,
    pub content_name: Option<ScopeName>,
    pub kind: RuleKind,
    /// All that it includes is missing: as if it were not there.
    pub hollow: bool,
}

pub(super) enum RuleKind {
    Match {
        pattern: Arc<GrammarPattern>,
        captures: Captures,
    },
    Include {
        entries: Vec<RuleInclude>,
    },
    BeginEnd {
        begin: Arc<GrammarPattern>,
        begin_captures: Captures,
        end: Arc<GrammarPattern>,
        end_captures: Captures,
        end_last: bool,
        entries: Vec<RuleInclude>,
    },
    BeginWhile {
        begin: Arc<GrammarPattern>,
        begin_captures: Captures,
        condition: Arc<GrammarPattern>,
        while_captures: Captures,
        entries: Vec<RuleInclude>,
    },
}

impl GrammarRule {
    pub(super) fn entries(&self) -> &[RuleInclude] {
        match &self.kind {
            RuleKind::Match { .. } => &[],
            RuleKind::Include { entries }
            | RuleKind::BeginEnd { entries, .. }
            | RuleKind::BeginWhile { entries, .. } => entries,
        }
    }
}

/// What a rule includes.
pub(super) enum RuleInclude {
    Rule(u32),
    Whole,
    Base,
    Other { scope: Box<str>, name: Option<Box<str>> },
    Missing,
}

/// By capture number.
pub(super) type Captures = Vec<Option<Capture>>;

pub(super) struct Capture {
    pub name: Option<ScopeName>,
    pub content_name: Option<ScopeName>,
    /// The captured text is tokenized again with this rule.
    pub again: Option<u32>,
}

/// Scope names, space-separated, perhaps with `$1` in them.
pub(super) struct ScopeName {
    pub text: Arc<str>,
    pub captures: bool,
}

impl ScopeName {
    fn of(value: Option<&Value>) -> Option<Self> {
        let text = value?.as_str().filter(|text| !text.trim().is_empty())?;
        let bytes = text.as_bytes();
        let captures = bytes.windows(2).any(|pair| pair[0] == b'$' && (pair[1] == b'{' || pair[1].is_ascii_digit()));
        Some(Self { text: text.into(), captures })
    }
}

/// A rule as the file has it, waiting to be compiled.
struct PendingRule<'a> {
    index: usize,
    raw: &'a Map<String, Value>,
    repository: usize,
    /// A capture compiles to a rule of its patterns alone.
    only_patterns: bool,
}

/// Compiles without recursion: references put rules into a queue.
struct Compiler<'a> {
    rules: Vec<Option<GrammarRule>>,
    known: FxHashMap<(usize, bool), u32>,
    queue: VecDeque<PendingRule<'a>>,
    /// Repositories, each with the one around it.
    repositories: Vec<(Option<usize>, &'a Map<String, Value>)>,
}

impl Grammar {
    /// Compiles a grammar file. The error says what is wrong with it.
    pub fn compile(json: &str, exists: &dyn Fn(&str) -> bool) -> Result<Self, String> {
        let raw: Value = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let raw = raw.as_object().ok_or("a grammar must be an object")?;
        if raw.get("scopeName").and_then(Value::as_str).is_none() {
            return Err("`scopeName` is missing".to_owned());
        }
        let empty = Map::new();
        let repository = raw.get("repository").and_then(Value::as_object).unwrap_or(&empty);
        let mut compiler = Compiler {
            rules: Vec::new(),
            known: FxHashMap::default(),
            queue: VecDeque::new(),
            repositories: vec![(None, repository)],
        };
        compiler.rule(raw, 0, true);
        let mut named = FxHashMap::default();
        for (name, raw) in repository {
            if let Some(raw) = raw.as_object() {
                named.insert(name.as_str().into(), compiler.rule(raw, 0, false));
            }
        }
        let mut injections = Vec::new();
        for (selector, raw) in raw.get("injections").and_then(Value::as_object).unwrap_or(&empty) {
            if let Some(raw) = raw.as_object() {
                let rule = compiler.rule(raw, 0, false);
                injections.extend(Selector::parse_all(selector).into_iter().map(|selector| (selector, rule)));
            }
        }
        while let Some(waiting) = compiler.queue.pop_front() {
            compiler.compile(&waiting);
        }
        let mut rules: Vec<GrammarRule> =
            compiler.rules.into_iter().map(|rule| rule.unwrap_or_else(GrammarRule::nothing)).collect();
        // the root names its scope when it is pushed; as an include it never is
        rules[ROOT as usize].name = ScopeName::of(raw.get("scopeName"));
        mark_hollow(&mut rules, exists);
        let injection_selectors =
            raw.get("injectionSelector").and_then(Value::as_str).map(Selector::parse_all).unwrap_or_default();
        Ok(Self { rules, repository: named, injections, injection_selectors })
    }
}

impl GrammarRule {
    fn nothing() -> Self {
        Self { name: None, content_name: None, kind: RuleKind::Include { entries: Vec::new() }, hollow: false }
    }
}

/// A rule whose includes are all missing is skipped: a Markdown fence in a language without a grammar is then a plain
/// fence.
fn mark_hollow(rules: &mut [GrammarRule], exists: &dyn Fn(&str) -> bool) {
    loop {
        let found: Vec<usize> = (0..rules.len())
            .filter(|&index| !rules[index].hollow && !rules[index].entries().is_empty())
            .filter(|&index| {
                rules[index].entries().iter().all(|entry| match entry {
                    RuleInclude::Missing => true,
                    RuleInclude::Rule(inner) => rules[*inner as usize].hollow,
                    RuleInclude::Other { scope, .. } => !exists(scope),
                    RuleInclude::Whole | RuleInclude::Base => false,
                })
            })
            .collect();
        if found.is_empty() {
            return;
        }
        for index in found {
            rules[index].hollow = true;
        }
    }
}

impl<'a> Compiler<'a> {
    /// The number of a rule; it is compiled later.
    fn rule(&mut self, raw: &'a Map<String, Value>, repository: usize, only_patterns: bool) -> u32 {
        let key = (std::ptr::from_ref(raw).addr(), only_patterns);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let index = self.rules.len();
        self.rules.push(None);
        self.queue.push_back(PendingRule { index, raw, repository, only_patterns });
        self.known.insert(key, index as u32);
        index as u32
    }

    fn compile(&mut self, waiting: &PendingRule<'a>) {
        let raw = waiting.raw;
        let mut repository = waiting.repository;
        let text = |key: &str| raw.get(key).and_then(Value::as_str);
        let kind = if waiting.only_patterns {
            RuleKind::Include { entries: self.entries(raw, repository) }
        } else if let Some(pattern) = text("match") {
            RuleKind::Match {
                pattern: GrammarPattern::shared(pattern),
                captures: self.captures(raw.get("captures"), repository),
            }
        } else if let Some(begin) = text("begin") {
            let begin_captures = self.captures(raw.get("beginCaptures").or_else(|| raw.get("captures")), repository);
            let begin = GrammarPattern::shared(begin);
            let entries = self.entries(raw, repository);
            if let Some(condition) = text("while") {
                let while_captures =
                    self.captures(raw.get("whileCaptures").or_else(|| raw.get("captures")), repository);
                RuleKind::BeginWhile {
                    begin,
                    begin_captures,
                    condition: GrammarPattern::shared(condition),
                    while_captures,
                    entries,
                }
            } else {
                let end_captures = self.captures(raw.get("endCaptures").or_else(|| raw.get("captures")), repository);
                let end = GrammarPattern::shared(text("end").unwrap_or(GrammarPattern::NEVER));
                let end_last = raw
                    .get("applyEndPatternLast")
                    .is_some_and(|flag| flag.as_bool().unwrap_or(flag.as_u64() == Some(1)));
                RuleKind::BeginEnd { begin, begin_captures, end, end_captures, end_last, entries }
            }
        } else {
            if let Some(own) = raw.get("repository").and_then(Value::as_object) {
                self.repositories.push((Some(repository), own));
                repository = self.repositories.len() - 1;
            }
            RuleKind::Include { entries: self.entries(raw, repository) }
        };
        let (name, content_name) = (ScopeName::of(raw.get("name")), ScopeName::of(raw.get("contentName")));
        self.rules[waiting.index] = Some(GrammarRule { name, content_name, kind, hollow: false });
    }

    fn entries(&mut self, raw: &'a Map<String, Value>, repository: usize) -> Vec<RuleInclude> {
        let Some(patterns) = raw.get("patterns").and_then(Value::as_array) else {
            return match raw.get("include").and_then(Value::as_str) {
                Some(include) => vec![self.include(include, repository)],
                None => Vec::new(),
            };
        };
        let mut entries = Vec::with_capacity(patterns.len());
        for pattern in patterns.iter().filter_map(Value::as_object) {
            entries.push(match pattern.get("include").and_then(Value::as_str) {
                Some(include) => self.include(include, repository),
                None => RuleInclude::Rule(self.rule(pattern, repository, false)),
            });
        }
        entries
    }

    fn include(&mut self, include: &str, repository: usize) -> RuleInclude {
        match include {
            "$self" => return RuleInclude::Whole,
            "$base" => return RuleInclude::Base,
            _ => {}
        }
        let Some((scope, name)) = include.split_once('#') else {
            return RuleInclude::Other { scope: include.into(), name: None };
        };
        if !scope.is_empty() {
            return RuleInclude::Other { scope: scope.into(), name: Some(name.into()) };
        }
        let mut at = Some(repository);
        while let Some(index) = at {
            let (outer, rules) = self.repositories[index];
            if let Some(raw) = rules.get(name).and_then(Value::as_object) {
                return RuleInclude::Rule(self.rule(raw, index, false));
            }
            at = outer;
        }
        RuleInclude::Missing
    }

    fn captures(&mut self, raw: Option<&'a Value>, repository: usize) -> Captures {
        let mut captures: Captures = Vec::new();
        let mut set = |number: usize, raw: &'a Value, compiler: &mut Self| {
            let Some(raw) = raw.as_object().filter(|_| number < 256) else { return };
            let again = raw.contains_key("patterns").then(|| compiler.rule(raw, repository, true));
            if captures.len() <= number {
                captures.resize_with(number + 1, || None);
            }
            captures[number] = Some(Capture {
                name: ScopeName::of(raw.get("name")),
                content_name: ScopeName::of(raw.get("contentName")),
                again,
            });
        };
        match raw {
            Some(Value::Object(by_number)) => {
                for (number, raw) in by_number {
                    if let Ok(number) = number.parse() {
                        set(number, raw, self);
                    }
                }
            }
            Some(Value::Array(in_order)) => {
                in_order.iter().enumerate().for_each(|(number, raw)| set(number, raw, self))
            }
            _ => {}
        }
        captures
    }
}
