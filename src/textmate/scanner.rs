//! All patterns that may match in a state of the tokenizer, tried at once.

use std::sync::Arc;

use onig::{MatchParam, Regex, Region};
use rustc_hash::{FxHashMap, FxHashSet};

use super::ast::{LookBehind, MatchPlaces, Other};
use super::grammar::RuleId;
use super::match_place::{Groups, MatchPlace};
use super::matcher::{MatchInput, MatchVerdict, Matcher};
use super::pattern::GrammarPattern;
use super::prefix::{Prefix, PrefixNode};

/// What a match means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MatchAction {
    /// The innermost rule ends.
    End,
    /// A rule matches or begins.
    Rule(RuleId),
}

/// Work of a block before the rest of it stays plain. Ordinary code needs some 20 units per byte.
pub const BLOCK_WORK: u64 = 12 << 20;
/// What any attempt costs, beside a unit for each byte that it is set upon and a share of their square.
const ATTEMPT_WORK: u64 = 16;
const SQUARE_SHARE: u64 = 128;
/// Oniguruma does not tell what an attempt took, so attempts are made with rising limits (retries, beside 8 per byte)
/// at rising prices. Nearly all need the first only; C++, PowerShell and PHP now and then the others.
const LIMITS: [(u32, u64); 3] = [(500, 0), (4_000, 1_000), (20_000, 10_000)];
/// What an attempt costs that was broken off.
const FAILED_WORK: u64 = 1_000_000;

/// Where a search stands.
#[derive(Clone, Copy)]
pub(super) struct SearchStart {
    pub at: usize,
    /// Where `\G` holds, if anywhere.
    pub anchor: Option<usize>,
    /// Where the text is the block's first line.
    pub first_line: bool,
}

pub(super) struct RuleScanner {
    entries: Vec<ScannerEntry>,
    automaton: Automaton,
}

/// A pattern of a scanner, with what its prefix says of places: it is asked for at most of them.
struct ScannerEntry {
    action: MatchAction,
    places: MatchPlaces,
    before: LookBehind,
    pattern: Arc<GrammarPattern>,
}

impl RuleScanner {
    pub(super) fn new(patterns: Vec<(MatchAction, Arc<GrammarPattern>)>) -> Self {
        let entry = |(action, pattern): (MatchAction, Arc<GrammarPattern>)| {
            let Prefix { places, before, .. } = *pattern.prefix();
            ScannerEntry { action, places, before, pattern }
        };
        Self { entries: patterns.into_iter().map(entry).collect(), automaton: Automaton::default() }
    }

    /// The first match that starts before `until`; among those at the same place that of the earliest pattern.
    pub(super) fn find(
        &mut self,
        text: &str,
        start: SearchStart,
        until: usize,
        search: &mut RegexSearch,
    ) -> Option<MatchAction> {
        let bytes = text.as_bytes();
        for at in start.at..until {
            if !text.is_char_boundary(at) {
                continue;
            }
            // `\G` is where the search started, and only if the rule before ended there
            let anchored = at == start.at && start.anchor == Some(at);
            let place = MatchPlace { at, anchored, first_line: start.first_line && at == 0 };
            let last = at.checked_sub(1).map(|before| bytes[before]);
            let candidates = self.automaton.candidates(&self.entries, bytes, at);
            #[cfg(any(test, feature = "exhaustive"))]
            let everything: Vec<u16> = (0..self.entries.len() as u16).collect();
            #[cfg(any(test, feature = "exhaustive"))]
            let candidates = if search.ask_all { &everything } else { candidates };
            for &candidate in candidates {
                let entry = &self.entries[usize::from(candidate)];
                let allowed = entry.places.allow(at == 0, anchored) && entry.before.allows(last);
                #[cfg(any(test, feature = "exhaustive"))]
                let allowed = allowed || search.ask_all;
                if allowed && search.matches(&entry.pattern, text, place) {
                    return Some(entry.action);
                }
            }
        }
        None
    }
}

/// What searches need and leave: room of the matchers, the groups of the last match, the work left.
pub(super) struct RegexSearch {
    region: Region,
    matcher: Matcher,
    pub groups: Groups,
    /// Work that the block may still cause, in bytes that regular expressions were set upon.
    pub work: u64,
    #[cfg(any(test, feature = "exhaustive"))]
    pub ask_all: bool,
}

impl RegexSearch {
    pub(super) fn new(matcher: Matcher) -> Self {
        Self {
            region: Region::new(),
            matcher,
            groups: Groups::new(),
            work: 0,
            #[cfg(any(test, feature = "exhaustive"))]
            ask_all: false,
        }
    }

    /// The matcher, for another search.
    pub(super) fn into_matcher(self) -> Matcher {
        self.matcher
    }

    /// Whether a pattern matches at a place; its groups are then in `groups`.
    fn matches(&mut self, pattern: &GrammarPattern, text: &str, place: MatchPlace) -> bool {
        let at = place.at;
        if let Some(program) = pattern.program() {
            let input = MatchInput { text: text.as_bytes(), anchor: place.anchored.then_some(at) };
            let verdict = self.matcher.matches(program, input, at);
            #[cfg(any(test, feature = "exhaustive"))]
            if self.ask_all {
                super::compare::expect_agreement(pattern, text, place, &self.matcher, verdict);
            }
            if let Some(is_match) = self.settle(verdict, at, text.len() - at) {
                return is_match;
            }
        }
        self.attempt(pattern, text.len() - at, |regex, region, limits| {
            regex.match_with_param(text, at, place.options(), Some(region), limits)
        })
    }

    /// The first match of one pattern from a place on.
    pub(super) fn first(&mut self, pattern: &GrammarPattern, text: &str, start: SearchStart) -> bool {
        let anchored = start.anchor == Some(start.at);
        if let Some(program) = pattern.program() {
            let input = MatchInput { text: text.as_bytes(), anchor: anchored.then_some(start.at) };
            let (at, verdict) = self.matcher.search(program, input, start.at);
            if let Some(found) = self.settle(verdict, at, text.len() - start.at) {
                return found;
            }
        }
        let options = MatchPlace { at: start.at, anchored, first_line: start.first_line }.options();
        self.attempt(pattern, text.len() - start.at, |regex, region, limits| {
            regex.search_with_param(text, start.at, text.len(), options, Some(region), limits)
        })
    }

    /// Takes over what our matcher found out at a place, at the price of an attempt; `None` if Oniguruma is to be asked.
    fn settle(&mut self, verdict: MatchVerdict, at: usize, rest: usize) -> Option<bool> {
        if let MatchVerdict::Match(to) = verdict {
            self.groups.clear();
            self.groups.extend(self.matcher.groups(at, to));
        }
        let found = match verdict {
            MatchVerdict::Match(_) => true,
            MatchVerdict::NoMatch => false,
            MatchVerdict::Unknown => return None,
        };
        self.pay_attempt(rest);
        Some(found)
    }

    /// Tries a pattern with Oniguruma, and counts its cost. What exceeds the limits counts as no match.
    fn attempt(
        &mut self,
        pattern: &GrammarPattern,
        rest: usize,
        run: impl Fn(&Regex, &mut Region, MatchParam) -> Result<Option<usize>, onig::Error>,
    ) -> bool {
        let Some(regex) = pattern.regex() else { return false };
        let per_byte = u32::try_from(rest).unwrap_or(u32::MAX / 64) * 8;
        self.pay_attempt(rest);
        for (retries, price) in LIMITS {
            self.pay(price);
            let mut limits = MatchParam::default();
            limits.set_retry_limit_in_match(retries + per_byte);
            let Ok(found) = run(regex, &mut self.region, limits) else { continue };
            if found.is_some() {
                self.groups.clear();
                self.groups.extend((0..self.region.len()).map(|group| self.region.pos(group)));
            }
            return found.is_some();
        }
        self.pay(FAILED_WORK);
        false
    }

    /// Pays for an attempt on a text of `rest` bytes.
    fn pay_attempt(&mut self, rest: usize) {
        let rest = rest as u64;
        self.pay(ATTEMPT_WORK + rest + rest * rest / SQUARE_SHARE);
    }

    fn pay(&mut self, work: u64) {
        self.work = self.work.saturating_sub(work);
    }
}

/// Classes of bytes: ASCII as it is, then first and further bytes of longer characters.
const LEAD: usize = 128;
const TAIL: usize = 129;
const CLASSES: usize = 130;

fn class(byte: u8) -> usize {
    match byte {
        0x80..=0xbf => TAIL,
        0xc0.. => LEAD,
        ascii => usize::from(ascii),
    }
}

/// Bytes that the automaton reads before it takes what is left for candidates.
const LOOK: usize = 16;
/// Where no pattern can begin, which is so at most bytes.
const NOWHERE: u32 = u32::MAX;
/// States that a scanner keeps; then it starts over.
const STATES: usize = 2_000;

/// The automata of several patterns, run at once and made deterministic as far as texts ask for it.
#[derive(Default)]
pub(super) struct Automaton {
    transitions: Vec<Transitions>,
    states: Vec<ScanState>,
    known: FxHashMap<Arc<Reached>, u32>,
    /// Transitions of the first state by class, plus one; 0 is not known yet, [`NOWHERE`] leads to no match.
    first: Vec<u32>,
    /// What [`epsilon_closure`] has seen; kept for its room.
    seen: FxHashSet<u32>,
}

/// Where the automata are after some characters.
#[derive(PartialEq, Eq, Hash, Default)]
struct Reached {
    /// Nodes that wait for a character: pattern (upper half) and node, ascending.
    nodes: Vec<u32>,
    /// Patterns that are candidates for certain, ascending; none of their nodes is kept.
    accepted: Vec<u16>,
}

/// Where a state leads: all that a step of a search reads, in one cache line.
#[repr(align(64))]
struct Transitions {
    /// Whether any node waits for a character.
    waits: bool,
    /// Known transitions: the classes, and what each leads to.
    count: u8,
    classes: [u8; Self::NEAR],
    to: [u32; Self::NEAR],
    /// Those that have no room there.
    more: Vec<(u8, u32)>,
}

impl Transitions {
    const NEAR: usize = 7;

    fn new(waits: bool) -> Self {
        Self { waits, count: 0, classes: [0; Self::NEAR], to: [0; Self::NEAR], more: Vec::new() }
    }

    #[inline]
    fn get(&self, class: usize) -> Option<u32> {
        let near = self.classes.iter().zip(&self.to).take(usize::from(self.count));
        let found = near.map(|(on, to)| (*on, *to)).find(|(on, _)| usize::from(*on) == class);
        let found = found.or_else(|| self.more.iter().copied().find(|(on, _)| usize::from(*on) == class));
        found.map(|(_, to)| to)
    }

    fn insert(&mut self, class: u8, to: u32) {
        let at = usize::from(self.count);
        if at < Self::NEAR {
            (self.classes[at], self.to[at]) = (class, to);
            self.count += 1;
        } else {
            self.more.push((class, to));
        }
    }
}

struct ScanState {
    reached: Arc<Reached>,
    /// `accepted`, and the patterns that still wait for characters.
    open: Vec<u16>,
    /// `accepted`, and the patterns that wait for the end of the text.
    at_end: Vec<u16>,
}

/// Something with an automaton.
pub(super) trait HasPrefix {
    fn prefix(&self) -> &Prefix;
}

impl HasPrefix for ScannerEntry {
    fn prefix(&self) -> &Prefix {
        self.pattern.prefix()
    }
}

impl HasPrefix for &Prefix {
    fn prefix(&self) -> &Prefix {
        self
    }
}

impl Automaton {
    fn restart(&mut self, patterns: &[impl HasPrefix]) {
        *self = Self { first: vec![0; CLASSES], seen: std::mem::take(&mut self.seen), ..Self::default() };
        let starts =
            patterns.iter().zip(0..=u16::MAX).map(|(pattern, owner)| thread(owner, pattern.prefix().start)).collect();
        let reached = epsilon_closure(patterns, starts, Vec::new(), &mut self.seen);
        self.state(patterns, reached);
    }

    /// Patterns that may match at a place, ascending.
    pub(super) fn candidates(&mut self, patterns: &[impl HasPrefix], text: &[u8], at: usize) -> &[u16] {
        if self.states.is_empty() || self.states.len() > STATES {
            self.restart(patterns);
        }
        let mut state = 0_u32;
        for &byte in text[at..].iter().take(LOOK) {
            let transitions = &self.transitions[state as usize];
            if !transitions.waits {
                break;
            }
            let class = class(byte);
            let known = if state == 0 {
                match self.first[class] {
                    NOWHERE => return &[],
                    known => known.checked_sub(1),
                }
            } else {
                transitions.get(class)
            };
            state = known.unwrap_or_else(|| self.step(patterns, state, class));
        }
        let state = &self.states[state as usize];
        // at the end of the text nothing comes that they could wait for
        if text.len() - at < LOOK { &state.at_end } else { &state.open }
    }

    fn step(&mut self, patterns: &[impl HasPrefix], from: u32, class: usize) -> u32 {
        let reached = &self.states[from as usize].reached;
        let mut accepted = reached.accepted.clone();
        let mut entered = Vec::new();
        for &at in &reached.nodes {
            let (owner, node) = split_thread(at);
            let prefix = patterns[usize::from(owner)].prefix();
            match prefix.node(node) {
                PrefixNode::Char { set, next } => match (prefix.set(set), class) {
                    ((ascii, _), 0..128) if ascii & 1 << class != 0 => entered.push(thread(owner, next)),
                    ((_, Other::Yes), LEAD) => entered.push(thread(owner, next)),
                    ((_, Other::Anything), LEAD) => accepted.push(owner),
                    _ => {}
                },
                PrefixNode::Tail { .. } if class == TAIL => entered.push(at),
                PrefixNode::Tail { .. } | PrefixNode::Split(..) | PrefixNode::End | PrefixNode::Accept => {}
            }
        }
        let reached = epsilon_closure(patterns, entered, accepted, &mut self.seen);
        let to = self.state(patterns, reached);
        match from {
            0 if self.states[to as usize].open.is_empty() => self.first[class] = NOWHERE,
            0 => self.first[class] = to + 1,
            from => self.transitions[from as usize].insert(class as u8, to),
        }
        to
    }

    fn state(&mut self, patterns: &[impl HasPrefix], reached: Reached) -> u32 {
        if let Some(&known) = self.known.get(&reached) {
            return known;
        }
        let with = |wait: &dyn Fn(PrefixNode) -> bool| {
            let waiting = reached
                .nodes
                .iter()
                .map(|&at| split_thread(at))
                .filter(|&(owner, node)| wait(patterns[usize::from(owner)].prefix().node(node)));
            let mut all: Vec<u16> = reached.accepted.iter().copied().chain(waiting.map(|(owner, _)| owner)).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        let open = with(&|_| true);
        let at_end = with(&|node| matches!(node, PrefixNode::End));
        let id = self.states.len() as u32;
        let reached = Arc::new(reached);
        self.known.insert(reached.clone(), id);
        self.transitions.push(Transitions::new(!reached.nodes.is_empty()));
        self.states.push(ScanState { reached, open, at_end });
        id
    }
}

fn thread(owner: u16, node: u16) -> u32 {
    u32::from(owner) << 16 | u32::from(node)
}

fn split_thread(thread: u32) -> (u16, u16) {
    ((thread >> 16) as u16, thread as u16)
}

/// Follows what takes no character.
fn epsilon_closure(
    patterns: &[impl HasPrefix],
    mut entered: Vec<u32>,
    mut accepted: Vec<u16>,
    seen: &mut FxHashSet<u32>,
) -> Reached {
    let mut nodes = Vec::with_capacity(entered.len());
    seen.clear();
    while let Some(at) = entered.pop() {
        if !seen.insert(at) {
            continue;
        }
        let (owner, node) = split_thread(at);
        match patterns[usize::from(owner)].prefix().node(node) {
            PrefixNode::Char { .. } | PrefixNode::End => nodes.push(at),
            PrefixNode::Tail { next } => {
                nodes.push(at);
                entered.push(thread(owner, next));
            }
            PrefixNode::Split(first, second) => entered.extend([thread(owner, first), thread(owner, second)]),
            PrefixNode::Accept => accepted.push(owner),
        }
    }
    accepted.sort_unstable();
    accepted.dedup();
    nodes.retain(|&at| accepted.binary_search(&split_thread(at).0).is_err());
    nodes.sort_unstable();
    Reached { nodes, accepted }
}
