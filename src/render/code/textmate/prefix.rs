//! What a regular expression can start with: a small automaton that accepts at least all texts that begin with a match.
//!
//! Whatever is hard (look-behind, negative look-ahead, back-references, conditions) is taken to hold, so the automaton errs on the side of
//! "may match"; Oniguruma has the last word. What it does know rules out nearly all patterns of a scanner at nearly all places.

use std::sync::{Arc, OnceLock};

/// A regular expression of a grammar. Compiled on first use, shared by all threads.
pub(super) struct Pattern {
    pub source: Box<str>,
    /// Holds `\1`: as an `end` it depends on what its `begin` captured.
    pub has_references: bool,
    regex: OnceLock<Option<onig::Regex>>,
    prefix: OnceLock<Prefix>,
}

impl Pattern {
    /// Matches nowhere.
    pub(super) const NEVER: &'static str = "\u{FFFF}";

    pub(super) fn shared(source: &str) -> Arc<Self> {
        // `\z` would see the line feed that is put after every line
        let source = if source.contains("\\z") { end_of_line(source) } else { source.into() };
        let has_references = source.as_bytes().windows(2).any(|pair| pair[0] == b'\\' && pair[1].is_ascii_digit());
        Arc::new(Self { source, has_references, regex: OnceLock::new(), prefix: OnceLock::new() })
    }

    /// `None` if Oniguruma refuses the source: it then matches nowhere.
    pub(super) fn regex(&self) -> Option<&onig::Regex> {
        let compile = || onig::Regex::with_options(&self.source, onig::RegexOptions::REGEX_OPTION_CAPTURE_GROUP, onig::Syntax::default()).ok();
        self.regex.get_or_init(compile).as_ref()
    }

    pub(super) fn prefix(&self) -> &Prefix {
        self.prefix.get_or_init(|| Prefix::of(&self.source))
    }

    /// With `\1` … replaced by what was captured.
    pub(super) fn resolved(&self, text: &str, captures: &[Option<(usize, usize)>]) -> Arc<Self> {
        let mut out = String::with_capacity(self.source.len() + 16);
        let mut chars = self.source.chars().peekable();
        while let Some(c) = chars.next() {
            let Some(digit) = chars.peek().filter(|_| c == '\\').and_then(|c| c.to_digit(10)) else {
                out.push(c);
                if c == '\\' {
                    out.extend(chars.next());
                }
                continue;
            };
            chars.next();
            let captured = captures.get(digit as usize).copied().flatten().and_then(|(from, to)| text.get(from..to)).unwrap_or("");
            for c in captured.chars() {
                if "-\\{}*+?|^$.,[]()#".contains(c) || c.is_whitespace() {
                    out.push('\\');
                }
                out.push(c);
            }
        }
        Self::shared(&out)
    }
}

fn end_of_line(source: &str) -> Box<str> {
    let mut out = String::with_capacity(source.len() + 16);
    let mut chars = source.chars();
    while let Some(c) = chars.next() {
        match (c, if c == '\\' { chars.next() } else { None }) {
            ('\\', Some('z')) => out.push_str("$(?!\\n)(?<!\\n)"),
            (c, escaped) => {
                out.push(c);
                out.extend(escaped);
            }
        }
    }
    out.into()
}

/// The automaton.
pub(super) struct Prefix {
    nodes: Vec<Node>,
    sets: Vec<(u128, Other)>,
    pub start: u16,
    pub places: Places,
    pub before: Before,
}

/// A node of an automaton; the first is `Accept`.
#[derive(Clone, Copy)]
pub(super) enum Node {
    /// One character of a set.
    Char { set: u16, next: u16 },
    /// The rest of a character that is not ASCII.
    Tail { next: u16 },
    Split(u16, u16),
    /// Accepts at the end of the text.
    End,
    Accept,
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
pub(super) struct Places(u8);

impl Places {
    const LINE: u8 = 1;
    const ANCHOR: u8 = 2;
    const ANY: u8 = 4;
    /// While collecting: nothing decided yet.
    const OPEN: u8 = 8;

    pub(super) fn allow(self, at_line_start: bool, at_anchor: bool) -> bool {
        self.0 & Self::ANY != 0 || (at_line_start && self.0 & Self::LINE != 0) || (at_anchor && self.0 & Self::ANCHOR != 0)
    }
}

/// What may stand before a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Before {
    ascii: u128,
    other: bool,
    start: bool,
}

impl Before {
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

/// Nesting of groups, and nodes of an automaton, beyond which a pattern "may match anywhere".
const DEPTH: usize = 64;
const NODES: usize = 60_000;

impl Prefix {
    pub(super) fn of(source: &str) -> Self {
        let mut parser = Parser { chars: source.chars().collect(), at: 0, depth: 0, fold: false, extended: false };
        let ast = parser.alternatives();
        let ast = if parser.at < parser.chars.len() { Ast::Anything } else { ast };
        let places = ast.places();
        let places = Places(if places & Places::OPEN != 0 { Places::ANY } else { places });
        let mut prefix = Self { nodes: vec![Node::Accept], sets: Vec::new(), start: 0, places, before: ast.before() };
        prefix.start = prefix.emit(&ast, 0);
        if prefix.is_full() {
            (prefix.nodes, prefix.sets, prefix.start) = (vec![Node::Accept], Vec::new(), 0);
        }
        prefix
    }

    pub(super) fn node(&self, index: u16) -> Node {
        self.nodes[usize::from(index)]
    }

    /// ASCII characters of a set, and what others do.
    pub(super) fn set(&self, index: u16) -> (u128, Other) {
        self.sets[usize::from(index)]
    }

    fn is_full(&self) -> bool {
        self.nodes.len() >= NODES
    }

    fn add(&mut self, node: Node) -> u16 {
        if self.is_full() {
            return 0;
        }
        self.nodes.push(node);
        self.nodes.len() as u16 - 1
    }

    /// Adds `ast` in front of `next`; gives its first node.
    fn emit(&mut self, ast: &Ast, next: u16) -> u16 {
        if self.is_full() {
            return 0;
        }
        match ast {
            Ast::Empty | Ast::Place(_) | Ast::Boundary | Ast::Behind(_) => next,
            Ast::Anything => 0,
            Ast::End => self.add(Node::End),
            Ast::Ahead(inner) => self.emit(inner, 0),
            Ast::Char { ascii, other, .. } => {
                let next = if *other == Other::Yes { self.add(Node::Tail { next }) } else { next };
                let known = self.sets.iter().position(|set| *set == (*ascii, *other));
                let set = known.unwrap_or_else(|| {
                    self.sets.push((*ascii, *other));
                    self.sets.len() - 1
                });
                self.add(Node::Char { set: set as u16, next })
            }
            Ast::All(parts) => self.emit_all(parts, next),
            Ast::Any(parts) => {
                let starts: Vec<u16> = parts.iter().map(|part| self.emit(part, next)).collect();
                starts.into_iter().reduce(|first, second| self.add(Node::Split(first, second))).unwrap_or(next)
            }
            Ast::Repeat { inner, least, more } => {
                let mut next = next;
                // beyond a few, "exactly n" is as good as "at least those few"
                if *more || *least > 4 {
                    let split = self.add(Node::Split(next, next));
                    let body = self.emit(inner, split);
                    self.nodes[usize::from(split)] = if split == 0 { Node::Accept } else { Node::Split(body, next) };
                    next = split;
                }
                for _ in 0..(*least).min(4) {
                    next = self.emit(inner, next);
                }
                next
            }
        }
    }

    fn emit_all(&mut self, parts: &[Ast], next: u16) -> u16 {
        // a look-ahead stands for what follows it, unless something there must be matched anyway
        let from = parts.iter().rposition(|part| !part.may_be_empty()).map_or(0, |last| last + 1);
        let ahead = parts[from..].iter().position(|part| matches!(part, Ast::Ahead(_)));
        let end = ahead.map_or(parts.len(), |at| from + at + 1);
        parts[..end].iter().enumerate().rev().filter(|(index, part)| *index >= from || !matches!(part, Ast::Ahead(_))).fold(
            if ahead.is_some() { 0 } else { next },
            |next, (_, part)| self.emit(part, next),
        )
    }
}

enum Ast {
    Empty,
    /// One character; a loose set holds too much.
    Char { ascii: u128, other: Other, loose: bool },
    All(Vec<Ast>),
    Any(Vec<Ast>),
    Repeat { inner: Box<Ast>, least: u32, more: bool },
    Ahead(Box<Ast>),
    Behind(Before),
    /// `\b`.
    Boundary,
    /// The end of the text.
    End,
    Place(u8),
    /// Not understood: it may match whatever follows.
    Anything,
}

impl Ast {
    const ANY_CHAR: Self = Self::Char { ascii: u128::MAX, other: Other::Yes, loose: true };

    fn may_be_empty(&self) -> bool {
        match self {
            Self::Char { .. } => false,
            Self::All(parts) => parts.iter().all(Self::may_be_empty),
            Self::Any(parts) => parts.iter().any(Self::may_be_empty),
            Self::Repeat { inner, least, .. } => *least == 0 || inner.may_be_empty(),
            Self::Empty | Self::Ahead(_) | Self::Behind(_) | Self::Boundary | Self::End | Self::Place(_) | Self::Anything => true,
        }
    }

    fn places(&self) -> u8 {
        match self {
            Self::Empty | Self::Ahead(_) | Self::Behind(_) | Self::Boundary => Places::OPEN,
            Self::Char { .. } | Self::End | Self::Anything => Places::ANY,
            Self::Place(place) => *place,
            Self::Any(parts) => parts.iter().fold(0, |places, part| places | part.places()),
            Self::Repeat { inner, least, .. } => inner.places() | if *least == 0 { Places::OPEN } else { 0 },
            Self::All(parts) => {
                let mut places = 0;
                for part in parts {
                    let here = part.places();
                    places |= here & !Places::OPEN;
                    if here & Places::OPEN == 0 {
                        return places;
                    }
                }
                places | Places::OPEN
            }
        }
    }

    /// What must stand before it.
    fn before(&self) -> Before {
        match self {
            Self::Behind(before) => *before,
            Self::Any(parts) => parts.iter().map(Self::before).reduce(Before::or).unwrap_or(Before::ANY),
            Self::Repeat { inner, least, .. } if *least > 0 => inner.before(),
            Self::All(parts) => {
                let mut before = Before::ANY;
                for (index, part) in parts.iter().enumerate() {
                    match part {
                        Self::Boundary => before = before.and(boundary(&parts[index + 1..])),
                        Self::Empty | Self::Ahead(_) | Self::Place(_) | Self::End => {}
                        Self::Behind(behind) => before = before.and(*behind),
                        part => return before.and(part.before()),
                    }
                }
                before
            }
            _ => Before::ANY,
        }
    }

    /// The characters that it can start with; `None` if it may be empty or is not known that well.
    fn first(&self) -> Option<u128> {
        match self {
            Self::Char { ascii, other: Other::No | Other::Anything, loose: false } => Some(*ascii),
            Self::Any(parts) => parts.iter().try_fold(0, |set, part| Some(set | part.first()?)),
            Self::All(parts) => first(parts),
            Self::Repeat { inner, least, .. } if *least > 0 => inner.first(),
            _ => None,
        }
    }
}

fn first(parts: &[Ast]) -> Option<u128> {
    parts.iter().find(|part| !matches!(part, Ast::Empty | Ast::Ahead(_) | Ast::Behind(_) | Ast::Boundary | Ast::Place(_)))?.first()
}

/// What `\b` in front of these asks of the text before it.
fn boundary(rest: &[Ast]) -> Before {
    match first(rest) {
        Some(set) if set & !WORD == 0 => Before { ascii: !WORD, ..Before::ANY },
        Some(set) if set & WORD == 0 => Before { ascii: WORD, other: true, start: false },
        _ => Before::ANY,
    }
}

/// What a look-behind asks, as far as one character tells.
fn behind(inner: &Ast, negative: bool) -> Before {
    let one = |ast: &Ast, loose_too: bool| match ast {
        Ast::Char { ascii, other, loose } if loose_too || !loose => Some(Before { ascii: *ascii, other: *other != Other::No, start: false }),
        _ => None,
    };
    let alone = |ast: &Ast| match ast {
        Ast::All(parts) if parts.len() == 1 => one(&parts[0], false),
        ast => one(ast, false),
    };
    if negative {
        // only what is one character and nothing else can be ruled out
        let excluded = match inner {
            Ast::Any(parts) => parts.iter().filter_map(alone).reduce(Before::or),
            inner => alone(inner),
        };
        return excluded.map_or(Before::ANY, |excluded| Before { ascii: !excluded.ascii, ..Before::ANY });
    }
    match inner {
        Ast::Any(parts) => parts.iter().map(|part| behind(part, false)).reduce(Before::or).unwrap_or(Before::ANY),
        Ast::Place(Places::LINE) => Before { ascii: 0, other: false, start: true },
        Ast::All(parts) => match parts.last() {
            Some(last @ (Ast::Char { .. } | Ast::Any(_) | Ast::Place(Places::LINE))) => behind(last, false),
            _ => Before::ANY,
        },
        inner => one(inner, true).unwrap_or(Before::ANY),
    }
}

/// What stands after `(`.
enum Opening {
    Plain,
    Ahead,
    /// Taken to hold.
    NotAhead,
    Behind { negative: bool },
    /// A comment or an option: done.
    Nothing,
    Unknown,
}

struct Parser {
    chars: Vec<char>,
    at: usize,
    depth: usize,
    /// `(?i)`.
    fold: bool,
    /// `(?x)`.
    extended: bool,
}

impl Parser {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn take(&mut self, text: &str) -> bool {
        let found = text.chars().enumerate().all(|(offset, c)| self.chars.get(self.at + offset) == Some(&c));
        if found {
            self.at += text.chars().count();
        }
        found
    }

    /// Up to `)` or the end.
    fn alternatives(&mut self) -> Ast {
        let mut parts = vec![self.sequence()];
        while self.take("|") {
            parts.push(self.sequence());
        }
        if parts.len() == 1 { parts.swap_remove(0) } else { Ast::Any(parts) }
    }

    fn sequence(&mut self) -> Ast {
        let mut parts = Vec::new();
        while let Some(c) = self.peek() {
            if matches!(c, '|' | ')') {
                break;
            }
            if self.extended && c.is_ascii_whitespace() {
                self.at += 1;
                continue;
            }
            if self.extended && c == '#' {
                while self.peek().is_some_and(|c| c != '\n') {
                    self.at += 1;
                }
                continue;
            }
            let atom = self.atom(c);
            let atom = self.quantified(atom);
            match atom {
                Ast::Empty => {}
                Ast::All(inner) => parts.extend(inner),
                atom => parts.push(atom),
            }
        }
        Ast::All(parts)
    }

    fn quantified(&mut self, mut atom: Ast) -> Ast {
        loop {
            let (mut least, most, interval) = match self.peek() {
                Some('?') => (0, Some(1), false),
                Some('*') => (0, None, false),
                Some('+') => (1, None, false),
                Some('{') => match self.interval() {
                    Some((least, most)) => (least, most, true),
                    None => return atom,
                },
                _ => return atom,
            };
            self.at += 1;
            // lazy and possessive marks change how it matches, not what; but `{n}?` is "n or none", and `{n}+` repeats the repetition
            match self.peek() {
                Some('?') => {
                    self.at += 1;
                    if interval && most == Some(least) {
                        least = 0;
                    }
                }
                Some('+') if !interval => self.at += 1,
                _ => {}
            }
            atom = Ast::Repeat { inner: Box::new(atom), least, more: most.is_none_or(|most| most > least) };
        }
    }

    /// `{n}`, `{n,}`, `{n,m}`, `{,m}` here; leaves `at` on the closing brace.
    fn interval(&mut self) -> Option<(u32, Option<u32>)> {
        let close = self.chars[self.at..].iter().take(24).position(|&c| c == '}')? + self.at;
        let inside: String = self.chars[self.at + 1..close].iter().collect();
        let number = |text: &str| text.parse::<u32>().ok();
        let interval = match inside.split_once(',') {
            None => (number(&inside)?, Some(number(&inside)?)),
            Some((least, "")) => (number(least)?, None),
            Some(("", most)) => (0, Some(number(most)?)),
            Some((least, most)) => (number(least)?, Some(number(most)?)),
        };
        self.at = close;
        Some(interval)
    }

    fn atom(&mut self, c: char) -> Ast {
        self.at += 1;
        match c {
            '(' => self.group(),
            '[' => self.class().map_or(Ast::Anything, |set| set.ast(self.fold)),
            '.' => Ast::ANY_CHAR,
            '^' => Ast::Place(Places::LINE),
            // before the last line feed, or at the end
            '$' => Ast::Ahead(Box::new(Ast::Any(vec![Ast::Char { ascii: 1 << b'\n', other: Other::No, loose: false }, Ast::End]))),
            '\\' => self.escape(),
            c => self.literal(c),
        }
    }

    fn literal(&self, c: char) -> Ast {
        let mut set = Set::default();
        set.add(c, c);
        set.ast(self.fold)
    }

    /// After `(`.
    fn group(&mut self) -> Ast {
        let around = (self.fold, self.extended);
        let opening = if self.take("?") { self.opening() } else { Opening::Plain };
        match opening {
            Opening::Nothing => return Ast::Empty,
            Opening::Unknown => return self.give_up(),
            _ if self.depth >= DEPTH => return self.give_up(),
            _ => {}
        }
        self.depth += 1;
        let inner = self.alternatives();
        self.depth -= 1;
        (self.fold, self.extended) = around;
        if !self.take(")") {
            return self.give_up();
        }
        match opening {
            Opening::Ahead => Ast::Ahead(Box::new(inner)),
            Opening::NotAhead => Ast::Empty,
            Opening::Behind { negative } => Ast::Behind(behind(&inner, negative)),
            _ => inner,
        }
    }

    /// After `(?`.
    fn opening(&mut self) -> Opening {
        if self.take("#") {
            while self.peek().is_some_and(|c| c != ')') {
                self.at += if self.peek() == Some('\\') { 2 } else { 1 };
            }
            self.at += 1;
            return Opening::Nothing;
        }
        if self.take("=") {
            return Opening::Ahead;
        }
        if self.take("!") {
            return Opening::NotAhead;
        }
        if self.take("<=") {
            return Opening::Behind { negative: false };
        }
        if self.take("<!") {
            return Opening::Behind { negative: true };
        }
        if self.take(":") || self.take(">") {
            return Opening::Plain;
        }
        if self.take("<") || self.take("'") {
            while self.peek().is_some_and(|c| !matches!(c, '>' | '\'')) {
                self.at += 1;
            }
            self.at += 1;
            return Opening::Plain;
        }
        let mut on = true;
        loop {
            let c = self.peek();
            self.at += 1;
            match c {
                Some('-') => on = false,
                Some('i') => self.fold = on,
                Some('x') => self.extended = on,
                Some('m' | 's') => {}
                Some(':') => return Opening::Plain,
                // holds to the end of the group around it
                Some(')') => return Opening::Nothing,
                _ => return Opening::Unknown,
            }
        }
    }

    fn give_up(&mut self) -> Ast {
        self.at = self.chars.len();
        Ast::Anything
    }

    fn escape(&mut self) -> Ast {
        let Some(c) = self.peek() else { return Ast::Anything };
        self.at += 1;
        match c {
            'b' => Ast::Boundary,
            'B' | 'Z' | 'z' | 'K' | 'y' | 'Y' => Ast::Empty,
            'A' => Ast::Place(Places::LINE),
            'G' => Ast::Place(Places::ANCHOR),
            'R' => Ast::Char { ascii: 0b11_1100 << 8, other: Other::Yes, loose: true },
            'X' => Ast::Anything,
            'N' | 'O' => Ast::ANY_CHAR,
            // a back-reference or a call: it may match whatever follows
            'k' | 'g' => {
                if self.take("<") {
                    while self.peek().is_some_and(|c| c != '>') {
                        self.at += 1;
                    }
                    self.at += 1;
                }
                Ast::Anything
            }
            '0'..='9' => {
                while self.peek().is_some_and(|c| c.is_ascii_digit()) {
                    self.at += 1;
                }
                Ast::Anything
            }
            'c' | 'C' | 'M' => self.give_up(),
            _ => {
                self.at -= 1;
                match self.class_escape() {
                    Some(Item::One(c)) => self.literal(c),
                    Some(Item::Many(set)) => set.ast(self.fold),
                    None => self.give_up(),
                }
            }
        }
    }

    /// After a backslash, in a class or not.
    fn class_escape(&mut self) -> Option<Item> {
        let c = self.peek()?;
        self.at += 1;
        let many = |ascii: u128, other: bool| Some(Item::Many(Set { ascii, other, loose: false }));
        match c {
            't' => Some(Item::One('\t')),
            'n' => Some(Item::One('\n')),
            'r' => Some(Item::One('\r')),
            'f' => Some(Item::One('\u{c}')),
            'v' => Some(Item::One('\u{b}')),
            'a' => Some(Item::One('\u{7}')),
            'e' => Some(Item::One('\u{1b}')),
            'b' => Some(Item::One('\u{8}')),
            'd' => many(DIGIT, true),
            'D' => many(!DIGIT, true),
            'w' => many(WORD, true),
            'W' => many(!WORD, true),
            's' => many(SPACE, true),
            'S' => many(!SPACE, true),
            'h' => many(HEX, false),
            'H' => many(!HEX, true),
            'p' | 'P' => {
                let close = self.chars[self.at..].iter().position(|&c| c == '}')?;
                let name: String = self.chars[self.at..self.at + close].iter().filter(|c| c.is_ascii_alphanumeric()).collect();
                self.at += close + 1;
                let (ascii, loose) = match name.to_ascii_lowercase().as_str() {
                    _ if c == 'P' => (u128::MAX, true),
                    "l" | "letter" | "alpha" => (UPPER | LOWER, false),
                    "lu" | "upper" | "uppercase" => (UPPER, false),
                    "ll" | "lower" | "lowercase" => (LOWER, false),
                    "n" | "nd" | "digit" => (DIGIT, false),
                    "m" | "mn" | "mc" => (0, false),
                    "word" => (WORD, false),
                    _ => (u128::MAX, true),
                };
                Some(Item::Many(Set { ascii, other: true, loose }))
            }
            'x' | 'u' => {
                let digits: String = if self.take("{") {
                    let close = self.chars[self.at..].iter().position(|&c| c == '}')?;
                    let digits = self.chars[self.at..self.at + close].iter().collect();
                    self.at += close + 1;
                    digits
                } else {
                    let most = if c == 'x' { 2 } else { 4 };
                    let digits: String = self.chars[self.at..].iter().take(most).take_while(|c| c.is_ascii_hexdigit()).collect();
                    self.at += digits.len();
                    // a byte of a longer character
                    if c == 'x' && u32::from_str_radix(&digits, 16).is_ok_and(|byte| byte > 0x7f) {
                        return None;
                    }
                    digits
                };
                u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32).map(Item::One)
            }
            'c' | 'C' | 'M' | '0'..='9' | 'R' | 'X' | 'N' | 'O' | 'k' | 'g' => None,
            c => Some(Item::One(c)),
        }
    }

    /// After `[`.
    fn class(&mut self) -> Option<Set> {
        if self.depth >= DEPTH {
            return None;
        }
        let negated = self.take("^");
        let mut all: Option<Set> = None;
        let mut set = Set::default();
        let mut first = true;
        loop {
            let c = self.peek()?;
            self.at += 1;
            let item = match c {
                ']' if !first => break,
                '[' if self.peek() == Some(':') => match self.posix() {
                    Some(posix) => Item::Many(posix),
                    None => Item::One('['),
                },
                '[' => {
                    self.depth += 1;
                    let inner = self.class();
                    self.depth -= 1;
                    Item::Many(inner?)
                }
                '&' if self.peek() == Some('&') => {
                    self.at += 1;
                    all = Some(all.map_or(set, |all| all.and(set)));
                    set = Set::default();
                    continue;
                }
                '\\' => self.class_escape()?,
                c => Item::One(c),
            };
            first = false;
            match item {
                Item::Many(many) => set = set.or(many),
                Item::One(from) => {
                    let is_range = self.peek() == Some('-') && self.chars.get(self.at + 1).is_some_and(|&c| c != ']');
                    if !is_range {
                        set.add(from, from);
                        continue;
                    }
                    self.at += 1;
                    let to = self.peek()?;
                    self.at += 1;
                    match to {
                        '\\' => match self.class_escape()? {
                            Item::One(to) => set.add(from, to),
                            Item::Many(many) => {
                                set = set.or(many);
                                set.add(from, from);
                                set.add('-', '-');
                            }
                        },
                        '[' => return None,
                        to => set.add(from, to),
                    }
                }
            }
        }
        let set = all.map_or(set, |all| all.and(set));
        Some(if negated { set.not() } else { set })
    }

    /// `[:alpha:]`, the `[` taken.
    fn posix(&mut self) -> Option<Set> {
        let rest: String = self.chars[self.at..].iter().take(12).collect();
        let inside = rest.strip_prefix(':')?;
        let (name, _) = inside.split_once(":]")?;
        let (negated, plain) = name.strip_prefix('^').map_or((false, name), |plain| (true, plain));
        let letters = UPPER | LOWER;
        let (ascii, loose) = match plain {
            "alpha" | "upper" | "lower" => (letters, plain != "alpha"),
            "alnum" => (letters | DIGIT, false),
            "digit" => (DIGIT, false),
            "space" => (SPACE, false),
            "blank" => (1 << b' ' | 1 << b'\t', false),
            "xdigit" => (HEX, false),
            "word" => (WORD, false),
            "punct" | "graph" | "print" | "cntrl" | "ascii" => (u128::MAX, true),
            _ => return None,
        };
        self.at += name.chars().count() + 3;
        let set = Set { ascii, other: true, loose };
        Some(if negated { set.not() } else { set })
    }
}

enum Item {
    One(char),
    Many(Set),
}

/// A set of characters; `other` stands for all beyond ASCII, some of which it may hold.
#[derive(Clone, Copy, Default)]
struct Set {
    ascii: u128,
    other: bool,
    /// Holds characters that the class may not have.
    loose: bool,
}

const fn range(from: u8, to: u8) -> u128 {
    let mut set = 0;
    let mut at = from;
    while at <= to {
        set |= 1 << at;
        at += 1;
    }
    set
}

const DIGIT: u128 = range(b'0', b'9');
const UPPER: u128 = range(b'A', b'Z');
const LOWER: u128 = range(b'a', b'z');
const WORD: u128 = DIGIT | UPPER | LOWER | 1 << b'_';
const SPACE: u128 = range(9, 13) | 1 << b' ';
const HEX: u128 = DIGIT | range(b'a', b'f') | range(b'A', b'F');

impl Set {
    fn add(&mut self, from: char, to: char) {
        let (from, to) = (from as u32, to as u32);
        if from < 128 {
            self.ascii |= range(from as u8, to.clamp(from, 127) as u8);
        }
        self.other |= to >= 128;
    }
    fn or(self, with: Self) -> Self {
        Self { ascii: self.ascii | with.ascii, other: self.other | with.other, loose: self.loose | with.loose }
    }
    fn and(self, with: Self) -> Self {
        Self { ascii: self.ascii & with.ascii, other: self.other & with.other, loose: self.loose | with.loose }
    }
    /// What is not in it; a loose set may lack anything.
    fn not(self) -> Self {
        Self { ascii: if self.loose { u128::MAX } else { !self.ascii }, other: true, loose: self.loose }
    }

    fn ast(self, fold: bool) -> Ast {
        let letters = UPPER | LOWER;
        if !fold || (self.ascii & letters == 0 && !self.other) {
            let other = if self.other { Other::Yes } else { Other::No };
            return Ast::Char { ascii: self.ascii, other, loose: self.loose };
        }
        let (upper, lower) = (self.ascii & UPPER, self.ascii & LOWER);
        let folded = self.ascii | upper << 32 | lower >> 32;
        if self.other {
            // `ß` in the class, `ss` in the text: one member may match several letters
            let some = Ast::Char { ascii: folded | letters, other: Other::Anything, loose: true };
            return Ast::Repeat { inner: Box::new(some), least: 1, more: true };
        }
        Ast::Char { ascii: folded, other: Other::Anything, loose: self.loose }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the automaton lets `text` pass.
    fn passes(pattern: &str, text: &str) -> bool {
        let prefix = Prefix::of(pattern);
        let mut automaton = super::super::scanner::Automaton::default();
        !automaton.candidates(&[&prefix], text.as_bytes(), 0).is_empty()
    }

    #[track_caller]
    fn check(pattern: &str, passing: &[&str], stopped: &[&str]) {
        for text in passing {
            assert!(passes(pattern, text), "{pattern} must let pass {text:?}");
        }
        for text in stopped {
            assert!(!passes(pattern, text), "{pattern} need not let pass {text:?}");
        }
    }

    #[test]
    fn literals_and_classes() {
        check(r"\b(fn|let)\b", &["fn x", "let", "letter"], &["le", "x fn", ""]);
        check(r"[a-c\d&&[^b]]x", &["ax", "1x"], &["bx", "dx"]);
        check(r"(?x) a  b # no c", &["ab"], &["a b"]);
        check(r"\{\d{2,3}\}", &["{12}", "{123}"], &["{1}", "{}", "{ 1"]);
        check(r"a{x", &["a{x"], &["ax"]);
        check(r"[]a]b", &["]b", "ab"], &["b"]);
        check(r"é+x", &["éx", "ééx"], &["x"]);
    }

    #[test]
    fn look_around() {
        check(r"(?<!x)(?=ab)", &["abc"], &["ac"]);
        check(r"(?=ab)[a-z]c", &["xc", "ac"], &["ab"]);
        check(r"a(?!b)", &["ab", "a"], &["b"]);
        check(r"(?:a(?=[bc]))c?", &["ab", "ac"], &["ad"]);
        check(r"a$", &["a", "a\n"], &["ab"]);
        check(r"(?=$)|b", &["", "\nx", "b"], &["x"]);
    }

    #[test]
    fn case_folding() {
        check(r"(?i)select", &["SELECT", "sElect", "ſelect"], &["selext"]);
        check(r"(?i:a)b", &["Ab", "ab"], &["aB"]);
        check(r"(?i)straße", &["STRASSE", "straße"], &[]);
        check(r"a(?i)b|c", &["aB", "C"], &["A"]);
    }

    #[test]
    fn hard_things_pass() {
        check(r"(a)\1z", &["aq"], &["b"]);
        check(r"\p{Lu}x", &["Éx", "Qx"], &["Q", "qx"]);
        check(r"[^\p{Sc}]x", &["ax", "€x", "$x"], &["a"]);
        check(r"a\g<x>", &["anything"], &["x"]);
        check(r"(?i)[a-zß]y", &["SSy", "ay"], &["1y"]);
    }

    #[test]
    fn places() {
        let allow = |pattern: &str, line, anchor| Prefix::of(pattern).places.allow(line, anchor);
        assert!(allow("^a", true, false) && !allow("^a", false, true));
        assert!(allow(r"(^|\G)a", false, true) && allow(r"(^|\G)a", true, false) && !allow(r"(^|\G)a", false, false));
        assert!(allow("(^)?a", false, false) && allow("a|^b", false, false) && allow("(?=^)a", false, false));
        assert!(!allow(r"(?<=x)\G(?:a)*", true, false));
    }

    #[test]
    fn what_stands_before() {
        let allows = |pattern: &str, last: Option<char>| Prefix::of(pattern).before.allows(last.map(|c| c as u8));
        assert!(allows(r"\bfn\b", Some(' ')) && allows(r"\bfn", None) && !allows(r"\bfn", Some('a')));
        assert!(allows(r"(?<!\.)x", Some('a')) && !allows(r"(?<!\.)x", Some('.')) && allows(r"(?<!\p{Sc})x", Some('a')));
        assert!(allows(r"(?<=[(,]|^)x", Some(',')) && allows(r"(?<=[(,]|^)x", None) && !allows(r"(?<=[(,]|^)x", Some('a')));
        assert!(allows(r"(?<=\.\.)x", Some('.')) && !allows(r"(?<=a\.)x", Some('a')) && allows(r"(?<!ab)x", Some('b')));
        assert!(allows(r"\ba|(?<=z)b", Some('z')) && allows(r"(\ba)?b", Some('z')) && !allows(r"(\b(?:a|b))+", Some('z')));
        assert!(!allows(r"\b\(", None) && allows(r"\b\(", Some('f')) && allows(r"\b[\w(]", Some(' ')) && allows(r"\b[é(]", Some('f')));
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(3000))]
        /// What Oniguruma matches, the automaton lets pass.
        #[test]
        fn nothing_that_matches_is_stopped(
            pattern in r"([abS(|)\[\]^$.?*+{}1,:=!<>&-]|\\[bdwsSWDhHGAk1x]|\(\?[=!:ix]|\(\?<[=!]|[éßk]|\[\^|\[:alpha:\]|\[:\^?punct:\]|\\p\{[LS]\}|\\b|\(\?<=[ab]\)|\(\?<![a ]\)){1,14}",
            text in "[abs1 éßkK(]{0,10}",
            at in 0_usize..4,
        ) {
            let compiled = Pattern::shared(&pattern);
            let text = text + "\n";
            let at = if text.is_char_boundary(at) { at.min(text.len()) } else { 0 };
            if let Some(regex) = compiled.regex() {
                let found = regex.match_with_param(text.as_str(), at, onig::SearchOptions::SEARCH_OPTION_NONE, None, onig::MatchParam::default());
                if found.is_ok_and(|length| length.is_some()) {
                    let prefix = compiled.prefix();
                    let last = at.checked_sub(1).map(|before| text.as_bytes()[before]);
                    proptest::prop_assert!(passes(&pattern, &text[at..]), "{:?} on {:?} at {}", pattern, text, at);
                    proptest::prop_assert!(prefix.places.allow(at == 0, true) && prefix.before.allows(last), "{:?} on {:?} at {}", pattern, text, at);
                }
            }
        }
    }
}
