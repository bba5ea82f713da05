//! What a line hands to the next: the stack of open rules, as one number for all threads.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::grammar::{GrammarId, Grammars, ROOT, RuleId};
use super::pattern::GrammarPattern;
use super::scope::{ScopeStacks, StackId};

/// What all tokenizers share.
#[derive(Clone, Copy)]
pub struct TokenizerShared<'a> {
    /// The grammars.
    pub grammars: &'a dyn Grammars,
    /// The stacks of scopes.
    pub scopes: &'a ScopeStacks,
    /// The states that lines leave.
    pub states: &'a States,
}

/// An interned stack of open rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StateId(u32);

/// An open rule.
#[derive(Clone)]
pub(super) struct RuleFrame {
    pub rule: RuleId,
    /// Scopes of the rule's begin and end.
    pub scopes: StackId,
    /// Scopes of what is between them.
    pub content: StackId,
    /// The `end` or `while` pattern, if it depends on what `begin` captured.
    pub end: Option<Arc<GrammarPattern>>,
    /// `begin` took the end of its line: `\G` holds at the start of the next.
    pub took_line_end: bool,
    /// Where it was opened, if on this line.
    pub entered: Option<usize>,
    /// `\G` before it was opened.
    pub anchor_before: Option<usize>,
    /// The state that consists of this frame and those below, once known.
    pub id: Option<StateId>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct StateKey {
    below: Option<StateId>,
    rule: RuleId,
    scopes: StackId,
    content: StackId,
    end: Option<Box<str>>,
    took_line_end: bool,
}

/// All states seen so far.
#[derive(Default)]
pub struct States(Mutex<TokenizerInner>);

#[derive(Default)]
struct TokenizerInner {
    ids: FxHashMap<StateKey, StateId>,
    frames: Vec<(Option<StateId>, RuleFrame)>,
}

/// States that are kept, about 150 bytes each; lines that start in others are not shared.
const STATES: usize = 100_000;

impl States {
    /// The number of a stack. `None`: too many.
    pub(super) fn intern(&self, stack: &mut [RuleFrame]) -> Option<StateId> {
        let known = stack.iter().rposition(|frame| frame.id.is_some());
        let mut below = known.and_then(|at| stack[at].id);
        let fresh = known.map_or(0, |at| at + 1);
        if fresh == stack.len() {
            return below;
        }
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for frame in &mut stack[fresh..] {
            let key = StateKey {
                below,
                rule: frame.rule,
                scopes: frame.scopes,
                content: frame.content,
                end: frame.end.as_ref().map(|end| end.source.clone()),
                took_line_end: frame.took_line_end,
            };
            let known = inner.ids.get(&key).copied();
            let id = match known {
                Some(id) => id,
                None if inner.frames.len() >= STATES => return None,
                None => {
                    let id = StateId(inner.frames.len() as u32);
                    inner
                        .frames
                        .push((below, RuleFrame { id: Some(id), entered: None, anchor_before: None, ..frame.clone() }));
                    inner.ids.insert(key, id);
                    id
                }
            };
            frame.id = Some(id);
            below = Some(id);
        }
        below
    }

    /// The stack of a state.
    pub(super) fn stack(&self, state: StateId, stack: &mut Vec<RuleFrame>) {
        let inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        stack.clear();
        let mut at = Some(state);
        while let Some(StateId(index)) = at {
            let (below, frame) = &inner.frames[index as usize];
            stack.push(frame.clone());
            at = *below;
        }
        stack.reverse();
    }

    /// The state before the first line of a language; `None` if its grammar cannot be read.
    pub fn initial(&self, language: GrammarId, shared: TokenizerShared<'_>) -> Option<StateId> {
        let rule = RuleId { grammar: language, index: ROOT };
        let name = shared.grammars.grammar(language)?.rules[ROOT as usize].name.as_ref()?;
        let scopes = shared.scopes.push(ScopeStacks::EMPTY, &name.text);
        self.intern(&mut [RuleFrame {
            rule,
            scopes,
            content: scopes,
            end: None,
            took_line_end: false,
            entered: None,
            anchor_before: None,
            id: None,
        }])
    }
}
