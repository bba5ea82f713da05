//! TextMate grammars at build-time speed: the tokenizer of VS Code, with three things added.
//!
//! 1. `prefix` reads every regular expression into a small automaton that may say "cannot match here"; a `scanner`
//!    walks the automata of all its patterns at once and asks Oniguruma only about the few that are left. It never
//!    rules out a match, so the result is the same.
//! 2. There are two matchers. Oniguruma is what grammars are written for, and it understands all that they use; but each
//!    attempt allocates and copies a stack of 9 kB, 2,000 instructions for a bracket, and nine of ten expressions are
//!    simple. Those are made into a `program`, run by a `matcher` that answers "match", "no match" or, beyond ASCII and
//!    after many retries, "unknown". Oniguruma is asked where there is no program or no answer. Tests hold the two
//!    together: random expressions, and all those of the shipped grammars.
//! 3. A line's result depends on the state before it and on its text alone; states are numbers, the same for all
//!    threads, so lines can be shared (`Engine` hands out both; the cache itself is the highlighter's).
//!
//! Measured on 30,000 generated fences (17 MB): 1.3 s of CPU, 44 µs per fence; all lines known, 3 µs. On 27,831 fences
//! of real documentation (10.6 MB, 40 languages): 1.5 s. Asking a set of all patterns at every place instead (the
//! `shiki` crate 0.0.7) made 0.3 to 0.9 MB/s of most languages, and its states cannot be compared, so that lines cannot
//! be shared. Colors were compared with Shiki 4.6 (Node), character by character: of 1.76 million none differs, where
//! Shiki's leaving out of blank lines plays no part.
//!
//! The rules (what wins, how captures nest, when a grammar that does not advance is stopped) are those of
//! `vscode-textmate`.

#![cfg_attr(test, allow(clippy::print_stdout, reason = "tests may print"))]
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod ast;
#[cfg(any(test, feature = "exhaustive"))]
mod compare;
mod grammar;
mod match_place;
mod matcher;
mod pattern;
mod prefix;
mod program;
mod scanner;
mod scope;
mod selector;
mod state;
mod syntax;
mod tokenizer;

#[cfg(any(test, feature = "exhaustive"))]
pub use compare::compare_matchers;
pub use grammar::{Grammar, GrammarId, Grammars};
pub use scanner::BLOCK_WORK;
pub use scope::{Looks, ScopeStacks, ThemeRule, TokenLook, TokenTheme};
pub use state::{StateId, States, TokenizerShared};
pub use tokenizer::{Span, Tokenizer, Tools};
