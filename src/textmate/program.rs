//! Regular expressions as small programs, for `matcher`.
//!
//! A program exists only where every part of the expression is understood exactly as Oniguruma takes it, as far as text
//! in ASCII goes.

use super::ast::{Ast, Greed, MatchPlaces, Other};
use super::syntax::parse_regex;

/// A program. Operations are made from the last to the first, so that each knows what follows it.
#[derive(Default)]
pub(super) struct Program {
    ops: Vec<Op>,
    classes: Vec<Class>,
    runs: Vec<ClassRun>,
    behinds: Vec<Vec<Vec<Back>>>,
    switches: Vec<[u16; SWITCH]>,
    /// What may come next before an operation; used while the program is made.
    firsts: Vec<Class>,
    pub start: u16,
    /// What a match can start with.
    pub first: Class,
    /// Groups of a match, the whole match among them.
    pub groups: u16,
}

/// Characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Class {
    ascii: [u64; 2],
    /// Whether it may hold characters beyond ASCII.
    beyond: bool,
    /// Whether the end of the text counts as one of it.
    end: bool,
}

impl Class {
    const ALL: Self = Self { ascii: [u64::MAX; 2], beyond: true, end: true };

    fn new(ascii: u128, beyond: bool) -> Self {
        Self { ascii: [ascii as u64, (ascii >> 64) as u64], beyond, end: false }
    }

    fn join(self, other: Self, with: fn(u64, u64) -> u64) -> Self {
        let flag = |a: bool, b: bool| with(u64::from(a), u64::from(b)) != 0;
        Self {
            ascii: [with(self.ascii[0], other.ascii[0]), with(self.ascii[1], other.ascii[1])],
            beyond: flag(self.beyond, other.beyond),
            end: flag(self.end, other.end),
        }
    }

    fn or(self, other: Self) -> Self {
        self.join(other, |a, b| a | b)
    }

    fn and(self, other: Self) -> Self {
        self.join(other, |a, b| a & b)
    }

    /// Whether it holds what comes next; `None` is the end. Certain unless that is beyond ASCII.
    #[inline]
    pub(super) fn may_hold(&self, next: Option<u8>) -> bool {
        match next {
            Some(byte @ 0..128) => self.ascii[usize::from(byte >> 6)] >> (byte & 63) & 1 != 0,
            Some(_) => self.beyond,
            None => self.end,
        }
    }
}

/// An operation.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    /// Takes one character of a class.
    Char {
        class: u16,
        next: u16,
    },
    /// Takes characters of a class, as many as there are.
    Run {
        run: u16,
        next: u16,
    },
    /// Goes to the first, and to the second where that fails. What neither can begin with is not tried.
    Branch {
        first: u16,
        second: u16,
        first_class: u16,
        second_class: u16,
    },
    /// Goes to where the next character leads.
    Switch {
        table: u16,
    },
    /// Notes where a group begins or ends.
    Save {
        slot: u16,
        next: u16,
    },
    /// Looks at the next character.
    Peek {
        class: u16,
        negative: bool,
        next: u16,
    },
    Look {
        body: u16,
        negative: bool,
        next: u16,
    },
    Behind {
        index: u16,
        negative: bool,
        next: u16,
    },
    Boundary {
        negative: bool,
        next: u16,
    },
    LineStart {
        next: u16,
    },
    /// `\G`.
    Anchor {
        next: u16,
    },
    Fail,
    Done,
}

/// A repeated class.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClassRun {
    pub class: u16,
    pub least: u32,
    pub most: u32,
    /// Whether what follows may match after fewer characters.
    pub gives_back: bool,
}

/// A step back of a look-behind.
#[derive(Clone, Copy, Debug)]
pub(super) enum Back {
    Char(u16),
    Behind { index: u16, negative: bool },
    Boundary,
    LineStart,
}

/// Operations of a program, and alternatives of a look-behind, beyond which there is none.
const MAX_OPS: usize = 20_000;
const MAX_BEHINDS: usize = 64;
/// Alternatives from which on a switch is made of them.
const MIN_SWITCH: usize = 4;
/// Entries of a switch: ASCII, what is beyond, the end of the text.
const SWITCH: usize = 130;
/// Repetitions of a class and of anything else that are counted.
const MAX_RUN: u32 = 1_000;
const MAX_COPIES: u32 = 16;

impl Program {
    /// `None` if a part of the expression is not understood.
    pub(super) fn of(source: &str) -> Option<Self> {
        let mut program = Self { groups: 1, ..Self::default() };
        let done = program.add(Op::Done, Class::ALL)?;
        program.start = program.emit(&parse_regex(source), done)?;
        program.first = program.first(program.start);
        program.firsts = Vec::new();
        Some(program)
    }

    #[inline]
    pub(super) fn op(&self, index: u16) -> Op {
        self.ops[usize::from(index)]
    }

    #[inline]
    pub(super) fn class(&self, index: u16) -> &Class {
        &self.classes[usize::from(index)]
    }

    #[inline]
    pub(super) fn run(&self, index: u16) -> &ClassRun {
        &self.runs[usize::from(index)]
    }

    /// Where a switch leads if this comes next.
    #[inline]
    pub(super) fn target(&self, table: u16, next: Option<u8>) -> u16 {
        self.switches[usize::from(table)][next.map_or(SWITCH - 1, |byte| usize::from(byte.min(128)))]
    }

    pub(super) fn behind(&self, index: u16) -> &[Vec<Back>] {
        &self.behinds[usize::from(index)]
    }

    /// What may come next before an operation.
    fn first(&self, op: u16) -> Class {
        self.firsts[usize::from(op)]
    }

    fn add(&mut self, op: Op, first: Class) -> Option<u16> {
        let index = u16::try_from(self.ops.len()).ok().filter(|&index| usize::from(index) < MAX_OPS)?;
        self.ops.push(op);
        self.firsts.push(first);
        Some(index)
    }

    /// Adds what leaves open what comes next.
    fn add_test(&mut self, op: Op, next: u16) -> Option<u16> {
        self.add(op, self.first(next))
    }

    fn intern(&mut self, class: Class) -> u16 {
        let known = self.classes.iter().position(|known| *known == class);
        known.unwrap_or_else(|| {
            self.classes.push(class);
            self.classes.len() - 1
        }) as u16
    }

    fn branch(&mut self, first: u16, second: u16) -> Option<u16> {
        let (first_class, second_class) = (self.first(first), self.first(second));
        let all = first_class.or(second_class);
        let (first_class, second_class) = (self.intern(first_class), self.intern(second_class));
        self.add(Op::Branch { first, second, first_class, second_class }, all)
    }

    /// Adds what tries one after the other.
    fn branches(&mut self, starts: &[u16]) -> Option<u16> {
        let (last, others) = starts.split_last()?;
        others.iter().rev().try_fold(*last, |second, first| self.branch(*first, second))
    }

    /// The same; among many, the next character says which may match.
    fn choice(&mut self, starts: &[u16]) -> Option<u16> {
        if starts.len() < MIN_SWITCH {
            return self.branches(starts);
        }
        let mut known: Vec<(Vec<u16>, u16)> = Vec::new();
        let mut room = starts.len() * 2 + SWITCH;
        let mut table = [0; SWITCH];
        for (index, target) in table.iter_mut().enumerate() {
            let next = [Some(index as u8), None][usize::from(index == SWITCH - 1)];
            let fitting: Vec<u16> = starts.iter().copied().filter(|&start| self.first(start).may_hold(next)).collect();
            *target = match known.iter().find(|(starts, _)| *starts == fitting) {
                Some((_, known)) => *known,
                None => {
                    let Some(left) = room.checked_sub(fitting.len()) else { return self.branches(starts) };
                    room = left;
                    let first = if fitting.is_empty() {
                        self.add(Op::Fail, Class::default())
                    } else {
                        self.branches(&fitting)
                    }?;
                    known.push((fitting, first));
                    first
                }
            };
        }
        let all = starts.iter().fold(Class::default(), |all, &start| all.or(self.first(start)));
        let index = u16::try_from(self.switches.len()).ok()?;
        self.switches.push(table);
        self.add(Op::Switch { table: index }, all)
    }

    /// Adds `ast` in front of `next`; gives its first operation.
    fn emit(&mut self, ast: &Ast, next: u16) -> Option<u16> {
        match ast {
            Ast::Empty => Some(next),
            Ast::Char { .. } | Ast::Any(_) if let Some(first) = one_class(ast).filter(|class| !class.end) => {
                let class = self.intern(first);
                self.add(Op::Char { class, next }, first)
            }
            Ast::All(parts) => parts.iter().rev().try_fold(next, |next, part| self.emit(part, next)),
            Ast::Any(parts) => {
                let starts = parts.iter().map(|part| self.emit(part, next)).collect::<Option<Vec<u16>>>()?;
                self.choice(&starts)
            }
            Ast::Repeat { inner, least, most, greed } => match one_class(inner) {
                Some(class) if !class.end => self.emit_run(class, *least, *most, *greed, next),
                _ => self.emit_loop(inner, *least, *most, *greed, next),
            },
            Ast::Ahead(inner) => self.emit_look(inner, false, next),
            Ast::NotAhead(inner) => self.emit_look(inner, true, next),
            Ast::Behind { inner, negative, .. } => {
                let index = self.behind_of(inner)?;
                self.add_test(Op::Behind { index, negative: *negative, next }, next)
            }
            Ast::Boundary => self.add_test(Op::Boundary { negative: false, next }, next),
            Ast::NotBoundary => self.add_test(Op::Boundary { negative: true, next }, next),
            Ast::Place(MatchPlaces::LINE) => self.add_test(Op::LineStart { next }, next),
            Ast::Place(MatchPlaces::ANCHOR) => self.add_test(Op::Anchor { next }, next),
            Ast::Open(group) => self.add_test(Op::Save { slot: group.checked_mul(2)?, next }, next),
            Ast::Close(group) => {
                let slot = group.checked_mul(2)? + 1;
                self.groups = self.groups.max(group + 1);
                self.add_test(Op::Save { slot, next }, next)
            }
            Ast::Char { .. } | Ast::Place(_) | Ast::End | Ast::Assumed | Ast::Anything => None,
        }
    }

    fn emit_run(&mut self, class: Class, least: u32, most: Option<u32>, greed: Greed, next: u16) -> Option<u16> {
        if least > MAX_RUN || most.is_some_and(|most| most > MAX_RUN || most == 0) {
            return None;
        }
        let first = if least == 0 { class.or(self.first(next)) } else { class };
        let index = self.intern(class);
        if greed == Greed::Lazy {
            return self.emit_loop_of(least, most, greed, next, |program, next| {
                program.add(Op::Char { class: index, next }, class)
            });
        }
        let follows = class.and(Class { beyond: false, ..self.first(next) });
        let gives_back = greed == Greed::Greedy && follows.ascii != [0; 2] && !self.is_done(next);
        let run = u16::try_from(self.runs.len()).ok()?;
        self.runs.push(ClassRun { class: index, least, most: most.unwrap_or(u32::MAX), gives_back });
        self.add(Op::Run { run, next }, first)
    }

    /// Whether nothing that can fail follows.
    fn is_done(&self, mut op: u16) -> bool {
        while let Op::Save { next, .. } = self.op(op) {
            op = next;
        }
        matches!(self.op(op), Op::Done)
    }

    fn emit_loop(&mut self, inner: &Ast, least: u32, most: Option<u32>, greed: Greed, next: u16) -> Option<u16> {
        // Oniguruma ends some loops of nothing in its own way, and refuses others
        if greed == Greed::Possessive || inner.may_be_empty() {
            return None;
        }
        self.emit_loop_of(least, most, greed, next, |program, next| program.emit(inner, next))
    }

    fn emit_loop_of(
        &mut self,
        least: u32,
        most: Option<u32>,
        greed: Greed,
        next: u16,
        mut emit: impl FnMut(&mut Self, u16) -> Option<u16>,
    ) -> Option<u16> {
        if least > MAX_COPIES || most.is_some_and(|most| most > MAX_COPIES || most == 0) {
            return None;
        }
        let ordered = |body, next| if greed == Greed::Lazy { (next, body) } else { (body, next) };
        let mut start = next;
        match most {
            None => {
                // stands for the branch before the body, to which the body leads back
                let again = self.branch(next, next)?;
                self.firsts[usize::from(again)] = Class::ALL;
                let body = emit(self, again)?;
                let (first, second) = ordered(body, next);
                start = self.branch(first, second)?;
                self.ops[usize::from(again)] = self.op(start);
            }
            Some(most) => {
                for _ in least..most {
                    let body = emit(self, start)?;
                    let (first, second) = ordered(body, next);
                    start = self.branch(first, second)?;
                }
            }
        }
        for _ in 0..least {
            start = emit(self, start)?;
        }
        Some(start)
    }

    fn emit_look(&mut self, inner: &Ast, negative: bool, next: u16) -> Option<u16> {
        if let Some(peeked) = one_class(inner) {
            let class = self.intern(peeked);
            let follows = self.first(next);
            let first = if negative { follows } else { follows.and(peeked) };
            return self.add(Op::Peek { class, negative, next }, first);
        }
        let done = self.add(Op::Done, Class::ALL)?;
        let body = self.emit(inner, done)?;
        self.add_test(Op::Look { body, negative, next }, next)
    }

    /// Adds a look-behind; gives its number.
    fn behind_of(&mut self, inner: &Ast) -> Option<u16> {
        let behind = self.steps_back(inner)?;
        self.behinds.push(behind);
        u16::try_from(self.behinds.len() - 1).ok()
    }

    /// The alternatives of a look-behind, each from its last step to its first.
    fn steps_back(&mut self, ast: &Ast) -> Option<Vec<Vec<Back>>> {
        let one = |step| Some(vec![vec![step]]);
        match ast {
            Ast::Char { .. } => {
                let class = one_class(ast)?;
                one(Back::Char(self.intern(class)))
            }
            Ast::Behind { inner, negative, .. } => {
                let index = self.behind_of(inner)?;
                one(Back::Behind { index, negative: *negative })
            }
            Ast::Boundary => one(Back::Boundary),
            Ast::Place(MatchPlaces::LINE) => one(Back::LineStart),
            Ast::All(parts) => {
                let mut all = vec![Vec::new()];
                for part in parts.iter().rev() {
                    let before = self.steps_back(part)?;
                    all = all
                        .iter()
                        .flat_map(|after| before.iter().map(move |before| [after.as_slice(), before].concat()))
                        .collect();
                    if all.len() > MAX_BEHINDS {
                        return None;
                    }
                }
                Some(all)
            }
            Ast::Any(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(self.steps_back(part)?);
                }
                (all.len() <= MAX_BEHINDS).then_some(all)
            }
            Ast::Repeat { inner, least, most: Some(most), .. } if *most <= 4 && least <= most => {
                let once = self.steps_back(inner)?;
                let [steps] = once.as_slice() else { return None };
                (steps.len() <= MAX_BEHINDS).then_some(())?;
                Some((*least..=*most).map(|times| steps.repeat(times as usize)).collect())
            }
            _ => None,
        }
    }
}

/// The class of what is one character, or looks at no more than one.
fn one_class(ast: &Ast) -> Option<Class> {
    match ast {
        Ast::Char { ascii, other, loose: false } => Some(Class::new(*ascii, *other != Other::No)),
        Ast::End => Some(Class { end: true, ..Class::default() }),
        Ast::All(parts) => match parts.as_slice() {
            [part] => one_class(part),
            _ => None,
        },
        Ast::Any(parts) => parts.iter().try_fold(Class::default(), |class, part| Some(class.or(one_class(part)?))),
        _ => None,
    }
}
