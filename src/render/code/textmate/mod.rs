//! TextMate grammars at build-time speed: the tokenizer of VS Code, with two things added.
//!
//! 1. `prefix` reads every regular expression into a small automaton that may say "cannot match here"; a `scanner` walks the automata of
//!    all its patterns at once and asks Oniguruma only about the few that are left. It never rules out a match, so the result is the same.
//! 2. A line's result depends on the state before it and on its text alone; states are numbers, the same for all threads, so lines can be
//!    shared (`Engine` hands out both; the cache itself is the highlighter's).
//!
//! The rules (what wins, how captures nest, when a grammar that does not advance is stopped) are those of `vscode-textmate`.

mod grammar;
mod pattern;
mod prefix;
mod scanner;
mod scope;
mod selector;
mod state;
mod syntax;
mod tokenizer;

pub(super) use grammar::{Grammar, GrammarId, Grammars};
pub(super) use scanner::BLOCK_WORK;
#[cfg(test)]
pub(super) use scope::Look;
pub(super) use scope::{Looks, Scopes, Theme, ThemeRule};
pub(super) use state::{StateId, States};
pub(super) use tokenizer::{Shared, Span, Tokenizer, Tools};
