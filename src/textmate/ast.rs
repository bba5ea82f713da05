//! A regular expression as a tree, and what it says of the places where a match can start.

pub(super) const fn range(from: u8, to: u8) -> u128 {
    let mut set = 0;
    let mut at = from;
    while at <= to {
        set |= 1 << at;
        at += 1;
    }
    set
}

pub(super) const DIGIT: u128 = range(b'0', b'9');
pub(super) const UPPER: u128 = range(b'A', b'Z');
pub(super) const LOWER: u128 = range(b'a', b'z');
pub(super) const WORD: u128 = DIGIT | UPPER | LOWER | 1 << b'_';

/// What a regular expression asks of the text. Where it is not understood, it never asks too much.
pub(super) enum Ast {
    Empty,
    /// One character; a loose set holds too much.
    Char {
        ascii: u128,
        other: Other,
        loose: bool,
    },
    All(Vec<Ast>),
    Any(Vec<Ast>),
    Repeat {
        inner: Box<Ast>,
        least: u32,
        /// `None`: any number.
        most: Option<u32>,
        greed: Greed,
    },
    Ahead(Box<Ast>),
    NotAhead(Box<Ast>),
    Behind {
        before: LookBehind,
        inner: Box<Ast>,
        negative: bool,
    },
    /// `\b`.
    Boundary,
    /// `\B`.
    NotBoundary,
    /// The end of the text.
    End,
    Place(u8),
    /// Where a group begins; it is among the parts of the group around it, as its end is.
    Open(u16),
    Close(u16),
    /// What takes no character and is not understood: taken to hold.
    Assumed,
    /// Not understood: it may match whatever follows.
    Anything,
}

/// Which number of repetitions is tried first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Greed {
    /// The largest.
    Greedy,
    /// The smallest.
    Lazy,
    /// The largest and no other.
    Possessive,
}

impl Ast {
    pub(super) const ANY_CHAR: Self = Self::Char { ascii: u128::MAX, other: Other::Yes, loose: true };

    /// Holds at its place without taking a character, or does not.
    fn is_test(&self) -> bool {
        matches!(
            self,
            Self::Empty
                | Self::Ahead(_)
                | Self::NotAhead(_)
                | Self::Behind { .. }
                | Self::Boundary
                | Self::NotBoundary
                | Self::Open(_)
                | Self::Close(_)
                | Self::Assumed
        )
    }
}

/// What a character beyond ASCII does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Other {
    No,
    /// Counts as one character that matches.
    Yes,
    /// Anything may follow (case folding can change lengths).
    Anything,
}

/// Where a match may start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MatchPlaces(pub(super) u8);

impl MatchPlaces {
    pub(super) const LINE: u8 = 1;
    pub(super) const ANCHOR: u8 = 2;
    pub(super) const ANY: u8 = 4;
    /// While collecting: nothing decided yet.
    pub(super) const OPEN: u8 = 8;

    pub(super) fn allow(self, at_line_start: bool, at_anchor: bool) -> bool {
        self.0 & Self::ANY != 0
            || (at_line_start && self.0 & Self::LINE != 0)
            || (at_anchor && self.0 & Self::ANCHOR != 0)
    }
}

/// What may stand before a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LookBehind {
    ascii: u128,
    other: bool,
    start: bool,
}

impl LookBehind {
    const ANY: Self = Self { ascii: u128::MAX, other: true, start: true };

    /// Whether the text before a place, by its last byte, allows a match there.
    pub(super) fn allows(&self, last: Option<u8>) -> bool {
        match last {
            None => self.start,
            Some(byte @ 0..128) => self.ascii & 1 << byte != 0,
            Some(_) => self.other,
        }
    }
    fn and(self, other: Self) -> Self {
        Self { ascii: self.ascii & other.ascii, other: self.other && other.other, start: self.start && other.start }
    }
    fn or(self, other: Self) -> Self {
        Self { ascii: self.ascii | other.ascii, other: self.other || other.other, start: self.start || other.start }
    }
}

impl Ast {
    pub(super) fn may_be_empty(&self) -> bool {
        match self {
            Self::Char { .. } => false,
            Self::All(parts) => parts.iter().all(Self::may_be_empty),
            Self::Any(parts) => parts.iter().any(Self::may_be_empty),
            Self::Repeat { inner, least, .. } => *least == 0 || inner.may_be_empty(),
            _ => true,
        }
    }

    pub(super) fn places(&self) -> u8 {
        match self {
            Self::Place(place) => *place,
            Self::Any(parts) => parts.iter().fold(0, |places, part| places | part.places()),
            Self::Repeat { inner, least, .. } => inner.places() | if *least == 0 { MatchPlaces::OPEN } else { 0 },
            Self::All(parts) => {
                let mut places = 0;
                for part in parts {
                    let here = part.places();
                    places |= here & !MatchPlaces::OPEN;
                    if here & MatchPlaces::OPEN == 0 {
                        return places;
                    }
                }
                places | MatchPlaces::OPEN
            }
            test if test.is_test() => MatchPlaces::OPEN,
            _ => MatchPlaces::ANY,
        }
    }

    /// What must stand before it.
    pub(super) fn before(&self) -> LookBehind {
        match self {
            Self::Behind { before, .. } => *before,
            Self::Any(parts) => parts.iter().map(Self::before).reduce(LookBehind::or).unwrap_or(LookBehind::ANY),
            Self::Repeat { inner, least, .. } if *least > 0 => inner.before(),
            Self::All(parts) => {
                let mut before = LookBehind::ANY;
                for (index, part) in parts.iter().enumerate() {
                    match part {
                        Self::Boundary => before = before.and(boundary(&parts[index + 1..])),
                        Self::Behind { before: behind, .. } => before = before.and(*behind),
                        Self::Place(_) | Self::End => {}
                        test if test.is_test() => {}
                        part => return before.and(part.before()),
                    }
                }
                before
            }
            _ => LookBehind::ANY,
        }
    }

    /// The characters that it can start with; `None` if it may be empty or is not known that well.
    pub(super) fn first(&self) -> Option<u128> {
        match self {
            Self::Char { ascii, other: Other::No | Other::Anything, loose: false } => Some(*ascii),
            Self::Any(parts) => parts.iter().try_fold(0, |set, part| Some(set | part.first()?)),
            Self::All(parts) => first_characters(parts),
            Self::Repeat { inner, least, .. } if *least > 0 => inner.first(),
            _ => None,
        }
    }
}

fn first_characters(parts: &[Ast]) -> Option<u128> {
    parts.iter().find(|part| !part.is_test() && !matches!(part, Ast::Place(_)))?.first()
}

/// What `\b` in front of these asks of the text before it.
fn boundary(rest: &[Ast]) -> LookBehind {
    match first_characters(rest) {
        Some(set) if set & !WORD == 0 => LookBehind { ascii: !WORD, ..LookBehind::ANY },
        Some(set) if set & WORD == 0 => LookBehind { ascii: WORD, other: true, start: false },
        _ => LookBehind::ANY,
    }
}

/// What a look-behind asks, as far as one character tells.
pub(super) fn behind(inner: &Ast, negative: bool) -> LookBehind {
    let one = |ast: &Ast, loose_too: bool| match ast {
        Ast::Char { ascii, other, loose } if loose_too || !loose => {
            Some(LookBehind { ascii: *ascii, other: *other != Other::No, start: false })
        }
        _ => None,
    };
    let alone = |ast: &Ast| match ast {
        Ast::All(parts) => match parts.as_slice() {
            [part] | [Ast::Open(_), part, Ast::Close(_)] => one(part, false),
            _ => None,
        },
        ast => one(ast, false),
    };
    if negative {
        // only what is one character and nothing else can be ruled out
        let excluded = match inner {
            Ast::Any(parts) => parts.iter().filter_map(alone).reduce(LookBehind::or),
            inner => alone(inner),
        };
        return excluded.map_or(LookBehind::ANY, |excluded| LookBehind { ascii: !excluded.ascii, ..LookBehind::ANY });
    }
    match inner {
        Ast::Any(parts) => {
            parts.iter().map(|part| behind(part, false)).reduce(LookBehind::or).unwrap_or(LookBehind::ANY)
        }
        Ast::Place(MatchPlaces::LINE) => LookBehind { ascii: 0, other: false, start: true },
        // a test at the end asks the character behind it for something else
        Ast::All(parts) => match parts.iter().rfind(|part| !part.is_test()) {
            Some(last @ (Ast::Char { .. } | Ast::Any(_) | Ast::Place(MatchPlaces::LINE))) => behind(last, false),
            _ => LookBehind::ANY,
        },
        inner => one(inner, true).unwrap_or(LookBehind::ANY),
    }
}
