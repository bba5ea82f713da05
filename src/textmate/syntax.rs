//! Oniguruma's syntax, read as far as it says what a match can start with, and mostly what matches.

use super::ast::{Ast, DIGIT, Greed, LOWER, MatchPlaces, Other, UPPER, WORD, behind, range};

/// Nesting of groups beyond which a pattern "may match anywhere".
const DEPTH: usize = 64;

/// Reads a regular expression.
pub(super) fn parse_regex(source: &str) -> Ast {
    let mut parser = SyntaxParser {
        chars: source.chars().collect(),
        at: 0,
        depth: 0,
        groups: 0,
        flags: Flags::default(),
        lost: false,
    };
    let ast = parser.alternatives();
    if parser.lost || parser.at < parser.chars.len() { Ast::Anything } else { ast }
}

/// What stands after `(`.
enum GroupOpening {
    Plain,
    Group,
    /// A group that is not understood further: named in an unusual way, or atomic.
    Assumed,
    Ahead,
    NotAhead,
    Behind {
        negative: bool,
    },
    /// Options for the rest of the group around it.
    Options,
    Comment,
    Unknown,
}

#[derive(Clone, Copy, Default)]
struct Flags {
    /// `(?i)`.
    fold: bool,
    /// `(?x)`.
    extended: bool,
    /// `(?m)`: a dot matches a line feed.
    multiline: bool,
}

struct SyntaxParser {
    chars: Vec<char>,
    at: usize,
    depth: usize,
    /// Groups so far.
    groups: u16,
    flags: Flags,
    /// What was not read may hold another alternative, or make optional what was.
    lost: bool,
}

impl SyntaxParser {
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
        loop {
            self.skip_blanks();
            let Some(c) = self.peek().filter(|c| !matches!(c, '|' | ')')) else { break };
            let atom = self.atom(c);
            flatten(self.quantified(atom), &mut parts);
        }
        Ast::All(parts)
    }

    /// Skips what `(?x)` makes a comment.
    fn skip_blanks(&mut self) {
        while self.flags.extended {
            match self.peek() {
                Some('#') => {
                    while self.peek().is_some_and(|c| c != '\n') {
                        self.at += 1;
                    }
                }
                Some(c) if c.is_whitespace() => self.at += 1,
                _ => break,
            }
        }
    }

    fn quantified(&mut self, mut atom: Ast) -> Ast {
        let mut nested = false;
        loop {
            self.skip_blanks();
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
            // `{n}?` is "n or none", and `{n}+` repeats the repetition
            let mut greed = Greed::Greedy;
            let mut assumed = nested || most.is_some_and(|most| most < least);
            match self.peek() {
                Some('?') => {
                    self.at += 1;
                    greed = Greed::Lazy;
                    if interval && most == Some(least) {
                        least = 0;
                        assumed = true;
                    }
                }
                Some('+') if !interval => {
                    self.at += 1;
                    greed = Greed::Possessive;
                }
                _ => {}
            }
            atom = Ast::Repeat { inner: Box::new(atom), least, most, greed };
            if assumed {
                atom = Ast::All(vec![atom, Ast::Assumed]);
            }
            nested = true;
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
            '[' => match self.class() {
                Some(set) => set.ast(self.flags.fold),
                None => self.give_up(),
            },
            '.' if self.flags.multiline => Ast::Char { ascii: u128::MAX, other: Other::Yes, loose: false },
            '.' => Ast::Char { ascii: !(1 << b'\n'), other: Other::Yes, loose: false },
            '^' => Ast::Place(MatchPlaces::LINE),
            // before the last line feed, or at the end
            '$' => Ast::Ahead(Box::new(Ast::Any(vec![
                Ast::Char { ascii: 1 << b'\n', other: Other::No, loose: false },
                Ast::End,
            ]))),
            '\\' => self.escape(),
            // Oniguruma refuses an operator that has nothing to repeat
            '*' | '+' | '?' => Ast::All(vec![self.literal(c), Ast::Assumed]),
            '{' => {
                let before = self.at;
                self.at -= 1;
                let is_interval = self.interval().is_some();
                self.at = before;
                if is_interval { Ast::All(vec![self.literal(c), Ast::Assumed]) } else { self.literal(c) }
            }
            c => self.literal(c),
        }
    }

    fn literal(&self, c: char) -> Ast {
        let mut set = Set::default();
        set.add(c, c);
        set.ast(self.flags.fold)
    }

    /// After `(`.
    fn group(&mut self) -> Ast {
        let around = self.flags;
        let opening = if self.take("?") { self.opening() } else { GroupOpening::Group };
        match opening {
            GroupOpening::Comment => return Ast::Empty,
            GroupOpening::Unknown => return self.give_up(),
            _ if self.depth >= DEPTH => return self.give_up(),
            _ => {}
        }
        let group = self.groups.saturating_add(1);
        if matches!(opening, GroupOpening::Group) {
            self.groups = group;
        }
        self.depth += 1;
        let inner = self.alternatives();
        self.depth -= 1;
        self.flags = around;
        if !matches!(opening, GroupOpening::Options) && !self.take(")") {
            return self.give_up();
        }
        match opening {
            GroupOpening::Group => Ast::All(vec![Ast::Open(group), inner, Ast::Close(group)]),
            GroupOpening::Assumed => Ast::All(vec![Ast::Assumed, inner]),
            GroupOpening::Ahead => Ast::Ahead(Box::new(inner)),
            GroupOpening::NotAhead => Ast::NotAhead(Box::new(inner)),
            GroupOpening::Behind { negative } => {
                Ast::Behind { before: behind(&inner, negative), inner: Box::new(inner), negative }
            }
            _ => inner,
        }
    }

    /// After `(?`.
    fn opening(&mut self) -> GroupOpening {
        if self.take("#") {
            while self.peek().is_some_and(|c| c != ')') {
                self.at += if self.peek() == Some('\\') { 2 } else { 1 };
            }
            self.at += 1;
            return GroupOpening::Comment;
        }
        if self.take("=") {
            return GroupOpening::Ahead;
        }
        if self.take("!") {
            return GroupOpening::NotAhead;
        }
        if self.take("<=") {
            return GroupOpening::Behind { negative: false };
        }
        if self.take("<!") {
            return GroupOpening::Behind { negative: true };
        }
        if self.take(":") {
            return GroupOpening::Plain;
        }
        if self.take(">") {
            return GroupOpening::Assumed;
        }
        if self.take("<") || self.take("'") {
            let from = self.at;
            while self.peek().is_some_and(|c| !matches!(c, '>' | '\'')) {
                self.at += 1;
            }
            let usual = self.peek() == Some('>')
                && self.chars.iter().take(self.at).skip(from).all(char::is_ascii_alphanumeric)
                && self.chars[from].is_ascii_alphabetic();
            self.at += 1;
            return if usual { GroupOpening::Group } else { GroupOpening::Assumed };
        }
        let mut on = true;
        loop {
            let c = self.peek();
            self.at += 1;
            match c {
                Some('-') => on = false,
                Some('i') => self.flags.fold = on,
                Some('x') => self.flags.extended = on,
                Some('m') => self.flags.multiline = on,
                Some(':') => return GroupOpening::Plain,
                Some(')') => return GroupOpening::Options,
                _ => return GroupOpening::Unknown,
            }
        }
    }

    /// Leaves the rest unread: it may match whatever follows.
    fn give_up(&mut self) -> Ast {
        self.lost |= self.chars.iter().skip(self.at).any(|c| matches!(c, '|' | '?' | '*' | '{'));
        self.at = self.chars.len();
        Ast::Anything
    }

    fn escape(&mut self) -> Ast {
        let Some(c) = self.peek() else { return Ast::Anything };
        self.at += 1;
        match c {
            'b' => Ast::Boundary,
            'B' => Ast::NotBoundary,
            'Z' | 'z' | 'K' | 'y' | 'Y' => Ast::Assumed,
            'A' => Ast::All(vec![Ast::Place(MatchPlaces::LINE), Ast::Assumed]),
            'G' => Ast::Place(MatchPlaces::ANCHOR),
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
                    Some(ClassItem::One(c)) => self.literal(c),
                    Some(ClassItem::Many(set)) => {
                        set.ast(self.flags.fold && !matches!(c, 'd' | 'D' | 's' | 'S' | 'w' | 'W'))
                    }
                    None => self.give_up(),
                }
            }
        }
    }

    /// After a backslash, in a class or not.
    fn class_escape(&mut self) -> Option<ClassItem> {
        let c = self.peek()?;
        self.at += 1;
        let many = |ascii: u128, other: bool| Some(ClassItem::Many(Set { ascii, other, ..Set::default() }));
        match c {
            't' => Some(ClassItem::One('\t')),
            'n' => Some(ClassItem::One('\n')),
            'r' => Some(ClassItem::One('\r')),
            'f' => Some(ClassItem::One('\u{c}')),
            'v' => Some(ClassItem::One('\u{b}')),
            'a' => Some(ClassItem::One('\u{7}')),
            'e' => Some(ClassItem::One('\u{1b}')),
            'b' => Some(ClassItem::One('\u{8}')),
            'd' => many(DIGIT, true),
            'D' => many(!DIGIT, true),
            'w' => many(WORD, true),
            'W' => many(!WORD, true),
            's' => many(SPACE, true),
            'S' => many(!SPACE, true),
            'h' => many(HEX, false),
            'H' => many(!HEX, true),
            'p' | 'P' => {
                let close =
                    self.chars[self.at..].iter().position(|&c| c == '}').filter(|_| self.peek() == Some('{'))?;
                let name: String = self.chars[self.at..self.at + close]
                    .iter()
                    .filter(|c| !matches!(c, '{' | ' ' | '-' | '_'))
                    .collect();
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
                Some(ClassItem::Many(Set { ascii, other: true, loose, derived: false }))
            }
            'x' | 'u' => self.code_point(c).map(ClassItem::One),
            'c' | 'C' | 'M' | '0'..='9' | 'R' | 'X' | 'N' | 'O' | 'k' | 'g' | 'o' => None,
            // no escape that is known
            c if c.is_ascii_alphanumeric() => {
                let mut set = Set { loose: true, ..Set::default() };
                set.add(c, c);
                Some(ClassItem::Many(set))
            }
            c => Some(ClassItem::One(c)),
        }
    }

    /// After `\x` or `\u`.
    fn code_point(&mut self, c: char) -> Option<char> {
        let digits: String = if self.take("{") {
            let close = self.chars[self.at..].iter().position(|&c| c == '}')?;
            let digits = self.chars[self.at..self.at + close].iter().collect();
            self.at += close + 1;
            digits
        } else {
            let most = if c == 'x' { 2 } else { 4 };
            let digits: String =
                self.chars[self.at..].iter().take(most).take_while(|c| c.is_ascii_hexdigit()).collect();
            self.at += digits.len();
            // a byte of a longer character
            if c == 'x' && u32::from_str_radix(&digits, 16).is_ok_and(|byte| byte > 0x7f) {
                return None;
            }
            // refused
            if c == 'u' && digits.len() < most {
                return None;
            }
            digits
        };
        u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32)
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
                    Some(posix) => ClassItem::Many(posix),
                    None => {
                        set.loose = true;
                        ClassItem::One('[')
                    }
                },
                '[' => {
                    self.depth += 1;
                    let inner = self.class();
                    self.depth -= 1;
                    ClassItem::Many(inner?)
                }
                '&' if self.peek() == Some('&') => {
                    self.at += 1;
                    all = Some(all.map_or(set, |all| all.and(set)));
                    set = Set::default();
                    continue;
                }
                '\\' => self.class_escape()?,
                c => ClassItem::One(c),
            };
            first = false;
            match item {
                ClassItem::Many(many) => {
                    set = set.or(many);
                    // Oniguruma refuses a range that begins so
                    set.loose |= self.peek() == Some('-') && self.chars.get(self.at + 1).is_some_and(|&c| c != ']');
                }
                ClassItem::One(from) => {
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
                            ClassItem::One(to) => set.add(from, to),
                            ClassItem::Many(many) => {
                                set = set.or(many);
                                set.loose = true;
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
            "alpha" => (letters, false),
            "upper" | "lower" if self.flags.fold => (letters, true),
            "upper" => (UPPER, false),
            "lower" => (LOWER, false),
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
        let set = Set { ascii, other: true, loose, derived: false };
        Some(if negated { set.not() } else { set })
    }
}

/// Adds what follows, group in group, as one sequence.
fn flatten(ast: Ast, parts: &mut Vec<Ast>) {
    match ast {
        Ast::Empty => {}
        Ast::All(inner) => inner.into_iter().for_each(|part| flatten(part, parts)),
        ast => parts.push(ast),
    }
}

enum ClassItem {
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
    /// Made from others in a way that case folding may come before.
    derived: bool,
}

const SPACE: u128 = range(9, 13) | 1 << b' ';
const HEX: u128 = DIGIT | range(b'a', b'f') | range(b'A', b'F');

impl Set {
    fn add(&mut self, from: char, to: char) {
        let (from, to) = (from as u32, to as u32);
        // refused
        self.loose |= from > to;
        if from < 128 {
            self.ascii |= range(from as u8, to.clamp(from, 127) as u8);
        }
        self.other |= to >= 128;
    }
    fn or(self, with: Self) -> Self {
        Self {
            ascii: self.ascii | with.ascii,
            other: self.other | with.other,
            loose: self.loose | with.loose,
            derived: self.derived | with.derived,
        }
    }
    fn and(self, with: Self) -> Self {
        Self {
            ascii: self.ascii & with.ascii,
            other: self.other & with.other,
            loose: self.loose | with.loose,
            derived: true,
        }
    }
    /// What is not in it; a loose set may lack anything.
    fn not(self) -> Self {
        let ascii = if self.loose { u128::MAX } else { !self.ascii };
        Self { ascii, other: true, loose: self.loose, derived: true }
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
            return Ast::Repeat { inner: Box::new(some), least: 1, most: None, greed: Greed::Greedy };
        }
        Ast::Char { ascii: folded, other: Other::Anything, loose: self.loose || self.derived }
    }
}
