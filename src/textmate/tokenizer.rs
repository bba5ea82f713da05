//! Lines to spans: the procedure of `vscode-textmate`.

use std::borrow::Cow;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use base::cut::SliceText as _;

use super::grammar::{Captures, GrammarId, ROOT, RuleId, RuleInclude, RuleKind, ScopeName};
use super::match_place::Groups;
use super::matcher::Matcher;
use super::pattern::GrammarPattern;
use super::scanner::{MatchAction, RegexSearch, RuleScanner, SearchStart};
use super::scope::{Looks, ScopeStacks, StackId};
use super::state::{RuleFrame, StateId, TokenizerShared};

/// A part of a line that looks the same throughout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// Where it ends, in bytes of the line.
    pub end: usize,
    /// How it looks.
    pub looks: Looks,
}

/// What tokenizers reuse: scanners, lookups, buffers.
#[derive(Default)]
pub struct Tools {
    scanners: Vec<RuleScanner>,
    known: FxHashMap<ScannerKey, usize>,
    pushed: FxHashMap<(StackId, usize), StackId>,
    looks: FxHashMap<StackId, Looks>,
    injections: FxHashMap<(GrammarId, StackId), u32>,
    injection_sets: Vec<Vec<(i8, RuleId)>>,
    spare_groups: Vec<Groups>,
    /// Patterns with captured text in them.
    captured: FxHashMap<String, Arc<GrammarPattern>>,
    matcher: Matcher,
    text: String,
    /// The open rules.
    stack: Vec<RuleFrame>,
    /// The spans of the line, so far.
    spans: Vec<Span>,
}

impl Tools {
    /// A pattern with captured text in it.
    fn captured(&mut self, source: String) -> Arc<GrammarPattern> {
        if self.captured.len() > CAPTURED {
            self.captured.clear();
        }
        self.captured.entry(source).or_insert_with_key(|source| GrammarPattern::shared(source)).clone()
    }
}

/// Tokenizes one block, line by line.
pub struct Tokenizer {
    tools: Tools,
    search: RegexSearch,
}

/// Entries of an open rule, with what a root language injects there. An end that depends on captured text is searched
/// for apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct ScannerKey {
    root: GrammarId,
    rule: RuleId,
    injections: u32,
    captured_end: bool,
}

/// Scanners that are kept; then all start over.
const SCANNERS: usize = 5_000;
/// What a pattern with captured text in it costs: it may be compiled for this one use.
const CAPTURED_WORK: u64 = 1_000;
/// Such patterns that are kept; then all start over.
const CAPTURED: usize = 100;
/// Open rules; code that nests deeper stays plain from there.
const OPEN_RULES: usize = 512;
/// Captures within captures that are tokenized again.
const CAPTURE_DEPTH: usize = 24;

/// One line in one language.
#[derive(Clone, Copy)]
struct TokenizerLine<'a> {
    shared: TokenizerShared<'a>,
    root: GrammarId,
    first: bool,
}

/// What a match captured.
#[derive(Clone, Copy)]
struct Captured<'a> {
    text: &'a str,
    groups: &'a Groups,
    /// Where the captures' own rules are.
    grammar: GrammarId,
    depth: usize,
}

impl Captured<'_> {
    fn whole(&self) -> (usize, usize) {
        self.groups.first().copied().flatten().unwrap_or_default()
    }
}

impl Tokenizer {
    /// A tokenizer for a block.
    pub fn new(mut tools: Tools) -> Self {
        if tools.scanners.len() > SCANNERS {
            tools = Tools::default();
        }
        tools.stack.clear();
        let search = RegexSearch::new(std::mem::take(&mut tools.matcher));
        Self { tools, search }
    }

    /// What it learnt.
    pub fn into_tools(self) -> Tools {
        Tools { matcher: self.search.into_matcher(), ..self.tools }
    }

    /// Sets the work that may still be done.
    pub fn set_work(&mut self, work: u64) {
        self.search.work = work;
    }

    /// Asks every pattern at every place, to see that the automata leave out nothing.
    #[cfg(any(test, feature = "exhaustive"))]
    pub fn ask_all(&mut self, ask_all: bool) {
        self.search.ask_all = ask_all;
    }

    /// Tokenizes a line. `from` is the state that the line before left, if it has a number; without one it is what this
    /// tokenizer did last. Gives the spans, the state that this line leaves (if it has a number) and the work left.
    /// `None`: too much work, or nested too deeply.
    pub fn line(
        &mut self,
        shared: TokenizerShared<'_>,
        root: GrammarId,
        from: Option<StateId>,
        first: bool,
        line: &str,
    ) -> Option<(&[Span], Option<StateId>, u64)> {
        if let Some(from) = from
            && self.tools.stack.last().and_then(|frame| frame.id) != Some(from)
        {
            shared.states.stack(from, &mut self.tools.stack);
        }
        let mut text = std::mem::take(&mut self.tools.text);
        text.clear();
        text.push_str(line);
        text.push('\n');
        self.tools.spans.clear();
        let mut stack = std::mem::take(&mut self.tools.stack);
        let cx = TokenizerLine { shared, root, first };
        let (at, anchor) = self.check_conditions(&cx, &text, &mut stack);
        self.scan(&cx, &text, at, anchor, &mut stack, 0);
        let top = stack.last().map_or(ScopeStacks::EMPTY, |frame| frame.content);
        self.produce(&cx, text.len(), top);
        self.tools.text = text;
        for frame in stack.iter_mut().rev().take_while(|frame| frame.id.is_none()) {
            (frame.entered, frame.anchor_before) = (None, None);
        }
        self.tools.stack = stack;
        if self.search.work == 0 || self.tools.stack.len() > OPEN_RULES {
            return None;
        }
        let next = shared.states.intern(&mut self.tools.stack);
        for span in &mut self.tools.spans {
            span.end = span.end.min(line.len());
        }
        Some((&self.tools.spans, next, self.search.work))
    }

    /// Closes the `while` rules whose condition fails. Gives where to go on and where `\G` holds.
    fn check_conditions(
        &mut self,
        cx: &TokenizerLine<'_>,
        text: &str,
        stack: &mut Vec<RuleFrame>,
    ) -> (usize, Option<usize>) {
        let mut anchor = stack.last().is_some_and(|frame| frame.took_line_end).then_some(0);
        let mut at = 0;
        let mut index = 0;
        while index < stack.len() {
            let frame = stack[index].clone();
            index += 1;
            let Some(grammar) = cx.shared.grammars.grammar(frame.rule.grammar) else { continue };
            let RuleKind::BeginWhile { condition, while_captures, .. } = &grammar.rules[frame.rule.index as usize].kind
            else {
                continue;
            };
            let condition = frame.end.as_ref().unwrap_or(condition);
            if !self.search.first(condition, text, SearchStart { at, anchor, first_line: cx.first }) {
                stack.truncate(index - 1);
                break;
            }
            let groups = self.take_groups();
            let captured = Captured { text, groups: &groups, grammar: frame.rule.grammar, depth: 0 };
            let (from, to) = captured.whole();
            self.produce(cx, from, frame.content);
            self.captures(cx, captured, frame.content, while_captures);
            self.produce(cx, to, frame.content);
            self.tools.spare_groups.push(groups);
            anchor = Some(to);
            at = at.max(to);
        }
        (at, anchor)
    }

    /// Goes through a text until nothing matches any more.
    fn scan(
        &mut self,
        cx: &TokenizerLine<'_>,
        text: &str,
        mut at: usize,
        mut anchor: Option<usize>,
        stack: &mut Vec<RuleFrame>,
        depth: usize,
    ) {
        while self.search.work > 0 && stack.len() <= OPEN_RULES {
            let Some(top) = stack.last() else { break };
            let content = top.content;
            let Some(action) = self.next(cx, text, SearchStart { at, anchor, first_line: cx.first }, top) else {
                break;
            };
            let groups = self.take_groups();
            let grammar = if let MatchAction::Rule(rule) = action { rule.grammar } else { top.rule.grammar };
            let captured = Captured { text, groups: &groups, grammar, depth };
            let (from, to) = captured.whole();
            let moved = to > at;
            self.produce(cx, from, content);
            let stuck = match action {
                MatchAction::End => {
                    let Some(popped) = stack.pop() else { break };
                    self.end_rule(cx, captured, &popped);
                    anchor = popped.anchor_before;
                    let stuck = !moved && popped.entered == Some(at);
                    if stuck {
                        stack.push(RuleFrame { content: popped.scopes, id: None, ..popped });
                    }
                    stuck
                }
                MatchAction::Rule(rule) => match self.begin_rule(cx, captured, rule, content) {
                    Some(frame) => {
                        let again = stack
                            .iter()
                            .rev()
                            .take_while(|open| open.entered == Some(at))
                            .any(|open| open.rule == rule);
                        if moved || !again {
                            stack.push(RuleFrame { entered: Some(at), anchor_before: anchor, ..frame });
                            anchor = Some(to);
                        }
                        !moved && again
                    }
                    None => {
                        // a rule that matches nothing would match again for ever
                        if !moved && stack.len() > 1 {
                            stack.pop();
                        }
                        !moved
                    }
                },
            };
            self.tools.spare_groups.push(groups);
            if stuck {
                break;
            }
            at = at.max(to);
        }
        let content = stack.last().map_or(ScopeStacks::EMPTY, |frame| frame.content);
        self.produce(cx, text.len(), content);
    }

    /// The next match in an open rule; its groups are in `search`.
    fn next(&mut self, cx: &TokenizerLine<'_>, text: &str, start: SearchStart, top: &RuleFrame) -> Option<MatchAction> {
        let scanner = self.scanner(cx, top);
        let end =
            cx.shared.grammars.grammar(top.rule.grammar).map(|grammar| &grammar.rules[top.rule.index as usize].kind);
        let (Some(RuleKind::BeginEnd { end_last, .. }), Some(end)) = (end, &top.end) else {
            return self.tools.scanners[scanner].find(text, start, text.len() + 1, &mut self.search);
        };
        if !self.search.first(end, text, start) {
            return self.tools.scanners[scanner].find(text, start, text.len() + 1, &mut self.search);
        }
        let ends = self.take_groups();
        let at = ends.first().copied().flatten().map_or(text.len(), |(from, _)| from);
        let other = self.tools.scanners[scanner].find(text, start, at + usize::from(*end_last), &mut self.search);
        if other.is_some() {
            self.tools.spare_groups.push(ends);
            return other;
        }
        self.tools.spare_groups.push(std::mem::replace(&mut self.search.groups, ends));
        Some(MatchAction::End)
    }

    /// The groups of the last match, to be given back to `spare_groups`.
    fn take_groups(&mut self) -> Groups {
        std::mem::replace(&mut self.search.groups, self.tools.spare_groups.pop().unwrap_or_default())
    }

    /// Emits the end of a rule.
    fn end_rule(&mut self, cx: &TokenizerLine<'_>, captured: Captured<'_>, ended: &RuleFrame) {
        let grammar = cx.shared.grammars.grammar(ended.rule.grammar);
        if let Some(RuleKind::BeginEnd { end_captures, .. }) =
            grammar.map(|grammar| &grammar.rules[ended.rule.index as usize].kind)
        {
            self.captures(cx, captured, ended.scopes, end_captures);
        }
        self.produce(cx, captured.whole().1, ended.scopes);
    }

    /// Emits what a matched rule captured; the frame to push if it opens something.
    fn begin_rule(
        &mut self,
        cx: &TokenizerLine<'_>,
        captured: Captured<'_>,
        id: RuleId,
        content: StackId,
    ) -> Option<RuleFrame> {
        let rule = &cx.shared.grammars.grammar(id.grammar)?.rules[id.index as usize];
        let (_, to) = captured.whole();
        let scopes = self.push(cx, content, rule.name.as_ref(), captured);
        let (captures, end) = match &rule.kind {
            RuleKind::Match { captures, .. } => (captures, None),
            RuleKind::BeginEnd { begin_captures, end, .. } => (begin_captures, Some(end)),
            RuleKind::BeginWhile { begin_captures, condition, .. } => (begin_captures, Some(condition)),
            RuleKind::Include { .. } => return None,
        };
        self.captures(cx, captured, scopes, captures);
        self.produce(cx, to, scopes);
        let end = end?;
        let end = end.has_references.then(|| {
            self.search.work = self.search.work.saturating_sub(CAPTURED_WORK);
            self.tools.captured(end.resolved(captured.text, captured.groups))
        });
        Some(RuleFrame {
            rule: id,
            scopes,
            content: self.push(cx, scopes, rule.content_name.as_ref(), captured),
            end,
            took_line_end: to == captured.text.len(),
            entered: None,
            anchor_before: None,
            id: None,
        })
    }

    /// Emits the captures of a match, nested as they are, some tokenized again.
    fn captures(&mut self, cx: &TokenizerLine<'_>, captured: Captured<'_>, base: StackId, captures: &Captures) {
        let (_, end) = captured.whole();
        let mut open: Vec<(StackId, usize)> = Vec::new();
        for (capture, group) in captures.iter().zip(captured.groups) {
            let (Some(capture), &Some((from, to))) = (capture, group) else { continue };
            if from == to {
                continue;
            }
            if from > end {
                break;
            }
            while let Some((scopes, until)) = open.pop_if(|(_, until)| *until <= from) {
                self.produce(cx, until, scopes);
            }
            let around = open.last().map_or(base, |(scopes, _)| *scopes);
            self.produce(cx, from, around);
            if let Some(again) = capture.again.filter(|_| captured.depth < CAPTURE_DEPTH) {
                let scopes = self.push(cx, base, capture.name.as_ref(), captured);
                let content = self.push(cx, scopes, capture.content_name.as_ref(), captured);
                let rule = RuleId { grammar: captured.grammar, index: again };
                let frame = RuleFrame {
                    rule,
                    scopes,
                    content,
                    end: None,
                    took_line_end: false,
                    entered: Some(from),
                    anchor_before: None,
                    id: None,
                };
                let inner = TokenizerLine { first: cx.first && from == 0, ..*cx };
                self.scan(&inner, captured.text.slice(..to), from, None, &mut vec![frame], captured.depth + 1);
            } else if capture.name.is_some() {
                open.push((self.push(cx, around, capture.name.as_ref(), captured), to));
            }
        }
        while let Some((scopes, until)) = open.pop() {
            self.produce(cx, until, scopes);
        }
    }

    /// Emits the text up to `end`, unless something emitted it already.
    fn produce(&mut self, cx: &TokenizerLine<'_>, end: usize, scopes: StackId) {
        if end <= self.tools.spans.last().map_or(0, |span| span.end) {
            return;
        }
        let looks = *self.tools.looks.entry(scopes).or_insert_with(|| cx.shared.scopes.looks(scopes));
        match self.tools.spans.last_mut() {
            Some(span) if span.looks == looks => span.end = end,
            _ => self.tools.spans.push(Span { end, looks }),
        }
    }

    /// The stack with a name's scopes on top.
    fn push(
        &mut self,
        cx: &TokenizerLine<'_>,
        parent: StackId,
        name: Option<&ScopeName>,
        captured: Captured<'_>,
    ) -> StackId {
        let Some(name) = name else { return parent };
        if name.captures {
            return cx.shared.scopes.push(parent, &with_captures(&name.text, captured.text, captured.groups));
        }
        // names are part of the grammars, so an address identifies a name
        let key = (parent, name.text.as_ptr().addr());
        *self.tools.pushed.entry(key).or_insert_with(|| cx.shared.scopes.push(parent, &name.text))
    }

    /// The scanner of an open rule.
    fn scanner(&mut self, cx: &TokenizerLine<'_>, frame: &RuleFrame) -> usize {
        let injections = self.injections(cx, frame.content);
        let key = ScannerKey { root: cx.root, rule: frame.rule, injections, captured_end: frame.end.is_some() };
        let fresh = self.tools.scanners.len();
        let index = *self.tools.known.entry(key).or_insert(fresh);
        if index == fresh {
            let set = self.tools.injection_sets.get(injections as usize).map_or(&[][..], Vec::as_slice);
            self.tools.scanners.push(RuleScanner::new(patterns(cx, frame, set)));
        }
        index
    }

    /// The injections that apply within scopes, as a number; 0 for none.
    fn injections(&mut self, cx: &TokenizerLine<'_>, scopes: StackId) -> u32 {
        if let Some(&known) = self.tools.injections.get(&(cx.root, scopes)) {
            return known;
        }
        let grammars = cx.shared.grammars;
        let mut set: Vec<(i8, RuleId)> = Vec::new();
        if let Some(grammar) = grammars.grammar(cx.root) {
            let own = grammar.injections.iter().filter(|(selector, _)| cx.shared.scopes.matches(scopes, selector));
            set.extend(own.map(|(selector, index)| (selector.priority, RuleId { grammar: cx.root, index: *index })));
        }
        for &id in grammars.injected(cx.root) {
            let Some(grammar) = grammars.grammar(id) else { continue };
            let matching =
                grammar.injection_selectors.iter().filter(|selector| cx.shared.scopes.matches(scopes, selector));
            set.extend(matching.map(|selector| (selector.priority, RuleId { grammar: id, index: ROOT })));
        }
        set.sort_by_key(|(priority, _)| *priority);
        if self.tools.injection_sets.is_empty() {
            self.tools.injection_sets.push(Vec::new());
        }
        let known = self.tools.injection_sets.iter().position(|known| *known == set);
        let id = known.unwrap_or_else(|| {
            self.tools.injection_sets.push(set);
            self.tools.injection_sets.len() - 1
        }) as u32;
        self.tools.injections.insert((cx.root, scopes), id);
        id
    }
}

/// Patterns of an open rule in order: injections that come first, its own end and entries, other injections.
fn patterns(
    cx: &TokenizerLine<'_>,
    frame: &RuleFrame,
    injections: &[(i8, RuleId)],
) -> Vec<(MatchAction, Arc<GrammarPattern>)> {
    let mut found = Vec::new();
    for (_, rule) in injections.iter().filter(|(priority, _)| *priority < 0) {
        collect_patterns(cx, *rule, &mut found);
    }
    if let Some(grammar) = cx.shared.grammars.grammar(frame.rule.grammar) {
        let mut own = Vec::new();
        collect_entries(cx, frame.rule, &mut own);
        match &grammar.rules[frame.rule.index as usize].kind {
            RuleKind::BeginEnd { end, end_last, .. } => {
                let end = frame.end.is_none().then(|| (MatchAction::End, end.clone()));
                let at = if *end_last { own.len() } else { 0 };
                own.splice(at..at, end);
            }
            RuleKind::Match { .. } | RuleKind::Include { .. } | RuleKind::BeginWhile { .. } => {}
        }
        found.append(&mut own);
    }
    for (_, rule) in injections.iter().filter(|(priority, _)| *priority >= 0) {
        collect_patterns(cx, *rule, &mut found);
    }
    found
}

/// The patterns that a rule contributes where it is included.
fn collect_patterns(cx: &TokenizerLine<'_>, id: RuleId, found: &mut Vec<(MatchAction, Arc<GrammarPattern>)>) {
    let Some(grammar) = cx.shared.grammars.grammar(id.grammar) else { return };
    match &grammar.rules[id.index as usize].kind {
        RuleKind::Match { pattern, .. }
        | RuleKind::BeginEnd { begin: pattern, .. }
        | RuleKind::BeginWhile { begin: pattern, .. } => {
            found.push((MatchAction::Rule(id), pattern.clone()));
        }
        RuleKind::Include { .. } => collect_entries(cx, id, found),
    }
}

/// The patterns of a rule's entries, includes followed, in order.
fn collect_entries(cx: &TokenizerLine<'_>, id: RuleId, found: &mut Vec<(MatchAction, Arc<GrammarPattern>)>) {
    let mut seen = FxHashSet::default();
    seen.insert(id);
    let mut open = vec![(id, 0)];
    while let Some((id, next)) = open.last_mut() {
        let id = *id;
        let Some(grammar) = cx.shared.grammars.grammar(id.grammar) else { break };
        let Some(entry) = grammar.rules[id.index as usize].entries().get(*next) else {
            open.pop();
            continue;
        };
        *next += 1;
        let Some(target) = resolve_include(cx, id.grammar, entry) else { continue };
        let Some(grammar) = cx.shared.grammars.grammar(target.grammar) else { continue };
        let rule = &grammar.rules[target.index as usize];
        match &rule.kind {
            _ if rule.hollow => {}
            RuleKind::Include { .. } => {
                if seen.insert(target) {
                    open.push((target, 0));
                }
            }
            RuleKind::Match { .. } | RuleKind::BeginEnd { .. } | RuleKind::BeginWhile { .. } => {
                collect_patterns(cx, target, found)
            }
        }
    }
}

fn resolve_include(cx: &TokenizerLine<'_>, from: GrammarId, entry: &RuleInclude) -> Option<RuleId> {
    match entry {
        RuleInclude::Rule(index) => Some(RuleId { grammar: from, index: *index }),
        RuleInclude::Whole => Some(RuleId { grammar: from, index: ROOT }),
        RuleInclude::Base => Some(RuleId { grammar: cx.root, index: ROOT }),
        RuleInclude::Missing => None,
        RuleInclude::Other { scope, name } => {
            let grammar = cx.shared.grammars.id(scope)?;
            let index = match name {
                None => ROOT,
                Some(name) => *cx.shared.grammars.grammar(grammar)?.repository.get(name)?,
            };
            Some(RuleId { grammar, index })
        }
    }
}

/// `$1`, `${1:/downcase}` and `${1:/upcase}` replaced.
fn with_captures<'a>(name: &'a str, text: &str, groups: &Groups) -> Cow<'a, str> {
    let mut out = String::with_capacity(name.len() + 16);
    let mut rest = name;
    while let Some(dollar) = rest.find('$') {
        out.push_str(rest.slice(..dollar));
        rest = rest.slice(dollar + 1..);
        let (braced, inside) = rest.strip_prefix('{').map_or((false, rest), |inside| (true, inside));
        let digits = inside.find(|c: char| !c.is_ascii_digit()).unwrap_or(inside.len());
        let Ok(number) = inside.slice(..digits).parse::<usize>() else {
            out.push('$');
            continue;
        };
        let mut after = inside.slice(digits..);
        let mut change = "";
        if braced {
            let Some((command, tail)) = after.split_once('}') else { break };
            (change, after) = (command, tail);
        }
        let captured = groups
            .get(number)
            .copied()
            .flatten()
            .and_then(|(from, to)| text.get(from..to))
            .unwrap_or("")
            .trim_start_matches('.');
        match change {
            ":/downcase" => out.push_str(&captured.to_lowercase()),
            ":/upcase" => out.push_str(&captured.to_uppercase()),
            _ => out.push_str(captured),
        }
        rest = after;
    }
    out.push_str(rest);
    out.into()
}
